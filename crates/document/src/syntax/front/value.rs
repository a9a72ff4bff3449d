//! Front-matter values as the author wrote them: text, converted to a type only on request.

/// A key and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// As written.
    pub text: String,
    /// The line in the file, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The line in the file, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub node: Node,
}

impl Entry {
    /// A key at the place of its value.
    pub fn new(key: &str, node: Node) -> Self {
        Self {
            key: Key {
                text: key.to_owned(),
                line: node.line,
                column: node.column,
            },
            node,
        }
    }

    /// A key with a plain value, both at this place.
    pub fn plain(key: &str, value: impl Into<String>, line: u32, column: u32) -> Self {
        Self::new(key, Node::plain(value, line, column))
    }
}

/// A value. Scalars keep the author's text: `NO`, `1.10` and `2024-01-01` are converted only on
/// request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A text; `plain` if it was not quoted.
    Scalar {
        /// The text, without quotes.
        text: String,
        /// Whether it was unquoted, and so may be a number, a bool or null.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys and values in their order.
    Map(Vec<Entry>),
}

impl Node {
    /// An unquoted scalar.
    pub fn plain(text: impl Into<String>, line: u32, column: u32) -> Self {
        Self {
            value: Value::Scalar {
                text: text.into(),
                plain: true,
            },
            line,
            column,
        }
    }

    /// The key that a node is; anything but a scalar is an empty one.
    pub fn into_key(self) -> Key {
        let Self { line, column, .. } = self;
        let text = match self.value {
            Value::Scalar { text, .. } => text,
            Value::List(_) | Value::Map(_) => String::new(),
        };
        Key { text, line, column }
    }

    /// Whether it is null: an empty value, `~` or `null`.
    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Scalar { text, plain } => {
                *plain && matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            Value::List(items) => items.is_empty(),
            Value::Map(entries) => entries.is_empty(),
        }
    }

    /// Whether it says something: it is neither null nor an empty text.
    pub fn has_value(&self) -> bool {
        match self.value {
            Value::Scalar { .. } => self.text().is_some(),
            Value::List(_) | Value::Map(_) => !self.is_null(),
        }
    }

    /// The trimmed text of a scalar; `None` if it is empty.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } if !self.is_null() => {
                Some(text.trim()).filter(|text| !text.is_empty())
            }
            _ => None,
        }
    }

    /// A bool in any notation of YAML 1.1, quoted or not.
    pub fn bool(&self) -> Option<bool> {
        match self.text()?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" => Some(true),
            "false" | "no" | "off" | "n" => Some(false),
            _ => None,
        }
    }

    /// An integer; `3.0` is one.
    pub fn integer(&self) -> Option<i64> {
        let text = self.text()?;
        match text.split_once('.') {
            Some((whole, fraction)) if fraction.trim_matches('0').is_empty() => whole.parse().ok(),
            _ => text.parse().ok(),
        }
    }

    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Map(entries) => find(entries, key),
            _ => None,
        }
    }

    /// The entries of a map; anything else has none.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of what a map has at a key.
    pub fn items_of(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], |entry| entry.node.items())
    }

    /// The items of a list; a single value is a list of one, null is empty.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ if self.is_null() => &[],
            _ => std::slice::from_ref(self),
        }
    }
}

/// As [`find`], and also ignoring `-` and `_`: `last-modified`.
pub fn find_spelled<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Entry> {
    let found = find(entries, key).or_else(|| {
        entries
            .iter()
            .find(|entry| is_same_word(&entry.key.text, key))
    });
    found.or_else(|| {
        let (outer, inner) = split_at_dot(key)?;
        find_spelled(entries, outer)?.node.get(inner)
    })
}

/// The parts of `a.b`. Most keys have no dot, which is found out faster than where it is.
fn split_at_dot(key: &str) -> Option<(&str, &str)> {
    match key.as_bytes().contains(&b'.') {
        true => key.split_once('.'),
        false => None,
    }
}

/// Whether two keys differ at most in case, `-` and `_`.
pub fn is_same_word(one: &str, other: &str) -> bool {
    fn letters(key: &str) -> impl Iterator<Item = u8> {
        key.bytes()
            .filter(|byte| !matches!(byte, b'-' | b'_'))
            .map(|byte| byte.to_ascii_lowercase())
    }
    one.as_bytes().first().map(u8::to_ascii_lowercase)
        == other.as_bytes().first().map(u8::to_ascii_lowercase)
        && letters(one).eq(letters(other))
}

/// The entry with a key: exact match first, then ignoring case; `a.b` also matches `b` inside `a`.
pub fn find<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Entry> {
    let exact = entries.iter().find(|entry| entry.key.text == key);
    let found = exact.or_else(|| {
        entries
            .iter()
            .find(|entry| entry.key.text.eq_ignore_ascii_case(key))
    });
    found.or_else(|| {
        let (outer, inner) = split_at_dot(key)?;
        find(entries, outer)?.node.get(inner)
    })
}
