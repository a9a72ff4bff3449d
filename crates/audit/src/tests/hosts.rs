//! Hosts that lack a feature or behave wrongly: what a client sees through them.

use std::collections::BTreeMap;

use super::*;
use crate::evidence::negotiated;
use crate::severity::Severity;

/// A static host without negotiation: every `.html` path serves HTML, whatever `Accept` says.
struct Static(InProcess);

impl Fetch for Static {
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer {
        let mut plain = ask.clone();
        plain.fields.retain(|(name, _)| *name != "accept");
        self.0.fetch(&plain, url)
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}

#[test]
fn a_host_that_cannot_choose_lacks_the_choice_and_breaks_nothing() {
    let card = judge(&gathered(&mut Static(InProcess(edition()))));
    assert_eq!(
        card.ended(State::Failed),
        ["negotiation.there", "errors.form"],
        "{}",
        told(&card)
    );
    assert_eq!(card.worst(), Some(Severity::Missing));
    // The whole weight of negotiation, and a quarter of that of errors.
    assert_eq!(card.score(), 100 - 9 - 2, "{}", told(&card));
}

/// A cache that ignores `Vary`, and optionally `private`.
struct Blind {
    inner: InProcess,
    obeys: bool,
    stored: BTreeMap<String, Answer>,
}

impl Fetch for Blind {
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer {
        if ask.method != "GET" || ask.fields.iter().any(|(name, _)| name.starts_with("if-")) {
            return self.inner.fetch(ask, url);
        }
        let coding = ask
            .fields
            .iter()
            .find(|(name, _)| *name == "accept-encoding")
            .map_or("", |(_, value)| value);
        let key = format!("{url} {coding}");
        if let Some(answer) = self.stored.get(&key) {
            let mut answer = answer.clone();
            answer.fields.push(("age".into(), "3".into()));
            return answer;
        }
        let answer = self.inner.fetch(ask, url);
        let may = ["private", "no-cache", "no-store"]
            .into_iter()
            .all(|name| !answer.directive(name));
        if answer.status == 200 && (may || !self.obeys) {
            self.stored.insert(key, answer.clone());
        }
        answer
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}

#[test]
fn a_cache_without_vary_that_obeys_is_safe() {
    let card = judge(&gathered(&mut Blind {
        inner: InProcess(edition()),
        obeys: true,
        stored: BTreeMap::new(),
    }));
    assert_eq!(
        card.failed(Severity::Harm),
        Vec::<&str>::new(),
        "{}",
        told(&card)
    );
    assert_eq!(
        card.failed(Severity::Broken),
        Vec::<&str>::new(),
        "{}",
        told(&card)
    );
}

#[test]
fn a_cache_that_stores_markdown_is_caught_in_the_act() {
    let card = judge(&gathered(&mut Blind {
        inner: InProcess(edition()),
        obeys: false,
        stored: BTreeMap::new(),
    }));
    let failed = card.ended(State::Failed);
    assert!(
        failed.contains(&"caches.agent-first") && failed.contains(&"caches.stored"),
        "{}",
        told(&card)
    );
}

/// A proxy that drops the validator where the answer must not be cached, as nginx does.
struct Forgetful(InProcess);

impl Fetch for Forgetful {
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer {
        let answer = self.0.fetch(ask, url);
        if answer.status != 304
            || !["private", "no-cache"]
                .into_iter()
                .any(|name| answer.directive(name))
        {
            return answer;
        }
        let mut whole = ask.clone();
        whole.fields.retain(|(name, _)| *name != "if-none-match");
        self.0.fetch(&whole, url)
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}

#[test]
fn a_proxy_that_drops_validators_of_what_no_cache_keeps_is_a_detail() {
    let card = judge(&gathered(&mut Forgetful(InProcess(edition()))));
    assert_eq!(
        card.ended(State::Failed),
        ["validators.unkept"],
        "{}",
        told(&card)
    );
    assert_eq!((card.worst(), card.score()), (Some(Severity::Minor), 99));
}

#[test]
fn one_page_for_everything_is_no_site() {
    struct Single;
    impl Fetch for Single {
        fn fetch(&mut self, ask: &Ask, _: &str) -> Answer {
            let body = if ask.method == "HEAD" {
                Vec::new()
            } else {
                b"<!doctype html><title>App</title><script src=/app.js></script>".to_vec()
            };
            Answer {
                status: 200,
                fields: vec![("content-type".into(), "text/html".into())],
                body,
                trouble: None,
            }
        }
        fn stopped(&self) -> Option<String> {
            None
        }
    }
    let card = judge(&gathered(&mut Single));
    let failed = card.ended(State::Failed);
    for id in [
        "errors.missing",
        "errors.malformed",
        "feed.there",
        "sitemaps.there",
        "llms.there",
        "twins.there",
        "errors.method",
    ] {
        assert!(failed.contains(&id), "{id}\n{}", told(&card));
    }
    assert!(negotiated("/") && card.score() < 20, "{}", told(&card));
}
