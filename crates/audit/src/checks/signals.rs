//! Usage signals: the same statement in four places.

use std::collections::BTreeSet;

use super::{Check, or_none, some};
use crate::address::html_path;
use crate::answer::{Answer, Ask};
use crate::evidence::{Evidence, named};
use crate::fix::Fix::{Document, Header, Setting};
use crate::gather::mapped;
use crate::read::robots::{self, line, signals, usage};
use crate::read::{html, twin};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "signals.there",
        severity: Missing,
        what: "robots.txt or a header field says how the content may be used",
        why: "who may search, quote and train is the author's to say",
        fix: Document("/robots.txt"),
        advice: "write a `Content-Signal` line into robots.txt, and send the field",
        judge: there,
    },
    Check {
        id: "signals.robots",
        severity: Broken,
        what: "robots.txt has a group for everybody, names the sitemap, and keeps nobody out of the pages",
        why: "crawlers read it before anything else",
        fix: Document("/robots.txt"),
        advice: "publish it at the root of the host, with `User-agent: *`, `Allow: /` and a `Sitemap` line",
        judge: robots_txt,
    },
    Check {
        id: "signals.groups",
        severity: Missing,
        what: "every group of robots.txt has the one `Content-Signal` line",
        why: "a crawler reads its own group alone",
        fix: Document("/robots.txt"),
        advice: "repeat the `Content-Signal` line in every group",
        judge: groups,
    },
    Check {
        id: "signals.field",
        severity: Missing,
        what: "every page and document has `Content-Signal`",
        why: "whoever reads one page has not read robots.txt",
        fix: Header("Content-Signal"),
        advice: "derive line and field from one setting (`signals`), and do not let the CDN drop or add the field",
        judge: field,
    },
    Check {
        id: "signals.agree",
        severity: Broken,
        what: "no `Content-Signal` or `Content-Usage` says something else than robots.txt",
        why: "two statements are none",
        fix: Header("Content-Signal"),
        advice: "derive line and fields from one setting (`signals`)",
        judge: agree,
    },
    Check {
        id: "signals.usage",
        severity: Missing,
        what: "every page and document has the `Content-Usage` that follows from it",
        why: "it is the same statement in the words of the IETF",
        fix: Header("Content-Usage"),
        advice: "send `Content-Usage` as it follows from `Content-Signal`",
        judge: content_usage,
    },
    Check {
        id: "signals.not-modified",
        severity: Missing,
        what: "a 304 has both fields as well",
        why: "a client that asks again must see a statement that has changed",
        fix: Header("Content-Signal"),
        advice: "send both fields with 304 as well",
        judge: not_modified,
    },
    Check {
        id: "signals.errors",
        severity: Missing,
        what: "404, 405 and redirects have both fields as well",
        why: "the statement is about the whole site",
        fix: Header("Content-Signal"),
        advice: "send both fields with every status (`always` in nginx)",
        judge: errors,
    },
    Check {
        id: "signals.noindex",
        severity: Broken,
        what: "no page of the sitemap tells search engines to leave it out (`X-Robots-Tag`, `meta robots`)",
        why: "robots.txt and the sitemap invite, the page refuses: the page is never found",
        fix: Header("X-Robots-Tag"),
        advice: "remove `noindex` from pages that the sitemap names; previews of hosts add it",
        judge: noindex,
    },
    Check {
        id: "signals.terms",
        severity: Missing,
        what: "the terms page says the same in both forms",
        why: "people and lawyers read that page, not header fields",
        fix: Setting("signals", "the page `/terms.html`"),
        advice: "remove your own page of terms, or write into it what the signals say",
        judge: terms,
    },
];

/// The signals of robots.txt.
fn own(evidence: &Evidence) -> Option<std::collections::BTreeMap<String, String>> {
    let robots = robots::read(&evidence.found("/robots.txt")?.text());
    let line = robots
        .groups
        .iter()
        .flat_map(|group| &group.signals)
        .next()
        .cloned()
        .unwrap_or_default();
    Some(signals(&line)).filter(|signals| !signals.is_empty())
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    let sent = evidence.successes().any(|(_, answer)| {
        !answer.field("content-signal").is_empty() || !answer.field("content-usage").is_empty()
    });
    verdict.expect(
        sent || own(evidence).is_some(),
        evidence.url("/robots.txt"),
        "a `Content-Signal` line",
        "none, and no such field",
    );
}

fn robots_txt(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/robots.txt") else {
        return absent(evidence, verdict);
    };
    let (robots, url) = (robots::read(&answer.text()), evidence.url("/robots.txt"));
    let everybody = robots.everybody();
    verdict.expect(everybody.is_some(), &url, "User-agent: *", "no such group");
    let map = evidence.address.written("/sitemap.xml");
    verdict.expect(
        robots.sitemaps.contains(&map),
        &url,
        format!("Sitemap: {map}"),
        or_none(&some(&robots.sitemaps)),
    );
    let disallowed = everybody.map_or_else(Vec::new, |group| group.disallowed.clone());
    let shut = disallowed.iter().any(|rule| shuts(rule, evidence));
    verdict.expect(!shut, &url, "no page disallowed", some(&disallowed));
}

/// Whether a rule of `robots.txt` shuts a page out.
fn shuts(rule: &str, evidence: &Evidence) -> bool {
    let (rule, prefix) = (rule.trim_end_matches('*'), evidence.address.prefix());
    evidence
        .stems()
        .any(|stem| format!("{prefix}{stem}.html").starts_with(rule))
}

