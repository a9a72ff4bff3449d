//! What the names of templates mean: keys of the site's configuration and of the page's front
//! matter.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::dialects::config::SiteValue;
use crate::dialects::template_names::{TemplateLanguage, TemplateNames};
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

/// What every list and text has, without a key.
const MEMBERS: [&str; 3] = ["size", "first", "last"];

/// A value as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, a number or a yes.
    Text(String),
    /// The number 0.
    Zero,
    /// No: `false`.
    No,
    /// Nothing: `null`.
    Nil,
    /// Nothing, because nobody gave it a value.
    Undefined,
    /// Something whose text is not known: a list, a map.
    Some,
    /// A list or a map without items.
    Empty,
    /// A text with tags, which only code shows as it is.
    Template(String),
    /// Nothing is known.
    Unknown,
}

/// The names that are known in a text.
pub struct Names<'a> {
    front: &'a Front,
    /// Those of the site, whose keys are joined by `.`.
    site: &'a BTreeMap<String, SiteValue>,
    /// Those to which tags of the text give values.
    tags: BTreeSet<&'a str>,
    /// Those of the generator, if all others have no value.
    kind: Option<&'static TemplateNames>,
    language: TemplateLanguage,
    /// Whether the keys of the page are names of their own.
    bare: bool,
    /// What is known of the page by its path.
    of_path: Vec<(&'static str, SiteValue)>,
    /// Names whose values are not known.
    unknown: Option<&'a BTreeSet<String>>,
}

impl<'a> Names<'a> {
    /// Names of which more may exist.
    pub fn open(front: &'a Front, site: &'a BTreeMap<String, SiteValue>) -> Self {
        Self {
            front,
            site,
            tags: BTreeSet::new(),
            kind: None,
            language: TemplateLanguage::Liquid,
            bare: false,
            of_path: Vec::new(),
            unknown: None,
        }
    }

    /// The same for a text whose tags give values to some names, in a language.
    pub fn with(self, tags: BTreeSet<&'a str>, language: TemplateLanguage) -> Self {
        Self {
            tags,
            language,
            bare: language.has_bare_keys(),
            ..self
        }
    }

    /// Names that are all there are, with those of the generator and of tags of the text.
    pub fn closed(
        front: &'a Front,
        site: &'a BTreeMap<String, SiteValue>,
        kind: &'static TemplateNames,
        tags: BTreeSet<&'a str>,
    ) -> Self {
        let names = Self::open(front, site).with(tags, kind.language);
        Self {
            kind: Some(kind),
            bare: names.bare && kind.of_page.is_none(),
            ..names
        }
    }

    /// The same with what is known of the page by its path, and with names whose values are not known.
    /// Keys of the page are names also where that is not said of the language.
    pub fn and(
        self,
        of_path: Vec<(&'static str, SiteValue)>,
        unknown: &'a BTreeSet<String>,
        bare: bool,
    ) -> Self {
        Self {
            of_path,
            unknown: Some(unknown),
            bare: bare || self.bare,
            ..self
        }
    }

    /// Whether the value of a name is not known.
    fn is_unknown(&self, name: &str) -> bool {
        self.unknown.is_some_and(|unknown| unknown.contains(name))
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
        let name = &*dotted(name);
        if let Some(variable) = name.strip_prefix('$') {
            return self.variable(variable);
        }
        if let Some(member) = self.member(name) {
            return member;
        }
        let of_page = name.strip_prefix("page.");
        let mut of_path = self.of_path.iter();
        if let Some((_, value)) = of_path.find(|(key, _)| of_page == Some(key)) {
            return Value::from(value);
        }
        match name.split_once('.') {
            Some(("site", _)) if self.is_data(name) => self.other(name),
            Some(("site" | "space", key)) => self.of_site(key),
            Some(("page", key)) if self.language != TemplateLanguage::Nunjucks => self.of_page(key),
            Some(("page", key)) if self.has_front_in_page(key) => self.of_page(key),
            _ => self.other(name),
        }
    }

    /// Whether a key of `page` is from the front matter, where the language says otherwise.
    fn has_front_in_page(&self, key: &str) -> bool {
        let first = key.split('.').next().unwrap_or_default();
        let given = self.kind.and_then(|kind| kind.of_page);
        given.is_some_and(|given| !given.contains(&first))
    }

    /// The value of a variable of Markdoc: what no program gives has none.
    fn variable(&self, name: &str) -> Value {
        let name = name.strip_prefix("markdoc.").unwrap_or(name);
        let first = name.split('.').next().unwrap_or_default();
        if self.tags.contains(first) || !is_path(name) {
            return Value::Unknown;
        }
        let key = name.strip_prefix("frontmatter.");
        let node = key.and_then(|key| self.node(key));
        node.map_or(Value::Undefined, field)
    }

    /// Whether `site` is data of the site in a file of this name.
    fn is_data(&self, name: &str) -> bool {
        self.has_alone("site") || self.is_unknown("site") || self.has_alone(name)
    }

    /// A member of a list: its size or an item.
    fn member(&self, name: &str) -> Option<Value> {
        let (list, member) = name.rsplit_once('.')?;
        let is_member = member.parse::<usize>().is_ok()
            || MEMBERS.contains(&member) && self.language == TemplateLanguage::Liquid
            || member == "length" && self.language != TemplateLanguage::Liquid;
        if !is_member {
            return None;
        }
        let items = self.items(list)?;
        let item = match member {
            "size" | "length" => return Some(Value::Text(items.len().to_string())),
            "first" => items.first(),
            "last" => items.last(),
            number => items.get(number.parse::<usize>().ok()?),
        };
        Some(item.map_or(Value::Nil, field))
    }

    /// The items of a list of the page or of the site.
    fn items(&self, name: &str) -> Option<&'a [Node]> {
        let of_site = |key: &str| match self.site.get(key)? {
            SiteValue::List(items) => Some(&items[..]),
            SiteValue::Empty => Some(&[][..]),
            _ => None,
        };
        match name.split_once('.') {
            Some(("site", key)) if !self.is_data(name) => of_site(key),
            Some(("page", key)) if self.language == TemplateLanguage::Liquid => self.list(key),
            _ if self.bare && self.front.get(name).is_some() => self.list(name),
            _ if self.tags.contains(name.split('.').next()?) => None,
            _ => of_site(&format!(".{name}")),
        }
    }

