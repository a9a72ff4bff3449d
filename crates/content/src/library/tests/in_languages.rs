//! Translations by suffix and by folder: their slugs, addresses, and the site's own language.

use super::*;

fn stems(library: &Library) -> Vec<String> {
    let texts = library.articles.iter().chain(&library.pages);
    let mut stems: Vec<String> = texts
        .map(|text| format!("{} {}", text.language, text.stem))
        .collect();
    stems.sort();
    stems
}

fn leads(library: &Library, address: &str) -> String {
    let redirect = library.redirects.get(address);
    let redirect = redirect.or_else(|| library.redirects.get(format!("{address}/").as_str()));
    redirect.map(ToString::to_string).unwrap_or_default()
}

/// The part of a site that is read in `en`, `en-US` and so on.
fn language(configuration: (&str, &str)) -> (String, Vec<String>) {
    let files = [
        configuration,
        ("content/en/posts/a.md", "---\ndate: 2024-01-01\n---\nA."),
        ("content/fr/posts/a.md", "---\ndate: 2024-01-01\n---\nB."),
    ];
    let found = sources(&files);
    let settings = crate::dialects::settings(&found, None);
    (settings.language.unwrap_or_default(), stems(&build(&files)))
}

const SITE: (&str, &str) = (
    "hugo.toml",
    "title = 'X'\ndefaultContentLanguage = 'en'\n[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n",
);

#[test]
fn translations_share_their_slug() {
    let library = build(&[
        SITE,
        (
            "content/posts/b.md",
            "---\nslug: bee\ndate: 2024-01-01\n---\nB.",
        ),
        (
            "content/posts/b.fr.md",
            "---\nslug: bee\ndate: 2024-01-01\n---\nF.",
        ),
        ("content/posts/c/index.md", "---\nslug: sea\n---\nB."),
        ("content/posts/c/index.fr.md", "---\nslug: sea\n---\nF."),
        ("content/posts/d.md", "---\nslug: deed\n---\nD."),
        ("content/posts/d.fr.md", "---\nslug: acte\n---\nF."),
    ]);
    assert_eq!(
        stems(&library),
        [
            "en /articles/bee",
            "en /articles/deed",
            "en /articles/sea",
            "fr /articles/acte",
            "fr /articles/bee.fr",
            "fr /articles/sea.fr",
        ]
    );
    assert_eq!(library.problems, []);
    assert_eq!(library.report.notes, [""; 0]);
    for (address, to) in [
        ("/posts/bee", "/articles/bee"),
        ("/fr/posts/bee", "/articles/bee.fr"),
        ("/fr/posts/sea", "/articles/sea.fr"),
        ("/fr/posts/acte", "/articles/acte"),
    ] {
        assert_eq!(leads(&library, address), to, "{address}");
    }
}

#[test]
fn the_default_language_of_a_site_is_the_site_s_own() {
    let own = |text: &str| language(("hugo.toml", text));
    let (site, stems) = own(
        "defaultContentLanguage = 'en'\n[languages.en]\nlanguageCode = 'en-US'\ncontentDir = 'content/en'\n[languages.fr]\ncontentDir = 'content/fr'\n",
    );
    assert_eq!(site, "en-US");
    assert_eq!(stems[0], "en-US /articles/en/posts/a");
    let (site, _) = own(
        "[languages.en]\nlocale = 'en-GB'\ncontentDir = 'content/en'\n[languages.fr]\ncontentDir = 'content/fr'\n",
    );
    assert_eq!(site, "en-GB");
    let (site, stems) = own(
        "languageCode = 'en-us'\n[languages.en]\ncontentDir = 'content/en'\n[languages.fr]\ncontentDir = 'content/fr'\n",
    );
    assert_eq!(site, "en-US");
    assert_eq!(stems[0], "en-US /articles/en/posts/a");
    let (site, _) = own("languageCode = 'de'\n[languages.fr]\ncontentDir = 'content/fr'\n");
    assert_eq!(site, "de");
}

#[test]
fn of_an_alias_of_translations_the_default_language_has_it() {
    let alias = "---\naliases: [/about]\n---\nA.";
    let library = build(&[
        SITE,
        (
            "content/docs/a.de.md",
            "---\naliases: [/about]\nlang: de\n---\nA.",
        ),
        ("content/docs/a.fr.md", alias),
        ("content/docs/a.md", alias),
    ]);
    assert_eq!(leads(&library, "/about"), "/articles/docs/a");
    assert_eq!(library.problems, []);
    // Of one language, it is the mistake that it was.
    let library = build(&[
        SITE,
        ("content/docs/a.md", alias),
        ("content/docs/b.md", alias),
    ]);
    assert_eq!(library.problems.len(), 1);
}

#[test]
fn addresses_of_sections_and_languages_lead_to_their_lists() {
    let dated = |day: &str| format!("---\ndate: 2024-01-{day}\n---\nText.");
    let (first, second) = (dated("01"), dated("02"));
    let library = build(&[
        SITE,
        ("content/posts/a.md", &first),
        ("content/posts/a.fr.md", &first),
        ("content/posts/b.md", &second),
        ("content/posts/b.fr.md", &second),
    ]);
    for (address, to) in [
        ("/posts", "/articles/index"),
        ("/posts/index.xml", "/rss.xml"),
        ("/fr", "/languages/fr"),
        ("/fr/posts", "/languages/fr"),
        ("/fr/index.xml", "/languages/fr.rss"),
    ] {
        assert_eq!(leads(&library, address), to, "{address}");
    }
}

#[test]
fn addresses_of_sections_lead_to_their_pages() {
    let text = "Text. [b](/docs/b/) [up](../b/)";
    let of = |weight: usize| format!("---\nweight: {weight}\n---\n{text}");
    let (one, two, three) = (of(1), of(2), of(3));
    let library = build(&[
        SITE,
        ("content/docs/a/x.md", &one),
        ("content/docs/a/x.fr.md", &one),
        (
            "content/docs/b/_index.md",
            "---\ntitle: Bees\nweight: 2\n---\n",
        ),
        (
            "content/docs/b/_index.fr.md",
            "---\ntitle: Abeilles\nweight: 2\n---\n",
        ),
        ("content/docs/b/y.md", &two),
        ("content/docs/b/y.fr.md", &two),
        ("content/docs/b/z.md", &three),
    ]);
    assert_eq!(leads(&library, "/docs/b"), "/sections/bees");
    assert_eq!(leads(&library, "/fr/docs/b"), "/sections/fr/abeilles");
    let targets = |stem: &str| {
        let text = library.articles.iter().find(|text| &*text.stem == stem);
        let targets = text.unwrap().targets.iter();
        let stems = targets.filter_map(|target| match target {
            Target::Page { stem, .. } => Some(stem.to_string()),
            _ => None,
        });
        stems.collect::<Vec<_>>()
    };
    assert_eq!(
        targets("/articles/docs/a/x"),
        ["/sections/bees", "/sections/bees"]
    );
    assert_eq!(
        targets("/articles/docs/a/x.fr"),
        ["/sections/fr/abeilles", "/sections/fr/abeilles"]
    );
}
