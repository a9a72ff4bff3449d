//! The parsers of authors' files.

use diglot_content::date::{Order, Written as Date};
use diglot_content::document::{Purpose, Rendering, Written, write_html, write_markdown};
use diglot_content::settings::DIALECTS;
use diglot_content::{
    BaseUrl, Document, Library, Target, date, front, html as pages, markdown as parser,
    settings as toml, text,
};
use percent_encoding::percent_decode_str;

/// Front matter of every kind: nothing is lost, and reported positions are inside the file.
pub fn front_matter(input: &[u8]) {
    // As for every file: line endings are normalised.
    let (text, _) = text::decode(input, "a.md");
    let split = front::split(&text, "a.md");
    assert!(
        text.ends_with(split.body),
        "the body is the rest of the file"
    );
    let lines = text.split('\n').count();
    assert!(split.first_line as usize <= lines);
    for problem in &split.problems {
        assert!(
            problem
                .place
                .as_ref()
                .is_none_or(|place| place.line as usize <= lines + 1),
            "{problem:?} in {lines} lines"
        );
    }
}

/// `diglot.toml`.
pub fn settings(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (read, _) = toml::Settings::parse(text, "diglot.toml");
    let base = BaseUrl::parse("http://localhost:8080").expect("a base URL");
    if let Ok(site) = read.into_site("Fuzz", base) {
        let again = BaseUrl::parse(&site.base.to_string())
            .expect("a base URL that was written can be read");
        assert_eq!(again, site.base);
    }
}

/// Dates in common notations: a parsed date is written so that it parses again.
pub fn dates(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    date::in_name(text);
    date::in_path(text);
    let Ok(written) = date::read(text) else {
        return;
    };
    let moments = match written {
        Date::Moment(moment) => vec![moment],
        Date::Slashed(slashed) => [Order::DayFirst, Order::MonthFirst]
            .into_iter()
            .filter_map(|order| slashed.settle(order, None).ok())
            .collect(),
    };
    for moment in moments {
        match date::read(&moment.iso()) {
            Ok(Date::Moment(again)) => {
                assert_eq!(again.at, moment.at, "{text:?} as {}", moment.iso())
            }
            other => panic!("{text:?} is written {} and read as {other:?}", moment.iso()),
        }
        moment.rfc822();
        moment.http();
    }
}

/// Files of folders whose generator turns on syntax that no kind has by its name alone.
const GENERATORS: [(&str, &str); 7] = [
    ("conf.py", "extensions = ['myst_parser']\n"),
    ("dendron.yml", "version: 5\n"),
    ("logseq/config.edn", "{:publishing/all-pages-public? true}"),
    ("mkdocs.yml", "docs_dir: articles\nplugins: [macros]\n"),
    ("myst.yml", "version: 1\n"),
    ("retype.yml", "title: A\n"),
    ("vuepress.config.js", "module.exports = {}\n"),
];

/// An article in a folder of each kind, and of some generators: both forms agree, and contain no
/// template tag outside code.
pub fn dialects(input: &[u8]) {
    let Some((&which, text)) = input.split_first() else {
        return;
    };
    let which = usize::from(which) % (DIALECTS.len() + GENERATORS.len());
    let name = DIALECTS.get(which).unwrap_or(&"");
    let site = super::settings_of(&match name.is_empty() {
        true => String::new(),
        false => format!("dialect = {name:?}"),
    });
    let mut files = vec![
        ("articles/a.md".to_owned(), text.to_vec()),
        ("articles/b.md".to_owned(), b"# B\n\nWords.\n".to_vec()),
    ];
    if name.is_empty() {
        let (path, words) = GENERATORS[which - DIALECTS.len()];
        files.push((path.to_owned(), words.into()));
    }
    let library = Library::build(&super::folder(files), &site, super::now());
    for article in library.articles.iter().chain(&library.pages) {
        assert_eq!(article.targets.len(), article.document.references.len());
        let rendering = |purpose| Rendering {
            back: None,
            typography: None,
            base: &site.base,
            stem: &article.stem,
            targets: &article.targets,
            purpose,
        };
        let page = write_html(&article.document, &rendering(Purpose::Page));
        let twin = write_markdown(&article.document, &rendering(Purpose::Twin));
        assert_eq!(page.outline, twin.outline, "{name}: the forms differ");
    }
}

