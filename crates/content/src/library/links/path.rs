//! Paths taken apart and joined, in both spaces of names.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

pub(super) use crate::model::address::scheme;

/// An address divided into what the lookup needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address<'a> {
    pub path: &'a str,
    /// `?query`, or nothing.
    pub query: &'a str,
    /// The fragment without `#`.
    pub fragment: Option<&'a str>,
}

impl<'a> Address<'a> {
    pub fn of(raw: &'a str) -> Self {
        let (rest, fragment) = raw.split_once('#').map_or((raw, None), |(rest, fragment)| (rest, Some(fragment)));
        let query = rest.find('?').unwrap_or(rest.len());
        Self { path: &rest[..query], query: &rest[query..], fragment }
    }
}

/// A percent-decoded text; what is not valid UTF-8 when decoded stays as it is.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}

/// A path from a folder, with `.` and `..` resolved, both without closing slash. `None`: it leads out of the root.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// An address that a file names relative to itself, from the root; others as they are.
pub(crate) fn from_root(file: &str, address: &str) -> String {
    if address.starts_with('/') || scheme(address).is_some() {
        return address.to_owned();
    }
    let path = Address::of(address).path;
    join(folder(file), path).map_or_else(|| address.to_owned(), |path| format!("/{path}"))
}

/// The folder that a link of a file may mean, without `README` or `index`: from the root of all files, or, where the link itself begins there,
/// with `/` before it. `None`: it leads elsewhere.
pub(crate) fn folder_named(file: &str, address: &str) -> Option<String> {
    if scheme(address).is_some() || address.starts_with("//") {
        return None;
    }
    let path = decoded(Address::of(address).path);
    match path.strip_prefix('/') {
        Some(rooted) => Some(format!("/{}", bare(&join("", rooted)?))),
        None if path.is_empty() => None,
        None => Some(bare(&join(folder(file), &path)?).to_owned()),
    }
}

/// The folder of a path.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The suffixes of texts, as links have them.
const SUFFIXES: [&str; 9] = [".md", ".html", ".markdown", ".mdx", ".htm", ".mdown", ".mkd", ".mkdn", ".xhtml"];

/// A path without the suffix of a text and without a closing `index`.
pub(super) fn bare(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    let stem = SUFFIXES.iter().find_map(|suffix| path.strip_suffix(suffix)).unwrap_or(path);
    ["/index", "/README", "/_index"].iter().find_map(|index| stem.strip_suffix(index)).unwrap_or(stem)
}

/// A path without the numbers that only put its parts in order: `01-app/02-guides` is `app/guides`. `None`: it has none.
pub(super) fn unnumbered(path: &str) -> Option<String> {
    let without = |part: &str| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let rest = part[digits..].strip_prefix(['-', '_', '.', ' ']).filter(|rest| rest.starts_with(char::is_alphabetic));
        rest.filter(|_| (1..=3).contains(&digits)).map(str::len)
    };
    path.split('/').any(|part| without(part).is_some()).then(|| {
        let parts: Vec<&str> = path.split('/').map(|part| without(part).map_or(part, |length| &part[part.len() - length..])).collect();
        parts.join("/")
    })
}

/// Whether a path ends in a file's suffix, so that it means a file and not a page's address.
pub(super) fn has_suffix(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, suffix)| !stem.is_empty() && (1..=8).contains(&suffix.len()) && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// A site path as addresses are compared: decoded, `/` before, no closing slash, no `index`, no suffix of a page.
pub(crate) fn stemmed(address: &str) -> String {
    let path = Address::of(address.trim()).path;
    let path = decoded(path);
    let bare = bare(&path);
    let bare = bare.trim_matches('/');
    if bare.is_empty() || bare == "index" { "/index".to_owned() } else { format!("/{bare}") }
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
        for (address, stem) in
            [("/a/b/", "/a/b"), ("/a/b.html", "/a/b"), ("/a/b/index.html?x#y", "/a/b"), ("a%20b", "/a b"), ("/", "/index"), ("/index.html", "/index")]
        {
            assert_eq!(stemmed(address), stem, "{address}");
        }
    }

    #[test]
    fn numbers_that_order_are_no_part_of_names() {
        assert_eq!(unnumbered("01-app/2_guides/003.x").as_deref(), Some("app/guides/x"));
        assert_eq!((unnumbered("a/2024-01-02-x"), unnumbered("2048"), unnumbered("1-2")), (None, None, None));
    }

    #[test]
    fn schemes_have_two_letters() {
        assert_eq!((scheme("mailto:a"), scheme("C:\\x"), scheme("a/b:c"), scheme("https://x")), (Some("mailto"), None, None, Some("https")));
    }
}
