//! Range requests (RFC 9110 section 14).

use super::{Check, or_none};
use crate::answer::{Answer, Ask};
use crate::evidence::{Evidence, named};
use crate::fix::Fix::Host;
use crate::gather::{STRANGE_TAG, ranged};
use crate::severity::Rule;
use crate::severity::Severity::{Harm, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "ranges.there",
        severity: Missing,
        what: "a request for a part is answered 206",
        why: "an interrupted download starts again",
        fix: Host("byte ranges"),
        advice: "switch byte ranges on",
        judge: there,
    },
    Check {
        id: "ranges.bytes",
        severity: Harm,
        what: "a 206 has exactly the bytes asked for, and says which",
        why: "a client that joins parts gets a text that nobody wrote",
        fix: Host("byte ranges"),
        advice: "the first and the last byte of a range both count; `Content-Range` names them and the whole length",
        judge: bytes,
    },
    Check {
        id: "ranges.condition",
        severity: Harm,
        what: "`If-Range` with another tag gets the whole content",
        why: "parts of two versions are joined",
        fix: Host("byte ranges"),
        advice: "compare `If-Range` with the strong tag, and send everything where it differs",
        judge: condition,
    },
    Check {
        id: "ranges.refused",
        severity: Missing,
        what: "a part behind the end is answered 416 with the whole length",
        why: "a client that has everything learns that it has",
        fix: Host("byte ranges"),
        advice: "answer 416 with `Content-Range: bytes */LENGTH`",
        judge: refused,
    },
];

/// A range request without its range; whether it is conditional; the range.
fn without_range(ask: &Ask) -> Option<(Ask, bool, String)> {
    let at = ask.fields.iter().position(|(name, _)| *name == "range")?;
    let mut whole = ask.clone();
    let rest = whole.fields.split_off(at);
    Some((whole, rest.len() > 1, rest.first()?.1.clone()))
}

/// The range requests: the whole answer, the requested range, the request, and its answer.
fn parts(evidence: &Evidence, conditional: bool) -> Vec<(&Answer, String, &Ask, &Answer)> {
    let all = evidence
        .came()
        .filter(|(_, answer)| answer.status != 0)
        .filter_map(|(ask, answer)| Some((without_range(ask)?, ask, answer)));
    let known = ranged(evidence);
    let fits = all.filter(|((whole, own, _), ..)| *own == conditional && known.contains(whole));
    fits.filter_map(|((whole, _, range), ask, answer)| {
        Some((evidence.answer(&whole)?, range, ask, answer))
    })
    .collect()
}

/// The bytes that a range selects of `length` (RFC 9110 section 14.1.2); `None` if it selects none.
fn meant(range: &str, length: usize) -> Option<std::ops::Range<usize>> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let (start, end) = match (first.parse::<usize>().ok(), last.parse::<usize>().ok()) {
        (Some(first), Some(last)) => (first, (last + 1).min(length)),
        (Some(first), None) => (first, length),
        (None, Some(count)) => (length.saturating_sub(count), length),
        (None, None) => return None,
    };
    (start < end).then_some(start..end)
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    for (whole, range, ask, answer) in parts(evidence, false) {
        if meant(&range, whole.body.len()).is_some() {
            verdict.expect(answer.status == 206, named(evidence, ask), "206", answer);
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn bytes(evidence: &Evidence, verdict: &mut Verdict) {
    for (whole, range, ask, answer) in parts(evidence, false)
        .into_iter()
        .chain(parts(evidence, true))
    {
        let Some(meant) = meant(&range, whole.body.len())
            .filter(|_| answer.status == 206 && answer.coding() == whole.coding())
        else {
            continue;
        };
        let says = format!(
            "bytes {}-{}/{}",
            meant.start,
            meant.end - 1,
            whole.body.len()
        );
        let right = answer.body == whole.body[meant] && answer.field("content-range") == says;
        let got = format!(
            "{} bytes, Content-Range: {}",
            answer.body.len(),
            or_none(answer.field("content-range"))
        );
        verdict.expect(right, named(evidence, ask), format!("exactly {says}"), got);
    }
    verdict.or_leave_out(Rule::Counted);
}

fn condition(evidence: &Evidence, verdict: &mut Verdict) {
    for (whole, _, ask, answer) in parts(evidence, true) {
        if ask
            .fields
            .last()
            .is_some_and(|(_, value)| value == STRANGE_TAG)
        {
            verdict.expect(
                answer.status == 200 && answer.body.len() >= whole.body.len(),
                named(evidence, ask),
                "200 with everything",
                answer,
            );
        }
    }
    verdict.or_leave_out(Rule::Counted);
}

fn refused(evidence: &Evidence, verdict: &mut Verdict) {
    for (whole, range, ask, answer) in parts(evidence, false) {
        let length = whole.body.len();
        if meant(&range, length).is_none() {
            let right = answer.status == 416
                && answer.field("content-range") == format!("bytes */{length}");
            let got = format!(
                "{answer}, Content-Range: {}",
                or_none(answer.field("content-range"))
            );
            verdict.expect(
                right,
                named(evidence, ask),
                format!("416 with Content-Range: bytes */{length}"),
                got,
            );
        }
    }
    verdict.or_leave_out(Rule::Counted);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_rfc_9110_says() {
        for (range, expected) in [
            ("bytes=0-0", Some(0..1)),
            ("bytes=10-59", Some(10..59)),
            ("bytes=-5", Some(54..59)),
            ("bytes=59-", None),
            ("x", None),
        ] {
            assert_eq!(meant(range, 59), expected, "{range}");
        }
    }
}
