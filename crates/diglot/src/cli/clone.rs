//! Arguments of the copy of a live site.

use std::path::PathBuf;

use clap::Args;

/// `diglot clone`
#[derive(Args, Debug)]
pub struct CloneSite {
    /// The address of the home page, such as `https://example.org`
    #[arg(value_name = "URL")]
    pub url: String,

    /// The folder to write; an existing folder must be empty, or a copy of this site
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Print what was done as JSON on standard output
    #[arg(long)]
    pub json: bool,

    /// Do not restrict the program's own file and network access (Linux)
    #[arg(long)]
    pub no_sandbox: bool,
}
