//! `diglot audit`: the score card of a live site.

use std::io::{self, IsTerminal};
use std::time::Duration;

use jiff::Timestamp;

use crate::failure::Failure;
use crate::{audit, cli, report};

pub(super) fn run(args: &cli::Audit) -> Result<(), Failure> {
    let time = Duration::from_secs(args.timeout.into());
    let card = audit::run(&args.url, usize::from(args.sample), time, Timestamp::now())?;
    if args.json {
        report::print(format!("{:#}", card.json()));
    } else {
        let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        report::print(card.text(colours));
    }
    // The card has said everything already.
    if card.tally().failed > 0 { Err(Failure::content("")) } else { Ok(()) }
}
