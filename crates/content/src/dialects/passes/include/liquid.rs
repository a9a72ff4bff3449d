//! Includes that are template tags: `{% include %}` of Liquid and Nunjucks. `shortcodes` handles
//! those of Hugo's themes and of Quarto.

use super::finder::Finder;
use super::marker::{Shape, Want};
use super::part::Part;
use super::paths::{below, resolve, with_endings};
use super::shortcodes::shortcode;
use crate::dialects::dialect::Spelling;
use crate::dialects::kinds::replace;
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::{Arguments, Call, Form, Inner, Pairs, Piece, Reading, parts, tokens};
use crate::model::bounds;
use crate::syntax::markdown::literal::literals;

/// Inside `{% raw %}`, `{% comment %}` and the like there are no includes.
pub fn find(finder: &mut Finder<'_>) {
    let text = finder.text;
    if !text.contains("{%") && !text.contains("{{<") && !text.contains("{{%") {
        return;
    }
    let tokens = tokens(text, finder.literals, finder.page.kind.reading());
    let pairs = Pairs::find(&tokens);
    let mut at = 0;
    while at < tokens.len() && !bounds::is_over() {
        if let Some(end) = pairs.end_of_literal(&tokens, at, |_| false) {
            at = end + 1;
            continue;
        }
        let token = &tokens[at];
        let want = match parts(token) {
            Some((Form::Shortcode, name, text)) => shortcode(name, &Arguments::parse(text), finder),
            Some((_, name, arguments)) => include(name, arguments, finder),
            None => None,
        };
        if let Some(want) = want {
            finder.request(token.range.clone(), want);
        }
        at += 1;
    }
}

/// `{% include x.html key="value" %}`, `{% include_relative x.md %}`,
/// `{% include-markdown "x.md" start="…" %}`, `{% render "x" %}`.
fn include(name: &str, text: &str, finder: &Finder<'_>) -> Option<Want> {
    let (arguments, path) = (&Arguments::parse(text), finder.path);
    const FOLDERS: [&str; 4] = ["_includes", "src/_includes", "includes", "src/includes"];
    const ENDINGS: [&str; 5] = [".html", ".md", ".liquid", ".njk", ""];
    let relative = matches!(name, "include_relative" | "include-markdown");
    if !relative
        && !matches!(
            name,
            "include" | "include_cached" | "include-cached" | "render"
        )
    {
        return None;
    }
    let written = arguments.first()?;
    let mut paths = finder.in_own_root(written);
    if !relative {
        for file in with_endings(written, &ENDINGS) {
            let own = finder.page.kind.config.includes.as_deref();
            paths.extend(own.into_iter().flat_map(|folder| below(&[folder], &file)));
            paths.extend(below(&FOLDERS, &file));
        }
    }
    // The tags of such a kind count from the content folder, unless a path begins with a dot.
    let counts_from_content = finder.spells(Spelling::Scissors) && !written.starts_with('.');
    if counts_from_content && name != "include_relative" {
        paths.extend(finder.in_content(written));
    }
    paths.extend(resolve(path, written));
    let part = match (mark(arguments, "start"), mark(arguments, "end")) {
        (None, None) => Part::Whole,
        (start, end) => Part::Between(start, end),
    };
    let Page { kind, front, .. } = finder.page;
    let known = replace(kind.dialect, &Call::new(Form::Tag, name, text, front));
    Some(Want {
        part,
        shape: Shape::Template,
        parameters: given(text, arguments),
        known: matches!(
            known,
            Some(Piece::Image { .. } | Piece::Embed { .. } | Piece::Open(_) | Piece::Whole { .. })
        ),
        lenient: !relative,
        ..Want::new(written, paths)
    })
}

/// The text at which a part begins or ends.
fn mark(arguments: &Arguments<'_>, key: &str) -> Option<String> {
    Some(arguments.named(&[key])?.replace("\\n", "\n"))
}

/// Tags of template inheritance: such a file is not part of a text.
const INHERITANCE: [&str; 5] = ["macro", "block", "extends", "import", "from"];
/// Tags that are template logic.
const LOGIC: [&str; 8] = [
    "if", "unless", "for", "case", "assign", "capture", "cycle", "tablerow",
];
/// Filters without a visible effect.
const FILTERS: [&str; 10] = [
    "relative_url",
    "absolute_url",
    "escape",
    "strip",
    "markdownify",
    "smartify",
    "xml_escape",
    "url",
    "safe",
    "escape_once",
];

