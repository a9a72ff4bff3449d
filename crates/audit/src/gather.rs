//! The questions: which, in which order, and when there are enough. Nothing is judged here.

use jiff::Timestamp;

use crate::address::{Address, html_path, markdown_path, stem};
use crate::answer::{AGENT, Answer, Ask, BROWSER, Fetch};
use crate::evidence::{Evidence, Visitor, Walk};
use crate::read::{feed, html, sitemap, text};
use crate::vectors::VECTORS;

/// The documents of the contract, beside the pages.
pub const DOCUMENTS: [&str; 9] = [
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap.md",
    "/rss.xml",
    "/llms.txt",
    "/llms-full.txt",
    "/status.json",
    "/openapi.json",
    "/.well-known/api-catalog",
];
/// Documents that are asked for in every coding and by their validators.
pub const CODED: [&str; 3] = ["/rss.xml", "/llms.txt", "/sitemap.xml"];
/// The content-codings that the web has.
pub const CODINGS: [&str; 3] = ["br", "zstd", "gzip"];
/// Values of `Accept` that fit neither Markdown nor any document.
pub const OTHER: [&str; 2] = ["text/html", "application/json"];
/// A browser that says who it is, and a program that does: what they get must not differ.
pub const USER_AGENTS: [&str; 2] = [
    concat!(
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 diglot-audit/",
        env!("CARGO_PKG_VERSION")
    ),
    concat!("curl/8.5.0 (diglot-audit/", env!("CARGO_PKG_VERSION"), ")"),
];
/// Paths that are no paths: percent-encodings that are cut or no hexadecimal digits, no UTF-8, and NUL.
pub const MALFORMED: [&str; 6] = ["/%", "/%zz", "/articles/%E0%A4%A.html", "/articles/x%00.html", "/articles/%C0%AF.md", "/articles/%FF%FE.html"];
/// How many bytes the longest path has that is asked for.
pub const LONGEST: usize = 9_000;
/// What a 404 must not show as it is: an element, and an attribute behind a quotation mark.
pub const INJECTED: [&str; 2] = ["<diglot-audit>", "\" data-diglot-audit=\""];
/// The path that holds them.
pub const INJECTION: &str = "/articles/x%3Cdiglot-audit%3E%22%20data-diglot-audit=%22y.html";
/// A method that nobody knows.
pub const MADE_UP: &str = "DIGLOTAUDIT";
/// A tag that no resource has.
pub const STRANGE_TAG: &str = "\"diglot-audit-knows-no-such-tag\"";
/// A path that no site has.
pub const NOWHERE: &str = "/articles/diglot-audit-asks-for-nothing-here";
/// Whether a path is one that was asked for because nothing can be there.
pub fn is_probe(path: &str) -> bool {
    path.starts_with(NOWHERE) || path == INJECTION || path.len() > LONGEST || MALFORMED.contains(&path)
}

/// How many parts of a sitemap or of the content index are read.
const MOST_PARTS: usize = 8;
/// How many articles of the list and of the feed are compared.
const FEED_LOOKS: usize = 20;
/// How many files of the pages are asked for.
const MOST_ASSETS: usize = 6;
/// A query that a redirect has to keep.
pub const QUERY: &str = "utm_source=diglot&x=1";
/// How many articles are asked for with every `Accept`, visited in both orders, and asked for by validators.
const CLOSE_LOOKS: usize = 2;

/// Asks everything, in a fixed order, until there is nothing more to ask or the client stops.
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

