//! The Markdown form.

use diglot_content::document::{Reference, ReferenceKind};

use super::{Check, or_none, some};
use crate::address::{has_scheme, html_path, markdown_path};
use crate::evidence::Evidence;
use crate::fix::Fix::{Host, Twins};
use crate::read::twin::Twin;
use crate::severity::Severity::{Broken, Minor, Missing};
use crate::verdict::Verdict;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "twins.there",
        severity: Missing,
        what: "pages have a Markdown form at `.md`",
        why: "agents read it instead of the HTML",
        fix: Host("`.md` addresses"),
        advice: "publish the `.md` files of the export",
        judge: there,
    },
    Check {
        id: "twins.every",
        severity: Missing,
        what: "every page has its Markdown form",
        why: "an agent that follows a link must not fall back to HTML",
        fix: Host("`.md` addresses"),
        advice: "publish the whole export",
        judge: every,
    },
    Check {
        id: "twins.front",
        severity: Missing,
        what: "a twin opens with front matter: title, canonical address, last change, language",
        why: "an agent cites a page by it",
        fix: Twins,
        advice: "publish the generated files, not the source files",
        judge: front,
    },
    Check {
        id: "twins.agree",
        severity: Broken,
        what: "its canonical address, language and date are those of the HTML form",
        why: "both forms are one page",
        fix: Twins,
        advice: "publish both forms from one build",
        judge: agree,
    },
    Check {
        id: "twins.title",
        severity: Missing,
        what: "a twin has exactly one H1, before everything else",
        why: "it is the title of the page",
        fix: Twins,
        advice: "begin every text with one H1",
        judge: title,
    },
    Check {
        id: "twins.absolute",
        severity: Broken,
        what: "all links and pictures of a twin are absolute",
        why: "an agent reads the text far from its address",
        fix: Twins,
        advice: "publish the generated files, not the source files",
        judge: absolute,
    },
    Check {
        id: "twins.markdown",
        severity: Minor,
        what: "links to other articles lead to their Markdown form",
        why: "an agent that follows them stays with clean text",
        fix: Twins,
        advice: "publish the generated files, not the source files",
        judge: markdown,
    },
    Check {
        id: "twins.tail",
        severity: Missing,
        what: "a twin ends with `## Sitemap`, which leads to sitemap.md and llms.txt",
        why: "it is the way from one page to all others",
        fix: Twins,
        advice: "publish the generated files unchanged",
        judge: tail,
    },
    Check {
        id: "twins.clean",
        severity: Broken,
        what: "a twin has no comment and no template tag outside code",
        why: "authors write notes for themselves there",
        fix: Twins,
        advice: "publish the generated files, not the source files; `diglot check` names unknown tags",
        judge: clean,
    },
    Check {
        id: "twins.fences",
        severity: Broken,
        what: "every code fence of a twin is closed",
        why: "an open fence turns everything behind it into code",
        fix: Twins,
        advice: "publish the generated files unchanged; look for a proxy that cuts bodies",
        judge: fences,
    },
];

fn read(evidence: &Evidence) -> impl Iterator<Item = (&String, &String, &Twin)> {
    evidence
        .markdown_forms()
        .iter()
        .map(|form| (&form.stem, &form.url, &form.read))
}

fn there(evidence: &Evidence, verdict: &mut Verdict) {
    let is_twin = |stem: &String| {
        evidence
            .markdown(stem)
            .is_some_and(|answer| answer.media() != "text/html")
    };
    if let Some(answer) = evidence.get("/index.md") {
        verdict.expect(
            evidence.stems().any(is_twin),
            evidence.url("/index.md"),
            "200 text/markdown",
            answer,
        );
    }
}

fn every(evidence: &Evidence, verdict: &mut Verdict) {
    for stem in evidence
        .stems()
        .filter(|stem| evidence.html(stem).is_some())
    {
        let path = markdown_path(stem);
        if let Some(answer) = evidence.get(&path) {
            verdict.expect(answer.status == 200, evidence.url(&path), "200", answer);
        }
    }
}

fn front(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, twin) in read(evidence) {
        verdict.expect(twin.has_front(), url, "front matter", "none");
        // The last change of an undated text is unknown.
        let changed = ["last_updated"]
            .into_iter()
            .filter(|_| !twin.text("date").is_empty());
        for key in ["title", "canonical_url", "language"]
            .into_iter()
            .chain(changed)
        {
            verdict.expect(
                !twin.text(key).is_empty(),
                url,
                format!("`{key}` in the front matter"),
                "none",
            );
        }
    }
}

