//! Small questions about plain text: decoding, places, white space, shortening.

use std::borrow::Cow;
use std::cell::Cell;

use crate::model::problem::Problem;

/// Where a mark is found next, remembered: asked from rising places, all questions together cost one search through the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<'t> {
    text: &'t str,
    mark: &'static str,
    /// From where it was searched.
    from: usize,
    /// What was found there; `usize::MAX`: nothing.
    found: usize,
}

impl<'t> Next<'t> {
    pub(crate) const fn of(mark: &'static str, text: &'t str) -> Self {
        Self { text, mark, from: usize::MAX, found: 0 }
    }

    /// The first one that begins here or behind.
    pub(crate) fn from(&mut self, at: usize) -> Option<usize> {
        if !(self.from <= at && at <= self.found) {
            self.from = at;
            let found = self.text.get(at..).and_then(|rest| memchr::memmem::find(rest.as_bytes(), self.mark.as_bytes()));
            self.found = found.map_or(usize::MAX, |length| at + length);
        }
        (self.found != usize::MAX).then_some(self.found)
    }
}

/// The start of every line of a text, to turn byte offsets into places.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// A byte offset and the characters before it on its line: what is asked next is mostly right behind.
    near: Cell<(usize, usize)>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts, near: Cell::new((0, 0)) }
    }

    /// Line and column (in characters) of a byte offset, both from 1.
    pub fn place(&self, offset: usize) -> (u32, u32) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        let (near, before) = self.near.get();
        let (near, before) = if (start..=offset).contains(&near) { (near, before) } else { (start, 0) };
        let column = before + self.text[near..offset].chars().count();
        self.near.set((offset, column));
        (number(line), number(column + 1))
    }
}

/// A count as a line or column number; counts beyond `u32` do not occur in files that fit into memory as text.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether any byte is a wanted one. All are looked at, without a branch, so that sixteen are looked at together: where there mostly is none, that is faster than to
/// stop at the first.
pub fn has_byte(text: &str, wanted: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | wanted(byte))
}

/// Whether two of this byte stand side by side.
pub fn has_double(text: &str, byte: u8) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().zip(bytes.get(1..).unwrap_or_default()).fold(false, |found, (one, next)| found | ((*one == byte) & (*next == byte)))
}

/// Whether XML 1.0 forbids the character (section 2.2); form feeds and NULs are among them.
pub fn forbidden_in_xml(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Reads a file's bytes as text, whatever they hold: UTF-8 (or UTF-16 with its mark), a byte order mark dropped, line ends made `\n`,
/// characters that XML forbids removed. What was mended beyond line ends is a problem with its place.
pub fn decode<'a>(bytes: &'a [u8], path: &str) -> (Cow<'a, str>, Vec<Problem>) {
    let mut problems = Vec::new();
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        _ => utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), path, &mut problems),
    };
    (clean(text, path, &mut problems), problems)
}

