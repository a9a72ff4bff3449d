//! Arguments of the proof of a move.

use std::path::PathBuf;

use clap::Args;

use super::{Folder, State};

/// `diglot move`
#[derive(Args, Debug)]
pub struct MoveSite {
    /// The address of the former site, such as `https://old.example`; by default the one in
    /// `migration.toml` of the folder
    #[arg(value_name = "URL")]
    pub url: Option<String>,

    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// Write nothing, and exit with 1 if something is lost
    #[arg(long, conflicts_with = "dry_run")]
    pub verify: bool,

    /// Write nothing, and print what would be written
    #[arg(long)]
    pub dry_run: bool,

    /// Where answers of the former site are kept, so that a walk that was stopped goes on [default:
    /// in the state folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Print the report as JSON on standard output
    #[arg(long)]
    pub json: bool,

    /// Do not restrict the program's own file and network access (Linux)
    #[arg(long)]
    pub no_sandbox: bool,
}

impl MoveSite {
    /// The address and the folder: a single argument without `://` is the folder.
    pub fn settled(&self) -> (Option<&str>, Folder) {
        let is_url = |text: &&str| text.contains("://");
        let url = self.url.as_deref();
        let folder = match url.filter(|text| !is_url(text)) {
            Some(folder) => PathBuf::from(folder),
            None => self.folder.folder.clone(),
        };
        let folder = Folder {
            folder,
            base_url: self.folder.base_url.clone(),
            limits: self.folder.limits.clone(),
            state: State {
                dir: self.folder.state.dir.clone(),
                none: self.folder.state.none,
            },
        };
        (url.filter(is_url), folder)
    }
}
