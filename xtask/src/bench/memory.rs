//! `bench memory`: what a serving edition and an idle connection keep.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::corpus::corpus;
use super::load::Pinned;
use super::prose::Prose;
use super::report::{self, Report};
use super::{Options, servers};
use crate::{server, sites};

/// How many connections stand idle.
const IDLE: usize = 900;

/// Measures the example site and every size, and writes `docs/performance/memory.md`.
///
/// # Errors
/// The server does not answer.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::of(&options.prose)?;
    let binary = server::build()?;
    let mut rows = vec![measure(options, &binary, &sites::example().path, "the example site", None)?.0];
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        rows.push(measure(options, &binary, &corpus.folder, &report::thousands(size), Some(corpus.bytes))?.0);
    }
    let (_, idle) = measure(options, &binary, &sites::example().path, "", None)?;
    let mut report = Report::new("Memory", "memory");
    report.say(
        "Anonymous memory of `diglot serve`: when it first answers, and once all codings are made. Sources, bodies and codings of a large edition lie in a pack \
         in the state folder, a file that is mapped: the kernel can take its pages back at any time. Its size is what is in use of it.",
    );
    report.table(&["articles", "source", "first answer", "with all codings", "of the source", "pack"], &rows);
    report.say(&format!("An idle connection (plain HTTP/1.1, one request answered) keeps {} bytes, over {IDLE} of them.", report::thousands(idle)));
    report.version("Diglot", Command::new(&binary).arg("--version"));
    report.command(options, "memory");
    report::save("memory", &report, options)
}

/// One line of the table, and the bytes of an idle connection.
fn measure(options: &Options, binary: &Path, folder: &Path, name: &str, source: Option<u64>) -> Result<(Vec<String>, usize), String> {
    let state = options.place.join(format!("state-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&state);
    let contender = servers::diglot_with(binary, folder, &["--state".as_ref(), state.as_os_str()])?;
    let running = Pinned::start(&contender.command, &contender.authority)?;
    crate::wire::ask("GET", &running.authority, "/robots.txt", &[])?;
    let first = running.anonymous();
    running.settle();
    let settled = running.anonymous();
    let cells = vec![
        name.to_owned(),
        source.map_or("–".to_owned(), report::megabytes),
        report::megabytes(first),
        report::megabytes(settled),
        source.map_or("–".to_owned(), |source| format!("{:.1} ×", settled as f64 / source as f64)),
        report::megabytes(running.without_name()),
    ];
    let mut open = Vec::new();
    for _ in 0..IDLE {
        open.push(idle(&running.authority)?);
    }
    std::thread::sleep(Duration::from_millis(300));
    Ok((cells, (running.anonymous().saturating_sub(settled) as usize) / IDLE))
}

/// A connection on which one request was answered.
fn idle(authority: &str) -> Result<TcpStream, String> {
    let failed = |error: std::io::Error| format!("{authority}: {error}");
    let mut stream = TcpStream::connect(authority).map_err(failed)?;
    stream.write_all(format!("HEAD /robots.txt HTTP/1.1\r\nHost: {authority}\r\n\r\n").as_bytes()).map_err(failed)?;
    let (mut room, mut read) = ([0; 8192], 0);
    while !room[..read].ends_with(b"\r\n\r\n") {
        match stream.read(&mut room[read..]).map_err(failed)? {
            0 => return Err(format!("{authority}: the connection ended")),
            count => read += count,
        }
    }
    Ok(stream)
}
