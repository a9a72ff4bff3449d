//! What of a folder its generator publishes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::config::{self, Config, Glob, deciding};
use super::evidence::Evidence;
use super::summary;
use crate::model::format::Format;
use crate::model::path::{below, inside_or_folder, join};
use crate::syntax::front::{Front, split};

/// The maximum number of folders and patterns of each sort.
const MOST: usize = 200;
/// The maximum number of calls of a function: as many as a list that excludes may have items.
const MOST_CALLS: usize = config::MOST_EXCLUDED;
/// The maximum number of chapters of a book.
const MOST_CHAPTERS: usize = 20_000;
/// How far the arguments of a call may extend, in bytes.
const LONGEST_CALL: usize = 2000;

/// What of a folder its generator publishes. The default is the whole folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Folders whose texts are published; without any, those of the whole folder are.
    pub content: Vec<String>,
    /// Folders whose files are published unchanged.
    pub copied: Vec<Copied>,
    /// Files in the content that are published although no text refers to them, where only files
    /// that a text refers to are.
    pub resources: Vec<Glob>,
    /// The endings of texts that are rendered, in addition to what the kind says; `None`: all are.
    pub reads: Option<Vec<String>>,
    /// Whether texts are published whatever their names: also licences, what begins with `_`, and what
    /// is in `templates/`.
    pub any_name: bool,
    /// Whether it publishes of the content only Markdown and what a text shows.
    pub bundled: bool,
    /// Whether it publishes of the files in the content only those that a text shows.
    pub shows_files: bool,
    /// Files in copied folders that are published only where a text shows them.
    pub shown: Vec<Glob>,
    /// Whether texts in copied folders are texts as all others are.
    pub copies_no_texts: bool,
    /// The function by which programs in texts name further files that are published.
    pub attached_by: Option<&'static str>,
    /// Folders outside the content whose pictures are published where a text shows them.
    pub assets: Vec<String>,
    /// The only texts that are rendered, and what lists them.
    pub listed: Option<Listed>,
    /// The texts that the navigation names. No list has the others. `None`: lists have all.
    pub in_navigation: Option<BTreeSet<String>>,
    /// Paths that are not part of the site, in addition to those that the configuration excludes.
    pub excluded: Vec<Glob>,
    /// Paths that are not part of the site as git reads such patterns: what is in an excluded folder
    /// cannot be included again.
    pub ignored: Vec<Glob>,
    /// Files that are not part of the site, because another one is at their place.
    pub covered: BTreeMap<String, String>,
    /// Texts that are not part of the site, where the files beside them may be.
    pub excluded_texts: Vec<Glob>,
    /// The folders that the author chose, of each part of the folder in which such a choice was made.
    pub chosen: Vec<Chosen>,
    /// Patterns of the texts that are rendered; without any, all are. The last that fits decides.
    pub rendered: Vec<Glob>,
    /// Whether a text without front matter is not rendered.
    pub needs_front_matter: bool,
    /// The file that says so, or the name of the kind.
    pub by: String,
}

/// A folder whose files are published unchanged, or one such file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The folder.
    pub folder: String,
    /// Its path on the site, without slashes around it; empty for the root.
    pub site: String,
}

/// The texts that a generator renders, if something lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// What lists them.
    pub by: String,
    /// Their paths.
    pub texts: BTreeSet<String>,
}

/// Folders whose texts are published or not, unless a text itself says that it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The part of the folder about which it is; empty: the whole.
    pub folder: String,
    /// The file that chooses.
    pub by: String,
    /// The key of front matter that publishes a text wherever it is.
    pub key: &'static str,
    /// Whether that key is a property of a page, `key:: true`, instead.
    pub in_properties: bool,
    /// Whether no other texts are published.
    pub only_by_key: bool,
    /// The folders that are left out.
    pub excluded: Vec<Glob>,
    /// The only folders whose texts are published; without any, all are.
    pub included: Vec<Glob>,
}

impl Chosen {
    /// Whether it is about a path.
    fn holds(&self, path: &str) -> bool {
        self.folder.is_empty() || is_in(path, &self.folder)
    }

    /// Whether a path is in a folder that is left out. The last pattern that fits decides.
    pub fn excludes(&self, path: &str) -> bool {
        deciding(&self.excluded, path).is_some()
    }

    /// Whether a path is in one of the folders that are published.
    pub fn includes(&self, path: &str) -> bool {
        !self.only_by_key
            && (self.included.is_empty() || self.included.iter().any(|glob| glob.fits(path)))
    }

    /// Why a file is not published; `said` reads what a text says at the key.
    pub fn refuses(
        &self,
        path: &str,
        is_text: bool,
        said: impl FnOnce() -> Option<bool>,
    ) -> Option<String> {
        let by = &self.by;
        let (is_excluded, is_included) = (self.excludes(path), self.includes(path));
        let excluded = || Some(format!("excluded by `{by}`"));
        if !is_text {
            return excluded().filter(|_| is_excluded);
        }
        if is_included && !is_excluded && !self.in_properties {
            return None;
        }
        match said() {
            _ if is_excluded && self.in_properties => excluded(),
            Some(true) => None,
            _ if is_excluded => excluded(),
            Some(false) if self.in_properties => Some(format!("`{}:: false`", self.key)),
            _ if is_included => None,
            _ if self.in_properties => Some(format!(
                "no `{}:: true` in it, and `{by}` does not publish all pages",
                self.key
            )),
            _ => Some(format!("not among the texts that `{by}` includes")),
        }
    }

