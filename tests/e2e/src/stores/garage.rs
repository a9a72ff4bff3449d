//! Garage, a store that ignores `If-None-Match` on a write. It, a publisher and a replica are killed
//! at random moments.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{BUCKET, KEY, SECRET, STORE, Store, ended, expect, json, write};
use crate::random::Random;
use crate::replicas::Replica;
use crate::server::{self, free_port};
use xtask::shell::{self, scratch};
use xtask::step::{Done, Outcome};
use xtask::tools;

const VERSION: &str = "garage@2.5.0";
/// How many editions are published, each while something is killed.
const ROUNDS: usize = 30;
/// Articles that are the same in every edition.
const SAME: usize = 60;
/// How long Garage may take to answer, and a replica to serve what was published.
const PATIENCE: Duration = Duration::from_secs(30);

/// The weekly step. Garage takes minutes to compile.
///
/// # Errors
/// A published edition is lost, or a replica does not serve the newest.
pub fn run() -> Outcome {
    let mut garage = Garage::start(tools::crate_program(VERSION, &[])?)?;
    let store = Store::new("garage", &garage.authority)?;
    for number in 0..SAME {
        let path = store.work.join(format!("site/articles/same-{number}.md"));
        let words = format!("Words of number {number}. ").repeat(40);
        write(&path, &format!("# Number {number}\n\n{words}\n"))?;
    }
    without_conditional_writes(&store)?;
    let start = |cache: &str| {
        let environment = store.environment().to_vec();
        Replica::start(&store.binary, STORE, environment, store.work.join(cache))
    };
    let mut replica = start("cache")?;
    let mut random = Random::seeded(2_401);
    let mut kills = [0; 3];
    for round in 1..=ROUNDS {
        let text = said_in(round);
        let mut publisher = publisher(&store, &text)?;
        std::thread::sleep(Duration::from_millis(random.below(500) as u64));
        let victim = random.below(kills.len());
        kills[victim] += 1;
        match victim {
            0 => garage.kill()?,
            1 => publisher.kill().map_err(|error| error.to_string())?,
            _ => replica.kill()?,
        }
        let (code, said) = ended(publisher)?;
        if !matches!(code, None | Some(0 | 3)) || said.contains(SECRET) {
            return Err(format!(
                "round {round}: a publisher ended with {code:?}: {said}"
            ));
        }
        if code == Some(0) && store.editions()?.is_empty() {
            return Err(format!("round {round}: what was published is lost"));
        }
        let again = json(&mut store.publish("site", &text, &["--json"])?)?;
        let is_lost = code == Some(0) && again["unchanged"] != true;
        expect(!is_lost, "the edition that was published", &again)?;
        serves(&replica, &text).map_err(|why| format!("round {round}: {why}"))?;
    }
    let editions = store.editions()?;
    let wanted: Vec<u64> = (1..=1 + ROUNDS as u64).rev().collect();
    if editions != wanted {
        return Err(format!("{ROUNDS} rounds made the editions {editions:?}"));
    }
    serves(&start("cache-new")?, &said_in(ROUNDS))?;
    for (older, newer) in (1..=ROUNDS).map(|number| (number.to_string(), (number + 1).to_string()))
    {
        let diff = json(&mut store.diglot(&["diff", &older, &newer, "--json"]))?;
        let changed = &diff["difference"]["changed"][0]["path"];
        expect(
            changed == "/articles/one.html",
            "one changed article",
            &diff,
        )?;
    }
    let [stores, publishers, replicas] = kills;
    Ok(Done::Passed(format!(
        "{VERSION}; {ROUNDS} editions, none lost; killed: Garage {stores}, publishers {publishers}, the replica {replicas} times"
    )))
}

