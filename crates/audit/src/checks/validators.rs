//! Validators and conditional requests.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Check, or_none};
use crate::answer::{Answer, Ask};
use crate::evidence::{Evidence, named, negotiated};
use crate::fix::Fix::{Header, Host};
use crate::gather::is_probe;
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Harm, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "validators.there",
        severity: Missing,
        what: "some answer has an `ETag` or a `Last-Modified`",
        why: "without them every poll of the feed costs the whole feed",
        fix: Header("ETag"),
        advice: "switch tags and dates on at the host",
        judge: there,
    },
    Check {
        id: "validators.tag",
        severity: Missing,
        what: "every resource has an `ETag` or a `Last-Modified`",
        why: "what has neither is sent whole every time",
        fix: Header("ETag"),
        advice: "switch tags and dates on for every type of file",
        judge: tag,
    },
    Check {
        id: "validators.strong",
        severity: Minor,
        what: "every resource has a strong `ETag`",
        why: "parts of a download can be joined by a strong tag only",
        fix: Header("ETag"),
        advice: "where a CDN weakens tags because it compresses, let the host compress",
        judge: strong,
    },
    Check {
        id: "validators.not-modified",
        severity: Missing,
        what: "a request with the tag just received is answered 304, in each form and coding",
        why: "clients that ask politely are sent everything again",
        fix: Header("ETag"),
        advice: "let proxies pass `If-None-Match` on, and `ETag` back as it is",
        judge: not_modified,
    },
    Check {
        id: "validators.since",
        severity: Missing,
        what: "a request with the date just received is answered 304",
        why: "readers of feeds often know the date only",
        fix: Header("Last-Modified"),
        advice: "let proxies pass `If-Modified-Since` on",
        judge: since,
    },
    Check {
        id: "validators.unkept",
        severity: Minor,
        what: "Markdown that no cache may keep is answered 304 as well",
        why: "it saves an agent the text that it has",
        fix: Header("ETag"),
        advice: "let the proxy pass `If-None-Match` on for answers that it does not keep",
        judge: unkept,
    },
    Check {
        id: "validators.stable",
        severity: Broken,
        what: "a tag stays as long as the bytes stay, and differs where they differ",
        why: "a tag that always changes is useless, one that never changes hides every edit",
        fix: Header("ETag"),
        advice: "derive the tag from the bytes that are sent",
        judge: stable,
    },
    Check {
        id: "validators.forms",
        severity: Harm,
        what: "the two forms at one address have different tags",
        why: "a cache that revalidates one form with the tag of the other keeps the wrong one for ever",
        fix: Header("ETag"),
        advice: "derive the tag from the bytes that are sent, not from the path",
        judge: forms,
    },
    Check {
        id: "validators.codings",
        severity: Broken,
        what: "each content-coding has a strong tag of its own",
        why: "equal strong tags promise equal bytes; a download is joined by them",
        fix: Header("ETag"),
        advice: "let whoever compresses change or weaken the tag",
        judge: codings,
    },
    Check {
        id: "validators.repeats",
        severity: Missing,
        what: "a 304 repeats `ETag`, `Cache-Control`, `Content-Location` and `Vary` of its 200",
        why: "a cache updates what it holds from them (RFC 9110 section 15.4.5)",
        fix: Header("ETag"),
        advice: "send these fields with 304 as well",
        judge: repeats,
    },
    Check {
        id: "validators.date",
        severity: Broken,
        what: "`Last-Modified` is a date, and not in the future",
        why: "a future date makes a cache keep old content",
        fix: Header("Last-Modified"),
        advice: "publish files with their own modification times, and set the clock of the host",
        judge: date,
    },
    Check {
        id: "validators.undated",
        severity: Broken,
        what: "Markdown at an `.html` address has no `Last-Modified`",
        why: "a 304 by date would confirm the wrong form",
        fix: Header("Last-Modified"),
        advice: "remove `Last-Modified` from negotiated Markdown",
        judge: undated,
    },
    Check {
        id: "validators.head",
        severity: Broken,
        what: "HEAD has the status and the header fields of GET, its `Content-Length` too",
        why: "clients ask HEAD to learn what GET would give",
        fix: Host("HEAD"),
        advice: "answer HEAD in the same way as GET",
        judge: head,
    },
    Check {
        id: "validators.bodiless",
        severity: Broken,
        what: "HEAD and 304 have no body",
        why: "the bytes become the beginning of the next answer on the connection",
        fix: Host("HEAD and 304"),
        advice: "end the answer after the head",
        judge: bodiless,
    },
];

