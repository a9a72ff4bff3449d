//! `bench serve`: processor time of the server for a request, beside its peers, round by round.

use std::fs;
use std::path::Path;

use super::corpus::corpus;
use super::load::{Load, Pinned, answer, load};
use super::plot;
use super::prose::Prose;
use super::report::{self, Report};
use super::servers::{self, Contender, Scenario};
use super::{Options, secure};
use crate::server;

/// How long one round of one server lasts, in seconds.
const SECONDS: u32 = 1;

/// Measures every scenario and writes `docs/performance/serve.md`.
///
/// # Errors
/// `wrk` is missing, or a server does not answer as it should.
pub fn run(options: &Options) -> Result<String, String> {
    crate::tools::debian(&["wrk", "nghttp2-client", "openssl"], &["wrk", "h2load", "openssl"])?;
    let prose = Prose::of(&options.prose)?;
    let corpus = corpus(&options.place, &prose, 1_000, options.seed)?;
    let binary = server::build()?;
    let site = options.place.join("served");
    server::export(&binary, &corpus.folder, "https://example.org", &site, &["--compress"])?;
    let mut own = servers::diglot(&binary, &corpus.folder)?;
    own.command.args(["--base-url", "https://example.org"]);
    let diglot = Pinned::start(&own.command, &own.authority)?;
    diglot.settle();
    let peers = if options.peers { servers::of_files(&site, &options.place)? } else { Vec::new() };
    let running = peers.iter().map(|peer| Pinned::start(&peer.command, &peer.authority)).collect::<Result<Vec<_>, _>>()?;

    let mut rows = Vec::new();
    for scenario in scenarios(&site, &diglot)? {
        let file = options.place.join("answer");
        let bytes = answer(&diglot.authority, &scenario.path, &scenario.fields())?;
        fs::write(&file, &bytes).map_err(|error| error.to_string())?;
        let constants = servers::constant(options, &file)?;
        let started = constants.iter().map(|one| Pinned::start(&one.command, &one.authority)).collect::<Result<Vec<_>, _>>()?;
        let mut all: Vec<(&str, &Pinned)> = vec![("Diglot", &diglot)];
        all.extend(constants.iter().zip(&started).map(|(contender, server)| (contender.name, server)));
        all.extend(peers.iter().zip(&running).filter(|(peer, server)| takes_part(peer, server, &scenario)).map(|(peer, server)| (peer.name, server)));
        rows.push(measure(options, &scenario, &all, bytes.len())?);
    }
    let (article, bytes) = (rows.first().map_or(0, |row| row.bytes), options.place.join("article"));
    let path = scenarios(&site, &diglot)?.remove(0).path;
    fs::write(&bytes, answer(&diglot.authority, &path, &[])?).map_err(|error| error.to_string())?;
    let best = |name: &str| {
        rows.first().and_then(|row| Some(median(row.rounds.iter().find(|(whose, _)| whose == name)?.1.iter().map(|load| load.rate).collect())))
    };
    let plain: Vec<(&str, &Pinned)> =
        std::iter::once(("Diglot", &diglot)).chain(peers.iter().zip(&running).map(|(peer, server)| (peer.name, server))).collect();
    let equals: Vec<(&str, &Pinned, f64)> = plain
        .iter()
        .filter(|(name, _)| ["Diglot", "nginx"].contains(name))
        .filter_map(|(name, server)| Some((*name, *server, best(name)?)))
        .collect();
    let tails = missing(secure::tails(turns(options), &equals, &path, &options.place));
    drop((diglot, running));
    let secured = secure::contenders(options, &site, &binary, &corpus.folder, &bytes)?;
    rows.extend(missing(secure::rows(options, turns(options), &secured, &path, article)));
    let idle = missing(idle(&own, &peers, &secured));
    let mut report = written(&rows, &own, &peers);
    report.say("Latency of the same article while each server has the same load: 70 % of what the slowest of them can do.");
    report.table(&["server", "requests/s", "median", "p99"], &tails);
    report.say("Anonymous memory that an idle connection adds (a request every ten seconds): 4,000 plain ones, 1,000 over TLS.");
    report.table(&["server", "plain", "TLS, HTTP/1.1", "TLS, HTTP/2"], &idle);
    report.command(options, "serve");
    report::save("serve", &report, options)
}

