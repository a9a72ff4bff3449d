//! Lists and patterns of exclusions: all of them count, and their reasons are named.

use super::*;

fn problems(library: &Library) -> Vec<String> {
    let problems = library.problems.iter();
    let shown = problems.map(|problem| problem.to_string().replace("\n  ", " | "));
    shown.collect()
}

/// Why a file is skipped.
fn reason(library: &Library, path: &str) -> String {
    let mut skipped = library.report.skipped.iter();
    let reason = skipped.find(|(_, paths)| paths.iter().any(|one| one == path));
    reason.map(|(reason, _)| reason.clone()).unwrap_or_default()
}

#[test]
fn rule_26_options_of_plugins_are_not_the_formats_of_eleventy() {
    for program in [
        "export default (c) => { c.addPlugin(syntaxHighlight, { templateFormats: ['njk'] }); };",
        "module.exports = (c) => { c.addPlugin(x, { templateFormats: ['njk'] }); return { dir: {} }; };",
        "export default (c) => { c.addPlugin(x, { templateFormats: ['njk'] }); };\nexport const config = { templateFormats: ['md'] };",
    ] {
        let library = build(&[("eleventy.config.js", program), ("a.md", "# A\n")]);
        assert_eq!(texts_of(&library), ["a.md"], "{program}");
    }
    for program in [
        "module.exports = (c) => { return { templateFormats: ['njk', 'html'] }; };",
        "module.exports = function (c) {};\nmodule.exports.config = { templateFormats: ['html'] };",
        "const config = { templateFormats: ['html'] };\nexport default function (c) { return config; }",
    ] {
        let library = build(&[
            ("eleventy.config.js", program),
            ("a.md", "# A\n"),
            ("b.html", "<h1>B</h1>"),
        ]);
        assert_eq!(texts_of(&library), ["b.html"], "{program}");
        assert_eq!(
            reason(&library, "a.md"),
            "not one of the `templateFormats` of `eleventy.config.js`"
        );
    }
}

#[test]
fn rule_26_languages_that_are_not_built_may_be_very_many() {
    let names: Vec<String> = (0..30_000).map(|at| format!("'l{at}'")).collect();
    let config = format!(
        "baseURL = 'https://e.org'\ndisableLanguages = [{}]\n",
        names.join(", ")
    );
    let mut files = vec![
        ("hugo.toml".to_owned(), config),
        ("content/a.l29999.md".to_owned(), "SECRET".to_owned()),
    ];
    files.extend((0..300).map(|at| (format!("content/{at}.md"), "Words.".to_owned())));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let library = build(&files);
    assert_eq!(library.articles.len(), 300);
    assert_eq!(
        reason(&library, "content/a.l29999.md"),
        "in a language that is not built"
    );
}

#[test]
fn rule_26_a_list_of_exclusions_counts_whole_or_withholds_everything() {
    let list = |count: usize, last: &str| {
        let names = (0..count).map(|at| format!("'none{at}.md'"));
        let names: Vec<String> = names.chain([format!("'{last}'")]).collect();
        names.join(", ")
    };
    let library_of = |kind: &str, count: usize| {
        let docusaurus = format!(
            "export default {{ presets: [['classic', {{ docs: {{ exclude: [{}] }} }}]] }};",
            list(count, "b.md")
        );
        let mkdocs = format!(
            "site_name: S\nplugins:\n  - exclude:\n      glob: [{}]\n",
            list(count, "b.md")
        );
        let (file, text) = match kind {
            "docusaurus" => ("docusaurus.config.js", docusaurus),
            _ => ("mkdocs.yml", mkdocs),
        };
        build(&[
            (file, &text),
            ("docs/a.md", "# A\n"),
            ("docs/b.md", "# B\n"),
        ])
    };
    for kind in ["docusaurus", "mkdocs"] {
        let library = library_of(kind, 500);
        assert_eq!(texts_of(&library), ["docs/a.md"], "{kind}");
        let library = library_of(kind, 5000);
        assert_eq!(texts_of(&library), [""; 0], "{kind}");
        let said = problems(&library);
        assert!(said[0].contains("which is too many"), "{said:?}");
    }
    let tags = (0..300).map(|at| format!("    - {{name: t{at}, password: x}}\n"));
    let config = format!("title: T\nencrypt:\n  tags:\n{}", tags.collect::<String>());
    let library = build(&[
        ("_config.yml", &config),
        ("source/_posts/a.md", "---\ntags: [t299]\n---\nA."),
        ("source/_posts/b.md", "B."),
    ]);
    assert_eq!(texts_of(&library), ["source/_posts/b.md"]);
}

