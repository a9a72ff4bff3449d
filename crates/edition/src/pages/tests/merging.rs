//! Lists, and author's pages at paths of built-in ones.

use super::*;

#[test]
fn no_two_pages_share_a_path() {
    let built_in = [
        "/index",
        "/api",
        "/terms",
        "/404",
        "/articles/index",
        "/tags/rust",
        "/years/2024",
    ];
    let mut written: Vec<Article> = built_in
        .iter()
        .map(|stem| article(stem, "Mine", None, "My own words."))
        .collect();
    written.push(tagged(
        article("/articles/x", "X", Some("2024-05-01"), "Words."),
        &["Rust"],
    ));
    let pages = pages(written);
    let mut paths: Vec<String> = pages
        .iter()
        .flat_map(|page| [page.html_route.path(), page.markdown_route.path()])
        .collect();
    let all = paths.len();
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), all);
    for stem in built_in {
        let (html, twin) = forms(&pages, stem);
        has(&html, ">Mine</h1>");
        has(&html, "My own words.");
        has(&twin, "\n# Mine\n\nMy own words.\n");
    }
    has(&forms(&pages, "/api").1, "## Two forms of every page");
    has(
        &forms(&pages, "/terms").1,
        "Content-Signal: search=yes, ai-input=yes, ai-train=no",
    );
    has(&forms(&pages, "/404").1, "https://example.org/llms.txt");
    has(
        &forms(&pages, "/tags/rust").1,
        "- [X](https://example.org/articles/x.md): Words. (1 May 2024)\n",
    );
}

#[test]
fn built_in_text_behind_a_text_in_another_language_says_so() {
    let mut terms = article("/terms", "Nutzung", None, "## Usage signals\n\nWorte.");
    terms.language = "de".into();
    let (html, _) = forms(&pages(vec![terms]), "/terms");
    has(&html, "<html lang=\"de\"");
    has(&html, "<div lang=\"en\" dir=\"ltr\">");
    has(&html, "<h2 id=\"usage-signals\">");
    has(&html, "<h2 id=\"diglot-usage-signals\">");
}

#[test]
fn the_home_page_is_the_authors_text_and_the_latest_articles() {
    let mut written: Vec<Article> = (10..25)
        .map(|day| {
            article(
                &format!("/articles/{day}"),
                &format!("Day {day}"),
                Some(&format!("2024-05-{day}")),
                "Words.",
            )
        })
        .collect();
    written.push(article("/index", "Welcome", None, "My *own* words."));
    let pages = pages(written);
    let (html, twin) = forms(&pages, "/index");
    has(&html, "<h1>Welcome</h1>");
    has(&html, "My <em>own</em> words.");
    has(&html, "<h2>Latest articles</h2>");
    has(&html, "Day 15");
    has_not(&html, "Day 14");
    has(
        &twin,
        "- [Day 24](https://example.org/articles/24.md): Words. (24 May 2024)\n",
    );
    has(
        &twin,
        "- [All articles](https://example.org/articles/index.md) (15)\n",
    );
    let home = pages.iter().find(|page| &*page.title == "Welcome").unwrap();
    assert_eq!(
        home.modified.iso(),
        "2024-06-01T12:00:00Z",
        "its own text is newer than the newest article"
    );
}

#[test]
fn without_any_text_there_is_a_home_page_all_the_same() {
    let pages = pages(Vec::new());
    let (html, twin) = forms(&pages, "/index");
    has(&html, "<h1>Notes &amp; Queries</h1>");
    has(&html, "<p>A small publication &lt;for&gt; tests</p>");
    has(&twin, "\n# Notes & Queries\n\nA small publication");
    forms(&pages, "/articles/index");
}

