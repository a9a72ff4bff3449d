//! What is known of the value of an expression, where a site is published.

use std::collections::BTreeMap;

use super::expression::{Pipeline, Term};
use super::site::SiteValues;
use crate::dialects::tags::Arguments;
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
const UNKNOWN: Value<'static> = Value::Unknown;
/// The environment in which a site is published.
const PRODUCTION: &str = "production";
/// Its variables of the system.
const VARIABLES: [&str; 2] = ["HUGO_ENV", "HUGO_ENVIRONMENT"];
/// What the fields of the site, and of the page, begin with.
const OF_SITE: [&str; 4] = ["site.", "Site.", "Page.Site.", "page.Site."];
const OF_PAGE: [&str; 2] = ["page.", "Page."];

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

    fn equals(self, other: Self) -> Option<bool> {
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

    fn of_number(text: &str) -> Self {
        match text.parse::<f64>() {
            Ok(number) => Self::Other(number != 0.0),
            Err(_) => Self::Unknown,
        }
    }

    /// An argument of a call. Whether `true` and `1` have quotes is not known.
    fn of_argument(argument: Option<&'v str>) -> Self {
        match argument {
            None => Self::Nil,
            Some("true" | "false") => Self::Unknown,
            Some(text) if text.parse::<f64>().is_ok() => Self::Unknown,
            Some(text) => Self::Text(text),
        }
    }

    fn not(self) -> Self {
        self.is_true().map_or(Self::Unknown, |is| Self::Is(!is))
    }
}

/// What a template may ask for.
#[derive(Clone, Copy)]
pub struct Known<'v> {
    pub site: &'v SiteValues,
    /// The arguments of the call; `None`: of any call.
    pub arguments: Option<&'v Arguments<'v>>,
    /// The language of the page, if it is known.
    pub language: Option<&'v str>,
}

/// Where an expression is.
pub struct Place<'p, 'v> {
    pub known: Known<'v>,
    pub variables: &'p BTreeMap<&'v str, Value<'v>>,
    /// Whether `.` is another value than in the whole template.
    pub is_inside: bool,
}

