//! Choosing the representation: rule 1.

use super::{Check, or_none};
use crate::address::{html_path, markdown_path};
use crate::answer::{AGENT, Answer, Ask, BROWSER};
use crate::evidence::{Evidence, named, negotiated};
use crate::fix::Fix::{Header, Host};
use crate::gather::{CODED, MALFORMED, OTHER, close};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Harm, Minor, Missing};
use crate::vectors::VECTORS;
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "negotiation.there",
        severity: Missing,
        what: "some `.html` address gives Markdown to a client that names `text/markdown`",
        why: "agents get clean text without knowing that there is a `.md` address",
        fix: Host("Markdown for `Accept: text/markdown`"),
        advice: "use `diglot serve`, or a host whose configuration negotiates: nginx, Caddy, Apache",
        judge: there,
    },
    Check {
        id: "negotiation.browser",
        severity: Harm,
        what: "whoever does not name Markdown gets HTML, whatever else `Accept` says",
        why: "people see source text instead of the page",
        fix: Host("Markdown for `Accept: text/markdown`"),
        advice: "send Markdown only where `Accept` names `text/markdown`; if a cache answered, make it obey `Vary` and `Cache-Control`",
        judge: browser,
    },
    Check {
        id: "negotiation.refused",
        severity: Broken,
        what: "no page is refused because of its `Accept`: never 406 or 415 at `.html`",
        why: "a client that names a type nobody has still wants the page",
        fix: Host("status 406"),
        advice: "send HTML where nothing fits",
        judge: refused,
    },
    Check {
        id: "negotiation.agent",
        severity: Missing,
        what: "every client that names Markdown and does not prefer HTML gets Markdown at every `.html` address",
        why: "agents should not have to guess which pages have it",
        fix: Host("Markdown for `Accept: text/markdown`"),
        advice: "weigh `Accept` as RFC 9110 section 12.5.1 says; HTML for agents is safe, but larger",
        judge: agent,
    },
    Check {
        id: "negotiation.failing",
        severity: Broken,
        what: "an agent that names Markdown never gets an error for a page that a browser gets",
        why: "the page is there, and the agent believes that it is not",
        fix: Host("Markdown for `Accept: text/markdown`"),
        advice: "fall back to HTML where Markdown is missing",
        judge: failing,
    },
    Check {
        id: "negotiation.markdown",
        severity: Broken,
        what: "`.md` addresses answer Markdown whatever `Accept` says, never 406",
        why: "a link to the Markdown form must work in a browser and in any program",
        fix: Host("`.md` addresses"),
        advice: "remove the rule that negotiates, rewrites or refuses `.md` addresses",
        judge: markdown,
    },
    Check {
        id: "negotiation.documents",
        severity: Broken,
        what: "feed, sitemap and llms.txt answer 200 whatever `Accept` says",
        why: "most clients of a feed send a browser's `Accept`, or none",
        fix: Host("documents"),
        advice: "do not negotiate documents: each has one form",
        judge: documents,
    },
    Check {
        id: "negotiation.user-agent",
        severity: Broken,
        what: "`User-Agent` does not matter: equal requests get equal pages",
        why: "who sees something else than the rest cannot trust the site",
        fix: Host("`User-Agent`"),
        advice: "remove the rule that chooses by `User-Agent`; bot protection of a CDN is one",
        judge: user_agent,
    },
    Check {
        id: "negotiation.bytes",
        severity: Broken,
        what: "Markdown at the `.html` address is the `.md` form, byte by byte",
        why: "two texts for one form contradict each other",
        fix: Host("Markdown for `Accept: text/markdown`"),
        advice: "answer with the `.md` file, not with a conversion of the HTML",
        judge: bytes,
    },
    Check {
        id: "negotiation.location",
        severity: Missing,
        what: "`Content-Location` names the `.md` address on Markdown at `.html`, and only there",
        why: "it tells a client where the form has an address of its own",
        fix: Header("Content-Location"),
        advice: "set the field on negotiated Markdown alone",
        judge: location,
    },
    Check {
        id: "negotiation.vary",
        severity: Harm,
        what: "`Vary` names `Accept` on both forms of an address at which the form is chosen",
        why: "without it any cache hands one client's form to the other",
        fix: Header("Vary"),
        advice: "send `Vary: Accept, Accept-Encoding` on every `.html` address and on `/`",
        judge: vary,
    },
    Check {
        id: "negotiation.vary-304",
        severity: Missing,
        what: "the 304 and the 404 of such an address have the same `Vary`",
        why: "a cache updates what it holds from a 304, and keeps a 404 too",
        fix: Header("Vary"),
        advice: "send `Vary: Accept, Accept-Encoding` with these statuses as well",
        judge: vary_others,
    },
    Check {
        id: "negotiation.coding-only",
        severity: Minor,
        what: "`Vary` is no more than `Accept-Encoding` on `.md` addresses and documents",
        why: "a needless `Accept` makes caches keep a copy for every kind of client",
        fix: Header("Vary"),
        advice: "send `Vary: Accept` on `.html` addresses alone",
        judge: coding_only,
    },
];

