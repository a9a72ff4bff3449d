//! The cache of drawn cards, and the cards of one edition.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use diglot_content::site::Pictures;
use diglot_content::{Article, Library, Site, parallel};

use super::{CardText, HEIGHT, SOURCE, WIDTH, dimensions, draw, is_drawable};
use crate::resource::Digest;
use crate::theme::{self, Asset, Theme};

/// Drawn cards by the digest of their words. A card is a function of its words, so one drawn
/// earlier, in this process or another, is reused. An edition holds the cards that it shows and
/// passes them to the next.
#[derive(Clone, Debug, Default)]
pub struct CardCache {
    pictures: BTreeMap<Digest, Bytes>,
}

impl CardCache {
    /// Adds a card from another cache. Returns whether it is a valid card; others are rejected.
    pub fn insert(&mut self, key: Digest, picture: Bytes) -> bool {
        let sound = dimensions(&picture) == Some((WIDTH, HEIGHT));
        if sound {
            self.pictures.insert(key, picture);
        }
        sound
    }

    /// The cards by the digest of their words, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Digest, &Bytes)> {
        self.pictures
            .iter()
            .map(|(words, picture)| (*words, picture))
    }

    /// The number of cards.
    pub fn len(&self) -> usize {
        self.pictures.len()
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.pictures.is_empty()
    }

    /// Draws the site's card if it is enabled and not cached. Building the edition would draw it
    /// too; this needs no library, so it can run while the library is read.
    pub fn prepare(&mut self, site: &Site, theme: &Theme) {
        if site.pictures != Pictures::None && own(theme).is_none() {
            self.pictures.extend(self.picture(&of_site(site)));
        }
    }

    /// The card with these words, cached or drawn.
    fn picture(&self, words: &CardText<'_>) -> Option<(Digest, Bytes)> {
        let key = words.digest();
        let picture = self.pictures.get(&key).cloned().or_else(|| draw(words))?;
        Some((key, picture))
    }
}

/// The cards of one edition.
#[derive(Debug, Default)]
pub(crate) struct Cards {
    /// The site's card, also used for every page without its own.
    pub(crate) site: Option<Asset>,
    /// The articles' cards by stem.
    pub(crate) articles: BTreeMap<Arc<str>, Asset>,
    /// The drawn ones among them.
    pub(crate) card_cache: CardCache,
}

/// The theme's own card for the site.
fn own(theme: &Theme) -> Option<&Asset> {
    theme.assets().iter().find(|asset| asset.source == SOURCE)
}

/// The words on the site's card.
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
    /// The cards that the setting enables, if they can be drawn. Cards in `known` are reused.
    pub(crate) fn new(library: &Library, site: &Site, theme: &Theme, known: &CardCache) -> Self {
        if site.pictures == Pictures::None {
            return Self::default();
        }
        let mut card_cache = CardCache::default();
        let mut keep = |(key, picture): (Digest, Bytes)| {
            card_cache.pictures.insert(key, picture.clone());
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
            // An author's own picture takes precedence.
            without_picture.extend(
                library
                    .articles
                    .iter()
                    .map(|article| &**article)
                    .filter(|article| article.image.is_none() && is_drawable(&article.title)),
            );
        }
        let drawn = parallel::map(&without_picture, |article| {
            known.picture(&CardText {
                title: &article.title,
                text: "",
                foot,
            })
        });
        let mut articles = BTreeMap::new();
        for (article, drawn) in without_picture.iter().zip(drawn) {
            if let Some(drawn) = drawn {
                articles.insert(Arc::clone(&article.stem), keep(drawn));
            }
        }
        Self {
            site: site_card,
            articles,
            card_cache,
        }
    }

    /// The card of the article at this stem, else the site's.
    pub(crate) fn for_stem(&self, stem: &str) -> Option<&Asset> {
        self.articles.get(stem).or(self.site.as_ref())
    }

    /// Every card, once for each place that shows it.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Asset> {
        self.site.iter().chain(self.articles.values())
    }
}
