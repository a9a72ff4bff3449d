//! Titles and summaries without markup.

use std::ops::Range;

use super::one_line;

/// Many more characters than are shown of any title or summary; bounds the work on hostile input.
const ENOUGH: usize = 4000;

/// The supported entities; `&amp;` is last, so that nothing is decoded twice.
const ENTITIES: [(&str, &str); 14] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&#39;", "'"),
    ("&nbsp;", " "),
    ("&ndash;", "–"),
    ("&mdash;", "—"),
    ("&hellip;", "…"),
    ("&rsquo;", "’"),
    ("&lsquo;", "‘"),
    ("&rdquo;", "”"),
    ("&ldquo;", "“"),
    ("&amp;", "&"),
];

/// The plain text of a title or summary that may contain light markup. Removes tags, template tags,
/// emphasis, code and link markup, decodes entities and backslash escapes, and collapses white
/// space to one line.
pub fn plain(text: &str) -> String {
    let mut text = super::first(text, ENOUGH).to_owned();
    for (open, close) in [("{{", "}}"), ("{%", "%}"), ("<!--", "-->")] {
        text = without(&text, open, close);
    }
    text = without_tags(&text);
    for (entity, character) in ENTITIES {
        text = text.replace(entity, character);
    }
    one_line(&without_marks(&text))
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

/// Removes HTML tags: `<` directly before a letter or `/`, up to the next `>`.
fn without_tags(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        kept.push_str(before);
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            kept.push('<');
            rest = tag;
            continue;
        }
        let Some((name, behind)) = tag.split_once('>') else {
            return kept + "<" + tag;
        };
        if name.starts_with("br") || name.starts_with("/p") {
            kept.push(' ');
        }
        rest = behind;
    }
    kept + rest
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
        let opener = open
            .iter()
            .rposition(|opener| characters[opener.clone()] == *run);
        if let Some(opener) = opener.filter(|_| is_word(before) && is_edge(after)) {
            marks[open[opener].clone()].fill(true);
            marks[range].fill(true);
            open.truncate(opener);
        } else if is_word(after) && is_edge(before) && open.len() < 100 {
            open.push(range);
        }
    }
    marks
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
}
