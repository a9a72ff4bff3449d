//! The tree of a guide beside its pages: whole if it is small, else the way to the page with what is
//! beside each step. A page with many other parts has less of it.
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

/// The most that a tree adds to a page, in bytes of its HTML. It is the second number of the first pair
/// whose first number is larger than what else differs between pages: its style sheets and its
/// contents list. So a page with its style sheets is at most 20 kB larger than its text.
const ROOMS: [(usize, usize); 4] = [
    (2_000, 3_500),
    (3_200, 2_500),
    (4_200, 1_500),
    (usize::MAX, 800),
];
/// The bytes of a link beside its title and address.
const LINK: usize = 20;
/// The bytes of the class of a section that is shown without what is below it.
const SECTION: usize = 13;
/// The bytes of a list around another one, beside the title of the node between them.
const FRAME: usize = 75;
/// The percentage of the room that is left which a list around another one may take if it is whole …
const WHOLE: usize = 85;
/// … and otherwise.
const OUTER: usize = 60;
/// Marks the place of a list inside another one.
const MARK: &str = "\0";

/// The sidebars of all trees.
#[derive(Debug, Default)]
pub(super) struct Sidebar {
    trees: Vec<Lists>,
}

/// What is known of the lists of one tree.
#[derive(Debug)]
struct Lists {
    digests: Vec<Digest>,
    /// The size of each node in a list, in bytes, without what is below it.
    sizes: Vec<usize>,
    /// By node: the list of what is below it, while it is closed.
    closed: Vec<OnceLock<String>>,
    /// In the order of [`ROOMS`].
    rooms: Vec<Room>,
}

/// The lists that fit into a number of bytes.
#[derive(Debug)]
struct Room {
    bytes: usize,
    /// Whether pages show the whole tree.
    is_whole: bool,
    /// By node: the list that it is open in, before and after what is below it.
    open: Vec<OnceLock<(String, String)>>,
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

    /// A digest of what a page at this node of a tree shows, or a page that has no node there.
    pub(super) fn digest(&self, guide: &Guide<'_>, number: usize, at: Option<usize>) -> Digest {
        let mut sum = Fingerprint::new();
        if let (Some(branches), Some(lists)) = (guide.trees.get(number), self.trees.get(number)) {
            branches.tree.language.hash(&mut sum);
            at.map(|at| branches.nodes[at].stem()).hash(&mut sum);
            // Which room it is depends on the page itself.
            if lists.rooms.iter().any(|room| room.is_whole) {
                lists.digests.iter().for_each(|digest| sum.write(digest));
            }
            for room in lists.rooms.iter().filter(|room| !room.is_whole) {
                for level in lists.levels(branches, at, room) {
                    level.hidden.hash(&mut sum);
                    let nodes = level.parent.iter().chain(level.shown);
                    nodes.for_each(|node| sum.write(&lists.digests[*node]));
                }
            }
        }
        sum.digest()
    }

    /// The markup of the tree on a page that has so many bytes beside it.
    ///
    /// # Errors
    /// Those in the theme's template.
    pub(super) fn markup(
        &self,
        shared: &Shared<'_>,
        (number, at): (usize, Option<usize>),
        weight: usize,
    ) -> Result<String, Problem> {
        let (Some(branches), Some(lists)) =
            (shared.guide.trees.get(number), self.trees.get(number))
        else {
            return Ok(String::new());
        };
        let lighter = ROOMS.iter().take_while(|(most, _)| *most <= weight);
        let Some(room) = lists.rooms.get(lighter.count()) else {
            return Ok(String::new());
        };
        let writer = Writer {
            shared,
            branches,
            lists,
            room,
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
                let class = if node.below.is_empty() { 0 } else { SECTION };
                LINK + class + node.title.len() + address
            })
            .collect();
        let digest =
            |node: &Branch<'_>| Fingerprint::of(&(node.title, &node.leads, node.below.len()));
        let slots = branches.nodes.len();
        let frame = |node: &Branch<'_>| match node.below.is_empty() {
            true => 0,
            false => FRAME + node.title.len(),
        };
        let frames: usize = branches.nodes.iter().map(frame).sum();
        let whole = frames + sizes.iter().sum::<usize>();
        let room = |(_, bytes): &(usize, usize)| Room {
            bytes: *bytes,
            is_whole: whole <= *bytes,
            open: std::iter::repeat_with(OnceLock::new).take(slots).collect(),
        };
        Self {
            digests: branches.nodes.iter().map(digest).collect(),
            sizes,
            closed: std::iter::repeat_with(OnceLock::new).take(slots).collect(),
            rooms: ROOMS.iter().map(room).collect(),
        }
    }

    /// The lists on the way to a node, outermost first: that of the node last, or that of the nodes
    /// below it.
    fn levels<'a>(
        &self,
        branches: &'a Branches<'_>,
        at: Option<usize>,
        room: &Room,
    ) -> Vec<Level<'a>> {
        let mut way: Vec<usize> = at
            .into_iter()
            .chain(at.into_iter().flat_map(|at| branches.path(at)))
            .collect();
        way.reverse();
        let mut room = if room.is_whole {
            usize::MAX
        } else {
            room.bytes
        };
        let mut levels = Vec::with_capacity(way.len() + 1);
        let mut parent = None;
        for step in way.iter().copied().map(Some).chain([None]) {
            let nodes = branches.below(parent);
            if nodes.is_empty() {
                break;
            }
            let is_open = step.is_some_and(|step| !branches.nodes[step].below.is_empty());
            // The last list may take all: nothing is inside it.
            let share = if is_open {
                self.outer(nodes, room)
            } else {
                room
            };
            let (shown, taken) = self.window(branches, nodes, step, share);
            let frame = step
                .filter(|_| is_open)
                .map_or(0, |step| FRAME + branches.nodes[step].title.len());
            room = room.saturating_sub(taken + frame);
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

    /// The share of the room that a list around another one takes.
    fn outer(&self, nodes: &[usize], room: usize) -> usize {
        let whole = nodes.iter().map(|node| self.sizes[*node]).sum::<usize>();
        if whole <= room / 100 * WHOLE {
            whole
        } else {
            room / 100 * OUTER
        }
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
    room: &'w Room,
}

impl Writer<'_, '_> {
    fn page(&self, at: Option<usize>) -> Result<String, Problem> {
        let mut levels = self.lists.levels(self.branches, at, self.room);
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
        let slot = level.open.and_then(|open| self.room.open.get(open));
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
        if below.is_empty() || !self.room.is_whole {
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
            title: self
                .shared
                .printed(node.title, &self.branches.tree.language),
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
