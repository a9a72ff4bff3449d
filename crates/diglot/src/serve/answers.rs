//! The answers on one connection: each once its request is whole, within bounds, so that what a client still sends cannot overtake it.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use diglot_edition::Edition;
use diglot_http::Payload;
use http::header::{DATE, EXPECT};
use http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::Service;
use tokio::time::{sleep, timeout};

use super::connection::{FIRST_WINDOW, Shared};
use super::line::{Command, Line};
use super::{Family, Visit, date, rate_limit, service};

/// Answers the requests of one connection.
#[derive(Clone)]
pub(super) struct Answers {
    shared: Arc<Shared>,
    line: Arc<Line>,
    peer: IpAddr,
}

/// Which request of its connection one is, from 1.
#[derive(Clone, Copy)]
struct Number {
    number: u64,
    /// Whether the scanner saw both length fields.
    ambiguous: bool,
}

/// One request on its way to its answer.
#[derive(Clone, Copy)]
struct Asked {
    /// When its answer was begun, where somebody observes that.
    begun: Option<Instant>,
    number: Number,
    body: Body,
}

/// How long an answer waits for an edition in the place of a damaged one.
const LONGEST_REPAIR: Duration = Duration::from_secs(60);

impl Answers {
    pub(super) fn new(shared: Arc<Shared>, line: Arc<Line>, peer: IpAddr) -> Self {
        Self { shared, line, peer }
    }

    /// Now, where somebody observes how long answers take.
    fn begun(&self) -> Option<Instant> {
        (!self.shared.setup.observers.is_empty()).then(Instant::now)
    }

    /// The answer of this edition; nobody has been told of it.
    fn decide(&self, edition: &Edition, request: &Request<Incoming>, number: Number, body: Body) -> Response<Payload> {
        match self.wait(edition, request) {
            Some(time) => service::later(edition, request, time),
            None if body == Body::Broken => service::broken(edition, request),
            None => service::answer(edition, request, number.ambiguous, self.shared.limits()),
        }
    }

    /// What every answer gets at the end, and who is told of it.
    fn finish(&self, edition: &Edition, request: &Request<Incoming>, asked: Asked, mut answer: Response<Payload>) -> Response<Payload> {
        if let Some(begun) = asked.begun {
            let visit = Visit::of(edition, request, &answer, begun.elapsed());
            self.shared.setup.observers.iter().for_each(|observer| observer.visited(&visit));
        }
        if let Some(date) = date::own() {
            answer.headers_mut().insert(DATE, date);
        }
        if asked.number.number >= self.shared.limits().requests_per_connection {
            self.line.tell(Command::Finish);
            service::close(&mut answer);
        } else if asked.body != Body::Whole {
            service::close(&mut answer);
        }
        answer
    }

    /// The answer once the request has been read to its end, or as far as it will be.
    async fn answer_later(self, edition: Arc<Edition>, mut request: Request<Incoming>, mut asked: Asked) -> Response<Payload> {
        let time = self.shared.limits().head_time;
        asked.body = timeout(time, read_out(request.body_mut())).await.unwrap_or(Body::Unread);
        // What the client took to send its request is not the answer's time.
        asked.begun = self.begun();
        let answer = self.decide(&edition, &request, asked.number, asked.body);
        if edition.is_sound() { self.finish(&edition, &request, asked, answer) } else { self.answer_repaired(request, asked).await }
    }

    /// The answer of the edition that takes the place of a damaged one. It is waited for as the first one is at a start.
    async fn answer_repaired(self, request: Request<Incoming>, asked: Asked) -> Response<Payload> {
        let begun = Instant::now();
        let edition = loop {
            let edition = self.shared.live.load_full();
            if edition.is_sound() || begun.elapsed() > LONGEST_REPAIR {
                break edition;
            }
            sleep(Duration::from_millis(20)).await;
        };
        let answer = self.decide(&edition, &request, asked.number, asked.body);
        let answer = if edition.is_sound() { answer } else { diglot_http::refuse(&edition, &request, StatusCode::SERVICE_UNAVAILABLE) };
        self.finish(&edition, &request, asked, answer)
    }

    /// How long this client has to wait before it asks again; `None` when it need not.
    fn wait(&self, edition: &Edition, request: &Request<Incoming>) -> Option<Duration> {
        let setup = &self.shared.setup;
        let manners = setup.manners.as_ref()?;
        let path = request.uri().path();
        if rate_limit::is_exempt(path.strip_prefix(edition.site.base.path()).unwrap_or(path)) {
            return None;
        }
        // A server in front that names nobody, and this machine, speak for many.
        let client = setup.proxies.client(self.peer, request.headers()).filter(|client| !client.is_loopback())?;
        manners.count(client, Family::of(request.headers()), Instant::now()).err()
    }
}

impl Service<Request<Incoming>> for Answers {
    type Response = Response<Payload>;
    type Error = Infallible;
    type Future = Answering;

    fn call(&self, request: Request<Incoming>) -> Answering {
        let number = Line::add(&self.line.requests, 1);
        let number = Number { number, ambiguous: self.line.ambiguous.load(Relaxed) == number };
        let body = if http_body::Body::is_end_stream(request.body()) { Body::Whole } else { Body::Unread };
        let asked = Asked { begun: self.begun(), number, body };
        // Nobody knows where an ambiguous body ends, and who expects to be told whether to send one is told by the answer (RFC 9110 section 10.1.1).
        if body == Body::Unread && !number.ambiguous && !request.headers().contains_key(EXPECT) {
            return Answering::Later(Box::pin(self.clone().answer_later(self.shared.live.load_full(), request, asked)));
        }
        let edition = self.shared.live.load();
        let answer = self.decide(&edition, &request, number, body);
        // What was kept of an edition may turn out to be damaged, maybe in this body; another edition is being made.
        if !edition.is_sound() {
            return Answering::Later(Box::pin(self.clone().answer_repaired(request, asked)));
        }
        Answering::Now(Some(self.finish(&edition, &request, asked, answer)))
    }
}

/// An answer, at once or later: nearly no request has a body, and then nothing is allocated for it.
pub(super) enum Answering {
    Now(Option<Response<Payload>>),
    Later(Pin<Box<dyn Future<Output = Response<Payload>> + Send>>),
}

impl Future for Answering {
    type Output = Result<Response<Payload>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            // It is not asked again after it has answered.
            Self::Now(answer) => answer.take().map_or(Poll::Pending, |answer| Poll::Ready(Ok(answer))),
            Self::Later(answer) => answer.as_mut().poll(cx).map(Ok),
        }
    }
}

/// How much is known of a request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// It ended, or there is none.
    Whole,
    /// It was not read to its end.
    Unread,
    /// It is malformed, or its client left.
    Broken,
}

/// Reads and throws away a body, as much as a client of HTTP/2 may send before it has heard from us.
async fn read_out(body: &mut Incoming) -> Body {
    let mut left = FIRST_WINDOW as usize;
    loop {
        let frame = match poll_fn(|cx| http_body::Body::poll_frame(Pin::new(&mut *body), cx)).await {
            None => return Body::Whole,
            Some(Err(_)) => return Body::Broken,
            Some(Ok(frame)) => frame,
        };
        let length = frame.data_ref().map_or(0, bytes::Bytes::len);
        match left.checked_sub(length) {
            None => return Body::Unread,
            Some(rest) => left = rest,
        }
    }
}
