//! The editions of a published site, which the next edition goes on from.

use std::time::Duration;

use diglot_content::BaseUrl;
use diglot_edition::Route;
use diglot_edition::changes::{self, History};
use serde_json::Value;

use super::audit;
use super::folder::Folder;
use crate::failure::Failure;
use crate::terminal;

/// How long the published site may take to answer.
const TIME: Duration = Duration::from_secs(60);

/// Reads the editions of the site that is published at a URL.
///
/// # Errors
/// The site does not answer, or not with such documents.
pub(super) fn recall(folder: &mut Folder, url: &str) -> Result<(), Failure> {
    let paths = [Route::Status, Route::Changes, Route::Listing].map(|route| route.path());
    let wanted: Vec<&str> = paths.iter().map(String::as_str).collect();
    let hint = "without `--since` the list of changes begins with this edition";
    let found = diglot_audit::documents(url, &wanted, TIME)
        .map_err(|refused| audit::failure(refused).hint(hint))?;
    let [Some(status), Some(changes), Some(pages)] = &found[..] else {
        terminal::say(format!(
            "warning: `{url}` has no list of changes, so it begins with this edition"
        ));
        return Ok(());
    };
    let refused = |why: String| Failure::machine(format!("`{url}`: {why}")).hint(hint);
    let status: Value = serde_json::from_slice(status)
        .map_err(|error| refused(format!("`/status.json` cannot be read: {error}")))?;
    let id = status["releaseId"].as_str().unwrap_or_default();
    let (base, past) = changes::read(id, changes, pages).map_err(refused)?;
    go_on(folder, &base, past);
    Ok(())
}

/// Uses the editions of the site at this base URL. They are used if it is the folder's.
pub(super) fn go_on(folder: &mut Folder, base: &str, past: History) {
    // Another site's pages would all differ.
    if let Ok(base) = BaseUrl::parse(base) {
        folder.set_past(base, past);
    }
}
