//! Decides what is published: every file gets an outcome, every address at most one text and one
//! file.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{
    article::Kind,
    candidate::Candidate,
    classify::{Area, Role},
    files,
    generated::is_reserved,
    parse::Parsed,
    paths::{folder, is_section},
    visibility::Visibility,
};
use crate::model::{
    problem::{Cause, Problem, Severity},
    sources::Sources,
};

/// Why a text without words is skipped.
pub const EMPTY: &str = "empty body";

/// The outcome of a file.
#[derive(PartialEq, Eq, Hash)]
pub enum Outcome {
    Published,
    Skipped(String),
    SetAside(String),
}

impl Outcome {
    fn skipped(reason: &str) -> Self {
        Self::Skipped(reason.to_owned())
    }
}

/// Usual folders for included files.
const PARTIALS: [&str; 12] = [
    "includes",
    "include",
    "partials",
    "partial",
    "snippets",
    "snippet",
    "fragments",
    "parts",
    "reuse",
    "reusable",
    "shared",
    "templates",
];

/// Files that others include and that are in a folder for included files, or in any folder if `all`: they
/// are not articles themselves.
pub fn partials<'p>(
    sources: &Sources,
    parsed: impl Iterator<Item = &'p Parsed>,
    all: bool,
) -> BTreeSet<usize> {
    let mut partials = BTreeSet::new();
    for path in parsed.flat_map(|parsed| &parsed.included) {
        if all
            || folder(path)
                .split('/')
                .any(|folder| PARTIALS.contains(&folder.trim_start_matches('_')))
        {
            partials.extend(files::position(sources, path));
        }
    }
    partials
}

/// The outcome of a file by itself, before addresses are compared.
pub fn outcome(path: &str, role: &Role, parsed: Option<&Parsed>, is_partial: bool) -> Outcome {
    match role {
        Role::Skip(reason) | Role::Unlinked(reason) => return Outcome::Skipped(reason.clone()),
        Role::SetAside(_, reason) => return Outcome::SetAside(reason.clone()),
        Role::File(_) => return Outcome::Published,
        Role::Text { .. } => {}
    }
    if is_partial {
        return Outcome::skipped("partial: another file includes it");
    }
    outcome_of_text(path, role, parsed)
}

fn outcome_of_text(path: &str, role: &Role, parsed: Option<&Parsed>) -> Outcome {
    let is_section = is_section(path);
    match parsed {
        Some(parsed) if parsed.template => Outcome::skipped("template or partial"),
        Some(parsed) if parsed.endless.is_some() => {
            Outcome::SetAside("it takes too long to read".to_owned())
        }
        Some(parsed) if !parsed.empty => Outcome::Published,
        // The home page and the lists of sections have words of their own.
        Some(parsed) if parsed.front_only && !is_section && !is_home(role) => Outcome::Published,
        _ if is_section => Outcome::skipped("list without a text"),
        _ => Outcome::skipped(EMPTY),
    }
}

fn is_home(role: &Role) -> bool {
    let home = Area::Home;
    matches!(role, Role::Text { area, .. } if *area == home)
}

/// Publishes a text if it is visible, not a redirect, and its address is not yet used.
pub fn decide(
    outcomes: &mut [Outcome],
    roles: &[Role],
    candidates: &[Candidate],
    sources: &Sources,
) -> Vec<Problem> {
    let mut problems = decide_texts(outcomes, roles, candidates, sources);
    problems.extend(decide_files(outcomes, roles, candidates, sources));
    problems
}

