//! Pages of a guide: the tree beside them, the steps to them, the contents of sections.

use diglot_content::library::PublishedFile;
use diglot_content::tree::{Builder, Leads};
use diglot_content::{Shape, Tree};

use super::*;
use crate::route::Route;

/// A tree from an indented list: `title = stem`, `title > URL`, or a heading.
fn tree(language: &str, lines: &[&str]) -> Tree {
    let mut builder = Builder::default();
    let mut depth = 0;
    for line in lines {
        let bare = line.trim_start();
        let own = (line.len() - bare.len()) / 2;
        for _ in own..depth {
            builder.close();
        }
        depth = own + 1;
        match (bare.split_once(" = "), bare.split_once(" > ")) {
            (Some((title, stem)), _) => builder.open(title, Leads::Text(stem.into())),
            (_, Some((title, url))) => builder.open(title, Leads::Site(url.into())),
            _ => builder.open(bare, Leads::Nowhere),
        }
    }
    builder.finish(language)
}

const OUTLINE: [&str; 8] = [
    "Start = /articles/start",
    "First steps",
    "  Install = /articles/install",
    "  More & more",
    "    Tools = /articles/tools",
    "Reference = /articles/reference",
    "  Calls = /articles/calls",
    "Forum > https://forum.example/",
];

fn guide_of(lines: &[&str], mut written: Vec<Article>) -> Library {
    let tree = tree("en", lines);
    for (at, stem) in tree.stems() {
        if !written.iter().any(|text| text.stem == *stem) {
            written.push(article(stem, &tree.nodes[at].title, None, "Words of it."));
        }
    }
    Library {
        shape: Shape::Guide,
        trees: Arc::new(vec![tree]),
        ..library(written)
    }
}

pub(super) fn guide(written: Vec<Article>) -> Vec<Arc<Page>> {
    rendered(&guide_of(&OUTLINE, written), &site(), &[]).unwrap()
}

/// The text between two others.
#[track_caller]
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, rest) = text
        .split_once(from)
        .unwrap_or_else(|| panic!("no `{from}` in {text}"));
    rest.split_once(to)
        .unwrap_or_else(|| panic!("no `{to}` after `{from}`"))
        .0
}

fn sidebar(html: &str) -> &str {
    between(html, "<nav class=\"tree\"", "</nav>")
}

#[test]
fn contract_7_every_page_of_a_guide_has_the_tree_behind_its_text_with_its_own_branch_open() {
    let pages = guide(Vec::new());
    let (html, _) = forms(&pages, "/articles/tools");
    let (before, after) = html.split_once("</main>").unwrap();
    has_not(before, "class=\"tree\"");
    let tree = sidebar(after);
    has(tree, "aria-label=\"Contents\"");
    has(
        tree,
        "<a href=\"/articles/tools.html\" aria-current=\"page\">Tools</a>",
    );
    assert_eq!(tree.matches("aria-current").count(), 1);
    // The two sections above it are open; the third is closed, with what is below it.
    assert_eq!(tree.matches("<details open>").count(), 2);
    has(tree, "<summary aria-label=\"Reference\"></summary>");
    has(tree, "<a href=\"/articles/calls.html\">Calls</a>");
    has(tree, "<a href=\"https://forum.example/\">Forum</a>");
    for stem in [
        "/index",
        "/articles/index",
        "/terms",
        "/sections/first-steps",
    ] {
        has(&forms(&pages, stem).0, "<nav class=\"tree\"");
    }
    let dated = article("/articles/news", "News", Some("2024-01-02"), "News.");
    has_not(
        &forms(&guide(vec![dated]), "/articles/news").0,
        "<nav class=\"tree\"",
    );
}

#[test]
fn contract_7_a_section_without_a_text_has_a_page_with_its_contents_in_the_authors_order() {
    let pages = guide(Vec::new());
    let (html, twin) = forms(&pages, "/sections/first-steps");
    let main = between(&html, "<main", "</main>");
    let install = main.find("Install</a>").unwrap();
    assert!(install < main.find("More &amp; more</a>").unwrap());
    has(main, "<p>Words of it.</p>");
    has(&twin, "\n# First steps\n");
    has(
        &twin,
        "- [Install](https://example.org/articles/install.md): Words of it.\n",
    );
    has(
        &twin,
        "- [More & more](https://example.org/sections/first-steps/more-more.md)\n",
    );
    has(
        &twin,
        "  - [Tools](https://example.org/articles/tools.md)\n",
    );
    let stems: Vec<_> = pages
        .iter()
        .filter(|page| matches!(page.html_route, Route::Section(..)))
        .map(|page| page.html_route.stem().unwrap())
        .collect();
    assert_eq!(
        stems,
        ["/sections/first-steps", "/sections/first-steps/more-more"]
    );
    assert!(pages.iter().all(|page| page.parity.differences.is_empty()));
}

