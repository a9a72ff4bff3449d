//! How the articles are divided and ordered: for `llms.txt`, `llms-full.txt` and `sitemap.md`, so that the three agree.

use std::collections::BTreeMap;

use diglot_content::AT_ONCE;
use diglot_content::library::LlmsPlace;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Entry, Material};
use crate::pages::words::Words;

/// The most folders that are made sections; a folder tree that is wider divides nothing.
const FOLDERS: usize = 60;
/// The most years that are made sections.
const YEARS: usize = 120;

/// Articles under one heading.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The part of `/llms/{name}.txt`.
    pub name: String,
    /// As shown.
    pub title: String,
    /// In index order: by weight where authors gave one, then date newest first, then slug.
    pub entries: Vec<&'a Entry<'a>>,
}

/// The index order of all listed articles.
#[derive(Clone, Debug, Default)]
pub struct Index<'a> {
    /// By language where there are several, else by top folder, else by year.
    pub sections: Vec<Section<'a>>,
    /// Marked as optional by their authors.
    pub optional: Vec<&'a Entry<'a>>,
    /// Left out of the index by their authors; merged and mapped nevertheless.
    pub out: Vec<&'a Entry<'a>>,
}

/// An article, and what it is divided and ordered by: articles lie all over the memory, so each is looked at once.
#[derive(Clone, Copy)]
struct Fact<'a> {
    entry: &'a Entry<'a>,
    place: LlmsPlace,
    /// The author's weight; those without one come after all that have one.
    weight: i64,
    /// `None`: the site's own.
    language: Option<&'a str>,
    /// Its address below `/articles/`, and the folder there that it is in.
    slug: &'a str,
    folder: Option<&'a str>,
    year: Option<i16>,
}

impl<'a> Fact<'a> {
    fn of(entry: &'a Entry<'a>) -> Self {
        let Some(article) = entry.article else {
            return Self { entry, place: LlmsPlace::default(), weight: i64::MAX, language: None, slug: "", folder: None, year: None };
        };
        let slug = article.stem.strip_prefix("/articles/").unwrap_or(&article.stem);
        Self {
            entry,
            place: article.llms,
            weight: article.weight.unwrap_or(i64::MAX),
            language: Some(&article.language),
            slug,
            folder: slug.split_once('/').map(|(folder, _)| folder),
            year: article.date.map(|date| date.year()),
        }
    }
}

impl<'a> Index<'a> {
    /// Divides and orders the articles.
    pub fn new(material: &'a Material<'a>) -> Self {
        let mut index = Self::default();
        let articles = material.entries.par_iter().with_max_len(AT_ONCE).filter(|entry| entry.is_article());
        let mut facts: Vec<Fact<'a>> = articles.map(Fact::of).collect();
        // The sort is stable, so the library's order stands.
        facts.sort_by_key(|fact| fact.weight);
        // Mostly all are.
        if facts.iter().any(|fact| fact.place != LlmsPlace::Listed) {
            let at = |place: LlmsPlace| facts.iter().filter(move |fact| fact.place == place).map(|fact| fact.entry).collect();
            (index.optional, index.out) = (at(LlmsPlace::Optional), at(LlmsPlace::Out));
            facts.retain(|fact| fact.place == LlmsPlace::Listed);
        }
        index.sections = divide(&facts, &material.site.language);
        index
    }

    /// Every article, in index order; those left out of the index come last.
    pub fn articles(&self) -> impl Iterator<Item = &'a Entry<'a>> {
        self.sections.iter().flat_map(|section| &section.entries).chain(&self.optional).chain(&self.out).copied()
    }
}

fn divide<'a>(listed: &[Fact<'a>], language: &'a str) -> Vec<Section<'a>> {
    let weighted = listed.iter().any(|fact| fact.weight != i64::MAX);
    let all = || listed.iter().map(|fact| fact.entry).collect();
    by_language(listed, language)
        .or_else(|| by_folder(listed))
        .or_else(|| if weighted { None } else { by_year(listed) })
        .unwrap_or_else(|| if listed.is_empty() { Vec::new() } else { vec![section("articles", "Articles", all())] })
}

fn section<'a>(name: &str, title: &str, entries: Vec<&'a Entry<'a>>) -> Section<'a> {
    Section { name: name.to_owned(), title: title.to_owned(), entries }
}

