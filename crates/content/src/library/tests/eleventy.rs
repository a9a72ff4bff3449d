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

/// The texts that data of their folder, a program, publishes, of one that is a draft and one that is not.
fn shown_with(program: &str) -> Vec<String> {
    let wip = "---\nwip: true\nstate: old\nlive: false\n---\nA.";
    published_texts(&[
        ("eleventy.config.js", ""),
        ("shared.js", "export default { permalink: false };"),
        ("_data/site.json", "{ \"live\": true }"),
        ("a/a.11tydata.js", program),
        ("a/wip.md", wip),
        ("a/done.md", "---\nlive: true\n---\nB."),
    ])
}

#[test]
fn rule_26_data_of_eleventy_withholds_in_every_form_of_a_program() {
    for program in [
        "export const permalink = false;",
        "export const draft = true;\nexport const tags = ['x'];",
        "export { default } from '../shared.js';",
        "import shared from '../shared.js';\nexport { shared as default };",
        "const permalink = false;\nexport { permalink };",
        "exports.permalink = false;",
        "module.exports = { tags: ['x'] };\nmodule.exports.draft = true;",
        "export default { draft: process.env.NODE_ENV !== 'development' };",
        "const live = load();\nexport default { permalink: live ? '/x/' : false };",
        "const live = load();\nexport const permalink = (live ? undefined : (false));",
        "export default { eleventyComputed: { permalink: () => false } };",
        "export default { eleventyComputed: { permalink() { return false; } } };",
        "export default () => ({ permalink: false });",
    ] {
        assert_eq!(shown_with(program), Vec::<String>::new(), "{program}");
    }
    for program in [
        "export default { permalink: `/${x}/` };",
        "export default { permalink: (data) => `/${data.page.fileSlug}/` };",
        "export default { permalink: (data) => data.wip === false ? '/a/' : '/b/' };",
        "export const permalink = (data) => { const x = false; return f(x); };",
        "export default {};\nexport const tags = ['x'];",
        "export default { draft: false, permalink: getPermalink() };",
        "export default { eleventyComputed: { draft: (data) => data.wip } };",
    ] {
        assert_eq!(shown_with(program), ["a/done.md", "a/wip.md"], "{program}");
    }
}

#[test]
fn rule_26_a_function_of_eleventy_withholds_the_texts_for_which_it_is_false() {
    for function in [
        "(data) => data.wip ? false : data.permalink",
        "data => (data.live ? '/x/' : (false))",
        "(data) => !data.wip ? undefined : false",
        "data => data.state === 'old' ? false : `/${data.page.fileSlug}/`",
        "(data) => data.live === false || data.other ? false : '/x/'",
        "(data) => data.wip && process.env.MODE === 'build' ? false : '/x/'",
        "(data) => data.other ? false : data?.wip ? false : '/x/'",
        "(data) => { if (data.wip) return false; return data.permalink; }",
        "(data) => { if (data.other) { return false }\n else if (data.wip) { return false }\n return data.permalink }",
        "function (data) { const x = f(data);\n if (data.wip && x) return '/b/';\n return data.wip ? false : '/x/' }",
        "async function (data) { if (data.wip) return false }",
        "(data) => { function f() { return 1 }\n for (const z of y) f(z);\n if (data.other) { data.title = 'x' } else { f() }\n try { f() } catch (e) { log(e) }\n if (data.wip) return false; }",
    ] {
        for data in ["permalink: ", "eleventyComputed: { permalink: "] {
            let end = if data.contains('{') { " } }" } else { " }" };
            let program = format!("export default {{ {data}{function}{end};");
            let shown = shown_with(&program);
            let is_unread = function.contains("const x");
            let all = ["a/done.md", "a/wip.md"];
            assert_eq!(shown, all[..1 + usize::from(is_unread)], "{program}");
        }
    }
    // A method, and keys that data or the generator gives.
    let method =
        "export default { eleventyComputed: { permalink(data) { if (data.wip) return false; } } };";
    assert_eq!(shown_with(method), ["a/done.md"]);
    for function in [
        "(data) => data.site ? '/x/' : false",
        "(data) => { if (!data.page) return false; return '/x/'; }",
        "(data) => data.live && data.x > new Date() ? false : '/x/'",
        "({ wip }) => wip ? false : '/x/'",
        "(data) => { if (f()) { data.gone = true } if (data.gone) return false }",
        "(data) => isShown(data) ? '/x/' : false",
        "(data) => data.isWip ? false : '/x/', isWip: (data) => data.wip",
    ] {
        let program =
            format!("export default {{ eleventyComputed: {{ permalink: {function} }} }};");
        assert_eq!(shown_with(&program), ["a/done.md", "a/wip.md"], "{program}");
    }
}

