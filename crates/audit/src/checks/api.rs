//! The documents that describe the service.

use std::collections::BTreeMap;

use diglot_edition::Digest;
use serde_json::Value;

use super::{Check, or_none};
use crate::address::html_path;
use crate::answer::Ask;
use crate::evidence::{Evidence, named};
use crate::fix::Fix::{Articles, Document, Header};
use crate::gather::{CHANGES, LISTING, NO_EDITION, since_path};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "api.there",
        severity: Missing,
        what: "the site describes itself to programs: API catalog, API description or status",
        why: "programs find the interface by it",
        fix: Document("/.well-known/api-catalog"),
        advice: "publish the export with its folder `.well-known`",
        judge: there,
    },
    Check {
        id: "api.catalog",
        severity: Missing,
        what: "the API catalog is a linkset whose links are absolute and answer",
        why: "programs find the interface by it (RFC 9727)",
        fix: Document("/.well-known/api-catalog"),
        advice: "publish the catalog as it was generated; at another address set `base_url` and build again",
        judge: catalog,
    },
    Check {
        id: "api.openapi",
        severity: Missing,
        what: "the API description is OpenAPI 3.1, names this site as its server, and describes what exists",
        why: "clients are generated from it",
        fix: Document("/openapi.json"),
        advice: "publish the description as it was generated; at another address set `base_url` and build again",
        judge: openapi,
    },
    Check {
        id: "api.status",
        severity: Missing,
        what: "`/status.json` says how the site is, with version, edition and links",
        why: "monitoring reads it",
        fix: Document("/status.json"),
        advice: "publish the status as it was generated",
        judge: status,
    },
    Check {
        id: "api.warn",
        severity: Minor,
        what: "the status is `pass`",
        why: "`warn` says that something was left aside at the build",
        fix: Articles,
        advice: "run `diglot check`, which names the file and the line",
        judge: warn,
    },
    Check {
        id: "api.changes",
        severity: Broken,
        what: "the documents on changes agree with the status and with the pages, and 404 answers for an unknown edition",
        why: "a program keeps its copy of the site by them",
        fix: Document("/changes.json"),
        advice: "publish `/changes.json` and the folder `changes` together with the pages, and purge them from the cache",
        judge: changes,
    },
    Check {
        id: "api.links",
        severity: Missing,
        what: "`Link` names the other form, the feed and the index on every page, and the API on the home page",
        why: "a client learns from HEAD where everything is, without reading a page",
        fix: Header("Link"),
        advice: "send `Link` wherever the host can",
        judge: links,
    },
];

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    let paths = ["/.well-known/api-catalog", "/openapi.json", "/status.json"];
    let is_json = |path: &str| {
        evidence
            .found(path)
            .is_some_and(|answer| answer.media() != "text/html")
    };
    if let Some(answer) = evidence.get(paths[0]) {
        verdict.expect(
            paths.into_iter().any(is_json),
            evidence.url(paths[0]),
            "200 with JSON",
            answer,
        );
    }
}

/// A JSON document; anything else is a finding.
fn json(evidence: &Evidence, verdict: &mut Verdict, path: &str) -> Option<Value> {
    let answer = evidence.get(path)?;
    if answer.status != 200 {
        verdict.expect(false, evidence.url(path), "200", answer);
        return None;
    }
    match serde_json::from_slice::<Value>(&answer.body) {
        Ok(value) if value.is_object() => {
            verdict.expect(true, evidence.url(path), "", "");
            Some(value)
        }
        Ok(_) => {
            verdict.expect(false, evidence.url(path), "a JSON object", "another value");
            None
        }
        Err(error) => {
            verdict.expect(false, evidence.url(path), "JSON", error);
            None
        }
    }
}

/// A member's text.
fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

const RELATIONS: [&str; 5] = [
    "item",
    "service-desc",
    "service-doc",
    "status",
    "terms-of-service",
];

