//! `bench edit`: from the start of the server to its first answer, and from a saved file to the new bytes answered.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Options;
use super::corpus::{Corpus, corpus};
use super::prose::Prose;
use super::report::{self, Report};
use crate::{server, shell, wire};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long the codings of the largest site may take until its edition is kept.
const KEPT_WITHIN: Duration = Duration::from_secs(120);
/// Between two edits, so that the second is no storm.
const REST: Duration = Duration::from_millis(500);

/// What was measured at one size.
struct Row {
    articles: usize,
    /// Start to first answer, with nothing remembered.
    cold: Duration,
    /// The same on an unchanged folder, with the state of the run before.
    again: Duration,
    /// Saved file to its page.
    page: Duration,
    /// Saved file to `llms-full.txt`.
    aggregate: Duration,
}

/// Measures every size and writes `docs/performance/edit.md`.
///
/// # Errors
/// The server does not answer as it should.
pub fn run(options: &Options) -> Result<String, String> {
    let prose = Prose::of(&options.prose)?;
    let binary = server::build()?;
    let mut rows = Vec::new();
    for &size in &options.sizes {
        let corpus = corpus(&options.place, &prose, size, options.seed)?;
        let row = measure(options, &corpus, &binary)?;
        println!("{}", cells(&row).join("  "));
        rows.push(row);
    }
    let mut report = Report::new("Starting and editing", "edit");
    report.say(
        "Start of `diglot serve` to its first answer, without and with the state of the run before; then, in the running server, from a file being \
         saved to its new bytes answered: at its own page, and in the merged text of all articles. The second start finds the folder unchanged and the edition \
         kept; the first edit after it is not measured, since it makes everything anew. Between edits there is a rest. Medians.",
    );
    report.table(
        &["articles", "start, cold", "start, again", "edit to its page", "edit to `llms-full.txt`"],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    );
    let points = |of: &dyn Fn(&Row) -> Duration| rows.iter().map(|row| (row.articles as f64, of(row).as_secs_f64())).collect::<Vec<_>>();
    report.plot(
        "Seconds, by articles",
        &[("start", points(&|row| row.cold)), ("start again", points(&|row| row.again)), ("edit", points(&|row| row.page))],
    );
    report.version("Diglot", Command::new(&binary).arg("--version"));
    report.command(options, "edit");
    report::save("edit", &report, options)
}

fn cells(row: &Row) -> Vec<String> {
    let times = [row.cold, row.again, row.page, row.aggregate];
    std::iter::once(report::thousands(row.articles)).chain(times.map(report::seconds)).collect()
}

fn measure(options: &Options, corpus: &Corpus, binary: &Path) -> Result<Row, String> {
    let state = options.place.join(format!("state-{}", std::process::id()));
    let rounds = options.rounds_of(corpus.articles);
    let (mut cold, mut again) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let _ = fs::remove_dir_all(&state);
        let serving = Serving::start(binary, &corpus.folder, &state)?;
        cold.push(serving.first);
        wait_until_kept(&state);
        drop(serving);
        again.push(Serving::start(binary, &corpus.folder, &state)?.first);
    }
    let (mut page, mut aggregate) = (Vec::new(), Vec::new());
    let serving = Serving::start(binary, &corpus.folder, &state)?;
    let article = shell::files_below(&corpus.folder.join("articles"))?.into_iter().nth(corpus.articles / 2).ok_or("the corpus is empty")?;
    let edited = Edited::open(corpus.folder.join("articles").join(&article))?;
    let path = format!("/articles/{}", article.with_extension("html").display());
    for round in 0..=rounds {
        std::thread::sleep(REST);
        let marker = format!("edited-{}-{round}", std::process::id());
        let before = serving.tag("/llms-full.txt");
        let begun = edited.write(&marker)?;
        let own = serving.wait(&path, begun, |answer| holds(&answer.body, &marker))?;
        let merged = serving.until(begun, "another `/llms-full.txt`", || serving.tag("/llms-full.txt") != before)?;
        if round > 0 {
            page.push(own);
            aggregate.push(merged);
        }
    }
    drop((edited, serving));
    let _ = fs::remove_dir_all(&state);
    Ok(Row { articles: corpus.articles, cold: middle(cold), again: middle(again), page: middle(page), aggregate: middle(aggregate) })
}

/// Waits until the server has kept its edition for the next start, which it does once all codings are made; a small site is never kept.
fn wait_until_kept(state: &Path) {
    let begun = Instant::now();
    while !state.join("edition").exists() && begun.elapsed() < KEPT_WITHIN {
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// A file of the corpus; as it was when this is dropped.
struct Edited {
    path: PathBuf,
    text: String,
}

impl Edited {
    fn open(path: PathBuf) -> Result<Self, String> {
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        Ok(Self { path, text })
    }

    /// Saves it with one more paragraph; says when.
    fn write(&self, marker: &str) -> Result<Instant, String> {
        let text = format!("{}\n\n{marker}\n", self.text);
        fs::write(&self.path, text).map_err(|error| format!("cannot write `{}`: {error}", self.path.display()))?;
        Ok(Instant::now())
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        let _ = fs::write(&self.path, &self.text);
    }
}

/// `diglot serve` with its watch.
struct Serving {
    child: Child,
    authority: String,
    /// From its start to its first answer.
    first: Duration,
}

impl Serving {
    fn start(binary: &Path, folder: &Path, state: &Path) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", server::free_port()?);
        let mut command = Command::new(binary);
        command.arg("serve").arg(folder).args(["--listen", &authority, "--base-url", "https://example.org", "--state"]).arg(state);
        let begun = Instant::now();
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| format!("cannot run `{}`: {error}", shell::line(&command)))?;
        let mut serving = Self { child, authority, first: Duration::ZERO };
        serving.first = serving.wait("/robots.txt", begun, |answer| answer.status == 200)?;
        Ok(serving)
    }

    /// Asks until the answer is as wanted; the time since `begun`.
    fn wait(&self, path: &str, begun: Instant, wanted: impl Fn(&wire::Answer) -> bool) -> Result<Duration, String> {
        self.until(begun, path, || wire::ask("GET", &self.authority, path, &[]).is_ok_and(|answer| wanted(&answer)))
    }

    /// The validator of what is at a path.
    fn tag(&self, path: &str) -> Option<String> {
        wire::ask("HEAD", &self.authority, path, &[]).ok()?.header("etag")
    }

    fn until(&self, begun: Instant, what: &str, done: impl Fn() -> bool) -> Result<Duration, String> {
        while !done() {
            if begun.elapsed() > PATIENCE {
                return Err(format!("{what} never came from {}", self.authority));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(begun.elapsed())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        std::thread::sleep(Duration::from_millis(200));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn holds(body: &[u8], text: &str) -> bool {
    body.windows(text.len()).any(|window| window == text.as_bytes())
}
