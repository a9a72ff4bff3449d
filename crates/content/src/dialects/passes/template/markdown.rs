//! Markdown output of a tag.

use super::html;
use crate::dialects::markup::{address, code_span, label};
use crate::dialects::tags::Piece;
use crate::dialects::tags::callout;
use crate::model::text::one_line;

/// The fence around a tag's callout, until it is rewritten. It is longer than an author's own,
/// because it may contain those.
const OPEN: &str = "::::::: ";
pub const CLOSE: &str = ":::::::";

/// The Markdown of a tag.
pub enum Written {
    Inline(String),
    /// One or two lines of their own; the second may be empty.
    Block(String, String),
}

pub fn markdown(piece: &Piece) -> Written {
    let line = match piece {
        Piece::Nothing => return Written::Inline(String::new()),
        Piece::Several(pieces) => return Written::Inline(on_one_line(pieces)),
        Piece::Text(text) => return Written::Inline(text.clone()),
        Piece::Code(text) => return Written::Inline(code_span(text)),
        Piece::Image {
            source,
            alt,
            caption,
        } => return Written::Inline(image(source, alt, caption.as_deref())),
        Piece::Link { address: to, text } => {
            return Written::Inline(format!("[{}]({})", label(text), address(to)));
        }
        Piece::Whole { mark, text } => {
            return Written::Block(format!("> {mark}"), format!("> {}", one_line(text)));
        }
        Piece::Embed {
            element,
            address,
            title,
        } => html::embed(element, address, title),
        Piece::Open(mark) => format!("{OPEN}{mark}"),
        Piece::Close => CLOSE.to_owned(),
        Piece::Label(title) if !title.trim().is_empty() => callout::label(&label(title)),
        Piece::Label(_) | Piece::Break => String::new(),
    };
    Written::Block(line, String::new())
}

fn image(source: &str, alt: &str, caption: Option<&str>) -> String {
    let title = match caption {
        Some(caption) if caption != alt => format!(" \"{}\"", caption.replace('"', "\\\"")),
        _ => String::new(),
    };
    format!("![{}]({}{title})", label(alt), address(source))
}

/// Several pieces inside a line of the author.
pub fn on_one_line(pieces: &[Piece]) -> String {
    let inline = pieces.iter().map(|piece| match piece {
        Piece::Label(title) => label(title),
        _ => alone(piece),
    });
    inline.collect::<Vec<_>>().join(" ")
}

/// The first line of a piece.
pub fn alone(piece: &Piece) -> String {
    match markdown(piece) {
        Written::Inline(line) | Written::Block(line, _) => one_line(&line),
    }
}
