//! The steps that rewrite a text of any kind into plain Markdown, in the order of [`translate`].
//! Each step reads the text as `dialects::scan` divides it, and writes it with `splice`.

mod blocks;
mod braced_attributes;
mod card_tables;
mod classes;
mod code_references;
mod code_tags;
mod components;
mod contents;
mod directives;
pub(in crate::dialects) mod escape;
mod expressions;
mod extensions;
pub mod files;
mod hash_pages;
mod heading_badges;
mod heading_comments;
mod hidden_elements;
mod hidden_lines;
mod html_ends;
mod include;
mod inline_languages;
mod kramdown;
mod logic;
mod math;
mod mdx;
mod myst;
mod outline;
mod page;
mod page_titles;
mod pandoc;
mod panels;
mod scriban;
mod splice;
mod tables;
mod template;
mod template_comments;
mod template_signs;
mod text_first_links;
mod titled_code;
mod v_pre;
mod vault;
mod vue_conditions;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use super::kind::Kind;
use super::template_names::TemplateLanguage;
use crate::dialects::lines::{Lines, Remark};
use crate::model::bounds;
use crate::model::text::Marks;
use crate::syntax::front::Front;
use files::Files;
use include::Included;
use page::Page;

pub use logic::{is_false, is_for_everyone};

/// A text without template tags outside code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Tags without a rule, by name, with their count. They are removed; the text between them is
    /// kept.
    pub unknown: BTreeMap<String, usize>,
    /// The source line of each line, from 0; `None`: no line was added.
    pub lines: Option<Vec<u32>>,
    /// The included files, by path.
    pub included: BTreeSet<String>,
    /// Problems for the author.
    pub remarks: Vec<Remark>,
}

/// The steps between includes and template tags.
const STEPS: &[fn(&mut Lines, &Page<'_>)] = &[
    outline::rewrite,
    pandoc::rewrite,
    hidden_lines::rewrite,
    inline_languages::rewrite,
    braced_attributes::rewrite,
    titled_code::rewrite,
    heading_badges::rewrite,
    components,
    text_first_links::rewrite,
    ids_of_blocks,
    |lines, _| extensions::rewrite(lines),
    |lines, page| heading_comments::rewrite(lines, page.kind.dialect.bracketed_ids),
    hash_pages,
    editor_html,
    panels::rewrite,
    page_titles::rewrite,
    directives::rewrite,
    code_references::rewrite,
    |lines, _| classes::rewrite(lines),
    |lines, _| kramdown::rewrite(lines),
    |lines, _| contents::rewrite(lines),
    |lines, page| math::rewrite(lines, page.dollar, page.kind.dialect.escaped_formulas),
    |lines, _| tables::rewrite(lines),
    |lines, _| blocks::rewrite(lines),
];

fn components(lines: &mut Lines, page: &Page<'_>) {
    hidden_elements::rewrite(lines, page);
    if page.jsx {
        mdx::rewrite(lines, page.front, page.dollar);
        return;
    }
    if page.kind.vue() {
        vue_conditions::rewrite(lines);
    }
    components::rewrite(lines, page.kind.vue());
}

fn html_ends(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.dialect.html_ends_with_element && !page.html {
        html_ends::rewrite(lines);
    }
}

fn editor_html(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.dialect.editor_html {
        card_tables::rewrite(lines);
        expressions::rewrite(lines, page);
    }
}

fn hash_pages(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.dialect.hash_pages {
        hash_pages::rewrite(lines);
    }
}

fn ids_of_blocks(lines: &mut Lines, page: &Page<'_>) {
    if page.kind.vault {
        vault::rewrite(lines);
    }
}

/// Translates the template tags of a body; `html`: it is HTML, not Markdown; `jsx`: it is MDX.
/// Pure: a tag reads other files only through `files`.
pub fn translate<'a>(
    text: &'a str,
    html: bool,
    jsx: bool,
    kind: &Kind,
    front: &Front,
    files: &Files<'_>,
) -> Translated<'a> {
    let dollar = memchr::memchr2(b'$', b'\\', text.as_bytes()).is_some()
        && (kind.dollar_math || math::is_asked_for(front));
    let page = Page {
        html,
        jsx,
        dollar,
        kind,
        front,
        files,
    };
    if !needs_translation(text, &page) {
        return Translated {
            text: Cow::Borrowed(text),
            ..Translated::default()
        };
    }
    let mut lines = Lines::new(text);
    let shows_tags = page.shows_tags();
    if !shows_tags {
        template_signs::rewrite(&mut lines, &page);
    }
    myst::rewrite(&mut lines, &page);
    if page.kind.vue() {
        v_pre::rewrite(&mut lines);
    }
    if !shows_tags {
        template_comments::rewrite(&mut lines, &page);
    }
    html_ends(&mut lines, &page);
    let (included, undecided) = match shows_tags {
        true => (includes_of_others(&mut lines, &page), BTreeMap::new()),
        false => run_tags(&mut lines, &page),
    };
    if shows_tags && kind.percent_comments {
        template_comments::cut_percent(&mut lines, &page);
    }
    if !html {
        for step in STEPS {
            if bounds::is_over_now() {
                break;
            }
            step(&mut lines, &page);
        }
    }
    let unknown = match shows_tags {
        true => None,
        false => template::rewrite(&mut lines, &page),
    };
    if unknown.is_some() && !html {
        blocks::rewrite(&mut lines);
    }
    code_tags::show_escaped(&mut lines, &page);
    let mut remarks = included.remarks;
    remarks.append(&mut lines.remarks);
    let mut unknown = unknown.unwrap_or_default();
    let blocks = mem::take(&mut lines.unknown);
    for (name, count) in undecided.into_iter().chain(blocks) {
        *unknown.entry(name).or_default() += count;
    }
    let mut included = included.files;
    included.append(&mut lines.included);
    let (text, lines) = lines.into_parts();
    Translated {
        text: Cow::Owned(text),
        unknown,
        lines,
        included,
        remarks,
    }
}

