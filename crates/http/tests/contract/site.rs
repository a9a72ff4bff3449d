//! A small edition put together by hand, so that the answers to it need no article, no theme and no
//! folder.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

use std::sync::Arc;

use bytes::Bytes;
use diglot_content::library::Rank;
use diglot_content::settings::Settings;
use diglot_content::{BaseUrl, Destination, OldAddress, Site};
use diglot_edition::redirects::Moved;
use diglot_edition::{
    Body, Coding, Edition, ErrorBodies, ErrorForm, Form, Parts, Resource, Route, SuggestedPage,
};

/// The edition with every coding made that pays.
pub fn edition(base: &str) -> Edition {
    let edition = bare_edition(base);
    for resource in &edition.resources {
        Coding::ALL
            .into_iter()
            .for_each(|coding| resource.fill(coding));
    }
    edition
}

/// The edition as it is right after it was built: no coding is made.
pub fn bare_edition(base: &str) -> Edition {
    bare_edition_of(settings(base))
}

/// The same with these settings.
pub fn bare_edition_of(site: Site) -> Edition {
    let mut parts = parts(site);
    parts.resources = pages()
        .into_iter()
        .chain(documents())
        .map(std::sync::Arc::new)
        .collect();
    parts.listed = Arc::new(
        vec![
            nearest("First", "/articles/first"),
            nearest("Été", "/articles/deep/été"),
        ]
        .into(),
    );
    let old = [(
        OldAddress::new("/2019/first/".to_owned()).unwrap(),
        Moved {
            to: Destination::parse("/articles/first").unwrap(),
            rank: Rank::Written,
        },
    )];
    parts.redirects = Arc::new(old.into());
    parts.expired = ["/articles/over".to_owned()].into();
    Edition::assemble(parts)
}

/// The settings of a site at this base URL.
pub fn settings(base: &str) -> Site {
    let base = BaseUrl::parse(base).unwrap();
    Settings::default().into_site("Notes", base).unwrap()
}

/// An edition's parts without any resource.
pub fn parts(site: Site) -> Parts {
    Parts::new(Arc::new(site), Arc::new(PlainErrors))
}

/// Articles and the home page in both forms.
fn pages() -> Vec<Resource> {
    let stems = [
        "/index",
        "/articles/first",
        "/articles/deep/été",
        "/sections/deep",
        "/404",
    ];
    let forms = [Form::Html, Form::Markdown];
    stems
        .iter()
        .flat_map(|stem| {
            forms.map(|form| {
                resource(Route::of_stem(stem, form), page(stem, form))
                    .linked("</llms.txt>; rel=\"describedby\"")
            })
        })
        .collect()
}

fn page(stem: &str, form: Form) -> Bytes {
    let words = "the same words again and again ".repeat(40);
    match form {
        Form::Html => format!("<!doctype html><title>{stem}</title><p>{words}"),
        Form::Markdown => format!("# {stem}\n\n{words}\n"),
    }
    .into()
}

fn documents() -> Vec<Resource> {
    let merged = Body::rope(
        (0..50).map(|number| Bytes::from(format!("# Article {number}\n\nSome text.\n\n"))),
    );
    let text = |route: Route| {
        resource(
            route.clone(),
            Bytes::from(format!("{} ", route.path()).repeat(20)),
        )
    };
    let documents = [
        Route::Rss,
        Route::Sitemap,
        Route::SitemapMarkdown,
        Route::Llms,
        Route::Status,
        Route::OpenApi,
        Route::ApiCatalog,
        Route::Robots,
    ];
    let files = [
        Route::Asset("main.0123456789abcdef.css".into()),
        Route::File("pictures/a b.png".into()),
        Route::File("pictures/x.svg".into()),
    ];
    let empty = resource(Route::File("empty.txt".into()), Bytes::new());
    documents
        .into_iter()
        .chain(files)
        .map(text)
        .chain([resource(Route::LlmsFull, merged), empty])
        .collect()
}

pub fn resource(route: Route, body: impl Into<Body>) -> Resource {
    Resource::new(route, body, "2024-05-06T07:08:09Z".parse().unwrap())
}

pub fn nearest(title: &str, stem: &str) -> SuggestedPage {
    SuggestedPage {
        title: title.into(),
        stem: stem.into(),
    }
}

/// Error bodies that only repeat what they were told, a line each.
#[derive(Debug)]
struct PlainErrors;

impl ErrorBodies for PlainErrors {
    fn body(
        &self,
        form: ErrorForm,
        status: u16,
        requested: &str,
        nearest: &[SuggestedPage],
    ) -> Bytes {
        let near: String = nearest
            .iter()
            .map(|page| format!("near {}\n", page.stem))
            .collect();
        format!("{form:?} {status}\n{requested}\n{near}").into()
    }
}
