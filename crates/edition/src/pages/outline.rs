//! The outline of a page: what its texts and lists have, as the templates write it.

use diglot_content::document::Outline;
use diglot_content::tree::Leads;

use super::guide::ContentsEntry;
use super::page_data::PageData;

/// Appends one part's outline to the page's.
pub(super) fn append(outline: &mut Outline, part: Outline) {
    outline.headings.extend(part.headings);
    outline.links.extend(part.links);
    outline.images.extend(part.images);
    outline.code.extend(part.code);
}

/// Adds the template's output for the contents of a section, in the order of `outline.html`.
pub(super) fn add_rows(outline: &mut Outline, rows: &[ContentsEntry<'_>]) {
    for row in rows {
        match &row.leads {
            Leads::Text(address) | Leads::Instead(address) | Leads::Site(address) => {
                outline.links.push(address.to_string());
            }
            Leads::Nowhere => {}
        }
        add_rows(outline, &row.rows);
    }
}

/// Adds the template's output for the lists, in the order of `entries.html`.
pub(super) fn add_groups(outline: &mut Outline, data: &PageData<'_>) {
    for group in &data.groups {
        if let Some(title) = &group.title {
            outline.heading(2, title);
            outline.links.extend(group.stem.clone());
        }
        outline
            .links
            .extend(group.entries.iter().map(|row| row.article.stem.to_string()));
        outline
            .links
            .extend(group.links.iter().map(|link| link.stem.clone()));
    }
}
