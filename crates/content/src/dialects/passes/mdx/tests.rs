use super::*;
use crate::dialects::lines::testing;

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
fn after_a_hundred_unclosed_braces_all_are_text() {
    let unclosed = |count| "'a {\n".repeat(count) + "\n{'x'}";
    assert!(after(&unclosed(99)).text.ends_with("\n\nx"));
    assert!(after(&unclosed(100)).text.ends_with("\n\n{'x'}"));
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
        "<div class=\"a\">\n\nb\n</div>",
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
fn rule_19_code_of_components_is_a_fence() {
    check(
        "<CodeBlock language=\"jsx\">\n  {`a\n  b`}\n</CodeBlock>\nc",
        "```jsx\na\n  b\n```\nc",
    );
    check(
        "- <Code code={`x {1}`} lang=\"js\" title=\"t\" />\n",
        "- \n  ```js title=\"t\"\n  x {1}\n  ```\n",
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
    check(
        "<Tabs items={['One', \"Two\"]}>\n<Tabs.Tab>\na\n</Tabs.Tab>\n<Tab label=\"B\">\nb\n</Tab>\n<Tabs.Tab>",
        "{{< tabs >}}\n{{< tab label=\"One\" >}}\na\n{{< /tab >}}\n{{< tab label=\"B\" >}}\nb\n{{< /tab >}}\n{{< tab label=\"Two\" >}}",
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

#[test]
fn rule_35_a_comment_never_shows_and_names_the_heading_that_it_ends() {
    check(
        "## Usage {/*usage*/}\n# A {/* #b */}\n## C {/*two words*/}\n### D {/*TODO*/}\ne {/*f*/}",
        "## Usage {#usage}\n# A {#b}\n## C \n### D \ne ",
    );
    check(
        "a {/* don't `show\n\n{this} */} b\n\n{ /* c */ }\n<A {/* d */} /> {x /* } */}",
        "a  b\n\n\n{{< A >}} ",
    );
    check("`{/* a */}` {/* open", "`{/* a */}` {/* open");
}

#[test]
fn rule_35_literals_stay_and_are_no_markdown() {
    check(
        "{'<A>'} {\"*b*\"} {`c\\nd`} {'\\u{263a}'}",
        "\\<A\\> \\*b\\* c d \u{263a}",
    );
    check(
        "import of goods\n\nexport is not const",
        "import of goods\n\nexport is not const",
    );
}

#[test]
fn rule_35_fences_in_lists_and_quotations_are_code() {
    for text in [
        "- ```js\n  {a}\n\n  <B />\n  ```\n",
        "> ```js\n> {a}\n>\n> <B />\n> ```\n",
        "1. ~~~\n   {a}\n   ~~~\n",
    ] {
        check(text, text);
    }
    check("> ```js\n> a\n\n{b}", "> ```js\n> a\n\n");
}

#[test]
fn rule_56_everything_between_the_tags_of_mdx_is_markdown() {
    check("<div>**a**</div>", "<div>\n\n**a**\n</div>");
    check("<div>\n**a**\n</div>\nb", "<div>\n\n**a**\n</div>\n\nb");
    check(
        "<div>\n\n  ```js\n  {a}\n  ```\n\n</div>",
        "<div>\n\n```js\n{a}\n```\n\n</div>",
    );
    check(
        "> <p><b>a</b></p>\n> c",
        "> <p>\n>\n> <b>a</b>\n> </p>\n>\n> c",
    );
    check("a <b>c</b> <div>d</div> e", "a <b>c</b> <div>d</div> e");
    check("a <br/> b\n<br/>\nc", "a <br /> b\n<br />\nc");
    check(
        "a<sup/> <a id=\"x\"/><img src={'b'}/>",
        "a<sup></sup> <a id=\"x\"></a><img src=\"b\" />",
    );
    check(
        "<pre><code className=\"language-js\">{`a\n {b}`}</code></pre>\nc",
        "```js\na\n {b}\n```\nc",
    );
}

#[test]
fn rule_56_imported_pictures_have_their_path() {
    check(
        "import a from './a.png';\n\n<img src={a} /> <Image src={a.src} alt=\"x\" /> <img src={require('./b.png').default} />",
        "\n<img src=\"./a.png\" /> {{< Image src=\"./a.png\" alt=\"x\" >}} <img src=\"./b.png\" />",
    );
}

#[test]
fn rule_35_files_of_a_component_show_their_names() {
    check(
        "<Sandpack>\n\n```js src/App.js active\na\n```\n```css {1,3}\nb\n```\n\n</Sandpack>\n\n```js a.js\nc\n```",
        "{{< Sandpack >}}\n\n`src/App.js`\n\n```js src/App.js active\na\n```\n```css {1,3}\nb\n```\n\n{{< /Sandpack >}}\n\n```js a.js\nc\n```",
    );
    check(
        "<Files>\n  ```js a.js\n  b\n  ```\n</Files>",
        "{{< Files >}}\n\n`a.js`\n\n```js a.js\nb\n```\n{{< /Files >}}",
    );
}
