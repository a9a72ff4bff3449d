//! What is withheld: the owner's trust comes first.

use super::*;
use crate::model::problem::{Problem, Severity};

/// What becomes of one text with this front matter: its stem, or why it is not published; then its
/// problems.
fn outcome(kind: &[(&str, &str)], front: &str) -> String {
    let text = format!("---\ntitle: T\n{front}\n---\nWords.\n");
    let mut files = kind.to_vec();
    files.push(("posts/a.md", &text));
    let library = build(&files);
    let mut said = if library.articles.is_empty() {
        "withheld".to_owned()
    } else if library.articles[0].listed {
        "published".to_owned()
    } else {
        "unlisted".to_owned()
    };
    for problem in &library.problems {
        said = format!("{said} | {}", problem.to_string().replace("\n  ", " "));
    }
    let hidden = library.report.skipped.len() + library.report.set_aside.len();
    assert_eq!(hidden > 0, library.articles.is_empty(), "{front}: {said}");
    said
}

#[test]
fn rule_27_a_list_or_map_in_place_of_a_date_withholds() {
    for (front, place) in [
        ("publishDate: [2099-01-01]", "3:14"),
        ("expires: [2020-01-01]", "3:10"),
        ("date: {d: 2099-01-01}", "3:7"),
    ] {
        let said = outcome(&[], front);
        assert!(
            said.starts_with(&format!("withheld | posts/a.md:{place}: ")),
            "{said}"
        );
    }
    for front in ["date: {created: 2020-01-01}", "date: []", "publishDate:"] {
        assert!(outcome(&[], front).starts_with("published"), "{front}");
    }
}

#[test]
fn rule_27_a_flag_in_broken_yaml_withholds() {
    for front in [
        "a: x\n\tdraft: true",
        "a: x\n  draft: true",
        "draft:true\na: b: c",
        "draft:\u{a0}true\na: b: c",
        "a: x\n  published: false",
    ] {
        assert!(outcome(&[], front).starts_with("withheld"), "{front}");
    }
    let said = outcome(&[], "a: x: y\n  See draft: true stories\nb: c");
    assert!(said.starts_with("published"), "{said}");
}

#[test]
fn rule_27_keys_of_dates_that_hugo_is_told() {
    let config = "baseURL = 'https://e.org'\n[frontmatter]\npublishDate = ['embargo', ':default']\nexpiryDate = ['gone']\ndate = [':default', 'made']\n";
    let kind = [("hugo.toml", config), ("content/x.md", "Words.")];
    let published = |front: &str| {
        let text = format!("---\ntitle: T\n{front}\n---\nSECRET.\n");
        let mut files = kind.to_vec();
        files.push(("content/a.md", &text));
        super::scope::everything(&build(&files)).contains("SECRET")
    };
    assert!(!published("embargo: 2099-01-01"));
    assert!(!published("embargo: 2099-01-01\npublishDate: 2020-01-01"));
    assert!(!published("gone: 2020-01-01"));
    assert!(!published("made: 2099-01-01"));
    assert!(published("made: 2099-01-01\ndate: 2020-01-01"));
    assert!(published("embargo: 2020-01-01"));
}

#[test]
fn rule_27_the_first_date_key_with_a_value_counts_in_hugo() {
    let published = |list: &str, front: &str| {
        let config = format!("baseURL = 'https://e.org'\n[frontmatter]\n{list}\n");
        let text = format!("---\ntitle: T\n{front}\n---\nSECRET.\n");
        let files = [
            ("hugo.toml", config.as_str()),
            ("content/x.md", "Words."),
            ("content/a.md", &text),
        ];
        super::scope::everything(&build(&files)).contains("SECRET")
    };
    let both = "date: 2020-01-01\npublishDate: 2099-01-01";
    assert!(!published("publishDate = ['publishDate', 'date']", both));
    assert!(published("publishDate = ['date', 'publishDate']", both));
    let both = "expiryDate: 2020-01-01\nunpublishdate: 2099-01-01";
    let list = "expiryDate = ['expirydate', 'unpublishdate']";
    assert!(!published(list, both));
    assert!(!published(list, "unpublishdate: 2020-01-01"));
    assert!(!published(list, "expiryDate:\nunpublishdate: 2020-01-01"));
    let list = "expiryDate = ['closes', 'expiryDate']";
    let both = "expiryDate: 2099-01-01\ncloses: ''";
    assert!(published(list, both));
    assert!(!published(list, "expiryDate: 2020-01-01\ncloses: ''"));
}

