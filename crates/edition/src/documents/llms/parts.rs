//! Sections as files: `/llms/{section}.txt`, with long ones cut into `/llms/{section}-{n}.txt`.

use std::collections::BTreeSet;

use diglot_content::Moment;
use rayon::prelude::*;

use super::{LIMIT, Line, List, ListKind};
use crate::documents::text::{count, escape, link, shorten};
use crate::documents::{Entry, Material};
use crate::resource::Resource;
use crate::route::Route;

/// The maximum number of parts that `/llms.txt` links.
const PARTS: usize = 400;
/// The size limit of a part, in characters, if the usual limit gives more than [`PARTS`].
const LARGER: usize = 100_000;

/// A part: a file, and the line that links to it.
#[derive(Debug)]
pub(super) struct Part<'a> {
    route: Route,
    /// The text before its lines.
    head: String,
    /// Its entries, each with its line.
    lines: Vec<(&'a Entry<'a>, &'a Line)>,
    /// The length of its lines in characters.
    size: usize,
    /// The kind of its list.
    pub(super) kind: ListKind,
    /// `- [2024, part 2](…): 180 articles …`, with the line break.
    pub(super) link: String,
}

impl Part<'_> {
    /// Writes the file.
    pub(super) fn write(self, material: &Material<'_>) -> Resource {
        let Self {
            route,
            head: mut text,
            lines,
            size,
            ..
        } = self;
        text.reserve(size);
        lines
            .iter()
            .for_each(|(_, line)| line.write(&mut text, usize::MAX));
        let newest = material.newest_of(lines.iter().map(|(entry, _)| *entry));
        Resource::new(route, text, newest.at)
    }

    /// The date of the newest article.
    fn date(&self) -> Option<Moment> {
        self.lines
            .iter()
            .filter_map(|(entry, _)| entry.article?.date)
            .max()
    }
}

/// The linked parts, and the number of articles in none.
#[derive(Debug)]
pub(super) struct Split<'a> {
    pub(super) parts: Vec<Part<'a>>,
    pub(super) dropped: usize,
}

/// Cuts the lists into parts whose links take less than `room` characters: parts of the usual size,
/// else larger ones, else without the oldest.
pub(super) fn split<'a>(material: &Material<'_>, lists: &'a [List<'a>], room: usize) -> Split<'a> {
    let names = names(lists);
    let cut = |limit| {
        lists
            .par_iter()
            .zip(&names)
            .flat_map_iter(|(list, name)| cut(material, list, name, limit))
            .collect::<Vec<_>>()
    };
    let parts = cut(LIMIT);
    if fits(&parts, room) {
        return Split { parts, dropped: 0 };
    }
    let mut parts = cut(LARGER);
    let mut dates: Vec<Option<Moment>> = if fits(&parts, room) {
        Vec::new()
    } else {
        parts.iter().map(Part::date).collect()
    };
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
    parts.len() <= PARTS
        && parts
            .iter()
            .map(|part| part.link.chars().count())
            .sum::<usize>()
            < room
}

/// A name for each list. No name with a part number equals another list's name: `2024-1` is never
/// both a folder and a part.
fn names(lists: &[List<'_>]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    lists
        .iter()
        .map(|list| {
            let mut name = list.name.clone();
            let numbered = name.rsplit_once('-').is_some_and(|(_, end)| {
                !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit())
            });
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

/// Cuts a list into files of at most `limit` characters.
fn cut<'a>(material: &Material<'_>, list: &'a List<'a>, name: &str, limit: usize) -> Vec<Part<'a>> {
    // The text around the lines: title, quotation, heading.
    let room = limit.saturating_sub(
        400 + 4 * (material.site.title.chars().count() + list.title.chars().count()),
    );
    let (mut groups, mut group, mut size) = (Vec::new(), Vec::new(), 0);
    for (entry, line) in list.entries.iter().copied().zip(&list.lines) {
        let length = line.characters(usize::MAX);
        if size + length > room && !group.is_empty() {
            groups.push((std::mem::take(&mut group), size));
            size = 0;
        }
        group.push((entry, line));
        size += length;
    }
    groups.push((group, size));
    let total = groups.len();
    groups
        .into_iter()
        .enumerate()
        .map(|(at, lines)| part(material, list, lines, name, (at + 1, total)))
        .collect()
}

/// A file of these lines. `size`: their length in characters.
fn part<'a>(
    material: &Material<'_>,
    list: &List<'a>,
    (lines, size): (Vec<(&'a Entry<'a>, &'a Line)>, usize),
    name: &str,
    (number, total): (usize, usize),
) -> Part<'a> {
    let site = material.site;
    let (name, title) = if total == 1 {
        (name.to_owned(), list.title.clone())
    } else {
        (
            format!("{name}-{number}"),
            format!("{}, part {number} of {total}", list.title),
        )
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
    let link = format!(
        "- {}: {counted}{}\n",
        link(&shorten(&title, 80), &url),
        span(&lines)
    );
    Part {
        route,
        head,
        lines,
        size,
        kind: list.kind,
        link,
    }
}

/// The range of a part: by dates, else by titles.
fn span(lines: &[(&Entry<'_>, &Line)]) -> String {
    let (Some((first, _)), Some((last, _))) = (lines.first(), lines.last()) else {
        return String::new();
    };
    let date = |entry: &Entry<'_>| {
        entry
            .article?
            .date
            .map(|date| date.iso().chars().take(10).collect::<String>())
    };
    match (date(first), date(last)) {
        (Some(first), Some(last)) if first == last => format!(", {first}"),
        (Some(first), Some(last)) => format!(
            ", {} to {}",
            first.clone().min(last.clone()),
            first.max(last)
        ),
        _ => format!(
            ", {} … {}",
            escape(&shorten(first.title, 24)),
            escape(&shorten(last.title, 24))
        ),
    }
}
