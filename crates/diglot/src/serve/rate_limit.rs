//! Rate limits: how many requests one client may make.

use std::collections::HashMap;
use std::mem;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use diglot_edition::Edition;
use diglot_http::Payload;
use http::header::RETRY_AFTER;
use http::{HeaderValue, Method, Request, Response, StatusCode};

use super::families::Family;
use super::network::client_network;

/// A sustained rate of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The time per request.
    interval: Duration,
}

/// A client may send the requests of this time at once, ...
const BURST: Duration = Duration::from_secs(10);
/// ... and at least this many even at a slow rate: a page has pictures.
const LEAST_BURST: u32 = 10;

impl Rate {
    /// How far a client may exceed its rate.
    fn burst(self) -> Duration {
        BURST
            .max(self.interval.saturating_mul(LEAST_BURST))
            .saturating_sub(self.interval)
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = text.split_once('/').unwrap_or((text, "s"));
        let time = match unit {
            "s" => Duration::from_secs(1),
            "m" => Duration::from_secs(60),
            "h" => Duration::from_secs(3600),
            _ => {
                return Err(format!(
                    "`{text}` is not a rate: write `10/s`, `30/m` or `500/h`"
                ));
            }
        };
        match number.parse::<u32>() {
            Ok(number @ 1..=1_000_000) => Ok(Self {
                interval: time / number,
            }),
            _ => Err(format!(
                "`{text}` is not a rate: write a number of requests from 1 to 1000000 and a time, such as `10/s` or `30/m`"
            )),
        }
    }
}

/// Requests that are counted together: those of one client, and whether it says that it is a bot.
/// A false name thus uses up only the share of its own address, and many names have no more than
/// one. People who share an address with a bot keep theirs.
type Key = (IpAddr, bool);

/// The capacity of each half of the table.
const MOST: usize = 32_768;

/// A token bucket per key, stored as the time at which it is full (the generic cell rate
/// algorithm).
#[derive(Default)]
struct Buckets {
    young: HashMap<Key, Instant>,
    /// The previous `young`, moved here when it held [`MOST`] keys; dropped at the next move.
    old: HashMap<Key, Instant>,
}

/// Counts the requests of clients.
pub struct RateLimits {
    people: Option<Rate>,
    bots: Option<Rate>,
    buckets: Mutex<Buckets>,
}

impl RateLimits {
    /// Limits with these rates; `None` if there are none.
    pub fn new(people: Option<Rate>, bots: Option<Rate>) -> Option<Self> {
        let bots = bots.or(people);
        bots.is_some().then(|| Self {
            people,
            bots,
            buckets: Mutex::default(),
        })
    }

    /// Counts one request at `now`. `Err` holds the time to wait if it exceeds the rate.
    pub(super) fn count(
        &self,
        address: IpAddr,
        family: Family,
        now: Instant,
    ) -> Result<(), Duration> {
        let is_bot = family.kind.is_bot();
        let key = (client_network(address), is_bot);
        match if is_bot { self.bots } else { self.people } {
            Some(rate) => self
                .buckets
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .count(key, rate, now),
            None => Ok(()),
        }
    }
}

impl Buckets {
    fn count(&mut self, key: Key, rate: Rate, now: Instant) -> Result<(), Duration> {
        let known = self.young.get(&key).or_else(|| self.old.get(&key));
        let paid = known.map_or(now, |paid| now.max(*paid));
        let wait = paid.duration_since(now).saturating_sub(rate.burst());
        if !wait.is_zero() {
            return Err(wait);
        }
        if self.young.len() >= MOST && !self.young.contains_key(&key) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, paid + rate.interval);
        Ok(())
    }
}

