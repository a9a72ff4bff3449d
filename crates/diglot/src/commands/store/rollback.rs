//! `diglot rollback`: publishes an older edition again.

use diglot_store::signature::SigningKey;
use diglot_store::{Chain, Pointer};
use jiff::Timestamp;

use super::connected::Connected;
use super::purge::Purging;
use crate::cli;
use crate::failure::Failure;
use crate::terminal;

/// What to do about an edition that `rollback --sign` does not sign.
const SIGNED: &str = "`--sign` signs only what its key has signed before: name another edition, or publish \
                      the folder with `diglot publish --sign`";

pub(in crate::commands) fn rollback(args: &cli::Rollback) -> Result<(), Failure> {
    let connected = Connected::to_existing(&args.store)?;
    let purging = Purging::from_args(&args.purge)?;
    let key = args.publisher.key()?;
    // A signature says that the signer made the edition, so only what is signed is signed again.
    let public = key.as_ref().map(SigningKey::public);
    let chain = connected.chain_of(public.as_ref());
    let to = match &args.edition {
        Some(name) => connected.wait(chain.find(name)).map_err(|failure| {
            match public.is_some() && failure.hint.is_none() {
                true => failure.hint(SIGNED),
                false => failure,
            }
        })?,
        None => before_newest(&connected, chain)?,
    };
    let who = (Timestamp::now(), args.publisher.name.clone());
    let rolled = diglot_store::rollback(&connected.objects, &to, who, key.as_ref());
    let pointer = connected.wait(rolled)?;
    terminal::say(format!(
        "edition {} of `{}` is edition {} again",
        pointer.number, connected.address, to.number
    ));
    let Some(purging) = purging else {
        return Ok(());
    };
    let again = format!(
        "`diglot rollback {}` with the same options purges them again",
        to.number
    );
    purging.run(&connected, &pointer, None, &again)
}

/// The newest good edition that differs from the newest. One that is damaged or refused differs from
/// all.
fn before_newest(connected: &Connected, chain: Chain<'_>) -> Result<Pointer, Failure> {
    let mut entries = connected.wait(chain.entries())?;
    let newest = entries.pop().and_then(|entry| entry.pointer.ok());
    let is_other = |edition: &Pointer| {
        let newest = newest.as_ref();
        newest.is_none_or(|it| it.edition != edition.edition)
    };
    let mut older = entries.into_iter().rev();
    let other = older.find_map(|entry| entry.pointer.ok().filter(is_other));
    let address = &connected.address;
    let none = || {
        let what = match chain.key {
            Some(_) => "no edition to go back to that is signed with this key",
            None => "no edition to go back to",
        };
        Failure::usage(format!("`{address}` has {what}")).hint(format!(
            "`diglot editions --to {address}` lists its editions"
        ))
    };
    other.ok_or_else(none)
}
