//! Rule 44: the author's order is one tree.

use super::*;
use crate::model::tree::{Leads, Shape};

/// The trees as indented lines, each with where it leads.
pub(super) fn drawn(library: &Library) -> Vec<String> {
    let mut lines = Vec::new();
    for tree in &*library.trees {
        if library.trees.len() > 1 {
            lines.push(format!("[{}]", tree.language));
        }
        for (at, node) in tree.nodes.iter().enumerate() {
            let indent = "  ".repeat(tree.above(at).count());
            let leads = match &node.leads {
                Leads::Nowhere => String::new(),
                Leads::Text(stem) => {
                    format!(" {}", stem.strip_prefix("/articles").unwrap_or(stem))
                }
                Leads::Instead(stem) => format!(" ({stem})"),
                Leads::Site(url) => format!(" {url}"),
            };
            lines.push(format!("{indent}{}{leads}", node.title));
        }
    }
    lines
}

/// The tree of a folder that is a guide, and no problem but those expected.
pub(super) fn tree(files: &[(&str, &str)], expected: &[&str]) {
    let library = build(files);
    assert_eq!(drawn(&library), expected, "{:?}", library.report.shape);
    assert_eq!(library.shape, Shape::Guide);
    let said: Vec<String> = library.problems.iter().map(|p| p.to_string()).collect();
    assert_eq!(said, [""; 0]);
}

fn shape(files: &[(&str, &str)]) -> (Shape, String) {
    build(files).report.shape
}

#[test]
fn rule_44_a_summary_is_a_tree_with_parts_and_drafts_vanish() {
    tree(
        &[
            ("book.toml", "[book]\ntitle = 'B'"),
            (
                "src/SUMMARY.md",
                "# Summary\n\n[Foreword](foreword.md)\n\n# First part\n\n- [One](one.md)\n    - [Inner](one/inner.md)\n- [Not written]()\n- [Secret](secret.md)\n- [Secret above](secret.md)\n    - [Public below](below.md)\n\n# Empty part\n\n- [Hidden](secret.md)\n\n# Last part\n\n1. [Two `code`](./two.md)\n\n---\n\n[Thanks](thanks.md)\n",
            ),
            ("src/foreword.md", "x"),
            ("src/one.md", "x"),
            ("src/one/inner.md", "x"),
            ("src/two.md", "x"),
            ("src/below.md", "x"),
            ("src/secret.md", "---\ndraft: true\n---\nx"),
            ("src/thanks.md", "x"),
        ],
        &[
            "Foreword /foreword",
            "First part",
            "  One /one",
            "    Inner /one/inner",
            "  Public below /below",
            "Last part",
            "  Two code /two",
            "Thanks /thanks",
        ],
    );
}

#[test]
fn rule_44_entries_that_lead_nowhere_are_said_with_their_place() {
    let library = build(&[
        (
            "mkdocs.yml",
            "site_name: S\nnav:\n  - Home: index.md\n  - A: a.md\n  - Gone: gone.md\n",
        ),
        ("docs/index.md", "x"),
        ("docs/a.md", "x"),
    ]);
    let said: Vec<String> = library.problems.iter().map(|p| p.to_string()).collect();
    assert_eq!(
        said,
        ["mkdocs.yml:5:5: warning: the entry `gone.md` of `nav` has no target"]
    );
    assert!(!drawn(&library).iter().any(|line| line.contains("Gone")));
}

#[test]
fn rule_44_the_setting_orders_and_overrides_all() {
    let files = sources(&[
        ("mkdocs.yml", "site_name: S\nnav:\n  - a.md\n  - b.md\n"),
        ("docs/a.md", "# A\n\nx"),
        ("docs/b.md", "# B\n\nx"),
        ("docs/more/c.md", "# C\n\nx"),
        ("docs/more/d.md", "# D\n\nx"),
    ]);
    let (settings, problems) = crate::syntax::settings::Settings::parse(
        "nav = ['docs/b.md', {title = 'More', folder = 'docs/more'}, {title = 'Forum', link = 'https://f.example'}]",
        "diglot.toml",
    );
    assert!(problems.is_empty());
    let site = settings
        .into_site("S", BaseUrl::parse("https://example.org").unwrap())
        .unwrap();
    let library = Library::build(&files, &site, NOW.parse().unwrap());
    assert_eq!(
        drawn(&library),
        [
            "B /b",
            "More",
            "  C /more/c",
            "  D /more/d",
            "Forum https://f.example"
        ]
    );
}

