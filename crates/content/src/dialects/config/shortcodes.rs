//! Ids that a site's own shortcodes write: their templates are read as data.

use crate::dialects::tags::Call;
use crate::model::sources::SourceFile;
use crate::model::text::decode;

/// The largest template that is read, in bytes.
const LARGEST: usize = 100_000;
/// The most ids of one site's shortcodes.
const MOST: usize = 200;
/// The longest id.
const LONGEST: usize = 200;

/// An id that a shortcode gives to what it shows: `id="def-{{ .Get "id" }}"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceOfShortcode {
    /// The name of the shortcode; `None`: another shortcode shows what this one was given.
    name: Option<String>,
    argument: Argument,
    before: String,
    after: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Argument {
    Named(String),
    Number(usize),
}

impl PlaceOfShortcode {
    /// The ids in those of these templates that are of shortcodes.
    pub fn all<'f>(templates: impl Iterator<Item = &'f SourceFile>) -> Vec<Self> {
        let mut places = Vec::new();
        for file in templates {
            let Some(name) = name_of(&file.path) else {
                continue;
            };
            if file.bytes.len() > LARGEST || places.len() >= MOST {
                continue;
            }
            let (text, _) = decode(&file.bytes, &file.path);
            for place in ids(&text, name) {
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        places
    }

    /// The id that a call gives.
    pub fn id(&self, call: &Call<'_>) -> Option<String> {
        if self.name.as_deref().is_some_and(|name| name != call.name) {
            return None;
        }
        let value = match &self.argument {
            Argument::Named(key) => call.arguments.named(&[key])?,
            Argument::Number(at) => call.arguments.positional.get(*at)?,
        };
        let is_id = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
        let fits = !value.is_empty() && value.len() <= LONGEST && value.chars().all(is_id);
        fits.then(|| format!("{}{value}{}", self.before, self.after))
    }
}

/// The name of the shortcode that a template is for.
fn name_of(path: &str) -> Option<&str> {
    let (_, inner) = path
        .split_once("/shortcodes/")
        .or_else(|| path.split_once("/_shortcodes/"))?;
    inner.strip_suffix(".html")
}

/// The ids in one template that depend on an argument.
fn ids(template: &str, name: &str) -> Vec<PlaceOfShortcode> {
    let text = without_comments(template);
    let mut places = Vec::new();
    for (at, mark) in text.match_indices("id=") {
        if !text[..at].ends_with(|c: char| c.is_whitespace()) {
            continue;
        }
        let rest = text[at + mark.len()..].trim_start_matches(['"', '\'']);
        let Some((before, rest)) = rest.split_once("{{") else {
            continue;
        };
        let Some((expression, rest)) = rest.split_once("}}") else {
            continue;
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let is_whole = before.chars().all(is_part) && !rest[end..].starts_with('{');
        if let Some((argument, is_own)) = argument(&text[..at], expression).filter(|_| is_whole) {
            places.push(PlaceOfShortcode {
                name: is_own.then(|| name.to_owned()),
                argument,
                before: before.to_owned(),
                after: rest[..end].to_owned(),
            });
        }
    }
    places
}

/// The argument that an expression shows, and whether it is of the same shortcode; `above` is the
/// template before it.
fn argument(above: &str, expression: &str) -> Option<(Argument, bool)> {
    let expression = expression.trim_matches(['-', ' ', '\n', '\t']);
    let expression = expression.split('|').next()?.trim();
    if let Some(argument) = got(expression) {
        return Some((argument, true));
    }
    // `{{ with .Get "id" }}id="{{ . }}"{{ end }}`
    if expression == "." {
        let (_, with) = above.rsplit_once("with ")?;
        return Some((got(with)?, true));
    }
    if expression.starts_with('$') && !expression.contains(['.', ' ']) {
        let (_, value) = above.rsplit_once(&format!("{expression} := "))?;
        return Some((got(value)?, true));
    }
    let key = expression.strip_prefix('.')?;
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    is_key.then(|| (Argument::Named(key.to_owned()), false))
}

/// The argument in `.Get "id"`, `.Get 0`, `index .Params "id"` and `.Params.id`.
fn got(expression: &str) -> Option<Argument> {
    let rest = expression.trim_start().trim_start_matches('$');
    let rest = match rest.strip_prefix(".Params.") {
        Some(rest) => rest,
        None => rest
            .strip_prefix(".Get ")
            .or_else(|| rest.strip_prefix("index .Params "))?
            .trim_start()
            .trim_start_matches(['"', '`', '\'']),
    };
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    let word = &rest[..end.unwrap_or(rest.len())];
    match word.parse() {
        Ok(number) => Some(Argument::Number(number)),
        Err(_) if !word.is_empty() => Some(Argument::Named(word.to_owned())),
        Err(_) => None,
    }
}

/// A template without comments of HTML and of templates.
fn without_comments(template: &str) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find("<!--").into_iter().chain(rest.find("/*")).min() {
        let end = if rest[at..].starts_with("<!--") {
            "-->"
        } else {
            "*/"
        };
        text.push_str(&rest[..at]);
        rest = rest[at..].split_once(end).map_or("", |(_, behind)| behind);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::tags::{Call, Form};
    use crate::syntax::front::Front;

    #[test]
    fn rule_61_ids_of_shortcodes_are_found_in_their_templates() {
        let check = |template: &str, arguments: &str, expected: &[&str]| {
            let front = Front::default();
            let call = Call::new(Form::Shortcode, "def", arguments, &front);
            let places = ids(template, "def");
            let found: Vec<String> = places.iter().filter_map(|place| place.id(&call)).collect();
            assert_eq!(found, expected, "{template}");
        };
        check("<p id=\"def-{{ .Get \"id\" }}\">", "id=\"a\"", &["def-a"]);
        check("<p id='{{- .Get 0 -}}-x'>", "\"a\"", &["a-x"]);
        check("<p id={{ .Params.key | safeHTML }}>", "key=a", &["a"]);
        check("{{ $id := .Get \"i\" }}<a id=\"{{ $id }}\">", "i=a", &["a"]);
        check(
            "<p{{ with .Get `id` }} id=\"{{ . }}\"{{ end }}>",
            "id=a",
            &["a"],
        );
        check("<dt id=\"def-{{.id }}\">", "id=\"a\"", &["def-a"]);
        check(
            "<!-- <p id=\"{{ .Get 0 }}\"> -->{{/* id=\"{{ .Get 0 }} */}}",
            "a",
            &[],
        );
        check("<p id=\"{{ .Page.Title }}\">", "id=a", &[]);
        check("<p id=\"a{{ .Get 0 }}{{ .Get 1 }}\">", "a b", &[]);
        check("<p id=\"{{ .Get 0 }}\">", "\"a b\"", &[]);
    }
}
