//! The default summary: the first prose of a document.

use std::collections::VecDeque;

use super::queries::plain;
use super::tree::walk;
use super::{Block, Callout, Container, Document, Inline, List};
use crate::model::date;
use crate::model::text::{one_line, sentence_ends, shorten};

/// The most blocks that are looked at.
const ENOUGH: usize = 2000;
/// Words that a line about a text begins with, in lower case: who wrote it, and when.
const BYLINES: [&str; 12] = [
    "by",
    "posted",
    "published",
    "written",
    "updated",
    "last",
    "date",
    "author",
    "authors",
    "created",
    "modified",
    "translated",
];
/// Lines that tools replace with a table of contents.
const CONTENTS: [&str; 5] = [
    "[toc]",
    "[[toc]]",
    "[[_toc_]]",
    "table of contents",
    "contents",
];

/// How well a block sums up the text that it is from: the best kind wins, of equals the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A paragraph of prose.
    Prose,
    /// A quotation: many texts open with one that says what they are about.
    Quotation,
    /// A paragraph that announces something else, and ends in a colon.
    Announcement,
    /// The text of a note, a list item, a description.
    Inside,
    /// A few words in a paragraph.
    Words,
}

/// The paragraphs of a document with their ranks.
struct Search {
    max: usize,
    best: Option<(Rank, String)>,
}

impl Document {
    /// The first prose, on one line of at most `max` characters, cut at the end of a sentence or a
    /// word, without a closing colon: the default summary. Headings, code, commands, images,
    /// tables, tags, lists of links, bylines and lines of metadata are not prose.
    pub fn first_prose(&self, max: usize) -> Option<String> {
        let mut search = Search { max, best: None };
        let mut rest: VecDeque<(&Block, Rank)> = VecDeque::new();
        push(&mut rest, &self.blocks, Rank::Prose);
        for _ in 0..ENOUGH {
            let Some((block, rank)) = rest.pop_front() else {
                break;
            };
            match block {
                Block::Paragraph(inlines) if search.offer(inlines, rank) => break,
                Block::Container(Container { blocks, .. }) => push(&mut rest, blocks, rank),
                Block::Quote(blocks) => push(&mut rest, blocks, rank.max(Rank::Quotation)),
                Block::Callout(Callout { blocks, .. }) | Block::Details { blocks, .. } => {
                    push(&mut rest, blocks, Rank::Inside);
                }
                Block::List(List { items, .. }) => {
                    for item in items.iter().rev() {
                        push(&mut rest, &item.blocks, Rank::Inside);
                    }
                }
                Block::Definitions(definitions) => {
                    for blocks in definitions
                        .iter()
                        .rev()
                        .flat_map(|one| one.descriptions.iter().rev())
                    {
                        push(&mut rest, blocks, Rank::Inside);
                    }
                }
                _ => {}
            }
        }
        search.best.map(|(_, words)| words)
    }
}

/// Puts blocks before all others.
fn push<'d>(rest: &mut VecDeque<(&'d Block, Rank)>, blocks: &'d [Block], rank: Rank) {
    for block in blocks.iter().rev() {
        rest.push_front((block, rank));
    }
}

impl Search {
    /// Keeps a paragraph if it is the best so far; returns whether none can be better.
    fn offer(&mut self, inlines: &[Inline], rank: Rank) -> bool {
        if self.best.as_ref().is_some_and(|(best, _)| *best <= rank) || is_code(inlines) {
            return false;
        }
        let line = one_line(&words(inlines));
        if !is_about_something(&line) || is_tag_line(&line) || is_mostly_links(inlines, &line) {
            return false;
        }
        let line = without_reference(&line);
        let (line, announces) = without_colon(line);
        let is_short = !has_enough_words(line) || is_label(inlines);
        let rank = match rank {
            rank if is_short && rank > Rank::Prose => return false,
            _ if is_short => Rank::Words,
            rank if announces => rank.max(Rank::Announcement),
            rank => rank,
        };
        if self.best.as_ref().is_none_or(|(best, _)| rank < *best) {
            self.best = Some((rank, shorten(line, self.max)));
        }
        rank == Rank::Prose
    }
}

