//! What programs compute from the data of a text that decides whether it is published.

use std::collections::BTreeMap;

use super::Given;
use crate::dialects::{Config, Preprocessor, is_false};
use crate::model::problem::{Cause, Problem};
use crate::syntax::front::Front;

/// Why programs withhold a text with this data, else the numbers of the functions of which it is
/// not known whether they leave it out. `given`: what gave it data.
pub fn read<'g>(
    path: &str,
    data: &Front,
    config: &Config,
    mut given: impl Iterator<Item = &'g Given>,
) -> Result<Vec<usize>, String> {
    const KEYS: [&str; 2] = ["eleventyComputed.permalink", "permalink"];
    let entries = KEYS.iter().filter_map(|key| data.get(key));
    // A literal has been read before.
    let mut entries = entries.filter(|entry| entry.node.bool().is_none());
    if let Some(entry) = entries.find(|entry| is_false(&entry.node, data, config) == Some(true)) {
        let by = given.find(|given| given.entries.contains(entry));
        let by = by.map_or("", |given| &given.by);
        return Err(format!("draft: `{by}` computes that it is not written"));
    }
    let mut unknown = Vec::new();
    let all = config.preprocessors.iter().enumerate();
    for (at, function) in all.filter(|(_, function)| function.is_for(path)) {
        match is_false(&function.result, data, config) {
            Some(true) => {
                let Preprocessor { name, place, .. } = function;
                return Err(format!("draft: `{name}` of `{}` leaves it out", place.path));
            }
            Some(false) => {}
            None => unknown.push(at),
        }
    }
    Ok(unknown)
}

/// The problems of functions that may leave out texts, by their numbers, with these texts.
pub fn problems(unknown: &BTreeMap<usize, Vec<&str>>, config: &Config) -> Vec<Problem> {
    const NAMED: usize = 3;
    let problems = unknown.iter().map(|(at, texts)| {
        let Preprocessor { name, place, .. } = &config.preprocessors[*at];
        let named: Vec<String> = texts
            .iter()
            .take(NAMED)
            .map(|text| format!("`{text}`"))
            .collect();
        let more = if texts.len() > NAMED { " …" } else { "" };
        let message = format!(
            "`addPreprocessor` is not read whole: `{name}` may leave out texts that are published"
        );
        let hint = format!(
            "write `draft: true` in those that it leaves out; it is not known of {}{more}",
            named.join(", ")
        );
        Problem::error(message)
            .at(&*place.path, place.line, place.column)
            .cause(Cause::Configuration)
            .hint(hint)
    });
    problems.collect()
}
