//! Folders with several books, configurations or languages, and what of them is public.

use super::scope::check_canaries;
use super::*;

/// Each text with its address and language.
fn texts(library: &Library) -> Vec<String> {
    let all = library.articles.iter().chain(&library.pages);
    let mut texts: Vec<String> = all
        .map(|text| format!("{} {} {}", text.source, text.stem, text.language))
        .collect();
    texts.sort_unstable();
    texts
}

#[test]
fn rule_26_books_in_folders_publish_their_chapters() {
    let book = "[book]\ntitle = 'B'\n";
    let list = "# Summary\n\n- [A](a.md)\n";
    let files = [
        ("en/book.toml", book),
        ("en/src/SUMMARY.md", list),
        ("en/src/a.md", "# A\n\nwords\n"),
        ("zh-CN/book.toml", book),
        ("zh-CN/src/SUMMARY.md", list),
        ("zh-CN/src/a.md", "# 甲\n\nwords\n"),
    ];
    let secret = [
        "solutions/a.md",
        "en/plan.md",
        "en/src/old.md",
        "zh-CN/src/old.md",
        "NOTES.md",
    ];
    check_canaries(
        &files,
        &secret,
        &[
            "en/src/a.md /articles/a",
            "zh-CN/src/a.md /articles/zh-CN/a",
        ],
    );
    assert_eq!(
        texts(&build(&files)),
        [
            "en/src/a.md /articles/a en",
            "zh-CN/src/a.md /articles/zh-CN/a zh-CN"
        ]
    );
}

#[test]
fn rule_44_several_books_are_parts_with_their_titles() {
    let library = build(&[
        ("guide/book.toml", "[book]\ntitle = 'The guide'\n"),
        ("guide/src/SUMMARY.md", "- [B](b.md)\n- [A](a.md)\n"),
        ("guide/src/a.md", "# A\n\nwords\n"),
        ("guide/src/b.md", "# B\n\nwords\n"),
        ("reference/book.toml", "[book]\nsrc = 'text'\n"),
        ("reference/text/SUMMARY.md", "- [C](c.md)\n"),
        ("reference/text/c.md", "# C\n\nwords\n"),
        ("other.md", "words"),
    ]);
    assert_eq!(
        texts(&library),
        [
            "guide/src/a.md /articles/a en",
            "guide/src/b.md /articles/b en",
            "reference/text/c.md /articles/reference/c en",
        ]
    );
    let titles: Vec<&str> = library.trees[0]
        .nodes
        .iter()
        .map(|node| &*node.title)
        .collect();
    assert_eq!(titles, ["The guide", "B", "A", "reference", "C"]);
}

#[test]
fn rule_26_one_configuration_of_mkdocs_for_each_language() {
    let files = [
        ("mkdocs.yml", "site_name: S\ndocs_dir: docs/en\n"),
        ("mkdocs.de.yml", "INHERIT: mkdocs.yml\ndocs_dir: docs/de\n"),
        ("docs/en/a.md", "# A\n\nwords\n"),
        ("docs/de/a.md", "# Ä\n\nWörter\n"),
    ];
    check_canaries(
        &files,
        &["docs/plan.md", "docs/fr/a.md", "README.md"],
        &["docs/de/a.md /articles/de/a", "docs/en/a.md /articles/a"],
    );
    let named = [
        ("mkdocs.en.yml", "site_name: S\ndocs_dir: docs/en\n"),
        files[1],
        files[2],
        files[3],
    ];
    assert_eq!(
        texts(&build(&named)),
        [
            "docs/de/a.md /articles/de/a de",
            "docs/en/a.md /articles/a en"
        ]
    );
}

#[test]
fn rule_26_the_texts_of_mkdocs_may_be_beside_its_folder() {
    check_canaries(
        &[
            (
                "website/mkdocs.yml",
                "site_name: S\ndocs_dir: ../text\nnav:\n  - b.md\n  - a.md\n",
            ),
            ("text/a.md", "# A\n\nwords\n"),
            ("text/b.md", "# B\n\nwords\n"),
        ],
        &["website/notes.md", "docs/plan.md", "README.md"],
        &["text/a.md /articles/a", "text/b.md /articles/b"],
    );
}

