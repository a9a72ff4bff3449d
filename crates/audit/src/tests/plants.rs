//! Realistic defects, planted one at a time.

mod answers;
mod documents;
mod hosts;
mod texts;

use std::io::Write;

use rayon::prelude::*;

use super::*;
use crate::address::html_path;
use crate::answer::{AGENT, BROWSER};
use crate::evidence::{Visitor, negotiated};
use crate::gather::{INJECTION, MADE_UP, NOWHERE, OTHER, QUERY};

/// A defect: its name, how it is planted, and the checks that must report it.
struct Plant(&'static str, fn(&mut Evidence), &'static [&'static str]);

/// Changes every answer that matches a condition.
fn alter(
    evidence: &mut Evidence,
    picks: impl Fn(&Ask, &Answer) -> bool,
    change: impl Fn(&mut Answer),
) {
    let mut count = 0;
    for (ask, answer) in &mut evidence.answers {
        if picks(ask, answer) {
            change(answer);
            count += 1;
        }
    }
    assert!(count > 0, "the plant found nothing to alter");
}

fn set(answer: &mut Answer, name: &str, value: &str) {
    answer.fields.retain(|(own, _)| own != name);
    if !value.is_empty() {
        answer.fields.push((name.to_owned(), value.to_owned()));
    }
}

/// Replaces words in a body. They must be present, unless there is no body (HEAD).
fn replace(answer: &mut Answer, from: &str, to: &str) {
    if answer.body.is_empty() {
        return;
    }
    let text = answer.text();
    assert!(text.contains(from), "`{from}` is not in\n{text}");
    answer.body = text.replace(from, to).into_bytes();
}

/// Appends to a body; an empty one (HEAD) stays empty.
fn append(answer: &mut Answer, text: &str) {
    if !answer.body.is_empty() {
        answer.body.extend_from_slice(text.as_bytes());
    }
}

/// Replaces an answer by another, without its body if the first has none (HEAD).
fn turn_into(answer: &mut Answer, other: &Answer) {
    let body = if answer.body.is_empty() {
        Vec::new()
    } else {
        other.body.clone()
    };
    *answer = Answer {
        body,
        ..other.clone()
    };
}

/// Successful answers at a path, in any form and coding.
fn at(path: &'static str) -> impl Fn(&Ask, &Answer) -> bool {
    move |ask, answer| ask.path == path && answer.status == 200 && !ask.origin
}

/// Markdown at `.html` paths.
fn chosen(ask: &Ask, answer: &Answer) -> bool {
    negotiated(&ask.path) && answer.status == 200 && answer.media() == "text/markdown"
}

/// HTML pages.
fn page(ask: &Ask, answer: &Answer) -> bool {
    negotiated(&ask.path) && answer.status == 200 && answer.media() == "text/html"
}

/// The twin of the first article at both of its URLs.
fn twin(ask: &Ask, answer: &Answer) -> bool {
    ask.path.starts_with("/articles/first.")
        && answer.status == 200
        && answer.media() == "text/markdown"
}

/// This site's 404.
fn absent(evidence: &Evidence) -> Answer {
    evidence
        .get(&format!("{}.md", crate::gather::NOWHERE))
        .cloned()
        .unwrap()
}

fn html(ask: &Ask, answer: &Answer) -> bool {
    ask.path == "/articles/first.html" && page(ask, answer)
}

/// This site's 404 to HEAD.
fn absent_head(evidence: &Evidence) -> Answer {
    Answer {
        body: Vec::new(),
        ..absent(evidence)
    }
}

/// Removes a resource: it answers 404, and its conditional requests are dropped.
fn remove(evidence: &mut Evidence, picks: impl Fn(&Ask) -> bool) {
    let gone = absent(evidence);
    let reads = |ask: &Ask| !ask.origin && matches!(ask.method, "GET" | "HEAD");
    evidence.answers.retain(|ask, _| {
        !reads(ask) || !picks(ask) || ask.fields.iter().all(|(name, _)| !name.starts_with("if-"))
    });
    alter(
        evidence,
        |ask, _| reads(ask) && picks(ask),
        |answer| turn_into(answer, &gone),
    );
}

/// Updates lengths and ranges to match the changed bodies, as a server would.
fn follow(evidence: &mut Evidence, right: &Evidence) {
    let altered =
        |ask: &Ask, answer: &Answer| right.answer(ask).is_none_or(|own| own.body != answer.body);
    let plain =
        |ask: &Ask| ask.method == "GET" && ask.fields.iter().all(|(name, _)| *name == "accept");
    let whole: Vec<(Ask, Answer)> = evidence
        .answers
        .iter()
        .filter(|(ask, answer)| plain(ask) && answer.status == 200 && altered(ask, answer))
        .map(|(ask, answer)| (ask.clone(), answer.clone()))
        .collect();
    for (ask, full) in whole {
        let length = full.body.len();
        // Ranges behind the old end are dropped.
        let behind = |own: &Ask| {
            own.fields
                .iter()
                .any(|(name, value)| *name == "range" && value.ends_with('-'))
        };
        evidence
            .answers
            .retain(|own, _| own.path != ask.path || !behind(own));
        for (own, answer) in evidence
            .answers
            .iter_mut()
            .filter(|(own, _)| own.path == ask.path && own.fields.starts_with(&ask.fields))
        {
            let untouched = right.answer(own) == Some(answer);
            let length_untouched = right.answer(own).is_some_and(|first| {
                first.field("content-length") == answer.field("content-length")
            });
            if *own == ask.clone().by("HEAD") && length_untouched {
                set(answer, "content-length", &length.to_string());
            }
            let range = own
                .fields
                .iter()
                .find(|(name, _)| *name == "range")
                .map(|(_, value)| value.clone());
            if let Some(range) = range.filter(|_| untouched) {
                cut(answer, &range, &full);
            }
        }
    }
}

/// A server's answer to a range of another text.
fn cut(answer: &mut Answer, range: &str, full: &Answer) {
    let length = full.body.len();
    let (first, last) = range
        .strip_prefix("bytes=")
        .unwrap()
        .split_once('-')
        .unwrap();
    let part = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) => first..last + 1,
        (Err(_), Ok(count)) => length - count..length,
        _ => return,
    };
    set(
        answer,
        "content-range",
        &format!("bytes {}-{}/{length}", part.start, part.end - 1),
    );
    if answer.status == 206 {
        answer.body = full.body[part].to_vec();
    }
}

