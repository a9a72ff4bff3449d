//! Mixed clients: browsers, agents, feed readers and crawlers request the same addresses in random
//! order, store the answers, and revalidate them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::fronts::Front;
use crate::random::Random;
use crate::wire::{self, Answer};

/// The outcome of one order of requests through one cache.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) requests: usize,
    /// Answers that the cache served from storage.
    pub(super) hits: usize,
    /// Answers of 304.
    pub(super) unchanged: usize,
    /// Answers of 206.
    pub(super) parts: usize,
    pub(super) failures: Vec<String>,
    /// The score of the audit through it.
    pub(super) audit: String,
}

/// A client and its preferences.
struct Client {
    name: &'static str,
    accept: Option<&'static str>,
    codings: Option<&'static str>,
    /// Whether it prefers Markdown, named explicitly, to HTML.
    agent: bool,
}

const CLIENTS: &[Client] = &[
    Client {
        name: "Firefox",
        accept: Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
        codings: Some("gzip, deflate, br, zstd"),
        agent: false,
    },
    Client {
        name: "an old browser",
        accept: Some("text/html, */*;q=0.1"),
        codings: Some("gzip, deflate"),
        agent: false,
    },
    Client {
        name: "an agent",
        accept: Some("text/markdown, text/html;q=0.9, */*;q=0.8"),
        codings: Some("gzip, deflate, br"),
        agent: true,
    },
    Client {
        name: "an agent without codings",
        accept: Some("text/markdown"),
        codings: None,
        agent: true,
    },
    Client {
        name: "a weighing agent",
        accept: Some("text/html;q=0.5, text/markdown;q=0.5"),
        codings: Some("br;q=1.0, gzip;q=0.8"),
        agent: true,
    },
    Client {
        name: "a browser that knows Markdown",
        accept: Some("text/html, text/markdown;q=0.9"),
        codings: Some("gzip"),
        agent: false,
    },
    Client {
        name: "curl",
        accept: Some("*/*"),
        codings: None,
        agent: false,
    },
    Client {
        name: "a crawler",
        accept: None,
        codings: Some("gzip"),
        agent: false,
    },
    Client {
        name: "a feed reader",
        accept: Some("application/rss+xml, application/xml;q=0.9, */*;q=0.5"),
        codings: Some("zstd"),
        agent: false,
    },
];

const CODINGS: [&str; 4] = ["identity", "gzip", "br", "zstd"];

/// An answer's form and coding, with its tag and bytes.
type Representation = ((&'static str, &'static str), (String, Vec<u8>));

/// Every representation of some addresses, as Diglot itself serves them.
pub(super) struct Known(Vec<(String, Vec<Representation>)>);

impl Known {
    /// Requests everything, and waits until every coding is built.
    ///
    /// # Errors
    /// Diglot does not answer, or does not build a coding.
    pub(super) fn learn(origin: &str) -> Result<Self, String> {
        let home = String::from_utf8_lossy(&wire::ask("GET", origin, "/index.html", &[])?.body)
            .into_owned();
        let style = home
            .split('"')
            .find(|part| part.starts_with("/_/") && part.ends_with(".css"))
            .ok_or("the home page has no style sheet")?;
        let paths = [
            "/",
            "/index.html",
            "/articles/HTTP-caches.html",
            "/articles/HTTP-caches.md",
            "/articles/choosing-the-form.html",
            "/about.html",
            "/rss.xml",
        ];
        let paths = paths
            .into_iter()
            .chain(["/llms.txt", "/sitemap.xml", style])
            .map(str::to_owned);
        let mut known = Vec::new();
        for path in paths {
            let negotiated = path.ends_with(".html") || path == "/";
            let mut representations = Vec::new();
            for (form, accept) in [("html", "text/html"), ("markdown", "text/markdown")]
                .into_iter()
                .filter(|(form, _)| *form == "html" || negotiated)
            {
                for coding in CODINGS {
                    let answer = coded(origin, &path, accept, coding)?;
                    representations.push((
                        (form, coding),
                        (answer.header("etag").unwrap_or_default(), answer.body),
                    ));
                }
            }
            known.push((path, representations));
        }
        Ok(Self(known))
    }
}

