//! The feed.

use std::collections::BTreeSet;

use super::{Check, agreement, or_none};
use crate::address::has_scheme;
use crate::answer::{AGENT, Answer, Ask, BROWSER};
use crate::evidence::Evidence;
use crate::fix::Fix::{Document, Setting};
use crate::read::feed::{LATEST, moment};
use crate::read::{feed, html};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "feed.there",
        severity: Missing,
        what: "there is a feed at `/rss.xml`",
        why: "readers and programs follow a site by it",
        fix: Document("/rss.xml"),
        advice: "publish an RSS 2.0 feed at `/rss.xml`",
        judge: there,
    },
    Check {
        id: "feed.form",
        severity: Broken,
        what: "the feed is RSS 2.0 with title, link, description and language, and `<rss` within its first 512 bytes",
        why: "readers refuse what is not well-formed, and know a feed by its first bytes",
        fix: Document("/rss.xml"),
        advice: "publish the feed as it was generated; look for what rewrites it on the way",
        judge: form,
    },
    Check {
        id: "feed.own",
        severity: Broken,
        what: "the feed names its own address",
        why: "readers follow it when the feed was copied or moved",
        fix: Setting("base_url", "`atom:link` in `/rss.xml`"),
        advice: "write the address of the site; after a change of the setting build again",
        judge: own,
    },
    Check {
        id: "feed.items",
        severity: Broken,
        what: "there are at most 20 items, each with title, link, summary and a `guid` of its own",
        why: "readers tell items apart by their `guid` alone",
        fix: Document("/rss.xml"),
        advice: "give every item its own `guid`; articles with the same `guid` in their front matter need different ones",
        judge: items,
    },
    Check {
        id: "feed.agrees",
        severity: Broken,
        what: "the feed has the newest articles of the list, with their titles and dates",
        why: "who follows the feed misses articles, or reads of others than the site has",
        fix: Document("/rss.xml"),
        advice: "publish feed and pages from one build, and clear the CDN after it",
        judge: agrees,
    },
    Check {
        id: "feed.dates",
        severity: Broken,
        what: "every `pubDate` is a date of RFC 822, and not in the future",
        why: "readers put an item with an unreadable date last, or first for ever",
        fix: Document("/rss.xml"),
        advice: "write dates as `Mon, 06 May 2024 07:08:09 +0000`",
        judge: dates,
    },
    Check {
        id: "feed.order",
        severity: Minor,
        what: "the newest item is the first",
        why: "some readers look at the first items alone",
        fix: Document("/rss.xml"),
        advice: "sort the feed by date, newest first",
        judge: order,
    },
    Check {
        id: "feed.absolute",
        severity: Broken,
        what: "links and pictures in the feed are absolute",
        why: "a feed reader shows the text outside the site, where a relative address is broken",
        fix: Document("/rss.xml"),
        advice: "write absolute addresses; look for what rewrites them on the way",
        judge: absolute,
    },
    Check {
        id: "feed.answers",
        severity: Broken,
        what: "what the feed links answers 200, without a redirect",
        why: "a reader's click ends at an error",
        fix: Document("/rss.xml"),
        advice: "publish the whole site before the feed, in one step",
        judge: answers,
    },
];

/// A feed must be recognisable within this many bytes.
const RECOGNISED: usize = 512;

fn read(evidence: &Evidence) -> Option<feed::Feed> {
    feed::read(&evidence.found("/rss.xml")?.text()).ok()
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(answer) = evidence.get("/rss.xml") {
        verdict.expect(
            answer.status == 200 && answer.media() != "text/html",
            evidence.url("/rss.xml"),
            "200 with a feed",
            answer,
        );
    }
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/rss.xml") else {
        return;
    };
    let url = evidence.url("/rss.xml");
    let start = &answer.body[..answer.body.len().min(RECOGNISED)];
    verdict.expect(
        memchr::memmem::find(start, b"<rss").is_some(),
        &url,
        "`<rss` within the first 512 bytes",
        String::from_utf8_lossy(&start[..start.len().min(60)]),
    );
    match feed::read(&answer.text()) {
        Ok(feed) => drop(verdict.expect(
            feed.missing.is_empty(),
            &url,
            "title, link, description and language",
            format!("without {}", super::some(&feed.missing)),
        )),
        Err(why) => drop(verdict.expect(false, &url, "RSS 2.0", why)),
    }
}

