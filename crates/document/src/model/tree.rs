//! The author's order of a site: sections with titles, nested, that lead to texts, to other sites,
//! or to nothing.

use std::{ops::Range, sync::Arc};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What a site is: dated articles, or texts in an order of the author.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Dated articles, newest first.
    #[default]
    Journal,
    /// Texts in the order of the [`Tree`]; those outside it are ordered as in a journal.
    Guide,
}

impl Shape {
    /// The values of the setting, in the order of the variants.
    pub const NAMES: [&str; 2] = ["journal", "guide"];

    /// The name in settings and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Journal => Self::NAMES[0],
            Self::Guide => Self::NAMES[1],
        }
    }

    /// Reads a value of the setting.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Journal, Self::Guide]
            .into_iter()
            .find(|shape| shape.name() == name)
    }
}

/// Where a node of a tree leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Leads {
    /// Nowhere: it is only the heading of the nodes below it.
    Nowhere,
    /// To an article or page of the library, by its stem.
    Text(Arc<str>),
    /// To a text in the default language, by its stem: the language of the tree lacks it.
    Instead(Arc<str>),
    /// To another site, or to a part of this one that is not a text: an absolute URL.
    Site(Arc<str>),
}

/// One node of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The author's name for it, else the title of its text: plain text, one line.
    pub title: Arc<str>,
    /// Where it leads.
    pub leads: Leads,
    /// The node above it.
    pub parent: Option<usize>,
    /// The number of the first node that is not below it.
    pub end: usize,
}

impl Node {
    /// The stem of its text in the language of the tree.
    pub fn stem(&self) -> Option<&Arc<str>> {
        match &self.leads {
            Leads::Text(stem) => Some(stem),
            Leads::Nowhere | Leads::Instead(_) | Leads::Site(_) => None,
        }
    }
}

/// The order of the texts in one language.
///
/// The nodes are in reading order: every node is followed by those below it, so the nodes below the
/// node `at` are `at + 1..nodes[at].end`. No text occurs twice, and no heading is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tree {
    /// BCP 47.
    pub language: String,
    /// All nodes, in reading order.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// The nodes at the top, in order.
    pub fn top(&self) -> impl Iterator<Item = usize> {
        self.among(0..self.nodes.len())
    }

    /// The nodes directly below a node, in order.
    pub fn below(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes.get(at).map_or(0, |node| node.end);
        self.among(at + 1..end)
    }

    /// The nodes of a range that are not below another one of it.
    fn among(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let mut next = range.start;
        std::iter::from_fn(move || {
            let at = next;
            let node = self.nodes.get(at).filter(|_| at < range.end)?;
            next = node.end.max(at + 1);
            Some(at)
        })
    }

    /// The nodes above a node, the nearest first.
    pub fn above(&self, at: usize) -> impl Iterator<Item = usize> {
        let parent = |at: usize| self.nodes.get(at).and_then(|node| node.parent);
        std::iter::successors(parent(at), move |at| parent(*at))
    }

    /// The stems of all texts, in order, each with the number of its node.
    pub fn stems(&self) -> impl Iterator<Item = (usize, &Arc<str>)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(at, node)| Some((at, node.stem()?)))
    }
}

/// Where texts are in some trees.
#[derive(Debug, Default)]
pub struct TreeIndex<'t> {
    by_stem: FxHashMap<&'t str, (usize, usize)>,
}

impl<'t> TreeIndex<'t> {
    /// An index of all texts of these trees.
    pub fn new(trees: &'t [Tree]) -> Self {
        let mut index = Self::default();
        for (number, tree) in trees.iter().enumerate() {
            for (at, stem) in tree.stems() {
                index.by_stem.entry(stem).or_insert((number, at));
            }
        }
        index
    }

    /// The numbers of the tree and the node of a text, by its stem. Their order is that of reading.
    pub fn get(&self, stem: &str) -> Option<(usize, usize)> {
        self.by_stem.get(stem).copied()
    }
}

/// A tree under construction, node by node in reading order.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    /// The nodes that are still open, outermost first.
    open: Vec<usize>,
}

impl Builder {
    /// Opens a node below the one opened last.
    pub fn open(&mut self, title: impl Into<Arc<str>>, leads: Leads) {
        let at = self.nodes.len();
        self.nodes.push(Node {
            title: title.into(),
            leads,
            parent: self.open.last().copied(),
            end: at + 1,
        });
        self.open.push(at);
    }

    /// Closes the node opened last. A heading with nothing below it is removed.
    pub fn close(&mut self) {
        let Some(at) = self.open.pop() else { return };
        let end = self.nodes.len();
        if end == at + 1 && self.nodes[at].leads == Leads::Nowhere {
            self.nodes.truncate(at);
        } else {
            self.nodes[at].end = end;
        }
    }

    /// The finished tree.
    pub fn finish(mut self, language: &str) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        Tree {
            language: language.to_owned(),
            nodes: self.nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_44_a_tree_knows_what_is_above_and_below_and_has_no_empty_heading() {
        let mut builder = Builder::default();
        builder.open("Start", Leads::Text("/start".into()));
        builder.close();
        builder.open("Empty", Leads::Nowhere);
        builder.open("Empty too", Leads::Nowhere);
        builder.close();
        builder.close();
        builder.open("Guide", Leads::Nowhere);
        builder.open("A", Leads::Text("/a".into()));
        builder.open("B", Leads::Site("https://b.example".into()));
        builder.close();
        builder.close();
        builder.open("C", Leads::Text("/c".into()));
        let tree = builder.finish("en");
        let titles = |nodes: &mut dyn Iterator<Item = usize>| {
            nodes
                .map(|at| tree.nodes[at].title.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(titles(&mut tree.top()), "Start Guide");
        assert_eq!(titles(&mut tree.below(1)), "A C");
        assert_eq!(titles(&mut tree.above(3)), "A Guide");
        assert_eq!(titles(&mut tree.below(9)), "");
        let stems: Vec<_> = tree.stems().map(|(_, stem)| stem.to_string()).collect();
        assert_eq!(stems, ["/start", "/a", "/c"]);
    }
}
