//! How much of the tree of a guide is beside a page: all if it is small, else the way to the page with
//! what is beside each step. A page with many other parts has less of it.
//!
//! A list depends on its nodes, on the one that is open, and on the one that is current. Lists
//! without a current node are the same on many pages and rendered once.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

use diglot_content::BaseUrl;
use diglot_content::fingerprint::{Digest, Fingerprint};
use diglot_content::tree::Leads;

use super::guide::{Branch, Branches, Guide, address_size};

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

/// The sidebars of all trees.
#[derive(Debug, Default)]
pub(super) struct Sidebar {
    trees: Vec<Lists>,
}

/// What is known of the lists of one tree.
#[derive(Debug)]
pub(super) struct Lists {
    digests: Vec<Digest>,
    /// The size of each node in a list, in bytes, without what is below it.
    sizes: Vec<usize>,
    /// By node: the list of what is below it, while it is closed.
    pub(super) closed: Vec<OnceLock<String>>,
    /// In the order of [`ROOMS`].
    rooms: Vec<Room>,
}

/// The lists that fit into a number of bytes.
#[derive(Debug)]
pub(super) struct Room {
    bytes: usize,
    /// Whether pages show the whole tree.
    pub(super) is_whole: bool,
    /// By node: the list that it is open in, before and after what is below it.
    pub(super) open: Vec<OnceLock<(String, String)>>,
}

/// One list on the way to a page.
pub(super) struct Level<'a> {
    /// The node above it; `None`: the list is at the top.
    pub(super) parent: Option<usize>,
    /// Its nodes that are shown.
    pub(super) shown: &'a [usize],
    /// The number of the others.
    pub(super) hidden: usize,
    /// The node whose list is the next level.
    pub(super) open: Option<usize>,
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

    /// The lists of a tree, and those of them for a page that has so many bytes beside it.
    pub(super) fn lists(&self, number: usize, weight: usize) -> Option<(&Lists, &Room)> {
        let lists = self.trees.get(number)?;
        let lighter = ROOMS.iter().take_while(|(most, _)| *most <= weight);
        Some((lists, lists.rooms.get(lighter.count())?))
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
            |node: &Branch<'_>| Fingerprint::hash_one(&(node.title, &node.leads, node.below.len()));
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
    pub(super) fn levels<'a>(
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
