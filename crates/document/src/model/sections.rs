//! The sections of a site that have a page of Diglot's: those of a guide without a text of their own,
//! and the folders of a journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::tree::{Leads, Node, Tree};

/// The folder of the pages of sections.
pub const FOLDER: &str = "/sections/";
/// The longest part of an address that one title gives, in bytes.
const LONGEST: usize = 80;
/// The longest address of a section that has those above it in it, in bytes.
const WHOLE: usize = 800;
/// The most folders that are the sections of a journal.
const FOLDERS: usize = 60;

/// The sections of a tree.
#[derive(Debug, Default)]
pub struct Sections {
    /// The first nodes that are not levels of their own: headings without a text over everything.
    pub wrappers: usize,
    /// The stem of the page of each node that has no text, by the number of the node.
    pub stems: Vec<Option<Arc<str>>>,
}

/// The sections of the trees of a guide. `authors` are the stems of authors' pages, which they keep.
pub fn of_trees<'a>(trees: &[Tree], authors: impl Iterator<Item = &'a str>) -> Vec<Sections> {
    let mut taken = Taken {
        authors: authors.filter(|path| path.starts_with(FOLDER)).collect(),
        sections: FxHashSet::default(),
    };
    let mut all = Vec::with_capacity(trees.len());
    for tree in trees {
        let folder = match all.is_empty() {
            true => FOLDER.to_owned(),
            false => format!("{FOLDER}{}/", tree.language.to_lowercase()),
        };
        all.push(of_tree(tree, &folder, &mut taken));
    }
    all
}

fn of_tree(tree: &Tree, folder: &str, taken: &mut Taken<'_>) -> Sections {
    let wraps = |node: &&Node| node.leads == Leads::Nowhere && node.end == tree.nodes.len();
    let wrappers = tree.nodes.iter().take_while(wraps).count();
    // The parts of an address that each node gives to those below it.
    let mut paths: Vec<String> = Vec::with_capacity(tree.nodes.len());
    let mut stems = Vec::with_capacity(tree.nodes.len());
    for (at, node) in tree.nodes.iter().enumerate() {
        let parent = node.parent.filter(|parent| *parent >= wrappers);
        let above = parent.map_or(folder, |parent| &paths[parent]);
        let path = path_below(above, folder, &node.title, at);
        let is_made = node.leads == Leads::Nowhere && at >= wrappers;
        stems.push(is_made.then(|| taken.free(&path).into()));
        paths.push(path + "/");
    }
    Sections { wrappers, stems }
}

/// The paths below the folder of sections that have a page.
struct Taken<'a> {
    authors: FxHashSet<&'a str>,
    sections: FxHashSet<String>,
}

impl Taken<'_> {
    /// The path of a section: an author's page keeps its own, and so does the first of two equal
    /// titles.
    fn free(&mut self, path: &str) -> String {
        let is_displaced = self.authors.contains(path);
        let wanted = [path, if is_displaced { "-list" } else { "" }].concat();
        let mut free = wanted.clone();
        let mut number = 1;
        while self.authors.contains(&*free) || self.sections.contains(&free) {
            number += 1;
            free = format!("{wanted}-{number}");
        }
        self.sections.insert(free.clone());
        free
    }
}

fn path_below(above: &str, folder: &str, title: &str, at: usize) -> String {
    let name = name(title, at);
    match [above, &*name].concat() {
        path if path.len() <= WHOLE => path,
        _ => [folder, &*name].concat(),
    }
}

/// The part of an address that a section's title gives.
pub fn name(title: &str, number: usize) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-").to_lowercase();
    name.truncate(name.floor_char_boundary(LONGEST));
    if name.is_empty() {
        name = format!("section-{}", number + 1);
    }
    name
}

/// The sections of a journal: the top folders of its listed articles, of which these are the stems
/// and languages. Years and languages have lists of their own. Nothing, unless there are several,
/// with at least two articles on average.
pub fn of_journal<'a>(articles: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<&'a str> {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for (stem, language) in articles {
        let Some(folder) = top_folder(stem) else {
            continue;
        };
        let is_number = folder.bytes().all(|byte| byte.is_ascii_digit());
        let is_language = super::language::in_name(folder).as_deref() == Some(language);
        if !is_number && !is_language {
            *folders.entry(folder).or_default() += 1;
        }
    }
    let all: usize = folders.values().sum();
    if !(2..=FOLDERS).contains(&folders.len()) || 2 * folders.len() > all {
        return Vec::new();
    }
    folders.into_keys().collect()
}

/// The top folder of an article below `/articles/`, by its stem.
pub fn top_folder(stem: &str) -> Option<&str> {
    let slug = stem.strip_prefix("/articles/")?;
    slug.split_once('/').map(|(folder, _)| folder)
}

/// A folder's name in words: `01-get_started` is `Get started`. Names with capitals or a dot, and
/// years, are unchanged.
pub fn in_words(folder: &str) -> String {
    let bare = folder.trim_start_matches(|c: char| c.is_ascii_digit());
    let unnumbered = bare
        .strip_prefix(['-', '_', '.', ' '])
        .filter(|rest| bare.len() < folder.len() && rest.starts_with(char::is_alphabetic));
    let words = unnumbered.unwrap_or(folder).replace(['-', '_'], " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) if !words.contains(char::is_uppercase) && !words.contains('.') => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_of_a_journal_are_its_folders() {
        let check = |stems: &[&'static str], expected: &[&str]| {
            let articles = stems.iter().map(|stem| (*stem, "de"));
            assert_eq!(of_journal(articles), expected, "{stems:?}");
        };
        let [a, b, c] = ["/articles/tech/a", "/articles/tech/b", "/articles/tech/c"];
        check(&[a, b, c, "/articles/life/a"], &["life", "tech"]);
        check(&[a, b, c, "/articles/a"], &[]);
        check(&[a, "/articles/life/a", "/articles/a"], &[]);
        check(&[a, b, c, "/articles/2024/a", "/articles/de/a"], &[]);
    }
}
