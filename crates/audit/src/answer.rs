//! What is asked and what came: values that know no socket.

use std::fmt;

/// A browser's `Accept`.
pub const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
/// An agent's `Accept`, as plain as it can be: every host that negotiates at all understands it.
pub const AGENT: &str = "text/markdown";

/// A request. Two equal requests are asked once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// `GET`, `HEAD`, `OPTIONS`, `POST`.
    pub method: &'static str,
    /// The percent-encoded path below the site's address, or the path of the origin; with the
    /// query.
    pub path: String,
    /// Whether the path is the origin's own, not the site's.
    pub origin: bool,
    /// Header fields in the order sent.
    pub fields: Vec<(&'static str, String)>,
}

impl Ask {
    /// GET without any field that chooses.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: "GET",
            path: path.into(),
            origin: false,
            fields: Vec::new(),
        }
    }

    /// GET as a browser asks for pages.
    pub fn browser(path: impl Into<String>) -> Self {
        Self::get(path).with("accept", BROWSER)
    }

    /// GET as an agent asks for pages.
    pub fn agent(path: impl Into<String>) -> Self {
        Self::get(path).with("accept", AGENT)
    }

    /// The same with one more header field.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    /// The value of the first header field of a name; empty when there is none.
    pub fn field(&self, name: &str) -> &str {
        self.fields
            .iter()
            .find(|(own, _)| *own == name)
            .map_or("", |(_, value)| value.as_str())
    }

    /// The same with another method.
    #[must_use]
    pub fn by(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    /// The same path, of the origin.
    #[must_use]
    pub fn at_origin(mut self) -> Self {
        self.origin = true;
        self
    }
}

/// An answer, its body decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status; 0 when nothing came.
    pub status: u16,
    /// Header fields, names in lower case.
    pub fields: Vec<(String, String)>,
    /// The body without its content-coding.
    pub body: Vec<u8>,
    /// Why nothing came, why the body cannot be decoded, or that it was cut.
    pub trouble: Option<String>,
}

impl Answer {
    /// Takes the bytes of an answer apart; `None` for what is no HTTP/1 answer.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let end = end_of_head(bytes)?;
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.lines();
        let status = lines
            .next()?
            .strip_prefix("HTTP/1.")?
            .split(' ')
            .nth(1)?
            .parse()
            .ok()?;
        let field = |line: &str| {
            line.split_once(':')
                .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        Some(Self {
            status,
            fields: lines.filter_map(field).collect(),
            body: bytes[end..].to_vec(),
            trouble: None,
        })
    }

    /// An answer that did not come.
    pub fn nothing(why: impl Into<String>) -> Self {
        Self {
            trouble: Some(why.into()),
            ..Self::default()
        }
    }

    /// The first value of a field; empty when there is none.
    pub fn field(&self, name: &str) -> &str {
        self.fields
            .iter()
            .find(|(own, _)| own == name)
            .map_or("", |(_, value)| value)
    }

    /// Every value of a field.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields
            .iter()
            .filter(move |(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }

    /// The members of a list field, in lower case, sorted: `accept, accept-encoding`.
    pub fn tokens(&self, name: &str) -> Vec<String> {
        let members = self
            .all(name)
            .flat_map(|value| value.split(','))
            .map(|member| member.trim().to_ascii_lowercase());
        let mut tokens: Vec<String> = members.filter(|member| !member.is_empty()).collect();
        tokens.sort();
        tokens.dedup();
        tokens
    }

    /// Whether `Cache-Control` has a directive.
    pub fn directive(&self, name: &str) -> bool {
        self.tokens("cache-control")
            .iter()
            .any(|token| token.split('=').next() == Some(name))
    }

    /// The media type without parameters, in lower case.
    pub fn media(&self) -> String {
        self.field("content-type")
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    }

    /// The body as text; what is not UTF-8 is replaced.
    pub fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        if memchr::memchr(b'\r', &self.body).is_some() {
            text.replace("\r\n", "\n")
        } else {
            text.into_owned()
        }
    }

    /// Whether the body holds these words.
    pub fn says(&self, words: &str) -> bool {
        memchr::memmem::find(&self.body, words.as_bytes()).is_some()
    }

    /// The content-coding: `identity` where none is named.
    pub fn coding(&self) -> String {
        let coding = self.field("content-encoding").trim().to_ascii_lowercase();
        if coding.is_empty() {
            "identity".into()
        } else {
            coding
        }
    }

    /// Whether a browser that gets this sees Markdown: by the media type, or by what the body
    /// begins with under another one.
    pub fn is_markdown(&self) -> bool {
        let start = self.body.trim_ascii_start();
        self.media() == "text/markdown"
            || (self.status == 200 && start.starts_with(b"---\n") && self.media() != "text/html")
    }

    /// What a cache in front says of itself, for messages: `age: 31, x-cache: HIT`.
    pub fn cache_marks(&self) -> String {
        const MARKS: [&str; 7] = [
            "age",
            "x-cache",
            "cf-cache-status",
            "x-vercel-cache",
            "x-varnish",
            "cache-status",
            "x-served-by",
        ];
        let marks: Vec<String> = MARKS
            .iter()
            .filter(|name| !self.field(name).is_empty())
            .map(|name| format!("{name}: {}", self.field(name)))
            .collect();
        marks.join(", ")
    }

    /// Whether a shared cache says that it had this stored.
    pub fn from_cache(&self) -> bool {
        let hit = |name: &str| self.field(name).to_ascii_lowercase().contains("hit");
        self.field("age")
            .trim()
            .parse::<u64>()
            .is_ok_and(|age| age > 0)
            || [
                "x-cache",
                "cf-cache-status",
                "x-vercel-cache",
                "cache-status",
            ]
            .into_iter()
            .any(hit)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status, &self.trouble) {
            (0, Some(why)) => write!(f, "no answer: {why}"),
            (status, _) if self.media().is_empty() => write!(f, "{status}"),
            (status, _) => write!(f, "{status} {}", self.media()),
        }
    }
}

/// Something that answers: the network, or a test.
pub trait Fetch {
    /// The answer to a request for this absolute URL.
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer;

    /// The answer to a request on a connection of its own, with every byte that follows the head as
    /// its body.
    fn fetch_alone(&mut self, ask: &Ask, url: &str) -> Answer {
        self.fetch(ask, url)
    }

    /// Why nothing more is asked, once that is so.
    fn stopped(&self) -> Option<String>;
}

/// Where the head of an answer ends.
pub(crate) fn end_of_head(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, b"\r\n\r\n").map(|at| at + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_after_the_head_is_the_body() {
        let answer = Answer::parse(b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n<p>").unwrap();
        assert_eq!(
            (answer.status, answer.field("etag"), answer.body.as_slice()),
            (304, "\"x\"", &b"<p>"[..])
        );
        for none in [
            &b""[..],
            b"HTTP/1.1 200 OK\r\n",
            b"garbage\r\n\r\n",
            b"HTTP/1.1 x\r\n\r\n",
        ] {
            assert!(Answer::parse(none).is_none());
        }
    }
}
