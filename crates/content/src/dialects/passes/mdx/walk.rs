//! Walks through the lines of an MDX text.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::literal::{Braces, DEEPEST_BRACES, LONGEST, literal};
use super::open::Open;
use crate::dialects::lines::Lines;
use crate::dialects::markup::{MARGIN, code_span, container, is_media};
use crate::dialects::passes::math::Formulas;
use crate::model::bounds;
use crate::model::text::Next;
use crate::syntax::front::Front;

pub fn walk(lines: &mut Lines, front: &Front, dollar: bool) {
    let text = lines.text.as_str();
    let mut walk = Walk {
        text,
        at: 0,
        line: 0,
        out: String::with_capacity(text.len()),
        sources: vec![0],
        front,
        open: Vec::new(),
        fence: None,
        titles: Vec::new(),
        labels: VecDeque::new(),
        pictures: pictures(text),
        dollar,
        begin: 0,
        written: 0,
        indent: (usize::MAX, 0),
        paragraph: Next::new("\n\n", text),
        line_end: Next::new("\n", text),
        comment_end: Next::new("*/", text),
        code_end: Next::new("</Code>", text),
        block_end: Next::new("</CodeBlock>", text),
        pre_end: Next::new("</pre>", text),
        runs: FxHashMap::default(),
        formulas: Formulas::new(text),
        braces: Braces::default(),
    };
    walk.all();
    let (out, sources) = (walk.out, walk.sources);
    lines.replace(out, &sources);
}

pub struct Walk<'a> {
    pub text: &'a str,
    pub at: usize,
    /// The line number at `at`.
    line: usize,
    pub out: String,
    /// The source line of each written line.
    sources: Vec<usize>,
    pub front: &'a Front,
    /// The open components.
    pub open: Vec<Open<'a>>,
    /// A fence with MDX content.
    fence: Option<Fence>,
    /// Titles of tabs by their values.
    pub titles: Vec<(String, String)>,
    /// The titles of the next tabs, where the component around them lists these.
    pub labels: VecDeque<String>,
    /// Imported pictures and other files for the web, by name.
    pub pictures: FxHashMap<&'a str, &'a str>,
    /// Whether single dollars open formulas.
    pub dollar: bool,
    /// The start of the line at `at`.
    pub begin: usize,
    /// The start of the last written line.
    pub written: usize,
    /// The start of a line and its indent.
    pub indent: (usize, usize),
    pub paragraph: Next<'a>,
    line_end: Next<'a>,
    pub comment_end: Next<'a>,
    pub code_end: Next<'a>,
    pub block_end: Next<'a>,
    pub pre_end: Next<'a>,
    /// For each length of a backtick run, the position up to which no other run of it exists.
    pub runs: FxHashMap<usize, usize>,
    pub formulas: Formulas<'a>,
    pub braces: Braces,
}

impl<'a> Walk<'a> {
    fn all(&mut self) {
        let mut after_blank = true;
        while self.at < self.text.len() && !bounds::is_over() {
            self.dedent();
            let line = self.current();
            if let Some(fence) = self.fence
                && fence.is_closed_by(line)
            {
                self.fence = None;
                self.skip(line.trim_end_matches('\n').len());
            } else if let Some(fence) = Fence::parse(line) {
                if fence.is_named(line, "mdx-code-block") {
                    self.fence = Some(fence);
                    self.skip(line.trim_end_matches('\n').len());
                } else {
                    self.copy_fence(line, fence);
                }
                after_blank = false;
            } else if after_blank && is_statement(line) {
                self.drop_statements();
            } else {
                let from = self.out.len();
                self.inline();
                after_blank = self.out.get(from..).unwrap_or_default().trim().is_empty();
            }
        }
    }

