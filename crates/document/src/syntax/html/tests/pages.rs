//! Whole pages.

use super::*;

#[test]
fn a_page_gives_its_article() {
    let page = parse_page(
        r##"<!doctype html><html lang="de"><head><title>Title – Site</title><meta name="description" content="Fingerprint &amp; more">
        <meta property="article:published_time" content="2024-01-02"><script type="application/ld+json">{"author":{"name":"Ann"},"dateModified":"2024-02-03"}</script></head>
        <body><nav>Menu</nav><article><header><h1>Title <a class="headerlink" href="#t">¶</a></h1><time datetime="2020-01-01">then</time></header>
        <p>Text <p>more<ul><li>one<li>two</ul><nav>next</nav><script>x()</script></article><footer>foot</footer></body></html>"##,
    );
    assert_eq!(page.names.title.as_deref(), Some("Title – Site"));
    assert_eq!(page.summary.as_deref(), Some("Fingerprint & more"));
    assert_eq!(
        (page.date.as_deref(), page.updated.as_deref()),
        (Some("2024-01-02"), Some("2024-02-03"))
    );
    assert_eq!(
        (page.language.as_deref(), page.authors.as_slice()),
        (Some("de"), &["Ann".to_owned()][..])
    );
    let (html, markdown) = written(&page.document);
    assert_eq!(
        markdown,
        "## Title\n\nthen\n\nText\n\nmore\n\n- one\n- two\n"
    );
    assert!(
        !html.contains("Menu") && !html.contains("foot") && !html.contains("x()"),
        "{html}"
    );
}

#[test]
fn a_page_without_article_gives_its_body() {
    let page = parse_page(
        "<title>T</title><body><header>H</header><aside>A</aside><div><h1>T</h1><p>Text</div><footer>F",
    );
    let (_, markdown) = written(&page.document);
    assert_eq!(markdown, "## T\n\nText\n");
    assert!(
        matches!(page.document.blocks.first(), Some(Block::Heading { content, .. }) if *content == [Inline::text("T")])
    );
}

/// Checks the twin of a whole page.
fn check_page(body: &str, twin: &str) {
    let page = parse_page(&format!(
        "<!doctype html><title>T</title><body><main>{body}</main>"
    ));
    assert_eq!(written(&page.document).1.trim(), twin.trim(), "{body}");
}

#[test]
fn code_of_highlighters_says_its_language_and_has_no_line_numbers() {
    let rust = "```rust\nlet a = 1;\nlet b = 2;\n```";
    // mdBook: hidden lines and buttons.
    check_page(
        "<pre><pre class=playground><code class=\"language-rust\"><span class=boring>fn main() {\n</span>let a = 1;\nlet b = 2;\n<span class=boring>}</span></code></pre></pre>",
        rust,
    );
    // Rouge, with a table inside the code.
    check_page(
        "<div class=\"language-rust highlighter-rouge\"><div class=highlight><pre class=highlight><code><table class=rouge-table><tbody><tr><td class=\"rouge-gutter gl\"><pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre><span class=k>let</span> a = 1;\nlet b = 2;\n</pre></td></tr></tbody></table></code></pre></div></div>",
        rust,
    );
    // Chroma, with a table around it.
    check_page(
        "<div class=highlight><div class=chroma><table class=lntable><tr><td class=lntd><pre class=chroma><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td><td class=lntd><pre class=chroma><code class=language-rust data-lang=rust>let a = 1;\nlet b = 2;\n</code></pre></td></tr></table></div></div>",
        rust,
    );
    // Chroma in lines.
    check_page(
        "<div class=highlight><pre class=chroma><code class=language-rust data-lang=rust><span class=line><span class=ln>1</span><span class=cl>let a = 1;\n</span></span><span class=line><span class=ln>2</span><span class=cl>let b = 2;</span></span></code></pre></div>",
        rust,
    );
    // Pygments in Sphinx, with a button.
    check_page(
        "<div class=\"highlight-rust notranslate\"><div class=highlight><button class=copybtn>Copy</button><pre><span></span><span class=linenos>1</span><span class=k>let</span> a = 1;\n<span class=linenos>2</span>let b = 2;\n</pre></div></div>",
        rust,
    );
    // highlight.js with its plugin for line numbers.
    check_page(
        "<pre><code class=\"hljs rust\"><table class=hljs-ln><tr><td class=hljs-ln-numbers><div data-line-number=1></div></td><td class=hljs-ln-code>let a = 1;</td></tr><tr><td class=hljs-ln-numbers></td><td class=hljs-ln-code>let b = 2;</td></tr></table></code></pre>",
        rust,
    );
    // Hexo: a figure whose class is the language.
    check_page(
        "<figure class=\"highlight rust\"><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span></pre></td><td class=code><pre><span class=line>let a = 1;</span><br><span class=line>let b = 2;</span></pre></td></tr></table></figure>",
        rust,
    );
    // Shiki in VitePress: a label, a button, line numbers at the side.
    check_page(
        "<div class=\"language-rust vp-adaptive-theme line-numbers-mode\"><button class=copy></button><span class=lang>rust</span><pre class=\"shiki\"><code><span class=line>let a = 1;</span>\n<span class=line>let b = 2;</span></code></pre><div class=line-numbers-wrapper aria-hidden=true><span class=line-number>1</span></div></div>",
        rust,
    );
    // Pandoc and Org specify the language in a bare class.
    check_page(
        "<div class=sourceCode><pre class=\"sourceCode rust\"><code>let a = 1;\nlet b = 2;</code></pre></div>",
        rust,
    );
    check_page(
        "<pre class=\"src src-rust\">let a = 1;\nlet b = 2;</pre>",
        rust,
    );
    check_page(
        "<div class=highlight-default><div class=highlight><pre>x</pre></div></div><pre>y</pre>",
        "```text\nx\n```\n\n```text\ny\n```",
    );
}

