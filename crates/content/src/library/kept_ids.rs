//! The ids that articles had in the feed of a former site, from `migration.toml`.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::article::Article;
use crate::model::fingerprint::Fingerprint;
use crate::model::problem::{Cause, Problem};
use crate::model::sources::Sources;
use crate::model::text::decode;
use crate::syntax::migration::{FILE, Migration};

/// Gives the articles their former ids. One in the front matter of a text counts instead.
pub fn give(sources: &Sources, articles: &mut [Arc<Article>]) -> Vec<Problem> {
    let Some(file) = sources.files.iter().find(|file| &*file.path == FILE) else {
        return Vec::new();
    };
    let (migration, mut problems) = Migration::parse(&decode(&file.bytes, FILE).0);
    let places = articles.iter().enumerate();
    let places: FxHashMap<Arc<str>, usize> = places
        .map(|(at, article)| (Arc::clone(&article.source), at))
        .collect();
    for (path, id) in migration.ids {
        let Some(at) = places.get(path.as_str()) else {
            let message = format!("no article is in `{path}`, so its id is in no feed");
            let problem = Problem::warning(message).at(FILE, id.line, id.column);
            let hint = "write the path of the file from the root of the folder, or delete the line";
            problems.push(problem.cause(Cause::Configuration).hint(hint));
            continue;
        };
        if articles[*at].guid.is_none() {
            let article = Arc::make_mut(&mut articles[*at]);
            article.digest =
                Fingerprint::hash_one(&(article.digest, "with its former id", &id.text));
            article.guid = Some(id.text);
        }
    }
    problems
}
