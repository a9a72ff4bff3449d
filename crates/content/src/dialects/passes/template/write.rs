//! Writes the replacement of a tag.

use std::ops::Range;

use super::Writer;
use super::html::html;
use super::markdown::{CLOSE, Written, alone, markdown};
use crate::dialects::markup::{container, is_blank};
use crate::dialects::tags::Piece;
use crate::model::document::{POST, REF};

impl Writer<'_, '_> {
    /// The replacement of a tag, as Markdown, or as HTML inside an HTML block.
    pub(super) fn piece(&mut self, range: Range<usize>, piece: &Piece) {
        // A page address in prose becomes a link: its placeholder means nothing to a reader.
        if let Piece::Text(to) = piece
            && let Some(name) = symbolic(to)
            && !wants_address(&self.text[..range.start])
        {
            return self.piece(
                range,
                &Piece::Link {
                    address: to.clone(),
                    text: name.to_owned(),
                },
            );
        }
        if self.literals.is_html(range.start) {
            return self.put(range, &html(piece));
        }
        if let Piece::Several(pieces) = piece
            && self.has_lines_of_its_own(&range, pieces)
        {
            return self.several(range, pieces);
        }
        match markdown(piece) {
            Written::Inline(text) => self.put(range, &text),
            Written::Block(first, second) => self.block(range, &first, &second),
        }
    }

    /// Whether pieces become paragraphs: their tag is alone, or opens a line with a title.
    fn has_lines_of_its_own(&mut self, range: &Range<usize>, pieces: &[Piece]) -> bool {
        self.splice.copy_to(range.start);
        let opens = matches!(pieces.first(), Some(Piece::Label(_)));
        self.is_alone(range) || opens && begins_line(self.splice.written())
    }

    /// Pieces in paragraphs of their own.
    fn several(&mut self, range: Range<usize>, pieces: &[Piece]) {
        self.splice.copy_to(range.start);
        let written = self.splice.written();
        let line = &written[written.rfind('\n').map_or(0, |at| at + 1)..];
        let apart = format!("\n\n{}", container(line));
        let pieces: Vec<String> = pieces.iter().map(alone).collect();
        self.block(range, &pieces.join(&apart), "");
    }

    /// Content on lines of its own, between blank lines, in the container of its line.
    fn block(&mut self, range: Range<usize>, first: &str, second: &str) {
        let behind = &self.text[range.end..];
        let below = behind.trim_start_matches([' ', '\t']);
        let end = self.text.len() - below.len();
        self.splice.copy_to(range.start);
        let written = self.splice.written();
        let (above, line) = written.split_at(written.rfind('\n').map_or(0, |at| at + 1));
        let container = container(line);
        let bare = container.trim_end();
        // Callout markers add their own blank lines.
        let fence = first.starts_with(CLOSE);
        let room = !fence && !first.is_empty();
        let apart = if fence {
            format!("\n{container}")
        } else {
            format!("\n{bare}\n{container}")
        };
        let mut text = String::new();
        if !is_blank(line) {
            text.push_str(&apart);
        } else if room && !above.is_empty() && !is_blank(last_line(above)) {
            text.push_str(&format!("\n{container}"));
        }
        text.push_str(first);
        if !second.is_empty() {
            text.push_str(&format!("\n{container}{second}"));
        }
        if !below.is_empty() && !below.starts_with('\n') {
            text.push_str(&apart);
        } else if room && below.split('\n').nth(1).is_some_and(|next| !is_blank(next)) {
            text.push_str(&format!("\n{bare}"));
        }
        self.put(range.start..end, &text);
    }

    /// Replaces a tag. The result has at least as many lines as the tag.
    pub(super) fn put(&mut self, range: Range<usize>, replacement: &str) {
        self.splice.copy_to(range.start);
        if replacement.is_empty() && self.literals.is_html(range.start) && self.is_alone(&range) {
            // A blank line would end the HTML block; a comment is never shown.
            let lines = self.text[range.clone()].matches('\n').count();
            let comments = format!("<!---->{}", "\n<!---->".repeat(lines));
            return self.splice.put_lines(range, &comments);
        }
        self.splice.put_lines(range, replacement);
    }

    /// Whether a tag is alone on its lines.
    fn is_alone(&self, range: &Range<usize>) -> bool {
        begins_line(self.splice.written()) && ends_line(&self.text[range.end..])
    }
}

/// The last line of a text that ends with a line break.
fn last_line(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.rsplit('\n').next().unwrap_or_default()
}

/// How many blanks around a tag are scanned: a line may have thousands of tags.
const MOST_BLANKS: usize = 1_000;

/// Whether the last line of this text has only blanks.
pub fn begins_line(before: &str) -> bool {
    is_at_edge(before.chars().rev())
}

/// Whether the first line of this text has only blanks.
fn ends_line(after: &str) -> bool {
    is_at_edge(after.chars())
}

fn is_at_edge(characters: impl Iterator<Item = char>) -> bool {
    for character in characters.take(MOST_BLANKS) {
        if character == '\n' || !character.is_whitespace() {
            return character == '\n';
        }
    }
    true
}

/// The name in an address that only the link table resolves.
fn symbolic(address: &str) -> Option<&str> {
    address
        .strip_prefix(REF)
        .or_else(|| address.strip_prefix(POST))
}

/// Whether an address is expected after this text: inside a link's parentheses, a definition or an
/// attribute, or after another tag.
fn wants_address(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    ["](", "](<", "]:", "]: <", "=", "=\"", "='", "}"]
        .iter()
        .any(|end| before.ends_with(end))
}
