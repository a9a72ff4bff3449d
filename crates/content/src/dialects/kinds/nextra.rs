//! A Next.js site with MDX, as Nextra makes them: `next.config.*`, and texts in `content/` or
//! `pages/`. In Nextra `.md` is MDX as well.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::evidence::Evidence;

/// The folders of the texts.
const ROOTS: &[&str] = &[
    "src/content",
    "content",
    "src/pages",
    "pages",
    "src/app",
    "app",
];

pub(super) static DIALECT: Dialect = Dialect {
    name: "nextra",
    recognise,
    roots: ROOTS,
    outputs: &["out"],
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
        ..Keys::NONE
    },
    addresses: Some("/:path"),
    jsx: is_nextra,
    ..COMMON
};

/// A configuration of Next.js, and a text that only MDX explains: a site of plain Markdown that some
/// component reads is none of this kind.
fn recognise(evidence: &Evidence<'_>) -> Option<String> {
    let config = evidence.begins("next.config.")?;
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

fn is_nextra(evidence: &Evidence<'_>) -> bool {
    evidence.says("package.json", &["\"nextra\"", "\"nextra-theme-"])
        || evidence.says("next.config.", &["nextra"])
}

#[cfg(test)]
mod tests {
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
}
