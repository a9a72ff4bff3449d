//! What changed, across processes: from the state folder, over HTTP, from a published site.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::cli::Desk;
use crate::cli::live::{Served, until};

/// The body of an answer with 200.
fn body(served: &Served, path: &str) -> Option<String> {
    let answer = served.get(path);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    match head.split(' ').nth(1).unwrap() {
        "200" => Some(body.to_owned()),
        "404" => None,
        other => panic!("{path} answers {other}"),
    }
}

/// A text whose date of change does not depend on a state.
fn article(title: &str, words: &str) -> String {
    let front = format!("title: {title}\ndate: 2024-05-06\nupdated: 2024-05-07");
    format!("---\n{front}\n---\n\n{words}\n")
}

fn desk() -> Desk {
    Desk::with(&[("site/articles/first.md", &article("First", "Some words."))])
}

fn parsed(served: &Served, path: &str) -> Option<Value> {
    Some(serde_json::from_str(&body(served, path)?).unwrap())
}

fn id(served: &Served) -> String {
    let status = parsed(served, "/status.json").unwrap();
    status["releaseId"].as_str().unwrap().to_owned()
}

/// A client that keeps the Markdown form of every listed page, with the digest in its `ETag`.
#[derive(Default)]
struct Client {
    edition: String,
    copies: BTreeMap<String, (String, String)>,
    restarts: usize,
}

impl Client {
    /// As docs/changes.md says.
    fn follow(&mut self, served: &Served) {
        let status = parsed(served, "/status.json").unwrap();
        let id = status["releaseId"].as_str().unwrap();
        if id == self.edition {
            return;
        }
        match parsed(served, &format!("/changes/{}.json", self.edition)) {
            Some(since) => {
                assert_eq!(since["listing"], status["listing"]);
                self.take(served, &since);
            }
            None => {
                self.restarts += 1;
                let all = parsed(served, "/changes/all.json").unwrap();
                let listed: Vec<&Value> = members(&all["pages"]).collect();
                let is_listed = |path: &str| listed.iter().any(|page| page["path"] == path);
                self.copies.retain(|path, _| is_listed(path));
                for page in listed {
                    self.read(served, &page["path"], &page["digest"]);
                }
            }
        }
        self.edition = id.to_owned();
    }

    fn take(&mut self, served: &Served, since: &Value) {
        let moved = members(&since["moved"]).map(|moved| &moved["from"]);
        for path in members(&since["removed"]).chain(moved) {
            self.copies.remove(path.as_str().unwrap());
        }
        for (list, path, digest) in [
            ("added", "path", "digest"),
            ("changed", "path", "after"),
            ("moved", "to", "digest"),
        ] {
            for page in members(&since[list]) {
                self.read(served, &page[path], &page[digest]);
            }
        }
    }

    fn read(&mut self, served: &Served, path: &Value, digest: &Value) {
        let (path, digest) = (path.as_str().unwrap(), digest.as_str().unwrap());
        if self.copies.get(path).is_some_and(|(own, _)| own == digest) {
            return;
        }
        let answer = served.get(path);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("\r\netag: \"{digest}\"")),
            "{path}: {head}"
        );
        self.copies
            .insert(path.to_owned(), (digest.to_owned(), body.to_owned()));
    }

    /// Whether the copies are what the sitemap leads to.
    fn is_whole(&self, served: &Served) -> bool {
        let sitemap = body(served, "/sitemap.md").unwrap();
        let paths = sitemap.lines().filter_map(|line| {
            let (_, path) = line.strip_suffix('`')?.rsplit_once('`')?;
            Some(path)
        });
        let everything = paths.map(|path| (path.to_owned(), body(served, path).unwrap()));
        let own = self.copies.iter();
        let own = own.map(|(path, (_, body))| (path.clone(), body.clone()));
        own.collect::<BTreeMap<_, _>>() == everything.collect()
    }
}

fn members(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().unwrap().iter()
}

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % most
    }
}

/// One edit of a folder of up to eight texts; each gives another edition.
fn edit(desk: &Desk, numbers: &mut Numbers, number: usize) {
    let name = |numbers: &mut Numbers| format!("site/articles/text-{}.md", numbers.below(8));
    let (one, other) = (name(numbers), name(numbers));
    let is_there = |path: &str| desk.path(path).exists();
    match numbers.below(6) {
        0 if is_there(&one) => fs::remove_file(desk.path(&one)).unwrap(),
        1 if is_there(&one) && !is_there(&other) => {
            fs::rename(desk.path(&one), desk.path(&other)).unwrap();
        }
        2 if is_there(&one) => {
            let text = desk.read(&one);
            desk.write(&one, &format!("{text}\n## Part {number}\n\nMore.\n"));
        }
        _ => {
            let title = format!("Title {}", numbers.below(4));
            desk.write(
                &one,
                &article(&title, &format!("Words {number}.\n\n## A part\n\nRest.")),
            );
        }
    }
}

const ADDRESS: &str = "--base-url https://example.org --state state";

