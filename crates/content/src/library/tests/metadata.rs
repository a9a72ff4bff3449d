//! The metadata of texts.

use super::*;

#[test]
fn rule_3_dates_come_from_four_places() {
    let date = |article: &Article| {
        format!(
            "{} {}",
            article
                .date
                .map_or_else(|| "-".to_owned(), |date| date.iso()),
            article.updated.iso()
        )
    };
    facts(
        &[
            (
                "posts/2015-03-19-a.md",
                "---\ndate: 2014-01-02 10:00 -4\n---\nx",
            ),
            ("posts/2013-03-19-b.md", "x"),
            (
                "posts/c.md",
                "---\npermalink: /2012/05/06/c/\nlastmod: 2021-01-01\n---\nx",
            ),
            ("posts/2011-01-01-d.md", "---\ndate: 2017-02-29\n---\nx"),
            ("posts/e.md", "---\npublished: true\n---\nx"),
        ],
        date,
        &[
            "2014-01-02T10:00:00-04:00 2020-02-02T00:00:00Z",
            "2013-03-19 2020-02-02T00:00:00Z",
            "2012-05-06 2021-01-01",
            "2011-01-01 2020-02-02T00:00:00Z",
            "- 2020-02-02T00:00:00Z",
        ],
    );
    let problems = build(&[(
        "posts/2017-02-28-d.md",
        "---\ntitle: x\ndate: 2017-02-29\n---\nx",
    )])
    .problems;
    assert_eq!(
        problems[0].to_string(),
        "posts/2017-02-28-d.md:3:7: `date` is not a date: `2017-02-29`\n  hint: February 2017 has 28 days; the file name says `2017-02-28`"
    );
}

#[test]
fn rule_3_slashed_dates_need_proof() {
    let date = |article: &Article| {
        article
            .date
            .map_or_else(|| "-".to_owned(), |date| date.iso())
    };
    facts(
        &[
            ("posts/a.md", "---\ndate: 03/04/2015\n---\nx"),
            ("posts/b.md", "---\ndate: 12/31/2014\n---\nx"),
        ],
        date,
        &["2015-03-04", "2014-12-31"],
    );
    facts(
        &[("posts/a.md", "---\ndate: 03/04/2015\n---\nx")],
        date,
        &["-"],
    );
}

#[test]
fn rule_8_languages_come_with_proof() {
    let language = |article: &Article| {
        let others: Vec<_> = article
            .translations
            .iter()
            .map(|(language, stem)| format!("{language}={stem}"))
            .collect();
        format!(
            "{} {} {} [{}]",
            article.stem,
            article.language,
            article.rtl,
            others.join(" ")
        )
    };
    facts(
        &[
            ("docs/a.md", "x"),
            ("docs/ar/a.md", "x"),
            ("docs/b.fr.md", "x"),
            ("docs/b.md", "x"),
            ("docs/it/only.md", "x"),
            ("docs/c.md", "---\nlocale: pt_BR\n---\nx"),
        ],
        language,
        &[
            "/articles/a en false [ar=/articles/ar/a]",
            "/articles/ar/a ar true [en=/articles/a]",
            "/articles/b en false [fr=/articles/b.fr]",
            "/articles/b.fr fr false [en=/articles/b]",
            "/articles/c pt-BR false []",
            "/articles/it/only en false []",
        ],
    );
}

#[test]
fn rule_9_titles_have_fallbacks() {
    facts(
        &[
            ("posts/a.md", "---\ntitle: 1.10\n---\n# 1.10\n\nx"),
            ("posts/b.md", "# From *heading*\n\nx"),
            ("posts/c.md", "Text\n\n## Below\n"),
            ("posts/d.md", "---\nsidebar_label: Label\n---\nx"),
            (
                "posts/2015-01-02-03-my-file.md",
                "---\ndate: 1999-01-01\n---\nx",
            ),
            ("posts/folder-name/index.md", "x"),
        ],
        |article| article.title.to_string(),
        &[
            "My file",
            "1.10",
            "From heading",
            "Below",
            "Label",
            "Folder name",
        ],
    );
}

