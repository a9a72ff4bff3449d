//! Addresses that texts had in their own generator.

use super::*;

/// Whether each of these former addresses leads to this text, and all others are these.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let library = build(files);
    assert_eq!(former(&library), expected);
}

#[test]
fn rule_45_signs_of_addresses_in_the_names_of_files_are_a_part_of_them() {
    check(
        &[
            ("posts/a#b.md", "A."),
            ("posts/c?.md", "B."),
            ("posts/d%20e.md", "C."),
        ],
        &[
            "/posts/a#b /articles/a#b",
            "/posts/c? /articles/c?",
            "/posts/d%20e /articles/d%20e",
        ],
    );
    // A page at its own address needs no redirect.
    check(&[("A?.md", "A."), ("articles/b.md", "B.")], &[]);
}

#[test]
fn rule_45_every_path_leads_to_its_text() {
    check(
        &[("EIPS/eip-1.md", "A."), ("_config.yml", ""), ("b.md", "B.")],
        &["/EIPS/eip-1 /articles/EIPS/eip-1", "/b /articles/b"],
    );
    check(
        &[
            ("posts/a.md", "---\nslug: one\n---\nA."),
            ("posts/a/index.md", "---\nslug: two\n---\nB."),
        ],
        &[],
    );
    // No generator published the name of this file.
    check(
        &[
            ("articles/a.md", "---\nslug: b\n---\nA."),
            ("articles/x/index.md", "B."),
        ],
        &[],
    );
    check(
        &[
            ("guide/x.md", "A."),
            ("guide/index.md", "B."),
            (".vitepress/config.mts", ""),
        ],
        &["/guide /articles/guide", "/guide/x /articles/guide/x"],
    );
}

#[test]
fn rule_45_a_written_address_comes_before_a_derived_one() {
    check(
        &[
            ("docs/a.md", "A."),
            ("mkdocs.yml", ""),
            ("docs/b.md", "---\nredirect_from: /a/\n---\nB."),
        ],
        &["/a/ /articles/b", "/b/ /articles/b"],
    );
}

#[test]
fn rule_45_patterns_of_hugo_are_filled_whole() {
    let own = |pattern: &str, path: &str, front: &str| {
        let config = format!("baseURL = 'https://e.org'\n[permalinks.page]\nposts = '{pattern}'\n");
        let text = format!("---\ntitle: A Title\n{front}\n---\nA.");
        let library = build(&[("hugo.toml", &config), (path, &text)]);
        let shown = former(&library).into_iter();
        let shown = shown.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()));
        shown.collect::<Vec<_>>().join(" ")
    };
    let path = "content/posts/a/b/my post.md";
    let check = |pattern: &str, expected: &str| {
        let expected = format!("{expected} /posts/a/b/my post");
        let mut expected: Vec<&str> = expected
            .split(" /")
            .map(|part| part.trim_start_matches('/'))
            .collect();
        expected.sort_unstable();
        let shown = own(pattern, path, "date: 2024-03-05");
        let mut shown: Vec<&str> = shown
            .split(" /")
            .map(|part| part.trim_start_matches('/'))
            .collect();
        shown.sort_unstable();
        assert_eq!(shown, expected, "{pattern}");
    };
    check("/:sections[1:]/:slug/", "/a/b/a-title/");
    check("/:sections[last]/:filename/", "/b/my-post/");
    check("/:sections[0]/:contentbasename/", "/posts/my-post/");
    check("/:sections/:slugorfilename/", "/posts/a/b/my-post/");
    check("/:sectionslug/:slugorcontentbasename/", "/posts/my-post/");
    check(
        "/:year/:monthname/:weekday/:weekdayname/:yearday/:title/",
        "/2024/March/2/Tuesday/65/a-title/",
    );
    check("/:06/:1/:02/:title/", "/24/3/05/a-title/");
    check("/:unknown/:title/", "/posts/a/b/my-post/");
}

