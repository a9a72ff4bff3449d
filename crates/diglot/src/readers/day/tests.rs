use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const DATE: Date = date(2026, 11, 21);

fn subject(path: &str) -> Subject {
    Subject {
        kind: "article",
        path: path.into(),
    }
}

fn once(form: &str, family: &str) -> (Reader, Count) {
    (
        Reader::new(form, Family::named(family)),
        Count {
            sent: 1,
            unchanged: 0,
        },
    )
}

fn day(entries: &[(&str, &str, &str)]) -> Day {
    let mut day = Day::default();
    for (path, form, family) in entries {
        let (reader, count) = once(form, family);
        day.count(subject(path), reader, count);
    }
    day
}

#[test]
fn the_file_is_as_the_docs_say() {
    let mut day = day(&[
        ("/articles/a", "html", "Firefox"),
        ("/articles/a", "markdown", "OpenAI"),
        ("/articles/a", "html", "Firefox"),
    ]);
    day.count(
        Subject {
            kind: "rss",
            path: "/rss.xml".into(),
        },
        Reader::new("other", Family::named("Feedly")),
        Count {
            sent: 0,
            unchanged: 9,
        },
    );
    let expected = "{\"diglot-readers\":2,\"day\":\"2026-11-21\",\"lines\":2,\"sum\":\"74242d4d0c02ba07\"}\n\
        {\"kind\":\"article\",\"path\":\"/articles/a\",\"html\":{\"Firefox\":[2,0]},\"markdown\":{\"OpenAI\":[1,0]},\"sum\":\"012537a6b9fedf1a\"}\n\
        {\"kind\":\"rss\",\"path\":\"/rss.xml\",\"other\":{\"Feedly\":[0,9]},\"sum\":\"d87794d43e4ae8b1\"}\n";
    assert_eq!(String::from_utf8(day.to_bytes(DATE)).unwrap(), expected);
    assert_eq!(Day::parse(expected.as_bytes(), DATE), Ok((day, 0)));
}

#[test]
fn what_is_broken_is_left_out_and_the_rest_counts() {
    let whole = day(&[
        ("/articles/a", "html", "Firefox"),
        ("/articles/b", "html", "Firefox"),
    ])
    .to_bytes(DATE);
    let text = String::from_utf8(whole).unwrap();
    let check = |text: &str, subjects: usize, dropped: usize| {
        let (day, found) = Day::parse(text.as_bytes(), DATE).unwrap();
        assert_eq!((day.subjects.len(), found), (subjects, dropped), "{text}");
    };
    check(&text, 2, 0);
    check(&text[..text.len() - 8], 1, 1);
    check(&text[..text.len() / 3 * 2], 1, 1);
    check(text.rsplit_once("{\"kind").unwrap().0, 1, 1);
    check(text.split_once('\n').unwrap().1, 2, 0);
    check(&text.replace("diglot-readers", "diglot-rea\0ders"), 2, 1);
    check(&text.replacen("[1,0]", "[9,0]", 1), 1, 1);
    check(&text.replacen("article\"", "page\"", 1), 1, 1);
    check("", 0, 0);
    check("\n\n\u{0}\n", 0, 1);
    let (yesterday, dropped) = Day::parse(text.as_bytes(), DATE.yesterday().unwrap()).unwrap();
    assert!(yesterday.is_empty() && dropped == 2, "another day's file");
    assert_eq!(
        Day::parse(b"{\"diglot-readers\":3,\"days\":[]}\nwhatever", DATE),
        Err(NewerVersion(3))
    );
    // A correct digest does not make an invalid line valid.
    for line in [
        "{\"kind\":\"secret\",\"path\":\"/a\"}",
        "{\"kind\":\"article\",\"path\":\"\\u001b[31m/a\"}",
        "{\"kind\":\"article\",\"path\":\"/a\",\"html\":{\"other\":[-1,0]}}",
    ] {
        check(
            &String::from_utf8(sealed(line.as_bytes(), DATE)).unwrap(),
            0,
            1,
        );
    }
}

