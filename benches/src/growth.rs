//! `bench growth`: whether the cost per article is independent of their number.

use std::process::Command;

use super::corpus::corpus;
use super::prose::Prose;
use super::report::{self, Report};
use super::{Options, build, edit, memory};
use diglot_e2e::server;

/// The costs at one size.
struct Row {
    articles: f64,
    source: u64,
    build: build::Row,
    edit: edit::Row,
    /// Anonymous memory with all codings, in bytes.
    kept: u64,
}

/// A measure in the plot and the table: its name, its unit, and the total in that unit.
type Measure = (&'static str, &'static str, fn(&Row) -> f64);

/// All measures. Microseconds and kilobytes per article happen to be in the same range, so they
/// share one axis.
const MEASURES: [Measure; 6] = [
    ("build, CPU", "µs", |row| {
        row.build.diglot.cpu.as_secs_f64() * 1e6
    }),
    ("build, peak", "kB", |row| {
        row.build.diglot.peak as f64 / 1e3
    }),
    ("start", "µs", |row| row.edit.prepared.as_secs_f64() * 1e6),
    ("edit", "µs", |row| row.edit.page.as_secs_f64() * 1e6),
    ("memory", "kB", |row| row.kept as f64 / 1e3),
    ("source text", "kB", |row| row.source as f64 / 1e3),
];

/// Measures every size and writes `docs/performance/growth.md` and its plot.
///
/// # Errors
/// A corpus cannot be written, a build fails, or a server does not answer.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::read(&options.prose)?;
    let binary = server::packaged()?;
    let mut rows = Vec::new();
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        println!("{} articles: cold builds", report::thousands(size));
        let build = build::measure(options, &corpus, &binary, None)?;
        println!("{} articles: starts and edits", report::thousands(size));
        let edit = edit::measure(options, &corpus, &binary)?;
        println!("{} articles: memory", report::thousands(size));
        let kept = memory::of_corpus(options, &binary, &corpus, false)?.coded;
        rows.push(Row {
            articles: size as f64,
            source: corpus.bytes,
            build,
            edit,
            kept,
        });
    }
    let mut report = Report::new("Growth", "growth");
    report.say(
        "What one article costs among ever more of them: a cold build with every output (processor time, and the most memory), the start of `diglot serve` from nothing to \
         its first answer (with memory at hand, as the page on starting has it), an edit until its page is live, and the anonymous memory of the server with all codings. If \
         nothing is superlinear, a line is flat; one that falls has a part that every site costs. Articles of all sizes come from one distribution; that of their source text \
         is drawn for comparison.",
    );
    report.plot(
        "Cost of one article (µs, kB), by articles",
        &MEASURES
            .map(|(name, unit, of)| (format!("{name}, {unit}"), each(&rows, of)))
            .each_ref()
            .map(|(name, points)| (name.as_str(), points.clone())),
    );
    let heading: Vec<String> = std::iter::once("articles".to_owned())
        .chain(MEASURES.map(|(name, unit, _)| format!("{name} ({unit})")))
        .collect();
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let line = |row: &Row, part: f64| MEASURES.map(|(_, _, of)| figure(of(row) / part));
    report.say("One article:");
    report.table(&heading, &lines(&rows, |row| line(row, row.articles)));
    report.say("All of them:");
    let whole = |row: &Row| {
        let cost = &row.build.diglot;
        let edit = &row.edit;
        [
            report::seconds(cost.cpu),
            report::megabytes(cost.peak),
            report::seconds(edit.prepared),
            report::seconds(edit.page),
            report::megabytes(row.kept),
            report::megabytes(row.source),
        ]
    };
    let heading: Vec<&str> = std::iter::once("articles")
        .chain(MEASURES.map(|(name, ..)| name))
        .collect();
    report.table(&heading, &lines(&rows, whole));
    report.version("Diglot", Command::new(&binary).arg("--version"));
    report.command(options, "growth");
    report::save("growth", &report, options)
}

/// The points of one measure.
fn each(rows: &[Row], of: fn(&Row) -> f64) -> Vec<(f64, f64)> {
    rows.iter()
        .map(|row| (row.articles, of(row) / row.articles))
        .collect()
}

fn lines(rows: &[Row], cells: impl Fn(&Row) -> [String; 6]) -> Vec<Vec<String>> {
    rows.iter()
        .map(|row| {
            std::iter::once(report::thousands(row.articles as usize))
                .chain(cells(row))
                .collect()
        })
        .collect()
}

/// A value with two or three significant digits.
fn figure(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}
