mod pages;

use super::*;
use crate::model::document::{
    Block, Inline, Purpose, Rendering, Target, write_html, write_markdown,
};
use crate::model::site::BaseUrl;
use crate::syntax::markdown;

fn written(document: &crate::model::document::Document) -> (String, String) {
    let base = BaseUrl::parse("https://example.org").unwrap();
    let targets: Vec<_> = document
        .references
        .iter()
        .map(|reference| Target::Url(reference.raw.clone()))
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
        write_html(document, &rendering(Purpose::Page)),
        write_markdown(document, &rendering(Purpose::Twin)),
    );
    assert_eq!(html.outline, markdown.outline);
    (html.text, markdown.text)
}

/// Checks the page and the twin of raw HTML in Markdown.
fn check(markdown: &str, html: &str, twin: &str) {
    let document = markdown::parse(markdown, &markdown::Options::default());
    let (page, text) = written(&document);
    assert_eq!(page.trim(), html.trim(), "{markdown}");
    assert_eq!(text.trim(), twin.trim(), "{markdown}");
}

#[test]
fn inline_elements_become_inlines() {
    check(
        "a <b>b</b> <em>c</em> <mark>d</mark>",
        "<p>a <strong>b</strong> <em>c</em> <mark>d</mark></p>",
        "a **b** *c* d",
    );
    check(
        "press <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<sup>2</sup>, 1<sup>st</sup>",
        "<p>press <kbd>Ctrl</kbd>, H<sub>2</sub>O, x<sup>2</sup>, 1<sup>st</sup></p>",
        "press `Ctrl`, H2O, x^2, 1st",
    );
    check(
        "<a href=\"https://a.b\" title=t onclick=x>link</a>",
        "<p><a href=\"https://a.b\" title=\"t\">link</a></p>",
        "[link](https://a.b \"t\")",
    );
}

#[test]
fn tags_are_always_balanced() {
    check("a </b> b", "<p>a  b</p>", "a  b");
    check(
        "a <b>bold\n\nnext",
        "<p>a <strong>bold</strong></p>\n<p>next</p>",
        "a **bold**\n\nnext",
    );
    check(
        "<b>a <i>b</b> c</i>",
        "<p><strong>a <em>b</em></strong> c</p>",
        "**a *b*** c",
    );
    check(
        "- <div>x\n- y",
        "<ul>\n<li>x</li>\n<li>y</li>\n</ul>",
        "- x\n- y",
    );
}

#[test]
fn markdown_in_html_stays_markdown() {
    check(
        "<div class=\"x\">\n\n*a*\n\n</div>\n\nb",
        "<div class=\"x\">\n<p><em>a</em></p>\n</div>\n<p>b</p>",
        "*a*\n\nb",
    );
    check(
        "<details><summary>More <b>x</b></summary>\n\n- a\n\n</details>",
        "<details>\n<summary>More <strong>x</strong></summary>\n<ul>\n<li>a</li>\n</ul>\n</details>",
        "**More x:**\n\n- a",
    );
    check(
        "<div markdown=\"1\">\n# T {#t}\n*a*\n</div>",
        "<h2 id=\"t\">T</h2>\n<a href=\"#t\" aria-labelledby=\"page:link t\"></a>\n<p><em>a</em></p>",
        "## T\n\n*a*",
    );
    check(
        "<aside markdown=\"1\" class=\"q\">\n  <img src=\"/a.png\">\n  Text *x*.\n  <p markdown=\"1\" class=\"c\">\n— [y](/y)\n  </p>\n</aside>",
        "<aside class=\"q\">\n<p><img src=\"/a.png\" alt=\"\"> Text <em>x</em>.</p>\n<p>— <a href=\"/y\">y</a></p>\n</aside>",
        "![](/a.png) Text *x*.\n\n— [y](/y)",
    );
}

