//! `diglot audit`: the contract as a client. Any live site is asked, through its CDN, for everything that Diglot promises, and told what to do.
//!
//! [`gather`](gather::gather) asks and judges nothing; the [`checks`] judge and ask nothing, so that each is a function over answers that a test can
//! make up. [`client`] is the only place with a socket; [`card`] is what comes out. Whatever a host cannot do without harm is a warning; whatever
//! harms a reader is a failure.

pub mod address;
pub mod answer;
pub mod card;
pub mod checks;
pub mod client;
pub mod coding;
pub mod evidence;
pub mod gather;
pub mod read;
pub mod vectors;
pub mod verdict;

#[cfg(test)]
mod tests;

use std::time::Duration;

use diglot_content::BaseUrl;
use jiff::Timestamp;

use self::address::Address;
use self::answer::Ask;
use self::card::Card;
use self::client::{Client, Fetch};
use crate::failure::Failure;

/// Audits the site at a URL: `sample` articles, within `time`.
///
/// # Errors
/// The URL is none, or nothing answers there.
pub fn run(url: &str, sample: usize, time: Duration, now: Timestamp) -> Result<Card, Failure> {
    let address = address(url)?;
    let mut client = Client::new(time);
    let address = settle(&mut client, address)?;
    Ok(card::judge(&gather::gather(&mut client, address, sample, now)))
}

/// The site's address in a URL that a person gives: of the home page, with or without a closing slash or `index.html`.
fn address(url: &str) -> Result<Address, Failure> {
    let written = if url.contains("://") { url.to_owned() } else { format!("https://{url}") };
    let written = written.trim_end_matches("index.html");
    BaseUrl::parse(written)
        .map(|base| Address::new(&base.to_string()))
        .map_err(|why| Failure::usage(why).hint("give the address of the home page, such as `https://example.org`"))
}

/// Follows the home page's redirects as long as they stay on the host: from http to https, or to a folder.
fn settle(client: &mut dyn Fetch, mut address: Address) -> Result<Address, Failure> {
    for _ in 0..4 {
        let url = address.url("/");
        let answer = client.fetch(&Ask::browser("/"), &url);
        if answer.status == 0 {
            let why = answer.trouble.unwrap_or_default();
            return Err(Failure::machine(format!("cannot reach `{url}`: {why}")).hint("is the address right, and does the site run?"));
        }
        if answer.status == 429 || answer.status >= 500 {
            return Err(Failure::machine(format!("`{url}` answers {}", answer.status)).hint("try again when the site runs, and more slowly"));
        }
        if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
            return Ok(address);
        }
        let target = address.resolve(answer.field("location"), "/");
        let host = |url: &str| address::origin(url).split_once("://").map(|(_, host)| host.split(':').next().unwrap_or_default().to_owned());
        if host(&target) != host(&url) {
            return Err(
                Failure::machine(format!("`{url}` leads to another host, `{target}`")).hint(format!("audit that address: `diglot audit {target}`"))
            );
        }
        address = self::address(&target)?;
    }
    Err(Failure::machine(format!("`{}` redirects in a circle", address.url("/"))))
}
