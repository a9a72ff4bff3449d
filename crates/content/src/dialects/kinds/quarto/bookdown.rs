//! A book of bookdown, in R Markdown: `_bookdown.yml`, and the front matter of its first text.

use super::texts_of;
use crate::dialects::config::{Config, Glob};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::{Listed, Project, Scope};
use crate::model::text::decode;
use crate::syntax::front::split;

/// The configuration.
pub const FILE: &str = "_bookdown.yml";
/// The first text, with the title of the book.
const FIRST: &str = "index.Rmd";

/// The chapters: those that `rmd_files` lists, in a list or in one for each format; else the texts in R
/// Markdown beside the configuration, or also in folders.
pub fn scope(project: &Project<'_>, scope: &mut Scope) {
    let listed = ["rmd_files", "rmd_files.html"].map(|key| texts_of(&project.front, key));
    let listed = listed.concat();
    if !listed.is_empty() {
        scope.listed = Some(Listed {
            by: project.config.file.clone(),
            texts: listed.into_iter().collect(),
        });
        return;
    }
    let is_deep = project.front.bool(&["rmd_subdir"]) == Some(true);
    let folders = texts_of(&project.front, "rmd_subdir");
    let below = folders
        .iter()
        .map(|folder| format!("{folder}/**/*.{{Rmd,rmd}}"));
    let mut patterns: Vec<String> = below.collect();
    patterns.push(match is_deep {
        true => "**/*.{Rmd,rmd}".to_owned(),
        false => "*.{Rmd,rmd}".to_owned(),
    });
    let globs = patterns
        .iter()
        .flat_map(|pattern| Glob::parse_paths("", pattern));
    scope.rendered = globs.collect();
}

/// The title and the description of the book.
pub fn settle(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(file) = evidence.file(FIRST) else {
        return;
    };
    let (text, _) = decode(&file.bytes, &file.path);
    let front = split(&text, &file.path).front;
    config.settings.title = config.words(&front, &["title"]);
    config.settings.description = config.words(&front, &["description"]);
}
