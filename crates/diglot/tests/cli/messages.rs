//! What the command says, and its exit status: 0 fine, 1 problems in the content, 2 wrong usage, 3
//! the machine.

use std::fs;

use snapbox::assert_data_eq;
use snapbox::str;

use crate::cli::{Desk, MORNING};
use crate::support::repository::Repository;
use crate::support::tree::files;

const ARTICLE: &str =
    "---\ntitle: First\ndate: 2024-05-06\ndescription: The first.\n---\n\nSome words.\n";

fn desk() -> Desk {
    Desk::with(&[("site/articles/first.md", ARTICLE)])
}

/// Runs and checks status and standard error (`[..]` stands for anything).
fn check(desk: &Desk, args: &str, status: i32, expected: impl snapbox::IntoData) {
    let ran = desk.run(args);
    assert_eq!(ran.status, Some(status), "{args}\n{}{}", ran.out, ran.err);
    assert_data_eq!(ran.err.trim_end().to_owned(), expected);
}

#[test]
fn version_and_help_are_no_errors() {
    let desk = Desk::new();
    let version = desk.run("--version");
    assert_eq!(
        (version.status, version.out.trim()),
        (Some(0), concat!("diglot ", env!("CARGO_PKG_VERSION")))
    );
    for args in ["version", "-V"] {
        assert_eq!(desk.run(args).out, version.out);
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = desk.run(&format!("completions {shell}"));
        assert_eq!(script.status, Some(0), "{shell}");
        assert!(script.out.contains("base-url"), "{shell}");
    }
}

