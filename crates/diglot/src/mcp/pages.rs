//! The pages of a site, in the order of its Markdown sitemap.

use std::sync::{Arc, Mutex, PoisonError};

use diglot_audit::listing;

use super::MOST_LIST;
use super::site::{Site, below, text};

/// The pages of one edition.
#[derive(Debug)]
pub(crate) struct Pages {
    /// The id of the edition.
    id: String,
    pub(crate) pages: Vec<Page>,
}

/// A page.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) title: String,
    /// The percent-encoded path of its Markdown form, below the site.
    pub(crate) path: String,
}

/// The pages of the edition asked for last: a long list is read once.
#[derive(Debug, Default)]
pub(crate) struct LastPages(Mutex<Option<Arc<Pages>>>);

impl LastPages {
    /// The pages of this site.
    pub(crate) fn get(&self, site: &dyn Site) -> Result<Arc<Pages>, String> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pages) = last.as_ref().filter(|pages| pages.id == site.id()) {
            return Ok(Arc::clone(pages));
        }
        let pages = Arc::new(Pages::read(site)?);
        *last = Some(Arc::clone(&pages));
        Ok(pages)
    }
}

impl Pages {
    fn read(site: &dyn Site) -> Result<Self, String> {
        let text = text(site, "/sitemap.md")?;
        let text = text.ok_or("the site has no `/sitemap.md`, so its pages are not known")?;
        if text.len() > MOST_LIST {
            return Err(format!(
                "`/sitemap.md` is larger than {} MiB",
                MOST_LIST >> 20
            ));
        }
        let listed = listing::read(&text).into_iter();
        let pages = listed.filter_map(|listed| {
            let path = below(site, &listed.path)?.to_owned();
            let title = listed.title;
            Some(Page { title, path })
        });
        Ok(Self {
            id: site.id().to_owned(),
            pages: pages.collect(),
        })
    }

    /// The numbers and the pages whose paths begin with `under`, from number `from`.
    pub(crate) fn under<'a>(
        &'a self,
        under: &'a str,
        from: usize,
    ) -> impl Iterator<Item = (usize, &'a Page)> {
        let numbered = self.pages.iter().enumerate().skip(from);
        numbered.filter(move |(_, page)| page.path.starts_with(under))
    }
}
