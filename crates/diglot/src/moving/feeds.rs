//! Sitemaps and feeds of any site: RSS 2.0, RSS 1.0, Atom and JSON Feed.

use diglot_audit::xml::{self, Element};
use diglot_content::date::Moment;
use serde_json::Value;

use super::text::moment;

/// What a document names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// Further sitemaps.
    pub maps: Vec<String>,
    /// Pages.
    pub pages: Vec<String>,
    /// The articles of a feed.
    pub items: Vec<Item>,
    /// The next pages of a feed.
    pub next: Vec<String>,
}

/// An article in a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its address.
    pub link: String,
    /// Its id: where there is none, feed readers take the address.
    pub id: String,
    /// When it was published.
    pub date: Option<Moment>,
}

/// Reads a sitemap or a feed.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read(text: &str) -> Result<Named, String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return json(text).ok_or_else(|| "it is not a JSON Feed".to_owned());
    }
    if !text.starts_with('<') {
        return Ok(lines(text));
    }
    let root = xml::read(text)?;
    let mut named = Named::default();
    match local(&root) {
        "sitemapindex" => named.maps = locations(&root),
        "urlset" => named.pages = locations(&root),
        "rss" => {
            let channel = children(&root, "channel").next();
            named.items = channel.into_iter().flat_map(items).collect();
            named.next = channel.into_iter().flat_map(next).collect();
        }
        "RDF" => named.items = items(&root),
        "feed" => {
            named.items = children(&root, "entry").filter_map(entry).collect();
            named.next = next(&root);
        }
        other => return Err(format!("its root is `<{other}>`")),
    }
    Ok(named)
}

/// A sitemap of lines.
fn lines(text: &str) -> Named {
    let lines = text.lines().map(str::trim);
    let is_url = |line: &&str| line.starts_with("http://") || line.starts_with("https://");
    Named {
        pages: lines.filter(is_url).map(str::to_owned).collect(),
        ..Named::default()
    }
}

/// The name without its prefix.
fn local(element: &Element) -> &str {
    let name = element.name.as_str();
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn children<'e>(of: &'e Element, name: &'e str) -> impl Iterator<Item = &'e Element> {
    of.children.iter().filter(move |child| local(child) == name)
}

fn text_of(of: &Element, name: &str) -> Option<String> {
    let text = children(of, name).next()?.text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn locations(root: &Element) -> Vec<String> {
    let entries = root.children.iter();
    entries.filter_map(|entry| text_of(entry, "loc")).collect()
}

fn items(channel: &Element) -> Vec<Item> {
    children(channel, "item").filter_map(item).collect()
}

fn item(node: &Element) -> Option<Item> {
    let id = text_of(node, "guid").or_else(|| attribute(node, "about"));
    let link = text_of(node, "link").or_else(|| id.clone())?;
    let date = ["pubDate", "date"].into_iter();
    let date = date.filter_map(|name| text_of(node, name)).next();
    Some(Item {
        id: id.unwrap_or_else(|| link.clone()),
        link,
        date: date.as_deref().and_then(moment),
    })
}

fn entry(node: &Element) -> Option<Item> {
    let is_page = |link: &&Element| {
        matches!(link.attribute("rel"), None | Some("alternate"))
            && link
                .attribute("type")
                .is_none_or(|media| media.contains("html"))
    };
    let id = text_of(node, "id");
    let link = children(node, "link").find(is_page);
    let link = link
        .and_then(|link| link.attribute("href"))
        .map(str::to_owned);
    let link = link.or_else(|| id.clone())?;
    let date = text_of(node, "published").or_else(|| text_of(node, "issued"));
    Some(Item {
        id: id.unwrap_or_else(|| link.clone()),
        link,
        date: date.as_deref().and_then(moment),
    })
}

fn next(of: &Element) -> Vec<String> {
    let links = children(of, "link").filter(|link| link.attribute("rel") == Some("next"));
    links
        .filter_map(|link| link.attribute("href").map(str::to_owned))
        .collect()
}

/// An attribute by its name without a prefix.
fn attribute(node: &Element, name: &str) -> Option<String> {
    let mut attributes = node.attributes.iter();
    let found = attributes.find(|(own, _)| own.rsplit(':').next() == Some(name));
    found.map(|(_, value)| value.clone())
}

fn json(text: &str) -> Option<Named> {
    let feed: Value = serde_json::from_str(text).ok()?;
    let items = feed["items"].as_array()?.iter().filter_map(|item| {
        let text = |key: &str| item[key].as_str().map(str::to_owned);
        let link = text("url").or_else(|| text("id"))?;
        Some(Item {
            id: text("id").unwrap_or_else(|| link.clone()),
            link,
            date: text("date_published").as_deref().and_then(moment),
        })
    });
    let next = feed["next_url"].as_str();
    Some(Named {
        items: items.collect(),
        next: next.map(str::to_owned).into_iter().collect(),
        ..Named::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each article as `link id date`.
    fn items(text: &str) -> Vec<String> {
        let items = read(text).unwrap().items.into_iter();
        let date = |item: &Item| item.date.map(|date| date.day().to_string());
        items
            .map(|item| {
                format!(
                    "{} {} {}",
                    item.link,
                    item.id,
                    date(&item).unwrap_or_default()
                )
            })
            .collect()
    }

    #[test]
    fn every_kind_of_feed_is_read() {
        assert_eq!(
            items(
                "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><item><link>https://o/a</link><guid>g1</guid><pubDate>Mon, 06 May 2024 07:08:09 GMT</pubDate></item>\
                 <item><link>https://o/b</link></item></channel></rss>"
            ),
            ["https://o/a g1 2024-05-06", "https://o/b https://o/b "]
        );
        assert_eq!(
            items(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>tag:o,1</id><link rel=\"self\" href=\"x\"/><link href=\"https://o/a\"/><published>2024-05-06T01:02:03Z</published></entry></feed>"
            ),
            ["https://o/a tag:o,1 2024-05-06"]
        );
        assert_eq!(
            items(
                "<rdf:RDF xmlns:rdf=\"r\" xmlns:dc=\"d\"><item rdf:about=\"u\"><link>https://o/a</link><dc:date>2024-05-06</dc:date></item></rdf:RDF>"
            ),
            ["https://o/a u 2024-05-06"]
        );
        assert_eq!(
            items(
                "{\"items\": [{\"id\": \"7\", \"url\": \"https://o/a\", \"date_published\": \"2024-05-06\"}]}"
            ),
            ["https://o/a 7 2024-05-06"]
        );
    }

    #[test]
    fn sitemaps_and_their_indexes_are_read() {
        let index =
            read("<sitemapindex><sitemap><loc> https://o/1.xml </loc></sitemap></sitemapindex>");
        assert_eq!(index.unwrap().maps, ["https://o/1.xml"]);
        let map = read("<urlset><url><loc>https://o/a?b&amp;c</loc></url></urlset>");
        assert_eq!(map.unwrap().pages, ["https://o/a?b&c"]);
        assert_eq!(read("https://o/a\n# x\n").unwrap().pages, ["https://o/a"]);
        assert!(read("<html></html>").is_err());
    }
}