impl<'v> Place<'_, 'v> {
    /// What is known of the value of an expression.
    pub fn value(&self, pipeline: &Pipeline<'v>) -> Value<'v> {
        let mut piped = None;
        for command in &pipeline.0 {
            piped = Some(self.command(command, piped));
        }
        piped.unwrap_or(UNKNOWN)
    }

    fn command(&self, terms: &[Term<'v>], piped: Option<Value<'v>>) -> Value<'v> {
        match (terms, piped) {
            ([term], None) => self.term(term),
            ([Term::Word(name), terms @ ..], piped) => {
                let values = terms.iter().map(|term| self.term(term));
                let values: Vec<Value<'v>> = values.chain(piped).collect();
                self.called(name, terms, &values)
            }
            _ => UNKNOWN,
        }
    }

    /// The value of a function.
    fn called(&self, name: &str, terms: &[Term<'v>], values: &[Value<'v>]) -> Value<'v> {
        match (name, values) {
            ("not", [value]) => value.not(),
            ("and", values) => first(values, false),
            ("or", values) => first(values, true),
            ("eq", [value, others @ ..]) => any_equals(*value, others),
            ("ne", [value, others @ ..]) => any_equals(*value, others).not(),
            ("default", [usual, value]) => match value.is_true() {
                Some(true) => *value,
                Some(false) if !matches!(value, Value::Is(_)) => *usual,
                _ => UNKNOWN,
            },
            ("getenv" | "os.Getenv", [Value::Text(name)]) if VARIABLES.contains(name) => {
                Value::Environment
            }
            ("index", [_, key]) => match terms {
                [Term::Word(map), key_term] => self.index(map, key_term, *key),
                _ => UNKNOWN,
            },
            (get, [key]) if self.field(get) == Some("Get") => match terms {
                [term] => self.argument(term, *key),
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }

    fn index(&self, map: &str, term: &Term<'v>, key: Value<'v>) -> Value<'v> {
        let field = self.field(map).unwrap_or(map);
        match (field, key) {
            ("Params", _) => self.argument(term, key),
            (_, Value::Text(key)) if of(&OF_SITE, field) == Some("Params") => {
                self.known.site.param(key)
            }
            _ => UNKNOWN,
        }
    }

    /// The argument of the call with a number or a name.
    fn argument(&self, term: &Term<'v>, key: Value<'v>) -> Value<'v> {
        let Some(arguments) = self.known.arguments else {
            return UNKNOWN;
        };
        match (term, key) {
            (_, Value::Text(name)) => named(arguments, name),
            (Term::Word(number), _) => match number.parse::<usize>() {
                Ok(at) => Value::of_argument(arguments.positional.get(at).copied()),
                Err(_) => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }

    fn term(&self, term: &Term<'v>) -> Value<'v> {
        match term {
            Term::Text(text) => Value::Text(text),
            Term::Group(group) => self.value(group),
            Term::Word(word) => self.word(word),
        }
    }

    fn word(&self, word: &str) -> Value<'v> {
        match word {
            "nil" => return Value::Nil,
            "true" | "hugo.IsProduction" => return Value::Is(true),
            "false" | "hugo.IsServer" | "hugo.IsDevelopment" => return Value::Is(false),
            "hugo.Environment" => return Value::Text(PRODUCTION),
            _ => {}
        }
        if let Some(value) = self.variables.get(word) {
            return *value;
        }
        let field = self.field(word);
        let name = field.unwrap_or(word);
        let language = || self.known.language.map_or(UNKNOWN, Value::Text);
        if let Some(field) = of(&OF_SITE, name) {
            return match field {
                "IsServer" => Value::Is(false),
                "BuildDrafts" => Value::Is(self.known.site.builds_drafts),
                "Language.Lang" => language(),
                _ => match field.strip_prefix("Params.") {
                    Some(key) => self.known.site.param(key),
                    None => UNKNOWN,
                },
            };
        }
        match (of(&OF_PAGE, name), field) {
            (Some("Draft"), _) if !self.known.site.builds_drafts => Value::Is(false),
            (Some("Lang" | "Language.Lang"), _) => language(),
            (None, Some(field)) => match (field.strip_prefix("Params."), self.known.arguments) {
                (Some(name), Some(arguments)) => named(arguments, name),
                _ => UNKNOWN,
            },
            (None, None) => Value::of_number(word),
            _ => UNKNOWN,
        }
    }

    /// The name of a field of the template's own: `.Get`, `$.Get`.
    fn field<'w>(&self, word: &'w str) -> Option<&'w str> {
        let own = word.strip_prefix('.').filter(|_| !self.is_inside);
        own.or_else(|| word.strip_prefix("$."))
    }
}

fn of<'w>(prefixes: &[&str], name: &'w str) -> Option<&'w str> {
    prefixes.iter().find_map(|prefix| name.strip_prefix(prefix))
}

fn named<'v>(arguments: &Arguments<'v>, name: &str) -> Value<'v> {
    let mut all = arguments.named.iter();
    Value::of_argument(all.find(|(key, _)| *key == name).map(|(_, value)| *value))
}

/// The first value that counts as this, else the last.
fn first<'v>(values: &[Value<'v>], wanted: bool) -> Value<'v> {
    let mut is_sure = true;
    for value in values {
        match value.is_true() {
            Some(is) if is == wanted && is_sure => return *value,
            Some(is) if is == wanted => return Value::Other(wanted),
            Some(_) => {}
            None => is_sure = false,
        }
    }
    let last = values.last().filter(|_| is_sure);
    last.copied().unwrap_or(UNKNOWN)
}

fn any_equals<'v>(value: Value<'v>, others: &[Value<'v>]) -> Value<'v> {
    let mut is_sure = true;
    for other in others {
        match value.equals(*other) {
            Some(true) => return Value::Is(true),
            Some(false) => {}
            None => is_sure = false,
        }
    }
    match is_sure && !others.is_empty() {
        true => Value::Is(false),
        false => UNKNOWN,
    }
}
