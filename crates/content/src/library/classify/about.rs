//! Texts about the folder, which are not part of the site unless they have a title of their own.

use super::Plan;
use super::names::{ABOUT_THE_FOLDER, PRIVATE, ROOT_LICENSES};
use crate::library::paths::folder;

impl Plan {
    /// Whether the navigation names a text, or something lists it that is not the index of its folder.
    pub(super) fn names_page(&self, path: &str, stem: &str) -> bool {
        let scope = &self.kind.scope;
        let may_be_index = stem.eq_ignore_ascii_case("README") && self.kind.readme_is_index();
        let root = scope.content.first().map_or("", String::as_str);
        scope.names(path)
            || !may_be_index && scope.lists(path)
            || scope.any_name && (!may_be_index || folder(path) == root)
    }
}

/// Whether a text is always about the folder: its README, or a licence at the root.
pub fn is_project_file(path: &str, stem: &str) -> bool {
    let upper = stem.to_ascii_uppercase();
    upper == "README" || !path.contains('/') && ROOT_LICENSES.contains(&upper.as_str())
}

/// Whether a text is for the programs of one person, whatever it says and whoever links to it.
pub fn is_private(stem: &str) -> bool {
    PRIVATE.iter().any(|name| name.eq_ignore_ascii_case(stem))
}

/// Whether a text has the name of one about the folder; its front matter may make it a page of the
/// site as well.
pub fn is_about_the_folder(stem: &str) -> bool {
    let is_license =
        stem.starts_with("LICEN") && !stem.contains(|letter: char| letter.is_ascii_lowercase());
    is_license || ABOUT_THE_FOLDER.contains(&stem)
}

/// Whether a text begins with a fence of front matter.
pub fn has_front_matter(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.starts_with(b"---")
}

/// Whether a file begins with front matter, and with its end.
pub fn has_whole_front_matter(bytes: &[u8]) -> bool {
    let begins = has_front_matter(bytes) && matches!(bytes.get(3), Some(b'\r' | b'\n' | b' '));
    begins && memchr::memmem::find(bytes, b"\n---").is_some()
}

/// How many bytes of a file are scanned for its title.
const TITLE_WITHIN: usize = 2000;

/// Whether a text begins with front matter that has a title.
pub fn has_title(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(TITLE_WITHIN)]);
    let mut lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim_end);
    let Some(fence @ ("---" | "+++")) = lines.next() else {
        return false;
    };
    lines.take_while(|line| *line != fence).any(is_title)
}

/// Whether a line gives a title that is not empty.
fn is_title(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("title") else {
        return false;
    };
    let Some(value) = rest.trim_start().strip_prefix([':', '=']) else {
        return false;
    };
    !value.trim().trim_matches(['"', '\'']).is_empty()
}
