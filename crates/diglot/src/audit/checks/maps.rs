//! Sitemaps in both forms, and that they agree with what is there.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Check, feed::asked, or_none};
use crate::audit::address::{markdown_path, stem};
use crate::audit::answer::Answer;
use crate::audit::evidence::Evidence;
use crate::audit::gather::mapped;
use crate::audit::read::{sitemap, text, twin};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "sitemaps.form",
        what: "sitemap.xml is a sitemap or an index of sitemaps within the protocol's limits",
        why: "search engines drop a broken one whole",
        advice: "publish the generated `/sitemap.xml` unchanged",
        judge: form,
    },
    Check {
        id: "sitemaps.urls",
        what: "it names every page once, by its canonical address on this site",
        why: "other addresses are ignored, or counted as copies",
        advice: "build again with `--base-url` set to the address of the site",
        judge: urls,
    },
    Check {
        id: "sitemaps.dates",
        what: "every URL has the day of its last change, none is in the future, and they differ",
        why: "search engines stop to believe dates that are all alike or wrong",
        advice: "let Diglot find the days in git or in its state folder instead of the time of the checkout",
        judge: dates,
    },
    Check {
        id: "sitemaps.answers",
        what: "what the sitemap names is there, in both forms, without a redirect",
        why: "a sitemap that names drafts or old addresses costs trust, and may tell what nobody should know yet",
        advice: "publish sitemap and pages from one build, and purge the CDN after it",
        judge: answers,
    },
    Check {
        id: "sitemaps.markdown",
        what: "sitemap.md lists every page of sitemap.xml with the path of its Markdown form",
        why: "agents that read Markdown look there",
        advice: "publish both sitemaps from one build",
        judge: markdown,
    },
];

/// How many URLs one sitemap may have.
const MOST_URLS: usize = 50_000;
/// How many bytes one sitemap may have.
const MOST_BYTES: usize = 50 << 20;

/// The sitemap and its parts that were read, by path.
fn maps(evidence: &Evidence) -> impl Iterator<Item = (&String, &Answer)> {
    let is_map = |path: &str| path.starts_with("/sitemap") && path.ends_with(".xml");
    evidence.successes().filter(move |(ask, _)| ask.fields.is_empty() && is_map(&ask.path)).map(|(ask, answer)| (&ask.path, answer))
}

fn entries(evidence: &Evidence) -> Vec<sitemap::Entry> {
    maps(evidence).filter_map(|(_, answer)| sitemap::read(&answer.text()).ok()).flat_map(|map| map.entries).collect()
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    for (path, answer) in maps(evidence) {
        match sitemap::read(&answer.text()) {
            Ok(map) => {
                let right = map.entries.len().max(map.parts.len()) <= MOST_URLS && answer.body.len() <= MOST_BYTES;
                verdict.expect(right, evidence.url(path), "at most 50,000 URLs in 50 MB", format!("{} URLs", map.entries.len()));
                verdict.expect(!map.entries.is_empty() || !map.parts.is_empty(), evidence.url(path), "URLs", "none");
            }
            Err(why) => drop(verdict.expect(false, evidence.url(path), "a sitemap", why)),
        }
    }
}

fn urls(evidence: &Evidence, verdict: &mut Verdict) {
    let mut seen = BTreeSet::new();
    for entry in entries(evidence) {
        let path = evidence.address.path_of(&entry.location);
        let right = path.is_some_and(|path| path == "/" || path.ends_with(".html")) && entry.location.starts_with(&evidence.address.declared);
        verdict.expect(right, &entry.location, format!("an `.html` address of {}", evidence.address.declared), or_none(&entry.location));
        verdict.expect(seen.insert(entry.location.clone()), &entry.location, "once", "twice");
    }
    for path in ["/", "/terms.html", "/api.html"] {
        let whole = maps(evidence).all(|(_, answer)| sitemap::read(&answer.text()).is_ok_and(|map| map.parts.is_empty()));
        if whole && !seen.is_empty() {
            verdict.expect(seen.contains(&evidence.address.written(path)), evidence.url("/sitemap.xml"), evidence.address.written(path), "not named");
        }
    }
}

/// A W3C date: a day, or an instant.
fn day(text: &str) -> Option<Date> {
    match text.parse::<Timestamp>() {
        Ok(at) => Some(at.to_zoned(jiff::tz::TimeZone::UTC).date()),
        Err(_) => text.parse::<Date>().ok().filter(|day| day.to_string() == text),
    }
}

fn dates(evidence: &Evidence, verdict: &mut Verdict) {
    let tomorrow = evidence.now.to_zoned(jiff::tz::TimeZone::UTC).date().tomorrow().unwrap_or(Date::MAX);
    let entries = entries(evidence);
    for entry in &entries {
        let right = day(&entry.modified).is_some_and(|day| day <= tomorrow);
        verdict.expect(right, &entry.location, "a `lastmod` that has come", or_none(&entry.modified));
    }
    let articles: Vec<&sitemap::Entry> = entries
        .iter()
        .filter(|entry| {
            evidence.address.path_of(&entry.location).is_some_and(|path| path.starts_with("/articles/") && path != "/articles/index.html")
        })
        .collect();
    let different: BTreeSet<&str> = articles.iter().map(|entry| entry.modified.as_str()).collect();
    if articles.len() > 2 {
        verdict.expect_of_host(
            different.len() > 1,
            evidence.url("/sitemap.xml"),
            "different days",
            format!("one `lastmod` for {} articles", articles.len()),
        );
    }
}

fn answers(evidence: &Evidence, verdict: &mut Verdict) {
    for path in mapped(evidence) {
        for answer in asked(evidence, &path) {
            verdict.expect(answer.status == 200, evidence.url(&path), "200, as the sitemap names it", answer);
        }
        if let Some(stem) = stem(&path) {
            let twin = markdown_path(stem);
            for answer in asked(evidence, &twin) {
                verdict.expect(answer.status == 200, evidence.url(&twin), "200, as the page is in the sitemap", answer);
            }
        }
    }
}

fn markdown(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/sitemap.md") else { return };
    let (url, content) = (evidence.url("/sitemap.md"), answer.text());
    let titles = twin::read(&content).titles();
    verdict.equal(&url, "1 H1", &format!("{titles} H1"));
    let links: BTreeSet<String> = text::links(&content).into_iter().collect();
    let paths: BTreeSet<String> = text::code_paths(&content).into_iter().map(|path| evidence.address.resolve(&path, "/sitemap.md")).collect();
    for path in mapped(evidence) {
        verdict.expect(links.contains(&evidence.address.written(&path)), &url, evidence.address.written(&path), "not listed");
        if let Some(stem) = stem(&path) {
            let twin = evidence.address.written(&markdown_path(stem));
            verdict.expect(paths.contains(&twin) || links.contains(&twin), &url, format!("the Markdown form {twin}"), "not listed");
        }
    }
    for answer in paths.iter().filter_map(|url| evidence.address.path_of(url)).flat_map(|path| asked(evidence, path)) {
        verdict.expect(answer.status == 200, &url, "200 for every path that is listed", answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w3c_dates_are_days_or_instants() {
        for (text, right) in [
            ("2024-05-06", true),
            ("2024-05-06T07:08:09Z", true),
            ("2024-05-06T07:08:09+02:00", true),
            ("2024-13-06", false),
            ("6 May 2024", false),
            ("", false),
        ] {
            assert_eq!(day(text).is_some(), right, "{text}");
        }
    }
}
