//! What a cache in front may store, and what it has stored.

use super::{Check, or_none};
use crate::address::{html_path, markdown_path};
use crate::answer::{Answer, Ask};
use crate::evidence::{Evidence, Visitor, Walk, named, negotiated};
use crate::fix::Fix::{Cache, Header};
use crate::gather::is_hashed;
use crate::severity::Rule;
use crate::severity::Severity::{Harm, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "caches.there",
        severity: Missing,
        what: "pages and documents have `Cache-Control`",
        why: "without it every cache guesses",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: public, max-age=300, stale-while-revalidate=3600` with pages and documents",
        judge: there,
    },
    Check {
        id: "caches.agent-first",
        severity: Harm,
        what: "after an agent, a browser gets HTML",
        why: "a cache that ignores `Vary` shows every reader the source text until it expires",
        fix: Cache,
        advice: "make the cache obey `Cache-Control: private`, or include `Accept` in its key",
        judge: agent_first,
    },
    Check {
        id: "caches.browser-first",
        severity: Missing,
        what: "after a browser, an agent gets the same as before",
        why: "the form should not depend on who asked before",
        fix: Cache,
        advice: "include `Accept` in the key of the cache; until then agents get HTML there, which is safe",
        judge: browser_first,
    },
    Check {
        id: "caches.private",
        severity: Harm,
        what: "Markdown at an `.html` address is `private, no-cache`; its 304 and HEAD too",
        why: "caches that ignore `Vary` keep what is public, and hand it to browsers",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: private, no-cache` with Markdown at `.html` addresses, and do not let the CDN overrule it",
        judge: private,
    },
    Check {
        id: "caches.stored",
        severity: Harm,
        what: "no cache in front has stored Markdown at an `.html` address",
        why: "the next client at this address gets it, whatever it asked for",
        fix: Cache,
        advice: "clear the cache, and make it obey `Cache-Control: private`",
        judge: stored,
    },
    Check {
        id: "caches.stale",
        severity: Minor,
        what: "a page from a cache is the page that the site answers with past it",
        why: "readers see an older edition until the copy expires",
        fix: Cache,
        advice: "have the cache forget what changed when an edition is published (`diglot publish --purge`), or wait until the copy expires",
        judge: stale,
    },
    Check {
        id: "caches.public",
        severity: Missing,
        what: "every page, `.md` form and document may be kept by caches, for a bounded time",
        why: "what may not be kept is slow, and what is kept for ever is never new",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: public, max-age=300, stale-while-revalidate=3600` with pages and documents",
        judge: public,
    },
    Check {
        id: "caches.immutable",
        severity: Missing,
        what: "files with a hash of their content in their names are `immutable` for a year",
        why: "browsers ask again for what cannot change",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: public, max-age=31536000, immutable` with these files",
        judge: immutable,
    },
    Check {
        id: "caches.status",
        severity: Missing,
        what: "`/status.json` is revalidated every time",
        why: "an old status says that all is well when it is not",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: no-cache` with `/status.json`",
        judge: status,
    },
    Check {
        id: "caches.errors",
        severity: Harm,
        what: "a 404 or 410 that is not HTML is kept by nobody",
        why: "a cached Markdown 404 is shown to browsers",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: private, no-cache` with errors that are not HTML",
        judge: errors,
    },
    Check {
        id: "caches.refusals",
        severity: Missing,
        what: "no cache may keep a refusal: 400, 405, 414 and 5xx are `no-store`",
        why: "one client's mistake must not become the answer for all",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: no-store` with these statuses",
        judge: refusals,
    },
    Check {
        id: "caches.redirects",
        severity: Minor,
        what: "a redirect says how long it may be kept",
        why: "a permanent redirect without a lifetime stays in browsers for ever",
        fix: Header("Cache-Control"),
        advice: "send `Cache-Control: public, max-age=300` with redirects",
        judge: redirects,
    },
];

/// The answer, with what a cache in front reports about it.
fn told(answer: &Answer) -> String {
    let marks = answer.cache_marks();
    if marks.is_empty() {
        answer.to_string()
    } else {
        format!("{answer} ({marks})")
    }
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    let some = evidence.successes().any(|(_, answer)| {
        !answer.field("cache-control").is_empty() || !answer.field("expires").is_empty()
    });
    verdict.expect(
        some,
        evidence.url("/"),
        "Cache-Control: public, with max-age",
        "no answer has `Cache-Control`",
    );
}

/// For faults that only a cache in front can cause: without a visible cache and without a finding,
/// the check is left out.
fn of_a_cache(evidence: &Evidence, verdict: &mut Verdict) {
    if !evidence.negotiates() {
        verdict.leave_out(Rule::NoNegotiation);
    } else if !evidence.cached() {
        verdict.leave_out(Rule::NoCache);
    }
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
    of_a_cache(evidence, verdict);
}

fn browser_first(evidence: &Evidence, verdict: &mut Verdict) {
    for walk in &evidence.walks {
        let plain = walk.path.split('?').next().unwrap_or_default();
        let Some(first) = evidence
            .answer(&Ask::agent(plain))
            .filter(|answer| answer.media() == "text/markdown")
        else {
            continue;
        };
        for (visitor, answer) in walk.steps.iter().skip(1) {
            if *visitor == Visitor::Agent && answer.status != 0 {
                let right = answer.media() == first.media();
                verdict.expect(
                    right,
                    format!("{} for an agent after a browser", evidence.url(&walk.path)),
                    "200 text/markdown",
                    told(answer),
                );
            }
        }
    }
    of_a_cache(evidence, verdict);
}

fn private(evidence: &Evidence, verdict: &mut Verdict) {
    let agents = evidence
        .answers
        .iter()
        .filter(|(ask, _)| negotiated(&ask.path) && !ask.origin);
    for (ask, answer) in agents {
        if !(answer.status == 200 && answer.media() == "text/markdown") {
            continue;
        }
        let value = answer.field("cache-control");
        verdict.expect(
            is_private(answer),
            named(evidence, ask),
            "Cache-Control: private, no-cache",
            or_none(value),
        );
        private_again(evidence, ask, answer.field("etag"), verdict);
    }
    if !evidence.negotiates() {
        verdict.leave_out(Rule::NoNegotiation);
    }
}

/// Judges the 304 to the same request with the tag of its answer.
fn private_again(evidence: &Evidence, ask: &Ask, tag: &str, verdict: &mut Verdict) {
    let conditional = ask.clone().with("if-none-match", tag);
    if let Some(answer) = evidence
        .answer(&conditional)
        .filter(|again| again.status == 304)
    {
        // A 304 without the field leaves the stored one in force (RFC 9111 section 3.2).
        let field = answer.field("cache-control");
        verdict.expect(
            field.is_empty() || is_private(answer),
            format!("{} (304)", named(evidence, ask)),
            "Cache-Control: private, no-cache",
            field,
        );
    }
}

fn is_private(answer: &Answer) -> bool {
    answer.directive("no-store") || (answer.directive("private") && answer.directive("no-cache"))
}

fn stored(evidence: &Evidence, verdict: &mut Verdict) {
    let answers = evidence
        .answers
        .iter()
        .filter(|(ask, _)| negotiated(&ask.path) && !ask.origin)
        .map(|(ask, answer)| (named(evidence, ask), answer));
    let steps = evidence.walks.iter().flat_map(|walk| {
        walk.steps.iter().map(|(visitor, answer)| {
            (
                format!("{} for {}", evidence.url(&walk.path), visitor.name()),
                answer,
            )
        })
    });
    for (url, answer) in answers.chain(steps) {
        if answer.status == 200 && answer.is_markdown() {
            verdict.expect(
                !answer.from_cache(),
                url,
                "an answer of the site itself",
                told(answer),
            );
        }
    }
    of_a_cache(evidence, verdict);
}

/// Compares what a cache has of a page with the answer to a new query of the same page, which no
/// cache has.
fn stale(evidence: &Evidence, verdict: &mut Verdict) {
    for walk in evidence
        .walks
        .iter()
        .filter(|walk| !walk.path.contains('?'))
    {
        let kept = browsers(walk).filter(|answer| answer.from_cache());
        for (kept, new) in kept.filter_map(|kept| Some((kept, past_caches(evidence, walk, kept)?)))
        {
            let found = format!("{}, ETag: {}", told(kept), kept.field("etag"));
            verdict.expect(
                tag(kept) == tag(new),
                format!("{} for a browser", evidence.url(&walk.path)),
                format!("the page of now, ETag: {}", new.field("etag")),
                found,
            );
        }
    }
    verdict.or_leave_out(Rule::NoCache);
}

/// What browsers got.
fn browsers(walk: &Walk) -> impl Iterator<Item = &Answer> {
    let steps = walk.steps.iter();
    let asked = steps.filter(|(visitor, _)| *visitor == Visitor::Browser);
    let answers = asked.map(|(_, answer)| answer);
    answers.filter(|answer| answer.status == 200 && !answer.field("etag").is_empty())
}

/// The answer of the site itself for the page of a walk, in the same coding.
fn past_caches<'e>(evidence: &'e Evidence, of: &Walk, like: &Answer) -> Option<&'e Answer> {
    let same_page = |walk: &&Walk| {
        walk.path
            .split_once('?')
            .is_some_and(|(path, _)| path == of.path)
    };
    let answers = evidence.walks.iter().filter(same_page).flat_map(browsers);
    let mut own = answers.filter(|answer| !answer.from_cache());
    own.find(|answer| answer.coding() == like.coding())
}

/// The entity tag; a cache may have weakened it.
fn tag(answer: &Answer) -> &str {
    answer.field("etag").trim_start_matches("W/")
}

/// Documents that every cache may keep.
const KEPT_DOCUMENTS: [&str; 7] = [
    "/rss.xml",
    "/sitemap.xml",
    "/sitemap.md",
    "/llms.txt",
    "/llms-full.txt",
    "/robots.txt",
    "/openapi.json",
];

fn public(evidence: &Evidence, verdict: &mut Verdict) {
    let pages = evidence
        .stems()
        .flat_map(|stem| [Ask::browser(html_path(stem)), Ask::get(markdown_path(stem))]);
    for ask in pages.chain(KEPT_DOCUMENTS.map(Ask::get)) {
        let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) else {
            continue;
        };
        let (url, value) = (
            named(evidence, &ask),
            or_none(answer.field("cache-control")),
        );
        let has = |names: &[&str]| names.iter().any(|name| answer.directive(name));
        let kept = !has(&["private", "no-store"]);
        let bounded = has(&["max-age", "s-maxage", "no-cache"]);
        verdict.expect(kept, &url, "Cache-Control: public, with max-age", value);
        verdict.expect(bounded, &url, "Cache-Control with max-age", value);
    }
}

fn immutable(evidence: &Evidence, verdict: &mut Verdict) {
    for path in evidence.assets.iter().filter(|path| is_hashed(path)) {
        let ask = Ask::get(path.clone()).by("HEAD");
        if let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) {
            let value = answer.field("cache-control");
            verdict.expect(
                answer.directive("immutable"),
                evidence.url(path),
                "Cache-Control: public, max-age=31536000, immutable",
                or_none(value),
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn status(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(answer) = evidence.found("/status.json") {
        let fresh = answer.directive("no-cache")
            || answer.directive("no-store")
            || answer
                .tokens("cache-control")
                .contains(&"max-age=0".to_owned());
        verdict.expect(
            fresh,
            evidence.url("/status.json"),
            "Cache-Control: no-cache",
            or_none(answer.field("cache-control")),
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn errors(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .answers
        .iter()
        .filter(|(_, answer)| matches!(answer.status, 404 | 410))
    {
        if !answer.media().is_empty() && answer.media() != "text/html" && ask.method == "GET" {
            let shared = ["public", "max-age", "s-maxage"]
                .into_iter()
                .any(|name| answer.directive(name))
                && !answer.directive("private");
            verdict.expect(
                !shared,
                named(evidence, ask),
                "Cache-Control: private, no-cache",
                answer.field("cache-control"),
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn refusals(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .came()
        .filter(|(_, answer)| matches!(answer.status, 400 | 405 | 414 | 416 | 500..))
    {
        verdict.expect(
            answer.directive("no-store"),
            named(evidence, ask),
            "Cache-Control: no-store",
            or_none(answer.field("cache-control")),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn redirects(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .came()
        .filter(|(_, answer)| matches!(answer.status, 301 | 308))
    {
        let bounded = ["max-age", "s-maxage", "no-cache", "no-store"]
            .into_iter()
            .any(|name| answer.directive(name));
        verdict.expect(
            bounded,
            named(evidence, ask),
            "Cache-Control: public, max-age=300",
            or_none(answer.field("cache-control")),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}
