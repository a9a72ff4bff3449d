//! Tags in code: some generators run them before they read Markdown. What an author writes there so
//! that other tags are shown as they are is removed. What they do not show is removed by `logic`.

use std::ops::Range;

use super::page::Page;
use super::splice::Splice;
use crate::dialects::dialect::CodeTags;
use crate::dialects::kinds::replace;
use crate::dialects::lines::Lines;
use crate::dialects::tags::{Call, Form, Piece};

/// The longest tag, in bytes.
const LONGEST: usize = 1_000;
/// How escaped shortcodes begin and end, and what is shown.
const ESCAPES: [[&str; 4]; 2] = [
    ["{{</*", "*/>}}", "{{<", ">}}"],
    ["{{%/*", "*/%}}", "{{%", "%}}"],
];
/// A shortcode with a value, in both forms.
const VALUES: [[&str; 2]; 2] = [["{{< param ", ">}}"], ["{{% param ", "%}}"]];

/// Removes `raw` and its end from code.
pub fn unwrap_raw(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.dialect.code_tags != CodeTags::Raw || !lines.text.contains("endraw") {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(&lines.text);
    let mut open = None;
    for (range, is_end) in raw_tags(&lines.text) {
        match (open.take(), is_end) {
            (None, false) => open = Some(range),
            (Some(begin), true) => {
                for tag in [begin, range] {
                    if literals.is_code(tag.start) {
                        splice.put(whole_line(&lines.text, tag), "");
                    }
                }
            }
            (begin, _) => open = begin,
        }
    }
    let (text, sources) = splice.finish();
    lines.replace(text, &sources);
}

/// All `{% raw %}` and `{% endraw %}`, and whether each is an end.
fn raw_tags(text: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
    text.match_indices("{%").filter_map(|(start, open)| {
        let rest = &text[start + open.len()..];
        let rest = &rest[..rest.floor_char_boundary(LONGEST)];
        let (inner, _) = rest.split_once("%}")?;
        let is_end = match inner.trim_matches(['-', ' ', '\t']) {
            "raw" => false,
            "endraw" => true,
            _ => return None,
        };
        let end = start + open.len() + inner.len() + "%}".len();
        Some((start..end, is_end))
    })
}

/// The range with its line, if nothing else is on that line.
pub fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let is_blank = |c: char| c.is_whitespace() && c != '\n';
    let before = text[..range.start].trim_end_matches(is_blank);
    let after = text[range.end..].trim_start_matches(is_blank);
    let begins = before.is_empty() || before.ends_with('\n');
    match begins && after.starts_with('\n') {
        true => before.len()..text.len() - after.len() + 1,
        false => range,
    }
}

/// Shows escaped shortcodes in code as they are called, and values as they are known.
pub fn show_escaped(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.dialect.code_tags != CodeTags::Escapes || !lines.text.contains("{{") {
        return;
    }
    let literals = lines.literals();
    let mut splice = Splice::new(&lines.text);
    for code in &literals.code {
        in_code(&lines.text, code, page, &mut splice);
    }
    let (text, sources) = splice.finish();
    if text != lines.text {
        lines.replace(text, &sources);
    }
}

fn in_code(text: &str, code: &Range<usize>, page: &Page<'_>, splice: &mut Splice<'_>) {
    let mut at = code.start;
    while let Some(step) = text[at..code.end].find("{{") {
        at += step;
        let tag = &text[at..code.end];
        let tag = &tag[..tag.floor_char_boundary(LONGEST)];
        match shown(tag, page) {
            Some((length, shown)) => {
                splice.put(at..at + length, &shown);
                at += length;
            }
            None => at += 2,
        }
    }
}

/// The length of the tag at the beginning of a text, and what it shows.
fn shown(tag: &str, page: &Page<'_>) -> Option<(usize, String)> {
    for [open, close, shown_open, shown_close] in ESCAPES {
        if let Some(inner) = between(tag, open, close) {
            let length = open.len() + inner.len() + close.len();
            return Some((length, format!("{shown_open}{inner}{shown_close}")));
        }
    }
    VALUES.iter().find_map(|[open, close]| {
        let inner = between(tag, open, close)?;
        let call = Call::new(Form::Shortcode, "param", inner.trim(), page.front);
        match replace(page.kind.dialect, &call)? {
            Piece::Text(value) if !value.contains(['\n', '`']) => {
                Some((open.len() + inner.len() + close.len(), value))
            }
            _ => None,
        }
    })
}

fn between<'t>(tag: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let (inner, _) = tag.strip_prefix(open)?.split_once(close)?;
    Some(inner)
}