#[test]
fn contract_7_breadcrumbs_and_neighbours_are_in_both_forms() {
    let pages = guide(Vec::new());
    let (html, twin) = forms(&pages, "/articles/tools");
    let crumbs = between(&html, "<nav class=\"crumbs\"", "</nav>");
    let steps = [
        "<a href=\"/\">Home</a>",
        "<a href=\"/sections/first-steps.html\">First steps</a>",
        "<a href=\"/sections/first-steps/more-more.html\">More &amp; more</a>",
    ];
    let places: Vec<usize> = steps
        .iter()
        .map(|step| crumbs.find(step).unwrap())
        .collect();
    assert!(places.is_sorted());
    has(
        &html,
        "<a rel=\"prev\" href=\"/articles/install.html\"><span>Previous</span> Install</a>",
    );
    has(
        &html,
        "<a rel=\"next\" href=\"/articles/reference.html\"><span>Next</span> Reference</a>",
    );
    let tail = twin.split_once("\n## Sitemap\n").unwrap().1;
    has(
        tail,
        "- Above: [Notes & Queries](https://example.org/index.md) › \
         [First steps](https://example.org/sections/first-steps.md) › \
         [More & more](https://example.org/sections/first-steps/more-more.md)\n",
    );
    has(
        tail,
        "- Previous: [Install](https://example.org/articles/install.md)\n",
    );
    has(
        tail,
        "- Next: [Reference](https://example.org/articles/reference.md)\n",
    );
    // The page of a section is between the texts around it.
    let (section, twin) = forms(&pages, "/sections/first-steps");
    has(&section, "<a rel=\"prev\" href=\"/articles/start.html\">");
    has(&section, "<a rel=\"next\" href=\"/articles/install.html\">");
    has(
        &twin,
        "- Previous: [Start](https://example.org/articles/start.md)\n",
    );
    has(&section, "\"BreadcrumbList\"");
}

#[test]
fn contract_7_an_authors_page_keeps_its_path_and_the_section_gets_a_suffix() {
    let own = article("/sections/first-steps", "My own", None, "Mine.");
    let library = Library {
        files: vec![PublishedFile {
            path: "/sections/first-steps/more-more.md".into(),
            source: "x.md".into(),
            bytes: Bytes::from_static(b"file"),
            changed: "2024-01-01T00:00:00Z".parse().unwrap(),
        }],
        ..guide_of(&OUTLINE, vec![own])
    };
    let pages = rendered(&library, &site(), &[]).unwrap();
    let (html, twin) = forms(&pages, "/sections/first-steps");
    has(&html, "<h1>My own</h1>");
    has(&twin, "# My own");
    let own = pages.iter().find(|page| &*page.title == "My own").unwrap();
    assert!(matches!(own.html_route, Route::Page(..)));
    has(
        &forms(&pages, "/sections/first-steps-list").0,
        "<h1>First steps</h1>",
    );
    has(
        &forms(&pages, "/sections/first-steps/more-more-list").0,
        "<h1>More &amp; more</h1>",
    );
}

#[test]
fn contract_7_sections_of_one_title_have_paths_of_their_own() {
    let lines = [
        "Same",
        "  A = /articles/a",
        "same!",
        "  B = /articles/b",
        "…",
        "  C = /articles/c",
    ];
    let pages = rendered(&guide_of(&lines, Vec::new()), &site(), &[]).unwrap();
    has(&forms(&pages, "/sections/same").0, "<h1>Same</h1>");
    has(&forms(&pages, "/sections/same-2").0, "<h1>same!</h1>");
    has(&forms(&pages, "/sections/section-5").0, "<h1>…</h1>");
}

