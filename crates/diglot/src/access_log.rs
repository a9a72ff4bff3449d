//! The access log: one line per request on the standard error, written by its own thread so that no
//! answer waits for a terminal or a pipe.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::serve::{Exchange, Observer};
use crate::terminal::{self, Format};

/// Capacity of the queue; lines beyond it are only counted.
const WAITING: usize = 4_096;
/// Longer paths are truncated to this many bytes.
const LONGEST: usize = 1_000;

/// The sending side of the queue.
pub struct AccessLog {
    lines: SyncSender<String>,
    lost: Arc<AtomicU64>,
}

impl AccessLog {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system's, if the thread cannot be started.
    pub fn start() -> io::Result<Self> {
        let (lines, waiting) = sync_channel(WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&lost);
        thread::Builder::new()
            .name("diglot-log".into())
            .spawn(move || write(&waiting, &counter))?;
        Ok(Self { lines, lost })
    }
}

impl Observer for AccessLog {
    fn answered(&self, exchange: &Exchange<'_>) {
        if self
            .lines
            .try_send(line(exchange, terminal::format()))
            .is_err()
        {
            self.lost.fetch_add(1, Relaxed);
        }
    }
}

/// Writes all queued lines at once, until the server is gone.
fn write(waiting: &Receiver<String>, lost: &AtomicU64) {
    while let Ok(mut text) = waiting.recv() {
        text.extend(waiting.try_iter().take(WAITING));
        let _ = io::stderr().write_all(text.as_bytes());
        match lost.swap(0, Relaxed) {
            0 => {}
            lost => terminal::say(format!(
                "warning: {lost} requests are not in the log: the server received them faster than it could write"
            )),
        }
    }
}

/// `diglot: GET /articles/first.html 200 article html br 5120 bytes 0.041 ms Firefox`
fn line(exchange: &Exchange<'_>, format: Format) -> String {
    let path = match exchange.path.get(..LONGEST).unwrap_or(exchange.path) {
        // CONNECT has none.
        "" => "-",
        path => path,
    };
    let millis = exchange.time.as_secs_f64() * 1e3;
    match format {
        Format::Text => format!(
            "diglot: {} {path} {} {} {} {} {} bytes {millis:.3} ms {}\n",
            exchange.method,
            exchange.status,
            exchange.kind(),
            exchange.form,
            exchange.coding,
            exchange.bytes,
            exchange.family.name
        ),
        Format::Json => json_line(exchange, path, millis),
    }
}

fn json_line(exchange: &Exchange<'_>, path: &str, millis: f64) -> String {
    let line = serde_json::json!({
                "time": terminal::now(), "level": "info", "message": "request", "method": exchange.method, "path": path, "status": exchange.status,
                "route": exchange.kind(), "form": exchange.form, "coding": exchange.coding, "bytes": exchange.bytes, "ms": (millis * 1e3).round() / 1e3,
                "agent": exchange.family.name, "kind": exchange.family.kind.name(),
    });
    format!("{line}\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::serve::Family;

    #[test]
    fn a_request_is_one_line_in_both_formats() {
        let path = format!("/a\"b{}", "x".repeat(2_000));
        let exchange = Exchange {
            method: "GET",
            path: &path,
            resource: None,
            resource_path: None,
            form: "html",
            status: 404,
            coding: "identity",
            bytes: 10,
            time: Duration::from_micros(1_234),
            family: Family::named("Firefox"),
        };
        let json: serde_json::Value = serde_json::from_str(&line(&exchange, Format::Json)).unwrap();
        assert_eq!(
            (
                json["status"].as_u64(),
                json["ms"].as_f64(),
                json["kind"].as_str()
            ),
            (Some(404), Some(1.234), Some("human"))
        );
        assert_eq!(json["path"].as_str().unwrap().len(), LONGEST);
        let text = line(&exchange, Format::Text);
        assert!(
            text.ends_with(" 404 none html identity 10 bytes 1.234 ms Firefox\n")
                && text.matches('\n').count() == 1,
            "{text}"
        );
        let connect = Exchange {
            method: "OTHER",
            path: "",
            ..exchange
        };
        let text = line(&connect, Format::Text);
        assert!(text.starts_with("diglot: OTHER - 404 "), "{text}");
    }
}
