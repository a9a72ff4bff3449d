//! The tokens of every syntax that the program reads, as tables from which texts are generated.

/// A syntax: where it is read, and its tokens.
pub struct Syntax {
    /// Its name on the command line.
    pub name: &'static str,
    /// Kinds of folders that read it; empty: all do, and one represents them.
    pub kinds: &'static [&'static str],
    /// Files in which it is read.
    pub paths: &'static [&'static str],
    /// Text before and after the tokens in these files.
    pub around: (&'static str, &'static str),
    /// Its tokens, both opening and closing.
    pub tokens: &'static [&'static str],
}

/// Every kind of folder.
pub const KINDS: [&str; 19] = diglot_content::settings::DIALECTS;

const MD: &[&str] = &["posts/bad.md"];
const HTML: &[&str] = &["posts/bad.html"];
const BOTH: &[&str] = &["posts/bad.md", "posts/bad.html"];
const NONE: (&str, &str) = ("", "");

/// Every syntax.
#[rustfmt::skip]
pub const SYNTAXES: &[Syntax] = &[
    Syntax { name: "blanks", kinds: &["plain", "docusaurus"], paths: BOTH, around: NONE, tokens: &[
        "x", " ", "\n", "\t", "\r", "\0", "\u{feff}", "\u{a0}", "語", "é", "\\", "    x\n", "\tx\n", "word ",
    ] },
    Syntax { name: "inline", kinds: &["plain", "obsidian"], paths: MD, around: NONE, tokens: &[
        "*", "**", "_", "__", "~", "~~", "`", "``", "==", "^", "&", "&a", "&amp;", "&#", "\\*", ":smile:", ":", "'", "\"", "...", "--",
    ] },
    Syntax { name: "links", kinds: &["plain", "obsidian"], paths: MD, around: NONE, tokens: &[
        "[", "]", "![", "[a]", "](", "](b)", "](<", "](b \"", ")", "(", "[^", "[^1]", "[^1]: ", "[a]: b\n", "[a]: <", "[[", "]]", "![[", "[[a|", "[[a#", "<a:", "|",
    ] },
    Syntax { name: "addresses", kinds: &["plain"], paths: BOTH, around: NONE, tokens: &[
        "http://", "https://a.b/", "www.", "www.a", "a@", "a@b.c", "@", ":", ".", "/", "?", "#", "'", "(", ")", "_b_", "*b*", "-", "//", "%", ",",
    ] },
    Syntax { name: "blocks", kinds: &["plain"], paths: MD, around: NONE, tokens: &[
        "> ", "- ", "* ", "+ ", "1. ", "1) ", "- [ ] ", "# ", "## a", "a\n=", "---\n", "***\n", "```\n", "~~~ a\n", "    ", "a\n: b\n", "|", "|a|b|\n", "|-|-|\n", "a", "[^1]: ",
    ] },
    Syntax { name: "elements", kinds: &["plain", "vitepress", "docusaurus"], paths: BOTH, around: NONE, tokens: &[
        "<", ">", "</", "/>", "<b>", "</b>", "<div>", "</div>", "<p>", "<pre>", "</pre>", "<code>", "<script>", "</script>", "<style>", "<textarea>", "<!--", "-->", "<!", "<?", "?>", "<![CDATA[", "]]>",
        "<a b=\"", "<a b='", "\"", " a=1", "<div markdown=\"1\">", "<video>", "<svg>", "<noscript>", "<title>", "<br>", "<template>",
    ] },
    Syntax { name: "tables", kinds: &["plain"], paths: BOTH, around: NONE, tokens: &[
        "<table>", "</table>", "<tr>", "<td>", "<th>", "<td colspan=200>", "<td rowspan=200>", "<caption>", "<thead>", "<dl>", "<dt>", "<dd>", "<ul>", "<li>", "<ol>", "<details>", "<summary>", "</details>", "<select>", "<option>", "<figure>", "<figcaption>", "x",
    ] },
    Syntax { name: "pages", kinds: &["plain"], paths: HTML, around: NONE, tokens: &[
        "<html>", "<head>", "<body>", "<main>", "<article>", "<nav>", "<a href=\"#a\">", "<a href=x>", "<p id=a>", "<h1>", "<h2 id=b>", "<span class=\"katex\">", "<span class=\"math\">", "<pre class=\"highlight\">", "<table class=\"lntable\">",
        "<div class=\"admonition note\">", "<p class=admonition-title>", "<div class=\"highlight-js\">", "<meta name=author content=a>", "<script type=\"application/ld+json\">", "<iframe src=x>", "<svg>", "</", "<math>", "<annotation encoding=tex>", "x ",
    ] },
    Syntax { name: "callouts", kinds: &["plain", "mkdocs", "vitepress", "docusaurus"], paths: MD, around: NONE, tokens: &[
        ":::", ":::{", "::: note", ":::a\n", ":::\n", "::::", "!!!", "!!! note\n", "??? a", "=== \"a\"", "> [!note]", "> [!", "    x\n", "{: .note }\n", "wow!!!", "@tab a\n", "/// a\n", "///\n", "::: code-group\n", "}", "\"",
    ] },
    Syntax { name: "attributes", kinds: &["plain", "jekyll"], paths: MD, around: NONE, tokens: &[
        "{:", "{: .a }", "{#a}", "{ .a }", "{::", "{::comment}", "{:/}", "{:toc}\n", "}", "[TOC]\n", "*a*", "# a", "\u{a0}", "==", "\n",
    ] },
    Syntax { name: "marks", kinds: &["mkdocs"], paths: MD, around: NONE, tokens: &[
        "++", "++a++", "++a", "{--", "--}", "{>>", "<<}", "{~~", "~>", "~~}", "{==", ":material-a:", ":material-", "{", "}", "*[a]: b\n", "::: a.b\n", "`",
    ] },
    Syntax { name: "docfx", kinds: &["plain"], paths: MD, around: NONE, tokens: &[
        ":::image ", "source=\"a\"", ":::", "<xref:", "](xref:", "[", ">", "[!div x]", "> [!div x]\n", "[!VIDEO ", "](#tab/", "# [a](#tab/b)\n", "[!INCLUDE [a](b)]", "[!code", "\"", "“", "=",
    ] },
    Syntax { name: "templates", kinds: &["plain", "hugo", "jekyll", "obsidian", "eleventy"], paths: BOTH, around: NONE, tokens: &[
        "{{", "}}", "{{ a }}", "{%", "%}", "{% a %}", "{{<", ">}}", "{{< a >}}", "{{< /a >}}", "{{% a %}}", "{# ", "#}", "{{{", "}}}", "%%", "{{ \"", "{% raw %}", "{% endraw %}", "{% highlight a %}", "{% endhighlight %}", "|", "\"", "“", "\n\n",
    ] },
    Syntax { name: "tags", kinds: &["hugo", "jekyll", "hexo"], paths: BOTH, around: NONE, tokens: &[
        "{{< note >}}", "{{< /note >}}", "{{< tabs >}}", "{{< tab \"a\" >}}", "{{< /tab >}}", "{{< tab codelang=\"a\" >}}", "{{< figure src=\"a.png\" >}}", "{{< button href=\"/a\" >}}", "{{< /button >}}", "{{< details \"a\" >}}", "{{< katex >}}", "{{< /katex >}}",
        "{% note %}", "{% endnote %}", "{% comment %}", "{% endcomment %}", "{% code %}", "{% endcode %}", "> ", "1. ", "x", "`", "<div>\n",
    ] },
    Syntax { name: "includes", kinds: &["mdbook", "mkdocs", "vitepress", "jekyll", "hugo"], paths: MD, around: NONE, tokens: &[
        "{{#include a}}", "{{#", "}}", "{{#title a}}", "\\{{#include a}}", "--8<-- \"a\"\n", "--8<--\n", ";--8<-- \"a\"\n", "{!a!}", "{!", "<!--@include: a-->", "<<< @/a\n", "{% include a %}", "{{< include a >}}", "{{#include good.md}}", "{{< readfile \"good.md\" >}}", "> ", "x",
    ] },
    Syntax { name: "mdx", kinds: &["docusaurus", "astro"], paths: &["posts/bad.md", "posts/bad.mdx"], around: NONE, tokens: &[
        "{", "}", "`", "``", "\"", "'", "<A", "<A>", "</A>", "<A />", "<A b={", "<A b=\"", " b", "import a from 'b.md'\n", "import {", "export a\n", "<>", "</>", "{/*", "*/}", "<Code>", "</Code>", "<Code code={`a`} />", "<Tabs values={[{label:'a',value:'b'}]}>", "<TabItem value=\"b\">", "{`${", "frontMatter.a", "\\", "\n\n",
    ] },
    Syntax { name: "vue", kinds: &["vitepress"], paths: MD, around: NONE, tokens: &[
        "<A", "<A>", "</A>", "<A />", "<a :b=\"", "<a @c=\"", "<a v-if=\"", "\">", "#", "{{", "}}", "x", "<Badge text=\"a\" />",
    ] },
    Syntax { name: "vaults", kinds: &["obsidian"], paths: MD, around: NONE, tokens: &[
        " ^a\n", "^a\n", "a\n", "\n", "%%", "[[a]]", "![[a]]", "![[bad]]", "![[bae]]", "[[bae#a]]", "[[#a]]", "#tag ", "> ", "$a$", "==a==", "[[a|b]]",
    ] },
    Syntax { name: "formulas", kinds: &["plain", "obsidian"], paths: MD, around: NONE, tokens: &[
        "$", "$$", "$a", "$a$", "\\\\(", "\\\\)", "\\\\[", "\\\\]", "\\(", "\\)", "\\[", "\\]", "{", "}", "%", "^", "_", "&", "x", "\\frac{", "\\tag{", "\n",
    ] },
    Syntax { name: "tex", kinds: &["obsidian"], paths: MD, around: ("$$", "$$\n\n"), tokens: &[
        "{", "}", "^", "_", "x", "\\frac", "\\frac{", "\\sqrt[", "]", "\\left(", "\\right)", "\\begin{matrix}", "\\end{matrix}", "\\text{", "\\tag{", "\\label{a}", "\\not", "'", "&", "\\\\", "\\hspace{1em}", "\\color{red}", "\\operatorname{", "1", "\\over",
    ] },
    Syntax { name: "yaml", kinds: &["plain"], paths: MD, around: ("---\n", "\n---\nx"), tokens: &[
        "a: b\n", "a:\n", "  ", "- ", "[", "]", "{", "}", "\"", "'", "|", ">", "&a ", "*a ", "? ", ": ", "#", " #", "!", "!!a ", "\t", "<<: *a\n", "\\", ",", "%", "a", "title: ", "tags: [", "date: ", "aliases: [/a", "\n",
    ] },
    Syntax { name: "toml", kinds: &["hugo"], paths: MD, around: ("+++\n", "\n+++\nx"), tokens: &[
        "a = 1\n", "a = ", "[a]\n", "[[a]]\n", "[", "]", "{", "}", "\"", "'", "\"\"\"", "'''", ".", "a.", "=", ",", "#", "\\", "\n", "title = \"",
    ] },
    Syntax { name: "json", kinds: &["hugo"], paths: MD, around: ("{\"a\":", "}\n\nx"), tokens: &["{", "}", "[", "]", "\"", "\"a\":", "1,", "\\", "\\u", ",", ":", "null", "\n"] },
    Syntax { name: "config", kinds: &["jekyll"], paths: &["_config.yml"], around: NONE, tokens: &[
        "a: b\n", "exclude: [", "a", "*", "**/", "/", "- ", "[", "]", "{", "\"", "'", "&a ", "*a ", ":", "\n", "permalink: /", ":title", "?", "  ",
    ] },
    Syntax { name: "config-toml", kinds: &["mdbook", "hugo", "zola"], paths: &["book.toml", "hugo.toml", "zola.toml"], around: NONE, tokens: &[
        "[a]\n", "[[a]]\n", "a = 1\n", "a.", "\"", "'", "\"\"\"", "[", "]", "{", "=", ",", "\n", "#", "permalinks = \"",
    ] },
    Syntax { name: "config-script", kinds: &["docusaurus", "astro", "vitepress"], paths: &["docusaurus.config.js", "astro.config.mjs", ".vitepress/config.ts"], around: ("export default {", "}"), tokens: &[
        "{", "}", "[", "]", "(", ")", "title: 'a',", "url: `", "'", "\"", "`", "/*", "*/", "//", "\n", "\\", "a:", "/", "=>", "${",
    ] },
    Syntax { name: "settings", kinds: &["plain"], paths: &["diglot.toml"], around: NONE, tokens: &["[a]\n", "a = 1\n", "\"", "'", "[", "{", "a.", "=", "\n", "#", "\"\"\""] },
    Syntax { name: "lock", kinds: &["plain"], paths: &["diglot.lock"], around: NONE, tokens: &["a", "\n", "\"", "= ", "[", "{", ":", "2020-01-01 "] },
    Syntax { name: "summary", kinds: &["mdbook"], paths: &["SUMMARY.md", "src/SUMMARY.md", "posts/SUMMARY.md"], around: NONE, tokens: &["- ", "  ", "[a](b.md)\n", "[", "](", ")", "# a\n", "\n", "---\n"] },
    Syntax { name: "code-rust", kinds: &["plain"], paths: MD, around: ("```rust\n", "\n```\n"), tokens: &["/*", "*/", "//", "\"", "'", "r#\"", "#[", "]", "{", "a", "1", "\\", "!(", "\n", "b'"] },
    Syntax { name: "code-script", kinds: &["plain"], paths: MD, around: ("```js\n", "\n```\n"), tokens: &["`", "${", "}", "'", "\"", "/*", "*/", "//", "/", "a", "@a", "1e", "\\", "\n", "=>"] },
    Syntax { name: "code-python", kinds: &["plain"], paths: MD, around: ("```python\n", "\n```\n"), tokens: &["\"\"\"", "'''", "f\"", "\"", "'", "#", "@", "a", "0x", "\\", "\n", "{"] },
    Syntax { name: "code-shell", kinds: &["plain"], paths: MD, around: ("```bash\n", "\n```\n"), tokens: &["$(", ")", "${", "}", "`", "'", "\"", "#", "-", "|", "./", "$", "\\", "\n", "<<EOF\n"] },
    Syntax { name: "code-markup", kinds: &["plain"], paths: MD, around: ("```html\n", "\n```\n"), tokens: &["<", ">", "<!--", "-->", "<a b=\"", "\"", "'", "&", "&amp;", "<?", "<!", "=", "a", "\n"] },
    Syntax { name: "code-styles", kinds: &["plain"], paths: MD, around: ("```css\n", "\n```\n"), tokens: &["/*", "*/", "//", "\"", "{", "}", "@a", "#a", ".a", "a", ":", ";", "\n", " "] },
    Syntax { name: "code-keys", kinds: &["plain"], paths: MD, around: ("```yaml\n", "\n```\n"), tokens: &["a: ", "- ", "[", "\"", "'", "#", "&a", "{", "\n", " "] },
    Syntax { name: "code-markdown", kinds: &["plain"], paths: MD, around: ("```md\n", "\n```\n"), tokens: &["`", "](", "<!--", "[", "#", "> ", "- ", "~~~", "\n", " "] },
    Syntax { name: "code-ruby", kinds: &["plain"], paths: MD, around: ("```ruby\n", "\n```\n"), tokens: &["%q(", "(", ")", "\"", "#{", "}", "'", "=begin\n", "=end\n", "/", "@a", ":a", "\n"] },
    Syntax { name: "code-sql", kinds: &["plain"], paths: MD, around: ("```sql\n", "\n```\n"), tokens: &["--", "/*", "*/", "'", "\"", "a", ";", "\n", "1"] },
    Syntax { name: "drawings", kinds: &["plain"], paths: &["posts/bad.svg"], around: ("<svg ", ""), tokens: &["<", ">", "<!--", "<svg ", "width=\"", "\"", "viewBox=\"", " ", "\n", "<?xml", "&a;"] },
];
