//! `bench growth`: whether an article costs the same however many there are.

use std::process::Command;

use super::Options;
use super::build::{self, Row};
use super::corpus::corpus;
use super::prose::Prose;
use super::report::{self, Report};
use crate::server;

/// Builds every size and writes `docs/performance/growth.md` and its plot.
///
/// # Errors
/// A corpus cannot be written, or a build fails.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::of(&options.prose)?;
    let binary = server::build()?;
    let mut rows = Vec::new();
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        rows.push(build::measure(options, &corpus, &binary, None)?);
    }
    let per = |row: &Row, value: f64| value / row.articles as f64;
    let micros = |row: &Row| per(row, row.diglot.cpu.as_secs_f64() * 1e6);
    let peak = |row: &Row| per(row, row.diglot.peak as f64 / 1e3);
    let cells = |row: &Row| {
        let cost = &row.diglot;
        let whole = [report::seconds(cost.wall), report::seconds(cost.cpu), report::megabytes(cost.peak)];
        let each = [format!("{:.0} µs", micros(row)), format!("{:.1} kB", peak(row)), format!("{:.1} kB", per(row, row.bytes as f64 / 1e3))];
        std::iter::once(report::thousands(row.articles)).chain(whole).chain(each).collect::<Vec<_>>()
    };
    let mut report = Report::new("Growth", "growth");
    report.say("Cold builds of ever larger corpora. If nothing is superlinear, the cost of one article stays flat.");
    let heading = ["articles", "wall", "CPU", "peak memory", "CPU an article", "memory an article", "source an article"];
    report.table(&heading, &rows.iter().map(cells).collect::<Vec<_>>());
    let points = |of: &dyn Fn(&Row) -> f64| rows.iter().map(|row| (row.articles as f64, of(row))).collect::<Vec<_>>();
    report.plot(
        "CPU seconds, and peak memory in GB, by articles",
        &[("CPU", points(&|row| row.diglot.cpu.as_secs_f64())), ("memory", points(&|row| row.diglot.peak as f64 / 1e9))],
    );
    report.version("Diglot", Command::new(&binary).arg("--version"));
    report.command(options, "growth");
    report::save("growth", &report, options)
}
