//! Defects as they occur, planted one at a time.

use std::io::Write;

use rayon::prelude::*;

use super::*;
use crate::audit::address::html_path;
use crate::audit::answer::{AGENT, BROWSER};
use crate::audit::evidence::{Visitor, negotiated};

/// A defect: its name, how it is planted, and the checks that must name it.
struct Plant(&'static str, fn(&mut Evidence), &'static [&'static str]);

/// Alters every answer that a condition picks.
fn alter(evidence: &mut Evidence, picks: impl Fn(&Ask, &Answer) -> bool, change: impl Fn(&mut Answer)) {
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

/// Replaces words in a body; they must be there, unless there is none (HEAD).
fn replace(answer: &mut Answer, from: &str, to: &str) {
    if answer.body.is_empty() {
        return;
    }
    let text = answer.text();
    assert!(text.contains(from), "`{from}` is not in\n{text}");
    answer.body = text.replace(from, to).into_bytes();
}

/// Adds to a body; what has none (HEAD) keeps none.
fn append(answer: &mut Answer, text: &str) {
    if !answer.body.is_empty() {
        answer.body.extend_from_slice(text.as_bytes());
    }
}

/// Puts another answer in the place of one; what has no body (HEAD) gets none.
fn turn_into(answer: &mut Answer, other: &Answer) {
    let body = if answer.body.is_empty() { Vec::new() } else { other.body.clone() };
    *answer = Answer { body, ..other.clone() };
}

/// Successful answers at a path, in whatever form and coding.
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

/// Both places at which the twin of the first article is answered.
fn twin(ask: &Ask, answer: &Answer) -> bool {
    ask.path.starts_with("/articles/first.") && answer.status == 200 && answer.media() == "text/markdown"
}

/// What this site answers for what is not there.
fn absent(evidence: &Evidence) -> Answer {
    evidence.get(&format!("{}.md", crate::audit::gather::NOWHERE)).cloned().unwrap()
}

fn html(ask: &Ask, answer: &Answer) -> bool {
    ask.path == "/articles/first.html" && page(ask, answer)
}

const PLANTS: &[Plant] = &[
    Plant("missing Vary", |site| alter(site, page, |answer| set(answer, "vary", "Accept-Encoding")), &["negotiation.vary"]),
    Plant(
        "Vary: Accept on documents",
        |site| alter(site, at("/llms.txt"), |answer| set(answer, "vary", "Accept, Accept-Encoding")),
        &["negotiation.coding-only"],
    ),
    Plant(
        "Markdown for wildcards",
        |site| {
            let markdown = site.of(&Ask::agent("/")).cloned().unwrap();
            alter(site, |ask, _| ask.path == "/" && ask.fields == [("accept", "*/*".to_owned())], |answer| *answer = markdown.clone());
        },
        &["negotiation.browser"],
    ),
    Plant(
        "HTML for agents",
        |site| {
            let page = site.of(&Ask::browser("/")).cloned().unwrap();
            alter(site, |ask, answer| ask.path == "/" && chosen(ask, answer), |answer| turn_into(answer, &page));
        },
        &["negotiation.agent"],
    ),
    Plant(
        "406 for JSON",
        |site| alter(site, |ask, _| ask.path == "/" && ask.fields == [("accept", "application/json".to_owned())], |answer| answer.status = 406),
        &["negotiation.browser"],
    ),
    Plant(
        "HTML at .md for browsers",
        |site| {
            alter(site, |ask, _| *ask == Ask::browser("/articles/first.md"), |answer| set(answer, "content-type", "text/html"));
        },
        &["negotiation.markdown", "validators.head"],
    ),
    Plant(
        "another text at .html than at .md",
        |site| alter(site, |ask, _| *ask == Ask::agent("/articles/first.html"), |answer| append(answer, "x")),
        &["negotiation.bytes"],
    ),
    Plant("no Content-Location", |site| alter(site, chosen, |answer| set(answer, "content-location", "")), &["negotiation.location"]),
    Plant(
        "a cache hands Markdown to a browser",
        |site| {
            for walk in &mut site.walks {
                let markdown = walk.steps.iter().find(|(visitor, _)| *visitor == Visitor::Agent).unwrap().1.clone();
                walk.steps.iter_mut().skip(1).for_each(|(_, answer)| *answer = markdown.clone());
            }
        },
        &["caches.agent-first"],
    ),
    Plant(
        "a cache hands HTML to an agent",
        |site| {
            for walk in &mut site.walks {
                let page = walk.steps.iter().find(|(visitor, _)| *visitor == Visitor::Browser).unwrap().1.clone();
                walk.steps.iter_mut().skip(1).for_each(|(_, answer)| *answer = page.clone());
            }
        },
        &["caches.browser-first"],
    ),
    Plant(
        "public cache on Markdown at .html",
        |site| alter(site, chosen, |answer| set(answer, "cache-control", "public, max-age=300")),
        &["caches.private"],
    ),
    Plant("Markdown at .html from a CDN", |site| alter(site, chosen, |answer| set(answer, "age", "17")), &["caches.stored"]),
    Plant("private pages", |site| alter(site, at("/rss.xml"), |answer| set(answer, "cache-control", "private")), &["caches.public"]),
    Plant(
        "a stored status",
        |site| alter(site, at("/status.json"), |answer| set(answer, "cache-control", "public, max-age=600")),
        &["caches.status"],
    ),
    Plant(
        "a stored Markdown 404",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 404 && answer.media() == "text/markdown",
                |answer| set(answer, "cache-control", "public, max-age=60"),
            );
        },
        &["caches.errors"],
    ),
    Plant(
        "one ETag for two codings",
        |site| {
            let tag = site.get("/rss.xml").unwrap().field("etag").to_owned();
            alter(site, at("/rss.xml"), |answer| set(answer, "etag", &tag));
        },
        &["validators.codings"],
    ),
    Plant(
        "one ETag for two forms",
        |site| {
            let tag = site.of(&Ask::browser("/")).unwrap().field("etag").to_owned();
            alter(site, |ask, _| *ask == Ask::agent("/"), |answer| set(answer, "etag", &tag));
        },
        &["validators.forms", "validators.head"],
    ),
    Plant(
        "no validators",
        |site| {
            alter(site, at("/openapi.json"), |answer| ["etag", "last-modified"].into_iter().for_each(|name| set(answer, name, "")));
        },
        &["validators.tag"],
    ),
    Plant(
        "weak ETag",
        |site| alter(site, |ask, _| *ask == Ask::get("/robots.txt"), |answer| set(answer, "etag", "W/\"x\"")),
        &["validators.tag", "validators.head"],
    ),
    Plant(
        "200 for a tag that is known",
        |site| {
            let whole = site.get("/rss.xml").cloned().unwrap();
            alter(
                site,
                |ask, answer| ask.path == "/rss.xml" && answer.status == 304 && ask.fields.len() == 1 && ask.fields[0].0 == "if-none-match",
                |answer| *answer = whole.clone(),
            );
        },
        &["validators.not-modified"],
    ),
    Plant(
        "Last-Modified in the future",
        |site| {
            alter(site, |ask, _| *ask == Ask::get("/llms-full.txt"), |answer| set(answer, "last-modified", "Wed, 01 Jan 2098 00:00:00 GMT"));
        },
        &["validators.date", "validators.head"],
    ),
    Plant(
        "Last-Modified on Markdown at .html",
        |site| {
            alter(site, |ask, _| *ask == Ask::agent("/terms.html"), |answer| set(answer, "last-modified", "Mon, 06 May 2024 07:08:09 GMT"));
        },
        &["validators.undated"],
    ),
    Plant(
        "HEAD with another type",
        |site| {
            alter(site, |ask, _| ask.method == "HEAD" && ask.path == "/llms.txt", |answer| set(answer, "content-type", "text/html"));
        },
        &["validators.head"],
    ),
    Plant(
        "a coding that nobody asked for",
        |site| {
            alter(
                site,
                |ask, _| ask.path == "/llms.txt" && ask.fields == [("accept-encoding", "identity".to_owned())],
                |answer| set(answer, "content-encoding", "br"),
            );
        },
        &["codings.asked", "validators.codings"],
    ),
    Plant(
        "an old .br file",
        |site| {
            alter(site, |ask, answer| ask.path == "/llms.txt" && answer.coding() == "br", |answer| append(answer, "old"));
        },
        &["codings.bytes"],
    ),
    Plant(
        "no compression",
        |site| {
            alter(site, |ask, answer| at("/rss.xml")(ask, answer), |answer| set(answer, "content-encoding", ""));
        },
        &["codings.offered"],
    ),
    Plant(
        "compressed without Vary",
        |site| {
            alter(site, |ask, answer| ask.path == "/llms.txt" && answer.coding() != "identity", |answer| set(answer, "vary", ""));
        },
        &["codings.vary"],
    ),
    Plant(
        "a page is missing",
        |site| {
            let gone = absent(site);
            alter(site, at("/sitemap.md"), |answer| turn_into(answer, &gone));
        },
        &["resources.there", "api.openapi", "llms.answers"],
    ),
    Plant(
        "Markdown as plain text",
        |site| {
            alter(
                site,
                |ask, answer| at("/terms.md")(ask, answer) || (ask.method == "HEAD" && ask.path == "/terms.md"),
                |answer| set(answer, "content-type", "text/plain; charset=utf-8"),
            );
        },
        &["resources.type"],
    ),
    Plant("a cut body", |site| alter(site, at("/openapi.json"), |answer| answer.trouble = Some("it ends early".into())), &["resources.text"]),
    Plant(
        "another home page at /index.html",
        |site| {
            alter(site, |ask, _| *ask == Ask::browser("/index.html"), |answer| append(answer, "<p>old</p>"));
        },
        &["resources.home"],
    ),
    Plant("a query that matters", |site| alter(site, |ask, _| ask.path.contains("utm_source"), |answer| answer.status = 403), &["resources.query"]),
    Plant(
        "nothing at the origin's root",
        |site| {
            let gone = absent(site);
            alter(site, |ask, _| ask.origin, |answer| *answer = gone.clone());
        },
        &["resources.origin"],
    ),
    Plant("a cookie", |site| alter(site, at("/rss.xml"), |answer| set(answer, "set-cookie", "id=1")), &["resources.open"]),
    Plant(
        "robots.txt shuts crawlers out",
        |site| alter(site, at("/robots.txt"), |answer| replace(answer, "Allow: /", "Disallow: /")),
        &["signals.robots"],
    ),
    Plant(
        "a group without a signal",
        |site| alter(site, at("/robots.txt"), |answer| append(answer, "\nUser-agent: OneBot\nDisallow:\n")),
        &["signals.groups"],
    ),
    Plant(
        "another Content-Signal on a page",
        |site| {
            alter(site, at("/terms.html"), |answer| set(answer, "content-signal", "search=yes, ai-input=yes, ai-train=yes"));
        },
        &["signals.field"],
    ),
    Plant("no Content-Usage", |site| alter(site, at("/articles/first.md"), |answer| set(answer, "content-usage", "")), &["signals.usage"]),
    Plant(
        "terms that say something else",
        |site| {
            alter(
                site,
                |ask, answer| ask.path.starts_with("/terms.") && answer.media() == "text/html" && answer.status == 200,
                |answer| replace(answer, "ai-train=no", "ai-train=yes"),
            );
        },
        &["signals.terms", "parity.code"],
    ),
    Plant(
        "a relative link in the catalog",
        |site| {
            alter(site, at("/.well-known/api-catalog"), |answer| replace(answer, "\"https://example.org/blog/openapi.json\"", "\"openapi.json\""));
        },
        &["api.catalog"],
    ),
    Plant(
        "another server in the API description",
        |site| {
            alter(site, at("/openapi.json"), |answer| replace(answer, "\"url\": \"https://example.org/blog\"", "\"url\": \"http://localhost:8080\""));
        },
        &["api.openapi"],
    ),
    Plant(
        "status.json without its edition",
        |site| alter(site, at("/status.json"), |answer| replace(answer, "releaseId", "release")),
        &["api.status"],
    ),
    Plant("no Link", |site| alter(site, at("/articles/second.html"), |answer| set(answer, "link", "")), &["api.links"]),
    Plant(
        "ISO date in pubDate",
        |site| {
            alter(site, at("/rss.xml"), |answer| replace(answer, "<pubDate>Sat, 01 Jun 2024 00:00:00 +0000", "<pubDate>2024-06-01T00:00:00Z"));
        },
        &["feed.dates"],
    ),
    Plant(
        "the oldest first",
        |site| {
            alter(site, at("/rss.xml"), |answer| replace(answer, "Sun, 01 Jan 2023 00:00:00", "Sat, 29 Jun 2024 00:00:00"));
        },
        &["feed.order"],
    ),
    Plant(
        "a relative link in the feed",
        |site| {
            alter(site, at("/rss.xml"), |answer| replace(answer, "https://example.org/blog/pictures/a.png", "/blog/pictures/a.png"));
        },
        &["feed.absolute"],
    ),
    Plant(
        "one guid twice",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                let guid = |name: &str| format!("<guid isPermaLink=\"true\">https://example.org/blog/articles/{name}.html</guid>");
                ["first", "second"].into_iter().for_each(|name| replace(answer, &guid(name), "<guid isPermaLink=\"false\">x</guid>"));
            });
        },
        &["feed.items"],
    ),
    Plant(
        "a feed that says it is elsewhere",
        |site| {
            alter(site, at("/rss.xml"), |answer| replace(answer, "href=\"https://example.org/blog/rss.xml\"", "href=\"http://localhost/rss.xml\""));
        },
        &["feed.own"],
    ),
    Plant("a feed that is not well-formed", |site| alter(site, at("/rss.xml"), |answer| replace(answer, "</channel>", "")), &["feed.form"]),
    Plant(
        "a draft in the feed",
        |site| {
            let gone = absent(site);
            site.answers.insert(Ask::get("/articles/soon.html").by("HEAD"), gone);
            let link = "/articles/second.html</link>";
            alter(site, at("/rss.xml"), |answer| {
                replace(answer, link, "/articles/soon.html</link>");
                replace(answer, "/articles/second.html</guid>", "/articles/soon.html</guid>");
            });
        },
        &["feed.answers"],
    ),
    Plant(
        "a draft in the sitemap",
        |site| {
            let gone = absent(site);
            site.answers.insert(Ask::get("/articles/soon.html").by("HEAD"), gone);
            let row = "<url><loc>https://example.org/blog/articles/soon.html</loc><lastmod>2024-05-20</lastmod></url></urlset>";
            alter(site, at("/sitemap.xml"), |answer| replace(answer, "</urlset>", row));
        },
        &["sitemaps.answers", "sitemaps.markdown", "llms.agrees"],
    ),
    Plant(
        "a sitemap for another address",
        |site| {
            alter(site, at("/sitemap.xml"), |answer| {
                replace(answer, "<loc>https://example.org/blog/about.html", "<loc>http://localhost:8080/about.html")
            });
        },
        &["sitemaps.urls"],
    ),
    Plant(
        "one build time for all",
        |site| {
            alter(site, at("/sitemap.xml"), |answer| {
                let text = answer.text();
                let parts: Vec<String> = text
                    .split("<lastmod>")
                    .enumerate()
                    .map(|(at, part)| if at == 0 { part.to_owned() } else { format!("2024-07-01{}", &part[part.find('<').unwrap()..]) })
                    .collect();
                answer.body = parts.join("<lastmod>").into_bytes();
            });
        },
        &["sitemaps.dates"],
    ),
    Plant("a broken sitemap", |site| alter(site, at("/sitemap.xml"), |answer| replace(answer, "</urlset>", "")), &["sitemaps.form", "llms.agrees"]),
    Plant(
        "a page that sitemap.md does not list",
        |site| {
            alter(site, at("/sitemap.md"), |answer| replace(answer, "/about.", "/about-us."));
        },
        &["sitemaps.markdown"],
    ),
    Plant(
        "llms.txt without its blockquote",
        |site| alter(site, at("/llms.txt"), |answer| replace(answer, "\n> ", "\n")),
        &["llms.form", "resources.query"],
    ),
    Plant(
        "llms.txt that is too long",
        |site| {
            alter(
                site,
                |ask, answer| ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET",
                |answer| append(answer, &"- [x](https://other.example/): words\n".repeat(2000)),
            );
        },
        &["llms.size"],
    ),
    Plant(
        "a relative link in llms.txt",
        |site| {
            let all = |ask: &Ask, answer: &Answer| ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET";
            alter(site, all, |answer| replace(answer, "(https://example.org/blog/about.md)", "(/blog/about.md)"));
        },
        &["llms.absolute"],
    ),
    Plant(
        "llms.txt names what is gone",
        |site| {
            let gone = absent(site);
            site.answers.insert(Ask::get("/gone.md").by("HEAD"), gone);
            let all = |ask: &Ask, answer: &Answer| ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET";
            alter(site, all, |answer| append(answer, "- [Gone](https://example.org/blog/gone.md): words\n"));
        },
        &["llms.answers"],
    ),
    Plant(
        "an article that llms.txt does not list",
        |site| {
            let all = |ask: &Ask, answer: &Answer| ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET";
            alter(site, all, |answer| replace(answer, "/articles/second.md", "/about.md"));
        },
        &["llms.agrees"],
    ),
    Plant(
        "llms-full.txt without an article",
        |site| {
            alter(site, at("/llms-full.txt"), |answer| replace(answer, "articles/second.html", "articles/other.html"));
        },
        &["llms.full"],
    ),
    Plant("two h1", |site| alter(site, html, |answer| replace(answer, "</article>", "<h1>More</h1></article>")), &["pages.one", "parity.headings"]),
    Plant("a page without its language", |site| alter(site, html, |answer| replace(answer, " dir=\"ltr\"", "")), &["pages.language"]),
    Plant(
        "a wrong canonical address",
        |site| {
            alter(site, html, |answer| {
                replace(
                    answer,
                    "<link rel=\"canonical\" href=\"https://example.org/blog/articles/first.html\">",
                    "<link rel=\"canonical\" href=\"http://localhost/articles/first.html\">",
                )
            });
        },
        &["pages.links"],
    ),
    Plant(
        "no visible link to llms.txt",
        |site| alter(site, html, |answer| replace(answer, "href=\"/blog/llms.txt\"", "href=\"/blog/terms.html\"")),
        &["pages.visible"],
    ),
    Plant("an injected script", |site| alter(site, html, |answer| replace(answer, "</body>", "<script>spy()</script></body>")), &["pages.still"]),
    Plant("a comment in a page", |site| alter(site, html, |answer| replace(answer, "</body>", "<!-- for me alone --></body>")), &["pages.still"]),
    Plant(
        "broken JSON-LD",
        |site| alter(site, html, |answer| replace(answer, "application/ld+json\">{", "application/ld+json\">{{")),
        &["pages.data"],
    ),
    Plant("a twin without its last change", |site| alter(site, twin, |answer| replace(answer, "last_updated:", "updated:")), &["twins.front"]),
    Plant(
        "a twin with another canonical address",
        |site| {
            alter(site, twin, |answer| replace(answer, "canonical_url: \"https://example.org/blog", "canonical_url: \"http://localhost"));
        },
        &["twins.agree"],
    ),
    Plant(
        "a twin with two H1",
        |site| alter(site, twin, |answer| replace(answer, "\n## Sitemap", "\n# More\n\n## Sitemap")),
        &["twins.title", "parity.headings"],
    ),
    Plant(
        "a relative link in a twin",
        |site| alter(site, twin, |answer| replace(answer, "(https://example.org/blog/pictures/a.png)", "(../pictures/a.png)")),
        &["twins.absolute"],
    ),
    Plant(
        "a link to HTML in a twin",
        |site| alter(site, twin, |answer| replace(answer, "/articles/second.md", "/articles/second.html")),
        &["twins.markdown"],
    ),
    Plant(
        "a twin without its tail",
        |site| {
            alter(site, twin, |answer| {
                let text = answer.text();
                answer.body = text.split("\n## Sitemap").next().unwrap().as_bytes().to_vec();
            });
        },
        &["twins.tail"],
    ),
    Plant(
        "a comment in a twin",
        |site| alter(site, twin, |answer| replace(answer, "\n## Sitemap", "\n<!-- for me alone -->\n\n## Sitemap")),
        &["twins.clean"],
    ),
    Plant(
        "a template tag in a twin",
        |site| alter(site, twin, |answer| replace(answer, "first paragraph", "first {{ paragraph }} paragraph")),
        &["twins.clean"],
    ),
    Plant("an unclosed fence", |site| alter(site, twin, |answer| append(answer, "\n```\nopen\n")), &["twins.fences"]),
    Plant("a heading that the twin lacks", |site| alter(site, twin, |answer| replace(answer, "## A part\n", "A part\n")), &["parity.headings"]),
    Plant(
        "a link that the page lacks",
        |site| alter(site, html, |answer| replace(answer, "href=\"https://other.example/page\"", "title=\"x\"")),
        &["parity.links"],
    ),
    Plant(
        "a picture that the page lacks",
        |site| alter(site, html, |answer| replace(answer, "<img src=\"/blog/pictures/a.png\"", "<b title=\"x\"")),
        &["parity.images"],
    ),
    Plant("other code in the twin", |site| alter(site, twin, |answer| replace(answer, "fn main()", "fn other()")), &["parity.code"]),
    Plant(
        "a page that was emptied",
        |site| {
            alter(
                site,
                |ask, answer| ask.path == "/articles/second.html" && page(ask, answer),
                |answer| {
                    replace(answer, "<p>The second article says less than the first one does.</p>", "<p>Subscribe to read more.</p>");
                },
            );
        },
        &["parity.words"],
    ),
    Plant(
        "200 for what is not there",
        |site| alter(site, |_, answer| answer.status == 404 && answer.media() == "text/html", |answer| answer.status = 200),
        &["errors.missing"],
    ),
    Plant(
        "an HTML 404 for agents",
        |site| {
            let page = site.of(&Ask::get(format!("{}.html", crate::audit::gather::NOWHERE)).with("accept", BROWSER)).cloned().unwrap();
            alter(site, |ask, answer| answer.status == 404 && ask.fields == [("accept", AGENT.to_owned())], |answer| *answer = page.clone());
        },
        &["errors.form"],
    ),
    Plant("200 for POST", |site| alter(site, |ask, _| ask.method == "POST", |answer| answer.status = 200), &["errors.method"]),
    Plant("no preflight", |site| alter(site, |ask, _| ask.method == "OPTIONS", |answer| answer.status = 403), &["errors.preflight"]),
    Plant("404 for a missing suffix", |site| alter(site, |ask, _| ask.path == "/terms", |answer| answer.status = 404), &["errors.near"]),
    Plant("no nosniff", |site| alter(site, at("/articles/first.md"), |answer| set(answer, "x-content-type-options", "")), &["security.sniffing"]),
    Plant(
        "inline scripts allowed",
        |site| alter(site, html, |answer| set(answer, "content-security-policy", "script-src 'self' 'unsafe-inline'")),
        &["security.policy"],
    ),
    Plant(
        "closed to other origins",
        |site| alter(site, at("/status.json"), |answer| set(answer, "access-control-allow-origin", "")),
        &["security.origin"],
    ),
    Plant(
        "Markdown that is downloaded",
        |site| alter(site, at("/articles/first.md"), |answer| set(answer, "content-disposition", "attachment")),
        &["security.shown"],
    ),
    Plant("http addresses on an https site", |site| alter(site, html, |answer| append(answer, "http://example.org/blog/x")), &["security.insecure"]),
    Plant("a site that lives elsewhere", |site| site.address.asked = "https://staging.example/blog".into(), &["resources.address"]),
];

