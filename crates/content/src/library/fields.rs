//! The fields of front matter: the keys that generators use for each, and how values are read.

use std::sync::Arc;

use super::article::LlmsPlace;
use super::paths::{folder, join};
use crate::model::{
    address::Destination,
    language,
    problem::{Cause, Problem},
    text::{one_line, plain, shorten},
};
use crate::syntax::front::{Entry, Front, Node, Value};

/// Keys of the publication date, by priority. Case, `-` and `_` do not matter.
pub const DATE: [&str; 19] = [
    "date",
    "date.created",
    "published",
    "pubDate",
    "publishDate",
    "created",
    "created_at",
    "ms.date",
    "date_published",
    "published_at",
    "published_date",
    "published_on",
    "publication_date",
    "pubDatetime",
    "post_date",
    "posted",
    "date_created",
    "created_date",
    "creation_date",
];
/// Keys of the modification date.
pub const UPDATED: [&str; 18] = [
    "updated",
    "date.updated",
    "lastmod",
    "last_modified",
    "last_modified_at",
    "modified",
    "updated_at",
    "last_update.date",
    "last_update",
    "dateModified",
    "lastUpdated",
    "updatedDate",
    "date_updated",
    "modified_at",
    "modified_date",
    "modDatetime",
    "last_edited",
    "revised",
];
/// Keys of the date from which a text is published.
pub const PUBLISH: [&str; 3] = ["publishDate", "publish_date", "publish-date"];
/// Keys of a date before which a text is not published.
pub const APPEARS: [&str; 11] = [
    "date",
    "published",
    "pubDate",
    "publishDate",
    "published_at",
    "published_date",
    "published_on",
    "publication_date",
    "pubDatetime",
    "date_published",
    "publish",
];
/// Keys of the date until which a text is published.
pub const EXPIRES: [&str; 14] = [
    "expires",
    "expire",
    "expires_at",
    "expire_date",
    "expiredate",
    "expiry_date",
    "expiry-date",
    "unpublish_date",
    "expirydate",
    "expiryDate",
    "expiry",
    "expiration",
    "expiration_date",
    "unpublishdate",
];
/// Keys of the address of a text in its own generator.
pub const ADDRESS: [&str; 3] = ["permalink", "url", "path"];
/// Keys of a file that is only a redirect.
pub const REDIRECT: [&str; 3] = ["redirect_to", "redirect", "redirect_url"];
/// Keys of the language of a text.
pub const LANGUAGE: [&str; 3] = ["lang", "language", "locale"];
/// Keys of a person's name.
pub const PERSON: [&str; 4] = ["name", "full_name", "display_name", "title"];

const LABEL: [&str; 5] = [
    "linkTitle",
    "sidebar_label",
    "sidebarTitle",
    "nav_title",
    "name",
];
const SUMMARY: [&str; 9] = [
    "description",
    "summary",
    "excerpt",
    "lede",
    "lead",
    "subtitle",
    "abstract",
    "dek",
    "teaser",
];
const AUTHORS: [&str; 7] = [
    "authors",
    "author",
    "byline",
    "creator",
    "extra.authors",
    "extra.author",
    "taxonomies.authors",
];
const TAGS: [&str; 8] = [
    "tags",
    "tag",
    "topics",
    "taxonomies.tags",
    "extra.tags",
    "categories",
    "category",
    "taxonomies.categories",
];
const WEIGHT: [&str; 7] = [
    "weight",
    "sidebar.order",
    "eleventyNavigation.order",
    "order",
    "sidebar_position",
    "nav_order",
    "position",
];
/// Keys of the name in a map.
const NAME: [&str; 6] = ["name", "title", "label", "id", "slug", "value"];
/// The prefixes of ids that are URIs, as Atom requires.
const URI: [&str; 4] = ["tag:", "urn:", "http://", "https://"];
/// Words after a comma that are not another name.
const NAME_SUFFIXES: [&str; 8] = ["Jr.", "Jr", "Sr.", "PhD", "Ph.D.", "MD", "III", "II"];
/// The maximum number of names in a text.
const MOST_NAMES: usize = 200;

/// The title.
pub fn title(front: &Front) -> Option<String> {
    first_plain(front, &["title"])
}

/// A title under a key of the folder's own, such as `newstitle` and `post_title`.
pub fn own_title(front: &Front) -> Option<String> {
    const OTHER: [&str; 12] = [
        "sub", "sidebar", "nav", "menu", "link", "short", "tab", "hide", "show", "no", "disable",
        "series",
    ];
    for entry in &front.entries {
        let key = entry.key.text.to_lowercase();
        let Some(of) = key.strip_suffix("title") else {
            continue;
        };
        let is_other = of.is_empty() || OTHER.iter().any(|other| of.starts_with(other));
        let title = entry.node.text().map(plain).unwrap_or_default();
        if !is_other && entry.node.bool().is_none() && !title.is_empty() {
            return Some(title);
        }
    }
    None
}

