//! Load on a server pinned to the other core, and the cost for the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use xtask::shell;

/// A server pinned to one core; its whole process group is ended when dropped.
pub struct Pinned {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub authority: String,
}

/// The core of the servers and that of the load.
pub const CORES: [&str; 2] = ["0", "1"];

impl Pinned {
    /// Starts a server that stays in the foreground, and waits until it accepts connections.
    ///
    /// # Errors
    /// It does not start.
    pub fn start(command: &Command, authority: &str) -> Result<Self, String> {
        let mut pinned = Command::new("taskset");
        pinned
            .args(["-c", CORES[0]])
            .arg(command.get_program())
            .args(command.get_args());
        let child = pinned
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let child =
            child.map_err(|error| format!("cannot run `{}`: {error}", shell::line(&pinned)))?;
        let server = Self {
            child,
            authority: authority.to_owned(),
        };
        let begun = Instant::now();
        while TcpStream::connect(authority).is_err() {
            if begun.elapsed() > Duration::from_secs(60) {
                return Err(format!("`{}` does not listen", shell::line(command)));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// The processor time of the server and its children so far.
    pub fn processor(&self) -> Duration {
        processor(self.child.id())
    }

    /// The anonymous memory of the server and its children, in bytes.
    pub fn anonymous(&self) -> u64 {
        anonymous(self.child.id())
    }

    /// Waits until the server is idle (codings are built in the background).
    pub fn settle(&self) {
        settle(self.child.id(), Duration::from_secs(300));
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let begun = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && begun.elapsed() < Duration::from_secs(5)
        {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processor time of a process and its children so far.
fn processor(process: u32) -> Duration {
    family(process).into_iter().map(time_of).sum()
}

/// The anonymous memory of a process and its children, in bytes.
pub fn anonymous(process: u32) -> u64 {
    family(process).into_iter().map(anonymous_of).sum()
}

/// The size of a process's open files without a name, in bytes on the disk.
pub fn without_name(process: u32) -> u64 {
    family(process).into_iter().map(nameless).sum()
}

/// Waits until a process is idle (codings are built in the background); returns whether it was in
/// time.
pub fn settle(process: u32, patience: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        let before = processor(process);
        std::thread::sleep(Duration::from_millis(700));
        if processor(process).saturating_sub(before) < Duration::from_millis(15) {
            return true;
        }
    }
    false
}

/// A process and its children.
fn family(parent: u32) -> Vec<u32> {
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"))
        .unwrap_or_default();
    std::iter::once(parent)
        .chain(
            children
                .split_whitespace()
                .filter_map(|child| child.parse().ok()),
        )
        .collect()
}

/// The CPU time of all threads, in nanoseconds of the scheduler's own count.
fn time_of(process: u32) -> Duration {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Duration::ZERO;
    };
    let times = tasks.filter_map(Result::ok).filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(times.sum())
}

fn anonymous_of(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| {
        line.strip_prefix("RssAnon:")?
            .trim()
            .strip_suffix(" kB")?
            .trim()
            .parse::<u64>()
            .ok()
    });
    line.unwrap_or(0) * 1024
}

fn nameless(process: u32) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let Ok(open) = std::fs::read_dir(format!("/proc/{process}/fd")) else {
        return 0;
    };
    let files = open
        .filter_map(|file| std::fs::metadata(file.ok()?.path()).ok())
        .filter(|meta| meta.is_file() && meta.nlink() == 0);
    files.map(|meta| meta.blocks() * 512).sum()
}

/// The results of one round of load.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Processor time of the server per request, in microseconds.
    pub micros: f64,
    /// Requests per second.
    pub rate: f64,
}

/// Requests for one path, or for many.
#[derive(Clone, Copy)]
pub enum Asked<'a> {
    /// This path again and again.
    Path(&'a str),
    /// What this script of wrk draws.
    Script(&'a Path),
}

/// Sends requests for a while from the other core, over 32 connections.
///
/// # Errors
/// `wrk` is missing, or answers were wrong.
pub fn load(
    server: &Pinned,
    asked: Asked<'_>,
    fields: &[(&str, &str)],
    seconds: u32,
    status: u16,
) -> Result<Load, String> {
    let mut command = Command::new("taskset");
    command
        .args(["-c", CORES[1], "wrk", "-t1", "-c32"])
        .arg(format!("-d{seconds}s"));
    for (name, value) in fields {
        command.arg("-H").arg(format!("{name}: {value}"));
    }
    let path = match asked {
        Asked::Path(path) => path,
        Asked::Script(script) => {
            command.arg("-s").arg(script);
            "/"
        }
    };
    command.arg(format!("http://{}{path}", server.authority));
    let before = server.processor();
    let said = shell::text(&mut command)?;
    let used = server.processor().saturating_sub(before);
    let number = |before: &str, after: &str| {
        let line = said
            .lines()
            .find(|line| line.contains(before) && line.contains(after))?;
        line.split_whitespace()
            .find_map(|word| word.parse::<f64>().ok())
    };
    let requests = number(" requests in ", "read")
        .ok_or_else(|| format!("wrk reported no requests:\n{said}"))?;
    if said.contains("Socket errors")
        || (said.contains("Non-2xx") && status != 304)
        || requests < 1.0
    {
        return Err(format!("{}{path}: {said}", server.authority));
    }
    let rate = said
        .lines()
        .find_map(|line| line.strip_prefix("Requests/sec:")?.trim().parse().ok())
        .unwrap_or(0.0);
    Ok(Load {
        micros: used.as_secs_f64() * 1e6 / requests,
        rate,
    })
}

/// One complete answer as received over a persistent connection.
///
/// # Errors
/// There was none, or it has no length.
pub fn answer(authority: &str, path: &str, fields: &[(&str, &str)]) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("http://{authority}{path}: {error}");
    let mut stream = TcpStream::connect(authority).map_err(failed)?;
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .map_err(failed)?;
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\n");
    fields
        .iter()
        .for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
    stream
        .write_all(format!("{request}\r\n").as_bytes())
        .map_err(failed)?;
    let (mut bytes, mut room) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| {
                line.strip_prefix("content-length:")?
                    .trim()
                    .parse::<usize>()
                    .ok()
            });
            let whole = match length {
                _ if head.starts_with("http/1.1 304") => true,
                Some(length) => bytes.len() >= end + 4 + length,
                None if head.contains("transfer-encoding: chunked") => {
                    bytes.ends_with(b"0\r\n\r\n")
                }
                None => return Err("it says no length".to_owned()),
            };
            if whole {
                return Ok(bytes);
            }
        }
        match stream.read(&mut room).map_err(failed)? {
            0 => return Err(format!("http://{authority}{path}: the connection ended")),
            count => bytes.extend_from_slice(&room[..count]),
        }
    }
}
