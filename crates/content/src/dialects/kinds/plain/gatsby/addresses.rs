//! The addresses of texts: those of `createFilePath`, which count from the folder of the texts, below what
//! the program writes before them: `/blog${createFilePath({ node, getNode })}`.

use super::PAGES;
use super::filters::PROGRAM;
use crate::dialects::config::{Config, Permalink};
use crate::dialects::evidence::Evidence;
use crate::model::text::decode;

/// The function that makes an address of a path.
const FUNCTION: &str = "createFilePath";
/// The largest program, in bytes.
const LARGEST: usize = 1_000_000;
/// The maximum number of calls, and of places.
const MOST: usize = 20;
/// The longest place, in bytes.
const LONGEST: usize = 200;

/// Gives the texts of these folders their addresses.
pub fn settle(evidence: &Evidence<'_>, folders: &[String], config: &mut Config) {
    let file = evidence.beginning(PROGRAM);
    let text = file.filter(|file| file.bytes.len() <= LARGEST);
    let text = text.map(|file| decode(&file.bytes, &file.path).0);
    let places = text.as_deref().map(places).unwrap_or_default();
    let mut add = |folder: &str, place: &str| {
        config.permalinks.push(Permalink {
            scope: folder.to_owned(),
            pattern: format!("{place}/:path/"),
            below: true,
        });
    };
    for folder in folders {
        // A site may have several places, and which folder has which is not known.
        for place in &places {
            add(folder, place);
        }
        add(folder, "");
    }
    add(PAGES, "");
}

/// What the program writes before the paths, without a slash at the end.
fn places(text: &str) -> Vec<&str> {
    let mut places = Vec::new();
    for (at, _) in text.match_indices(FUNCTION).take(MOST) {
        let before = &text[..at];
        places.extend(before.strip_suffix("${").and_then(place));
        // `const path = createFilePath(…)`, and later `/blog${path}`
        let name = before.trim_end().strip_suffix('=').map(str::trim_end);
        let name = name.and_then(|name| name.rsplit(|c: char| !c.is_alphanumeric()).next());
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            let used = format!("${{{name}}}");
            let used = text.match_indices(&used).take(MOST);
            places.extend(used.filter_map(|(at, _)| place(&text[..at])));
        }
    }
    places.sort_unstable();
    places.dedup();
    places.truncate(MOST);
    places
}

/// The place that a template begins with, up to where the text ends.
fn place(before: &str) -> Option<&str> {
    let mut near = before.len().saturating_sub(LONGEST);
    while !before.is_char_boundary(near) {
        near += 1;
    }
    let (_, place) = before[near..].rsplit_once('`')?;
    let is_plain = place.starts_with('/') && !place.contains(['$', ':', ' ', '\n']);
    let place = place.trim_end_matches('/');
    (is_plain && !place.is_empty()).then_some(place)
}
