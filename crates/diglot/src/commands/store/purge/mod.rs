//! Purging: caches forget the addresses whose answers changed, after an edition was published.

mod cloudflare;
mod command;
mod wait;

use std::collections::BTreeSet;
use std::time::Duration;

use diglot_edition::{Edition, purge};
use diglot_store::reading::read_manifest;
use diglot_store::{Chain, Error, Pointer};

use super::connected::Connected;
use crate::cli;
use crate::failure::Failure;
use crate::report;
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
    pub(super) fn of(args: &'a cli::Purge) -> Result<Option<Self>, Failure> {
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
        let cloudflare = args.caches.iter().map(|zone| Cloudflare::of(zone));
        let replicas = args.replicas.iter().map(|url| Replica::at(url));
        Ok(Some(Self {
            cloudflare: cloudflare.collect::<Result<_, _>>()?,
            commands: &args.commands,
            replicas: replicas.collect::<Result<_, _>>()?,
            after: args.after,
        }))
    }

    /// Has the caches forget these addresses, once the replicas answer with the edition. `again`: how
    /// to repeat it after a failure.
    pub(super) fn run(
        &self,
        connected: &Connected,
        pointer: &Pointer,
        urls: &BTreeSet<String>,
        again: &str,
    ) -> Result<(), Failure> {
        if urls.is_empty() {
            report::say("no address changed: nothing to purge");
            return Ok(());
        }
        let done = connected.block_on(self.told(&pointer.edition, urls));
        done.map_err(|why| {
            let number = pointer.number;
            Failure::machine(format!(
                "edition {number} is published, but caches may answer with an older one: {why}"
            ))
            .hint(again)
        })
    }

    async fn told(&self, edition: &str, urls: &BTreeSet<String>) -> Result<(), String> {
        wait::until(&self.replicas, edition).await?;
        tokio::time::sleep(self.after).await;
        let count = report::counted(urls.len(), "URL");
        for cache in &self.cloudflare {
            cache.purge(urls).await?;
            report::say(format!("purged {count} at Cloudflare"));
        }
        for line in self.commands {
            command::run(line, urls)?;
            report::say(format!("gave {count} to `{line}`"));
        }
        Ok(())
    }
}

/// The addresses whose answers differ between the edition of a pointer and the one before it, in the
/// store. `after`: the edition, if it is at hand.
pub(super) fn addresses(
    connected: &Connected,
    pointer: &Pointer,
    after: Option<&Edition>,
) -> Result<BTreeSet<String>, Failure> {
    let before = before(connected, pointer)?;
    let before = before
        .map(|before| outline(connected, &before))
        .transpose()?;
    Ok(match after {
        Some(after) => purge::addresses(before.as_ref(), after),
        None => purge::addresses(before.as_ref(), &outline(connected, pointer)?),
    })
}

/// The newest older pointer with another edition. If it was pruned, everything is purged.
fn before(connected: &Connected, pointer: &Pointer) -> Result<Option<Pointer>, Failure> {
    let chain: Chain<'_> = connected.chain();
    for number in (1..pointer.number).rev() {
        match connected.wait(chain.get(number))? {
            Some(other) if other.edition == pointer.edition => {}
            found => return Ok(found),
        }
    }
    Ok(None)
}

/// An edition of the store without its bodies.
fn outline(connected: &Connected, pointer: &Pointer) -> Result<Edition, Failure> {
    let read = async {
        let (_, manifest) = read_manifest(&connected.objects, &pointer.manifest).await?;
        let why = || {
            Error::Refused(format!(
                "the manifest of edition {} is inconsistent",
                pointer.number
            ))
        };
        manifest.outline().ok_or_else(why)
    };
    connected.wait(read)
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