/// Whether reading at this path below the base URL is never counted, if the site `has` such a file:
/// what well-behaved programs request repeatedly, and what tells them how to behave.
pub(super) fn is_exempt(method: &Method, path: &str, has: impl Fn(&str) -> bool) -> bool {
    let part = |rest: &str| {
        let number = rest.strip_prefix('-')?.strip_suffix(".xml")?;
        Some(!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let sitemap = |rest: &str| matches!(rest, ".xml" | ".md") || part(rest) == Some(true);
    let is_known = matches!(
        path,
        "/rss.xml" | "/robots.txt" | "/llms.txt" | "/status.json"
    ) || path.strip_prefix("/sitemap").is_some_and(sitemap);
    is_known && matches!(*method, Method::GET | Method::HEAD) && has(path)
}

/// The answer to a request beyond its rate: 429 with the whole seconds to wait (RFC 6585 section
/// 4).
pub(super) fn too_many_requests<B>(
    edition: &Edition,
    request: &Request<B>,
    wait: Duration,
) -> Response<Payload> {
    let mut answer = diglot_http::refuse(edition, request, StatusCode::TOO_MANY_REQUESTS);
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    answer
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    answer
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    static PERSON: LazyLock<Family> = LazyLock::new(|| Family::named("Firefox"));
    static BOT: LazyLock<Family> = LazyLock::new(|| Family::named("OpenAI"));
    static OTHER_BOT: LazyLock<Family> = LazyLock::new(|| Family::named("Google"));

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// How many of `count` simultaneous requests pass.
    fn passing(limits: &RateLimits, from: &str, family: Family, now: Instant, count: u32) -> u32 {
        (0..count)
            .filter(|_| limits.count(address(from), family, now).is_ok())
            .count()
            .try_into()
            .unwrap()
    }

    #[test]
    fn a_burst_passes_and_then_the_rate() {
        let limits = RateLimits::new(Some("2/s".parse().unwrap()), None).unwrap();
        let begun = Instant::now();
        assert_eq!(passing(&limits, "192.0.2.1", *PERSON, begun, 100), 20);
        let wait = limits
            .count(address("192.0.2.1"), *PERSON, begun)
            .unwrap_err();
        assert_eq!(wait, Duration::from_millis(500));
        assert_eq!(
            passing(&limits, "192.0.2.1", *PERSON, begun + wait, 9),
            1,
            "Retry-After is the truth"
        );
        assert_eq!(
            passing(
                &limits,
                "192.0.2.1",
                *PERSON,
                begun + Duration::from_secs(5),
                100
            ),
            9
        );
        assert_eq!(
            passing(
                &limits,
                "192.0.2.1",
                *PERSON,
                begun + Duration::from_secs(3600),
                100
            ),
            20,
            "no more than a burst is saved"
        );
    }

    #[test]
    fn no_client_uses_up_the_share_of_another() {
        let limits =
            RateLimits::new(Some("1/s".parse().unwrap()), Some("6/m".parse().unwrap())).unwrap();
        let now = Instant::now();
        assert_eq!(passing(&limits, "192.0.2.1", *BOT, now, 100), 10);
        assert_eq!(
            passing(&limits, "192.0.2.1", *OTHER_BOT, now, 100),
            0,
            "another name for the same client"
        );
        assert_eq!(
            passing(&limits, "192.0.2.1", *PERSON, now, 100),
            10,
            "people behind the same address"
        );
        assert_eq!(
            passing(&limits, "192.0.2.2", *BOT, now, 100),
            10,
            "the same name elsewhere"
        );
        assert_eq!(passing(&limits, "2001:db8::1", *PERSON, now, 6), 6);
        assert_eq!(
            passing(&limits, "2001:db8::2", *PERSON, now, 100),
            4,
            "one /64 is one client"
        );
    }

    #[test]
    fn memory_is_bounded_whoever_comes() {
        let limits = RateLimits::new(Some("1/s".parse().unwrap()), None).unwrap();
        let now = Instant::now();
        for n in 0..200_000_u32 {
            let _ = limits.count(std::net::Ipv4Addr::from_bits(n).into(), *PERSON, now);
        }
        let buckets = limits.buckets.lock().unwrap();
        assert!(buckets.young.len() + buckets.old.len() <= 2 * MOST);
    }

    #[test]
    fn rates() {
        for (text, interval) in [
            ("10/s", 100),
            ("10", 100),
            ("30/m", 2_000),
            ("3600/h", 1_000),
        ] {
            assert_eq!(
                text.parse(),
                Ok(Rate {
                    interval: Duration::from_millis(interval)
                }),
                "{text}"
            );
        }
        for wrong in ["", "0/s", "-1/s", "1/d", "many", "1.5/s", "9999999/s"] {
            assert!(wrong.parse::<Rate>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_tells_programs_how_to_behave_is_exempt() {
        for path in [
            "/rss.xml",
            "/robots.txt",
            "/llms.txt",
            "/status.json",
            "/sitemap.xml",
            "/sitemap.md",
            "/sitemap-12.xml",
        ] {
            let is_exempt = |method| is_exempt(method, path, |asked| asked == path);
            assert!(is_exempt(&Method::GET), "{path}");
            assert!(is_exempt(&Method::HEAD), "{path}");
            assert!(!is_exempt(&Method::POST), "{path}");
        }
        for path in [
            "/",
            "/llms-full.txt",
            "/sitemaps",
            "/sitemap-x",
            "/sitemap-x.xml",
            "/sitemap-.xml",
            "/sitemap-/../articles/first.xml",
            "/articles/rss.xml",
            "/rss.xml/",
        ] {
            assert!(!is_exempt(&Method::GET, path, |_| true), "{path}");
        }
        // Anybody can make up as many numbers.
        assert!(!is_exempt(&Method::GET, "/sitemap-12.xml", |_| false));
    }
}