#[test]
fn rule_11_boxes_of_html_are_callouts() {
    check(
        "<div class=\"admonition warning\"><p class=\"admonition-title\">Mind</p><p>a</p></div>",
        "<aside class=\"callout callout-warning\">\n<p class=\"callout-title\"><strong>Mind</strong></p>\n<p>a</p>\n</aside>",
        "> [!WARNING]\n> **Mind**\n>\n> a",
    );
    check(
        "<div class=\"alert alert-info\" role=\"alert\">a</div>",
        "<aside class=\"callout callout-info\">\n<p class=\"callout-title\"><strong>Info</strong></p>\n<p>a</p>\n</aside>",
        "> [!NOTE]\n> **Info**\n>\n> a",
    );
    let warning = "<aside class=\"callout callout-warning\">\n<p class=\"callout-title\"><strong>Warning</strong></p>\n<p>a</p>\n</aside>";
    for class in [
        "warning",
        "notice--warning",
        "callout callout--warning",
        "custom-block warning",
        "admonition-warning",
    ] {
        check(
            &format!("<div class=\"{class}\">a</div>"),
            warning,
            "> [!WARNING]\n> a",
        );
    }
    check(
        "<aside class=\"callout\">a</aside>",
        "<aside class=\"callout callout-note\">\n<p class=\"callout-title\"><strong>Note</strong></p>\n<p>a</p>\n</aside>",
        "> [!NOTE]\n> a",
    );
    check(
        "<div class=\"alert x\">a</div>",
        "<div class=\"alert x\">\n<p>a</p>\n</div>",
        "a",
    );
}

#[test]
fn rule_11_titles_of_callouts_are_in_the_language_of_the_page() {
    let mut document = markdown::parse(
        "> [!NOTE]\n> a\n\n> [!tip] Own\n> b\n\n> [!odd]\n> c",
        &markdown::Options::default(),
    );
    assert!(document.has_default_titles());
    document.localise("de-AT");
    let (_, twin) = written(&document);
    assert_eq!(
        twin.trim(),
        "> [!NOTE]\n> **Hinweis**\n>\n> a\n\n> [!TIP]\n> **Own**\n>\n> b\n\n> [!NOTE]\n> **Odd**\n>\n> c"
    );
}

#[test]
fn comments_scripts_and_styles_never_show() {
    check("a <!-- secret --> b", "<p>a b</p>", "a b");
    check("<!-- a\n\nsecret\n\n-->\n\nb", "<p>b</p>", "b");
    check(
        "<div>\n<!--\n\nsecret *x*\n\n- secret\n\n-->\n</div>\n\nb",
        "<p>b</p>",
        "b",
    );
    check(
        "a <!-- secret\n\nsecret --> b",
        "<p>a</p>\n<p>b</p>",
        "a\n\nb",
    );
    check(
        "<script>\nsecret\n\nsecret\n</script>\n\nb",
        "<p>b</p>",
        "b",
    );
    check(
        "<div><script>\nsecret\n\nsecret\n</script></div>\n\nb",
        "<p>b</p>",
        "b",
    );
    check("a <script>secret</script> b", "<p>a b</p>", "a b");
    check("<style>\n.x{}\n</style>\na", "<p>a</p>", "a");
    check(
        "`<!-- shown -->`",
        "<p><code>&lt;!-- shown --&gt;</code></p>",
        "`<!-- shown -->`",
    );
}

#[test]
fn unsafe_addresses_are_no_links() {
    for address in [
        "javascript:alert(1)",
        " JavaScript:x",
        "java\nscript:x",
        "vbscript:x",
        "data:text/html,x",
        "feed:javascript:x",
        "view-source:javascript:x",
        "jar:x!/y",
        "blob:x",
    ] {
        let document = markdown::parse(
            &format!(
                "<a href=\"{address}\">t</a> <iframe src=\"{address}\"></iframe> <img src=\"{address}\" alt=u>"
            ),
            &markdown::Options::default(),
        );
        let (html, twin) = written(&document);
        assert_eq!(
            (
                html.contains("href") || html.contains("src"),
                twin.contains("](")
            ),
            (false, false),
            "{address}: {html}{twin}"
        );
    }
    check(
        "[t](javascript:alert(1)) <a href=\"javascript:x\">u</a>",
        "<p>t u</p>",
        "t u",
    );
    check(
        "![i](data:image/png;base64,AA==)",
        "<p><img src=\"data:image/png;base64,AA==\" alt=\"i\"></p>",
        "![i](data:image/png;base64,AA==)",
    );
}

