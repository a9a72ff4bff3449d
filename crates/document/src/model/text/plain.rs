//! Titles and summaries without markup.

use std::ops::Range;

use super::{entities::decoded, one_line};

/// Many more characters than are shown of any title or summary; bounds the work on hostile input.
const ENOUGH: usize = 4000;
/// The most tags that are looked at in one title or summary.
const MOST_TAGS: usize = 100;

/// Elements that are markup in a title: paired, they give way to their text.
const ELEMENTS: [&str; 36] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "center", "cite", "code", "del", "dfn", "div", "em",
    "font", "i", "ins", "kbd", "mark", "nobr", "p", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "h1", "h2", "h3",
];
/// Elements without an end.
const VOID: [&str; 4] = ["br", "wbr", "img", "hr"];

/// The plain text of a title or summary that may contain light markup. Removes template tags, known
/// elements, emphasis, code and link markup, decodes entities and backslash escapes, and collapses
/// white space to one line. A tag that is not markup here is text: `<Suspense>`, `<input>`.
pub fn plain(text: &str) -> String {
    let text = without(
        &without_templates(super::first(text, ENOUGH)),
        "<!--",
        "-->",
    );
    one_line(&decoded(&without_marks(&without_elements(&text))))
}

/// A line without template tags: where code loses its markup, they would look like tags.
pub fn without_templates(text: &str) -> String {
    one_line(&without(&without(text, "{{", "}}"), "{%", "%}"))
}

/// Removes everything between two delimiters, and the delimiters; an unclosed one stays.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(open)
        && let Some((_, behind)) = inside.split_once(close)
    {
        kept.push_str(before);
        rest = behind;
    }
    kept + rest
}

/// Removes the tags of known elements, outside code.
fn without_elements(text: &str) -> String {
    let tags = tags(text);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for (number, tag) in tags.iter().enumerate() {
        let is_markup = if VOID.contains(&&*tag.name) {
            tag.range.start > 0 || tag.has_attributes
        } else {
            ELEMENTS.contains(&&*tag.name) && has_partner(&tags, number)
        };
        if is_markup {
            kept.push_str(&text[from..tag.range.start]);
            if matches!(&*tag.name, "br" | "hr" | "p" | "div") {
                kept.push(' ');
            }
            from = tag.range.end;
        }
    }
    kept + &text[from..]
}

/// A tag of HTML in a title.
struct Tag {
    /// In lower case; a capital among small letters is a component, whose name stays as it is.
    name: String,
    is_end: bool,
    has_attributes: bool,
    range: Range<usize>,
}

/// The tags outside code, at most 100.
fn tags(text: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(['<', '`']) {
        let start = at + step;
        at = start + 1;
        if text[start..].starts_with('`') {
            // A tag in code is text.
            at = text[at..].find('`').map_or(at, |end| at + end + 1);
            continue;
        }
        let inner = text[start + 1..].split('>').next().unwrap_or_default();
        let end = start + 1 + inner.len();
        let name = inner.strip_prefix('/').unwrap_or(inner);
        let length = name
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(name.len());
        let (name, attributes) = name.split_at(length);
        let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && attributes.starts_with([' ', '/', '\n', '\t']) | attributes.is_empty();
        if !is_tag || end == text.len() || tags.len() == MOST_TAGS {
            continue;
        }
        let is_capital = !name.contains(|c: char| c.is_ascii_lowercase());
        tags.push(Tag {
            name: if is_capital {
                name.to_ascii_lowercase()
            } else {
                name.to_owned()
            },
            is_end: inner.starts_with('/'),
            has_attributes: attributes.contains('='),
            range: start..end + 1,
        });
        at = end + 1;
    }
    tags
}

/// Whether the tag with this number has an end, or a beginning.
fn has_partner(tags: &[Tag], number: usize) -> bool {
    let tag = &tags[number];
    let others = if tag.is_end {
        &tags[..number]
    } else {
        &tags[number + 1..]
    };
    others
        .iter()
        .any(|other| other.is_end != tag.is_end && other.name == tag.name)
}