#[test]
fn rule_27_dates_in_the_documented_order_of_hugo_keep_their_keys() {
    let config = "baseURL = 'https://e.org'\n[frontmatter]\ndate = ['date', 'publishdate', 'pubdate', 'published', 'lastmod', 'modified']\npublishDate = ['publishdate', 'pubdate', 'published', 'date']\n";
    let library = build(&[
        ("hugo.toml", config),
        (
            "content/a.md",
            "---\ntitle: T\ndate: 2020-01-01\npublishDate: 2021-01-01\n---\nWords.\n",
        ),
    ]);
    let date = library.articles[0].date.map(|date| date.iso());
    assert_eq!(date.as_deref(), Some("2020-01-01"));
}

#[test]
fn rule_27_a_draft_key_that_cannot_be_read_withholds() {
    let check = |front: &str, expected: &str| assert_eq!(outcome(&[], front), expected, "{front}");
    check(
        "draft: yes please",
        "withheld | posts/a.md:3:8: withheld: `draft` is neither yes nor no: `yes please` hint: write `draft: true` or `draft: false`",
    );
    check(
        "published: [blog]",
        "withheld | posts/a.md:3:12: withheld: `published` is neither yes nor no: `[…]` hint: write `published: true` or `published: false`",
    );
    for front in [
        "draft: 1",
        "draft: t",
        "draft: 'Yes'",
        "is_draft: true",
        "isDraft: on",
        "_draft: true",
        "unpublished: true",
        "private: true",
        "published: 0",
        "published: f",
        "publish: no",
        "extra:\n  draft: true",
        "visibility: private",
        "visibility: Members",
        "visibility: [public, private]",
        "build: {render: link}",
        "x: &d {published: false}\n<<: *d",
        "x: &d\n  - {a: b}\n  - {draft: true}\n<<: *d",
    ] {
        check(front, "withheld");
    }
    for front in [
        "draft: 0",
        "draft:",
        "draft: null",
        "draft: false",
        "published: 2015-01-01",
        "publish: 2015-01-01",
        "publish: yes",
        "ignore: MD013",
        "permalink: /x/",
        "visibility: public",
        "visibility: 10 km",
        "hidden: no",
    ] {
        check(front, "published");
    }
    check("hidden: perhaps", "unlisted");
    check("publish: 2030-01-01", "withheld");
    for front in [
        "draft: maybe",
        "draft: [true]",
        "draft: {a: b}",
        "draft: 2024-01-01",
        "private: nearly",
        "headless: perhaps",
        "publish: blog",
        "published: soon",
        "build:\n  render: perhaps",
    ] {
        let said = outcome(&[], front);
        assert!(
            said.starts_with("withheld | posts/a.md:") && said.contains(": withheld: `"),
            "{front}: {said}"
        );
    }
}

#[test]
fn rule_26_a_text_with_a_password_is_withheld() {
    let check = |front: &str, expected: &str| assert_eq!(outcome(&[], front), expected, "{front}");
    let warning = "withheld | posts/a.md:3:11: warning: withheld: `password` protects this text, and Diglot shows texts to everyone hint: remove `password` to publish the text, or write `draft: true`";
    check("password: abc", warning);
    check("password: 1234", warning);
    check("password: [abc, d]", warning);
    check("password: abc\npublished: true", warning);
    check("password: abc\ndraft: true", "withheld");
    check("password:", "published");
    check("password: ''", "published");
    check("password: []", "published");
    let twice = outcome(&[], "password: ''\npassword: abc");
    assert!(twice.starts_with("withheld"), "{twice}");
    let exported = outcome(&[], "post_password: x");
    assert!(exported.starts_with("withheld"), "{exported}");
    for kind in [
        &[("mkdocs.yml", "docs_dir: posts\n")][..],
        &[(".vitepress/config.ts", "export default {}\n")],
        &[("_config.yml", "title: T\n"), ("scaffolds/post.md", "x")],
    ] {
        let said = outcome(kind, "password: abc");
        assert!(said.starts_with("withheld"), "{kind:?} {said}");
    }
}

