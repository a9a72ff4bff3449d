//! What is given to many texts at once: by sections, by data of folders, by configurations.

use super::*;

#[test]
fn rule_26_a_cascade_gives_dates_that_decide() {
    let section = |cascade: &str| format!("---\ntitle: S\ncascade:\n{cascade}\n---\n");
    let config = "title = 'H'\n[[cascade]]\nexpiryDate = 2020-01-01\n[cascade.target]\npath = '/old/**'\nkind = 'page'\n";
    let shown = published_texts(&[
        ("hugo.toml", config),
        ("content/old/a.md", "SECRET"),
        ("content/old/b.md", "---\nexpiryDate: 2099-01-01\n---\nB."),
        (
            "content/new/_index.md",
            &section("  publishDate: 2099-01-01"),
        ),
        ("content/new/c.md", "SECRET"),
        ("content/new/d.md", "---\npublishDate: 2020-01-01\n---\nD."),
        (
            "content/new/deep/_index.md",
            &section("  publishDate: 2020-01-01"),
        ),
        ("content/new/deep/e.md", "E."),
        (
            "content/part/_index.md",
            &section("  - date: 2099-01-01\n    _target: {path: /part/late*}"),
        ),
        ("content/part/late-f.md", "SECRET"),
        ("content/part/g.md", "G."),
    ]);
    assert_eq!(
        shown,
        [
            "content/new/d.md",
            "content/new/deep/e.md",
            "content/old/b.md",
            "content/part/g.md"
        ]
    );
}

#[test]
fn rule_27_a_date_of_a_cascade_that_cannot_be_read_withholds() {
    let files = [
        ("hugo.toml", "title = 'H'\n"),
        (
            "content/a/_index.md",
            "---\ncascade:\n  expiryDate: some day\n---\n",
        ),
        ("content/a/b.md", "SECRET"),
        ("content/a/c.md", "---\nexpiryDate: 2099-01-01\n---\nC."),
    ];
    assert_eq!(published_texts(&files), ["content/a/c.md"]);
    let problems = build(&files).problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].to_string(),
        "content/a/_index.md:3:15: `expiryDate` is not a date: `some day`\n  hint: write it as `2024-05-31`; the texts that it is for are withheld"
    );
}

/// The words of the first article, and the problems.
pub(super) fn words(files: &[(&str, &str)]) -> (String, Vec<String>) {
    let library = build(files);
    let problems = library.problems.iter();
    let problems = problems.map(|problem| problem.to_string()).collect();
    let text = library.articles.first();
    let text = text.map(|text| twin(&library, &text.stem));
    (text.unwrap_or_default(), problems)
}

#[test]
fn rule_26_conditions_of_mkdocs_are_decided_by_its_configuration() {
    let extra = "extra:\n  beta: false\n  live: true\n  none:\n  zero: 0\n  empty: ''\n  list: []\n  map: {on: true, off: false}\n  env: !ENV [BETA, false]\n  var: !ENV BETA\n";
    let of = |plugin: &str, text: &str| {
        let config = format!("site_name: X\nplugins: [{plugin}]\n{extra}");
        let text = format!("---\nown: true\n---\n{text}");
        words(&[
            ("mkdocs.yml", &config),
            ("docs/index.md", "Home."),
            ("docs/a.md", &text),
        ])
    };
    for name in [
        "beta",
        "absent",
        "none",
        "empty",
        "list",
        "map.off",
        "map.absent",
        "env",
        "var",
        "not live",
        "extra.beta",
        "config.extra.beta",
        "page.meta.absent",
        "beta == true",
        "live and beta",
    ] {
        for plugin in ["macros", "markdownextradata"] {
            let text = format!("a {{% if {name} %}}SECRET{{% else %}}b{{% endif %}}");
            assert_eq!(of(plugin, &text), ("a b".to_owned(), vec![]), "{name}");
        }
    }
    for name in [
        "live",
        "map",
        "map.on",
        "own",
        "page.meta.own",
        "not beta",
        "live == True",
    ] {
        let text = format!("a {{% if {name} %}}b{{% else %}}SECRET{{% endif %}}");
        assert_eq!(of("macros", &text), ("a b".to_owned(), vec![]), "{name}");
    }
    assert_eq!(of("macros", "{{ live }}").0, "True");
}

