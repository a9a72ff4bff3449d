//! Walks a folder and lists its files without reading them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirEntry};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use diglot_content::sources::Unread;
use diglot_content::{Problem, parallel, settings};

use super::too_many::TooMany;
use crate::failure::{is_exhaustion, reason};

/// How many folders are listed in parallel before the number of files is checked.
const AT_ONCE: usize = 32;
/// Deeper folders are skipped, so that every loop ends.
const DEEPEST: usize = 64;
/// Hidden configuration files.
const CONFIGURATIONS: [&str; 9] = [
    ".bookignore",
    ".eleventy.js",
    ".eleventyignore",
    ".gitbook.yaml",
    ".gitbook.yml",
    ".htaccess",
    ".ignore",
    ".mintignore",
    ".mkdocsignore",
];
/// The configuration files of VitePress, in its hidden folder.
const VITEPRESS: [&str; 4] = ["config.js", "config.mjs", "config.ts", "config.mts"];
/// The same of VuePress, as data.
const VUEPRESS: [&str; 2] = ["config.toml", "config.yml"];
/// The endings of files that such a configuration may import.
const IMPORTED: [&str; 5] = [".js", ".mjs", ".ts", ".mts", ".json"];
/// The maximum number of imported files of one folder.
const MOST_IMPORTED: usize = 200;
/// What git ignores, which Eleventy, HonKit and Quartz leave out.
const IGNORED: &str = ".gitignore";
/// The beginnings of files of the first two.
const ASK_GIT: [&str; 4] = [".eleventy.js", "eleventy.config.", "book.js", "SUMMARY."];
/// The folder of the notes of Quartz, and its configuration, as it is read in any version.
const NOTES: &str = "content";
const QUARTZ: [&str; 5] = [
    "quartz.config.ts",
    "quartz.config.yaml",
    "quartz.config.default.yaml",
    "quartz.plugins.json",
    "quartz.plugins.default.json",
];
/// The settings of an Obsidian vault that name its folder of templates, and the folders that it
/// publishes.
const OBSIDIAN: [&str; 3] = [
    "templates.json",
    "publish.json",
    "plugins/templater-obsidian/data.json",
];
/// The folder of a plug-in of Obsidian that decides which notes are published. Its settings hold a key, and
/// are not read.
const GARDEN: &str = "plugins/digitalgarden";
/// The values that texts of a GitBook may show.
const GITBOOK: [&str; 1] = ["vars.yaml"];
/// The files that mark a generated folder: a cache (as the Cache Directory Tagging Specification
/// says), and an export of ours.
const CACHE: &str = "CACHEDIR.TAG";
const EXPORT: &str = ".diglot";
/// Hidden files about the folder in which they are: its order, and front matter for its texts.
const OF_FOLDERS: [&str; 3] = [".pages", ".nav.yml", ".meta.yml"];

/// One file to read.
#[derive(Debug)]
pub(super) struct ListedFile {
    /// Relative to the folder, `/` between segments.
    pub path: String,
    /// Its path on disk.
    pub disk: PathBuf,
}

/// A folder to list: the published one, or one inside it.
#[derive(Debug)]
pub(crate) struct ListedFolder {
    /// Its path on disk.
    pub disk: PathBuf,
    /// Relative to the root, empty or ending with `/`.
    path: String,
    depth: usize,
    /// Whether it was reached by a symbolic link. Links to folders are not followed from here, so
    /// that links to links cannot multiply.
    pub linked: bool,
}

impl ListedFolder {
    /// The published folder, by its canonical path.
    pub(crate) fn root(root: &Path) -> Self {
        Self {
            disk: root.to_owned(),
            path: String::new(),
            depth: 0,
            linked: false,
        }
    }

    /// Whether its files are read because a symbolic link leads there, whatever the names above it
    /// are.
    pub(crate) fn is_read_by_link(&self) -> bool {
        self.linked && !self.path.split('/').any(is_hidden)
    }
}

/// The entries of a folder.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub files: Vec<ListedFile>,
    pub folders: Vec<ListedFolder>,
    /// Hidden folders whose files were listed already: they are only watched.
    pub programs: Vec<ListedFolder>,
    pub unread: Vec<Unread>,
    pub hidden: BTreeSet<String>,
    /// Symbolic links that are followed, and where they lead.
    pub links: BTreeMap<String, String>,
    /// The paths on disk of symbolic links that are broken.
    pub broken: Vec<PathBuf>,
    pub problems: Vec<Problem>,
}

