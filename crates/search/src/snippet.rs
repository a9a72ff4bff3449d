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

/// A snippet: text, with the positions of the words asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// Plain text.
    pub text: String,
    /// Positions of words, in order.
    pub marks: Vec<Range<usize>>,
}

/// The snippet of a page. `markdown`: its text. `heading`: that of the section; empty for the whole
/// text.
pub fn snippet(markdown: &str, heading: &str, asked: &[String]) -> Snippet {
    let text = section(markdown, heading);
    let mut best = (0, String::new(), Vec::new());
    let mut fence = None;
    for line in up_to(text, LOOKED_AT).lines() {
        let line = line.trim();
        let plain = match fence {
            Some(open) if is_end(line, open) => {
                fence = None;
                continue;
            }
            Some(_) => line.to_owned(),
            None => {
                let line = without_markers(line);
                fence = fence_of(line);
                if fence.is_some() || line.starts_with('#') {
                    continue;
                }
                plain(line)
            }
        };
        if !plain.contains(char::is_alphanumeric) {
            continue;
        }
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

/// The signs that begin a block of code with this line: at least three of one kind.
fn fence_of(line: &str) -> Option<&str> {
    let sign = line.chars().next().filter(|sign| "`~".contains(*sign))?;
    let rest = line.trim_start_matches(sign);
    let length = line.len() - rest.len();
    // Behind the signs of code in a line there are more of them.
    (length >= 3 && !rest.contains('`')).then_some(&line[..length])
}

/// Whether a line ends the block of code that these signs began.
fn is_end(line: &str, open: &str) -> bool {
    let line = line.trim_start_matches(['>', ' ']);
    line.starts_with(open) && line.bytes().all(|byte| byte == open.as_bytes()[0])
}

/// A line without what begins its block: signs of quotes, lists, tasks, rows and notes.
fn without_markers(line: &str) -> &str {
    let mut rest = line;
    loop {
        let line = rest.trim_start();
        rest = match marker(line) {
            0 => return line,
            length => &line[length..],
        };
    }
}

/// The bytes of the sign of a block at the beginning of a line.
fn marker(line: &str) -> usize {
    const WITH_SPACE: [&str; 5] = ["- ", "+ ", "* ", "[ ] ", "[x] "];
    if line.starts_with(['>', '|']) {
        return 1;
    }
    if let Some(marker) = WITH_SPACE.iter().find(|marker| line.starts_with(**marker)) {
        return marker.len();
    }
    if let Some(kind) = line.strip_prefix("[!") {
        let end = kind.find(|letter: char| !letter.is_ascii_uppercase());
        return end
            .filter(|end| kind[*end..] == *"]")
            .map_or(0, |end| end + 3);
    }
    let (digits, note) = match line.strip_prefix("[^") {
        Some(label) => (label, "]: "),
        None => (line, ""),
    };
    let rest = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = rest.len() < digits.len();
    let ends: &[&str] = if note.is_empty() {
        &[". ", ") "]
    } else {
        &[note]
    };
    let end = ends.iter().find(|end| is_number && rest.starts_with(**end));
    end.map_or(0, |end| line.len() - rest.len() + end.len())
}

/// A line without marks of Markdown.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let mut length = letter.len_utf8();
        let after = &rest[length..];
        match letter {
            '\\' => {
                plain.extend(after.chars().next());
                length += after.chars().next().map_or(0, char::len_utf8);
            }
            '`' => {
                let (code, end) = code(rest);
                plain.push_str(code);
                length = end;
            }
            '[' => length = mention(rest),
            ']' if after.starts_with('(') => length += address(after),
            '*' | ']' => {}
            '!' if after.starts_with('[') => {}
            '~' | '$' if after.starts_with(letter) => length *= 2,
            '<' if let Some(link) = autolink(after) => {
                plain.push_str(link);
                length += link.len() + 1;
            }
            '&' if let Some((sign, end)) = reference(after) => {
                plain.push(sign);
                length += end;
            }
            '|' => plain.push(' '),
            other if other.is_control() => plain.push(' '),
            other => plain.push(other),
        }
        rest = &rest[length..];
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// The code that a text begins with, and where it ends. A run of signs without an end is left out.
fn code(text: &str) -> (&str, usize) {
    let run = |text: &str| text.len() - text.trim_start_matches('`').len();
    let length = run(text);
    let mut at = length;
    while let Some(start) = text[at..].find('`').map(|start| at + start) {
        let end = start + run(&text[start..]);
        if end - start == length {
            return (text[length..start].trim(), end);
        }
        at = end;
    }
    ("", length)
}

/// The bytes of the mention of a note; else of the bracket that begins a link.
fn mention(text: &str) -> usize {
    let Some(label) = text.strip_prefix("[^") else {
        return 1;
    };
    let rest = label.trim_start_matches(|letter: char| letter.is_ascii_digit());
    match rest.starts_with(']') && rest.len() < label.len() {
        true => text.len() - rest.len() + 1,
        false => 1,
    }
}

/// The bytes of the address of a link, in parentheses.
fn address(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.bytes().enumerate() {
        depth += match letter {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// The address between angle brackets, behind the first of them.
fn autolink(text: &str) -> Option<&str> {
    let end = text.find(|letter: char| "<>".contains(letter) || letter.is_whitespace())?;
    let link = &text[..end];
    (text[end..].starts_with('>') && link.contains([':', '@'])).then_some(link)
}

/// The character of a character reference, and the bytes of it behind its `&`.
fn reference(text: &str) -> Option<(char, usize)> {
    const LONGEST: usize = 8;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let sign = match &text[..end] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        number => char::from_u32(number.strip_prefix('#')?.parse().ok()?)?,
    };
    Some((sign, end + 1))
}

/// The positions of the words of a line that begin with one asked for.
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
    fn a_snippet_has_no_marks_of_markdown() {
        for (markdown, expected) in [
            ("**a** ~~b~~ *c* `*d*` ``e`f`` g", "a b c *d* e`f g"),
            ("- [x] word", "word"),
            ("  - [ ] word", "word"),
            ("12. word", "word"),
            ("> 1) word", "word"),
            ("> [!NOTE]\n> word", "word"),
            ("word[^1], more[^22]", "word, more"),
            ("[^3]: word", "word"),
            ("- # Heading\n- word", "word"),
            ("- ```rust\n  ```\n- word", "word"),
            ("```text\n  word ** [x](y) | #\n```", "word ** [x](y) | #"),
            ("~~~~\n# word\n~~~\n~~~~", "# word"),
            ("`code` begins a line", "code begins a line"),
            ("``` code ``` begins a line", "code begins a line"),
            (
                "see <https://example.org/a_b> and 1 <2> 3",
                "see https://example.org/a_b and 1 <2> 3",
            ),
            (
                "a &lt;b> &amp;amp; &#40;c) & d; &nope;",
                "a <b> &amp; (c) & d; &nope;",
            ),
            ("$$x$$ costs $5", "x costs $5"),
            ("-5 degrees", "-5 degrees"),
            ("[a](<b c> \"(t)\") ![d](e) \\[f\\]", "a d [f]"),
            ("a ` b [^c] ~ d", "a  b ^c ~ d"),
        ] {
            assert_eq!(snippet(markdown, "", &[]).text, expected, "{markdown}");
        }
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
        fn no_text_panics(text in "(?s)[#`*\\[\\](\\\\|> &<~$^!1.;:]{0,40}\\PC{0,300}", heading in "\\PC{0,9}", query in "\\PC{0,20}") {
            let found = snippet(&text, &heading, &crate::rank::query_words(&query));
            for mark in found.marks {
                assert!(found.text.get(mark).is_some());
            }
        }
    }
}
