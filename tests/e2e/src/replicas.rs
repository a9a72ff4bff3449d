//! Replicas as processes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::server::{self, free_port};
use crate::wire;

/// How often a replica asks for a new edition, in seconds.
pub const POLL: f64 = 0.2;

/// `diglot serve STORE`, started again after each kill.
pub struct Replica {
    binary: PathBuf,
    store: String,
    /// What its environment has of its own: the credentials of the store.
    environment: Vec<(&'static str, String)>,
    cache: PathBuf,
    /// `127.0.0.1:PORT`.
    pub authority: String,
    child: Child,
}

impl Replica {
    /// Starts it. The cache is a folder that need not exist.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(
        binary: &Path,
        store: &str,
        environment: Vec<(&'static str, String)>,
        cache: PathBuf,
    ) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        Ok(Self {
            child: spawn(binary, store, &environment, &cache, &authority)?,
            binary: binary.to_owned(),
            store: store.to_owned(),
            environment,
            cache,
            authority,
        })
    }

    /// SIGKILL for the server, which is started again.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn kill(&mut self) -> Result<(), String> {
        self.end();
        self.child = spawn(
            &self.binary,
            &self.store,
            &self.environment,
            &self.cache,
            &self.authority,
        )?;
        Ok(())
    }

    /// SIGKILL for the process that fetches, if there is one now.
    pub fn kill_worker(&self) {
        let mut process = self.child.id();
        // The server, what starts it again, and the one that fetches.
        for _ in 0..2 {
            match child_of(process) {
                Some(child) => process = child,
                None => return,
            }
        }
        let _ = Command::new("kill")
            .args(["-9", &process.to_string()])
            .status();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The id of the edition from which it answers; `None`: it is starting.
    ///
    /// # Errors
    /// Its answer is not a status.
    pub fn edition(&self) -> Result<Option<String>, String> {
        let Ok(answer) = wire::ask("GET", &self.authority, "/status.json", &[]) else {
            return Ok(None);
        };
        let status: Value = serde_json::from_slice(&answer.body)
            .map_err(|error| format!("expected a status, got {}: {error}", answer.status))?;
        Ok(status["releaseId"].as_str().map(str::to_owned))
    }

    /// What a page says in both forms, and the id of its edition; `None`: it is starting, or has gone
    /// on to another edition meanwhile.
    ///
    /// # Errors
    /// A form of the page is not answered 200.
    pub fn read(&self, path: &str) -> Result<Option<(String, [String; 2])>, String> {
        let before = self.edition()?;
        let mut bodies = [String::new(), String::new()];
        for (body, suffix) in bodies.iter_mut().zip([".html", ".md"]) {
            let target = format!("{path}{suffix}");
            let Ok(answer) = wire::ask("GET", &self.authority, &target, &[]) else {
                return Ok(None);
            };
            if answer.status != 200 {
                return Err(format!("{target} is answered {}", answer.status));
            }
            *body = String::from_utf8_lossy(&answer.body).into_owned();
        }
        let after = self.edition()?;
        Ok(match after {
            Some(id) if before.as_ref() == Some(&id) => Some((id, bodies)),
            _ => None,
        })
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(
    binary: &Path,
    store: &str,
    environment: &[(&'static str, String)],
    cache: &Path,
    authority: &str,
) -> Result<Child, String> {
    let log = server::log(&cache.with_extension("log"))?;
    Command::new(binary)
        .args(["serve", store, "--listen", authority, "--no-state"])
        .args(["--poll", &POLL.to_string(), "--cache"])
        .arg(cache)
        .envs(environment.iter().map(|(name, value)| (*name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .map_err(|error| format!("cannot start a replica: {error}"))
}

/// A process that a process has started.
fn child_of(process: u32) -> Option<u32> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        // It may have ended.
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let id = stat.split(' ').next().and_then(|id| id.parse::<u32>().ok());
        let fields = stat.rsplit_once(") ").map(|(_, fields)| fields);
        let parent = fields.and_then(|fields| fields.split(' ').nth(1)?.parse::<u32>().ok());
        if let (Some(id), Some(parent)) = (id, parent) {
            parents.insert(parent, id);
        }
    }
    parents.get(&process).copied()
}
