use super::*;

mod contrast;

fn file(path: &str, text: &str) -> ThemeFile {
    ThemeFile {
        path: path.into(),
        bytes: Bytes::copy_from_slice(text.as_bytes()),
    }
}

/// The problems of a theme folder as printed.
fn problems(files: &[ThemeFile]) -> Vec<String> {
    Theme::new(files)
        .err()
        .unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn render(source: &str, context: Value) -> Result<String, String> {
    let theme = Theme::new(&[file("test.html", source)]).unwrap();
    theme
        .render("test.html", context, Some("my-theme"))
        .map_err(|problem| problem.to_string())
}

#[test]
fn the_built_in_theme_compiles() {
    let theme = Theme::new(&[]).unwrap();
    let names: Vec<&str> = theme
        .assets()
        .iter()
        .map(|asset| asset.source.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "byline.css",
            "callout.css",
            "code.css",
            "contents.css",
            "cover.css",
            "feed.css",
            "figure.css",
            "frame.css",
            "guide.css",
            "icon.svg",
            "list.css",
            "main.css",
            "marks.css",
            "math.css",
            "notes.css",
            "outline.css",
            "quote.css",
            "scripts.css",
            "search.css",
            "search.js",
            "signs.css",
            "table.css",
            "tags.css"
        ]
    );
}

#[test]
fn assets_have_content_hashed_names() {
    let first = Theme::new(&[]).unwrap();
    let style = |theme: &Theme| {
        theme
            .assets()
            .iter()
            .find(|asset| asset.source == "main.css")
            .unwrap()
            .name
            .clone()
    };
    let name = style(&first);
    let hash = name
        .strip_prefix("main.")
        .and_then(|rest| rest.strip_suffix(".css"))
        .unwrap();
    assert!(
        hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{name}"
    );
    let other = Theme::new(&[file("main.css", "body{}")]).unwrap();
    assert_ne!(name, style(&other), "other bytes, another name");
    assert_eq!(other.assets().len(), 23, "an override replaces");
}

#[test]
fn files_keep_their_folder_and_style_sheets_find_them() {
    let theme = Theme::new(&[
        file("fonts/text.woff2", "font"),
        file(
            "css/more.css",
            "a{src:url(../x.png)}b{src:url('pic.png')}c{src:url(data:x)}d{src:url(",
        ),
        file("css/pic.png", "png"),
        file(".DS_Store", "x"),
    ])
    .unwrap();
    let asset = |source: &str| {
        theme
            .assets()
            .iter()
            .find(|asset| asset.source == source)
            .unwrap()
    };
    assert!(
        asset("fonts/text.woff2").name.starts_with("fonts/text.")
            && asset("fonts/text.woff2").name.ends_with(".woff2")
    );
    let sheet = std::str::from_utf8(&asset("css/more.css").bytes).unwrap();
    let expected = format!(
        "a{{src:url(../x.png)}}b{{src:url(\"../{}\")}}c{{src:url(data:x)}}d{{src:url(",
        asset("css/pic.png").name
    );
    assert_eq!(sheet, expected);
    assert!(
        !theme
            .assets()
            .iter()
            .any(|asset| asset.source.contains("DS_Store"))
    );
}

#[test]
fn one_template_is_overridden_and_the_others_stay() {
    let theme = Theme::new(&[file("api.md", "Mine: {{ site.title }}.")]).unwrap();
    let context = minijinja::context! { site => minijinja::context! { title => "a*b" } };
    assert_eq!(
        theme.render("api.md", context, None).unwrap(),
        "Mine: a\\*b."
    );
}

#[test]
fn a_template_that_does_not_compile_is_named_with_its_line() {
    let found = problems(&[
        file("article.html", "line one\n{% if %}\n"),
        file("page.html", "{{ x"),
        file("bad.html", ""),
    ]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("article.html:2: syntax error in template: "),
        "{}",
        found[0]
    );
    assert!(
        found[1].starts_with("page.html:1: syntax error in template: "),
        "{}",
        found[1]
    );
}