#[test]
fn boxes_with_notices_are_callouts() {
    let note = "> [!NOTE]\n> Text.";
    check_page(
        "<div class=\"admonition note\"><p class=admonition-title>Note</p><p>Text.</p></div>",
        note,
    );
    check_page(
        "<div class=\"markdown-alert markdown-alert-note\"><p class=markdown-alert-title><svg></svg>Note</p><p>Text.</p></div>",
        note,
    );
    check_page(
        "<div class=\"theme-admonition theme-admonition-note admonition_x alert alert--secondary\"><div class=\"admonitionHeading_Gvgb\"><span><svg></svg></span>note</div><div class=admonitionContent_z><p>Text.</p></div></div>",
        "> [!NOTE]\n>\n> Text.",
    );
    check_page(
        "<aside class=\"starlight-aside starlight-aside--note\"><p class=starlight-aside__title aria-hidden=true>Note</p><section><p>Text.</p></section></aside>",
        note,
    );
    check_page(
        "<div class=\"note custom-block\"><p class=custom-block-title>NOTE</p><p>Text.</p></div>",
        note,
    );
    check_page(
        "<div class=\"admonitionblock note\"><table><tr><td class=icon><div class=title>Note</div></td><td class=content>Text.</td></tr></table></div>",
        note,
    );
    check_page(
        "<div class=\"alert alert-warning\" role=alert>Text.</div>",
        "> [!WARNING]\n> Text.",
    );
    check_page(
        "<div class=\"admonition-own-words admonition\"><p class=admonition-title>Own words</p><p>Text.</p></div>after",
        "> [!NOTE]\n> **Own words**\n>\n> Text.\n\nafter",
    );
    check_page("<div class=alert>Text.</div>", "Text.");
}

#[test]
fn rule_25_typeset_formulas_become_tex() {
    let katex = "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>x</mi></mrow><annotation encoding=\"application/x-tex\">x^2</annotation></semantics></math></span><span class=katex-html aria-hidden=true>x2</span></span>";
    check_page(&format!("<p>a {katex} b"), "a $x^2$ b");
    check_page(
        &format!("<p>a</p><span class=katex-display>{katex}</span>"),
        "a\n\n$$\nx^2\n$$",
    );
    check_page(
        "<p>a <span class=\"math notranslate nohighlight\">\\(x^2\\)</span> b",
        "a $x^2$ b",
    );
    check_page(
        "<p>a <span class=MathJax>x2</span><script type=\"math/tex\">x^2</script> b",
        "a $x^2$ b",
    );
    check_page("<p>a <math><mi>x</mi></math>", "a x");
}

#[test]
fn boilerplate_of_generators_is_no_content() {
    check_page(
        "<nav class=theme-doc-breadcrumbs>Home</nav><ul class=breadcrumbs><li>Docs</ul><h2 id=a>A<a class=hash-link href=#a>#</a></h2><p>Text <a class=headerlink href=#x>¶</a></p><div class=toc><ul><li>A</ul></div><form>Search</form><button>Copy</button><div id=cookie-consent>We use cookies</div><div class=pagination-nav>Next</div>",
        "## A\n\nText",
    );
}

