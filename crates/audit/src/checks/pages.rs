//! The HTML form.

use serde_json::Value;

use super::{Check, or_none, some};
use crate::address::{html_path, markdown_path};
use crate::evidence::Evidence;
use crate::fix::Fix::{Articles, Setting, Theme};
use crate::read::html::Page;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "pages.one",
        severity: Missing,
        what: "a page has a doctype, one `main`, one `article` and one `h1`",
        why: "extractors and screen readers find the text by them",
        fix: Theme("base.html"),
        advice: "write one `<main><article>` and one `<h1>`",
        judge: one,
    },
    Check {
        id: "pages.language",
        severity: Missing,
        what: "a page says its language",
        why: "screen readers choose the voice by it",
        fix: Theme("base.html"),
        advice: "write `lang` on `<html>`",
        judge: language,
    },
    Check {
        id: "pages.direction",
        severity: Minor,
        what: "a page says its direction",
        why: "it helps where languages mix; without it browsers take left to right",
        fix: Theme("base.html"),
        advice: "write `dir` on `<html>`",
        judge: direction,
    },
    Check {
        id: "pages.canonical",
        severity: Broken,
        what: "no page names another address than its own as canonical",
        why: "search engines drop the page for the one that it names",
        fix: Setting(
            "base_url",
            "`<link rel=canonical>` in the template of the pages",
        ),
        advice: "write the address of the site; after a change of the setting build again",
        judge: canonical,
    },
    Check {
        id: "pages.links",
        severity: Missing,
        what: "the head names the canonical address, the Markdown form, the feed and the index",
        why: "readers and agents discover the other forms there",
        fix: Theme("head.html"),
        advice: "keep the `<link>` lines of the built-in template",
        judge: links,
    },
    Check {
        id: "pages.visible",
        severity: Missing,
        what: "a page has a visible link to its Markdown form and to llms.txt",
        why: "agents that see the rendered page alone find the clean text by it",
        fix: Theme("article.html"),
        advice: "keep the two links of the built-in template",
        judge: visible,
    },
    Check {
        id: "pages.scripts",
        severity: Missing,
        what: "a page has no inline script or handler",
        why: "its text must not depend on scripts, and the policy forbids them",
        fix: Theme("base.html"),
        advice: "move scripts into files; switch off what a CDN injects",
        judge: scripts,
    },
    Check {
        id: "pages.clean",
        severity: Minor,
        what: "a page has no comment and no template tag",
        why: "an author's notes are for nobody else",
        fix: Articles,
        advice: "run `diglot check` for template tags; a CDN may add comments",
        judge: clean,
    },
    Check {
        id: "pages.data",
        severity: Missing,
        what: "an article has JSON-LD, a `BlogPosting` or `TechArticle`, and all JSON-LD is JSON",
        why: "search engines show author and date from it",
        fix: Theme("head.html"),
        advice: "keep the JSON-LD of the built-in template",
        judge: data,
    },
    Check {
        id: "pages.preview",
        severity: Minor,
        what: "a page has Open Graph title, type and address",
        why: "others show a link to it with them",
        fix: Theme("head.html"),
        advice: "keep the `og:` lines of the built-in template",
        judge: preview,
    },
];

fn read(evidence: &Evidence) -> impl Iterator<Item = (&String, &String, &Page)> {
    evidence
        .html_forms()
        .iter()
        .map(|form| (&form.stem, &form.url, &form.read))
}

fn one(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        verdict.expect(page.doctype, url, "`<!doctype html>`", "none");
        for name in ["main", "h1"] {
            verdict.expect(
                page.count(name) == 1,
                url,
                format!("one `{name}`"),
                page.count(name),
            );
        }
        if evidence.articles.contains(stem) {
            verdict.expect(
                page.count("article") == 1,
                url,
                "one `article`",
                page.count("article"),
            );
        }
    }
}

fn language(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        verdict.expect(!page.language.is_empty(), url, "`lang` on `<html>`", "none");
    }
}

fn direction(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        verdict.expect(
            matches!(page.direction.as_str(), "ltr" | "rtl" | "auto"),
            url,
            "`dir` on `<html>`",
            or_none(&page.direction),
        );
    }
}

fn canonical(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        let canonical: Vec<&str> = page.related("canonical", "").collect();
        let own = evidence.address.written(&html_path(stem));
        verdict.expect(
            canonical.iter().all(|other| *other == own),
            url,
            format!("canonical {own}"),
            or_none(&some(&canonical)),
        );
    }
}

fn links(evidence: &Evidence, verdict: &mut Verdict) {
    let address = &evidence.address;
    for (stem, url, page) in read(evidence) {
        let wanted = [
            ("canonical", "", html_path(stem)),
            ("alternate", "text/markdown", markdown_path(stem)),
            ("alternate", "application/rss+xml", "/rss.xml".into()),
            ("describedby", "", "/llms.txt".into()),
        ];
        for (relation, media, path) in wanted {
            let targets: Vec<String> = page
                .related(relation, media)
                .map(|target| address.resolve(target, &html_path(stem)))
                .collect();
            // `pages.canonical` judges a wrong canonical address.
            let other = relation == "canonical" && !targets.is_empty();
            verdict.expect(
                other || targets.contains(&address.written(&path)),
                url,
                format!("{relation} {}", address.written(&path)),
                or_none(&some(&targets)),
            );
        }
    }
}

fn visible(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        let targets: Vec<String> = page
            .anchors
            .iter()
            .map(|target| evidence.address.resolve(target, &html_path(stem)))
            .collect();
        for path in [markdown_path(stem), "/llms.txt".into()] {
            verdict.expect(
                targets.contains(&evidence.address.written(&path)),
                url,
                format!("a link to {}", evidence.address.written(&path)),
                "none",
            );
        }
    }
}

fn scripts(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        verdict.expect(
            page.scripts == 0,
            url,
            "no inline script or handler",
            page.scripts,
        );
    }
}

fn clean(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        verdict.expect(
            page.comments == 0,
            url,
            "no comment",
            format!("{} comments", page.comments),
        );
        let tag = ["{{", "{%"]
            .into_iter()
            .find_map(|mark| page.text.find(mark));
        verdict.expect(
            tag.is_none(),
            url,
            "no template tag",
            tag.map(|at| page.text[at..].chars().take(60).collect::<String>())
                .unwrap_or_default(),
        );
    }
}

fn data(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, page) in read(evidence) {
        let parsed: Vec<Option<Value>> = page
            .data
            .iter()
            .map(|text| serde_json::from_str(text).ok())
            .collect();
        verdict.expect(
            parsed.iter().all(Option::is_some),
            url,
            "JSON in JSON-LD",
            "something else",
        );
        if evidence.articles.contains(stem) && stem.starts_with("/articles/") {
            let names = |value: &Value| {
                ["\"BlogPosting\"", "\"TechArticle\""]
                    .into_iter()
                    .any(|name| value.to_string().contains(name))
            };
            verdict.expect(
                parsed.iter().flatten().any(names),
                url,
                "a `BlogPosting` or `TechArticle`",
                "none",
            );
        }
    }
}

fn preview(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, page) in read(evidence) {
        let lacks: Vec<&str> = ["og:title", "og:type", "og:url"]
            .into_iter()
            .filter(|name| page.meta(name).is_empty())
            .collect();
        verdict.expect(
            lacks.is_empty(),
            url,
            "`og:title`, `og:type` and `og:url`",
            format!("without {}", some(&lacks)),
        );
    }
}