#[test]
fn contract_7_the_home_page_of_a_guide_is_the_authors_text_and_the_contents() {
    let written = vec![
        article("/index", "Welcome", None, "To the guide."),
        article("/articles/news", "The news", Some("2024-01-02"), "New."),
    ];
    let (html, twin) = forms(&guide(written), "/index");
    let main = between(&html, "<main", "</main>");
    let order = [
        "To the guide.",
        "<h2>Contents</h2>",
        ">First steps</a>",
        ">Install</a>",
        "The news",
    ];
    let places: Vec<usize> = order
        .iter()
        .map(|part| main.find(part).unwrap_or_else(|| panic!("{part}")))
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    // Two levels, not three.
    has_not(main, "Tools");
    has(
        &twin,
        "## Contents\n\n- [Start](https://example.org/articles/start.md): Words of it.\n",
    );
    has(&twin, "The news");
    let (html, _) = forms(&guide(Vec::new()), "/index");
    has_not(&html, "Latest articles");
}

#[test]
fn contract_7_the_index_of_a_section_lists_it_unless_it_links_it() {
    let index = |text: &str| {
        let mut index = article("/articles/reference", "Reference", None, text);
        index.source = "docs/reference/_index.md".into();
        let (html, twin) = forms(&guide(vec![index]), "/articles/reference");
        let listed = between(&html, "<main", "</main>").contains("class=\"outline\"");
        assert_eq!(listed, twin.contains("## Contents"));
        listed
    };
    assert!(index("About calls."));
    assert!(!index("See [calls](calls.md)."));
    let (html, _) = forms(&guide(Vec::new()), "/articles/reference");
    has_not(&html, "class=\"outline\"");
}

#[test]
fn contract_7_a_text_of_a_guide_says_when_it_changed_and_not_who_wrote_it() {
    let text = article("/articles/tools", "Tools", Some("2024-05-01"), "Words.");
    let (html, _) = forms(&guide(vec![text]), "/articles/tools");
    let main = between(&html, "<main", "</main>");
    has(main, "Updated <time datetime=\"2024-05-01T12:00:00Z\">");
    has_not(main, "A. Author");
    has_not(main, "min read");
    assert_eq!(main.matches("<time").count(), 1);
}

#[test]
fn contract_7_a_heading_over_everything_is_no_level() {
    let lines = [
        "The Book",
        "  One = /articles/one",
        "  Two",
        "    Three = /articles/three",
    ];
    let pages = rendered(&guide_of(&lines, Vec::new()), &site(), &[]).unwrap();
    let (html, _) = forms(&pages, "/articles/three");
    has_not(sidebar(&html), "The Book");
    has(&html, "<a href=\"/sections/two.html\">Two</a>");
    assert_eq!(
        between(&html, "<nav class=\"crumbs\"", "</nav>")
            .matches("<li>")
            .count(),
        2
    );
}

#[test]
fn contract_7_trees_of_other_languages_have_sections_in_their_own_folder() {
    let german = |mut text: Article| {
        text.language = "ar".into();
        text.rtl = true;
        text
    };
    let mut library = guide_of(
        &OUTLINE,
        vec![german(article("/articles/ar/a", "أدوات", None, "كلمات"))],
    );
    let other = tree(
        "ar",
        &["دليل", "  أدوات = /articles/ar/a", "ب > https://b.example"],
    );
    Arc::make_mut(&mut library.trees).push(other);
    let pages = rendered(&library, &site(), &[]).unwrap();
    let (html, _) = forms(&pages, "/sections/ar/دليل");
    has(&html, "<html lang=\"ar\" dir=\"rtl\">");
    has(sidebar(&html), "aria-label=\"المحتويات\"");
    has(
        &forms(&pages, "/articles/ar/a").0,
        "aria-current=\"page\">أدوات</a>",
    );
    has_not(sidebar(&forms(&pages, "/articles/tools").0), "أدوات");
}

