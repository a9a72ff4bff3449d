use crate::dialects::passes::files::{Files, Named};
use crate::dialects::passes::translate;
use crate::dialects::{Evidence, Kind};
use crate::syntax::front::split;
use diglot_document::testing::sources;

const SITE: &str = "meta-of-site: S\nwebsite:\n  title: W\nnumber-sections: true\n";

/// A text of a site after all steps.
fn translated(text: &str, front: &str) -> String {
    translated_in(SITE, text, front)
}

/// The same with this configuration.
fn translated_in(site: &str, text: &str, front: &str) -> String {
    let folder = sources(&[
        ("_quarto.yml", site),
        ("_variables.yml", "a:\n  b: \"1.2\"\n"),
    ]);
    let kind = Kind::detect(&Evidence::new(&folder), None);
    assert_eq!(kind.dialect.name, "quarto");
    let front = split(front, "a.qmd").front;
    let files = Files::new("a.qmd", &|_| Named::Missing);
    let translated = translate(text, false, false, &kind, &front, &files);
    translated.text.into_owned()
}

/// Blank lines side by side count as one.
fn check(text: &str, expected: &str) {
    let mut lines: Vec<String> = Vec::new();
    for line in translated(text, "---\nlang: en\n---\n").lines() {
        if !(line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(line.to_owned());
        }
    }
    assert_eq!(lines.join("\n").trim_end(), expected, "{text}");
}

#[test]
fn rule_55_attributes_never_reach_a_reader() {
    check(
        "[a *b*]{.c key=\"x y\"} [d]{#e} [f]{.mark} `g`{.r} [h](i.qmd){.j target=\"_blank\"}",
        "a *b* <a id=\"e\"></a>d <mark>f</mark> `g` [h](i.qmd)",
    );
    check(
        "## T {#x_y .unnumbered data-a=\"b c\"}\n\n## U {-}\n\n## V {a=\"b\"} W",
        "## T {#x\\_y}\n\n## U\n\n## V {a=\"b\"} W",
    );
    check(
        "[a]{.content-visible when-format=\"pdf\"}b[c]{.content-hidden when-format=\"pdf\"}",
        "bc",
    );
    for text in [
        "`[a]{.c}` and [a] {.c}",
        "```\n[a]{.c} ^[b] @fig-x\n```",
        "[a]{b c}",
        "[^1] and x^2 and ~/a and a ~ b",
        "ann@fig-x.org and @ann and [@ann](x.qmd)",
        "$x^[1]^$ and <a href=\"x^y^z\">b</a>",
    ] {
        assert!(!translated(text, "").contains("<sup>"), "{text}");
        assert!(!translated(text, "").contains("inline-note"), "{text}");
        if !text.contains('$') && !text.starts_with('`') {
            check(text, text);
        }
    }
}

#[test]
fn rule_55_notes_and_raised_text() {
    check(
        "a^[b *c* [d]{.e}] x^2^ H~2~O ~~s~~ ^[^f^]",
        "a[^inline-note-1] x<sup>2</sup> H<sub>2</sub>O ~~s~~ [^inline-note-2]\n\n[^inline-note-1]: b *c* d\n\n[^inline-note-2]: <sup>f</sup>",
    );
}