/// Whether a change at a path below the folder can change what is read: nothing hidden does but the
/// configuration of other generators, and the mark of an export.
pub(crate) fn is_read(below: &Path) -> bool {
    let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
    let Some(hidden) = names.iter().position(|name| is_hidden(name)) else {
        return !names.iter().any(|name| name == "node_modules");
    };
    let is_program = |name: &str| IMPORTED.iter().any(|ending| name.ends_with(ending));
    let inside: Vec<&str> = names[hidden + 1..].iter().map(|name| &**name).collect();
    match (&*names[hidden], &*inside) {
        (".vitepress" | ".vuepress" | ".gitbook" | ".obsidian", []) => true,
        (".vitepress", ["config"]) => true,
        (IGNORED, []) => hidden == 0 || names[0] == NOTES,
        (name, []) => is_configuration(name) || name == EXPORT,
        (".vuepress", [name]) if VUEPRESS.contains(name) => true,
        (".vitepress" | ".vuepress", [name]) | (".vitepress", ["config", name]) => is_program(name),
        (".gitbook", [name]) if GITBOOK.contains(name) => true,
        (".gitbook", ["assets" | "includes", rest @ ..]) | (".vuepress", ["public", rest @ ..]) => {
            !rest.iter().any(|name| is_hidden(name))
        }
        // Obsidian writes to other files of its folder all the time.
        (".obsidian", inside) => is_setting_of_vault(&inside.join("/")),
        _ => false,
    }
}

/// Lists every file below `root` (a canonical path), in byte order of the paths.
///
/// # Errors
/// The root cannot be listed, or there are more than `most` files.
pub(super) fn walk(root: &Path, most: usize) -> io::Result<Listing> {
    let mut found = Listing::default();
    let mut level = vec![ListedFolder::root(root)];
    while !level.is_empty() {
        for folders in level.chunks(AT_ONCE) {
            for listing in parallel::try_map(folders, |folder| list(root, folder))? {
                found.add(listing);
            }
            if found.files.len() > most {
                return Err(io::Error::other(TooMany(most)));
            }
        }
        level = mem::take(&mut found.folders);
    }
    found
        .files
        .sort_by(|a, b| a.path.cmp(&b.path).then_with(|| a.disk.cmp(&b.disk)));
    // Two names that are not UTF-8 may have the same lossy form.
    let mut files: Vec<ListedFile> = Vec::with_capacity(found.files.len());
    for file in mem::take(&mut found.files) {
        if files.last().is_some_and(|last| last.path == file.path) {
            found.unread(
                file.path,
                "another file has the same name when read as UTF-8",
            );
        } else {
            files.push(file);
        }
    }
    found.files = files;
    Ok(found)
}

/// Lists one folder. Only errors of the root, and the lack of descriptors or memory, end the whole
/// walk.
pub(super) fn list(root: &Path, folder: &ListedFolder) -> io::Result<Listing> {
    let mut listing = Listing::default();
    match listing.list(root, folder) {
        Err(error) if folder.depth == 0 || is_exhaustion(&error) => return Err(error),
        // It vanished meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => listing.unreadable(folder.path.trim_end_matches('/'), &error),
        Ok(()) => {}
    }
    Ok(listing)
}

impl Listing {
    fn add(&mut self, other: Self) {
        self.files.extend(other.files);
        self.folders.extend(other.folders);
        self.unread.extend(other.unread);
        self.hidden.extend(other.hidden);
        self.links.extend(other.links);
        self.problems.extend(other.problems);
    }

    fn list(&mut self, root: &Path, folder: &ListedFolder) -> io::Result<()> {
        for entry in fs::read_dir(&folder.disk)? {
            let entry = entry?;
            let name = entry.file_name();
            let path = format!("{}{}", folder.path, name.to_string_lossy());
            if is_hidden(&name.to_string_lossy()) {
                self.hidden_configuration(folder, &entry, &path);
                self.ignored_notes(root, &entry, &path);
                self.hidden.insert(path);
                continue;
            }
            if name.to_str().is_none() {
                let hint = "rename the file: its address now has `\u{fffd}` in it";
                self.problems.push(
                    Problem::warning("the file name is not UTF-8")
                        .at(path.as_str(), 0, 0)
                        .hint(hint),
                );
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.folder(folder, entry.path(), path, folder.linked),
                Ok(kind) if kind.is_file() => self.file(path, entry.path()),
                Ok(kind) if kind.is_symlink() => self.link(root, folder, &entry.path(), path),
                Ok(_) => self.unread(path, "not a regular file"),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.unreadable(&path, &error),
            }
        }
        self.ignored(folder);
        Ok(())
    }

