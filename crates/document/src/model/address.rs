//! Addresses that authors write for publication: old addresses of a page, and redirect targets.
//!
//! Both are validated on parsing. A value of these types contains nothing that could end a line of
//! a host's configuration or of a header section.

use std::borrow::{Borrow, Cow};
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum length of an old address, in bytes.
pub const LONGEST_OLD: usize = 1_000;
/// Maximum length of a redirect's URL, in bytes as written.
pub const LONGEST_URL: usize = 2_000;

/// Why a text is not an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// It is longer than this many bytes.
    TooLong(usize),
    /// It contains a control character.
    Control(char),
    /// It contains a `\`.
    Backslash,
    /// It has a `.` or `..` segment.
    Dots,
    /// Its percent-encoding is not UTF-8.
    Encoding,
    /// It begins with `//`.
    NoScheme,
    /// Its scheme is neither `http` nor `https`.
    Scheme(String),
    /// It has no host, or an invalid one.
    Host,
    /// It has a user name or a password.
    User,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(most) => write!(f, "it is longer than {most} bytes"),
            Self::Control(control) => write!(
                f,
                "it holds the control character `{}`",
                control.escape_default()
            ),
            Self::Backslash => write!(f, "it holds a `\\`"),
            Self::Dots => write!(f, "it has a part `.` or `..`"),
            Self::Encoding => write!(f, "its escapes are not UTF-8"),
            Self::NoScheme => write!(f, "it begins with `//`"),
            Self::Scheme(scheme) => write!(f, "its scheme is `{scheme}`"),
            Self::Host => write!(f, "it has no valid host"),
            Self::User => write!(f, "it has a user name before the host"),
        }
    }
}

impl AddressError {
    /// How to fix it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::TooLong(_) => "write a shorter address",
            Self::Control(_) | Self::Backslash | Self::Dots => {
                "write a plain path such as `/2019/first/`, or a URL without it"
            }
            Self::Encoding => "write the address as plain text, without `%`",
            Self::NoScheme | Self::Scheme(_) => {
                "a redirect leads to an `https://` or `http://` URL, or to a path such as `/about.html`"
            }
            Self::Host => {
                "write the host in its ASCII form, such as `example.org` or `xn--bcher-kva.example`"
            }
            Self::User => "remove the part before `@`",
        }
    }
}

/// The characters that RFC 3986 does not allow in the path, query and fragment of a URL. The
/// apostrophe is allowed, but encoded as well.
const FOREIGN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b'?')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// An old address: a decoded site path that begins with `/`, as the author writes it, with or
/// without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct OldAddress(String);

impl OldAddress {
    /// Takes a decoded path that begins with `/`.
    ///
    /// # Errors
    /// The first rule of old addresses that the path breaks.
    pub fn new(path: String) -> Result<Self, AddressError> {
        check(&path, LONGEST_OLD)?;
        if path.split('/').any(|part| matches!(part, "." | "..")) {
            return Err(AddressError::Dots);
        }
        if path.starts_with("//") || !path.starts_with('/') {
            return Err(AddressError::NoScheme);
        }
        Ok(Self(path))
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for OldAddress {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OldAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for OldAddress {
    type Error = AddressError;

    fn try_from(path: String) -> Result<Self, AddressError> {
        Self::new(path)
    }
}

/// An absolute `http` or `https` URL in ASCII, percent-encoded (RFC 3986).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebUrl(String);

impl WebUrl {
    /// Parses a URL as people write it: characters not allowed in a URL are percent-encoded (RFC
    /// 3987 section 3.1), except in the host.
    ///
    /// # Errors
    /// The first rule of URLs that the text breaks.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        check(text, LONGEST_URL)?;
        let (scheme, rest) = text.split_once(':').ok_or(AddressError::NoScheme)?;
        let scheme = scheme.to_ascii_lowercase();
        if scheme != "http" && scheme != "https" {
            return Err(AddressError::Scheme(scheme.chars().take(20).collect()));
        }
        let rest = rest.strip_prefix("//").ok_or(AddressError::Host)?;
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        check_authority(authority)?;
        let url = format!(
            "{scheme}://{}{}",
            authority.to_ascii_lowercase(),
            encoded(path)
        );
        if url.len() > LONGEST_URL {
            Err(AddressError::TooLong(LONGEST_URL))
        } else {
            Ok(Self(url))
        }
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Percent-encodes path, query and fragment of a URL; existing escapes stay.
fn encoded(text: &str) -> String {
    let (path, fragment) = text.split_at(text.find('#').unwrap_or(text.len()));
    let mut url = String::with_capacity(text.len());
    push_encoded(&mut url, path);
    if let Some(fragment) = fragment.strip_prefix('#') {
        url.push('#');
        push_encoded(&mut url, fragment);
    }
    url
}

fn push_encoded(url: &mut String, text: &str) {
    let mut parts = text.split('%');
    url.extend(utf8_percent_encode(
        parts.next().unwrap_or_default(),
        FOREIGN,
    ));
    for part in parts {
        let is_escape = part.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
        url.push_str(if is_escape { "%" } else { "%25" });
        url.extend(utf8_percent_encode(part, FOREIGN));
    }
}

/// The target of a redirect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Destination {
    /// A decoded path of this site: the stem of a page, or the path of a file.
    Here(String),
    /// A place on a page of this site.
    Place {
        /// The stem of the page.
        path: String,
        /// The id, decoded, without `#`.
        id: String,
    },
    /// Another site.
    Elsewhere(WebUrl),
}

impl Destination {
    /// Parses a redirect target: a URL, or a path of the site.
    ///
    /// # Errors
    /// The first rule of redirect targets that the text breaks.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        if scheme(text).is_some() {
            return WebUrl::parse(text).map(Self::Elsewhere);
        }
        if text.starts_with("//") {
            return Err(AddressError::NoScheme);
        }
        check(text, LONGEST_OLD)?;
        // An escape in the path can hide a control character.
        let decoded = percent_decode_str(text)
            .decode_utf8()
            .map_err(|_| AddressError::Encoding)?;
        check(&decoded, LONGEST_OLD)?;
        Ok(Self::Here(text.to_owned()))
    }
}

impl Destination {
    /// The decoded path, if it is on this site.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Here(path) | Self::Place { path, .. } => Some(path),
            Self::Elsewhere(_) => None,
        }
    }

    /// A place on the page at this path, or the page, if the id is empty or no part of a URL.
    pub fn place(path: String, id: &str) -> Self {
        let id = id.to_owned();
        if id.is_empty() || check(&id, LONGEST_OLD).is_err() {
            Self::Here(path)
        } else {
            Self::Place { path, id }
        }
    }

    /// What is added to the URL of the page: `#` and the encoded id, or nothing.
    pub fn fragment(&self) -> String {
        match self {
            Self::Place { id, .. } => format!("#{}", utf8_percent_encode(id, FOREIGN)),
            Self::Here(_) | Self::Elsewhere(_) => String::new(),
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(path) | Self::Elsewhere(WebUrl(path)) => f.write_str(path),
            Self::Place { path, id } => write!(f, "{path}#{id}"),
        }
    }
}

