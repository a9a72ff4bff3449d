//! The settings of Pelican, `pelicanconf.py`: a program, of which literals are read. Its texts are
//! those of a plain folder.

use crate::dialects::config::{Config, Defaults, Glob, MOST_EXCLUDED, literals};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope, folder_path};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::model::text::decode;
use crate::syntax::front::{Entry, Node};

/// The settings of the author's machine, and those of the public site, which have priority.
const FILES: [&str; 2] = ["publishconf.py", "pelicanconf.py"];
/// The front matter of all texts.
const METADATA: &str = "DEFAULT_METADATA";
/// That of some paths.
const OF_PATHS: &str = "EXTRA_PATH_METADATA";
/// The key of the state of a text.
const STATUS: &str = "status";
/// The largest file of settings, in bytes.
const LARGEST: usize = 1_000_000;

/// Whether the folder belongs to Pelican.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    evidence.file(FILES[1]).is_some()
}

/// The files of settings, as texts.
struct Settings {
    texts: Vec<(String, String)>,
}

impl Settings {
    fn of(evidence: &Evidence<'_>) -> Option<Self> {
        if !is_one(evidence) {
            return None;
        }
        let files = FILES.iter().filter_map(|path| evidence.file(path));
        let files = files.filter(|file| file.bytes.len() <= LARGEST);
        let texts = files.map(|file| {
            let (text, _) = decode(&file.bytes, &file.path);
            (file.path.to_string(), text.into_owned())
        });
        Some(Self {
            texts: texts.collect(),
        })
    }

    /// The value of a name as it is written, and its file.
    fn value(&self, name: &str) -> Option<(&str, &str)> {
        let mut files = self.texts.iter();
        files.find_map(|(path, text)| Some((assigned(text, name)?, path.as_str())))
    }

    /// The literals of a list, or the only literal.
    fn texts(&self, name: &str) -> Option<Vec<String>> {
        let (value, _) = self.value(name)?;
        let value = value.trim_matches(['(', ')', '[', ']']);
        let front = literals(&format!("({{ v: [{value}] }})"));
        let listed = front.get("v").map(|entry| entry.node.items());
        let listed = listed.unwrap_or_default().iter().filter_map(Node::text);
        Some(listed.map(str::to_owned).collect())
    }

    /// The folder of the texts.
    fn content(&self) -> String {
        let named = self.texts("PATH").unwrap_or_default();
        let named = named.first().and_then(|path| folder_path(path));
        named.unwrap_or_default()
    }
}

/// What is behind the last `NAME =` at the beginning of a line, up to the end of that statement.
fn assigned<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut found = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let behind = line.strip_prefix(name).map(str::trim_start);
        let value = behind.and_then(|rest| rest.strip_prefix('='));
        if let Some(value) = value.filter(|value| !value.starts_with('=')) {
            found = Some(at + line.len() - value.len());
        }
        at += line.len();
    }
    let value = &text[found?..];
    Some(value[..end_of_statement(value)].trim())
}

/// The end of a statement: that of its line, outside brackets.
fn end_of_statement(text: &str) -> usize {
    let (mut depth, mut quote, mut is_comment) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (_, '\n') if depth == 0 => return at,
            (_, '\n') => (quote, is_comment) = (None, false),
            _ if is_comment => {}
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => is_comment = true,
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    text.len()
}

/// Lines of a program without their comments.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut quote = None;
        let comment = line.find(|c| {
            match (quote, c) {
                (Some(open), c) if open == c => quote = None,
                (None, '"' | '\'') => quote = Some(c),
                _ => {}
            }
            c == '#' && quote.is_none()
        });
        &line[..comment.unwrap_or(line.len())]
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the front matter that the settings give to texts.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(settings) = Settings::of(evidence) else {
        return;
    };
    if let Some((value, file)) = settings.value(METADATA) {
        let entries = metadata(config, value, file);
        config.add_defaults(vec![Defaults::of(None, entries)]);
    }
    if let Some((value, _)) = settings.value(OF_PATHS) {
        of_paths(config, &settings.content(), value);
    }
}

