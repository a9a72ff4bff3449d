use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;

use super::*;
use crate::model::document::{Purpose, Rendering, Target, write_markdown};
use crate::model::site::{BaseUrl, Site};
use crate::model::sources::{ChangeOrigin, FileDates, SourceFile, Sources};

mod bounded;
mod habits;
mod memory;

const NOW: &str = "2024-06-01T12:00:00Z";

fn sources(files: &[(&str, &str)]) -> Sources {
    let changed = "2020-02-02T00:00:00Z".parse().unwrap();
    let dates = FileDates { created: None, changed, origin: ChangeOrigin::Git };
    let mut files: Vec<SourceFile> =
        files.iter().map(|(path, text)| SourceFile { path: (*path).into(), bytes: Bytes::copy_from_slice(text.as_bytes()).into(), dates }).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Sources { name: "folder".to_owned(), files, ..Sources::default() }
}

fn site() -> Site {
    crate::syntax::settings::Settings::default().into_site("Folder", BaseUrl::parse("https://example.org").unwrap()).unwrap()
}

fn build(files: &[(&str, &str)]) -> Library {
    Library::build(&sources(files), &site(), NOW.parse().unwrap())
}

/// Each page as `stem: twin`, then each file, then each problem.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let library = build(files);
    let site = site();
    let pages = library.articles.iter().chain(&library.pages).map(|article| {
        let rendering = Rendering { base: &site.base, stem: &article.stem, targets: &article.targets, purpose: Purpose::Twin };
        format!("{}: {}", article.stem, write_markdown(&article.document, &rendering).text.trim().replace('\n', "|"))
    });
    let files = library.files.iter().map(|file| file.path.to_string());
    let problems = library.problems.iter().map(|problem| problem.to_string().replace("\n  ", " | "));
    let shown: Vec<String> = pages.chain(files).chain(problems).collect();
    assert_eq!(shown, expected);
}

/// What one article says about itself.
fn facts(files: &[(&str, &str)], of: fn(&Article) -> String, expected: &[&str]) {
    let library = build(files);
    assert_eq!(library.articles.iter().map(|article| of(article)).collect::<Vec<_>>(), expected);
}

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
            "static/robots.txt: set aside: `/robots.txt` is a document that diglot writes itself | hint: rename the file",
        ],
    );
}

#[test]
fn contract_1_the_root_as_articles_folder() {
    check(
        &[("index.md", "Home."), ("a.md", "A."), ("sub/about.md", "B."), ("README.md", "C."), ("LICENSE.md", "D.")],
        &["/articles/a: A.", "/articles/sub/about: B.", "/index: Home."],
    );
}

