//! The content index and the merged articles.

use std::collections::BTreeSet;

use super::{Check, feed::asked, or_none};
use crate::audit::address::{html_path, markdown_path, stem};
use crate::audit::answer::Answer;
use crate::audit::evidence::Evidence;
use crate::audit::gather::mapped;
use crate::audit::read::{text, twin};
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "llms.form",
        what: "llms.txt is an H1, a blockquote, a paragraph, then H2 sections of `- [title](url): summary` lists",
        why: "its readers parse exactly this form (llmstxt.org)",
        advice: "publish the generated `/llms.txt` unchanged",
        judge: form,
    },
    Check {
        id: "llms.size",
        what: "llms.txt has less than 50,000 characters, and its parts less than 100,000",
        why: "agents cut what is longer",
        advice: "build with a Diglot that divides the index, or mark articles as optional in their front matter",
        judge: size,
    },
    Check {
        id: "llms.absolute",
        what: "its links are absolute and lead to Markdown on this site",
        why: "an agent reads the file without knowing where it came from",
        advice: "build again with `--base-url` set to the address of the site",
        judge: absolute,
    },
    Check {
        id: "llms.answers",
        what: "what it links is there",
        why: "an agent that meets a 404 gives up, or makes something up",
        advice: "publish index and pages from one build, and purge the CDN after it",
        judge: answers,
    },
    Check {
        id: "llms.agrees",
        what: "every article of the sitemap is in it, and nothing that the sitemap does not know",
        why: "two lists of one site must be one list",
        advice: "publish both from one build; articles may be left out on purpose in their front matter",
        judge: agrees,
    },
    Check {
        id: "llms.full",
        what: "llms-full.txt holds the articles, each behind its title and address",
        why: "it is the way to read everything with one request",
        advice: "publish the generated `/llms-full.txt` unchanged",
        judge: full,
    },
];

/// llms.txt stays below this many characters.
const INDEX: usize = 50_000;
/// A part of it stays below this many.
const PART: usize = 100_000;

/// llms.txt and the parts of it that were read.
fn files(evidence: &Evidence) -> impl Iterator<Item = (&String, &Answer)> {
    let is_index = |path: &str| path == "/llms.txt" || (path.starts_with("/llms/") && path.ends_with(".txt"));
    evidence.successes().filter(move |(ask, _)| ask.fields.is_empty() && is_index(&ask.path)).map(|(ask, answer)| (&ask.path, answer))
}

/// Where everything in llms.txt and its parts leads.
fn links(evidence: &Evidence) -> Vec<String> {
    files(evidence).flat_map(|(_, answer)| text::links(&answer.text())).collect()
}

/// Whether every part of the index was read.
fn is_whole(evidence: &Evidence) -> bool {
    let parts = evidence.found("/llms.txt").map(|answer| text::llms_parts(&answer.text())).unwrap_or_default();
    parts.iter().filter_map(|url| evidence.address.path_of(url)).all(|path| evidence.found(path).is_some())
}

fn form(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/llms.txt") else { return };
    let (url, content) = (evidence.url("/llms.txt"), answer.text());
    let (head, sections) = content.split_once("\n## ").unwrap_or((&content, ""));
    let blocks: Vec<&str> = head.split("\n\n").map(str::trim).filter(|block| !block.is_empty()).collect();
    let starts = |index: usize, mark: &str| blocks.get(index).is_some_and(|block| block.starts_with(mark));
    verdict.expect(starts(0, "# "), &url, "an H1 first", blocks.first().copied().unwrap_or_default());
    verdict.expect(starts(1, "> "), &url, "a blockquote after it", blocks.get(1).copied().unwrap_or_default());
    verdict.expect(
        blocks.get(2).is_some_and(|block| !block.starts_with(['#', '>', '-'])),
        &url,
        "a paragraph on how to read this site",
        or_none(blocks.get(2).copied().unwrap_or_default()),
    );
    verdict.expect(!sections.is_empty(), &url, "H2 sections", "none");
    let lines = sections.lines().skip(1).filter(|line| !line.trim().is_empty() && !line.starts_with("## "));
    for line in lines {
        verdict.expect(line.starts_with("- [") && line.contains("]("), &url, "- [title](url): summary", line);
    }
}