/// Expands includes, and resolves the logic of tags. Returns also what was not decided, by name.
fn run_tags(lines: &mut Lines, page: &Page<'_>) -> (Included, BTreeMap<String, usize>) {
    if page.kind.config.features.scriban {
        return (include::rewrite(lines, page), scriban::rewrite(lines, page));
    }
    logic::rewrite_code(lines, page);
    code_tags::unwrap_raw(lines, page);
    let included = include::rewrite(lines, page);
    // Included files may have comments of their own.
    if !included.files.is_empty() {
        template_comments::rewrite(lines, page);
    }
    (included, logic::rewrite(lines, page))
}

/// Expands the includes of a text that shows its tags: in folders whose templates are of Jinja,
/// another plug-in has them.
fn includes_of_others(lines: &mut Lines, page: &Page<'_>) -> Included {
    let names = page.kind.dialect.template_names;
    match names.is_some_and(|names| names.language == TemplateLanguage::Jinja) {
        true => include::rewrite(lines, page),
        false => Included::default(),
    }
}

/// Signs of syntax that needs translation, in addition to those of the single steps.
const MARKS: [&str; 13] = [
    "{: ", "{:.", "{:#", "$$", "\\\\(", "\\\\[", "{{", "{%", "#}", "!!!", "???", "=== \"",
    "===! \"",
];
/// One scan for all of them together: most texts have none.
static ANY: Marks = {
    let [docfx, tabs, inside, alone] = directives::SIGNS;
    Marks::new(&[
        &MARKS,
        &include::SIGNS,
        &contents::SIGNS,
        &[extensions::SIGN],
        docfx,
        tabs,
        inside,
        alone,
    ])
};

fn may_have_editor_html(text: &str) -> bool {
    let signs = card_tables::SIGNS.iter().chain([&expressions::SIGN]);
    signs.into_iter().any(|sign| text.contains(sign))
}

fn needs_translation(text: &str, page: &Page<'_>) -> bool {
    page.jsx
        || page.is_pandoc()
        || page.kind.dialect.hash_pages
        || page.kind.config.features.panels
        || page.kind.config.features.outlines
        || page.kind.dialect.editor_html && may_have_editor_html(text)
        || hidden_lines::may_have_some(text, page)
        || inline_languages::may_have_some(text, page)
        || braced_attributes::may_have_some(text, page)
        || titled_code::may_have_some(text, page)
        || page_titles::may_have_some(text, page)
        || text_first_links::may_have_some(text, page)
        || page.kind.config.myst.is_some()
        || template_signs::may_have_some(text, page)
        || page.dollar
        || page.kind.vue() && text.contains('<')
        || page.kind.dialect.html_ends_with_element && text.contains('<')
        || page.kind.dialect.code_references && code_references::may_have(text)
        || page.kind.percent_comments && text.contains("%%")
        || page.kind.vault && vault::may_have_ids(text)
        || components::may_have(text)
        || tables::may_have_long_rows(text)
        || heading_comments::may_have_some(text, page.kind.dialect.bracketed_ids)
        || ANY.any(text)
        || hidden_elements::may_have_some(text)
        || directives::has_keys(text)
        || directives::is_versioned(page.front)
}

#[cfg(test)]
mod tests;
