//! A site as one program gets it: page by page what is asked, what is answered, and what is lost.

use diglot_audit::{feed, listing, loss, outline, robots};
use diglot_content::encoding::encode_path;
use diglot_content::parallel;
use diglot_edition::Edition;
use diglot_http::respond;
use http::header::{ACCEPT, CONTENT_TYPE};
use memchr::memmem;
use serde::Serialize;

use super::{Asks, Limit, UserAgent};

/// A page as a program gets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageView {
    /// Its path on the site.
    pub path: String,
    /// Whether `robots.txt` allows the program to ask for it; true too if it is not known to obey.
    pub allowed: bool,
    /// The media type of what it gets; `None` for a feed reader if the page is not in the feed.
    pub gets: Option<String>,
    /// How long the text is, in the unit of the program's limit; without one in characters.
    pub length: usize,
    /// Whether it is cut.
    pub cut: bool,
    /// The sections that begin behind the cut: their ids.
    pub lost_sections: Vec<String>,
    /// How many pictures have no text in their place.
    pub pictures_without_text: usize,
    /// How many links need a script.
    pub links_by_script: usize,
}

/// The pages that the site lists, as this program gets them.
pub fn pages(edition: &Edition, agent: &UserAgent) -> Vec<PageView> {
    let view = View::new(edition, agent);
    let map = view.text("/sitemap.md", "*/*").1;
    let listed = listing::read(&map);
    // Each is a request, and the parsing of a page.
    parallel::map(&listed, |listed| view.page(listed))
}

struct View<'e> {
    edition: &'e Edition,
    agent: &'e UserAgent,
    /// The path of the base URL, percent-encoded.
    prefix: String,
    rules: robots::Robots,
    /// The links of the feed, if the program reads that.
    feed: Vec<String>,
}

impl<'e> View<'e> {
    fn new(edition: &'e Edition, agent: &'e UserAgent) -> Self {
        let mut view = Self {
            edition,
            agent,
            prefix: encode_path(edition.site.base.path()),
            rules: robots::Robots::default(),
            feed: Vec::new(),
        };
        view.rules = robots::read(&view.text("/robots.txt", "*/*").1);
        if agent.asks == Asks::Feed {
            let feed = feed::read(&view.text("/rss.xml", agent.accept).1);
            let items = feed.map(|feed| feed.items).unwrap_or_default();
            view.feed = items.into_iter().map(|item| item.link).collect();
        }
        view
    }

    /// The media type and the text at a path below the site.
    fn text(&self, path: &str, accept: &str) -> (String, String) {
        let target = [&self.prefix, path].concat();
        let request = http::Request::get(target).header(ACCEPT, accept).body(());
        let Ok(request) = request else {
            return Default::default();
        };
        let response = respond(self.edition, &request);
        let media = response.headers().get(CONTENT_TYPE);
        let media = media.and_then(|media| media.to_str().ok());
        let media = media.and_then(|media| media.split(';').next());
        let body = response.body().to_bytes();
        (
            media.unwrap_or_default().to_owned(),
            String::from_utf8_lossy(&body).into_owned(),
        )
    }

    fn page(&self, listed: &listing::Listed) -> PageView {
        let base = self.edition.site.base.to_string();
        let below = listed.url.strip_prefix(base.trim_end_matches('/'));
        let html_path = below.unwrap_or("/");
        let twin_path = listed.path.strip_prefix(&*self.prefix);
        let twin = self.text(twin_path.unwrap_or(&listed.path), "*/*").1;
        let (mut gets, mut got) = self.text(html_path, self.agent.accept);
        let html = match gets.as_str() {
            "text/html" => got.clone(),
            _ => self.text(html_path, "text/html").1,
        };
        if self.agent.asks == Asks::Twin {
            (gets, got) = ("text/markdown".to_owned(), twin.clone());
        }
        let is_there = self.agent.asks != Asks::Feed || self.feed.contains(&listed.url);
        // A program that turns HTML into text gets neither front matter nor the closing links.
        let read = match gets.as_str() {
            "text/html" => content(&twin),
            _ => &twin,
        };
        let (length, lost) = self.measured(&got, read, &html);
        PageView {
            path: [&self.prefix, html_path].concat(),
            allowed: self.agent.token.is_none_or(|token| {
                let path = [&self.prefix, html_path].concat();
                self.rules.allows(token, &path)
            }),
            gets: is_there.then_some(gets),
            length,
            cut: lost.is_some(),
            lost_sections: lost.unwrap_or_default(),
            pictures_without_text: loss::pictures_without_text(&twin),
            links_by_script: loss::links_by_script(&html),
        }
    }

    /// The length of what a program reads, and if it is cut the sections behind the cut.
    ///
    /// A program that counts characters turns HTML into text first. Its text is close to the Markdown
    /// form, `read`, which is measured instead.
    fn measured(&self, got: &str, read: &str, html: &str) -> (usize, Option<Vec<String>>) {
        let sections = || outline::sections(read, html);
        match self.agent.limit {
            Some(Limit::Bytes(most)) => {
                let behind = || {
                    let sections = sections().into_iter();
                    let ids = sections.map(|section| section.id);
                    ids.filter(|id| begins(got, id).is_none_or(|at| at >= most))
                        .collect()
                };
                (got.len(), (got.len() > most).then(behind))
            }
            Some(Limit::Characters(most)) => {
                let length = read.chars().count();
                let behind = || {
                    let cut = read.char_indices().nth(most).map_or(read.len(), |it| it.0);
                    let whole = read[..cut].lines().count();
                    let sections = sections().into_iter();
                    let lost = sections.filter(|section| section.lines.start >= whole);
                    lost.map(|section| section.id).collect()
                };
                (length, (length > most).then(behind))
            }
            None => (read.chars().count(), None),
        }
    }
}

/// The content of a Markdown form: without front matter and the links at its end.
fn content(page: &str) -> &str {
    let front = page
        .strip_prefix("---\n")
        .and_then(|rest| rest.find("\n---\n"));
    let content = &page[front.map_or(0, |end| end + "---\n\n---\n".len())..];
    content
        .rfind("\n## Sitemap\n")
        .map_or(content, |end| &content[..end])
}

/// Where a section begins in a page.
fn begins(page: &str, id: &str) -> Option<usize> {
    let escaped = id.replace('&', "&amp;").replace('"', "&quot;");
    memmem::find(page.as_bytes(), format!("id=\"{escaped}\"").as_bytes())
}
