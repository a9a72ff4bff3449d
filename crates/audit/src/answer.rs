//! Requests and answers as plain values, independent of any socket.

use std::fmt;

/// A browser's `Accept`.
pub const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
/// An agent's `Accept`, in its simplest form: every host that negotiates at all understands it.
pub const AGENT: &str = "text/markdown";

/// A request. Equal requests are sent once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// `GET`, `HEAD`, `OPTIONS`, `POST`.
    pub method: &'static str,
    /// The percent-encoded path below the site's address, or the path of the origin; with the
    /// query.
    pub path: String,
    /// Whether the path is relative to the origin, not to the site.
    pub origin: bool,
    /// Header fields in the order sent.
    pub fields: Vec<(&'static str, String)>,
}

impl Ask {
    /// GET without any field that affects negotiation.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: "GET",
            path: path.into(),
            origin: false,
            fields: Vec::new(),
        }
    }

    /// GET with a browser's `Accept`.
    pub fn browser(path: impl Into<String>) -> Self {
        Self::get(path).with("accept", BROWSER)
    }

    /// GET with an agent's `Accept`.
    pub fn agent(path: impl Into<String>) -> Self {
        Self::get(path).with("accept", AGENT)
    }

    /// The same with one more header field.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    /// The value of the first header field of this name; empty if absent.
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

    /// The same path, relative to the origin.
    #[must_use]
    pub fn at_origin(mut self) -> Self {
        self.origin = true;
        self
    }
}

/// An answer, its body decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status; 0 when there was no answer.
    pub status: u16,
    /// Header fields, names in lower case.
    pub fields: Vec<(String, String)>,
    /// The body without its content-coding.
    pub body: Vec<u8>,
    /// Why there was no answer, why the body cannot be decoded, or that it was truncated.
    pub trouble: Option<String>,
}

impl Answer {
    /// Parses the bytes of an answer; `None` if they are not HTTP/1.
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

    /// A missing answer.
    pub fn nothing(why: impl Into<String>) -> Self {
        Self {
            trouble: Some(why.into()),
            ..Self::default()
        }
    }

    /// The first value of a field; empty if absent.
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

    /// The body as text; invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        if memchr::memchr(b'\r', &self.body).is_some() {
            text.replace("\r\n", "\n")
        } else {
            text.into_owned()
        }
    }

    /// Whether the body contains these words.
    pub fn says(&self, words: &str) -> bool {
        memchr::memmem::find(&self.body, words.as_bytes()).is_some()
    }

    /// The content-coding; `identity` if none is named.
    pub fn coding(&self) -> String {
        let coding = self.field("content-encoding").trim().to_ascii_lowercase();
        if coding.is_empty() {
            "identity".into()
        } else {
            coding
        }
    }

    /// Whether a browser would show this as Markdown: by the media type or, under another type, by
    /// how the body begins.
    pub fn is_markdown(&self) -> bool {
        let start = self.body.trim_ascii_start();
        self.media() == "text/markdown"
            || (self.status == 200 && start.starts_with(b"---\n") && self.media() != "text/html")
    }

    /// What a cache in front reports about itself, for messages: `age: 31, x-cache: HIT`.
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

    /// Whether a shared cache reports that it served this from storage.
    pub fn from_cache(&self) -> bool {
        let hit = |name: &str| self.field(name).to_ascii_lowercase().contains("hit");
        self.field("age")
            .trim()
            .parse::<u64>()
            .is_ok_and(|age| age > 0)
            || ["x-cache", "cf-cache-status", "x-vercel-cache"]
                .into_iter()
                .any(hit)
            || is_hit(self.field("cache-status"))
    }
}

/// Whether a cache on the way says in `Cache-Status` that it answered from its storage (RFC 9211
/// section 2.1): each is a name with parameters, and `hit` is a Boolean.
fn is_hit(value: &str) -> bool {
    let says_so = |parameter: &str| matches!(parameter.trim(), "hit" | "hit=?1");
    value
        .split(',')
        .any(|cache| cache.split(';').skip(1).any(says_so))
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

/// A source of answers: the network, or a test.
pub trait Fetch {
    /// The answer to a request for this absolute URL.
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer;

    /// The answer to a request on its own connection; the body is every byte after the head.
    fn fetch_alone(&mut self, ask: &Ask, url: &str) -> Answer {
        self.fetch(ask, url)
    }

    /// Why no more requests are sent, once that is so.
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
    fn rfc_9211_a_hit_is_a_parameter_of_a_cache() {
        for (value, expected) in [
            ("ExampleCache; hit", true),
            ("ExampleCache; hit; ttl=-31", true),
            ("Origin; fwd=uri-miss, CDN; ttl=30; hit=?1", true),
            ("ExampleCache; fwd=uri-miss; stored", false),
            ("HitCache; fwd=stale", false),
            ("ExampleCache; hit=?0", false),
            ("", false),
        ] {
            assert_eq!(is_hit(value), expected, "{value}");
        }
    }

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