/// Removes the delimiters of emphasis, strong, code and links, if Markdown would parse them as
/// such: `2 * 3` and `snake_case` stay.
fn without_marks(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let is_mark = emphasis(&characters);
    let mut kept = String::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        at += 1;
        match character {
            '\\' if characters.get(at).is_some_and(char::is_ascii_punctuation) => {
                kept.push(characters[at]);
                at += 1;
            }
            '`' => {}
            '[' if let Some((label, behind)) = link(&characters, at) => {
                kept.extend(&characters[at..label]);
                at = behind;
            }
            _ if is_mark[at - 1] => {}
            _ => kept.push(character),
        }
    }
    kept
}

/// Which characters are delimiters of emphasis: runs of `*` or `_` that open before a word and
/// close, with the same length, after one.
fn emphasis(characters: &[char]) -> Vec<bool> {
    let mut marks = vec![false; characters.len()];
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for run in characters.chunk_by(|one, next| one == next) {
        let range = end..end + run.len();
        end = range.end;
        if !matches!(run[0], '*' | '_') {
            continue;
        }
        let (before, after) = (characters[..range.start].last(), characters.get(end));
        if is_word(before)
            && is_edge(after)
            && let Some(opener) = take_opener(&mut open, characters, run)
        {
            marks[opener].fill(true);
            marks[range].fill(true);
        } else if is_word(after) && is_edge(before) && open.len() < 100 {
            open.push(range);
        }
    }
    marks
}

/// Removes the last opener that is the same run, and those after it.
fn take_opener(
    open: &mut Vec<Range<usize>>,
    characters: &[char],
    run: &[char],
) -> Option<Range<usize>> {
    let is_same = |opener: &Range<usize>| characters[opener.clone()] == *run;
    let at = open.iter().rposition(is_same)?;
    open.drain(at..).next()
}

fn is_word(side: Option<&char>) -> bool {
    side.is_some_and(|character| !character.is_whitespace())
}

fn is_edge(side: Option<&char>) -> bool {
    side.is_none_or(|character| !character.is_alphanumeric())
}

/// The end of the label and of a link `[label](address)` whose label begins at `start`.
fn link(characters: &[char], start: usize) -> Option<(usize, usize)> {
    let label = start
        + characters[start..]
            .iter()
            .take(1000)
            .position(|character| *character == ']')?;
    let address = characters[label + 1..].strip_prefix(&['('])?;
    let length = address
        .iter()
        .take(2000)
        .position(|character| *character == ')')?;
    Some((label, label + 2 + length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_lose_their_markup_and_keep_their_words() {
        let check = |text: &str, plain_text: &str| assert_eq!(plain(text), plain_text);
        check(
            "**Bold** and `code` in _a_ title",
            "Bold and code in a title",
        );
        check(
            "A [link](https://example.org/) <a href=\"x\">here</a>",
            "A link here",
        );
        check("2 * 3 snake_case C* a < b", "2 * 3 snake_case C* a < b");
        check("Q&amp;A \\#1 {{ site.title }}{% if x %}yes", "Q&A #1 yes");
        check("__init__.py", "init.py");
    }

    #[test]
    fn rule_40_a_title_is_text_and_only_known_elements_are_markup() {
        let check = |text: &str, plain_text: &str| assert_eq!(plain(text), plain_text);
        for text in [
            "<Suspense>",
            "<input>",
            "<div>",
            "<em>: The Emphasis element",
            "<br>: The line break",
            "<A>b</B>",
            "Common components (e.g. <div>)",
            "List<String> and Map<K, V>",
            "</>",
            "a<b and c>d",
            "<my-element>x</my-element>",
            "<Trans>Hi</Trans>",
            "<unclosed",
        ] {
            check(text, text);
        }
        check("U&#46;S&#46; &amp; caf&eacute;", "U.S. & café");
        check("A <em>b</em> <CODE>c</CODE>", "A b c");
        check("One<br>two<br/>three", "One two three");
        check("The `<em>` element</em>", "The <em> element</em>");
        check("<code>&lt;div&gt;</code>", "<div>");
        check("\\<b\\> &#42;x&#42;", "<b> *x*");
        check("<Suspense fallback=\"x\">", "<Suspense fallback=\"x\">");
    }
}
