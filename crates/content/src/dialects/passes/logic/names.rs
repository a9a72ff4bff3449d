//! What the names of templates mean: keys of the site's configuration and of the page's front
//! matter.

use std::collections::{BTreeMap, BTreeSet};

use super::value::Value;
use crate::dialects::config::SiteValue;
use crate::syntax::front::{Front, Node, Value as Field};

/// What a GitBook knows of a visitor: nothing of one who has not signed in.
pub const CLAIMS: &str = "visitor.claims";

/// Keys of a page that are not from its front matter.
const BUILT_IN: [&str; 14] = [
    "url",
    "id",
    "path",
    "content",
    "excerpt",
    "date",
    "categories",
    "tags",
    "collection",
    "next",
    "previous",
    "name",
    "dir",
    "layout",
];

/// Names of the site that are not from its configuration: of Jekyll, and of widespread plug-ins.
const BUILT_IN_SITE: [&str; 29] = [
    "active_lang",
    "baseurl",
    "base_url",
    "categories",
    "collections",
    "data",
    "destination",
    "documents",
    "exclude",
    "feed",
    "future",
    "github",
    "html_files",
    "html_pages",
    "include",
    "lang",
    "markdown",
    "markdown_ext",
    "pages",
    "permalink",
    "plugins",
    "posts",
    "related_posts",
    "source",
    "static_files",
    "tags",
    "time",
    "timezone",
    "url",
];

/// Objects that templates are given, beside the page.
const OBJECTS: [&str; 11] = [
    "content",
    "forloop",
    "jekyll",
    "layout",
    "page",
    "paginator",
    "site",
    "space",
    "tablerowloop",
    "theme",
    "visitor",
];

/// What every list and text has, without a key.
const MEMBERS: [&str; 3] = ["size", "first", "last"];

/// The names that are known in a text.
pub struct Names<'a> {
    front: &'a Front,
    /// Those of the site, whose keys are joined by `.`.
    site: &'a BTreeMap<String, SiteValue>,
    /// The names that tags of the text give values, if all others are nil.
    given: Option<BTreeSet<&'a str>>,
}

impl<'a> Names<'a> {
    /// Names of which more may exist.
    pub fn open(front: &'a Front, site: &'a BTreeMap<String, SiteValue>) -> Self {
        Self {
            front,
            site,
            given: None,
        }
    }

    /// Names that are all there are, with those that tags of the text give values.
    pub fn closed(
        front: &'a Front,
        site: &'a BTreeMap<String, SiteValue>,
        given: BTreeSet<&'a str>,
    ) -> Self {
        Self {
            front,
            site,
            given: Some(given),
        }
    }

    /// The value of a name.
    pub fn value(&self, name: &str) -> Value {
        if let Some(claim) = name.strip_prefix(CLAIMS) {
            let is_name = |c: char| c.is_alphanumeric() || ".-_[]\"'".contains(c);
            return match claim.chars().all(is_name) {
                true => Value::Undefined,
                false => Value::Unknown,
            };
        }
        match name.split_once('.') {
            Some(("site" | "space", key)) => self.of_site(key),
            Some(("page", key)) => self.of_page(key),
            _ => self.other(name),
        }
    }

    /// Whether a list of the page contains a text.
    pub fn list_contains(&self, name: &str, text: &str) -> Option<bool> {
        let node = self.node(name.strip_prefix("page.")?)?;
        let Field::List(items) = &node.value else {
            return None;
        };
        let is_known = |item: &Node| matches!(item.value, Field::Scalar { .. });
        items
            .iter()
            .all(is_known)
            .then(|| items.iter().any(|item| item.text() == Some(text)))
    }

    fn of_site(&self, key: &str) -> Value {
        match self.site.get(key) {
            Some(SiteValue::Text(text)) => Value::Text(text.clone()),
            Some(SiteValue::Nil) => Value::Nil,
            Some(SiteValue::Map | SiteValue::Unread) => Value::Some,
            None => self.absent(key),
        }
    }

    /// The value of a key that the configuration does not give.
    fn absent(&self, key: &str) -> Value {
        if self.given.is_none() || !is_path(key) {
            return Value::Unknown;
        }
        let mut outer = key;
        while let Some((before, last)) = outer.rsplit_once('.') {
            match self.site.get(before) {
                Some(SiteValue::Map | SiteValue::Nil) if !MEMBERS.contains(&last) => {
                    return Value::Nil;
                }
                Some(_) => return Value::Unknown,
                None => outer = before,
            }
        }
        let is_collection = match self.site.get("collections") {
            Some(SiteValue::Map) => self.site.contains_key(&format!("collections.{outer}")),
            collections => collections.is_some(),
        };
        match is_collection || BUILT_IN_SITE.contains(&outer) {
            true => Value::Unknown,
            false => Value::Nil,
        }
    }

