//! Retype: who sees a text, and what of its syntax is read.

use super::scope::everything;
use super::*;

const CONFIG: (&str, &str) = ("retype.yml", "url: docs.example.com\n");
const PRIVATE: &str = "visibility: private\n";
const PLAIN: &str = "# T\n\nWords.";

/// The sources of the published texts.
fn shown(files: &[(&str, &str)]) -> Vec<String> {
    texts_of(&build(&[&[CONFIG], files].concat()))
}

#[test]
fn contract_6_a_file_beside_a_text_of_retype_says_who_sees_it() {
    let files = [
        ("p.yml", PRIVATE),
        ("p.md", PLAIN),
        ("q.yaml", "visibility: Protected"),
        ("q.md", PLAIN),
        ("shown.yml", PRIVATE),
        ("shown.md", "---\ntitle: T\n---\nWords."),
        ("z.md", PLAIN),
    ];
    assert_eq!(shown(&files), ["shown.md", "z.md"]);
    let files = [
        ("h.yml", "visibility: hidden"),
        ("h.md", PLAIN),
        ("z.md", PLAIN),
    ];
    let library = build(&[&[CONFIG], &files[..]].concat());
    let unlisted = library.articles.iter().filter(|one| !one.listed);
    let unlisted: Vec<&str> = unlisted.map(|one| &*one.source).collect();
    assert_eq!(unlisted, ["h.md"]);
}

#[test]
fn contract_6_the_visibility_of_a_folder_of_retype_is_that_of_its_texts() {
    let files = [
        ("README.md", "---\nvisibility: private\n---\nWords."),
        ("a/er/x.md", PLAIN),
        ("a/index.yml", PRIVATE),
        ("a/open.md", "---\nvisibility: public\n---\nWords."),
        ("a/open/index.yml", "visibility: public"),
        ("a/open/x.md", PLAIN),
        ("b/README.md", "---\nvisibility: private\n---\nWords."),
        ("b/in/x.md", PLAIN),
        ("c/default.md", "---\nvisibility: private\n---\nWords."),
        ("c/x.md", PLAIN),
        ("d/README.md", "---\ntitle: T\n---\nWords."),
        ("d/index.yml", PRIVATE),
        ("d/x.md", PLAIN),
        ("e/readme.yml", PRIVATE),
        ("e/x.md", PLAIN),
        ("z.md", PLAIN),
    ];
    assert_eq!(
        shown(&files),
        ["a/open.md", "a/open/x.md", "d/README.md", "d/x.md", "z.md"]
    );
    let files = [
        ("README.md", PLAIN),
        ("index.yml", PRIVATE),
        ("a.md", PLAIN),
    ];
    assert_eq!(shown(&files), ["a.md"]);
}

#[test]
fn contract_6_what_a_broken_file_of_retype_is_for_is_withheld() {
    let files = [
        CONFIG,
        ("a/index.yml", "visibility: [private"),
        ("a/x.md", PLAIN),
        ("b/index.yml", "label: [x"),
        ("b/x.md", PLAIN),
    ];
    let library = build(&files);
    assert_eq!(texts_of(&library), ["b/x.md"]);
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("a/index.yml"), "{problems:?}");
}

/// The twin of one text, with further files.
fn text_of(text: &str, files: &[(&str, &str)]) -> String {
    let config = "url: docs.example.com\ndata:\n  beta: false\n  product: Widget\n";
    let own = [("retype.yml", config), ("a.md", text), ("z.md", "Z.")];
    let twin = twin(&build(&[&own, files].concat()), "/articles/a");
    twin.replace("```text", "```").replace("  ", " ")
}

fn check_text(text: &str, expected: &str) {
    assert_eq!(text_of(text, &[]), expected, "{text}");
}

#[test]
fn contract_6_comments_of_retype_are_not_published() {
    check_text(
        "a %%SECRET%% b\n\n%%\nSECRET\n\nSECRET\n%%\n\n```\n%% c %%\n```\n\n`%%d%%`",
        "a b\n\n```\n%% c %%\n```\n\n`%%d%%`",
    );
    check_text(
        "---\ntemplating: false\n---\na %%SECRET%% {{ b }}",
        "a &#123;{ b }}",
    );
}

#[test]
fn rule_12_templates_of_retype_show_what_they_show_there() {
    check_text(
        "1 {{ if beta }}SECRET{{ else if product == \"Widget\" }}b{{ else }}SECRET{{ end }}",
        "1 b",
    );
    check_text(
        "2 {{ if project.none }}SECRET{{ end }}{{ if false }}SECRET{{ else }}b{{ end }}",
        "2 b",
    );
    check_text(
        "3 {{ product }} {{ project.data.product }} {{ page.title }} {{ none }}.",
        "3 Widget Widget .",
    );
    check_text(
        "{{~ if true ~}}\nb\n{{~ end ~}}\n{{# SECRET }}{{ ## SECRET ## }}",
        "b",
    );
    check_text(
        "---\ndata:\n  v: V5\n---\n{{ v }} {{ x = \"y\" }}{{ x }} {{ if v == \"V5\" }}b{{ end }}",
        "V5 y b",
    );
    check_text(
        "`{{ if false }}SECRET{{ end }}a {{ product }}`\n\n```\n{{ if beta }}\nSECRET\n{{ end }}b\n```",
        "`a Widget`\n\n```\nb\n```",
    );
    check_text(
        "{{ while false }}SECRET{{ end }}{{ if true }}{{ if beta }}SECRET{{ end }}b{{ end }}",
        "b",
    );
    check_text("{{ a = 1\nif beta }}SECRET{{ end }}b", "b");
}

