//! Addresses that articles had before, and those that nobody may have.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::describe::Candidate;
use super::parse::Parsed;
use super::permalink;
use super::work::Work;
use super::{Kind, Redirect};
use crate::library::links::{ItemId, Table, stemmed};
use crate::model::AT_ONCE;
use crate::model::address::{AddressError, Destination, OldAddress};
use crate::model::problem::{Place, Problem};
use crate::model::text::shorten;
use crate::syntax::front::Front;

/// Whether Diglot itself writes a page with this stem (tags and years are settled with the lists that exist).
pub(super) fn is_reserved(stem: &str) -> bool {
    let year = stem.strip_prefix("/years/").is_some_and(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()));
    matches!(stem, "/articles/index" | "/404") || year || stem.strip_prefix("/tags/").is_some_and(|tag| !tag.contains('/')) || stem.starts_with("/_/")
}

/// Old addresses of the whole folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Old {
    /// Old addresses and where they lead.
    pub redirects: BTreeMap<OldAddress, Redirect>,
    pub problems: Vec<Problem>,
    /// The file that has an old address, by its stem.
    claimed: FxHashMap<String, usize>,
}

/// Published texts by their stem.
type Live<'w> = FxHashMap<&'w str, usize>;

impl Old {
    /// Collects old addresses and adds them to the table. The first of two that claim one keeps it; a live page always does.
    pub fn of(work: &Work<'_>, ids: &[Option<ItemId>], table: &mut Table<'_>) -> Self {
        let mut old = Self::default();
        let published = work.candidates.iter().filter(|candidate| work.is_published(candidate));
        let live: Live<'_> = published.map(|candidate| (&*candidate.stem.value, candidate.file)).collect();
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
            let target = match id {
                Some(_) => Some(Destination::Here(candidate.stem.value.to_string())),
                None => old.stub(work, candidate, &live, table),
            };
            let Some(target) = target else { continue };
            for given in given {
                old.add(work, candidate, (&given, &target), &live, (table, *id));
            }
        }
        old
    }

    /// Notes where a text leads that is nothing but a redirect.
    fn stub(&mut self, work: &Work<'_>, candidate: &Candidate, live: &Live<'_>, table: &Table<'_>) -> Option<Destination> {
        let redirect = candidate.redirect_to.as_ref().filter(|_| candidate.visibility.is_visible())?;
        let to = match redirect.to.as_ref().ok()? {
            Destination::Here(path) => Destination::Here(table.leads_to(path).unwrap_or_else(|| stemmed(path))),
            elsewhere @ Destination::Elsewhere(_) => elsewhere.clone(),
        };
        let path = &work.sources.files[candidate.file].path;
        let place = Place { path: path.to_string(), line: redirect.line, column: redirect.column };
        let own = &candidate.stem.value;
        if let Some(first) = live.get(&**own) {
            let problem = Problem::error(format!("its redirect is not published: `{}` has the same address", work.sources.files[*first].path));
            self.problems.push(problem.at(&**path, place.line, place.column).hint("rename one of the two or give it a `slug`"));
            return Some(to);
        }
        for address in [own.to_string(), format!("{own}.html")].into_iter().filter_map(|address| OldAddress::new(address).ok()) {
            self.redirects.insert(address, Redirect { to: to.clone(), place: Some(place.clone()) });
        }
        Some(to)
    }

    /// Adds one old address of a candidate.
    fn add(
        &mut self,
        work: &Work<'_>,
        candidate: &Candidate,
        (given, to): (&Given, &Destination),
        live: &Live<'_>,
        (table, id): (&mut Table<'_>, Option<ItemId>),
    ) {
        let path = |file: usize| &work.sources.files[file].path;
        let place = given.line.map(|(line, column)| Place { path: path(candidate.file).to_string(), line, column });
        let mut told = |problem: Problem| self.problems.extend(place.clone().map(|place| Problem { place: Some(place), ..problem }));
        let address = match &given.address {
            Ok(address) => address,
            Err(error) => {
                let text = shorten(&given.text.escape_debug().to_string(), 60);
                return told(Problem::error(format!("the old address `{text}` is not published: {error}")).hint(error.hint()));
            }
        };
        let stem = stemmed(address.as_str());
        if *stem == *candidate.stem.value {
            return;
        }
        if let Some(first) = live.get(stem.as_str()) {
            let problem = Problem::error(format!("the old address `{address}` is not published: it is the address of `{}`", path(*first)));
            return told(problem.hint("remove it, or give one of the two another address"));
        }
        // What the author asks for and Diglot has itself is told where everything that is published is known.
        let reserved = is_reserved(&stem) || stem == "/index";
        let listed = !stem.starts_with("/_/") && (reserved || stem == "/articles");
        if reserved && place.is_none() || listed && given.own {
            return;
        }
        if let Some(first) = self.claimed.get(&stem).filter(|first| **first != candidate.file) {
            return told(Problem::warning(format!("the old address `{address}` leads to `{}` already", path(*first))));
        }
        self.claimed.insert(stem.clone(), candidate.file);
        if let Some(id) = id.filter(|_| !reserved) {
            table.address(&stem, id);
        }
        self.redirects.insert(address.clone(), Redirect { to: to.clone(), place });
    }
}

