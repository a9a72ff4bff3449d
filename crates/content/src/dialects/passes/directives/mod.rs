//! Rewrites lines that only one generator understands into the syntax that the other steps know:
//! DocFX's `:::image … :::` and `[!div …]`, the blocks and markers of pymdownx, `@tab` of VuePress,
//! Hexo's tabs in comments.

mod docfx;
mod pymdown;
mod state;
mod tabs;

pub use pymdown::{has_id, has_keys};

use super::files::way_to_root;
use super::page::Page;
use crate::dialects::lines::{Lines, Remark};
use crate::dialects::scan::scan;
use crate::model::bounds;
use crate::model::problem::Cause;
use crate::model::text::{self, Marks};
use crate::syntax::front::Front;
use state::State;

/// Every text with such a line contains one of these, or [`has_keys`].
pub const SIGNS: [&[&str]; 4] = [
    &docfx::SIGNS,
    &tabs::SIGNS,
    pymdown::SIGNS[0],
    pymdown::SIGNS[1],
];

/// Whether a page is for some versions only, by its front matter.
pub fn is_versioned(front: &Front) -> bool {
    front.get(VERSIONS).is_some()
}

/// The key of the versions that a page is for.
const VERSIONS: &str = "monikerRange";

/// Rewrites the lines of a text outside blocks of code.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    static ANY: Marks = Marks::new(&SIGNS);
    add_versions(lines, page.front);
    let text = &lines.text;
    if !(ANY.any(text) || has_keys(text)) {
        return;
    }
    let mut state = State {
        files: Some(page.files),
        way: way_to_root(page.files.path),
        ..State::default()
    };
    for (number, line) in scan(text, &lines.literals()).iter().enumerate() {
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
    for (line, message) in state.remarks {
        lines.remarks.push(Remark {
            line: text::number(lines.source(line)),
            column: 0,
            message,
            cause: Cause::LinkToLargerSite,
            subject: Some("xref:".to_owned()),
        });
    }
    state.out.finish(lines);
}

/// Says below the title for which versions a page is.
fn add_versions(lines: &mut Lines, front: &Front) {
    let Some(range) = front.text(&[VERSIONS]) else {
        return;
    };
    let text = &lines.text;
    if let Some(written) = docfx::versions(text, range, &lines.literals()) {
        let before = text.split('\n').zip(written.split('\n'));
        let same = before.take_while(|(a, b)| a == b).count();
        let added = written.matches('\n').count() - text.matches('\n').count();
        let sources: Vec<usize> = (0..=written.matches('\n').count())
            .map(|line| {
                if line < same {
                    line
                } else {
                    line.saturating_sub(added).max(same.saturating_sub(1))
                }
            })
            .collect();
        lines.replace(written, &sources);
    }
}

/// The step on a page of a plain folder.
#[cfg(test)]
fn rewritten(lines: &mut Lines) {
    use crate::dialects::passes::page::testing::on_page;
    on_page(None, &Front::default(), |page| rewrite(lines, page));
}

#[cfg(test)]
pub(in crate::dialects) fn check(text: &str, expected: &str) {
    crate::dialects::lines::testing::check(rewritten, text, expected);
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_directives_panic(text in "(:::|///|\\{--|--\\}|\\+\\+|:material-a:|\\{ \\.x \\}|\\*\\[a\\]: |::: a\\.b|image source=\"a\"|:::| \\||note|@tab|# \\[a\\]\\(#tab/b\\)|> |\\[!div x\\]|\\[!VIDEO |\\]|xref:|<|>|\\]\\(|<!-- tab |-->|\n|\n\n|```|é| ){0,40}") {
            proptest::prop_assert!(Lines::after(&text, rewritten).come_from(&text));
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
            assert!(Lines::after(&text, rewritten).text.len() < text.len() * 20);
        }
    }
}