#[test]
fn the_readable_part_of_a_mere_body_is_found() {
    let links = |count: usize| {
        (0..count)
            .map(|at| format!("<li><a href=\"/{at}\">Page {at}</a></li>"))
            .collect::<String>()
    };
    let words = "Many words make a paragraph that somebody wants to read. ".repeat(8);
    let page = parse_page(&format!(
        "<title>T</title><body><div id=wrap><div class=top><a href=/>Logo</a></div><div><ul>{}</ul></div><div class=page><div class=text><p>{words}</p><ul><li><a href=/a>one</a><li>two words</ul></div><div class=extra><ul>{}</ul></div></div><div id=footer>© me</div></div><div class=cookie-banner>Accept</div>",
        links(12),
        links(6),
    ));
    let (_, markdown) = written(&page.document);
    assert!(
        markdown.contains("Many words") && markdown.contains("two words"),
        "{markdown}"
    );
    assert!(
        ["Page 3", "©", "Accept"]
            .iter()
            .all(|boilerplate| !markdown.contains(boilerplate)),
        "{markdown}"
    );
    // A page of nothing but links keeps them.
    let page = parse_page(&format!(
        "<title>T</title><body><div><ul>{}</ul></div>",
        links(12)
    ));
    assert!(written(&page.document).1.contains("Page 3"));
    let page = parse_page("<title>T</title><body><div role=main><p>In</div><p>out");
    assert_eq!(written(&page.document).1.trim(), "In");
}

#[test]
fn what_the_text_cites_is_no_menu() {
    let sources = "<div><ul><li><a id=s1></a>[1] <a href=https://a.example/>First book</a><li><a id=s2></a>[2] <a href=https://b.example/>Second book</a>\
                   <li><a href=https://c.example/>Third book</a><li><a href=https://d.example/>Fourth book</a></ul></div>";
    let menu = "<ul><li><a id=t1 href=#one>One</a><li><a id=t2 href=#two>Two</a><li><a href=/x>Three</a><li><a href=#four>Four</a></ul>";
    let text = "<p>A long text with words <a href=#s1>[1]</a> and more words than anything else on the page has <a href=#s2>[2]</a>, as it must be.</p>";
    let headings = "<h2 id=one><a href=#t1>One</a></h2><p>x</p><h2 id=two><a href=#t2>Two</a></h2>";
    let page = parse_page(&format!(
        "<title>T</title><body>{menu}<h1>T</h1>{text}{headings}{sources}"
    ));
    let text = page.document.plain_text();
    assert!(
        text.contains("Fourth book") && !text.contains("Four\n") && !text.contains("Three"),
        "{text}"
    );
}

#[test]
fn sidebars_of_docbook_and_footnotes_of_a_page_keep_their_places() {
    let sidebar = "<div class=sidebar><a id=sidebar.x></a><div class=titlepage><p class=title><strong>WORDS</strong></div><div class=para>Cache.</div></div>";
    let note = "<p>A text<sup id=fnref:1><a class=footnote-ref href=#fn:1>1</a></sup> with <a href=#sidebar.x>words</a> enough to be the page's own.</p>\
                <div class=footnotes><ol><li id=fn:1><p>Said below. <a href=#fnref:1>↩</a></p></ol></div>";
    let page = parse_page(&format!(
        "<title>T</title><body><div class=sidebar><ul><li><a href=/>Home</a></ul></div><h1>T</h1>{note}{sidebar}"
    ));
    assert!(!page.document.plain_text().contains("Home"));
    let code = parse_page(
        "<title>T</title><main><pre><span id=cb1-1>a</span> <span id=part.b><img src=1.png></span></pre><p>x <a href=#part.b>b</a></main>",
    );
    assert_eq!(code.document.ids(), ["part.b"]);
    for id in ["sidebar.x", "fn:1", "fnref:1"] {
        assert!(
            page.document.ids().contains(&id),
            "{id}: {:?}",
            page.document.ids()
        );
    }
}

#[test]
fn a_link_for_editing_is_no_text() {
    check_page(
        "<article><p>Text <a href=/b>b</a><p><a rel=edit href=/edit/a.md>Edit this page</a></article>",
        "Text [b](/b)",
    );
}