#[test]
fn rule_55_figures_have_captions_numbers_and_references() {
    check(
        "![A *b*](a.png){#fig-a fig-alt=\"An \\\"A\\\" } b\" width=50%}\n\nSee @fig-a, [-@fig-a], [Fig. @fig-a; @tbl-b] and @fig-none.\n\n| a |\n|---|\n| 1 |\n\n: T *t* {#tbl-b tbl-colwidths=\"[1]\"}\n",
        "<figure id=\"fig-a\">\n\n![An \"A\" } b](a.png)\n\n<figcaption>\n\nFigure 1: A *b*\n\n</figcaption>\n</figure>\n\nSee [Figure 1](#fig-a), [1](#fig-a), [Fig. 1](#fig-a), [Table 1](#tbl-b) and @fig-none.\n\n<figure id=\"tbl-b\">\n\n| a |\n|---|\n| 1 |\n\n<figcaption>\n\nTable 1: T *t*\n\n</figcaption>\n</figure>",
    );
    check(
        "a ![B](c.png){.d} e\n\n![](f.png){fig-alt=\"G\"}",
        "a ![B](c.png) e\n\n![G](f.png)",
    );
    check(
        "# A {#sec-a}\n\n## B {#sec-b}\n\n## C {#sec-c .unnumbered}\n\n@sec-a---x, @sec-b, @Sec-c",
        "# A {#sec-a}\n\n## B {#sec-b}\n\n## C {#sec-c}\n\n[Section 1](#sec-a)---x, [Section 1.1](#sec-b), [C](#sec-c)",
    );
    check(
        "::: {#fig-x layout-ncol=2}\n![a](a.png){#fig-a}\n\n![b](b.png){#fig-b}\n\nBoth\n:::\n\n@fig-b",
        "<figure id=\"fig-x\">\n\n<figure id=\"fig-a\">\n\n![a](a.png)\n\n<figcaption>\n\nFigure 1 (a): a\n\n</figcaption>\n</figure>\n\n<figure id=\"fig-b\">\n\n![b](b.png)\n\n<figcaption>\n\nFigure 1 (b): b\n\n</figcaption>\n</figure>\n\n<figcaption>\n\nFigure 1: Both\n\n</figcaption>\n</figure>\n\n[Figure 1 (b)](#fig-b)",
    );
}

#[test]
fn rule_55_literature_without_a_list_shows_its_keys() {
    check(
        "As shown [see @a_b2020, p. 3; -@c] and [@d].",
        "As shown (see a\\_b2020, p. 3; c) and (d).",
    );
}

#[test]
fn rule_55_formulas_have_numbers() {
    assert!(translated("$$\nx\n$$ {#eq-a}\n\n@eq-a", "").contains("x \\qquad(1)"));
    check(
        "a\n\n@eq-a $$y$$ {#eq-a}",
        "a\n\n[Equation 1](#eq-a) <a id=\"eq-a\"></a>\n`\u{f8f1}y \\qquad(1)`",
    );
}

#[test]
fn rule_55_cells_show_their_code_alone() {
    check(
        "```{python}\n#| label: fig-a\n#| fig-cap: \"A *a*\"\n\nx = 1\n#| no\n```\n\n@fig-a",
        "<div id=\"fig-a\"></div>\n\n```python\nx = 1\n```\n\nFigure 1: A *a*\n\n[Figure 1](#fig-a)",
    );
    check("```{r}\n#| echo: false\nsecret()\n```\na", "a");
    check("```{r setup, include=FALSE}\nsecret()\n```\na", "a");
    check("```{r, echo = F}\nsecret()\n```\na", "a");
    check("```{ojs}\n//| echo: true\nx\n```", "```ojs\nx\n```");
    check(
        "````\n```{{python}}\n#| echo: false\n```\n````",
        "````\n```{python}\n#| echo: false\n```\n````",
    );
    check(
        "```{.python filename=\"a.py\" .numberLines}\nx\n```",
        "`a.py`\n\n```python\nx\n```",
    );
    check(
        "```{#lst-a .r lst-cap=\"L\"}\nx\n```\n@lst-a",
        "<div id=\"lst-a\"></div>\n\n```r\nx\n```\n\nListing 1: L\n\n[Listing 1](#lst-a)",
    );
    check("`{python} x + 1`", "`x + 1`");
    let plain = "```python\n#| echo: false\nx\n```";
    check(plain, plain);
    let hidden = translated(
        "```{r}\nsecret()\n```\na",
        "---\nexecute:\n  echo: false\n---\n",
    );
    assert!(!hidden.contains("secret"));
}

