//! Finds the repairs that `migration.toml` lacks.

use std::collections::BTreeMap;

use diglot_content::migration::{Id, Migration};

use super::loss::{Loss, Repair};

/// What is missing in what is kept: the address of the former site, and these repairs. Returns the
/// losses that are repaired so, too.
pub fn missing(kept: &Migration, from: &str, losses: &[Loss]) -> (Migration, Vec<Loss>) {
    let (mut more, mut repaired) = (Migration::default(), Vec::new());
    if kept.from.is_empty() {
        from.clone_into(&mut more.from);
    }
    for loss in losses {
        let is_new = match &loss.repair {
            Some(Repair::Redirect(to)) => {
                add(&kept.redirects, &mut more.redirects, &loss.old, to.clone())
            }
            Some(Repair::Id { file, id }) => {
                let id = Id {
                    text: id.clone(),
                    ..Id::default()
                };
                add(&kept.ids, &mut more.ids, file, id)
            }
            None => false,
        };
        if is_new {
            repaired.push(loss.clone());
        }
    }
    (more, repaired)
}

/// Adds what is new; a line that people wrote is never replaced.
fn add<V>(kept: &BTreeMap<String, V>, more: &mut BTreeMap<String, V>, key: &str, value: V) -> bool {
    let is_new = !kept.contains_key(key) && !more.contains_key(key);
    if is_new {
        more.insert(key.to_owned(), value);
    }
    is_new
}
