//! Markdown lists: `llms.txt`, `sitemap.md`.

use diglot_content::document::ReferenceKind;
use diglot_content::markdown;

/// Link targets of a Markdown text, in order.
pub fn links(text: &str) -> Vec<String> {
    let document = markdown::parse(text, &markdown::Options::default());
    document
        .references
        .into_iter()
        .filter(|reference| reference.kind == ReferenceKind::Link)
        .map(|reference| reference.raw)
        .collect()
}

/// The further parts that an `llms.txt` links.
pub fn llms_parts(text: &str) -> Vec<String> {
    links(text)
        .into_iter()
        .filter(|url| url.contains("/llms/") && url.ends_with(".txt"))
        .collect()
}

/// The paths in code spans at the ends of list items: the Markdown forms in `sitemap.md`.
pub fn code_paths(text: &str) -> Vec<String> {
    let items = text
        .lines()
        .filter(|line| line.trim_start().starts_with("- ["));
    items
        .filter_map(|line| line.trim_end().strip_suffix('`')?.rsplit_once('`'))
        .map(|(_, path)| path.to_owned())
        .filter(|path| path.ends_with(".md"))
        .collect()
}

/// The text of a Markdown file without its code blocks and code spans, and whether a code fence is
/// still open at its end.
pub fn prose(text: &str) -> (String, bool) {
    let mut kept = String::with_capacity(text.len());
    let mut fences = Fences::default();
    for line in text.lines() {
        if fences.is_outside(line) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    (without_spans(&kept), fences.open.is_some())
}

/// Follows the code fences of a Markdown text, line by line.
#[derive(Debug, Default)]
pub struct Fences {
    /// The character and the length of the open fence.
    open: Option<(char, usize)>,
}

impl Fences {
    /// Whether the next line is outside of fenced code; a fence itself is not.
    pub fn is_outside(&mut self, line: &str) -> bool {
        match (self.open, fence(line)) {
            (Some((mark, length)), Some((own, count, rest)))
                if own == mark && count >= length && rest.is_empty() =>
            {
                self.open = None;
            }
            (Some(_), _) => {}
            (None, Some((mark, count, rest))) if mark == '~' || !rest.contains('`') => {
                self.open = Some((mark, count));
            }
            (None, _) => return true,
        }
        false
    }
}

/// The level and the text of the heading on this line; block quote and list markers may precede it.
pub fn heading(line: &str) -> Option<(usize, &str)> {
    let mut rest = line.trim_start();
    while let Some(inner) = rest.strip_prefix('>').or_else(|| item(rest)) {
        rest = inner.trim_start();
    }
    let text = rest.trim_start_matches('#');
    let level = rest.len() - text.len();
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with(' '));
    is_heading.then(|| (level, text.trim()))
}

/// The fence that a line opens or closes: its character, its length, and the rest of the line.
/// Block quote and list markers may precede it.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let mut rest = line.trim_start();
    while let Some(inner) = rest.strip_prefix('>').or_else(|| item(rest)) {
        rest = inner.trim_start();
    }
    let mark = rest
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let count = rest.chars().take_while(|&c| c == mark).count();
    (count >= 3).then(|| (mark, count, rest[count..].trim()))
}

/// The text after a list marker.
fn item(line: &str) -> Option<&str> {
    let bullet = line.strip_prefix(['-', '*', '+']);
    let number = || {
        line.trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(['.', ')'])
            .filter(|_| line.starts_with(|c: char| c.is_ascii_digit()))
    };
    bullet.or_else(number).filter(|rest| rest.starts_with(' '))
}

/// Whether an odd number of backslashes precedes this place.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text[..at].bytes().rev();
    before.take_while(|&byte| byte == b'\\').count() % 2 == 1
}

/// The text without code spans: a run of backticks up to the next of the same length in the same
/// paragraph.
fn without_spans(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for paragraph in text.split_inclusive("\n\n") {
        push_without_spans(&mut out, paragraph);
    }
    out
}

fn push_without_spans(out: &mut String, paragraph: &str) {
    let mut rest = paragraph;
    // Run lengths without a closing run in this paragraph: each is searched for only once.
    let mut absent: Vec<usize> = Vec::new();
    while let Some(at) = rest.find('`') {
        let count = rest[at..].bytes().take_while(|&byte| byte == b'`').count();
        let escaped = is_escaped(rest, at);
        let (before, after) = (&rest[..at], &rest[at + count..]);
        out.push_str(before);
        let end = if escaped || absent.contains(&count) {
            None
        } else {
            run(after, count)
        };
        rest = end.map_or(after, |end| &after[end..]);
        if end.is_none() && !escaped {
            absent.push(count);
        }
    }
    out.push_str(rest);
}

/// The end of the next run of exactly `count` backticks.
fn run(text: &str, count: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'`', &bytes[at..]) {
        let start = at + next;
        let length = bytes[start..]
            .iter()
            .take_while(|&&byte| byte == b'`')
            .count();
        if length == count {
            return Some(start + length);
        }
        at = start + length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_no_prose() {
        let (prose, open) = prose(
            "a `<!-- x -->` b\n\n```html\n<!-- y -->\n````\n\n> - ~~~\n>   {{ z }}\n>   ~~~\n\nc ``{{`` d ` e\n",
        );
        assert_eq!((prose.as_str(), open), ("a  b\n\n\n\nc  d  e\n", false));
    }

    #[test]
    fn open_fences_are_seen() {
        for (text, expected) in [
            ("```\nx\n", true),
            ("```\nx\n```", false),
            ("````\nx\n```\n", true),
            ("`` ` ``\n", false),
            ("```a`b\n", false),
            ("~~~\n```\n~~~\n", false),
        ] {
            assert_eq!(prose(text).1, expected, "{text}");
        }
    }

    #[test]
    fn lists_name_pages() {
        let text = "# x\n\n- [A \\[b\\]](https://a.example/a.md): words <https://b.example/>\n- [c](https://a.example/llms/2020.txt)\n- [d](https://a.example/d.html) `/d.md`\n";
        assert_eq!(
            links(text),
            [
                "https://a.example/a.md",
                "https://b.example/",
                "https://a.example/llms/2020.txt",
                "https://a.example/d.html"
            ]
        );
        assert_eq!(
            (llms_parts(text), code_paths(text)),
            (
                vec!["https://a.example/llms/2020.txt".to_owned()],
                vec!["/d.md".to_owned()]
            )
        );
    }
}
