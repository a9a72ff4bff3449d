//! Purging: caches forget the addresses whose answers changed, after an edition was published.

mod cloudflare;
mod command;
mod wait;

use std::collections::BTreeSet;
use std::time::Duration;

use diglot_edition::{Edition, purge};
use diglot_store::purged::{self, EVERYTHING};
use diglot_store::reading::read_manifest;
use diglot_store::{Error, Pointer};

use super::connected::{Connected, failure};
use crate::cli;
use crate::failure::Failure;
use crate::terminal;
use cloudflare::Cloudflare;
use wait::Replica;

/// The caches that are told, when, and what they need.
#[derive(Debug)]
pub(super) struct Purging<'a> {
    cloudflare: Vec<Cloudflare>,
    commands: &'a [String],
    replicas: Vec<Replica>,
    after: Duration,
}

impl<'a> Purging<'a> {
    /// What the arguments ask for, if anything.
    pub(super) fn from_args(args: &'a cli::Purge) -> Result<Option<Self>, Failure> {
        if args.caches.is_empty() && args.commands.is_empty() {
            let alone = [
                (!args.replicas.is_empty(), "`--purge-wait`"),
                (args.after > Duration::ZERO, "`--purge-after`"),
            ];
            return match alone.iter().find(|(given, _)| *given) {
                Some((_, name)) => Err(Failure::usage(format!("{name} needs a cache"))
                    .hint("add `--purge` or `--purge-command`")),
                None => Ok(None),
            };
        }
        let cloudflare = args.caches.iter().map(|zone| Cloudflare::from_env(zone));
        let replicas = args.replicas.iter().map(|url| Replica::at(url));
        Ok(Some(Self {
            cloudflare: cloudflare.collect::<Result<_, _>>()?,
            commands: &args.commands,
            replicas: replicas.collect::<Result<_, _>>()?,
            after: args.after,
        }))
    }

    /// Has the caches forget what changed, once the replicas answer with the edition. `after`: the
    /// edition, if it is at hand; `again`: how to repeat it after a failure.
    pub(super) fn run(
        &self,
        connected: &Connected,
        pointer: &Pointer,
        after: Option<&Edition>,
        again: &str,
    ) -> Result<(), Failure> {
        self.purged(connected, pointer, after).map_err(|why| {
            let number = pointer.number;
            Failure::machine(format!(
                "edition {number} is published, but caches may answer with an older one: {why}"
            ))
            .hint(again)
        })
    }

    fn purged(
        &self,
        connected: &Connected,
        pointer: &Pointer,
        after: Option<&Edition>,
    ) -> Result<(), String> {
        let objects = &connected.objects;
        let message = |failure: Failure| failure.message;
        let before = connected.wait(purged::since(objects, pointer));
        let before = before.map_err(message)?;
        // If this process fails or is killed, the next publication purges against them again.
        let oldest = before.as_ref().map_or(Some(EVERYTHING), |before| {
            before.last().map(|oldest| oldest.number)
        });
        if let Some(oldest) = oldest {
            let recorded = connected.wait(purged::record(objects, oldest));
            recorded.map_err(message)?;
        }
        let urls = differing(connected, before, pointer, after).map_err(message)?;
        match urls.is_empty() {
            true => terminal::say("no address changed: nothing to purge"),
            false => connected.block_on(self.told(&pointer.edition, &urls))?,
        }
        if let Err(failure) = connected.wait(purged::record(objects, pointer.number)) {
            terminal::say(format!(
                "warning: {}; the next publication purges these addresses again",
                failure.message
            ));
        }
        Ok(())
    }

    async fn told(&self, edition: &str, urls: &BTreeSet<String>) -> Result<(), String> {
        wait::until(&self.replicas, edition).await?;
        tokio::time::sleep(self.after).await;
        let count = terminal::counted(urls.len(), "URL");
        for cache in &self.cloudflare {
            cache.purge(urls).await?;
            terminal::say(format!("purged {count} at Cloudflare"));
        }
        for line in self.commands {
            command::run(line, urls)?;
            terminal::say(format!("gave {count} to `{line}`"));
        }
        Ok(())
    }
}

/// The addresses whose answers differ between the edition of a pointer and those that caches may
/// still have. `after`: the edition, if it is at hand.
pub(super) fn addresses(
    connected: &Connected,
    pointer: &Pointer,
    after: Option<&Edition>,
) -> Result<BTreeSet<String>, Failure> {
    let before = connected.wait(purged::since(&connected.objects, pointer))?;
    differing(connected, before, pointer, after)
}

/// The addresses whose answers in an edition differ from those in any of the editions before. `None`:
/// they are not known, and everything is purged.
fn differing(
    connected: &Connected,
    before: Option<Vec<Pointer>>,
    pointer: &Pointer,
    after: Option<&Edition>,
) -> Result<BTreeSet<String>, Failure> {
    let read;
    let after = match after {
        Some(after) => after,
        None => {
            read = connected.wait(without_bodies(connected, pointer))?;
            &read
        }
    };
    let mut urls = BTreeSet::new();
    for before in before.iter().flatten() {
        match connected.block_on(without_bodies(connected, before)) {
            Ok(before) => urls.extend(purge::addresses(Some(&before), after)),
            // It is damaged.
            Err(Error::Refused(_)) => return Ok(purge::addresses(None, after)),
            Err(error) => return Err(failure(error)),
        }
    }
    Ok(match before {
        Some(_) => urls,
        None => purge::addresses(None, after),
    })
}

/// An edition of the store without its bodies.
async fn without_bodies(connected: &Connected, pointer: &Pointer) -> Result<Edition, Error> {
    let (_, manifest) = read_manifest(&connected.objects, &pointer.manifest).await?;
    let number = pointer.number;
    let why = || Error::Refused(format!("the manifest of edition {number} is inconsistent"));
    manifest.without_bodies().ok_or_else(why)
}

/// The innermost cause why a request failed, which names no address.
fn cause(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "did not answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    format!("did not answer: {cause}")
}