#[test]
fn issue_26_a_client_follows_a_server_through_100_edits_and_a_restart() {
    let desk = desk();
    let mut served = Served::start(&desk, ADDRESS);
    let (mut client, mut lazy) = (Client::default(), Client::default());
    let mut numbers = Numbers(26);
    for number in 0..100 {
        let before = id(&served);
        edit(&desk, &mut numbers, number);
        until(
            || id(&served) != before,
            || format!("edit {number} is not live: {}", served.said()),
        );
        client.follow(&served);
        if number % 10 == 9 {
            lazy.follow(&served);
            assert!(client.is_whole(&served), "after {number}");
            assert!(lazy.is_whole(&served), "after {number}");
        }
        if number == 50 {
            let state = desk.path("state");
            let saved = || {
                fs::read_dir(&state).unwrap().flatten().any(|entry| {
                    let text = fs::read_to_string(entry.path()).unwrap_or_default();
                    entry.file_name().to_string_lossy().starts_with("changes-")
                        && text.contains(&id(&served))
                })
            };
            until(saved, || "the editions before are not saved".to_owned());
            drop(served);
            served = Served::start(&desk, ADDRESS);
        }
    }
    assert_eq!((client.restarts, lazy.restarts), (1, 1));
}

fn build(desk: &Desk, output: &str, args: &str) {
    let ran = desk.run(&format!(
        "build site --base-url https://example.org --output {output} {args}"
    ));
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}

/// The documents on changes of an export.
fn documents(desk: &Desk, output: &str) -> BTreeMap<String, String> {
    let mut documents = BTreeMap::new();
    for path in ["changes.json", "changes.md"] {
        documents.insert(path.to_owned(), desk.read(&format!("{output}/{path}")));
    }
    for entry in fs::read_dir(desk.path(&format!("{output}/changes"))).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        documents.insert(name, fs::read_to_string(entry.path()).unwrap());
    }
    documents
}

fn id_of(desk: &Desk, output: &str) -> String {
    let status: Value = serde_json::from_str(&desk.read(&format!("{output}/status.json"))).unwrap();
    status["releaseId"].as_str().unwrap().to_owned()
}

#[test]
fn issue_26_a_build_goes_on_from_the_state_and_from_a_published_site() {
    let desk = desk();
    build(&desk, "one", "--state state");
    let first = id_of(&desk, "one");
    let served = Served::start(
        &desk,
        "--base-url https://example.org --no-state --no-watch",
    );
    desk.write("site/articles/first.md", &article("First", "Other words."));
    build(&desk, "two", "--state state");
    let changes = documents(&desk, "two");
    let since = &changes[&format!("{first}.json")];
    assert!(since.contains("\"/articles/first.md\""), "{since}");
    // The server has the folder of the first build.
    let url = format!("http://{}", served.address);
    build(&desk, "since", &format!("--no-state --since {url}"));
    assert_eq!(documents(&desk, "since"), changes);
    build(&desk, "alone", "--no-state");
    assert_eq!(documents(&desk, "alone").len(), 3);
    assert_eq!(id_of(&desk, "alone"), id_of(&desk, "two"));
    // The same build again is not a new edition; another address has editions of its own.
    build(&desk, "three", "--state state");
    assert_eq!(documents(&desk, "three"), changes);
    let ran = desk.run("build site --base-url https://example.com --output four --state state");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(documents(&desk, "four").len(), 3);
    build(&desk, "five", "--state state");
    assert_eq!(documents(&desk, "five"), changes);
    // What a server serves is what is exported.
    drop(served);
    let served = Served::start(&desk, ADDRESS);
    for (name, text) in &changes {
        let path = match name.starts_with("changes.") {
            true => format!("/{name}"),
            false => format!("/changes/{name}"),
        };
        assert_eq!(body(&served, &path).as_ref(), Some(text), "{path}");
    }
}

#[test]
fn issue_26_a_site_without_changes_begins_with_this_edition_and_one_that_does_not_answer_stops_the_build()
 {
    let desk = desk();
    desk.write("site/static/changes.json", "{}");
    let served = Served::start(&desk, "--base-url https://example.org --no-state");
    let build = |url: &str| {
        desk.run(&format!(
            "build site --base-url https://example.org --output out --no-state --since {url}"
        ))
    };
    let ran = build(&format!("http://{}", served.address));
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("has no list of changes"), "{}", ran.err);
    let address = served.address.clone();
    drop(served);
    let ran = build(&format!("http://{address}"));
    assert_eq!(ran.status, Some(3), "{}", ran.err);
    assert!(ran.err.contains("hint: without `--since`"), "{}", ran.err);
    assert_eq!(build("ftp://example.org").status, Some(2));
}

#[cfg(feature = "store")]
#[test]
fn issue_26_a_store_leaves_its_editions_to_the_next_and_a_replica_says_the_same() {
    let desk = desk();
    let store = format!("file://{}", desk.path("store").display());
    let publish = || {
        let to = format!("--base-url https://example.org --no-state --to {store}");
        let ran = desk.run(&format!("publish site {to}"));
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    };
    publish();
    build(&desk, "one", "--state state");
    desk.write("site/articles/first.md", &article("First", "Other words."));
    publish();
    build(&desk, "two", "--state state");
    let served = Served::run(&mut desk.command(&format!(
        "serve {store} --listen 127.0.0.1:0 --poll 0.2 --cache cache"
    )));
    let first = id_of(&desk, "one");
    for (path, file) in [
        ("/changes.json", "two/changes.json".to_owned()),
        ("/changes.md", "two/changes.md".to_owned()),
        ("/changes/all.json", "two/changes/all.json".to_owned()),
        (
            &*format!("/changes/{first}.json"),
            format!("two/changes/{first}.json"),
        ),
    ] {
        assert_eq!(body(&served, path), Some(desk.read(&file)), "{path}");
    }
}
