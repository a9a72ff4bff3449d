//! Arguments of the server of the Model Context Protocol.

use clap::Args;

use super::Folder;

/// `diglot mcp`
#[derive(Args, Debug)]
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
        let is_url = text.starts_with("https://") || text.starts_with("http://");
        is_url.then_some(text)
    }
}
