//! A Docsify site: `index.html` with its script, `_sidebar.md`, `?> tip`, links with `#/`.

use crate::dialects::config::{Config, Keys};
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;
use crate::dialects::heading_ids;
use crate::dialects::scope::Scope;
use crate::model::path::join;
use crate::syntax::front::Front;

const PAGES: [&str; 2] = ["index.html", "docs/index.html"];

pub(super) static DIALECT: Dialect = Dialect {
    name: "docsify",
    recognise,
    // The site is the folder of the page.
    scope: |project| Scope::new(vec![project.config.folder().to_owned()], &[]),
    keys: Keys {
        files: &PAGES,
        title: &["$docsify.name", "name"],
        description: &[],
        author: &[],
        language: &[],
        address: &[],
        more: configure,
        ..Keys::NONE
    },
    addresses: Some("/:path"),
    readme_is_index: true,
    readme_is_home: true,
    hash_pages: true,
    copies_html: true,
    ignores_status: true,
    heading_ids: Some(heading_ids::DOCSIFY),
    ..COMMON
};

/// The first page with the script of Docsify.
fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let page = PAGES.into_iter().find_map(|path| evidence.file(path))?;
    let has = |words: &str| memchr::memmem::find(&page.bytes, words.as_bytes()).is_some();
    // The settings, or the script by its name or as a package.
    let signs = ["$docsify", "docsify.min.js", "docsify.js\"", "docsify@"];
    let is_one = signs.iter().any(|sign| has(sign));
    is_one.then(|| format!("the script of Docsify in `{}`", page.path))
}

/// The site is the folder of the page, and its home page a README if it does not name another.
fn configure(config: &mut Config, front: &Front) {
    let folder = config.folder().to_owned();
    let home = front.text(&["$docsify.homepage", "homepage"]);
    config.home = home
        .filter(|home| !home.contains("://"))
        .and_then(|home| join(&folder, home));
    if !folder.is_empty() {
        config.content = Some(folder);
    }
}