#[test]
fn a_block_that_overrides_none_is_a_problem_with_its_line_and_a_hint() {
    let check = |files: &[ThemeFile], expected: &[&str]| {
        let found: Vec<String> = problems(files)
            .iter()
            .map(|problem| problem.replace("\n  hint: ", " | "))
            .collect();
        assert_eq!(found, expected);
    };
    let none = "the template overrides a block that does not exist:";
    check(
        &[file(
            "article.html",
            "{% extends 'base.html' %}\n{% block artcle %}{% endblock %}",
        )],
        &[&format!(
            "article.html:2: {none} `artcle` | did you mean `article`?"
        )],
    );
    check(
        &[file(
            "page.html",
            "{% extends 'article.html' %}{% block contnet %}{% block x %}{% endblock %}{% endblock %}",
        )],
        &[&format!(
            "page.html:1: {none} `contnet` | the blocks of what it extends are `after`, `article`, `machines`"
        )],
    );
    // What an ancestor has at any depth may be overridden; a block inside a known one is shown.
    check(
        &[
            file(
                "base.html",
                "{% block article %}{% block inner %}{% endblock %}{% endblock %}",
            ),
            file(
                "mine.html",
                "{% extends 'base.html' %}{% block article %}{% block own %}{% endblock %}{% endblock %}",
            ),
            file(
                "page.html",
                "{% extends 'mine.html' %}{% block inner %}{% endblock %}{% block own %}{% endblock %}",
            ),
            file(
                "list.html",
                "{% extends layout %}{% block any %}{% endblock %}",
            ),
            file("home.html", "{% block any %}{% endblock %}"),
            file(
                "turn.html",
                "{% extends 'turn.html' %}{% block any %}{% endblock %}",
            ),
        ],
        &[],
    );
    // An unchanged copy of a built-in template may have a block that the own frame leaves out.
    let article = built_in()["article.html"];
    check(
        &[
            file("base.html", "{% block article %}{% endblock %}"),
            file("article.html", article),
        ],
        &[],
    );
}

#[test]
fn a_template_that_is_not_utf8_is_named_with_its_line() {
    let bytes = Bytes::from_static(b"a\nb\xff");
    assert_eq!(
        problems(&[ThemeFile {
            path: "page.html".into(),
            bytes
        }]),
        ["page.html:2: this template is not UTF-8"]
    );
}

#[test]
fn a_misspelt_value_is_a_problem_in_the_theme_folder() {
    let error = render(
        "\n\n{{ page.titel }}",
        minijinja::context! { page => minijinja::context! { title => "x" } },
    )
    .unwrap_err();
    assert!(
        error.starts_with("my-theme/test.html:3: the template uses a value that does not exist"),
        "{error}"
    );
}

#[test]
fn a_missing_include_is_a_problem() {
    let error = render("{% include 'nowhere.html' %}", Value::default()).unwrap_err();
    assert!(
        error
            .starts_with("my-theme/test.html:1: the template names a template that does not exist"),
        "{error}"
    );
}

#[test]
fn text_is_escaped_and_markup_is_not() {
    let context = minijinja::context! { text => "<a href='/x'>\"&\"</a>", markup => safe("<b>"), none => (), number => 3 };
    let written = render("{{ text }}{{ markup }}{{ none }}{{ number }}", context).unwrap();
    assert_eq!(
        written,
        "&lt;a href=&#39;/x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;<b>3"
    );
}

#[test]
fn endless_recursion_ends_in_a_problem() {
    let error = render("{% include 'test.html' %}", Value::default()).unwrap_err();
    assert!(error.contains("test.html:1: "), "{error}");
}