    /// What a text says at the key.
    pub fn said(&self, text: &str, path: &str) -> Option<bool> {
        if self.in_properties {
            let mark = format!("{}::", self.key);
            let mut lines = text.lines().take(MOST);
            let value = lines.find_map(|line| {
                let line = line.trim_start_matches(['-', ' ', '\t', '\u{feff}']);
                line.strip_prefix(&mark)
            });
            return value.map(|value| value.trim() == "true");
        }
        split(text, path).front.bool(&[self.key])
    }
}

/// A folder and its configuration, as a kind reads them to find its scope.
pub struct Project<'a> {
    pub evidence: &'a Evidence<'a>,
    pub config: &'a Config,
    /// The values of the kind's configuration file.
    pub front: Front,
    /// The same file as text.
    pub text: Cow<'a, str>,
}

impl<'a> Project<'a> {
    /// A folder with its configuration, and the text of the first of its files.
    pub fn with(
        evidence: &'a Evidence<'a>,
        (config, front): (&'a Config, Front),
        files: &[&str],
    ) -> Self {
        let text = config::text_of_first(evidence, files).unwrap_or_default();
        Self {
            evidence,
            config,
            front,
            text,
        }
    }

    /// A folder with the first of these files as its configuration.
    pub fn open(evidence: &'a Evidence<'a>, config: &'a Config, files: &[&str]) -> Self {
        let (text, front) = config::open(evidence, files).unwrap_or_default();
        Self {
            evidence,
            config,
            front,
            text,
        }
    }

    /// The folder that a key names, else the usual one.
    pub fn folder(&self, keys: &[&str], usual: &str) -> String {
        self.front
            .text(keys)
            .and_then(folder_path)
            .unwrap_or_else(|| usual.to_owned())
    }

    /// All folders that a key names, a text or a list; else the usual one.
    pub fn folders(&self, key: &str, usual: &str) -> Vec<String> {
        let named = self.front.texts(key).filter_map(folder_path);
        let named: Vec<String> = named.take(MOST).collect();
        if named.is_empty() {
            vec![usual.to_owned()]
        } else {
            named
        }
    }

    /// The chapters that a `SUMMARY.md` lists. Their paths count from a folder.
    pub fn chapters(&self, folder: &str, list: String) -> Listed {
        let file = self.evidence.file(&list);
        let text = file.map(|file| String::from_utf8_lossy(&file.bytes));
        let chapters = summary::addresses(text.as_deref().unwrap_or_default());
        let texts = chapters
            .into_iter()
            .take(MOST_CHAPTERS)
            .filter_map(|target| {
                let target = target.split('#').next()?.replace("%20", " ");
                folder_path(&inside_or_folder(folder, &target))
            });
        Listed {
            texts: texts.collect(),
            by: list,
        }
    }

    /// The literal arguments of every call of a function in a configuration that is a program.
    pub fn calls(&self, function: &str) -> Vec<Vec<String>> {
        let mut calls = Vec::new();
        for (at, _) in self.text.match_indices(function).take(MOST_CALLS) {
            let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
            if line.trim_start().starts_with("//") || line.trim_start().starts_with('*') {
                continue;
            }
            if let Some(inner) = self.text[at + function.len()..].strip_prefix('(') {
                calls.push(literals(inner));
            }
        }
        calls
    }
}

impl Scope {
    /// Only these folders.
    pub fn new(content: Vec<String>, copied: &[&str]) -> Self {
        let copied = copied.iter().map(|folder| Copied::at_root(folder));
        Self {
            content,
            copied: copied.collect(),
            ..Self::default()
        }
    }

    /// Removes repeated folders, and those that cannot restrict anything: the root.
    pub fn settled(mut self) -> Self {
        if self.content.iter().any(String::is_empty) {
            self.content.clear();
            self.assets.clear();
        }
        self.content.truncate(MOST);
        self.content.dedup();
        self.copied.retain(|copied| !copied.folder.is_empty());
        self.copied.truncate(MOST);
        self
    }

    /// Keeps the folders that exist.
    pub fn retain(&mut self, exists: impl Fn(&str) -> bool) {
        self.content.retain(|folder| exists(folder));
        self.copied.retain(|copied| exists(&copied.folder));
        self.assets.retain(|folder| exists(folder));
    }

    /// Whether only a part of the folder is published.
    pub fn is_restricted(&self) -> bool {
        !self.content.is_empty()
    }

    /// Whether a path is in the content.
    pub fn has_content(&self, path: &str) -> bool {
        self.content.is_empty() || self.content.iter().any(|root| is_in(path, root))
    }

