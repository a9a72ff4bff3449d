//! What generators publish by settings for many texts at once, and how they order it.

use super::scope::{check_canaries, everything};
use super::*;

#[test]
fn rule_26_a_cascade_in_the_configuration_of_hugo_withholds() {
    let public = [
        ("content/posts/a.md", "---\ntitle: A\n---\nwords\n"),
        (
            "content/drafts/open.md",
            "---\ntitle: O\ndraft: false\n---\nwords\n",
        ),
        (
            "content/near/_index.md",
            "---\ncascade: {draft: false}\n---\n",
        ),
        ("content/near/drafts/b.md", "---\ntitle: B\n---\nwords\n"),
        ("content/pages/drafts.md", "---\ntitle: D\n---\nwords\n"),
    ];
    let expected = [
        "content/drafts/open.md /drafts/open",
        "content/near/drafts/b.md /near/drafts/b",
        "content/pages/drafts.md /pages/drafts",
        "content/posts/a.md /articles/a",
    ];
    for config in [
        "[[cascade]]\ndraft = true\n[cascade.target]\npath = '/{drafts,near/drafts}/**'\n",
        "[[cascade]]\ndraft = true\n[cascade._target]\npath = '{/drafts/**,/near/**}'\n",
        "[[cascade]]\n[cascade.params]\ndraft = true\n[cascade.target]\npath = '/Drafts/*'\nkind = 'page'\n",
    ] {
        let config = format!("title = 'H'\n{config}");
        let files: Vec<(&str, &str)> = [("hugo.toml", config.as_str())]
            .into_iter()
            .chain(public)
            .collect();
        check_canaries(&files, &["content/drafts/x.md"], &expected);
    }
    let file = (
        "config/_default/hugo.yaml",
        "title: H\ncascade: {draft: true}\n",
    );
    check_canaries(
        &[
            file,
            ("content/a.md", "---\ntitle: A\ndraft: false\n---\nwords\n"),
        ],
        &["content/x.md", "content/deep/x.md"],
        &["content/a.md /articles/a"],
    );
}

#[test]
fn rule_26_what_a_cascade_keeps_out_of_lists_is_in_none() {
    let config = "title: H\ncascade:\n- build: {list: never}\n  target: {path: '/hidden/**'}\n";
    let library = build(&[
        ("hugo.yaml", config),
        ("content/hidden/a.md", "---\ntitle: A\n---\nwords\n"),
        (
            "content/hidden/b.md",
            "---\ntitle: B\nbuild: {list: always}\n---\nwords\n",
        ),
        ("content/c.md", "---\ntitle: C\n---\nwords\n"),
    ]);
    let listed = library.articles.iter().filter(|text| text.listed);
    let mut listed: Vec<&str> = listed.map(|text| &*text.title).collect();
    listed.sort_unstable();
    assert_eq!((listed, library.articles.len()), (vec!["B", "C"], 3));
}

#[test]
fn rule_26_mounts_of_hugo_leave_files_out() {
    for filter in [
        "excludeFiles = 'secret/**'",
        "excludeFiles = ['x.md', 'secret/*.md']",
        "includeFiles = ['*.md', 'deep/**']\nexcludeFiles = 'x.md'",
        "files = ['! secret/**', '! x.md']",
    ] {
        let config =
            format!("[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n{filter}\n");
        let mut secret = vec!["content/secret/x.md"];
        if filter.contains("x.md") {
            secret.push("content/x.md");
        }
        check_canaries(
            &[
                ("hugo.toml", &config),
                ("content/a.md", "---\ntitle: A\n---\nwords\n"),
                ("content/deep/b.md", "---\ntitle: B\n---\nwords\n"),
            ],
            &secret,
            &[
                "content/a.md /articles/a",
                "content/deep/b.md /articles/deep/b",
            ],
        );
    }
}

