//! The bodies of error responses: the interface between the pages that a theme renders and the HTTP
//! crate.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::BaseUrl;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::route::{Form, Route, html_path};
use crate::theme::{escape, escape_markdown};

/// The negotiated form of an error body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorForm {
    /// For people.
    Html,
    /// For machines that read text.
    Markdown,
    /// `application/problem+json` (RFC 9457), for machines that parse it.
    Problem,
}

impl ErrorForm {
    /// The value of `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Problem => "application/problem+json",
        }
    }
}

/// A page that a 404 may suggest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SuggestedPage {
    /// The page's title, plain text.
    pub title: Arc<str>,
    /// Its path without suffix, decoded: `/articles/x`.
    pub stem: Arc<str>,
}

/// Writes the bodies of error responses. Each [`Edition`](crate::Edition) holds one, built by the
/// theme.
pub trait ErrorBodies: fmt::Debug + Send + Sync {
    /// A short body for this status in this form. `requested` is the requested path (decoded,
    /// relative to the base URL; it is escaped on output). `nearest`: at most four existing pages,
    /// for a 404.
    fn body(
        &self,
        form: ErrorForm,
        status: u16,
        requested: &str,
        nearest: &[SuggestedPage],
    ) -> Bytes;

    /// The theme's own, which can be stored; other implementations cannot.
    fn drawn(&self) -> Option<&Errors> {
        None
    }
}

/// What the answer to a search that is refused says.
const REFUSED_SEARCH: &str = "What a search looks for has at most 200 bytes, some 65 characters of Chinese or Japanese: use fewer words.";
/// The characters of a requested path that a response repeats.
const SHOWN: usize = 200;

/// Writes the bodies of error responses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errors {
    pub(crate) base: BaseUrl,
    /// For all addresses …
    pub(crate) page: ErrorPage,
    /// … but those of these languages.
    pub(crate) others: Vec<ErrorPage>,
}

/// The page of errors in one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ErrorPage {
    /// BCP 47.
    pub language: String,
    /// The page around an error message.
    pub shell: Vec<ShellPart>,
    /// The text of the "not found" page, in both forms.
    pub missing: Missing,
    /// What pages of other errors say.
    pub words: ErrorWords,
}

/// The words of the theme about errors, in one language.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ErrorWords {
    /// The heading, with the places `{status}` and `{reason}`.
    pub heading: String,
    /// The cause and remedy, by status.
    pub sentences: BTreeMap<u16, Sentence>,
    /// Of any other status.
    pub other: Sentence,
}

/// A sentence in the language of its page, else in English.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sentence {
    pub text: String,
    pub is_foreign: bool,
}

/// The statuses with a sentence of their own in the words of the theme.
pub(crate) const WORDED: [u16; 12] = [400, 405, 408, 410, 412, 413, 414, 416, 429, 431, 500, 503];

impl ErrorWords {
    /// `Fehler 405 (Method Not Allowed)`.
    fn heading(&self, status: u16) -> String {
        let heading = self.heading.replace("{status}", &status.to_string());
        heading.replace("{reason}", reason(status))
    }

    /// `None` for a 404, which has its own page.
    fn sentence(&self, status: u16) -> Option<Sentence> {
        let known = match status {
            404 => return None,
            // Only who previews drafts sees it.
            421 => {
                return Some(Sentence {
                    text: sentence(status)?.to_owned(),
                    is_foreign: true,
                });
            }
            503 => 503,
            500.. => 500,
            status => status,
        };
        let found = self.sentences.get(&known).unwrap_or(&self.other);
        Some(found.clone())
    }
}

/// A piece of the shell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ShellPart {
    Text(String),
    Status,
    Message,
}

/// The text of the "not found" page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Missing {
    pub title: String,
    pub html: String,
    /// The form of the search and the links behind the text.
    pub links: String,
    pub markdown: String,
    /// The words around the path that was asked for, and those before the pages near to it.
    pub asked: Vec<String>,
    pub near: String,
}

impl ErrorPage {
    fn title(&self, status: u16) -> String {
        match status {
            404 => self.missing.title.clone(),
            _ => self.words.heading(status),
        }
    }
}

impl Errors {
    /// The page in the language of an address: that of its first folder (`/de/x`), or the one in the
    /// name of its file (`/x.de.html`).
    fn page_of(&self, requested: &str) -> &ErrorPage {
        let folder = requested.trim_start_matches('/').split('/').next();
        let name = requested.rsplit('/').next().unwrap_or_default();
        let tags: Vec<&str> = folder.into_iter().chain(name.split('.').skip(1)).collect();
        let is_named = |page: &&ErrorPage| {
            tags.iter()
                .any(|tag| tag.eq_ignore_ascii_case(&page.language))
        };
        self.others.iter().find(is_named).unwrap_or(&self.page)
    }

