//! What is known of the value of an expression, where a site is published.

use std::collections::BTreeMap;

use super::expression::{Pipeline, Term};
use super::site::SiteValues;
use super::value::{PRODUCTION, UNKNOWN, Value};
use crate::dialects::tags::Arguments;

/// Its variables of the system.
const VARIABLES: [&str; 2] = ["HUGO_ENV", "HUGO_ENVIRONMENT"];
/// What the fields of the site, and of the page, begin with.
const OF_SITE: [&str; 4] = ["site.", "Site.", "Page.Site.", "page.Site."];
const OF_PAGE: [&str; 2] = ["page.", "Page."];

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
            ("default", [usual, value]) => or_usual(*value, *usual),
            ("getenv" | "os.Getenv", [Value::Text(name)]) if VARIABLES.contains(name) => {
                Value::Environment
            }
            ("index", [_, key]) => self.index(terms, *key),
            (get, [key]) if self.field(get) == Some("Get") => match terms {
                [term] => self.argument(term, *key),
                _ => UNKNOWN,
            },
            _ => UNKNOWN,
        }
    }

    /// The value of a map at a key. The terms are the map and the key.
    fn index(&self, terms: &[Term<'v>], key: Value<'v>) -> Value<'v> {
        let [Term::Word(map), term] = terms else {
            return UNKNOWN;
        };
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

/// A value, or the usual one in place of an empty one. `false` may count as a value.
fn or_usual<'v>(value: Value<'v>, usual: Value<'v>) -> Value<'v> {
    match value.is_true() {
        Some(true) => value,
        Some(false) if !matches!(value, Value::Is(_)) => usual,
        _ => UNKNOWN,
    }
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
