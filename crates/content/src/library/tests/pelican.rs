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

const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

#[test]
fn rule_21_links_of_pelican_name_files_of_its_folder() {
    let library = build(&[
        ("pelicanconf.py", "PATH = 'content'\n"),
        (
            "content/blog/a.md",
            "Title: A\nDate: 2020-01-01\nCover: {static}/images/cover.svg\n\n![a]({static}/images/a.svg) ![b]({attach}b%20c.svg) ![c](|filename|/images/a.svg) [d]({filename}d.md#head) [e]({filename}/pages/e.md) [f][g] [home]({index}) <img src=\"{static}/images/a.svg\" alt=\"h\"> <a href=\"{filename}d.md\">i</a> [T]({tag}My%20tag) [C]({category}x)\n\n[g]: {filename}d.md\n",
        ),
        ("content/blog/b c.svg", PICTURE),
        ("content/images/a.svg", PICTURE),
        ("content/images/cover.svg", PICTURE),
        (
            "content/blog/d.md",
            "Title: D\nDate: 2020-01-01\nTags: My tag\nCategory: x\n\n# Head\n\nWords.",
        ),
        ("content/pages/e.md", "Title: E\n\nWords."),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [""; 0]);
    let twin = twin(&library, "/articles/blog/a").replace("https://example.org", "");
    for expected in [
        "![a](/images/a.svg)",
        "![c](/images/a.svg)",
        "[d](/articles/blog/d.md#head)",
        "[e](/articles/pages/e.md)",
        "[f](/articles/blog/d.md)",
        "![h](/images/a.svg)",
        "[i](/articles/blog/d.md)",
        "[T](/tags/My-tag.md)",
    ] {
        assert!(twin.contains(expected), "{expected}: {twin}");
    }
}

#[test]
fn rule_26_files_of_pelican_are_those_that_it_copies_and_those_that_texts_show() {
    let of = |settings: &str| {
        let settings = format!("PATH = 'content'\n{settings}");
        let library = build(&[
            ("pelicanconf.py", &settings),
            (
                "content/a.md",
                "Title: A\nDate: 2020-01-01\n\n![x]({attach}shown.svg)",
            ),
            ("content/shown.svg", PICTURE),
            ("content/secret.pdf", "x"),
            ("content/images/b.svg", PICTURE),
            ("content/images/priv/c.svg", PICTURE),
            ("content/extra/icon.svg", PICTURE),
            ("content/extra/other.svg", PICTURE),
        ]);
        let files = library.files.iter().map(|file| file.path.to_string());
        let mut files: Vec<String> = files.collect();
        files.sort();
        files
    };
    assert_eq!(
        of(""),
        ["/articles/shown.svg", "/images/b.svg", "/images/priv/c.svg"]
    );
    assert_eq!(
        of(
            "STATIC_PATHS = ['images', 'extra/icon.svg']\nSTATIC_EXCLUDES = ['images/priv']\nEXTRA_PATH_METADATA = {'extra/icon.svg': {'path': 'icon.svg'}}\n"
        ),
        ["/articles/shown.svg", "/icon.svg", "/images/b.svg"]
    );
}

#[test]
fn rule_27_texts_of_pelican_had_addresses_by_their_titles_and_patterns() {
    let of = |settings: &str| {
        let settings = format!("PATH = 'content'\n{settings}");
        former(&build(&[
            ("pelicanconf.py", &settings),
            (
                "content/blog/a.md",
                "Title: Été, c'est C++!\nDate: 2020-03-04\nCategory: My Notes\n\nA.",
            ),
            (
                "content/b.md",
                "Title: B\nDate: 2020-03-04\nSlug: my-own\n\nB.",
            ),
            ("content/pages/p.md", "Title: About us\n\nP."),
        ]))
    };
    let all = |settings: &str, expected: &[&str]| {
        let former = of(settings);
        for redirect in expected {
            assert!(
                former.contains(&(*redirect).to_owned()),
                "{redirect}: {former:?}"
            );
        }
    };
    all(
        "",
        &[
            "/ete-cest-c.html /articles/blog/a",
            "/my-own.html /articles/my-own",
            "/pages/about-us.html /articles/pages/p",
        ],
    );
    all(
        "ARTICLE_URL = '{date:%Y}/{date:%m}/{category}/{slug}/'\nARTICLE_SAVE_AS = '{date:%Y}/{date:%m}/{category}/{slug}/index.html'\nPAGE_URL = '{slug}/'\nSLUGIFY_SOURCE = 'basename'\n",
        &[
            "/2020/03/my-notes/a/ /articles/blog/a",
            "/2020/03/misc/my-own/ /articles/my-own",
            "/p/ /articles/pages/p",
        ],
    );
}

#[test]
fn rule_15_texts_of_pelican_with_one_slug_are_translations() {
    let library = build(&[
        ("pelicanconf.py", "PATH = 'content'\nDEFAULT_LANG = 'en'\n"),
        (
            "content/c-fr.md",
            "Title: C fr\nDate: 2020-01-01\nSlug: c\nLang: fr\n\nMots.",
        ),
        (
            "content/c.md",
            "Title: C\nDate: 2020-01-01\nSlug: c\n\nWords.",
        ),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [""; 0]);
    let articles = library.articles.iter();
    let mut articles: Vec<String> = articles
        .map(|one| format!("{} {} {}", one.source, one.stem, one.translations.len()))
        .collect();
    articles.sort();
    assert_eq!(
        articles,
        [
            "content/c-fr.md /articles/c.fr 1",
            "content/c.md /articles/c 1"
        ]
    );
    let former = former(&library);
    for redirect in ["/c.html /articles/c", "/c-fr.html /articles/c.fr"] {
        assert!(former.contains(&redirect.to_owned()), "{former:?}");
    }
}

#[test]
fn rule_26_names_of_texts_say_nothing_to_pelican() {
    let text = "Title: A\nDate: 2020-01-01\n\nA.";
    let files = [
        ("content/CHANGELOG.md", text),
        ("content/README.md", text),
        ("content/_a.md", text),
        ("content/_b/c.md", text),
        ("content/notes/README.md", "# Notes"),
    ];
    assert_eq!(
        published_by("PATH = 'content'\n", &files),
        [
            "content/CHANGELOG.md",
            "content/README.md",
            "content/_a.md",
            "content/_b/c.md"
        ]
    );
}