/// Articles first: of two texts with one address, the first by path is published.
fn decide_texts(
    outcomes: &mut [Outcome],
    roles: &[Role],
    candidates: &[Candidate],
    sources: &Sources,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    for kind in [Kind::Article, Kind::Page] {
        for candidate in candidates.iter().filter(|candidate| candidate.kind == kind) {
            let stem = &*candidate.stem.value;
            if let Some(withheld) = withheld(candidate) {
                outcomes[candidate.file] = withheld;
                continue;
            }
            if is_not_found(&roles[candidate.file]) {
                continue;
            }
            let Some((reason, which)) = taken(stem, owners.get(stem), sources) else {
                owners.insert(stem, candidate.file);
                continue;
            };
            let slug = match candidate.parsed.front.text(&["slug"]) {
                Some(_) => "another `slug`",
                None => "a `slug`",
            };
            let hint = format!("rename {which} or give it {slug}");
            problems.push(set_aside(sources, candidate.file, &reason).hint(hint));
            outcomes[candidate.file] = Outcome::SetAside(reason);
        }
    }
    problems
}

fn is_not_found(role: &Role) -> bool {
    matches!(
        role,
        Role::Text {
            area: Area::NotFound,
            ..
        }
    )
}

/// Why the address of a text is not free, and what its author renames.
fn taken(stem: &str, owner: Option<&usize>, sources: &Sources) -> Option<(String, &'static str)> {
    if is_reserved(stem) {
        let reason = format!("`{stem}.html` is a page that Diglot writes itself");
        return Some((reason, "the file"));
    }
    let reason = same_address(sources, *owner?, &format!("{stem}.html"));
    Some((reason, "one of the two"))
}

/// The outcome of a text that is unpublished whatever its address.
pub fn withheld(candidate: &Candidate) -> Option<Outcome> {
    let reason = match &candidate.visibility {
        Visibility::Draft(_) => "draft",
        // The decision reports the problem.
        Visibility::Withheld(why) => return Some(Outcome::SetAside(why.clone())),
        Visibility::Scheduled(_) => "scheduled for later",
        Visibility::Expired(_) => "expired",
        Visibility::Published | Visibility::Unlisted => match &candidate.redirect_to.as_ref()?.to {
            Ok(_) => "nothing but a redirect",
            // Its description reports the problem.
            Err(reason) => return Some(Outcome::SetAside(reason.clone())),
        },
    };
    Some(Outcome::skipped(reason))
}

/// Of two files with one address, the first by path is published; the page of a text before a file.
fn decide_files(
    outcomes: &mut [Outcome],
    roles: &[Role],
    candidates: &[Candidate],
    sources: &Sources,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    let is_page = |role: &Role| matches!(role, Role::File(address) if page_stem(address).is_some());
    let mut pages: FxHashMap<&str, usize> = FxHashMap::default();
    if roles.iter().any(is_page) {
        let published = candidates
            .iter()
            .filter(|candidate| outcomes[candidate.file] == Outcome::Published);
        pages.extend(published.map(|candidate| (&*candidate.stem.value, candidate.file)));
    }
    for (at, role) in roles.iter().enumerate() {
        let (severity, reason) = match role {
            Role::SetAside(severity, reason) => (*severity, reason.clone()),
            Role::File(address) => {
                let page = page_stem(address).and_then(|stem| pages.get(stem));
                let first = *page.unwrap_or(owners.entry(address.as_str()).or_insert(at));
                if first == at {
                    continue;
                }
                (Severity::Error, same_address(sources, first, address))
            }
            Role::Text { .. } | Role::Skip(_) | Role::Unlinked(_) => continue,
        };
        let mut problem = set_aside(sources, at, &reason).hint("rename the file");
        problem.severity = severity;
        problems.push(problem);
        outcomes[at] = Outcome::SetAside(reason);
    }
    problems
}

/// The stem that a page at the path of this file would have.
fn page_stem(address: &str) -> Option<&str> {
    address.strip_suffix(".html")
}

fn same_address(sources: &Sources, first: usize, address: &str) -> String {
    format!(
        "`{}` has the same address `{address}`",
        sources.files[first].path
    )
}

fn set_aside(sources: &Sources, file: usize, reason: &str) -> Problem {
    Problem::error(format!("set aside: {reason}"))
        .at(&*sources.files[file].path, 0, 0)
        .cause(Cause::SameAddress)
}
