//! Inline tags of a vault: `#idea`, `#feature/dates`.

use super::tree::{Part, walk};
use super::{Block, Document, Inline};

/// The most tags that are read in one text.
const MOST_TAGS: usize = 200;

impl Document {
    /// The inline tags of a text, without their sign. A line of only tags is removed, since the
    /// page shows its tags; elsewhere they stay, as words.
    pub fn take_tags(&mut self) -> Vec<String> {
        let mut tags = Vec::new();
        for block in self.all_blocks() {
            for line in block.lines() {
                collect(line, &mut tags);
            }
        }
        if !tags.is_empty() {
            remove_lines(&mut self.blocks);
        }
        tags
    }
}

/// Adds the tags in a line. One follows white space or begins the line.
fn collect(line: &[Inline], tags: &mut Vec<String>) {
    let mut before = ' ';
    for inline in walk(line) {
        let Inline::Text(text) = inline else {
            before = match inline {
                Inline::SoftBreak | Inline::HardBreak => ' ',
                Inline::Code(_) | Inline::Image(_) | Inline::Math { .. } | Inline::Link { .. } => {
                    '`'
                }
                _ => before,
            };
            continue;
        };
        for (at, _) in text.match_indices('#') {
            let previous = text[..at].chars().next_back().unwrap_or(before);
            if previous.is_whitespace()
                && let Some(tag) = tag(&text[at + 1..])
                && tags.len() < MOST_TAGS
            {
                tags.push(tag.to_owned());
            }
        }
        before = text.chars().next_back().unwrap_or(before);
    }
}

/// The tag at the beginning of a text behind `#`, as Obsidian reads it: letters, digits, `_`, `-`,
/// `/` and signs such as emoji, and not digits alone. A colour is not a tag.
fn tag(text: &str) -> Option<&str> {
    let ends = |c: char| {
        c.is_whitespace()
            || c.is_ascii_punctuation() && !matches!(c, '-' | '_' | '/')
            || matches!(c, '\u{2000}'..='\u{206F}' | '\u{2E00}'..='\u{2E7F}' | '\u{3000}'..='\u{303F}' | '\u{FE0F}')
    };
    let tag = &text[..text.find(ends).unwrap_or(text.len())];
    let tag = tag.trim_end_matches('/');
    let has_letter = tag.contains(|c: char| c.is_alphabetic() || !c.is_ascii());
    (has_letter && !is_colour(tag)).then_some(tag)
}

/// `fff`, `a0a0a0`: three, six or eight hexadecimal digits, with a decimal one or all alike.
fn is_colour(text: &str) -> bool {
    let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_alike = text
        .bytes()
        .all(|byte| Some(&byte) == text.as_bytes().first());
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    matches!(text.len(), 3 | 6 | 8) && is_hexadecimal && (is_alike || has_digit)
}

/// Removes the lines of nothing but tags from the paragraphs outside lists and the like.
fn remove_lines(blocks: &mut Vec<Block>) {
    let mut rest = vec![blocks];
    while let Some(blocks) = rest.pop() {
        blocks.retain_mut(|block| match block {
            Block::Paragraph(inlines) => {
                without_tag_lines(inlines);
                !inlines.is_empty()
            }
            _ => true,
        });
        for block in blocks {
            if let Block::Container(_) = block {
                for part in block.parts_mut() {
                    if let Part::Blocks(blocks) = part {
                        rest.push(blocks);
                    }
                }
            }
        }
    }
}

fn without_tag_lines(inlines: &mut Vec<Inline>) {
    let is_break = |inline: &Inline| matches!(inline, Inline::SoftBreak | Inline::HardBreak);
    if !inlines.split(is_break).any(is_tag_line) {
        return;
    }
    let mut kept: Vec<Inline> = Vec::new();
    for line in inlines.split_inclusive(is_break) {
        let words = line.split(is_break).next().unwrap_or_default();
        if !is_tag_line(words) {
            kept.extend_from_slice(line);
        }
    }
    while kept.last().is_some_and(is_break) {
        kept.pop();
    }
    *inlines = kept;
}

fn is_tag_line(line: &[Inline]) -> bool {
    let mut words = String::new();
    for inline in line {
        let Inline::Text(text) = inline else {
            return false;
        };
        words.push_str(text);
    }
    let mut tags = words
        .split([' ', '\t', ','])
        .filter(|word| !word.is_empty());
    let is_tag = |word: &str| {
        word.strip_prefix('#')
            .and_then(tag)
            .is_some_and(|tag| tag.len() + 1 == word.len())
    };
    !words.trim().is_empty() && tags.all(is_tag)
}

#[cfg(test)]
mod tests {
    use crate::syntax::markdown::{Options, parse};

    fn check(text: &str, tags: &[&str], rest: &str) {
        let mut document = parse(text, &Options::default());
        assert_eq!(document.take_tags(), tags, "{text}");
        assert_eq!(
            document.plain_text().trim().replace('\n', "|"),
            rest,
            "{text}"
        );
    }

    #[test]
    fn rule_62_inline_tags_are_tags() {
        check(
            "#feature/dates #idea\n\nText.",
            &["feature/dates", "idea"],
            "Text.",
        );
        check(
            "Text #a-b, more.\n#c_1\nEnd.",
            &["a-b", "c_1"],
            "Text #a-b, more. End.",
        );
        check(
            "- x #task\n- #größe\n\n## H #h",
            &["task", "größe", "h"],
            "x #task|#größe|H #h",
        );
        check("#日本 #🎉\n\nx", &["日本", "🎉"], "x");
    }

    #[test]
    fn rule_62_what_only_looks_like_a_tag_is_none() {
        for text in [
            "# Heading",
            "`#code` and C# #1 #123",
            "a #fff #a0a0a0 b",
            "x#y (#z) https://e.org/#frag",
            "a # b ## c \\#\\# #! #️⃣",
        ] {
            let mut document = parse(text, &Options::default());
            assert_eq!(document.take_tags(), Vec::<String>::new(), "{text}");
        }
        check("```\n#a\n```\n\n[#b](c) #add", &["add"], "#a|#b #add");
    }
}
