//! What the documents on changes tell a client that keeps copies.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::memory::{World, step};
use super::*;
use crate::changes::{self, Entries, Listing, Since};
use crate::resource::Digest;

/// A client that keeps the Markdown form of every listed page.
#[derive(Default)]
struct Client {
    /// The edition that it has read.
    edition: String,
    copies: BTreeMap<String, Bytes>,
    /// How often it had to start over, and how many pages it has read.
    restarts: usize,
    reads: usize,
}

impl Client {
    /// As docs/changes.md says.
    fn follow(&mut self, edition: &Edition) {
        let status: serde_json::Value = parsed(edition, "/status.json").unwrap();
        let id = status["releaseId"].as_str().unwrap();
        if self.edition == id {
            return;
        }
        let since: Option<Since> = parsed(edition, &format!("/changes/{}.json", self.edition));
        match since {
            Some(since) => {
                assert_eq!(status["listing"], since.listing);
                self.take(edition, since.entries);
            }
            None => self.start(edition),
        }
        self.edition = id.to_owned();
    }

    fn start(&mut self, edition: &Edition) {
        self.restarts += 1;
        let listing: Listing = parsed(edition, "/changes/all.json").unwrap();
        let listed: Vec<String> = listing.pages.iter().map(|page| page.path.clone()).collect();
        self.copies.retain(|path, _| listed.contains(path));
        for page in listing.pages {
            self.read(edition, page.path, &page.digest);
        }
    }

    fn take(&mut self, edition: &Edition, entries: Entries) {
        let moved = entries.moved.iter().map(|moved| moved.from.clone());
        for path in entries.removed.iter().cloned().chain(moved) {
            self.copies.remove(&path);
        }
        for page in entries.added {
            self.read(edition, page.path, &page.digest);
        }
        for page in entries.changed {
            self.read(edition, page.path, &page.after);
        }
        for moved in entries.moved {
            self.read(edition, moved.to, &moved.digest);
        }
    }

    /// Reads a page, unless its copy has this digest.
    fn read(&mut self, edition: &Edition, path: String, digest: &str) {
        let own = self.copies.get(&path);
        if own.is_some_and(|copy| Digest::hash(copy).to_string() == digest) {
            return;
        }
        let decoded = diglot_content::encoding::decode_path(&path).unwrap();
        let bytes = edition.get(&decoded).unwrap().body.to_bytes();
        assert_eq!(Digest::hash(&bytes).to_string(), digest, "{path}");
        self.reads += 1;
        self.copies.insert(path, bytes);
    }
}

fn parsed<T: serde::de::DeserializeOwned>(edition: &Edition, path: &str) -> Option<T> {
    let bytes = edition.get(path)?.body.to_bytes();
    Some(serde_json::from_slice(&bytes).unwrap())
}

/// The Markdown form of every page in the sitemap, by path.
fn everything(edition: &Edition) -> BTreeMap<String, Bytes> {
    let listed = body(edition, "/sitemap.md");
    let prefix = edition.site.base.path().to_owned();
    let paths = listed.lines().filter_map(|line| {
        let (_, path) = line.strip_suffix('`')?.rsplit_once('`')?;
        path.strip_prefix(&prefix)
    });
    let copy = |path: &str| {
        let decoded = diglot_content::encoding::decode_path(path).unwrap();
        let found = edition.get(&decoded).unwrap_or_else(|| panic!("{path}"));
        (path.to_owned(), found.body.to_bytes())
    };
    paths.map(copy).collect()
}

fn make(world: &World, history: &History, known: &mut Known) -> Edition {
    let library = Library::build(&world.sources(), &world.site, world.now);
    let site = Arc::new(world.site.clone());
    Edition::build_since(&library, site, &world.theme, world.now, (history, known)).unwrap()
}

