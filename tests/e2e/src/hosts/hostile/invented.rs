//! Base URLs and files drawn at random, with text that is syntax somewhere.

use crate::random::Random;

/// Syntax of configuration languages, and words that would be directives.
const BITS: &[&str] = include!("../../../../../crates/edition/src/hosts/tests/hostile_text.rs");

/// A random one of several texts.
fn one<'t>(random: &mut Random, of: &[&'t str]) -> &'t str {
    of[random.below(of.len())]
}

/// A base URL: hosts with digits, dots and ports, IP addresses, other scripts; paths of any depth
/// and length.
pub fn base(random: &mut Random) -> String {
    let host = match random.below(8) {
        0 => format!("{}gag.example", random.below(100)),
        1 => format!(
            "[2001:db8::{:x}]:{}",
            random.below(65_536),
            1 + random.below(65_535)
        ),
        2 => format!("192.0.2.{}", random.below(256)),
        3 => format!(
            "{}.example",
            one(random, &["größe", "xn--bcher-kva", "漢字", "नमस्ते"])
        ),
        4 => format!(
            "{}.example:{}",
            "sub.".repeat(1 + random.below(20)),
            1 + random.below(65_535)
        )
        .replace("..", "."),
        5 => format!(
            "{}.example",
            "long-name-"
                .repeat(1 + random.below(6))
                .trim_end_matches('-')
        ),
        6 => "localhost:8080".to_owned(),
        _ => "example.org".to_owned(),
    };
    let parts = [
        "blog",
        "1",
        "a.b",
        "größe",
        "a%20b",
        "~user",
        "x+y",
        "a-b_c",
        "v1.0",
        "long-segment-of-a-path-that-goes-on",
        "(a)",
        "a,b",
        "a=b",
        "a@b",
        "a&b!",
    ];
    let path: String = (0..random.below(6))
        .map(|_| format!("/{}", one(random, &parts)))
        .collect();
    format!("https://{host}{path}")
}

fn text(random: &mut Random) -> String {
    (0..1 + random.below(5))
        .map(|_| one(random, BITS))
        .collect()
}

/// The files of a site whose names, aliases, redirects and titles contain anything.
pub fn files(random: &mut Random) -> Vec<(String, String)> {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut files = Vec::new();
    for number in 0..8 {
        let aliases: Vec<String> = (0..3)
            .map(|_| {
                quoted(&format!(
                    "/{}{}",
                    text(random),
                    one(random, &["", "/", ".html", "/x/"])
                ))
            })
            .collect();
        let title = quoted(&text(random));
        files.push((
            format!("articles/{number}{}.md", text(random)),
            format!(
                "---\ntitle: {title}\naliases: [{}]\n---\nText.\n",
                aliases.join(", ")
            ),
        ));
        let to = format!(
            "{}{}",
            one(
                random,
                &[
                    "https://example.net/",
                    "/",
                    "https://example.net/?",
                    "https://example.net/#",
                    ""
                ]
            ),
            text(random)
        );
        files.push((
            format!("articles/r{number}.md"),
            format!("---\nredirect_to: {}\n---\n", quoted(&to)),
        ));
        files.push((
            format!("static/f{number}{}.svg", text(random)),
            "x".to_owned(),
        ));
        files.push((format!("static/g{number}{}", text(random)), "x".to_owned()));
    }
    files
}