/// A publication warns; with `--lock` there is none.
fn without_conditional_writes(store: &Store) -> Result<(), String> {
    let locked = shell::output(&mut store.publish("site", &said_in(0), &["--lock"])?)?;
    let said = super::said(&locked);
    if locked.status.success() || !said.contains("If-None-Match") {
        return Err(format!(
            "`--lock` does not refuse: {}\n{said}",
            locked.status
        ));
    }
    let first = json(&mut store.publish("site", &said_in(0), &["--json"])?)?;
    let warnings = first["warnings"].as_array().map_or(0, Vec::len);
    expect(warnings == 1, "one warning", &first)?;
    expect(first["edition"]["number"] == 1, "edition 1", &first)?;
    let again = json(&mut store.publish("site", &said_in(0), &["--json"])?)?;
    expect(again["unchanged"] == true, "no change", &again)
}

fn said_in(round: usize) -> String {
    format!("# One\n\nThis was said in round {round}.\n")
}

fn publisher(store: &Store, text: &str) -> Result<Child, String> {
    let mut command = store.publish("site", text, &[])?;
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| error.to_string())
}

/// Waits until a replica serves the article with this text.
fn serves(replica: &Replica, text: &str) -> Result<(), String> {
    let words = text.lines().last().unwrap_or_default();
    let begun = Instant::now();
    loop {
        // Until it has the first edition, it answers 503.
        let read = replica.read("/articles/one");
        if let Ok(Some((_, bodies))) = &read
            && bodies.iter().all(|body| body.contains(words))
        {
            return Ok(());
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("a replica does not serve `{words}`: {read:?}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A Garage of one node, which keeps its data when it is killed.
struct Garage {
    program: PathBuf,
    folder: PathBuf,
    authority: String,
    child: Child,
}

impl Garage {
    /// Starts it, with one bucket and one key.
    fn start(program: PathBuf) -> Result<Self, String> {
        let folder = scratch("garage-node")?;
        let (s3, rpc) = (free_port()?, free_port()?);
        let authority = format!("127.0.0.1:{s3}");
        let settings = format!(
            "metadata_dir = \"{0}/meta\"\ndata_dir = \"{0}/data\"\ndb_engine = \"sqlite\"\n\
             replication_factor = 1\nrpc_bind_addr = \"127.0.0.1:{rpc}\"\n\
             rpc_public_addr = \"127.0.0.1:{rpc}\"\nrpc_secret = \"{SECRET}\"\n\
             [s3_api]\ns3_region = \"us-east-1\"\napi_bind_addr = \"{authority}\"\n",
            folder.display()
        );
        write(&folder.join("garage.toml"), &settings)?;
        let child = spawn(&program, &folder)?;
        let garage = Self {
            program,
            folder,
            authority,
            child,
        };
        garage.answers()?;
        let node = garage.ask(&["node", "id", "-q"])?;
        let node = node.split('@').next().unwrap_or_default().trim();
        garage.ask(&["layout", "assign", "-z", "here", "-c", "1G", node])?;
        garage.ask(&["layout", "apply", "--version", "1"])?;
        garage.ask(&["key", "import", "--yes", KEY, SECRET])?;
        garage.ask(&["bucket", "create", BUCKET])?;
        garage.ask(&["bucket", "allow", "--read", "--write", BUCKET, "--key", KEY])?;
        Ok(garage)
    }

    fn kill(&mut self) -> Result<(), String> {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.child = spawn(&self.program, &self.folder)?;
        self.answers()
    }

    /// Waits until the node is up.
    fn answers(&self) -> Result<(), String> {
        let begun = Instant::now();
        while let Err(why) = self.ask(&["status"]) {
            if begun.elapsed() > PATIENCE {
                return Err(format!("Garage does not answer: {why}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn ask(&self, words: &[&str]) -> Result<String, String> {
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(self.folder.join("garage.toml"));
        shell::text(command.args(words))
    }
}

impl Drop for Garage {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(program: &Path, folder: &Path) -> Result<Child, String> {
    let failed = |error: std::io::Error| format!("cannot start Garage: {error}");
    let log = server::log(&folder.join("garage.log"))?;
    Command::new(program)
        .arg("-c")
        .arg(folder.join("garage.toml"))
        .arg("server")
        .stdin(Stdio::null())
        .stdout(log.try_clone().map_err(failed)?)
        .stderr(log)
        .spawn()
        .map_err(failed)
}
