//! What of a folder is published: nothing that its generator would not publish.

use super::*;

const SECRET: &str = "a secret word";

/// Everything that a library publishes, as text.
pub(super) fn everything(library: &Library) -> String {
    let site = site();
    let mut all = String::new();
    for article in library.articles.iter().chain(&library.pages) {
        let rendering = Rendering {
            base: &site.base,
            stem: &article.stem,
            targets: &article.targets,
            purpose: Purpose::Twin,
            typography: None,
            back: None,
        };
        let twin = write_markdown(&article.document, &rendering).text;
        let words = [
            &*article.source,
            &*article.title,
            &*article.summary,
            twin.as_str(),
        ];
        all.push_str(&words.join("\n"));
    }
    for file in &library.files {
        all.push_str(&file.path);
        all.push_str(&String::from_utf8_lossy(&file.bytes));
    }
    all
}

/// The published sources of a folder: `path stem` of texts, `path address` of files.
pub(super) fn published(library: &Library) -> Vec<String> {
    let texts = library.articles.iter().chain(&library.pages);
    let texts = texts.map(|text| format!("{} {}", text.source, text.stem));
    let files = library.files.iter();
    let files = files.map(|file| format!("{} {}", file.source, file.path));
    let mut all: Vec<String> = texts.chain(files).collect();
    all.sort();
    all
}

/// Builds a folder of public files and of secret ones (a path alone), which hold a secret word.
pub(super) fn canaries(public: &[(&str, &str)], secret: &[&str]) -> Library {
    canaries_in(&[], public, secret)
}

/// The same with hidden folders.
pub(super) fn canaries_in(hidden: &[&str], public: &[(&str, &str)], secret: &[&str]) -> Library {
    let secrets = secret
        .iter()
        .map(|path| (*path, "---\ntitle: a secret word\n---\na secret word\n"));
    let files: Vec<(&str, &str)> = public.iter().copied().chain(secrets).collect();
    let mut sources = sources(&files);
    sources
        .hidden
        .extend(hidden.iter().map(|one| (*one).to_owned()));
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert!(
        !everything(&library).contains(SECRET),
        "{:?}",
        published(&library)
    );
    let Report {
        found,
        published,
        set_aside,
        skipped,
        ..
    } = &library.report;
    let skipped: usize = skipped.values().map(Vec::len).sum();
    assert_eq!(*found, published + set_aside.len() + skipped);
    library
}

pub(super) fn check_canaries(public: &[(&str, &str)], secret: &[&str], expected: &[&str]) {
    assert_eq!(published(&canaries(public, secret)), expected);
}

#[test]
fn rule_26_mkdocs_publishes_its_docs_dir() {
    let library = canaries(
        &[
            (
                "mkdocs.yml",
                "site_name: S\ndocs_dir: text\nexclude_docs: |\n  drafts/\n",
            ),
            (
                "text/index.md",
                "# Home\n\nwords ![](img/a.png) [raw](data.py)\n",
            ),
            ("text/guide/a.md", "# A\n\nwords\n"),
            ("text/img/a.png", "x"),
            ("text/data.py", "print"),
        ],
        &[
            "README.md",
            "internal/plan.md",
            "prompts/threat-model.md",
            "docs/old.md",
            "static/leak.txt",
            "text/drafts/x.md",
            "text/part.mdx",
            "overrides/main.html",
            "site/index.html",
            "text/secret.py",
        ],
    );
    assert_eq!(
        published(&library),
        [
            "text/data.py /articles/data.py",
            "text/guide/a.md /articles/guide/a",
            "text/img/a.png /articles/img/a.png",
            "text/index.md /index",
        ]
    );
    let reason = "outside `text/`, the folder that `mkdocs.yml` publishes";
    assert_eq!(library.report.skipped[reason].len(), 5);
}

