//! A site of many articles, its store, and an edit.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::json;
use xtask::shell;

/// What the edit adds: asked for before, so that a cache keeps the error.
const ADDED: [&str; 4] = [
    "/articles/added.html",
    "/articles/added.md",
    "/articles/added",
    "/articles/added/",
];

/// A folder of articles, published at a base URL into a store.
pub(super) struct Site {
    pub(super) folder: PathBuf,
    pub(super) base: String,
    store: String,
}

impl Site {
    pub(super) fn new(work: &Path, base: &str, articles: usize) -> Result<Self, String> {
        let site = Self {
            folder: work.join("site"),
            base: base.to_owned(),
            store: format!("file://{}", work.join("store").display()),
        };
        // Long enough that nothing expires by itself while a test runs.
        site.write(
            "diglot.toml",
            "title = \"Purged\"\n[cache]\nmax_age = 3600\n",
        )?;
        for number in 0..articles {
            site.article(&format!("note-{number:04}"), number, "")?;
        }
        Ok(site)
    }

    /// Writes an article of a day by its number.
    fn article(&self, name: &str, number: usize, more: &str) -> Result<(), String> {
        let (year, month, day) = (2010 + number / 336, number / 28 % 12 + 1, number % 28 + 1);
        let text = format!(
            "---\ndate: {year}-{month:02}-{day:02}\nupdated: {year}-{month:02}-{day:02}\n---\n# The note {name}\n\nWords of note {number}. {more}\n"
        );
        self.write(&format!("articles/{name}.md"), &text)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(path);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    /// Two articles changed, one added, one removed, of at least a hundred.
    pub(super) fn edit(&self) -> Result<(), String> {
        self.article("note-0003", 3, "And more.")?;
        self.article("note-0050", 50, "And more of it.")?;
        self.article("added", 7, "New.")?;
        let gone = self.folder.join("articles/note-0070.md");
        fs::remove_file(&gone)
            .map_err(|error| format!("cannot remove `{}`: {error}", gone.display()))
    }

    pub(super) fn added(&self) -> impl Iterator<Item = &'static str> {
        ADDED.into_iter()
    }

    /// The path of a URL of this site.
    pub(super) fn path(&self, url: &str) -> String {
        url.strip_prefix(&self.base).unwrap_or(url).to_owned()
    }

    /// `diglot publish` with these options.
    pub(super) fn command(&self, binary: &Path, more: &[&str]) -> Command {
        let mut command = Command::new(binary);
        command.arg("publish").arg(&self.folder).args([
            "--base-url",
            &self.base,
            "--to",
            &self.store,
            "--no-state",
        ]);
        command.args(more);
        command
    }

    pub(super) fn publish(&self, binary: &Path, more: &[&str]) -> Result<(), String> {
        shell::text(&mut self.command(binary, more)).map(drop)
    }

    /// The addresses that a dry run would purge.
    pub(super) fn purged(&self, binary: &Path, more: &[&str]) -> Result<BTreeSet<String>, String> {
        let said = json(&mut self.command(binary, more))?;
        let urls = said["purge"].as_array().ok_or("no list of addresses")?;
        let urls = urls.iter().filter_map(|url| url.as_str());
        Ok(urls.map(str::to_owned).collect())
    }
}
