//! Conditions of templates that the configuration, data and the path of a text decide.

use super::inherited::words;

const CONFIG: &str = "title: T\nbeta: false\nnames: [a, b]\nzero: 0\ndeep: {x: {y: false}}\ncollections: {notes: {output: true}}\n";

/// What a Jekyll site shows at a path where a condition decides.
fn of_jekyll(config: &str, path: &str, condition: &str) -> String {
    let text = format!(
        "---\ntags: [x]\noff: false\n---\na {{% {condition} %}}b{{% else %}}c{{% endif %}}."
    );
    let status = "open: 0\nstate: closed\nlist: [one]\nnone: []\n";
    words(&[
        ("_config.yml", config),
        ("_data/status.yml", status),
        ("_data/arr.yml", "# A list\n- a\n"),
        ("_data/empty.yml", "# Nothing\n"),
        ("_data/table.csv", "a,b\n"),
        ("_data/sub/more.json", "{\"a\": 1}"),
        (path, &text),
    ])
    .0
}

#[test]
fn rule_26_conditions_of_jekyll_are_decided_by_lists_data_and_the_path() {
    const POST: &str = "_posts/2020-01-01-a.md";
    for (condition, shown) in [
        ("if site[\"beta\"]", "a c."),
        ("if site['deep']['x'].y", "a c."),
        ("if site.names contains \"z\"", "a c."),
        ("if site.names contains \"a\"", "a b."),
        ("if site.names.size > 5", "a c."),
        ("if site.names.first == \"z\"", "a c."),
        ("if site.names.last == \"b\"", "a b."),
        ("if site.names[0] == \"a\"", "a b."),
        ("if site.names[9]", "a c."),
        ("if page.tags contains \"z\"", "a c."),
        ("if page.tags[0] == \"x\"", "a b."),
        ("if site.zero", "a b."),
        ("if site.zero > 0", "a c."),
        ("if site.data.status.state == \"open\"", "a c."),
        ("if site.data[\"status\"].state == \"closed\"", "a b."),
        ("if site.data.status.open > 0", "a c."),
        ("if site.data.status.list.size == 5", "a c."),
        ("if site.data.status.none.size > 0", "a c."),
        ("if site.data.status.none != empty", "a c."),
        ("if site.limit_posts > 0", "a c."),
        ("assign n = page.tags | size %}{% if n > 4", "a c."),
        (
            "assign n = site.names | size | plus: 1 %}{% if n == 3",
            "a b.",
        ),
        ("if site.data.arr contains \"z\"", "a c."),
        ("if site.data.empty", "a c."),
        ("if site.data.absent", "a c."),
        ("if site.data.absent.key", "a c."),
        ("if site.show_drafts or site.future or site.serving", "a c."),
        ("if page.path contains \"_drafts\"", "a c."),
        ("if page.path contains \"_posts/\"", "a b."),
        ("if page.collection == \"posts\"", "a b."),
        (
            "assign show = page.off | default: false %}{% if show",
            "a c.",
        ),
        (
            "assign show = page.none | default: false %}{% if show",
            "a c.",
        ),
        // What is not known leaves the first branch.
        ("if site.data.table.a", "a b."),
        ("if site.data.sub.absent", "a b."),
        ("if site.names[page.off]", "a b."),
        (
            "assign show = page.url | default: false %}{% if show",
            "a b.",
        ),
    ] {
        assert_eq!(of_jekyll(CONFIG, POST, condition), shown, "{condition}");
    }
    let future = format!("{CONFIG}future: true\ntheme: x\n");
    for (config, path, condition, shown) in [
        (
            CONFIG,
            "_notes/a.md",
            "if page.collection == \"notes\"",
            "a b.",
        ),
        (&*future, POST, "if site.future", "a b."),
        (&*future, POST, "if site.data.absent", "a b."),
    ] {
        assert_eq!(of_jekyll(config, path, condition), shown, "{condition}");
    }
}

/// What an Eleventy site shows where a condition decides.
fn of_eleventy(config: &str, front: &str, condition: &str) -> String {
    let text = format!("---\n{front}\n---\na {{% if {condition} %}}b{{% else %}}c{{% endif %}}.");
    words(&[
        ("eleventy.config.js", config),
        (
            "_data/site.json",
            "{\"n\": 0, \"s\": \"no\", \"list\": [\"a\"], \"e\": \"\"}",
        ),
        (
            "_data/flags.js",
            "export default { beta: false, live: true };",
        ),
        (
            "_data/made.js",
            "export default async () => ({ beta: false });",
        ),
        (
            "_data/unread.js",
            "let beta = false;\nbeta = f();\nexport default { beta };",
        ),
        ("_data/table.csv", "a,b\n"),
        ("_includes/l.njk", "---\nof_layout: 1\n---\n"),
        ("posts/posts.json", "{ \"section\": \"guides\" }"),
        (
            "posts/posts.11tydata.js",
            "export default { eleventyComputed: { later: (data) => 1 } };",
        ),
        ("a.md", &text),
    ])
    .0
}

