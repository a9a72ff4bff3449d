//! What of a page is not its article: menus, trails, tables of contents, buttons, banners, pagers.
//!
//! Names decide, and they are matched whole: a class that merely contains `nav` may be anything.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tokens::StartTag;
use super::tree::Tree;

/// Classes and ids that no article has around its own words, by the names of the generators and themes that people use.
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

/// Classes and ids of what stands around a mere body's content, and of nothing in an article.
#[rustfmt::skip]
const AROUND: &[&str] = &[
    "banner", "bottom-nav", "documentwrapper-nav", "footer", "global-nav", "gnav", "left-sidebar", "main-menu", "main-nav", "main-navigation", "menu",
    "msearchselectwindow", "nav", "nav-path", "navbar", "navigation", "navrow1", "navrow2", "navrow3", "navrow4", "page-footer", "related",
    "right-sidebar", "rst-versions", "search", "side-nav", "sidebar", "sidenav", "site-footer", "site-header", "site-nav", "subscribe", "titlearea",
    "tocwrapper", "toolbar", "top-bar", "top-nav", "topbar", "topnav", "widget-area", "wy-nav-side", "wy-nav-top",
];

/// Whether an element is furniture wherever it stands.
pub(super) fn anywhere(tag: &StartTag) -> bool {
    let role = tag.get("role").is_some_and(|role| matches!(role, "navigation" | "search" | "dialog" | "alertdialog" | "contentinfo"));
    role || matches!(tag.name.as_str(), "button" | "select" | "form" | "search" | "dialog") || named(tag, ANYWHERE)
}

/// Whether an element stands around the article in a page that does not say where that is.
fn around(tag: &StartTag) -> bool {
    anywhere(tag)
        || tag.get("role").is_some_and(|role| matches!(role, "banner" | "complementary" | "menu" | "menubar" | "toolbar"))
        || matches!(tag.name.as_str(), "nav" | "footer")
        || named(tag, AROUND)
}

fn named(tag: &StartTag, names: &[&str]) -> bool {
    let words = [tag.get("class"), tag.get("id")].into_iter().flatten().flat_map(str::split_whitespace).take(50);
    words.map(str::to_ascii_lowercase).any(|word| names.binary_search(&word.as_str()).is_ok())
}

/// The elements of a body that are not its article: by name, or because they are lists of links beside text. What holds most of the page is
/// looked into, and never dropped.
pub(super) fn of_body(tree: &Tree<'_>, body: Range<usize>) -> Vec<usize> {
    const DEEPEST: usize = 40;
    let linked = linked_places(tree, &body);
    let mut dropped = Vec::new();
    let mut range = body;
    for _ in 0..DEEPEST {
        let total = tree.sum(&range);
        let mut largest = None;
        for child in tree.children(range.clone()) {
            let Some(tag) = tree.tag(child) else { continue };
            let own = tree.sum(&tree.inside(child));
            let most = own.text * 5 > total.text * 3;
            let inside = tree.inside(child);
            let furniture = || around(tag) && !is_docbook(tree, &inside) || is_menu(tag, own) && !is_list_of_sources(tree, &inside, &linked);
            if !most && own.titles == 0 && furniture() {
                dropped.push(child);
            } else if most && is_box(&tag.name) {
                largest = Some(child);
            }
        }
        match largest {
            Some(child) => range = tree.inside(child),
            None => break,
        }
    }
    dropped.sort_unstable();
    dropped
}

/// A list of links with hardly a word beside them.
fn is_menu(tag: &StartTag, sum: super::tree::Fingerprint) -> bool {
    is_box(&tag.name) && sum.links >= 4 && sum.linked * 5 > sum.text * 4 && sum.pictures == 0
}

/// The places on this page that links lead to, and how many do.
fn linked_places<'t>(tree: &Tree<'t>, range: &Range<usize>) -> FxHashMap<&'t str, usize> {
    let mut places = FxHashMap::default();
    for place in range.clone().filter_map(|at| tree.tag(at)).filter(|tag| tag.name == "a").filter_map(place) {
        *places.entry(place).or_default() += 1;
    }
    places
}

fn place(tag: &StartTag) -> Option<&str> {
    tag.get("href").and_then(|address| address.strip_prefix('#')).filter(|place| !place.is_empty())
}

/// A list of references: the text leads into it, and it leads elsewhere. (A table of contents leads to the text.)
fn is_list_of_sources(tree: &Tree<'_>, inside: &Range<usize>, linked: &FxHashMap<&str, usize>) -> bool {
    let tags = || inside.clone().filter_map(|at| tree.tag(at));
    let (mut within, mut elsewhere) = (FxHashMap::<&str, usize>::default(), 0_usize);
    for tag in tags().filter(|tag| tag.name == "a" && tag.get("href").is_some()) {
        match place(tag) {
            Some(place) => *within.entry(place).or_default() += 1,
            None => elsewhere += 1,
        }
    }
    let from_outside = |id: &str| linked.get(id).is_some_and(|all| *all > within.get(id).copied().unwrap_or_default());
    let cited = tags().filter(|tag| tag.get("id").or_else(|| tag.get("name").filter(|_| tag.name == "a")).is_some_and(from_outside)).count();
    cited > 1 && elsewhere > within.values().sum()
}

/// A part that DocBook gave a title page of its own: its sidebars are parts of the text.
fn is_docbook(tree: &Tree<'_>, inside: &Range<usize>) -> bool {
    let near = inside.start..inside.end.min(inside.start + 10);
    near.filter_map(|at| tree.tag(at)).any(|tag| tag.get("class") == Some("titlepage"))
}

fn is_box(name: &str) -> bool {
    matches!(name, "div" | "section" | "ul" | "ol" | "table" | "tbody" | "tr" | "td" | "center" | "aside" | "header" | "span" | "dl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(ANYWHERE.is_sorted() && AROUND.is_sorted());
    }
}
