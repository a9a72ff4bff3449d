//! The stem of a text: the path of its page without suffix, by the contract's slug rule.

use std::sync::Arc;

use super::{
    article::Kind, classify::Area, explained::Explained, fields::quoted, paths::without_suffix,
};
use crate::model::{
    problem::{Cause, Problem},
    slug,
};
use crate::syntax::front::Front;

/// The stem: from its `slug`, its path, or its title, because a file name may give none.
pub fn of(
    path: &str,
    (area, rel): (Area, &str),
    kind: Kind,
    front: &Front,
    title: &str,
    problems: &mut Vec<Problem>,
) -> Explained<Arc<str>> {
    if area == Area::Home {
        return Explained::new("/index", "it is the home page's content");
    }
    let folder = match kind {
        Kind::Article => "/articles/",
        Kind::Page => "/",
    };
    if let Some(slug) = given(path, front, problems) {
        return Explained::new(format!("{folder}{slug}"), "the key `slug`");
    }
    let why = match slug::slug(without_suffix(rel)) {
        Ok(slug) => return Explained::new(format!("{folder}{slug}"), "its path"),
        Err(why) => why,
    };
    let stem = format!("{folder}{}", slug::fallback(Some(title), path));
    let problem = Problem::warning(format!("the file's name gives no address: {why}"));
    problems.push(problem.at(path, 0, 0).cause(Cause::Value).hint(format!(
        "it is published as `{stem}`; rename it or give it a `slug`"
    )));
    Explained::new(stem, "its title, since its name gives no address")
}

/// The author's slug.
fn given(path: &str, front: &Front, problems: &mut Vec<Problem>) -> Option<String> {
    let entry = front.first(&["slug"])?;
    let text = entry.node.text().unwrap_or_default();
    match slug::slug(text) {
        Ok(slug) => Some(slug),
        Err(why) => {
            let problem =
                Problem::warning(format!("`slug` is not usable: {why}: `{}`", quoted(text)));
            problems.push(
                problem
                    .at(path, entry.node.line, entry.node.column)
                    .cause(Cause::Value)
                    .hint("the file's path is used"),
            );
            None
        }
    }
}
