//! Addresses that name files of the folder behind a word in braces: `{static}/images/a.png`,
//! `{filename}b.md#head`, `|attach|c.png`.

use crate::model::document::POST;
use crate::model::path::{folder, join};
use crate::syntax::front::{Entry, Node};

/// The signs around the word.
const SIGNS: [(char, char); 2] = [('{', '}'), ('|', '|')];

/// How a site names its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFiles {
    /// The folder from which paths count that begin with `/`.
    pub folder: String,
    /// What is before the word instead of braces: `link://filename/posts/a.md`.
    pub scheme: Option<&'static str>,
}

impl NamedFiles {
    /// The address in usual form, in the text at a path; `None`: it is one already.
    pub fn address(&self, path: &str, raw: &str) -> Option<String> {
        let raw = raw.trim();
        if let Some(scheme) = self.scheme {
            return by_scheme(raw.strip_prefix(scheme)?);
        }
        let (word, named) = SIGNS.iter().find_map(|(open, close)| {
            let inner = raw.strip_prefix(*open)?;
            inner.split_once(*close)
        })?;
        match word {
            "filename" | "static" | "attach" => self.file(path, named),
            "index" => Some(format!("/{}", named.trim_start_matches('/'))),
            // Categories are tags as well.
            "tag" | "category" => Some(format!("/tags/{named}/")),
            "author" => Some(format!("/{word}/{named}/")),
            _ => None,
        }
    }

    /// The address of a file that the text at a path names.
    fn file(&self, path: &str, named: &str) -> Option<String> {
        let end = named.find(['#', '?']).unwrap_or(named.len());
        let (target, end) = named.split_at(end);
        let whole = match target.strip_prefix('/') {
            Some(target) => join(&self.folder, target)?,
            None => join(folder(path), target)?,
        };
        Some(format!("/{whole}{end}"))
    }

    /// Gives the values of front matter their usual form.
    pub fn settle(&self, path: &str, entries: &mut [Entry]) {
        for entry in entries {
            let own = entry.node.text();
            if let Some(address) = own.and_then(|raw| self.address(path, raw)) {
                entry.node = Node::plain(address, entry.node.line, entry.node.column);
            }
        }
    }
}

/// What is behind the scheme: a file from the root, or a text by its slug.
fn by_scheme(raw: &str) -> Option<String> {
    let (word, named) = raw.split_once('/').unwrap_or((raw, ""));
    match word {
        "filename" | "slug" if named.is_empty() => None,
        "filename" => Some(format!("/{named}")),
        "slug" => Some(format!("{POST}{named}")),
        "tag" | "category" => Some(format!("/tags/{named}/")),
        "root" | "index" => Some("/".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_folder_or_from_the_text() {
        let files = NamedFiles {
            folder: "content".to_owned(),
            scheme: None,
        };
        let of = |raw: &str| files.address("content/blog/a.md", raw);
        for (raw, expected) in [
            ("{static}/images/a.png", Some("/content/images/a.png")),
            ("{attach}a%20b.png", Some("/content/blog/a%20b.png")),
            ("|filename|../c.md#head", Some("/content/c.md#head")),
            ("{filename}../../../c.md", None),
            ("{index}", Some("/")),
            ("{tag}x", Some("/tags/x/")),
            ("{other}x", None),
            ("a.png", None),
            ("{", None),
        ] {
            assert_eq!(of(raw).as_deref(), expected, "{raw}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_address_panics(raw in "(\\{|\\}|\\||static|index|/|\\.\\.|#|é){0,12}") {
            let files = NamedFiles { folder: String::new(), scheme: None };
            files.address("a/b.md", &raw);
        }
    }
}
