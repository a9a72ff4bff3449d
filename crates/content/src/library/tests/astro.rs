//! Which texts of collections the routes of an Astro site make pages of.

use super::scope::canaries;
use super::*;

const CONFIG: (&str, &str) = ("astro.config.mjs", "export default {}");

/// A route that makes pages of the collection `a`, with these statements in `getStaticPaths`.
fn route(statements: &str) -> String {
    format!(
        "---\nimport {{ getCollection, render }} from 'astro:content';\nimport {{ isPublic, getPosts, sorted }} from '../utils';\nexport async function getStaticPaths() {{\n  {statements}\n}}\nconst {{ Content }} = await render(Astro.props);\n---\n<p>It's</p><Content />\n"
    )
}

const UTILS: (&str, &str) = (
    "src/utils.ts",
    "import { getCollection } from 'astro:content';\nexport const isPublic = ({ data }) => !data.wip;\nexport async function getPosts() {\n  const all = await getCollection('a');\n  return all.filter(isPublic);\n}\nexport const sorted = (posts) => posts.filter(({ data }) => !data.wip).sort((a, b) => a.data.order - b.data.order);\n",
);

/// The published texts of the collection `a`, with these pages.
fn shown(pages: &[(&str, &str)]) -> Vec<String> {
    let files = [
        CONFIG,
        UTILS,
        ("src/content/a/ok.md", "---\nstage: public\n---\nOk."),
        (
            "src/content/a/wip.md",
            "---\nwip: true\nstage: public\n---\nWip.",
        ),
        (
            "src/content/a/tag.md",
            "---\ntags: [internal]\nstage: public\n---\nTag.",
        ),
        (
            "src/content/a/review.md",
            "---\nstage: review\n---\nReview.",
        ),
        (
            "src/content/a/My Notes/n.md",
            "---\nstage: public\n---\nNotes.",
        ),
    ];
    let files: Vec<(&str, &str)> = files.iter().chain(pages).copied().collect();
    let texts = published_texts(&files).into_iter();
    texts
        .map(|path| path.replace("src/content/a/", ""))
        .collect()
}

fn all_but(left_out: &str) -> Vec<String> {
    let all = ["My Notes/n.md", "ok.md", "review.md", "tag.md", "wip.md"];
    let all = all.into_iter().filter(|path| *path != left_out);
    all.map(str::to_owned).collect()
}

const MAP: &str = ".map((post) => ({ params: { slug: post.id }, props: post }));";

#[test]
fn rule_26_filters_of_the_route_of_a_collection_decide() {
    for (statements, left_out) in [
        (
            "const posts = await getCollection('a', ({ id }) => !id.startsWith('my-notes/')); return posts",
            "My Notes/n.md",
        ),
        (
            "const posts = await getCollection('a', ({ data }) => data.stage === 'public'); return posts",
            "review.md",
        ),
        (
            "const posts = await getCollection('a');\n  const shown = posts.filter((post) => !post.data.wip);\n  return shown",
            "wip.md",
        ),
        (
            "const posts = await getCollection('a', isPublic); return posts",
            "wip.md",
        ),
        (
            "const posts = await getCollection('a', ({ data }) => !data.tags?.includes('internal')); return posts",
            "tag.md",
        ),
        (
            "return (await getCollection('a')).filter(isPublic).sort((a, b) => 1)",
            "wip.md",
        ),
        ("return sorted(await getCollection('a'))", "wip.md"),
        ("const posts = await getPosts(); return posts", "wip.md"),
        ("return [...(await getPosts())]", "wip.md"),
        (
            "let unset: string\n  const posts = await getPosts();\n  if (!posts) return [];\n  return posts",
            "wip.md",
        ),
    ] {
        let route = route(&format!("{statements}{MAP}"));
        // What other pages ask, and other lists of the route, is no matter.
        let pages = [
            ("src/pages/[...slug].astro", &*route),
            (
                "src/pages/index.astro",
                "---\nconst all = await getCollection('a');\n---\n",
            ),
            (
                "src/pages/top.astro",
                "{(await getCollection('a', ({data}) => data.top)).map(x)}",
            ),
        ];
        assert_eq!(shown(&pages), all_but(left_out), "{statements}");
    }
}

