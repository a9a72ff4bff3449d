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

/// The first former addresses of a text in a Hugo site.
fn of_hugo(config: &str, files: &[(&str, &str)]) -> Vec<String> {
    let config = format!("baseURL = 'https://e.org'\n{config}");
    let mut all = vec![("hugo.toml", config.as_str())];
    all.extend(files);
    former(&build(&all))
}

#[test]
fn rule_45_patterns_of_hugo_are_filled_whole() {
    let path = "content/posts/a/b/my post.md";
    let check = |pattern: &str, front: &str, expected: &str| {
        let text = format!("---\n{front}\n---\nA.");
        let index = "---\ntitle: In B\nslug: bee\n---\n";
        let files = [
            (path, text.as_str()),
            ("content/posts/a/b/_index.md", index),
            ("content/posts/_index.md", "---\ntitle: My Posts\n---\n"),
        ];
        let rules = format!("[permalinks.page]\nposts = '{pattern}'\n");
        let old = of_hugo(&rules, &files);
        let expected = format!("{expected} /articles/a/b/my-post");
        assert!(old.contains(&expected), "{pattern}: {old:?}");
    };
    for (pattern, expected) in [
        ("/:sections[1:]/:slug/", "/a/b/a-title/"),
        ("/:sections[last]/:filename/", "/b/my-post/"),
        ("/:sections[0]/:contentbasename/", "/posts/my-post/"),
        ("/:sections/:slugorfilename/", "/posts/a/b/my-post/"),
        (
            "/:sectionslug/:slugorcontentbasename/",
            "/my-posts/my-post/",
        ),
        ("/:sectionslugs/:slug/", "/my-posts/bee/a-title/"),
        ("/:sectionslugs[last]/:slug", "/bee/a-title/"),
        (
            "/:year/:monthname/:weekday/:weekdayname/:yearday/:title/",
            "/2024/march/2/tuesday/65/a-title/",
        ),
        ("/:06/:1/:02/:title/", "/24/3/05/a-title/"),
        ("/On \\:Time+/:title", "/on-time-/a-title/"),
        ("/:unknown/:title/", "/posts/a/b/my-post/"),
    ] {
        check(pattern, "title: A Title\ndate: 2024-03-05", expected);
    }
    check("/:year/:month/:2006/:title/", "title: A", "/1/01/0001/a/");
    check("/x/:title/", "date: 2024-03-05", "/x/");
    check(
        "/x/",
        "url: /y/:section/:contentbasename/",
        "/y/posts/my-post/",
    );
}

#[test]
fn rule_45_a_folder_of_hugo_without_an_index_is_no_section() {
    let rules = "[permalinks]\nposts = '/:sections[1:]/:contentbasename/'\n";
    let old = of_hugo(rules, &[("content/posts/a/b/x.md", "A.")]);
    assert!(old.contains(&"/x/ /articles/a/b/x".to_owned()), "{old:?}");
    let bundle = "content/posts/a/b/x/index.md";
    let old = of_hugo(
        rules,
        &[("content/posts/a/_index.md", "A."), (bundle, "A.")],
    );
    assert!(old.contains(&"/a/x/ /articles/a/b/x".to_owned()), "{old:?}");
}

#[test]
fn rule_45_rules_of_hugo_are_for_folders_kinds_and_languages() {
    let text = "---\ntitle: T\n---\nA.";
    let check = |rules: &str, path: &str, expected: &str| {
        let old = of_hugo(rules, &[(path, text)]);
        let is_there = old
            .iter()
            .any(|line| line.starts_with(&format!("{expected} ")));
        assert!(is_there, "{rules}\n{path}: {old:?}");
    };
    let map = "[permalinks]\nPosts = '/p/:slug/'\n'/' = '/r/:slug/'\ntags = '/t/:slug/'\n'a/b c' = '/no/'\n[permalinks.section]\nposts = '/s/:slug/'\n";
    for (path, expected) in [
        ("content/Posts/a.md", "/p/t/"),
        ("content/posts/x/y.md", "/p/t/"),
        ("content/posts/x/_index.md", "/s/t/"),
        ("content/a.md", "/r/t/"),
        ("content/docs/a.md", "/docs/a/"),
        ("content/a/b c/d.md", "/a/b-c/d/"),
    ] {
        check(map, path, expected);
    }
    let list = "[[permalinks]]\npattern = '/two/:slug/'\n[permalinks.target]\npath = '/posts/2*'\n[[permalinks]]\npattern = '/sec/:contentbasename/'\n[permalinks.target]\nkind = '{section,home}'\n[[permalinks]]\npattern = '/no/'\n[permalinks.target]\nenvironment = 'development'\n[[permalinks]]\npattern = '/:section/all/:slug/'\n";
    for (path, expected) in [
        ("content/posts/2x.md", "/two/t/"),
        ("content/posts/x.md", "/posts/all/t/"),
        ("content/docs/_index.md", "/sec/docs/"),
    ] {
        check(list, path, expected);
    }
    let languages = "defaultContentLanguage = 'de'\n[permalinks]\nposts = '/p/:slug/'\nnotes = '/n/:slug/'\n[languages.de]\n[languages.en]\n[languages.fr.permalinks]\nposts = '/articles/:slug/'\n";
    for (path, expected) in [
        ("content/posts/a.md", "/p/t/"),
        ("content/posts/a.fr.md", "/fr/articles/t/"),
        ("content/notes/a.fr.md", "/fr/notes/a/"),
        ("content/notes/a.en.md", "/en/n/t/"),
    ] {
        check(languages, path, expected);
    }
}