#[test]
fn nesting_that_validators_reject_is_repaired() {
    check(
        "<p>a<div>b</div>c</p>",
        "<p>a</p>\n<p>b</p>\n<p>c</p>",
        "a\n\nb\n\nc",
    );
    check(
        "<a href=\"/x\"><div>a</div><div>b</div></a>c",
        "<p><a href=\"/x\">a</a></p>\n<p><a href=\"/x\">b</a></p>\n<p>c</p>",
        "[a](/x)\n\n[b](/x)\n\nc",
    );
    check(
        "<a href=\"/x\">a <a href=\"/y\">b</a></a>",
        "<p><a href=\"/x\">a</a> <a href=\"/y\">b</a></p>",
        "[a](/x) [b](/y)",
    );
    check(
        "[a <a href=\"/y\">b</a>](/x)",
        "<p><a href=\"/x\">a b</a></p>",
        "[a b](/x)",
    );
    check(
        "<h2>a<h3>b</h3></h2>",
        "<h2 id=\"a\">a</h2>\n<a href=\"#a\" aria-labelledby=\"page:link a\"></a>\n<h3 id=\"b\">b</h3>\n<a href=\"#b\" aria-labelledby=\"page:link b\"></a>",
        "## a\n\n### b",
    );
    check(
        "# a <div>b</div>",
        "<h2 id=\"a-b\">a b</h2>\n<a href=\"#a-b\" aria-labelledby=\"page:link a-b\"></a>",
        "## a b",
    );
    check(
        "<ul>x<li>a<li>b<ul><li>c</ul></ul>",
        "<ul>\n<li>x</li>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>",
        "- x\n- a\n- b\n  - c",
    );
}

#[test]
fn tables_of_html_are_tables() {
    check(
        "<table><tr><th>a<th>b<tr><td align=right>1|2<td><p>x<p>y</table>",
        "<div class=\"table\">\n<table>\n<thead>\n<tr><th scope=\"col\" class=\"right\">a</th><th scope=\"col\">b</th></tr>\n</thead>\n<tbody>\n<tr><td class=\"right\">1|2</td><td><p>x</p>\n<p>y</p>\n</td></tr>\n</tbody>\n</table>\n</div>",
        "| a | b |\n| --: | --- |\n| 1\\|2 | x y |",
    );
    let document = markdown::parse(
        "<table><tr><td colspan=2>a</td></tr><tr><td rowspan=2>b</td><td>c</td></tr><tr><td>d</td></tr></table>",
        &markdown::Options::default(),
    );
    let [Block::Table(table)] = document.blocks.as_slice() else {
        panic!("{document:?}")
    };
    assert!(table.header.is_empty());
    assert_eq!(
        table.rows.iter().map(Vec::len).collect::<Vec<_>>(),
        [2, 2, 2]
    );
    check(
        "<table><tr><td><pre>x</pre></td><td>y</td></tr></table>",
        "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table\">\n<table>\n<tbody>\n<tr><td><pre><code>x</code></pre>\n</td><td>y</td></tr>\n</tbody>\n</table>\n</div>",
        "```text\nx\n```\n\ny",
    );
}

