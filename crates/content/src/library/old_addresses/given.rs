//! The former addresses that each text gives: those that its author lists, and those that follow from
//! its generator.

use percent_encoding::percent_decode_str;

use crate::dialects::Kind;
use crate::library::{
    aliases, article,
    candidate::Candidate,
    fields::{self, quoted},
    paths::{as_url, path_on_site, stem_of, url_path},
    permalink, permalink_template,
    publication::Publication,
};
use crate::model::{
    address::{AddressError, OldAddress},
    problem::{Cause, Problem},
};
use crate::syntax::front::Front;

/// A former address of one text.
pub(super) struct Given {
    /// The address, or why it is invalid.
    pub address: Result<OldAddress, Problem>,
    /// The author's line and column; `None`: the address follows from the conventions of another
    /// generator.
    pub position: Option<(u32, u32)>,
    /// Whether it is the text's own address in another generator. There it may belong to a list, so
    /// it does not ask for an additional address.
    pub own: bool,
    pub origin: Origin,
}

/// What an address follows from, the most certain first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The author lists it.
    Author,
    /// The generator gave it.
    Generator,
    /// It is the path of the file.
    Path,
}

impl Given {
    pub(super) fn stem(&self) -> Option<String> {
        Some(stem_of(self.address.as_ref().ok()?.as_str()))
    }
}

/// The former addresses of a text that is published or redirects elsewhere.
pub(super) fn given(publication: &Publication<'_>, candidate: &Candidate) -> Vec<Given> {
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
    let Kind {
        dialect, config, ..
    } = &publication.plan.kind;
    dialect.aliases_are_names && !config.aliases_are_addresses
        || dialect.aliases_may_be_names && candidate.names.iter().any(|name| name == alias)
}

/// The former addresses that the author lists.
fn named(front: &Front, candidate: &Candidate, publication: &Publication<'_>) -> Vec<Given> {
    const KEYS: [&str; 9] = [
        "eleventyComputed.permalink",
        "permalink",
        "permalink.build",
        "dg-permalink",
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
            let from_root = is_alias
                .then(|| aliases::from_root(text, candidate, publication))
                .flatten();
            let text = from_root.as_deref().unwrap_or(text);
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
    if candidate.parsed.names.is_none()
        || candidate.kind == article::Kind::Page && canonical.is_none()
    {
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
        permalink::fill(&path, candidate, publication)?
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

fn unusable(text: &str, error: AddressError) -> Problem {
    let message = format!(
        "the old address `{}` is not published: {error}",
        quoted(text)
    );
    Problem::error(message)
        .cause(Cause::OldAddress)
        .hint(error.hint())
}
