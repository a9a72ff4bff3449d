//! Tags that become links: buttons, cards, gists, posts, pages in a frame.

use super::media::at;
use crate::dialects::tags::{Call, Piece, Rule};

/// Tags that become a single link.
pub const BUTTONS: &[&str] = &[
    "button",
    "btn",
    "card",
    "linkbutton",
    "link-card",
    "linkcard",
    "feature",
    "blocks/feature",
    "feature-card",
    "hextra/*-button",
    "hextra/*-card",
];

pub const RULES: &[Rule] = &[
    (BUTTONS, button),
    (&["gist"], gist),
    (&["tweet", "twitter", "x"], message),
    (&["instagram"], |call| {
        Piece::link(
            at("https://www.instagram.com/p/", call.arguments.first()?),
            "Post on Instagram",
        )
    }),
    (
        &[
            "codepen",
            "codesandbox",
            "stackblitz",
            "jsfiddle",
            "github",
            "embed",
            "linkpreview",
            "bookmark",
        ],
        page,
    ),
];

fn button(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let address = arguments
        .named(&["href", "url", "link", "relref", "ref", "to"])
        .or(arguments.first())?;
    let title = arguments
        .named(&["text", "title", "label", "name", "content"])
        .or(arguments.second());
    let link = Piece::link(address, title.unwrap_or(address))?;
    let mut keys = vec!["subtitle", "description"];
    if call.name.ends_with("card") {
        keys.extend(["content", "tag", "badge"]);
    }
    let words = keys.iter().filter_map(|key| arguments.named(&[key]));
    let words =
        words.filter(|words| !words.trim().is_empty() && title.is_some_and(|own| own != *words));
    let words: Vec<Piece> = words.filter_map(Piece::words).collect();
    Some(match words.is_empty() {
        true => link,
        false => Piece::Several([vec![link], words].concat()),
    })
}

/// `{% gist user/id %}`, `{{< gist user id >}}`
fn gist(call: &Call<'_>) -> Option<Piece> {
    let first = call.arguments.first()?;
    let place = match call.arguments.second() {
        Some(id) if !id.contains('.') => format!("{first}/{id}"),
        _ => first.to_owned(),
    };
    Piece::link(at("https://gist.github.com/", &place), "Gist")
}

/// `{{< x user="name" id="1" >}}`, `{{< tweet name 1 >}}`
fn message(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let (first, second) = (arguments.first(), arguments.second());
    let id = arguments.named(&["id"]).or(second).or(first)?;
    let before_id = if second.is_some() { first } else { None };
    let user = arguments.named(&["user"]).or(before_id).unwrap_or("i");
    Piece::link(
        at(&format!("https://x.com/{user}/status/"), id),
        "Post on X",
    )
}

/// Another page in a frame.
fn page(call: &Call<'_>) -> Option<Piece> {
    let address = call
        .arguments
        .named(&["url", "src", "href"])
        .or(call.arguments.first())?;
    if !address.starts_with("http") {
        return None;
    }
    Piece::link(address, call.arguments.named(&["title"]).unwrap_or(address))
}

/// A component that shows one picture or a few words.
pub fn component(call: &Call<'_>) -> Option<Piece> {
    match call.name {
        "Badge" => Piece::words(
            call.arguments
                .named(&["title", "label", "heading", "header", "name", "text"])?,
        ),
        "Image" | "Img" | "Figure" | "Picture" | "Screenshot" | "ThemedImage" | "ZoomImage" => {
            Piece::picture(call)
        }
        _ => None,
    }
}
