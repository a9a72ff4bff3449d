//! Arguments of the commands for editions in an object store.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::Folder;

/// Where editions are stored.
#[derive(Args, Debug)]
pub struct Store {
    /// The store: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or
    /// `file:///folder`
    #[arg(
        long = "to",
        value_name = "STORE",
        env = "DIGLOT_STORE",
        hide_env_values = true,
        long_help = "The store: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or `file:///folder`. Credentials are read from the environment, as the providers' own tools do: `AWS_ACCESS_KEY_ID`, `GOOGLE_SERVICE_ACCOUNT`, `AZURE_STORAGE_ACCOUNT_KEY` and so on."
    )]
    pub address: String,
}

/// How `diglot serve STORE` follows a store.
#[derive(Args, Debug)]
pub struct Replica {
    /// For a store: accept only editions that are signed with the private key of this Ed25519
    /// public key (a PEM file)
    #[arg(
        long,
        value_name = "FILE",
        env = "DIGLOT_VERIFY",
        hide_env_values = true
    )]
    pub verify: Option<PathBuf>,

    /// For a store: the cache folder [default: in the state folder]
    #[arg(long, value_name = "DIR", env = "DIGLOT_CACHE", hide_env_values = true)]
    pub cache: Option<PathBuf>,

    /// For a store: the largest size of the cache [default: 16GiB]
    #[arg(long, value_name = "SIZE", value_parser = crate::limits::bytes)]
    pub cache_size: Option<u64>,

    /// For a store: how often to look for a new edition, in seconds [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = poll)]
    pub poll: Option<Duration>,
}

/// `diglot fetch-store`
#[derive(Args, Debug)]
pub struct FetchStore {
    /// The store
    pub address: String,

    /// How it is followed.
    #[command(flatten)]
    pub replica: Replica,

    /// Keep all rights of the user
    #[arg(long)]
    pub no_sandbox: bool,

    /// Fetch, instead of starting the process that does
    #[arg(long)]
    pub worker: bool,
}

/// Who writes into a store.
#[derive(Args, Debug)]
pub struct Publisher {
    /// The name of this publisher, shown by `diglot editions`
    #[arg(long = "publisher", value_name = "NAME", env = "DIGLOT_PUBLISHER", default_value = "", hide_default_value = true, hide_env_values = true, value_parser = publisher)]
    pub name: String,

    /// Sign the edition with this Ed25519 private key (a PEM file)
    #[arg(long, value_name = "FILE")]
    pub sign: Option<PathBuf>,
}

/// Which caches forget what changed, and when.
#[derive(Args, Debug)]
pub struct Purge {
    /// Purge the changed addresses from a cache: `cloudflare:ZONE`
    #[arg(
        long = "purge",
        value_name = "CACHE",
        value_parser = zone,
        long_help = "Purge the changed addresses from a cache: `cloudflare:ZONE`, where ZONE is the zone's id. The token is read from `CLOUDFLARE_API_TOKEN`. Can be repeated."
    )]
    pub caches: Vec<String>,

    /// Run this shell command with the changed addresses on its standard input, one per line
    #[arg(long = "purge-command", value_name = "COMMAND")]
    pub commands: Vec<String>,

    /// Wait this many seconds between publishing and purging
    #[arg(long = "purge-after", value_name = "SECONDS", default_value = "0", hide_default_value = true, value_parser = seconds)]
    pub after: Duration,

    /// Purge after this replica serves the new edition: the URL of its `/status.json` or `/readyz`
    #[arg(long = "purge-wait", value_name = "URL")]
    pub replicas: Vec<String>,
}

/// `diglot publish`
#[derive(Args, Debug)]
pub struct Publish {
    /// The folder and how it is read.
    #[command(flatten)]
    pub folder: Folder,

    /// Where to publish.
    #[command(flatten)]
    pub store: Store,

    /// Who publishes.
    #[command(flatten)]
    pub publisher: Publisher,

    /// Which caches are told.
    #[command(flatten)]
    pub purge: Purge,

