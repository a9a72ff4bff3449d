//! What a generator built, or Diglot serves: pages with their address, title, words, day, and the
//! page after it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::server::Server;
use crate::wire;
use xtask::shell::files_below;

/// One page of a built site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its address: `/x/`, `/x.html`.
    pub address: String,
    /// The text of its first heading.
    pub title: String,
    /// The different words of its text.
    pub words: BTreeSet<String>,
    /// Its first date, `2024-05-06`.
    pub day: Option<String>,
    /// The address of the page after it.
    pub next: Option<String>,
    /// The address that it only sends its readers to.
    pub redirect: Option<String>,
}

/// Elements without words for readers.
const SILENT: [&str; 5] = ["script", "style", "svg", "nav", "template"];

impl Page {
    /// A page by its HTML.
    pub fn parse(address: &str, html: &str) -> Self {
        let text = text_of(main(html));
        let heading = element(main(html), "h1").or_else(|| element(element(html, "main")?, "h1"));
        let title = heading.map(text_of).or_else(|| {
            // Themes add the name of the site.
            let whole = text_of(element(html, "title")?);
            whole
                .split(" | ")
                .next()?
                .split(" - ")
                .next()
                .map(str::to_owned)
        });
        let redirect = html
            .contains("http-equiv=\"refresh\"")
            .then(|| between(html, "url=", "\"").or_else(|| between(html, "URL=", "\"")))
            .flatten();
        Self {
            address: address.to_owned(),
            title: title
                .unwrap_or_default()
                .trim_end_matches(['\u{200b}', '#', '¶', ' '])
                .trim()
                .to_owned(),
            // A list without a paragraph holds no text of the author.
            words: if main(html).contains("<p") {
                words(&text)
            } else {
                BTreeSet::new()
            },
            day: between(main(html), "datetime=\"", "\"")
                .and_then(|time| time.get(..10))
                .map(str::to_owned),
            next: next(html).map(|link| absolute(address, link)),
            redirect: redirect.map(|link| absolute(address, link)),
        }
    }

    /// Whether another page has the same text: its title and most of its words, or nearly all of
    /// them. Themes add a few of their own.
    pub fn is_same(&self, other: &Self) -> bool {
        let common = self.words.intersection(&other.words).count() as f64;
        let share = common / self.words.len().max(1) as f64;
        share >= 0.95 || share >= 0.7 && self.title == other.title
    }
}

/// Every page in a folder that a generator wrote, without those of its own.
///
/// # Errors
/// The folder cannot be read.
pub fn built(out: &Path, lists: &[&str]) -> Result<Vec<Page>, String> {
    let mut pages = Vec::new();
    for file in files_below(out)? {
        let path = format!("/{}", file.to_string_lossy());
        let Some(bare) = path.strip_suffix(".html") else {
            continue;
        };
        let address = bare
            .strip_suffix("index")
            .filter(|folder| folder.ends_with('/'))
            .unwrap_or(&path);
        if bare == "/404" || lists.iter().any(|list| is_in_list(list, address)) {
            continue;
        }
        let bytes = fs::read(out.join(&file)).map_err(|error| error.to_string())?;
        pages.push(Page::parse(address, &String::from_utf8_lossy(&bytes)));
    }
    Ok(pages)
}

fn is_in_list(list: &str, address: &str) -> bool {
    match list.strip_prefix('=') {
        Some(whole) => address == whole,
        None => address.starts_with(list),
    }
}

/// The page that Diglot shows at an address, after at most three redirects.
pub fn shown(server: &Server, address: &str) -> Option<Page> {
    let mut path = address.to_owned();
    for _ in 0..4 {
        let answer = wire::ask(
            "GET",
            &server.authority,
            &wire::encode(&path),
            &[("Accept", "text/html")],
        )
        .ok()?;
        if answer.status == 200 {
            return Some(Page::parse(&path, &String::from_utf8_lossy(&answer.body)));
        }
        let to = answer
            .header("location")
            .filter(|_| matches!(answer.status, 301 | 308))?;
        path = String::from_utf8(wire::decode(
            to.strip_prefix("https://example.org").unwrap_or(&to),
        ))
        .ok()?;
    }
    None
}

/// Every page of an author that Diglot serves, by its sitemap: without its own lists.
///
/// # Errors
/// The sitemap cannot be had.
pub fn served(server: &Server) -> Result<Vec<Page>, String> {
    let sitemap = wire::ask("GET", &server.authority, "/sitemap.xml", &[])?;
    let sitemap = String::from_utf8_lossy(&sitemap.body).into_owned();
    let mut pages = Vec::new();
    for rest in sitemap.split("<loc>").skip(1) {
        let address = rest.split("</loc>").next().unwrap_or_default();
        let path = String::from_utf8_lossy(&wire::decode(
            address
                .strip_prefix("https://example.org")
                .unwrap_or(address),
        ))
        .into_owned();
        let is_own = path == "/"
            || !path.ends_with(".html")
            || [
                "/articles/index.html",
                "/terms.html",
                "/api.html",
                "/search.html",
            ]
            .contains(&path.as_str())
            || ["/tags/", "/years/", "/languages/", "/sections/"]
                .iter()
                .any(|list| path.starts_with(list));
        if !is_own {
            pages.extend(shown(server, &path));
        }
    }
    Ok(pages)
}

