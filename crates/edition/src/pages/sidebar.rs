//! The tree of a guide beside its pages: whole if it is small, else the way to the page with what is
//! beside each step.
//!
//! A list depends on its nodes, on the one that is open, and on the one that is current. Lists
//! without a current node are the same on many pages and rendered once.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::tree::Leads;
use diglot_content::{BaseUrl, Problem};
use minijinja::context;

use super::guide::{Branch, Branches, Guide, address_size};
use super::shared::Shared;
use crate::theme::context::{LinkContext, NodeContext};
use crate::theme::{safe, value};

/// The most that a tree adds to a page, in bytes of its HTML.
const ROOM: usize = 9_000;
/// A list around another one takes one of so many parts of the room that is left.
const OUTER: usize = 2;
/// Where the list inside another one goes.
const MARK: &str = "\0";

/// The sidebars of all trees.
#[derive(Debug, Default)]
pub(super) struct Sidebar {
    trees: Vec<Lists>,
}

/// What is known of the lists of one tree.
#[derive(Debug)]
struct Lists {
    /// Whether pages show the whole tree.
    is_whole: bool,
    digests: Vec<Digest>,
    /// The size of each node in a list, in bytes.
    sizes: Vec<usize>,
    /// By node: the list that it is open in, before and after what is below it.
    open: Vec<OnceLock<(String, String)>>,
    /// By node: the list of what is below it, while it is closed.
    closed: Vec<OnceLock<String>>,
}

/// One list on the way to a page.
struct Level<'a> {
    /// The node above it; `None`: the list is at the top.
    parent: Option<usize>,
    /// Its nodes that are shown.
    shown: &'a [usize],
    /// The number of the others.
    hidden: usize,
    /// The node whose list is the next level.
    open: Option<usize>,
}

impl Sidebar {
    pub(super) fn new(guide: &Guide<'_>, base: &BaseUrl) -> Self {
        let trees = guide.trees.iter();
        Self {
            trees: trees.map(|branches| Lists::new(branches, base)).collect(),
        }
    }

    /// A digest of what a page at this node of a tree shows, or at none of its nodes.
    pub(super) fn digest(&self, guide: &Guide<'_>, number: usize, at: Option<usize>) -> Digest {
        let mut sum = Fingerprint::new();
        if let (Some(branches), Some(lists)) = (guide.trees.get(number), self.trees.get(number)) {
            branches.tree.language.hash(&mut sum);
            at.map(|at| branches.nodes[at].stem()).hash(&mut sum);
            if lists.is_whole {
                lists.digests.iter().for_each(|digest| sum.write(digest));
            } else {
                for level in lists.levels(branches, at) {
                    level.hidden.hash(&mut sum);
                    let nodes = level.parent.iter().chain(level.shown);
                    nodes.for_each(|node| sum.write(&lists.digests[*node]));
                }
            }
        }
        sum.digest()
    }

    /// The markup of the tree on a page.
    ///
    /// # Errors
    /// Those in the theme's template.
    pub(super) fn markup(
        &self,
        shared: &Shared<'_>,
        number: usize,
        at: Option<usize>,
    ) -> Result<String, Problem> {
        let (Some(branches), Some(lists)) =
            (shared.guide.trees.get(number), self.trees.get(number))
        else {
            return Ok(String::new());
        };
        let writer = Writer {
            shared,
            branches,
            lists,
        };
        writer.page(at)
    }
}

impl Lists {
    fn new(branches: &Branches<'_>, base: &BaseUrl) -> Self {
        let prefix = base.path().len();
        let sizes: Vec<usize> = branches
            .nodes
            .iter()
            .map(|node| {
                let address = match &node.leads {
                    Leads::Nowhere => 0,
                    Leads::Text(stem) | Leads::Instead(stem) => prefix + address_size(stem),
                    Leads::Site(url) => url.len(),
                };
                let frame = if node.below.is_empty() {
                    35
                } else {
                    95 + node.title.len()
                };
                frame + node.title.len() + address
            })
            .collect();
        let digest =
            |node: &Branch<'_>| Fingerprint::of(&(node.title, &node.leads, node.below.len()));
        let slots = branches.nodes.len();
        Self {
            is_whole: sizes.iter().sum::<usize>() <= ROOM,
            digests: branches.nodes.iter().map(digest).collect(),
            sizes,
            open: std::iter::repeat_with(OnceLock::new).take(slots).collect(),
            closed: std::iter::repeat_with(OnceLock::new).take(slots).collect(),
        }
    }