    /// Whether a list of the page or of the site contains a text.
    pub fn list_contains(&self, name: &str, text: &str) -> Option<bool> {
        let items = self.items(&dotted(name))?;
        let is_known = |item: &Node| matches!(item.value, Field::Scalar { .. });
        items
            .iter()
            .all(is_known)
            .then(|| items.iter().any(|item| item.text() == Some(text)))
    }

    fn of_site(&self, key: &str) -> Value {
        match self.site.get(key) {
            Some(value) => Value::from(value),
            None => self.absent(key),
        }
    }

    /// The value of a key that the configuration does not give.
    fn absent(&self, key: &str) -> Value {
        let Some(kind) = self.kind.filter(|_| is_path(key)) else {
            return Value::Unknown;
        };
        if let Some(value) = self.absent_in_map(key) {
            return value;
        }
        let first = key.split('.').next().unwrap_or_default();
        let is_collection = match self.site.get("collections") {
            Some(SiteValue::Map) => self.site.contains_key(&format!("collections.{first}")),
            Some(SiteValue::Empty) => false,
            collections => collections.is_some(),
        };
        match is_collection || kind.of_site.contains(&first) {
            true => Value::Unknown,
            false => Value::Undefined,
        }
    }

    /// The value of a path that the site does not give, if it gives a value around it.
    fn absent_in_map(&self, path: &str) -> Option<Value> {
        let mut outer = path;
        while let Some((before, last)) = outer.rsplit_once('.') {
            match self.site.get(before) {
                Some(SiteValue::Map | SiteValue::Empty | SiteValue::No | SiteValue::Nil)
                    if !MEMBERS.contains(&last) =>
                {
                    return Some(Value::Undefined);
                }
                Some(_) => return Some(Value::Unknown),
                None => outer = before,
            }
        }
        None
    }

    pub fn language(&self) -> TemplateLanguage {
        self.language
    }

    fn of_page(&self, key: &str) -> Value {
        let is_jinja = self.language == TemplateLanguage::Jinja;
        let key = match key.strip_prefix("meta.") {
            Some(key) if is_jinja => key,
            // The generator makes all others.
            _ if is_jinja => return Value::Unknown,
            _ => key,
        };
        let first = key.split('.').next().unwrap_or_default();
        let has_path = first.len() < key.len();
        match (self.node(key), self.front.get(first)) {
            (Some(node), _) => field(node),
            (None, Some(entry)) if self.kind.is_some() && is_path(key) => {
                let is_map = matches!(entry.node.value, Field::Map(_));
                let ends_in_member = MEMBERS.iter().any(|member| key.ends_with(member));
                match is_map && !ends_in_member || entry.node.is_null() {
                    true => Value::Undefined,
                    false => Value::Unknown,
                }
            }
            (None, Some(_)) => Value::Unknown,
            (None, None) if BUILT_IN.contains(&first) || !is_path(key) => Value::Unknown,
            (None, None) if has_path && self.kind.is_none() => Value::Unknown,
            (None, None) => Value::Undefined,
        }
    }

