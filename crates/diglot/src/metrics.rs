//! What the server does, in numbers: counters of requests, a histogram of times, the state of the edition; as text for Prometheus.

use std::cell::Cell;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use diglot_content::Severity;
use diglot_edition::{Edition, Route};

use crate::serve::{Family, Observer, Visit};

/// Upper bounds of the histogram, in microseconds. Making an answer takes some; what takes more than a millisecond is a sign of trouble.
const BOUNDS: [u64; 10] = [10, 25, 50, 100, 250, 1_000, 5_000, 25_000, 100_000, 1_000_000];

// What a counter of requests is about: every label is from a closed list, so that nobody can make them grow.

/// Kinds of resources, and one for none.
const KINDS: usize = Route::KIND_NAMES.len() + 1;
/// What there is of the form.
const FORMS: [&str; 3] = ["html", "markdown", "other"];
/// What there is of the coding.
const CODINGS: [&str; 4] = ["identity", "gzip", "br", "zstd"];
/// The statuses that are ever sent; the last stands for any other.
const STATUSES: [&str; 21] = [
    "200", "204", "206", "301", "304", "308", "400", "404", "405", "408", "410", "412", "413", "414", "416", "429", "431", "500", "501", "503",
    "other",
];
/// The counters of one kind and family.
const CELLS: usize = FORMS.len() * CODINGS.len() * STATUSES.len();
/// More threads than these share counters.
const MOST_SHARDS: usize = 16;

/// The counters of one thread, or of a few: they seldom wait for one another's memory.
#[derive(Debug)]
#[repr(align(128))]
struct Shard {
    /// One cell for each combination; only for kinds and families that were seen there is memory.
    requests: Box<[OnceLock<Box<[AtomicU64]>>]>,
    times: [AtomicU64; BOUNDS.len() + 1],
    /// Microseconds in all.
    time: AtomicU64,
    bytes: AtomicU64,
}

impl Default for Shard {
    fn default() -> Self {
        let requests = (0..KINDS * Family::COUNT).map(|_| OnceLock::new()).collect();
        Self { requests, times: Default::default(), time: AtomicU64::default(), bytes: AtomicU64::default() }
    }
}

impl Shard {
    fn count(&self, visit: &Visit<'_>) {
        let kind = visit.resource.map_or(KINDS - 1, Route::kind_index);
        let place = |list: &[&str], name: &str| list.iter().position(|known| *known == name).unwrap_or(list.len() - 1);
        let mut digits = [0; 3];
        let status = std::str::from_utf8(digits_of(visit.status, &mut digits)).unwrap_or_default();
        let cell = (place(&FORMS, visit.form) * CODINGS.len() + place(&CODINGS, visit.coding)) * STATUSES.len() + place(&STATUSES, status);
        let cells = self.requests[kind * Family::COUNT + visit.family.index()].get_or_init(|| (0..CELLS).map(|_| AtomicU64::new(0)).collect());
        cells[cell].fetch_add(1, Relaxed);
        let micros = u64::try_from(visit.time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.times[bucket].fetch_add(1, Relaxed);
        self.time.fetch_add(micros, Relaxed);
        self.bytes.fetch_add(visit.bytes, Relaxed);
    }
}

/// A status code as text, without memory of its own.
fn digits_of(status: u16, digits: &mut [u8; 3]) -> &[u8] {
    for (at, power) in [100, 10, 1].into_iter().enumerate() {
        digits[at] = b'0' + u8::try_from(status / power % 10).unwrap_or(0);
    }
    digits
}

/// All counters of one server.
#[derive(Debug)]
pub struct Metrics {
    begun: SystemTime,
    /// How many shards there are to be.
    threads: usize,
    /// Made when a request is counted: most servers never count one.
    shards: OnceLock<Box<[Shard]>>,
    connections: AtomicI64,
    edition: Mutex<Option<Live>>,
    reloads: [AtomicU64; 2],
    stopping: AtomicBool,
    /// What Linux says of this process: opened while files may be opened, read when it is wanted.
    #[cfg(target_os = "linux")]
    status: Option<std::fs::File>,
}

/// The edition that is live.
#[derive(Clone, Debug)]
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
        Self::new(1)
    }
}

impl Metrics {
    /// The numbers of a server that answers on this many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            begun: SystemTime::now(),
            threads: threads.clamp(1, MOST_SHARDS),
            shards: OnceLock::new(),
            connections: AtomicI64::default(),
            edition: Mutex::default(),
            reloads: Default::default(),
            stopping: AtomicBool::default(),
            #[cfg(target_os = "linux")]
            status: crate::file::open(std::path::Path::new("/proc/self/status")).ok(),
        }
    }

    fn shards(&self) -> &[Shard] {
        self.shards.get_or_init(|| (0..self.threads).map(|_| Shard::default()).collect())
    }
}

