//! The addresses that a generator assigned to texts: patterns such as `/:year/:month/:title/`, from
//! front matter, a configuration, or the kind's default.

use super::{
    candidate::Candidate,
    generator_path::GeneratorPath,
    paths::{below, name, without_suffix},
    permalink_values::{STYLES, Values},
    publication::Publication,
};
use crate::dialects::{Filling, Kind, RuledPage};

/// The stem of the home page.
const HOME: &str = "/index";
/// The address of a text in sections with slugs.
const SLUGGED: &str = "/:slugged_path/";
/// The maximum number of addresses from patterns per text.
const MOST: usize = 10;

/// Whether an address is a pattern, or the name of one.
pub fn is_pattern(address: &str) -> bool {
    address.contains("/:")
        || address.starts_with(':')
        || STYLES.iter().any(|(name, _)| *name == address)
}

/// The former addresses of a candidate: its own in its generator by the configuration, else by the
/// convention of its kind; then the path of its file.
pub fn former_addresses(candidate: &Candidate, publication: &Publication<'_>) -> Vec<String> {
    let kind = &publication.plan.kind;
    let Kind {
        dialect, config, ..
    } = kind;
    // The address of its folder is that of another text.
    let is_named = candidate.stem.value.ends_with("/README");
    if is_named && kind.readme_is_index() && kind.scope.lists(&candidate.path) {
        return Vec::new();
    }
    let route = (dialect.route)(&candidate.path);
    let path = route.as_deref().unwrap_or(&candidate.path);
    let mut place = GeneratorPath::from_path(path, publication);
    if let Some(path) = config.rewritten(&place.inner) {
        place.inner = path;
    }
    let is_post = path.contains("_posts/");
    let mut own = match dialect.filling {
        Some(filling) => ruled(filling, candidate, &place, publication),
        None => {
            let bare = place.without_language(path, config);
            patterned(candidate, (&bare, &place.inner), publication)
        }
    };
    for address in &mut own {
        *address = place.whole(address);
    }
    if *candidate.stem.value == *HOME
        && dialect.default_language_has_no_folder
        && !config.default_in_subdir
        && config.locales.len() > 1
        && let Some(default) = &config.default_language
    {
        own.push(format!("/{default}/"));
    }
    // Where no generator publishes it, the name of a file with a slug is not public.
    if dialect.addresses.is_some() || candidate.parsed.front.first(&["slug"]).is_none() {
        let is_post = dialect.only_posts_have_patterns && is_post;
        own.extend(place.of_file(kind.opens_underscored(), is_post));
    }
    own
}

/// The addresses of a text by the patterns of the configuration, else by the usual one.
fn patterned(
    candidate: &Candidate,
    (path, inner): (&str, &str),
    publication: &Publication<'_>,
) -> Vec<String> {
    let Kind {
        dialect, config, ..
    } = &publication.plan.kind;
    let mut said: Vec<(&str, &str)> = Vec::new();
    for permalink in &config.permalinks {
        let (scope, pattern) = (permalink.scope.as_str(), permalink.pattern.as_str());
        if permalink.below {
            let rest = if scope.is_empty() {
                Some(path)
            } else {
                below(path, scope)
            };
            said.extend(rest.map(|rest| (of_index(pattern, rest), rest)));
        } else if is_in_scope(inner, scope) {
            said.push((pattern, inner));
        }
    }
    let usual = || {
        let mount = publication.plan.mount(path);
        mount.and_then(|(mount, _)| mount.pattern)
    };
    let fill =
        |(pattern, inner): (&str, &str)| Values::new(candidate, inner, publication).fill(pattern);
    let mut own: Vec<String> = said.into_iter().filter_map(fill).take(MOST).collect();
    // A pattern that cannot be filled gives way to the usual one.
    if own.is_empty()
        && let Some(pattern) = usual().or(dialect.addresses)
        && (!dialect.only_posts_have_patterns || path.contains("_posts/"))
    {
        own.extend(fill((pattern, inner)));
    }
    own
}

/// The addresses of a page by the rule that fits, else by its path.
fn ruled(
    filling: &Filling,
    candidate: &Candidate,
    place: &GeneratorPath,
    publication: &Publication<'_>,
) -> Vec<String> {
    let Kind {
        dialect, config, ..
    } = &publication.plan.kind;
    let path = place.page_path();
    let page = RuledPage {
        path: &path,
        is_branch: name(&place.inner).starts_with(filling.section),
        language: place.language(config),
    };
    let values = Values::new(candidate, &place.inner, publication);
    let mut own = Vec::new();
    if let Some(pattern) = config.address_pattern(&page) {
        let older = values.with_slashes();
        let all = [Some(&values), older.as_ref()].into_iter().flatten();
        let filled = all.filter_map(|values| values.fill(pattern));
        own.extend(filled.map(|address| (filling.address)(config, &address)));
    }
    if own.is_empty() {
        let usual = dialect.addresses.into_iter().chain([SLUGGED]);
        own.extend(usual.filter_map(|pattern| values.fill(pattern)));
    }
    let end = (filling.ending)(config, &page);
    let own = own
        .iter()
        .map(|address| format!("{}{end}", address.trim_end_matches('/')));
    own.collect()
}

/// A pattern for a text; of the index of the folder for which it is, the address of that folder.
fn of_index<'p>(pattern: &'p str, path: &str) -> &'p str {
    match pattern.split_once(":path") {
        Some((folder, _)) if without_suffix(path) == "index" && folder.len() > 1 => folder,
        _ => pattern,
    }
}

/// Whether a pattern applies to a path: one for `_posts` applies to every folder with that name,
/// others to folders at the root.
fn is_in_scope(path: &str, scope: &str) -> bool {
    if scope.is_empty() {
        return true;
    }
    match path.split_once(&format!("{scope}/")) {
        Some((before, _)) => before.is_empty() || before.ends_with('/') && scope.starts_with('_'),
        None => false,
    }
}

/// The address that a text has by a pattern in its front matter; `None`: a value is unknown.
pub fn fill(pattern: &str, candidate: &Candidate, publication: &Publication<'_>) -> Option<String> {
    let place = GeneratorPath::from_path(&candidate.path, publication);
    let path = match publication.plan.kind.dialect.filling {
        Some(_) => &place.inner,
        None => &*candidate.path,
    };
    Values::new(candidate, path, publication).fill(pattern)
}
