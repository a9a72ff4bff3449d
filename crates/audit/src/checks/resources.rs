//! Resources of the contract and their media types.

use super::Check;
use crate::address::{html_path, is_loopback, markdown_path};
use crate::answer::Ask;
use crate::evidence::{Evidence, named};
use crate::fix::Fix::{Cache, Header, Host, Setting};
use crate::gather::{DOCUMENTS, QUERY};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "resources.there",
        severity: Missing,
        what: "the home page, the terms, the API page, the list of articles and the articles answer 200 at their `.html` addresses",
        why: "readers and search engines look for these addresses",
        fix: Host("the published files"),
        advice: "publish the whole export, or find out why the host refuses the path",
        judge: there,
    },
    Check {
        id: "resources.type",
        severity: Broken,
        what: "every resource has its media type",
        why: "with a wrong type a browser saves what it should show",
        fix: Header("Content-Type"),
        advice: "name the media type of every suffix: `.md` is `text/markdown; charset=utf-8`",
        judge: types,
    },
    Check {
        id: "resources.charset",
        severity: Missing,
        what: "every text has `charset=utf-8`",
        why: "without it a client guesses, and may show wrong letters",
        fix: Header("Content-Type"),
        advice: "add `; charset=utf-8` to the types of `.html`, `.md` and `.txt`",
        judge: charset,
    },
    Check {
        id: "resources.text",
        severity: Broken,
        what: "every resource is UTF-8 text and arrives whole",
        why: "half a document is worse than none",
        fix: Cache,
        advice: "look for a proxy that cuts or recodes bodies on the way",
        judge: text,
    },
    Check {
        id: "resources.single",
        severity: Broken,
        what: "a field with one value is sent once: `Content-Type`, `Content-Length`, `ETag`, `Last-Modified`, `Location`",
        why: "one client believes the first, the next one the last",
        fix: Header("Content-Type"),
        advice: "let one place set each field: the host and a proxy may both do it",
        judge: single,
    },
    Check {
        id: "resources.home",
        severity: Broken,
        what: "`/` and `/index.html` are the same page, or one redirects to the other",
        why: "two home pages drift apart",
        fix: Host("the index file"),
        advice: "answer `/` with `index.html`",
        judge: home,
    },
    Check {
        id: "resources.query",
        severity: Broken,
        what: "an unknown query string is ignored",
        why: "links from mails and social networks carry one",
        fix: Host("query strings"),
        advice: "remove the rule that refuses or redirects query strings",
        judge: query,
    },
    Check {
        id: "resources.origin",
        severity: Missing,
        what: "robots.txt and the API catalog answer at the root of the host",
        why: "clients look for these two nowhere else",
        fix: Host("the root of the host"),
        advice: "publish the two files of the folder that ends in `-origin` at the root of the host",
        judge: origin,
    },
    Check {
        id: "resources.open",
        severity: Broken,
        what: "no answer sets a cookie or asks for a password",
        why: "with a cookie every page is private to a cache, and public content needs none",
        fix: Header("Set-Cookie"),
        advice: "switch off what sets the cookie: bot protection, load balancing, analytics",
        judge: open,
    },
    Check {
        id: "resources.assets",
        severity: Broken,
        what: "the style sheets, scripts and pictures of the pages answer 200",
        why: "a page without its style sheet is hard to read",
        fix: Host("the published files"),
        advice: "publish pages and files from one build, with the folder `_`",
        judge: assets,
    },
    Check {
        id: "resources.address",
        severity: Minor,
        what: "the site is at the address that its documents declare",
        why: "canonical addresses, feed and sitemaps send everyone to the declared address",
        fix: Setting("base_url", "the canonical addresses of the pages"),
        advice: "write the address of the site and build again, or audit the declared address",
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
        .flat_map(|stem| [Ask::browser(html_path(stem)), Ask::get(markdown_path(stem))]);
    DOCUMENTS.map(Ask::get).into_iter().chain(pages).collect()
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    for ask in evidence.stems().map(|stem| Ask::browser(html_path(stem))) {
        if let Some(answer) = evidence.answer(&ask) {
            verdict.expect(answer.status == 200, named(evidence, &ask), "200", answer);
        }
    }
}

