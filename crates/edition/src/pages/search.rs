//! Whether a site has a search: not where the author has something at one of its paths.

use diglot_content::{Library, Problem, Site};

use crate::route::{Form, Route};

/// The path of the search page without suffix.
const STEM: &str = "/search";

/// Whether a site has a search: if it is on, and nothing of the author's is at one of its paths.
pub(crate) fn is_on(site: &Site, library: &Library) -> bool {
    site.search && taken(library).is_none()
}

/// The path of the search that the author uses for something else.
fn taken(library: &Library) -> Option<String> {
    let paths = [
        Route::Search(Form::Html),
        Route::Search(Form::Markdown),
        Route::SearchIndex,
    ]
    .map(|route| route.path());
    let texts = library.articles.iter().chain(&library.pages);
    if texts.into_iter().any(|text| &*text.stem == STEM) {
        return paths.into_iter().next();
    }
    paths
        .into_iter()
        .find(|path| library.files.iter().any(|file| *file.path == **path))
}

/// Whether the author has a description of the search for browsers.
pub(crate) fn has_own_description(library: &Library) -> bool {
    let path = Route::OpenSearch.path();
    library.files.iter().any(|file| *file.path == *path)
}

/// The problem that the author has something at a path of the search.
pub(crate) fn problem(site: &Site, library: &Library) -> Option<Problem> {
    let path = taken(library).filter(|_| site.search)?;
    Some(
        Problem::warning(format!("the site has no search: `{path}` is the author's"))
            .hint("rename it, or set `search = false`"),
    )
}