    fn html(&self, status: u16, requested: &str, nearest: &[SuggestedPage]) -> String {
        let page = self.page_of(requested);
        let (shell, missing) = (&page.shell, &page.missing);
        let title = page.title(status);
        let mut message = String::new();
        let is_missing = matches!(status, 404 | 410);
        if let Some(sentence) = page.words.sentence(status) {
            message.push_str(&paragraph(&sentence));
        }
        if status == 404 {
            message.push_str(&missing.html);
        }
        if is_search(status, requested) {
            message.push_str(&paragraph(&Sentence {
                text: REFUSED_SEARCH.to_owned(),
                is_foreign: !page.language.starts_with("en"),
            }));
            message.push_str(&missing.links);
        }
        if !requested.is_empty() {
            message.push_str(&asked_for(missing, requested));
        }
        if !nearest.is_empty() {
            message.push_str(&self.list_of_nearest(missing, nearest));
        }
        if is_missing {
            message.push_str(&missing.links);
        }
        filled(shell, &title, &message)
    }

    fn list_of_nearest(&self, missing: &Missing, nearest: &[SuggestedPage]) -> String {
        let near = escape(&missing.near);
        let mut list = format!("<p>{near}</p>\n<ul>\n");
        for page in nearest {
            list.push_str(&format!(
                "<li><a href=\"{}\">{}</a></li>\n",
                escape(&self.base.rooted(&html_path(&page.stem))),
                escape(&page.title)
            ));
        }
        list.push_str("</ul>\n");
        list
    }

