//! Folders of several kinds, with the word wherever a reader must never find it. What follows the
//! word names the place.

/// A folder: what it is called, and its files.
pub struct Folder(
    pub &'static str,
    pub &'static [(&'static str, &'static str)],
);

pub const FOLDERS: &[Folder] = &[
    Folder("plain", PLAIN),
    Folder("trust", TRUST),
    Folder("states", STATES),
    Folder("jekyll", JEKYLL),
    Folder("hugo", HUGO),
    Folder("obsidian", OBSIDIAN),
    Folder("docusaurus", DOCUSAURUS),
    Folder("mkdocs", MKDOCS),
];

/// Texts whose keys are not quite right: their authors did not mean to publish.
const TRUST: &[(&str, &str)] = &[
    (
        "articles/open.md",
        "---\ntitle: Open\ntags: [open]\n---\n\nWords, and [more](perhaps.md) and [a name](misspelled.md).\n\n![[perhaps]]\n",
    ),
    (
        "articles/perhaps.md",
        "---\ntitle: canarybird\nslug: canarybird-a\ntags: [canarybird]\nauthor: canarybird\naliases: [/canarybird/a]\ndraft: yes please\n---\n\ncanarybird\n",
    ),
    (
        "articles/one.md",
        "---\ntitle: canarybird\nslug: canarybird-b\ndraft: 1\n---\n\ncanarybird\n",
    ),
    (
        "articles/misspelled.md",
        "---\ntitle: canarybird\nslug: canarybird-c\ntags: [canarybird]\ndarft: true\n---\n\ncanarybird\n",
    ),
    (
        "articles/unpublished.md",
        "---\ntitle: canarybird\nslug: canarybird-d\npublised: false\n---\n\ncanarybird\n",
    ),
    (
        "articles/soon.md",
        "---\ntitle: canarybird\nslug: canarybird-e\ndate: when it is done\n---\n\ncanarybird\n",
    ),
    (
        "articles/never.md",
        "---\ntitle: canarybird\nslug: canarybird-f\nexpiryDate: end of summer\n---\n\ncanarybird\n",
    ),
    (
        "articles/twice.md",
        "---\ntitle: canarybird\nslug: canarybird-g\ndraft: true\ndraft: false\n---\n\ncanarybird\n",
    ),
    (
        "articles/program.md",
        "---js\nconst title = \"canarybird\";\nconst draft = true;\n---\n\ncanarybird\n",
    ),
    (
        "articles/computed.md",
        "---js\n{ title: \"canarybird\", slug: \"canarybird-p\", draft: !canarybird }\n---\n\ncanarybird\n",
    ),
    (
        "articles/coffee.md",
        "---coffee\ntitle: \"canarybird\"\n---\n\ncanarybird\n",
    ),
    (
        "articles/helper.md",
        "---js\nconst title = \"Helper\";\nconst secret = \"canarybird\";\n---\n\nWords.\n",
    ),
    (
        "articles/broken.md",
        "+++\ntitle = \"canarybird\"\nslug = \"canarybird-h\"\ndraft = True\n+++\n\ncanarybird\n",
    ),
    (
        "articles/comma.md",
        "{\n  \"title\": \"canarybird\",\n  \"draft\": true,\n}\n\ncanarybird\n",
    ),
    (
        "articles/open-end.md",
        "---\ntitle: canarybird\na stray line\ndraft: true\n\ncanarybird\n",
    ),
    (
        "articles/members.md",
        "---\ntitle: canarybird\nvisibility: members\n---\n\ncanarybird\n",
    ),
    (
        "articles/state.md",
        "---\ntitle: canarybird\nstatus: drfat\n---\n\ncanarybird\n",
    ),
    (
        "notes/page.md",
        "---\ntitle: canarybird\ndraft: perhaps\n---\n\ncanarybird\n",
    ),
];

/// A folder without a generator, where most values of `status` are not states of publication.
const STATES: &[(&str, &str)] = &[
    (
        "articles/a.md",
        "---\ntitle: A\nstatus: Final\n---\n\nWords.\n",
    ),
    (
        "articles/b.md",
        "---\ntitle: B\nstatus: Review\n---\n\nWords.\n",
    ),
    (
        "articles/c.md",
        "---\ntitle: C\nstatus: Living\n---\n\nWords.\n",
    ),
    (
        "articles/d.md",
        "---\ntitle: canarybird\nslug: canarybird\nstatus: Draft\n---\n\ncanarybird\n",
    ),
];