#[test]
fn a_part_that_is_the_same_on_every_page_is_rendered_once_from_site_and_words_alone() {
    let parts = [
        file("test.html", "{{ once('part.html') }}|{{ page }}"),
        file("part.html", "{{ words.home }} & <b>{{ site.title }}</b>\n"),
        file("own.html", "{{ once('page.html') }}"),
        file("page.html", "\n{{ page }}"),
    ];
    let theme = Theme::new(&parts).unwrap();
    let given =
        |title: &str, home: &str| (minijinja::context! { title }, minijinja::context! { home });
    let ((site, words), (_, other)) = (given("A<B", "Home"), given("", "Start"));
    let once = |words: &Value| Value::from_object(Once::new(site.clone(), words.clone()));
    let (english, german) = (once(&words), once(&other));
    let written = |once: &Value, page: &str| {
        theme
            .render("test.html", minijinja::context! { once, page }, None)
            .unwrap()
    };
    assert_eq!(written(&english, "1"), "Home & <b>A&lt;B</b>|1");
    assert_eq!(written(&german, "2"), "Start & <b>A&lt;B</b>|2");
    assert_eq!(written(&english, "3"), "Home & <b>A&lt;B</b>|3");
    // A shared part that used `page` would show the first page's values on all pages.
    let error = theme
        .render(
            "own.html",
            minijinja::context! { once => english, page => "1" },
            Some("my-theme"),
        )
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("my-theme/page.html:2: the template uses a value that does not exist"),
        "{error}"
    );
}

#[test]
fn the_style_sheet_is_small_and_asks_no_other_host() {
    let [main, frame, guide] = [FILES[0].1, FILES[1].1, FILES[2].1];
    assert!(main.len() < 16_000, "{} bytes", main.len());
    assert!(frame.len() < 3_500, "{} bytes", frame.len());
    assert!(guide.len() < 4_500, "{} bytes", guide.len());
    let style = [main, frame, guide].concat();
    assert!(
        !style.contains("http") || !style.contains("url("),
        "no request to another host"
    );
    for physical in [
        "margin-left",
        "margin-right",
        "padding-left",
        "padding-right",
        "float:left",
        "float:right",
        "border-left",
        "border-right",
    ] {
        assert!(!style.contains(physical), "`{physical}` is not logical");
    }
}

#[test]
fn an_undefined_value_says_what_was_meant() {
    let check = |source: &str, expected: &str| {
        let page = minijinja::context! {
            title => "T", description => "D", date => (),
            groups => vec![minijinja::context! { entries => vec![minijinja::context! { url => "u", summary => "s" }] }],
        };
        let assets = BTreeMap::from([("main.css", "/_/main.css")]);
        let context =
            minijinja::context! { page, site => minijinja::context! { title => "S", assets } };
        let theme = Theme::new(&[file("test.html", source)]).unwrap();
        let problem = theme.render("test.html", context, Some("t")).unwrap_err();
        assert_eq!(
            problem.to_string().replace("\n  hint: ", " | "),
            expected,
            "{source}"
        );
    };
    let undefined = "the template uses a value that does not exist:";
    check(
        "x\n{{ page.titel }}",
        &format!("t/test.html:2: {undefined} `page.titel` | did you mean `page.title`?"),
    );
    check(
        "{% for link in page.groups[0].entries %}{{ link.sumary|upper }}{% endfor %}",
        &format!("t/test.html:1: {undefined} `link.sumary` | did you mean `link.summary`?"),
    );
    check(
        "{{ pages.title }}",
        &format!("t/test.html:1: {undefined} `pages.title` | did you mean `page.title`?"),
    );
    check(
        "{{ zzzzqq }}",
        &format!(
            "t/test.html:1: {undefined} `zzzzqq` | docs/themes.md lists the values that templates have"
        ),
    );
    for (source, name, hint) in [
        (
            "{{ page.titel.x }}",
            "page.titel.x",
            "did you mean `page.title.x`?",
        ),
        (
            "{{ page.title ~ page.titel|upper }}",
            "page.titel",
            "did you mean `page.title`?",
        ),
        (
            "{{ page.title.x }}",
            "page.title.x",
            "`page.title` has no fields",
        ),
        (
            "{{ page.groups.url }}",
            "page.groups.url",
            "`page.groups` is a list: write `{% for item in page.groups %}`, and use the fields of `item`",
        ),
        (
            "{{ page.date.iso }}",
            "page.date.iso",
            "`page.date` is empty on this page: ask with `{% if page.date %}` first",
        ),
        (
            "{{ site.assets['mian.css'] }}",
            "site.assets['mian.css']",
            "did you mean `site.assets['main.css']`?",
        ),
        (
            "{{ page.groups[0].entris }}",
            "page.groups[0].entris",
            "did you mean `page.groups[0].entries`?",
        ),
    ] {
        check(
            source,
            &format!("t/test.html:1: {undefined} `{name}` | {hint}"),
        );
    }
}

