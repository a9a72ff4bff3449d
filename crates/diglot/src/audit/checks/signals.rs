//! Usage signals: one statement in four places.

use super::{Check, or_none, some};
use crate::audit::evidence::{Evidence, named};
use crate::audit::read::robots::{self, line, signals, usage};
use crate::audit::read::{html, twin};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "signals.robots",
        what: "robots.txt has a group for everybody, names the sitemap, and keeps nobody out of the pages",
        why: "crawlers read it before anything else",
        advice: "publish the generated robots.txt at the origin's root, and merge rules of your own into it",
        judge: robots_txt,
    },
    Check {
        id: "signals.groups",
        what: "every group of robots.txt has the one `Content-Signal` line",
        why: "a crawler reads its own group alone",
        advice: "repeat the `Content-Signal` line in every group",
        judge: groups,
    },
    Check {
        id: "signals.field",
        what: "every answer has the `Content-Signal` of robots.txt",
        why: "whoever reads one page has not read robots.txt",
        advice: "install the generated host configuration, and let the CDN not drop or add the field",
        judge: field,
    },
    Check {
        id: "signals.usage",
        what: "every answer has the `Content-Usage` that follows from it",
        why: "it is the same statement in the words of the IETF",
        advice: "install the generated host configuration, which derives both fields from one setting",
        judge: content_usage,
    },
    Check {
        id: "signals.terms",
        what: "the terms page says the same in both forms",
        why: "people and lawyers read that page, not header fields",
        advice: "remove your own page of terms, or write into it what the setting `signals` says",
        judge: terms,
    },
];

/// The signals that robots.txt makes.
fn own(evidence: &Evidence) -> Option<std::collections::BTreeMap<String, String>> {
    let robots = robots::read(&evidence.found("/robots.txt")?.text());
    let line = robots.groups.iter().flat_map(|group| &group.signals).next().cloned().unwrap_or_default();
    Some(signals(&line)).filter(|signals| !signals.is_empty())
}

fn robots_txt(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/robots.txt") else { return };
    let (robots, url) = (robots::read(&answer.text()), evidence.url("/robots.txt"));
    let everybody = robots.groups.iter().find(|group| group.agents.iter().any(|agent| agent == "*"));
    verdict.expect(everybody.is_some(), &url, "User-agent: *", "no such group");
    let map = evidence.address.written("/sitemap.xml");
    verdict.expect(robots.sitemaps.contains(&map), &url, format!("Sitemap: {map}"), or_none(&some(&robots.sitemaps)));
    let disallowed: Vec<String> = everybody.into_iter().flat_map(|group| group.disallowed.clone()).collect();
    let prefix = evidence.address.prefix();
    let shut = disallowed.iter().any(|rule| evidence.stems().any(|stem| format!("{prefix}{stem}.html").starts_with(rule.trim_end_matches('*'))));
    verdict.expect(!shut, &url, "no page disallowed", some(&disallowed));
}

fn groups(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/robots.txt") else { return };
    let robots = robots::read(&answer.text());
    let own = own(evidence).unwrap_or_default();
    for group in &robots.groups {
        let [line] = group.signals.as_slice() else {
            verdict.expect(
                false,
                format!("{} group `{}`", evidence.url("/robots.txt"), some(&group.agents)),
                "one Content-Signal line",
                group.signals.len(),
            );
            continue;
        };
        verdict.expect(signals(line) == own, evidence.url("/robots.txt"), robots::line(&own), line);
    }
}

fn field(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(own) = own(evidence) else { return };
    for (ask, answer) in evidence.answers.iter().filter(|(ask, answer)| !ask.origin && answer.status != 0 && answer.status != 304) {
        let values: Vec<&str> = answer.all("content-signal").collect();
        let right = values.len() == 1 && signals(values[0]) == own;
        let (url, came) = (named(evidence, ask), or_none(&values.join(" | ")).to_owned());
        if answer.status == 200 {
            verdict.expect(right, url, line(&own), came);
        } else {
            verdict.expect_of_host(right, url, line(&own), came);
        }
    }
}

fn content_usage(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(own) = own(evidence) else { return };
    let wanted = usage(&own);
    for (ask, answer) in evidence.successes() {
        let came = answer.field("content-usage");
        verdict.expect(signals(came) == wanted, named(evidence, ask), line(&wanted), or_none(came));
    }
}

/// The words with which a text speaks of each use.
const WORDS: [(&str, &str); 3] = [("search", "search"), ("ai-input", "input"), ("ai-train", "train")];

fn terms(evidence: &Evidence, verdict: &mut Verdict) {
    let (Some(own), Some(page), Some(markdown)) = (own(evidence), evidence.html("/terms"), evidence.markdown("/terms")) else { return };
    // The line stands in a code block on the page, so the whole source is looked through for it.
    let texts = [
        ("/terms.html", html::read(&page.text()).text, page.text()),
        ("/terms.md", twin::read(&markdown.text()).content.plain_text(), markdown.text()),
    ];
    for (path, prose, source) in texts {
        let (prose, source) = (prose.to_lowercase(), source.to_lowercase().replace(' ', ""));
        for (name, value) in &own {
            let contrary = if value == "yes" { "no" } else { "yes" };
            verdict.expect(
                !source.contains(&format!("{name}={contrary}")),
                evidence.url(path),
                format!("{name}={value}"),
                format!("{name}={contrary}"),
            );
            let word = WORDS.iter().find(|(own, _)| own == name).map_or(name.as_str(), |(_, word)| word);
            verdict.expect(prose.contains(word), evidence.url(path), format!("plain words on `{name}`"), "none");
        }
    }
}
