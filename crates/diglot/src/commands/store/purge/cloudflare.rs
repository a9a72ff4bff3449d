//! Cloudflare: purging by URL, within the limits of its API.
//!
//! Limits as documented at <https://developers.cloudflare.com/cache/how-to/purge-cache/> (July 2026):
//! at most 100 URLs a request on all plans but Enterprise, and 800 URLs a second for an account of
//! the smallest plan. An account may send 1,200 requests in five minutes
//! (<https://developers.cloudflare.com/fundamentals/api/reference/limits/>). A request above the limit is answered 429 with `Retry-After`.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use serde_json::{Value, json};

use super::cause;
use crate::failure::Failure;
use crate::polite::retry_after;
use crate::progress;
use crate::terminal;

/// URLs in one request.
const MOST: usize = 100;
/// The time between two requests: 400 URLs a second, 1,200 requests in five minutes.
const PACE: Duration = Duration::from_millis(250);
/// How often one request is sent, at most.
const ATTEMPTS: u32 = 6;
/// The longest wait before a request is sent again: what a blocked account waits.
const LONGEST: Duration = Duration::from_secs(300);
/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The API, unless `CLOUDFLARE_BASE_URL` names another, as for Cloudflare's own tools.
const API: &str = "https://api.cloudflare.com/client/v4";

/// A zone, and the right to purge it.
pub(super) struct Cloudflare {
    /// The address of its `purge_cache`.
    url: String,
    token: String,
}

impl fmt::Debug for Cloudflare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cloudflare")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// Why a request did not do what it should.
enum Refusal {
    /// Sending it again may help, after this time if the answer says so.
    Passing(String, Option<Duration>),
    Lasting(String),
}

impl Cloudflare {
    /// A zone by its id, with the token of the environment.
    pub(super) fn from_env(zone: &str) -> Result<Self, Failure> {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let token = set("CLOUDFLARE_API_TOKEN").ok_or_else(|| {
            Failure::usage("`--purge cloudflare` needs a token in `CLOUDFLARE_API_TOKEN`")
                .hint("Cloudflare makes one with the permission \"Zone, Cache Purge, Purge\"")
        })?;
        let api = set("CLOUDFLARE_BASE_URL").unwrap_or_else(|| API.to_owned());
        let api = api.trim_end_matches('/');
        Ok(Self {
            url: format!("{api}/zones/{zone}/purge_cache"),
            token,
        })
    }

    /// Purges these URLs. Doing it twice does no harm.
    pub(super) async fn purge(&self, urls: &BTreeSet<String>) -> Result<(), String> {
        let client = reqwest::Client::builder().timeout(PATIENCE).build();
        let client = client.map_err(|error| cause(&error))?;
        terminal::show_progress();
        let urls: Vec<&String> = urls.iter().collect();
        let mut done = 0;
        for batch in urls.chunks(MOST) {
            if done > 0 {
                tokio::time::sleep(PACE).await;
            }
            self.batch(&client, batch).await.map_err(|why| {
                format!(
                    "Cloudflare purged {done} of {} addresses, then {why}",
                    urls.len()
                )
            })?;
            done += batch.len();
            progress::advance("purging addresses", batch.len() as u64, urls.len() as u64);
        }
        progress::end();
        Ok(())
    }

    async fn batch(&self, client: &reqwest::Client, urls: &[&String]) -> Result<(), String> {
        for attempt in 1.. {
            let (why, wait) = match self.ask(client, urls).await {
                Ok(()) => return Ok(()),
                Err(Refusal::Lasting(why)) => return Err(why),
                Err(Refusal::Passing(why, wait)) => (why, wait),
            };
            let wait = wait.unwrap_or(Duration::from_secs(1 << attempt));
            if attempt >= ATTEMPTS || wait > LONGEST {
                return Err(format!("{why} (attempt {attempt})"));
            }
            // The date in an answer may be in the past by our clock.
            tokio::time::sleep(wait.max(PACE)).await;
        }
        Ok(())
    }

    async fn ask(&self, client: &reqwest::Client, urls: &[&String]) -> Result<(), Refusal> {
        let passing = |error: reqwest::Error| Refusal::Passing(cause(&error), None);
        let request = client
            .post(&self.url)
            .bearer_auth(&self.token)
            .header(CONTENT_TYPE, "application/json")
            .body(json!({ "files": urls }).to_string());
        let response = request.send().await.map_err(passing)?;
        let status = response.status();
        let wait = asked_wait(response.headers(), Timestamp::now());
        let body = response.bytes().await.map_err(passing)?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        if status.is_success() && body["success"] == true {
            return Ok(());
        }
        let said = body["errors"][0]["message"].as_str().unwrap_or("no reason");
        // A server could repeat what it was sent.
        let said: String = said.replace(&self.token, "…").chars().take(200).collect();
        let why = format!("answered {}: {said}", status.as_u16());
        Err(match status.as_u16() {
            429 | 500.. => Refusal::Passing(why, wait),
            _ => Refusal::Lasting(why),
        })
    }
}

/// How long an answer asks to wait, if it does.
fn asked_wait(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    retry_after(headers.get(RETRY_AFTER)?.to_str().ok()?, now)
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn rfc_9110_10_2_3_the_wait_is_seconds_or_a_date() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        for (value, seconds) in [
            ("7", Some(7)),
            ("Tue, 14 Nov 2023 22:14:50 GMT", Some(90)),
            ("soon", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
            let wait = asked_wait(&headers, now);
            assert_eq!(wait, seconds.map(Duration::from_secs), "{value}");
        }
        assert_eq!(asked_wait(&HeaderMap::new(), now), None);
    }
}
