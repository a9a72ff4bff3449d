//! One audit over the network, from the user's URL to the card.

use std::time::Duration;

use diglot_content::BaseUrl;
use jiff::Timestamp;

use crate::address::{self, Address};
use crate::answer::{Ask, Fetch};
use crate::card::{self, Card};
use crate::client::Client;
use crate::gather::gather;

/// Whose fault it is that there is no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The given address is not a URL that can be audited.
    Address,
    /// The site, or the connection to it.
    Site,
}

/// Why there is no card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Whose fault it is.
    pub blame: Blame,
    /// What happened: lower case, literals in backticks.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Refused {
    pub(crate) fn site(message: String) -> Self {
        Self {
            blame: Blame::Site,
            message,
            hint: None,
        }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// Audits the site at a URL: `sample` articles, within `time`.
///
/// # Errors
/// The URL is invalid, or nothing answers there.
pub fn run(url: &str, sample: usize, time: Duration, now: Timestamp) -> Result<Card, Refused> {
    let address = address(url)?;
    let mut client = Client::new(time);
    let address = settle(&mut client, address)?;
    Ok(card::judge(&gather(&mut client, address, sample, now)))
}

/// The address of the live site at a URL, after redirects on its host, which `client` follows.
///
/// # Errors
/// The URL is invalid, or nothing answers there.
pub fn find(client: &mut dyn Fetch, url: &str) -> Result<Address, Refused> {
    settle(client, address(url)?)
}

/// Parses the URL of a home page, with or without a trailing slash or `index.html`.
pub(crate) fn address(url: &str) -> Result<Address, Refused> {
    let written = if url.contains("://") {
        url.to_owned()
    } else {
        format!("https://{url}")
    };
    let written = written.trim_end_matches("index.html");
    BaseUrl::parse(written)
        .map(|base| Address::new(&base.to_string()))
        .map_err(|message| {
            Refused {
                blame: Blame::Address,
                message,
                hint: None,
            }
            .hint("give the address of the home page, such as `https://example.org`")
        })
}

/// Follows the home page's redirects as long as they stay on the host: from http to https, or to a
/// folder.
pub(crate) fn settle(client: &mut dyn Fetch, mut address: Address) -> Result<Address, Refused> {
    for _ in 0..4 {
        let url = address.url("/");
        let answer = client.fetch(&Ask::browser("/"), &url);
        if answer.status == 0 {
            let why = answer.trouble.unwrap_or_default();
            return Err(Refused::site(format!("cannot reach `{url}`: {why}"))
                .hint("check the address, and that the site is online"));
        }
        if answer.status == 429 || answer.status >= 500 {
            return Err(Refused::site(format!("`{url}` answers {}", answer.status))
                .hint("try again when the site runs, and more slowly"));
        }
        if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
            return Ok(address);
        }
        let target = address.resolve(answer.field("location"), "/");
        let host = |url: &str| {
            address::origin(url)
                .split_once("://")
                .map(|(_, host)| host.split(':').next().unwrap_or_default().to_owned())
        };
        if host(&target) != host(&url) {
            return Err(
                Refused::site(format!("`{url}` leads to another host, `{target}`"))
                    .hint(format!("give that address: `{target}`")),
            );
        }
        address = self::address(&target)?;
    }
    Err(Refused::site(format!(
        "`{}` redirects in a circle",
        address.url("/")
    )))
}
