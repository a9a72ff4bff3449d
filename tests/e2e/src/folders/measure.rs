//! The figures of one folder and the bounds that they must meet.

use std::sync::Arc;

use diglot_content::document::Parity;
use diglot_content::settings::{FILE, Settings};
use diglot_content::{BaseUrl, Library, Site, Sources};
use diglot_edition::{Edition, Form, Theme};
use jiff::Timestamp;
use quick_xml::events::Event;

use super::forms;
use super::links::{self, Share};
use super::words::{self, Kept};
use super::{languages, summaries};

/// The time at which every folder is built.
const NOW: i64 = 1_790_000_000;

/// A folder with fewer words is a trap folder: its few texts consist of what the rules remove.
const FEW_WORDS: usize = 2_000;

/// The figures of one folder.
#[derive(Debug, Default)]
pub struct Figures {
    pub found: usize,
    pub published: usize,
    set_aside: usize,
    skipped: usize,
    /// Paths of forms with template tags outside code.
    tags: Vec<String>,
    /// Paths of answers with a comment.
    comments: Vec<String>,
    links: Share,
    fragments: Share,
    /// Paths of forms without exactly one level-1 heading, title and canonical address.
    not_single: Vec<String>,
    /// XML documents that are not well-formed.
    bad_xml: Vec<String>,
    parity: Parity,
    /// Paths whose bytes differ in a second build.
    differing: Vec<String>,
    kept: Kept,
    /// Summaries that are the author's own or a sentence, and those that are neither.
    summaries: (Share, Vec<String>),
    /// Pages with a wrong language, direction or translation.
    languages: Vec<String>,
}

impl Figures {
    pub const HEADING: [&str; 17] = [
        "folder",
        "found",
        "published",
        "aside",
        "skipped",
        "tags",
        "comments",
        "links %",
        "fragments %",
        "not single",
        "bad XML",
        "parity %",
        "words HTML %",
        "words Markdown %",
        "code %",
        "summaries %",
        "languages",
    ];

    pub fn row(&self, name: &str) -> Vec<String> {
        let counts = [
            self.found,
            self.published,
            self.set_aside,
            self.skipped,
            self.tags.len(),
            self.comments.len(),
        ];
        let mut row = vec![name.to_owned()];
        row.extend(counts.iter().map(usize::to_string));
        row.extend([self.links, self.fragments].map(|share| format!("{:.1}", share.percent())));
        row.extend([
            self.not_single.len().to_string(),
            self.bad_xml.len().to_string(),
        ]);
        let kept = &self.kept;
        let shares = [
            self.agreement(),
            kept.html,
            kept.markdown,
            kept.code,
            self.summaries.0,
        ];
        row.extend(shares.map(|share| format!("{:.2}", share.percent())));
        row.push(self.languages.len().to_string());
        row
    }

    fn agreement(&self) -> Share {
        Share {
            good: self.parity.agreeing,
            all: self.parity.total,
        }
    }

    /// The violated bounds, in words.
    pub fn broken(&self) -> Vec<String> {
        let accounted = self.published + self.set_aside + self.skipped;
        let none = |what: &str, paths: &[String]| {
            (!paths.is_empty()).then(|| format!("{what}: {}", some(paths)))
        };
        let least = |what: &str, share: Share, bound: f64| {
            (share.percent() < bound).then(|| {
                format!(
                    "{} of {} {what}: at least {bound} % must",
                    share.good, share.all
                )
            })
        };
        let kept = &self.kept;
        let lost = |bound: Option<String>| {
            bound.map(|bound| format!("{bound}\n  {}", kept.lost.join("\n  ")))
        };
        let bounds = [
            (accounted != self.found)
                .then(|| format!("{} files found, {accounted} accounted for", self.found)),
            none("template tags outside code", &self.tags),
            none("comments", &self.comments),
            least("links land", self.links, 99.0),
            least("fragments land", self.fragments, 98.0),
            none(
                "not exactly one first heading, title and canonical address",
                &self.not_single,
            ),
            none("XML that is not well-formed", &self.bad_xml),
            none("the forms do not agree", &self.parity.differences),
            none("a second build differs", &self.differing),
            lost(least("words are in the HTML", enough(kept.html), 99.9)),
            lost(least(
                "words are in the Markdown",
                enough(kept.markdown),
                99.9,
            )),
            lost(least("blocks of code are in both forms", kept.code, 100.0)),
            least(
                "summaries are the author's own or a sentence",
                self.summaries.0,
                99.0,
            )
            .map(|bound| format!("{bound}: {}", some(&self.summaries.1))),
            none(
                "the language, direction or translations are wrong",
                &self.languages,
            ),
        ];
        bounds.into_iter().flatten().collect()
    }
}

/// The share of a folder with enough words to have one.
fn enough(words: Share) -> Share {
    if words.all < FEW_WORDS {
        Share::default()
    } else {
        words
    }
}

