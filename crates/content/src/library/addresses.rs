//! The former addresses of articles.

use std::{collections::BTreeMap, sync::Arc};

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;

use super::{
    aliases,
    article::{Kind, Rank, Redirect},
    candidate::Candidate,
    fields::{self, quoted},
    generated::{NOT_FOUND, is_reserved},
    links::LinkTable,
    paths::{Address, as_url, decoded, path_on_site, stem_of, stemmed, url_path},
    permalink, permalink_template,
    publication::Publication,
};
use crate::model::{
    address::{AddressError, Destination, OldAddress},
    parallel,
    problem::{Cause, Problem, SourceLocation},
    site::Site,
};
use crate::syntax::front::Front;

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

/// A former address of one text.
struct Given {
    /// The address, or why it is invalid.
    address: Result<OldAddress, Problem>,
    /// The author's line and column; `None`: the address follows from the conventions of another
    /// generator.
    position: Option<(u32, u32)>,
    /// Whether it is the text's own address in another generator. There it may belong to a list, so
    /// it does not ask for an additional address.
    own: bool,
    origin: Origin,
}

/// What an address follows from, the most certain first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The author lists it.
    Author,
    /// The generator gave it.
    Generator,
    /// It is the path of the file.
    Path,
}

impl Given {
    fn stem(&self) -> Option<String> {
        Some(stem_of(self.address.as_ref().ok()?.as_str()))
    }
}

/// The former addresses of a text that is published or redirects elsewhere.
fn given(publication: &Publication<'_>, candidate: &Candidate) -> Vec<Given> {
    if !publication.is_published(candidate) && candidate.redirect_to.is_none() {
        return Vec::new();
    }
    let front = &candidate.parsed.front;
    let mut given = named(front, candidate, publication);
    let mut derived = of_page(candidate, publication);
    if given.is_empty() || front.first(&["permalink", "url"]).is_none() {
        let by_generator = permalink::former_addresses(candidate, publication);
        let addresses = by_generator.iter();
        derived.extend(addresses.filter_map(|text| address(&as_url(text), candidate, publication)));
    }
    let mut stems: Vec<String> = Vec::new();
    derived.retain(|address| {
        let Ok(address) = address else { return false };
        let stem = stem_of(address.as_str());
        let is_new = !stems.contains(&stem);
        stems.push(stem);
        is_new
    });
    let is_first = [true].into_iter().chain(std::iter::repeat(false));
    given.extend(
        derived
            .into_iter()
            .zip(is_first)
            .map(|(address, first)| Given {
                address,
                position: None,
                own: true,
                origin: if first {
                    Origin::Generator
                } else {
                    Origin::Path
                },
            }),
    );
    given
}

/// Whether an alias is another name of the text, as in wikilinks, and not an address.
fn is_name(alias: &str, candidate: &Candidate, publication: &Publication<'_>) -> bool {
    let dialect = &publication.plan.kind.dialect;
    dialect.aliases_are_names
        || dialect.aliases_may_be_names && candidate.names.iter().any(|name| name == alias)
}

/// The former addresses that the author lists.
fn named(front: &Front, candidate: &Candidate, publication: &Publication<'_>) -> Vec<Given> {
    const KEYS: [&str; 8] = [
        "eleventyComputed.permalink",
        "permalink",
        "permalink.build",
        "url",
        "path",
        "aliases",
        "redirect_from",
        "old_url",
    ];
    let mut found = Vec::new();
    for entry in KEYS.into_iter().filter_map(|key| front.get(key)) {
        for node in entry.node.items() {
            let Some(text) = node.text() else { continue };
            let is_alias = entry.key.text.eq_ignore_ascii_case("aliases");
            if is_alias && is_name(text, candidate, publication) {
                continue;
            }
            let from_page = is_alias
                .then(|| aliases::from_page(text, candidate, publication))
                .flatten();
            let text = from_page.as_deref().unwrap_or(text);
            let key = entry.key.text.as_str();
            let own = key == "build"
                || fields::ADDRESS
                    .iter()
                    .any(|own| key.eq_ignore_ascii_case(own));
            let position = (node.line > 0).then_some((node.line, node.column));
            found.extend(address(text, candidate, publication).map(|address| Given {
                address,
                position,
                own,
                origin: Origin::Author,
            }));
        }
    }
    found
}

/// The former addresses of an already built page: the path of its file and its canonical address.
fn of_page(
    candidate: &Candidate,
    publication: &Publication<'_>,
) -> Vec<Result<OldAddress, Problem>> {
    let canonical = candidate.parsed.canonical.as_deref();
    if candidate.parsed.names.is_none() || candidate.kind == Kind::Page && canonical.is_none() {
        return Vec::new();
    }
    let path = publication.plan.site_path(&candidate.path);
    let path = path
        .strip_suffix("index.html")
        .or_else(|| path.strip_suffix("index.htm"))
        .unwrap_or(path);
    let of_file = old_address("", format!("/{path}"));
    let of_url = canonical
        .and_then(url_path)
        .and_then(|path| address(path, candidate, publication));
    let both = std::iter::once(of_file).chain(of_url);
    both.filter(|address| {
        address
            .as_ref()
            .is_ok_and(|address| address.as_str().len() > 1)
    })
    .collect()
}

/// One former address. `None`: a word, a template or an address on another site.
fn address(
    text: &str,
    candidate: &Candidate,
    publication: &Publication<'_>,
) -> Option<Result<OldAddress, Problem>> {
    let template;
    let mut path = text;
    if text.contains("{{") {
        template = permalink_template::pattern(text, &candidate.parsed.front)?;
        path = &template;
    }
    let path = path_on_site(path, &publication.site.base)?;
    let Ok(path) = percent_decode_str(path).decode_utf8() else {
        return Some(Err(unusable(text, AddressError::Encoding)));
    };
    let filled = if permalink::is_pattern(&path) {
        permalink::fill(&path, candidate, &candidate.path, publication)?
    } else {
        path.into_owned()
    };
    let path = filled.trim_start_matches('/');
    (!path.is_empty()).then(|| old_address(text, format!("/{path}")))
}

/// An address; `text` is the author's spelling.
fn old_address(text: &str, path: String) -> Result<OldAddress, Problem> {
    OldAddress::new(path).map_err(|error| unusable(text, error))
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

fn unusable(text: &str, error: AddressError) -> Problem {
    let message = format!(
        "the old address `{}` is not published: {error}",
        quoted(text)
    );
    Problem::error(message)
        .cause(Cause::OldAddress)
        .hint(error.hint())
}
