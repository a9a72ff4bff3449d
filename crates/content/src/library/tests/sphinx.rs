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

/// The addresses of what is published of `docs/` with these settings and files.
fn published(settings: &str, files: &[(&str, &str)]) -> Vec<String> {
    let library = build(&[&[("docs/conf.py", settings)], files].concat());
    let texts = library.articles.iter().chain(&library.pages);
    let mut all: Vec<String> = texts.map(|text| text.stem.to_string()).collect();
    all.extend(library.files.iter().map(|file| file.path.to_string()));
    all
}

#[test]
fn rule_26_what_the_settings_of_sphinx_may_leave_out_is_not_published() {
    let files = [
        ("docs/index.md", "# Home\n\nText."),
        ("docs/int/a.md", "# A\n\nSECRET"),
        ("docs/drafts/b.md", "# B\n\nSECRET"),
        (
            "docs/base_conf.py",
            "exclude_patterns = ['int', 'drafts']\n",
        ),
    ];
    for excluded in [
        "if not os.environ.get('X'):\n    exclude_patterns.append('int/**')\n    exclude_patterns += ['drafts']\n",
        "EXCL = ['int', 'drafts']\nexclude_patterns = ['_build'] + EXCL\n",
        "exclude_patterns = \"\"\"\nint\ndrafts\n\"\"\".split()\n",
        "from base_conf import *\n",
        "exclude_patterns = ['int']\nexclude_patterns = exclude_patterns + ['drafts']\n",
        "exclude_patterns = ('int', 'drafts')\nexclude_patterns = list(exclude_patterns)\n",
        "exclude_patterns = ['int']\nexclude_patterns.insert(0, 'drafts')\n",
        "exclude_patterns = ['i[a-z]t', '[!i]*s']\n",
        "exclude_patterns = ['**nt', '*/b.md']\n",
        "templates_path = ['int', 'drafts']\n",
        "include_patterns = ['index.md']\n",
    ] {
        let settings = format!("extensions = ['myst_parser']\n{excluded}");
        assert_eq!(published(&settings, &files), ["/index"], "{excluded}");
    }
    let settings = "extensions = ['myst_parser']\nexclude_patterns = ['int'] + more('drafts')\n";
    let library = build(&[&[("docs/conf.py", settings)], &files[..]].concat());
    let said: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert!(!everything(&library).contains("SECRET"));
    assert!(
        said.iter().any(|said| said.contains("docs/conf.py:2:30")
            && said.contains("`exclude_patterns` is not read whole")),
        "{said:?}"
    );
}

#[test]
fn rule_26_sphinx_reads_markdown_only_with_an_extension_for_it() {
    let files = [("docs/index.md", "# Home\n\nText.")];
    for (settings, is_read) in [
        (
            "extensions = ['sphinx.ext.autodoc'] # 'myst_parser'\n",
            false,
        ),
        ("extensions = ['m2r2']\n", true),
        (
            "extensions = []\nsource_suffix = {'.rst': 'restructuredtext', '.md': 'markdown'}\n",
            true,
        ),
        ("source_suffix = ['.rst']\nextensions = []\n", false),
    ] {
        let found = published(settings, &files);
        assert_eq!(!found.is_empty(), is_read, "{settings}");
    }
}

#[test]
fn rule_26_sphinx_copies_only_what_texts_show() {
    let settings = "extensions = ['myst_parser']\nhtml_static_path = ['static']\n";
    let files = [
        ("docs/index.md", "# Home\n\n![A](a.svg) [d](data/shown.csv)"),
        ("docs/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        ("docs/data/shown.csv", "1"),
        ("docs/data/other.csv", "SECRET"),
        ("docs/theme/page.html", "<p>SECRET</p>"),
        ("docs/c.mdx", "# SECRET\n"),
        ("docs/m.markdown", "# SECRET\n"),
        (
            "docs/static/b.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
    ];
    let mut found = published(settings, &files);
    found.sort();
    assert_eq!(
        found,
        [
            "/_static/b.svg",
            "/articles/a.svg",
            "/articles/data/shown.csv",
            "/index"
        ]
    );
}

#[test]
fn rule_26_a_table_in_a_file_may_list_the_only_texts_of_sphinx() {
    let files = [
        ("docs/index.md", "# Home\n\nText."),
        ("docs/z.md", "# Zed\n\nText."),
        ("docs/a.md", "# A\n\nText."),
        ("docs/hidden.md", "# SECRET\n"),
        (
            "docs/_toc.yml",
            "root: index\nchapters:\n- file: z\n- file: a\n",
        ),
    ];
    let settings = "extensions = ['myst_parser', 'sphinx_external_toc']\n";
    let only = format!("{settings}external_toc_exclude_missing = True\n");
    assert_eq!(
        published(&only, &files),
        ["/articles/a", "/articles/z", "/index"]
    );
    assert_eq!(published(settings, &files).len(), 4);
    let library = build(&[&[("docs/conf.py", settings)], &files[..]].concat());
    let titles = library.trees[0].nodes.iter().map(|node| &*node.title);
    assert_eq!(titles.collect::<Vec<_>>(), ["Home", "Zed", "A"]);
}

#[test]
fn rule_31_copies_that_a_build_made_do_not_have_the_labels() {
    for (settings, built) in [
        (
            ("conf.py", "extensions = ['myst_parser']\n"),
            "_build/html/_sources/b.md",
        ),
        (("myst.yml", "version: 1\n"), "_build/site/public/b-d413.md"),
    ] {
        let b = "# B\n\n(lab)=\n## Bee\n\nText.\n";
        let library = build(&[
            settings,
            ("index.md", "# Home\n\n[](#lab) {ref}`lab`\n"),
            ("b.md", b),
            (built, b),
        ]);
        assert_eq!(library.problems, [], "{built}");
        let references = library.report.references;
        assert_eq!(
            (references.links.total, references.links.broken),
            (2, 0),
            "{built}"
        );
    }
}

#[test]
fn rule_26_sphinx_and_books_publish_texts_whatever_their_names() {
    let names = [
        "README.md",
        "LICENSE.md",
        "CHANGELOG.md",
        "_part.md",
        "_inc/a.md",
        "templates/t.md",
        "sub/README.md",
        "sub/index.md",
    ];
    let texts = names.map(|name| (name, "# T\n\nText."));
    let more = [
        ("index.md", "# Home\n\nText."),
        ("_build/html/_sources/x.md", "# SECRET\n"),
        ("CLAUDE.local.md", "# SECRET\n"),
    ];
    for settings in [
        &[("conf.py", "extensions = ['myst_parser']\n")][..],
        &[("myst.yml", "version: 1\n")],
        &[("_config.yml", "title: B\n"), ("_toc.yml", "root: index\n")],
    ] {
        let library = build(&[settings, &texts, &more].concat());
        let published = library.articles.iter().chain(&library.pages);
        assert_eq!(published.count(), names.len() + 1, "{settings:?}");
        assert!(!everything(&library).contains("SECRET"));
    }
}
