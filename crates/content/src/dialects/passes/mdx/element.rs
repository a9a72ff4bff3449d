//! Elements of HTML in MDX: everything between their tags is Markdown. In Markdown a line that
//! begins with a tag is HTML up to the next blank line, so such tags get lines of their own between
//! blank lines.

use super::tag::Tag;
use super::walk::Walk;
use crate::dialects::markup::{container, is_blank};
use crate::syntax::html::is_void;

/// Elements whose tag at the beginning of a line begins an HTML block, even in a paragraph
/// (CommonMark 0.31, section 4.6, condition 6).
#[rustfmt::skip]
const BLOCKS: [&str; 62] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details", "dialog",
    "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6",
    "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option",
    "p", "param", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];

/// Elements with a content that is not Markdown.
const LITERAL: [&str; 4] = ["pre", "script", "style", "textarea"];

impl<'a> Walk<'a> {
    /// A tag of an element of HTML.
    pub fn element(&mut self, tag: &Tag<'a>) {
        let line = self.written_line();
        let prefix = container(line);
        let begins = prefix.len() == line.len();
        let rest = &self.text[self.at + tag.length..];
        let rest = rest.trim_start_matches([' ', '\t']);
        let ends = rest.is_empty() || rest.starts_with('\n');
        let is_block = BLOCKS.contains(&tag.name);
        let opens_here = begins
            && !LITERAL.contains(&tag.name)
            && (is_block || ends && (tag.closes || self.is_after_blank()));
        let is_void = is_void(tag.name);
        let has_content = !tag.empty && !is_void;
        let apart = if has_content {
            self.nest(tag, opens_here)
        } else {
            opens_here
        };
        let html = tag.html();
        self.skip(tag.length);
        if tag.closes && apart && !begins {
            self.add_line(&prefix);
        }
        self.out.push_str(&html);
        if opens_here || apart && tag.closes {
            self.separate(&prefix, ends);
        }
    }

    /// Ends the HTML block of a tag with a blank line.
    fn separate(&mut self, prefix: &str, ends: bool) {
        if !ends {
            self.add_line(prefix.trim_end());
            self.add_line(prefix);
            let rest = &self.text[self.at..];
            return self.skip(rest.len() - rest.trim_start_matches([' ', '\t']).len());
        }
        let line = self.current_rest();
        let behind = &self.text[self.at + line..];
        let next = behind.split('\n').next().unwrap_or_default();
        if !behind.is_empty() && !is_blank(next) {
            self.add_line(prefix.trim_end());
        }
    }

    /// The length of the rest of the line, with its line break.
    fn current_rest(&self) -> usize {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        blanks + usize::from(rest[blanks..].starts_with('\n'))
    }

    /// Whether the line before the one that is being written is blank.
    pub fn is_after_blank(&self) -> bool {
        let above = &self.out[..self.written];
        let above = above.strip_suffix('\n').unwrap_or(above);
        is_blank(above.rsplit('\n').next().unwrap_or_default())
    }
}