#[test]
fn rule_26_what_a_data_file_of_eleventy_computes_withholds_nothing() {
    let program = "const isDev = require('../_data/dev')();
function isShown(data) {
  if (isDev) return true;
  const isDraft = \"draft\" in data && data.draft !== false;
  return !isDraft;
}
module.exports = () => {
  return {
    eleventyComputed: {
      eleventyExcludeFromCollections: (data) => isShown(data) ? data.x : true,
      permalink: (data) => (isShown(data) ? data.permalink : false),
      draft: function (data) { return true; },
      unlisted: async (data) => true,
    },
    tags: ['post', 'own'],
  };
};";
    let eleventy = "module.exports = function (c) { return { templateFormats: ['md'] }; };";
    let library = build(&[
        (".eleventy.js", eleventy),
        ("posts/posts.11tydata.js", program),
        ("posts/a.md", "---\ntitle: A\n---\nwords\n"),
        (
            "posts/b.md",
            "---\ntitle: B\nscheduled: 2099-01-01\n---\nwords\n",
        ),
        (
            "posts/no/no.11tydata.js",
            "export default { permalink: false }",
        ),
        ("posts/no/c.md", "---\ntitle: C\n---\nwords\n"),
    ]);
    let texts: Vec<(&str, bool)> = library
        .articles
        .iter()
        .map(|text| (&*text.title, text.listed))
        .collect();
    assert_eq!(texts, [("A", true)]);
    assert_eq!(library.articles[0].tags[0].name.to_string(), "own");
    let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "posts/posts.11tydata.js:11:18: warning: `permalink` is not read: a program computes it\n  hint: its texts are published; write old addresses as `aliases` in their front matter"
        ]
    );
}

/// The stems of the articles in the order of the tree, or of the lists.
fn zola(files: &[(&str, &str)]) -> Vec<String> {
    let mut all = vec![("config.toml", "base_url = 'https://e.org'\n")];
    all.extend_from_slice(files);
    super::order::drawn(&build(&all))
}

#[test]
fn rule_44_sections_of_zola_order_their_texts() {
    let text = |facts: &str| format!("+++\n{facts}\n+++\nwords");
    let a = text("title = 'Z'\nweight = 3\nupdated = 2020-01-03");
    let b = text("title = 'Y'\nweight = 1\nupdated = 2020-01-01");
    let c = text("title = 'X'\nweight = 2\nupdated = 2020-01-02");
    for (sort, expected) in [
        ("sort_by = 'weight'", ["b", "c", "a"]),
        ("sort_by = 'title'", ["c", "b", "a"]),
        ("sort_by = 'update_date'", ["a", "c", "b"]),
        ("sort_by = 'none'", ["a", "b", "c"]),
    ] {
        for body in ["", "words"] {
            let index = format!("+++\ntitle = 'S'\n{sort}\n+++\n{body}");
            let found = zola(&[
                ("content/docs/_index.md", &index),
                ("content/docs/a.md", &a),
                ("content/docs/b.md", &b),
                ("content/docs/c.md", &c),
                ("content/more/d.md", &a),
            ]);
            let found: Vec<&str> = found
                .iter()
                .filter_map(|line| line.trim().split_once(" /docs/"))
                .map(|(_, name)| name)
                .collect();
            assert_eq!(found, expected, "{sort} {body}");
        }
    }
}

#[test]
fn rule_44_texts_of_a_transparent_section_belong_to_the_one_above() {
    let found = zola(&[
        (
            "content/docs/_index.md",
            "+++\ntitle = 'Docs'\nsort_by = 'weight'\n+++\n",
        ),
        (
            "content/docs/a.md",
            "+++\ntitle = 'A'\nweight = 2\n+++\nwords",
        ),
        (
            "content/docs/inner/_index.md",
            "+++\ntransparent = true\n+++\n",
        ),
        (
            "content/docs/inner/b.md",
            "+++\ntitle = 'B'\nweight = 1\n+++\nwords",
        ),
        (
            "content/docs/other/c.md",
            "+++\ntitle = 'C'\nweight = 3\n+++\nwords",
        ),
    ]);
    assert_eq!(
        found,
        ["B /docs/inner/b", "A /docs/a", "Other", "  C /docs/other/c"]
    );
}

#[test]
fn rule_45_slugify_of_zola_is_read() {
    for (paths, address) in [
        ("on", "/some/a-b/"),
        ("safe", "/Some/A b/"),
        ("off", "/Some/A* b/"),
    ] {
        let library = build(&[
            (
                "config.toml",
                &format!("base_url = 'https://e.org'\n[slugify]\npaths = '{paths}'\n"),
            ),
            (
                "content/Some/2020-01-02-A* b.md",
                "+++\ntitle = 'A'\n+++\nwords",
            ),
        ]);
        assert!(
            library.redirects.contains_key(address),
            "{paths} {:?}",
            library.redirects.keys()
        );
    }
}

