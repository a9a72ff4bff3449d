//! The command line: its arguments and their help.

mod acme;
mod clone;
mod healthcheck;
mod mcp;
mod move_site;
mod store;
mod theme;
mod usage;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, ColorChoice, Parser, Subcommand};
use clap_complete::Shell;
use diglot_audit::Severity;

use crate::report::Detail;
use crate::serve::{ClientHeader, Network, Rate};
use crate::terminal::Format;
use crate::user_agents::UserAgent;

pub use acme::{Acme, Challenge, FetchCertificate, LETS_ENCRYPT, MOST_DOMAINS};
pub use clone::CloneSite;
pub use healthcheck::Healthcheck;
pub use mcp::Mcp;
pub use move_site::MoveSite;
pub use store::{
    Diff, Editions, FetchStore, Prune, Publish, Publisher, Purge, Replica, Rollback, Store,
};
pub use theme::{Theme, ThemeCommand};
pub use usage::{WITHOUT_ACME, WITHOUT_MCP, WITHOUT_STORES, colour, failure, offered, parse};

/// The place of options that every command has: after its own, before `--help`.
const AFTER_OTHERS: usize = 900;

/// Publishes a folder of articles as HTML for people and Markdown for machines.
///
/// Diglot reads a folder of Markdown files and makes the whole site: pages in both forms, feed,
/// sitemaps, llms.txt and an API description. It serves the site, or writes it as a folder for any
/// static host.
#[derive(Debug, Parser)]
#[command(name = "diglot", version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours; `auto` uses them on a terminal, and follows `NO_COLOR` and
    /// `CLICOLOR_FORCE`
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t = ColorChoice::Auto,
        hide_default_value = true,
        hide_possible_values = true,
        global = true,
        display_order = AFTER_OTHERS,
        long_help = "When to use colours: `auto`, `always` or `never`. The default, `auto`, uses them on a terminal and follows `NO_COLOR` and `CLICOLOR_FORCE`."
    )]
    pub color: ColorChoice,

    /// Print only problems, errors and what the command was asked for
    #[arg(long, short, global = true, display_order = AFTER_OTHERS)]
    pub quiet: bool,
}

const EXAMPLES: &str = "Examples:
  diglot new my-site       create a small site
  diglot serve my-site     preview it in a browser; edits appear when you save
  diglot check my-site     list what should be fixed
  diglot build my-site --base-url https://example.org --output public
  diglot audit https://example.org

Exit status:
  0  success
  1  problems in the articles, the settings or the theme
  2  wrong usage
  3  a system error: a full disk, a port in use, an unreadable folder";

/// What can be done with a folder of articles.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the site over HTTP, and update it when a file is saved
    Serve(Box<Serve>),
    /// Write the site as a folder for static hosts
    Build(Build),
    /// Report what should be fixed; writes nothing into the folder
    Check(Check),
    /// Record the date of each file's last change in `diglot.lock`
    Lock(Lock),
    /// Create a small site to start from
    New(New),
    /// Print or copy the files of the built-in theme
    Theme(Theme),
    /// Check a live site, through its CDN, against what Diglot promises
    Audit(Audit),
    /// Copy the Markdown of a live site into a folder, and update the copy
    Clone(CloneSite),
    /// Prove that a site that moved into the folder lost nothing, and keep its old addresses
    Move(MoveSite),
    /// Give the pages to AI agents, by the Model Context Protocol over standard input and output
    Mcp(Mcp),
    /// Show who read what: people, feed readers, search engines and AI agents
    Readers(Readers),
    /// Ask a running server whether it is ready, for containers; the exit status is 0 or 3
    Healthcheck(Healthcheck),
    /// Publish the site to an object store, from which other machines can serve it
    Publish(Publish),
    /// List the editions in a store
    Editions(Editions),
    /// Publish an earlier edition of a store again
    Rollback(Rollback),
    /// Show the differences between two editions of a store
    Diff(Diff),
    /// Delete old editions from a store, and the objects that no edition needs
    Prune(Prune),
    /// Print the completions for a shell
    Completions {
        /// The shell
        #[arg(value_name = "SHELL", value_enum)]
        shell: Shell,
    },
    /// Print the version
    Version,
    /// Fetch editions for a server that follows a store; the server starts this process itself
    #[command(hide = true)]
    FetchStore(FetchStore),
    /// Ask an authority for a certificate, for a server that starts this itself
    #[command(hide = true)]
    FetchCertificate(FetchCertificate),
}

/// What every command that reads a folder takes.
#[derive(Args, Debug)]
pub struct Folder {
    /// The folder of articles
    #[arg(
        default_value = ".",
        hide_default_value = true,
        value_name = "FOLDER",
        long_help = "The folder of articles (default: the current folder). Diglot reads settings from the file `diglot.toml` in it, if that file exists."
    )]
    pub folder: PathBuf,

    /// The public address of the site, such as `https://example.org/blog`
    #[arg(
        long,
        value_name = "URL",
        env = "DIGLOT_BASE_URL",
        hide_env_values = true
    )]
    pub base_url: Option<String>,

    /// Change a limit, such as `article-bytes=256MiB`; can be repeated
    #[arg(
        long = "limit",
        value_name = "NAME=VALUE",
        env = "DIGLOT_LIMITS",
        hide_env_values = true,
        value_delimiter = ' ',
        long_help = "Change a limit, such as `article-bytes=256MiB` or `idle-time=30s`. Can be repeated. docs/limits.md lists all limits and why they exist."
    )]
    pub limits: Vec<String>,

    /// Where the state is.
    #[command(flatten)]
    pub state: State,
}

