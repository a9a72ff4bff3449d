//! Rule 45: addresses that other files than the text give.

use super::*;

/// With the folder `.vitepress` as the listing of a folder has it.
fn build_hidden(files: &[(&str, &str)]) -> Library {
    let mut sources = sources(files);
    let hidden = files
        .iter()
        .find_map(|(path, _)| path.strip_suffix("/config.mts"));
    sources.hidden.extend(hidden.map(str::to_owned));
    Library::build(&sources, &site(), NOW.parse().unwrap())
}

fn check(files: &[(&str, &str)], expected: &[&str]) {
    let library = build_hidden(files);
    let shown: Vec<_> = library
        .redirects
        .iter()
        .map(|(old, new)| format!("{old} {new}"))
        .collect();
    assert_eq!(shown, expected, "{:?}", library.problems);
}

#[test]
fn rule_45_data_files_of_eleventy_give_addresses() {
    check(
        &[
            ("eleventy.config.js", ""),
            (
                "posts/posts.json",
                "{ \"permalink\": \"/writing/{{ page.fileSlug }}/\" }",
            ),
            (
                "posts/deep/deep.11tydata.js",
                "export default { permalink: '/deep/{{ page.date | date: \"%Y\" }}/{{ key | slugify }}/' };",
            ),
            ("posts/a.md", "A."),
            ("posts/b.md", "---\npermalink: /own/\n---\nB."),
            ("posts/c.md", "C."),
            ("posts/c.11tydata.json", "{ \"permalink\": \"/text/\" }"),
            ("posts/deep/2023-04-05-d.md", "---\nkey: A Key\n---\nD."),
            (
                "other/e.md",
                "---\neleventyComputed: { permalink: /late/ }\n---\nE.",
            ),
        ],
        &[
            "/deep/2023/a-key/ /articles/deep/2023-04-05-d",
            "/late/ /other/e",
            "/own/ /articles/b",
            "/text/ /articles/c",
            "/writing/a/ /articles/a",
        ],
    );
}

#[test]
fn rule_45_what_eleventy_computes_for_all_texts() {
    check(
        &[
            (
                "eleventy.config.js",
                "export const config = { dir: { input: 'src' } };",
            ),
            (
                "src/_data/eleventyComputed.js",
                "module.exports = { permalink: '/all/{{ page.fileSlug }}/', title: (data) => data.x };",
            ),
            ("src/a.md", "A."),
        ],
        &["/all/a/ /articles/a"],
    );
}

#[test]
fn rule_14_data_files_of_eleventy_add_tags_but_no_names_of_collections() {
    facts(
        &[
            ("eleventy.config.js", ""),
            (
                "posts/posts.json",
                "{ \"tags\": [\"posts\", \"sea\"], \"date\": \"2024-02-03\", \"eleventyExcludeFromCollections\": false }",
            ),
            ("posts/a.md", "---\ntags: [boat]\n---\nA."),
            ("posts/b.md", "B."),
            (
                "posts/b.json",
                "{ \"eleventyExcludeFromCollections\": true }",
            ),
        ],
        |article| {
            let tags: Vec<&str> = article.tags.iter().map(|tag| &*tag.name).collect();
            let date = article.date.map(|date| date.iso()).unwrap_or_default();
            format!("{} {} {}", tags.join("+"), &date[..10], article.listed)
        },
        &["boat+sea 2024-02-03 true", "sea 2024-02-03 false"],
    );
}

#[test]
fn rule_26_a_data_file_withholds_one_text() {
    let library = build(&[
        ("eleventy.config.js", ""),
        ("posts/a.md", "A."),
        ("posts/b.md", "CANARY"),
        (
            "posts/b.11tydata.js",
            "export default { permalink: false };",
        ),
        ("posts/c.md", "CANARY"),
        ("posts/c.json", "{ \"draft\": true }"),
    ]);
    let stems: Vec<_> = library.articles.iter().map(|text| &*text.stem).collect();
    assert_eq!(stems, ["/articles/a"]);
    let reasons: Vec<_> = library.report.skipped.keys().collect();
    assert!(
        reasons
            .iter()
            .any(|reason| *reason == "draft: `posts/b.11tydata.js` says so"),
        "{reasons:?}"
    );
}

