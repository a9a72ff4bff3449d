//! Template tags become what they show, or are removed. None is ever executed.
//!
//! `walk` decides what becomes of each tag, `code` does so for code between two tags, `write` puts
//! the result in its place: as `markdown`, or as `html` inside a block of HTML.

mod code;
mod html;
mod markdown;
mod walk;
mod write;

use std::collections::{BTreeMap, VecDeque};

use crate::dialects::passes::lines::Lines;
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::tokens;
use crate::model::bounds;
use crate::syntax::markdown::literal::{Literals, literals, literals_of_html};

/// How often a text is looked at: a removed tag may uncover code as text, and a tag inside.
const PASSES: usize = 4;

/// Translates the template tags of a text; gives those without a rule, by name, with their count.
/// `None`: there are no tags at all.
pub fn rewrite(lines: &mut Lines, page: &Page<'_>) -> Option<BTreeMap<String, usize>> {
    let mut unknown = BTreeMap::new();
    let mut tags = false;
    for _ in 0..PASSES {
        if bounds::is_over_now() || !pass(lines, page, &mut unknown) {
            break;
        }
        tags = true;
    }
    tags.then_some(unknown)
}

/// One look over the text; `false`: there is no tag.
fn pass(lines: &mut Lines, page: &Page<'_>, unknown: &mut BTreeMap<String, usize>) -> bool {
    let text = lines.text.as_str();
    let percent = page.kind.percent_comments;
    if !(text.contains("{{")
        || text.contains("{%")
        || text.contains("{# ")
        || percent && text.contains("%%"))
    {
        return false;
    }
    let literals = if page.html {
        literals_of_html(text)
    } else {
        literals(text)
    };
    let tokens = tokens(text, &literals, percent);
    if tokens.is_empty() {
        return false;
    }
    let splice = Splice::new(text);
    let mut writer = Writer {
        text,
        literals: &literals,
        page,
        splice,
        unknown,
        tabs: VecDeque::new(),
        pane: None,
    };
    writer.all(&tokens);
    let (text, sources) = writer.splice.finish();
    lines.replace(text, &sources);
    true
}

/// Writes the text with each token replaced.
struct Writer<'a, 't> {
    text: &'a str,
    literals: &'t Literals,
    page: &'t Page<'t>,
    splice: Splice<'a>,
    unknown: &'t mut BTreeMap<String, usize>,
    /// Titles that a tag gave for the tabs inside.
    tabs: VecDeque<String>,
    /// The language of a pane whose tabs hold code.
    pane: Option<String>,
}
