//! Runs of text: white space, bare addresses, emoji short names.

use super::autolinks::addresses;
use super::open_element::{ContentModel, Kind};
use super::{Builder, emoji};
use crate::model::document::{Inline, ReferenceKind};
use crate::model::text::clean;

/// White space in HTML (WHATWG, section 2.3.3 of "Infra").
const HTML_SPACE: [char; 5] = [' ', '\t', '\n', '\r', '\u{c}'];

impl Builder {
    /// Adds text of the Markdown parser: no line breaks, white space unchanged.
    pub(crate) fn text(&mut self, text: &str, offset: usize) {
        if let Some(code) = self.open_code() {
            *code += &clean(text);
            return;
        }
        if text.is_empty() {
            return;
        }
        if self.run.is_empty() {
            self.make_room_for_inline();
        }
        // A comment between two spaces was removed.
        let rest = if self.run.ends_with(' ') {
            text.trim_start_matches(' ')
        } else {
            text
        };
        self.push_run(&clean(rest), offset + text.len() - rest.len());
        self.spaced = self.run.ends_with([' ', '\t']);
    }

    /// The following text begins with a character that is escaped in the source.
    pub(crate) fn escape(&mut self) {
        self.source_map.push_escape(self.run.len());
    }

    /// Adds text of HTML: collapses white space, and removes it at the beginning of a line.
    pub(crate) fn html_text(&mut self, text: &str, offset: usize) {
        if let Some(code) = self.open_code() {
            *code += &clean(text);
            return;
        }
        let holds_blocks = matches!(
            self.content_model(),
            ContentModel::Blocks | ContentModel::Parts
        );
        if text.is_empty() || (holds_blocks && text.trim_matches(HTML_SPACE).is_empty()) {
            return;
        }
        if self.run.is_empty() {
            self.make_room_for_inline();
        }
        let mut at = offset;
        for (index, word) in clean(text).split(HTML_SPACE).enumerate() {
            if index > 0 && !self.spaced {
                self.push_run(" ", at - 1);
                self.spaced = true;
            }
            if !word.is_empty() {
                self.push_run(word, at);
                self.spaced = false;
            }
            at += word.len() + 1;
        }
    }

    fn push_run(&mut self, text: &str, source: usize) {
        self.source_map.push(self.run.len(), source);
        self.run += text;
    }

    /// Replaces a block border by a space where no block is allowed.
    pub(super) fn separate(&mut self) {
        if let Some(code) = self.open_code() {
            if !code.is_empty() && !code.ends_with('\n') {
                code.push('\n');
            }
        } else if !self.spaced
            && matches!(
                self.content_model(),
                ContentModel::Line | ContentModel::Wrapper
            )
        {
            self.push_inline(Inline::text(" "));
            self.spaced = true;
        }
    }

    /// Whether the open run of text ends with the beginning of a bare address: the Markdown parser
    /// may parse its `_` as emphasis.
    pub(crate) fn in_address(&self) -> bool {
        // Longer than any real address. The limit avoids searching a longer one again at each of
        // its delimiters.
        const LONGEST: usize = 2048;
        let near = &self.run[self
            .run
            .ceil_char_boundary(self.run.len().saturating_sub(LONGEST))..];
        let word = near.rsplit([' ', '\t']).next().unwrap_or_default();
        word.contains("://") || word.contains("www.")
    }

    /// The open run of text.
    pub(crate) fn run(&self) -> &str {
        &self.run
    }

    /// The source offset of a byte of the open run of text.
    pub(crate) fn run_source(&self, at: usize) -> usize {
        self.source_map.source(at)
    }

    /// Truncates the open run of text.
    pub(crate) fn cut_run(&mut self, length: usize) {
        self.run.truncate(length);
        self.source_map.cut(length);
    }

    /// Ends the open run of text.
    pub(crate) fn flush(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let mut run = std::mem::take(&mut self.run);
        if run.contains('{') {
            if self.attribute_lists {
                self.take_attribute_lists(&mut run);
            }
            if matches!(self.top_kind(), Some(Kind::Heading { .. })) {
                self.encoded_brace = run
                    .rfind('{')
                    .is_some_and(|at| self.source_map.is_encoded(at));
            }
        }
        let has_equals = memchr::memchr(b'=', run.as_bytes()).is_some();
        self.double_equals |= has_equals && run.contains("==");
        if self.in_link() || self.in_alt() {
            self.push_text(&run, 0);
        } else {
            self.link_addresses(&run);
        }
        self.source_map.clear();
        // The next run is written into the same memory.
        run.clear();
        self.run = run;
    }

    /// Links GFM's extended autolinks.
    fn link_addresses(&mut self, run: &str) {
        let mut from = 0;
        for (range, address) in addresses(run) {
            if self.source_map.has_escape(&range) {
                continue;
            }
            self.push_text(&run[from..range.start], from);
            let reference = self.reference(
                &address,
                ReferenceKind::Link,
                self.source_map.source(range.start),
            );
            let content = vec![Inline::text(&run[range.clone()])];
            self.push_inline(Inline::Link {
                reference,
                title: String::new(),
                content,
            });
            from = range.end;
        }
        self.push_text(&run[from..], from);
    }

    /// Adds a part of the run, from this byte on.
    fn push_text(&mut self, text: &str, from: usize) {
        // `&#58;` is a colon that does not start a short name.
        let is_colon = |at: usize| !self.source_map.is_encoded(from + at);
        let replaced = if self.attribute_lists {
            emoji::replaced(text, is_colon)
        } else {
            None
        };
        let text = replaced.as_deref().unwrap_or(text);
        if text.is_empty() {
            return;
        }
        match self
            .stack
            .last_mut()
            .and_then(|element| element.inlines.last_mut())
        {
            Some(Inline::Text(last)) => *last += text,
            _ => self.push_inline(Inline::text(text)),
        }
    }
}