#[test]
fn rule_26_what_no_condition_decides_is_not_shown_where_templates_run() {
    let of = |files: &[(&str, &str)], text: &str| {
        let more = [
            (
                "mkdocs.yml",
                "site_name: X\nplugins: [macros]\nextra: {live: true, zero: 0}\n",
            ),
            ("docs/index.md", "Home."),
            ("docs/a.md", text),
        ];
        words(&[files, &more].concat())
    };
    let warning = |words: &str| {
        format!(
            "docs/a.md:1:3: warning: the part is not shown: what `{words}` asks for is not known"
        )
    };
    for condition in [
        "absent is odd",
        "zero",
        "page.is_homepage",
        "f(live)",
        "git.tag",
    ] {
        let text = format!("a {{% if {condition} %}}SECRET{{% else %}}SECRET{{% endif %}}.");
        assert_eq!(of(&[], &text), ("a .".to_owned(), vec![warning(condition)]));
    }
    // Names that the text itself gives a value.
    for gives in [
        "{% import 'm' as m %}a {% if m.flag %}",
        "{% from 'm' import x, flag as f %}a {% if f %}",
        "{% from 'm' import x as important %}a {% if important %}",
        "{% with f = 1, g = h() %}a {% if g %}",
        "{% for k, v in live %}{% endfor %}a {% if v %}",
    ] {
        let (words, said) = of(
            &[],
            &format!("{gives}SECRET{{% else %}}SECRET{{% endif %}}."),
        );
        assert!(!words.contains("SECRET"), "{gives}: {words} {said:?}");
    }
    // A program may give a value to any name.
    let text = "a {% if absent %}SECRET{% endif %}{% if live %}b{% endif %}";
    let (shown, said) = of(&[("main.py", "def define_env(env): pass\n")], text);
    assert_eq!((shown, said), ("a b".to_owned(), vec![warning("absent")]));
    let text = "a {% for x in absent %}SECRET{% endfor %}.";
    assert_eq!(of(&[], text), ("a .".to_owned(), vec![]));
    let text = "a {% for x in f() %}SECRET{% endfor %}.";
    assert_eq!(of(&[], text), ("a .".to_owned(), vec![warning("x in f()")]));
}

#[test]
fn rule_27_an_object_that_is_not_valid_json_withholds_its_text() {
    let of = |text: &str| words(&[("hugo.toml", "title = 'H'\n"), ("content/a.md", text)]);
    for (text, place) in [
        ("{ \"draft\": true, }\n\nSECRET", "1:18"),
        ("{\"title\": 'A'}\n\nSECRET", "1:11"),
        (
            "\n{\n  // no\n  \"build\": {\"render\": \"never\"},\n}\n\nSECRET",
            "3:3",
        ),
        ("{ draft: true }\n\nSECRET", "1:3"),
        ("{\n  'draft': true\n}\n\nSECRET", "2:3"),
        (
            "{\n  \"build\": {\n    \"render\": \"never\",\n  }\n}\n\nSECRET",
            "4:3",
        ),
        ("{ /* no */ \"title\": \"A\" }\n\nSECRET", "1:3"),
        ("{ \"title\": \"A\"\n\nSECRET", "3:1"),
    ] {
        let (shown, said) = of(text);
        assert_eq!(shown, "", "{text}");
        let place = format!(
            "content/a.md:{place}: withheld: `{{` is the beginning of front matter that is not valid JSON"
        );
        assert!(
            said.iter().any(|one| one.starts_with(&place)),
            "{text}: {said:?}"
        );
    }
    for text in [
        "{{< param x >}} words",
        "{% x %} words",
        "{:toc}\nwords",
        "{#id}\nwords",
        "{.class}\nwords",
        "{words: of an aside} words",
        "{'a': 1} is a dictionary of words",
        "{x: 1} are words",
        "{\"quoted\"} words",
        "{*} words",
        "{/* words */}\n\nwords",
        "{ \"title\": \"A\" }\nwords",
        "{}\nwords",
    ] {
        assert!(of(text).0.contains("words"), "{text}: {:?}", of(text));
    }
}