    /// Fail if the store cannot prevent two publishers from overwriting each other
    #[arg(long)]
    pub lock: bool,

    /// Read the newest edition in the store, and send everything again if it is damaged
    #[arg(long)]
    pub repair: bool,

    /// Only show what would be uploaded, changed and purged
    #[arg(long)]
    pub dry_run: bool,

    /// How the report is given.
    #[command(flatten)]
    pub report: super::Report,
}

/// `diglot editions`
#[derive(Args, Debug)]
pub struct Editions {
    /// The store.
    #[command(flatten)]
    pub store: Store,

    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// `diglot rollback`
#[derive(Args, Debug)]
pub struct Rollback {
    /// The edition: its number or the beginning of its id [default: the one before the newest]
    #[arg(value_name = "EDITION")]
    pub edition: Option<String>,

    /// The store.
    #[command(flatten)]
    pub store: Store,

    /// Who publishes.
    #[command(flatten)]
    pub publisher: Publisher,

    /// Which caches are told.
    #[command(flatten)]
    pub purge: Purge,
}

/// `diglot diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// The earlier edition: its number or the beginning of its id
    #[arg(value_name = "BEFORE")]
    pub before: String,

    /// The later edition [default: the newest]
    #[arg(value_name = "AFTER")]
    pub after: Option<String>,

    /// The store.
    #[command(flatten)]
    pub store: Store,

    /// Print the difference as JSON
    #[arg(long)]
    pub json: bool,
}

/// `diglot prune`
#[derive(Args, Debug)]
pub struct Prune {
    /// The store.
    #[command(flatten)]
    pub store: Store,

    /// Keep the newest N editions; at least 2
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = super::number::<2, { u16::MAX }>)]
    pub keep: u16,

    /// Keep editions that are younger than this many days
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    pub older_than: u16,

    /// Delete; otherwise only show what would be deleted
    #[arg(long)]
    pub delete: bool,

    /// How long to wait for a running publisher, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = seconds)]
    pub wait: Duration,

    /// Print what is deleted as JSON
    #[arg(long)]
    pub json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: u32 = text
        .strip_suffix('s')
        .unwrap_or(text)
        .parse()
        .map_err(|_| "write a number of seconds".to_owned())?;
    Ok(Duration::from_secs(seconds.into()))
}

fn poll(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().unwrap_or(-1.0);
    match (0.1..=3600.0).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err("write a number of seconds from 0.1 to 3600".to_owned()),
    }
}

/// The id of a zone: 32 hexadecimal digits.
fn zone(text: &str) -> Result<String, String> {
    let zone = text
        .strip_prefix("cloudflare:")
        .ok_or("write `cloudflare:ZONE`; for other caches use `--purge-command`")?;
    let is_id = zone.len() == 32 && zone.bytes().all(|digit| digit.is_ascii_hexdigit());
    match is_id {
        true => Ok(zone.to_owned()),
        false => Err("a zone id has 32 hexadecimal digits".to_owned()),
    }
}

/// The longest name of a publisher.
const LONGEST: usize = 100;

fn publisher(text: &str) -> Result<String, String> {
    if text.len() > LONGEST || text.chars().any(char::is_control) {
        return Err(format!("write one line of at most {LONGEST} bytes"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_named_by_its_id() {
        let id = "0123456789abcdef0123456789ABCDEF";
        assert_eq!(zone(&format!("cloudflare:{id}")), Ok(id.to_owned()));
        for text in [id, "cloudflare:", "cloudflare:example.org", "fastly:1"] {
            assert!(zone(text).is_err(), "{text}");
        }
        let path = format!("cloudflare:{}/../", &id[4..]);
        assert!(zone(&path).is_err());
    }

    #[test]
    fn seconds_may_have_their_unit() {
        assert_eq!(seconds("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(seconds("10"), Ok(Duration::from_secs(10)));
        assert!(seconds("10m").is_err() && seconds("s").is_err());
    }
}
