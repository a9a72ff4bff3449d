//! The lines on standard input and output. What the SDK would drop without a word is answered here:
//! a line that is not JSON, one that is too long, and a call that names no tool (JSON-RPC 2.0
//! section 5.1).

use std::io;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

/// The most bytes of a line: no tool takes more than some kilobytes.
const MOST_LINE: usize = 1 << 20;
/// How much waits between the check and the SDK.
const BETWEEN: usize = 64 << 10;

type Refusal = TxJsonRpcMessage<RoleServer>;

/// Standard input and output, or what is in their place.
pub(super) struct Lines<W: AsyncWrite> {
    checked: AsyncRwTransport<RoleServer, DuplexStream, W>,
    refusals: UnboundedReceiver<Refusal>,
    sent: JoinSet<Result<(), io::Error>>,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Lines<W> {
    /// Begins to read. It needs a runtime.
    pub(super) fn over(input: impl AsyncRead + Send + Unpin + 'static, output: W) -> Self {
        let (right, checked) = duplex(BETWEEN);
        let (wrong, refusals) = unbounded_channel();
        tokio::spawn(check(BufReader::new(input), right, wrong));
        Self {
            checked: AsyncRwTransport::new_server(checked, output),
            refusals,
            sent: JoinSet::new(),
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.sent.spawn(self.checked.send(refusal));
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.checked.send(item)
    }

    /// It may be dropped before its end, and nothing is lost.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            tokio::select! {
                Some(refusal) = self.refusals.recv() => self.refuse(refusal),
                message = self.checked.receive() => match message {
                    Some(message) => return Some(message),
                    None => break,
                },
            }
        }
        while let Some(refusal) = self.refusals.recv().await {
            self.refuse(refusal);
        }
        while self.sent.join_next().await.is_some() {}
        None
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.checked.close().await
    }
}

/// Passes the lines on that are right, until the input or the conversation ends.
async fn check<R: AsyncRead + Unpin>(
    mut input: BufReader<R>,
    mut right: DuplexStream,
    wrong: UnboundedSender<Refusal>,
) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let passed = match read_line(&mut input, &mut line).await {
            Ok(Line::Whole) => match refusal(&line) {
                Some(refusal) => wrong.send(refusal).is_ok(),
                None => right.write_all(&line).await.is_ok(),
            },
            Ok(Line::TooLong) => {
                let why = format!("a message has at most {} MiB", MOST_LINE >> 20);
                let refusal = ErrorData::invalid_request(why, None);
                wrong.send(Refusal::error(refusal, None)).is_ok()
                    && skip_line(&mut input).await.is_ok()
            }
            Ok(Line::End) | Err(_) => false,
        };
        if !passed {
            return;
        }
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads a line with its end; of one that is too long, the beginning.
async fn read_line<R: AsyncRead + Unpin>(
    input: &mut BufReader<R>,
    line: &mut Vec<u8>,
) -> io::Result<Line> {
    loop {
        let some = input.fill_buf().await?;
        if some.is_empty() {
            return Ok(Line::End);
        }
        let end = memchr::memchr(b'\n', some).map(|at| at + 1);
        let taken = end.unwrap_or(some.len()).min(MOST_LINE + 1 - line.len());
        line.extend_from_slice(&some[..taken]);
        input.consume(taken);
        if line.len() > MOST_LINE {
            return Ok(Line::TooLong);
        }
        if end == Some(taken) {
            return Ok(Line::Whole);
        }
    }
}

/// Drops the rest of a line.
async fn skip_line<R: AsyncRead + Unpin>(input: &mut BufReader<R>) -> io::Result<()> {
    loop {
        let some = input.fill_buf().await?;
        let end = memchr::memchr(b'\n', some).map(|at| at + 1);
        let taken = end.unwrap_or(some.len());
        input.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(());
        }
    }
}

/// The answer to a line that the SDK would drop, or answer with another code.
fn refusal(line: &[u8]) -> Option<Refusal> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        let error = ErrorData::parse_error("the line is not JSON", None);
        return Some(Refusal::error(error, None));
    };
    let names_no_tool = message["method"] == "tools/call" && !message["params"]["name"].is_string();
    let id: Option<RequestId> = serde_json::from_value(message["id"].clone()).ok();
    let id = id.filter(|_| names_no_tool)?;
    let error = ErrorData::invalid_params("`name` is missing: it names a tool", None);
    Some(Refusal::error(error, Some(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code and the id of the answer to a line.
    fn check(line: &str) -> Option<(i32, Value)> {
        let refusal = serde_json::to_value(refusal(line.as_bytes())?).unwrap();
        let code = refusal["error"]["code"].as_i64().unwrap();
        Some((i32::try_from(code).unwrap(), refusal["id"].clone()))
    }

    #[test]
    fn json_rpc_5_1_what_is_not_json_or_names_no_tool_is_answered() {
        for line in [
            "{",
            "{\"jsonrpc\": \"2.0\", \"id\": 1,}",
            "hello",
            "\u{feff}{}",
        ] {
            assert_eq!(check(line), Some((-32_700, Value::Null)), "{line}");
        }
        for params in ["{}", "{\"name\": 3}", "[]", "null"] {
            let line =
                format!("{{\"id\": \"a\", \"method\": \"tools/call\", \"params\": {params}}}");
            assert_eq!(check(&line), Some((-32_602, "a".into())), "{line}");
        }
        for line in ["", " \r\n", "{}", "[]", "{\"id\": 1, \"method\": \"ping\"}"] {
            assert_eq!(check(line), None, "{line}");
        }
    }
}