    fn file(&mut self, path: String, disk: PathBuf) {
        self.files.push(ListedFile { path, disk });
    }

    /// `.gitignore` at the root of a project that leaves out what git ignores.
    fn ignored(&mut self, folder: &ListedFolder) {
        let asks = |file: &ListedFile| ASK_GIT.iter().any(|name| file.path.starts_with(name));
        let disk = folder.disk.join(IGNORED);
        if folder.path.is_empty() && self.files.iter().any(asks) && is_plain_file(&disk) {
            self.file(IGNORED.to_owned(), disk);
        }
    }

    /// `.gitignore` among the notes of Quartz, which leaves out what git ignores there.
    fn ignored_notes(&mut self, root: &Path, entry: &DirEntry, path: &str) {
        let is_note = path.split('/').next() == Some(NOTES);
        let is_of_quartz = || QUARTZ.iter().any(|name| is_plain_file(&root.join(name)));
        let disk = entry.path();
        if entry.file_name() == IGNORED && is_note && is_plain_file(&disk) && is_of_quartz() {
            self.file(path.to_owned(), disk);
        }
    }

    /// Of the hidden files only the configuration of another generator is read: `.eleventy.js`,
    /// `.vitepress/config.*`, `.vuepress/config.*`, `.gitbook.yaml`, where a vault has its templates and what it
    /// publishes. So are the pictures, parts and values that a GitBook keeps in a hidden folder, and the
    /// files that VuePress copies.
    fn hidden_configuration(&mut self, parent: &ListedFolder, entry: &DirEntry, path: &str) {
        let (name, disk) = (entry.file_name(), entry.path());
        if is_configuration(&name.to_string_lossy()) && is_plain_file(&disk) {
            self.file(path.to_owned(), disk);
        } else if name == ".gitbook" && is_plain_folder(&disk) {
            self.plain_files(&disk, path, &GITBOOK);
            self.watched(disk.clone(), path);
            for name in ["assets", "includes"] {
                self.public_folder(parent, &disk, path, name);
            }
        } else if name == ".obsidian" {
            self.plain_files(&disk, path, &OBSIDIAN);
            self.folders_of_vault(&disk, path);
        } else if (name == ".vitepress" || name == ".vuepress") && is_plain_folder(&disk) {
            self.vitepress(&disk, path);
            if name == ".vuepress" {
                if VUEPRESS.iter().any(|name| is_plain_file(&disk.join(name))) {
                    self.plain_files(&disk, path, &VUEPRESS);
                    self.watched(disk.clone(), path);
                }
                self.public_folder(parent, &disk, path, "public");
            }
        }
    }

    /// Has the folders in that of a vault watched, and notes a plug-in that decides what is published.
    fn folders_of_vault(&mut self, disk: &Path, path: &str) {
        let is_folder = |inside: &str| is_plain_folder(&disk.join(inside));
        for inside in ["", "plugins", "plugins/templater-obsidian"] {
            if !is_folder(inside) {
                break;
            }
            if inside == "plugins" && is_folder(GARDEN) {
                self.hidden.insert(format!("{path}/{GARDEN}"));
            }
            let path = format!("{path}/{inside}");
            self.watched(disk.join(inside), path.trim_end_matches('/'));
        }
    }

    /// Has a folder read that is in a hidden one.
    fn public_folder(&mut self, parent: &ListedFolder, hidden: &Path, path: &str, name: &str) {
        let disk = hidden.join(name);
        if is_plain_folder(&disk) {
            self.folders.push(ListedFolder {
                disk,
                path: format!("{path}/{name}/"),
                depth: parent.depth + 1,
                linked: false,
            });
        }
    }

    /// Has a hidden folder watched, whose files are listed already.
    fn watched(&mut self, disk: PathBuf, path: &str) {
        self.programs.push(ListedFolder {
            disk,
            path: format!("{path}/"),
            // Nothing below it is read.
            depth: DEEPEST,
            linked: true,
        });
    }

    /// The files with these paths in a hidden folder.
    fn plain_files(&mut self, folder: &Path, path: &str, names: &[&str]) {
        for name in names {
            let disk = folder.join(name);
            let inside = disk
                .ancestors()
                .skip(1)
                .take_while(|above| *above != folder);
            let is_inside = inside.chain([folder]).all(is_plain_folder);
            if is_inside && is_plain_file(&disk) {
                self.file(format!("{path}/{name}"), disk);
            }
        }
    }

