//! The settings of what is around every text: the links of header and footer, the logo, the icon,
//! the accent colour.

use serde::{Deserialize, Serialize};

use super::colour::Colour;

/// The settings of what is around every text. Where something is not set, the theme decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FrameSettings {
    /// The links of the header.
    pub links: Option<Vec<MenuItem>>,
    /// The picture beside the site's name, or in its place.
    pub logo: Option<LogoSetting>,
    /// The picture of the site in tabs and bookmarks.
    pub favicon: Option<Placed>,
    /// The colour of links.
    pub accent: Option<Accent>,
    /// The words of the footer: inline Markdown.
    pub footer_text: Option<Placed>,
    /// The links of the footer.
    pub footer_links: Option<Vec<MenuItem>>,
}

/// A text of the settings and its place in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Placed {
    /// As written.
    pub text: String,
    /// The line, from 1; 0 if it is not from a file.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A link of the header or footer, or a group of links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MenuItem {
    /// Its name; `None`: that of the page.
    pub title: Option<String>,
    /// A file of the folder, an address of the site, or a URL; `None`: it is a group.
    pub link: Option<Placed>,
    /// The links of a group.
    pub items: Vec<MenuItem>,
}

/// The picture beside the site's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LogoSetting {
    /// A file of the folder.
    pub src: Placed,
    /// Another one for dark surroundings.
    pub dark: Option<Placed>,
    /// What the picture says, if it says the site's name itself.
    pub alt: Option<String>,
}

/// The colour of links in light and in dark surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Accent {
    /// In front of a light background.
    pub light: Colour,
    /// In front of a dark background.
    pub dark: Colour,
}