fn same_day(dates: [&str; 2], url: &str, verdict: &mut Verdict) {
    if let [Some(shown), Some(told)] = dates.map(|date| date.get(..10)) {
        let expected = format!("the date {shown} of the HTML form");
        verdict.expect(shown == told, url, expected, told);
    }
}

fn agree(evidence: &Evidence, verdict: &mut Verdict) {
    for (stem, url, twin) in read(evidence) {
        let own = evidence.address.written(&html_path(stem));
        verdict.expect(
            twin.text("canonical_url") == own,
            url,
            format!("canonical_url {own}"),
            or_none(twin.text("canonical_url")),
        );
        if let Some(page) = evidence
            .html_forms()
            .iter()
            .find(|form| form.stem == *stem)
            .map(|form| &form.read)
        {
            verdict.expect(
                page.language == twin.text("language"),
                url,
                format!("the language `{}` of the HTML form", page.language),
                or_none(twin.text("language")),
            );
            let dates = [page.meta("article:published_time"), twin.text("date")];
            same_day(dates, url, verdict);
        }
    }
}

fn title(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, twin) in read(evidence) {
        verdict.expect(twin.titles() == 1, url, "one H1", twin.titles());
        verdict.expect(
            twin.opens_with_title(),
            url,
            "the H1 before everything else",
            "something before it",
        );
    }
}

fn absolute(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, twin) in read(evidence) {
        let relative: Vec<&str> = twin
            .references()
            .iter()
            .map(|reference| reference.raw.as_str())
            .filter(|address| !has_scheme(address))
            .collect();
        verdict.expect(relative.is_empty(), url, "absolute URLs", some(&relative));
    }
}

fn markdown(evidence: &Evidence, verdict: &mut Verdict) {
    let to_html = |reference: &&Reference| {
        let path = evidence.address.path_of(&reference.raw);
        reference.kind == ReferenceKind::Link
            && path.is_some_and(|path| path.starts_with("/articles/") && path.ends_with(".html"))
    };
    for (_, url, twin) in read(evidence) {
        let pages: Vec<&str> = twin
            .references()
            .iter()
            .filter(to_html)
            .map(|reference| reference.raw.as_str())
            .collect();
        verdict.expect(
            pages.is_empty(),
            url,
            "`.md` addresses of articles",
            some(&pages),
        );
    }
}

fn tail(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, twin) in read(evidence) {
        let ways = ["/sitemap.md", "/llms.txt"].map(|path| evidence.address.written(path));
        let right =
            ways.iter().all(|way| twin.tail.contains(way.as_str())) && !twin.tail.contains("\n#");
        verdict.expect(
            right,
            url,
            "a closing `## Sitemap` with both addresses",
            or_none(twin.tail.trim()),
        );
    }
}

/// The first marker of something meant only for the author.
fn stray(prose: &str) -> Option<usize> {
    let unescaped = |(at, _): &(usize, &str)| !prose[..*at].ends_with('\\');
    let comment = prose
        .match_indices("<!--")
        .find(unescaped)
        .map(|(at, _)| at);
    let tags = ["{{", "{%"]
        .into_iter()
        .filter_map(|mark| prose.match_indices(mark).find(unescaped).map(|(at, _)| at));
    comment.into_iter().chain(tags).min()
}

fn clean(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, twin) in read(evidence) {
        let stray = stray(&twin.prose);
        let shown = stray
            .map(|at| twin.prose[at..].chars().take(60).collect::<String>())
            .unwrap_or_default();
        verdict.expect(
            stray.is_none(),
            url,
            "no comment and no template tag",
            shown,
        );
    }
}

fn fences(evidence: &Evidence, verdict: &mut Verdict) {
    for (_, url, twin) in read(evidence) {
        verdict.expect(
            !twin.open_fence,
            url,
            "closed fences",
            "a fence that is open at the end",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_marks_are_words() {
        for (prose, expected) in [
            ("a <!-- b -->", Some(2)),
            ("a \\<!-- b", None),
            ("{{ x }}", Some(0)),
            ("{% x %} <!--", Some(0)),
            ("{ {", None),
        ] {
            assert_eq!(stray(prose), expected, "{prose}");
        }
    }
}
