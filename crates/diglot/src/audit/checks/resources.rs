//! What is there, and of what type.

use super::Check;
use crate::audit::answer::Ask;
use crate::audit::evidence::{Evidence, named};
use crate::audit::gather::DOCUMENTS;
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "resources.there",
        what: "every document and page answers 200",
        why: "readers, agents and search engines look for these addresses",
        advice: "publish the whole export, with its hidden folder `.well-known`, or look at why the host refuses the path",
        judge: there,
    },
    Check {
        id: "resources.type",
        what: "every resource has its media type",
        why: "a wrong type makes a browser save what it should show, and a reader refuse what it could read",
        advice: "install the host configuration that the export brings, which names the media type of every path",
        judge: types,
    },
    Check {
        id: "resources.text",
        what: "every resource is UTF-8 text and arrives whole",
        why: "half a document is worse than none",
        advice: "look for a proxy that cuts or recodes bodies on the way",
        judge: text,
    },
    Check {
        id: "resources.home",
        what: "`/` and `/index.html` are the same page",
        why: "two home pages drift apart",
        advice: "let the host answer `/` with `index.html`",
        judge: home,
    },
    Check {
        id: "resources.query",
        what: "an unknown query string is ignored",
        why: "links from mails and social networks carry one",
        advice: "remove the rule of the host or CDN that refuses or redirects query strings",
        judge: query,
    },
    Check {
        id: "resources.origin",
        what: "robots.txt and the API catalog are at the origin's root",
        why: "clients look for these two nowhere else",
        advice: "install the two files of the folder that ends in `-origin` at the root of the host",
        judge: origin,
    },
    Check {
        id: "resources.open",
        what: "no answer sets a cookie or asks for a password",
        why: "a cookie makes every page private to a cache, and content that is public needs none",
        advice: "switch off what sets the cookie in the host or CDN: bot protection, load balancing, analytics",
        judge: open,
    },
    Check {
        id: "resources.address",
        what: "the site lives where its documents say",
        why: "canonical addresses, feed and sitemaps send everyone to the declared address",
        advice: "build again with `--base-url` set to the address of the site, or audit the declared address",
        judge: declared,
    },
];

const XML: &str = "application/xml";
const TEXT: &str = "text/plain";
const JSON: &str = "application/json";
const LINKSET: &str = "application/linkset+json";

/// The media type of a path of the contract.
fn expected(path: &str) -> &'static str {
    match path {
        "/.well-known/api-catalog" => LINKSET,
        _ if path.ends_with(".xml") => XML,
        _ if path.ends_with(".json") => JSON,
        _ if path.ends_with(".md") => "text/markdown",
        _ if path.ends_with(".txt") => TEXT,
        _ => "text/html",
    }
}

/// The requests for every document and both forms of every page.
fn all(evidence: &Evidence) -> Vec<Ask> {
    let pages = evidence
        .stems()
        .flat_map(|stem| [Ask::browser(crate::audit::address::html_path(stem)), Ask::get(crate::audit::address::markdown_path(stem))]);
    DOCUMENTS.map(Ask::get).into_iter().chain(pages).collect()
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    for ask in all(evidence) {
        if let Some(answer) = evidence.of(&ask) {
            verdict.expect(answer.status == 200, named(evidence, &ask), "200", answer);
        }
    }
}

fn types(evidence: &Evidence, verdict: &mut Verdict) {
    for ask in all(evidence) {
        let Some(answer) = evidence.of(&ask).filter(|answer| answer.status == 200) else { continue };
        let (wanted, media) = (expected(&ask.path), answer.media());
        let right = media == wanted || (wanted == XML && matches!(media.as_str(), "text/xml" | "application/rss+xml"));
        verdict.expect(right, named(evidence, &ask), wanted, super::or_none(&media));
        if right && wanted.starts_with("text/") {
            let charset = answer.field("content-type").to_ascii_lowercase().replace(['"', ' '], "");
            verdict.expect(
                charset.contains("charset=utf-8"),
                named(evidence, &ask),
                format!("{wanted}; charset=utf-8"),
                answer.field("content-type"),
            );
        }
        if wanted == LINKSET {
            let profile = answer.field("content-type").contains("https://www.rfc-editor.org/info/rfc9727");
            verdict.expect(profile, named(evidence, &ask), "the profile parameter of RFC 9727", answer.field("content-type"));
        }
    }
}

fn text(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.successes() {
        let url = named(evidence, ask);
        if let Some(trouble) = &answer.trouble {
            verdict.expect(false, url, "a whole body", trouble);
            continue;
        }
        let valid = std::str::from_utf8(&answer.body);
        verdict.expect(
            valid.is_ok() && !answer.body.is_empty(),
            url,
            "UTF-8 text",
            if answer.body.is_empty() { "an empty body" } else { "other bytes" },
        );
    }
}

fn home(evidence: &Evidence, verdict: &mut Verdict) {
    let (Some(root), Some(index)) = (evidence.of(&Ask::browser("/")), evidence.of(&Ask::browser("/index.html"))) else { return };
    let same = index.status == 200 && index.body == root.body;
    // Some hosts send `/index.html` to `/`: one address more, no harm.
    let redirected = matches!(index.status, 301 | 302 | 307 | 308);
    if redirected {
        verdict.expect_of_host(false, evidence.url("/index.html"), "the page itself", index);
    } else {
        verdict.expect(same, evidence.url("/index.html"), "the bytes of `/`", index);
    }
}

fn query(evidence: &Evidence, verdict: &mut Verdict) {
    let path = "/llms.txt?utm_source=diglot&x=1";
    let (Some(plain), Some(queried)) = (evidence.found("/llms.txt"), evidence.get(path)) else { return };
    verdict.expect(queried.status == 200 && queried.body == plain.body, evidence.url(path), "the bytes without the query", queried);
}

fn origin(evidence: &Evidence, verdict: &mut Verdict) {
    for path in ["/robots.txt", "/.well-known/api-catalog"] {
        if let Some(answer) = evidence.of(&Ask::get(path).at_origin()) {
            verdict.expect(answer.status == 200, format!("{}{path}", evidence.address.origin()), "200", answer);
        }
    }
}

fn open(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.answers.iter().filter(|(ask, answer)| !ask.origin && answer.status != 0) {
        let asked = ["set-cookie", "www-authenticate"].map(|name| answer.field(name)).join("");
        verdict.expect(asked.is_empty(), named(evidence, ask), "no Set-Cookie and no WWW-Authenticate", asked);
    }
}

fn declared(evidence: &Evidence, verdict: &mut Verdict) {
    let address = &evidence.address;
    if evidence.html("/index").is_some() {
        verdict.expect_of_host(
            address.asked == address.declared,
            &address.asked,
            "the address that the home page calls canonical",
            &address.declared,
        );
    }
}
