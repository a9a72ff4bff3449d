//! Sites of Mintlify: what is published and listed, and in which order.

use super::jupyterbook::shown;
use super::order::drawn;
use super::*;

const SCHEMA: &str = "https://mintlify.com/docs.json";

fn site(config: &str, texts: &[(&str, &str)]) -> Library {
    let config = format!("{{\"$schema\": \"{SCHEMA}\", \"name\": \"Boats\", {config}}}");
    build(&[&[("docs.json", config.as_str())], texts].concat())
}

#[test]
fn a_site_of_mintlify_leaves_out_what_its_program_does() {
    let library = site(
        "\"navigation\": {\"pages\": [\"index\", \"guides/sails\", \"guides/readme\", \"build/agent\"]}",
        &[
            (
                ".mintignore",
                "# notes\ndrafts/\n*.draft.mdx\nclaude.md\n!drafts/kept.mdx\nwip[0-9].mdx\nold/*\n!old/kept.mdx\n",
            ),
            ("index.mdx", "---\ntitle: Home\n---\n\nText.\n"),
            (
                "guides/sails.mdx",
                "---\ntitle: Sails\n---\n\nimport Rule from '/snippets/rule.mdx';\n\n<Rule />\n",
            ),
            (
                "guides/crew.mdx",
                "---\ntitle: Crew\ngroups: ['admin']\n---\n\nSecret.\n",
            ),
            (
                "guides/none.mdx",
                "---\ntitle: None\ngroups: []\n---\n\nSecret.\n",
            ),
            ("guides/all.mdx", "---\ntitle: All\ngroups:\n---\n\nText.\n"),
            ("guides/README.md", "---\ntitle: About\n---\n\nSecret.\n"),
            ("guides/readme.mdx", "---\ntitle: Read\n---\n\nText.\n"),
            ("guides/new.draft.mdx", "---\ntitle: New\n---\n\nSecret.\n"),
            ("drafts/plan.mdx", "---\ntitle: Plan\n---\n\nSecret.\n"),
            ("drafts/kept.mdx", "---\ntitle: Kept\n---\n\nSecret.\n"),
            ("old/a.mdx", "---\ntitle: A\n---\n\nSecret.\n"),
            ("old/kept.mdx", "---\ntitle: Kept\n---\n\nText.\n"),
            ("wip1.mdx", "---\ntitle: W\n---\n\nSecret.\n"),
            ("contribute.md", "---\ntitle: C\n---\n\nSecret.\n"),
            ("tmp/a.mdx", "---\ntitle: A\n---\n\nSecret.\n"),
            ("build/agent.mdx", "---\ntitle: Agent\n---\n\nText.\n"),
            ("shared/note.mdx", "A note.\n"),
            (
                "guides/notes.mdx",
                "---\ntitle: Notes\n---\n\nimport Note from '/shared/note.mdx';\n\n<Note />\n",
            ),
            ("snippets/rule.mdx", "Mind the wind.\n"),
            ("snippets/unused.mdx", "Secret.\n"),
            ("CLAUDE.md", "---\ntitle: C\n---\n\nSecret.\n"),
        ],
    );
    assert_eq!(
        shown(&library),
        [
            "/articles/build/agent",
            "/articles/guides/all",
            "/articles/guides/notes",
            "/articles/guides/readme",
            "/articles/guides/sails",
            "/articles/old/kept",
            "/index",
            "draft: guides/crew.mdx guides/none.mdx",
            "excluded by `.mintignore`: CLAUDE.md drafts/kept.mdx drafts/plan.mdx guides/new.draft.mdx old/a.mdx wip1.mdx",
            "excluded by `docs.json`: contribute.md guides/README.md tmp/a.mdx",
            "hidden: .mintignore",
            "not rendered, as `docs.json` says: snippets/rule.mdx snippets/unused.mdx",
            "partial: another file includes it: shared/note.mdx",
            "settings of another program: docs.json",
        ]
    );
    assert_eq!(twin(&library, "/articles/guides/sails"), "Mind the wind.");
}

#[test]
fn what_the_navigation_of_mintlify_does_not_name_is_not_listed() {
    let texts = [
        ("index.mdx", "---\ntitle: Home\n---\n\nText.\n"),
        ("sails.mdx", "---\ntitle: Sails\n---\n\nText.\n"),
        ("knots/index.mdx", "---\ntitle: Knots\n---\n\nText.\n"),
        ("knots/bowline.mdx", "---\ntitle: Bowline\n---\n\nText.\n"),
        ("beta.mdx", "---\ntitle: Beta\n---\n\nText.\n"),
        ("apart.mdx", "---\ntitle: Apart\n---\n\nText.\n"),
    ];
    let navigation = "\"navigation\": {\"tabs\": [\
        {\"tab\": \"Guide\", \"groups\": [\
            {\"group\": \"Start\", \"pages\": [\"sails\", {\"group\": \"Knots\", \"root\": \"knots\", \"pages\": [\"/knots/bowline\"]}]},\
            {\"group\": \"Beta\", \"hidden\": true, \"pages\": [\"beta\"]},\
            {\"group\": \"API\", \"openapi\": \"api.json\", \"pages\": [\"GET /boats\"]}]},\
        {\"tab\": \"Blog\", \"href\": \"https://o.example\"}],\
        \"global\": {\"anchors\": [{\"anchor\": \"Forum\", \"href\": \"https://f.example\"}]}}";
    let listed = |library: &Library| -> Vec<String> {
        let texts = library.articles.iter().filter(|text| text.listed);
        texts.map(|text| text.stem.to_string()).collect()
    };
    let library = site(navigation, &texts);
    assert_eq!(
        drawn(&library),
        [
            "Guide",
            "  Start",
            "    Sails /sails",
            "    Knots /knots",
            "      Bowline /knots/bowline",
            "Blog https://o.example",
        ]
    );
    assert_eq!(
        listed(&library),
        [
            "/articles/knots",
            "/articles/knots/bowline",
            "/articles/sails"
        ]
    );
    assert_eq!(twin(&library, "/articles/beta"), "Text.");
    let indexed = format!("\"seo\": {{\"indexing\": \"all\"}}, {navigation}");
    assert_eq!(
        listed(&site(&indexed, &texts)),
        [
            "/articles/apart",
            "/articles/beta",
            "/articles/knots",
            "/articles/knots/bowline",
            "/articles/sails"
        ]
    );
}

