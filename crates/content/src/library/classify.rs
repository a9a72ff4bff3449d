//! What each file of a folder is, by its path alone: an article, a page, a file to publish, or nothing for readers.

use std::sync::Arc;

use rayon::prelude::*;

use crate::dialects::{Evidence, Kind};
use crate::library::generated::is_generated;
use crate::model::format::Format;
use crate::model::site::Site;
use crate::model::sources::{LOCK_FILE, SourceFile, Sources};
use crate::syntax::settings;

/// Which part of the address space a text belongs to, before its front matter has its say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Area {
    Articles,
    Pages,
    /// The content of the home page.
    Home,
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// To be read. `rel` is its path below the articles folder, or below the site's root for a page.
    Text { format: Format, area: Area, rel: Arc<str> },
    /// Published unchanged at this decoded site path.
    File(String),
    /// Nothing for readers, and why.
    Skip(String),
    /// It lies on a generated document's path.
    SetAside(String),
}

/// What the paths of a folder say.
#[derive(Debug)]
pub(crate) struct Plan {
    pub kind: Kind,
    /// The articles folder without a closing slash; empty for the root.
    pub articles: String,
    pub reason: String,
    /// One role for each file, in the order of the files.
    pub roles: Vec<Role>,
}

/// The articles folders that people use, in the contract's order.
const FOLDERS: [&str; 7] = ["articles", "_posts", "_articles", "content/posts", "content", "posts", "docs"];
/// The only pages of a folder that is all articles.
const ROOT_PAGES: [&str; 4] = ["index", "about", "terms", "api"];
/// Folders at the root whose name is no part of the address of what they hold.
const PUBLISHED: [&str; 2] = ["static", "public"];
/// Folders of other programs' code.
const DEPENDENCIES: [&str; 5] = ["node_modules", "bower_components", "vendor", "target", "__pycache__"];
/// Folders whose texts are templates.
const TEMPLATES: [&str; 10] =
    ["layouts", "templates", "themes", "archetypes", "partials", "includes", "shortcodes", "_includes", "_layouts", "overrides"];
/// Texts about the folder, not of it: in capitals, or always.
const ABOUT_THE_FOLDER: [&str; 17] = [
    "CHANGELOG",
    "CONTRIBUTING",
    "CODE_OF_CONDUCT",
    "CODE-OF-CONDUCT",
    "SECURITY",
    "SUPPORT",
    "GOVERNANCE",
    "AUTHORS",
    "NOTICE",
    "TODO",
    "SUMMARY",
    "AGENTS",
    "CLAUDE",
    "PULL_REQUEST_TEMPLATE",
    "ISSUE_TEMPLATE",
    "MAINTAINERS",
    "HISTORY",
];
/// Files that browsers and readers want.
const WEB: [&str; 44] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "apng", "jxl", "pdf", "epub", "woff", "woff2", "ttf", "otf", "mp3", "m4a",
    "ogg", "oga", "opus", "wav", "flac", "mp4", "m4v", "webm", "ogv", "mov", "vtt", "srt", "txt", "csv", "tsv", "zip", "gz", "ics", "geojson",
    "ipynb", "pptx", "xlsx", "docx", "odt", "ods",
];
/// Files that browsers want from folders made for them, and that are machinery elsewhere.
const WEB_IN_ASSETS: [&str; 9] = ["css", "js", "mjs", "json", "xml", "map", "wasm", "webmanifest", "asc"];
const ASSET_FOLDERS: [&str; 16] = [
    "static",
    "public",
    "assets",
    "css",
    "js",
    "img",
    "images",
    "media",
    "files",
    "fonts",
    "downloads",
    "attachments",
    "data",
    "styles",
    "examples",
    ".well-known",
];
/// Texts in formats that are not read.
const OTHER_TEXTS: [&str; 8] = ["rst", "adoc", "asciidoc", "dj", "org", "tex", "textile", "wiki"];

/// How much of a file is looked at for its title.
const TITLE_WITHIN: usize = 2000;

/// Whether a text begins with front matter that has a title.
fn is_titled(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(TITLE_WITHIN)]);
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let fence = lines.next().map(str::trim_end).filter(|line| matches!(*line, "---" | "+++"));
    let titled = |line: &str| {
        let value = line.strip_prefix("title").and_then(|rest| rest.trim_start().strip_prefix([':', '=']));
        value.is_some_and(|value| !value.trim().trim_matches(['"', '\'']).is_empty())
    };
    fence.is_some_and(|fence| lines.take_while(|line| line.trim_end() != fence).any(titled))
}

