//! Folders whose name begins with `_`, by kind.

use super::*;

/// The sources of what is published, of a folder of texts below `root`.
fn published(configuration: &[(&str, &str)], root: &str) -> String {
    let at = |path: &str| format!("{root}{path}");
    let files = [
        (at("i.md"), "# I\n\n![a](_images/a.png) [s](_sec/s.md)"),
        (at("_images/a.png"), "a"),
        (at("_images/b.png"), "b"),
        (at("_sec/s.md"), "# S\n\nText."),
        (at("_sec/t.md"), "# T\n\nText."),
        (at("_u.md"), "# U\n\nText."),
    ];
    let files = files.iter().map(|(path, text)| (path.as_str(), *text));
    let files: Vec<(&str, &str)> = configuration.iter().copied().chain(files).collect();
    let library = build(&files);
    let texts = library.articles.iter().chain(&library.pages);
    let texts = texts.map(|text| text.source.to_string());
    let files = library.files.iter().map(|file| file.source.to_string());
    let mut all: Vec<String> = texts.chain(files).collect();
    all.sort();
    let all = all.iter().map(|path| path.strip_prefix(root).unwrap());
    all.collect::<Vec<_>>().join(" ")
}

#[test]
fn kinds_without_a_rule_for_them_publish_them() {
    let all = "_images/a.png _images/b.png _sec/s.md _sec/t.md _u.md i.md";
    let mkdocs = [("mkdocs.yml", "site_name: X\n")];
    assert_eq!(published(&mkdocs, "docs/"), all);
    let hugo = [("hugo.toml", "title = 'X'\n")];
    assert_eq!(published(&hugo, "content/"), all);
    let zola = [
        ("config.toml", "base_url = 'https://x.org'\n"),
        ("content/z.md", "+++\ndraft = true\n+++\n"),
        ("content/_images/_index.md", "+++\nrender = false\n+++\n"),
    ];
    assert_eq!(published(&zola, "content/"), all);
    let listed = r#"{"build": {"content": [{"files": ["**/*.md"]}], "resource": [{"files": ["_images/**"]}]}}"#;
    assert_eq!(published(&[("docfx.json", listed)], ""), all);
}

#[test]
fn all_others_publish_nothing_of_them() {
    assert_eq!(published(&[], ""), "i.md");
    assert_eq!(
        published(
            &[("_config.yml", "title: X\n"), ("index.md", "---\n---\n")],
            ""
        ),
        "i.md"
    );
    // Where nothing is what the generator publishes, the whole folder is read, as a plain one is.
    assert_eq!(published(&[("mkdocs.yml", "site_name: X\n")], ""), "i.md");
}

#[test]
fn a_vault_publishes_the_attachments_that_notes_show() {
    let vault = [("a.md", "[[i]]"), ("b.md", "[[i]]")];
    let mut shown = published(&vault, "");
    shown = shown.replace("a.md b.md ", "");
    assert_eq!(shown, "_images/a.png i.md");
    let sources = Sources {
        hidden: [".obsidian".to_owned()].into(),
        ..sources(&[
            ("i.md", "![[a.png]] ![](_x/b.png) [s](_sec/s.md)"),
            ("_x/a.png", "a"),
            ("_x/b.png", "b"),
            ("_x/c.png", "c"),
            ("_sec/s.md", "S."),
        ])
    };
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert_eq!(library.articles.len(), 1);
    let files = library.files.iter().map(|file| &*file.source);
    assert_eq!(files.collect::<Vec<_>>(), ["_x/a.png", "_x/b.png"]);
}