#[test]
fn rule_12_what_retype_keeps_from_templates_is_shown() {
    check_text("{%{ `{{ a }}` {{ b }} }%}", "`{{ a }}` &#123;{ b }}");
    check_text(
        "{%{\n```\n{{ if false }}a{{ end }}\n```\n}%}",
        "```\n{{ if false }}a{{ end }}\n```",
    );
    check_text(
        "---\ntemplating: false\n---\n{{ if false }}a{{ end }}",
        "&#123;{ if false }}a&#123;{ end }}",
    );
}

#[test]
fn rule_54_files_that_texts_of_retype_include_are_shown() {
    let files = [
        ("_includes/inc.md", "Inc {{ include \"sub/in\" }}"),
        ("_includes/sub/in.md", "inner"),
        ("snip.md", "1\n2\n3"),
        (
            "_includes/step.md",
            "Step {{ $.step }}{{ if $.off }}SECRET{{ end }}",
        ),
    ];
    let text = "{{ include \"inc\" }}\n\n{{ include \"snip.md#2-3\" }}\n\n{{ include \"step\" step: \"2\" }}";
    assert_eq!(text_of(text, &files), "Inc inner\n\n2\n3\n\nStep 2");
}

#[test]
fn rule_11_notices_of_retype_have_their_words() {
    check_text(
        "!!!danger Watch\ncareful\n!!!\n\n!!!\nplain\n!!!\n\n!!- Later\nmore\n!!!\n\nend",
        "> [!CAUTION]\n> **Watch**\n>\n> careful\n\n> [!NOTE]\n> plain\n\n> [!NOTE]\n> **Later**\n>\n> more\n\nend",
    );
}

#[test]
fn rule_12_panels_tabs_and_columns_of_retype_have_their_words() {
    check_text(
        "==- One\na\n==- Two {#x}\nb\n===\n\nend",
        "**One:**\n\na\n\n**Two:**\n\nb\n\nend",
    );
    check_text(
        "+++ One\na\n+++ Two\nb\n+++\n\nend",
        "**One:**\n\na\n\n**Two:**\n\nb\n\nend",
    );
    check_text(
        "||| One\na\n||| Two\n!!!\nb\n!!!\n|||\nend",
        "**One:**\n\na\n\n**Two:**\n\n> [!NOTE]\n> b\n\nend",
    );
    check_text(
        "Title\n===\n\n```\n+++ a\n!!!\n```\n\n1 +++ 2",
        "```\n+++ a\n!!!\n```\n\n1 +++ 2",
    );
}

#[test]
fn rule_12_components_of_retype_have_their_words() {
    let text = "[!badge NEW] [!badge text=\"B\" variant=\"info\"](z.md) [!button Go on](z.md) [!file](a.zip) `[!badge X]` :icon-rocket: a :icon-x:\n\n[!ref](z.md)\n\n> [!NOTE]\n> n";
    assert_eq!(
        text_of(text, &[("a.zip", "zip"), ("z.md", "# Zed\n\nZ.")]),
        "NEW [B](https://example.org/articles/z.md) [Go on](https://example.org/articles/z.md) [a.zip](https://example.org/a.zip) `[!badge X]` a\n\n[Zed](https://example.org/articles/z.md)\n\n> [!NOTE]\n> n"
    );
}

#[test]
fn rule_45_addresses_of_retype_are_answered() {
    let files = [
        CONFIG,
        ("UPPER Case.md", "U."),
        ("a.md", "---\nroute: /custom/route\n---\nA."),
        ("def/default.md", "D."),
    ];
    let former = former(&build(&files));
    for old in ["/custom/route", "/def/", "/upper-case/"] {
        let begins = |line: &String| line.starts_with(&format!("{old} "));
        assert!(former.iter().any(begins), "{old} {former:?}");
    }
}

#[test]
fn rule_12_an_icon_of_retype_takes_its_spaces_with_it() {
    let text = "# T\n\nWords.\n\n- :icon-check:     **Pros**: Simple\n- [:icon-x: :one](a.md)\n";
    let all = everything(&build(&[CONFIG, ("a.md", text)]));
    assert!(all.contains("- **Pros**: Simple\n"), "{all}");
    assert!(all.contains("- [:one]("), "{all}");
}
