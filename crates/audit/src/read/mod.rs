//! Parsers of what a site publishes: as lenient as clients, strict only about what a check tests.

pub mod feed;
pub mod html;
pub mod robots;
pub mod sitemap;
pub mod text;
pub mod twin;
mod xml;
