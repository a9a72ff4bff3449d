//! Roles, links and labels in the text of MyST.

use std::ops::Range;

use super::place::{self, Link};
use super::roles::{self, Written};
use crate::dialects::lines::{Lines, Remark};
use crate::dialects::markup::{self, block_place};
use crate::dialects::myst::labels::{self, of_line};
use crate::dialects::myst::named;
use crate::dialects::passes::escape::escape;
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::model::bounds;
use crate::model::problem::MOST_OF_ONE_FILE;
use crate::model::text::shorten;
use crate::syntax::markdown::literal::Literals;

/// What every text with something to write contains.
const SIGNS: [&str; 9] = [
    "}`",
    ")=",
    "](",
    "]{",
    "<project:",
    "<wiki:",
    "<doi:",
    "<xref:",
    "{#",
];
/// Characters at which something may begin.
const BEGINS: [char; 7] = ['\\', '`', '{', '[', ']', '(', '<'];
/// What an address of the same project begins with.
const PROJECT: [&str; 2] = ["project:", "path:"];
/// Schemes of other sites. The name of a label may have a colon as well.
const SCHEMES: [&str; 7] = [
    "http://", "https://", "ftp://", "mailto:", "tel:", "inv:", "data:",
];
/// The longest address and the longest name of a role, in bytes.
const LONGEST: usize = 500;

/// A text that is being written.
struct Walk<'t> {
    text: &'t str,
    page: &'t Page<'t>,
    lines: &'t Lines,
    literals: &'t Literals,
    splice: Splice<'t>,
    /// Brackets that are open.
    open: Vec<usize>,
    /// The ends of spans with attributes, which are removed.
    ends: Vec<Range<usize>>,
    remarks: Vec<Remark>,
}

/// Writes roles and labels as plain Markdown, and gives links their addresses.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    let text = lines.text.as_str();
    if !SIGNS.iter().any(|sign| text.contains(sign)) {
        return;
    }
    let literals = lines.literals();
    let mut walk = Walk {
        text,
        page,
        lines,
        literals: &literals,
        splice: Splice::new(text),
        open: Vec::new(),
        ends: Vec::new(),
        remarks: Vec::new(),
    };
    walk.whole();
    let Walk {
        splice, remarks, ..
    } = walk;
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
    lines.remarks.extend(remarks);
}

