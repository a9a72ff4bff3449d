//! MDX: imports, comments and expressions go, components become tags like those of other kinds, and elements become HTML. Nothing is evaluated but
//! literals.

mod component;
mod tag;

use super::lines::Lines;
use crate::front::Front;
use component::Open;
use tag::{balanced, literal};

pub(super) use tag::Tag;

/// The longest tag or expression, in bytes.
const LONGEST: usize = 5000;

/// Rewrites a text of Markdown with JSX.
pub(super) fn rewrite(lines: &mut Lines, front: &Front) {
    if lines.text.contains(['<', '{']) || lines.text.contains("import ") || lines.text.contains("export ") {
        walk(lines, front, false);
    }
}

/// Rewrites a text of Markdown with components of Vue: nothing but its tags is special.
pub(super) fn rewrite_vue(lines: &mut Lines, front: &Front) {
    if lines.text.contains('<') {
        walk(lines, front, true);
    }
}

fn walk(lines: &mut Lines, front: &Front, vue: bool) {
    let mut walk = Walk {
        text: &lines.text,
        at: 0,
        line: 0,
        out: String::with_capacity(lines.text.len()),
        sources: vec![0],
        front,
        open: Vec::new(),
        fence: None,
        titles: Vec::new(),
        vue,
    };
    walk.all();
    let (out, sources) = (walk.out, walk.sources);
    lines.replace(out, &sources);
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    /// The line of the text at `at`.
    line: usize,
    out: String,
    /// For each line written the line it comes from.
    sources: Vec<usize>,
    front: &'a Front,
    /// Components that are open.
    open: Vec<Open<'a>>,
    /// A fence whose content is MDX.
    fence: Option<(char, usize)>,
    /// Titles of tabs by their values.
    titles: Vec<(String, String)>,
    /// Whether the components are Vue's.
    vue: bool,
}

impl<'a> Walk<'a> {
    fn all(&mut self) {
        let mut after_blank = true;
        while self.at < self.text.len() {
            self.dedent();
            let line = self.current();
            let trimmed = line.trim_start();
            if self.fence.is_some_and(|(mark, length)| trimmed.trim_end().len() >= length && trimmed.trim_end().chars().all(|c| c == mark)) {
                self.fence = None;
                self.skip(line.trim_end_matches('\n').len());
            } else if let Some(fence) = fence(trimmed) {
                if trimmed.trim_start_matches(fence.0).trim() == "mdx-code-block" {
                    self.fence = Some(fence);
                    self.skip(line.trim_end_matches('\n').len());
                } else {
                    self.copy_fence(line, fence);
                }
                after_blank = false;
            } else if !self.vue && after_blank && (line.starts_with("import ") || line.starts_with("export ")) {
                self.drop_statements();
            } else {
                let from = self.out.len();
                self.line();
                after_blank = self.out.get(from..).is_none_or(|written| written.trim().is_empty());
            }
        }
    }

