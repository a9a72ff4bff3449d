//! The tools: what each takes, and what it says.

use std::sync::Arc;

use diglot_audit::outline::{self, Section};
use diglot_content::encoding::{decode_path, encode_path};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::changes;
use super::cursor::Cursor;
use super::grep::{self, Pattern};
use super::pages::{LastPages, Page, Pages};
use super::range;
use super::said::{Said, quoted, refused};
use super::site::{Site, Source, below, text};
use super::{MOST_BYTES, MOST_LISTED, MOST_RESOURCE};

/// The most bytes that are shown of a title.
const MOST_TITLE: usize = 200;
/// The most sections that a message names.
const MOST_SECTIONS: usize = 60;
/// The most bytes of a query (contract, section 7).
const MOST_QUERY: usize = 200;

/// A tool as a client sees it.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// The JSON Schema of its arguments.
    pub(crate) schema: Value,
}

/// The tools over one site.
pub struct Tools {
    source: Arc<dyn Source>,
    pages: LastPages,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    under: String,
    cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    path: String,
    section: Option<String>,
    from: Option<usize>,
    to: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grep {
    pattern: String,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    under: String,
    cursor: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
}

impl Tools {
    /// The tools over this site.
    pub fn new(source: Arc<dyn Source>) -> Self {
        Self {
            source,
            pages: LastPages::default(),
        }
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// What the caller should know: an unknown tool, wrong arguments, no such page.
    pub fn call(&self, name: &str, arguments: Map<String, Value>) -> Result<Said, String> {
        let called = self.called(name, arguments);
        called.map_err(|why| refused(&why))
    }

    fn called(&self, name: &str, arguments: Map<String, Value>) -> Result<Said, String> {
        let site = self.source.site()?;
        match name {
            "list" => self.list(&*site, &arguments_of(arguments)?),
            "read" => self.read(&*site, arguments_of(arguments)?),
            "grep" => self.grep(&*site, &arguments_of(arguments)?),
            "search" => search(&*site, &arguments_of(arguments)?),
            "changes" => changes::changes(&*site, &arguments_of(arguments)?),
            _ => Err(unknown(name)),
        }
    }

    fn list(&self, site: &dyn Site, args: &List) -> Result<Said, String> {
        let pages = self.pages.get(site)?;
        let from = Cursor::parse(args.cursor.as_deref(), site.id())?;
        let under = under(site, &args.under);
        let mut said = Said::default();
        for (count, (number, page)) in pages.under(&under, from.page).enumerate() {
            let row = format!("{}\t{}\n", page.path, title(page));
            if count == MOST_LISTED || said.text.len() + row.len() > MOST_BYTES {
                let next = Cursor::new(number, 0, site.id());
                said.note = format!("There are more pages: call `list` with `cursor` = `{next}`.");
                return Ok(said);
            }
            said.text.push_str(&row);
        }
        if said.text.is_empty() {
            said.note = format!("No page is under `{}`.", quoted(&under));
        }
        Ok(said)
    }

    /// The part of a page that was asked for.
    fn read(&self, site: &dyn Site, args: Read) -> Result<Said, String> {
        let fragment = args
            .path
            .split_once('#')
            .map(|(_, id)| decode_path(id).unwrap_or_else(|| id.to_owned()));
        if args.from == Some(0) || args.to == Some(0) {
            return Err("lines are counted from 1, so there is no line 0".to_owned());
        }
        let (path, text) = self.page(site, &args.path)?;
        let end = text.lines().count();
        let mut lines = 0..end;
        if let Some(id) = args.section.or(fragment).filter(|id| !id.is_empty()) {
            let sections = sections(site, &path, &text)?;
            let Some(section) = sections.iter().find(|section| section.id == id) else {
                return Err(format!(
                    "`{path}` has no section `{}`; {}",
                    quoted(&id),
                    named(&sections)
                ));
            };
            lines = section.lines.clone();
        }
        if let Some(from) = args.from {
            lines.start = from - 1;
        }
        if let Some(to) = args.to {
            lines.end = to.min(end);
        }
        if lines.start >= lines.end.max(1) {
            return Err(format!(
                "`{path}` has {end} lines: there is nothing to read"
            ));
        }
        let (part, shown) = range::part(&text, lines.clone());
        let mut said = Said {
            text: part.to_owned(),
            note: String::new(),
        };
        if shown.end < lines.end {
            said.note = format!(
                "These are lines {} to {} of {end}. Go on with `from` = {}, or read one section; {}",
                shown.start + 1,
                shown.end,
                shown.end + 1,
                named(&sections(site, &path, &text)?)
            );
        } else if shown != (0..end) {
            said.note = format!(
                "These are lines {} to {} of {end}.",
                shown.start + 1,
                shown.end
            );
        }
        Ok(said)
    }

    /// The path and the text of the Markdown form of a page that may be named by either form. A query
    /// counts for nothing, unless it is part of a name that was not encoded.
    fn page(&self, site: &dyn Site, named: &str) -> Result<(String, String), String> {
        let (address, _) = named.split_once('#').unwrap_or((named, ""));
        let without_query = address.split_once('?').map(|(address, _)| address);
        for address in [Some(address), without_query].into_iter().flatten() {
            let Some(path) = below(site, address).map(markdown_path) else {
                continue;
            };
            if let Some(text) = text(site, &path)? {
                return Ok((path, text));
            }
        }
        let named = quoted(named);
        Err(format!(
            "there is no page `{named}`; `list` names the pages, and `search` finds them"
        ))
    }

    fn grep(&self, site: &dyn Site, args: &Grep) -> Result<Said, String> {
        let pattern = Pattern::new(&args.pattern, args.ignore_case)?;
        let from = Cursor::parse(args.cursor.as_deref(), site.id())?;
        let (pages, under) = (self.pages.get(site)?, under(site, &args.under));
        let found = grep::grep(site, &pages, &pattern, &under, &from)?;
        let mut notes = Vec::new();
        if found.text.is_empty() {
            notes.push(format!(
                "No line matches in the {} pages looked at.",
                found.looked_at
            ));
        }
        if let Some(next) = &found.next {
            notes.push(format!(
                "There may be more: call `grep` with the same arguments and `cursor` = `{next}`."
            ));
        }
        Ok(Said {
            text: found.text,
            note: notes.join(" "),
        })
    }

    /// The pages from a cursor on, as addresses and titles, and the cursor of the next ones.
    ///
    /// # Errors
    /// The site does not answer, or the cursor is wrong.
    pub(crate) fn resources(
        &self,
        cursor: Option<&str>,
    ) -> Result<(Vec<[String; 3]>, Option<String>), String> {
        let site = self.source.site()?;
        let from = Cursor::parse(cursor, site.id())?;
        let pages: Arc<Pages> = self.pages.get(&*site)?;
        let some = pages.under("", from.page).take(MOST_LISTED);
        let some = some.map(|(_, page)| {
            let url = site.address().url(&page.path);
            [url, page.path.clone(), title(page).to_owned()]
        });
        let next = from.page + MOST_LISTED;
        let next = (next < pages.pages.len()).then(|| Cursor::new(next, 0, site.id()).to_string());
        Ok((some.collect(), next))
    }

    /// The text at the address of a page's Markdown form; `None` if there is none.
    ///
    /// # Errors
    /// The site does not answer, or the text is too long.
    pub(crate) fn resource(&self, url: &str) -> Result<Option<String>, String> {
        let site = self.source.site()?;
        let path = below(&*site, url).filter(|path| path.ends_with(".md") && url.contains("://"));
        let Some(path) = path else {
            return Ok(None);
        };
        match text(&*site, path)? {
            Some(long) if long.len() > MOST_RESOURCE => Err(format!(
                "`{}` has {} bytes, more than a resource may have: use the tool `read`",
                quoted(url),
                long.len()
            )),
            text => Ok(text),
        }
    }

    /// The address of the site, for descriptions.
    pub(crate) fn base(&self) -> Result<String, String> {
        Ok(self.source.site()?.address().asked.clone())
    }
}

/// The percent-encoded path of the Markdown form of a page that is named by either form.
fn markdown_path(path: &str) -> String {
    match path.trim_end_matches(".html").trim_end_matches('/') {
        "" => "/index.md".to_owned(),
        path if path.ends_with(".md") || path.ends_with(".txt") => encoded(path),
        path => encoded(&format!("{path}.md")),
    }
}

/// What is said of a tool that there is not.
pub(crate) fn unknown(name: &str) -> String {
    format!("there is no tool `{}`", quoted(name))
}

/// Searches with the site's own search.
fn search(site: &dyn Site, args: &Search) -> Result<Said, String> {
    let query = args.query.trim();
    if query.is_empty() || query.len() > MOST_QUERY {
        return Err(format!("`query` has 1 to {MOST_QUERY} bytes"));
    }
    let target = format!("/search.md?q={}", encoded_query(query));
    let text = text(site, &target)?.ok_or("the site has no search; use `grep`")?;
    Ok(Said {
        text: results(&text).to_owned(),
        note: String::new(),
    })
}

/// The content of a Markdown form: without front matter and the links at its end.
fn results(page: &str) -> &str {
    let begin = match page
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"))
    {
        Some(end) => end + "---\n\n---\n".len(),
        None => 0,
    };
    let content = &page[begin..];
    let end = content.rfind("\n## Sitemap\n").unwrap_or(content.len());
    let content = content[..end].trim();
    &content[..content.floor_char_boundary(MOST_BYTES)]
}

/// The sections of a page, whose Markdown form is at this path.
fn sections(site: &dyn Site, path: &str, markdown: &str) -> Result<Vec<Section>, String> {
    let Some(stem) = path.strip_suffix(".md") else {
        return Ok(Vec::new());
    };
    let html = match stem {
        "/index" => "/".to_owned(),
        stem => format!("{stem}.html"),
    };
    let html = text(site, &html)?.unwrap_or_default();
    Ok(outline::sections(markdown, &html))
}

/// `sections: intro (line 12), use (line 40)`
fn named(sections: &[Section]) -> String {
    if sections.is_empty() {
        return "it has no sections.".to_owned();
    }
    let names = sections.iter().take(MOST_SECTIONS);
    let names = names.map(|section| format!("`{}` (line {})", section.id, section.lines.start + 1));
    let names: Vec<String> = names.collect();
    let more = match sections.len().saturating_sub(MOST_SECTIONS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("its sections are {}{more}.", names.join(", "))
}

fn title(page: &Page) -> &str {
    &page.title[..page.title.floor_char_boundary(MOST_TITLE)]
}

/// The beginning of paths that was asked for.
fn under(site: &dyn Site, under: &str) -> String {
    match under.trim() {
        "" => String::new(),
        under => encoded(below(site, under).unwrap_or(under)),
    }
}

/// Parses arguments.
fn arguments_of<T: serde::de::DeserializeOwned>(
    arguments: Map<String, Value>,
) -> Result<T, String> {
    let wrong = |error: serde_json::Error| {
        format!("the arguments are wrong: {}", quoted(&error.to_string()))
    };
    serde_json::from_value(Value::Object(arguments)).map_err(wrong)
}

/// A path that begins with a slash, percent-encoded; encoded characters stay.
fn encoded(path: &str) -> String {
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut encoded = slash.to_owned();
    for part in path.split_inclusive('%') {
        match part.strip_suffix('%') {
            Some(part) => encoded += &(encode_path(part) + "%"),
            None => encoded += &encode_path(part),
        }
    }
    encoded
}

/// A query as a form sends it (`application/x-www-form-urlencoded`).
fn encoded_query(query: &str) -> String {
    let mut encoded = String::new();
    for byte in query.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
                encoded.push(byte.into());
            }
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

/// All tools.
pub(crate) fn all() -> [Tool; 5] {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let number =
        |description: &str| json!({ "type": "integer", "minimum": 1, "description": description });
    let schema = |properties: Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let under = text("Only pages whose path begins with this, such as `/articles/`");
    let cursor = text("Where to go on: from the note of the result before");
    [
        Tool {
            name: "list",
            title: "List the pages",
            description: "Lists the pages of the site in its own order, one a line: the path and the title, with a tab between them.",
            schema: schema(json!({ "under": under, "cursor": cursor }), &[]),
        },
        Tool {
            name: "read",
            title: "Read a page",
            description: "Gives a page as Markdown: all of it, one section, or some lines. A long result is cut at the end of a line, and a note says how to go on.",
            schema: schema(
                json!({
                    "path": text("The path or the URL of the page, such as `/articles/first.md`; a `#fragment` names a section"),
                    "section": text("The id of a heading: gives that section with its subsections"),
                    "from": number("The first line, counted from 1"),
                    "to": number("The last line"),
                }),
                &["path"],
            ),
        },
        Tool {
            name: "grep",
            title: "Find lines by a pattern",
            description: "Finds the lines that match a regular expression (syntax of the Rust crate `regex`) in the Markdown of the pages: `path:line: text`.",
            schema: schema(
                json!({
                    "pattern": text("The regular expression; it is matched with one line at a time"),
                    "ignore_case": json!({ "type": "boolean", "description": "Whether upper and lower case are the same" }),
                    "under": under,
                    "cursor": cursor,
                }),
                &["pattern"],
            ),
        },
        Tool {
            name: "search",
            title: "Search the site",
            description: "Searches the site by words, with its own search: at most 20 sections, the most relevant first, with their addresses for `read`.",
            schema: schema(
                json!({ "query": text("The words, at most 200 bytes") }),
                &["query"],
            ),
        },
        Tool {
            name: "changes",
            title: "What changed",
            description: "Says which pages were added, changed, removed or moved since an edition of the site, one a line: what happened, the path, the title and the sections that differ, with tabs between them. Without `since` it says what each of the last editions changed, the newest first, below a line with `since` and the id of the edition before.",
            schema: schema(
                json!({
                    "since": text("The id of the edition that you know, as `changes` named it"),
                    "cursor": cursor,
                }),
                &[],
            ),
        },
    ]
}
