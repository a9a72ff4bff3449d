//! Requests to the site: few at once, and none while it asks to be left alone.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use diglot_audit::robots::{self, Robots};
use diglot_audit::{Address, Answer, Ask, Http};
use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// The `User-Agent`.
const USER_AGENT: &str = concat!("diglot-clone/", env!("CARGO_PKG_VERSION"));
/// The product token in `robots.txt`.
const TOKEN: &str = "diglot-clone";
/// How long one answer may take.
const SLOWEST: Duration = Duration::from_secs(60);
/// How long to wait if the site does not say how long.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest wait for the site; if it asks for more, the command ends.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
/// How often one page is asked for again.
const MOST_TRIES: usize = 4;
/// The most bytes of all answers of one run.
const MOST_BYTES: u64 = 4 << 30;

/// The site that is copied.
pub(super) struct SiteClient {
    http: Http,
    pub(super) address: Address,
    robots: Robots,
    /// Until when the site wants to be left alone.
    pause: Mutex<Option<Instant>>,
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl SiteClient {
    /// Asks for `robots.txt`.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn new(address: Address) -> Result<Self, String> {
        let mut site = Self {
            http: Http::new(USER_AGENT),
            address,
            robots: Robots::default(),
            pause: Mutex::default(),
            requests: AtomicU64::default(),
            bytes: AtomicU64::default(),
        };
        let url = format!("{}/robots.txt", site.address.origin());
        let answer = site.send(&url, "")?;
        // Without the file nothing is disallowed (RFC 9309 section 2.3.1.3).
        if answer.status == 200 {
            site.robots = robots::read(&answer.text());
        }
        Ok(site)
    }

    /// How many requests were sent, and how many bytes their answers had.
    pub(super) fn sent(&self) -> (u64, u64) {
        (self.requests.load(Relaxed), self.bytes.load(Relaxed))
    }

    /// The answer for a path of the site, if it is 200, 304, 404 or 410. `tag`: an entity tag that is known, or empty.
    ///
    /// # Errors
    /// Why there is no such answer.
    pub(super) fn get(&self, path: &str, tag: &str) -> Result<Answer, String> {
        let whole = [self.address.prefix(), path].concat();
        if !self.robots.allows(TOKEN, &whole) {
            return Err("`robots.txt` disallows it".to_owned());
        }
        let answer = self.send(&self.address.url(path), tag)?;
        match answer.status {
            200 | 304 | 404 | 410 => Ok(answer),
            status => Err(format!("the answer is {status}")),
        }
    }

    /// Sends a request, and again as long as the site asks to wait.
    fn send(&self, url: &str, tag: &str) -> Result<Answer, String> {
        let mut ask = Ask::get("").with("accept-encoding", "br, gzip");
        if !tag.is_empty() {
            ask = ask.with("if-none-match", tag);
        }
        for _ in 0..MOST_TRIES {
            self.wait();
            if self.bytes.load(Relaxed) > MOST_BYTES {
                return Err(format!("{} GiB are enough for one run", MOST_BYTES >> 30));
            }
            self.requests.fetch_add(1, Relaxed);
            let (answer, length) = self.http.send(&ask, url, SLOWEST)?;
            self.bytes.fetch_add(length, Relaxed);
            if !matches!(answer.status, 429 | 503) {
                return match answer.trouble {
                    Some(why) => Err(why),
                    None => Ok(answer),
                };
            }
            let wait = retry_after(answer.field("retry-after"), Timestamp::now());
            let wait = wait.unwrap_or(PAUSE);
            if wait > LONGEST_PAUSE {
                let seconds = wait.as_secs();
                return Err(format!("the site asks to wait for {seconds} s"));
            }
            let mut pause = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
            *pause = Some(Instant::now() + wait);
        }
        Err(format!("{MOST_TRIES} times the site asked to wait"))
    }

    /// Waits as long as the site wants to be left alone.
    fn wait(&self) {
        let pause = *self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        let left = pause.and_then(|until| until.checked_duration_since(Instant::now()));
        if let Some(left) = left {
            thread::sleep(left);
        }
    }
}

/// The time in `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3).
fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(value.trim()).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_9110_10_2_3_a_wait_is_seconds_or_a_date() {
        let now = "2026-11-25T12:00:00Z".parse().unwrap();
        let read = |value: &str| retry_after(value, now).map(|wait| wait.as_secs());
        assert_eq!(read("7"), Some(7));
        assert_eq!(read("Wed, 25 Nov 2026 12:01:30 GMT"), Some(90));
        assert_eq!(read("Wed, 25 Nov 2026 11:00:00 GMT"), Some(0));
        assert_eq!(read(""), None);
        assert_eq!(read("soon"), None);
    }
}
