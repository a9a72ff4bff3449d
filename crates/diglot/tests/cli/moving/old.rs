//! A former site made of the same texts as a folder, in a theme that is not Diglot's, with addresses
//! and ids of its own; and a server for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

const WORDS: &[&str] = &[
    "harbour", "rope", "tide", "pilot", "anchor", "quay", "lantern", "crane", "barge", "keel",
    "rudder", "sail", "gull", "fog", "buoy", "deck", "mast", "cargo", "chart", "compass",
    "current", "ferry", "hull", "island", "jetty", "knot", "ledge", "mooring", "north", "oar",
    "plank", "reef", "shoal", "tackle", "voyage", "wharf", "yard", "zephyr", "bell", "captain",
    "dock", "engine", "the", "of", "and", "in", "with", "under", "over", "before", "after", "near",
];
const TAGS: [&str; 3] = ["boats", "weather", "tools"];
/// The English name of a month: whole by `%B`, short by `%b`.
fn month_name(format: &str, month: usize) -> String {
    let month = i8::try_from(month).unwrap();
    let first = jiff::civil::date(2000, month, 1);
    first.strftime(format).to_string()
}

/// Words that look random and are the same at every run.
pub struct Dice(u64);

impl Dice {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.next(WORDS.len())]).collect();
        words.join(" ")
    }

    fn sentence(&mut self) -> String {
        let count = 7 + self.next(9);
        let text = self.words(count);
        format!("{}{}.", text[..1].to_uppercase(), &text[1..])
    }
}

/// A text.
#[derive(Clone)]
pub struct Article {
    pub number: usize,
    pub slug: String,
    pub title: String,
    pub tag: &'static str,
    pub date: (usize, usize, usize),
    pub headings: [String; 3],
    pub paragraphs: Vec<[String; 3]>,
    pub items: Vec<String>,
    pub code: [String; 2],
    pub cells: [String; 2],
}

impl Article {
    fn new(number: usize, dice: &mut Dice) -> Self {
        let title = format!("{} {number}", dice.words(3));
        Self {
            number,
            slug: title.replace(' ', "-"),
            tag: TAGS[dice.next(TAGS.len())],
            date: (2015 + dice.next(8), 1 + dice.next(12), 1 + dice.next(28)),
            headings: [
                format!("The {}", dice.words(3)),
                format!("Why {} & how", dice.words(2)),
                "Summary".to_owned(),
            ],
            paragraphs: (0..5)
                .map(|_| [dice.sentence(), dice.sentence(), dice.sentence()])
                .collect(),
            items: (0..4).map(|_| dice.words(4)).collect(),
            code: [0, 1].map(|line| format!("run --{}={line}", dice.words(3).replace(' ', "-"))),
            cells: [dice.words(2), dice.words(3)],
            title,
        }
    }

    /// Its address on the former site.
    pub fn address(&self) -> String {
        let (year, month, _) = self.date;
        format!("/{year}/{month:02}/{}/", self.slug)
    }

    pub fn guid(&self) -> String {
        format!("https://old.example/?p={}", self.number)
    }

    pub fn file(&self) -> String {
        format!("articles/{}.md", self.slug)
    }

    pub fn paragraph(&self, at: usize) -> String {
        self.paragraphs[at].join(" ")
    }

    /// The text in the folder.
    pub fn markdown(&self) -> String {
        let (year, month, day) = self.date;
        let [first, second, third] = &self.headings;
        let paragraphs: Vec<String> = (0..5).map(|at| self.paragraph(at)).collect();
        let number = self.number;
        format!(
            "---\ntitle: {}\ndate: {year}-{month:02}-{day:02}\ntags: [{}]\n---\n\n{}\n\n![Boat {number}](/img/boat-{number}.png)\n\n## {first}\n\n{}\n\n\
             * {}\n\n## {second}\n\n{}\n\n```sh\n{}\n```\n\n| a | b |\n|---|---|\n| {} | {} |\n\n### {third}\n\n{}\n\nSee [the map](/files/map-{number}.pdf).\n\n{}\n",
            self.title,
            self.tag,
            paragraphs[0],
            paragraphs[1],
            self.items.join("\n* "),
            paragraphs[2],
            self.code.join("\n"),
            self.cells[0],
            self.cells[1],
            paragraphs[3],
            paragraphs[4],
        )
    }