/// What could not be measured is said, and takes nothing else with it.
fn missing<T>(found: Result<Vec<T>, String>) -> Vec<T> {
    found.unwrap_or_else(|error| {
        println!("not measured: {error}");
        Vec::new()
    })
}

/// What idle connections keep, a line a server.
fn idle(own: &Contender, peers: &[Contender], secured: &[Contender]) -> Result<Vec<Vec<String>>, String> {
    let mut lines = Vec::new();
    for plain in std::iter::once(own).chain(peers) {
        let mut line = vec![plain.name.to_owned(), report::thousands(secure::idle(plain, "plain", 4_000)?)];
        let tls = secured.iter().find(|one| one.name == plain.name);
        for kind in ["HTTP/1.1 over TLS", "HTTP/2 over TLS"] {
            line.push(tls.map_or(Ok("–".to_owned()), |tls| secure::idle(tls, kind, 1_000).map(report::thousands))?);
        }
        println!("idle: {}", line.join("  "));
        lines.push(line);
    }
    Ok(lines)
}

/// Three times as many as elsewhere: servers differ by less than builds do.
const fn turns(options: &Options) -> usize {
    options.rounds * 3
}

/// Whether a peer answers as the scenario wants: with the form asked for, and the status.
fn takes_part(peer: &Contender, server: &Pinned, scenario: &Scenario) -> bool {
    let status = format!("HTTP/1.1 {}", scenario.status);
    let wanted = peer.negotiates || !scenario.name.contains("Accept");
    let good = wanted
        && scenario.status != 304
        && answer(&server.authority, &scenario.path, &scenario.fields()).is_ok_and(|bytes| bytes.starts_with(status.as_bytes()));
    // Other servers have other tags: their date is what makes them say 304.
    good || (scenario.status == 304 && wanted)
}