fn size(evidence: &Evidence, verdict: &mut Verdict) {
    for (path, answer) in files(evidence) {
        let (most, length) = (if path == "/llms.txt" { INDEX } else { PART }, answer.text().chars().count());
        verdict.expect(length < most, evidence.url(path), format!("less than {most} characters"), format!("{length} characters"));
    }
}

fn absolute(evidence: &Evidence, verdict: &mut Verdict) {
    for (path, answer) in files(evidence) {
        // Links under an H2; the paragraph before may lead anywhere.
        let listed: String = answer.text().lines().filter(|line| line.starts_with("- [")).map(|line| format!("{line}\n")).collect();
        for link in text::links(&listed) {
            let own = evidence.address.path_of(&link).filter(|_| link.starts_with(&evidence.address.declared));
            let right = own.is_some_and(|path| path.ends_with(".md") || path.ends_with(".txt"));
            // Summaries may link elsewhere; the address of this site must be right.
            let elsewhere = link.contains("://") && own.is_none() && evidence.address.path_of(&link).is_none();
            verdict.expect(right || elsewhere, evidence.url(path), "an absolute `.md` address", &link);
        }
    }
}

fn answers(evidence: &Evidence, verdict: &mut Verdict) {
    for link in links(evidence) {
        for answer in evidence.address.path_of(&link).into_iter().flat_map(|path| asked(evidence, path)) {
            verdict.expect(answer.status == 200, &link, "200, as llms.txt links it", answer);
        }
    }
}

fn agrees(evidence: &Evidence, verdict: &mut Verdict) {
    if evidence.found("/llms.txt").is_none() || !is_whole(evidence) {
        return;
    }
    let links = links(evidence);
    let listed: BTreeSet<&str> = links.iter().filter_map(|url| evidence.address.path_of(url)).filter_map(stem).collect();
    let paths = mapped(evidence);
    let known: BTreeSet<&str> = paths.iter().filter_map(|path| stem(path)).collect();
    let is_article = |stem: &&&str| stem.starts_with("/articles/") && **stem != "/articles/index";
    let url = evidence.url("/llms.txt");
    for stem in known.iter().filter(is_article) {
        verdict.expect_of_host(listed.contains(stem), &url, evidence.address.written(&markdown_path(stem)), "not listed");
    }
    for stem in listed.iter().filter(is_article) {
        verdict.expect(
            known.contains(stem),
            &url,
            format!("a page of sitemap.xml: {}", evidence.address.written(&html_path(stem))),
            "the sitemap does not name it",
        );
    }
}

fn full(evidence: &Evidence, verdict: &mut Verdict) {
    let Some(answer) = evidence.found("/llms-full.txt").filter(|answer| answer.trouble.is_none()) else { return };
    let (url, content) = (evidence.url("/llms-full.txt"), answer.text());
    for stem in &evidence.articles {
        let Some(own) = evidence.markdown(stem) else { continue };
        let address = evidence.address.written(&html_path(stem));
        let place = [format!("<{address}>"), address.clone()].iter().find_map(|text| content.find(text.as_str()));
        let Some(place) = verdict.expect(place.is_some(), &url, &address, "not in it").then_some(place).flatten() else { continue };
        let text = own.text();
        let prose = twin::read(&text).prose;
        // The longest plain line of the article stands for its words; lines with markup may be written anew.
        let plain = |line: &&str| line.starts_with(char::is_alphabetic) && !line.contains(['[', '`', '<', '\\']) && prose.contains(line);
        let longest = text.lines().filter(plain).max_by_key(|line| line.len());
        if let Some(line) = longest.filter(|line| line.len() > 20) {
            verdict.expect(content[place..].contains(line.trim()), &url, format!("the words of {address}"), format!("without \"{line}\""));
        }
    }
}
