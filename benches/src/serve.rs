//! `bench serve`: processor time of the server per request, compared with its peers, round by
//! round.
//!
//! A peer's failure becomes a line of the page: only Diglot's own failure to start ends a
//! measurement.

use std::fs;
use std::path::{Path, PathBuf};

use super::corpus::{Corpus, corpus};
use super::load::{Asked, Pinned, answer};
use super::prose::Prose;
use super::race::{Entrant, Row};
use super::report::{self, Report};
use super::sample::{self, Small};
use super::scenario::{self, Scenario};
use super::servers::{self, Contender, HYPER};
use super::{Options, at_random, pace, plot, secure};
use diglot_e2e::server;

/// Measures every scenario and writes `docs/performance/serve.md`: about eleven minutes, or two
/// with `--quick`.
///
/// # Errors
/// `wrk` is missing, or Diglot does not start.
pub fn run(options: &Options) -> Result<String, String> {
    xtask::tools::debian(
        &["wrk", "nghttp2-client", "openssl", "gcc", "libc6-dev"],
        &["wrk", "h2load", "openssl", "gcc"],
    )?;
    if options.peers && !options.quick {
        servers::install();
    }
    let corpus = corpus(
        &options.place,
        &Prose::read(&options.prose)?,
        if options.quick { 100 } else { 1_000 },
        options.seed,
    )?;
    let binary = server::packaged()?;
    servers::compile(options)?;

    let running = Running::start(options, &binary, &corpus)?;
    let scenarios = scenarios(&running.site, running.own()?)?;
    let mut rows = running.rows(options, &scenarios)?;
    rows.extend(at_random::rows(
        options,
        &running.site,
        &running.diglot,
        &running.peers,
    )?);
    let (rate, tails) = running.tails(options, &scenarios[0].path, &rows[0]);
    let started = running.end();

    let small = Small::make(options, &binary)?;
    let secured = secure::contenders(options, &small, &binary)?;
    rows.extend(secure::rows(
        scenario::turns(options),
        &secured,
        &small.path,
        small.bytes,
    ));
    let plain = plain(options, &small, &binary)?;
    let (idle, counts) = secure::idle_table(options, &plain, &secured);

    let mut report = written(&rows);
    report.say("The goals, and the medians of the rounds:");
    report.table(&["goal", "measured", ""], &goals(&rows, &tails));
    say_latency(&mut report, rate, &tails);
    say_idle(&mut report, counts, &idle);
    started
        .iter()
        .for_each(|one| report.versioned(one.name, &one.version));
    report.command(options, "serve");
    report::save("serve", &report, options)
}

/// Diglot on the corpus, and the servers of files on its export; ended when dropped.
struct Running {
    /// The export.
    site: PathBuf,
    diglot: Entrant,
    peers: Vec<Entrant>,
    /// Their command lines and versions, Diglot first.
    contenders: Vec<Contender>,
}

impl Running {
    fn start(options: &Options, binary: &Path, corpus: &Corpus) -> Result<Self, String> {
        let site = options.place.join("served");
        server::export(
            binary,
            &corpus.folder,
            "https://example.org",
            &site,
            &["--compress"],
        )?;
        let own = servers::diglot(binary, &corpus.folder)?;
        let diglot = Entrant::start(&own);
        diglot.server.as_ref().map_err(Clone::clone)?.settle();
        let mut contenders = vec![own];
        if options.peers {
            contenders.extend(servers::of_files(&site, &options.place, None)?);
        }
        Ok(Self {
            site,
            diglot,
            peers: contenders[1..].iter().map(Entrant::start).collect(),
            contenders,
        })
    }

    /// Diglot's process.
    fn own(&self) -> Result<&Pinned, String> {
        self.diglot.server.as_ref().map_err(Clone::clone)
    }