    /// The lists on the way to a node, outermost first: that of the node last, or that of the nodes
    /// below it.
    fn levels<'a>(&self, branches: &'a Branches<'_>, at: Option<usize>) -> Vec<Level<'a>> {
        let mut way: Vec<usize> = at
            .into_iter()
            .chain(at.into_iter().flat_map(|at| branches.path(at)))
            .collect();
        way.reverse();
        let mut room = if self.is_whole { usize::MAX } else { ROOM };
        let mut levels = Vec::with_capacity(way.len() + 1);
        let mut parent = None;
        for step in way.iter().copied().map(Some).chain([None]) {
            let nodes = branches.below(parent);
            if nodes.is_empty() {
                break;
            }
            let is_open = step.is_some_and(|step| !branches.nodes[step].below.is_empty());
            // The last list may take all: nothing is inside it.
            let share = if is_open { room / OUTER } else { room };
            let (shown, taken) = self.window(branches, nodes, step, share);
            room -= taken.min(room);
            levels.push(Level {
                parent,
                hidden: nodes.len() - shown.len(),
                shown: &nodes[shown],
                open: step.filter(|_| is_open),
            });
            parent = step;
        }
        levels
    }

    /// The nodes around one that fit into so many bytes, and how many these are. At least the one.
    fn window(
        &self,
        branches: &Branches<'_>,
        nodes: &[usize],
        around: Option<usize>,
        share: usize,
    ) -> (Range<usize>, usize) {
        let first = around.map_or(0, |node| branches.nodes[node].rank);
        let mut shown = first..first + 1;
        let mut taken = self.sizes[nodes[first]];
        loop {
            let mut grown = false;
            for next in [Some(shown.end), shown.start.checked_sub(1)]
                .into_iter()
                .flatten()
            {
                let size = nodes.get(next).map(|node| self.sizes[*node]);
                let Some(size) = size.filter(|size| taken.saturating_add(*size) <= share) else {
                    continue;
                };
                taken += size;
                shown = shown.start.min(next)..shown.end.max(next + 1);
                grown = true;
            }
            if !grown {
                return (shown, taken);
            }
        }
    }
}

/// Writes the lists of one tree.
struct Writer<'w, 'a> {
    shared: &'w Shared<'a>,
    branches: &'w Branches<'a>,
    lists: &'w Lists,
}

impl Writer<'_, '_> {
    fn page(&self, at: Option<usize>) -> Result<String, Problem> {
        let mut levels = self.lists.levels(self.branches, at);
        let Some(last) = levels.pop() else {
            return Ok(String::new());
        };
        // The current node is in the last list, or above it.
        let mut markup = self.list(&last, at, None)?;
        for level in levels.iter().rev() {
            if level.open == at {
                markup = self.list(level, at, Some(&markup))?;
                continue;
            }
            let (before, after) = self.around(level)?;
            markup = [before, &*markup, after].concat();
        }
        Ok(markup)
    }

    /// A list without a current node, before and after what is below its open node.
    fn around(&self, level: &Level<'_>) -> Result<(&str, &str), Problem> {
        let slot = level.open.and_then(|open| self.lists.open.get(open));
        let Some(slot) = slot else {
            return Ok(("", ""));
        };
        if slot.get().is_none() {
            let list = self.list(level, None, Some(MARK))?;
            let (before, after) = list.split_once(MARK).unwrap_or((&list, ""));
            let _ = slot.set((before.to_owned(), after.to_owned()));
        }
        Ok(slot
            .get()
            .map_or(("", ""), |(before, after)| (before, after)))
    }

    /// The list of a node that is closed, in a tree that is shown whole.
    fn closed(&self, at: usize) -> Result<Option<&str>, Problem> {
        let (below, slot) = (&self.branches.nodes[at].below, &self.lists.closed[at]);
        if below.is_empty() || !self.lists.is_whole {
            return Ok(None);
        }
        if slot.get().is_none() {
            let level = Level {
                parent: Some(at),
                shown: below,
                hidden: 0,
                open: None,
            };
            let _ = slot.set(self.list(&level, None, None)?);
        }
        Ok(slot.get().map(String::as_str))
    }

    /// A list; `inner` is the one below its open node.
    fn list(
        &self,
        level: &Level<'_>,
        current: Option<usize>,
        inner: Option<&str>,
    ) -> Result<String, Problem> {
        let mut nodes = Vec::with_capacity(level.shown.len());
        for at in level.shown {
            let is_open = level.open == Some(*at);
            let below = if is_open { inner } else { self.closed(*at)? };
            nodes.push(NodeContext {
                current: current == Some(*at),
                open: is_open,
                below: below.map(safe),
                section: !self.branches.nodes[*at].below.is_empty(),
                ..self.node(*at)
            });
        }
        let more = (level.hidden > 0).then(|| self.more(level));
        let [site, words, _] = self.shared.given(&self.branches.tree.language);
        let context = context! { site, words, nodes => value(nodes), more => value(more) };
        let theme = self.shared.context.theme;
        theme.render("tree.html", context, self.shared.folder())
    }

    fn node(&self, at: usize) -> NodeContext {
        let node = &self.branches.nodes[at];
        NodeContext {
            title: node.title.to_owned(),
            url: self.shared.url_of(&node.leads),
            ..NodeContext::default()
        }
    }

    /// The link to the page that has all nodes of a list.
    fn more(&self, level: &Level<'_>) -> LinkContext {
        let parent = level.parent.and_then(|at| self.branches.nodes[at].stem());
        LinkContext {
            count: Some(level.hidden),
            ..self.shared.link("", parent.map_or("/index", |stem| stem))
        }
    }
}