fn catalog(evidence: &Evidence, verdict: &mut Verdict) {
    let path = "/.well-known/api-catalog";
    let Some(document) = json(evidence, verdict, path) else {
        return;
    };
    let url = evidence.url(path);
    let contexts = document
        .get("linkset")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let mut found: Vec<(String, String)> = Vec::new();
    for context in contexts.iter().filter_map(Value::as_object) {
        let anchor = context
            .get("anchor")
            .and_then(Value::as_str)
            .unwrap_or_default();
        verdict.expect(
            anchor.contains("://"),
            &url,
            "an absolute anchor",
            or_none(anchor),
        );
        for (relation, targets) in context.iter().filter(|(name, _)| *name != "anchor") {
            verdict.expect(
                targets.is_array(),
                &url,
                format!("an array of `{relation}`"),
                targets,
            );
            found.extend(
                targets
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|target| (relation.clone(), text(target, "href").to_owned())),
            );
        }
    }
    for relation in RELATIONS {
        verdict.expect(
            found.iter().any(|(own, _)| own == relation),
            &url,
            format!("a link of relation `{relation}`"),
            "none",
        );
    }
    for (relation, target) in &found {
        verdict.expect(
            target.contains("://"),
            &url,
            format!("an absolute `{relation}`"),
            or_none(target),
        );
        if let Some(path) = evidence.address.path_of(target) {
            verdict.expect(is_there(evidence, path), target, "200", "another status");
        }
    }
}

/// Whether any request for a path got a 200; a path that was not requested counts as present.
fn is_there(evidence: &Evidence, path: &str) -> bool {
    let mut asked = evidence
        .answers
        .iter()
        .filter(|(ask, _)| ask.path == path && !ask.origin && matches!(ask.method, "GET" | "HEAD"))
        .peekable();
    asked.peek().is_none() || asked.any(|(_, answer)| answer.status == 200)
}

fn openapi(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(document) = json(evidence, verdict, "/openapi.json") else {
        return;
    };
    let (url, empty) = (evidence.url("/openapi.json"), Vec::new());
    verdict.expect(
        text(&document, "openapi").starts_with("3.1."),
        &url,
        "openapi 3.1",
        text(&document, "openapi"),
    );
    let servers: Vec<&str> = document
        .get("servers")
        .and_then(Value::as_array)
        .unwrap_or(&empty)
        .iter()
        .map(|server| text(server, "url").trim_end_matches('/'))
        .collect();
    verdict.expect(
        servers.contains(&evidence.address.declared.as_str()),
        &url,
        format!("the server {}", evidence.address.declared),
        or_none(&super::some(&servers)),
    );
    let paths = document
        .get("paths")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    for path in [
        "/",
        "/rss.xml",
        "/sitemap.xml",
        "/llms.txt",
        "/status.json",
        "/articles/{slug}.html",
        "/articles/{slug}.md",
    ] {
        verdict.expect(
            paths.contains_key(path),
            &url,
            format!("the path `{path}`"),
            "not described",
        );
    }
    for path in paths.keys().filter(|path| !path.contains('{')) {
        verdict.expect(
            is_there(evidence, path),
            evidence.url(path),
            "200, as described",
            "another status",
        );
    }
}

fn status(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(document) = json(evidence, verdict, "/status.json") else {
        return;
    };
    let (url, state) = (evidence.url("/status.json"), text(&document, "status"));
    verdict.expect(
        matches!(state, "pass" | "warn"),
        &url,
        "status `pass`",
        or_none(state),
    );
    for name in ["version", "releaseId", "serviceId"] {
        verdict.expect(
            !text(&document, name).is_empty(),
            &url,
            format!("a `{name}`"),
            "none",
        );
    }
    verdict.expect(
        document.get("articles").is_some_and(Value::is_u64),
        &url,
        "the number of articles",
        "none",
    );
    verdict.expect(
        document
            .get("links")
            .is_some_and(|links| links.is_object() || links.is_array()),
        &url,
        "links",
        "none",
    );
}

