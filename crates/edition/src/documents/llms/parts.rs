//! Sections as files: `/llms/{section}.txt`, cut into `/llms/{section}-{n}.txt` where a section is long.

use std::collections::BTreeSet;

use diglot_content::Moment;
use rayon::prelude::*;

use super::{Kind, LIMIT, Line, List};
use crate::documents::Material;
use crate::documents::rows::{Old, Rewrite, Row, Rows};
use crate::documents::text::{count, escape, link, shorten};
use crate::resource::Resource;
use crate::route::Route;

/// The most parts that `/llms.txt` links.
const PARTS: usize = 400;
/// What a part may hold when there would be more than [`PARTS`] of the usual size, in characters.
const LARGER: usize = 100_000;

/// One part: a file, and the line that leads to it.
#[derive(Debug)]
pub(super) struct Part<'a> {
    route: Route,
    /// What stands before its lines.
    head: String,
    lines: &'a [Line<'a>],
    /// Characters of its lines.
    size: usize,
    /// What its list holds.
    pub(super) kind: Kind,
    /// `- [2024, part 2](…): 180 articles …`, with its line break.
    pub(super) link: String,
}

/// A part as a file, and its lines for the next edition.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) file: Resource,
    pub(super) rows: Vec<Row>,
}

impl Part<'_> {
    /// Writes it. `before` are the rows of the edition before.
    pub(super) fn write(self, material: &Material<'_>, before: &Rows) -> Written {
        let Self { route, head, lines, size, .. } = self;
        // It may be what it was, where the first of its lines stood that were written before. Nearly all letters are of one byte.
        let number = lines.iter().find_map(Line::old).map_or(usize::MAX, Old::document);
        let mut text = Rewrite::of(before, number, head.len() + size + size / 64);
        text.push(head.as_bytes());
        let mut rows = Vec::with_capacity(lines.len());
        let mut scratch = String::new();
        for line in lines {
            let start = text.len();
            match line.old() {
                Some(old) => text.row(old),
                None => {
                    scratch.clear();
                    line.write(&mut scratch, usize::MAX);
                    text.push(scratch.as_bytes());
                }
            }
            rows.extend(Row::of(line.entry, start, text.len(), line.extra()));
        }
        let newest = material.newest_of(lines.iter().map(|line| line.entry));
        Written { file: text.finish(route, newest.at), rows }
    }

    /// The date of its newest article.
    fn date(&self) -> Option<Moment> {
        self.lines.iter().filter_map(|line| line.entry.article?.date).max()
    }
}

/// The parts that are linked, and how many articles are in none.
#[derive(Debug)]
pub(super) struct Split<'a> {
    pub(super) parts: Vec<Part<'a>>,
    pub(super) dropped: usize,
}

/// Cuts the lists into parts whose links take less than `room` characters: parts of the usual size, else larger ones, else without the oldest.
pub(super) fn split<'a>(material: &Material<'_>, lists: &'a [List<'a>], room: usize) -> Split<'a> {
    let names = names(lists);
    let cut = |limit| lists.par_iter().zip(&names).flat_map_iter(|(list, name)| cut(material, list, name, limit)).collect::<Vec<_>>();
    let parts = cut(LIMIT);
    if fits(&parts, room) {
        return Split { parts, dropped: 0 };
    }
    let mut parts = cut(LARGER);
    let mut dates: Vec<Option<Moment>> = if fits(&parts, room) { Vec::new() } else { parts.iter().map(Part::date).collect() };
    let mut dropped = 0;
    while !fits(&parts, room) {
        let oldest = (0..dates.len()).min_by_key(|&at| (dates[at], std::cmp::Reverse(at)));
        let Some(oldest) = oldest else { break };
        dates.remove(oldest);
        dropped += parts.remove(oldest).lines.len();
    }
    Split { parts, dropped }
}

fn fits(parts: &[Part<'_>], room: usize) -> bool {
    parts.len() <= PARTS && parts.iter().map(|part| part.link.chars().count()).sum::<usize>() < room
}

/// A name for each list, none a prefix with a number of another: `2024-1` is never both a folder and a part.
fn names(lists: &[List<'_>]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    lists
        .iter()
        .map(|list| {
            let mut name = list.name.clone();
            let numbered = name.rsplit_once('-').is_some_and(|(_, end)| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit()));
            if numbered {
                name.push('_');
            }
            while !taken.insert(name.to_lowercase()) {
                name.push('_');
            }
            name
        })
        .collect()
}

/// One list in files of at most `limit` characters.
fn cut<'a>(material: &Material<'_>, list: &'a List<'a>, name: &str, limit: usize) -> Vec<Part<'a>> {
    // What stands around the lines: title, quotation, heading.
    let room = limit.saturating_sub(400 + 4 * (material.site.title.chars().count() + list.title.chars().count()));
    let mut groups: Vec<(&'a [Line<'a>], usize)> = Vec::new();
    let (mut from, mut size) = (0, 0);
    for (at, line) in list.lines.iter().enumerate() {
        let length = line.characters(usize::MAX);
        if size + length > room && at > from {
            groups.push((&list.lines[from..at], size));
            (from, size) = (at, 0);
        }
        size += length;
    }
    groups.push((&list.lines[from..], size));
    let total = groups.len();
    groups.iter().enumerate().map(|(at, (lines, size))| part(material, list, (lines, *size), name, (at + 1, total))).collect()
}

/// These lines, of so many characters, as one file.
fn part<'a>(
    material: &Material<'_>,
    list: &List<'a>,
    (lines, size): (&'a [Line<'a>], usize),
    name: &str,
    (number, total): (usize, usize),
) -> Part<'a> {
    let site = material.site;
    let (name, title) = if total == 1 {
        (name.to_owned(), list.title.clone())
    } else {
        (format!("{name}-{number}"), format!("{}, part {number} of {total}", list.title))
    };
    let route = Route::LlmsPart(name.into());
    let url = site.base.absolute(&route.path());
    let counted = count(lines.len(), list.kind.noun());
    let head = format!(
        "# {}: {}\n\n> {counted} of <{}>.\n\n## {}\n\n",
        escape(&site.title),
        escape(&title),
        site.base.absolute(&Route::Llms.path()),
        escape(&list.title)
    );
    let link = format!("- {}: {counted}{}\n", link(&shorten(&title, 80), &url), span(lines));
    Part { route, head, lines, size, kind: list.kind, link }
}

/// From where to where a part goes: by dates, else by titles.
fn span(lines: &[Line<'_>]) -> String {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return String::new() };
    let date = |line: &Line<'_>| line.entry.article?.date.map(|date| date.iso().chars().take(10).collect::<String>());
    match (date(first), date(last)) {
        (Some(first), Some(last)) if first == last => format!(", {first}"),
        (Some(first), Some(last)) => format!(", {} to {}", first.clone().min(last.clone()), first.max(last)),
        _ => format!(", {} … {}", escape(&shorten(first.entry.title, 24)), escape(&shorten(last.entry.title, 24))),
    }
}
