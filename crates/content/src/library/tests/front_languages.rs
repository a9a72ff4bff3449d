//! Front matter in the language that the opening fence names: `---js`.

use super::*;

/// What becomes of a text that begins with this: its title and the number of its
/// blocks, or that it is withheld; then its problems.
fn outcome(text: &str) -> String {
    let text = format!("{text}\nWords.\n");
    let library = build(&[("posts/a.md", text.as_str())]);
    let said = library.problems.iter().map(ToString::to_string);
    let said: Vec<String> = said.map(|said| said.replace("\n  ", " ")).collect();
    match library.articles.first() {
        None => format!("withheld | {}", said.join(" | ")),
        Some(text) => {
            let words = text.document.blocks.len();
            format!("{}, {words} block | {}", text.title, said.join(" | "))
        }
    }
}

#[test]
fn rule_27_front_matter_in_another_language() {
    for text in [
        "---js\nconst title = \"T\"\nlet draft = false;\n---",
        "--- javascript \n{ title: 'T', draft: false, tags: ['a',], extra: { f() {} } }\n---",
        "---js\n// A comment\nmodule.exports = {\n  title: `T`, date: new Date('2020-01-02'),\n  eleventyComputed: { description: (data) => data.title },\n};\n---",
        "---ts\nexport const title: string = 'T';\nexport const x = f(draft), draft: boolean = false\nfunction slug(data) { return data.draft }\n---",
        "---js\nreturn ({ title: 'T' })\n---",
        "---js\nexport default { title: 'T' }\n---",
        "---json\n{ \"title\": \"T\" }\n---",
        "---json\n{ // a comment\n\"title\": \"T\", }\n---",
        "---toml\ntitle = 'T'\n---",
        "--- yaml\ntitle: T\n---",
        "\n---YML\ntitle: T\n---",
    ] {
        assert_eq!(outcome(text), "T, 1 block | ", "{text}");
    }
    for text in [
        "---js\nconst title = 'T';\nconst draft = true;\n---",
        "---js\n{ title: 'T', draft: true }\n---",
        "---js\nmodule.exports = { extra: { draft: true } }\n---",
        "---js\nconst draft = true\nconst x = y(\n---",
        "---js\nconst title = 'T', draft = true\n",
        "---json\n{ \"draft\": true }\n---",
        "---json\n{ /* no */ \"draft\": true, }\n---",
        "---toml\ndraft = true\n---",
        "---yaml\ndraft: true\n---",
    ] {
        let said = outcome(text);
        assert!(
            said.starts_with("withheld | ") && !said.contains("withheld:"),
            "{text}: {said}"
        );
    }
}

#[test]
fn rule_27_what_a_program_computes_withholds() {
    let check = |text: &str, said: &str| assert_eq!(outcome(text), said, "{text}");
    check(
        "---js\nconst title = \"T\";\nconst draft = !env.LIVE;\n---",
        "withheld | posts/a.md:3:15: withheld: `draft` is not a literal: `!env.LIVE` hint: write a text, a number, `true` or `false` as its value",
    );
    check(
        "---js\n{\n  title: 'T',\n  ...base,\n}\n---",
        "withheld | posts/a.md:4:3: withheld: `...` is an object whose keys are not read: `...base` hint: write its keys and values here",
    );
    check(
        "---coffee\ntitle: 'T'\ndraft: on\n---",
        "withheld | posts/a.md:1:1: withheld: `---` is followed by a language that is not read: `coffee` hint: write YAML between `---`, TOML between `+++`, JSON, or literals of JavaScript behind `---js`",
    );
    for text in [
        "---js\nlet draft = false\nif (live) draft = true\n---",
        "---js\nlet draft = false;\nconst x = f(draft = true);\n---",
        "---js\nconst draft = true\n  && live\n---",
        "---js\nconst { draft } = require('./x');\n---",
        "---js\nimport { status } from './x';\n---",
        "---js\n{ draft, title: 'T' }\n---",
        "---js\n{ get published() { return live } }\n---",
        "---js\n{ [key]: true }\n---",
        "---js\n{ permalink: (data) => data.live && '/a/' }\n---",
        "---js\nfunction permalink(data) { return false }\n---",
        "---js\n{ eleventyExcludeFromCollections: isDraft() }\n---",
        "---js\n{ eleventyComputed: { draft: () => true } }\n---",
        "---js\n{ extra: flags() }\n---",
        "---js\n{ build: { ...flags } }\n---",
        "---js\n{ date: soon() }\n---",
        "---js\n{ status: state() }\n---",
        "---js\nexport default data\n---",
        "---js\n{ title: 'T'\n---",
        "---js\n(function () { return { draft: true } })()\n---",
        "---json\n\"title\": \"T\",\n\"draft\": true\n---",
        "---yaml\nWords\n---",
        "---json5x\n{}\n---",
    ] {
        let said = outcome(text);
        assert!(
            said.starts_with("withheld | posts/a.md:") && said.contains(": withheld: `"),
            "{text}: {said}"
        );
    }
}
