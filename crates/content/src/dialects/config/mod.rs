//! The configuration of another generator: the site's title, its content folder, page addresses and
//! exclusions. It is read as data, never executed. If it is broken, that is reported, and the
//! folder is read without it.

mod comments;
mod formulas;
mod glob;
mod keys;
mod script;
mod selection;
mod texts;

pub use glob::Glob;
pub use keys::Keys;
pub use selection::Selection;
pub use texts::{Defaults, Permalink};

use crate::dialects::evidence::Evidence;
use crate::model::language;
use crate::model::problem::{Cause, Problem, Severity};
use crate::model::sources::SourceFile;
use crate::model::text::{decode, one_line, plain, shorten};
use crate::syntax::front::{self, Entry, Front, Node, Syntax, Value};
use crate::syntax::settings::Settings;

/// The largest configuration file, in bytes.
const LARGEST: usize = 1_000_000;
/// The maximum number of entries read from one list.
const MOST_ENTRIES: usize = 1000;
/// The maximum number of languages of a site.
const MOST_LANGUAGES: usize = 500;

/// The values read from a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The file; empty if none exists.
    pub file: String,
    /// The values used from it, by key: for the report.
    pub said: Vec<(String, String)>,
    /// The site's title, description, language and author.
    pub settings: Settings,
    /// The site's address according to it: a hint, never used on its own.
    pub address: Option<String>,
    /// The content folder.
    pub content: Option<String>,
    /// The former addresses of texts.
    pub permalinks: Vec<Permalink>,
    /// Paths excluded from the site.
    pub exclude: Vec<Glob>,
    /// The only files of the site, where it lists them by patterns.
    pub selections: Vec<Selection>,
    /// Folders with a `_` prefix that are part of the site.
    pub open: Vec<String>,
    /// Front matter of many files at once.
    pub defaults: Vec<Defaults>,
    /// The languages of the site: folder names or suffixes.
    pub languages: Vec<String>,
    /// Whether formulas are written between single dollars.
    pub math: bool,
    pub problems: Vec<Problem>,
}

impl Config {
    /// The configuration of a folder: the first existing file of its kind.
    pub fn of(evidence: &Evidence<'_>, keys: &Keys) -> Self {
        let file = keys.files.iter().find_map(|name| {
            match (name.strip_suffix('*'), name.strip_prefix("*/")) {
                (Some(prefix), _) => evidence.beginning(prefix),
                (_, Some(name)) => evidence.one_folder_down(name),
                _ => evidence.file(name),
            }
        });
        file.map_or_else(Self::default, |file| Self::read(file, keys))
    }

    fn read(file: &SourceFile, keys: &Keys) -> Self {
        let path = &*file.path;
        let mut config = Self {
            file: path.to_owned(),
            ..Self::default()
        };
        if file.bytes.len() > LARGEST {
            config.problems.push(
                Problem::warning("the configuration is larger than 1 MB, and is not read")
                    .at(path, 0, 0)
                    .cause(Cause::Configuration),
            );
            return config;
        }
        let (text, problems) = decode(&file.bytes, path);
        let (front, more) = match path.rsplit_once('.') {
            Some((_, "toml")) => front::read(&text, path, Syntax::Toml),
            Some((_, "json")) => front::read(&comments::blanked(&text), path, Syntax::Json),
            Some((_, "yml" | "yaml")) => front::read(&text, path, Syntax::Yaml),
            _ => (script::read(&text), Vec::new()),
        };
        for mut problem in problems.into_iter().chain(more) {
            problem.message = problem.message.replace("front matter", "configuration");
            problem.severity = Severity::Warning;
            problem.cause = Cause::Configuration;
            config.problems.push(problem);
        }
        config.settings.title = config
            .words(&front, keys.title)
            .filter(|title| !title.contains("{{"));
        config.settings.description = config.words(&front, keys.description);
        config.settings.author = config.words(&front, keys.author);
        config.language(&front, keys);
        config.address = address(&front, keys);
        config.content_folder(&front, keys);
        config.permalinks(&front, keys);
        config.excluded(&front, keys);
        config.collections(&front);
        config.defaults(&front);
        config.languages(&front);
        config.math = formulas::are_set_up(&text);
        (keys.more)(&mut config, &front);
        config
    }

