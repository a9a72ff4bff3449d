//! The bodies of error answers. The theme draws one shell when the edition is made; each answer only fills it.

use bytes::Bytes;
use diglot_content::{BaseUrl, Problem};
use minijinja::context;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::draft::Draft;
use super::shared::{Shared, html_path};
use super::{html, plan, twin};
use crate::errors::{ErrorBodies, ErrorForm, Nearest};
use crate::route::Route;
use crate::theme::context::ErrorContext;
use crate::theme::{escape, escape_markdown, safe, value};

/// Stand for the status and the message while the shell is drawn: noncharacters (Unicode 23.7), which no text holds.
const STATUS: char = '\u{fdd0}';
const MESSAGE: char = '\u{fdd1}';
/// As much of a requested path as an answer repeats, in characters.
const SHOWN: usize = 200;

/// Writes the bodies of error answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errors {
    base: BaseUrl,
    /// The page with [`STATUS`] and [`MESSAGE`] in it.
    shell: Vec<Piece>,
    /// What the page for "not found" says, in both forms.
    missing: Missing,
}

/// A piece of the shell.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Piece {
    Text(String),
    Status,
    Message,
}

/// What the page for "not found" says.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Missing {
    title: String,
    html: String,
    markdown: String,
}

impl Errors {
    /// Draws the shell and reads the author's words for "not found", if there are any.
    ///
    /// # Errors
    /// The mistakes of the theme's templates.
    pub(super) fn new(shared: &Shared<'_>) -> Result<Self, Problem> {
        let missing = plan::missing(shared)?;
        let shell = shell(shared, &missing)?;
        let (mut html, _) = html::content(shared, &missing);
        html.shrink_to_fit();
        let markdown = twin::merged(shared, &missing);
        Ok(Self { base: shared.base().clone(), shell, missing: Missing { title: missing.title.to_string(), html, markdown } })
    }

