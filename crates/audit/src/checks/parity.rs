//! Both forms have the same content: the content library reads each, and their outlines are
//! compared.

use std::collections::BTreeSet;

use diglot_content::document::Outline;

use super::Check;
use crate::evidence::{Evidence, Pair, bare};
use crate::fix::Fix::{Host, Twins};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "parity.there",
        severity: Missing,
        what: "some text exists in both forms",
        why: "nothing can agree with what is absent",
        fix: Host("`.md` addresses"),
        advice: "publish both forms from one build",
        judge: there,
    },
    Check {
        id: "parity.title",
        severity: Broken,
        what: "both forms have the same title",
        why: "who cites one form cites another text than the other form's readers know",
        fix: Twins,
        advice: "publish both forms from one build",
        judge: title,
    },
    Check {
        id: "parity.headings",
        severity: Broken,
        what: "both forms have the same headings in the same order",
        why: "a link to a part must find it in either form",
        fix: Twins,
        advice: "publish both forms from one build; keep headings out of your theme's article",
        judge: headings,
    },
    Check {
        id: "parity.links",
        severity: Broken,
        what: "the text of both forms links the same places",
        why: "an agent must be able to follow what a person can",
        fix: Twins,
        advice: "publish both forms from one build",
        judge: links,
    },
    Check {
        id: "parity.images",
        severity: Broken,
        what: "both forms show the same pictures",
        why: "a picture that one form does not name does not exist for its readers",
        fix: Twins,
        advice: "publish both forms from one build",
        judge: images,
    },
    Check {
        id: "parity.code",
        severity: Broken,
        what: "both forms have the same code blocks",
        why: "code is what people and agents copy",
        fix: Twins,
        advice: "publish both forms from one build; switch off what rewrites pages on the way",
        judge: code,
    },
    Check {
        id: "parity.words",
        severity: Broken,
        what: "both forms have the same words",
        why: "readers of one form do not know what it leaves out",
        fix: Twins,
        advice: "publish both forms from one build; look for what a CDN adds or removes",
        judge: words,
    },
];

/// How many percent of the words of one form the other must have.
const WORDS: usize = 95;

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    verdict.expect(
        !evidence.pairs().is_empty(),
        evidence.url("/"),
        "a text at `.html` and at `.md`",
        "none in both forms",
    );
}

fn title(evidence: &Evidence, verdict: &mut Verdict) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for form in evidence
        .html_forms()
        .iter()
        .filter(|form| evidence.articles.contains(&form.stem))
    {
        let Some(twin) = evidence
            .markdown_forms()
            .iter()
            .find(|twin| twin.stem == form.stem)
        else {
            continue;
        };
        let (html, markdown) = (plain(&form.read.heading), plain(twin.read.text("title")));
        if !html.is_empty() && !markdown.is_empty() {
            verdict.expect(
                html == markdown,
                &form.url,
                format!("the title `{markdown}` of the Markdown form"),
                html,
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn headings(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair {
        url,
        html,
        markdown,
        ..
    } in evidence.pairs()
    {
        let (html, markdown) = (texts(&html.outline), texts(&markdown.outline));
        verdict.expect(
            html == markdown,
            url,
            "the same headings",
            difference(&html, &markdown),
        );
    }
}

fn texts(outline: &Outline) -> Vec<String> {
    outline
        .headings
        .iter()
        .map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

fn links(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair {
        url,
        anchors,
        html,
        markdown,
    } in evidence.pairs()
    {
        let (html, markdown) = (keys(&html.outline.links), keys(&markdown.outline.links));
        // The page may have more links around the text (tags, other forms); every link of the twin
        // must be on the page.
        let missing: Vec<&String> = markdown
            .iter()
            .filter(|link| !anchors.contains(*link))
            .collect();
        verdict.expect(
            missing.is_empty(),
            url,
            "the links of the Markdown form",
            format!("without {}", super::some(&missing)),
        );
        // A bare address in the text is read as a link; only anchors count.
        let more: Vec<&String> = html
            .difference(&markdown)
            .filter(|link| anchors.contains(*link) && !is_boilerplate(link))
            .collect();
        verdict.expect(
            more.is_empty(),
            url,
            "no more links in its text than the Markdown form has",
            super::some(&more),
        );
    }
}

fn keys(links: &[String]) -> BTreeSet<String> {
    links
        .iter()
        .map(|link| bare(link))
        .filter(|link| !link.is_empty())
        .collect()
}

/// Links that a theme adds to the text: to the other form and to lists.
fn is_boilerplate(link: &str) -> bool {
    ["/tags/", "/years/", "/languages/"]
        .iter()
        .any(|start| link.starts_with(start))
        || [
            "/llms.txt",
            "/sitemap",
            "/rss.xml",
            "/index",
            "/terms",
            "/api",
        ]
        .contains(&link)
        || link.starts_with("/articles/")
}

fn images(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair {
        url,
        html,
        markdown,
        ..
    } in evidence.pairs()
    {
        let (html, markdown) = (&html.outline.images, &markdown.outline.images);
        verdict.expect(
            html == markdown,
            url,
            "the same pictures",
            difference(html, markdown),
        );
    }
}

fn code(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair {
        url,
        html,
        markdown,
        ..
    } in evidence.pairs()
    {
        let normalised = |outline: &Outline| {
            outline
                .code
                .iter()
                .map(|text| {
                    text.lines()
                        .map(str::trim_end)
                        .collect::<Vec<_>>()
                        .join("\n")
                        .trim()
                        .to_owned()
                })
                .collect::<Vec<_>>()
        };
        let (html, markdown) = (normalised(&html.outline), normalised(&markdown.outline));
        verdict.expect(
            html == markdown,
            url,
            "the same code blocks",
            difference(&html, &markdown),
        );
    }
}

fn words(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair {
        url,
        html,
        markdown,
        ..
    } in evidence.pairs()
    {
        let missing: Vec<&String> = markdown.words.difference(&html.words).collect();
        let share = 100 - missing.len() * 100 / markdown.words.len().max(1);
        verdict.expect(
            share >= WORDS,
            url,
            format!("{WORDS} % of the words of the Markdown form"),
            format!("{share} %, without {}", super::some(&missing)),
        );
    }
}

/// The first difference of two lists, for a message.
fn difference(html: &[String], markdown: &[String]) -> String {
    let at = html
        .iter()
        .zip(markdown)
        .position(|(one, other)| one != other)
        .unwrap_or(html.len().min(markdown.len()));
    let show = |side: &[String]| {
        side.get(at).map_or("nothing".to_owned(), |text| {
            format!("`{}`", text.chars().take(50).collect::<String>())
        })
    };
    format!(
        "{} in HTML and {} in Markdown; the first difference is {} and {}",
        html.len(),
        markdown.len(),
        show(html),
        show(markdown)
    )
}
