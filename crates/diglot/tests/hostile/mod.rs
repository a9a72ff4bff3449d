//! Articles that want to run a script in a reader's browser: in Markdown, in HTML, in front matter.
//! Nothing made of them runs anything: not in pages, not in the feed, not after a browser has
//! written out what it read.

mod bombs;
mod judge;
mod vectors;

use std::sync::Arc;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates};
use diglot_content::{BaseUrl, Library, SourceFile, Sources};
use diglot_edition::theme::Theme;
use diglot_edition::{Edition, Form, Resource, Route};
use jiff::Timestamp;
use judge::{HtmlContext, judge};
use quick_xml::events::Event;
use vectors::{ADDRESSES, MARKDOWN, MARKUP};

/// As many articles as a feed has.
const BATCH: usize = 20;
const NOW: &str = "2026-01-01T00:00:00Z";

/// Every article: its suffix and its text.
fn articles() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    let mut markdown = |body: String| {
        all.push((
            "md",
            format!("---\ntitle: T\ndate: 2024-05-06\n---\n\nWords.\n\n{body}\n\nMore words.\n"),
        ))
    };
    for vector in MARKUP.iter().chain(MARKDOWN) {
        markdown((*vector).to_owned());
        markdown(format!("Words {vector} words."));
    }
    for address in ADDRESSES {
        markdown(format!(
            "[words](<{address}>) [words]({address}) ![words](<{address}>) <{address}>\n\n[x]\n\n[x]: <{address}>"
        ));
        markdown(elements(address));
        markdown(format!("Words {}", elements(address)));
    }
    for vector in MARKUP {
        all.push(("html", page(vector)));
        all.push(("md", front(vector)));
    }
    for address in ADDRESSES {
        all.push(("html", page(&elements(address))));
        all.push(("md", front(address)));
    }
    all.into_iter()
        .map(|(suffix, text)| (suffix, text.replace("RUN", "alert(1)")))
        .collect()
}

/// Elements that take an address.
fn elements(address: &str) -> String {
    format!(
        "<a href=\"{address}\">words</a> <a href='{address}'>words</a> <a href={address}>words</a> <img src=\"{address}\" srcset=\"{address} 2x\"> \
         <iframe src=\"{address}\"></iframe> <video src=\"{address}\" poster=\"{address}\"><source src=\"{address}\"></video> <audio src=\"{address}\"></audio> \
         <blockquote cite=\"{address}\">words</blockquote> <svg><a xlink:href=\"{address}\">words</a></svg> <form action=\"{address}\"></form>"
    )
}

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html><head><title>T</title><meta name=date content=2024-05-06></head><body><article><h1>T</h1><p>Words.</p>{body}<p>More words.</p></article></body></html>"
    )
}

/// The vector in every key that a page, a feed or a program shows.
fn front(vector: &str) -> String {
    let quoted = serde_json::to_string(vector).unwrap();
    let keys = [
        "title",
        "description",
        "author",
        "image",
        "cover",
        "language",
        "slug",
        "guid",
        "canonical_url",
        "section",
        "series",
    ];
    let lines: String = keys
        .iter()
        .map(|key| format!("{key}: {quoted}\n"))
        .collect();
    format!(
        "---\n{lines}tags: [{quoted}, open]\naliases: [{quoted}]\nauthors: [{{name: {quoted}, url: {quoted}}}]\ndate: 2024-05-06\n---\n\nWords.\n"
    )
}

fn edition(articles: &[(&str, String)], sanitize: bool) -> Edition {
    let file = |(at, (suffix, text)): (usize, &(&str, String))| {
        (format!("articles/a{at:02}.{suffix}"), text.clone())
    };
    build(articles.iter().enumerate().map(file).collect(), sanitize)
}

fn build(mut files: Vec<(String, String)>, sanitize: bool) -> Edition {
    let now: Timestamp = NOW.parse().unwrap();
    let dates = FileDates {
        created: None,
        changed: now,
        origin: ChangeOrigin::Remembered,
    };
    files.sort();
    files.dedup_by(|one, other| one.0 == other.0);
    let file = |(path, text): (String, String)| SourceFile {
        path: path.into(),
        bytes: text.into(),
        dates,
    };
    let sources = Sources {
        name: "site".to_owned(),
        files: files.into_iter().map(file).collect(),
        ..Sources::default()
    };
    let settings = Settings {
        sanitize: Some(sanitize),
        ..Settings::default()
    };
    let site = Arc::new(
        settings
            .into_site("site", BaseUrl::parse("https://example.org").unwrap())
            .unwrap(),
    );
    let library = Library::build(&sources, &site, now);
    Edition::build(&library, site, &Theme::new(&[]).unwrap(), now).unwrap()
}

