//! Content-codings.

use super::Check;
use crate::audit::answer::{Answer, Ask};
use crate::audit::evidence::{Evidence, named};
use crate::audit::gather::{CODED, CODINGS};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "codings.asked",
        what: "no client gets a content-coding that it did not ask for",
        why: "it sees noise",
        advice: "make the cache in front obey `Vary: Accept-Encoding`",
        judge: asked,
    },
    Check {
        id: "codings.bytes",
        what: "every coding decodes to the same bytes",
        why: "two codings of one resource with different texts are two resources",
        advice: "compress again after every publication: old `.br` or `.gz` files lie beside new ones",
        judge: bytes,
    },
    Check {
        id: "codings.offered",
        what: "text is compressed for those who can read it",
        why: "compressed text is a quarter of the size",
        advice: "build with `--compress`, or switch compression on at the host or CDN",
        judge: offered,
    },
    Check {
        id: "codings.vary",
        what: "what is compressed says `Vary: Accept-Encoding`",
        why: "without it a cache hands compressed bytes to those who cannot read them",
        advice: "send `Vary: Accept-Encoding` with everything that may be compressed",
        judge: vary,
    },
];

/// Every answer to a request that named one coding: the request, the coding named, the answer.
fn coded(evidence: &Evidence) -> impl Iterator<Item = (&Ask, &str, &Answer)> {
    evidence.successes().filter_map(|(ask, answer)| {
        let (_, value) = ask.fields.last().filter(|(name, _)| *name == "accept-encoding")?;
        Some((ask, value.as_str(), answer))
    })
}

fn asked(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, named_coding, answer) in coded(evidence) {
        let came = answer.coding();
        verdict.expect(came == "identity" || came == named_coding, named(evidence, ask), format!("`{named_coding}`, or none"), format!("`{came}`"));
    }
    for (ask, answer) in evidence.successes().filter(|(ask, _)| ask.fields.iter().all(|(name, _)| *name == "accept")) {
        // Without the field any coding is allowed (RFC 9110 section 12.5.3), but nobody who does not ask expects one.
        verdict.expect_of_host(answer.coding() == "identity", named(evidence, ask), "no content-coding", answer.coding());
    }
}

fn bytes(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, answer) in coded(evidence) {
        let mut plain = ask.clone();
        plain.fields.pop();
        let plain = plain.with("accept-encoding", "identity");
        let Some(identity) = evidence.of(&plain).filter(|identity| identity.media() == answer.media()) else { continue };
        let right = answer.trouble.is_none() && answer.body == identity.body;
        verdict.expect(right, named(evidence, ask), "the bytes without coding", answer.trouble.as_deref().unwrap_or("other bytes"));
    }
}

/// Below this many bytes compression may not pay.
const WORTH_IT: usize = 2_000;

fn offered(evidence: &Evidence, verdict: &mut Verdict) {
    for path in CODED {
        let large = evidence.found(path).is_some_and(|answer| answer.body.len() > WORTH_IT);
        let codings: Vec<String> =
            CODINGS.into_iter().filter_map(|coding| evidence.of(&Ask::get(path).with("accept-encoding", coding))).map(Answer::coding).collect();
        if large && codings.len() == CODINGS.len() {
            verdict.expect_of_host(codings.iter().any(|coding| coding != "identity"), evidence.url(path), "br, zstd or gzip", "no content-coding");
        }
    }
}

fn vary(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, answer) in coded(evidence).filter(|(_, _, answer)| answer.coding() != "identity") {
        let tokens = answer.tokens("vary");
        let right = tokens.iter().any(|token| token == "accept-encoding" || token == "*");
        verdict.expect(right, named(evidence, ask), "Vary: Accept-Encoding", super::or_none(&tokens.join(", ")));
    }
}
