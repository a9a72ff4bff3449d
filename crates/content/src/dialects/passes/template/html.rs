//! HTML output of a tag.

use crate::dialects::markup::address;
use crate::dialects::tags::Piece;

pub fn html(piece: &Piece) -> String {
    match piece {
        Piece::Nothing | Piece::Break => String::new(),
        Piece::Several(pieces) => {
            let pieces: Vec<String> = pieces.iter().map(html).collect();
            pieces.join(" ")
        }
        Piece::Text(text) => escape(text),
        Piece::Code(text) => format!("<code>{}</code>", escape(text)),
        Piece::Image {
            source,
            alt,
            caption,
        } => {
            let caption = match caption {
                Some(caption) => format!(" {}", escape(caption)),
                None => String::new(),
            };
            format!(
                "<img src=\"{}\" alt=\"{}\">{caption}",
                escape(&address(source)),
                escape(alt)
            )
        }
        Piece::Link { address: to, text } => {
            format!("<a href=\"{}\">{}</a>", escape(&address(to)), escape(text))
        }
        Piece::Open(mark) => opened(mark),
        Piece::Close => "</div>".to_owned(),
        Piece::Whole { mark, text } => format!("{}<p>{}</p></div>", opened(mark), escape(text)),
        Piece::Label(text) => format!("<p><strong>{}</strong></p>", escape(text)),
        Piece::Embed {
            element,
            address,
            title,
        } => embed(element, address, title),
    }
}

/// Content of another site, by its element.
pub fn embed(element: &str, source: &str, title: &str) -> String {
    format!(
        "<{element} src=\"{}\" title=\"{}\"></{element}>",
        escape(&address(source)),
        escape(title)
    )
}

/// The beginning of a callout, by its marker.
fn opened(mark: &str) -> String {
    let (kind, title) = mark
        .trim_start_matches("[!")
        .split_once(']')
        .unwrap_or((mark, ""));
    let title = title.trim_start_matches(['-', '+']).trim();
    let title = if title.is_empty() {
        String::new()
    } else {
        format!("<p class=\"callout-title\">{}</p>", escape(title))
    };
    format!("<div class=\"callout callout-{}\">{title}", escape(kind))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
