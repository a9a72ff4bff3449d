//! The evidence: every request and its answer, before any check judges it.

mod pairs;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jiff::Timestamp;

use crate::address::{Address, html_path, markdown_path};
use crate::answer::{AGENT, Answer, Ask, BROWSER, Fetch};
use crate::read::html::{self, Page};
use crate::read::twin::{self, Twin};

pub use pairs::{Pair, bare};

/// The clients that request a URL in turn, to see what a cache in front stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// Wants HTML.
    Browser,
    /// Wants Markdown.
    Agent,
}

impl Visitor {
    /// Its `Accept`.
    pub const fn accept(self) -> &'static str {
        match self {
            Self::Browser => BROWSER,
            Self::Agent => AGENT,
        }
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Agent => "agent",
        }
    }
}

/// Requests to one URL, in order.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The path below the site, with a query that makes it new to a cache.
    pub path: String,
    /// Each client, and what it got.
    pub steps: Vec<(Visitor, Answer)>,
}

/// A value computed from the answers on first use. A clone starts empty, because its answers may be
/// changed.
#[derive(Debug)]
struct Once<T>(OnceLock<Vec<T>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for Once<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// One form of a sampled page, parsed.
#[derive(Debug)]
pub struct Form<T> {
    /// The stem of the page.
    pub stem: String,
    /// The URL at which the form was requested.
    pub url: String,
    /// The parsed form.
    pub read: T,
}

/// What was gathered.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Where the site is requested and where it says it is published.
    pub address: Address,
    /// When it was gathered.
    pub now: Timestamp,
    /// Every answer, by its request.
    pub answers: BTreeMap<Ask, Answer>,
    /// Answers to requests on their own connections, with every byte received.
    pub alone: BTreeMap<Ask, Answer>,
    /// Requests to one URL in order; each is sent even if an equal one was sent before.
    pub walks: Vec<Walk>,
    /// Stems of the sampled articles, encoded: `/articles/x`.
    pub articles: Vec<String>,
    /// Stems of the other sampled pages: `/index`, `/terms`, `/api`, `/articles/index`.
    pub pages: Vec<String>,
    /// Stems of the first articles in the list of articles.
    pub newest: Vec<String>,
    /// Paths of the pages' style sheets, scripts and pictures.
    pub assets: Vec<String>,
    /// Why gathering stopped early.
    pub cut: Option<String>,
    html_forms: Once<Form<Page>>,
    markdown_forms: Once<Form<Twin>>,
    pairs: Once<Pair>,
}

impl Evidence {
    /// Empty evidence.
    pub fn new(address: Address, now: Timestamp) -> Self {
        Self {
            address,
            now,
            answers: BTreeMap::new(),
            alone: BTreeMap::new(),
            walks: Vec::new(),
            articles: Vec::new(),
            pages: Vec::new(),
            newest: Vec::new(),
            assets: Vec::new(),
            cut: None,
            html_forms: Once::default(),
            markdown_forms: Once::default(),
            pairs: Once::default(),
        }
    }

    /// Whether the status names a list of changes.
    pub fn names_changes(&self) -> bool {
        let status = self.found("/status.json");
        let status = status.and_then(|answer| serde_json::from_slice(&answer.body).ok());
        status.is_some_and(|status: serde_json::Value| status["links"]["changes"].is_string())
    }

    /// Sends a request unless it was sent before or the client has stopped.
    pub fn ask(&mut self, client: &mut dyn Fetch, ask: Ask) -> Option<&Answer> {
        if !self.answers.contains_key(&ask) {
            if client.stopped().is_some() {
                self.cut = client.stopped();
                return None;
            }
            let place = if ask.origin {
                format!("{}{}", self.address.origin(), ask.path)
            } else {
                self.address.url(&ask.path)
            };
            let answer = client.fetch(&ask, &place);
            self.answers.insert(ask.clone(), answer);
        }
        self.answers.get(&ask)
    }

    /// Sends a request on its own connection unless the client has stopped.
    pub fn ask_alone(&mut self, client: &mut dyn Fetch, ask: Ask) {
        if client.stopped().is_some() {
            self.cut = client.stopped();
            return;
        }
        let answer = client.fetch_alone(&ask, &self.address.url(&ask.path));
        self.alone.insert(ask, answer);
    }

    /// The answer to a request, if it was sent.
    pub fn answer(&self, ask: &Ask) -> Option<&Answer> {
        self.answers.get(ask)
    }

    /// The answer to a plain GET.
    pub fn get(&self, path: &str) -> Option<&Answer> {
        self.answer(&Ask::get(path))
    }