/// The number of this thread, given when it first asks.
pub(crate) fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static NUMBER: Cell<Option<usize>> = const { Cell::new(None) });
    NUMBER.with(|number| {
        let given = number.get().unwrap_or_else(|| NEXT.fetch_add(1, Relaxed));
        number.set(Some(given));
        given
    })
}

impl Observer for Metrics {
    fn visited(&self, visit: &Visit<'_>) {
        self.shards()[thread_number() % self.threads].count(visit);
    }

    fn connections(&self, change: i64) {
        self.connections.fetch_add(change, Relaxed);
    }
}

impl Metrics {
    /// An edition was made; it is live now.
    pub fn live(&self, edition: &Edition, made_in: Duration) {
        let count = |severity| edition.problems.iter().filter(|problem| problem.severity == severity).count();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        let (id, articles) = (edition.id.to_string(), edition.articles);
        let mut current = self.edition.lock().unwrap_or_else(PoisonError::into_inner);
        // The same edition made again is no younger.
        let since = current.as_ref().filter(|current| current.id == id).map_or_else(Instant::now, |current| current.since);
        *current = Some(Live { id, articles, errors, warnings, since, made_in });
        self.reloads[0].fetch_add(1, Relaxed);
    }

    /// An edition could not be made.
    pub fn failed(&self) {
        self.reloads[1].fetch_add(1, Relaxed);
    }

    /// The server was told to stop.
    pub fn stopping(&self) {
        self.stopping.store(true, Relaxed);
    }

