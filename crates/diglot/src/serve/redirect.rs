//! The port of plain HTTP beside the one of HTTPS: it sends clients there, and answers an
//! authority's challenge.

use bytes::Bytes;
use diglot_edition::{Body, Edition};
use diglot_http::Payload;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HOST};
use http::uri::Authority;
use http::{HeaderValue, Method, Request, Response};

use super::Tls;

/// Where challenges are asked for (RFC 8555 section 8.3).
const CHALLENGES: &str = "/.well-known/acme-challenge/";

/// The port that speaks plain HTTP, and answers nothing of the site.
#[derive(Clone)]
pub struct Redirect {
    /// The endpoint to which clients are sent.
    pub tls: Tls,
}

impl Redirect {
    /// The answer to a GET or HEAD that is well formed.
    pub(super) fn answer<B>(&self, edition: &Edition, request: &Request<B>) -> Response<Payload> {
        let path = request.uri().path();
        let token = path.strip_prefix(CHALLENGES);
        if let Some(challenges) = self.tls.challenges()
            && let Some(answer) = token.and_then(|token| challenges.answer(token))
        {
            return shown(request, answer);
        }
        let target = request.uri().path_and_query();
        let target = target.map_or("/", |target| target.as_str());
        // Targets that begin with a host.
        let target = if target.starts_with('/') { target } else { "/" };
        let location = format!("{}{target}", self.origin(edition, request));
        diglot_http::redirect(edition, location)
    }

    /// `https://` with the host that was asked for, if the certificate is for it; else with that of
    /// the base URL.
    fn origin<B>(&self, edition: &Edition, request: &Request<B>) -> String {
        let base = edition.site.base.origin();
        let (_, own) = base.split_once("://").unwrap_or_default();
        let asked = request.headers().get(HOST).map(HeaderValue::as_bytes);
        let asked = asked.and_then(|host| Authority::try_from(host).ok());
        let asked = asked.filter(|asked| self.tls.is_for(asked.host()));
        let port = own.rsplit_once(':').map(|(_, port)| port);
        let port = port.and_then(|port| port.parse::<u16>().ok());
        match (asked, port) {
            (Some(asked), Some(port)) => format!("https://{}:{port}", asked.host()),
            (Some(asked), None) => format!("https://{}", asked.host()),
            (None, _) => format!("https://{own}"),
        }
    }
}

/// What an authority asked for.
fn shown<B>(request: &Request<B>, answer: String) -> Response<Payload> {
    let length = answer.len();
    let body = match *request.method() == Method::HEAD {
        true => Payload::empty(),
        false => Payload::whole(&Body::from(Bytes::from(answer))),
    };
    let mut answer = Response::new(body);
    let headers = answer.headers_mut();
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("application/octet-stream"),
    );
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