/// The front matter of all texts. Of a program that names a state, the state counts.
fn metadata(config: &mut Config, value: &str, file: &str) -> Vec<Entry> {
    let value = without_comments(value);
    let mut entries = literals(&value).entries;
    unplaced(&mut entries);
    let has_status = entries.iter().any(|entry| entry.key.text == STATUS);
    let state = ["draft", "hidden", "skip"].into_iter();
    let state = state.filter(|state| value.contains(*state)).next();
    if let Some(state) = state.filter(|_| !has_status && value.contains(STATUS)) {
        let message = format!("`{METADATA}` is not read whole: a program computes it");
        let hint = format!("write `{METADATA} = {{'{STATUS}': '{state}'}}`");
        let problem = Problem::warning(message).at(file, 0, 0).hint(hint);
        config.problems.push(problem.cause(Cause::Configuration));
        let key = Node::plain(STATUS, 0, 0).into_key();
        let node = Node::plain(state, 0, 0);
        entries.push(Entry { key, node });
    }
    entries
}

/// `{'drafts': {'status': 'draft'}}`: the states of paths below the folder of the texts.
fn of_paths(config: &mut Config, content: &str, value: &str) {
    let entries = literals(&without_comments(value)).entries;
    for mut entry in entries.into_iter().take(MOST_EXCLUDED) {
        let Some(path) = entry.key.text.strip_suffix(".status").map(str::to_owned) else {
            continue;
        };
        STATUS.clone_into(&mut entry.key.text);
        let mut values = vec![entry];
        unplaced(&mut values);
        let path = path.trim_end_matches('/');
        let globs = [path.to_owned(), format!("{path}/**")];
        let globs = globs.iter().flat_map(|path| Glob::of_paths(content, path));
        let given = globs.map(|glob| Defaults::of(Some(glob), values.clone()));
        config.add_defaults(given.collect());
    }
}

/// Removes the places of values: they are in another file than the text.
fn unplaced(entries: &mut [Entry]) {
    for entry in entries {
        (entry.key.line, entry.node.line, entry.node.column) = (0, 0, 0);
    }
}

/// The folder of the texts, without what the settings leave out.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(settings) = Settings::of(project.evidence) else {
        return Scope::default();
    };
    let content = settings.content();
    let below = |path: &str| inside_or_folder(&content, path.trim_matches('/'));
    let pages = settings.texts("PAGE_PATHS");
    let pages = pages.unwrap_or_else(|| vec!["pages".to_owned()]);
    let articles = settings.texts("ARTICLE_PATHS").unwrap_or_default();
    let is_whole =
        articles.is_empty() || articles.iter().any(|path| path.is_empty() || path == ".");
    let mut scope = match is_whole {
        true => Scope::of(vec![content.clone()], &[]),
        false => {
            let folders = articles.iter().chain(&pages).map(|path| below(path));
            let statics = settings.texts("STATIC_PATHS");
            let statics = statics.unwrap_or_else(|| vec!["images".to_owned()]);
            let copied = statics.iter().map(|path| Copied {
                folder: below(path),
                site: path.trim_matches('/').to_owned(),
            });
            Scope {
                copied: copied.collect(),
                ..Scope::of(folders.collect(), &[])
            }
        }
    };
    let left_out = settings.texts("ARTICLE_EXCLUDES").unwrap_or_default();
    let page_folders = pages.iter().map(|path| below(path)).collect::<Vec<_>>();
    let left_out = left_out.iter().map(|path| below(path));
    let left_out = left_out.filter(|path| !path.is_empty() && !page_folders.contains(path));
    let texts = left_out.flat_map(|path| Glob::of_paths(&path, "**"));
    scope.excluded_texts = texts.take(MOST_EXCLUDED).collect();
    let ignored = settings.texts("IGNORE_FILES").unwrap_or_default();
    let ignored = ignored.iter().filter_map(|pattern| Glob::of(pattern));
    scope.excluded = ignored.take(MOST_EXCLUDED).collect();
    scope.by = FILES[1].to_owned();
    scope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_ends_outside_brackets() {
        let text =
            "X = 1\nPATH = 'content' # x\nPATHS = {\n  'a': '}', # }\n  'b': [1]\n}\nY == 2\n";
        assert_eq!(assigned(text, "PATH"), Some("'content' # x"));
        assert_eq!(
            assigned(text, "PATHS"),
            Some("{\n  'a': '}', # }\n  'b': [1]\n}")
        );
        assert_eq!(assigned(text, "Y"), None);
        assert_eq!(assigned("A = 1\nA = 2", "A"), Some("2"));
    }

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "(A|=| |\\{|\\}|\\(|\\)|'|\"|#|\n|é|status|draft|: |,){0,40}") {
            assigned(&text, "A");
            without_comments(&text);
            metadata(&mut Config::default(), &text, "a.py");
            of_paths(&mut Config::default(), "content", &text);
        }
    }
}
