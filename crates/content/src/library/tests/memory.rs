//! Results held in memory are reused, and equal those computed without it.
//! `design_9_an_edition_made_with_memory_is_the_one_made_without` in the crate `diglot-edition`
//! tests the second over random edits.

use super::*;

const FOLDER: [(&str, &str); 6] = [
    (
        "articles/a.md",
        "---\ntags: one\n---\nWords, and [b](b.md#a-section).",
    ),
    (
        "articles/b.md",
        "---\ndate: 2024-03-01\ntags: two\n---\nMore words.\n\n## A section\n",
    ),
    (
        "articles/c.html",
        "<title>C – The site</title><article><h1>C</h1><p>Words.</p></article>",
    ),
    (
        "articles/d.html",
        "<title>D – The site</title><article><h1>D</h1><p>Words.</p></article>",
    ),
    ("articles/e.md", "It shows a note.\n\n![[b]]\n"),
    ("articles/f.md", "{% include_relative part.md %}\n\n[[a]]"),
];

/// The articles that change when the text of one file changes. The library equals the one built
/// without memory.
fn others(path: &str, text: &str, expected: &[&str]) {
    let mut memory = Memory::default();
    let now = NOW.parse().unwrap();
    let mut files = FOLDER.to_vec();
    let before = Library::build_with(&sources(&files), &site(), now, &mut memory);
    before.release_documents();
    files.retain(|(other, _)| *other != path);
    files.push((path, text));
    let after = Library::build_with(&sources(&files), &site(), now, &mut memory);
    assert_eq!(
        format!("{after:?}"),
        format!("{:?}", Library::build(&sources(&files), &site(), now)),
        "{path}: {text}"
    );
    let is_same = |article: &&Arc<Article>| {
        before
            .articles
            .iter()
            .any(|before| Arc::ptr_eq(before, article))
    };
    let others: Vec<&str> = after
        .articles
        .iter()
        .filter(|article| !is_same(article))
        .map(|article| &*article.source)
        .collect();
    assert_eq!(others, expected, "{path}: {text}");
}

#[test]
fn design_9_an_article_that_nothing_has_changed_for_is_one_and_the_same() {
    let [(a, text), (b, _), ..] = FOLDER;
    others(a, text, &[]);
    others(a, "---\ntags: one\n---\nOther words, and [b](b.md).", &[a]);
    others("about.md", "About.", &[]);
    // What shows a note is another with it.
    others(
        b,
        "---\ndate: 2024-03-01\ntags: two\n---\nOther words.\n\n## A section\n",
        &[b, "articles/e.md"],
    );
    // A place that is gone, an address that is another, another spelling of a tag.
    others(
        b,
        "---\ndate: 2024-03-01\ntags: two\n---\nMore words.\n",
        &[b, a, "articles/e.md"],
    );
    others(
        b,
        "---\ndate: 2024-03-01\ntags: two\nslug: own\n---\nMore words.\n\n## A section\n",
        &[b, a, "articles/e.md"],
    );
    others(
        "articles/g.md",
        "---\ntags: [ONE]\n---\nWords.",
        &[a, "articles/g.md"],
    );
    // What is included, and what pages are called.
    others(
        "articles/part.md",
        "A part.",
        &["articles/f.md", "articles/part.md"],
    );
    others(
        "articles/c.html",
        "<title>C</title><article><h1>C</h1><p>Words.</p></article>",
        &["articles/c.html", "articles/d.html"],
    );
}

/// Only a GitBook withholds a page by `if`, so another kind of folder is another description.
#[test]
fn design_9_the_kind_of_a_folder_decides_who_sees_a_page() {
    let plain = [("a.md", "---\nif: visitor.claims.x\n---\n# A\n\nText.")];
    let gitbook = [plain[0], (".gitbook.yaml", "")];
    let mut memory = Memory::default();
    let now = NOW.parse().unwrap();
    let shown = [&plain[..], &gitbook, &plain].map(|files| {
        let library = Library::build_with(&sources(files), &site(), now, &mut memory);
        library.articles.len()
    });
    assert_eq!(shown, [1, 0, 1]);
}

