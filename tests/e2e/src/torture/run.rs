//! One run: what its parts are given, and the rows that they add to the table.

use std::path::PathBuf;
use std::time::Duration;

use super::ledger::Ledger;

/// One run.
pub struct Run {
    pub binary: PathBuf,
    pub scratch: PathBuf,
    pub seed: u64,
    /// The total time.
    pub time: Duration,
    pub ledger: Ledger,
    pub rows: Vec<Vec<String>>,
}

impl Run {
    /// A share of the total time.
    pub fn part(&self, part: f64) -> Duration {
        self.time.mul_f64(part).max(Duration::from_secs(2))
    }

    /// A new folder for a part of the run.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn place(&self, name: &str) -> Result<PathBuf, String> {
        let place = self.scratch.join(name);
        std::fs::create_dir_all(&place)
            .map_err(|error| format!("cannot make `{}`: {error}", place.display()))?;
        Ok(place)
    }

    /// Adds a row to the table.
    pub fn row(&mut self, what: &str, value: impl Into<String>) {
        self.rows.push(vec![what.to_owned(), value.into()]);
    }
}
