//! The tags of an element, line by line.

use std::borrow::Cow;

use crate::syntax::html::is_void;

/// Elements that are words of a paragraph also where they begin a line, in order.
const OF_WORDS: [&str; 45] = [
    "a", "abbr", "acronym", "b", "bdo", "big", "br", "button", "cite", "code", "del", "dfn", "em",
    "i", "img", "input", "ins", "kbd", "label", "map", "mark", "object", "option", "output", "q",
    "rb", "rbc", "rp", "rt", "rtc", "ruby", "s", "samp", "select", "small", "span", "strike",
    "strong", "sub", "sup", "textarea", "time", "tt", "u", "var",
];
/// Elements whose blocks CommonMark ends with them, whatever empty lines are in them.
const KEPT: [&str; 3] = ["pre", "script", "style"];

/// An element that a line begins.
#[derive(Clone, Copy)]
pub struct Element<'t> {
    name: &'t str,
}

impl<'t> Element<'t> {
    pub fn at(rest: &'t str) -> Option<Self> {
        let tag = rest.strip_prefix('<')?;
        let end = tag.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        let (name, after) = tag.split_at(end.unwrap_or(tag.len()));
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (after.is_empty() || after.starts_with([' ', '\t', '\r', '>', '/']));
        is_name.then_some(Self { name })
    }

    pub fn is_of_words(&self) -> bool {
        OF_WORDS.iter().any(|name| self.is(name))
    }

    pub fn is_void(&self) -> bool {
        is_void(&self.name.to_ascii_lowercase())
    }

    pub fn keeps_empty_lines(&self) -> bool {
        KEPT.iter().any(|name| self.is(name))
    }

    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether a line is nothing but its first tag.
    pub fn is_alone(&self, line: &str) -> bool {
        let tag = line.trim_end().strip_suffix('>');
        tag.is_some_and(|tag| !tag[1..].contains(['<', '>']))
    }

    /// How many elements of this name are open after a line.
    pub fn depth_after(&self, mut depth: usize, line: &str) -> usize {
        let mut ends = line.match_indices('>').map(|(at, _)| at).peekable();
        for (at, _) in line.match_indices('<') {
            while ends.next_if(|end| *end < at).is_some() {}
            let tag = &line[at + 1..];
            let (is_end, tag) = match tag.strip_prefix('/') {
                Some(tag) => (true, tag),
                None => (false, tag),
            };
            let name = tag.get(..self.name.len());
            let has_name = name.is_some_and(|name| self.is(name))
                && !tag[self.name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '-');
            let end = ends.peek().copied().unwrap_or(line.len());
            let is_empty = line[..end].ends_with('/');
            match (has_name, is_end) {
                (true, true) => depth = depth.saturating_sub(1),
                (true, false) if !self.is_void() && !is_empty => depth += 1,
                _ => {}
            }
        }
        depth
    }
}

/// Whether the text after a line is in `<pre>`.
pub fn is_in_pre(before: bool, line: &str) -> bool {
    let pre = Element { name: "pre" };
    pre.depth_after(usize::from(before), line) > 0
}

/// How a block of code began.
enum Opening {
    /// A fence: its sign and its length.
    Fence(char, usize),
    /// The Liquid tag `highlight`.
    Highlight,
}

/// Fenced and highlighted code, line by line.
#[derive(Default)]
pub struct Fence {
    open: Option<Opening>,
}

impl Fence {
    /// Whether a line is code, or one of its fences.
    pub fn holds(&mut self, rest: &str) -> bool {
        let item = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = item.trim_start_matches(['-', '*', '+', '.']).trim_start();
        let words = if self.open.is_some() { rest } else { item };
        let sign = words.chars().next().unwrap_or_default();
        let after = words.trim_start_matches(sign);
        let length = words.len() - after.len();
        let is_fence = matches!(sign, '`' | '~') && length > 2;
        match self.open {
            Some(Opening::Fence(own, least)) => {
                if is_fence && sign == own && length >= least && after.trim().is_empty() {
                    self.open = None;
                }
                true
            }
            Some(Opening::Highlight) => {
                if rest.contains("endhighlight") {
                    self.open = None;
                }
                true
            }
            None if is_fence && !(sign == '`' && after.contains('`')) => {
                self.open = Some(Opening::Fence(sign, length));
                true
            }
            None if begins_highlighted(rest) => {
                self.open = Some(Opening::Highlight);
                true
            }
            None => false,
        }
    }
}

/// Whether a line begins a block of highlighted code that ends on a later line.
fn begins_highlighted(rest: &str) -> bool {
    let tag = rest
        .strip_prefix("{%")
        .map(|tag| tag.trim_start_matches(['-', ' ']));
    tag.is_some_and(|tag| tag.starts_with("highlight ") && !tag.contains("endhighlight"))
}

/// The lines of an element without what is not a tag: comments and code.
#[derive(Default)]
pub struct Tags {
    fence: Fence,
    is_comment: bool,
}

impl Tags {
    pub fn of<'l>(&mut self, line: &'l str) -> Cow<'l, str> {
        if !self.is_comment && self.fence.holds(line) {
            return Cow::Borrowed("");
        }
        if !self.is_comment && !line.contains("<!--") && !line.contains('`') {
            return Cow::Borrowed(line);
        }
        let mut kept = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            if self.is_comment {
                let end = rest.find("-->");
                self.is_comment = end.is_none();
                rest = end.map_or("", |end| &rest[end + 3..]);
                continue;
            }
            let next = rest.find(['`', '<']).unwrap_or(rest.len());
            kept.push_str(&rest[..next]);
            rest = &rest[next..];
            let code = rest.strip_prefix('`').and_then(|code| code.split_once('`'));
            if let Some((_, after)) = code {
                rest = after;
            } else if rest.starts_with("<!--") {
                self.is_comment = true;
            } else {
                let sign = rest.chars().next().map_or(0, char::len_utf8);
                kept.push_str(&rest[..sign]);
                rest = &rest[sign..];
            }
        }
        Cow::Owned(kept)
    }
}