#[test]
fn rule_45_dated_names_give_slugs_where_hugo_reads_their_dates() {
    let check = |order: &str, path: &str, front: &str, expected: &str| {
        let config = format!("[languages.en]\n[languages.fr]\n[frontmatter]\n{order}\n");
        let text = format!("---\ntitle: T\n{front}\n---\nA.");
        let old = of_hugo(&config, &[(path, &text)]);
        let is_there = old
            .iter()
            .any(|line| line.starts_with(&format!("{expected} ")));
        assert!(is_there, "{order}\n{path}: {old:?}");
    };
    let first = "date = [':filename', ':default']";
    for (path, front, expected) in [
        (
            "content/p/2021-05-06-named.md",
            "date: 2001-01-01",
            "/p/named/",
        ),
        ("content/p/2021-05-06-named.fr.md", "", "/fr/p/named/"),
        ("content/p/2021-05-06_10-11-12-other.md", "", "/p/other/"),
        ("content/p/2021-05-06_Some Thing.md", "", "/p/some-thing/"),
        ("content/p/2021-05-06-b/index.md", "", "/p/b/"),
        ("content/p/2021-05-06.md", "", "/p/2021-05-06/"),
        ("content/p/2021-05-06-x.md", "slug: -given-", "/p/given/"),
        ("content/p/20210506-x.md", "", "/p/20210506-x/"),
    ] {
        check(first, path, front, expected);
    }
    let path = "content/p/2021-05-06-x.md";
    let last = "date = ['date', ':filename']";
    check(last, path, "", "/p/x/");
    check(last, path, "date: 2001-01-01", "/p/2021-05-06-x/");
    check(
        "publishDate = [':filename']",
        path,
        "date: 2001-01-01",
        "/p/x/",
    );
    check(
        "date = [':fileModTime', ':filename']",
        path,
        "",
        "/p/2021-05-06-x/",
    );
    check("date = ['date']", path, "", "/p/2021-05-06-x/");
}

#[test]
fn rule_45_settings_of_hugo_decide_how_addresses_are_written() {
    let check = |config: &str, path: &str, expected: &str| {
        let old = of_hugo(config, &[(path, "---\ntitle: Öl C++\n---\nA.")]);
        let is_there = old
            .iter()
            .any(|line| line.starts_with(&format!("{expected} ")));
        assert!(is_there, "{config}\n{path}: {old:?}");
    };
    let ugly = "uglyURLs = true\n[permalinks]\nn = '/q/:slug/'\n";
    check(ugly, "content/s/x.md", "/s/x.html");
    check(ugly, "content/s/b/index.md", "/s/b.html");
    check(ugly, "content/n/x.md", "/q/öl-c.html");
    check(ugly, "content/s/d/_index.md", "/s/d/");
    check("[uglyURLs]\nS = true\n", "content/s/d/x.md", "/s/d/x.html");
    check("[uglyURLs]\ns = true\n", "content/t/x.md", "/t/x/");
    let plain = "removePathAccents = true\n[permalinks]\nn = '/é/:slug/'\n";
    check(plain, "content/Über/Öl.md", "/uber/ol/");
    check(plain, "content/n/Öl.md", "/e/ol-c/");
    check(
        "disablePathToLower = true\n",
        "content/Up/Öl x - y.md",
        "/Up/Öl-x-y/",
    );
}

#[test]
fn rule_45_slugs_of_sections_are_in_the_addresses_of_their_texts() {
    for (index, text) in [
        ("content/s/_index.md", "---\nslug: other\n---\nA."),
        ("content/s/_index.md", "\n---\nslug: other\n---\n"),
    ] {
        let old = of_hugo("", &[(index, text), ("content/s/t/x.md", "A.")]);
        let both = ["/other/t/x/ /articles/s/t/x", "/s/t/x/ /articles/s/t/x"];
        assert!(
            both.iter().all(|one| old.iter().any(|old| old == one)),
            "{index}: {text:?}: {old:?}"
        );
    }
}

#[test]
fn rule_45_a_taxonomy_whose_name_begins_another_takes_no_terms_of_it() {
    let config = "uglyURLs = true\n[taxonomies]\na = 'topic'\nb = 'topics'\n";
    let old = of_hugo(config, &[("content/topics/x/_index.md", "A.")]);
    assert!(
        old.iter().any(|old| old.starts_with("/topics/x.html ")),
        "{old:?}"
    );
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
