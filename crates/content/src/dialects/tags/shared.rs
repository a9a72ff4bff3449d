//! Template tags that several kinds of folder have under the same names: callouts, tabs, parts that open, films, buttons.

use crate::dialects::tags::callout;
use crate::dialects::{Arguments, Call, Form, Piece};
use crate::model::document::callout_kind;

/// What a tag becomes, whoever wrote it.
pub(in crate::dialects) fn replace(call: &Call<'_>) -> Option<Piece> {
    if call.form == Form::Output {
        return None;
    }
    if let Some(name) = closed(call) {
        // An end without a beginning is nobody's.
        return Some(if !call.paired || is_inline(name) {
            Piece::Nothing
        } else if callout(name, &Arguments::default()).is_some() || callout::is_details(name) {
            Piece::Close
        } else {
            known(name).then_some(Piece::Break)?
        });
    }
    let arguments = Arguments::of(call.arguments);
    let name = call.name;
    if callout::is_details(name) {
        let mut words = arguments.positional.clone();
        let flag = words.last() == Some(&"open") && words.len() > 1;
        words.truncate(words.len() - usize::from(flag));
        // In quotes the first is the title, and the second a sign.
        words.truncate(if call.arguments.trim_start().starts_with(['"', '\'', '`']) { 1 } else { words.len() });
        let title = arguments.named(&["summary", "title", "header", "label"]).map_or_else(|| words.join(" "), str::to_owned);
        let open = flag || matches!(arguments.named(&["open"]), Some("true" | "open"));
        return Some(if call.paired { Piece::Open(callout::mark("details", &title, Some(open))) } else { Piece::Label(title) });
    }
    if let Some((kind, title)) = callout(name, &arguments) {
        if call.paired {
            return Some(Piece::Open(callout::mark(kind, &title, None)));
        }
        let text = arguments.named(&["content", "text", "message", "body"]).map_or(title, str::to_owned);
        return Some(if text.is_empty() { Piece::Nothing } else { Piece::Whole { mark: callout::mark(kind, "", None), text } });
    }
    if let Some(piece) = small(name, &arguments) {
        return Some(piece);
    }
    if matches!(name, "tab" | "tabitem" | "codetab" | "tab-item" | "step" | "columns-item") {
        let title = arguments.named(&["title", "name", "label", "header", "value"]).or(arguments.positional.first().copied()).unwrap_or_default();
        return Some(if title.is_empty() { Piece::Break } else { Piece::Label(title.to_owned()) });
    }
    let feature = matches!(name, "feature" | "blocks/feature" | "feature-card" | "hextra/feature-card");
    if (name == "card" && call.paired || feature) && arguments.named(&["href", "url", "link", "to"]).is_none() {
        let title = arguments.named(&["title", "header", "heading"]).unwrap_or_default();
        let more = arguments.named(&["subtitle"]).filter(|_| !call.paired).map_or(String::new(), |more| format!(": {more}"));
        return Some(if title.is_empty() { Piece::Break } else { Piece::Label(format!("{title}{more}")) });
    }
    if known(name) {
        return Some(Piece::Break);
    }
    link(call).or_else(|| embed(name, &arguments)).or_else(|| component(call, &arguments))
}

