//! What a replica knows of the store that it follows, for `/readyz` and the metrics, and the orders
//! to the process that fetches.

use std::fmt::Write;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::Timestamp;

/// A metric: name, kind, what it is, value.
pub type Value = (&'static str, &'static str, &'static str, u64);

/// What is known of a store.
#[derive(Debug)]
pub struct Following {
    known: Mutex<Known>,
    orders: SyncSender<String>,
}

/// What the process that fetches tells.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The highest number in the store.
    pub newest: Option<u64>,
    /// The bytes that were fetched since the last time.
    pub bytes: u64,
    /// The editions that were refused since the last time.
    pub refusals: u64,
    /// Why the store was not followed this time.
    pub failed: Option<String>,
}

#[derive(Debug, Default)]
struct Known {
    /// The number of the live edition, and when it was published.
    live: Option<(u64, Timestamp)>,
    newest: Option<u64>,
    bytes: u64,
    refusals: u64,
    /// When everything was as it should be.
    good: Option<Instant>,
    failed: Option<String>,
}

impl Known {
    fn lag(&self) -> u64 {
        let (number, _) = self.live.unwrap_or_default();
        self.newest.unwrap_or_default().saturating_sub(number)
    }

    /// Seconds since the live edition was published.
    fn age(&self, now: Timestamp) -> u64 {
        let age = self
            .live
            .map(|(_, published)| now.duration_since(published));
        age.and_then(|age| u64::try_from(age.as_secs()).ok())
            .unwrap_or_default()
    }
}

impl Following {
    /// Nothing is known yet. Orders go to `orders`.
    pub fn new(orders: SyncSender<String>) -> Self {
        Self {
            known: Mutex::default(),
            orders,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives an order. It is dropped if too many wait.
    pub fn order(&self, order: &str) {
        let _ = self.orders.try_send(order.to_owned());
    }

    /// Records what the process that fetches tells.
    pub fn heard(&self, heard: Heard) {
        let mut known = self.known();
        known.newest = heard.newest.or(known.newest);
        known.bytes += heard.bytes;
        known.refusals += heard.refusals;
        if heard.failed.is_none() {
            known.good = Some(Instant::now());
        }
        known.failed = heard.failed;
    }

    /// Records the live edition.
    pub fn live(&self, number: u64, published: Timestamp) {
        self.known().live = Some((number, published));
    }

    /// The number of the live edition.
    pub fn number(&self) -> Option<u64> {
        self.known().live.map(|(number, _)| number)
    }

    /// Lines of a name and a value.
    pub fn lines(&self, id: Option<&str>) -> String {
        let known = self.known();
        let mut text = String::new();
        if let (Some(id), Some((number, published))) = (id, known.live) {
            let age = known.age(Timestamp::now());
            let _ = write!(
                text,
                "edition: {id}\nnumber: {number}\npublished: {published}\nage: {age} s\n"
            );
        }
        let newest = known
            .newest
            .map_or_else(|| "unknown".to_owned(), |it| it.to_string());
        let _ = write!(
            text,
            "newest: {newest}\nlag: {}\nfetched: {} bytes\nrefused: {}\nstore: {}\n",
            known.lag(),
            known.bytes,
            known.refusals,
            known.failed.as_deref().unwrap_or("followed"),
        );
        text
    }

    /// The metrics.
    pub fn values(&self) -> Vec<Value> {
        let known = self.known();
        let mut values = vec![
            (
                "diglot_replica_lag",
                "gauge",
                "How many editions of the store are newer than the live one.",
                known.lag(),
            ),
            (
                "diglot_replica_fetched_bytes_total",
                "counter",
                "Bytes that were fetched from the store.",
                known.bytes,
            ),
            (
                "diglot_replica_refusals_total",
                "counter",
                "How often an edition was refused.",
                known.refusals,
            ),
        ];
        if let Some((number, _)) = known.live {
            let (about, age) = (
                "The number of the live edition.",
                "Since the live edition was published.",
            );
            values.push(("diglot_replica_edition", "gauge", about, number));
            let seconds = known.age(Timestamp::now());
            values.push(("diglot_replica_edition_age_seconds", "gauge", age, seconds));
        }
        if let Some(good) = known.good {
            let about = "Since the store was last followed without a failure.";
            let seconds = good.elapsed().as_secs();
            values.push(("diglot_replica_store_seconds", "gauge", about, seconds));
        }
        values
    }
}
