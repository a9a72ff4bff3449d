//! The conversation over standard input and output.

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use tokio::runtime;

use super::lines::Lines;
use crate::failure::{Failure, reason};
use crate::mcp::{Server, Tools};
use crate::terminal;

/// How many tools run at once; the rest wait.
const AT_ONCE: usize = 8;

/// Answers until the client closes its side. Only the protocol is written to standard output.
pub(super) fn talk(tools: Tools) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_current_thread()
        // Standard input and output take one each.
        .max_blocking_threads(AT_ONCE + 2)
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::machine(format!("cannot start: {}", reason(&error))))?;
    terminal::say(
        "waiting for a client on standard input; `diglot mcp --help` says how to add one",
    );
    let ended = runtime.block_on(async {
        let (input, output) = stdio();
        match Server::new(tools).serve(Lines::over(input, output)).await {
            Ok(running) => running
                .waiting()
                .await
                .map(drop)
                .map_err(|error| error.to_string()),
            // The client left before it said anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    });
    // A read of standard input cannot be ended.
    runtime.shutdown_background();
    ended.map_err(|why| Failure::machine(format!("the conversation failed: {why}")))
}
