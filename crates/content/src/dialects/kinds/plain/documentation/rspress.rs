//! The addresses of Rspress: those of its default language and version do not name it.

use crate::dialects::config::{Config, Permalink};
use crate::dialects::evidence::Evidence;
use crate::model::path::{inside, inside_or_folder};
use crate::syntax::front::Front;

/// The keys of the default language, and of the default version.
const LANGUAGE: &str = "lang";
const VERSION: &str = "multiVersion.default";
/// The endings of addresses of texts.
const ENDINGS: [&str; 2] = [".html", ""];

/// Gives the texts of the default language and version the addresses without their folders. The index
/// there is the home page.
pub fn place(evidence: &Evidence<'_>, front: &Front, content: &str, config: &mut Config) {
    let below = |folder: &str, key: &str| {
        let inner = inside_or_folder(folder, front.text(&[key])?);
        let is_folder = inner != folder && evidence.folder(&inner);
        is_folder.then_some(inner)
    };
    let version = below(content, VERSION);
    let texts = version.clone().unwrap_or_else(|| content.to_owned());
    let language = below(&texts, LANGUAGE);
    if version.is_none() && language.is_none() {
        return;
    }
    let home = language.clone().unwrap_or_else(|| texts.clone());
    config.home = Some(inside(&home, "index.md"));
    add(config, &home, "");
    if version.is_some() {
        add(config, &texts, "");
    }
    // Older versions name themselves, but not the default language either.
    let name = front.text(&[LANGUAGE]).unwrap_or_default();
    for folder in evidence.folders(content) {
        let other = inside_or_folder(content, folder);
        let own = inside_or_folder(&other, name);
        let is_older = version.as_ref().is_some_and(|version| *version != other);
        if is_older && !name.is_empty() && evidence.folder(&own) {
            add(config, &own, folder);
        }
    }
    add(config, content, "");
}

fn add(config: &mut Config, folder: &str, place: &str) {
    for ending in ENDINGS {
        config.permalinks.push(Permalink {
            scope: folder.to_owned(),
            pattern: format!("/{}{ending}", inside_or_folder(place, ":path")),
            below: true,
        });
    }
}
