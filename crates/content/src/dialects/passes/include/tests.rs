use super::expand::LARGEST;
use super::rewrite;
use crate::dialects::Evidence;
use crate::dialects::kind::Kind;
use crate::dialects::lines::Lines;
use crate::dialects::passes::files::{Files, Named};
use crate::dialects::passes::page::Page;
use crate::syntax::front::Front;

/// A text with its includes expanded, and the reported problems.
fn included(text: &str, dialect: &str, jsx: bool, files: &Files<'_>) -> (Lines, Vec<String>) {
    let kind = Kind::detect(&Evidence::default(), Some(dialect));
    let front = Front::default();
    let mut lines = Lines::new(text);
    let found = rewrite(
        &mut lines,
        &Page {
            html: false,
            jsx,
            dollar: false,
            kind: &kind,
            front: &front,
            files,
        },
    );
    (
        lines,
        found
            .remarks
            .into_iter()
            .map(|remark| format!("{}:{}: {}", remark.line + 1, remark.column, remark.message))
            .collect(),
    )
}

/// A folder of a few files.
fn read(path: &str) -> Named {
    let text = match path {
        "src/parts.rs" => "// ANCHOR: x\none\n// ANCHOR_END: x\ntwo\n// ANCHOR: x\nthree\n",
        "src/a.rs" | "docs/a.rs" => "one\n// ANCHOR: x\ntwo\n// ANCHOR_END: x\nthree\n",
        "book/part.md" | "docs/part.md" | "_includes/part.md" | "content/part.md" | "part.md" => {
            "P *1*\n\nP 2\n"
        }
        "book/deep.md" => "< {{#include part.md}} >",
        "book/none.md" => "{{#include gone.md}}",
        "book/loop.md" => "{{#include loop2.md}}",
        "book/loop2.md" => "x {{#include loop.md}}",
        "_includes/video.html" => "<iframe src=\"https://e.org/{{ include.id }}\"></iframe>",
        "_includes/shown.html" => {
            "{% if include.title %}{{ include.title }}: {% endif %}{{ include.text }}"
        }
        "_includes/logic.html" => "{% if x %}a{% endif %}",
        "docs/_part.mdx" => "import X from 'x';\n\nHello {props.name} <Inner />\n",
        "docs/x.js" => "let a;\n// #region r\nlet b;\n// #endregion r\n",
        "secret.md" => return Named::Closed("it is a draft".to_owned()),
        _ => return Named::Missing,
    };
    Named::Text(text.to_owned())
}

fn expand(dialect: &str, path: &str, text: &str, jsx: bool) -> (String, Vec<String>) {
    let (lines, reported) = included(text, dialect, jsx, &Files::new(path, &read));
    (lines.text, reported)
}

fn check(dialect: &str, path: &str, text: &str, expected: &str) {
    assert_eq!(
        expand(dialect, path, text, false),
        (expected.to_owned(), Vec::new()),
        "{text}"
    );
}

#[test]
fn rule_12_mdbook_includes_files_in_code_as_well() {
    let check = |text: &str, expected: &str| check("mdbook", "book/p.md", text, expected);
    check(
        "```rust\n{{#include ../src/a.rs}}\n```",
        "```rust\none\ntwo\nthree\n```",
    );
    check(
        "{{#include ../src/a.rs:x}} {{#rustdoc_include ../src/a.rs:5}} {{#include ../src/a.rs::1}}",
        "two three one",
    );
    check(
        "{{#include ../src/parts.rs:x}} {{#rustdoc_include ../src/parts.rs:x}}",
        "one one\nthree",
    );
    check(
        "{{#playground ../src/a.rs:x editable}}",
        "```rust\ntwo\n```",
    );
    check("- a\n  {{#include part.md}}\n", "- a\n  P *1*\n  \n  P 2\n");
    check("> {{#include deep.md}}\n", "> < P *1*\n> \n> P 2 >\n");
    check(
        "```\n\\{{#include x}}\n```\n\\{{#include y}}",
        "```\n{{#include x}}\n```\n`{{#include y}}`",
    );
    check("{{#title A}}# B", "# B");
}

