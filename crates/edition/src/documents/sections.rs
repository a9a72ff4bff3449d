//! The sections and order of articles, shared by `llms.txt`, `llms-full.txt` and `sitemap.md` so
//! that they agree.

use std::collections::BTreeMap;

use diglot_content::library::LlmsPlace;
use diglot_content::sections::in_words;
use diglot_content::tree::TreeIndex;
use diglot_content::{Tree, parallel};
use rustc_hash::FxHashSet;

use super::{Entry, Material};
use crate::language;
use crate::route::Route;

/// The maximum number of folder sections. A wider folder tree gives no sections.
const FOLDERS: usize = 60;
/// The maximum number of year sections.
const YEARS: usize = 120;

/// Articles under one heading.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The part of `/llms/{name}.txt`.
    pub name: String,
    /// As shown.
    pub title: String,
    /// In index order: the author's, else date newest first, then slug.
    pub entries: Vec<&'a Entry<'a>>,
}

/// The index order of all listed articles.
#[derive(Clone, Debug, Default)]
pub struct Index<'a> {
    /// Those of the author's order; else by language if there are several, else by top folder, else
    /// by year.
    pub sections: Vec<Section<'a>>,
    /// Marked as optional by their authors.
    pub optional: Vec<&'a Entry<'a>>,
    /// Excluded from the index by their authors, but merged and in sitemaps.
    pub out: Vec<&'a Entry<'a>>,
    /// The stems of pages that are in a section.
    pub pages: FxHashSet<&'a str>,
}

/// An article with its section and sort keys.
#[derive(Clone, Copy)]
struct Fact<'a> {
    entry: &'a Entry<'a>,
    listing: LlmsPlace,
    /// Its place in the author's order: those of the tree and the node.
    place: Option<(usize, usize)>,
    language: &'a str,
    /// Its path below `/articles/`, and its top folder there.
    slug: &'a str,
    folder: Option<&'a str>,
    year: Option<i16>,
}

impl<'a> Fact<'a> {
    /// `None` for what is in no section: lists, and pages outside the author's order.
    fn from_entry(entry: &'a Entry<'a>, tree_index: &TreeIndex<'a>) -> Option<Self> {
        let article = entry.article?;
        let place = tree_index.get(&article.stem);
        let is_page = matches!(entry.route, Route::Page(..)) && place.is_some();
        if !entry.is_article() && !is_page {
            return None;
        }
        let slug = article
            .stem
            .strip_prefix("/articles/")
            .unwrap_or(&article.stem);
        Some(Self {
            entry,
            listing: article.llms,
            place,
            language: &article.language,
            slug,
            folder: slug.split_once('/').map(|(folder, _)| folder),
            year: article.date.map(|date| date.year()),
        })
    }
}

impl<'a> Index<'a> {
    /// Sorts the articles into sections.
    pub fn new(material: &'a Material<'a>) -> Self {
        let mut index = Self::default();
        let facts = facts(material);
        let mut listed = Vec::with_capacity(facts.len());
        for fact in facts {
            if !fact.entry.is_article() {
                index
                    .pages
                    .extend(fact.entry.article.map(|page| &*page.stem));
            }
            match fact.listing {
                LlmsPlace::Listed => listed.push(fact),
                LlmsPlace::Optional => index.optional.push(fact.entry),
                LlmsPlace::Out => index.out.push(fact.entry),
            }
        }
        index.sections = match material.trees {
            [] => divide(&listed, &material.site.language),
            trees => by_tree(&listed, trees, &material.site.language),
        };
        index
    }

    /// Every article in index order; those excluded from the index are last.
    pub fn articles(&self) -> impl Iterator<Item = &'a Entry<'a>> {
        self.sections
            .iter()
            .flat_map(|section| &section.entries)
            .chain(&self.optional)
            .chain(&self.out)
            .copied()
            .filter(|entry| entry.is_article())
    }

    /// Whether a section has this entry.
    pub fn has(&self, entry: &Entry<'_>) -> bool {
        entry
            .article
            .is_some_and(|page| self.pages.contains(&*page.stem))
    }
}

/// What decides where each page is listed, in the author's order.
fn facts<'a>(material: &'a Material<'a>) -> Vec<Fact<'a>> {
    let tree_index = TreeIndex::new(material.trees);
    let fact = |entry| Fact::from_entry(entry, &tree_index);
    let mut facts: Vec<Fact<'a>> = parallel::flat_map(&material.entries, fact);
    // The sort is stable, so what is outside the author's order keeps that of the library.
    if !material.trees.is_empty() {
        facts.sort_by_key(|fact| fact.place.unwrap_or((usize::MAX, 0)));
    }
    facts
}

/// The sections of the author's order: in the site's language those at the top of its tree, then
/// one for each other language, then the texts outside every tree.
fn by_tree<'a>(listed: &[Fact<'a>], trees: &'a [Tree], language: &str) -> Vec<Section<'a>> {
    let end = listed.partition_point(|fact| fact.place.is_some());
    let (inside, outside) = listed.split_at(end);
    let mut sections: Vec<Section<'a>> = Vec::new();
    for (number, tree) in trees.iter().enumerate() {
        let own = inside.partition_point(|fact| fact.place < Some((number, 0)))
            ..inside.partition_point(|fact| fact.place < Some((number + 1, 0)));
        let own = &inside[own];
        if own.is_empty() {
            continue;
        }
        if number > 0 && trees.len() > 1 {
            let entries = own.iter().map(|fact| fact.entry).collect();
            let title = language::name(&tree.language);
            sections.push(section(&tree.language.to_lowercase(), &title, entries));
        } else {
            sections.extend(top_sections(own, tree));
        }
    }
    let mut rest = divide(outside, language);
    if let [only] = &mut *rest
        && !sections.is_empty()
    {
        (only.name, only.title) = ("other".to_owned(), "Other articles".to_owned());
    }
    sections.extend(rest);
    sections
}