/// Marks of two bytes at least that are looked for together: one look over a text, however many they are (at most 64).
pub(crate) struct Marks {
    marks: [&'static str; 64],
    /// For each byte the marks that begin with it, a bit each, and those in which it is the second: most pairs of a text are those of none.
    first: [u64; 256],
    second: [u64; 256],
}

impl Marks {
    /// Fails where it is evaluated, when the program is compiled, on too many marks and on those that are too short.
    pub(crate) const fn of(lists: &[&[&'static str]]) -> Self {
        let mut all = Self { marks: [""; 64], first: [0; 256], second: [0; 256] };
        let (mut list, mut number) = (0, 0);
        while list < lists.len() {
            let mut at = 0;
            while at < lists[list].len() {
                let mark = lists[list][at];
                all.marks[number] = mark;
                all.first[mark.as_bytes()[0] as usize] |= 1 << number;
                all.second[mark.as_bytes()[1] as usize] |= 1 << number;
                (at, number) = (at + 1, number + 1);
            }
            list += 1;
        }
        all
    }

    /// Whether one of them is in a text.
    pub(crate) fn any(&self, text: &str) -> bool {
        /// So many pairs are looked at without a branch.
        const STEP: usize = 16;
        let mut rest = text.as_bytes();
        while let Some(piece) = rest.first_chunk::<{ STEP + 1 }>() {
            let may = (0..STEP).fold(0, |found, at| found | self.pair(piece[at], piece[at + 1]));
            if may != 0 && (0..STEP).any(|at| self.begins(&rest[at..])) {
                return true;
            }
            rest = &rest[STEP..];
        }
        (0..rest.len()).any(|at| self.begins(&rest[at..]))
    }

    /// The marks that begin with these two bytes, and maybe others.
    fn pair(&self, first: u8, second: u8) -> u64 {
        self.first[usize::from(first)] & self.second[usize::from(second)]
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        let [first, second, ..] = bytes else { return false };
        let mut may = self.pair(*first, *second);
        while may != 0 {
            if bytes.starts_with(self.marks[may.trailing_zeros() as usize].as_bytes()) {
                return true;
            }
            may &= may - 1;
        }
        false
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn utf8<'a>(bytes: &'a [u8], path: &str, problems: &mut Vec<Problem>) -> Cow<'a, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let (line, column) = Lines::new(&before).place(before.len());
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            problems.push(
                Problem::warning(format!("the text is not valid UTF-8: byte `0x{byte:02x}` is shown as `\u{fffd}`"))
                    .at(path, line, column)
                    .hint("save the file as UTF-8"),
            );
            Cow::Owned(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

/// Makes all line ends `\n` and removes characters that XML forbids; borrows when there is nothing to do.
fn clean<'a>(text: Cow<'a, str>, path: &str, problems: &mut Vec<Problem>) -> Cow<'a, str> {
    let suspicious = |byte: u8| ((byte < 0x20) & (byte != b'\n') & (byte != b'\t')) | (byte == 0xef);
    if !has_byte(&text, suspicious) {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    let mut told = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                characters.next_if_eq(&'\n');
                clean.push('\n');
            }
            _ if forbidden_in_xml(character) => {
                if character == '\0' && !told {
                    told = true;
                    let (line, column) = Lines::new(&clean).place(clean.len());
                    problems.push(Problem::warning("the text holds a NUL character, which is left out").at(path, line, column));
                }
            }
            _ => clean.push(character),
        }
    }
    Cow::Owned(clean)
}

/// Whether a text is surely one line, and plain: no white space but single spaces between words, no control character, nothing beyond ASCII. Most titles and headings are.
pub fn is_plain_line(text: &str) -> bool {
    let spaced = text.starts_with(' ') || text.ends_with(' ');
    !spaced && !has_byte(text, |byte| !(0x20..0x7f).contains(&byte)) && !has_double(text, b' ')
}

/// One line: every run of white space is one space, none at the ends.
pub fn one_line(text: &str) -> String {
    if is_plain_line(text) {
        return text.to_owned();
    }
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// At most `max` characters of one line of text, cut behind a sentence where one ends in the second half, else behind a word (with `…`).
pub fn shorten(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let head = &text[..end];
    let half = head.char_indices().nth(max / 2).map_or(0, |(at, _)| at);
    let sentence = head.char_indices().rev().take_while(|(at, _)| *at >= half).find_map(|(at, character)| {
        let behind = at + character.len_utf8();
        let full = matches!(character, '。' | '！' | '？' | '।');
        let stop = matches!(character, '.' | '!' | '?' | '…' | '؟') && text[behind..].starts_with(' ');
        (full || stop).then_some(behind)
    });
    if let Some(behind) = sentence {
        return head[..behind].to_owned();
    }
    let room = head.char_indices().last().map_or(0, |(at, _)| at);
    let word = head[..room].rfind(' ').filter(|at| *at >= half / 2).unwrap_or(room);
    format!("{}…", head[..word].trim_end_matches([' ', ',', ';', ':', '-', '–', '—']))
}

/// The plain words of a title or summary that may hold light markup: tags and template tags go, entities and backslash escapes are read,
/// emphasis, code and link marks go, white space is made one line.
pub fn plain(text: &str) -> String {
    /// Far more than any title or summary is shown with; it bounds the work on hostile ones.
    const ENOUGH: usize = 4000;
    let text = text.char_indices().nth(ENOUGH).map_or(text, |(end, _)| &text[..end]);
    let text = without(text, "{{", "}}");
    let text = without(&text, "{%", "%}");
    let text = without(&text, "<!--", "-->");
    one_line(&unmarked(&entities(&tags(&text))))
}

/// The text without what stands between two marks (and the marks); an unclosed mark stays.
fn without<'a>(text: &'a str, open: &str, close: &str) -> Cow<'a, str> {
    if !text.contains(open) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        let Some(length) = rest[at + open.len()..].find(close) else { break };
        kept.push_str(&rest[..at]);
        rest = &rest[at + open.len() + length + close.len()..];
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The text without HTML tags: `<` directly before a letter or `/`, up to the next `>`.
fn tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let behind = &rest[at + 1..];
        let opens = behind.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let close = if opens { behind.find('>') } else { None };
        match close {
            Some(close) => {
                kept.push_str(&rest[..at]);
                if behind.starts_with("br") || behind.starts_with("/p") {
                    kept.push(' ');
                }
                rest = &behind[close + 1..];
            }
            None if opens => break,
            None => {
                kept.push_str(&rest[..=at]);
                rest = behind;
            }
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The text with the five XML entities, `&nbsp;` and a few typographic ones read.
fn entities(text: &str) -> Cow<'_, str> {
    const KNOWN: [(&str, &str); 14] = [
        ("&amp;", "&"),
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
    ];
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        read.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = KNOWN.iter().find(|(name, _)| rest.starts_with(name));
        let (length, value) = known.map_or((1, "&"), |(name, value)| (name.len(), *value));
        read.push_str(value);
        rest = &rest[length..];
    }
    read.push_str(rest);
    Cow::Owned(read)
}

