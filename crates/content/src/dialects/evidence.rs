//! The contents of a folder, queried to recognise its kind.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::backticks::Backticks;
use super::dollars::Dollars;
use super::jsx_evidence;
use crate::model::format::{Format, is_markdown};
use crate::model::language;
use crate::model::parallel;
use crate::model::path::{self, inside};
use crate::model::sources::{SourceFile, Sources};
use crate::model::text::decode;
use crate::syntax::front::split;

/// The key that publishes the notes of a digital garden.
pub(super) const GARDEN: &str = "dg-publish";
/// How many texts are looked through for what most have.
const FIRST: usize = 200;

/// A folder as the kinds see it.
#[derive(Clone, Debug, Default)]
pub struct Evidence<'a> {
    files: &'a [SourceFile],
    hidden: Option<&'a BTreeSet<String>>,
    wikilinks: OnceLock<(usize, usize)>,
}

impl<'a> Evidence<'a> {
    /// The evidence of a folder.
    pub fn new(sources: &'a Sources) -> Self {
        Self {
            files: &sources.files,
            hidden: Some(&sources.hidden),
            wikilinks: OnceLock::new(),
        }
    }

    /// The files from the first with this prefix on.
    fn from(&self, prefix: &str) -> &'a [SourceFile] {
        let at = self.files.partition_point(|file| *file.path < *prefix);
        &self.files[at..]
    }

    /// The file with exactly this path.
    pub(super) fn file(&self, path: &str) -> Option<&'a SourceFile> {
        self.from(path).first().filter(|file| *file.path == *path)
    }

    /// The files in a folder, in path order.
    pub(super) fn below(&self, folder: &str) -> impl Iterator<Item = &'a SourceFile> {
        let prefix = format!("{folder}/");
        self.from(&prefix)
            .iter()
            .take_while(move |file| file.path.starts_with(&prefix))
    }

    /// The first file whose path has this prefix.
    pub(super) fn beginning(&self, prefix: &str) -> Option<&'a SourceFile> {
        self.from(prefix)
            .first()
            .filter(|file| file.path.starts_with(prefix))
    }

    /// The number of files whose paths have this prefix.
    pub(super) fn count_beginning(&self, prefix: &str) -> usize {
        self.from(prefix)
            .partition_point(|file| file.path.starts_with(prefix))
    }

    /// The only file with this name in a folder at the root, or the one in `docs/`.
    pub(super) fn one_folder_down(&self, name: &str) -> Option<&'a SourceFile> {
        let is_there = |file: &&SourceFile| {
            file.path
                .split_once('/')
                .is_some_and(|(_, inner)| inner == name)
        };
        let mut found = self.files.iter().filter(is_there);
        let (first, more) = (found.next()?, found.next().is_some());
        match self.file(&format!("docs/{name}")) {
            Some(usual) => Some(usual),
            None => (!more).then_some(first),
        }
    }

    /// Of the files that a pattern such as `docs/*/name` has in folders named after languages, the one whose
    /// folder holds most files; of equals the English one.
    pub(super) fn of_languages(&self, pattern: &str) -> Option<&'a SourceFile> {
        let (folder, name) = pattern.split_once("/*/")?;
        let languages = self.folders(folder);
        let languages = languages
            .into_iter()
            .filter(|language| language::in_name(language).is_some());
        let found = languages.filter_map(|language| {
            let place = inside(folder, language);
            let file = self.file(&inside(&place, name))?;
            let files = self.all_below(&place).len();
            Some(((files, language == "en"), file))
        });
        // The last of several maxima would be taken otherwise.
        let found = found.reduce(|one, other| if other.0 > one.0 { other } else { one });
        found.map(|(_, file)| file)
    }

    /// The first file that a pattern such as `/*/name` has in the folders at the root.
    pub(super) fn first_of_folders(&self, pattern: &str) -> Option<&'a SourceFile> {
        let name = pattern.strip_prefix("/*/")?;
        let folders = self.folders("").into_iter();
        folders
            .filter_map(|folder| self.file(&inside(folder, name)))
            .next()
    }

    /// Of the files that a pattern such as `name.*.yml` has at the root, with the name of a language, the
    /// English one, else the first.
    pub(super) fn in_languages(&self, pattern: &str) -> Vec<(&'a str, &'a SourceFile)> {
        let Some((prefix, suffix)) = pattern.split_once('*') else {
            return Vec::new();
        };
        let files = self.all_beginning(prefix, false).into_iter();
        let named = files.filter_map(|file| {
            let name = file.path.strip_prefix(prefix)?.strip_suffix(suffix)?;
            language::in_name(name)?;
            Some((name, file))
        });
        let mut named: Vec<_> = named.collect();
        named.sort_by_key(|(name, _)| *name != "en");
        named
    }

    /// The only file that a pattern such as `*/name.*` has in a folder at the root, if it takes its texts from
    /// outside that folder.
    pub(super) fn beside(&self, pattern: &str) -> Option<&'a SourceFile> {
        let prefix = pattern.strip_prefix("*/")?.strip_suffix('*')?;
        let folders = self.folders("").into_iter();
        let mut found = folders.filter_map(|folder| {
            let file = self.beginning(&format!("{folder}/{prefix}"))?;
            takes_from_outside(&file.bytes).then_some(file)
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// The names of the folders in a folder, in order; the empty one is the root.
    pub(super) fn folders(&self, folder: &str) -> Vec<&'a str> {
        let prefix = inside(folder, "");
        let mut names: Vec<&'a str> = Vec::new();
        let mut rest = self.all_from(&prefix);
        while let Some(file) = rest.first() {
            let inner = &file.path[prefix.len()..];
            let end = match inner.split_once('/') {
                Some((name, _)) => {
                    names.push(name);
                    let inside = format!("{prefix}{name}/");
                    rest.partition_point(|file| file.path.starts_with(&inside))
                }
                None => 1,
            };
            rest = &rest[end..];
        }
        names
    }

    /// Whether one of the Markdown files has this text; a folder with very many is not searched
    /// to the end.
    pub(super) fn some_text_has(&self, words: &[&str]) -> bool {
        const MOST: usize = 500;
        let mut texts = self
            .files
            .iter()
            .filter(|file| is_markdown(&file.path))
            .take(MOST);
        texts.any(|file| {
            words
                .iter()
                .any(|word| memchr::memmem::find(&file.bytes, word.as_bytes()).is_some())
        })
    }

    /// Whether the front matter of a Markdown file has this value at [`GARDEN`], or one of both. A file is
    /// asked once.
    pub(super) fn is_garden(&self, wanted: Option<bool>) -> bool {
        const WITHIN: usize = 4000;
        let says = |file: &SourceFile| {
            let beginning = &file.bytes[..file.bytes.len().min(WITHIN)];
            memchr::memmem::find(beginning, GARDEN.as_bytes())?;
            let (text, _) = decode(&file.bytes, &file.path);
            split(&text, &file.path).front.bool(&[GARDEN])
        };
        parallel::any(self.files, |file| {
            let said = || file.bytes.published(|_| says(file));
            is_markdown(&file.path)
                && said().is_some_and(|said| wanted.is_none_or(|one| one == said))
        })
    }

    /// The files at the root, or in all folders, whose name has this prefix.
    pub(super) fn all_beginning(&self, prefix: &str, everywhere: bool) -> Vec<&'a SourceFile> {
        let files = if everywhere {
            self.files
        } else {
            self.from(prefix)
        };
        let named = |path: &str| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            name.starts_with(prefix) && (everywhere || folder.is_empty())
        };
        files.iter().filter(|file| named(&file.path)).collect()
    }

    /// The files with this name in the folders that `fits` accepts.
    pub(super) fn named(&self, name: &str, fits: impl Fn(&str) -> bool) -> Vec<&'a SourceFile> {
        let is_named = |file: &&SourceFile| {
            let folder = file.path.strip_suffix(name);
            folder.is_some_and(|folder| {
                (folder.is_empty() || folder.ends_with('/')) && fits(folder.trim_end_matches('/'))
            })
        };
        self.files.iter().filter(is_named).collect()
    }

    /// All files, by path.
    pub(super) fn all(&self) -> &'a [SourceFile] {
        self.files
    }

    /// The files whose path has this prefix.
    pub(super) fn all_from(&self, prefix: &str) -> &'a [SourceFile] {
        let from = self.from(prefix);
        let end = from.partition_point(|file| file.path.starts_with(prefix));
        &from[..end]
    }

    /// The files below a folder; the empty one is the root.
    pub(super) fn all_below(&self, folder: &str) -> &'a [SourceFile] {
        if folder.is_empty() {
            return self.files;
        }
        self.all_from(&format!("{folder}/"))
    }

    /// The first of some files that exists.
    pub(super) fn first(&self, paths: &[&str]) -> Option<String> {
        let path = paths.iter().find(|path| self.file(path).is_some())?;
        Some(format!("`{path}`"))
    }

    /// A file at the root whose name has this prefix.
    pub(super) fn begins(&self, prefix: &str) -> Option<String> {
        let path = &self.beginning(prefix)?.path;
        (!path.contains('/')).then(|| format!("`{path}`"))
    }

    /// Whether a folder contains a file; `folder` has no closing slash.
    pub(super) fn folder(&self, folder: &str) -> bool {
        self.beginning(&format!("{folder}/")).is_some()
    }

    /// Whether a folder contains a text; the empty one is the root.
    pub(super) fn holds_text(&self, folder: &str) -> bool {
        let mut files = self.all_below(folder).iter();
        files.any(|file| Format::from_path(&file.path).is_some())
    }

    /// A hidden folder with this name, at any depth.
    pub(super) fn hidden_folder(&self, name: &str) -> Option<String> {
        let named = self.hidden?.iter().filter(|path| path::name(path) == name);
        // A site of tests or a template is further down than the site itself.
        let path = named.min_by_key(|path| path.matches('/').count())?;
        Some(format!("`{path}/`"))
    }

    /// Whether a path is hidden.
    pub(super) fn has_hidden(&self, path: &str) -> bool {
        self.hidden.is_some_and(|hidden| hidden.contains(path))
    }

    /// Whether more than one Markdown file in a hundred (and more than one at all) has a wikilink.
    pub(super) fn uses_wikilinks(&self) -> bool {
        let (used, all) = self.wikilinks();
        used > 1 && used * 100 > all
    }

    /// The numbers of Markdown files with a wikilink, and of all.
    pub(super) fn wikilinks(&self) -> (usize, usize) {
        *self.wikilinks.get_or_init(|| {
            let texts = self.markdown();
            let used = parallel::filter(&texts, |file| file.bytes.wikilink(has_wikilink));
            (used.len(), texts.len())
        })
    }

    /// Whether many texts have TeX between single dollars.
    pub(super) fn uses_dollar_math(&self) -> bool {
        let found = parallel::map(&self.markdown(), |file| Dollars::from_contents(&file.bytes));
        let all = found.into_iter().fold(Dollars::default(), Dollars::with);
        all.are_formulas()
    }

    /// The numbers of `.md` files with JSX, and of all.
    pub(super) fn jsx(&self) -> (usize, usize) {
        let mut texts = self.markdown();
        texts.retain(|file| !jsx_evidence::is_mdx(&file.path));
        let used = parallel::filter(&texts, |file| jsx_evidence::is_used(&file.bytes));
        (used.len(), texts.len())
    }

    fn markdown(&self) -> Vec<&'a SourceFile> {
        let files = self.files.iter();
        files.filter(|file| is_markdown(&file.path)).collect()
    }

    /// The first `.mdx` file below a folder.
    pub(super) fn mdx_below(&self, folder: &str) -> Option<&'a str> {
        let mut below = self.below(folder);
        let found = below.find(|file| jsx_evidence::is_mdx(&file.path))?;
        Some(&found.path)
    }

    /// Whether one of the first Markdown files below a folder contains JSX.
    pub(super) fn has_jsx_below(&self, folder: &str) -> bool {
        let texts = self.below(folder).filter(|file| is_markdown(&file.path));
        texts
            .take(FIRST)
            .any(|file| jsx_evidence::is_used(&file.bytes))
    }

    /// Whether a file at the root contains one of these words.
    pub(super) fn says(&self, path: &str, words: &[&str]) -> bool {
        self.beginning(path).is_some_and(|file| {
            let is_at_root = !file.path.contains('/');
            let says = |word: &&str| memchr::memmem::find(&file.bytes, word.as_bytes()).is_some();
            is_at_root && words.iter().any(says)
        })
    }

    /// Whether one of the first Markdown files below a folder begins with `+++`.
    pub(super) fn opens_with_plus(&self, folder: &str) -> bool {
        let texts = self.below(folder).filter(|file| is_markdown(&file.path));
        texts.take(20).any(|file| file.bytes.starts_with(b"+++"))
    }
}

