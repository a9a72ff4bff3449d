use super::files::Named;
use super::*;
use crate::dialects::Evidence;
use crate::dialects::tags::{Reading, tokens};
use crate::syntax::markdown::literal::literals;

const NONE: Files<'_> = Files::new("a.md", &|_| Named::Missing);

fn check(text: &str, expected: &str, unknown: &[(&str, usize)]) {
    let kind = Kind::detect(&Evidence::default(), Some("obsidian"));
    let front = crate::syntax::front::split("---\nimage: /a b.png\ntitle: T\n---\n", "a.md").front;
    let translated = translate(text, false, false, &kind, &front, &NONE);
    assert_eq!(translated.text, expected, "{text}");
    assert_eq!(
        translated
            .unknown
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
            .collect::<Vec<_>>(),
        unknown,
        "{text}"
    );
    let lines = translated.text.matches('\n').count();
    assert_eq!(
        translated
            .lines
            .as_ref()
            .map_or(text.matches('\n').count(), |lines| lines.len() - 1),
        lines,
        "{text}"
    );
}

#[test]
fn rule_11_tags_of_callouts_become_callouts() {
    check(
        "{{< note >}}\na\n{{< /note >}}\nb",
        "> [!note]\n>\n> a\n\nb",
        &[],
    );
    check(
        "x {{% notice info \"T\" %}}a{{% /notice %}} b",
        "x \n\n> [!info] T\n>\n> a\n\nb",
        &[],
    );
    check(
        "{% callout type=\"info\" title=\"T\" %}\na\n{% endcallout %}",
        "> [!info] T\n>\n> a\n",
        &[],
    );
    check(
        "{% hint style=\"warning\" %}\n*a*\n\n- b\n{% endhint %}",
        "> [!warning]\n>\n> *a*\n>\n> - b\n",
        &[],
    );
    check(
        "{% callout type=\"check\" title=\"T\" %}\na\n{% /callout %}",
        "> [!check] T\n>\n> a\n",
        &[],
    );
    check(
        "{% note type=\"warning\" %}a{% endnote %}",
        "> [!warning]\n>\n> a\n",
        &[],
    );
    check(
        "{% note info My title %}a{% endnote %}",
        "> [!info] My title\n>\n> a\n",
        &[],
    );
    check("{% note \"some text\" %}", "> [!note]\n> some text", &[]);
    check(
        "{% note %}\n{% tip %}\na\n{% endtip %}\n{% endnote %}",
        "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>\n",
        &[],
    );
    check(
        "1. x\n   {{< tip >}}\n   a\n   {{< /tip >}}\n",
        "1. x\n\n   > [!tip]\n   >\n   > a\n\n",
        &[],
    );
}

#[test]
fn rule_12_details_tabs_and_buttons_keep_their_words() {
    check(
        "{{< details \"More\" >}}\na\n{{< /details >}}",
        "> [!details]- More\n>\n> a\n",
        &[],
    );
    check(
        "{{< tabs >}}\n{{< tab \"One\" >}}\na\n{{< /tab >}}\n{{< /tabs >}}",
        "\n**One:**\n\na\n\n",
        &[],
    );
    check(
        "{% tabs %}{% tab title=\"One\" %}a{% endtab %}{% endtabs %}",
        "\n\n**One:**\n\na\n\n\n\n",
        &[],
    );
    check(
        "{{< button href=\"/x y\" >}}Go{{< /button >}}",
        "[Go](/x%20y)",
        &[],
    );
    check(
        "{{< gist me 12 >}} {{< tweet user=\"a\" id=\"1\" >}}",
        "[Gist](https://gist.github.com/me/12) [Post on X](https://x.com/a/status/1)",
        &[],
    );
}

