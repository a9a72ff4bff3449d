//! `diglot theme`, and themes that have a mistake.

use crate::cli::Desk;
use crate::cli::live::Served;

fn run(desk: &Desk, args: &str) -> (i32, String, String) {
    let output = desk.command(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

const ARTICLE: (&str, &str) = ("site/articles/a.md", "---\ntitle: A\n---\nWords.\n");

#[test]
fn a_built_in_file_is_printed_and_copied_and_used() {
    let desk = Desk::with(&[ARTICLE, ("site/diglot.toml", "theme = 'look'\n")]);
    let (code, names, _) = run(&desk, "theme list");
    assert!(
        code == 0 && names.lines().any(|name| name == "nav.html"),
        "{names}"
    );
    let (code, text, _) = run(&desk, "theme show nav.html");
    assert!(code == 0 && text.contains("<nav"), "{text}");
    let (code, said, _) = run(&desk, "theme init site/look nav.html");
    assert_eq!((code, said.as_str()), (0, "site/look/nav.html\n"));
    let copy = std::fs::read_to_string(desk.path("site/look/nav.html")).unwrap();
    assert_eq!(copy.trim_end(), text.trim_end());
    let (code, ..) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 0);
    // What exists stays.
    let (code, _, said) = run(&desk, "theme init site/look nav.html");
    assert!(
        code == 2 && said.contains("`site/look/nav.html` already exists"),
        "{said}"
    );
    let (code, _, said) = run(&desk, "theme show nav.htm");
    assert!(
        code == 2 && said.contains("did you mean `nav.html`?"),
        "{said}"
    );
}

#[test]
fn the_whole_built_in_theme_copied_makes_the_same_pages() {
    let desk = Desk::with(&[ARTICLE]);
    let build = "build site --no-state --base-url https://example.org";
    assert_eq!(run(&desk, &format!("{build} -o one")).0, 0);
    assert_eq!(run(&desk, "theme init site/look").0, 0);
    desk.write("site/diglot.toml", "theme = 'look'\n");
    assert_eq!(run(&desk, &format!("{build} -o two")).0, 0);
    // Built-in style sheets are published smaller than they were written, under other names.
    let is_digit = |c: char| c.is_ascii_hexdigit();
    let page = |folder: &str| {
        let page = desk.read(&format!("{folder}/articles/a.html"));
        let parts = page
            .split(".css")
            .map(|part| part.trim_end_matches(is_digit));
        parts.collect::<Vec<_>>().join(".css")
    };
    assert_eq!(page("one"), page("two"));
}

#[test]
fn a_missing_theme_folder_is_an_error() {
    let desk = Desk::with(&[
        ARTICLE,
        ("site/diglot.toml", "# A theme.\ntheme = 'look'\n"),
    ]);
    let (code, _, said) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("diglot.toml:2:") && said.contains("the folder `look` does not exist"),
        "{said}"
    );
}

#[test]
fn an_undefined_value_in_a_template_says_what_was_meant() {
    let desk = Desk::with(&[
        ARTICLE,
        ("site/diglot.toml", "theme = 'look'\n"),
        ("site/look/article.html", "<h1>{{ page.titel }}</h1>"),
    ]);
    let (code, _, said) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("look/article.html:1: ") && said.contains("did you mean `page.title`?"),
        "{said}"
    );
}

/// A section of docs/themes.md, and the files that it shows: each block belongs to the file that the
/// text before it names last.
fn example(heading: &str) -> (String, Vec<(String, String)>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/themes.md");
    let docs = std::fs::read_to_string(path).unwrap();
    let section = docs.split(&format!("### {heading}\n")).nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let section = section.split("\n### ").next().unwrap().to_owned();
    let mut files = Vec::new();
    let mut words = String::new();
    for (at, part) in section.split("```").enumerate() {
        if at % 2 == 0 {
            words = part.to_owned();
            continue;
        }
        let named = words.split('`').skip(1).step_by(2);
        let file = named.filter(|word| word.contains('.') && !word.contains(' '));
        let (_, text) = part.split_once('\n').unwrap();
        files.push((format!("site/{}", file.last().unwrap()), text.to_owned()));
    }
    (section, files)
}

