//! What authors write for a generator keeps the promise of both forms.

use diglot_document::testing::{boxes_and_formulas, cases, check, write};
use proptest::prelude::*;

use super::{Evidence, Files, Kind, Named, translate};
use crate::syntax::front::Front;
use crate::syntax::markdown::{self, Options};

/// Callouts, tabs and formulas as authors write them, among words and Markdown markup.
fn marked() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "\n\n:::note\n", "\n:::\n", "\n\n!!! tip \"T\"\n\n    a\n\n    b\n", "\n\n??? note\n    a\n", "\n\n=== \"A\"\n\n    b\n", "\n\n> [!NOTE]\n> ", "\n\n> [!tip]- T\n> ",
            "{{< tab \"A b\" >}}", "{{< /tab >}}", "{{< note >}}", "{{< /note >}}", "{% callout type=\"warning\" title=\"T\" %}", "{% endcallout %}", "{{< details \"D\" >}}", "{{< /details >}}",
            "<div class=\"warning\">", "<div class=\"admonition tip\"><p class=\"admonition-title\">T</p>", "</div>", "\n\n# [A](#tab/a)\n", "\n@tab A\n", "\n/// tip | T\n", "\n///\n",
        ]).prop_map(str::to_owned),
        3 => prop::sample::select(vec![" $x_1$ ", " $$y$$ ", "\n\n$$\na + b\n$$\n\n", " \\\\(a\\\\) ", " $5 and $6 ", "\n\n$$- a$$\n\n", " $|a|$ ", " $a * b$ ", " $\\frac{1}{2}$ "]).prop_map(str::to_owned),
        4 => prop::sample::select(vec!["\n", "\n\n", " ", "- ", "1. ", "> ", "## ", "a", "word", "*b*", "`c`", "[l](u)", "![i](i.png)", "| a |\n|---|\n| ", " |", "\n\n```\ncode\n```\n\n"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn callouts_tabs_and_formulas_agree_too(text in marked()) {
        let kind = Kind { dollar_math: true, ..Kind::detect(&Evidence::default(), Some("mkdocs")) };
        let files = Files::new("a.md", &|_| Named::Missing);
        let translated = translate(&text, false, false, &kind, &Front::default(), &files);
        let document = markdown::parse(&translated.text, &Options::default());
        if let Err(error) = check(&document) {
            prop_assert!(false, "{error}\nfrom: {text:?}");
        }
        let (_, twin, _) = write(&document);
        let own = boxes_and_formulas(&document);
        // A dollar sign that is text is escaped only in documents with formulas.
        let again = markdown::parse(&twin.text, &Options { math: !own.1.is_empty(), ..Options::default() });
        prop_assert_eq!(own, boxes_and_formulas(&again), "{}\nfrom: {:?}", twin.text, text);
    }
}