#[test]
fn rule_12_tags_of_common_themes() {
    check(
        "{{< tabs items=\"A, B\" >}}{{< tab >}}x{{< /tab >}}{{< tab >}}y{{< /tab >}}{{< /tabs >}}",
        "\n\n**A:**\n\nx\n\n\n\n**B:**\n\ny\n\n\n\n",
        &[],
    );
    check(
        "{{< tabpane lang=\"go\" >}}\n{{< tab header=\"A\" lang=\"js\" >}}\na({{ x }})\n\n  b\n{{< /tab >}}\n{{< /tabpane >}}",
        "\n**A:**\n\n```js\na({{ x }})\n\n  b\n```\n\n",
        &[],
    );
    check(
        "{{< tab name=\"B\" codelang=\"bash\" >}}\n# x\n{{< /tab >}}",
        "**B:**\n\n```bash\n# x\n```\n",
        &[],
    );
    check(
        "{{< details \"T\" open >}}a{{< /details >}}",
        "> [!details]+ T\n>\n> a\n",
        &[],
    );
    check(
        "{{< expand \"T\" \"...\" >}}a{{< /expand >}}",
        "> [!details]- T\n>\n> a\n",
        &[],
    );
    check(
        "## {{% heading \"whatsnext\" %}}\n{{< glossary_tooltip term_id=\"a-pod\" >}} {{< glossary_tooltip text=\"X\" term_id=\"y\" >}}",
        "## What’s next\na pod X",
        &[],
    );
    check(
        "{{< hextra/hero-button text=\"Go\" link=\"docs\" >}} {{< param title >}}",
        "[Go](docs) T",
        &[],
    );
    check(
        "{{< card title=\"T\" >}}\na\n{{< /card >}}",
        "**T:**\n\na\n",
        &[],
    );
    check(
        "{{< cards >}}\n{{< card link=\"/x\" title=\"X\" >}}\n{{< /cards >}}",
        "\n[X](/x)\n",
        &[],
    );
    check(
        "a {{< icon \"x\" >}}{{< badge content=\"New\" >}} {{< pdf \"/a.pdf\" >}}",
        "a New [PDF](/a.pdf)",
        &[],
    );
    check(
        "{% include embed/youtube.html id='abc' %}",
        "<iframe src=\"https://www.youtube-nocookie.com/embed/abc\" title=\"Video on YouTube\"></iframe>",
        &[],
    );
    check(
        "{% include note.html content=\"Some *text*\" %}{% include toc %}",
        "> [!note]\n> Some *text*\n\n",
        &[],
    );
}

#[test]
fn rule_11_callouts_inside_html_keep_their_box() {
    check(
        "<div>\n{{< note \"T\" >}}\na\n{{< /note >}}\n</div>",
        "<div>\n<div class=\"callout callout-note\"><p class=\"callout-title\">T</p>\na\n</div>\n</div>",
        &[],
    );
}

#[test]
fn rule_19_components_keep_their_words() {
    let check = |text: &str, expected: &str| {
        let kind = Kind::detect(&Evidence::default(), Some("docusaurus"));
        assert_eq!(
            translate(text, false, true, &kind, &Front::default(), &NONE).text,
            expected,
            "{text}"
        );
    };
    check(
        "<Callout type=\"info\">\na\n</Callout>",
        "> [!info]\n>\n> a\n",
    );
    check(
        "<Tabs>\n<TabItem value=\"x\" label=\"One\">\na\n</TabItem>\n</Tabs>",
        "\n**One:**\n\na\n\n",
    );
    check("<LinkCard title=\"T\" href=\"/x\" />", "[T](/x)");
    check(
        "<Step title=\"Do\" />\n\n<Odd title=\"T\">a</Odd>",
        "**Do:**\n\n**T:**\n\na",
    );
    check("a <Tooltip title=\"T\">b</Tooltip> c", "a b c");
    check("a <Badge text=\"New\" />", "a New");
    check("<Image src=\"a.png\" alt={\"A\"} />", "![A](a.png)");
}

#[test]
fn rule_12_films_become_embeds() {
    let film = "<iframe src=\"https://www.youtube-nocookie.com/embed/abc_1\" title=\"Video on YouTube\"></iframe>";
    check("{{< youtube abc_1 >}}", film, &[]);
    check(
        "a\n{% youtube https://www.youtube.com/watch?v=abc_1&t=3 %}\nb",
        &format!("a\n\n{film}\n\nb"),
        &[],
    );
    check(
        "{{< youtube id=\"abc_1\" title=\"T\" >}}",
        &film.replace("Video on YouTube", "T"),
        &[],
    );
    check("{{< youtube \"a b\" >}}", "", &[("youtube", 1)]);
}

