//! What the Markdown of Sphinx, MyST, does not show: lines that begin with `%`, and directives that
//! depend on a condition or are notes of the author.

use super::page::Page;
use super::splice::Splice;
use crate::dialects::lines::{Lines, Remark};
use crate::model::problem::MOST_OF_ONE_FILE;
use crate::model::text::shorten;

/// Directives that are shown in some builds.
const CONDITIONS: [&str; 2] = ["only", "ifconfig"];
/// Directives that no reader sees.
const HIDDEN: [&str; 3] = ["todo", "todolist", "comment"];
/// The signs of a fence.
const FENCES: [char; 3] = ['`', '~', ':'];

/// Removes what is not shown.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) {
    if !page.kind.config.myst || page.html {
        return;
    }
    let text = lines.text.as_str();
    let mut splice = Splice::new(text);
    let mut remarks: Vec<(usize, String)> = Vec::new();
    // The end of code, or of a directive that is not shown, and where it begins.
    let mut open: Option<(Fence<'_>, Option<usize>)> = None;
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let (at, end) = (start, start + whole.len());
        start = end;
        let fence = Fence::of(whole);
        if let Some((opening, hidden)) = &open {
            if fence.as_ref().is_some_and(|fence| fence.closes(opening)) {
                if let Some(begin) = hidden {
                    splice.put(*begin..end, "\n");
                }
                open = None;
            }
            continue;
        }
        let Some(fence) = fence else {
            if whole.starts_with('%') {
                splice.put(at..end, "\n");
            }
            continue;
        };
        let Some((name, arguments)) = fence.directive() else {
            if fence.is_code() {
                open = Some((fence, None));
            }
            continue;
        };
        let is_condition = CONDITIONS.contains(&name);
        if HIDDEN.contains(&name) || is_condition && !is_for_web(name, arguments) {
            if is_condition {
                let words = shorten(&format!("{name}: {arguments}"), 60);
                remarks.push((at, format!("the part is not shown: `{words}`")));
            }
            open = Some((fence, Some(at)));
        }
    }
    if let Some((_, Some(begin))) = open {
        splice.put(begin..text.len(), "");
    }
    let remarks = remarks.into_iter().take(MOST_OF_ONE_FILE + 1);
    let remarks: Vec<Remark> = remarks.map(|(at, why)| lines.remark(at, why)).collect();
    if splice.done() > 0 {
        let (text, sources) = splice.finish();
        lines.replace(text, &sources);
    }
    lines.remarks.extend(remarks);
}

/// Whether what a condition asks for is a site in HTML.
fn is_for_web(name: &str, arguments: &str) -> bool {
    name == "only" && arguments.split(" or ").any(|one| one.trim() == "html")
}

/// A line that begins with signs of a fence.
struct Fence<'t> {
    sign: char,
    count: usize,
    words: &'t str,
}

impl<'t> Fence<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let rest = line.trim();
        let sign = rest.chars().next().filter(|c| FENCES.contains(c))?;
        let words = rest.trim_start_matches(sign);
        let count = rest.len() - words.len();
        (count >= 3).then(|| Self {
            sign,
            count,
            words: words.trim(),
        })
    }

    fn closes(&self, opening: &Self) -> bool {
        self.sign == opening.sign && self.count >= opening.count && self.words.is_empty()
    }

    fn is_code(&self) -> bool {
        self.sign != ':'
    }

    /// `{name} arguments`
    fn directive(&self) -> Option<(&'t str, &'t str)> {
        let (name, arguments) = self.words.strip_prefix('{')?.split_once('}')?;
        Some((name.trim(), arguments.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::config::Config;
    use crate::dialects::kind::Kind;
    use crate::dialects::passes::page::testing::on_page;
    use crate::syntax::front::Front;

    fn rewritten(text: &str) -> (String, usize) {
        let mut lines = Lines::of(text);
        on_page(None, &Front::default(), |page| {
            let mut config = Config::default();
            config.myst = true;
            let kind = Kind {
                config: config.into(),
                ..page.kind.clone()
            };
            let page = Page {
                kind: &kind,
                ..*page
            };
            super::rewrite(&mut lines, &page);
        });
        assert!(lines.come_from(text));
        (lines.text, lines.remarks.len())
    }

    #[test]
    fn rule_26_what_myst_does_not_show_is_removed() {
        for (text, expected) in [
            ("a\n\n% SECRET\n\nb", ("a\n\n\n\nb", 0)),
            ("```{only} internal\nSECRET\n```\nb", ("\nb", 1)),
            (":::{ifconfig} x\nSECRET\n:::\nb", ("\nb", 1)),
            (
                "::::{todo}\nSECRET\n:::{note}\nSECRET\n:::\n::::\nb",
                ("\nb", 0),
            ),
            ("```{only} latex\nSECRET", ("", 1)),
        ] {
            let (shown, remarks) = rewritten(text);
            assert_eq!((shown.as_str(), remarks), expected, "{text}");
        }
        for text in [
            "```{only} html\na\n```",
            "```{note}\na\n```",
            "````\n```{only} x\na\n```\n% a\n````",
            "a % b",
        ] {
            assert_eq!(rewritten(text), (text.to_owned(), 0));
        }
    }

    proptest::proptest! {
        #[test]
        fn no_directive_panics(text in "(```|:::|\\{only\\} x|\\{todo\\}|% |\n|é| ){0,30}") {
            rewritten(&text);
        }
    }
}
