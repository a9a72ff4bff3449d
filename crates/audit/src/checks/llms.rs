//! `llms.txt` and the merged articles.

use std::collections::BTreeSet;

use super::{Check, feed::asked, or_none};
use crate::address::{html_path, markdown_path, stem};
use crate::answer::Answer;
use crate::evidence::Evidence;
use crate::fix::Fix::{Document, Setting};
use crate::gather::{is_map_whole, mapped};
use crate::read::{text, twin};
use crate::severity::Rule;
use crate::severity::Severity::{Broken, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "llms.there",
        severity: Missing,
        what: "there is an index for agents at `/llms.txt`",
        why: "an agent reads it first",
        fix: Document("/llms.txt"),
        advice: "publish an index in the form of llmstxt.org at `/llms.txt`",
        judge: there,
    },
    Check {
        id: "llms.form",
        severity: Broken,
        what: "llms.txt is an H1, a blockquote, a paragraph, then H2 sections of lists: a link, a colon, a summary",
        why: "its readers parse exactly this form (llmstxt.org)",
        fix: Document("/llms.txt"),
        advice: "publish the index as it was generated",
        judge: form,
    },
    Check {
        id: "llms.size",
        severity: Broken,
        what: "llms.txt has less than 50,000 characters, and its parts less than 100,000",
        why: "agents cut what is longer",
        fix: Document("/llms.txt"),
        advice: "divide the index, or mark articles as optional in their front matter",
        judge: size,
    },
    Check {
        id: "llms.absolute",
        severity: Broken,
        what: "its links are absolute and lead to Markdown on this site",
        why: "an agent reads the file without knowing its origin",
        fix: Setting("base_url", "`/llms.txt`"),
        advice: "write the address of the site; after a change of the setting build again",
        judge: absolute,
    },
    Check {
        id: "llms.answers",
        severity: Broken,
        what: "what it links answers 200",
        why: "an agent that meets a 404 gives up, or makes something up",
        fix: Document("/llms.txt"),
        advice: "publish index and pages from one build, and clear the CDN after it",
        judge: answers,
    },
    Check {
        id: "llms.agrees",
        severity: Missing,
        what: "every article of the sitemap is in it",
        why: "what the index does not name, agents do not read",
        fix: Document("/llms.txt"),
        advice: "publish both from one build; front matter may leave an article out on purpose",
        judge: agrees,
    },
    Check {
        id: "llms.known",
        severity: Broken,
        what: "it names no article that the sitemap does not know",
        why: "it may be a draft, or gone",
        fix: Document("/llms.txt"),
        advice: "publish both from one build",
        judge: known,
    },
    Check {
        id: "llms.full",
        severity: Missing,
        what: "llms-full.txt holds the articles, each behind its title and address",
        why: "one request reads everything",
        fix: Document("/llms-full.txt"),
        advice: "publish the merged text as it was generated",
        judge: full,
    },
];

/// llms.txt stays below this many characters.
const INDEX: usize = 50_000;
/// Each part stays below this many.
const PART: usize = 100_000;

/// llms.txt and those of its parts that were read.
fn files(evidence: &Evidence) -> impl Iterator<Item = (&String, &Answer)> {
    let is_index =
        |path: &str| path == "/llms.txt" || (path.starts_with("/llms/") && path.ends_with(".txt"));
    evidence
        .successes()
        .filter(move |(ask, _)| ask.fields.is_empty() && is_index(&ask.path))
        .map(|(ask, answer)| (&ask.path, answer))
}

/// The links of llms.txt and its parts.
fn links(evidence: &Evidence) -> Vec<String> {
    files(evidence)
        .flat_map(|(_, answer)| text::links(&answer.text()))
        .collect()
}

/// Whether every part of `llms.txt` was read.
fn is_whole(evidence: &Evidence) -> bool {
    let parts = evidence
        .found("/llms.txt")
        .map(|answer| text::llms_parts(&answer.text()))
        .unwrap_or_default();
    parts
        .iter()
        .filter_map(|url| evidence.address.path_of(url))
        .all(|path| evidence.found(path).is_some())
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some(answer) = evidence.get("/llms.txt") {
        verdict.expect(
            answer.status == 200 && answer.media() != "text/html",
            evidence.url("/llms.txt"),
            "200 with an index",
            answer,
        );
    }
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/llms.txt") else {
        return;
    };
    let (url, content) = (evidence.url("/llms.txt"), answer.text());
    let (head, sections) = content.split_once("\n## ").unwrap_or((&content, ""));
    let blocks: Vec<&str> = head
        .split("\n\n")
        .map(str::trim)
        .filter(|block| !block.is_empty())
        .collect();
    let starts = |index: usize, mark: &str| {
        blocks
            .get(index)
            .is_some_and(|block| block.starts_with(mark))
    };
    verdict.expect(
        starts(0, "# "),
        &url,
        "an H1 first",
        blocks.first().copied().unwrap_or_default(),
    );
    verdict.expect(
        starts(1, "> "),
        &url,
        "a blockquote after it",
        blocks.get(1).copied().unwrap_or_default(),
    );
    verdict.expect(
        blocks
            .get(2)
            .is_some_and(|block| !block.starts_with(['#', '>', '-'])),
        &url,
        "a paragraph on how to read this site",
        or_none(blocks.get(2).copied().unwrap_or_default()),
    );
    verdict.expect(!sections.is_empty(), &url, "H2 sections", "none");
    let lines = sections
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty() && !line.starts_with("## "));
    for line in lines {
        verdict.expect(
            line.starts_with("- [") && line.contains("]("),
            &url,
            "- [title](url): summary",
            line,
        );
    }
}