    /// The text on the former site.
    fn html(&self) -> String {
        let (year, month, day) = self.date;
        let [first, second, third] = self.headings.each_ref().map(|it| it.replace('&', "&amp;"));
        let paragraphs: Vec<String> = (0..5)
            .map(|at| format!("<p>{}</p>", self.paragraph(at).replace('\'', "&rsquo;")))
            .collect();
        let (number, title) = (self.number, &self.title);
        let items: Vec<String> = self
            .items
            .iter()
            .map(|item| format!("<li>{item}</li>"))
            .collect();
        let body = format!(
            "<p class=\"meta\">Posted on {} {day}, {year} by <a href=\"/author/ann/\">Ann Mariner</a> in <a href=\"/category/{}/\">{}</a> · {} min read</p>\
             {}<figure><img src=\"/wp-content/uploads/{year}/{month:02}/boat-{number}-800x600.png\" alt=\"Boat {number}\" loading=\"lazy\"></figure>\
             <h2 id=\"s1\">{first} <a class=\"anchor\" href=\"#s1\">#</a></h2>{}<ul>{}</ul><h2>{second}</h2>{}<div class=\"code\"><pre><code><span>{}</span>\n<span>{}</span></code></pre></div>\
             <table><thead><tr><th>a<th>b</thead><tr><td>{}<td>{}</table><h3>{third}</h3>{}<p>See <a href=\"/wp-content/uploads/map-{number}.pdf\">the map</a>.</p>{}\
             <div class=\"sharedaddy\"><h3>Share this:</h3><ul><li><a href=\"https://social.example/?u={number}\">Share on social media</a></ul></div>\
             <div class=\"author-box\"><img src=\"/wp-content/ann.png\" alt=\"Portrait of Ann\"><p>Ann Mariner writes about boats since a long time ago.</p></div>\
             <h3>You may also like these</h3>",
            month_name("%B", month),
            self.tag,
            self.tag,
            1 + number % 7,
            paragraphs[0],
            paragraphs[1],
            items.concat(),
            paragraphs[2],
            self.code[0],
            self.code[1],
            self.cells[0],
            self.cells[1],
            paragraphs[3],
            paragraphs[4],
        );
        let iso = format!("{year}-{month:02}-{day:02}T10:00:00+00:00");
        let head = format!(
            "<title>{title} – The Old Harbour</title><link rel=\"canonical\" href=\"https://old.example{}\">\
             <meta property=\"article:published_time\" content=\"{iso}\">",
            self.address()
        );
        theme(
            &head,
            &format!("<article><header><h1>{title}</h1></header>{body}</article>"),
        )
    }
}

/// A page of the former theme.
fn theme(head: &str, main: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8>{head}<link rel=alternate type=\"application/rss+xml\" href=\"/feed/\"></head><body>\
         <div id=top class=\"site-header\"><a href=\"/\">The Old Harbour</a><ul class=menu><li><a href=\"/\">Home</a><li><a href=\"/category/boats/\">Boats</a></ul></div>\
         <div id=content>{main}</div><div class=sidebar><h4>Archives of the harbour</h4><p>Subscribe to our letters now.</p></div>\
         <footer>Proudly powered by an old program</footer></body></html>"
    )
}

/// The texts of a site.
pub fn articles(count: usize) -> Vec<Article> {
    let mut dice = Dice(26);
    (0..count)
        .map(|number| Article::new(number, &mut dice))
        .collect()
}

/// The folder with the same texts.
pub fn folder(articles: &[Article]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    files.insert(
        "diglot.toml".to_owned(),
        "title = \"The Old Harbour\"\nauthor = \"Ann Mariner\"\nbase_url = \"https://new.example\"\n".to_owned(),
    );
    for article in articles {
        let number = article.number;
        files.insert(article.file(), article.markdown());
        files.insert(
            format!("static/img/boat-{number}.png"),
            format!("png {number}"),
        );
        files.insert(
            format!("static/files/map-{number}.pdf"),
            format!("pdf {number}"),
        );
    }
    files
}

