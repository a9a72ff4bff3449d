//! A remote site as the source of the pages.

use std::sync::Arc;

use crate::commands::audit;
use crate::failure::Failure;
use crate::mcp::Source;
use crate::mcp::remote::RemoteSite;
use crate::{cli, sandbox, terminal};

/// Finds the site. Gives up all rights but to connect to it and to read the system's configuration.
pub(super) fn open(args: &cli::Mcp, url: &str) -> Result<Arc<dyn Source>, Failure> {
    if args.no_watch {
        return Err(
            Failure::usage("`--no-watch` is for a folder, but a site is named")
                .hint("remove `--no-watch`"),
        );
    }
    if !args.no_sandbox {
        sandbox::confine(&sandbox::to_connect(url));
    }
    let remote = RemoteSite::find(url).map_err(audit::failure)?;
    terminal::say(format!("`{url}` is read over HTTP"));
    Ok(Arc::new(remote))
}
