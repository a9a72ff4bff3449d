//! What a Jekyll site publishes, and at which addresses.

use super::scope::check_canaries;
use super::*;

const TEXT: &str = "---\ntitle: A\n---\nwords\n";

#[test]
fn rule_26_a_scope_of_defaults_is_the_beginning_of_a_path() {
    let defaults = [
        "_posts/2019-",
        "_recipes/draft",
        "_recipes/closed/",
        "/_recipes/rooted",
        "_recipes/a*",
        "b*.md",
        "files/priv",
    ];
    let scopes = defaults
        .map(|path| format!("- scope: {{path: '{path}'}}\n  values: {{published: false}}\n"));
    let scopes = scopes.concat();
    let config = format!(
        "collections: {{recipes: {{output: true}}}}\ndefaults:\n{scopes}- scope: {{path: '', type: post}}\n  values: {{draft: true}}\n- scope: {{path: '', type: ''}}\n  values: {{draft: true}}\n"
    );
    check_canaries(
        &[
            ("_config.yml", &config),
            ("_recipes/closed.md", TEXT),
            ("_recipes/rooted.md", TEXT),
            ("_recipes/ba.md", TEXT),
            ("x/b.md", TEXT),
            ("files/a.txt", "a"),
            ("files/private.txt", "a secret word"),
        ],
        &[
            "_posts/2019-05-05-old.md",
            "_posts/2020-05-05-typed.md",
            "_recipes/draft-soup.md",
            "_recipes/drafts2/x.md",
            "_recipes/closed/x.md",
            "_recipes/ab.md",
            "_recipes/ac/deep/x.md",
            "b.md",
        ],
        &[
            "_recipes/ba.md /recipes/ba",
            "_recipes/closed.md /recipes/closed",
            "_recipes/rooted.md /recipes/rooted",
            "files/a.txt /files/a.txt",
            "x/b.md /x/b",
        ],
    );
}

#[test]
fn rule_26_a_scope_of_defaults_counts_from_the_source() {
    check_canaries(
        &[
            (
                "_config.yml",
                "source: src\ndefaults:\n- scope: {path: _posts/2019}\n  values: {published: false}\n",
            ),
            ("src/_posts/2020-01-01-a.md", TEXT),
        ],
        &["src/_posts/2019-01-01-a.md"],
        &["src/_posts/2020-01-01-a.md /articles/2020-01-01-a"],
    );
}

#[test]
fn rule_26_of_two_defaults_with_one_scope_the_later_wins() {
    let scope = |path: &str, published: bool| {
        format!("- scope: {{path: {path}}}\n  values: {{published: {published}}}\n")
    };
    let scopes = [
        scope("_posts/a", true),
        scope("_posts/a", false),
        scope("_posts/b", false),
        scope("_posts/b", true),
    ];
    let config = format!("defaults:\n{}", scopes.concat());
    check_canaries(
        &[("_config.yml", &config), ("_posts/b/2020-01-01-b.md", TEXT)],
        &["_posts/a/2020-01-01-a.md"],
        &["_posts/b/2020-01-01-b.md /articles/b/2020-01-01-b"],
    );
}

#[test]
fn rule_26_files_of_posts_are_published_with_a_date_in_their_names() {
    let files = |config: &'static str| {
        [
            ("_config.yml", config),
            (
                "_posts/2020-01-01-a.md",
                "---\ntitle: A\n---\n![](b.svg) [c](contract.pdf)\n",
            ),
            ("_posts/2020-01-01-d.txt", "d"),
            ("_posts/2020-01-01-e", "e"),
            ("_posts/b.svg", "<svg/>"),
            ("_posts/contract.pdf", "c"),
        ]
    };
    let text = "_posts/2020-01-01-a.md /articles/2020-01-01-a";
    let dated = "_posts/2020-01-01-d.txt /articles/2020-01-01-d.txt";
    check_canaries(&files("title: T\n"), &[], &[text, dated]);
    let all = [
        text,
        dated,
        "_posts/b.svg /articles/b.svg",
        "_posts/contract.pdf /articles/contract.pdf",
    ];
    check_canaries(&files("plugins: [jekyll-postfiles]\n"), &[], &all);
    for (gems, all) in [
        ("  gem 'jekyll-postfiles'\n", &all[..]),
        ("# gem 'jekyll-postfiles'\n", &all[..2]),
    ] {
        let files = [&files("title: T\n")[..], &[("Gemfile", gems)]].concat();
        check_canaries(&files, &[], all);
    }
}