/// An answer in a coding, as soon as the coding is available.
fn coded(origin: &str, path: &str, accept: &str, coding: &str) -> Result<Answer, String> {
    let start = Instant::now();
    loop {
        let answer = wire::ask(
            "GET",
            origin,
            path,
            &[("accept", accept), ("accept-encoding", coding)],
        )?;
        if answer
            .header("content-encoding")
            .as_deref()
            .unwrap_or("identity")
            == coding
        {
            return Ok(answer);
        }
        if start.elapsed() > Duration::from_secs(60) {
            return Err(format!("`{path}` is not served as {coding} after a minute"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// How a client requests an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Get,
    Head,
    /// With the validator of its last answer, if it has one.
    Again,
    Part,
}

/// Sends requests in an order derived from the seed.
///
/// # Errors
/// The cache does not answer.
pub(super) fn send(
    front: &mut Front,
    known: &Known,
    seed: u64,
    requests: usize,
) -> Result<Verdict, String> {
    let mut verdict = Verdict {
        requests,
        ..Verdict::default()
    };
    let mut random = Random::seeded(seed);
    let mut remembered: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for _ in 0..requests {
        let (who, place) = (random.below(CLIENTS.len()), random.below(known.0.len()));
        let way = [
            Way::Get,
            Way::Get,
            Way::Again,
            Way::Again,
            Way::Head,
            Way::Part,
        ][random.below(6)];
        let client = &CLIENTS[who];
        let (path, representations) = &known.0[place];
        let tag = remembered
            .get(&(who, place))
            .filter(|_| way == Way::Again)
            .cloned();
        let mut fields: Vec<(&str, &str)> = Vec::new();
        fields.extend(client.accept.map(|value| ("accept", value)));
        fields.extend(client.codings.map(|value| ("accept-encoding", value)));
        fields.extend(tag.as_deref().map(|tag| ("if-none-match", tag)));
        fields.extend((way == Way::Part).then_some(("range", "bytes=0-99")));
        let answer = front.ask(if way == Way::Head { "HEAD" } else { "GET" }, path, &fields)?;
        let hit = answer
            .header("x-cache")
            .is_some_and(|said| said.starts_with("HIT"))
            || answer.header("age").is_some_and(|age| age != "0");
        verdict.hits += usize::from(hit);
        verdict.unchanged += usize::from(answer.status == 304);
        verdict.parts += usize::from(answer.status == 206);
        let asked = Asked {
            client,
            way,
            path,
            tag: tag.as_deref(),
            strict: front.kind.obeys_vary(),
        };
        if let Err(why) = asked.judge(&answer, representations) {
            verdict.failures.push(format!(
                "{} {path} for {} in the {}th place: {why}",
                way.name(),
                client.name,
                verdict.failures.len() + 1
            ));
        }
        if answer.status == 200 && way != Way::Head {
            remembered.extend(answer.header("etag").map(|tag| ((who, place), tag)));
        }
    }
    // A run that exercised nothing must not pass.
    for (count, what) in [
        (verdict.hits, "hit"),
        (verdict.unchanged, "304"),
        (verdict.parts, "206"),
    ] {
        if count < requests / 20 {
            verdict
                .failures
                .push(format!("only {count} of {requests} answers were a {what}"));
        }
    }
    Ok(verdict)
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Again => "GET again",
            Self::Part => "a part of",
        }
    }
}

/// One request, with what is needed to judge its answer.
struct Asked<'a> {
    client: &'a Client,
    way: Way,
    path: &'a str,
    tag: Option<&'a str>,
    strict: bool,
}

impl Asked<'_> {
    fn judge(&self, answer: &Answer, representations: &[Representation]) -> Result<(), String> {
        let tag = answer.header("etag").unwrap_or_default();
        if answer.status == 304 {
            return if self.tag == Some(tag.as_str()) && answer.body.is_empty() {
                Ok(())
            } else {
                Err(format!("304 with {tag} for {:?}", self.tag))
            };
        }
        let form = self.form(answer)?;
        let private = form == "markdown";
        if self.tag == Some(tag.as_str()) && !private {
            return Err(format!(
                "{} for the validator that it gave itself",
                answer.status
            ));
        }
        let coding = answer
            .header("content-encoding")
            .unwrap_or_else(|| "identity".to_owned());
        if coding != "identity"
            && !self
                .client
                .codings
                .is_some_and(|codings| codings.contains(&coding))
        {
            return Err(format!(
                "came as {coding}, wanted {:?}",
                self.client.codings
            ));
        }
        let ours = representations
            .iter()
            .find(|((own_form, own_coding), _)| *own_form == form && *own_coding == coding);
        let Some((_, (own_tag, body))) = ours else {
            return Err(format!("came as {form} in {coding}"));
        };
        // A cache that removes a coding weakens the tag of the stored answer; a strong one must be
        // for these bytes.
        let strong = !tag.starts_with("W/");
        if strong && tag != *own_tag {
            return Err(format!("came with {tag}, which is not {own_tag}"));
        }
        let expected: &[u8] = match (self.way, answer.status) {
            (Way::Head, 200) => &[],
            (Way::Part, 206) => &body[..body.len().min(100)],
            (_, 200) => body,
            (_, status) => return Err(format!("came with {status}")),
        };
        if answer.body != expected {
            Err(format!(
                "{} bytes, not the {} of {form} in {coding}",
                answer.body.len(),
                expected.len()
            ))
        } else {
            Ok(())
        }
    }

    /// The form of the answer, if this client may get it.
    fn form(&self, answer: &Answer) -> Result<&'static str, String> {
        let media = answer.header("content-type").unwrap_or_default();
        if !(self.path.ends_with(".html") || self.path == "/") {
            return Ok("html");
        }
        match media.split(';').next().unwrap_or_default() {
            "text/html" if self.client.agent && self.strict => Err("HTML for an agent".to_owned()),
            "text/html" => Ok("html"),
            "text/markdown" if self.client.agent => Ok("markdown"),
            "text/markdown" => Err("Markdown for a browser".to_owned()),
            other => Err(format!("came as `{other}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(
        client: &Client,
        headers: &[(&str, &str)],
        status: u16,
        body: &[u8],
        tag: Option<&str>,
    ) -> Result<(), String> {
        let representations = [
            (("html", "identity"), ("\"a\"".to_owned(), b"page".to_vec())),
            (
                ("markdown", "identity"),
                ("\"b\"".to_owned(), b"twin".to_vec()),
            ),
        ];
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let asked = Asked {
            client,
            way: Way::Get,
            path: "/x.html",
            tag,
            strict: true,
        };
        asked.judge(
            &Answer {
                status,
                headers,
                body: body.to_vec(),
            },
            &representations,
        )
    }

    #[test]
    fn what_a_bad_cache_does_is_named() {
        let (browser, agent) = (&CLIENTS[0], &CLIENTS[2]);
        let (html, markdown) = (
            ("content-type", "text/html"),
            ("content-type", "text/markdown"),
        );
        let (a, b) = (("etag", "\"a\""), ("etag", "\"b\""));
        assert_eq!(judged(browser, &[html, a], 200, b"page", None), Ok(()));
        assert_eq!(
            judged(browser, &[markdown, b], 200, b"twin", None).unwrap_err(),
            "Markdown for a browser"
        );
        assert_eq!(
            judged(agent, &[html, a], 200, b"page", None).unwrap_err(),
            "HTML for an agent"
        );
        assert_eq!(
            judged(browser, &[html, a], 200, b"twin", None).unwrap_err(),
            "4 bytes, not the 4 of html in identity"
        );
        assert_eq!(
            judged(browser, &[html, b], 200, b"page", None).unwrap_err(),
            "came with \"b\", which is not \"a\""
        );
        assert_eq!(
            judged(
                agent,
                &[markdown, b, ("content-encoding", "zstd")],
                200,
                b"",
                None
            )
            .unwrap_err(),
            "came as zstd, wanted Some(\"gzip, deflate, br\")"
        );
        assert_eq!(
            judged(browser, &[html, a], 200, b"page", Some("\"a\"")).unwrap_err(),
            "200 for the validator that it gave itself"
        );
        assert_eq!(
            judged(browser, &[b], 304, b"", Some("\"a\"")).unwrap_err(),
            "304 with \"b\" for Some(\"\\\"a\\\"\")"
        );
        assert_eq!(judged(browser, &[a], 304, b"", Some("\"a\"")), Ok(()));
    }
}
