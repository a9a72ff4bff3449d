//! The search: any texts, any query, any index files.

use diglot_search::rank::{query_words, rank};
use diglot_search::snippet::snippet;
use diglot_search::text::BUCKETS;
use diglot_search::writer::{PER_FILE, shown, written};
use diglot_search::{Chunk, Index, RESULTS, Section, Text, Words, merge, pack, words};

/// The first line is the query, the second a file of an index, each other a text; `\u{1}` begins a
/// section. Every word of a text finds a text, and no more results come than may.
pub fn search(input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    let mut lines = input.split('\n');
    let query = lines.next().unwrap_or_default();
    let file = lines.next().unwrap_or_default().as_bytes().to_vec();
    let texts: Vec<&str> = lines.take(40).collect();
    let words: Vec<Words> = texts.iter().map(|text| words_of(text)).collect();
    let words: Vec<&Words> = words.iter().collect();
    let buckets: Vec<Vec<Chunk>> = (0..BUCKETS).map(|bucket| merge(&words, bucket)).collect();
    let word_files = pack(buckets.iter().map(Vec::as_slice));
    let text_files: Vec<_> = words.chunks(PER_FILE).map(shown).collect();
    let names = |count: usize, kind: &str| (0..count).map(|at| format!("{kind}{at}")).collect();
    let (of_texts, of_words): (Vec<String>, Vec<String>) =
        (names(text_files.len(), "t"), names(word_files.len(), "w"));
    let json = written(words.len(), &of_texts, (&word_files, &of_words));
    let index = Index::parse(json.as_bytes()).expect("an index that was written is read");
    let load = |name: &str| {
        let at: usize = name[1..].parse().ok()?;
        Some(match &name[..1] {
            "t" => text_files.get(at)?.clone(),
            _ => {
                let chunks = word_files.get(at)?.chunks.iter();
                chunks
                    .map(|chunk| &chunk.bytes[..])
                    .collect::<Vec<_>>()
                    .concat()
                    .into()
            }
        })
    };
    let hits = rank(&index, query, &load);
    assert!(hits.len() <= RESULTS && hits.iter().all(|hit| (hit.text as usize) < texts.len()));
    for hit in &hits {
        let page = index.page(hit.text, &load).expect("a result is a text");
        assert_eq!(page.title, "title");
        snippet(texts[hit.text as usize], "", &query_words(query));
    }
    for text in texts.iter().take(3) {
        // As it is written there: a folded word that is folded again may be another one.
        let mut first = None;
        words::each(text, |place, _| {
            first.get_or_insert(place);
        });
        if let Some(word) = first.and_then(|place| text.get(place)) {
            assert!(
                !rank(&index, word, &load).is_empty(),
                "`{word}` is not found"
            );
        }
    }
    // Files of an index may be damaged.
    let damaged = bytes::Bytes::from(file);
    rank(&index, query, &|_| Some(damaged.clone()));
    index.page(0, &|_| Some(damaged.clone()));
    Index::parse(&damaged);
}

fn words_of(text: &str) -> Words {
    let sections = text.split('\u{1}').map(|text| Section {
        text: text.to_owned(),
        ..Section::default()
    });
    Words::count(&Text {
        stem: "/x",
        title: "title",
        sections: sections.collect(),
        ..Text::default()
    })
}
