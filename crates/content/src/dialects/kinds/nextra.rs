//! A Next.js site with MDX, as Nextra makes them: `next.config.*`, and texts in `content/` or
//! `pages/`. In Nextra `.md` is MDX as well.

mod fumadocs;

use crate::dialects::config::{Config, Glob, Keys, Permalink};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::order::{Ask, Outline, arrange};
use crate::dialects::scope::{Copied, Project, Scope};
use crate::syntax::front::Front;

/// The folders of the texts.
const ROOTS: &[&str] = &[
    "src/content",
    "content",
    "src/pages",
    "pages",
    "src/app",
    "app",
];

/// Those of pages.
const PAGES: [&str; 4] = ["src/pages", "pages", "src/app", "app"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "nextra",
    recognise,
    roots: ROOTS,
    outputs: &["out"],
    scope,
    reads: &["md", "mdx"],
    copies_linked: true,
    machinery: &["components", "theme"],
    keys: Keys {
        files: &["next.config.*"],
        title: &[],
        description: &[],
        author: &[],
        language: &["i18n.defaultLocale"],
        address: &[],
        base: &["basePath"],
        usual: Some("src/content"),
        more: place_content,
        ..Keys::NONE
    },
    addresses: Some("/:path"),
    route,
    jsx: is_nextra,
    bracketed_ids: true,
    settle,
    order: &[order],
    ..COMMON
};

/// A configuration of Next.js, and a text that only MDX explains: a site of plain Markdown that
/// some component reads is not of this kind.
fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let Some(config) = evidence.begins("next.config.") else {
        let config = evidence.begins(fumadocs::CONFIG)?;
        return fumadocs::is_one(evidence).then(|| format!("{config} of Fumadocs"));
    };
    let mdx = || ROOTS.iter().find_map(|root| evidence.mdx_below(root));
    if is_nextra(evidence) {
        Some(format!("{config} with Nextra"))
    } else if let Some(text) = mdx() {
        Some(format!("{config} and `{text}`"))
    } else {
        ROOTS
            .iter()
            .any(|root| evidence.has_jsx_below(root))
            .then(|| format!("{config} and JSX in Markdown"))
    }
}

fn settle(evidence: &Evidence<'_>, config: &mut Config, _: &Front) {
    config.translates_links = true;
    if let Some(collections) = fumadocs::Collections::read(evidence) {
        collections.settle(evidence, config);
    }
}

/// Folders of texts that a component of the site may show.
const SHOWN: &[&str] = &["_posts", "articles", "blog", "data", "docs", "posts"];

/// What is not a page, with the reason.
const NO_PAGES: [(&str, &str); 3] = [
    ("*[*]*", "a template of pages: its path has a parameter"),
    ("app/**/@*", "in a slot of other pages"),
    ("src/app/**/@*", "in a slot of other pages"),
];

/// The folders of the texts; below `app/` only pages are published.
fn scope(project: &Project<'_>) -> Scope {
    let shown: &[&str] = if is_nextra(project.evidence) {
        &[]
    } else {
        SHOWN
    };
    let no_pages = NO_PAGES
        .into_iter()
        .filter_map(|(pattern, why)| Some(Glob::parse(pattern)?.because(why)));
    let collections = fumadocs::Collections::read(project.evidence);
    let content: Vec<String> = match &collections {
        Some(own) => own
            .folders()
            .chain(PAGES.iter().copied())
            .map(str::to_owned)
            .collect(),
        None => ROOTS
            .iter()
            .chain(shown)
            .map(|root| (*root).to_owned())
            .collect(),
    };
    let rendered = ["**", "!/app", "!/src/app"]
        .into_iter()
        .filter_map(Glob::parse);
    let pages = ["app/**/page.*", "src/app/**/page.*"];
    let pages = pages
        .into_iter()
        .flat_map(|page| Glob::parse_paths("", page));
    Scope {
        copied: vec![Copied::at_root("public")],
        assets: vec!["src".to_owned(), "assets".to_owned()],
        rendered: rendered.chain(pages).collect(),
        excluded_texts: no_pages.collect(),
        by: collections.map(|own| own.file).unwrap_or_default(),
        ..Scope::new(content, &[])
    }
}

