//! `diglot serve` in an author's setup: watching a folder, on all cores, with a state folder; and
//! edits of that folder.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::corpus::Corpus;
use super::load;
use diglot_e2e::{server, wire};
use xtask::shell;

/// The general time limit.
const PATIENCE: Duration = Duration::from_secs(240);
/// The pause between two measured edits, so that the second is not part of a storm.
pub const REST: Duration = Duration::from_millis(500);

/// How long a server is idle before its memory at rest is measured: its edition is stored by then,
/// and what that took is returned.
const AT_REST: Duration = Duration::from_secs(5);

/// The time limit for all codings of this many articles: about 2 ms each on one idle core.
pub const fn codings_within(articles: usize) -> Duration {
    Duration::from_millis(60_000 + articles as u64 * 5)
}

/// Waits until the server has stored its edition for the next start, which it does once all codings
/// are built.
pub fn is_kept(state: &Path, articles: usize) -> bool {
    let begun = Instant::now();
    while !state.join("edition").exists() {
        if begun.elapsed() > codings_within(articles) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    true
}

/// A file of the corpus; restored when this is dropped.
pub struct Edited {
    file: PathBuf,
    text: String,
    /// The path of its page.
    pub page: String,
}

impl Edited {
    /// Some articles of a corpus, spread evenly.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn some(corpus: &Corpus, count: usize) -> Result<Vec<Self>, String> {
        let folder = corpus.folder.join("articles");
        let all = shell::files_below(&folder)?;
        let count = count.min(all.len());
        let chosen = (0..count).map(|at| &all[(2 * at + 1) * all.len() / (2 * count)]);
        chosen
            .map(|path| {
                let file = folder.join(path);
                let text = fs::read_to_string(&file)
                    .map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
                Ok(Self {
                    file,
                    text,
                    page: format!("/articles/{}", path.with_extension("html").display()),
                })
            })
            .collect()
    }

    /// Saves it with one more paragraph; returns the time.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, marker: &str) -> Result<Instant, String> {
        let text = format!("{}\n\n{marker}\n", self.text);
        fs::write(&self.file, text)
            .map_err(|error| format!("cannot write `{}`: {error}", self.file.display()))?;
        Ok(Instant::now())
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        let _ = fs::write(&self.file, &self.text);
    }
}

/// `diglot serve` with its watch; ended when dropped.
pub struct Serving {
    child: Child,
    authority: String,
    /// From its start to its first answer.
    pub first: Duration,
}

impl Serving {
    /// Starts it, and waits for the first answer.
    ///
    /// # Errors
    /// There is none.
    pub fn start(binary: &Path, folder: &Path, state: &Path) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", server::free_port()?);
        let mut command = Command::new(binary);
        command
            .arg("serve")
            .arg(folder)
            .args([
                "--listen",
                &authority,
                "--base-url",
                "https://example.org",
                "--state",
            ])
            .arg(state);
        let begun = Instant::now();
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let child =
            child.map_err(|error| format!("cannot run `{}`: {error}", shell::line(&command)))?;
        let mut serving = Self {
            child,
            authority,
            first: Duration::ZERO,
        };
        // A small site answers within milliseconds: polling once a millisecond would measure the
        // polling.
        while TcpStream::connect(&serving.authority).is_err() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_micros(100));
        }
        serving.first = serving.wait("/robots.txt", begun, |answer| answer.status == 200)?;
        Ok(serving)
    }

    /// Sends requests until the answer is as wanted; returns the time since `begun`.
    ///
    /// # Errors
    /// It never is.
    pub fn wait(
        &self,
        path: &str,
        begun: Instant,
        wanted: impl Fn(&wire::Answer) -> bool,
    ) -> Result<Duration, String> {
        self.until(begun, path, || {
            wire::ask("GET", &self.authority, path, &[]).is_ok_and(|answer| wanted(&answer))
        })
    }

    /// The validator of the representation at a path.
    pub fn tag(&self, path: &str) -> Option<String> {
        wire::ask("HEAD", &self.authority, path, &[])
            .ok()?
            .header("etag")
    }

    /// Polls until a condition holds; returns the time since `begun`.
    ///
    /// # Errors
    /// It never does.
    pub fn until(
        &self,
        begun: Instant,
        what: &str,
        done: impl Fn() -> bool,
    ) -> Result<Duration, String> {
        while !done() {
            if begun.elapsed() > PATIENCE {
                return Err(format!("{what} never came from {}", self.authority));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(begun.elapsed())
    }

    /// Saves every file and waits each time until its page changes, as long as there is time;
    /// returns the number of files saved.
    ///
    /// # Errors
    /// A file cannot be written, or its page never changes.
    pub fn edit_all(&self, files: &[Edited], patience: Duration) -> Result<usize, String> {
        let begun = Instant::now();
        for (at, file) in files.iter().enumerate() {
            if begun.elapsed() > patience {
                return Ok(at);
            }
            let before = self.tag(&file.page);
            let saved = file.write(&format!("edit {at}"))?;
            self.until(saved, &file.page, || self.tag(&file.page) != before)?;
        }
        Ok(files.len())
    }

    /// Its anonymous memory, in bytes.
    pub fn anonymous(&self) -> u64 {
        load::anonymous(self.child.id())
    }

    /// Its anonymous memory after [`AT_REST`], in bytes.
    pub fn at_rest(&self) -> u64 {
        std::thread::sleep(AT_REST);
        self.anonymous()
    }

    /// The size of its pack on the disk, in bytes.
    pub fn pack(&self) -> u64 {
        load::without_name(self.child.id())
    }

    /// Waits until it is idle; returns whether it was in time.
    pub fn settle(&self, patience: Duration) -> bool {
        load::settle(self.child.id(), patience)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        std::thread::sleep(Duration::from_millis(200));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
