//! The settings of Nikola, `conf.py`, and the metadata of posts in files beside them.

use super::places::{pairs, rows};
use super::python::Settings;
use crate::dialects::config::{
    Config, Defaults, Glob, Keys, Locale, Permalink, Spelling, UNKNOWN_FOLDER, without_places,
};
use crate::dialects::evidence::Evidence;
use crate::dialects::named_files::NamedFiles;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::model::language;
use crate::model::path::{folder, name};
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::front::split_with_dots;

/// Its settings.
const FILE: &str = "conf.py";
/// The settings with the patterns of its texts.
const LISTS: [&str; 2] = ["POSTS", "PAGES"];
/// Its settings of folders with files, and the usual folder of each with its place on the site.
const FILES: [(&str, &str, &str); 4] = [
    ("FILES_FOLDERS", "files", ""),
    ("IMAGE_FOLDERS", "images", ""),
    ("GALLERY_FOLDERS", "galleries", "galleries"),
    ("LISTINGS_FOLDERS", "listings", "listings"),
];
/// What begins addresses that name texts.
const SCHEME: &str = "link://";
/// The ending of a file with the metadata of a post.
const METADATA: &str = ".meta";
/// The most posts with their metadata in another file.
const MOST: usize = 2000;
/// The largest such file, in bytes.
const LARGEST: usize = 100_000;

/// The names of what every site has.
pub const KEYS: Keys = Keys {
    title: &["BLOG_TITLE"],
    description: &["BLOG_DESCRIPTION"],
    author: &["BLOG_AUTHOR"],
    language: &["DEFAULT_LANG"],
    address: &["SITE_URL"],
    zone: &["TIMEZONE"],
    ..Keys::NONE
};

pub fn settings(evidence: &Evidence<'_>) -> Option<Settings> {
    evidence.file(FILE)?;
    let settings = Settings::read(evidence, &[FILE]);
    settings.has(&LISTS).then_some(settings)
}

/// Whether the folder belongs to Nikola.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    settings(evidence).is_some()
}

/// Texts that one pattern describes.
struct Texts {
    /// The folder of these texts, and of those below it.
    folder: String,
    /// The pattern of their names.
    names: String,
    /// Their place on the site, if it is known.
    place: Option<String>,
}

impl Texts {
    fn globs(&self) -> Vec<Glob> {
        Glob::parse_paths(&self.folder, &format!("**/{}", self.names))
    }
}

/// The texts of the site, and whether all patterns are read.
fn texts(settings: &Settings) -> (Vec<Texts>, bool) {
    let lists = LISTS.iter().filter_map(|name| rows(settings, name));
    let (mut texts, mut is_whole) = (Vec::new(), true);
    for row in lists.flatten() {
        let mut row = row.unwrap_or_default().into_iter();
        let pattern = row
            .next()
            .flatten()
            .filter(|pattern| !pattern.starts_with('/'));
        let Some(pattern) = pattern.and_then(|pattern| folder_path(&pattern)) else {
            is_whole = false;
            continue;
        };
        let place = row.next().flatten().and_then(|place| folder_path(&place));
        texts.push(Texts {
            folder: folder(&pattern).to_owned(),
            names: name(&pattern).to_owned(),
            place,
        });
    }
    (texts, is_whole)
}

/// The folders of posts and pages, and those of files.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(settings) = settings(project.evidence) else {
        return Scope::default();
    };
    let (texts, _) = texts(&settings);
    let mut folders: Vec<String> = texts.iter().map(|texts| texts.folder.clone()).collect();
    folders.sort();
    folders.dedup();
    let all = folders.iter();
    let all = all.flat_map(|folder| Glob::parse_paths(folder, "**"));
    let own = texts.iter().flat_map(Texts::globs).map(Glob::negate);
    let mut scope = Scope {
        excluded_texts: all.chain(own).collect(),
        shows_files: true,
        any_name: true,
        ..Scope::new(folders, &[])
    };
    for (name, folder, site) in FILES {
        let given = pairs(&settings, name);
        let given = given.unwrap_or_else(|| vec![(folder.to_owned(), site.to_owned())]);
        let copied = given.into_iter().filter_map(|(folder, site)| {
            let folder = folder_path(&folder)?;
            let site = folder_path(&site)?;
            Some(Copied { folder, site })
        });
        scope.copied.extend(copied);
    }
    scope.by = FILE.to_owned();
    scope
}

/// Reads what the settings say of texts.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    metadata(evidence, config);
    let Some(settings) = settings(evidence) else {
        return;
    };
    let (texts, is_whole) = texts(&settings);
    if !is_whole {
        unread(config, texts.is_empty());
    }
    languages(&settings, config);
    config.named_files = Some(NamedFiles {
        folder: String::new(),
        scheme: Some(SCHEME),
    });
    config.spelling = Some(Spelling::Ascii);
    let is_pretty = settings
        .value("PRETTY_URLS")
        .is_none_or(|(value, _)| !value.starts_with("False"));
    let end = if is_pretty { "/" } else { ".html" };
    for texts in texts {
        let place = texts.place.map(|place| Permalink {
            scope: texts.folder,
            pattern: format!("/{place}/:folders_below:slug_or_name{end}"),
            below: true,
        });
        config.permalinks.extend(place);
    }
}

/// The languages of the site, whose names are in the names of files and in addresses.
fn languages(settings: &Settings, config: &mut Config) {
    let languages = pairs(settings, "TRANSLATIONS").unwrap_or_default();
    if languages.len() < 2 {
        return;
    }
    let named = settings
        .texts("DEFAULT_LANG")
        .and_then(|names| names.into_iter().next());
    config.default_language = named;
    for (name, _) in languages {
        if let Some(tag) = language::in_name(&name) {
            config.locales.push(Locale { name, tag });
        }
    }
}

/// Reports patterns that are not read. Their texts are not published.
fn unread(config: &mut Config, is_nothing_known: bool) {
    let [posts, pages] = LISTS;
    let message = format!("a pattern of `{posts}` or `{pages}` is not read: a program computes it");
    let hint = "write it as a literal; its texts are not published";
    let problem = Problem::error(message).at(FILE, 0, 0).hint(hint);
    match is_nothing_known {
        true => config.withhold_for(problem, UNKNOWN_FOLDER),
        false => config.problems.push(problem.cause(Cause::Configuration)),
    }
}

/// The metadata of posts in files beside them: `a.meta` of `a.md`.
fn metadata(evidence: &Evidence<'_>, config: &mut Config) {
    let files = evidence.all().iter();
    let files = files.filter(|file| file.path.ends_with(METADATA) && file.bytes.len() <= LARGEST);
    config.add_defaults(files.take(MOST).flat_map(given).collect());
}

/// What a file gives to the text beside it.
fn given(file: &SourceFile) -> Vec<Defaults> {
    let (text, _) = decode(&file.bytes, &file.path);
    let entries = split_with_dots(&text).map(|split| split.front.entries);
    let mut entries = entries.unwrap_or_default();
    without_places(&mut entries);
    let bare = file.path.trim_end_matches(METADATA);
    let globs = Glob::parse_paths("", &format!("{bare}.*")).into_iter();
    let given = globs.map(|glob| Defaults::new(Some(glob), entries.clone()));
    given.collect()
}