    /// The choices that are about a path.
    pub fn chosen<'s>(&'s self, path: &'s str) -> impl Iterator<Item = &'s Chosen> {
        self.chosen.iter().filter(|chosen| chosen.holds(path))
    }

    /// The pattern by which a path is not part of the site. The last pattern that fits decides.
    pub fn exclusion(&self, path: &str) -> Option<&Glob> {
        let of_text = || {
            let is_text = !self.excluded_texts.is_empty() && Format::from_path(path).is_some();
            is_text.then(|| deciding(&self.excluded_texts, path))?
        };
        let excluded = deciding(&self.excluded, path).or_else(of_text);
        excluded.or_else(|| self.ignoring(path))
    }

    /// The pattern by which a path, or a folder above it, is ignored.
    fn ignoring(&self, path: &str) -> Option<&Glob> {
        if self.ignored.is_empty() {
            return None;
        }
        let folders = path.match_indices('/').map(|(end, _)| (&path[..end], true));
        let mut above = folders.chain([(path, false)]);
        above.find_map(|(path, is_folder)| {
            let mut globs = self.ignored.iter();
            let last = globs.rfind(|glob| glob.fits_itself(path, is_folder));
            last.filter(|glob| !glob.negated)
        })
    }

    /// Whether a text is listed because the navigation names it.
    pub fn names(&self, path: &str) -> bool {
        let named = self.in_navigation.as_ref();
        named.is_some_and(|named| named.contains(path))
    }

    /// Whether something lists a text as one that is rendered.
    pub fn lists(&self, path: &str) -> bool {
        let listed = self.listed.as_ref();
        listed.is_some_and(|listed| listed.texts.contains(path))
    }

    /// Why a text in the content is not rendered; `None`: it is. `has_front_matter` is asked only
    /// where that decides.
    pub fn unrendered(&self, path: &str, has_front_matter: impl Fn() -> bool) -> Option<String> {
        if let Some(Listed { by, texts }) = &self.listed
            && !texts.contains(path)
        {
            return Some(format!("not listed in `{by}`"));
        }
        if !self.rendered.is_empty() {
            let last = self.rendered.iter().rfind(|glob| glob.fits(path));
            if last.is_none_or(|glob| glob.negated) {
                return Some(format!("not rendered, as `{}` says", self.by));
            }
        }
        if self.needs_front_matter && !has_front_matter() {
            return Some(format!(
                "not rendered by `{}`: it has no front matter",
                self.by
            ));
        }
        None
    }

    /// Whether files in the content are published only where a text shows them.
    pub fn copies_linked(&self) -> bool {
        self.bundled || self.shows_files
    }

    /// The folder with this file that is published unchanged.
    pub fn copied(&self, path: &str) -> Option<&Copied> {
        if self.copies_no_texts && Format::from_path(path).is_some() {
            return None;
        }
        let fits = self
            .copied
            .iter()
            .filter(|copied| path == copied.folder || is_in(path, &copied.folder));
        fits.max_by_key(|copied| copied.folder.len())
    }

    /// Whether a text of this folder may show the file.
    pub fn is_asset(&self, path: &str) -> bool {
        self.assets.iter().any(|root| is_in(path, root))
    }

    /// Why a file outside all of these folders is not published.
    pub fn outside(&self) -> String {
        let mut folders: Vec<&str> = self.content.iter().map(String::as_str).collect();
        folders.extend(self.copied.iter().map(|copied| copied.folder.as_str()));
        let nested: Vec<&str> = folders
            .iter()
            .copied()
            .filter(|folder| {
                !folders
                    .iter()
                    .any(|other| folder != other && is_in(folder, other))
            })
            .collect();
        let names: Vec<String> = nested.iter().map(|name| format!("`{name}/`")).collect();
        match names.as_slice() {
            [one] => format!("outside {one}, the folder that `{}` publishes", self.by),
            [first @ .., last] => format!(
                "outside {} and {last}, the folders that `{}` publishes",
                first.join(", "),
                self.by
            ),
            [] => String::new(),
        }
    }
}

impl Copied {
    /// A folder whose files go to the site's root.
    pub fn at_root(folder: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            site: String::new(),
        }
    }

    /// The site path of a file in it, without the leading slash.
    pub fn site_path(&self, path: &str) -> Option<String> {
        if path == self.folder {
            return Some(self.site.clone());
        }
        let rest = below(path, &self.folder)?;
        Some(inside_or_folder(&self.site, rest))
    }
}

/// A folder as a configuration names it: below the project's root, without slashes around it.
/// Empty: the root itself. `None`: it is outside.
pub fn folder_path(named: &str) -> Option<String> {
    join("", named.trim())
}

fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The quoted texts before the bracket that closes a call.
fn literals(inner: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let (mut depth, mut open): (usize, Option<char>) = (0, None);
    let mut text = String::new();
    for (at, c) in inner.char_indices() {
        if at > LONGEST_CALL {
            break;
        }
        match (open, c) {
            (Some(quote), c) if c == quote => {
                literals.push(std::mem::take(&mut text));
                open = None;
            }
            (Some(_), c) => text.push(c),
            (None, '"' | '\'' | '`') => open = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => break,
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
    }
    literals
}
