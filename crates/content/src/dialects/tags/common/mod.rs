//! Template tags that several kinds share under the same names.
//!
//! `callouts` handles callouts and foldable blocks, `words` inline text, `links` links, `media`
//! videos and audio. This module handles pure containers: tabs, cards, columns.

mod callouts;
pub mod fields;
mod links;
mod media;
mod other;
mod words;

use super::callout::is_details;
use super::rule::is_among;
use super::{Call, Form, Piece, Rule, apply};

/// The replacement of a tag in any kind of folder. The modules are tried in turn.
pub fn replace(call: &Call<'_>) -> Option<Piece> {
    if call.form == Form::Output {
        return None;
    }
    if let Some(name) = call.ended() {
        return end(call, name);
    }
    let steps = [
        callouts::details,
        callouts::callout,
        by_name,
        media::embed,
        links::component,
        other::other,
    ];
    steps.into_iter().find_map(|step| step(call))
}

fn by_name(call: &Call<'_>) -> Option<Piece> {
    [words::RULES, fields::RULES, PARTS, links::RULES]
        .into_iter()
        .find_map(|rules| apply(rules, call))
}

/// A closing tag; one without a partner is removed.
fn end(call: &Call<'_>, name: &str) -> Option<Piece> {
    if !call.paired || is_among(links::BUTTONS, name) {
        return Some(Piece::Nothing);
    }
    if callouts::kind(name).is_some() || is_details(name) {
        return Some(Piece::Close);
    }
    is_container(name).then_some(Piece::Break)
}

/// Whether a tag shows what it holds.
fn is_container(name: &str) -> bool {
    is_among(CONTAINERS, name) || fields::COMPONENTS.contains(&name)
}

/// Items of a container.
const PARTS: &[Rule] = &[
    (
        &[
            "tab",
            "tabitem",
            "codetab",
            "tab-item",
            "step",
            "columns-item",
        ],
        tab,
    ),
    (
        &[
            "card",
            "feature",
            "blocks/feature",
            "feature-card",
            "hextra/feature-card",
        ],
        card,
    ),
    (CONTAINERS, |_| Some(Piece::Break)),
];

/// Tags that show only their content.
const CONTAINERS: &[&str] = &[
    "tabs",
    "tab",
    "tabitem",
    "tabpane",
    "codetabs",
    "codetab",
    "tabgroup",
    "tabpanel",
    "steps",
    "step",
    "columns",
    "column",
    "cards",
    "cardpane",
    "cardgrid",
    "card-grid",
    "cardgroup",
    "linkcards",
    "filetree",
    "filetree/container",
    "filetree/folder",
    "buttons",
    "section",
    "accordions",
    "accordiongroup",
    "accordion-group",
    "codegroup",
    "code-group",
    "grid",
    "row",
    "col",
    "blocks/section",
    "blocks/lead",
    "blocks/cover",
    "frame",
    "center",
    "lead",
    "wrapper",
    "div",
    "figure-group",
    "gallery",
    "picture",
    "pageinfo-group",
];

/// `{{< tab "Title" >}}`
fn tab(call: &Call<'_>) -> Option<Piece> {
    let title = call
        .arguments
        .named(&["title", "name", "label", "header", "value"])
        .or(call.arguments.first());
    Piece::titled(title.unwrap_or_default())
}

/// A card without a link and with content; any other card is a link.
fn card(call: &Call<'_>) -> Option<Piece> {
    let leads = call
        .arguments
        .named(&["href", "url", "link", "to"])
        .is_some();
    if leads || call.name == "card" && !call.paired {
        return None;
    }
    let title = call
        .arguments
        .named(&["title", "header", "heading"])
        .unwrap_or_default();
    match call.arguments.named(&["subtitle"]) {
        Some(more) if !call.paired && !title.is_empty() => {
            Piece::titled(&format!("{title}: {more}"))
        }
        _ => Piece::titled(title),
    }
}

/// Whether a tag is a card, which may have a title and a text.
pub fn is_card(name: &str) -> bool {
    name.ends_with("card") || name.ends_with("feature")
}

/// Known JSX components, in lower case.
pub fn is_component(name: &str) -> bool {
    const MORE: [&str; 9] = [
        "youtube",
        "youtubeembed",
        "vimeo",
        "video",
        "audio",
        "gist",
        "tweet",
        "panel",
        "infobox",
    ];
    is_container(name) || is_among(links::BUTTONS, name) || MORE.contains(&name)
}
