//! The parts of a page outside its article: menus, breadcrumbs, tables of contents, buttons,
//! banners, pagers.
//!
//! They are identified by whole names: a class that merely contains `nav` may be anything.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tokens::StartTag;
use super::tree::{Counts, Tree};

/// Classes and ids that occur only outside the text of articles, in widely used generators and
/// themes.
#[rustfmt::skip]
const ANYWHERE: &[&str] = &[
    "addtoany_share_save_container", "anchor-link", "anchorjs-link", "back-to-top", "breadcrumb", "breadcrumb-nav", "breadcrumbs", "btn-copy",
    "cc-window", "clipboard-button", "code-copy", "comment-form", "comment-respond", "comments", "comments-area", "consent-banner", "cookie-banner",
    "cookie-bar", "cookie-consent", "cookie-notice", "cookieconsent", "copy-button", "copy-code-button", "copy-to-clipboard-button", "copybtn",
    "disqus_thread", "edit-link", "edit-page", "edit-page-link", "edit-this-page", "gdpr", "giscus", "hash-link", "header-anchor", "headerlink",
    "heading-anchor", "localtoc", "md-content__button", "md-path", "md-sidebar", "md-source-file", "menu-bar", "mobile-nav-chapters",
    "mw-editsection", "nav-chapters", "nav-links", "nav-wrapper", "navbox", "navfooter", "navheader", "newsletter", "newsletter-form", "noprint",
    "on-this-page", "onetrust-consent-sdk", "page-nav", "page-navigation", "pager", "pagination", "pagination-nav", "paginator", "post-nav",
    "post-navigation", "prev-next", "prev-next-area", "prev-next-footer", "prevnext", "related-pages", "related-posts", "relatedposts",
    "rst-breadcrumbs-buttons", "rst-footer-buttons", "screen-reader-text", "search-form", "search-pop-up", "searchbox", "share", "share-buttons",
    "sharedaddy", "skip-link", "skip-to-content", "skiplink", "skippylink", "social-share", "sphinxsidebar", "sr-only", "table-of-contents",
    "tableofcontents", "theme-doc-breadcrumbs", "theme-doc-toc-mobile", "theme-edit-this-page", "toc", "toc-sidebar", "tocbar", "utterances",
    "viewcode-link", "visually-hidden", "vp-doc-footer", "wy-breadcrumbs", "zeroclipboard-container",
];

/// Classes and ids that occur only around the content of a body, never within an article.
#[rustfmt::skip]
const AROUND: &[&str] = &[
    "banner", "bottom-nav", "documentwrapper-nav", "footer", "global-nav", "gnav", "left-sidebar", "main-menu", "main-nav", "main-navigation", "menu",
    "msearchselectwindow", "nav", "nav-path", "navbar", "navigation", "navrow1", "navrow2", "navrow3", "navrow4", "page-footer", "related",
    "right-sidebar", "rst-versions", "search", "side-nav", "sidebar", "sidenav", "site-footer", "site-header", "site-nav", "subscribe", "titlearea",
    "tocwrapper", "toolbar", "top-bar", "top-nav", "topbar", "topnav", "widget-area", "wy-nav-side", "wy-nav-top",
];

/// Whether an element is boilerplate in any region.
pub fn is_boilerplate(tag: &StartTag) -> bool {
    matches!(
        tag.get("role"),
        Some("navigation" | "search" | "dialog" | "alertdialog" | "contentinfo")
    ) || matches!(
        tag.name.as_str(),
        "button" | "select" | "form" | "search" | "dialog"
    ) || tag.is("rel", "edit")
        || is_named(tag, ANYWHERE)
}

/// Whether an element is boilerplate in a page that does not mark its article.
fn is_around(tag: &StartTag) -> bool {
    is_boilerplate(tag)
        || matches!(
            tag.get("role"),
            Some("banner" | "complementary" | "menu" | "menubar" | "toolbar")
        )
        || matches!(tag.name.as_str(), "nav" | "footer")
        || is_named(tag, AROUND)
}