/// A file that claims to be a picture, of a kind chosen by the first byte: any size in either form
/// is a valid size.
pub fn pictures(input: &[u8]) {
    const KINDS: [&str; 11] = [
        "png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "ico", "apng", "jxl", "svg",
    ];
    let Some((&which, bytes)) = input.split_first() else {
        return;
    };
    let name = format!("articles/p.{}", KINDS[usize::from(which) % KINDS.len()]);
    let text = format!("# A\n\n![x](/{name})\n");
    let library = Library::build(
        &super::folder([
            ("articles/a.md".to_owned(), text.into_bytes()),
            (name, bytes.to_vec()),
        ]),
        &super::settings_of(""),
        super::now(),
    );
    for target in library
        .articles
        .iter()
        .flat_map(|article| article.targets.iter())
    {
        let Target::File { size, .. } = target else {
            panic!("{target:?} is not the file")
        };
        assert!(
            size.is_none_or(|(width, height)| width > 0 && height > 0),
            "{size:?}"
        );
    }
}

/// A Markdown document: both forms agree, and the twin parsed again says the same.
pub fn markdown(input: &[u8]) {
    let Some((&flags, text)) = input.split_first() else {
        return;
    };
    let (text, _) = text::decode(text, "a.md");
    let options = parser::Options {
        wikilinks: flags & 1 != 0,
        math: flags & 2 != 0,
        ..parser::Options::default()
    };
    let plain = !options.wikilinks && !options.math;
    agree(&parser::parse(&text, &options), plain, &text);
}

/// An HTML page.
pub fn html(input: &[u8]) {
    let (text, _) = text::decode(input, "a.html");
    let page = pages::parse_page(&text);
    agree(&page.document, true, &text);
}

fn agree(document: &Document, read_again: bool, text: &str) {
    let (html, twin) = forms(document);
    assert_eq!(
        html.outline, twin.outline,
        "the forms of {text:?} differ: {}\n{}",
        html.text, twin.text
    );
    document.headings();
    document.first_prose(80);
    document.word_count();
    document.clone().take_title(None);
    if read_again {
        let again = parser::parse(&twin.text, &parser::Options::default());
        let (_, second) = forms(&again);
        assert_eq!(
            twin.outline, second.outline,
            "the twin of {text:?} says something else when it is read again:\n{}\n----\n{}",
            twin.text, second.text
        );
    }
}

fn forms(document: &Document) -> (Written, Written) {
    let base = BaseUrl::parse("https://example.org/blog").expect("a base URL");
    // The twin names its own page by its absolute URL.
    let here = |raw: &str| {
        Some(
            percent_decode_str(
                raw.strip_prefix("https://example.org/blog/articles/me.md")
                    .unwrap_or(raw)
                    .strip_prefix('#')?,
            )
            .decode_utf8_lossy()
            .into_owned(),
        )
    };
    let target = |raw: &str| here(raw).map_or_else(|| Target::Url(raw.to_owned()), Target::Here);
    let targets: Vec<Target> = document
        .references
        .iter()
        .map(|reference| target(&reference.raw))
        .collect();
    let rendering = |purpose| Rendering {
        back: None,
        typography: None,
        base: &base,
        stem: "/articles/me",
        targets: &targets,
        purpose,
    };
    write_html(document, &rendering(Purpose::Feed));
    (
        write_html(document, &rendering(Purpose::Page)),
        write_markdown(document, &rendering(Purpose::Twin)),
    )
}
