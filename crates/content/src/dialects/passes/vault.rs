//! Block ids in a vault: `^id` at the end of a block, or on a line of its own after one. Links and
//! embeds name them.

use crate::dialects::lines::Lines;
use crate::dialects::markup::is_blank;
use crate::dialects::scan::{Line, Output, scan};
use crate::syntax::markdown::literal::Literals;

/// The longest id, in bytes.
const LONGEST: usize = 100;

/// Whether a text may contain block ids.
pub fn may_have_ids(text: &str) -> bool {
    text.contains(" ^") || text.contains("\n^")
}

/// Rewrites them as anchors.
pub fn rewrite(lines: &mut Lines) {
    if !may_have_ids(&lines.text) {
        return;
    }
    let found = lines.literals();
    let all = scan(&lines.text, &found);
    let mut out: Vec<(String, usize)> = Vec::with_capacity(all.len());
    let mut anchors: Vec<Anchor<'_>> = Vec::new();
    // The first line of the most recent block, in `out`, and whether the next line begins another.
    let (mut block, mut apart) = (0, true);
    for (number, line) in all.iter().enumerate() {
        let id = id(line, &found).filter(|(before, _)| number > 0 || !is_blank(before));
        if let Some((before, id)) = id
            && is_blank(before)
        {
            anchors.push(Anchor { block, before, id });
            apart = true;
            out.push((before.trim_end().to_owned(), number));
            continue;
        }
        if id.is_none() && line.whole.trim().is_empty() {
            // A blank line in a fence ends no block.
            apart |= !found.is_code(line.start);
        } else {
            if apart {
                block = out.len();
            }
            apart = false;
        }
        let text = match id {
            Some((before, id)) => format!("{before}{}", anchor(id)),
            None => line.whole.to_owned(),
        };
        out.push((text, number));
    }
    joined(out, &anchors).finish(lines);
}

/// An anchor before a block.
struct Anchor<'a> {
    /// The first line of the block.
    block: usize,
    /// The text before the id on its line.
    before: &'a str,
    id: &'a str,
}

/// The lines with the anchors before their blocks; of several for one block, the last is first.
fn joined(lines: Vec<(String, usize)>, anchors: &[Anchor<'_>]) -> Output {
    let mut out = Output::default();
    let mut rest = anchors;
    for (at, (line, source)) in lines.into_iter().enumerate() {
        let count = rest.iter().take_while(|place| place.block == at).count();
        let (here, behind) = rest.split_at(count);
        for Anchor { before, id, .. } in here.iter().rev() {
            out.push(format!("{before}{}", anchor(id)), source);
            out.push(before.trim_end(), source);
        }
        rest = behind;
        out.push(line, source);
    }
    out
}

/// The id at the end of a line outside code, and the text before it.
fn id<'a>(line: &Line<'a>, found: &Literals) -> Option<(&'a str, &'a str)> {
    let (before, id) = line.whole.trim_end().rsplit_once('^')?;
    let is_id = (1..=LONGEST).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_apart = before.is_empty() || before.ends_with([' ', '\t', '>']);
    let code = line.whole.starts_with("    ")
        || found.is_code(line.start + before.len())
        || found.is_code(line.start + line.whole.len() - 1);
    (is_id && is_apart && !code).then_some((before, id))
}

fn anchor(id: &str) -> String {
    format!("<a id=\"^{id}\"></a>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_15_ids_of_blocks_are_places() {
        check(
            "a b ^x-1\n\n- c ^y\n- d",
            "a b <a id=\"^x-1\"></a>\n\n- c <a id=\"^y\"></a>\n- d",
        );
        check(
            "a\n\n| b |\n|---|\n| c |\n\n^t\n\nd",
            "a\n\n<a id=\"^t\"></a>\n\n| b |\n|---|\n| c |\n\n\n\nd",
        );
        check(
            "```\na\n\nb\n```\n^c",
            "<a id=\"^c\"></a>\n\n```\na\n\nb\n```\n",
        );
        for text in [
            "a [^1] b",
            "[^1]: c",
            "x^2",
            "2 ^",
            "```\na ^b\n```",
            "`a ^b`",
            "a ^b c",
        ] {
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
