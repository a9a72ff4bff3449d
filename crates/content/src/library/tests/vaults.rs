//! Rule 26: in a vault whose notes say which of them are public, the others are not.

use super::*;

const SECRET: &str = "CANARY";

fn shown(library: &Library) -> String {
    let texts = library.articles.iter().chain(&library.pages);
    let twins = texts.map(|text| format!("{}: {}", text.stem, twin(library, &text.stem)));
    twins.collect::<Vec<_>>().join("\n")
}

#[test]
fn rule_26_notes_without_dg_publish_are_withheld() {
    let library = build(&[
        (".obsidian/app.json", "{}"),
        (
            "Garden.md",
            "---\ndg-publish: true\ndg-home: true\n---\nWords. [[Private]] ![[Private]] ![[Open]]\n\n{{#include Private.md}}\n{% include Private.md %}\n--8<-- \"Private.md\"\n",
        ),
        ("Open.md", "---\ndg-publish: 'true'\n---\nOpen words."),
        ("Private.md", "# Private\n\nCANARY"),
        (
            "deep/Diary.md",
            "---\ntitle: CANARY\ndg-publish:\n---\nCANARY",
        ),
        ("deep/Other.md", "---\ndg-publish: false\n---\nCANARY"),
        ("index.md", "CANARY"),
    ]);
    let text = shown(&library);
    assert!(text.contains("Open words."), "{text}");
    assert!(!text.contains(SECRET), "{text}");
    assert_eq!(library.articles.len() + library.pages.len(), 2, "{text}");
    assert_eq!(
        library.report.notes,
        [
            "2 notes without `dg-publish` in the front matter are withheld: in this folder `dg-publish: true` publishes a note"
        ]
    );
}

#[test]
fn rule_26_quartz_publishes_what_says_so_where_it_is_told_to() {
    let publish = |config: &str| -> Vec<String> {
        let library = build(&[
            ("quartz.config.ts", config),
            ("content/a.md", "---\npublish: true\n---\nA."),
            ("content/b.md", "B."),
        ]);
        let articles = library.articles.iter();
        articles.map(|article| article.stem.to_string()).collect()
    };
    let explicit = "const config = { plugins: { filters: [\n  Plugin.ExplicitPublish(),\n] } }";
    assert_eq!(publish(explicit), ["/articles/a"]);
    let inline = "const config = { plugins: { filters: [Plugin.RemoveDrafts(), Plugin.ExplicitPublish()] } }";
    assert_eq!(publish(inline), ["/articles/a"]);
    let commented = "const config = { plugins: { filters: [\n  // Plugin.ExplicitPublish(),\n] } }";
    assert_eq!(publish(commented), ["/articles/a", "/articles/b"]);
}

#[test]
fn rule_26_a_vault_without_such_keys_is_public() {
    let library = build(&[
        ("a.md", "---\ndraft: true\n---\nA."),
        ("b.md", "The key `dg-publish: true` is explained here."),
    ]);
    assert_eq!(library.articles.len(), 1);
}

#[test]
fn the_wiki_of_a_forge_has_its_home_page_and_its_sidebar() {
    let library = build(&[
        (
            "Home.md",
            "# Welcome\n\n[[Installing it]] [[FAQ]] [[the guide|Installing It]] `[[a|b]]`",
        ),
        ("FAQ.md", "# Questions\n\n[[Home]]"),
        ("Installing-It.md", "# Installing\n\nx"),
        (
            "_Sidebar.md",
            "- **[[Home]]**\n- [[Set up|Installing It]]\n- [[FAQ]]\n",
        ),
    ]);
    let stems = library.articles.iter().map(|article| &*article.stem);
    let stems: Vec<&str> = stems.collect();
    assert_eq!(stems, ["/articles/FAQ", "/articles/Installing-It"]);
    let home = library.pages.iter().find(|page| &*page.stem == "/index");
    assert_eq!(home.map(|home| &*home.source), Some("Home.md"));
    assert!(library.problems.is_empty(), "{:?}", library.problems);
    let gitlab = build(&[
        ("home.md", "# Welcome\n\n[[the page|a-b]]"),
        ("_sidebar.md", "- [A](a-b)\n- [Home](home)\n"),
        ("a-b.md", "# A\n\nx"),
    ]);
    assert!(gitlab.pages.iter().any(|page| &*page.source == "home.md"));
    assert!(gitlab.problems.is_empty(), "{:?}", gitlab.problems);
}

#[test]
fn links_of_dendron_have_the_text_first_and_may_name_a_vault() {
    let library = build(&[
        ("dendron.yml", "version: 5\n"),
        (
            "vault/a.md",
            "[[Words|b.c]] [[There | dendron://my.vault/b.c]] [[dendron://my.vault/b.c]] `[[x|y]]`\n\n| A |\n|---|\n| [[Cell\\|b.c]] |\n",
        ),
        ("vault/b.c.md", "# BC\n\nwords"),
    ]);
    assert!(library.problems.is_empty(), "{:?}", library.problems);
    let twin = twin(&library, "/articles/vault/a");
    let to = "(https://example.org/articles/vault/b.c.md)";
    for words in ["Words", "There", "b.c", "Cell"] {
        assert!(twin.contains(&format!("[{words}]{to}")), "{twin}");
    }
    assert!(twin.contains("`[[x|y]]`"), "{twin}");
}

#[test]
fn properties_of_a_page_of_logseq_are_metadata() {
    let library = build(&[
        ("logseq/config.edn", "{:publishing/all-pages-public? true}"),
        (
            "pages/a.md",
            "title:: My own title\ntags:: x, [[b]]\nalias:: other\n\n- Words\n",
        ),
        (
            "pages/c.md",
            "- title:: Third\n  tags:: y\n- See [[My own title]] and [[other]]\n",
        ),
    ]);
    let mut shown: Vec<String> = library
        .articles
        .iter()
        .map(|text| {
            let tags: Vec<&str> = text.tags.iter().map(|tag| &*tag.name).collect();
            let twin = twin(&library, &text.stem);
            format!("{} [{}] {twin}", text.title, tags.join(","))
        })
        .collect();
    shown.sort();
    assert_eq!(
        shown,
        [
            "My own title [x,b] - Words",
            "Third [y] - See [My own title](https://example.org/articles/pages/a.md) and [other](https://example.org/articles/pages/a.md)"
        ]
    );
    assert_eq!(library.problems, []);
}
