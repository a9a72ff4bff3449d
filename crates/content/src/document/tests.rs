//! What must hold for every document: both forms agree, the twin read again says the same, nothing panics, nothing nests too deep.

use proptest::prelude::*;

use super::*;
use crate::markdown::{self, Options};
use crate::site::BaseUrl;

const BASE: &str = "https://example.org/blog";

/// Targets as a library would find them: pages of the site by their twins' addresses, all else as it stands.
fn targets(document: &Document, base: &BaseUrl) -> Vec<Target> {
    let page = |rest: &str| {
        let (path, fragment) = rest.split_once('#').map_or((rest, None), |(path, fragment)| (path, Some(fragment)));
        let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let stem = path.strip_suffix(".md")?;
        let fragment = fragment.map(decode);
        Some(Target::Page { stem: decode(stem).into(), fragment })
    };
    let target = |reference: &Reference| {
        let raw = reference.raw.as_str();
        if let Some(fragment) = raw.strip_prefix('#') {
            return Target::Here(fragment.to_owned());
        }
        if let Some(found) = raw.strip_prefix(&base.to_string()).filter(|rest| rest.starts_with('/')).and_then(page) {
            return found;
        }
        let relative = !raw.contains(':') && !raw.starts_with("//");
        match raw.strip_suffix(".md").filter(|_| relative) {
            Some(stem) => Target::Page { stem: format!("/articles/{stem}").into(), fragment: None },
            None if raw == "x" => Target::Unresolved,
            None => Target::Url(raw.to_owned()),
        }
    };
    document.references.iter().map(target).collect()
}

fn write(document: &Document) -> (Written, Written, Written) {
    let base = BaseUrl::parse(BASE).unwrap();
    let targets = targets(document, &base);
    let rendering = |purpose| Rendering { base: &base, stem: "/articles/me", targets: &targets, purpose };
    (
        write_html(document, &rendering(Purpose::Page)),
        write_markdown(document, &rendering(Purpose::Twin)),
        write_html(document, &rendering(Purpose::Feed)),
    )
}

/// Checks everything that must hold for the document of a text; gives what does not.
fn check(document: &Document) -> Result<(), String> {
    let (html, twin, feed) = write(document);
    if html.outline != twin.outline {
        return Err(format!("the forms differ: {:?}\n{}\n{}", html.outline.parity(&twin.outline), html.text, twin.text));
    }
    balanced(&html.text)?;
    balanced(&feed.text)?;
    let untidy = twin.text.contains("\n\n\n") || twin.text.lines().any(|line| line.ends_with(' '));
    if untidy && document_has_no_code(document) {
        return Err(format!("untidy:\n{}", twin.text));
    }
    let again = markdown::parse(&twin.text, &Options::default());
    let (_, second, _) = write(&again);
    let same_images = twin.outline.images == second.outline.images;
    if twin.outline.headings != second.outline.headings
        || twin.outline.code != second.outline.code
        || twin.outline.links != second.outline.links
        || !same_images
    {
        return Err(format!(
            "the twin says something else when it is read again: {:?}\n{}\n----\n{}",
            twin.outline.parity(&second.outline),
            twin.text,
            second.text
        ));
    }
    Ok(())
}

fn document_has_no_code(document: &Document) -> bool {
    let mut none = true;
    let notes = document.footnotes.iter().flat_map(|note| &note.blocks);
    for block in document.blocks.iter().chain(notes) {
        queries::each_block(std::slice::from_ref(block), &mut |block| none &= !matches!(block, Block::Code { .. }));
    }
    none
}

/// Whether every tag is closed where it must be, no block stands in a paragraph, no link in a link, and no id is given twice.
fn balanced(html: &str) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    for part in html.split('<').skip(1) {
        let Some((tag, _)) = part.split_once('>') else { return Err(format!("a tag without an end: {part}")) };
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or_default().to_owned();
        if let Some((_, rest)) = tag.split_once(" id=\"") {
            let id = rest.split('"').next().unwrap_or_default().to_owned();
            if !ids.insert(id.clone()) {
                return Err(format!("the id `{id}` twice in\n{html}"));
            }
        }
        if tag.starts_with('/') {
            if open.pop().as_deref() != Some(&name) {
                return Err(format!("`</{name}>` closes something else in\n{html}"));
            }
            continue;
        }
        let block = ["p", "div", "ul", "ol", "li", "table", "blockquote", "pre", "h2", "h3", "h4", "h5", "h6", "figure", "details", "aside", "dl"]
            .contains(&name.as_str());
        if block && open.iter().any(|open| matches!(open.as_str(), "p" | "a" | "h2" | "h3" | "h4" | "h5" | "h6" | "summary" | "figcaption")) {
            return Err(format!("`{name}` inside {open:?} in\n{html}"));
        }
        if name == "a" && open.iter().any(|open| open == "a") {
            return Err(format!("a link in a link in\n{html}"));
        }
        if !["br", "hr", "img", "input"].contains(&name.as_str()) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} left open in\n{html}")) }
}

