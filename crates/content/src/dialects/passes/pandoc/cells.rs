//! Blocks of code: cells that the generator executes, raw content of a format, listings.

use super::{Values, caption};
use crate::dialects::attributes::{Attributes, is_html};
use crate::dialects::lines::Lines;
use crate::dialects::markup::{MARGIN, block_place, code_span};
use crate::dialects::numbering::{is_end, option_text};
use crate::dialects::scan::{Line, Output, scan};

/// What becomes of a block of code.
#[derive(Default)]
struct Block {
    /// Its language, and its lines; `None`: it is not shown.
    code: Option<(String, Vec<usize>)>,
    /// Raw HTML.
    raw: bool,
    /// The name of its file.
    file: Option<String>,
    id: Option<String>,
    caption: Option<String>,
}

pub fn rewrite(lines: &mut Lines, values: &Values<'_>) {
    let text = &lines.text;
    if !["```", "~~~"].iter().any(|fence| text.contains(fence)) {
        return;
    }
    let all = scan(text, &lines.literals());
    let mut out = Output::default();
    let (mut at, mut changed) = (0, false);
    while let Some(line) = all.get(at) {
        let fence = line.rest.trim_start_matches(['`', '~']);
        if !line.code || line.rest.len() - fence.len() < 3 {
            out.push(line.whole, at);
            at += 1;
            continue;
        }
        let end = end_of_code(&all, at);
        let info = fence.trim();
        if info.starts_with('{') {
            let block = block(info, &all[at + 1..end], at + 1, values);
            write(&block, &all, at..end, values, &mut out);
            changed = true;
        } else {
            for (at, inner) in all.iter().enumerate().take(end + 1).skip(at) {
                let shown = shown(inner.whole);
                changed |= shown.is_some();
                out.push(shown.as_deref().unwrap_or(inner.whole), at);
            }
        }
        at = end + 1;
    }
    if changed {
        out.finish(lines);
    }
}

