//! Addresses in a language that lacks a text: some generators publish the text of the default
//! language there.

use rustc_hash::FxHashSet;

use super::{
    article::{Kind, Rank, Redirect},
    candidate::Candidate,
    files,
    generated::NOT_FOUND,
    links::LinkTable,
    old_addresses::OldAddresses,
    paths::{inside, split_name, stem_of},
    permalink,
    publication::Publication,
    publish::{EMPTY, Outcome},
};
use crate::dialects::Locale;
use crate::model::address::{Destination, OldAddress};

/// The maximum number of addresses.
const MOST: usize = 200_000;

/// The languages in which the generator fills in texts of the default language.
pub fn languages<'w>(publication: &'w Publication<'_>) -> impl Iterator<Item = &'w Locale> {
    let config = &publication.plan.kind.config;
    let filled = config.untranslated.then_some(&config.locales);
    let locales = filled.into_iter().flatten();
    locales.filter(|locale| !locale.name.is_empty() && !config.is_default(&locale.name))
}

/// Whether a text is in the default language.
pub fn is_default(publication: &Publication<'_>, candidate: &Candidate) -> bool {
    let config = &publication.plan.kind.config;
    let tag = &candidate.language.value;
    let default = config
        .locales
        .iter()
        .find(|locale| locale.name.is_empty() || config.is_default(&locale.name));
    *tag == publication.site.language || default.is_some_and(|default| default.tag == *tag)
}

/// Whether some text has addresses in languages that lack it.
pub fn has_any(publication: &Publication<'_>) -> bool {
    let waits = |outcome: &Outcome| matches!(outcome, Outcome::Skipped(why) if why == EMPTY);
    languages(publication).next().is_some()
        || !publication.plan.kind.config.locales.is_empty()
            && publication.outcomes.iter().any(waits)
}

/// Whether there is a file without words at the place of a text's translation. Some sites have one
/// for each text that is not translated, and their templates show the text of the default language.
fn waits(publication: &Publication<'_>, text: &Candidate, locale: &Locale) -> bool {
    let paths = paths_in(publication, text, locale);
    paths.iter().any(|path| {
        let at = files::position(publication.sources, path);
        at.is_some_and(
            |at| matches!(&publication.outcomes[at], Outcome::Skipped(why) if why == EMPTY),
        )
    })
}

/// The paths that a translation of a text may have.
fn paths_in(publication: &Publication<'_>, text: &Candidate, locale: &Locale) -> Vec<String> {
    let (folder, file) = split_name(&text.path);
    let mut paths = Vec::new();
    if let Some((stem, suffix)) = file.split_once('.') {
        paths.push(inside(folder, &format!("{stem}.{}.{suffix}", locale.name)));
    }
    if let Some((_, rest)) = publication.plan.mount(&text.path) {
        let mounts = publication.plan.mounts.iter();
        let own = mounts.filter(|mount| mount.within.as_deref() == Some(&*locale.name));
        paths.extend(own.map(|mount| inside(&mount.folder, rest)));
    }
    paths
}

/// Adds the address of every text in the languages that lack it.
pub fn add(table: &mut LinkTable<'_>, old: &mut OldAddresses) {
    let publication = table.publication;
    if !has_any(publication) {
        return;
    }
    let config = &publication.plan.kind.config;
    let others = config.locales.iter();
    let others = others.filter(|one| !one.name.is_empty() && !config.is_default(&one.name));
    let languages: Vec<&Locale> = others.collect();
    let translated = translated(publication);
    let mut added = 0;
    for text in publication
        .published()
        .filter(|text| is_default(publication, text))
    {
        let stem = &*text.stem.value;
        if stem == NOT_FOUND {
            continue;
        }
        let own = permalink::former_addresses(text, publication);
        for locale in &languages {
            if translated.contains(&(text.kind, &text.language_group, &locale.tag)) {
                continue;
            }
            if !config.untranslated && !waits(publication, text, locale) {
                continue;
            }
            // The others follow from the path of the file, and the generator has them in no language.
            for address in own.iter().take(1) {
                let whole = format!("/{}{}", locale.name, undefaulted(publication, address));
                if added < MOST && add_free(table, old, whole, stem) {
                    added += 1;
                }
            }
        }
    }
}

/// The texts that are published, and their languages.
fn translated<'w>(publication: &'w Publication<'_>) -> FxHashSet<(Kind, &'w str, &'w str)> {
    let mut translated: FxHashSet<(Kind, &str, &str)> = FxHashSet::default();
    for text in publication.published() {
        translated.insert((text.kind, &text.language_group, &text.language.value));
    }
    translated
}

/// Adds a former address if nothing has it. Returns whether it does.
fn add_free(
    table: &mut LinkTable<'_>,
    old: &mut OldAddresses,
    address: String,
    stem: &str,
) -> bool {
    let Ok(address) = OldAddress::new(address) else {
        return false;
    };
    let key = stem_of(address.as_str());
    if table.is_live(&key) || old.redirects.contains_key(&address) {
        return false;
    }
    table.add_old(&key, stem);
    let redirect = Redirect {
        to: Destination::Here(stem.to_owned()),
        written: None,
        place: None,
        rank: Rank::Other,
    };
    old.insert(table.publication.site, address, redirect);
    true
}

/// An address without the folder of the default language.
fn undefaulted<'a>(publication: &Publication<'_>, address: &'a str) -> &'a str {
    let first = address.trim_start_matches('/').split('/').next();
    let first = first.filter(|first| publication.plan.kind.config.is_default(first));
    first.map_or(address, |first| &address[1 + first.len()..])
}