#[test]
fn rule_26_mdbook_publishes_the_chapters_of_its_summary() {
    check_canaries(
        &[
            ("book.toml", "[book]\ntitle = 'B'\nsrc = 'text'\n"),
            (
                "text/SUMMARY.md",
                "# Summary\n\n[Start](start.md)\n- [A](a/README.md) <!-- - [S](s.md) -->\n  - [Draft]()\n- [B](<b c.md>)\n<!--\n- [S](s.md)\n-->\n",
            ),
            ("text/start.md", "# Start\n\nwords\n"),
            ("text/a/README.md", "# A\n\nwords\n"),
            ("text/b c.md", "# B\n\n[linked](linked.md)\n"),
            ("text/linked.md", "# Linked\n\nwords\n"),
            ("text/x.svg", "x"),
        ],
        &[
            "s.md",
            "text/s.md",
            "nostarch/ch1.md",
            "2018-edition/src/a.md",
            "ADMIN_TASKS.md",
            "book/index.html",
        ],
        &[
            "text/a/README.md /articles/a",
            "text/b c.md /articles/b-c",
            "text/linked.md /linked",
            "text/start.md /articles/start",
            "text/x.svg /articles/x.svg",
        ],
    );
}

#[test]
fn rule_26_vitepress_publishes_markdown_and_public() {
    let mut sources = sources(&[
        (
            "docs/.vitepress/config.mts",
            "export default { srcExclude: ['private/**', '**/TODO.md'] }",
        ),
        ("docs/index.md", "# Home\n\n![](./a.png)\n"),
        ("docs/guide/a.md", "# A\n\nwords\n"),
        ("docs/a.png", "x"),
        ("docs/unused.png", SECRET),
        ("docs/template.html", "<p>a secret word</p>"),
        ("docs/public/logo.svg", "x"),
        ("docs/private/x.md", SECRET),
        ("docs/guide/TODO.md", SECRET),
        ("README.md", SECRET),
        ("packages/x/readme.md", SECRET),
        ("notes.md", SECRET),
    ]);
    sources.hidden.insert("docs/.vitepress".to_owned());
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert!(!everything(&library).contains(SECRET));
    assert_eq!(
        published(&library),
        [
            "docs/a.png /articles/a.png",
            "docs/guide/a.md /articles/guide/a",
            "docs/index.md /index",
            "docs/public/logo.svg /logo.svg",
        ]
    );
}

#[test]
fn rule_26_docusaurus_publishes_its_plug_ins() {
    check_canaries(
        &[
            (
                "docusaurus.config.js",
                "export default { presets: [['classic', { docs: { path: 'text' }, blog: false }]], plugins: [['@docusaurus/plugin-content-docs', { id: 'c', path: 'community', routeBasePath: 'community' }]] }",
            ),
            ("text/intro.md", "# Intro\n\n![](./a.png)\n"),
            ("text/a.png", "x"),
            ("community/c.mdx", "# C\n\nwords\n"),
            ("src/pages/about.md", "# About\n\nwords\n"),
            ("static/img/l.svg", "x"),
        ],
        &[
            "README.md",
            "docs/old.md",
            "blog/2024-01-01-post.md",
            "notes/plan.md",
            "text/_part.md",
            "text/_private/x.md",
            "text/unused.pdf",
            "src/components/x.md",
            "build/index.html",
        ],
        &[
            "community/c.mdx /community/c",
            "src/pages/about.md /about",
            "static/img/l.svg /img/l.svg",
            "text/a.png /articles/a.png",
            "text/intro.md /articles/intro",
        ],
    );
}

#[test]
fn rule_26_astro_and_starlight_publish_their_collections() {
    check_canaries(
        &[
            (
                "astro.config.mjs",
                "import starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'D' })] })",
            ),
            ("src/content/docs/a.md", "# A\n\n![](../../assets/x.png)\n"),
            ("src/assets/x.png", "x"),
            ("src/pages/about.md", "# About\n\nwords\n"),
            ("public/robot.svg", "x"),
        ],
        &[
            "README.md",
            "src/content/notes/x.md",
            "src/content/config.md",
            "src/assets/y.png",
            "src/pages/_draft.md",
            "docs/x.md",
            "dist/a/index.html",
        ],
        &[
            "public/robot.svg /robot.svg",
            "src/assets/x.png /src/assets/x.png",
            "src/content/docs/a.md /articles/a",
            "src/pages/about.md /about",
        ],
    );
}

