use super::*;
use crate::model::problem::Problem;
use crate::model::site::{BaseUrl, Pictures, TagField};

const WHOLE: &str = "title = 'A'\nbase_url = \"https://example.org/blog/\"\nlanguage = 'pt_br'\narticles = './posts/'\nsanitize = true\n\n[signals]\nai_train = true\n\n[cache]\nmax_age = 60\n";

fn told(problems: &[Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|problem| problem.to_string().replace("\n  hint: ", " | "))
        .collect()
}

fn base() -> BaseUrl {
    BaseUrl::parse("http://localhost:8080").unwrap()
}

#[test]
fn pictures_are_one_of_three_kinds() {
    let site = |text: &str| {
        Settings::parse(text, FILE)
            .0
            .into_site("Default", base())
            .map(|site| site.pictures)
    };
    assert_eq!(site(""), Ok(Pictures::Site));
    assert_eq!(site("pictures = 'articles'"), Ok(Pictures::Articles));
    assert_eq!(site("pictures = 'none'"), Ok(Pictures::None));
    let wrong = site("pictures = 'article'").unwrap_err();
    assert_eq!(
        told(&wrong),
        ["diglot.toml:1:12: unknown value of `pictures`: `article` | did you mean `articles`?"]
    );
    assert_eq!(
        told(&Settings::parse("pictures = true", FILE).1),
        ["diglot.toml:1:12: `pictures` must be text | put it in quotes"]
    );
}

#[test]
fn rule_49_the_larger_site_has_an_origin_and_a_prefix() {
    let links = |text: &str| {
        let settings = Settings::parse(&format!("[links]\n{text}"), FILE).0;
        let site = settings.into_site("Default", base());
        site.map(|site| site.links)
            .map_err(|problems| told(&problems))
    };
    let both = links("origin = 'https://Example.org/'\nprefix = 'docs/v1/'").unwrap();
    assert_eq!(both.origin.as_deref(), Some("https://example.org"));
    assert_eq!(both.prefix.as_deref(), Some("/docs/v1"));
    assert_eq!(links("prefix = '/'").unwrap().prefix, None);
    assert_eq!(
        links("origin = 'https://example.org/docs'\nprefix = '/a/../b'").unwrap_err(),
        [
            "diglot.toml:2:10: `links.origin` is not valid: `https://example.org/docs` has a path | write scheme and host, such as `https://example.org`",
            "diglot.toml:3:10: `links.prefix` is not a path: `/a/../b` | write the beginning of the old addresses, such as `/docs`"
        ]
    );
}

#[test]
fn nav_is_a_list_or_a_table_with_links_and_an_order() {
    let nav = |text: &str| {
        let (settings, problems) = Settings::parse(text, FILE);
        assert_eq!(told(&problems), [""; 0], "{text}");
        let site = settings.into_site("T", base()).unwrap();
        (site.nav.len(), site.frame.links.map(|links| links.len()))
    };
    assert_eq!(nav("nav = ['a.md', 'b.md']"), (2, None));
    assert_eq!(nav("[[nav]]\nlink = 'a.md'"), (1, None));
    assert_eq!(nav("[nav]\norder = ['a.md']"), (1, None));
    assert_eq!(nav("[nav]\nlinks = []"), (0, Some(0)));
    let both =
        "[nav]\norder = [{ folder = 'a' }]\nlinks = ['a.md', { title = 'G', items = ['b.md'] }]";
    assert_eq!(nav(both), (1, Some(2)));
}

#[test]
fn one_accent_gives_shades_that_can_be_read_and_two_are_taken_as_they_are() {
    let accent = |text: &str| {
        let (settings, problems) = Settings::parse(text, FILE);
        let site = settings.into_site("T", base()).unwrap();
        let accent = site.frame.accent.unwrap();
        let shades = format!("{} {}", accent.light, accent.dark);
        (shades, told(&problems))
    };
    let (shades, problems) = accent("accent = '#1f5f8b'");
    assert_eq!((shades.as_str(), problems.len()), ("#1f5f8b #5f8dac", 0));
    let (shades, problems) = accent("accent = { light = '#ff9900' }");
    assert_eq!(shades, "#ff9900 #ff9900");
    assert_eq!(
        problems,
        [
            "diglot.toml:1:20: warning: `accent.light` is hard to read: `#ff9900` has a contrast of 1.9 with the background, links need 4.5 | `#9e5e00` can be read; with `accent = \"#ff9900\"` such shades are found for you"
        ]
    );
    assert_eq!(accent("accent = { dark = '#fff' }").0, "#6d6d6d #ffffff");
}

