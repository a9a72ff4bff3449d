//! Puts arbitrary text into every input of a site. A small parser of each language reads the files
//! back and must find exactly the intended rules.

use std::collections::BTreeSet;

use diglot_content::encoding::encode_path;
use diglot_content::library::Rank;
use diglot_content::site::{Lifetimes, UsageSignals};
use diglot_content::{Destination, OldAddress};
use proptest::prelude::*;

use super::*;
use crate::policy;
use crate::redirects::Moved;

/// Text that configuration languages interpret, and words that would be rules.
const BITS: &[&str] = include!("hostile_text.rs");

/// As [`BITS`]: what no file's name has, or no base URL.
const MORE_BITS: &[&str] = &[
    "'; ",
    "\t",
    "/",
    "//",
    "..",
    ".html",
    ".md",
    ".gz",
    "~*",
    "]",
    "return 301 https://evil.example/;",
    "\nSet-Cookie: evil=1",
    "漢",
    "%",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![4 => proptest::sample::select([BITS, MORE_BITS].concat()).prop_map(str::to_owned), 1 => "(?s).{1,3}"],
        1..6,
    )
    .prop_map(|bits| bits.concat())
}

fn base() -> impl Strategy<Value = BaseUrl> {
    const KNOWN: &[&str] = &[
        "https://example.org",
        "https://9.example/1",
        "http://[::1]:8080/a b",
        "https://größe.example/größe/x~y",
        "https://example.org/a+b",
    ];
    let any = text().prop_filter_map("no base URL", |text| {
        BaseUrl::parse(&format!("https://example.org/{text}")).ok()
    });
    prop_oneof![
        proptest::sample::select(KNOWN).prop_map(|text| BaseUrl::parse(text).unwrap()),
        any
    ]
}

