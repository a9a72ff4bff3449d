//! The request target (RFC 9112 section 3.2) as a decoded path relative to the base URL.
//!
//! A path is percent-decoded exactly once: `%252e` is a name that contains a percent sign. The
//! result is a key of a table and never reaches the file system, so `..` is just an unknown name.

use std::borrow::Cow;

use diglot_edition::route::is_at_the_root;
use http::Uri;

/// The longest accepted target in bytes, including the query. RFC 9110 section 4.1 recommends at
/// least 8,000; the longest encoded slug has 3,000.
pub const LONGEST_TARGET: usize = 8_192;

/// Why a target is invalid.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// 400: an invalid escape, not UTF-8, a control character or backslash, or no path.
    Malformed,
    /// 414: longer than [`LONGEST_TARGET`].
    TooLong,
}

/// The location that a target names.
#[derive(Debug, PartialEq, Eq)]
pub enum Location<'a> {
    /// Inside the base URL.
    Site(SitePath<'a>),
    /// On this origin, outside the base URL.
    Elsewhere(Cow<'a, str>),
}

/// A decoded path inside the base URL.
#[derive(Debug, PartialEq, Eq)]
pub struct SitePath<'a> {
    decoded: Cow<'a, str>,
    start: usize,
    /// Whether it contains a `/` that was sent as `%2F`.
    pub slash_escaped: bool,
}

impl SitePath<'_> {
    /// The decoded path without the base URL's path. Starts with `/`, or is empty for a request of
    /// the bare base (`/blog`).
    pub fn as_str(&self) -> &str {
        &self.decoded[self.start..]
    }
}

/// Locates a request target in origin-form or absolute-form. Ignores its query. `base` is the base
/// URL's decoded path, empty or `/blog`.
///
/// # Errors
/// [`Refused`] if the target has no valid path.
pub fn locate<'a>(target: &'a Uri, base: &str) -> Result<Location<'a>, Refused> {
    if target
        .path_and_query()
        .is_some_and(|text| text.as_str().len() > LONGEST_TARGET)
    {
        return Err(Refused::TooLong);
    }
    let (decoded, slash_escaped) = decode(target.path())?;
    Ok(match decoded.strip_prefix(base) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => Location::Site(SitePath {
            start: base.len(),
            slash_escaped,
            decoded,
        }),
        _ if is_at_the_root(&decoded) => Location::Site(SitePath {
            start: 0,
            slash_escaped,
            decoded,
        }),
        _ => Location::Elsewhere(decoded),
    })
}

/// Percent-decodes a path once (RFC 3986 section 2.1). The flag is true if a `/` was escaped.
///
/// # Errors
/// [`Refused::Malformed`] if the path does not start with `/`, an escape is invalid, or the result
/// is not UTF-8 or contains a character that public paths exclude.
pub fn decode(path: &str) -> Result<(Cow<'_, str>, bool), Refused> {
    // Without a way out of the loop, many bytes are looked at in one instruction.
    let all_plain = path
        .bytes()
        .fold(true, |plain, byte| plain & is_plain(byte));
    if path.starts_with('/') && all_plain {
        return Ok((Cow::Borrowed(path), false));
    }
    let (bytes, slash_escaped) = unescape(path.as_bytes()).ok_or(Refused::Malformed)?;
    let decoded = String::from_utf8(bytes).map_err(|_| Refused::Malformed)?;
    if !decoded.starts_with('/') || decoded.contains(|c: char| c == '\\' || c.is_control()) {
        return Err(Refused::Malformed);
    }
    Ok((Cow::Owned(decoded), slash_escaped))
}

/// Whether a byte of a path represents itself, in every valid path.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b'%' && byte != b'\\'
}