#[test]
fn rule_26_a_filter_for_one_list_of_a_page_decides_nothing() {
    let related = route(&format!(
        "const posts = await getCollection('a');\n  const top = posts.filter((post) => post.data.top);\n  return posts{MAP}"
    ));
    assert_eq!(
        shown(&[("src/pages/[...slug].astro", &related)]),
        all_but("")
    );
    let tags = "---\nexport async function getStaticPaths() {\n  const posts = await getCollection('a', ({ data }) => data.tags);\n  return posts.map((post) => ({ params: { tag: post.data.tags[0] } }));\n}\n---\n";
    let open = route(&format!("return (await getCollection('a')){MAP}"));
    let pages = [
        ("src/pages/[...slug].astro", &*open),
        ("src/pages/tags/[tag].astro", tags),
    ];
    assert_eq!(shown(&pages), all_but(""));
    // A route that is not read lets all texts through that it may take.
    let pushed = route(
        "const paths = [];\n  for (const post of await getCollection('a')) paths.push({ params: { slug: post.id } });\n  return paths;",
    );
    let closed = route(&format!("return (await getCollection('a', isPublic)){MAP}"));
    let pages = [
        ("src/pages/[...slug].astro", &*pushed),
        ("src/pages/x/[slug].astro", &*closed),
    ];
    assert_eq!(shown(&pages), all_but(""));
    // Of two routes, both decide.
    let pages = [
        ("src/pages/[...slug].astro", &*open),
        ("src/pages/x/[slug].astro", &*closed),
    ];
    assert_eq!(shown(&pages), all_but(""));
}

#[test]
fn rule_26_a_text_without_a_key_has_the_value_of_the_schema() {
    let with = |schema: &str| {
        let config = format!(
            "import {{ glob }} from 'astro/loaders';\nexport const collections = {{ a: {{ loader: glob({{ base: './t', pattern: '**/*.md' }}), schema: z.object({{ {schema} }}) }} }};"
        );
        let route = route(&format!(
            "return (await getCollection('a', ({{ data }}) => data.live === true)){MAP}"
        ));
        published_texts(&[
            CONFIG,
            ("src/content.config.ts", &config),
            ("src/pages/[...slug].astro", &route),
            ("t/no.md", "---\nlive: false\n---\nN."),
            ("t/none.md", "N."),
            ("t/yes.md", "---\nlive: true\n---\nY."),
        ])
    };
    assert_eq!(with("live: z.boolean().optional()"), ["t/yes.md"]);
    assert_eq!(with("live: z.boolean().default(false)"), ["t/yes.md"]);
    assert_eq!(
        with("live: z.boolean().default(true)"),
        ["t/none.md", "t/yes.md"]
    );
    assert_eq!(with("...shared"), ["t/none.md", "t/yes.md"]);
}

#[test]
fn rule_26_a_filter_of_a_route_that_is_not_read_is_said() {
    let of = |filter: &str| {
        let route = route(&format!("return (await getCollection('a', {filter})){MAP}"));
        let library = build(&[
            CONFIG,
            ("src/pages/[...slug].astro", &route),
            ("src/content/a/ok.md", "Ok."),
        ]);
        let problems = library.problems.iter().map(ToString::to_string);
        problems.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(of("({ data }) => !data.wip"), "");
    let changed = route(&format!(
        "let posts = await getCollection('a');\n  posts = posts.filter(isPublic);\n  return posts{MAP}"
    ));
    let library = build(&[
        CONFIG,
        UTILS,
        ("src/pages/[...slug].astro", &changed),
        ("src/content/a/ok.md", "Ok."),
    ]);
    assert_eq!(library.problems.len(), 1, "{:?}", library.problems);
    let entry = "---\nimport { getEntry } from 'astro:content';\nconst { data } = await getEntry('a', 'ok');\n---\n";
    let library = build(&[
        CONFIG,
        ("src/pages/index.astro", entry),
        ("src/content/a/ok.md", "Ok."),
    ]);
    assert_eq!(library.problems, []);
    assert_eq!(
        of("({ data }) => allowed.has(data.group)"),
        "src/pages/[...slug].astro:5: warning: the filter of `a` is not read whole: texts that it leaves out may be published\n  hint: compare keys of `data` with literals, or write `draft: true` in these texts"
    );
}

#[test]
fn rule_26_a_collection_of_previews_alone_is_not_published() {
    let route = route(&format!(
        "return (await getCollection('a', () => import.meta.env.DEV)){MAP}"
    ));
    canaries(
        &[
            CONFIG,
            ("src/pages/[...slug].astro", &route),
            ("src/pages/b.md", "# B\n"),
        ],
        &["src/content/a/x.md"],
    );
}