#[test]
fn rule_26_posts_and_collections_of_jekyll_have_their_places() {
    check_canaries(
        &[
            (
                "_config.yml",
                "collections: {recipes: {output: true}}\ninclude: [_open]\n",
            ),
            ("_posts/2020-01-01-a.md", TEXT),
            ("blog/_posts/2020-01-01-b.md", TEXT),
            ("_open/_posts/2020-01-01-c.md", TEXT),
            ("_recipes/a.md", TEXT),
            ("x/_open/a.md", TEXT),
        ],
        &[
            "_recipes/_posts/2020-01-01-x.md",
            "_articles/x.md",
            "x/_recipes/x.md",
        ],
        &[
            "_open/_posts/2020-01-01-c.md /articles/_open/2020-01-01-c",
            "_posts/2020-01-01-a.md /articles/2020-01-01-a",
            "_recipes/a.md /recipes/a",
            "blog/_posts/2020-01-01-b.md /articles/blog/2020-01-01-b",
            "x/_open/a.md /x/_open/a",
        ],
    );
    // The author of this site chose the folder.
    check_canaries(
        &[
            ("_config.yml", "collections: {articles: {output: true}}\n"),
            ("_articles/a.md", TEXT),
        ],
        &["x/_articles/x.md"],
        &["_articles/a.md /articles/a"],
    );
}

#[test]
fn rule_26_a_folder_of_collections_is_the_only_one() {
    let config = "collections_dir: my\ncollections: {recipes: {output: true, permalink: '/r/:path/'}}\ndefaults:\n- scope: {path: my/_recipes/priv}\n  values: {published: false}\n- scope: {path: _recipes/draft}\n  values: {published: false}\n- scope: {path: 'my/_recipes/*/g'}\n  values: {published: false}\n";
    let files = [
        ("_config.yml", config),
        ("my/_posts/2020-05-05-new.md", TEXT),
        ("my/blog/_posts/2020-05-06-other.md", TEXT),
        ("my/_recipes/z.md", TEXT),
        ("my/page.md", TEXT),
    ];
    check_canaries(
        &files,
        &[
            "_posts/2019-05-05-old.md",
            "_recipes/a.md",
            "x/_posts/2020-01-01-c.md",
            "my/_recipes/_posts/2020-01-01-x.md",
            "my/_recipes/private/a.md",
            "my/_recipes/drafts.md",
            "my/_recipes/x/g/a.md",
            "my/_hidden/a.md",
        ],
        &[
            "my/_posts/2020-05-05-new.md /articles/2020-05-05-new",
            "my/_recipes/z.md /recipes/z",
            "my/blog/_posts/2020-05-06-other.md /articles/blog/2020-05-06-other",
            "my/page.md /my/page",
        ],
    );
    let old = former(&build(&files));
    for address in [
        "/2020/05/05/new.html /articles/2020-05-05-new",
        "/blog/2020/05/06/other.html /articles/blog/2020-05-06-other",
        "/r/z/ /recipes/z",
    ] {
        assert!(old.iter().any(|one| one == address), "{address}: {old:?}");
    }
}

#[test]
fn rule_26_only_the_newest_posts_are_published_where_jekyll_has_a_limit() {
    let check = |configuration: &str, secret: &[&str], expected: &[&str]| {
        let files = [
            ("_config.yml", configuration),
            ("a.md", TEXT),
            ("_posts/2020-01-01-day.md", TEXT),
            // A minute after that day begins in Auckland.
            (
                "_posts/2000-01-01-minute.md",
                "---\ndate: 2019-12-31 11:01 +0000\n---\nwords\n",
            ),
            (
                "_posts/2020-02-01-draft.md",
                "---\npublished: false\n---\na secret word\n",
            ),
            (
                "_posts/2999-02-01-future.md",
                "---\ntitle: A\n---\na secret word\n",
            ),
        ];
        check_canaries(&files, secret, expected);
    };
    let (page, day) = (
        "a.md /a",
        "_posts/2020-01-01-day.md /articles/2020-01-01-day",
    );
    let minute = "_posts/2000-01-01-minute.md /articles/2000-01-01-minute";
    let old = ["_posts/2019-05-05-a.md", "x/_posts/2019-05-05-a.md"];
    check("limit_posts: 1\n", &old, &[day, page]);
    let zone = "timezone: Pacific/Auckland\nlimit_posts: 1\n";
    check(zone, &old, &[minute, page]);
    check("limit_posts: 2\n", &old, &[minute, day, page]);
    check("limit_posts: 0\n", &[], &[minute, day, page]);
}

