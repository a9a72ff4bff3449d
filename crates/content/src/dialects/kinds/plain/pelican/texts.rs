//! Which texts Pelican publishes: articles and pages, each in some folders without others.

use super::super::places::folder_of;
use super::super::python::Settings;
use crate::dialects::config::{Glob, MOST_EXCLUDED};
use crate::dialects::scope::{Copied, folder_path};
use crate::model::path::{below, inside_or_folder, is_at_or_below};

/// The setting with the folder of all texts and files.
pub const PATH: &str = "PATH";
/// The setting with front matter of some paths.
pub const OF_PATHS: &str = "EXTRA_PATH_METADATA";
/// The ends of its keys that give a file its place.
const PLACES: [&str; 2] = [".path", ".save_as"];

/// The texts of a site.
pub struct Texts {
    /// The folder of all texts and files.
    pub content: String,
    /// Whether that folder is known.
    pub is_known: bool,
    pub articles: Sort,
    pub pages: Sort,
    /// Files that are copied.
    pub files: Sort,
}

/// Texts of one sort: those in some folders, without those in others. An empty path is the root.
pub struct Sort {
    pub folders: Vec<String>,
    pub excluded: Vec<String>,
}

impl Sort {
    /// The paths in two settings, below the folder of the texts.
    fn read(settings: &Settings, content: &str, names: [&str; 2], usual: &str) -> Self {
        let below = |paths: Vec<String>| {
            let paths = paths.iter().take(MOST_EXCLUDED);
            let paths = paths.filter_map(|path| folder_path(path));
            let paths = paths.map(|path| inside_or_folder(content, &path));
            paths.collect::<Vec<_>>()
        };
        let [folders, excluded] = names;
        let named = settings.value(folders).map(|(value, _)| {
            // The root is an empty text.
            let has_root = value.contains("''") || value.contains("\"\"");
            let mut named = settings.texts(folders).unwrap_or_default();
            named.extend(has_root.then(String::new));
            below(named)
        });
        Self {
            folders: named.unwrap_or_else(|| vec![inside_or_folder(content, usual)]),
            excluded: below(settings.excluded(excluded)),
        }
    }

    /// Whether what is in a folder is of this sort. Only folders below one of its own are left out.
    fn holds(&self, folder: &str) -> bool {
        let is_left_out = |own: &str| {
            let mut excluded = self.excluded.iter();
            excluded.any(|one| one != own && is_in(one, own) && is_in(folder, one))
        };
        let mut folders = self.folders.iter();
        folders.any(|own| is_in(folder, own) && !is_left_out(own))
    }
}

/// Whether a path is a folder or in it.
fn is_in(path: &str, folder: &str) -> bool {
    folder.is_empty() || is_at_or_below(path, folder)
}

impl Texts {
    pub fn read(settings: &Settings) -> Self {
        let content = folder_of(settings, PATH);
        let is_known = content.is_some();
        let content = content.unwrap_or_default();
        let sort = |names, usual| Sort::read(settings, &content, names, usual);
        let mut articles = sort(["ARTICLE_PATHS", "ARTICLE_EXCLUDES"], "");
        let mut pages = sort(["PAGE_PATHS", "PAGE_EXCLUDES"], "pages");
        let files = sort(["STATIC_PATHS", "STATIC_EXCLUDES"], "images");
        articles.excluded.extend(pages.folders.iter().cloned());
        pages.excluded.extend(articles.folders.iter().cloned());
        Self {
            content,
            is_known,
            articles,
            pages,
            files,
        }
    }

    /// The folders of all texts.
    pub fn folders(&self) -> Vec<String> {
        let mut folders = [self.articles.folders.clone(), self.pages.folders.clone()].concat();
        folders.sort();
        folders.dedup();
        let all = folders.clone();
        // What is in another folder does not divide the content.
        folders.retain(|folder| !all.iter().any(|one| one != folder && is_in(folder, one)));
        folders
    }

    /// The folders and files that are copied, each to its place.
    pub fn copied(&self, settings: &Settings) -> Vec<Copied> {
        let copied = |path: String, site: String| Copied { folder: path, site };
        let site = |path: &str| match self.content.as_str() {
            "" => path.to_owned(),
            content => below(path, content).unwrap_or_default().to_owned(),
        };
        let folders = self.files.folders.iter();
        let folders = folders.map(|path| copied(path.clone(), site(path)));
        let placed = settings
            .map(OF_PATHS)
            .into_iter()
            .filter_map(|(key, place)| {
                let path = PLACES.iter().find_map(|end| key.strip_suffix(end))?;
                let path = inside_or_folder(&self.content, &folder_path(path)?);
                let mut folders = self.files.folders.iter();
                let is_copied = folders.any(|folder| is_in(&path, folder));
                Some(copied(path, folder_path(&place)?)).filter(|_| is_copied)
            });
        folders.chain(placed).collect()
    }

    /// Files in these folders that are published only where a text shows them.
    pub fn shown(&self) -> Vec<Glob> {
        let excluded = self.files.excluded.iter();
        let globs = excluded.flat_map(|path| Glob::parse_paths(path, "**"));
        globs.collect()
    }

    /// The folders whose texts are not published, and those in them whose texts are: the last that
    /// fits decides.
    pub fn left_out(&self) -> Vec<Glob> {
        self.divided(|folder| !self.articles.holds(folder) && !self.pages.holds(folder))
    }

    /// The folders whose texts are articles, and those in them whose texts are not.
    pub fn articles(&self) -> Vec<Glob> {
        self.divided(|folder| self.articles.holds(folder))
    }

    /// Patterns of all folders that the settings name, the outer ones first. Those that do not fit are
    /// negated.
    fn divided(&self, fits: impl Fn(&str) -> bool) -> Vec<Glob> {
        let sorts = [&self.articles, &self.pages, &self.files];
        let all = sorts.map(|sort| [&sort.folders[..], &sort.excluded].concat());
        let mut paths: Vec<String> = all.concat();
        paths.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        paths.dedup();
        let globs = paths.iter().flat_map(|path| {
            let fits = fits(path);
            let globs = Glob::parse_paths(path, "**").into_iter();
            globs.map(move |glob| if fits { glob } else { glob.negate() })
        });
        globs.collect()
    }
}
