//! Splits and joins paths and addresses.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

pub(super) use crate::model::address::scheme;
use crate::model::date;
pub use crate::model::path::{below, folder, inside, join, name, split_name};
use crate::model::site::BaseUrl;

/// What some authors write before a path of the site that is not one of a text.
pub const OF_SITE: &str = "pathname://";

/// Whether a path from the root is that of a section's page.
pub fn is_of_section(path: &str) -> bool {
    let rest = path.trim_start_matches('/').strip_prefix("sections/");
    rest.is_some_and(|rest| !rest.is_empty())
}

/// A path without the suffix of its name.
pub fn without_suffix(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((bare, suffix)) if !suffix.contains('/') => bare,
        _ => path,
    }
}

/// Whether a file is in a folder whose path is this one in lower case, or ends with it.
pub fn is_in_folder(source: &str, wanted: &str) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let source = source.to_lowercase();
    let folder = folder(&source);
    folder == wanted || folder.ends_with(&format!("/{wanted}"))
}

/// A name without its leading date, unless it is only a date.
pub fn undated(name: &str) -> &str {
    match date::in_name(name) {
        Some((_, rest)) if !rest.is_empty() => rest,
        _ => name,
    }
}

/// The number before a name that only determines its order, and the name: `01-app` is `01` and
/// `app`.
pub fn order_number(name: &str) -> Option<(&str, &str)> {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = name.split_at(digits);
    let rest = rest.strip_prefix(['-', '_', '.', ' '])?;
    ((1..=3).contains(&digits) && rest.starts_with(char::is_alphabetic)).then_some((number, rest))
}

/// A path without order numbers: `01-app/02-guides` is `app/guides`. `None`: it has none.
pub fn unnumbered(path: &str) -> Option<String> {
    let mut numbered = false;
    let mut parts = Vec::new();
    for part in path.split('/') {
        let rest = order_number(part).map(|(_, rest)| rest);
        numbered |= rest.is_some();
        parts.push(rest.unwrap_or(part));
    }
    numbered.then(|| parts.join("/"))
}

/// Whether a text consists of digits.
pub fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number without leading zeros.
pub fn without_zeros(number: &str) -> &str {
    number.trim_start_matches('0')
}

/// The suffixes of texts, as written in links.
const SUFFIXES: [&str; 9] = [
    ".md",
    ".html",
    ".markdown",
    ".mdx",
    ".htm",
    ".mdown",
    ".mkd",
    ".mkdn",
    ".xhtml",
];

/// The names of files that represent their folder.
const INDEXES: [&str; 3] = ["/index", "/README", "/_index"];

/// A path without the suffix of a text and without a closing `index`.
pub fn bare(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    strip_any(strip_any(path, &SUFFIXES), &INDEXES)
}

fn strip_any<'p>(path: &'p str, endings: &[&str]) -> &'p str {
    endings
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path)
}

/// The folders above a path, the nearest first; the last is the root.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder(path)), |above| {
        (!above.is_empty()).then(|| folder(above))
    })
}

/// Whether a text is the `index` of its folder, in any language.
pub fn is_leaf(path: &str) -> bool {
    let (stem, _) = name(path).split_once('.').unwrap_or_default();
    stem == "index" && !folder(path).is_empty()
}

/// Whether a text is the `_index` of its folder, in any language.
pub fn is_section(path: &str) -> bool {
    name(path).starts_with("_index.")
}

/// Whether a path ends in a file suffix, so that it names a file, not a page.
pub fn has_suffix(path: &str) -> bool {
    match name(path).rsplit_once('.') {
        Some((stem, suffix)) => {
            !stem.is_empty()
                && (1..=8).contains(&suffix.len())
                && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }
        None => false,
    }
}

/// An address split for the lookup.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Address<'a> {
    pub path: &'a str,
    /// `?query`, or empty.
    pub query: &'a str,
    /// The fragment without `#`.
    pub fragment: Option<&'a str>,
}

impl<'a> Address<'a> {
    pub fn parse(raw: &'a str) -> Self {
        let (rest, fragment) = split_fragment(raw);
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        Self {
            path,
            query,
            fragment,
        }
    }
}