/// What a feed reader shows as HTML: the summaries and the articles, and the address of every link.
fn pieces(feed: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(feed);
    let (mut pieces, mut piece): (Vec<String>, Option<String>) = (Vec::new(), None);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag)
                if matches!(tag.name().as_ref(), "description" | "content:encoded") =>
            {
                piece = Some(String::new())
            }
            Event::Text(text) => piece.iter_mut().for_each(|piece| piece.push_str(&text)),
            Event::CData(text) => piece.iter_mut().for_each(|piece| piece.push_str(&text)),
            Event::GeneralRef(name) => piece.iter_mut().for_each(|piece| {
                let c = name.resolve_char_ref().unwrap().map(String::from);
                let named = || {
                    quick_xml::escape::resolve_predefined_entity(&name)
                        .unwrap()
                        .to_owned()
                };
                piece.push_str(&c.unwrap_or_else(named));
            }),
            Event::End(_) => pieces.extend(piece.take()),
            Event::Eof => return pieces,
            _ => {}
        }
    }
}

/// What the judge says of our only script, which is on the search page alone.
fn own_script(edition: &Edition, page: &Resource) -> Option<String> {
    let is_search = matches!(page.route, Route::Search(_));
    let is_script = |path: &str| path.starts_with("/_/search.") && path.ends_with(".js");
    let mut paths = edition.resources.iter().map(|resource| &*resource.path);
    let src = paths.find(|path| is_script(path)).filter(|_| is_search)?;
    Some(format!("<script {:?}>", [("src", src), ("defer", "")]))
}

