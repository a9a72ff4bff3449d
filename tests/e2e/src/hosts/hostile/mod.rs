//! Sites with text that is syntax in some configuration language, and base URLs of every shape,
//! behind real hosts: each configuration loads, and has exactly the intended redirects.
//!
//! All sites are in one configuration of a host, distinguished by `Host`, so that each host starts
//! once.

mod configure;
mod invented;
mod site;

use std::path::Path;

use super::compare::Verdict;
use super::engine::Engine;
use super::netlify;
use crate::random::Random;
use site::Site;
use xtask::shell;

/// How many base URLs are tried.
const BASES: usize = 200;
/// How many sites have hostile names and addresses.
const HOSTILE: usize = 32;

/// Runs all checks behind these hosts, and with Netlify's parsers.
///
/// # Errors
/// A host does not start: a configuration does not load.
pub fn check(
    engines: &[Engine],
    npm: &Path,
) -> Result<Vec<(&'static str, String, Verdict)>, String> {
    let work = shell::scratch("hostile")?;
    let mut random = Random::seeded(20);
    let mut sites = Vec::new();
    for number in 0..BASES + HOSTILE {
        let base = invented::base(&mut random);
        let files = if number < BASES {
            Vec::new()
        } else {
            invented::files(&mut random)
        };
        sites.push(Site::write(&work, number, &base, &files)?);
    }
    let mut verdicts = Vec::new();
    for engine in engines {
        let Some(server) = configure::start(engine, &work, &sites)? else {
            continue;
        };
        let mut verdict = Verdict::default();
        for site in &sites {
            site.ask(&server.authority, &mut verdict)?;
        }
        verdicts.push((engine.name(), engine.version(), verdict));
    }
    let mut verdict = Verdict::default();
    for site in &sites[BASES..] {
        site.read_by_netlify(npm, &mut verdict)?;
    }
    verdicts.push(("Netlify's parsers", netlify::VERSION.to_owned(), verdict));
    Ok(verdicts)
}
