//! Ids of blocks in a vault: `^id` at the end of a block, or on a line of its own behind one. Links and embeds name them.

use crate::dialects::passes::lines::Lines;
use crate::syntax::markdown::literal::literals;

/// Makes them places that can be linked to.
pub(in crate::dialects) fn rewrite(lines: &mut Lines) {
    if !lines.text.contains(" ^") && !lines.text.contains("\n^") {
        return;
    }
    let found = literals(&lines.text);
    let all: Vec<&str> = lines.text.split('\n').collect();
    let starts: Vec<usize> = all
        .iter()
        .scan(0, |next, line| {
            let start = *next;
            *next += line.len() + 1;
            Some(start)
        })
        .collect();
    let mut out: Vec<(String, usize)> = Vec::with_capacity(all.len());
    // What is put before blocks, once all lines are there: the line, its prefix, and the place.
    let mut before_blocks: Vec<(usize, &str, String)> = Vec::new();
    // The first line of the block that was open last, in `out`.
    let (mut block, mut blank) = (0, true);
    for (number, line) in all.iter().enumerate() {
        let at = starts[number];
        let (before, id) = divide(line).unwrap_or((line, ""));
        let code = found.is_code(at + before.len()) || found.is_code(at + line.len().saturating_sub(1));
        match id {
            "" => {}
            _ if code || line.starts_with("    ") => {}
            id if before.trim_matches([' ', '\t', '>']).is_empty() => {
                if number > 0 {
                    before_blocks.push((block, before, format!("{before}{}", anchor(id))));
                    out.push((before.trim_end().to_owned(), number));
                    blank = true;
                    continue;
                }
            }
            id => {
                blank = begins(&mut block, blank, out.len());
                out.push((format!("{before}{}", anchor(id)), number));
                continue;
            }
        }
        if line.trim().is_empty() {
            // A blank line in a fence ends no block.
            blank |= !found.is_code(at);
        } else {
            blank = begins(&mut block, blank, out.len());
        }
        out.push(((*line).to_owned(), number));
    }
    let (text, sources) = joined(&out, &before_blocks);
    lines.replace(text, &sources);
}

/// The lines with the places before their blocks, of several before one block the last first, and for each the line that it comes from.
fn joined(out: &[(String, usize)], before_blocks: &[(usize, &str, String)]) -> (String, Vec<usize>) {
    let (mut text, mut sources) = (String::new(), Vec::with_capacity(out.len() + 2 * before_blocks.len()));
    let mut push = |line: &str, source: usize| {
        if !sources.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
        sources.push(source);
    };
    let mut rest = before_blocks;
    for (at, (line, source)) in out.iter().enumerate() {
        let count = rest.iter().take_while(|(block, ..)| *block == at).count();
        let (here, behind) = rest.split_at(count);
        for (_, before, place) in here.iter().rev() {
            push(place, *source);
            push(before.trim_end(), *source);
        }
        rest = behind;
        push(line, *source);
    }
    (text, sources)
}

fn begins(block: &mut usize, blank: bool, line: usize) -> bool {
    if blank {
        *block = line;
    }
    false
}

/// What stands before ` ^id` at the end of a line, and the id.
fn divide(line: &str) -> Option<(&str, &str)> {
    let (before, id) = line.trim_end().rsplit_once('^')?;
    let valid = !id.is_empty() && id.len() <= 100 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    (valid && (before.is_empty() || before.ends_with([' ', '\t', '>']))).then_some((before, id))
}

fn anchor(id: &str) -> String {
    format!("<a id=\"^{id}\"></a>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::passes::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_15_ids_of_blocks_are_places() {
        check("a b ^x-1\n\n- c ^y\n- d", "a b <a id=\"^x-1\"></a>\n\n- c <a id=\"^y\"></a>\n- d");
        check("a\n\n| b |\n|---|\n| c |\n\n^t\n\nd", "a\n\n<a id=\"^t\"></a>\n\n| b |\n|---|\n| c |\n\n\n\nd");
        check("```\na\n\nb\n```\n^c", "<a id=\"^c\"></a>\n\n```\na\n\nb\n```\n");
        for text in ["a [^1] b", "[^1]: c", "x^2", "2 ^", "```\na ^b\n```", "`a ^b`", "a ^b c"] {
            check(text, text);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_ids_panic(text in "( \\^|\\^|a|1|\n|\n\n|> |```|é|- |\\|){0,30}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }
}