#[test]
fn rule_26_next_publishes_its_content_and_public() {
    check_canaries(
        &[
            ("next.config.js", ""),
            ("package.json", "{\"dependencies\":{\"nextra\":\"4\"}}"),
            ("content/a.mdx", "# A\n\n![](./a.png)\n"),
            ("content/a.png", "x"),
            ("public/l.svg", "x"),
        ],
        &[
            "README.md",
            "docs/x.md",
            "components/x.mdx",
            "content/unused.png",
            "content/_private/x.md",
        ],
        &[
            "content/a.mdx /articles/a",
            "content/a.png /articles/a.png",
            "public/l.svg /l.svg",
        ],
    );
}

#[test]
fn rule_26_gitbook_and_docsify_publish_their_folder() {
    check_canaries(
        &[
            (".gitbook.yaml", "root: ./text\n"),
            (
                "text/SUMMARY.md",
                "# S\n\n* [Home](README.md)\n* [A](a.md)\n",
            ),
            ("text/README.md", "# Home\n\nwords\n"),
            ("text/a.md", "# A\n\nwords\n"),
        ],
        &["README.md", "notes/x.md", "text/unlisted.md"],
        &["text/README.md /index", "text/a.md /articles/a"],
    );
    check_canaries(
        &[
            (
                "docs/index.html",
                "<script>window.$docsify = { name: 'D' }</script>",
            ),
            ("docs/README.md", "# Home\n\nwords\n"),
            ("docs/a.md", "# A\n\nwords\n"),
        ],
        &["README.md", "notes/x.md", "docs/_private/x.md"],
        &["docs/README.md /index", "docs/a.md /articles/a"],
    );
}

#[test]
fn rule_26_hugo_publishes_its_content() {
    check_canaries(
        &[
            ("hugo.toml", "title = 'H'\n"),
            ("content/posts/a.md", "---\ntitle: A\n---\nwords\n"),
            ("content/posts/b/index.md", "---\ntitle: B\n---\nwords\n"),
            ("content/posts/b/x.svg", "x"),
            (
                "content/closed/_index.md",
                "---\ntitle: C\ncascade:\n  draft: true\n---\n",
            ),
            (
                "content/closed/open.md",
                "---\ntitle: O\ndraft: false\n---\nwords\n",
            ),
            (
                "content/d/index.md",
                "---\ntitle: D\ndraft: true\n---\nwords\n",
            ),
            ("static/l.svg", "x"),
        ],
        &[
            "README.md",
            "notes.md",
            "docs/x.md",
            "themes/t/content/x.md",
            "archetypes/default.md",
            "layouts/404.html",
            "content/posts/b/more.md",
            "content/posts/b/deep/more.md",
            "content/closed/x.md",
            "content/closed/deep/x.md",
            "content/d/x.svg",
            "public/index.html",
        ],
        &[
            "content/closed/open.md /closed/open",
            "content/posts/a.md /articles/a",
            "content/posts/b/index.md /articles/b",
            "content/posts/b/x.svg /articles/b/x.svg",
            "static/l.svg /l.svg",
        ],
    );
}

#[test]
fn rule_26_html_in_a_static_folder_stays_the_file_that_it_is() {
    let files = [
        ("hugo.toml", "title = 'H'\n"),
        (
            "content/posts/a.md",
            "---\ntitle: A\naliases: [/demo/]\n---\n[demo](/demo/) [x](/x.html#part)\n",
        ),
        ("content/x.md", "---\ntitle: X\nurl: /y/\n---\nwords\n"),
        ("content/taken.md", "---\ntitle: T\n---\nwords\n"),
        ("static/demo/index.html", "<p>words</p><script>x()</script>"),
        ("static/x.html", "google-site-verification: x.html"),
        ("static/posts/a.html", "<p>no article</p>"),
        ("static/404.html", "<h1>Lost</h1><p>Go back.</p>"),
    ];
    let library = build(&files);
    assert_eq!(
        published(&library),
        [
            "content/posts/a.md /articles/a",
            "content/taken.md /taken",
            "content/x.md /x",
            "static/404.html /404",
            "static/demo/index.html /demo/index.html",
            "static/posts/a.html /posts/a.html",
        ]
    );
    let demo = library.files.iter().find(|file| file.path.contains("demo"));
    assert_eq!(&*demo.unwrap().bytes, files[4].1.as_bytes());
    assert_eq!(
        twin(&library, "/articles/a"),
        "[demo](https://example.org/demo/index.html) [x](https://example.org/x.md)"
    );
}

