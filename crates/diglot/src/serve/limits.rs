//! What a connection may cost us, in one place, each with its reason.

use std::time::Duration;

/// The limits of the server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's head: 431 beyond. RFC 9110 section 5.4 names no size; browsers stay far below 16 KiB, and cookies are none of ours.
    pub head_bytes: usize,
    /// Header fields of a request: 431 beyond.
    pub head_fields: usize,
    /// How long a TLS handshake may take, the first byte included.
    pub handshake_time: Duration,
    /// How long a request's head may take from its first byte to its last: slow writers do not hold a connection.
    pub head_time: Duration,
    /// How long a connection may lie idle, or a reader may take no byte.
    pub idle_time: Duration,
    /// How long open requests may take to finish once the server is told to stop.
    pub drain_time: Duration,
    /// Concurrent HTTP/2 streams of one connection (RFC 9113 section 5.1.2 recommends no fewer than 100).
    pub streams: u32,
    /// Streams that a client may reset, beside every second one that it opened: beyond, the connection is dropped (CVE-2023-44487, "rapid reset").
    pub resets: u64,
    /// HTTP/2 frames that ask for nothing (SETTINGS, PING, PRIORITY, ...), beside what each request and each answer's bytes allow: beyond, the connection is dropped.
    pub frames: u64,
    /// Bytes kept ready for sending on one HTTP/2 stream, so that slow readers cost little memory.
    pub send_buffer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head_bytes: 32 * 1024,
            head_fields: 100,
            handshake_time: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(60),
            drain_time: Duration::from_secs(30),
            streams: 128,
            resets: 128,
            frames: 1024,
            send_buffer: 64 * 1024,
        }
    }
}
