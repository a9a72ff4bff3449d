//! Arguments of the question whether a server is ready.

use std::net::SocketAddr;

use clap::Args;

use super::listen_address;

/// `diglot healthcheck`
#[derive(Args, Debug)]
pub struct Healthcheck {
    /// The private address of the server, as given to `diglot serve --admin`
    #[arg(
        long,
        value_name = "ADDR:PORT",
        env = "DIGLOT_ADMIN",
        hide_env_values = true,
        default_value = "127.0.0.1:9090",
        value_parser = listen_address
    )]
    pub admin: SocketAddr,
}
