//! `/sitemap.md`: every page by title, with both addresses.

use super::rows::{Known, Rewrite, Row, Rows};
use super::sections::Index;
use super::text::{count, escape, link};
use super::{Entry, Material};
use crate::resource::Resource;
use crate::route::Route;

/// The Markdown sitemap. `before` are the rows of the edition before; its own are added to `rows`.
pub(crate) fn resource(material: &Material<'_>, index: &Index<'_>, before: &Rows, rows: &mut Rows) -> Resource {
    let site = material.site;
    let mut text = Rewrite::of(before, 0, 0);
    text.push(
        format!(
            "# Sitemap of {}\n\n{}, each with the address of its HTML form and the path of its Markdown form. For machines: [sitemap.xml]({}).\n",
            escape(&site.title),
            count(material.entries.len(), "page"),
            site.base.absolute(&Route::Sitemap.path())
        )
        .as_bytes(),
    );
    let mut list = List { material, text, known: before.known(), rows: Vec::with_capacity(material.entries.len()) };
    let of = |wanted: fn(&Route) -> bool| material.entries.iter().filter(move |entry| wanted(entry.route)).collect::<Vec<_>>();
    let pages = of(|route| matches!(route, Route::Home(_) | Route::Page(..) | Route::Api(_) | Route::Terms(_)));
    list.section("Pages", &pages);
    for section in &index.sections {
        list.section(&section.title, &section.entries);
    }
    let others: Vec<&Entry<'_>> = index.optional.iter().chain(&index.out).copied().collect();
    list.section("Further articles", &others);
    let lists = of(|route| matches!(route, Route::ArticleList(_) | Route::Tag(..) | Route::Year(..)));
    list.section("Lists", &lists);
    rows.note(&Route::SitemapMarkdown, list.rows);
    list.text.finish(Route::SitemapMarkdown, material.newest.at)
}

/// The list as it is written.
struct List<'l, 'm> {
    material: &'l Material<'m>,
    text: Rewrite<'l>,
    known: Known<'l>,
    rows: Vec<Row>,
}

impl List<'_, '_> {
    fn section(&mut self, title: &str, entries: &[&Entry<'_>]) {
        if entries.is_empty() {
            return;
        }
        self.text.push(format!("\n## {}\n\n", escape(title)).as_bytes());
        for entry in entries {
            let start = self.text.len();
            match self.known.find(entry) {
                Some(row) => self.text.row(row),
                None => {
                    // A code span: the path is percent-encoded, so it holds no back quote.
                    let path = self.material.site.base.rooted(&entry.markdown_path());
                    self.text.push(format!("- {} `{path}`\n", link(entry.title, &entry.url())).as_bytes());
                }
            }
            self.rows.extend(Row::of(entry, start, self.text.len(), [0; 2]));
        }
    }
}
