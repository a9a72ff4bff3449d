//! A small correct site passes every check; every planted defect is found by the check meant for
//! it, and by no other.
//!
//! The site is a real edition, served in process. A plant changes the evidence as a host, a cache
//! or an editor would.

mod golden;
mod hosts;
mod plants;

use std::sync::Arc;

use bytes::Bytes;
use diglot_content::sources::{ChangeOrigin, FileDates, SourceFile};
use diglot_content::{BaseUrl, Library, Sources, settings::Settings};
use diglot_edition::{Coding, Edition, Theme};
use jiff::Timestamp;

use crate::address::Address;
use crate::answer::{Answer, Ask, Fetch};
use crate::card::{Card, judge};
use crate::coding;
use crate::evidence::Evidence;
use crate::gather::gather;
use crate::verdict::State;

const BASE: &str = "https://example.org/blog";

const FILES: &[(&str, &str)] = &[
    (
        "index.md",
        "Welcome. See [the first](articles/first.md) and [about](about.md).\n",
    ),
    ("about.md", "# About\n\nWho writes here, and why.\n"),
    (
        "articles/first.md",
        "---\ntitle: First article\ndate: 2024-05-01\nauthor: Ada\ntags: [ships]\n---\nThe first paragraph of the first article, which has some words.\n\nHarbour pilots measure tides twice before every departure, because currents between islands \
         change quickly, while lanterns, anchors, ropes, charts, compasses, sails, engines and weather reports remain their constant companions.\n\n\
         ## A part\n\nA [link](https://other.example/page) and [another](second.md#end).\n\n![A picture](../pictures/a.png)\n\n```rust\nfn main() { println!(\"{{ x }} <!-- y -->\"); }\n```\n",
    ),
    (
        "articles/second.md",
        "---\ntitle: Second article\ndate: 2024-06-01\n---\nThe second article says less than the first one does.\n\n## End\n\n- one\n- two\n\n> A quotation.\n",
    ),
    (
        "articles/third (x).md",
        "---\ntitle: Third article\ndate: 2023-01-01\n---\nThe third article has a [file](../pictures/a.png) and `code`.\n\n| a | b |\n|---|---|\n| c | d |\n",
    ),
    (
        "articles/soon.md",
        "---\ntitle: Soon\ndate: 2024-05-20\ndraft: true\n---\nNobody reads this.\n",
    ),
    ("static/pictures/a.png", "not really a picture"),
];

fn now() -> Timestamp {
    "2024-07-01T12:00:00Z".parse().unwrap()
}

fn edition() -> Edition {
    // Every file has its own date of change.
    let dates = |path: &str| {
        let changed =
            Timestamp::from_second(1_717_300_000 + 86_400 * i64::try_from(path.len()).unwrap())
                .unwrap();
        FileDates {
            created: None,
            changed,
            origin: ChangeOrigin::Git,
        }
    };
    let mut files: Vec<SourceFile> = FILES
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).into(),
            bytes: Bytes::from_static(text.as_bytes()).into(),
            dates: dates(path),
        })
        .collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let sources = Sources {
        name: "notes".into(),
        files,
        ..Sources::default()
    };
    let site = Arc::new(
        Settings::default()
            .into_site("Notes", BaseUrl::parse(BASE).unwrap())
            .unwrap(),
    );
    let library = Library::build(&sources, &site, now());
    let edition = Edition::build(&library, site, &Theme::new(&[]).unwrap(), now()).unwrap();
    for resource in &edition.resources {
        Coding::ALL
            .into_iter()
            .for_each(|coding| resource.fill(coding));
    }
    edition
}

/// Answers from an edition, without a socket.
struct InProcess(Edition);

impl Fetch for InProcess {
    fn fetch(&mut self, ask: &Ask, url: &str) -> Answer {
        let mut request = http::Request::builder().method(ask.method).uri(url);
        for (name, value) in &ask.fields {
            request = request.header(*name, value);
        }
        let (head, body) = diglot_http::respond(&self.0, &request.body(()).unwrap()).into_parts();
        let fields = head
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        let mut answer = Answer {
            status: head.status.as_u16(),
            fields,
            ..Answer::default()
        };
        let coded = body.to_bytes().to_vec();
        answer.body = if coded.is_empty() {
            coded
        } else {
            coding::decode(&answer.coding(), &coded, 1 << 24).unwrap()
        };
        answer
    }

    fn stopped(&self) -> Option<String> {
        None
    }
}