/// An address without its fragment, and the fragment without `#`.
pub fn split_fragment(raw: &str) -> (&str, Option<&str>) {
    match raw.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (raw, None),
    }
}

/// A percent-decoded text, unchanged if the result is not UTF-8.
pub fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    percent_decode_str(text)
        .decode_utf8()
        .unwrap_or(Cow::Borrowed(text))
}

/// An address relative to a file, resolved from the root; others unchanged.
pub fn from_root(file: &str, address: &str) -> String {
    if address.starts_with('/') || scheme(address).is_some() {
        return address.to_owned();
    }
    match join(folder(file), Address::parse(address).path) {
        Some(path) => format!("/{path}"),
        None => address.to_owned(),
    }
}

/// The folder that a link in a file may name, without `README` or `index`: from the root of all
/// files, or with a leading `/` if the link has one. `None`: no folder of the site.
pub fn folder_named(file: &str, address: &str) -> Option<String> {
    if scheme(address).is_some() || address.starts_with("//") {
        return None;
    }
    let path = decoded(Address::parse(address).path);
    if path.is_empty() {
        return None;
    }
    match path.strip_prefix('/') {
        Some(rooted) => Some(format!("/{}", bare(&join("", rooted)?))),
        None => Some(bare(&join(folder(file), &path)?).to_owned()),
    }
}

/// A site path normalized for comparison: decoded, leading `/`, no closing slash, no `index`, no
/// page suffix.
pub fn stemmed(address: &str) -> String {
    stem_of(&decoded(Address::parse(address.trim()).path))
}

/// The same for a path that is decoded: `?`, `#` and `%` are a part of it.
pub fn stem_of(path: &str) -> String {
    match bare(path).trim_matches('/') {
        "" => "/index".to_owned(),
        bare => format!("/{bare}"),
    }
}

/// A path as a URL has it: in the name of a file `%`, `?` and `#` are themselves.
pub fn as_url(path: &str) -> String {
    path.replace('%', "%25")
        .replace('?', "%3F")
        .replace('#', "%23")
}

/// The path of a URL, whatever its host.
pub fn url_path(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    Some(&rest[rest.find('/')?..])
}

/// The path of an address below the base URL, without query and fragment. `None`: it is on another
/// site.
pub fn path_on_site<'p>(address: &'p str, base: &BaseUrl) -> Option<&'p str> {
    let path = address.strip_prefix(base.origin()).unwrap_or(address);
    if path.starts_with("//") || !path.starts_with('/') && path.contains("://") {
        return None;
    }
    let path = path.split(['?', '#']).next()?;
    let below = path.strip_prefix(base.path());
    Some(below.filter(|rest| rest.starts_with('/')).unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_join_inside_the_root() {
        assert_eq!(join("a/b", "../c/./d.md").as_deref(), Some("a/c/d.md"));
        assert_eq!(join("a", "../../b"), None);
        assert_eq!(join("", "x/"), Some("x".to_owned()));
    }

    #[test]
    fn addresses_are_compared_without_their_dress() {
        for (address, stem) in [
            ("/a/b/", "/a/b"),
            ("/a/b.html", "/a/b"),
            ("/a/b/index.html?x#y", "/a/b"),
            ("a%20b", "/a b"),
            ("/", "/index"),
            ("/index.html", "/index"),
        ] {
            assert_eq!(stemmed(address), stem, "{address}");
        }
    }

    #[test]
    fn numbers_that_order_are_no_part_of_names() {
        assert_eq!(
            unnumbered("01-app/2_guides/003.x").as_deref(),
            Some("app/guides/x")
        );
        assert_eq!(
            (
                unnumbered("a/2024-01-02-x"),
                unnumbered("2048"),
                unnumbered("1-2")
            ),
            (None, None, None)
        );
    }

    #[test]
    fn schemes_have_two_letters() {
        assert_eq!(
            (
                scheme("mailto:a"),
                scheme("C:\\x"),
                scheme("a/b:c"),
                scheme("https://x")
            ),
            (Some("mailto"), None, None, Some("https"))
        );
    }
}
