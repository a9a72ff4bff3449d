//! Good clients over HTTP/2, with several concurrent streams on one connection.

use std::time::Duration;

use bytes::Bytes;
use h2::client::SendRequest;

use super::good::{Known, Wish};
use super::ledger::{Ledger, Wrong};
use crate::random::Random;
use crate::wire::Answer;

/// The limit for a good answer, whatever happens.
const PATIENCE: Duration = Duration::from_secs(10);
/// Rounds on one connection, and concurrent streams in each.
const ROUNDS: usize = 50;
const STREAMS: u32 = 8;
/// The flow-control window of one stream: larger than the longest document.
const WINDOW: u32 = 4 << 20;

/// Runs one client until the phase is over.
pub fn client(ledger: &Ledger, authority: &str, seed: u64) {
    super::be_modest();
    let mut random = Random::seeded(seed);
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => return ledger.complain(Wrong::Failed, || format!("no runtime: {error}")),
    };
    while !ledger.is_over() {
        if let Err(error) = runtime.block_on(converse(ledger, authority, &mut random)) {
            ledger.complain(Wrong::Failed, || format!("HTTP/2: {error}"));
        }
    }
}

async fn converse(ledger: &Ledger, authority: &str, random: &mut Random) -> Result<(), String> {
    let failed = |error: h2::Error| error.to_string();
    let socket = tokio::net::TcpStream::connect(authority)
        .await
        .map_err(|error| error.to_string())?;
    // Answers are read one after the other: waiting ones must not use up the window of the
    // connection.
    let mut builder = h2::client::Builder::new();
    builder
        .initial_window_size(WINDOW)
        .initial_connection_window_size(WINDOW * STREAMS);
    let (mut client, connection) = builder.handshake(socket).await.map_err(failed)?;
    let driver = tokio::spawn(connection);
    let mut known: Option<Known> = None;
    for _ in 0..ROUNDS {
        let wishes: Vec<Wish> = (0..STREAMS)
            .map(|_| Wish::random(random, known.as_ref()))
            .collect();
        let mut answers = Vec::new();
        for wish in &wishes {
            client = client.ready().await.map_err(failed)?;
            answers.push(begin(&mut client, wish)?);
        }
        let mut next = None;
        for (wish, answer) in wishes.iter().zip(answers) {
            let whole = tokio::time::timeout(PATIENCE, finish(answer)).await;
            let answer = whole
                .map_err(|_| format!("{}: nothing came for {PATIENCE:?}", wish.path))?
                .map_err(|error| format!("{}: {error}", wish.path))?;
            next = wish.judge(answer, known.as_ref(), ledger).or(next);
        }
        known = next.or(known);
        if ledger.is_over() {
            break;
        }
    }
    drop(client);
    driver.abort();
    Ok(())
}

fn begin(
    client: &mut SendRequest<Bytes>,
    wish: &Wish,
) -> Result<h2::client::ResponseFuture, String> {
    let mut request = http::Request::builder()
        .method(wish.method)
        .uri(format!("http://torture.example{}", wish.path));
    for (name, value) in &wish.fields {
        request = request.header(*name, value);
    }
    let request = request.body(()).map_err(|error| error.to_string())?;
    client
        .send_request(request, true)
        .map(|(answer, _)| answer)
        .map_err(|error| error.to_string())
}

async fn finish(answer: h2::client::ResponseFuture) -> Result<Answer, h2::Error> {
    let (parts, mut body) = answer.await?.into_parts();
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = parts
        .headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value)))
        .collect();
    let mut answer = Answer {
        status: parts.status.as_u16(),
        headers,
        body: Vec::new(),
    };
    while let Some(part) = body.data().await {
        let part = part?;
        body.flow_control().release_capacity(part.len())?;
        answer.body.extend_from_slice(&part);
    }
    Ok(answer)
}
