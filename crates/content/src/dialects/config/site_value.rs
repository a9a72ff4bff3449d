//! A value of the settings that texts and templates ask for.

use crate::syntax::front::{Node, Value};

/// The maximum number of items of a list that is read.
const MOST_ITEMS: usize = 100;

/// What a template knows of a key of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteValue {
    /// A text, a number or a yes.
    Text(String),
    /// The number 0, which some languages take for a no.
    Zero,
    /// A no.
    No,
    /// Nothing.
    Nil,
    /// A list or a map without items.
    Empty,
    /// A list of texts, numbers and the like.
    List(Vec<Node>),
    /// A map, whose own keys are values too.
    Map,
    /// Something whose parts are not read: a list of maps, a deep map.
    Unread,
}

impl SiteValue {
    /// A list.
    pub fn of_list(items: &[Node]) -> Self {
        let is_simple = |item: &Node| matches!(item.value, Value::Scalar { .. });
        match items.len() <= MOST_ITEMS && items.iter().all(is_simple) {
            true => Self::List(items.to_vec()),
            false => Self::Unread,
        }
    }

    /// A yes or no.
    pub fn of_bool(value: bool) -> Self {
        match value {
            true => Self::Text("true".to_owned()),
            false => Self::No,
        }
    }

    /// Forgets a text or a list. A yes stays.
    pub fn without_text(&mut self) {
        let is_text = matches!(self, Self::Text(text) if text != "true");
        if is_text || matches!(self, Self::List(_)) {
            *self = Self::Unread;
        }
    }
}