fn is_strong(tag: &str) -> bool {
    tag.len() >= 3
        && tag.starts_with('"')
        && tag.ends_with('"')
        && !tag[1..tag.len() - 1].contains('"')
}

fn has_validator(answer: &Answer) -> bool {
    !answer.field("etag").is_empty() || !answer.field("last-modified").is_empty()
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    let some = evidence
        .successes()
        .any(|(_, answer)| has_validator(answer));
    verdict.expect(
        some,
        evidence.url("/"),
        "an ETag",
        "no answer has an `ETag` or a `Last-Modified`",
    );
}

/// Plain answers of the site: pages, twins and documents.
fn plain(evidence: &Evidence) -> impl Iterator<Item = (&Ask, &Answer)> {
    let plain =
        |ask: &Ask| ask.fields.iter().all(|(name, _)| *name == "accept") && !is_probe(&ask.path);
    evidence.successes().filter(move |(ask, _)| plain(ask))
}

fn tag(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in plain(evidence) {
        verdict.expect(
            has_validator(answer),
            named(evidence, ask),
            "an ETag",
            "none, and no Last-Modified",
        );
    }
}

fn strong(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in plain(evidence) {
        verdict.expect(
            is_strong(answer.field("etag")),
            named(evidence, ask),
            "a strong ETag",
            or_none(answer.field("etag")),
        );
    }
}

/// Conditional requests, with their answer and the answer that supplied the validator.
fn repeated<'a>(
    evidence: &'a Evidence,
    name: &'static str,
) -> impl Iterator<Item = (&'a Ask, &'a Answer, &'a Answer)> {
    evidence.answers.iter().filter_map(move |(ask, again)| {
        let (own, _) = ask.fields.last()?;
        let mut first = ask.clone();
        first.fields.pop();
        (*own == name)
            .then(|| evidence.answer(&first))
            .flatten()
            .map(|first| (ask, first, again))
    })
}

/// Whether a complete answer is right because no cache may store it: a proxy may drop the validator
/// from such a request (nginx does).
fn is_unkept(first: &Answer, again: &Answer) -> bool {
    again.status == 200
        && ["private", "no-cache"]
            .into_iter()
            .any(|name| first.directive(name))
}

fn not_modified(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, first, again) in repeated(evidence, "if-none-match") {
        // `validators.stable` judges a tag that has changed between the two requests.
        let changed = again.status == 200 && again.field("etag") != first.field("etag");
        if !changed && !is_unkept(first, again) {
            verdict.expect(again.status == 304, named(evidence, ask), "304", again);
        }
    }
    // Without a tag there is nothing to send; `validators.strong` counts that.
    verdict.or_leave_out(Rule::Counted);
}