/// Reads where the site says it lives: the home page's canonical address.
fn declared(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let Some(home) = evidence.ask(client, Ask::browser("/")) else { return };
    let canonical = html::read(&home.text()).canonical().map(str::to_owned);
    if let Some(canonical) = canonical.filter(|url| url.starts_with("http://") || url.starts_with("https://")) {
        canonical.trim_end_matches("/index.html").trim_end_matches('/').clone_into(&mut evidence.address.declared);
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
        evidence.ask(client, Ask::get(format!("{path}?{QUERY}")).with("accept", BROWSER));
    }
    let parts =
        evidence.found("/sitemap.xml").map(|answer| sitemap::read(&answer.text()).map(|map| map.parts).unwrap_or_default()).unwrap_or_default();
    let llms = evidence.found("/llms.txt").map(|answer| text::llms_parts(&answer.text())).unwrap_or_default();
    let cut = |urls: Vec<String>| urls.into_iter().take(MOST_PARTS);
    let paths: Vec<String> = cut(parts).chain(cut(llms)).filter_map(|url| evidence.address.path_of(&url).map(str::to_owned)).collect();
    for path in paths {
        evidence.ask(client, Ask::get(path));
    }
}

/// Chooses the articles: the first, the last, and evenly between them; the other pages are the same for every site.
fn choose(evidence: &mut Evidence, _: &mut dyn Fetch, sample: usize) {
    let stems: Vec<String> = mapped(evidence).iter().filter_map(|path| stem(path)).map(str::to_owned).collect();
    let articles: Vec<&String> = stems.iter().filter(|stem| stem.starts_with("/articles/") && *stem != "/articles/index").collect();
    let rest: Vec<&String> = stems.iter().filter(|stem| !stem.starts_with("/articles/")).collect();
    let linked = if stems.is_empty() { linked(evidence) } else { Vec::new() };
    let rest: Vec<&String> = rest.into_iter().chain(&linked).collect();
    let chosen: Vec<String> = if articles.is_empty() { spread(&rest, sample) } else { spread(&articles, sample) }.into_iter().cloned().collect();
    evidence.pages = ["/index", "/terms", "/api", "/articles/index"].map(str::to_owned).into();
    // One more kind of list, where there is one.
    evidence.pages.extend(rest.iter().find(|stem| stem.starts_with("/tags/")).map(|stem| (*stem).clone()));
    evidence.articles = chosen.into_iter().filter(|stem| !evidence.pages.contains(stem)).collect();
}

/// The pages that the home page links, for a site without a sitemap.
fn linked(evidence: &Evidence) -> Vec<String> {
    let Some(home) = evidence.html("/index") else { return Vec::new() };
    let anchors = html::read(&home.text()).anchors;
    let urls = anchors.iter().map(|anchor| evidence.address.resolve(anchor, "/"));
    let mut stems: Vec<String> = Vec::new();
    for stem in urls.filter_map(|url| evidence.address.path_of(&url).and_then(stem).map(str::to_owned)) {
        if stem != "/index" && !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

/// The paths of the XML sitemap and its parts.
pub fn mapped(evidence: &Evidence) -> Vec<String> {
    let maps = evidence
        .answers
        .iter()
        .filter(|(ask, answer)| !ask.origin && ask.path.starts_with("/sitemap") && ask.path.ends_with(".xml") && answer.status == 200);
    let entries = maps.filter(|(ask, _)| ask.method == "GET" && ask.fields.is_empty()).filter_map(|(_, answer)| sitemap::read(&answer.text()).ok());
    entries.flat_map(|map| map.entries).filter_map(|entry| evidence.address.path_of(&entry.location).map(str::to_owned)).collect()
}

/// Whether every part of the XML sitemap was read.
pub fn is_map_whole(evidence: &Evidence) -> bool {
    let parts = evidence.found("/sitemap.xml").and_then(|answer| sitemap::read(&answer.text()).ok()).map(|map| map.parts).unwrap_or_default();
    parts.iter().filter_map(|url| evidence.address.path_of(url)).all(|path| evidence.found(path).is_some())
}

/// At most `count` of these, evenly spread, the first and the last among them.
fn spread<'a, T>(all: &[&'a T], count: usize) -> Vec<&'a T> {
    match (all.len(), count) {
        (length, count) if length <= count => all.to_vec(),
        (_, 0) => Vec::new(),
        (_, 1) => all[..1].to_vec(),
        (length, count) => (0..count).map(|index| all[index * (length - 1) / (count - 1)]).collect(),
    }
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
            evidence.ask(client, Ask::get(markdown_path(&stem)).with("accept", accept));
        }
    }
    for path in DOCUMENTS {
        evidence.ask(client, Ask::get(path).by("HEAD"));
    }
    for path in CODED {
        evidence.ask(client, Ask::get(path).with("accept", OTHER[0]));
    }
}