#[test]
fn rule_14_tags_and_authors_are_lists() {
    facts(
        &[
            (
                "posts/a.md",
                "---\ntags: Open Source, 'x'\nauthor: {name: Ann}\n---\nx",
            ),
            (
                "posts/b.md",
                "---\ntags: [open source, '#y/z']\nauthors:\n - ben\n - name: Cat\n---\nx",
            ),
            (
                "posts/c.md",
                "---\ntaxonomies:\n  tags: [open source]\n---\nx",
            ),
            ("_data/authors.yml", "ben:\n  name: Ben B.\n"),
        ],
        |article| {
            format!(
                "{:?} {:?}",
                article
                    .tags
                    .iter()
                    .map(|tag| format!("{}={}", tag.name, tag.slug))
                    .collect::<Vec<_>>(),
                article.authors
            )
        },
        &[
            r#"["open source=open-source", "'x'='x'"] ["Ann"]"#,
            r#"["open source=open-source", "y/z=y-z"] ["Ben B.", "Cat"]"#,
            r#"["open source=open-source"] []"#,
        ],
    );
}

#[test]
fn rule_24_html_files_are_articles_too() {
    let page = "<!doctype html><html lang=de><head><title>Titel – Seite</title><meta name=description content='Kurz.'></head>\n<body><nav>x</nav><main>\n\n    <p>Ein {{ x }} <a href='b.html'>b</a> <code>{{ y }}</code></p></main></body></html>";
    let library = build(&[
        ("posts/a.html", page),
        ("posts/b.md", "---\ndate: 2020-01-01\n---\nB"),
        (
            "about.html",
            "---\ntitle: About\n---\n<p>Us <a href=none>c</a></p>",
        ),
    ]);
    let article = library
        .articles
        .iter()
        .find(|article| &*article.stem == "/articles/a")
        .unwrap();
    assert_eq!(
        (article.language.as_str(), &*article.summary),
        ("de", "Kurz.")
    );
    assert_eq!(
        article.document.plain_text().trim(),
        "Ein  b {{ y }}".replace("  ", " ")
    );
    assert!(matches!(&article.targets[0], Target::Page { stem, .. } if &**stem == "/articles/b"));
    assert_eq!(
        (&*library.pages[0].stem, &*library.pages[0].title),
        ("/about", "About")
    );
    assert_eq!(
        library
            .problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["about.html:4:10: warning: broken link: `none`"]
    );
}

#[test]
fn every_decision_about_a_file_can_be_asked() {
    let sources = sources(&[(
        "posts/2015-01-02-a.md",
        "---\ntags: [x]\nlang: de\n---\n# A\n\nText [b](b.md).\n",
    )]);
    let explained = explain(
        &sources,
        &site(),
        NOW.parse().unwrap(),
        "posts/2015-01-02-a.md",
    )
    .to_string();
    assert_eq!(
        explained,
        "posts/2015-01-02-a.md: published as the article `/articles/2015-01-02-a.html` and `/articles/2015-01-02-a.md`
  folder       plain (nothing says otherwise)
  articles     `posts/` (the first that exists of `articles/`, `_posts/`, `_articles/`, `content/posts/`, `content/`, `posts/`, `docs/`)
  role         a text in Markdown (it is in the articles folder)
  front matter YAML (`tags`, `lang`)
  address      `/articles/2015-01-02-a.html` (its path)
  title        A (the first heading of level 1)
  summary      Text b. (the first paragraph of prose)
  date         2015-01-02 (its file name)
  updated      2020-02-02T00:00:00Z (the git history)
  language     de (a key of its front matter)
  tags         x
  visibility   published
  links        1 link (1 broken) inside the folder
  old addresses `/posts/2015-01-02-a` (they lead here)
posts/2015-01-02-a.md:7:6: warning: broken link: `b.md`"
    );
    assert_eq!(
        explain(&sources, &site(), NOW.parse().unwrap(), "x").outcome,
        "the folder has no such file"
    );
}

#[test]
fn rule_11_callouts_keep_their_links_and_their_places() {
    let text = "Some words.\n\n{{% notice tip \"T\" %}}\na :smile:\n\n[x](nowhere.md)\n{{% /notice %}}\n\n[y](gone.md)\n";
    let library = build(&[("articles/a.md", text)]);
    let lines: Vec<u32> = library.articles[0]
        .document
        .references
        .iter()
        .map(|reference| reference.line)
        .collect();
    assert_eq!(lines, [6, 9]);
    let twin = {
        let site = site();
        let article = &library.articles[0];
        let rendering = Rendering {
            base: &site.base,
            stem: &article.stem,
            targets: &article.targets,
            purpose: Purpose::Twin,
            typography: None,
            back: None,
        };
        write_markdown(&article.document, &rendering).text
    };
    assert_eq!(
        twin,
        "Some words.\n\n> [!TIP]\n> **T**\n>\n> a 😄\n>\n> x\n\ny\n"
    );
}

