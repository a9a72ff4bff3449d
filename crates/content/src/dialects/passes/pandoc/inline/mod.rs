//! Marks in a line: attributes of pictures, links, code and words, notes, references to figures and
//! to literature, raised and lowered text.

mod brackets;
mod references;

use std::ops::Range;

use super::{Values, caption, figcaption};
use crate::dialects::attributes::{Attributes, is_html};
use crate::dialects::lines::Lines;
use crate::dialects::markup::{MARGIN, inline_place, label as escaped};
use crate::dialects::passes::math::Formulas;
use crate::dialects::passes::splice::Splice;
use crate::model::bounds;
use crate::model::text::{Next, one_line, plain};
use crate::syntax::markdown::literal::Literals;
use brackets::Brackets;
use references::is_citation;

/// The longest raised or lowered text, in bytes.
const LONGEST_SCRIPT: usize = 200;
/// The longest text in brackets, in bytes.
const LONGEST: usize = 20_000;
/// How deep marks may be nested.
const DEEPEST: usize = 16;

struct Inline<'t> {
    text: &'t str,
    values: &'t Values<'t>,
    literals: &'t Literals,
    formulas: Formulas<'t>,
    paragraph: Next<'t>,
    angle: Next<'t>,
    brackets: Brackets,
    edits: Vec<(Range<usize>, String)>,
    notes: Vec<String>,
    depth: usize,
}

