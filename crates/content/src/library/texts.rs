//! Every text of a folder as one reading understood it, for the next reading of the same folder: what did not change is not read again.
//!
//! A text that is taken over is the same value that reading it again would make. That holds because everything a reading looks at is compared here: the
//! bytes, the files it includes, the kind of folder, the settings, what the folder as a whole says, the dates, and the interval in which `now` decides nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Article;
use super::classify::{Area, Format};
use super::describe::About;
use super::folder::{Folder, Tongue};
use super::layout::Layout;
use super::parse::{Parsed, includes_the_same};
use super::standing::Standing;
use super::web::Web;
use crate::date::Order;
use crate::dialect::Kind;
use crate::front::Front;
use crate::site::Site;
use crate::sources::{SourceFile, Sources};

/// Every text of a folder as it was read: for [`Library::build_again`](super::Library::build_again). Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    ground: Option<Arc<Ground>>,
    /// In path order.
    texts: Arc<[Arc<Text>]>,
    /// Where their links led.
    web: Option<Arc<Web>>,
    /// What followed from them, and from where files lie.
    standing: Option<Arc<Standing>>,
    /// Whether none took so long that it was given up.
    certain: bool,
}

/// What the reading of every text rests on.
#[derive(Debug)]
struct Ground {
    kind: Kind,
    /// How deep elements may stand inside one another.
    nesting: usize,
    site: Site,
    order: Option<Order>,
    authors: BTreeMap<String, String>,
    summary: FxHashMap<String, (String, i64)>,
}

impl Ground {
    /// Whether texts are read as they were.
    fn reads_like(&self, kind: &Kind, nesting: usize) -> bool {
        self.kind.reads_like(kind) && self.nesting == nesting
    }
}

/// One text as it was read.
#[derive(Debug)]
pub(super) struct Text {
    path: Arc<str>,
    bytes: Bytes,
    format: Format,
    /// As it was described; as it was parsed where it was not, or where that depends on other texts.
    pub parsed: Arc<Parsed>,
    described: Option<Described>,
}

/// What one text says about itself, and what that rests on.
#[derive(Clone, Debug)]
struct Described {
    place: Place,
    /// The instants at which it says the same.
    since: Timestamp,
    until: Option<Timestamp>,
    about: Arc<About>,
}

/// Where a text lies, and since when. When it last changed is asked anew each time.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub area: Area,
    pub rel: Arc<str>,
    pub tongue: Tongue,
    pub created: Option<Timestamp>,
}

impl Texts {
    /// The texts that were read in a folder of this kind.
    pub(super) fn of_kind(&self, kind: &Kind, nesting: usize) -> &[Arc<Text>] {
        if self.ground.as_ref().is_some_and(|ground| ground.reads_like(kind, nesting)) { &self.texts } else { &[] }
    }

    /// Whether texts are described as they were.
    pub(super) fn describe_like(&self, site: &Site, folder: &Folder) -> bool {
        let same = |ground: &Ground| {
            ground.site == *site && ground.order == folder.order && ground.authors == folder.authors && ground.summary == folder.summary
        };
        self.ground.as_deref().is_some_and(same)
    }

    /// Where links led in a folder of this kind with these settings.
    pub(super) fn web(&self, kind: &Kind, site: &Site) -> Option<&Arc<Web>> {
        let same = |ground: &Ground| ground.kind.reads_like(kind) && ground.site == *site;
        self.web.as_ref().filter(|_| self.ground.as_deref().is_some_and(same))
    }

    /// The same texts, and where their links lead.
    pub(super) fn with_web(self, web: Web) -> Self {
        Self { web: Some(Arc::new(web)), ..self }
    }

    /// What followed from what they say of themselves.
    pub(super) fn standing(&self) -> Option<&Arc<Standing>> {
        self.standing.as_ref()
    }

    /// What the paths of the folder said.
    pub(super) fn layout(&self) -> Option<&Arc<Layout>> {
        self.standing.as_ref().map(|standing| &standing.layout)
    }

    /// The same texts, and what follows from what they say.
    pub(super) fn with_standing(self, standing: &Arc<Standing>) -> Self {
        Self { standing: Some(Arc::clone(standing)), ..self }
    }

    /// Whether reading them again would come to the same: none took so long that it was given up.
    pub fn are_certain(&self) -> bool {
        self.certain
    }

    /// The same texts, each copied to a place of its own: what is left of a reading stands between the pieces of documents that are gone, and holds the memory around it.
    /// To be called when the library is gone. `None` where most are those of `before`, which were copied then.
    #[must_use]
    pub fn compacted(&self, before: &Self) -> Option<Self> {
        let known: FxHashSet<*const Text> = before.texts.iter().map(Arc::as_ptr).collect();
        let fresh = self.texts.iter().filter(|text| !known.contains(&Arc::as_ptr(text))).count();
        (fresh > self.texts.len() / 8).then(|| {
            let articles = self.web.as_ref().map(|web| web.by_description()).unwrap_or_default();
            let texts: Arc<[Arc<Text>]> = self.texts.iter().map(|text| Arc::new(text.copied(&articles))).collect();
            let about = |text: &Text| text.described.as_ref().map(|described| Arc::clone(&described.about));
            let moved = self.texts.iter().zip(&*texts).filter_map(|(old, new)| Some((Arc::as_ptr(&about(old)?), about(new)?))).collect();
            let standing = self.standing.as_ref().map(|standing| Arc::new(standing.moved(&moved)));
            let web = self.web.as_ref().zip(standing.as_ref()).map(|(web, standing)| Arc::new(web.moved(&moved, standing)));
            Self { ground: self.ground.clone(), texts, web, standing, certain: self.certain }
        })
    }