#[test]
fn a_certificate_that_cannot_be_used_ends_serve_with_2() {
    let desk = desk();
    let file = |name: &str| format!("{}/tests/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
    let pair = |certificate: &str, key: &str| {
        format!(
            "serve site --listen 127.0.0.1:0 --tls-cert {} --tls-key {}",
            file(certificate),
            file(key)
        )
    };
    check(
        &desk,
        &pair("first.pem", "second.key"),
        2,
        str![
            "diglot: error: the key in `[..]second.key` does not belong to the certificate in `[..]first.pem`\n  hint: use the key that was created with this certificate"
        ],
    );
    check(
        &desk,
        &pair("first.pem", "none.key"),
        2,
        str![
            "diglot: error: cannot read `[..]none.key`: no such file or directory\n  hint: `--tls-key` names a PEM file with the private key of the certificate"
        ],
    );
    let ran = desk.run("serve site --tls-cert x.pem");
    assert!(
        ran.status == Some(2) && ran.err.contains("--tls-key <FILE>"),
        "{}",
        ran.err
    );
}

#[test]
fn certificates_are_asked_for_only_where_that_can_work() {
    let desk = desk();
    let serve = "serve site --listen 127.0.0.1:0";
    for (args, said) in [
        (
            "--listen-http 127.0.0.1:0",
            "`--listen-http` is for a server with a certificate",
        ),
        (
            "--hsts max-age=1",
            "`--hsts` is for a server with a certificate",
        ),
        ("--acme you@example.org", "--domain <NAME>"),
        ("--domain example.org", "--acme <EMAIL>"),
        (
            "--acme you@example.org --domain *.example.org",
            "a wildcard needs a record in the DNS",
        ),
        #[cfg(feature = "acme")]
        (
            "--acme you@example.org --domain example.org --no-state",
            "needs a state folder",
        ),
        #[cfg(feature = "acme")]
        (
            "--acme you@example.org --domain example.org --acme-challenge http-01",
            "--listen-http",
        ),
        #[cfg(feature = "acme")]
        (
            "--acme you@example.org --domain example.org --acme-ca no.pem",
            "cannot read `no.pem`",
        ),
    ] {
        let ran = desk.run(&format!("{serve} --base-url https://example.org {args}"));
        assert!(
            ran.status.is_some_and(|status| status >= 2),
            "{args}\n{}",
            ran.err
        );
        assert!(ran.err.contains(said), "{args}\n{}", ran.err);
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let desk = desk();
    for args in [
        "",
        "publish",
        "serve --wrong",
        "serve --listen here",
        "serve --client-address-header X-Real-IP",
        "build site",
        "new",
    ] {
        assert_eq!(desk.run(args).status, Some(2), "{args}");
    }
    check(
        &desk,
        "serve nowhere",
        2,
        str![
            "diglot: error: the folder `nowhere` does not exist\n  hint: check the path, or create a site with `diglot new my-site`"
        ],
    );
    check(
        &desk,
        "check site/articles/first.md",
        2,
        str![
            "diglot: error: `site/articles/first.md` is not a folder\n  hint: name the folder that contains your articles"
        ],
    );
    check(
        &desk,
        "serve site --listen 0.0.0.0:0",
        2,
        str![
            "diglot: error: other machines can reach `0.0.0.0:0`, but no base URL is set\n  hint: add `--base-url https://example.org`: pages, feed and sitemaps contain the site's address\n"
        ],
    );
    check(
        &desk,
        "build site --output public",
        2,
        str![
            "diglot: error: `build` needs the public address of the site\n  hint: add `--base-url https://example.org`, or set `base_url` in `diglot.toml`\n"
        ],
    );
    check(
        &desk,
        "build site --output public --base-url example.org",
        2,
        str![
            "diglot: error: the base URL is not valid: `example.org` is not an absolute `http://` or `https://` URL\n  hint: write the full address, such as `https://example.org`\n"
        ],
    );
    check(
        &desk,
        "build site --output site/public --base-url https://example.org",
        2,
        str![
            "diglot: error: the output `site/public` is inside the folder of articles\n  hint: choose a folder beside it, such as `--output public`"
        ],
    );
    check(
        &desk,
        "check site --state site/.state",
        2,
        str![
            "diglot: error: the state folder `site/.state` is inside the folder of articles\n  hint: choose another folder, such as `--state ~/.local/state/diglot`, or use `--no-state`"
        ],
    );
    assert!(!desk.path("public").exists(), "nothing was written");
}

#[test]
fn the_output_that_is_advised_is_outside_the_folder_wherever_the_author_is() {
    let desk = Desk::with(&[("site/articles/deep/first.md", ARTICLE)]);
    for (place, folder, advised) in [
        (".", "site", "public"),
        ("site", ".", "../public"),
        ("site", "../site", "../public"),
        ("site/articles", "..", "../../public"),
        ("site/articles/deep", "../..", "../../../public"),
    ] {
        let run = |output: &str| {
            let args = format!("build {folder} --base-url https://example.org {output}");
            let ran = desk.command(&args).current_dir(desk.path(place)).output();
            let ran = ran.unwrap();
            (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
        };
        let (status, said) = run("");
        assert_eq!(status, Some(2));
        let words = format!("add `--output {advised}`");
        assert!(said.contains(&words), "{place}: {said}");
        let (_, said) = run("--output .");
        let words = format!("such as `--output {advised}`");
        assert!(place == "." || said.contains(&words), "{place}: {said}");
        assert_eq!(run(&format!("--output {advised}")).0, Some(0), "{place}");
    }
}

#[test]
fn settings_of_a_site_inside_a_folder_are_named_where_they_are() {
    let long = "#".repeat(2 << 20);
    let files = [
        ("in/docs/mkdocs.yml", "site_name: X\n"),
        ("in/docs/docs/a.md", ARTICLE),
    ];
    for (settings, words) in [
        (
            ("in/docs/diglot.toml", &*long),
            "cannot read `in/docs/diglot.toml`",
        ),
        (
            ("in/docs/diglot.toml/a", ""),
            "and `in/docs/diglot.toml` is a folder",
        ),
    ] {
        let desk = Desk::with(&files);
        desk.write(settings.0, settings.1);
        let ran = desk.run("check in --no-state");
        assert!(ran.said().contains(words), "{}", ran.said());
    }
}

#[test]
fn a_build_of_nothing_says_so_as_json_if_asked() {
    let desk = Desk::new();
    fs::create_dir(desk.path("empty")).unwrap();
    let args = "build empty --output out --base-url https://example.org --no-state --json";
    let ran = desk.run(args);
    assert_eq!(ran.status, Some(1));
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&said["edition"], &said["errors"]), (&().into(), &1.into()));
    let message = said["problems"][0]["message"].as_str();
    assert!(message.unwrap().contains("`empty` has no files"), "{said}");
    assert!(!desk.path("out").exists());
}

#[test]
fn broken_settings_are_content_problems() {
    let desk = desk();
    desk.write("site/diglot.toml", "titel = \"Notes\"\n");
    for args in [
        "check site",
        "build site --output public --base-url https://example.org",
        "serve site --listen 127.0.0.1:0",
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.status, Some(1), "{args}\n{}", ran.err);
        // A report that was asked for is a result, not a message.
        let said = if args.starts_with("check") {
            &ran.out
        } else {
            &ran.err
        };
        let verdict = "error: 1 problem in the settings or the theme: nothing was built\n\n";
        let problems = said.strip_prefix(verdict).unwrap_or(said);
        assert_eq!(problems != said, args.starts_with("check"), "{said}");
        assert!(
            problems.starts_with("diglot.toml:1:1: ")
                && said.contains("`titel`")
                && said.contains("`title`"),
            "{said}"
        );
    }
    assert!(!desk.path("public").exists());
}

