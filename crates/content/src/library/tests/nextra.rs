//! Nextra: its home page, its templates of pages, and slots of the App Router.

use super::scope::check_canaries;
use super::*;

const PROGRAM: &str =
    "import nextra from 'nextra'\nexport default nextra({ contentDirBasePath: '/docs' })({ })";

#[test]
fn rule_45_the_index_of_the_content_of_nextra_is_beside_the_home_page() {
    let library = build(&[
        ("next.config.mjs", PROGRAM),
        ("app/page.mdx", "# App home\n\nWords.\n"),
        ("content/index.mdx", "# Content home\n\nWords.\n"),
        ("content/a.mdx", "# A\n\n[home](/docs)\n"),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [""; 0], "{:?}", library.report.skipped);
    assert_eq!(
        texts_of(&library),
        ["app/page.mdx", "content/a.mdx", "content/index.mdx"]
    );
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [""; 0]);
    let former = former(&library);
    let docs = former
        .iter()
        .find(|one| one.starts_with("/docs ") || one.starts_with("/docs/ "));
    assert!(docs.is_some(), "{former:?}");
}

#[test]
fn rule_26_templates_of_pages_and_slots_of_next_are_no_pages() {
    check_canaries(
        &[
            ("next.config.mjs", PROGRAM),
            ("app/(group)/about/page.mdx", "# About\n"),
            ("pages/tags/all.mdx", "# All\n"),
        ],
        &[
            "app/blog/[slug]/page.mdx",
            "app/[...all]/page.mdx",
            "app/@modal/page.mdx",
            "pages/tags/[tag].mdx",
            "pages/[name]/x.mdx",
        ],
        &[
            "app/(group)/about/page.mdx /about",
            "pages/tags/all.mdx /articles/tags/all",
        ],
    );
}
