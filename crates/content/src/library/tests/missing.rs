//! What a report says about broken links: what explains each.

use super::*;
use crate::model::problem::Cause;

/// The cause and subject of every problem about a reference, in order.
fn explained(settings: &str, files: &[(&str, &str)]) -> Vec<(Cause, String)> {
    let (settings, problems) = crate::syntax::settings::Settings::parse(settings, "diglot.toml");
    assert!(problems.is_empty(), "{problems:?}");
    let base = BaseUrl::parse("https://example.org").unwrap();
    let site = settings.into_site("Folder", base).unwrap();
    let library = Library::build(&sources(files), &site, NOW.parse().unwrap());
    let about_links = library
        .problems
        .iter()
        .filter(|problem| problem.cause != Cause::Other);
    about_links
        .map(|problem| (problem.cause, problem.subject.clone().unwrap_or_default()))
        .collect()
}

fn check(settings: &str, files: &[(&str, &str)], expected: &[(Cause, &str)]) {
    let found = explained(settings, files);
    let found: Vec<(Cause, &str)> = found
        .iter()
        .map(|(cause, subject)| (*cause, subject.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn rule_49_a_link_that_leads_nowhere_has_the_first_folder_that_is_not_here() {
    check(
        "",
        &[
            ("docs/guide/x.md", "X."),
            ("docs/guide/y.md", "Y."),
            (
                "docs/guide/a.md",
                "[a](/windows/x)\n\n[b](/guide/none)\n\n[c](../api/one/x.md)\n\n[d](none.md)\n\n\
                 ![e](../img/e.png)\n\n[f](/2014/01/02/f/)\n\n[g](x.md#none)\n\n[h](/alone)",
            ),
        ],
        &[
            (Cause::LinkToLargerSite, "/windows/"),
            (Cause::Link, "/guide/"),
            (Cause::Link, "docs/api/"),
            (Cause::Link, ""),
            (Cause::File, "docs/img/"),
            (Cause::LinkToLargerSite, "/<year>/"),
            (Cause::Fragment, "docs/guide/x.md"),
            (Cause::Link, ""),
        ],
    );
}

#[test]
fn rule_49_a_link_above_the_published_folder_leads_to_the_larger_site() {
    let files = [
        ("book.toml", "[book]\ntitle = 'B'\n"),
        ("src/SUMMARY.md", "- [A](a.md)\n- [B](b/c.md)\n"),
        ("src/a.md", "[a](../std/x.html?q#f)\n\n[b](../none.md)\n"),
        ("src/b/c.md", "[c](../../std/)\n\n[d](../gone/d.md)\n"),
    ];
    check(
        "",
        &files,
        &[
            (Cause::LinkToLargerSite, "../std/"),
            (Cause::Link, ""),
            (Cause::LinkToLargerSite, "../std/"),
            (Cause::Link, "src/gone/"),
        ],
    );
    let with = "[links]\norigin = 'https://doc.example'\nprefix = '/book'\n";
    check(with, &files, &[(Cause::Link, "src/gone/")]);
    let (settings, _) = crate::syntax::settings::Settings::parse(with, "diglot.toml");
    let base = BaseUrl::parse("https://example.org").unwrap();
    let site = settings.into_site("Folder", base).unwrap();
    let library = Library::build(&sources(&files), &site, NOW.parse().unwrap());
    let targets: Vec<&Target> = library
        .articles
        .iter()
        .flat_map(|article| article.targets.iter())
        .collect();
    let url = |url: &str| Target::Url(format!("https://doc.example/{url}"));
    assert_eq!(
        targets,
        [
            &url("std/x.html?q#f"),
            &url("none.md"),
            &url("std/"),
            &Target::Unresolved
        ]
    );
}

#[test]
fn item_6_what_the_folder_explains_is_said() {
    check(
        "",
        &[
            ("mkdocs.yml", "site_name: A\n"),
            ("plan/p.md", "P."),
            ("docs/draft.md", "---\ndraft: true\n---\nD."),
            ("docs/later.md", "---\npublish_date: 2999-01-01\n---\nL."),
            ("docs/empty.md", "---\nlayout: x\n---\n"),
            ("docs/de/nur.md", "Nur hier."),
            ("docs/de/b.md", "B."),
            ("docs/b.md", "B."),
            (
                "docs/a.md",
                "[a](draft.md)\n\n[b](later.md)\n\n[c](empty.md)\n\n[d](../plan/p.md)\n\n[e](nur.md)\n",
            ),
        ],
        &[
            (Cause::LinkToWithheld, "draft"),
            (Cause::LinkToWithheld, "scheduled for later"),
            (Cause::LinkToWithheld, "empty body"),
            (
                Cause::LinkToWithheld,
                "outside `docs/`, the folder that `mkdocs.yml` publishes",
            ),
            (Cause::LinkToOtherLanguage, "de"),
        ],
    );
}