/// What is asked for: an article of some 12 kB in both forms and codings, what is known already, a feed, the merged text.
fn scenarios(site: &Path, diglot: &Pinned) -> Result<Vec<Scenario>, String> {
    let articles = site.join("articles");
    let sizes = crate::shell::files_below(&articles)?.into_iter().filter(|path| path.extension().is_some_and(|suffix| suffix == "html"));
    let size = |path: &Path| fs::metadata(articles.join(path)).map_or(0, |meta| meta.len());
    let article = sizes.min_by_key(|path| size(path).abs_diff(12_000)).ok_or("the export has no article")?;
    let path = format!("/articles/{}", article.display());
    let browser = || ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8".to_owned());
    let head = String::from_utf8_lossy(&answer(&diglot.authority, &path, &[])?).into_owned();
    let date = head.lines().find_map(|line| line.strip_prefix("last-modified: ")).unwrap_or_default().trim().to_owned();
    let scenario = |name, path: &str, fields: Vec<(&'static str, String)>, status| Scenario { name, path: path.to_owned(), fields, status };
    Ok(vec![
        scenario("article, HTML, 12 kB", &path, vec![browser()], 200),
        scenario("the same, gzip", &path, vec![browser(), ("Accept-Encoding", "gzip".to_owned())], 200),
        scenario("Markdown by Accept", &path, vec![("Accept", "text/markdown, text/html;q=0.9".to_owned())], 200),
        scenario("304", &path, vec![browser(), ("If-Modified-Since", date)], 304),
        scenario("feed", "/rss.xml", vec![], 200),
        scenario("llms-full.txt", "/llms-full.txt", vec![], 200),
    ])
}

/// What one scenario came to.
pub struct Row {
    /// What was asked for.
    pub name: &'static str,
    /// The length of the answer.
    pub bytes: usize,
    /// Rounds by server, in the order of the rounds.
    pub rounds: Vec<(String, Vec<Load>)>,
}

/// Rounds in which every server has its turn.
fn measure(options: &Options, scenario: &Scenario, servers: &[(&str, &Pinned)], bytes: usize) -> Result<Row, String> {
    let mut rounds: Vec<(String, Vec<Load>)> = servers.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())).collect();
    for round in 0..turns(options) {
        for turn in 0..servers.len() {
            let at = (turn + round) % servers.len();
            rounds[at].1.push(load(servers[at].1, &scenario.path, &scenario.fields(), SECONDS, scenario.status)?);
        }
    }
    let row = Row { name: scenario.name, bytes, rounds };
    println!("{}", rows_of(&row).iter().map(|cells| cells.join("  ")).collect::<Vec<_>>().join("\n"));
    Ok(row)
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The middle one.
pub fn median(values: Vec<f64>) -> f64 {
    let values = sorted(values);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of Diglot's processor time over this server's, round by round, and the ranks between which the true one lies (95 % at 15 rounds).
fn ratio(row: &Row, rounds: &[Load]) -> String {
    let own = row.rounds.first().map(|(_, rounds)| rounds.as_slice()).unwrap_or_default();
    let ratios = sorted(own.iter().zip(rounds).map(|(own, other)| own.micros / other.micros).collect());
    let cut = if ratios.len() >= 15 { ratios.len() / 4 } else { 0 };
    match (ratios.get(ratios.len() / 2), ratios.get(cut), ratios.get(ratios.len().saturating_sub(1 + cut))) {
        (Some(middle), Some(low), Some(high)) => format!("{middle:.2} ({low:.2}–{high:.2})"),
        _ => "–".to_owned(),
    }
}

fn rows_of(row: &Row) -> Vec<Vec<String>> {
    let line = |(at, (name, rounds)): (usize, &(String, Vec<Load>))| {
        let what = if at == 0 { format!("{}, {} bytes", row.name, report::thousands(row.bytes)) } else { String::new() };
        let micros = median(rounds.iter().map(|load| load.micros).collect());
        let rate = median(rounds.iter().map(|load| load.rate).collect());
        let ratio = if at == 0 { "1".to_owned() } else { ratio(row, rounds) };
        vec![what, name.clone(), format!("{micros:.1}"), report::thousands(rate as usize), ratio]
    };
    row.rounds.iter().enumerate().map(line).collect()
}

/// The bars of one row.
fn bars(row: &Row) -> plot::Bars<'_> {
    let middle = |rounds: &[Load]| median(rounds.iter().map(|load| load.micros).collect());
    (row.name, row.rounds.iter().map(|(name, rounds)| (name.as_str(), middle(rounds))).collect())
}

fn written(rows: &[Row], own: &Contender, peers: &[Contender]) -> Report {
    let mut report = Report::new("Serving", "serve");
    report.say(
        "Processor time of the server for a request, as the scheduler counts it. The server has one core, the load (wrk, 32 connections) the other. Diglot \
         keeps its whole contract: negotiation by weights, seventeen fields, validators. `hyper, constant` answers every request with the very \
         fields and bytes that Diglot sends, and `floor` is an epoll loop in C that writes them as one piece. Others serve the exported files. \
         Rounds take turns; the last column compares Diglot with the server of its line in the same round: median and interval.",
    );
    let bars: Vec<plot::Bars<'_>> = rows.iter().filter(|row| row.bytes < 1_000_000).map(bars).collect();
    report.bars("Processor time of the server for a request, in microseconds", &bars);
    let cells: Vec<Vec<String>> = rows.iter().flat_map(rows_of).collect();
    report.table(&["answer", "server", "µs a request", "requests/s", "Diglot : this one"], &cells);
    for contender in std::iter::once(own).chain(peers) {
        report.versioned(contender.name, &contender.version);
    }
    report
}