    /// The programs in `.vitepress` or `.vuepress`, if it holds the generator's configuration.
    fn vitepress(&mut self, disk: &Path, path: &str) {
        let config = disk.join("config");
        if config.is_dir() || VITEPRESS.iter().any(|name| is_plain_file(&disk.join(name))) {
            self.programs(disk, path);
            self.programs(&config, &format!("{path}/config"));
        }
    }

    /// The programs of a configuration in a folder: it may import each.
    fn programs(&mut self, folder: &Path, path: &str) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        self.watched(folder.to_owned(), path);
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| IMPORTED.iter().any(|ending| name.ends_with(ending)))
            .collect();
        names.sort_unstable();
        for name in names.into_iter().take(MOST_IMPORTED) {
            let disk = folder.join(&name);
            if is_plain_file(&disk) {
                self.file(format!("{path}/{name}"), disk);
            }
        }
    }

    fn folder(&mut self, parent: &ListedFolder, disk: PathBuf, path: String, linked: bool) {
        if is_generated(&path, &disk) {
            self.hidden.insert(path);
        } else if parent.depth == DEEPEST {
            self.unread(path, "the folder is nested too deeply");
        } else {
            self.folders.push(ListedFolder {
                disk,
                path: path + "/",
                depth: parent.depth + 1,
                linked,
            });
        }
    }

    fn link(&mut self, root: &Path, parent: &ListedFolder, link: &Path, path: String) {
        let Ok(target) = link.canonicalize() else {
            self.broken.push(link.to_owned());
            return self.unread(path, "broken symbolic link");
        };
        let Ok(inside) = target.strip_prefix(root) else {
            return self.unread(path, "symbolic link out of the folder");
        };
        // The settings are read wherever they are in the folder.
        let hidden = || inside.iter().any(|part| is_hidden(&part.to_string_lossy()));
        if path != settings::FILE && hidden() {
            return self.unread(path, "symbolic link into a hidden folder");
        }
        match target.metadata() {
            Ok(metadata) if metadata.is_file() => {
                self.links.insert(path.clone(), slashed(inside));
                self.file(path, target)
            }
            Ok(metadata) if !metadata.is_dir() => self.unread(path, "not a regular file"),
            Ok(_) if parent.linked => {
                self.unread(path, "symbolic link to a folder, inside a linked folder")
            }
            Ok(_) if link.starts_with(&target) => {
                self.unread(path, "symbolic link to a folder that contains it")
            }
            Ok(_) => {
                self.links.insert(path.clone(), slashed(inside));
                self.folder(parent, target, path, true)
            }
            Err(error) => self.unread(path, &reason(&error)),
        }
    }

    fn unread(&mut self, path: String, reason: &str) {
        self.unread.push(Unread {
            path,
            reason: reason.to_owned(),
        });
    }

    /// Records a file or folder that the system refused to read.
    pub(super) fn unreadable(&mut self, path: &str, error: &io::Error) {
        let why = reason(error);
        self.problems.push(Problem {
            hint: super::hint(error),
            ..Problem::error(format!("cannot read this file or folder: {why}")).at(path, 0, 0)
        });
        self.unread.push(Unread {
            path: path.to_owned(),
            reason: why,
        });
    }
}

/// A path with `/` between segments.
fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Whether a hidden file is the configuration of another program.
fn is_configuration(name: &str) -> bool {
    CONFIGURATIONS.contains(&name)
        || OF_FOLDERS.contains(&name)
        || name.starts_with(".openpublishing.redirection") && name.ends_with(".json")
}

/// Whether a path in the hidden folder of a vault is one of its settings that are read, or a folder
/// around one.
fn is_setting_of_vault(inside: &str) -> bool {
    OBSIDIAN.iter().chain([&GARDEN]).any(|file| {
        let rest = file.strip_prefix(inside);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Whether a path is a regular file and not a symbolic link.
fn is_plain_file(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|metadata| metadata.is_file())
}

/// Whether a path is a folder and not a symbolic link.
fn is_plain_folder(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|metadata| metadata.is_dir())
}

/// Dot files and folders are not content; `.well-known` is (RFC 8615), and so is an article with
/// the name `..md`.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !name.starts_with("..") && name != ".well-known"
}

/// Generated folders: dependencies, caches, our own exports.
fn is_generated(path: &str, disk: &Path) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "node_modules" || [CACHE, EXPORT].iter().any(|mark| disk.join(mark).is_file())
}

/// Whether a file is the mark of a generated folder.
pub(crate) fn marks_generated(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == CACHE || name == EXPORT)
}