/// A guide of `sections` sections with as many texts in each.
pub(super) fn large(sections: usize, texts: usize) -> Library {
    let mut lines = Vec::new();
    for section in 0..sections {
        lines.push(format!("The section number {section}"));
        lines.extend((0..texts).map(|text| {
            format!(
                "  The text {text} of section {section} = /articles/section-{section}/text-{text}"
            )
        }));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    guide_of(&lines, Vec::new())
}

#[test]
fn contract_7_the_tree_of_a_large_guide_is_its_top_and_the_branch_within_10_kb() {
    for (sections, texts) in [(25, 40), (1, 600), (400, 2)] {
        let pages = rendered(&large(sections, texts), &site(), &[]).unwrap();
        for page in &pages {
            let html = std::str::from_utf8(&page.html).unwrap();
            let Some((_, rest)) = html.split_once("<nav class=\"tree\"") else {
                continue;
            };
            let tree = rest.split_once("</nav>").unwrap().0;
            assert!(
                tree.len() <= 10_000,
                "{} bytes at {}",
                tree.len(),
                page.html_route.path()
            );
            if matches!(page.html_route, Route::Article(..)) {
                assert_eq!(tree.matches("aria-current").count(), 1);
            }
            assert!(html.len() < 150_000);
        }
    }
    // The sections at the top are all there, and the texts beside the page.
    let pages = rendered(&large(25, 40), &site(), &[]).unwrap();
    let (html, _) = forms(&pages, "/articles/section-7/text-20");
    let tree = sidebar(&html);
    // The list of the texts ends with a link to the section that has all.
    assert_eq!(tree.matches("/sections/").count(), 25 + 1, "{tree}");
    has(tree, "/articles/section-7/text-19.html");
    has(tree, "/articles/section-7/text-21.html");
    has_not(tree, "/articles/section-8/");
}

#[test]
fn contract_7_a_section_of_thousands_of_texts_links_to_the_rest_of_them_in_the_list() {
    let pages = rendered(&large(2, 1_500), &site(), &[]).unwrap();
    for section in ["0", "1"] {
        let (html, twin) = forms(&pages, &format!("/sections/the-section-number-{section}"));
        let main = between(&html, "<main", "</main>");
        let (listed, more) = main.rsplit_once("<li><a href=\"/articles/page-").unwrap();
        let (page, rest) = more.split_once(".html\">More (").unwrap();
        // The home page is above the section.
        let shown = listed.matches("<li>").count() - 1;
        assert!(shown > 500, "{shown}");
        assert!(
            rest.starts_with(&format!("{})</a>", 1_500 - shown)),
            "{shown} {rest}"
        );
        has(&twin, &format!("/articles/page-{page}.md)\n"));
        let (list, _) = forms(&pages, &format!("/articles/page-{page}"));
        has(
            &list,
            &format!("/articles/section-{section}/text-{shown}.html\""),
        );
        assert!(html.len() < 150_000);
    }
    assert!(pages.iter().all(|page| page.parity.differences.is_empty()));
}

#[test]
fn contract_7_a_new_title_renders_only_the_pages_that_show_it() {
    let renamed = |library: &Library| {
        let mut library = library.clone();
        let tree = &mut Arc::make_mut(&mut library.trees)[0];
        let node = tree
            .nodes
            .iter_mut()
            .find(|node| &*node.title == "The text 20 of section 7");
        node.unwrap().title = "Renamed".into();
        library
    };
    let library = large(25, 40);
    let theme = Theme::new(&[]).unwrap();
    let site = site();
    let memo = Memos::default();
    let render_with = |library: &Library, memo: &Memos| {
        let context = Context {
            site: &site,
            library,
            theme: &theme,
            cards: &Cards::default(),
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            store: &crate::byte_store::Heap,
        };
        render(&context, memo).unwrap().pages
    };
    let first = render_with(&library, &memo);
    let library = renamed(&library);
    let second = render_with(&library, &memo);
    let fresh = render_with(&library, &Memos::default());
    let mut anew = 0;
    for ((first, second), fresh) in first.iter().zip(&second).zip(&fresh) {
        assert_eq!(second.html, fresh.html, "{}", second.html_route.path());
        assert_eq!(second.markdown(), fresh.markdown());
        anew += usize::from(!Arc::ptr_eq(first, second));
    }
    // Those beside it, its section, the home page.
    assert!((2..=42).contains(&anew), "{anew} pages");
}

#[test]
fn contract_7_a_source_is_named_only_in_the_link_to_edit_it() {
    let text = || article("/articles/tools", "Tools", None, "Words.");
    let (html, twin) = forms(&guide(vec![text()]), "/articles/tools");
    has_not(&html, "source-path");
    let mut site = site();
    site.edit_url = diglot_content::model::edit::EditUrl::parse("https://forge.example/e").ok();
    let pages = rendered(&guide_of(&OUTLINE, vec![text()]), &site, &[]).unwrap();
    let (html, other) = forms(&pages, "/articles/tools");
    has(
        &html,
        "<a href=\"https://forge.example/e/source-path.md\">Edit this page</a>",
    );
    assert_eq!(html.matches("source-path").count(), 1);
    assert_eq!(twin, other);
}