fn own(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(feed) = read(evidence) {
        verdict.equal(
            evidence.url("/rss.xml"),
            evidence.address.written("/rss.xml"),
            feed.own,
        );
    }
}

/// The name of an item in messages.
fn name(evidence: &Evidence, item: &feed::Item) -> String {
    format!(
        "{} item {}",
        evidence.url("/rss.xml"),
        if item.link.is_empty() {
            &item.title
        } else {
            &item.link
        }
    )
}

/// Judges whether an item has all elements.
fn elements(item: &feed::Item, name: &str, verdict: &mut Verdict) {
    for (what, value) in [
        ("title", &item.title),
        ("link", &item.link),
        ("guid", &item.guid),
        ("description", &item.description),
    ] {
        verdict.expect(!value.is_empty(), name, format!("a `{what}`"), "none");
    }
}

fn items(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    verdict.expect(
        feed.items.len() <= LATEST,
        evidence.url("/rss.xml"),
        format!("at most {LATEST} items"),
        feed.items.len(),
    );
    let mut seen = BTreeSet::new();
    for item in &feed.items {
        let name = name(evidence, item);
        elements(item, &name, verdict);
        verdict.expect(
            item.guid.is_empty() || seen.insert(item.guid.clone()),
            &name,
            "a `guid` of its own",
            &item.guid,
        );
        verdict.expect(
            !item.permalink || item.guid == item.link,
            &name,
            "a permalink `guid` that is the link",
            &item.guid,
        );
        verdict.expect(
            item.ordered,
            &name,
            "`description` before `content:encoded`",
            "the other order",
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

/// Compares the pages with what the feed says about them: see [`agreement`].
fn agrees(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(feed) = read(evidence) {
        agreement::judge(evidence, &feed, verdict);
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn dates(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    // Without dated articles, no item has a date.
    if feed.items.iter().all(|item| item.date.is_empty()) {
        return verdict.leave_out(Rule::NoCase);
    }
    for item in &feed.items {
        let at = moment(&item.date);
        verdict.expect(
            at.is_some(),
            name(evidence, item),
            "a date of RFC 822",
            or_none(&item.date),
        );
        verdict.expect(
            at.is_none_or(|at| at.as_second() <= evidence.now.as_second() + 86_400),
            name(evidence, item),
            "a date in the past",
            &item.date,
        );
    }
    verdict.expect(
        feed.built.is_empty() || moment(&feed.built).is_some(),
        evidence.url("/rss.xml"),
        "a `lastBuildDate` of RFC 822",
        &feed.built,
    );
}

fn order(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for pair in feed.items.windows(2) {
        if let (Some(one), Some(other)) = (moment(&pair[0].date), moment(&pair[1].date)) {
            verdict.expect(
                one >= other,
                name(evidence, &pair[1]),
                format!("not newer than {}", pair[0].date),
                &pair[1].date,
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn absolute(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for item in &feed.items {
        let page = html::read(&item.content);
        let relative: Vec<&String> = page
            .addresses
            .iter()
            .filter(|address| !has_scheme(address))
            .collect();
        verdict.expect(
            relative.is_empty() && has_scheme(&item.link),
            name(evidence, item),
            "absolute URLs",
            super::some(&relative),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn answers(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for item in &feed.items {
        let Some(path) = evidence.address.path_of(&item.link) else {
            verdict.expect(
                false,
                name(evidence, item),
                format!("a page of {}", evidence.address.declared),
                or_none(&item.link),
            );
            continue;
        };
        for answer in asked(evidence, path) {
            verdict.expect(
                answer.status == 200,
                evidence.url(path),
                "200, as the feed links it",
                answer,
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

/// The answers to those requests for a path that any client could have sent. A refusal because of
/// `Accept` is judged by the group `negotiation`.
pub(super) fn asked<'a>(evidence: &'a Evidence, path: &'a str) -> impl Iterator<Item = &'a Answer> {
    let plain = |ask: &Ask| {
        ask.fields
            .iter()
            .all(|(name, value)| *name == "accept" && [BROWSER, AGENT].contains(&value.as_str()))
    };
    let of = move |(ask, answer): &(&Ask, &Answer)| {
        ask.path == path
            && !ask.origin
            && matches!(ask.method, "GET" | "HEAD")
            && plain(ask)
            && !matches!(answer.status, 0 | 406 | 415)
    };
    evidence.answers.iter().filter(of).map(|(_, answer)| answer)
}
