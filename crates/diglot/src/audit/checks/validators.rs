//! Validators: asking again for what one has already.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Check, or_none};
use crate::audit::answer::{Answer, Ask};
use crate::audit::evidence::{Evidence, named, negotiated};
use crate::audit::gather::NOWHERE;
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "validators.tag",
        what: "every resource has a strong `ETag`",
        why: "without one every poll of the feed costs the whole feed",
        advice: "switch `ETag`s on at the host; where a CDN weakens them by compressing, let the host compress instead",
        judge: tag,
    },
    Check {
        id: "validators.not-modified",
        what: "a request with the tag that just came is answered 304, in each form and coding",
        why: "clients that ask politely should not be sent everything again",
        advice: "let proxies pass `If-None-Match` on, and `ETag` back as it is",
        judge: not_modified,
    },
    Check {
        id: "validators.forms",
        what: "the two forms at one address have different tags",
        why: "a cache that revalidates one form with the tag of the other keeps the wrong one for ever",
        advice: "derive the `ETag` from the bytes that are sent, not from the path",
        judge: forms,
    },
    Check {
        id: "validators.codings",
        what: "each content-coding has a strong tag of its own",
        why: "equal strong tags promise equal bytes; a cache joins ranges by them",
        advice: "let whoever compresses change or weaken the `ETag`",
        judge: codings,
    },
    Check {
        id: "validators.date",
        what: "`Last-Modified` is a date, and not in the future",
        why: "a future date makes a cache keep old content",
        advice: "publish files with their own modification times, and set the clock of the host",
        judge: date,
    },
    Check {
        id: "validators.undated",
        what: "Markdown at an `.html` address has no `Last-Modified`",
        why: "two forms with one date at one address: a 304 by date would confirm the wrong form",
        advice: "remove `Last-Modified` from negotiated Markdown, as the generated configuration does",
        judge: undated,
    },
    Check {
        id: "validators.head",
        what: "HEAD has the status and the header fields of GET",
        why: "clients ask HEAD to learn what GET would give",
        advice: "let the host answer HEAD by the road of GET",
        judge: head,
    },
];

fn is_strong(tag: &str) -> bool {
    tag.len() >= 3 && tag.starts_with('"') && tag.ends_with('"') && !tag[1..tag.len() - 1].contains('"')
}

fn tag(evidence: &Evidence, verdict: &mut Verdict) {
    let plain = |ask: &Ask| ask.fields.iter().all(|(name, _)| *name == "accept") && !ask.path.starts_with(NOWHERE);
    for (ask, answer) in evidence.successes().filter(|(ask, _)| plain(ask)) {
        let (url, tag) = (named(evidence, ask), answer.field("etag"));
        let some = !tag.is_empty() || !answer.field("last-modified").is_empty();
        verdict.expect(some, &url, "an ETag", "none, and no Last-Modified");
        verdict.expect_of_host(is_strong(tag), &url, "a strong ETag", or_none(tag));
    }
}

/// Requests that carry a validator, with the answer they got and the answer that gave the validator.
fn repeated<'a>(evidence: &'a Evidence, name: &'static str) -> impl Iterator<Item = (&'a Ask, &'a Answer, &'a Answer)> {
    evidence.answers.iter().filter_map(move |(ask, again)| {
        let (own, _) = ask.fields.last()?;
        let mut first = ask.clone();
        first.fields.pop();
        (*own == name).then(|| evidence.of(&first)).flatten().map(|first| (ask, first, again))
    })
}

fn not_modified(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, first, again) in repeated(evidence, "if-none-match") {
        let url = named(evidence, ask);
        let right = again.status == 304 && again.body.is_empty();
        // A tag that a CDN made weak for one of many copies may be gone a moment later: then the whole answer comes, rightly.
        let changed = again.status == 200 && again.field("etag") != first.field("etag");
        // What a cache may not keep it may ask for without the validator (nginx does): the whole answer comes, and is right.
        let unkept = again.status == 200 && ["private", "no-cache"].into_iter().any(|name| first.directive(name));
        if right || !(changed || unkept) {
            verdict.expect(right, &url, "304", again);
        } else {
            let why = if changed { "with another ETag" } else { "of what no cache keeps" };
            verdict.expect_of_host(false, &url, "304", format!("{again} {why}"));
        }
    }
}

