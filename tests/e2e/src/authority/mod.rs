//! `diglot serve --acme` against Pebble, the test authority of Let's Encrypt.

mod pebble;
mod site;

use std::time::Duration;

use crate::server;
use pebble::Pebble;
use site::Site;
use xtask::shell::scratch;
use xtask::step::{Done, Outcome};
use xtask::tools;

/// How long an authority and the server may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// For how long certificates are valid, in seconds.
const MONTHS: u32 = 90 * 86_400;
/// So short that a renewal can be waited for.
const BRIEFLY: u32 = 16;

/// The step.
pub fn run() -> Outcome {
    tools::debian(&["curl", "openssl"], &["curl", "openssl"])?;
    let tools = tools::debian_package("pebble")?.join("usr/bin");
    let binary = server::build()?;
    let work = scratch("authority")?;
    let pebble = Pebble::start(&tools, &work, MONTHS)?;
    let mut site = Site {
        binary,
        work,
        pebble,
    };
    site.alone()?;
    site.by_http()?;
    site.two_servers()?;
    site.refused_and_restarted()?;
    site.full_disk()?;
    site.pebble = Pebble::start(&tools, &site.work, BRIEFLY)?;
    site.renewed()?;
    Ok(Done::Passed("Pebble 2.4.0".to_owned()))
}
