//! The live preview: a page that shows the site in a frame, and reloads the frame after an edit.
//!
//! The page, its script and the events are answered here, beside the edition, so that no published
//! byte differs from what `diglot build` writes. Their paths begin with `/_/preview`, where an
//! edition has nothing: names of assets there contain a digest. The server answers them only on a
//! loopback address and without a base URL.

mod guard;

use std::time::Duration;

use bytes::Bytes;
use diglot_edition::{Body, Edition};
use diglot_http::Payload;
use http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use tokio::time::{Instant, sleep};

use super::Live;
use super::reaper::Signal;
use super::shared::Client;
pub(super) use guard::{is_misdirected, without_cross_origin};

/// The path of the page. What follows is the path of the page that it shows.
pub const ROOT: &str = "/_/preview";
const SCRIPT: &str = "/_/preview.js";
const STYLE: &str = "/_/preview.css";
const EVENTS: &str = "/_/preview.events";

/// How long a request for events waits for an edition. Shorter than the time after which a
/// connection counts as idle; the browser asks again.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// How often a waiting request looks for a new edition.
const LOOK: Duration = Duration::from_millis(50);

/// The page may run our script, show this site and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; \
                      connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/// What a preview has beside the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// Whether the page that reloads itself is answered.
    pub reloads: bool,
    /// Whether drafts are shown: then requests that may be from elsewhere are refused.
    pub shows_drafts: bool,
}

/// Something of the live preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Page,
    Script,
    Style,
    Events,
}

impl Part {
    fn from_path(path: &str) -> Option<Self> {
        match path {
            SCRIPT => Some(Self::Script),
            STYLE => Some(Self::Style),
            EVENTS => Some(Self::Events),
            ROOT => Some(Self::Page),
            _ => path
                .strip_prefix(ROOT)?
                .starts_with('/')
                .then_some(Self::Page),
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Page => "text/html; charset=utf-8",
            Self::Script => "text/javascript; charset=utf-8",
            Self::Style => "text/css; charset=utf-8",
            Self::Events => "text/event-stream",
        }
    }
}

/// The answer to a request for the live preview that the site itself does not answer.
pub(super) async fn answer<B>(
    client: &Client,
    edition: &Edition,
    request: &Request<B>,
) -> Option<Response<Payload>> {
    let is_on = client.shared.setup.preview.reloads;
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let part = Part::from_path(request.uri().path()).filter(|_| is_on && is_read)?;
    let text = match part {
        Part::Page => Bytes::from_static(include_bytes!("live.html")),
        Part::Script => Bytes::from_static(include_bytes!("live.js")),
        Part::Style => Bytes::from_static(include_bytes!("live.css")),
        Part::Events => {
            let known = request.headers().get("last-event-id");
            let known = known.map_or_else(|| edition.id.to_string(), text_of);
            let id = next(client, &known).await;
            event(&id, id != known).into()
        }
    };
    let length = text.len() as u64;
    let payload = match *request.method() {
        Method::HEAD => Payload::empty(),
        _ => Payload::whole(&Body::from(text)),
    };
    let mut answer = Response::new(payload);
    *answer.status_mut() = StatusCode::OK;
    let fields = answer.headers_mut();
    fields.insert(CONTENT_TYPE, HeaderValue::from_static(part.media_type()));
    fields.insert(CONTENT_LENGTH, HeaderValue::from(length));
    fields.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    fields.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    fields.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Some(answer)
}

fn text_of(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// The id of the live edition, once it is another than the known one, the server stops, or the time
/// is up.
async fn next(client: &Client, known: &str) -> String {
    let begun = Instant::now();
    loop {
        let id = id(&client.shared.live);
        let stops = *client.shared.signals.borrow() == Signal::Stopping;
        if id != known || stops || begun.elapsed() >= LONGEST_WAIT {
            return id;
        }
        sleep(LOOK).await;
    }
}

fn id(live: &Live) -> String {
    live.load().id.to_string()
}

/// A stream of one server-sent event (HTML, section 9.2). The stream ends after it; the browser
/// opens the next one and sends the id, so that no edition is missed. Without news the stream only
/// sets the id.
fn event(id: &str, is_new: bool) -> String {
    let name = if is_new { "edition" } else { "still" };
    format!("retry: 300\nid: {id}\nevent: {name}\ndata: {id}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_live_preview() {
        let check = |path: &str, expected| assert_eq!(Part::from_path(path), expected, "{path}");
        check("/_/preview", Some(Part::Page));
        check("/_/preview/articles/a.html", Some(Part::Page));
        check("/_/preview.js", Some(Part::Script));
        check("/_/preview.css", Some(Part::Style));
        check("/_/preview.events", Some(Part::Events));
        check("/_/preview.0123abcd.js", None);
        check("/_/previews", None);
        check("/", None);
    }
}
