//! RSS 2.0.

use super::xml::{self, Element};

/// A feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feed {
    /// What the channel lacks of title, link, description and language.
    pub missing: Vec<&'static str>,
    /// The channel's link.
    pub link: String,
    /// The address that the feed says it has (`atom:link rel="self"`).
    pub own: String,
    /// `lastBuildDate`
    pub built: String,
    /// The articles, in order.
    pub items: Vec<Item>,
}

/// An article in a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Plain text.
    pub title: String,
    /// Its address.
    pub link: String,
    /// Its name for ever.
    pub guid: String,
    /// Whether the guid says that it is the address.
    pub permalink: bool,
    /// `pubDate`
    pub date: String,
    /// The summary.
    pub description: String,
    /// The whole text as HTML.
    pub content: String,
    /// Whether the summary stands before the whole text, as readers want it.
    pub ordered: bool,
}

/// Reads a feed.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read(text: &str) -> Result<Feed, String> {
    let root = xml::read(text)?;
    if root.name != "rss" || root.attribute("version") != Some("2.0") {
        return Err("its root is not `<rss version=\"2.0\">`".into());
    }
    let channel = root.child("channel").ok_or("it has no `channel`")?;
    let own = channel.all("atom:link").find(|link| link.attribute("rel") == Some("self")).and_then(|link| link.attribute("href"));
    Ok(Feed {
        missing: ["title", "link", "description", "language"].into_iter().filter(|name| channel.text_of(name).is_empty()).collect(),
        link: channel.text_of("link"),
        own: own.unwrap_or_default().to_owned(),
        built: channel.text_of("lastBuildDate"),
        items: channel.all("item").map(item).collect(),
    })
}

fn item(node: &Element) -> Item {
    let place = |name: &str| node.children.iter().position(|child| child.name == name);
    Item {
        title: node.text_of("title"),
        link: node.text_of("link"),
        guid: node.text_of("guid"),
        permalink: node.child("guid").is_some_and(|guid| guid.attribute("isPermaLink") != Some("false")),
        date: node.text_of("pubDate"),
        description: node.text_of("description"),
        content: node.text_of("content:encoded"),
        ordered: place("content:encoded").is_none_or(|content| place("description").is_some_and(|description| description < content)),
    }
}
