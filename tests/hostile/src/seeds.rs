//! Cases reported over the years against parsers of Markdown, HTML, YAML and templates, and cases
//! found here.

/// A hostile text of about the given number of bytes.
pub type Text = (&'static str, fn(usize) -> String);

/// Texts that repeat one string.
macro_rules! repeated {
    ($($unit:literal),* $(,)?) => { [$(($unit, |size| $unit.repeat((size / $unit.len()).max(1)))),*] };
}

/// Cases reported over the years against parsers of Markdown, HTML, YAML and templates.
pub const TEXTS: [Text; 131] = {
    const REPEATED: [Text; 98] = repeated![
        "*a **a ",
        "x...",
        "x--",
        "<span class=\"math\">",
        "a* ",
        "_a ",
        "*a_ ",
        "a**b c* ",
        "a]",
        "[a",
        "[",
        "[ a_",
        "[a](b",
        "![",
        "![[]()",
        "[a](<b",
        "[a](b \"",
        "&",
        "&a",
        "abc\0",
        "> ",
        "> a\n",
        "* ",
        "+ ",
        "1. ",
        "* a\n",
        "* a\n\n",
        "# a\n",
        "## same\n\n",
        "a\n=\n",
        "a\n: b\n\n",
        "~~a ",
        "~a^ ",
        "http://a.b/ ",
        "a@",
        "www.",
        "\\",
        "word ",
        "x",
        "語",
        " ",
        "\n",
        "\t",
        "\r",
        "\u{feff}",
        "    a\n",
        "---\n",
        "<div>",
        "</div>",
        "<b>x</b>",
        "<",
        "<!",
        "a <![CDATA[",
        "a <?",
        "a <!A ",
        "<!-- a",
        "a <!--",
        "<table><tr><td>",
        "<p>a",
        "<b><i></b>",
        "<select><option>",
        "<details><summary>",
        "<div markdown=\"1\">\n\n",
        "```\n",
        "~~~ a\n",
        "$a",
        "$$ ",
        "{{< a >}}",
        "{{< a ",
        "{{< note >}}",
        "{{< /note >}}",
        "{% a %}",
        "{% ",
        "{% raw %}",
        " {% endraw %}",
        "{% highlight x %}y{% endhighlight %}",
        "{% include a %}",
        "{{ a }}",
        "{{",
        "<A {...",
        "{`${",
        "<A b={",
        "[[a",
        "[[a|",
        "![[a]]",
        "> [!note]\n> ",
        "!!! note\n    ",
        ":::",
        "::: a\n",
        "%% a ",
        "{: .a ",
        "{#a} ",
        "[TOC]\n\n",
        "a [^1] ",
        "[^1]: a\n\n",
        "\\frac{",
        "{!a!}",
        "[a]: b\n"
    ];
    const OTHERS: [Text; 33] = [
        ("nested brackets", |size| {
            format!("{}a{}", "[".repeat(size / 2), "]".repeat(size / 2))
        }),
        ("nested bold", |size| {
            format!("{}a{}", "<b>".repeat(size / 7), "</b>".repeat(size / 7))
        }),
        ("runs of backticks", |size| {
            lines(size, |n| format!("e{}", "`".repeat(n)))
        }),
        ("lists in lists", |size| {
            lines(size, |n| format!("{}* a\n", "  ".repeat(n)))
        }),
        ("quotes in quotes", |size| {
            lines(size, |n| format!("{}x\n", "> ".repeat(n.min(300))))
        }),
        ("a wide table", |size| {
            format!(
                "|{}\n|{}\n|{}\n",
                "a|".repeat(size / 6),
                "-|".repeat(size / 6),
                "b|".repeat(size / 6)
            )
        }),
        ("a tall table", |size| {
            format!("|a|b|\n|-|-|\n{}", "|x|y|\n".repeat(size / 6))
        }),
        ("a table with short rows", |size| {
            format!(
                "|{}\n|{}\n{}",
                "a|".repeat(2_000),
                "-|".repeat(2_000),
                "a\n".repeat(size / 4)
            )
        }),
        ("closing brackets", |size| {
            format!("{} a b c", ")".repeat(size))
        }),
        ("abbreviations and no-break spaces", |size| {
            "e.g.\u{a0}".repeat(size / 6)
        }),
        ("comments of templates", |size| {
            "{% comment %}`{% endcomment %} {% comment %}".repeat(size / 44)
        }),
        ("definitions", |size| {
            lines(size, |n| format!("[{n}]: /u\n"))
        }),
        ("one long definition", |size| {
            format!("[a]: {}\n\n{}", "x".repeat(1_000), "[a]".repeat(size / 3))
        }),
        ("footnotes", |size| {
            lines(size, |n| format!("[^{n}]\n\n[^{n}]: x\n\n"))
        }),
        ("footnotes in footnotes", |size| {
            lines(size, |n| format!("[^{n}]: [^{}]\n\n", n + 1)) + "[^0]"
        }),
        ("pictures", |size| "![a](b.png)\n\n".repeat(size / 14)),
        ("attributes", |size| {
            format!("<a {}>", lines(size, |n| format!(" a{n}=1")))
        }),
        ("a formula of braces", |size| {
            format!("${}{}$", "{".repeat(size / 2), "}".repeat(size / 2))
        }),
        ("fractions in fractions", |size| {
            format!(
                "$${}x{}$$",
                "\\frac{".repeat(size / 12),
                "}{y}".repeat(size / 12)
            )
        }),
        ("front matter, deep", |size| {
            format!(
                "---\n{}---\nx",
                lines(size, |n| format!("{}a:\n", " ".repeat(n)))
            )
        }),
        ("front matter, brackets", |size| {
            format!("---\na: {}\n---\nx", "[".repeat(size))
        }),
        ("front matter, keys", |size| {
            format!("---\n{}---\nx", lines(size, |n| format!("k{n}: v\n")))
        }),
        ("front matter, tags", |size| {
            format!("---\ntags: [{}]\n---\nx", lines(size, |n| format!("t{n},")))
        }),
        ("TOML, brackets", |size| {
            format!("+++\na = {}\n+++\nx", "[".repeat(size))
        }),
        ("JSON, brackets", |size| {
            format!("{{\"a\":{}}}\n\nx", "[".repeat(size))
        }),
        ("abbreviations", |size| {
            lines(size, |n| format!("*[a{n}]: b\n"))
        }),
        ("code, Rust comments", |size| {
            format!("```rust\n{}", "/* ".repeat(size / 3))
        }),
        ("code, JavaScript templates", |size| {
            format!("```js\n{}", "`${".repeat(size / 3))
        }),
        ("code, Ruby quotes", |size| {
            format!("```ruby\n{}", "%q((".repeat(size / 4))
        }),
        ("code, HTML attributes", |size| {
            format!("```html\n{}", "<a b=\"".repeat(size / 6))
        }),
        ("code, YAML", |size| {
            format!("```yaml\n{}", "- ".repeat(size / 2))
        }),
        ("code, shell", |size| {
            format!("```bash\n{}", "$(".repeat(size / 2))
        }),
        ("code, Python", |size| {
            format!("```python\n{}", "f\"{".repeat(size / 3))
        }),
    ];
    let mut texts = [REPEATED[0]; 131];
    let mut at = 0;
    while at < texts.len() {
        texts[at] = if at < REPEATED.len() {
            REPEATED[at]
        } else {
            OTHERS[at - REPEATED.len()]
        };
        at += 1;
    }
    texts
};

/// A kind of folder, a file in it, and hostile texts of that file.
pub type InFile = (&'static str, &'static str, &'static [Text]);

/// The same in files of their own.
pub const IN_FILES: [InFile; 3] = [
    ("plain", "posts/bad.mdx", &repeated!["> <A>", "'import {\n"]),
    (
        "docusaurus",
        "docusaurus.config.js",
        &repeated!["title: 'a',", "'"],
    ),
    ("astro", "astro.config.mjs", &repeated!["\"\\", "`\\"]),
];

/// The results of `line` for the numbers from 0 on.
fn lines(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        text.push_str(&line(number));
        number += 1;
    }
    text
}