/// Why texts about the folder are skipped.
const ABOUT: &str = "README, LICENSE and the like";

impl Plan {
    /// Looks at every path of a folder, and at the bytes of a few files.
    pub fn of(sources: &Sources, site: &Site) -> Self {
        let kind = Kind::of(&Evidence::of(sources), site.dialect.as_deref());
        let kind = Kind { dollar_math: site.math.unwrap_or(kind.dollar_math), ..kind };
        let (articles, reason) = articles_folder(sources, site, &kind);
        let mut plan = Self { kind, articles, reason, roles: Vec::new() };
        plan.roles = sources.files.par_iter().map(|file| plan.role(&file.path, &file.bytes, site)).collect();
        plan.choose_home(sources);
        plan
    }

    fn role(&self, path: &str, bytes: &[u8], site: &Site) -> Role {
        if path == settings::FILE || path == LOCK_FILE {
            return Role::Skip("settings".to_owned());
        }
        if site.theme.as_deref().is_some_and(|theme| below(path, theme).is_some()) {
            return Role::Skip("theme".to_owned());
        }
        let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
        let inside = below(path, &self.articles).filter(|_| !self.articles.is_empty());
        // The chosen articles folder may be hidden or begin with `_`; what lies in it may not.
        let judged = match inside {
            Some(inside) => inside.rsplit_once('/').map(|(folders, _)| folders),
            None => folders,
        };
        if self.kind.config.excludes(path) {
            return Role::Skip(format!("excluded by `{}`", self.kind.config.file));
        }
        if let Some(reason) = judged.and_then(|folders| folders.split('/').find_map(|folder| self.closed(folder))) {
            return Role::Skip(reason);
        }
        if let Some(first) = path.split('/').next().filter(|_| folders.is_some() && inside.is_none()) {
            if self.kind.dialect.outputs.contains(&first) {
                return Role::Skip("built output of another program".to_owned());
            }
            if self.kind.dialect.machinery.contains(&first) {
                return Role::Skip("template or partial".to_owned());
            }
        }
        // `..md` is an article with a hostile name, `.x.md` is hidden.
        if name.starts_with('.') && !name.starts_with("..") {
            return Role::Skip("hidden".to_owned());
        }
        let (stem, suffix) = name.rsplit_once('.').map_or((name, String::new()), |(stem, suffix)| (stem, suffix.to_ascii_lowercase()));
        match Format::of(path) {
            Some(format) => self.text(path, bytes, stem, format, inside),
            None => self.file(path, stem, &suffix),
        }
    }

    /// Why a folder of this name is closed to readers.
    fn closed(&self, folder: &str) -> Option<String> {
        match folder {
            ".well-known" | "_posts" | "_articles" => None,
            _ if self.kind.config.open.iter().any(|open| open == folder) => None,
            "_drafts" => Some("draft".to_owned()),
            _ if folder.starts_with('.') => Some("hidden".to_owned()),
            _ if folder.starts_with('_') => Some("in a folder whose name begins with `_`".to_owned()),
            _ if DEPENDENCIES.contains(&folder) => Some("dependencies".to_owned()),
            _ => None,
        }
    }

    fn text(&self, path: &str, bytes: &[u8], stem: &str, format: Format, inside: Option<&str>) -> Role {
        let upper = stem.to_ascii_uppercase();
        let always = upper == "README" || (upper == "LICENSE" || upper == "LICENCE" || upper == "COPYING") && !path.contains('/');
        let about = tells_of_the_folder(path);
        // Front matter with a title says that it is a page of the site as well.
        if always || about && !is_titled(bytes) {
            return Role::Skip(ABOUT.to_owned());
        }
        if stem.starts_with('_') && stem != "_index" {
            return Role::Skip("partial: its name begins with `_`".to_owned());
        }
        if path.split('/').next().is_some_and(|first| first != path && TEMPLATES.contains(&first)) {
            return Role::Skip("template or partial".to_owned());
        }
        let root_page = self.articles.is_empty() && !path.contains('/') && ROOT_PAGES.contains(&stem);
        let (area, rel) = match inside {
            Some(inside) => (Area::Articles, inside),
            None if self.articles.is_empty() && !root_page => (Area::Articles, path),
            None => (Area::Pages, self.without_root(path)),
        };
        Role::Text { format, area, rel: if stem == "_index" { as_index(rel) } else { rel.into() } }
    }

