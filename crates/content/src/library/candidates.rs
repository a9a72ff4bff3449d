//! The texts that could be published, described, and those that are part of the site because another
//! text refers to them.

use std::{collections::BTreeSet, sync::Arc};

use jiff::Timestamp;

use super::{
    candidate::Candidate,
    classify::{Plan, Role},
    describe::Describer,
    inherited::Inheritance,
    linked::Linked,
    parse::{Parsed, Parser},
    publish::{self, Outcome},
};
use crate::model::{
    parallel,
    sources::{SourceFile, Sources},
};

/// A described text, if it has something to publish.
fn candidate(
    sources: &Sources,
    file: usize,
    roles: &[Role],
    parsed: &[Option<Arc<Parsed>>],
    outcomes: &[Outcome],
    describer: &Describer<'_>,
) -> Option<Candidate> {
    let (Role::Text { area, rel, .. }, Some(parsed)) = (&roles[file], &parsed[file]) else {
        return None;
    };
    if outcomes[file] != Outcome::Published {
        return None;
    }
    let source = &sources.files[file];
    let described = describer.describe(source, (*area, rel), parsed);
    Some(Candidate {
        file,
        path: Arc::clone(&source.path),
        parsed: Arc::clone(parsed),
        described,
    })
}

/// The described texts with something to publish.
pub fn describe(
    sources: &Sources,
    roles: &[Role],
    parsed: &[Option<Arc<Parsed>>],
    outcomes: &[Outcome],
    describer: &Describer<'_>,
) -> Vec<Candidate> {
    let describe = |file| candidate(sources, file, roles, parsed, outcomes, describer);
    let candidates = parallel::map_numbers(roles.len(), describe);
    candidates.into_iter().flatten().collect()
}

/// Publishes the files that published texts refer to.
pub struct Linking<'a> {
    pub sources: &'a Sources,
    pub parser: &'a Parser<'a>,
    pub describer: &'a Describer<'a>,
    pub inheritance: &'a Inheritance,
    pub now: Timestamp,
}

impl Linking<'_> {
    /// Adds them level by level: a linked text may link further. Each file is added once.
    pub fn add(
        &mut self,
        plan: &mut Plan,
        parsed: &mut [Option<Arc<Parsed>>],
        outcomes: &mut [Outcome],
        candidates: &mut Vec<Candidate>,
    ) {
        let linked = Linked::new(self.sources, plan);
        let mut seen = 0;
        while !linked.is_empty() && seen < candidates.len() {
            let found = parallel::flat_map(&candidates[seen..], |text| {
                let is_visible = publish::withheld(text).is_none();
                is_visible
                    .then(|| linked.from(plan, text))
                    .into_iter()
                    .flatten()
            });
            let found: BTreeSet<usize> = found.into_iter().collect();
            seen = candidates.len();
            for at in found {
                let file = &self.sources.files[at];
                let role = plan.linked_text(at, self.sources);
                let role = role.unwrap_or_else(|| plan.linked(&file.path));
                if let Role::Text { format, .. } = &role {
                    parsed[at] = Some(self.parser.parse(file, *format));
                }
                let text = parsed[at].as_deref();
                outcomes[at] = match text.and_then(|text| self.withholds(file, text, plan)) {
                    Some(reason) => Outcome::Skipped(reason),
                    None => publish::outcome(&file.path, &role, text, false),
                };
                plan.roles[at] = role;
                candidates.extend(self.candidate(at, plan, parsed, outcomes));
            }
        }
        candidates.sort_by_key(|candidate| candidate.file);
    }

    /// Why something above a text withholds it. A preview shows it.
    fn withholds(&self, file: &SourceFile, text: &Parsed, plan: &Plan) -> Option<String> {
        let inheritance = self.inheritance;
        let reason = inheritance.withholds(&file.path, &text.front, plan, self.now);
        reason.filter(|_| !self.sources.shows_drafts)
    }

    fn candidate(
        &self,
        file: usize,
        plan: &Plan,
        parsed: &[Option<Arc<Parsed>>],
        outcomes: &[Outcome],
    ) -> Option<Candidate> {
        candidate(
            self.sources,
            file,
            &plan.roles,
            parsed,
            outcomes,
            self.describer,
        )
    }
}
