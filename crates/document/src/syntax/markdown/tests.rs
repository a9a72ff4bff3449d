use super::*;
use crate::model::document::{
    Purpose, ReferenceKind, Rendering, Target, language_of, write_html, write_markdown,
};
use crate::model::site::BaseUrl;

/// Both representations of a text. Wikilinks and mathematics are enabled if the text contains any.
fn both(text: &str) -> (String, String) {
    let options = Options {
        wikilinks: text.contains("[["),
        math: text.contains("$$"),
        ..Options::default()
    };
    let document = parse(text, &options);
    let base = BaseUrl::parse("https://example.org").unwrap();
    let target = |raw: &str| match raw.strip_prefix('#') {
        Some(fragment) => Target::Here(fragment.to_owned()),
        None if raw == "missing" => Target::Unresolved,
        None => Target::Url(raw.to_owned()),
    };
    let targets: Vec<_> = document
        .references
        .iter()
        .map(|reference| target(&reference.raw))
        .collect();
    let rendering = |purpose| Rendering {
        base: &base,
        stem: "/x",
        targets: &targets,
        purpose,
        typography: None,
        back: None,
    };
    let (html, markdown) = (
        write_html(&document, &rendering(Purpose::Page)),
        write_markdown(&document, &rendering(Purpose::Twin)),
    );
    assert_eq!(html.outline, markdown.outline, "{text}");
    (html.text, markdown.text)
}

