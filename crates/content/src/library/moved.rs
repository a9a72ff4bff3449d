//! The redirects that the owner wrote for other programs, as old addresses: each leads to the text
//! at which its target is today.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    article::{Rank, Redirect},
    generated::is_generated_page,
    links::{LinkTable, RootTarget},
    old_addresses::OldAddresses,
    paths::{Address, bare, decoded, join, stem_of, stemmed},
};
use crate::dialects::{Pattern, Rule};
use crate::model::{
    address::{AddressError, Destination, OldAddress},
    problem::{Cause, Problem, SourceLocation},
    text::shorten,
};

/// The longest chain of redirects.
pub const LONGEST_CHAIN: usize = 32;
/// The maximum number of addresses from patterns.
const MOST_EXPANDED: usize = 100_000;
/// The maximum number of addresses compared with patterns.
const MOST_COMPARED: usize = 10_000_000;

/// Adds the owner's redirects to the old addresses and to the table.
pub fn add(table: &mut LinkTable<'_>, old: &mut OldAddresses) {
    let publication = table.publication;
    let rules = &publication.plan.redirects.rules;
    if rules.is_empty() {
        return;
    }
    let mut moved = Moved {
        table,
        old,
        exact: FxHashMap::default(),
        forms: FxHashMap::default(),
        problems: BTreeMap::new(),
    };
    moved.index(rules);
    moved.patterns(rules);
    for rule in rules {
        if let Some(from) = rule.from.literal() {
            moved.rule(rules, rule, from, Rank::Written);
        }
    }
    let problems = std::mem::take(&mut moved.problems);
    old.problems.extend(problems.into_values().flatten());
}

struct Moved<'m, 'w> {
    table: &'m mut LinkTable<'w>,
    old: &'m mut OldAddresses,
    /// The rules of exact addresses, by the stem of the address.
    exact: FxHashMap<String, usize>,
    /// The same by the whole address: `/a`, `/a/` and `/a.html` may lead to different places.
    forms: FxHashMap<String, usize>,
    /// By file.
    problems: BTreeMap<String, Vec<Problem>>,
}

/// Where a redirect leads.
enum End {
    To(Destination),
    /// To what is not published, with the reason.
    Hidden(String),
    Nowhere,
    Circle,
}

impl End {
    /// The target, or what is wrong with the redirect of `address` to `written`, as the author has
    /// them.
    fn or_problem(self, address: &str, written: &str) -> Result<Destination, Problem> {
        Err(match self {
            Self::To(to) => return Ok(to),
            Self::Hidden(why) => Problem::warning(why),
            Self::Nowhere => Problem::warning(format!(
                "the target of the redirect does not exist: `{}`",
                shorten(written, 200)
            ))
            .hint("write the path of a page or a URL"),
            Self::Circle => circle(address),
        })
    }
}

impl Moved<'_, '_> {
    /// Notes the first rule of each address without a pattern.
    fn index(&mut self, rules: &[Rule]) {
        for (at, rule) in rules.iter().enumerate() {
            if let Some(from) = rule.from.literal() {
                let path = self.path(rule, from);
                self.exact.entry(stemmed(&path)).or_insert(at);
                self.forms.entry(path).or_insert(at);
            }
        }
    }

    fn note(&mut self, place: &SourceLocation, problem: Problem) {
        let known = self.problems.entry(place.path.clone()).or_default();
        let problem = Problem {
            place: Some(place.clone()),
            ..problem.cause(Cause::OldAddress)
        };
        Problem::note_all(known, [problem]);
    }

    /// The old address of a rule, as a path from the root.
    fn path(&self, rule: &Rule, from: &str) -> String {
        let publication = self.table.publication;
        if rule.of_text {
            return format!("/{}", bare(publication.plan.site_path(from)));
        }
        let path = decoded(Address::parse(from).path).into_owned();
        let base = publication.site.base.path();
        match path.strip_prefix(base) {
            Some(rest) if !base.is_empty() && rest.starts_with('/') => rest.to_owned(),
            _ => path,
        }
    }

    /// Adds the redirect of one old address.
    fn rule(&mut self, rules: &[Rule], rule: &Rule, from: &str, rank: Rank) {
        let Some(to) = rule.to.literal() else { return };
        let place = &rule.place;
        if rule.of_text && self.table.is_page_of(from) {
            return;
        }
        let path = self.path(rule, from);
        let address = match OldAddress::new(path.clone()) {
            Ok(address) => address,
            Err(error) => {
                return self.note(place, unpublished(from, &error));
            }
        };
        let written = to;
        let to = match self.end(rules, &path, to).or_problem(from, written) {
            Ok(to) => to,
            Err(problem) => return self.note(place, problem),
        };
        match self.owner(&address) {
            None => {}
            // Links to such an address lead to a list, but readers get no answer there.
            Some(owner) if owner == to && self.is_list_elsewhere(&address, rank, &to) => {}
            // A host without this server tells `/a.html` from `/a/`.
            Some(owner) if owner == to && self.is_other_form(&address, rank, &to) => {}
            Some(owner) if owner.path().is_some() && owner.path() == to.path() => return,
            Some(owner) if owner == to => return,
            Some(_) if rank != Rank::Written => return,
            Some(owner) => {
                let message = format!(
                    "the redirect is not taken over: `{}` is an address of `{owner}`",
                    shorten(from, 200)
                );
                return self.note(place, Problem::warning(message));
            }
        }
        let is_written = rank == Rank::Written;
        let redirect = Redirect {
            to,
            written: is_written.then(|| written.into()),
            place: is_written.then(|| place.clone()),
            rank,
        };
        let suffixed = OldAddress::new(format!("{path}.html"));
        self.insert(address, redirect.clone());
        if rule.of_text
            && let Ok(suffixed) = suffixed
            && !self.old.redirects.contains_key(&suffixed)
        {
            let redirect = Redirect {
                place: None,
                rank: Rank::Other,
                ..redirect
            };
            self.insert(suffixed, redirect);
        }
    }