    /// Whether there is an edition and the server goes on.
    pub fn is_ready(&self) -> bool {
        !self.stopping.load(Relaxed) && self.edition.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Everything in the text format of Prometheus, version 0.0.4.
    pub fn prometheus(&self) -> String {
        let mut text = String::new();
        self.write_requests(&mut text);
        self.write_times(&mut text);
        let version = env!("CARGO_PKG_VERSION");
        let _ = write!(text, "# HELP diglot_build_info The program.\n# TYPE diglot_build_info gauge\ndiglot_build_info{{version=\"{version}\"}} 1\n");
        let mut one = |name: &str, kind: &str, help: &str, value: String| {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
        };
        one("diglot_sent_bytes_total", "counter", "Bytes of content in answers.", self.sum(|shard| &shard.bytes).to_string());
        one("diglot_connections", "gauge", "Connections that are open.", self.connections.load(Relaxed).to_string());
        let current = self.edition.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(live) = current {
            one("diglot_edition_age_seconds", "gauge", "How long this edition has been live.", live.since.elapsed().as_secs().to_string());
            one("diglot_edition_articles", "gauge", "Articles that are published.", live.articles.to_string());
            one("diglot_reload_seconds", "gauge", "How long the last edition took to make.", live.made_in.as_secs_f64().to_string());
            let _ = write!(
                text,
                "# HELP diglot_edition_info The edition that is live.\n# TYPE diglot_edition_info gauge\ndiglot_edition_info{{id=\"{}\"}} 1\n\
                 # HELP diglot_edition_problems What the author should fix.\n# TYPE diglot_edition_problems gauge\n\
                 diglot_edition_problems{{severity=\"error\"}} {}\ndiglot_edition_problems{{severity=\"warning\"}} {}\n",
                live.id, live.errors, live.warnings
            );
        }
        let [made, failed] = &self.reloads;
        let _ = write!(
            text,
            "# HELP diglot_reloads_total How often an edition was made, or could not be.\n# TYPE diglot_reloads_total counter\n\
             diglot_reloads_total{{result=\"made\"}} {}\ndiglot_reloads_total{{result=\"failed\"}} {}\n",
            made.load(Relaxed),
            failed.load(Relaxed)
        );
        let begun = self.begun.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let _ = write!(
            text,
            "# HELP process_start_time_seconds When the server was started.\n# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {begun}\n"
        );
        if let Some(bytes) = self.resident() {
            let _ = write!(
                text,
                "# HELP process_resident_memory_bytes Memory in use.\n# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes {bytes}\n"
            );
        }
        text
    }

    /// One counter of all shards together.
    fn sum(&self, of: impl Fn(&Shard) -> &AtomicU64) -> u64 {
        self.shards().iter().map(|shard| of(shard).load(Relaxed)).sum()
    }

    fn write_requests(&self, text: &mut String) {
        text.push_str("# HELP diglot_requests_total Requests answered.\n# TYPE diglot_requests_total counter\n");
        for place in 0..KINDS * Family::COUNT {
            let known: Vec<&[AtomicU64]> = self.shards().iter().filter_map(|shard| shard.requests[place].get().map(AsRef::as_ref)).collect();
            if known.is_empty() {
                continue;
            }
            let route = Route::KIND_NAMES.get(place / Family::COUNT).unwrap_or(&"none");
            let agent = Family::at(place % Family::COUNT).name;
            for cell in 0..CELLS {
                let count: u64 = known.iter().map(|cells| cells[cell].load(Relaxed)).sum();
                if count == 0 {
                    continue;
                }
                let (form, coding) = (FORMS[cell / STATUSES.len() / CODINGS.len()], CODINGS[cell / STATUSES.len() % CODINGS.len()]);
                let status = STATUSES[cell % STATUSES.len()];
                let labels = format!("route=\"{route}\",form=\"{form}\",status=\"{status}\",coding=\"{coding}\",agent=\"{agent}\"");
                let _ = writeln!(text, "diglot_requests_total{{{labels}}} {count}");
            }
        }
    }

    fn write_times(&self, text: &mut String) {
        let name = "diglot_request_seconds";
        let _ = write!(text, "# HELP {name} From the head of a request to the head of its answer.\n# TYPE {name} histogram\n");
        let mut sum = 0;
        for (at, bound) in BOUNDS.iter().enumerate() {
            sum += self.sum(|shard| &shard.times[at]);
            #[allow(clippy::cast_precision_loss, reason = "the bounds are small")]
            let seconds = *bound as f64 / 1e6;
            let _ = writeln!(text, "{name}_bucket{{le=\"{seconds}\"}} {sum}");
        }
        sum += self.sum(|shard| &shard.times[BOUNDS.len()]);
        let seconds = Duration::from_micros(self.sum(|shard| &shard.time)).as_secs_f64();
        let _ = write!(text, "{name}_bucket{{le=\"+Inf\"}} {sum}\n{name}_sum {seconds}\n{name}_count {sum}\n");
    }

    /// Bytes of memory that this process holds, where the system says so.
    #[cfg(target_os = "linux")]
    fn resident(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 4096];
        let length = self.status.as_ref()?.read_at(&mut bytes, 0).ok()?;
        let status = String::from_utf8_lossy(bytes.get(..length)?);
        let kibibytes: u64 = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?.parse().ok()?;
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
        let meter = Metrics::default();
        assert!(!meter.is_ready(), "there is no edition yet");
        let home = Route::Home(diglot_edition::Form::Html);
        let visit = |status, micros| Visit {
            method: "GET",
            path: "/",
            resource: Some(&home),
            place: Some("/index.html"),
            form: "html",
            status,
            coding: "br",
            bytes: 100,
            time: Duration::from_micros(micros),
            family: Family::named("Firefox"),
        };
        for (status, micros) in [(200, 5), (200, 60), (304, 2_000_000)] {
            meter.visited(&visit(status, micros));
        }
        meter.visited(&Visit { resource: None, place: None, status: 799, family: Family::OTHER, ..visit(0, 5_000) });
        meter.connections(2);
        meter.connections(-1);
        meter.failed();
        let text = meter.prometheus();
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
        // Every metric is described once, before its samples; every sample is a name and a number.
        for sample in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, value) = sample.rsplit_once(' ').unwrap();
            assert!(value.parse::<f64>().is_ok(), "{sample}");
            let name = name.split('{').next().unwrap();
            let family = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
            assert_eq!(text.matches(&format!("# TYPE {family} ")).count(), 1, "{sample}");
        }
    }

    #[test]
    fn threads_count_together() {
        let meter = Metrics::default();
        let route = Route::Rss;
        let visit = Visit {
            method: "GET",
            path: "/rss.xml",
            resource: Some(&route),
            place: Some("/rss.xml"),
            form: "other",
            status: 304,
            coding: "identity",
            bytes: 1,
            time: Duration::ZERO,
            family: Family::named("Miniflux"),
        };
        std::thread::scope(|scope| {
            for _ in 0..40 {
                scope.spawn(|| (0..250).for_each(|_| meter.visited(&visit)));
            }
        });
        let text = meter.prometheus();
        let line = "diglot_requests_total{route=\"rss\",form=\"other\",status=\"304\",coding=\"identity\",agent=\"Miniflux\"} 10000";
        assert!(text.contains(line) && text.contains("diglot_sent_bytes_total 10000"), "{text}");
    }

    #[test]
    fn every_coding_has_its_name_here() {
        for coding in diglot_edition::Coding::ALL {
            assert!(CODINGS.contains(&coding.name()), "{coding:?}");
        }
    }
}
