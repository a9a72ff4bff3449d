//! `diglot audit`: the scorecard of a live site.

use std::time::Duration;

use diglot_audit::{Blame, Refused};
use jiff::Timestamp;

use crate::failure::Failure;
use crate::{cli, terminal};

pub(super) fn run(args: &cli::Audit) -> Result<(), Failure> {
    let time = Duration::from_secs(args.timeout.into());
    let card = diglot_audit::run(&args.url, usize::from(args.sample), time, Timestamp::now())
        .map_err(failure)?;
    if args.json {
        terminal::print(format!("{:#}", card.json()));
    } else {
        terminal::print(card.text(terminal::is_coloured()));
    }
    // The card already shows the reasons.
    if card.worst().is_some_and(|worst| worst >= args.fail_on) {
        return Err(Failure::content(""));
    }
    // What was not checked may be wrong, so this is not a success.
    if card.cut.is_some() {
        Err(Failure::machine(""))
    } else {
        Ok(())
    }
}

/// Turns a refused audit into the command's failure.
pub(super) fn failure(
    Refused {
        blame,
        message,
        hint,
    }: Refused,
) -> Failure {
    let failure = match blame {
        Blame::Address => Failure::usage(message),
        Blame::Site => Failure::machine(message),
    };
    Failure { hint, ..failure }
}
