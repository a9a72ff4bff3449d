//! `diglot audit`: the contract as a client. It requests everything that Diglot promises from any
//! live site, through its CDN, and reports what to change.
//!
//! [`gather()`] sends requests and judges nothing; `checks` judge and send nothing, so that each is
//! a function over answers that a test can construct. Only `client` and `alone` open sockets. Every
//! check has one [`Severity`], `score` adds up the costs, `fix` names the file or setting to
//! change, and the result is a [`Card`].

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests read and write what they made"
    )
)]

mod address;
#[cfg(feature = "client")]
mod alone;
mod answer;
mod card;
mod checks;
#[cfg(feature = "client")]
mod client;
mod coding;
mod evidence;
mod fix;
mod gather;
#[cfg(feature = "client")]
mod published;
mod read;
#[cfg(feature = "client")]
mod run;
mod score;
mod severity;
mod vectors;
mod verdict;

#[cfg(test)]
#[cfg(feature = "client")]
mod tests;

pub use address::{Address, origin};
pub use answer::{Answer, Ask, Fetch};
pub use card::{Card, judge};
pub use checks::{checks_markdown, groups_markdown};
#[cfg(feature = "client")]
pub use client::{Http, trusting};
pub use coding::decode;
pub use evidence::Evidence;
pub use gather::gather;
#[cfg(feature = "client")]
pub use published::documents;
pub use read::{feed, html, listing, loss, outline, robots, xml};
#[cfg(feature = "client")]
pub use run::{Blame, Refused, find, run};
pub use severity::{Rule, Severity};