#[test]
fn no_flipped_bit_changes_a_count() {
    let whole = day(&[
        ("/articles/a", "html", "Firefox"),
        ("/articles/b", "markdown", "OpenAI"),
    ]);
    let bytes = whole.to_bytes(DATE);
    for bit in 0..8 * bytes.len() {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        let Ok((read, dropped)) = Day::parse(&other, DATE) else {
            continue;
        };
        let same = read
            .subjects
            .iter()
            .all(|(subject, readers)| whole.subjects.get(subject) == Some(readers));
        assert!(same && (read == whole || dropped > 0), "bit {bit}");
    }
}

#[test]
fn a_family_that_nobody_knows_any_more_is_other() {
    let line = sealed(
        b"{\"kind\":\"article\",\"path\":\"/a\",\"html\":{\"Nobody\":[3,0],\"other\":[1,0]}}",
        DATE,
    );
    let (day, _) = Day::parse(&line, DATE).unwrap();
    let counts: Vec<_> = day.subjects.values().flatten().collect();
    assert_eq!(
        counts,
        [(
            &Reader::new("html", Family::OTHER),
            &Count {
                sent: 4,
                unchanged: 0
            }
        )]
    );
}

#[test]
fn a_file_that_grows_too_large_keeps_what_was_read_most() {
    let mut large = Day::default();
    for n in 0..1_000 {
        let (reader, _) = once("html", "Chrome");
        large.count(
            subject(&format!("/articles/{n}")),
            reader,
            Count {
                sent: n,
                unchanged: 0,
            },
        );
    }
    let total = |day: &Day| {
        day.subjects
            .values()
            .flat_map(BTreeMap::values)
            .map(|count| count.sent)
            .sum::<u64>()
    };
    let (before, date) = (total(&large), date(2026, 1, 1));
    large.condense(10_000);
    assert!(
        large.to_bytes(date).len() <= 10_000 && large.subjects.len() > 50,
        "{}",
        large.subjects.len()
    );
    assert_eq!(total(&large), before, "nothing is lost but where it was");
    assert!(
        large.subjects.contains_key(&subject("/articles/999"))
            && !large.subjects.contains_key(&subject("/articles/5"))
    );
    let same = large.clone();
    large.condense(10_000);
    assert_eq!(large, same);
}

fn any_day() -> impl Strategy<Value = Day> {
    let entry = (
        0..Route::KIND_NAMES.len(),
        "/[^\\p{Cc}]{0,20}",
        0..3_usize,
        0..Family::COUNT,
        any::<u64>(),
        any::<u64>(),
    );
    proptest::collection::vec(entry, 0..30).prop_map(|entries| {
        let mut day = Day::default();
        for (kind, path, form, family, sent, unchanged) in entries {
            let subject = Subject {
                kind: Route::KIND_NAMES[kind],
                path: path.into(),
            };
            // The number and the name of a family always match.
            let family = Family::named(Family::at(family).name);
            day.count(
                subject,
                Reader::new(FORMS[form], family),
                Count { sent, unchanged },
            );
        }
        day
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(day in any_day()) {
        prop_assert_eq!(Day::parse(&day.to_bytes(DATE), DATE), Ok((day, 0)));
    }

    /// Arbitrary bytes, and files with some bytes changed or cut off, never cause a panic, and
    /// everything parsed can be written and parsed again.
    #[test]
    fn no_bytes_break_it(day in any_day(), bytes in proptest::collection::vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>(), cut in any::<bool>()) {
        let mut file = day.to_bytes(DATE);
        let at = at.index(file.len());
        if cut { file.truncate(at); }
        file.splice(at..at, bytes.iter().copied());
        for file in [&file, &bytes] {
            if let Ok((read, _)) = Day::parse(file, DATE) {
                prop_assert_eq!(Day::parse(&read.to_bytes(DATE), DATE), Ok((read, 0)));
            }
        }
    }
}
