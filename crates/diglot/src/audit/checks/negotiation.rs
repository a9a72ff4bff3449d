//! Choosing the form: rule 1.

use super::{Check, or_none};
use crate::audit::address::{html_path, markdown_path};
use crate::audit::answer::{AGENT, Answer, Ask, BROWSER};
use crate::audit::evidence::{Evidence, named, negotiated};
use crate::audit::gather::close;
use crate::audit::vectors::VECTORS;
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "negotiation.browser",
        what: "whoever does not name Markdown gets HTML, whatever else `Accept` says",
        why: "people would see source text instead of the page",
        advice: "let the host give Markdown only where `Accept` names `text/markdown`; if a cache answered, make it obey `Vary` and `Cache-Control`",
        judge: browser,
    },
    Check {
        id: "negotiation.agent",
        what: "whoever names Markdown and does not prefer HTML gets Markdown at the `.html` address",
        why: "agents get the clean text without knowing that there is a `.md` address",
        advice: "serve with `diglot serve`, or use a host whose generated configuration negotiates; HTML for agents is safe, only larger",
        judge: agent,
    },
    Check {
        id: "negotiation.markdown",
        what: "`.md` addresses are Markdown whatever `Accept` says",
        why: "a link to the Markdown form must lead to it in a browser as well",
        advice: "remove the rule that rewrites or negotiates `.md` paths",
        judge: markdown,
    },
    Check {
        id: "negotiation.bytes",
        what: "Markdown at the `.html` address is the `.md` twin, byte by byte",
        why: "one form with two texts is two forms",
        advice: "let the host answer with the exported `.md` file, not with a conversion of the HTML",
        judge: bytes,
    },
    Check {
        id: "negotiation.location",
        what: "`Content-Location` names the `.md` address on Markdown at `.html`, and only there",
        why: "it tells a client where the form has an address of its own",
        advice: "install the generated host configuration, which sets the field on negotiated Markdown alone",
        judge: location,
    },
    Check {
        id: "negotiation.vary",
        what: "`Vary` is `Accept, Accept-Encoding` where the form is chosen, in both forms and their 304",
        why: "without it any cache hands one client's form to the other",
        advice: "let the host send `Vary: Accept, Accept-Encoding` on every `.html` path and on `/`, and the CDN pass it on",
        judge: vary,
    },
    Check {
        id: "negotiation.coding-only",
        what: "`Vary` is no more than `Accept-Encoding` on `.md` paths and documents",
        why: "a needless `Accept` there makes caches keep a copy for every kind of client",
        advice: "send `Vary: Accept` on `.html` paths alone",
        judge: coding_only,
    },
];

fn vectors(evidence: &Evidence, markdown: bool) -> impl Iterator<Item = (Ask, &Answer)> {
    close(evidence).into_iter().flat_map(move |stem| {
        VECTORS.iter().filter(move |vector| vector.markdown == markdown).filter_map(move |vector| {
            let ask = Ask::get(html_path(&stem));
            let ask = if vector.accept.is_empty() { ask } else { ask.with("accept", vector.accept) };
            evidence.of(&ask).map(|answer| (ask, answer))
        })
    })
}

fn browser(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in vectors(evidence, false) {
        // What is no page at all is the business of `resources.there`; here Markdown is the harm.
        verdict.expect(!answer.is_markdown() && !matches!(answer.status, 406 | 415), named(evidence, &ask), "200 text/html", answer);
    }
    for stem in evidence.stems() {
        let ask = Ask::browser(html_path(stem));
        if let Some(answer) = evidence.of(&ask) {
            verdict.expect(!answer.is_markdown(), named(evidence, &ask), "200 text/html", answer);
        }
    }
}

