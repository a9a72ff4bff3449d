//! The properties that must hold for any bytes from outside: one function for each parser.
//!
//! Each function takes an input and panics when a property does not hold; a panic anywhere below is
//! a finding as well. `cargo test` runs them over the corpora in `fuzz/corpus` and over variations
//! of these. The targets in `fuzz/fuzz_targets` call the same functions, with inputs that libFuzzer
//! makes up.

mod audited;
mod changed;
mod content;
mod kept;
mod requests;
mod searched;
mod site;
#[cfg(test)]
mod tests;

pub use audited::audit;
pub use changed::changes;
pub use content::{dates, dialects, front_matter, html, markdown, pictures, settings};
pub use kept::{readers, remembered};
pub use requests::{conditions, framing, negotiation, range, request};
pub use searched::search;
pub use site::site;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Site, Sources};
use jiff::Timestamp;

/// The current time of every run.
fn now() -> Timestamp {
    Timestamp::from_second(1_798_761_600).expect("a day in 2027")
}

/// Settings parsed from these lines of `diglot.toml`; invalid ones are ignored.
fn settings_of(text: &str) -> Site {
    let base = BaseUrl::parse("https://example.org/blog").expect("a base URL");
    let (read, _) = Settings::parse(text, "diglot.toml");
    read.into_site("Fuzz", base.clone()).unwrap_or_else(|_| {
        Settings::default()
            .into_site("Fuzz", base)
            .expect("the defaults are valid")
    })
}

/// A folder of these files, in the order in which folders are read.
fn folder(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Sources {
    let files: std::collections::BTreeMap<String, Vec<u8>> = files.into_iter().collect();
    let dates = FileDates {
        created: None,
        changed: Timestamp::from_second(1_700_000_000).expect("a day in 2023"),
        origin: ChangeOrigin::Git,
    };
    let file = |(path, bytes): (String, Vec<u8>)| SourceFile {
        path: path.into(),
        bytes: bytes.into(),
        dates,
    };
    Sources {
        name: "fuzz".into(),
        files: files.into_iter().map(file).collect(),
        ..Sources::default()
    }
}
