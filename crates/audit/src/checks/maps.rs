//! Sitemaps in both forms, and that they match the site.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Check, feed::asked, or_none};
use crate::address::{html_path, markdown_path, stem};
use crate::answer::Answer;
use crate::evidence::Evidence;
use crate::fix::Fix::{Document, Setting};
use crate::gather::mapped;
use crate::read::{sitemap, text, twin};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "sitemaps.there",
        severity: Missing,
        what: "there is a sitemap at `/sitemap.xml`",
        why: "search engines find pages by it",
        fix: Document("/sitemap.xml"),
        advice: "publish a sitemap at `/sitemap.xml`",
        judge: there,
    },
    Check {
        id: "sitemaps.form",
        severity: Broken,
        what: "sitemap.xml is a sitemap or an index of sitemaps within the limits of the protocol",
        why: "search engines drop a broken one whole",
        fix: Document("/sitemap.xml"),
        advice: "publish the sitemap as it was generated",
        judge: form,
    },
    Check {
        id: "sitemaps.urls",
        severity: Broken,
        what: "it names every page once, by its canonical address on this site",
        why: "other addresses are ignored, or counted as copies",
        fix: Setting("base_url", "`/sitemap.xml`"),
        advice: "write the address of the site; after a change of the setting build again",
        judge: urls,
    },
    Check {
        id: "sitemaps.dates",
        severity: Broken,
        what: "every URL has the day of its last change, and none is in the future",
        why: "search engines stop believing dates that are wrong",
        fix: Document("/sitemap.xml"),
        advice: "write `lastmod` as a W3C date, from the content's own dates",
        judge: dates,
    },
    Check {
        id: "sitemaps.days",
        severity: Minor,
        what: "the days of the articles differ",
        why: "dates that are all alike are those of a build, and are not believed",
        fix: Document("/sitemap.xml"),
        advice: "let Diglot find the days in git or in `diglot.lock` instead of the time of the checkout",
        judge: days,
    },
    Check {
        id: "sitemaps.agree",
        severity: Broken,
        what: "an article's `lastmod` is the last change that its Markdown form names",
        why: "crawlers and agents would be told different days",
        fix: Document("/sitemap.xml"),
        advice: "publish sitemap and pages from one build",
        judge: agree,
    },
    Check {
        id: "sitemaps.answers",
        severity: Broken,
        what: "what the sitemap names answers 200 in both forms, without a redirect",
        why: "a sitemap of drafts or old addresses costs trust, and may tell what nobody should know yet",
        fix: Document("/sitemap.xml"),
        advice: "publish sitemap and pages from one build, and clear the CDN after it",
        judge: answers,
    },
    Check {
        id: "sitemaps.markdown",
        severity: Missing,
        what: "sitemap.md lists every page of sitemap.xml with the path of its Markdown form",
        why: "agents that read Markdown look there",
        fix: Document("/sitemap.md"),
        advice: "publish both sitemaps from one build",
        judge: markdown,
    },
];

/// How many URLs one sitemap may have.
const MOST_URLS: usize = 50_000;
/// How many bytes one sitemap may have.
const MOST_BYTES: usize = 50 << 20;

/// The sitemap and those of its parts that were read, by path.
fn maps(evidence: &Evidence) -> impl Iterator<Item = (&String, &Answer)> {
    let is_map = |path: &str| path.starts_with("/sitemap") && path.ends_with(".xml");
    evidence
        .successes()
        .filter(move |(ask, _)| ask.fields.is_empty() && is_map(&ask.path))
        .map(|(ask, answer)| (&ask.path, answer))
}

fn entries(evidence: &Evidence) -> Vec<sitemap::Entry> {
    maps(evidence)
        .filter_map(|(_, answer)| sitemap::read(&answer.text()).ok())
        .flat_map(|map| map.entries)
        .collect()
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(answer) = evidence.get("/sitemap.xml") {
        verdict.expect(
            answer.status == 200 && answer.media() != "text/html",
            evidence.url("/sitemap.xml"),
            "200 with a sitemap",
            answer,
        );
    }
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    for (path, answer) in maps(evidence) {
        match sitemap::read(&answer.text()) {
            Ok(map) => {
                let right = map.entries.len().max(map.parts.len()) <= MOST_URLS
                    && answer.body.len() <= MOST_BYTES;
                verdict.expect(
                    right,
                    evidence.url(path),
                    "at most 50,000 URLs in 50 MB",
                    format!("{} URLs", map.entries.len()),
                );
                verdict.expect(
                    !map.entries.is_empty() || !map.parts.is_empty(),
                    evidence.url(path),
                    "URLs",
                    "none",
                );
            }
            Err(why) => drop(verdict.expect(false, evidence.url(path), "a sitemap", why)),
        }
    }
}

