//! Finds all includes of a text.

use super::finder::Finder;
use super::marker::Marker;
use super::{docfx, docsify, hashes, liquid, mdx, scissors, scriban, stars, vitepress};
use crate::dialects::passes::page::Page;
use crate::model::text::Marks;
use crate::syntax::markdown::literal::Literals;

/// Every text with an include contains one of these, except for tags of Liquid and JSX.
pub const SIGNS: [&str; 16] = [
    "{{#",
    "8<-",
    "{!",
    "{* ",
    "@include",
    "@[code",
    "<<< ",
    "[!INCLUDE",
    "[!include",
    "[!code",
    "[!Code",
    "[!CODE",
    ":::code ",
    "{{<",
    "{{%",
    docsify::SIGN,
];

/// Whether a text may contain an include.
pub fn may_include(text: &str, page: &Page<'_>) -> bool {
    static ANY: Marks = Marks::new(&[&SIGNS]);
    ANY.any(text)
        || text.contains("{%") && (text.contains("include") || text.contains("render"))
        || page.jsx && mdx::SIGNS.iter().any(|sign| text.contains(sign))
        || page.kind.config.features.scriban && text.contains("include")
}

/// The includes of a text, in order and without overlap; `code`: the whole text is code.
pub fn markers<'a>(
    text: &'a str,
    path: &'a str,
    literals: &'a Literals,
    code: bool,
    page: &'a Page<'a>,
) -> Vec<Marker> {
    let mut finder = Finder {
        text,
        path,
        literals,
        page,
        markers: Vec::new(),
    };
    hashes::find(&mut finder);
    if !page.html {
        scissors::find(&mut finder);
        scissors::find_bangs(&mut finder);
        stars::find(&mut finder);
        vitepress::find_comments(&mut finder);
        vitepress::find_arrows(&mut finder);
        vitepress::find_codes(&mut finder);
        if page.kind.dialect.hash_pages {
            docsify::find(&mut finder);
        }
        if page.kind.config.features.scriban {
            scriban::find(&mut finder);
        }
        docfx::find(&mut finder);
        docfx::find_code(&mut finder);
    }
    if !code {
        liquid::find(&mut finder);
        if page.jsx {
            mdx::find(&mut finder);
        }
    }
    apart(finder.markers)
}

/// The markers in their order; one inside another is dropped.
fn apart(mut markers: Vec<Marker>) -> Vec<Marker> {
    markers.sort_by_key(|marker| marker.range.start);
    let mut end = 0;
    markers.retain(|marker| {
        let apart = marker.range.start >= end;
        if apart {
            end = marker.range.end;
        }
        apart
    });
    markers
}
