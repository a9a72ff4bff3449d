//! Every list of a site against `articles.txt`, which people write from the folders. The lists are
//! parsed by a browser's parser, by an XML reader and line by line, and by no code of ours.

use std::collections::{BTreeMap, BTreeSet};

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use quick_xml::events::Event;

use super::expected::Files;

/// How many articles a feed has at most.
const FEED: usize = 20;

/// One article as `articles.txt` has it.
#[derive(Clone, Debug)]
pub struct Article {
    path: String,
    title: String,
    /// Its day; none: it has no date of its own.
    day: Option<String>,
    /// Its language where it is not the site's: then its part of every list is one of its own.
    foreign: Option<String>,
    tags: Vec<String>,
}

/// A title and the path of a page, without `.html` or `.md`.
type Entry = (String, String);

/// The articles of a folder, as people write them down.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// Whether they are in the author's order, which the home page follows.
    guide: bool,
    articles: Vec<Article>,
}

/// The articles of each folder: a line `# folder` or `# folder: guide`, then one of
/// `path | title | day | language | tags` for each article that lists show.
pub fn articles() -> BTreeMap<String, Folder> {
    let mut all: BTreeMap<String, Folder> = BTreeMap::new();
    let mut folder = String::new();
    for line in include_str!("articles.txt")
        .lines()
        .filter(|line| !line.is_empty())
    {
        if let Some(name) = line.strip_prefix("# ") {
            let guide = name.strip_suffix(": guide");
            guide.unwrap_or(name).clone_into(&mut folder);
            all.entry(folder.clone()).or_default().guide = guide.is_some();
            continue;
        }
        // A title may contain the sign between the columns, so the line is split from its end.
        let cells: Vec<&str> = line.rsplitn(4, '|').map(str::trim).collect();
        let [tags, language, day, rest] = cells[..] else {
            panic!("{folder}: {line}")
        };
        let (path, title) = rest.split_once(" | ").unwrap();
        let given = |cell: &str| (!cell.is_empty()).then(|| cell.to_owned());
        let tags = tags.split(',').map(str::trim).filter_map(given).collect();
        let article = Article {
            path: format!("/articles/{path}"),
            title: title.to_owned(),
            day: given(day),
            foreign: given(language),
            tags,
        };
        all.entry(folder.clone())
            .or_default()
            .articles
            .push(article);
    }
    all
}

/// What is wrong with the lists of a site.
pub fn problems(files: &Files, folder: &Folder) -> Vec<String> {
    let articles = folder.articles.as_slice();
    let text = |path: &str| {
        String::from_utf8(
            files
                .get(path)
                .unwrap_or_else(|| panic!("no `{path}`"))
                .clone(),
        )
        .unwrap()
    };
    let all: Vec<Entry> = articles.iter().map(entry).collect();
    let mut wrong = Vec::new();
    let mut same = |list: &str, mut found: Vec<Entry>, mut expected: Vec<Entry>| {
        found.sort();
        expected.sort();
        if found != expected {
            wrong.push(format!("`{list}` lists\n  {found:?}, not\n  {expected:?}"));
        }
    };
    let paths = |entries: &[Entry]| {
        entries
            .iter()
            .map(|(_, path)| (String::new(), path.clone()))
            .collect::<Vec<_>>()
    };
    same("sitemap.xml", of_sitemap(&text("sitemap.xml")), paths(&all));
    same("sitemap.md", of_markdown(&text("sitemap.md")), all.clone());
    same("llms.txt", of_markdown(&text("llms.txt")), all.clone());
    same(
        "llms-full.txt",
        paths(&of_merged(&text("llms-full.txt"))),
        paths(&all),
    );
    let (tags, years, languages) = (by_tag(articles), by_year(articles), by_language(articles));
    for (list, members) in tags.iter().chain(&years).chain(&languages) {
        same(
            &format!("{list}.html"),
            of_html(&text(&format!("{list}.html"))),
            members.clone(),
        );
        same(
            &format!("{list}.md"),
            of_markdown(&text(&format!("{list}.md"))),
            members.clone(),
        );
    }
    let lists = tags.keys().chain(years.keys()).chain(languages.keys());
    let lists: BTreeSet<&String> = lists.collect();
    let made: BTreeSet<String> = files
        .keys()
        .filter(|path| {
            let mut folders = ["tags/", "years/", "languages/", "articles/index."].iter();
            folders.any(|folder| path.starts_with(folder))
        })
        .filter_map(|path| path.strip_suffix(".html"))
        .map(str::to_owned)
        .collect();
    if !made.iter().eq(lists.iter().copied()) {
        wrong.push(format!("there are lists {made:?}, not {lists:?}"));
    }
    wrong.extend(of_feed(&text("rss.xml"), articles));
    wrong.extend(["index.html", "index.md"].into_iter().filter_map(|path| {
        let found = if path == "index.md" {
            of_markdown(&text(path))
        } else {
            of_html(&text(path))
        };
        home(path, &found, folder)
    }));
    wrong
}

