//! `bench build`: a cold build with all outputs, compared with Hugo's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::corpus::{Corpus, corpus};
use super::process::{Cost, cost, median};
use super::prose::Prose;
use super::report::{self, Report};
use super::{Options, hugo};

/// The results at one size.
pub struct Row {
    /// How many articles.
    pub articles: usize,
    /// The size of the source text in bytes.
    pub bytes: u64,
    /// Ours.
    pub diglot: Cost,
    /// Hugo's, unless it was left out.
    pub hugo: Option<Cost>,
}

/// What the two corpora are called. Hugo's time depends on code most of all.
const NAMES: [&str; 2] = ["Prose with little code", "Articles with much code"];

/// A corpus at every size.
struct Kind {
    name: &'static str,
    percent_of_code: usize,
    rows: Vec<Row>,
}

/// Optional outputs of a build, each compared with the same build without it.
struct Extra {
    articles: usize,
    plain: Cost,
    /// With every file compressed in three codings.
    compressed: Cost,
    /// With a picture for every article.
    pictured: Cost,
}

/// Measures every size and writes `docs/performance/build.md` and its plot.
///
/// # Errors
/// A corpus cannot be written, or a build fails.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::read(&options.prose)?;
    let binary = diglot_e2e::server::packaged()?;
    let hugo = if options.peers {
        Some(diglot_e2e::hugo::install()?)
    } else {
        None
    };
    let texts = [prose.with_little_code(), prose];
    let (mut kinds, mut extra) = (Vec::new(), None);
    for (name, prose) in NAMES.into_iter().zip(&texts) {
        let mut rows = Vec::new();
        for &size in &options.sizes {
            let corpus = corpus(&options.place, prose, size, options.seed)?;
            rows.push(measure(options, &corpus, &binary, hugo.as_deref())?);
            if extra.is_none() {
                extra = Some(extras(options, &corpus, &binary)?);
            }
        }
        kinds.push(Kind {
            name,
            percent_of_code: prose.percent_of_code(),
            rows,
        });
    }
    let text = written(options, &kinds, extra.as_ref(), hugo.as_deref(), &binary);
    report::save("build", &text, options)
}

/// One size: builds alternate, so that other load on the machine affects both.
///
/// # Errors
/// A build fails.
pub fn measure(
    options: &Options,
    corpus: &Corpus,
    binary: &Path,
    hugo: Option<&Path>,
) -> Result<Row, String> {
    let output = options.place.join("output");
    let site = hugo
        .map(|_| hugo::site(&options.place, corpus))
        .transpose()?;
    let (mut ours, mut theirs, mut failed) = (Vec::new(), Vec::new(), false);
    for _ in 0..options.rounds_of(corpus.articles) {
        ours.push(fresh(
            &output,
            &mut diglot(binary, &corpus.folder, &output),
        )?);
        if let (Some(hugo), Some(site), false) = (hugo, &site, failed) {
            // A peer that fails does not stop the rest.
            failed = fresh(&output, &mut hugo::build(hugo, site, &output))
                .map(|cost| theirs.push(cost))
                .map_err(|why| println!("Hugo: {why}"))
                .is_err();
        }
    }
    let diglot = median(&ours).ok_or("no round was measured")?;
    let row = Row {
        articles: corpus.articles,
        bytes: corpus.bytes,
        diglot,
        hugo: median(&theirs),
    };
    println!("{}", cells(&row).join("  "));
    Ok(row)
}

/// Compressed files and pictures, which take most of the time of a build that has them.
fn extras(options: &Options, corpus: &Corpus, binary: &Path) -> Result<Extra, String> {
    let output = options.place.join("output");
    let settings = corpus.folder.join("diglot.toml");
    let text = fs::read_to_string(&settings)
        .map_err(|error| format!("cannot read `{}`: {error}", settings.display()))?;
    let set = |text: &str| {
        fs::write(&settings, text)
            .map_err(|error| format!("cannot write `{}`: {error}", settings.display()))
    };
    let plain = || diglot(binary, &corpus.folder, &output);
    let (mut costs, more) = (
        [Vec::new(), Vec::new(), Vec::new()],
        format!("pictures = \"articles\"\n{text}"),
    );
    for _ in 0..options.rounds.min(3) {
        costs[0].push(fresh(&output, &mut plain())?);
        costs[1].push(fresh(&output, plain().arg("--compress"))?);
        set(&more)?;
        let pictured = fresh(&output, &mut plain());
        set(&text)?;
        costs[2].push(pictured?);
    }
    let [plain, compressed, pictured] =
        costs.map(|costs| median(&costs).ok_or("no round was measured"));
    let extra = Extra {
        articles: corpus.articles,
        plain: plain?,
        compressed: compressed?,
        pictured: pictured?,
    };
    extra
        .cells()
        .iter()
        .for_each(|cells| println!("{}", cells.join("  ")));
    Ok(extra)
}

impl Extra {
    fn cells(&self) -> [Vec<String>; 3] {
        let each = |cost: &Cost| {
            cost.cpu.saturating_sub(self.plain.cpu)
                / u32::try_from(self.articles.max(1)).unwrap_or(u32::MAX)
        };
        let line = |name: &str, cost: &Cost, more: String| {
            vec![
                name.to_owned(),
                report::seconds(cost.wall),
                report::seconds(cost.cpu),
                report::megabytes(cost.peak),
                more,
            ]
        };
        [
            line("as above", &self.plain, "–".to_owned()),
            line(
                "compressed as well: Brotli, Zstandard, gzip of every file",
                &self.compressed,
                report::seconds(each(&self.compressed)),
            ),
            line(
                "with a picture for every article",
                &self.pictured,
                report::seconds(each(&self.pictured)),
            ),
        ]
    }
}

