//! Arguments of the server of the Model Context Protocol.

use clap::Args;

use super::Folder;

const EXAMPLES: &str = "Examples:
  diglot mcp my-site               the pages of a folder
  diglot mcp https://example.org   the pages of a live site that Diglot made

The program of an agent starts this command. For Claude Code:
  claude mcp add notes -- diglot mcp ~/notes
docs/mcp.md shows the same for other programs.";

/// `diglot mcp`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Mcp {
    /// The folder and how it is read, or a site.
    #[command(flatten)]
    pub folder: Folder,

    /// Do not watch the folder for changes
    #[arg(long)]
    pub no_watch: bool,

    /// Do not restrict the program's own file and network access (Linux)
    #[arg(long)]
    pub no_sandbox: bool,
}

impl Mcp {
    /// The address of the live site that is named instead of a folder.
    pub fn url(&self) -> Option<&str> {
        let text = self.folder.folder.to_str()?;
        text.contains("://").then_some(text)
    }
}