#[test]
fn rule_12_an_include_that_fails_goes_and_is_said() {
    let check = |text: &str, left: &str, said: &str| {
        assert_eq!(
            expand("mdbook", "book/p.md", text, false),
            (left.to_owned(), vec![said.to_owned()]),
            "{text}"
        );
    };
    let none = "the folder has no such file";
    check(
        "a\n```\n{{#include gone.rs}}\n```",
        "a\n```\n\n```",
        &format!("3:1: cannot include `gone.rs`: {none}"),
    );
    check(
        "é {{#include ../../etc/passwd}}",
        "é ",
        &format!("1:3: cannot include `../../etc/passwd`: {none}"),
    );
    check(
        "{{#include ../.env}}",
        "",
        &format!("1:1: cannot include `../.env`: {none}"),
    );
    check(
        "{{#include ../secret.md}}",
        "",
        "1:1: cannot include `../secret.md`: it is a draft",
    );
    check(
        "{{#include ../src/a.rs:nope}}",
        "",
        "1:1: cannot include `../src/a.rs:nope`: the file has no such part",
    );
    check(
        "\n{{#include none.md}}",
        "\n",
        &format!("2:1: cannot include `gone.md` in `book/none.md`: {none}"),
    );
    check(
        "{{#include loop.md}}",
        "x ",
        "1:1: cannot include `loop.md` in `book/loop2.md`: it includes itself",
    );
}

#[test]
fn rule_6_what_is_no_include_stays() {
    for text in [
        "{{#x",
        "{{#if a}}b{{/if}}",
        "```\n{{#each a}}\n```",
        "a include b",
        "{!x",
        "<<< a",
        "[!NOTE] x",
        "`--8<-- \"part.md\"`",
    ] {
        check("mdbook", "book/p.md", text, text);
    }
    // Tags of other kinds are includes only if they name an existing file; in code they are shown.
    for text in [
        "```\n{{#include part.md}}\n```",
        "```\n--8<-- \"gone.md\"\n```",
        "{!part.md!}",
        "{% raw %}{% include part.md %}{% endraw %}",
    ] {
        check("plain", "p.md", text, text);
    }
}

#[test]
fn rule_12_mkdocs_snippets() {
    let check = |text: &str, expected: &str| check("mkdocs", "docs/p.md", text, expected);
    check("--8<-- \"part.md\"", "P *1*\n\nP 2");
    check("```\n  --8<-- \"docs/a.rs:2:3\"\n```", "```\n  two\n```");
    check(
        "a\n\n--8<--\npart.md\n; gone.md\n--8<--\nb",
        "a\n\n\nP *1*\n\nP 2\n\n\nb",
    );
    check("```\n;--8<-- \"x\"\n```", "```\n--8<-- \"x\"\n```");
    check(
        "{!part.md!} {!docs/a.rs!lines=1 3!}",
        "P *1*\n\nP 2 one\ntwo",
    );
    check("{% include-markdown \"part.md\" start=\"P 2\" %}|", "|");
    let said = expand(
        "mkdocs",
        "docs/p.md",
        "--8<-- \"https://e.org/x.md\"",
        false,
    );
    assert_eq!(said.0, "");
    assert_eq!(said.1.len(), 1);
}

#[test]
fn rule_12_liquid_includes_of_plain_files() {
    let check =
        |text: &str, expected: &str| check("jekyll", "_posts/2024-01-01-p.md", text, expected);
    check("{% include part.md %}", "P *1*\n\nP 2");
    check(
        "{% include video.html id=\"7\" %}",
        "<iframe src=\"https://e.org/7\"></iframe>",
    );
    check(
        "{% include logic.html %}{% include toc.html %}",
        "{% if x %}a{% endif %}{% include toc.html %}",
    );
    check(
        "{% include shown.html title=\"A\" text=words %}{% include shown.html %}",
        "{% if \"A\" %}A: {% endif %}{{ words }}{% if nil %}: {% endif %}",
    );
    check("`{% include part.md %}`", "`{% include part.md %}`");
    assert_eq!(
        expand("jekyll", "a/p.md", "{% include_relative x.md %}", false)
            .1
            .len(),
        1
    );
}

