//! Fumadocs: its collections, groups and includes.

use super::scope::{canaries, check_canaries};
use super::*;

const PACKAGE: (&str, &str) = (
    "package.json",
    "{\"dependencies\": {\"fumadocs-core\": \"15\", \"fumadocs-mdx\": \"11\"}}",
);

#[test]
fn rule_26_fumadocs_publishes_the_texts_of_its_collections() {
    let config = "import { defineDocs, defineConfig, defineCollections } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs', docs: { files: ['**/*.mdx', '!wip/**'] } });\nexport const blog = defineCollections({ type: 'doc', dir: ['content/blog'], schema: s() });\nexport default defineConfig();";
    for program in ["next.config.mjs", "vite.config.ts", "app.config.ts"] {
        check_canaries(
            &[
                PACKAGE,
                (program, "export default {}"),
                ("source.config.ts", config),
                ("content/docs/a.mdx", "# A\n"),
                ("content/docs/(group)/g.mdx", "# G\n"),
                ("content/blog/b.mdx", "# B\n"),
            ],
            &[
                "content/private/x.mdx",
                "content/docs/wip/x.mdx",
                "content/docs/x.md",
                "content/x.mdx",
                "notes/x.md",
                "README.md",
            ],
            &[
                "content/blog/b.mdx /articles/blog/b",
                "content/docs/(group)/g.mdx /articles/docs/g",
                "content/docs/a.mdx /articles/docs/a",
            ],
        );
    }
}

#[test]
fn rule_26_a_collection_of_fumadocs_that_is_not_read_is_withheld() {
    for dir in ["folder()", "process.env.DOCS", "'../docs'"] {
        let config = format!("export const docs = defineDocs({{ dir: {dir} }});");
        let library = canaries(
            &[
                PACKAGE,
                ("next.config.mjs", "export default {}"),
                ("source.config.ts", &config),
            ],
            &["content/docs/x.mdx", "docs/x.mdx", "README.md"],
        );
        let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
        assert!(
            said.iter()
                .any(|one| one.contains("`docs.dir` is not read")),
            "{dir}: {said:?}"
        );
    }
}

#[test]
fn rule_12_an_element_of_mdx_includes_a_file() {
    let text = "# A\n\n<include>./part.mdx</include>\n\n<include lang=\"ts\" meta='title=\"x\"'>../../code.ts</include>\n\n<include cwd>\n  content/docs/part.mdx#own\n</include>\n\n<include>./missing.mdx</include>\n\n`<include>./part.mdx</include>`\n";
    let library = build(&[
        PACKAGE,
        ("source.config.ts", "export const docs = defineDocs({});"),
        ("content/docs/a.mdx", text),
        (
            "content/docs/part.mdx",
            "Part **words**.\n\n<section id=\"own\">\n\nOwn words.\n\n</section>\n",
        ),
        ("code.ts", "const a = 1;\n"),
    ]);
    assert_eq!(
        twin(&library, "/articles/docs/a"),
        "Part **words**.\n\nOwn words.\n\n```ts\nconst a = 1;\n```\n\nOwn words.\n\n./missing.mdx\n\n`<include>./part.mdx</include>`"
    );
}

#[test]
fn rule_45_the_only_collection_of_fumadocs_is_where_its_program_says() {
    let library = build(&[
        PACKAGE,
        (
            "source.config.ts",
            "export const docs = defineDocs({ dir: 'content' });",
        ),
        (
            "src/lib/source.ts",
            "export const source = loader({ baseUrl: '/manual', source: docs.toFumadocsSource() });",
        ),
        ("content/(one)/a.mdx", "# A\n\nWords.\n"),
    ]);
    let former = former(&library);
    assert!(
        former.contains(&"/manual/a /articles/a".to_owned()),
        "{former:?}"
    );
}
