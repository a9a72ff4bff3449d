//! Callouts that are a paragraph or a quotation with a class of kramdown's: `> text` and `{: .prompt-tip }` below it, `{: .note }` above one.

use crate::dialects::passes::lines::Lines;
use crate::dialects::tags::callout;
use crate::model::document::callout_kind;
use crate::syntax::markdown::literal::literals;

/// Makes them quotations that begin with `[!kind]`.
pub(in crate::dialects) fn rewrite(lines: &mut Lines) {
    if !lines.text.contains("{: .") && !lines.text.contains("{:.") {
        return;
    }
    let found = literals(&lines.text);
    let all: Vec<&str> = lines.text.split('\n').collect();
    let mut start = 0;
    let mut kinds: Vec<Option<(&'static str, bool)>> = Vec::with_capacity(all.len());
    for line in &all {
        kinds.push(kind(line).filter(|_| !found.is_code(start)));
        start += line.len() + 1;
    }
    if kinds.iter().all(Option::is_none) {
        return;
    }
    let blank = |at: usize| all.get(at).is_none_or(|line| line.trim().is_empty());
    let mut boxes: Vec<Option<(&'static str, bool)>> = vec![None; all.len()];
    let mut gone = vec![false; all.len()];
    // Where the paragraph begins, and whether one of its lines is a list of classes.
    let (mut first, mut listed) = (0, false);
    for at in 0..all.len() {
        if blank(at) {
            (first, listed) = (at + 1, false);
            continue;
        }
        let Some(found) = kinds[at] else { continue };
        if first < at && !listed {
            boxes[first] = Some(found);
            gone[at] = true;
        } else if first == at && !blank(at + 1) && kinds[at + 1].is_none() {
            boxes[at + 1] = Some(found);
            gone[at] = true;
        }
        listed = true;
    }
    let (mut out, mut sources): (Vec<String>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut open: Option<bool> = None;
    for (at, line) in all.iter().enumerate() {
        if let Some((kind, titled)) = boxes[at] {
            let quoted = line.trim_start().starts_with('>');
            open = Some(quoted);
            let words = line.trim_start().trim_start_matches('>').trim();
            if at > 0 && !blank(at - 1) && !gone[at - 1] {
                out.push(String::new());
                sources.push(at);
            }
            out.push(format!("> {}", callout::mark(kind, if titled { words } else { "" }, None)));
            sources.push(at);
            if titled {
                continue;
            }
        }
        if line.trim().is_empty() {
            open = None;
        }
        out.push(match open {
            _ if gone[at] => String::new(),
            Some(false) => format!("> {line}"),
            _ => (*line).to_owned(),
        });
        sources.push(at);
    }
    lines.replace(out.join("\n"), &sources);
}

/// The kind that a line of classes names, and whether the first line of the block is its title.
fn kind(line: &str) -> Option<(&'static str, bool)> {
    let inner = line.trim().strip_prefix("{:")?.strip_suffix('}')?;
    inner.split_whitespace().filter_map(|word| word.strip_prefix('.')).find_map(|word| {
        let word = word.strip_prefix("prompt-").or_else(|| word.strip_prefix("notice--")).unwrap_or(word);
        let (word, titled) = word.strip_suffix("-title").map_or((word, false), |word| (word, true));
        // Classes of a quotation's look, and of what is no callout.
        let usual = !matches!(word, "quote" | "example" | "primary" | "secondary" | "default" | "check" | "success" | "abstract" | "message");
        callout_kind(word).filter(|_| usual || line.contains("prompt-") || line.contains("notice--")).map(|kind| (kind, titled))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_11_classes_of_kramdown_become_callouts() {
        check("> a\n> b\n{: .prompt-tip }\n\nc", "> [!tip]\n> a\n> b\n\n\nc");
        check("{: .note }\na\nb\n\nc", "\n> [!note]\n> a\n> b\n\nc");
        check("{: .warning-title }\n> T\n>\n> a\n", "\n> [!warning] T\n>\n> a\n");
        check("a\n{: .notice--info}\n", "> [!info]\n> a\n\n");
        for text in ["# A\n{: .no_toc }", "a\n{: .quote }", "```\na\n{: .note }\n```", "{: .note }"] {
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