const PLAIN: &[(&str, &str)] = &[
    (
        "diglot.toml",
        "# canarybird in a comment of the settings\ntitle = \"Birds\"\n",
    ),
    (
        "articles/canarybird-name-of-a-source.md",
        "---\ntitle: Open\nslug: open\ndate: 2024-05-06\ndescription: All may read this. # canarybird in a comment of YAML\n\
         # canarybird in a line of YAML\ninternal_note: canarybird in a private key\nreviewer:\n  name: canarybird in a private map\n  list: [canarybird]\n---\n\n\
         Some words<!-- canarybird in HTML --> and more.\n\n<!--\ncanarybird in a block\n\n# canarybird in a heading of a comment\n-->\n\n\
         <div><!-- canarybird in an element --><p>Inside.</p></div>\n\n\
         [//]: # (canarybird in a definition)\n[comment]: <> (canarybird in another)\n[unused]: https://example.org/canarybird \"never used\"\n\n\
         {% comment %}canarybird in a template{% endcomment %}\n\n{# canarybird in Jinja #}\n\n{{!-- canarybird in Handlebars --}}\n\n{{/* canarybird in Hugo */}}\n\n\
         {% include canarybird-partial.html secret=\"canarybird\" %}\n\n{{ site.canarybird }}\n\n\
         | A | B |\n|---|---|\n| one <!-- canarybird in a cell --> | two |\n\n- item <!-- canarybird in an item -->\n\n> quote <!-- canarybird in a quote -->\n\n\
         Note[^1].\n\n[^1]: Words <!-- canarybird in a footnote -->\n\n[^canarybird]: canarybird in a footnote that nobody names\n\n\
         <!-- canarybird: never closed\n\n# canarybird below\n",
    ),
    (
        "articles/toml.md",
        "+++\ntitle = \"TOML\"\ndate = 2024-05-07\n# canarybird in a comment of TOML\nsecret = \"canarybird\"\n[private]\nkey = \"canarybird\"\n+++\n\nWords. <!--canarybird-->\n",
    ),
    (
        "articles/json.md",
        "{\"title\": \"JSON\", \"date\": \"2024-05-08\", \"secret\": \"canarybird\", \"deep\": {\"er\": [\"canarybird\"]}}\n\nWords.\n",
    ),
    (
        "articles/page.html",
        "<!doctype html>\n<!-- canarybird at the top -->\n<html><head><title>Page</title><meta name=\"date\" content=\"2024-05-09\">\
         <meta name=\"internal\" content=\"canarybird in a meta\"><!-- canarybird in the head --></head>\n<body><main><h1>Page</h1><!-- canarybird in the body -->\
         <!--[if IE]><p>canarybird for a browser of old</p><![endif]--><p>Words<!-- canarybird -->.</p>{% comment %}canarybird{% endcomment %}</main></body></html>\n",
    ),
    (
        "articles/draft-canarybird.md",
        "---\ntitle: canarybird draft\ndraft: true\ndate: 2024-01-01\ntags: [canarybird]\nauthor: canarybird\naliases: [/old/canarybird]\n---\n\ncanarybird\n",
    ),
    (
        "articles/unpublished.md",
        "---\ntitle: canarybird unpublished\npublished: false\nslug: canarybird-slug\n---\n\ncanarybird\n",
    ),
    (
        "articles/status.md",
        "---\ntitle: canarybird status\nstatus: draft\n---\n\ncanarybird\n",
    ),
    (
        "articles/scheduled.md",
        "---\ntitle: canarybird scheduled\nslug: canarybird-later\ndate: 2999-01-01\ntags: [canarybird]\n---\n\ncanarybird\n",
    ),
    (
        "articles/expired.md",
        "---\ntitle: canarybird expired\ndate: 2023-01-01\nexpiryDate: 2023-02-01\ntags: [canarybird]\n---\n\ncanarybird\n",
    ),
    (
        "articles/_drafts/canarybird.md",
        "# canarybird in a folder of drafts\n\ncanarybird\n",
    ),
    (
        "drafts/canarybird.md",
        "---\ndraft: true\n---\n# canarybird draft page\n\ncanarybird\n",
    ),
    (
        "articles/_partial-canarybird.md",
        "canarybird in a partial\n",
    ),
    (
        "articles/.canarybird.md",
        "# canarybird hidden\n\ncanarybird\n",
    ),
    (
        ".canarybird/secret.md",
        "# canarybird in a hidden folder\n\ncanarybird\n",
    ),
    (".env", "SECRET=canarybird\n"),
    (
        ".git/config",
        "[remote]\nurl = https://canarybird@example.org\n",
    ),
    (
        "articles/pointing.md",
        "---\ntitle: Pointing\ndate: 2024-05-10\n---\n\nTo [what comes](draft-canarybird.md) and [later](scheduled.md), [gone](expired.md).\n",
    ),
    (
        "about.md",
        "---\ntitle: About\nsecret: canarybird\n---\n\nAbout us. <!-- canarybird -->\n",
    ),
];