#[test]
fn rule_26_defaults_of_pelican_are_front_matter() {
    let texts = [
        ("content/a.md", "Title: A\nDate: 2020-01-01\n\nA."),
        (
            "content/b.md",
            "Title: B\nDate: 2020-01-01\nStatus: published\n\nB.",
        ),
        ("content/drafts/c.md", "Title: C\nDate: 2020-01-01\n\nC."),
        (
            "content/pages/d.md",
            "Title: D\nDate: 2020-01-01\nStatus: skip\n\nD.",
        ),
        ("content/e.wip.md", "Title: E\nDate: 2020-01-01\n\nE."),
        ("notes/plan.md", "SECRET"),
    ];
    let of = |config: &str, more: &[(&str, &str)]| {
        let config = format!("PATH = 'content'\n{config}");
        published_texts(&[&[("pelicanconf.py", config.as_str())], &texts[..], more].concat())
    };
    let all = [
        "content/a.md",
        "content/b.md",
        "content/drafts/c.md",
        "content/e.wip.md",
    ];
    assert_eq!(of("", &[]), all);
    for config in [
        "DEFAULT_METADATA = {'status': 'draft'}\n",
        "DEFAULT_METADATA = { # all\n    'category': 'x',\n    \"status\": \"draft\",\n}\n",
        "DEFAULT_METADATA = dict(status='draft')\n",
        "DEFAULT_METADATA = (('status', 'draft'),)\n",
    ] {
        assert_eq!(of(config, &[]), ["content/b.md"], "{config}");
    }
    let dated = |date: &str| {
        let config = format!("PATH = 'content'\nDEFAULT_METADATA = {{'date': '{date}'}}\n");
        published_texts(&[
            ("pelicanconf.py", &config),
            ("content/a.md", "Title: A\n\nA."),
        ])
    };
    assert_eq!(dated("2099-01-01"), [""; 0]);
    assert_eq!(dated("2020-01-01"), ["content/a.md"]);
    let production = (
        "publishconf.py",
        "from pelicanconf import *\nDEFAULT_METADATA = {}\n",
    );
    assert_eq!(
        of("DEFAULT_METADATA = {'status': 'draft'}\n", &[production]),
        all
    );
    assert_eq!(
        of(
            "EXTRA_PATH_METADATA = {'drafts/': {'status': 'draft'}}\nIGNORE_FILES = ['*.wip.md']\n",
            &[]
        ),
        ["content/a.md", "content/b.md"]
    );
    assert_eq!(
        of("ARTICLE_EXCLUDES = ['drafts']\n", &[]),
        ["content/a.md", "content/b.md", "content/e.wip.md"]
    );
    assert_eq!(
        of("ARTICLE_PATHS = ['drafts']\n", &[]),
        ["content/drafts/c.md"]
    );
}

#[test]
fn rule_26_notes_of_dendron_that_are_not_published_by_default_say_so_themselves() {
    let of = |section: &str| {
        let config = format!(
            "version: 5\nworkspace:\n  vaults:\n    - {{fsPath: notes, name: n}}\n    - {{fsPath: more}}\n{section}"
        );
        published_texts(&[
            ("dendron.yml", &config),
            ("notes/a.md", "A."),
            ("notes/b.md", "---\npublished: true\n---\nB."),
            ("notes/blog.md", "C."),
            ("notes/blog.x.y.md", "D."),
            ("more/e.md", "E."),
        ])
    };
    let all = [
        "more/e.md",
        "notes/a.md",
        "notes/b.md",
        "notes/blog.md",
        "notes/blog.x.y.md",
    ];
    for open in [
        "",
        "publishing: {hierarchy: {root: {publishByDefault: true}}}\n",
    ] {
        assert_eq!(of(open), all);
    }
    for closed in [
        "publishing: {hierarchy: {root: {publishByDefault: false}}}\n",
        "site: {config: {root: {publishByDefault: false}}}\n",
        "publishing: {publishByDefault: false}\n",
    ] {
        assert_eq!(of(closed), ["notes/b.md"], "{closed}");
    }
    assert_eq!(
        of(
            "publishing:\n  hierarchy:\n    blog: {publishByDefault: true}\n    root: {publishByDefault: false}\n"
        ),
        ["notes/b.md", "notes/blog.md", "notes/blog.x.y.md"]
    );
    assert_eq!(
        of("publishing: {hierarchy: {blog: {publishByDefault: false}}}\n"),
        ["more/e.md", "notes/a.md", "notes/b.md"]
    );
    assert_eq!(
        of("publishing: {hierarchy: {root: {publishByDefault: {n: false}}}}\n"),
        ["more/e.md", "notes/b.md"]
    );
}

/// The sources that are published of some texts with the same words, beside other files.
fn of_texts(others: &[(&str, &str)], texts: &[&str]) -> Vec<String> {
    let texts = texts.iter().map(|path| (*path, "# T\n\nWords."));
    let files: Vec<(&str, &str)> = others.iter().copied().chain(texts).collect();
    published_texts(&files)
}

#[test]
fn rule_26_what_sphinx_leaves_out_is_not_published() {
    let texts = [
        "docs/a.md",
        "docs/priv/b.md",
        "docs/deep/draft-c.md",
        "docs/d.md",
        "plan.md",
    ];
    let of = |settings: &str| {
        let settings = format!("extensions = ['myst_parser']\n{settings}\n");
        of_texts(&[("docs/conf.py", &settings)], &texts)
    };
    assert_eq!(
        of("exclude_patterns = ['_build',  # no\n  'priv', \"**/draft-*\", 'd.md']"),
        ["docs/a.md"]
    );
    assert_eq!(
        of(
            "exclude_patterns = ['priv']\nexclude_patterns += ['d.md']\nexclude_patterns.append('**/draft-*')"
        ),
        ["docs/a.md"]
    );
    assert_eq!(
        of("include_patterns = ['priv/**', 'd.md']"),
        ["docs/d.md", "docs/priv/b.md"]
    );
    // A program of another sort.
    assert_eq!(of_texts(&[("docs/conf.py", "x = 1\n")], &texts).len(), 5);
}

