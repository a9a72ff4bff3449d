//! What another generator's configuration says about the folder: its title, its content folder, the addresses that its pages had, what is not part of
//! it. Read as data, never executed; whatever is broken in it is said, and the folder is read without it.

mod glob;
mod keys;
mod script;

pub(crate) use glob::Glob;
pub(crate) use keys::Keys;

use crate::model::language;
use crate::model::problem::Problem;
use crate::model::sources::SourceFile;
use crate::model::text::{decode, one_line, plain, shorten};
use crate::syntax::front::{self, Entry, Front, Node, Value};
use crate::syntax::settings::Settings;

/// The largest configuration that is read, in bytes.
const LARGEST: usize = 1_000_000;

/// What a configuration says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    /// The file; empty when there is none.
    pub file: String,
    /// What was taken from it, by its key: for the report.
    pub said: Vec<(String, String)>,
    /// The site's title, description, language and author.
    pub settings: Settings,
    /// Where it says that the site is: a hint, never taken without a word.
    pub address: Option<String>,
    /// The folder of the content.
    pub content: Option<String>,
    /// The addresses that texts had.
    pub permalinks: Vec<Permalink>,
    /// What is no part of the site, by paths from `base`.
    pub exclude: Vec<Glob>,
    /// Folders with `_` before their name that are part of it.
    pub open: Vec<String>,
    /// Front matter of many files at once.
    pub defaults: Vec<Defaults>,
    /// The languages of the site: names of folders, or suffixes.
    pub languages: Vec<String>,
    /// Whether formulas stand between single dollars.
    pub math: bool,
    pub problems: Vec<Problem>,
}

/// The pattern of the addresses that some texts had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permalink {
    /// Which texts: those below this folder of the content; `_posts` are the posts, and nothing is all.
    pub scope: String,
    pub pattern: String,
}

/// Front matter that a configuration gives to many files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Defaults {
    path: String,
    collection: Option<String>,
    values: Vec<Entry>,
}

impl Config {
    /// Reads a configuration by the keys of its kind.
    pub(crate) fn read(file: &SourceFile, keys: &Keys) -> Self {
        let path = &*file.path;
        let mut config = Self { file: path.to_owned(), ..Self::default() };
        if file.bytes.len() > LARGEST {
            config.problems.push(Problem::warning("the configuration is larger than 1 MB, and is not read").at(path, 0, 0));
            return config;
        }
        let (text, problems) = decode(&file.bytes, path);
        let suffix = path.rsplit_once('.').map_or("", |(_, suffix)| suffix);
        let (front, more) = match suffix {
            "toml" => front::read(&text, path, front::Syntax::Toml),
            "json" => front::read(&text, path, front::Syntax::Json),
            "yml" | "yaml" => front::read(&text, path, front::Syntax::Yaml),
            _ => (script::read(&text), Vec::new()),
        };
        config.problems.extend(problems.into_iter().chain(more).map(|mut problem| {
            problem.message = problem.message.replace("front matter", "configuration");
            problem.severity = crate::model::problem::Severity::Warning;
            problem
        }));
        config.take(&front, keys);
        config.math = math(&text);
        config
    }

    fn take(&mut self, front: &Front, keys: &Keys) {
        self.settings.title = self.words(front, keys.title).filter(|title| !title.contains("{{"));
        self.settings.description = self.words(front, keys.description);
        self.settings.author = self.words(front, keys.author);
        if let Some((key, text)) = text(front, keys.language) {
            // `en-US.UTF-8` and its like name a language too.
            match language::tag(text.split('.').next().unwrap_or_default()) {
                Some(tag) => {
                    self.say(&key.key.text, &tag);
                    self.settings.language = Some(tag);
                }
                None => self.problems.push(Problem::warning(format!("`{}` is not a language tag: `{}`", key.key.text, shorten(&text, 60))).at(
                    &*self.file,
                    key.node.line,
                    key.node.column,
                )),
            }
        }
        if let Some((_, origin)) = text(front, keys.address) {
            let base = text(front, keys.base).map(|(_, base)| base).filter(|base| base.starts_with('/') && base.len() > 1).unwrap_or_default();
            if origin.starts_with("http") {
                self.address = Some(format!("{}{base}", origin.trim_end_matches('/')));
            }
        }
        if let Some((entry, folder)) = text(front, keys.content) {
            let folder = folder.trim_start_matches("./").trim_matches('/').to_owned();
            if !folder.is_empty() && folder != "." && !folder.split('/').any(|part| part == "..") {
                self.say(&entry.key.text, &folder);
                self.content = Some(folder);
            }
        }
        self.content = self.content.take().or_else(|| keys.usual.map(str::to_owned));
        self.permalinks(front, keys);
        self.exclude(front, keys);
        self.collections(front);
        self.defaults(front);
        self.languages(front);
    }