#[test]
fn rule_27_a_key_that_is_nearly_one_of_ours() {
    let check = |front: &str, expected: &str| assert_eq!(outcome(&[], front), expected, "{front}");
    check(
        "darft: true",
        "withheld | posts/a.md:3:1: withheld: `darft: true` is nearly `draft` hint: write `draft`, or give the key a name of its own",
    );
    check(
        "darft: false",
        "published | posts/a.md:3:1: warning: the key `darft` may be misspelled hint: did you mean `draft`?",
    );
    check(
        "publised: true",
        "published | posts/a.md:3:1: warning: the key `publised` may be misspelled hint: did you mean `published`?",
    );
    for front in [
        "drfat: yes please",
        "daft: true",
        "publised: false",
        "pubilshed: no",
        "pirvate: true",
        "expirydat: 2020-01-01",
        "expiry date: 2020-01-01",
        "publishDat: 2030-01-01",
        "publish date: 2030-01-01",
    ] {
        let said = outcome(&[], front);
        assert!(
            said.starts_with("withheld | posts/a.md:3:1: withheld: `") && said.contains("nearly"),
            "{front}: {said}"
        );
    }
    // Keys of their own.
    for front in [
        "drafts: true",
        "draftDate: 2030-01-01",
        "publisher: false",
        "publication: false",
        "public: false",
        "dates: x",
        "data: true",
        "state: Ohio",
        "craft: true",
        "raft: true",
        "privacy: true",
        "hide: true",
        "expired: true",
        "primate: true",
    ] {
        check(front, "published");
    }
}

#[test]
fn rule_27_dates_that_decide() {
    let withheld = |front: &str| {
        let said = outcome(&[], front);
        assert!(
            said.starts_with("withheld | posts/a.md:3:")
                && said.contains(": withheld: `")
                && said.contains("` is not a date: `"),
            "{front}: {said}"
        );
    };
    for front in [
        "date: TBD",
        "date: next spring",
        "date: 2030-02-31",
        "publishDate: when it is done",
        "published_at: soon",
        "pubDate: '{{ date }}'",
        "expiryDate: end of summer",
        "expires: 2019-13-45",
    ] {
        withheld(front);
    }
    // The past withholds nothing.
    for front in [
        "date: 2017-02-29",
        "publishDate: 31 June 2019",
        "created: TBD",
    ] {
        let said = outcome(&[], front);
        assert!(
            said.starts_with("published | posts/a.md:3:"),
            "{front}: {said}"
        );
    }
    for front in ["expires: never", "date: Last Modified", "date: 03/04/2015"] {
        let said = outcome(&[], front);
        assert!(said.starts_with("published"), "{front}: {said}");
    }
    // A date is withheld as long as it may be in the future.
    let files = [("posts/a.md", "---\ndate: 2024-02-31\n---\nx")];
    let library = build(&files);
    assert_eq!(
        (
            library.articles.len(),
            library.next_change.map(|at| at.to_string())
        ),
        (0, Some("2025-01-01T00:00:00Z".to_owned()))
    );
    let later = Library::build(
        &sources(&files),
        &site(),
        "2025-01-01T00:00:00Z".parse().unwrap(),
    );
    assert_eq!(later.articles.len(), 1);
}

#[test]
fn rule_27_a_draft_in_broken_front_matter() {
    for text in [
        "+++\ntitle = \"T\"\ndraft = yes please\n+++\nWords.\n",
        "+++\ntitle = \"T\ndraft = true\n+++\nWords.\n",
        "+++\ndraft = True\ntitle = \"T\"\n+++\nWords.\n",
        "+++\na.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\ndraft = true\n+++\nWords.\n",
        "---\ntitle: \"T\n\tdraft: x\ndraft: true\n---\nWords.\n",
        "---\ndraft: true\ndraft: false\n---\nWords.\n",
        "---\ntitle: T\nsome words\ndraft: true\n\nWords.\n",
        "{\n  \"title\": \"T\",\n  \"draft\": true,\n}\n\nWords.\n",
    ] {
        let library = build(&[("posts/a.md", text)]);
        assert!(library.articles.is_empty(), "{text}");
    }
}

