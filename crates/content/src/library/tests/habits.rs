//! Habits found in real folders, one small folder each.

use super::*;

fn stems_and_titles(library: &Library) -> Vec<String> {
    library
        .articles
        .iter()
        .chain(&library.pages)
        .map(|article| format!("{} {}", article.stem, article.title))
        .collect()
}

#[test]
fn a_site_built_before_keeps_titles_links_and_addresses() {
    let page = |title: &str, canonical: &str, body: &str| {
        format!(
            "<!doctype html><title>{title} | The Site</title><link rel=canonical href=\"https://old.example{canonical}\"><nav><a href=/>x</a></nav><main><h1>{title}<a class=headerlink href=#x>¶</a></h1>{body}</main>"
        )
    };
    let library = build(&[
        (
            "index.html",
            &page("Welcome", "/", "<p><a href=\"guide/one/\">one</a>"),
        ),
        (
            "guide/one/index.html",
            &page(
                "One",
                "/guide/one/",
                "<p><a href=\"../two/#x\">two</a> <a href=\"https://old.example/guide/two/\">two</a> <a href=\"https://old.example/gone/\">gone</a>",
            ),
        ),
        (
            "guide/two/index.html",
            &page("Two", "/guide/two/", "<h2 id=x>X</h2><p>x"),
        ),
        (
            "guide/three.html",
            &page(
                "Three",
                "/guide/three",
                "<p><a href=\"two/\">two</a> <a href=\"/guide/one/index.html\">one</a>",
            ),
        ),
        (
            "guide/moved.html",
            "<!doctype html><title>Redirecting…</title><meta http-equiv=refresh content=\"0; url=two/\"><a href=two/>Click</a>",
        ),
    ]);
    assert_eq!(
        stems_and_titles(&library),
        [
            "/articles/guide/one One",
            "/articles/guide/three Three",
            "/articles/guide/two Two",
            "/index Welcome"
        ]
    );
    let redirects: Vec<_> = library
        .redirects
        .iter()
        .map(|(from, to)| format!("{from} {to}"))
        .collect();
    assert_eq!(
        redirects,
        [
            "/articles/guide/moved /articles/guide/two",
            "/articles/guide/moved.html /articles/guide/two",
            "/guide/moved.html /articles/guide/two",
            "/guide/one/ /articles/guide/one",
            "/guide/three.html /articles/guide/three",
            "/guide/two/ /articles/guide/two",
        ]
    );
    let targets: Vec<_> = library
        .articles
        .iter()
        .flat_map(|article| &*article.targets)
        .collect();
    let page = |stem: &str, fragment: Option<&str>| Target::Page {
        stem: stem.into(),
        fragment: fragment.map(str::to_owned),
    };
    let two = page("/articles/guide/two", None);
    let gone = Target::Url("https://old.example/gone/".to_owned());
    assert_eq!(
        targets,
        [
            &page("/articles/guide/two", Some("x")),
            &two,
            &gone,
            &two,
            &page("/articles/guide/one", None)
        ]
    );
    assert_eq!(library.problems, []);
}

#[test]
fn numbers_before_names_are_no_part_of_links_and_the_folder_may_be_mounted() {
    let library = build(&[
        (
            "01-app/index.md",
            "# App\n\n[a](/docs/latest/app/start) [b](/docs/latest/app/guides/caching#x) [c](guides/caching) [d](/docs/latest/gone)",
        ),
        (
            "01-app/01-start.md",
            "# Start\n\n[up](../guides/caching) [e](/docs/latest/app/)",
        ),
        (
            "01-app/02-guides/10-caching.md",
            "# Caching\n\n## X\n\n[f](../01-start.md) [g](/blog/posts/y)",
        ),
    ]);
    let targets: Vec<_> = library
        .articles
        .iter()
        .flat_map(|article| &*article.targets)
        .map(|target| match target {
            Target::Page { stem, fragment } => {
                format!("{stem}#{}", fragment.as_deref().unwrap_or_default())
            }
            other => format!("{other:?}"),
        })
        .collect();
    let (app, start, caching) = (
        "/articles/01-app#",
        "/articles/01-app/01-start#",
        "/articles/01-app/02-guides/10-caching#",
    );
    assert_eq!(
        targets,
        [
            start,
            &format!("{caching}x"),
            caching,
            "Unresolved",
            caching,
            app,
            start,
            "Unresolved"
        ]
    );
}

