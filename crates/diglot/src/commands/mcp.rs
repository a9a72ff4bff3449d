//! `diglot mcp`: a server of the Model Context Protocol over a folder or a live site.

#[cfg(feature = "mcp")]
mod folder;
#[cfg(feature = "mcp")]
mod lines;
#[cfg(feature = "mcp")]
mod site;
#[cfg(feature = "mcp")]
mod talk;

use crate::cli;
use crate::failure::Failure;

#[cfg(not(feature = "mcp"))]
pub(super) fn run(_: &cli::Mcp) -> Result<(), Failure> {
    Err(Failure::without_feature(cli::WITHOUT_MCP))
}

#[cfg(feature = "mcp")]
pub(super) fn run(args: &cli::Mcp) -> Result<(), Failure> {
    let source = match args.url() {
        Some(url) => site::open(args, url)?,
        None => folder::open(args)?,
    };
    talk::talk(crate::mcp::Tools::new(source))
}