    /// The items of a list in the front matter at a path of keys.
    fn list(&self, path: &str) -> Option<&'a [Node]> {
        match &self.node(path)?.value {
            Field::List(items) => Some(items),
            _ => None,
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

    /// Whether a name alone has a value of the site.
    pub fn has_alone(&self, name: &str) -> bool {
        self.site.contains_key(&format!(".{name}"))
    }

    /// The value of a name that is neither of the site nor of the page.
    fn other(&self, name: &str) -> Value {
        let of_site = self.site.get(&format!(".{name}"));
        // What a page gives has priority.
        if let Some(node) = self.node(name).filter(|_| self.bare || of_site.is_some()) {
            return field(node);
        }
        let first = name.split('.').next().unwrap_or_default();
        if self.tags.contains(first) || !is_path(name) {
            return Value::Unknown;
        }
        if let Some(value) = of_site {
            return Value::from(value);
        }
        match self.absent_in_map(&format!(".{name}")) {
            Some(value) => value,
            None if self.is_unknown(first) => Value::Unknown,
            None if self.kind.is_some_and(|kind| !kind.objects.contains(&first)) => {
                Value::Undefined
            }
            None => Value::Unknown,
        }
    }
}

impl Value {
    /// Whether a condition on it alone fails: `false`, or no value.
    pub fn is_false(&self) -> bool {
        matches!(self, Self::No | Self::Nil | Self::Undefined)
    }

    /// A text, or a number as one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Zero => Some("0"),
            _ => None,
        }
    }
}

impl From<&SiteValue> for Value {
    fn from(value: &SiteValue) -> Self {
        match value {
            SiteValue::Text(text) => Self::Text(text.clone()),
            SiteValue::Zero => Self::Zero,
            SiteValue::No => Self::No,
            SiteValue::Nil => Self::Nil,
            SiteValue::Empty => Self::Empty,
            SiteValue::List(_) | SiteValue::Map | SiteValue::Unread => Self::Some,
        }
    }
}

/// A name with dots alone: `site.flags` for `site["flags"]`, `names.0` for `names[0]`.
fn dotted(name: &str) -> Cow<'_, str> {
    const MOST: usize = 8;
    let mut dotted = Cow::Borrowed(name);
    for _ in 0..MOST {
        let Some((before, rest)) = dotted.split_once('[') else {
            break;
        };
        let Some((inner, behind)) = rest.split_once(']') else {
            break;
        };
        let key = quoted(inner).filter(|key| !key.contains('.'));
        let is_number = inner.bytes().all(|byte| byte.is_ascii_digit());
        let key = key.or(is_number.then_some(inner));
        let Some(key) = key.filter(|key| is_path(key) && !before.is_empty()) else {
            break;
        };
        dotted = Cow::Owned(format!("{before}.{key}{behind}"));
    }
    dotted
}

/// What is between quotes.
pub fn quoted(text: &str) -> Option<&str> {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    let inner = ['"', '\'']
        .into_iter()
        .find_map(|quote| Some((quote, inner(quote)?)));
    inner.and_then(|(quote, inner)| (!inner.contains(quote)).then_some(inner))
}

fn is_path(key: &str) -> bool {
    let is_in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !key.is_empty() && key.chars().all(is_in_path)
}

fn field(node: &Node) -> Value {
    match &node.value {
        Field::Scalar { .. } if node.is_null() => Value::Nil,
        Field::Scalar { text, plain } if *plain && matches!(text.as_str(), "false" | "False") => {
            Value::No
        }
        Field::Scalar { text, plain } if *plain && text.parse() == Ok(0.0) => Value::Zero,
        Field::Scalar { text, .. } => Value::Text(text.clone()),
        Field::List(_) | Field::Map(_) if node.is_null() => Value::Empty,
        Field::List(_) | Field::Map(_) => Value::Some,
    }
}

/// The names to which a tag gives a value.
pub fn given<'a>(tag: &str, arguments: &'a str) -> Vec<&'a str> {
    let words = |text: &'a str| -> Vec<&'a str> {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        words.filter(|word| !word.is_empty()).collect()
    };
    match tag {
        "for" | "tablerow" => words(arguments.split(" in ").next().unwrap_or_default()),
        // `{% import "file" as name %}`
        "import" => words(arguments).pop().into_iter().collect(),
        // `{% from "file" import one, another as name %}`
        "from" => {
            let words = words(arguments).into_iter();
            words.skip_while(|word| *word != "import").collect()
        }
        // `{% with one = 1, another = 2 %}`; each line of `liquid` assigns one.
        "with" | "liquid" => {
            let before = arguments.split('=');
            before.filter_map(|part| words(part).pop()).collect()
        }
        "capture" | "macro" => words(arguments).into_iter().take(1).collect(),
        "assign" | "set" | "increment" | "decrement" => {
            words(arguments.split('=').next().unwrap_or_default())
        }
        _ => Vec::new(),
    }
}