#[test]
fn rule_45_vitepress_rewrites_paths() {
    check(
        &[
            (
                ".vitepress/config.mts",
                "export default defineConfig({ srcDir: 'src', rewrites: { 'packages/:name/docs/:page': ':name/:page', 'guide/old.md': 'new.md', 'all/(.*)': 'every/(.*)' } })",
            ),
            ("src/packages/crane/docs/use.md", "A."),
            ("src/guide/old.md", "B."),
            ("src/guide/x.md", "C."),
            ("src/all/a/b.md", "D."),
        ],
        &[
            "/crane/use.html /articles/packages/crane/docs/use",
            "/every/a/b.html /articles/all/a/b",
            "/guide/x.html /articles/guide/x",
            "/new.html /articles/guide/old",
        ],
    );
    let library = build_hidden(&[
        (
            ".vitepress/config.mts",
            "export default { rewrites(id) { return id } }",
        ),
        ("a.md", "A."),
    ]);
    assert_eq!(
        library.problems[0].to_string(),
        ".vitepress/config.mts:1:18: warning: `rewrites` is not read: a program computes them\n  hint: write the addresses of the texts as `aliases` in their front matter"
    );
}

#[test]
fn rule_45_hugo_has_an_alias_of_the_home_page_in_the_default_language() {
    const LANGUAGES: &str = "defaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n";
    let folder = |config: &str| -> Vec<String> {
        let library = build(&[
            ("hugo.toml", config),
            ("content/_index.md", "Home."),
            ("content/a.md", "A."),
            ("content/a.de.md", "B."),
        ]);
        former(&library)
    };
    assert_eq!(
        folder(LANGUAGES),
        ["/a/ /articles/a", "/de/a/ /articles/a.de", "/en/ /index"]
    );
    assert_eq!(
        folder(&format!(
            "defaultContentLanguageInSubdir = true\n{LANGUAGES}"
        )),
        ["/de/a/ /articles/a.de", "/en /index", "/en/a/ /articles/a"]
    );
}

#[test]
fn rule_45_names_of_files_may_say_the_default_language_of_hugo() {
    let stems = |config: &str, language: &str| {
        let name = |path: &str| format!("content/{path}.{language}.md");
        let (home, post) = (name("_index"), name("posts/a"));
        let library = build(&[
            ("hugo.toml", config),
            (home.as_str(), "Home."),
            (post.as_str(), "A."),
            ("content/posts/b.de.md", "B."),
        ]);
        let home = library.pages.iter().find(|page| *page.source == home);
        let home = home.map(|page| page.stem.to_string());
        (home.unwrap_or_default(), former(&library).join(" "))
    };
    for (config, language, german) in [
        ("baseURL = 'https://e.org'\n", "en", "/posts/b.de/ "),
        ("defaultContentLanguage = 'fr'\n", "fr", "/posts/b.de/ "),
        ("[languages.en]\n[languages.de]\n", "en", "/de/posts/b/ "),
    ] {
        let (home, old) = stems(config, language);
        assert_eq!(home, "/index", "{config}");
        assert!(old.contains("/posts/a/ "), "{config}: {old}");
        assert!(old.contains(german), "{config}: {old}");
    }
}

#[test]
fn rule_45_posts_of_the_blog_of_mkdocs_have_dated_addresses() {
    check(
        &[
            ("mkdocs.yml", "site_name: T\nplugins:\n  - blog\n"),
            (
                "docs/blog/posts/boat.md",
                "---\ndate:\n  created: 2023-12-31\n  updated: 2024-01-02\n---\n# A Boat\n\nA.",
            ),
            (
                "docs/blog/posts/b.md",
                "---\ndate: 2024-02-03\nslug: rope\n---\nB.",
            ),
        ],
        &[
            "/blog/2023/12/31/a-boat/ /articles/blog/posts/boat",
            "/blog/2024/02/03/rope/ /articles/rope",
            "/blog/posts/b /articles/rope",
            "/blog/posts/boat /articles/blog/posts/boat",
        ],
    );
    check(
        &[
            (
                "mkdocs.yml",
                "site_name: T\nplugins:\n  - blog: {blog_dir: ., post_dir: posts, post_url_format: 'news/{date}/{file}', post_url_date_format: yyyy}\n",
            ),
            ("docs/posts/b.md", "---\ndate: 2024-02-03\n---\nB."),
        ],
        &[
            "/news/2024/b/ /articles/posts/b",
            "/posts/b /articles/posts/b",
        ],
    );
}

#[test]
fn rule_44_a_configuration_of_mkdocs_builds_on_another() {
    let library = build(&[
        ("mkdocs.yml", "INHERIT: parts/base.yml\nsite_name: Own\n"),
        (
            "parts/base.yml",
            "INHERIT: ../mkdocs.yml\nsite_name: Base\nexclude_docs: secret.md\nnav: [b.md, a.md]\n",
        ),
        ("docs/a.md", "A."),
        ("docs/b.md", "B."),
        ("docs/secret.md", "CANARY"),
    ]);
    assert_eq!(super::order::drawn(&library), ["B /b", "A /a"]);
    assert_eq!(library.articles.len(), 2);
}

