//! Slugs: the part of a permalink that is derived from an article's file name.
//!
//! A slug is the file's path below the articles folder without its suffix, in NFC, with each run of
//! white space replaced by one `-` and a trailing `/index` dropped. Unicode, case, dots and `/` are
//! kept.

use unicode_normalization::UnicodeNormalization;

/// Maximum length of a segment, in bytes.
pub const SEGMENT: usize = 200;
/// Maximum length of a slug, in bytes.
pub const WHOLE: usize = 1000;

/// Why a text has no slug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlugError {
    /// The result is empty or has an empty segment.
    Empty,
    /// A segment or the slug is too long.
    TooLong,
    /// A segment is `.` or `..`.
    Dots,
    /// It contains a control character or a `\`.
    Character(char),
}

impl std::fmt::Display for SlugError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => write!(f, "it is empty or has an empty part"),
            Self::TooLong => write!(
                f,
                "it is longer than {SEGMENT} bytes a part or {WHOLE} bytes in all"
            ),
            Self::Dots => write!(f, "it has a part `.` or `..`"),
            Self::Character(character) => {
                write!(f, "it holds the character `{}`", character.escape_default())
            }
        }
    }
}

/// The slug of a path without suffix (or of an author's `slug`).
///
/// # Errors
/// [`SlugError`] names the first rule that the text breaks.
pub fn slug(path: &str) -> Result<String, SlugError> {
    let dashed = dashed(path.trim_matches('/'));
    let mut slug = dashed.as_str();
    while let Some(shorter) = slug
        .strip_suffix("/index")
        .or_else(|| slug.strip_suffix(".md"))
        .or_else(|| slug.strip_suffix(".html"))
    {
        slug = shorter;
    }
    check(slug)?;
    Ok(slug.to_owned())
}

/// The slug of one segment: `/` becomes `-`. For tags and titles.
///
/// # Errors
/// As [`slug()`].
pub fn segment(text: &str) -> Result<String, SlugError> {
    slug(&text.trim().replace('/', "-"))
}

/// The slug of a file whose name yields none: from its title, else a short hash of its path.
pub fn fallback(title: Option<&str>, path: &str) -> String {
    match title.map(of_title) {
        Some(Ok(slug)) => slug,
        _ => blake3::hash(path.as_bytes()).to_hex()[..8].to_owned(),
    }
}

fn of_title(title: &str) -> Result<String, SlugError> {
    let kept = title.replace(
        |character: char| character.is_control() || character == '\\',
        "",
    );
    let kept = kept.trim().trim_start_matches('.');
    segment(&kept[..kept.floor_char_boundary(SEGMENT / 2)])
}

/// NFC, with each run of white space replaced by one `-`.
fn dashed(text: &str) -> String {
    let mut dashed = String::with_capacity(text.len());
    let mut in_space = false;
    for character in text.nfc() {
        let is_space = character.is_whitespace();
        if !is_space {
            dashed.push(character);
        } else if !in_space {
            dashed.push('-');
        }
        in_space = is_space;
    }
    dashed
}

fn check(slug: &str) -> Result<(), SlugError> {
    if let Some(character) = slug
        .chars()
        .find(|character| character.is_control() || *character == '\\')
    {
        return Err(SlugError::Character(character));
    }
    for segment in slug.split('/') {
        match segment {
            "" => return Err(SlugError::Empty),
            "." | ".." => return Err(SlugError::Dots),
            _ if segment.len() > SEGMENT => return Err(SlugError::TooLong),
            _ => {}
        }
    }
    if slug.len() > WHOLE {
        Err(SlugError::TooLong)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn contract_1_slugs_of_paths() {
        let check =
            |path: &str, expected: &str| assert_eq!(slug(path).as_deref(), Ok(expected), "{path}");
        check("2015-03-19-how-we-built", "2015-03-19-how-we-built");
        check("guide/First Steps\u{a0} now", "guide/First-Steps-now");
        check("guide/index", "guide");
        check("a/index/index", "a");
        check("index", "index");
        check("e\u{301}te\u{301}", "été");
        check("日本/語", "日本/語");
        check("v1.2.3", "v1.2.3");
        check("c++", "c++");
        check("%", "%");
        check("[", "[");
        check("x.html.md", "x");
        check("/own/slug/", "own/slug");
    }

    #[test]
    fn contract_1_what_gives_no_slug() {
        let check =
            |path: &str, expected: SlugError| assert_eq!(slug(path), Err(expected), "{path}");
        check("", SlugError::Empty);
        check("a//b", SlugError::Empty);
        check(".", SlugError::Dots);
        check("a/../b", SlugError::Dots);
        check("a\\b", SlugError::Character('\\'));
        check("a\u{7f}b", SlugError::Character('\u{7f}'));
        check(&"x".repeat(201), SlugError::TooLong);
        check(&vec!["x".repeat(199); 6].join("/"), SlugError::TooLong);
        check(".md", SlugError::Empty);
    }

    #[test]
    fn contract_1_fallbacks() {
        assert_eq!(fallback(Some("A / B"), "..md"), "A---B");
        assert_eq!(fallback(Some(".."), "..md").len(), 8);
        assert_eq!(fallback(None, "..md"), fallback(None, "..md"));
        assert!(slug(&fallback(Some(&"長".repeat(300)), "x")).is_ok());
    }

    proptest! {
        #[test]
        fn a_slug_is_its_own_slug(path in "\\PC{0,40}") {
            if let Ok(first) = slug(&path) {
                prop_assert_eq!(slug(&first), Ok(first.clone()));
                prop_assert!(first.split('/').all(|part| !part.is_empty() && part != "." && part != ".." && part.len() <= SEGMENT));
                prop_assert!(!first.contains(char::is_whitespace) && !first.ends_with(".md") && !first.ends_with(".html"));
            }
        }

        #[test]
        fn a_fallback_is_always_a_slug(title in proptest::option::of("\\PC{0,300}"), path in "\\PC{0,40}") {
            let found = fallback(title.as_deref(), &path);
            prop_assert_eq!(slug(&found), Ok(found.clone()));
        }
    }
}
