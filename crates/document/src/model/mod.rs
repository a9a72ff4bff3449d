//! The model of a document, a folder and a site, independent of syntax and generator.

pub mod address;
pub mod bounds;
pub mod cause;
pub mod colour;
pub mod date;
pub mod document;
pub mod edit;
pub mod encoding;
pub mod fingerprint;
pub mod format;
pub mod frame;
pub mod highlight;
pub mod language;
pub mod memo;
pub mod parallel;
pub mod path;
pub mod problem;
pub mod scheme;
pub mod sections;
pub mod site;
pub mod slug;
pub mod sources;
pub mod steps;
pub mod text;
pub mod tree;
