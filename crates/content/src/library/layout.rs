//! What the paths of a folder say, for the next reading of it: as long as the same files lie there, each is what it was.

use std::sync::Arc;

use bytes::Bytes;

use super::classify::{Plan, Role};
use super::folder;
use super::texts::same_bytes;
use crate::dialect::Kind;
use crate::site::Site;
use crate::sources::Sources;

/// What the paths of a folder say.
#[derive(Debug)]
pub(super) struct Layout {
    pub plan: Plan,
    /// The READMEs that may be the index of their folder, with the role that they have then.
    pub readmes: Vec<(usize, Role)>,
    /// Whether the path of any text may name a language.
    pub tongues: bool,
    paths: Vec<Arc<str>>,
    /// The files whose bytes were asked, too.
    asked: Vec<(usize, Bytes)>,
    /// The settings that were.
    theme: Option<String>,
    articles: Option<String>,
}

impl Layout {
    /// Looks at all paths; `known` is what was found the last time.
    pub fn again(sources: &Sources, site: &Site, known: Option<&Arc<Self>>) -> Arc<Self> {
        let kind = Plan::kind(sources, site);
        match known.filter(|known| known.is_of(sources, site, &kind)) {
            Some(known) => Arc::clone(known),
            None => Arc::new(Self::of(sources, site, kind)),
        }
    }

    fn of(sources: &Sources, site: &Site, kind: Kind) -> Self {
        let (plan, asked) = Plan::of(sources, site, kind);
        let readmes: Vec<(usize, Role)> = (0..sources.files.len()).filter_map(|at| Some((at, plan.of_readme(at, sources)?))).collect();
        let mut texts = plan.roles.iter().chain(readmes.iter().map(|(_, role)| role));
        Self {
            tongues: texts.any(|role| matches!(role, Role::Text { rel, .. } if folder::may_name_language(rel))),
            paths: sources.files.iter().map(|file| Arc::clone(&file.path)).collect(),
            asked: asked.into_iter().map(|at| (at, sources.files[at].bytes.clone())).collect(),
            theme: site.theme.clone(),
            articles: site.articles.clone(),
            plan,
            readmes,
        }
    }

    /// Whether looking at all paths again would come to the same.
    fn is_of(&self, sources: &Sources, site: &Site, kind: &Kind) -> bool {
        let same_path = |(known, now): (&Arc<str>, &Arc<str>)| Arc::ptr_eq(known, now) || known == now;
        self.plan.kind.reads_like(kind)
            && self.plan.kind.evidence == kind.evidence
            && (&self.theme, &self.articles) == (&site.theme, &site.articles)
            && self.paths.len() == sources.files.len()
            && self.paths.iter().zip(sources.files.iter().map(|file| &file.path)).all(same_path)
            && self.asked.iter().all(|(at, bytes)| same_bytes(bytes, &sources.files[*at].bytes))
    }
}