/// The titles of parts, and the order, may be in files that are no data: a README, a script.
#[test]
fn design_9_a_file_that_orders_the_pages_is_read_again() {
    let nextra = [
        ("theme.config.jsx", "export default {}"),
        ("pages/_meta.jsx", "export default { b: 'B', a: 'A' }"),
        ("pages/a.mdx", "# A\n\nText."),
        ("pages/b.mdx", "# B\n\nText."),
    ];
    let gitbook = [
        ("a/.gitbook.yaml", ""),
        ("a/SUMMARY.md", "* [Start](README.md)\n* [More](more.md)\n"),
        ("a/README.md", "# One\n\nText."),
        ("a/more.md", "# More\n\nText."),
        ("b/.gitbook.yaml", ""),
        ("b/SUMMARY.md", "* [Start](README.md)\n"),
        ("b/README.md", "# Two\n\nText."),
    ];
    let menu = [
        (".gitbook.yaml", "structure:\n  summary: MENU.md\n"),
        (
            "MENU.md",
            "* [Start](README.md)\n* [A](a.md)\n* [B](b.md)\n",
        ),
        ("README.md", "# One\n\nText."),
        ("a.md", "# A\n\nText."),
        ("b.md", "# B\n\nText."),
    ];
    let hugo = [
        (
            "hugo.toml",
            "[[menu.main]]\nname = 'Docs'\nurl = '/docs'\n[[menu.main]]\nname = 'B'\nurl = '/b'\n[[menu.main]]\nname = 'A'\nurl = '/a'\n",
        ),
        ("content/a.md", "# A\n\nText."),
        ("content/b.md", "# B\n\nText."),
    ];
    // Which folder has the texts is seen by the files in it.
    let two_roots = [
        ("theme.config.jsx", "export default {}"),
        ("pages/_meta.json", "{\"b\": \"B\", \"a\": \"A\"}"),
        ("pages/a.mdx", "# A\n\nText."),
        ("pages/b.mdx", "# B\n\nText."),
        ("content/_meta.json", "{\"d\": \"D\", \"c\": \"C\"}"),
    ];
    for (files, path, text) in [
        (
            &nextra[..],
            "pages/_meta.jsx",
            "export default { a: 'A', b: 'B' }",
        ),
        (&gitbook[..], "b/README.md", "# Other\n\nText."),
        (
            &menu[..],
            "MENU.md",
            "* [Start](README.md)\n* [B](b.md)\n* [A](a.md)\n",
        ),
        (&two_roots[..], "content/d.mdx", "# D\n\nText."),
        (&hugo[..], "content/docs/x.md", "# X\n\nText."),
    ] {
        let mut memory = Memory::default();
        let now = NOW.parse().unwrap();
        let before = Library::build_with(&sources(files), &site(), now, &mut memory);
        let others = files.iter().filter(|(other, _)| *other != path);
        let edited: Vec<_> = others.copied().chain([(path, text)]).collect();
        let after = Library::build_with(&sources(&edited), &site(), now, &mut memory);
        let anew = Library::build(&sources(&edited), &site(), now);
        assert_eq!(format!("{after:?}"), format!("{anew:?}"), "{path}");
        assert_ne!(format!("{after:?}"), format!("{before:?}"), "{path}");
    }
}

#[test]
fn design_9_what_is_gone_is_forgotten() {
    let mut memory = Memory::default();
    let mut files = FOLDER.to_vec();
    let mut held = |files: &[(&str, &str)]| {
        Library::build_with(&sources(files), &site(), NOW.parse().unwrap(), &mut memory);
        (
            memory.texts.parsed.len(),
            memory.texts.described.len(),
            memory.articles.len(),
        )
    };
    let first = held(&files);
    files.pop();
    assert_eq!((first, held(&files)), ((6, 6, 6), (5, 5, 5)));
}
