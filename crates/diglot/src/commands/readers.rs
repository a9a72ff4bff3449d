//! `diglot readers`: who read what, from the counts of `diglot serve --count-readers`.

use jiff::{Timestamp, ToSpan, tz::TimeZone};

use super::folder;
use crate::failure::Failure;
use crate::readers::{Store, Summary};
use crate::{cli, report};

pub(super) fn run(args: &cli::Readers) -> Result<(), Failure> {
    let Some(state) = folder::state_of(&args.folder, &args.state)? else {
        return Err(
            Failure::usage("there is no state folder, and counts are nowhere else")
                .hint("name it with `--state DIR`"),
        );
    };
    let store = Store::of(&state);
    let last = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let first = last.saturating_sub((i32::from(args.days) - 1).days());
    let (days, warnings) = store
        .read(first, last)
        .map_err(|error| Failure::path("read", store.folder(), &error))?;
    let summary = Summary {
        first,
        last,
        days,
        warnings,
    };
    for warning in &summary.warnings {
        report::say(format!("warning: {warning}"));
    }
    if args.json {
        report::print(summary.json());
    } else if summary.days.is_empty() {
        report::say(format!(
            "nothing was counted from {first} to {last}, as far as `{}` knows",
            store.folder().display()
        ));
        report::say("`diglot serve --count-readers` counts; it writes every half minute");
    } else {
        report::print(summary.text().trim_end());
    }
    Ok(())
}
