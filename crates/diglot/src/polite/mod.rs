//! A client of one live site that obeys its `robots.txt` (RFC 9309), and knows how long the site
//! wants to be left alone.

mod site;

pub use site::{Cost, DISALLOWED, SiteClient, some_at_once};

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use diglot_audit::robots::{self, Robots};
use diglot_audit::{Address, Answer, Ask, Blame, Fetch, Http, Refused};
use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// A site, and what it asked of its clients.
pub struct PoliteClient {
    http: Http,
    /// Where the site is.
    pub address: Address,
    /// The product token, under which `robots.txt` has rules.
    token: &'static str,
    slowest: Duration,
    robots: Robots,
    /// Until when the site wants to be left alone.
    pause: Mutex<Option<Instant>>,
}

impl PoliteClient {
    /// A client with this product token, with which its `User-Agent` begins too. One answer may take
    /// as long as `slowest`. It obeys no `robots.txt` before [`obey`](Self::obey).
    fn new(address: Address, token: &'static str, slowest: Duration) -> Self {
        let user_agent = format!("{token}/{}", env!("CARGO_PKG_VERSION"));
        Self {
            http: Http::new(&user_agent),
            address,
            token,
            slowest,
            robots: Robots::default(),
            pause: Mutex::default(),
        }
    }

    /// A client of the live site at a URL, after redirects on its host. Each origin is asked for its
    /// `robots.txt` first, and the client obeys that of the last one. `send` sends a request.
    ///
    /// # Errors
    /// The URL is invalid, nothing answers there, or the host cannot tell what it disallows.
    pub fn find(
        url: &str,
        token: &'static str,
        slowest: Duration,
        send: impl Fn(&Self, &str) -> Result<Answer, String>,
    ) -> Result<Self, Refused> {
        let mut finder = Finder {
            client: Self::new(Address::new(""), token, slowest),
            send,
            unknown: None,
        };
        let found = diglot_audit::find(&mut finder, url);
        if let Some(message) = finder.unknown {
            let (blame, hint) = (Blame::Site, None);
            return Err(Refused {
                blame,
                message,
                hint,
            });
        }
        Ok(Self {
            address: found?,
            ..finder.client
        })
    }

    /// The URL of the site's `robots.txt`.
    fn robots_url(&self) -> String {
        format!("{}/robots.txt", self.address.origin())
    }

    /// Obeys the site's answer to a request for its `robots.txt` from now on. Without the file
    /// nothing is disallowed; while the host cannot tell, everything is (RFC 9309 sections 2.3.1.3
    /// and 2.3.1.4).
    ///
    /// # Errors
    /// The host cannot tell.
    fn obey(&mut self, answer: &Answer) -> Result<(), String> {
        self.robots = Robots::default();
        match answer.status {
            200 => self.robots = robots::read(&answer.text()),
            500.. => {
                let (url, status) = (self.robots_url(), answer.status);
                return Err(format!(
                    "`{url}` answers {status}, so it is unknown what the site disallows"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether `robots.txt` allows a path from the root of the host.
    pub fn is_allowed(&self, path: &str) -> bool {
        self.robots.allows(self.token, path)
    }

    /// Sends a GET request, and returns the answer with its length before decoding. `tag`: an entity
    /// tag that is known, or empty.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn send(&self, url: &str, tag: &str) -> Result<(Answer, u64), String> {
        let mut ask = Ask::get("").with("accept-encoding", "br, gzip");
        if !tag.is_empty() {
            ask = ask.with("if-none-match", tag);
        }
        self.http.send(&ask, url, self.slowest)
    }

    /// Notes that the site wants to be left alone for this long.
    pub fn pause(&self, wait: Duration) {
        let mut pause = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        *pause = Some(Instant::now() + wait);
    }

    /// How long the site still wants to be left alone.
    pub fn left(&self) -> Option<Duration> {
        let pause = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        (*pause)?.checked_duration_since(Instant::now())
    }
}

/// Asks for the home page of a site, and for `robots.txt` before that.
struct Finder<S> {
    client: PoliteClient,
    send: S,
    /// Why it is not known what the site disallows.
    unknown: Option<String>,
}

impl<S: Fn(&PoliteClient, &str) -> Result<Answer, String>> Finder<S> {
    fn ask(&mut self, url: &str) -> Result<Answer, String> {
        let origin = diglot_audit::origin(url);
        if self.client.address.origin() != origin {
            self.client.address = Address::new(origin);
            let answer = (self.send)(&self.client, &self.client.robots_url())?;
            if let Err(why) = self.client.obey(&answer) {
                self.unknown = Some(format!("cannot read `robots.txt` of the site: {why}"));
                return Err(why);
            }
        }
        match self.client.is_allowed(&url[origin.len()..]) {
            true => (self.send)(&self.client, url),
            // Whether it redirects is not known then. What is asked for next says why it is not read.
            false => Ok(Answer {
                status: 200,
                ..Answer::default()
            }),
        }
    }
}

impl<S: Fn(&PoliteClient, &str) -> Result<Answer, String>> Fetch for Finder<S> {
    fn fetch(&mut self, _: &Ask, url: &str) -> Answer {
        self.ask(url).unwrap_or_else(Answer::nothing)
    }

    fn fetch_alone(&mut self, ask: &Ask, url: &str) -> Answer {
        self.fetch(ask, url)
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}

/// How long an answer asks to wait; `default` if it does not say how long.
pub fn wanted_wait(answer: &Answer, default: Duration) -> Option<Duration> {
    let asks = matches!(answer.status, 429 | 503);
    asks.then(|| retry_after(answer.field("retry-after"), Timestamp::now()).unwrap_or(default))
}

/// The time in `Retry-After`: seconds, or a date (RFC 9110 section 10.2.3).
pub fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(value: &str) -> Option<u64> {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        retry_after(value, now).map(|wait| wait.as_secs())
    }

    #[test]
    fn rfc_9110_10_2_3_a_wait_is_seconds_or_a_date() {
        assert_eq!(after("7"), Some(7));
        assert_eq!(after("Tue, 14 Nov 2023 22:14:50 GMT"), Some(90));
        assert_eq!(after("Fri, 31 Dec 1999 23:59:59 GMT"), Some(0));
        for wrong in ["", "-1", "soon"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }
}
