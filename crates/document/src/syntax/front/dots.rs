//! The metadata of Nikola: lines `.. key: value` at the beginning of a text, or in its first comment.

use super::header::Header;
use super::{Entry, Split, first_filled_line, line_at};

/// The maximum number of lines.
const MOST: usize = 200;
/// The longest key, in bytes.
const LONGEST: usize = 100;
/// Tags that make a post a draft, or private.
const STATES: [&str; 2] = ["draft", "private"];
/// What a comment begins and ends with.
const COMMENT: [&str; 2] = ["<!--", "-->"];

/// A text split into its metadata and its body; `None`: it has none. Lines among the metadata that
/// are not a key and its value belong to nothing.
pub fn split(text: &str) -> Option<Split<'_>> {
    let start = first_filled_line(text);
    let opening = text[start..].lines().next()?;
    let is_comment = opening.trim() == COMMENT[0];
    if !is_comment && property(opening).is_none() {
        return None;
    }
    let first_line = line_at(text, start);
    let block = &text[start..start + length(&text[start..], is_comment)];
    let mut entries = Vec::new();
    for (line, number) in block.lines().zip(first_line..) {
        let line = line.trim_end().trim_end_matches(COMMENT[1]);
        if let Some((key, value)) = property(line) {
            entries.push(Entry::plain(key, value, number, 1));
        }
    }
    let tags = entries.iter().find(|entry| entry.key.text == "tags");
    let tags = tags.and_then(|entry| entry.node.text()).unwrap_or_default();
    let mut tags = tags.split(',').map(str::trim);
    let state = tags.find(|tag| STATES.contains(tag));
    if let Some(state) = state.map(str::to_owned) {
        entries.retain(|entry| entry.key.text != "status");
        entries.push(Entry::plain("status", state, first_line, 1));
    }
    let end = start + block.len();
    (!entries.is_empty()).then(|| Header { entries, end }.split(text))
}

/// The length of the lines of metadata that begin a text: those of a comment, or up to an empty line.
fn length(text: &str, is_comment: bool) -> usize {
    let lines = || text.split_inclusive('\n').take(MOST);
    let closing = lines().position(|line| line.contains(COMMENT[1]));
    let count = match closing.filter(|_| is_comment) {
        Some(last) => last + 1,
        None => lines().take_while(|line| !line.trim().is_empty()).count(),
    };
    lines().take(count).map(str::len).sum()
}

/// The key of a line and its value.
fn property(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim_start().strip_prefix(".. ")?.split_once(':')?;
    let is_in_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    // `.. note::` is a directive.
    let is_one = !key.is_empty()
        && key.len() <= LONGEST
        && key.chars().all(is_in_key)
        && !value.starts_with(':');
    is_one.then(|| (key, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, keys: &[&str], body: &str) {
        let split = split(text);
        let entries = split.iter().flat_map(|split| &split.front.entries);
        let shown = entries.map(|entry| {
            let value = entry.node.text().unwrap_or_default();
            format!("{} {value}", entry.key.text)
        });
        assert_eq!(shown.collect::<Vec<_>>(), keys, "{text}");
        assert_eq!(split.map_or(text, |split| split.body), body, "{text}");
    }

    #[test]
    fn metadata_of_nikola_is_front_matter() {
        check(
            ".. title: A: b\n.. status: draft\n\nText",
            &["title A: b", "status draft"],
            "\nText",
        );
        check(
            "<!--\n.. title: A\n.. tags: x, draft\n\n-->\n\nText",
            &["title A", "tags x, draft", "status draft"],
            "\nText",
        );
        check(
            "<!--\n.. title: B\n.. description: one\ntwo\n..editor: c\n.. status: draft\n-->\n\nText",
            &["title B", "description one", "status draft"],
            "\nText",
        );
        check(
            "<!--\n   .. title: C\n   .. status: draft -->\nText",
            &["title C", "status draft"],
            "Text",
        );
        check(
            ".. title: A\nwords\n.. status: draft\n\nText",
            &["title A", "status draft"],
            "\nText",
        );
        check("<!--\n.. title: A\n\nText", &["title A"], "\nText");
        for text in [
            ".. note:: words",
            "<!--\nwords\n-->",
            "<!-- .. a: b -->",
            "..",
            "",
            "a\n.. title: A",
        ] {
            check(text, &[], text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_metadata_panics(text in "(<!--|-->|\\.\\. |title|tags|: |draft|,|\n|é| ){0,30}") {
            if let Some(split) = split(&text) {
                proptest::prop_assert!(text.ends_with(split.body));
            }
        }
    }
}