#[test]
fn rule_45_hugo_prefers_the_date_of_the_front_matter() {
    let files = |config: &'static str| {
        [
            ("hugo.toml", config),
            (
                "content/posts/2020-01-02-a.md",
                "---\ndate: 2021-03-04\nslug: b\n---\nA.",
            ),
        ]
    };
    check(
        &files("[permalinks]\nposts = '/:year/:month/:slug/'\n"),
        &["/2021/03/b/ /articles/b", "/posts/2020-01-02-a /articles/b"],
    );
    check(
        &files(
            "[permalinks]\nposts = '/:year/:month/:slug/'\n[frontmatter]\ndate = [':filename', ':default']\n",
        ),
        &["/2020/01/b/ /articles/b", "/posts/2020-01-02-a /articles/b"],
    );
    check(
        &files("baseURL = 'https://e.org'"),
        &["/posts/2020-01-02-a /articles/b", "/posts/b/ /articles/b"],
    );
}

#[test]
fn rule_45_languages_are_part_of_addresses() {
    check(
        &[
            (
                "hugo.toml",
                "defaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n[languages.fr]\ncontentDir = 'content/fr'\n",
            ),
            ("content/docs/a.md", "A."),
            ("content/docs/a.de.md", "A."),
            ("content/fr/docs/a.md", "A."),
        ],
        &[
            "/de/docs/a/ /articles/docs/a.de",
            "/docs/a/ /articles/docs/a",
            "/fr/docs/a/ /articles/fr/docs/a",
        ],
    );
    check(
        &[
            (
                "hugo.toml",
                "defaultContentLanguage = 'en'\ndefaultContentLanguageInSubdir = true\n[languages.en]\ncontentDir = 'content/en'\n[languages.de]\ncontentDir = 'content/de'\n",
            ),
            ("content/en/docs/a.md", "A."),
            ("content/de/docs/a.md", "A."),
        ],
        &[
            "/de/docs/a/ /articles/de/docs/a",
            "/en/docs/a/ /articles/en/docs/a",
        ],
    );
}

#[test]
fn rule_45_each_kind_has_its_own_habit() {
    check(
        &[
            ("config.toml", "base_url = 'https://e.org'"),
            ("content/blog/2020-01-02-Größe & so.md", "+++\n+++\nA."),
        ],
        &[
            "/blog/2020-01-02-Größe & so /articles/blog/2020-01-02-Größe-&-so",
            "/blog/große-so/ /articles/blog/2020-01-02-Größe-&-so",
        ],
    );
    check(
        &[
            ("_config.yml", ""),
            (
                "source/_posts/sub/hello.md",
                "---\ndate: 2020-01-02\n---\nA.",
            ),
            ("source/about/index.md", "B."),
        ],
        &["/2020/01/02/sub/hello/ /articles/sub/hello"],
    );
    check(
        &[
            (
                "_config.yml",
                "collections: {guides: {output: true, permalink: '/:collection/:path/'}}\npermalink: /:categories/:title.html\n",
            ),
            ("_guides/a/b.md", "A."),
            (
                "news/_posts/2020-01-02-x.md",
                "---\ncategories: [Big]\n---\nB.",
            ),
        ],
        &[
            "/2020/01/02/x.html /articles/news/_posts/2020-01-02-x",
            "/2020/01/02/x/ /articles/news/_posts/2020-01-02-x",
            "/guides/a/b/ /articles/_guides/a/b",
            "/news/big/x.html /articles/news/_posts/2020-01-02-x",
        ],
    );
    check(
        &[
            ("eleventy.config.js", ""),
            ("posts/2020-01-02-a.md", "A."),
            ("posts/b/b.md", "B."),
        ],
        &[
            "/posts/2020-01-02-a /articles/2020-01-02-a",
            "/posts/a/ /articles/2020-01-02-a",
            "/posts/b/ /articles/b/b",
            "/posts/b/b /articles/b/b",
        ],
    );
}

