//! The author's order of a guide, as pages use it: the address of every section, what is above and
//! below it, and what a page lists of it.

use std::borrow::Cow;
use std::sync::Arc;

use diglot_content::sections::{self, Sections};
use diglot_content::tree::{Leads, TreeIndex};
use diglot_content::{Article, Library, Tree};
use rustc_hash::FxHashMap;

/// The stem of the home page.
const HOME: &str = "/index";
/// The most that a list of contents adds to a page, in bytes of its HTML.
const CONTENTS: usize = 90_000;

/// A node of a guide: the numbers of its tree and of itself.
pub(super) type NodeId = (usize, usize);

/// A section above a text: its title, and the stem of its page.
pub(super) type Above<'a> = (&'a str, Option<&'a Arc<str>>);

/// The trees of a site, the site's language first. A journal has none.
#[derive(Debug, Default)]
pub(super) struct Guide<'a> {
    pub(super) trees: Vec<Branches<'a>>,
    tree_index: TreeIndex<'a>,
}

/// A tree with its addresses.
#[derive(Debug)]
pub(super) struct Branches<'a> {
    pub(super) tree: &'a Tree,
    pub(super) nodes: Vec<Branch<'a>>,
    /// The nodes at the top.
    pub(super) top: Vec<usize>,
    /// The first nodes that are not levels of their own: headings without a text over everything.
    wrappers: usize,
}

/// A node with its address.
#[derive(Debug)]
pub(super) struct Branch<'a> {
    pub(super) title: &'a str,
    /// Its text.
    pub(super) article: Option<&'a Article>,
    /// Where it leads: to a page by its stem, or to another site.
    pub(super) leads: Leads,
    /// The nodes directly below it.
    pub(super) below: Vec<usize>,
    /// Its number among those beside it.
    pub(super) rank: usize,
    /// Whether its page is made, because it has no text.
    pub(super) is_made: bool,
}

impl Branch<'_> {
    /// The stem of its page.
    pub(super) fn stem(&self) -> Option<&Arc<str>> {
        match &self.leads {
            Leads::Text(stem) => Some(stem),
            Leads::Nowhere | Leads::Instead(_) | Leads::Site(_) => None,
        }
    }
}

/// An entry in a list of contents.
#[derive(Debug, Hash)]
pub(super) struct ContentsEntry<'a> {
    pub(super) title: Cow<'a, str>,
    pub(super) leads: Leads,
    /// Empty: not shown.
    pub(super) summary: &'a str,
    pub(super) rows: Vec<ContentsEntry<'a>>,
}

/// The contents of a section, or of the whole guide.
#[derive(Debug, Default)]
pub(super) struct Contents<'a> {
    pub(super) rows: Vec<ContentsEntry<'a>>,
    /// What does not fit on the page: its first node, and how many there are.
    pub(super) rest: Option<(usize, usize)>,
}

impl<'a> Guide<'a> {
    pub(super) fn new(library: &'a Library) -> Self {
        if library.trees.is_empty() {
            return Self::default();
        }
        let texts = library.articles.iter().chain(&library.pages);
        let texts: FxHashMap<&str, &Article> = texts.map(|text| (&*text.stem, &**text)).collect();
        let page = |path: &'a str| path.strip_suffix(".html").or(path.strip_suffix(".md"));
        let files = library.files.iter().filter_map(|file| page(&file.path));
        let authors = texts.keys().copied().chain(files);
        let sections = sections::of_trees(&library.trees, authors);
        let trees = library.trees.iter().zip(sections);
        let trees = trees.map(|(tree, sections)| Branches::new(tree, sections, &texts));
        let trees = trees.collect();
        Self {
            trees,
            tree_index: TreeIndex::new(&library.trees),
        }
    }

    /// The place of a text.
    pub(super) fn place(&self, stem: &str) -> Option<NodeId> {
        self.tree_index.get(stem)
    }

    /// The number of the tree that pages in this language show.
    pub(super) fn tree_of(&self, language: &str) -> Option<usize> {
        let own = |branches: &Branches<'_>| branches.tree.language == language;
        let found = self.trees.iter().position(own);
        found.or((!self.trees.is_empty()).then_some(0))
    }

