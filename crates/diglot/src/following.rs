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

#[derive(Debug)]
struct Known {
    /// When everything was as it should be; until then, when this process began.
    good: Instant,
    /// The number of the live edition, and when it was published.
    live: Option<(u64, Timestamp)>,
    newest: Option<u64>,
    bytes: u64,
    refusals: u64,
    failed: Option<String>,
}

impl Known {
    fn new() -> Self {
        Self {
            good: Instant::now(),
            live: None,
            newest: None,
            bytes: 0,
            refusals: 0,
            failed: None,
        }
    }

    /// `None`: the newest number is not known.
    fn lag(&self) -> Option<u64> {
        let (number, _) = self.live.unwrap_or_default();
        Some(self.newest?.saturating_sub(number))
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
            known: Mutex::new(Known::new()),
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
            known.good = Instant::now();
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
        let shown = |number: Option<u64>| match number {
            Some(number) => number.to_string(),
            None => "unknown".to_owned(),
        };
        let _ = write!(
            text,
            "newest: {}\nlag: {}\nfetched: {} bytes\nrefused: {}\nstore: {}\n",
            shown(known.newest),
            shown(known.lag()),
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
        if let Some(lag) = known.lag() {
            let about = "How many editions of the store are newer than the live one.";
            values.push(("diglot_replica_lag", "gauge", about, lag));
        }
        let about = "Since the store was last followed without a failure, or else since the start.";
        let seconds = known.good.elapsed().as_secs();
        values.push(("diglot_replica_store_seconds", "gauge", about, seconds));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(following: &Following) -> Vec<&'static str> {
        following.values().iter().map(|value| value.0).collect()
    }

    #[test]
    fn before_the_store_was_reached_its_age_is_told_and_no_lag() {
        let (orders, _) = std::sync::mpsc::sync_channel(1);
        let following = Following::new(orders);
        let failed = Some("cannot connect".to_owned());
        following.heard(Heard {
            failed,
            ..Heard::default()
        });
        assert!(names(&following).contains(&"diglot_replica_store_seconds"));
        assert!(!names(&following).contains(&"diglot_replica_lag"));
        assert!(following.lines(None).contains("\nlag: unknown\n"));
        following.live(2, Timestamp::UNIX_EPOCH);
        following.heard(Heard {
            newest: Some(3),
            ..Heard::default()
        });
        assert!(names(&following).contains(&"diglot_replica_lag"));
        assert!(following.lines(None).contains("newest: 3\nlag: 1\n"));
    }
}