#[test]
fn variables_of_the_environment_have_their_default() {
    let library = build(&[
        (
            "mkdocs.yml",
            "site_name: !ENV [NAME, 'My site']\ndocs_dir: !ENV [DIR, text]\n",
        ),
        ("text/a.md", "# A\n\nwords\n"),
        ("docs/b.md", "# B\n\nwords\n"),
    ]);
    assert_eq!(texts(&library), ["text/a.md /articles/a en"]);
}

#[test]
fn rule_26_languages_of_hugo_with_their_own_folders_are_the_content() {
    check_canaries(
        &[
            (
                "hugo.toml",
                "defaultContentLanguage = 'en'\ndisableLanguages = ['da']\n[languages.en]\ncontentDir = 'content/en'\n[languages.de]\ncontentDir = 'content/de'\n[languages.fr]\ncontentDir = 'content/fr'\ndisabled = true\n[languages.da]\ncontentDir = 'content/da'\n",
            ),
            ("content/en/a.md", "---\ntitle: A\n---\nwords\n"),
            ("content/de/a.md", "---\ntitle: Ä\n---\nwords\n"),
        ],
        &[
            "content/fr/a.md",
            "content/da/a.md",
            "content/it/a.md",
            "content/template/a.md",
        ],
        &[
            "content/de/a.md /articles/de/a",
            "content/en/a.md /articles/en/a",
        ],
    );
}

#[test]
fn rule_26_templates_of_new_notes_are_no_notes() {
    check_canaries(
        &[
            (".obsidian/templates.json", "{\"folder\": \"Meta/Forms\"}"),
            ("Notes/a.md", "[[b]] words\n"),
            ("Notes/b.md", "[[a]] words\n"),
        ],
        &["Meta/Forms/x.md"],
        &[
            "Notes/a.md /articles/Notes/a",
            "Notes/b.md /articles/Notes/b",
        ],
    );
    let notes = [("a.md", "[[b]] words\n"), ("b.md", "[[a]] words\n")];
    let with = |template| {
        build(&[notes[0], notes[1], ("Templates/new.md", template)])
            .articles
            .len()
    };
    assert_eq!(with("Made on {{date}}.\n"), 2);
    assert_eq!(with("How I [[a]] write.\n"), 3);
}

/// The titles in the tree of a folder; empty: it is a journal.
fn tree(files: &[(&str, &str)]) -> Vec<String> {
    let library = build(files);
    let nodes = library.trees.first().map(|tree| tree.nodes.iter());
    nodes
        .into_iter()
        .flatten()
        .map(|node| node.title.to_string())
        .collect()
}

#[test]
fn rule_44_a_menu_of_hugo_orders_texts_without_weights() {
    let config = (
        "hugo.toml",
        "title = 'H'\n[[menus.main]]\nname = 'Guide'\npageRef = '/guide'\nweight = 2\n[[menus.main]]\nname = 'Start'\npageRef = '/start'\nweight = 1\n",
    );
    let files = [
        config,
        ("content/start.md", "---\ntitle: S\n---\nwords"),
        ("content/guide/b.md", "---\ntitle: B\n---\nwords"),
        ("content/guide/a.md", "---\ntitle: A\n---\nwords"),
    ];
    assert_eq!(tree(&files), ["Start", "Guide", "A", "B"]);
    // Weights are an order already.
    let weighted = [
        files[0],
        ("content/start.md", "---\ntitle: S\nweight: 3\n---\nwords"),
        ("content/guide.md", "---\ntitle: G\nweight: 1\n---\nwords"),
    ];
    assert_eq!(tree(&weighted), ["G", "S"]);
}

#[test]
fn rule_44_texts_of_hugo_name_their_place_in_a_menu() {
    let files = [
        ("hugo.toml", "title = 'H'\n"),
        (
            "content/a.md",
            "---\ntitle: A\nmenu: {main: {identifier: a, weight: 2}}\n---\nwords",
        ),
        (
            "content/b.md",
            "+++\ntitle = 'B'\n[menus.main]\nparent = 'a'\nname = 'Below'\n+++\nwords",
        ),
        (
            "content/c.md",
            "---\ntitle: C\nmenu: {main: {weight: 1}}\n---\nwords",
        ),
        ("content/d.md", "---\ntitle: D\nmenu: main\n---\nwords"),
    ];
    assert_eq!(tree(&files), ["C", "A", "Below", "D"]);
}

