//! Addresses that articles had before, and those that nobody may have.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Kind;
use super::describe::Candidate;
use super::parse::Parsed;
use super::permalink;
use super::work::Work;
use crate::AT_ONCE;
use crate::front::Front;
use crate::links::{ItemId, Table, stemmed};
use crate::problem::Problem;

/// Whether Diglot itself writes a page with this stem (tags and years are settled with the lists that exist).
pub(super) fn is_reserved(stem: &str) -> bool {
    let year = stem.strip_prefix("/years/").is_some_and(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()));
    matches!(stem, "/articles/index" | "/404") || year || stem.strip_prefix("/tags/").is_some_and(|tag| !tag.contains('/')) || stem.starts_with("/_/")
}

/// Old addresses of the whole folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Old {
    /// Old address and where it leads.
    pub redirects: BTreeMap<String, String>,
    pub problems: Vec<Problem>,
}

impl Old {
    /// Collects old addresses and adds them to the table. The first of two that claim one keeps it; a live page always does.
    pub fn of(work: &Work<'_>, ids: &[Option<ItemId>], table: &mut Table<'_>) -> Self {
        let mut old = Self::default();
        let live: FxHashSet<&str> =
            work.candidates.iter().filter(|candidate| work.is_published(candidate)).map(|candidate| &*candidate.stem.value).collect();
        let mut claimed: FxHashMap<String, usize> = FxHashMap::default();
        // On all cores, though it is hardly ever anything: each looks a dozen keys up.
        let given = work.candidates.par_iter().with_max_len(AT_ONCE).zip(ids).map(|(candidate, id)| {
            let may_lead = id.is_some() || candidate.redirect_to.is_some();
            let parsed = work.parsed[candidate.file].as_ref().filter(|_| may_lead)?;
            let mut given = addresses(&parsed.front, candidate, work);
            given.extend(of_page(work, candidate, parsed));
            Some(given)
        });
        let given: Vec<Option<Vec<Given>>> = given.collect();
        for ((candidate, id), given) in work.candidates.iter().zip(ids).zip(given) {
            let Some(given) = given else { continue };
            let path = &work.sources.files[candidate.file].path;
            let stub = candidate.redirect_to.as_ref().filter(|_| candidate.visibility.is_visible() && id.is_none());
            let target = match (id, stub) {
                (Some(_), _) => candidate.stem.value.to_string(),
                (None, Some(to)) => {
                    let own = &candidate.stem.value;
                    let to = if to.contains("://") { to.clone() } else { table.leads_to(to).unwrap_or_else(|| stemmed(to)) };
                    let free = !live.contains(&**own);
                    for address in [own.to_string(), format!("{own}.html")].into_iter().filter(|_| free) {
                        old.redirects.insert(address, to.clone());
                    }
                    to
                }
                (None, None) => continue,
            };
            for (address, line, column) in given {
                let stem = stemmed(&address);
                if *stem == *candidate.stem.value || live.contains(stem.as_str()) || is_reserved(&stem) || stem == "/index" {
                    continue;
                }
                if line == 0 && claimed.get(&stem).is_some_and(|first| *first != candidate.file) {
                    continue;
                }
                if let Some(first) = claimed.get(&stem).filter(|first| **first != candidate.file) {
                    let first = &work.sources.files[*first].path;
                    old.problems.push(Problem::warning(format!("the old address `{address}` leads to `{first}` already")).at(&**path, line, column));
                    continue;
                }
                claimed.insert(stem.clone(), candidate.file);
                if let Some(id) = id {
                    table.address(&stem, *id);
                }
                old.redirects.insert(address, target.clone());
            }
        }
        old
    }
}

/// An old address, decoded, with its line and column; 0 where it is not the author's word.
type Given = (String, u32, u32);