    fn words(&mut self, front: &Front, keys: &[&str]) -> Option<String> {
        let (entry, text) = text(front, keys)?;
        let words = shorten(&plain(&text), 300);
        if words.is_empty() {
            return None;
        }
        let key = entry.key.text.clone();
        self.say(&key, &words);
        Some(words)
    }

    fn say(&mut self, key: &str, value: &str) {
        self.said.push((key.to_owned(), shorten(&one_line(value), 100)));
    }

    fn permalinks(&mut self, front: &Front, keys: &Keys) {
        if let Some((entry, pattern)) = text(front, keys.permalink) {
            let key = entry.key.text.clone();
            self.say(&key, &pattern);
            self.permalinks.push(Permalink { scope: "_posts".to_owned(), pattern });
        }
        // Hugo: `permalinks.posts`, `permalinks.page.posts`.
        let Some(Value::Map(entries)) = front.get("permalinks").map(|entry| &entry.node.value) else { return };
        let nested = entries.iter().filter(|entry| entry.key.text == "page").filter_map(|entry| match &entry.node.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        });
        let all: Vec<&Entry> = entries.iter().chain(nested.flatten()).take(1000).collect();
        for entry in all {
            let Some(pattern) = entry.node.text() else { continue };
            self.say(&format!("permalinks.{}", entry.key.text), pattern);
            self.permalinks.push(Permalink { scope: entry.key.text.trim_matches('/').to_owned(), pattern: pattern.to_owned() });
        }
    }

    fn exclude(&mut self, front: &Front, keys: &Keys) {
        for key in keys.exclude {
            let Some(entry) = front.get(key) else { continue };
            let mut patterns: Vec<&str> = Vec::new();
            for node in entry.node.items() {
                patterns.extend(node.text().unwrap_or_default().lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')));
            }
            if patterns.is_empty() {
                continue;
            }
            let shown = patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>().join(" ");
            for pattern in patterns.into_iter().take(1000) {
                match if keys.regular { Glob::of_expression(pattern) } else { Glob::of(pattern) } {
                    Some(glob) => self.exclude.push(glob),
                    None => {
                        let problem = Problem::warning(format!("`{key}` is not understood: `{}`", shorten(pattern, 60)));
                        Problem::note_all(&mut self.problems, [problem.at(&*self.file, entry.node.line, entry.node.column)]);
                    }
                }
            }
            self.say(key, &shown);
        }
    }

    /// Jekyll's collections with pages of their own, and folders that `include` names.
    fn collections(&mut self, front: &Front) {
        if let Some(Value::Map(entries)) = front.get("collections").map(|entry| &entry.node.value) {
            for entry in entries.iter().take(1000).filter(|entry| entry.node.get("output").and_then(|output| output.node.bool()) == Some(true)) {
                let name = &entry.key.text;
                self.open.push(format!("_{name}"));
                if let Some(pattern) = entry.node.get("permalink").and_then(|entry| entry.node.text()) {
                    self.permalinks.push(Permalink { scope: format!("_{name}"), pattern: pattern.replace(":collection", name) });
                }
                self.said.push((format!("collections.{name}"), "output".to_owned()));
            }
        }
        let include = front.get("include").into_iter().flat_map(|entry| entry.node.items()).filter_map(Node::text);
        self.open.extend(include.map(|name| name.trim_matches('/').to_owned()).filter(|name| name.starts_with('_')).take(1000));
    }

    /// Jekyll's `defaults: [{scope: {path, type}, values}]`.
    fn defaults(&mut self, front: &Front) {
        let items = front.get("defaults").into_iter().flat_map(|entry| entry.node.items()).take(1000);
        for item in items {
            let Some(Value::Map(values)) = item.get("values").map(|entry| &entry.node.value) else { continue };
            let scope = |key: &str| item.get("scope").and_then(|scope| scope.node.get(key)).and_then(|entry| entry.node.text()).map(str::to_owned);
            let path = scope("path").unwrap_or_default().trim_matches('/').to_owned();
            self.said.push(("defaults".to_owned(), if path.is_empty() { "everything".to_owned() } else { path.clone() }));
            self.defaults.push(Defaults { path, collection: scope("type"), values: values.clone() });
        }
        // The most specific counts.
        self.defaults.sort_by_key(|defaults| std::cmp::Reverse((defaults.path.len(), defaults.collection.is_some())));
    }

    fn languages(&mut self, front: &Front) {
        match front.get("languages").or_else(|| front.get("i18n.locales")).or_else(|| front.get("locales")).map(|entry| &entry.node.value) {
            Some(Value::Map(entries)) => self.languages.extend(entries.iter().map(|entry| entry.key.text.clone())),
            Some(Value::List(items)) => self.languages.extend(items.iter().filter_map(|item| item.text().map(str::to_owned))),
            _ => return,
        }
        self.languages.retain(|name| language::in_name(name).is_some());
        self.languages.truncate(500);
        if !self.languages.is_empty() {
            let names = self.languages.join(", ");
            self.say("languages", &names);
        }
    }

    /// Whether a path is no part of the site.
    pub(crate) fn excludes(&self, path: &str) -> bool {
        if self.exclude.is_empty() {
            return false;
        }
        let inner = self.content.as_deref().and_then(|content| path.strip_prefix(content)?.strip_prefix('/'));
        [Some(path), inner].into_iter().flatten().any(|path| {
            let mut out = false;
            for glob in &self.exclude {
                if glob.fits(path) {
                    out = !glob.negated;
                }
            }
            out
        })
    }

    /// Lays the front matter that the configuration gives a file under its own.
    pub(crate) fn fill(&self, path: &str, front: &mut Front) {
        for defaults in self.defaults.iter().filter(|defaults| defaults.fits(path)) {
            for entry in defaults.values.iter().take_while(|_| !crate::model::bounds::is_over()) {
                if front.get(&entry.key.text).is_none() && !matches!(entry.key.text.as_str(), "layout" | "title") {
                    front.entries.push(entry.clone());
                }
            }
        }
    }
}