#[test]
fn a_link_with_brackets_in_its_text_is_no_wikilink() {
    let files = [
        ("_config.yml", "title: J\n"),
        (
            "_posts/2024-01-01-a.md",
            "---\n---\n[[Bug #1]](https://a.example/1) words\n",
        ),
        (
            "_posts/2024-01-02-b.md",
            "---\n---\n[[Bug #2]] words\n\n[Bug #2]: https://a.example/2\n",
        ),
    ];
    let library = build(&files);
    let text = twin(&library, "/articles/2024-01-01-a");
    assert!(text.contains("](https://a.example/1)"), "{text}");
    assert_eq!(library.problems, []);
}

#[test]
fn rule_12_only_a_page_that_readers_see_gives_its_title_to_a_link() {
    let library = build(&[
        (".gitbook.yaml", "root: ./\n"),
        ("SUMMARY.md", "* [A](a.md)\n* [B](b.md)\n"),
        ("a.md", "# A\n\n[b.md](b.md)\n"),
        ("b.md", "---\ndraft: true\n---\n# Secret plan\n\nwords\n"),
    ]);
    let text = twin(&library, "/articles/a");
    assert!(text.contains("b.md") && !text.contains("Secret"), "{text}");
}

#[test]
fn rule_31_pictures_that_eleventy_does_not_render_are_shown() {
    check_canaries(
        &[
            (
                ".eleventy.js",
                "module.exports = (c) => ({ dir: { input: 'src' } })",
            ),
            ("src/.eleventyignore", "img\n"),
            ("src/a.md", "# A\n\n![](/img/a.png)\n"),
            ("src/img/a.png", "x"),
        ],
        &["src/img/b.png", "src/img/README.md", "src/img/plan.md"],
        &["src/a.md /articles/a", "src/img/a.png /articles/img/a.png"],
    );
}

#[test]
fn links_lead_to_translations_where_names_of_files_say_their_language() {
    let site = |config: (&'static str, &'static str)| {
        let library = build(&[
            config,
            ("docs/index.md", "# Home\n\n[A](a.md)"),
            (
                "docs/b.fr.md",
                "# B\n\n[A](a.md#deux) [En](c.en.md) [D](d.md)",
            ),
            ("docs/b.md", "# B\n\n[A](a.md)"),
            ("docs/a.md", "# A\n\n## Two\n\nx"),
            ("docs/a.fr.md", "# A\n\n## Deux\n\nx"),
            ("docs/c.en.md", "# C\n\nx"),
            ("docs/c.fr.md", "# C\n\nx"),
            ("docs/d.md", "# D\n\nx"),
        ]);
        let text = twin(&library, "/articles/b.fr");
        text.replace("https://example.org/articles/", "")
    };
    let mkdocs = (
        "mkdocs.yml",
        "site_name: X\nplugins:\n  - i18n:\n      languages:\n        - locale: en\n        - locale: fr\n",
    );
    assert_eq!(site(mkdocs), "[A](a.fr.md#deux) [En](c.en.md) [D](d.md)");
    let zola = (
        "config.toml",
        "base_url = \"https://e.example\"\ncompile_sass = false\n",
    );
    assert!(!site(zola).contains("a.fr.md"));
}

#[test]
fn links_lead_to_translations_where_all_names_of_files_say_their_language() {
    let library = build(&[
        (
            "mkdocs.yml",
            "site_name: T\nplugins:\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - {locale: en, default: true}\n        - {locale: fr}\n",
        ),
        ("docs/a.en.md", "A."),
        ("docs/a.fr.md", "A."),
        ("docs/b.fr.md", "[a](a.md) [en](a.en.md)"),
    ]);
    assert_eq!(
        twin(&library, "/articles/b.fr"),
        "[a](https://example.org/articles/a.fr.md) [en](https://example.org/articles/a.en.md)"
    );
}
