//! The possible replacements of a template tag.

use super::arguments::Arguments;
use super::call::Call;
use super::callout;
use crate::model::text::plain;

/// The replacement of a template tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The author's text: a title, a part of an address.
    Text(String),
    /// A literal that contains braces.
    Code(String),
    /// A picture.
    Image {
        source: String,
        alt: String,
        caption: Option<String>,
    },
    /// A link.
    Link { address: String, text: String },
    /// The beginning of a callout, by its marker.
    Open(String),
    /// The end of a callout.
    Close,
    /// A complete callout.
    Whole { mark: String, text: String },
    /// A title in bold on lines of its own.
    Label(String),
    /// A video, audio or frame, by its element.
    Embed {
        element: &'static str,
        address: String,
        title: String,
    },
    /// Several of these, each in a block of its own or on one line.
    Several(Vec<Self>),
    /// The border of a block without a title.
    Break,
    /// Empty, and not reported as missing.
    Nothing,
}

impl Piece {
    /// Plain words.
    pub fn words(text: &str) -> Option<Self> {
        Some(Self::Text(plain(text)))
    }

    /// A link.
    pub fn link(address: impl Into<String>, text: &str) -> Option<Self> {
        Some(Self::Link {
            address: address.into(),
            text: text.to_owned(),
        })
    }

    /// The beginning of a callout.
    pub fn open(kind: &str, title: &str, fold: Option<bool>) -> Option<Self> {
        Some(Self::Open(callout::mark(kind, title, fold)))
    }

    /// A title in bold; without one the border of a block.
    pub fn titled(title: &str) -> Option<Self> {
        Some(if title.is_empty() {
            Self::Break
        } else {
            Self::Label(title.to_owned())
        })
    }

    /// The picture of a tag.
    pub fn picture(call: &Call<'_>) -> Option<Self> {
        Self::image(call.name, &call.arguments)
    }

    /// A picture from arguments in any form: `"src" "alt"`, `src="…" alt="…"`, or with a class
    /// between the two.
    pub fn image(name: &str, arguments: &Arguments<'_>) -> Option<Self> {
        let mut source =
            arguments.named(&["src", "path", "url", "image_path", "image", "file", "link"]);
        let mut alt = arguments.named(&["alt", "image_alt"]);
        if source.is_none() {
            let words = &arguments.positional;
            let at = words.iter().position(|word| is_file(word))?;
            let behind = at + 1 + usize::from(name.ends_with("with_class"));
            source = Some(words[at]);
            alt = alt.or(words.get(behind).copied());
        }
        let alt = alt.or(arguments.named(&["title"])).unwrap_or_default();
        let caption = arguments.named(&["caption", "image_caption", "image_figcaption"]);
        Some(Self::Image {
            source: source?.to_owned(),
            alt: alt.to_owned(),
            caption: caption.map(str::to_owned),
        })
    }
}

/// Whether a word looks like a path or a file name.
fn is_file(word: &str) -> bool {
    word.contains('/')
        || word
            .rsplit_once('.')
            .is_some_and(|(_, suffix)| matches!(suffix.len(), 3 | 4))
}
