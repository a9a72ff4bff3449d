//! `diglot serve` as a process: edits, bad edits, signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::cli::Desk;
#[cfg(unix)]
use crate::cli::Ran;

/// How long a test waits at most: machines that build several things at once are slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A served desk.
pub(crate) struct Served {
    pub child: Child,
    pub address: String,
    said: Arc<Mutex<String>>,
    /// Hears what it says, until its end.
    listener: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn start(desk: &Desk, args: &str) -> Self {
        Self::run(&mut desk.command(&format!("serve site --listen 127.0.0.1:0 {args}")))
    }

    /// Starts it with more in its environment.
    pub(crate) fn start_with(desk: &Desk, args: &str, environment: &[(&str, &str)]) -> Self {
        Self::run(
            desk.command(&format!("serve site --listen 127.0.0.1:0 {args}"))
                .envs(environment.iter().copied()),
        )
    }

    pub(crate) fn run(command: &mut Command) -> Self {
        let mut served = Self::run_silently(command);
        served.wait_for(" on http");
        let said = served.said();
        served.address = said
            .rsplit(" on http")
            .next()
            .unwrap()
            .split("://")
            .nth(1)
            .unwrap()
            .split('/')
            .next()
            .unwrap()
            .to_owned();
        served
    }

    /// Starts one that may not say its address.
    pub(crate) fn run_silently(command: &mut Command) -> Self {
        // A terminal on its standard input would give SIGHUP another meaning.
        let mut child = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (said, mut lines) = (
            Arc::new(Mutex::new(String::new())),
            BufReader::new(child.stderr.take().unwrap()).lines(),
        );
        let heard = Arc::clone(&said);
        let listener = std::thread::spawn(move || {
            while let Some(Ok(line)) = lines.next() {
                *heard.lock().unwrap() += &format!("{line}\n");
            }
        });
        Self {
            child,
            address: String::new(),
            said,
            listener: Some(listener),
        }
    }

    /// Ends it by SIGTERM, and returns what it left.
    #[cfg(unix)]
    pub(crate) fn end(mut self) -> Ran {
        let mut kill = Command::new("kill");
        kill.args(["-TERM", &self.child.id().to_string()]);
        assert!(kill.status().unwrap().success());
        let mut out = String::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            stdout.read_to_string(&mut out).unwrap();
        }
        let status = self.child.wait().unwrap().code();
        self.listener.take().unwrap().join().unwrap();
        let err = self.said();
        Ran { status, out, err }
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    pub(crate) fn wait_for(&self, words: &str) {
        until(
            || self.said().contains(words),
            || format!("it never said `{words}`, but:\n{}", self.said()),
        );
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(path, "")
    }

    /// The private address, of a server with `--admin`.
    pub(crate) fn admin(&self) -> String {
        self.wait_for("metrics: http://");
        let said = self.said();
        let (_, address) = said.split_once("metrics: http://").unwrap();
        address.split('/').next().unwrap().to_owned()
    }

    /// How many editions a server with `--admin` has made.
    pub(crate) fn editions_made(&self) -> usize {
        self.reloads("made")
    }

    /// How often a server with `--admin` has read its folder, with this result.
    fn reloads(&self, result: &str) -> usize {
        let metrics = answer(&self.admin(), "x", "/metrics", "");
        let name = format!("diglot_reloads_total{{result=\"{result}\"}} ");
        let (_, count) = metrics.split_once(&name).unwrap();
        count.lines().next().unwrap().parse().unwrap()
    }

    /// Asks with more fields, each with its line break.
    pub(crate) fn ask(&self, path: &str, fields: &str) -> String {
        self.ask_as("x", path, fields)
    }

    /// Asks under a name of the host.
    pub(crate) fn ask_as(&self, host: &str, path: &str, fields: &str) -> String {
        answer(&self.address, host, path, fields)
    }

