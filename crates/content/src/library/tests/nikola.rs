//! Folders of Nikola.

use super::*;

/// A text with a title.
fn titled(title: &str) -> String {
    format!(".. title: {title}\n.. date: 2020-01-01\n\nWords.")
}

#[test]
fn rule_26_only_texts_that_fit_a_pattern_of_nikola_are_published() {
    let text = titled("A");
    let text = text.as_str();
    let files = [
        ("posts/a.md", text),
        ("posts/2019-b.markdown", text),
        ("posts/2020-c.markdown", text),
        ("posts/sub/d.md", text),
        ("posts/h.html", "<p>Words.</p>"),
        ("extra/only-e.md", text),
        ("extra/other.md", text),
        ("notes/n.md", text),
    ];
    let of = |settings: &str| published_texts(&[&[("conf.py", settings)], &files[..]].concat());
    let all = [
        "extra/only-e.md",
        "posts/2020-c.markdown",
        "posts/a.md",
        "posts/sub/d.md",
    ];
    assert_eq!(
        of(
            "POSTS = (\n    (\"posts/*.md\", \"blog\", \"post.tmpl\"),\n    # (\"notes/*.md\", \"\", \"x\"),\n    (\"posts/2020-*.markdown\", \"blog\", \"post.tmpl\"),\n)\nPAGES = [(\"extra/only-*.md\", \"x\", \"page.tmpl\")]\n"
        ),
        all
    );
    let constant = "P = 'posts/*.md'\nPOSTS = ((P, 'posts', 'post.tmpl'),)\nPAGES = ()\n";
    assert_eq!(of(constant), ["posts/a.md", "posts/sub/d.md"]);
    let partly = "POSTS = ((find(), 'posts', 'p'), ('extra/*.md', '', 'p'))\n";
    assert_eq!(of(partly), ["extra/only-e.md", "extra/other.md"]);
    let settings = [("conf.py", partly)];
    let library = build(&[&settings[..], &files].concat());
    assert!(library.problems[0].to_string().contains("`POSTS`"));
    assert_eq!(of("POSTS = patterns()\nPAGES = ()\n"), [""; 0]);
}

#[test]
fn rule_26_files_of_nikola_are_those_of_its_folders_and_those_that_texts_show() {
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let of = |settings: &str| {
        let settings = format!("POSTS = (('posts/*.md', 'posts', 'post.tmpl'),)\n{settings}");
        let library = build(&[
            ("conf.py", &settings),
            ("posts/a.md", &format!("{}\n\n![x](shown.svg)", titled("A"))),
            ("posts/shown.svg", picture),
            ("posts/secret.csv", "x"),
            ("files/b.txt", "x"),
            ("images/c.svg", picture),
            ("static/d.txt", "x"),
            ("pics/e.svg", picture),
        ]);
        let files = library.files.iter().map(|file| file.path.to_string());
        let mut files: Vec<String> = files.collect();
        files.sort();
        files
    };
    assert_eq!(
        of("IMAGE_FOLDERS = {'images': 'images'}\n"),
        ["/articles/shown.svg", "/b.txt", "/images/c.svg"]
    );
    assert_eq!(
        of("FILES_FOLDERS = {'static': ''}\nIMAGE_FOLDERS = {'pics': 'pics'}\n"),
        ["/articles/shown.svg", "/d.txt", "/pics/e.svg"]
    );
}

/// Where the former addresses of a text lead, by settings and the path of the text.
fn leads(settings: &str, files: &[(&str, &str)], expected: &[(&str, &str)]) {
    let library = build(&[&[("conf.py", settings)], files].concat());
    let former = former(&library);
    for (old, new) in expected {
        let redirect = format!("{old} {new}");
        assert!(former.contains(&redirect), "{redirect}: {former:?}");
    }
}

#[test]
fn rule_27_posts_of_nikola_had_the_folder_of_their_pattern_and_their_slug() {
    let settings = "DEFAULT_LANG = 'en'\nTRANSLATIONS = {DEFAULT_LANG: '', 'fr': './fr'}\nPOSTS = (('posts/*.md', 'blog', 'post.tmpl'),)\nPAGES = (('pages/*.md', '', 'page.tmpl'),)\n";
    let text = titled("A title");
    let slugged = format!(".. slug: own\n{text}");
    let files = [
        ("posts/One Two.md", text.as_str()),
        ("posts/sub/b.md", &slugged),
        ("posts/c.md", &text),
        ("posts/c.fr.md", &text),
        ("pages/d.md", &text),
    ];
    leads(
        settings,
        &files,
        &[
            ("/blog/one-two/", "/articles/One-Two"),
            ("/blog/sub/own/", "/articles/own"),
            ("/blog/c/", "/articles/c"),
            ("/fr/blog/c/", "/articles/c.fr"),
            ("/d/", "/pages/d"),
        ],
    );
    let settings = format!("PRETTY_URLS = False\n{settings}");
    leads(&settings, &files, &[("/blog/c.html", "/articles/c")]);
}

#[test]
fn rule_21_links_of_nikola_name_texts_by_their_files_slugs_and_tags() {
    let library = build(&[
        ("conf.py", "POSTS = (('posts/*.md', 'blog', 'post.tmpl'),)\n"),
        (
            "posts/a.md",
            &titled("A").replace("Words.", "[b](link://slug/own) [c](link://filename/posts/b.md#x) [d](link://tag/t) {{% thumbnail \"/images/a.svg\" alt=\"e\" %}}f{{% /thumbnail %}}"),
        ),
        ("posts/b.md", ".. title: B\n.. slug: own\n.. tags: t\n\n# X\n\nWords."),
        (
            "images/a.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
    ]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems, [""; 0]);
    let twin = twin(&library, "/articles/a").replace("https://example.org", "");
    for expected in [
        "[b](/articles/own.md)",
        "[c](/articles/own.md#x)",
        "[d](/tags/t.md)",
        "![e](/a.svg)",
    ] {
        assert!(twin.contains(expected), "{expected}: {twin}");
    }
}

#[test]
fn rule_26_names_of_texts_say_nothing_to_nikola() {
    let text = titled("A");
    let text = text.as_str();
    let files = [
        (
            "conf.py",
            "POSTS = (('posts/*.md', 'blog', 'post.tmpl'),)\n",
        ),
        ("README.md", text),
        ("posts/README.md", text),
        ("posts/_a.md", text),
    ];
    assert_eq!(published_texts(&files), ["posts/README.md", "posts/_a.md"]);
}