/// A desk with an example of the docs, built to `out`.
fn built(heading: &str, more: &[(&str, &str)]) -> Desk {
    let (section, files) = example(heading);
    let desk = Desk::with(&[ARTICLE]);
    for (path, text) in &files {
        desk.write(path, text);
    }
    for (path, text) in more {
        let path = path.strip_prefix("site/").unwrap();
        assert!(section.contains(path) || path == "about.md", "{path}");
        desk.write(&format!("site/{path}"), text);
    }
    let (code, _, said) = run(&desk, "build site -o out --base-url https://example.org");
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("diglot.toml"), "{said}");
    desk
}

/// What is between two texts, both without them.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text
        .split_once(before)
        .unwrap_or_else(|| panic!("{before}: {text}"));
    rest.split_once(after).unwrap().0
}

const LOGO: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 10'/>";

#[test]
fn docs_a_link_in_the_header_and_a_logo() {
    let desk = built(
        "A link in the header and a logo",
        &[("site/logo.svg", LOGO)],
    );
    let page = desk.read("out/articles/a.html");
    let nav = between(&page, "<nav class=\"site\"", "</nav>");
    let links: Vec<&str> = nav.split("href=\"").skip(1).collect();
    let first = [
        "/about.html\">About<",
        "https://forge.example/me/garden\">Code<",
    ];
    assert!(
        links
            .iter()
            .zip(first)
            .all(|(link, first)| link.starts_with(first)),
        "{nav}"
    );
    let logo = between(&page, "<img src=\"/_/logo.", ">");
    assert!(
        logo.contains(".svg\" alt=\"\" width=\"20\" height=\"10\""),
        "{logo}"
    );
    assert!(page.contains("<span>Garden</span>"), "{page}");
}

#[test]
fn docs_a_colour_and_a_font() {
    let desk = built(
        "A colour and a font",
        &[("site/theme/reading.woff2", "font")],
    );
    let page = desk.read("out/articles/a.html");
    let (main, rest) = page.split_once("/_/main.").unwrap();
    assert!(
        !main.contains("/_/custom.") && rest.contains("/_/custom."),
        "{page}"
    );
    let main = desk.read(&format!("out/_/main.{}", between(&page, "/_/main.", "\"")));
    assert!(
        main.contains("@media screen{:root{--accent:#1f5f8b}}"),
        "{main}"
    );
    assert!(
        main.contains("(prefers-color-scheme:dark){:root{--accent:#"),
        "{main}"
    );
    let custom = desk.read(&format!(
        "out/_/custom.{}",
        between(&page, "/_/custom.", "\"")
    ));
    let font = between(&custom, "src: url(\"", "\")");
    assert!(font.starts_with("reading.") && font.len() > 25, "{custom}");
    assert_eq!(desk.read(&format!("out/_/{font}")), "font");
}

#[test]
fn docs_a_page_template() {
    let desk = built(
        "A page template",
        &[("site/about.md", "# About\n\nWords.\n")],
    );
    let page = desk.read("out/about.html");
    assert!(
        page.contains("<li><a href=\"/about.html\">About</a></li>"),
        "{page}"
    );
    assert!(
        !page.contains("class=\"meta\"") && page.contains("<p>Words.</p>"),
        "{page}"
    );
    let article = desk.read("out/articles/a.html");
    assert!(article.contains("class=\"meta\""), "{article}");
}

/// A site with all settings of what is around a text.
fn framed() -> Desk {
    let settings = r##"title = "Garden"
logo = { src = "/logo.svg", dark = "img/night.svg", alt = "The \"Garden\"" }
favicon = "img/x.ico"
accent = { light = "#ff9900", dark = "#fa0" }
[nav]
links = [
  "about.md",
  { title = "More <b>", items = ["/terms.html", { title = "Seeds", link = "https://seeds.example/?a=1&b=2" }] },
  { title = "Gone", link = "abuot.md" },
  { title = "Bad", link = "javascript:alert(1)" },
  { title = "Draft", items = ["draft.md"] },
  "/articles/",
]
[footer]
text = "© *A. Gardener* <script>x</script> [about](about.md#who)"
links = [{ title = "About us", link = "https://example.org/about" }, "search.html"]
"##;
    Desk::with(&[
        ARTICLE,
        ("site/diglot.toml", settings),
        ("site/about.md", "# About\n\n## Who\n\nWords.\n"),
        ("site/about.de.md", "# Über uns\n\nWorte.\n"),
        ("site/draft.md", "---\ndraft: true\n---\n# Draft\n"),
        ("site/img/night.svg", LOGO),
        ("site/logo.svg", LOGO),
        (
            "site/img/x.ico",
            "\0\0\u{1}\0\u{2}\0\u{10}\u{10}______________\0\0______________",
        ),
    ])
}