/// Whether a class or the id has one of these names.
fn is_named(tag: &StartTag, names: &[&str]) -> bool {
    let ids = tag.get("id").unwrap_or_default().split_whitespace();
    tag.classes().chain(ids).take(50).any(|word| {
        names
            .binary_search(&word.to_ascii_lowercase().as_str())
            .is_ok()
    })
}

/// The elements of a body outside its article: by name, or because they are lists of links next to
/// text. An element with most of the page's text is never dropped; its children are checked
/// instead.
pub fn of_body(tree: &Tree<'_>, body: Range<usize>) -> Vec<usize> {
    const DEEPEST: usize = 40;
    let linked = linked_ids(tree, &body);
    let mut dropped = Vec::new();
    let mut range = Some(body);
    for _ in 0..DEEPEST {
        let Some(outer) = range.take() else { break };
        let total = tree.count(&outer).text;
        for child in tree.outermost(outer, |_| true) {
            let inside = tree.inside(child);
            if tree.count(&inside).text * 5 <= total * 3 {
                if is_beside_text(tree, child, &linked) {
                    dropped.push(child);
                }
            } else if tree.tag(child).is_some_and(|tag| is_box(&tag.name)) {
                range = Some(inside);
            }
        }
    }
    dropped.sort_unstable();
    dropped
}

fn is_beside_text(tree: &Tree<'_>, at: usize, linked: &FxHashMap<&str, usize>) -> bool {
    let Some(tag) = tree.tag(at) else {
        return false;
    };
    let inside = tree.inside(at);
    let counts = tree.count(&inside);
    let is_menu = is_menu(tag, counts) && !is_list_of_sources(tree, inside, linked);
    counts.titles == 0 && (is_menu || is_around(tag) && !is_docbook(tree, at))
}

/// A list of links with hardly any other words.
fn is_menu(tag: &StartTag, counts: Counts) -> bool {
    is_box(&tag.name)
        && counts.links >= 4
        && counts.linked * 5 > counts.text * 4
        && counts.pictures == 0
}

/// The fragment links within a range, counted by the id that they target.
fn linked_ids<'t>(tree: &Tree<'t>, range: &Range<usize>) -> FxHashMap<&'t str, usize> {
    let mut ids = FxHashMap::default();
    for id in tree.tags(range.clone()).filter_map(linked_id) {
        *ids.entry(id).or_default() += 1;
    }
    ids
}

fn linked_id(tag: &StartTag) -> Option<&str> {
    if tag.name != "a" {
        return None;
    }
    tag.get("href")?
        .strip_prefix('#')
        .filter(|id| !id.is_empty())
}

/// A list of references: the text links into it, and it links elsewhere. (A table of contents links
/// to the text.)
fn is_list_of_sources(
    tree: &Tree<'_>,
    inside: Range<usize>,
    linked: &FxHashMap<&str, usize>,
) -> bool {
    let within = linked_ids(tree, &inside);
    let (mut cited, mut elsewhere) = (0, 0_usize);
    for tag in tree.tags(inside) {
        let is_link = tag.name == "a";
        if is_link && tag.get("href").is_some() && linked_id(tag).is_none() {
            elsewhere += 1;
        }
        let id = tag
            .get("id")
            .or_else(|| tag.get("name").filter(|_| is_link))
            .unwrap_or_default();
        if linked.get(id) > within.get(id) {
            cited += 1;
        }
    }
    cited > 1 && elsewhere > within.values().sum()
}

/// A section that DocBook gave a title page: its sidebars are part of the text.
fn is_docbook(tree: &Tree<'_>, at: usize) -> bool {
    tree.tags(tree.beginning(at, 10))
        .any(|tag| tag.get("class") == Some("titlepage"))
}

fn is_box(name: &str) -> bool {
    matches!(
        name,
        "div"
            | "section"
            | "ul"
            | "ol"
            | "table"
            | "tbody"
            | "tr"
            | "td"
            | "center"
            | "aside"
            | "header"
            | "span"
            | "dl"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(ANYWHERE.is_sorted() && AROUND.is_sorted());
    }
}
