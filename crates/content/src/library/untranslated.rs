//! Addresses in a language that lacks a text: some generators publish the text of the default
//! language there.

use rustc_hash::FxHashSet;

use super::{
    addresses::OldAddresses,
    article::{Kind, Rank, Redirect},
    candidate::Candidate,
    generated::NOT_FOUND,
    links::LinkTable,
    paths::stemmed,
    permalink,
    publication::Publication,
};
use crate::dialects::Locale;
use crate::model::address::{Destination, OldAddress};

/// The maximum number of addresses.
const MOST: usize = 200_000;

/// The languages in which the generator fills in texts of the default language.
pub fn languages<'w>(work: &'w Publication<'_>) -> impl Iterator<Item = &'w Locale> {
    let config = &work.plan.kind.config;
    let filled = config.untranslated.then_some(&config.locales);
    let locales = filled.into_iter().flatten();
    locales.filter(|locale| !locale.name.is_empty() && !config.is_default(&locale.name))
}

/// Whether a text is in the default language.
pub fn is_default(work: &Publication<'_>, candidate: &Candidate) -> bool {
    let config = &work.plan.kind.config;
    let tag = &candidate.language.value;
    let default = config
        .locales
        .iter()
        .find(|locale| locale.name.is_empty() || config.is_default(&locale.name));
    *tag == work.site.language || default.is_some_and(|default| default.tag == *tag)
}

/// Adds the address of every text in the languages that lack it.
pub fn add(table: &mut LinkTable<'_>, old: &mut OldAddresses) {
    let work = table.work;
    let languages: Vec<&Locale> = languages(work).collect();
    if languages.is_empty() {
        return;
    }
    let mut translated: FxHashSet<(Kind, &str, &str)> = FxHashSet::default();
    for text in work.published() {
        translated.insert((text.kind, &text.language_group, &text.language.value));
    }
    let mut added = 0;
    for text in work.published().filter(|text| is_default(work, text)) {
        let stem = &*text.stem.value;
        if stem == NOT_FOUND {
            continue;
        }
        let own = permalink::of(text, work);
        for locale in &languages {
            if translated.contains(&(text.kind, &text.language_group, &locale.tag)) {
                continue;
            }
            // The others follow from the path of the file, and the generator has them in no language.
            for address in own.iter().take(1) {
                let whole = format!("/{}{}", locale.name, undefaulted(work, address));
                let Ok(address) = OldAddress::new(whole) else {
                    continue;
                };
                let key = stemmed(address.as_str());
                if added < MOST && !table.is_live(&key) && !old.redirects.contains_key(&address) {
                    table.add_old(&key, stem);
                    let redirect = Redirect {
                        to: Destination::Here(stem.to_owned()),
                        place: None,
                        rank: Rank::Other,
                    };
                    old.insert(work.site, address, redirect);
                    added += 1;
                }
            }
        }
    }
}

/// An address without the folder of the default language.
fn undefaulted<'a>(work: &Publication<'_>, address: &'a str) -> &'a str {
    let first = address.trim_start_matches('/').split('/').next();
    let first = first.filter(|first| work.plan.kind.config.is_default(first));
    first.map_or(address, |first| &address[1 + first.len()..])
}