fn agent(evidence: &Evidence, verdict: &mut Verdict) {
    let pages = evidence.stems().map(|stem| Ask::agent(html_path(stem))).filter_map(|ask| evidence.of(&ask).map(|answer| (ask, answer)));
    for (ask, answer) in vectors(evidence, true).chain(pages.collect::<Vec<_>>()) {
        let (url, markdown) = (named(evidence, &ask), answer.status == 200 && answer.media() == "text/markdown");
        if markdown || (answer.status == 200 && answer.media() == "text/html") || answer.status == 404 {
            verdict.expect_of_host(markdown, url, "200 text/markdown", answer);
        } else {
            verdict.expect(false, url, "200 text/markdown, or at least HTML", answer);
        }
    }
}

fn markdown(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in close(evidence) {
        let ask = Ask::browser(markdown_path(&stem));
        if let Some(answer) = evidence.of(&ask) {
            verdict.expect(answer.status == 200 && answer.media() == "text/markdown", named(evidence, &ask), "200 text/markdown", answer);
        }
    }
}

/// Every page at which an agent got Markdown.
fn chosen(evidence: &Evidence) -> impl Iterator<Item = (&String, Ask, &Answer)> {
    evidence.stems().filter_map(|stem| {
        let ask = Ask::agent(html_path(stem));
        let answer = evidence.of(&ask).filter(|answer| answer.status == 200 && answer.media() == "text/markdown")?;
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
    let address = &evidence.address;
    for (stem, ask, answer) in chosen(evidence) {
        let came = answer.field("content-location");
        let right = !came.is_empty() && address.path_of(&address.resolve(came, &ask.path)) == Some(markdown_path(stem).as_str());
        verdict.expect(right, named(evidence, &ask), address.written(&markdown_path(stem)), or_none(came));
    }
    for stem in evidence.stems() {
        for (ask, answer) in
            [Ask::browser(html_path(stem)), Ask::get(markdown_path(stem))].into_iter().filter_map(|ask| evidence.of(&ask).map(|answer| (ask, answer)))
        {
            let came = answer.field("content-location");
            let own = came.is_empty() || address.path_of(&address.resolve(came, &ask.path)) == Some(ask.path.as_str());
            // A host that names `/index.html` for `/` says nothing wrong.
            let index = html_path(stem) == "/" && came.ends_with("/index.html");
            verdict.expect(own || index, named(evidence, &ask), "no Content-Location", came);
        }
    }
}

fn vary(evidence: &Evidence, verdict: &mut Verdict) {
    let negotiates = evidence.negotiates();
    for (ask, answer) in &evidence.answers {
        let chooses = ask.fields.iter().any(|(name, value)| *name == "accept" && [BROWSER, AGENT].contains(&value.as_str()));
        let page = negotiated(&ask.path) && !ask.origin && chooses && matches!(answer.status, 200 | 304);
        if !page {
            continue;
        }
        let tokens = answer.tokens("vary");
        let right = tokens.iter().any(|token| token == "accept" || token == "*");
        let (url, came) = (named(evidence, ask), or_none(answer.field("vary")).to_owned());
        if answer.status == 304 && answer.field("vary").is_empty() {
            // RFC 9110 section 15.4.5 wants it; a cache keeps the stored one where it is missing.
            verdict.expect_of_host(!negotiates, format!("{url} (304)"), "Vary: Accept, Accept-Encoding", came);
        } else if negotiates {
            verdict.expect(right, url, "Vary: Accept, Accept-Encoding", came);
        } else {
            verdict.expect_of_host(right, url, "Vary: Accept, Accept-Encoding", came);
        }
    }
}

fn coding_only(evidence: &Evidence, verdict: &mut Verdict) {
    let documents = evidence.successes().filter(|(ask, _)| ask.fields.is_empty() && !negotiated(&ask.path));
    for (ask, answer) in documents {
        let tokens = answer.tokens("vary");
        let right = tokens.iter().all(|token| matches!(token.as_str(), "accept-encoding" | "origin"));
        verdict.expect_of_host(right, named(evidence, ask), "Vary: Accept-Encoding", tokens.join(", "));
    }
}
