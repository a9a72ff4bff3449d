//! The command line: its arguments and their help.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use diglot_audit::Severity;

use crate::account::Detail;
use crate::report::Format;
use crate::serve::{ClientHeader, Network, Rate};

/// Publishes a folder of articles twice, side by side: HTML for people, Markdown for machines.
///
/// A folder of Markdown files is all it needs. Diglot makes the whole site of it: pages, feed,
/// sitemaps, llms.txt, an API description, each page in both forms, and serves it or writes it as a
/// folder for any static host.
#[derive(Debug, Parser)]
#[command(name = "diglot", version, disable_help_subcommand = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "Begin with:
  diglot new my-site       a small site to start from
  diglot serve my-site     look at it; a saved edit is live at once
  diglot check my-site     what should be mended
  diglot build my-site --base-url https://example.org --output public
  diglot audit https://example.org

Exit status: 0 fine, 1 problems in the content or the settings, 2 wrong usage, 3 the machine said no.";

/// What can be done with a folder of articles.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the folder over HTTP; a saved edit is live by itself
    Serve(Serve),
    /// Write the same site as a folder for static hosts
    Build(Build),
    /// Report what should be mended, without writing anything
    Check(Check),
    /// Write down in the folder when each file last changed, to be committed with them
    Lock(Lock),
    /// Make a small site that is a pleasure to start from
    New(New),
    /// Print or copy the files of the built-in theme
    Theme(Theme),
    /// Check a live site, through its CDN, against everything that Diglot promises
    Audit(Audit),
    /// Show who read what: people, feed readers, search engines, AI agents
    Readers(Readers),
}

/// What every command that reads a folder takes.
#[derive(Args, Debug)]
pub struct Folder {
    /// The folder of articles
    #[arg(
        default_value = ".",
        hide_default_value = true,
        value_name = "FOLDER",
        long_help = "The folder of articles (default: the current folder). Settings are read from its `diglot.toml`, if there is one."
    )]
    pub folder: PathBuf,

    /// The address under which readers will find the site, such as `https://example.org/blog`
    #[arg(
        long,
        value_name = "URL",
        env = "DIGLOT_BASE_URL",
        hide_env_values = true
    )]
    pub base_url: Option<String>,

    /// Set a limit, such as `article-bytes=16MiB`; may be given several times
    #[arg(
        long = "limit",
        value_name = "NAME=VALUE",
        env = "DIGLOT_LIMITS",
        hide_env_values = true,
        value_delimiter = ' ',
        long_help = "Set a limit, such as `article-bytes=16MiB` or `idle-time=30s`; may be given several times. A wrong name is answered with all names; docs/limits.md has them with their reasons."
    )]
    pub limits: Vec<String>,

    /// Where the state is.
    #[command(flatten)]
    pub state: State,
}

/// Where Diglot remembers what must be remembered between runs.
#[derive(Args, Debug)]
pub struct State {
    /// Where to remember on which day each file last changed
    #[arg(
        long = "state",
        value_name = "DIR",
        env = "DIGLOT_STATE",
        hide_env_values = true,
        long_help = "Where to remember on which day each file last changed. Default: $STATE_DIRECTORY, else the user's state folder. Safe to delete; never inside the published folder."
    )]
    pub dir: Option<PathBuf>,

    /// Remember nothing between runs, whatever else is set
    #[arg(long = "no-state")]
    pub none: bool,
}

/// How the account of an edition is given: what became of every file, and what should be mended.
#[derive(Args, Clone, Copy, Debug)]
pub struct Report {
    /// Report every problem and every file, not only the first problems and the counts
    #[arg(long)]
    pub verbose: bool,

    /// Print the whole report as JSON on the standard output
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

    /// Where to listen; port 0 picks a free one [default: 127.0.0.1:8080; without a base URL the
    /// next free port if it is taken]
    #[arg(long, value_name = "ADDR:PORT", env = "DIGLOT_LISTEN", hide_env_values = true, value_parser = listen_address)]
    pub listen: Option<SocketAddr>,

    /// Open the site in the browser
    #[arg(long)]
    pub open: bool,

    /// Show drafts and scheduled texts too, marked as such: only without a base URL, for this
    /// machine
    #[arg(long)]
    pub drafts: bool,

    /// Without a base URL: do not offer the page that reloads itself after an edit
    #[arg(long)]
    pub no_reload: bool,