#[test]
fn rule_26_drafts_of_nikola_are_hidden() {
    let of = |metadata: &str| format!("{metadata}\n\nWords.");
    let shown = published_texts(&[
        (
            "conf.py",
            "POSTS = (\n    (\"posts/*.md\", \"blog\", \"post.tmpl\"),\n)\nPAGES = ((\"pages/*.md\", \"\", \"page.tmpl\"),)\n",
        ),
        ("posts/a.md", &of(".. title: A\n.. status: draft")),
        (
            "posts/b.md",
            &of("<!--\n.. title: B\n.. status: private\n-->"),
        ),
        (
            "posts/c.md",
            &of("<!--\n.. title: C\n.. tags: x, draft\n-->"),
        ),
        ("posts/d.md", &of(".. title: D\n.. date: 2099-01-01")),
        ("posts/e.md", "Words."),
        ("posts/e.meta", ".. title: E\n.. status: draft\n"),
        ("posts/f.md", &of(".. title: F\n.. date: 2020-01-01")),
        ("pages/g.md", &of(".. title: G")),
        ("notes/h.md", "Words."),
    ]);
    assert_eq!(shown, ["pages/g.md", "posts/f.md"]);
}

#[test]
fn rule_26_data_of_folders_of_lume_is_front_matter() {
    let shown = published_texts(&[
        (
            "_config.ts",
            "import lume from \"lume/mod.ts\";\nconst site = lume({ src: \"./src\" });\nsite.ignore(\"priv\", \"x.md\");\nexport default site;\n",
        ),
        ("src/posts/_data.yml", "draft: true\n"),
        ("src/posts/a.md", "Words."),
        ("src/posts/b.md", "---\ndraft: false\n---\nWords."),
        ("src/priv/c.md", "Words."),
        ("src/x.md", "Words."),
        ("src/d.md", "---\nurl: false\n---\nWords."),
        ("src/e.md", "Words."),
        ("plan.md", "Words."),
    ]);
    assert_eq!(shown, ["src/e.md", "src/posts/b.md"]);
}

#[test]
fn rule_26_patterns_of_vuepress_nuxt_and_bridgetown_leave_texts_out() {
    let vuepress = ["docs/priv/a.md", "docs/b.md", "plan.md"];
    for key in ["pagePatterns", "patterns"] {
        let config = format!("module.exports = {{ {key}: ['**/*.md', '!priv/**'] }}");
        let shown = of_texts(&[("docs/.vuepress/config.js", &config)], &vuepress);
        assert_eq!(shown, ["docs/b.md"], "{key}");
        let files = [
            ("docs/.vuepress/config.js", &*config),
            ("docs/priv/a.md", "A."),
            ("docs/b.md", "B."),
        ];
        let reason = "not among the files that `docs/.vuepress/config.js` lists";
        assert!(build(&files).report.skipped.contains_key(reason), "{key}");
    }
    let plain = of_texts(
        &[("docs/.vuepress/config.js", "module.exports = {}")],
        &vuepress,
    );
    assert_eq!(plain, ["docs/b.md", "docs/priv/a.md"]);
    let nuxt = [
        ("nuxt.config.ts", "export default {}"),
        (
            "content.config.ts",
            "export default defineContentConfig({ collections: { a: defineCollection({ source: { include: '**', exclude: ['priv/**'] } }) } })",
        ),
    ];
    assert_eq!(
        of_texts(&nuxt, &["content/priv/a.md", "content/b.md", "plan.md"]),
        ["content/b.md"]
    );
    let second = "export default defineNuxtConfig({ modules: ['@nuxt/content'], content: { ignores: ['priv'] }, vite: { exclude: ['b'] } })";
    assert_eq!(
        of_texts(
            &[("nuxt.config.ts", second)],
            &[
                "content/priv/a.md",
                "content/x/private.md",
                "content/-c.md",
                "content/b.md",
                "docs/plan.md",
            ]
        ),
        ["content/b.md"]
    );
    let bridgetown = [("bridgetown.config.yml", "title: T\n")];
    assert_eq!(
        of_texts(&bridgetown, &["src/a.md", "plan.md"]),
        ["src/a.md"]
    );
}

