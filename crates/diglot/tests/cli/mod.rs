//! The command as a person meets it: what it prints, its exit status, and what it leaves on the
//! disk.

mod as_agent;
mod changes;
mod clone;
#[cfg(target_os = "linux")]
mod confined;
#[cfg(target_os = "linux")]
mod doors;
#[cfg(target_os = "linux")]
mod earlier;
mod live;
mod mcp;
mod messages;
mod moving;
#[cfg(target_os = "linux")]
mod output;
#[cfg(target_os = "linux")]
mod packed;
#[cfg(unix)]
mod publish;
#[cfg(unix)]
mod readers;
#[cfg(target_os = "linux")]
mod refused;
#[cfg(target_os = "linux")]
mod replica;
#[cfg(unix)]
mod signals;
mod theme;
mod transcripts;
mod usage;
mod vault;
#[cfg(not(any(feature = "acme", feature = "mcp", feature = "store")))]
mod without_features;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A morning in June 2024: 2024-06-07T08:09:10Z.
const MORNING: i64 = 1_717_747_750;

/// A folder to work in, and the program run there with a clean environment.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// A desk with these files; `site/` is the folder of articles.
    fn with(files: &[(&str, &str)]) -> Self {
        let desk = Self::new();
        files.iter().for_each(|(path, text)| desk.write(path, text));
        desk
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diglot"));
        command
            .args(args.split_whitespace())
            .current_dir(self.dir.path())
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", "/usr/bin:/bin");
        command
    }

    fn run(&self, args: &str) -> Ran {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(args).output().unwrap();
        Ran {
            status: status.code(),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }
}

/// What a run left.
#[derive(Debug)]
struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    /// Everything that was said: results, then messages.
    fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }
}
