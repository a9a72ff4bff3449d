//! Template tags become what they show, or go. None is ever executed.
//!
//! Here is the order of all the steps that a text goes through; then `tags` finds out what each tag is and where it ends, `walk` what becomes of it, and
//! `write` puts that in its place.

mod tags;
mod walk;
mod write;

pub(in crate::dialects) use tags::{Ends, call};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::dialects::Kind;
use crate::dialects::passes::lines::Lines;
use crate::dialects::passes::{blocks, classes, contents, directives, extensions, include, math, mdx, vault};
use crate::dialects::tags::token::tokens;
use crate::model::bounds;
use crate::model::text::Marks;
use crate::syntax::front::Front;
use crate::syntax::markdown::literal::{Literals, literals, literals_of_html};

/// A text without template tags outside code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Tags that nobody knows, by name, with their count: they are dropped, and what stood between them stays.
    pub unknown: BTreeMap<String, usize>,
    /// For each line of the text the line it comes from, counted from 0; `None`: no line was added.
    pub lines: Option<Vec<u32>>,
    /// The files that stand in it, by path.
    pub included: BTreeSet<String>,
    /// What the author should know.
    pub remarks: Vec<Remark>,
}

/// Something to say about a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, counted from 0.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// What a path in an include leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A text, without its front matter.
    Text(String),
    /// A file that is not included, and why.
    Closed(String),
    /// Nothing.
    Missing,
}

/// How often a text is looked at: a tag that goes may uncover code as text, and a tag in it.
const PASSES: usize = 4;

/// What an include may ask for: the path of the text itself, and the text of a plain file by its path in the folder.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The path of the text that is translated.
    pub path: &'a str,
    /// Looks up a file by its path in the folder.
    pub read: &'a dyn Fn(&str) -> Named,
}

/// Translates the template tags of a body; `html`: it is HTML, not Markdown; `jsx`: it is MDX. Pure: of what a tag may need from elsewhere only `files` are
/// there.
pub fn translate<'a>(text: &'a str, html: bool, jsx: bool, kind: &Kind, front: &Front, files: &Files<'_>) -> Translated<'a> {
    let dollar = memchr::memchr2(b'$', b'\\', text.as_bytes()).is_some() && (kind.dollar_math || math::is_asked_for(front));
    let scope = include::Scope { html, jsx, kind, files };
    if !(jsx
        || kind.dialect.vue && text.contains('<')
        || dollar
        || ANY.any(text)
        || directives::has_keys(text)
        || kind.percent_comments && (text.contains("%%") || text.contains(" ^") || text.contains("\n^")))
    {
        return Translated { text: Cow::Borrowed(text), ..Translated::default() };
    }
    let mut unknown = BTreeMap::new();
    let mut lines = Lines::of(text);
    let included = include::rewrite(&mut lines, scope);
    if !html {
        let components = |lines: &mut Lines| match (jsx, kind.dialect.vue) {
            (true, _) => mdx::rewrite(lines, front, dollar),
            (false, true) => mdx::rewrite_vue(lines, front, dollar),
            (false, false) => {}
        };
        let places = |lines: &mut Lines| {
            if kind.percent_comments {
                vault::rewrite(lines)
            }
        };
        let formulas = |lines: &mut Lines| math::rewrite(lines, dollar);
        let steps: [&dyn Fn(&mut Lines); 8] =
            [&components, &places, &extensions::rewrite, &directives::rewrite, &classes::rewrite, &contents::rewrite, &formulas, &blocks::rewrite];
        steps.iter().take_while(|_| !bounds::is_over_now()).for_each(|step| step(&mut lines));
    }
    let mut tags = false;
    for _ in 0..PASSES {
        if bounds::is_over_now() {
            break;
        }
        let Some((next, added)) = pass(&lines.text, html, kind, front, &mut unknown) else { break };
        lines.replace_with(next, &added);
        tags = true;
    }
    if tags && !html {
        blocks::rewrite(&mut lines);
    }
    let (text, lines) = lines.into_parts();
    Translated { text: Cow::Owned(text), unknown, lines, included: included.files, remarks: included.remarks }
}

/// What a text has that needs translation, beside what single steps look for.
const MARKS: [&str; 12] = ["{: .", "{:.", "$$", "\\\\(", "\\\\[", "{{", "{%", "{# ", "!!!", "???", "=== \"", "===! \""];
/// One look for all of them together: most texts have none.
static ANY: Marks = {
    let [docfx, tabs, inside, alone] = directives::SIGNS;
    Marks::of(&[&MARKS, &include::SIGNS, &contents::SIGNS, &[extensions::SIGN], docfx, tabs, inside, alone])
};

/// One look over the text: the new text, and where line breaks were added in it; `None`: there is no tag in it.
fn pass(text: &str, html: bool, kind: &Kind, front: &Front, unknown: &mut BTreeMap<String, usize>) -> Option<(String, Vec<usize>)> {
    if !(text.contains("{{") || text.contains("{%") || text.contains("{# ") || kind.percent_comments && text.contains("%%")) {
        return None;
    }
    let literals = if html { literals_of_html(text) } else { literals(text) };
    let tokens = tokens(text, &literals, kind.percent_comments);
    if tokens.is_empty() {
        return None;
    }
    let mut writer = Writer {
        text,
        literals: &literals,
        kind,
        front,
        out: String::with_capacity(text.len()),
        done: 0,
        added: Vec::new(),
        unknown,
        tabs: VecDeque::new(),
        pane: None,
    };
    writer.all(&tokens);
    writer.out.push_str(&text[writer.done..]);
    Some((writer.out, writer.added))
}

/// Writes the text with each token replaced.
struct Writer<'a, 't> {
    text: &'a str,
    literals: &'t Literals,
    kind: &'t Kind,
    front: &'t Front,
    out: String,
    /// How far the text is written.
    done: usize,
    /// Where line breaks were added.
    added: Vec<usize>,
    unknown: &'t mut BTreeMap<String, usize>,
    /// Titles that a tag gave for the tabs in it.
    tabs: VecDeque<String>,
    /// The language of a pane whose tabs hold code.
    pane: Option<String>,
}

#[cfg(test)]
mod tests;
