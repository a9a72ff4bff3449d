//! The former addresses of articles: which of those that texts give are published, and where each
//! leads.

mod given;

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashMap;

use super::{
    article::{Rank, Redirect},
    candidate::Candidate,
    generated::{NOT_FOUND, is_reserved},
    links::LinkTable,
    paths::{Address, decoded, stem_of, stemmed},
    publication::Publication,
};
use crate::model::{
    address::{Destination, OldAddress},
    parallel,
    problem::{Cause, Problem, SourceLocation},
    site::Site,
};

use given::{Given, Origin, given};

/// Former addresses of the whole folder.
#[derive(Clone, Debug, Default)]
pub struct OldAddresses {
    /// Former addresses and their targets.
    pub redirects: Arc<BTreeMap<OldAddress, Redirect>>,
    pub problems: Vec<Problem>,
}

impl OldAddresses {
    /// Collects former addresses and adds them to the table. If two texts claim the same one, the
    /// first keeps it; a live page always wins.
    pub fn collect(table: &mut LinkTable<'_>) -> Self {
        let publication = table.publication;
        let mut collector = Collector::new(publication);
        let candidates = &publication.candidates;
        let given = parallel::map(candidates, |one| given(publication, one));
        let mut leads: Vec<Option<Destination>> = Vec::with_capacity(given.len());
        for (item, candidate) in publication.candidates.iter().enumerate() {
            let is_not_found = *candidate.stem.value == *NOT_FOUND;
            leads.push(if is_not_found {
                None
            } else if publication.is_published(candidate) {
                Some(Destination::Here(candidate.stem.value.to_string()))
            } else {
                let to = collector.add_redirect(candidate, table);
                if let Some(to) = &to {
                    table.add_redirect(item, &candidate.stem.value, to.clone());
                }
                to
            });
        }
        let mut ranks = vec![Rank::Own; leads.len()];
        for origin in [Origin::Author, Origin::Generator, Origin::Path] {
            let claims = Claims::collect(&given, origin);
            for item in in_order(publication, origin) {
                let candidate = &publication.candidates[item];
                let Some(to) = &leads[item] else { continue };
                for given in given[item].iter().filter(|given| given.origin == origin) {
                    if claims.is_shared(given) {
                        continue;
                    }
                    let Some(stem) = collector.add(candidate, given, to, ranks[item]) else {
                        continue;
                    };
                    if origin != Origin::Author {
                        ranks[item] = Rank::Other;
                    }
                    if publication.is_published(candidate) && !is_fixed(&stem) {
                        table.add_address(&*stem, item);
                    }
                }
            }
        }
        collector.old
    }
}

/// The numbers of the candidates. Of an address that translations share, the one in the language of the
/// site has it.
fn in_order(publication: &Publication<'_>, origin: Origin) -> Vec<usize> {
    let mut order: Vec<usize> = (0..publication.candidates.len()).collect();
    if origin == Origin::Author {
        let is_other = |item: &usize| {
            publication.candidates[*item].language.value != publication.site.language
        };
        order.sort_by_key(is_other);
    }
    order
}

/// Derived addresses that several texts claim: none of them gets it.
struct Claims(FxHashMap<String, (usize, bool)>);

impl Claims {
    fn collect(given: &[Vec<Given>], origin: Origin) -> Self {
        let mut claims = FxHashMap::default();
        if origin == Origin::Author {
            return Self(claims);
        }
        for (item, given) in given.iter().enumerate() {
            for given in given.iter().filter(|given| given.origin == origin) {
                let Some(stem) = given.stem() else { continue };
                let (first, shared) = claims.entry(stem).or_insert((item, false));
                *shared |= *first != item;
            }
        }
        Self(claims)
    }

    fn is_shared(&self, given: &Given) -> bool {
        let claim = given.stem().and_then(|stem| self.0.get(&stem));
        claim.is_some_and(|(_, shared)| *shared)
    }
}

impl OldAddresses {
    /// Adds an address, and the same one below the path where the folder was published.
    pub fn insert(&mut self, site: &Site, address: OldAddress, redirect: Redirect) {
        let redirects = Arc::make_mut(&mut self.redirects);
        if let Some(prefix) = &site.links.prefix
            && let Ok(whole) = OldAddress::new(format!("{prefix}{address}"))
        {
            redirects.entry(whole).or_insert_with(|| Redirect {
                place: None,
                ..redirect.clone()
            });
        }
        redirects.insert(address, redirect);
    }
}

/// The collector of former addresses.
struct Collector<'w> {
    publication: &'w Publication<'w>,
    old: OldAddresses,
    /// The files of published texts, by their stem.
    live: FxHashMap<&'w str, usize>,
    /// The file that claims a former address, by its stem.
    owners: FxHashMap<String, usize>,
}

impl<'w> Collector<'w> {
    fn new(publication: &'w Publication<'w>) -> Self {
        let mut live = FxHashMap::default();
        for candidate in publication.published() {
            live.insert(&*candidate.stem.value, candidate.file);
        }
        Self {
            publication,
            old: OldAddresses::default(),
            live,
            owners: FxHashMap::default(),
        }
    }