    /// One row for each scenario: beside these servers, hyper and the floor answer with the bytes
    /// that Diglot sends.
    fn rows(&self, options: &Options, scenarios: &[Scenario]) -> Result<Vec<Row>, String> {
        let mut rows = Vec::new();
        for scenario in scenarios {
            let file = options.place.join("answer");
            let bytes = answer(&self.own()?.authority, &scenario.path, &scenario.fields())?;
            fs::write(&file, &bytes).map_err(|error| error.to_string())?;
            let constants = [servers::hyper(&file)?, servers::floor(options, &file, &[])?];
            let constants = constants.map(|one| Entrant::start(&one));
            let all: Vec<&Entrant> = std::iter::once(&self.diglot)
                .chain(&constants)
                .chain(&self.peers)
                .collect();
            rows.push(scenario::row(
                options,
                scenario,
                bytes.len(),
                &all,
                Asked::Path(&scenario.path),
            ));
        }
        Ok(rows)
    }

    /// The latencies of Diglot and nginx at the same load, and that load in requests per second;
    /// `row` says how many they can answer. If they cannot be measured, the reason is printed.
    fn tails(&self, options: &Options, path: &str, row: &Row) -> (f64, Vec<pace::Tail>) {
        let equals: Vec<(&'static str, &Pinned, f64)> = std::iter::once(&self.diglot)
            .chain(&self.peers)
            .filter(|entrant| ["Diglot", "nginx"].contains(&entrant.name))
            .filter_map(|entrant| {
                Some((
                    entrant.name,
                    entrant.server.as_ref().ok()?,
                    row.rate(entrant.name)?,
                ))
            })
            .collect();
        pace::tails(2 * scenario::turns(options), &equals, path).unwrap_or_else(|error| {
            println!("not measured: {error}");
            (0.0, Vec::new())
        })
    }

    /// Ends all of them; returns their command lines and versions.
    fn end(self) -> Vec<Contender> {
        self.contenders
    }
}

/// The servers without TLS whose idle connections are measured, on the small site.
fn plain(options: &Options, small: &Small, binary: &Path) -> Result<Vec<Contender>, String> {
    let mut plain = vec![servers::diglot(binary, &small.folder)?];
    plain.push(servers::hyper(&small.answer)?);
    if options.peers {
        plain.extend(servers::of_files(&small.site, &options.place, None)?);
    }
    Ok(plain)
}

/// The scenarios: an article of about 12 kB in both forms and codings, a revalidation, a feed, the
/// merged text.
fn scenarios(site: &Path, diglot: &Pinned) -> Result<Vec<Scenario>, String> {
    let path = sample::article(site)?;
    let head = String::from_utf8_lossy(&answer(&diglot.authority, &path, &[])?).into_owned();
    let date = head
        .lines()
        .find_map(|line| line.strip_prefix("last-modified: "))
        .unwrap_or_default()
        .trim()
        .to_owned();
    let asked = |name, path: &str, fields: Vec<(&'static str, String)>, status| Scenario {
        name,
        path: path.to_owned(),
        fields,
        status,
    };
    Ok(vec![
        asked(
            "article, HTML, 12 kB",
            &path,
            vec![scenario::browser()],
            200,
        ),
        asked(
            "the same, gzip",
            &path,
            vec![scenario::browser(), scenario::gzip()],
            200,
        ),
        asked("Markdown by Accept", &path, vec![scenario::markdown()], 200),
        asked(
            "304",
            &path,
            vec![scenario::browser(), ("If-Modified-Since", date)],
            304,
        ),
        asked("feed", "/rss.xml", vec![], 200),
        asked("llms-full.txt", "/llms-full.txt", vec![], 200),
    ])
}

/// The goals, the results, and whether each goal is met.
fn goals(rows: &[Row], tails: &[pace::Tail]) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    let mut line = |name: &str, ratio: f64, against: &str, most: f64| {
        let kept = if ratio <= most { "kept" } else { "missed" };
        lines.push(vec![
            format!("{name}: at most {most:.2} of {against}"),
            format!("{ratio:.2}"),
            kept.to_owned(),
        ]);
    };
    let mut goal = |row: &Row, against: &str, most: f64| {
        if let Some(ratio) = row.ratio(against) {
            line(row.name, ratio, against, most);
        }
    };
    for row in rows {
        match row.name {
            "feed" | "llms-full.txt" => goal(row, "floor", 1.15),
            "TLS 1.3 handshake" | "HTTP/2 over TLS, 100 streams" => {
                goal(row, HYPER, 1.10);
                goal(row, "nginx", 1.0);
            }
            name if name.contains("at random") => {
                goal(row, HYPER, 1.25);
                goal(row, "nginx", 1.0);
            }
            _ => {
                goal(row, HYPER, 1.10);
                goal(row, "nginx", 1.0);
                goal(row, "floor", 1.25);
            }
        }
    }
    let most = |name: &str| {
        tails
            .iter()
            .find(|tail| tail.name == name)
            .map(|tail| tail.most)
    };
    if let (Some(own), Some(peer)) = (most("Diglot"), most("nginx")) {
        line("p99 at 70 % of full load", own / peer, "nginx", 1.0);
    }
    lines
}

