//! How long a reader waits: from the start of `diglot serve` to the first answer, and from a saved
//! edit to the new bytes.
//!
//! `cargo build --profile dist && cargo run --profile dist --example latency -- FOLDER [ROUNDS]`:
//! works on a copy of the folder, prints medians and ranges.

#![allow(
    clippy::disallowed_methods,
    reason = "a measuring tool that reads and writes what it made"
)]
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measuring tool that prints and may fail"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(
        args.next()
            .unwrap_or_else(|| panic!("usage: latency FOLDER [ROUNDS]")),
    );
    let rounds: usize = args.next().map_or(11, |rounds| rounds.parse().unwrap());
    let copy = tempfile::tempdir().unwrap();
    copy_all(&folder, copy.path());

    let starts: Vec<Duration> = (0..rounds)
        .map(|_| Server::start(copy.path()).first_answer)
        .collect();
    println!("start to first answer  {}", spread(starts));

    let server = Server::start(copy.path());
    let article = article(copy.path());
    let path = server.path_of_an_article(&article);
    let text = fs::read_to_string(&article).unwrap();
    let edits = (0..rounds).map(|round| {
        let marker = format!("edited-in-round-{round}");
        let begun = Instant::now();
        fs::write(&article, format!("{text}\n\n{marker}\n")).unwrap();
        while !server.get(&path).contains(&marker) {
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "the edit of {} never came",
                article.display()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        begun.elapsed()
    });
    println!("saved edit to live     {}", spread(edits.collect()));
}

/// `median 41 ms (38 to 55 ms, 11 rounds)`
fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |index: usize| times[index].as_secs_f64() * 1000.0;
    format!(
        "median {:.0} ms ({:.0} to {:.0} ms, {} rounds)",
        at(times.len() / 2),
        at(0),
        at(times.len() - 1),
        times.len()
    )
}

struct Server {
    child: Child,
    address: String,
    first_answer: Duration,
}

impl Server {
    fn start(folder: &Path) -> Self {
        let program = std::env::current_exe()
            .unwrap()
            .ancestors()
            .nth(2)
            .unwrap()
            .join("diglot");
        let begun = Instant::now();
        let mut child = Command::new(&program)
            .args(["serve", "--no-state", "--listen", "127.0.0.1:0"])
            .arg(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let ready = lines
            .by_ref()
            .map(Result::unwrap)
            .find(|line| line.contains(" on http://"))
            .unwrap_or_else(|| panic!("the server did not start"));
        let address = ready
            .rsplit("http://")
            .next()
            .unwrap()
            .trim_end_matches('/')
            .to_owned();
        std::thread::spawn(move || lines.for_each(drop));
        let mut server = Self {
            child,
            address,
            first_answer: Duration::ZERO,
        };
        assert!(
            server.get("/index.html").starts_with("HTTP/1.1 200"),
            "the home page is not there"
        );
        server.first_answer = begun.elapsed();
        server
    }

    fn get(&self, path: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        write!(
            socket,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )
        .unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The path of the article that this file became: the one in the sitemap that ends with its
    /// name.
    fn path_of_an_article(&self, file: &Path) -> String {
        let name = format!("{}.html</loc>", file.file_stem().unwrap().to_str().unwrap());
        let sitemap = self.get("/sitemap.xml");
        let line = sitemap
            .lines()
            .find(|line| line.contains(&name))
            .unwrap_or_else(|| panic!("{name} is not in the sitemap"));
        let url = line
            .split("<loc>")
            .nth(1)
            .unwrap()
            .split("</loc>")
            .next()
            .unwrap();
        url.splitn(4, '/')
            .nth(3)
            .map(|path| format!("/{path}"))
            .unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first Markdown file in an articles folder, in the order of paths.
fn article(root: &Path) -> PathBuf {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|suffix| suffix == "md")
                && path.parent() != Some(root)
            {
                found.push(path);
            }
        }
    }
    found
        .into_iter()
        .min()
        .unwrap_or_else(|| panic!("no article in {}", root.display()))
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_all(&from, &to);
        } else {
            fs::write(&to, fs::read(&from).unwrap()).unwrap();
        }
    }
}
