//! That both forms say the same: the content library reads each, and its outlines are compared.

use std::collections::BTreeSet;
use std::sync::Arc;

use diglot_content::document::{Outline, Purpose, Rendering, write_markdown};
use diglot_content::{BaseUrl, Document, Target, html};

use super::Check;
use crate::audit::address::{decoded, has_scheme, html_path, stem};
use crate::audit::evidence::Evidence;
use crate::audit::read::html::read as read_html;
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "parity.headings",
        what: "both forms have the same headings in the same order",
        why: "a link to a part must find it in either form",
        advice: "publish both forms from one build; keep headings out of your theme's article",
        judge: headings,
    },
    Check {
        id: "parity.links",
        what: "the text of both forms links the same places",
        why: "an agent must be able to follow what a person can",
        advice: "publish both forms from one build",
        judge: links,
    },
    Check {
        id: "parity.images",
        what: "both forms show the same pictures",
        why: "a picture that one form does not name does not exist for its readers",
        advice: "publish both forms from one build",
        judge: images,
    },
    Check {
        id: "parity.code",
        what: "both forms have the same code blocks",
        why: "code is what people and agents copy",
        advice: "publish both forms from one build; switch off what rewrites pages on the way",
        judge: code,
    },
    Check {
        id: "parity.words",
        what: "both forms have the same words",
        why: "what one form hides, its readers do not know",
        advice: "publish both forms from one build; look for what a CDN adds or removes",
        judge: words,
    },
];

/// How many of the words of one form the other must have, of a hundred.
const WORDS: usize = 95;

/// An outline and the words of one form.
struct Side {
    outline: Outline,
    words: BTreeSet<String>,
}

/// The two forms of a page.
struct Pair {
    url: String,
    /// Where the anchors and frames of the HTML form lead.
    anchors: BTreeSet<String>,
    html: Side,
    markdown: Side,
}

fn pairs(evidence: &Evidence) -> Vec<Pair> {
    let pair = |stem: &String| {
        let (page, twin) = (evidence.html(stem)?, evidence.markdown_forms().iter().find(|form| form.stem == *stem)?);
        let (page, twin) = (page.text(), &twin.read.content);
        let anchors = read_html(&page).addresses.iter().map(|raw| key(&target(evidence, stem, raw))).collect();
        let page = html::parse_page(&page).document;
        Some(Pair { url: evidence.url(&html_path(stem)), anchors, html: side(evidence, stem, page)?, markdown: side(evidence, stem, twin.clone())? })
    };
    // Lists are made of links that the theme draws in its own way: articles and written pages are compared.
    evidence.articles.iter().chain(evidence.pages.iter().filter(|stem| matches!(stem.as_str(), "/terms" | "/api"))).filter_map(pair).collect()
}

fn side(evidence: &Evidence, stem: &str, mut document: Document) -> Option<Side> {
    let base = BaseUrl::parse(&evidence.address.declared).ok()?;
    let targets: Vec<Target> = document.references.iter().map(|reference| target(evidence, stem, &reference.raw)).collect();
    let words = document.plain_text();
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 3 && !word.chars().all(char::is_numeric));
    let words = words.map(str::to_lowercase).collect();
    document.take_title(None);
    let outline = write_markdown(&document, &Rendering { base: &base, stem, targets: &targets, purpose: Purpose::Twin }).outline;
    Some(Side { outline, words })
}

/// What an address leads to, in words that do not depend on the form.
fn target(evidence: &Evidence, own: &str, raw: &str) -> Target {
    let raw = raw.trim();
    let url = if has_scheme(raw) { raw.to_owned() } else { evidence.address.resolve(raw, &html_path(own)) };
    let Some(path) = evidence.address.path_of(&url) else { return Target::Url(url) };
    match stem(path) {
        Some(stem) => Target::Page { stem: Arc::from(decoded(stem)), fragment: None },
        None => Target::File { path: Arc::from(decoded(path)), suffix: String::new(), size: None },
    }
}

fn headings(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair { url, html, markdown, .. } in pairs(evidence) {
        let (html, markdown) = (texts(&html.outline), texts(&markdown.outline));
        verdict.expect(html == markdown, url, "the same headings", difference(&html, &markdown));
    }
}

fn texts(outline: &Outline) -> Vec<String> {
    outline.headings.iter().map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn links(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair { url, anchors, html, markdown } in pairs(evidence) {
        let (html, markdown) = (keys(&html.outline.links), keys(&markdown.outline.links));
        // The page around the text may link more (tags, other forms); what the twin links must be on the page.
        let missing: Vec<&String> = markdown.iter().filter(|link| !anchors.contains(*link)).collect();
        verdict.expect(missing.is_empty(), &url, "the links of the Markdown form", format!("without {}", super::some(&missing)));
        // A bare address in the text reads like a link; what is no anchor is none.
        let more: Vec<&String> = html.difference(&markdown).filter(|link| anchors.contains(*link) && !is_furniture(link)).collect();
        verdict.expect(more.is_empty(), &url, "no more links in its text than the Markdown form has", super::some(&more));
    }
}

/// A target in one spelling.
fn key(target: &Target) -> String {
    match target {
        Target::Page { stem, .. } => stem.to_string(),
        Target::File { path, .. } => path.to_string(),
        Target::Url(url) => tidy(url),
        Target::Here(_) | Target::Unresolved => String::new(),
    }
}

fn keys(links: &[String]) -> BTreeSet<String> {
    links.iter().map(|link| tidy(link)).filter(|link| !link.is_empty()).collect()
}

/// An address without fragment and closing slash.
fn tidy(link: &str) -> String {
    link.split('#').next().unwrap_or_default().trim_end_matches('/').to_owned()
}

/// What a theme links beside the text: the way to the other form and to lists.
fn is_furniture(link: &str) -> bool {
    ["/tags/", "/years/"].iter().any(|start| link.starts_with(start))
        || ["/llms.txt", "/sitemap", "/rss.xml", "/index", "/terms", "/api"].contains(&link)
        || link.starts_with("/articles/")
}

fn images(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair { url, html, markdown, .. } in pairs(evidence) {
        let (html, markdown) = (&html.outline.images, &markdown.outline.images);
        verdict.expect(html == markdown, url, "the same pictures", difference(html, markdown));
    }
}

fn code(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair { url, html, markdown, .. } in pairs(evidence) {
        let tidy = |outline: &Outline| {
            outline.code.iter().map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned()).collect::<Vec<_>>()
        };
        let (html, markdown) = (tidy(&html.outline), tidy(&markdown.outline));
        verdict.expect(html == markdown, url, "the same code blocks", difference(&html, &markdown));
    }
}

fn words(evidence: &Evidence, verdict: &mut Verdict) {
    for Pair { url, html, markdown, .. } in pairs(evidence) {
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

/// The first difference of two lists, in words.
fn difference(html: &[String], markdown: &[String]) -> String {
    let at = html.iter().zip(markdown).position(|(one, other)| one != other).unwrap_or(html.len().min(markdown.len()));
    let show = |side: &[String]| side.get(at).map_or("nothing".to_owned(), |text| format!("`{}`", text.chars().take(50).collect::<String>()));
    format!("{} in HTML and {} in Markdown; the first difference is {} and {}", html.len(), markdown.len(), show(html), show(markdown))
}
