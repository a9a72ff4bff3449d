//! `diglot publish`, `diglot prune` and `diglot serve STORE` as processes over a folder, each ended by
//! SIGKILL at a random moment.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::random::Random;
use crate::replicas::{POLL, Replica};
use xtask::shell::{self, scratch};

/// What the changing article of an edition says.
const WORDS: [&str; 6] = ["apples", "pears", "plums", "grapes", "figs", "limes"];
/// Articles that are the same in every edition.
const SAME: usize = 60;
const PAGE: &str = "/articles/changing";
/// The longest that a round takes before its processes are killed.
const LONGEST: Duration = Duration::from_secs(60);
/// How long replicas may take to recover after the last kill.
const SETTLED: Duration = Duration::from_secs(90);
/// How long fetching and going live may take, beside the three polls.
const LIVE: Duration = Duration::from_secs(3);

/// Some rounds; says how many kills there were.
pub(super) fn run(binary: &Path, rounds: u64) -> Result<String, String> {
    let mut world = World::new(binary)?;
    let mut replicas = Vec::new();
    for number in 1..=3 {
        let cache = world.work.join(format!("cache-{number}"));
        replicas.push(Replica::start(binary, &world.store, Vec::new(), cache)?);
    }
    for round in 0..rounds {
        world
            .round(&mut replicas)
            .map_err(|why| format!("round {round}: {why}"))?;
    }
    let slowest = world.settle(&replicas)?;
    Ok(format!(
        "{} of publishers and pruners, {} of replicas; the last edition was live after {:.1} s",
        world.killed,
        world.killed_replicas,
        slowest.as_secs_f64()
    ))
}

struct World {
    binary: PathBuf,
    work: PathBuf,
    store: String,
    random: Random,
    /// What the edition of an id says.
    said: BTreeMap<String, &'static str>,
    /// What was published for sure: the id of each number.
    won: BTreeMap<u64, String>,
    killed: usize,
    killed_replicas: usize,
}

/// A process that may be killed.
struct Doomed {
    child: Child,
    /// When.
    at: Option<Instant>,
    publishes: bool,
}

impl World {
    fn new(binary: &Path) -> Result<Self, String> {
        let work = scratch("reach")?;
        let mut world = Self {
            binary: binary.to_owned(),
            store: format!("file://{}", work.join("store").display()),
            work,
            random: Random::seeded(24),
            said: BTreeMap::new(),
            won: BTreeMap::new(),
            killed: 0,
            killed_replicas: 0,
        };
        for word in WORDS {
            world.write(word)?;
            let planned = shell::text(world.publish(word).arg("--dry-run"))?;
            let planned: Value = parsed(&planned)?;
            let id = planned["edition"]["edition"].as_str().unwrap_or_default();
            world.said.insert(id.to_owned(), word);
        }
        match world.said.len() {
            6 => Ok(world),
            count => Err(format!("{count} editions of six folders")),
        }
    }

    fn write(&self, word: &str) -> Result<(), String> {
        let folder = self.work.join(word).join("articles");
        let text = |title: &str, words: &str| {
            format!("---\ndate: 2024-05-06\nupdated: 2024-05-06\n---\n# {title}\n\n{words}\n")
        };
        let write = || {
            fs::create_dir_all(&folder)?;
            fs::write(folder.join("changing.md"), text("Changing", word))?;
            for number in 0..SAME {
                let words = format!("Words of number {number}. ").repeat(40);
                let file = folder.join(format!("same-{number}.md"));
                fs::write(file, text(&format!("Number {number}"), &words))?;
            }
            Ok(())
        };
        write().map_err(|error: std::io::Error| format!("cannot write a folder: {error}"))
    }

    fn diglot(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(words)
            .args(["--to", &self.store, "--json"])
            .current_dir(&self.work);
        command
    }

    fn publish(&self, word: &str) -> Command {
        let base = ["--base-url", "https://example.org", "--no-state"];
        self.diglot(&[&["publish", word], &base[..]].concat())
    }

    /// In one of three cases it is killed, most often before it ends.
    fn start(&mut self, mut command: Command, publishes: bool) -> Result<Doomed, String> {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let after = Duration::from_millis(self.random.below(600) as u64);
        Ok(Doomed {
            child: child.map_err(|error| format!("cannot start: {error}"))?,
            at: self
                .random
                .chance(1.0 / 3.0)
                .then(|| Instant::now() + after),
            publishes,
        })
    }