#[test]
fn rule_26_files_and_empty_posts_count_as_posts_where_jekyll_has_a_limit() {
    let files = [
        ("_config.yml", "limit_posts: 3\n"),
        ("_posts/2020-01-04-a.md", TEXT),
        ("_posts/2020-01-03-empty.md", "---\ntitle: E\n---\n"),
        ("_posts/2020-01-02-b.txt", "b"),
        ("_posts/2020-01-01-c.txt", "a secret word"),
    ];
    check_canaries(
        &files,
        &["_posts/2020-01-01-d.md"],
        &[
            "_posts/2020-01-02-b.txt /articles/2020-01-02-b.txt",
            "_posts/2020-01-04-a.md /articles/2020-01-04-a",
        ],
    );
    let library = build(&files);
    let reason = "`limit_posts` publishes 3, the newest";
    assert_eq!(library.report.skipped[reason], ["_posts/2020-01-01-c.txt"]);
}

#[test]
fn rule_4_the_day_in_an_address_of_jekyll_is_that_of_its_zone() {
    let check = |front: &str, expected: &str| {
        let library = build(&[
            ("_config.yml", "timezone: Pacific/Auckland\n"),
            (
                "_posts/2020-03-01-a.md",
                &format!("---\n{front}\n---\nwords\n"),
            ),
        ]);
        let expected = format!("{expected} /articles/2020-03-01-a");
        let old = former(&library);
        assert!(old.contains(&expected), "{front}: {old:?}");
    };
    check("date: 2020-03-04 23:30:00 +0000", "/2020/03/05/a.html");
    check("date: 2020-03-04 23:30:00", "/2020/03/05/a.html");
    check("date: 2020-03-04 23:30", "/2020/03/04/a.html");
    check("date: 2020-03-04T23:30:00Z", "/2020/03/05/a.html");
    check("date: 2020-03-04", "/2020/03/04/a.html");
    check("date: 2020-03-04 01:30:00 +1300", "/2020/03/04/a.html");
    check("title: A", "/2020/03/01/a.html");
    check(
        "categories: [Foo Bar, B]\ncategory: C\ndate: 2020-03-04 23:30:00 -1100",
        "/foo bar/b/c/2020/03/05/a.html",
    );
}

#[test]
fn rule_26_jekyll_publishes_vendor_without_the_gems_in_it() {
    let public = [("vendor/a.md", TEXT), ("x/vendor/p.svg", "<svg/>")];
    let gems = [
        "vendor/bundle/x.md",
        "vendor/cache/x.md",
        "node_modules/x.md",
    ];
    let files = [&[("_config.yml", "title: T\n")][..], &public].concat();
    let expected = [
        "vendor/a.md /articles/vendor/a",
        "x/vendor/p.svg /x/vendor/p.svg",
    ];
    check_canaries(&files, &gems, &expected);
    // Without a configuration the folder may be of another program.
    let files = [
        ("_posts/2020-01-01-a.md", TEXT),
        ("x/vendor/p.svg", "<svg/>"),
    ];
    let expected = ["_posts/2020-01-01-a.md /articles/2020-01-01-a"];
    check_canaries(&files, &["vendor/a.md"], &expected);
}

#[test]
fn rule_26_the_folders_above_posts_of_jekyll_are_categories() {
    let tags = |config: &str, path: &str| {
        let text = "---\ntags: [t]\n---\nwords\n";
        let other = ("my/_posts/2019-01-01-b.md", TEXT);
        let library = build(&[("_config.yml", config), (path, text), other]);
        let tags = library.articles[0].tags.iter();
        tags.map(|tag| tag.name.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let usual = "title: T\n";
    assert_eq!(tags(usual, "_posts/sub/2020-01-01-a.md"), "t");
    assert_eq!(tags(usual, "x/y/_posts/sub/2020-01-01-a.md"), "t x y");
    let dir = "collections_dir: my\n";
    assert_eq!(tags(dir, "my/_posts/sub/2020-01-01-a.md"), "t");
    assert_eq!(tags(dir, "my/x/_posts/sub/2020-01-01-a.md"), "t x");
    assert_eq!(tags("source: src\n", "src/_posts/sub/2020-01-01-a.md"), "t");
}

#[test]
fn rule_26_a_text_with_the_address_of_the_page_for_missing_addresses_is_that_page() {
    let library = build(&[
        ("_config.yml", "title: T\n"),
        ("a.md", "---\ntitle: A\n---\nwords\n"),
        (
            "pages/lost.md",
            "---\ntitle: Lost\npermalink: /404.html\n---\nMy own words.\n",
        ),
    ]);
    let stems: Vec<&str> = library.pages.iter().map(|page| &*page.stem).collect();
    assert!(stems.contains(&"/404"), "{stems:?}");
    let articles = library.articles.iter().map(|article| &*article.stem);
    assert_eq!(articles.collect::<Vec<_>>(), ["/articles/a"]);
}