    /// The folder of the file.
    pub fn folder(&self) -> &str {
        self.file.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Why a file is no part of the site, where the configuration lists the files of the site.
    pub fn leaves_out(&self, path: &str) -> Option<String> {
        let is_chosen =
            self.selections.is_empty() || self.selections.iter().any(|one| one.holds(path));
        (!is_chosen).then(|| format!("not among the files that `{}` lists", self.file))
    }

    /// Records the used values for the report.
    pub fn say(&mut self, key: &str, value: &str) {
        self.said
            .push((key.to_owned(), shorten(&one_line(value), 100)));
    }

    fn words(&mut self, front: &Front, keys: &[&str]) -> Option<String> {
        let (entry, text) = text(front, keys)?;
        let words = shorten(&plain(text), 300);
        if words.is_empty() {
            return None;
        }
        self.say(&entry.key.text, &words);
        Some(words)
    }

    fn language(&mut self, front: &Front, keys: &Keys) {
        let Some((entry, text)) = text(front, keys.language) else {
            return;
        };
        let key = &entry.key.text;
        // Values such as `en-US.UTF-8` name a language too.
        let (name, _) = text.split_once('.').unwrap_or((text, ""));
        self.settings.language = language::tag(name);
        match self.settings.language.clone() {
            Some(tag) => self.say(key, &tag),
            None => {
                let problem = Problem::warning(format!(
                    "`{key}` is not a language tag: `{}`",
                    shorten(text, 60)
                ));
                let problem = problem.at(&*self.file, entry.node.line, entry.node.column);
                self.problems.push(problem.cause(Cause::Configuration));
            }
        }
    }

    fn content_folder(&mut self, front: &Front, keys: &Keys) {
        self.content = keys.usual.map(str::to_owned);
        let Some((entry, folder)) = text(front, keys.content) else {
            return;
        };
        let folder = folder.trim_start_matches("./").trim_matches('/');
        if folder.is_empty() || folder == "." || folder.split('/').any(|part| part == "..") {
            return;
        }
        self.say(&entry.key.text, folder);
        self.content = Some(folder.to_owned());
    }

    fn excluded(&mut self, front: &Front, keys: &Keys) {
        for key in keys.exclude {
            let Some(entry) = front.get(key) else {
                continue;
            };
            let patterns = patterns(&entry.node);
            if patterns.is_empty() {
                continue;
            }
            for pattern in patterns.iter().take(MOST_ENTRIES) {
                let glob = if keys.regular {
                    Glob::of_expression(pattern)
                } else {
                    Glob::of(pattern)
                };
                if let Some(glob) = glob {
                    self.exclude.push(glob);
                    continue;
                }
                let problem = Problem::warning(format!(
                    "`{key}` is not understood: `{}`",
                    shorten(pattern, 60)
                ));
                let problem = problem.at(&*self.file, entry.node.line, entry.node.column);
                Problem::note_all(&mut self.problems, [problem.cause(Cause::Configuration)]);
            }
            self.say(key, &patterns.join(" "));
        }
    }

    fn languages(&mut self, front: &Front) {
        let Some(entry) = ["languages", "i18n.locales", "locales"]
            .into_iter()
            .find_map(|key| front.get(key))
        else {
            return;
        };
        let mut names: Vec<&str> = Vec::new();
        match &entry.node.value {
            Value::Map(entries) => {
                names.extend(entries.iter().map(|entry| entry.key.text.as_str()))
            }
            Value::List(items) => names.extend(items.iter().filter_map(Node::text)),
            Value::Scalar { .. } => return,
        }
        names.retain(|name| language::in_name(name).is_some());
        names.truncate(MOST_LANGUAGES);
        if !names.is_empty() {
            self.say("languages", &names.join(", "));
        }
        self.languages = names.into_iter().map(str::to_owned).collect();
    }

    /// Whether a path is excluded from the site. The last matching pattern decides.
    pub fn excludes(&self, path: &str) -> bool {
        let inner = self
            .content
            .as_deref()
            .and_then(|content| path.strip_prefix(content)?.strip_prefix('/'));
        self.is_excluded(path) || inner.is_some_and(|inner| self.is_excluded(inner))
    }

    fn is_excluded(&self, path: &str) -> bool {
        let last = self.exclude.iter().rfind(|glob| glob.fits(path));
        last.is_some_and(|glob| !glob.negated)
    }
}

/// The origin with the path below it.
fn address(front: &Front, keys: &Keys) -> Option<String> {
    let (_, origin) = text(front, keys.address)?;
    if !origin.starts_with("http") {
        return None;
    }
    let base = match text(front, keys.base) {
        Some((_, base)) if base.starts_with('/') && base.len() > 1 => base,
        _ => "",
    };
    Some(format!("{}{base}", origin.trim_end_matches('/')))
}

/// The patterns in a list, or in lines of text.
fn patterns(node: &Node) -> Vec<&str> {
    let mut patterns = Vec::new();
    for line in node
        .items()
        .iter()
        .filter_map(Node::text)
        .flat_map(str::lines)
    {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            patterns.push(line);
        }
    }
    patterns
}

/// The text of the first key that has one: its own, that of its name, or of its first item.
fn text<'f>(front: &'f Front, keys: &[&str]) -> Option<(&'f Entry, &'f str)> {
    keys.iter()
        .filter_map(|key| front.get(key))
        .find_map(|entry| {
            let node = &entry.node;
            let first = node.items().first().and_then(Node::text);
            Some((entry, node.text().or(text_of(node, "name")).or(first)?))
        })
}

/// The text of a key of a map.
fn text_of<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    node.get(key)?.node.text()
}

/// The items of a list.
fn items<'f>(front: &'f Front, key: &str) -> &'f [Node] {
    front.get(key).map_or(&[], |entry| entry.node.items())
}

/// The entries of a map.
fn entries(entry: Option<&Entry>) -> Option<&[Entry]> {
    match &entry?.node.value {
        Value::Map(entries) => Some(entries),
        Value::List(_) | Value::Scalar { .. } => None,
    }
}

#[cfg(test)]
mod tests;