impl Folder {
    /// The address of the store that is named instead of a folder.
    pub fn store(&self) -> Option<&str> {
        let text = self.folder.to_str()?;
        let (scheme, _) = text.split_once("://")?;
        matches!(scheme, "s3" | "gs" | "az" | "file").then_some(text)
    }
}

/// Where Diglot remembers what must be remembered between runs.
#[derive(Args, Debug)]
pub struct State {
    /// The state folder: dates of changes and caches, kept between runs
    #[arg(
        long = "state",
        value_name = "DIR",
        env = "DIGLOT_STATE",
        hide_env_values = true,
        long_help = "The state folder: dates of changes and caches, kept between runs. The default is $STATE_DIRECTORY, else the user's state folder. It is safe to delete. It must be outside the folder of articles."
    )]
    pub dir: Option<PathBuf>,

    /// Use no state folder
    #[arg(long = "no-state")]
    pub none: bool,
}

/// How the report on an edition is given: what became of every file, and what should be fixed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Report {
    /// Report every problem and every file, not only a summary
    #[arg(long)]
    pub verbose: bool,

    /// Print the report as JSON on standard output
    #[arg(long, conflicts_with = "verbose")]
    pub json: bool,
}

impl Report {
    /// The requested detail.
    pub fn detail(self) -> Detail {
        match (self.json, self.verbose) {
            (true, _) => Detail::Json,
            (_, true) => Detail::Whole,
            _ => Detail::Short,
        }
    }
}

/// `diglot lock`
#[derive(Args, Debug)]
pub struct Lock {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,
}

/// `diglot serve`
#[derive(Args, Debug)]
pub struct Serve {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// The address and port to listen on; port 0 selects a free port [default: 127.0.0.1:8080, or
    /// the next free port if no base URL is set; with `--acme`, `[::]:443`]
    #[arg(long, value_name = "ADDR:PORT", env = "DIGLOT_LISTEN", hide_env_values = true, value_parser = listen_address)]
    pub listen: Option<SocketAddr>,

    /// Open the site in a browser
    #[arg(long)]
    pub open: bool,

    /// Also show drafts and scheduled articles, marked as such; for previews on this machine only
    #[arg(long)]
    pub drafts: bool,

    /// Do not reload the browser after an edit
    #[arg(long)]
    pub no_reload: bool,

    /// Use HTTPS with this certificate: a PEM file with the site's certificate first, then its chain
    #[arg(
        long,
        value_name = "FILE",
        env = "DIGLOT_TLS_CERT",
        hide_env_values = true,
        requires = "tls_key",
        conflicts_with = "acme"
    )]
    pub tls_cert: Option<PathBuf>,

    /// The private key of the certificate: a PEM file without a passphrase
    #[arg(
        long,
        value_name = "FILE",
        env = "DIGLOT_TLS_KEY",
        hide_env_values = true,
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,

    /// How the server gets its certificate by itself.
    #[command(flatten)]
    pub acme: Acme,

    /// With HTTPS: a second port that speaks plain HTTP and sends clients to the other, such as
    /// `[::]:80`
    #[arg(long, value_name = "ADDR:PORT", env = "DIGLOT_LISTEN_HTTP", hide_env_values = true, value_parser = listen_address)]
    pub listen_http: Option<SocketAddr>,

    /// With HTTPS: the value of `Strict-Transport-Security`, such as `max-age=31536000`; off if not
    /// given
    #[arg(long, value_name = "VALUE", env = "DIGLOT_HSTS", hide_env_values = true, value_parser = acme::hsts)]
    pub hsts: Option<http::HeaderValue>,

    /// A network of proxies to trust, such as `10.0.0.0/8`: client addresses are taken from their
    /// header fields; can be repeated
    #[arg(
        long,
        value_name = "NETWORK",
        env = "DIGLOT_TRUSTED_PROXIES",
        hide_env_values = true,
        value_delimiter = ' '
    )]
    pub trusted_proxy: Vec<Network>,

    /// The header field with the client's address that trusted proxies send: `X-Forwarded-For` or
    /// `Forwarded`
    #[arg(
        long,
        value_name = "NAME",
        default_value = "X-Forwarded-For",
        env = "DIGLOT_CLIENT_ADDRESS_HEADER",
        hide_env_values = true
    )]
    pub client_address_header: ClientHeader,

    /// Limit the requests of one client, such as `10/s`; unlimited by default
    #[arg(long, value_name = "RATE", env = "DIGLOT_RATE", hide_env_values = true)]
    pub rate: Option<Rate>,

    /// Limit the requests of one client that identifies itself as a bot, such as `60/m`
    #[arg(
        long,
        value_name = "RATE",
        env = "DIGLOT_RATE_BOTS",
        hide_env_values = true
    )]
    pub rate_bots: Option<Rate>,

    /// Serve `/healthz`, `/readyz` and `/metrics` on this private address, such as
    /// `127.0.0.1:9090`; off by default
    #[arg(long, value_name = "ADDR:PORT", env = "DIGLOT_ADMIN", hide_env_values = true, value_parser = listen_address)]
    pub admin: Option<SocketAddr>,

    /// The format of log messages
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        env = "DIGLOT_LOG_FORMAT",
        hide_env_values = true
    )]
    pub log_format: Format,

    /// Log each request in one line
    #[arg(long, env = "DIGLOT_LOG_REQUESTS", hide_env_values = true, value_parser = BoolishValueParser::new())]
    pub log_requests: bool,

    /// Count readers for `diglot readers`; no personal data is stored
    #[arg(long, env = "DIGLOT_COUNT_READERS", hide_env_values = true, value_parser = BoolishValueParser::new())]
    pub count_readers: bool,

    /// Do not watch the folder for changes
    #[arg(long)]
    pub no_watch: bool,

    /// Do not restrict the server's own file and network access (Linux)
    #[arg(long)]
    pub no_sandbox: bool,

    /// How a store is followed.
    #[command(flatten)]
    pub replica: Replica,

    /// How the report is given.
    #[command(flatten)]
    pub report: Report,
}

