//! Requests to an authority: HTTPS alone, bounded in time and bytes, with the roots that were read
//! before the process gave up its rights.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as _;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use jiff::{SignedDuration, Timestamp};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use ureq::tls::TlsConfig;

use crate::failure::{Failure, reason};
use crate::polite::retry_after;
use crate::{file, limits};

/// How long one answer may take.
const SLOWEST: Duration = Duration::from_secs(30);
/// The longest answer: a chain of certificates has some kilobytes.
const MOST_BYTES: u64 = 1 << 20;
/// The time until an authority is asked for the window again, if it names none (RFC 9773 section
/// 4.3.3).
const DEFAULT_PAUSE: HeaderValue = HeaderValue::from_static("21600");

/// What carries a request to an authority.
pub(super) trait Transport: Send + Sync {
    /// The answer, or why there is none.
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Bytes>, String>;
}

/// The client of one process.
#[derive(Clone)]
pub(super) struct Http {
    transport: Arc<dyn Transport>,
    /// How long the authority wants to be left alone, as its last refusal said.
    pause: Arc<Mutex<Option<SignedDuration>>>,
}

impl Http {
    /// A client that trusts the roots in this file, or the system's.
    pub(super) fn new(roots: Option<&Path>) -> Result<Self, Failure> {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .https_only(true)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("diglot/", env!("CARGO_PKG_VERSION")))
            .max_response_header_size(64 << 10)
            .timeout_global(Some(SLOWEST))
            .tls_config(tls(roots)?);
        Ok(Self::over(Network(config.build().new_agent())))
    }

    pub(super) fn over(transport: impl Transport + 'static) -> Self {
        Self {
            transport: Arc::new(transport),
            pause: Arc::default(),
        }
    }

    /// How long the authority wants to be left alone, since this was last asked.
    pub(super) fn pause(&self) -> Option<SignedDuration> {
        self.pause
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn exchange(&self, request: Request<Vec<u8>>) -> Result<Response<Bytes>, String> {
        let is_get = *request.method() == Method::GET;
        let mut answer = self.transport.send(request)?;
        let status = answer.status();
        if is_busy(status) {
            let pause = asked_pause(answer.headers(), Timestamp::now());
            *self.pause.lock().unwrap_or_else(PoisonError::into_inner) = pause;
        }
        if is_unexplained(status, answer.headers()) {
            return Err(format!("the authority answered {status}"));
        }
        if is_get && !answer.headers().contains_key(RETRY_AFTER) {
            answer.headers_mut().insert(RETRY_AFTER, DEFAULT_PAUSE);
        }
        Ok(answer)
    }
}

/// HTTPS.
struct Network(ureq::Agent);

impl Transport for Network {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Bytes>, String> {
        let answer = match request.body().is_empty() {
            true => self.0.run(request.map(|_| ())),
            false => self.0.run(request),
        };
        let mut answer = answer.map_err(|error| why(&error))?;
        let body = answer.body_mut().with_config().limit(MOST_BYTES);
        let body = body.read_to_vec().map_err(|error| why(&error))?;
        Ok(answer.map(|_| body.into()))
    }
}

impl HttpClient for Http {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = self.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let request = Request::from_parts(parts, whole(body).await);
            let sent = tokio::task::spawn_blocking(move || client.exchange(request)).await;
            let answer = sent.map_err(|error| Error::Other(Box::new(error)))?;
            let (parts, body) = answer.map_err(|why| Error::Other(why.into()))?.into_parts();
            Ok(BytesResponse {
                parts,
                body: Box::new(body),
            })
        })
    }
}

/// The bytes of a body that is ready.
async fn whole(body: BodyWrapper<Bytes>) -> Vec<u8> {
    let (mut body, mut bytes) = (pin!(body), Vec::new());
    while let Some(Ok(frame)) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
    }
    bytes
}

/// TLS with the roots in a file, or the system's.
fn tls(roots: Option<&Path>) -> Result<TlsConfig, Failure> {
    let roots = match roots {
        Some(file) => roots_in(file)?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    if roots.is_empty() {
        return Err(Failure::machine(
            "the system has no root certificates to trust the authority by",
        )
        .hint("install them (`ca-certificates`), or name a file with `--acme-ca`"));
    }
    Ok(diglot_audit::trusting(&roots))
}

/// The root certificates in a file.
pub(super) fn roots_in(path: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    const HINT: &str = "`--acme-ca` names a PEM file with the root certificates of the authority";
    let bytes = file::read(path, limits::PEM_BYTES);
    let bytes = bytes.map_err(|error| Failure::named_file(path, &error, HINT))?;
    let roots: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    roots.ok().filter(|roots| !roots.is_empty()).ok_or_else(|| {
        Failure::usage(format!("`{}` contains no certificate", path.display())).hint(HINT)
    })
}

/// Whether the authority refuses for a time.
fn is_busy(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    )
}

/// Whether an answer is an error without a problem document (RFC 8555 section 6.7).
fn is_unexplained(status: StatusCode, headers: &HeaderMap) -> bool {
    let media_type = headers
        .get(CONTENT_TYPE)
        .map_or(&[][..], HeaderValue::as_bytes);
    (status.is_client_error() || status.is_server_error())
        && !media_type.starts_with(b"application/problem+json")
}

/// How long the authority asks to be left alone; more than a century is a mistake.
fn asked_pause(headers: &HeaderMap, now: Timestamp) -> Option<SignedDuration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    let wait = retry_after(value, now).filter(|wait| wait.as_secs() <= u32::MAX.into());
    wait?.try_into().ok()
}

/// Why there is no answer.
fn why(error: &ureq::Error) -> String {
    let why = match error {
        ureq::Error::Io(error) => reason(error),
        ureq::Error::Timeout(_) => "no answer in time".to_owned(),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        other => other.to_string(),
    };
    format!("the authority cannot be reached: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(value: &'static str) -> Option<i64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        asked_pause(&headers, now).map(|time| time.as_secs())
    }

    #[test]
    fn a_pause_is_in_seconds_or_until_a_date() {
        assert_eq!(after("120"), Some(120));
        assert_eq!(after("Tue, 14 Nov 2023 23:13:20 GMT"), Some(3600));
        assert_eq!(after("Fri, 31 Dec 1999 23:59:59 GMT"), Some(0));
        for wrong in ["", "-1", "soon", "99999999999"] {
            assert_eq!(after(wrong), None, "{wrong}");
        }
    }
}
