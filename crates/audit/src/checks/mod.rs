//! The checks, one file for each group. A check is a pure function of the evidence; it sends no
//! requests.

mod agreement;
mod api;
mod caches;
mod codings;
mod errors;
mod feed;
mod llms;
mod maps;
mod negotiation;
mod pages;
mod parity;
mod ranges;
mod resources;
mod security;
mod signals;
mod twins;
mod validators;

use super::evidence::Evidence;
use super::fix::Fix;
use super::severity::Severity;
use super::verdict::Verdict;

/// One thing that must hold.
#[derive(Clone, Copy)]
pub struct Check {
    /// The group, a dot, one word.
    pub id: &'static str,
    /// How bad it is when it does not hold.
    pub severity: Severity,
    /// What must hold, as a sentence.
    pub what: &'static str,
    /// Who is affected when it does not hold.
    pub why: &'static str,
    /// What has to change.
    pub fix: Fix,
    /// How, in one sentence.
    pub advice: &'static str,
    /// Judges the evidence.
    pub judge: fn(&Evidence, &mut Verdict),
}

/// Checks that belong together.
#[derive(Clone, Copy)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// Its share of 100 points.
    pub weight: u32,
    /// What it covers, for the documentation.
    pub asks: &'static str,
    /// Why it has this weight.
    pub because: &'static str,
    /// What a site lacks without it: `no feed`.
    pub lack: &'static str,
    /// How many of the first checks test whether the group is present at all: if one of them fails,
    /// the group earns nothing.
    pub gates: usize,
    /// Its checks, in order.
    pub checks: &'static [Check],
}

/// All checks, in the order of the card. The weights add up to 100.
pub const GROUPS: &[Group] = &[
    Group {
        name: "resources",
        weight: 6,
        asks: "every page answers, whole, with its media type, without cookies, at the address that the site declares",
        because: "any web server does most of this by itself",
        lack: "no readable pages",
        gates: 0,
        checks: resources::CHECKS,
    },
    Group {
        name: "pages",
        weight: 7,
        asks: "the HTML has one `main` and one `h1`, a language, a canonical address, and links to the other forms",
        because: "people, search engines and extractors read this form",
        lack: "no well-formed pages",
        gates: 0,
        checks: pages::CHECKS,
    },
    Group {
        name: "twins",
        weight: 9,
        asks: "every page has a Markdown form at `.md`: front matter, one H1, absolute links, nothing of the author's that is not text",
        because: "the second form is half of what the site is for",
        lack: "no Markdown form at `.md`",
        gates: 1,
        checks: twins::CHECKS,
    },
    Group {
        name: "parity",
        weight: 4,
        asks: "headings, links, pictures, code and words of both forms agree",
        because: "it is about details of two forms that are there already",
        lack: "no second form to compare",
        gates: 1,
        checks: parity::CHECKS,
    },
    Group {
        name: "negotiation",
        weight: 9,
        asks: "`Accept` chooses the form at `.html`: Markdown for whoever names it, HTML for everybody else",
        because: "agents that know only the address of a page depend on it",
        lack: "no choice of the form by `Accept`",
        gates: 1,
        checks: negotiation::CHECKS,
    },
    Group {
        name: "caches",
        weight: 7,
        asks: "every kind of answer says how long it may be kept, and no cache mixes up the two forms",
        because: "a mistake here reaches every reader behind the cache",
        lack: "no `Cache-Control`",
        gates: 1,
        checks: caches::CHECKS,
    },
    Group {
        name: "validators",
        weight: 5,
        asks: "tags and dates with which a client asks again for what it has; HEAD is as GET",
        because: "most web servers have some; wrong ones spoil caches",
        lack: "no `ETag` and no `Last-Modified`",
        gates: 1,
        checks: validators::CHECKS,
    },
    Group {
        name: "ranges",
        weight: 2,
        asks: "a byte range is exact, and refused when the content has changed",
        because: "few clients ask for parts of texts",
        lack: "no byte ranges",
        gates: 1,
        checks: ranges::CHECKS,
    },
    Group {
        name: "codings",
        weight: 4,
        asks: "texts are compressed for those who ask for it, for nobody else, and every coding decodes to the same bytes",
        because: "it saves time and money, and a site works without it",
        lack: "no compression",
        gates: 1,
        checks: codings::CHECKS,
    },
    Group {
        name: "feed",
        weight: 9,
        asks: "`/rss.xml` is RSS 2.0 with the newest articles of the list, their titles and dates",
        because: "it is how people and programs follow the site",
        lack: "no feed",
        gates: 2,
        checks: feed::CHECKS,
    },
    Group {
        name: "sitemaps",
        weight: 8,
        asks: "`/sitemap.xml` and `/sitemap.md` name every page with its last change, and all of them answer",
        because: "crawlers find and revisit pages by them",
        lack: "no sitemap",
        gates: 2,
        checks: maps::CHECKS,
    },
    Group {
        name: "llms",
        weight: 8,
        asks: "`/llms.txt` indexes the articles in the form of llmstxt.org, `/llms-full.txt` holds them all",
        because: "it is where an agent starts",
        lack: "no llms.txt",
        gates: 1,
        checks: llms::CHECKS,
    },
    Group {
        name: "signals",
        weight: 6,
        asks: "robots.txt, `Content-Signal`, `Content-Usage` and the terms page say the same about the use of the content",
        because: "it is the author's statement of rights, and one that contradicts itself is worth little",
        lack: "no statement of how the content may be used",
        gates: 1,
        checks: signals::CHECKS,
    },
    Group {
        name: "api",
        weight: 5,
        asks: "the API catalog, the API description, the status document and `Link` describe the site to programs",
        because: "fewer clients use it than feeds and sitemaps",
        lack: "no API description",
        gates: 1,
        checks: api::CHECKS,
    },
    Group {
        name: "errors",
        weight: 5,
        asks: "what is missing, malformed or not allowed gets the right status, in the form asked for, with nothing unescaped",
        because: "readers meet errors rarely; unescaped text is judged as harm",
        lack: "no proper errors",
        gates: 0,
        checks: errors::CHECKS,
    },
    Group {
        name: "security",
        weight: 6,
        asks: "header fields that protect readers, and those that open the content to programs, on every kind of answer",
        because: "they limit what any other mistake can do",
        lack: "no protective header fields",
        gates: 0,
        checks: security::CHECKS,
    },
];

