//! The addresses that a generator gave to texts: patterns such as `/:year/:month/:title/`, from front matter, from a configuration, or a kind's own.

use super::Kind;
use super::describe::Candidate;
use super::folder::names;
use super::work::Work;
use crate::model::document::build::heading_id;
use crate::syntax::front::Front;

/// Jekyll's names for patterns.
const STYLES: [(&str, &str); 5] = [
    ("date", "/:categories/:year/:month/:day/:title.html"),
    ("pretty", "/:categories/:year/:month/:day/:title/"),
    ("ordinal", "/:categories/:year/:y_day/:title.html"),
    ("weekdate", "/:categories/:year/W:week/:short_day/:title.html"),
    ("none", "/:categories/:title.html"),
];

/// Whether a text names a pattern.
pub(super) fn is_style(text: &str) -> bool {
    STYLES.iter().any(|(name, _)| *name == text)
}

/// The addresses that a candidate had by the configuration, else by the habit of its kind.
pub(super) fn of(candidate: &Candidate, front: &Front, work: &Work<'_>) -> Vec<String> {
    let config = &work.plan.kind.config;
    let path = &*work.sources.files[candidate.file].path;
    let inner = content_path(path, work);
    let fits = |scope: &str| match scope {
        "" => true,
        scope => {
            inner.split_once(&format!("{scope}/")).is_some_and(|(before, _)| before.is_empty() || before.ends_with('/') && scope.starts_with('_'))
        }
    };
    let said: Vec<&str> = config.permalinks.iter().filter(|permalink| fits(&permalink.scope)).map(|permalink| permalink.pattern.as_str()).collect();
    let dated = matches!(work.plan.kind.dialect.name, "hexo");
    let habit = work.plan.kind.dialect.addresses.filter(|_| said.is_empty() && (!dated || candidate.kind == Kind::Article));
    said.into_iter().chain(habit).filter_map(|pattern| fill(pattern, front, candidate, inner)).take(10).collect()
}

/// A path without the folder of the content.
fn content_path<'p>(path: &'p str, work: &Work<'_>) -> &'p str {
    let kind = &work.plan.kind;
    let mut roots = kind.config.content.as_deref().into_iter().chain(kind.dialect.roots.iter().copied());
    roots.find_map(|root| super::classify::below(path, root)).unwrap_or(path)
}

/// A pattern with its placeholders filled in; `None`: one of them is not known.
pub(super) fn fill(pattern: &str, front: &Front, candidate: &Candidate, path: &str) -> Option<String> {
    let pattern = STYLES.iter().find(|(name, _)| *name == pattern).map_or(pattern, |(_, pattern)| pattern);
    if !pattern.contains(':') {
        return Some(pattern.to_owned());
    }
    let (mut out, mut rest) = (String::new(), pattern);
    while let Some(at) = rest.find(':') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let end = behind.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(behind.len());
        out.push_str(&value(&behind[..end], front, candidate, path)?);
        rest = &behind[end..];
    }
    out.push_str(rest);
    let closed = if out.ends_with('/') { "/" } else { "" };
    let parts: Vec<&str> = out.split('/').filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| format!("/{}{closed}", parts.join("/")))
}

/// What a placeholder stands for.
fn value(name: &str, front: &Front, candidate: &Candidate, path: &str) -> Option<String> {
    let bare = path.rsplit_once('.').filter(|(_, suffix)| !suffix.contains('/')).map_or(path, |(bare, _)| bare);
    let (folders, last) = bare.rsplit_once('/').unwrap_or(("", bare));
    let bundle = matches!(last, "index" | "_index" | "README");
    let file = if bundle { folders.rsplit('/').next().unwrap_or_default() } else { last };
    let (day, stem) = crate::model::date::in_name(file).map_or((candidate.dates.date.value, file), |(moment, rest)| (Some(moment), rest));
    let iso = day.map(|day| day.iso());
    let part = |range: std::ops::Range<usize>| iso.as_ref().and_then(|iso| iso.get(range)).map(str::to_owned);
    let short = |range: std::ops::Range<usize>| part(range).map(|part| part.trim_start_matches('0').to_owned());
    let slug = || front.text(&["slug"]).map(str::to_owned);
    let visible = |folders: &str| folders.split('/').filter(|folder| !folder.is_empty() && !folder.starts_with('_')).collect::<Vec<_>>().join("/");
    Some(match name {
        "year" => part(0..4)?,
        "short_year" => part(2..4)?,
        "month" => part(5..7)?,
        "i_month" => short(5..7)?,
        "day" => part(8..10)?,
        "i_day" => short(8..10)?,
        "monthname" | "long_month" => month(&part(5..7)?)?.to_owned(),
        "short_month" => month(&part(5..7)?)?.get(..3)?.to_owned(),
        // Hexo's title is the path below its posts, Jekyll's the file's name without a date.
        "title" if bare.starts_with("_posts/") || bare.contains("/_posts/") => slug().unwrap_or_else(|| stem.to_owned()),
        "slug" => slug().unwrap_or_else(|| if path.contains("_posts/") { stem.to_owned() } else { heading_id(&candidate.title.value) }),
        "title" => heading_id(&candidate.title.value),
        "name" | "post_title" | "basename" => stem.to_owned(),
        "filename" | "contentbasename" => file.to_owned(),
        "slugorfilename" | "slugorcontentbasename" => slug().unwrap_or_else(|| file.to_owned()),
        "section" => folders.split('/').next().unwrap_or_default().to_owned(),
        "sections" if bundle => visible(folders.rsplit_once('/').map_or("", |(before, _)| before)),
        "sections" => visible(folders),
        "path" => match (bundle, folders) {
            (true, "") => return None,
            (true, folders) => folders.to_owned(),
            (false, _) => bare.to_owned(),
        },
        "categories" | "category" => {
            let given = front.first(&["categories", "category"]).map(|entry| names(&entry.node, true)).unwrap_or_default();
            let given = given.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>();
            let before = bare.split_once("_posts/").map_or("", |(before, _)| before.trim_end_matches('/'));
            let all: Vec<&str> = before.split('/').chain(given.iter().map(String::as_str)).filter(|part| !part.is_empty()).collect();
            if name == "category" { (*all.first()?).to_owned() } else { all.join("/") }
        }
        "output_ext" => ".html".to_owned(),
        "collection" => folders.split('/').next()?.strip_prefix('_')?.to_owned(),
        _ => return None,
    })
}

fn month(number: &str) -> Option<&'static str> {
    const NAMES: [&str; 12] =
        ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
    NAMES.get(number.parse::<usize>().ok()?.checked_sub(1)?).copied()
}
