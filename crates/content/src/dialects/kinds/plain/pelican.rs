//! The settings of Pelican, `pelicanconf.py`: a program, of which literals are read. Its texts are
//! those of a plain folder.

use super::python::{Settings, without_comments};
use crate::dialects::config::{
    Config, Defaults, Glob, Keys, MOST_EXCLUDED, literals, without_places,
};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Copied, Project, Scope};
use crate::model::path::inside_or_folder;
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::Entry;

/// The settings of the author's machine, and those of the public site, which have priority.
const FILES: [&str; 2] = ["publishconf.py", "pelicanconf.py"];
/// The front matter of all texts.
const METADATA: &str = "DEFAULT_METADATA";
/// That of some paths.
const OF_PATHS: &str = "EXTRA_PATH_METADATA";
/// The lists of what is left out.
const EXCLUDED: [&str; 2] = ["ARTICLE_EXCLUDES", "IGNORE_FILES"];
/// The key of the state of a text.
const STATUS: &str = "status";

/// The names of what every site has.
pub const KEYS: Keys = Keys {
    title: &["SITENAME"],
    description: &["SITESUBTITLE"],
    author: &["AUTHOR"],
    language: &["DEFAULT_LANG"],
    address: &["SITEURL"],
    zone: &["TIMEZONE"],
    ..Keys::NONE
};

/// Whether the folder belongs to Pelican.
pub fn is_one(evidence: &Evidence<'_>) -> bool {
    evidence.file(FILES[1]).is_some()
}

pub fn settings(evidence: &Evidence<'_>) -> Option<Settings> {
    is_one(evidence).then(|| Settings::read(evidence, &FILES))
}

/// Reads the front matter that the settings give to texts.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(settings) = settings(evidence) else {
        return;
    };
    if let Some((value, file)) = settings.value(METADATA) {
        let entries = metadata(config, value, file);
        config.add_defaults(vec![Defaults::new(None, entries)]);
    }
    if let Some((value, _)) = settings.value(OF_PATHS) {
        of_paths(config, &settings.folder("PATH"), value);
    }
    let problems = EXCLUDED.iter().filter_map(|name| settings.problem(name));
    config.problems.extend(problems);
}

/// The front matter of all texts. Of a program that names a state, the state counts.
fn metadata(config: &mut Config, value: &str, file: &str) -> Vec<Entry> {
    let value = without_comments(value);
    let mut entries = literals(&value).entries;
    without_places(&mut entries);
    let has_status = entries.iter().any(|entry| entry.key.text == STATUS);
    let mut states = ["draft", "hidden", "skip"].into_iter();
    let state = states.find(|state| value.contains(*state));
    if let Some(state) = state.filter(|_| !has_status && value.contains(STATUS)) {
        let message = format!("`{METADATA}` is not read whole: a program computes it");
        let hint = format!("write `{METADATA} = {{'{STATUS}': '{state}'}}`");
        let problem = Problem::warning(message).at(file, 0, 0).hint(hint);
        config.problems.push(problem.cause(Cause::Configuration));
        entries.push(Entry::plain(STATUS, state, 0, 0));
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
        without_places(&mut values);
        let path = path.trim_end_matches('/');
        let globs = [path.to_owned(), format!("{path}/**")];
        let globs = globs
            .iter()
            .flat_map(|path| Glob::parse_paths(content, path));
        let given = globs.map(|glob| Defaults::new(Some(glob), values.clone()));
        config.add_defaults(given.collect());
    }
}

/// The folder of the texts, without what the settings leave out.
pub fn scope(project: &Project<'_>) -> Scope {
    let Some(settings) = settings(project.evidence) else {
        return Scope::default();
    };
    let content = settings.folder("PATH");
    let below = |path: &str| inside_or_folder(&content, path.trim_matches('/'));
    let pages = settings.texts("PAGE_PATHS");
    let pages = pages.unwrap_or_else(|| vec!["pages".to_owned()]);
    let articles = settings.texts("ARTICLE_PATHS").unwrap_or_default();
    let is_whole =
        articles.is_empty() || articles.iter().any(|path| path.is_empty() || path == ".");
    let mut scope = match is_whole {
        true => Scope::new(vec![content.clone()], &[]),
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
                ..Scope::new(folders.collect(), &[])
            }
        }
    };
    let left_out = settings.excluded(EXCLUDED[0]);
    let page_folders = pages.iter().map(|path| below(path)).collect::<Vec<_>>();
    let left_out = left_out.iter().map(|path| below(path));
    let left_out = left_out.filter(|path| !path.is_empty() && !page_folders.contains(path));
    let texts = left_out.flat_map(|path| Glob::parse_paths(&path, "**"));
    scope.excluded_texts = texts.take(MOST_EXCLUDED).collect();
    let ignored = settings.excluded(EXCLUDED[1]);
    let ignored = ignored.iter().filter_map(|pattern| Glob::parse(pattern));
    scope.excluded = ignored.take(MOST_EXCLUDED).collect();
    scope.by = FILES[1].to_owned();
    scope
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "(A|=| |\\{|\\}|\\(|\\)|'|\"|#|\n|é|status|draft|: |,){0,40}") {
            metadata(&mut Config::default(), &text, "a.py");
            of_paths(&mut Config::default(), "content", &text);
        }
    }
}
