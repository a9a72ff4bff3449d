//! Explains how one file is read, decision by decision, each with its reason.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;

use super::{
    article::Kind,
    candidate::{Candidate, Metadata},
    classify::{Area, Plan, Role},
    files,
    linking::{self, Links},
    parse::Parsed,
    paths::below,
    publication::{self, Publication},
    publish::Outcome,
    visibility::Visibility,
};
use crate::model::{format::Format, problem::Problem, site::Site, sources::Sources, text::shorten};
use crate::syntax::front::Syntax;

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The subject: `title`, `date`.
    pub what: &'static str,
    /// The outcome.
    pub value: String,
    /// The reason; may be empty.
    pub why: String,
}

/// How one file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The file, relative to the folder.
    pub path: String,
    /// The outcome of the file in one line.
    pub outcome: String,
    /// The decisions in their order.
    pub steps: Vec<Step>,
    /// What the author should fix in this file.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.outcome)?;
        for step in &self.steps {
            write!(f, "\n  {:<12} {}", step.what, step.value)?;
            if !step.why.is_empty() {
                write!(f, " ({})", step.why)?;
            }
        }
        for problem in &self.problems {
            write!(f, "\n{problem}")?;
        }
        Ok(())
    }
}

/// Follows one file through every decision. `path` is relative to the folder.
pub fn explain(sources: &Sources, site: &Site, now: Timestamp, path: &str) -> Explanation {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut explanation = Explanation {
        path: path.to_owned(),
        ..Explanation::default()
    };
    let Some(at) = files::position(sources, path) else {
        explanation.outcome = missing(sources, path);
        return explanation;
    };
    let publication = Publication::build(sources, site, now, &publication::Memos::default());
    explanation.add_folder(&publication);
    explanation.add_role(&publication.plan.roles[at], &publication.outcomes[at]);
    if let Some(parsed) = &publication.parsed[at] {
        explanation.add_front(parsed);
    }
    explanation.add_candidate(&publication, at);
    explanation.add_problems_of_its_path(&publication);
    explanation.problems.sort();
    explanation.problems.dedup();
    explanation
}

/// Why no file was read at a path.
fn missing(sources: &Sources, path: &str) -> String {
    for unread in &sources.unread {
        if unread.path == path || below(path, &unread.path).is_some() {
            return format!("not read: {}", unread.reason);
        }
    }
    if path.split('/').any(|part| part.starts_with('.')) {
        return "not read: hidden".to_owned();
    }
    "the folder has no such file".to_owned()
}

fn outcome_in_words(outcome: &Outcome, role: &Role) -> String {
    match (outcome, role) {
        (Outcome::Published, Role::File(path)) => format!("published at `{path}`"),
        (Outcome::Published, _) => "published".to_owned(),
        (Outcome::Skipped(reason), _) => format!("skipped: {reason}"),
        (Outcome::SetAside(reason), _) => format!("set aside: {reason}"),
    }
}

impl Explanation {
    fn add(&mut self, what: &'static str, value: impl Into<String>, why: impl Into<String>) {
        self.steps.push(Step {
            what,
            value: value.into(),
            why: why.into(),
        });
    }

    fn add_folder(&mut self, publication: &Publication<'_>) {
        let Plan {
            kind,
            articles,
            reason,
            ..
        } = &publication.plan;
        self.add("folder", kind.dialect.name, kind.evidence.as_str());
        let articles = if articles.is_empty() {
            "the root".to_owned()
        } else {
            format!("`{articles}/`")
        };
        self.add("articles", articles, reason.as_str());
    }

    fn add_role(&mut self, role: &Role, outcome: &Outcome) {
        self.outcome = outcome_in_words(outcome, role);
        match role {
            Role::Text { format, area, .. } => {
                let value = match format {
                    Format::Html => "a text in HTML",
                    Format::Markdown => "a text in Markdown",
                };
                let why = match area {
                    Area::Articles => "it is in the articles folder",
                    Area::Pages => "it is outside the articles folder, so it is a page",
                    Area::Home => "it is the content of the home page",
                    Area::NotFound => "it is the text for missing addresses",
                };
                self.add("role", value, why);
            }
            Role::File(path) => self.add(
                "role",
                format!("a file, published unchanged at `{path}`"),
                "its suffix is one that browsers want",
            ),
            Role::Skip(reason) | Role::Unlinked(reason) | Role::SetAside(_, reason) => {
                self.add("role", "nothing to publish", reason.as_str())
            }
        }
    }