#[test]
fn rule_26_html_of_docsify_is_a_file_beside_the_text_of_the_same_name() {
    let library = build(&[
        ("index.html", "<script>window.$docsify = {}</script>"),
        ("README.md", "# Home\n\nwords\n"),
        (
            "a.md",
            "# A\n\n[page](a.html) [text](a.md) [other](b.html)\n",
        ),
        ("a.html", "<p>a page of its own</p>"),
        ("b.html", "<p>another</p>"),
    ]);
    assert_eq!(
        published(&library),
        [
            "README.md /index",
            "a.html /a.html",
            "a.md /articles/a",
            "b.html /b.html",
        ]
    );
    assert_eq!(
        twin(&library, "/articles/a"),
        "[page](https://example.org/a.html) [text](https://example.org/articles/a.md) [other](https://example.org/b.html)"
    );
}

#[test]
fn rule_26_hugo_mounts_replace_the_content() {
    check_canaries(
        &[
            (
                "hugo.toml",
                "[[module.mounts]]\nsource = 'text'\ntarget = 'content'\n[[module.mounts]]\nsource = 'pics'\ntarget = 'static/img'\n",
            ),
            ("text/a.md", "---\ntitle: A\n---\nwords\n"),
            ("pics/l.svg", "x"),
        ],
        &["content/x.md", "docs/x.md", "static/x.svg"],
        &["pics/l.svg /img/l.svg", "text/a.md /articles/a"],
    );
}

#[test]
fn rule_26_zola_publishes_its_content() {
    check_canaries(
        &[
            ("config.toml", "base_url = 'https://e.org'\n"),
            ("content/a.md", "+++\ntitle = 'A'\n+++\nwords\n"),
            ("content/b/index.md", "+++\ntitle = 'B'\n+++\nwords\n"),
            ("content/b/more.md", "+++\ntitle = 'M'\n+++\nwords\n"),
            ("content/closed/_index.md", "+++\ndraft = true\n+++\n"),
            ("content/gone/index.md", "+++\ndraft = true\n+++\nwords\n"),
            ("static/l.svg", "x"),
        ],
        &[
            "README.md",
            "docs/x.md",
            "templates/x.html",
            "themes/t/content/x.md",
            "content/closed/x.md",
            "content/closed/x.svg",
            "content/gone/x.svg",
            "content/x.markdown",
        ],
        &[
            "content/a.md /articles/a",
            "content/b/index.md /articles/b",
            "content/b/more.md /articles/b/more",
            "static/l.svg /l.svg",
        ],
    );
}

#[test]
fn rule_26_hexo_publishes_its_source() {
    check_canaries(
        &[
            ("_config.yml", "title: H\nskip_render: private/**\n"),
            ("source/_posts/a.md", "---\ntitle: A\n---\nwords\n"),
            ("source/about/index.md", "---\ntitle: About\n---\nwords\n"),
            ("source/l.svg", "x"),
        ],
        &[
            "README.md",
            "scaffolds/post.md",
            "themes/t/README.md",
            "themes/t/source/x.svg",
            "docs/x.md",
            "source/_drafts/x.md",
            "source/_data/x.md",
            "source/private/x.md",
        ],
        &[
            "source/_posts/a.md /articles/a",
            "source/about/index.md /about",
            "source/l.svg /l.svg",
        ],
    );
}

#[test]
fn rule_26_vuepress_publishes_its_folder_and_its_public_files() {
    check_canaries(
        &[
            ("docs/.vuepress/config.ts", "export default {}"),
            ("docs/.vuepress/public/images/l.svg", "x"),
            ("docs/.vuepress/public/old.html", "<p>Moved"),
            ("docs/a.md", "# A\n\n![](/images/l.svg) [guide](/guide/)\n"),
            ("docs/README.md", "# Home\n\nwords\n"),
            ("docs/guide/README.md", "# Guide\n\nwords\n"),
        ],
        &[
            "README.md",
            "docs/.vuepress/public/.env",
            "docs/.vuepress/public/.git/x.txt",
            "docs/.vuepress/components/x.md",
            "docs/.vuepress/x.svg",
        ],
        &[
            "docs/.vuepress/public/images/l.svg /images/l.svg",
            "docs/.vuepress/public/old.html /old",
            "docs/README.md /index",
            "docs/a.md /articles/a",
            "docs/guide/README.md /articles/guide",
        ],
    );
}

