//! `bench memory`: the memory of a served edition and of an idle connection.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::corpus::{Corpus, corpus};
use super::prose::Prose;
use super::report::{self, Report};
use super::serving::{Edited, Serving, codings_within};
use super::{Options, secure, servers};
use diglot_e2e::{server, sites};
use xtask::tools;

/// How many edits are applied to an edition, and their time limit.
const EDITS: (usize, Duration) = (100, Duration::from_secs(120));

/// The results for one folder, in bytes.
pub struct Row {
    name: String,
    articles: usize,
    source: Option<u64>,
    /// Anonymous memory at the first answer.
    first: u64,
    /// Anonymous memory once all codings are built.
    pub coded: u64,
    /// Whether they were built in time.
    settled: bool,
    /// How many edits there were, and the anonymous memory after them.
    edited: Option<(usize, u64)>,
    /// The pack on the disk.
    pack: u64,
}

/// Measures the example site and every size, and writes `docs/performance/memory.md` and its plot.
///
/// # Errors
/// The server does not answer.
pub fn run(options: &Options) -> Result<String, String> {
    tools::debian(&["nghttp2-client"], &["h2load"])?;
    let prose = Prose::read(&options.prose)?;
    let binary = server::packaged()?;
    let example = sites::example().path;
    let mut rows = vec![measure(options, &binary, &example, "the example site", 0)?];
    println!("{}", cells(&rows[0]).join("  "));
    let idle = idle(options, &binary, &example)?;
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        let row = of_corpus(options, &binary, &corpus, true)?;
        println!("{}", cells(&row).join("  "));
        rows.push(row);
    }
    let mut report = Report::new("Memory", "memory");
    report.say(
        "Anonymous memory of `diglot serve` on all cores, as the kernel counts it (`RssAnon`). It is measured when it first answers, five seconds after all \
         codings were made, and five seconds after edits of that many articles, one after the other, with their codings. Sources, bodies and codings of a large edition are in a pack in the state folder, files \
         that are mapped: the kernel can take its pages back at any time. Its size is what is in use of them on the disk.",
    );
    let heading = [
        "articles",
        "source",
        "first answer",
        "with all codings",
        "of the source",
        "after edits",
        "edits",
        "pack",
    ];
    report.table(&heading, &rows.iter().map(cells).collect::<Vec<_>>());
    if rows.iter().any(|row| !row.settled) {
        report.say("\\* Its codings were not all made in the time that a measurement has.");
    }
    let points = |of: &dyn Fn(&Row) -> Option<u64>| {
        let sized = rows.iter().filter(|row| row.articles > 0);
        sized
            .filter_map(|row| Some((row.articles as f64, of(row)? as f64 / 1e6)))
            .collect::<Vec<_>>()
    };
    report.plot(
        "Memory in MB, by articles",
        &[
            ("source text", points(&|row| row.source)),
            ("first answer", points(&|row| Some(row.first))),
            ("all codings", points(&|row| Some(row.coded))),
            ("after edits", points(&|row| Some(row.edited?.1))),
            ("pack", points(&|row| Some(row.pack))),
        ],
    );
    report.say(
        "What a connection adds that has had one answer and is idle since, on the example site:",
    );
    report.table(&["connection", "how many", "bytes each"], &idle);
    report.version("Diglot", Command::new(&binary).arg("--version"));
    report.command(options, "memory");
    report::save("memory", &report, options)
}

/// A corpus with its codings, and after edits if requested.
///
/// # Errors
/// The server does not answer.
pub fn of_corpus(
    options: &Options,
    binary: &Path,
    corpus: &Corpus,
    edited: bool,
) -> Result<Row, String> {
    let (state, patience) = (options.place.join("state"), codings_within(corpus.articles));
    let files = if edited {
        Edited::some(corpus, EDITS.0)?
    } else {
        Vec::new()
    };
    let mut row = start(
        &state,
        binary,
        &corpus.folder,
        report::thousands(corpus.articles),
        corpus.articles,
        |serving| {
            if files.is_empty() {
                return Ok(None);
            }
            let begun = Instant::now();
            let count = serving.edit_all(&files, EDITS.1)?;
            serving.settle(patience);
            println!(
                "{count} edits and their codings took {}",
                report::seconds(begun.elapsed())
            );
            Ok(Some((count, serving.at_rest())))
        },
    )?;
    row.source = Some(corpus.bytes);
    Ok(row)
}

/// A folder that is not edited.
fn measure(
    options: &Options,
    binary: &Path,
    folder: &Path,
    name: &str,
    articles: usize,
) -> Result<Row, String> {
    start(
        &options.place.join("state"),
        binary,
        folder,
        name.to_owned(),
        articles,
        |_| Ok(None),
    )
}

/// Starts with an empty state, waits for the codings, and continues with `then`.
fn start(
    state: &Path,
    binary: &Path,
    folder: &Path,
    name: String,
    articles: usize,
    then: impl FnOnce(&Serving) -> Result<Option<(usize, u64)>, String>,
) -> Result<Row, String> {
    let _ = std::fs::remove_dir_all(state);
    let serving = Serving::start(binary, folder, state)?;
    let first = serving.anonymous();
    println!(
        "{name}: first answer after {}, {}; codings",
        report::seconds(serving.first),
        report::megabytes(first)
    );
    let settled = serving.settle(codings_within(articles));
    let (coded, pack) = (serving.at_rest(), serving.pack());
    let edited = then(&serving)?;
    drop(serving);
    let _ = std::fs::remove_dir_all(state);
    Ok(Row {
        name,
        articles,
        source: None,
        first,
        coded,
        settled,
        edited,
        pack,
    })
}

fn cells(row: &Row) -> Vec<String> {
    let none = || "–".to_owned();
    vec![
        row.name.clone(),
        row.source.map_or_else(none, report::megabytes),
        report::megabytes(row.first),
        format!(
            "{}{}",
            report::megabytes(row.coded),
            if row.settled { "" } else { "*" }
        ),
        row.source.map_or_else(none, |source| {
            format!("{:.1} ×", row.coded as f64 / source as f64)
        }),
        row.edited
            .map_or_else(none, |(_, bytes)| report::megabytes(bytes)),
        row.edited
            .map_or_else(none, |(count, _)| report::thousands(count)),
        report::megabytes(row.pack),
    ]
}

/// A line for each kind of connection.
fn idle(options: &Options, binary: &Path, folder: &Path) -> Result<Vec<Vec<String>>, String> {
    let plain = servers::diglot(binary, folder)?;
    let secured = secure::diglot(binary, folder)?;
    let [many, some] = secure::counts(options);
    let mut lines = Vec::new();
    for (name, contender, kind, count) in [
        ("HTTP/1.1", &plain, "plain", many),
        ("HTTP/1.1 over TLS", &secured, "HTTP/1.1 over TLS", some),
        ("HTTP/2 over TLS", &secured, "HTTP/2 over TLS", some),
    ] {
        let bytes = secure::idle(contender, kind, count)?;
        lines.push(vec![
            name.to_owned(),
            report::thousands(count),
            report::thousands(bytes),
        ]);
        println!("{}", lines[lines.len() - 1].join("  "));
    }
    Ok(lines)
}