/// Whether a text contains `[[Name…]]` on one line outside code. The name must begin with a letter: shell
/// tests and arrays have a space, bracket or quote there.
fn has_wikilink(bytes: &[u8]) -> bool {
    let mut starts = memchr::memmem::find_iter(bytes, b"[[");
    if !starts.any(|at| is_wikilink(&bytes[at + 2..])) {
        return false;
    }
    // Code is looked for only where that decides.
    let text = String::from_utf8_lossy(bytes);
    text.lines().any({
        let mut fence: Option<&str> = None;
        let text = &text;
        move |line| {
            let rest = line.trim_start_matches([' ', '\t', '>']);
            if let Some(mark) = fence {
                if rest.starts_with(mark) {
                    fence = None;
                }
                return false;
            }
            fence = jsx_evidence::opening(rest);
            let is_code = fence.is_some() || line.starts_with("    ") || line.starts_with('\t');
            !is_code && has_wikilink_outside_spans(line, text)
        }
    })
}

/// Whether a line has a wikilink that is not between backticks. `[[name]]` is a link in brackets where
/// the text defines `[name]:`.
fn has_wikilink_outside_spans(line: &str, text: &str) -> bool {
    let mut ticks = Backticks::default();
    line.match_indices("[[").any(|(at, _)| {
        let is_code = ticks.is_code(line, at);
        let rest = &line[at + 2..];
        let is_defined = || {
            let name = rest.split("]]").next().unwrap_or_default();
            text.contains(&format!("[{name}]: "))
        };
        !is_code && is_wikilink(rest.as_bytes()) && !is_defined()
    })
}

/// Whether these bytes after `[[` are the name of a wikilink, and its end.
fn is_wikilink(rest: &[u8]) -> bool {
    {
        let name = rest
            .iter()
            .take(300)
            .position(|byte| matches!(byte, b'\n' | b']' | b'['))
            .unwrap_or(0);
        let begins = rest
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
        let is_contents = rest[..name].eq_ignore_ascii_case(b"toc");
        // `[[text]](address)` is a link with brackets in its text.
        begins
            && !is_contents
            && rest[name..].starts_with(b"]]")
            && rest.get(name + 2) != Some(&b'(')
    }
}

/// Whether a configuration names a folder outside its own as that of its texts.
fn takes_from_outside(config: &[u8]) -> bool {
    memchr::memmem::find_iter(config, "../").any(|at| {
        let before = &config[..at];
        let before = before.strip_suffix(b"'").or(before.strip_suffix(b"\""));
        let before = before.unwrap_or(&config[..at]).trim_ascii_end();
        let key = before.strip_suffix(b":");
        key.is_some_and(|key| key.ends_with(b"path") || key.ends_with(b"docs_dir"))
    })
}
