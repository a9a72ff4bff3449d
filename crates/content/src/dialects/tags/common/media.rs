//! Videos, audio and frames.

use crate::dialects::tags::{Call, Piece};

/// A video, audio or frame tag; the case of its name is ignored.
pub fn embed(call: &Call<'_>) -> Option<Piece> {
    let arguments = &call.arguments;
    let id = arguments
        .named(&["id", "videoid", "video", "url", "src", "file", "mp4"])
        .or(arguments.first())?
        .trim();
    let (element, address, words) = match call.name.to_ascii_lowercase().as_str() {
        "youtube" | "youtubelite" | "youtube-lite" | "yt" | "youtubeembed" | "youtube_embed" => {
            ("iframe", youtube(id)?, "Video on YouTube")
        }
        "vimeo" => (
            "iframe",
            at("https://player.vimeo.com/video/", id),
            "Video on Vimeo",
        ),
        "video" | "audio" if id.contains("youtube.com/") || id.contains("youtu.be/") => {
            ("iframe", youtube(id)?, "Video on YouTube")
        }
        "video" => ("video", id.to_owned(), "Video"),
        "audio" => ("audio", id.to_owned(), "Audio"),
        "iframe" if id.starts_with("http") => ("iframe", id.to_owned(), ""),
        _ => return None,
    };
    let title = arguments
        .named(&["title", "caption", "alt", "label"])
        .unwrap_or(words);
    Some(Piece::Embed {
        element,
        address,
        title: title.to_owned(),
    })
}

/// The address of a YouTube video, from its id or any of its addresses.
fn youtube(id: &str) -> Option<String> {
    let (_, id) = id.rsplit_once("v=").unwrap_or(("", id));
    let is_address = id.contains("//");
    let mut id = before_query(id);
    if is_address {
        (_, id) = id.rsplit_once('/').unwrap_or(("", id));
    }
    let valid = !id.is_empty()
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    valid.then(|| format!("https://www.youtube-nocookie.com/embed/{id}"))
}

fn before_query(address: &str) -> &str {
    let end = address.find(['?', '#', '&']).unwrap_or(address.len());
    &address[..end]
}

/// An address built from an id, unless the id is already an address.
pub fn at(prefix: &str, id: &str) -> String {
    if id.starts_with("http") {
        id.to_owned()
    } else {
        format!("{prefix}{id}")
    }
}