#[test]
fn rule_26_code_that_a_cell_hides_is_not_shown() {
    let hidden = |text: &str, front: &str| {
        let shown = translated(&format!("{text}\na"), front);
        assert!(
            !shown.contains("secret") && shown.contains('a'),
            "{text} {front}: {shown}"
        );
    };
    for cell in [
        "```{r,echo=FALSE}\nsecret()\n```",
        "```{r echo = F}\nsecret()\n```",
        "```{r name echo=FALSE}\nsecret()\n```",
        "```{r, fig.cap=\"x, echo=TRUE\", echo=FALSE}\nsecret()\n```",
        "```{r, echo=shows}\nsecret()\n```",
        "```{r}\n#| echo = FALSE\nsecret()\n```",
        "```{r}\n#| fig.cap = \"a: b\", echo = FALSE\nsecret()\n```",
        "```{r}\n#| fig.cap = \"a\",\n#|   echo = FALSE\nsecret()\n```",
        "```{r}\n# | echo: false\nsecret()\n```",
        "```{python}\n#| echo: false # not yet\nsecret()\n```",
        "```{python}\n#| echo: !expr show\nsecret()\n```",
        "```{python}\n#| include: !expr show\nsecret()\n```",
        "```{r,include=FALSE}\nsecret()\n```",
        "```{r, include=FALSE}\nknitr::opts_chunk$set(\n  fig.width = 5, echo = FALSE\n)\n```\n\n```{r}\nsecret()\n```",
    ] {
        hidden(cell, "");
    }
    let cell = "```{r}\nsecret()\n```";
    for front in [
        "format:\n  html:\n    echo: false",
        "format:\n  html:\n    execute:\n      echo: false",
        "echo: false",
        "execute: {echo: false}",
        "include: false",
        "knitr:\n  opts_chunk:\n    echo: false",
        "execute: {echo: true}\nformat: {html: {echo: false}}",
    ] {
        hidden(cell, &format!("---\n{front}\n---\n"));
    }
    let shown = "```r\nshown()\n```";
    for cell in [
        "```{r,echo=TRUE}\nshown()\n```",
        "```{r name, echo = T}\nshown()\n```",
        "```{r}\n#| echo: fenced\nshown()\n```",
        "```{r}\n#| echo: true # now\nshown()\n```",
        "```{r}\n# | eval: false\nshown()\n```",
        "```{r, include=FALSE}\nknitr::opts_chunk$set(echo = TRUE)\n```\n\n```{r}\nshown()\n```",
    ] {
        check(cell, shown);
    }
    check(
        "```{python}\nx = 1\n# | a | b |\n```",
        "```python\nx = 1\n# | a | b |\n```",
    );
    // The page has priority over its site.
    let front = "---\nexecute: {echo: true}\n---\n";
    let site = "execute:\n  echo: false\nformat:\n  html:\n    echo: false\n";
    let of = |front: &str| translated_in(&format!("{SITE}{site}"), cell, front);
    assert!(of(front).contains("secret") && !of("").contains("secret"));
}

#[test]
fn rule_55_raw_content_is_shown_in_its_format_only() {
    check(
        "```{=html}\n<b>x</b>\n\n<i>y</i>\n```\na",
        "<b>x</b>\n<i>y</i>\n\na",
    );
    check("```{=latex}\nsecret\n```\na", "a");
    check("a\\index{b!c|see{d}} \\x `\\y{z}`", "a \\x `\\y{z}`");
    check(
        "a `<b>x</b>`{=html} `\\x`{=latex}c\n\n\\newpage",
        "a <b>x</b> c",
    );
}

#[test]
fn rule_55_content_for_other_formats_is_hidden() {
    check(
        "::: {.content-visible when-format=\"pdf\"}\nsecret\n\n::: {.x}\nsecret\n:::\n:::\na",
        "a",
    );
    check(
        "::: {.content-hidden unless-format=\"html\"}\na\n:::",
        "\na".trim_start(),
    );
    check(
        "::: {.content-visible when-meta=\"meta-of-site\"}\na\n:::\n::: {.hidden}\nsecret\n:::",
        "a",
    );
}

#[test]
fn rule_55_blocks_become_callouts_tabs_and_theorems() {
    check(
        ":::: {.callout-tip collapse=\"true\"}\n## T {.x}\n\na\n\n::: {layout-ncol=2}\nb\n:::\n::::",
        "> [!tip]- T\n>\n>\n> a\n>\n>\n> b\n>",
    );
    check(
        "::: {.panel-tabset group=\"x\"}\n## A\n\na\n\n## B\n\n### C\n:::",
        "**A:**\n\na\n\n**B:**\n\n### C",
    );
    check(
        "::: {#thm-l}\n## Line\n\na\n:::\n\n@thm-l",
        "<div id=\"thm-l\"></div>\n\n**Theorem 1 (Line).**\n\na\n\n[Theorem 1](#thm-l)",
    );
    check(
        "::: {#x .y style=\"a: b\"}\na\n:::",
        "<div id=\"x\"></div>\n\na",
    );
    check("```\n::: {.x}\n```", "```\n::: {.x}\n```");
}