#[test]
fn contract_1_two_sources_for_one_path() {
    check(
        &[("articles/a b.md", "One."), ("articles/a-b.md", "Two."), ("404.md", "x"), ("articles/index.md", "List."), ("index.md", "Home.")],
        &[
            "/articles/a-b: One.",
            "/index: Home.",
            "404.md: set aside: `/404.html` is a page that diglot writes itself | hint: rename the file or give it a `slug`",
            "articles/a-b.md: set aside: `articles/a b.md` has the same address `/articles/a-b.html` | hint: rename one of the two or give it a `slug`",
            "articles/index.md: set aside: `/articles/index.html` is a page that diglot writes itself | hint: rename the file or give it a `slug`",
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
    let stems: Vec<_> = library.articles.iter().map(|article| &*article.stem).collect();
    assert_eq!(stems, ["/articles/%", "/articles/-", "/articles/Dots", "/articles/[", "/articles/c++", "/articles/日本-語"]);
    assert_eq!(library.problems.len(), 1, "{:?}", library.problems);
}

#[test]
fn rule_3_dates_come_from_four_places() {
    let date = |article: &Article| format!("{} {}", article.date.map_or_else(|| "-".to_owned(), |date| date.iso()), article.updated.iso());
    facts(
        &[
            ("posts/2015-03-19-a.md", "---\ndate: 2014-01-02 10:00 -4\n---\nx"),
            ("posts/2013-03-19-b.md", "x"),
            ("posts/c.md", "---\npermalink: /2012/05/06/c/\nlastmod: 2021-01-01\n---\nx"),
            ("posts/2011-01-01-d.md", "---\ndate: 2017-02-29\n---\nx"),
            ("posts/e.md", "---\npublished: true\n---\nx"),
        ],
        date,
        &[
            "2014-01-02T14:00:00Z 2020-02-02T00:00:00Z",
            "2013-03-19 2020-02-02T00:00:00Z",
            "2012-05-06 2021-01-01",
            "2011-01-01 2020-02-02T00:00:00Z",
            "- 2020-02-02T00:00:00Z",
        ],
    );
    let problems = build(&[("posts/2017-02-28-d.md", "---\ntitle: x\ndate: 2017-02-29\n---\nx")]).problems;
    assert_eq!(
        problems[0].to_string(),
        "posts/2017-02-28-d.md:3:7: `date` is not a date: `2017-02-29`\n  hint: February 2017 has 28 days; the file name says `2017-02-28`"
    );
}

#[test]
fn rule_3_slashed_dates_need_proof() {
    let date = |article: &Article| article.date.map_or_else(|| "-".to_owned(), |date| date.iso());
    facts(&[("posts/a.md", "---\ndate: 03/04/2015\n---\nx"), ("posts/b.md", "---\ndate: 12/31/2014\n---\nx")], date, &["2015-03-04", "2014-12-31"]);
    facts(&[("posts/a.md", "---\ndate: 03/04/2015\n---\nx")], date, &["-"]);
}

#[test]
fn rule_4_old_addresses_lead_to_articles() {
    let library = build(&[
        ("_config.yml", ""),
        ("_posts/2015-03-19-a.md", "---\npermalink: /:categories/:year/:title/\ncategories: x\nredirect_from: [/old, /b]\n---\nx"),
        ("_posts/b.md", "---\nredirect_to: https://example.net/\n---\n"),
        ("_posts/c.md", "---\nredirect_from: /old/\n---\nx [a](/2015/03/19/a.html)"),
    ]);
    let shown: Vec<_> = library.redirects.iter().map(|(old, new)| format!("{old} {new}")).collect();
    assert_eq!(
        shown,
        [
            "/2015/03/19/a.html /articles/2015-03-19-a",
            "/2015/03/19/a/ /articles/2015-03-19-a",
            "/articles/b https://example.net/",
            "/articles/b.html https://example.net/",
            "/b /articles/2015-03-19-a",
            "/old /articles/2015-03-19-a",
            "/x/2015/a/ /articles/2015-03-19-a",
        ]
    );
    assert_eq!(library.problems[0].to_string(), "_posts/c.md:2:16: warning: the old address `/old/` leads to `_posts/2015-03-19-a.md` already");
}

#[test]
fn rule_4_what_is_no_address_is_told_with_its_place() {
    let library = build(&[
        ("articles/a.md", "---\naliases:\n  - \"/x\\nRedirectMatch . https://evil.example/\"\n  - /a/../b\n  - /%ff\n  - /about/\n---\nA."),
        ("articles/b.md", "---\nredirect_to: \"https://ok.example/\\n/* https://evil.example/:splat 301!\"\n---\n"),
        ("articles/c.md", "---\nredirect_to: javascript:alert(1)\n---\n"),
        ("articles/d.md", "---\nredirect_to: /about\n---\n"),
        ("about.md", "About."),
    ]);
    let shown: Vec<_> = library.redirects.iter().map(|(old, new)| format!("{old} {new} {}", new.place.as_ref().unwrap())).collect();
    assert_eq!(shown, ["/articles/d /about articles/d.md:2:14", "/articles/d.html /about articles/d.md:2:14"]);
    let problems: Vec<_> = library.problems.iter().map(ToString::to_string).filter(|problem| !problem.contains("the file's time")).collect();
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
                "articles/b.md:2:14: set aside: `redirect_to` leads nowhere: it holds the control character `\\n`: `https://ok.example/\\n/* https://evil.example/:splat 301!`{hint}"
            ),
            format!("articles/c.md:2:14: set aside: `redirect_to` leads nowhere: its scheme is `javascript`: `javascript:alert(1)`{redirect}"),
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
    let shown: Vec<_> = library.redirects.iter().map(|(old, new)| format!("{old} {new}")).collect();
    assert_eq!(shown, ["/index.html /articles/b"], "the edition says that it is taken");
}

#[test]
fn rule_7_links_are_resolved_in_every_spelling() {
    check(
        &[
            ("index.md", "Home."),
            ("posts/2015-03-19-a.md", "# A\n\n## Part one\n"),
            ("posts/b c.md", "B"),
            ("posts/d/e.png", "x"),
            ("assets/f.png", "x"),
            (
                "posts/z.md",
                "[1](2015-03-19-a.md#part-one) [2](/2015/03/19/a/) [3](/posts/2015-03-19-a) [4](b%20c.md) [5](<b c.md>) [6](https://example.org/articles/b-c.html?x) [7](./d/e.png) ![8](/assets/f.png) [9](/) [10](/rss.xml) [11](2015-03-19-A.md) [12](https://else.net) [13](mailto:a@b.c) [14](2015-03-19-a.md#none) [15](gone.md) [16](#here)",
            ),
        ],
        &[
            "/articles/2015-03-19-a: ## Part one",
            "/articles/b-c: B",
            "/articles/z: [1](https://example.org/articles/2015-03-19-a.md#part-one) [2](https://example.org/articles/2015-03-19-a.md) [3](https://example.org/articles/2015-03-19-a.md) [4](https://example.org/articles/b-c.md) [5](https://example.org/articles/b-c.md) [6](https://example.org/articles/b-c.md) [7](https://example.org/articles/d/e.png) ![8](https://example.org/assets/f.png) [9](https://example.org/index.md) [10](https://example.org/rss.xml) [11](https://example.org/articles/2015-03-19-a.md) [12](https://else.net) [13](mailto:a@b.c) [14](https://example.org/articles/2015-03-19-a.md) 15 16",
            "/index: Home.",
            "/articles/d/e.png",
            "/assets/f.png",
            "posts/z.md:1:206: warning: `2015-03-19-A.md` is written in another case: the file is `posts/2015-03-19-a.md`",
            "posts/z.md:1:270: warning: `#none` is no place on the page `posts/2015-03-19-a.md`",
            "posts/z.md:1:297: warning: the link `gone.md` leads nowhere",
            "posts/z.md:1:311: warning: `#here` is no place on the page `posts/z.md`",
        ],
    );
}

#[test]
fn rule_7_upward_links_count_from_the_page_and_stay_in_their_language() {
    check(
        &[
            ("_articles/legal.md", "---\nlang: en\n---\nLegal [c](../conduct/)"),
            ("_articles/conduct.md", "---\nlang: en\n---\nConduct"),
            ("_articles/de/legal.md", "---\nlang: de\n---\nRecht [c](../conduct/) [d](../conduct.md)"),
            ("_articles/de/conduct.md", "---\nlang: de\n---\nVerhalten"),
        ],
        &[
            "/articles/conduct: Conduct",
            "/articles/de/conduct: Verhalten",
            "/articles/de/legal: Recht [c](https://example.org/articles/de/conduct.md) [d](https://example.org/articles/conduct.md)",
            "/articles/legal: Legal [c](https://example.org/articles/conduct.md)",
        ],
    );
}

#[test]
fn rule_8_languages_come_with_proof() {
    let language = |article: &Article| {
        let others: Vec<_> = article.translations.iter().map(|(language, stem)| format!("{language}={stem}")).collect();
        format!("{} {} {} [{}]", article.stem, article.language, article.rtl, others.join(" "))
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
            ("posts/2015-01-02-03-my-file.md", "---\ndate: 1999-01-01\n---\nx"),
            ("posts/folder-name/index.md", "x"),
        ],
        |article| article.title.to_string(),
        &["My file", "1.10", "From heading", "Below", "Label", "Folder name"],
    );
}