/// The pages that are looked at closely: the home page and some articles.
pub fn close(evidence: &Evidence) -> Vec<String> {
    evidence.pages.iter().take(1).chain(evidence.articles.iter().take(CLOSE_LOOKS)).cloned().collect()
}

/// Browser and agent in turn at one URL, which a query makes new to a cache in front: what comes second shows what it remembers.
fn walks(evidence: &mut Evidence, client: &mut dyn Fetch, nonce: u128) {
    use Visitor::{Agent, Browser};
    let orders = [[Agent, Browser, Agent], [Browser, Agent, Browser]];
    for stem in close(evidence) {
        for (number, order) in orders.iter().enumerate() {
            for path in [format!("{}?audit={nonce}{number}", html_path(&stem)), html_path(&stem)] {
                let mut steps = Vec::new();
                for visitor in order {
                    if client.stopped().is_some() {
                        evidence.cut = client.stopped();
                        return;
                    }
                    let ask = Ask::get(path.clone()).with("accept", visitor.accept()).with("accept-encoding", "gzip, br");
                    let answer = client.fetch(&ask, &evidence.address.url(&path));
                    steps.push((*visitor, answer));
                }
                evidence.walks.push(Walk { path, steps });
            }
        }
    }
}

fn accepts(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for stem in close(evidence).iter().take(2) {
        for vector in VECTORS {
            let ask = Ask::get(html_path(stem));
            evidence.ask(client, if vector.accept.is_empty() { ask } else { ask.with("accept", vector.accept) });
        }
    }
}

fn codings(evidence: &mut Evidence, client: &mut dyn Fetch) {
    // The home page, where there is no article.
    let stem = evidence.articles.first().cloned().unwrap_or_else(|| "/index".to_owned());
    let pages = [Ask::browser(html_path(&stem)), Ask::agent(html_path(&stem)), Ask::get(markdown_path(&stem))];
    for ask in CODED.map(Ask::get).into_iter().chain(pages).collect::<Vec<_>>() {
        for coding in CODINGS {
            evidence.ask(client, ask.clone().with("accept-encoding", coding));
        }
        // After the coded ones: what a cache keeps of them must not come to one who asks for none.
        evidence.ask(client, ask.with("accept-encoding", "identity"));
    }
}

/// Asks again with the validators that came: every form and every coding by its own.
fn validators(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let close = close(evidence);
    let is_close = |path: &str| {
        let path = path.split('?').next().unwrap_or_default();
        DOCUMENTS.contains(&path) || stem(path).is_some_and(|stem| close.iter().any(|own| own == stem))
    };
    let chooses = |ask: &Ask| {
        ask.fields.iter().all(|(name, value)| *name == "accept-encoding" || (*name == "accept" && [BROWSER, AGENT].contains(&value.as_str())))
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
        let plain = ask.fields.iter().all(|(name, _)| *name != "accept-encoding");
        if plain && !date.is_empty() {
            evidence.ask(client, ask.with("if-modified-since", date));
        }
    }
}

