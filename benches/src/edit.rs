//! `bench edit`: the time from the start of the server to its first answer, and from a saved file
//! to its new bytes in an answer.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Options;
use super::corpus::{Corpus, corpus};
use super::middle::median_time;
use super::prose::Prose;
use super::report::{self, Report};
use super::reserved_memory::ReservedMemory;
use super::serving::{Edited, REST, Serving, is_kept};
use super::small;
use diglot_e2e::server;

/// A binary written a moment ago cannot be distinguished from another one yet, and stores no
/// edition.
const SETTLED: Duration = Duration::from_secs(5);

/// The results at one size.
pub struct Row {
    articles: usize,
    /// Start to first answer with an empty state.
    cold: Duration,
    /// The same with [memory available](ReservedMemory).
    pub prepared: Duration,
    /// The same on an unchanged folder, with the state of the previous run.
    again: Duration,
    /// Saved file to its page.
    pub page: Duration,
    /// Saved file to `llms-full.txt`.
    aggregate: Duration,
}

/// Measures every size and writes `docs/performance/edit.md`.
///
/// # Errors
/// The server does not answer as it should.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::read(&options.prose)?;
    let binary = server::packaged()?;
    let age = binary
        .metadata()
        .and_then(|meta| meta.modified())
        .ok()
        .and_then(|written| written.elapsed().ok());
    std::thread::sleep(SETTLED.saturating_sub(age.unwrap_or_default()));
    let small = small::rows(options, &binary)?;
    small.iter().for_each(|row| println!("{}", row.join("  ")));
    let mut rows = Vec::new();
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        let row = measure(options, &corpus, &binary)?;
        println!("{}", cells(&row).join("  "));
        rows.push(row);
    }
    let mut report = Report::new("Starting and editing", "edit");
    report.say(
        "Start of `diglot serve` to its first answer, without and with the state of the run before. Then, in the running server, from a file being \
         saved to its new bytes answered: at its own page, and in the merged text of all articles. The second start finds the folder unchanged and the edition \
         kept; the first edit after it is not measured, since it makes everything again. Between edits there is a rest. Medians.",
    );
    report.say(
        "A hypervisor may take back what memory is free, and lend it again page by page: then a start of gigabytes waits for the host. So the first start is measured twice: with memory \
         that was in use until a moment ago, and without that.",
    );
    report.table(
        &[
            "articles",
            "start",
            "memory not at hand",
            "start, again",
            "edit to its page",
            "edit to `llms-full.txt`",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    );
    report.say("The start of a small site, which is the program's own for a good part. In a repository the first one walks through its history:");
    report.table(&["", "start, cold", "start, again"], &small);
    let points = |of: &dyn Fn(&Row) -> Duration| {
        rows.iter()
            .map(|row| (row.articles as f64, of(row).as_secs_f64()))
            .collect::<Vec<_>>()
    };
    report.plot(
        "Seconds, by articles",
        &[
            ("start", points(&|row| row.prepared)),
            ("start again", points(&|row| row.again)),
            ("edit", points(&|row| row.page)),
        ],
    );
    report.version("Diglot", Command::new(&binary).arg("--version"));
    report.command(options, "edit");
    report::save("edit", &report, options)
}

fn cells(row: &Row) -> Vec<String> {
    let times = [row.prepared, row.cold, row.again, row.page, row.aggregate];
    std::iter::once(report::thousands(row.articles))
        .chain(times.map(report::seconds))
        .collect()
}

/// One size: starts with an empty state, starts on the unchanged folder, edits.
///
/// # Errors
/// The server does not answer as it should.
pub fn measure(options: &Options, corpus: &Corpus, binary: &Path) -> Result<Row, String> {
    let state = options.place.join("state");
    let rounds = options.rounds_of(corpus.articles);
    let (mut cold, mut prepared, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let anew = || {
        let _ = fs::remove_dir_all(&state);
        Serving::start(binary, &corpus.folder, &state)
    };
    for round in 0..rounds {
        let rest = ReservedMemory::for_start(corpus.articles)?.free_gradually();
        prepared.push(anew()?.first);
        let _ = rest.join();
        let serving = anew()?;
        cold.push(serving.first);
        // Codings of a large site take minutes.
        if round + 1 == rounds && !is_kept(&state, corpus.articles) {
            println!(
                "{} articles: no edition was kept, so that a start again is one that only remembers dates",
                report::thousands(corpus.articles)
            );
        }
    }
    for _ in 0..rounds {
        again.push(Serving::start(binary, &corpus.folder, &state)?.first);
    }
    let (mut page, mut aggregate) = (Vec::new(), Vec::new());
    let serving = Serving::start(binary, &corpus.folder, &state)?;
    let edited = Edited::some(corpus, 1)?
        .pop()
        .ok_or("the corpus is empty")?;
    for round in 0..=rounds {
        std::thread::sleep(REST);
        let marker = format!("edited-{}-{round}", std::process::id());
        let before = serving.tag("/llms-full.txt");
        let begun = edited.write(&marker)?;
        let own = serving.wait(&edited.page, begun, |answer| holds(&answer.body, &marker))?;
        let merged = serving.until(begun, "another `/llms-full.txt`", || {
            serving.tag("/llms-full.txt") != before
        })?;
        if round > 0 {
            page.push(own);
            aggregate.push(merged);
        }
    }
    drop((edited, serving));
    let _ = fs::remove_dir_all(&state);
    Ok(Row {
        articles: corpus.articles,
        cold: median_time(cold),
        prepared: median_time(prepared),
        again: median_time(again),
        page: median_time(page),
        aggregate: median_time(aggregate),
    })
}

fn holds(body: &[u8], text: &str) -> bool {
    body.windows(text.len())
        .any(|window| window == text.as_bytes())
}
