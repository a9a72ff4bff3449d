//! MDX: imports, comments and expressions go, components become tags like those of other kinds, and elements become HTML. Nothing is evaluated but
//! literals.

mod component;
mod tag;

use rustc_hash::FxHashMap;

use crate::dialects::passes::lines::Lines;
use crate::dialects::passes::math::Formulas;
use crate::model::bounds;
use crate::model::text::Next;
use crate::syntax::front::Front;
use component::Open;
use tag::{balanced, literal};

pub(in crate::dialects) use tag::Tag;

/// The longest tag or expression, in bytes.
const LONGEST: usize = 5000;
/// How deep braces may stand in each other.
const DEEPEST_BRACES: usize = 100;

/// Rewrites a text of Markdown with JSX; `dollar`: formulas stand between single dollars as well, and are neither JSX.
pub(in crate::dialects) fn rewrite(lines: &mut Lines, front: &Front, dollar: bool) {
    if lines.text.contains(['<', '{']) || lines.text.contains("import ") || lines.text.contains("export ") {
        walk(lines, front, false, dollar);
    }
}

/// Rewrites a text of Markdown with components of Vue: nothing but its tags is special.
pub(in crate::dialects) fn rewrite_vue(lines: &mut Lines, front: &Front, dollar: bool) {
    if lines.text.contains('<') {
        walk(lines, front, true, dollar);
    }
}

fn walk(lines: &mut Lines, front: &Front, vue: bool, dollar: bool) {
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
        dollar,
        begin: 0,
        indent: (usize::MAX, 0),
        paragraph: Next::of("\n\n", &lines.text),
        line_end: Next::of("\n", &lines.text),
        code_end: Next::of("</Code>", &lines.text),
        block_end: Next::of("</CodeBlock>", &lines.text),
        runs: FxHashMap::default(),
        formulas: Formulas::of(&lines.text),
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
    /// Whether single dollars begin formulas.
    dollar: bool,
    /// Where the line at `at` begins.
    begin: usize,
    /// A line, by where it begins, and how far it is indented.
    indent: (usize, usize),
    paragraph: Next<'a>,
    line_end: Next<'a>,
    code_end: Next<'a>,
    block_end: Next<'a>,
    /// For each length of a run of backticks up to where no other one is.
    runs: FxHashMap<usize, usize>,
    formulas: Formulas<'a>,
}

impl<'a> Walk<'a> {
    fn all(&mut self) {
        let mut after_blank = true;
        while self.at < self.text.len() && !bounds::is_over() {
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
    fn current(&mut self) -> &'a str {
        let end = self.line_end.from(self.at).map_or(self.text.len(), |end| end + 1);
        &self.text[self.at..end]
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
        self.pass(length);
        self.push(&text[start..start + length]);
    }

    /// Leaves out this many bytes.
    fn skip(&mut self, length: usize) {
        self.line += self.text[self.at..self.at + length].matches('\n').count();
        self.pass(length);
    }

    /// Goes on by this many bytes.
    fn pass(&mut self, length: usize) {
        if let Some(end) = self.text[self.at..self.at + length].rfind('\n') {
            self.begin = self.at + end + 1;
        }
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
            if line.trim().is_empty() && depth <= 0 || length > 4 * LONGEST || depth > DEEPEST_BRACES.cast_signed() {
                break;
            }
            let count = |marks: [char; 3]| isize::try_from(line.matches(marks).count()).unwrap_or(0);
            depth += count(['{', '(', '[']) - count(['}', ')', ']']);
            length += line.len();
        }
        // What never closes is but one paragraph.
        let paragraph = self.paragraph.from(self.at).map_or(rest.len(), |at| at + 1 - self.at);
        self.skip(if depth > 0 { paragraph } else { length });
    }

    /// The rest of a line, and of what begins in it.
    fn line(&mut self) {
        while let Some(step) = self.text[self.at..].find(['\n', '`', '\\', '$', '{', '<']).filter(|_| !bounds::is_over()) {
            self.copy(step);
            let rest = &self.text[self.at..];
            if let Some(length) = self.formula() {
                self.copy(length);
                continue;
            }
            match rest.as_bytes()[0] {
                b'\n' => return self.copy(1),
                b'$' => self.copy(rest.len() - rest.trim_start_matches('$').len()),
                b'`' => self.code_span(rest),
                b'\\' => self.copy(1 + rest[1..].chars().next().filter(char::is_ascii_punctuation).map_or(0, char::len_utf8)),
                b'{' => self.expression(rest),
                _ => self.tag(rest),
            }
        }
        self.copy(self.text.len() - self.at);
    }

    /// How long the formula is that begins here, if one does. A comment is none, whatever stands around it.
    fn formula(&mut self) -> Option<usize> {
        if !self.text[self.at..].starts_with(['$', '\\']) {
            return None;
        }
        let (_, _, end) = self.formulas.at(self.at, self.dollar)?;
        Some(end - self.at).filter(|length| !self.text[self.at..self.at + length].contains("{/*"))
    }

    fn code_span(&mut self, rest: &str) {
        let run = rest.len() - rest.trim_start_matches('`').len();
        let paragraph = self.paragraph.from(self.at).map_or(rest.len(), |end| end - self.at).min(LONGEST);
        // What was looked through for a run of this length is not looked through again.
        let known = self.runs.get(&run).map_or(0, |to| to.saturating_sub(self.at));
        let mut from = run.max(known);
        while let Some(at) = rest.get(from..).and_then(|rest| memchr::memchr(b'`', rest.as_bytes())).map(|at| from + at).filter(|at| *at < paragraph)
        {
            let length = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            from = at + length;
            if length == run {
                return self.copy(from);
            }
        }
        self.runs.insert(run, self.at + from.max(paragraph));
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
        let text = literal(inner).map(str::to_owned).or_else(|| self.front.text(&[key?]).map(crate::model::text::plain));
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
