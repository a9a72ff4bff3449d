//! What the files around a text say about its publication: a draft section, a `cascade`, data of a
//! folder.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    classify::{Plan, Role},
    parse::Parsed,
    paths::{below, folder, is_leaf, name, without_suffix},
    visibility::{self, Context, Visibility, Window},
};
use crate::dialects::{Config, DataFile, Glob, Inherits, data};
use crate::model::{AT_ONCE, format::Format, sources::Sources, text::decode};
use crate::syntax::front::{Entry, Front, Value, split};

/// Keys and values for the texts of a folder.
#[derive(Default)]
struct Given {
    /// The file that gives them.
    by: String,
    entries: Vec<Entry>,
    /// Which texts get them; `None`: all.
    only: Option<Glob>,
    /// The kinds of page that get them, as a pattern.
    kinds: Option<String>,
    /// The languages in which texts get them, as a pattern.
    languages: Option<String>,
    /// Whether nothing in the folder is loaded.
    closed: bool,
}

impl Given {
    /// Whether the text at a path gets them.
    fn is_for(&self, path: &str, config: &Config) -> bool {
        let kind = match name(path).starts_with("_index.") {
            false => "page",
            true if folder(path).contains('/') => "section",
            true => "home",
        };
        let fits = |pattern: &Option<String>, name: &str| {
            pattern.as_ref().is_none_or(|names| is_among(names, name))
        };
        self.only.as_ref().is_none_or(|only| only.fits(path))
            && fits(&self.kinds, kind)
            && fits(&self.languages, &language(path, config))
    }
}

/// Whether a name is one of a pattern: `page`, `{page,section}`, `*`.
fn is_among(pattern: &str, name: &str) -> bool {
    let names = pattern.trim_matches(['{', '}']).split(',').map(str::trim);
    let mut fits = names.map(|one| one == "*" || one == "**" || one.eq_ignore_ascii_case(name));
    fits.any(|fits| fits)
}

/// The name of a text's language, by its suffix or the folder of its language.
fn language(path: &str, config: &Config) -> String {
    let named = |name: &&str| {
        let mut locales = config.locales.iter();
        locales.any(|locale| locale.name.eq_ignore_ascii_case(name))
    };
    let suffix = without_suffix(name(path))
        .rsplit_once('.')
        .map(|(_, last)| last);
    let mounts = config
        .mounts
        .iter()
        .filter(|mount| below(path, &mount.folder).is_some());
    let mut mounted = mounts.filter_map(|mount| mount.within.as_deref()?.split('/').next());
    let found = suffix.filter(named).or_else(|| mounted.find(named));
    let default = || {
        config
            .default_language
            .clone()
            .unwrap_or_else(|| "en".to_owned())
    };
    found.map_or_else(default, str::to_owned)
}

/// The texts and files that something above them withholds, with the reasons.
pub fn withheld(
    sources: &Sources,
    plan: &Plan,
    parsed: &[Option<Arc<Parsed>>],
    now: Timestamp,
) -> BTreeMap<usize, String> {
    let given = match plan.kind.dialect.inherits {
        Inherits::Nothing => return BTreeMap::new(),
        Inherits::DraftSections => draft_sections(sources, parsed),
        Inherits::Cascade => cascades(sources, parsed),
        Inherits::DataFiles => data_files(sources),
    };
    if given.is_empty() {
        return BTreeMap::new();
    }
    let files = sources.files.par_iter().enumerate().with_max_len(AT_ONCE);
    let reasons = files.filter_map(|(at, file)| {
        let front = match (&plan.roles[at], &parsed[at]) {
            (Role::Text { .. }, Some(parsed)) => Some(&parsed.front),
            (Role::File(_), _) => None,
            _ => return None,
        };
        Some((
            at,
            reason(&file.path, front, &given, (&plan.kind.config, now))?,
        ))
    });
    reasons.collect()
}

fn reason(
    path: &str,
    front: Option<&Front>,
    given: &FxHashMap<String, Vec<Given>>,
    (config, now): (&Config, Timestamp),
) -> Option<String> {
    let context = Context {
        now,
        status_counts: true,
        key: None,
    };
    let is_draft = |front: &Front| {
        let window = Window::default();
        let visibility = visibility::decide(front, &window, path, context, &mut Vec::new());
        matches!(visibility, Visibility::Draft(_) | Visibility::Withheld(_))
    };
    let mut merged = front.cloned();
    let own = of_text(without_suffix(path));
    let mut next = Some(own.as_str());
    while let Some(above) = next {
        for given in given.get(above).into_iter().flatten() {
            if given.closed {
                return Some(format!("draft: `{}` is one", given.by));
            }
            let Some(merged) = &mut merged else { continue };
            if !given.is_for(path, config) {
                continue;
            }
            let before = is_draft(merged);
            for entry in &given.entries {
                let known = merged.get(&entry.key.text);
                // One without a place is from such a file itself.
                if known.is_none_or(|known| known.node.line == 0) {
                    let key = entry.key.text.clone();
                    merged.entries.retain(|known| known.key.text != key);
                    merged.entries.push(entry.clone());
                }
            }
            if !before && is_draft(merged) {
                return Some(format!("draft: `{}` says so", given.by));
            }
        }
        next = match above {
            "" => None,
            above if above == own => Some(folder(path)),
            above => Some(folder(above)),
        };
    }
    None
}

