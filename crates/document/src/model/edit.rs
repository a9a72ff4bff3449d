//! Where the sources of texts can be edited, as their author says.

use serde::{Deserialize, Serialize};

use crate::model::address::is_authority;
use crate::model::encoding::encode_path;

/// What begins the place of a source's path in an address.
const OPENING: &str = "{path";

/// The address at which the source of a text can be edited: the same for all texts, but for the path
/// of the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EditUrl {
    before: String,
    /// The folder that is not part of the path in the address; ends with `/` unless it is the root.
    below: String,
    after: String,
}

impl EditUrl {
    /// Reads an address with `{path}` in it, or with `{path:docs/}` for the path below `docs/`. An
    /// address without it is the beginning of all addresses.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let shown = text.escape_debug();
        let rest = text.strip_prefix("https://");
        let Some(rest) = rest.or_else(|| text.strip_prefix("http://")) else {
            return Err(format!(
                "`{shown}` is not an absolute `http://` or `https://` URL"
            ));
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        if !is_authority(&rest[..end]) {
            return Err(format!("`{shown}` has no valid host"));
        }
        let (before, below, after) = match text.split_once(OPENING) {
            Some((before, rest)) => {
                let Some((below, after)) = rest.split_once('}') else {
                    return Err(format!("`{shown}` has no `}}` after `{OPENING}`"));
                };
                (before.to_owned(), folder(below), after)
            }
            None if text.ends_with(['/', '=']) => (text.to_owned(), Some(String::new()), ""),
            None => (format!("{text}/"), Some(String::new()), ""),
        };
        let is_foreign = |c: char| c.is_whitespace() || c.is_control() || "\"'<>{}\\".contains(c);
        let Some(below) =
            below.filter(|_| !before.contains(is_foreign) && !after.contains(is_foreign))
        else {
            return Err(format!(
                "`{shown}` is not an address with one `{{path}}` or `{{path:folder/}}`"
            ));
        };
        Ok(Self {
            before,
            below,
            after: after.to_owned(),
        })
    }

    /// The address for a source, if it is in the folder that the addresses are about.
    pub fn for_source(&self, source: &str) -> Option<String> {
        let path = encode_path(source.strip_prefix(&self.below)?);
        Some([&self.before, &*path, &self.after].concat())
    }
}

/// The folder after `{path`: `:docs/` is `docs/`.
fn folder(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    let folder = text.strip_prefix(':')?.trim_matches('/');
    let is_plain = !folder.is_empty()
        && !folder
            .split('/')
            .any(|part| matches!(part, "" | "." | ".."));
    is_plain.then(|| format!("{folder}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_path_of_the_source() {
        let check = |text: &str, source: &str, expected: Option<&str>| {
            let url = EditUrl::parse(text).unwrap();
            assert_eq!(
                url.for_source(source).as_deref(),
                expected,
                "{text} {source}"
            );
        };
        let forge = "https://forge.example/o/r/edit/main";
        check(
            forge,
            "docs/a b.md",
            Some("https://forge.example/o/r/edit/main/docs/a%20b.md"),
        );
        check(
            "https://e.example/?file=",
            "a.md",
            Some("https://e.example/?file=a.md"),
        );
        check(
            "https://e.example/{path}?plain=1",
            "a.md",
            Some("https://e.example/a.md?plain=1"),
        );
        check(
            "https://e.example/{path:docs/}",
            "docs/ü.md",
            Some("https://e.example/%C3%BC.md"),
        );
        check("https://e.example/{path:docs}", "blog/a.md", None);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "edit/main",
            "javascript:alert(1)",
            "https:///x",
            "https://e.example/{path",
            "https://e.example/{path:../}",
            "https://e.example/{path}/{path}",
            "https://e.example/{file}",
            "https://e.example/ a",
            "https://e.example/\"onclick=",
        ] {
            assert!(EditUrl::parse(text).is_err(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_address_panics(text in "(https://|a.b|/|\\{path|:|\\}|\\?|é| ){0,8}", source in "\\PC{0,20}") {
            if let Ok(url) = EditUrl::parse(&text) {
                url.for_source(&source);
            }
        }
    }
}