fn urls(evidence: &Evidence, verdict: &mut Verdict) {
    let mut seen = BTreeSet::new();
    for entry in entries(evidence) {
        let path = evidence.address.path_of(&entry.location);
        let right = path.is_some_and(|path| path == "/" || path.ends_with(".html"))
            && entry.location.starts_with(&evidence.address.declared);
        verdict.expect(
            right,
            &entry.location,
            format!("an `.html` address of {}", evidence.address.declared),
            or_none(&entry.location),
        );
        verdict.expect(
            seen.insert(entry.location.clone()),
            &entry.location,
            "once",
            "twice",
        );
    }
    let whole = maps(evidence)
        .all(|(_, answer)| sitemap::read(&answer.text()).is_ok_and(|map| map.parts.is_empty()));
    if whole && !seen.is_empty() {
        own_pages(evidence, &seen, verdict);
    }
}

/// Judges whether the pages that every site has are named.
fn own_pages(evidence: &Evidence, seen: &BTreeSet<String>, verdict: &mut Verdict) {
    for path in ["/", "/terms.html", "/api.html"] {
        let url = evidence.address.written(path);
        let is_named = seen.contains(&url);
        verdict.expect(is_named, evidence.url("/sitemap.xml"), url, "not named");
    }
}

/// A W3C date: a day or an instant.
fn day(text: &str) -> Option<Date> {
    match text.parse::<Timestamp>() {
        Ok(at) => Some(at.to_zoned(jiff::tz::TimeZone::UTC).date()),
        Err(_) => text
            .parse::<Date>()
            .ok()
            .filter(|day| day.to_string() == text),
    }
}

fn dates(evidence: &Evidence, verdict: &mut Verdict) {
    let tomorrow = evidence
        .now
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
        .tomorrow()
        .unwrap_or(Date::MAX);
    let entries = entries(evidence);
    for entry in &entries {
        let right = day(&entry.modified).is_some_and(|day| day <= tomorrow);
        verdict.expect(
            right,
            &entry.location,
            "a `lastmod` in the past",
            or_none(&entry.modified),
        );
    }
}

fn days(evidence: &Evidence, verdict: &mut Verdict) {
    let entries = entries(evidence);
    let articles: Vec<&sitemap::Entry> = entries
        .iter()
        .filter(|entry| {
            evidence
                .address
                .path_of(&entry.location)
                .is_some_and(|path| {
                    path.starts_with("/articles/") && path != "/articles/index.html"
                })
        })
        .collect();
    let different: BTreeSet<&str> = articles
        .iter()
        .map(|entry| entry.modified.as_str())
        .collect();
    if articles.len() > 2 {
        verdict.expect(
            different.len() > 1,
            evidence.url("/sitemap.xml"),
            "different days",
            format!("one `lastmod` for {} articles", articles.len()),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn agree(evidence: &Evidence, verdict: &mut Verdict) {
    let entries = entries(evidence);
    for form in evidence
        .markdown_forms()
        .iter()
        .filter(|form| evidence.articles.contains(&form.stem))
    {
        let own = evidence.address.written(&html_path(&form.stem));
        let told = day(form.read.text("last_updated"));
        if let (Some(told), Some(entry)) =
            (told, entries.iter().find(|entry| entry.location == own))
        {
            verdict.expect(
                day(&entry.modified) == Some(told),
                &own,
                format!("lastmod {told}"),
                or_none(&entry.modified),
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn answers(evidence: &Evidence, verdict: &mut Verdict) {
    for path in mapped(evidence) {
        for answer in asked(evidence, &path) {
            verdict.expect(
                answer.status == 200,
                evidence.url(&path),
                "200, as the sitemap names it",
                answer,
            );
        }
        if let Some(stem) = stem(&path) {
            let twin = markdown_path(stem);
            for answer in asked(evidence, &twin) {
                verdict.expect(
                    answer.status == 200,
                    evidence.url(&twin),
                    "200, as the page is in the sitemap",
                    answer,
                );
            }
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn markdown(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.get("/sitemap.md") else {
        return;
    };
    if !verdict.expect(
        answer.status == 200,
        evidence.url("/sitemap.md"),
        "200",
        answer,
    ) {
        return;
    }
    let (url, content) = (evidence.url("/sitemap.md"), answer.text());
    let titles = twin::read(&content).titles();
    verdict.equal(&url, "1 H1", &format!("{titles} H1"));
    let links: BTreeSet<String> = text::links(&content).into_iter().collect();
    let paths: BTreeSet<String> = text::code_paths(&content)
        .into_iter()
        .map(|path| evidence.address.resolve(&path, "/sitemap.md"))
        .collect();
    for path in mapped(evidence) {
        verdict.expect(
            links.contains(&evidence.address.written(&path)),
            &url,
            evidence.address.written(&path),
            "not listed",
        );
        if let Some(stem) = stem(&path) {
            let twin = evidence.address.written(&markdown_path(stem));
            verdict.expect(
                paths.contains(&twin) || links.contains(&twin),
                &url,
                format!("the Markdown form {twin}"),
                "not listed",
            );
        }
    }
    for answer in paths
        .iter()
        .filter_map(|url| evidence.address.path_of(url))
        .flat_map(|path| asked(evidence, path))
    {
        verdict.expect(
            answer.status == 200,
            &url,
            "200 for every path that is listed",
            answer,
        );
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
