//! The property behind the cache table: a cache that ignores `Vary` but obeys `Cache-Control` never
//! hands Markdown to a browser.

use std::collections::BTreeMap;

use diglot_edition::Edition;
use diglot_http::Payload;
use http::Response;
use proptest::prelude::*;

use crate::{field, get, site};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const ACCEPTS: [&str; 7] = [
    BROWSER,
    "*/*",
    "",
    "text/markdown",
    "text/markdown, text/html, */*",
    "application/json",
    "text/html;q=0, text/markdown",
];
const TARGETS: [&str; 9] = [
    "/",
    "/index.html",
    "/articles/first.html",
    "/articles/deep/%C3%A9t%C3%A9.html",
    "/articles/first",
    "/2019/first/",
    "/articles/over.html",
    "/no/such/page.html",
    "/no/such/page",
];

/// A cache that keys by URL alone: shared as a CDN, or a browser's own; it revalidates by tag or by
/// date.
struct VaryBlindCache<'e> {
    edition: &'e Edition,
    shared: bool,
    by_date: bool,
    now: u64,
    stored: BTreeMap<&'static str, (Stored, u64)>,
}

#[derive(Clone, Debug)]
struct Stored {
    media: String,
    tag: String,
    date: String,
    cache_control: String,
}

impl Stored {
    fn from_response(response: &Response<Payload>, shared: bool) -> Self {
        let own = |name| field(response, name).to_owned();
        Self {
            media: own("content-type"),
            tag: own("etag"),
            date: own("last-modified"),
            // RFC 9213 section 2.1: a shared cache that knows the field ignores the other.
            cache_control: match field(response, "cdn-cache-control") {
                lifetime if shared && !lifetime.is_empty() => lifetime.to_owned(),
                _ => own("cache-control"),
            },
        }
    }

    fn says(&self, directive: &str) -> bool {
        self.cache_control.split(", ").any(|part| part == directive)
    }

    /// Without any lifetime a cache may guess one (RFC 9111 section 4.2.2).
    fn max_age(&self) -> u64 {
        self.cache_control
            .split(", ")
            .find_map(|part| part.strip_prefix("max-age="))
            .map_or(60, |seconds| seconds.parse().unwrap())
    }
}

impl VaryBlindCache<'_> {
    /// The media type of what a client gets that sends this `Accept`.
    fn fetch(&mut self, target: &'static str, accept: &str) -> String {
        let known = self.stored.get(target).cloned();
        if let Some((stored, since)) = &known
            && !stored.says("no-cache")
            && self.now - since < stored.max_age()
        {
            return stored.media.clone();
        }
        let mut fields = vec![("accept", accept)];
        if let Some((stored, _)) = &known {
            let (name, value) = if self.by_date {
                ("if-modified-since", &stored.date)
            } else {
                ("if-none-match", &stored.tag)
            };
            fields.extend((!value.is_empty()).then_some((name, value.as_str())));
        }
        let response = get(self.edition, target, &fields);
        if let (304, Some((stored, _))) = (response.status().as_u16(), known) {
            self.stored.insert(target, (stored.clone(), self.now));
            return stored.media;
        }
        let answer = Stored::from_response(&response, self.shared);
        if !(answer.says("no-store") || self.shared && answer.says("private")) {
            self.stored.insert(target, (answer.clone(), self.now));
        }
        answer.media
    }
}

fn one_of<T: Clone + std::fmt::Debug + 'static, const N: usize>(
    choices: [T; N],
) -> impl Strategy<Value = T> {
    prop::sample::select(choices.to_vec())
}

proptest! {
    #[test]
    fn contract_2_a_vary_blind_cache_never_hands_markdown_to_a_browser(
        shared: bool,
        by_date: bool,
        has_own_lifetime: bool,
        steps in prop::collection::vec((one_of([0u64, 1, 30, 200]), one_of(TARGETS), one_of(ACCEPTS)), 1..60),
    ) {
        let mut settings = site::settings("https://example.org");
        settings.shared.max_age = has_own_lifetime.then_some(86_400);
        let edition = site::bare_edition_of(settings);
        let mut cache = VaryBlindCache { edition: &edition, shared, by_date, now: 0, stored: BTreeMap::new() };
        for (seconds, target, accept) in steps {
            cache.now += seconds;
            let media = cache.fetch(target, accept);
            if accept == BROWSER {
                prop_assert!(!media.starts_with("text/markdown"), "{target}");
            }
        }
    }
}

/// A model that cannot fail proves nothing: it must store and serve what it may.
#[test]
fn the_model_cache_keeps_what_it_may() {
    let edition = site::bare_edition("https://example.org");
    let mut cache = VaryBlindCache {
        edition: &edition,
        shared: true,
        by_date: false,
        now: 0,
        stored: BTreeMap::new(),
    };
    assert!(
        cache
            .fetch("/articles/first.html", BROWSER)
            .starts_with("text/html")
    );
    assert!(
        cache
            .fetch("/articles/first.html", "text/markdown")
            .starts_with("text/html"),
        "a fresh answer is reused, whatever Vary says"
    );
    cache.now = 301;
    assert!(
        cache
            .fetch("/articles/first.html", "text/markdown")
            .starts_with("text/markdown")
    );
    assert!(
        cache
            .fetch("/articles/first.html", BROWSER)
            .starts_with("text/html")
    );
}
