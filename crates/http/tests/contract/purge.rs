//! The property behind purging: what differs between two editions is in the list, and nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_content::library::Rank;
use diglot_content::{Destination, OldAddress, Site};
use diglot_edition::redirects::Moved;
use diglot_edition::route::AT_THE_ROOT;
use diglot_edition::{Edition, Form, Route, purge};
use proptest::prelude::*;

use crate::{get, site};

const STEMS: [&str; 8] = [
    "/index",
    "/articles/a",
    "/articles/A",
    "/articles/a/index",
    "/articles/a-b",
    "/docs/index",
    "/b",
    "/größe",
];
const FILES: [&str; 4] = ["b", "docs", "pictures/x.svg", "articles/a.png"];
const OLD: [&str; 5] = [
    "/b",
    "/articles/a.html",
    "/2019/x/",
    "/docs",
    "/old/index.html",
];
const TARGETS: [&str; 3] = ["/articles/a", "/b", "https://example.net/x"];

/// What an edition has: a version of each text, or none.
#[derive(Clone, Debug)]
struct World {
    /// Of the HTML, of the Markdown, and of the `Link` field.
    pages: Vec<Option<[u8; 3]>>,
    files: Vec<Option<u8>>,
    /// The version of the theme's style sheet and picture.
    theme: u8,
    old: Vec<Option<usize>>,
    expired: Vec<bool>,
    robots: u8,
    /// Of the settings.
    signals: bool,
    lifetime: u32,
}

fn worlds() -> impl Strategy<Value = World> {
    let version = 0u8..2;
    let page = prop::option::of([version.clone(), version.clone(), version.clone()]);
    let settings = (
        0u8..2,
        0u8..2,
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.1),
    );
    (
        prop::collection::vec(page, STEMS.len()),
        prop::collection::vec(prop::option::of(version), FILES.len()),
        prop::collection::vec(prop::option::of(0..TARGETS.len()), OLD.len()),
        prop::collection::vec(prop::bool::weighted(0.2), STEMS.len()),
        settings,
    )
        .prop_map(
            |(pages, files, old, expired, (robots, theme, signals, short))| World {
                theme,
                pages,
                files,
                old,
                expired,
                robots,
                signals,
                lifetime: if short { 60 } else { 300 },
            },
        )
}

/// Two editions of which most is the same.
fn pairs() -> impl Strategy<Value = (World, World)> {
    (worlds(), worlds(), any::<u64>()).prop_map(|(before, other, same)| {
        let keep = |at: usize| same >> (at % 64) & 1 == 1;
        let mut after = other;
        for at in 0..STEMS.len() {
            if keep(at) {
                after.pages[at] = before.pages[at];
                after.expired[at] = before.expired[at];
            }
        }
        for at in 0..FILES.len() {
            if keep(at + 10) {
                after.files[at] = before.files[at];
            }
        }
        for at in 0..OLD.len() {
            if keep(at + 20) {
                after.old[at] = before.old[at];
            }
        }
        (before, after)
    })
}

impl World {
    fn theme(&self) -> [Route; 2] {
        ["own.{}.css", "card.{}.png"]
            .map(|name| Route::Asset(name.replace("{}", &self.theme.to_string()).into()))
    }

    fn edition(&self, base: &str) -> Edition {
        let mut settings: Site = site::settings(base);
        settings.signals.ai_train = self.signals;
        settings.lifetimes.max_age = self.lifetime;
        let mut parts = site::parts(settings);
        let robots = format!("robots {}", self.robots);
        parts
            .resources
            .push(Arc::new(site::resource(Route::Robots, robots)));
        for (stem, versions) in STEMS.iter().zip(&self.pages) {
            let Some([html, markdown, link]) = versions else {
                continue;
            };
            for (form, version) in [(Form::Html, html), (Form::Markdown, markdown)] {
                let body = format!("{stem} {version}");
                let resource = site::resource(Route::of_stem(stem, form), body);
                let resource = resource.linked(format!("</{link}>; rel=\"next\""));
                parts.resources.push(Arc::new(resource));
            }
        }
        for route in self.theme() {
            let body = format!("theme {}", self.theme);
            parts.resources.push(Arc::new(site::resource(route, body)));
        }
        for (path, version) in FILES.iter().zip(&self.files) {
            if let Some(version) = version {
                let body = format!("{path} {version}");
                let route = Route::File((*path).into());
                parts.resources.push(Arc::new(site::resource(route, body)));
            }
        }
        let redirects = OLD.iter().zip(&self.old).filter_map(|(old, to)| {
            let old = OldAddress::new((*old).to_owned()).ok()?;
            let to = Destination::parse(TARGETS[(*to)?]).ok()?;
            Some((
                old,
                Moved {
                    to,
                    rank: Rank::Written,
                },
            ))
        });
        parts.redirects = Arc::new(redirects.collect());
        let expired = STEMS.iter().zip(&self.expired);
        parts.expired = expired
            .filter(|(_, expired)| **expired)
            .map(|(stem, _)| (*stem).to_owned())
            .collect();
        Edition::assemble(parts)
    }
}

