//! An Eleventy site: Nunjucks and Liquid, with `{% image %}` tags and `url` filters.

use crate::dialects::config::Keys;
use crate::dialects::dialect::{COMMON, Dialect};
use crate::dialects::markup::address;
use crate::dialects::tags::{Arguments, Call, Piece};
use crate::model::date;
use crate::model::text::plain;

pub(super) static DIALECT: Dialect = Dialect {
    name: "eleventy",
    recognise: |evidence| {
        evidence
            .begins("eleventy.config.")
            .or_else(|| evidence.begins(".eleventy.js"))
    },
    roots: &["src", "content"],
    outputs: &["_site"],
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
        ],
        weaker: &["eleventy.config.*", ".eleventy.js"],
        author: &["author"],
        address: &["url"],
        content: &["dir.input"],
        ..Keys::NONE
    },
    addresses: Some("/:path/"),
    spell: undated,
    same_name_is_index: true,
    tags: &[(
        &["image", "img", "figure", "picture", "image_*"],
        Piece::picture,
    )],
    output,
    ..COMMON
};

/// A part of a path without its date.
fn undated(part: &str) -> String {
    match date::in_name(part) {
        Some((_, rest)) if !rest.is_empty() => rest.to_owned(),
        _ => part.to_owned(),
    }
}

/// Filters after which an address is still the same address.
const ADDRESS_FILTERS: [&str; 5] = ["url", "relative_url", "absolute_url", "relURL", "absURL"];
/// Filters that change nothing that a reader sees.
const TEXT_FILTERS: [&str; 8] = [
    "safe",
    "escape",
    "strip_html",
    "strip",
    "markdownify",
    "smartify",
    "trim",
    "xml_escape",
];
/// Names of the base path, which all pages share.
const BASES: [&str; 6] = [
    "site.baseurl",
    "site.url",
    "site.base_url",
    "baseurl",
    "base_url",
    "site.github.url",
];

/// `{{ "literal" | url }}`, `{{ key }}`, `{{ page.key | strip_html }}`, `{{ site.baseurl }}`.
fn output(call: &Call<'_>) -> Option<Piece> {
    let (operand, filters) = divide(call.text.trim())?;
    let names = filter_names(filters);
    if let (Operand::Literal(url), ["embed"]) = (&operand, &names[..]) {
        return embed(url, filters);
    }
    let mut is_address = false;
    for name in names {
        if ADDRESS_FILTERS.contains(&name) {
            is_address = true;
        } else if !TEXT_FILTERS.contains(&name) {
            return None;
        }
    }
    match operand {
        Operand::Literal(text) if text.contains(['{', '}']) => Some(Piece::Code(text.to_owned())),
        Operand::Literal(text) if is_address => Some(Piece::Text(address(text))),
        Operand::Literal(text) => Some(Piece::Text(text.to_owned())),
        Operand::Name(name) if BASES.contains(&name) => Some(Piece::Nothing),
        Operand::Name(name) => {
            let key = name
                .strip_prefix("page.")
                .or_else(|| name.strip_prefix("frontmatter."))
                .unwrap_or(name);
            let text = call.front.text(&[key])?;
            Some(Piece::Text(if is_address || text.starts_with('/') {
                address(text)
            } else {
                plain(text)
            }))
        }
    }
}

/// The names in `| one | two: argument | three(argument)`.
fn filter_names(filters: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for filter in filters.split('|') {
        let end = filter.find([':', '(']).unwrap_or(filter.len());
        let name = filter[..end].trim();
        if !name.is_empty() {
            names.push(name);
        }
    }
    names
}

/// `{{ "https://…" | embed: "Title" }}`: a film or another page, rendered as a link to it.
fn embed(url: &str, filters: &str) -> Option<Piece> {
    if !url.starts_with("http") {
        return None;
    }
    let (_, arguments) = filters.split_once(':').unwrap_or_default();
    Piece::link(url, Arguments::of(arguments).first().unwrap_or(url))
}

/// The beginning of an expression.
enum Operand<'a> {
    Literal(&'a str),
    Name(&'a str),
}

/// The first operand of an expression and its filters; `None` if it contains anything else.
fn divide(expression: &str) -> Option<(Operand<'_>, &str)> {
    let (operand, rest) = match expression.chars().next()? {
        quote @ ('"' | '\'') => {
            let (literal, rest) = expression[1..].split_once(quote)?;
            (Operand::Literal(literal), rest)
        }
        _ => {
            let end = expression.find('|').unwrap_or(expression.len());
            let (name, rest) = expression.split_at(end);
            let name = name.trim();
            if name.is_empty()
                || !name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
            {
                return None;
            }
            (Operand::Name(name), rest)
        }
    };
    let rest = rest.trim();
    (rest.is_empty() || rest.starts_with('|')).then_some((operand, rest))
}