#[test]
fn a_configuration_of_mintlify_may_be_in_several_files() {
    let library = build(&[
        (
            "docs/docs.json",
            "{\"$schema\": \"https://mintlify.com/docs.json\", \"name\": \"Boats\", \"variables\": {\"api-url\": \"https://a.example\"},\
             \"redirects\": {\"$ref\": \"./parts/redirects.json\"},\
             \"navigation\": {\"languages\": [{\"language\": \"en\", \"pages\": [\"index\", \"sails\"]}, {\"$ref\": \"./parts/es.json\"}]}}",
        ),
        (
            "docs/parts/es.json",
            "{\"language\": \"es\", \"groups\": [{\"$ref\": \"./start.json\"}]}",
        ),
        (
            "docs/parts/start.json",
            "{\"group\": \"Inicio\", \"pages\": [\"es/sails\", \"sails\"]}",
        ),
        (
            "docs/parts/redirects.json",
            "[{\"source\": \"/old/:slug*\", \"destination\": \"/:slug*\"}, {\"source\": \"/canvas\", \"destination\": \"/sails\"}]",
        ),
        ("docs/index.mdx", "---\ntitle: Home\n---\n\nText.\n"),
        (
            "docs/sails.mdx",
            "---\ntitle: Sails\n---\n\nSee {{api-url}}.\n",
        ),
        ("docs/es/sails.mdx", "---\ntitle: Velas\n---\n\nTexto.\n"),
        ("plan.md", "# Plan\n\nSecret."),
    ]);
    assert_eq!(
        shown(&library),
        [
            "/articles/es/sails",
            "/articles/sails",
            "/index",
            "not a file for the web: `.json`: docs/parts/es.json docs/parts/redirects.json docs/parts/start.json",
            "outside `docs/`, the folder that `docs/docs.json` publishes: plan.md",
            "settings of another program: docs/docs.json",
        ]
    );
    assert_eq!(
        drawn(&library),
        [
            "[en]",
            "Home /index",
            "Sails /sails",
            "[es]",
            "Inicio",
            "  Velas /es/sails"
        ]
    );
    assert_eq!(
        twin(&library, "/articles/sails"),
        "See <https://a.example>."
    );
    let spanish = library
        .articles
        .iter()
        .find(|text| &*text.title == "Velas")
        .unwrap();
    assert_eq!(spanish.language, "es");
    let old: Vec<String> = library.redirects.keys().map(ToString::to_string).collect();
    for address in ["/canvas", "/old/sails", "/sails"] {
        assert!(
            old.iter().any(|known| known == address),
            "{address} {old:?}"
        );
    }
}

#[test]
fn another_file_with_that_name_makes_no_site_of_mintlify() {
    let kind = |files: &[(&str, &str)]| build(files).report.dialect.unwrap().0;
    let text = ("docs/a.md", "# A\n\nText.");
    assert_eq!(kind(&[text, ("docs.json", "{\"pages\": []}")]), "plain");
    let former = "{\"name\": \"B\", \"colors\": {}, \"navigation\": [{\"group\": \"G\", \"pages\": [\"docs/a\"]}]}";
    assert_eq!(kind(&[text, ("mint.json", former)]), "mintlify");
}

#[test]
fn fields_of_an_interface_have_names_and_places() {
    let text = "Of [crew](#param-boat-crew).\n\n<ParamField path=\"boat.crew\" type=\"string[]\" required>\n  Who sails.\n</ParamField>\n\n<ResponseField name=\"wind\">\n  How fast.\n</ResponseField>\n";
    let library = site("\"navigation\": {\"pages\": [\"a\"]}", &[("a.mdx", text)]);
    let expected = "Of [crew](https://example.org/articles/a.md#param-boat-crew).\n\n**boat.crew (string[], required)**\n\nWho sails.\n\n**wind:**\n\nHow fast.";
    assert_eq!(twin(&library, "/articles/a"), expected);
    assert_eq!(library.report.references.fragments.broken, 0);
}

#[test]
fn a_text_without_a_body_shows_its_operation() {
    let twin_of = |front: &str| {
        let text = format!("---\ntitle: Boats\n{front}\n---\n");
        let library = build(&[("articles/a.md", text.as_str())]);
        let text = library.articles.first();
        text.map(|text| twin(&library, &text.stem))
    };
    let check = |front: &str, expected: Option<&str>| {
        assert_eq!(twin_of(front).as_deref(), expected, "{front}");
    };
    check("openapi: 'GET /boats'", Some("`GET /boats`"));
    check("openapi: api/v1.json post /boats", Some("`post /boats`"));
    check(
        "description: All boats.\napi: PUT /boats",
        Some("All boats.\n\n`PUT /boats`"),
    );
    check("openapi: api/v1.json", None);
    check("api: get", None);
}

#[test]
fn a_parameter_of_hugo_is_no_variable() {
    let library = build(&[
        ("hugo.toml", "title = 'T'\n[params]\napiKey = 'secret'\n"),
        ("content/posts/a.md", "Key: {{ apiKey }}.\n"),
    ]);
    assert_eq!(twin(&library, "/articles/a"), "Key: .");
}