#[test]
fn rule_26_a_name_that_nothing_in_eleventy_defines_has_no_value() {
    const PLAIN: &str = "export default (c) => { c.addGlobalData('beta', false); c.addGlobalData('made_up', () => f()); c.addGlobalData('live', () => true); c.addGlobalData('deep.x', false); };";
    for (condition, shown) in [
        ("wip", "a c."),
        ("wip.x", "a c."),
        ("beta", "a c."),
        ("live", "a b."),
        ("deep.x", "a c."),
        ("own", "a b."),
        ("site.nokey", "a c."),
        ("site.s == \"yes\"", "a c."),
        ("flags.beta", "a c."),
        ("flags.live", "a b."),
        ("flags.other", "a c."),
        ("made.beta", "a c."),
        ("other.x", "a c."),
        ("eleventy.env.runMode == \"serve\"", "a c."),
        ("page.fileSlug == \"x\"", "a c."),
        ("page.fileSlug == \"a\"", "a b."),
        // What is not known leaves the first branch.
        ("made_up", "a b."),
        ("unread.beta", "a b."),
        ("table", "a b."),
        ("of_layout", "a b."),
        ("section == \"guides\"", "a b."),
        ("later", "a b."),
        ("collections.x", "a b."),
        ("page.url == \"/x/\"", "a b."),
        ("eleventy.env.source", "a b."),
    ] {
        assert_eq!(
            of_eleventy(PLAIN, "own: 1", condition),
            shown,
            "{condition}"
        );
    }
    for (config, front, condition, shown) in [
        ("", "own: 1", "site.n", "a b."),
        ("", "own: 1", "site.e", "a b."),
        ("", "pagination: {data: x, alias: wip}", "wip", "a b."),
        ("", "eleventyComputed: {wip: x}", "wip", "a b."),
        ("", "templateEngineOverride: njk,md", "wip", "a b."),
        (
            "export default (c) => { for (const k of all) c.addGlobalData(k, 1) }",
            "own: 1",
            "wip",
            "a b.",
        ),
        (
            "export const config = { markdownTemplateEngine: 'ejs' };",
            "own: 1",
            "wip",
            "a b.",
        ),
    ] {
        assert_eq!(
            of_eleventy(config, front, condition),
            shown,
            "{config} {front}: {condition}"
        );
    }
    const NUNJUCKS: &str = "export default (c) => { c.addNunjucksGlobal('globe', 1); return { markdownTemplateEngine: 'njk' }; };";
    for (condition, shown) in [
        ("site.n", "a c."),
        ("site.n == 0", "a b."),
        ("site.e", "a c."),
        ("\"z\" in site.list", "a c."),
        ("\"a\" in site.list", "a b."),
        ("site.list.length > 3", "a c."),
        ("wip is defined", "a c."),
        ("globe", "a b."),
        ("page.fileSlug == \"x\"", "a c."),
        ("page.url == \"/x/\"", "a b."),
    ] {
        assert_eq!(
            of_eleventy(NUNJUCKS, "own: 1", condition),
            shown,
            "{condition}"
        );
    }
}

#[test]
fn rule_26_markdown_of_eleventy_without_an_engine_shows_its_tags() {
    let config = "export const config = { markdownTemplateEngine: false };";
    assert_eq!(
        of_eleventy(config, "own: 1", "wip"),
        "a &#123;% if wip %}b&#123;% else %}c&#123;% endif %}."
    );
    let front = "templateEngineOverride: njk,md\nwip: false";
    assert_eq!(of_eleventy(config, front, "wip"), "a c.");
}

#[test]
fn rule_12_code_of_a_site_shows_only_what_its_program_leaves() {
    const TEXT: &str = "```yaml\nkey: {% if site.beta %}SECRET{% endif %}1\n{% comment %}SECRET{% endcomment %}\n```\n\n`{% comment %}SECRET{% endcomment %}x`\n\n{% highlight yaml %}\na {% if site.beta %}SECRET{% endif %}\n{% endhighlight %}\n\n<pre>b{% comment %}SECRET{% endcomment %}</pre>\n\n{% raw %}`{% comment %}shown{% endcomment %}`{% endraw %}\n";
    let of = |config: (&str, &str), path: &str, text: &str| {
        words(&[
            config,
            ("_data/site.json", "{\"beta\": false}"),
            (path, text),
        ])
        .0
    };
    let jekyll = ("_config.yml", "title: T\nbeta: false\n");
    let eleventy = ("eleventy.config.js", "");
    for (config, path) in [(jekyll, "_posts/2020-01-01-a.md"), (eleventy, "a.md")] {
        let shown = of(config, path, TEXT);
        assert!(!shown.contains("SECRET"), "{shown}");
        assert!(
            shown.contains("{% comment %}shown{% endcomment %}"),
            "{shown}"
        );
        assert!(shown.contains("key: 1"), "{shown}");
    }
    let nunjucks = "export const config = { markdownTemplateEngine: 'njk' };";
    let text = "`a{# SECRET #}{% if wip %}SECRET{% endif %}`";
    assert_eq!(of(("eleventy.config.js", nunjucks), "a.md", text), "`a`");
    let off = "export const config = { markdownTemplateEngine: false };";
    assert_eq!(of(("eleventy.config.js", off), "a.md", text), text);
}
