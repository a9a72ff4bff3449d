use crate::dialects::config::Config;
use crate::dialects::kind::Kind;
use crate::dialects::myst::Myst;
use crate::dialects::myst::labels::{Label, labels};
use crate::dialects::passes::files::{Files, Found, Named, Search};
use crate::dialects::{Evidence, Translated, translate};
use crate::syntax::front::Front;

/// A folder with the guide `docs/guide.md`, in which `Install it` has a label, and its settings in
/// `docs`.
fn translated(text: &str) -> Translated<'_> {
    let mut config = Config::default();
    config.myst = Some(Myst {
        titles: text.contains("titled"),
        root: "docs".to_owned(),
        substitutions: vec![("version".to_owned(), "1.2".to_owned())],
        projects: vec![("guide".to_owned(), "https://g.example/".to_owned())],
    });
    let kind = Kind {
        config: config.into(),
        ..Kind::detect(&Evidence::default(), Some("plain"))
    };
    let files = Files {
        path: "docs/sub/a.md",
        read: &|path| match path {
            "docs/part.md" => Named::Text("## Part\n\n% SECRET\n:::{tip}\nx\n:::\n".to_owned()),
            "docs/sub/a.py" => Named::Text("one\ntwo\nthree\nfour\n".to_owned()),
            "docs/draft.md" => Named::Closed("it is a draft".to_owned()),
            _ => Named::Missing,
        },
        search: &|search| {
            let (path, title) = match search {
                Search::Label("install") => ("docs/guide.md", "Install it"),
                Search::Label("own part") => ("docs/sub/a.md", "Own"),
                Search::Text("docs/guide.md") => ("docs/guide.md", "The [guide]"),
                Search::Text("docs/sub/b.md") => ("docs/sub/b.md", "B"),
                _ => return None,
            };
            Some(Found {
                path: path.to_owned(),
                title: title.to_owned(),
            })
        },
    };
    let mut translated = translate(text, false, false, &kind, &Front::default(), &files);
    translated.text = translated.text.into_owned().into();
    translated
}

fn check(text: &str, expected: &str) {
    let translated = translated(text);
    assert_eq!(translated.text.trim(), expected, "{text}");
    assert_eq!(translated.remarks, [], "{text}");
}

#[test]
fn myst_theorems_and_exercises_are_callouts_with_their_names() {
    check(
        "```{prf:theorem} of *x*\n:label: t\nSo it is.\n```\nSee [](t).",
        "<div id=\"t\"></div>\n\n> [!note] Theorem (of *x*)\n>\n> So it is.\n\nSee [](t).",
    );
    check(
        ":::{exercise}\nWhy?\n:::\n\n:::{solution} ex\n:class: dropdown\nBecause.\n:::",
        "> [!note] Exercise\n>\n> Why?\n\n\n> [!note]- Solution\n>\n> Because.",
    );
    check(
        "```{exercise-start}\n```\nWhy?\n```{exercise-end}\n```",
        "**Exercise:**\n\nWhy?",
    );
    check(
        "```{iframe} https://o.example/a\nA film\n```",
        "<https://o.example/a>\n\nA film",
    );
}

#[test]
fn myst_links_lead_to_other_sites_by_their_names() {
    check(
        "[](wiki:Sailing_ship) <wiki:fr:Voile> [w](wiki:Help:A)",
        "[Sailing ship](https://en.wikipedia.org/wiki/Sailing_ship) [Voile](https://fr.wikipedia.org/wiki/Voile) [w](https://en.wikipedia.org/wiki/Help:A)",
    );
    check(
        "[the guide](xref:guide/a#b) [](xref:guide) <xref:guide#c>",
        "[the guide](https://g.example/a#b) [guide](https://g.example/) [guide&#35;c](https://g.example/#c)",
    );
    check("<doi:10.5/x>", "[10&#46;5/x](https://doi.org/10.5/x)");
    for text in ["`<wiki:A>`", "[](wiki:)", "<html:a>"] {
        check(text, text);
    }
}