#[test]
fn rule_26_conditions_are_decided_by_data_and_by_keys_of_the_page() {
    let of = |kind: &str, files: &[(&str, &str)], text: &str| {
        let config = match kind {
            "jekyll" => ("_config.yml", "title: T\nbeta: false\n"),
            _ => (".eleventy.js", "module.exports = {}"),
        };
        let data = [
            config,
            (
                "_data/flags.yml",
                "beta: false\nlive: true\nname: T\ndeep: {no: false}\n",
            ),
            ("_data/off.json", "false\n"),
            ("_data/site.yml", "hidden: false\n"),
            ("_posts/2020-01-01-a.md", text),
        ];
        words(&[files, &data].concat()).0
    };
    for (kind, condition) in [
        ("jekyll", "site.data.flags.beta"),
        ("jekyll", "site.data.flags.deep.no"),
        ("jekyll", "site.data.off"),
        ("jekyll", "jekyll.environment == 'development'"),
        ("jekyll", "site.beta"),
        ("jekyll", "site.data.site.hidden"),
        ("eleventy", "flags.beta"),
        ("eleventy", "site.hidden"),
        ("eleventy", "off"),
        ("eleventy", "own"),
        // The data has no such key.
        ("eleventy", "flags.absent"),
        ("eleventy", "flags.deep.absent"),
        ("eleventy", "site.absent"),
        ("eleventy", "flags.absent == false"),
        ("eleventy", "not flags.name"),
        ("jekyll", "site.data.flags.absent"),
        ("jekyll", "site.data.flags.deep.absent"),
        ("jekyll", "page.absent == false"),
        ("jekyll", "site.beta == nil"),
    ] {
        let text = format!("---\nown: false\n---\na {{% if {condition} %}}SECRET{{% endif %}}.");
        assert_eq!(of(kind, &[], &text), "a .", "{kind}: {condition}");
    }
    let files = [("_posts/_posts.json", "{\"inner\": false, \"draft\": false}")];
    let text = "---\ntitle: T\n---\na {% if inner %}SECRET{% endif %}.";
    assert_eq!(of("eleventy", &files, text), "a .");
    for (kind, condition) in [
        ("jekyll", "site.data.flags.live"),
        ("jekyll", "jekyll.environment == 'production'"),
        ("jekyll", "site.absent == nil"),
        ("jekyll", "site.beta == false"),
        ("eleventy", "flags.live"),
        ("eleventy", "flags.name"),
        ("eleventy", "flags.deep"),
        ("eleventy", "flags.size"),
        ("eleventy", "not flags.absent"),
        ("eleventy", "own"),
    ] {
        let text = format!("---\nown: true\n---\na {{% if {condition} %}}b{{% endif %}}.");
        assert_eq!(of(kind, &[], &text), "a b.", "{kind}: {condition}");
    }
}

#[test]
fn rule_26_a_key_that_data_lacks_is_not_decided_where_something_else_may_give_it() {
    let of = |data: &[(&str, &str)], text: &str| {
        let files = [(".eleventy.js", "module.exports = {}"), ("a.md", text)];
        words(&[&files, data].concat()).0
    };
    let flags = ("_data/flags.json", "{\"live\": true}");
    let text = "a {% if flags.absent %}b{% endif %}.";
    assert_eq!(of(&[flags], text), "a .");
    for more in [
        ("_data/flags.js", "module.exports = {}"),
        ("_data/flags/more.json", "{}"),
    ] {
        assert_eq!(of(&[flags, more], text), "a b.", "{more:?}");
    }
    let number = ("_data/flags.json", "{\"live\": 0}");
    assert_eq!(of(&[number], text), "a .");
    let config = (
        "eleventy.config.js",
        "export default (c) => c.addGlobalData('flags.absent', () => true);",
    );
    assert_eq!(of(&[flags, config], text), "a b.");
    let text = "{% for flags in collections.all %}{% if flags.absent %}b{% endif %}{% endfor %}";
    assert_eq!(of(&[flags], text), "b");
}

#[test]
fn rule_26_the_profiles_of_quarto_decide_what_is_published() {
    let text = "---\ntitle: A\n---\n[open]{.content-visible when-profile=\"public\"} [SECRET]{.content-hidden when-profile=\"public\"}\n\n::: {.content-visible unless-profile=\"public\"}\nSECRET\n:::\n";
    let more = "website:\n  drafts: [wip.qmd]\nproject:\n  render: [\"*.qmd\", \"!old.qmd\"]\n";
    for profile in ["{default: public}", "{group: [public, inner]}"] {
        let config = format!("project: {{type: website}}\nprofile: {profile}\n");
        let files = [
            ("_quarto.yml", config.as_str()),
            ("_quarto-public.yml", more),
            ("_quarto-inner.yml", "website:\n  drafts: [a.qmd]\n"),
        ];
        let page = [("a.qmd", text)];
        let (shown, problems) = words(&[&files[..], &page].concat());
        assert_eq!((shown.trim(), problems), ("open", vec![]), "{profile}");
        let texts = ["a.qmd", "old.qmd", "wip.qmd"];
        assert_eq!(of_texts(&files, &texts), ["a.qmd"], "{profile}");
    }
}

#[test]
fn rule_26_templates_with_signs_of_their_own_are_decided_too() {
    let config = "site_name: X\nplugins:\n  - macros:\n      j2_block_start_string: '[[%'\n      j2_block_end_string: '%]]'\nextra: {beta: false}\n";
    let text = "a [[% if beta %]]SECRET[[% endif %]]b `[[% x %]]`\n\n[[% macro m() %]]SECRET[[% endmacro %]]";
    let shown = words(&[
        ("mkdocs.yml", config),
        ("docs/index.md", "Home."),
        ("docs/a.md", text),
    ]);
    assert_eq!(shown, ("a b `[[% x %]]`".to_owned(), vec![]));
}

