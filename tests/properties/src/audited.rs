//! What `diglot audit` reads: answers of untrusted servers.

use diglot_audit::{
    Address, Answer, Ask, Fetch, decode, gather, judge, listing, loss, outline, robots,
};
use diglot_http::respond;
use http::Request;

use super::requests::EDITION;

/// The limit on decoded bodies, in bytes.
const MOST: u64 = 1 << 20;

/// A server in process: our own site, except for the answers in the input.
struct Server<'i> {
    answers: Vec<(&'i str, Answer)>,
    asked: usize,
}

impl Fetch for Server<'_> {
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer {
        self.asked += 1;
        let path = url.strip_prefix("https://example.org").unwrap_or(url);
        if let Some((_, answer)) = self
            .answers
            .iter()
            .find(|(own, _)| *own == path || *own == "*")
        {
            return answer.clone();
        }
        let mut request = Request::builder().method(ask.method).uri(url);
        for (name, value) in &ask.fields {
            request = request.header(*name, value);
        }
        let Ok(request) = request.body(()) else {
            return Answer::nothing("no request");
        };
        let (head, body) = respond(&EDITION, &request).into_parts();
        let fields = head.headers.iter().map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        });
        let mut answer = Answer {
            status: head.status.as_u16(),
            fields: fields.collect(),
            ..Answer::default()
        };
        let coded = body.to_bytes();
        answer.body = if coded.is_empty() {
            Vec::new()
        } else {
            decode(&answer.coding(), &coded, MOST).expect("our own coding")
        };
        answer
    }

    /// As the network client does, which limits time, bytes and requests.
    fn stopped(&self) -> Option<String> {
        (self.asked >= 400).then(|| "enough".to_owned())
    }
}

/// An audit as text: `=== path status` begins an answer, then its fields, an empty line, its body.
/// Whatever a server answers, the audit produces a card.
pub fn audit(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let answers: Vec<_> = text
        .split("=== ")
        .skip(1)
        .take(8)
        .filter_map(answer)
        .collect();
    let mut server = Server { answers, asked: 0 };
    let evidence = gather(
        &mut server,
        Address::new("https://example.org"),
        2,
        super::now(),
    );
    let card = judge(&evidence);
    assert!(card.score() <= 100);
    assert!(
        card.worst()
            .is_none_or(|worst| card.score() <= worst.ceiling())
    );
    let text = card.text(false);
    // The summary is printed first and last.
    let summary = text.split("\n\n").next().expect("a summary");
    assert!(text.ends_with(summary) && text.matches(summary).count() >= 2);
    lists(&text);
    // A raw connection may send anything as well.
    let _ = Answer::parse(input);
    serde_json::to_string(&card.json()).expect("a card as JSON");
}

/// What `diglot mcp`, `diglot clone` and `diglot check --as` read of a site.
fn lists(text: &str) {
    let text_of = |path: &str| text.split_once(path).map_or("", |(_, rest)| rest);
    for listed in listing::read(text) {
        if let Some(file) = listing::file(&listed.path) {
            let is_part = |part: &str| !part.is_empty() && !part.starts_with('.');
            assert!(file.split('/').all(is_part) && !file.contains(['\\', '\0']));
        }
    }
    let lines = text.lines().count();
    for section in outline::sections(text, text_of("\n\n")) {
        assert!(section.lines.start < section.lines.end && section.lines.end <= lines);
    }
    assert!(robots::read(text).allows("x", "/robots.txt"));
    robots::read(text).allows("diglot-mcp", text_of("/"));
    loss::pictures_without_text(text);
    loss::links_by_script(text);
}

fn answer(text: &str) -> Option<(&str, Answer)> {
    let (first, rest) = text.split_once('\n')?;
    let (path, status) = first.split_once(' ')?;
    let (head, body) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let field = |line: &str| {
        line.split_once(':')
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let mut answer = Answer {
        status: status.trim().parse().ok()?,
        fields: head.lines().filter_map(field).collect(),
        ..Answer::default()
    };
    match decode(&answer.coding(), body.as_bytes(), MOST) {
        Ok(decoded) => answer.body = decoded,
        Err(why) => (answer.body, answer.trouble) = (body.into(), Some(why)),
    }
    Some((path, answer))
}