/// The part of a tag that is compared (RFC 9110 section 8.8.3.2).
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

fn forms(evidence: &Evidence, verdict: &mut Verdict) {
    // The media type that a tag first came with, by path, by what was asked beside the form, and tag.
    let mut seen: BTreeMap<(&str, &str, &str), String> = BTreeMap::new();
    let plain = |ask: &Ask| negotiated(&ask.path) && ask.fields.iter().all(|(name, _)| matches!(*name, "accept" | "accept-encoding"));
    for (ask, answer) in evidence.successes().filter(|(ask, _)| plain(ask)) {
        let tag = opaque(answer.field("etag"));
        if !tag.is_empty() {
            let coding = ask.fields.iter().find(|(name, _)| *name == "accept-encoding").map_or("", |(_, value)| value.as_str());
            let media = answer.media();
            let first = seen.entry((&ask.path, coding, tag)).or_insert_with(|| media.clone()).clone();
            verdict.expect(first == media, named(evidence, ask), format!("another ETag than that of {first}"), tag);
        }
    }
}

fn codings(evidence: &Evidence, verdict: &mut Verdict) {
    let mut seen: BTreeMap<(&str, &str, &str), String> = BTreeMap::new();
    for (ask, answer) in evidence.successes() {
        let tag = answer.field("etag");
        if !is_strong(tag) {
            continue;
        }
        let accept = ask.fields.iter().find(|(name, _)| *name == "accept").map_or("", |(_, value)| value.as_str());
        let coding = answer.coding();
        let first = seen.entry((&ask.path, accept, tag)).or_insert_with(|| coding.clone()).clone();
        verdict.expect(first == coding, named(evidence, ask), format!("another ETag than that of `{first}`"), format!("{tag} for `{coding}` too"));
    }
}

/// An HTTP date.
fn http_date(text: &str) -> Option<Timestamp> {
    diglot_http::date::parse(text.as_bytes())
}

fn date(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.successes() {
        let came = answer.field("last-modified");
        if came.is_empty() {
            continue;
        }
        // The site's clock decides what is future, where it says its time.
        let now = http_date(answer.field("date")).unwrap_or(evidence.now).max(evidence.now);
        let right = http_date(came).is_some_and(|at| at.as_second() <= now.as_second() + 5);
        verdict.expect(right, named(evidence, ask), "an HTTP date, not in the future", came);
    }
    for (ask, _, again) in repeated(evidence, "if-modified-since") {
        if !negotiated(&ask.path) || again.media() != "text/markdown" {
            verdict.expect_of_host(again.status == 304, named(evidence, ask), "304", again);
        }
    }
}

fn undated(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.successes().filter(|(ask, answer)| negotiated(&ask.path) && answer.media() == "text/markdown") {
        let came = answer.field("last-modified");
        verdict.expect(came.is_empty(), named(evidence, ask), "no Last-Modified", came);
    }
}

/// What HEAD must not leave out or change.
const STABLE: [&str; 9] =
    ["content-type", "etag", "last-modified", "cache-control", "vary", "link", "content-location", "content-signal", "content-length"];

fn head(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, head) in evidence.answers.iter().filter(|(ask, answer)| ask.method == "HEAD" && !ask.origin && answer.status != 0) {
        let Some(full) = evidence.of(&ask.clone().by("GET")) else { continue };
        let url = named(evidence, ask);
        verdict.expect(head.status == full.status && head.body.is_empty(), &url, format!("{} and no body", full.status), head);
        if negotiated(&ask.path) && head.media() != full.media() {
            // A cache in front answered one of them for the other's client: `caches.browser-first` says it.
            verdict.expect_of_host(false, &url, full.media(), head.media());
            continue;
        }
        for name in STABLE {
            // RFC 9110 section 9.3.2: what is known only by making the body may be left out.
            let left_out = name == "content-length" && (head.field(name).is_empty() || full.field(name).is_empty());
            let same = head.field(name) == full.field(name);
            verdict.expect(
                left_out || same,
                &url,
                format!("{name}: {}", or_none(full.field(name))),
                format!("{name}: {}", or_none(head.field(name))),
            );
        }
    }
}