    fn markdown(&self, status: u16, requested: &str, nearest: &[SuggestedPage]) -> String {
        let page = self.page_of(requested);
        let missing = &page.missing;
        let mut text = format!("# {}\n\n", page.title(status));
        if let Some(sentence) = page.words.sentence(status) {
            text.push_str(&format!("{}\n\n", sentence.text));
        }
        if is_search(status, requested) {
            text.push_str(&format!("{REFUSED_SEARCH}\n\n"));
        }
        if !requested.is_empty() {
            let asked = missing.asked.join(&code_span(&shortened(requested)));
            text.push_str(&format!("{asked}\n\n"));
        }
        if !nearest.is_empty() {
            text.push_str(&format!("{}\n\n", missing.near));
            for page in nearest {
                text.push_str(&format!(
                    "- [{}]({}.md)\n",
                    escape_markdown(&page.title),
                    self.base.absolute(&page.stem)
                ));
            }
            text.push('\n');
        }
        if matches!(status, 404 | 410) {
            text.push_str(missing.markdown.trim_end());
            for route in [Route::Llms, Route::SitemapMarkdown] {
                let path = route.path();
                let url = self.base.absolute(&path);
                text.push_str(&format!("\n- [{}]({url})", path.trim_start_matches('/')));
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// RFC 9457. `about:blank` means that the type has no meaning beyond the status, so `title` is
    /// the status's phrase.
    fn problem(&self, status: u16, requested: &str, nearest: &[SuggestedPage]) -> String {
        let mut problem =
            json!({ "type": "about:blank", "title": reason(status), "status": status });
        if let Some(sentence) = sentence(status) {
            problem["detail"] = sentence.into();
        }
        if is_search(status, requested) {
            problem["detail"] = REFUSED_SEARCH.into();
        }
        if !requested.is_empty() {
            problem["instance"] = self.base.rooted(&shortened(requested)).into();
        }
        if status == 404 {
            problem["detail"] = "There is no page at this address.".into();
        }
        if matches!(status, 404 | 410) {
            self.add_nearest(&mut problem, nearest);
        }
        format!("{problem:#}\n")
    }

    /// Adds the nearest pages and the lists of all pages.
    fn add_nearest(&self, problem: &mut serde_json::Value, nearest: &[SuggestedPage]) {
        let mut pages = Vec::new();
        for page in nearest {
            let html = self.base.absolute(&html_path(&page.stem));
            let markdown = format!("{}.md", self.base.absolute(&page.stem));
            pages.push(json!({ "title": page.title, "html": html, "markdown": markdown }));
        }
        problem["nearest"] = pages.into();
        problem["index"] = self.base.absolute(&Route::Llms.path()).into();
        problem["sitemap"] = self.base.absolute(&Route::SitemapMarkdown.path()).into();
    }
}

/// Whether the search at this path was refused.
fn is_search(status: u16, requested: &str) -> bool {
    let is_there = |form| Route::Search(form).path() == requested;
    status == 400 && [Form::Html, Form::Markdown].into_iter().any(is_there)
}

fn paragraph(sentence: &Sentence) -> String {
    let language = if sentence.is_foreign {
        " lang=\"en\""
    } else {
        ""
    };
    let text = escape(&sentence.text);
    format!("<p{language}>{text}</p>\n")
}

/// The sentence that names the path that was asked for.
fn asked_for(missing: &Missing, requested: &str) -> String {
    let path = format!("<code>{}</code>", escape(&shortened(requested)));
    let words = missing.asked.iter().map(|words| escape(words));
    let asked = words.collect::<Vec<_>>().join(&path);
    format!("<p>{asked}</p>\n")
}

/// The page around a message.
fn filled(shell: &[ShellPart], title: &str, message: &str) -> String {
    let mut page = String::new();
    for piece in shell {
        match piece {
            ShellPart::Text(text) => page.push_str(text),
            ShellPart::Status => page.push_str(&escape(title)),
            ShellPart::Message => page.push_str(message),
        }
    }
    page
}

impl ErrorBodies for Errors {
    fn drawn(&self) -> Option<&Errors> {
        Some(self)
    }

    fn body(
        &self,
        form: ErrorForm,
        status: u16,
        requested: &str,
        nearest: &[SuggestedPage],
    ) -> Bytes {
        match form {
            ErrorForm::Html => self.html(status, requested, nearest),
            ErrorForm::Markdown => self.markdown(status, requested, nearest),
            ErrorForm::Problem => self.problem(status, requested, nearest),
        }
        .into()
    }
}

/// A status, its reason phrase (RFC 9110 section 15, RFC 6585), and the cause and remedy in one or
/// two sentences.
type Status = (u16, &'static str, &'static str);

const STATUSES: [Status; 16] = [
    (400, "Bad Request", "The request could not be understood."),
    // A 404 has its own page.
    (404, "Not Found", ""),
    (
        405,
        "Method Not Allowed",
        "This site is for reading: only GET, HEAD and OPTIONS are answered.",
    ),
    (
        408,
        "Request Timeout",
        "The request took too long to arrive.",
    ),
    (
        410,
        "Gone",
        "This page was here and has been taken down on purpose.",
    ),
    (
        412,
        "Precondition Failed",
        "The resource is not in the state that the request asks for.",
    ),
    (
        413,
        "Content Too Large",
        "The request has a body that is too large; none is needed.",
    ),
    (414, "URI Too Long", "The address is too long."),
    (
        416,
        "Range Not Satisfiable",
        "The range lies outside of this resource.",
    ),
    (
        421,
        "Misdirected Request",
        "This preview shows drafts. It answers only requests from its own machine, without a proxy.",
    ),
    (
        429,
        "Too Many Requests",
        "Too many requests came in a short time. Please wait, as Retry-After says, and ask again.",
    ),
    (
        431,
        "Request Header Fields Too Large",
        "The header fields of the request are too large.",
    ),
    (500, "Internal Server Error", SERVER_FAULT),
    (501, "Not Implemented", SERVER_FAULT),
    (
        503,
        "Service Unavailable",
        "The server is busy. Please wait, as Retry-After says, and ask again.",
    ),
    (505, "HTTP Version Not Supported", SERVER_FAULT),
];

const SERVER_FAULT: &str = "The server could not answer. This is not your mistake.";

/// The entry of a status.
fn status_of(status: u16) -> Status {
    let known = STATUSES
        .iter()
        .find(|(known, ..)| *known == status)
        .copied();
    known.unwrap_or(match status {
        401..500 => (status, "Client Error", "The request could not be answered."),
        500.. => (status, "Server Error", SERVER_FAULT),
        _ => (status, "Server Error", "The request could not be answered."),
    })
}

/// The reason phrase of a status.
pub fn reason(status: u16) -> &'static str {
    status_of(status).1
}

/// The cause and remedy; `None` for a 404, which has its own page.
fn sentence(status: u16) -> Option<&'static str> {
    Some(status_of(status).2).filter(|sentence| !sentence.is_empty())
}

/// Shortens a requested path for a response.
fn shortened(requested: &str) -> String {
    match requested.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &requested[..end]),
        None => requested.to_owned(),
    }
}

/// A code span (CommonMark 6.1) that no backtick or line break in the text can end.
fn code_span(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    let longest = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{text}{space}{fence}")
}
