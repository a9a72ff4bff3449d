//! The addresses that Pelican gives to texts: `{date:%Y}/{slug}.html`.

use super::super::python::Settings;
use super::texts::{Sort, Texts};
use crate::dialects::config::{Config, Permalink, Spelling};
use crate::dialects::named_files::NamedFiles;
use crate::model::path::below;

/// The setting that says of what a slug is made, and the value for the name of the file.
const SLUGS: (&str, &str) = ("SLUGIFY_SOURCE", "basename");
/// The category of texts that have none.
const CATEGORY: (&str, &str) = ("DEFAULT_CATEGORY", "misc");
/// The placeholder of a category.
const PLACE: &str = ":own_category";

/// Reads where texts are on the site, and how they name each other.
pub fn settle(settings: &Settings, texts: &Texts, config: &mut Config) {
    if !texts.content.is_empty() {
        config.content = Some(texts.content.clone());
    }
    config.named_files = Some(NamedFiles {
        folder: texts.content.clone(),
        scheme: None,
    });
    config.slugs_join_languages = true;
    config.spelling = Some(Spelling::Ascii);
    let mut found = of_sort(settings, &texts.pages, (&texts.content, "PAGE"), "pages/");
    found.extend(of_sort(
        settings,
        &texts.articles,
        (&texts.content, "ARTICLE"),
        "",
    ));
    // Of two folders the inner one is more precise.
    found.sort_by_key(|permalink| std::cmp::Reverse(permalink.scope.len()));
    config.permalinks.extend(found);
}

/// The patterns of one sort of texts.
fn of_sort(
    settings: &Settings,
    sort: &Sort,
    (content, name): (&str, &str),
    usual: &str,
) -> Vec<Permalink> {
    let source = match first(settings, SLUGS.0).as_deref() == Some(SLUGS.1) {
        true => ":slug_or_name",
        false => ":slug_or_title",
    };
    let category = first(settings, CATEGORY.0).unwrap_or_else(|| CATEGORY.1.to_owned());
    let category = Spelling::Ascii.spell(&category);
    let languages = [
        ("", "{slug}.html", ":in_default_language"),
        ("_LANG", "{slug}-{lang}.html", ":in_other_language"),
    ];
    let mut found = Vec::new();
    for (of_language, end, condition) in languages {
        let of = |setting: &str| first(settings, &format!("{name}{of_language}_{setting}"));
        let saved = || {
            let path = of("SAVE_AS")?;
            Some(path.trim_end_matches("index.html").to_owned())
        };
        let written = of("URL").or_else(saved);
        let written = written.unwrap_or_else(|| format!("{usual}{end}"));
        let Some(pattern) = pattern(&written, source) else {
            continue;
        };
        let pattern = format!("/{pattern}{condition}");
        let usual = pattern.contains(PLACE);
        let usual = usual.then(|| pattern.replace(PLACE, &category));
        for pattern in [pattern].into_iter().chain(usual) {
            let folders = sort.folders.iter().map(|folder| match content {
                "" => folder.as_str(),
                content => below(folder, content).unwrap_or_default(),
            });
            found.extend(folders.map(|scope| Permalink {
                scope: scope.to_owned(),
                pattern: pattern.clone(),
                below: false,
            }));
        }
    }
    found
}

fn first(settings: &Settings, name: &str) -> Option<String> {
    settings.texts(name)?.into_iter().next()
}

/// A pattern of Pelican with placeholders as other generators have them; `None`: it has one that is not
/// known.
fn pattern(written: &str, slug: &str) -> Option<String> {
    let (mut pattern, mut rest) = (String::new(), written.trim_start_matches('/'));
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        pattern.push_str(before);
        match name {
            "slug" => pattern.push_str(slug),
            "category" => pattern.push_str(PLACE),
            "lang" => pattern.push_str(":lang"),
            "author" => pattern.push_str(":author"),
            _ => pattern.push_str(&date(name.strip_prefix("date:")?)?),
        }
        rest = after;
    }
    Some(pattern + rest)
}

/// `%Y-%m` as placeholders.
fn date(format: &str) -> Option<String> {
    let mut pattern = String::new();
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        if c != '%' {
            pattern.push(c);
            continue;
        }
        pattern.push_str(match characters.next()? {
            'Y' => ":year",
            'y' => ":short_year",
            'm' => ":month",
            'd' => ":day",
            'b' => ":short_month",
            'B' => ":monthname",
            'j' => ":y_day",
            'H' => ":hour",
            'M' => ":minute",
            'S' => ":second",
            _ => return None,
        });
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_the_placeholders_of_other_generators() {
        let of = |written: &str| pattern(written, ":slug_or_title");
        for (written, expected) in [
            (
                "posts/{date:%Y}/{date:%m-%d}/{slug}/",
                Some("posts/:year/:month-:day/:slug_or_title/"),
            ),
            (
                "{category}/{slug}.html",
                Some(":own_category/:slug_or_title.html"),
            ),
            ("{path}", None),
            ("{date:%Q}", None),
            ("{slug", None),
        ] {
            assert_eq!(of(written).as_deref(), expected, "{written}");
        }
    }
}
