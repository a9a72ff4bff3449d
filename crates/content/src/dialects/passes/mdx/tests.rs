use super::*;
use crate::dialects::passes::lines::testing;

/// A text without front matter, after the rewrite.
fn after(text: &str) -> Lines {
    Lines::after(text, |lines| rewrite(lines, &Front::default(), false))
}

fn check(text: &str, expected: &str) {
    let front = crate::syntax::front::split("---\ntitle: T\n---\n", "a.mdx").front;
    testing::check(|lines| rewrite(lines, &front, false), text, expected);
}

#[test]
fn rule_19_imports_comments_and_expressions_go() {
    check(
        "import A from 'a';\nexport const b = {\n\n  c: 1,\n};\n\n# T {#id}\n",
        "\n# T {#id}\n",
    );
    check(
        "a {/* secret\nlines */} b {'c'} {\"d\"} {x.y} {1}",
        "a  b c d  1",
    );
    check(
        "{frontMatter.title} \\{a} `{b}` {unclosed",
        "T \\{a} `{b}` {unclosed",
    );
    check(
        "```js\nimport x\n{a}\n<B />\n```\nimport y is text here",
        "```js\nimport x\n{a}\n<B />\n```\nimport y is text here",
    );
}

#[test]
fn rule_25_braces_of_formulas_are_no_expressions() {
    let check = |text: &str, dollar: bool, expected: &str| {
        testing::check(
            |lines| rewrite(lines, &Front::default(), dollar),
            text,
            expected,
        )
    };
    check(
        "$$\n\\frac{a}{b}\n$$ {x} \\\\(c_{d}\\\\) $e_{f}$",
        false,
        "$$\n\\frac{a}{b}\n$$  \\\\(c_{d}\\\\) $e_$",
    );
    check(
        "$e_{f}$ costs $5 and {x} $6",
        true,
        "$e_{f}$ costs $5 and  $6",
    );
    check(
        "$$ {/* secret */} $$ $a{/* secret */}b$ $",
        true,
        "$$  $$ $ab$ $",
    );
}

#[test]
fn rule_19_components_become_tags() {
    check(
        "<Callout type=\"info\" n={2} f={() => x > 1}>\na\n</Callout>",
        "{{< callout type=\"info\" n=\"2\" >}}\na\n{{< /callout >}}",
    );
    check(
        "<>a</> <Odd.Part\n  title=\"x\"\n/> b",
        "a {{< Odd.Part title=\"x\" >}} b",
    );
    check(
        "<div className=\"a\" style={{color: 'red'}}>b</div>",
        "<div class=\"a\">b</div>",
    );
    check(
        "a < b <https://x.y> <b>c</b> <Open",
        "a < b <https://x.y> <b>c</b> <Open",
    );
}

#[test]
fn rule_19_what_is_indented_in_a_component_is_no_code() {
    check(
        "<Card>\n\ta\n\n\tb\n</Card>\n\tc",
        "{{< card >}}\na\n\nb\n{{< /card >}}\n\tc",
    );
    check(
        "<Tabs>\n  <Tab>\n    a\n\n    - b\n      c\n  </Tab>\n</Tabs>",
        "{{< tabs >}}\n{{< tab >}}\na\n\n- b\n  c\n{{< /tab >}}\n{{< /tabs >}}",
    );
    check(
        "1. x\n   <Note>\n     a\n   </Note>",
        "1. x\n   {{< note >}}\n   a\n   {{< /note >}}",
    );
    check(
        "<A>\n    ```js\n    x\n      y\n    ```\n</A>",
        "{{< A >}}\n```js\nx\n  y\n```\n{{< /A >}}",
    );
}

#[test]
fn rule_12_components_of_vue() {
    let check = |text: &str, expected: &str| {
        testing::check(
            |lines| rewrite_vue(lines, &Front::default(), false),
            text,
            expected,
        );
    };
    check(
        "# A <Badge type=\"tip\" text=\"^1.9.0\" />",
        "# A {{< Badge type=\"tip\" text=\"^1.9.0\" >}}",
    );
    check(
        "<Tab name=\"A\" :x=\"y\">\n\n    code\n\n</Tab>",
        "{{< tab name=\"A\" >}}\n\n    code\n\n{{< /tab >}}",
    );
    check(
        "<button :class=\"$s.b\" @click=\"n++\" id=\"i\">Go</button>",
        "<button id=\"i\">Go</button>",
    );
    for text in [
        "a {b} {{ c }} <b class=\"x\">d</b>",
        "`<Badge text=\"x\" />`",
        "```vue\n<Badge />\n```",
        "import x from 'y'",
    ] {
        check(text, text);
    }
}

#[test]
fn rule_19_code_of_components_is_a_fence() {
    check(
        "<CodeBlock language=\"jsx\">\n  {`a\n  b`}\n</CodeBlock>\nc",
        "```jsx\na\n  b\n```\nc",
    );
    check(
        "- <Code code={`x {1}`} lang=\"js\" title=\"t\" />\n",
        "- \n  ```js\n  x {1}\n  ```\n",
    );
    check(
        "```mdx-code-block\n<A>\n```\nb\n```mdx-code-block\n</A>\n```",
        "\n{{< A >}}\n\nb\n\n{{< /A >}}\n",
    );
    check("{/* x */}\nexport const a = 1;\n\nb", "\n\nb");
    let tabs = "<Tabs values={[{label: 'One', value: 'o'}, {value: \"t\", label: \"Two\"}]}>\n<TabItem value=\"t\">";
    check(
        tabs,
        "{{< tabs >}}\n{{< tabitem value=\"t\" label=\"Two\" >}}",
    );
}

#[test]
fn lines_keep_their_number() {
    let lines = after("<Code code={`a\nb`} />\nx");
    assert_eq!(lines.source(lines.text.split('\n').count() - 1), 2);
    let lines = after("import a\n\n<A\n b\n/>\nx");
    assert_eq!(lines.source(lines.text.split('\n').count() - 1), 5);
}

proptest::proptest! {
    #[test]
    fn no_mdx_panics(text in "(import |export |<|>|/|A|b|<Code code=\\{|<CodeBlock>|</CodeBlock>|    |=|\\{|\\}|\"|'|`|```|\n|\\\\|é| |/\\*|\\*/){0,40}") {
        proptest::prop_assert!(after(&text).come_from(&text));
    }
}

#[test]
fn a_hostile_text_is_bounded() {
    for text in [
        "{".repeat(10_000),
        "<A ".repeat(4_000),
        "`a``".repeat(4_000),
        "import {\n\n".repeat(2_000),
        "{a ".repeat(4_000),
    ] {
        after(&text);
    }
}
