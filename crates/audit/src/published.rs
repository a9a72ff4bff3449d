//! Documents of a published site, for a program that goes on from it.

use std::time::Duration;

use crate::address::Address;
use crate::answer::{Ask, Fetch};
use crate::client::Client;
use crate::run::{Refused, address, settle};

/// The documents at these paths of the site at a URL, read one after another within `time`; `None`:
/// the site has none there (404 or 410).
///
/// # Errors
/// The URL is invalid, nothing answers there, or an answer is another than 200, 404 or 410.
pub fn documents(
    url: &str,
    paths: &[&str],
    time: Duration,
) -> Result<Vec<Option<Vec<u8>>>, Refused> {
    let address = address(url)?;
    let mut client = Client::new(time);
    let address = settle(&mut client, address)?;
    let read = |path: &&str| document(&mut client, &address, path);
    paths.iter().map(read).collect()
}

/// A document as it is at the origin: an older copy of a cache may be of another edition.
fn document(
    client: &mut dyn Fetch,
    address: &Address,
    path: &str,
) -> Result<Option<Vec<u8>>, Refused> {
    let ask = Ask::get(path)
        .with("accept-encoding", "br, gzip")
        .with("cache-control", "no-cache");
    let url = address.url(path);
    let answer = client.fetch(&ask, &url);
    match (answer.status, answer.trouble) {
        (200, None) => Ok(Some(answer.body)),
        (404 | 410, _) => Ok(None),
        (0, why) | (200, why @ Some(_)) => {
            let why = why.unwrap_or_default();
            Err(Refused::site(format!("cannot read `{url}`: {why}")))
        }
        (status, _) => Err(Refused::site(format!("`{url}` answers {status}"))),
    }
}