#[test]
fn rule_26_what_the_program_of_eleventy_says_of_all_texts_counts() {
    for call in [
        "c.addPreprocessor('wip', 'md', (data, content) => { if (data.wip) return false; })",
        "c.addPreprocessor('wip', '*', (data, content) => {\n    if (data.wip) {\n      data.title = `${data.title} (draft)`;\n    }\n\n    if(data.wip && process.env.ELEVENTY_RUN_MODE === \"build\") {\n      return false;\n    }\n  })",
        "c.addPreprocessor('wip', '*', (data) => data.wip && process.env.MODE === 'build' ? false : undefined)",
        "c.addPreprocessor('live', ['njk', 'md'], function (data) { if (data.live !== true) return false })",
        "c.addPreprocessor('wip', 'html, md', wip);\n  function wip(data) { if (data.wip) { return false; } }",
        "c.addGlobalData('eleventyComputed', { permalink: (data) => data.wip ? false : data.permalink })",
        "c.addGlobalData('eleventyComputed.permalink', function () { return (data) => { if (data.wip && !process.env.DRAFTS) { return false; } return data.permalink; } })",
        "c.addPlugin(more)",
    ] {
        let config = format!(
            "import more from './config/more.js';\nexport default function (c) {{ {call}; }}"
        );
        let more = match call.contains("more") {
            true => {
                "export default (c) => c.addPreprocessor('wip', 'md', (data) => data.wip ? false : '');"
            }
            false => "",
        };
        let files = [
            ("eleventy.config.js", &*config),
            ("config/more.js", more),
            ("a.md", "---\nwip: true\npermalink: /x/\n---\nSECRET"),
            ("b.md", "---\nlive: true\n---\nB."),
        ];
        assert_eq!(published_texts(&files), ["b.md"], "{call}");
        assert_eq!(build(&files).problems, [], "{call}");
    }
    let all = "export default (c) => { c.addPreprocessor('x', 'njk', (data) => false); c.addGlobalData('permalink', () => (data) => `${data.page.filePathStem}.html`); c.addPreprocessor('y', 'md', (data, content) => f(content)); };";
    let files = [("eleventy.config.js", all), ("a.md", "A.")];
    assert_eq!(published_texts(&files), ["a.md"]);
    let unknown = "export default (c) => {\n  c.addPreprocessor('cms', 'md', (data, content) => {\n    if (/draft/.test(content)) return false;\n  });\n};";
    let files = [
        ("eleventy.config.js", unknown),
        ("a.md", "A."),
        ("b.md", "---\ndraft: true\n---\nSECRET"),
    ];
    let problems = build(&files).problems;
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "eleventy.config.js:2:5: `addPreprocessor` is not read whole: `cms` may leave out texts that are published\n  hint: write `draft: true` in those that it leaves out; it is not known of `a.md`"
        ]
    );
}

