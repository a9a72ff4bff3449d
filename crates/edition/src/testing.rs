//! Fixtures of this crate's tests.

use bytes::Bytes;
use diglot_content::fingerprint::Fingerprint;
use diglot_content::library::{Indexed, Kind, LlmsPlace, Rank, Tag};
use diglot_content::settings::Settings;
use diglot_content::{Article, BaseUrl, Destination, Moment, OldAddress, Site, Target, markdown};
use jiff::Timestamp;

use crate::documents::{Entry, Material};
use crate::errors::{ErrorBodies, ErrorForm, SuggestedPage};
use crate::redirects::Moved;
use crate::route::{Form, Route};

/// The instant of every test.
pub(crate) const NOW: &str = "2027-01-02T03:04:05Z";

/// A site at `https://example.org`.
pub(crate) fn site() -> Site {
    site_at("https://example.org")
}

/// A site at this base URL.
pub(crate) fn site_at(base: &str) -> Site {
    let base = BaseUrl::parse(base).unwrap();
    Site {
        description: "A small publication <for> tests".into(),
        author: Some("Ada Lovelace".into()),
        authors: vec!["Ada Lovelace".into()],
        ..Settings::default()
            .into_site("Notes & Queries", base)
            .unwrap()
    }
}

/// A day, as in front matter.
pub(crate) fn day(text: &str) -> Moment {
    Moment::of_day(format!("{text}T00:00:00Z").parse().unwrap())
}

/// An article with this slug, date (if any) and text.
pub(crate) fn article(slug: &str, date: Option<&str>, text: &str) -> Article {
    let document = markdown::parse(text, &markdown::Options::default());
    let targets = document
        .references
        .iter()
        .map(|reference| Target::Url(reference.raw.clone()))
        .collect();
    Article {
        kind: Kind::Article,
        source: format!("secret-folder/{slug}.md").into(),
        stem: format!("/articles/{slug}").into(),
        title: format!("About {slug}").into(),
        summary: format!("What there is to say about {slug}.").into(),
        date: date.map(day),
        updated: day(date.unwrap_or("2024-06-01")),
        authors: vec!["Grace Hopper".into()],
        tags: vec![Tag {
            name: "Ships & Compilers".into(),
            slug: "ships".into(),
        }],
        language: "en".into(),
        rtl: false,
        translations: Vec::new(),
        image: None,
        cover: None,
        series: Vec::new(),
        guid: None,
        weight: None,
        llms: LlmsPlace::Listed,
        listed: true,
        indexed: Indexed::default(),
        document: document.into(),
        targets,
        digest: Fingerprint::hash_one(&(slug, date, text)),
    }
}

/// The stems of pages that every site of tests has.
const FIXED: [&str; 5] = ["/index", "/articles/index", "/tags/ships", "/api", "/terms"];

/// Articles with the pages of every site, as documents see them.
pub(crate) struct World {
    pub(crate) site: Site,
    pub(crate) articles: Vec<Article>,
    routes: Vec<Route>,
    fixed: Vec<Route>,
    /// The Markdown of each; empty for the fixed pages.
    pub(crate) words: Vec<Bytes>,
}

impl World {
    /// These articles in the library's order.
    pub(crate) fn new(mut articles: Vec<Article>) -> Self {
        articles.sort_by(|one, other| {
            other
                .date
                .cmp(&one.date)
                .then_with(|| one.stem.cmp(&other.stem))
        });
        let routes = articles
            .iter()
            .map(|article| Route::of_stem(&article.stem, Form::Html))
            .collect();
        let fixed = FIXED.map(|stem| Route::of_stem(stem, Form::Html)).to_vec();
        let words = articles
            .iter()
            .map(|article| format!("The words of {}.", article.stem).into())
            .collect();
        Self {
            site: site(),
            articles,
            routes,
            fixed,
            words,
        }
    }

    /// `count` dated articles with summaries of this length.
    pub(crate) fn many(count: usize, summary: usize) -> Self {
        let articles = (0..count).map(|number| {
            let date = format!(
                "{}-{:02}-{:02}",
                2026 - number % 12,
                1 + number % 12,
                1 + number % 28
            );
            let template = article(
                &format!("a-story-with-the-number-{number}"),
                Some(&date),
                "",
            );
            Article {
                summary: "word ".repeat(summary / 5).into(),
                ..template
            }
        });
        Self::new(articles.collect())
    }

    pub(crate) fn material(&self) -> Material<'_> {
        static NOTHING: Bytes = Bytes::new();
        let fixed = self.fixed.iter().zip(FIXED);
        let fixed = fixed.map(|(route, stem)| entry(&self.site, (route, stem), None, &NOTHING));
        let articles = self.routes.iter().zip(&self.articles).zip(&self.words);
        let articles = articles.map(|((route, article), words)| {
            entry(&self.site, (route, &article.stem), Some(article), words)
        });
        Material::new(
            &self.site,
            fixed.chain(articles).collect(),
            NOW.parse().unwrap(),
        )
    }
}

fn entry<'a>(
    site: &'a Site,
    (route, stem): (&'a Route, &'a str),
    article: Option<&'a Article>,
    words: &'a Bytes,
) -> Entry<'a> {
    Entry {
        key: Fingerprint::hash_one(&route.path()),
        digest: twin(words),
        words,
        merged: 0..words.len(),
        labels: &[],
        base: &site.base,
        route,
        stem,
        title: article.map_or("A fixed page", |article| &article.title),
        summary: article.map_or("", |article| &article.summary),
        modified: article.map_or(day("2023-03-03"), |article| article.updated),
        article,
        size: 1_000,
        feed: None,
    }
}

/// Bodies that contain only their status.
#[derive(Debug)]
pub(crate) struct PlainErrors;

impl ErrorBodies for PlainErrors {
    fn body(
        &self,
        _form: ErrorForm,
        status: u16,
        _requested: &str,
        _nearest: &[SuggestedPage],
    ) -> Bytes {
        Bytes::from(status.to_string())
    }
}

/// The instant of every test.
pub(crate) fn now() -> Timestamp {
    NOW.parse().unwrap()
}

/// A body's text; pictures are converted lossily.
pub(crate) fn text(body: &crate::Body) -> String {
    String::from_utf8_lossy(&body.to_bytes()).into_owned()
}

/// The digest of a twin that contains these words.
pub(crate) fn twin(words: &[u8]) -> crate::Digest {
    crate::Digest::hash(&[b"twin of ", words].concat())
}

/// Old addresses and their targets, as in front matter.
pub(crate) fn redirects(pairs: &[(&str, &str)]) -> std::collections::BTreeMap<OldAddress, Moved> {
    pairs
        .iter()
        .map(|(old, to)| {
            (
                OldAddress::new((*old).to_owned()).unwrap(),
                Moved {
                    to: Destination::parse(to).unwrap(),
                    rank: Rank::Written,
                },
            )
        })
        .collect()
}