#[test]
fn rule_26_gatsby_publishes_the_folders_that_it_reads() {
    for path in [
        "`${__dirname}/content/blog`",
        "path.join(__dirname, 'content', 'blog')",
        "__dirname + '/content/blog/'",
        "'./content/blog'",
        "path.resolve(`content/blog`)",
    ] {
        let config = format!(
            "module.exports = {{ plugins: [\n  {{ resolve: 'gatsby-source-filesystem', options: {{ name: 'b', path: {path} }} }},\n  {{ resolve: `gatsby-source-filesystem`, options: {{ path: `${{__dirname}}/src/images` }} }},\n  {{ resolve: 'gatsby-plugin-page-creator', options: {{ path: 'plans' }} }},\n] }};"
        );
        check_canaries(
            &[
                ("gatsby-config.js", &config),
                (
                    "content/blog/a/index.md",
                    "# A\n\n![](../../../src/images/a.png)\n",
                ),
                ("src/images/a.png", "x"),
                ("src/pages/about.mdx", "# About\n"),
                ("static/l.svg", "x"),
            ],
            &[
                "README.md",
                "plans/x.md",
                "content/notes/x.md",
                "src/images/b.png",
            ],
            &[
                "content/blog/a/index.md /articles/blog/a",
                "src/images/a.png /src/images/a.png",
                "src/pages/about.mdx /src/pages/about",
                "static/l.svg /l.svg",
            ],
        );
    }
    let unnamed = "module.exports = { plugins: ['gatsby-theme-own'] };";
    check_canaries(
        &[("gatsby-config.js", unnamed), ("notes/a.md", "# A\n")],
        &[],
        &["notes/a.md /articles/notes/a"],
    );
}

#[test]
fn rule_26_wikilinks_do_not_make_a_vault_of_a_generators_folder() {
    let linking = "# A\n\n[[b]] [c](/docs/c)\n";
    check_canaries(
        &[
            (
                "docs/conf.py",
                "extensions = ['myst_parser']\nexclude_patterns = ['old']\n",
            ),
            ("docs/a.md", linking),
            ("docs/b.md", linking),
        ],
        &["docs/old/x.md", "plans/x.md"],
        &["docs/a.md /articles/a", "docs/b.md /articles/b"],
    );
    let library = canaries(
        &[
            (
                "bridgetown.config.yml",
                "collections:\n  docs:\n    output: true\n    permalink: /:collection/:path.*\n  parts:\n    output: false\n",
            ),
            ("src/_docs/c.md", linking),
            ("src/_posts/2024-01-02-a.md", linking),
            ("src/b.md", linking),
        ],
        &["src/_parts/x.md", "src/_other/x.md", "plans/x.md"],
    );
    assert_eq!(
        published(&library),
        [
            "src/_docs/c.md /articles/_docs/c",
            "src/_posts/2024-01-02-a.md /articles/_posts/2024-01-02-a",
            "src/b.md /articles/b",
        ]
    );
    assert_eq!(library.report.references.links.broken, 0);
}