    /// Two publishers and a pruner at once, and a kill for the replicas.
    fn round(&mut self, replicas: &mut [Replica]) -> Result<(), String> {
        let mut running = Vec::new();
        for _ in 0..2 {
            let word = WORDS[self.random.below(WORDS.len())];
            running.push(self.start(self.publish(word), true)?);
        }
        let prune = [
            "prune",
            "--keep",
            "2",
            "--older-than",
            "0",
            "--delete",
            "--wait",
            "1",
        ];
        running.push(self.start(self.diglot(&prune), false)?);
        let hit = self.random.below(3 * replicas.len());
        if let Some(replica) = replicas.get_mut(hit / 3) {
            match hit % 3 {
                0 => replica.kill()?,
                1 => replica.kill_worker(),
                _ => {}
            }
            self.killed_replicas += usize::from(hit % 3 < 2);
        }
        let begun = Instant::now();
        while !running.is_empty() {
            if begun.elapsed() > LONGEST {
                return Err("a process does not end".to_owned());
            }
            let mut left = Vec::new();
            for process in running {
                left.extend(self.watch(process)?);
            }
            running = left;
            for replica in &*replicas {
                self.check(replica)?;
            }
        }
        self.expire_leases(&["publishing", "pruning"]);
        Ok(())
    }

    /// Kills a process at its time, and evaluates the output of one that has ended.
    fn watch(&mut self, mut process: Doomed) -> Result<Option<Doomed>, String> {
        if process.at.is_some_and(|at| at <= Instant::now()) {
            let _ = process.child.kill();
            self.killed += 1;
            process.at = None;
        }
        let failed = |error: std::io::Error| error.to_string();
        if process.child.try_wait().map_err(failed)?.is_none() {
            return Ok(Some(process));
        }
        let output = process.child.wait_with_output().map_err(failed)?;
        if !process.publishes {
            // Else publishers would wait for a pruner that was killed.
            self.expire_leases(&["pruning"]);
        }
        if process.publishes && output.status.success() {
            let said = parsed(&String::from_utf8_lossy(&output.stdout))?;
            if said["unchanged"] == false {
                self.has_won(&said["edition"])?;
            }
        }
        Ok(None)
    }

    fn has_won(&mut self, pointer: &Value) -> Result<(), String> {
        let number = pointer["number"].as_u64().unwrap_or_default();
        let id = pointer["edition"].as_str().unwrap_or_default().to_owned();
        match self.won.insert(number, id) {
            None => Ok(()),
            Some(_) => Err(format!("two have won number {number}")),
        }
    }

    /// Every answer of a replica is from one whole edition, as it was published.
    fn check(&self, replica: &Replica) -> Result<(), String> {
        let Some((id, bodies)) = replica.read(PAGE)? else {
            return Ok(());
        };
        let word = self.said.get(&id);
        let word = word.ok_or_else(|| format!("nobody has published `{id}`"))?;
        match bodies.iter().all(|body| body.contains(word)) {
            true => Ok(()),
            false => Err(format!("edition `{id}` does not say `{word}`: {bodies:?}")),
        }
    }

    /// An hour passes: leases of killed processes no longer count.
    fn expire_leases(&self, kinds: &[&str]) {
        for kind in kinds {
            let _ = fs::remove_dir_all(self.work.join("store").join(kind));
        }
    }

    /// Nothing that was published is lost, and every replica, one without a cache too, goes on to the
    /// newest edition. Says how long that took after it was published.
    fn settle(&self, replicas: &[Replica]) -> Result<Duration, String> {
        let listed = parsed(&shell::text(&mut self.diglot(&["editions"]))?)?;
        let listed = listed["editions"].as_array().ok_or("no list of editions")?;
        let listed: BTreeMap<u64, &str> = listed
            .iter()
            .filter_map(|it| Some((it["number"].as_u64()?, it["edition"].as_str()?)))
            .collect();
        let oldest = listed.keys().next().copied().unwrap_or_default();
        for (number, id) in self.won.range(oldest..) {
            if listed.get(number) != Some(&id.as_str()) {
                return Err(format!("edition {number} is lost: {listed:?}"));
            }
        }
        let newest = listed.values().next_back().copied().unwrap_or_default();
        for replica in replicas {
            self.wait(replica, newest, SETTLED)?;
        }
        let cache = self.work.join("cache-new");
        let fresh = Replica::start(&self.binary, &self.store, Vec::new(), cache)?;
        self.wait(&fresh, newest, SETTLED)?;
        let mut said = self.said.iter();
        let other = said.find(|(id, _)| id.as_str() != newest);
        let (id, word) = other.ok_or("one edition alone")?;
        shell::text(&mut self.publish(word))?;
        let (begun, mut slowest) = (Instant::now(), Duration::ZERO);
        for replica in replicas.iter().chain([&fresh]) {
            self.wait(replica, id, Duration::from_secs_f64(3.0 * POLL) + LIVE)?;
            slowest = slowest.max(begun.elapsed());
        }
        Ok(slowest)
    }

    /// Waits until a replica answers from the edition of this id.
    fn wait(&self, replica: &Replica, id: &str, most: Duration) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            self.check(replica)?;
            let found = replica.edition()?;
            if found.as_deref() == Some(id) {
                return Ok(());
            }
            if begun.elapsed() > most {
                let at = &replica.authority;
                return Err(format!("{at} answers from {found:?} and not from `{id}`"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("no JSON: {error}\n{text}"))
}