/// Tags that are a word or two, and those that say nothing.
fn small(name: &str, arguments: &Arguments<'_>) -> Option<Piece> {
    let first = || arguments.named(&["content", "text", "name", "title", "label"]).or(arguments.positional.first().copied());
    let link = |words: &str| {
        let address = arguments.named(&["src", "url", "href", "file", "link"]).or(arguments.positional.first().copied())?;
        Some(Piece::Link { address: address.to_owned(), text: arguments.named(&["title", "text"]).unwrap_or(words).to_owned() })
    };
    match name {
        "icon" | "fa" | "toc" | "rawhtml" | "raw-html" | "html" | "clear" | "clearfix" | "endraw" | "more" => Some(Piece::Nothing),
        "badge" | "kbd" | "term" | "label" | "pill" | "tooltip" | "abbr" | "mark" => {
            Some(Piece::Text(crate::model::text::plain(first().unwrap_or_default())))
        }
        "glossary_tooltip" | "glossary" | "glossary-tooltip" => {
            let named = arguments.named(&["text", "term", "prepend"]).map(str::to_owned);
            let id = || arguments.named(&["term_id", "id"]).or(arguments.positional.first().copied()).unwrap_or_default().replace(['-', '_'], " ");
            Some(Piece::Text(crate::model::text::plain(&named.unwrap_or_else(id))))
        }
        "heading" => {
            let words = match first()? {
                "whatsnext" => "What’s next",
                "prerequisites" => "Before you begin",
                "cleanup" => "Clean up",
                "seealso" => "See also",
                other => other,
            };
            let mut letters = words.chars();
            let begins = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            Some(Piece::Text(crate::model::text::plain(&format!("{begins}{}", letters.as_str()))))
        }
        "filetree/file" | "filetree/folder" => Some(Piece::Code(first().unwrap_or_default().to_owned())),
        "pdf" => link("PDF"),
        "asciinema" => link("Recording of a terminal"),
        "swaggerui" | "swagger" | "redoc" | "openapi" => link("API description"),
        _ => None,
    }
}

/// Components of JSX that are known here, in lower case.
pub(in crate::dialects) fn is_component(name: &str) -> bool {
    known(name)
        || is_inline(name)
        || matches!(name, "youtube" | "youtubeembed" | "vimeo" | "video" | "audio" | "gist" | "tweet" | "panel" | "infobox")
}

/// A component that nobody knows keeps its picture, its link or its title.
fn component(call: &Call<'_>, arguments: &Arguments<'_>) -> Option<Piece> {
    if !call.name.starts_with(|c: char| c.is_ascii_uppercase()) || matches!(call.name, "Tooltip" | "Term" | "Icon" | "Abbr") {
        return None;
    }
    let title = arguments.named(&["title", "label", "heading", "header", "name"]);
    let title = title.or_else(|| arguments.named(&["text"]).filter(|_| call.name == "Badge"));
    if let Some(address) = arguments.named(&["href", "to", "link", "url"]).filter(|address| !address.is_empty()) {
        return Some(Piece::Link { address: address.to_owned(), text: title.unwrap_or(address).to_owned() });
    }
    if matches!(call.name, "Image" | "Img" | "Figure" | "Picture" | "Screenshot" | "ThemedImage" | "ZoomImage") {
        return crate::dialects::image(call.name, arguments);
    }
    match title? {
        title if call.name == "Badge" => Some(Piece::Text(crate::model::text::plain(title))),
        title => Some(Piece::Label(title.to_owned())),
    }
}

/// The name of the tag that this one ends.
fn closed<'a>(call: &Call<'a>) -> Option<&'a str> {
    match call.form {
        Form::Shortcode => call.name.strip_prefix('/').map(str::trim),
        _ => call.name.strip_prefix("end").or_else(|| call.name.strip_prefix('/')).filter(|name| !name.is_empty()),
    }
}