/// Between path and id in a stored destination: no path holds a `\`.
const STORED: &str = "\\#";

impl TryFrom<String> for Destination {
    type Error = AddressError;

    fn try_from(text: String) -> Result<Self, AddressError> {
        if !text.starts_with('/') {
            return WebUrl::parse(&text).map(Self::Elsewhere);
        }
        if let Some((path, id)) = text.split_once(STORED) {
            check(path, usize::MAX)?;
            check(id, usize::MAX)?;
            return Ok(Self::place(path.to_owned(), id));
        }
        check(&text, usize::MAX)?;
        Ok(Self::Here(text))
    }
}

impl From<Destination> for String {
    fn from(destination: Destination) -> Self {
        match destination {
            Destination::Place { path, id } => [&path, STORED, &id].concat(),
            other => other.to_string(),
        }
    }
}

/// The scheme of an address: a letter and at least one more character before the `:`, since a
/// single letter is a Windows drive.
pub fn scheme(raw: &str) -> Option<&str> {
    let (scheme, _) = raw.split_once(':')?;
    let is_valid = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_valid.then_some(scheme)
}

/// Rejects text that no address may contain.
fn check(text: &str, most: usize) -> Result<(), AddressError> {
    if text.len() > most {
        return Err(AddressError::TooLong(most));
    }
    if let Some(control) = text.chars().find(|letter| letter.is_control()) {
        return Err(AddressError::Control(control));
    }
    if text.contains('\\') {
        Err(AddressError::Backslash)
    } else {
        Ok(())
    }
}

fn check_authority(authority: &str) -> Result<(), AddressError> {
    if authority.contains('@') {
        return Err(AddressError::User);
    }
    if !authority.is_ascii() || !is_authority(authority) {
        return Err(AddressError::Host);
    }
    Ok(())
}

/// Whether this is a host with an optional port (RFC 3986 section 3.2), without user information.
/// Non-ASCII letters are allowed in names.
pub(crate) fn is_authority(text: &str) -> bool {
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (is_host, rest) = match bracketed {
        Some((address, rest)) => (address.parse::<std::net::Ipv6Addr>().is_ok(), rest),
        None => {
            let (host, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
            (
                host.starts_with(char::is_alphanumeric)
                    && host.len() <= 253
                    && !host.contains("..")
                    && host.chars().all(is_letter_of_host),
                rest,
            )
        }
    };
    let port = rest.strip_prefix(':').unwrap_or_default();
    is_host
        && (rest.is_empty() || rest.starts_with(':'))
        && port.len() <= 5
        && port.bytes().all(|digit| digit.is_ascii_digit())
}

/// Combining marks count as letters: names in Devanagari need them.
fn is_letter_of_host(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '-' | '.' | '_')
        || !letter.is_ascii() && is_combining_mark(letter)
}