#[test]
fn rule_44_dated_articles_are_a_journal_although_a_name_has_a_number() {
    let post = "---\ndate: 2024-01-02\n---\nx";
    let (journal, why) = shape(&[
        ("articles/a/10-reasons.md", post),
        ("articles/a/b.md", post),
        ("articles/c.md", "x"),
    ]);
    assert_eq!(
        (journal, why.as_str()),
        (Shape::Journal, "2 of 3 articles have a date")
    );
    let weighted = "---\nweight: 2\n---\nx";
    let (guide, _) = shape(&[("articles/a.md", weighted), ("articles/b.md", "x")]);
    assert_eq!(guide, Shape::Guide, "one key orders them, and dates do not");
    let (flat, _) = shape(&[("articles/a.md", "x"), ("articles/b.md", "x")]);
    assert_eq!(flat, Shape::Journal, "nothing orders them");
}

#[test]
fn rule_44_a_menu_of_a_few_pages_does_not_make_a_blog_a_guide() {
    let post = "---\ntitle: P\n---\nx";
    let (journal, _) = shape(&[
        ("_config.yml", "title: B"),
        (
            "_data/navigation.yml",
            "main:\n  - title: About\n    url: /about/\n  - title: Posts\n    url: /posts/\n",
        ),
        ("about.md", "---\ntitle: About\n---\nx"),
        ("_posts/2024-01-01-a.md", post),
        ("_posts/2024-01-02-b.md", post),
        ("_posts/2024-01-03-c.md", post),
    ]);
    assert_eq!(journal, Shape::Journal);
}

#[test]
fn rule_44_without_an_order_folders_and_weights_are_one() {
    tree(
        &[
            ("docs/02-two.md", "# Two\n\nx"),
            ("docs/10-ten.md", "# Ten\n\nx"),
            ("docs/01-first_steps/b.md", "# B\n\nx"),
            ("docs/01-first_steps/a.md", "---\nweight: 9\n---\n# A\n\nx"),
            ("docs/03-api/index.md", "# The API\n\nx"),
            ("docs/03-api/x.md", "# X\n\nx"),
            ("docs/03-api/secret.md", "---\ndraft: true\n---\n# S\n\nx"),
            ("docs/zoo/secret.md", "---\ndraft: true\n---\n# S\n\nx"),
        ],
        &[
            "First steps",
            "  A /01-first_steps/a",
            "  B /01-first_steps/b",
            "Two /02-two",
            "The API /03-api",
            "  X /03-api/x",
            "Ten /10-ten",
        ],
    );
}

#[test]
fn rule_44_every_language_has_the_tree_in_its_own_words() {
    tree(
        &[
            ("diglot.toml", ""),
            ("docs/a.md", "# A\n\nx"),
            ("docs/guide/b.md", "# B\n\nx"),
            ("docs/guide/only-english.md", "# E\n\nx"),
            ("docs/de/a.md", "---\nlang: de\n---\n# A auf Deutsch\n\nx"),
            (
                "docs/de/guide/b.md",
                "---\nlang: de\n---\n# B auf Deutsch\n\nx",
            ),
            (
                "mkdocs.yml",
                "nav:\n  - a.md\n  - Guide:\n    - Bee: guide/b.md\n    - guide/only-english.md\n",
            ),
        ],
        &[
            "[en]",
            "A /a",
            "Guide",
            "  Bee /guide/b",
            "  E /guide/only-english",
            "[de]",
            "A auf Deutsch /de/a",
            "Guide",
            "  B auf Deutsch /de/guide/b",
        ],
    );
}