fn vectors(evidence: &Evidence, markdown: bool) -> impl Iterator<Item = (Ask, &Answer)> {
    close(evidence).into_iter().flat_map(move |stem| {
        VECTORS
            .iter()
            .filter(move |vector| vector.markdown == markdown)
            .filter_map(move |vector| {
                let ask = Ask::get(html_path(&stem));
                let ask = if vector.accept.is_empty() {
                    ask
                } else {
                    ask.with("accept", vector.accept)
                };
                evidence.answer(&ask).map(|answer| (ask, answer))
            })
    })
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    let ask = Ask::agent("/");
    if let Some(answer) = evidence.answer(&ask) {
        verdict.expect(
            evidence.negotiates(),
            named(evidence, &ask),
            "200 text/markdown",
            answer,
        );
    }
}

fn browser(evidence: &Evidence, verdict: &mut Verdict) {
    let pages = evidence
        .stems()
        .map(|stem| Ask::browser(html_path(stem)))
        .filter_map(|ask| evidence.answer(&ask).map(|answer| (ask, answer)));
    for (ask, answer) in vectors(evidence, false).chain(pages.collect::<Vec<_>>()) {
        verdict.expect(
            !answer.is_markdown(),
            named(evidence, &ask),
            "200 text/html",
            answer,
        );
    }
}

fn refused(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in vectors(evidence, false).chain(vectors(evidence, true).collect::<Vec<_>>())
    {
        verdict.expect(
            !matches!(answer.status, 406 | 415),
            named(evidence, &ask),
            "a page",
            answer,
        );
    }
}

/// Every request of an agent that prefers Markdown, at URLs where a browser gets a page.
fn agents(evidence: &Evidence) -> Vec<(Ask, &Answer)> {
    let pages = evidence
        .stems()
        .map(|stem| Ask::agent(html_path(stem)))
        .filter_map(|ask| evidence.answer(&ask).map(|answer| (ask, answer)));
    let there = |(ask, _): &(Ask, &Answer)| {
        evidence
            .answer(&Ask::browser(ask.path.clone()))
            .is_some_and(|answer| answer.status == 200)
    };
    vectors(evidence, true).chain(pages).filter(there).collect()
}

fn agent(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in agents(evidence)
        .into_iter()
        .filter(|(_, answer)| answer.status == 200)
    {
        verdict.expect(
            answer.media() == "text/markdown",
            named(evidence, &ask),
            "200 text/markdown",
            answer,
        );
    }
}

fn failing(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in agents(evidence)
        .into_iter()
        .filter(|(_, answer)| !matches!(answer.status, 406 | 415))
    {
        verdict.expect(
            answer.status == 200,
            named(evidence, &ask),
            "200 text/markdown, or at least HTML",
            answer,
        );
    }
}

fn markdown(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in close(evidence)
        .into_iter()
        .filter(|stem| evidence.markdown(stem).is_some())
    {
        let path = markdown_path(&stem);
        let others = OTHER.map(|accept| Ask::get(path.clone()).with("accept", accept));
        for ask in [Ask::browser(path.clone())].into_iter().chain(others) {
            if let Some(answer) = evidence.answer(&ask) {
                verdict.expect(
                    answer.status == 200 && answer.media() == "text/markdown",
                    named(evidence, &ask),
                    "200 text/markdown",
                    answer,
                );
            }
        }
    }
    verdict.or_leave_out(Rule::Counted);
}

fn documents(evidence: &Evidence, verdict: &mut Verdict) {
    for path in CODED {
        let ask = Ask::get(path).with("accept", OTHER[0]);
        if let (Some(plain), Some(answer)) = (evidence.found(path), evidence.answer(&ask)) {
            verdict.expect(
                answer.status == 200 && answer.media() == plain.media(),
                named(evidence, &ask),
                format!("200 {}", plain.media()),
                answer,
            );
        }
    }
    verdict.or_leave_out(Rule::Counted);
}

