//! The search over exported folders: what it finds, what it costs, and that the script of the search page
//! ranks as the server does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bytes::Bytes;
use diglot_search::{Hit, Index, rank};

use crate::support::build;

/// An exported site.
struct Site {
    folder: tempfile::TempDir,
    index: Index,
}

impl Site {
    fn export(source: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let public = folder.path().join("public");
        let build = build(source, &public, &[]);
        let index = fs::read(public.join("search/index.json"))
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&build.stderr)));
        let index = Index::parse(&index).unwrap();
        Self { folder, index }
    }

    fn public(&self) -> PathBuf {
        self.folder.path().join("public")
    }

    fn load(&self, address: &str) -> Option<Bytes> {
        Some(fs::read(self.public().join(&address[1..])).ok()?.into())
    }

    fn rank(&self, query: &str) -> Vec<Hit> {
        rank(&self.index, query, &|address| self.load(address))
    }

    /// The paths of the results, the most relevant first.
    fn found(&self, query: &str) -> Vec<String> {
        let page = |hit: &Hit| self.index.page(hit.text, &|address| self.load(address));
        self.rank(query)
            .iter()
            .map(|hit| page(hit).unwrap().stem)
            .collect()
    }

    /// The paths of all texts.
    fn texts(&self) -> Vec<String> {
        let load = |address: &str| self.load(address);
        (0..self.index.texts)
            .filter_map(|text| self.index.page(text, &load))
            .map(|page| page.stem)
            .collect()
    }

    /// The bytes of the index, and of all texts in Markdown.
    fn sizes(&self) -> (u64, u64) {
        let size = |address: &str| {
            fs::metadata(self.public().join(&address[1..]))
                .unwrap()
                .len()
        };
        let words = self.index.word_files.iter().map(|(.., file)| size(file));
        let texts = self.index.text_files.iter().map(|file| size(file));
        let all = self
            .texts()
            .iter()
            .map(|stem| size(&format!("{stem}.md")))
            .sum();
        (
            words.chain(texts).sum::<u64>() + size("/search/index.json"),
            all,
        )
    }
}

/// Whether a path ends in this one, after its folder or the date in its name.
fn is_answer(stem: &str, answer: &str) -> bool {
    stem.strip_suffix(answer).is_some_and(|rest| {
        let is_dated = rest.len() > 1 && rest.as_bytes()[rest.len() - 2].is_ascii_digit();
        rest.ends_with('/') || rest.ends_with('-') && is_dated
    })
}

/// The questions of a folder: question, and the end of the path of its answer.
fn questions() -> BTreeMap<&'static str, Vec<(&'static str, &'static str)>> {
    let mut questions: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let lines = include_str!("questions.tsv").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let [folder, question, answer] = parts[..] else {
            panic!("{line}");
        };
        questions
            .entry(folder)
            .or_default()
            .push((question, answer));
    }
    questions
}