#[test]
fn an_unknown_filter_test_function_or_template_says_what_was_meant() {
    let hint = |source: &str| {
        let said = render(source, Value::default()).unwrap_err();
        said.split("hint: ").nth(1).map(str::to_owned)
    };
    for (source, meant) in [
        ("{{ 'x'|uper }}", "upper"),
        ("{{ 'x' is defind }}", "defined"),
        ("{{ onec('x') }}", "once"),
        ("{% include 'crumb.html' %}", "crumbs.html"),
        ("{% extends 'bas.html' %}", "base.html"),
    ] {
        let expected = format!("did you mean `{meant}`?");
        assert_eq!(hint(source), Some(expected), "{source}");
    }
    assert_eq!(hint("{{ 'x'|frobnicate }}"), None);
}

#[test]
fn every_filter_and_test_that_is_offered_exists() {
    let error = |source: String| render(&source, Value::default()).err().unwrap_or_default();
    for filter in undefined::FILTERS {
        let said = error(format!("{{{{ 'x'|{filter} }}}}"));
        assert!(!said.contains("is unknown"), "{filter}: {said}");
    }
    for test in undefined::TESTS {
        let said = error(format!("{{{{ 'x' is {test} }}}}"));
        assert!(!said.contains("is unknown"), "{test}: {said}");
    }
}

#[test]
fn a_part_that_all_pages_share_says_that_it_has_no_page() {
    let files = [
        file("test.html", "{{ once('part.html') }}"),
        file("part.html", "{{ page.title }}"),
    ];
    let theme = Theme::new(&files).unwrap();
    let once = Value::from_object(Once::new(Value::default(), Value::default()));
    let page = minijinja::context! { title => "T" };
    let context = minijinja::context! { once, page };
    let said = theme.render("test.html", context, Some("t")).unwrap_err();
    assert_eq!(
        said.to_string().replace("\n  hint: ", " | "),
        "t/part.html:1: the template uses a value that does not exist: `page.title` | a template that `once` renders has no `page`: it is the same on every page"
    );
}

#[test]
fn the_backgrounds_of_the_accent_are_those_of_the_style_sheet() {
    use diglot_content::colour::{DARK, LIGHT};
    let sheet = FILES[0].1;
    let (light, dark) = sheet
        .split_once("@media screen and (prefers-color-scheme:dark)")
        .unwrap();
    for (part, backgrounds) in [(light, LIGHT), (dark, DARK)] {
        for (name, colour) in ["--paper", "--soft"].iter().zip(backgrounds) {
            assert!(
                part.contains(&format!("{name}:{colour};")),
                "{name} {colour}"
            );
        }
    }
}

