//! The properties of a page of Logseq: lines `key:: value` at its beginning, or its first block if that
//! has nothing else.

use super::header::Header;
use super::{Entry, Node, Split, Value, line_at};

/// The maximum number of lines.
const MOST: usize = 200;
/// The longest key, in bytes.
const LONGEST: usize = 100;
/// The keys of other names of a page, of which its title is one.
const NAMES: [&str; 2] = ["alias", "aliases"];
/// The keys that say something of the page. Others are the author's own, and part of the text.
const KNOWN: [&str; 5] = ["title", "alias", "aliases", "tags", "public"];
/// The keys that the program keeps for itself: no reader sees them.
const INTERNAL: [&str; 6] = [
    "collapsed",
    "created-at",
    "filters",
    "icon",
    "id",
    "updated-at",
];

/// A text split into its properties and its body. One without properties may have front matter.
pub fn split<'a>(text: &'a str, path: &str) -> Split<'a> {
    match properties(text) {
        Some(properties) => properties.split(text),
        None => super::split(text, path),
    }
}

fn properties(text: &str) -> Option<Header> {
    let start = super::first_filled_line(text);
    let is_block = text[start..].starts_with("- ");
    let first_line = line_at(text, start);
    let (mut entries, mut end) = (Vec::new(), start);
    // Where the text begins: at the first property of the author's own.
    let mut shown = None;
    let lines = text[start..].split_inclusive('\n').zip(first_line..);
    for (line, number) in lines.take(MOST) {
        let inner = match (is_block, end == start) {
            (true, true) => line.strip_prefix("- "),
            (true, false) => line.strip_prefix("  "),
            (false, _) => Some(line),
        };
        match inner.and_then(property) {
            Some((key, value)) => {
                if !add(&mut entries, key, value, number) {
                    shown = shown.or(Some(end));
                }
            }
            // Words of the first block make all of it a block of the text.
            None if is_block && inner.is_some_and(|inner| !inner.trim().is_empty()) => return None,
            None => break,
        }
        end += line.len();
    }
    name_by_title(&mut entries);
    let behind = shown.unwrap_or(end);
    (end > start).then_some(Header {
        entries,
        end: behind,
    })
}

/// The key of a line and its value.
fn property(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once("::")?;
    let is_in_key = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '?' | '!');
    let is_key = !key.is_empty() && key.len() <= LONGEST && key.chars().all(is_in_key);
    let is_value = value.is_empty() || value.starts_with([' ', '\t', '\n']);
    (is_key && is_value).then(|| (key, value.trim()))
}

/// Adds a property, or returns `false` for one of the author's own. Of a key given twice the last
/// counts.
fn add(entries: &mut Vec<Entry>, key: &str, value: &str, line: u32) -> bool {
    let key = key.to_ascii_lowercase();
    if INTERNAL.contains(&&*key) {
        return true;
    }
    if !KNOWN.contains(&&*key) {
        return false;
    }
    entries.retain(|known| known.key.text != key);
    let value = value.replace("[[", "").replace("]]", "");
    entries.push(Entry::plain(&key, value, line, 1));
    true
}

/// Makes the title one of the names of the page: links name it.
fn name_by_title(entries: &mut Vec<Entry>) {
    let title = entries.iter().find(|entry| entry.key.text == "title");
    let Some(title) = title.map(|entry| entry.node.clone()) else {
        return;
    };
    let known = entries.iter_mut();
    let known = known
        .into_iter()
        .find(|entry| NAMES.contains(&entry.key.text.as_str()));
    let Some(known) = known else {
        let key = Node::plain(NAMES[0], title.line, 1).into_key();
        let value = Value::List(vec![title.clone()]);
        let node = Node { value, ..title };
        entries.push(Entry { key, node });
        return;
    };
    let names = known.node.text().unwrap_or_default().to_owned();
    let (line, column) = (known.node.line, known.node.column);
    let names = names
        .split(',')
        .map(|name| Node::plain(name.trim(), line, column));
    known.node.value = Value::List(names.chain([title]).collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, keys: &[&str], body: &str) {
        let split = split(text, "a.md");
        let entries = split.front.entries.iter();
        let shown = entries.map(|entry| {
            let items = entry.node.items().iter().filter_map(Node::text);
            let items: Vec<&str> = items.collect();
            format!("{} {}", entry.key.text, items.join("|"))
        });
        assert_eq!(shown.collect::<Vec<_>>(), keys, "{text}");
        assert_eq!(split.body, body, "{text}");
        let before = &text[..text.len() - body.len()];
        assert_eq!(
            split.first_line as usize,
            1 + before.matches('\n').count(),
            "{text}"
        );
    }

    #[test]
    fn properties_of_a_page_are_its_front_matter() {
        check(
            "title:: A: b\ntags:: a, [[b c]]\nalias:: x, y\npublic:: true\nicon::\n\n- text\n",
            &["title A: b", "tags a, b c", "alias x|y|A: b", "public true"],
            "\n- text\n",
        );
        check(
            "- title:: A\n  created-at:: 1609459200000\n  tags:: 1\n- text\n",
            &["title A", "tags 1", "alias A"],
            "- text\n",
        );
        // Those of the author's own are part of the text.
        check(
            "public:: true\nstatus:: draft\ndate:: [[Someday]]\nTags:: a\n\n- text\n",
            &["public true", "tags a"],
            "status:: draft\ndate:: [[Someday]]\nTags:: a\n\n- text\n",
        );
        check("\ntype:: [[Platform]]", &[], "type:: [[Platform]]");
        for text in [
            "- words\n  key:: v\n",
            "- key:: v\n  words\n",
            "std::vector is\n",
            "key: v\n",
            "words\nkey:: v\n",
            "",
        ] {
            check(text, &[], text);
        }
        check("---\ntitle: A\n---\nkey:: v", &["title A"], "key:: v");
    }

    proptest::proptest! {
        #[test]
        fn no_properties_panic(text in "(- |  |key|title|alias|:: |::|\n|é|---|,|\\[\\[){0,30}") {
            let split = split(&text, "a.md");
            proptest::prop_assert!(text.ends_with(split.body));
        }
    }
}