pub fn rewrite(lines: &mut Lines, values: &Values<'_>) {
    let text = lines.text.as_str();
    let literals = lines.literals();
    let mut inline = Inline {
        text,
        values,
        literals: &literals,
        formulas: Formulas::new(text),
        paragraph: Next::new("\n\n", text),
        angle: Next::new(">", text),
        brackets: Brackets::find(text, &literals.code),
        edits: Vec::new(),
        notes: Vec::new(),
        depth: 0,
    };
    inline.scan(0, text.len());
    if inline.edits.is_empty() {
        return;
    }
    let mut splice = Splice::new(text);
    for (range, written) in &inline.edits {
        if range.start >= splice.done() {
            splice.put(range.clone(), written);
        }
    }
    let mut notes = String::new();
    for (note, number) in inline.notes.iter().zip(1..) {
        notes += &format!("\n\n[^inline-note-{number}]: {note}");
    }
    splice.put(text.len()..text.len(), &notes);
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

impl<'t> Inline<'t> {
    fn edit(&mut self, range: Range<usize>, written: impl Into<String>) {
        self.edits.push((range, written.into()));
    }

    /// Reads the marks in a range.
    fn scan(&mut self, from: usize, to: usize) {
        let mut at = from;
        while !bounds::is_over()
            && let Some(step) =
                self.text[at..to].find(['\\', '`', '$', '<', '[', '!', '^', '~', '@'])
        {
            at += step;
            let next = if self.literals.is_html(at) && !self.literals.is_code(at) {
                at + 1
            } else {
                self.mark(at, to)
            };
            at = next.max(at + 1).min(to);
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
        }
    }

    /// Reads the mark at a position; returns where to go on.
    fn mark(&mut self, at: usize, to: usize) -> usize {
        if let Some(end) = self.code_end(at) {
            return self.code(at, end);
        }
        let rest = &self.text[at..to];
        match rest.as_bytes()[0] {
            b'\\' if rest.starts_with("\\ ") => {
                self.edit(at..at + 2, "&nbsp;");
                at + 2
            }
            b'\\' if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) => self.tex(at, to),
            b'\\' if !rest.starts_with("\\(") && !rest.starts_with("\\[") => at + 2,
            b'\\' | b'$' => self.formula(at),
            b'<' => self.tag(at, to),
            b'!' if rest.starts_with("![") => self.bracket(at, at + 1, to),
            b'[' => self.bracket(at, at, to),
            b'^' if rest.starts_with("^[") => self.note(at, to),
            b'^' => self.script(at, to, '^', "sup"),
            b'~' if rest.starts_with("~~") => at + rest.len() - rest.trim_start_matches('~').len(),
            b'~' => self.script(at, to, '~', "sub"),
            b'@' => self.reference(at, to),
            _ => at + 1,
        }
    }

    fn code_end(&self, at: usize) -> Option<usize> {
        let code = &self.literals.code;
        let next = code.partition_point(|range| range.end <= at);
        code.get(next)
            .filter(|range| range.contains(&at))
            .map(|range| range.end)
    }

    /// Code with `{=html}` or attributes behind it, and code to be executed.
    fn code(&mut self, at: usize, end: usize) -> usize {
        let whole = &self.text[at..end];
        let inner = whole.trim_matches('`');
        if !whole.starts_with('`') || whole.contains('\n') && whole.starts_with("```") {
            return end;
        }
        let ticks = whole.len() - whole.trim_start_matches('`').len();
        let Some(found) = Attributes::at(&self.text[end..]) else {
            if let Some((_, code)) = inner
                .strip_prefix('{')
                .and_then(|rest| rest.split_once("} "))
                && ticks == 1
            {
                let language = inner.len() - code.len();
                self.edit(at + 1..at + 1 + language, "");
            }
            return end;
        };
        let after = end + found.length;
        match found.raw {
            Some(format) if is_html(format) => self.edit(at..after, inner),
            Some(_) => self.edit(at..after, ""),
            None => self.edit(end..after, found.id.map(inline_place).unwrap_or_default()),
        }
        after
    }

    /// A command of TeX with arguments, which is for printed pages: `\index{word}`.
    fn tex(&mut self, at: usize, to: usize) -> usize {
        let rest = &self.text[at + 1..to];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '*');
        let first = at + 1 + end.unwrap_or(rest.len());
        let mut end = first;
        while self.text[end..to].starts_with('{')
            && let Some(close) = self.closing(end, to)
        {
            end = close + 1;
        }
        if end > first {
            self.edit(at..end, "");
        }
        end
    }

    /// A formula, with the id behind it.
    fn formula(&mut self, at: usize) -> usize {
        let Some(formula) = self.formulas.at(at, true) else {
            return at + 1;
        };
        let behind = &self.text[formula.end..];
        let gap = behind.len() - behind.trim_start_matches([' ', '\n']).len();
        if formula.display
            && gap < 3
            && let Some(found) = Attributes::at(&behind[gap..])
            && let Some(id) = found.id
        {
            let end = formula.end + gap + found.length;
            self.edit(at..at, format!("{}\n", inline_place(id)));
            if let Some(label) = self.values.label(id) {
                let close = formula.end - 2;
                self.edit(close..close, format!(" \\qquad({})", label.number));
            }
            self.edit(formula.end..end, "");
            return end;
        }
        formula.end
    }

    /// The end of a tag or an address in angle brackets.
    fn tag(&mut self, at: usize, to: usize) -> usize {
        let end = self.end_of_paragraph(at, to);
        let begins = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?');
        let angle = self.angle.from(at).filter(|angle| *angle < end);
        match angle.filter(|_| self.text[at + 1..].starts_with(begins)) {
            Some(angle) => angle + 1,
            None => at + 1,
        }
    }

    fn end_of_paragraph(&mut self, at: usize, to: usize) -> usize {
        let end = self.paragraph.from(at).unwrap_or(to).min(to);
        end.min(at + LONGEST)
    }

    /// The bracket that closes the one at a position.
    fn closing(&mut self, at: usize, to: usize) -> Option<usize> {
        let end = self.end_of_paragraph(at, to);
        self.brackets.closing(at).filter(|close| *close < end)
    }

    /// A picture, a link, words with attributes, or literature. `open` is the bracket.
    fn bracket(&mut self, at: usize, open: usize, to: usize) -> usize {
        let Some(close) = self.closing(open, to) else {
            return open + 1;
        };
        let is_picture = open > at;
        let inner = &self.text[open + 1..close];
        let behind = &self.text[close + 1..to];
        match behind.as_bytes().first() {
            _ if !is_picture && inner.starts_with('^') && !inner.contains(' ') => close + 1,
            Some(b'(') => match self.closing(close + 1, to) {
                Some(end) if is_picture => self.picture(at, open..close, end, to),
                Some(end) => self.link(open..close, end + 1, to),
                None => self.inside(open..close, close + 1),
            },
            Some(b'[') => match self.closing(close + 1, to) {
                Some(end) => self.link(open..close, end + 1, to),
                None => self.inside(open..close, close + 1),
            },
            Some(b'{') if !is_picture => {
                match Attributes::at(behind).filter(|found| found.raw.is_none()) {
                    Some(found) => self.span(open..close, &found),
                    None => self.inside(open..close, close + 1),
                }
            }
            Some(b':') if begins_line(&self.text[..at]) => {
                let line = behind.find('\n').unwrap_or(behind.len());
                close + 1 + line
            }
            _ if !is_picture && is_citation(inner) => self.citation(open..close),
            _ => self.inside(open..close, close + 1),
        }
    }

    /// Reads the marks between two brackets.
    fn inside(&mut self, brackets: Range<usize>, next: usize) -> usize {
        if self.depth < DEEPEST {
            self.depth += 1;
            self.scan(brackets.start + 1, brackets.end);
            self.depth -= 1;
        }
        next
    }

    fn link(&mut self, brackets: Range<usize>, end: usize, to: usize) -> usize {
        self.inside(brackets, end);
        match Attributes::at(&self.text[end..to]).filter(|found| found.raw.is_none()) {
            Some(found) => {
                self.edit(
                    end..end + found.length,
                    found.id.map(inline_place).unwrap_or_default(),
                );
                end + found.length
            }
            None => end,
        }
    }

    /// Words with attributes: `[words]{.class}`.
    fn span(&mut self, brackets: Range<usize>, found: &Attributes<'_>) -> usize {
        let Range {
            start: open,
            end: close,
        } = brackets;
        let end = close + 1 + found.length;
        if !found.is_shown(&self.values.said) {
            self.edit(open..end, "");
            return end;
        }
        const TAGS: [(&str, &str); 5] = [
            ("mark", "mark"),
            ("underline", "u"),
            ("ul", "u"),
            ("kbd", "kbd"),
            ("highlight", "mark"),
        ];
        let tag = TAGS
            .iter()
            .find(|(class, _)| found.has(class))
            .map(|(_, tag)| *tag);
        let id = found.id.map(inline_place).unwrap_or_default();
        let begin = tag.map(|tag| format!("<{tag}>")).unwrap_or_default();
        let finish = tag.map(|tag| format!("</{tag}>")).unwrap_or_default();
        self.edit(open..open + 1, id + &begin);
        self.inside(open..close, end);
        self.edit(close..end, finish);
        end
    }

    /// `^[note]`
    fn note(&mut self, at: usize, to: usize) -> usize {
        let Some(close) = self.closing(at + 1, to) else {
            return at + 1;
        };
        let words = self.rendered(at + 2..close);
        self.notes.push(one_line(&words));
        let number = self.notes.len();
        self.edit(at..close + 1, format!("[^inline-note-{number}]"));
        close + 1
    }

    /// A range with its marks replaced.
    fn rendered(&mut self, range: Range<usize>) -> String {
        let before = std::mem::take(&mut self.edits);
        if self.depth < DEEPEST {
            self.depth += 1;
            self.scan(range.start, range.end);
            self.depth -= 1;
        }
        let edits = std::mem::replace(&mut self.edits, before);
        let (mut out, mut done) = (String::new(), range.start);
        for (edit, written) in edits {
            if edit.start >= done {
                out += &self.text[done..edit.start];
                out += &written;
                done = edit.end;
            }
        }
        out + &self.text[done..range.end]
    }

    /// `x^2^`, `H~2~O`: without spaces.
    fn script(&mut self, at: usize, to: usize, mark: char, tag: &str) -> usize {
        let inner = &self.text[at + 1..to];
        let Some(length) = inner.find(|c: char| c == mark || c.is_whitespace()) else {
            return at + 1;
        };
        let end = at + 1 + length;
        if length == 0 || length > LONGEST_SCRIPT || !self.text[end..].starts_with(mark) {
            return at + 1;
        }
        self.edit(at..at + 1, format!("<{tag}>"));
        self.inside(at..end, end);
        self.edit(end..end + 1, format!("</{tag}>"));
        end + 1
    }

    /// A picture; alone in its paragraph it is a figure with its words as the caption.
    fn picture(&mut self, at: usize, brackets: Range<usize>, close: usize, to: usize) -> usize {
        let behind = &self.text[close + 1..to];
        let found = Attributes::at(behind).filter(|found| found.raw.is_none());
        let end = close + 1 + found.as_ref().map_or(0, |found| found.length);
        let found = found.unwrap_or_default();
        let target = &self.text[brackets.end + 1..close + 1];
        let words = match found.get("fig-cap") {
            Some(words) => words.to_owned(),
            None => self.rendered(brackets.start + 1..brackets.end),
        };
        let alt = alt(&found, &words);
        let picture = format!("![{}]{target}", escaped(&alt));
        let id = found.id.filter(|id| !id.is_empty());
        let label = id.and_then(|id| self.values.label(id));
        let caption = one_line(&caption(label, &words));
        let prefix = self
            .alone(at, end)
            .filter(|_| self.depth == 0 && !caption.is_empty());
        let Some(prefix) = prefix else {
            let place = id.map(inline_place).unwrap_or_default();
            self.edit(at..end, place + &picture);
            return end;
        };
        let figure = figure(prefix, id, &picture, &caption);
        self.edit(at..end, figure);
        end
    }

    /// The containers before a range that is a whole paragraph.
    fn alone(&self, at: usize, end: usize) -> Option<&'t str> {
        let start = self.text[..at].rfind('\n').map_or(0, |line| line + 1);
        let prefix = &self.text[start..at];
        let above = self.text[..start].trim_end_matches('\n');
        let has_gap = self.text[..start].len() > above.len() + 1 || above.is_empty();
        let above = self.text[..start.saturating_sub(1)]
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        let mut below = self.text[end..].split('\n');
        let rest = below.next().unwrap_or_default();
        let is_blank = |line: &str| line.trim_matches(MARGIN).is_empty();
        (is_blank(prefix)
            && (has_gap || is_blank(above))
            && rest.trim().is_empty()
            && is_blank(below.next().unwrap_or_default()))
        .then_some(prefix)
    }
}

fn alt(attributes: &Attributes<'_>, words: &str) -> String {
    match attributes.get("fig-alt").or(attributes.get("alt")) {
        Some(alt) => alt.replace("\\\"", "\""),
        None => plain(words),
    }
}

/// A picture with its caption.
fn figure(prefix: &str, id: Option<&str>, picture: &str, caption: &str) -> String {
    let bare = prefix.trim_end();
    let id = id.map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
    let mut lines = vec![
        format!("<figure{id}>"),
        bare.to_owned(),
        format!("{prefix}{picture}"),
        bare.to_owned(),
    ];
    lines.extend(figcaption(prefix, caption));
    lines.push(format!("{prefix}</figure>"));
    lines.join("\n")
}

fn begins_line(before: &str) -> bool {
    before.trim_end_matches(MARGIN).is_empty() || before.trim_end_matches(MARGIN).ends_with('\n')
}