#[test]
fn rule_26_what_is_computed_for_all_texts_of_eleventy_withholds_too() {
    let files = [
        ("eleventy.config.js", ""),
        (
            "_data/eleventyComputed.js",
            "export default { permalink: (data) => data.hide ? false : data.permalink };",
        ),
        ("a.md", "---\nhide: true\npermalink: /x/\n---\nSECRET"),
        ("b.md", "---\nhide: false\n---\nB."),
    ];
    assert_eq!(published_texts(&files), ["b.md"]);
    let reasons = |text: &'static str| {
        let text = format!("---\n{text}\n---\nSECRET");
        let files = [files[0], files[1], ("a.md", &*text)];
        let skipped = build(&files).report.skipped;
        skipped
            .into_iter()
            .filter(|(_, paths)| paths.iter().any(|path| **path == *"a.md"))
            .map(|(reason, _)| reason.to_string())
            .collect::<String>()
    };
    assert_eq!(
        reasons("hide: true"),
        "draft: `_data/eleventyComputed.js` computes that it is not written"
    );
    assert_eq!(reasons("permalink: false"), "draft");
}

#[test]
fn rule_27_what_withholds_and_is_not_read_is_reported() {
    let problems = |program: &str| {
        let files = [
            ("eleventy.config.js", ""),
            ("a/a.11tydata.js", program),
            ("a/b.md", "B."),
        ];
        let problems = build(&files).problems;
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        problems("export default { draft: !env.LIVE, permalink: x ? '/x/' : false };"),
        [
            "a/a.11tydata.js:1:25: `draft` is not read: a program computes it\n  hint: its texts are withheld; write a literal, such as `false`",
            "a/a.11tydata.js:1:47: `permalink` is not read: a program computes it\n  hint: its texts are withheld; write a literal, such as `false`",
        ]
    );
    assert_eq!(
        problems("export default { permalink: (data) => data.wip ? false : x(data) };"),
        [
            "a/a.11tydata.js:1:29: warning: `permalink` is not read: a program computes it\n  hint: only texts for which it is `false` are withheld; write old addresses as `aliases` in their front matter",
        ]
    );
}

#[test]
fn rule_43_includes_of_eleventy_are_in_its_own_folder() {
    for (config, folder) in [
        (
            "export const config = { dir: { input: 'content' } };",
            "content/_includes",
        ),
        (
            "export const config = { dir: { input: 'content', includes: '../parts' } };",
            "parts",
        ),
    ] {
        let files = [
            ("eleventy.config.js", config),
            (
                "content/a.md",
                "A {% include \"p.njk\" %} {% include 'deep/q.md' %}.",
            ),
            (&*format!("{folder}/p.njk"), "one"),
            (&*format!("{folder}/deep/q.md"), "two"),
        ];
        assert_eq!(words(&files), ("A one two.".to_owned(), vec![]), "{config}");
    }
}

#[test]
fn rule_26_a_file_of_data_gives_all_texts_of_eleventy_a_layout() {
    for (path, text) in [
        ("_data/layout.json", "\"hid.njk\""),
        ("_data/layout.js", "module.exports = 'hid.njk';"),
        (
            "eleventy.config.js",
            "export default (c) => c.addGlobalData('layout', 'hid.njk');",
        ),
    ] {
        let config = ("eleventy.config.js", "");
        let config = if path == config.0 {
            ("package.json", "{}")
        } else {
            config
        };
        let files = [
            config,
            (path, text),
            ("_includes/hid.njk", "---\npermalink: false\n---\n"),
            ("_includes/open.njk", "---\ntitle: T\n---\n"),
            ("a.md", "SECRET"),
            ("b.md", "---\nlayout: open.njk\n---\nB."),
        ];
        assert_eq!(published_texts(&files), ["b.md"], "{path}");
    }
}

#[test]
fn rule_45_a_slug_in_a_permalink_is_spelled_as_eleventy_spells_it() {
    let text = "---\ntitle: Hello, World's Über\npermalink: \"/z/{{ title | slugify }}/\"\n---\nA.";
    let library = build(&[("eleventy.config.js", ""), ("a.md", text)]);
    let old = former(&library);
    assert_eq!(old[0], "/z/hello-worlds-ueber/ /articles/a", "{old:?}");
}
