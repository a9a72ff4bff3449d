//! Blocks of lines in the syntaxes of several kinds: `:::note`, `!!! note "Title"`, `=== "Tab"`. A
//! callout becomes a quote that begins with `[!kind]`, which the parser recognises; a tab becomes
//! its title in bold and its content.
//!
//! `fenced` reads blocks between colons, `indented` those with indented content.

mod fenced;
mod indented;
mod output;

use crate::dialects::lines::Lines;
use crate::dialects::scan::scan;
use crate::model::bounds;
use output::Output;

/// How deep blocks may be nested.
const DEPTH: usize = 8;
/// The longest prefix of a line that opens a block, in bytes: it is repeated inside the block.
const LONGEST_PREFIX: usize = 100;

/// Rewrites the blocks of a text, from the outside in.
pub fn rewrite(lines: &mut Lines) {
    for _ in 0..DEPTH {
        if bounds::is_over_now() || !pass(lines) {
            return;
        }
    }
}

/// One scan of the text; `false`: it has no block.
fn pass(lines: &mut Lines) -> bool {
    let text = &lines.text;
    if ![":::", "!!!", "???", "=== \"", "===! \""]
        .iter()
        .any(|sign| text.contains(sign))
    {
        return false;
    }
    let all = scan(text, &lines.literals());
    let ends = fenced::ends(&all);
    let mut out = Output::default();
    let mut changed = false;
    let mut at = 0;
    while let Some(line) = all.get(at) {
        let mut next = None;
        if !line.code && line.prefix.len() <= LONGEST_PREFIX && !bounds::is_over() {
            next = fenced::block(&all, &ends, at, &mut out)
                .or_else(|| indented::block(&all, at, &mut out));
        }
        if let Some(next) = next {
            changed = true;
            at = next;
        } else {
            out.line(at, &[line.whole]);
            at += 1;
        }
    }
    if changed {
        out.finish(lines);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::lines::testing;

    fn check(text: &str, expected: &str) {
        testing::check(rewrite, text, expected);
    }

    #[test]
    fn rule_11_directives_become_callouts() {
        check(":::note\na\n:::\nb", "> [!note]\n>\n> a\n\nb");
        check(
            "x\n::: tip My *title*\na\n\n- b\n:::",
            "x\n\n> [!tip] My *title*\n>\n> a\n>\n> - b\n",
        );
        check(":::warning[T]{#x}\na\n:::", "> [!warning] T\n>\n> a\n");
        check(
            "::::note\n:::tip\na\n:::\n::::",
            "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>\n",
        );
        check(
            ":::note\n:::tip\na\n:::\nb\n:::",
            "> [!note]\n>\n> > [!tip]\n> >\n> > a\n>\n> b\n",
        );
        check(":::message alert\na\n:::", "> [!warning]\n>\n> a\n");
        check(":::details T\na\n:::", "> [!details]- T\n>\n> a\n");
        check(
            "::: {.callout-note title=\"T\"}\na\n:::",
            "> [!note] T\n>\n> a\n",
        );
        check(":::row\na\n:::", "\na\n");
        check(":::note\na\n\nb", "> [!note]\n>\n> a\n\nb");
        check(
            "- x\n\n  :::note\n  a\n  :::\n",
            "- x\n\n  > [!note]\n  >\n  > a\n\n",
        );
        for text in [
            "```\n:::note\n:::\n```",
            "a ::: b",
            ":: a",
            "    :::note\n    :::",
            ":::: 3",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn rule_11_admonitions_become_callouts() {
        check(
            "!!! note \"T\"\n    a\n\n    b\n\nc",
            "> [!note] T\n>\n> a\n>\n> b\n\nc",
        );
        check(
            "1. Step\n\n    ??? \"Raw *x*\"\n\n        a\n\n    b",
            "1. Step\n\n    > [!details]- Raw *x*\n    >\n    > a\n\n    b",
        );
        check("???+ \"Open\"\n    a\n", "> [!details]+ Open\n>\n> a\n");
        check("??? tip\n    a\nb", "> [!tip]-\n>\n> a\n\nb");
        check(
            "???+ tip inline end\n    ```\n    x\n    ```\n",
            "> [!tip]+\n>\n> ```\n> x\n> ```\n",
        );
        check(
            "!!! note\n    a\n\n    !!! tip\n        b\n",
            "> [!note]\n>\n> a\n>\n> > [!tip]\n> >\n> > b\n",
        );
        check(
            "=== \"One\"\n\n    a\n\n=== \"Two\"\n\n    b\n",
            "**One:**\n\na\n\n**Two:**\n\nb\n",
        );
        for text in [
            "!!! wow great",
            "!!! 1",
            "```\n!!! note\n```",
            "a\n===\nb",
            "!!!",
            "??? what is \"this\" then",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn lines_keep_their_number() {
        let lines = Lines::after("x\n:::note\na\n:::\nb", rewrite);
        assert_eq!(
            lines
                .text
                .lines()
                .position(|line| line == "b")
                .map(|at| lines.source(at)),
            Some(4)
        );
        assert_eq!(
            lines
                .text
                .lines()
                .position(|line| line == "> a")
                .map(|at| lines.source(at)),
            Some(2)
        );
    }

    proptest::proptest! {
        #[test]
        fn no_blocks_panic(text in "(:::|::::|note|!!! |\\?\\?\\? |=== |\"|T|\\[|\\]|\\{|\\}|\n|\n\n|> |    |- |é|```){0,40}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }

    #[test]
    fn a_hostile_text_is_bounded() {
        for text in [
            ":::a\n".repeat(20_000),
            ":::note\n".repeat(5_000) + &":::\n".repeat(5_000),
            "!!! note\n".repeat(20_000),
        ] {
            assert!(Lines::after(&text, rewrite).text.len() < text.len() * 20);
        }
    }
}
