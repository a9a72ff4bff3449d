//! RSS 2.0.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;

use super::xml::{self, Element};

/// How many articles a feed holds at most.
pub const LATEST: usize = 20;

/// A feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feed {
    /// Missing elements of the channel: title, link, description, language.
    pub missing: Vec<&'static str>,
    /// The channel's link.
    pub link: String,
    /// The feed's own URL (`atom:link rel="self"`).
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
    /// Its permanent identifier.
    pub guid: String,
    /// Whether the guid is declared a permalink.
    pub permalink: bool,
    /// `pubDate`
    pub date: String,
    /// The summary.
    pub description: String,
    /// The whole text as HTML.
    pub content: String,
    /// Whether the summary precedes the full text, as feed readers expect.
    pub ordered: bool,
}

/// Parses a feed.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read(text: &str) -> Result<Feed, String> {
    let root = xml::read(text)?;
    if root.name != "rss" || root.attribute("version") != Some("2.0") {
        return Err("its root is not `<rss version=\"2.0\">`".into());
    }
    let channel = root.child("channel").ok_or("it has no `channel`")?;
    let own = channel
        .all("atom:link")
        .find(|link| link.attribute("rel") == Some("self"))
        .and_then(|link| link.attribute("href"));
    Ok(Feed {
        missing: ["title", "link", "description", "language"]
            .into_iter()
            .filter(|name| channel.text_of(name).is_empty())
            .collect(),
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
        permalink: node
            .child("guid")
            .is_some_and(|guid| guid.attribute("isPermaLink") != Some("false")),
        date: node.text_of("pubDate"),
        description: node.text_of("description"),
        content: node.text_of("content:encoded"),
        ordered: place("content:encoded").is_none_or(|content| {
            place("description").is_some_and(|description| description < content)
        }),
    }
}

/// Parses a date of RFC 822.
pub fn moment(text: &str) -> Option<Timestamp> {
    const PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_timestamp(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_of_rfc_822_count() {
        for (text, right) in [
            ("Mon, 06 May 2024 07:08:09 +0000", true),
            ("Mon, 06 May 2024 07:08:09 GMT", true),
            ("Tue, 06 May 2024 07:08:09 +0000", false),
            ("2024-05-06T07:08:09Z", false),
            ("2024-05-06", false),
            ("", false),
        ] {
            assert_eq!(moment(text).is_some(), right, "{text}");
        }
    }
}