    /// Speak HTTPS with this certificate: a PEM file, the site's own certificate first, then its
    /// chain
    #[arg(
        long,
        value_name = "FILE",
        env = "DIGLOT_TLS_CERT",
        hide_env_values = true,
        requires = "tls_key"
    )]
    pub tls_cert: Option<PathBuf>,

    /// The certificate's private key: a PEM file without a passphrase
    #[arg(
        long,
        value_name = "FILE",
        env = "DIGLOT_TLS_KEY",
        hide_env_values = true,
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,

    /// A network of servers in front of this one, such as `10.0.0.0/8`: what they say about their
    /// clients is believed; may be given several times
    #[arg(
        long,
        value_name = "NETWORK",
        env = "DIGLOT_TRUSTED_PROXIES",
        hide_env_values = true,
        value_delimiter = ' '
    )]
    pub trusted_proxy: Vec<Network>,

    /// The header field in which these servers name their clients: `X-Forwarded-For` or
    /// `Forwarded`; no other is believed
    #[arg(
        long,
        value_name = "NAME",
        default_value = "X-Forwarded-For",
        env = "DIGLOT_CLIENT_ADDRESS_HEADER",
        hide_env_values = true
    )]
    pub client_address_header: ClientHeader,

    /// How many requests one client may make in the long run, such as `10/s`; off if not given
    #[arg(long, value_name = "RATE", env = "DIGLOT_RATE", hide_env_values = true)]
    pub rate: Option<Rate>,

    /// The same for clients that declare to be bots, such as `60/m`
    #[arg(
        long,
        value_name = "RATE",
        env = "DIGLOT_RATE_BOTS",
        hide_env_values = true
    )]
    pub rate_bots: Option<Rate>,

    /// A second, private address with `/healthz`, `/readyz` and `/metrics`, such as
    /// `127.0.0.1:9090`; off if not given
    #[arg(long, value_name = "ADDR:PORT", env = "DIGLOT_ADMIN", hide_env_values = true, value_parser = listen_address)]
    pub admin: Option<SocketAddr>,

    /// How messages are written
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value_t,
        env = "DIGLOT_LOG_FORMAT",
        hide_env_values = true
    )]
    pub log_format: Format,

    /// Also write one line a request
    #[arg(long, env = "DIGLOT_LOG_REQUESTS", hide_env_values = true)]
    pub log_requests: bool,

    /// Count who reads what, for `diglot readers`: no addresses, nothing about anybody
    #[arg(long, env = "DIGLOT_COUNT_READERS", hide_env_values = true)]
    pub count_readers: bool,

    /// Do not watch the folder for edits
    #[arg(long)]
    pub no_watch: bool,

    /// Keep all rights of the user: on Linux the server otherwise gives up what it does not need
    #[arg(long)]
    pub no_sandbox: bool,

    /// How the account is given.
    #[command(flatten)]
    pub report: Report,
}

/// `diglot build`
#[derive(Args, Debug)]
pub struct Build {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// The folder to write; it is replaced as a whole, and only if Diglot wrote it
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,

    /// Also write every file compressed (.br, .zst, .gz) where that is smaller
    #[arg(long)]
    pub compress: bool,

    /// How the account is given.
    #[command(flatten)]
    pub report: Report,
}

/// `diglot check`
#[derive(Args, Debug)]
pub struct Check {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// Fail on warnings too
    #[arg(long)]
    pub strict: bool,

    /// How the account is given.
    #[command(flatten)]
    pub report: Report,

    /// Say how one file is read, and why it is or is not published
    #[arg(long, value_name = "FILE", conflicts_with = "strict")]
    pub explain: Option<PathBuf>,
}

/// `diglot new`
#[derive(Args, Debug)]
pub struct New {
    /// The folder to make; it must not exist yet, or be empty
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

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
    /// Print the names of the built-in files
    List,
    /// Print a built-in file
    Show {
        /// The name of the file, such as `nav.html`
        #[arg(value_name = "FILE")]
        file: String,
    },
    /// Copy built-in files into a folder, to be changed there
    Init {
        /// The theme folder, such as `theme`; files that exist stay as they are
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// The files to copy; all if none is named
        #[arg(value_name = "FILE")]
        files: Vec<String>,
    },
}

/// `diglot audit`
#[derive(Args, Debug)]
pub struct Audit {
    /// The address of the home page, such as `https://example.org`
    #[arg(value_name = "URL")]
    pub url: String,

    /// How many articles to look at
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(..=50))]
    pub sample: u16,

    /// How long the whole audit may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub timeout: u16,

    /// Exit with status 1 if a finding is at least this bad
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Severity::Missing)]
    pub fail_on: Severity,

    /// Print the whole card as JSON on the standard output
    #[arg(long)]
    pub json: bool,
}

/// `diglot readers`
#[derive(Args, Debug)]
pub struct Readers {
    /// The folder of articles, as it was served with `--count-readers`
    #[arg(default_value = ".", hide_default_value = true, value_name = "FOLDER")]
    pub folder: PathBuf,

    /// How many days, today included
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=400))]
    pub days: u16,

    /// Print everything as JSON, a row for each day, resource, form and family
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
