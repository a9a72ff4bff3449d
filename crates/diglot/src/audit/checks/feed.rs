//! The feed.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

use super::{Check, or_none};
use crate::audit::address::has_scheme;
use crate::audit::answer::{AGENT, Answer, Ask, BROWSER};
use crate::audit::evidence::Evidence;
use crate::audit::read::{feed, html};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "feed.form",
        what: "the feed is RSS 2.0 with title, link, description and language, and `<rss` within its first 512 bytes",
        why: "readers recognise a feed by its first bytes",
        advice: "publish the generated `/rss.xml` unchanged",
        judge: form,
    },
    Check {
        id: "feed.own",
        what: "the feed names its own address",
        why: "readers follow it when the feed was copied or moved",
        advice: "build again with `--base-url` set to the address of the site",
        judge: own,
    },
    Check {
        id: "feed.items",
        what: "there are at most 20 items, each with title, link, summary and a `guid` of its own",
        why: "readers tell items apart by their `guid` alone",
        advice: "give articles with the same `guid` in their front matter different ones",
        judge: items,
    },
    Check {
        id: "feed.dates",
        what: "every `pubDate` is a date of RFC 822, and not in the future",
        why: "readers put an item with an unreadable date at the end, or at the top for ever",
        advice: "write dates as `Mon, 06 May 2024 07:08:09 +0000`; Diglot does, so look at what rewrites the feed",
        judge: dates,
    },
    Check {
        id: "feed.order",
        what: "the newest item comes first",
        why: "some readers look at the first items alone",
        advice: "sort the feed by date, newest first",
        judge: order,
    },
    Check {
        id: "feed.absolute",
        what: "links and pictures in the feed are absolute",
        why: "a reader shows the text far from the site, where a relative address leads nowhere",
        advice: "publish the generated feed, whose addresses are absolute; look at what rewrites URLs on the way",
        judge: absolute,
    },
    Check {
        id: "feed.answers",
        what: "what the feed links is there",
        why: "a reader's click should not end at a 404",
        advice: "publish the whole site before the feed, in one step",
        judge: answers,
    },
];

/// How many articles the feed holds at most.
const LATEST: usize = 20;
/// Within how many bytes a feed must be recognisable.
const RECOGNISED: usize = 512;

fn read(evidence: &Evidence) -> Option<feed::Feed> {
    feed::read(&evidence.found("/rss.xml")?.text()).ok()
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/rss.xml") else { return };
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
        verdict.equal(evidence.url("/rss.xml"), evidence.address.written("/rss.xml"), feed.own);
    }
}

/// The name of an item in messages.
fn name(evidence: &Evidence, item: &feed::Item) -> String {
    format!("{} item {}", evidence.url("/rss.xml"), if item.link.is_empty() { &item.title } else { &item.link })
}

fn items(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    verdict.expect(feed.items.len() <= LATEST, evidence.url("/rss.xml"), format!("at most {LATEST} items"), feed.items.len());
    let mut seen = BTreeSet::new();
    for item in &feed.items {
        let name = name(evidence, item);
        for (what, value) in [("title", &item.title), ("link", &item.link), ("guid", &item.guid), ("description", &item.description)] {
            verdict.expect(!value.is_empty(), &name, format!("a `{what}`"), "none");
        }
        verdict.expect(item.guid.is_empty() || seen.insert(item.guid.clone()), &name, "a `guid` of its own", &item.guid);
        verdict.expect(!item.permalink || item.guid == item.link, &name, "a permalink `guid` that is the link", &item.guid);
        verdict.expect(item.ordered, &name, "`description` before `content:encoded`", "the other order");
    }
}

/// A date of RFC 822, as feeds want it.
fn moment(text: &str) -> Option<Timestamp> {
    const PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_timestamp(text).ok()
}

fn dates(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for item in &feed.items {
        let at = moment(&item.date);
        verdict.expect(at.is_some(), name(evidence, item), "a date of RFC 822", or_none(&item.date));
        verdict.expect(
            at.is_none_or(|at| at.as_second() <= evidence.now.as_second() + 86_400),
            name(evidence, item),
            "a date that has come",
            &item.date,
        );
    }
    verdict.expect(feed.built.is_empty() || moment(&feed.built).is_some(), evidence.url("/rss.xml"), "a `lastBuildDate` of RFC 822", &feed.built);
}

fn order(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for pair in feed.items.windows(2) {
        if let (Some(one), Some(other)) = (moment(&pair[0].date), moment(&pair[1].date)) {
            verdict.expect(one >= other, name(evidence, &pair[1]), format!("not newer than {}", pair[0].date), &pair[1].date);
        }
    }
}

fn absolute(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for item in &feed.items {
        let page = html::read(&item.content);
        let relative: Vec<&String> = page.addresses.iter().filter(|address| !has_scheme(address)).collect();
        verdict.expect(relative.is_empty() && has_scheme(&item.link), name(evidence, item), "absolute URLs", super::some(&relative));
    }
}

fn answers(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(feed) = read(evidence) else { return };
    for item in &feed.items {
        let Some(path) = evidence.address.path_of(&item.link) else {
            verdict.expect(false, name(evidence, item), format!("a page of {}", evidence.address.declared), or_none(&item.link));
            continue;
        };
        for answer in asked(evidence, path) {
            verdict.expect(answer.status == 200, evidence.url(path), "200, as the feed links it", answer);
        }
    }
}

/// What requests for a path got that any client could have made.
pub(super) fn asked<'a>(evidence: &'a Evidence, path: &'a str) -> impl Iterator<Item = &'a Answer> {
    let plain = |ask: &Ask| ask.fields.iter().all(|(name, value)| *name == "accept" && [BROWSER, AGENT].contains(&value.as_str()));
    let of = move |(ask, answer): &(&Ask, &Answer)| {
        ask.path == path && !ask.origin && matches!(ask.method, "GET" | "HEAD") && plain(ask) && answer.status != 0
    };
    evidence.answers.iter().filter(of).map(|(_, answer)| answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_of_rfc_822_count() {
        for (text, right) in [
            ("Mon, 06 May 2024 07:08:09 +0000", true),
            ("Mon, 06 May 2024 07:08:09 GMT", true),
            ("Tue, 06 May 2024 07:08:09 +0000", false),
            ("2024-05-06T07:08:09Z", false),
            ("2024-05-06", false),
            ("", false),
        ] {
            assert_eq!(moment(text).is_some(), right, "{text}");
        }
    }
}
