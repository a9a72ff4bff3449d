//! A book of bookdown, in R Markdown: `_bookdown.yml`, and the front matter of its first text.

use super::texts_of;
use crate::dialects::config::{Config, Glob};
use crate::dialects::evidence::Evidence;
use crate::dialects::knitr::echo_of_all;
use crate::dialects::scope::{Listed, Project, Scope};
use crate::model::text::decode;
use crate::syntax::front::{Front, split};

/// The configuration.
pub const FILE: &str = "_bookdown.yml";
/// The first text, with the title of the book.
const FIRST: &str = "index.Rmd";

/// The scripts that run before each chapter, if the configuration names none.
const SCRIPT: &str = "_common.R";
/// The suffixes of R Markdown.
const SUFFIXES: &str = "{Rmd,rmd,RMD}";

/// The chapters: those that `rmd_files` lists, in a list or in one for each format, and those in the
/// folders of `rmd_subdir`; without a list the texts in R Markdown beside the configuration, too.
pub fn scope(project: &Project<'_>, scope: &mut Scope) {
    let listed = ["rmd_files", "rmd_files.html"].map(|key| texts_of(&project.front, key));
    let listed = listed.concat();
    let listed: Vec<&str> = listed
        .iter()
        .map(|path| path.trim_start_matches("./"))
        .collect();
    let mut patterns: Vec<String> = Vec::new();
    match project.front.bool(&["rmd_subdir"]) {
        Some(true) => patterns.push(format!("**/*.{SUFFIXES}")),
        Some(false) => {}
        None => {
            for folder in texts_of(&project.front, "rmd_subdir") {
                patterns.push(format!("{folder}/**/*.{SUFFIXES}"));
            }
        }
    }
    if patterns.is_empty() && !listed.is_empty() {
        scope.listed = Some(Listed {
            by: project.config.file.clone(),
            texts: listed.into_iter().map(str::to_owned).collect(),
        });
        return;
    }
    if listed.is_empty() {
        patterns.push(format!("*.{SUFFIXES}"));
    }
    let patterns = patterns.iter().map(String::as_str).chain(listed);
    let globs = patterns.flat_map(|pattern| Glob::parse_paths("", pattern));
    scope.rendered = globs.collect();
}

/// The title and the description of the book.
pub fn describe(evidence: &Evidence<'_>, config: &mut Config) {
    let Some(file) = evidence.file(FIRST) else {
        return;
    };
    let (text, _) = decode(&file.bytes, &file.path);
    let front = split(&text, &file.path).front;
    config.settings.title = config.words(&front, &["title"]);
    config.settings.description = config.words(&front, &["description"]);
}

/// Whether cells show their code in all chapters, as the first text or a script says: chapters are run
/// as one text, unless each has a session of its own.
pub fn echo(evidence: &Evidence<'_>, front: &Front) -> Option<String> {
    if front.bool(&["new_session"]) == Some(true) {
        return None;
    }
    let named = texts_of(front, "before_chapter_script");
    let scripts = named.iter().map(String::as_str);
    [FIRST, SCRIPT].into_iter().chain(scripts).find_map(|path| {
        let file = evidence.file(path)?;
        echo_of_all(&decode(&file.bytes, &file.path).0)
    })
}
