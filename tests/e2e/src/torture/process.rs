//! A `diglot serve` under torture: its output, its memory, its processor time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::server::free_port;
use crate::wire;
use xtask::shell;

/// How long a server may take until its first answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The base URL, wherever a server listens: editions of several servers must be the same.
pub const BASE: &str = "http://torture.example";

/// A running server; killed when dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub authority: String,
    log: PathBuf,
}

impl Process {
    /// Starts a server with these arguments and waits for its first answer.
    ///
    /// # Errors
    /// It does not answer; its output.
    pub fn start(
        binary: &Path,
        folder: &Path,
        log: &Path,
        arguments: &[&str],
    ) -> Result<Self, String> {
        let server = Self::spawn(binary, folder, log, arguments)?;
        server.wait()?;
        Ok(server)
    }

    /// Starts a server without waiting.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn spawn(
        binary: &Path,
        folder: &Path,
        log: &Path,
        arguments: &[&str],
    ) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        let mut command = Command::new(binary);
        command
            .arg("serve")
            .arg(folder)
            .args(["--listen", &authority, "--base-url", BASE])
            .args(arguments);
        let file = File::create(log)
            .map_err(|error| format!("cannot write `{}`: {error}", log.display()))?;
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(file)
            .spawn();
        let child =
            child.map_err(|error| format!("cannot run `{}`: {error}", shell::line(&command)))?;
        Ok(Self {
            child,
            authority,
            log: log.to_owned(),
        })
    }

    /// Waits for the first answer.
    ///
    /// # Errors
    /// There is none; its output.
    pub fn wait(&self) -> Result<(), String> {
        let begun = Instant::now();
        while wire::ask("GET", &self.authority, "/robots.txt", &[]).is_err() {
            if begun.elapsed() > PATIENCE {
                return Err(format!(
                    "the server does not answer\n{}",
                    shell::tail(&self.said(), 20)
                ));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Whether it is still running.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends SIGKILL and waits for the process to end.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The resident set size in bytes; 0 without `/proc`.
    pub fn memory(&self) -> u64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap_or_default();
        line.trim()
            .trim_end_matches(" kB")
            .parse::<u64>()
            .unwrap_or(0)
            * 1024
    }

    /// Processor time so far; 0 without `/proc`.
    pub fn cpu(&self) -> Duration {
        let stat =
            fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // After the name in parentheses: user and system time are the 12th and 13th, in hundredths
        // of a second.
        let fields: Vec<&str> = stat
            .rsplit(") ")
            .next()
            .unwrap_or_default()
            .split(' ')
            .collect();
        let ticks: u64 = fields
            .get(11..13)
            .unwrap_or_default()
            .iter()
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Duration::from_millis(ticks * 10)
    }

    /// Sets its limit on open descriptors; returns the old limit.
    ///
    /// # Errors
    /// The system refuses, or has no such limit.
    pub fn allow(&self, descriptors: usize) -> Result<usize, String> {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
            // The hard limit is unchanged: this process and the server have the same.
            let new = Rlimit {
                current: Some(descriptors as u64),
                maximum: getrlimit(Resource::Nofile).maximum,
            };
            let old = prlimit(Some(Pid::from_child(&self.child)), Resource::Nofile, new)
                .map_err(|error| error.to_string())?;
            Ok(old
                .current
                .and_then(|limit| usize::try_from(limit).ok())
                .unwrap_or(usize::MAX))
        }
        #[cfg(not(target_os = "linux"))]
        Err(format!(
            "no way to allow {descriptors} descriptors on this system"
        ))
    }

    /// The number of open descriptors.
    pub fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, Iterator::count)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
