//! Front matter of Org: lines `#+key: value` at the beginning of a text.

use super::header::Header;
use super::{Entry, Node, Split, Value, after_space, line_at, split_after_space};

/// The maximum number of lines.
const MOST: usize = 200;
/// What each of these lines begins with.
const MARK: &str = "#+";
/// The length of a date without its day of the week, in bytes.
const DATE: usize = "2006-01-02".len();

/// A text split into its keywords and its body. One without keywords may have front matter, also
/// behind white space.
pub fn split<'a>(text: &'a str, path: &str) -> Split<'a> {
    match keywords(text) {
        Some(keywords) => keywords.split(text),
        None => split_after_space(text, path),
    }
}

fn keywords(text: &str) -> Option<Header> {
    let start = after_space(text);
    let (mut entries, mut end) = (Vec::new(), start);
    let lines = text[start..]
        .split_inclusive('\n')
        .zip(line_at(text, start)..);
    for (line, number) in lines.take(MOST) {
        let Some(keyword) = line.strip_prefix(MARK) else {
            break;
        };
        // A line without a key is not text either.
        if let Some((key, value)) = keyword.split_once(':') {
            add(&mut entries, key, value.trim(), number);
        }
        end += line.len();
    }
    (end > start).then_some(Header { entries, end })
}

/// Adds a value. Those of a key that is given again are a list.
fn add(entries: &mut Vec<Entry>, key: &str, value: &str, line: u32) {
    let (key, node) = read(key, value, line);
    let known = entries
        .iter_mut()
        .find(|known| known.key.text.eq_ignore_ascii_case(key));
    match known {
        None => entries.push(Entry::new(&key.to_ascii_lowercase(), node)),
        Some(known) => {
            let node = Node {
                line: known.node.line,
                ..node
            };
            let items = [known.node.items(), node.items()].concat();
            known.node.value = Value::List(items);
        }
    }
}

/// The key and the value of a line. A key that ends with `[]` has a list of words.
fn read<'k>(key: &'k str, value: &str, line: u32) -> (&'k str, Node) {
    let Some(key) = key.strip_suffix("[]") else {
        let value = date(value).unwrap_or(value);
        return (key, Node::plain(value, line, 1));
    };
    let items = value.split_whitespace();
    let items = items.map(|item| Node::plain(item, line, 1));
    let node = Node {
        value: Value::List(items.collect()),
        line,
        column: 1,
    };
    (key, node)
}

/// The date in `<2020-01-02 Thu>` or `[2020-01-02 Thu]`.
fn date(value: &str) -> Option<&str> {
    let inside = value.strip_prefix(['<', '['])?.strip_suffix(['>', ']'])?;
    let date = inside.get(..DATE)?;
    let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'-';
    date.bytes().all(is_part).then_some(date)
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
        let line = 1 + before.matches('\n').count();
        assert_eq!(split.first_line as usize, line, "{text}");
    }

    #[test]
    fn keywords_of_org_are_front_matter() {
        check(
            "\n #+TITLE: A: b\n#+draft: true\n#+tags[]: a b\n#+options\n\n#+after: x\n",
            &["title A: b", "draft true", "tags a|b"],
            "\n#+after: x\n",
        );
        check(
            "#+date: <2020-01-02 Thu>\n#+lastmod: [2021-01-02 Sat 10:00]\n---\na: b\n---\n",
            &["date 2020-01-02", "lastmod 2021-01-02"],
            "---\na: b\n---\n",
        );
        check("#+draft: true\n#+Draft: false", &["draft true|false"], "");
        check("#+title: <Component> x>", &["title <Component> x>"], "");
        for text in ["# A\n#+title: B\n", "#hash\n", "", " \n", "a\n#+title: B"] {
            check(text, &[], text);
        }
    }

    #[test]
    fn front_matter_may_follow_white_space() {
        check(" ---\na: b\n---\nText", &["a b"], "Text");
        check("\n \n\t+++\na = \"b\"\n+++\nText", &["a b"], "Text");
        check("  {\"a\": \"b\"}\nText", &["a b"], "Text");
        for text in ["    code\n", " --- a\n", "\u{a0}---\na: b\n---\n"] {
            check(text, &[], text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_keywords_panic(text in "(#\\+|title|date|\\[\\]|: |:|<|>|2020-01-02|é| |\n|---){0,30}") {
            let split = split(&text, "a.md");
            proptest::prop_assert!(text.ends_with(split.body));
        }
    }
}
