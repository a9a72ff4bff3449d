//! Writes the short names of emoji as one text, which the library looks them up in.

#![allow(
    clippy::disallowed_methods,
    reason = "it runs when the library is built, where files are read and written"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let names: BTreeMap<&str, &str> = emojis::iter()
        .flat_map(|emoji| emoji.shortcodes().map(|name| (name, emoji.as_str())))
        .collect();
    let text: String = names
        .iter()
        .map(|(name, emoji)| format!("{name} {emoji}\n"))
        .collect();
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no folder"))?;
    fs::write(Path::new(&folder).join("emoji.txt"), text)
}