#[test]
fn header_footer_logo_and_icon_are_settings() {
    let desk = framed();
    let (_, _, said) = run(&desk, "build site -o out --base-url https://example.org");
    let page = desk.read("out/articles/a.html");
    let nav = between(&page, "<nav class=\"site\"", "</nav>");
    let links: Vec<&str> = nav
        .split("href=\"")
        .skip(1)
        .map(|link| link.split("</a>").next().unwrap())
        .collect();
    let expected = [
        "/about.html\">About",
        "/terms.html\">Terms",
        "https://seeds.example/?a=1&amp;b=2\">Seeds",
        "/articles/index.html\">Articles",
        "/search.html\" rel=\"search\">Search",
    ];
    assert_eq!(links, expected);
    assert!(nav.contains("<summary>More &lt;b&gt;</summary>"), "{nav}");
    assert!(
        !page.contains(">Draft<") && !page.contains("alert"),
        "{page}"
    );
    assert!(page.contains("alt=\"The &quot;Garden&quot;\""), "{page}");
    assert!(
        page.contains("<source media=\"(prefers-color-scheme: dark)\""),
        "{page}"
    );
    assert!(
        page.contains("type=\"image/vnd.microsoft.icon\" sizes=\"16x16 256x256\""),
        "{page}"
    );
    assert_eq!(desk.read("out/favicon.ico"), desk.read("site/img/x.ico"));
    let foot = between(&page, "<footer class=\"foot\">", "</footer>");
    assert!(
        foot.contains("<p>© <em>A. Gardener</em>") && !foot.contains("<script"),
        "{foot}"
    );
    assert!(
        foot.contains("<a href=\"/about.html#who\">about</a></p>"),
        "{foot}"
    );
    assert!(
        foot.contains("<a href=\"/about.html\">About us</a>"),
        "{foot}"
    );
    // The other language has its own text, by its own title.
    let german = desk.read("out/about.de.html");
    let nav = between(&german, "<nav class=\"site\"", "</nav>");
    assert!(
        nav.contains("<a href=\"/about.de.html\">Über uns</a>"),
        "{nav}"
    );
    for problem in [
        "diglot.toml:4:20: warning: `accent.light` is hard to read: `#ff9900`",
        "diglot.toml:9:28: warning: broken link: `abuot.md`",
        "did you mean `about.md`?",
        "diglot.toml:10:27: warning: the link `javascript:alert(1)` is removed",
        "diglot.toml:11:31: warning: the link leads to `draft.md`, which is not published: draft",
    ] {
        assert!(said.contains(problem), "{problem}: {said}");
    }
}

#[test]
fn the_twin_of_the_home_page_has_the_links_of_header_and_footer() {
    let desk = framed();
    run(&desk, "build site -o out --base-url https://example.org");
    let twin = desk.read("out/index.md");
    let (_, tail) = twin.split_once("## Sitemap\n").unwrap();
    assert_eq!(
        tail,
        "\n- [All pages](https://example.org/sitemap.md)\n- [Index of the content](https://example.org/llms.txt)\n\
         - [About](https://example.org/about.md)\n- More &lt;b>\n  - [Terms](https://example.org/terms.md)\n  \
         - [Seeds](https://seeds.example/?a=1&b=2)\n- [Articles](https://example.org/articles/index.md)\n\
         - [Search](https://example.org/search.md)\n\n© *A. Gardener* [about](https://example.org/about.md#who)\n"
    );
    let other = desk.read("out/about.md");
    assert!(!other.contains("seeds.example"), "{other}");
}