#[test]
fn rule_26_what_every_page_of_an_astro_site_filters_out_is_not_published() {
    let of = |calls: &[&str]| {
        let pages = calls.iter().enumerate();
        let pages: Vec<(String, String)> = pages
            .map(|(at, call)| {
                (
                    format!("src/pages/{at}.astro"),
                    format!("const posts = await {call};"),
                )
            })
            .collect();
        let pages = pages
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        let files = [
            ("astro.config.mjs", "export default {}"),
            ("src/content/blog/a.md", "---\nwip: true\n---\nA."),
            (
                "src/content/blog/b.md",
                "---\nwip: false\nlive: false\n---\nB.",
            ),
            ("src/content/blog/c.md", "C."),
        ];
        published_texts(&files.into_iter().chain(pages).collect::<Vec<_>>())
    };
    let [a, b, c] = ["a", "b", "c"].map(|name| format!("src/content/blog/{name}.md"));
    let wip = "getCollection('blog', ({ data }) => !data.wip)";
    assert_eq!(of(&[wip]), [b.clone(), c.clone()]);
    assert_eq!(
        of(&[wip, wip, "getCollection('notes')"]),
        [b.clone(), c.clone()]
    );
    assert_eq!(
        of(&[wip, "getCollection('blog')"]),
        [a.clone(), b, c.clone()]
    );
    // A text without the key has no value there.
    assert_eq!(
        of(&["getCollection('blog', (p) => p.data.live === true)"]),
        [""; 0]
    );
    assert_eq!(
        of(&["getCollection('blog', (p) => p.data.live !== false)"]),
        [a, c]
    );
}

#[test]
fn rule_26_templates_of_hexo_know_the_front_matter_of_a_post_alone() {
    let of = |more: &[(&str, &str)], text: &str| {
        let text = format!("---\ntitle: T\nown: false\nlive: yes\n---\na {text}.");
        let files = [
            ("_config.yml", "title: T\nsecret: true\n"),
            ("source/_posts/2020-01-01-a.md", &text),
        ];
        words(&[&files, more].concat())
    };
    let scaffolds = ("scaffolds/post.md", "---\ntitle: {{ title }}\n---\n");
    let package = ("package.json", "{\"dependencies\": {\"hexo\": \"^7\"}}");
    for (open, end) in [
        ("if config.secret", "endif"),
        ("if theme.secret", "endif"),
        ("if site.secret", "endif"),
        ("if page.live", "endif"),
        ("if secret", "endif"),
        ("if own", "endif"),
        ("if live and secret", "endif"),
        ("if not live", "endif"),
        ("if ''", "endif"),
        ("if True", "endif"),
        ("for post in site.posts", "endfor"),
        ("for i in []", "endfor"),
    ] {
        let text = format!("{{% {open} %}}SECRET{{% {end} %}}");
        for hexo in [scaffolds, package] {
            assert_eq!(of(&[hexo], &text), ("a .".to_owned(), vec![]), "{open}");
        }
    }
    for (open, end) in [
        ("if live", "endif"),
        ("if title == 'T'", "endif"),
        ("if not own", "endif"),
        ("if not secret", "endif"),
        ("if config.secret == undefined", "endif"),
        ("for i in [1]", "endfor"),
        ("for i in []", "else %}b{% endfor"),
    ] {
        let text = format!("{{% {open} %}}b{{% {end} %}}");
        assert_eq!(of(&[scaffolds], &text).0, "a b.", "{open}");
    }
    // What a plug-in or the post itself may give is hidden, and reported.
    for open in [
        "if path",
        "if date > now",
        "for i in tags",
        "if live | filter",
    ] {
        let end = open.split(' ').next().unwrap();
        let text = format!("{{% {open} %}}b{{% end{end} %}}");
        let (shown, problems) = of(&[scaffolds], &text);
        assert_eq!((shown.as_str(), problems.len()), ("a .", 1), "{open}");
        assert!(
            problems[0].contains("the part is not shown"),
            "{problems:?}"
        );
    }
    // Octopress has the folders of Hexo, and the names of Jekyll.
    let text = "{% if site.secret %}b{% endif %}";
    assert_eq!(of(&[], text).0, "a b.");
}