fn errors(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for accept in [BROWSER, AGENT, "application/json"] {
        evidence.ask(client, Ask::get(format!("{NOWHERE}.html")).with("accept", accept));
    }
    evidence.ask(client, Ask::get(format!("{NOWHERE}.md")));
    evidence.ask(client, Ask::browser(format!("{NOWHERE}.html")).by("HEAD"));
    for path in MALFORMED {
        evidence.ask(client, Ask::browser(path));
    }
    evidence.ask(client, Ask::browser(long_path()));
    evidence.ask(client, Ask::browser(INJECTION));
    evidence.ask(client, Ask::browser(format!("{NOWHERE}.html?q=%3Cdiglot-audit%3E%22%20data-diglot-audit=%22")));
    evidence.ask(client, Ask::get("/llms.txt").by("POST"));
    evidence.ask(client, Ask::browser("/").by("POST"));
    evidence.ask(client, Ask::get("/llms.txt").by(MADE_UP));
    evidence.ask(client, Ask::get("/").by("TRACE"));
    let preflight = Ask::get("/status.json").by("OPTIONS").with("origin", "https://reader.example").with("access-control-request-method", "GET");
    evidence.ask(client, preflight);
}

/// Addresses that are almost right.
fn near(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let first = evidence.articles.first().cloned();
    for stem in first.iter().map(String::as_str).chain(["/terms"]) {
        evidence.ask(client, Ask::browser(stem));
        evidence.ask(client, Ask::browser(stem).by("HEAD"));
        evidence.ask(client, Ask::browser(format!("{stem}?{QUERY}")));
        evidence.ask(client, Ask::get(format!("{stem}.html.md")));
    }
}

/// A path that is longer than any address of a page.
pub fn long_path() -> String {
    format!("/articles/{}.html", "long-".repeat(LONGEST / 5))
}

/// Asks for the articles that the list names first, and for those of the feed: do the two agree?
fn newest(evidence: &mut Evidence, client: &mut dyn Fetch, sample: usize) {
    let most = sample.min(FEED_LOOKS);
    let listed = evidence.markdown("/articles/index").map(|answer| text::links(&answer.text())).unwrap_or_default();
    let feed = evidence.found("/rss.xml").and_then(|answer| feed::read(&answer.text()).ok()).unwrap_or_default();
    let stem_of = |url: &String| evidence.address.path_of(url).and_then(stem).filter(|stem| stem.starts_with("/articles/")).map(str::to_owned);
    let newest: Vec<String> = listed.iter().filter_map(stem_of).take(most).collect();
    let items: Vec<String> = feed.items.iter().map(|item| &item.link).filter_map(stem_of).collect();
    for stem in newest.iter().chain(spread(&items.iter().collect::<Vec<_>>(), most)) {
        evidence.ask(client, Ask::get(markdown_path(stem)));
    }
    evidence.newest = newest;
}

/// Asks for the head of some files that the pages need; those with a hash in their names first.
fn assets(evidence: &mut Evidence, client: &mut dyn Fetch) {
    let pages = close(evidence);
    let forms = evidence.html_forms().iter().filter(|form| pages.contains(&form.stem));
    let urls = forms.flat_map(|form| form.read.assets.iter().map(|target| evidence.address.resolve(target, &html_path(&form.stem))));
    let mut paths: Vec<String> = urls.filter_map(|url| evidence.address.path_of(&url).map(str::to_owned)).collect();
    paths.sort_by_key(|path| (!is_hashed(path), path.clone()));
    paths.dedup();
    paths.truncate(MOST_ASSETS);
    for path in &paths {
        evidence.ask(client, Ask::get(path.clone()).by("HEAD"));
    }
    evidence.assets = paths;
}

