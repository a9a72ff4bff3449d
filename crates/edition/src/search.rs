//! Answers to queries: the search page of the theme, filled with the results.

use std::fmt::Write as _;
use std::sync::OnceLock;

use bytes::Bytes;
use diglot_content::BaseUrl;
use diglot_content::encoding::{encode_component, encode_path};
use diglot_content::language::is_rtl;
use diglot_content::site::html_place;
use diglot_search::snippet::{Snippet, snippet};
use diglot_search::{Index, rank};
use serde::{Deserialize, Serialize};

use crate::language::direction;
use crate::route::{Form, Route};
use crate::theme::{escape, escape_markdown};

/// Bytes of a page in which a snippet is looked for.
const LOOKED_AT: usize = 256 << 10;

/// What answers to queries are written into.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchPage {
    pub(crate) base: BaseUrl,
    /// The page around the results.
    pub(crate) html: Vec<ShellPart>,
    /// The Markdown form before and after the results.
    pub(crate) markdown: [String; 2],
    /// What an answer without results says.
    pub(crate) nothing: String,
    /// How many results there are, with `{count}` in the place of the number.
    pub(crate) count: String,
    /// The language of the page.
    pub(crate) language: String,
}

/// A piece of the page around the results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ShellPart {
    Text(String),
    Query,
    Results,
    /// How many there are.
    Count,
    /// The query as a part of an address.
    Address,
}

/// The search of an edition.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) page: SearchPage,
    /// `index.json`, read once.
    index: OnceLock<Option<Index>>,
}

/// One result.
struct Found {
    stem: String,
    title: String,
    /// Id and heading of the section.
    section: Option<(String, String)>,
    snippet: Snippet,
    /// If it is not that of the search page.
    language: Option<String>,
}

/// Reads resources of the edition by their paths.
pub(crate) type Load<'a> = &'a dyn Fn(&str) -> Option<Bytes>;

impl Search {
    pub(crate) fn new(page: SearchPage) -> Self {
        Self {
            page,
            index: OnceLock::new(),
        }
    }

    /// Reads `index.json`, once.
    pub(crate) fn index(&self, load: Load<'_>) -> Option<&Index> {
        let read = || Index::parse(&load(&Route::SearchIndex.path())?);
        self.index.get_or_init(read).as_ref()
    }

    /// The answer to a query. `load` reads a resource by its path.
    pub(crate) fn answer(&self, form: Form, query: &str, load: Load<'_>) -> Bytes {
        let found = self.find(query, load);
        match form {
            Form::Html => self.html(query, &found),
            Form::Markdown => self.markdown(&found),
        }
        .into()
    }

    fn find(&self, query: &str, load: Load<'_>) -> Vec<Found> {
        let Some(index) = self.index(load) else {
            return Vec::new();
        };
        let base = encode_path(self.page.base.path());
        let file = |address: &str| load(address.strip_prefix(&base)?);
        let asked = rank::query_words(query);
        let mut found = Vec::new();
        for hit in rank(index, query, &file) {
            let Some(mut page) = index.page(hit.text, &file) else {
                continue;
            };
            let section = (hit.section as usize)
                .checked_sub(1)
                .filter(|at| *at < page.sections.len())
                .map(|at| page.sections.swap_remove(at));
            let heading = section.as_ref().map_or("", |(_, heading)| heading);
            let text = load(&[&page.stem, Form::Markdown.suffix()].concat()).unwrap_or_default();
            let own = language(&text).filter(|own| *own != self.page.language);
            found.push(Found {
                snippet: snippet(content(&text), heading, &asked),
                language: own.map(str::to_owned),
                stem: page.stem,
                title: page.title,
                section,
            });
        }
        found
    }

    fn html(&self, query: &str, found: &[Found]) -> String {
        let mut results = String::new();
        if found.is_empty() {
            let _ = write!(results, "<p>{}</p>", escape(&self.page.nothing));
        } else {
            results.push_str("<ol class=\"entries\">\n");
            for result in found {
                self.push_html(&mut results, result);
            }
            results.push_str("</ol>");
        }
        let mut page = String::new();
        for piece in &self.page.html {
            match piece {
                ShellPart::Text(text) => page.push_str(text),
                ShellPart::Query => page.push_str(&escape(query)),
                ShellPart::Results => page.push_str(&results),
                ShellPart::Count if found.is_empty() => {}
                ShellPart::Count => {
                    let count = found.len().to_string();
                    page.push_str(&escape(&self.page.count.replace("{count}", &count)));
                }
                ShellPart::Address => page.push_str(&encode_component(query)),
            }
        }
        page
    }

