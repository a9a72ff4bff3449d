//! Whether each page says its language, its direction and its translations.

use std::collections::BTreeMap;

use diglot_content::{Library, Sources};
use diglot_edition::Edition;

use super::source;

const RIGHT_TO_LEFT: [&str; 12] = [
    "ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi",
];

/// What is wrong, page by page.
pub fn wrong(sources: &Sources, library: &Library, edition: &Edition) -> Vec<String> {
    let mut heads = BTreeMap::new();
    for article in library.articles.iter().chain(&library.pages) {
        let path = format!("{}.html", article.stem);
        if let Some(resource) = edition.get(&path) {
            let html = String::from_utf8_lossy(&resource.body.to_bytes()).into_owned();
            let mut head = head(&html);
            for (_, other) in &mut head.translations {
                // The address of the home page.
                if other == "/" {
                    "/index.html".clone_into(other);
                }
            }
            heads.insert(path, (article, head));
        }
    }
    let mut wrong = Vec::new();
    for (path, (article, head)) in &heads {
        let primary = head.language.split('-').next().unwrap_or_default();
        let expected = if RIGHT_TO_LEFT.contains(&primary) {
            "rtl"
        } else {
            "ltr"
        };
        if head.direction != expected {
            wrong.push(format!(
                "`{path}`: `{}` has `dir` `{}`",
                head.language, head.direction
            ));
        }
        let file = sources
            .files
            .iter()
            .find(|file| *file.path == *article.source);
        let text = file
            .map(|file| String::from_utf8_lossy(&file.bytes))
            .unwrap_or_default();
        if let Some(own) = of_front(&source::parts(&text).front)
            && !own.eq_ignore_ascii_case(&head.language)
        {
            wrong.push(format!(
                "`{path}`: `{}`, its source says `{own}`",
                head.language
            ));
        }
        for (language, other) in &head.translations {
            match heads.get(other) {
                _ if language == "x-default" => {}
                None => wrong.push(format!("`{path}`: its translation `{other}` is no page")),
                Some((_, there)) if there.language != *language => {
                    wrong.push(format!(
                        "`{path}`: `{other}` is `{}`, not `{language}`",
                        there.language
                    ));
                }
                Some((_, there)) if !there.translations.iter().any(|(_, back)| back == path) => {
                    wrong.push(format!("`{path}`: `{other}` does not lead back"));
                }
                Some(_) => {}
            }
        }
    }
    wrong
}

/// What the head of a page says.
#[derive(Debug)]
struct Head {
    language: String,
    direction: String,
    /// `hreflang` and path.
    translations: Vec<(String, String)>,
}

fn head(html: &str) -> Head {
    let head = html.split("</head>").next().unwrap_or_default();
    let root = head.split_once("<html").map_or("", |(_, rest)| rest);
    let root = root.split('>').next().unwrap_or_default();
    let links = head.split("<link ").skip(1).filter_map(|link| {
        let link = link.split('>').next()?;
        let language = attribute(link, "hreflang")?;
        let path = attribute(link, "href")?
            .strip_prefix("https://example.org")?
            .to_owned();
        let path = percent_encoding::percent_decode_str(&path).decode_utf8_lossy();
        Some((language, path.into_owned()))
    });
    Head {
        language: attribute(root, "lang").unwrap_or_default(),
        direction: attribute(root, "dir").unwrap_or_default(),
        translations: links.collect(),
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    Some(rest.split('"').next()?.to_owned())
}

/// The value of `lang` at the left edge of YAML.
fn of_front(front: &str) -> Option<String> {
    let line = front.lines().find_map(|line| line.strip_prefix("lang:"))?;
    let value = line.trim().trim_matches(['"', '\'']);
    let is_tag = (2..=3).contains(&value.split(['-', '_']).next()?.len());
    is_tag.then(|| value.replace('_', "-"))
}
