//! Published addresses, current and former.

use super::*;

#[test]
fn contract_1_articles_pages_and_files() {
    check(
        &[
            ("index.md", "Home."),
            ("about.md", "About."),
            ("articles/One Two.md", "One."),
            ("articles/deep/index.md", "Deep."),
            ("articles/deep/a b.png", "x"),
            ("articles/p.md", "---\ntype: page\n---\nPage."),
            ("static/robots.txt", "x"),
            ("static/img/x.png", "x"),
            ("files/data.csv", "x"),
            ("diglot.toml", ""),
            ("build.py", "x"),
            ("package.json", "{}"),
        ],
        &[
            "/articles/One-Two: One.",
            "/articles/deep: Deep.",
            "/about: About.",
            "/index: Home.",
            "/p: Page.",
            "/articles/deep/a b.png",
            "/files/data.csv",
            "/img/x.png",
            "static/robots.txt: warning: set aside: `/robots.txt` is a document that Diglot writes itself | hint: rename the file",
        ],
    );
}

#[test]
fn contract_1_the_root_as_articles_folder() {
    check(
        &[
            ("index.md", "Home."),
            ("a.md", "A."),
            ("sub/about.md", "B."),
            ("README.md", "C."),
            ("LICENSE.md", "D."),
        ],
        &[
            "/articles/a: A.",
            "/articles/sub/about: B.",
            "/index: Home.",
        ],
    );
}

#[test]
fn rule_21_a_readme_that_is_the_only_text_is_the_home_page() {
    let readme = ("README.md", "Words.");
    let german = ("README-de.md", "Worte.");
    check(&[readme, ("LICENSE", "x")], &["/index: Words."]);
    check(
        &[readme, german, ("CONTRIBUTING.md", "x")],
        &["/de: Worte.", "/index: Words."],
    );
    check(&[readme, ("a.md", "A.")], &["/articles/a: A."]);
    let config = ("_config.yml", "title: T");
    check(&[readme, config], &[]);
    check(&[readme, ("content/a.smd", "x")], &[]);
    check(&[("sub/README.md", "Words.")], &[]);
}

#[test]
fn contract_1_two_sources_for_one_path() {
    check(
        &[
            ("articles/a b.md", "One."),
            ("articles/a-b.md", "Two."),
            ("404.md", "x"),
            ("articles/index.md", "List."),
            ("index.md", "Home."),
        ],
        &[
            "/articles/a-b: One.",
            "/404: x",
            "/index: Home.",
            "articles/a-b.md: set aside: `articles/a b.md` has the same address `/articles/a-b.html` | hint: rename one of the two or give it a `slug`",
            "articles/index.md: set aside: `/articles/index.html` is a page that Diglot writes itself | hint: rename the file or give it a `slug`",
        ],
    );
}

#[test]
fn rule_2_hostile_names_have_addresses() {
    let library = build(&[
        ("posts/[.md", "# A\n\nx"),
        ("posts/%.md", "x"),
        ("posts/..md", "# Dots\n\nx"),
        ("posts/c++.md", "x"),
        ("posts/日本 語.md", "x"),
        ("posts/ .md", "# Blank\n\nx"),
    ]);
    let stems: Vec<_> = library
        .articles
        .iter()
        .map(|article| &*article.stem)
        .collect();
    assert_eq!(
        stems,
        [
            "/articles/%",
            "/articles/-",
            "/articles/Dots",
            "/articles/[",
            "/articles/c++",
            "/articles/日本-語"
        ]
    );
    assert_eq!(library.problems.len(), 1, "{:?}", library.problems);
}

#[test]
fn rule_4_old_addresses_lead_to_articles() {
    let library = build(&[
        ("_config.yml", ""),
        (
            "_posts/2015-03-19-a.md",
            "---\npermalink: /:categories/:year/:title/\ncategories: x\nredirect_from: [/old, /b]\n---\nx",
        ),
        ("sub/b.md", "---\nredirect_to: https://example.net/\n---\n"),
        (
            "_posts/2015-03-20-c.md",
            "---\nredirect_from: /old/\n---\nx [a](/2015/03/19/a.html)",
        ),
    ]);
    let shown: Vec<_> = library
        .redirects
        .iter()
        .map(|(old, new)| format!("{old} {new}"))
        .collect();
    assert_eq!(
        shown,
        [
            "/2015/03/19/a.html /articles/2015-03-19-a",
            "/2015/03/19/a/ /articles/2015-03-19-a",
            "/2015/03/20/c.html /articles/2015-03-20-c",
            "/b /articles/2015-03-19-a",
            "/old /articles/2015-03-19-a",
            "/sub/b https://example.net/",
            "/sub/b.html https://example.net/",
            "/x/2015/a/ /articles/2015-03-19-a",
        ]
    );
    assert_eq!(
        library.problems[0].to_string(),
        "_posts/2015-03-20-c.md:2:16: warning: the old address `/old/` leads to `_posts/2015-03-19-a.md` already"
    );
}

