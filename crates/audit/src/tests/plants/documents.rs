//! Documents that are missing, wrong, or contradictory.

use super::*;

pub(super) const PLANTS: &[Plant] = &[
    Plant(
        "a page is missing",
        |site| {
            let gone = absent(site);
            alter(site, at("/sitemap.md"), |answer| turn_into(answer, &gone));
        },
        &["api.openapi", "llms.answers", "sitemaps.markdown"],
    ),
    Plant(
        "robots.txt shuts crawlers out",
        |site| {
            alter(site, at("/robots.txt"), |answer| {
                replace(answer, "Allow: /", "Disallow: /")
            })
        },
        &["signals.robots"],
    ),
    Plant(
        "a group without a signal",
        |site| {
            alter(site, at("/robots.txt"), |answer| {
                append(answer, "\nUser-agent: OneBot\nDisallow:\n")
            })
        },
        &["signals.groups"],
    ),
    Plant(
        "another Content-Signal on a page",
        |site| {
            alter(site, at("/terms.html"), |answer| {
                set(
                    answer,
                    "content-signal",
                    "search=yes, ai-input=yes, ai-train=yes",
                )
            });
        },
        &["signals.agree"],
    ),
    Plant(
        "no Content-Usage",
        |site| {
            alter(site, at("/articles/first.md"), |answer| {
                set(answer, "content-usage", "")
            })
        },
        &["signals.usage"],
    ),
    Plant(
        "terms that say something else",
        |site| {
            alter(
                site,
                |ask, answer| {
                    ask.path.starts_with("/terms.")
                        && answer.media() == "text/html"
                        && answer.status == 200
                },
                |answer| replace(answer, "ai-train=no", "ai-train=yes"),
            );
        },
        &["signals.terms", "parity.code"],
    ),
    Plant(
        "a relative link in the catalog",
        |site| {
            alter(site, at("/.well-known/api-catalog"), |answer| {
                replace(
                    answer,
                    "\"https://example.org/blog/openapi.json\"",
                    "\"openapi.json\"",
                )
            });
        },
        &["api.catalog"],
    ),
    Plant(
        "another server in the API description",
        |site| {
            alter(site, at("/openapi.json"), |answer| {
                replace(
                    answer,
                    "\"url\": \"https://example.org/blog\"",
                    "\"url\": \"http://localhost:8080\"",
                )
            });
        },
        &["api.openapi"],
    ),
    Plant(
        "status.json without its edition",
        |site| {
            alter(site, at("/status.json"), |answer| {
                replace(answer, "releaseId", "release")
            })
        },
        &["api.status"],
    ),
    Plant(
        "an older list of changes",
        |site| {
            alter(site, at("/changes.json"), |answer| {
                replace(answer, "\"listing\":\"", "\"listing\":\"0")
            })
        },
        &["api.changes"],
    ),
    Plant(
        "a page changed without the list of pages",
        |site| {
            alter(site, at("/changes/all.json"), |answer| {
                replace(answer, "\"digest\":\"", "\"digest\":\"f")
            })
        },
        &["api.changes"],
    ),
    Plant(
        "a home page for an unknown edition",
        |site| {
            let home = site.get("/").cloned().unwrap();
            alter(
                site,
                |ask, _| ask.path == "/changes/00000000000000000000000000000000.json",
                |answer| *answer = home.clone(),
            );
        },
        &["api.changes", "negotiation.coding-only"],
    ),
    Plant(
        "no Link",
        |site| {
            alter(site, at("/articles/second.html"), |answer| {
                set(answer, "link", "")
            })
        },
        &["api.links"],
    ),
    Plant(
        "ISO date in pubDate",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(
                    answer,
                    "<pubDate>Sat, 01 Jun 2024 00:00:00 +0000",
                    "<pubDate>2024-06-01T00:00:00Z",
                )
            });
        },
        &["feed.dates"],
    ),
    Plant(
        "the oldest first",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(
                    answer,
                    "Sun, 01 Jan 2023 00:00:00",
                    "Sat, 29 Jun 2024 00:00:00",
                )
            });
        },
        &["feed.agrees", "feed.order"],
    ),
    Plant(
        "a relative link in the feed",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(
                    answer,
                    "https://example.org/blog/pictures/a.png",
                    "/blog/pictures/a.png",
                )
            });
        },
        &["feed.absolute"],
    ),
    Plant(
        "one guid twice",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                let guid = |name: &str| {
                    format!(
                        "<guid isPermaLink=\"true\">https://example.org/blog/articles/{name}.html</guid>"
                    )
                };
                ["first", "second"].into_iter().for_each(|name| {
                    replace(answer, &guid(name), "<guid isPermaLink=\"false\">x</guid>")
                });
            });
        },
        &["feed.items"],
    ),
    Plant(
        "a feed that says it is elsewhere",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(
                    answer,
                    "href=\"https://example.org/blog/rss.xml\"",
                    "href=\"http://localhost/rss.xml\"",
                )
            });
        },
        &["feed.own"],
    ),
    Plant(
        "a feed that is not well-formed",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(answer, "</channel>", "")
            })
        },
        &["feed.form"],
    ),
    Plant(
        "a draft in the feed",
        |site| {
            let gone = absent_head(site);
            site.answers
                .insert(Ask::get("/articles/soon.html").by("HEAD"), gone);
            let link = "/articles/second.html</link>";
            alter(site, at("/rss.xml"), |answer| {
                replace(answer, link, "/articles/soon.html</link>");
                replace(
                    answer,
                    "/articles/second.html</guid>",
                    "/articles/soon.html</guid>",
                );
            });
        },
        &["feed.agrees", "feed.answers"],
    ),
    Plant(
        "a draft in the sitemap",
        |site| {
            let gone = absent_head(site);
            site.answers
                .insert(Ask::get("/articles/soon.html").by("HEAD"), gone);
            let row = "<url><loc>https://example.org/blog/articles/soon.html</loc><lastmod>2024-05-20</lastmod></url></urlset>";
            alter(site, at("/sitemap.xml"), |answer| {
                replace(answer, "</urlset>", row)
            });
        },
        &["sitemaps.answers", "sitemaps.markdown", "llms.agrees"],
    ),
    Plant(
        "a sitemap for another address",
        |site| {
            alter(site, at("/sitemap.xml"), |answer| {
                replace(
                    answer,
                    "<loc>https://example.org/blog/about.html",
                    "<loc>http://localhost:8080/about.html",
                )
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
                    .map(|(at, part)| {
                        if at == 0 {
                            part.to_owned()
                        } else {
                            format!("2024-07-01{}", &part[part.find('<').unwrap()..])
                        }
                    })
                    .collect();
                answer.body = parts.join("<lastmod>").into_bytes();
            });
        },
        &["sitemaps.agree", "sitemaps.days"],
    ),
    Plant(
        "a broken sitemap",
        |site| {
            alter(site, at("/sitemap.xml"), |answer| {
                replace(answer, "</urlset>", "")
            })
        },
        &["sitemaps.form"],
    ),
    Plant(
        "a page that sitemap.md does not list",
        |site| {
            alter(site, at("/sitemap.md"), |answer| {
                replace(answer, "/about.", "/about-us.")
            });
        },
        &["sitemaps.markdown"],
    ),
    Plant(
        "llms.txt without its blockquote",
        |site| {
            alter(site, at("/llms.txt"), |answer| {
                replace(answer, "\n> ", "\n")
            })
        },
        &["llms.form", "resources.query"],
    ),
    Plant(
        "llms.txt that is too long",
        |site| {
            alter(
                site,
                |ask, answer| {
                    ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET"
                },
                |answer| {
                    append(
                        answer,
                        &"- [x](https://other.example/): words\n".repeat(2000),
                    )
                },
            );
        },
        &["llms.size"],
    ),
    Plant(
        "a relative link in llms.txt",
        |site| {
            let all = |ask: &Ask, answer: &Answer| {
                ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET"
            };
            alter(site, all, |answer| {
                replace(
                    answer,
                    "(https://example.org/blog/about.md)",
                    "(/blog/about.md)",
                )
            });
        },
        &["llms.absolute"],
    ),
    Plant(
        "llms.txt names what is gone",
        |site| {
            let gone = absent_head(site);
            site.answers.insert(Ask::get("/gone.md").by("HEAD"), gone);
            let all = |ask: &Ask, answer: &Answer| {
                ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET"
            };
            alter(site, all, |answer| {
                append(
                    answer,
                    "- [Gone](https://example.org/blog/gone.md): words\n",
                )
            });
        },
        &["llms.answers"],
    ),
    Plant(
        "an article that llms.txt does not list",
        |site| {
            let all = |ask: &Ask, answer: &Answer| {
                ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET"
            };
            alter(site, all, |answer| {
                replace(answer, "/articles/second.md", "/about.md")
            });
        },
        &["llms.agrees"],
    ),
    Plant(
        "llms-full.txt without an article",
        |site| {
            alter(site, at("/llms-full.txt"), |answer| {
                replace(answer, "articles/second.html", "articles/other.html")
            });
        },
        &["llms.full"],
    ),
    Plant(
        "a sitemap with another day",
        |site| {
            alter(site, at("/sitemap.xml"), |answer| {
                if !answer.body.is_empty() {
                    let text = answer.text();
                    let at = text.find("/articles/first.html</loc>").unwrap();
                    let day = at + text[at..].find("<lastmod>").unwrap() + "<lastmod>".len();
                    answer.body =
                        format!("{}2024-01-01{}", &text[..day], &text[day + 10..]).into_bytes();
                }
            });
        },
        &["sitemaps.agree"],
    ),
    Plant(
        "a twin with another date",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "date: \"2024-05-01", "date: \"2024-05-02")
            })
        },
        &["api.changes", "feed.agrees", "twins.agree"],
    ),
    Plant(
        "no signals anywhere",
        |site| {
            alter(site, at("/robots.txt"), |answer| {
                if !answer.body.is_empty() {
                    answer.body = b"User-agent: *\nAllow: /\n\nSitemap: https://example.org/blog/sitemap.xml\n".to_vec();
                }
            });
            alter(
                site,
                |_, _| true,
                |answer| {
                    ["content-signal", "content-usage"]
                        .into_iter()
                        .for_each(|name| set(answer, name, ""))
                },
            );
        },
        &["signals.there"],
    ),
    Plant(
        "no robots.txt",
        |site| remove(site, |ask| ask.path == "/robots.txt"),
        &["signals.robots", "signals.groups", "api.openapi"],
    ),
    Plant(
        "a page without Content-Signal",
        |site| {
            alter(site, at("/terms.md"), |answer| {
                set(answer, "content-signal", "")
            })
        },
        &["signals.field"],
    ),
    Plant(
        "no rights on 304",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 304,
                |answer| set(answer, "content-usage", ""),
            )
        },
        &["signals.not-modified"],
    ),
    Plant(
        "no rights on 404",
        |site| {
            alter(
                site,
                |_, answer| answer.status == 404,
                |answer| set(answer, "content-signal", ""),
            )
        },
        &["signals.errors"],
    ),
    Plant(
        "noindex on a page",
        |site| {
            alter(site, at("/articles/first.html"), |answer| {
                set(answer, "x-robots-tag", "noindex")
            })
        },
        &["signals.noindex"],
    ),
    Plant(
        "noindex in a page",
        |site| {
            alter(site, html, |answer| {
                replace(
                    answer,
                    "</head>",
                    "<meta name=\"robots\" content=\"noindex, nofollow\"></head>",
                )
            })
        },
        &["signals.noindex"],
    ),
    Plant(
        "no feed",
        |site| remove(site, |ask| ask.path == "/rss.xml"),
        &["feed.there", "api.openapi"],
    ),
    Plant(
        "another title in the feed",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(
                    answer,
                    "<title>Second article</title>",
                    "<title>Second thoughts</title>",
                )
            })
        },
        &["feed.agrees"],
    ),
    Plant(
        "another date in the feed",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                replace(
                    answer,
                    "Sat, 01 Jun 2024 00:00:00",
                    "Tue, 04 Jun 2024 00:00:00",
                )
            })
        },
        &["feed.agrees"],
    ),
    Plant(
        "the feed lacks the newest article",
        |site| {
            alter(site, at("/rss.xml"), |answer| {
                if !answer.body.is_empty() {
                    let text = answer.text();
                    let (start, end) = (
                        text.find("<item>").unwrap(),
                        text.find("</item>").unwrap() + "</item>".len(),
                    );
                    answer.body = [&text[..start], &text[end..]].concat().into_bytes();
                }
            });
        },
        &["feed.agrees"],
    ),
    Plant(
        "the feed has what the list does not know",
        |site| {
            let link = "/articles/second.html</link>";
            alter(site, at("/rss.xml"), |answer| {
                replace(answer, link, "/articles/other.html</link>");
                replace(
                    answer,
                    "/articles/second.html</guid>",
                    "/articles/other.html</guid>",
                );
            });
        },
        &["feed.agrees"],
    ),
    Plant(
        "no sitemap",
        |site| remove(site, |ask| ask.path == "/sitemap.xml"),
        &["sitemaps.there", "api.openapi"],
    ),
    Plant(
        "a date in the future in the sitemap",
        |site| {
            alter(site, at("/sitemap.xml"), |answer| {
                replace(answer, "<lastmod>2024", "<lastmod>2098")
            })
        },
        &["sitemaps.agree", "sitemaps.dates"],
    ),
    Plant(
        "the sitemap names a redirect",
        |site| {
            let mut moved = absent_head(site);
            moved.status = 301;
            set(&mut moved, "location", "/blog/about.html");
            set(&mut moved, "cache-control", "public, max-age=300");
            site.answers
                .insert(Ask::get("/about.html").by("HEAD"), moved);
        },
        &["sitemaps.answers"],
    ),
    Plant(
        "no llms.txt",
        |site| remove(site, |ask| ask.path.starts_with("/llms.txt")),
        &["llms.there", "api.openapi"],
    ),
    Plant(
        "llms.txt names what the sitemap does not",
        |site| {
            let all = |ask: &Ask, answer: &Answer| {
                ask.path.starts_with("/llms.txt") && answer.status == 200 && ask.method == "GET"
            };
            alter(site, all, |answer| {
                append(
                    answer,
                    "- [Soon](https://example.org/blog/articles/soon.md): words\n",
                )
            });
        },
        &["llms.known"],
    ),
    Plant(
        "nothing for programs",
        |site| {
            remove(site, |ask| {
                ask.path.ends_with(".json") || ask.path.ends_with("api-catalog")
            })
        },
        &["api.there", "llms.answers"],
    ),
    Plant(
        "a status that warns",
        |site| {
            alter(site, at("/status.json"), |answer| {
                replace(answer, "\"pass\"", "\"warn\"")
            })
        },
        &["api.warn"],
    ),
    Plant(
        "no twins",
        |site| remove(site, |ask| ask.path.ends_with(".md")),
        &[
            "api.catalog",
            "api.openapi",
            "llms.answers",
            "parity.there",
            "signals.terms",
            "sitemaps.answers",
            "sitemaps.markdown",
            "twins.there",
        ],
    ),
    Plant(
        "one twin is missing",
        |site| remove(site, |ask| ask.path == "/api.md"),
        &[
            "api.catalog",
            "api.openapi",
            "llms.answers",
            "sitemaps.answers",
            "sitemaps.markdown",
            "twins.every",
        ],
    ),
];
