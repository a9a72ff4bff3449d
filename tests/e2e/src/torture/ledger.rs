//! The record of everything done and everything wrong, shared by all torturing threads.

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
/// The limit on a decoded body of the tortured sites.
const MOST_BYTES: u64 = 64 << 20;

/// Counts that must stay at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// An answer that does not match its entity tag, its status or its length.
    Answer,
    /// A site that is lost, half written, or different from the folder once edits have stopped.
    Site,
    /// A canary in an answer or an export.
    Canary,
    /// A good request without an answer.
    Failed,
    /// Any other broken promise.
    Promise,
}

/// When a latency was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Only a few good clients.
    Quiet,
    /// Good clients at full speed.
    Load,
    /// With bad clients, edits and faults as well.
    Fire,
    /// While thousands of idle connections are open.
    Idle,
    /// While editions are built one after the other.
    Reload,
}

/// The ledger.
#[derive(Debug, Default)]
pub struct Ledger {
    pub requests: AtomicU64,
    pub faults: AtomicU64,
    pub bad: AtomicU64,
    pub bytes: AtomicU64,
    /// Tells all threads that the phase is over.
    pub over: AtomicBool,
    wrong: Mutex<BTreeMap<Wrong, (u64, Vec<String>)>>,
    /// The digest of the bytes for every entity tag, and that of the decoded bytes for the part of
    /// the tag before the coding.
    tags: Mutex<BTreeMap<String, Digest>>,
    /// Resources whose tag is computed from the digests of their parts, which cannot be verified
    /// from outside.
    merged: Mutex<Vec<String>>,
    latency: Mutex<BTreeMap<Phase, Vec<u32>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ledger {
    /// Records a fault.
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

    /// All complaints, worst first.
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

    /// The latency at this rank in thousandths, and the number of samples.
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

    /// Searches an answer for canaries.
    pub fn search(&self, place: &str, bytes: &[u8]) {
        self.bytes.fetch_add(bytes.len() as u64, Relaxed);
        if let Some(at) = bytes
            .windows(CANARY.len())
            .position(|window| window == CANARY.as_bytes())
        {
            self.complain(Wrong::Canary, || format!("{place}: {}", around(bytes, at)));
        }
    }

    /// Checks a complete answer against its own fields.
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
        let (sent, digest) = (Digest::hash(&answer.body), Digest::hash(&plain));
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
        // A long run must not fill the memory: old tags are dropped all at once.
        if tags.len() > 500_000 {
            tags.clear();
        }
        match tags.get(tag) {
            Some(known) => *known == digest,
            None => tags.insert(tag.to_owned(), digest).is_none(),
        }
    }

    /// Records that a path's tag is not the digest of its bytes, which is allowed only for merged
    /// documents.
    pub fn is_merged(&self, path: &str) {
        lock(&self.merged).push(path.to_owned());
    }
}

/// Whether a text with the number of its edit at both ends (see `site::text`) has two different
/// numbers.
fn is_torn(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let number = |mark: &str| {
        text.split(mark).nth(1).map(|rest| {
            rest.split(|letter: char| !letter.is_ascii_digit())
                .next()
                .map(str::to_owned)
        })
    };
    // A page of several articles has several markers, each of them at both ends.
    text.matches("beginmark").count() == 1 && number("beginmark") != number("endmark")
}

/// Decodes a content-coding.
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
        let tag = Digest::hash(b"one").to_string();
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
            &answer(&Digest::hash(half.as_bytes()).to_string(), half),
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
