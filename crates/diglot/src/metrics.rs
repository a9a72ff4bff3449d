//! The server's metrics: request counters, a histogram of times, the state of the edition; rendered
//! as text for Prometheus.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use diglot_content::Severity;
use diglot_edition::{Edition, Route};

use crate::following::Following;
use crate::serve::{Exchange, Family, Observer};

/// Upper bounds of the histogram, in microseconds. An answer takes a few; more than a millisecond
/// is a sign of trouble.
const BOUNDS: [u64; 10] = [
    10, 25, 50, 100, 250, 1_000, 5_000, 25_000, 100_000, 1_000_000,
];

/// The labels of request counters are from closed lists, so that no client can make them grow.
const FORMS: [&str; 3] = ["html", "markdown", "other"];
const CODINGS: [&str; 4] = ["identity", "gzip", "br", "zstd"];
/// All statuses that are sent.
const STATUSES: [u16; 20] = [
    200, 204, 206, 301, 304, 308, 400, 404, 405, 408, 410, 412, 413, 414, 416, 429, 431, 500, 501,
    503,
];
/// Any other status.
const OTHER_STATUS: u16 = u16::MAX;

/// The labels of one request counter: positions in their lists, in display order, and the status.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Labels {
    kind: usize,
    family: usize,
    form: usize,
    coding: usize,
    status: u16,
}

/// The counts of requests.
#[derive(Default)]
struct Requests {
    counts: BTreeMap<Labels, u64>,
    times: [u64; BOUNDS.len() + 1],
    time: Duration,
    bytes: u64,
}

/// All counters of one server.
pub struct Metrics {
    begun: SystemTime,
    requests: Mutex<Requests>,
    connections: AtomicI64,
    edition: Mutex<Option<Live>>,
    reloads: [AtomicU64; 2],
    stopping: AtomicBool,
    /// What is known of the store, if the editions are from one.
    following: OnceLock<Arc<Following>>,
    /// Linux's data on this process: opened while files may be opened, read on demand.
    #[cfg(target_os = "linux")]
    status: Option<std::fs::File>,
}

/// The live edition.
#[derive(Clone)]
struct Live {
    id: String,
    articles: usize,
    errors: usize,
    warnings: usize,
    since: Instant,
    made_in: Duration,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            begun: SystemTime::now(),
            requests: Mutex::default(),
            connections: AtomicI64::default(),
            edition: Mutex::default(),
            reloads: Default::default(),
            stopping: AtomicBool::default(),
            following: OnceLock::new(),
            #[cfg(target_os = "linux")]
            status: crate::file::open(std::path::Path::new("/proc/self/status")).ok(),
        }
    }
}

impl Observer for Metrics {
    fn answered(&self, exchange: &Exchange<'_>) {
        let labels = Labels::from_exchange(exchange);
        let micros = u64::try_from(exchange.time.as_micros()).unwrap_or(u64::MAX);
        let mut requests = lock(&self.requests);
        *requests.counts.entry(labels).or_default() += 1;
        requests.times[BOUNDS.partition_point(|bound| *bound < micros)] += 1;
        requests.time += Duration::from_micros(micros);
        requests.bytes += exchange.bytes;
    }

    fn connections(&self, change: i64) {
        self.connections.fetch_add(change, Relaxed);
    }
}

impl Labels {
    fn from_exchange(exchange: &Exchange<'_>) -> Self {
        Self {
            kind: exchange
                .resource
                .map_or(Route::KIND_NAMES.len(), Route::kind_index),
            family: exchange.family.index(),
            form: position(&FORMS, exchange.form),
            coding: position(&CODINGS, exchange.coding),
            status: if STATUSES.contains(&exchange.status) {
                exchange.status
            } else {
                OTHER_STATUS
            },
        }
    }
}

impl Display for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let route = Route::KIND_NAMES.get(self.kind).unwrap_or(&"none");
        let (form, coding, agent) = (
            FORMS[self.form],
            CODINGS[self.coding],
            Family::at(self.family).name,
        );
        let status = if self.status == OTHER_STATUS {
            "other".to_owned()
        } else {
            self.status.to_string()
        };
        write!(
            f,
            "route=\"{route}\",form=\"{form}\",status=\"{status}\",coding=\"{coding}\",agent=\"{agent}\""
        )
    }
}

/// The position of a label in its list; the last position for any other label.
fn position(list: &[&str], label: &str) -> usize {
    list.iter()
        .position(|known| *known == label)
        .unwrap_or(list.len() - 1)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes one metric with its description and its only sample.
fn write_metric(text: &mut String, name: &str, kind: &str, help: &str, value: impl Display) {
    write_head(text, name, kind, help);
    let _ = writeln!(text, "{name} {value}");
}

fn write_head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
}

