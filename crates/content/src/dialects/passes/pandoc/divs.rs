//! Blocks between colons: callouts, tabs, figures and tables with captions, theorems, and content
//! for some formats only.

use std::ops::RangeInclusive;

use super::{Values, caption};
use crate::dialects::attributes::{Attributes, heading_parts};
use crate::dialects::lines::Lines;
use crate::dialects::markup::block_place;
use crate::dialects::numbering::kind_of;
use crate::dialects::scan::{Line, Output, heading, scan};
use crate::dialects::tags::callout::{label, mark};
use crate::model::document::callout_kind;

/// The maximum number of nested blocks; deeper ones show their content.
const DEEPEST: usize = 30;

/// A block between colons.
struct Div<'a> {
    open: usize,
    close: usize,
    depth: usize,
    attributes: Attributes<'a>,
}

/// What is written for a line instead of it.
type Written = Vec<Option<Vec<String>>>;

pub fn rewrite(lines: &mut Lines, values: &Values<'_>) {
    if !lines.text.contains(":::") {
        return;
    }
    let all = scan(&lines.text, &lines.literals());
    let divs = divs(&all);
    if divs.is_empty() {
        return;
    }
    let mut written: Written = vec![None; all.len()];
    for div in &divs {
        if written[div.open].is_none() {
            one(div, &all, values, &mut written);
        }
    }
    let mut out = Output::default();
    for (at, line) in all.iter().enumerate() {
        match &written[at] {
            None => out.push(line.whole, at),
            Some(lines) => lines.iter().for_each(|line| out.push(line.as_str(), at)),
        }
    }
    out.finish(lines);
}

/// The blocks of a text, outer ones first. Any fence closes the innermost block; one that is not
/// closed ends with the text.
fn divs<'a>(all: &[Line<'a>]) -> Vec<Div<'a>> {
    let mut found: Vec<Div<'a>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in all.iter().enumerate() {
        let rest = &line.rest[marker(line.rest)..];
        if line.code || !rest.starts_with(":::") {
            continue;
        }
        let words = rest.trim_start_matches(':').trim();
        if words.is_empty() {
            if let Some(last) = open.pop() {
                found[last].close = at;
            } else {
                found.push(Div {
                    open: at,
                    close: at,
                    depth: 0,
                    attributes: Attributes::default(),
                });
            }
            continue;
        }
        let Some(attributes) = opened(words.trim_end_matches(':').trim_end()) else {
            continue;
        };
        open.push(found.len());
        found.push(Div {
            open: at,
            close: all.len(),
            depth: open.len() - 1,
            attributes,
        });
    }
    found
}

/// The length of the marker of a list.
fn marker(rest: &str) -> usize {
    let words = rest.strip_prefix(['-', '*', '+']);
    let words = words
        .filter(|words| words.starts_with(' '))
        .map(str::trim_start);
    words.map_or(0, |words| rest.len() - words.len())
}

/// `{#id .class}`, or one word, which is a class.
fn opened(words: &str) -> Option<Attributes<'_>> {
    if words.starts_with('{') {
        return Attributes::at(words).filter(|found| found.length == words.len());
    }
    let is_word = words.starts_with(char::is_alphabetic)
        && words
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    is_word.then(|| Attributes {
        classes: vec![words],
        ..Attributes::default()
    })
}

fn one(div: &Div<'_>, all: &[Line<'_>], values: &Values<'_>, written: &mut Written) {
    let attributes = &div.attributes;
    let line = &all[div.open];
    let (prefix, bare) = (line.prefix, line.prefix.trim_end().to_owned());
    let last = div.close.min(all.len() - 1);
    if !attributes.is_shown(&values.said) || attributes.has("hidden") {
        written[div.open..=last].fill(Some(vec![bare]));
        return;
    }
    let kind = attributes.id.and_then(kind_of);
    let callout = attributes
        .classes
        .iter()
        .find_map(|class| class.strip_prefix("callout-"));
    let mut closing = bare.clone();
    let opening = if let Some(name) = callout.filter(|_| div.depth < DEEPEST) {
        let colons = ":".repeat(3 + DEEPEST - div.depth);
        let mark = callout_mark(name, div, all, written);
        closing = format!("{prefix}{colons}");
        placed(div, prefix, vec![format!("{prefix}{colons} {mark}")])
    } else if attributes.has("panel-tabset") {
        tabs(div, all, written);
        placed(div, prefix, vec![bare])
    } else if kind.is_some_and(|kind| matches!(kind.prefix, "fig" | "tbl" | "lst")) {
        return figure(div, all, values, written);
    } else if kind.is_some_and(|kind| kind.is_theorem()) {
        let words = theorem(div, all, values, written);
        placed(div, prefix, vec![format!("{prefix}{words}"), bare])
    } else if marker(line.rest) > 0 && kind.is_none() {
        // An item may begin with an empty line, but only one.
        vec![format!("{prefix}{}", &line.rest[..marker(line.rest)])]
    } else {
        placed(div, prefix, vec![bare])
    };
    written[div.open] = Some(opening);
    if div.close < all.len() && div.close > div.open {
        written[div.close] = Some(vec![closing]);
    }
}

/// Lines after the place that the block's id names, if it has one.
fn placed(div: &Div<'_>, prefix: &str, lines: Vec<String>) -> Vec<String> {
    let Some(id) = div.attributes.id.filter(|id| !id.is_empty()) else {
        return lines;
    };
    let bare = prefix.trim_end().to_owned();
    let mut placed = vec![bare.clone(), format!("{prefix}{}", block_place(id)), bare];
    placed.extend(lines);
    placed
}

