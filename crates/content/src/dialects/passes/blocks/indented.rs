//! Blocks whose content is indented: `!!! note "Title"`, `??? note`, `=== "Tab"`.

use super::output::{Block, Output};
use crate::dialects::scan::Line;
use crate::dialects::tags::callout::mark;
use crate::model::document::callout_kind;

/// Writes the block that a line opens; returns the line after it.
pub fn block(lines: &[Line<'_>], at: usize, out: &mut Output) -> Option<usize> {
    let line = &lines[at];
    // Most lines open no block: then the lines below are not scanned.
    opened(line.rest, true)?;
    let mut length = 0;
    for (number, inner) in lines[at + 1..].iter().enumerate() {
        if !inner.rest.trim().is_empty() {
            if !is_inside(inner, line) {
                break;
            }
            // Blank lines at the end belong to the text after the block.
            length = number + 1;
        }
    }
    let block = opened(line.rest, length > 0)?;
    let end = at + 1 + length;
    let body: Vec<String> = lines[at + 1..end]
        .iter()
        .map(|inner| unindented(inner, line.prefix))
        .collect();
    out.block(line.prefix, at, &block, &body);
    if lines
        .get(end)
        .is_some_and(|next| !next.rest.trim().is_empty())
    {
        out.line(end - 1, &[line.prefix.trim_end()]);
    }
    Some(end)
}

fn is_inside(inner: &Line<'_>, opener: &Line<'_>) -> bool {
    let indent = inner.prefix.strip_prefix(opener.prefix).unwrap_or_default();
    indent.starts_with("    ") || indent.starts_with('\t')
}

fn unindented(line: &Line<'_>, prefix: &str) -> String {
    let text = line.without(prefix);
    let inner = text
        .strip_prefix("    ")
        .or_else(|| text.strip_prefix('\t'));
    inner.unwrap_or(text.trim_start()).to_owned()
}

/// The block that a line of MkDocs opens. A word that is not a kind of callout counts only if the
/// block has content.
fn opened(rest: &str, holds: bool) -> Option<Block> {
    let rest = rest.trim_end();
    if let Some(words) = rest.strip_prefix("===") {
        let title = words
            .trim_start_matches(['!', '+'])
            .trim()
            .strip_prefix('"')?
            .strip_suffix('"')?;
        return holds.then(|| Block::Label(title.to_owned()));
    }
    let (fold, words) = if let Some(words) = rest.strip_prefix("!!!") {
        (None, words)
    } else if let Some(words) = rest.strip_prefix("???+") {
        (Some(true), words)
    } else {
        (Some(false), rest.strip_prefix("???")?)
    };
    let (names, title) = words.trim().split_once('"').unwrap_or((words, ""));
    let title = title.strip_suffix('"').unwrap_or(title);
    if !names.split_whitespace().all(is_word) {
        return None;
    }
    let Some(name) = names.split_whitespace().next() else {
        // `??? "Title"`: a part that opens.
        let is_part = fold.is_some() && holds && words.trim().starts_with('"') && !title.is_empty();
        return is_part.then(|| Block::Callout(mark("details", title, fold)));
    };
    let name = name.to_ascii_lowercase();
    if !name.starts_with(char::is_alphabetic) {
        return None;
    }
    let kind = match callout_kind(&name) {
        Some(kind) => kind,
        None if holds => &name,
        None => return None,
    };
    Some(Block::Callout(mark(kind, title, fold)))
}

fn is_word(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}
