//! Quartz and the plug-in Digital Garden: which notes of a vault they publish, and where.

use super::scope::{canaries, canaries_in, check_canaries};
use super::*;

const NOTE: &str = "# A\n\nwords\n";

#[test]
fn rule_26_the_owners_configuration_of_quartz_has_precedence_over_the_default_one() {
    let ignoring =
        |name: &str| format!("configuration:\n  ignorePatterns: [{name}]\nplugins: []\n");
    let (own, usual) = (ignoring("journal"), ignoring("notes"));
    let json = r#"{"configuration": {"ignorePatterns": ["journal"]}, "plugins": []}"#;
    for (file, text) in [("quartz.config.yaml", &*own), ("quartz.plugins.json", json)] {
        check_canaries(
            &[
                (file, text),
                ("quartz.config.default.yaml", &usual),
                (
                    "quartz.config.ts",
                    "export default await loadQuartzConfig()",
                ),
                ("content/notes/a.md", NOTE),
            ],
            &["content/journal/j.md"],
            &["content/notes/a.md /articles/notes/a"],
        );
    }
}

#[test]
fn rule_26_explicit_publish_of_quartz_5_withholds_what_does_not_say_publish() {
    let repository = "https://github.com/quartz-community/explicit-publish.git#v1";
    for source in [
        "github:quartz-community/explicit-publish".to_owned(),
        "'@quartz-community/explicit-publish'".to_owned(),
        format!("{{repo: '{repository}'}}"),
        "{repo: 'github:me/plugins', name: explicit-publish}".to_owned(),
    ] {
        let config =
            |enabled: bool| format!("plugins:\n  - source: {source}\n    enabled: {enabled}\n");
        let note = ("content/a.md", "---\npublish: true\n---\nwords\n");
        canaries(
            &[("quartz.config.yaml", &config(true)), note],
            &["content/diary.md", "content/deep/private.md"],
        );
        let all = build(&[
            ("quartz.config.yaml", &config(false)),
            note,
            ("content/b.md", NOTE),
        ]);
        assert_eq!(all.articles.len(), 2, "{source}");
    }
}

#[test]
fn rule_26_quartz_leaves_out_what_git_ignores_in_its_content() {
    check_canaries(
        &[
            ("quartz.config.ts", "const config = {}"),
            ("content/.gitignore", "ignored.md\nsecret/\n*.tmp.md\n"),
            ("content/sub/.gitignore", "b.md\n!c.tmp.md\n"),
            ("content/a.md", NOTE),
            ("content/b.md", NOTE),
            ("content/sub/c.tmp.md", NOTE),
        ],
        &[
            "content/ignored.md",
            "content/secret/a.md",
            "content/x.tmp.md",
            "content/sub/b.md",
        ],
        &[
            "content/a.md /articles/a",
            "content/b.md /articles/b",
            "content/sub/c.tmp.md /articles/sub/c.tmp",
        ],
    );
}

#[test]
fn rule_26_patterns_of_quartz_count_from_its_content() {
    check_canaries(
        &[
            (
                "quartz.config.ts",
                "const config = { configuration: { ignorePatterns: ['private', 'x/*.md', './z/', '*.draft.md', '**/*.secret.md', '!(open|x|deep)/w*'] } }",
            ),
            ("content/deep/private/a.md", NOTE),
            ("content/deep/n.draft.md", NOTE),
            ("content/x/y/z.md", NOTE),
            ("content/open/w.md", NOTE),
        ],
        &[
            "content/z/a.md",
            "content/shut/w.md",
            "content/private/a.md",
            "content/x/y.md",
            "content/n.draft.md",
            "content/deep/n.secret.md",
        ],
        &[
            "content/deep/n.draft.md /articles/deep/n.draft",
            "content/deep/private/a.md /articles/deep/private/a",
            "content/open/w.md /articles/open/w",
            "content/x/y/z.md /articles/x/y/z",
        ],
    );
}

#[test]
fn rule_26_a_vault_with_the_plug_in_of_gardens_publishes_no_note_by_itself() {
    let plugin = [".obsidian", ".obsidian/plugins/digitalgarden"];
    canaries_in(&plugin, &[], &["A.md", "deep/B.md"]);
    // So does one note that says `false` show the plug-in.
    canaries(
        &[("a.md", "---\ndg-publish: false\n---\nwords\n")],
        &["b.md"],
    );
    let library = canaries_in(
        &plugin,
        &[("a.md", "---\ndg-publish: true\n---\nwords\n")],
        &["b.md"],
    );
    assert_eq!(texts_of(&library), ["a.md"]);
}

#[test]
fn rule_26_a_folder_of_another_generator_is_no_garden() {
    let mut sources = sources(&[
        ("mkdocs.yml", "site_name: S\n"),
        ("docs/a.md", NOTE),
        ("docs/b.md", "---\ndg-publish: false\n---\nwords\n"),
    ]);
    let plugin = "docs/.obsidian/plugins/digitalgarden".to_owned();
    sources.hidden.insert(plugin);
    let library = Library::build(&sources, &site(), NOW.parse().unwrap());
    assert_eq!(texts_of(&library), ["docs/a.md"]);
}

#[test]
fn addresses_of_quartz_spell_signs_and_aliases_are_addresses_as_well() {
    let library = build(&[
        ("quartz.config.ts", "const config = {}"),
        (
            "content/Folder Name/Deep Note.md",
            "---\naliases: [My Alias, old/Other Name]\n---\n[[R & D]] [[Third]]\n",
        ),
        (
            "content/R & D.md",
            "---\naliases: [Third]\n---\n[[My Alias]]\n",
        ),
        ("content/100% sure?.md", NOTE),
    ]);
    let former = former(&library);
    for line in [
        "/Folder-Name/Deep-Note /articles/Folder-Name/Deep-Note",
        "/My-Alias /articles/Folder-Name/Deep-Note",
        "/old/Other-Name /articles/Folder-Name/Deep-Note",
        "/R--and--D /articles/R-&-D",
        "/100-percent-sure /articles/100%-sure?",
    ] {
        assert!(former.iter().any(|one| one == line), "{line}: {former:#?}");
    }
    assert!(library.problems.is_empty(), "{:?}", library.problems);
}

#[test]
fn a_garden_has_its_home_page_and_its_permalinks() {
    let library = build(&[
        (".obsidian/app.json", "{}"),
        ("index.md", "---\ndg-home: true\n---\nwords\n"),
        (
            "x/Start.md",
            "---\ndg-publish: true\ndg-home: true\n---\n[[Note]]\n",
        ),
        (
            "Note.md",
            "---\ndg-publish: true\ndg-permalink: custom/link\n---\n[[Start]]\n",
        ),
    ]);
    let home = library.pages.iter().find(|page| &*page.stem == "/index");
    assert_eq!(home.map(|home| &*home.source), Some("x/Start.md"));
    let former = former(&library);
    assert!(
        former
            .iter()
            .any(|one| one == "/custom/link /articles/Note"),
        "{former:?}"
    );
}