const JEKYLL: &[(&str, &str)] = &[
    (
        "_config.yml",
        "title: Birds\n# canarybird\nsecret_token: canarybird\ngithub_username: canarybird\n",
    ),
    (
        "_posts/2024-05-06-open.md",
        "---\nlayout: canarybird\ntitle: Open\nsecret: canarybird\n---\n\nWords.\n\n{% comment %}\ncanarybird\n{% endcomment %}\n\n{%- comment -%} canarybird {%- endcomment -%}\n\n\
         {% assign x = \"canarybird\" %}\n\n{% if page.canarybird %}words{% endif %}\n\n{{ page.canarybird }}\n\nWords\n{: .canarybird data-x=\"canarybird\"}\n\n{::comment}\ncanarybird in kramdown\n{:/comment}\n",
    ),
    (
        "_posts/2024-05-07-hidden.md",
        "---\ntitle: canarybird\npublished: false\n---\n\ncanarybird\n",
    ),
    (
        "_posts/2999-05-07-canarybird.md",
        "---\ntitle: canarybird scheduled\n---\n\ncanarybird\n",
    ),
    (
        "_drafts/canarybird.md",
        "---\ntitle: canarybird\n---\n\ncanarybird\n",
    ),
    ("_data/secret.yml", "key: canarybird\n"),
    (
        "_includes/partial.html",
        "<p>canarybird <!-- canarybird --></p>\n",
    ),
    (
        "_layouts/default.html",
        "<!-- canarybird -->{{ content }}\n",
    ),
];

const HUGO: &[(&str, &str)] = &[
    (
        "hugo.toml",
        "title = \"Birds\"\n# canarybird\n[params]\nsecret = \"canarybird\"\n",
    ),
    (
        "content/posts/open.md",
        "+++\ntitle = \"Open\"\ndate = 2024-05-06\nsecret = \"canarybird\"\n+++\n\nWords.\n\n{{/* canarybird */}}\n\n{{% comment %}}canarybird{{% /comment %}}\n\n\
         {{< unknown secret=\"canarybird\" >}}\n\n<!--more-->\n\nMore.\n",
    ),
    (
        "content/posts/draft.md",
        "---\ntitle: canarybird\ndraft: true\ndate: 2024-05-06\n---\n\ncanarybird\n",
    ),
    (
        "content/posts/later.md",
        "---\ntitle: canarybird\npublishDate: 2999-05-06\ndate: 2024-05-06\n---\n\ncanarybird\n",
    ),
    (
        "content/headless/index.md",
        "---\ntitle: canarybird\nheadless: true\n---\n\ncanarybird\n",
    ),
    ("layouts/index.html", "<!-- canarybird -->\n"),
    (
        "archetypes/default.md",
        "---\ntitle: canarybird\ndraft: true\n---\n",
    ),
];

const OBSIDIAN: &[(&str, &str)] = &[
    (
        ".obsidian/workspace.json",
        "{\"lastOpenFiles\": [\"canarybird.md\"]}\n",
    ),
    ("diglot.toml", "title = \"Birds\"\n"),
    (
        "Open.md",
        "---\ndate: 2024-05-06\npassword: canarybird\n---\n\nWords %%canarybird in a line%% and [[Other]].\n\n%%\ncanarybird in a block\n\n# canarybird heading\n%%\n\nEnd. ![[Other]]\n",
    ),
    (
        "Other.md",
        "---\ndate: 2024-05-07\n---\n\nOther words. %% canarybird %%\n\n<!-- canarybird -->\n",
    ),
    (
        "Secret canarybird.md",
        "---\npublish: false\n---\n\ncanarybird\n",
    ),
    (".trash/canarybird.md", "canarybird\n"),
];

const DOCUSAURUS: &[(&str, &str)] = &[
    (
        "docusaurus.config.js",
        "// canarybird\nmodule.exports = { title: 'Birds', customFields: { secret: 'canarybird' } };\n",
    ),
    (
        "docs/open.mdx",
        "---\ntitle: Open\nsecret: canarybird\n---\nimport Canarybird from './canarybird';\n\nexport const secret = 'canarybird';\n\nWords {/* canarybird in MDX */} and more.\n\n{/*\ncanarybird in a block\n*/}\n\n\
         <Tabs secret=\"canarybird\">Inside.</Tabs>\n\n{canarybird.expression}\n",
    ),
    (
        "docs/draft.md",
        "---\ntitle: canarybird\ndraft: true\n---\n\ncanarybird\n",
    ),
    ("src/secret.js", "// canarybird\n"),
];

const MKDOCS: &[(&str, &str)] = &[
    (
        "mkdocs.yml",
        "site_name: Birds\n# canarybird\nextra:\n  secret: canarybird\n",
    ),
    (
        "docs/index.md",
        "# Open\n\nWords. {# canarybird #}\n\n<!-- canarybird -->\n\n{% set x = 'canarybird' %}\n",
    ),
    (
        "docs/next.md",
        "---\nsecret: canarybird\n---\n# Next\n\nWords\n{: .canarybird }\n",
    ),
    (
        "docs/draft.md",
        "---\ndraft: true\n---\n# canarybird\n\ncanarybird\n",
    ),
];