#[test]
fn a_changed_logo_has_another_name_on_every_page() {
    let desk = framed();
    let build = "build site -o out --base-url https://example.org";
    let logo = |desk: &Desk| {
        run(desk, build);
        between(&desk.read("out/about.html"), "<img src=\"", "\"").to_owned()
    };
    let before = logo(&desk);
    desk.write("site/logo.svg", &LOGO.replace("20", "30"));
    let after = logo(&desk);
    assert_ne!(before, after);
    assert!(desk.path(&format!("out{after}")).exists());
}

#[test]
fn what_is_wrong_with_a_header_is_said_with_its_place() {
    let desk = Desk::with(&[ARTICLE]);
    for (settings, expected) in [
        (
            "[nav]\nlinks = 'a'",
            "diglot.toml:2:9: error: `nav.links` must be a list",
        ),
        (
            "[nav]\nlinsk = []",
            "`nav.linsk` is not a known key\n  hint: did you mean `nav.links`?",
        ),
        (
            "[nav]\nlinks = ['https://x.example']",
            "diglot.toml:2:10: error: the link `https://x.example` of `nav.links` has no title",
        ),
        (
            "[nav]\nlinks = [{ title = 'A' }]",
            "an item of `nav.links` is neither a link nor a group",
        ),
        (
            "[nav]\nlinks = [{ titel = 'A', link = 'a' }]",
            "did you mean `title`?",
        ),
        (
            "[footer]\nlinks = [{ title = 'A', items = [] }]",
            "diglot.toml:2:25: error: `items` is not a known key of `footer.links`",
        ),
        (
            "[footer]\ntext = \"\"\"a\n\n- b\"\"\"",
            "diglot.toml:2:8: error: `footer.text` is more than one paragraph",
        ),
        (
            "accent = 'red'",
            "diglot.toml:1:10: error: `accent` is not a colour: `red`",
        ),
        ("logo = { alt = 'x' }", "`logo` has no `src`"),
        ("logo = 3", "`logo` must be text"),
    ] {
        desk.write("site/diglot.toml", settings);
        let (code, out, err) = run(&desk, "check site");
        let said = out + &err;
        assert!(code == 1 && said.contains(expected), "{settings}: {said}");
    }
    let many = "'/articles/', ".repeat(61);
    desk.write("site/diglot.toml", &format!("[nav]\nlinks = [{many}]"));
    let (code, out, err) = run(&desk, "check site");
    let said = out + &err;
    assert!(
        code == 1 && said.contains("has 61 links, at most 60 are shown"),
        "{said}"
    );
    for (settings, expected) in [
        (
            "logo = 'lgoo.svg'",
            "`logo` names a file that does not exist: `lgoo.svg`\n  hint: did you mean `logo.svg`?",
        ),
        (
            "favicon = 'articles/a.md'",
            "the file `articles/a.md`, which `favicon` names, is not a picture",
        ),
    ] {
        desk.write("site/logo.svg", LOGO);
        desk.write("site/diglot.toml", settings);
        let (_, out, err) = run(&desk, "check site");
        let said = out + &err;
        assert!(said.contains(expected), "{settings}: {said}");
    }
}

#[test]
fn a_theme_folder_that_goes_away_leaves_the_last_good_edition() {
    let desk = Desk::with(&[
        ARTICLE,
        ("site/diglot.toml", "theme = 'look'\n"),
        ("site/look/foot.html", "<p>My own footer</p>"),
    ]);
    let served = Served::start(&desk, "--no-state");
    served.wait_for_answer("/articles/a.html", "My own footer");
    std::fs::rename(desk.path("site/look"), desk.path("elsewhere")).unwrap();
    served.wait_for("the folder `look` does not exist, or has no files");
    assert!(served.get("/articles/a.html").contains("My own footer"));
    std::fs::rename(desk.path("elsewhere"), desk.path("site/look")).unwrap();
    desk.write("site/look/foot.html", "<p>It is back</p>");
    served.wait_for_answer("/articles/a.html", "It is back");
}