#[test]
fn the_article_list_goes_by_year_newest_first() {
    let one =
        |name: &str, day: Option<&str>| article(&format!("/articles/{name}"), name, day, "Words.");
    let pages = pages(vec![
        one("a", Some("2022-01-01")),
        one("b", Some("2024-01-01")),
        one("c", None),
    ]);
    let (html, twin) = forms(&pages, "/articles/index");
    let headings: Vec<&str> = twin
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    assert_eq!(
        headings,
        [
            "## [2024](https://example.org/years/2024.md)",
            "## [2022](https://example.org/years/2022.md)",
            "## Without a date",
            "## Sitemap"
        ]
    );
    has(&html, "<h2><a href=\"/years/2024.html\">2024</a></h2>");
    let year = pages
        .iter()
        .find(|page| &*page.title == "Articles from 2022")
        .unwrap();
    assert_eq!(
        year.modified.iso(),
        "2022-01-01T12:00:00Z",
        "as new as its newest member"
    );
}

#[test]
fn a_theme_template_lies_over_the_built_in_one() {
    let file = |path: &str, text: &str| ThemeFile {
        path: path.into(),
        bytes: Bytes::copy_from_slice(text.as_bytes()),
    };
    let library = library(vec![article("/articles/x", "X", None, "Words.")]);
    let mine = file(
        "page.html",
        "<main><h1>{{ page.title }}</h1>{{ site.assets['logo.svg'] }} {{ page.content }}</main>",
    );
    let pages = rendered(&library, &site(), &[mine, file("logo.svg", "<svg/>")]).unwrap();
    let (html, _) = forms(&pages, "/terms");
    assert!(
        html.starts_with("<main><h1>Terms</h1>/_/logo.") && html.contains(".svg <"),
        "{html}"
    );
    has(&forms(&pages, "/articles/x").0, "<!doctype html>");
}

#[test]
fn a_template_error_is_one_problem_for_all_pages() {
    let file = ThemeFile {
        path: "article.html".into(),
        bytes: Bytes::from_static(b"ok\n{{ page.nope }}"),
    };
    let mut site = site();
    site.theme = Some("look".into());
    let written = vec![
        article("/articles/x", "X", None, "Words."),
        article("/articles/y", "Y", None, "Words."),
    ];
    let problems = rendered(&library(written), &site, &[file]).unwrap_err();
    let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert!(
        shown[0].starts_with("look/article.html:2: the template uses a value that does not exist"),
        "{shown:?}"
    );
}

#[test]
fn a_theme_that_leaves_out_the_text_of_articles_publishes_nothing() {
    let check = |name: &str, template: &str, expected: &[&str]| {
        let file = ThemeFile {
            path: name.into(),
            bytes: Bytes::copy_from_slice(template.as_bytes()),
        };
        let mut site = site();
        site.theme = Some("look".into());
        let written = vec![
            article("/articles/x", "X", None, "Words of **x**."),
            article("/articles/y", "Y", None, "Words of y."),
            article("/articles/empty", "Empty", None, ""),
        ];
        let problems = rendered(&library(written), &site, &[file]).err();
        let problems = problems.unwrap_or_default();
        let shown: Vec<String> = problems
            .iter()
            .map(|problem| problem.to_string())
            .map(|problem| problem.split('\n').next().unwrap().to_owned())
            .collect();
        assert_eq!(shown, expected, "{name}: {template}");
    };
    let without =
        |what: &str| format!("look/article.html: the template writes a page without {what}");
    let text = without("the text of the article");
    check("article.html", "<main><h1>{{ page.title }}</h1>", &[&text]);
    check(
        "article.html",
        "<main><h1></h1>{{ page.description }}",
        &[&text],
    );
    check(
        "article.html",
        "{{ page.content }}<body><main><h1>{{ page.title }}</h1>",
        &[&text],
    );
    check(
        "article.html",
        "<main><header>{{ page.content }}",
        &[&without("`<h1>`")],
    );
    check(
        "article.html",
        "<mainly><h1>{{ page.title }}</h1>{{ page.content }}",
        &[&without("`<main>`")],
    );
    // A frame without the block of the text: every template that extends it is empty.
    check(
        "base.html",
        "<main><h1>{{ page.title }}</h1></main>",
        &["look/base.html: the template writes a page without the text of the article"],
    );
    for own in [
        "<MAIN id=\"a\"><h1\n>{{ page.title }}</h1>{{ page.content }}",
        "<main><h1>{{ page.title }}</h1>{{ page.content|replace('Words', 'W') }}",
    ] {
        check("article.html", own, &[]);
    }
}
