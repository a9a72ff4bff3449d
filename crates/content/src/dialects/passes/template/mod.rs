//! Replaces template tags with what they show, or removes them. None is ever executed.
//!
//! `walk` chooses the replacement of each tag, `code` that of code between two tags, `write`
//! inserts it: as `markdown`, or as `html` inside an HTML block.

mod code;
mod html;
mod markdown;
mod walk;
mod write;

use std::collections::{BTreeMap, VecDeque};

use crate::dialects::lines::Lines;
use crate::dialects::passes::page::Page;
use crate::dialects::passes::splice::Splice;
use crate::dialects::tags::tokens;
use crate::model::bounds;
use crate::syntax::markdown::literal::Literals;

/// How often a text is scanned: removing a tag may turn code into text, and uncover a tag inside.
const PASSES: usize = 4;

/// Translates the template tags of a text; returns those without a rule, by name, with their count.
/// `None`: the text has no tags.
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

/// One scan of the text; `false`: it has no tag.
fn pass(lines: &mut Lines, page: &Page<'_>, unknown: &mut BTreeMap<String, usize>) -> bool {
    let text = lines.text.as_str();
    if !may_have_tags(text, page.kind.percent_comments) {
        return false;
    }
    let literals = page.literals(lines);
    let tokens = tokens(text, &literals, page.kind.reading());
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

fn may_have_tags(text: &str, percent: bool) -> bool {
    text.contains("{{")
        || text.contains("{%")
        || text.contains("#}")
        || percent && text.contains("%%")
}

/// Writes the text with each token replaced.
struct Writer<'a, 't> {
    text: &'a str,
    literals: &'t Literals,
    page: &'t Page<'t>,
    splice: Splice<'a>,
    unknown: &'t mut BTreeMap<String, usize>,
    /// Titles that a tag gave to the tabs inside it.
    tabs: VecDeque<String>,
    /// The language of a pane whose tabs contain code.
    pane: Option<String>,
}
