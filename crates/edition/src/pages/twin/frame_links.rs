//! What is in header and footer of every page, in the Markdown form of the home page.

use std::collections::BTreeSet;

use diglot_content::document::{Block, Inline, Item, Purpose, Rendering, write_markdown};
use diglot_content::library::FrameItem;

use super::super::page_data::PageData;
use super::super::shared::Shared;
use super::super::site_values::link_in;
use super::link_lists::{LinkLists, list};
use crate::theme::Words;

/// The links of the header and the footer, each once, and the words of the footer.
pub(crate) fn write(shared: &Shared<'_>, data: &PageData<'_>, text: &mut String) {
    let frame = &shared.context.library.frame;
    let Some(words) = shared.words(&data.language) else {
        return;
    };
    let mut lists = LinkLists::default();
    let mut known = BTreeSet::new();
    let items = [&frame.links, &frame.footer_links];
    let items = items.into_iter().flatten().flatten();
    let links = items
        .filter_map(|item| menu_item(&mut lists, item, &mut known, (&data.language, words)))
        .collect();
    lists.document.blocks.extend(list(links));
    if !lists.document.blocks.is_empty() {
        let written = lists.write(shared, data).text;
        text.push_str(written.trim_matches('\n'));
        text.push('\n');
    }
    if let Some(footer) = &frame.footer_text {
        let rendering = Rendering {
            base: shared.base(),
            stem: &data.stem,
            targets: &footer.targets,
            purpose: Purpose::Twin,
            typography: None,
            back: None,
        };
        let written = write_markdown(&footer.document, &rendering).text;
        text.push_str(&format!("\n{}\n", written.trim_matches('\n')));
    }
}

/// A link, unless it is known, or a group of links.
fn menu_item(
    lists: &mut LinkLists,
    item: &FrameItem,
    known: &mut BTreeSet<String>,
    (language, words): (&str, &Words),
) -> Option<Item> {
    let line = match link_in(item, language, words) {
        None => vec![Inline::text(item.title.as_deref().unwrap_or_default())],
        Some((title, target, _)) if known.insert(format!("{target:?}")) => {
            vec![lists.link_to(&title, target)]
        }
        Some(_) => return None,
    };
    let below: Vec<Item> = item
        .items
        .iter()
        .filter_map(|item| menu_item(lists, item, known, (language, words)))
        .collect();
    if item.target.is_none() && below.is_empty() {
        return None;
    }
    let blocks = std::iter::once(Block::Paragraph(line)).chain(list(below));
    Some(Item {
        task: None,
        blocks: blocks.collect(),
    })
}
