//! Generators that publish of their folder of texts only Markdown and what a text shows.

use super::scope::{canaries, published};

/// A folder of texts with files that are shown, and those that are not.
fn check_bundled(config: (&str, &str), folder: &str, shown: &[&str]) {
    let text =
        "# A\n\nwords ![](p.png) [d](d.pdf)\n\n```js\nFileAttachment(\"e.csv\").csv()\n```\n";
    let at = |name: &str| format!("{folder}/{name}");
    let all = ["a.md", "p.png", "d.pdf", "e.csv"].map(at);
    let [a, p, d, e] = all.each_ref().map(String::as_str);
    let secret = ["page.html", "unused.pdf", "raw.csv", "notes.txt", "q.png"].map(at);
    let secret: Vec<&str> = secret.iter().map(String::as_str).collect();
    let public = [config, (a, text), (p, "x"), (d, "x")];
    let (public, secret) = match shown.contains(&"e.csv") {
        true => ([&public[..], &[(e, "x")]].concat(), secret),
        false => (public.to_vec(), [&secret[..], &[e]].concat()),
    };
    let library = canaries(&public, &secret);
    let texts: Vec<&str> = library.files.iter().map(|file| &*file.source).collect();
    let mut expected: Vec<String> = shown.iter().map(|name| at(name)).collect();
    expected.sort();
    assert_eq!(texts, expected, "{config:?}");
    assert_eq!(published(&library).len(), shown.len() + 1);
}

#[test]
fn rule_26_files_beside_texts_are_published_where_a_text_shows_them() {
    let shown = ["p.png", "d.pdf"];
    let gatsby = "module.exports = { plugins: [{ resolve: 'gatsby-source-filesystem', options: { path: './content/blog' } }] };";
    for (config, folder) in [
        (("docs/.vuepress/config.js", "module.exports = {}"), "docs"),
        (("rspress.config.ts", "export default {}"), "docs"),
        (
            (
                "nuxt.config.ts",
                "export default { modules: ['@nuxt/content'] }",
            ),
            "content",
        ),
        (("gatsby-config.js", gatsby), "content/blog"),
    ] {
        check_bundled(config, folder, &shown);
    }
    let config = ("observablehq.config.js", "export default {}");
    check_bundled(config, "src", &["p.png", "d.pdf", "e.csv"]);
}