#[test]
fn rule_46_redirects_that_a_program_imports_as_json() {
    let redirects = |config: &str| -> Vec<String> {
        let library = build(&[
            ("docusaurus.config.js", config),
            (
                "data/moved.json",
                "[{ \"from\": \"/old\", \"to\": \"/docs/a\" }, { \"from\": [\"/older\"], \"to\": \"/docs/a\" }]",
            ),
            ("docs/a.md", "A."),
        ]);
        let all = library.redirects.keys().map(|old| old.as_str().to_owned());
        all.filter(|old| old.starts_with("/old")).collect()
    };
    for config in [
        "const moved = require('./data/moved.json');\nmodule.exports = { presets: [['classic', {}]], plugins: [['@docusaurus/plugin-client-redirects', { redirects: moved }]] };",
        "import redirects from './data/moved.json' with { type: 'json' };\nexport default { plugins: [['x', { redirects }]] };",
        "module.exports = { plugins: [['x', {\n  redirects: require('./data/moved.json'),\n}]] };",
    ] {
        assert_eq!(redirects(config), ["/old", "/older"], "{config}");
    }
    let other = "const words = require('./data/moved.json');\nmodule.exports = { words };";
    assert_eq!(redirects(other), [""; 0]);
}

#[test]
fn rule_26_a_cascade_of_hugo_is_for_its_target_alone() {
    let stems = |target: &str| -> Vec<String> {
        let section = format!("---\ncascade:\n  - draft: true\n    _target: {target}\n---\n");
        let library = build(&[
            (
                "hugo.toml",
                "baseURL = 'https://e.org'\ndefaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n",
            ),
            ("content/posts/_index.md", &section),
            ("content/posts/a.md", "A."),
            ("content/posts/a.de.md", "B."),
        ]);
        let articles = library.articles.iter();
        articles.map(|article| article.stem.to_string()).collect()
    };
    let (a, b) = ("/articles/a".to_owned(), "/articles/a.de".to_owned());
    let both = [a.clone(), b.clone()];
    assert_eq!(stems("{kind: section}"), both);
    // Without a language, the section's own.
    assert_eq!(stems("{kind: page}"), [&*b]);
    assert_eq!(stems("{kind: '{section,page}'}"), [&*b]);
    assert_eq!(stems("{lang: de}"), [a]);
    assert_eq!(stems("{lang: en}"), [&*b]);
    assert_eq!(stems("{lang: '{en,de}'}"), [""; 0]);
    assert_eq!(stems("{environment: development}"), both);
    assert_eq!(stems("{environment: production}"), [b]);
}

#[test]
fn rule_46_a_text_of_docfx_that_only_redirects() {
    check(
        &[
            (
                "docfx.json",
                "{ \"build\": { \"content\": [{ \"files\": [\"**/*.md\"] }] } }",
            ),
            ("a.md", "A."),
            ("old.md", "---\nredirect_url: /a.html\n---\nCANARY"),
        ],
        &[
            "/a.html /articles/a",
            "/articles/old /articles/a",
            "/articles/old.html /articles/a",
            "/old.html /articles/a",
        ],
    );
}

#[test]
fn rule_26_the_section_file_of_the_articles_folder_decides_too() {
    let library = build(&[
        ("hugo.toml", "baseURL = 'https://e.org'\n"),
        (
            "content/posts/_index.md",
            "---\ncascade: {draft: true}\n---\n",
        ),
        ("content/posts/a.md", "CANARY"),
    ]);
    assert_eq!(library.articles.len(), 0);
    let library = build(&[
        ("config.toml", "base_url = 'https://e.org'\n"),
        ("content/posts/_index.md", "+++\ndraft = true\n+++\n"),
        ("content/posts/a.md", "+++\n+++\nCANARY"),
    ]);
    assert_eq!(library.articles.len(), 0, "{:?}", library.report.dialect);
}

#[test]
fn content_of_nextra_has_its_place_on_the_site() {
    let library = build(&[
        ("package.json", "{\"dependencies\": {\"nextra\": \"4\"}}"),
        (
            "next.config.mjs",
            "import nextra from 'nextra'\nconst withNextra = nextra({ contentDirBasePath: '/docs' })\nexport default withNextra({ output: 'export' })\n",
        ),
        ("content/index.mdx", "[A](/docs/a/b)\n"),
        ("content/a/b.mdx", "[home](/docs)\n"),
    ]);
    let former = former(&library);
    assert!(
        former.iter().any(|one| one == "/docs/a/b /articles/a/b"),
        "{former:?}"
    );
    assert!(library.problems.is_empty(), "{:?}", library.problems);
}
