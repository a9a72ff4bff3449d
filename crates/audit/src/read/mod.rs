//! Parsers of what a site publishes: as lenient as clients, strict only about what a check tests.

pub mod feed;
pub mod html;
pub mod listing;
pub mod loss;
pub mod outline;
pub mod robots;
pub mod sitemap;
pub mod text;
pub mod twin;
pub mod xml;