#[test]
fn there_are_a_hundred_questions_each_once() {
    let questions = questions();
    let mut all: Vec<_> = questions.values().flatten().collect();
    let count = all.len();
    assert!(count >= 100, "{count}");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

mod needs_corpora {
    use super::*;

    fn corpora() -> PathBuf {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
        std::env::var_os("DIGLOT_CORPORA").map_or_else(beside, PathBuf::from)
    }

    /// The table of docs/search.md, with `--nocapture`.
    #[test]
    #[ignore = "needs the corpora: `../shared/corpora`, or the folder that DIGLOT_CORPORA names"]
    fn the_page_asked_for_is_among_the_first_three() {
        let (mut asked, mut right) = (0, 0);
        for (folder, questions) in questions() {
            let site = Site::export(&corpora().join(folder));
            let (index, texts) = site.sizes();
            let mut places = [0; 3];
            let texts_of_site = site.texts();
            for (question, answer) in &questions {
                assert!(
                    texts_of_site.iter().any(|stem| is_answer(stem, answer)),
                    "{folder} has no text {answer}"
                );
                let found = site.found(question);
                let at = found.iter().position(|stem| is_answer(stem, answer));
                match at {
                    Some(at) if at < 3 => places[at] += 1,
                    _ => println!(
                        "{folder}: `{question}`: {answer} at {at:?}, first {:?}",
                        &found[..found.len().min(3)]
                    ),
                }
            }
            println!(
                "| {folder} | {} | {} | {} | {} | {:.1} % |",
                site.index.texts,
                questions.len(),
                places[0],
                places.iter().sum::<usize>(),
                100.0 * index as f64 / texts as f64
            );
            assert!(
                index * 100 <= texts * 30,
                "{folder}: {index} of {texts} bytes"
            );
            asked += questions.len();
            right += places.iter().sum::<usize>();
        }
        assert!(right * 100 >= asked * 90, "{right} of {asked}");
    }
}

mod needs_node {
    use super::*;

    const QUERIES: [&str; 16] = [
        "the",
        "markdown files",
        "titles",
        "a b c d e",
        "ärticles",
        "Überschrift",
        "日本",
        "كتاب",
        "notes on writing",
        "queries",
        "x",
        "zzzz",
        "headingss",
        "2024",
        "½ Paraŀlels",
        "résumés",
    ];

    #[test]
    #[ignore = "needs node"]
    fn the_script_ranks_as_the_server_does() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders: Vec<PathBuf> = fs::read_dir(root.join("tests/folders"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        folders.sort();
        let mut found = 0;
        for folder in folders {
            let site = Site::export(&folder);
            let queries = site.queries();
            let asked: Vec<String> = queries
                .iter()
                .map(|query| written(query, &site.rank(query)))
                .collect();
            found += asked.iter().filter(|line| !line.ends_with('\t')).count();
            let node = Command::new("node")
                .arg(root.join("tests/search/rank.js"))
                .arg(root.join("../edition/theme/search.js"))
                .arg(site.public())
                .args(&queries)
                .output()
                .unwrap();
            let by_script = String::from_utf8(node.stdout).unwrap();
            let error = String::from_utf8_lossy(&node.stderr);
            let lines: Vec<&str> = by_script.lines().collect();
            assert_eq!(lines, asked, "{}\n{error}", folder.display());
        }
        assert!(found > 100, "{found} queries have an answer");
    }

    #[test]
    #[ignore = "needs node"]
    fn the_script_shows_the_snippets_of_the_server() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let marks = "- [x] **a** ~~b~~ `*c*` ``d`e`` alpha\n\n> [!NOTE]\n> 1) beta[^2], <https://example.org/a_b> 1 <2>\n\n\
            ```text\n  gamma ** [x](y)\n# delta\n```\n\n[^1]: a &lt;b> &amp;amp; &#40;c) &nope; epsilon\n\n\
            `code` $$x$$ costs $5 [a](b) ![d](e) \\[f\\] ` [^c] zeta\n";
        let queries = [
            "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "the a", "of in", "x",
        ];
        let mut texts = vec![marks.to_owned()];
        let site = Site::export(&root.join("../../examples/field-notes"));
        for stem in site.texts() {
            let text = fs::read_to_string(site.public().join(&format!("{stem}.md")[1..])).unwrap();
            let text = text.split("\n---\n").last().unwrap();
            let text = text.split("\n## Sitemap\n").next().unwrap();
            texts.push(text.to_owned());
        }
        assert!(texts.len() > 5);
        let file = site.folder.path().join("text.md");
        for text in texts {
            fs::write(&file, &text).unwrap();
            let node = Command::new("node")
                .arg(root.join("tests/search/snippet.js"))
                .arg(root.join("../edition/theme/search.js"))
                .arg(&file)
                .args(queries)
                .output()
                .unwrap();
            let by_script = String::from_utf8(node.stdout).unwrap();
            let by_server = queries.map(|query| {
                let asked = diglot_search::rank::query_words(query);
                diglot_search::snippet::snippet(&text, "", &asked).text
            });
            let error = String::from_utf8_lossy(&node.stderr);
            assert_eq!(by_script.lines().collect::<Vec<_>>(), by_server, "{error}");
        }
    }

    /// A query with its answer, as `rank.js` writes them.
    fn written(query: &str, hits: &[Hit]) -> String {
        let hits: Vec<String> = hits
            .iter()
            .map(|hit| format!("{}#{}={}", hit.text, hit.section, hit.score))
            .collect();
        format!("{query}\t{}", hits.join(" "))
    }

    impl Site {
        /// The queries above, and the titles of the texts.
        fn queries(&self) -> Vec<String> {
            let load = |address: &str| self.load(address);
            let titles = (0..self.index.texts)
                .filter_map(|text| self.index.page(text, &load))
                .map(|page| page.title)
                .take(20);
            QUERIES
                .into_iter()
                .map(str::to_owned)
                .chain(titles)
                .collect()
        }
    }
}