/// Plants one defect by its name.
pub(super) fn by_name(evidence: &mut Evidence, name: &str) {
    let Plant(_, plant, _) = PLANTS.iter().find(|Plant(own, ..)| *own == name).unwrap();
    plant(evidence);
}

/// With `DIGLOT_PLANTS` set, every plant is told with the checks that named it: `cargo xtask conform --plant`.
#[test]
fn every_planted_defect_is_named_by_its_check() {
    let right = gathered(&mut InProcess(edition()));
    let told_all = std::env::var_os("DIGLOT_PLANTS").is_some();
    let judged = PLANTS.par_iter().map(|Plant(name, plant, expected)| {
        let mut evidence = right.clone();
        plant(&mut evidence);
        let card = judge(&evidence);
        let mut named: Vec<&str> = [card.ended(State::Failed), card.ended(State::Warned)].concat();
        named.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        let line = format!("{name}: {}", named.join(", "));
        (line, (named != expected).then(|| format!("{name}: expected {expected:?}, named {named:?}\n{}", told(&card))))
    });
    let (lines, wrong): (Vec<String>, Vec<Option<String>>) = judged.unzip();
    if told_all {
        lines.iter().for_each(|line| writeln!(std::io::stdout(), "{line}").unwrap());
    }
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), PLANTS.len(), wrong.join("\n\n"));
}

/// A check that no plant can wake is no check.
#[test]
fn every_check_finds_a_plant() {
    let planted: std::collections::BTreeSet<&str> = PLANTS.iter().flat_map(|Plant(.., checks)| checks.iter().copied()).collect();
    let asleep: Vec<&str> =
        crate::audit::checks::GROUPS.iter().flat_map(|group| group.checks).map(|check| check.id).filter(|id| !planted.contains(id)).collect();
    assert!(asleep.is_empty(), "{asleep:?}");
    assert_eq!(html_path("/index"), "/");
}
