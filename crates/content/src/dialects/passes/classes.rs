//! Callouts written as a paragraph or a quotation with a kramdown class: `> text` and
//! `{: .prompt-tip }` below it, or `{: .note }` above.

use crate::dialects::lines::Lines;
use crate::dialects::scan::{Line, Output, scan};
use crate::dialects::tags::callout::mark;
use crate::model::document::callout_kind;

/// The class of a callout.
#[derive(Clone, Copy)]
struct Class {
    kind: &'static str,
    /// Whether the first line of the block is its title.
    titled: bool,
}

/// The treatment of a line.
#[derive(Clone, Copy)]
enum Fate {
    Stays,
    /// The first line of a callout.
    Begins(Class),
    /// A list of classes, which is removed.
    Goes,
}

/// Rewrites them as quotations that begin with `[!kind]`.
pub fn rewrite(lines: &mut Lines) {
    if !lines.text.contains("{: .") && !lines.text.contains("{:.") {
        return;
    }
    let found = lines.literals();
    let all = scan(&lines.text, &found);
    let mut classes: Vec<Option<Class>> = Vec::with_capacity(all.len());
    for line in &all {
        classes.push(if found.is_code(line.start) {
            None
        } else {
            class(line.whole)
        });
    }
    if classes.iter().any(Option::is_some) {
        written(&all, &fates(&all, &classes)).finish(lines);
    }
}

/// The treatment of each line, by the classes found.
fn fates(lines: &[Line<'_>], classes: &[Option<Class>]) -> Vec<Fate> {
    let mut fates = vec![Fate::Stays; lines.len()];
    // Where the paragraph begins, and whether one of its lines is a list of classes.
    let (mut first, mut listed) = (0, false);
    for (at, line) in lines.iter().enumerate() {
        if is_empty(line) {
            (first, listed) = (at + 1, false);
            continue;
        }
        let Some(class) = classes[at] else { continue };
        let begins = match lines.get(at + 1) {
            _ if first < at && !listed => Some(first),
            Some(next) if first == at && !is_empty(next) && classes[at + 1].is_none() => {
                Some(at + 1)
            }
            _ => None,
        };
        if let Some(begins) = begins {
            fates[begins] = Fate::Begins(class);
            fates[at] = Fate::Goes;
        }
        listed = true;
    }
    fates
}

fn written(lines: &[Line<'_>], fates: &[Fate]) -> Output {
    let mut out = Output::default();
    // Whether the lines of a callout need a quote marker.
    let mut unquoted = false;
    for (at, line) in lines.iter().enumerate() {
        if let Fate::Begins(Class { kind, titled }) = fates[at] {
            if at > 0 && !is_empty(&lines[at - 1]) && !matches!(fates[at - 1], Fate::Goes) {
                out.push("", at);
            }
            let words = line.whole.trim_start();
            unquoted = !words.starts_with('>');
            let title = if titled {
                words.trim_start_matches('>').trim()
            } else {
                ""
            };
            out.push(format!("> {}", mark(kind, title, None)), at);
            if titled {
                continue;
            }
        }
        unquoted &= !is_empty(line);
        match fates[at] {
            Fate::Goes => out.push("", at),
            _ if unquoted => out.push(format!("> {}", line.whole), at),
            _ => out.push(line.whole, at),
        }
    }
    out
}

fn is_empty(line: &Line<'_>) -> bool {
    line.whole.trim().is_empty()
}

/// The callout class in a list of classes.
fn class(line: &str) -> Option<Class> {
    let inner = line.trim().strip_prefix("{:")?.strip_suffix('}')?;
    // Themes use these prefixes for callouts only.
    let marked = line.contains("prompt-") || line.contains("notice--");
    for word in inner.split_whitespace() {
        let Some(word) = word.strip_prefix('.') else {
            continue;
        };
        let word = word
            .strip_prefix("prompt-")
            .or_else(|| word.strip_prefix("notice--"))
            .unwrap_or(word);
        let (word, titled) = word
            .strip_suffix("-title")
            .map_or((word, false), |word| (word, true));
        if let Some(kind) = callout_kind(word)
            && (marked || !is_look(word))
        {
            return Some(Class { kind, titled });
        }
    }
    None
}

/// Classes for the style of a quotation, and names with another meaning.
fn is_look(word: &str) -> bool {
    matches!(
        word,
        "quote"
            | "example"
            | "primary"
            | "secondary"
            | "default"
            | "check"
            | "success"
            | "abstract"
            | "message"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_11_classes_of_kramdown_become_callouts() {
        check(
            "> a\n> b\n{: .prompt-tip }\n\nc",
            "> [!tip]\n> a\n> b\n\n\nc",
        );
        check("{: .note }\na\nb\n\nc", "\n> [!note]\n> a\n> b\n\nc");
        check(
            "{: .warning-title }\n> T\n>\n> a\n",
            "\n> [!warning] T\n>\n> a\n",
        );
        check("a\n{: .notice--info}\n", "> [!info]\n> a\n\n");
        for text in [
            "# A\n{: .no_toc }",
            "a\n{: .quote }",
            "```\na\n{: .note }\n```",
            "{: .note }",
        ] {
            check(text, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_classes_panic(text in "(\\{: \\.note \\}|> |a|\n|\n\n|```|é){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
