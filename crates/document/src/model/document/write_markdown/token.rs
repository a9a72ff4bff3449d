//! The tokens of a line of Markdown.

/// The delimiter of one kind of emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    Emphasis,
    Strong,
    Strikethrough,
}

impl Delimiter {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Emphasis => "*",
            Self::Strong => "**",
            Self::Strikethrough => "~~",
        }
    }
}

/// A token of a line.
#[derive(Debug)]
pub(super) enum Token {
    Text {
        text: String,
        in_link: bool,
    },
    Code(String),
    /// Markup, written unchanged but for pipes in a cell.
    Raw(String),
    /// A formula between its dollar signs.
    Math(String),
    Open(Delimiter),
    Close(Delimiter),
    HardBreak,
    SoftBreak,
}

impl Token {
    pub(super) fn is_space(&self) -> bool {
        match self {
            Self::Text { text, .. } => text.trim().is_empty(),
            Self::HardBreak | Self::SoftBreak => true,
            _ => false,
        }
    }

    pub(super) fn is_visible(&self) -> bool {
        !self.is_space() && !matches!(self, Self::Open(_) | Self::Close(_))
    }

    pub(super) fn first_char(&self) -> Option<char> {
        match self {
            Self::Text { text, .. } => text.chars().next(),
            Self::Code(_) => Some('`'),
            Self::Math(_) => Some('$'),
            Self::Raw(raw) => raw.chars().next(),
            Self::Open(delimiter) | Self::Close(delimiter) => delimiter.text().chars().next(),
            Self::HardBreak | Self::SoftBreak => None,
        }
    }

    pub(super) fn last_char(&self) -> Option<char> {
        match self {
            Self::Text { text, .. } | Self::Raw(text) => text.chars().next_back(),
            other => other.first_char(),
        }
    }

    /// About how many bytes it has when it is written.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Text { text, .. } | Self::Code(text) | Self::Raw(text) | Self::Math(text) => {
                text.len() + 2
            }
            _ => 2,
        }
    }

    /// The number of its tildes that may pair with others.
    pub(super) fn tildes(&self) -> usize {
        match self {
            Self::Text { text, .. } => memchr::memchr_iter(b'~', text.as_bytes()).count(),
            Self::Open(Delimiter::Strikethrough) => 2,
            _ => 0,
        }
    }
}