#[test]
fn rule_44_texts_that_name_the_one_above_them_are_a_tree() {
    tree(
        &[
            ("_config.yml", "title: S"),
            ("index.md", "---\ntitle: Home\nnav_order: 1\n---\nx"),
            ("docs/guide.md", "---\ntitle: Guide\nnav_order: 2\n---\nx"),
            (
                "docs/b.md",
                "---\ntitle: B\nparent: Guide\nnav_order: 2\n---\nx",
            ),
            (
                "docs/a.md",
                "---\ntitle: A\nparent: Guide\nnav_order: 1\n---\nx",
            ),
            (
                "docs/x.md",
                "---\ntitle: X\nparent: Guide\nnav_exclude: true\n---\nx",
            ),
        ],
        &["Home /index", "Guide /guide", "  A /a", "  B /b"],
    );
}

/// The most processor time of a list: ten times what the slowest takes in debug mode.
#[cfg(unix)]
const MOST_TIME: std::time::Duration = std::time::Duration::from_secs(1);

/// Builds a library on one thread, and measures the processor time of that thread: other programs
/// and tests have no share in it.
#[cfg(unix)]
fn check_time(files: &Sources, what: &str) {
    let now = || rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let taken = pool.unwrap().install(|| {
        let begin = now();
        Library::build(files, &site(), NOW.parse().unwrap());
        std::time::Duration::try_from(now() - begin).unwrap()
    });
    assert!(taken < MOST_TIME, "{what} takes {taken:?}");
}

#[test]
#[cfg(unix)]
fn rule_44_no_list_of_a_hostile_size_or_depth_takes_long() {
    let mut deep = String::from("# Summary\n\n");
    for level in 0..5000 {
        deep.push_str(&format!("{}- [x](a.md)\n", " ".repeat(level % 400)));
    }
    let nested = "[".repeat(20_000);
    let spread = format!(
        "const a = [{}];\nconst b = [...a, ...a, ...a];\nconst c = [...b, ...b, ...b];\nconst d = [...c, ...c, ...c];\nconst e = [...d, ...d, ...d, ...d, ...d, ...e];\nexport default {{ themeConfig: {{ sidebar: e }} }}",
        "'/a',".repeat(2000)
    );
    let book = [
        ("book.toml", ""),
        ("src/SUMMARY.md", &*deep),
        ("src/a.md", "x"),
    ];
    check_time(&sources(&book), "a deep list");
    let nav = format!("nav: {nested}");
    check_time(
        &sources(&[("mkdocs.yml", &nav), ("docs/a.md", "x")]),
        "a nested list",
    );
    let mut files = sources(&[(".vitepress/config.ts", &spread), ("a.md", "x")]);
    files.hidden.insert(".vitepress".to_owned());
    check_time(&files, "a list that repeats others");
}

#[test]
fn weights_come_before_dates_where_the_generator_asks_for_them_first() {
    let text = |weight: usize, day: usize| {
        format!("---\nweight: {weight}\ndate: 2024-01-0{day}\n---\nText.")
    };
    let (a, b, c) = (text(3, 1), text(1, 2), text(2, 3));
    let library = build(&[
        ("hugo.toml", "title = 'X'\n"),
        ("content/docs/s/a.md", &a),
        ("content/docs/s/b.md", &b),
        ("content/docs/s/c.md", &c),
    ]);
    assert_eq!(library.shape, Shape::Guide);
    let order: Vec<String> = library.trees[0]
        .stems()
        .map(|(_, stem)| stem.to_string())
        .collect();
    let expected = ["b", "c", "a"].map(|name| format!("/articles/docs/s/{name}"));
    assert_eq!(order, expected);
    // A template gives all posts one weight.
    let (a, b) = (text(1, 1), text(1, 2));
    let library = build(&[
        ("hugo.toml", "title = 'X'\n"),
        ("content/posts/a.md", &a),
        ("content/posts/b.md", &b),
    ]);
    assert_eq!(library.shape, Shape::Journal);
}
