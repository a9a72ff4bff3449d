//! Defective pages and twins.

use super::*;

pub(super) const PLANTS: &[Plant] = &[
    Plant(
        "two h1",
        |site| {
            alter(site, html, |answer| {
                replace(answer, "</article>", "<h1>More</h1></article>")
            })
        },
        &["pages.one", "parity.headings"],
    ),
    Plant(
        "a page without its direction",
        |site| alter(site, html, |answer| replace(answer, " dir=\"ltr\"", "")),
        &["pages.direction"],
    ),
    Plant(
        "a page without its language",
        |site| alter(site, html, |answer| replace(answer, " lang=\"en\"", "")),
        &["pages.language", "twins.agree"],
    ),
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
        &["pages.canonical"],
    ),
    Plant(
        "no visible link to llms.txt",
        |site| {
            alter(site, html, |answer| {
                replace(
                    answer,
                    "href=\"/blog/llms.txt\"",
                    "href=\"/blog/terms.html\"",
                )
            })
        },
        &["pages.visible"],
    ),
    Plant(
        "an injected script",
        |site| {
            alter(site, html, |answer| {
                replace(answer, "</body>", "<script>spy()</script></body>")
            })
        },
        &["pages.scripts"],
    ),
    Plant(
        "a comment in a page",
        |site| {
            alter(site, html, |answer| {
                replace(answer, "</body>", "<!-- for me alone --></body>")
            })
        },
        &["pages.clean"],
    ),
    Plant(
        "broken JSON-LD",
        |site| {
            alter(site, html, |answer| {
                replace(
                    answer,
                    "application/ld+json\">{",
                    "application/ld+json\">{{",
                )
            })
        },
        &["pages.data"],
    ),
    Plant(
        "a twin without its last change",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "last_updated:", "updated:")
            })
        },
        &["api.changes", "twins.front"],
    ),
    Plant(
        "a twin with another canonical address",
        |site| {
            alter(site, twin, |answer| {
                replace(
                    answer,
                    "canonical_url: \"https://example.org/blog",
                    "canonical_url: \"http://localhost",
                )
            });
        },
        &["api.changes", "twins.agree"],
    ),
    Plant(
        "a twin with two H1",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "\n## Sitemap", "\n# More\n\n## Sitemap")
            })
        },
        &["api.changes", "twins.title", "parity.headings"],
    ),
    Plant(
        "a relative link in a twin",
        |site| {
            alter(site, twin, |answer| {
                replace(
                    answer,
                    "(https://example.org/blog/pictures/a.png)",
                    "(../pictures/a.png)",
                )
            })
        },
        &["api.changes", "twins.absolute"],
    ),
    Plant(
        "a link to HTML in a twin",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "/articles/second.md", "/articles/second.html")
            })
        },
        &["api.changes", "twins.markdown"],
    ),
    Plant(
        "a twin without its tail",
        |site| {
            alter(site, twin, |answer| {
                let text = answer.text();
                answer.body = text
                    .split("\n## Sitemap")
                    .next()
                    .unwrap()
                    .as_bytes()
                    .to_vec();
            });
        },
        &["api.changes", "twins.tail"],
    ),
    Plant(
        "a comment in a twin",
        |site| {
            alter(site, twin, |answer| {
                replace(
                    answer,
                    "\n## Sitemap",
                    "\n<!-- for me alone -->\n\n## Sitemap",
                )
            })
        },
        &["api.changes", "twins.clean"],
    ),
    Plant(
        "a template tag in a twin",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "first paragraph", "first {{ paragraph }} paragraph")
            })
        },
        &["api.changes", "twins.clean"],
    ),
    Plant(
        "an unclosed fence",
        |site| alter(site, twin, |answer| append(answer, "\n```\nopen\n")),
        &["api.changes", "twins.fences"],
    ),
    Plant(
        "a heading that the twin lacks",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "## A part\n", "A part\n")
            })
        },
        &["api.changes", "parity.headings"],
    ),
    Plant(
        "a link that the page lacks",
        |site| {
            alter(site, html, |answer| {
                replace(answer, "href=\"https://other.example/page\"", "title=\"x\"")
            })
        },
        &["parity.links"],
    ),
    Plant(
        "a picture that the page lacks",
        |site| {
            alter(site, html, |answer| {
                replace(
                    answer,
                    "<img src=\"/blog/pictures/a.png\"",
                    "<b title=\"x\"",
                )
            })
        },
        &["parity.images"],
    ),
    Plant(
        "other code in the twin",
        |site| {
            alter(site, twin, |answer| {
                replace(answer, "fn main()", "fn other()")
            })
        },
        &["api.changes", "parity.code"],
    ),
    Plant(
        "a page that was emptied",
        |site| {
            alter(
                site,
                |ask, answer| ask.path == "/articles/second.html" && page(ask, answer),
                |answer| {
                    replace(
                        answer,
                        "<p>The second article says less than the first one does.</p>",
                        "<p>Subscribe to read more.</p>",
                    );
                },
            );
        },
        &["parity.words"],
    ),
    Plant(
        "a twin with another title",
        |site| {
            alter(site, twin, |answer| {
                replace(
                    answer,
                    "title: \"First article\"",
                    "title: \"Another article\"",
                )
            })
        },
        &["api.changes", "parity.title", "feed.agrees"],
    ),
    Plant(
        "a page without Open Graph",
        |site| {
            alter(site, html, |answer| {
                replace(answer, "property=\"og:title\"", "property=\"title\"")
            })
        },
        &["pages.preview"],
    ),
    Plant(
        "a page without its feed",
        |site| {
            alter(site, html, |answer| {
                replace(answer, "type=\"application/rss+xml\"", "")
            })
        },
        &["pages.links"],
    ),
    Plant(
        "a twin without front matter",
        |site| {
            alter(site, twin, |answer| {
                if !answer.body.is_empty() {
                    let text = answer.text();
                    answer.body = text
                        .splitn(3, "---\n")
                        .nth(2)
                        .unwrap()
                        .trim_start()
                        .as_bytes()
                        .to_vec();
                }
            });
        },
        &["api.changes", "twins.front", "twins.agree"],
    ),
];