#[test]
fn rule_12_common_tags_are_translated() {
    check(
        r#"{% image "a/b.png" "An [alt]" %}"#,
        r"![An \[alt\]](a/b.png)",
        &[],
    );
    check(
        r#"{% image_with_class "a.png" "wide" "Alt" %}"#,
        "![Alt](a.png)",
        &[],
    );
    check(
        r#"{% include figure.html src="/x y.png" alt="A" caption="C" %}"#,
        r#"![A](/x%20y.png "C")"#,
        &[],
    );
    check(
        r#"[a]({{ "/x/" | url }}) {{ image | url }} {{ page.title }}"#,
        "[a](/x/) /a%20b.png T",
        &[],
    );
    check(
        r#"<img src="{{ site.baseurl }}/a.png"> {{site.url}}/b"#,
        r#"<img src="/a.png"> /b"#,
        &[],
    );
    check(
        "[a]({% link _posts/a b.md %}) [b]({% post_url 2015-03-19-x %})",
        "[a](/_posts/a%20b.md) [b](post_url:2015-03-19-x)",
        &[],
    );
    check(
        r#"{{< figure src="a.png" alt="A" >}} [x]({{< ref "b.md#c" >}}) [y]({{% relref "d" %}})"#,
        "![A](a.png) [x](ref:b.md#c) [y](ref:d)",
        &[],
    );
    check(
        "a{% comment %} secret {{ x }} `{{ y }}` {% endcomment %}b",
        "ab",
        &[],
    );
    check(
        "{% raw %}{{ a }} and {% b %}{% endraw %}",
        "`{{ a }}` and `{% b %}`",
        &[],
    );
    check(
        "a\n\n{{< code-toggle config=x />}}\n\n# b\n\n{{< code-toggle file=y >}}\n[[menu]]\n{{< /code-toggle >}}",
        "a\n\n\n\n# b\n\n```\n[[menu]]\n```",
        &[("code-toggle", 1)],
    );
    check(
        "{% highlight \"js\" %}\na\n{% endhighlight %}\n{% highlight 'js', 1 %}\nb\n{% endhighlight %}",
        "```js\na\n```\n```js\nb\n```",
        &[],
    );
    check(
        "{% highlight ruby linenos %}\n{{ a }} ```\n{% endhighlight %}",
        "````ruby\n{{ a }} ```\n````",
        &[],
    );
    check(
        "{% code title=\"x\" %}\n```js\n{{ a }}\n```\n{% endcode %}",
        "**x:**\n\n```js\n{{ a }}\n```\n",
        &[],
    );
    check(
        "{% codeblock lang:js a.js %}\n{{ a }}\n{% endcodeblock %}",
        "```js\n{{ a }}\n```",
        &[],
    );
    check(
        "{{</* note */>}} {{ \"{{ x }}\" }}",
        "`{{< note >}}` `{{ x }}`",
        &[],
    );
}

#[test]
fn rule_51_words_of_cards_and_quotations_stay() {
    for (text, expected) in [
        (
            "{{< card link=\"/a\" title=\"A\" tag=\"new\" subtitle=\"Some words\" >}}",
            "[A](/a)\n\nSome words\n\nnew",
        ),
        (
            "{{< quote author=\"Ada\" source=\"Notes\" url=\"https://e.org\" >}}\na\n{{< /quote >}}",
            "> [!quote] Ada, Notes\n>\n> a\n",
        ),
    ] {
        check(text, expected, &[]);
    }
}

#[test]
fn rule_5_tags_mark_lines_as_fences_do() {
    for (open, expected) in [
        (
            "{{< highlight go \"linenos=table,hl_lines=8 15-17,linenostart=2\" >}}",
            "```go hl_lines=\"8 15-17\"",
        ),
        (
            "{{< highlight go \"hl_lines=[1,\\\"3-4\\\"]\" >}}",
            "```go hl_lines=\"1 3-4\"",
        ),
        (
            "{{< highlight go hl_lines=\"2 4\" linenos=inline >}}",
            "```go hl_lines=\"2 4\"",
        ),
        ("{{< highlight go \"linenos=table\" >}}", "```go"),
    ] {
        let text = format!("{open}\nx\n{{{{< /highlight >}}}}");
        check(&text, &format!("{expected}\nx\n```"), &[]);
    }
    for (open, end, expected) in [
        (
            "{% highlight ruby mark_lines=\"1 2\" %}",
            "{% endhighlight %}",
            "```ruby hl_lines=\"1 2\"",
        ),
        (
            "{% codeblock lang:js mark:1,4-7 %}",
            "{% endcodeblock %}",
            "```js hl_lines=\"1 4-7\"",
        ),
    ] {
        check(
            &format!("{open}\nx\n{end}"),
            &format!("{expected}\nx\n```"),
            &[],
        );
    }
}