/// The text of a paragraph without pictures and formulas on lines of their own.
fn words(inlines: &[Inline]) -> String {
    let displayed = |inline: &&Inline| !matches!(inline, Inline::Math { display: true, .. });
    walk(inlines)
        .filter(displayed)
        .map(Inline::own_text)
        .collect()
}

/// Whether a paragraph is code alone, or a command after its prompt.
fn is_code(inlines: &[Inline]) -> bool {
    let outside = walk(inlines).filter(|inline| !matches!(inline, Inline::Code(_)));
    let outside: String = outside.map(Inline::own_text).collect();
    let has_code = walk(inlines).any(|inline| matches!(inline, Inline::Code(_)));
    has_code && letters(&outside) < 3
        || ["$ ", "% ", "> ", "# "]
            .iter()
            .any(|prompt| outside.starts_with(prompt))
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Whether a line is words about the subject: no template tag, element, date, byline, heading of a
/// table of contents.
fn is_about_something(line: &str) -> bool {
    let lower = line.to_lowercase();
    let is_machine = ["{%", "{{", "{:", "<%", "%%"]
        .iter()
        .any(|mark| line.starts_with(mark))
        || line.starts_with('<') && line.ends_with('>') && !line.contains(". ");
    letters(line) >= 2
        && !is_machine
        && !CONTENTS.contains(&lower.trim_end_matches(':'))
        && !is_byline(line, &lower)
        && !is_metadata(line)
}

/// `12 May 2024`, `By Ann`, `Posted on May 12 by Ann`: few words, and no sentence.
fn is_byline(line: &str, lower: &str) -> bool {
    if line.len() < 40
        && (date::read(line).is_ok() || date::read(line.trim_end_matches(['.', ':'])).is_ok())
    {
        return true;
    }
    let mut words = lower.split_whitespace();
    let first = words.next().unwrap_or_default().trim_end_matches(':');
    let is_short = words.count() < 12 && sentence_ends(line).next().is_none();
    let dated = || {
        lower.contains(|c: char| c.is_ascii_digit())
            || lower.contains(" by ")
            || lower.contains(':')
    };
    is_short && BYLINES.contains(&first) && (first == "by" || dated())
}

/// `Namespace: X`, `Author: Ann · Date: …`: a label and its value, and no sentence.
fn is_metadata(line: &str) -> bool {
    let Some((label, value)) = line.split_once([':', '：']) else {
        return false;
    };
    let few = |text: &str, most: usize| text.split_whitespace().nth(most).is_none();
    !value.trim().is_empty()
        && few(label, 3)
        && few(value, 8)
        && letters(label) < 30
        && sentence_ends(line).next().is_none()
        && line.chars().count() < 120
        && label.is_ascii()
}

/// A line of nothing but tags of a vault: `#a #b/c`.
fn is_tag_line(line: &str) -> bool {
    line.split_whitespace()
        .all(|word| word.strip_prefix('#').is_some_and(|tag| letters(tag) > 0))
}

/// Whether a paragraph is a row of links: most of its words are in links, few are its own, and it
/// is not a sentence.
fn is_mostly_links(inlines: &[Inline], line: &str) -> bool {
    let mut linked = (0, 0);
    for inline in walk(inlines) {
        if let Inline::Link { content, .. } = inline {
            let text = plain(content);
            linked.0 += letters(&text);
            linked.1 += text
                .split_whitespace()
                .filter(|word| letters(word) > 0)
                .count();
        }
    }
    let all = letters(line);
    let words = line
        .split_whitespace()
        .filter(|word| letters(word) > 0)
        .count();
    let is_sentence = words >= linked.1 + 3 || sentence_ends(line).next().is_some();
    linked.0 == all || linked.0 * 10 >= all * 7 && !is_sentence
}

/// Whether a paragraph is a bold label.
fn is_label(inlines: &[Inline]) -> bool {
    let [Inline::Strong(content)] = inlines else {
        return false;
    };
    let text = plain(content);
    text.split_whitespace().nth(3).is_none() || text.ends_with(':')
}

/// Without a closing sentence that is only an address: `More information: https://example.org.`
fn without_reference(line: &str) -> &str {
    let Some(at) = line.find("http://").or_else(|| line.find("https://")) else {
        return line;
    };
    let address = line[at..].split_whitespace().next().unwrap_or_default();
    let is_last = at + address.len() == line.len();
    let before = line[..at].trim_end_matches([' ', '<', '(']);
    let sentence = sentence_ends(before).last().unwrap_or(0);
    if is_last && sentence > 0 && before.ends_with([':', '：']) {
        before[..sentence].trim_end()
    } else {
        line
    }
}

/// Without a closing colon: without the sentence that has it, if others are before it. Whether what
/// is left announces what follows.
fn without_colon(line: &str) -> (&str, bool) {
    const COLONS: [char; 4] = [':', '：', '؛', '︰'];
    if !line.ends_with(COLONS) {
        return (line, false);
    }
    let end = sentence_ends(line).last().unwrap_or(0);
    if has_enough_words(&line[..end]) {
        return (line[..end].trim_end(), false);
    }
    (
        line.trim_end_matches(|c: char| COLONS.contains(&c) || c.is_whitespace()),
        true,
    )
}

/// Whether a line has three words, is a sentence of two, or has as much in a script without spaces.
fn has_enough_words(line: &str) -> bool {
    let mut words = line.split_whitespace().filter(|word| letters(word) > 0);
    let few = words.nth(1).is_some() && sentence_ends(line).next().is_some();
    let foreign = line
        .chars()
        .filter(|c| !c.is_ascii() && c.is_alphanumeric());
    few || words.next().is_some() || foreign.count() >= 6
}

#[cfg(test)]
mod tests {
    fn check(text: &str, summary: Option<&str>) {
        let document =
            crate::syntax::markdown::parse(text, &crate::syntax::markdown::Options::default());
        assert_eq!(document.first_prose(200).as_deref(), summary, "{text}");
    }

    #[test]
    fn rule_41_a_summary_is_prose_then_a_quotation_and_never_code() {
        check(
            "# tar\n\n> Archiving utility.\n> More information: <https://www.gnu.org/software/tar>.\n\n- Create an archive:\n\n`tar cf {{target.tar}} {{file}}`\n",
            Some("Archiving utility."),
        );
        check(
            "> Wise words of another.\n\nA sentence of prose.",
            Some("A sentence of prose."),
        );
        check("`tar cf x`\n\n    code\n\n$ tar cf x", None);
        check("`a` `b`, `c`", None);
        check(
            "Run `tar` to archive files.",
            Some("Run tar to archive files."),
        );
        check(
            "> [!NOTE]\n> A note that says much.\n\n- [One](a)\n- [Two](b)",
            Some("A note that says much."),
        );
        check("- [One](a)\n- [Two](b) | [Three](c)", None);
        check("[English](a) | 中文 | [Español](b)", None);
        check(
            "- First of all items\n- second\n\n| a |\n|---|\n| b |",
            Some("First of all items"),
        );
    }

    #[test]
    fn rule_41_a_summary_ends_in_no_colon() {
        check(
            "There are many ways. The following exist:\n\n- a",
            Some("There are many ways."),
        );
        check(
            "The following ways exist:\n\n- a\n\nEach of them is good.",
            Some("Each of them is good."),
        );
        check(
            "The following ways exist:\n\n- a",
            Some("The following ways exist"),
        );
        check("次の方法があります：\n\n- a", Some("次の方法があります"));
    }

    #[test]
    fn rule_41_a_summary_is_no_date_byline_tag_or_metadata() {
        for line in [
            "12 May 2024",
            "May 12, 2024",
            "By Ann Example",
            "*Posted on 12 May 2024 by Ann*",
            "Last updated: 2024-05-12",
            "**Namespace:** System.Text",
            "Namespace: `System.Text`  \nAssembly: System.dll",
            "#feature/dates #idea",
            "![x](a.png)",
            "[TOC]",
            "{% tag %}",
            "Hello!",
            "**Windows:**",
        ] {
            check(
                &format!("{line}\n\nA sentence of prose."),
                Some("A sentence of prose."),
            );
        }
        check(
            "Note: this is a whole sentence.",
            Some("Note: this is a whole sentence."),
        );
        check(
            "By the sea they found a shell.",
            Some("By the sea they found a shell."),
        );
        check("Hello!", Some("Hello!"));
    }
}