fn warn(evidence: &Evidence, verdict: &mut Verdict) {
    let document = evidence
        .found("/status.json")
        .and_then(|answer| serde_json::from_slice::<Value>(&answer.body).ok());
    if let Some(document) = document {
        verdict.expect(
            text(&document, "status") != "warn",
            evidence.url("/status.json"),
            "status `pass`",
            text(&document, "status"),
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn changes(evidence: &Evidence, verdict: &mut Verdict) {
    if !evidence.names_changes() {
        verdict.leave_out(Rule::NoCase);
        return;
    }
    let status = evidence.found("/status.json");
    let status = status.and_then(|answer| serde_json::from_slice::<Value>(&answer.body).ok());
    let status = status.unwrap_or_default();
    let agrees = |verdict: &mut Verdict, path: &str| {
        let document = json(evidence, verdict, path)?;
        let (expected, got) = (text(&status, "listing"), text(&document, "listing"));
        let url = evidence.url(path);
        let expected_words = format!("the `listing` of the status, `{expected}`");
        verdict.expect(expected == got, url, expected_words, or_none(got));
        Some(document)
    };
    if let Some(list) = agrees(verdict, CHANGES)
        && let Some(newest) = list["editions"][0]["since"].as_str()
    {
        agrees(verdict, &since_path(newest));
    }
    if let Some(listing) = agrees(verdict, LISTING) {
        digests(evidence, verdict, &listing);
    }
    let path = since_path(NO_EDITION);
    if let Some(answer) = evidence.get(&path) {
        verdict.expect(answer.status == 404, evidence.url(&path), "404", answer);
    }
}

/// Whether the sampled pages have the digests of the list.
fn digests(evidence: &Evidence, verdict: &mut Verdict, listing: &Value) {
    let pages = listing["pages"].as_array().into_iter().flatten();
    let known: BTreeMap<&str, &str> = pages
        .map(|page| (text(page, "path"), text(page, "digest")))
        .collect();
    for stem in evidence.stems() {
        let path = crate::address::markdown_path(stem);
        let answer = evidence.found(&path);
        if let (Some(answer), Some(digest)) = (answer, known.get(path.as_str())) {
            let own = Digest::hash(&answer.body).to_string();
            let url = evidence.url(&path);
            verdict.expect(own == *digest, url, format!("the digest `{digest}`"), &own);
        }
    }
}

/// The links of a `Link` field (RFC 8288) that have a relation.
fn related(field: &str, relation: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in field.split('<').skip(1) {
        let Some((target, parameters)) = part.split_once('>') else {
            continue;
        };
        let relations = parameters.split("rel=").nth(1).unwrap_or_default();
        let relations = match relations.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or_default(),
            None => relations.split([';', ',']).next().unwrap_or_default(),
        };
        if relations
            .split_whitespace()
            .any(|own| own.eq_ignore_ascii_case(relation))
        {
            found.push(target.to_owned());
        }
    }
    found
}

fn links(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence.stems() {
        let (html, markdown) = (html_path(stem), crate::address::markdown_path(stem));
        let forms = [
            (Ask::browser(html.clone()), markdown.clone(), false),
            (Ask::get(markdown), html.clone(), true),
        ];
        for (ask, other, is_twin) in forms {
            let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) else {
                continue;
            };
            let mut wanted = vec![
                ("alternate", other),
                ("alternate", "/rss.xml".into()),
                ("describedby", "/llms.txt".into()),
            ];
            if is_twin {
                wanted.push(("canonical", html.clone()));
            } else if stem == "/index" {
                let api = [
                    ("api-catalog", "/.well-known/api-catalog"),
                    ("service-desc", "/openapi.json"),
                    ("service-doc", "/api.html"),
                ];
                wanted.extend(api.map(|(relation, path)| (relation, path.to_owned())));
            }
            let field = answer.all("link").collect::<Vec<_>>().join(", ");
            for (relation, path) in wanted {
                let targets = related(&field, relation);
                let right = targets.iter().any(|target| {
                    evidence
                        .address
                        .path_of(&evidence.address.resolve(target, &ask.path))
                        == Some(path.as_str())
                });
                verdict.expect(
                    right,
                    named(evidence, &ask),
                    format!(
                        "Link: <{}>; rel=\"{relation}\"",
                        evidence.address.written(&path)
                    ),
                    or_none(&super::some(&targets)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_read_from_link_fields() {
        let field = "<https://a/x,y>; rel=\"alternate next\"; type=\"text/html\", </z>;rel=canonical, <b>; title=\"q\"; rel=\"Alternate\"";
        assert_eq!(related(field, "alternate"), ["https://a/x,y", "b"]);
        assert_eq!(related(field, "canonical"), ["/z"]);
        assert!(related(field, "describedby").is_empty() && related("", "x").is_empty());
    }
}
