//! The requests: which, in which order, and when there are enough. Nothing is judged here.

mod probes;
mod sample;

pub use probes::*;
pub use sample::{close, is_hashed, is_map_whole, mapped, ranged};

use jiff::Timestamp;
use serde_json::Value;

use sample::{assets, choose, named_paths, newest};

use crate::address::{Address, html_path, markdown_path, stem};
use crate::answer::{AGENT, Answer, Ask, BROWSER, Fetch};
use crate::evidence::{Evidence, Visitor, Walk};
use crate::read::{html, sitemap, text};
use crate::vectors::VECTORS;

/// How many parts of a sitemap or of `llms.txt` are read.
const MOST_PARTS: usize = 8;

/// Sends every request in a fixed order until all are sent or the client stops.
pub fn gather(client: &mut dyn Fetch, address: Address, sample: usize, now: Timestamp) -> Evidence {
    let mut evidence = Evidence::new(address, now);
    let nonce = now.as_nanosecond().unsigned_abs() % 1_000_000_000_000;
    declared(&mut evidence, client);
    documents(&mut evidence, client);
    choose(&mut evidence, client, sample);
    pages(&mut evidence, client);
    walks(&mut evidence, client, nonce);
    accepts(&mut evidence, client);
    codings(&mut evidence, client);
    validators(&mut evidence, client);
    errors(&mut evidence, client);
    near(&mut evidence, client);
    links(&mut evidence, client, sample);
    newest(&mut evidence, client, sample);
    assets(&mut evidence, client);
    user_agents(&mut evidence, client);
    ranges(&mut evidence, client);
    alone(&mut evidence, client);
    evidence
}

/// Reads the site's published address from the home page's canonical URL.
fn declared(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let Some(home) = evidence.ask(client, Ask::browser("/")) else {
        return;
    };
    let canonical = html::read(&home.text()).canonical().map(str::to_owned);
    if let Some(canonical) =
        canonical.filter(|url| url.starts_with("http://") || url.starts_with("https://"))
    {
        canonical
            .trim_end_matches("/index.html")
            .trim_end_matches('/')
            .clone_into(&mut evidence.address.declared);
    }
}

fn documents(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for path in DOCUMENTS {
        evidence.ask(client, Ask::get(path));
    }
    for path in ["/robots.txt", "/.well-known/api-catalog"] {
        evidence.ask(client, Ask::get(path).at_origin());
    }
    for path in ["/llms.txt", "/"] {
        evidence.ask(
            client,
            Ask::get(format!("{path}?{QUERY}")).with("accept", BROWSER),
        );
    }
    for path in parts(evidence) {
        evidence.ask(client, Ask::get(path));
    }
    changes(evidence, client);
}

/// Requests the documents on changes, if the status names them: also that on the newest of the
/// earlier editions, and that on an edition that never was.
fn changes(evidence: &mut Evidence, client: &mut dyn Fetch) {
    if !evidence.names_changes() {
        return;
    }
    let list = evidence.ask(client, Ask::get(CHANGES));
    let list = list.and_then(|answer| serde_json::from_slice::<Value>(&answer.body).ok());
    let newest = list.and_then(|list| Some(list["editions"][0]["since"].as_str()?.to_owned()));
    for edition in newest.iter().map(String::as_str).chain([NO_EDITION]) {
        evidence.ask(client, Ask::get(since_path(edition)));
    }
    evidence.ask(client, Ask::get(LISTING));
}

/// The paths of the parts that the sitemap and `llms.txt` name.
fn parts(evidence: &Evidence) -> Vec<String> {
    let text_of = |path: &str| evidence.found(path).map(Answer::text).unwrap_or_default();
    let map = sitemap::read(&text_of("/sitemap.xml")).unwrap_or_default();
    let llms = text::llms_parts(&text_of("/llms.txt"));
    let llms = llms.into_iter().take(MOST_PARTS);
    let urls = map.parts.into_iter().take(MOST_PARTS).chain(llms);
    urls.filter_map(|url| evidence.address.path_of(&url).map(str::to_owned))
        .collect()
}