#[test]
fn rule_26_a_loop_over_nothing_shows_nothing() {
    for (kind, items) in [
        ("jekyll", "site.absent"),
        ("jekyll", "site.beta limit: 3"),
        ("jekyll", "page.absent reversed"),
        ("jekyll", "page.things"),
        ("jekyll", "page.things.list limit: 3"),
        ("jekyll", "page.things.default"),
        ("jekyll", "site.none"),
        ("jekyll", "site.deep.none"),
        ("jekyll", "site.empty"),
        ("jekyll", "site.empty.none"),
        ("jekyll", "site.data.flags.none"),
        ("jekyll", "site.data.list"),
        ("eleventy", "[]"),
        ("eleventy", "flags.absent"),
        ("eleventy", "things"),
        ("eleventy", "flags.none"),
        ("eleventy", "list"),
        ("mkdocs", "[]"),
        ("mkdocs", "absent"),
        ("mkdocs", "things"),
        ("mkdocs", "things.list | sort"),
        ("mkdocs", "none"),
    ] {
        let things = match items.contains("things.") {
            true => "{list: [], default: []}",
            false => "[]",
        };
        let text = format!(
            "---\ntitle: A\nthings: {things}\n---\na {{% for x in {items} %}}SECRET{{% else %}}b{{% endfor %}}."
        );
        let files: &[_] = match kind {
            "jekyll" => &[
                (
                    "_config.yml",
                    "title: T\nbeta: false\nnone: []\ndeep: {none: []}\nempty: {}\ncollections: {}\n",
                ),
                ("_data/flags.yml", "none: []\n"),
                ("_data/list.json", "[]\n"),
                ("_posts/2020-01-01-a.md", text.as_str()),
            ],
            "eleventy" => &[
                (".eleventy.js", "module.exports = {}"),
                ("_data/flags.json", "{\"live\": true, \"none\": []}"),
                ("_data/list.json", "[]"),
                ("a.md", text.as_str()),
            ],
            _ => &[
                (
                    "mkdocs.yml",
                    "site_name: X\nplugins: [macros]\nextra: {live: true, none: []}\n",
                ),
                ("docs/a.md", text.as_str()),
            ],
        };
        assert_eq!(words(files).0, "a b.", "{kind}: {items}");
    }
}

#[test]
fn rule_26_an_empty_list_is_false_in_jinja_alone() {
    let text = "---\ntitle: A\nthings: []\n---\na {% if things %}b{% else %}c{% endif %}.";
    let settings = "site_name: X\nplugins: [macros]\nextra: {live: true}\n";
    let mkdocs = [("mkdocs.yml", settings), ("docs/a.md", text)];
    assert_eq!(words(&mkdocs).0, "a c.");
    for (things, condition, shown) in [
        ("[]", "page.things", "a b."),
        ("[]", "page.things.size > 0", "a c."),
        ("[]", "page.things.size == 0", "a b."),
        ("[x, y]", "page.things.size > 1", "a b."),
    ] {
        let text = text.replace("if things", &format!("if {condition}"));
        let text = text.replace("[]", things);
        let jekyll = [
            ("_config.yml", "title: T\n"),
            ("_posts/2020-01-01-a.md", &text),
        ];
        assert_eq!(words(&jekyll).0, shown, "{condition}");
    }
}

#[test]
fn rule_26_a_loop_over_nothing_or_others_is_undecided() {
    let settings = "site_name: X\nplugins: [macros]\nextra: {live: true}\n";
    for items in ["absent | default([1])", "things + [1]", "absent or [1]"] {
        let text = format!(
            "---\ntitle: A\nthings: []\n---\na {{% for x in {items} %}}b{{% else %}}c{{% endfor %}}."
        );
        let files = [("mkdocs.yml", settings), ("docs/a.md", &text)];
        assert_eq!(words(&files).0, "a .", "{items}");
    }
}

#[test]
fn rule_26_a_text_whose_tags_are_off_shows_them() {
    const BODY: &str = "a {% if x %}b{% endif %} {{ y }} `{% raw %}`.";
    const SHOWN: &str = "a &#123;% if x %}b&#123;% endif %} &#123;{ y }} `{% raw %}`.";
    const MACROS: &str = "site_name: X\nplugins: [macros]\nextra: {x: false}\n";
    const ASKED: &str =
        "site_name: X\nplugins:\n  - macros:\n      render_by_default: false\nextra: {x: false}\n";
    const JEKYLL: (&str, &str) = ("_config.yml", "title: T\n");
    const ELEVENTY: (&str, &str) = (".eleventy.js", "module.exports = {}");
    const HEXO: (&str, &str) = ("scaffolds/post.md", "---\ntitle: {{ title }}\n---\n");
    const POST: &str = "_posts/2020-01-01-a.md";
    for (settings, path, key, is_off) in [
        (JEKYLL, POST, "render_with_liquid: false", true),
        (JEKYLL, POST, "render_with_liquid: true", false),
        (ELEVENTY, "a.md", "templateEngineOverride: md", true),
        (ELEVENTY, "a.md", "templateEngineOverride: njk,md", false),
        (HEXO, "source/_posts/a.md", "disableNunjucks: true", true),
        (HEXO, "source/_posts/a.md", "disableNunjucks: false", false),
        (
            ("mkdocs.yml", MACROS),
            "docs/a.md",
            "render_macros: false",
            true,
        ),
        (
            ("mkdocs.yml", MACROS),
            "docs/a.md",
            "ignore_macros: true",
            true,
        ),
        (
            ("mkdocs.yml", MACROS),
            "docs/a.md",
            "render_macros: true",
            false,
        ),
        (
            ("mkdocs.yml", ASKED),
            "docs/a.md",
            "render_macros: true",
            false,
        ),
        (("mkdocs.yml", ASKED), "docs/a.md", "title: A", true),
    ] {
        let text = format!("---\n{key}\n---\n{BODY}");
        let hexo = ("_config.yml", "title: T\n");
        let (shown, problems) =
            words(&[hexo, settings, (path, &text)][usize::from(settings != HEXO)..]);
        assert_eq!(shown == SHOWN, is_off, "{}: {key}: {shown}", settings.0);
        if is_off {
            assert_eq!(problems, Vec::<String>::new(), "{}: {key}", settings.0);
        }
    }
    // A folder can say so of all its texts.
    let all = "title: T\ndefaults:\n- scope: {path: ''}\n  values: {render_with_liquid: false}\n";
    let text = format!("---\ntitle: A\n---\n{BODY}");
    assert_eq!(words(&[("_config.yml", all), (POST, &text)]).0, SHOWN);
}

