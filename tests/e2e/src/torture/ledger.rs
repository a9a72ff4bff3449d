//! What was done, what came of it, and everything that was wrong: shared by all that torture.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diglot_edition::Digest;

use super::site::CANARY;
use crate::wire::Answer;

/// How many complaints of one kind are kept.
const MOST_WORDS: usize = 12;
/// No body of the tortured sites is larger, decoded.
const MOST_BYTES: u64 = 64 << 20;

/// What must stay at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// An answer that is not what its entity tag, its status or its length says.
    Answer,
    /// A site that is lost, half written, or not what the folder holds once all is quiet.
    Site,
    /// A canary in what was answered or exported.
    Canary,
    /// A good request without its answer.
    Failed,
    /// Anything else that was promised.
    Promise,
}

/// When a latency was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// A few good clients alone.
    Quiet,
    /// Good clients at full speed.
    Load,
    /// And bad clients, and edits, and faults.
    Fire,
    /// While thousands of idle connections are held.
    Idle,
    /// While editions are made one after the other.
    Reload,
}

/// The ledger.
#[derive(Debug, Default)]
pub struct Ledger {
    pub requests: AtomicU64,
    pub faults: AtomicU64,
    pub bad: AtomicU64,
    pub bytes: AtomicU64,
    /// Told to all threads of a phase.
    pub over: AtomicBool,
    wrong: Mutex<BTreeMap<Wrong, (u64, Vec<String>)>>,
    /// For every entity tag the digest of the bytes that came with it, and for its part before the
    /// coding that of the decoded ones.
    tags: Mutex<BTreeMap<String, Digest>>,
    /// Resources whose tag is made of the digests of their parts, which cannot be seen from
    /// outside.
    merged: Mutex<Vec<String>>,
    latency: Mutex<BTreeMap<Phase, Vec<u32>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ledger {
    /// Notes something that must not be.
    pub fn complain(&self, kind: Wrong, words: impl FnOnce() -> String) {
        let mut wrong = lock(&self.wrong);
        let (count, said) = wrong.entry(kind).or_default();
        *count += 1;
        if said.len() < MOST_WORDS {
            let words = words();
            println!("  {kind:?}: {words}");
            said.push(words);
        }
    }

    pub fn count(&self, kind: Wrong) -> u64 {
        lock(&self.wrong).get(&kind).map_or(0, |(count, _)| *count)
    }

    /// All complaints, the worst first.
    pub fn complaints(&self) -> Vec<String> {
        lock(&self.wrong)
            .iter()
            .flat_map(|(kind, (_, said))| {
                said.iter().map(move |words| format!("{kind:?}: {words}"))
            })
            .collect()
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Waits, in small steps, until the time has passed or the phase is over.
    pub fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_over() && Instant::now() < until {
            std::thread::sleep(
                time.min(Duration::from_millis(50))
                    .min(until.saturating_duration_since(Instant::now())),
            );
        }
    }

    pub fn took(&self, phase: Phase, time: Duration) {
        lock(&self.latency)
            .entry(phase)
            .or_default()
            .push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    /// The latency below which this part of a thousand lies, and how many there are.
    pub fn latency(&self, phase: Phase, part: usize) -> Option<(Duration, usize)> {
        let mut latency = lock(&self.latency);
        let times = latency.get_mut(&phase)?;
        times.sort_unstable();
        let at = (times.len() * part / 1000).min(times.len().saturating_sub(1));
        Some((
            Duration::from_micros(u64::from(*times.get(at)?)),
            times.len(),
        ))
    }

    /// Looks for canaries in what was answered.
    pub fn search(&self, place: &str, bytes: &[u8]) {
        self.bytes.fetch_add(bytes.len() as u64, Relaxed);
        if let Some(at) = bytes
            .windows(CANARY.len())
            .position(|window| window == CANARY.as_bytes())
        {
            self.complain(Wrong::Canary, || format!("{place}: {}", around(bytes, at)));
        }
    }

    /// Holds a whole answer to what it says of itself.
    pub fn verify(&self, path: &str, answer: &Answer) {
        let wrong = |what: &str| {
            self.complain(Wrong::Answer, || {
                format!("{path}: {} {what} {:?}", answer.status, answer.headers)
            })
        };
        for (name, value) in &answer.headers {
            self.search(path, format!("{name}: {value}").as_bytes());
        }
        self.search(path, &answer.body);
        if answer.status != 200 {
            return;
        }
        let tag = answer.header("etag").unwrap_or_default();
        let Some(tag) = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')) else {
            return wrong("has no strong tag");
        };
        let coding = answer.header("content-encoding");
        let Ok(plain) = decode(coding.as_deref().unwrap_or("identity"), &answer.body) else {
            return wrong("cannot be decoded");
        };
        self.search(path, &plain);
        let stem = tag.split('-').next().unwrap_or(tag);
        let (sent, digest) = (Digest::of(&answer.body), Digest::of(&plain));
        if !self.is_first_or_same(tag, sent) || !self.is_first_or_same(stem, digest) {
            wrong("has other bytes than before under the same tag");
        }
        if digest.to_string() != stem && !lock(&self.merged).iter().any(|merged| merged == path) {
            wrong("has a tag that is not its digest");
        }
        if is_torn(&plain) {
            wrong("is half of one edit and half of another");
        }
    }

    fn is_first_or_same(&self, tag: &str, digest: Digest) -> bool {
        let mut tags = lock(&self.tags);
        // So that a long run does not fill the memory: what is old is forgotten at once.
        if tags.len() > 500_000 {
            tags.clear();
        }
        match tags.get(tag) {
            Some(known) => *known == digest,
            None => tags.insert(tag.to_owned(), digest).is_none(),
        }
    }

    /// Notes that a path's tag is not the digest of its bytes, which only documents merged of parts
    /// may say.
    pub fn is_merged(&self, path: &str) {
        lock(&self.merged).push(path.to_owned());
    }
}

/// Whether a text that is marked with the number of its edit at both ends (see `site::text`) has
/// two numbers.
fn is_torn(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let number = |mark: &str| {
        text.split(mark).nth(1).map(|rest| {
            rest.split(|letter: char| !letter.is_ascii_digit())
                .next()
                .map(str::to_owned)
        })
    };
    // A page of several articles has several marks; every one of them has both ends.
    text.matches("beginmark").count() == 1 && number("beginmark") != number("endmark")
}

/// Takes a content-coding off.
fn decode(coding: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    match coding {
        "identity" => return Ok(bytes.to_vec()),
        "gzip" => flate2::read::GzDecoder::new(bytes)
            .take(MOST_BYTES)
            .read_to_end(&mut plain)?,
        "br" => brotli::Decompressor::new(bytes, 1 << 16)
            .take(MOST_BYTES)
            .read_to_end(&mut plain)?,
        "zstd" => zstd::Decoder::new(bytes)?
            .take(MOST_BYTES)
            .read_to_end(&mut plain)?,
        other => return Err(io::Error::other(other.to_owned())),
    };
    Ok(plain)
}

fn around(bytes: &[u8], at: usize) -> String {
    String::from_utf8_lossy(&bytes[at.saturating_sub(60)..(at + 60).min(bytes.len())]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(tag: &str, body: &str) -> Answer {
        Answer {
            status: 200,
            headers: vec![("etag".into(), format!("\"{tag}\""))],
            body: body.into(),
        }
    }

    #[test]
    fn a_body_is_held_to_its_tag_and_searched() {
        let ledger = Ledger::default();
        let tag = Digest::of(b"one").to_string();
        ledger.verify("/a", &answer(&tag, "one"));
        assert_eq!(ledger.count(Wrong::Answer), 0);
        ledger.verify("/a", &answer(&tag, "two"));
        assert_eq!(
            ledger.count(Wrong::Answer),
            2,
            "other bytes than before, and not its digest"
        );
        let half = "beginmark7 words endmark8";
        ledger.verify(
            "/b",
            &answer(&Digest::of(half.as_bytes()).to_string(), half),
        );
        assert_eq!(ledger.count(Wrong::Answer), 3);
        ledger.verify(
            "/c",
            &Answer {
                status: 404,
                headers: Vec::new(),
                body: format!("no {CANARY}draft").into(),
            },
        );
        assert_eq!(
            (ledger.count(Wrong::Answer), ledger.count(Wrong::Canary)),
            (3, 1)
        );
    }

    #[test]
    fn latencies_are_ordered() {
        let ledger = Ledger::default();
        (1..=1000)
            .rev()
            .for_each(|time| ledger.took(Phase::Fire, Duration::from_micros(time)));
        assert_eq!(
            ledger.latency(Phase::Fire, 990),
            Some((Duration::from_micros(991), 1000))
        );
        assert_eq!(ledger.latency(Phase::Quiet, 990), None);
    }
}
