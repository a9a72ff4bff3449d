//! Good clients: they send requests as browsers, feed readers and crawlers do, and verify every
//! answer.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::ledger::{Ledger, Phase, Wrong};
use super::site::{STABLE, VOLATILE};
use crate::random::Random;
use crate::wire::{Answer, Connection};

/// The number of requests on one connection.
const REQUESTS: usize = 200;
/// Documents of every edition, in addition to its articles.
pub const DOCUMENTS: [&str; 16] = [
    "/",
    "/index.md",
    "/about.html",
    "/articles/index.html",
    "/articles/index.md",
    "/years/2024.html",
    "/rss.xml",
    "/sitemap.xml",
    "/sitemap.md",
    "/llms.txt",
    "/llms-full.txt",
    "/status.json",
    "/openapi.json",
    "/robots.txt",
    "/.well-known/api-catalog",
    "/data.csv",
];

/// A request, and what its answer may be.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub method: &'static str,
    pub path: String,
    pub fields: Vec<(&'static str, String)>,
    /// Whether it may be missing.
    pub optional: bool,
}

impl Wish {
    /// A random request. `known` is the path and tag of the last complete answer.
    pub fn random(random: &mut Random, known: Option<&Known>) -> Self {
        let mut wish = Self {
            method: "GET",
            ..Self::default()
        };
        if let Some(known) = known
            && random.chance(0.5)
        {
            wish.path.clone_from(&known.path);
            known.fields.clone_into(&mut wish.fields);
            wish.optional = known.optional;
            let tag = format!("\"{}\"", known.tag);
            if random.chance(0.5) {
                wish.fields.push(("If-None-Match", tag));
            } else if known.body.len() > 100 {
                let first = random.below(known.body.len() - 50);
                wish.fields.push((
                    "Range",
                    format!("bytes={first}-{}", first + random.below(100_000)),
                ));
                wish.fields.push(("If-Range", tag));
            }
            return wish;
        }
        let suffix = if random.chance(0.5) { "html" } else { "md" };
        match random.below(10) {
            0..=5 => wish.path = format!("/articles/stable-{}.{suffix}", random.below(STABLE)),
            6 => {
                wish.path = format!(
                    "/articles/volatile/volatile-{}.{suffix}",
                    random.below(VOLATILE)
                );
                wish.optional = true;
            }
            _ => wish.path = random.one(&DOCUMENTS).copied().unwrap_or("/").to_owned(),
        }
        if random.chance(0.3) {
            wish.fields.push((
                "Accept",
                "text/markdown, text/html;q=0.9, */*;q=0.1".to_owned(),
            ));
        }
        if random.chance(0.5) {
            let coding = random
                .one(&[
                    "br",
                    "gzip",
                    "zstd",
                    "br;q=0.5, gzip, zstd;q=0.1",
                    "identity",
                ])
                .copied()
                .unwrap_or("gzip");
            wish.fields.push(("Accept-Encoding", coding.to_owned()));
        }
        if random.chance(0.1) {
            wish.method = "HEAD";
        }
        wish
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Sends it over HTTP/1.1.
    ///
    /// # Errors
    /// The answer is incomplete, or does not state its length.
    pub fn ask(&self, connection: &mut Connection) -> io::Result<Answer> {
        let fields = self
            .fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()));
        let answer = connection.ask(
            self.method,
            &self.path,
            std::iter::once(("Host", "torture.example")).chain(fields),
        );
        let answer = answer.and_then(|answer| match answer.status {
            204 | 304 => Ok(answer),
            _ if self.method == "HEAD" || answer.header("content-length").is_some() => Ok(answer),
            _ => Err(io::Error::other("no Content-Length")),
        });
        answer.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{} {}: {error}", self.method, self.path),
            )
        })
    }

    /// Checks an answer; returns what later requests may revalidate.
    pub fn judge(&self, answer: Answer, known: Option<&Known>, ledger: &Ledger) -> Option<Known> {
        ledger.requests.fetch_add(1, Relaxed);
        let wrong = |kind, what: &str| {
            ledger.complain(kind, || {
                format!(
                    "{} {} {:?}: {} {what}",
                    self.method, self.path, self.fields, answer.status
                )
            })
        };
        if self.method != "HEAD" {
            ledger.verify(&self.path, &answer);
        }
        let tag = answer
            .header("etag")
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned();
        match answer.status {
            200 if self.method == "HEAD" => None,
            200 => {
                let markdown = answer
                    .header("content-type")
                    .is_some_and(|kind| kind.starts_with("text/markdown"));
                if self.field("Accept").is_some() && self.path.ends_with(".html") && !markdown {
                    wrong(Wrong::Answer, "is not Markdown");
                }
                let fields = self
                    .fields
                    .iter()
                    .filter(|(name, _)| name.starts_with("Accept"))
                    .cloned()
                    .collect();
                Some(Known {
                    path: self.path.clone(),
                    fields,
                    tag,
                    optional: self.optional,
                    body: answer.body,
                })
            }
            206 => {
                let whole = known.filter(|known| known.path == self.path && known.tag == tag);
                if whole.and_then(|known| part(&known.body, &answer.header("content-range")?))
                    != Some(&answer.body)
                {
                    wrong(Wrong::Answer, "is another part than it says");
                }
                None
            }
            304 => {
                if self.field("If-None-Match").map(|tag| tag.trim_matches('"')) != Some(&tag) {
                    wrong(Wrong::Answer, "of another tag");
                }
                None
            }
            404 | 410 if self.optional => None,
            _ => {
                wrong(Wrong::Failed, "was not to be expected");
                None
            }
        }
    }
}

/// The slice that `bytes FIRST-LAST/LENGTH` names.
fn part<'a>(body: &'a [u8], range: &str) -> Option<&'a [u8]> {
    let (range, length) = range.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
    if length.parse() == Ok(body.len()) {
        body.get(first..=last)
    } else {
        None
    }
}

/// The last complete answer.
#[derive(Clone, Debug)]
pub struct Known {
    pub path: String,
    fields: Vec<(&'static str, String)>,
    tag: String,
    optional: bool,
    body: Vec<u8>,
}

/// One client over HTTP/1.1 with a persistent connection and a `pause` between requests; the
/// latency is recorded if there is one.
pub fn client(ledger: &Ledger, authority: &str, seed: u64, phase: Phase, pause: Option<Duration>) {
    let mut random = Random::seeded(seed);
    if pause.is_none() {
        super::be_modest();
    }
    while !ledger.is_over() {
        if let Err(error) = converse(ledger, authority, &mut random, phase, pause) {
            ledger.complain(Wrong::Failed, || format!("HTTP/1.1: {error}"));
        }
    }
}

fn converse(
    ledger: &Ledger,
    authority: &str,
    random: &mut Random,
    phase: Phase,
    pause: Option<Duration>,
) -> io::Result<()> {
    let mut connection = Connection::to(authority)?;
    let mut known = None;
    for _ in 0..REQUESTS {
        let wish = Wish::random(random, known.as_ref());
        let begun = Instant::now();
        let answer = wish.ask(&mut connection)?;
        if pause.is_some() {
            ledger.took(phase, begun.elapsed());
        }
        let closes = answer
            .header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"));
        let next = wish.judge(answer, known.as_ref(), ledger);
        known = next.or(known);
        if closes || ledger.is_over() {
            break;
        }
        if let Some(pause) = pause {
            ledger.rest(pause);
        }
    }
    Ok(())
}