#[test]
fn rule_14_tags_and_authors_are_lists() {
    facts(
        &[
            ("posts/a.md", "---\ntags: Open Source, 'x'\nauthor: {name: Ann}\n---\nx"),
            ("posts/b.md", "---\ntags: [open source, '#y/z']\nauthors:\n - ben\n - name: Cat\n---\nx"),
            ("posts/c.md", "---\ntaxonomies:\n  tags: [open source]\n---\nx"),
            ("_data/authors.yml", "ben:\n  name: Ben B.\n"),
        ],
        |article| format!("{:?} {:?}", article.tags.iter().map(|tag| format!("{}={}", tag.name, tag.slug)).collect::<Vec<_>>(), article.authors),
        &[
            r#"["open source=open-source", "'x'='x'"] ["Ann"]"#,
            r#"["open source=open-source", "y/z=y-z"] ["Ben B.", "Cat"]"#,
            r#"["open source=open-source"] []"#,
        ],
    );
}

#[test]
fn rule_15_wikilinks_go_by_name() {
    let mut sources = sources(&[
        ("docs/Note.md", "# Note\n\n## Some Part\n"),
        ("docs/a/Twin.md", "a"),
        ("docs/b/Twin.md", "b"),
        ("docs/img/p.png", "x"),
        ("docs/b/z.md", "---\naliases: [Zed]\n---\n[[Note#Some part|text]] [[Twin]] [[a/Twin]] [[zed]] ![[p.png]] [[None]] %%gone%%"),
    ]);
    sources.hidden.insert("docs/.obsidian".to_owned());
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    let article = library.articles.iter().find(|article| &*article.stem == "/articles/b/z").unwrap();
    let targets: Vec<_> = article
        .targets
        .iter()
        .map(|target| match target {
            Target::Page { stem, fragment } => format!("{stem}#{}", fragment.as_deref().unwrap_or_default()),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(targets[..4], ["/articles/Note#some-part", "/articles/b/Twin#", "/articles/a/Twin#", "/articles/b/z#"].map(str::to_owned));
    assert!(targets[4].contains("/articles/img/p.png") && targets[5] == "Unresolved", "{targets:?}");
    assert!(!article.document.plain_text().contains("gone"));
}

#[test]
fn rule_24_html_files_are_articles_too() {
    let page = "<!doctype html><html lang=de><head><title>Titel – Seite</title><meta name=description content='Kurz.'></head>\n<body><nav>x</nav><main>\n\n    <p>Ein {{ x }} <a href='b.html'>b</a> <code>{{ y }}</code></p></main></body></html>";
    let library = build(&[
        ("posts/a.html", page),
        ("posts/b.md", "---\ndate: 2020-01-01\n---\nB"),
        ("about.html", "---\ntitle: About\n---\n<p>Us <a href=none>c</a></p>"),
    ]);
    let article = library.articles.iter().find(|article| &*article.stem == "/articles/a").unwrap();
    assert_eq!((article.language.as_str(), &*article.summary), ("de", "Kurz."));
    assert_eq!(article.document.plain_text().trim(), "Ein  b {{ y }}".replace("  ", " "));
    assert!(matches!(&article.targets[0], Target::Page { stem, .. } if &**stem == "/articles/b"));
    assert_eq!((&*library.pages[0].stem, &*library.pages[0].title), ("/about", "About"));
    assert_eq!(library.problems.iter().map(ToString::to_string).collect::<Vec<_>>(), ["about.html:4:10: warning: the link `none` leads nowhere"]);
}

#[test]
fn rule_21_what_is_no_article_is_said() {
    let library = build(&[
        ("posts/a.md", "x"),
        ("posts/b.md", "---\ndraft: true\n---\nx"),
        ("posts/c.md", "---\ntitle: x\n---\n<!-- only a comment -->\n"),
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
    let skipped: Vec<_> = library.report.skipped.iter().map(|(reason, files)| format!("{reason}: {}", files.join(" "))).collect();
    assert_eq!(
        skipped,
        [
            "README, LICENSE and the like: posts/CONTRIBUTING.md",
            "a text in a format that is not read: `.rst`: posts/x.rst",
            "draft: _drafts/d.md posts/b.md",
            "empty body: posts/c.md",
            "expired: posts/g.md",
            "in a folder whose name begins with `_`: _includes/e.html",
            "partial: its name begins with `_`: posts/_partial.md",
            "scheduled for later: posts/h.md",
            "section file: posts/_index.md",
            "template or partial: layouts/f.html",
        ]
    );
    assert_eq!(library.expired.iter().collect::<Vec<_>>(), ["/articles/g"]);
    assert_eq!(library.next_change, Some("2024-07-01T00:00:00Z".parse().unwrap()));
    assert_eq!(library.problems.len(), 2, "{:?}", library.problems);
    assert!(library.articles.iter().all(|article| article.targets.iter().all(|target| *target == Target::Unresolved)));
}

#[test]
fn every_decision_about_a_file_can_be_asked() {
    let sources = sources(&[("posts/2015-01-02-a.md", "---\ntags: [x]\nlang: de\n---\n# A\n\nText [b](b.md).\n")]);
    let explained = explain(&sources, &site(), NOW.parse().unwrap(), "posts/2015-01-02-a.md").to_string();
    assert_eq!(
        explained,
        "posts/2015-01-02-a.md: published as the article `/articles/2015-01-02-a.html` and `/articles/2015-01-02-a.md`
  folder       plain (nothing says otherwise)
  articles     `posts/` (the first that exists of `articles/`, `_posts/`, `_articles/`, `content/posts/`, `content/`, `posts/`, `docs/`)
  role         a text in Markdown (it lies in the articles folder)
  front matter YAML (`tags`, `lang`)
  address      `/articles/2015-01-02-a.html` (its path)
  title        A (the first heading of level 1)
  summary      Text b. (the first paragraph of prose)
  date         2015-01-02 (its file name)
  updated      2020-02-02T00:00:00Z (the git history)
  language     de (a key of its front matter)
  tags         x
  visibility   published
  links        1 link (1 leads nowhere) inside the folder
posts/2015-01-02-a.md:7:6: warning: the link `b.md` leads nowhere"
    );
    assert_eq!(explain(&sources, &site(), NOW.parse().unwrap(), "x").outcome, "there is no such file in the folder");
}

#[test]
fn rule_7_links_to_where_the_site_was_before_stay_on_the_site() {
    let config = "url: https://tom.example\nbaseurl: /blog\npermalink: /:year/:title.html\n";
    let post = "[a](/blog/about/) [b](/blog/) [c](https://tom.example/blog/2020/x.html#top) [d](https://tom.example/shop) [e](/blogs/x)\n";
    let library = build(&[("_config.yml", config), ("about.md", "# About\n\nWords.\n"), ("_posts/2020-03-04-x.md", post)]);
    let article = library.articles.first().unwrap();
    let shown: Vec<String> = article.targets.iter().map(|target| format!("{target:?}")).collect();
    assert!(shown[0].contains("\"/about\""), "{shown:?}");
    assert!(shown[1].contains("\"/index\""), "{shown:?}");
    assert!(shown[2].contains(&*article.stem), "{shown:?}");
    assert!(shown[3].contains("https://tom.example/shop"), "{shown:?}");
    assert_eq!(article.targets[4], Target::Unresolved);
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    fn file() -> impl Strategy<Value = (String, String)> {
        let path = "(articles/|_posts/|docs/|static/|_x/|de/|fr/)?(a|b|index|README|..|%|ä| |2015-01-02-x|_index|404)\\.(md|html|png|txt|toml|MD)";
        let text = "(---\n(title: x\n|draft: true\n|slug: a\n|date: 2030-01-01\n|aliases: \\[/a, b\\]\n|redirect_to: /b\n|lang: de\n|guid: x\n){0,3}---\n)?(# A\n|\\[x\\]\\(\\.\\./a/\\)|\\[\\[a\\]\\]|\\{% x %\\}|\\{\\{ y | text )";
        (path, text)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]
        #[test]
        fn published_and_set_aside_and_skipped_are_all(files in proptest::collection::vec(file(), 0..12)) {
            let files: BTreeMap<String, String> = files.into_iter().collect();
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let library = build(&files);
            let report = &library.report;
            let skipped: usize = report.skipped.values().map(Vec::len).sum();
            prop_assert_eq!(report.found, files.len());
            prop_assert_eq!(report.found, report.published + report.set_aside.len() + skipped);
            prop_assert_eq!(report.published, library.articles.len() + library.pages.len() + library.files.len());
            let all = || library.articles.iter().chain(&library.pages);
            let stems: BTreeSet<&str> = all().map(|article| &*article.stem).collect();
            prop_assert_eq!(stems.len(), all().count());
            for article in all() {
                prop_assert_eq!(article.targets.len(), article.document.references.len());
                for target in &*article.targets {
                    if let Target::Page { stem, .. } = target {
                        let generated = ["/index", "/terms", "/api", "/articles/index"].contains(&&**stem);
                        prop_assert!(generated || stems.contains(&**stem), "{} leads to {}", article.source, stem);
                    }
                }
            }
            for old in library.redirects.keys() {
                prop_assert!(!stems.contains(old.as_str()));
            }
            for (path, _) in &files {
                prop_assert!(!explain(&sources(&files), &site(), NOW.parse().unwrap(), path).outcome.is_empty());
            }
        }
    }
}

#[test]
fn rule_11_callouts_keep_their_links_and_their_places() {
    let text = "Some words.\n\n{{% notice tip \"T\" %}}\na :smile:\n\n[x](nowhere.md)\n{{% /notice %}}\n\n[y](gone.md)\n";
    let library = build(&[("articles/a.md", text)]);
    let lines: Vec<u32> = library.articles[0].document.references.iter().map(|reference| reference.line).collect();
    assert_eq!(lines, [6, 9]);
    let twin = {
        let site = site();
        let article = &library.articles[0];
        let rendering = Rendering { base: &site.base, stem: &article.stem, targets: &article.targets, purpose: Purpose::Twin };
        write_markdown(&article.document, &rendering).text
    };
    assert_eq!(twin, "Some words.\n\n> [!TIP]\n> **T**\n>\n> a 😄\n>\n> x\n\ny\n");
}

/// The twin of one article.
fn twin(library: &Library, stem: &str) -> String {
    let article = library.articles.iter().find(|article| &*article.stem == stem).unwrap();
    let site = site();
    let rendering = Rendering { base: &site.base, stem, targets: &article.targets, purpose: Purpose::Twin };
    write_markdown(&article.document, &rendering).text.trim().to_owned()
}

#[test]
fn links_and_media_of_other_schemes_are_dropped_and_named() {
    let hint = "pages lead to `https:`, `http:`, `mailto:`, `tel:` and the like; an address that is to be read can be written as code";
    let told = |column: usize, what: &str, address: &str, scheme: &str, hint: &str| {
        format!("articles/a.md:1:{column}: warning: the {what} `{address}` is dropped: no page leads to `{scheme}:` addresses | hint: {hint}")
    };
    check(
        &[("articles/a.md", "[a](ms-msdt:/id) <a href=\"intent:x\">b</a> ![c](file:///c) <tel:+49> [d](JavaScript:d) [e](hhttps://e.example)")],
        &[
            "/articles/a: a b c [tel:+49](tel:+49) d e",
            &told(1, "link", "ms-msdt:/id", "ms-msdt", hint),
            &told(21, "link", "intent:x", "intent", hint),
            &told(43, "image or file", "file:///c", "file", hint),
            &told(69, "link", "JavaScript:d", "javascript", hint),
            &told(87, "link", "hhttps://e.example", "hhttps", "did you mean `https:`?"),
        ],
    );
}

#[test]
fn rule_25_a_dollar_is_a_formula_where_the_folder_says_so() {
    let asked = |files: &[(&str, &str)], math: Option<bool>| {
        let text = ("content/posts/a.md", "It costs $5 and $6, and $a_1$ b.\n\n$$x$$");
        let files: Vec<_> = files.iter().copied().chain([text]).collect();
        let twin = twin(&Library::build(&sources(&files), &Site { math, ..site() }, NOW.parse().unwrap()), "/articles/a");
        assert!(twin.contains("It costs") && twin.ends_with("$$\nx\n$$") && !twin.contains("$5 and$"), "{twin}");
        twin.contains("\\$5 and \\$6") && twin.contains("$a_1$")
    };
    let hugo = |config: &'static str| asked(&[("hugo.toml", config)], None);
    assert!(!hugo("title = 'x'"));
    assert!(hugo("[params]\nmath = true"));
    assert!(hugo(
        "[markup.goldmark.extensions.passthrough]\nenable = true\n[markup.goldmark.extensions.passthrough.delimiters]\ninline = [['\\(', '\\)'], ['$', '$']]"
    ));
    assert!(!hugo("[markup.goldmark.extensions.passthrough.delimiters]\nblock = [['$$', '$$']]"));
    assert!(asked(
        &[(
            "hugo.yaml",
            "markup:\n  goldmark:\n    extensions:\n      passthrough:\n        delimiters:\n          inline:\n            - - $\n              - $"
        )],
        None
    ));
    assert!(!asked(&[], None) && asked(&[], Some(true)));
    assert!(!asked(&[("hugo.toml", "[params]\nmath = true")], Some(false)));
}

#[test]
fn rule_15_notes_are_shown_in_others() {
    let library = build(&[
        ("a.md", "![[b]]\n\nx\n![[b#Two]]\ny\n\n- ![[b#^i]]\n\n![[secret]] ![[b]]"),
        ("b.md", "# B\n\nOne [^n] [there](#two).\n\n## Two\n\n[[c]]\n\n### Three\n\n## Four\n\n- p\n- q ^i\n\n[^n]: Note."),
        ("c.md", "![[a]]"),
        ("secret.md", "---\npublish: false\n---\nCANARY"),
    ]);
    let b = "https://example.org/articles/b.md";
    let expected = format!(
        "> [B]({b})\n>\n> One [^1] [there]({b}#two).\n>\n> **Two**\n>\n> [c](https://example.org/articles/c.md)\n>\n> **Three**\n>\n> **Four**\n>\n> - p\n> - q\n\nx\n\n\
         > [b#Two]({b}#two)\n>\n> **Two**\n>\n> [c](https://example.org/articles/c.md)\n>\n> **Three**\n\ny\n\n- > [b#^i]({b}#%5Ei)\n  >\n  > q\n\nsecret [b]({b})\n\n[^1]: Note."
    );
    assert_eq!(twin(&library, "/articles/a"), expected.replace("[b#Two]", "[B]").replace("[b#^i]", "[B]"));
    // A circle ends where it begins.
    assert!(twin(&library, "/articles/c").contains("> > One"), "{}", twin(&library, "/articles/c"));
    let library = build(&[("a.md", "![[b]]"), ("b.md", "words\n\n![[a]]"), ("z.md", "[[a]] [[b]]")]);
    assert_eq!(twin(&library, "/articles/a"), "> [B](https://example.org/articles/b.md)\n>\n> words\n>\n> [a](https://example.org/articles/a.md)");
    assert!(library.problems.iter().any(|problem| problem.to_string() == "a.md:1:1: warning: `![[a]]` is but a link: it shows itself"));
}

#[test]
fn notes_that_show_many_others_are_bounded() {
    let names: Vec<String> = (0..30).map(|number| format!("n{number}")).collect();
    let all: String = names.iter().map(|name| format!("![[{name}]]\n\n{}\n\n", "words ".repeat(200))).collect();
    let files: Vec<(String, &str)> = names.iter().map(|name| (format!("{name}.md"), all.as_str())).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let library = build(&files);
    assert!(library.articles.iter().all(|article| article.document.plain_text().len() < 1_000_000));
}

/// The old addresses of a folder and where they lead.
fn old(files: &[(&str, &str)]) -> Vec<String> {
    build(files).redirects.iter().map(|(old, new)| format!("{old} {new}")).collect()
}

#[test]
fn rule_4_addresses_of_other_generators_keep_working() {
    let check = |files: &[(&str, &str)], expected: &[&str]| assert_eq!(old(files), expected);
    check(
        &[("_config.yml", "permalink: /:year/:month/:title/\n"), ("_posts/2020-01-02-a-b.md", "A.")],
        &["/2020/01/02/a-b.html /articles/2020-01-02-a-b", "/2020/01/02/a-b/ /articles/2020-01-02-a-b", "/2020/01/a-b/ /articles/2020-01-02-a-b"],
    );
    check(
        &[("hugo.toml", "[permalinks]\nposts = '/:year/:slug/'\n"), ("content/posts/x.md", "---\ndate: 2020-01-02\ntitle: My Words\n---\nA.")],
        &["/2020/my-words/ /articles/x"],
    );
    check(
        &[("hugo.toml", ""), ("content/blog/x/index.md", "A."), ("content/y.md", "---\nurl: /z/\n---\nB.")],
        &["/blog/x/ /articles/blog/x", "/z/ /articles/y"],
    );
    check(&[("_config.yml", ""), ("source/_posts/hello.md", "---\ndate: 2020-01-02\n---\nA.")], &["/2020/01/02/hello/ /articles/hello"]);
    check(&[("book.toml", ""), ("src/SUMMARY.md", "- [A](a.md)"), ("src/a.md", "A.")], &["/a.html /articles/a"]);
    check(&[("a.md", "A."), ("b.md", "---\naliases: [/old/]\n---\nB.")], &["/old/ /articles/b"]);
}

#[test]
fn configuration_says_what_belongs_to_the_site() {
    check(
        &[
            ("_config.yml", "exclude: [old]\ncollections: {docs: {output: true}}\ndefaults: [{scope: {path: _posts}, values: {published: false}}]"),
            ("_docs/a.md", "A."),
            ("_other/a.md", "CANARY"),
            ("_posts/2020-01-01-b.md", "CANARY"),
            ("_posts/2020-01-01-c.md", "---\npublished: true\n---\nC."),
            ("old/x.md", "CANARY"),
        ],
        &["/articles/2020-01-01-c: C.", "/docs/a: A."],
    );
}