/// The title for menus.
pub fn label(front: &Front) -> Option<String> {
    let mut labels = LABEL.iter().filter_map(|key| front.spelled(key));
    let label = plain(labels.find_map(|entry| entry.node.text())?);
    (!label.is_empty()).then_some(label)
}

/// What a text says of its place in menus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nav {
    /// Its title there.
    pub label: Option<String>,
    /// Its name, for those below it.
    pub key: Option<String>,
    /// The name or title of the text above it.
    pub parent: Option<String>,
    /// Whether menus leave it out.
    pub hidden: bool,
}

impl Nav {
    /// That of a text which says nothing.
    pub const NONE: Self = Self {
        label: None,
        key: None,
        parent: None,
        hidden: false,
    };
}

/// What a text says of its place in menus, if it says anything.
pub fn nav(front: &Front) -> Option<Box<Nav>> {
    const LABELS: [&str; 7] = [
        "sidebar.label",
        "sidebar_label",
        "sidebarTitle",
        "linkTitle",
        "nav_title",
        "menuTitle",
        "eleventyNavigation.title",
    ];
    const HIDDEN: [&str; 5] = [
        "sidebar.hidden",
        "nav_exclude",
        "toc_hide",
        "_build.nav_exclude",
        "hide_from_nav",
    ];
    let name = |keys: &[&str]| {
        let words = plain(front.text(keys)?);
        (!words.is_empty()).then_some(words)
    };
    let nav = Nav {
        label: name(&LABELS),
        key: name(&["eleventyNavigation.key"]),
        parent: name(&["eleventyNavigation.parent", "parent"]),
        hidden: front.bool(&HIDDEN) == Some(true),
    };
    (nav != Nav::NONE).then(|| Box::new(nav))
}

/// The author's summary.
pub fn summary(front: &Front) -> Option<String> {
    first_plain(front, &SUMMARY)
}

/// The text of the first key that is not empty.
fn first_plain(front: &Front, keys: &[&str]) -> Option<String> {
    for key in keys {
        let Some(entry) = front.spelled(key) else {
            continue;
        };
        // `excerpt: true` asks a theme for something; `title: true` is a title.
        if keys.len() > 1 && entry.node.bool().is_some() {
            continue;
        }
        let words = entry.node.text().map(plain).unwrap_or_default();
        if !words.is_empty() {
            return Some(words);
        }
    }
    None
}

/// The language, if it is a language tag.
pub fn language(front: &Front) -> Option<String> {
    front.text(&LANGUAGE).and_then(language::tag)
}