#[test]
fn other_plug_ins_include_files_in_a_text_without_macros() {
    let settings = "site_name: X\nplugins: [macros, include-markdown]\nextra: {x: false}\n";
    let text = "---\nrender_macros: false\n---\n{% include-markdown \"b.inc\" %}\n\n{% if x %}c";
    let files = [
        ("mkdocs.yml", settings),
        ("docs/a.md", text),
        ("docs/b.inc", "INC\n"),
    ];
    assert_eq!(words(&files).0, "INC\n\n&#123;% if x %}c");
}

#[test]
fn rule_26_tests_of_jinja_are_decided() {
    let extra = "extra: {live: true, beta: false, none: , list: []}";
    let settings = format!("site_name: X\nplugins: [macros]\n{extra}\n");
    for (condition, shown) in [
        ("live is defined", "a b."),
        ("absent is defined", "a c."),
        ("absent is not defined", "a b."),
        ("absent is undefined", "a b."),
        ("none is defined", "a b."),
        ("none is none", "a b."),
        ("list is defined and list", "a c."),
        ("beta is false", "a b."),
        ("live is false", "a c."),
        ("absent is true", "a c."),
        ("not absent is defined", "a b."),
        // Whether it is a text or a yes is not known, and what a plug-in tests is not either.
        ("live is true", "a ."),
        ("live is odd", "a ."),
        ("page.url is defined", "a ."),
    ] {
        let text = format!("a {{% if {condition} %}}b{{% else %}}c{{% endif %}}.");
        let files = [("mkdocs.yml", &*settings), ("docs/a.md", &text)];
        assert_eq!(words(&files).0, shown, "{condition}");
    }
}

#[test]
fn rule_26_the_usual_signs_are_text_where_a_site_has_its_own() {
    let settings = "site_name: X\nplugins:\n  - include-markdown\n  - macros:\n      j2_block_start_string: '[[%'\n      j2_block_end_string: '%]]'\nextra: {beta: false, v: '1.2'}\n";
    for (text, shown) in [
        (
            "a {% if beta %}b{% endif %}.",
            "a &#123;% if beta %}b&#123;% endif %}.",
        ),
        (
            "[[% if beta %]]b[[% endif %]]{% x %} {{ v }}.",
            "&#123;% x %} 1.2.",
        ),
        (
            "`{% x %}`\n\n{% include-markdown 'b.inc' %}",
            "`{% x %}`\n\nINC",
        ),
    ] {
        let files = [
            ("mkdocs.yml", settings),
            ("docs/a.md", text),
            ("docs/b.inc", "INC\n"),
        ];
        assert_eq!(words(&files).0, shown, "{text}");
    }
}

#[test]
fn rule_26_signs_of_tags_in_a_formula_are_part_of_it() {
    let settings = "site_name: X\nmarkdown_extensions: [pymdownx.arithmatex]\nplugins:\n  - macros:\n      j2_variable_start_string: '[['\n      j2_variable_end_string: ']]'\nextra: {v: '1.2'}\n";
    let files = [
        ("mkdocs.yml", settings),
        (
            "docs/a.md",
            "$x^{{2}} [[v]]$ and `{{ v }}` or [[ v ]].\n\n$$\n{{{a}}}\n$$",
        ),
    ];
    // The same formulas: the Markdown form has no braces that its reader may take for a tag.
    let shown = "$x^2 [[v]]$ and `{{ v }}` or 1.2.\n\n$$\n{ {{a}}}\n$$";
    assert_eq!(words(&files).0, shown);
}
