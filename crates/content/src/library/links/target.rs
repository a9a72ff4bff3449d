//! The target of an item, for a link that leads to it.

use super::{
    item::{Item, ItemId, ItemKind},
    table::{LinkTable, SEARCH},
};
use crate::library::{
    anchors::{Anchors, is_beginning, is_everywhere},
    candidate::Described,
    paths::{Address, stemmed},
};
use crate::model::{
    document::Target,
    problem::{Cause, Problem},
    scheme::Refused,
    text::shorten,
};

/// The most texts that redirect to each other, and are followed.
const LONGEST_CHAIN: usize = 10;

/// A target, and messages for the author.
pub struct Resolved {
    pub target: Target,
    pub problem: Option<Problem>,
    /// Whether a former dated address (`/2015/03/19/x/`) was used.
    pub dated: bool,
    /// Whether the target page has the requested fragment; `None`: no fragment or no page.
    pub fragment_found: Option<bool>,
    /// The page in which a fragment was looked for.
    pub looked_in: Option<ItemId>,
    /// Whether the target is a section, which exists or not once the order of texts is known; if
    /// not, the problem is one.
    pub is_section: bool,
}

impl Resolved {
    pub fn to(target: Target) -> Self {
        Self {
            target,
            problem: None,
            dated: false,
            fragment_found: None,
            looked_in: None,
            is_section: false,
        }
    }

    /// The target of an address whose scheme is not allowed.
    pub(super) fn refused(written: &str, is_link: bool, refused: &Refused) -> Self {
        let what = if is_link {
            "the link"
        } else {
            "the image or file"
        };
        let message = format!(
            "{what} `{}` is removed: pages do not link to `{}:` addresses",
            shorten(written, 200),
            refused.scheme
        );
        let problem = Problem::warning(message).cause(Cause::LinkScheme);
        Self::broken(problem.hint(refused.hint()))
    }

    pub fn broken(problem: Problem) -> Self {
        Self {
            problem: Some(problem),
            ..Self::to(Target::Unresolved)
        }
    }
}

impl LinkTable<'_> {
    /// The target of a link to a text that is only a redirect: where the last of such texts leads.
    fn moved(&self, first: ItemId, address: Address<'_>) -> Resolved {
        let mut item = first;
        for _ in 0..LONGEST_CHAIN {
            let Some(to) = self.redirects.get(&item) else {
                return self.target(item, address, false);
            };
            let Some(path) = to.path() else {
                return Resolved::to(Target::Url(to.to_string()));
            };
            let stem = stemmed(path);
            let text = || self.redirect_stems.get(stem.as_str()).copied();
            match self.paths.address(&stem).or_else(text) {
                Some(next) => item = next,
                None => break,
            }
        }
        let source = &self.items[first].source;
        let message = format!("the link leads to `{source}`, which redirects to no page");
        Resolved::broken(Problem::warning(message).cause(Cause::Link))
    }

    /// The target of an item, with the rest of the address after the path; `is_here`: a page refers
    /// to itself.
    pub(super) fn target(&self, item: ItemId, address: Address<'_>, is_here: bool) -> Resolved {
        if self.redirects.contains_key(&item) {
            return self.moved(item, address);
        }
        let Item { source, kind } = &self.items[item];
        if let Some(page) = self.page(item) {
            let fragment = address.fragment.filter(|fragment| !fragment.is_empty());
            return page_target((item, page), source, fragment, is_here);
        }
        let fragment = address.fragment.filter(|fragment| !fragment.is_empty());
        match kind {
            ItemKind::Hidden(why) => {
                let message =
                    format!("the link leads to `{source}`, which is not published: {why}");
                // Values and suffixes in a reason differ from file to file.
                let common = why.split(": `").next().unwrap_or(why);
                let problem = Problem::warning(message).cause(Cause::LinkToWithheld);
                Resolved::broken(problem.subject(common))
            }
            ItemKind::File { path, size } => {
                let mut suffix = address.query.to_owned();
                if let Some(fragment) = fragment {
                    suffix.push('#');
                    suffix.push_str(fragment);
                }
                Resolved::to(Target::File {
                    path: path.clone(),
                    suffix,
                    size: *size,
                })
            }
            // The one page whose answer depends on a query.
            ItemKind::Generated(stem) if **stem == *SEARCH && !address.query.is_empty() => {
                Resolved::to(Target::File {
                    path: format!("{stem}.html").into(),
                    suffix: address.query.to_owned(),
                    size: None,
                })
            }
            ItemKind::Page(stem) | ItemKind::Generated(stem) => {
                let fragment = fragment
                    .filter(|fragment| is_everywhere(fragment))
                    .map(str::to_owned);
                Resolved::to(Target::Page {
                    stem: stem.clone(),
                    fragment,
                })
            }
        }
    }
}

/// The target of an author's page; `is_here`: the page refers to itself.
fn page_target(
    (item, page): (ItemId, &Described),
    source: &str,
    fragment: Option<&str>,
    is_here: bool,
) -> Resolved {
    let found = fragment.and_then(|fragment| find_fragment(page, fragment));
    let missing = fragment.filter(|_| found.is_none());
    let target = match found {
        fragment if !is_here => Target::Page {
            stem: page.metadata.stem.value.clone(),
            fragment,
        },
        Some(fragment) => Target::Here(fragment),
        None if missing.is_some() => Target::Unresolved,
        None => Target::Here(String::new()),
    };
    let problem = missing.map(|fragment| no_heading(source, fragment));
    Resolved {
        target,
        problem,
        dated: false,
        fragment_found: fragment.map(|_| missing.is_none()),
        looked_in: fragment.map(|_| item),
        is_section: false,
    }
}

fn no_heading(source: &str, fragment: &str) -> Problem {
    Problem::warning(format!(
        "broken link: the page `{source}` has no heading or id `#{fragment}`"
    ))
    .cause(Cause::Fragment)
    .subject(source)
}

pub(super) fn find_fragment(page: &Described, fragment: &str) -> Option<String> {
    if is_everywhere(fragment) {
        return Some(fragment.to_owned());
    }
    page.anchors
        .get_or_init(|| Box::new(Anchors::from_document(&page.document.aside())))
        .find(fragment)
        .or_else(|| is_beginning(fragment).then(|| "top".to_owned()))
}
