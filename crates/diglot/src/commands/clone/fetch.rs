//! Requests to the site: few at once, and none while it asks to be left alone.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use diglot_audit::{Address, Answer};

use crate::polite::{PoliteClient, wanted_wait};

/// The product token of the `User-Agent`, and in `robots.txt`.
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
    client: PoliteClient,
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl SiteClient {
    /// Asks for `robots.txt`.
    ///
    /// # Errors
    /// It cannot be read, or the host cannot tell what it has.
    pub(super) fn new(address: Address) -> Result<Self, String> {
        let mut site = Self {
            client: PoliteClient::new(address, TOKEN, SLOWEST),
            requests: AtomicU64::default(),
            bytes: AtomicU64::default(),
        };
        let answer = site.send(&site.client.robots_url(), "")?;
        site.client.obey(&answer)?;
        Ok(site)
    }

    /// Where the site is.
    pub(super) fn address(&self) -> &Address {
        &self.client.address
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
        let whole = [self.address().prefix(), path].concat();
        if !self.client.is_allowed(&whole) {
            return Err("`robots.txt` disallows it".to_owned());
        }
        let answer = self.send(&self.address().url(path), tag)?;
        match answer.status {
            200 | 304 | 404 | 410 => Ok(answer),
            status => Err(format!("the answer is {status}")),
        }
    }

    /// Sends a request, and again as long as the site asks to wait.
    fn send(&self, url: &str, tag: &str) -> Result<Answer, String> {
        for _ in 0..MOST_TRIES {
            if let Some(left) = self.client.left() {
                thread::sleep(left);
            }
            if self.bytes.load(Relaxed) > MOST_BYTES {
                return Err(format!("{} GiB are enough for one run", MOST_BYTES >> 30));
            }
            self.requests.fetch_add(1, Relaxed);
            let (answer, length) = self.client.send(url, tag)?;
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
                Some(wait) => self.client.pause(wait),
            }
        }
        Err(format!("{MOST_TRIES} times the site asked to wait"))
    }
}
