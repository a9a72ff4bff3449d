//! Faults of a host or of a cache in front: addresses, media types, forms, lifetimes.

use super::*;

pub(super) const PLANTS: &[Plant] = &[
    Plant(
        "missing Vary",
        |site| alter(site, page, |answer| set(answer, "vary", "Accept-Encoding")),
        &["negotiation.vary"],
    ),
    Plant(
        "Vary: Accept on documents",
        |site| {
            alter(site, at("/llms.txt"), |answer| {
                set(answer, "vary", "Accept, Accept-Encoding")
            })
        },
        &["negotiation.coding-only"],
    ),
    Plant(
        "Markdown for wildcards",
        |site| {
            let markdown = site.answer(&Ask::agent("/")).cloned().unwrap();
            alter(
                site,
                |ask, _| ask.path == "/" && ask.fields == [("accept", "*/*".to_owned())],
                |answer| *answer = markdown.clone(),
            );
        },
        &["negotiation.browser"],
    ),
    Plant(
        "HTML for agents",
        |site| {
            let page = site.answer(&Ask::browser("/")).cloned().unwrap();
            alter(
                site,
                |ask, answer| ask.path == "/" && chosen(ask, answer),
                |answer| turn_into(answer, &page),
            );
        },
        &["negotiation.agent"],
    ),
    Plant(
        "406 for JSON",
        |site| {
            alter(
                site,
                |ask, _| {
                    ask.path == "/" && ask.fields == [("accept", "application/json".to_owned())]
                },
                |answer| answer.status = 406,
            )
        },
        &["negotiation.refused"],
    ),
    Plant(
        "HTML at .md for browsers",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::browser("/articles/first.md"),
                |answer| set(answer, "content-type", "text/html"),
            );
        },
        &["negotiation.markdown", "validators.head"],
    ),
    Plant(
        "another text at .html than at .md",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::agent("/articles/first.html"),
                |answer| append(answer, "x"),
            )
        },
        &["negotiation.bytes"],
    ),
    Plant(
        "no Content-Location",
        |site| alter(site, chosen, |answer| set(answer, "content-location", "")),
        &["negotiation.location"],
    ),
    Plant(
        "a cache hands Markdown to a browser",
        |site| {
            for walk in &mut site.walks {
                let markdown = walk
                    .steps
                    .iter()
                    .find(|(visitor, _)| *visitor == Visitor::Agent)
                    .unwrap()
                    .1
                    .clone();
                walk.steps
                    .iter_mut()
                    .skip(1)
                    .for_each(|(_, answer)| *answer = markdown.clone());
            }
        },
        &["caches.agent-first"],
    ),
    Plant(
        "a cache hands HTML to an agent",
        |site| {
            for walk in &mut site.walks {
                let page = walk
                    .steps
                    .iter()
                    .find(|(visitor, _)| *visitor == Visitor::Browser)
                    .unwrap()
                    .1
                    .clone();
                walk.steps
                    .iter_mut()
                    .skip(1)
                    .for_each(|(_, answer)| *answer = page.clone());
            }
        },
        &["caches.browser-first"],
    ),
    Plant(
        "public cache on Markdown at .html",
        |site| {
            alter(site, chosen, |answer| {
                set(answer, "cache-control", "public, max-age=300")
            })
        },
        &["caches.private"],
    ),
    Plant(
        "Markdown at .html from a CDN",
        |site| alter(site, chosen, |answer| set(answer, "age", "17")),
        &["caches.stored"],
    ),
    Plant(
        "an older page in a cache",
        |site| {
            for walk in site
                .walks
                .iter_mut()
                .filter(|walk| !walk.path.contains('?'))
            {
                for (visitor, answer) in &mut walk.steps {
                    if *visitor == Visitor::Browser {
                        set(answer, "etag", "W/\"older\"");
                        set(answer, "cache-status", "CDN; hit; ttl=31");
                    }
                }
            }
        },
        &["caches.stale"],
    ),
    Plant(
        "private pages",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                set(answer, "cache-control", "private")
            })
        },
        &["caches.public"],
    ),
    Plant(
        "a stored status",
        |site| {
            alter(site, at("/status.json"), |answer| {
                set(answer, "cache-control", "public, max-age=600")
            })
        },
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
        "Markdown as plain text",
        |site| {
            alter(
                site,
                |ask, answer| {
                    at("/terms.md")(ask, answer)
                        || (ask.method == "HEAD" && ask.path == "/terms.md")
                },
                |answer| set(answer, "content-type", "text/plain; charset=utf-8"),
            );
        },
        &["resources.type"],
    ),
    Plant(
        "a cut body",
        |site| {
            alter(site, at("/openapi.json"), |answer| {
                answer.trouble = Some("it ends early".into())
            })
        },
        &["resources.text"],
    ),
    Plant(
        "another home page at /index.html",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::browser("/index.html"),
                |answer| append(answer, "<p>old</p>"),
            );
        },
        &["resources.home"],
    ),
    Plant(
        "a query that matters",
        |site| {
            alter(
                site,
                |ask, _| ask.path.contains("utm_source"),
                |answer| answer.status = 403,
            )
        },
        &["resources.query"],
    ),
    Plant(
        "nothing at the origin's root",
        |site| {
            let gone = absent(site);
            alter(site, |ask, _| ask.origin, |answer| *answer = gone.clone());
        },
        &["resources.origin"],
    ),
    Plant(
        "a cookie",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                set(answer, "set-cookie", "id=1")
            })
        },
        &["resources.open"],
    ),
    Plant(
        "two types",
        |site| {
            alter(site, at("/llms-full.txt"), |answer| {
                answer
                    .fields
                    .push(("content-type".to_owned(), "text/html".to_owned()))
            })
        },
        &["resources.single"],
    ),
    Plant(
        "no charset",
        |site| {
            alter(site, at("/sitemap.md"), |answer| {
                set(answer, "content-type", "text/markdown")
            })
        },
        &["resources.charset"],
    ),
    Plant(
        "406 at .md",
        |site| {
            alter(
                site,
                |ask, _| at_twin(ask) && accepts(ask, OTHER[0]),
                |answer| answer.status = 406,
            )
        },
        &["negotiation.markdown"],
    ),
    Plant(
        "no charset",
        |site| {
            alter(site, at("/sitemap.md"), |answer| {
                set(answer, "content-type", "text/markdown")
            })
        },
        &["resources.charset"],
    ),
    Plant(
        "406 at a document",
        |site| {
            alter(
                site,
                |ask, _| ask.path == "/rss.xml" && accepts(ask, OTHER[0]),
                |answer| answer.status = 406,
            )
        },
        &["negotiation.documents"],
    ),
    Plant(
        "no Markdown at .html at all",
        |site| {
            let pages: Vec<(String, Answer)> = site
                .stems()
                .map(|stem| (html_path(stem), site.html(stem).cloned().unwrap()))
                .collect();
            for (path, whole) in pages {
                alter(
                    site,
                    |ask, answer| ask.path == path && answer.media() == "text/markdown",
                    |answer| turn_into(answer, &whole),
                );
            }
            let index = site.answer(&Ask::browser("/index.html")).cloned().unwrap();
            alter(
                site,
                |ask, answer| ask.path == "/index.html" && answer.media() == "text/markdown",
                |answer| turn_into(answer, &index),
            );
        },
        &["negotiation.there"],
    ),
    Plant(
        "500 for agents",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::agent("/terms.html"),
                |answer| {
                    answer.status = 503;
                    set(answer, "cache-control", "no-store");
                },
            )
        },
        &["negotiation.failing", "sitemaps.answers"],
    ),
    Plant(
        "another page for programs",
        |site| {
            alter(
                site,
                |ask, _| {
                    ask.path == "/"
                        && ask.fields.last().is_some_and(|(name, value)| {
                            *name == "user-agent" && value.starts_with("curl")
                        })
                },
                |answer| answer.body = b"<p>Please use a browser.</p>".to_vec(),
            );
        },
        &["negotiation.user-agent"],
    ),
    Plant(
        "no Vary on 304",
        |site| {
            alter(
                site,
                |ask, answer| negotiated(&ask.path) && answer.status == 304,
                |answer| set(answer, "vary", ""),
            )
        },
        &["negotiation.vary-304", "validators.repeats"],
    ),
    Plant(
        "no Vary on 404",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 404,
                |answer| set(answer, "vary", "Accept-Encoding"),
            )
        },
        &["negotiation.vary-304"],
    ),
    Plant(
        "immutable lost",
        |site| {
            alter(site, hashed, |answer| {
                set(answer, "cache-control", "public, max-age=300")
            })
        },
        &["caches.immutable"],
    ),
    Plant(
        "a style sheet is missing",
        |site| alter(site, hashed, |answer| answer.status = 404),
        &["resources.assets"],
    ),
    Plant(
        "no Cache-Control anywhere",
        |site| alter(site, |_, _| true, |answer| set(answer, "cache-control", "")),
        &["caches.there"],
    ),
    Plant(
        "a 405 that is kept",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 405,
                |answer| set(answer, "cache-control", "max-age=60"),
            )
        },
        &["caches.refusals"],
    ),
    Plant(
        "a redirect for ever",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 308,
                |answer| set(answer, "cache-control", ""),
            )
        },
        &["caches.redirects"],
    ),
    Plant(
        "a page is gone",
        |site| {
            alter(
                site,
                |ask, _| *ask == Ask::browser("/terms.html"),
                |answer| answer.status = 404,
            )
        },
        &["resources.there", "signals.terms", "sitemaps.answers"],
    ),
    Plant(
        "a site that lives elsewhere",
        |site| site.address.asked = "https://staging.example/blog".into(),
        &["resources.address"],
    ),
];