/// `cases.txt` contains texts with their pages and twins, each after a line `@@@ …`.
#[test]
fn cases_are_written_as_expected() {
    let mut sections = include_str!("cases.txt").split("@@@ ").skip(1);
    let mut failures = Vec::new();
    let mut count = 0;
    while let (Some(case), Some(html), Some(markdown)) =
        (sections.next(), sections.next(), sections.next())
    {
        count += 1;
        let (name, text) = case.split_once('\n').unwrap_or_default();
        let (html, markdown) = (
            html.trim_start_matches("html\n").trim(),
            markdown.trim_start_matches("markdown\n").trim(),
        );
        let (page, twin) = both(text.trim_end_matches('\n'));
        for (form, is, expected) in [
            ("html", page.trim(), html),
            ("markdown", twin.trim(), markdown),
        ] {
            if is != expected {
                failures.push(format!("{name}, {form}:\n{is}\n--- expected\n{expected}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(count > 20, "only {count} cases were found");
}

fn check_references(text: &str, options: &Options, expected: &[(&str, ReferenceKind, u32, u32)]) {
    let document = parse(text, options);
    let found: Vec<_> = document
        .references
        .iter()
        .map(|found| (found.raw.as_str(), found.kind, found.line, found.column))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn references_know_their_place() {
    use ReferenceKind::{Embed, Link, Media, Wiki};
    let options = Options {
        first_line: 5,
        wikilinks: true,
        math: false,
    };
    check_references(
        "a\n\nü [b](c) ![d](e)\n",
        &options,
        &[("c", Link, 7, 3), ("e", Media, 7, 10)],
    );
    check_references(
        "x\n<a\n   href=\"y\">z</a>\n> <a href=\"v\">w</a>",
        &options,
        &[("y", Link, 7, 4), ("v", Link, 8, 6)],
    );
    check_references(
        "<div>\n<img\n alt=a src=b>\n</div>",
        &options,
        &[("b", Media, 7, 8)],
    );
    check_references(
        "x https://a.example/b_c.\n[[N]] ![[p.png]]",
        &options,
        &[
            ("https://a.example/b_c", Link, 5, 3),
            ("N", Wiki, 6, 1),
            ("p.png", Embed, 6, 7),
        ],
    );
    check_references(
        "[a][r] <b@c.de>\n\n[r]: /s",
        &options,
        &[("/s", Link, 5, 1), ("mailto:b@c.de", Link, 5, 8)],
    );
    check_references(
        "<div markdown=\"1\">\n\n[a](b)\n</div>\n\n[c](d)",
        &options,
        &[("b", Link, 7, 1), ("d", Link, 10, 1)],
    );
}

#[test]
fn bare_addresses_are_links_but_not_in_code_and_links() {
    let raws = |text: &str| {
        parse(text, &Options::default())
            .references
            .into_iter()
            .map(|reference| reference.raw)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        raws("see https://example.org/__init__.py, and (http://a.example/b_(c))"),
        ["https://example.org/__init__.py", "http://a.example/b_(c)"]
    );
    assert_eq!(
        raws("www.example.org/a me@example.org ftp://a.example"),
        [
            "http://www.example.org/a",
            "mailto:me@example.org",
            "ftp://a.example"
        ]
    );
    assert_eq!(
        raws("访问https://example.org/a，然后"),
        ["https://example.org/a"]
    );
    assert_eq!(
        raws("`https://example.org` [https://example.org](/x) example.org README.md foo://x"),
        ["/x"]
    );
    assert_eq!(
        raws("    https://example.org\n\nhttps\\://example.org"),
        [""; 0]
    );
}

#[test]
fn rule_5_the_first_word_is_the_language() {
    for (info, expected) in [
        ("js title=\"x\" {1,3-5}", Some("js")),
        ("rust,ignore", Some("rust")),
        ("{.python .numberLines}", Some("python")),
        ("{ .yaml .annotate title=\"x\" }", Some("yaml")),
        ("{r setup, echo=FALSE}", Some("r")),
        ("c++", Some("c++")),
        ("js{1}", Some("js")),
        ("", None),
        ("  ", None),
    ] {
        assert_eq!(language_of(info).as_deref(), expected, "{info}");
    }
}

#[test]
fn rule_52_the_title_of_a_fence_is_a_label() {
    for (info, expected) in [
        ("js title=\"src/a b.js\" {1}", "**src/a b.js:**"),
        ("{ .py title='a.py' }", "**a.py:**"),
        ("js filename=a.js", "**a.js:**"),
        ("js {title=x}", "**x:**"),
        ("js subtitle=x", ""),
        ("js title=\"\"", ""),
    ] {
        let (html, twin) = both(&format!("- a\n\n  ```{info}\n  x\n  ```\n"));
        let label = twin.lines().nth(2).unwrap().trim();
        assert_eq!(if label.starts_with('`') { "" } else { label }, expected);
        let words = expected.trim_matches(['*', ':']);
        assert!(html.contains(words), "{html}");
    }
}

#[test]
fn rule_12_braces_in_code_are_content() {
    let (html, twin) = both("`{{ x }}`\n\n```\n{% y %}\n```\n");
    assert!(
        html.contains("{{ x }}") && html.contains("{% y %}"),
        "{html}"
    );
    assert!(
        twin.contains("{{ x }}") && twin.contains("{% y %}"),
        "{twin}"
    );
}

#[test]
fn rule_16_colons_that_begin_no_definition_stay() {
    let (html, _) = both("a\n\n:smile: b\n\n:::note\nc\n:::\n");
    assert!(!html.contains("<dl>"), "{html}");
}

#[test]
fn rule_16_definitions_are_read_beside_other_colons() {
    let others = [
        "a\n\n:smile: b",
        "a\n:smile: b",
        "a\n:::note\nc\n:::",
        "a | b\n:--|--:\nc | d",
        "| a | b |\n:--|:--:\n| c | d |",
        "```\n:x\n: y\n```",
        "`a\n:b`",
        "[a](b \"c\n:d\")",
        "[a][]\n\n[a]:\nb\n\"c\n:d\"",
        "> a\n> :b",
        "- a\n  :b",
        "<p>\n:a\n</p>",
    ];
    for other in others {
        let (alone, _) = both(&format!("{other}\n"));
        let (html, _) = both(&format!("{other}\n\nTerm\n: Definition\n"));
        assert!(
            html.starts_with(alone.trim_end()),
            "{other}\n{alone}\n{html}"
        );
        assert!(html.contains("<dt>Term</dt>"), "{other}\n{html}");
    }
}

#[test]
fn rule_16_a_comment_leaves_one_space() {
    let (html, markdown) = both("a <!-- secret --> b");
    assert_eq!((html.trim(), markdown.trim()), ("<p>a b</p>", "a b"));
}

#[test]
fn rule_16_what_a_comment_or_an_open_tag_hides_ends_no_element_too_late() {
    for (text, expected) in [
        (
            "## The <title> tag\n\nText.\n\n## The <style> tag\n\nCSS.",
            "## The tag\n\nText.\n\n## The tag\n\nCSS.",
        ),
        (
            "- use <style> here\n- other\n\nPara",
            "- use here\n- other\n\nPara",
        ),
        ("> use <script> here\n\nother", "> use here\n\nother"),
        (
            "use <script> here\n\n```\nx</script>\n```\n\nother",
            "use here\n\n```text\nx</script>\n```\n\nother",
        ),
        (
            "## A <style> b\n\nc</style> d\n\nother",
            "## A\n\nc d\n\nother",
        ),
        (
            "## Head <!-- x\n\nafter --> end\n\n## H",
            "## Head\n\nend\n\n## H",
        ),
        (
            "start <!-- x\n\n- hidden\n\nafter\n\n--> end",
            "start\n\nend",
        ),
        (
            "Open with <!-- so.\n\n```mermaid\nA --> B\n```\n\nText.",
            "Open with\n\n```mermaid\nA --> B\n```\n\nText.",
        ),
        (
            "start <!-- x\n\n```\nA --> B\n```\n\nhidden --> end",
            "start\n\nend",
        ),
    ] {
        let (_, markdown) = both(text);
        assert_eq!(markdown.trim(), expected, "{text}");
    }
}

#[test]
fn rule_16_a_comment_across_cells_leaves_every_row_its_cells() {
    let table = "| a | b | c |\n|---|---|---|\n";
    let text = format!("{table}| c <!-- hidden | d --> | e |\n| f | g | h |\n\nPara");
    let (_, markdown) = both(&text);
    assert!(
        markdown.contains("| c | | e |\n| f | g | h |\n\nPara"),
        "{markdown}"
    );
    let text = format!("{table}| c <!-- | d | e |\n| f | g --> h | i |\n\nPara");
    let (_, markdown) = both(&text);
    assert!(
        markdown.contains("| c | | |\n| | h | i |\n\nPara"),
        "{markdown}"
    );
}

#[test]
fn rule_16_tasks_keep_their_boxes_in_lists_with_blank_lines() {
    for text in [
        "- [ ] one\n\n- [x] two\n",
        "1. [ ] one\n\n   more\n2. [x] two\n",
        "<ul><li><p><input type=checkbox> one</p></li><li><p><input type=checkbox checked> two</p></li></ul>",
    ] {
        let (html, markdown) = both(text);
        assert!(html.matches("checkbox").count() == 2, "{text}\n{html}");
        assert!(markdown.contains("[ ] one"), "{text}\n{markdown}");
        assert!(markdown.contains("[x] two"), "{text}\n{markdown}");
        assert_eq!(both(&markdown).1, markdown, "{text}");
    }
    let (_, markdown) = both("- one\n\n  <input type=checkbox> two\n");
    assert!(!markdown.contains("[ ]"), "{markdown}");
}

#[test]
fn rule_16_the_value_of_a_first_item_begins_its_list() {
    let (_, markdown) = both("<ol><li value=\"5\">five</li><li>six</li></ol>");
    assert_eq!(markdown.trim(), "5. five\n6. six");
    let (_, markdown) = both("<ol><li>one</li><li value=\"7\">two</li></ol>");
    assert_eq!(markdown.trim(), "1. one\n2. two");
}

#[test]
fn rule_16_alternative_text_with_tildes_is_not_struck_through() {
    let (html, markdown) = both("![a \\~\\~b\\~\\~ c](https://e.org/x.png)");
    assert!(html.contains("alt=\"a ~~b~~ c\""), "{html}");
    assert!(markdown.contains("![a \\~\\~b\\~\\~ c]"), "{markdown}");
}

#[test]
fn rule_16_definition_lists_read_again_as_they_stood() {
    let (html, markdown) = both("Term\n: Definition\n");
    assert!(html.contains("<dt>Term</dt>"), "{html}");
    assert_eq!(markdown.trim(), "- **Term**: Definition");
}

#[test]
fn rule_25_tex_stays_tex_in_both_forms() {
    let mark = crate::syntax::markdown::TEX;
    let (html, markdown) = both(&format!("a `{mark}x_1` b"));
    assert_eq!(
        (html.trim(), markdown.trim()),
        (
            "<p>a <span class=\"math\"><math alttext=\"x_1\" display=\"inline\"><msub><mi>x</mi><mn>1</mn></msub></math></span> b</p>",
            "a $x_1$ b"
        )
    );
}

#[test]
fn rule_11_details_open_in_html_and_are_labelled_in_the_twin() {
    let (html, markdown) = both("> [!details]- More *words*\n>\n> a\n");
    assert!(
        html.contains("<summary>More <em>words</em></summary>"),
        "{html}"
    );
    assert!(markdown.starts_with("**More *words*"), "{markdown}");
}

#[test]
fn labels_of_footnotes_are_found_but_not_in_code() {
    let text = "A[^1] `[^1]` $[^1]$ \\[^1] [a](https://a.example/[^1])[^2]\n\n```text\n[^1]: no\n```\n\n| a[^1] |\n|---|\n| b |\n\n[^1]: One [^2].\n\n[^2]: Two.\n";
    let found: Vec<&str> = footnote_labels(text, true)
        .into_iter()
        .map(|at| &text[at - 3..at + 2])
        .collect();
    assert_eq!(
        found,
        ["A[^1]", ")[^2]", "a[^1]", "\n[^1]", " [^2]", "\n[^2]"],
        "{found:?}"
    );
}

#[test]
fn rule_61_attribute_lists_give_headings_their_ids() {
    for (heading, id) in [
        ("## 9.7.0 <small>today</small> { id=\"9.7.0\" }", "9.7.0"),
        ("## A { id='b' .c }", "b"),
        ("## A {: id=b }", "b"),
        ("## A <small>b</small> { #c data-toc-label=\"A b\" }", "c"),
    ] {
        let (html, _) = both(&format!("{heading}\n"));
        assert!(html.contains(&format!("<h2 id=\"{id}\">")), "{html}");
    }
    let (html, _) = both("## A {a=\"b\"}\n");
    assert!(
        html.contains("{a=&quot;b&quot;}") || html.contains("{a=\"b\"}"),
        "{html}"
    );
}
