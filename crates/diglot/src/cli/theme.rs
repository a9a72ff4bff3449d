//! Arguments of the commands for the theme.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `diglot theme`
#[derive(Args, Debug)]
pub struct Theme {
    /// What to do with the theme.
    #[command(subcommand)]
    pub command: ThemeCommand,
}

/// What `diglot theme` does.
#[derive(Subcommand, Debug)]
pub enum ThemeCommand {
    /// List the files of the built-in theme
    List,
    /// Print a file of the built-in theme
    Show {
        /// The name of the file, such as `nav.html`
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Copy files of the built-in theme into a folder, to change them there
    Init {
        /// The theme folder, such as `theme`; existing files are never overwritten
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The files to copy [default: all]
        #[arg(value_name = "FILE")]
        files: Vec<String>,
    },
}