#[test]
fn rule_28_a_status_of_another_meaning() {
    let texts = [
        ("posts/a.md", "---\nstatus: Final\n---\nx"),
        ("posts/b.md", "---\nstatus: Draft\n---\nx"),
        ("posts/c.md", "---\nstatus: Review\n---\nx"),
    ];
    let published = |kind: &[(&str, &str)], texts: &[(&str, &str)]| {
        let files = [kind, texts].concat();
        let library = build(&files);
        (library.articles.len(), library.report.notes)
    };
    let jekyll = [("_config.yml", "title: x\n")];
    let (count, notes) = published(&jekyll, &texts);
    assert_eq!(
        (count, notes),
        (
            3,
            vec!["1 text whose `status` is a word such as `draft` is published: jekyll ignores `status`, and most of its values here are others (`final`, `review`); `draft: true` withholds a text".to_owned()]
        )
    );
    // A folder without a generator, and a vault: never by majority.
    assert_eq!(published(&[], &texts), (2, vec![]));
    assert_eq!(
        published(&[(".obsidian/app.json", "{}")], &texts),
        (2, vec![])
    );
    // Most values are states of publication.
    let states = [
        ("posts/a.md", "---\nstatus: published\n---\nx"),
        ("posts/b.md", "---\nstatus: draft\n---\nx"),
        ("posts/c.md", "---\nstatus: Review\n---\nx"),
    ];
    assert_eq!(published(&jekyll, &states), (2, vec![]));
    assert_eq!(published(&jekyll, &texts[1..2]), (0, vec![]));
    // Other keys withhold all the same.
    let drafts = [
        ("posts/a.md", "---\nstatus: Final\n---\nx"),
        ("posts/b.md", "---\nstatus: Draft\ndraft: true\n---\nx"),
    ];
    assert_eq!(published(&jekyll, &drafts), (1, vec![]));
}

#[test]
fn rule_28_states_in_many_spellings() {
    for status in [
        "draft",
        "Draft",
        "'[[draft]]'",
        "'#draft'",
        "first draft",
        "[idea, draft]",
        "pending review",
        "scheduled",
        "trash",
    ] {
        assert_eq!(outcome(&[], &format!("status: {status}")), "withheld");
    }
    for status in ["final", "published", "evergreen", "craft", "the future"] {
        assert_eq!(outcome(&[], &format!("status: {status}")), "published");
    }
    assert_eq!(outcome(&[], "status: hidden"), "unlisted");
    assert_eq!(
        outcome(&[], "status: drfat"),
        "withheld | posts/a.md:3:9: withheld: `status` is nearly a state that withholds the text: `drfat` hint: write `status: draft`, or a word that is not so near"
    );
}

#[test]
fn rule_29_words_only_in_front_matter() {
    check(
        &[
            (
                "posts/link.md",
                "---\ntitle: A tool\nsummary: What it *does*.\nsource_url: https://example.com/tool\n---\n",
            ),
            (
                "posts/only-link.md",
                "---\ntitle: Elsewhere\nlink: https://example.com/\n---\n\n",
            ),
            (
                "posts/only-words.md",
                "---\ntitle: Words\nexcerpt: Some words. {{< x >}}\n---\n<!-- note -->\n",
            ),
            ("posts/stub.md", "---\ntitle: Stub\ndate: 2020-01-01\n---\n"),
            ("posts/untitled.md", "---\nsummary: Words.\n---\n"),
            (
                "posts/topic/_index.md",
                "---\ntitle: Topic\nsummary: A section.\n---\n",
            ),
            (
                "posts/secret.md",
                "---\ntitle: Secret\nsummary: Words.\ndraft: true\n---\n",
            ),
        ],
        &[
            "/articles/link: What it does.||<https://example.com/tool>",
            "/articles/only-link: <https://example.com/>",
            "/articles/only-words: Some words.",
        ],
    );
}