/// Reports that robots.txt is missing.
fn absent(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(answer) = evidence.get("/robots.txt") {
        verdict.expect(false, evidence.url("/robots.txt"), "200", answer);
    }
}

fn groups(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/robots.txt") else {
        return absent(evidence, verdict);
    };
    let robots = robots::read(&answer.text());
    let own = own(evidence).unwrap_or_default();
    for group in &robots.groups {
        let [line] = group.signals.as_slice() else {
            verdict.expect(
                false,
                format!(
                    "{} group `{}`",
                    evidence.url("/robots.txt"),
                    some(&group.agents)
                ),
                "one Content-Signal line",
                group.signals.len(),
            );
            continue;
        };
        verdict.expect(
            signals(line) == own,
            evidence.url("/robots.txt"),
            robots::line(&own),
            line,
        );
    }
}

/// Compares both fields of an answer with robots.txt.
fn both(evidence: &Evidence, verdict: &mut Verdict, picks: impl Fn(&Ask, &Answer) -> bool) {
    let Some(own) = own(evidence) else {
        return verdict.leave_out(Rule::Counted);
    };
    for (ask, answer) in evidence.came().filter(|(ask, answer)| picks(ask, answer)) {
        let url = format!("{} ({})", named(evidence, ask), answer.status);
        for (name, wanted) in [
            ("content-signal", own.clone()),
            ("content-usage", usage(&own)),
        ] {
            let right = signals(answer.field(name)) == wanted;
            verdict.expect(
                right,
                &url,
                format!("{name}: {}", line(&wanted)),
                or_none(answer.field(name)),
            );
        }
    }
}

fn field(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(own) = own(evidence) else {
        return verdict.leave_out(Rule::Counted);
    };
    for (ask, answer) in evidence.successes() {
        verdict.expect(
            !answer.field("content-signal").is_empty(),
            named(evidence, ask),
            line(&own),
            "none",
        );
    }
}

fn agree(evidence: &Evidence, verdict: &mut Verdict) {
    // Without a signal in robots.txt, the fields are the statement.
    let Some(own) = own(evidence) else {
        return verdict.leave_out(Rule::Counted);
    };
    for (ask, answer) in evidence.came() {
        let values: Vec<&str> = answer.all("content-signal").collect();
        if !values.is_empty() {
            // A repeated statement counts as one: nginx repeats the fields of a 416.
            verdict.expect(
                values.iter().all(|value| signals(value) == own),
                named(evidence, ask),
                line(&own),
                values.join(" | "),
            );
        }
        let (wanted, said) = (usage(&own), signals(answer.field("content-usage")));
        verdict.expect(
            said.is_empty() || said == wanted,
            named(evidence, ask),
            line(&wanted),
            line(&said),
        );
    }
}

fn content_usage(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(own) = own(evidence) else {
        return verdict.leave_out(Rule::Counted);
    };
    for (ask, answer) in evidence.successes() {
        verdict.expect(
            !answer.field("content-usage").is_empty(),
            named(evidence, ask),
            line(&usage(&own)),
            "none",
        );
    }
}

fn not_modified(evidence: &Evidence, verdict: &mut Verdict) {
    both(evidence, verdict, |_, answer| answer.status == 304);
    verdict.or_leave_out(Rule::Counted);
}

fn errors(evidence: &Evidence, verdict: &mut Verdict) {
    both(evidence, verdict, |ask, answer| {
        matches!(answer.status, 404 | 410 | 405 | 301 | 308) && ask.method != "HEAD"
    });
    verdict.or_leave_out(Rule::NoCase);
}

/// Whether a value of `X-Robots-Tag` or `<meta name="robots">` keeps the page out of indexes.
fn refuses(value: &str) -> bool {
    value
        .to_ascii_lowercase()
        .split([',', ':', ' '])
        .any(|word| matches!(word, "noindex" | "none"))
}

fn noindex(evidence: &Evidence, verdict: &mut Verdict) {
    let named_there: BTreeSet<String> = mapped(evidence).into_iter().collect();
    for form in evidence.html_forms() {
        let path = html_path(&form.stem);
        let Some(answer) = evidence
            .html(&form.stem)
            .filter(|_| named_there.contains(&path))
        else {
            continue;
        };
        let field = answer.all("x-robots-tag").collect::<Vec<_>>().join(", ");
        let said = [field.as_str(), form.read.meta("robots")]
            .into_iter()
            .find(|value| refuses(value));
        verdict.expect(
            said.is_none(),
            &form.url,
            "no `noindex`",
            said.unwrap_or_default(),
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

/// The words for each use in a text.
const WORDS: [(&str, &str); 3] = [
    ("search", "search"),
    ("ai-input", "input"),
    ("ai-train", "train"),
];

fn terms(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(own) = own(evidence) else {
        return verdict.leave_out(Rule::Counted);
    };
    let (Some(page), Some(markdown)) = (evidence.html("/terms"), evidence.markdown("/terms"))
    else {
        verdict.expect(
            false,
            evidence.url("/terms.html"),
            "a page of terms in both forms",
            "none",
        );
        return;
    };
    // The line is in a code block on the page, so the whole source is searched for it.
    let texts = [
        ("/terms.html", html::read(&page.text()).text, page.text()),
        (
            "/terms.md",
            twin::read(&markdown.text()).content.plain_text(),
            markdown.text(),
        ),
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
            let word = WORDS
                .iter()
                .find(|(own, _)| own == name)
                .map_or(name.as_str(), |(_, word)| word);
            verdict.expect(
                prose.contains(word),
                evidence.url(path),
                format!("plain words on `{name}`"),
                "none",
            );
        }
    }
}