#[test]
fn rule_53_values_of_the_configuration_of_jekyll_are_filled_in() {
    let library = build(&[
        (
            "_config.yml",
            "title: My site\nbaseurl: /base\nauthor:\n  email: a@example.org\nversion: 1.10\ncomments: true\n",
        ),
        (
            "_posts/2020-01-02-a.md",
            "---\ntitle: A\n---\n{{- site.title -}}, {{ site.author.email | escape }}, {{ site.version }}, {{ site.unknown }}[b]({{ site.baseurl }}/about/). {#- gone -#}{% if site.title %}yes{% else %}no{% endif %}",
        ),
        ("about.md", "---\ntitle: B\n---\nwords"),
    ]);
    let twin = everything(&library);
    assert!(
        twin.contains("My site, [a@example.org](mailto:a@example.org), 1.10, [b](https://example.org/about.md). yes"),
        "{twin}"
    );
}

#[test]
fn contract_6_what_the_configuration_of_jekyll_switches_off_is_not_shown() {
    let config = "title: J\nbeta: false\nlinks: [a]\ncollections:\n  notes: {output: true}\n";
    for (condition, expected) in [
        ("site.beta", "no"),
        ("site.absent", "no"),
        ("site.title", "yes"),
        ("undefined_name", "no"),
        ("page.tags contains 'x'", "no"),
        ("page.tags contains 'a'", "yes"),
        ("1 > 3", "no"),
        ("site.notes", "yes"),
    ] {
        let text = format!(
            "---\ntitle: A\ntags: [a]\n---\n{{% if {condition} %}}it says yes{{% else %}}it says no{{% endif %}}"
        );
        let library = build(&[("_config.yml", config), ("_posts/2020-01-02-a.md", &text)]);
        let twin = everything(&library);
        assert!(
            twin.contains(&format!("it says {expected}")),
            "{condition}: {twin}"
        );
    }
}

#[test]
fn rule_37_a_section_in_another_language_is_no_partial() {
    let library = build(&[
        (
            "hugo.toml",
            "defaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n",
        ),
        ("content/docs/_index.md", "---\ntitle: Docs\n---\nwords"),
        ("content/docs/_index.de.md", "---\ntitle: Texte\n---\nWorte"),
        ("content/docs/a.md", "---\ntitle: A\n---\nwords"),
        ("content/docs/a.de.md", "---\ntitle: A\n---\nWorte"),
        ("content/_index.de.md", "---\ntitle: Start\n---\nWillkommen"),
        ("content/_index.md", "---\ntitle: Home\n---\nWelcome"),
        ("content/_part.md", "---\ntitle: Part\n---\nwords"),
    ]);
    let texts = library.articles.iter().chain(&library.pages);
    let mut texts: Vec<String> = texts
        .map(|text| format!("{} {} {}", text.source, text.stem, text.language))
        .collect();
    texts.sort_unstable();
    assert_eq!(
        texts,
        [
            "content/_index.de.md /de de",
            "content/_index.md /index en",
            "content/_part.md /articles/_part en",
            "content/docs/_index.de.md /articles/docs/index.de de",
            "content/docs/_index.md /articles/docs en",
            "content/docs/a.de.md /articles/docs/a.de de",
            "content/docs/a.md /articles/docs/a en",
        ]
    );
    for address in ["/de/docs/", "/de/docs/a/"] {
        assert!(
            library.redirects.contains_key(address),
            "{address} {:?}",
            library.redirects.keys()
        );
    }
}

#[test]
fn rule_26_what_pelican_leaves_out_by_constants_is_not_published() {
    let settings = "HIDE = ['drafts', 'notes']\nARTICLE_EXCLUDES = HIDE\nIGNORE_FILES = ['.#*'] + ['b.md']\nPATH = os.path.join(os.path.dirname(__file__), 'src', 'content')\n";
    let secret = "Title: S\nDate: 2020-01-01\n\nSECRET\n";
    let library = build(&[
        ("pelicanconf.py", settings),
        ("src/content/a.md", "Title: A\nDate: 2020-01-01\n\nText.\n"),
        ("src/content/drafts/d.md", secret),
        ("src/content/notes/n.md", secret),
        ("src/content/b.md", secret),
        ("src/notes/n.md", secret),
    ]);
    assert_eq!(library.articles.len() + library.pages.len(), 1);
    assert!(!super::scope::everything(&library).contains("SECRET"));
    assert_eq!(library.problems, []);
}