    /// The line that begins here.
    pub fn current(&mut self) -> &'a str {
        let end = self
            .line_end
            .from(self.at)
            .map_or(self.text.len(), |end| end + 1);
        &self.text[self.at..end]
    }

    /// Skips the indent that belongs to the components around the line.
    fn dedent(&mut self) {
        let line = self.current();
        let indent = indent(line);
        let Some(base) = self.open.first().map(|open| open.own) else {
            return;
        };
        if line.trim().is_empty() {
            return;
        }
        if let Some(last) = self.open.last_mut()
            && last.content.is_none()
            && !line.trim_start().starts_with("</")
        {
            last.content = Some(indent);
        }
        let surplus: usize = self.open.iter().map(Open::surplus).sum();
        self.at += surplus.min(indent.saturating_sub(base));
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        for _ in text.matches('\n') {
            self.line += 1;
            self.sources.push(self.line);
        }
        if let Some(end) = text.rfind('\n') {
            self.written = self.out.len() - text.len() + end + 1;
        }
    }

    /// The line that is being written.
    pub fn written_line(&self) -> &str {
        &self.out[self.written..]
    }

    /// Copies this many bytes.
    pub fn copy(&mut self, length: usize) {
        let (start, text) = (self.at, self.text);
        self.pass(length);
        self.push(&text[start..start + length]);
    }

    /// Skips this many bytes.
    pub fn skip(&mut self, length: usize) {
        self.line += self.text[self.at..self.at + length].matches('\n').count();
        self.pass(length);
    }

    /// Advances by this many bytes.
    fn pass(&mut self, length: usize) {
        if let Some(end) = self.text[self.at..self.at + length].rfind('\n') {
            self.begin = self.at + end + 1;
        }
        self.at += length;
    }

    /// Adds a line that the source does not have.
    pub fn add_line(&mut self, text: &str) {
        self.out.push('\n');
        self.sources.push(self.line);
        self.written = self.out.len();
        self.out.push_str(text);
    }

    fn copy_fence(&mut self, first: &str, fence: Fence) {
        if !self.open.is_empty()
            && let Some(name) = fence.file_name(first)
        {
            self.name_file(first, name);
        }
        self.copy(first.len());
        while self.at < self.text.len() {
            self.dedent();
            let line = self.current();
            if fence.quoted && !line.trim_start().starts_with('>') {
                break;
            }
            self.copy(line.len());
            if fence.is_closed_by(line) {
                break;
            }
        }
    }

    /// Shows the name of the file that a fence in a component contains, in a paragraph of its own.
    fn name_file(&mut self, first: &str, name: &str) {
        let prefix = container(first);
        if !first.starts_with(&prefix) {
            // The fence begins an item of a list.
            return;
        }
        let name = code_span(name);
        if self.is_after_blank() {
            self.out.push_str(&format!("{prefix}{name}"));
        } else {
            self.out.push_str(prefix.trim_end());
            self.add_line(&format!("{prefix}{name}"));
        }
        self.add_line(prefix.trim_end());
        self.add_line("");
    }

    /// `import …` and `export …`, up to a blank line outside braces.
    fn drop_statements(&mut self) {
        let rest = &self.text[self.at..];
        let (mut length, is_closed) = statements(rest);
        if !is_closed {
            // An unclosed statement ends with its paragraph.
            length = self
                .paragraph
                .from(self.at)
                .map_or(rest.len(), |at| at + 1 - self.at);
        }
        self.skip(length);
    }
}

/// The length of the statements at the beginning, and whether their braces are closed.
fn statements(rest: &str) -> (usize, bool) {
    let (mut depth, mut length) = (0_usize, 0);
    let (mut opened, mut closed) = (0, 0);
    for line in rest.split_inclusive('\n') {
        if line.trim().is_empty() && depth == 0 || length > 4 * LONGEST || depth > DEEPEST_BRACES {
            break;
        }
        opened += line.matches(['{', '(', '[']).count();
        closed += line.matches(['}', ')', ']']).count();
        depth = opened.saturating_sub(closed);
        length += line.len();
    }
    (length, depth == 0)
}

/// The indent of a line, in bytes.
pub fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether a line begins a statement of JavaScript, and not a sentence.
fn is_statement(line: &str) -> bool {
    const EXPORTED: [&str; 11] = [
        "const",
        "let",
        "var",
        "default",
        "function",
        "async",
        "class",
        "type",
        "interface",
        "{",
        "*",
    ];
    if let Some(rest) = line.strip_prefix("export ") {
        let rest = rest.trim_start();
        return EXPORTED.iter().any(|word| rest.starts_with(word));
    }
    let Some(rest) = line.strip_prefix("import ") else {
        return false;
    };
    let rest = rest.trim();
    rest.starts_with(['{', '*', '"', '\''])
        || rest.contains(" from ") && rest.contains(['"', '\''])
        || rest.ends_with(',')
        || !rest.contains(' ')
}

/// Files for the web that a text imports: `import name from './a.png'`.
fn pictures(text: &str) -> FxHashMap<&str, &str> {
    let mut pictures = FxHashMap::default();
    for line in text.split('\n') {
        if let Some(rest) = line.strip_prefix("import ")
            && let Some((name, from)) = rest.split_once(" from ")
            && let Some(path) = literal(from.trim().trim_end_matches(';'))
            && is_media(path)
            && pictures.len() < MOST_PICTURES
        {
            pictures.insert(name.trim(), path);
        }
    }
    pictures
}

/// How many imported files are remembered.
const MOST_PICTURES: usize = 1_000;

/// The delimiter of a code block.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Whether it is inside a quotation.
    quoted: bool,
}

impl Fence {
    /// The fence that a line opens.
    fn parse(line: &str) -> Option<Self> {
        let rest = line.get(container(line).len()..)?;
        let mark = rest
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let words = rest.trim_start_matches(mark);
        let length = rest.len() - words.len();
        (length >= 3 && !(mark == '`' && words.contains('`'))).then_some(Self {
            mark,
            length,
            quoted: line.trim_start().starts_with('>'),
        })
    }

    /// The name of a file behind the language, as in `js src/App.js active`.
    fn file_name(self, line: &str) -> Option<&str> {
        let info = line
            .trim_start_matches(MARGIN)
            .trim_start_matches(self.mark);
        let name = info.split_whitespace().nth(1)?;
        let is_path = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-@[]()".contains(&byte));
        let (_, ending) = name.rsplit_once('.')?;
        (is_path && (1..=5).contains(&ending.len())).then_some(name)
    }

    /// Whether the line that opens it has exactly this info string.
    fn is_named(self, line: &str, name: &str) -> bool {
        line.trim().trim_start_matches(self.mark) == name
    }

    fn is_closed_by(self, line: &str) -> bool {
        let line = if self.quoted {
            line.trim_matches(MARGIN)
        } else {
            line
        };
        let line = line.trim();
        line.len() >= self.length && line.trim_start_matches(self.mark).is_empty()
    }
}
