//! Negotiation compared with two third-party oracles: WebOb and Werkzeug read the same header
//! fields, thousands of them generated from a fixed seed.

use std::collections::BTreeMap;
use std::process::Command;

use diglot_edition::Form;
use diglot_http::accept::Accept;
use diglot_http::accept_encoding::AcceptEncoding;
use serde::Deserialize;

use xtask::shell::{root, text};
use xtask::step::{Done, Outcome, table};
use xtask::tools;

/// Both oracles, pinned; WebOb still needs the `cgi` that Python has removed.
const ORACLES: &[&str] = &["webob==1.8.9", "werkzeug==3.1.3", "legacy-cgi==2.6.3"];
/// How many fields of each kind are generated.
const FIELDS: &str = "6000";

/// Why an oracle may read a field differently; no other difference is allowed.
const REASONS: &[(&str, &str)] = &[
    (
        "malformed",
        "RFC 9110 leaves a malformed field to its reader (2.2): WebOb takes the whole for absent, Werkzeug mends some; we read every element that can be read",
    ),
    (
        "parameters",
        "with parameters a range names something more special (12.5.1); we make one representation of a type, so they do not matter",
    ),
    (
        "twice",
        "of a range named twice with different weights no section says which counts: WebOb takes the first, Werkzeug mostly the heaviest, we the heaviest",
    ),
    (
        "two weights",
        "an element has one weight (12.4.2); of two WebOb and we take the first, as the second was an extension in RFC 7231 5.3.2, Werkzeug the last",
    ),
    (
        "x-gzip",
        "RFC 9110 8.4.1.3 wants `x-gzip` to be read as `gzip`; neither oracle does",
    ),
];

/// One field and the oracles' results.
#[derive(Debug, Deserialize)]
struct Case {
    field: String,
    value: String,
    webob: String,
    werkzeug: String,
    reasons: Vec<String>,
}

/// The step.
pub fn run() -> Outcome {
    let python = tools::python("negotiation", ORACLES)?.join("python");
    let said = text(
        Command::new(python)
            .arg(root().join("tests/e2e/negotiation/oracle.py"))
            .arg(FIELDS),
    )?;
    let (mut agreed, mut apart, mut wrong) = (
        BTreeMap::<(String, &str), usize>::new(),
        BTreeMap::<(&str, String), usize>::new(),
        Vec::new(),
    );
    for line in said.lines() {
        let case: Case = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let ours = ours(&case);
        for (oracle, theirs) in [("WebOb", &case.webob), ("Werkzeug", &case.werkzeug)] {
            if ours == theirs {
                *agreed.entry((case.field.clone(), oracle)).or_default() += 1;
            } else if let Some(reason) = case.reasons.first() {
                *apart.entry((oracle, reason.clone())).or_default() += 1;
            } else {
                wrong.push(format!(
                    "{}: {:?} is {theirs} for {oracle} and {ours} for us",
                    case.field, case.value
                ));
            }
        }
    }
    let same = agreed.iter().map(|((field, oracle), count)| {
        vec![
            field.clone(),
            (*oracle).to_owned(),
            count.to_string(),
            "the same".to_owned(),
        ]
    });
    let why = |reason: &str| {
        REASONS
            .iter()
            .find(|(name, _)| *name == reason)
            .map_or("", |(_, why)| why)
    };
    let other = apart.iter().map(|((oracle, reason), count)| {
        vec![
            reason.clone(),
            (*oracle).to_owned(),
            count.to_string(),
            why(reason).to_owned(),
        ]
    });
    print!(
        "{}",
        table(
            &["field", "oracle", "count", ""],
            &same.chain(other).collect::<Vec<_>>()
        )
    );
    let unknown: Vec<&String> = apart
        .keys()
        .map(|(_, reason)| reason)
        .filter(|reason| why(reason).is_empty())
        .collect();
    let (same, explained): (usize, usize) = (agreed.values().sum(), apart.values().sum());
    match (wrong.is_empty() && unknown.is_empty(), same) {
        (true, 20_000..) => Ok(Done::Passed(format!(
            "{same} verdicts the same, {explained} different for {} known reasons",
            REASONS.len()
        ))),
        (true, _) => Err(format!("only {same} verdicts were the same")),
        (false, _) => Err(format!(
            "{} verdicts differ for no known reason\n{}",
            wrong.len(),
            wrong[..wrong.len().min(20)].join("\n")
        )),
    }
}

/// Diglot's result for the field.
fn ours(case: &Case) -> &'static str {
    let lines = [case.value.as_bytes()];
    match case.field.as_str() {
        "Accept" => match Accept::parse(lines).form() {
            Form::Markdown => "markdown",
            Form::Html => "html",
        },
        _ => AcceptEncoding::parse(lines)
            .choose(|_| true)
            .map_or("identity", |coding| coding.name()),
    }
}
