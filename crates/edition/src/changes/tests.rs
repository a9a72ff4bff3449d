//! Changes in a row, and what is read from outside.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn digest(number: u8) -> Digest {
    Digest([number; 16])
}

fn row(path: &str, number: u8) -> Arc<ListedPage> {
    let json = ListedPage::json_of(path, digest(number), "A title", Vec::new());
    Arc::new(ListedPage::new(path.into(), digest(number), json.into()))
}

/// An edition as the digests of its pages.
type Pages = BTreeMap<u8, u8>;

fn rows(pages: &Pages) -> ListedPages {
    let row = |(page, number): (&u8, &u8)| row(&format!("/{page}.md"), *number);
    pages.iter().map(row).collect()
}

fn pages() -> impl Strategy<Value = Pages> {
    prop::collection::btree_map(0..6_u8, 1..4_u8, 0..6)
}

/// A copy of the first edition, after these changes: what is read has the digests of the last.
fn followed(first: &Pages, changes: &Changes, last: &Pages) -> Pages {
    let page = |path: &str| -> u8 { path[1..path.len() - 3].parse().unwrap() };
    let mut copy = first.clone();
    for (path, change) in changes {
        match change {
            Change::Removed(_) => drop(copy.remove(&page(path))),
            Change::Added(after) | Change::Changed { after, .. } => {
                assert_eq!(digest(last[&page(path)]), *after);
                copy.insert(page(path), last[&page(path)]);
            }
        }
    }
    copy
}

proptest! {
    #[test]
    fn changes_in_a_row_lead_from_each_edition_to_the_last(
        editions in prop::collection::vec(pages(), 2..12)
    ) {
        let mut history = History::default();
        let mut named: BTreeMap<Digest, usize> = BTreeMap::new();
        let mut known: Vec<Digest> = Vec::new();
        for (number, edition) in editions.iter().enumerate() {
            let id = Digest::hash(format!("{edition:?}").as_bytes());
            known.extend(history.id);
            // The present edition is not one of the earlier ones.
            known.retain(|earlier| *earlier != id);
            history = history.with(id, rows(edition), &BTreeSet::new(), &|_| None);
            named.insert(id, number);
        }
        let last = editions.last().unwrap();
        for step in &history.steps {
            let first = &editions[named[&step.since]];
            prop_assert_eq!(&followed(first, &step.whole, last), last);
        }
        known.reverse();
        let steps: Vec<Digest> = history.steps.iter().map(|step| step.since).collect();
        prop_assert_eq!(steps, known);
    }

    #[test]
    fn no_bytes_panic(changes: Vec<u8>, all: Vec<u8>) {
        let _ = read("0", &changes, &all);
        let _ = read(&digest(1).to_string(), &changes, &all);
        let _ = History::parse(&changes);
    }

    #[test]
    fn a_damaged_history_is_read_or_refused(at in 0..2_000_usize, byte: u8) {
        let first = History::default().with(digest(1), rows(&Pages::from([(1, 1), (2, 2)])), &BTreeSet::new(), &|_| None);
        let second = first.with(digest(2), rows(&Pages::from([(1, 2), (3, 2)])), &BTreeSet::new(), &|_| None);
        let mut bytes = second.to_bytes().unwrap();
        prop_assert_eq!(&History::parse(&bytes).unwrap(), &second);
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = History::parse(&bytes);
    }
}

#[test]
fn a_path_from_outside_is_one_of_a_page() {
    let of = |path: &str| {
        let all = format!(
            r#"{{"base":"","listing":"","pages":[{{"path":"{path}","title":"","digest":"{}","sections":[]}}]}}"#,
            digest(1)
        );
        let changes = r#"{"base":"","listing":"","status":"","pages":"","editions":[]}"#;
        read(&digest(1).to_string(), changes.as_bytes(), all.as_bytes()).map(|(_, read)| read)
    };
    assert_eq!(&*of("/a%20b.md").unwrap().rows[0].path, "/a b.md");
    for path in [
        "a.md", "/a b.md", "/a.html", "/`a`.md", "/%ff.md", "/%61.md", "",
    ] {
        assert!(of(path).is_err(), "{path}");
    }
}

#[test]
fn so_many_entries_are_kept_and_no_more() {
    let pages = |number: u8| -> ListedPages {
        let count = ENTRIES / 5;
        (0..count)
            .map(|page| row(&format!("/{page}.md"), number))
            .collect()
    };
    let mut history = History::default();
    for number in 1..=6 {
        history = history.with(digest(number), pages(number), &BTreeSet::new(), &|_| None);
        // Each step has a fifth of the entries, and so has its way to the last.
        let expected = usize::from(number - 1).min(2);
        assert_eq!(history.steps.len(), expected);
    }
}

#[test]
fn a_text_is_cut_into_sections_at_its_headings() {
    let text = "front\n\n# Title\n\nIntro.\n\n## One\n\nA.\n\n## One again\n\nB.\n";
    let (one, again) = (
        text.find("## One\n").unwrap(),
        text.find("## One again").unwrap(),
    );
    let found = |headings: &[(usize, &str)]| -> Vec<String> {
        let headings: Vec<(usize, String)> = headings
            .iter()
            .map(|(at, id)| (*at, (*id).to_owned()))
            .collect();
        let found = sections(text, 6..text.len(), &headings);
        found
            .iter()
            .map(|section| format!("{} {:016x}", section.id, section.digest))
            .collect()
    };
    let short = |text: &str| blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
    let expected = [
        format!(" {}", short("\n# Title\n\nIntro.")),
        format!("one {}", short("## One\n\nA.")),
        format!("one-1 {}", short("## One again\n\nB.")),
    ];
    assert_eq!(found(&[(one, "one"), (again, "one-1")]), expected);
    let long = "x".repeat(SECTION_ID + 1);
    for second in ["one", "", &long] {
        assert_eq!(found(&[(one, "one"), (again, second)]).len(), 2, "{second}");
    }
}