/// Whether a file's name has a hash of its content in it: eight or more hexadecimal digits between dots or hyphens, not all of them decimal.
pub fn is_hashed(path: &str) -> bool {
    let name = path.split('?').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let hash = |part: &str| {
        let digits = part.len() >= 8 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits && (part.len() >= 16 || part.bytes().any(|byte| byte.is_ascii_alphabetic()))
    };
    let mut parts: Vec<&str> = name.split(['.', '-', '_']).collect();
    parts.pop();
    parts.into_iter().skip(1).any(hash)
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

/// Asks for parts of what is there.
fn ranges(evidence: &mut Evidence, client: &mut dyn Fetch) {
    for whole in ranged(evidence) {
        let Some(answer) = evidence.of(&whole) else { continue };
        let (length, tag) = (answer.body.len(), answer.field("etag").to_owned());
        for range in ["bytes=0-0".to_owned(), "bytes=10-59".to_owned(), "bytes=-50".to_owned(), format!("bytes={length}-")] {
            evidence.ask(client, whole.clone().with("range", range));
        }
        evidence.ask(client, whole.clone().with("range", "bytes=10-59").with("if-range", STRANGE_TAG));
        if tag.starts_with('"') {
            evidence.ask(client, whole.with("range", "bytes=10-59").with("if-range", tag));
        }
    }
}

/// The requests whose answers are asked for in parts: the home page and a document.
pub fn ranged(evidence: &Evidence) -> Vec<Ask> {
    let document = CODED.into_iter().find(|path| evidence.found(path).is_some()).map(Ask::get);
    let large = |ask: &Ask| evidence.of(ask).is_some_and(|answer| answer.status == 200 && answer.body.len() >= 100);
    [Ask::browser("/")].into_iter().chain(document).filter(large).collect()
}

/// Asks on connections of their own for what a client library would hide: bodies that must not be there.
fn alone(evidence: &mut Evidence, client: &mut dyn Fetch) {
    evidence.ask_alone(client, Ask::browser("/").by("HEAD"));
    let tag = evidence.of(&Ask::browser("/")).map(|answer| answer.field("etag").to_owned()).unwrap_or_default();
    if !tag.is_empty() {
        evidence.ask_alone(client, Ask::browser("/").with("if-none-match", tag));
    }
    evidence.ask_alone(client, Ask::get("/").by("CONNECT"));
}

/// Asks whether what the documents name is there.
fn links(evidence: &mut Evidence, client: &mut dyn Fetch, sample: usize) {
    for path in named_paths(evidence, sample) {
        let known = evidence.answers.keys().any(|ask| !ask.origin && ask.path == path && ask.method == "GET");
        if !known {
            evidence.ask(client, Ask::get(path).by("HEAD"));
        }
    }
}

/// A sample of the paths that each document names: what must answer 200.
pub fn named_paths(evidence: &Evidence, sample: usize) -> Vec<String> {
    let text_of = |path: &str| evidence.found(path).map(Answer::text).unwrap_or_default();
    let feed = feed::read(&text_of("/rss.xml")).map(|feed| feed.items.into_iter().map(|item| item.link).collect()).unwrap_or_default();
    let lists: [Vec<String>; 4] = [
        mapped(evidence).into_iter().map(|path| evidence.address.written(&path)).collect(),
        text::links(&text_of("/llms.txt")),
        sitemap_md(&text_of("/sitemap.md"), evidence),
        feed,
    ];
    let mut paths: Vec<String> = Vec::new();
    for list in &lists {
        let all: Vec<&String> = list.iter().collect();
        paths.extend(spread(&all, sample).into_iter().filter_map(|url| evidence.address.path_of(url)).map(str::to_owned));
    }
    paths.sort();
    paths.dedup();
    paths
}

/// The Markdown paths that the Markdown sitemap names, as URLs.
fn sitemap_md(content: &str, evidence: &Evidence) -> Vec<String> {
    text::code_paths(content).iter().map(|path| evidence.address.resolve(path, "/sitemap.md")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_both_ends() {
        let numbers: Vec<u32> = (0..100).collect();
        let all: Vec<&u32> = numbers.iter().collect();
        assert_eq!(spread(&all, 4), [&0, &33, &66, &99]);
        assert_eq!(spread(&all[..3], 10).len(), 3);
        assert_eq!((spread(&all, 1), spread(&all, 0)), (vec![&0], vec![]));
    }
}
