//! Raw HTML in Markdown, and Markdown in it.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::EXTENSIONS;
use super::reader::{Reader, Searched};
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
                Pending::Comment => self.skip_comment(builder, end, end),
                Pending::Element(name) => self.skip_element(builder, name, end, inline),
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

    /// Skips the content of a script or style. In a line it ends with the paragraph, heading or cell
    /// at the latest. A tag that nothing ends hides nothing: it is a name that its author wrote.
    fn skip_element(&mut self, builder: &Builder, name: &str, from: usize, inline: bool) {
        let Some(mut stop) = self.find_end(&format!("</{name}"), from) else {
            return;
        };
        if let Some(scope) = builder.scope_end().filter(|_| inline) {
            stop = stop.min(scope);
        }
        self.skip_until = self.skip_until.max(stop);
    }

    /// Skips the rest of a comment that begins at `start`, in whatever follows; without an end mark,
    /// up to the end of the element that it begins in, or `end`.
    pub fn skip_comment(&mut self, builder: &Builder, start: usize, end: usize) {
        let stop = self
            .find_end("-->", start)
            .or_else(|| builder.scope_end())
            .unwrap_or(end);
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

    /// The end of the next end delimiter outside fenced code, ignoring case. No part of the text is
    /// searched twice for one that is far away or absent.
    fn find_end(&mut self, mark: &str, from: usize) -> Option<usize> {
        let known = self.searched.iter().position(|one| one.mark == mark);
        if let Some(known) = known.map(|known| &self.searched[known])
            && known.from <= from
            && known.found.is_none_or(|(at, _)| from <= at)
        {
            return known.found.map(|(_, end)| end);
        }
        let at = self.find_outside_code(mark.as_bytes(), from);
        let found = at.map(|at| (at, self.end_of_mark(mark, at)));
        let searched = Searched {
            mark: mark.to_owned(),
            from,
            found,
        };
        match known {
            Some(known) => self.searched[known] = searched,
            None => self.searched.push(searched),
        }
        found.map(|(_, end)| end)
    }

    /// The end of an end delimiter, of a tag with its `>`.
    fn end_of_mark(&self, mark: &str, at: usize) -> usize {
        let end = at + mark.len();
        match mark.starts_with("</") {
            true => end + self.source[end..].find('>').map_or(0, |at| at + 1),
            false => end,
        }
    }

    fn find_outside_code(&self, mark: &[u8], from: usize) -> Option<usize> {
        let code = self.code.get_or_init(|| fenced_code(self.source));
        let mut next = code.partition_point(|range| range.end <= from);
        let rest = self.source.as_bytes().get(from..)?;
        let windows = rest.windows(mark.len()).enumerate();
        let found = windows.filter(|(_, window)| window.eq_ignore_ascii_case(mark));
        found.map(|(at, _)| from + at).find(|at| {
            while code.get(next).is_some_and(|range| range.end <= *at) {
                next += 1;
            }
            code.get(next).is_none_or(|range| *at < range.start)
        })
    }
}

/// Where a text has fenced code: a mark in it ends nothing outside. Only fences that are closed
/// count. Other code may be a part of a comment, whose end must be found.
fn fenced_code(source: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(source, EXTENSIONS).into_offset_iter();
    let fenced = events.filter(|(event, range)| {
        let text = source[range.clone()].trim_end();
        matches!(
            event,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))
        ) && (text.ends_with("```") || text.ends_with("~~~"))
    });
    fenced.map(|(_, range)| range).collect()
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