#[test]
fn paths_from_the_root_may_count_from_a_folder_around() {
    let library = build(&[
        (
            "content/en/methods/time.md",
            "# Time\n\n[a](/functions/now/) [b](/methods/time)",
        ),
        ("content/en/functions/now.md", "# Now\n\nx"),
        (
            "content/de/functions/now.md",
            "# Jetzt\n\n[a](/methods/time/)",
        ),
        ("content/de/methods/time.md", "# Zeit\n\nx"),
    ]);
    let targets: Vec<_> = library
        .articles
        .iter()
        .flat_map(|article| &*article.targets)
        .map(|target| format!("{target:?}"))
        .collect();
    let stems: Vec<_> = targets
        .iter()
        .filter_map(|target| target.split('"').nth(1))
        .collect();
    assert_eq!(
        stems,
        [
            "/articles/de/methods/time",
            "/articles/en/functions/now",
            "/articles/en/methods/time"
        ]
    );
}

#[test]
fn rule_21_section_files_with_a_text_and_readmes_that_are_linked_are_read() {
    let library = build(&[
        ("content/blog/_index.md", "---\ntitle: Posts\n---\n"),
        (
            "content/_index.md",
            "# Home\n\nWelcome to [functions](/functions/) and [rules](rules/).",
        ),
        (
            "content/functions/_index.md",
            "---\ntitle: Functions\n---\nAll of them.",
        ),
        ("content/functions/now.md", "# Now\n\n[up](../)"),
        ("content/rules/README.md", "# The rules\n\nAll of them."),
        ("content/rules/a.md", "# A\n\nx"),
        ("content/other/README.md", "# Not linked\n\nx"),
        ("content/other/b.md", "# B\n\nx"),
        ("README.md", "# The project\n\nx"),
    ]);
    assert_eq!(
        stems_and_titles(&library),
        [
            "/articles/functions Functions",
            "/articles/functions/now Now",
            "/articles/other/b B",
            "/articles/rules The rules",
            "/articles/rules/a A",
            "/index Home"
        ]
    );
    assert!(
        library
            .problems
            .iter()
            .all(|problem| !problem.message.contains("nowhere")),
        "{:?}",
        library.problems
    );
    let skipped: Vec<_> = library
        .report
        .skipped
        .iter()
        .map(|(reason, files)| format!("{reason}: {}", files.join(" ")))
        .collect();
    assert_eq!(
        skipped,
        [
            "README, LICENSE and the like: README.md content/other/README.md",
            "list without a text: content/blog/_index.md"
        ]
    );
}

#[test]
fn rule_21_a_generator_may_take_readmes_for_indexes() {
    let library = build(&[
        ("mkdocs.yml", "site_name: x"),
        ("README.md", "# The project\n\nx"),
        ("docs/README.md", "# Home\n\nx"),
        ("docs/guide/README.md", "# Guide\n\nx"),
        ("docs/guide/one.md", "# One\n\nx"),
    ]);
    assert_eq!(
        stems_and_titles(&library),
        [
            "/articles/guide Guide",
            "/articles/guide/one One",
            "/index Home"
        ]
    );
}

#[test]
fn rule_21_html_that_a_generator_fills_is_a_template() {
    let library = build(&[
        ("docs/a.md", "# A\n\nx"),
        (
            "theme/base.html",
            "<!doctype html><title>{{ page.title }}</title><main>{% block content %}{% endblock %}</main>",
        ),
        (
            "page.html",
            "<!doctype html><title>Page</title><main><p>Write <code>{% block x %}</code>.</main>",
        ),
    ]);
    assert_eq!(stems_and_titles(&library), ["/articles/a A", "/page Page"]);
    assert_eq!(
        library.report.skipped.keys().collect::<Vec<_>>(),
        ["template or partial"]
    );
}

#[test]
fn the_address_of_a_page_among_words_is_a_link_and_said_as_it_was_written() {
    check(
        &[
            ("config.toml", "baseURL = \"https://example.org/\"\n"),
            (
                "content/posts/a.md",
                "# A\n\n{{< ref \"b.md\" >}} and {{< ref \"nope\" >}}, [b]({{< ref \"b.md#steps\" >}}).\n",
            ),
            ("content/posts/b.md", "# B\n\n## Steps\n\nB.\n"),
        ],
        &[
            "/articles/a: [b.md](https://example.org/articles/b.md) and nope, [b](https://example.org/articles/b.md#steps).",
            "/articles/b: ## Steps||B.",
            "content/posts/a.md:3:22: warning: broken link: `nope`",
        ],
    );
}

#[test]
fn a_text_about_the_folder_with_a_title_is_a_page_of_the_site() {
    let library = build(&[
        (
            "CONTRIBUTING.md",
            "---\ntitle: Helping\ncategory: x\n---\nHow to help.",
        ),
        ("SECURITY.md", "# Security\n\nWrite to us."),
        ("TODO.md", "---\ntitle: ''\n---\nMuch."),
        ("hacking.md", "See [helping](CONTRIBUTING.md)."),
    ]);
    assert_eq!(
        stems_and_titles(&library),
        [
            "/articles/CONTRIBUTING Helping",
            "/articles/hacking Hacking"
        ]
    );
    assert_eq!(
        library.report.skipped.values().map(Vec::len).sum::<usize>(),
        2
    );
    assert!(
        !library
            .problems
            .iter()
            .any(|problem| problem.message.contains("CONTRIBUTING"))
    );
}

