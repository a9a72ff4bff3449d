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
