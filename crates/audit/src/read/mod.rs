//! Readers of what a site publishes: forgiving where a client is, exact about what a check asks.

pub mod feed;
pub mod html;
pub mod robots;
pub mod sitemap;
pub mod text;
pub mod twin;
mod xml;
