//! The only code that talks to the network: polite, and limited in time, bytes and requests.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::CertificateDer;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

use crate::alone;
use crate::answer::{Answer, Ask, Fetch};
use crate::coding;

/// The `User-Agent` of every request.
const USER_AGENT: &str = concat!("diglot-audit/", env!("CARGO_PKG_VERSION"));
/// How many requests one audit may make.
const MOST_REQUESTS: usize = 600;
/// The limit on one body, coded and decoded, in bytes.
const MOST_BYTES: u64 = 32 << 20;
/// The limit on all bodies together, in bytes.
const MOST_BYTES_IN_ALL: u64 = 256 << 20;
/// How long one answer may take.
const SLOWEST: Duration = Duration::from_secs(20);
/// After how many requests in a row without an answer the audit stops.
const MOST_SILENCES: usize = 4;

/// An HTTP/1.1 client that follows no redirect and stores no cookie. Connections are kept and used
/// again.
#[derive(Clone, Debug)]
pub struct Http {
    agent: ureq::Agent,
}

impl Http {
    /// A client with this `User-Agent`.
    pub fn new(user_agent: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .user_agent(user_agent)
            .accept("")
            .accept_encoding("")
            .max_response_header_size(64 << 10)
            .timeout_connect(Some(Duration::from_secs(10)))
            .tls_config(trusting(&rustls_native_certs::load_native_certs().certs));
        Self {
            agent: config.build().new_agent(),
        }
    }

    /// Sends a request to a URL. The answer has to be complete within `time`, and its body has at
    /// most 32 MiB. Returns it with its length before decoding.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn send(&self, ask: &Ask, url: &str, time: Duration) -> Result<(Answer, u64), String> {
        self.exchange(ask, url, time).map_err(|error| why(&error))
    }

    fn exchange(&self, ask: &Ask, url: &str, time: Duration) -> Result<(Answer, u64), ureq::Error> {
        let mut request = http::Request::builder().method(ask.method).uri(url);
        for (name, value) in &ask.fields {
            request = request.header(*name, value);
        }
        // A POST without a body sends `Content-Length: 0`, which some hosts require.
        let empty: &[u8] = &[];
        let request = self
            .agent
            .configure_request(request.body(empty)?)
            .timeout_global(Some(time))
            .build();
        let mut response = if ask.method == "POST" {
            self.agent.run(request)?
        } else {
            self.agent.run(request.map(|_| ()))?
        };
        let fields = response.headers().iter().map(|(name, value)| {
            (
                name.as_str().to_owned(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        });
        let mut answer = Answer {
            status: response.status().as_u16(),
            fields: fields.collect(),
            ..Answer::default()
        };
        let body = response
            .body_mut()
            .with_config()
            .limit(MOST_BYTES)
            .read_to_vec()?;
        let length = body.len() as u64;
        let coding = answer.coding();
        if body.is_empty() {
            return Ok((answer, length));
        }
        match coding::decode(&coding, &body, MOST_BYTES) {
            Ok(decoded) => answer.body = decoded,
            Err(why) => (answer.body, answer.trouble) = (body, Some(why)),
        }
        Ok((answer, length))
    }
}

/// What one audit sends: one request at a time, with bounds on all of them together.
pub struct Client {
    http: Http,
    deadline: Instant,
    time: Duration,
    requests: usize,
    bytes: u64,
    silences: usize,
    refused: Option<u16>,
}

impl Client {
    /// A client with this much time for the whole audit.
    pub fn new(time: Duration) -> Self {
        Self {
            http: Http::new(USER_AGENT),
            deadline: Instant::now() + time,
            time,
            requests: 0,
            bytes: 0,
            silences: 0,
            refused: None,
        }
    }
}

impl Fetch for Client {
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer {
        if let Some(why) = self.stopped() {
            return Answer::nothing(why);
        }
        self.requests += 1;
        let left = self
            .deadline
            .saturating_duration_since(Instant::now())
            .clamp(Duration::from_millis(1), SLOWEST);
        match self.http.send(ask, url, left) {
            Ok((answer, length)) => {
                self.silences = 0;
                self.bytes += length;
                let refused = matches!(answer.status, 429)
                    || (answer.status == 503 && !answer.field("retry-after").is_empty());
                self.refused = self.refused.or(refused.then_some(answer.status));
                answer
            }
            Err(why) => {
                self.silences += 1;
                Answer::nothing(why)
            }
        }
    }

    fn fetch_alone(&mut self, ask: &Ask, url: &str) -> Answer {
        if let Some(why) = self.stopped() {
            return Answer::nothing(why);
        }
        self.requests += 1;
        let deadline = self.deadline.min(Instant::now() + SLOWEST);
        // A refused connection is an answer here: it does not count as silence.
        alone::exchange(ask, url, USER_AGENT, deadline)
            .unwrap_or_else(|error| Answer::nothing(reason(&error)))
    }

    fn stopped(&self) -> Option<String> {
        if let Some(status) = self.refused {
            return Some(format!("the host asks to be left alone (status {status})"));
        }
        if Instant::now() >= self.deadline {
            return Some(format!("{} s are over (`--timeout`)", self.time.as_secs()));
        }
        if self.silences >= MOST_SILENCES {
            return Some(format!("{MOST_SILENCES} requests in a row had no answer"));
        }
        let enough = self.requests >= MOST_REQUESTS || self.bytes >= MOST_BYTES_IN_ALL;
        enough.then(|| {
            format!(
                "{} requests and {} MB are enough for one audit",
                self.requests,
                self.bytes >> 20
            )
        })
    }
}

/// TLS of a client that trusts these roots.
pub fn trusting(roots: &[CertificateDer<'_>]) -> TlsConfig {
    let roots: Vec<_> = roots
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .build()
}

/// The cause of a failed request, as the failing layer words it.
fn why(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Io(error) => reason(error),
        ureq::Error::Timeout(_) => "no answer in time".into(),
        ureq::Error::HostNotFound => "the host does not exist".into(),
        ureq::Error::BodyExceedsLimit(most) => format!("the body is larger than {} MB", most >> 20),
        other => other.to_string(),
    }
}

/// The operating system's reason, in lower case, without the error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    match letters.next() {
        // Acronyms such as `EOF` keep their case.
        Some(first) if !letters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