#[test]
fn all_problems_of_the_settings_are_told_at_once_in_their_order() {
    let desk = desk();
    desk.write(
        "site/diglot.toml",
        "title = 3\ntheme = \"nope\"\nlanguage = \"English\"\narticles = \"nope\"\n",
    );
    let ran = desk.run("check site");
    let mut lines = ran
        .out
        .lines()
        .filter(|line| line.starts_with("diglot.toml:"));
    for (place, word) in [
        ("diglot.toml:1:9: ", "`title`"),
        ("diglot.toml:2:9: ", "`nope`"),
        ("diglot.toml:3:12: ", "`English`"),
        ("diglot.toml:4:12: ", "`nope`"),
    ] {
        let line = lines.next().unwrap_or_default();
        assert!(
            line.starts_with(place) && line.contains(word),
            "{}",
            ran.out
        );
    }
}

#[test]
fn an_address_in_use_names_who_uses_it_and_how_to_choose_another() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let ran = desk().run(&format!("serve site --listen {address}"));
    assert_eq!(ran.status, Some(3), "{}", ran.err);
    let by = match cfg!(target_os = "linux") {
        true => format!("(process {}) uses the port\n", std::process::id()),
        false => "another process uses the port\n".to_owned(),
    };
    let start = format!("diglot: error: cannot listen on `{address}`: ");
    assert!(
        ran.err.starts_with(&start)
            && ran.err.contains(&by)
            && ran
                .err
                .contains("hint: choose another port, such as `--listen 127.0.0.1:"),
        "{}",
        ran.err
    );
}

#[test]
fn a_folder_with_nothing_to_publish_is_an_error_with_the_next_step() {
    let desk = Desk::with(&[
        (
            "drafts/articles/a.md",
            "---\ntitle: A\ndraft: true\n---\n\nWords.\n",
        ),
        (
            "later/articles/a.md",
            "---\ntitle: A\ndate: 2999-01-01\n---\n\nWords.\n",
        ),
    ]);
    fs::create_dir(desk.path("empty")).unwrap();
    for args in [
        "check empty",
        "build empty --output public --base-url https://example.org",
        "serve empty --listen 127.0.0.1:0",
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.status, Some(1), "{args}: {}", ran.err);
        let said = match args.starts_with("check") {
            true => &ran.out,
            false => &ran.err,
        };
        assert!(
            said.contains("the folder `empty` has no files, so there is nothing to publish\n  hint: write a first article, `empty/articles/first.md`"),
            "{args}: {said}"
        );
    }
    assert!(!desk.path("public").exists());
    let drafts = desk.run("check drafts");
    assert_eq!((drafts.status, drafts.err.as_str()), (Some(1), ""));
    let verdict = "error: the only file in `drafts` is not published\n  hint: `diglot check drafts --explain FILE` tells why a file is not published\n\n0 articles published";
    assert!(drafts.out.starts_with(verdict), "{}", drafts.out);
    assert!(!drafts.out.contains("agree in"), "{}", drafts.out);
    // As JSON, the error is one of the problems.
    let empty = desk.run("check empty --json");
    let report: serde_json::Value = serde_json::from_str(&empty.out).unwrap();
    assert_eq!((empty.status, empty.err.as_str()), (Some(1), ""));
    assert_eq!(
        (&report["errors"], &report["found"]),
        (&1.into(), &0.into())
    );
    let message = "the folder `empty` has no files, so there is nothing to publish";
    assert_eq!(report["problems"][0]["message"], message);
    // What is scheduled appears by itself.
    assert_eq!(desk.run("check later").status, Some(0));
}

