//! The addresses that a generator assigned to texts: patterns such as `/:year/:month/:title/`, from
//! front matter, a configuration, or the kind's default.

use std::ops::Range;

use super::{
    article::Kind,
    candidate::Candidate,
    fields,
    paths::{below, folder, name, split_name, without_suffix, without_zeros},
    publication::Publication,
};
use crate::model::{date, document::build::heading_id};
use crate::syntax::front::Front;

/// Jekyll's named patterns.
const STYLES: [(&str, &str); 5] = [
    ("date", "/:categories/:year/:month/:day/:title.html"),
    ("pretty", "/:categories/:year/:month/:day/:title/"),
    ("ordinal", "/:categories/:year/:y_day/:title.html"),
    (
        "weekdate",
        "/:categories/:year/W:week/:short_day/:title.html",
    ),
    ("none", "/:categories/:title.html"),
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The maximum number of addresses from patterns per text.
const MOST: usize = 10;

/// Whether an address is a pattern, or the name of one.
pub fn is_pattern(address: &str) -> bool {
    address.contains("/:")
        || address.starts_with(':')
        || STYLES.iter().any(|(name, _)| *name == address)
}

/// The former addresses of a candidate by the configuration, else by the convention of its kind.
pub fn of(candidate: &Candidate, work: &Publication<'_>) -> Vec<String> {
    let config = &work.plan.kind.config;
    let path = &*candidate.path;
    let inner = work
        .plan
        .content_roots()
        .find_map(|root| below(path, root))
        .unwrap_or(path);
    let mut said: Vec<(&str, &str)> = Vec::new();
    for permalink in &config.permalinks {
        let (scope, pattern) = (permalink.scope.as_str(), permalink.pattern.as_str());
        if permalink.below {
            let rest = if scope.is_empty() {
                Some(path)
            } else {
                below(path, scope)
            };
            said.extend(rest.map(|rest| (pattern, rest)));
        } else if is_in_scope(inner, scope) {
            said.push((pattern, inner));
        }
    }
    let dialect = work.plan.kind.dialect;
    let habit = dialect.addresses.filter(|_| {
        said.is_empty() && (!dialect.pages_keep_paths || candidate.kind == Kind::Article)
    });
    let filled = said
        .into_iter()
        .chain(habit.map(|pattern| (pattern, inner)))
        .filter_map(|(pattern, inner)| fill(pattern, candidate, inner));
    filled.take(MOST).collect()
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

/// A pattern with its placeholders replaced; `None`: a value is unknown.
pub fn fill(pattern: &str, candidate: &Candidate, path: &str) -> Option<String> {
    let style = STYLES.iter().find(|(name, _)| *name == pattern);
    let pattern = style.map_or(pattern, |(_, pattern)| pattern);
    if !pattern.contains(':') {
        return Some(pattern.to_owned());
    }
    let values = Values::of(candidate, path);
    let (mut filled, mut rest) = (String::new(), pattern);
    while let Some((before, after)) = rest.split_once(':') {
        let end = after
            .find(|c: char| !(c.is_ascii_lowercase() || c == '_'))
            .unwrap_or(after.len());
        let (placeholder, after) = after.split_at(end);
        filled.push_str(before);
        filled.push_str(&values.get(placeholder)?);
        rest = after;
    }
    filled.push_str(rest);
    let parts: Vec<&str> = filled.split('/').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return None;
    }
    let closing = if filled.ends_with('/') { "/" } else { "" };
    Some(format!("/{}{closing}", parts.join("/")))
}

/// The values of placeholders.
struct Values<'a> {
    front: &'a Front,
    title: &'a str,
    /// The path without suffix.
    path: &'a str,
    /// The folders of the path.
    folders: &'a str,
    /// Whether the file represents its folder.
    is_bundle: bool,
    /// The name of the file or, for a bundle, of its folder.
    file: &'a str,
    /// The same without its date.
    undated: &'a str,
    /// The date in the name, else that of the text: `2015-03-19`.
    date: Option<String>,
}

impl<'a> Values<'a> {
    fn of(candidate: &'a Candidate, path: &'a str) -> Self {
        let path = without_suffix(path);
        let (folders, last) = split_name(path);
        let is_bundle = matches!(last, "index" | "_index" | "README");
        let file = if is_bundle { name(folders) } else { last };
        let (date, undated) = match date::in_name(file) {
            Some((moment, rest)) => (Some(moment), rest),
            None => (candidate.dates.date.value, file),
        };
        let date = date.map(|date| date.iso());
        Self {
            front: &candidate.parsed.front,
            title: &candidate.title.value,
            path,
            folders,
            is_bundle,
            file,
            undated,
            date,
        }
    }

    /// The value of a placeholder.
    fn get(&self, placeholder: &str) -> Option<String> {
        let value = match placeholder {
            "year" => self.digits(0..4)?,
            "short_year" => self.digits(2..4)?,
            "month" => self.digits(5..7)?,
            "i_month" => without_zeros(self.digits(5..7)?),
            "day" => self.digits(8..10)?,
            "i_day" => without_zeros(self.digits(8..10)?),
            "monthname" | "long_month" => self.month()?,
            "short_month" => self.month()?.get(..3)?,
            // Hexo's title is the path below its posts; Jekyll's is the file name without its date.
            "title" if self.is_in_posts() => self.slug().unwrap_or(self.undated),
            "title" => return Some(heading_id(self.title)),
            "slug" => match self.slug() {
                Some(slug) => slug,
                None if self.path.contains("_posts/") => self.undated,
                None => return Some(heading_id(self.title)),
            },
            "name" | "post_title" | "basename" => self.undated,
            "filename" | "contentbasename" => self.file,
            "slugorfilename" | "slugorcontentbasename" => self.slug().unwrap_or(self.file),
            "section" => first_part(self.folders),
            "sections" => return Some(self.sections()),
            "path" if !self.is_bundle => self.path,
            "path" if self.folders.is_empty() => return None,
            "path" => self.folders,
            "categories" => return Some(self.categories().join("/")),
            "category" => return self.categories().into_iter().next(),
            "output_ext" => ".html",
            "collection" => first_part(self.folders).strip_prefix('_')?,
            _ => return None,
        };
        Some(value.to_owned())
    }

    fn digits(&self, range: Range<usize>) -> Option<&str> {
        self.date.as_deref()?.get(range)
    }

    fn month(&self) -> Option<&'static str> {
        let number: usize = self.digits(5..7)?.parse().ok()?;
        MONTHS.get(number.checked_sub(1)?).copied()
    }

    fn slug(&self) -> Option<&str> {
        self.front.text(&["slug"])
    }

    fn is_in_posts(&self) -> bool {
        self.path.starts_with("_posts/") || self.path.contains("/_posts/")
    }

    /// The folders whose name is part of an address. A bundle's own folder is not among them.
    fn sections(&self) -> String {
        let folders = if self.is_bundle {
            folder(self.folders)
        } else {
            self.folders
        };
        let visible: Vec<&str> = folders
            .split('/')
            .filter(|folder| !folder.is_empty() && !folder.starts_with('_'))
            .collect();
        visible.join("/")
    }

    /// The folders above the posts, and the categories of the text.
    fn categories(&self) -> Vec<String> {
        let above = self
            .path
            .split_once("_posts/")
            .map_or("", |(above, _)| above);
        let mut categories: Vec<String> = above.split('/').map(str::to_owned).collect();
        for category in fields::categories(self.front) {
            categories.push(category.to_lowercase());
        }
        categories.retain(|category| !category.is_empty());
        categories
    }
}

fn first_part(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}
