//! The markup of the tree of a guide beside its pages.

use diglot_content::Problem;
use minijinja::context;

use super::super::guide::Branches;
use super::super::shared::Shared;
use super::super::sidebar::{Level, Lists, Room};
use crate::theme::context::{LinkContext, NodeContext};
use crate::theme::{safe, value};

/// Marks the place of a list inside another one.
const MARK: &str = "\0";

/// The tree on a page at this node of it, or without a node there, that has so many bytes beside it.
///
/// # Errors
/// Those in the theme's template.
pub(crate) fn markup(
    shared: &Shared<'_>,
    (number, at): (usize, Option<usize>),
    weight: usize,
) -> Result<String, Problem> {
    let branches = shared.guide.trees.get(number);
    let Some((branches, (lists, room))) = branches.zip(shared.sidebar.lists(number, weight)) else {
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
