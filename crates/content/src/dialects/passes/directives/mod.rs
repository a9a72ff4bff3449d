//! Rewrites lines that only one generator understands into the syntax that the other steps know:
//! DocFX's `:::image … :::` and `[!div …]`, the blocks and markers of pymdownx, `@tab` of VuePress,
//! Hexo's tabs in comments.

mod docfx;
mod pymdown;
mod state;
mod tabs;

pub use pymdown::has_keys;

use super::lines::Lines;
use super::scan::scan;
use crate::model::bounds;
use crate::model::text::Marks;
use crate::syntax::markdown::literal::literals;
use state::State;

/// Every text with such a line contains one of these, or [`has_keys`].
pub const SIGNS: [&[&str]; 4] = [
    &docfx::SIGNS,
    &tabs::SIGNS,
    pymdown::SIGNS[0],
    pymdown::SIGNS[1],
];

/// Rewrites the lines of a text outside blocks of code.
pub fn rewrite(lines: &mut Lines) {
    static ANY: Marks = Marks::of(&SIGNS);
    let text = &lines.text;
    if !(ANY.any(text) || has_keys(text)) {
        return;
    }
    let mut state = State::default();
    for (number, line) in scan(text, &literals(text)).iter().enumerate() {
        if bounds::is_over() {
            break;
        }
        if !(docfx::line(line, number, &mut state)
            || tabs::line(line, number, &mut state)
            || pymdown::line(line, number, &mut state))
        {
            state.out.push(line.whole, number);
        }
    }
    state.out.finish(lines);
}

#[cfg(test)]
pub(in crate::dialects) fn check(text: &str, expected: &str) {
    crate::dialects::passes::lines::testing::check(rewrite, text, expected);
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_directives_panic(text in "(:::|///|\\{--|--\\}|\\+\\+|:material-a:|\\{ \\.x \\}|\\*\\[a\\]: |::: a\\.b|image source=\"a\"|:::| \\||note|@tab|# \\[a\\]\\(#tab/b\\)|> |\\[!div x\\]|\\[!VIDEO |\\]|xref:|<|>|\\]\\(|<!-- tab |-->|\n|\n\n|```|é| ){0,40}") {
            proptest::prop_assert!(Lines::after(&text, rewrite).come_from(&text));
        }
    }

    #[test]
    fn a_hostile_text_is_bounded() {
        for text in [
            ":::image ".repeat(10_000),
            "](xref:".repeat(10_000),
            "<xref:".repeat(10_000),
            "/// a\n".repeat(10_000),
            "{--".repeat(10_000),
            "++a".repeat(10_000),
            ":material-a:".repeat(10_000),
        ] {
            assert!(Lines::after(&text, rewrite).text.len() < text.len() * 20);
        }
    }
}
