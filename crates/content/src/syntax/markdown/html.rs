//! Raw HTML in Markdown, and Markdown in it.

use super::reader::Reader;
use crate::model::document::build::{Builder, SourceMap};
use crate::syntax::html::feed::{Feed, Pending};

/// Maximum depth of Markdown nested in HTML (`<div markdown="1">`).
const MAX_NESTED: usize = 8;

const INLINE: [&str; 16] = [
    "a", "abbr", "b", "br", "cite", "code", "em", "i", "img", "kbd", "mark", "small", "span",
    "strong", "sub", "sup",
];

impl Reader<'_> {
    /// Passes HTML to the builder. If it leaves a comment or a script open, skips its content in
    /// the source.
    pub fn html(
        &mut self,
        builder: &mut Builder,
        html: &str,
        pieces: &SourceMap,
        end: usize,
        inline: bool,
    ) {
        let mut feed = Feed::new(builder, html, pieces, !inline);
        while let Some(pending) = feed.read() {
            let builder = &mut *feed.elements.builder;
            match pending {
                Pending::Comment => self.skip("-->", end, builder, inline),
                Pending::Element(name) => self.skip(&format!("</{name}"), end, builder, inline),
                Pending::Media { tag, start } => self.media(builder, tag, start, end),
                Pending::Markdown { text, offset } if self.depth >= MAX_NESTED => {
                    builder.html_text(&text, offset)
                }
                Pending::Markdown { text, offset } => {
                    let (line, _) = self.places.locate(offset);
                    self.read_nested(builder, &dedent(&text), line);
                }
            }
        }
    }

    fn skip(&mut self, mark: &str, from: usize, builder: &Builder, inline: bool) {
        let scope_end = if inline { builder.scope_end() } else { None };
        let stop = self.find_end(mark, from).or(scope_end).unwrap_or(from);
        self.skip_until = self.skip_until.max(stop);
    }

    /// Reads a video, whose `<source>` is a separate tag to the Markdown parser, up to its end.
    fn media(&mut self, builder: &mut Builder, tag: &str, start: usize, end: usize) {
        let Some(stop) = self.find_end(&format!("</{tag}"), end) else {
            return;
        };
        let mut pieces = SourceMap::default();
        pieces.push(0, start);
        let mut feed = Feed::new(builder, &self.source[start..stop], &pieces, false);
        while feed.read().is_some() {}
        self.skip_until = self.skip_until.max(stop);
    }

    /// The end of the next end delimiter, ignoring case. An absent one is never searched for again.
    pub fn find_end(&mut self, mark: &str, from: usize) -> Option<usize> {
        if self.absent.iter().any(|absent| absent == mark) {
            return None;
        }
        let rest = self.source.as_bytes().get(from..)?;
        let Some(at) = rest
            .windows(mark.len())
            .position(|window| window.eq_ignore_ascii_case(mark.as_bytes()))
        else {
            self.absent.push(mark.to_owned());
            return None;
        };
        let end = from + at + mark.len();
        let tag_rest = if mark.starts_with("</") {
            self.source[end..].find('>').map_or(0, |at| at + 1)
        } else {
            0
        };
        Some(end + tag_rest)
    }
}

/// Removes the indentation shared by all lines but the first. Joins a line that is only an inline
/// tag (`<img …>`) with the next: kramdown parses it as the beginning of a paragraph, CommonMark
/// would start an HTML block.
fn dedent(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let common = rest
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    let mut dedented = first.trim_start().to_owned();
    let mut joins = is_inline_tag(first);
    for line in text.split('\n').skip(1) {
        let trimmed = line.trim_start();
        if joins && !trimmed.is_empty() {
            dedented.push(' ');
            dedented.push_str(trimmed);
        } else {
            dedented.push('\n');
            dedented.push_str(line.get(common..).unwrap_or(trimmed));
        }
        joins = is_inline_tag(line);
    }
    dedented
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_inline_tag(line: &str) -> bool {
    let Some(tag) = line
        .trim()
        .strip_prefix('<')
        .filter(|tag| tag.ends_with('>'))
    else {
        return false;
    };
    let name = tag
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    INLINE.contains(&name.to_ascii_lowercase().as_str())
}