/// The kind, title and fold of a callout.
fn callout_mark(name: &str, div: &Div<'_>, all: &[Line<'_>], written: &mut Written) -> String {
    let attributes = &div.attributes;
    let title = title(div, all, written);
    let title = title.as_deref().or(attributes.get("title"));
    let fold = attributes.get("collapse").map(|value| value == "false");
    let kind = callout_kind(name).unwrap_or("note");
    mark(kind, title.unwrap_or_default(), fold)
}

/// The label and name of a theorem, in bold.
fn theorem(div: &Div<'_>, all: &[Line<'_>], values: &Values<'_>, written: &mut Written) -> String {
    let title = title(div, all, written);
    let name = title.as_deref().or(div.attributes.get("name"));
    let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
    let label = div.attributes.id.and_then(|id| values.label(id));
    let words = label.map(|label| label.text()).unwrap_or_default();
    format!("**{words}{name}.**")
}

/// The heading that opens a block is its title, and removed.
fn title(div: &Div<'_>, all: &[Line<'_>], written: &mut Written) -> Option<String> {
    let inside = div.open + 1..div.close.min(all.len());
    let at = inside
        .into_iter()
        .find(|at| !all[*at].rest.trim().is_empty())?;
    let (_, words) = heading(&all[at])?;
    written[at] = Some(vec![all[at].prefix.trim_end().to_owned()]);
    Some(heading_parts(words).0.to_owned())
}

/// The headings of the first level inside are the titles of the tabs.
fn tabs(div: &Div<'_>, all: &[Line<'_>], written: &mut Written) {
    let inside = div.open + 1..div.close.min(all.len());
    let headings: Vec<(usize, usize, &str)> = inside
        .filter(|at| written[*at].is_none())
        .filter_map(|at| heading(&all[at]).map(|(level, words)| (at, level, words)))
        .collect();
    let Some(top) = headings.iter().map(|(_, level, _)| *level).min() else {
        return;
    };
    for (at, level, words) in headings {
        if level == top {
            let prefix = all[at].prefix;
            let title = label(heading_parts(words).0);
            let bare = prefix.trim_end().to_owned();
            written[at] = Some(vec![format!("{prefix}{title}"), bare]);
        }
    }
}

/// A figure whose last paragraph is its caption.
fn figure(div: &Div<'_>, all: &[Line<'_>], values: &Values<'_>, written: &mut Written) {
    let attributes = &div.attributes;
    let prefix = all[div.open].prefix;
    let bare = prefix.trim_end().to_owned();
    let id = attributes.id.unwrap_or_default();
    let words = caption_words(div, all, written);
    written[div.open] = Some(vec![
        bare.clone(),
        format!("{prefix}<figure id=\"{id}\">"),
        bare.clone(),
    ]);
    let mut closing = vec![bare.clone()];
    let label = values.label(id);
    if words.is_some() || label.is_some() {
        let caption = caption(label, words.as_deref().unwrap_or_default());
        closing.extend(super::figcaption(prefix, &caption));
    }
    closing.extend([format!("{prefix}</figure>"), bare]);
    close_figure(div, all, closing, written);
}

fn close_figure(div: &Div<'_>, all: &[Line<'_>], mut closing: Vec<String>, written: &mut Written) {
    if div.close < all.len() {
        written[div.close] = Some(closing);
    } else if let Some(line) = written.last_mut() {
        // The text ends in the figure.
        let own = all.last().map(|line| line.whole.to_owned());
        let mut lines = line.take().unwrap_or_else(|| own.into_iter().collect());
        lines.append(&mut closing);
        *line = Some(lines);
    }
}

/// The caption of a figure: an attribute, else its last paragraph, which is then not shown there.
fn caption_words(div: &Div<'_>, all: &[Line<'_>], written: &mut Written) -> Option<String> {
    let attributes = &div.attributes;
    let named = attributes.get("fig-cap").or(attributes.get("tbl-cap"));
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    let bare = all[div.open].prefix.trim_end();
    let paragraph = last_paragraph(div, all)?;
    written[paragraph.clone()].fill(Some(vec![bare.to_owned()]));
    let lines = paragraph.map(|at| all[at].rest.trim());
    Some(lines.collect::<Vec<_>>().join(" "))
}

/// The last paragraph in a div, if it is words.
fn last_paragraph(div: &Div<'_>, all: &[Line<'_>]) -> Option<RangeInclusive<usize>> {
    let is_empty = |at: &usize| all[*at].rest.trim().is_empty();
    let mut lines = (div.open + 1..div.close.min(all.len())).rev();
    let last = lines.find(|at| !is_empty(at))?;
    let lines = (div.open + 1..=last).rev();
    let first = lines.take_while(|at| !is_empty(at)).last()?;
    let mut paragraph = all[first..=last].iter();
    paragraph.all(is_words).then_some(first..=last)
}

/// Whether a line is text, not an image alone, a table, code or a block.
fn is_words(line: &Line<'_>) -> bool {
    let rest = line.rest.trim();
    let starts = ["![", "[![", "|", "+-", ":::", "<", "{{<", "#", "- ", "* "];
    !line.code && !starts.iter().any(|mark| rest.starts_with(mark))
}