/// Decodes the escapes, and tells whether one was a `/`; `None` if one is invalid.
pub(crate) fn unescape(path: &[u8]) -> Option<(Vec<u8>, bool)> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let (mut decoded, mut slash_escaped) = (Vec::with_capacity(path.len()), false);
    let mut bytes = path.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'%' {
            let value = digit(bytes.next()?)? << 4 | digit(bytes.next()?)?;
            let value = u8::try_from(value).ok()?;
            slash_escaped |= value == b'/';
            decoded.push(value);
        } else {
            decoded.push(byte);
        }
    }
    Some((decoded, slash_escaped))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn located(target: &str, base: &str) -> Result<String, Refused> {
        let target: Uri = target.parse().unwrap();
        Ok(match locate(&target, base)? {
            Location::Site(path) if path.slash_escaped => format!("escaped {}", path.as_str()),
            Location::Site(path) => path.as_str().to_owned(),
            Location::Elsewhere(path) => format!("elsewhere {path}"),
        })
    }

    fn check(target: &str, base: &str, expected: &str) {
        assert_eq!(located(target, base).as_deref(), Ok(expected), "{target}");
    }

    #[test]
    fn escaped_and_plain_forms_are_the_same() {
        for target in [
            "/articles/été.html",
            "/articles/%C3%A9t%c3%a9.html",
            "/%61rticles/%C3%A9t%C3%A9%2Ehtml",
        ] {
            check(target, "", "/articles/été.html");
        }
        check("/articles/%252e.html", "", "/articles/%2e.html");
        check("/articles/a%2Fb.html", "", "escaped /articles/a/b.html");
        check("/a%2fb", "", "escaped /a/b");
    }

    #[test]
    fn queries_and_the_absolute_form() {
        check("/x.html?a=%ZZ&b=%00", "", "/x.html");
        check("/x.html?", "", "/x.html");
        check("http://example.org/x.html?y", "", "/x.html");
        check("http://example.org", "", "/");
    }

    #[test]
    fn dots_are_only_names() {
        for path in [
            "/../../etc/passwd",
            "/..;/x",
            "//etc/passwd",
            "/articles/",
            "/articles//x.html",
            "/.env",
        ] {
            check(path, "", path);
        }
    }

    #[test]
    fn what_no_public_path_can_hold_is_refused() {
        for target in [
            "/%",
            "/%2",
            "/%z.html",
            "/%zz.html",
            "/%+1",
            "/%00",
            "/x%0d%0aSet-Cookie:a=b",
            "/a%5cb",
            "/%7f",
            "/%c2%85",
            "*",
        ] {
            assert_eq!(located(target, ""), Err(Refused::Malformed), "{target}");
        }
        for not_utf8 in [
            "/%c0%ae%c0%ae/%c0%afetc",
            "/%ff%fe.html",
            "/%e0%80.html",
            "/%ed%a0%80.html",
        ] {
            assert_eq!(located(not_utf8, ""), Err(Refused::Malformed), "{not_utf8}");
        }
        assert_eq!(decode("a\\b"), Err(Refused::Malformed));
        assert_eq!(decode("/a\\b"), Err(Refused::Malformed));
    }

    #[test]
    fn long_targets_are_refused() {
        let fits = "/".repeat(LONGEST_TARGET);
        check(&fits, "", &fits);
        assert_eq!(located(&format!("{fits}/"), ""), Err(Refused::TooLong));
        assert_eq!(located(&format!("/?{fits}"), ""), Err(Refused::TooLong));
    }

    #[test]
    fn a_base_path_is_taken_off() {
        check("/blog/x.html", "/blog", "/x.html");
        check("/blog/", "/blog", "/");
        check("/%62log/x.html", "/blog", "/x.html");
        check("/blog", "/blog", "");
        check("/blogger/x.html", "/blog", "elsewhere /blogger/x.html");
        check("/", "/blog", "elsewhere /");
        check("/Blog/x.html", "/blog", "elsewhere /Blog/x.html");
    }

    #[test]
    fn some_documents_are_at_the_root_as_well() {
        check("/robots.txt", "/blog", "/robots.txt");
        check(
            "/.well-known/api-catalog",
            "/blog",
            "/.well-known/api-catalog",
        );
        let skill = "/.well-known/agent-skills/read-a/SKILL.md";
        check(skill, "/blog", skill);
        check("/rss.xml", "/blog", "elsewhere /rss.xml");
        check("/blog/robots.txt", "/blog", "/robots.txt");
    }

    proptest! {
        #[test]
        fn decoding_never_panics_and_keeps_its_promise(path in "(/|%|%2f|%[0-9a-f]{2}|\\PC|\u{0}|\\\\){0,40}") {
            if let Ok((decoded, _)) = decode(&path) {
                prop_assert!(decoded.starts_with('/') && !decoded.contains(['\0', '\\', '\n']));
            }
        }

        #[test]
        fn what_is_encoded_is_decoded(path in "(/[^\\\\/\\pC]{0,10}){1,4}") {
            let encoded: String = path.bytes().map(|byte| if byte == b'/' { "/".to_owned() } else { format!("%{byte:02X}") }).collect();
            prop_assert_eq!(decode(&encoded), Ok((path.into(), false)));
        }
    }
}
