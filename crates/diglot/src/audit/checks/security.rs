//! What protects readers, and what opens the content to programs.

use super::{Check, or_none};
use crate::audit::address::{html_path, markdown_path};
use crate::audit::answer::Ask;
use crate::audit::evidence::{Evidence, named};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "security.sniffing",
        what: "`X-Content-Type-Options: nosniff` is on every answer",
        why: "a browser must not guess that Markdown or text is a page with scripts",
        advice: "install the generated host configuration",
        judge: sniffing,
    },
    Check {
        id: "security.policy",
        what: "pages have a Content-Security-Policy without inline scripts, and a Referrer-Policy",
        why: "whatever slips into a page cannot run",
        advice: "install the generated host configuration, and switch off what a CDN injects",
        judge: policy,
    },
    Check {
        id: "security.origin",
        what: "`Access-Control-Allow-Origin: *` is on every answer",
        why: "the content is public: tools that run in a browser may read it",
        advice: "install the generated host configuration",
        judge: origin,
    },
    Check {
        id: "security.shown",
        what: "Markdown is shown, not downloaded",
        why: "a person who follows a link to the Markdown form wants to read it",
        advice: "send `Content-Disposition: inline` with Markdown",
        judge: shown,
    },
    Check {
        id: "security.insecure",
        what: "a site over https links nothing of its own over http",
        why: "browsers block what is loaded so, and redirects cost a round trip",
        advice: "build again with a `--base-url` that begins with `https://`",
        judge: insecure,
    },
];

fn sniffing(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.successes() {
        let came = answer.field("x-content-type-options");
        verdict.expect(came.eq_ignore_ascii_case("nosniff"), named(evidence, ask), "nosniff", or_none(came));
    }
}

fn policy(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence.stems() {
        let ask = Ask::browser(html_path(stem));
        let Some(answer) = evidence.of(&ask).filter(|answer| answer.status == 200) else { continue };
        let came = answer.field("content-security-policy").to_ascii_lowercase();
        let directive = |name: &str| came.split(';').map(str::trim).find_map(|part| part.strip_prefix(name).filter(|rest| rest.starts_with(' ')));
        let scripts = directive("script-src").or_else(|| directive("default-src"));
        let right =
            scripts.is_some_and(|sources| !["'unsafe-inline'", "'unsafe-eval'", " *", " http:", " https:"].iter().any(|open| sources.contains(open)));
        verdict.expect(right, named(evidence, &ask), "a `script-src` without 'unsafe-inline'", or_none(scripts.unwrap_or_default().trim()));
        verdict.expect(!answer.field("referrer-policy").is_empty(), named(evidence, &ask), "a Referrer-Policy", "none");
    }
}

fn origin(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.answers.iter().filter(|(ask, answer)| !ask.origin && answer.status != 0 && answer.status != 304) {
        let came: Vec<&str> = answer.all("access-control-allow-origin").collect();
        if answer.status == 200 {
            verdict.expect(came == ["*"], named(evidence, ask), "Access-Control-Allow-Origin: *", or_none(&came.join(" | ")));
        } else {
            verdict.expect_of_host(came == ["*"], named(evidence, ask), "Access-Control-Allow-Origin: *", or_none(&came.join(" | ")));
        }
    }
}

fn shown(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence.stems() {
        let ask = Ask::get(markdown_path(stem));
        let Some(answer) = evidence.of(&ask).filter(|answer| answer.status == 200) else { continue };
        let came = answer.field("content-disposition").to_ascii_lowercase();
        verdict.expect(!came.starts_with("attachment"), named(evidence, &ask), "Content-Disposition: inline", &came);
        verdict.expect_of_host(came.starts_with("inline"), named(evidence, &ask), "Content-Disposition: inline", or_none(&came));
    }
}

fn insecure(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(host) = evidence.address.asked.strip_prefix("https://") else { return };
    let insecure = format!("http://{host}");
    for (ask, answer) in evidence.successes() {
        verdict.expect(!answer.says(&insecure), named(evidence, ask), "https addresses", &insecure);
    }
}