/// Tags that say nothing beyond what is in them.
fn known(name: &str) -> bool {
    const NAMES: [&str; 43] = [
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
    NAMES.contains(&name)
}

fn is_inline(name: &str) -> bool {
    matches!(name, "button" | "btn" | "card" | "linkbutton" | "link-card" | "linkcard" | "feature" | "blocks/feature" | "feature-card")
        || name.starts_with("hextra/") && (name.ends_with("-button") || name.ends_with("-card"))
}

/// The kind and the title of a callout.
fn callout(name: &str, arguments: &Arguments<'_>) -> Option<(&'static str, String)> {
    if matches!(name, "cite" | "summary" | "check" | "help" | "default" | "primary" | "secondary" | "fail" | "example") {
        return None;
    }
    let own = callout_kind(name).or(matches!(name, "panel" | "infobox" | "pageinfo").then_some("note"))?;
    let kind_of = |word: &str| if word == "hint" { Some("tip") } else { callout_kind(word) };
    let named = arguments.named(&["type", "style", "kind", "level", "status", "color", "context", "class"]).and_then(kind_of);
    let mut positional = arguments.positional.iter().copied().filter(|word| !word.is_empty());
    let mut first = positional.next();
    let said = first.and_then(kind_of).filter(|_| named.is_none());
    if said.is_some() {
        first = None;
    }
    let words: Vec<&str> = first.into_iter().chain(positional).collect();
    let title = arguments.named(&["title", "header", "heading"]).map_or_else(|| words.join(" "), str::to_owned);
    Some((named.or(said).unwrap_or(own), title))
}

/// A tag that leads elsewhere: a button, a card, a gist, a message.
fn link(call: &Call<'_>) -> Option<Piece> {
    let arguments = Arguments::of(call.arguments);
    let first = arguments.positional.first().copied();
    let second = arguments.positional.get(1).copied();
    let to = |address: String, text: &str| Some(Piece::Link { address, text: text.to_owned() });
    match call.name {
        name if is_inline(name) => {
            let address = arguments.named(&["href", "url", "link", "relref", "ref", "to"]).or(first)?;
            let title = arguments.named(&["text", "title", "label", "name", "content"]).or(second).unwrap_or(address);
            to(address.to_owned(), title)
        }
        "gist" => {
            let place = match (first?, second) {
                (user, Some(id)) if !id.contains('.') => format!("{user}/{id}"),
                (id, _) => id.to_owned(),
            };
            to(at("https://gist.github.com/", &place), "Gist")
        }
        "tweet" | "twitter" | "x" => {
            let id = arguments.named(&["id"]).or(second).or(first)?;
            let user = arguments.named(&["user"]).or(first.filter(|_| second.is_some())).unwrap_or("i");
            to(at(&format!("https://x.com/{user}/status/"), id), "Post on X")
        }
        "instagram" => to(at("https://www.instagram.com/p/", first?), "Post on Instagram"),
        "codepen" | "codesandbox" | "stackblitz" | "jsfiddle" | "github" | "embed" | "linkpreview" | "bookmark" => {
            let address = arguments.named(&["url", "src", "href"]).or(first).filter(|address| address.starts_with("http"))?;
            to(address.to_owned(), arguments.named(&["title"]).unwrap_or(address))
        }
        _ => None,
    }
}

/// A film or a sound.
pub(in crate::dialects) fn embed(name: &str, arguments: &Arguments<'_>) -> Option<Piece> {
    let lower = name.to_ascii_lowercase();
    let first = arguments.positional.first().copied();
    let id = arguments.named(&["id", "videoid", "video", "url", "src", "file", "mp4"]).or(first)?.trim();
    let title = arguments.named(&["title", "caption", "alt", "label"]).map(str::to_owned);
    let (element, address, words) = match lower.as_str() {
        "youtube" | "youtubelite" | "youtube-lite" | "yt" | "youtubeembed" | "youtube_embed" => ("iframe", youtube(id)?, "Video on YouTube"),
        "vimeo" => ("iframe", at("https://player.vimeo.com/video/", id), "Video on Vimeo"),
        "video" | "audio" if id.contains("youtube.com/") || id.contains("youtu.be/") => ("iframe", youtube(id)?, "Video on YouTube"),
        "video" => ("video", id.to_owned(), "Video"),
        "audio" => ("audio", id.to_owned(), "Audio"),
        "iframe" if id.starts_with("http") => ("iframe", id.to_owned(), ""),
        _ => return None,
    };
    Some(Piece::Embed { element, address, title: title.unwrap_or_else(|| words.to_owned()) })
}

/// The address of a film at YouTube by its id or any address of it.
fn youtube(id: &str) -> Option<String> {
    let id = id.rsplit_once("v=").map_or(id, |(_, id)| id);
    let id = if id.contains("//") { id.split(['?', '#', '&']).next().unwrap_or(id).rsplit('/').next().unwrap_or(id) } else { id };
    let id = id.split(['?', '#', '&']).next().unwrap_or(id);
    let valid = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    valid.then(|| format!("https://www.youtube-nocookie.com/embed/{id}"))
}

/// A place by its id, unless it is an address already.
fn at(prefix: &str, id: &str) -> String {
    if id.starts_with("http") { id.to_owned() } else { format!("{prefix}{id}") }
}
