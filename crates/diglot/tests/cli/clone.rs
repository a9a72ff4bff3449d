//! `diglot clone`: a copy of a live site, made again cheaply, that stays in its folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::cli::Desk;
use crate::cli::live::{Served, until};

/// What a run did: new, changed, unchanged, removed, and how many requests it took.
fn counts(desk: &Desk, url: &str) -> ([u64; 5], Vec<String>) {
    let ran = desk.run(&format!("clone {url} copy --json"));
    let said: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let count = |name: &str| said[name].as_u64().unwrap();
    let problems = said["problems"].as_array().unwrap().iter();
    let problems: Vec<String> = problems
        .map(|problem| problem.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ran.status, Some(if problems.is_empty() { 0 } else { 3 }));
    let names = ["new", "changed", "unchanged", "removed", "requests"];
    (names.map(count), problems)
}

/// The files of the copy and their bytes, without those that are hidden.
fn files(desk: &Desk) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![desk.path("copy")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.file_name().unwrap().to_string_lossy().starts_with('.') {
                let name = path.strip_prefix(desk.path("copy")).unwrap();
                found.insert(name.to_str().unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_copy_has_the_twins_and_follows_the_site() {
    let desk = Desk::with(&[
        ("site/diglot.toml", "title = \"Notes\"\n"),
        ("site/articles/one.md", "---\ntitle: One\n---\n\nWords.\n"),
        (
            "site/articles/zwei/größe.md",
            "---\ntitle: Two\n---\n\nMore.\n",
        ),
    ]);
    let served = Served::start(&desk, "--base-url https://example.org/blog --no-state");
    let site = format!("http://{}/blog", served.address);
    let ([new, changed, unchanged, removed, _], problems) = counts(&desk, &site);
    assert_eq!((changed, unchanged, removed, problems.len()), (0, 0, 0, 0));
    let copied = files(&desk);
    assert_eq!(copied.len() as u64, new);
    let twin = served.get("/blog/articles/zwei/gr%C3%B6%C3%9Fe.md");
    let body = twin.split("\r\n\r\n").nth(1).unwrap();
    assert_eq!(copied["articles/zwei/größe.md"], body.as_bytes());
    assert!(copied.contains_key("index.md") && copied.contains_key("articles/one.md"));

    let (again, _) = counts(&desk, &site);
    assert_eq!(
        again,
        [0, 0, new, 0, 3],
        "robots.txt, the home page and status.json say that nothing changed"
    );

    desk.write(
        "site/articles/one.md",
        "---\ntitle: One\n---\n\nOther words.\n",
    );
    fs::remove_file(desk.path("site/articles/zwei/größe.md")).unwrap();
    served.wait_for_answer("/blog/articles/one.md", "Other words.");
    served.wait_for_answer("/blog/articles/zwei/gr%C3%B6%C3%9Fe.md", "404");
    let ([more, _, _, removed, _], problems) = counts(&desk, &site);
    assert!(
        more == 0 && removed >= 1 && problems.is_empty(),
        "{problems:?}"
    );
    assert_eq!(files(&desk).len() as u64, new - removed);
    let copied = files(&desk);
    assert!(
        !copied.contains_key("articles/zwei/größe.md") && !desk.path("copy/articles/zwei").exists()
    );
    assert!(String::from_utf8_lossy(&copied["articles/one.md"]).contains("Other words."));
}

#[test]
fn what_the_command_did_not_write_stays() {
    let desk = Desk::with(&[("site/articles/one.md", "---\ntitle: One\n---\n\nWords.\n")]);
    let served = Served::start(&desk, "--base-url https://example.org --no-state");
    let site = format!("http://{}", served.address);
    counts(&desk, &site);
    desk.write("copy/articles/one.md", "mine");
    desk.write("copy/mine.md", "mine");
    let (_, problems) = counts(&desk, &site);
    assert!(
        problems.len() == 1
            && problems[0].contains("is kept: you edited it, or it is not from this site"),
        "{problems:?}"
    );
    assert_eq!(
        (desk.read("copy/articles/one.md"), desk.read("copy/mine.md")),
        ("mine".into(), "mine".into())
    );
    fs::remove_file(desk.path("copy/articles/one.md")).unwrap();
    let ([new, ..], problems) = counts(&desk, &site);
    assert_eq!((new, problems.len()), (1, 0));
    let ran = desk.run(&format!("clone {site} site"));
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("`/") && ran.err.contains("is not empty"),
        "{}",
        ran.err
    );
}

/// A site that answers these bodies, and notes what it was asked for.
fn hostile(answers: &'static [(&'static str, &'static str)]) -> (String, Arc<Mutex<Vec<String>>>) {
    hostile_and(answers, |_| {})
}

/// As [`hostile`]; `first` is told the path and the `User-Agent` before each answer.
fn hostile_and(
    answers: &'static [(&'static str, &'static str)],
    mut first: impl FnMut([&str; 2]) + Send + 'static,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let mut lines = BufReader::new(socket.try_clone().unwrap()).lines();
            let head = lines
                .by_ref()
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty());
            let head: Vec<String> = head.collect();
            let path = head[0].split(' ').nth(1).unwrap().to_owned();
            let agent = head
                .iter()
                .find_map(|line| line.strip_prefix("user-agent: "));
            first([&path, agent.unwrap_or_default()]);
            let before = notes
                .lock()
                .unwrap()
                .iter()
                .filter(|own| **own == path)
                .count();
            notes.lock().unwrap().push(path.clone());
            let body = answers.iter().find(|(own, _)| *own == path).map(|it| it.1);
            let head = match (body, path.as_str()) {
                (Some(_), "/late.md") if before == 0 => "429 Too Many\r\nRetry-After: 1",
                (Some(status), "/robots.txt") if status.starts_with("50") => status,
                (Some(_), "/page.md") => "200 OK\r\nContent-Type: text/html",
                (Some(_), _) => "200 OK\r\nContent-Type: text/markdown; charset=utf-8",
                (None, _) => "404 Not Found",
            };
            let body = body.unwrap_or_default();
            let _ = write!(
                socket,
                "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (format!("http://{address}"), asked)
}

#[test]
fn a_hostile_site_writes_nothing_outside_and_a_polite_client_waits() {
    const MAP: &str = "- [A](https://x/a.html) `/a.md`\n- [Up](https://x/u.html) `/../../up.md`\n- [Coded](https://x/c.html) `/a/%2e%2e/%2e%2e/coded.md`\n\
                       - [Hidden](https://x/h.html) `/.ssh/keys.md`\n- [No](https://x/no.html) `/private/no.md`\n- [Late](https://x/late.html) `/late.md`\n\
                       - [Page](https://x/page.html) `/page.md`\n- [Gone](https://x/gone.html) `/gone.md`\n";
    let (url, asked) = hostile(&[
        ("/", "<h1>x</h1>"),
        (
            "/robots.txt",
            "User-agent: diglot-clone\nDisallow: /private/\n",
        ),
        (
            "/status.json",
            "{\"releaseId\": \"0123\", \"serviceId\": \"https://x\"}",
        ),
        ("/sitemap.md", MAP),
        ("/a.md", "# A\n"),
        ("/late.md", "# Late\n"),
        ("/page.md", "<p>not found</p>"),
    ]);
    let desk = Desk::new();
    let begun = std::time::Instant::now();
    let ([new, ..], problems) = counts(&desk, &url);
    assert!(
        begun.elapsed().as_millis() >= 1_000,
        "`Retry-After` was not obeyed"
    );
    assert_eq!(new, 2, "{problems:?}");
    assert_eq!(
        files(&desk).into_keys().collect::<Vec<_>>(),
        ["a.md", "late.md"]
    );
    let here: Vec<_> = fs::read_dir(desk.path(""))
        .unwrap()
        .map(|it| it.unwrap().file_name())
        .collect();
    assert_eq!(here, ["copy"]);
    for words in [
        "`/../../up.md`: it has no place",
        "`/a/%2e%2e/%2e%2e/coded.md`: it has no place",
        "`/.ssh/keys.md`: it has no place",
        "`private/no.md`: `robots.txt` disallows it",
        "`page.md`: it is `text/html`",
        "`gone.md`: the answer is 404",
    ] {
        assert!(
            problems.iter().any(|it| it.contains(words)),
            "{words}: {problems:?}"
        );
    }
    assert!(!asked.lock().unwrap().contains(&"/private/no.md".to_owned()));
}

const STATUS: &str = "{\"releaseId\": \"0123\", \"serviceId\": \"https://x\"}";
const TWO: &str = "- [A](https://x/a.html) `/a.md`\n- [B](https://x/b.html) `/b.md`\n";
const PAGES: &[(&str, &str)] = &[
    ("/", "<h1>x</h1>"),
    ("/status.json", STATUS),
    ("/sitemap.md", TWO),
    ("/a.md", "# A\n"),
    ("/b.md", "# B\n"),
];

#[test]
fn a_page_that_is_edited_while_it_is_fetched_stays() {
    let desk = Desk::new();
    let file = desk.path("copy/a.md");
    let edit = move |[path, _]: [&str; 2]| {
        if path == "/a.md" {
            fs::write(&file, "mine").unwrap();
        }
    };
    let (url, _) = hostile_and(PAGES, edit);
    let ([new, ..], problems) = counts(&desk, &url);
    assert_eq!(new, 1);
    assert!(problems[0].contains("`a.md`: it is kept"), "{problems:?}");
    assert_eq!(desk.read("copy/a.md"), "mine");
}

#[test]
fn robots_txt_is_asked_for_first_and_all_requests_have_the_name_of_the_command() {
    let desk = Desk::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let note = move |[path, agent]: [&str; 2]| {
        notes
            .lock()
            .unwrap()
            .push([path.to_owned(), agent.to_owned()]);
    };
    let (url, _) = hostile_and(PAGES, note);
    let ([.., requests], _) = counts(&desk, &url);
    let seen = seen.lock().unwrap();
    let paths: Vec<&str> = seen.iter().map(|[path, _]| &**path).collect();
    assert_eq!(paths[..3], ["/robots.txt", "/", "/status.json"]);
    assert_eq!(paths.len() as u64, requests);
    for [path, agent] in &*seen {
        assert!(agent.starts_with("diglot-clone/"), "{path}: {agent}");
    }
}

#[test]
fn a_run_that_was_killed_goes_on() {
    use std::process::Stdio;
    let desk = Desk::new();
    let (sender, asked) = std::sync::mpsc::channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let mut pages = 0;
    let pause = move |[path, _]: [&str; 2]| {
        pages += usize::from(path == "/a.md" || path == "/b.md");
        if pages == 2 {
            sender.send(()).unwrap();
            let _ = wait.recv();
        }
    };
    let (url, _) = hostile_and(PAGES, pause);
    let mut child = desk
        .command(&format!("clone {url} copy"))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    asked.recv().unwrap();
    until(
        || !files(&desk).is_empty(),
        || "the first page was not written".to_owned(),
    );
    child.kill().unwrap();
    child.wait().unwrap();
    drop(go);
    let ran = desk.run(&format!("clone {url} copy"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(
        files(&desk).into_keys().collect::<Vec<_>>(),
        ["a.md", "b.md"]
    );
    assert!(!desk.path("copy/.diglot-clone.journal").exists());
}

#[cfg(unix)]
#[test]
fn a_copy_is_read_by_others_and_a_list_that_names_files_outside_removes_none() {
    use std::os::unix::fs::PermissionsExt;
    let (desk, (url, _)) = (Desk::new(), hostile(PAGES));
    counts(&desk, &url);
    desk.write("as-umask", "");
    let mode = |path: &str| fs::metadata(desk.path(path)).unwrap().permissions().mode();
    assert_eq!(mode("copy/a.md"), mode("as-umask"));
    assert_eq!(mode("copy/.diglot-clone.json"), mode("as-umask"));
    desk.write("out.md", "# A\n");
    let list = desk.read("copy/.diglot-clone.json");
    desk.write(
        "copy/.diglot-clone.json",
        &list.replace("\"a.md\"", "\"../out.md\""),
    );
    let ran = desk.run(&format!("clone {url} copy --no-sandbox"));
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.err.contains("`.diglot-clone.json`"), "{ran:?}");
    assert_eq!(desk.read("out.md"), "# A\n");
}

#[test]
fn a_run_that_copies_nothing_leaves_no_folder() {
    let desk = Desk::new();
    for site in ["nonsense:", "http://127.0.0.1:1"] {
        let ran = desk.run(&format!("clone {site} deep/copy"));
        assert!(ran.status != Some(0), "{ran:?}");
        assert!(!desk.path("deep").exists(), "{site}");
    }
    fs::create_dir(desk.path("mine")).unwrap();
    desk.run("clone http://127.0.0.1:1 mine");
    assert!(desk.path("mine").exists());
}

#[test]
fn names_that_are_one_on_some_system_are_left_out() {
    const MAP: &str = "- [A](https://x/a.html) `/a.md`\n- [A](https://x/A.html) `/A.md`\n- [C](https://x/C.html) `/CON.md`\n";
    let (url, _) = hostile(&[
        ("/", "<h1>x</h1>"),
        ("/status.json", STATUS),
        ("/sitemap.md", MAP),
        ("/a.md", "# a\n"),
        ("/A.md", "# A\n"),
        ("/CON.md", "# C\n"),
    ]);
    let desk = Desk::new();
    let (_, problems) = counts(&desk, &url);
    assert_eq!(files(&desk).into_keys().collect::<Vec<_>>(), ["a.md"]);
    assert!(
        problems.contains(
            &"`A.md`: its name differs from `a.md` in upper and lower case alone".to_owned()
        ) && problems.contains(&"`/CON.md`: it has no place in the folder".to_owned()),
        "{problems:?}"
    );
}

#[test]
fn rfc_9309_2_3_1_4_while_the_host_cannot_tell_everything_is_disallowed() {
    let (url, asked) = hostile(&[
        ("/", "<h1>x</h1>"),
        ("/robots.txt", "500 Internal Server Error"),
        (
            "/status.json",
            "{\"releaseId\": \"0123\", \"serviceId\": \"https://x\"}",
        ),
        ("/sitemap.md", "- [A](https://x/a.html) `/a.md`\n"),
        ("/a.md", "# A\n"),
    ]);
    let desk = Desk::new();
    let ran = desk.run(&format!("clone {url} copy"));
    assert_eq!(ran.status, Some(3), "{ran:?}");
    assert!(
        ran.err.contains("`robots.txt`") && ran.err.contains("500"),
        "{}",
        ran.err
    );
    assert!(files(&desk).is_empty());
    if cfg!(feature = "mcp") {
        let ran = desk.run(&format!("mcp {url}"));
        assert_eq!(ran.status, Some(3), "{ran:?}");
        assert!(ran.err.contains("500"), "{}", ran.err);
    }
    let asked = asked.lock().unwrap();
    assert!(
        asked
            .iter()
            .all(|path| path == "/" || path == "/robots.txt"),
        "{asked:?}"
    );
}