    /// Whether an address that the author wrote leads to a list, at another address and without a
    /// redirect.
    fn is_list_elsewhere(&self, address: &OldAddress, rank: Rank, to: &Destination) -> bool {
        let is_other = |path: &str| {
            stem_of(address.as_str()) != stem_of(path) && is_generated_page(&format!("{path}.html"))
        };
        rank == Rank::Written
            && !self.old.redirects.contains_key(address)
            && to.path().is_some_and(is_other)
    }

    /// Whether an address that the author wrote is another form of an old one, with a file of its
    /// own in a folder for a host, and not a form of its target.
    fn is_other_form(&self, address: &OldAddress, rank: Rank, to: &Destination) -> bool {
        let plain = address.as_str().trim_end_matches('/');
        let has_form = |end: &str| {
            let known = self.old.redirects.get(format!("{plain}{end}").as_str());
            known.is_some()
        };
        rank == Rank::Written
            && to.path().map(stem_of) != Some(stem_of(address.as_str()))
            && !has_form("")
            && !has_form("/")
    }

    /// Where an old address leads already.
    fn owner(&self, address: &OldAddress) -> Option<Destination> {
        let path = address.as_str().trim_end_matches('/');
        if let Some(redirect) = self.old.redirects.get(address) {
            return Some(redirect.to.clone());
        }
        match self.table.exactly(&stem_of(path)) {
            Some(RootTarget::To(to)) => Some(to),
            _ => None,
        }
    }

    fn insert(&mut self, address: OldAddress, redirect: Redirect) {
        if let Some(path) = redirect.to.path() {
            self.table.add_old(&stem_of(address.as_str()), path);
        }
        self.old
            .insert(self.table.publication.site, address, redirect);
    }

    /// The end of a redirect, through other redirects.
    fn end(&self, rules: &[Rule], from: &str, to: &str) -> End {
        let mut seen: FxHashSet<usize> = self.forms.get(from).copied().into_iter().collect();
        let mut to = to.to_owned();
        let mut fragment = None;
        for _ in 0..LONGEST_CHAIN {
            let Some(path) = self.table.on_own_site(&to) else {
                return match Destination::parse(&to) {
                    Ok(to @ Destination::Elsewhere(_)) => End::To(to),
                    _ => End::Nowhere,
                };
            };
            let address = Address::parse(path);
            // A browser keeps the fragment until a redirect has one of its own.
            let own = address.fragment.filter(|fragment| !fragment.is_empty());
            fragment = own.map(str::to_owned).or(fragment);
            let plain = decoded(address.path).into_owned();
            let Some(plain) = join("", &plain) else {
                return End::Nowhere;
            };
            if let Some(next) = self.next(&plain, address.path.ends_with('/')) {
                if !seen.insert(next) {
                    return End::Circle;
                }
                match rules[next].to.literal() {
                    Some(next) => to = next.to_owned(),
                    None => return End::Nowhere,
                }
                continue;
            }
            return self.last(path, &plain, fragment.as_deref());
        }
        End::Circle
    }

    /// The rule of a path where nothing is published: that of its own form, else that of another.
    fn next(&self, plain: &str, is_folder: bool) -> Option<usize> {
        let key = stemmed(&format!("/{plain}"));
        if self.table.is_live(&key) {
            return None;
        }
        let slash = if is_folder && !plain.is_empty() {
            "/"
        } else {
            ""
        };
        let own = self.forms.get(&format!("/{plain}{slash}"));
        own.or_else(|| self.exact.get(&key)).copied()
    }

    /// Where a chain of redirects ends that no other continues.
    fn last(&self, path: &str, plain: &str, fragment: Option<&str>) -> End {
        match self.table.leads(plain) {
            Some(RootTarget::To(to)) => End::To(self.place(to, plain, fragment)),
            Some(RootTarget::Hidden(source, why)) => End::Hidden(format!(
                "the redirect leads to `{source}`, which is not published: {why}"
            )),
            None => self.elsewhere(path),
        }
    }

