//! An endpoint that keeps to the documented limits of Cloudflare's `purge_cache`, refuses what breaks
//! them, and fails as networks do.
//!
//! Limits: <https://developers.cloudflare.com/cache/how-to/purge-cache/>, of the smallest plan.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::Value;

use super::site::Site;
use crate::server::free_port;
use xtask::shell::{self, scratch};

const ZONE: &str = "0123456789abcdef0123456789abcdef";
const TOKEN: &str = "purge-token-that-nobody-may-see";
/// URLs in one request, at most.
const MOST: usize = 100;
/// URLs a second, and at once.
const RATE: f64 = 800.0;
const ARTICLES: usize = 120;

/// What the endpoint saw.
#[derive(Default)]
struct Seen {
    purged: BTreeSet<String>,
    requests: usize,
    /// Requests that broke a rule.
    refused: Vec<String>,
    /// Requests that were answered 429 because they came too fast.
    slowed: usize,
}

/// The endpoint, for as long as the process runs.
struct Endpoint {
    authority: String,
    seen: Arc<Mutex<Seen>>,
}

/// How a request ends, on purpose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// Purged, and the connection ends without an answer.
    Silence,
    /// Purged, and the answer is 502.
    BadGateway,
    /// Nothing is purged: 429, try again in a second.
    Busy,
}

impl Endpoint {
    fn start(host: &str) -> Result<Self, String> {
        let authority = format!("127.0.0.1:{}", free_port()?);
        let listener = TcpListener::bind(&authority).map_err(|error| error.to_string())?;
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (shared, host) = (Arc::clone(&seen), host.to_owned());
        std::thread::spawn(move || {
            let mut bucket = Bucket::full();
            for socket in listener.incoming().flatten() {
                // A client that disconnects is not a failure of the endpoint.
                let _ = answer(socket, &host, &shared, &mut bucket);
            }
        });
        Ok(Self { authority, seen })
    }

    fn take(&self) -> Result<Seen, String> {
        let mut seen = self.seen.lock().map_err(|error| error.to_string())?;
        Ok(std::mem::take(&mut seen))
    }
}

/// URLs that may be purged now.
struct Bucket {
    tokens: f64,
    since: Instant,
}

impl Bucket {
    fn full() -> Self {
        Self {
            tokens: RATE,
            since: Instant::now(),
        }
    }

    fn take(&mut self, count: usize) -> bool {
        let now = Instant::now();
        let more = now.duration_since(self.since).as_secs_f64() * RATE;
        (self.tokens, self.since) = ((self.tokens + more).min(RATE), now);
        let enough = self.tokens >= count as f64;
        if enough {
            self.tokens -= count as f64;
        }
        enough
    }
}