fn pages(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for stem in evidence.stems().cloned().collect::<Vec<_>>() {
        evidence.ask(client, Ask::browser(html_path(&stem)));
        evidence.ask(client, Ask::get(markdown_path(&stem)));
        evidence.ask(client, Ask::agent(html_path(&stem)));
    }
    evidence.ask(client, Ask::browser("/index.html"));
    evidence.ask(client, Ask::agent("/index.html"));
    for stem in close(evidence) {
        for path in [html_path(&stem), markdown_path(&stem)] {
            evidence.ask(client, Ask::browser(path.clone()).by("HEAD"));
            evidence.ask(client, Ask::agent(path).by("HEAD"));
        }
        evidence.ask(client, Ask::browser(markdown_path(&stem)));
        for accept in OTHER {
            evidence.ask(
                client,
                Ask::get(markdown_path(&stem)).with("accept", accept),
            );
        }
    }
    for path in DOCUMENTS {
        evidence.ask(client, Ask::get(path).by("HEAD"));
    }
    for path in CODED {
        evidence.ask(client, Ask::get(path).with("accept", OTHER[0]));
    }
}

/// Browser and agent in turn at one URL, which a query makes new to a cache in front: the second
/// answer shows what the cache stored.
fn walks(evidence: &mut Evidence, client: &mut dyn Fetch, nonce: u128) {
    use Visitor::{Agent, Browser};
    let orders = [[Agent, Browser, Agent], [Browser, Agent, Browser]];
    for stem in close(evidence) {
        for (number, order) in orders.iter().enumerate() {
            let alone = format!("{}?audit={nonce}{number}", html_path(&stem));
            for path in [alone, html_path(&stem)] {
                if !walk(evidence, client, path, order) {
                    return;
                }
            }
        }
    }
}

/// Asks for one URL as each of these visitors in turn; false when the client has to stop.
fn walk(evidence: &mut Evidence, client: &mut dyn Fetch, path: String, order: &[Visitor]) -> bool {
    let mut steps = Vec::new();
    for visitor in order {
        if client.stopped().is_some() {
            evidence.cut = client.stopped();
            return false;
        }
        let ask = Ask::get(path.clone())
            .with("accept", visitor.accept())
            .with("accept-encoding", "gzip, br");
        let answer = client.fetch(&ask, &evidence.address.url(&path));
        steps.push((*visitor, answer));
    }
    evidence.walks.push(Walk { path, steps });
    true
}

fn accepts(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for stem in close(evidence).iter().take(2) {
        for vector in VECTORS {
            let ask = Ask::get(html_path(stem));
            evidence.ask(
                client,
                if vector.accept.is_empty() {
                    ask
                } else {
                    ask.with("accept", vector.accept)
                },
            );
        }
    }
}

fn codings(evidence: &mut Evidence, client: &mut dyn Fetch) {
    // The home page, if there is no article.
    let stem = evidence
        .articles
        .first()
        .cloned()
        .unwrap_or_else(|| "/index".to_owned());
    let pages = [
        Ask::browser(html_path(&stem)),
        Ask::agent(html_path(&stem)),
        Ask::get(markdown_path(&stem)),
    ];
    for ask in CODED
        .map(Ask::get)
        .into_iter()
        .chain(pages)
        .collect::<Vec<_>>()
    {
        for coding in CODINGS {
            evidence.ask(client, ask.clone().with("accept-encoding", coding));
        }
        // Last, to see whether a cache serves a stored coding to a client that accepts none.
        evidence.ask(client, ask.with("accept-encoding", "identity"));
    }
}

/// Repeats requests with the received validators: every form and every coding with its own.
fn validators(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let close = close(evidence);
    let is_close = |path: &str| {
        let path = path.split('?').next().unwrap_or_default();
        DOCUMENTS.contains(&path)
            || stem(path).is_some_and(|stem| close.iter().any(|own| own == stem))
    };
    let chooses = |ask: &Ask| {
        ask.fields.iter().all(|(name, value)| {
            *name == "accept-encoding"
                || (*name == "accept" && [BROWSER, AGENT].contains(&value.as_str()))
        })
    };
    let known: Vec<(Ask, Answer)> = evidence
        .successes()
        .filter(|(ask, _)| !ask.path.contains('?') && is_close(&ask.path) && chooses(ask))
        .map(|(ask, answer)| (ask.clone(), answer.clone()))
        .collect();
    for (ask, answer) in known {
        let (tag, date) = (answer.field("etag"), answer.field("last-modified"));
        if !tag.is_empty() {
            evidence.ask(client, ask.clone().with("if-none-match", tag));
        }
        let plain = ask
            .fields
            .iter()
            .all(|(name, _)| *name != "accept-encoding");
        if plain && !date.is_empty() {
            evidence.ask(client, ask.with("if-modified-since", date));
        }
    }
}