#[test]
fn rule_11_blocks_without_a_rule_are_counted_and_their_text_stays() {
    check(":::mystery\na\n:::", "\na\n", &[(":::mystery", 1)]);
    check(
        "::: riddle Title\n:::note\na\n:::\n:::",
        "**Title:**\n\n> [!note]\n>\n> a\n\n",
        &[(":::riddle", 1)],
    );
    for known in [":::row\na\n:::", ":::tip\na\n:::", "::: {.lead}\na\n:::"] {
        let kind = Kind::detect(&Evidence::default(), None);
        let files = Files::new("a.md", &|_| Named::Missing);
        let found = translate(known, false, false, &kind, &Front::default(), &files);
        assert!(found.unknown.is_empty(), "{known}");
    }
}

#[test]
fn rule_12_unknown_tags_go_and_their_text_stays() {
    check("{% if a %}yes{% else %}no{% endif %}", "yes", &[("if", 1)]);
    check(
        r#"{{ "maya" | team_photo }}{{ x.y }}{{< odd >}}text{{< /odd >}}"#,
        "text",
        &[("odd", 1), ("team_photo", 1), ("x.y", 1)],
    );
    check("a %%private%% b {# gone #}", "a  b ", &[]);
    check("a\n{% include\n  x %}\nb", "a\n\n\nb", &[("include x", 1)]);
}

#[test]
fn rule_26_a_comment_on_its_own_line_that_nothing_ends_hides_the_rest() {
    let kind = Kind::detect(&Evidence::default(), Some("obsidian"));
    let rest = |text: &str| {
        let translated = translate(text, false, false, &kind, &Front::default(), &NONE);
        translated.text.trim_end().to_owned()
    };
    assert_eq!(rest("a\n\n%%\nsecret\n\nsecret\n"), "a");
    assert_eq!(rest("a\n\n%%\nb\n%%\nc\n  %%  \nsecret\n"), "a\n\n\n\n\nc");
    assert_eq!(rest("%%\n`secret`"), "");
    for text in ["a\n\n100 %%\nb", "%% b\n\nc", "```\n%%\n```\nb", "a %%"] {
        assert_eq!(rest(text), text, "{text}");
    }
}

#[test]
fn rule_6_braces_in_code_stay() {
    for text in [
        "`{{ a }}` `%%b%%`\n\n    {% c %}\n\n```\n{% raw %}{{ d }}\n```\n",
        "````\n```\n{{ x }}\n```\n````\n",
        "```\n{{ unclosed\n}}",
        "<pre>{{ x }}</pre>",
    ] {
        check(text, text, &[]);
    }
}

#[test]
fn blocks_of_html_stay_whole() {
    check(
        "<div>\n{% include x %}\n    <p>{{ \"/a\" | url }}</p>\n</div>",
        "<div>\n<!---->\n    <p>/a</p>\n</div>",
        &[("include x", 1)],
    );
    check(
        "<figure>\n{% image \"a.png\" \"A \\\"q\\\"\" %}\n</figure>",
        "<figure>\n<img src=\"a.png\" alt=\"A \\\">\n</figure>",
        &[],
    );
}

/// Tags without a line break between them: the end of the line is not searched for at each tag.
#[test]
fn thousands_of_tags_on_one_line_are_walked_once() {
    for tag in [
        "{% a %}",
        "{{< a >}}",
        "{% raw %}",
        "{% note %}",
        "<b>{% a %}",
        "{% highlight x %}y{% endhighlight %}",
        " {% a %} {{< /a >}}",
    ] {
        let kind = Kind::detect(&Evidence::default(), Some("obsidian"));
        let text = tag.repeat(200_000 / tag.len());
        assert!(
            translate(&text, false, false, &kind, &Front::default(), &NONE)
                .text
                .len()
                < text.len() * 4
        );
    }
}

proptest::proptest! {
    #[test]
    fn no_tag_is_left_outside_code(text in "([a{}%#< \"'`|\n-]|raw|endraw|comment|highlight|end| image |note|tab|youtube x|>|/|:::){0,40}") {
        let kind = Kind::detect(&Evidence::default(), Some("obsidian"));
        let translated = translate(&text, false, false, &kind, &Front::default(), &NONE);
        let left = tokens(&translated.text, &literals(&translated.text), Reading { percent: true, liquid: false });
        proptest::prop_assert!(left.is_empty(), "{:?} in {:?}", left, translated.text);
    }
}