/// The bars of one row.
fn bars(row: &Row) -> plot::Bars<'_> {
    (
        row.name,
        row.rounds
            .iter()
            .filter_map(|ran| Some((ran.name, ran.micros()?)))
            .collect(),
    )
}

fn written(rows: &[Row]) -> Report {
    let mut report = Report::new("Serving", "serve");
    report.say(
        "Processor time of the server for a request, as the scheduler counts it. The server has one core, the load (wrk, 32 connections) the other. Diglot \
         keeps its whole contract: negotiation by weights, seventeen fields, validators. `hyper, constant` answers every request with exactly the \
         fields and bytes that Diglot sends, and `floor` is an epoll loop in C that writes them as one piece. Others serve the exported files. \
         Rounds take turns (hyper, the floor and nginx in each, the others in every third); the last column compares Diglot with the server of its line in the same \
         round: median and interval. At random, the requests go to a thousand articles, hyper and the floor answer with one of the same thousand answers, and the \
         floor leaves out all fields but the length.",
    );
    let bars: Vec<plot::Bars<'_>> = rows
        .iter()
        .filter(|row| row.bytes < 1_000_000)
        .map(bars)
        .collect();
    report.bars(
        "Processor time of the server for a request, in microseconds",
        &bars,
    );
    let cells: Vec<Vec<String>> = rows.iter().flat_map(Row::cells).collect();
    report.table(
        &[
            "answer",
            "server",
            "µs a request",
            "requests/s",
            "Diglot : this one",
        ],
        &cells,
    );
    report
}

fn say_latency(report: &mut Report, rate: f64, tails: &[pace::Tail]) {
    report.say(&format!(
        "Latency of the same article while each server has the same load, {} requests a second: 70 % of what the slowest of them can do. They are sent at random \
         moments, whatever has been answered, and are counted from then; each server has the quarter of its rounds in which the machine disturbed it least.",
        report::thousands(rate as usize)
    ));
    let cells = |tail: &pace::Tail| {
        vec![
            tail.name.to_owned(),
            format!("{:.0} µs", tail.half),
            format!("{:.0} µs", tail.most),
        ]
    };
    report.table(
        &["server", "median", "p99"],
        &tails.iter().map(cells).collect::<Vec<_>>(),
    );
}

fn say_idle(report: &mut Report, counts: [usize; 2], idle: &[Vec<String>]) {
    report.say(&format!(
        "Anonymous memory that a connection adds on which a request was answered and nothing moves since: {} plain ones, {} over TLS, in bytes.",
        report::thousands(counts[0]),
        report::thousands(counts[1])
    ));
    report.table(&["server", "plain", "TLS, HTTP/1.1", "TLS, HTTP/2"], idle);
}