    fn push_html(&self, out: &mut String, result: &Found) {
        let (path, suffix) = html_place(&result.stem);
        let url = self.page.base.rooted_with(path, suffix) + &result.fragment();
        let language = result.language.as_deref().map(|language| {
            let direction = direction(is_rtl(language));
            format!(" lang=\"{language}\" dir=\"{direction}\"")
        });
        let _ = write!(
            out,
            "<li{}><a href=\"{}\">{}</a>\n<p>",
            language.unwrap_or_default(),
            escape(&url),
            escape(&result.name())
        );
        push_marked(out, &result.snippet, ["<mark>", "</mark>"], |text| {
            escape(text).into_owned()
        });
        out.push_str("</p></li>\n");
    }

    fn markdown(&self, found: &[Found]) -> String {
        let [before, after] = &self.page.markdown;
        let mut text = before.clone();
        if found.is_empty() {
            text.push_str(&escape_markdown(&self.page.nothing));
            text.push('\n');
        }
        for (number, result) in (1..).zip(found) {
            let url = self.page.base.absolute_with(&result.stem, ".md") + &result.fragment();
            let name = escape_markdown(&result.name());
            let _ = write!(text, "{number}. [{name}]({url}): ");
            push_marked(&mut text, &result.snippet, ["**", "**"], escape_markdown);
            text.push('\n');
        }
        text + after
    }
}

impl Found {
    /// `Title › Heading`.
    fn name(&self) -> String {
        match &self.section {
            Some((_, heading)) if !heading.is_empty() => format!("{} › {heading}", self.title),
            _ => self.title.clone(),
        }
    }

    fn fragment(&self) -> String {
        self.section
            .as_ref()
            .map(|(id, _)| format!("#{}", encode_path(id)))
            .unwrap_or_default()
    }
}

/// Appends the words of a snippet, escaped, with the marked ones between these marks.
fn push_marked(
    out: &mut String,
    Snippet { text, marks }: &Snippet,
    [begin, end]: [&str; 2],
    escape: impl Fn(&str) -> String,
) {
    let mut at = 0;
    for mark in marks {
        let (before, word) = (escape(&text[at..mark.start]), escape(&text[mark.clone()]));
        out.extend([&before, begin, &word, end]);
        at = mark.end;
    }
    out.push_str(&escape(&text[at..]));
}

/// The language of a Markdown form, which its front matter names.
fn language(page: &[u8]) -> Option<&str> {
    let front = page.get(..LOOKED_AT.min(page.len()))?;
    let front = front.strip_prefix(b"---\n")?;
    let front = &front[..memchr::memmem::find(front, b"\n---\n")?];
    let lines = front.split(|byte| *byte == b'\n');
    let value = lines
        .rev()
        .find_map(|line| line.strip_prefix(b"language: "))?;
    let value = std::str::from_utf8(value).ok()?.trim_matches('"');
    let is_tag = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_tag && !value.is_empty()).then_some(value)
}

/// The content of a Markdown form: without front matter and the links at its end.
fn content(page: &[u8]) -> &str {
    let page = page.get(..LOOKED_AT).unwrap_or(page);
    let text = match std::str::from_utf8(page) {
        Ok(text) => text,
        // Cut within a character.
        Err(error) => std::str::from_utf8(&page[..error.valid_up_to()]).unwrap_or_default(),
    };
    let text = match text
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"))
    {
        Some(end) => &text[end + "---\n\n---\n".len()..],
        None => text,
    };
    text.rfind("\n## Sitemap\n")
        .map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_that_of_the_front_matter() {
        for (page, expected) in [
            (
                "---\ntitle: x\nlanguage: pt-BR\n---\n\n# X\n",
                Some("pt-BR"),
            ),
            ("---\nlanguage: \"ar\"\n---\n", Some("ar")),
            ("---\ntitle: x\n---\nlanguage: de\n---\n", None),
            ("---\nlanguage: a\"><b>\n---\n", None),
            ("language: de\n", None),
            ("", None),
        ] {
            assert_eq!(language(page.as_bytes()), expected, "{page}");
        }
    }

    #[test]
    fn content_is_what_is_between_front_matter_and_the_closing_links() {
        for (page, expected) in [
            (
                "---\ntitle: x\n---\n\n# X\n\ntext\n\n## Sitemap\n\n- a\n",
                "\n# X\n\ntext\n",
            ),
            ("# X\n---\n", "# X\n---\n"),
            ("", ""),
        ] {
            assert_eq!(content(page.as_bytes()), expected);
        }
        let cut = "é".repeat(LOOKED_AT);
        assert_eq!(content(&cut.as_bytes()[1..]), "", "no text at all");
        assert_eq!(content(format!("x{cut}").as_bytes()).len(), LOOKED_AT - 1);
    }
}
