use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::*;
use crate::model::document::{Purpose, Rendering, Target, write_markdown};
use crate::model::site::{BaseUrl, Site};
use crate::model::sources::{ChangeOrigin, FileDates, Sources};

mod addresses;
mod astro;
mod bookdown;
mod books;
mod bounded;
mod bundled;
mod components;
mod conditions;
mod dates;
mod documentation;
mod eleventy;
mod exclusions;
mod fallbacks;
mod front_languages;
mod fumadocs;
mod gatsby;
mod generators;
mod habits;
mod headers;
mod hexo;
mod hidden;
mod hugo;
mod hugo_visibility;
mod in_languages;
mod inherited;
mod jekyll;
mod jupyterbook;
mod kept;
mod kinds;
mod legacy_books;
mod links;
mod mdbook;
mod memory;
mod metadata;
mod metalsmith;
mod mintlify;
mod missing;
mod mkdocs;
mod nextra;
mod nikola;
mod nuxt;
mod old_addresses;
mod order;
mod order_kinds;
mod other_addresses;
mod own_addresses;
mod pelican;
mod preview;
mod programs;
mod projects;
mod properties;
mod quarto;
mod quartz;
mod redirects;
mod repositories;
mod retype;
mod reviewed;
mod scope;
mod selections;
mod several;
mod sphinx;
mod titles;
mod trust;
mod underscored;
mod untranslated;
mod values;
mod vaults;
mod vuepress;
mod vuepress_places;
mod zola;

const NOW: &str = "2024-06-01T12:00:00Z";

/// The sources of the published texts, in order.
fn texts_of(library: &Library) -> Vec<String> {
    let texts = library.articles.iter().chain(&library.pages);
    let mut sources: Vec<String> = texts.map(|text| text.source.to_string()).collect();
    sources.sort();
    sources
}

fn published_texts(files: &[(&str, &str)]) -> Vec<String> {
    texts_of(&build(files))
}

fn sources(files: &[(&str, &str)]) -> Sources {
    let mut sources = diglot_document::testing::sources(files);
    sources.name = "folder".to_owned();
    for file in &mut sources.files {
        file.dates.changed = "2020-02-02T00:00:00Z".parse().unwrap();
    }
    sources
}

fn site() -> Site {
    crate::syntax::settings::Settings::default()
        .into_site("Folder", BaseUrl::parse("https://example.org").unwrap())
        .unwrap()
}

fn build(files: &[(&str, &str)]) -> Library {
    Library::build(&sources(files), &site(), NOW.parse().unwrap())
}

/// The former addresses and their targets, without the addresses of sections, which lead to lists.
fn former(library: &Library) -> Vec<String> {
    const LISTS: [&str; 4] = ["/articles/index", "/rss.xml", "/languages/", "/sections/"];
    let is_list = |to: &str| LISTS.iter().any(|list| to.starts_with(list));
    let redirects = library
        .redirects
        .iter()
        .filter(|(_, new)| new.place.is_some() || !new.to.path().is_some_and(is_list));
    redirects.map(|(old, new)| format!("{old} {new}")).collect()
}

/// Each page as `stem: twin`, then each file, then each problem.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let library = build(files);
    let site = site();
    let pages = library
        .articles
        .iter()
        .chain(&library.pages)
        .map(|article| {
            let rendering = Rendering {
                base: &site.base,
                stem: &article.stem,
                targets: &article.targets,
                purpose: Purpose::Twin,
                typography: None,
                back: None,
            };
            format!(
                "{}: {}",
                article.stem,
                write_markdown(&article.document, &rendering)
                    .text
                    .trim()
                    .replace('\n', "|")
            )
        });
    let files = library.files.iter().map(|file| file.path.to_string());
    let problems = library
        .problems
        .iter()
        .map(|problem| problem.to_string().replace("\n  ", " | "));
    let shown: Vec<String> = pages.chain(files).chain(problems).collect();
    assert_eq!(shown, expected);
}

/// The metadata of one article.
fn facts(files: &[(&str, &str)], of: fn(&Article) -> String, expected: &[&str]) {
    let library = build(files);
    assert_eq!(
        library
            .articles
            .iter()
            .map(|article| of(article))
            .collect::<Vec<_>>(),
        expected
    );
}

/// The twin of one article.
fn twin(library: &Library, stem: &str) -> String {
    let article = library
        .articles
        .iter()
        .find(|article| &*article.stem == stem)
        .unwrap();
    let site = site();
    let rendering = Rendering {
        base: &site.base,
        stem,
        targets: &article.targets,
        purpose: Purpose::Twin,
        typography: None,
        back: None,
    };
    write_markdown(&article.document, &rendering)
        .text
        .trim()
        .to_owned()
}