/// Whether a template has logic.
pub fn has_logic(text: &str) -> bool {
    text.contains("{%")
        && tokens(text, &literals(text), Reading::default())
            .iter()
            .any(|token| {
                parts(token)
                    .is_some_and(|(form, name, _)| form == Form::Tag && LOGIC.contains(&name))
            })
}

/// A template with its parameters filled in, if the result has at most this many bytes. Logic stays
/// for the page to resolve, with the parameters as literals. `None`: it is a template of pages.
pub fn filled(text: &str, parameters: &[(String, String)], most: usize) -> Option<String> {
    if !text.contains("{{") && !text.contains("{%") {
        return Some(text.to_owned());
    }
    let found = literals(text);
    let mut splice = Splice::new(text);
    for token in tokens(text, &found, Reading::default()) {
        let put = match token.inner {
            Inner::Output(expression) if expression.contains("include.") => {
                output(expression, parameters)
            }
            Inner::Tag(inner) => {
                if parts(&token).is_some_and(|(_, name, _)| INHERITANCE.contains(&name)) {
                    return None;
                }
                if !inner.contains("include.") {
                    continue;
                }
                format!("{{% {} %}}", with_literals(inner, parameters))
            }
            _ => continue,
        };
        splice.put(token.range, &put);
        if splice.written().len() > most {
            return None;
        }
    }
    Some(splice.finish().0)
}

/// An output of a parameter: its value, or for other filters the expression with literals.
fn output(expression: &str, parameters: &[(String, String)]) -> String {
    let mut filters = expression.split('|').map(str::trim);
    let key = filters
        .next()
        .and_then(|operand| operand.strip_prefix("include."));
    match key {
        Some(key) if filters.all(|filter| FILTERS.contains(&filter)) => {
            value(key, parameters).unwrap_or_default().to_owned()
        }
        _ => format!("{{{{ {} }}}}", with_literals(expression, parameters)),
    }
}

fn value<'p>(key: &str, parameters: &'p [(String, String)]) -> Option<&'p str> {
    parameters
        .iter()
        .find(|(name, _)| name == key)
        .map(|(_, value)| value.as_str())
}

/// An expression with each `include.key` as a literal, or as the variable that the tag names.
fn with_literals(text: &str, parameters: &[(String, String)]) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once("include.") {
        out.push_str(before);
        let end = after
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
            .unwrap_or(after.len());
        let (key, behind) = after.split_at(end);
        match value(key, parameters) {
            None => out.push_str("nil"),
            Some(value) => out.push_str(&literal_of(value)),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A value as a variable or a literal of Liquid.
fn literal_of(value: &str) -> String {
    match variable(value) {
        Some(name) => name.to_owned(),
        None if value.contains('"') => format!("'{}'", value.replace('\'', "")),
        None => format!("\"{value}\""),
    }
}

/// The name in the output of a variable.
fn variable(value: &str) -> Option<&str> {
    let name = value.strip_prefix("{{")?.strip_suffix("}}")?.trim();
    (!name.contains(['{', '}', '%'])).then_some(name)
}

/// The values that a tag gives: one without quotes is the name of a variable, and shown as such.
fn given(text: &str, arguments: &Arguments<'_>) -> Vec<(String, String)> {
    let begin = text.as_ptr() as usize;
    let mut parameters = Vec::new();
    for (key, value) in &arguments.named {
        let at = (value.as_ptr() as usize).wrapping_sub(begin);
        let quoted = at > 0
            && text
                .as_bytes()
                .get(at - 1)
                .is_some_and(|byte| b"\"'".contains(byte));
        let Some(value) = given_value(value, quoted) else {
            continue;
        };
        parameters.push(((*key).to_owned(), value));
    }
    parameters
}

/// A value as it is put into a file; `None`: it has none.
fn given_value(value: &str, quoted: bool) -> Option<String> {
    let is_name = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value
            .chars()
            .all(|c| c.is_alphanumeric() || "._-".contains(c))
        && !matches!(value, "true" | "false" | "nil");
    match value {
        "false" | "nil" if !quoted => None,
        name if is_name && !quoted => Some(format!("{{{{ {name} }}}}")),
        value => Some(value.to_owned()),
    }
}