impl Metrics {
    /// Records a new live edition.
    pub fn live(&self, edition: &Edition, made_in: Duration) {
        let (mut errors, mut warnings) = (0, 0);
        for problem in edition.problems.iter() {
            match problem.severity {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
            }
        }
        let (id, articles) = (edition.id.to_string(), edition.articles);
        let mut current = lock(&self.edition);
        // The same edition built again keeps its age.
        let since = match &*current {
            Some(current) if current.id == id => current.since,
            _ => Instant::now(),
        };
        *current = Some(Live {
            id,
            articles,
            errors,
            warnings,
            since,
            made_in,
        });
        self.reloads[0].fetch_add(1, Relaxed);
    }

    /// Records a failed build.
    pub fn failed(&self) {
        self.reloads[1].fetch_add(1, Relaxed);
    }

    /// Also shows what is known of a store.
    pub fn follow(&self, following: Arc<Following>) {
        let _ = self.following.set(following);
    }

    /// What is known of the store that is followed.
    pub fn following(&self) -> Option<&Following> {
        self.following.get().map(|following| &**following)
    }

    /// What `/readyz` says of the edition, a line each; empty without a store.
    pub fn edition_lines(&self) -> String {
        let id = lock(&self.edition).as_ref().map(|live| live.id.clone());
        let following = self.following();
        following.map_or_else(String::new, |it| it.lines(id.as_deref()))
    }

    /// Records that the server is stopping.
    pub fn stopping(&self) {
        self.stopping.store(true, Relaxed);
    }

    /// Whether there is an edition and the server is not stopping.
    pub fn is_ready(&self) -> bool {
        !self.stopping.load(Relaxed) && lock(&self.edition).is_some()
    }

    /// All metrics in the text format of Prometheus, version 0.0.4.
    pub fn prometheus(&self) -> String {
        let mut text = String::new();
        let bytes = self.write_requests(&mut text);
        write_head(&mut text, "diglot_build_info", "gauge", "The program.");
        let _ = writeln!(
            text,
            "diglot_build_info{{version=\"{}\"}} 1",
            env!("CARGO_PKG_VERSION")
        );
        write_metric(
            &mut text,
            "diglot_sent_bytes_total",
            "counter",
            "Bytes of content in answers.",
            bytes,
        );
        write_metric(
            &mut text,
            "diglot_connections",
            "gauge",
            "Connections that are open.",
            self.connections.load(Relaxed),
        );
        self.write_edition(&mut text);
        self.write_following(&mut text);
        self.write_reloads(&mut text);
        self.write_process(&mut text);
        text
    }

    fn write_reloads(&self, text: &mut String) {
        write_head(
            text,
            "diglot_reloads_total",
            "counter",
            "How often an edition was made, or could not be.",
        );
        for (result, count) in ["made", "failed"].into_iter().zip(&self.reloads) {
            let _ = writeln!(
                text,
                "diglot_reloads_total{{result=\"{result}\"}} {}",
                count.load(Relaxed)
            );
        }
    }

    fn write_process(&self, text: &mut String) {
        let begun = self
            .begun
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_secs();
        write_metric(
            text,
            "process_start_time_seconds",
            "gauge",
            "When the server was started.",
            begun,
        );
        if let Some(bytes) = self.resident() {
            write_metric(
                text,
                "process_resident_memory_bytes",
                "gauge",
                "Memory in use.",
                bytes,
            );
        }
    }

    /// Writes the request counters except the bytes of all answers, which are returned.
    fn write_requests(&self, text: &mut String) -> u64 {
        let requests = lock(&self.requests);
        write_head(
            text,
            "diglot_requests_total",
            "counter",
            "Requests answered.",
        );
        for (labels, count) in &requests.counts {
            let _ = writeln!(text, "diglot_requests_total{{{labels}}} {count}");
        }
        let name = "diglot_request_seconds";
        write_head(
            text,
            name,
            "histogram",
            "From the head of a request to the head of its answer.",
        );
        let mut sum = 0;
        for (bound, count) in BOUNDS.iter().zip(&requests.times) {
            sum += count;
            let seconds = Duration::from_micros(*bound).as_secs_f64();
            let _ = writeln!(text, "{name}_bucket{{le=\"{seconds}\"}} {sum}");
        }
        sum += requests.times[BOUNDS.len()];
        let seconds = requests.time.as_secs_f64();
        let _ = write!(
            text,
            "{name}_bucket{{le=\"+Inf\"}} {sum}\n{name}_sum {seconds}\n{name}_count {sum}\n"
        );
        requests.bytes
    }

    fn write_following(&self, text: &mut String) {
        let values = self.following().map(Following::values);
        for (name, kind, help, value) in values.into_iter().flatten() {
            write_metric(text, name, kind, help, value);
        }
    }

