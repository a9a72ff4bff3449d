//! Transcripts: requests and what must come back, as text. The same files run against `respond` and over a real socket.
//!
//! Exchanges are separated by empty lines. In one, `#` says what it shows, and
//!
//! ```text
//! > GET /articles/first.html     the request line without its version, then field lines (Host and Connection are added)
//! > Accept: text/markdown
//! < 200                          the status, then fields that must have exactly this value
//! < ETag: {tag}                  the first time: remembered; later, in requests and in answers: that value
//! < Vary: *                      there, whatever it says
//! < Last-Modified: -             not there
//! | some words                   the body holds this; `|` alone: it is empty
//! ```

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

use std::collections::BTreeMap;

/// Every transcript: its name and its text.
pub const FILES: [(&str, &str); 7] = [
    ("forms.txt", include_str!("../transcripts/forms.txt")),
    ("paths.txt", include_str!("../transcripts/paths.txt")),
    ("errors.txt", include_str!("../transcripts/errors.txt")),
    ("methods.txt", include_str!("../transcripts/methods.txt")),
    (
        "conditions.txt",
        include_str!("../transcripts/conditions.txt"),
    ),
    ("ranges.txt", include_str!("../transcripts/ranges.txt")),
    ("codings.txt", include_str!("../transcripts/codings.txt")),
];

/// Runs one transcript. `send` takes the bytes of a request and returns the bytes of the whole
/// answer, not chunked.
///
/// # Panics
/// When an answer is another one than the transcript says: with the file, the line, and both.
pub fn run(file: &str, text: &str, mut send: impl FnMut(&[u8]) -> Vec<u8>) {
    let mut known = BTreeMap::new();
    let mut exchanges = 0;
    for (number, exchange) in exchanges_of(text) {
        let place = format!("{file}:{number}");
        let answer = Answer::parse(&send(&request(&exchange, &known)), &place);
        answer.judge(&exchange, &mut known, &place);
        exchanges += 1;
    }
    assert!(exchanges > 0, "{file} holds no exchange");
}

/// Each exchange's lines with the number of its first line.
fn exchanges_of(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut exchanges = vec![];
    let mut open = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() {
            open = false;
        } else if !line.starts_with('#') {
            if !open {
                exchanges.push((number, vec![]));
            }
            open = true;
            exchanges.last_mut().unwrap().1.push(line);
        }
    }
    exchanges
}

fn marked<'a>(exchange: &'a [&'a str], mark: char) -> impl Iterator<Item = &'a str> {
    exchange
        .iter()
        .filter_map(move |line| line.strip_prefix(mark))
        .map(str::trim)
}

fn request(exchange: &[&str], known: &BTreeMap<String, String>) -> Vec<u8> {
    let mut lines = marked(exchange, '>');
    let mut request = format!(
        "{} HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n",
        lines.next().expect("a request line")
    );
    for line in lines {
        let line = known.iter().fold(line.to_owned(), |line, (name, value)| {
            line.replace(&format!("{{{name}}}"), value)
        });
        request += &format!("{line}\r\n");
    }
    (request + "\r\n").into_bytes()
}

struct Answer {
    head: String,
    body: String,
}

impl Answer {
    fn parse(bytes: &[u8], place: &str) -> Self {
        let end = bytes
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("{place}: no answer, but {bytes:?}"));
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self {
            head: text(&bytes[..end]),
            body: text(&bytes[end + 4..]),
        }
    }

    fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    fn field(&self, name: &str) -> Option<&str> {
        let fields = self
            .head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(':'));
        fields
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
            .next()
    }

    fn judge(&self, exchange: &[&str], known: &mut BTreeMap<String, String>, place: &str) {
        let mut expected = marked(exchange, '<');
        assert_eq!(
            expected.next(),
            Some(self.status()),
            "{place}: status of\n{}\n{}",
            self.head,
            self.body
        );
        for line in expected {
            let (name, wanted) = line
                .split_once(": ")
                .unwrap_or_else(|| panic!("{place}: `{line}` is no field"));
            let came = self.field(name);
            let variable = wanted
                .strip_prefix('{')
                .and_then(|rest| rest.strip_suffix('}'));
            match (wanted, variable, came) {
                ("-", _, None) | ("*", _, Some(_)) => {}
                (_, Some(variable), Some(came)) => {
                    let first = known
                        .entry(variable.to_owned())
                        .or_insert_with(|| came.to_owned());
                    assert_eq!(came, first, "{place}: {name} of\n{}", self.head);
                }
                _ => assert_eq!(came, Some(wanted), "{place}: {name} of\n{}", self.head),
            }
        }
        for words in marked(exchange, '|') {
            let held = if words.is_empty() {
                self.body.is_empty()
            } else {
                self.body.contains(words)
            };
            assert!(
                held,
                "{place}: `{words}` is not what the body holds:\n{}",
                self.body
            );
        }
    }
}