#[test]
fn embeds_are_shown_and_linked() {
    check(
        "<iframe src=\"https://v.example/1\" title=\"A film\" onload=x>none</iframe>",
        "<figure class=\"embed\">\n<iframe src=\"https://v.example/1\" title=\"A film\" sandbox=\"allow-scripts allow-same-origin\" loading=\"lazy\" allowfullscreen></iframe>\n<figcaption><a href=\"https://v.example/1\">A film</a></figcaption>\n</figure>",
        "[A film](https://v.example/1)",
    );
    check(
        "<video controls><source src=\"/a.mp4\">Your browser…</video>",
        "<figure class=\"embed\">\n<video src=\"/a.mp4\" title=\"a.mp4\" controls preload=\"none\"></video>\n<figcaption><a href=\"/a.mp4\">a.mp4</a></figcaption>\n</figure>",
        "[a.mp4](/a.mp4)",
    );
}

#[test]
fn figures_keep_their_captions() {
    check(
        "<figure><img src=\"/a.png\" alt=\"A\"><figcaption>The <b>caption</b>.</figcaption></figure>",
        "<figure>\n<img src=\"/a.png\" alt=\"A\">\n<figcaption>The <strong>caption</strong>.</figcaption>\n</figure>",
        "![A](/a.png)\\\n*The **caption**.*",
    );
}

#[test]
fn code_of_html_is_code() {
    check(
        "<pre class=\"language-rust\"><code><span>fn</span> a() {\n}</code></pre>",
        "<pre><code class=\"language-rust\"><span class=\"kw\">fn </span><span class=\"fn\">a</span>() {\n}</code></pre>",
        "```rust\nfn a() {\n}\n```",
    );
    check(
        "<code>a <b>b</b></code>",
        "<p><code>a b</code></p>",
        "`a b`",
    );
    check(
        "<code>Vec&lt;<a href=\"/t\">T</a>&gt;</code>",
        "<p><code>Vec&lt;<a href=\"/t\">T</a>&gt;</code></p>",
        "Vec<[T](/t)>",
    );
}

#[test]
fn attributes_are_cleaned_and_ids_unique() {
    check(
        "<div id=a class=\"x sr-only\" style=\"y\" onclick=z role=dialog aria-label=w data-k=v lang=en dir=rtl>\n\nt <span id=a>u</span> <a id=b></a>\n\n</div>",
        "<div id=\"a\" class=\"x\" data-k=\"v\" lang=\"en\" dir=\"rtl\">\n<p>t u <span id=\"b\"></span></p>\n</div>",
        "t u",
    );
}

#[test]
fn deep_nesting_is_flattened_and_nothing_is_lost() {
    for (open, close) in [
        ("<div class=x>", "</div>"),
        ("<ul><li>", "</li></ul>"),
        ("<blockquote>", "</blockquote>"),
        ("<span class=x>", "</span>"),
        ("<table><tr><td>", "</table>"),
        ("<b>", "</b>"),
    ] {
        let html = format!("{}deep{}after", open.repeat(20_000), close.repeat(20_000));
        for document in [
            parse_page(&html).document,
            markdown::parse(&html, &markdown::Options::default()),
        ] {
            let (page, text) = written(&document);
            assert!(page.contains("deep") && page.contains("after"), "{open}");
            assert!(text.contains("deep") && text.contains("after"), "{open}");
        }
    }
}

#[test]
fn numbers_of_items_are_those_that_both_forms_can_write() {
    check(
        "<ol><li value=\"99999999999\">a</li></ol>",
        "<ol>\n<li>a</li>\n</ol>",
        "1. a",
    );
    check(
        "<ol reversed><li value=\"7\">a</li></ol>",
        "<ol>\n<li>a</li>\n</ol>",
        "1. a",
    );
    check(
        "<ol><li value=\"7\">a</li></ol>",
        "<ol start=\"7\">\n<li>a</li>\n</ol>",
        "7. a",
    );
}

#[test]
fn styles_that_are_only_named_are_searched_for_once() {
    for name in ["style", "script"] {
        let text = format!("use <{name}> here\n\n").repeat(20_000) + &format!("</{name}>");
        markdown::parse(&text, &markdown::Options::default());
    }
}
