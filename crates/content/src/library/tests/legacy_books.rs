//! Books of HonKit, and of GitBook as it was before.

use super::inherited::words;
use super::*;

/// The texts of a folder with these files that are published.
fn published(files: &[(&str, &str)], texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords.\n"));
    let files: Vec<(&str, &str)> = files.iter().copied().chain(texts).collect();
    published_texts(&files)
}

#[test]
fn rule_26_templates_of_a_book_know_its_variables() {
    let of = |book: &str, text: &str| {
        let text = format!("---\nwip: false\n---\n# A\n\na {text}.");
        words(&[
            ("book.json", book),
            ("SUMMARY.md", "* [A](a.md)\n"),
            ("a.md", &text),
            (
                "inc.md",
                "{% if book.beta %}SECRET{% else %}b{% endif %} {{ book.ver }}",
            ),
        ])
    };
    let book = "{\"title\": \"B\", \"variables\": {\"ver\": \"1.2\", \"beta\": false, \"zero\": 0, \"in\": {\"x\": \"y\"}}}";
    for condition in [
        "book.beta",
        "book.zero",
        "book.none",
        "book.in.none",
        "output.name == \"ebook\"",
        "page.wip",
        "page.none",
        "none",
        "wip",
        "not book.ver",
    ] {
        let text = format!("{{% if {condition} %}}SECRET{{% else %}}b{{% endif %}}");
        assert_eq!(of(book, &text), ("a b.".to_owned(), vec![]), "{condition}");
    }
    let shown = of(
        book,
        "{{ book.ver }} [v](https://e.org/{{ book.ver }}/x) {{ config.title }} {{ book.in.x }} `{{ book.ver }}`",
    );
    let expected = "a 1.2 [v](https://e.org/1.2/x) B y `{{ book.ver }}`.";
    assert_eq!(shown, (expected.to_owned(), vec![]));
    assert_eq!(of(book, "{% include \"./inc.md\" %}").0, "a b 1.2.");
    let text = "{% if gitbook.version %}b{% endif %}";
    assert_eq!(of(book, text), ("a b.".to_owned(), vec![]));
    // What the program gives is hidden, and reported.
    let (shown, problems) = of(book, "{% if page.title == 'x' %}b{% endif %}");
    assert_eq!((shown.as_str(), problems.len()), ("a .", 1));
    // A language may have values of its own.
    let text = "# A\n\na {% if book.beta %}b{% else %}c{% endif %}.";
    let mut files = vec![
        ("book.json", book),
        ("LANGS.md", "* [English](en/)\n"),
        ("en/SUMMARY.md", "* [A](a.md)\n"),
        ("en/a.md", text),
    ];
    assert_eq!(words(&files), ("a c.".to_owned(), vec![]));
    files.push(("en/book.json", "{\"variables\": {\"beta\": true}}"));
    let (shown, problems) = words(&files);
    assert_eq!((shown.as_str(), problems.len()), ("a .", 1));
    // Without variables nothing has a value.
    let text = "{% if book.beta %}SECRET{% else %}b{% endif %}";
    assert_eq!(of("{}", text).0, "a b.");
}

#[test]
fn rule_26_variables_that_a_program_computes_are_undecided() {
    let of = |variables: &str| {
        let book = format!("module.exports = {{ variables: {variables} }};\n");
        words(&[
            ("book.js", &book),
            ("SUMMARY.md", "* [A](a.md)\n"),
            (
                "a.md",
                "# A\n\na {% if book.beta %}b{% else %}c{% endif %}.",
            ),
        ])
    };
    assert_eq!(of("{ beta: false }"), ("a c.".to_owned(), vec![]));
    assert_eq!(of("{ beta: true }"), ("a b.".to_owned(), vec![]));
    for computed in [
        "{ beta: process.env.BETA }",
        "{ ...more }",
        "require('./values')()",
        "{}, ...more",
    ] {
        let (shown, problems) = of(computed);
        assert_eq!(shown, "a .", "{computed}");
        let is_said = problems.iter().any(|one| one.contains("is not shown"));
        assert!(is_said, "{problems:?}");
    }
}

#[test]
fn rule_26_a_book_is_known_by_the_files_that_its_configuration_names() {
    let texts = [
        "docs/README.md",
        "docs/a.md",
        "docs/GLOSSARY.md",
        "docs/unlisted.md",
        "outer.md",
        "notes/x.md",
    ];
    let list = ("docs/TOC.md", "# Contents\n\n* [A](a.md)\n");
    let expected = ["docs/GLOSSARY.md", "docs/README.md", "docs/a.md"];
    for (file, text) in [
        (
            "book.json",
            "{\"root\": \"./docs\", \"structure\": {\"summary\": \"TOC.md\"}}",
        ),
        (
            "book.js",
            "module.exports = { root: './docs', structure: { summary: 'TOC.md' } };",
        ),
        (
            "book.js",
            "const path = require('path');\nmodule.exports = { root: path.join(__dirname, 'docs'), structure: { summary: 'TOC.md' } };",
        ),
    ] {
        assert_eq!(published(&[(file, text), list], &texts), expected, "{text}");
    }
    // A project that names the program.
    let texts = ["README.md", "a.md", "TODO.md", "notes/x.md"];
    let list = ("SUMMARY.md", "* [A](a.md)\n");
    let package = "{\"devDependencies\": {\"honkit\": \"^6\"}}";
    let found = published(&[("package.json", package), list], &texts);
    assert_eq!(found, ["README.md", "a.md"]);
    // A file of another program.
    let book = ("book.js", "export function open() {}");
    assert_eq!(published(&[book], &["a.md", "b.md"]), ["a.md", "b.md"]);
}