    /// The role of a README that is the index of its folder: it lies in one, and nothing else is its index.
    pub fn of_readme(&self, at: usize, sources: &Sources) -> Option<Role> {
        let path = &*sources.files.get(at)?.path;
        let (folder, name) = path.rsplit_once('/')?;
        let named = name.rsplit_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case("README"));
        if !named || self.roles.get(at) != Some(&Role::Skip(ABOUT.to_owned())) || folder == self.articles {
            return None;
        }
        let from = sources.files.partition_point(|file| *file.path < *folder);
        let beside = sources.files[from..].iter().zip(&self.roles[from..]).take_while(|(file, _)| file.path.starts_with(folder));
        let index =
            |path: &str| path.strip_prefix(folder).is_some_and(|rest| ["/index.", "/_index.", "."].iter().any(|index| rest.starts_with(index)));
        if beside.into_iter().any(|(file, role)| matches!(role, Role::Text { .. }) && index(&file.path)) {
            return None;
        }
        let inside = below(path, &self.articles).filter(|_| !self.articles.is_empty());
        let (area, rel) = match inside {
            Some(inside) => (Area::Articles, inside),
            None if self.articles.is_empty() => (Area::Articles, path),
            None => (Area::Pages, self.without_root(path)),
        };
        Some(Role::Text { format: Format::of(path)?, area, rel: as_index(rel) })
    }

    /// A page's path without a folder whose name is no part of addresses.
    fn without_root<'p>(&self, path: &'p str) -> &'p str {
        if self.kind.config.open.iter().any(|open| below(path, open).is_some()) {
            return path.trim_start_matches('_');
        }
        let mut roots = PUBLISHED.into_iter().chain(self.kind.config.content.as_deref()).chain(self.kind.dialect.roots.iter().copied());
        roots.find_map(|root| below(path, root)).unwrap_or(path)
    }

    /// The path that a file had on the site before: below a folder whose name is no part of addresses.
    pub fn site_path<'p>(&self, path: &'p str) -> &'p str {
        self.without_root(path)
    }

    /// Folders of content: the articles folder, and those whose name is no part of addresses.
    pub fn content(&self) -> impl Iterator<Item = &str> {
        let own = [self.articles.as_str()].into_iter().chain(self.kind.config.content.as_deref()).chain(self.kind.dialect.roots.iter().copied());
        own.filter(|folder| !folder.is_empty())
    }

    fn file(&self, path: &str, stem: &str, suffix: &str) -> Role {
        if OTHER_TEXTS.contains(&suffix) {
            return Role::Skip(format!("a text in a format that is not read: `.{suffix}`"));
        }
        let in_assets = path.split('/').rev().skip(1).any(|folder| ASSET_FOLDERS.contains(&folder));
        let lower = stem.to_ascii_lowercase();
        if !in_assets && matches!(lower.as_str(), "license" | "licence" | "copying" | "notice" | "provenance") {
            return Role::Skip(ABOUT.to_owned());
        }
        if !in_assets && matches!(lower.as_str(), "requirements" | "package" | "package-lock" | "tsconfig") {
            return Role::Skip("settings of another program".to_owned());
        }
        let wanted = WEB.contains(&suffix) || WEB_IN_ASSETS.contains(&suffix) && in_assets;
        let named = suffix.is_empty() && path.contains(".well-known/");
        if !(wanted || named) {
            return Role::Skip(if suffix.is_empty() { "not a file for the web".to_owned() } else { format!("not a file for the web: `.{suffix}`") });
        }
        if path.chars().any(|character| character.is_control() || character == '\\') {
            return Role::SetAside("its name holds a character that no address may have".to_owned());
        }
        let root = PUBLISHED.iter().find_map(|root| below(path, root));
        let site_path = match below(path, &self.articles).filter(|_| !self.articles.is_empty()) {
            Some(rel) if root.is_none() => format!("/articles/{rel}"),
            _ => format!("/{}", root.unwrap_or(path)),
        };
        if is_generated(&site_path) {
            return Role::SetAside(format!("`{site_path}` is a document that diglot writes itself"));
        }
        Role::File(site_path)
    }

    /// The home page's content: `index` at the root, else of the articles folder or a content folder, else that folder's section file.
    fn choose_home(&mut self, sources: &Sources) {
        let roots: Vec<&str> = [""]
            .into_iter()
            .chain([self.articles.as_str()].into_iter().filter(|folder| !folder.is_empty()))
            .chain(["content"])
            .chain(self.kind.config.content.as_deref())
            .chain(self.kind.dialect.roots.iter().copied())
            .collect();
        // Some generators take a README for the index, but none that of the whole project.
        let readme = self.kind.dialect.readme_is_index.then_some("README");
        let candidates: Vec<String> = ["index", "_index"]
            .into_iter()
            .chain(readme)
            .flat_map(|stem| roots.iter().map(move |root| if root.is_empty() { stem.to_owned() } else { format!("{root}/{stem}") }))
            .filter(|candidate| candidate != "README")
            .collect();
        for candidate in candidates {
            let named = |path: &str| {
                path.strip_prefix(candidate.as_str()).and_then(|rest| rest.strip_prefix('.')).is_some_and(|suffix| !suffix.contains(['/', '.']))
            };
            let open = |role: &Role| matches!(role, Role::Text { .. }) || matches!(role, Role::Skip(reason) if reason == ABOUT);
            let from = sources.files.partition_point(|file| *file.path < *candidate);
            let found = (from..sources.files.len()).take_while(|at| sources.files[*at].path.starts_with(candidate.as_str())).find(|at| {
                let file = &sources.files[*at];
                named(&file.path) && Format::of(&file.path).is_some() && open(&self.roles[*at]) && has_body(file)
            });
            if let Some(at) = found {
                let format = Format::of(&sources.files[at].path).unwrap_or(Format::Markdown);
                self.roles[at] = Role::Text { format, area: Area::Home, rel: "index.md".into() };
                break;
            }
        }
        // The section file of the articles folder itself has no section to stand for.
        for (file, role) in sources.files.iter().zip(&mut self.roles) {
            let outer = matches!(role, Role::Text { area: Area::Articles, rel, .. } if &**rel == "index.md") && file.path.contains("_index.");
            if outer {
                *role = Role::Skip("section file".to_owned());
            }
        }
    }
}

