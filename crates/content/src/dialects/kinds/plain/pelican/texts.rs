//! Which texts Pelican publishes: articles and pages, each in some folders without others.

use super::super::places::folder_of;
use super::super::python::Settings;
use crate::dialects::config::{Glob, MOST_EXCLUDED};
use crate::dialects::scope::folder_path;
use crate::model::path::{inside_or_folder, is_at_or_below};

/// The setting with the folder of all texts and files.
pub const PATH: &str = "PATH";

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
        folders
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
