//! Folders of Pelican.

use super::*;

/// The published texts of a folder with these settings.
fn published_by(settings: &str, files: &[(&str, &str)]) -> Vec<String> {
    published_texts(&[&[("pelicanconf.py", settings)], files].concat())
}

#[test]
fn rule_26_a_text_of_pelican_without_a_date_or_a_title_is_not_published() {
    let files = [
        ("content/a.md", "Title: A\nDate: 2020-01-01\n\nA."),
        ("content/nodate.md", "Title: B\n\nB."),
        ("content/notitle.md", "Date: 2020-01-01\n\nB."),
        ("content/2020-05-06-name.md", "Words."),
        ("content/2020-05-07-dated.md", "Title: C\n\nC."),
        ("content/pages/p.md", "Title: P\n\nP."),
        ("content/pages/q.md", "Words."),
        (
            "content/h.html",
            "<html><head><title>H</title></head><body>Words.</body></html>",
        ),
        (
            "content/i.html",
            "<html><head><title>I</title><meta name=\"date\" content=\"2020-01-01\"></head><body>Words.</body></html>",
        ),
    ];
    let all = [
        "content/2020-05-07-dated.md",
        "content/a.md",
        "content/i.html",
        "content/pages/p.md",
    ];
    let settings = "PATH = 'content'\n";
    assert_eq!(published_by(settings, &files), all);
    let shown = published_by("PATH = 'content'\nDEFAULT_DATE = 'fs'\n", &files);
    assert!(shown.contains(&"content/nodate.md".to_owned()), "{shown:?}");
    assert!(
        !shown.contains(&"content/notitle.md".to_owned()),
        "{shown:?}"
    );
    let named = "PATH = 'content'\nFILENAME_METADATA = '(?P<title>.*)'\n";
    let shown = published_by(named, &files);
    assert!(
        shown.contains(&"content/notitle.md".to_owned()),
        "{shown:?}"
    );
}

#[test]
fn rule_26_what_pages_of_pelican_exclude_is_not_published() {
    let files = [
        ("content/a.md", "Title: A\nDate: 2020-01-01\n\nA."),
        ("content/notes/n.md", "Title: N\nDate: 2020-01-01\n\nN."),
        ("content/pages/p.md", "Title: P\n\nP."),
        (
            "content/pages/priv/q.md",
            "Title: Q\nDate: 2020-01-01\n\nQ.",
        ),
        ("content/posts/b.md", "Title: B\nDate: 2020-01-01\n\nB."),
        ("content/images/c.md", "Title: C\nDate: 2020-01-01\n\nC."),
    ];
    let of = |settings: &str| published_by(&format!("PATH = 'content'\n{settings}"), &files);
    assert_eq!(
        of("PAGE_EXCLUDES = ['pages/priv']\nARTICLE_EXCLUDES = ['notes']\n"),
        [
            "content/a.md",
            "content/images/c.md",
            "content/pages/p.md",
            "content/posts/b.md"
        ]
    );
    // Pages may be everywhere, and articles in one folder.
    assert_eq!(
        of(
            "ARTICLE_PATHS = ['posts']\nPAGE_PATHS = ['']\nPAGE_EXCLUDES = ['posts', 'notes', 'images']\n"
        ),
        [
            "content/a.md",
            "content/pages/p.md",
            "content/pages/priv/q.md",
            "content/posts/b.md"
        ]
    );
    // Texts in folders of files are not copied.
    assert_eq!(
        of("ARTICLE_PATHS = ['posts']\nSTATIC_PATHS = ['images']\n"),
        [
            "content/pages/p.md",
            "content/pages/priv/q.md",
            "content/posts/b.md"
        ]
    );
}

#[test]
fn rule_26_a_state_of_pelican_counts_wherever_it_is_written() {
    let html = |state: &str| {
        format!(
            "<html><head><title>H</title><meta name=\"date\" content=\"2020-01-01\"><META NAME='status' content='{state}'></head><body>Words.</body></html>"
        )
    };
    let files = [
        ("content/h.html", &*html("draft")),
        ("content/i.html", &*html("published")),
        ("content/a.md", "Title: A\nDate: 2020-01-01\n\nA."),
        (
            "content/drafts/d.md",
            "Title: D\nDate: 2020-01-01\nStatus:\n\nD.",
        ),
        ("content/blog/b.md", "Title: B\nDate: 2020-01-01\n\nB."),
    ];
    let of = |settings: &str| published_by(&format!("PATH = 'content'\n{settings}"), &files);
    assert_eq!(
        of("PATH_METADATA = r'(?P<status>draft)s/.*'\n"),
        ["content/a.md", "content/blog/b.md", "content/i.html"]
    );
    assert_eq!(
        of(
            "DEFAULT_METADATA = {'status': 'draft'}\nEXTRA_PATH_METADATA = {'blog': {'status': 'draft'}, 'blog/b.md': {'status': 'published'}}\n"
        ),
        ["content/blog/b.md", "content/i.html"]
    );
    // An expression that is not read may say a state.
    assert_eq!(
        of("PATH_METADATA = r'(?=x)(?P<status>draft)s/.*'\n"),
        [""; 0]
    );
    assert_eq!(of("PATH_METADATA = pattern()\n"), [""; 0]);
}

#[test]
fn rule_26_the_folder_of_pelican_is_joined_or_nothing_is_published() {
    let files = [
        ("src/content/a.md", "Title: A\nDate: 2020-01-01\n\nA."),
        ("src/notes/n.md", "Title: N\nDate: 2020-01-01\n\nN."),
    ];
    let joined = "import os\nHERE = os.path.dirname(__file__)\nPATH = os.path.join(HERE, 'src', 'content')\n";
    assert_eq!(published_by(joined, &files), ["src/content/a.md"]);
    for computed in ["PATH = find()\n", "PATH = '../content'\n"] {
        assert_eq!(published_by(computed, &files), [""; 0], "{computed}");
        let library = build(&[&[("pelicanconf.py", computed)], &files[..]].concat());
        let problems = library.problems.iter().map(ToString::to_string);
        let problems: Vec<String> = problems.collect();
        assert!(
            problems.iter().any(|one| one.contains("`PATH`")),
            "{problems:?}"
        );
    }
}