/// An old address of one text.
struct Given {
    /// As it is written.
    text: String,
    address: Result<OldAddress, AddressError>,
    /// Its line and column where the author wrote it.
    line: Option<(u32, u32)>,
    /// Whether it is the text's own address in another generator, which may be that of a list there: no wish for one more address.
    own: bool,
}

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
            let own = ["permalink", "url", "path"].iter().any(|key| entry.key.text.eq_ignore_ascii_case(key));
            if let Some(address) = address(text, front, candidate, work) {
                found.push(Given { text: text.to_owned(), address, line: (node.line > 0).then_some((node.line, node.column)), own });
            }
        }
    }
    if found.is_empty() || front.first(&["permalink", "url"]).is_none() {
        let derived = permalink::of(candidate, front, work).into_iter();
        found.extend(derived.filter_map(|text| Some(Given { address: address(&text, front, candidate, work)?, text, line: None, own: true })));
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
    let own = Ok(folder.unwrap_or_else(|| format!("/{path}"))).and_then(OldAddress::new);
    let said = parsed.canonical.as_deref().and_then(|url| {
        let (_, rest) = url.split_once("://").unwrap_or(("", url));
        address(&rest[rest.find('/')?..], &parsed.front, candidate, work)
    });
    let plain = std::iter::once(own).chain(said).filter(|address| address.as_ref().is_ok_and(|address| address.as_str().len() > 1));
    plain.map(|address| Given { text: String::new(), address, line: None, own: true }).collect()
}

/// One old address. `None`: a word, a template, an address elsewhere.
fn address(text: &str, front: &Front, candidate: &Candidate, work: &Work<'_>) -> Option<Result<OldAddress, AddressError>> {
    if text.contains("{{") {
        return None;
    }
    let base = &work.site.base;
    let path = text.strip_prefix(base.origin()).unwrap_or(text);
    if path.starts_with("//") || !path.starts_with('/') && path.contains("://") {
        return None;
    }
    let path = path.split(['?', '#']).next()?;
    let path = path.strip_prefix(base.path()).filter(|rest| rest.starts_with('/')).unwrap_or(path);
    let Ok(path) = percent_encoding::percent_decode_str(path).decode_utf8() else { return Some(Err(AddressError::Encoding)) };
    let filled = if path.contains("/:") || path.starts_with(':') || permalink::is_style(&path) {
        permalink::fill(&path, front, candidate, &work.sources.files[candidate.file].path)?
    } else {
        path.into_owned()
    };
    let path = filled.trim_start_matches('/');
    (!path.is_empty()).then(|| OldAddress::new(format!("/{path}")))
}

/// Adds the addresses that dated file names had in the generator before: `/2015/03/19/x/`, and in Jekyll's own form `/2015/03/19/x.html`.
pub(super) fn add_dated(work: &Work<'_>, table: &Table<'_>, redirects: &mut BTreeMap<OldAddress, Redirect>) {
    for candidate in work.candidates.iter().filter(|candidate| candidate.kind == Kind::Article && work.is_published(candidate)) {
        let stem = &*candidate.stem.value;
        let last = stem.rsplit('/').next().unwrap_or_default();
        let Some((moment, rest)) = crate::model::date::in_name(last).filter(|(_, rest)| !rest.is_empty()) else { continue };
        let address = format!("/{}/{rest}", moment.iso().replace('-', "/"));
        if table.is_taken(&address) || redirects.contains_key(address.as_str()) || redirects.contains_key(format!("{address}/").as_str()) {
            continue;
        }
        let suffixes: &[&str] = if work.plan.kind.dialect.name == "jekyll" { &[".html", "/"] } else { &["/"] };
        for suffix in suffixes {
            if let Ok(old) = OldAddress::new(format!("{address}{suffix}")) {
                redirects.insert(old, Redirect { to: Destination::Here(stem.to_owned()), place: None });
            }
        }
    }
}
