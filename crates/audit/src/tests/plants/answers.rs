//! Defects of single answers: validators, ranges, codings, errors, protective fields.

use super::*;

pub(super) const PLANTS: &[Plant] = &[
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
            let tag = site
                .answer(&Ask::browser("/"))
                .unwrap()
                .field("etag")
                .to_owned();
            alter(
                site,
                |ask, _| *ask == Ask::agent("/"),
                |answer| set(answer, "etag", &tag),
            );
        },
        &["validators.forms", "validators.head"],
    ),
    Plant(
        "no validators",
        |site| {
            alter(site, at("/openapi.json"), |answer| {
                ["etag", "last-modified"]
                    .into_iter()
                    .for_each(|name| set(answer, name, ""))
            });
        },
        &["validators.tag", "validators.strong"],
    ),
    Plant(
        "weak ETag",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::get("/robots.txt"),
                |answer| set(answer, "etag", "W/\"x\""),
            )
        },
        &["validators.head", "validators.strong"],
    ),
    Plant(
        "200 for a tag that is known",
        |site| {
            let whole = site.get("/rss.xml").cloned().unwrap();
            alter(
                site,
                |ask, answer| {
                    ask.path == "/rss.xml"
                        && answer.status == 304
                        && ask.fields.len() == 1
                        && ask.fields[0].0 == "if-none-match"
                },
                |answer| *answer = whole.clone(),
            );
        },
        &["validators.not-modified"],
    ),
    Plant(
        "Last-Modified in the future",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::get("/llms-full.txt"),
                |answer| set(answer, "last-modified", "Wed, 01 Jan 2098 00:00:00 GMT"),
            );
        },
        &["validators.date", "validators.head"],
    ),
    Plant(
        "Last-Modified on Markdown at .html",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::agent("/terms.html"),
                |answer| set(answer, "last-modified", "Mon, 06 May 2024 07:08:09 GMT"),
            );
        },
        &["validators.undated"],
    ),
    Plant(
        "HEAD with another type",
        |site| {
            alter(
                site,
                |ask, _| ask.method == "HEAD" && ask.path == "/llms.txt",
                |answer| set(answer, "content-type", "text/html"),
            );
        },
        &["validators.head"],
    ),
    Plant(
        "a coding that nobody asked for",
        |site| {
            alter(
                site,
                |ask, _| {
                    ask.path == "/llms.txt"
                        && ask.fields == [("accept-encoding", "identity".to_owned())]
                },
                |answer| set(answer, "content-encoding", "br"),
            );
        },
        &["codings.asked", "validators.codings"],
    ),
    Plant(
        "an old .br file",
        |site| {
            alter(
                site,
                |ask, answer| ask.path == "/llms.txt" && answer.coding() == "br",
                |answer| append(answer, "old"),
            );
        },
        &["codings.bytes"],
    ),
    Plant(
        "no compression",
        |site| {
            alter(
                site,
                |ask, answer| at("/rss.xml")(ask, answer),
                |answer| set(answer, "content-encoding", ""),
            );
        },
        &["codings.there"],
    ),
    Plant(
        "compressed without Vary",
        |site| {
            alter(
                site,
                |ask, answer| ask.path == "/llms.txt" && answer.coding() != "identity",
                |answer| set(answer, "vary", ""),
            );
        },
        &["codings.vary"],
    ),
    Plant(
        "200 for what is not there",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 404 && answer.media() == "text/html",
                |answer| answer.status = 200,
            )
        },
        &["errors.missing"],
    ),
    Plant(
        "an HTML 404 for agents",
        |site| {
            let page = site
                .answer(
                    &Ask::get(format!("{}.html", crate::gather::NOWHERE)).with("accept", BROWSER),
                )
                .cloned()
                .unwrap();
            alter(
                site,
                |ask, answer| answer.status == 404 && ask.fields == [("accept", AGENT.to_owned())],
                |answer| *answer = page.clone(),
            );
        },
        &["errors.form"],
    ),
    Plant(
        "200 for POST",
        |site| {
            alter(
                site,
                |ask, _| ask.method == "POST",
                |answer| answer.status = 200,
            )
        },
        &["errors.method"],
    ),
    Plant(
        "no preflight",
        |site| {
            alter(
                site,
                |ask, _| ask.method == "OPTIONS",
                |answer| answer.status = 403,
            )
        },
        &["errors.preflight"],
    ),
    Plant(
        "404 for a missing suffix",
        |site| {
            alter(
                site,
                |ask, _| ask.path == "/terms",
                |answer| answer.status = 404,
            )
        },
        &["errors.near"],
    ),
    Plant(
        "no nosniff",
        |site| {
            alter(site, at("/articles/first.md"), |answer| {
                set(answer, "x-content-type-options", "")
            })
        },
        &["security.sniffing"],
    ),
    Plant(
        "inline scripts allowed",
        |site| {
            alter(site, html, |answer| {
                set(
                    answer,
                    "content-security-policy",
                    "script-src 'self' 'unsafe-inline'",
                )
            })
        },
        &["security.policy"],
    ),
    Plant(
        "closed to other origins",
        |site| {
            alter(site, at("/status.json"), |answer| {
                set(answer, "access-control-allow-origin", "")
            })
        },
        &["security.origin"],
    ),
    Plant(
        "Markdown that is downloaded",
        |site| {
            alter(site, at("/articles/first.md"), |answer| {
                set(answer, "content-disposition", "attachment")
            })
        },
        &["security.shown"],
    ),
    Plant(
        "http addresses on an https site",
        |site| {
            alter(site, html, |answer| {
                append(answer, "http://example.org/blog/x")
            })
        },
        &["security.insecure"],
    ),
    Plant(
        "404 to GET, 200 to HEAD",
        |site| {
            alter(
                site,
                |ask, answer| ask.method == "HEAD" && answer.status == 404,
                |answer| answer.status = 200,
            )
        },
        &["validators.head"],
    ),
    Plant(
        "no validators anywhere",
        |site| {
            alter(
                site,
                |_, _| true,
                |answer| {
                    ["etag", "last-modified"]
                        .into_iter()
                        .for_each(|name| set(answer, name, ""))
                },
            )
        },
        &["validators.there"],
    ),
    Plant(
        "200 for a date that is known",
        |site| {
            let whole = site.get("/rss.xml").cloned().unwrap();
            alter(
                site,
                |ask, answer| {
                    ask.path == "/rss.xml"
                        && answer.status == 304
                        && ask
                            .fields
                            .last()
                            .is_some_and(|(name, _)| *name == "if-modified-since")
                },
                |answer| *answer = whole.clone(),
            );
        },
        &["validators.since"],
    ),
    Plant(
        "Markdown at .html is never 304",
        |site| {
            let whole = site.answer(&Ask::agent("/")).cloned().unwrap();
            let again = Ask::agent("/").with("if-none-match", whole.field("etag"));
            alter(
                site,
                |ask, _| *ask == again,
                |answer| *answer = whole.clone(),
            );
        },
        &["validators.unkept"],
    ),
    Plant(
        "a tag that changes with every answer",
        |site| {
            let whole = site.get("/llms.txt").cloned().unwrap();
            let again = Ask::get("/llms.txt").with("if-none-match", whole.field("etag"));
            alter(
                site,
                |ask, _| *ask == again,
                |answer| {
                    *answer = whole.clone();
                    set(answer, "etag", "\"another\"");
                },
            );
        },
        &["validators.stable"],
    ),
    Plant(
        "one tag for everything",
        |site| {
            alter(
                site,
                |ask, answer| {
                    answer.status == 200 && !negotiated(&ask.path) && ask.fields.is_empty()
                },
                |answer| set(answer, "etag", "\"1\""),
            )
        },
        &["validators.stable"],
    ),
    Plant(
        "a bare 304",
        |site| {
            alter(
                site,
                |ask, answer| ask.path == "/rss.xml" && answer.status == 304,
                |answer| set(answer, "cache-control", ""),
            )
        },
        &["validators.repeats"],
    ),
    Plant(
        "HEAD with another length",
        |site| {
            alter(
                site,
                |ask, _| ask.method == "HEAD" && ask.path == "/llms.txt",
                |answer| set(answer, "content-length", "17"),
            )
        },
        &["validators.head"],
    ),
    Plant(
        "HEAD with a body",
        |site| {
            site.alone
                .iter_mut()
                .filter(|(ask, _)| ask.method == "HEAD")
                .for_each(|(_, answer)| answer.body = b"<p>".to_vec())
        },
        &["validators.bodiless"],
    ),
    Plant(
        "304 with a body",
        |site| {
            site.alone
                .values_mut()
                .filter(|answer| answer.status == 304)
                .for_each(|answer| answer.body = b"<p>".to_vec())
        },
        &["validators.bodiless"],
    ),
    Plant(
        "no ranges",
        |site| {
            let whole = site.answer(&Ask::browser("/")).cloned().unwrap();
            alter(site, |ask, _| ranged(ask), |answer| *answer = whole.clone());
        },
        &["ranges.there"],
    ),
    Plant(
        "a range that is one byte short",
        |site| {
            alter(
                site,
                |ask, answer| ranged(ask) && answer.status == 206,
                |answer| answer.body.truncate(answer.body.len() - 1),
            )
        },
        &["ranges.bytes"],
    ),
    Plant(
        "If-Range ignored",
        |site| {
            let part = site
                .answer(&Ask::browser("/").with("range", "bytes=10-59"))
                .cloned()
                .unwrap();
            alter(
                site,
                |ask, answer| ask.path == "/" && conditional(ask) && answer.status == 200,
                |answer| *answer = part.clone(),
            );
        },
        &["ranges.condition"],
    ),
    Plant(
        "200 behind the end",
        |site| {
            alter(
                site,
                |ask, answer| answer.status == 416 && ask.path != "/",
                |answer| answer.status = 200,
            )
        },
        &["ranges.refused"],
    ),
    Plant(
        "gzip for those who did not ask",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::get("/llms-full.txt"),
                |answer| set(answer, "content-encoding", "gzip"),
            )
        },
        &["codings.unasked"],
    ),
    Plant(
        "500 on %",
        |site| {
            alter(
                site,
                |ask, _| ask.path == "/%",
                |answer| answer.status = 500,
            )
        },
        &["errors.malformed"],
    ),
    Plant(
        "500 on a path that is too long",
        |site| {
            alter(
                site,
                |ask, _| ask.path.len() > 8_000,
                |answer| answer.status = 502,
            )
        },
        &["errors.malformed"],
    ),
    Plant(
        "200 for a path that is no path",
        |site| {
            alter(
                site,
                |ask, _| ask.path.contains("%00"),
                |answer| answer.status = 200,
            )
        },
        &["errors.malformed"],
    ),
    Plant(
        "the path in a 404",
        |site| {
            alter(
                site,
                |ask, _| ask.path == INJECTION,
                |answer| append(answer, "<p>/articles/x<diglot-audit> is not here</p>"),
            )
        },
        &["errors.escaped"],
    ),
    Plant(
        "the path in an attribute of a 404",
        |site| {
            alter(
                site,
                |ask, _| ask.path == INJECTION,
                |answer| {
                    append(
                        answer,
                        "<a href=\"/x\" data-diglot-audit=\"y.html\">here</a>",
                    )
                },
            )
        },
        &["errors.escaped"],
    ),
    Plant(
        "the query in a 404",
        |site| {
            alter(
                site,
                |ask, _| ask.path.starts_with(NOWHERE) && ask.path.contains("?q="),
                |answer| append(answer, "No results for <diglot-audit>"),
            )
        },
        &["errors.escaped"],
    ),
    Plant(
        "TRACE is echoed",
        |site| {
            alter(
                site,
                |ask, _| ask.method == "TRACE",
                |answer| answer.status = 200,
            )
        },
        &["errors.trace"],
    ),
    Plant(
        "CONNECT opens a way through",
        |site| {
            site.alone
                .iter_mut()
                .filter(|(ask, _)| ask.method == "CONNECT")
                .for_each(|(_, answer)| answer.status = 200)
        },
        &["errors.connect"],
    ),
    Plant(
        "405 without Allow",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 405,
                |answer| set(answer, "allow", ""),
            )
        },
        &["errors.allow"],
    ),
    Plant(
        "200 for a method that nobody knows",
        |site| {
            alter(
                site,
                |ask, _| ask.method == MADE_UP,
                |answer| answer.status = 200,
            )
        },
        &["errors.method"],
    ),
    Plant(
        "a redirect that loses the query",
        |site| {
            alter(
                site,
                |ask, answer| answer.status == 308 && ask.path.contains('?'),
                |answer| set(answer, "location", "/blog/terms.html"),
            )
        },
        &["errors.redirects"],
    ),
    Plant(
        "a redirect that loses the base path",
        |site| {
            alter(
                site,
                |ask, answer| answer.status == 308 && ask.path.contains('?'),
                |answer| set(answer, "location", &format!("/terms.html?{QUERY}")),
            )
        },
        &["errors.redirects"],
    ),
    Plant(
        "a redirect to http",
        |site| {
            let to = format!("http://example.org/blog/terms.html?{QUERY}");
            alter(
                site,
                |ask, answer| answer.status == 308 && ask.path.contains('?'),
                |answer| set(answer, "location", &to),
            );
        },
        &["errors.redirects"],
    ),
    Plant(
        "no nosniff on 405",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 405,
                |answer| set(answer, "x-content-type-options", ""),
            )
        },
        &["security.sniffing-errors"],
    ),
    Plant(
        "no policy on a 404",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 404,
                |answer| set(answer, "content-security-policy", ""),
            )
        },
        &["security.policy-errors"],
    ),
    Plant(
        "no CORS on a 404",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 404,
                |answer| set(answer, "access-control-allow-origin", ""),
            )
        },
        &["security.origin"],
    ),
    Plant(
        "Markdown that is neither shown nor downloaded",
        |site| {
            alter(site, at("/articles/first.md"), |answer| {
                set(answer, "content-disposition", "")
            })
        },
        &["security.shown"],
    ),
    Plant(
        "no compression anywhere",
        |site| {
            alter(
                site,
                |_, _| true,
                |answer| set(answer, "content-encoding", ""),
            )
        },
        &["codings.there"],
    ),
];