impl Defaults {
    fn fits(&self, path: &str) -> bool {
        let below = self.path.is_empty() || path == self.path || path.strip_prefix(self.path.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let glob = || self.path.contains('*') && Glob::of(&self.path).is_some_and(|glob| glob.fits(path));
        let of = match self.collection.as_deref() {
            None | Some("") => true,
            Some("pages") => !path.split('/').any(|folder| folder.starts_with('_')),
            Some("drafts") => path.split('/').any(|folder| folder == "_drafts"),
            Some(name) => path.split('/').any(|folder| folder.strip_prefix('_') == Some(name)),
        };
        of && (below || glob())
    }
}

/// The first of some keys that has a text: its own, or its name's.
fn text<'f>(front: &'f Front, keys: &[&str]) -> Option<(&'f Entry, String)> {
    keys.iter().filter_map(|key| front.get(key)).find_map(|entry| {
        let name = || entry.node.get("name").and_then(|entry| entry.node.text());
        let first = || entry.node.items().first().and_then(Node::text);
        let text = entry.node.text().or_else(name).or_else(first)?;
        Some((entry, text.to_owned()))
    })
}

/// Whether a configuration sets up formulas between single dollars. `$$` and `\\(` are formulas everywhere.
fn math(text: &str) -> bool {
    let is_comment = |line: &str| line.trim_start().starts_with(['#', '/']);
    text.lines().filter(|line| !is_comment(line)).any(|line| {
        let line = line.to_ascii_lowercase();
        let on = [
            "remark-math",
            "arithmatex",
            "preprocessor.katex",
            "markdown-it-katex",
            "markdown-it-mathjax",
            "markdown-it-texmath",
            "'$', '$'",
            "\"$\", \"$\"",
            "'$','$'",
            "- - $",
            "- - \"$\"",
            "- - '$'",
            "\"$\",\"$\"",
        ];
        let yes = [
            "math: true",
            "katex: true",
            "mathjax: true",
            "math = true",
            "katex = true",
            "mathjax = true",
            "use_math: true",
            "math: katex",
            "math: mathjax",
        ];
        on.iter().chain(&yes).any(|word| line.contains(word)) && !line.contains("- - $$")
    })
}

#[cfg(test)]
mod tests;