/// The names of the first key that has any.
pub fn authors(front: &Front) -> Vec<String> {
    for key in AUTHORS {
        let found = names_of(front, key, false);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The tags of all keys.
pub fn tags(front: &Front, by_space: bool) -> Vec<String> {
    let mut tags = Vec::new();
    for key in TAGS {
        for name in names_of(front, key, by_space) {
            tags.push(name.trim_start_matches('#').to_owned());
        }
    }
    without_repeats(tags)
}

/// The categories, which some generators use in addresses.
pub fn categories(front: &Front) -> Vec<String> {
    let mut categories = names_of(front, "categories", true);
    categories.extend(names_of(front, "category", false));
    without_repeats(categories)
}

/// Other names: for wikilinks or addresses.
pub fn aliases(front: &Front) -> Vec<String> {
    let mut aliases = names_of(front, "aliases", false);
    aliases.extend(names_of(front, "alias", false));
    aliases
}

fn names_of(front: &Front, key: &str, by_space: bool) -> Vec<String> {
    front
        .get(key)
        .map(|entry| names(&entry.node, by_space))
        .unwrap_or_default()
}

/// The texts of a value: a list, a text with commas, or maps with a name.
fn names(node: &Node, by_space: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    match &node.value {
        Value::Scalar { .. } => found = divided(node.text().unwrap_or_default(), by_space),
        Value::List(items) => found.extend(items.iter().filter_map(name)),
        Value::Map(_) if NAME.iter().any(|key| node.get(key).is_some()) => found.extend(name(node)),
        Value::Map(entries) => {
            for entry in entries {
                found.extend(entry.node.items().iter().filter_map(name));
            }
        }
    }
    let plain = found.iter().map(|name| plain(name));
    plain.filter(|name| !name.is_empty()).collect()
}

/// A text, or the name in a map.
fn name(node: &Node) -> Option<String> {
    let text = match &node.value {
        Value::Map(_) => NAME.iter().find_map(|key| node.get(key)?.node.text())?,
        _ => node.text()?,
    };
    Some(text.to_owned())
}

/// The names in one text, separated by commas and the like or by white space.
fn divided(text: &str, by_space: bool) -> Vec<String> {
    if by_space && !text.contains(',') {
        return text.split(char::is_whitespace).map(str::to_owned).collect();
    }
    let mut names: Vec<String> = Vec::new();
    for part in text.split([',', ';', '、']) {
        let suffix = part.trim();
        match names.last_mut() {
            Some(before) if NAME_SUFFIXES.contains(&suffix) => {
                *before = format!("{before}, {suffix}")
            }
            _ => names.push(part.to_owned()),
        }
    }
    names
}

/// Removes empty names and duplicates, keeps the order.
pub fn without_repeats(names: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.iter().take(MOST_NAMES) {
        let name = one_line(name);
        if !name.is_empty() && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// The position in a list of pages.
pub fn weight(front: &Front) -> Option<i64> {
    WEIGHT
        .iter()
        .find_map(|key| front.spelled(key)?.node.integer())
}

/// An id for feeds: `guid`, or an `id` that is a URI as Atom requires (a bare `id` is a name inside
/// the folder).
pub fn guid(front: &Front) -> Option<String> {
    if let Some(guid) = front.text(&["guid"]) {
        return Some(one_line(guid));
    }
    let id = front.text(&["id"])?;
    URI.iter()
        .any(|scheme| id.starts_with(scheme))
        .then(|| one_line(id))
}

/// How llms.txt treats the text.
pub fn llms(front: &Front) -> LlmsPlace {
    let Some(Entry { node, .. }) = front.get("llms") else {
        return LlmsPlace::Listed;
    };
    if node.bool() == Some(false) {
        return LlmsPlace::Out;
    }
    if node.text() == Some("optional") {
        LlmsPlace::Optional
    } else {
        LlmsPlace::Listed
    }
}

/// The target of a text that is only a redirect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RedirectTo {
    /// The target, or why it is not an address.
    pub to: Result<Destination, String>,
    /// What the author wrote.
    pub written: Arc<str>,
    pub line: u32,
    pub column: u32,
}

/// The target of a text that is only a redirect.
pub fn redirect(front: &Front, path: &str, problems: &mut Vec<Problem>) -> Option<Box<RedirectTo>> {
    let entry = REDIRECT.iter().find_map(|key| front.get(key))?;
    let node = entry.node.items().first()?;
    let text = node.text()?;
    // `../b` counts from the text, as in a link.
    let is_beside = text.starts_with("./") || text.starts_with("../");
    let joined = join(folder(path), text).filter(|_| is_beside);
    let written = joined.map_or_else(|| text.to_owned(), |path| format!("/{path}"));
    let to = Destination::parse(&written).map_err(|error| {
        let reason = format!("`{}` is not a usable address: {error}", entry.key.text);
        let problem = Problem::error(format!("set aside: {reason}: `{}`", quoted(text)));
        let problem = problem.at(path, node.line, node.column).hint(error.hint());
        problems.push(problem.cause(Cause::OldAddress));
        reason
    });
    Some(Box::new(RedirectTo {
        to,
        written: text.into(),
        line: node.line,
        column: node.column,
    }))
}

/// A value as displayed in messages.
pub fn quoted(text: &str) -> String {
    shorten(&text.escape_debug().to_string(), 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(front: &str, expected: &[&str]) {
        let front = crate::syntax::front::split(&format!("---\n{front}\n---\n"), "a.md").front;
        assert_eq!(authors(&front), expected, "{front:?}");
    }

    #[test]
    fn rule_14_names_in_every_spelling() {
        check("author: Ann, Bob; Cy", &["Ann", "Bob", "Cy"]);
        check("author: Ann, Jr., Bob, PhD", &["Ann, Jr.", "Bob, PhD"]);
        check("authors: [Ann, {name: Bob}, {other: x}]", &["Ann", "Bob"]);
        check("author: {id: ann}", &["ann"]);
        check(
            "authors:\n  first: Ann\n  second: {name: Bob}",
            &["Ann", "Bob"],
        );
        check("authors: []\nauthor: Ann", &["Ann"]);
        check("authors: {}", &[]);
        check("authors: {name: [Ann], other: Bob}", &[]);
    }
}