    /// The answer to a plain GET, if it is a 200.
    pub fn found(&self, path: &str) -> Option<&Answer> {
        self.get(path).filter(|answer| answer.status == 200)
    }

    /// What a browser got, if it is a 200.
    pub fn html(&self, stem: &str) -> Option<&Answer> {
        self.answer(&Ask::browser(html_path(stem)))
            .filter(|answer| answer.status == 200)
    }

    /// The Markdown form at its own path, if it is a 200.
    pub fn markdown(&self, stem: &str) -> Option<&Answer> {
        self.found(&markdown_path(stem))
    }

    /// The HTML form of every sampled page.
    pub fn html_forms(&self) -> &[Form<Page>] {
        let form = |stem: &String| {
            let read = html::read(&self.html(stem)?.text());
            Some(Form {
                stem: stem.clone(),
                url: self.url(&html_path(stem)),
                read,
            })
        };
        self.html_forms
            .0
            .get_or_init(|| self.stems().filter_map(form).collect())
    }

    /// The Markdown form of every sampled page.
    pub fn markdown_forms(&self) -> &[Form<Twin>] {
        let form = |stem: &String| {
            let read = twin::read(&self.markdown(stem)?.text());
            Some(Form {
                stem: stem.clone(),
                url: self.url(&markdown_path(stem)),
                read,
            })
        };
        self.markdown_forms
            .0
            .get_or_init(|| self.stems().filter_map(form).collect())
    }

    /// The texts that have both forms, ready for comparison.
    pub fn pairs(&self) -> &[Pair] {
        self.pairs.0.get_or_init(|| pairs::pairs(self))
    }

    /// Every sampled page: articles and others.
    pub fn stems(&self) -> impl Iterator<Item = &String> {
        self.pages.iter().chain(&self.articles)
    }

    /// The requested URL of a path.
    pub fn url(&self, path: &str) -> String {
        self.address.url(path)
    }

    /// Every plain 200 with its request: documents, pages and twins.
    pub fn successes(&self) -> impl Iterator<Item = (&Ask, &Answer)> {
        self.answers
            .iter()
            .filter(|(ask, answer)| ask.method == "GET" && !ask.origin && answer.status == 200)
    }

    /// Every answer of the site with its request.
    pub fn came(&self) -> impl Iterator<Item = (&Ask, &Answer)> {
        self.answers
            .iter()
            .filter(|(ask, answer)| !ask.origin && answer.status != 0)
    }

    /// Whether an answer names a cache in front.
    pub fn cached(&self) -> bool {
        let steps = self
            .walks
            .iter()
            .flat_map(|walk| &walk.steps)
            .map(|(_, answer)| answer);
        self.answers
            .values()
            .chain(steps)
            .any(|answer| !answer.cache_marks().is_empty())
    }

    /// Whether some agent got Markdown at an `.html` path: the host negotiates.
    pub fn negotiates(&self) -> bool {
        self.answers.iter().any(|(ask, answer)| {
            negotiated(&ask.path) && answer.status == 200 && answer.media() == "text/markdown"
        })
    }
}

/// Whether the representation at a path is negotiated.
pub fn negotiated(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    path == "/" || path.ends_with(".html")
}

/// A field in messages, if it affects the answer.
fn named_field(name: &str, value: &str) -> Option<String> {
    Some(match (name, value) {
        ("accept", BROWSER) => "a browser".to_owned(),
        ("accept", AGENT) => "an agent".to_owned(),
        ("accept", _) => format!("`Accept: {value}`"),
        ("accept-encoding", _) => format!("`Accept-Encoding: {value}`"),
        ("if-none-match" | "if-modified-since", _) => "the validator it gave".to_owned(),
        ("user-agent", _) => {
            let beginning: String = value.chars().take(20).collect();
            format!("`User-Agent: {beginning}`")
        }
        ("range", _) => format!("`Range: {value}`"),
        ("if-range", _) => format!("`If-Range: {value}`"),
        _ => return None,
    })
}

/// The name of a request in messages: the URL, and the fields that affect the answer.
pub fn named(evidence: &Evidence, ask: &Ask) -> String {
    let url = if ask.origin {
        format!("{}{}", evidence.address.origin(), ask.path)
    } else {
        evidence.url(&ask.path)
    };
    let method = if ask.method == "GET" {
        String::new()
    } else {
        format!("{} ", ask.method)
    };
    let mut who: Vec<String> = Vec::new();
    for (name, value) in &ask.fields {
        who.extend(named_field(name, value));
    }
    if who.is_empty() {
        format!("{method}{url}")
    } else {
        format!("{method}{url} for {}", who.join(" with "))
    }
}
