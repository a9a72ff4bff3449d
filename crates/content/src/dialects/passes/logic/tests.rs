use std::collections::BTreeSet;

use super::*;
use crate::dialects::config::SiteValue;
use crate::dialects::passes::page::testing::on_page;
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
use crate::syntax::front::split;

fn rewritten(text: &str) -> (Lines, BTreeMap<String, usize>) {
    let front = crate::syntax::front::split("---\ntitle: T\n---\n", "a.md").front;
    let mut lines = Lines::new(text);
    let undecided = on_page(Some("jekyll"), &front, |page| rewrite(&mut lines, page));
    (lines, undecided)
}

fn check(text: &str, expected: &str) {
    assert_eq!(rewritten(text).0.text, expected, "{text}");
}

#[test]
fn rule_53_literals_are_filled_in() {
    check(
        "{% assign base = \"/docs\" %}[x]({{ base }}/y) `{{ base }}` {{ base | append: '/z' }}",
        "[x](/docs/y) `{{ base }}` /docs/z",
    );
    check(
        "{{ site.x | default: \"d\" }} {{ site.y }} {{ page.title }}",
        "d {{ site.y }} T",
    );
    check("{% capture x %}a *b*{% endcapture %}\n{{ x }}", "\na *b*");
    check("{% set a = 'b' %}{{ a }}", "b");
    check(
        "{%- set c %}{% raw %}\n  <a>{{ b }}\n\n{% c %}\n{% endraw %}{%- endset %}\n{{ c | highlight(\"html\") | safe }}",
        "\n<pre><code class=\"language-html\">  &lt;a>&#123;&#123; b }}&#10;&#10;&#123;&#37; c &#37;}</code></pre>",
    );
    check(
        "{% set c %}a {{ b }}{% endset %}{{ c | highlight('x\"y') | safe }} {{ c }}",
        "<pre><code class=\"language-xy\">a &#123;&#123; b }}</code></pre> {{ c }}",
    );
    check(
        "{% raw %}{{ page.title }}{% endraw %}",
        "{% raw %}{{ page.title }}{% endraw %}",
    );
}

#[test]
fn rule_53_one_branch_stays() {
    check(
        "a {% if page.title == 'T' %}b{% else %}c{% endif %} d",
        "a b d",
    );
    check("a {% if page.none %}b{% else %}c{% endif %} d", "a c d");
    check(
        "a {% if page.none %}b{% elsif page.title %}c{% else %}x{% endif %} d",
        "a c d",
    );
    check(
        "a {% if site.x %}b{% elsif site.y %}x{% else %}c{% endif %} d",
        "a b d",
    );
    check("{% unless site.x %}a{% endunless %}", "a");
    check("{% unless page.title %}a{% endunless %}", "");
    check(
        "{% case page.title %}{% when 'A' %}a{% when 'T' %}b{% else %}c{% endcase %}",
        "b",
    );
    check(
        "{% case site.x %}{% when 'A' %}a{% when 'T' %}b{% endcase %}",
        "a",
    );
    check(
        "{% if page.none %}x{% if page.title %}x{% else %}x{% endif %}x{% else %}y{% endif %}z",
        "yz",
    );
    check("{% if a %}\n\n[x]: /y\n{% endif %}", "\n\n[x]: /y\n");
    check("{% if a %} b", "{% if a %} b");
    assert_eq!(
        rewritten("{% if a %}{% endif %}{% if page.title %}{% endif %}").1,
        BTreeMap::from([("if".to_owned(), 1)])
    );
}

#[test]
fn rule_53_a_loop_shows_what_never_changes() {
    check(
        "a {% for x in site.y %}<li>{{ x.z }}</li>{% endfor %} b",
        "a  b",
    );
    check("a {% for x in site.y %}c{% else %}d{% endfor %} b", "a c b");
}

#[test]
fn a_line_of_logic_goes_from_a_block_of_html() {
    check(
        "<div>\n{% if page.title %}\n<p>a</p>\n{% endif %}\n</div>\n",
        "<div>\n<p>a</p>\n</div>\n",
    );
    check(
        "<div>\n{%- set c %}\na\n{%- endset %}\n\t{{ c | highlight(\"x\") | safe }}\n\t<p>b</p>\n</div>\n",
        "<div>\n\t<pre><code class=\"language-x\">a</code></pre>\n\t<p>b</p>\n</div>\n",
    );
}

#[test]
fn rule_53_a_branch_is_dropped_however_many_tags_it_holds() {
    for inner in ["{% link index.md %}", "{% embed url=\"https://a.b/c\" %}"] {
        let inner = inner.repeat(200);
        check(
            &format!("a{{% if false %}}{inner}SECRET{{% endif %}}b"),
            "ab",
        );
        check(
            &format!("a{{% if false %}}{inner}{{% endembed %}}SECRET{{% endif %}}b"),
            "ab",
        );
    }
}