/// Pieces that Markdown and HTML are made of: their mixtures find more than letters at random.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "\n", "\n\n", "\n\n", " ", "  ", "    ", "\t", "# ", "## ", "### ", "- ", "* ", "+ ", "1. ", "2) ", "> ", "> > ", "```\n", "~~~ js x\n", "---\n", "===\n",
            "| a | b |\n|---|---|\n| c | d |\n", "| ", " |", "|-|-|", "[", "]", "(", ")", "](", "](x)", "![", "<", ">", "&", "&amp;", "*", "**", "_", "__", "`", "``", "~~", "~", "==",
            "\\", "!", ":", "{#id}", "{: .x}", "{{", "{%", "%%", "$", "^", "[^1]", "[^1]: ", "[ ] ", "[x] ", "[!NOTE]", "[!tip]- ", "http://a.example/b_c", "www.example.org", "a@example.org",
            "[l](u.md)", "[l](https://e.org/(x) \"t\")", "![i](i.png)", "[![i](i.png)](u)", "[r]", "[r]: /url\n", "word", "Wort", "ünï", "日本", "«", "…", "a.b", "1", "\u{a0}", "🎉",
        ]).prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            "<div>", "</div>", "<div class=\"a\" id=\"i\">\n\n", "<p>", "</p>", "<b>", "</b>", "<a href=\"x\">", "</a>", "<span>", "</span>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "</td>",
            "</table>", "<h2>", "</h2>", "<h1 id=\"i\">", "</h1>", "<pre>", "</pre>", "<code>", "</code>", "<img src=\"a.png\" alt=\"b\">", "<br>", "<hr>", "<blockquote>", "</blockquote>", "<details>", "<summary>",
            "</summary>", "</details>", "<figure>", "<figcaption>", "</figure>", "<iframe src=\"https://v.example/x\">", "</iframe>", "<!--", "-->", "<script>", "</script>", "<style>", "<dl>", "<dt>", "<dd>", "</dl>",
            "<div markdown=\"1\">", "<video>", "<source src=\"a.mp4\">", "</video>", "<sup>", "</sup>", "<kbd>", "</kbd>", "<th>", "<thead>", "<caption>", "<!DOCTYPE x>", "<?x?>", "<noscript>", "</noscript>", "<svg>", "</svg>",
        ]).prop_map(str::to_owned),
        1 => "[a-z ]{1,8}",
        1 => any::<char>().prop_map(String::from),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn both_forms_and_the_twin_read_again_agree(text in text()) {
        let document = markdown::parse(&text, &Options::default());
        if let Err(error) = check(&document) {
            prop_assert!(false, "{error}\nfrom: {text:?}");
        }
    }

    #[test]
    fn whole_pages_agree_too(text in text()) {
        let page = crate::html::parse_page(&text);
        if let Err(error) = check(&page.document) {
            prop_assert!(false, "{error}\nfrom: {text:?}");
        }
    }

    #[test]
    fn all_options_are_safe(text in text(), wikilinks: bool, math: bool) {
        let document = markdown::parse(&text, &Options { first_line: 7, wikilinks, math });
        let (html, twin, _) = write(&document);
        prop_assert_eq!(html.outline, twin.outline);
        prop_assert!(balanced(&html.text).is_ok());
        prop_assert!(document.references.iter().all(|reference| reference.line >= 7 && reference.column >= 1));
        document.headings();
        document.first_prose(80);
        document.word_count();
        document.clone().take_title(None);
        document.clone().take_title(Some("word"));
    }
}

/// More cases where time allows: `DIGLOT_CASES=100000 cargo test`.
#[allow(clippy::disallowed_methods, reason = "how long a test runs is no setting of the product")]
fn cases() -> u32 {
    std::env::var("DIGLOT_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(256)
}

/// The Markdown files of a folder and all below it, in order.
#[allow(clippy::disallowed_methods, reason = "the corpora lie beside the workspace")]
fn articles(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            articles(&path, found);
        } else if path.extension().is_some_and(|suffix| suffix == "md")
            && let Ok(bytes) = std::fs::read(&path)
        {
            found.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

/// Every article of the corpora, where they are at hand.
#[test]
#[allow(clippy::disallowed_methods, reason = "the corpora lie beside the workspace")]
fn real_articles_agree_with_their_twins() {
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("DIGLOT_CORPORA").map_or_else(beside, std::path::PathBuf::from);
    let mut found = Vec::new();
    articles(&folder, &mut found);
    if found.is_empty() {
        println!("no corpora at `{}`: nothing checked", folder.display());
        return;
    }
    let mut failures = Vec::new();
    for (name, text) in &found {
        let document = markdown::parse(crate::front::split(text, name).body, &Options::default());
        if let Err(error) = check(&document) {
            failures.push(format!("{name}: {}", error.lines().next().unwrap_or_default()));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), found.len(), failures[..failures.len().min(20)].join("\n"));
}
