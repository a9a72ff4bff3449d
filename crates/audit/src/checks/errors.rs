//! Missing pages and refused methods.

use super::{Check, or_none};
use crate::answer::{AGENT, Answer, Ask, BROWSER};
use crate::evidence::{Evidence, named};
use crate::fix::Fix::{Header, Host};
use crate::gather::{INJECTED, MADE_UP, MALFORMED, NOWHERE, long_path};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Harm, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "errors.missing",
        severity: Broken,
        what: "what does not exist is answered 404",
        why: "search engines list a \"not found\" page that has status 200, and agents believe it",
        fix: Host("status 404"),
        advice: "answer unknown paths with `404.html` and status 404, not with the home page",
        judge: missing,
    },
    Check {
        id: "errors.form",
        severity: Missing,
        what: "a 404 has the requested form, and names llms.txt",
        why: "an agent that went wrong finds its way from there",
        fix: Host("error pages"),
        advice: "use `diglot serve`, or a host that can choose the error page by `Accept`",
        judge: form,
    },
    Check {
        id: "errors.escaped",
        severity: Harm,
        what: "a 404 shows nothing of the address unescaped",
        why: "a link with markup in it runs a stranger's script on this site",
        fix: Host("error pages"),
        advice: "escape `<`, `>`, `&` and quotation marks of everything that an error page repeats, or repeat nothing",
        judge: escaped,
    },
    Check {
        id: "errors.malformed",
        severity: Broken,
        what: "a malformed or overlong address is refused: status 400, 404, 414 or another of 4xx, never 5xx or 200",
        why: "a server that fails at `%` may fail at more, and every log fills with it",
        fix: Host("malformed addresses"),
        advice: "decode percent-encodings once, and answer 400 where that fails",
        judge: malformed,
    },
    Check {
        id: "errors.method",
        severity: Broken,
        what: "a method that writes, or that nobody knows, is refused",
        why: "the site is read-only, and a 200 says that something was done",
        fix: Host("methods"),
        advice: "refuse every method but GET, HEAD and OPTIONS",
        judge: method,
    },
    Check {
        id: "errors.connect",
        severity: Broken,
        what: "CONNECT opens no way through",
        why: "a 200 says that this is a proxy for everybody",
        fix: Host("methods"),
        advice: "refuse CONNECT with 405",
        judge: connect,
    },
    Check {
        id: "errors.trace",
        severity: Missing,
        what: "TRACE is refused",
        why: "an echo shows what proxies have added to the request",
        fix: Host("methods"),
        advice: "refuse TRACE with 405 (`TraceEnable off` in Apache)",
        judge: trace,
    },
    Check {
        id: "errors.allow",
        severity: Minor,
        what: "a refused method is answered 405 with `Allow`",
        why: "a client learns what it may do",
        fix: Header("Allow"),
        advice: "send `Allow: GET, HEAD, OPTIONS` with 405",
        judge: allow,
    },
    Check {
        id: "errors.preflight",
        severity: Missing,
        what: "OPTIONS is answered 204, with what a browser's script asks for",
        why: "scripts of other sites may read public content",
        fix: Host("OPTIONS"),
        advice: "answer OPTIONS with 204 and `Access-Control-Allow-Methods: GET, HEAD, OPTIONS`",
        judge: preflight,
    },
    Check {
        id: "errors.near",
        severity: Missing,
        what: "an address without its suffix leads to the page, and `.html.md` to the Markdown form",
        why: "people and agents guess addresses",
        fix: Host("redirects"),
        advice: "use `diglot serve` for these; a static host answers 404, which is honest",
        judge: near,
    },
    Check {
        id: "errors.redirects",
        severity: Broken,
        what: "a redirect stays on the site, keeps the query, and does not leave https",
        why: "a link with a query loses what it was for, or its reader loses the site",
        fix: Host("redirects"),
        advice: "write redirects to the whole address below the base URL, with the query",
        judge: redirects,
    },
];

/// The forms in which a missing page was requested.
fn forms(evidence: &Evidence) -> impl Iterator<Item = (Ask, &'static str, &Answer)> {
    let asks = [
        (
            Ask::get(format!("{NOWHERE}.html")).with("accept", BROWSER),
            "text/html",
        ),
        (
            Ask::get(format!("{NOWHERE}.html")).with("accept", AGENT),
            "text/markdown",
        ),
        (
            Ask::get(format!("{NOWHERE}.html")).with("accept", "application/json"),
            "application/problem+json",
        ),
        (Ask::get(format!("{NOWHERE}.md")), "text/markdown"),
    ];
    asks.into_iter().filter_map(|(ask, media)| {
        evidence
            .answer(&ask)
            .filter(|answer| answer.status != 0)
            .map(|answer| (ask, media, answer))
    })
}

