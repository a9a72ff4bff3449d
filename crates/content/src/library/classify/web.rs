//! Which files readers may want, by their names.

use super::ABOUT;
use super::names::{
    ASSET_FOLDERS, LICENSES, OTHER_SETTINGS, OTHER_TEXTS, SETTINGS, SOURCES, WEB, WEB_IN_ASSETS,
};
use crate::library::paths::{name, split_name};
use crate::library::report::UNREAD;

/// Whether a file that is not for the web may be published where a text links to it: no
/// configuration of another program.
pub fn may_be_linked(path: &str, sources: &[&str]) -> bool {
    let (folders, name) = split_name(path);
    let (stem, suffix) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_settings = OTHER_SETTINGS.contains(&stem.to_ascii_lowercase().as_str())
        || folders.is_empty() && SETTINGS.contains(&suffix.to_ascii_lowercase().as_str());
    let suffix = suffix.to_ascii_lowercase();
    !is_settings && ![&SOURCES[..], sources].concat().contains(&suffix.as_str())
}

/// Whether browsers request files with this suffix, wherever they are.
pub fn is_for_the_web(path: &str) -> bool {
    let (_, suffix) = name(path).rsplit_once('.').unwrap_or_default();
    WEB.contains(&suffix.to_ascii_lowercase().as_str())
}

/// Whether a file is part of a skill for agents (Agent Skills Discovery 0.2.0).
pub fn is_of_skill(path: &str) -> bool {
    let folder = ".well-known/agent-skills/";
    path.starts_with(folder) || path.contains(&["/", folder].concat())
}

/// Why a text in another format is not published.
pub fn unread(suffix: &str) -> String {
    format!("{UNREAD}: `.{suffix}`")
}

/// Why a file that is not a text is not published.
pub fn unwanted(path: &str) -> Option<String> {
    let (folders, name) = split_name(path);
    let (stem, suffix) = name.rsplit_once('.').unwrap_or((name, ""));
    let (stem, suffix) = (stem.to_ascii_lowercase(), suffix.to_ascii_lowercase());
    let (stem, suffix) = (stem.as_str(), suffix.as_str());
    if OTHER_TEXTS.contains(&suffix) {
        return Some(unread(suffix));
    }
    let in_assets = folders
        .split('/')
        .any(|folder| ASSET_FOLDERS.contains(&folder));
    if !in_assets && LICENSES.contains(&stem) {
        return Some(ABOUT.to_owned());
    }
    if !in_assets && OTHER_SETTINGS.contains(&stem) {
        return Some("settings of another program".to_owned());
    }
    if WEB.contains(&suffix) || in_assets && WEB_IN_ASSETS.contains(&suffix) {
        return None;
    }
    if !suffix.is_empty() {
        return Some(format!("not a file for the web: `.{suffix}`"));
    }
    (!path.contains(".well-known/")).then(|| "not a file for the web".to_owned())
}
