//! A book of bookdown, in R Markdown: `_bookdown.yml`, and the front matter of its first text.

use super::MOST_CHAPTERS;
use crate::dialects::attributes::heading_parts;
use crate::dialects::config::{Config, Glob, Label, QuartoValues};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::knitr::{echo_of_all, without_part};
use crate::dialects::lines::Lines;
use crate::dialects::scan::{heading, scan};
use crate::dialects::scope::{Listed, Project, Scope};
use crate::model::format::has_cells;
use crate::model::text::{decode, plain};
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
    let listed = listed(&project.front);
    let mut patterns: Vec<String> = Vec::new();
    match project.front.bool(&["rmd_subdir"]) {
        Some(true) => patterns.push(format!("**/*.{SUFFIXES}")),
        Some(false) => {}
        None => {
            for folder in project.front.texts("rmd_subdir") {
                patterns.push(format!("{folder}/**/*.{SUFFIXES}"));
            }
        }
    }
    if patterns.is_empty() && !listed.is_empty() {
        scope.listed = Some(Listed {
            by: project.config.file.clone(),
            texts: listed.into_iter().collect(),
        });
        return;
    }
    if listed.is_empty() {
        patterns.push(format!("*.{SUFFIXES}"));
    }
    let patterns = patterns.iter().chain(&listed);
    let globs = patterns.flat_map(|pattern| Glob::parse_paths("", pattern));
    scope.rendered = globs.collect();
}

/// The texts that `rmd_files` lists.
fn listed(front: &Front) -> Vec<String> {
    let mut listed = Vec::new();
    for key in ["rmd_files", "rmd_files.html"] {
        for path in front.texts(key) {
            listed.push(path.trim_start_matches("./").to_owned());
        }
    }
    listed
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

/// Adds what one chapter says for all, and what references in one lead to in others.
pub fn add_values(evidence: &Evidence<'_>, front: &Front, values: &mut QuartoValues) {
    if let Some(echo) = echo(evidence, front) {
        let key = "knitr.opts_chunk.echo".to_owned();
        values.meta.push((key, echo));
    }
    values.labels = sections(evidence, front);
}

/// Whether cells show their code in all chapters, as the first text or a script says: chapters are run
/// as one text, unless each has a session of its own.
fn echo(evidence: &Evidence<'_>, front: &Front) -> Option<String> {
    if front.bool(&["new_session"]) == Some(true) {
        return None;
    }
    let scripts = front.texts("before_chapter_script");
    [FIRST, SCRIPT].into_iter().chain(scripts).find_map(|path| {
        let file = evidence.file(path)?;
        echo_of_all(&decode(&file.bytes, &file.path).0)
    })
}

/// The titles of all sections of the chapters, by the ids that references name.
fn sections(evidence: &Evidence<'_>, front: &Front) -> Vec<(String, String, Label)> {
    let listed = listed(front);
    let mut sections = Vec::new();
    let is_chapter = |path: &str| match listed.is_empty() {
        true => has_cells(path),
        false => listed.iter().any(|one| one == path),
    };
    let files = evidence.all().iter();
    let chapters = files.filter(|file| is_chapter(&file.path));
    for file in chapters.take(MOST_CHAPTERS) {
        let (text, _) = decode(&file.bytes, &file.path);
        let lines = Lines::new(split(&text, &file.path).body);
        for line in scan(&lines.text, &lines.literals()) {
            if let Some((_, words)) = heading(&line) {
                sections.push(section(words, &file.path));
            }
        }
    }
    sections.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    sections
}

/// The id of a heading, with its text and its title.
fn section(words: &str, path: &str) -> (String, String, Label) {
    let (title, found) = heading_parts(words);
    let title = plain(without_part(title));
    let id = match found.and_then(|found| found.id) {
        Some(id) => id.to_owned(),
        None => (heading_ids::PANDOC.slug)(&title),
    };
    let label = Label {
        words: title,
        number: String::new(),
        title: true,
    };
    (id, path.to_owned(), label)
}
