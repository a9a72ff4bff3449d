//! `bench build`: a cold build with all outputs, beside Hugo's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus::{Corpus, corpus};
use super::process::{Cost, cost, median};
use super::prose::Prose;
use super::report::{self, Report};
use super::{Options, hugo};

/// What was measured at one size.
pub struct Row {
    /// How many articles.
    pub articles: usize,
    /// Source text in bytes.
    pub bytes: u64,
    /// Ours.
    pub diglot: Cost,
    /// Hugo's, unless it was left out.
    pub hugo: Option<Cost>,
}

/// Measures every size and writes `docs/performance/build.md` and its plot.
///
/// # Errors
/// A corpus cannot be written, or a build fails.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::of(&options.prose)?;
    let binary = crate::server::build()?;
    let hugo = if options.peers { Some(hugo::install()?) } else { None };
    let mut rows = Vec::new();
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        rows.push(measure(options, &corpus, &binary, hugo.as_deref())?);
    }
    let text = written(options, &rows, hugo.as_deref(), &binary);
    report::save("build", &text, options)
}

/// One size: builds take turns, so that what else the machine does falls on both.
///
/// # Errors
/// A build fails.
pub fn measure(options: &Options, corpus: &Corpus, binary: &Path, hugo: Option<&Path>) -> Result<Row, String> {
    let output = options.place.join(format!("output-{}", std::process::id()));
    let site = hugo.map(|_| hugo::site(&options.place, corpus)).transpose()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds_of(corpus.articles) {
        ours.push(fresh(&output, &mut diglot(binary, &corpus.folder, &output))?);
        if let (Some(hugo), Some(site)) = (hugo, &site) {
            theirs.push(fresh(&output, &mut hugo::build(hugo, site, &output))?);
        }
    }
    let diglot = median(&ours).ok_or("no round was measured")?;
    let row = Row { articles: corpus.articles, bytes: corpus.bytes, diglot, hugo: median(&theirs) };
    println!("{}", cells(&row).join("  "));
    Ok(row)
}

/// One cold build into a folder that is not there; it is removed afterwards.
fn fresh(output: &PathBuf, command: &mut Command) -> Result<Cost, String> {
    let empty = || if output.exists() { fs::remove_dir_all(output).map_err(|error| error.to_string()) } else { Ok(()) };
    empty()?;
    let cost = cost(command)?;
    empty()?;
    Ok(cost)
}

fn diglot(binary: &Path, folder: &Path, output: &Path) -> Command {
    let mut command = Command::new(binary);
    command.arg("build").arg(folder).arg("--no-state").arg("--output").arg(output);
    command
}

const HEADING: [&str; 9] =
    ["articles", "source", "Diglot wall", "CPU", "peak memory", "Hugo wall", "CPU", "peak memory", "Hugo : Diglot (wall, CPU, memory)"];

fn cells(row: &Row) -> Vec<String> {
    let of = |cost: &Cost| [report::seconds(cost.wall), report::seconds(cost.cpu), report::megabytes(cost.peak)];
    let mut cells = vec![report::thousands(row.articles), report::megabytes(row.bytes)];
    cells.extend(of(&row.diglot));
    cells.extend(row.hugo.as_ref().map_or_else(|| std::array::from_fn(|_| "–".to_owned()), of));
    cells.push(row.hugo.map_or("–".to_owned(), |hugo| {
        let ratio = |theirs: f64, ours: f64| format!("{:.1}", theirs / ours);
        let (ours, peak) = (&row.diglot, hugo.peak as f64 / row.diglot.peak as f64);
        [ratio(hugo.wall.as_secs_f64(), ours.wall.as_secs_f64()), ratio(hugo.cpu.as_secs_f64(), ours.cpu.as_secs_f64()), format!("{peak:.1}")]
            .join(", ")
    }));
    cells
}

fn written(options: &Options, rows: &[Row], hugo: Option<&Path>, binary: &Path) -> Report {
    let mut report = Report::new("Cold builds", "build");
    report.say(
        "A build into an empty folder on a memory file system, with every output: both forms of every page, lists, feed, sitemaps, `llms.txt`, the \
         merged text. Without pre-compressed files and without pictures made for pages. Hugo makes the same outputs from the same articles, \
         with simpler pages and without checking links. Medians; builds take turns.",
    );
    report.table(&HEADING, &rows.iter().map(cells).collect::<Vec<_>>());
    let points = |of: &dyn Fn(&Row) -> Option<f64>| rows.iter().filter_map(|row| Some((row.articles as f64, of(row)?))).collect::<Vec<_>>();
    report.plot(
        "Seconds of a cold build, by articles",
        &[("Diglot", points(&|row| Some(row.diglot.wall.as_secs_f64()))), ("Hugo", points(&|row| row.hugo.map(|cost| cost.wall.as_secs_f64())))],
    );
    report.version("Diglot", Command::new(binary).arg("--version"));
    if let Some(hugo) = hugo {
        report.version("Hugo", Command::new(hugo).arg("version"));
    }
    report.command(options, "build");
    report
}