    fn html(&self, status: u16, requested: &str, nearest: &[Nearest]) -> String {
        let title = if status == 404 { self.missing.title.clone() } else { phrase(status) };
        let mut message = String::new();
        if let Some(sentence) = sentence(status) {
            message.push_str(&format!("<p>{}</p>\n", escape(sentence)));
        }
        if !requested.is_empty() {
            message.push_str(&format!("<p>You asked for <code>{}</code>.</p>\n", escape(&shortened(requested))));
        }
        if !nearest.is_empty() {
            message.push_str("<p>Near to that are:</p>\n<ul>\n");
            for page in nearest {
                message.push_str(&format!(
                    "<li><a href=\"{}\">{}</a></li>\n",
                    escape(&self.base.rooted(&html_path(&page.stem))),
                    escape(&page.title)
                ));
            }
            message.push_str("</ul>\n");
        }
        if matches!(status, 404 | 410) {
            message.push_str(&self.missing.html);
        }
        let fill = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Status => escape(&title).into_owned(),
            Piece::Message => message.clone(),
        };
        self.shell.iter().map(fill).collect()
    }

    fn markdown(&self, status: u16, requested: &str, nearest: &[Nearest]) -> String {
        let mut text = format!("# {}\n\n", if status == 404 { self.missing.title.clone() } else { phrase(status) });
        if let Some(sentence) = sentence(status) {
            text.push_str(&format!("{sentence}\n\n"));
        }
        if !requested.is_empty() {
            text.push_str(&format!("You asked for {}.\n\n", code_span(&shortened(requested))));
        }
        if !nearest.is_empty() {
            text.push_str("Near to that are:\n\n");
            for page in nearest {
                text.push_str(&format!("- [{}]({}.md)\n", escape_markdown(&page.title), self.base.absolute(&page.stem)));
            }
            text.push('\n');
        }
        if matches!(status, 404 | 410) {
            text.push_str(&self.missing.markdown);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// RFC 9457. `about:blank` says that the status is all there is to the type, so `title` is the status's phrase.
    fn problem(&self, status: u16, requested: &str, nearest: &[Nearest]) -> String {
        let mut problem = json!({ "type": "about:blank", "title": reason(status), "status": status });
        let mut set = |key: &str, value: serde_json::Value| problem[key] = value;
        if let Some(sentence) = sentence(status) {
            set("detail", sentence.into());
        }
        if !requested.is_empty() {
            set("instance", self.base.rooted(&shortened(requested)).into());
        }
        if matches!(status, 404 | 410) {
            set("detail", "There is no page at this address.".into());
            let page = |page: &Nearest| json!({ "title": page.title, "html": self.base.absolute(&html_path(&page.stem)), "markdown": format!("{}.md", self.base.absolute(&page.stem)) });
            set("nearest", nearest.iter().map(page).collect());
            let absolute = |route: Route| self.base.absolute(&route.path());
            set("index", absolute(Route::Llms).into());
            set("sitemap", absolute(Route::SitemapMarkdown).into());
        }
        if status == 410 {
            set("detail", "This page was here and has been taken down on purpose.".into());
        }
        format!("{problem:#}\n")
    }
}

impl ErrorBodies for Errors {
    fn drawn(&self) -> Option<&Errors> {
        Some(self)
    }

    fn body(&self, form: ErrorForm, status: u16, requested: &str, nearest: &[Nearest]) -> Bytes {
        match form {
            ErrorForm::Html => self.html(status, requested, nearest),
            ErrorForm::Markdown => self.markdown(status, requested, nearest),
            ErrorForm::Problem => self.problem(status, requested, nearest),
        }
        .into()
    }
}

/// Draws the page around an error and cuts it at the places to fill.
fn shell(shared: &Shared<'_>, missing: &Draft<'_>) -> Result<Vec<Piece>, Problem> {
    let (status, message) = (STATUS.to_string(), MESSAGE.to_string());
    let page = html::error_context(missing, &status, &message);
    let error = ErrorContext { status, message: safe(&message) };
    let [site, words, once] = shared.given(&missing.language);
    let context = context! { site, words, once, page => value(page), error => value(error) };
    let drawn = shared.context.theme.render("error.html", context, shared.folder())?;
    let mut pieces = Vec::new();
    for part in drawn.split_inclusive([STATUS, MESSAGE]) {
        let (text, place) = match part.chars().next_back() {
            Some(STATUS) => (&part[..part.len() - STATUS.len_utf8()], Some(Piece::Status)),
            Some(MESSAGE) => (&part[..part.len() - MESSAGE.len_utf8()], Some(Piece::Message)),
            _ => (part, None),
        };
        pieces.push(Piece::Text(text.to_owned()));
        pieces.extend(place);
    }
    Ok(pieces)
}

/// `405 Method Not Allowed`.
fn phrase(status: u16) -> String {
    format!("{status} {}", reason(status))
}

/// The reason phrase of a status (RFC 9110 section 15, RFC 6585).
pub const fn reason(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        410 => "Gone",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        414 => "URI Too Long",
        416 => "Range Not Satisfiable",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        401..500 => "Client Error",
        _ => "Server Error",
    }
}

/// What happened and what to do, in one sentence or two; a 404 has a page of its own for that.
const fn sentence(status: u16) -> Option<&'static str> {
    match status {
        404 => None,
        400 => Some("The request could not be understood."),
        405 => Some("This site is for reading: only GET, HEAD and OPTIONS are answered."),
        408 => Some("The request took too long to arrive."),
        410 => Some("This page was here and has been taken down on purpose."),
        412 => Some("The resource is not in the state that the request asks for."),
        413 => Some("The request has a body that is too large; none is needed."),
        414 => Some("The address is too long."),
        416 => Some("The range lies outside of this resource."),
        429 => Some("Too many requests came in a short time. Please wait, as Retry-After says, and ask again."),
        431 => Some("The header fields of the request are too large."),
        503 => Some("The server is busy. Please wait, as Retry-After says, and ask again."),
        500.. => Some("The server could not answer. This is not your mistake."),
        _ => Some("The request could not be answered."),
    }
}

/// As much of a requested path as an answer repeats.
fn shortened(requested: &str) -> String {
    match requested.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &requested[..end]),
        None => requested.to_owned(),
    }
}

/// A code span (CommonMark 6.1) that no back quote and no line break in the text can end.
fn code_span(text: &str) -> String {
    let text: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}