#[test]
fn quiet_prints_problems_alone() {
    let desk = desk();
    for args in ["new other --quiet", "theme init look nav.html --quiet"] {
        let quiet = desk.run(args);
        assert_eq!(
            (quiet.status, quiet.said()),
            (Some(0), String::new()),
            "{args}"
        );
    }
    let quiet = desk.run("check site --quiet");
    assert_eq!((quiet.status, quiet.said()), (Some(0), String::new()));
    desk.write(
        "site/articles/second.md",
        "---\ntitle: Second\ndate: 2024-05-07\n---\n\n[a](none.md)\n",
    );
    let quiet = desk.run("-q check site");
    assert_data_eq!(
        quiet.said(),
        "articles/second.md:6:1: warning: broken link: `none.md`\n"
    );
    let built = desk.run("build site --quiet --output public --base-url https://example.org");
    assert_data_eq!(
        built.said(),
        "articles/second.md:6:1: warning: broken link: `none.md`\n"
    );
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let desk = desk();
    desk.write(
        "site/articles/second.md",
        "---\ntitle: Second\ndate: 2024-05-07\n---\n\n[a](none.md)\n",
    );
    let coloured = |args: &str, variable: &str| {
        let mut command = desk.command(args);
        if !variable.is_empty() {
            command.env(variable, "1");
        }
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        out.contains("\u{1b}[33mwarning:") || out.contains("\u{1b}[1m\u{1b}[33mwarning:")
    };
    assert!(!coloured("check site", ""));
    assert!(coloured("check site --color always", ""));
    assert!(coloured("check site", "CLICOLOR_FORCE"));
    assert!(!coloured("check site --color never", "CLICOLOR_FORCE"));
    assert!(coloured("--color=always check site", "NO_COLOR"));
}