#[test]
fn rule_26_eleventy_publishes_its_input() {
    check_canaries(
        &[
            (
                "eleventy.config.js",
                "export default function (c) {\n  c.addPassthroughCopy({ './public/': '/' });\n  c.addPassthroughCopy('text/files');\n  c.addPassthroughCopy({ '_assets': 'assets' });\n  // c.addPassthroughCopy('keys');\n  c.ignores.add('text/ignored/**');\n}\nexport const config = { dir: { input: 'text', includes: '../parts', data: 'data' } };",
            ),
            (".eleventyignore", "# x\ntext/hidden.md\n"),
            (
                "text/.eleventyignore",
                "/plans\nnotes/own.md\n!plans/x.md\n",
            ),
            ("text/a.md", "---\ntitle: A\n---\nwords ![](a.png)\n"),
            ("text/a.png", "x"),
            ("text/files/f.csv", "x"),
            ("_assets/s.svg", "x"),
            ("public/l.svg", "x"),
            ("text/closed/closed.json", "{ \"permalink\": false }"),
            (
                "text/drafts/drafts.11tydata.js",
                "export default { draft: true, tags: ['x'] };",
            ),
        ],
        &[
            "README.md",
            "docs/x.md",
            "keys/k.txt",
            "parts/x.md",
            "text/data/x.md",
            "text/ignored/x.md",
            "text/hidden.md",
            "text/plans/x.md",
            "text/notes/own.md",
            "text/closed/x.md",
            "text/drafts/deep/x.md",
            "_assets/_x/s.svg",
            "_other/s.svg",
            "text/unused.png",
            "_site/index.html",
        ],
        &[
            "_assets/s.svg /assets/s.svg",
            "public/l.svg /l.svg",
            "text/a.md /articles/a",
            "text/a.png /articles/a.png",
            "text/files/f.csv /files/f.csv",
        ],
    );
}

#[test]
fn rule_26_jekyll_publishes_what_it_renders() {
    check_canaries(
        &[
            (
                "_config.yml",
                "title: J\nexclude: [private, '*.bak.md']\ncollections:\n  guides: {output: true}\n",
            ),
            ("Gemfile", "gem 'jekyll'\n"),
            ("_posts/2024-01-01-a.md", "---\ntitle: A\n---\nwords\n"),
            ("_guides/g.md", "---\ntitle: G\n---\nwords\n"),
            ("about.md", "---\ntitle: About\n---\nwords\n"),
            ("plain.md", "# Plain\n\nwords\n"),
            ("sub/private/x.md", "---\ntitle: S\n---\nwords\n"),
            ("assets/l.svg", "x"),
        ],
        &[
            "_drafts/x.md",
            "_other/x.md",
            "_posts/idea.md",
            "sub/_posts/plan.md",
            "~note.md",
            "#list.md",
            "~old/x.md",
            "_includes/x.md",
            "_layouts/x.html",
            "private/x.md",
            "private-too/x.md",
            "sub/x.bak.md",
            "vendor/bundle/x.md",
            "_site/index.html",
            "sub/_notes/x.md",
        ],
        &[
            "_guides/g.md /guides/g",
            "_posts/2024-01-01-a.md /articles/2024-01-01-a",
            "about.md /about",
            "assets/l.svg /assets/l.svg",
            "sub/private/x.md /sub/private/x",
        ],
    );
}

#[test]
fn rule_26_quarto_publishes_its_render_targets() {
    let quarto = |project: &str| format!("project:\n  type: website\n{project}");
    check_canaries(
        &[
            (
                "_quarto.yml",
                &quarto(
                    "  render: ['/*.qmd', 'posts/', '!posts/old/']\n  resources: ['data/*.csv']\n",
                ),
            ),
            ("index.qmd", "---\ntitle: Home\n---\n![](a.png)\n"),
            ("posts/a.qmd", "---\ntitle: A\n---\nwords\n"),
            ("a.png", "x"),
            ("data/x.csv", "x"),
        ],
        &[
            "README.md",
            "notes/x.qmd",
            "posts/old/x.qmd",
            "_part.qmd",
            "unused.png",
            "x.html",
        ],
        &[
            "a.png /a.png",
            "data/x.csv /data/x.csv",
            "index.qmd /index",
            "posts/a.qmd /articles/a",
        ],
    );
    check_canaries(
        &[
            (
                "_quarto.yml",
                "project: {type: book}\nbook:\n  chapters:\n    - index.qmd\n    - part: P\n      chapters: [a.qmd]\n    - file: b.qmd\n",
            ),
            ("index.qmd", "---\ntitle: Home\n---\nwords\n"),
            ("a.qmd", "---\ntitle: A\n---\nwords\n"),
            ("b.qmd", "---\ntitle: B\n---\nwords\n"),
        ],
        &["c.qmd", "notes/x.md"],
        &["a.qmd /articles/a", "b.qmd /articles/b", "index.qmd /index"],
    );
}

