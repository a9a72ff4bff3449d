//! The HTML form.

use serde_json::Value;

use super::{Check, or_none, some};
use crate::audit::address::{html_path, markdown_path};
use crate::audit::evidence::Evidence;
use crate::audit::read::html::Page;
use crate::audit::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "pages.one",
        what: "a page has a doctype, one `main`, one `article` and one `h1`",
        why: "extractors and screen readers find the text by them",
        advice: "mend the templates of your theme: one `<main><article>`, one `<h1>`",
        judge: one,
    },
    Check {
        id: "pages.language",
        what: "a page says its language and direction",
        why: "screen readers choose the voice by it",
        advice: "write `lang` and `dir` on the `<html>` of your theme",
        judge: language,
    },
    Check {
        id: "pages.links",
        what: "the head names the canonical address, the Markdown form, the feed and the index",
        why: "readers and agents discover the other forms there",
        advice: "keep the lines of the built-in `head.html` in your theme, and build with the right `--base-url`",
        judge: links,
    },
    Check {
        id: "pages.visible",
        what: "a page has a visible link to its Markdown form and to llms.txt",
        why: "agents that see the rendered page alone find the clean text by it",
        advice: "keep the two links of the built-in theme",
        judge: visible,
    },
    Check {
        id: "pages.still",
        what: "a page is complete without scripts, and has no comment and no template tag",
        why: "what a template engine did not understand, and what an author noted for himself, is for nobody's eyes",
        advice: "look for what is injected on the way: CDNs add scripts and comments; run `diglot check` for template tags",
        judge: still,
    },
    Check {
        id: "pages.data",
        what: "JSON-LD on a page is JSON, and an article is a `BlogPosting`",
        why: "search engines show author and date from it",
        advice: "keep the JSON-LD of the built-in theme",
        judge: data,
    },
];

fn read(evidence: &Evidence) -> impl Iterator<Item = (&String, &String, &Page)> {
    evidence.html_forms().iter().map(|form| (&form.stem, &form.url, &form.read))
}

fn one(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        verdict.expect(page.doctype, url, "`<!doctype html>`", "none");
        for name in ["main", "h1"] {
            verdict.expect(page.count(name) == 1, url, format!("one `{name}`"), page.count(name));
        }
        if evidence.articles.contains(stem) {
            verdict.expect(page.count("article") == 1, url, "one `article`", page.count("article"));
        }
    }
}

fn language(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        verdict.expect(!page.language.is_empty(), url, "`lang` on `<html>`", "none");
        verdict.expect(matches!(page.direction.as_str(), "ltr" | "rtl" | "auto"), url, "`dir` on `<html>`", or_none(&page.direction));
    }
}

fn links(evidence: &Evidence, verdict: &mut Verdict) {
    let address = &evidence.address;
    for (stem, url, page) in read(evidence) {
        let canonical: Vec<&str> = page.related("canonical", "").collect();
        let own = address.written(&html_path(stem));
        verdict.expect(canonical == [own.as_str()], url, format!("canonical {own}"), or_none(&some(&canonical)));
        let wanted = [
            ("alternate", "text/markdown", markdown_path(stem)),
            ("alternate", "application/rss+xml", "/rss.xml".into()),
            ("describedby", "", "/llms.txt".into()),
        ];
        for (relation, media, path) in wanted {
            let targets: Vec<String> = page.related(relation, media).map(|target| address.resolve(target, &html_path(stem))).collect();
            verdict.expect(
                targets.contains(&address.written(&path)),
                url,
                format!("{relation} {}", address.written(&path)),
                or_none(&some(&targets)),
            );
        }
    }
}

fn visible(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        let targets: Vec<String> = page.anchors.iter().map(|target| evidence.address.resolve(target, &html_path(stem))).collect();
        for path in [markdown_path(stem), "/llms.txt".into()] {
            verdict.expect(targets.contains(&evidence.address.written(&path)), url, format!("a link to {}", evidence.address.written(&path)), "none");
        }
    }
}

fn still(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        verdict.expect(page.scripts == 0, url, "no inline script or handler", page.scripts);
        verdict.expect(page.comments == 0, url, "no comment", page.comments);
        let tag = ["{{", "{%"].into_iter().find_map(|mark| page.text.find(mark));
        verdict.expect(tag.is_none(), url, "no template tag", tag.map(|at| page.text[at..].chars().take(60).collect::<String>()).unwrap_or_default());
    }
}

fn data(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        let parsed: Vec<Option<Value>> = page.data.iter().map(|text| serde_json::from_str(text).ok()).collect();
        verdict.expect(parsed.iter().all(Option::is_some), url, "JSON in JSON-LD", "something else");
        if evidence.articles.contains(stem) && stem.starts_with("/articles/") {
            let posting = parsed.iter().flatten().any(|value| value.to_string().contains("\"BlogPosting\""));
            verdict.expect(posting, url, "a `BlogPosting`", "none");
        }
    }
}
