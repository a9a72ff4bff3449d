//! Whether and when an article is visible: one decision, used by every output.

use jiff::Timestamp;
use serde::Serialize;

use crate::model::date::Moment;
use crate::syntax::front::{Entry, Front};

/// The visibility of an article.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Pages, lists, feed.
    Published,
    /// Its pages exist, but no list contains it.
    Unlisted,
    /// Not visible; with the key and value that made it a draft.
    Draft(String),
    /// Not visible before this time.
    Scheduled(Timestamp),
    /// Expired since this time.
    Expired(Timestamp),
}

impl Visibility {
    /// Whether the article currently has pages.
    pub fn is_visible(&self) -> bool {
        matches!(self, Self::Published | Self::Unlisted)
    }
}

/// The dates that limit visibility.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// When it appears: the publication date if given, else its date.
    pub from: Option<Moment>,
    /// When it expires.
    pub until: Option<Moment>,
}

impl Window {
    /// The next instant after `now` at which something changes.
    pub fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        [self.from, self.until]
            .into_iter()
            .flatten()
            .map(|moment| moment.at)
            .filter(|at| *at > now)
            .min()
    }
}

/// Decides the visibility: draft wins over expired, expired over scheduled, scheduled over
/// unlisted.
pub fn decide(front: &Front, window: Window, now: Timestamp) -> Visibility {
    if let Some(why) = draft(front) {
        return Visibility::Draft(why);
    }
    match (window.from, window.until) {
        (_, Some(until)) if until.at <= now => Visibility::Expired(until.at),
        (Some(from), _) if from.at > now => Visibility::Scheduled(from.at),
        _ if unlisted(front) => Visibility::Unlisted,
        _ => Visibility::Published,
    }
}

/// What makes it a draft: the key and value as written.
fn draft(front: &Front) -> Option<String> {
    let Entry { key, node } = draft_entry(front)?;
    Some(format!(
        "`{}: {}`",
        key.text,
        node.text().unwrap_or_default()
    ))
}

fn draft_entry(front: &Front) -> Option<&Entry> {
    const WHEN_TRUE: [&str; 4] = ["draft", "headless", "private", "ignore"];
    const WHEN_FALSE: [&str; 6] = [
        "published",
        "publish",
        "dg-publish",
        "permalink",
        "render",
        "extra.published",
    ];
    const STATES: [&str; 5] = ["draft", "private", "pending", "unpublished", "trash"];
    const RENDER: [&str; 2] = ["build.render", "_build.render"];
    let flag =
        first_with(front, &WHEN_TRUE, true).or_else(|| first_with(front, &WHEN_FALSE, false));
    if flag.is_some() {
        return flag;
    }
    if let Some(entry) = front.get("status")
        && let Some(state) = entry.node.text()
        && STATES.contains(&state.to_ascii_lowercase().as_str())
    {
        return Some(entry);
    }
    let render = RENDER.iter().find_map(|key| front.get(key))?;
    let never = render.node.text() == Some("never") || render.node.bool() == Some(false);
    never.then_some(render)
}

/// The entry of the first key with this bool.
fn first_with<'f>(front: &'f Front, keys: &[&str], value: bool) -> Option<&'f Entry> {
    keys.iter()
        .filter_map(|key| front.get(key))
        .find(|entry| entry.node.bool() == Some(value))
}

fn unlisted(front: &Front) -> bool {
    const WHEN_TRUE: [&str; 3] = ["unlisted", "hidden", "eleventyExcludeFromCollections"];
    const LIST: [&str; 2] = ["build.list", "_build.list"];
    let never = LIST
        .iter()
        .any(|key| matches!(front.text(&[key]), Some("never" | "false")));
    never || front.bool(&WHEN_TRUE) == Some(true) || front.bool(&["listed"]) == Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(front: &str, from: Option<&str>, until: Option<&str>, expected: &Visibility) {
        let moment =
            |text: Option<&str>| text.and_then(|text| text.parse().ok()).map(Moment::second);
        let front = crate::syntax::front::split(&format!("---\n{front}\n---\n"), "a.md").front;
        let now = "2024-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(
            &decide(
                &front,
                Window {
                    from: moment(from),
                    until: moment(until)
                },
                now
            ),
            expected,
            "{front:?}"
        );
    }

    #[test]
    fn contract_6_one_decision() {
        let draft = |why: &str| Visibility::Draft(why.to_owned());
        check("title: x", None, None, &Visibility::Published);
        check(
            "draft: false\npublished: 2015-01-01",
            None,
            None,
            &Visibility::Published,
        );
        check("draft: true", None, None, &draft("`draft: true`"));
        check("published: NO", None, None, &draft("`published: NO`"));
        check("publish: 'false'", None, None, &draft("`publish: false`"));
        check("status: Draft", None, None, &draft("`status: Draft`"));
        check(
            "build:\n  render: never",
            None,
            None,
            &draft("`render: never`"),
        );
        check("unlisted: yes", None, None, &Visibility::Unlisted);
        let later = "2024-06-01T00:00:00Z";
        let before = "2023-06-01T00:00:00Z";
        check(
            "a: b",
            Some(later),
            None,
            &Visibility::Scheduled(later.parse().unwrap()),
        );
        check(
            "a: b",
            Some(later),
            Some(before),
            &Visibility::Expired(before.parse().unwrap()),
        );
        check(
            "draft: true",
            Some(later),
            Some(before),
            &draft("`draft: true`"),
        );
        check("a: b", Some(before), Some(later), &Visibility::Published);
    }
}