/// The part of a page that holds its text: after a mark that a theme sets, else its main element.
fn main(html: &str) -> &str {
    const MARKS: [&str; 5] = [
        "id=\"__blog-post-container\"",
        "class=\"sl-markdown-content\"",
        "class=\"theme-doc-markdown",
        "itemprop=\"articleBody\"",
        "role=\"main\"",
    ];
    for mark in MARKS {
        if let Some(at) = html.find(mark) {
            let inside = &html[at + html[at..].find('>').map_or(0, |end| end + 1)..];
            let ends = ["<footer", "</main>", "</article>"];
            let end = ends.iter().filter_map(|end| inside.find(end)).min();
            return &inside[..end.unwrap_or(inside.len())];
        }
    }
    let part = ["main", "article", "body"]
        .iter()
        .find_map(|name| element(html, name));
    let part = part.unwrap_or(html);
    if part.matches("<article").count() == 1 {
        element(part, "article").unwrap_or(part)
    } else {
        part
    }
}

/// The content of the first element with this name, up to its last end tag.
fn element<'h>(html: &'h str, name: &str) -> Option<&'h str> {
    let open = html
        .find(&format!("<{name}"))
        .filter(|at| html[at + name.len() + 1..].starts_with(['>', ' ', '\n']))?;
    let start = open + html[open..].find('>')? + 1;
    let close = format!("</{name}>");
    let end = if name == "h1" || name == "title" {
        html[start..].find(&close)
    } else {
        html[start..].rfind(&close)
    };
    Some(&html[start..end.map_or(html.len(), |end| start + end)])
}

/// The text of HTML, tags removed.
fn text_of(html: &str) -> String {
    let (mut text, mut rest) = (String::new(), html);
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let name: String = rest[at + 1..]
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let close = format!("</{name}>");
        let silent = SILENT.contains(&name.as_str());
        let end = if rest[at..].starts_with("<!--") {
            rest[at..].find("-->").map(|end| end + 3)
        } else if silent {
            rest[at..].find(&close).map(|end| end + close.len())
        } else {
            rest[at..].find('>').map(|end| end + 1)
        };
        // Elements inside a line of text do not divide words.
        if !["em", "strong", "b", "i", "span", "a", "code", ""].contains(&name.as_str()) {
            text.push(' ');
        }
        rest = end.map_or("", |end| &rest[at + end..]);
    }
    text.push_str(rest);
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, sign);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|sign: char| !sign.is_alphanumeric());
    words
        .filter(|word| word.chars().count() > 1)
        .map(str::to_lowercase)
        .collect()
}

/// The link that a theme marks as the next page: by `rel`, or by a class.
fn next(html: &str) -> Option<&str> {
    const SIGNS: [&str; 4] = [
        "rel=\"next",
        "rel=next",
        "pagination-nav__link--next",
        "pager-link next",
    ];
    let tag = html.split("<a ").skip(1).find_map(|rest| {
        let tag = rest.split('>').next()?;
        SIGNS.iter().any(|sign| tag.contains(sign)).then_some(tag)
    })?;
    between(tag, "href=\"", "\"")
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    text[from..].split(end).next()
}

/// The path of a link on the page at `address`, without fragment and query.
fn absolute(address: &str, link: &str) -> String {
    let link = link
        .strip_prefix("https://example.org")
        .unwrap_or(link)
        .split(['#', '?'])
        .next()
        .unwrap_or_default();
    let folder = if link.starts_with('/') {
        ""
    } else {
        address.rsplit_once('/').map_or("", |(folder, _)| folder)
    };
    let joined = format!("{folder}/{link}");
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let slash = if link.ends_with('/') && !parts.is_empty() {
        "/"
    } else {
        ""
    };
    format!("/{}{slash}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_as_a_person_reads_it() {
        let html = "<html><head><title>Site</title></head><body><nav>menu</nav><main><h1 id=\"a\">A <em>title</em><a href=\"#a\">#</a></h1>\
            <time datetime=\"2024-05-06T10:00Z\">May</time><p>Some&nbsp;words.</p><script>var x;</script></main>\
            <a href=\"../b/#x\" rel=\"next\">Next</a></body></html>";
        let page = Page::parse("/a/x/", html);
        assert_eq!(
            (page.title.as_str(), page.day.as_deref()),
            ("A title", Some("2024-05-06"))
        );
        assert_eq!(page.next.as_deref(), Some("/a/b/"));
        assert!(
            page.words.contains("some")
                && !page.words.contains("var")
                && !page.words.contains("menu")
        );
        assert!(page.is_same(&page));
        let stub = Page::parse(
            "/old/",
            "<meta http-equiv=\"refresh\" content=\"0; url=/new/\">",
        );
        assert_eq!(stub.redirect.as_deref(), Some("/new/"));
    }
}