#[test]
fn rule_25_a_dollar_is_a_formula_where_the_folder_says_so() {
    let asked = |files: &[(&str, &str)], math: Option<bool>| {
        let text = (
            "content/posts/a.md",
            "It costs $5 and $6, and $a_1$ b.\n\n$$x$$",
        );
        let files: Vec<_> = files.iter().copied().chain([text]).collect();
        let twin = twin(
            &Library::build(
                &sources(&files),
                &Site { math, ..site() },
                NOW.parse().unwrap(),
            ),
            "/articles/a",
        );
        assert!(
            twin.contains("It costs") && twin.ends_with("$$\nx\n$$") && !twin.contains("$5 and$"),
            "{twin}"
        );
        twin.contains("\\$5 and \\$6") && twin.contains("$a_1$")
    };
    let hugo = |config: &'static str| asked(&[("hugo.toml", config)], None);
    assert!(!hugo("title = 'x'"));
    assert!(hugo("[params]\nmath = true"));
    assert!(hugo(
        "[markup.goldmark.extensions.passthrough]\nenable = true\n[markup.goldmark.extensions.passthrough.delimiters]\ninline = [['\\(', '\\)'], ['$', '$']]"
    ));
    assert!(!hugo(
        "[markup.goldmark.extensions.passthrough.delimiters]\nblock = [['$$', '$$']]"
    ));
    assert!(asked(
        &[(
            "hugo.yaml",
            "markup:\n  goldmark:\n    extensions:\n      passthrough:\n        delimiters:\n          inline:\n            - - $\n              - $"
        )],
        None
    ));
    assert!(!asked(&[], None) && asked(&[], Some(true)));
    assert!(!asked(
        &[("hugo.toml", "[params]\nmath = true")],
        Some(false)
    ));
}

#[test]
fn rule_60_many_formulas_in_a_folder_are_evidence() {
    let formulas = "Let $\\alpha$, $x_{i}$, $\\frac{a}{b}$, $\\sum$, $\\beta$ be.\n";
    let twins = |files: &[(&str, &str)]| {
        let library = build(files);
        let article = library
            .articles
            .iter()
            .find(|one| &*one.stem == "/articles/c")
            .unwrap();
        article.document.has_math()
    };
    let plain = ("articles/c.md", "So $n$ grows, and $5 and $10 do not.\n");
    let (a, b) = (("articles/a.md", formulas), ("articles/b.md", formulas));
    assert!(twins(&[a, b, plain]));
    assert!(!twins(&[a, plain]), "one text is no evidence");
    let money = "It costs $5, $6, $7, $8, $9, $10, $11, $12, $13 or $14.\n";
    assert!(!twins(&[a, b, plain, ("articles/d.md", money)]));
    let edited = (
        "articles/c.md",
        "So 5\\$ and $10, or US$5 and US$6, $7/$8 and $9-$10.\n",
    );
    assert!(!twins(&[a, b, edited]), "money is none, even there");
}

#[test]
fn rule_18_a_cover_that_is_missing_is_a_problem_with_its_place() {
    let library = build(&[
        (
            "posts/a.md",
            "---\ntitle: A\nimage:\n  src: gone.png\n  alt: A hill\n---\nText",
        ),
        (
            "posts/b.md",
            "---\ntitle: B\ncover: b.png\nseries: Hills\npart: 2\n---\nText",
        ),
        ("posts/b.png", "x"),
    ]);
    let [a, b] = [0, 1].map(|at| &library.articles[at]);
    assert_eq!((&a.image, &a.cover), (&None, &None));
    assert_eq!(b.cover.as_deref(), Some(""));
    assert!(matches!(&b.image, Some(Target::File { path, .. }) if &**path == "/articles/b.png"));
    assert_eq!((&*b.tags[0].name, b.series[0].number), ("Hills", Some(2)));
    let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["posts/a.md:4:8: warning: missing image or file: `gone.png`"]
    );
}