/// Whether resources may have this path, by the rule of `build`.
fn is_plain(path: &str) -> bool {
    !path.contains(|letter: char| letter == '\\' || letter.is_control())
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// An edition of pages and files with these names, and redirects with these paths and targets.
fn hostile(
    base: BaseUrl,
    names: &[String],
    redirects: &[(String, String)],
    expired: &[String],
    lifetimes: (u32, u32),
    signals: u8,
) -> Edition {
    let on = |bit: u8| signals & bit != 0;
    let mut site = site_at("https://example.org");
    site.base = base;
    site.lifetimes = Lifetimes {
        max_age: lifetimes.0,
        stale_while_revalidate: lifetimes.1,
    };
    site.signals = UsageSignals {
        search: on(1),
        ai_input: on(2),
        ai_train: on(4),
    };
    let site = Arc::new(site);
    let mut parts = Parts::new(site.clone(), Arc::new(Silent));
    let names: Vec<&String> = names.iter().filter(|name| is_plain(name)).collect();
    let stems = names.iter().map(|name| format!("/articles/{name}")).chain([
        "/index".to_owned(),
        "/404".to_owned(),
        "/about".to_owned(),
    ]);
    for route in
        stems.flat_map(|stem| [Form::Html, Form::Markdown].map(|form| Route::of_stem(&stem, form)))
    {
        let link = link(&site.base, &route);
        parts.resources.push(
            Resource::new(route, Bytes::from_static(b"x"), Timestamp::UNIX_EPOCH)
                .linked(link)
                .into(),
        );
    }
    let files = names.iter().enumerate().map(|(at, name)| {
        if at % 2 == 0 {
            format!("{name}.svg")
        } else {
            (*name).clone()
        }
    });
    let routes = files.map(|path| Route::File(path.into())).chain([
        Route::Rss,
        Route::Status,
        Route::Robots,
        Route::ApiCatalog,
    ]);
    parts.resources.extend(routes.map(|route| {
        Arc::new(Resource::new(
            route,
            Bytes::from_static(b"x"),
            Timestamp::UNIX_EPOCH,
        ))
    }));
    let redirect = |(old, to): &(String, String)| {
        Some((
            OldAddress::new(format!("/{old}")).ok()?,
            Moved {
                to: Destination::parse(to).ok()?,
                rank: Rank::Written,
            },
        ))
    };
    parts.redirects = Arc::new(redirects.iter().filter_map(redirect).collect());
    parts.expired = expired
        .iter()
        .filter(|name| is_plain(name))
        .map(|name| format!("/articles/{name}"))
        .collect();
    Edition::assemble(parts)
}

/// A statement of nginx: its words, and the statements of its block.
#[derive(Debug, Default)]
struct Statement {
    words: Vec<String>,
    inside: Vec<Statement>,
}

/// Parses nginx's language: words separated by white space, quotes in which `\` escapes, `;`, `{`,
/// `}`, and `#` up to the end of the line.
fn nginx(text: &str) -> Vec<Statement> {
    let (mut open, mut words): (Vec<Statement>, Vec<String>) =
        (vec![Statement::default()], Vec::new());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\r' | '\n' => {}
            '#' => while letters.next().is_some_and(|letter| letter != '\n') {},
            ';' => {
                assert!(!words.is_empty(), "an empty statement");
                open.last_mut().unwrap().inside.push(Statement {
                    words: std::mem::take(&mut words),
                    inside: Vec::new(),
                });
            }
            '{' => open.push(Statement {
                words: std::mem::take(&mut words),
                inside: Vec::new(),
            }),
            '}' => {
                assert!(
                    words.is_empty(),
                    "a block ends within a statement: {words:?}"
                );
                let block = open.pop().unwrap();
                open.last_mut().unwrap().inside.push(block);
            }
            '"' => {
                let mut word = String::new();
                loop {
                    match letters.next().unwrap() {
                        '"' => break,
                        '\\' => match letters.next().unwrap() {
                            quoted @ ('"' | '\\' | '\'') => word.push(quoted),
                            other @ ('t' | 'r' | 'n') => {
                                panic!("`\\{other}` is a control character")
                            }
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
                assert!(
                    letters.peek().is_some_and(|next| " ;\n".contains(*next)),
                    "behind a quoted word"
                );
                words.push(word);
            }
            _ => {
                let mut word = letter.to_string();
                while let Some(next) = letters.next_if(|next| {
                    !" \t\r\n;{".contains(*next) || *next == '{' && word.ends_with('$')
                }) {
                    word.push(next);
                }
                words.push(word);
            }
        }
    }
    assert!(
        words.is_empty() && open.len() == 1,
        "the file ends in the middle"
    );
    open.pop().unwrap().inside
}

/// The variables in an nginx word.
fn variables(word: &str) -> Vec<String> {
    let name = |rest: &str| {
        rest.trim_start_matches('{')
            .chars()
            .take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
            .collect()
    };
    word.match_indices('$')
        .map(|(at, _)| name(&word[at + 1..]))
        .collect()
}

/// The field names that any file may set.
fn fields() -> BTreeSet<String> {
    let site = site_at("https://example.org");
    let own = [
        "Content-Type",
        "Cache-Control",
        "Vary",
        "Link",
        "Allow",
        "Content-Location",
        "Last-Modified",
        "ETag",
    ];
    let preflight = policy::PREFLIGHT.map(|(field, _)| field);
    let everywhere = policy::everywhere(&site, "default-src 'self'")
        .into_iter()
        .map(|(field, _)| field);
    own.into_iter()
        .chain(policy::KIND_FIELDS)
        .chain(preflight)
        .chain(everywhere)
        .map(str::to_owned)
        .collect()
}

/// The redirects as a host decodes them; `$` in a URL may be escaped.
fn expected(edition: &Edition) -> BTreeSet<(String, String)> {
    let base = edition.site.base.path();
    edition
        .redirects()
        .filter(|(old, _)| edition.get(old).is_none())
        .map(|(old, to)| (format!("{base}{old}"), to.replace('$', "%24")))
        .collect()
}

fn check_nginx(edition: &Edition, http: &str, server: &str) {
    let known = [
        "http_accept",
        "request_uri",
        "uri",
        "status",
        "document_root",
        "form",
        "request_method",
    ];
    let check = |word: &str| {
        for variable in variables(word) {
            assert!(
                known.contains(&variable.as_str())
                    || variable.starts_with("diglot_") && variable.len() < 40,
                "{variable}"
            );
        }
    };
    for map in nginx(http) {
        assert_eq!((map.words[0].as_str(), map.words.len()), ("map", 3));
        for row in &map.inside {
            assert!(
                row.words.len() == 2
                    && row.inside.is_empty()
                    && (row.words[0] == "default" || row.words[0].starts_with('~')),
                "{row:?}"
            );
            check(&row.words[1]);
        }
    }
    let (fields, mut moved, mut exact) = (fields(), BTreeSet::new(), BTreeSet::new());
    for statement in nginx(server) {
        match statement.words[0].as_str() {
            "add_header" => {
                assert!(
                    fields.contains(&statement.words[1]) && statement.words.len() == 4,
                    "{statement:?}"
                );
                check(&statement.words[2]);
            }
            "location" if statement.words[1] == "=" => {
                assert!(
                    exact.insert(statement.words[2].clone()),
                    "twice: {statement:?}"
                );
                if let [Statement { words, .. }] = &statement.inside[..]
                    && words[..2] == ["return", "301"]
                {
                    assert!(variables(&words[2]).is_empty());
                    moved.insert((statement.words[2].clone(), words[2].clone()));
                }
            }
            "location" | "types" | "if" | "error_page" | "default_type" | "absolute_redirect"
            | "if_modified_since" | "max_ranges" | "gzip_static" => {}
            other => panic!("`{other}` is a statement"),
        }
    }
    assert_eq!(moved, expected(edition));
}

/// The words of each line of a Caddyfile, each with its quote.
fn caddy(text: &str) -> Vec<Vec<(char, String)>> {
    assert!(!text.contains("{$"), "the environment is asked");
    let (mut lines, mut line): (Vec<Vec<_>>, Vec<(char, String)>) = (Vec::new(), Vec::new());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\n' => lines.push(std::mem::take(&mut line)),
            _ if letter.is_whitespace() => {}
            '#' => while letters.next_if(|letter| *letter != '\n').is_some() {},
            '"' | '`' => {
                let mut word = String::new();
                loop {
                    match letters.next().unwrap() {
                        end if end == letter => break,
                        '\\' if letter == '"' => match letters.next().unwrap() {
                            '"' => word.push('"'),
                            other => word.extend(['\\', other]),
                        },
                        other => word.push(other),
                    }
                }
                assert!(
                    letters.peek().is_some_and(|next| next.is_whitespace()),
                    "behind a quoted word"
                );
                line.push((letter, word));
            }
            _ => {
                let mut word = letter.to_string();
                while let Some(next) = letters.next_if(|next| !next.is_whitespace()) {
                    word.push(next);
                }
                line.push((' ', word));
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

fn check_caddy(edition: &Edition, text: &str) {
    let (fields, mut moved, mut in_map, mut depth) = (fields(), BTreeSet::new(), false, 0_i32);
    let mut previous = String::new();
    for line in caddy(text) {
        let (quote, first) = &line[0];
        if in_map && *quote != ' ' {
            assert_eq!(line.len(), 2, "{line:?}");
            // A path with a brace is a pattern.
            let path = first.strip_prefix("~^").map_or_else(
                || first.clone(),
                |pattern| literal_of(pattern.trim_end_matches('$')),
            );
            moved.insert((path, line[1].1.clone()));
            continue;
        }
        assert_eq!(*quote, ' ', "a line begins with a text: {line:?}");
        in_map = first == "map" || in_map && first != "}";
        depth +=
            i32::from(line.last().unwrap() == &(' ', "{".to_owned())) - i32::from(first == "}");
        for (quote, word) in &line[1..] {
            // Placeholders must be constants.
            let places: Vec<_> = word
                .match_indices('{')
                .map(|(at, _)| word[at..].split('}').next().unwrap())
                .collect();
            let ours = [
                "{re.",
                "{vars.diglot_",
                "{http.request.",
                "{diglot_moved",
                "{err.status_",
                "{vars.",
                "{",
            ];
            assert!(
                *quote == '`'
                    || places.iter().all(|place| ours
                        .iter()
                        .any(|ours| place.starts_with(ours) && (*place != "{" || word == "{"))),
                "{word}"
            );
        }
        if first == "header" && previous != "header" && line.len() > 2 {
            let field = line
                .iter()
                .map(|(_, word)| word.trim_start_matches('-'))
                .find(|word| *word != "header" && !word.starts_with('@'));
            assert!(
                field.is_some_and(|field| field == "{" || fields.contains(field)),
                "{line:?}"
            );
        }
        previous.clone_from(first);
    }
    assert_eq!(depth, 0);
    assert_eq!(moved, expected(edition));
}

/// The text that a literal's pattern matches.
fn literal_of(pattern: &str) -> String {
    let (mut text, mut letters) = (String::new(), pattern.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next().unwrap() {
                'x' => {
                    let digits: String = letters.by_ref().take(2).collect();
                    text.push(char::from(u8::from_str_radix(&digits, 16).unwrap()));
                }
                other => {
                    assert!(other.is_ascii_punctuation());
                    text.push(other);
                }
            },
            other => {
                assert!(
                    !other.is_ascii() || other.is_ascii_alphanumeric() || "/_-".contains(other),
                    "`{other}` is no literal"
                );
                text.push(other);
            }
        }
    }
    text
}

fn check_apache(edition: &Edition, text: &str) {
    const NAMES: [&str; 18] = [
        "Options",
        "DirectoryIndex",
        "DirectorySlash",
        "FileETag",
        "AddDefaultCharset",
        "ErrorDocument",
        "RemoveEncoding",
        "AddType",
        "<FilesMatch",
        "</FilesMatch>",
        "ForceType",
        "<If",
        "</If>",
        "RewriteEngine",
        "RewriteCond",
        "RewriteRule",
        "Header",
        "RequestHeader",
    ];
    assert!(!text.contains("${"), "a variable of Apache's");
    let (fields, mut moved) = (fields(), BTreeSet::new());
    let base = edition.site.base.path();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert!(NAMES.contains(&words[0]) && !line.ends_with('\\'), "{line}");
        if words[0] == "Header" {
            let field = words
                .iter()
                .find(|word| !matches!(**word, "Header" | "always" | "set" | "unset"))
                .unwrap();
            assert!(fields.contains(*field), "{line}");
        }
        if line.ends_with("[R=301,L,NE,QSD]") {
            let quoted: Vec<&str> = line.split('"').collect();
            assert_eq!(quoted.len(), 5, "{line}");
            let old = literal_of(
                quoted[1]
                    .strip_prefix('^')
                    .unwrap()
                    .strip_suffix('$')
                    .unwrap(),
            );
            let to = quoted[3].replace(r"\%", "\u{1}");
            assert!(!to.contains(['%', '$', ' ', '\\']), "{line}");
            moved.insert((format!("{base}/{old}"), to.replace('\u{1}', "%")));
        }
    }
    // In a folder, Apache's paths have one slash in front.
    let meant: BTreeSet<_> = expected(edition)
        .into_iter()
        .map(|(old, to)| {
            (
                format!("{base}/{}", old[base.len()..].trim_start_matches('/')),
                to,
            )
        })
        .collect();
    assert_eq!(moved, meant);
}

fn check_lines(edition: &Edition, headers: &str, redirects: &str) {
    let fields = fields();
    for line in headers
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix("  ") {
            None => assert!(
                line.starts_with('/')
                    && line.bytes().all(|byte| byte.is_ascii_graphic())
                    && line.matches('*').count() < 2,
                "{line}"
            ),
            Some(field) => {
                let name = field
                    .strip_prefix("! ")
                    .or_else(|| field.split_once(": ").map(|(name, _)| name))
                    .unwrap();
                assert!(fields.contains(name), "{line}");
            }
        }
    }
    let base = encode_path(edition.site.base.path());
    let meant: BTreeSet<_> = edition
        .redirects()
        .map(|(old, to)| (format!("{base}{}", encode_path(old)), to))
        .collect();
    for line in redirects.lines().filter(|line| !line.starts_with('#')) {
        let [from, to, status] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        match status {
            "200" => assert!(from.starts_with('/') && to.starts_with(&format!("{base}/"))),
            _ => assert!(
                status == "301"
                    && meant.contains(&(from.to_owned(), to.to_owned()))
                    && !from.contains(['*', ':']),
                "{line}"
            ),
        }
    }
}

proptest! {
    #[test]
    fn every_file_has_exactly_the_rules_that_were_meant(
        base in base(),
        names in proptest::collection::vec(text(), 0..5),
        redirects in proptest::collection::vec((text(), prop_oneof![Just("/about".to_owned()), text(), text().prop_map(|text| format!("https://example.net/{text}"))]), 0..6),
        expired in proptest::collection::vec(text(), 0..3),
        lifetimes in any::<(u32, u32)>(),
        signals in any::<u8>(),
    ) {
        let edition = hostile(base, &names, &redirects, &expired, lifetimes, signals);
        let (files, _) = files(&edition);
        for file in &files {
            prop_assert!(!file.text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t')), "{}", file.path);
        }
        check_nginx(&edition, text_of(&files, ".diglot-hosts/nginx-http.conf"), text_of(&files, ".diglot-hosts/nginx-server.conf"));
        check_caddy(&edition, text_of(&files, ".diglot-hosts/Caddyfile"));
        check_apache(&edition, text_of(&files, ".htaccess"));
        for headers in ["_headers", ".diglot-hosts/cloudflare/_headers"] {
            check_lines(&edition, text_of(&files, headers), text_of(&files, "_redirects"));
        }
    }
}

fn text_of<'a>(files: &'a [HostFile], path: &str) -> &'a str {
    super::text(files, path)
}