#[test]
fn a_hostile_text_is_bounded() {
    for text in [
        "{% if a %}".repeat(20_000),
        "{% assign a = 'b' %}{{ a }}".repeat(5_000),
        "{% for a in b %}{{ a }}".repeat(5_000),
    ] {
        assert!(rewritten(&text).0.text.len() <= text.len());
    }
    let grown = format!(
        "{{% assign a = '{}' %}}{}",
        "b".repeat(2_000),
        "{{ a }}".repeat(10_000)
    );
    assert!(rewritten(&grown).0.text.len() < 3 * MOST_GROWTH);
}

proptest::proptest! {
    #[test]
    fn no_logic_panics(text in "(\\{% (if a|if page.title|else|elsif b|endif|case a|when 'b'|endcase|for a in b|endfor|capture a|endcapture|assign a = 'b'|raw|endraw) %\\}|\\{\\{ a \\}\\}|é|\n|<div>| |`){0,30}") {
        let (lines, _) = rewritten(&text);
        proptest::prop_assert!(lines.come_from(&text));
    }
}

#[test]
fn contract_6_nothing_is_shown_that_depends_on_a_visitor_in_an_unknown_way() {
    for condition in [
        "if !(visitor.claims.unsigned.paid)",
        "if ![\"a\"].includes(visitor.claims.plan)",
        "unless visitor.claims.a && (page.title || page.title)",
        "if visitor.claims.a && (page.title || page.title || page.title)",
        "if visitor[\"claims\"].paid",
    ] {
        let (name, _) = condition.split_once(' ').unwrap();
        check(
            &format!(
                "{{% {condition} %}}ONE{{% elsif page.title %}}TWO{{% else %}}THREE{{% end{name} %}}"
            ),
            "",
        );
    }
    check(
        "{% if visitor.claims.a %}ONE{% else %}two{% endif %}",
        "two",
    );
}

fn site() -> BTreeMap<String, SiteValue> {
    let text = |text: &str| SiteValue::Text(text.to_owned());
    [
        ("author", SiteValue::Map),
        ("author.email", text("a@example.org")),
        ("beta", SiteValue::Nil),
        ("collections", SiteValue::Map),
        ("collections.notes", SiteValue::Map),
        ("links", SiteValue::Unread),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

#[test]
fn rule_53_values_of_the_site_are_known() {
    let (front, site) = (Front::default(), site());
    let values = Values::new(Names::open(&front, &site));
    let known = Value::Text("a@example.org".to_owned());
    assert_eq!(values.expression("site.author.email | escape"), known);
    assert_eq!(values.expression("site.b"), Value::Unknown);
    assert_eq!(values.holds("site.author.email and site.b"), None);
}

#[test]
fn rule_53_a_name_that_a_site_gives_no_value_is_nil_where_nothing_else_may_give_it_one() {
    let front = split("---\nn: 2\nmeta:\n  a: 1\n---\n", "a.md").front;
    let site = site();
    static KIND: TemplateNames = TemplateNames {
        of_site: &["data", "github", "time"],
        objects: &["jekyll", "site"],
        language: TemplateLanguage::Liquid,
        of_page: None,
    };
    let given = BTreeSet::from(["x"]);
    let values = Values::new(Names::closed(&front, &site, &KIND, given));
    for (condition, expected) in [
        ("site.beta", Some(false)),
        ("site.absent", Some(false)),
        ("site.absent.key", Some(false)),
        ("site.author", Some(true)),
        ("site.author.name", Some(false)),
        ("site.links", Some(true)),
        ("site.links.a", None),
        ("site.links.size > 0", None),
        ("site.notes", None),
        ("site.data.team", None),
        ("site.github.url", None),
        ("site.time", None),
        ("site['absent']", Some(false)),
        (
            "site['author']['name'] or site[\"absent\"].key",
            Some(false),
        ),
        ("site[y]", None),
        ("site['a b']", None),
        ("page.meta.a", Some(true)),
        ("page.meta.b", Some(false)),
        ("page.a.b", Some(false)),
        ("page.n > 3", Some(false)),
        ("page.url contains 'a'", None),
        ("page.date.year", None),
        ("x", None),
        ("x.y", None),
        ("y", Some(false)),
        ("include.x", Some(false)),
        ("jekyll.environment == 'production'", None),
        ("site", None),
    ] {
        assert_eq!(values.holds(condition), expected, "{condition}");
    }
}

#[test]
fn contract_6_variables_of_markdoc_have_no_value_that_is_not_given() {
    check("{% if $beta %}x{% else /%}b{% /if %}", "b");
    check(
        "{% if $beta %}x{% else $other /%}x{% else /%}b{% /if %}",
        "b",
    );
    check("{% if $frontmatter.title %}b{% else /%}x{% /if %}", "b");
    check("{% if $markdoc.frontmatter.none %}x{% /if %}b", "b");
    check("{% if not $beta %}b{% /if %}", "b");
    check("{% if and($a, $b) %}x{% else /%}x{% /if %}b", "b");
    check("{% if equals($flag, \"on\") %}x{% /if %}b", "b");
    let lines = rewritten("{% if and($a, $b) %}x{% /if %}b").0;
    assert_eq!(lines.remarks.len(), 1);
}