fn unkept(evidence: &Evidence, verdict: &mut Verdict) {
    let private = |first: &Answer| {
        ["private", "no-cache"]
            .into_iter()
            .any(|name| first.directive(name))
    };
    for (ask, first, again) in
        repeated(evidence, "if-none-match").filter(|(_, first, _)| private(first))
    {
        let changed = again.status == 200 && again.field("etag") != first.field("etag");
        if !changed {
            verdict.expect(!is_unkept(first, again), named(evidence, ask), "304", again);
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn since(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, again) in repeated(evidence, "if-modified-since") {
        if !negotiated(&ask.path) || again.media() != "text/markdown" {
            verdict.expect(again.status == 304, named(evidence, ask), "304", again);
        }
    }
    if verdict.cases == 0 && evidence.cut.is_none() {
        verdict.expect(
            false,
            evidence.url("/"),
            "a Last-Modified",
            "no answer has one",
        );
    }
}

fn stable(evidence: &Evidence, verdict: &mut Verdict) {
    // A coding that was built between the two requests rightly has its own tag.
    let alike =
        |first: &Answer, again: &Answer| again.status == 200 && again.coding() == first.coding();
    for (ask, first, again) in
        repeated(evidence, "if-none-match").filter(|(_, first, again)| alike(first, again))
    {
        let (tag, new) = (first.field("etag"), again.field("etag"));
        verdict.expect(
            tag == new || first.body != again.body,
            named(evidence, ask),
            format!("the tag {tag} of the same bytes"),
            or_none(new),
        );
    }
    // One tag for every body is a constant, not a digest.
    let mut seen: BTreeMap<&str, BTreeMap<&[u8], &Ask>> = BTreeMap::new();
    for (ask, answer) in plain(evidence)
        .filter(|(_, answer)| !answer.field("etag").is_empty() && !answer.body.is_empty())
    {
        let bodies = seen.entry(opaque(answer.field("etag"))).or_default();
        bodies.entry(&answer.body).or_insert(ask);
        if !bodies.is_empty() {
            verdict.cases += 1;
        }
    }
    for (tag, bodies) in seen.into_iter().filter(|(_, bodies)| bodies.len() > 2) {
        if let Some(ask) = bodies.values().next() {
            verdict.expect(
                false,
                named(evidence, ask),
                "a tag of its own",
                format!("{tag} for {} different texts", bodies.len()),
            );
        }
    }
    verdict.or_leave_out(Rule::Counted);
}

/// Fields of a 200 that its 304 must repeat (RFC 9110 section 15.4.5).
const REPEATED: [&str; 4] = ["etag", "cache-control", "content-location", "vary"];

fn repeats(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, first, again) in
        repeated(evidence, "if-none-match").filter(|(_, _, again)| again.status == 304)
    {
        for name in REPEATED
            .into_iter()
            .filter(|name| !first.field(name).is_empty())
        {
            verdict.expect(
                !again.field(name).is_empty(),
                format!("{} (304)", named(evidence, ask)),
                format!("{name}: {}", first.field(name)),
                "none",
            );
        }
    }
    verdict.or_leave_out(Rule::Counted);
}

/// The part of a tag that is compared (RFC 9110 section 8.8.3.2).
fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// Whether only the form and the coding of a page are asked for.
fn is_plain(ask: &Ask) -> bool {
    let mut names = ask.fields.iter().map(|(name, _)| *name);
    negotiated(&ask.path) && names.all(|name| matches!(name, "accept" | "accept-encoding"))
}

fn forms(evidence: &Evidence, verdict: &mut Verdict) {
    // The media type with which a tag was first seen, by path, by the request apart from its form,
    // and by tag.
    let mut seen: BTreeMap<(&str, &str, &str), String> = BTreeMap::new();
    for (ask, answer) in evidence.successes().filter(|(ask, _)| is_plain(ask)) {
        let tag = opaque(answer.field("etag"));
        if !tag.is_empty() {
            let coding = ask.field("accept-encoding");
            let media = answer.media();
            let first = seen
                .entry((&ask.path, coding, tag))
                .or_insert_with(|| media.clone())
                .clone();
            verdict.expect(
                first == media,
                named(evidence, ask),
                format!("another ETag than that of {first}"),
                tag,
            );
        }
    }
    if !evidence.negotiates() {
        verdict.leave_out(Rule::NoNegotiation);
    }
}

fn codings(evidence: &Evidence, verdict: &mut Verdict) {
    let mut seen: BTreeMap<(&str, &str, &str), String> = BTreeMap::new();
    for (ask, answer) in evidence.successes() {
        let tag = answer.field("etag");
        if !is_strong(tag) {
            continue;
        }
        let accept = ask.field("accept");
        let coding = answer.coding();
        let first = seen
            .entry((&ask.path, accept, tag))
            .or_insert_with(|| coding.clone())
            .clone();
        verdict.expect(
            first == coding,
            named(evidence, ask),
            format!("another ETag than that of `{first}`"),
            format!("{tag} for `{coding}` too"),
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn http_date(text: &str) -> Option<Timestamp> {
    diglot_http::date::parse(text.as_bytes())
}

fn date(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .successes()
        .filter(|(_, answer)| !answer.field("last-modified").is_empty())
    {
        let came = answer.field("last-modified");
        // The site's own clock, if it sends one, decides what is in the future.
        let now = http_date(answer.field("date"))
            .unwrap_or(evidence.now)
            .max(evidence.now);
        let right = http_date(came).is_some_and(|at| at.as_second() <= now.as_second() + 5);
        verdict.expect(
            right,
            named(evidence, ask),
            "an HTTP date, not in the future",
            came,
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn undated(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .successes()
        .filter(|(ask, answer)| negotiated(&ask.path) && answer.media() == "text/markdown")
    {
        let came = answer.field("last-modified");
        verdict.expect(
            came.is_empty(),
            named(evidence, ask),
            "no Last-Modified",
            came,
        );
    }
    if !evidence.negotiates() {
        verdict.leave_out(Rule::NoNegotiation);
    }
}

/// Fields that HEAD must neither omit nor change.
const STABLE: [&str; 8] = [
    "content-type",
    "etag",
    "last-modified",
    "cache-control",
    "vary",
    "link",
    "content-location",
    "content-signal",
];

fn head(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, head) in evidence.came().filter(|(ask, _)| ask.method == "HEAD") {
        let Some(full) = evidence
            .answer(&ask.clone().by("GET"))
            .filter(|full| full.status != 0)
        else {
            continue;
        };
        let url = named(evidence, ask);
        verdict.expect(head.status == full.status, &url, full, head);
        if negotiated(&ask.path) && head.media() != full.media() && evidence.cached() {
            // A cache in front answered one of them with the other's representation:
            // `caches.browser-first` reports it.
            continue;
        }
        same_fields(head, full, &url, verdict);
        head_length(head, full, &url, verdict);
    }
}

/// The answer to `HEAD` has the fields of the answer to `GET`.
fn same_fields(head: &Answer, full: &Answer, url: &str, verdict: &mut Verdict) {
    for name in STABLE {
        let (wanted, got) = (full.field(name), head.field(name));
        verdict.expect(
            wanted == got,
            url,
            format!("{name}: {}", or_none(wanted)),
            format!("{name}: {}", or_none(got)),
        );
    }
}

/// Judges the length that HEAD states.
fn head_length(head: &Answer, full: &Answer, url: &str, verdict: &mut Verdict) {
    // RFC 9110 section 9.3.2: HEAD may omit what is known only by generating the body.
    let said = head.field("content-length");
    let is_plain = head.coding() == "identity" && full.coding() == "identity";
    if !said.is_empty() && full.status == 200 && is_plain && full.trouble.is_none() {
        let field = |length: &str| format!("content-length: {length}");
        verdict.equal(url, field(&full.body.len().to_string()), field(said));
    }
}

fn bodiless(evidence: &Evidence, verdict: &mut Verdict) {
    let bare = |ask: &Ask, answer: &Answer| ask.method == "HEAD" || answer.status == 304;
    let asked = evidence.came().chain(&evidence.alone);
    for (ask, answer) in asked.filter(|(ask, answer)| answer.status != 0 && bare(ask, answer)) {
        verdict.expect(
            answer.body.is_empty(),
            named(evidence, ask),
            "no body",
            format!("{answer} with {} bytes", answer.body.len()),
        );
    }
}