/// Every address that anything of two editions could be found at, but for other cases and queries.
fn universe(before: &World, after: &World) -> Vec<String> {
    const ENDS: [&str; 8] = [
        "",
        "/",
        ".html",
        ".html/",
        ".md",
        ".md/",
        ".html.md",
        ".html.md/",
    ];
    let mut names = vec!["/robots.txt".to_owned(), "/404".to_owned(), String::new()];
    for world in [before, after] {
        let pages = world.pages.iter().map(Option::is_some);
        let stems = pages
            .zip(&world.expired)
            .map(|(page, expired)| page || *expired);
        let stems = STEMS.iter().zip(stems).filter(|(_, is_known)| *is_known);
        names.extend(stems.map(|(stem, _)| (*stem).to_owned()));
        names.extend(world.theme().map(|route| route.path()));
        let files = FILES
            .iter()
            .zip(&world.files)
            .filter(|(_, file)| file.is_some());
        names.extend(files.map(|(path, _)| ["/", path].concat()));
        let old = OLD.iter().zip(&world.old).filter(|(_, to)| to.is_some());
        names.extend(old.map(|(old, _)| (*old).to_owned()));
    }
    let spelled = |name: String| ENDS.map(|end| [&name, end].concat());
    names.into_iter().flat_map(spelled).collect()
}

type Answer = (u16, BTreeMap<String, Vec<u8>>, Vec<u8>);

/// What a browser gets, and a shared cache may keep.
fn answer(edition: &Edition, target: &str) -> Answer {
    let response = get(edition, target, &[("accept", "text/html, */*;q=0.8")]);
    let fields = response.headers().iter();
    let fields = fields.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
    let (status, fields) = (response.status().as_u16(), fields.collect());
    (status, fields, response.into_body().to_bytes().to_vec())
}

/// Whether the answers differ by more than what an error says.
fn differ(one: &Answer, other: &Answer) -> bool {
    let is_error = one.0 == other.0 && matches!(one.0, 404 | 410);
    one != other && !is_error
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn purge_lists_every_address_whose_answer_differs_and_no_other(
        (before, after) in pairs(),
        path in prop::sample::select(vec!["", "/blog"]),
    ) {
        let base = format!("https://example.org{path}");
        let universe = universe(&before, &after);
        let (before, after) = (before.edition(&base), after.edition(&base));
        // As a publisher has it, and as replicas have it.
        let purged = purge::addresses(Some(&before), &after);
        let after = after.after(&before);
        prop_assert_eq!(&purged, &purge::addresses(Some(&before), &after));
        let origin = "https://example.org";
        let mut asked: Vec<String> = universe
            .iter()
            .map(|path| after.site.base.rooted(path))
            .filter(|target| target.starts_with('/'))
            .collect();
        asked.extend(AT_THE_ROOT.map(str::to_owned));
        for target in asked {
            let differs = differ(&answer(&before, &target), &answer(&after, &target));
            let url = [origin, &target].concat();
            prop_assert_eq!(purged.contains(&url), differs, "{}", url);
        }
        for url in &purged {
            let target = &url[origin.len()..];
            prop_assert!(differ(&answer(&before, target), &answer(&after, target)), "{url}");
        }
    }

    #[test]
    fn purge_of_equal_editions_lists_nothing(world in worlds()) {
        let edition = world.edition("https://example.org/blog");
        prop_assert!(purge::addresses(Some(&edition), &edition).is_empty());
    }
}

#[test]
fn purge_of_another_base_url_lists_every_address_of_both() {
    let before = site::bare_edition("https://example.org");
    let after = site::bare_edition("https://example.net/blog");
    let both = purge::addresses(Some(&before), &after);
    for (edition, url) in [
        (&before, "https://example.org/articles/first.html"),
        (&after, "https://example.net/blog/articles/first.md"),
        (&after, "https://example.net/robots.txt"),
    ] {
        assert!(both.contains(url), "{url}");
        assert!(both.is_superset(&purge::addresses(None, edition)));
    }
}