fn some(paths: &[String]) -> String {
    let more = if paths.len() > 8 {
        format!(" and {} more", paths.len() - 8)
    } else {
        String::new()
    };
    format!("{}{more}", paths[..paths.len().min(8)].join(", "))
}

/// Builds a folder twice and inspects all output.
///
/// # Errors
/// The folder cannot be built.
pub fn measure(sources: &Sources) -> Result<Figures, String> {
    let site = Arc::new(site(sources)?);
    let now = Timestamp::from_second(NOW).map_err(|error| error.to_string())?;
    let (library, edition) = build(sources, &site, now)?;
    let (_, again) = build(sources, &site, now)?;
    let report = &library.report;
    let (links, fragments) = links::shares(sources, &library, &edition);
    let mut figures = Figures {
        found: sources.files.len() + sources.unread.len(),
        published: report.published,
        set_aside: report.set_aside.len(),
        skipped: report.skipped.values().map(Vec::len).sum(),
        links,
        fragments,
        parity: edition.parity.clone(),
        differing: differing(&edition, &again),
        kept: words::kept(sources, &library, &edition),
        summaries: summaries::judge(sources, &library),
        languages: languages::wrong(sources, &library, &edition),
        ..Figures::default()
    };
    look(&edition, &mut figures);
    Ok(figures)
}

fn site(sources: &Sources) -> Result<Site, String> {
    let file = sources.files.iter().find(|file| &*file.path == FILE);
    let text = file
        .map(|file| String::from_utf8_lossy(&file.bytes).into_owned())
        .unwrap_or_default();
    let base = BaseUrl::parse("https://example.org").map_err(|error| error.to_string())?;
    let settings = Settings::parse(&text, FILE).0;
    let settings =
        diglot_content::dialects::settings(sources, settings.dialect.as_deref()).overlay(settings);
    settings
        .into_site(&sources.name, base)
        .map_err(|problems| format!("{problems:?}"))
}

fn build(
    sources: &Sources,
    site: &Arc<Site>,
    now: Timestamp,
) -> Result<(Library, Edition), String> {
    let library = Library::build(sources, site, now);
    let theme = Theme::new(&[]).map_err(|problems| format!("{problems:?}"))?;
    let edition = Edition::build(&library, Arc::clone(site), &theme, now)
        .map_err(|problems| format!("{problems:?}"))?;
    Ok((library, edition))
}

fn differing(one: &Edition, other: &Edition) -> Vec<String> {
    let same = one.resources.len() == other.resources.len() && one.id == other.id;
    let pairs = one.resources.iter().zip(&other.resources);
    let mut paths: Vec<String> = pairs
        .filter(|(one, other)| one.path != other.path || one.digest != other.digest)
        .map(|(one, _)| one.path.to_string())
        .collect();
    if !same && paths.is_empty() {
        paths.push("the number of resources".to_owned());
    }
    paths
}

/// Inspects every form of a page and every XML document.
fn look(edition: &Edition, figures: &mut Figures) {
    for resource in &edition.resources {
        let path = resource.path.to_string();
        if !resource.route.generated() {
            continue;
        }
        let bytes = resource.body.to_bytes();
        let text = String::from_utf8_lossy(&bytes);
        if path.ends_with(".xml") {
            if let Err(error) = well_formed(&text) {
                figures.bad_xml.push(format!("`{path}` ({error})"));
            }
            continue;
        }
        let (prose, single) = match resource.route.form() {
            Some(Form::Html) => (forms::prose_of_html(&text), forms::html_is_single(&text)),
            Some(Form::Markdown) => (
                forms::prose_of_markdown(&text),
                forms::markdown_is_single(&text),
            ),
            None => continue,
        };
        // The 404 page has no address; the API page shows templates of addresses.
        if !single && resource.route.in_sitemap() {
            figures.not_single.push(format!("`{path}`"));
        }
        if forms::tags(&prose) > 0 {
            figures.tags.push(format!("`{path}`"));
        }
        // The trap folders have this word in every kind of comment.
        if forms::comments(&prose) > 0 || text.contains("CANARY") {
            figures.comments.push(format!("`{path}`"));
        }
    }
}

/// Parses a document to its end.
fn well_formed(text: &str) -> Result<(), String> {
    let forbidden = |c: char| {
        (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    if let Some(at) = text.find(forbidden) {
        return Err(format!("a forbidden character at byte {at}"));
    }
    let mut reader = quick_xml::Reader::from_str(text);
    let mut open = 0_usize;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(_) => open += 1,
            Event::End(_) => open = open.saturating_sub(1),
            Event::Eof if open == 0 => return Ok(()),
            Event::Eof => return Err("elements stay open".to_owned()),
            _ => {}
        }
    }
}