#[test]
fn rule_55_values_of_the_page_and_the_site() {
    let text = "{{< meta title >}} {{< meta meta-of-site >}} {{< var a.b >}} [x](y{{< var a.b >}}.qmd) {{< meta none >}}`{{< var a.b >}} {{{< var a.b >}}}`";
    let shown = translated(text, "---\ntitle: T\n---\n");
    assert_eq!(shown, "T S 1.2 [x](y1.2.qmd) `1.2 {{< var a.b >}}`");
}

#[test]
fn rule_55_tables_in_a_grid() {
    check(
        "+---+-----+\n| A | B b |\n+===+=====+\n| 1 | `x` |\n|   | y|z |\n+---+-----+\n\n: T",
        "<figure>\n\n| A | B b |\n|---|---|\n| 1 | `x` y\\|z |\n\n<figcaption>\n\nT\n\n</figcaption>\n</figure>",
    );
    check(
        "+---+-----+\n| A | - b |\n|   | - c |\n+---+-----+",
        "<table>\n<tr>\n<td>\n\nA\n\n</td>\n<td>\n\n- b\n- c\n\n</td>\n</tr>\n</table>",
    );
    for text in ["+---+", "+ a\n+ b", "+---+---+\n\na"] {
        check(text, text);
    }
}

#[test]
fn rule_55_tables_by_columns() {
    check(
        "a\n\n  Right   Left\n-------   ------\n     12   x y\n      1   *z*\n\nb",
        "a\n\n| Right | Left |\n|---|---|\n| 12 | x y |\n| 1 | *z* |\n\nb",
    );
    check(
        "-----------------\n A      B b\n       c\n------ ----------\n 1      x\n        y\n\n 2      z\n-----------------\n",
        "| A | B b c |\n|---|---|\n| 1 | x y |\n| 2 | z |",
    );
    for text in ["A\n------\n\nb", "a\n\n- - -\n\nb", "---\n\na"] {
        check(text, text);
    }
}

#[test]
fn rule_55_examples_and_lines() {
    check(
        "(@) a\n(@x) b\n\nAs (@x) says (@y).",
        "1. a\n2. b\n\nAs (2) says (@y).",
    );
    check("| a\n|   b\n\nc", "a\\\n&nbsp;&nbsp;b\n\nc");
    check(
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "| a | b |\n|---|---|\n| 1 | 2 |",
    );
    check("#. a\n#. b", "1. a\n1. b");
}

#[test]
fn rule_55_other_kinds_keep_what_they_wrote() {
    let kind = Kind::detect(&Evidence::default(), None);
    let files = Files::new("a.md", &|_| Named::Missing);
    for text in [
        "x^2^ and ~y~ and a^[b] and @fig-x {{{< a >}}}",
        "+---+\n| a |\n+---+",
        "(@) a\n\n| a\n| b",
    ] {
        let front = split("", "a.md").front;
        let translated = translate(text, false, false, &kind, &front, &files);
        assert!(
            !translated.text.contains('<') || text.contains("{{{<"),
            "{}",
            translated.text
        );
        assert!(!translated.text.contains("1. a"));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_of_pandoc_panics(text in "(\\[|\\]|\\{\\.a b=\"c\"\\}|\\{#fig-x\\}|\\{=html\\}|\\^|~|@fig-x|!\\[|\\(|\\)|::: |\\{\\.callout-tip\\}|:::|\\+---\\+|\\| a \\||--- ---|\\(@\\)|: t|```\\{r\\}|```|#\\| label: fig-x|`|\\$|\\\\|> |- |## |\n|\n\n|é| |\\{\\{< meta a >\\}\\}){0,40}") {
        let folder = sources(&[("_quarto.yml", SITE)]);
        let kind = Kind::detect(&Evidence::new(&folder), None);
        let front = split("", "a.qmd").front;
        let files = Files::new("a.qmd", &|_| Named::Missing);
        let translated = translate(&text, false, false, &kind, &front, &files);
        let count = text.split('\n').count();
        let lines = translated.lines.unwrap_or_default();
        proptest::prop_assert!(lines.iter().all(|line| (*line as usize) < count));
    }
}