    pub(crate) fn wait_for_answer(&self, path: &str, words: &str) {
        until(
            || self.get(path).contains(words),
            || {
                format!(
                    "{path} never had `{words}`:\n{}\n{}",
                    self.get(path),
                    self.said()
                )
            },
        );
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer of a server at an address to one request.
fn answer(address: &str, host: &str, path: &str, fields: &str) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    write!(
        socket,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\n{fields}Connection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// What a server says to this path once somebody listens there.
#[cfg(target_os = "linux")]
pub(crate) fn first_answer(address: &str, path: &str) -> String {
    let mut answer = String::new();
    let ask = || {
        let mut socket = TcpStream::connect(address)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        write!(
            socket,
            "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )?;
        socket.read_to_string(&mut answer).map(drop)
    };
    let mut ask = ask;
    until(|| ask().is_ok(), || format!("nobody answers on {address}"));
    answer
}

pub(crate) fn until(mut done: impl FnMut() -> bool, why_not: impl FnOnce() -> String) {
    let begun = Instant::now();
    while !done() {
        if begun.elapsed() > PATIENCE {
            panic!("{}", why_not());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn article(title: &str, words: &str) -> String {
    format!("---\ntitle: {title}\ndate: 2024-05-06\ndescription: One.\n---\n\n{words}\n")
}

pub fn desk() -> Desk {
    Desk::with(&[("site/articles/first.md", &article("First", "Some words."))])
}

#[test]
fn one_line_says_that_it_is_ready() {
    let desk = desk();
    let served = Served::start(&desk, "");
    let said = served.said();
    assert!(
        said.contains(
            "diglot: preview: no base URL is set, so only this machine can reach the site\n"
        ),
        "{said}"
    );
    assert_eq!(said.matches("http://").count(), 1, "one address: {said}");
    assert!(
        said.ends_with(&format!(
            "diglot: 1 article on http://{}/\n",
            served.address
        )),
        "{said}"
    );
    let named = Served::start(&desk, "--base-url https://example.org/blog");
    assert!(!named.said().contains("preview"), "{}", named.said());
    assert!(
        named
            .get("/blog/articles/first.html")
            .contains("https://example.org/blog/articles/first.html")
    );
}

#[test]
#[cfg(unix)]
fn a_renewed_certificate_is_taken_and_a_broken_one_is_said() {
    let desk = desk();
    let put = |name: &str, as_name: &str| {
        let file = format!("{}/tests/certificates/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::copy(file, desk.path(as_name)).unwrap();
    };
    put("first.pem", "c.pem");
    put("first.key", "k.pem");
    let served = Served::start(
        &desk,
        "--tls-cert c.pem --tls-key k.pem --base-url http://other.example",
    );
    let said = served.said();
    assert!(
        said.contains("warning: the base URL `http://other.example` is not `https://`"),
        "{said}"
    );
    assert!(
        said.contains("warning: the certificate is not for `other.example`"),
        "{said}"
    );
    assert!(
        served.get("/").starts_with("HTTP/1.1 400"),
        "plain HTTP is told so"
    );
    put("second.pem", "c.pem");
    served.wait_for("c.pem`; still using the old certificate\n  hint: ");
    put("second.key", "k.pem");
    served.wait_for("diglot: the new certificate is in use");
}

#[test]
fn what_is_seen_from_outside_says_everything_but_who_it_was() {
    let desk = desk();
    let served = Served::start(
        &desk,
        "--admin 127.0.0.1:0 --log-format json --log-requests",
    );
    let admin = served.admin();
    let ask = |address: &str, path: &str| {
        let mut socket = TcpStream::connect(address).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: x\r\nUser-Agent: GPTBot/1.2 (secret-words)\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    };
    // A check of health that closes its side once it has asked.
    for _ in 0..40 {
        let mut socket = TcpStream::connect(&admin).unwrap();
        socket
            .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            .unwrap();
        socket.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer:?}");
    }
    assert!(
        ask(&served.address, "/articles/first.md?token=secret-words").starts_with("HTTP/1.1 200")
    );
    served.wait_for("\"message\":\"request\"");
    assert!(
        ask(&admin, "/healthz").starts_with("HTTP/1.1 200")
            && ask(&admin, "/readyz").starts_with("HTTP/1.1 200")
    );
    assert!(
        ask(&admin, "/articles/first.md").starts_with("HTTP/1.1 404"),
        "the site is not there"
    );
    assert!(
        ask(&served.address, "/metrics").starts_with("HTTP/1.1 404"),
        "and the numbers are not on the site"
    );
    let metrics = ask(&admin, "/metrics");
    assert!(
        metrics.contains("diglot_requests_total{route=\"article\",form=\"markdown\",status=\"200\",coding=\"identity\",agent=\"OpenAI\"} 1"),
        "{metrics}"
    );
    assert!(
        metrics.contains("diglot_edition_articles 1")
            && metrics.contains("diglot_edition_info{id=\""),
        "{metrics}"
    );
    desk.write("site/diglot.toml", "titel = \"x\"\n");
    served.wait_for("rebuild failed");
    assert!(ask(&admin, "/metrics").contains("diglot_reloads_total{result=\"failed\"} 1"));
    let said = served.said();
    for line in said.lines() {
        assert!(
            line.starts_with("{\"time\":\"20") && line.ends_with('}'),
            "{line}"
        );
    }
    assert!(
        said.contains("\"place\":{\"path\":\"diglot.toml\",\"line\":1"),
        "{said}"
    );
    assert!(
        !said.contains("secret-words")
            && !said.contains("GPTBot")
            && !metrics.contains("secret-words"),
        "{said}"
    );
}

#[test]
fn a_saved_edit_is_live_by_itself() {
    let desk = desk();
    let served = Served::start(&desk, "");
    desk.write("site/articles/first.md", &article("First", "Other words."));
    served.wait_for_answer("/articles/first.html", "Other words.");
    desk.write(
        "site/articles/new/second.md",
        &article("Second", "In a new folder."),
    );
    served.wait_for_answer("/articles/new/second.md", "In a new folder.");
    desk.write(
        "site/articles/.first.swp",
        &article("First", "Saved by renaming."),
    );
    std::fs::rename(
        desk.path("site/articles/.first.swp"),
        desk.path("site/articles/first.md"),
    )
    .unwrap();
    served.wait_for_answer("/articles/first.html", "Saved by renaming.");
    std::fs::remove_file(desk.path("site/articles/new/second.md")).unwrap();
    served.wait_for_answer("/articles/new/second.md", "HTTP/1.1 404");
}

#[test]
fn a_failed_rebuild_keeps_the_last_good_edition() {
    let desk = desk();
    let served = Served::start(&desk, "");
    desk.write("site/diglot.toml", "titel = \"x\"\n");
    served.wait_for("diglot: warning: the rebuild failed; still serving edition ");
    assert!(
        served.said().contains("diglot.toml:1:1: "),
        "{}",
        served.said()
    );
    assert!(served.get("/articles/first.html").contains("Some words."));
    desk.write("site/diglot.toml", "title = \"Mended\"\n");
    served.wait_for_answer("/index.html", "Mended");
}

#[test]
fn an_article_appears_when_its_time_comes() {
    let soon = (jiff::Timestamp::now() + Duration::from_secs(3))
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string();
    let desk = desk();
    desk.write(
        "site/articles/later.md",
        &article("Later", "Now it is time.").replace("2024-05-06", &soon),
    );
    let served = Served::start(&desk, "");
    assert!(
        served
            .get("/articles/later.html")
            .starts_with("HTTP/1.1 404")
    );
    served.wait_for_answer("/articles/later.html", "Now it is time.");
}

#[test]
fn while_the_folder_is_edited_every_body_is_its_tags() {
    let desk = desk();
    let served = Served::start(&desk, "");
    let begun = Instant::now();
    let mut seen = std::collections::BTreeSet::new();
    for round in 0.. {
        if round % 25 == 0 {
            desk.write(
                "site/articles/first.md",
                &article("First", &format!("Words of round {round}. ").repeat(50)),
            );
        }
        let answer = served.get("/articles/first.md");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let tag = head
            .lines()
            .find_map(|line| line.strip_prefix("etag: "))
            .unwrap_or_else(|| panic!("{answer}\n{}", served.said()))
            .trim_matches('"')
            .to_owned();
        assert_eq!(
            tag,
            diglot_edition::Digest::hash(body.as_bytes()).to_string(),
            "round {round}"
        );
        seen.insert(tag);
        if seen.len() >= 4 || begun.elapsed() > PATIENCE {
            break;
        }
    }
    assert!(seen.len() >= 4, "only {} editions were seen", seen.len());
}

/// On a busy disk, time may pass between emptying a file and writing its bytes.
#[test]
fn a_file_that_is_emptied_and_written_a_second_later_never_vanishes() {
    let desk = desk();
    let served = Served::start(&desk, "");
    let mut file = std::fs::File::create(desk.path("site/articles/first.md")).unwrap();
    for _ in 0..30 {
        assert!(
            served.get("/articles/first.md").starts_with("HTTP/1.1 200"),
            "{}",
            served.said()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    file.write_all(article("First", "Other words.").as_bytes())
        .unwrap();
    drop(file);
    served.wait_for_answer("/articles/first.md", "Other words.");
}

/// A site whose configuration withholds a text.
fn withholding() -> Desk {
    Desk::with(&[
        (
            "site/mkdocs.yml",
            "site_name: a\nexclude_docs: |\n  private/\n",
        ),
        ("site/docs/a.md", "Some words."),
        ("site/docs/private/s.md", "SECRETWORD"),
    ])
}

#[test]
fn a_configuration_that_is_replaced_never_shows_what_it_withholds() {
    let desk = withholding();
    let served = Served::start(&desk, "");
    std::fs::rename(desk.path("site/mkdocs.yml"), desk.path("mkdocs.yml")).unwrap();
    for _ in 0..20 {
        let all = served.get("/llms-full.txt");
        assert!(all.contains("Some words.") && !all.contains("SECRETWORD"));
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::rename(desk.path("mkdocs.yml"), desk.path("site/mkdocs.yml")).unwrap();
    desk.write("site/docs/a.md", "Other words.");
    served.wait_for_answer("/llms-full.txt", "Other words.");
    assert!(!served.get("/llms-full.txt").contains("SECRETWORD"));
}

#[test]
fn a_configuration_that_is_not_understood_keeps_the_last_edition() {
    let desk = withholding();
    let served = Served::start(&desk, "");
    desk.write("site/mkdocs.yml", "{{{{ [[ : ");
    until(|| served.said().contains("still serving"), || served.said());
    assert!(served.said().contains("mkdocs.yml: error: "));
    let all = served.get("/llms-full.txt");
    assert!(all.contains("Some words.") && !all.contains("SECRETWORD"));
}

#[test]
#[cfg(unix)]
fn a_configuration_that_cannot_be_read_publishes_nothing() {
    let desk = withholding();
    std::fs::rename(desk.path("site/mkdocs.yml"), desk.path("mkdocs.yml")).unwrap();
    std::os::unix::fs::symlink("../mkdocs.yml", desk.path("site/mkdocs.yml")).unwrap();
    let ran = desk.run("check site");
    assert_eq!(ran.status, Some(1), "{}", ran.said());
    let why = "mkdocs.yml: error: the configuration cannot be read: ";
    assert!(ran.said().contains(why), "{}", ran.said());
}

#[test]
fn an_emptied_file_is_set_aside_after_a_while() {
    let desk = desk();
    desk.write("site/articles/second.md", &article("Second", "It stays."));
    let served = Served::start(&desk, "");
    desk.write("site/articles/first.md", "");
    served.wait_for_answer("/articles/first.md", "HTTP/1.1 404");
}

#[test]
#[cfg(unix)]
fn a_switched_link_is_followed() {
    let desk = Desk::with(&[
        ("one/articles/first.md", &article("First", "Release one.")),
        ("two/articles/first.md", &article("First", "Release two.")),
    ]);
    std::os::unix::fs::symlink("one", desk.path("site")).unwrap();
    let served = Served::start(&desk, "");
    assert!(served.get("/articles/first.html").contains("Release one."));
    std::os::unix::fs::symlink("two", desk.path("next")).unwrap();
    std::fs::rename(desk.path("next"), desk.path("site")).unwrap();
    served.wait_for_answer("/articles/first.html", "Release two.");
}

#[test]
fn a_folder_removed_and_made_again_is_watched_again() {
    let desk = desk();
    let served = Served::start(&desk, "");
    std::fs::remove_dir_all(desk.path("site")).unwrap();
    served.wait_for("the rebuild failed; still serving edition ");
    assert!(served.get("/articles/first.html").contains("Some words."));
    desk.write("site/articles/first.md", &article("First", "Made again."));
    served.wait_for_answer("/articles/first.html", "Made again.");
    desk.write("site/articles/first.md", &article("First", "And edited."));
    served.wait_for_answer("/articles/first.html", "And edited.");
}

#[test]
fn a_folder_that_is_gone_for_long_is_said_once() {
    let desk = desk();
    let served = Served::start(&desk, "--admin 127.0.0.1:0");
    std::fs::rename(desk.path("site"), desk.path("away")).unwrap();
    until(|| served.reloads("failed") > 2, || served.said());
    assert_eq!(
        served.said().matches("rebuild failed").count(),
        1,
        "{}",
        served.said()
    );
    std::fs::rename(desk.path("away"), desk.path("site")).unwrap();
    desk.write("site/articles/first.md", &article("First", "Back again."));
    served.wait_for_answer("/articles/first.html", "Back again.");
}

#[test]
fn a_folder_renamed_into_the_place_of_another_is_watched() {
    let desk = desk();
    desk.write("next/articles/first.md", &article("First", "Release two."));
    let served = Served::start(&desk, "");
    std::fs::rename(desk.path("site"), desk.path("old")).unwrap();
    std::fs::rename(desk.path("next"), desk.path("site")).unwrap();
    served.wait_for_answer("/articles/first.html", "Release two.");
    desk.write(
        "site/articles/first.md",
        &article("First", "Release three."),
    );
    served.wait_for_answer("/articles/first.html", "Release three.");
}

/// Without descriptors the folder cannot be read completely: the live edition stays, and the edit
/// is published once descriptors are free again.
#[test]
#[cfg(target_os = "linux")]
fn when_descriptors_run_out_nothing_vanishes_and_nothing_is_forgotten() {
    use rustix::process::{Pid, Resource, Rlimit};
    let desk = desk();
    desk.write(
        "site/articles/deep/er/second.md",
        &article("Second", "Far below."),
    );
    let served = Served::start(&desk, "");
    // Lowered while it runs: the server stays below any limit that it sees at its start.
    let few = Rlimit {
        current: Some(40),
        maximum: Some(40),
    };
    let pid = Pid::from_raw(i32::try_from(served.child.id()).unwrap());
    rustix::process::prlimit(pid, Resource::Nofile, few).unwrap();
    let mut first = TcpStream::connect(&served.address).unwrap();
    first.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut ask = |path: &str| {
        write!(first, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = [0; 15];
        first.read_exact(&mut answer).unwrap();
        let mut rest = [0; 1 << 16];
        let _ = first.read(&mut rest).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    };
    assert_eq!(ask("/articles/deep/er/second.md"), "HTTP/1.1 200 OK");
    let held: Vec<_> = (0..60)
        .map(|_| TcpStream::connect(&served.address).unwrap())
        .collect();
    let open = || {
        std::fs::read_dir(format!("/proc/{}/fd", served.child.id()))
            .unwrap()
            .count()
    };
    // For a while: some may be open only until the state is written, and then the next edition
    // could still be read.
    let full = || {
        (0..15).all(|_| {
            std::thread::sleep(Duration::from_millis(20));
            open() >= 40
        })
    };
    until(full, || format!("only {} descriptors are open", open()));
    desk.write("site/articles/first.md", &article("First", "Other words."));
    served.wait_for("the rebuild failed; still serving edition ");
    assert_eq!(ask("/articles/deep/er/second.md"), "HTTP/1.1 200 OK");
    drop(held);
    served.wait_for_answer("/articles/first.html", "Other words.");
    assert!(
        served
            .get("/articles/deep/er/second.md")
            .contains("Far below."),
        "{}",
        served.said()
    );
}

#[test]
fn contract_7_drafts_are_shown_in_a_preview_and_nowhere_else() {
    let desk = desk();
    desk.write(
        "site/articles/secret.md",
        "---\ntitle: Secret\ndraft: true\n---\nCanary.\n",
    );
    let served = Served::start(&desk, "--drafts");
    let page = served.ask_as("localhost", "/articles/secret.html", "");
    assert!(
        page.contains("[Draft] Secret") && page.contains("Canary"),
        "{page}"
    );
    assert!(!page.contains("access-control-"), "{page}");
    // `get` says `Host: x`.
    assert!(
        served
            .get("/articles/secret.html")
            .starts_with("HTTP/1.1 421")
    );
    drop(served);
    let served = Served::start(&desk, "");
    let page = served.ask_as("localhost", "/articles/secret.html", "");
    assert!(page.starts_with("HTTP/1.1 404"), "{page}");
}

#[test]
fn drafts_need_a_preview() {
    let desk = desk();
    let output = desk
        .command("serve site --drafts --listen 127.0.0.1:0 --base-url https://example.org")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`--drafts` is for previews") && said.contains("hint: "),
        "{said}"
    );
}

#[test]
fn a_preview_takes_the_next_free_port() {
    let desk = desk();
    // Another program may have it already.
    let taken = std::net::TcpListener::bind("127.0.0.1:8080");
    let served = Served::run(&mut desk.command("serve site"));
    assert!(!served.address.ends_with(":8080"), "{}", served.said());
    assert!(
        served.said().contains("warning: port 8080 is in use by ")
            && served.said().contains("`--listen 127.0.0.1:80"),
        "{}",
        served.said()
    );
    drop(taken);
}
