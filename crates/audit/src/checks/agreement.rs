//! Compares the feed with the list of articles: the newest articles, with their titles and dates.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;

use super::or_none;
use crate::address::{html_path, stem};
use crate::evidence::Evidence;
use crate::gather::{is_map_whole, mapped};
use crate::read::feed::{Feed, Item, LATEST, moment};
use crate::read::twin::{self, Twin};
use crate::verdict::Verdict;

/// What the Markdown form of an article says about itself.
struct Told {
    stem: String,
    title: String,
    date: String,
    language: String,
}

/// Judges whether the feed matches the list.
pub(super) fn judge(evidence: &Evidence, feed: &Feed, verdict: &mut Verdict) {
    // A sitemap that was not read completely cannot show that a URL is absent.
    let known: BTreeSet<String> = if is_map_whole(evidence) {
        mapped(evidence).into_iter().collect()
    } else {
        BTreeSet::new()
    };
    for item in &feed.items {
        let Some(path) = evidence.address.path_of(&item.link) else {
            continue;
        };
        let url = format!("{} item {}", evidence.url("/rss.xml"), item.link);
        if !known.is_empty() {
            verdict.expect(
                known.contains(path),
                &url,
                "an article that the sitemap names",
                "the sitemap does not name it",
            );
        }
        if let Some(told) = stem(path).and_then(|stem| told(evidence, stem)) {
            alike(verdict, &url, item, &told);
        }
    }
    newest(evidence, feed, verdict);
}

fn told(evidence: &Evidence, stem: &str) -> Option<Told> {
    let read: Twin = twin::read(&evidence.markdown(stem)?.text());
    let [title, date, language] =
        ["title", "date", "language"].map(|key| read.text(key).to_owned());
    Some(Told {
        stem: stem.to_owned(),
        title,
        date,
        language,
    })
}

/// Judges the title and the date of an item.
fn alike(verdict: &mut Verdict, url: &str, item: &Item, told: &Told) {
    if !told.title.is_empty() {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        verdict.expect(
            plain(&item.title) == plain(&told.title),
            url,
            format!("the title `{}`", told.title),
            &item.title,
        );
    }
    if !told.date.is_empty() && !item.date.is_empty() {
        verdict.expect(
            is_same_day(&item.date, &told.date),
            url,
            format!("the date {}", told.date),
            &item.date,
        );
    }
}

/// Whether an RFC 822 date and one of the front matter are the same: to the second, or to the day
/// where only the day is known.
fn is_same_day(written: &str, told: &str) -> bool {
    let Some(at) = moment(written) else {
        return true;
    };
    if let Ok(own) = told.parse::<Timestamp>() {
        return own.as_second() == at.as_second();
    }
    let Some(day) = told.get(..10).and_then(|day| day.parse::<Date>().ok()) else {
        return true;
    };
    // The author's day in any time zone: at most 14 hours from UTC.
    let at_noon = day
        .at(12, 0, 0, 0)
        .to_zoned(jiff::tz::TimeZone::UTC)
        .map(|noon| noon.timestamp().as_second());
    at_noon.is_ok_and(|noon| noon.abs_diff(at.as_second()) <= 26 * 3600)
}

/// The paths of the feed's articles.
fn item_paths<'a>(evidence: &'a Evidence, feed: &'a Feed) -> BTreeSet<&'a str> {
    feed.items
        .iter()
        .filter_map(|item| evidence.address.path_of(&item.link))
        .collect()
}

/// Judges whether the first articles of the list are in the feed.
fn newest(evidence: &Evidence, feed: &Feed, verdict: &mut Verdict) {
    let mut listed = Vec::new();
    for stem in &evidence.newest {
        listed.extend(told(evidence, stem));
    }
    let languages: BTreeSet<&str> = listed.iter().map(|told| told.language.as_str()).collect();
    if languages.len() > 1 {
        // The feed holds only one of several translations.
        return;
    }
    let items = item_paths(evidence, feed);
    for told in listed.iter().filter(|told| is_due(told, feed)) {
        let path = html_path(&told.stem);
        let is_there = items.contains(path.as_str());
        let expected = format!("{} of {}", evidence.url(&path), or_none(&told.date));
        verdict.expect(is_there, evidence.url("/rss.xml"), expected, "not in it");
    }
}

/// Whether an article of the list must be in the feed. An undated one need not be; nor need one
/// that is older than the last item of a full feed.
fn is_due(told: &Told, feed: &Feed) -> bool {
    let Some(day) = told.date.get(..10).and_then(|day| day.parse::<Date>().ok()) else {
        return false;
    };
    let Ok(at) = day.to_zoned(jiff::tz::TimeZone::UTC) else {
        return false;
    };
    if feed.items.len() < LATEST {
        return true;
    }
    let oldest = feed
        .items
        .iter()
        .filter_map(|item| moment(&item.date))
        .min();
    oldest.is_none_or(|oldest| at.timestamp().as_second() > oldest.as_second() + 86_400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_the_same_to_the_second_or_to_the_day() {
        let written = "Sat, 01 Jun 2024 00:00:00 +0000";
        for (told, same) in [
            ("2024-06-01", true),
            ("2024-06-01T00:00:00Z", true),
            ("2024-06-01T02:00:00+02:00", true),
            ("2024-06-01T07:00:00Z", false),
            ("2024-06-03", false),
            ("2023-06-01", false),
            ("soon", true),
        ] {
            assert_eq!(is_same_day(written, told), same, "{told}");
        }
    }
}
