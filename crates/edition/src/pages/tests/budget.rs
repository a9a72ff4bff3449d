//! What Diglot adds to a text: the page around it, and the style sheets that the page reads.

use super::guide::large;
use super::*;
use crate::route::Route;

const MOST: usize = 20_000;

/// The size of the style sheets that a page reads.
fn styles(theme: &Theme, html: &str) -> usize {
    let links = html.split("<link rel=\"stylesheet\" href=\"/_/").skip(1);
    let names = links.map(|rest| rest.split('"').next().unwrap());
    let size = |name| {
        let assets = theme.assets().iter();
        let mut found = assets.filter(|asset| asset.name == name);
        found.next().unwrap().bytes.len()
    };
    names.map(size).sum()
}

/// The size of a page without its text, and of its style sheets.
fn overhead(theme: &Theme, html: &str) -> usize {
    let (before, rest) = html.split_once("<div class=\"text\">").unwrap();
    let (_, after) = rest.rsplit_once("</div>\n").unwrap();
    before.len() + after.len() + styles(theme, html)
}

/// A long text with a table, code and very many headings.
fn long_text() -> String {
    format!(
        "First words.\n\n```rust\nlet x = 1;\n```\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n{}",
        "## A heading of some words\n\nText that fills the page with words.\n\n".repeat(200)
    )
}

#[test]
fn a_page_costs_under_20_kb_beside_its_content() {
    let text = long_text();
    let days: Vec<String> = (1..6).map(|day| format!("2024-05-0{day}")).collect();
    let written = |day: &String| {
        let stem = format!("/articles/on-{day}");
        let title = "A title of a usual length, perhaps";
        let article = article(&stem, title, Some(day), &text);
        tagged(article, &["Rust", "Web", "Type"])
    };
    let pages = pages(days.iter().map(written).collect());
    let (html, _) = forms(&pages, "/articles/on-2024-05-03");
    for part in [
        "<li><a href=\"#a-heading-of-some-words-10\">",
        "…</a>\n</ol>",
        "rel=\"prev\"",
        "class=\"related\"",
        "/_/code.",
        "/_/table.",
        "/_/contents.",
        "/_/byline.",
    ] {
        has(&html, part);
    }
    let theme = Theme::new(&[]).unwrap();
    let size = overhead(&theme, &html);
    assert!(size < MOST, "{size} bytes");
}

/// The pages of texts of a large guide whose texts are all this one.
fn guide_of(sections: usize, texts: usize, text: &str) -> Vec<(String, String)> {
    let mut library = large(sections, texts);
    let written = library.articles.iter().map(|old| {
        let mut new = article(&old.stem, &old.title, None, text);
        new.source = old.source.clone();
        Arc::new(new)
    });
    library.articles = written.collect::<Vec<_>>().into();
    let pages = rendered(&library, &site(), &[]).unwrap().into_iter();
    let texts = pages.filter(|page| matches!(page.html_route, Route::Article(..)));
    let html = |page: &Page| String::from_utf8(page.html.to_vec()).unwrap();
    texts
        .map(|page| (page.html_route.path(), html(&page)))
        .collect()
}

#[test]
fn a_page_of_a_guide_of_a_thousand_costs_under_20_kb_beside_its_content() {
    let theme = Theme::new(&[]).unwrap();
    let code = "Words of it.\n\n```rust\nlet x = 1;\n```\n";
    for (sections, texts) in [(25, 40), (1, 1_000), (100, 10)] {
        let pages = guide_of(sections, texts, code);
        for (path, html) in &pages {
            has(html, "<nav class=\"tree\"");
            has(html, "/_/code.");
            let size = overhead(&theme, html);
            assert!(size < MOST, "{size} bytes at {path}");
        }
        assert_eq!(pages.len(), sections * texts);
    }
}

#[test]
fn a_long_page_of_a_guide_with_table_and_code_costs_under_20_kb_beside_its_content() {
    let theme = Theme::new(&[]).unwrap();
    for (sections, texts) in [(25, 40), (1, 1_000), (100, 10)] {
        let mut library = large(sections, texts);
        let articles = Arc::make_mut(&mut library.articles);
        let at = articles.len() / 2;
        let old = &articles[at];
        let mut long = article(&old.stem, &old.title, Some("2024-05-01"), &long_text());
        long.source = old.source.clone();
        let stem = long.stem.clone();
        articles[at] = Arc::new(long);
        let pages = rendered(&library, &site(), &[]).unwrap();
        let (html, _) = forms(&pages, &stem);
        for part in ["tree", "contents", "turn", "crumbs"] {
            has(&html, &format!("<nav class=\"{part}\""));
        }
        for sheet in ["code", "table", "contents", "guide"] {
            has(&html, &format!("/_/{sheet}."));
        }
        let size = overhead(&theme, &html);
        assert!(size < MOST, "{size} bytes at {stem}");
    }
}

#[test]
fn the_more_a_page_of_a_guide_has_the_less_of_the_tree_is_beside_it() {
    let theme = Theme::new(&[]).unwrap();
    let light = "Words.".to_owned();
    let table = "| A |\n|---|\n| 1 |\n\n```rust\nlet x = 1;\n```\n\n> Said.\n\n";
    let note = "> [!NOTE]\n> Words.\n\nA note[^1] on H<sub>2</sub>O.\n\n[^1]: Words.\n\n";
    let heavy = [table, note, &long_text()].concat();
    let mut links = Vec::new();
    for text in [light, long_text(), heavy] {
        let mut library = large(25, 40);
        let articles = Arc::make_mut(&mut library.articles);
        let at = articles.len() / 2;
        let mut one = article(&articles[at].stem, &articles[at].title, None, &text);
        one.source = articles[at].source.clone();
        let stem = one.stem.clone();
        articles[at] = Arc::new(one);
        let pages = rendered(&library, &site(), &[]).unwrap();
        let (html, _) = forms(&pages, &stem);
        let size = overhead(&theme, &html);
        assert!(size < MOST, "{size} bytes");
        let tree = html.split_once("<nav class=\"tree\"").unwrap().1;
        let tree = tree.split_once("</nav>").unwrap().0;
        has(tree, "aria-current=\"page\"");
        links.push(tree.matches("<li>").count());
    }
    assert!(links.is_sorted_by(|more, less| more > less), "{links:?}");
}