#[test]
fn an_accent_is_at_the_end_of_the_style_sheets_of_any_theme() {
    let colour = |text| diglot_content::colour::Colour::parse(text).unwrap();
    let accent = diglot_content::frame::Accent {
        light: colour("#123"),
        dark: colour("#abc"),
    };
    let files = [file("main.css", "p{}")];
    let sheet = |theme: &Theme, name: &str| {
        let mut assets = theme.assets().iter();
        let asset = assets.find(|asset| asset.source == name).unwrap();
        String::from_utf8(asset.bytes.to_vec()).unwrap()
    };
    let theme = Theme::with_accent(&files, Some(accent)).unwrap();
    let rules = "\n@media screen{:root{--accent:#112233}}\n@media screen and (prefers-color-scheme:dark){:root{--accent:#aabbcc}}\n";
    assert_eq!(sheet(&theme, "main.css"), format!("p{{}}{rules}"));
    assert!(sheet(&theme, "feed.css").ends_with(rules));
    let plain = Theme::new(&files).unwrap();
    assert_eq!(sheet(&plain, "main.css"), "p{}");
    assert_ne!(theme.digest(), plain.digest());
}

/// The rules of a built-in style sheet inside this query, without line breaks.
fn within(sheet: &str, query: &str) -> String {
    let text = built_in()[sheet];
    let (_, rest) = text
        .split_once(query)
        .unwrap_or_else(|| panic!("{sheet}: {query}"));
    let mut depth = 0;
    let end = rest.find(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == '}' && depth == 0
    });
    rest[..end.unwrap()].replace('\n', "")
}

#[test]
fn what_a_background_says_is_said_without_it() {
    for (sheet, query, rule) in [
        (
            "callout.css",
            "@media (forced-colors:active)",
            ".callout{border:",
        ),
        (
            "marks.css",
            "@media print,(forced-colors:active)",
            "pre :is(mark,ins,del){border-inline-start:",
        ),
        (
            "marks.css",
            "@media print,(forced-colors:active)",
            "mark{text-decoration:underline}",
        ),
    ] {
        let rules = within(sheet, query);
        assert!(rules.contains(rule), "{sheet}: no {rule} in {rules}");
    }
    // Forced colours draw an outline that is otherwise clear.
    for (sheet, rule) in [
        ("main.css", "[aria-current]{outline:1px solid #0000;"),
        (
            "notes.css",
            "[role=doc-noteref]:target{outline:1px solid #0000;",
        ),
    ] {
        assert!(built_in()[sheet].contains(rule), "{sheet}: no {rule}");
    }
    let marks = built_in()["marks.css"];
    assert!(marks.contains("pre :is(ins,del)::before{content:\"+\";"));
    assert!(marks.contains("pre del::before{content:\"−\"}"));
}

#[test]
fn nothing_is_cut_on_paper_and_what_cannot_be_used_there_is_left_out() {
    let print = within("main.css", "@media print");
    for rule in [
        "nav,form,.languages,",
        "pre{white-space:pre-wrap}",
        "pre,.table{overflow:visible;background:none;overflow-wrap:anywhere}",
        "details::details-content{content-visibility:visible}",
    ] {
        assert!(print.contains(rule), "no {rule} in {print}");
    }
    let screen = within("table.css", "@media screen");
    for rule in ["{max-width:max(100%,34rem)}", "code{overflow-wrap:normal}"] {
        assert!(screen.contains(rule), "no {rule} in {screen}");
    }
    // Colours for a dark screen are not those of paper.
    for (name, text) in built_in().iter().filter(|(name, _)| name.ends_with(".css")) {
        let dark = text.matches("@media (prefers-color-scheme:dark)").count();
        assert_eq!(dark, usize::from(*name == "feed.css"), "{name}");
    }
}

#[test]
fn small_links_are_large_enough_to_hit() {
    for (sheet, rule) in [
        (
            "main.css",
            ".mast a,.contents a,.tags a,.crumbs a{display:inline-block;min-width:24px}",
        ),
        (
            "main.css",
            ".contents a,.tags a,.crumbs a{padding-block:.2rem}",
        ),
        ("list.css", ".pager a{min-width:24px;padding-block:.2rem"),
    ] {
        assert!(built_in()[sheet].contains(rule), "{sheet}: {rule}");
    }
}