    /// The texts of this reading; `self` is the one before. `certain`: none took too long.
    pub(super) fn next(&self, (kind, nesting): (&Kind, usize), site: &Site, folder: Folder, (texts, certain): (Vec<Arc<Text>>, bool)) -> Self {
        let ground = self.ground.clone().filter(|ground| ground.reads_like(kind, nesting) && self.describe_like(site, &folder));
        let Folder { order, authors, summary, .. } = folder;
        let ground = ground.unwrap_or_else(|| Arc::new(Ground { kind: kind.clone(), nesting, site: site.clone(), order, authors, summary }));
        Self { ground: Some(ground), texts: texts.into(), web: None, standing: None, certain }
    }
}

/// How far before its place among the files a text is looked for first.
const NEAR: usize = 4;

/// The text of the file at this place among some in path order, if it would be parsed as it was.
pub(super) fn find<'t>(texts: &'t [Arc<Text>], at: usize, format: Format, sources: &Sources, now: Timestamp) -> Option<&'t Arc<Text>> {
    let file = sources.files.get(at)?;
    // Nearly as many texts stand before it as files; where that does not find it, it is looked for.
    let here = |text: &&Arc<Text>| Arc::ptr_eq(&text.path, &file.path);
    let near = (at.saturating_sub(NEAR)..=at).rev().find_map(|place| texts.get(place).filter(here));
    let text = near.or_else(|| texts.binary_search_by(|text| text.path.cmp(&file.path)).ok().and_then(|at| texts.get(at)))?;
    // Whether a text takes too long depends on the machine: that is tried again.
    (!text.parsed.endless && text.format == format && same_bytes(&text.bytes, &file.bytes) && includes_the_same(&text.parsed, sources, now))
        .then_some(text)
}

/// Whether two hold the same bytes; those that were not read again are not even looked at.
pub(super) fn same_bytes(one: &Bytes, other: &Bytes) -> bool {
    one.len() == other.len() && (one.as_ptr() == other.as_ptr() || one == other)
}

impl Text {
    /// A text that was parsed. `about` is what it says about itself, where that depends on nothing but its place.
    pub fn new(file: &SourceFile, format: Format, parsed: &Parsed, about: Option<(Place, &Arc<About>)>, now: Timestamp) -> Self {
        let described =
            about.map(|(place, about)| Described { place, since: now, until: about.dates.window.next_change(now), about: Arc::clone(about) });
        Self { path: Arc::clone(&file.path), bytes: file.bytes.clone(), format, parsed: Arc::new(parsed.released()), described }
    }

    /// An equal text that shares no small piece with this one, but its description with the article made of it.
    fn copied(&self, articles: &FxHashMap<*const About, &Article>) -> Self {
        let Parsed {
            front,
            proofs,
            document,
            sketch,
            references,
            empty,
            template,
            endless,
            names,
            canonical,
            unknown_tags,
            included,
            asked,
            problems,
        } = &*self.parsed;
        let parsed = Parsed {
            front: Arc::new(Front::clone(front)),
            proofs: *proofs,
            document: document.clone(),
            sketch: sketch.clone(),
            references: references.iter().cloned().collect(),
            empty: *empty,
            template: *template,
            endless: *endless,
            names: names.clone(),
            canonical: canonical.clone(),
            unknown_tags: unknown_tags.clone(),
            included: included.clone(),
            asked: asked.clone(),
            problems: problems.clone(),
        };
        let described = self.described.as_ref().map(|described| {
            let article = articles.get(&Arc::as_ptr(&described.about)).copied();
            Described { about: Arc::new(described.about.copied(article)), ..described.clone() }
        });
        Self { path: Arc::clone(&self.path), bytes: self.bytes.clone(), format: self.format, parsed: Arc::new(parsed), described }
    }

    /// Whether the title may be gone from its document.
    pub fn is_described(&self) -> bool {
        self.described.is_some()
    }

    /// What it says about itself at this place, now, but for the date of its last change.
    pub fn about(&self, (area, rel, created): (Area, &Arc<str>, Option<Timestamp>), folder: &Folder, now: Timestamp) -> Option<&Arc<About>> {
        let described = self.described.as_ref()?;
        let place = &described.place;
        let same_rel = || Arc::ptr_eq(&place.rel, rel) || place.rel == *rel;
        let here = place.area == area && place.created == created && same_rel() && folder.is_tongue(rel, &place.tongue);
        let holds = here && described.since <= now && described.until.is_none_or(|until| now < until);
        holds.then_some(&described.about)
    }
}
