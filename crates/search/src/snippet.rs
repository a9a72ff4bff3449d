//! A few words of a text around the words asked for.
//!
//! They are taken from the Markdown form of a page: the line with most of the words, in the section
//! that the answer leads to, without marks of Markdown.

use std::ops::Range;

use crate::words;

/// Bytes of the text that are looked at.
const LOOKED_AT: usize = 6 << 10;
/// The length in characters.
const LENGTH: usize = 180;
/// Characters before the first word asked for.
const BEFORE: usize = 60;

/// A snippet: text, with the places of the words asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// Plain text.
    pub text: String,
    /// Places of words, in order.
    pub marks: Vec<Range<usize>>,
}

/// The snippet of a page. `markdown`: its text. `heading`: that of the section; empty for the whole
/// text.
pub fn snippet(markdown: &str, heading: &str, asked: &[String]) -> Snippet {
    let text = section(markdown, heading);
    let mut best = (0, String::new(), Vec::new());
    for line in up_to(text, LOOKED_AT).lines() {
        if is_markup(line) {
            continue;
        }
        let plain = plain(line);
        let marks = marks(&plain, asked);
        let mut known: Vec<&str> = marks.iter().map(|place| &plain[place.clone()]).collect();
        known.sort_unstable();
        known.dedup();
        let worth = 1 + known.len();
        if worth > best.0 && !plain.is_empty() {
            best = (worth, plain, marks);
        }
    }
    let (_, text, marks) = best;
    cut(&text, &marks)
}

/// The part of a Markdown text that begins with this heading.
fn section<'m>(markdown: &'m str, heading: &str) -> &'m str {
    let wanted = letters(heading);
    if wanted.is_empty() {
        return markdown;
    }
    // A long heading is shortened.
    let is_cut = heading.ends_with('…');
    let is_heading = |line: &str| *line == wanted || is_cut && line.starts_with(&wanted);
    let mut at = 0;
    for line in markdown.split_inclusive('\n') {
        at += line.len();
        if line.starts_with('#') && is_heading(&letters(line)) {
            return &markdown[at..];
        }
    }
    markdown
}

/// Letters and digits in lower case.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The beginning of a text, at most this many bytes.
fn up_to(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Whether a line is not prose: a heading, a fence, a rule of a table.
fn is_markup(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['#', '`', '~']) || !line.contains(char::is_alphanumeric)
}

/// Skips the address of a link, in parentheses.
fn skip_address(letters: &mut impl Iterator<Item = char>) {
    let mut depth = 0;
    for letter in letters {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            break;
        }
    }
}

/// A line without marks of Markdown.
fn plain(line: &str) -> String {
    let line = line
        .trim()
        .trim_start_matches(['>', '-', '+', '*', '|', ' ']);
    let mut plain = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next()),
            '*' | '`' | '[' => {}
            '!' if letters.peek() == Some(&'[') => {}
            '|' => plain.push(' '),
            ']' if letters.peek() == Some(&'(') => skip_address(&mut letters),
            ']' => {}
            other if other.is_control() => plain.push(' '),
            other => plain.push(other),
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// The places of the words of a line that begin with one asked for.
fn marks(line: &str, asked: &[String]) -> Vec<Range<usize>> {
    let mut marks: Vec<Range<usize>> = Vec::new();
    words::each(line, |place, word| {
        if !asked.iter().any(|asked| is_asked(word, asked)) {
            return;
        }
        match marks.last_mut() {
            // Pairs of characters overlap.
            Some(last) if last.end > place.start => last.end = place.end,
            _ => marks.push(place),
        }
    });
    marks
}

/// Whether a word is found by one asked for.
fn is_asked(word: &str, asked: &str) -> bool {
    word == asked || word.starts_with(asked) && (!asked.is_ascii() || asked.len() > 2)
}

/// What ends a sentence: no sign after it shows that the text continues.
const ENDS: [char; 6] = ['.', '!', '?', '…', '。', '؟'];

/// At most [`LENGTH`] characters of a line, from shortly before the first mark.
fn cut(line: &str, marks: &[Range<usize>]) -> Snippet {
    let first = marks.first().map_or(0, |mark| mark.start);
    let start = start_before(line, first);
    let end = end_behind(line, start);
    let mut text = String::new();
    if start > 0 {
        text.push('…');
    }
    let shift = |at: usize| at - start + text.len();
    let marks = marks
        .iter()
        .filter(|mark| mark.start >= start && mark.end <= end)
        .map(|mark| shift(mark.start)..shift(mark.end))
        .collect();
    text.push_str(&line[start..end]);
    if end < line.len() && !text.ends_with(ENDS) {
        text.push('…');
    }
    Snippet { text, marks }
}

/// Where a snippet ends that begins at `start`: behind a word.
fn end_behind(line: &str, start: usize) -> usize {
    let length = nth(&line[start..], LENGTH);
    let mut end = start + length;
    if end < line.len() {
        end = line[start..end]
            .rfind(' ')
            .map_or(end, |space| start + space);
    }
    end
}

/// Where a snippet begins whose first mark is at `first`.
fn start_before(line: &str, first: usize) -> usize {
    let before = line[..first].chars().count();
    if before <= BEFORE {
        0
    } else {
        let near = nth(line, before - BEFORE);
        line[near..first]
            .find(' ')
            .map_or(near, |space| near + space + 1)
    }
}

/// The place of the nth character, or the end.
fn nth(text: &str, number: usize) -> usize {
    text.char_indices()
        .nth(number)
        .map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = "Some [intro](https://example.org/a_(b)) **text**.\n\n## Wheels \\& axles\n\n- A `wheel` of iron\n\n```\nwheel iron\n```\n\n| Iron | Wheels |\n";

    fn check(heading: &str, query: &str, expected: &str) {
        let found = snippet(PAGE, heading, &crate::rank::query_words(query));
        let mut text = found.text.clone();
        for mark in found.marks.iter().rev() {
            text.insert(mark.end, '>');
            text.insert(mark.start, '<');
        }
        assert_eq!(text, expected, "{heading} {query}");
    }

    #[test]
    fn the_line_with_most_of_the_words_in_its_section() {
        check("", "text", "Some intro <text>.");
        check("", "nothing", "Some intro text.");
        check("Wheels & axles", "iron", "A wheel of <iron>");
        check("Wheels & axles", "iron whe", "A <wheel> of <iron>");
        check("Another", "intr", "Some <intro> text.");
    }

    #[test]
    fn long_lines_are_cut_at_words() {
        let line = format!("{}engine {}", "before ".repeat(30), "after ".repeat(60));
        let found = snippet(&line, "", &["engine".to_owned()]);
        assert!(
            found.text.starts_with("…before ") && found.text.ends_with(" after…"),
            "{}",
            found.text
        );
        assert_eq!(&found.text[found.marks[0].clone()], "engine");
        assert!(found.text.chars().count() <= LENGTH + 2);
    }

    #[test]
    fn a_cut_after_a_sentence_is_not_shown() {
        let sentence = "a ".repeat(LENGTH / 2 - 2) + "bc.";
        let found = snippet(&format!("{sentence} More."), "", &["a".to_owned()]);
        assert_eq!(found.text, sentence);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(?s)[#`*\\[\\](\\\\|> ]{0,9}\\PC{0,300}", heading in "\\PC{0,9}", query in "\\PC{0,20}") {
            let found = snippet(&text, &heading, &crate::rank::query_words(&query));
            for mark in found.marks {
                assert!(found.text.get(mark).is_some());
            }
        }
    }
}