#[test]
fn rule_12_shortcodes_that_include() {
    let check = |text: &str, expected: &str| check("hugo", "content/p.md", text, expected);
    check(
        "{{< readfile \"part.md\" >}} {{% include file=\"/part.md\" %}}",
        "P *1*\n\nP 2 P *1*\n\nP 2",
    );
    check(
        "{{< readfile file=\"docs/a.rs\" code=\"true\" lang=\"go\" >}}\n",
        "```go\none\ntwo\nthree\n```\n",
    );
    assert_eq!(
        expand("quarto", "p.qmd", "{{< include _x.qmd >}}", false)
            .1
            .len(),
        1
    );
}

#[test]
fn rule_19_partials_are_included() {
    let text = "import Part from './_part.mdx';\nimport js from '!!raw-loader!./x.js';\n\n<Part name=\"you\" />\n<CodeBlock language=\"js\">{js}</CodeBlock>\n";
    let (text, said) = expand("docusaurus", "docs/p.mdx", text, true);
    assert!(
        text.ends_with("\n\nimport X from 'x';\n\nHello you <Inner />\n\n\n```js\nlet a;\n// #region r\nlet b;\n// #endregion r\n```\n"),
        "{text}"
    );
    assert!(said.is_empty());
}

#[test]
fn rule_12_vitepress_and_docfx() {
    let check = |text: &str, expected: &str| check("vitepress", "docs/p.md", text, expected);
    check("<!--@include: ./part.md{1,1}-->", "P *1*");
    check("<!-- @include: @/part.md -->", "P *1*\n\nP 2");
    check(
        "<<< ./x.js#r{1,3 ts:line-numbers} [title]\n",
        "```ts\nlet b;\n```\n",
    );
    check("[!INCLUDE [x](part.md)]", "P *1*\n\nP 2");
    check("[!code-js[](x.js#L1-L1)]", "```js\nlet a;\n```");
}

#[test]
fn places_stay_those_of_the_page() {
    let (lines, _) = included(
        "a\n{{#include part.md}}\nb",
        "mdbook",
        false,
        &Files::new("book/p.md", &read),
    );
    assert_eq!(
        (0..5).map(|line| lines.source(line)).collect::<Vec<_>>(),
        [0, 1, 1, 1, 2]
    );
}

#[test]
fn includes_are_bounded() {
    let deep = |path: &str| Named::Text(format!("x{{{{#include {path}x}}}}").repeat(20));
    let wide = |_: &str| Named::Text("y".repeat(100_000));
    let all: [&dyn Fn(&str) -> Named; 2] = [&deep, &wide];
    for read in all {
        let (lines, _) = included(
            &"{{#include a}}".repeat(2000),
            "mdbook",
            false,
            &Files::new("p.md", read),
        );
        assert!(lines.text.len() < 2 * LARGEST);
    }
}

#[test]
fn a_hostile_text_is_bounded() {
    for text in [
        "{{#",
        "--8<--\n",
        "{!",
        "<!--",
        "[!INCLUDE [",
        "<<< @",
        "import a from './a.md'\n<A ",
        "--8<-- \"a",
    ] {
        included(
            &text.repeat(20_000),
            "mkdocs",
            true,
            &Files::new("p.md", &|_| Named::Missing),
        );
    }
}

proptest::proptest! {
    #[test]
    fn no_include_panics(text in "(\\{\\{#|include |\\}\\}|part.md|:|1|--8<--|\"|\n|\\{!|!\\}|<!--@include: |-->|<<< @|\\[!INCLUDE \\[\\]\\(|\\)\\]|`{3}|> |- |é|<A />|import A from './part.md'\n){0,30}", jsx: bool) {
        for dialect in ["mdbook", "mkdocs", "plain"] {
            let (lines, _) = included(&text, dialect, jsx, &Files::new("docs/p.md", &read));
            proptest::prop_assert!(lines.come_from(&text));
        }
    }
}