#[test]
fn rule_26_a_book_whose_folder_a_program_computes_is_not_published() {
    let package = "{\"devDependencies\": {\"honkit\": \"^6\"}}";
    let files = [
        ("package.json", package),
        ("book.js", "module.exports = { root: find() };\n"),
        ("src/SUMMARY.md", "* [A](a.md)\n"),
        ("src/a.md", "# A\n\nWords.\n"),
        ("notes/x.md", "# X\n\nWords.\n"),
    ];
    let library = build(&files);
    assert_eq!(texts_of(&library), Vec::<String>::new());
    let problems = library.problems.iter().map(|problem| problem.to_string());
    let problems: Vec<String> = problems.collect();
    assert_eq!(
        problems[0],
        "book.js:1:26: `root` is not read: it is computed, or outside the folder\n  hint: write a folder of the book as a literal; nothing of the site is published"
    );
}

#[test]
fn rule_26_a_book_in_languages_has_those_that_it_lists() {
    let texts = [
        "README.md",
        "outer.md",
        "de/README.md",
        "de/a.md",
        "en/README.md",
        "en/a.md",
        "en/unlisted.md",
        "fr/README.md",
    ];
    let lists = [
        ("LANGS.md", "* [English](en/)\n* [Deutsch](de/)\n"),
        ("en/SUMMARY.md", "* [Start](README.md)\n* [A](a.md)\n"),
        ("de/SUMMARY.md", "* [Anfang](README.md)\n* [A](a.md)\n"),
        ("fr/SUMMARY.md", "* [Début](README.md)\n"),
        ("shared/a.png", "x"),
    ];
    let expected = ["de/README.md", "de/a.md", "en/README.md", "en/a.md"];
    assert_eq!(published(&lists, &texts), expected);
    let with_book = [&lists[..], &[("book.json", "{\"title\": \"B\"}")]].concat();
    assert_eq!(published(&with_book, &texts), expected);
}

#[test]
fn rule_12_an_include_from_the_root_counts_from_the_book_of_its_language() {
    let text = "# A\n\na\n\n{% include \"/inc/x.md\" %}\n";
    let files = [
        ("LANGS.md", "* [English](en/)\n* [Deutsch](de/)\n"),
        ("book.json", "{}"),
        ("en/SUMMARY.md", "* [A](a.md)\n"),
        ("en/a.md", text),
        ("en/inc/x.md", "words"),
        ("de/SUMMARY.md", "* [A](a.md)\n"),
        ("de/a.md", text),
        ("de/inc/x.md", "Worte"),
    ];
    let library = build(&files);
    assert_eq!(texts_of(&library), ["de/a.md", "en/a.md"]);
    let texts = library.articles.iter();
    let texts: Vec<String> = texts
        .map(|text| format!("{}: {}", text.stem, twin(&library, &text.stem)))
        .collect();
    assert_eq!(
        texts,
        ["/articles/a: a\n\nwords", "/articles/de/a: a\n\nWorte"]
    );
    let former = former(&library);
    for old in ["/en/a /articles/a", "/de/a /articles/de/a"] {
        assert!(former.iter().any(|one| one == old), "{former:?}");
    }
}

#[test]
fn rule_26_what_a_book_ignores_is_not_published() {
    let files = [
        ("book.json", "{\"root\": \"docs\"}"),
        ("docs/SUMMARY.md", "* [A](a.md)\n* [D](drafts/d.md)\n"),
        (".gitignore", "/docs/own\n"),
        ("docs/own/x.png", "x"),
        ("docs/_layouts/a.png", "x"),
        ("docs/README.md", "# T\n\nWords."),
        ("docs/a.md", "# A\n\nWords."),
        ("docs/drafts/d.md", "# D\n\nWords."),
        (".bookignore", "# comment\nsecret.txt\ndrafts\n"),
        (".ignore", "*.pdf\n!ok.pdf\n"),
        ("docs/drafts/pic.png", "x"),
        ("docs/secret.txt", "x"),
        ("docs/plan.pdf", "x"),
        ("docs/ok.pdf", "x"),
    ];
    let library = build(&files);
    let files = library.files.iter().map(|file| file.path.to_string());
    assert_eq!(files.collect::<Vec<_>>(), ["/articles/ok.pdf"]);
    assert_eq!(texts_of(&library), ["docs/README.md", "docs/a.md"]);
}