/// One section a language, the site's own first; `None` where there is one language.
fn by_language<'a>(listed: &[Fact<'a>], own: &'a str) -> Option<Vec<Section<'a>>> {
    let language = |fact: &Fact<'a>| fact.language.unwrap_or(own);
    // Most sites have one.
    let first = language(listed.first()?);
    if listed.par_iter().with_max_len(AT_ONCE).all(|fact| language(fact) == first) {
        return None;
    }
    let mut groups: BTreeMap<(bool, &str), Vec<&'a Entry<'a>>> = BTreeMap::new();
    for fact in listed {
        let language = language(fact);
        groups.entry((!language.eq_ignore_ascii_case(own), language)).or_default().push(fact.entry);
    }
    (groups.len() > 1).then(|| {
        groups.into_iter().map(|((_, language), entries)| section(&language.to_lowercase(), &Words::language_name(language), entries)).collect()
    })
}

/// One section a top folder below `/articles/`, articles outside any first; `None` where folders divide nothing. People call a folder by the title of its own index,
/// else by its name in words.
fn by_folder<'a>(listed: &[Fact<'a>]) -> Option<Vec<Section<'a>>> {
    // Articles of one folder often stand together, and looking for it costs more than seeing that it is the same.
    let mut named: Vec<&str> = listed.iter().filter_map(|fact| fact.folder).collect();
    named.dedup();
    let folders: FxHashSet<&str> = named.into_iter().collect();
    let mut titles: BTreeMap<&str, &str> = BTreeMap::new();
    // Found by hash, put in order at the end. Counted first, so that no group grows entry by entry.
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut groups: Vec<(&str, usize)> = Vec::new();
    let mut last = None;
    let mut place = |Fact { entry, slug, folder, .. }: &Fact<'a>| {
        // The index of a folder is part of it, though its address has no `/`.
        let folder = match folder {
            Some(folder) => folder,
            None if folders.contains(slug) => {
                titles.entry(slug).or_insert(entry.title);
                slug
            }
            None => "",
        };
        let find = || {
            *places.entry(folder).or_insert_with(|| {
                groups.push((folder, 0));
                groups.len() - 1
            })
        };
        let place = last.filter(|(before, _)| *before == folder).map_or_else(find, |(_, place)| place);
        last = Some((folder, place));
        groups[place].1 += 1;
        place
    };
    let of: Vec<usize> = listed.iter().map(&mut place).collect();
    if !(2..=FOLDERS).contains(&groups.len()) || 2 * groups.len() > listed.len() {
        return None;
    }
    let mut groups: Vec<(&str, Vec<&'a Entry<'a>>)> = groups.into_iter().map(|(folder, size)| (folder, Vec::with_capacity(size))).collect();
    for (fact, place) in listed.iter().zip(of) {
        groups[place].1.push(fact.entry);
    }
    groups.sort_unstable_by_key(|(folder, _)| *folder);
    let named = |(folder, entries): (&str, Vec<&'a Entry<'a>>)| match (folder, titles.get(folder)) {
        ("", _) => section("articles", "Articles", entries),
        (_, Some(title)) => section(folder, title, entries),
        (_, None) => section(folder, &in_words(folder), entries),
    };
    let mut sections: Vec<Section<'a>> = groups.into_iter().map(named).collect();
    if sections.iter().all(|section| is_year(&section.title)) {
        sections.reverse();
    }
    Some(sections)
}

/// A folder's name in words: `01-get_started` is `Get started`; what has capitals or a dot of its own stays as it is, and so does a year.
fn in_words(folder: &str) -> String {
    let bare = folder.trim_start_matches(|c: char| c.is_ascii_digit());
    let unnumbered = bare.strip_prefix(['-', '_', '.', ' ']).filter(|rest| bare.len() < folder.len() && rest.starts_with(char::is_alphabetic));
    let words = unnumbered.unwrap_or(folder).replace(['-', '_'], " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) if !words.contains(char::is_uppercase) && !words.contains('.') => first.to_uppercase().chain(letters).collect(),
        _ => words,
    }
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// One section a year, newest first, undated articles last; `None` where there is one.
fn by_year<'a>(listed: &[Fact<'a>]) -> Option<Vec<Section<'a>>> {
    let mut sizes: BTreeMap<Option<i16>, usize> = BTreeMap::new();
    listed.iter().for_each(|fact| *sizes.entry(fact.year).or_default() += 1);
    let mut groups: BTreeMap<Option<i16>, Vec<&'a Entry<'a>>> = sizes.into_iter().map(|(year, size)| (year, Vec::with_capacity(size))).collect();
    for fact in listed {
        groups.entry(fact.year).or_default().push(fact.entry);
    }
    (2..=YEARS).contains(&groups.len()).then(|| {
        let named = |(year, entries): (Option<i16>, Vec<&'a Entry<'a>>)| match year {
            Some(year) => section(&year.to_string(), &year.to_string(), entries),
            None => section("undated", "Undated", entries),
        };
        groups.into_iter().rev().map(named).collect()
    })
}