fn size(evidence: &Evidence, verdict: &mut Verdict) {
    for (path, answer) in files(evidence) {
        let (most, length) = (
            if path == "/llms.txt" { INDEX } else { PART },
            answer.text().chars().count(),
        );
        verdict.expect(
            length < most,
            evidence.url(path),
            format!("less than {most} characters"),
            format!("{length} characters"),
        );
    }
}

fn absolute(evidence: &Evidence, verdict: &mut Verdict) {
    for (path, answer) in files(evidence) {
        // Only links under an H2; the paragraph before may link anywhere.
        let listed: String = answer
            .text()
            .lines()
            .filter(|line| line.starts_with("- ["))
            .map(|line| format!("{line}\n"))
            .collect();
        for link in text::links(&listed) {
            let own = evidence
                .address
                .path_of(&link)
                .filter(|_| link.starts_with(&evidence.address.declared));
            let right = own.is_some_and(|path| path.ends_with(".md") || path.ends_with(".txt"));
            // Summaries may link elsewhere; URLs of this site must be right.
            let elsewhere =
                link.contains("://") && own.is_none() && evidence.address.path_of(&link).is_none();
            verdict.expect(
                right || elsewhere,
                evidence.url(path),
                "an absolute `.md` address",
                &link,
            );
        }
    }
}

fn answers(evidence: &Evidence, verdict: &mut Verdict) {
    for link in links(evidence) {
        for answer in evidence
            .address
            .path_of(&link)
            .into_iter()
            .flat_map(|path| asked(evidence, path))
        {
            verdict.expect(
                answer.status == 200,
                &link,
                "200, as llms.txt links it",
                answer,
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

/// The stems in llms.txt and in the sitemap; `None` unless both were read completely.
fn compared(evidence: &Evidence) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let known: BTreeSet<String> = mapped(evidence)
        .iter()
        .filter_map(|path| stem(path))
        .map(str::to_owned)
        .collect();
    if known.is_empty() || !is_map_whole(evidence) || !is_whole(evidence) {
        return None;
    }
    let links = links(evidence);
    let listed = links
        .iter()
        .filter_map(|url| evidence.address.path_of(url))
        .filter_map(stem)
        .map(str::to_owned)
        .collect();
    Some((listed, known))
}

fn is_article(stem: &&String) -> bool {
    stem.starts_with("/articles/") && *stem != "/articles/index"
}

fn agrees(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some((listed, known)) = compared(evidence) {
        for stem in known.iter().filter(is_article) {
            verdict.expect(
                listed.contains(stem),
                evidence.url("/llms.txt"),
                evidence.address.written(&markdown_path(stem)),
                "not listed",
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn known(evidence: &Evidence, verdict: &mut Verdict) {
    if let Some((listed, known)) = compared(evidence) {
        for stem in listed.iter().filter(is_article) {
            let page = evidence.address.written(&html_path(stem));
            verdict.expect(
                known.contains(stem),
                evidence.url("/llms.txt"),
                format!("a page of sitemap.xml: {page}"),
                "the sitemap does not name it",
            );
        }
    }
    verdict.or_leave_out(Rule::NoCase);
}

fn full(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.get("/llms-full.txt") else {
        return;
    };
    if !verdict.expect(
        answer.status == 200,
        evidence.url("/llms-full.txt"),
        "200",
        answer,
    ) || answer.trouble.is_some()
    {
        return;
    }
    let (url, content) = (evidence.url("/llms-full.txt"), answer.text());
    for stem in &evidence.articles {
        let Some(own) = evidence.markdown(stem) else {
            continue;
        };
        let address = evidence.address.written(&html_path(stem));
        let place = [format!("<{address}>"), address.clone()]
            .iter()
            .find_map(|text| content.find(text.as_str()));
        let Some(place) = verdict
            .expect(place.is_some(), &url, &address, "not in it")
            .then_some(place)
            .flatten()
        else {
            continue;
        };
        let text = own.text();
        let prose = twin::read(&text).prose;
        // The longest plain line represents the article's text; lines with markup may be rewritten.
        let plain = |line: &&str| {
            line.starts_with(char::is_alphabetic)
                && !line.contains(['[', '`', '<', '\\'])
                && prose.contains(line)
        };
        let longest = text.lines().filter(plain).max_by_key(|line| line.len());
        if let Some(line) = longest.filter(|line| line.len() > 20) {
            verdict.expect(
                content[place..].contains(line.trim()),
                &url,
                format!("the words of {address}"),
                format!("without \"{line}\""),
            );
        }
    }
}