/// In the App Router `app/docs/page.mdx` is the page `/docs`, and a folder in parentheses only groups.
fn route(path: &str) -> Option<String> {
    let below = path.strip_prefix("src/").unwrap_or(path);
    let Some(below) = below.strip_prefix("app/") else {
        return without_groups(path);
    };
    let (folders, name) = below.rsplit_once('/').unwrap_or(("", below));
    let ending = name.strip_prefix("page.")?;
    let root = &path[..path.len() - below.len()];
    let shown = folders
        .split('/')
        .filter(|folder| !folder.is_empty() && !is_group(folder));
    let folders: Vec<&str> = shown.chain(["index"]).collect();
    Some(format!("{root}{}.{ending}", folders.join("/")))
}

fn is_group(folder: &str) -> bool {
    folder.starts_with('(') && folder.ends_with(')')
}

/// A path without folders that only group.
fn without_groups(path: &str) -> Option<String> {
    let parts = path.split('/');
    let shown: Vec<&str> = parts.clone().filter(|part| !is_group(part)).collect();
    (shown.len() < parts.count()).then(|| shown.join("/"))
}

/// `contentDirBasePath`: the place of the content on the site.
fn place_content(config: &mut Config, front: &Front) {
    const KEY: &str = "contentDirBasePath";
    let Some(place) = front.text(&[KEY]) else {
        return;
    };
    config.say(KEY, place);
    for folder in &ROOTS[..2] {
        config.permalinks.push(Permalink {
            scope: (*folder).to_owned(),
            pattern: format!("/{}/:path", place.trim_matches('/')),
            below: true,
        });
    }
}

/// Nextra lists all texts of its content; other sites show those that something arranges.
fn order(ask: &Ask<'_, '_>) -> Option<Outline> {
    is_nextra(ask.evidence).then(|| arrange::meta_of_all(ask))?
}

fn is_nextra(evidence: &Evidence<'_>) -> bool {
    evidence.says("package.json", &["\"nextra\"", "\"nextra-theme-"])
        || evidence.says("next.config.", &["nextra"])
}

#[cfg(test)]
mod tests {
    use super::route;
    use crate::dialects::kind::testing::kind_of;

    #[test]
    fn rule_35_a_site_of_next_is_one_of_mdx_where_its_texts_are() {
        let check = |files: &[(&str, &str)], expected: &str| {
            assert_eq!(kind_of(files), expected, "{files:?}");
        };
        check(
            &[
                ("next.config.mjs", ""),
                ("package.json", "{\"dependencies\":{\"nextra\":\"4\"}}"),
                ("pages/a.md", "a"),
            ],
            "nextra: `next.config.mjs` with Nextra",
        );
        check(
            &[("content/a/b.mdx", "a"), ("next.config.js", "")],
            "nextra: `next.config.js` and `content/a/b.mdx`",
        );
        check(
            &[
                ("next.config.js", ""),
                ("src/content/a.md", "# A {/*a*/}"),
                ("src/content/b.md", "# B {/*b*/}"),
            ],
            "nextra: `next.config.js` and JSX in Markdown",
        );
        check(
            &[("next.config.js", ""), ("posts/a.md", "# A")],
            "plain: nothing says otherwise",
        );
    }

    #[test]
    fn rule_45_a_page_of_the_app_router_is_its_folder() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(route(path).as_deref(), expected, "{path}");
        };
        check("app/docs/(own)/a/page.mdx", Some("app/docs/a/index.mdx"));
        check("src/app/page.md", Some("src/app/index.md"));
        check("app/docs/other.mdx", None);
        check("content/page.mdx", None);
        check("content/docs/(own)/a.mdx", Some("content/docs/a.mdx"));
        check("content/a (b).mdx", None);
    }
}
