//! Everything that was asked and came, before anybody judges it.

mod pairs;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jiff::Timestamp;

use crate::address::{Address, html_path, markdown_path};
use crate::answer::{AGENT, Answer, Ask, BROWSER, Fetch};
use crate::read::html::{self, Page};
use crate::read::twin::{self, Twin};

pub use pairs::{Pair, bare};

/// Who visits a URL, one after the other, to see what a cache in front remembers.
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

/// Visits to one URL in order.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The path below the site, with the query that makes it new to a cache.
    pub path: String,
    /// Who came, and what they got.
    pub steps: Vec<(Visitor, Answer)>,
}

/// Something that is read from answers when it is first asked for. A copy reads anew, because its
/// answers may be altered.
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

/// One form of a page that is looked at, read.
#[derive(Debug)]
pub struct Form<T> {
    /// The stem of the page.
    pub stem: String,
    /// The URL at which the form was asked.
    pub url: String,
    /// What was read.
    pub read: T,
}

/// What was gathered.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Where the site is asked and where it says it lives.
    pub address: Address,
    /// When it was gathered.
    pub now: Timestamp,
    /// Every answer, by its request.
    pub answers: BTreeMap<Ask, Answer>,
    /// Answers to requests on connections of their own, with every byte that came.
    pub alone: BTreeMap<Ask, Answer>,
    /// Visits in order, each asked anew.
    pub walks: Vec<Walk>,
    /// Stems of the articles that are looked at, encoded: `/articles/x`.
    pub articles: Vec<String>,
    /// Stems of the other pages that are looked at: `/index`, `/terms`, `/api`, `/articles/index`.
    pub pages: Vec<String>,
    /// Stems of the articles that the list of articles names first.
    pub newest: Vec<String>,
    /// Paths of the style sheets, scripts and pictures of the pages.
    pub assets: Vec<String>,
    /// Why it ended before everything was asked.
    pub cut: Option<String>,
    html_forms: Once<Form<Page>>,
    markdown_forms: Once<Form<Twin>>,
    pairs: Once<Pair>,
}

impl Evidence {
    /// Nothing, of a site.
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

    /// Asks, unless that was asked already or nothing more may be asked.
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

    /// Asks on a connection of its own, unless nothing more may be asked.
    pub fn ask_alone(&mut self, client: &mut dyn Fetch, ask: Ask) {
        if client.stopped().is_some() {
            self.cut = client.stopped();
            return;
        }
        let answer = client.fetch_alone(&ask, &self.address.url(&ask.path));
        self.alone.insert(ask, answer);
    }

    /// The answer to a request, if it was made.
    pub fn of(&self, ask: &Ask) -> Option<&Answer> {
        self.answers.get(ask)
    }

    /// The answer to a plain GET.
    pub fn get(&self, path: &str) -> Option<&Answer> {
        self.of(&Ask::get(path))
    }

    /// The answer to a plain GET, if it is a 200.
    pub fn found(&self, path: &str) -> Option<&Answer> {
        self.get(path).filter(|answer| answer.status == 200)
    }

    /// What a browser got, if it is a 200.
    pub fn html(&self, stem: &str) -> Option<&Answer> {
        self.of(&Ask::browser(html_path(stem)))
            .filter(|answer| answer.status == 200)
    }

    /// The Markdown form at its own path, if it is a 200.
    pub fn markdown(&self, stem: &str) -> Option<&Answer> {
        self.found(&markdown_path(stem))
    }

    /// The HTML form of every page that is looked at.
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

    /// The Markdown form of every page that is looked at.
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

    /// The texts that are there in both forms, ready to be compared.
    pub fn pairs(&self) -> &[Pair] {
        self.pairs.0.get_or_init(|| pairs::pairs(self))
    }

    /// Every page that is looked at: articles and others.
    pub fn stems(&self) -> impl Iterator<Item = &String> {
        self.pages.iter().chain(&self.articles)
    }

    /// The URL of a path, as it was asked.
    pub fn url(&self, path: &str) -> String {
        self.address.url(path)
    }

    /// Every plain 200, with its path: documents, pages and twins.
    pub fn successes(&self) -> impl Iterator<Item = (&Ask, &Answer)> {
        self.answers
            .iter()
            .filter(|(ask, answer)| ask.method == "GET" && !ask.origin && answer.status == 200)
    }

    /// Every answer of the site that came, with its request.
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

/// Whether a path is one at which the form is chosen.
pub fn negotiated(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    path == "/" || path.ends_with(".html")
}

/// How a request is named in messages: the URL, and what of its fields decides.
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
    let accept = |value: &str| match value {
        BROWSER => "a browser".to_owned(),
        AGENT => "an agent".to_owned(),
        other => format!("`Accept: {other}`"),
    };
    let mut who: Vec<String> = Vec::new();
    for (name, value) in &ask.fields {
        match *name {
            "accept" => who.push(accept(value)),
            "accept-encoding" => who.push(format!("`Accept-Encoding: {value}`")),
            "if-none-match" | "if-modified-since" => who.push("the validator it gave".to_owned()),
            "user-agent" => who.push(format!(
                "`User-Agent: {}`",
                value.chars().take(20).collect::<String>()
            )),
            "range" => who.push(format!("`Range: {value}`")),
            "if-range" => who.push(format!("`If-Range: {value}`")),
            _ => {}
        }
    }
    if who.is_empty() {
        format!("{method}{url}")
    } else {
        format!("{method}{url} for {}", who.join(" with "))
    }
}