/// The old addresses that one article names.
fn addresses(front: &Front, candidate: &Candidate, work: &Work<'_>) -> Vec<Given> {
    const KEYS: [&str; 6] = ["permalink", "url", "path", "aliases", "redirect_from", "old_url"];
    let mut found = Vec::new();
    for entry in KEYS.into_iter().filter_map(|key| front.get(key)) {
        for node in entry.node.items() {
            let Some(text) = node.text() else { continue };
            let alias = entry.key.text.eq_ignore_ascii_case("aliases");
            if alias
                && (work.plan.kind.dialect.aliases_are_names
                    || candidate.names.iter().any(|name| name == text) && work.plan.kind.dialect.name == "plain")
            {
                continue;
            }
            if let Some(address) = address(text, front, candidate, work) {
                found.push((address, node.line, node.column));
            }
        }
    }
    if found.is_empty() || front.first(&["permalink", "url"]).is_none() {
        found.extend(permalink::of(candidate, front, work).iter().filter_map(|text| Some((address(text, front, candidate, work)?, 0, 0))));
    }
    found
}

/// Where a page that was built before was to be found: where its file lies, and at what it calls its own address.
fn of_page(work: &Work<'_>, candidate: &Candidate, parsed: &Parsed) -> Vec<Given> {
    if parsed.names.is_none() || candidate.kind == Kind::Page && parsed.canonical.is_none() {
        return Vec::new();
    }
    let path = work.plan.site_path(&work.sources.files[candidate.file].path);
    let folder = path.strip_suffix("index.html").or_else(|| path.strip_suffix("index.htm")).map(|folder| format!("/{folder}"));
    let own = folder.unwrap_or_else(|| format!("/{path}"));
    let said = parsed.canonical.as_deref().and_then(|url| {
        let (_, rest) = url.split_once("://").unwrap_or(("", url));
        address(&rest[rest.find('/')?..], &parsed.front, candidate, work)
    });
    std::iter::once(own).chain(said).filter(|address| address.len() > 1).map(|address| (address, 0, 0)).collect()
}

/// One old address: decoded, with `/` before it. `None`: a word, a template, an address elsewhere.
fn address(text: &str, front: &Front, candidate: &Candidate, work: &Work<'_>) -> Option<String> {
    if text.contains("{{") {
        return None;
    }
    let base = &work.site.base;
    let path = text.strip_prefix(base.origin()).unwrap_or(text);
    if path.contains("://") || path.starts_with("//") {
        return None;
    }
    let path = path.split(['?', '#']).next()?;
    let path = path.strip_prefix(base.path()).filter(|rest| rest.starts_with('/')).unwrap_or(path);
    let path = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
    let filled = if path.contains("/:") || path.starts_with(':') || permalink::is_style(&path) {
        permalink::fill(&path, front, candidate, &work.sources.files[candidate.file].path)?
    } else {
        path.into_owned()
    };
    let clean = filled.split('/').filter(|part| !part.is_empty()).all(|part| !matches!(part, "." | ".."));
    let address = format!("/{}", filled.trim_start_matches('/'));
    (clean && !address.chars().any(char::is_control) && address.len() > 1).then_some(address)
}

/// Adds the addresses that dated file names had in the generator before: `/2015/03/19/x/`, and in Jekyll's own form `/2015/03/19/x.html`.
pub(super) fn add_dated(work: &Work<'_>, table: &Table<'_>, redirects: &mut BTreeMap<String, String>) {
    for candidate in work.candidates.iter().filter(|candidate| candidate.kind == Kind::Article && work.is_published(candidate)) {
        let last = candidate.stem.value.rsplit('/').next().unwrap_or_default();
        let Some((moment, rest)) = crate::date::in_name(last).filter(|(_, rest)| !rest.is_empty()) else { continue };
        let address = format!("/{}/{rest}", moment.iso().replace('-', "/"));
        if table.is_taken(&address) || redirects.contains_key(&address) || redirects.contains_key(&format!("{address}/")) {
            continue;
        }
        if work.plan.kind.dialect.name == "jekyll" {
            redirects.insert(format!("{address}.html"), candidate.stem.value.to_string());
        }
        redirects.insert(format!("{address}/"), candidate.stem.value.to_string());
    }
}
