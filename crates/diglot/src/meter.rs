//! What the server does, in numbers: counters of requests, a histogram of times, the state of the edition; as text for Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use diglot_content::Severity;
use diglot_edition::Edition;

use crate::serve::{Observer, Visit};

/// Upper bounds of the histogram, in microseconds. Making an answer takes some; what takes more than a millisecond is a sign of trouble.
const BOUNDS: [u64; 10] = [10, 25, 50, 100, 250, 1_000, 5_000, 25_000, 100_000, 1_000_000];

/// What one counter of requests is about. Every part is from a closed list, so that there are only so many.
type Key = (&'static str, &'static str, u16, &'static str, &'static str);

/// All counters of one server.
#[derive(Debug)]
pub struct Meter {
    begun: SystemTime,
    requests: Mutex<BTreeMap<Key, u64>>,
    times: [AtomicU64; BOUNDS.len() + 1],
    /// Microseconds in all.
    time: AtomicU64,
    bytes: AtomicU64,
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

impl Default for Meter {
    fn default() -> Self {
        Self {
            begun: SystemTime::now(),
            requests: Mutex::default(),
            times: Default::default(),
            time: AtomicU64::default(),
            bytes: AtomicU64::default(),
            connections: AtomicI64::default(),
            edition: Mutex::default(),
            reloads: Default::default(),
            stopping: AtomicBool::default(),
            #[cfg(target_os = "linux")]
            status: std::fs::File::open("/proc/self/status").ok(),
        }
    }
}

impl Observer for Meter {
    fn visited(&self, visit: &Visit<'_>) {
        let key = (visit.route, visit.form, visit.status, visit.coding, visit.family.name);
        *self.requests.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        let micros = u64::try_from(visit.time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.times[bucket].fetch_add(1, Relaxed);
        self.time.fetch_add(micros, Relaxed);
        self.bytes.fetch_add(visit.bytes, Relaxed);
    }

    fn connections(&self, change: i64) {
        self.connections.fetch_add(change, Relaxed);
    }
}

impl Meter {
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
        let mut one = |name: &str, kind: &str, help: &str, value: String| {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n");
        };
        one("diglot_sent_bytes_total", "counter", "Bytes of content in answers.", self.bytes.load(Relaxed).to_string());
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

    fn write_requests(&self, text: &mut String) {
        text.push_str("# HELP diglot_requests_total Requests answered.\n# TYPE diglot_requests_total counter\n");
        for ((route, form, status, coding, agent), count) in &*self.requests.lock().unwrap_or_else(PoisonError::into_inner) {
            let labels = format!("route=\"{route}\",form=\"{form}\",status=\"{status}\",coding=\"{coding}\",agent=\"{agent}\"");
            let _ = writeln!(text, "diglot_requests_total{{{labels}}} {count}");
        }
    }

    fn write_times(&self, text: &mut String) {
        let name = "diglot_request_seconds";
        let _ = write!(text, "# HELP {name} From the head of a request to the head of its answer.\n# TYPE {name} histogram\n");
        let mut sum = 0;
        for (bound, count) in BOUNDS.iter().zip(&self.times) {
            sum += count.load(Relaxed);
            #[allow(clippy::cast_precision_loss, reason = "the bounds are small")]
            let seconds = *bound as f64 / 1e6;
            let _ = writeln!(text, "{name}_bucket{{le=\"{seconds}\"}} {sum}");
        }
        sum += self.times[BOUNDS.len()].load(Relaxed);
        let seconds = Duration::from_micros(self.time.load(Relaxed)).as_secs_f64();
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
        let meter = Meter::default();
        assert!(!meter.is_ready(), "there is no edition yet");
        let visit = |status, micros| Visit {
            method: "GET",
            path: "/",
            route: "home",
            resource: None,
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
        meter.connections(2);
        meter.connections(-1);
        meter.failed();
        let text = meter.prometheus();
        for line in [
            "diglot_requests_total{route=\"home\",form=\"html\",status=\"200\",coding=\"br\",agent=\"Firefox\"} 2",
            "diglot_request_seconds_bucket{le=\"0.00001\"} 1",
            "diglot_request_seconds_bucket{le=\"0.0001\"} 2",
            "diglot_request_seconds_bucket{le=\"1\"} 2",
            "diglot_request_seconds_bucket{le=\"+Inf\"} 3",
            "diglot_request_seconds_count 3",
            "diglot_sent_bytes_total 300",
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
}
