//! Rule 38: a text that a language lacks is, in some generators, there in the default language.

use super::order::drawn;
use super::*;

pub fn redirects(library: &Library, beginning: &str) -> Vec<String> {
    let all = former(library).into_iter();
    all.filter(|line| line.starts_with(beginning)).collect()
}

const STARLIGHT: &str = "export default defineConfig({ integrations: [starlight({ title: 'T', defaultLocale: 'en', locales: { en: { label: 'English', lang: 'en' }, ar: { label: 'Arabic', lang: 'ar' } }, sidebar: ['zero', 'install', { label: 'Ropes', autogenerate: { directory: 'ropes' } }] })] });";

#[test]
fn rule_38_starlight_fills_in_the_default_language() {
    let library = build(&[
        ("astro.config.mjs", STARLIGHT),
        ("src/content/docs/en/zero.md", "---\ntitle: Zero\n---\nA."),
        (
            "src/content/docs/en/install.md",
            "---\ntitle: Install\n---\nB.",
        ),
        ("src/content/docs/en/ropes/a.md", "---\ntitle: A\n---\nC."),
        (
            "src/content/docs/en/draft.md",
            "---\ntitle: D\ndraft: true\n---\nD.",
        ),
        ("src/content/docs/ar/zero.md", "---\ntitle: Sifr\n---\nE."),
    ]);
    assert_eq!(
        redirects(&library, "/ar/"),
        [
            "/ar/install/ /articles/en/install",
            "/ar/ropes/a/ /articles/en/ropes/a",
            "/ar/zero/ /articles/ar/zero",
        ]
    );
    assert_eq!(
        drawn(&library),
        [
            "[en]",
            "Zero /en/zero",
            "Install /en/install",
            "Ropes",
            "  A /en/ropes/a",
            "[ar]",
            "Sifr /ar/zero",
            "Install (/articles/en/install)",
            "Ropes",
            "  A (/articles/en/ropes/a)",
        ]
    );
}

#[test]
fn rule_38_docusaurus_fills_in_the_default_language() {
    let library = build(&[
        (
            "docusaurus.config.js",
            "module.exports = { title: 'T', i18n: { defaultLocale: 'en', locales: ['en', 'de'] }, presets: [['classic', { docs: {}, blog: {} }]] };",
        ),
        ("docs/intro.md", "A."),
        ("docs/ropes.md", "B."),
        ("blog/2023-04-05-boat.md", "C."),
        (
            "i18n/de/docusaurus-plugin-content-docs/current/intro.md",
            "---\nslug: anfang\n---\nD.",
        ),
    ]);
    assert_eq!(
        redirects(&library, "/de/"),
        [
            "/de/blog/2023/04/05/boat /articles/blog/2023-04-05-boat",
            "/de/docs/anfang /articles/anfang",
            "/de/docs/intro /articles/anfang",
            "/de/docs/ropes /articles/ropes",
        ]
    );
}

#[test]
fn rule_38_mkdocs_fills_in_the_default_language_unless_told_otherwise() {
    let check = |fallback: &str, expected: &[&str]| {
        let config = format!(
            "site_name: T\nplugins:\n  - i18n:\n      docs_structure: folder\n{fallback}      languages:\n        - {{locale: en, default: true}}\n        - {{locale: fr}}\n"
        );
        let library = build(&[
            ("mkdocs.yml", &config),
            ("docs/en/a.md", "A."),
            ("docs/en/b.md", "B."),
            ("docs/fr/b.md", "C."),
        ]);
        assert_eq!(redirects(&library, "/"), expected);
    };
    check(
        "",
        &[
            "/a/ /articles/en/a",
            "/b/ /articles/en/b",
            "/fr/a/ /articles/en/a",
            "/fr/b/ /articles/fr/b",
        ],
    );
    check(
        "      fallback_to_default: false\n",
        &[
            "/a/ /articles/en/a",
            "/b/ /articles/en/b",
            "/fr/b/ /articles/fr/b",
        ],
    );
}

#[test]
fn rule_38_other_kinds_leave_missing_texts_out() {
    let library = build(&[
        (
            "hugo.toml",
            "baseURL = 'https://e.org'\ndefaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n",
        ),
        ("content/posts/a.md", "A."),
        ("content/posts/b.md", "B."),
        ("content/posts/b.de.md", "C."),
    ]);
    assert_eq!(redirects(&library, "/de/"), ["/de/posts/b/ /articles/b.de"]);
}