#[test]
fn myst_admonitions_are_callouts() {
    check("```{note}\na\n```\nb", "> [!note]\n>\n> a\n\nb");
    check(
        ":::{warning} First\nmore\n:::",
        "> [!warning]\n>\n> First\n> more",
    );
    check(
        "```{admonition} My title\n:class: tip dropdown\n\na\n```",
        "> [!tip]- My title\n>\n> a",
    );
    check(
        "```{admonition} T\n---\nclass: danger\nname: x y\n---\na\n```",
        "<div id=\"x-y\"></div>\n\n> [!danger] T\n>\n> a",
    );
    check(
        "````{note}\n```{tip}\na\n```\n````",
        "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>",
    );
    check("```{seealso}\na\n```", "> [!seealso] See also\n>\n> a");
    check(
        "```{dropdown} More\n:open:\na\n```",
        "> [!details]+ More\n>\n> a",
    );
    check(
        "- x\n\n  ```{note}\n  a\n  ```\n",
        "- x\n\n  > [!note]\n  >\n  > a",
    );
    check(
        "```{versionadded} 1.2\nSo.\n```\n```{deprecated} 2 Use b\n```",
        "**Added in version 1.2:** So.\n\n**Deprecated since version 2:** Use b",
    );
}

#[test]
fn myst_attributes_and_titles_of_directives_are_read() {
    check(
        ":::{Note .dropdown #x} A *title*, titled\na\n:::",
        "<div id=\"x\"></div>\n\n> [!note]- A *title*, titled\n>\n> a",
    );
    check(":::{note .dropdown}\na\n:::", "> [!note]-\n>\n> a");
    check(":::{aside} T\na\n:::", "**T:**\n\na");
    check(
        ":::{card} T\n:header: H\n:footer: F\na\n:::",
        "H\n\n**T:**\n\na\n\nF",
    );
    check(
        "{del}`a` {u}`b` {smallcaps}`c` {button}`d`",
        "<del>a</del> <u>b</u> c d",
    );
}

#[test]
fn myst_code_is_code_in_its_language() {
    check(
        "```{code-block} python\n:linenos:\n:caption: a.py\n\nprint(1)\n```",
        "**a.py:**\n\n```python\nprint(1)\n```",
    );
    check("```{code}\na\n```", "```\na\n```");
    check(
        "````{sourcecode} md\n```\na\n```\n````",
        "````md\n```\na\n```\n````",
    );
    check(
        "```{code-cell} ipython3\n:tags: [hide-output]\nx\n```\n+++\nb",
        "```python\nx\n```\n\n\nb",
    );
    for removed in [
        ":tags: [remove-input]\n",
        ":tag: remove-cell\n",
        "---\ntags:\n  - hide-input\n  - remove-cell\n---\n",
        ":visibility: remove\n",
    ] {
        check(&format!("a\n\n```{{code-cell}}\n{removed}x\n```"), "a");
    }
    check("a\n\n```{raw-cell}\nx\n```", "a");
    check("```{mermaid}\ngraph TD\n```", "```mermaid\ngraph TD\n```");
    check(
        "```{raw} html\n<b>x</b>\n```\n```{raw} latex\n\\x\n```",
        "<b>x</b>",
    );
    // A text about directives shows them.
    for kept in [
        "````md\n```{note}\na\n```\n````",
        "a\n\n    ```{note}\n    a\n    ```",
        "`` ```{note} ``",
        "```md\n{ref}`install`\n(a)=\n```",
        "`{ref}`",
    ] {
        check(kept, kept);
    }
}

#[test]
fn myst_pictures_and_tables_are_those_of_markdown() {
    check(
        "```{figure} /img/a b.png\n:name: fig-a\n:alt: The [alt]\n:target: https://x.org\n\nA caption\n```",
        "<div id=\"fig-a\"></div>\n\n[![The \\[alt\\]](../../docs/img/a%20b.png)](https://x.org)\n\nA caption",
    );
    check("```{image} a.png\n```", "![](a.png)");
    check(
        "```{csv-table} T\n:header: Name, \"A, b\"\n\nx, y|z\n\"1,2\"\n```",
        "**T:**\n\n| Name | A, b |\n| --- | --- |\n| x | y\\|z |\n| 1,2 |  |",
    );
    check(
        "```{list-table} Title\n:header-rows: 1\n\n* - A\n  - B\n* - `1|2`\n  - two\n    lines\n* - 3\n```",
        "**Title:**\n\n| A | B |\n| --- | --- |\n| `1\\|2` | two lines |\n| 3 |  |",
    );
    check(
        "```{list-table}\n* - a\n  - b\n```",
        "|  |  |\n| --- | --- |\n| a | b |",
    );
    check("```{list-table}\n* - - a\n    - b\n```", "* - - a\n    - b");
}

