//! The front matter that the settings of Pelican give to texts: to all, to some paths, and by what
//! expressions find in paths. An article must have a title and a date, a page a title.

use super::super::python::{Settings, without_comments};
use super::texts::{OF_PATHS, Texts};
use crate::dialects::config::{
    Config, Defaults, Demand, Glob, PathMetadata, Test, UNKNOWN_STATE, Usual, literals,
    without_places,
};
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::Entry;

/// The front matter of all texts.
const METADATA: &str = "DEFAULT_METADATA";
/// The date of all texts.
const DATE: &str = "DEFAULT_DATE";
/// The expression for names of files, and the usual one.
const OF_NAMES: (&str, &str) = ("FILENAME_METADATA", r"(?P<date>\d{4}-\d{2}-\d{2}).*");
/// The expression for paths.
const OF_WHOLE_PATHS: &str = "PATH_METADATA";
/// The file that is named where another may have a setting.
const FILE: &str = "pelicanconf.py";
/// The key of the state of a text.
const STATUS: &str = "status";

/// Reads the front matter that the settings give to texts. What is more precise wins.
pub fn settle(settings: &Settings, texts: &Texts, config: &mut Config) {
    expressions(settings, &texts.content, config);
    if let Some((value, _)) = settings.value(OF_PATHS) {
        of_paths(config, &texts.content, value);
    }
    if let Some((value, file)) = settings.value(METADATA) {
        let entries = metadata(config, value, file);
        config.add_defaults(vec![Defaults::new(None, entries)]);
    }
    demands(settings, texts, config);
}

/// What a text must have.
fn demands(settings: &Settings, texts: &Texts, config: &mut Config) {
    let demand = |key: &str| Demand {
        key: key.to_owned(),
        test: Test::Given,
        is: true,
        usual: Usual::Nothing,
    };
    let all = texts.folders();
    let all = all
        .iter()
        .flat_map(|folder| Glob::parse_paths(folder, "**"));
    config.demands.push((all.collect(), vec![demand("title")]));
    let has_date = settings.value(DATE).is_some_and(|(value, _)| {
        let value = without_comments(value);
        !matches!(value.trim(), "None" | "''" | "\"\"" | "False")
    });
    if !has_date {
        let articles = texts.articles();
        config.demands.push((articles, vec![demand("date")]));
    }
}

/// The expressions that find front matter in paths.
fn expressions(settings: &Settings, content: &str, config: &mut Config) {
    let (of_names, usual) = OF_NAMES;
    let written = [(of_names, true, Some(usual)), (OF_WHOLE_PATHS, false, None)];
    for (key, is_of_name, usual) in written {
        let Some((value, file)) = settings.value(key) else {
            if settings.has(&[key]) {
                unread(config, key, "", FILE);
                continue;
            }
            let found = usual.and_then(|usual| PathMetadata::new(content, is_of_name, usual));
            config.path_metadata.extend(found);
            continue;
        };
        let literal = raw_literal(value);
        if literal == Some("") {
            continue;
        }
        let found = literal.and_then(|one| PathMetadata::new(content, is_of_name, one));
        if found.is_none() {
            unread(config, key, value, file);
        }
        config.path_metadata.extend(found);
    }
}

/// Reports an expression that is not read. If it may find states, nothing is published.
fn unread(config: &mut Config, key: &str, value: &str, file: &str) {
    let hint = "write it as one literal, without `(?=…)` and references to groups";
    let message = format!("`{key}` is not read");
    if value.contains("?P<") && !value.contains(STATUS) {
        let problem = Problem::warning(message).at(file, 0, 0).hint(hint);
        config.problems.push(problem.cause(Cause::Configuration));
        return;
    }
    let problem = Problem::error(format!("{message}, so nothing of the site is published"));
    config.withhold_for(problem.at(file, 0, 0).hint(hint), UNKNOWN_STATE);
}

/// The text of a literal in which `\` has no meaning, or that has none.
fn raw_literal(value: &str) -> Option<&str> {
    let value = value.lines().next()?.trim();
    let is_raw = value.starts_with(['r', 'R']);
    let value = value.trim_start_matches(['r', 'R', 'u']);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (text, rest) = value[1..].split_once(quote)?;
    let rest = rest.trim_start();
    let is_whole = rest.is_empty() || rest.starts_with('#');
    // Python keeps a `\` before `d` and its like.
    (is_whole && (is_raw || !text.contains("\\\\"))).then_some(text)
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
        config.problems.push(is_computed(state, file));
        entries.push(Entry::plain(STATUS, state, 0, 0));
    }
    entries
}

fn is_computed(state: &str, file: &str) -> Problem {
    let message = format!("`{METADATA}` is not read whole: a program computes it");
    let hint = format!("write `{METADATA} = {{'{STATUS}': '{state}'}}`");
    let problem = Problem::warning(message).at(file, 0, 0);
    problem.hint(hint).cause(Cause::Configuration)
}

/// `{'drafts': {'status': 'draft'}}`: front matter of paths below the folder of the texts. That of the
/// longest path wins.
fn of_paths(config: &mut Config, content: &str, value: &str) {
    let mut given: Vec<(String, Entry)> = Vec::new();
    let entries = literals(&without_comments(value)).entries;
    if config.is_too_long("EXTRA_PATH_METADATA", entries.len(), (0, 0)) {
        return;
    }
    for mut entry in entries {
        if let Some((path, key)) = entry.key.text.rsplit_once('.') {
            let path = path.trim_end_matches('/').to_owned();
            entry.key.text = key.to_owned();
            given.push((path, entry));
        }
    }
    given.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    for (path, entry) in given {
        let mut values = vec![entry];
        without_places(&mut values);
        let globs = [path.clone(), format!("{path}/**")];
        let globs = globs
            .iter()
            .flat_map(|path| Glob::parse_paths(content, path));
        let given = globs.map(|glob| Defaults::new(Some(glob), values.clone()));
        config.add_defaults(given.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_one_literal() {
        for (value, expected) in [
            (r"r'(?P<date>\d{4}).*'  # dates", Some(r"(?P<date>\d{4}).*")),
            (r#""(?P<slug>.*)""#, Some("(?P<slug>.*)")),
            ("''", Some("")),
            ("'a' + X", None),
            ("X", None),
            (r"'a\\d'", None),
        ] {
            assert_eq!(raw_literal(value), expected, "{value}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_settings_panic(text in "(A|=| |\\{|\\}|\\(|\\)|'|\"|#|\n|é|status|draft|: |,|\\.){0,40}") {
            metadata(&mut Config::default(), &text, "a.py");
            of_paths(&mut Config::default(), "content", &text);
            raw_literal(&text);
        }
    }
}