fn check(sanitize: bool) {
    let articles = articles();
    let (mut seen, mut wrong) = ((0, 0), Vec::new());
    for batch in articles.chunks(BATCH) {
        let edition = edition(batch, sanitize);
        let whole = |text: &str| {
            batch
                .iter()
                .map(|(_, source)| source.as_str())
                .find(|source| source.contains(text.trim()))
                .unwrap_or_default()
                .to_owned()
        };
        let place = if sanitize {
            HtmlContext::SanitizedPage
        } else {
            HtmlContext::Page
        };
        for resource in edition
            .resources
            .iter()
            .filter(|resource| resource.route.form() == Some(Form::Html))
        {
            let html = String::from_utf8(resource.body.to_bytes().to_vec()).unwrap();
            seen.0 += 1;
            let source = resource
                .path
                .strip_prefix("/articles/a")
                .and_then(|rest| rest.get(..2))
                .and_then(|at| at.parse::<usize>().ok());
            let source = source
                .and_then(|at| batch.get(at))
                .map_or("", |(_, text)| text);
            let own = own_script(&edition, resource);
            wrong.extend(
                judge(&html, place)
                    .into_iter()
                    .filter(|what| Some(what) != own.as_ref())
                    .map(|what| format!("{}: {what}\n    of {source:?}", resource.path)),
            );
        }
        let feed = edition.get("/rss.xml").unwrap().body.to_bytes();
        for piece in pieces(std::str::from_utf8(&feed).unwrap()) {
            seen.1 += 1;
            wrong.extend(
                judge(&piece, HtmlContext::Feed)
                    .into_iter()
                    .map(|what| format!("feed: {what} in {piece:?}\n    of {:?}", whole(&piece))),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} findings:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        seen.0 > articles.len() && seen.1 > articles.len(),
        "{seen:?} of {}",
        articles.len()
    );
}

#[test]
fn nothing_hostile_runs_in_a_page_or_in_the_feed() {
    check(false);
}

#[test]
fn nothing_hostile_runs_in_a_sanitised_page() {
    check(true);
}

/// The judge sees what runs: every kind of finding, in each place.
#[test]
fn the_judge_finds_what_runs() {
    for html in MARKUP
        .iter()
        .filter(|html| html.starts_with("<script") || html.contains("<img src=x on"))
    {
        assert!(
            !judge(&html.replace("RUN", "alert(1)"), HtmlContext::Feed).is_empty(),
            "{html}"
        );
    }
    for html in [
        "<a href=\" java\nscript:x\">w</a>",
        "<a xlink:href='javascript:x'>w</a>",
        "<p onclick=x>w",
        "<svg><p><style><g title=\"</style><img src=x onerror=x>\">",
        "<meta http-equiv=refresh content=0>",
        "<iframe srcdoc=x></iframe>",
        "<p style=x>",
        "<object data=x></object>",
    ] {
        for place in [
            HtmlContext::Page,
            HtmlContext::SanitizedPage,
            HtmlContext::Feed,
        ] {
            assert!(!judge(html, place).is_empty(), "{html} in {place:?}");
        }
    }
    assert_eq!(
        judge(
            "<p>w <a href=\"https://example.org/\">w</a> <img src=\"data:image/png;base64,x\" alt=\"\"></p>",
            HtmlContext::Feed
        ),
        [] as [&str; 0]
    );
    assert_ne!(
        judge(
            "<iframe src=\"https://example.org\"></iframe>",
            HtmlContext::SanitizedPage
        ),
        [] as [&str; 0]
    );
}

/// Names of files, slugs, old addresses and titles that would end a header field, a redirect or a
/// line of a host's configuration.
#[test]
fn no_name_or_key_ends_a_header_field() {
    const EVIL: &[&str] = &[
        "a\r\nX-Evil: 1",
        "a\nSet-Cookie: evil=1",
        "a\u{0}b",
        "a>; rel=\"x\", <https://evil.example/",
        "a\"; X-Evil=\"1",
        "//evil.example/a",
        "\\\\evil.example\\a",
        "https://evil.example/a",
        "a; } location / { return 200 evil; }",
        "a' \"$host ${host} `id` #",
        "a {http.request.host} {$HOME} *",
        "a\u{2028}X-Evil: 1\u{85}X-Evil: 1",
        "a%0d%0aX-Evil:%201",
        "..%2f..%2fevil",
        "a\u{7f}\u{1b}[31mb",
        "a RewriteRule . https://evil.example/",
    ];
    let mut files = Vec::new();
    for (at, evil) in EVIL.iter().enumerate() {
        let quoted = serde_json::to_string(evil).unwrap();
        let keys = format!(
            "title: {quoted}\nslug: {quoted}\naliases: [{quoted}, \"/old{at}/{}\"]\ntags: [{quoted}]\nguid: {quoted}\nlang: {quoted}",
            &quoted[1..quoted.len() - 1]
        );
        files.push((
            format!("articles/k{at}.md"),
            format!("---\n{keys}\ndate: 2024-05-06\n---\n\nWords.\n"),
        ));
        let name = evil.replace(['/', '\0'], "-");
        files.push((
            format!("articles/{name}.md"),
            format!("# Words {at}\n\n![x](<{name}.png>)\n"),
        ));
        files.push((format!("articles/{name}.png"), "no picture".to_owned()));
        files.push((format!("gone/{name}.md"), format!("---\nexpires: 2020-01-01\ntype: page\naliases: [{quoted}]\n---\n# Gone {at}\n\nWords.\n")));
    }
    let edition = build(files, false);
    let mut asked = 0;
    let known = edition
        .resources
        .iter()
        .map(|resource| resource.path.to_string());
    let paths: Vec<String> = known
        .chain(edition.redirects().map(|(old, _)| old.to_owned()))
        .chain(edition.expired().map(str::to_owned))
        .collect();
    for path in &paths {
        let path = percent_encoding::utf8_percent_encode(path, percent_encoding::NON_ALPHANUMERIC)
            .to_string()
            .replace("%2F", "/");
        for accept in ["*/*", "text/markdown"] {
            let request = http::Request::builder()
                .uri(&path)
                .header("accept", accept)
                .body(())
                .unwrap();
            let response = diglot_http::respond(&edition, &request);
            asked += 1;
            for (name, value) in response.headers() {
                let value = value.to_str().unwrap_or_else(|_| {
                    panic!("{path}: {name}: {value:?} has bytes that are not ASCII")
                });
                assert!(
                    !name.as_str().contains("evil") && name != "set-cookie",
                    "{path}: {name}"
                );
                let is_plain = value.bytes().all(|byte| (0x20..0x7f).contains(&byte));
                assert!(is_plain, "{path}: {name}: {value:?}");
                if name == "location" || name == "content-location" {
                    assert!(
                        value.starts_with('/')
                            && !value.starts_with("//")
                            && !value.starts_with("/\\"),
                        "{path}: {name}: {value}"
                    );
                }
                if name == "link" {
                    let targets: Vec<&str> = value
                        .split('<')
                        .skip(1)
                        .filter_map(|rest| rest.split('>').next())
                        .collect();
                    let ours = |target: &&str| {
                        target.starts_with("https://example.org/") || target.starts_with('/')
                    };
                    assert!(
                        !targets.is_empty() && targets.iter().all(ours),
                        "{path}: {value}"
                    );
                }
            }
        }
    }
    assert!(asked > 4 * EVIL.len(), "{asked}");
    let (configuration, _) = diglot_edition::hosts::files(&edition);
    assert!(configuration.len() > 3);
    for file in configuration {
        for line in file.text.lines() {
            // Directives that a name must not add. Percent-encoded or quoted, they are only a name.
            let line = line.trim_start();
            for directive in [
                "X-Evil",
                "Set-Cookie",
                "location / { return 200",
                "return 200 evil",
                "RewriteRule . https",
                "Redirect 301 https",
            ] {
                assert!(!line.starts_with(directive), "{}: {line}", file.path);
            }
            assert!(
                !line.chars().any(|c| c.is_control() && c != '\t'),
                "{}: {line:?}",
                file.path
            );
        }
    }
}