/// The text without marks of emphasis, strong, code and links. A mark counts only where Markdown could read it so: `2 * 3` and `snake_case` stay.
fn unmarked(text: &str) -> Cow<'_, str> {
    if !text.contains(['*', '_', '`', '[', '\\']) {
        return Cow::Borrowed(text);
    }
    let characters: Vec<char> = text.chars().collect();
    let marks = emphasis(&characters);
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < characters.len() {
        let character = characters[at];
        match character {
            '\\' if characters.get(at + 1).is_some_and(char::is_ascii_punctuation) => {
                kept.push(characters[at + 1]);
                at += 1;
            }
            '`' => {}
            _ if marks[at] => {}
            '[' => {
                if let Some((label, behind)) = link(&characters, at) {
                    kept.extend(&characters[at + 1..label]);
                    at = behind;
                    continue;
                }
                kept.push('[');
            }
            _ => kept.push(character),
        }
        at += 1;
    }
    Cow::Owned(kept)
}

/// Which characters are marks of emphasis: runs of `*` or `_` that open before a word and close, with the same length, behind one.
fn emphasis(characters: &[char]) -> Vec<bool> {
    let mut marks = vec![false; characters.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let mark = characters[at];
        let length = characters[at..].iter().take_while(|character| **character == mark).count();
        if matches!(mark, '*' | '_') {
            let before = at.checked_sub(1).and_then(|before| characters.get(before));
            let after = characters.get(at + length);
            let word = |side: Option<&char>| side.is_some_and(|character| !character.is_whitespace());
            let edge = |side: Option<&char>| side.is_none_or(|character| !character.is_alphanumeric());
            let opener = open.iter().rposition(|(start, run)| characters[*start] == mark && *run == length);
            if let (true, true, Some(opener)) = (word(before), edge(after), opener) {
                let (start, _) = open[opener];
                open.truncate(opener);
                marks[start..start + length].fill(true);
                marks[at..at + length].fill(true);
            } else if word(after) && edge(before) && open.len() < 100 {
                open.push((at, length));
            }
        }
        at += length;
    }
    marks
}