impl Walk<'_> {
    fn whole(&mut self) {
        let mut at = 0;
        while let Some(found) = self.text[at..].find(BEGINS) {
            let begin = at + found;
            if bounds::is_over() {
                return;
            }
            at = self.one(begin).max(begin + 1);
            at = self.text.ceil_char_boundary(at);
        }
    }

    /// Writes what begins here; returns where the rest begins.
    fn one(&mut self, at: usize) -> usize {
        if let Some(end) = self.literals.end_of_code(at) {
            return end;
        }
        if self.literals.is_code(at) || self.literals.is_html(at) {
            return at + 1;
        }
        let written = match self.text.as_bytes()[at] {
            b'\\' => Some(at + 2),
            b'{' => self.role(at).or_else(|| self.attributes(at)),
            b'[' => self.bracket(at),
            b']' => self.link(at),
            b'(' => self.label(at),
            b'<' => self.autolink(at),
            _ => None,
        };
        written.unwrap_or(at + 1)
    }

    /// The rest of the line from here, as far as anything may extend.
    fn line(&self, at: usize) -> &str {
        let rest = &self.text[at..self.text.floor_char_boundary(at + LONGEST)];
        &rest[..rest.find('\n').unwrap_or(rest.len())]
    }

    /// Whether nothing but white space and quote markers is before this place on its line.
    fn begins_line(&self, at: usize) -> bool {
        let near = self.text.ceil_char_boundary(at.saturating_sub(LONGEST));
        let before = &self.text[near..at];
        match before.rfind('\n') {
            Some(end) => markup::is_blank(&before[end + 1..]),
            None => near == 0 && markup::is_blank(before),
        }
    }

    /// `` {name}`content` ``
    fn role(&mut self, at: usize) -> Option<usize> {
        let inner = self.line(at).strip_prefix('{')?;
        let (name, _) = inner.split_once('}')?;
        let is_sign =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '+' | '.');
        if name.is_empty() || !name.chars().all(is_sign) {
            return None;
        }
        let code = at + name.len() + 2;
        let end = self.literals.end_of_code(code)?;
        let content = self.text[code..end].trim_matches('`');
        let (written, missing) = match roles::write(name, content, self.page) {
            Written::Text(text) => (text, None),
            Written::Missing(text) => (text, Some(named(content).1)),
        };
        if let Some(target) = missing {
            let target = shorten(target, 100);
            self.remark(
                at,
                format!("no text of the folder has the target `{target}`"),
            );
        }
        self.splice.put(at..end, &written);
        Some(end)
    }

    /// `{#id .class}` on a line of its own: its id becomes a place.
    fn attributes(&mut self, at: usize) -> Option<usize> {
        let line = self.line(at).trim_end();
        let id = labels::of_attributes(line).filter(|_| self.begins_line(at))?;
        let place = format!("{}\n", block_place(&place::id(id)));
        let end = at + line.len();
        self.splice.put(at..end, &place);
        Some(end)
    }

    /// `(name)=`
    fn label(&mut self, at: usize) -> Option<usize> {
        let line = self.line(at).trim_end();
        let name = of_line(line)?;
        if !self.begins_line(at) {
            return None;
        }
        let end = at + line.len();
        let place = block_place(&place::id(&labels::normal(name)));
        match self.title_behind(end) {
            // A title is the first block of its text.
            Some(title_end) => {
                self.splice.put(at..end, "");
                self.splice
                    .put(title_end..title_end, &format!("\n\n{place}\n"));
                Some(title_end)
            }
            None => {
                self.splice.put(at..end, &format!("{place}\n"));
                Some(end)
            }
        }
    }

    /// Where the title of the page ends, if it is behind this place and nothing is before it.
    fn title_behind(&self, at: usize) -> Option<usize> {
        let before = self.splice.written().trim();
        let is_first = before.is_empty() && self.text[..at].lines().all(is_label_or_blank);
        let rest = &self.text[at..];
        let begin = at + (rest.len() - rest.trim_start().len());
        let title = &self.text[begin..];
        let is_title = is_first && title.starts_with("# ");
        is_title.then(|| begin + title.find('\n').unwrap_or(title.len()))
    }

    /// A bracket that opens; that of `[words]{.class}` is removed, as what is behind the words.
    fn bracket(&mut self, at: usize) -> Option<usize> {
        self.open.push(at);
        let line = self.line(at);
        let mut depth = 0;
        let close = line.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '[') - i32::from(*c == ']');
            depth == 0
        });
        let (close, _) = close?;
        let (inner, _) = line[close..].strip_prefix("]{")?.split_once('}')?;
        if !inner.starts_with(['.', '#']) {
            return None;
        }
        let end = at + close + inner.len() + "]{}".len();
        let id = labels::id_in(inner).map(place::id);
        self.ends.push(at + close..end);
        let place = id.map(|id| markup::inline_place(&id));
        self.splice.put(at..at + 1, &place.unwrap_or_default());
        None
    }

    /// The link that a bracket may be the middle of.
    fn link(&mut self, at: usize) -> Option<usize> {
        let open = self.open.pop()?;
        if self.ends.last().is_some_and(|end| end.start == at) {
            let end = self.ends.pop()?;
            self.splice.put(end.clone(), "");
            return Some(end.end);
        }
        let behind = self.line(at).strip_prefix("](")?;
        let (target, _) = behind.split_once(')')?;
        let is_picture = self.text[..open].ends_with('!');
        if is_picture || target.contains(char::is_whitespace) || target.starts_with('<') {
            return None;
        }
        let begin = at + 2;
        let end = begin + target.len();
        let is_empty = open + 1 == at;
        let Link { address, title } = resolved(target, is_empty, self.page)?;
        if is_empty {
            self.splice.put(at..at, &escape(&title));
        }
        self.splice.put(begin..end, &markup::address(&address));
        Some(end)
    }

    /// `<project:target>`, `<wiki:page>`
    fn autolink(&mut self, at: usize) -> Option<usize> {
        let (target, _) = self.line(at).strip_prefix('<')?.split_once('>')?;
        let end = at + target.len() + 2;
        let Link { address, title } = match target.strip_prefix(PROJECT[0]) {
            Some(inner) => resolved(inner, true, self.page),
            None => place::elsewhere(target, self.page),
        }?;
        let link = format!("[{}]({})", escape(&title), markup::address(&address));
        self.splice.put(at..end, &link);
        Some(end)
    }

    fn remark(&mut self, at: usize, message: String) {
        if self.remarks.len() <= MOST_OF_ONE_FILE {
            self.remarks.push(self.lines.remark(at, message));
        }
    }
}

fn is_label_or_blank(line: &str) -> bool {
    line.trim().is_empty() || of_line(line).is_some()
}

/// Where a target leads; `None`: the link stays as it is.
fn resolved(target: &str, is_empty: bool, page: &Page<'_>) -> Option<Link> {
    let own = PROJECT
        .iter()
        .find_map(|prefix| target.strip_prefix(prefix));
    let (target, is_own) = (own.unwrap_or(target), own.is_some());
    let unknown = |address: String, title: &str| Link {
        address,
        title: title.to_owned(),
    };
    if let Some(name) = target.strip_prefix('#') {
        let written = || (is_empty || is_own).then(|| unknown(target.to_owned(), name));
        return place::label(name, page).or_else(written);
    }
    if target.is_empty() || SCHEMES.iter().any(|scheme| target.starts_with(scheme)) {
        return None;
    }
    if let Some(found) = place::elsewhere(target, page) {
        return Some(found);
    }
    let is_file = target.contains(['.', '#']) || target.ends_with('/');
    let found = match is_file {
        true => place::document(target, page).or_else(|| place::label(target, page)),
        false => place::label_or_document(target, page),
    };
    match found {
        Some(found) if is_empty || !is_file => Some(found),
        _ if is_own || target.starts_with('/') => Some(unknown(place::file(target, page), target)),
        _ => None,
    }
}