    /// The sections above a node, outermost first. The home page is not one of them.
    pub(super) fn trail(&self, (number, at): NodeId) -> Vec<Above<'_>> {
        let Some(branches) = self.trees.get(number) else {
            return Vec::new();
        };
        let mut trail: Vec<Above<'_>> = branches
            .path(at)
            .map(|above| (branches.nodes[above].title, branches.nodes[above].stem()))
            .filter(|(_, stem)| stem.is_none_or(|stem| **stem != *HOME))
            .collect();
        trail.reverse();
        trail
    }

    /// The texts before and after a node.
    pub(super) fn around(&self, (number, at): NodeId) -> [Option<&'a Article>; 2] {
        let nodes = self
            .trees
            .get(number)
            .map_or(&[][..], |branches| &branches.nodes);
        let (before, after) = nodes.split_at(at.min(nodes.len()));
        [
            before.iter().rev().find_map(|node| node.article),
            after.iter().skip(1).find_map(|node| node.article),
        ]
    }

    /// The first two levels of a tree, for the home page.
    pub(super) fn home_contents(&self, number: usize) -> Contents<'a> {
        let Some(branches) = self.trees.get(number) else {
            return Contents::default();
        };
        let mut top = &branches.top;
        while let [only] = &top[..] {
            match &branches.nodes[*only].below {
                below if below.is_empty() => break,
                below => top = below,
            }
        }
        let mut listed = Vec::with_capacity(top.len());
        for at in top {
            // What is below the home page is beside it in its own list.
            match branches.nodes[*at].stem() {
                Some(stem) if **stem == *HOME => listed.extend(&branches.nodes[*at].below),
                _ => listed.push(*at),
            }
        }
        branches.contents(&listed)
    }

    /// The two levels below a node.
    pub(super) fn contents(&self, (number, at): NodeId) -> Contents<'a> {
        let branches = self.trees.get(number);
        let below = branches.and_then(|branches| Some(&branches.nodes.get(at)?.below));
        branches
            .zip(below)
            .map_or_else(Contents::default, |(branches, below)| {
                branches.contents(below)
            })
    }
}

impl<'a> Branches<'a> {
    fn new(tree: &'a Tree, sections: Sections, texts: &FxHashMap<&str, &'a Article>) -> Self {
        let Sections { wrappers, stems } = sections;
        let mut nodes: Vec<Branch<'a>> = Vec::with_capacity(tree.nodes.len());
        let mut top = Vec::new();
        for ((at, node), made) in tree.nodes.iter().enumerate().zip(stems) {
            let is_wrapper = at < wrappers;
            let parent = node.parent.filter(|parent| *parent >= wrappers);
            let is_made = made.is_some();
            let leads = made.map_or_else(|| node.leads.clone(), Leads::Text);
            let beside = match parent {
                Some(parent) => &mut nodes[parent].below,
                None => &mut top,
            };
            let rank = beside.len();
            if !is_wrapper {
                beside.push(at);
            }
            nodes.push(Branch {
                title: &node.title,
                article: node.stem().and_then(|stem| texts.get(&**stem).copied()),
                leads,
                below: Vec::new(),
                rank,
                is_made,
            });
        }
        Self {
            tree,
            nodes,
            top,
            wrappers,
        }
    }

    /// The nodes above one, the nearest first.
    pub(super) fn path(&self, at: usize) -> impl Iterator<Item = usize> {
        let is_level = |above: &usize| *above >= self.wrappers;
        self.tree.above(at).filter(is_level)
    }

    /// The nodes directly below one, or at the top.
    pub(super) fn below(&self, at: Option<usize>) -> &[usize] {
        at.map_or(&self.top, |at| &self.nodes[at].below)
    }

    /// Nodes and those below them, with as much of it as fits on a page.
    fn contents(&self, listed: &[usize]) -> Contents<'a> {
        let mut rows = Vec::new();
        for (is_deep, has_summaries) in [(true, true), (true, false), (false, true), (false, false)]
        {
            let (found, is_whole) = self.rows(listed, is_deep, has_summaries);
            rows = found;
            if is_whole {
                break;
            }
        }
        let first = listed.get(rows.len());
        let rest = first.map(|first| (*first, listed.len() - rows.len()));
        Contents { rows, rest }
    }

    /// The rows of nodes, and whether they are all.
    fn rows(
        &self,
        listed: &[usize],
        is_deep: bool,
        has_summaries: bool,
    ) -> (Vec<ContentsEntry<'a>>, bool) {
        let mut room = CONTENTS;
        let mut rows = Vec::new();
        for at in listed {
            let mut row = self.row(*at, has_summaries);
            if is_deep {
                let below = self.nodes[*at].below.iter();
                row.rows = below.map(|at| self.row(*at, false)).collect();
            }
            let Some(left) = room.checked_sub(size(&row)) else {
                return (rows, false);
            };
            room = left;
            rows.push(row);
        }
        (rows, true)
    }

    fn row(&self, at: usize, has_summary: bool) -> ContentsEntry<'a> {
        let branch = &self.nodes[at];
        let summary = branch.article.filter(|_| has_summary);
        ContentsEntry {
            title: Cow::Borrowed(branch.title),
            leads: branch.leads.clone(),
            summary: summary.map_or("", |article| &article.summary),
            rows: Vec::new(),
        }
    }
}

/// About how much HTML a row is.
fn size(row: &ContentsEntry<'_>) -> usize {
    let address = match &row.leads {
        Leads::Nowhere => 0,
        Leads::Text(address) | Leads::Instead(address) | Leads::Site(address) => {
            address_size(address)
        }
    };
    60 + row.title.len() + address + row.summary.len() + row.rows.iter().map(size).sum::<usize>()
}

/// The length of an address in a URL.
pub(super) fn address_size(address: &str) -> usize {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encoded = |byte| if is_plain(byte) { 1 } else { 3 };
    address.bytes().map(encoded).sum()
}
