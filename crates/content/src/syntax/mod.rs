//! What is read into the model: front matter, Markdown, HTML, and the settings file.

pub mod front;
pub mod html;
pub mod markdown;
pub(crate) mod picture;
pub mod settings;