fn entry(article: &Article) -> Entry {
    (article.title.clone(), article.path.clone())
}

/// Whether it is another one's translation: `x.de` of `x`, `de/x` of `x`.
fn is_translation(of: &Article, articles: &[Article]) -> bool {
    let Some(language) = &of.foreign else {
        return false;
    };
    let original = of
        .path
        .replace(&format!(".{language}"), "")
        .replace(&format!("/{language}/"), "/");
    articles
        .iter()
        .any(|article| article.path == original && article.path != of.path)
}

/// The newest first, then by path; those without a date are at the end. Of translations of one text
/// only the one in the site's language.
fn newest(articles: &[Article]) -> Vec<&Article> {
    let mut sorted: Vec<&Article> = articles
        .iter()
        .filter(|article| !is_translation(article, articles))
        .collect();
    sorted.sort_by(|one, other| {
        other
            .day
            .cmp(&one.day)
            .then_with(|| one.path.cmp(&other.path))
    });
    sorted
}

/// The home page begins with the newest articles of the site's language. That of a guide has the
/// upper levels of the author's order, by the names there: some of the articles.
fn home(page: &str, found: &[Entry], folder: &Folder) -> Option<String> {
    let articles = folder.articles.as_slice();
    if folder.guide {
        let is_listed = |article: &Article| found.iter().any(|(_, path)| *path == article.path);
        let right = articles.iter().any(is_listed);
        return (!right).then(|| format!("`{page}` lists no article, but\n  {found:?}"));
    }
    let expected: Vec<Entry> = newest(articles).into_iter().map(entry).collect();
    // An author's own text may link to articles as well, by other words.
    let found: Vec<&Entry> = found
        .iter()
        .filter(|entry| expected.contains(entry))
        .collect();
    let right = !found.is_empty()
        && found.iter().copied().eq(expected.iter().take(found.len()))
        && found.len() >= expected.len().min(5);
    (!right).then(|| format!("`{page}` lists\n  {found:?}, of\n  {expected:?}"))
}

fn by_tag(articles: &[Article]) -> BTreeMap<String, Vec<Entry>> {
    let mut lists: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for article in articles {
        for tag in &article.tags {
            lists
                .entry(format!("tags/{}", tag.replace([' ', '/'], "-")))
                .or_default()
                .push(entry(article));
        }
    }
    lists
}

/// The list of all articles in the site's language, and those of the other languages.
fn by_language(articles: &[Article]) -> BTreeMap<String, Vec<Entry>> {
    let mut lists = BTreeMap::from([("articles/index".to_owned(), Vec::new())]);
    for article in articles {
        let list = match &article.foreign {
            Some(language) => format!("languages/{language}"),
            None => "articles/index".to_owned(),
        };
        lists.entry(list).or_default().push(entry(article));
    }
    lists
}

fn by_year(articles: &[Article]) -> BTreeMap<String, Vec<Entry>> {
    let mut lists: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for article in articles {
        if let Some(day) = &article.day {
            lists
                .entry(format!("years/{}", &day[..4]))
                .or_default()
                .push(entry(article));
        }
    }
    lists
}

/// The path of an article by its address; nothing for other pages.
fn article(address: &str) -> Option<String> {
    let path = address
        .strip_prefix("https://example.org")
        .unwrap_or(address);
    let path = percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .unwrap()
        .into_owned();
    let stem = path
        .strip_suffix(".html")
        .or_else(|| path.strip_suffix(".md"))?;
    (stem.starts_with("/articles/") && stem != "/articles/index").then(|| stem.to_owned())
}

/// List items that begin with a link: `- [title](address)`; `*` behind another list.
fn of_markdown(text: &str) -> Vec<Entry> {
    text.lines()
        .filter_map(|line| {
            let (title, rest) = line
                .trim_start()
                .strip_prefix(['-', '*'])?
                .strip_prefix(" [")?
                .split_once("](")?;
            let address = rest.split(')').next().unwrap();
            let address = rest
                .strip_prefix('<')
                .map_or(address, |rest| rest.split('>').next().unwrap());
            Some((plain(title), article(address)?))
        })
        .collect()
}

/// The articles of a merged text, each with its address below its title.
fn of_merged(text: &str) -> Vec<Entry> {
    let addresses = text
        .lines()
        .filter_map(|line| line.strip_prefix("URL: <")?.strip_suffix('>'));
    addresses
        .filter_map(article)
        .map(|path| (String::new(), path))
        .collect()
}

