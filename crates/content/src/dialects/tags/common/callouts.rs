//! Callouts with a kind and a title, and foldable blocks: `{% note "Title" %}`,
//! `{{< alert type="warning" >}}`, `{{< details "Title" open >}}`.

use crate::dialects::tags::callout::{is_details, mark};
use crate::dialects::tags::{Call, Piece};
use crate::model::document::callout_kind;

/// A foldable block.
pub fn details(call: &Call<'_>) -> Option<Piece> {
    if !is_details(call.name) {
        return None;
    }
    let arguments = &call.arguments;
    let mut words = arguments.positional.as_slice();
    let mut open = matches!(arguments.named(&["open"]), Some("true" | "open"));
    if let [before @ .., "open"] = words
        && !before.is_empty()
    {
        words = before;
        open = true;
    }
    // In quotes the first argument is the title and the second a flag.
    if call.text.trim_start().starts_with(['"', '\'', '`']) {
        words = &words[..words.len().min(1)];
    }
    let title = match arguments.named(&["summary", "title", "header", "label"]) {
        Some(title) => title.to_owned(),
        None => words.join(" "),
    };
    if call.paired {
        Piece::open("details", &title, Some(open))
    } else {
        Some(Piece::Label(title))
    }
}

/// A callout, with its text between two tags or in an argument.
pub fn callout(call: &Call<'_>) -> Option<Piece> {
    let own = kind(call.name)?;
    let arguments = &call.arguments;
    let mut words = arguments.positional.clone();
    words.retain(|word| !word.is_empty());
    let mut said = arguments
        .named(&[
            "type", "style", "kind", "level", "status", "color", "context", "class",
        ])
        .and_then(kind_of);
    if said.is_none()
        && let [first, ..] = words[..]
    {
        said = kind_of(first);
        if said.is_some() {
            words.remove(0);
        }
    }
    let kind = said.unwrap_or(own);
    let title = match arguments.named(&["title", "header", "heading"]) {
        Some(title) => title.to_owned(),
        None if kind == "quote" && words.is_empty() => source(call),
        None => words.join(" "),
    };
    if call.paired {
        return Piece::open(kind, &title, None);
    }
    let text = arguments
        .named(&["content", "text", "message", "body"])
        .map_or(title, str::to_owned);
    Some(if text.is_empty() {
        Piece::Nothing
    } else {
        Piece::Whole {
            mark: mark(kind, "", None),
            text,
        }
    })
}

/// Who said a quotation, and where.
fn source(call: &Call<'_>) -> String {
    let keys: [&[&str]; 2] = [&["author", "by"], &["source", "cite"]];
    let parts = keys.iter().filter_map(|keys| call.arguments.named(keys));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// The kind of callout in a tag's name. Some words that are kinds elsewhere are other tags here.
pub fn kind(name: &str) -> Option<&'static str> {
    match name {
        "cite" | "summary" | "check" | "help" | "default" | "primary" | "secondary" | "fail"
        | "example" => None,
        "panel" | "infobox" | "pageinfo" => Some("note"),
        _ => callout_kind(name),
    }
}

/// The kind of callout in an argument.
fn kind_of(word: &str) -> Option<&'static str> {
    if word == "hint" {
        Some("tip")
    } else {
        callout_kind(word)
    }
}
