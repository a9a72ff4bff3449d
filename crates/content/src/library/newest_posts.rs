//! Of the posts only the newest, where the configuration says how many.

use std::cmp::Reverse;

use super::{
    candidate::Candidate,
    classify::{Plan, Role},
    paths::{folder, name},
    publish::Outcome,
    visibility::Visibility,
};
use crate::model::{
    date::{self, Moment, Zone},
    sources::Sources,
};

/// Withholds all other posts. A draft and a scheduled post do not count; what the generator
/// publishes and Diglot does not, such as an empty post, does.
pub fn keep(
    sources: &Sources,
    plan: &Plan,
    candidates: &mut Vec<Candidate>,
    outcomes: &mut [Outcome],
) {
    let Some(most) = plan.kind.config.most_posts else {
        return;
    };
    let mut counted = vec![true; sources.files.len()];
    let mut dates = vec![None; sources.files.len()];
    for text in candidates.iter() {
        let is_hidden = matches!(
            text.visibility,
            Visibility::Draft(_) | Visibility::Scheduled(_)
        );
        counted[text.file] = !is_hidden;
        dates[text.file] = text.dates.date.value;
    }
    let files = sources.files.iter().zip(&plan.roles).enumerate();
    let posts = files.filter(|(at, (file, role))| {
        counted[*at] && is_post(&file.path) && matches!(role, Role::Text { .. } | Role::File(_))
    });
    let mut posts: Vec<_> = posts
        .map(|(at, (file, _))| {
            let date = dates[at].or_else(|| in_name(&file.path));
            (
                Reverse((date.map(|date| local(date, plan.zone.as_ref())), &file.path)),
                at,
            )
        })
        .collect();
    posts.sort_unstable();
    for (_, at) in posts.into_iter().skip(most) {
        outcomes[at] = Outcome::Skipped(format!("`limit_posts` publishes {most}, the newest"));
    }
    candidates.retain(|text| outcomes[text.file] == Outcome::Published);
}

fn is_post(path: &str) -> bool {
    folder(path).split('/').any(|part| part == "_posts")
}

fn in_name(path: &str) -> Option<Moment> {
    date::in_name(name(path)).map(|(date, _)| date)
}

/// A date as the clock of the site shows it; a day without a time begins at midnight there.
fn local(date: Moment, zone: Option<&Zone>) -> String {
    let utc = Moment { offset: 0, ..date };
    zone.map_or(utc, |zone| zone.local(date)).iso()
}