#[test]
fn rule_26_a_root_without_a_text_is_said_and_the_folder_is_read() {
    let library = build(&[
        ("mkdocs.yml", "docs_dir: text\n"),
        ("notes/a.md", "# A\n\nwords\n"),
    ]);
    assert_eq!(published(&library), ["notes/a.md /articles/notes/a"]);
    let problems: Vec<String> = library
        .problems
        .iter()
        .map(|problem| problem.message.clone())
        .collect();
    assert_eq!(
        problems,
        ["no text is in the folders that `mkdocs.yml` publishes, so the whole folder is read"]
    );
}

#[test]
fn rule_26_the_settings_decide_otherwise() {
    let files = [
        ("mkdocs.yml", ""),
        ("docs/a.md", "# A\n\nwords\n"),
        ("notes/b.md", "# B\n\nwords\n"),
    ];
    let with = |settings: &str| {
        let (settings, problems) =
            crate::syntax::settings::Settings::parse(settings, "diglot.toml");
        assert!(problems.is_empty());
        let site = settings
            .into_site("Folder", BaseUrl::parse("https://example.org").unwrap())
            .unwrap();
        published(&Library::build(
            &sources(&files),
            &site,
            NOW.parse().unwrap(),
        ))
    };
    assert_eq!(with(""), ["docs/a.md /articles/a"]);
    assert_eq!(
        with("articles = 'notes'"),
        ["docs/a.md /a", "notes/b.md /articles/b"]
    );
    assert_eq!(
        with("dialect = 'plain'"),
        ["docs/a.md /articles/a", "notes/b.md /notes/b"]
    );
}

#[test]
fn rule_30_a_folder_reached_twice_is_published_once() {
    let mut sources = sources(&[
        ("pages/a.md", "# A\n\nwords\n"),
        ("pages/x.svg", "x"),
        ("pages.en/a.md", "# A\n\nwords\n"),
        ("pages.en/x.svg", "x"),
        ("b.md", "# B\n\n[a](pages.en/a.md)\n"),
        ("c.md", "# B\n\n[a](pages.en/a.md)\n"),
    ]);
    sources
        .links
        .insert("pages.en".to_owned(), "pages".to_owned());
    sources.links.insert("c.md".to_owned(), "b.md".to_owned());
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert_eq!(
        published(&library),
        [
            "b.md /articles/b",
            "pages/a.md /articles/pages/a",
            "pages/x.svg /pages/x.svg"
        ]
    );
    let reason = "symbolic link to `pages`, which is read already";
    assert_eq!(
        library.report.skipped[reason],
        ["pages.en/a.md", "pages.en/x.svg"]
    );
    assert_eq!(library.problems, []);
}

#[test]
fn rule_30_a_link_to_what_is_not_published_is_a_file_of_its_own() {
    let mut sources = sources(&[
        ("mkdocs.yml", ""),
        ("README.md", "# Read\n\nwords\n"),
        ("docs/index.md", "# Read\n\nwords\n"),
        ("docs/about.md", "# Read\n\nwords\n"),
    ]);
    for link in ["docs/index.md", "docs/about.md"] {
        sources
            .links
            .insert(link.to_owned(), "README.md".to_owned());
    }
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert_eq!(published(&library), ["docs/about.md /articles/about"]);
    let reason = "symbolic link to `README.md`, which is read already";
    assert_eq!(library.report.skipped[reason], ["docs/index.md"]);
}

#[test]
fn rule_31_files_that_a_published_text_links_to_are_published() {
    check_canaries(
        &[
            (
                "articles/a/index.md",
                "# A\n\n[data](points.obj) [script](run.sh) [CC0](../../LICENSE.md) ![](x.fig)\n",
            ),
            ("articles/a/points.obj", "x"),
            ("articles/a/run.sh", "x"),
            ("articles/a/x.fig", "x"),
            (
                "articles/b.md",
                "---\ndraft: true\n---\n[secret](draft.obj) [more](../CHANGELOG.md)\n",
            ),
            (
                "LICENSE.md",
                "# Licence\n\n[more](legal/NOTICE.md) [it](package.json) [key](.ssh/key)\n",
            ),
            ("legal/NOTICE.md", "# Notice\n\nwords\n"),
            ("CHANGELOG.md", "# Changes\n\na secret word\n"),
        ],
        &[
            "articles/draft.obj",
            "articles/a/unlinked.obj",
            "package.json",
        ],
        &[
            "LICENSE.md /LICENSE",
            "articles/a/index.md /articles/a",
            "articles/a/points.obj /articles/a/points.obj",
            "articles/a/run.sh /articles/a/run.sh",
            "articles/a/x.fig /articles/a/x.fig",
            "legal/NOTICE.md /legal/NOTICE",
        ],
    );
}