fn gathered(client: &mut dyn Fetch) -> Evidence {
    gather(client, Address::new(BASE), 10, now())
}

/// The checks in this state, each with its first finding, for messages.
fn told(card: &Card) -> String {
    card.text(false)
}

#[test]
fn a_right_site_passes_whole() {
    let card = judge(&gathered(&mut InProcess(edition())));
    assert_eq!(
        card.ended(State::Failed),
        Vec::<&str>::new(),
        "{}",
        told(&card)
    );
    assert_eq!(
        (card.score(), card.cut.as_deref()),
        (100, None),
        "{}",
        told(&card)
    );
    assert_eq!(card.ended(State::NotJudged), Vec::<&str>::new());
    // Only faults of a cache in front are left out.
    assert_eq!(
        card.ended(State::LeftOut),
        [
            "caches.agent-first",
            "caches.browser-first",
            "caches.stored",
            "caches.stale"
        ]
    );
    assert!(card.requests < 400, "{} requests", card.requests);
}

#[test]
fn a_site_with_one_article_or_none_is_judged_too() {
    let evidence = gather(&mut InProcess(edition()), Address::new(BASE), 0, now());
    assert_eq!(judge(&evidence).score(), 100, "{}", told(&judge(&evidence)));
}

#[test]
fn nothing_at_all_is_no_panic_and_no_success() {
    struct Silent;
    impl Fetch for Silent {
        fn fetch(&mut self, _: &Ask, _: &str) -> Answer {
            Answer::nothing("connection refused")
        }
        fn stopped(&self) -> Option<String> {
            None
        }
    }
    let card = judge(&gathered(&mut Silent));
    assert_eq!(card.score(), 0, "{}", told(&card));
    let refused = crate::run::settle(&mut Silent, Address::new(BASE)).unwrap_err();
    assert_eq!(refused.blame, crate::run::Blame::Site);
}

#[test]
fn bodies_of_any_kind_are_judged_without_a_panic() {
    let garbage: [&[u8]; 6] = [
        b"",
        b"\xff\xfe\0",
        b"<rss",
        b"---\n",
        b"{\"linkset\": [1, {\"anchor\": 2}]}",
        b"<!-- ``` [x](y",
    ];
    let right = gathered(&mut InProcess(edition()));
    for body in garbage {
        let mut evidence = right.clone();
        evidence
            .answers
            .values_mut()
            .for_each(|answer| answer.body = body.to_vec());
        let card = judge(&evidence);
        assert!(
            card.tally().failed > 10 && card.score() < 60,
            "{}",
            told(&card)
        );
    }
}

#[test]
fn the_card_says_what_to_do() {
    let mut evidence = gathered(&mut InProcess(edition()));
    plants::by_name(&mut evidence, "ISO date in pubDate");
    let card = judge(&evidence);
    let text = card.text(false);
    assert!(
        text.starts_with("https://example.org/blog: 89 of 100\nClients fail in one way.\nThe groups earn 95; with a finding of `broken` the score is at most 89.\n  -4.5   feed.dates (broken): fix `/rss.xml` as Diglot"),
        "{text}"
    );
    let summary: Vec<&str> = text.lines().take(4).collect();
    assert!(text.ends_with(&summary.join("\n")), "{text}");
    assert!(
        text.contains("\nfeed.dates (broken, costs 4.5) must hold: ")
            && text.contains("\n  hint: write dates as "),
        "{text}"
    );
    assert!(
        text.contains("expected a date of RFC 822\n") && !text.contains('\u{1b}'),
        "{text}"
    );
    assert!(card.text(true).contains("\u{1b}[31mbroken"));
    let json = card.json();
    assert_eq!(
        (&json["tally"]["failed"], &json["score"], &json["worst"]),
        (&1.into(), &89.into(), &"broken".into())
    );
    assert_eq!(json["costliest"][0]["id"], "feed.dates");
}

/// A card with every field set, so that its keys can be read from it.
#[test]
fn the_keys_of_the_card_are_those_of_the_documentation() {
    let mut evidence = gathered(&mut InProcess(edition()));
    plants::by_name(&mut evidence, "ISO date in pubDate");
    let docs = include_str!("../../../docs/audit.md");
    let mut missing = Vec::new();
    let mut open = vec![judge(&evidence).json()];
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Object(members) => {
                for (key, value) in members {
                    if !docs.contains(&format!("`{key}`")) && !missing.contains(&key) {
                        missing.push(key);
                    }
                    open.push(value);
                }
            }
            serde_json::Value::Array(members) => open.extend(members),
            _ => {}
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}