#[test]
fn rule_43_all_authors_and_no_records_of_them() {
    let names = |article: &Article| format!("{} {}", article.stem, article.authors.join("+"));
    let by = |files: &[(&str, &str)]| {
        let sources = sources(files);
        let settings = crate::dialects::settings(&sources, None);
        let base = BaseUrl::parse("https://example.org").unwrap();
        let site = settings.into_site("Folder", base).unwrap();
        let library = Library::build(&sources, &site, NOW.parse().unwrap());
        let said: Vec<String> = library
            .articles
            .iter()
            .map(|article| names(article))
            .collect();
        (site.author.unwrap_or_default(), said)
    };
    assert_eq!(
        by(&[
            (
                "book.toml",
                "[book]\ntitle = \"B\"\nauthors = [\"Ann\", \"Bob\"]\n"
            ),
            ("src/SUMMARY.md", "- [A](a.md)\n"),
            ("src/a.md", "# A\n\nx"),
        ]),
        (
            "Ann, Bob".to_owned(),
            vec!["/articles/a Ann+Bob".to_owned()]
        )
    );
    assert_eq!(
        by(&[
            (
                "hugo.toml",
                "baseURL = 'https://e.org/'\n[[params.author]]\nname = 'Ann'\n[[params.author]]\nname = 'Bob'\n"
            ),
            ("content/posts/a.md", "x"),
            ("content/posts/b.md", "---\nauthors: [cy, dora-id]\n---\nx"),
            (
                "content/authors/cy/_index.md",
                "---\nname: Cy\n---\nA person."
            ),
            (
                "content/authors/dora-id.md",
                "---\ntitle: Dora\n---\nAnother."
            ),
        ]),
        (
            "Ann, Bob".to_owned(),
            vec![
                "/articles/a Ann+Bob".to_owned(),
                "/articles/b Cy+Dora".to_owned()
            ]
        )
    );
    facts(
        &[
            ("blog/authors.toml", ""),
            ("data/authors.toml", "[eve]\nname = 'Eve'\n"),
            (
                "docs/blog/.authors.yml",
                "authors:\n  fay:\n    name: Fay\n",
            ),
            ("posts/a.md", "---\nauthors: [eve, fay]\n---\nx"),
        ],
        names,
        &["/articles/a Eve+Fay"],
    );
}

#[test]
fn rule_50_slugs_that_collide_keep_their_folder() {
    let files = [
        ("posts/2024/05/notes.md", "---\nslug: monthly\n---\nMay."),
        ("posts/2024/06/notes.md", "---\nslug: monthly\n---\nJune."),
        (
            "posts/2024/07/summer/index.md",
            "---\nslug: monthly\n---\nJuly.",
        ),
        ("posts/alone.md", "---\nslug: one\n---\nAlone."),
        ("posts/deep/b.md", "---\nslug: c\n---\nB."),
        ("posts/c.md", "C."),
    ];
    check(
        &files,
        &[
            "/articles/2024/05/monthly: May.",
            "/articles/2024/06/monthly: June.",
            "/articles/2024/07/monthly: July.",
            "/articles/c: C.",
            "/articles/deep/c: B.",
            "/articles/one: Alone.",
        ],
    );
    assert_eq!(
        build(&files).report.notes,
        [
            "4 texts share their `slug` with another text, so the folder is part of the address: `posts/2024/05/notes.md`"
        ]
    );
    // Texts without a body as well.
    let link = "---\ntitle: T\nslug: x\nlink: https://example.com/\n---\n";
    let files = [("posts/a/1.md", link), ("posts/b/2.md", link)];
    assert_eq!(build(&files).articles.len(), 2);
    // In one folder they keep their names where their days differ, as in dated addresses.
    let files = [
        ("posts/a.md", "---\nslug: x\ndate: 2015-07-01\n---\nA."),
        ("posts/b.md", "---\nslug: x\ndate: 2016-07-01\n---\nB."),
    ];
    check(&files, &["/articles/b: B.", "/articles/a: A."]);
    // Else the first by path is published.
    let files = [
        ("posts/a.md", "---\nslug: x\n---\nA."),
        ("posts/b.md", "---\nslug: x\n---\nB."),
    ];
    assert_eq!(build(&files).articles.len(), 1);
}

