//! Answers each request after it has ended, within bounds: what a client sends later cannot change
//! the answer.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diglot_edition::Edition;
use diglot_http::Payload;
use http::header::{DATE, EXPECT, STRICT_TRANSPORT_SECURITY};
use http::{Method, Request, Response, StatusCode};
use http_body::Body as _;
use hyper::body::Incoming;
use tokio::time::{sleep, timeout};

use super::shared::{Client, FIRST_WINDOW};
use super::{Exchange, Family, checks, date, preview, rate_limit};

/// How long an answer waits for a replacement of a damaged edition.
const LONGEST_REPAIR: Duration = Duration::from_secs(60);

/// What is known about a request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// It ended, or there was none.
    Whole,
    /// It was not read completely.
    Unread,
    /// It is malformed, or its client disconnected.
    Broken,
}

/// Answers a request; `number` counts the requests of its connection from 1.
pub(super) async fn answer(
    client: Arc<Client>,
    number: u64,
    mut request: Request<Incoming>,
) -> Result<Response<Payload>, Infallible> {
    let setup = &client.shared.setup;
    let edition = client.shared.live.load_full();
    let is_ambiguous = client.activity.is_ambiguous(number);
    let body = if request.body().is_end_stream() {
        Body::Whole
    } else if is_ambiguous || request.headers().contains_key(EXPECT) {
        // The end of an ambiguous body is unknown. A client that sent `Expect: 100-continue` gets
        // the final answer instead of a 100 (RFC 9110 section 10.1.1).
        Body::Unread
    } else {
        timeout(setup.limits.head_time, read_out(request.body_mut()))
            .await
            .unwrap_or(Body::Unread)
    };
    // The time in which the client sent its request does not count.
    let begun = (!setup.observers.is_empty()).then(Instant::now);
    let mut answer = client.decide(&edition, &request, is_ambiguous, body);
    if setup.preview.shows_drafts && preview::is_misdirected(&request) {
        answer = diglot_http::refuse(&edition, &request, StatusCode::MISDIRECTED_REQUEST);
    } else if answer.status() == StatusCode::NOT_FOUND
        && let Some(part) = preview::answer(&client, &edition, &request).await
    {
        return Ok(part);
    }
    let mut edition = edition;
    if !edition.is_sound() {
        edition = client.repaired_edition().await;
        answer = if edition.is_sound() {
            client.decide(&edition, &request, is_ambiguous, body)
        } else {
            diglot_http::refuse(&edition, &request, StatusCode::SERVICE_UNAVAILABLE)
        };
    }
    // Other methods are answered as over HTTPS: 405, and OPTIONS, which browsers ask without following
    // a redirect.
    if let Some(redirect) = &setup.redirect
        && !is_refusal(answer.status())
        && matches!(*request.method(), Method::GET | Method::HEAD)
    {
        answer = redirect.answer(&edition, &request);
    }
    if let Some(begun) = begun {
        let exchange = Exchange::new(&edition, &request, &answer, begun.elapsed());
        for observer in &setup.observers {
            observer.answered(&exchange);
        }
    }
    if setup.preview.shows_drafts {
        preview::without_cross_origin(answer.headers_mut());
    }
    if let Some(value) = setup.hsts.as_ref().filter(|_| setup.tls.is_some()) {
        answer
            .headers_mut()
            .insert(STRICT_TRANSPORT_SECURITY, value.clone());
    }
    if let Some(date) = date::own() {
        answer.headers_mut().insert(DATE, date);
    }
    if number >= setup.limits.requests_per_connection || body != Body::Whole {
        checks::close(&mut answer);
    }
    Ok(answer)
}

/// Whether a request is refused wherever it is sent.
fn is_refusal(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::URI_TOO_LONG
            | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
            | StatusCode::TOO_MANY_REQUESTS
    )
}

/// Reads and discards a body, up to the bytes that an HTTP/2 client may send before it receives our
/// settings.
async fn read_out(body: &mut Incoming) -> Body {
    let mut left = FIRST_WINDOW as usize;
    loop {
        let frame = match poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await {
            None => return Body::Whole,
            Some(Err(_)) => return Body::Broken,
            Some(Ok(frame)) => frame,
        };
        let length = frame.data_ref().map_or(0, bytes::Bytes::len);
        if length > left {
            return Body::Unread;
        }
        left -= length;
    }
}

impl Client {
    /// The answer from this edition.
    fn decide(
        &self,
        edition: &Edition,
        request: &Request<Incoming>,
        is_ambiguous: bool,
        body: Body,
    ) -> Response<Payload> {
        if let Some(time) = self.wait(edition, request) {
            rate_limit::too_many_requests(edition, request, time)
        } else if body == Body::Broken {
            // RFC 9112 section 8. An HTTP/2 stream is already reset.
            diglot_http::refuse(edition, request, StatusCode::BAD_REQUEST)
        } else {
            checks::checked_answer(edition, request, is_ambiguous, &self.shared.setup.limits)
        }
    }

    /// How long this client must wait before its next request; `None` if it need not.
    fn wait(&self, edition: &Edition, request: &Request<Incoming>) -> Option<Duration> {
        let setup = &self.shared.setup;
        let rate_limits = setup.rate_limits.as_ref()?;
        let path = request.uri().path();
        let below = path.strip_prefix(edition.site.base.path()).unwrap_or(path);
        if rate_limit::is_exempt(request.method(), below, |path| edition.get(path).is_some()) {
            return None;
        }
        let client = setup.proxies.client(self.address, request.headers())?;
        // A loopback address may be a proxy for many clients.
        if client.is_loopback() {
            return None;
        }
        rate_limits
            .count(
                client,
                Family::from_headers(request.headers()),
                Instant::now(),
            )
            .err()
    }

    /// Waits for the edition that replaces a damaged one, as a start waits for the first.
    async fn repaired_edition(&self) -> Arc<Edition> {
        let begun = Instant::now();
        loop {
            let edition = self.shared.live.load_full();
            if edition.is_sound() || begun.elapsed() > LONGEST_REPAIR {
                return edition;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}