    /// The line that begins here.
    fn current(&self) -> &'a str {
        self.text[self.at..].split_inclusive('\n').next().unwrap_or_default()
    }

    /// Leaves out what a line is indented by for the components around it.
    fn dedent(&mut self) {
        let line = self.current();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let Some(base) = self.open.first().map(|open| open.own).filter(|_| !line.trim().is_empty()) else { return };
        let closes = line.trim_start().starts_with("</");
        if let Some(last) = self.open.last_mut().filter(|last| last.content.is_none() && !closes) {
            last.content = Some(indent);
        }
        let surplus: usize = self.open.iter().map(|open| open.content.unwrap_or(open.own).saturating_sub(open.own)).sum();
        self.at += surplus.min(indent.saturating_sub(base));
    }

    fn push(&mut self, text: &str) {
        for (at, piece) in text.split('\n').enumerate() {
            if at > 0 {
                self.out.push('\n');
                self.line += 1;
                self.sources.push(self.line);
            }
            self.out.push_str(piece);
        }
    }

    /// Copies this many bytes.
    fn copy(&mut self, length: usize) {
        let (start, text) = (self.at, self.text);
        self.at += length;
        self.push(&text[start..start + length]);
    }

    /// Leaves out this many bytes.
    fn skip(&mut self, length: usize) {
        self.line += self.text[self.at..self.at + length].matches('\n').count();
        self.at += length;
    }

    fn copy_fence(&mut self, first: &str, fence: (char, usize)) {
        self.copy(first.len());
        while self.at < self.text.len() {
            self.dedent();
            let line = self.current();
            self.copy(line.len());
            let trimmed = line.trim();
            if trimmed.len() >= fence.1 && trimmed.chars().all(|c| c == fence.0) {
                break;
            }
        }
    }

    /// `import …` and `export …`, up to a blank line outside of braces.
    fn drop_statements(&mut self) {
        let rest = &self.text[self.at..];
        let (mut depth, mut length) = (0_isize, 0);
        for line in rest.split_inclusive('\n') {
            if line.trim().is_empty() && depth <= 0 || length > 4 * LONGEST {
                break;
            }
            let count = |marks: [char; 3]| isize::try_from(line.matches(marks).count()).unwrap_or(0);
            depth += count(['{', '(', '[']) - count(['}', ')', ']']);
            length += line.len();
        }
        // What never closes is but one paragraph.
        let paragraph = rest.find("\n\n").map_or(rest.len(), |at| at + 1);
        self.skip(if depth > 0 { paragraph } else { length });
    }

    /// The rest of a line, and of what begins in it.
    fn line(&mut self) {
        while let Some(step) = self.text[self.at..].find(['\n', '`', '\\', '{', '<']) {
            self.copy(step);
            let rest = &self.text[self.at..];
            match rest.as_bytes()[0] {
                b'\n' => return self.copy(1),
                b'`' => self.code_span(rest),
                b'\\' => self.copy(1 + rest[1..].chars().next().filter(char::is_ascii_punctuation).map_or(0, char::len_utf8)),
                b'{' => self.expression(rest),
                _ => self.tag(rest),
            }
        }
        self.copy(self.text.len() - self.at);
    }

    fn code_span(&mut self, rest: &str) {
        let run = rest.len() - rest.trim_start_matches('`').len();
        let paragraph = rest[..rest.find("\n\n").unwrap_or(rest.len())].len().min(LONGEST);
        let mut from = run;
        while let Some(at) = rest.get(from..).and_then(|rest| rest.find('`')).map(|at| from + at).filter(|at| *at < paragraph) {
            let length = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            from = at + length;
            if length == run {
                return self.copy(from);
            }
        }
        self.copy(run);
    }

    /// `{…}`: a literal is its text, a key of the front matter its value; comments and all else go.
    fn expression(&mut self, rest: &str) {
        let kept = self.vue
            || rest.starts_with("{{")
            || rest.starts_with("{%")
            || rest.starts_with("{#")
            || rest.starts_with("{:")
            || rest.starts_with("{.");
        let Some(length) = balanced(rest).filter(|_| !kept) else {
            let run = rest.len() - rest.trim_start_matches('{').len();
            return self.copy(run);
        };
        let inner = rest[1..length - 1].trim();
        let key = inner.strip_prefix("frontMatter.").or_else(|| inner.strip_prefix("frontmatter."));
        let text = literal(inner).map(str::to_owned).or_else(|| self.front.text(&[key?]).map(crate::text::plain));
        self.skip(length);
        self.push_flat(&text.unwrap_or_default());
    }

    /// Text on one line.
    fn push_flat(&mut self, text: &str) {
        if text == " " { self.out.push(' ') } else { self.out.push_str(&text.replace(['\n', '\r'], " ")) }
    }

    /// A line more than the source has here.
    fn added(&mut self, text: &str) {
        self.out.push('\n');
        self.sources.push(self.line);
        self.out.push_str(text);
    }
}

fn fence(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3 && !(mark == '`' && line[length..].contains('`'))).then_some((mark, length))
}

#[cfg(test)]
mod tests;