/// A draft section: nothing in its folder is loaded.
fn draft_sections(
    sources: &Sources,
    parsed: &[Option<Arc<Parsed>>],
) -> FxHashMap<String, Vec<Given>> {
    let mut given: FxHashMap<String, Vec<Given>> = FxHashMap::default();
    for (path, front) in sections(sources, parsed) {
        let draft = front.get("draft");
        let closed =
            draft.is_some_and(|entry| !entry.node.is_null() && entry.node.bool() != Some(false));
        if closed {
            given
                .entry(folder(path).to_owned())
                .or_default()
                .push(Given {
                    by: path.to_owned(),
                    closed,
                    ..Given::default()
                });
        }
    }
    given
}

/// `cascade` of a section: front matter for all texts below it.
fn cascades(sources: &Sources, parsed: &[Option<Arc<Parsed>>]) -> FxHashMap<String, Vec<Given>> {
    let mut given: FxHashMap<String, Vec<Given>> = FxHashMap::default();
    for (path, front) in sections(sources, parsed) {
        let cascade = front.get("cascade");
        for node in cascade.map(|entry| entry.node.items()).unwrap_or_default() {
            let Value::Map(entries) = &node.value else {
                continue;
            };
            let mut entries = entries.clone();
            if let Some(Value::Map(params)) = node.get("params").map(|entry| &entry.node.value) {
                entries.extend(params.iter().cloned());
            }
            let target = ["target", "_target"].iter().find_map(|key| node.get(key));
            let part = |key: &str| target.and_then(|entry| entry.node.get(key)?.node.text());
            if part("environment").is_some_and(|names| !is_among(names, "production")) {
                continue;
            }
            let only = part("path");
            given
                .entry(folder(path).to_owned())
                .or_default()
                .push(Given {
                    by: path.to_owned(),
                    entries,
                    kinds: part("kind").map(str::to_owned),
                    languages: part("lang").map(str::to_owned),
                    only: only.and_then(|only| {
                        Glob::of(&format!("**/{}", only.trim_matches(['/', '{', '}'])))
                    }),
                    closed: false,
                });
        }
    }
    given
}

/// The front matter of all section files. One that is no text itself, such as that of the articles
/// folder, still decides about its folder.
fn sections<'s>(
    sources: &'s Sources,
    parsed: &'s [Option<Arc<Parsed>>],
) -> impl Iterator<Item = (&'s str, Cow<'s, Front>)> {
    let texts = sources.files.iter().zip(parsed);
    let sections = texts.filter(|(file, _)| {
        name(&file.path).starts_with("_index.") && Format::of(&file.path).is_some()
    });
    sections.map(|(file, parsed)| {
        let front = match parsed {
            Some(parsed) => Cow::Borrowed(&parsed.front),
            None => Cow::Owned(split(&decode(&file.bytes, &file.path).0, &file.path).front),
        };
        (&*file.path, front)
    })
}

/// `posts/posts.json`: data for all texts in `posts/`; `posts/a.json`: data for `posts/a.md`.
fn data_files(sources: &Sources) -> FxHashMap<String, Vec<Given>> {
    let mut given: FxHashMap<String, Vec<Given>> = FxHashMap::default();
    for file in &sources.files {
        let Some(DataFile { text, folder }) = DataFile::of(&file.path) else {
            continue;
        };
        let entries = data(file);
        let scopes = [Some(of_text(text)), folder.map(str::to_owned)];
        for scope in scopes.into_iter().flatten() {
            given.entry(scope).or_default().push(Given {
                by: file.path.to_string(),
                entries: entries.clone(),
                ..Given::default()
            });
        }
    }
    given
}

/// The key of what is for one text only.
fn of_text(bare: &str) -> String {
    format!("{bare}.")
}

/// The files of a folder with an `index` belong to it: without it they are not published either.
pub fn orphans(
    sources: &Sources,
    plan: &Plan,
    is_published: impl Fn(usize) -> bool,
) -> BTreeMap<usize, String> {
    let mut orphans = BTreeMap::new();
    if !plan.kind.dialect.owns_files {
        return orphans;
    }
    // The index of each folder, and whether one of its languages is published.
    let mut indexes: FxHashMap<&str, (&str, bool)> = FxHashMap::default();
    for (at, (file, role)) in sources.files.iter().zip(&plan.roles).enumerate() {
        let is_index = matches!(role, Role::Text { .. }) && is_leaf(&file.path);
        if is_index {
            let index = indexes
                .entry(folder(&file.path))
                .or_insert((&file.path, false));
            index.1 |= is_published(at);
        }
    }
    for (at, (file, role)) in sources.files.iter().zip(&plan.roles).enumerate() {
        if !matches!(role, Role::File(_)) || plan.kind.scope.copied(&file.path).is_some() {
            continue;
        }
        let mut above = folder(&file.path);
        while !above.is_empty() {
            if let Some((index, is_published)) = indexes.get(above) {
                if !is_published {
                    orphans.insert(
                        at,
                        format!("it belongs to `{index}`, which is not published"),
                    );
                }
                break;
            }
            above = folder(above);
        }
    }
    orphans
}
