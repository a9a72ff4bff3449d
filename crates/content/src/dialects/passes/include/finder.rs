//! A text in which includes are looked for.

use std::ops::Range;

use super::paths::resolve;
use super::site::{Ask, Site, Want};
use crate::dialects::dialect::Spelling;
use crate::dialects::passes::page::Page;
use crate::syntax::markdown::literal::Literals;

/// The longest mark, in bytes.
const LONGEST: usize = 1000;

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

    /// A path relative to the text.
    pub fn relative(&self, file: &str) -> Vec<String> {
        resolve(self.path, file).into_iter().collect()
    }

    pub fn ask(&mut self, range: Range<usize>, want: Want) {
        self.sites.push(Site {
            range,
            ask: Ask::File(Box::new(want)),
        });
    }

    /// Asks for a file that is code where its mark is.
    pub fn ask_in_place(&mut self, range: Range<usize>, mut want: Want) {
        want.code = self.literals.is_code(range.start);
        self.ask(range, want);
    }

    pub fn show(&mut self, range: Range<usize>, text: String) {
        self.sites.push(Site {
            range,
            ask: Ask::Show(text),
        });
    }

    pub fn drop(&mut self, range: Range<usize>) {
        self.sites.push(Site {
            range,
            ask: Ask::Drop,
        });
    }

    /// The rest of the line from a place on, as far as a mark may reach.
    pub fn near(&self, at: usize) -> &'a str {
        let text = &self.text[at..];
        let near = &text.as_bytes()[..text.len().min(LONGEST)];
        let end = memchr::memchr(b'\n', near).unwrap_or(near.len());
        text.get(..end).unwrap_or_default()
    }
}
