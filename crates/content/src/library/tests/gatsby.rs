//! Gatsby: the folders that it reads, what it ignores there, and what its program asks of texts.

use super::scope::{canaries, check_canaries};
use super::*;

fn config(options: &str) -> String {
    format!(
        "const config = require('./config')\nconst CONTENT = \"content/posts\"\nmodule.exports = {{ plugins: [ {{ resolve: `gatsby-source-filesystem`, options: {{ {options} }} }}, `gatsby-transformer-remark` ] }}"
    )
}

const CONSTANTS: (&str, &str) = (
    "config.js",
    "module.exports = { dir: `${__dirname}/content/posts`, name: 'posts' }",
);

#[test]
fn rule_26_folders_of_gatsby_are_read_by_constants() {
    for path in [
        "path.resolve(CONTENT)",
        "path.join(__dirname, CONTENT)",
        "`${__dirname}/${CONTENT}`",
        "CONTENT",
        "config.dir",
        "`./content/${config.name}/`",
        "__dirname + '/content/posts'",
        "`content/posts`",
        "path.resolve(__dirname, './content/posts')",
    ] {
        let config = config(&format!("name: 'blog', path: {path}"));
        check_canaries(
            &[
                ("gatsby-config.js", &config),
                CONSTANTS,
                ("content/posts/a.md", "# A\n"),
            ],
            &["NOTES.md", "content/private/x.md", "internal/plan.md"],
            &["content/posts/a.md /articles/a"],
        );
    }
}

#[test]
fn rule_26_a_folder_of_gatsby_that_is_not_read_is_not_published() {
    for path in [
        "folder()",
        "process.env.DIR || 'content'",
        "`${dir()}/x`",
        "'../other'",
    ] {
        let config = config(&format!("name: 'blog', path: {path}"));
        let files = [("gatsby-config.js", &*config)];
        let library = canaries(&files, &["NOTES.md", "content/x.md", "internal/plan.md"]);
        let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
        let reason = match path {
            "'../other'" => "`../other` is outside the folder that is read",
            _ => "a program computes it",
        };
        assert!(
            said.iter()
                .any(|one| one.contains(&format!("`path` is not read: {reason}"))),
            "{path}: {said:?}"
        );
        let pages = [files[0], ("src/pages/a.md", "# A\n")];
        let library = canaries(&pages, &["NOTES.md", "content/x.md"]);
        assert_eq!(texts_of(&library), ["src/pages/a.md"]);
    }
}

#[test]
fn rule_26_what_a_folder_of_gatsby_ignores_is_not_published() {
    let config = config(
        "path: `${__dirname}/content/blog`, ignore: [`**/private/*`, `**/\\.*`, /\\.wip\\.md$/, '**/old*']",
    );
    check_canaries(
        &[
            ("gatsby-config.js", &config),
            ("content/blog/hello/index.md", "# A\n"),
        ],
        &[
            "content/blog/private/x.md",
            "content/blog/s/private/x.md",
            "content/blog/private/sub/x.md",
            "content/blog/a.wip.md",
            "content/blog/old-a.md",
        ],
        &["content/blog/hello/index.md /articles/blog/hello"],
    );
    for ignore in ["/(?<!a)b/", "[/(?<!a)b/]", "isDev ? [] : ['**/x*']"] {
        let config = super::gatsby::config(&format!("path: 'content/blog', ignore: {ignore}"));
        let library = canaries(&[("gatsby-config.js", &config)], &["content/blog/x.md"]);
        let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
        assert!(
            said.iter().any(|one| one.contains("`ignore` is not read")),
            "{ignore}: {said:?}"
        );
    }
}

#[test]
fn rule_26_what_the_program_of_gatsby_filters_out_is_not_published() {
    let config = config("path: `${__dirname}/content/blog`");
    let shown = |filter: &str, more: &str| {
        let node = format!(
            "exports.createPages = async ({{ graphql }}) => {{ const result = await graphql(`\n {{ allMarkdownRemark({filter}sort: {{ frontmatter: {{ date: ASC }} }}, limit: 1000) {{ nodes {{ id }} }} {more} }}`) }}"
        );
        let library = build(&[
            ("gatsby-config.js", &config),
            ("gatsby-node.js", &node),
            ("content/blog/none.md", "Words."),
            ("content/blog/no.md", "---\nshown: false\n---\nWords."),
            (
                "content/blog/yes.md",
                "---\nshown: true\nkind: post\n---\nWords.",
            ),
            ("src/pages/page.md", "Words."),
        ]);
        let texts: Vec<String> = texts_of(&library);
        let names: Vec<&str> = texts
            .iter()
            .filter_map(|one| one.rsplit('/').next()?.strip_suffix(".md"))
            .collect();
        (names.join(" "), library.problems.len())
    };
    let check = |filter: &str, expected: &str| {
        assert_eq!(shown(filter, ""), (expected.to_owned(), 0), "{filter}");
    };
    check("", "no none yes page");
    check(
        "filter: { frontmatter: { shown: { eq: true } } }, ",
        "yes page",
    );
    check(
        "filter: { frontmatter: { shown: { ne: true } } } ",
        "no none page",
    );
    check(
        "filter: {frontmatter: {shown: {ne: false}, kind: {eq: \"post\"}}}",
        "yes page",
    );
    check(
        "filter: { frontmatter: { kind: { in: [\"post\", \"x\"] } } }",
        "yes page",
    );
    let all = "no none yes page".to_owned();
    let filter = "filter: { frontmatter: { shown: { eq: true } } }, ";
    // Another query has all texts.
    assert_eq!(
        shown(filter, "other: allMarkdownRemark { nodes { id } }"),
        (all.clone(), 0)
    );
    // What is not read is named.
    assert_eq!(
        shown("filter: { fields: { shown: { eq: true } } } ", ""),
        (all.clone(), 1)
    );
    assert_eq!(shown("filter: $filter ", ""), (all, 1));
}

#[test]
fn rule_45_addresses_of_gatsby_count_from_its_folders() {
    let config = config("path: `${__dirname}/content/blog`");
    let old = |program: &str| {
        let library = build(&[
            ("gatsby-config.js", &config),
            ("gatsby-node.js", program),
            ("content/blog/hello/index.md", "# A\n\nWords.\n"),
            ("src/pages/about.md", "# About\n\nWords, [a](/hello/).\n"),
        ]);
        former(&library)
    };
    let usual = ["/about/ /src/pages/about", "/hello/ /articles/blog/hello"];
    let check = |program: &str, more: Option<&str>| {
        let old = old(program);
        for expected in usual.into_iter().chain(more) {
            assert!(old.contains(&expected.to_owned()), "{program}: {old:?}");
        }
        assert_eq!(
            old.iter().any(|one| one.starts_with("/news")),
            more.is_some()
        );
    };
    check(
        "createNodeField({ value: createFilePath({ node, getNode }) })",
        None,
    );
    let placed = Some("/news/hello/ /articles/blog/hello");
    check(
        "const value = `/news${createFilePath({ node, getNode })}`",
        placed,
    );
    check(
        "const slug = createFilePath({ node })\nfield({ value: `/news/${slug}` })",
        placed,
    );
}

#[test]
fn hostile_configurations_of_gatsby_are_read_in_linear_time() {
    for part in ["path:a+", "path:(", "ignore:[", "ignore:a+", "path:`${a}`+"] {
        let start = "plugins: [{resolve: 'gatsby-source-filesystem', options: {";
        let config = format!("{start}{}", part.repeat(40_000));
        build(&[("gatsby-config.js", &config), ("src/pages/a.md", "# A")]);
    }
}