/// `diglot build`
#[derive(Args, Debug)]
#[command(override_usage = "diglot build [OPTIONS] --output <DIR> [FOLDER]")]
pub struct Build {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// The folder to write; an existing folder is replaced only if Diglot wrote it
    // Required, as the base URL is: a command without both is told so at once.
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Also write compressed files (.br, .zst, .gz) where they are smaller
    #[arg(long)]
    pub compress: bool,

    /// The published site, where no state is kept: the list of changes goes on from what it has
    #[arg(long, value_name = "URL")]
    pub since: Option<String>,

    /// How the report is given.
    #[command(flatten)]
    pub report: Report,
}

/// `diglot check`
#[derive(Args, Debug)]
pub struct Check {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// Exit with status 1 on warnings too
    #[arg(long)]
    pub strict: bool,

    /// How the report is given.
    #[command(flatten)]
    pub report: Report,

    /// Show the site as this program gets it, and what is lost there: `claude-code`, `codex`,
    /// `cursor`, `googlebot`, `mcp-fetch` or `newsboat`
    #[arg(long = "as", value_name = "NAME", conflicts_with = "explain", value_parser = crate::user_agents::find)]
    pub as_agent: Option<&'static UserAgent>,

    /// Explain how one file is read, and why it is or is not published
    #[arg(long, value_name = "FILE", conflicts_with = "strict")]
    pub explain: Option<PathBuf>,
}

/// `diglot new`
#[derive(Args, Debug)]
pub struct New {
    /// The folder to create; an existing folder must be empty
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// `diglot audit`
#[derive(Args, Debug)]
pub struct Audit {
    /// The address of the home page, such as `https://example.org`
    #[arg(value_name = "URL")]
    pub url: String,

    /// How many articles to check
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<0, 50>)]
    pub sample: u16,

    /// The longest time for the whole audit, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = number::<1, 3600>)]
    pub timeout: u16,

    /// Exit with status 1 if a finding is at least this severe
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Severity::Missing)]
    pub fail_on: Severity,

    /// Print the score card as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

/// `diglot readers`
#[derive(Args, Debug)]
pub struct Readers {
    /// The folder of articles, as it was served with `--count-readers`
    #[arg(default_value = ".", hide_default_value = true, value_name = "FOLDER")]
    pub folder: PathBuf,

    /// How many days to show, including today
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = number::<1, 400>)]
    pub days: u16,

    /// Print the counts as JSON: one row for each day, resource, form and family
    #[arg(long)]
    pub json: bool,

    /// Where the state is.
    #[command(flatten)]
    pub state: State,
}

/// Reads `ADDR:PORT`; `localhost` is the IPv4 loopback address, so that one name always means one
/// address.
pub fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let address = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    address.parse().map_err(|_| {
        "write an address and a port, such as `127.0.0.1:8080` or `[::1]:8080`".to_owned()
    })
}

/// Reads a number in these bounds.
fn number<const LEAST: u16, const MOST: u16>(text: &str) -> Result<u16, String> {
    text.parse()
        .ok()
        .filter(|number| (LEAST..=MOST).contains(number))
        .ok_or_else(|| format!("write a number from {LEAST} to {MOST}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn listen_addresses() {
        assert_eq!(
            listen_address("localhost:0"),
            Ok(([127, 0, 0, 1], 0).into())
        );
        assert_eq!(
            listen_address("[::1]:80").map(|address| address.port()),
            Ok(80)
        );
        for wrong in ["8080", "example.org:80", "127.0.0.1", "127.0.0.1:99999", ""] {
            assert!(listen_address(wrong).is_err(), "{wrong}");
        }
    }
}
