//! Where the time and the memory of making an edition go: reading, parsing, rendering, and making
//! it again when nothing or one file changed.
//!
//! `cargo run --profile dist --example phases -- FOLDER`

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measuring tool that prints and may fail"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "what the system says of this process"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use diglot::limits::Limits;
use diglot::read::{self, FileCache};
use diglot_content::library::Memory;
use diglot_content::settings::Settings;
use diglot_content::{BaseUrl, Library};
use diglot_edition::Edition;
use diglot_edition::build::Known;
use diglot_edition::theme::Theme;
use jiff::Timestamp;

/// As in the program itself.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let folder = PathBuf::from(
        std::env::args()
            .nth(1)
            .unwrap_or_else(|| panic!("usage: phases FOLDER")),
    );
    let base = BaseUrl::parse("https://example.org").unwrap();
    let (mut cache, mut memory, mut known) =
        (FileCache::default(), Memory::default(), Known::default());
    let theme = told("theme", || Theme::new(&[]).unwrap());
    let mut before: Option<Edition> = None;
    for round in ["cold", "unchanged", "one edited", "another edited"] {
        println!("{round}");
        let mut sources = told("read", || {
            read::files(&folder, &Limits::default(), &mut cache, Timestamp::now()).unwrap()
        });
        if round.ends_with("edited") {
            let at = sources.files.len() * round.len() / 20;
            let text = sources.files[..at]
                .iter_mut()
                .rev()
                .find(|file| file.path.ends_with(".md"))
                .unwrap();
            text.bytes = [&text.bytes[..], b"\n\nOne more paragraph.\n"]
                .concat()
                .into();
        }
        let site = Arc::new(
            Settings::default()
                .into_site("Phases", base.clone())
                .unwrap(),
        );
        let library = told("library", || {
            Library::build_with(&sources, &site, Timestamp::now(), &mut memory)
        });
        let edition = told("edition", || {
            Edition::build_again(
                &library,
                Arc::clone(&site),
                &theme,
                Timestamp::now(),
                &mut known,
            )
            .unwrap()
        });
        told("drop sources", || drop(sources));
        told("drop library", || {
            library.release_documents();
            drop(library);
        });
        if let Some(before) = &before {
            told("adopt", || edition.adopt(before));
        }
        let old = before.replace(edition);
        told("drop edition", || drop(old));
    }
}

/// Does one thing and prints its wall time, the processor time, and the memory after it.
fn told<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let (begun, before) = (Instant::now(), processor());
    let done = work();
    let (wall, processor) = (begun.elapsed(), processor() - before);
    println!(
        "  {name:<14} {:>8.1} ms wall  {processor:>6} ms processor  {}",
        wall.as_secs_f64() * 1e3,
        memory()
    );
    done
}

/// User and system time of this process so far, in milliseconds.
fn processor() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace()
        .collect();
    [11, 12]
        .iter()
        .filter_map(|at| fields.get(*at)?.parse::<u64>().ok())
        .sum::<u64>()
        * 10
}

/// Anonymous memory now and the most memory so far.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let wanted = |line: &&str| line.starts_with("RssAnon") || line.starts_with("VmHWM");
    status
        .lines()
        .filter(wanted)
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(", ")
}
