//! What a cache in front may keep, and what it has kept.

use super::{Check, or_none};
use crate::audit::address::{html_path, markdown_path};
use crate::audit::answer::{Answer, Ask};
use crate::audit::evidence::{Evidence, Visitor, named, negotiated};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "caches.agent-first",
        what: "a browser that comes after an agent gets HTML",
        why: "a cache that ignores `Vary` would show every reader the source text until it expires",
        advice: "make the cache in front obey `Cache-Control: private`, or include `Accept` in its key",
        judge: agent_first,
    },
    Check {
        id: "caches.browser-first",
        what: "an agent that comes after a browser gets what it got at first",
        why: "which form an agent gets should not depend on who came before",
        advice: "include `Accept` in the key of the cache in front; until then agents get HTML there, which is safe",
        judge: browser_first,
    },
    Check {
        id: "caches.private",
        what: "Markdown at an `.html` address is `private, no-cache`, its 304 and HEAD too",
        why: "caches that ignore `Vary` keep what is public, and hand it to browsers",
        advice: "send `Cache-Control: private, no-cache` with Markdown at `.html` paths, and let the CDN not overrule it",
        judge: private,
    },
    Check {
        id: "caches.stored",
        what: "no cache in front has stored Markdown at an `.html` address",
        why: "the next client at this address gets it, whatever it asked for",
        advice: "clear the cache, and make it obey `Cache-Control: private`",
        judge: stored,
    },
    Check {
        id: "caches.public",
        what: "pages, twins and documents may be kept by caches, for a bounded time",
        why: "without a lifetime every cache guesses its own, and a new article stays unseen for days",
        advice: "send `Cache-Control: public, max-age=300, stale-while-revalidate=3600` with pages and documents",
        judge: public,
    },
    Check {
        id: "caches.status",
        what: "`/status.json` is revalidated every time",
        why: "an old status says that all is well when it is not",
        advice: "send `Cache-Control: no-cache` with `/status.json`",
        judge: status,
    },
    Check {
        id: "caches.errors",
        what: "an error in another form than HTML is kept by nobody",
        why: "a cached Markdown 404 would be shown to browsers",
        advice: "send `Cache-Control: private, no-cache` with errors that are not HTML",
        judge: errors,
    },
];

/// What came and what a cache in front says of it.
fn told(answer: &Answer) -> String {
    let marks = answer.cache_marks();
    if marks.is_empty() { answer.to_string() } else { format!("{answer} ({marks})") }
}

fn agent_first(evidence: &Evidence, verdict: &mut Verdict) {
    for walk in &evidence.walks {
        for (before, pair) in walk.steps.windows(2).map(|pair| (pair[0].0, &pair[1])) {
            if let (Visitor::Agent, (Visitor::Browser, answer)) = (before, pair)
                && answer.status != 0
            {
                verdict.expect(
                    !answer.is_markdown(),
                    format!("{} for a browser after an agent", evidence.url(&walk.path)),
                    "200 text/html",
                    told(answer),
                );
            }
        }
    }
}

fn browser_first(evidence: &Evidence, verdict: &mut Verdict) {
    for walk in &evidence.walks {
        let plain = walk.path.split('?').next().unwrap_or_default();
        let Some(first) = evidence.of(&Ask::agent(plain)).filter(|answer| answer.media() == "text/markdown") else { continue };
        for (visitor, answer) in walk.steps.iter().skip(1) {
            if *visitor == Visitor::Agent && answer.status != 0 {
                let right = answer.media() == first.media();
                verdict.expect_of_host(
                    right,
                    format!("{} for an agent after a browser", evidence.url(&walk.path)),
                    "200 text/markdown",
                    told(answer),
                );
            }
        }
    }
}

fn private(evidence: &Evidence, verdict: &mut Verdict) {
    let agents = evidence.answers.iter().filter(|(ask, _)| negotiated(&ask.path) && !ask.origin);
    for (ask, answer) in agents {
        if !(answer.status == 200 && answer.media() == "text/markdown") {
            continue;
        }
        let value = answer.field("cache-control");
        verdict.expect(is_private(answer), named(evidence, ask), "Cache-Control: private, no-cache", or_none(value));
        let tag = answer.field("etag");
        let again = evidence.of(&ask.clone().with("if-none-match", tag)).filter(|answer| answer.status == 304);
        if let Some(again) = again {
            // A 304 without the field leaves the stored one in force (RFC 9111 section 3.2).
            let right = again.field("cache-control").is_empty() || is_private(again);
            verdict.expect(right, format!("{} (304)", named(evidence, ask)), "Cache-Control: private, no-cache", again.field("cache-control"));
        }
    }
}

fn is_private(answer: &Answer) -> bool {
    answer.directive("no-store") || (answer.directive("private") && answer.directive("no-cache"))
}

fn stored(evidence: &Evidence, verdict: &mut Verdict) {
    let answers = evidence.answers.iter().filter(|(ask, _)| negotiated(&ask.path) && !ask.origin).map(|(ask, answer)| (named(evidence, ask), answer));
    let steps = evidence
        .walks
        .iter()
        .flat_map(|walk| walk.steps.iter().map(|(visitor, answer)| (format!("{} for {}", evidence.url(&walk.path), visitor.name()), answer)));
    for (url, answer) in answers.chain(steps) {
        if answer.status == 200 && answer.is_markdown() {
            verdict.expect(!answer.from_cache(), url, "an answer of the site itself", told(answer));
        }
    }
}

fn public(evidence: &Evidence, verdict: &mut Verdict) {
    let pages = evidence.stems().flat_map(|stem| [Ask::browser(html_path(stem)), Ask::get(markdown_path(stem))]);
    let documents = ["/rss.xml", "/sitemap.xml", "/sitemap.md", "/llms.txt", "/llms-full.txt", "/robots.txt", "/openapi.json"].map(Ask::get);
    for ask in pages.chain(documents) {
        let Some(answer) = evidence.of(&ask).filter(|answer| answer.status == 200) else { continue };
        let (url, value) = (named(evidence, &ask), or_none(answer.field("cache-control")));
        let kept = !["private", "no-store"].into_iter().any(|name| answer.directive(name));
        let bounded = ["max-age", "s-maxage", "no-cache"].into_iter().any(|name| answer.directive(name));
        verdict.expect(kept, &url, "Cache-Control: public, with max-age", value);
        verdict.expect_of_host(bounded, &url, "Cache-Control with max-age", value);
    }
}

fn status(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(answer) = evidence.found("/status.json") {
        let fresh = answer.directive("no-cache") || answer.directive("no-store") || answer.tokens("cache-control").contains(&"max-age=0".to_owned());
        verdict.expect_of_host(fresh, evidence.url("/status.json"), "Cache-Control: no-cache", or_none(answer.field("cache-control")));
    }
}

fn errors(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.answers.iter().filter(|(_, answer)| matches!(answer.status, 404 | 410)) {
        if !answer.media().is_empty() && answer.media() != "text/html" && ask.method == "GET" {
            let shared = ["public", "max-age", "s-maxage"].into_iter().any(|name| answer.directive(name)) && !answer.directive("private");
            verdict.expect(!shared, named(evidence, ask), "Cache-Control: private, no-cache", answer.field("cache-control"));
        }
    }
}