/// Every request for a `.md` path of a page.
fn at_twin(ask: &Ask) -> bool {
    ask.path.ends_with(".md") && ask.path != "/sitemap.md"
}

/// Whether a request has this `Accept` and no other field.
fn accepts(ask: &Ask, accept: &str) -> bool {
    ask.fields == [("accept", accept.to_owned())]
}

/// Files with a hash in their names.
fn hashed(ask: &Ask, _: &Answer) -> bool {
    crate::gather::is_hashed(&ask.path)
}

/// Requests for a part of the home page or of a document.
fn ranged(ask: &Ask) -> bool {
    ask.fields.iter().any(|(name, _)| *name == "range")
}

fn conditional(ask: &Ask) -> bool {
    ask.fields.iter().any(|(name, _)| *name == "if-range")
}

/// Every plant.
fn all() -> impl Iterator<Item = &'static Plant> {
    [
        hosts::PLANTS,
        answers::PLANTS,
        documents::PLANTS,
        texts::PLANTS,
    ]
    .into_iter()
    .flatten()
}

/// Plants one defect by its name.
pub(super) fn by_name(evidence: &mut Evidence, name: &str) {
    let Plant(_, plant, _) = all().find(|Plant(own, ..)| *own == name).unwrap();
    let right = evidence.clone();
    plant(evidence);
    follow(evidence, &right);
}

/// With `DIGLOT_PLANTS` set, every plant is printed with the checks that reported it:
/// `cargo xtask conform --plant`.
#[test]
fn every_planted_defect_is_named_by_its_check() {
    let right = gathered(&mut InProcess(edition()));
    let told_all = std::env::var_os("DIGLOT_PLANTS").is_some();
    let plants: Vec<&Plant> = all().collect();
    let judged = plants.par_iter().map(|Plant(name, plant, expected)| {
        let mut evidence = right.clone();
        plant(&mut evidence);
        follow(&mut evidence, &right);
        let card = judge(&evidence);
        let mut named: Vec<&str> = card.ended(State::Failed);
        named.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        let line = format!("{name}: {}", named.join(", "));
        (
            line,
            (named != expected).then(|| {
                format!(
                    "{name}: expected {expected:?}, named {named:?}\n{}",
                    told(&card)
                )
            }),
        )
    });
    let (lines, wrong): (Vec<String>, Vec<Option<String>>) = judged.unzip();
    if told_all {
        lines
            .iter()
            .for_each(|line| writeln!(std::io::stdout(), "{line}").unwrap());
    }
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        plants.len(),
        wrong.join("\n\n")
    );
}

/// Every check needs a plant that makes it fail.
#[test]
fn every_check_finds_a_plant() {
    let planted: std::collections::BTreeSet<&str> = all()
        .flat_map(|Plant(.., checks)| checks.iter().copied())
        .collect();
    let asleep: Vec<&str> = crate::checks::GROUPS
        .iter()
        .flat_map(|group| group.checks)
        .map(|check| check.id)
        .filter(|id| !planted.contains(id))
        .collect();
    assert!(asleep.is_empty(), "{asleep:?}");
    assert_eq!(html_path("/index"), "/");
}