fn missing(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, answer) in forms(evidence) {
        verdict.expect(answer.status == 404, named(evidence, &ask), "404", answer);
        let as_browser = ask.fields.iter().any(|(_, value)| value == BROWSER);
        verdict.expect(
            !as_browser || !answer.is_markdown(),
            named(evidence, &ask),
            "404 text/html",
            answer,
        );
    }
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, media, answer) in forms(evidence).filter(|(_, _, answer)| answer.status == 404) {
        verdict.expect(
            answer.media() == media,
            named(evidence, &ask),
            format!("404 {media}"),
            answer,
        );
        verdict.expect(
            answer.says("/llms.txt"),
            named(evidence, &ask),
            "a link to /llms.txt",
            "none",
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn escaped(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .came()
        .filter(|(ask, _)| ask.path.contains("diglot-audit%3E"))
    {
        // What a browser renders as HTML: by media type, or without one.
        let read = matches!(
            answer.media().as_str(),
            "text/html" | "application/xhtml+xml" | "image/svg+xml" | ""
        );
        let shown = INJECTED.into_iter().find(|mark| answer.says(mark));
        verdict.expect(
            !read || shown.is_none(),
            named(evidence, ask),
            "the address escaped, or not shown",
            shown.unwrap_or_default(),
        );
    }
}

fn malformed(evidence: &Evidence, verdict: &mut Verdict) {
    let long = long_path();
    for (ask, answer) in MALFORMED
        .into_iter()
        .chain([long.as_str()])
        .filter_map(|path| {
            evidence
                .answer(&Ask::browser(path))
                .map(|answer| (path, answer))
        })
    {
        verdict.expect(
            (400..500).contains(&answer.status),
            evidence.url(ask),
            "a status of 4xx",
            answer,
        );
    }
}

/// Requests by methods that a reader never needs.
fn refused(evidence: &Evidence) -> impl Iterator<Item = (&Ask, &Answer)> {
    evidence
        .came()
        .filter(|(ask, _)| matches!(ask.method, "POST" | MADE_UP))
}

fn method(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in refused(evidence) {
        // RFC 9110 section 15.6.2: 501 is right for a method the server does not know.
        let right = (400..500).contains(&answer.status) || answer.status == 501;
        verdict.expect(right, named(evidence, ask), "405", answer);
    }
}

fn connect(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .alone
        .iter()
        .filter(|(ask, _)| ask.method == "CONNECT")
    {
        // A connection closed without an answer exposes nothing.
        verdict.expect(
            !(200..300).contains(&answer.status),
            named(evidence, ask),
            "405",
            answer,
        );
    }
}

fn trace(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.came().filter(|(ask, _)| ask.method == "TRACE") {
        verdict.expect(answer.status >= 400, named(evidence, ask), "405", answer);
    }
}

fn allow(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in refused(evidence).filter(|(_, answer)| answer.status >= 400) {
        let allow = answer.tokens("allow");
        let right = answer.status == 405
            && ["get", "head"]
                .iter()
                .all(|method| allow.iter().any(|own| own == method));
        let got = format!("{answer}, Allow: {}", or_none(answer.field("allow")));
        verdict.expect(
            right,
            named(evidence, ask),
            "405 with `Allow: GET, HEAD, OPTIONS`",
            got,
        );
    }
    verdict.or_leave_out(Rule::Counted);
}

fn preflight(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .answers
        .iter()
        .filter(|(ask, answer)| ask.method == "OPTIONS" && answer.status != 0)
    {
        let methods = answer.tokens("access-control-allow-methods");
        let right = matches!(answer.status, 200 | 204)
            && (methods.contains(&"get".to_owned()) || methods.contains(&"*".to_owned()));
        verdict.expect(
            right,
            named(evidence, ask),
            "204 with Access-Control-Allow-Methods",
            format!("{answer}, {}", or_none(&methods.join(", "))),
        );
    }
}

/// Judges the redirect from an address without `.html`.
fn without_suffix(evidence: &Evidence, stem: &str, verdict: &mut Verdict) {
    let (bare, path) = (Ask::browser(stem), format!("{stem}.html"));
    if let Some(answer) = evidence.answer(&bare).filter(|answer| answer.status != 0) {
        let to = evidence.address.resolve(answer.field("location"), stem);
        verdict.expect(
            answer.status == 308 && evidence.address.path_of(&to) == Some(&path),
            named(evidence, &bare),
            format!("308 to {}", evidence.address.written(&path)),
            answer,
        );
    }
}

fn near(evidence: &Evidence, verdict: &mut Verdict) {
    let article = evidence.articles.first().map(String::as_str);
    for stem in article.into_iter().chain(["/terms"]) {
        without_suffix(evidence, stem, verdict);
        let alias = Ask::get(format!("{stem}.html.md"));
        if let (Some(answer), Some(twin)) = (
            evidence.answer(&alias).filter(|answer| answer.status != 0),
            evidence.markdown(stem),
        ) {
            verdict.expect(
                answer.status == 200 && answer.body == twin.body,
                named(evidence, &alias),
                "the Markdown form",
                answer,
            );
        }
    }
}

fn redirects(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .came()
        .filter(|(_, answer)| matches!(answer.status, 301 | 302 | 303 | 307 | 308))
    {
        let (url, to) = (
            named(evidence, ask),
            evidence
                .address
                .resolve(answer.field("location"), &ask.path),
        );
        let Some(path) = evidence.address.path_of(&to) else {
            verdict.expect(
                false,
                url,
                format!("an address below {}", evidence.address.declared),
                or_none(answer.field("location")),
            );
            continue;
        };
        let query = ask.path.split_once('?').map_or("", |(_, query)| query);
        verdict.expect(
            query.is_empty() || path.ends_with(&format!("?{query}")),
            url,
            format!("the query `{query}`"),
            &to,
        );
    }
    verdict.or_leave_out(Rule::NoCase);
}