/// One cold build into a new folder, which is removed afterwards.
fn fresh(output: &PathBuf, command: &mut Command) -> Result<Cost, String> {
    let empty = || {
        if output.exists() {
            fs::remove_dir_all(output).map_err(|error| error.to_string())
        } else {
            Ok(())
        }
    };
    empty()?;
    let cost = cost(command)?;
    empty()?;
    Ok(cost)
}

fn diglot(binary: &Path, folder: &Path, output: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .arg("build")
        .arg(folder)
        .arg("--no-state")
        .arg("--output")
        .arg(output);
    command
}

const HEADING: [&str; 9] = [
    "articles",
    "source",
    "Diglot wall",
    "CPU",
    "peak memory",
    "Hugo wall",
    "CPU",
    "peak memory",
    "Hugo : Diglot (wall, CPU, memory)",
];

fn cells(row: &Row) -> Vec<String> {
    let of = |cost: &Cost| {
        [
            report::seconds(cost.wall),
            report::seconds(cost.cpu),
            report::megabytes(cost.peak),
        ]
    };
    let mark = if row.html_alone() { "\\*" } else { "" };
    let mut cells = vec![
        report::thousands(row.articles),
        report::megabytes(row.bytes),
    ];
    cells.extend(of(&row.diglot));
    cells.extend(row.hugo.as_ref().map_or_else(
        || std::array::from_fn(|_| "–".to_owned()),
        |cost| of(cost).map(|cell| cell + mark),
    ));
    cells.push(row.hugo.map_or("–".to_owned(), |hugo| {
        let ratio = |theirs: f64, ours: f64| format!("{:.1}", theirs / ours);
        let (ours, peak) = (&row.diglot, hugo.peak as f64 / row.diglot.peak as f64);
        [
            ratio(hugo.wall.as_secs_f64(), ours.wall.as_secs_f64()),
            ratio(hugo.cpu.as_secs_f64(), ours.cpu.as_secs_f64()),
            format!("{peak:.1}"),
        ]
        .join(", ")
            + mark
    }));
    cells
}

impl Row {
    /// Whether Hugo built fewer outputs than Diglot.
    const fn html_alone(&self) -> bool {
        self.articles >= hugo::HTML_ALONE_FROM
    }
}

fn written(
    options: &Options,
    kinds: &[Kind],
    extra: Option<&Extra>,
    hugo: Option<&Path>,
    binary: &Path,
) -> Report {
    let mut report = Report::new("Cold builds", "build");
    report.say(
        "A build into an empty folder on a memory file system. The median of several rounds; the two programs take turns.",
    );
    report.say(
        "- **Diglot** makes every output: both forms of every page, lists, feeds, sitemaps, `llms.txt`, the merged text, the index of the search. \
         It checks every link and highlights code. It keeps nothing from a build before, compresses nothing, and makes no pictures.\n\
         - **Hugo** makes both forms of every page, lists, a feed, a sitemap and `llms.txt` from the same articles. Its pages are simpler. It checks no links, has no search, \
         and highlights code. From 50,000 articles on it makes HTML alone (\\*).",
    );
    report.say(
        "Both corpora are made from the same text. Highlighting takes most of Hugo's time, so the corpus with much code favours Diglot; \
         what Diglot claims elsewhere is the corpus with little.",
    );
    for kind in kinds {
        report.say(&format!(
            "## {}\n\n{} % of the bytes are code.",
            kind.name, kind.percent_of_code
        ));
        report.table(&HEADING, &kind.rows.iter().map(cells).collect::<Vec<_>>());
        plotted(&mut report, kind);
    }
    if let Some(extra) = extra {
        report.say(&format!(
            "## What else a build can make\n\nAt {} articles with little code, and the processor time that an article takes more:",
            report::thousands(extra.articles)
        ));
        report.table(
            &["", "wall", "CPU", "peak memory", "more CPU an article"],
            &extra.cells(),
        );
    }
    report.version("Diglot", Command::new(binary).arg("--version"));
    if let Some(hugo) = hugo {
        report.version("Hugo", Command::new(hugo).arg("version"));
    }
    report.command(options, "build");
    report
}

/// The plot of the corpus with little code.
fn plotted(report: &mut Report, kind: &Kind) {
    if kind.name != NAMES[0] {
        return;
    }
    let (mut ours, mut hugo, mut html_alone) = (Vec::new(), Vec::new(), Vec::new());
    for row in &kind.rows {
        let articles = row.articles as f64;
        ours.push((articles, row.diglot.wall.as_secs_f64()));
        let theirs = match row.html_alone() {
            true => &mut html_alone,
            false => &mut hugo,
        };
        theirs.extend(row.hugo.map(|cost| (articles, cost.wall.as_secs_f64())));
    }
    report.plot(
        "Seconds of a cold build, by articles",
        &[
            ("Diglot", ours),
            ("Hugo", hugo),
            ("Hugo, HTML alone", html_alone),
        ],
    );
}
