//! Content-codings.

use std::collections::BTreeMap;

use super::Check;
use crate::answer::{Answer, Ask};
use crate::evidence::{Evidence, named};
use crate::fix::Fix::{Cache, Header, Host};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Harm, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "codings.there",
        severity: Missing,
        what: "text is compressed for those who can read it",
        why: "compressed text is a quarter of the size",
        fix: Host("compression"),
        advice: "build with `--compress`, or switch compression on at the host or CDN",
        judge: offered,
    },
    Check {
        id: "codings.asked",
        severity: Harm,
        what: "no client gets a content-coding other than the one it named",
        why: "it sees noise",
        fix: Cache,
        advice: "make the cache in front obey `Vary: Accept-Encoding`",
        judge: asked,
    },
    Check {
        id: "codings.unasked",
        severity: Broken,
        what: "a client that names no content-coding gets none",
        why: "scripts and simple clients do not unpack what they did not ask for",
        fix: Host("compression"),
        advice: "compress only where `Accept-Encoding` names the coding",
        judge: unasked,
    },
    Check {
        id: "codings.bytes",
        severity: Harm,
        what: "every coding decodes to the same bytes",
        why: "readers get an old or another text, by the coding that their browser names",
        fix: Host("compressed files"),
        advice: "compress again after every publication: an old `.br` or `.gz` file may be left beside a new one",
        judge: bytes,
    },
    Check {
        id: "codings.vary",
        severity: Harm,
        what: "what is compressed has `Vary: Accept-Encoding`",
        why: "without it a cache hands compressed bytes to those who cannot read them",
        fix: Header("Vary"),
        advice: "send `Vary: Accept-Encoding` with everything that may be compressed",
        judge: vary,
    },
];

/// Every answer to a request that named one coding: the request, the named coding, the answer.
fn coded(evidence: &Evidence) -> impl Iterator<Item = (&Ask, &str, &Answer)> {
    evidence.successes().filter_map(|(ask, answer)| {
        let (_, value) = ask
            .fields
            .last()
            .filter(|(name, _)| *name == "accept-encoding")?;
        Some((ask, value.as_str(), answer))
    })
}

fn asked(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, named_coding, answer) in coded(evidence) {
        let came = answer.coding();
        verdict.expect(
            came == "identity" || came == named_coding,
            named(evidence, ask),
            format!("`{named_coding}`, or none"),
            format!("`{came}`"),
        );
    }
}

fn unasked(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .successes()
        .filter(|(ask, _)| ask.fields.iter().all(|(name, _)| *name == "accept"))
    {
        // Without the field any coding is allowed (RFC 9110 section 12.5.3), but a client that
        // sends none does not expect one.
        verdict.expect(
            answer.coding() == "identity",
            named(evidence, ask),
            "no content-coding",
            answer.coding(),
        );
    }
}

fn bytes(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, answer) in coded(evidence) {
        let mut plain = ask.clone();
        plain.fields.pop();
        let plain = plain.with("accept-encoding", "identity");
        let Some(identity) = evidence
            .answer(&plain)
            .filter(|identity| identity.media() == answer.media())
        else {
            continue;
        };
        if answer.coding() == "identity" {
            continue;
        }
        let right = answer.trouble.is_none() && answer.body == identity.body;
        verdict.expect(
            right,
            named(evidence, ask),
            "the bytes without coding",
            answer.trouble.as_deref().unwrap_or("other bytes"),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

/// Below this many bytes compression may not be worth it.
const WORTH_IT: usize = 1_000;

fn offered(evidence: &Evidence, verdict: &mut Verdict) {
    // By path and form: the identity bytes, and whether any coding was served.
    let mut offered: BTreeMap<(&str, String), bool> = BTreeMap::new();
    for (ask, _, answer) in coded(evidence) {
        let mut plain = ask.clone();
        plain.fields.pop();
        if evidence
            .answer(&plain)
            .is_some_and(|answer| answer.body.len() > WORTH_IT)
        {
            *offered.entry((&ask.path, answer.media())).or_default() |=
                answer.coding() != "identity";
        }
    }
    for ((path, media), coded) in offered {
        verdict.expect(
            coded,
            format!("{} ({media})", evidence.url(path)),
            "br, zstd or gzip",
            "no content-coding",
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn vary(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, answer) in coded(evidence).filter(|(_, _, answer)| answer.coding() != "identity") {
        let tokens = answer.tokens("vary");
        let right = tokens
            .iter()
            .any(|token| token == "accept-encoding" || token == "*");
        verdict.expect(
            right,
            named(evidence, ask),
            "Vary: Accept-Encoding",
            super::or_none(&tokens.join(", ")),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}