    /// The place on a page that a fragment names there, by the id that it has here.
    fn place(&self, to: Destination, plain: &str, fragment: Option<&str>) -> Destination {
        let (Destination::Here(path), Some(fragment)) = (&to, fragment) else {
            return to;
        };
        let id = self.table.id_of_root(plain, fragment);
        let id = id.unwrap_or_else(|| decoded(fragment).into_owned());
        Destination::place(path.clone(), &id)
    }

    /// A path that has no target here may be one of the larger site.
    fn elsewhere(&self, path: &str) -> End {
        let url = self.table.of_larger_site(path);
        match url.map(|url| Destination::parse(&url)) {
            Some(Ok(to)) => End::To(to),
            _ => End::Nowhere,
        }
    }

    /// The redirects of patterns, for all addresses of the folder.
    fn patterns(&mut self, rules: &[Rule]) {
        let patterns: Vec<&Rule> = rules
            .iter()
            .filter(|rule| rule.from.literal().is_none())
            .collect();
        if patterns.is_empty() {
            return;
        }
        let addresses = self.addresses();
        let (mut added, mut compared) = (0, 0);
        let mut unsaid: BTreeMap<&str, (&SourceLocation, usize)> = BTreeMap::new();
        for rule in patterns {
            if !rule.from.is_known_from(&rule.to) || !rule.to.beginning().starts_with('/') {
                // Of endless addresses that lead to one place, only their folder is one.
                if let Some(folder) = rule.from.folder() {
                    self.rule(rules, rule, folder, Rank::Other);
                }
                unsaid.entry(&rule.place.path).or_insert((&rule.place, 0)).1 += 1;
                continue;
            }
            for (address, to) in matching(&addresses, &rule.to, &mut compared) {
                let Some(from) = old_address(rule, address) else {
                    continue;
                };
                if added < MOST_EXPANDED && self.is_free(&from, to) {
                    let redirect = Redirect {
                        to: Destination::Here(to.clone()),
                        written: None,
                        place: None,
                        rank: Rank::Other,
                    };
                    self.insert(from, redirect);
                    added += 1;
                }
            }
        }
        let unsaid: Vec<_> = unsaid
            .into_values()
            .map(|(place, count)| (place.clone(), count))
            .collect();
        for (place, count) in unsaid {
            let message = format!(
                "{count} of the redirects are patterns that lead to one page or to another site: only the address without the pattern is taken over"
            );
            self.note(&place, Problem::warning(message));
        }
    }

    /// Whether a pattern may give this address to a text.
    fn is_free(&self, from: &OldAddress, to: &str) -> bool {
        let stem = stem_of(from.as_str());
        stem != to
            && !stem.is_empty()
            && !self.exact.contains_key(&stem)
            && self.owner(from).is_none()
    }

    /// Every address of the folder without suffix and closing slash, with the text or file there.
    fn addresses(&self) -> BTreeMap<String, String> {
        let publication = self.table.publication;
        let mut addresses = BTreeMap::new();
        for candidate in publication.published() {
            let stem = &*candidate.stem.value;
            addresses.insert(stem.to_owned(), stem.to_owned());
            let path = publication.plan.site_path(&candidate.path);
            addresses
                .entry(format!("/{}", bare(path)))
                .or_insert_with(|| stem.to_owned());
        }
        for (old, redirect) in &*self.old.redirects {
            if let Some(to) = redirect.to.path() {
                addresses
                    .entry(stem_of(old.as_str()))
                    .or_insert_with(|| to.to_owned());
            }
        }
        addresses
    }
}

/// The problem of an address whose redirects lead back to it.
pub fn circle(address: &str) -> Problem {
    let address = shorten(address, 200);
    Problem::warning(format!("the redirect of `{address}` leads in a circle"))
}

fn unpublished(from: &str, error: &AddressError) -> Problem {
    let message = format!(
        "the old address `{}` is not published: {error}",
        shorten(&from.escape_debug().to_string(), 60)
    );
    Problem::error(message).hint(error.hint())
}

/// The addresses that a target means.
fn matching<'a>(
    addresses: &'a BTreeMap<String, String>,
    to: &Pattern,
    compared: &mut usize,
) -> Vec<(&'a String, &'a String)> {
    let to = ended(to);
    let beginning = to.beginning().to_owned();
    let mut found = Vec::new();
    for (address, target) in addresses.range(beginning.clone()..) {
        *compared += 1;
        if *compared > MOST_COMPARED || !address.starts_with(&beginning) {
            break;
        }
        if to.captures(address).is_some() {
            found.push((address, target));
        }
    }
    found
}

/// The old address of a rule for an address that its target means.
fn old_address(rule: &Rule, address: &str) -> Option<OldAddress> {
    let to = ended(&rule.to);
    let captures = to.captures(address)?;
    let from = rule.from.filled(&captures)?;
    OldAddress::new(decoded(&from).into_owned()).ok()
}

/// A target as addresses are compared: without suffix and closing slash.
fn ended(to: &Pattern) -> Pattern {
    let to = to.clone().without_end("/").without_end("/index.html");
    to.without_end(".html").without_end(".md")
}