    fn of_page(&self, key: &str) -> Value {
        let first = key.split('.').next().unwrap_or_default();
        let has_path = first.len() < key.len();
        match (self.node(key), self.front.get(first)) {
            (Some(node), _) => field(node),
            (None, Some(entry)) if self.given.is_some() && is_path(key) => {
                let is_map = matches!(entry.node.value, Field::Map(_));
                let ends_in_member = MEMBERS.iter().any(|member| key.ends_with(member));
                match is_map && !ends_in_member || entry.node.is_null() {
                    true => Value::Nil,
                    false => Value::Unknown,
                }
            }
            (None, Some(_)) => Value::Unknown,
            (None, None) if BUILT_IN.contains(&first) || !is_path(key) => Value::Unknown,
            (None, None) if has_path && self.given.is_none() => Value::Unknown,
            (None, None) => Value::Nil,
        }
    }

    /// The value in the front matter at a path of keys.
    fn node(&self, path: &str) -> Option<&'a Node> {
        let mut keys = path.split('.');
        let mut node = &self.front.get(keys.next()?)?.node;
        for key in keys {
            node = &node.get(key)?.node;
        }
        Some(node)
    }

    /// The value of a name that is neither of the site nor of the page.
    fn other(&self, name: &str) -> Value {
        let first = name.split('.').next().unwrap_or_default();
        match &self.given {
            Some(given) if is_path(name) && !OBJECTS.contains(&first) && !given.contains(first) => {
                Value::Nil
            }
            _ => Value::Unknown,
        }
    }
}

fn is_path(key: &str) -> bool {
    let is_in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !key.is_empty() && key.chars().all(is_in_path)
}

fn field(node: &Node) -> Value {
    match &node.value {
        Field::Scalar { .. } if node.is_null() => Value::Nil,
        Field::Scalar { text, plain } if *plain && matches!(text.as_str(), "false" | "False") => {
            Value::Nil
        }
        Field::Scalar { text, .. } => Value::Text(text.clone()),
        Field::List(_) | Field::Map(_) => Value::Some,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::logic::value::Values;
    use crate::syntax::front::split;

    fn site() -> BTreeMap<String, SiteValue> {
        let text = |text: &str| SiteValue::Text(text.to_owned());
        [
            ("author", SiteValue::Map),
            ("author.email", text("a@example.org")),
            ("beta", SiteValue::Nil),
            ("collections", SiteValue::Map),
            ("collections.notes", SiteValue::Map),
            ("links", SiteValue::Unread),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    #[test]
    fn rule_53_values_of_the_site_are_known() {
        let (front, site) = (Front::default(), site());
        let values = Values::of(Names::open(&front, &site));
        let known = Value::Text("a@example.org".to_owned());
        assert_eq!(values.expression("site.author.email | escape"), known);
        assert_eq!(values.expression("site.b"), Value::Unknown);
        assert_eq!(values.holds("site.author.email and site.b"), None);
    }

    #[test]
    fn rule_53_a_name_that_a_site_gives_no_value_is_nil_where_nothing_else_may_give_it_one() {
        let front = split("---\nn: 2\nmeta:\n  a: 1\n---\n", "a.md").front;
        let site = site();
        let given = BTreeSet::from(["x"]);
        let values = Values::of(Names::closed(&front, &site, given));
        for (condition, expected) in [
            ("site.beta", Some(false)),
            ("site.absent", Some(false)),
            ("site.absent.key", Some(false)),
            ("site.author", Some(true)),
            ("site.author.name", Some(false)),
            ("site.links", Some(true)),
            ("site.links.a", None),
            ("site.links.size > 0", None),
            ("site.notes", None),
            ("site.data.team", None),
            ("site.github.url", None),
            ("site.time", None),
            ("site['absent']", None),
            ("page.meta.a", Some(true)),
            ("page.meta.b", Some(false)),
            ("page.a.b", Some(false)),
            ("page.n > 3", Some(false)),
            ("page.url contains 'a'", None),
            ("page.date.year", None),
            ("x", None),
            ("x.y", None),
            ("y", Some(false)),
            ("include.x", Some(false)),
            ("jekyll.environment == 'production'", None),
            ("site", None),
        ] {
            assert_eq!(values.holds(condition), expected, "{condition}");
        }
    }
}