#[test]
fn rule_4_what_is_no_address_is_told_with_its_place() {
    let library = build(&[
        (
            "articles/a.md",
            "---\naliases:\n  - \"/x\\nRedirectMatch . https://evil.example/\"\n  - /a/../b\n  - /%ff\n  - /about/\n---\nA.",
        ),
        (
            "articles/b.md",
            "---\nredirect_to: \"https://ok.example/\\n/* https://evil.example/:splat 301!\"\n---\n",
        ),
        (
            "articles/c.md",
            "---\nredirect_to: javascript:alert(1)\n---\n",
        ),
        ("articles/d.md", "---\nredirect_to: /about\n---\n"),
        ("about.md", "About."),
    ]);
    let shown: Vec<_> = library
        .redirects
        .iter()
        .map(|(old, new)| format!("{old} {new} {}", new.place.as_ref().unwrap()))
        .collect();
    assert_eq!(
        shown,
        [
            "/articles/d /about articles/d.md:2:14",
            "/articles/d.html /about articles/d.md:2:14"
        ]
    );
    let problems: Vec<_> = library
        .problems
        .iter()
        .map(ToString::to_string)
        .filter(|problem| !problem.contains("the file's time"))
        .collect();
    let hint = "\n  hint: write a plain path such as `/2019/first/`, or a URL without it";
    let redirect = "\n  hint: a redirect leads to an `https://` or `http://` URL, or to a path such as `/about.html`";
    assert_eq!(
        problems,
        [
            format!(
                "articles/a.md:3:5: the old address `/x\\nRedirectMatch . https://evil.example/` is not published: it holds the control character `\\n`{hint}"
            ),
            format!("articles/a.md:4:5: the old address `/a/../b` is not published: it has a part `.` or `..`{hint}"),
            "articles/a.md:5:5: the old address `/%ff` is not published: its escapes are not UTF-8\n  hint: write the address as plain text, without `%`"
                .to_owned(),
            "articles/a.md:6:5: the old address `/about/` is not published: it is the address of `about.md`\n  hint: remove it, or give one of the two another address"
                .to_owned(),
            format!(
                "articles/b.md:2:14: set aside: `redirect_to` is not a usable address: it holds the control character `\\n`: `https://ok.example/\\n/* https://evil.example/:splat 301!`{hint}"
            ),
            format!("articles/c.md:2:14: set aside: `redirect_to` is not a usable address: its scheme is `javascript`: `javascript:alert(1)`{redirect}"),
        ]
    );
    assert_eq!(library.report.set_aside.len(), 2);
}

#[test]
fn rule_4_a_list_of_another_generator_is_that_of_diglot() {
    let library = build(&[
        ("articles/a.md", "---\npermalink: /index.html\n---\nA."),
        ("articles/b.md", "---\naliases: [/index.html]\n---\nB."),
        ("articles/c.md", "---\npermalink: /articles/\n---\nC."),
    ]);
    let shown: Vec<_> = library
        .redirects
        .iter()
        .map(|(old, new)| format!("{old} {new}"))
        .collect();
    assert_eq!(
        shown,
        ["/index.html /articles/b"],
        "the edition says that it is taken"
    );
}

/// The former addresses of a folder and their targets.
fn old(files: &[(&str, &str)]) -> Vec<String> {
    former(&build(files))
}

#[test]
fn rule_4_addresses_of_other_generators_keep_working() {
    let check = |files: &[(&str, &str)], expected: &[&str]| assert_eq!(old(files), expected);
    check(
        &[
            ("_config.yml", "permalink: /:year/:month/:title/\n"),
            ("_posts/2020-01-02-a-b.md", "A."),
        ],
        &[
            "/2020/01/02/a-b.html /articles/2020-01-02-a-b",
            "/2020/01/02/a-b/ /articles/2020-01-02-a-b",
            "/2020/01/a-b/ /articles/2020-01-02-a-b",
        ],
    );
    check(
        &[
            ("hugo.toml", "[permalinks]\nposts = '/:year/:slug/'\n"),
            (
                "content/posts/x.md",
                "---\ndate: 2020-01-02\ntitle: My Words\n---\nA.",
            ),
        ],
        &["/2020/my-words/ /articles/x", "/posts/x /articles/x"],
    );
    check(
        &[
            ("hugo.toml", ""),
            ("content/blog/x/index.md", "A."),
            ("content/y.md", "---\nurl: /z/\n---\nB."),
        ],
        &["/blog/x/ /articles/blog/x", "/z/ /articles/y"],
    );
    check(
        &[
            ("_config.yml", ""),
            ("source/_posts/hello.md", "---\ndate: 2020-01-02\n---\nA."),
        ],
        &["/2020/01/02/hello/ /articles/hello"],
    );
    check(
        &[
            ("book.toml", ""),
            ("src/SUMMARY.md", "- [A](a.md)"),
            ("src/a.md", "A."),
        ],
        &["/a.html /articles/a"],
    );
    check(
        &[("a.md", "A."), ("b.md", "---\naliases: [/old/]\n---\nB.")],
        &["/a /articles/a", "/b /articles/b", "/old/ /articles/b"],
    );
}