#[test]
fn rule_26_the_folders_of_a_vault_restrict_no_other_vault() {
    let library = build(&[
        ("one/.obsidian/publish.json", r#"{"included": ["open"]}"#),
        ("one/open/a.md", "[[a]] [[c]] A"),
        ("one/b.md", "[[a]] [[c]] B"),
        ("two/.obsidian/publish.json", r#"{"excluded": ["private"]}"#),
        ("two/c.md", "[[a]] [[c]] C"),
        ("two/private/d.md", "[[a]] [[c]] D"),
        ("three/.obsidian/app.json", "{}"),
        ("three/e.md", "[[a]] [[c]] E"),
    ]);
    assert_eq!(
        texts_of(&library),
        ["one/open/a.md", "three/e.md", "two/c.md"]
    );
    assert_eq!(
        reason(&library, "one/b.md"),
        "not among the texts that `one/.obsidian/publish.json` includes"
    );
    assert_eq!(
        reason(&library, "two/private/d.md"),
        "excluded by `two/.obsidian/publish.json`"
    );
}

#[test]
fn rule_26_a_group_that_is_negated_excludes_all_but_its_names() {
    let library = build(&[
        (
            "docusaurus.config.js",
            "export default { presets: [['classic', { docs: { exclude: ['!(public)/**'] } }]] };",
        ),
        ("docs/public/a.md", "# A\n"),
        ("docs/private/b.md", "# B\n"),
    ]);
    assert_eq!(texts_of(&library), ["docs/public/a.md"]);
    let vitepress = |pattern: &str| {
        let config = format!("export default {{ srcExclude: ['{pattern}'] }}");
        let mut sources = sources(&[
            (".vitepress/config.js", &config),
            ("public2/a.md", "# A\n"),
            ("private/b.md", "# B\n"),
        ]);
        sources.hidden.insert(".vitepress".to_owned());
        Library::build(&sources, &site(), NOW.parse().unwrap())
    };
    let library = vitepress("!(public2)/**");
    assert_eq!(texts_of(&library), ["public2/a.md"], "{:?}", library.report);
    let library = vitepress("*(p*)/**");
    assert_eq!(
        problems(&library)[0],
        ".vitepress/config.js: warning: `srcExclude` is not understood: `*(p*)/**`"
    );
}

#[test]
fn rule_26_the_usual_exclusion_of_mkdocs_is_named_as_its_own() {
    let library = build(&[
        ("mkdocs.yml", "site_name: S\nexclude_docs: |\n  drafts/\n"),
        ("docs/a.md", "# A\n"),
        ("docs/templates/b.md", "# B\n"),
        ("docs/drafts/c.md", "# C\n"),
    ]);
    assert_eq!(texts_of(&library), ["docs/a.md"]);
    assert_eq!(
        reason(&library, "docs/templates/b.md"),
        "in `templates/`, which MkDocs leaves out unless `exclude_docs` has `!templates/`"
    );
    assert_eq!(
        reason(&library, "docs/drafts/c.md"),
        "excluded by `mkdocs.yml`"
    );
}

#[test]
fn rule_26_posts_without_a_date_are_closed_in_every_format() {
    let library = build(&[
        ("_config.yml", "title: T\n"),
        ("_posts/2020-01-01-a.md", "A."),
        ("_posts/draft.html", "<p>SECRET</p>"),
        ("_posts/draft.md", "SECRET"),
    ]);
    assert_eq!(texts_of(&library), ["_posts/2020-01-01-a.md"]);
    assert_eq!(
        reason(&library, "_posts/draft.html"),
        "in `_posts`, without a date in its name"
    );
}

#[test]
fn rule_26_values_that_jekyll_has_by_itself_are_not_nil() {
    for name in [
        "highlighter",
        "host",
        "port",
        "kramdown",
        "keep_files",
        "safe",
    ] {
        let text = format!("A.{{% if site.{name} %}}SHOWN{{% endif %}}");
        let library = build(&[
            ("_config.yml", "title: T\n"),
            ("_posts/2020-01-01-a.md", &text),
        ]);
        let all = super::scope::everything(&library);
        assert!(all.contains("SHOWN"), "{name}");
    }
}

#[test]
fn rule_26_an_include_in_front_matter_hides_no_cell() {
    let page = |front: &str| {
        let text = format!("---\ntitle: T\n{front}\n---\n```{{r}}\nshown()\n```\n");
        let library = build(&[("_quarto.yml", "project: {}\n"), ("a.qmd", &text)]);
        super::scope::everything(&library).contains("shown()")
    };
    assert!(page("include: [a.md]"));
    assert!(page("include: header.html"));
    assert!(!page("include: false"));
    assert!(!page("execute: {include: false}"));
}

#[test]
fn rule_26_what_a_browser_hides_is_in_no_form() {
    let library = build(&[(
        "posts/a.md",
        "# A\n\nWords <span hidden>SECRET</span>.\n\n<div style=\"display: none\">\n\nSECRET\n\n</div>\n\n<dialog>SECRET</dialog>\n\nEnd.\n",
    )]);
    let all = super::scope::everything(&library);
    assert!(!all.contains("SECRET") && all.contains("End."), "{all}");
    assert_eq!(
        problems(&library)[0],
        "posts/a.md:3:7: warning: the element is not shown, as in browsers: `<span hidden>`"
    );
}

#[test]
fn wikilinks_to_files_of_one_name_are_looked_up_at_once() {
    let links: String = (0..3000)
        .map(|at| format!("![[f{at}/p.csv]] ![[p.csv]]\n"))
        .collect();
    let names: Vec<String> = (0..3000).map(|at| format!("x/F{at}/p.csv")).collect();
    let mut files = vec![
        ("a.md", links.as_str()),
        ("b.md", "[[a]]"),
        ("c.md", "[[a]]"),
    ];
    files.extend(names.iter().map(|name| (name.as_str(), "x")));
    let library = build(&files);
    assert_eq!(library.articles.len(), 3);
}

#[test]
fn contract_6_long_lists_that_withhold_count_whole() {
    let jekyll = |count: usize| {
        let one = |at| format!("  - {{scope: {{path: d{at}}}, values: {{a: b}}}}\n");
        let others: String = (0..count).map(one).collect();
        format!(
            "defaults:\n{others}  - {{scope: {{path: drafts}}, values: {{published: false}}}}\n"
        )
    };
    let mkdocs = |count: usize| {
        let others: String = (0..count).map(|at| format!("t{at}, ")).collect();
        format!("plugins:\n  - file-filter:\n      exclude_tag: [{others}secret]\n")
    };
    let text = "---\ntitle: S\ntags: [secret]\n---\nSECRET\n";
    for (count, shown) in [(1500, 1), (2500, 0)] {
        let files = [
            ("_config.yml", &*jekyll(count)),
            ("a.md", "---\n---\nA"),
            ("drafts/s.md", text),
        ];
        let all = build(&files);
        assert_eq!(all.articles.len() + all.pages.len(), shown, "{count}");
        let files = [
            ("mkdocs.yml", &*mkdocs(count)),
            ("docs/a.md", "A"),
            ("docs/s.md", text),
        ];
        let all = build(&files);
        assert_eq!(all.articles.len() + all.pages.len(), shown, "{count}");
    }
}
