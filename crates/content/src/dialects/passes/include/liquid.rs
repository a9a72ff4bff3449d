//! Includes that are template tags: `{% include %}` of Liquid and Nunjucks. `shortcodes` handles
//! those of Hugo's themes and of Quarto.

use super::finder::Finder;
use super::part::Part;
use super::paths::{below, resolve, with_endings};
use super::shortcodes::shortcode;
use super::site::{Shape, Want};
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::{Arguments, Form, Inner, Pairs, parts, tokens};
use crate::model::bounds;
use crate::syntax::markdown::literal::literals;

/// Inside `{% raw %}`, `{% comment %}` and the like there are no includes.
pub fn find(finder: &mut Finder<'_>) {
    let text = finder.text;
    if !text.contains("{%") && !text.contains("{{<") && !text.contains("{{%") {
        return;
    }
    let tokens = tokens(text, finder.literals, finder.page.kind.percent_comments);
    let pairs = Pairs::of(&tokens);
    let mut at = 0;
    while at < tokens.len() && !bounds::is_over() {
        if let Some(end) = pairs.end_of_literal(&tokens, at) {
            at = end + 1;
            continue;
        }
        let token = &tokens[at];
        let want = match parts(token) {
            Some((Form::Shortcode, name, text)) => shortcode(name, &Arguments::of(text), finder),
            Some((_, name, text)) => include(name, &Arguments::of(text), finder.path),
            None => None,
        };
        if let Some(want) = want {
            finder.ask(token.range.clone(), want);
        }
        at += 1;
    }
}

/// `{% include x.html key="value" %}`, `{% include_relative x.md %}`,
/// `{% include-markdown "x.md" start="…" %}`, `{% render "x" %}`.
fn include(name: &str, arguments: &Arguments<'_>, path: &str) -> Option<Want> {
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
    let mut paths = Vec::new();
    if !relative {
        for file in with_endings(written, &ENDINGS) {
            paths.extend(below(&FOLDERS, &file));
        }
    }
    paths.extend(resolve(path, written));
    let part = match (mark(arguments, "start"), mark(arguments, "end")) {
        (None, None) => Part::Whole,
        (start, end) => Part::Between(start, end),
    };
    let parameters = arguments
        .named
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    Some(Want {
        part,
        shape: Shape::Template,
        parameters,
        lenient: !relative,
        ..Want::new(written, paths)
    })
}

/// The text at which a part begins or ends.
fn mark(arguments: &Arguments<'_>, key: &str) -> Option<String> {
    Some(arguments.named(&[key])?.replace("\\n", "\n"))
}

/// Tags that are template logic.
const LOGIC: [&str; 17] = [
    "if",
    "unless",
    "for",
    "case",
    "when",
    "assign",
    "capture",
    "liquid",
    "cycle",
    "tablerow",
    "set",
    "macro",
    "block",
    "extends",
    "import",
    "from",
    "increment",
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

/// A template with its parameters filled in, if the result has at most this many bytes; `None`: it
/// contains logic.
pub fn filled(text: &str, parameters: &[(String, String)], most: usize) -> Option<String> {
    if !text.contains("{{") && !text.contains("{%") {
        return Some(text.to_owned());
    }
    let mut splice = Splice::new(text);
    for token in tokens(text, &literals(text), false) {
        if let Some((Form::Tag, name, _)) = parts(&token)
            && LOGIC.contains(&name)
        {
            return None;
        }
        let Inner::Output(expression) = token.inner else {
            continue;
        };
        let mut filters = expression.split('|').map(str::trim);
        let Some(key) = filters
            .next()
            .and_then(|operand| operand.strip_prefix("include."))
        else {
            continue;
        };
        if !filters.all(|filter| FILTERS.contains(&filter)) {
            return None;
        }
        let value = parameters.iter().find(|(name, _)| name == key);
        splice.put(token.range, value.map_or("", |(_, value)| value));
        if splice.written().len() > most {
            return None;
        }
    }
    Some(splice.finish().0)
}