/// The table of groups, for the documentation.
pub fn groups_markdown() -> String {
    let row = |group: &Group| {
        let Group {
            name,
            weight,
            asks,
            because,
            gates,
            checks,
            ..
        } = group;
        let gates: Vec<String> = checks[..*gates]
            .iter()
            .map(|check| format!("`{}`", check.id))
            .collect();
        let gates = if gates.is_empty() {
            "–".to_owned()
        } else {
            gates.join(", ")
        };
        format!("| `{name}` | {weight} | {asks} | {because} | {gates} |\n")
    };
    let rows: String = GROUPS.iter().map(row).collect();
    format!(
        "| Group | Weight | It asks whether | Why this weight | Missing if this fails |\n|---|---|---|---|---|\n{rows}"
    )
}

/// The table of checks, for the documentation.
pub fn checks_markdown() -> String {
    let checks = GROUPS.iter().flat_map(|group| group.checks);
    let rows: String = checks
        .map(|check| {
            format!(
                "| `{}` | {} | {} |\n",
                check.id,
                check.severity.name(),
                check.what
            )
        })
        .collect();
    format!("| Check | Severity | What must hold |\n|---|---|---|\n{rows}")
}

/// A field's value for a message: `none` if it is empty.
fn or_none(value: &str) -> &str {
    if value.is_empty() { "none" } else { value }
}

/// The first members of a list, for a message.
fn some<T: AsRef<str>>(items: &[T]) -> String {
    let mut text = items
        .iter()
        .take(3)
        .map(AsRef::as_ref)
        .collect::<Vec<_>>()
        .join(", ");
    if items.len() > 3 {
        text.push_str(&format!(" and {} more", items.len() - 3));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_check_has_one_name_and_says_what_to_do() {
        let mut seen = BTreeSet::new();
        for group in GROUPS {
            assert!(
                group.gates <= group.checks.len() && !group.checks.is_empty(),
                "{}",
                group.name
            );
            for check in group.checks {
                assert!(seen.insert(check.id), "{} twice", check.id);
                assert!(
                    check.id.starts_with(&format!("{}.", group.name)),
                    "{} in {}",
                    check.id,
                    group.name
                );
                for text in [check.what, check.why, check.advice] {
                    assert!(
                        !text.is_empty() && !text.ends_with('.') && !text.contains(['\n', '|']),
                        "{}: {text}",
                        check.id
                    );
                }
            }
        }
    }

    #[test]
    fn the_weights_add_up_to_a_hundred() {
        assert_eq!(GROUPS.iter().map(|group| group.weight).sum::<u32>(), 100);
    }
}
