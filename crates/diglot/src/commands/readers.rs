//! `diglot readers`: who read what, from the counts that `diglot serve --count-readers` wrote down.

use jiff::{Timestamp, ToSpan, tz::TimeZone};

use super::folder;
use crate::failure::Failure;
use crate::readers::{Account, Store};
use crate::{cli, report};

pub(super) fn run(args: &cli::Readers) -> Result<(), Failure> {
    let Some(state) = folder::state_of(&args.folder, &args.state)? else {
        return Err(Failure::usage("there is no state folder, and counts are nowhere else").hint("name it with `--state DIR`"));
    };
    let store = Store::of(&state);
    let last = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let first = last.saturating_sub((i32::from(args.days) - 1).days());
    let (days, warnings) = store.read(first, last).map_err(|error| Failure::path("read", store.folder(), &error))?;
    let account = Account { first, last, days, warnings };
    account.warnings.iter().for_each(|warning| report::say(format!("warning: {warning}")));
    if args.json {
        report::print(account.json());
        return Ok(());
    }
    if account.days.is_empty() {
        report::say(format!("nothing was counted from {first} to {last}, as far as `{}` knows", store.folder().display()));
        report::say("`diglot serve --count-readers` counts; it writes every half minute");
        return Ok(());
    }
    report::print(account.text().trim_end());
    Ok(())
}
