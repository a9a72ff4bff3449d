//! Writes repairs into `migration.toml`.

use diglot_content::migration::{Id, Migration};

use super::loss::{Loss, Repair};

/// What is kept with these repairs. A line that people wrote is never replaced. Returns the losses
/// that are repaired so.
pub fn keep(kept: &mut Migration, losses: &[Loss]) -> Vec<Loss> {
    let mut repaired = Vec::new();
    for loss in losses {
        let is_new = match &loss.repair {
            Some(Repair::Redirect(to)) => {
                let is_new = !kept.redirects.contains_key(&loss.old);
                kept.redirects
                    .entry(loss.old.clone())
                    .or_insert_with(|| to.clone());
                is_new
            }
            Some(Repair::Id { file, id }) => {
                let is_new = !kept.ids.contains_key(file);
                kept.ids.entry(file.clone()).or_insert_with(|| Id {
                    text: id.clone(),
                    ..Id::default()
                });
                is_new
            }
            None => false,
        };
        if is_new {
            repaired.push(loss.clone());
        }
    }
    repaired
}
