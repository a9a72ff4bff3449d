//! `/sitemap.md`: every page by title, with both addresses.

use super::rows::{Known, Rows};
use super::sections::Index;
use super::text::{count, escape, link};
use super::{Entry, Material};
use crate::resource::Resource;
use crate::route::Route;

/// The Markdown sitemap. `before` are the rows of the edition before; its own are added to `rows`.
pub(crate) fn resource(material: &Material<'_>, index: &Index<'_>, before: &Rows, rows: &mut Rows) -> Resource {
    let site = material.site;
    let listed: Vec<&Entry<'_>> = material.entries.iter().filter(|entry| entry.route.in_sitemap()).collect();
    let mut text = String::with_capacity(before.room());
    text.push_str(&format!(
        "# Sitemap of {}\n\n{}, each with the address of its HTML form and the path of its Markdown form. For machines: [sitemap.xml]({}).\n",
        escape(&site.title),
        count(listed.len(), "page"),
        site.base.absolute(&Route::Sitemap.path())
    ));
    rows.document(&Route::SitemapMarkdown);
    let mut list = List { material, text, known: before.known(), rows };
    let of = |wanted: fn(&Route) -> bool| listed.iter().copied().filter(move |entry| wanted(entry.route)).collect::<Vec<_>>();
    let pages = of(|route| matches!(route, Route::Home(_) | Route::Page(..) | Route::Api(_) | Route::Terms(_)));
    list.section("Pages", &pages);
    for section in &index.sections {
        list.section(&section.title, &section.entries);
    }
    let others: Vec<&Entry<'_>> = index.optional.iter().chain(&index.out).copied().collect();
    list.section("Further articles", &others);
    let lists = of(|route| matches!(route, Route::ArticleList(_) | Route::Tag(..) | Route::Year(..)));
    list.section("Lists", &lists);
    Resource::new(Route::SitemapMarkdown, list.text, material.newest.at)
}

/// The list as it is written.
struct List<'l, 'm> {
    material: &'l Material<'m>,
    text: String,
    known: Known<'l>,
    rows: &'l mut Rows,
}

impl List<'_, '_> {
    fn section(&mut self, title: &str, entries: &[&Entry<'_>]) {
        if entries.is_empty() {
            return;
        }
        self.text.push_str(&format!("\n## {}\n\n", escape(title)));
        for entry in entries {
            let start = self.text.len();
            match self.known.find(entry) {
                Some((row, _)) => self.text.push_str(row),
                None => {
                    // A code span: the path is percent-encoded, so it holds no back quote.
                    let path = self.material.site.base.rooted(&entry.markdown_path());
                    self.text.push_str(&format!("- {} `{path}`\n", link(entry.title, &entry.url())));
                }
            }
            self.rows.note(entry, start, self.text.len(), 0);
        }
    }
}
