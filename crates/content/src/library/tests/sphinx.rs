//! Folders of Sphinx whose texts are MyST.

use super::scope::everything;
use super::*;

const SETTINGS: (&str, &str) = (
    "docs/conf.py",
    "extensions = ['myst_parser']\nhtml_static_path = [\"_static\"]\nhtml_extra_path = ['extra']\n",
);

#[test]
fn myst_links_lead_to_labels_and_texts_of_the_folder() {
    let library = build(&[
        SETTINGS,
        (
            "docs/index.md",
            "# Home\n\n{ref}`install` [](#parts) [w](install) {doc}`sub/b` <project:sub/b.md>\n",
        ),
        (
            "docs/guide.md",
            "# Guide\n\n(install)=\n## Install it\n\nWords\n",
        ),
        (
            "docs/sub/b.md",
            "# B\n\n:::{figure} /_static/a.svg\n:name: parts\n\nThe parts\n:::\n\n[](install) {ref}`own`\n\n(own)=\n### Own\n",
        ),
        (
            "docs/_static/a.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
        ("docs/extra/robots-more.txt", "x"),
    ]);
    assert_eq!(library.problems, []);
    let references = library.report.references;
    assert_eq!(
        (references.links.broken, references.fragments.broken),
        (0, 0)
    );
    assert_eq!(references.images.broken, 0);
    let files: Vec<&str> = library.files.iter().map(|file| &*file.path).collect();
    assert_eq!(files, ["/_static/a.svg", "/robots-more.txt"]);
}

#[test]
fn myst_the_label_of_a_text_that_is_not_published_says_nothing() {
    let library = build(&[
        SETTINGS,
        (
            "docs/index.md",
            "# Home\n\n[](#hidden) {ref}`hidden` {ref}`words <hidden>` {doc}`draft`\n",
        ),
        (
            "docs/draft.md",
            "---\ndraft: true\n---\n\n(hidden)=\n# CANARY\n",
        ),
    ]);
    let everything = everything(&library);
    assert!(everything.contains("words"), "{everything}");
    assert!(!everything.contains("CANARY"), "{everything}");
}

#[test]
fn myst_the_title_of_a_text_outside_of_the_site_says_nothing() {
    let library = build(&[
        (
            "docs/conf.py",
            "extensions = ['myst_parser']\nexclude_patterns = ['old']\n",
        ),
        (
            "docs/index.md",
            "# Home\n\nSee [](#old) {ref}`old` {doc}`old/x` [](old/x.md) {ref}`plan` {doc}`../plan`\n\n```{toctree}\nold/x\n../plan\n```\n",
        ),
        ("docs/old/x.md", "(old)=\n# CANARY\n"),
        ("plan.md", "(plan)=\n# CANARY\n"),
    ]);
    let everything = everything(&library);
    assert!(everything.contains("See"), "{everything}");
    assert!(!everything.contains("CANARY"), "{everything}");
}

#[test]
fn rule_26_what_myst_hides_is_hidden_wherever_the_settings_are() {
    let hiding = "# A\n\n% a secret word\n\n```{todo}\na secret word\n```\n\n:::{only} internal\na secret word\n:::\n\nWords\n";
    for folder in ["", "docs/", "docs/source/"] {
        let settings = format!("{folder}conf.py");
        let text = format!("{folder}a.md");
        let library = build(&[
            (&settings, "extensions = [\n    'myst_nb',\n]\n"),
            (&text, hiding),
        ]);
        let everything = everything(&library);
        assert!(everything.contains("Words"), "{settings}");
        assert!(!everything.contains("secret"), "{settings}: {everything}");
    }
}

#[test]
fn myst_tables_of_contents_order_the_texts() {
    let library = build(&[
        SETTINGS,
        (
            "docs/index.md",
            "# Home\n\n```{toctree}\n:caption: Begin\n\nz\nparts/index\n```\n\n:::{toctree}\n:hidden:\n:glob:\n\nmore/*\nForge <https://x.org>\nindex\n:::\n",
        ),
        ("docs/z.md", "# Zed\n"),
        (
            "docs/parts/index.md",
            "# Parts\n\n```{toctree}\nThe second <b>\n/parts/a.md\n```\n````md\n```{toctree}\nno\n```\n````\n",
        ),
        ("docs/parts/a.md", "# A\n"),
        ("docs/parts/b.md", "# B\n"),
        ("docs/more/y.md", "# Y\n"),
        ("docs/more/x.md", "# X\n"),
        ("docs/no.md", "# No\n"),
    ]);
    let tree = &library.trees[0];
    let titles: Vec<&str> = tree.nodes.iter().map(|node| &*node.title).collect();
    assert_eq!(
        titles,
        [
            "Begin",
            "Zed",
            "Parts",
            "The second",
            "A",
            "X",
            "Y",
            "Forge"
        ]
    );
}
