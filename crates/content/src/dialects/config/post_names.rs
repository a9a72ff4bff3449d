//! How a Hexo site names its posts in their addresses.

use super::{MOST_ENTRIES, entries};
use crate::dialects::heading_ids::HEXO;
use crate::syntax::front::{Front, Node, Value};

/// The maximum number of parts of the names of files.
const MOST_PARTS: usize = 16;
/// The maximum number of parts of any length that are not the last: each is tried at every length.
const MOST_OPEN: usize = 2;

/// How a site names its posts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostNames {
    /// The parts of the path of a file below the posts, without its suffix.
    parts: Vec<Part>,
    /// The category of posts without one.
    category: String,
    /// The names of categories in addresses.
    categories: Vec<(String, String)>,
    case: Case,
    /// The values of placeholders that a post does not have.
    defaults: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Named(String),
}

/// The case of letters in categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    AsWritten,
    Lower,
    Upper,
}

impl PostNames {
    /// As a configuration says: `new_post_name`, `default_category`, `category_map`,
    /// `filename_case`, `permalink_defaults`.
    pub fn from_config(front: &Front) -> Self {
        let text = |key| front.text(&[key]);
        let named = text("new_post_name").and_then(parts);
        Self {
            parts: named.unwrap_or_else(|| vec![Part::Named("title".to_owned())]),
            category: text("default_category")
                .unwrap_or("uncategorized")
                .to_owned(),
            categories: pairs(front, "category_map"),
            case: match text("filename_case") {
                Some("1") => Case::Lower,
                Some("2") => Case::Upper,
                _ => Case::AsWritten,
            },
            defaults: pairs(front, "permalink_defaults"),
        }
    }

    /// The value of a placeholder for the post at a path below the posts, without its suffix. A hash
    /// and a time stamp depend on the zone of the machine that builds the site.
    pub fn value(
        &self,
        placeholder: &str,
        post: &str,
        (front, title): (&Front, &str),
    ) -> Option<String> {
        let mut found = Vec::new();
        if !are_in(&self.parts, post, &mut found) {
            found.clear();
        }
        let in_name = |name: &str| found.iter().find(|(known, _)| *known == name);
        let slug = || match in_name("title") {
            Some((_, title)) => (*title).to_owned(),
            None => (HEXO.slug)(post),
        };
        match placeholder {
            "title" => Some(slug()),
            "name" => slug().rsplit('/').next().map(str::to_owned),
            "post_title" => Some((HEXO.slug)(title).to_lowercase()),
            "category" => Some(self.category(front)),
            "hash" | "timestamp" => None,
            "id" => front.text(&["id"]).map(str::to_owned),
            key => {
                let default = || self.defaults.iter().find(|(known, _)| known == key);
                let value = in_name(key).map(|(_, value)| *value);
                let value = value.or_else(|| front.text(&[key]));
                let value = value.or_else(|| Some(default()?.1.as_str()));
                value.map(str::to_owned)
            }
        }
    }

    /// The categories of a post as a path: each is in the one before it. Of several paths the last
    /// counts.
    fn category(&self, front: &Front) -> String {
        let given = ["categories", "category"].map(|key| front.get(key).map(|entry| &entry.node));
        let mut given = given.into_iter().flatten();
        let given = given.find(|node| node.has_value());
        let nodes = given.map_or(&[][..], Node::items);
        let last = nodes
            .iter()
            .rfind(|node| matches!(node.value, Value::List(_)));
        let nodes = last.map_or(nodes, Node::items);
        let names = nodes.iter().filter_map(Node::text);
        let parts: Vec<String> = names.map(|name| self.spelled(name)).collect();
        match parts.is_empty() {
            true => self.category.clone(),
            false => parts.join("/"),
        }
    }

    fn spelled(&self, category: &str) -> String {
        let mut known = self.categories.iter();
        let name = known.find(|(name, _)| name == category);
        let slug = (HEXO.slug)(name.map_or(category, |(_, name)| name));
        match self.case {
            Case::AsWritten => slug,
            Case::Lower => slug.to_lowercase(),
            Case::Upper => slug.to_uppercase(),
        }
    }
}

/// The texts in a map.
fn pairs(front: &Front, key: &str) -> Vec<(String, String)> {
    let entries = entries(front.get(key)).unwrap_or_default();
    let entries = entries.iter().take(MOST_ENTRIES);
    let pairs = entries.filter_map(|one| Some((one.key.text.clone(), one.node.text()?.to_owned())));
    pairs.collect()
}

/// The parts of a pattern without its suffix: `:year-:month-:day-:title.md`. `None`: it has too many.
fn parts(pattern: &str) -> Option<Vec<Part>> {
    let pattern = match pattern.rsplit_once('.') {
        Some((bare, suffix)) if !suffix.contains('/') => bare,
        _ => pattern,
    };
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once(':') {
        let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &after[..end.unwrap_or(after.len())];
        let name = name.trim_end_matches('_');
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        parts.push(match name {
            "" => Part::Text(":".to_owned()),
            name => Part::Named(name.to_owned()),
        });
        rest = &after[name.len()..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    let (_, inner) = parts.split_last()?;
    let is_open = |part: &&Part| matches!(part, Part::Named(name) if length(name).is_none());
    let open = inner.iter().filter(is_open).count();
    (parts.len() <= MOST_PARTS && open <= MOST_OPEN).then_some(parts)
}

/// The shortest and the longest number that a placeholder may be; `None`: it is any text.
fn length(name: &str) -> Option<(usize, usize)> {
    match name {
        "year" => Some((4, 4)),
        "month" | "day" => Some((2, 2)),
        "i_month" | "i_day" => Some((1, 2)),
        _ => None,
    }
}

/// Whether a path has these parts; then `found` has the values of those with a name.
fn are_in<'t>(parts: &'t [Part], text: &'t str, found: &mut Vec<(&'t str, &'t str)>) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return text.is_empty();
    };
    let name = match part {
        Part::Text(part) => {
            let after = text.strip_prefix(part.as_str());
            return after.is_some_and(|after| are_in(rest, after, found));
        }
        Part::Named(name) => name.as_str(),
    };
    for end in ends(name, text, rest.is_empty()) {
        found.push((name, &text[..end]));
        if are_in(rest, &text[end..], found) {
            return true;
        }
        found.pop();
    }
    false
}

/// Where the value of a placeholder that begins a text may end, the most likely first.
fn ends(name: &str, text: &str, is_last: bool) -> Vec<usize> {
    if let Some((shortest, longest)) = length(name) {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        return (shortest..=longest.min(digits)).rev().collect();
    }
    if is_last {
        return (!text.is_empty())
            .then_some(text.len())
            .into_iter()
            .collect();
    }
    text.char_indices().skip(1).map(|(at, _)| at).collect()
}