#[test]
fn a_summary_is_never_made_of_code() {
    let library = build(&[
        ("a.md", "# A\n\n```python\nf\"{{.grid}}\"\n```\n"),
        ("b.md", "# B\n\n```\nplain\n```\n"),
    ]);
    let summaries: Vec<&str> = library
        .articles
        .iter()
        .map(|article| &*article.summary)
        .collect();
    assert_eq!(summaries, ["", ""]);
}

#[test]
fn every_reference_inside_the_folder_is_counted() {
    let library = build(&[
        (
            "a.md",
            "# A\n\n## Here\n\n[b](b.md#x) [none](none.md) [here](#here) [lost](#lost) ![i](i.png) ![j](j.png) [out](https://x.example/) [b](b.md#no)",
        ),
        ("b.md", "# B\n\n## X\n"),
        ("i.png", "i"),
        ("draft.md", "---\ndraft: true\n---\n[none](none.md)"),
    ]);
    let said = library.report.references.to_string();
    assert_eq!(
        said,
        "3 links (1 broken), 2 images (1 missing), 4 fragments (2 broken)"
    );
}

#[test]
fn a_letter_before_the_number_of_a_heading_is_no_part_of_it() {
    let library = build(&[(
        "a.md",
        "# A\n\n[one](#a1-first-part) [two](#a2-none)\n\n## 1. First part\n",
    )]);
    assert_eq!(
        *library.articles[0].targets,
        [Target::Here("1-first-part".to_owned()), Target::Unresolved]
    );
}

#[test]
fn the_starters_of_astro_say_when_a_text_changed() {
    let library = build(&[(
        "a.md",
        "---\npubDate: 2024-01-02\nupdatedDate: 2024-03-04\n---\nText.",
    )]);
    let article = &library.articles[0];
    assert_eq!(
        (article.date.map(|date| date.iso()), article.updated.iso()),
        (Some("2024-01-02".to_owned()), "2024-03-04".to_owned())
    );
}

#[test]
fn rule_22_an_order_comes_from_front_matter() {
    let weights = |files: &[(&str, &str)]| {
        let library = build(files);
        let mut all: Vec<_> = library
            .articles
            .iter()
            .map(|article| {
                (
                    article.weight,
                    article
                        .stem
                        .rsplit('/')
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                )
            })
            .collect();
        all.sort();
        all.into_iter()
            .map(|(weight, stem)| {
                format!(
                    "{stem} {}",
                    weight.map_or("-".to_owned(), |weight| weight.to_string())
                )
            })
            .collect::<Vec<_>>()
    };
    let front = |key: &str| format!("---\n{key}: 3\n---\nx");
    let files = [
        ("docs/a.md", front("weight")),
        ("docs/b.md", front("order")),
        ("docs/c.md", front("sidebar_position")),
    ];
    assert_eq!(
        weights(&files.each_ref().map(|(path, text)| (*path, text.as_str()))),
        ["a 3", "b 3", "c 3"]
    );
}

#[test]
fn rule_17_fragments_land_on_ids_as_people_link_them() {
    let library = build(&[(
        "articles/a.md",
        "## What's *new*, in 2.0?\n\n## Own {#mine}\n\n## Twice\n\n## Twice\n\n[a](#whats-new-in-20) [b](#mine) [c](#twice-1) [d](#gone)\n",
    )]);
    let said: Vec<_> = library
        .problems
        .iter()
        .map(|problem| problem.message.clone())
        .collect();
    assert!(said.len() == 1 && said[0].contains("#gone"), "{said:?}");
}

#[test]
fn rule_18_pictures_are_found_where_people_keep_them() {
    let library = build(&[
        (
            "content/a/index.md",
            "![1](beside.png) ![2](/logo.png) ![3](/img/x.png) ![4](../../assets/y.png) ![5](gone.png)",
        ),
        ("content/a/beside.png", "x"),
        ("static/logo.png", "x"),
        ("static/img/x.png", "x"),
        ("assets/y.png", "x"),
    ]);
    let found = library.articles[0]
        .targets
        .iter()
        .filter(|target| !matches!(target, Target::Unresolved))
        .count();
    let said: Vec<_> = library
        .problems
        .iter()
        .map(|problem| problem.message.clone())
        .collect();
    assert_eq!(
        (found, said.as_slice()),
        (
            4,
            ["missing image or file: `gone.png`".to_owned()].as_slice()
        )
    );
}
