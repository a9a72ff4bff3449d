//! What is not there, and what may not be done.

use super::{Check, or_none};
use crate::audit::answer::{AGENT, Answer, Ask, BROWSER};
use crate::audit::evidence::{Evidence, named};
use crate::audit::gather::NOWHERE;
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "errors.missing",
        what: "what is not there is answered 404",
        why: "a page that says \"not found\" with status 200 is listed by search engines and believed by agents",
        advice: "let the host answer unknown paths with `404.html` and status 404, not with the home page",
        judge: missing,
    },
    Check {
        id: "errors.form",
        what: "a 404 comes in the form asked for, and names llms.txt",
        why: "an agent that went wrong finds its way from there",
        advice: "use the generated host configuration; a host that has HTML errors alone does no harm",
        judge: form,
    },
    Check {
        id: "errors.method",
        what: "a method that writes is answered 405 with `Allow`",
        why: "the interface is read-only, and says so",
        advice: "refuse every method but GET, HEAD and OPTIONS at the host",
        judge: method,
    },
    Check {
        id: "errors.preflight",
        what: "OPTIONS is answered 204, with what a browser's script asks for",
        why: "scripts of other sites may read public content",
        advice: "use `diglot serve`, or a host whose generated configuration answers OPTIONS",
        judge: preflight,
    },
    Check {
        id: "errors.near",
        what: "an address without its suffix leads to the page, and `.html.md` to the Markdown form",
        why: "people and agents guess addresses",
        advice: "use `diglot serve` for these; on a static host they are 404, which is honest",
        judge: near,
    },
];

/// The forms in which a missing page was asked for.
fn forms(evidence: &Evidence) -> impl Iterator<Item = (Ask, &'static str, &Answer)> {
    let asks = [
        (Ask::get(format!("{NOWHERE}.html")).with("accept", BROWSER), "text/html"),
        (Ask::get(format!("{NOWHERE}.html")).with("accept", AGENT), "text/markdown"),
        (Ask::get(format!("{NOWHERE}.html")).with("accept", "application/json"), "application/problem+json"),
        (Ask::get(format!("{NOWHERE}.md")), "text/markdown"),
    ];
    asks.into_iter().filter_map(|(ask, media)| evidence.of(&ask).filter(|answer| answer.status != 0).map(|answer| (ask, media, answer)))
}

fn missing(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, _, answer) in forms(evidence) {
        verdict.expect(answer.status == 404, named(evidence, &ask), "404", answer);
        let as_browser = ask.fields.iter().any(|(_, value)| value == BROWSER);
        verdict.expect(!as_browser || !answer.is_markdown(), named(evidence, &ask), "404 text/html", answer);
    }
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, media, answer) in forms(evidence).filter(|(_, _, answer)| answer.status == 404) {
        verdict.expect_of_host(answer.media() == media, named(evidence, &ask), format!("404 {media}"), answer);
        verdict.expect_of_host(answer.says("/llms.txt"), named(evidence, &ask), "a link to /llms.txt", "none");
    }
}

fn method(evidence: &Evidence, verdict: &mut Verdict) {
    let ask = Ask::get("/llms.txt").by("POST");
    let Some(answer) = evidence.of(&ask).filter(|answer| answer.status != 0) else { return };
    let url = named(evidence, &ask);
    verdict.expect(answer.status >= 400, &url, "405", answer);
    let allow = answer.tokens("allow");
    let right = answer.status == 405 && allow.contains(&"get".to_owned()) && allow.contains(&"head".to_owned());
    verdict.expect_of_host(right, &url, "405 with `Allow: GET, HEAD, OPTIONS`", format!("{answer}, Allow: {}", or_none(answer.field("allow"))));
}

fn preflight(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.answers.iter().filter(|(ask, answer)| ask.method == "OPTIONS" && answer.status != 0) {
        let methods = answer.tokens("access-control-allow-methods");
        let right = matches!(answer.status, 200 | 204) && (methods.contains(&"get".to_owned()) || methods.contains(&"*".to_owned()));
        verdict.expect_of_host(
            right,
            named(evidence, ask),
            "204 with Access-Control-Allow-Methods",
            format!("{answer}, {}", or_none(&methods.join(", "))),
        );
    }
}

fn near(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence.articles.first().map(String::as_str).into_iter().chain(["/terms"]) {
        let bare = Ask::browser(stem);
        if let Some(answer) = evidence.of(&bare).filter(|answer| answer.status != 0) {
            let to = evidence.address.resolve(answer.field("location"), stem);
            let right = answer.status == 308 && evidence.address.path_of(&to) == Some(format!("{stem}.html").as_str());
            verdict.expect_of_host(right, named(evidence, &bare), format!("308 to {}", evidence.address.written(&format!("{stem}.html"))), answer);
        }
        let alias = Ask::get(format!("{stem}.html.md"));
        if let (Some(answer), Some(twin)) = (evidence.of(&alias).filter(|answer| answer.status != 0), evidence.markdown(stem)) {
            verdict.expect_of_host(answer.status == 200 && answer.body == twin.body, named(evidence, &alias), "the Markdown form", answer);
        }
    }
}
