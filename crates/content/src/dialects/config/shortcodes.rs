//! Ids that a site's own shortcodes write, and those that show code: their templates are read as data.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::dialects::tags::{Arguments, Call};
use crate::model::sources::SourceFile;
use crate::model::text::decode;

/// The largest template that is read, in bytes.
const LARGEST: usize = 100_000;
/// The most ids of one site's shortcodes.
pub(super) const MOST: usize = 200;
/// The longest id.
const LONGEST: usize = 200;

/// The template of a shortcode.
pub struct Template<'f> {
    /// The name of the shortcode.
    name: &'f str,
    text: Cow<'f, str>,
}

impl<'f> Template<'f> {
    /// Those among these files that are of shortcodes, and not too large.
    pub fn all(files: impl Iterator<Item = &'f SourceFile>) -> Vec<Self> {
        let files = files.filter(|file| file.bytes.len() <= LARGEST);
        let named = files.filter_map(|file| Some((name_of(&file.path)?, file)));
        let read = named.map(|(name, file)| Self {
            name,
            text: decode(&file.bytes, &file.path).0,
        });
        read.collect()
    }

    /// Names and texts; of several templates with one name the first counts.
    pub(super) fn first_of_each<'t>(
        templates: &'t [Self],
    ) -> impl Iterator<Item = (&'f str, &'t str)> {
        let mut seen = BTreeSet::new();
        let first = templates
            .iter()
            .filter(move |template| seen.insert(template.name));
        first.map(|template| (template.name, &*template.text))
    }
}

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
    /// The ids in these templates.
    pub fn all(templates: &[Template<'_>]) -> Vec<Self> {
        let mut places = Vec::new();
        for Template { name, text } in templates {
            if places.len() >= MOST {
                break;
            }
            for place in ids(text, name) {
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

/// A shortcode that shows what it holds as code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeShortcode {
    /// Its name.
    pub name: String,
    language: Language,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Language {
    Given(Argument),
    Fixed(String),
}

impl CodeShortcode {
    /// Those among these templates; of several with one name the first counts.
    pub fn all(templates: &[Template<'_>]) -> Vec<Self> {
        let found = Template::first_of_each(templates).filter_map(|(name, text)| {
            Some(Self {
                name: name.to_owned(),
                language: language_of_code(text)?,
            })
        });
        found.take(MOST).collect()
    }

    /// The language of the code in a call; empty: none.
    pub fn language<'l>(&'l self, words: &'l str) -> String {
        let arguments = Arguments::parse(words);
        let value = match &self.language {
            Language::Fixed(language) => language.as_str(),
            Language::Given(Argument::Named(key)) => arguments.named(&[key]).unwrap_or_default(),
            Language::Given(Argument::Number(at)) => {
                arguments.positional.get(*at).copied().unwrap_or_default()
            }
        };
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '#' | '.');
        let is_name = value.len() <= LONGEST && value.chars().all(is_part);
        if is_name {
            value.to_owned()
        } else {
            String::new()
        }
    }
}

/// The language in which a template shows `.Inner` as code; `None`: it does not, or not always.
fn language_of_code(template: &str) -> Option<Language> {
    let text = without_comments(template);
    let is_code = |expression: &str| {
        expression.split_whitespace().any(|word| {
            matches!(
                word.trim_matches(['(', ')']),
                "highlight" | "transform.Highlight"
            )
        })
    };
    let mut in_pre = false;
    let mut found = None;
    let mut variables = Variables::default();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("{{") {
        let (expression, after) = behind.split_once("}}")?;
        in_pre = match (before.rfind("<pre"), before.rfind("</pre")) {
            (None, None) => in_pre,
            (open, close) => open > close,
        };
        rest = after;
        let is_silent = || {
            let first = expression.trim_start_matches(['-', ' ']).split(' ').next();
            expression.contains(":=") || matches!(first, Some("if" | "with" | "else"))
        };
        variables.define(expression);
        if !variables.show_inner(expression) {
            continue;
        }
        if is_code(expression) {
            found.get_or_insert_with(|| language_in(expression));
        } else if in_pre && !expression.contains("markdownify") {
            found.get_or_insert(Language::Fixed(String::new()));
        } else if !is_silent() {
            return None;
        }
    }
    found
}

/// The variables of a template so far, and whether a value of each has `.Inner`.
#[derive(Default)]
struct Variables<'t>(BTreeMap<&'t str, bool>);

impl<'t> Variables<'t> {
    /// Takes the variable that an expression sets.
    fn define(&mut self, expression: &'t str) {
        let set = expression.split_once(" := ");
        if let Some((before, value)) = set.or_else(|| expression.split_once(" = "))
            && let Some(name) = before.split_whitespace().last()
        {
            let has_inner = self.show_inner(value);
            *self
                .0
                .entry(name.trim_start_matches(['(', '-']))
                .or_default() |= has_inner;
        }
    }

    /// Whether an expression has `.Inner`, or a variable with its value.
    fn show_inner(&self, expression: &str) -> bool {
        let mut words = expression.split_whitespace();
        expression.contains(".Inner")
            || words.any(|word| {
                let name = word.trim_matches(['(', ')', '-']);
                name.starts_with('$') && self.0.get(name) == Some(&true)
            })
    }
}

/// The language that an expression with `highlight` gives to the code.
fn language_in(expression: &str) -> Language {
    let argument = ["(.Get ", ".Get ", "(index .Params ", ".Params."]
        .iter()
        .find_map(|sign| got(expression[expression.find(sign)?..].trim_start_matches('(')));
    let fixed = || expression.split('"').nth(1).unwrap_or_default().to_owned();
    argument.map_or_else(|| Language::Fixed(fixed()), Language::Given)
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
pub(super) fn without_comments(template: &str) -> String {
    const COMMENTS: [(&str, &str); 3] = [("<!--", "-->"), ("{{/*", "*/"), ("{{- /*", "*/")];
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    loop {
        let found = COMMENTS
            .iter()
            .filter_map(|(open, close)| Some((rest.find(open)?, close)));
        let Some((at, close)) = found.min() else {
            return text + rest;
        };
        text.push_str(&rest[..at]);
        // The braces around a comment stay.
        if rest[at..].starts_with("{{") {
            text.push_str("{{");
        }
        rest = rest[at..]
            .split_once(*close)
            .map_or("", |(_, behind)| behind);
    }
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

    #[test]
    fn rule_12_shortcodes_with_code_are_found_in_their_templates() {
        let check = |template: &str, words: &str, expected: Option<&str>| {
            let language = language_of_code(template);
            let found = language.map(|language| {
                let name = String::new();
                CodeShortcode { name, language }.language(words)
            });
            assert_eq!(found.as_deref(), expected, "{template}");
        };
        check("{{ highlight .Inner \"go\" \"\" }}", "", Some("go"));
        check(
            "{{ highlight (trim .Inner \"\\n\") (.Get 0) \"\" }}",
            "rust",
            Some("rust"),
        );
        check(
            "{{ $code := trim .Inner \"\\n\" }}{{ transform.Highlight $code (.Get \"lang\") }}",
            "lang=c++",
            Some("c++"),
        );
        check(
            "<pre class=\"a\"><code>{{ .Inner }}</code></pre>",
            "",
            Some(""),
        );
        check(
            "{{ with .Inner }}<pre>{{ $.Inner | safeHTML }}</pre>{{ end }}",
            "",
            Some(""),
        );
        check("{{ highlight .Inner (.Get 0) \"\" }}", "\"a b\"", Some(""));
        check("<div>{{ .Inner | markdownify }}</div>", "", None);
        check("<pre>{{ .Get 0 }}</pre>{{ .Inner }}", "", None);
        check(
            "{{ if .Get \"c\" }}{{ highlight .Inner \"\" }}{{ else }}{{ .Inner }}{{ end }}",
            "",
            None,
        );
        check("{{/* {{ highlight .Inner }} */}}", "", None);
    }
}