fn errors(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for accept in [BROWSER, AGENT, "application/json"] {
        evidence.ask(
            client,
            Ask::get(format!("{NOWHERE}.html")).with("accept", accept),
        );
    }
    evidence.ask(client, Ask::get(format!("{NOWHERE}.md")));
    evidence.ask(client, Ask::browser(format!("{NOWHERE}.html")).by("HEAD"));
    for path in MALFORMED {
        evidence.ask(client, Ask::browser(path));
    }
    evidence.ask(client, Ask::browser(long_path()));
    evidence.ask(client, Ask::browser(INJECTION));
    evidence.ask(
        client,
        Ask::browser(format!(
            "{NOWHERE}.html?q=%3Cdiglot-audit%3E%22%20data-diglot-audit=%22"
        )),
    );
    methods(evidence, client);
}

/// Requests with methods that a site does not allow, and a preflight request.
fn methods(evidence: &mut Evidence, client: &mut dyn Fetch) {
    evidence.ask(client, Ask::get("/llms.txt").by("POST"));
    evidence.ask(client, Ask::browser("/").by("POST"));
    evidence.ask(client, Ask::get("/llms.txt").by(MADE_UP));
    evidence.ask(client, Ask::get("/").by("TRACE"));
    let preflight = Ask::get("/status.json")
        .by("OPTIONS")
        .with("origin", "https://reader.example")
        .with("access-control-request-method", "GET");
    evidence.ask(client, preflight);
}

/// Requests addresses that are almost right.
fn near(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let first = evidence.articles.first().cloned();
    for stem in first.iter().map(String::as_str).chain(["/terms"]) {
        evidence.ask(client, Ask::browser(stem));
        evidence.ask(client, Ask::browser(stem).by("HEAD"));
        evidence.ask(client, Ask::browser(format!("{stem}?{QUERY}")));
        evidence.ask(client, Ask::get(format!("{stem}.html.md")));
    }
}

fn user_agents(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for stem in close(evidence).iter().take(2) {
        for user_agent in USER_AGENTS {
            for ask in [Ask::browser(html_path(stem)), Ask::agent(html_path(stem))] {
                evidence.ask(client, ask.with("user-agent", user_agent));
            }
        }
    }
}

/// Sends range requests.
fn ranges(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for whole in ranged(evidence) {
        let Some(answer) = evidence.answer(&whole) else {
            continue;
        };
        let (length, tag) = (answer.body.len(), answer.field("etag").to_owned());
        for range in [
            "bytes=0-0".to_owned(),
            "bytes=10-59".to_owned(),
            "bytes=-50".to_owned(),
            format!("bytes={length}-"),
        ] {
            evidence.ask(client, whole.clone().with("range", range));
        }
        evidence.ask(
            client,
            whole
                .clone()
                .with("range", "bytes=10-59")
                .with("if-range", STRANGE_TAG),
        );
        if tag.starts_with('"') {
            evidence.ask(
                client,
                whole.with("range", "bytes=10-59").with("if-range", tag),
            );
        }
    }
}

/// Requests, each on its own connection, bodies that must not be there and that a client library
/// would hide.
fn alone(evidence: &mut Evidence, client: &mut dyn Fetch) {
    evidence.ask_alone(client, Ask::browser("/").by("HEAD"));
    let tag = evidence
        .answer(&Ask::browser("/"))
        .map(|answer| answer.field("etag").to_owned())
        .unwrap_or_default();
    if !tag.is_empty() {
        evidence.ask_alone(client, Ask::browser("/").with("if-none-match", tag));
    }
    evidence.ask_alone(client, Ask::get("/").by("CONNECT"));
}

/// Requests a sample of the URLs that the documents name.
fn links(evidence: &mut Evidence, client: &mut dyn Fetch, sample: usize) {
    for path in named_paths(evidence, sample) {
        let known = evidence
            .answers
            .keys()
            .any(|ask| !ask.origin && ask.path == path && ask.method == "GET");
        if !known {
            evidence.ask(client, Ask::get(path).by("HEAD"));
        }
    }
}
