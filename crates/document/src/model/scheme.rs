//! The URL schemes that pages may use: one table for links, pictures and players, in every
//! representation of a page.
//!
//! Other schemes can start a program on the reader's machine (`ms-msdt:`, `search-ms:`, `intent:`),
//! read its files (`file:`), or run a script (`javascript:`).

use std::borrow::Cow;

use crate::model::address::scheme;

/// The use of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The reader follows it.
    Link,
    /// The page embeds it as a picture, which cannot run scripts.
    Picture,
    /// The page embeds another document, a video or audio.
    Player,
}

/// The schemes of links, sorted: the web, and those of HTML's safelist (section 8.9.1.1) and older
/// versions of it that pass a message, a place or a resource to a program that asks first. `ssh`
/// and `sftp` are left out: clients have parsed host names as options.
const LINKS: [&str; 29] = [
    "acct",
    "bitcoin",
    "doi",
    "ftp",
    "ftps",
    "gemini",
    "geo",
    "git",
    "gopher",
    "http",
    "https",
    "im",
    "irc",
    "ircs",
    "magnet",
    "mailto",
    "matrix",
    "mms",
    "news",
    "nntp",
    "openpgp4fpr",
    "sip",
    "sips",
    "sms",
    "smsto",
    "tel",
    "urn",
    "webcal",
    "xmpp",
];

/// An address that pages may not link to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The scheme, in lower case.
    pub scheme: String,
    /// Everything after the scheme's colon.
    rest: String,
}

impl Refused {
    /// The likely intended address, or another way to fix it.
    pub fn hint(&self) -> String {
        let Self { scheme, rest } = self;
        let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) {
            return format!("did you mean `http://{scheme}:{rest}`?");
        }
        let near = ["https", "http", "mailto"]
            .into_iter()
            .find(|known| strsim::damerau_levenshtein(known, scheme) == 1);
        near.map_or_else(
            || "pages link to `https:`, `http:`, `mailto:`, `tel:` and the like; to show an address as text, write it as code".to_owned(),
            |known| format!("did you mean `{known}:`?"),
        )
    }
}

/// Checks whether a page may use an address this way. An address without a scheme is a web address.
pub fn check(address: &str, used: Use) -> Result<(), Refused> {
    let address = read(address);
    let Some(scheme) = scheme(&address).map(str::to_ascii_lowercase) else {
        return Ok(());
    };
    let rest = &address[scheme.len() + 1..];
    let allowed = match (used, scheme.as_str()) {
        (_, "http" | "https") => true,
        (Use::Picture, "data") => rest
            .get(..6)
            .is_some_and(|kind| kind.eq_ignore_ascii_case("image/")),
        // Feed readers subscribe to `feed:https://…` and `feed://…`.
        (Use::Link, "feed") => {
            rest.starts_with("//")
                || ["http://", "https://"]
                    .iter()
                    .any(|web| rest.starts_with(web))
        }
        (Use::Link, scheme) => LINKS.binary_search(&scheme).is_ok(),
        _ => false,
    };
    if allowed {
        Ok(())
    } else {
        Err(Refused {
            rest: rest.to_owned(),
            scheme,
        })
    }
}

/// An address as browsers parse it: without white space and control characters at its ends, and
/// without tabs and line breaks (WHATWG URL, section 4.4).
fn read(address: &str) -> Cow<'_, str> {
    let address = address.trim_matches(|c: char| c <= ' ');
    if address.contains(['\t', '\n', '\r']) {
        address.replace(['\t', '\n', '\r'], "").into()
    } else {
        address.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ordered_so_that_it_can_be_searched() {
        assert!(LINKS.is_sorted());
    }

    #[test]
    fn links_lead_to_known_schemes_alone() {
        for address in [
            "https://a.example",
            "HTTP://a.example",
            "//a.example",
            "a/b.md",
            "#x",
            "?a:b",
            "mailto:a@b.example",
            "tel:+49",
            "irc://a/b",
            "xmpp:a@b",
            "geo:1,2",
            "magnet:?xt=urn:btih:1",
            "feed:https://a.example/f",
            "feed://a.example",
            "C:\\x",
            "a b:c",
        ] {
            assert_eq!(check(address, Use::Link), Ok(()), "{address}");
        }
        for address in [
            "javascript:x",
            " JavaScript:x",
            "\u{1}javascript:x",
            "java\tscript:x",
            "java\r\nscript:x",
            "vbscript:x",
            "data:text/html,x",
            "data:image/png;base64,x",
            "file:///etc/passwd",
            "ms-msdt:/id",
            "ms-word:ofe|u|https://a.example/x",
            "search-ms:query=x",
            "intent:#Intent;end",
            "android-app://x",
            "blob:x",
            "filesystem:x",
            "view-source:https://a.example",
            "jar:x",
            "feed:javascript:x",
            "feed:x",
            "about:blank",
            "chrome://settings",
            "ssh://-oProxyCommand=x",
            "ldap://x",
            "smb://x",
            "steam://x",
            "vscode://x",
            "x-apple.systempreferences:",
            "std::vector",
            "localhost:8080/x",
        ] {
            assert!(check(address, Use::Link).is_err(), "{address}");
            assert!(check(address, Use::Player).is_err(), "{address}");
        }
    }

    #[test]
    fn pictures_and_players_are_of_the_web() {
        assert_eq!(check("data:image/png;base64,x", Use::Picture), Ok(()));
        for (address, used) in [
            ("data:image/svg+xml,<svg/>", Use::Player),
            ("data:text/html,x", Use::Picture),
            ("mailto:a@b", Use::Picture),
            ("magnet:?x", Use::Player),
            ("ftp://a/b.png", Use::Picture),
        ] {
            assert!(check(address, used).is_err(), "{address}");
        }
    }

    #[test]
    fn a_refused_address_has_a_hint() {
        let hint = |address: &str| check(address, Use::Link).unwrap_err().hint();
        assert_eq!(hint("hhttps://a.example"), "did you mean `https:`?");
        assert_eq!(
            hint("localhost:8080/x?y"),
            "did you mean `http://localhost:8080/x?y`?"
        );
        assert!(hint("ms-msdt:/id").starts_with("pages link to `https:`"));
    }
}
