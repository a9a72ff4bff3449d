//! `diglot lock`: records in the folder itself when each file last changed.

use diglot_content::BaseUrl;
use jiff::Timestamp;

use super::folder::Folder;
use crate::failure::Failure;
use crate::lock::Lock;
use crate::terminal::Channel;
use crate::{cli, terminal};

pub(super) fn run(args: &cli::Lock) -> Result<(), Failure> {
    let mut folder = Folder::open(&args.folder)?;
    let base = BaseUrl::parse("http://localhost").map_err(Failure::machine)?;
    let read = folder
        .read(&base, Timestamp::now())
        .map_err(|broken| broken.told(Channel::Messages))?;
    let lock = Lock::from_sources(&read.sources);
    if lock.is_empty() {
        let given = args.folder.folder.display();
        let message = format!("the folder `{given}` has no files, so there is no date to record");
        return Err(Failure::content(message).hint("name the folder that contains your articles"));
    }
    lock.write(&folder.root).map_err(|error| {
        Failure::path(
            "write",
            &folder.root.join(diglot_content::sources::LOCK_FILE),
            &error,
        )
    })?;
    terminal::say(format!(
        "recorded the dates of {} in `diglot.lock`; commit it with your articles",
        terminal::counted(lock.len(), "file")
    ));
    Ok(())
}
