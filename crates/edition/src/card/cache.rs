//! Pictures that were drawn before, and the pictures of one edition.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::site::Pictures;
use diglot_content::{Article, Library, Site};
use rayon::prelude::*;

use super::{CardText, HEIGHT, SOURCE, WIDTH, dimensions, draw, is_drawable};
use crate::resource::Digest;
use crate::theme::{self, Asset, Theme};

/// Drawn pictures by what stands on them. A picture is a function of its words, so one that was
/// drawn before, in this process or another, need not be drawn again. An edition holds those that
/// it shows; they are given to the next one.
#[derive(Clone, Debug, Default)]
pub struct CardCache {
    pictures: BTreeMap<Digest, Bytes>,
}

impl CardCache {
    /// Adds a picture that was kept elsewhere. Whether it could be one of ours: no other is taken.
    pub fn insert(&mut self, words: Digest, picture: Bytes) -> bool {
        let sound = dimensions(&picture) == Some((WIDTH, HEIGHT));
        if sound {
            self.pictures.insert(words, picture);
        }
        sound
    }

    /// The pictures by the digest of their words, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Digest, &Bytes)> {
        self.pictures
            .iter()
            .map(|(words, picture)| (*words, picture))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pictures.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty()
    }

    /// Draws the picture that stands for the site, where one is wanted that is not known. The
    /// edition would do so as well: but for this it needs no library, so it may be done while there
    /// is none yet.
    pub fn prepare(&mut self, site: &Site, theme: &Theme) {
        if site.pictures != Pictures::None && own(theme).is_none() {
            self.pictures.extend(self.picture(&of_site(site)));
        }
    }

    /// The picture with these words: the one that is known, else a drawn one.
    fn picture(&self, words: &CardText<'_>) -> Option<(Digest, Bytes)> {
        let key = words.digest();
        let picture = self.pictures.get(&key).cloned().or_else(|| draw(words))?;
        Some((key, picture))
    }
}

/// The pictures of one edition.
#[derive(Debug, Default)]
pub(crate) struct Cards {
    /// What stands for the site, and for every page that has no picture of its own.
    pub(crate) site: Option<Asset>,
    /// The pictures of articles by stem.
    pub(crate) articles: BTreeMap<Arc<str>, Asset>,
    /// Those among them that were drawn.
    pub(crate) gallery: CardCache,
}

/// The picture for the site that the theme has.
fn own(theme: &Theme) -> Option<&Asset> {
    theme.assets().iter().find(|asset| asset.source == SOURCE)
}

/// What stands on the picture for the site.
fn of_site(site: &Site) -> CardText<'_> {
    CardText {
        title: &site.title,
        text: &site.description,
        foot: host(site),
    }
}

/// `example.org` of `https://example.org/blog`, with its port.
fn host(site: &Site) -> &str {
    site.base
        .origin()
        .split_once("://")
        .map_or("", |(_, host)| host)
}

impl Cards {
    /// The pictures that the setting asks for, as far as they can be drawn; `known` ones are not
    /// drawn again.
    pub(crate) fn new(library: &Library, site: &Site, theme: &Theme, known: &CardCache) -> Self {
        if site.pictures == Pictures::None {
            return Self::default();
        }
        let mut gallery = CardCache::default();
        let mut keep = |(key, picture): (Digest, Bytes)| {
            gallery.pictures.insert(key, picture.clone());
            theme::asset(SOURCE, picture)
        };
        let site_card = own(theme)
            .cloned()
            .or_else(|| known.picture(&of_site(site)).map(&mut keep));
        let foot = if is_drawable(&site.title) {
            &site.title
        } else {
            host(site)
        };
        let mut without_picture: Vec<&Article> = Vec::new();
        if site.pictures == Pictures::Articles {
            // A picture of the author's own is better than any that could be drawn.
            without_picture.extend(
                library
                    .articles
                    .iter()
                    .map(|article| &**article)
                    .filter(|article| article.image.is_none() && is_drawable(&article.title)),
            );
        }
        let drawn: Vec<_> = without_picture
            .par_iter()
            .map(|article| {
                known.picture(&CardText {
                    title: &article.title,
                    text: "",
                    foot,
                })
            })
            .collect();
        let mut articles = BTreeMap::new();
        for (article, drawn) in without_picture.iter().zip(drawn) {
            if let Some(drawn) = drawn {
                articles.insert(Arc::clone(&article.stem), keep(drawn));
            }
        }
        Self {
            site: site_card,
            articles,
            gallery,
        }
    }

    /// The picture for the article at this stem, else that of the site.
    pub(crate) fn of(&self, stem: &str) -> Option<&Asset> {
        self.articles.get(stem).or(self.site.as_ref())
    }

    /// Every picture, each once for each place that shows it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Asset> {
        self.site.iter().chain(self.articles.values())
    }
}