#[test]
fn myst_containers_show_their_content() {
    check(
        "::::{tab-set}\n:::{tab-item} One\n:sync: a\n1\n:::\n:::{tab-item} Two\n2\n:::\n::::",
        "**One:**\n\n1\n\n**Two:**\n\n2",
    );
    check(
        "::::{grid} 2\n:::{grid-item-card} Guide\n:link: /guide\n:link-type: doc\nText\n+++\nFoot\n:::\n::::",
        "**[Guide](../../docs/guide.md)**\n\nText\n\nFoot",
    );
    check(
        "```{button-ref} install\nGo *now*\n```",
        "[Go *now*](../../docs/guide.md#install)",
    );
    check(
        "```{glossary}\nHTML\n  Markup\n  for pages\n\nCSS\n  Style\n```",
        "HTML\n: Markup\n  for pages\n\nCSS\n: Style",
    );
    check("```{py:function} f(x)\nDoes.\n```", "`f(x)`\n\nDoes.");
    check(
        "```{terminal}\n:input: ls\nout\n```\n```{youtube} abc\n```",
        "```console\n$ ls\nout\n```\n\n<https://www.youtube.com/watch?v=abc>",
    );
    check("a\n```{tableofcontents}\n```\n```{index} x\n```", "a");
    let unknown = translated("```{own-thing} x\nWords\n```");
    assert_eq!(unknown.text.trim(), "Words");
    assert_eq!(unknown.unknown["own-thing"], 1);
}

#[test]
fn myst_a_table_of_contents_is_a_list_of_links() {
    check(
        "```{toctree}\n:caption: Start\n:maxdepth: 1\n\n/guide\nOther words <b>\nself\nmissing\nmore/*\nForge <https://x.org/a>\n```",
        "**Start:**\n\n- [The \\[guide\\]](../../docs/guide.md)\n- [Other words](../../docs/sub/b.md)\n- [Forge](https://x.org/a)",
    );
    check("a\n```{toctree}\n:hidden:\nb\n```", "a");
}

#[test]
fn myst_a_label_is_a_place_and_links_lead_to_it_from_any_text() {
    check(
        "a\n\n(Own_Part)=\n## Own\n",
        "a\n\n<div id=\"own-part\"></div>\n\n## Own",
    );
    check("(x)=\n# T\n\nb", "# T\n\n<div id=\"x\"></div>\n\n\nb");
    check(
        "[words](#install) [](#Install) [](install) [w](install)",
        "[words](../../docs/guide.md#install) [Install it](../../docs/guide.md#install) \
         [Install it](../../docs/guide.md#install) [w](../../docs/guide.md#install)",
    );
    check(
        "[](../guide.md) [w](../guide.md) [](project:../guide.md#x) <project:#own part>\n[a\nb](#install)",
        "[The &#91;guide&#93;](../../docs/guide.md) [w](../guide.md) [The &#91;guide&#93;](../../docs/guide.md#x) [Own](#own-part)\n\
         [a\nb](../../docs/guide.md#install)",
    );
    for kept in [
        "[w](#heading)",
        "[w](https://x.org)",
        "![](install)",
        "\\[w](install)",
        "[w](a.txt)",
        "(a) = b",
        "`[w](install)`",
    ] {
        check(kept, kept);
    }
    check("[w](how:to)", "[w](how:to)");
    let found = labels(
        "(One  Two)=\n(b)=\n\n## The *title*\n\n(c)=\nWords\n```{figure} a\n:name: fig\n```\n```\n(no)=\n```\n",
    );
    let label = |name: &str, title: Option<&str>| Label {
        name: name.to_owned(),
        title: title.map(str::to_owned),
    };
    assert_eq!(
        found,
        [
            label("one two", Some("The title")),
            label("b", Some("The title")),
            label("c", None),
            label("fig", None)
        ]
    );
}

#[test]
fn myst_roles_are_links_code_and_words() {
    check(
        "{ref}`install`, {ref}`see\nthis <install>`, {doc}`/guide`, {doc}`B <b>`, {any}`b`",
        "[Install it](../../docs/guide.md#install), [see this](../../docs/guide.md#install), \
         [The &#91;guide&#93;](../../docs/guide.md), [B](../../docs/sub/b.md), [B](../../docs/sub/b.md)",
    );
    check(
        "{py:func}`~os.path.join` {class}`a.B` {func}`f <a.f>` {file}`a_b`",
        "`join` `a.B` `f` `a_b`",
    );
    check(
        "{abbr}`HTML (Hyper \"T\")` {kbd}`Ctrl` {sub}`2` {guilabel}`&Save` {term}`a <b>` {own}`x`",
        "<abbr title=\"Hyper &quot;T&quot;\">HTML</abbr> <kbd>Ctrl</kbd> <sub>2</sub> **Save** a `x`",
    );
    check(
        "{pep}`8` {rfc}`9110#x` {download}`the file </a.zip>` {octicon}`x;1em`.",
        "[PEP 8](https://peps.python.org/pep-0008/) [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110) \
         [the file](../../docs/a.zip) .",
    );
    check(
        "$$\na\n$$ (Eq:one)\n\n[](install)",
        "<div id=\"eq-one\"></div>\n\n`\u{f8f1}a`\n\n[Install it](../../docs/guide.md#install)",
    );
    check(
        "[a [b](c.txt) d]{.x} e [f]{x} [g]{#G_h}\n\n{#par .x}\nP",
        "a [b](c.txt) d e [f]{x} <a id=\"g-h\"></a>g\n\n<div id=\"par\"></div>\n\nP",
    );
    check("{x} `a` {ref} \\{ref}`a`", "{x} `a` {ref} \\{ref}`a`");
    let missing = translated("a\n\n{ref}`words <nowhere>` {doc}`gone`");
    assert_eq!(missing.text, "a\n\nwords gone");
    let remarks: Vec<(u32, u32, &str)> = missing
        .remarks
        .iter()
        .map(|remark| (remark.line, remark.column, remark.message.as_str()))
        .collect();
    assert_eq!(
        remarks,
        [
            (2, 1, "no text of the folder has the target `nowhere`"),
            (2, 24, "no text of the folder has the target `gone`")
        ]
    );
}