/// Everything that the documents on changes say.
fn said(edition: &Edition) -> String {
    let own = edition.resources.iter();
    let own = own.filter(|it| it.route.is_of_changes() && it.route != Route::Listing);
    own.map(|resource| text(&resource.body)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn issue_26_a_client_that_follows_changes_has_what_one_has_that_reads_everything(
        steps in prop::collection::vec(step(), 100)
    ) {
        let mut world = World::new();
        let (mut known, mut history) = (Known::default(), History::default());
        let mut clients: Vec<Client> = (0..3).map(|_| Client::default()).collect();
        let mut names = std::collections::BTreeSet::new();
        for (number, step) in steps.iter().enumerate() {
            world.take(step);
            let edition = make(&world, &history, &mut known);
            let remembered = edition.history.to_bytes().unwrap();
            prop_assert_eq!(&History::parse(&remembered).unwrap(), &*edition.history);
            let [changes, all] = ["/changes.json", "/changes/all.json"].map(|path| body(&edition, path));
            let read = changes::read(&edition.id.to_string(), changes.as_bytes(), all.as_bytes());
            let (base, read) = read.unwrap();
            prop_assert_eq!(base, world.site.base.to_string());
            prop_assert_eq!(&read.rows, &edition.history.rows);
            history = if number % 2 == 0 { read } else { (*edition.history).clone() };
            prop_assert!(!said(&edition).contains(&edition.id.to_string()));
            for (lag, client) in [1, 7, 30].into_iter().zip(&mut clients) {
                if number % lag == lag - 1 {
                    client.follow(&edition);
                    prop_assert_eq!(&client.copies, &everything(&edition), "after {:?}", step);
                }
            }
            names.insert(edition.id);
        }
        let restarts: Vec<usize> = clients.iter().map(|client| client.restarts).collect();
        prop_assert!(names.len() > 5 && restarts[0] < 20, "{} editions, {restarts:?}", names.len());
    }
}

/// Editions of a library that is changed step by step.
struct Site26 {
    articles: Vec<Article>,
    pages: Vec<Article>,
    redirects: Vec<(&'static str, &'static str)>,
    history: Arc<History>,
}

impl Site26 {
    fn new(articles: Vec<Article>) -> Self {
        Self {
            articles,
            pages: Vec::new(),
            redirects: Vec::new(),
            history: Arc::default(),
        }
    }

    fn edition(&mut self) -> Edition {
        let mut library = library(self.articles.clone(), self.pages.clone());
        let mut redirects = BTreeMap::new();
        for (old, to) in &self.redirects {
            let redirect = Redirect {
                to: Destination::parse(to).unwrap(),
                written: None,
                place: None,
                rank: Rank::Written,
            };
            let old = OldAddress::new((*old).to_owned()).unwrap();
            redirects.insert(old, redirect);
        }
        library.redirects = redirects.into();
        let theme = Theme::new(&[]).unwrap();
        let with = (&*self.history, &mut Known::default());
        let edition =
            Edition::build_since(&library, Arc::new(site()), &theme, now(), with).unwrap();
        self.history = Arc::clone(&edition.history);
        edition
    }
}

#[test]
fn issue_26_an_edit_that_is_undone_and_done_again_is_known_to_clients_of_before() {
    let text = |words: &str| vec![article("one", Some("2024-05-01"), words)];
    let mut site = Site26::new(text("First."));
    let first = site.edition();
    for words in ["Second.", "Third.", "Second.", "Third."] {
        site.articles = text(words);
        let edition = site.edition();
        let present = edition.id.to_string();
        let [changes, all] =
            ["/changes.json", "/changes/all.json"].map(|path| body(&edition, path));
        assert!(!changes.contains(&present), "{changes}");
        // What a build knows of the editions before it.
        let read = changes::read(&present, changes.as_bytes(), all.as_bytes());
        site.history = Arc::new(read.unwrap().1);
        assert!(site.history == edition.history, "{words}");
        let since = since(&edition, &first).entries;
        let page = edition.get("/articles/one.md").unwrap();
        let after: Vec<&str> = since.changed.iter().map(|page| &*page.after).collect();
        assert!(
            after.contains(&&*page.digest.to_string()),
            "{words} {after:?}"
        );
    }
}

fn three() -> Site26 {
    let slugs = ["one", "two", "three"].into_iter();
    let text =
        |slug| format!("Words of {slug}.\n\n## A part\n\nMore of {slug}.\n\n## Another\n\nRest.");
    let article = |slug| article(slug, Some("2024-05-01"), &text(slug));
    Site26::new(slugs.map(article).collect())
}

fn since(edition: &Edition, earlier: &Edition) -> Since {
    let path = format!("/changes/{}.json", earlier.id);
    parsed(edition, &path).unwrap_or_else(|| panic!("no {path}"))
}

fn article_paths(paths: impl Iterator<Item = String>) -> Vec<String> {
    paths
        .filter(|path| path.starts_with("/articles/") && !path.contains("index"))
        .collect()
}

#[test]
fn issue_26_a_first_edition_has_the_documents_and_they_are_empty() {
    let edition = three().edition();
    assert_eq!(edition.history.steps, []);
    let changes: serde_json::Value = parsed(&edition, "/changes.json").unwrap();
    assert_eq!(changes["editions"], serde_json::json!([]));
    assert!(body(&edition, "/changes.md").ends_with("\nNo earlier edition is known.\n"));
    let listing: Listing = parsed(&edition, "/changes/all.json").unwrap();
    assert_eq!(listing.pages.len(), everything(&edition).len());
}

#[test]
fn issue_26_a_changed_section_is_named_with_its_digests() {
    let mut site = three();
    let first = site.edition();
    let text = "Words of two.\n\n## A part\n\nOther words.\n\n## New\n\nRest.";
    site.articles[1] = article("two", Some("2024-05-01"), text);
    let second = site.edition();
    let since = since(&second, &first);
    let changed = since.entries.changed.iter();
    let two = changed
        .clone()
        .find(|page| page.path == "/articles/two.md")
        .unwrap();
    let twin =
        |edition: &Edition| Some(edition.get("/articles/two.md").unwrap().digest.to_string());
    assert_eq!(
        (&two.before, Some(&two.after)),
        (&twin(&first), twin(&second).as_ref())
    );
    let sections = two.sections.as_ref().unwrap().iter();
    let sections: Vec<(&str, bool, bool)> = sections
        .map(|section| {
            (
                &*section.id,
                section.before.is_some(),
                section.after.is_some(),
            )
        })
        .collect();
    assert_eq!(
        sections,
        [
            ("a-part", true, true),
            ("another", true, false),
            ("new", false, true)
        ]
    );
    assert_eq!(
        article_paths(changed.map(|page| page.path.clone())),
        ["/articles/two.md"]
    );
    assert!(
        body(&second, "/changes.md")
            .contains("- Changed: [About two](https://example.org/articles/two.md)\n")
    );
}

#[test]
fn issue_26_what_is_left_of_a_withdrawn_text_is_its_path() {
    let mut site = three();
    site.edition();
    site.articles[1] = Article {
        title: "A secret title".into(),
        ..article("two", Some("2024-05-01"), "## A secret heading")
    };
    let before = site.edition();
    let digest = before.get("/articles/two.md").unwrap().digest.to_string();
    assert!(said(&before).contains("A secret title") && said(&before).contains(&digest));
    site.articles.remove(1);
    let after = site.edition();
    assert_eq!(after.history.steps.len(), 2);
    for trace in ["A secret title", "a-secret-heading", &digest] {
        assert!(!said(&after).contains(trace), "{trace}");
    }
    assert_eq!(since(&after, &before).entries.removed, ["/articles/two.md"]);
    assert!(body(&after, "/changes.md").contains("- Removed: `/articles/two.md`\n"));
}

#[test]
fn issue_26_an_unlisted_text_is_never_named() {
    let mut site = three();
    let first = site.edition();
    site.articles[0].title = "Another title".into();
    site.articles[0].digest = diglot_content::fingerprint::Fingerprint::hash_one(&1);
    let second = site.edition();
    assert!(second.get(&format!("/changes/{}.json", first.id)).is_some());
    // Its path would be among the removed ones, so clients start over.
    site.articles[1].listed = false;
    let third = site.edition();
    assert_eq!(third.history.steps, []);
    assert!(third.get("/articles/two.md").is_some() && !said(&third).contains("/articles/two"));
    assert!(!body(&third, "/changes/all.json").contains("/articles/two"));
}

#[test]
fn issue_26_a_moved_text_is_found_by_its_redirect_and_by_its_words() {
    let mut site = three();
    let first = site.edition();
    let renamed = |slug: &str, old: &Article| Article {
        stem: format!("/articles/{slug}").into(),
        digest: diglot_content::fingerprint::Fingerprint::hash_one(&slug),
        ..old.clone()
    };
    site.articles[0] = renamed("uno", &site.articles[0]);
    site.articles[1] = Article {
        title: "Quite another".into(),
        ..renamed(
            "dos",
            &article("two", Some("2024-05-01"), "Quite other words."),
        )
    };
    site.redirects = vec![("/articles/two", "/articles/dos")];
    let second = site.edition();
    let moved = |edition: &Edition| -> Vec<String> {
        let moved = since(edition, &first).entries.moved;
        let shown = moved
            .iter()
            .map(|it| format!("{} {} {}", it.from, it.to, it.title));
        shown.collect()
    };
    let both = [
        "/articles/one.md /articles/uno.md About one",
        "/articles/two.md /articles/dos.md Quite another",
    ];
    assert_eq!(moved(&second), both);
    // Twice.
    site.articles[0] = renamed("eins", &site.articles[0]);
    site.redirects = Vec::new();
    let third = site.edition();
    assert_eq!(
        moved(&third)[0],
        "/articles/one.md /articles/eins.md About one"
    );
    // And then withdrawn.
    site.articles.remove(0);
    let fourth = site.edition();
    assert!(
        since(&fourth, &first)
            .entries
            .removed
            .contains(&"/articles/one.md".to_owned())
    );
    assert!(!said(&fourth).contains("About one"));
}

#[test]
fn issue_26_the_id_does_not_depend_on_the_editions_before() {
    let mut site = three();
    let first = site.edition();
    let words = site.articles[0].clone();
    site.articles[0] = article("one", Some("2024-05-01"), "Other words.");
    let second = site.edition();
    site.articles[0] = words;
    let third = site.edition();
    assert_eq!(first.id, third.id);
    assert!(third.get(&format!("/changes/{}.json", first.id)).is_none());
    assert!(!said(&third).contains(&first.id.to_string()));
    let entries = since(&third, &second).entries;
    assert!(
        entries
            .changed
            .iter()
            .any(|page| page.path == "/articles/one.md")
    );
    // The same again adds nothing.
    let fourth = site.edition();
    assert_eq!(fourth.history.steps, third.history.steps);
    assert_eq!(said(&fourth), said(&third));
}

#[test]
fn issue_26_the_last_50_editions_are_known() {
    let mut site = Site26::new(vec![article("one", Some("2024-05-01"), "0")]);
    let first = site.edition();
    let mut last = None;
    for number in 1..=changes::EDITIONS + 1 {
        site.articles[0] = article("one", Some("2024-05-01"), &format!("Words {number}."));
        last = Some(site.edition());
    }
    let last = last.unwrap();
    assert_eq!(last.history.steps.len(), changes::EDITIONS);
    assert!(last.get(&format!("/changes/{}.json", first.id)).is_none());
    let documents = last.resources.iter();
    let documents = documents.filter(|it| matches!(it.route, Route::ChangesSince(_)));
    assert_eq!(documents.count(), changes::EDITIONS);
}

#[test]
fn issue_26_an_authors_text_or_file_replaces_a_document() {
    let mut site = three();
    site.pages = vec![page("/changes")];
    let edition = site.edition();
    assert!(body(&edition, "/changes.md").contains("Some words of a page."));
    assert!(edition.get("/changes.html").is_some() && edition.get("/changes.json").is_some());
    let problems: Vec<String> = edition.problems.iter().map(ToString::to_string).collect();
    assert!(
        problems.iter().any(|it| it.contains("`/changes.md`")),
        "{problems:?}"
    );
    assert!(!body(&edition, "/.well-known/api-catalog").contains("/changes.md"));
    assert!(!body(&edition, "/openapi.json").contains("\"/changes.md\""));

    let mut library = small();
    library.files = vec![file("/changes.json"), file("/changes/b.json")];
    let edition = build(&library);
    assert_eq!(body(&edition, "/changes.json"), "bytes");
    assert_eq!(body(&edition, "/changes/b.json"), "bytes");
    assert!(edition.get("/changes/all.json").is_none() && edition.get("/changes.md").is_some());
    let status = body(&edition, "/status.json");
    assert!(!status.contains("/changes.json"), "{status}");
}

#[test]
fn issue_26_a_page_of_the_authors_between_the_documents_stays_where_it_is() {
    let mut site = three();
    site.pages = vec![
        page("/changes/0-first"),
        page("/changes/b"),
        page("/changes/zz"),
    ];
    let mut known = Known::default();
    let mut history = Arc::default();
    for words in ["One.", "Two.", "Three."] {
        site.articles[0] = article("one", Some("2024-05-01"), words);
        let library = library(site.articles.clone(), site.pages.clone());
        let theme = Theme::new(&[]).unwrap();
        let with = (&*history, &mut known);
        let edition =
            Edition::build_since(&library, Arc::new(super::site()), &theme, now(), with).unwrap();
        let mut paths: Vec<&Arc<str>> = edition.resources.iter().map(|it| &it.path).collect();
        let own = paths.clone();
        paths.sort();
        assert_eq!(paths, own);
        for resource in &edition.resources {
            assert_eq!(edition.get(&resource.path).unwrap().path, resource.path);
        }
        history = Arc::clone(&edition.history);
    }
    assert_eq!(history.steps.len(), 2);
}
