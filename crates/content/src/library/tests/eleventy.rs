//! What an Eleventy site publishes, as its configuration and its data say.

use super::inherited::words;
use super::*;

#[test]
fn rule_26_folders_of_eleventy_count_from_its_input() {
    for config in [
        "export const config = { dir: { input: 'content', includes: '../_includes', data: '../_data' } };",
        "export default (c) => { c.setInputDirectory('content'); c.setIncludesDirectory('../_includes'); c.setDataDirectory('../_data'); };",
    ] {
        let files = [
            ("eleventy.config.js", config),
            ("_data/flags.json", "{\"beta\": false}"),
            ("_includes/hid.njk", "---\npermalink: false\n---\n"),
            ("_includes/wip.njk", "---\ndraft: true\n---\n"),
            ("content/a.md", "A {% if flags.beta %}SECRET{% endif %}."),
            ("content/b.md", "---\nlayout: hid.njk\n---\nSECRET"),
            ("content/c.md", "---\nlayout: wip\n---\nSECRET"),
        ];
        assert_eq!(published_texts(&files), ["content/a.md"], "{config}");
        assert_eq!(words(&files).0, "A .", "{config}");
    }
}

#[test]
fn rule_27_what_eleventy_computes_of_a_text_withholds_it() {
    for (computed, is_shown) in [
        ("{ permalink: false }", false),
        ("{ draft: true }", false),
        ("{ permalink: /x/ }", true),
        ("{ draft: false, title: B }", true),
    ] {
        let text = format!("---\neleventyComputed: {computed}\n---\nA.");
        let shown = published_texts(&[("eleventy.config.js", ""), ("a.md", &text)]);
        assert_eq!(shown == ["a.md"], is_shown, "{computed}");
    }
}

#[test]
fn rule_26_data_files_of_eleventy_have_the_names_that_it_configures() {
    for (call, file, is_shown) in [
        (
            "c.addDataExtension('yml, yaml', (s) => load(s))",
            "a/a.yml",
            false,
        ),
        (
            "c.addDataExtension('yaml', (s) => load(s))",
            "a/a.11tydata.yaml",
            false,
        ),
        (
            "c.addDataExtension('toml', (s) => load(s))",
            "a/b.toml",
            false,
        ),
        ("c.addDataExtension('csv', (s) => load(s))", "a/a.yml", true),
        ("", "a/a.yml", true),
        (
            "c.setDataFileSuffixes(['', '.data'])",
            "a/a.data.json",
            false,
        ),
        (
            "c.setDataFileSuffixes(['.data'])",
            "a/a.11tydata.json",
            true,
        ),
        (
            "c.setDataFileBaseName('index')",
            "a/index.11tydata.json",
            false,
        ),
        ("c.setDataFileBaseName('index')", "a/a.11tydata.json", true),
    ] {
        let config = format!("export default (c) => {{ {call}; }};");
        let data = match file.rsplit_once('.') {
            Some((_, "json")) => "{ \"permalink\": false }",
            Some((_, "toml")) => "permalink = false",
            _ => "permalink: false",
        };
        let files = [
            ("eleventy.config.js", &*config),
            (file, data),
            ("a/b.md", "B."),
        ];
        let shown = published_texts(&files) == ["a/b.md"];
        assert_eq!(shown, is_shown, "{call}: {file}");
    }
}
