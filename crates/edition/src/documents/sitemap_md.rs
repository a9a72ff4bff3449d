//! `/sitemap.md`: every page by title, with both addresses.

use super::sections::Index;
use super::text::{count, escape, link};
use super::{Entry, Material};
use crate::resource::Resource;
use crate::route::Route;

/// The Markdown sitemap.
pub fn resource(material: &Material<'_>, index: &Index<'_>) -> Resource {
    let site = material.site;
    let listed: Vec<&Entry<'_>> = material.entries.iter().filter(|entry| entry.route.in_sitemap()).collect();
    let mut text = format!(
        "# Sitemap of {}\n\n{}, each with the address of its HTML form and the path of its Markdown form. For machines: [sitemap.xml]({}).\n",
        escape(&site.title),
        count(listed.len(), "page"),
        site.base.absolute(&Route::Sitemap.path())
    );
    let of = |wanted: fn(&Route) -> bool| listed.iter().copied().filter(move |entry| wanted(entry.route)).collect::<Vec<_>>();
    let pages = of(|route| matches!(route, Route::Home(_) | Route::Page(..) | Route::Api(_) | Route::Terms(_)));
    write_section(&mut text, material, "Pages", &pages);
    for section in &index.sections {
        write_section(&mut text, material, &section.title, &section.entries);
    }
    let others: Vec<&Entry<'_>> = index.optional.iter().chain(&index.out).copied().collect();
    write_section(&mut text, material, "Further articles", &others);
    let lists = of(|route| matches!(route, Route::ArticleList(_) | Route::Tag(..) | Route::Year(..)));
    write_section(&mut text, material, "Lists", &lists);
    Resource::new(Route::SitemapMarkdown, text, material.newest.at)
}

fn write_section(text: &mut String, material: &Material<'_>, title: &str, entries: &[&Entry<'_>]) {
    if entries.is_empty() {
        return;
    }
    text.push_str(&format!("\n## {}\n\n", escape(title)));
    for entry in entries {
        // A code span: the path is percent-encoded, so it holds no back quote.
        text.push_str(&format!("- {} `{}`\n", link(entry.title, &entry.url), material.site.base.rooted(&entry.markdown_path())));
    }
}