#[test]
fn rule_45_templates_of_addresses_are_filled() {
    check(
        &[
            ("eleventy.config.js", ""),
            (
                "posts/2020-01-02-a.md",
                "---\npermalink: /blog/{{ page.fileSlug }}/\n---\nA.",
            ),
            (
                "posts/b.md",
                "---\ntitle: My Words\npermalink: \"/{{ title | slugify }}/index.html\"\n---\nA.",
            ),
            ("posts/c.md", "---\npermalink: /{{ other }}/\n---\nA."),
        ],
        &[
            "/blog/a/ /articles/2020-01-02-a",
            "/my-words/index.html /articles/b",
            "/posts/c/ /articles/c",
        ],
    );
}

#[test]
fn rule_46_redirects_of_a_book_count_from_its_root() {
    check(
        &[
            (
                "book.toml",
                "[output.html.redirect]\n\"./old.html\" = \"./x/a.html#b\"\n\"x/older.html\" = \"../x/a.html\"\n",
            ),
            ("src/SUMMARY.md", "- [A](x/a.md)\n"),
            ("src/x/a.md", "# A\n\nwords\n\n## B\n"),
        ],
        &[
            "/old.html /articles/x/a#b",
            "/x/a.html /articles/x/a",
            "/x/older.html /articles/x/a",
        ],
    );
}

#[test]
fn rule_48_lists_that_docusaurus_makes_for_categories_lead_to_those_here() {
    let library = build(&[
        (
            "docusaurus.config.js",
            "module.exports = { title: 'T', presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] }",
        ),
        (
            "sidebars.js",
            "module.exports = { docs: ['intro', {type: 'category', label: 'Made', link: {type: 'generated-index', slug: '/made'}, items: ['last/e']}, {type: 'autogenerated', dirName: '.'}] };",
        ),
        (
            "docs/guides/_category_.json",
            "{\"label\": \"Guides\", \"link\": {\"type\": \"generated-index\", \"slug\": \"/x/all\"}}",
        ),
        (
            "docs/deep/_category_.yml",
            "label: Deep ones\nlink: {type: generated-index}\n",
        ),
        ("docs/none/_category_.json", "{\"label\": \"None\"}"),
        (
            "docs/intro.md",
            "# Intro\n\n[a](/docs/x/all) [b](/docs/category/deep-ones/) [c](/docs/made) [d](./category/deep-ones) [e](/docs/category/none)\n",
        ),
        ("docs/guides/a.md", "# A\n\nx"),
        ("docs/guides/b.md", "# B\n\nx"),
        ("docs/deep/c.md", "# C\n\nx"),
        ("docs/deep/inner/d.md", "# D\n\nx"),
        ("docs/none/f.md", "# F\n\nx"),
        ("docs/last/e.md", "# E\n\nx"),
        (
            "docs/last/_category_.json",
            "{\"label\": \"Last\", \"position\": 9}",
        ),
    ]);
    let of = |address: &str| library.redirects.get(address).map(ToString::to_string);
    for (address, list) in [
        ("/docs/x/all", "/sections/guides"),
        ("/docs/category/deep-ones", "/sections/deep-ones"),
        ("/docs/made", "/sections/made"),
    ] {
        assert_eq!(of(address).as_deref(), Some(list), "{address}");
    }
    let problems = library.problems.iter().map(ToString::to_string);
    assert_eq!(
        problems.collect::<Vec<_>>(),
        ["docs/intro.md:3:91: warning: broken link: `/docs/category/none`"]
    );
    let shown = twin(&library, "/articles/intro");
    let expected = "[a](https://example.org/sections/guides.md) [b](https://example.org/sections/deep-ones.md) [c](https://example.org/sections/made.md) [d](https://example.org/sections/deep-ones.md) e";
    assert_eq!(shown, expected);
}