/// The line that ends a fence.
fn end_of_code(all: &[Line<'_>], at: usize) -> usize {
    let opener = all[at].rest;
    let is_inside =
        |line: &&Line<'_>| (line.block || line.rest.is_empty()) && !is_end(line.rest, opener);
    at + 1 + all[at + 1..].iter().take_while(is_inside).count()
}

/// The fence of a cell that is shown, not executed: ```` ```{{python}} ````.
fn shown(line: &str) -> Option<String> {
    let fence = line.trim_start_matches(MARGIN);
    let info = fence.trim_start_matches(['`', '~']);
    let name = info.strip_prefix("{{")?;
    let is_cell = fence.len() - info.len() >= 3 && name.trim_end().ends_with("}}");
    let start = &line[..line.len() - info.len()];
    is_cell.then(|| format!("{start}{{{}", name.replacen("}}", "}", 1)))
}

/// Reads the braces after a fence, and the options of a cell.
fn block(info: &str, inside: &[Line<'_>], first: usize, values: &Values<'_>) -> Block {
    let all = || (first..first + inside.len()).collect::<Vec<_>>();
    if let Some(shown) = info.strip_prefix("{{") {
        let language = word(shown);
        return Block {
            code: Some((language.to_owned(), all())),
            ..Block::default()
        };
    }
    let Some(found) = Attributes::at(info) else {
        return cell(info, inside, first, values);
    };
    if let Some(format) = found.raw {
        let code = is_html(format).then(|| (String::new(), all()));
        return Block {
            code,
            raw: true,
            ..Block::default()
        };
    }
    if !found.is_shown(&|key| values.meta(key)) {
        return Block::default();
    }
    let language = found.classes.first().copied().unwrap_or_default();
    Block {
        code: Some((language.to_owned(), all())),
        raw: false,
        file: found.get("filename").map(str::to_owned),
        id: found.id.map(str::to_owned),
        caption: found.get("lst-cap").map(str::to_owned),
    }
}

/// A cell: `{python}`, `{r name, echo=FALSE}`, with `#| key: value` in its first lines.
fn cell(info: &str, inside: &[Line<'_>], first: usize, values: &Values<'_>) -> Block {
    let inner = info.trim_matches(['{', '}']);
    let language = word(inner);
    let options = options(inner, inside);
    let get = |name: &str| {
        let own = options
            .iter()
            .find(|(key, _)| key.replace('.', "-") == name);
        own.map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
    };
    let is_off = |name: &str| {
        let value = get(name).or_else(|| values.meta(&format!("execute.{name}")));
        value.is_some_and(|value| matches!(&*value.to_ascii_lowercase(), "false" | "f" | "no"))
    };
    let is_diagram = matches!(language, "mermaid" | "dot");
    let code: Vec<usize> = inside
        .iter()
        .zip(first..)
        .filter(|(line, _)| option_text(line.rest).is_none())
        .map(|(_, at)| at)
        .skip_while(|at| inside[at - first].rest.trim().is_empty())
        .collect();
    if is_off("include") {
        return Block::default();
    }
    // A diagram has no other form here than its source.
    let shows = !code.is_empty() && (is_diagram || !is_off("echo"));
    let id = get("label").or_else(|| {
        let name = inner.split([' ', ',']).nth(1)?;
        (!name.contains('=')).then(|| name.to_owned())
    });
    let captions = ["fig-cap", "tbl-cap", "lst-cap"];
    Block {
        code: shows.then(|| (language.to_owned(), code)),
        raw: false,
        file: get("filename"),
        id: id.filter(|id| values.label(id).is_some()),
        caption: captions.iter().find_map(|name| get(name)),
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ',' | '}' | '='));
    &text[..end.unwrap_or(text.len())]
}

/// The options of a cell, those of its lines first. A value may go on in the next lines.
fn options(inner: &str, inside: &[Line<'_>]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in inside {
        let Some(text) = option_text(line.rest) else {
            continue;
        };
        let indented = text.starts_with("  ") || text.trim_start().starts_with("- ");
        match (text.split_once(':'), found.last_mut()) {
            (_, Some((_, value))) if indented => {
                let more = text.trim().trim_start_matches("- ");
                *value = format!("{} {more}", value.trim_matches(['|', '>', ' ']));
            }
            (Some((key, value)), _) => found.push((key.trim().to_owned(), value.trim().to_owned())),
            _ => {}
        }
    }
    for part in inner.split(',').skip(1) {
        if let Some((key, value)) = part.split_once('=') {
            found.push((key.trim().to_owned(), value.trim().to_owned()));
        }
    }
    found
}

fn write(
    block: &Block,
    all: &[Line<'_>],
    range: std::ops::Range<usize>,
    values: &Values<'_>,
    out: &mut Output,
) {
    let (first, last) = (range.start, range.end.min(all.len() - 1));
    let prefix = all[first].prefix;
    let bare = prefix.trim_end();
    if let Some(id) = &block.id {
        out.push(format!("{prefix}{}", block_place(id)), first);
        out.push(bare, first);
    }
    if let (Some(file), Some(_)) = (&block.file, &block.code) {
        out.push(format!("{prefix}{}", code_span(file)), first);
        out.push(bare, first);
    }
    match &block.code {
        None => out.push(bare, first),
        Some((_, lines)) if block.raw => {
            out.push(bare, first);
            raw(lines, all, out);
            out.push(bare, last);
        }
        Some((language, lines)) => {
            let fence = all[first].rest.trim_end();
            let fence = &fence[..fence.len() - fence.trim_start_matches(['`', '~']).len()];
            out.push(format!("{prefix}{fence}{language}"), first);
            for at in lines {
                let whole = all[*at].whole;
                out.push(shown(whole).as_deref().unwrap_or(whole), *at);
            }
            out.push(format!("{prefix}{fence}"), last);
        }
    }
    let label = block.id.as_deref().and_then(|id| values.label(id));
    if let Some(words) = &block.caption {
        out.push(bare, last);
        out.push(format!("{prefix}{}", caption(label, words)), last);
        out.push(bare, last);
    }
}

/// Raw HTML without blank lines, which would end it in Markdown.
fn raw(lines: &[usize], all: &[Line<'_>], out: &mut Output) {
    let text: String = lines.iter().map(|at| all[*at].rest.trim()).collect();
    let literal = ["<pre", "<script", "<style", "<textarea"];
    let keeps = literal.iter().any(|tag| text.starts_with(tag));
    for at in lines {
        if keeps {
            out.push(all[*at].whole, *at);
        } else if !all[*at].rest.trim().is_empty() {
            out.push(
                format!(
                    "{}{}",
                    all[*at].prefix.trim_start_matches(' '),
                    all[*at].rest
                ),
                *at,
            );
        }
    }
}
