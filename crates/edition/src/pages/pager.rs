//! The pages of a list that has several: their names, their addresses, and the links between them.

use std::sync::Arc;

use super::languages::ALL;
use super::page_data::Pager;
use super::shared::Shared;

/// How many pages a page links on each side of it.
const BESIDE: usize = 2;
/// … and so far away, so that the middle of a very long list is a few steps away.
const FAR: [usize; 3] = [10, 50, 250];

/// `Page 2`.
pub(super) fn page_name(shared: &Shared<'_>, language: &str, number: usize) -> String {
    let words = shared.words(language);
    words.map_or_else(String::new, |words| {
        words.with("page", &[("n", &number.to_string())])
    })
}

/// The stem of a further page of a list.
pub(super) fn page_stem(first: &str, number: usize) -> String {
    let folder = match first {
        ALL => "/articles",
        other => other,
    };
    format!("{folder}/page-{number}")
}

/// The place of a page among those of its list; none if it is the only one. `places` are the pages
/// that are not left out.
pub(super) fn pager(stems: &[Option<Arc<str>>], places: &[usize], at: usize) -> Option<Pager> {
    if places.len() < 2 {
        return None;
    }
    let here = places.binary_search(&at).ok()?;
    let stem = |place: usize| stems[*places.get(place)?].clone();
    let last = places.len() - 1;
    let near = near(here, last);
    Some(Pager {
        number: at + 1,
        previous: here.checked_sub(1).and_then(stem),
        next: stem(here + 1),
        near: near
            .into_iter()
            .filter_map(|place| Some((places[place] + 1, stem(place)?)))
            .collect(),
    })
}

/// The places of the pages that a page links to.
fn near(here: usize, last: usize) -> Vec<usize> {
    let around = here.saturating_sub(BESIDE)..=(here + BESIDE).min(last);
    let mut near: Vec<usize> = around.chain([0, last]).collect();
    for far in FAR {
        near.extend(here.checked_sub(far));
        near.extend(Some(here + far).filter(|place| *place <= last));
    }
    near.sort_unstable();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_of_a_list_of_900_is_at_most_eight_steps_from_the_first() {
        let places: Vec<usize> = (0..900).collect();
        let stem = |place: &usize| Some(Arc::from(format!("/page-{place}")));
        let stems: Vec<Option<Arc<str>>> = places.iter().map(stem).collect();
        let mut steps = vec![None; places.len()];
        let mut reached = vec![0];
        steps[0] = Some(0);
        while !reached.is_empty() {
            let mut next = Vec::new();
            for at in reached {
                let links = pager(&stems, &places, at).unwrap().near;
                assert!(links.len() <= 13, "{at}: {links:?}");
                for (number, _) in links {
                    if steps[number - 1].is_none() {
                        steps[number - 1] = steps[at].map(|steps: usize| steps + 1);
                        next.push(number - 1);
                    }
                }
            }
            reached = next;
        }
        let most = steps.iter().map(|steps| steps.unwrap()).max();
        assert!(most <= Some(8), "{most:?}");
    }
}