/// The words of a title in Markdown.
fn plain(markdown: &str) -> String {
    let (mut plain, mut rest) = (String::new(), markdown);
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        // A backslash escapes punctuation, and is itself before all else.
        if character != '\\' || !rest.starts_with(|next: char| next.is_ascii_punctuation()) {
            plain.push(character);
        } else if let Some(escaped) = rest.chars().next() {
            plain.push(escaped);
            rest = &rest[1..];
        }
    }
    plain
        .replace("&lt;", "<")
        .replace("&#58;", ":")
        .replace("&amp;", "&")
}

fn of_sitemap(xml: &str) -> Vec<Entry> {
    let addresses = elements(xml)
        .into_iter()
        .filter(|(path, _)| path == "urlset/url/loc");
    addresses
        .filter_map(|(_, address)| Some((String::new(), article(&address)?)))
        .collect()
}

/// The feed has the newest dated articles, each with its tags.
fn of_feed(xml: &str, articles: &[Article]) -> Option<String> {
    let mut items: Vec<(String, String, BTreeSet<String>)> = Vec::new();
    for (path, text) in elements(xml) {
        match path.as_str() {
            "rss/channel/item/title" => items.push((text, String::new(), BTreeSet::new())),
            "rss/channel/item/link" => items.last_mut().unwrap().1 = article(&text).unwrap_or(text),
            "rss/channel/item/category" => drop(items.last_mut().unwrap().2.insert(text)),
            _ => {}
        }
    }
    let dated = articles.iter().any(|article| article.day.is_some());
    let mut expected = newest(articles);
    expected.retain(|article| article.day.is_some() || !dated);
    expected.truncate(FEED);
    let mut expected: Vec<_> = expected
        .into_iter()
        .map(|article| {
            (
                article.title.clone(),
                article.path.clone(),
                article.tags.iter().cloned().collect::<BTreeSet<_>>(),
            )
        })
        .collect();
    if !dated {
        // Their last changes order them, which this list does not know.
        items.sort();
        expected.sort();
    }
    (items != expected).then(|| format!("`rss.xml` has\n  {items:?}, not\n  {expected:?}"))
}

/// The texts of an XML document, each with the names of the elements around it.
fn elements(xml: &str) -> Vec<(String, String)> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let (mut open, mut texts, mut found): (Vec<String>, Vec<String>, Vec<(String, String)>) =
        Default::default();
    let say =
        |texts: &mut Vec<String>, text: &str| texts.iter_mut().for_each(|all| all.push_str(text));
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                open.push(start.name().as_ref().to_owned());
                texts.push(String::new());
            }
            Event::Text(text) => say(&mut texts, &text),
            Event::GeneralRef(entity) => {
                let character = entity.resolve_char_ref().unwrap().map(String::from);
                say(
                    &mut texts,
                    &character.unwrap_or_else(|| {
                        quick_xml::escape::resolve_predefined_entity(&entity)
                            .unwrap()
                            .to_owned()
                    }),
                );
            }
            Event::End(_) => {
                found.push((open.join("/"), texts.pop().unwrap()));
                open.pop();
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

/// The links to articles within `main`, as a browser reads the page.
fn of_html(html: &str) -> Vec<Entry> {
    let entries = printed_entries(html).into_iter();
    entries
        .map(|(title, path)| (as_typed(&title), path))
        .collect()
}

/// A title with the quotation marks of a keyboard: pages show those of print.
fn as_typed(title: &str) -> String {
    title
        .replace(['‘', '’'], "'")
        .replace(['“', '”', '„', '«', '»'], "\"")
}

fn printed_entries(html: &str) -> Vec<Entry> {
    let dom =
        html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(html);
    let mut entries = Vec::new();
    links(&dom.document, false, &mut |address, words| {
        entries.extend(article(address).map(|path| (words, path)))
    });
    entries
}

fn links(node: &Handle, within: bool, found: &mut dyn FnMut(&str, String)) {
    let mut within = within;
    if let NodeData::Element { name, attrs, .. } = &node.data {
        within |= &*name.local == "main";
        let address = attrs
            .borrow()
            .iter()
            .find(|attribute| &*attribute.name.local == "href")
            .map(|attribute| attribute.value.to_string());
        if let Some(address) = address.filter(|_| within && &*name.local == "a") {
            found(&address, words(node));
        }
    }
    node.children
        .borrow()
        .iter()
        .for_each(|child| links(child, within, found));
}

fn words(node: &Handle) -> String {
    match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => node.children.borrow().iter().map(words).collect(),
    }
}
