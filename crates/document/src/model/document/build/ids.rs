//! Ids that match existing links: GitHub's algorithm, explicit ids, and no duplicates.

use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::char::is_combining_mark;

/// The ids used so far on one page.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    taken: FxHashSet<String>,
    /// The repeat count of each id, so that a page of equal headings takes linear time.
    repeats: FxHashMap<String, usize>,
    /// Whether the page contains its own footnotes, with ids that are otherwise reserved.
    pub own_notes: bool,
}

impl Ids {
    /// The id of a heading with this text, by GitHub's algorithm.
    pub(crate) fn heading(&mut self, text: &str) -> String {
        let slug = heading_id(text);
        self.unique(if slug.is_empty() {
            "section".to_owned()
        } else {
            slug
        })
    }

    /// An explicit id of a heading: kept, or made unique, since a heading needs one.
    pub(crate) fn explicit(&mut self, id: &str) -> Option<String> {
        self.is_valid(id).then(|| self.unique(id.to_owned()))
    }

    /// An id of another element: `None` if it is invalid or taken.
    pub(crate) fn claim(&mut self, id: &str) -> Option<String> {
        (self.is_valid(id) && self.taken.insert(id.to_owned())).then(|| id.to_owned())
    }

    /// Whether an author may use this id: no white space, and not one of the page's reserved ids,
    /// which contain a colon: `fn:1`, `page:main`.
    fn is_valid(&self, id: &str) -> bool {
        let own = id.starts_with("page:")
            || !self.own_notes && (id.starts_with("fn:") || id.starts_with("fnref:"));
        !id.is_empty()
            && id.len() <= 500
            && !own
            && !id.contains(|c: char| c.is_whitespace() || c.is_control())
    }

    fn unique(&mut self, id: String) -> String {
        let mut unique = id.clone();
        while !self.taken.insert(unique.clone()) {
            let count = self.repeats.entry(id.clone()).or_insert(0);
            *count += 1;
            unique = format!("{id}-{count}");
        }
        unique
    }
}

/// GitHub's slug of a heading: in lower case, with letters, combining marks, digits, `_` and `-`
/// kept, spaces replaced by `-` and other characters removed.
pub fn heading_id(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if matches!(c, ' ' | '\t' | '\n') {
            slug.push('-');
        } else if c.is_alphanumeric()
            || is_combining_mark(c)
            || matches!(c, '-' | '_' | '‿' | '⁀' | '⁔' | '＿')
        {
            slug.extend(c.to_lowercase());
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_github_s() {
        for (text, expected) in [
            ("Hello, World!", "hello-world"),
            ("  What's `new` in 2.0?  ", "whats-new-in-20"),
            ("A -- B", "a----b"),
            ("Überraschung & Käse", "überraschung--käse"),
            ("日本語 の 見出し", "日本語-の-見出し"),
            ("snake_case-and-dash", "snake_case-and-dash"),
            ("हिन्दी", "हिन्दी"),
            ("🎉 Party", "-party"),
        ] {
            assert_eq!(heading_id(text), expected, "{text}");
        }
    }

    #[test]
    fn every_id_is_given_once() {
        let mut ids = Ids::default();
        assert_eq!(ids.heading("Foo"), "foo");
        assert_eq!(ids.heading("foo"), "foo-1");
        assert_eq!(ids.heading("Foo 1"), "foo-1-1");
        assert_eq!(ids.heading("foo"), "foo-2");
        assert_eq!(ids.heading("!!!"), "section");
        assert_eq!(ids.explicit("foo").as_deref(), Some("foo-3"));
        assert_eq!(ids.explicit("with space"), None);
        assert_eq!(ids.claim("foo"), None);
        assert_eq!(ids.claim("fn:1"), None);
        assert_eq!(ids.claim("bar").as_deref(), Some("bar"));
    }
}