#[test]
fn a_new_site_has_no_problems() {
    let desk = Desk::new();
    let made = desk.run("new my-site");
    assert_eq!(made.status, Some(0), "{}", made.err);
    assert_data_eq!(made.err, "diglot: created `my-site`\n");
    assert!(made.out.contains("diglot serve my-site"));
    check(&desk, "check my-site --strict", 0, str![""]);
    assert_data_eq!(
        desk.run("check my-site").out,
        str![[r#"
2 articles published in [..]
published: 2 articles from articles/, 2 pages from ./, 1 file from static/
...
"#]]
    );
    assert_eq!(desk.run("new my-site").status, Some(2));
    let built = desk.run("build my-site --output public --base-url https://example.org");
    assert_eq!(built.status, Some(0), "{}", built.err);
    let written = files(&desk.path("public"));
    for path in [
        "index.html",
        "index.md",
        "about.html",
        "articles/hello.md",
        "articles/writing.html",
        "open-book.svg",
        "rss.xml",
        "llms.txt",
        "robots.txt",
        "_headers",
    ] {
        assert!(written.contains_key(path), "{path}");
    }
    assert!(String::from_utf8_lossy(&written["index.html"]).contains("My site"));
}

#[test]
fn check_reports_in_words_and_as_json() {
    let desk = desk();
    desk.write(
        "site/articles/second.md",
        "---\ntitle: Second\ndate: 2024-05-07\n---\n\nSee [nothing](nowhere.md).\n",
    );
    let ran = desk.run("check site");
    assert!(ran.out.contains("articles/second.md:6:"), "{}", ran.out);
    assert!(
        ran.out.starts_with("2 articles published, 1 warning in "),
        "{}",
        ran.out
    );
    assert_eq!(ran.err, "", "the report is the result");
    assert_eq!(desk.run("check site --strict").status, Some(1));
    let json = desk.run("check site --json");
    let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(report["articles"], 2);
    assert_eq!(
        report["problems"].as_array().unwrap().len(),
        usize::try_from(report["errors"].as_u64().unwrap() + report["warnings"].as_u64().unwrap())
            .unwrap()
    );
}

#[test]
fn item_1_a_folder_that_was_not_public_before_is_named_once() {
    let desk = desk();
    let said = |desk: &Desk| desk.run("check site").out;
    assert!(!said(&desk).contains("published for the first time"));
    desk.write("site/notes/private.md", "# Notes\n\nWords.\n");
    let first = said(&desk);
    assert!(
        first.contains("\npublished: 1 article from articles/, 1 page from notes/\n")
            && first.contains("\npublished for the first time: 1 page from notes/\n"),
        "{first}"
    );
    let json = desk.run("check site --json").out;
    assert!(
        json.contains("\"folder\": \"notes/\"") && json.contains("\"newly_public\": []"),
        "{json}"
    );
    assert!(!said(&desk).contains("published for the first time"));
    desk.write("site/more/x.md", "# More\n\nWords.\n");
    assert!(
        !desk
            .run("check site --no-state")
            .out
            .contains("published for the first time")
    );
    assert!(said(&desk).contains("published for the first time: 1 page from more/"));
}

#[test]
fn item_6_check_groups_problems_by_their_cause() {
    let desk = desk();
    let links: String = (0..5).map(|n| format!("[a](none-{n}.md)\n\n")).collect();
    desk.write(
        "site/articles/links.md",
        &format!("---\ntitle: Links\ndate: 2024-05-08\n---\n{links}[d](draft.md)\n"),
    );
    desk.write(
        "site/articles/draft.md",
        "---\ntitle: D\ndraft: perhaps\n---\n\nWords.\n",
    );
    desk.write(
        "site/articles/other.md",
        "---\ntitle: O\ndarft: true\n---\n\nWords.\n",
    );
    let short = desk.run("check site");
    assert_eq!(short.status, Some(1));
    assert_data_eq!(
        short.out,
        str![[r#"
2 articles published, 2 set aside, 2 errors, 6 warnings in [..]
published: 2 articles from articles/

error: 2 texts withheld, because a key that controls publication has an unreadable value
  articles/draft.md:3:8: withheld: `draft` is neither yes nor no: `perhaps`
    hint: write `draft: true` or `draft: false`
  articles/other.md:3:1: withheld: `darft: true` is nearly `draft`
    hint: write `draft`, or give the key a name of its own
warning: 5 broken links
  articles/links.md:5:1: broken link: `none-0.md`
  articles/links.md:7:1: broken link: `none-1.md`
  articles/links.md:9:1: broken link: `none-2.md`
  … and 2 more
articles/links.md:15:1: warning: the link leads to `articles/draft.md`, which is not published: `draft: perhaps` is neither yes nor no

...
"#]]
    );
    let whole = desk.run("check site --verbose").out;
    assert!(whole.contains("`none-4.md`"), "{whole}");
}

#[test]
fn check_and_build_give_the_same_report() {
    let desk = desk();
    desk.write("site/articles/second.md", "---\ntitle: Second\ndate: 2024-05-07\n---\n\n[a](first.md#none) ![b](none.png) {% mystery %}\n");
    desk.write("site/articles/empty.md", "---\ntitle: Empty\n---\n");
    let files = "2 published + 0 set aside + 1 skipped (1: empty body)";
    let links = "1 link, 1 image (1 missing), 1 fragment (1 broken) inside the folder";
    let build = "build site --base-url https://example.org --output public";
    for args in ["check site", build] {
        let short = desk.run(args).said();
        assert!(
            short.contains(files) && short.contains(links) && short.contains("`mystery` 1"),
            "{args}: {short}"
        );
        assert!(!short.contains("empty.md skipped"), "{args}: {short}");
        let whole = desk.run(&format!("{args} --verbose")).said();
        assert!(
            whole.contains(files) && whole.contains("articles/empty.md skipped: empty body"),
            "{args}: {whole}"
        );
        let json = desk.run(&format!("{args} --json"));
        assert!(
            !json.err.contains("published") && !json.err.contains("warning"),
            "{args}: {}",
            json.err
        );
        let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        let lengths = |lists: &serde_json::Value| {
            lists
                .as_object()
                .unwrap()
                .values()
                .map(|list| list.as_array().unwrap().len())
                .sum::<usize>()
        };
        let count = |key: &str| usize::try_from(report[key].as_u64().unwrap()).unwrap();
        assert_eq!(
            count("found"),
            count("published")
                + report["set_aside"].as_array().unwrap().len()
                + lengths(&report["skipped"]),
            "{report}"
        );
        assert_eq!(
            report["references"]["fragments"],
            serde_json::json!({ "total": 1, "broken": 1 })
        );
        assert_eq!(report["unknown_tags"], serde_json::json!({ "mystery": 1 }));
        assert_eq!(report["articles_folder"]["path"], "articles");
    }
    assert_eq!(desk.run("check site --json --verbose").status, Some(2));
    desk.write("site/diglot.toml", "base_url = 7\n");
    let none = desk.run(&format!("{build} --json"));
    assert_eq!(
        (
            none.status,
            serde_json::from_str::<serde_json::Value>(&none.out).unwrap()["edition"].is_null()
        ),
        (Some(1), true),
        "{}",
        none.err
    );
}

#[test]
fn explain_follows_one_file() {
    let desk = desk();
    desk.write(
        "site/articles/hidden.md",
        "---\ntitle: Hidden\ndraft: true\n---\n\nNot yet.\n",
    );
    for file in ["articles/hidden.md", "site/articles/hidden.md"] {
        let ran = desk.run(&format!("check site --explain {file}"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.out.contains("draft"), "{}", ran.out);
    }
    assert_eq!(desk.run("check site --explain none.md").status, Some(2));
}

#[test]
fn explain_fails_where_check_does_and_labels_errors() {
    let desk = desk();
    desk.write(
        "site/articles/t.md",
        "---\ntitle: T\ndate: 2024-05-06\nupdated: 5\n---\n\nWords.\n",
    );
    desk.write(
        "site/articles/twin.md",
        "---\ntitle: T\nslug: first\n---\n\nWords.\n",
    );
    for (file, error) in [
        (
            "t.md",
            "\narticles/t.md:4:10: error: `updated` is not a date: `5`\n  hint: ",
        ),
        ("twin.md", "\narticles/twin.md: error: set aside: "),
    ] {
        let explain = format!("check site --explain articles/{file}");
        let ran = desk.run(&explain);
        assert_eq!(ran.status, Some(1), "{}", ran.out);
        assert!(ran.out.contains(error), "{}", ran.out);
        let json = desk.run(&format!("{explain} --json"));
        assert_eq!(json.status, Some(1), "{}", json.out);
    }
}

#[test]
fn the_command_line_is_over_the_environment_over_the_file() {
    let desk = desk();
    desk.write("site/diglot.toml", "base_url = \"https://file.example\"\n");
    let base = |args: &str, variable: Option<&str>| {
        let mut command = desk.command(&format!("check site --json {args}"));
        if let Some(value) = variable {
            command.env("DIGLOT_BASE_URL", value);
        }
        let report: serde_json::Value =
            serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        report["base_url"].as_str().unwrap().to_owned()
    };
    assert_eq!(base("", None), "https://file.example");
    assert_eq!(base("", Some("")), "https://file.example");
    assert_eq!(
        base("", Some("https://environment.example")),
        "https://environment.example"
    );
    assert_eq!(
        base(
            "--base-url https://line.example",
            Some("https://environment.example")
        ),
        "https://line.example"
    );
}

#[test]
fn a_build_is_the_same_wherever_and_whenever_it_is_made() {
    let desk = desk();
    desk.write("site/articles/été/deep.md", "---\ntitle: Deep\ndate: 2023-01-02T03:04:05+02:00\n---\n\nWords, and [the first](../first.md).\n");
    let first = desk.run("build site --output one --base-url https://example.org --compress");
    assert_eq!(first.status, Some(0), "{}", first.err);
    let mut command =
        desk.command("build . --output ../two --base-url https://example.org --compress");
    let second = command
        .current_dir(desk.path("site"))
        .env("TZ", "Pacific/Kiritimati")
        .env("LANG", "tr_TR.UTF-8")
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap();
    assert!(
        second.status.success(),
        "{}",
        String::from_utf8_lossy(&second.stderr)
    );
    let (one, two) = (files(&desk.path("one")), files(&desk.path("two")));
    let differing: Vec<&String> = one
        .keys()
        .chain(two.keys())
        .filter(|path| one.get(*path) != two.get(*path))
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn a_state_that_cannot_be_written_is_said_once_and_everything_works() {
    let desk = desk();
    desk.write("home/.local/state", "a file where a folder should be");
    let ran = desk.run("build site --output public --base-url https://example.org");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(
        ran.err
            .matches("diglot: warning: dates cannot be saved in ")
            .count(),
        1,
        "{}",
        ran.err
    );
    assert_eq!(
        desk.read("home/.local/state"),
        "a file where a folder should be"
    );
}

#[test]
fn a_file_in_the_place_of_a_folder_is_wrong_usage() {
    let desk = desk();
    desk.write("f.md", "a file");
    for args in [
        "theme init f.md nav.html",
        "check site --state f.md",
        "readers site --state f.md",
        "new f.md",
    ] {
        let ran = desk.run(args);
        assert_eq!(ran.status, Some(2), "{args}: {}", ran.err);
        assert!(
            ran.err.contains("`f.md` is a file\n  hint: "),
            "{}",
            ran.err
        );
    }
    fs::create_dir(desk.path("site/diglot.toml")).unwrap();
    let ran = desk.run("check site --no-state");
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.out.contains("diglot.toml: error: "), "{}", ran.out);
}

#[test]
fn the_state_remembers_across_runs_and_no_state_leaves_nothing() {
    let desk = desk();
    let variable = |args: &str| {
        desk.command(args)
            .env("DIGLOT_STATE", desk.path("memory"))
            .status()
            .unwrap()
            .code()
    };
    assert_eq!(variable("check site --no-state"), Some(0));
    assert!(
        !desk.path("memory").exists() && !desk.path("home").exists(),
        "nothing is written without a state"
    );
    assert_eq!(variable("check site"), Some(0));
    assert!(desk.read("memory/dates.json").contains("articles/first.md"));
    assert_eq!(desk.run("check site").status, Some(0));
    assert!(
        desk.path("home/.local/state/diglot").is_dir(),
        "the user's state folder is the default"
    );
    desk.write("memory/dates.json", "{ broken");
    let mut command = desk.command("check site --state memory");
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert_eq!(said.matches("diglot: warning: `").count(), 1, "{said}");
    assert!(
        desk.read("memory/dates.json").contains("articles/first.md"),
        "it is written again"
    );
}

#[test]
fn the_state_remembers_the_history_until_there_is_another() {
    let desk = desk();
    let repository = Repository::init(&desk.path("site"));
    repository.commit(MORNING);
    let dated = |path: &str, state: &str| {
        let ran = desk.run(&format!(
            "build site --output public --base-url https://example.org {state}"
        ));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        desk.read(&format!("public/articles/{path}.md"))
            .contains("2024-06-07T08:09:10Z")
    };
    assert!(
        dated("first", "--state memory")
            && desk
                .read("memory/history.json")
                .contains("articles/first.md")
    );
    // A walk through the history would now find the newest commit, and nothing else.
    let head = fs::read_dir(desk.path("site/.git/refs/heads"))
        .unwrap()
        .map(|branch| fs::read_to_string(branch.unwrap().path()).unwrap())
        .collect::<String>();
    let newest = format!("{}/{}", &head[..2], head[2..].trim());
    fs::rename(desk.path("site/.git/objects"), desk.path("objects")).unwrap();
    fs::create_dir_all(desk.path(&format!("site/.git/objects/{}", &head[..2]))).unwrap();
    fs::copy(
        desk.path(&format!("objects/{newest}")),
        desk.path(&format!("site/.git/objects/{newest}")),
    )
    .unwrap();
    assert!(dated("first", "--state memory") && !dated("first", "--no-state"));
    fs::remove_dir_all(desk.path("site/.git/objects")).unwrap();
    fs::rename(desk.path("objects"), desk.path("site/.git/objects")).unwrap();
    desk.write(
        "site/articles/second.md",
        &ARTICLE.replace("First", "Second"),
    );
    repository.commit(MORNING);
    assert!(
        dated("second", "--state memory")
            && desk
                .read("memory/history.json")
                .contains("articles/second.md")
    );
    desk.write("memory/history.json", "{ broken");
    assert!(
        dated("second", "--state memory")
            && desk
                .read("memory/history.json")
                .contains("articles/second.md"),
        "it is written again"
    );
}

#[test]
#[cfg(unix)]
fn nothing_outside_the_folder_is_read() {
    let desk = desk();
    desk.write(
        "secret/canary.md",
        "---\ntitle: Canary\ndate: 2024-01-01\n---\n\ncanary-words\n",
    );
    std::os::unix::fs::symlink(
        "../../secret/canary.md",
        desk.path("site/articles/canary.md"),
    )
    .unwrap();
    std::os::unix::fs::symlink("../secret", desk.path("site/secret")).unwrap();
    let built = desk.run("build site --output public --base-url https://example.org");
    assert_eq!(built.status, Some(0), "{}", built.err);
    let leaking = |bytes: &Vec<u8>| {
        String::from_utf8_lossy(bytes)
            .to_lowercase()
            .contains("canary")
    };
    let leaks: Vec<String> = files(&desk.path("public"))
        .into_iter()
        .filter(|(path, bytes)| path.contains("canary") || leaking(bytes))
        .map(|(path, _)| path)
        .collect();
    assert!(leaks.is_empty(), "{leaks:?}");
    std::os::unix::fs::symlink("../secret/canary.md", desk.path("site/diglot.toml")).unwrap();
    let checked = desk.run("check site");
    assert_eq!(
        (
            checked.status,
            checked
                .out
                .contains("diglot.toml: error: the settings file is a symbolic link to a place outside the folder")
        ),
        (Some(1), true),
        "{}",
        checked.err
    );
}

#[test]
fn a_lock_dates_files_whose_times_a_checkout_has_changed() {
    let desk = Desk::with(&[(
        "site/articles/plain.md",
        "# Plain\n\nWords without a date.\n",
    )]);
    let file = std::fs::File::options()
        .write(true)
        .open(desk.path("site/articles/plain.md"))
        .unwrap();
    let day = |day: &str| {
        format!("{day}T00:00:00Z")
            .parse::<jiff::Timestamp>()
            .unwrap()
    };
    file.set_modified(day("2021-03-04").into()).unwrap();
    check(
        &desk,
        "lock site --no-state",
        0,
        str!["diglot: recorded the dates of 1 file in `diglot.lock`; commit it with your articles"],
    );
    file.set_modified(day("2026-01-01").into()).unwrap();
    assert_eq!(
        desk.run("build site --no-state --base-url https://example.org -o out")
            .status,
        Some(0)
    );
    assert!(
        desk.read("out/sitemap.xml").contains("2021-03-04"),
        "{}",
        desk.read("out/sitemap.xml")
    );
    assert!(!files(&desk.path("out")).contains_key("diglot.lock"));
    desk.write("site/articles/plain.md", "# Plain\n\nOther words.\n");
    assert!(
        desk.run("check site --no-state")
            .out
            .contains("diglot.lock: warning: it is out of date for 1 file")
    );
}

#[test]
fn an_old_address_takes_nothing_s_place() {
    let desk = desk();
    let bad = [
        "/_headers",
        "/.htaccess",
        "/_redirects/",
        "/.diglot",
        "/index.html/x",
        "/rss.xml/",
        "/articles/first.html/old",
        "/RSS.xml.gz",
    ];
    let aliases: String = bad.iter().map(|alias| format!("\n  - {alias}")).collect();
    desk.write(
        "site/articles/bad.md",
        &format!("---\ntitle: Bad\naliases:{aliases}\n  - /good/\n---\n\nWords.\n"),
    );
    desk.write("site/static/notes.txt", &"words ".repeat(400));
    desk.write("site/static/notes.txt.gz", "an author's own");
    let built = desk.run("build site --output public --base-url https://example.org --compress");
    assert_eq!(built.status, Some(0), "{}", built.err);
    let files = files(&desk.path("public"));
    for path in [
        "_headers",
        "_redirects",
        ".htaccess",
        ".diglot",
        "index.html",
        "rss.xml",
        "rss.xml.gz",
        "articles/first.html",
        "good/index.html",
    ] {
        assert!(files.contains_key(path), "{path}");
    }
    assert_eq!(files["notes.txt.gz"], b"an author's own");
    assert!(
        !files
            .keys()
            .any(|path| path.starts_with("_headers/") || path.starts_with("rss.xml/"))
    );
    let checked = desk.run("check site");
    assert_eq!(checked.status, Some(1), "{}", checked.err);
    for (alias, line) in bad.iter().zip(4..) {
        let place = format!(
            "articles/bad.md:{line}:5: error: the old address `{alias}` is not published: "
        );
        assert!(
            checked.err.contains(&place) || checked.out.contains(&place),
            "{place}\n{}{}",
            checked.out,
            checked.err
        );
    }
}
