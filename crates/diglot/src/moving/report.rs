//! The report of a move: figures, and every loss.

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::migration::Migration;
use serde::Serialize;

use super::loss::{Kind, Loss};
use super::matching::{By, Match, by};
use super::old::OldSite;
use super::ours::Ours;
use crate::terminal::counted;

/// How many losses of one kind are printed.
const PRINTED: usize = 20;
/// How many pages that are only here are printed.
const ONLY_HERE: usize = 10;

/// How much the former site had of something, and how much of it is here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// There.
    pub all: usize,
    /// Of these here.
    pub kept: usize,
}

/// All figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AllFigures {
    /// Pages that were walked.
    pub pages: usize,
    /// Pages that are lists of others.
    pub lists: usize,
    /// Addresses of pages and feeds that answer.
    pub addresses: Figures,
    /// Texts.
    pub texts: Figures,
    /// Words of texts.
    pub words: Figures,
    /// Headings.
    pub headings: Figures,
    /// Images.
    pub images: Figures,
    /// Files that texts link to or show.
    pub files: Figures,
    /// Dates.
    pub dates: Figures,
    /// Ids in feeds.
    pub ids: Figures,
    /// Canonical addresses.
    pub canonicals: Figures,
}

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The address of the former site.
    pub url: String,
    /// The figures.
    pub figures: AllFigures,
    /// How texts were found.
    pub found: BTreeMap<By, usize>,
    /// What is lost, sorted.
    pub losses: Vec<Loss>,
    /// How many losses the author accepts.
    pub accepted: usize,
    /// What was written into `migration.toml`, or would be.
    pub repaired: Vec<Loss>,
    /// Texts that are only here.
    pub only_here: Vec<String>,
    /// What was taken for parts of the former theme, each with the number of its pages.
    pub theme: Vec<(String, usize)>,
    /// Pages that `robots.txt` of the former site disallows, so that they were not compared.
    pub disallowed: BTreeSet<String>,
    /// Addresses that could not be read, and why.
    pub unread: BTreeMap<String, String>,
    /// Whether the former site has more pages than were walked.
    pub is_cut: bool,
}

impl Report {
    /// Puts it in order, and takes out what the author accepts.
    pub(super) fn settle(
        &mut self,
        old: &OldSite,
        ours: &Ours<'_>,
        matches: &BTreeMap<String, Match>,
        kept: &Migration,
    ) {
        old.base.declared().clone_into(&mut self.url);
        self.disallowed.clone_from(&old.disallowed);
        self.unread.clone_from(&old.unread);
        self.is_cut = old.is_cut;
        self.found = by(matches);
        self.figures.pages = old.pages.len();
        let gone = self
            .losses
            .iter()
            .filter(|loss| loss.kind == Kind::Gone)
            .count();
        self.figures.texts = Figures {
            all: matches.len() + gone,
            kept: matches.len(),
        };
        let there: BTreeSet<&str> = matches.values().map(|found| found.here.as_str()).collect();
        let here = ours
            .texts
            .keys()
            .filter(|path| !there.contains(path.as_str()));
        self.only_here = here.cloned().collect();
        self.losses.sort_by(|a, b| {
            let key = |loss: &Loss| (loss.kind, loss.old.clone(), loss.what.clone());
            key(a).cmp(&key(b))
        });
        let before = self.losses.len();
        self.losses.retain(|loss| {
            let kinds = kept.accepted.get(&loss.old);
            !kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == loss.kind.name()))
        });
        self.accepted = before - self.losses.len();
    }

    /// Whether nothing is lost, and everything was compared.
    pub fn is_green(&self) -> bool {
        self.losses.is_empty() && self.is_whole()
    }

    /// Whether everything was read.
    pub fn is_whole(&self) -> bool {
        self.unread.is_empty() && !self.is_cut
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut lines = self.summary();
        for kind in Kind::ALL {
            let losses: Vec<_> = self
                .losses
                .iter()
                .filter(|loss| loss.kind == kind)
                .collect();
            if losses.is_empty() {
                continue;
            }
            lines.push(String::new());
            lines.push(format!("{}: {}", kind.name(), losses.len()));
            let shown = losses.iter().take(PRINTED);
            lines.extend(shown.map(|loss| format!("  {}: {}", loss.old, loss.what)));
            lines.extend(more(losses.len(), PRINTED));
        }
        self.notes(&mut lines);
        lines.push(String::new());
        lines.push(self.verdict());
        lines.join("\n")
    }

    fn summary(&self) -> Vec<String> {
        let figures = &self.figures;
        let mut lines = vec![format!(
            "{} of {}: {}, {}",
            counted(figures.pages, "page"),
            self.url,
            counted(figures.texts.all, "text"),
            counted(figures.lists, "list")
        )];
        let rows = [
            ("texts", figures.texts),
            ("addresses", figures.addresses),
            ("words", figures.words),
            ("headings", figures.headings),
            ("images", figures.images),
            ("files", figures.files),
            ("dates", figures.dates),
            ("feed ids", figures.ids),
            ("canonical", figures.canonicals),
        ];
        for (name, Figures { all, kept }) in rows {
            lines.push(format!("  {name:<10} {kept} of {all}"));
        }
        let found = self.found.iter();
        let found: Vec<String> = found
            .map(|(by, count)| format!("{count} by {}", format!("{by:?}").to_lowercase()))
            .collect();
        if !found.is_empty() {
            lines.push(format!("texts found: {}", found.join(", ")));
        }
        lines
    }

    fn notes(&self, lines: &mut Vec<String>) {
        let mut section = |title: String, rows: Vec<String>, most: usize| {
            if !rows.is_empty() {
                lines.push(String::new());
                lines.push(title);
                let count = rows.len();
                lines.extend(rows.into_iter().take(most).map(|row| format!("  {row}")));
                lines.extend(more(count, most));
            }
        };
        let only: Vec<String> = self.only_here.clone();
        section(format!("only here: {}", only.len()), only, ONLY_HERE);
        let theme = self.theme.iter();
        let theme = theme.map(|(text, count)| format!("“{text}” on {}", counted(*count, "page")));
        section("taken for the former theme:".to_owned(), theme.collect(), 5);
        let rows: Vec<String> = self.disallowed.iter().cloned().collect();
        section(
            format!("not compared, as `robots.txt` disallows: {}", rows.len()),
            rows,
            5,
        );
        if self.is_cut {
            let why = "the former site has more pages than `move-pages` allows; `--limit move-pages=N` allows more";
            section("not walked:".to_owned(), vec![why.to_owned()], 1);
        }
        let rows = self
            .unread
            .iter()
            .map(|(path, why)| format!("{path}: {why}"));
        section(
            format!("not read: {}", self.unread.len()),
            rows.collect(),
            PRINTED,
        );
    }

    fn verdict(&self) -> String {
        let accepted = match self.accepted {
            0 => String::new(),
            count => format!(" ({count} accepted)"),
        };
        match (self.losses.len(), self.is_whole()) {
            (0, true) => format!("nothing is lost{accepted}"),
            (0, false) => format!("nothing is lost of what was read{accepted}"),
            (1, _) => format!("1 loss{accepted}"),
            (count, _) => format!("{count} losses{accepted}"),
        }
    }
}

fn more(count: usize, most: usize) -> Option<String> {
    (count > most).then(|| format!("  … and {} more: `--json` has all", count - most))
}
