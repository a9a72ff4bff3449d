//! How one file is read, decision by decision, each with its reason.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;

use super::classify::{Area, Role};
use super::describe::Candidate;
use super::linking::{self, Links};
use super::memory::Memory;
use super::work::{Fate, Work};
use super::{Kind, parse::Parsed};
use crate::library::visibility::Visibility;
use crate::model::address::Destination;
use crate::model::format::Format;
use crate::model::problem::Problem;
use crate::model::site::Site;
use crate::model::sources::Sources;
use crate::syntax::front::Syntax;

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was decided: `title`, `date`.
    pub what: &'static str,
    /// The outcome.
    pub value: String,
    /// What decided it; may be empty.
    pub why: String,
}

/// How one file is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The file, relative to the folder.
    pub path: String,
    /// What becomes of it in one line.
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
    let mut explanation = Explanation { path: path.to_owned(), outcome: String::new(), steps: Vec::new(), problems: Vec::new() };
    let Some(at) = sources.files.iter().position(|file| *file.path == *path) else {
        let unread = sources.unread.iter().find(|unread| unread.path == path || super::classify::below(path, &unread.path).is_some());
        explanation.outcome = match unread {
            Some(unread) => format!("not read: {}", unread.reason),
            None if path.split('/').any(|part| part.starts_with('.')) => "not read: hidden".to_owned(),
            None => "there is no such file in the folder".to_owned(),
        };
        return explanation;
    };
    let work = Work::of(sources, site, now, &Memory::default());
    explanation.folder(&work);
    explanation.role(&work.plan.roles[at], &work.publication.fates[at]);
    if let Some(parsed) = &work.parsed[at] {
        explanation.front(parsed);
        explanation.problems.extend(parsed.problems.iter().cloned());
    }
    if let Some((number, candidate)) = work.candidates.iter().enumerate().find(|(_, candidate)| candidate.file == at) {
        explanation.candidate(candidate);
        explanation.problems.extend(candidate.problems.iter().cloned());
        explanation.links(&work, number, candidate);
    }
    let own = work.problems.iter().filter(|problem| problem.place.as_ref().is_some_and(|place| place.path == path));
    explanation.problems.extend(own.cloned());
    explanation.problems.sort();
    explanation.problems.dedup();
    explanation
}

impl Explanation {
    fn step(&mut self, what: &'static str, value: impl Into<String>, why: impl Into<String>) {
        self.steps.push(Step { what, value: value.into(), why: why.into() });
    }

    fn folder(&mut self, work: &Work<'_>) {
        self.step("folder", work.plan.kind.dialect.name, work.plan.kind.evidence.as_str());
        let articles = if work.plan.articles.is_empty() { "the root".to_owned() } else { format!("`{}/`", work.plan.articles) };
        self.step("articles", articles, work.plan.reason.as_str());
    }

    fn role(&mut self, role: &Role, fate: &Fate) {
        let (value, why) = match role {
            Role::Text { format, area, .. } => {
                let format = if *format == Format::Html { "HTML" } else { "Markdown" };
                let why = match area {
                    Area::Articles => "it lies in the articles folder",
                    Area::Pages => "it lies outside the articles folder, so it is a page",
                    Area::Home => "it is the content of the home page",
                };
                (format!("a text in {format}"), why.to_owned())
            }
            Role::File(path) => (format!("a file, published unchanged at `{path}`"), "its suffix is one that browsers want".to_owned()),
            Role::Skip(reason) | Role::SetAside(reason) => ("nothing to publish".to_owned(), reason.clone()),
        };
        self.step("role", value, why);
        self.outcome = match fate {
            Fate::Published => "published".to_owned(),
            Fate::Skipped(reason) => format!("skipped: {reason}"),
            Fate::SetAside(reason) => format!("set aside: {reason}"),
        };
        if let (Role::File(path), Fate::Published) = (role, fate) {
            self.outcome = format!("published at `{path}`");
        }
    }

    fn front(&mut self, parsed: &Parsed) {
        let syntax = match parsed.front.syntax {
            Syntax::None => "none",
            Syntax::Yaml => "YAML",
            Syntax::Toml => "TOML",
            Syntax::Json => "JSON",
        };
        let keys: Vec<String> = parsed.front.entries.iter().map(|entry| format!("`{}`", entry.key.text)).collect();
        self.step("front matter", syntax, keys.join(", "));
        let tags: Vec<String> = parsed.unknown_tags.iter().map(|(name, count)| format!("`{name}` {count} times")).collect();
        if !tags.is_empty() {
            self.step("tags dropped", tags.join(", "), "nobody knows them; the text between them stays");
        }
    }

    fn candidate(&mut self, candidate: &Candidate) {
        let kind = if candidate.kind == Kind::Article { "article" } else { "page" };
        if self.outcome == "published" {
            self.outcome = format!("published as the {kind} `{0}.html` and `{0}.md`", candidate.stem.value);
        }
        self.step("address", format!("`{}.html`", candidate.stem.value), candidate.stem.why);
        self.step("title", &*candidate.title.value, candidate.title.why);
        self.step("summary", crate::model::text::shorten(&candidate.summary.value, 80), candidate.summary.why);
        let dates = &candidate.dates;
        self.step("date", dates.date.value.map_or_else(|| "none".to_owned(), |date| date.iso()), dates.date.why);
        self.step("updated", dates.updated.value.iso(), dates.updated.why);
        self.step("language", candidate.language.value.as_str(), candidate.language.why);
        if !candidate.authors.is_empty() {
            self.step("authors", candidate.authors.join(", "), "");
        }
        if !candidate.tags.is_empty() {
            self.step("tags", candidate.tags.join(", "), "");
        }
        let (value, why) = match &candidate.visibility {
            Visibility::Published => ("published", String::new()),
            Visibility::Unlisted => ("unlisted", "its front matter says so; its pages exist, no list names it".to_owned()),
            Visibility::Draft(why) => ("draft", why.clone()),
            Visibility::Scheduled(at) => ("scheduled", format!("it appears at {at}")),
            Visibility::Expired(at) => ("expired", format!("it went at {at}")),
        };
        self.step("visibility", value, why);
        match candidate.redirect_to.as_ref().map(|redirect| &redirect.to) {
            Some(Ok(to)) => self.step("redirect", format!("`{to}`"), "its front matter says so"),
            Some(Err(reason)) => self.step("redirect", "none", reason.clone()),
            None => {}
        }
    }

    fn links(&mut self, work: &Work<'_>, number: usize, candidate: &Candidate) {
        let Links { old, linked, .. } = linking::resolve(work);
        let Some(linked) = linked.get(number).filter(|_| work.is_published(candidate)) else { return };
        self.step("links", format!("{} inside the folder", linked.references), "");
        let leads = |to: &Destination| matches!(to, Destination::Here(stem) if **stem == *candidate.stem.value);
        let addresses: Vec<String> = old.redirects.iter().filter(|(_, redirect)| leads(&redirect.to)).map(|(from, _)| format!("`{from}`")).collect();
        if !addresses.is_empty() {
            self.step("old addresses", addresses.join(", "), "they lead here");
        }
        self.problems.extend(linked.problems.iter().cloned());
    }
}
