//! Tags that become inline text, and tags that show nothing.

use crate::dialects::tags::{Call, Piece, Rule};

pub const RULES: &[Rule] = &[
    (
        &[
            "icon", "fa", "toc", "rawhtml", "raw-html", "html", "clear", "clearfix", "endraw",
            "more",
        ],
        |_| Some(Piece::Nothing),
    ),
    (
        &[
            "badge", "kbd", "term", "label", "pill", "tooltip", "abbr", "mark",
        ],
        |call| Piece::words(first(call).unwrap_or_default()),
    ),
    (&["glossary_tooltip", "glossary", "glossary-tooltip"], term),
    (&["heading"], heading),
    (&["filetree/file", "filetree/folder"], |call| {
        Some(Piece::Code(first(call).unwrap_or_default().to_owned()))
    }),
    (&["pdf"], |call| document(call, "PDF")),
    (&["asciinema"], |call| {
        document(call, "Recording of a terminal")
    }),
    (&["swaggerui", "swagger", "redoc", "openapi"], |call| {
        document(call, "API description")
    }),
];

/// The words of a tag.
fn first<'a>(call: &Call<'a>) -> Option<&'a str> {
    call.arguments
        .named(&["content", "text", "name", "title", "label"])
        .or(call.arguments.first())
}

/// `{{< glossary_tooltip text="a pod" term_id="pod" >}}`
fn term(call: &Call<'_>) -> Option<Piece> {
    if let Some(text) = call.arguments.named(&["text", "term", "prepend"]) {
        return Piece::words(text);
    }
    let id = call
        .arguments
        .named(&["term_id", "id"])
        .or(call.arguments.first())
        .unwrap_or_default();
    Piece::words(&id.replace(['-', '_'], " "))
}

/// `## {{% heading "whatsnext" %}}`
fn heading(call: &Call<'_>) -> Option<Piece> {
    let words = match first(call)? {
        "whatsnext" => "What’s next",
        "prerequisites" => "Before you begin",
        "cleanup" => "Clean up",
        "seealso" => "See also",
        other => other,
    };
    let mut letters = words.chars();
    let Some(initial) = letters.next() else {
        return Piece::words("");
    };
    Piece::words(&format!("{}{}", initial.to_uppercase(), letters.as_str()))
}

/// A file that a tag shows in a viewer becomes a link.
fn document(call: &Call<'_>, words: &str) -> Option<Piece> {
    let address = call
        .arguments
        .named(&["src", "url", "href", "file", "link"])
        .or(call.arguments.first())?;
    Piece::link(
        address,
        call.arguments.named(&["title", "text"]).unwrap_or(words),
    )
}
