//! Sections as files: `/llms/{section}.txt`, with long ones cut into `/llms/{section}-{n}.txt`.

use std::collections::BTreeSet;

use diglot_content::tree::TreeIndex;
use diglot_content::{Moment, parallel};

use super::names::{self, Marks};
use super::{LIMIT, Line, List, ListKind};
use crate::documents::text::{count, escape, link, shorten};
use crate::documents::{Entry, Material};
use crate::resource::Resource;
use crate::route::Route;

/// The maximum number of parts that `/llms.txt` links.
const PARTS: usize = 400;
/// The size limit of a part, in characters, if the usual limit gives more than [`PARTS`].
const LARGER: usize = 100_000;

/// The maximum length of a title, in characters.
const TITLE: usize = 150;

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
    /// `- [English: common, a to c](…): 180 articles`, with the line break.
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
    let tree_index = TreeIndex::new(material.trees);
    let named: Vec<_> = lists.iter().zip(&names).collect();
    let cut = |limit| {
        parallel::flat_map(&named, |(list, name)| {
            cut(material, &tree_index, (list, name), limit)
        })
    };
    let parts = cut(LIMIT);
    if fits(&parts, room) {
        return Split { parts, dropped: 0 };
    }
    let mut parts = cut(LARGER);
    let dropped = drop_oldest(&mut parts, room);
    Split { parts, dropped }
}

/// Drops the oldest parts until the others fit. Returns how many lines they had.
fn drop_oldest(parts: &mut Vec<Part<'_>>, room: usize) -> usize {
    if fits(parts, room) {
        return 0;
    }
    let mut dates: Vec<Option<Moment>> = parts.iter().map(Part::date).collect();
    let mut dropped = 0;
    while !fits(parts, room) {
        let oldest = (0..dates.len()).min_by_key(|&at| (dates[at], std::cmp::Reverse(at)));
        let Some(oldest) = oldest else { break };
        dates.remove(oldest);
        dropped += parts.remove(oldest).lines.len();
    }
    dropped
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
fn cut<'a>(
    material: &Material<'_>,
    tree_index: &TreeIndex<'_>,
    (list, name): (&'a List<'a>, &str),
    limit: usize,
) -> Vec<Part<'a>> {
    let groups = groups(material, list, limit);
    if groups.len() == 1 {
        let whole = groups.into_iter();
        let part = |lines| part(material, list, lines, (name.to_owned(), list.title.clone()));
        return whole.map(part).collect();
    }
    let marks = Marks::new(&list.entries, material.trees, tree_index);
    let (mut from, mut titles) = (0, BTreeSet::new());
    let mut parts = Vec::with_capacity(groups.len());
    for (at, lines) in groups.into_iter().enumerate() {
        let to = from + lines.0.len();
        let range = names::range(|at| marks.get(at), from, to - 1);
        let mut title = format!("{}: {range}", list.title);
        if !titles.insert(title.clone()) {
            title = format!("{title} ({})", at + 1);
        }
        let name = format!("{name}-{}", at + 1);
        parts.push(part(material, list, lines, (name, title)));
        from = to;
    }
    parts
}

/// Lines and their length in characters.
type Group<'a> = (Vec<(&'a Entry<'a>, &'a Line)>, usize);

/// The lines of a list in groups below a limit in characters, each with its size.
fn groups<'a>(material: &Material<'_>, list: &'a List<'a>, limit: usize) -> Vec<Group<'a>> {
    // The text around the lines: title, quotation, heading.
    let room = limit.saturating_sub(
        400 + 4 * (material.site.title.chars().count() + list.title.chars().count()),
    );
    let (mut groups, mut group, mut size) = (Vec::new(), Vec::new(), 0);
    for (entry, line) in list.entries.iter().copied().zip(list.lines()) {
        let length = line.characters(usize::MAX);
        if size + length > room && !group.is_empty() {
            groups.push((std::mem::take(&mut group), size));
            size = 0;
        }
        group.push((entry, line));
        size += length;
    }
    groups.push((group, size));
    groups
}

/// A file of these lines. `size`: their length in characters.
fn part<'a>(
    material: &Material<'_>,
    list: &List<'a>,
    (lines, size): (Vec<(&'a Entry<'a>, &'a Line)>, usize),
    (name, title): (String, String),
) -> Part<'a> {
    let site = material.site;
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
    // The title of one of several parts says it.
    let span = match title == list.title {
        true => span(&lines),
        false => String::new(),
    };
    let link = format!(
        "- {}: {counted}{span}\n",
        link(&shorten(&title, TITLE), &url)
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