#[test]
fn myst_substitutions_are_values_of_the_settings() {
    check("v{{ version }} `{{ version }}`", "v1.2 `{{ version }}`");
    check("```{note}\n{{version}}\n```", "> [!note]\n>\n> 1.2");
}

#[test]
fn myst_includes_a_part_of_a_file_that_readers_may_see() {
    check(
        "```{include} ../part.md\n```\nb",
        "## Part\n\n\n> [!tip]\n>\n> x\n\n\nb",
    );
    let lines = |options: &str| {
        let text = format!("```{{literalinclude}} a.py\n{options}```");
        let code = translated(&text).text.into_owned();
        code.trim().to_owned()
    };
    assert_eq!(lines(""), "```py\none\ntwo\nthree\nfour\n```");
    assert_eq!(
        lines(":language: python\n:lines: 2,4-\n"),
        "```python\ntwo\nfour\n```"
    );
    assert_eq!(
        lines(":start-after: one\n:end-before: four\n"),
        "```py\ntwo\nthree\n```"
    );
    assert_eq!(
        lines(":start-at: two\n:end-at: three\n"),
        "```py\ntwo\nthree\n```"
    );
    // Numbers count within what the other options choose.
    assert_eq!(lines(":start-after: one\n:lines: 2\n"), "```py\nthree\n```");
    for (text, why) in [
        ("```{include} ../draft.md\n```", "it is a draft"),
        ("```{include} none.md\n```", "there is no such file"),
        ("```{include} ../../../x.md\n```", "there is no such file"),
        (
            "```{literalinclude} a.py\n:pyobject: A\n```",
            "its part is chosen by the language",
        ),
    ] {
        let found = translated(text);
        assert_eq!(found.text.trim(), "", "{text}");
        assert!(found.remarks[0].message.ends_with(why), "{text}");
    }
    let found = translated("```{include} ../part.md\n```");
    assert!(found.included.contains("docs/part.md"));
}

proptest::proptest! {
    #[test]
    fn no_myst_panics(text in "(```|~~~|:::|::::|\\{note\\}|\\{toctree\\}|\\{list-table\\}|\\{include\\} \\.\\./part\\.md|\\{literalinclude\\} a\\.py|\\{glossary\\}|\\{card\\} T|:name: a|:lines: 9-,2|:start-after: x|---|\\* - |  - |\\(a\\)=|\\{ref\\}`|`|<install>|\\[|\\]|\\(|\\)|<project:|#|# |é| |\n|\n\n){0,40}") {
        let translated = translated(&text);
        let count = text.split('\n').count();
        let lines = translated.lines.unwrap_or_default();
        proptest::prop_assert!(lines.iter().all(|line| (*line as usize) < count));
    }
}

#[test]
fn a_hostile_text_is_bounded() {
    for text in [
        "```{note}\n".repeat(5_000),
        ":::{note}\n".repeat(5_000) + &":::\n".repeat(5_000),
        "(a)=\n".repeat(20_000),
        "[](#install)".repeat(5_000),
        "{ref}`".repeat(10_000),
        "[".repeat(50_000) + "](install)",
        "* - a\n".repeat(10_000),
        "{#a} ".repeat(20_000),
        "[a]{.b".repeat(20_000),
        format!("```{{list-table}}\n* - a\n{}```", "b\n".repeat(20_000)),
    ] {
        assert!(translated(&text).text.len() < text.len() * 20);
    }
}