/// The end of the label and the position behind a link `[label](address)` that opens at `at`.
fn link(characters: &[char], at: usize) -> Option<(usize, usize)> {
    let label = at + 1 + characters[at + 1..].iter().take(1000).position(|character| *character == ']')?;
    if characters.get(label + 1) != Some(&'(') {
        return None;
    }
    let close = label + 2 + characters[label + 2..].iter().take(2000).position(|character| *character == ')')?;
    Some((label, close + 1))
}

/// A name made presentable: `my-first_post` becomes `My first post`.
pub fn presentable(name: &str) -> String {
    let spaced = one_line(&name.replace(['-', '_'], " "));
    let mut characters = spaced.chars();
    match characters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(characters).collect(),
        _ => spaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let lines = Lines::new("äb\ncd");
        assert_eq!((lines.place(0), lines.place(2), lines.place(4), lines.place(6)), ((1, 1), (1, 2), (2, 1), (2, 3)));
    }

    #[test]
    fn bytes_are_read_whatever_they_hold() {
        let check = |bytes: &[u8], text: &str, problems: &[&str]| {
            let (came, told) = decode(bytes, "a.md");
            assert_eq!(came, text);
            assert_eq!(told.iter().map(ToString::to_string).map(|t| t.lines().next().unwrap_or_default().to_owned()).collect::<Vec<_>>(), problems);
        };
        check(b"\xef\xbb\xbfa\r\nb\rc", "a\nb\nc", &[]);
        check(b"a\x0cb", "ab", &[]);
        check(b"a\nb\0c\0", "a\nbc", &["a.md:2:2: warning: the text holds a NUL character, which is left out"]);
        check(b"a\nb\xffc", "a\nb\u{fffd}c", &["a.md:2:2: warning: the text is not valid UTF-8: byte `0xff` is shown as `\u{fffd}`"]);
        check(b"\xff\xfea\0\n\0", "a\n", &[]);
        check("日本".as_bytes(), "日本", &[]);
    }

    #[test]
    fn a_mark_is_found_wherever_it_stands_and_nothing_that_only_begins_like_one() {
        static MARKS: Marks = Marks::of(&[&["{%", "{{<"], &["@include"]]);
        for mark in ["{%", "{{<", "@include"] {
            for before in 0..40 {
                for behind in 0..40 {
                    let text = format!("{}{mark}{}", "@{".repeat(before), "é".repeat(behind));
                    assert!(MARKS.any(&text), "{text}");
                    let cut = format!("{}{}", &text[..before * 2 + mark.len() - 1], "é".repeat(behind));
                    assert!(!MARKS.any(&cut), "{cut}");
                }
            }
        }
        assert!(!MARKS.any(""));
    }

    #[test]
    fn text_is_cut_at_a_sentence_or_a_word() {
        assert_eq!(shorten("short", 10), "short");
        assert_eq!(shorten("One two three. Four five six", 20), "One two three.");
        assert_eq!(shorten("One two three four five", 15), "One two three…");
        assert_eq!(shorten("一二三四五六七八九十", 5), "一二三四…");
    }

    #[test]
    fn titles_lose_their_markup_and_keep_their_words() {
        let check = |text: &str, plain_text: &str| assert_eq!(plain(text), plain_text);
        check("**Bold** and `code` in _a_ title", "Bold and code in a title");
        check("A [link](https://example.org/) <a href=\"x\">here</a>", "A link here");
        check("2 * 3 snake_case C* a < b", "2 * 3 snake_case C* a < b");
        check("Q&amp;A \\#1 {{ site.title }}{% if x %}yes", "Q&A #1 yes");
        check("__init__.py", "init.py");
    }

    #[test]
    fn names_become_titles() {
        assert_eq!(presentable("my-first_post"), "My first post");
        assert_eq!(presentable("日本"), "日本");
    }
}