#[test]
fn settings_become_a_site() {
    let (settings, problems) = Settings::parse(WHOLE, FILE);
    assert_eq!(told(&problems), [""; 0]);
    let site = settings.into_site("Default", base()).unwrap();
    assert_eq!(
        (
            site.title.as_str(),
            site.base.to_string().as_str(),
            site.language.as_str()
        ),
        ("A", "https://example.org/blog", "pt-BR")
    );
    assert_eq!(
        (
            site.articles.as_deref(),
            site.sanitize,
            site.signals.ai_train,
            site.signals.search
        ),
        (Some("posts"), true, true, true)
    );
    assert!(!site.author_scripts, "unless a setting says so");
    let scripts = Settings::parse("[security]\nauthor_scripts = true", FILE)
        .0
        .into_site("Default", base())
        .unwrap();
    assert!(scripts.author_scripts);
    assert_eq!(
        (
            site.lifetimes.max_age,
            site.lifetimes.stale_while_revalidate
        ),
        (60, 3600)
    );
    let shared = Settings::parse("[cache]\ncdn_max_age = 86400\ntags = 'Cache-Tag'", FILE)
        .0
        .into_site("Default", base())
        .unwrap()
        .shared;
    let expected = (Some(86_400), Some(TagField::CacheTag));
    assert_eq!((shared.max_age, shared.tags), expected);
    let empty = Settings::default().into_site("Default", base()).unwrap();
    assert_eq!(
        (
            empty.title.as_str(),
            empty.language.as_str(),
            empty.base.to_string().as_str()
        ),
        ("Default", "en", "http://localhost:8080")
    );
}

#[test]
fn all_problems_are_said_at_once_with_place_and_hint() {
    let (settings, problems) = Settings::parse(
        "titel = 'A'\nbase_url = 3\nlanguage = 'x y'\ntheme = '../t'\n[signals]\nai_trian = true\n[cach]\nmax_age = 1\n[cache]\ntags = 'cache-tag'\n",
        FILE,
    );
    assert_eq!(
        told(&problems),
        [
            "diglot.toml:1:1: `titel` is not a known key | did you mean `title`?",
            "diglot.toml:2:12: `base_url` must be text | put it in quotes",
            "diglot.toml:6:1: `signals.ai_trian` is not a known key | did you mean `signals.ai_train`?",
            "diglot.toml:7:2: `cach` is not a known key | did you mean `cache`?",
        ]
    );
    assert_eq!(
        told(&settings.into_site("", base()).unwrap_err()),
        [
            "diglot.toml:3:12: `language` is not a language tag: `x y` | write a tag such as `en`, `de` or `pt-BR`",
            "diglot.toml:10:8: `cache.tags` is not a header field for tags: `cache-tag` | did you mean `Cache-Tag`?",
            "diglot.toml:4:9: `theme` is outside the folder: `../t` | write a path relative to the folder",
        ]
    );
    let (_, problems) = Settings::parse("title = \n", FILE);
    assert_eq!(problems.len(), 1);
}

#[test]
fn the_command_line_lies_over_the_file() {
    let (file, _) = Settings::parse(WHOLE, FILE);
    let line = Settings {
        base_url: Some("nowhere".to_owned()),
        title: Some("B".to_owned()),
        ..Settings::default()
    };
    let problems = file
        .clone()
        .overlay(line)
        .into_site("", base())
        .unwrap_err();
    assert_eq!(
        told(&problems),
        [
            "`base_url` is not valid: `nowhere` is not an absolute `http://` or `https://` URL | write the full address, such as `https://example.org` or `https://example.org/blog`"
        ]
    );
    assert_eq!(
        file.overlay(Settings {
            title: Some("B".to_owned()),
            ..Settings::default()
        })
        .into_site("", base())
        .unwrap()
        .title,
        "B"
    );
}

proptest::proptest! {
    #[test]
    fn no_settings_panic(text in "[a-z_.='\"\\[\\]{}0-9 \n#-]{0,80}") {
        let (settings, _) = Settings::parse(&text, FILE);
        let _ = settings.into_site("t", base());
    }
}
