//! `diglot readers`: who read what, from the counts of `diglot serve --count-readers`.

use jiff::{Timestamp, ToSpan, tz::TimeZone};

use super::folder;
use crate::failure::Failure;
use crate::readers::{Store, Summary};
use crate::terminal::Channel;
use crate::{cli, terminal};

pub(super) fn run(args: &cli::Readers) -> Result<(), Failure> {
    let Some(state) = folder::state_of(&args.folder, &args.state)? else {
        return Err(Failure::usage(
            "the counts of readers are in the state folder, and there is none",
        )
        .hint("name it, such as `--state ~/.local/state/diglot`"));
    };
    let store = Store::new(&state);
    let summary = summary(&store, args.days)?;
    for warning in &summary.warnings {
        terminal::say(format!("warning: {warning}"));
    }
    if args.json {
        terminal::print(summary.json());
    } else if summary.days.is_empty() {
        terminal::print(format!(
            "no readers were counted from {} to {} in `{}`",
            summary.first,
            summary.last,
            store.folder().display()
        ));
        Channel::Output.say(
            "`diglot serve --count-readers` counts readers; it saves the counts every 30 seconds",
        );
    } else {
        terminal::print(summary.text().trim_end());
    }
    Ok(())
}

/// The counts of the last `days` days.
fn summary(store: &Store, days: u16) -> Result<Summary, Failure> {
    let last = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let first = last.saturating_sub((i32::from(days) - 1).days());
    let (days, warnings) = store
        .read(first, last)
        .map_err(|error| Failure::path("read", store.folder(), &error))?;
    Ok(Summary {
        first,
        last,
        days,
        warnings,
    })
}
