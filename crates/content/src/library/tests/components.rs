//! JSX and components in folders of several kinds.

use super::*;

#[test]
fn rule_35_texts_with_jsx_are_mdx_in_a_folder_that_has_several() {
    let jsx = "# A\n\nSee {/* private */} [b](#b) {1 + 1}.\n\n## B {/*b*/}\n\n<Note>\n\n**c**\n\n</Note>\n";
    let plain = "# P\n\nSet {braces} and Vec<T> {/ here.\n";
    check(
        &[
            ("one.md", jsx),
            ("plain.md", plain),
            ("two.md", jsx),
            ("x1.md", plain),
            ("x2.md", plain),
            ("x3.md", plain),
            ("x4.md", plain),
            ("x5.md", plain),
            ("x6.md", plain),
        ],
        &[
            "/articles/one: See  [b](https://example.org/articles/one.md#b) .||## B||> [!NOTE]|> **c**",
            "/articles/plain: Set {braces} and Vec {/ here.",
            "/articles/two: See  [b](https://example.org/articles/two.md#b) .||## B||> [!NOTE]|> **c**",
            "/articles/x1: Set {braces} and Vec {/ here.",
            "/articles/x2: Set {braces} and Vec {/ here.",
            "/articles/x3: Set {braces} and Vec {/ here.",
            "/articles/x4: Set {braces} and Vec {/ here.",
            "/articles/x5: Set {braces} and Vec {/ here.",
            "/articles/x6: Set {braces} and Vec {/ here.",
        ],
    );
}

#[test]
fn rule_35_one_text_that_shows_jsx_is_no_evidence() {
    check(
        &[
            (
                "a.md",
                "# A\n\nIn JSX {/* this */} is a comment, `<Foo />` a component.\n",
            ),
            ("b.md", "# B\n\n{braces}\n"),
        ],
        &[
            "/articles/a: In JSX {/\\* this \\*/} is a comment, `<Foo />` a component.",
            "/articles/b: {braces}",
        ],
    );
    check(
        &[
            ("a.md", "# A\n\n{/* secret */} b\n"),
            (
                "package.json",
                "{\"dependencies\": {\"@mdx-js/mdx\": \"3\"}}",
            ),
        ],
        &["/articles/a: b"],
    );
}

#[test]
fn rule_51_words_of_unknown_tags_are_text_pictures_and_links() {
    check(
        &[
            (
                "a.md",
                "# A\n\n{{< person name=\"Ada\" photo=\"p.png\" text=\"Wrote *notes*\" class=\"big\" >}}\n\nOn {{< hint-word text=\"one\" id=\"x\" >}} line.\n\n{% include odd.html title=\"T\" cls='c' %}\n",
            ),
            ("p.png", "png"),
        ],
        &[
            "/articles/a: **Ada:**||![](https://example.org/p.png)||Wrote *notes*||On one line.||**T:**",
            "/p.png",
        ],
    );
}

#[test]
fn rule_52_a_listing_shows_its_caption_and_its_code() {
    check(
        &[
            ("book.toml", "[book]\ntitle = \"B\"\n"),
            ("src/SUMMARY.md", "- [A](a.md)\n"),
            (
                "src/a.md",
                "# A\n\n<Listing number=\"1-1\" file-name=\"src/main.rs\" caption=\"Says `hi`\">\n\n```rust\nlet a = vec![<T>::b()];\n```\n\n</Listing>\n\n<Center>\n\n**x**\n\n</Center>\n",
            ),
        ],
        &[
            "/articles/a: **Listing 1-1:**||`src/main.rs`||Says `hi`||```rust|let a = vec![<T>::b()];|```||**x**",
        ],
    );
}

#[test]
fn rule_56_markdown_between_tags_of_mdx() {
    check(
        &[(
            "a.mdx",
            "# A\n\n<div className=\"x\">\n  **b** and `c`\n\n  ```js\n  {d}\n  ```\n</div>\n\n<details><summary>**E**</summary>f</details>\n\n<table><tbody><tr><td>**g**</td></tr></tbody></table>\n\nH<sup/> i\n",
        )],
        &["/articles/a: **b** and `c`||```js|{d}|```||**E:**||f||| ||| --- ||| **g** |||H i"],
    );
}

#[test]
fn rule_45_pages_of_the_app_router_answer_where_they_were() {
    let library = build(&[
        ("app/(site)/docs/a/page.mdx", "# A\n\n[b](/docs/b)\n"),
        ("app/docs/b/page.mdx", "# B\n\n[a](/docs/a)\n"),
        ("app/docs/b/part.mdx", "No page.\n"),
        ("internal/plan.md", "# Plan\n"),
        ("next.config.mjs", "export default {}\n"),
    ]);
    let stems: Vec<&str> = library.articles.iter().map(|a| &*a.stem).collect();
    assert_eq!(stems, ["/articles/docs/a", "/articles/docs/b"]);
    assert_eq!(
        twin(&library, "/articles/docs/b"),
        "[a](https://example.org/articles/docs/a.md)"
    );
    let old: Vec<String> = library
        .redirects
        .iter()
        .map(|(old, new)| format!("{old} {new}"))
        .collect();
    assert_eq!(
        old,
        ["/docs/a /articles/docs/a", "/docs/b /articles/docs/b"]
    );
}

#[test]
fn the_title_of_a_card_is_a_link_before_its_text() {
    check(
        &[(
            "a.mdx",
            "# A\n\n<Card title=\"One\" href=\"https://o.example\">Some words.</Card>\n\n<Card title=\"Two\" href=\"https://o.example\">\n  More words.\n</Card>\n\n<Card href=\"https://o.example\">Three</Card>\n\n<Card title=\"Four\" href=\"https://o.example\">\n  Words in **bold**.\n</Card>\n",
        )],
        &[
            "/articles/a: [One](https://o.example)||Some words.||[Two](https://o.example)||More words.||[Three](https://o.example)||[Four](https://o.example)||Words in **bold**.",
        ],
    );
}
