//! Blocks of code: cells that the generator executes, raw content of a format, listings.

use super::{Values, caption};
use crate::dialects::attributes::{Attributes, is_html};
use crate::dialects::knitr::{self, assignments};
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
    let mut echo = None;
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
            let inside = &all[at + 1..end];
            let block = block(info, inside, at + 1, (values, echo.as_deref()));
            echo = echo_of_all(info, inside).or(echo);
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
fn block(
    info: &str,
    inside: &[Line<'_>],
    first: usize,
    (values, echo): (&Values<'_>, Option<&str>),
) -> Block {
    let all = || (first..first + inside.len()).collect::<Vec<_>>();
    if let Some(shown) = info.strip_prefix("{{") {
        let language = word(shown);
        return Block {
            code: Some((language.to_owned(), all())),
            ..Block::default()
        };
    }
    let Some(found) = Attributes::at(info).filter(|_| !is_cell(info)) else {
        return cell(info, inside, first, (values, echo));
    };
    if let Some(format) = found.raw {
        let code = is_html(format).then(|| (String::new(), all()));
        return Block {
            code,
            raw: true,
            ..Block::default()
        };
    }
    if !found.is_shown(&values.said) {
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

/// Whether braces begin with the language of a cell, as in `{r,echo=FALSE}`.
fn is_cell(info: &str) -> bool {
    let inner = info.trim_start_matches('{');
    let language = word(inner);
    language.starts_with(char::is_alphabetic) && !inner[language.len()..].starts_with('=')
}

/// A cell: `{python}`, `{r name, echo=FALSE}`, with `#| key: value` in its first lines. `echo` is the
/// value for all cells from here on.
fn cell(
    info: &str,
    inside: &[Line<'_>],
    first: usize,
    (values, echo): (&Values<'_>, Option<&str>),
) -> Block {
    let inner = info.trim_matches(['{', '}']);
    let language = word(inner);
    let options = options(&inner[language.len()..], inside);
    let get = |name: &str| {
        let own = options
            .iter()
            .find(|(key, _)| key.replace('.', "-") == name);
        own.map(|(_, value)| value.trim().trim_matches(['"', '\'']).to_owned())
    };
    let is_off = |name: &str| {
        let of_all = || echo.filter(|_| name == "echo").map(str::to_owned);
        let value = get(name).or_else(of_all);
        let value = value.or_else(|| values.first(&places(name)));
        let is_off = value.map(|value| !is_yes(&value));
        is_off.unwrap_or_else(|| is_off_everywhere(name, values))
    };
    let is_diagram = matches!(language, "mermaid" | "dot");
    let is_option = |line: &&Line<'_>| option_text(line.rest).is_some();
    let opening = inside.iter().take_while(is_option).count();
    // Behind the first lines `# |` begins a comment.
    let is_spaced = |text: &str| {
        let mark = text.split('|').next();
        mark.is_some_and(|mark| mark.ends_with([' ', '\t']))
    };
    let code: Vec<usize> = inside
        .iter()
        .zip(first..)
        .skip(opening)
        .filter(|(line, _)| option_text(line.rest).is_none() || is_spaced(line.rest))
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

/// Whether a key without a place of its own turns something off. It may have other meanings, as
/// `include` does that names files, so only a plain no counts.
fn is_off_everywhere(name: &str, values: &Values<'_>) -> bool {
    let value = values.first(&[name.to_owned()]);
    value.is_some_and(|value| is_no(&value))
}

/// Where front matter and configuration may say what cells show: what is for one format first.
fn places(name: &str) -> [String; 4] {
    [
        format!("knitr.opts_chunk.{name}"),
        format!("format.html.execute.{name}"),
        format!("format.html.{name}"),
        format!("execute.{name}"),
    ]
}

/// Whether a value says that something is shown. What a program computes does not.
fn is_yes(value: &str) -> bool {
    is_one_of(value, &["true", "t", "yes", "y", "on", "1", "fenced"])
}

fn is_no(value: &str) -> bool {
    is_one_of(value, &["false", "f", "no", "n", "off", "0"])
}

fn is_one_of(value: &str, words: &[&str]) -> bool {
    let value = value.split(" #").next().unwrap_or_default().trim();
    words.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// `knitr::opts_chunk$set(echo = FALSE)` in a cell of R.
fn echo_of_all(info: &str, inside: &[Line<'_>]) -> Option<String> {
    if !is_cell(info) {
        return None;
    }
    let text: Vec<&str> = inside.iter().map(|line| line.rest).collect();
    knitr::echo_of_all(&text.join("\n"))
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ',' | '}' | '='));
    &text[..end.unwrap_or(text.len())]
}

/// The options of a cell, those of its lines first. A value may go on in the next lines.
fn options(header: &str, inside: &[Line<'_>]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_code = false;
    for line in inside {
        let Some(text) = option_text(line.rest) else {
            continue;
        };
        let indented = text.starts_with("  ") || text.trim_start().starts_with("- ");
        if !indented || found.is_empty() {
            let sign = text.find([':', '=']);
            is_code = sign.is_some_and(|at| text[at..].starts_with('='));
        }
        if is_code {
            found.extend(assignments(text));
            continue;
        }
        match (text.split_once(':'), found.last_mut()) {
            (_, Some((_, value))) if indented => {
                let more = text.trim().trim_start_matches("- ");
                *value = format!("{} {more}", value.trim_matches(['|', '>', ' ']));
            }
            (Some((key, value)), _) => found.push((key.trim().to_owned(), value.trim().to_owned())),
            _ => {}
        }
    }
    found.extend(assignments(header));
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
