//! The caches between editions change no byte.

use std::collections::BTreeMap;

use diglot_content::Sources;
use diglot_content::library::Memory;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use jiff::ToSpan;
use proptest::prelude::*;

use super::*;
use crate::theme::ThemeFile;

const PATHS: [&str; 21] = [
    "index.md",
    "about.md",
    "articles/a.md",
    "articles/b.md",
    "articles/c.md",
    "articles/2024/03/d.md",
    "articles/e.html",
    "articles/f.html",
    "articles/de/a.md",
    "articles/README.md",
    "tags/one.md",
    "SUMMARY.md",
    "_data/authors.yml",
    "_config.yml",
    "_includes/x.md",
    "images/p.svg",
    "files/index.pdf",
    "snippets/part.md",
    "articles/index.md",
    "articles/_index.md",
    "SECURITY.md",
];

const FRONT: [&str; 20] = [
    "title: A title",
    "title: Another",
    "date: 2024-05-01",
    "date: 2024-05-03T12:00:00Z",
    "date: 03/04/2015",
    "updated: 25/04/2015",
    "updated: 2030-01-01",
    "draft: true",
    "expires: 2024-06-02",
    "tags: [one, two]",
    "tags: [One, three]",
    "author: me",
    "slug: own",
    "aliases: [/old/a/, b]",
    "lang: de",
    "weight: 3",
    "llms: optional",
    "description: In short.",
    "image: /images/p.svg",
    "redirect_to: /articles/a",
];

const BODY: [&str; 25] = [
    "# A heading of level one",
    "Some words of prose.",
    "Other words.",
    "## A section\n\nWith words.",
    "[a](a.md) and [its section](a.md#a-section)",
    "[b](../b/) and [nowhere](nowhere.md)",
    "![a picture](/images/p.svg)",
    "[[b]] and ![[c]]",
    "![[a#A section]]",
    "{% include x.md %}",
    "{% include_relative ../snippets/part.md %}",
    "--8<-- \"snippets/part.md\"",
    "{{< ref \"a\" >}}",
    "> [!NOTE]\n> Of note.",
    "A foot[^1].\n\n[^1]: note",
    "$x^2$ and `code`",
    "[year](/years/2024.html) and [tag](/tags/one.html)",
    "<title>A page – The site</title><article><h1>A page</h1><p>Words.</p></article>",
    "<title>Other – The site</title><h2 id=\"a-section\">Other</h2><p>More.</p>",
    "me: { name: Me Myself }",
    "- [Its label](articles/a.md)",
    "permalink: /:year/:title/",
    "[up](../c) and [up again](../a/) and [a section](b.md#a-section)",
    "[mounted](/docs/articles/a.md), [so is this](/docs/articles/b/) and [this](/docs/about)",
    "[old](/old/a/) and [dated](/2024/05/01/a/)",
];

#[derive(Clone, Debug)]
pub(super) enum Step {
    Write {
        path: usize,
        front: Vec<usize>,
        body: Vec<usize>,
        changed: usize,
    },
    /// Other text under the same front matter, like most edits.
    Body {
        path: usize,
        body: Vec<usize>,
    },
    Rename(usize, usize),
    Remove(usize),
    /// The same bytes, read again.
    Touch(usize),
    Wait(i64),
    Settings(bool),
    Theme(bool),
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let some = |count: usize, most: usize| prop::collection::vec(0..count, 0..most);
    let write = (
        0..PATHS.len(),
        some(FRONT.len(), 4),
        some(BODY.len(), 5),
        0..3_usize,
    );
    prop_oneof![
        12 => write.prop_map(|(path, front, body, changed)| Step::Write { path, front, body, changed }),
        6 => (0..PATHS.len(), some(BODY.len(), 5)).prop_map(|(path, body)| Step::Body { path, body }),
        2 => (0..PATHS.len(), 0..PATHS.len()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => (0..PATHS.len()).prop_map(Step::Remove),
        1 => (0..PATHS.len()).prop_map(Step::Touch),
        2 => prop_oneof![Just(1), Just(86_400), Just(3 * 86_400), Just(-60)].prop_map(Step::Wait),
        1 => any::<bool>().prop_map(Step::Settings),
        1 => any::<bool>().prop_map(Step::Theme),
    ]
}

/// A folder, its settings, and the time.
pub(super) struct World {
    files: BTreeMap<&'static str, SourceFile>,
    pub(super) now: Timestamp,
    pub(super) site: Site,
    pub(super) theme: Theme,
}

impl World {
    pub(super) fn new() -> Self {
        Self {
            files: BTreeMap::new(),
            now: now(),
            site: Site {
                pictures: Pictures::None,
                ..site()
            },
            theme: Theme::new(&[]).unwrap(),
        }
    }