    fn write_edition(&self, text: &mut String) {
        let Some(live) = lock(&self.edition).clone() else {
            return;
        };
        let age = live.since.elapsed().as_secs();
        write_metric(
            text,
            "diglot_edition_age_seconds",
            "gauge",
            "How long this edition has been live.",
            age,
        );
        write_metric(
            text,
            "diglot_edition_articles",
            "gauge",
            "Articles that are published.",
            live.articles,
        );
        write_metric(
            text,
            "diglot_reload_seconds",
            "gauge",
            "How long the last edition took to make.",
            live.made_in.as_secs_f64(),
        );
        write_head(
            text,
            "diglot_edition_info",
            "gauge",
            "The edition that is live.",
        );
        let number = self.following().and_then(Following::number);
        let number = number.map_or_else(String::new, |it| format!(",number=\"{it}\""));
        let _ = writeln!(text, "diglot_edition_info{{id=\"{}\"{number}}} 1", live.id);
        write_head(
            text,
            "diglot_edition_problems",
            "gauge",
            "What the author should fix.",
        );
        for (severity, count) in [("error", live.errors), ("warning", live.warnings)] {
            let _ = writeln!(
                text,
                "diglot_edition_problems{{severity=\"{severity}\"}} {count}"
            );
        }
    }

    /// The resident memory of this process in bytes, if the system reports it.
    #[cfg(target_os = "linux")]
    fn resident(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 4096];
        let length = self.status.as_ref()?.read_at(&mut bytes, 0).ok()?;
        let status = String::from_utf8_lossy(bytes.get(..length)?);
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes * 1024)
    }

    #[cfg(not(target_os = "linux"))]
    fn resident(&self) -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::Family;

    #[test]
    fn numbers_are_in_the_format_of_prometheus() {
        let metrics = Metrics::default();
        assert!(!metrics.is_ready(), "there is no edition yet");
        let home = Route::Home(diglot_edition::Form::Html);
        let exchange = |status, micros| Exchange {
            method: "GET",
            path: "/",
            resource: Some(&home),
            resource_path: Some("/index.html"),
            form: "html",
            status,
            coding: "br",
            bytes: 100,
            time: Duration::from_micros(micros),
            family: Family::named("Firefox"),
        };
        for (status, micros) in [(200, 5), (200, 60), (304, 2_000_000)] {
            metrics.answered(&exchange(status, micros));
        }
        metrics.answered(&Exchange {
            resource: None,
            resource_path: None,
            status: 799,
            family: Family::OTHER,
            ..exchange(0, 5_000)
        });
        metrics.connections(2);
        metrics.connections(-1);
        metrics.failed();
        let text = metrics.prometheus();
        for line in [
            "diglot_requests_total{route=\"home\",form=\"html\",status=\"200\",coding=\"br\",agent=\"Firefox\"} 2",
            "diglot_requests_total{route=\"none\",form=\"html\",status=\"other\",coding=\"br\",agent=\"other\"} 1",
            "diglot_request_seconds_bucket{le=\"0.00001\"} 1",
            "diglot_request_seconds_bucket{le=\"0.0001\"} 2",
            "diglot_request_seconds_bucket{le=\"1\"} 3",
            "diglot_request_seconds_bucket{le=\"+Inf\"} 4",
            "diglot_request_seconds_count 4",
            "diglot_sent_bytes_total 400",
            "diglot_connections 1",
            "diglot_reloads_total{result=\"failed\"} 1",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
        // Each metric has one description, before its samples; each sample is a name and a number.
        for sample in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, value) = sample.rsplit_once(' ').unwrap();
            assert!(value.parse::<f64>().is_ok(), "{sample}");
            let name = name.split('{').next().unwrap();
            let family = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|suffix| name.strip_suffix(suffix))
                .unwrap_or(name);
            assert_eq!(
                text.matches(&format!("# TYPE {family} ")).count(),
                1,
                "{sample}"
            );
        }
    }

    #[test]
    fn threads_count_together() {
        let metrics = Metrics::default();
        let route = Route::Rss;
        let exchange = Exchange {
            method: "GET",
            path: "/rss.xml",
            resource: Some(&route),
            resource_path: Some("/rss.xml"),
            form: "other",
            status: 304,
            coding: "identity",
            bytes: 1,
            time: Duration::ZERO,
            family: Family::named("Miniflux"),
        };
        std::thread::scope(|scope| {
            for _ in 0..40 {
                scope.spawn(|| (0..250).for_each(|_| metrics.answered(&exchange)));
            }
        });
        let text = metrics.prometheus();
        let line = "diglot_requests_total{route=\"rss\",form=\"other\",status=\"304\",coding=\"identity\",agent=\"Miniflux\"} 10000";
        assert!(
            text.contains(line) && text.contains("diglot_sent_bytes_total 10000"),
            "{text}"
        );
    }

    #[test]
    fn every_coding_has_its_name_here() {
        for coding in diglot_edition::Coding::ALL {
            assert!(CODINGS.contains(&coding.name()), "{coding:?}");
        }
    }
}
