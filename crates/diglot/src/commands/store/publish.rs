//! `diglot publish`: writes an edition into a store.

use std::collections::BTreeSet;
use std::sync::Arc;

use diglot_content::{BaseUrl, parallel};
use diglot_edition::changes::History;
use diglot_edition::{Coding, Edition};
use diglot_store::past::past;
use diglot_store::publish::{self, Options, Outcome, Sent};
use diglot_store::signature::SigningKey;
use diglot_store::{Address, Objects, Pointer};
use indicatif::HumanBytes;
use jiff::Timestamp;
use serde_json::json;

use super::connected::{Connected, failure, require_file};
use super::diff::difference_lines;
use super::purge::{self, Purging};
use crate::cli;
use crate::commands::build::require_address;
use crate::commands::folder::{Folder, Made};
use crate::commands::since;
use crate::failure::Failure;
use crate::progress;
use crate::report::Detail;
use crate::terminal::{self, Channel};

pub(in crate::commands) fn publish(args: &cli::Publish) -> Result<(), Failure> {
    // What is wrong with the arguments is said before the folder is read.
    let connected = match args.dry_run {
        true => Connected::to_plan(&args.store)?,
        false => Connected::to(&args.store)?,
    };
    let options = Options {
        publisher: args.publisher.name.clone(),
        lock: args.lock,
        key: args.publisher.key()?,
        dry_run: args.dry_run,
        repair: args.repair,
    };
    let purging = Purging::from_args(&args.purge)?;
    let now = Timestamp::now();
    let public = options.key.as_ref().map(SigningKey::public);
    let past = past(&connected.objects, public.as_ref());
    let (folder, made) = made(args, || connected.wait(past), now)?;
    let detail = args.report.detail();
    if detail != Detail::Json {
        made.edition_report(&made.edition.problems)
            .tell(detail, Channel::Messages);
    }
    folder.recall_codings(&made.edition);
    compress(&made.edition);
    let edition = Arc::new(made.edition);
    let outcome = sent(&connected, Arc::clone(&edition), now, &options)?;
    let pointer = outcome.pointer();
    let is_planned = args.dry_run && purging.is_some();
    let planned = is_planned.then(|| purge::addresses(&connected, pointer, Some(&edition)));
    let planned = planned.transpose()?;
    tell(&outcome, &connected.address, args, planned.as_ref());
    if args.dry_run {
        return Ok(());
    }
    let again = "`diglot publish` with the same options purges them again";
    let purged = purging.map_or(Ok(()), |purging| {
        purging.run(&connected, pointer, Some(&edition), again)
    });
    // Last, since it writes the whole edition: caches wait for the purge.
    folder.keep_published(&edition, (made.at, Arc::unwrap_or_clone(made.report)));
    purged
}

/// The edition of the folder, which needs a base URL, after those of the store.
fn made(
    args: &cli::Publish,
    past: impl FnOnce() -> Result<Option<(String, History)>, Failure>,
    now: Timestamp,
) -> Result<(Folder, Made), Failure> {
    let detail = args.report.detail();
    let mut folder = Folder::open(&args.folder)?;
    folder.make_in_state();
    let nowhere = BaseUrl::parse("http://localhost").map_err(Failure::machine)?;
    require_address("publish", &mut folder, &nowhere, (now, detail))?;
    if let Some((base, past)) = past()? {
        since::go_on(&mut folder, &base, past);
    }
    let made = folder
        .make(&nowhere, now)
        .map_err(|broken| broken.told_as(detail, Channel::Messages))?;
    made.require_something(&args.folder.folder)?;
    folder.save();
    Ok((folder, made))
}

/// Makes every coding, so that no reader of the store has to.
fn compress(edition: &Edition) {
    edition.prepare();
    let total = edition.resources.len();
    terminal::show_progress();
    parallel::map(&edition.resources, |resource| {
        if resource.route.compressible() {
            for coding in Coding::ALL {
                resource.fill_in(&*edition.store, coding);
            }
        }
        progress::step("compressing files", total);
    });
    progress::end();
}

fn sent(
    connected: &Connected,
    edition: Arc<Edition>,
    now: Timestamp,
    options: &Options,
) -> Result<Outcome, Failure> {
    terminal::show_progress();
    let progress = |bytes: u64, _: bool| progress::advance("sending bytes", bytes, 0);
    let objects: &Objects = &connected.objects;
    let outcome = connected.wait(publish::publish(objects, edition, now, options, &progress));
    progress::end();
    outcome
}

/// Says what was done, or would be; `purged`: the addresses that would be purged.
fn tell(
    outcome: &Outcome,
    address: &Address,
    args: &cli::Publish,
    purged: Option<&BTreeSet<String>>,
) {
    if args.report.json {
        let mut json = json(outcome);
        if let Some(purged) = purged {
            json["purge"] = json!(purged);
        }
        terminal::print(json);
        return;
    }
    match outcome {
        Outcome::Unchanged(pointer) => terminal::say(format!(
            "nothing to publish: edition {} of `{address}` is the same",
            pointer.number
        )),
        Outcome::Published {
            pointer,
            sent,
            difference,
            warnings,
        } => {
            for warning in warnings {
                terminal::say(format!("warning: {warning}"));
            }
            let mut lines = difference_lines(difference);
            lines.push(published(pointer, *sent, address, args.dry_run));
            // What was asked for is a result.
            let tell = if args.dry_run {
                terminal::print
            } else {
                terminal::say
            };
            lines.iter().for_each(tell);
        }
    }
    if let Some(purged) = purged {
        terminal::say(format!(
            "would purge {}:",
            terminal::counted(purged.len(), "URL")
        ));
        purged.iter().for_each(terminal::print);
    }
}

fn published(pointer: &Pointer, sent: Sent, address: &Address, dry_run: bool) -> String {
    let (objects, bytes) = (
        terminal::counted(sent.objects, "object"),
        HumanBytes(sent.bytes),
    );
    let number = pointer.number;
    match dry_run {
        true => format!("would publish edition {number} to `{address}`: {objects}, {bytes}"),
        false => format!("published edition {number} to `{address}`: {objects}, {bytes}"),
    }
}

fn json(outcome: &Outcome) -> serde_json::Value {
    match outcome {
        Outcome::Unchanged(pointer) => json!({ "unchanged": true, "edition": pointer }),
        Outcome::Published {
            pointer,
            sent,
            difference,
            warnings,
        } => json!({
            "unchanged": false,
            "edition": pointer,
            "objects": sent.objects,
            "bytes": sent.bytes,
            "difference": difference,
            "warnings": warnings,
        }),
    }
}

impl cli::Publisher {
    /// The key to sign with.
    pub(super) fn key(&self) -> Result<Option<SigningKey>, Failure> {
        const HINT: &str = "`--sign` names an Ed25519 private key; make one with `openssl genpkey -algorithm ed25519 -out key.pem`";
        let Some(file) = &self.sign else {
            return Ok(None);
        };
        require_file(file, HINT)?;
        SigningKey::read(file).map(Some).map_err(failure)
    }
}
