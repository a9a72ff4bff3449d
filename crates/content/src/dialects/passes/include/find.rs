//! All includes of a text.

use std::ops::Range;

use super::site::{Ask, Site, Want};
use super::{docfx, hashes, liquid, mdx, scissors, vitepress};
use crate::dialects::dialect::Spelling;
use crate::dialects::passes::page::Page;
use crate::model::text::Marks;
use crate::syntax::markdown::literal::Literals;

/// The longest mark, in bytes.
const LONGEST: usize = 1000;

/// One of them is in every text that includes something, but for tags of Liquid and JSX.
pub const SIGNS: [&str; 10] = ["{{#", "8<-", "{!", "@include", "<<< ", "[!INCLUDE", "[!include", "[!code", "{{<", "{{%"];

/// Whether a text may include anything at all.
pub fn may_include(text: &str, page: &Page<'_>) -> bool {
    static ANY: Marks = Marks::of(&[&SIGNS]);
    ANY.any(text)
        || text.contains("{%") && (text.contains("include") || text.contains("render"))
        || page.jsx && (text.contains("import ") || text.contains("<Snippet"))
}

/// The includes of a text, in order and apart from each other; `code`: the whole text is code.
pub fn sites<'a>(text: &'a str, path: &'a str, literals: &'a Literals, code: bool, page: &'a Page<'a>) -> Vec<Site> {
    let mut finder = Finder { text, path, literals, page, sites: Vec::new() };
    hashes::find(&mut finder);
    if !page.html {
        scissors::find(&mut finder);
        scissors::find_bangs(&mut finder);
        vitepress::find_comments(&mut finder);
        vitepress::find_arrows(&mut finder);
        docfx::find(&mut finder);
    }
    if !code {
        liquid::find(&mut finder);
        if page.jsx {
            mdx::find(&mut finder);
        }
    }
    let mut sites = finder.sites;
    sites.sort_by_key(|site| site.range.start);
    let mut end = 0;
    sites.retain(|site| {
        let apart = site.range.start >= end;
        if apart {
            end = site.range.end;
        }
        apart
    });
    sites
}

/// A text in which includes are looked for.
pub struct Finder<'a> {
    pub text: &'a str,
    pub path: &'a str,
    pub literals: &'a Literals,
    pub page: &'a Page<'a>,
    pub sites: Vec<Site>,
}

impl<'a> Finder<'a> {
    /// Whether a spelling is that of the folder's kind.
    pub fn spells(&self, spelling: Spelling) -> bool {
        self.page.kind.dialect.includes == spelling
    }

    /// The folders of the content by the kind.
    pub fn roots(&self) -> &'static [&'static str] {
        self.page.kind.dialect.roots
    }

    pub fn ask(&mut self, range: Range<usize>, want: Want) {
        self.sites.push(Site { range, ask: Ask::File(Box::new(want)) });
    }

    /// Asks for a file that is code where its mark is.
    pub fn ask_in_place(&mut self, range: Range<usize>, mut want: Want) {
        want.code = self.literals.is_code(range.start);
        self.ask(range, want);
    }

    pub fn show(&mut self, range: Range<usize>, text: String) {
        self.sites.push(Site { range, ask: Ask::Show(text) });
    }

    pub fn drop(&mut self, range: Range<usize>) {
        self.sites.push(Site { range, ask: Ask::Drop });
    }

    /// The rest of the line from a place on, as far as a mark may reach.
    pub fn near(&self, at: usize) -> &'a str {
        let text = &self.text[at..];
        let near = &text.as_bytes()[..text.len().min(LONGEST)];
        let end = memchr::memchr(b'\n', near).unwrap_or(near.len());
        text.get(..end).unwrap_or_default()
    }
}