struct Request {
    line: String,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn read(socket: &TcpStream) -> std::io::Result<Self> {
        let mut reader = BufReader::new(socket);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut fields = Vec::new();
        loop {
            let mut field = String::new();
            reader.read_line(&mut field)?;
            let Some((name, value)) = field.trim_end().split_once(": ") else {
                break;
            };
            fields.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut request = Self {
            line: line.trim_end().to_owned(),
            fields,
            body: Vec::new(),
        };
        let length = request.field("content-length").parse().unwrap_or(0);
        request.body = vec![0; length];
        reader.read_exact(&mut request.body)?;
        Ok(request)
    }

    fn field(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// The URLs, or the status and message of the refusal.
    fn urls(&self, host: &str) -> Result<Vec<String>, (u16, &'static str)> {
        if self.line != format!("POST /client/v4/zones/{ZONE}/purge_cache HTTP/1.1") {
            return Err((404, "Could not route"));
        }
        if self.field("authorization") != format!("Bearer {TOKEN}") {
            return Err((403, "Authentication error"));
        }
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let files = body["files"]
            .as_array()
            .ok_or((400, "Request must contain `files`"))?;
        if self.field("content-type") != "application/json"
            || files.is_empty()
            || files.len() > MOST
        {
            return Err((400, "Between 1 and 100 URLs"));
        }
        let urls: Option<Vec<String>> = files
            .iter()
            .map(|url| url.as_str().map(str::to_owned))
            .collect();
        urls.filter(|urls| urls.iter().all(|url| url.starts_with(&format!("{host}/"))))
            .ok_or((400, "Unable to purge: not a URL of the zone"))
    }
}

fn answer(
    mut socket: TcpStream,
    host: &str,
    seen: &Mutex<Seen>,
    bucket: &mut Bucket,
) -> std::io::Result<()> {
    let request = Request::read(&socket)?;
    let Ok(mut seen) = seen.lock() else {
        return Ok(());
    };
    seen.requests += 1;
    let urls = match request.urls(host) {
        Ok(urls) => urls,
        Err((status, message)) => {
            seen.refused.push(message.to_owned());
            return reply(&mut socket, status, "", message);
        }
    };
    if !bucket.take(urls.len()) {
        seen.slowed += 1;
        return reply(&mut socket, 429, "Retry-After: 1\r\n", "Rate limited");
    }
    let fault = match seen.requests % 7 {
        2 => Fault::Silence,
        4 => Fault::BadGateway,
        6 => Fault::Busy,
        _ => Fault::None,
    };
    if fault != Fault::Busy {
        seen.purged.extend(urls);
    }
    match fault {
        Fault::None => reply(&mut socket, 200, "", ""),
        Fault::Silence => Ok(()),
        Fault::BadGateway => reply(&mut socket, 502, "", "Bad gateway"),
        Fault::Busy => reply(&mut socket, 429, "Retry-After: 1\r\n", "Rate limited"),
    }
}

fn reply(socket: &mut TcpStream, status: u16, fields: &str, message: &str) -> std::io::Result<()> {
    let errors = match message {
        "" => String::new(),
        message => format!("{{\"code\":{status},\"message\":\"{message}\"}}"),
    };
    let body = format!(
        "{{\"success\":{},\"errors\":[{errors}]}}",
        message.is_empty()
    );
    let length = body.len();
    write!(
        socket,
        "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n{fields}\r\n{body}"
    )
}

/// The first publication purges every address, an edit only what changed; a wrong token is refused
/// at once.
pub(super) fn run(binary: &Path) -> Result<Vec<String>, String> {
    let host = "https://purged.example";
    let site = Site::new(&scratch("purge")?, host, ARTICLES)?;
    let endpoint = Endpoint::start(host)?;
    let zone = format!("cloudflare:{ZONE}");
    let mut failures = Vec::new();
    let mut published = 0;
    for edit in [false, true] {
        if edit {
            site.edit()?;
        }
        let expected = site.purged(binary, &["--dry-run", "--json", "--purge-command", "true"])?;
        let (code, said) = publish(binary, &site, &endpoint, &zone, TOKEN)?;
        let seen = endpoint.take()?;
        published += seen.purged.len();
        let shown = format!(
            "status {code:?}, {} of {} purged in {} requests, {} too fast, refused: {:?}\n{said}",
            seen.purged.len(),
            expected.len(),
            seen.requests,
            seen.slowed,
            seen.refused
        );
        if code != Some(0) || seen.purged != expected || !seen.refused.is_empty() || seen.slowed > 0
        {
            failures.push(format!("Cloudflare: {shown}"));
        }
    }
    let (code, said) = publish(binary, &site, &endpoint, &zone, "another-token")?;
    let seen = endpoint.take()?;
    if code != Some(3) || seen.requests != 1 || said.contains("another-token") {
        failures.push(format!(
            "Cloudflare: a wrong token ended with {code:?} after {} requests\n{said}",
            seen.requests
        ));
    }
    println!("Cloudflare's interface: {published} URLs purged, with faults");
    Ok(failures)
}

/// Publishes; the exit status, and everything that was said.
fn publish(
    binary: &Path,
    site: &Site,
    endpoint: &Endpoint,
    zone: &str,
    token: &str,
) -> Result<(Option<i32>, String), String> {
    let mut command = site.command(binary, &["--purge", zone]);
    command.env("CLOUDFLARE_API_TOKEN", token).env(
        "CLOUDFLARE_BASE_URL",
        format!("http://{}/client/v4", endpoint.authority),
    );
    let ran = shell::output(&mut command)?;
    let said = [ran.stdout, ran.stderr].concat();
    Ok((
        ran.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    ))
}