/// A path as the most lenient file system compares names: case-folded, composed, without ignorable
/// characters, and without trailing dots and spaces in each name.
pub fn folded(path: &str) -> Cow<'_, str> {
    let is_exact =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"/-_.".contains(&byte);
    if path.bytes().all(is_exact) && !path.contains("./") && !path.ends_with('.') {
        return Cow::Borrowed(path);
    }
    let composed = path
        .nfc()
        .filter(|letter| !is_ignored(*letter))
        .flat_map(char::to_lowercase)
        .collect::<String>();
    let lower: String = composed.replace('ς', "σ").nfc().collect();
    let names: Vec<&str> = lower
        .split('/')
        .map(|name| name.trim_end_matches(['.', ' ']))
        .collect();
    names.join("/").into()
}

/// Whether Apple's file systems ignore this character in a name.
const fn is_ignored(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_place_on_a_page_is_stored_and_encoded() {
        let place = Destination::place("/a#b".to_owned(), "é x");
        assert_eq!(place.to_string(), "/a#b#é x");
        assert_eq!(place.fragment(), "#%C3%A9%20x");
        let stored = String::from(place.clone());
        assert_eq!(Destination::try_from(stored).as_ref(), Ok(&place));
        let page = Destination::place("/a".to_owned(), "");
        assert_eq!(page, Destination::Here("/a".to_owned()));
        let hostile = Destination::place("/a".to_owned(), "b\nc");
        assert_eq!(hostile, page);
    }

    #[test]
    fn a_redirect_leads_to_the_web_or_to_the_site() {
        let check = |text: &str, expected: Result<&str, AddressError>| {
            assert_eq!(
                Destination::parse(text).map(|found| found.to_string()),
                expected.map(str::to_owned),
                "{text}"
            );
        };
        check("https://example.net", Ok("https://example.net"));
        check(
            " HTTP://Example.NET:80/A b?ü=\"{x}#a#b\n",
            Ok("http://example.net:80/A%20b?%C3%BC=%22%7Bx%7D#a%23b"),
        );
        check(
            "https://[2001:DB8::1]:8080/100%/%41",
            Ok("https://[2001:db8::1]:8080/100%25/%41"),
        );
        check("/about.html#x", Ok("/about.html#x"));
        check("about", Ok("about"));
        check(
            "https://ok/\n/* https://evil/:splat 301!",
            Err(AddressError::Control('\n')),
        );
        check("/a%0d%0aSet-Cookie: x", Err(AddressError::Control('\r')));
        check("//evil.example/", Err(AddressError::NoScheme));
        check("https:/evil", Err(AddressError::Host));
        check("https://", Err(AddressError::Host));
        check("https://a;b/", Err(AddressError::Host));
        check("https://a:b/", Err(AddressError::Host));
        check("https://[::x]/", Err(AddressError::Host));
        check("https://bücher.example/", Err(AddressError::Host));
        check("https://user:word@example.org/", Err(AddressError::User));
        check("https://example.org\\@evil/", Err(AddressError::Backslash));
        check(
            "javascript:alert(1)",
            Err(AddressError::Scheme("javascript".into())),
        );
        check(
            "ftp://example.org/",
            Err(AddressError::Scheme("ftp".into())),
        );
        check(
            &format!("https://example.org/{}", "ü".repeat(600)),
            Err(AddressError::TooLong(LONGEST_URL)),
        );
    }

    #[test]
    fn an_old_address_is_a_plain_path() {
        let check = |path: &str, expected: Option<AddressError>| {
            assert_eq!(OldAddress::new(path.to_owned()).err(), expected, "{path}")
        };
        check("/2019/first/", None);
        check("/größe & c++", None);
        check("/a\nb", Some(AddressError::Control('\n')));
        check("/a\u{85}b", Some(AddressError::Control('\u{85}')));
        check("/a\\b", Some(AddressError::Backslash));
        check("/a/../b", Some(AddressError::Dots));
        check("//evil/", Some(AddressError::NoScheme));
        check(
            &format!("/{}", "x".repeat(1_000)),
            Some(AddressError::TooLong(1_000)),
        );
    }

    #[test]
    fn names_are_compared_as_the_least_exact_file_system_does() {
        let check = |one: &str, other: &str| assert_eq!(folded(one), folded(other));
        check("/RSS.xml", "/rss.xml");
        check("/Gro\u{308}ße", "/GRÖß\u{200c}E");
        check("/.ht\u{200b}access. ", "/.htaccess");
        check("/a./b .", "/a/b");
        assert_ne!(folded("/strasse"), folded("/straße"));
    }

    proptest! {
        #[test]
        fn whatever_is_taken_is_one_line_of_plain_characters(text in "\\PC{0,60}|[ -~\\r\\n\\t]{0,60}|https?://[!-~\\n]{0,40}|(?s).{0,30}") {
            if let Ok(Destination::Elsewhere(url)) = Destination::parse(&text) {
                prop_assert!(url.as_str().bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte)), "{}", url.as_str());
                prop_assert_eq!(WebUrl::parse(url.as_str()), Ok(url.clone()));
            }
            if let Ok(old) = OldAddress::new(format!("/{text}")) {
                prop_assert!(!old.as_str().contains(|letter: char| letter.is_control() || letter == '\\') && old.as_str().len() <= LONGEST_OLD);
            }
            let once = folded(&text);
            prop_assert_eq!(&folded(&once), &once);
        }
    }
}
