//! `diglot publish` and its sisters against S3 servers that others wrote: moto, and weekly s3s-fs
//! and Garage.

mod garage;

pub use garage::run as killed_garage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::server::{self, Server, free_port};
use crate::wire;
use xtask::shell::{self, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

const BUCKET: &str = "diglot-editions";
const STORE: &str = "s3://diglot-editions/a/site";
// Garage takes keys of these forms alone.
const KEY: &str = "GK0123456789abcdef01234567";
const SECRET: &str = "5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2";
/// How often two publishers begin at one moment, at most, until one of them has lost.
const ROUNDS: usize = 10;

/// The step: moto.
pub fn run() -> Outcome {
    let tools = tools::python("moto", &["moto[server]==5.2.5"])?;
    let authority = format!("127.0.0.1:{}", free_port()?);
    let (host, port) = authority.split_once(':').unwrap_or_default();
    let mut command = Command::new(tools.join("moto_server"));
    command.args(["-H", host, "-p", port]);
    let server = Server::start(&mut command, authority.clone(), "/")?;
    let made = wire::ask("PUT", &authority, &format!("/{BUCKET}"), &[])?;
    if made.status != 200 {
        return Err(format!("moto made no bucket: {}", made.status));
    }
    let is_empty = || {
        let listed = wire::ask("GET", &authority, &format!("/{BUCKET}?list-type=2"), &[])?;
        Ok(!String::from_utf8_lossy(&listed.body).contains("<Key>"))
    };
    Store::new("stores", &server.authority)?.scenes("moto 5.2.5", is_empty)
}

/// The weekly step: s3s-fs, which takes minutes to compile. Its buckets are folders.
pub fn of_files() -> Outcome {
    let program = tools::crate_program("s3s-fs@0.14.1", &["binary"])?;
    let folder = scratch("s3s-fs")?;
    let bucket = folder.join(BUCKET);
    fs::create_dir(&bucket).map_err(|error| format!("cannot make a bucket: {error}"))?;
    let authority = format!("127.0.0.1:{}", free_port()?);
    let (host, port) = authority.split_once(':').unwrap_or_default();
    let mut command = Command::new(program);
    command.args(["--host", host, "--port", port]);
    command.args(["--access-key", KEY, "--secret-key", SECRET]);
    let server = Server::start(command.arg(&folder), authority.clone(), "/")?;
    let is_empty = || Ok(shell::files_below(&bucket)?.is_empty());
    Store::new("stores-of-files", &server.authority)?.scenes("s3s-fs 0.14.1", is_empty)
}

/// A bucket, and folders to publish into it.
struct Store {
    binary: PathBuf,
    work: PathBuf,
    endpoint: String,
}

impl Store {
    fn new(work: &str, authority: &str) -> Result<Self, String> {
        Ok(Self {
            binary: server::build()?,
            work: scratch(work)?,
            endpoint: format!("http://{authority}"),
        })
    }

    /// Everything that is tried; `is_empty` says whether the bucket has no object.
    fn scenes(&self, name: &str, is_empty: impl Fn() -> Result<bool, String>) -> Outcome {
        self.dry_run(is_empty)?;
        self.one_after_another()?;
        let rounds = self.at_one_moment()?;
        self.rolled_back_and_pruned()?;
        self.refused()?;
        Ok(Done::Passed(format!(
            "{name}; two publishers at one moment: one lost in round {rounds}"
        )))
    }

    fn diglot(&self, words: &[&str]) -> Command {
        self.diglot_at(STORE, words)
    }

    fn diglot_at(&self, store: &str, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(words).args(["--to", store]);
        command.current_dir(&self.work).envs(self.environment());
        command
    }

    /// The address of the store, and its credentials.
    fn environment(&self) -> [(&'static str, String); 5] {
        [
            ("AWS_ENDPOINT_URL", self.endpoint.clone()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }

    /// `publish` of a folder whose article has this text.
    fn publish(&self, folder: &str, text: &str, more: &[&str]) -> Result<Command, String> {
        write(&self.work.join(folder).join("articles/one.md"), text)?;
        let base = [
            "publish",
            folder,
            "--base-url",
            "https://example.org",
            "--no-state",
        ];
        Ok(self.diglot(&[&base, more].concat()))
    }

    /// The numbers of the editions, the newest first.
    fn editions(&self) -> Result<Vec<u64>, String> {
        let listed = json(&mut self.diglot(&["editions", "--json"]))?;
        let editions = listed["editions"].as_array().ok_or("no list of editions")?;
        Ok(editions
            .iter()
            .filter_map(|edition| edition["number"].as_u64())
            .collect())
    }

    /// A dry run says what it would send, and sends nothing.
    fn dry_run(&self, is_empty: impl Fn() -> Result<bool, String>) -> Result<(), String> {
        let said =
            json(&mut self.publish("one", "# One\n\nFirst.\n", &["--dry-run", "--json"])?)?;
        expect(
            said["objects"].as_u64() > Some(2),
            "a plan with objects",
            &said,
        )?;
        expect(is_empty()?, "an empty bucket after a dry run", &said)
    }

    /// What is published once is not sent again; an edit sends less than the whole, and `diff` names
    /// the page.
    fn one_after_another(&self) -> Result<(), String> {
        let locked = ["--json", "--lock"];
        let first = json(&mut self.publish("one", "# One\n\nFirst.\n", &locked)?)?;
        expect(first["edition"]["number"] == 1, "edition 1", &first)?;
        expect(
            first["warnings"] == Value::Array(Vec::new()),
            "no warning",
            &first,
        )?;
        let again = json(&mut self.publish("one", "# One\n\nFirst.\n", &locked)?)?;
        expect(again["unchanged"] == true, "no change", &again)?;
        let second = json(&mut self.publish("one", "# One\n\nSecond.\n", &locked)?)?;
        expect(second["edition"]["number"] == 2, "edition 2", &second)?;
        let diff = json(&mut self.diglot(&["diff", "1", "2", "--json"]))?;
        let changed = &diff["difference"]["changed"];
        expect(
            changed[0]["path"] == "/articles/one.html",
            "the changed page",
            &diff,
        )
    }

    /// Two publishers of different sites start at one moment. Each that reports success has an
    /// edition of its own, and one that lost names the winner. Returns the round in which one lost.
    fn at_one_moment(&self) -> Result<usize, String> {
        for round in 1..=ROUNDS {
            let before = self.editions()?.len();
            let start = |name: &str| -> Result<Child, String> {
                let text = format!("# One\n\nBy {name}, {round}.\n");
                let mut command = self.publish(name, &text, &["--publisher", name])?;
                let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().map_err(|error| error.to_string())
            };
            let (ada, ben) = (start("ada")?, start("ben")?);
            let ended = [ended(ada)?, ended(ben)?];
            let won = ended.iter().filter(|(code, _)| *code == Some(0)).count();
            let lost: Vec<_> = ended.iter().filter(|(code, _)| *code == Some(3)).collect();
            let editions = self.editions()?;
            let is_whole = won + lost.len() == 2 && won > 0 && editions.len() == before + won;
            let named = |said: &str| said.contains("by `ada`") || said.contains("by `ben`");
            if !is_whole || !lost.iter().all(|(_, said)| named(said)) {
                return Err(format!(
                    "two publishers: {editions:?} after {before}: {ended:?}"
                ));
            }
            if !lost.is_empty() {
                return Ok(round);
            }
        }
        Err(format!("in {ROUNDS} rounds no publisher lost"))
    }

    /// The edition before is published again; what no edition needs is deleted, and what is left can
    /// still be compared.
    fn rolled_back_and_pruned(&self) -> Result<(), String> {
        let before = self.editions()?;
        let newest = before.first().copied().unwrap_or_default();
        shell::text(&mut self.diglot(&["rollback", "1"]))?;
        let rolled = self.editions()?;
        if rolled.first() != Some(&(newest + 1)) {
            return Err(format!("a rollback made {rolled:?} of {before:?}"));
        }
        let pruning = [
            "prune",
            "--keep",
            "2",
            "--older-than",
            "0",
            "--delete",
            "--json",
        ];
        let pruned = json(&mut self.diglot(&pruning))?;
        let objects = pruned["objects"].as_array().map_or(0, Vec::len);
        expect(objects > 0, "deleted objects", &pruned)?;
        if self.editions()? != [newest + 1, newest] {
            return Err(format!("pruning left {:?}", self.editions()?));
        }
        let (older, newer) = (newest.to_string(), (newest + 1).to_string());
        json(&mut self.diglot(&["diff", &older, &newer, "--json"])).map(drop)
    }

    /// A bucket that does not exist is a failure of the machine, and no message has the secret.
    fn refused(&self) -> Result<(), String> {
        let words = [
            "publish",
            "one",
            "--base-url",
            "https://example.org",
            "--no-state",
        ];
        let mut command = self.diglot_at("s3://no-such-bucket/a", &words);
        let output = shell::output(&mut command)?;
        let said = said(&output);
        match output.status.code() == Some(3) && !said.contains(SECRET) {
            true => Ok(()),
            false => Err(format!(
                "a bucket that is not there: {}\n{said}",
                output.status
            )),
        }
    }
}

fn ended(child: Child) -> Result<(Option<i32>, String), String> {
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    Ok((output.status.code(), said(&output)))
}

fn said(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!(
        "{}{}",
        String::from_utf8_lossy(out),
        String::from_utf8_lossy(err)
    )
}

fn json(command: &mut Command) -> Result<Value, String> {
    let text = shell::text(command)?;
    serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}\n{text}"))
}

fn expect(holds: bool, what: &str, found: &Value) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(format!("expected {what}: {found}")),
    }
}

/// Writes a file unless it has this text: the time of a file without other dates is published.
fn write(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