    fn add_front(&mut self, parsed: &Parsed) {
        self.problems.extend_from_slice(&parsed.problems);
        let syntax = match parsed.front.syntax {
            Syntax::None => "none",
            Syntax::Yaml => "YAML",
            Syntax::Toml => "TOML",
            Syntax::Json => "JSON",
            Syntax::Program => "JavaScript",
            Syntax::Unknown => "a language that is not read",
            Syntax::Header => "lines `Key: value`",
        };
        let keys: Vec<String> = parsed
            .front
            .entries
            .iter()
            .map(|entry| format!("`{}`", entry.key.text))
            .collect();
        self.add("front matter", syntax, keys.join(", "));
        if !parsed.unknown_tags.is_empty() {
            let tags: Vec<String> = parsed
                .unknown_tags
                .iter()
                .map(|(name, count)| match count {
                    1 => format!("`{name}` once"),
                    _ => format!("`{name}` {count} times"),
                })
                .collect();
            self.add(
                "tags dropped",
                tags.join(", "),
                "unknown; the text between them stays",
            );
        }
    }

    fn add_candidate(&mut self, publication: &Publication<'_>, file: usize) {
        let candidates = &publication.candidates;
        let Some(number) = candidates
            .iter()
            .position(|candidate| candidate.file == file)
        else {
            return;
        };
        let candidate = &candidates[number];
        self.add_metadata(candidate);
        self.problems.extend_from_slice(&candidate.problems);
        self.add_links(publication, number, candidate);
    }

    /// Adds the problems of the whole folder that are in this file.
    fn add_problems_of_its_path(&mut self, publication: &Publication<'_>) {
        for problem in &publication.problems {
            if let Some(place) = &problem.place
                && place.path == self.path
            {
                self.problems.push(problem.clone());
            }
        }
    }

    fn add_metadata(&mut self, metadata: &Metadata) {
        let Metadata {
            stem,
            title,
            summary,
            dates,
            language,
            ..
        } = metadata;
        let kind = match metadata.kind {
            Kind::Article => "article",
            Kind::Page => "page",
        };
        if self.outcome == "published" {
            let stem = &stem.value;
            self.outcome = format!("published as the {kind} `{stem}.html` and `{stem}.md`");
        }
        let date = dates.date.value.map(|date| date.iso());
        self.add("address", format!("`{}.html`", stem.value), stem.why);
        self.add("title", &*title.value, title.why);
        self.add("summary", shorten(&summary.value, 80), summary.why);
        self.add(
            "date",
            date.unwrap_or_else(|| "none".to_owned()),
            dates.date.why,
        );
        self.add("updated", dates.updated.value.iso(), dates.updated.why);
        self.add("language", language.value.as_str(), language.why);
        self.add_list("authors", &metadata.authors, "");
        self.add_list("tags", &metadata.tags, "");
        self.add_visibility(&metadata.visibility);
        match metadata.redirect_to.as_ref().map(|redirect| &redirect.to) {
            Some(Ok(to)) => self.add("redirect", format!("`{to}`"), "its front matter says so"),
            Some(Err(reason)) => self.add("redirect", "none", reason.as_str()),
            None => {}
        }
    }

    fn add_visibility(&mut self, visibility: &Visibility) {
        let unlisted = "its front matter says so; its pages exist, no list names it";
        let (name, why) = match visibility {
            Visibility::Published => ("published", String::new()),
            Visibility::Unlisted => ("unlisted", unlisted.to_owned()),
            Visibility::Draft(why) => ("draft", why.as_str().to_owned()),
            Visibility::Withheld(why) => ("withheld", why.as_str().to_owned()),
            Visibility::Scheduled(at) => ("scheduled", format!("it appears at {at}")),
            Visibility::Expired(at) => ("expired", format!("it expired at {at}")),
        };
        self.add("visibility", name, why);
    }

    /// A list, unless it is empty.
    fn add_list(&mut self, what: &'static str, values: &[String], why: &str) {
        if !values.is_empty() {
            self.add(what, values.join(", "), why);
        }
    }

    fn add_links(&mut self, publication: &Publication<'_>, number: usize, candidate: &Candidate) {
        if !publication.is_published(candidate) {
            return;
        }
        let Links {
            addresses, linked, ..
        } = linking::resolve(publication, &linking::Memos::default());
        let links = &linked[number];
        self.add(
            "links",
            format!("{} inside the folder", links.references),
            "",
        );
        let mut old = Vec::new();
        for (from, redirect) in &*addresses.old.redirects {
            if redirect.to.path() == Some(&*candidate.stem.value) {
                old.push(format!("`{from}`"));
            }
        }
        self.add_list("old addresses", &old, "they lead here");
        self.problems.extend_from_slice(&links.problems);
    }
}