    pub(super) fn take(&mut self, step: &Step) {
        match step {
            Step::Write {
                path,
                front,
                body,
                changed,
            } => {
                let front: Vec<&str> = front.iter().map(|line| FRONT[*line]).collect();
                let body: Vec<&str> = body.iter().map(|block| BODY[*block]).collect();
                let head = if front.is_empty() {
                    String::new()
                } else {
                    format!("---\n{}\n---\n", front.join("\n"))
                };
                let (path, text) = (PATHS[*path], head + &body.join("\n\n"));
                let changed = self.now - [0, 3_600, 40 * 86_400][*changed].seconds();
                let dates = FileDates {
                    created: None,
                    changed,
                    origin: [ChangeOrigin::Git, ChangeOrigin::FileTime][text.len() % 2],
                };
                self.files.insert(
                    path,
                    SourceFile {
                        path: path.into(),
                        bytes: text.into(),
                        dates,
                    },
                );
            }
            Step::Body { path, body } => {
                if let Some(file) = self.files.get_mut(PATHS[*path]) {
                    let text = String::from_utf8(file.bytes.to_vec()).unwrap();
                    let head = text.find("\n---\n").map_or("", |end| &text[..end + 5]);
                    let body: Vec<&str> = body.iter().map(|block| BODY[*block]).collect();
                    file.bytes = (head.to_owned() + &body.join("\n\n")).into();
                    file.dates.changed = self.now;
                }
            }
            Step::Rename(from, to) => {
                if let Some(file) = self.files.remove(PATHS[*from]) {
                    self.files.insert(
                        PATHS[*to],
                        SourceFile {
                            path: PATHS[*to].into(),
                            ..file
                        },
                    );
                }
            }
            Step::Remove(path) => drop(self.files.remove(PATHS[*path])),
            Step::Touch(path) => {
                if let Some(file) = self.files.get_mut(PATHS[*path]) {
                    file.bytes = Bytes::copy_from_slice(&file.bytes).into();
                }
            }
            Step::Wait(seconds) => self.now += seconds.seconds(),
            Step::Settings(other) => {
                let other = other.then(|| Site {
                    sanitize: true,
                    title: "Other".into(),
                    author: None,
                    ..site_at("https://example.org/b")
                });
                self.site = Site {
                    pictures: Pictures::None,
                    ..other.unwrap_or_else(site)
                };
            }
            Step::Theme(own) => {
                let file = ThemeFile {
                    path: "main.css".into(),
                    bytes: Bytes::from_static(b"body{}"),
                };
                self.theme = Theme::new(if *own {
                    std::slice::from_ref(&file)
                } else {
                    &[]
                })
                .unwrap();
            }
        }
    }

