//! Values and files of the site in its texts.

use super::*;

/// The twin of the first article at a source.
fn twin_of(files: &[(&str, &str)], source: &str) -> String {
    let library = build(files);
    let mut texts = library.articles.iter();
    let stem = texts.find(|text| &*text.source == source).unwrap();
    twin(&library, &stem.stem)
}

#[test]
fn snippets_are_found_in_the_folders_that_the_configuration_names() {
    let text = "# H\n\n--8<-- \"inc.md\"\n\n--8<-- \"s.md\"\n\nSee [x].\n";
    let files = [
        (
            "mkdocs.yml",
            "site_name: X\nmarkdown_extensions:\n  - abbr\n  - pymdownx.snippets:\n      base_path:\n        - docs/includes\n        - snip\n      auto_append: [links.md]\n",
        ),
        ("docs/includes/inc.md", "INC\n"),
        ("docs/includes/links.md", "[x]: https://x.org\n"),
        ("snip/s.md", "SNIP\n"),
        ("docs/index.md", "# Home\n\nHome [x].\n"),
        ("docs/a/b.md", text),
    ];
    let library = build(&files);
    assert_eq!(library.problems, []);
    assert_eq!(library.articles.len(), 1);
    assert_eq!(
        twin_of(&files, "docs/a/b.md"),
        "INC\n\nSNIP\n\nSee [x](https://x.org)."
    );
}

#[test]
fn an_include_of_mkdocs_counts_from_its_folder_of_texts() {
    let files = [
        ("mkdocs.yml", "site_name: X\nplugins: [include-markdown]\n"),
        ("docs/includes/inc.md", "INC\n"),
        ("docs/a/includes/inc.md", "BESIDE\n"),
        ("docs/index.md", "# Home\n\nHome.\n"),
        (
            "docs/a/b.md",
            "# H\n\n{% include-markdown \"includes/inc.md\" %}\n\n{% include-markdown \"./includes/inc.md\" %}\n\n{% include \"includes/inc.md\" %}\n",
        ),
    ];
    assert_eq!(twin_of(&files, "docs/a/b.md"), "INC\n\nBESIDE\n\nINC");
}

#[test]
fn macros_show_the_literals_of_the_configuration() {
    let text = "V {{ version }} {{ extra.version }} {{config.site_name}} [h]({{ links.home }}) {{ mine }} `{{ version }}`.";
    let of = |plugins: &str| {
        let config = format!(
            "site_name: X\n{plugins}extra:\n  version: \"1.2\"\n  mine: theirs\n  on: true\n  links: {{home: 'https://h.org'}}\n"
        );
        let text = format!("---\nmine: own\n---\n{text}");
        twin_of(
            &[
                ("mkdocs.yml", &config),
                ("docs/index.md", "Home."),
                ("docs/a.md", &text),
            ],
            "docs/a.md",
        )
    };
    assert_eq!(
        of("plugins: [macros]\n"),
        "V 1.2 1.2 X [h](https://h.org) own `{{ version }}`."
    );
    assert!(!of("").contains("1.2"));
}

#[test]
fn params_of_sections_and_of_the_site_are_shown() {
    let text =
        "V {{< param version >}} {{% param \"a.b\" %}} {{< param git >}} {{< param none >}}.";
    let files = [
        (
            "hugo.toml",
            "title = 'X'\n[params]\nversion = '1.2'\ngit = 'v1'\n[params.a]\nb = 'deep'\n",
        ),
        (
            "content/posts/_index.md",
            "---\ncascade:\n  params:\n    git: v8\n---\n",
        ),
        (
            "content/posts/new/_index.md",
            "---\ncascade:\n  git: v9\n---\n",
        ),
        ("content/posts/a.md", text),
        ("content/posts/new/b.md", text),
        (
            "content/other/c.md",
            &format!("---\nversion: 3\n---\n{text}"),
        ),
    ];
    let of = |source: &str| twin_of(&files, source);
    assert_eq!(of("content/posts/a.md"), "V 1.2 deep v8 .");
    assert_eq!(of("content/posts/new/b.md"), "V 1.2 deep v9 .");
    let library = build(&files);
    let other = library.pages.iter().find(|page| page.stem.contains("/c"));
    assert_eq!(other.map(|page| &*page.stem), Some("/other/c"));
}

#[test]
fn the_default_language_names_a_site() {
    let settings = |text: &str| {
        let sources = sources(&[("hugo.yaml", text), ("content/a.md", "A.")]);
        let settings = crate::dialects::settings(&sources, None);
        [settings.title, settings.description].map(Option::unwrap_or_default)
    };
    assert_eq!(
        settings("languages:\n  en:\n    title: Real\n    params:\n      description: Words\n"),
        ["Real", "Words"]
    );
    assert_eq!(
        settings(
            "title: Site\ndefaultContentLanguage: fr\nlanguages:\n  en: {title: English}\n  fr: {title: French}\n"
        ),
        ["French", ""]
    );
    assert_eq!(
        settings("title: Site\nparams: {description: D}\n"),
        ["Site", "D"]
    );
}

#[test]
fn a_program_names_a_site() {
    let said = |files: &[(&str, &str)]| {
        let sources = sources(&[files, &[("docs/a.md", "A."), ("posts/a.md", "A.")]].concat());
        let address = crate::dialects::site_address(&sources, None);
        let settings = crate::dialects::settings(&sources, None);
        [
            settings.title,
            settings.description,
            settings.author,
            settings.language,
            address.map(|(file, address)| format!("{address} of {file}")),
        ]
        .map(Option::unwrap_or_default)
    };
    let pelican = "AUTHOR = 'Ann'\nSITENAME = 'Notes'  # short\nSITESUBTITLE = \"Of Ann's\"\nSITEURL = ''\nDEFAULT_LANG = 'de'\n";
    assert_eq!(
        said(&[
            ("pelicanconf.py", pelican),
            (
                "publishconf.py",
                "from pelicanconf import *\nSITEURL = 'https://example.org'\n"
            ),
        ]),
        [
            "Notes",
            "Of Ann's",
            "Ann",
            "de",
            "https://example.org of pelicanconf.py"
        ]
    );
    let nikola = "POSTS = ((\"posts/*.md\", \"posts\", \"post.tmpl\"),)\nBLOG_TITLE = \"N\"\nBLOG_AUTHOR = \"Ben\"\nBLOG_DESCRIPTION = f\"{X}\"\nSITE_URL = \"https://example.org/\"\nDEFAULT_LANG = \"fr\"\n";
    assert_eq!(
        said(&[("conf.py", nikola)]),
        ["N", "", "Ben", "fr", "https://example.org of conf.py"]
    );
    let sphinx = "project = 'Boats'\nauthor = 'All of us'\nhtml_title = project + ' 2'\nextensions = []\nlanguage = 'pt_BR'\n";
    assert_eq!(
        said(&[("docs/conf.py", sphinx)]),
        ["Boats 2", "", "", "pt-BR", ""]
    );
}
