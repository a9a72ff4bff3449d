//! Titles and summaries.

use super::*;

/// The title of each article, then its document as a twin.
fn check_titles(sources: &Sources, expected: &[(&str, &str)]) {
    let library = Library::build(sources, &site(), NOW.parse().unwrap());
    let found: Vec<(String, String)> = library
        .articles
        .iter()
        .map(|article| {
            let text = twin(&library, &article.stem).replace('\n', "|");
            (article.title.to_string(), text)
        })
        .collect();
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(title, text)| (title.as_str(), text.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn rule_39_the_opening_heading_that_gave_the_title_goes() {
    check_titles(
        &sources(&[
            ("articles/a.md", "## What is X?\n\nText.\n\n### More\n\nb\n"),
            (
                "articles/b.md",
                "---\ntitle: Of B\n---\n### Of *B*\n\nText.\n",
            ),
            (
                "articles/c.md",
                "---\ntitle: Of C\n---\n## A section\n\nText.\n",
            ),
            ("articles/d.md", "Words.\n\n## A section\n\nText.\n"),
            (
                "articles/e.md",
                "---\nsidebar_label: Of E\n---\nWords.\n\n## A section\n",
            ),
            (
                "articles/f-g.md",
                "---\nsidebar_label: Of F\n---\n## Of G\n\n## H\n",
            ),
        ]),
        &[
            ("What is X?", "Text.||## More||b"),
            ("Of B", "Text."),
            ("Of C", "## A section||Text."),
            ("A section", "Words.||## A section||Text."),
            ("Of E", "Words.||## A section"),
            ("Of G", "## H"),
        ],
    );
    // A link to the heading leads to the title.
    let library = build(&[
        ("articles/a.md", "## What is X?\n\nText.\n"),
        ("articles/b.md", "# B\n\n[x](a.md#what-is-x)\n"),
    ]);
    assert!(library.problems.is_empty(), "{:?}", library.problems);
    assert_eq!(
        library.articles[0].document.title_id.as_deref(),
        Some("what-is-x")
    );
}

#[test]
fn rule_61_the_title_keeps_every_id_of_its_heading() {
    let library = build(&[
        ("zola.toml", "base_url = 'https://e.org'\n"),
        ("config.toml", "base_url = 'https://e.org'\n"),
        (
            "content/a.md",
            "+++\ntitle = 'Café'\n+++\n# Café {#own}\n\nText.\n",
        ),
        (
            "content/b.md",
            "+++\ntitle = 'Über'\n+++\n# Über\n\nText.\n",
        ),
        (
            "content/c.md",
            "+++\ntitle = 'Links'\n+++\n[a](@/a.md#own) [b](@/b.md#uber) [b](@/b.md#über)\n",
        ),
    ]);
    assert!(library.problems.is_empty(), "{:?}", library.problems);
    let ids: Vec<Vec<&str>> = library
        .articles
        .iter()
        .map(|article| article.document.title_ids().collect())
        .collect();
    assert_eq!(ids, [vec!["own"], vec!["über", "uber"], vec![]]);
}

#[test]
fn rule_39_a_note_keeps_its_name_and_the_home_page_the_name_of_the_site() {
    let mut vault = sources(&[
        ("My note.md", "## A section\n\nText.\n"),
        ("Other note.md", "## Other note\n\nText.\n"),
    ]);
    vault.hidden.insert(".obsidian".to_owned());
    check_titles(
        &vault,
        &[("My note", "## A section||Text."), ("Other note", "Text.")],
    );
    let library = build(&[
        ("articles/a.md", "# A\n"),
        ("index.md", "## Welcome\n\nText.\n"),
    ]);
    let home = &library.pages[0];
    assert_eq!(
        (&*home.title, home.document.headings().len()),
        ("Folder", 1)
    );
}

#[test]
fn rule_9_a_name_without_letters_is_a_title_as_it_is() {
    let mut vault = sources(&[
        ("2024-02-03.md", "- did this\n"),
        ("2024-02-04 A day.md", "- did that\n"),
    ]);
    vault.hidden.insert(".obsidian".to_owned());
    check_titles(
        &vault,
        &[("A day", "- did that"), ("2024-02-03", "- did this")],
    );
}

#[test]
fn rule_40_a_title_is_text() {
    facts(
        &[
            (
                "articles/a.md",
                "---\ntitle: <Suspense>\ndescription: Shows <Suspense> &amp; <em>more</em>.\ntags: ['C&#43;&#43;', <input>]\n---\nx",
            ),
            (
                "articles/b.md",
                "---\ntitle: \"U&#46;S&#46; <em>law</em>\"\n---\nWords.",
            ),
            ("articles/c.md", "# The `<Suspense>` component\n\nWords."),
            ("articles/d.md", "---\nsidebar_label: <select>\n---\nWords."),
        ],
        |article| {
            let tags: Vec<&str> = article.tags.iter().map(|tag| &*tag.name).collect();
            format!(
                "{} | {} | {}",
                article.title,
                article.summary,
                tags.join(",")
            )
        },
        &[
            "<Suspense> | Shows <Suspense> & more. | C++,<input>",
            "U.S. law | Words. | ",
            "The <Suspense> component | Words. | ",
            "<select> | Words. | ",
        ],
    );
}

#[test]
fn rule_41_a_summary_is_the_author_s_or_prose_or_none() {
    facts(
        &[
            (
                "articles/a.md",
                "---\nexcerpt: true\n---\n# tar\n\n> Archiving utility.\n\n`tar cf x`\n",
            ),
            (
                "articles/b.md",
                "---\nsummary: '&quot;Own&quot; <b>words</b>:'\n---\nProse of the text.\n",
            ),
            ("articles/c.md", "# C\n\n`ls -l`\n\n- [a](a.md)\n"),
        ],
        |article| article.summary.to_string(),
        &["Archiving utility.", "\"Own\" words:", ""],
    );
}

#[test]
fn rule_62_tags_in_the_text_of_a_vault_are_tags() {
    let text = "---\ntags: [one]\n---\n#feature/dates #one\n\nText with a #word in it.\n";
    let mut vault = sources(&[("Note.md", text), ("Idea.md", "#idea\n")]);
    vault.hidden.insert(".obsidian".to_owned());
    let of = |sources: &Sources| {
        let library = Library::build(sources, &site(), NOW.parse().unwrap());
        let mut shown = Vec::new();
        for article in library.articles.iter() {
            let tags: Vec<&str> = article.tags.iter().map(|tag| &*tag.name).collect();
            let text = twin(&library, &article.stem);
            shown.push(format!("{} | {} | {text}", tags.join(","), article.summary));
        }
        shown
    };
    assert_eq!(
        of(&vault),
        [
            "idea |  | ",
            "one,feature/dates,word | Text with a #word in it. | Text with a #word in it."
        ]
    );
    vault.hidden.clear();
    assert!(of(&vault)[1].starts_with("one | Text with a #word in it. | \\#feature"));
}

#[test]
fn rule_9_a_key_of_the_folder_s_own_may_give_the_title() {
    let titled = |front: &str| {
        let text = format!("---\n{front}\n---\nWords.\n\n## Full coverage\n\nMore.");
        let library = build(&[("articles/a.md", &text)]);
        library.articles[0].title.to_string()
    };
    assert_eq!(titled("newstitle: The *news*"), "The news");
    assert_eq!(titled("post_title: News\nsidebar_label: N"), "News");
    for other in ["subtitle: News", "hidetitle: true", "x: y"] {
        assert_eq!(titled(other), "Full coverage", "{other}");
    }
}
