//! `diglot audit`: the contract as a client. Any live site is asked, through its CDN, for
//! everything that Diglot promises, and told what to do.
//!
//! [`gather()`] asks and judges nothing; `checks` judge and ask nothing, so that each is a function
//! over answers that a test can make up. `client` and `alone` are the only places with a socket.
//! Every check has one [`Severity`], `score` adds up what is lost, `mend` names the file or setting
//! to change, and a [`Card`] is what comes out.

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
mod gather;
mod mend;
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

pub use address::Address;
pub use answer::{Answer, Ask, Fetch};
pub use card::{Card, judge};
pub use checks::{checks_markdown, groups_markdown};
pub use coding::decode;
pub use evidence::Evidence;
pub use gather::gather;
#[cfg(feature = "client")]
pub use run::{Blame, Refused, run};
pub use severity::{Rule, Severity};
