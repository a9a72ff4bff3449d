//! The search state for includes in a text.

use std::ops::Range;

use super::marker::{Marker, Request, Want};
use super::paths::{below, resolve};
use crate::dialects::dialect::Spelling;
use crate::dialects::passes::page::Page;
use crate::model::path::below as is_below;
use crate::syntax::markdown::literal::Literals;

/// The longest include marker, in bytes.
const LONGEST: usize = 1000;

/// The search state for includes in a text.
pub struct Finder<'a> {
    pub text: &'a str,
    pub path: &'a str,
    pub literals: &'a Literals,
    pub page: &'a Page<'a>,
    pub markers: Vec<Marker>,
}

impl<'a> Finder<'a> {
    /// Whether a syntax is that of the folder's kind.
    pub fn spells(&self, spelling: Spelling) -> bool {
        self.page.kind.dialect.includes == spelling
    }

    /// The content folders of the kind.
    pub fn roots(&self) -> &'static [&'static str] {
        self.page.kind.dialect.roots
    }

    /// The folders in which the configuration has snippets, then the usual ones.
    pub fn snippet_folders(&self) -> Vec<&str> {
        let own = self.page.kind.config.snippet_folders.iter();
        let own = own.map(String::as_str).chain([""]);
        let usual = ["includes", "snippets", "docs/snippets"];
        own.chain(self.roots().iter().copied())
            .chain(usual)
            .collect()
    }

    /// A path below the content folder.
    pub fn in_content(&self, file: &str) -> Vec<String> {
        let content = self.page.kind.config.content.as_deref();
        below(&content.into_iter().collect::<Vec<_>>(), file)
    }

    /// A path from the root of the part of the site in which the text is.
    pub fn in_own_root(&self, file: &str) -> Vec<String> {
        let roots = self.page.kind.config.include_roots.iter();
        let own = roots
            .map(String::as_str)
            .filter(|root| is_below(self.path, root).is_some());
        let own: Vec<&str> = own.filter(|_| file.starts_with('/')).collect();
        below(&own, file)
    }

    /// Resolves a path relative to the text.
    pub fn relative(&self, file: &str) -> Vec<String> {
        resolve(self.path, file).into_iter().collect()
    }

    /// Resolves a path relative to the folder of the configuration. What is in a project for one language of
    /// several is relative to that project, which has the same depth.
    pub fn in_project(&self, file: &str) -> Option<String> {
        resolve(&self.page.kind.config.file, file)
    }

    pub fn request(&mut self, range: Range<usize>, want: Want) {
        self.markers.push(Marker {
            range,
            request: Request::File(Box::new(want)),
        });
    }

    /// Requests a file that is code if its marker is in code.
    pub fn ask_in_place(&mut self, range: Range<usize>, mut want: Want) {
        want.code = self.literals.is_code(range.start);
        self.request(range, want);
    }

    pub fn show(&mut self, range: Range<usize>, text: String) {
        self.markers.push(Marker {
            range,
            request: Request::Show(text),
        });
    }

    pub fn drop(&mut self, range: Range<usize>) {
        self.markers.push(Marker {
            range,
            request: Request::Drop,
        });
    }

    /// The rest of the line from a position on, up to the longest marker.
    pub fn near(&self, at: usize) -> &'a str {
        let text = &self.text[at..];
        let near = &text.as_bytes()[..text.len().min(LONGEST)];
        let end = memchr::memchr(b'\n', near).unwrap_or(near.len());
        text.get(..end).unwrap_or_default()
    }
}
