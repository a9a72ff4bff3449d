//! Fields that protect readers, and fields that open the content to programs.

use super::{Check, or_none};
use crate::address::{html_path, markdown_path};
use crate::answer::{Answer, Ask};
use crate::evidence::{Evidence, named};
use crate::fix::Fix::{Header, Setting};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "security.sniffing",
        severity: Missing,
        what: "`X-Content-Type-Options: nosniff` is on every page, `.md` form and document",
        why: "a browser must not guess that text is a page with scripts",
        fix: Header("X-Content-Type-Options"),
        advice: "send `X-Content-Type-Options: nosniff` with everything",
        judge: sniffing,
    },
    Check {
        id: "security.sniffing-errors",
        severity: Missing,
        what: "`nosniff` is on refusals and errors too",
        why: "an error repeats what was asked, and a browser must not guess what that is",
        fix: Header("X-Content-Type-Options"),
        advice: "send the field with every status (`always` in nginx)",
        judge: sniffing_errors,
    },
    Check {
        id: "security.policy",
        severity: Missing,
        what: "pages have a Content-Security-Policy without inline scripts, and a Referrer-Policy",
        why: "whatever slips into a page cannot run",
        fix: Header("Content-Security-Policy"),
        advice: "send `script-src 'self'` without 'unsafe-inline', and a `Referrer-Policy`; switch off what a CDN injects",
        judge: policy,
    },
    Check {
        id: "security.policy-errors",
        severity: Missing,
        what: "error pages have the Content-Security-Policy too",
        why: "an error page is the one most likely to show what a stranger wrote",
        fix: Header("Content-Security-Policy"),
        advice: "send the field with every status (`always` in nginx)",
        judge: policy_errors,
    },
    Check {
        id: "security.origin",
        severity: Missing,
        what: "`Access-Control-Allow-Origin: *` is on every answer",
        why: "the content is public: tools that run in a browser may read it",
        fix: Header("Access-Control-Allow-Origin"),
        advice: "send `Access-Control-Allow-Origin: *` with every status",
        judge: origin,
    },
    Check {
        id: "security.shown",
        severity: Minor,
        what: "Markdown is `Content-Disposition: inline`",
        why: "a person who follows a link to the Markdown form wants to read it",
        fix: Header("Content-Disposition"),
        advice: "send `Content-Disposition: inline` with Markdown",
        judge: shown,
    },
    Check {
        id: "security.insecure",
        severity: Broken,
        what: "a site over https writes no address of its own with http",
        why: "browsers block what is loaded so, and every link costs a redirect",
        fix: Setting("base_url", "the links of the pages"),
        advice: "begin it with `https://` and build again",
        judge: insecure,
    },
];

fn sniffing(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.successes() {
        let came = answer.field("x-content-type-options");
        verdict.expect(
            came.eq_ignore_ascii_case("nosniff"),
            named(evidence, ask),
            "nosniff",
            or_none(came),
        );
    }
}

/// Errors and refusals: missing, malformed and forbidden requests.
fn refusals(evidence: &Evidence) -> impl Iterator<Item = (&Ask, &Answer)> {
    evidence.came().filter(|(ask, answer)| {
        matches!(answer.status, 400 | 404 | 405 | 410) && ask.method != "HEAD"
    })
}

fn sniffing_errors(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in refusals(evidence) {
        let came = answer.field("x-content-type-options");
        verdict.expect(
            came.eq_ignore_ascii_case("nosniff"),
            format!("{} ({})", named(evidence, ask), answer.status),
            "nosniff",
            or_none(came),
        );
    }
}

/// The script sources that a Content-Security-Policy allows.
fn scripts(answer: &Answer) -> Option<String> {
    let policy = answer.field("content-security-policy").to_ascii_lowercase();
    let directive = |name: &str| {
        policy
            .split(';')
            .map(str::trim)
            .find_map(|part| part.strip_prefix(name).filter(|rest| rest.starts_with(' ')))
    };
    directive("script-src")
        .or_else(|| directive("default-src"))
        .map(|sources| sources.trim().to_owned())
}

/// Whether a policy blocks injected scripts.
fn is_closed(sources: Option<&String>) -> bool {
    let open = |source: &str| {
        matches!(
            source,
            "'unsafe-inline'" | "'unsafe-eval'" | "*" | "http:" | "https:" | "data:"
        )
    };
    sources.is_some_and(|sources| !sources.split_whitespace().any(open))
}

fn policy_errors(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in refusals(evidence).filter(|(_, answer)| answer.media() == "text/html") {
        let sources = scripts(answer);
        let url = format!("{} ({})", named(evidence, ask), answer.status);
        verdict.expect(
            is_closed(sources.as_ref()),
            url,
            "a `script-src` without 'unsafe-inline'",
            or_none(&sources.unwrap_or_default()),
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn policy(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence.stems() {
        let ask = Ask::browser(html_path(stem));
        let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) else {
            continue;
        };
        let sources = scripts(answer);
        verdict.expect(
            is_closed(sources.as_ref()),
            named(evidence, &ask),
            "a `script-src` without 'unsafe-inline'",
            or_none(&sources.unwrap_or_default()),
        );
        verdict.expect(
            !answer.field("referrer-policy").is_empty(),
            named(evidence, &ask),
            "a Referrer-Policy",
            "none",
        );
    }
}

fn origin(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.came().filter(|(_, answer)| answer.status != 304) {
        let came: Vec<&str> = answer.all("access-control-allow-origin").collect();
        verdict.expect(
            came == ["*"],
            named(evidence, ask),
            "Access-Control-Allow-Origin: *",
            or_none(&came.join(", ")),
        );
    }
}

fn shown(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence.stems() {
        let ask = Ask::get(markdown_path(stem));
        let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) else {
            continue;
        };
        let came = answer.field("content-disposition").to_ascii_lowercase();
        verdict.expect(
            came.starts_with("inline"),
            named(evidence, &ask),
            "Content-Disposition: inline",
            or_none(&came),
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn insecure(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(host) = evidence.address.asked.strip_prefix("https://") else {
        return verdict.leave_out(Rule::PlainHttp);
    };
    let insecure = format!("http://{host}");
    for (ask, answer) in evidence.successes() {
        verdict.expect(
            !answer.says(&insecure),
            named(evidence, ask),
            "https addresses",
            &insecure,
        );
    }
}