fn user_agent(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.came() {
        let mut plain = ask.clone();
        if plain
            .fields
            .pop()
            .is_none_or(|(name, _)| name != "user-agent")
        {
            continue;
        }
        if let Some(first) = evidence.answer(&plain) {
            // A page that counts its visitors differs each time: the size may vary a little.
            let alike = answer.body.len().abs_diff(first.body.len()) * 10 <= first.body.len();
            let right = answer.status == first.status && answer.media() == first.media() && alike;
            let size = |answer: &Answer| format!("{answer}, {} bytes", answer.body.len());
            verdict.expect(
                right,
                named(evidence, ask),
                format!("{}, as for others", size(first)),
                size(answer),
            );
        }
    }
}

/// Every page at which an agent got Markdown.
fn chosen(evidence: &Evidence) -> impl Iterator<Item = (&String, Ask, &Answer)> {
    evidence.stems().filter_map(|stem| {
        let ask = Ask::agent(html_path(stem));
        let answer = evidence
            .answer(&ask)
            .filter(|answer| answer.status == 200 && answer.media() == "text/markdown")?;
        Some((stem, ask, answer))
    })
}

fn bytes(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, ask, answer) in chosen(evidence) {
        if let Some(twin) = evidence.markdown(stem) {
            verdict.expect(
                answer.body == twin.body,
                named(evidence, &ask),
                format!("the bytes of {}", evidence.url(&markdown_path(stem))),
                "other bytes",
            );
        }
    }
}

fn location(evidence: &Evidence, verdict: &mut Verdict) {
    chosen_location(evidence, verdict);
    for stem in evidence.stems() {
        for (ask, answer) in [Ask::browser(html_path(stem)), Ask::get(markdown_path(stem))]
            .into_iter()
            .filter_map(|ask| evidence.answer(&ask).map(|answer| (ask, answer)))
        {
            let came = answer.field("content-location");
            let own = came.is_empty() || leads_to(evidence, came, &ask, &ask.path);
            // A host that names `/index.html` for `/` is not wrong.
            let index = html_path(stem) == "/" && came.ends_with("/index.html");
            verdict.expect(
                own || index,
                named(evidence, &ask),
                "no Content-Location",
                came,
            );
        }
    }
}

/// Whether this `Content-Location` of an answer is the address of `path`.
fn leads_to(evidence: &Evidence, location: &str, ask: &Ask, path: &str) -> bool {
    let address = &evidence.address;
    address.path_of(&address.resolve(location, &ask.path)) == Some(path)
}

/// Judges `Content-Location` where a `.html` address gave Markdown.
fn chosen_location(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, ask, answer) in chosen(evidence) {
        let (came, twin) = (answer.field("content-location"), markdown_path(stem));
        verdict.expect(
            !came.is_empty() && leads_to(evidence, came, &ask, &twin),
            named(evidence, &ask),
            evidence.address.written(&twin),
            or_none(came),
        );
    }
}

fn is_malformed(ask: &Ask) -> bool {
    MALFORMED.contains(&ask.path.as_str())
}

/// Answers at negotiated addresses, as a browser or an agent requests them.
fn choosing(evidence: &Evidence) -> impl Iterator<Item = (&Ask, &Answer)> {
    let chooses = |ask: &Ask| {
        ask.fields
            .iter()
            .any(|(name, value)| *name == "accept" && [BROWSER, AGENT].contains(&value.as_str()))
    };
    evidence.came().filter(move |(ask, _)| {
        negotiated(&ask.path)
            && chooses(ask)
            && !is_malformed(ask)
            && matches!(ask.method, "GET" | "HEAD")
    })
}

fn names_accept(answer: &Answer) -> bool {
    answer
        .tokens("vary")
        .iter()
        .any(|token| token == "accept" || token == "*")
}

fn vary(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in choosing(evidence).filter(|(_, answer)| answer.status == 200) {
        verdict.expect(
            names_accept(answer),
            named(evidence, ask),
            "Vary: Accept, Accept-Encoding",
            or_none(answer.field("vary")),
        );
    }
}

fn vary_others(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in choosing(evidence).filter(|(_, answer)| matches!(answer.status, 304 | 404))
    {
        let url = format!("{} ({})", named(evidence, ask), answer.status);
        verdict.expect(
            names_accept(answer),
            url,
            "Vary: Accept, Accept-Encoding",
            or_none(answer.field("vary")),
        );
    }
}

fn coding_only(evidence: &Evidence, verdict: &mut Verdict) {
    let documents = evidence
        .successes()
        .filter(|(ask, _)| ask.fields.is_empty() && !negotiated(&ask.path));
    for (ask, answer) in documents {
        let tokens = answer.tokens("vary");
        let right = tokens
            .iter()
            .all(|token| matches!(token.as_str(), "accept-encoding" | "origin"));
        verdict.expect(
            right,
            named(evidence, ask),
            "Vary: Accept-Encoding",
            tokens.join(", "),
        );
    }
}