fn types(evidence: &Evidence, verdict: &mut Verdict) {
    for ask in all(evidence) {
        let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) else {
            continue;
        };
        let (wanted, media) = (expected(&ask.path), answer.media());
        let right = media == wanted
            || (wanted == XML && matches!(media.as_str(), "text/xml" | "application/rss+xml"));
        verdict.expect(right, named(evidence, &ask), wanted, super::or_none(&media));
        if wanted == LINKSET {
            let profile = answer
                .field("content-type")
                .contains("https://www.rfc-editor.org/info/rfc9727");
            verdict.expect(
                profile,
                named(evidence, &ask),
                "the profile parameter of RFC 9727",
                answer.field("content-type"),
            );
        }
    }
}

fn charset(evidence: &Evidence, verdict: &mut Verdict) {
    for ask in all(evidence) {
        let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status == 200) else {
            continue;
        };
        let (media, field) = (answer.media(), answer.field("content-type"));
        if media.starts_with("text/") {
            let right = field
                .to_ascii_lowercase()
                .replace(['"', ' '], "")
                .contains("charset=utf-8");
            verdict.expect(
                right,
                named(evidence, &ask),
                format!("{media}; charset=utf-8"),
                field,
            );
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
            if answer.body.is_empty() {
                "an empty body"
            } else {
                "other bytes"
            },
        );
    }
}

/// Fields in which a second value contradicts the first (RFC 9110 section 5.3).
const SINGLE: [&str; 7] = [
    "content-type",
    "content-length",
    "content-location",
    "content-range",
    "etag",
    "last-modified",
    "location",
];

fn single(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence.came() {
        for name in SINGLE {
            let values: Vec<&str> = answer.all(name).collect();
            verdict.expect(
                values.len() < 2,
                named(evidence, ask),
                format!("one `{name}`"),
                values.join(" | "),
            );
        }
    }
}

fn home(evidence: &Evidence, verdict: &mut Verdict) {
    let (Some(root), Some(index)) = (
        evidence.answer(&Ask::browser("/")),
        evidence.answer(&Ask::browser("/index.html")),
    ) else {
        return;
    };
    let target = evidence
        .address
        .resolve(index.field("location"), "/index.html");
    let redirected = matches!(index.status, 301 | 302 | 307 | 308)
        && evidence.address.path_of(&target) == Some("/");
    let same = index.status == 200 && index.body == root.body;
    verdict.expect(
        same || redirected,
        evidence.url("/index.html"),
        "the bytes of `/`",
        index,
    );
}

fn query(evidence: &Evidence, verdict: &mut Verdict) {
    for (plain, path) in [
        (Ask::get("/llms.txt"), "/llms.txt"),
        (Ask::browser("/"), "/"),
    ] {
        let queried = Ask::browser(format!("{path}?{QUERY}"));
        let (Some(plain), Some(answer)) = (
            evidence
                .answer(&plain)
                .filter(|answer| answer.status == 200),
            evidence.answer(&queried),
        ) else {
            continue;
        };
        verdict.expect(
            answer.status == 200 && answer.body == plain.body,
            named(evidence, &queried),
            "the bytes without the query",
            answer,
        );
    }
}

fn assets(evidence: &Evidence, verdict: &mut Verdict) {
    for path in &evidence.assets {
        let ask = Ask::get(path.clone()).by("HEAD");
        if let Some(answer) = evidence.answer(&ask).filter(|answer| answer.status != 0) {
            verdict.expect(
                answer.status == 200,
                named(evidence, &ask),
                "200, as a page needs it",
                answer,
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn origin(evidence: &Evidence, verdict: &mut Verdict) {
    for path in ["/robots.txt", "/.well-known/api-catalog"] {
        if let Some(answer) = evidence.answer(&Ask::get(path).at_origin()) {
            verdict.expect(
                answer.status == 200,
                format!("{}{path}", evidence.address.origin()),
                "200",
                answer,
            );
        }
    }
}

fn open(evidence: &Evidence, verdict: &mut Verdict) {
    for (ask, answer) in evidence
        .answers
        .iter()
        .filter(|(ask, answer)| !ask.origin && answer.status != 0)
    {
        let asked = ["set-cookie", "www-authenticate"]
            .map(|name| answer.field(name))
            .join("");
        verdict.expect(
            asked.is_empty(),
            named(evidence, ask),
            "no Set-Cookie and no WWW-Authenticate",
            asked,
        );
    }
}

fn declared(evidence: &Evidence, verdict: &mut Verdict) {
    let address = &evidence.address;
    if is_loopback(&address.asked) {
        verdict.leave_out(Rule::Loopback);
    } else if evidence.html("/index").is_some() {
        verdict.expect(
            address.asked == address.declared,
            &address.asked,
            "the address that the home page calls canonical",
            &address.declared,
        );
    }
}