#[test]
fn item_6_a_broken_link_says_what_the_folder_explains() {
    let library = build(&[
        (
            "posts/a.md",
            "[a](draft.md) [b](../../other.md) [c](none.md) [d](stub.md)",
        ),
        ("posts/draft.md", "---\ndraft: true\n---\nx"),
        ("posts/stub.md", "---\ntitle: Stub\n---\n"),
    ]);
    let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "posts/a.md:1:1: warning: the link leads to `posts/draft.md`, which is not published: draft",
            "posts/a.md:1:15: warning: the link `../../other.md` leads out of the folder",
            "posts/a.md:1:35: warning: broken link: `none.md`",
            "posts/a.md:1:48: warning: the link leads to `posts/stub.md`, which is not published: empty body",
        ]
    );
}

/// Whether `private.md` in the folder of its kind is published beside these files, and the errors.
fn secret(files: &[(&str, &str)], secret: &str) -> (bool, Vec<String>) {
    let mut all = files.to_vec();
    all.push((secret, "SECRET words."));
    let library = build(&all);
    let is_public = library
        .articles
        .iter()
        .any(|article| &*article.source == secret);
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let errors = library.problems.iter().filter(is_error);
    (
        is_public,
        errors.map(|problem| problem.to_string()).collect(),
    )
}

#[test]
fn rule_26_a_configuration_that_is_not_understood_publishes_nothing() {
    let long = format!("exclude: [private]\n#{}\n", "x".repeat(1_000_100));
    let module = format!("//{}\nexport default {{}}", "x".repeat(2_000_100));
    for (name, text, path) in [
        ("mkdocs.yml", "{{{{ [[ : ", "docs/private/s.md"),
        ("hugo.toml", "{{{{ [[ : ", "content/private/s.md"),
        ("_config.yml", &long, "_posts/2020-01-01-s.md"),
        ("docusaurus.config.js", &module, "docs/private/s.md"),
    ] {
        let (is_public, errors) = secret(&[(name, text)], path);
        assert_eq!((is_public, errors.len()), (false, 1), "{name}: {errors:?}");
        assert!(errors[0].starts_with(name), "{errors:?}");
        assert!(
            errors[0].contains("nothing of the site is published"),
            "{errors:?}"
        );
    }
    for empty in ["", "# later\n", "\n---\n"] {
        assert!(secret(&[("mkdocs.yml", empty)], "docs/s.md").0, "{empty:?}");
    }
}

#[test]
fn rule_26_a_cascade_that_is_not_understood_withholds_what_is_below() {
    let hugo = ("hugo.toml", "title = 'a'");
    let check = |index: &str, expected: bool| {
        let text = format!("---\ntitle: p\n{index}---\n");
        let files = [hugo, ("content/p/_index.md", &text)];
        let found = secret(&files, "content/p/s.md").0;
        assert_eq!(found, expected, "{index}");
    };
    check("cascade: {draft: true\n", false);
    check("cascade:\n  draft: true\nx: [\n", false);
    check("cascade:\n", true);
    check("cascade: []\n", true);
    check("cascade: {a: b}\n", true);
}

#[test]
fn rule_26_a_data_file_that_is_not_understood_withholds_its_texts() {
    let eleventy = ("eleventy.config.js", "module.exports = function(c) {}");
    let long = format!("{{\"a\": \"{}\"}}", "x".repeat(1_000_100));
    for data in ["{\"permalink\":false,", "{{{{", &long] {
        let files = [eleventy, ("posts/posts.json", data)];
        let (is_public, errors) = secret(&files, "posts/s.md");
        assert!(!is_public && errors.len() == 1, "{errors:?}");
        assert!(errors[0].starts_with("posts/posts.json"), "{errors:?}");
        assert!(secret(&files, "other/s.md").0);
    }
    for data in ["{}", ""] {
        assert!(secret(&[eleventy, ("posts/posts.json", data)], "posts/s.md").0);
    }
}
