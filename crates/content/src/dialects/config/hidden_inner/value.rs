//! What is known of a value, where a site is published.

use crate::syntax::front::{Node, Value as Written};

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    Unknown,
    /// It is not there.
    Nil,
    Is(bool),
    Text(&'v str),
    /// A variable of the system with the name of the environment, which need not be set.
    Environment,
    /// Any other value: whether it counts as true.
    Other(bool),
}

/// A value that may be any.
pub const UNKNOWN: Value<'static> = Value::Unknown;
/// The environment in which a site is published.
pub const PRODUCTION: &str = "production";

impl<'v> Value<'v> {
    /// Whether it counts as true in a condition, if that is known.
    pub fn is_true(self) -> Option<bool> {
        match self {
            Self::Unknown | Self::Environment => None,
            Self::Nil => Some(false),
            Self::Is(is) | Self::Other(is) => Some(is),
            Self::Text(text) => Some(!text.is_empty()),
        }
    }

    pub fn equals(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::Unknown | Self::Other(_), _) | (_, Self::Unknown | Self::Other(_)) => None,
            (Self::Environment, Self::Text(text)) | (Self::Text(text), Self::Environment) => {
                (!matches!(text, "" | PRODUCTION)).then_some(false)
            }
            (Self::Environment, _) | (_, Self::Environment) => None,
            (one, other) => Some(one == other),
        }
    }

    /// The value of a configuration.
    pub fn of_node(node: &'v Node) -> Self {
        let (text, plain) = match &node.value {
            Written::List(items) => return Self::Other(!items.is_empty()),
            Written::Map(entries) => return Self::Other(!entries.is_empty()),
            Written::Scalar { text, plain } => (text.as_str(), *plain),
        };
        let is_word = text.starts_with(|c: char| c.is_alphabetic());
        match (text, node.bool()) {
            _ if !plain => Self::Text(text),
            _ if node.is_null() => Self::Nil,
            ("true", _) => Self::Is(true),
            ("false", _) => Self::Is(false),
            // `yes` is a text or not, by the version of YAML.
            (_, Some(_)) => Self::Unknown,
            _ if is_word => Self::Text(text),
            _ => Self::of_number(text),
        }
    }

    pub fn of_number(text: &str) -> Self {
        match text.parse::<f64>() {
            Ok(number) => Self::Other(number != 0.0),
            Err(_) => Self::Unknown,
        }
    }

    /// An argument of a call. Whether `true` and `1` have quotes is not known.
    pub fn of_argument(argument: Option<&'v str>) -> Self {
        match argument {
            None => Self::Nil,
            Some("true" | "false") => Self::Unknown,
            Some(text) if text.parse::<f64>().is_ok() => Self::Unknown,
            Some(text) => Self::Text(text),
        }
    }

    pub fn not(self) -> Self {
        self.is_true().map_or(Self::Unknown, |is| Self::Is(!is))
    }
}