    pub(super) fn sources(&self) -> Sources {
        Sources {
            name: "folder".to_owned(),
            files: self.files.values().cloned().collect(),
            ..Sources::default()
        }
    }
}

/// Everything observable of an edition: bodies, and the rest in words. To write bodies in words, too,
/// takes as long as the edition itself.
fn told(edition: &Edition) -> (Vec<Bytes>, Vec<String>) {
    let resources = edition.resources.iter();
    let bodies = resources.map(|resource| resource.body.to_bytes()).collect();
    let resource = |resource: &Arc<Resource>| {
        format!(
            "{} {} {} {:?}",
            resource.path, resource.digest, resource.modified, resource.link
        )
    };
    let mut lines: Vec<String> = edition.resources.iter().map(resource).collect();
    for (id, resource) in (0..).zip(&edition.resources) {
        let path = &resource.path;
        let found = [&**path, &path.to_uppercase()].map(|path| edition.resolve(path));
        lines.push(format!("{:?} {found:?}", edition.twin(id)));
    }
    lines.push(format!(
        "{} {} {:?} {:?} {:?}",
        edition.id, edition.articles, edition.next_change, edition.problems, edition.parity
    ));
    lines.extend(edition.redirects().map(|redirect| format!("{redirect:?}")));
    lines.extend(edition.expired().map(str::to_owned));
    (bodies, lines)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn design_9_an_edition_made_with_memory_is_the_one_made_without(steps in prop::collection::vec(step(), 1..24)) {
        let mut world = World::new();
        let (mut memory, mut known) = (Memory::default(), Known::default());
        let mut history = Arc::<History>::default();
        for step in &steps {
            world.take(step);
            let again = Library::build_with(&world.sources(), &world.site, world.now, &mut memory);
            let fresh = Library::build(&world.sources(), &world.site, world.now);
            prop_assert_eq!(format!("{again:?}"), format!("{fresh:?}"), "after {:?}", step);
            let site = || Arc::new(world.site.clone());
            let edition = Edition::build_since(&again, site(), &world.theme, world.now, (&history, &mut known)).unwrap();
            // As a server does after the edition is live.
            again.release_documents();
            let cold = (&*history, &mut Known::default());
            let whole = Edition::build_since(&fresh, site(), &world.theme, world.now, cold).unwrap();
            prop_assert_eq!(told(&edition), told(&whole), "after {:?}", step);
            history = Arc::clone(&edition.history);
        }
    }
}

#[test]
fn design_9_a_page_that_nothing_has_changed_for_is_not_rendered_again() {
    let mut world = World::new();
    for (path, body) in [(2, 1), (3, 2)] {
        world.take(&Step::Write {
            path,
            front: vec![2],
            body: vec![body],
            changed: 1,
        });
    }
    let (mut memory, mut known) = (Memory::default(), Known::default());
    let mut make = |world: &World| {
        let library = Library::build_with(&world.sources(), &world.site, world.now, &mut memory);
        Edition::build_again(
            &library,
            Arc::new(world.site.clone()),
            &world.theme,
            world.now,
            &mut known,
        )
        .unwrap()
    };
    let first = make(&world);
    // From the second reading on, the file's cached times are used, with the same result.
    world
        .files
        .values_mut()
        .for_each(|file| file.dates.origin = ChangeOrigin::FirstSeen);
    let again = make(&world);
    world.take(&Step::Write {
        path: 2,
        front: vec![2],
        body: vec![1, 2],
        changed: 1,
    });
    world.files.get_mut(PATHS[2]).unwrap().dates.origin = ChangeOrigin::Git;
    let second = make(&world);
    let place = |edition: &Edition, path: &str| edition.get(path).unwrap().body.to_bytes().as_ptr();
    assert_eq!(
        place(&first, "/articles/a.html"),
        place(&again, "/articles/a.html")
    );
    assert_ne!(
        place(&first, "/articles/a.html"),
        place(&second, "/articles/a.html")
    );
    assert_eq!(
        place(&first, "/articles/b.html"),
        place(&second, "/articles/b.html"),
        "the very same bytes"
    );
    assert_eq!(
        place(&first, "/articles/b.md"),
        place(&second, "/articles/b.md")
    );
    let one = |edition: &Edition, path: &str| {
        Arc::clone(
            edition
                .resources
                .iter()
                .find(|resource| &*resource.path == path)
                .unwrap(),
        )
    };
    assert!(
        Arc::ptr_eq(
            &one(&first, "/articles/b.html"),
            &one(&second, "/articles/b.html")
        ),
        "with the codings that it has"
    );
    assert_eq!(
        one(&first, "/openapi.json").digest,
        one(&second, "/openapi.json").digest,
        "what it describes is as it was"
    );
    let lists = ["/articles/index", "/years/2024"]
        .map(|stem| (format!("{stem}.html"), format!("{stem}.md")));
    for (html, markdown) in &lists {
        assert_eq!(
            place(&first, html),
            place(&second, html),
            "an edit below the front matter dates {html} anew, and no more"
        );
        assert_ne!(place(&first, markdown), place(&second, markdown));
    }
}

/// A folder with so many articles that `llms.txt` has parts.
struct Large {
    /// The number, version and title of each article.
    articles: Vec<(usize, usize, usize)>,
    now: Timestamp,
}

impl Large {
    fn sources(&self) -> Sources {
        let file = |(number, version, title): &(usize, usize, usize)| {
            let words =
                format!("Article {number}, in its version {version}, with *words* & more. ")
                    .repeat(4 + version % 2);
            let date = format!(
                "20{:02}-0{}-1{}",
                10 + number % 9,
                1 + number % 7,
                number % 10
            );
            let long = "with many words behind it ".repeat(7);
            let text = format!(
                "---\ntitle: Title {title} of {number} {long}\ndate: {date}\n---\n\n{words}\n"
            );
            // Some changes are in the future.
            let changed = self.now + (if *version == 3 { 1_i64 } else { -100 }).hours();
            let dates = FileDates {
                created: None,
                changed,
                origin: ChangeOrigin::Git,
            };
            SourceFile {
                path: format!("articles/{number:04}.md").into(),
                bytes: text.into(),
                dates,
            }
        };
        let mut files: Vec<SourceFile> = self.articles.iter().map(file).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Sources {
            name: "folder".to_owned(),
            files,
            ..Sources::default()
        }
    }
}

#[test]
fn design_9_rows_of_long_lists_are_those_written_anew() {
    let mut large = Large {
        articles: (0..240).map(|number| (2 * number, 0, 0)).collect(),
        now: now(),
    };
    let (mut memory, mut known) = (Memory::default(), Known::default());
    let site = Arc::new(Site {
        pictures: Pictures::None,
        ..site()
    });
    let theme = Theme::new(&[]).unwrap();
    type Edit = fn(&mut Large);
    let edits: [(&str, Edit); 11] = [
        ("nothing", |_| ()),
        ("words", |large| large.articles[40].1 = 2),
        ("a longer summary", |large| large.articles[41].1 = 1),
        ("a title", |large| large.articles[42].2 = 1),
        ("one more", |large| large.articles.push((83, 0, 0))),
        ("none", |_| ()),
        ("some fewer", |large| drop(large.articles.drain(20..30))),
        ("a later change", |large| large.articles[5].1 = 3),
        ("an hour", |large| large.now += 2.hours()),
        ("half of all", |large| {
            large
                .articles
                .iter_mut()
                .step_by(2)
                .for_each(|article| article.1 += 2)
        }),
        ("so few that one index holds them", |large| {
            large.articles.truncate(20)
        }),
    ];
    for (edit, take) in edits {
        take(&mut large);
        let library = Library::build_with(&large.sources(), &site, large.now, &mut memory);
        let again =
            Edition::build_again(&library, Arc::clone(&site), &theme, large.now, &mut known)
                .unwrap();
        library.release_documents();
        let fresh = Library::build(&large.sources(), &site, large.now);
        let fresh = Edition::build(&fresh, Arc::clone(&site), &theme, large.now).unwrap();
        assert_eq!(told(&again), told(&fresh), "after {edit}");
        let parts = again
            .resources
            .iter()
            .filter(|resource| resource.path.starts_with("/llms/"))
            .count();
        assert_eq!(
            parts == 0,
            large.articles.len() < 100,
            "{parts} parts after {edit}"
        );
    }
}