/// The answers of the former site: a body, or `>` and where it leads.
pub fn answers(articles: &[Article]) -> BTreeMap<String, String> {
    let mut answers = BTreeMap::new();
    let link = |article: &Article| {
        format!(
            "<li><a href=\"https://old.example{}\">{}</a></li>",
            article.address(),
            article.title
        )
    };
    let mut put = |path: String, body: String| drop(answers.insert(path, body));
    put(
        "/robots.txt".into(),
        "User-agent: *\nDisallow: /private/\nSitemap: https://old.example/sitemap.xml\n".into(),
    );
    put(
        "/sitemap.xml".into(),
        "<sitemapindex><sitemap><loc>https://old.example/posts.xml</loc></sitemap></sitemapindex>"
            .into(),
    );
    let (half, rest) = articles.split_at(articles.len() / 2);
    let urls: Vec<String> = rest
        .iter()
        .map(|article| {
            format!(
                "<url><loc>https://old.example{}</loc></url>",
                article.address()
            )
        })
        .collect();
    put(
        "/posts.xml".into(),
        format!("<urlset>{}</urlset>", urls.concat()),
    );
    let head = "<title>The Old Harbour</title><link rel=canonical href=\"https://old.example/\">";
    let lists: Vec<String> = half.iter().map(link).collect();
    let more = "<a href=\"/page/2/\">Older posts</a> <a href=\"/private/x/\">Private</a> <a href=\"/start/\">Start</a>";
    put(
        "/".into(),
        theme(
            head,
            &format!(
                "<main><h1>Latest</h1><ul>{}</ul>{more}</main>",
                lists.concat()
            ),
        ),
    );
    let lists: Vec<String> = rest.iter().map(link).collect();
    put(
        "/page/2/".into(),
        theme(
            "<title>Page 2</title>",
            &format!("<main><ul>{}</ul></main>", lists.concat()),
        ),
    );
    put("/start/".into(), format!(">{}", articles[0].address()));
    for tag in TAGS {
        let own = articles.iter().filter(|article| article.tag == tag);
        let own: Vec<String> = own
            .map(|it| format!("{}<p>{}</p>", link(it), it.paragraph(0)))
            .collect();
        put(
            format!("/category/{tag}/"),
            theme(
                "<title>Category</title>",
                &format!("<main>{}</main>", own.concat()),
            ),
        );
    }
    put("/author/ann/".into(), ">/".into());
    put("/feed/".into(), rss(articles));
    for article in articles {
        let ((year, month, _), number) = (article.date, article.number);
        put(article.address(), article.html());
        put(
            format!("/wp-content/uploads/{year}/{month:02}/boat-{number}-800x600.png"),
            "png".into(),
        );
        put(
            format!("/wp-content/uploads/map-{number}.pdf"),
            format!("pdf {number}"),
        );
    }
    answers
}

fn rss(articles: &[Article]) -> String {
    let mut text =
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>The Old Harbour</title>"
            .to_owned();
    for article in articles {
        let (year, month, day) = article.date;
        let _ = write!(
            text,
            "<item><title>{}</title><link>https://old.example{}</link><guid isPermaLink=\"false\">{}</guid><pubDate>{day:02} {} {year} 10:00:00 +0000</pubDate></item>",
            article.title,
            article.address(),
            article.guid(),
            month_name("%b", month)
        );
    }
    text + "</channel></rss>"
}

/// What the server was asked for.
#[derive(Default)]
pub struct Asked {
    pub paths: Mutex<Vec<String>>,
    pub unchanged: AtomicUsize,
}

/// Serves a former site. After `most` answers it only says 500.
pub fn serve(answers: BTreeMap<String, String>, most: usize) -> (String, Arc<Asked>) {
    serve_and(answers, most, |_| {})
}

/// As [`serve`]; `first` is told each path before it is answered.
pub fn serve_and(
    answers: BTreeMap<String, String>,
    most: usize,
    first: impl Fn(&str) + Send + 'static,
) -> (String, Arc<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Asked::default());
    let notes = Arc::clone(&asked);
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let lines = BufReader::new(socket.try_clone().unwrap()).lines();
            let head: Vec<String> = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .collect();
            let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else {
                continue;
            };
            first(path);
            notes.paths.lock().unwrap().push(path.to_owned());
            let is_known = head
                .iter()
                .any(|line| line.eq_ignore_ascii_case("if-none-match: \"1\""));
            let count = notes.paths.lock().unwrap().len();
            let (head, body) = match answers.get(path).map(String::as_str) {
                _ if count > most => ("500 Broken".to_owned(), ""),
                Some(body) if body.starts_with('>') => {
                    (format!("301 Moved\r\nLocation: {}", &body[1..]), "")
                }
                Some(_) if is_known => {
                    notes.unchanged.fetch_add(1, Relaxed);
                    ("304 Not Modified\r\nETag: \"1\"".to_owned(), "")
                }
                Some(body) => (
                    format!("200 OK\r\nETag: \"1\"\r\nContent-Type: {}", media(path)),
                    body,
                ),
                None => ("404 Not Found".to_owned(), ""),
            };
            let _ = write!(
                socket,
                "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (url, asked)
}

fn media(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "xml")) => "application/xml",
        Some((_, "png")) => "image/png",
        Some((_, "pdf")) => "application/pdf",
        Some((_, "txt")) => "text/plain",
        _ if path == "/feed/" => "application/rss+xml",
        _ => "text/html; charset=utf-8",
    }
}
