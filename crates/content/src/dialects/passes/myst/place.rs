//! Where the names in a text of MyST lead.

use crate::dialects::myst::labels;
use crate::dialects::passes::files::{Found, Search, way_to_root};
use crate::dialects::passes::page::Page;
use crate::model::path::{folder, inside_or_folder, join};

/// Where a name leads, from the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub address: String,
    /// The title of the page or of the part.
    pub title: String,
}

/// The id of a label, as docutils makes it (`make_id`); letters of any language are kept.
pub fn id(label: &str) -> String {
    let lower = label.to_lowercase();
    let parts = lower.split(|c: char| !c.is_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let joined = parts.join("-");
    let id = joined.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    match id {
        "" => joined,
        id => id.to_owned(),
    }
}

/// The address of a file: a path that begins with a slash is from the folder of the settings.
pub fn file(path: &str, page: &Page<'_>) -> String {
    match path.strip_prefix('/').filter(|rest| !rest.starts_with('/')) {
        Some(rest) => format!("{}{}", way(page), inside_or_folder(root(page), rest)),
        None => path.to_owned(),
    }
}

/// The path in the folder of a file that a text names.
pub fn path(named: &str, page: &Page<'_>) -> Option<String> {
    match named.strip_prefix('/') {
        Some(rest) => join(root(page), rest),
        None => join(folder(page.files.path), named),
    }
}

/// The text with this name, with or without its ending.
pub fn document(name: &str, page: &Page<'_>) -> Option<Link> {
    let (name, fragment) = match name.split_once('#') {
        Some((name, fragment)) => (name, format!("#{fragment}")),
        None => (name, String::new()),
    };
    let path = path(name, page).filter(|path| !path.is_empty())?;
    let candidates = [format!("{path}.md"), path];
    let found = candidates
        .iter()
        .find_map(|path| (page.files.search)(Search::Text(path)))?;
    let title = match title_of(&found) {
        "" => name.to_owned(),
        title => title.to_owned(),
    };
    Some(Link {
        address: format!("{}{}{fragment}", way(page), found.path),
        title,
    })
}

/// A place on another site: an article of Wikipedia, a document with a DOI, or a part of a project that
/// the settings name. Titles of such parts are not known here.
pub fn elsewhere(target: &str, page: &Page<'_>) -> Option<Link> {
    let (scheme, rest) = target
        .split_once(':')
        .filter(|(_, rest)| !rest.is_empty())?;
    let (address, title) = match scheme {
        "wiki" => {
            let in_language = rest.split_once(':').filter(|(tag, _)| is_language(tag));
            let (tag, name) = in_language.unwrap_or(("en", rest));
            let address = format!("https://{tag}.wikipedia.org/wiki/{name}");
            (address, name.replace('_', " "))
        }
        "doi" => (format!("https://doi.org/{rest}"), rest.to_owned()),
        "xref" => {
            let end = rest.find(['/', '#']).unwrap_or(rest.len());
            let (name, path) = rest.split_at(end);
            let myst = page.kind.config.myst.as_ref()?;
            let base = myst.project(name)?;
            let base = match path.starts_with('/') {
                true => base.trim_end_matches('/'),
                false => base,
            };
            (format!("{base}{path}"), rest.to_owned())
        }
        _ => return None,
    };
    Some(Link { address, title })
}

/// Whether a name of a Wikipedia is that of a language: `en`, `zh-min-nan`.
fn is_language(tag: &str) -> bool {
    let is_short = (2..=12).contains(&tag.len());
    is_short && tag.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// The place with this label, in any text of the folder.
pub fn label(name: &str, page: &Page<'_>) -> Option<Link> {
    let name = labels::normal(name);
    let found = (page.files.search)(Search::Label(&name))?;
    let id = id(&name);
    let address = match found.path == page.files.path {
        true => format!("#{id}"),
        false => format!("{}{}#{id}", way(page), found.path),
    };
    let title = match title_of(&found) {
        "" => name,
        title => title.to_owned(),
    };
    Some(Link { address, title })
}

/// The place with this label, else the text with this name.
pub fn label_or_document(name: &str, page: &Page<'_>) -> Option<Link> {
    label(name, page).or_else(|| document(name, page))
}

/// What a name leads to: a label, a text, or an address as it is.
pub fn link(name: &str, page: &Page<'_>) -> Link {
    let found = match (name.contains("://"), name.strip_prefix('#')) {
        (true, _) => None,
        (false, Some(name)) => label(name, page),
        (false, None) => label_or_document(name, page),
    };
    found.unwrap_or_else(|| Link {
        address: file(name, page),
        title: name.to_owned(),
    })
}

fn title_of(found: &Found) -> &str {
    found.title.trim()
}

/// The folder of the settings.
fn root<'p>(page: &Page<'p>) -> &'p str {
    page.kind.config.myst.as_ref().map_or("", |myst| &myst.root)
}

/// The way from the page to the root of the folder.
fn way(page: &Page<'_>) -> String {
    way_to_root(page.files.path)
}
