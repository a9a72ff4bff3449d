//! Files that cost a careless reader minutes or all memory, and names that are not files:
//! everything else is still published, soon.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::build;

/// Many times what all of it takes; what is quadratic takes longer by far.
const PATIENCE: Duration = Duration::from_secs(120);

fn bombs() -> Vec<(&'static str, String)> {
    let numbered =
        |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    let definitions = numbered(10_000, &|n| format!("[a{n}]: https://example.org/{n}\n"))
        + "\n"
        + &numbered(10_000, &|n| format!("[a{n}] "));
    let table = format!(
        "|{}\n|{}\n{}",
        "a|".repeat(1_000),
        "-|".repeat(1_000),
        "|b|b|\n".repeat(1_000)
    );
    let laughs = numbered(12, &|n| {
        format!(
            "b{n}: &b{n} [{}]\n",
            vec![
                if n == 0 {
                    "*a".to_owned()
                } else {
                    format!("*b{}", n - 1)
                };
                9
            ]
            .join(",")
        )
    });
    vec![
        ("definitions.md", definitions),
        ("brackets.md", "[".repeat(100_000)),
        ("table.md", table),
        ("quotations.md", ">".repeat(50_000) + " a"),
        ("lists.md", numbered(800, &|n| "  ".repeat(n) + "- a\n")),
        ("entities.md", "&amp;".repeat(100_000)),
        ("emphasis.md", "*a **b ".repeat(30_000)),
        ("links.md", "[a](".repeat(40_000)),
        ("elements.md", "<div>".repeat(40_000) + "words"),
        (
            "notes.md",
            numbered(4_000, &|n| format!("[^{n}]\n\n[^{n}]: [^{}]\n\n", n + 1)),
        ),
        (
            "ticks.md",
            numbered(1_500, &|n| "`".repeat(n % 1_500) + "a"),
        ),
        (
            "laughs.md",
            format!("---\na: &a [x,x,x,x,x,x,x,x,x]\n{laughs}---\n\nWords.\n"),
        ),
        (
            "page.html",
            format!(
                "<html><body><article><h1>A</h1>{}words</article>",
                "<b><i>".repeat(30_000)
            ),
        ),
        ("comments.md", "<!-- ".repeat(40_000)),
        ("tags.md", "{% if a %}{{ b ".repeat(20_000)),
    ]
}

#[test]
fn a_folder_of_bombs_is_published_soon() {
    let dir = tempfile::tempdir().unwrap();
    let articles = dir.path().join("site/articles");
    fs::create_dir_all(&articles).unwrap();
    fs::write(articles.join("good.md"), "# Good\n\nGood words.\n").unwrap();
    for (name, text) in bombs() {
        fs::write(
            articles.join(name),
            if name.ends_with(".md") && name != "laughs.md" {
                format!("# {name}\n\nWords.\n\n{text}\n")
            } else {
                text
            },
        )
        .unwrap();
    }
    #[cfg(unix)]
    {
        for (name, target) in [
            ("zero.md", "/dev/zero"),
            ("random.png", "/dev/urandom"),
            ("environment.md", "/proc/self/environ"),
            ("up", "../.."),
        ] {
            std::os::unix::fs::symlink(target, articles.join(name)).unwrap();
        }
        let _ = Command::new("mkfifo")
            .arg(articles.join("pipe.md"))
            .status();
    }
    let begun = Instant::now();
    let (site, public) = (dir.path().join("site"), dir.path().join("public"));
    let output = build(&site, &public, &[]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(begun.elapsed() < PATIENCE, "{:?}\n{said}", begun.elapsed());
    for page in [
        "good.html",
        "definitions.html",
        "laughs.md",
        "elements.html",
        "page.md",
    ] {
        assert!(
            public.join("articles").join(page).is_file(),
            "no {page}\n{said}"
        );
    }
    for gone in ["zero.md", "random.png", "environment.md", "pipe.md", "up"] {
        assert!(!public.join("articles").join(gone).exists(), "{gone}");
    }
}