/// The path of a folder's index, whatever the file is called.
fn as_index(rel: &str) -> Arc<str> {
    rel.rsplit_once('/').map_or_else(|| "index.md".into(), |(folder, _)| format!("{folder}/index.md").into())
}

/// Whether a text is named as one about the folder; its bytes may say that it is a page of the site as well.
fn tells_of_the_folder(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    ABOUT_THE_FOLDER.contains(&stem) || stem.starts_with("LICEN") && !stem.contains(|letter: char| letter.is_ascii_lowercase())
}

/// Whether something stands behind the front matter.
fn has_body(file: &SourceFile) -> bool {
    let (text, _) = crate::model::text::decode(&file.bytes, &file.path);
    !crate::syntax::front::split(&text, &file.path).body.trim().is_empty()
}

/// The articles folder and why.
fn articles_folder(sources: &Sources, site: &Site, kind: &Kind) -> (String, String) {
    if let Some(set) = &site.articles {
        return (set.clone(), "it is set".to_owned());
    }
    let holds_text = |folder: &&str| {
        let prefix = format!("{folder}/");
        let at = sources.files.partition_point(|file| *file.path < *prefix);
        sources.files[at..].iter().take_while(|file| file.path.starts_with(&prefix)).any(|file| Format::of(&file.path).is_some())
    };
    if let Some(content) = kind.config.content.as_deref() {
        let posts = format!("{content}/_posts");
        let inside = FOLDERS.into_iter().find(holds_text).is_some_and(|folder| folder == content || below(folder, content).is_some());
        let found = [posts.as_str(), content].into_iter().find(holds_text).filter(|_| !inside);
        if let Some(folder) = found {
            return (folder.to_owned(), format!("`{}` says so", kind.config.file));
        }
    }
    match FOLDERS.into_iter().find(holds_text) {
        Some(folder) => (folder.to_owned(), format!("the first that exists of {}", FOLDERS.map(|folder| format!("`{folder}/`")).join(", "))),
        None => (String::new(), "no folder has a name that articles folders usually have".to_owned()),
    }
}

/// The rest of a path below a folder.
pub(crate) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}