/// The sections at the top of a tree. Texts at the top that have none below them share one.
fn top_sections<'a>(facts: &[Fact<'a>], tree: &'a Tree) -> Vec<Section<'a>> {
    let mut sections: Vec<Section<'a>> = Vec::new();
    let mut single: Option<usize> = None;
    let mut facts = facts.iter().peekable();
    for top in tree.top() {
        let node = &tree.nodes[top];
        let mut entries = Vec::new();
        while let Some(fact) = facts.next_if(|fact| fact.place.is_some_and(|(_, at)| at < node.end))
        {
            entries.push(fact.entry);
        }
        if entries.is_empty() {
            continue;
        }
        if node.end > top + 1 {
            single = None;
            let name = diglot_content::sections::name(&node.title, sections.len());
            sections.push(section(&name, &node.title, entries));
        } else if let Some(at) = single {
            sections[at].entries.extend(entries);
        } else {
            single = Some(sections.len());
            let (name, title) = if sections.is_empty() {
                ("articles", "Articles")
            } else {
                ("further", "Further articles")
            };
            sections.push(section(name, title, entries));
        }
    }
    let entries = sections
        .iter()
        .map(|section| section.entries.len())
        .sum::<usize>();
    if sections.len() > FOLDERS && entries < 2 * sections.len() {
        let all = sections.into_iter().flat_map(|section| section.entries);
        return vec![section("articles", "Articles", all.collect())];
    }
    sections
}

fn divide<'a>(listed: &[Fact<'a>], language: &str) -> Vec<Section<'a>> {
    let all = || listed.iter().map(|fact| fact.entry).collect();
    by_language(listed, language)
        .or_else(|| by_folder(listed))
        .or_else(|| by_year(listed))
        .unwrap_or_else(|| {
            if listed.is_empty() {
                Vec::new()
            } else {
                vec![section("articles", "Articles", all())]
            }
        })
}

fn section<'a>(name: &str, title: &str, entries: Vec<&'a Entry<'a>>) -> Section<'a> {
    Section {
        name: name.to_owned(),
        title: title.to_owned(),
        entries,
    }
}

/// A section per language, the site's own first; `None` if there is only one language.
fn by_language<'a>(listed: &[Fact<'a>], own: &str) -> Option<Vec<Section<'a>>> {
    let mut groups: BTreeMap<(bool, &str), Vec<&'a Entry<'a>>> = BTreeMap::new();
    for fact in listed {
        groups
            .entry((!fact.language.eq_ignore_ascii_case(own), fact.language))
            .or_default()
            .push(fact.entry);
    }
    if groups.len() < 2 {
        return None;
    }
    let mut sections = Vec::new();
    for ((_, language), entries) in groups {
        sections.push(section(
            &language.to_lowercase(),
            &language::name(language),
            entries,
        ));
    }
    Some(sections)
}

/// A section per top folder below `/articles/`, first the articles outside any. `None` if there are
/// too few or too many. The title is that of the folder's index, else its name in words.
fn by_folder<'a>(listed: &[Fact<'a>]) -> Option<Vec<Section<'a>>> {
    let groups = groups(listed);
    if !(2..=FOLDERS).contains(&groups.len()) || 2 * groups.len() > listed.len() {
        return None;
    }
    let mut sections = Vec::new();
    for (folder, (title, entries)) in groups {
        sections.push(match title {
            _ if folder.is_empty() => section("articles", "Articles", entries),
            Some(title) => section(folder, title, entries),
            None => section(folder, &in_words(folder), entries),
        });
    }
    if sections.iter().all(|section| is_year(&section.title)) {
        sections.reverse();
    }
    Some(sections)
}

/// The entries of each folder, and the title of its index.
fn groups<'a>(listed: &[Fact<'a>]) -> BTreeMap<&'a str, (Option<&'a str>, Vec<&'a Entry<'a>>)> {
    let folders: FxHashSet<&str> = listed.iter().filter_map(|fact| fact.folder).collect();
    let mut groups: BTreeMap<&str, (Option<&str>, Vec<&'a Entry<'a>>)> = BTreeMap::new();
    for Fact {
        entry,
        slug,
        folder,
        ..
    } in listed
    {
        // A folder's index belongs to it, although its path has no `/`.
        let is_index = folder.is_none() && folders.contains(slug);
        let (title, entries) = groups
            .entry(if is_index {
                slug
            } else {
                folder.unwrap_or_default()
            })
            .or_default();
        if is_index {
            title.get_or_insert(entry.title);
        }
        entries.push(entry);
    }
    groups
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A section per year, newest first, undated articles last; `None` if there is only one.
fn by_year<'a>(listed: &[Fact<'a>]) -> Option<Vec<Section<'a>>> {
    let mut groups: BTreeMap<Option<i16>, Vec<&'a Entry<'a>>> = BTreeMap::new();
    for fact in listed {
        groups.entry(fact.year).or_default().push(fact.entry);
    }
    if !(2..=YEARS).contains(&groups.len()) {
        return None;
    }
    let mut sections = Vec::new();
    for (year, entries) in groups.into_iter().rev() {
        sections.push(match year {
            Some(year) => section(&year.to_string(), &year.to_string(), entries),
            None => section("undated", "Undated", entries),
        });
    }
    Some(sections)
}
