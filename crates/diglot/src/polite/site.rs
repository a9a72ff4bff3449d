//! Requests to the site: few at once, and none while it asks to be left alone.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use diglot_audit::{Address, Answer, Refused};

use super::{PoliteClient, wanted_wait};

/// How many requests are open at once.
const AT_ONCE: usize = 4;
/// How long to wait if the site does not say how long.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest wait for the site; if it asks for more, the command ends.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
/// How often one page is asked for again.
const MOST_TRIES: usize = 4;
/// Why a page is not asked for that `robots.txt` disallows.
pub const DISALLOWED: &str = "`robots.txt` disallows it";

/// Asks for something of each item, as many at once as a site is asked; in the order of the items.
pub fn some_at_once<I: Sync, A: Send>(items: &[I], ask: impl Fn(&I) -> A + Sync) -> Vec<A> {
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(at) else { return };
            let answer = ask(item);
            if let Ok(mut answers) = answers.lock() {
                answers.push((at, answer));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    let mut answers = answers.into_inner().unwrap_or_default();
    answers.sort_unstable_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// What one run may cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// How long one answer may take.
    pub slowest: Duration,
    /// The most bytes of all answers.
    pub most_bytes: u64,
}

/// What one run may cost, and what it did.
struct Purse {
    cost: Cost,
    requests: AtomicU64,
    bytes: AtomicU64,
}

/// A site that is read.
pub struct SiteClient {
    client: PoliteClient,
    purse: Purse,
}

impl SiteClient {
    /// [Finds](PoliteClient::find) a site. `token` is the product token of the `User-Agent`, and in
    /// `robots.txt`.
    ///
    /// # Errors
    /// The URL is invalid, nothing answers there, or the host cannot tell what it disallows.
    pub fn find(url: &str, token: &'static str, cost: Cost) -> Result<Self, Refused> {
        let purse = Purse {
            cost,
            requests: AtomicU64::default(),
            bytes: AtomicU64::default(),
        };
        let send = |client: &PoliteClient, url: &str| purse.send(client, url, "");
        let client = PoliteClient::find(url, token, cost.slowest, send)?;
        Ok(Self { client, purse })
    }

    /// Where the site is.
    pub fn address(&self) -> &Address {
        &self.client.address
    }

    /// How many requests were sent, and how many bytes their answers had.
    pub fn sent(&self) -> (u64, u64) {
        let purse = &self.purse;
        (purse.requests.load(Relaxed), purse.bytes.load(Relaxed))
    }

    /// The sitemaps that `robots.txt` names.
    pub fn sitemaps(&self) -> &[String] {
        &self.client.robots.sitemaps
    }

    /// The answer to a URL of the site's host, whatever its status.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ask(&self, url: &str, tag: &str) -> Result<Answer, String> {
        let path = url.strip_prefix(self.address().origin());
        let Some(path) = path.filter(|path| path.is_empty() || path.starts_with('/')) else {
            return Err("it is on another host".to_owned());
        };
        match self.client.is_allowed(path) {
            true => self.purse.send(&self.client, url, tag),
            false => Err(DISALLOWED.to_owned()),
        }
    }

    /// The answer for a path of the site, if it is 200, 304, 404 or 410. `tag`: an entity tag that is known, or empty.
    ///
    /// # Errors
    /// Why there is no such answer.
    pub fn get(&self, path: &str, tag: &str) -> Result<Answer, String> {
        let answer = self.ask(&self.address().url(path), tag)?;
        match answer.status {
            200 | 304 | 404 | 410 => Ok(answer),
            status => Err(format!("the answer is {status}")),
        }
    }
}

impl Purse {
    /// Sends a request, and again as long as the site asks to wait.
    fn send(&self, client: &PoliteClient, url: &str, tag: &str) -> Result<Answer, String> {
        for _ in 0..MOST_TRIES {
            if let Some(left) = client.left() {
                thread::sleep(left);
            }
            if self.bytes.load(Relaxed) > self.cost.most_bytes {
                let most = self.cost.most_bytes >> 20;
                return Err(format!("{most} MiB are enough for one run"));
            }
            self.requests.fetch_add(1, Relaxed);
            let (answer, length) = client.send(url, tag)?;
            self.bytes.fetch_add(length, Relaxed);
            match wanted_wait(&answer, PAUSE) {
                None => {
                    return match answer.trouble {
                        Some(why) => Err(why),
                        None => Ok(answer),
                    };
                }
                Some(wait) if wait > LONGEST_PAUSE => {
                    let seconds = wait.as_secs();
                    return Err(format!("the site asks to wait for {seconds} s"));
                }
                Some(wait) => client.pause(wait),
            }
        }
        Err(format!("{MOST_TRIES} times the site asked to wait"))
    }
}
