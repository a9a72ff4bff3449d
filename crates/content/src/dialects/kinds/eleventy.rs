//! An Eleventy site: Nunjucks and Liquid, with `{% image %}` tags and `url` filters.

use crate::dialects::config::Keys;
use crate::dialects::{Arguments, COMMON, Call, Dialect, Form, Piece, address, image};
use crate::syntax::front::Front;

pub(super) static DIALECT: Dialect = Dialect {
    name: "eleventy",
    recognise: |evidence| evidence.begins("eleventy.config.").or_else(|| evidence.begins(".eleventy.js")),
    roots: &["src", "content"],
    outputs: &["_site"],
    replace,
    keys: Keys {
        files: &[
            "_data/metadata.json",
            "_data/site.json",
            "src/_data/metadata.json",
            "src/_data/site.json",
            "_data/metadata.js",
            "_data/site.js",
            "src/_data/metadata.js",
            "src/_data/site.js",
            "eleventy.config.*",
            ".eleventy.js",
        ],
        author: &["author"],
        address: &["url"],
        content: &["dir.input"],
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    ..COMMON
};

/// Filters that leave an address an address.
const ADDRESS_FILTERS: [&str; 5] = ["url", "relative_url", "absolute_url", "relURL", "absURL"];
/// Filters that leave a text as it is, as far as a reader sees.
const TEXT_FILTERS: [&str; 8] = ["safe", "escape", "strip_html", "strip", "markdownify", "smartify", "trim", "xml_escape"];

fn replace(call: &Call<'_>, front: &Front) -> Option<Piece> {
    match call.form {
        Form::Tag if matches!(call.name, "image" | "img" | "figure" | "picture") || call.name.starts_with("image_") => {
            image(call.name, &Arguments::of(call.arguments))
        }
        Form::Output => output(call.arguments, front),
        _ => None,
    }
}

/// `{{ "literal" | url }}`, `{{ key }}`, `{{ page.key | strip_html }}`, `{{ site.baseurl }}`.
fn output(expression: &str, front: &Front) -> Option<Piece> {
    let (value, filters) = divide(expression)?;
    let names: Vec<&str> =
        filters.split('|').map(|filter| filter.split([':', '(']).next().unwrap_or_default().trim()).filter(|name| !name.is_empty()).collect();
    let is_address = names.iter().any(|name| ADDRESS_FILTERS.contains(name));
    let known = names.iter().all(|name| ADDRESS_FILTERS.contains(name) || TEXT_FILTERS.contains(name));
    match value {
        Operand::Literal(text) if names == ["embed"] => embed(text, filters),
        _ if !known => None,
        Operand::Literal(text) if text.contains(['{', '}']) => Some(Piece::Code(text.to_owned())),
        Operand::Literal(text) if is_address => Some(Piece::Text(address(text))),
        Operand::Literal(text) => Some(Piece::Text(text.to_owned())),
        Operand::Name("site.baseurl" | "site.url" | "site.base_url" | "baseurl" | "base_url" | "site.github.url") => Some(Piece::Nothing),
        Operand::Name(name) => {
            let key = name.strip_prefix("page.").or_else(|| name.strip_prefix("frontmatter.")).unwrap_or(name);
            let text = front.text(&[key])?;
            let text = if is_address || text.starts_with('/') { address(text) } else { crate::model::text::plain(text) };
            Some(Piece::Text(text))
        }
    }
}

/// `{{ "https://…" | embed: "Title" }}`: a film or another page, shown as a link to it.
fn embed(url: &str, filters: &str) -> Option<Piece> {
    let arguments = Arguments::of(filters.split_once(':').map_or("", |(_, arguments)| arguments));
    let text = arguments.positional.first().copied().unwrap_or(url);
    url.starts_with("http").then(|| Piece::Link { address: url.to_owned(), text: text.to_owned() })
}

/// What an expression begins with.
enum Operand<'a> {
    Literal(&'a str),
    Name(&'a str),
}

/// An expression's first operand and its filters; `None` when it is more than that.
fn divide(expression: &str) -> Option<(Operand<'_>, &str)> {
    let expression = expression.trim();
    let quote = expression.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let (operand, rest) = match quote {
        Some(quote) => {
            let end = expression[1..].find(quote)? + 1;
            (Operand::Literal(&expression[1..end]), &expression[end + 1..])
        }
        None => {
            let (name, _) = expression.split_once('|').unwrap_or((expression, ""));
            let simple = !name.trim().is_empty() && name.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
            (simple.then(|| Operand::Name(name.trim()))?, &expression[name.len()..])
        }
    };
    let rest = rest.trim();
    (rest.is_empty() || rest.starts_with('|')).then_some((operand, rest))
}