    fn path(&self, file: usize) -> &str {
        &self.publication.sources.files[file].path
    }

    /// Adds the address of a text that is only a redirect. Returns its target.
    fn add_redirect(
        &mut self,
        candidate: &Candidate,
        table: &LinkTable<'_>,
    ) -> Option<Destination> {
        let redirect = candidate.redirect_to.as_ref()?;
        if !candidate.visibility.is_visible() {
            return None;
        }
        let to = match redirect.to.as_ref().ok()? {
            Destination::Here(path) => {
                let address = Address::parse(path);
                let page = table.leads_to(address.path);
                let page = page.unwrap_or_else(|| stemmed(address.path));
                Destination::place(page, &decoded(address.fragment.unwrap_or_default()))
            }
            other => other.clone(),
        };
        let place = SourceLocation {
            path: self.path(candidate.file).to_owned(),
            line: redirect.line,
            column: redirect.column,
        };
        let stem = &*candidate.stem.value;
        if let Some(first) = self.live.get(stem) {
            let message = format!(
                "its redirect is not published: `{}` has the same address",
                self.path(*first)
            );
            let problem = Problem::error(message)
                .cause(Cause::SameAddress)
                .hint("rename one of the two or give it a `slug`");
            self.old.problems.push(Problem {
                place: Some(place),
                ..problem
            });
            return Some(to);
        }
        for address in [stem.to_owned(), format!("{stem}.html")] {
            if let Ok(address) = OldAddress::new(address) {
                Arc::make_mut(&mut self.old.redirects).insert(
                    address,
                    Redirect {
                        to: to.clone(),
                        written: Some(Arc::clone(&redirect.written)),
                        place: Some(place.clone()),
                        rank: Rank::Written,
                    },
                );
            }
        }
        Some(to)
    }

    /// Adds a former address of a candidate; `rank` is that of one the author did not write. Returns
    /// its stem if it was added.
    fn add(
        &mut self,
        candidate: &Candidate,
        given: &Given,
        to: &Destination,
        rank: Rank,
    ) -> Option<String> {
        let place = given.position.map(|(line, column)| SourceLocation {
            path: self.path(candidate.file).to_owned(),
            line,
            column,
        });
        let address = match self.free_address(candidate, given) {
            Ok(address) => address?,
            Err(problem) => {
                // An address derived from another generator's conventions is not the author's
                // mistake.
                if place.is_some() {
                    self.old.problems.push(Problem { place, ..problem });
                }
                return None;
            }
        };
        let stem = stem_of(address.as_str());
        self.owners.insert(stem.clone(), candidate.file);
        let rank = if place.is_some() { Rank::Written } else { rank };
        self.old.insert(
            self.publication.site,
            address,
            Redirect {
                to: to.clone(),
                written: None,
                place,
                rank,
            },
        );
        Some(stem)
    }

    /// Whether the text of a file is in another language than this one.
    fn is_in_other_language(&self, file: usize, candidate: &Candidate) -> bool {
        let candidates = &self.publication.candidates;
        let at = candidates.binary_search_by_key(&file, |other| other.file);
        at.is_ok_and(|at| candidates[at].language.value != candidate.language.value)
    }

    /// The former address if no other text has it; `None`: it is not needed.
    fn free_address(
        &self,
        candidate: &Candidate,
        given: &Given,
    ) -> Result<Option<OldAddress>, Problem> {
        let address = given.address.clone()?;
        let stem = stem_of(address.as_str());
        if *stem == *candidate.stem.value {
            return Ok(None);
        }
        if let Some(first) = self.live.get(stem.as_str()) {
            return Err(in_use(&address, self.path(*first)));
        }
        // A conflict with an address that Diglot itself uses is reported later, once everything
        // published is known.
        let is_list = !stem.starts_with("/_/") && (is_fixed(&stem) || stem == "/articles");
        if is_fixed(&stem) && given.position.is_none() || is_list && given.own {
            return Ok(None);
        }
        match self.owners.get(&stem) {
            Some(first) if self.is_in_other_language(*first, candidate) => Ok(None),
            Some(first) if *first != candidate.file => Err(leads_to(&address, self.path(*first))),
            _ => Ok(Some(address)),
        }
    }
}

/// Whether Diglot always writes a page with this stem.
fn is_fixed(stem: &str) -> bool {
    is_reserved(stem) || stem == "/index"
}

fn in_use(address: &OldAddress, path: &str) -> Problem {
    let message =
        format!("the old address `{address}` is not published: it is the address of `{path}`");
    Problem::error(message)
        .cause(Cause::OldAddress)
        .hint("remove it, or give one of the two another address")
}

fn leads_to(address: &OldAddress, path: &str) -> Problem {
    Problem::warning(format!(
        "the old address `{address}` leads to `{path}` already"
    ))
    .cause(Cause::OldAddress)
}
