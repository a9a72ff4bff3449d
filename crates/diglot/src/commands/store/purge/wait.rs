//! Waiting for replicas: a cache that forgets earlier would take an old answer again.

use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use super::cause;
use crate::failure::Failure;
use crate::terminal;

/// How long all replicas together may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often each is asked.
const POLL: Duration = Duration::from_millis(500);
/// How long one answer may take.
const SLOWEST: Duration = Duration::from_secs(5);
/// The longest answer that is read, in bytes.
const LONGEST: usize = 64 << 10;

/// An address at which a replica names its edition: its `/status.json`, or its `/readyz`.
#[derive(Debug)]
pub(super) struct Replica(Url);

impl Replica {
    /// Takes a URL; without a path, `/status.json` is asked.
    pub(super) fn at(text: &str) -> Result<Self, Failure> {
        let url = Url::parse(text).ok();
        let mut url = url
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                Failure::usage(
                    "`--purge-wait` takes the `http://` or `https://` address of a replica",
                )
            })?;
        if url.path() == "/" {
            url.set_path("/status.json");
        }
        Ok(Self(url))
    }

    /// Whether it answers with this edition; else why not.
    async fn has(&self, client: &reqwest::Client, edition: &str) -> Result<(), String> {
        let mut response = client
            .get(self.0.clone())
            .send()
            .await
            .map_err(|error| cause(&error))?;
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| cause(&error))? {
            body.extend_from_slice(&part);
            if body.len() > LONGEST {
                return Err("gave more than an edition's name".to_owned());
            }
        }
        match String::from_utf8_lossy(&body).contains(edition) {
            true => Ok(()),
            false => Err(format!("answered {status} without the edition")),
        }
    }

    /// The address without a password.
    fn shown(&self) -> String {
        let mut url = self.0.clone();
        // Both fail only for addresses without a host.
        let _ = (url.set_username(""), url.set_password(None));
        url.to_string()
    }
}

/// Waits until every replica names this edition.
pub(super) async fn until(replicas: &[Replica], edition: &str) -> Result<(), String> {
    let client = reqwest::Client::builder().timeout(SLOWEST).build();
    let client = client.map_err(|error| cause(&error))?;
    let begun = Instant::now();
    for replica in replicas {
        while let Err(why) = replica.has(&client, edition).await {
            if begun.elapsed() > PATIENCE {
                let seconds = PATIENCE.as_secs();
                return Err(format!("`{}` {why}, for {seconds} s", replica.shown()));
            }
            tokio::time::sleep(POLL).await;
        }
    }
    if !replicas.is_empty() {
        let count = terminal::counted(replicas.len(), "replica");
        terminal::say(format!(
            "{count} with the edition after {:.1} s",
            begun.elapsed().as_secs_f64()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_is_an_address_and_is_shown_without_its_password() {
        let shown = |text: &str| Replica::at(text).map(|replica| replica.shown()).ok();
        assert_eq!(
            shown("http://10.0.0.1:8080").as_deref(),
            Some("http://10.0.0.1:8080/status.json")
        );
        assert_eq!(
            shown("https://a:b@r.example/blog/status.json").as_deref(),
            Some("https://r.example/blog/status.json")
        );
        for text in ["10.0.0.1:8080", "file:///etc/passwd", ""] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