#[test]
fn rule_31_a_linked_text_that_is_withheld_stays_so() {
    check_canaries(
        &[
            ("a.md", "# A\n\n[b](CHANGELOG.md) [c](_private/x.md)\n"),
            ("CHANGELOG.md", "---\ndraft: true\n---\na secret word\n"),
        ],
        &["_private/x.md"],
        &["a.md /articles/a"],
    );
}

#[test]
fn rule_32_what_jekyll_excludes_counts_from_the_root() {
    let library = build(&[
        ("_config.yml", "exclude: [docs, notes/b.md]\n"),
        ("docs/a.md", "---\ntitle: A\n---\nGone."),
        ("notes/b.md", "---\ntitle: B\n---\nGone."),
        ("notes/c.md", "---\ntitle: C\n---\nKept."),
        ("EIPS/docs/d.md", "---\ntitle: D\n---\nKept."),
    ]);
    let published = library.articles.iter().chain(&library.pages);
    let mut sources: Vec<&str> = published.map(|article| &*article.source).collect();
    sources.sort_unstable();
    assert_eq!(sources, ["EIPS/docs/d.md", "notes/c.md"]);
}

#[test]
fn rule_33_the_text_of_the_page_for_missing_addresses() {
    let check = |path: &str, text: &str| {
        let library = build(&[("a.md", "# A\n\nwords\n"), (path, text)]);
        assert_eq!(library.problems, [], "{path}");
        let page = &library.pages[0];
        assert_eq!(
            (&*page.stem, &*page.title, page.listed),
            ("/404", "Lost", false),
            "{path}"
        );
        assert_eq!(library.articles.len(), 1);
        let mut redirects = library.redirects.values();
        assert!(
            redirects.all(|to| to.to_string() == "/articles/a"),
            "{path}"
        );
    };
    check(
        "404.md",
        "---\ntitle: Lost\npermalink: /404.html\n---\nGo [back](a.md).\n",
    );
    check(
        "404.html",
        "---\ntitle: Lost\nlayout: x\n---\n<p>Go back.</p>\n",
    );
    check(
        "static/404.html",
        "<title>Lost</title><h1>Lost</h1><p>Go back.</p>",
    );
}

#[test]
fn rule_33_nothing_else_has_that_address() {
    let library = build(&[
        ("404.md", "# Lost\n\nGo back.\n"),
        ("public/404.html", "<h1>Other</h1><p>words</p>"),
        ("articles/a.md", "# A\n\nwords\n"),
        ("x.md", "---\nslug: '404'\n---\n# X\n\nwords\n"),
    ]);
    assert_eq!(
        published(&library),
        ["404.md /404", "articles/a.md /articles/a"]
    );
    assert!(
        library
            .report
            .skipped
            .contains_key("`404.md` is the text for missing addresses")
    );
    assert_eq!(library.report.set_aside.len(), 1);
}

#[test]
fn contract_7_a_skill_of_the_authors_is_published_as_it_is() {
    let library = build(&[
        ("articles/a.md", "Words."),
        (".well-known/agent-skills/index.json", "{}"),
        (
            ".well-known/agent-skills/own/SKILL.md",
            "---\nname: own\n---\n",
        ),
        (".well-known/agent-skills/own/scripts/run.py", "pass"),
    ]);
    let skill = |path: &str| format!("{path} /{path}");
    assert_eq!(
        published(&library),
        [
            skill(".well-known/agent-skills/index.json"),
            skill(".well-known/agent-skills/own/SKILL.md"),
            skill(".well-known/agent-skills/own/scripts/run.py"),
            "articles/a.md /articles/a".to_owned(),
        ]
    );
}