#[test]
fn rule_4_placeholders_of_permalinks_are_filled() {
    let check = |pattern: &str, expected: &[&str]| {
        let text = format!("---\ntitle: A Title\ncategories: [B]\npermalink: {pattern}\n---\nx");
        let library = build(&[("a/_posts/2015-03-09-x.md", &text)]);
        let addresses: Vec<&str> = library
            .redirects
            .keys()
            .map(|address| address.as_str())
            .collect();
        assert_eq!(addresses, expected, "{pattern}");
    };
    check(
        "/:year/:short_year/:month/:i_month/:day/:i_day/",
        &["/2015/15/03/3/09/9/"],
    );
    check("/:short_month/:long_month/:name/", &["/Mar/March/x/"]);
    check("/:categories/:slug:output_ext", &["/a/b/x.html"]);
    check("/:category/:filename/", &["/a/2015-03-09-x/"]);
    check("/:section/:sections/:title/", &["/a/a/x/"]);
    check("pretty", &["/a/b/2015/03/09/x/"]);
    check("/:year/:unknown/", &[]);
}

#[test]
fn configuration_says_what_belongs_to_the_site() {
    check(
        &[
            (
                "_config.yml",
                "exclude: [old]\ncollections: {docs: {output: true}}\ndefaults: [{scope: {path: _posts}, values: {published: false}}]",
            ),
            ("_docs/a.md", "A."),
            ("_other/a.md", "CANARY"),
            ("_posts/2020-01-01-b.md", "CANARY"),
            ("_posts/2020-01-01-c.md", "---\npublished: true\n---\nC."),
            ("old/x.md", "CANARY"),
        ],
        &["/articles/2020-01-01-c: C.", "/docs/a: A."],
    );
}

#[test]
fn rule_21_what_is_no_article_is_said() {
    let library = build(&[
        ("posts/a.md", "x"),
        ("posts/b.md", "---\ndraft: true\n---\nx"),
        (
            "posts/c.md",
            "---\ntitle: x\n---\n<!-- only a comment -->\n",
        ),
        ("posts/_index.md", "---\ntitle: x\n---\n"),
        ("posts/_partial.md", "x"),
        ("_drafts/d.md", "x"),
        ("_includes/e.html", "<p>x</p>"),
        ("posts/CONTRIBUTING.md", "x"),
        ("posts/x.rst", "x"),
        ("layouts/f.html", "<p>{{ x }}</p>"),
        ("posts/g.md", "---\nexpires: 2024-01-01\n---\nx"),
        ("posts/h.md", "---\ndate: 2024-07-01\n---\n[d](b.md)"),
        ("posts/i.md", "[d](b.md) [h](h.md)"),
    ]);
    let skipped: Vec<_> = library
        .report
        .skipped
        .iter()
        .map(|(reason, files)| format!("{reason}: {}", files.join(" ")))
        .collect();
    assert_eq!(
        skipped,
        [
            "README, LICENSE and the like: posts/CONTRIBUTING.md",
            "a text in a format that is not read: `.rst`: posts/x.rst",
            "another file is the home page: posts/_index.md",
            "draft: _drafts/d.md posts/b.md",
            "empty body: posts/c.md",
            "expired: posts/g.md",
            "in a folder whose name begins with `_`: _includes/e.html",
            "partial: its name begins with `_`: posts/_partial.md",
            "scheduled for later: posts/h.md",
            "template or partial: layouts/f.html",
        ]
    );
    assert_eq!(library.expired.iter().collect::<Vec<_>>(), ["/articles/g"]);
    assert_eq!(
        library.next_change,
        Some("2024-07-01T00:00:00Z".parse().unwrap())
    );
    assert_eq!(library.problems.len(), 2, "{:?}", library.problems);
    assert!(library.articles.iter().all(|article| {
        article
            .targets
            .iter()
            .all(|target| *target == Target::Unresolved)
    }));
}
