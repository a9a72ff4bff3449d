//! Which modules of a crate use which, at every depth.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// A module by the names on its path; the crate itself is empty.
pub type Module = Vec<String>;

/// How many names that stand for other names are followed.
const MOST_NAMES: usize = 12;

/// The modules of a crate, and what each uses.
pub struct Modules<'s> {
    sources: BTreeMap<Module, &'s Source>,
    /// Each use of another module, with the place of the first.
    uses: BTreeMap<(Module, Module), String>,
}

impl<'s> Modules<'s> {
    pub fn new(sources: &'s [Source]) -> Self {
        let sources = sources.iter().map(|source| (source.names(), source));
        let mut modules = Self {
            sources: sources.collect(),
            uses: BTreeMap::new(),
        };
        for (module, source) in modules.sources.clone() {
            for used in &source.paths {
                let path = modules.absolute(&module, &used.path);
                let Some(path) = path else { continue };
                let target = modules.module_of(&path, 0);
                if target != module {
                    let place = format!("{}:{}", source.path, used.line);
                    let uses = modules.uses.entry((module.clone(), target));
                    uses.or_insert(place);
                }
            }
        }
        modules
    }

    /// A path from the root of the crate; `None`: it leads to another crate, or is a local name.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Module> {
        let mut base = module.to_vec();
        let mut rest = path;
        while let [first, after @ ..] = rest {
            match first.as_str() {
                "crate" => base.clear(),
                "super" => drop(base.pop()),
                "self" => {}
                _ => break,
            }
            rest = after;
        }
        let is_relative = rest.len() < path.len();
        let first = rest.first()?;
        let child = [&base[..], &rest[..1]].concat();
        if is_relative || self.sources.contains_key(&child) {
            base.extend_from_slice(rest);
            return Some(base);
        }
        let meant = self.sources.get(module)?.aliases.get(first)?;
        if meant.first() == Some(first) {
            return None;
        }
        let mut meant = self.absolute(module, meant)?;
        meant.extend_from_slice(&rest[1..]);
        Some(meant)
    }

    /// The module that defines what a path names, through the names that modules give on.
    fn module_of(&self, path: &[String], depth: usize) -> Module {
        let is_module = |end: &usize| self.sources.contains_key(&path[..*end]);
        let end = (0..=path.len()).rev().find(is_module).unwrap_or(0);
        let module = path[..end].to_vec();
        let meant = path.get(end).and_then(|name| {
            let meant = self.sources.get(&module)?.aliases.get(name)?;
            let mut meant = self.absolute(&module, meant)?;
            meant.extend_from_slice(&path[end + 1..]);
            Some(meant).filter(|meant| *meant != path && depth < MOST_NAMES)
        });
        match meant {
            Some(meant) => self.module_of(&meant, depth + 1),
            None => module,
        }
    }

    /// Which of the modules directly below one use which of the others, and where.
    pub fn siblings(&self, parent: &[String]) -> BTreeMap<(&str, &str), &str> {
        let mut arrows = BTreeMap::new();
        let child = |module: &'_ Module| module.starts_with(parent) && module.len() > parent.len();
        for ((user, used), place) in &self.uses {
            if !child(user) || !child(used) {
                continue;
            }
            let (user, used) = (&user[parent.len()], &used[parent.len()]);
            if user != used {
                arrows
                    .entry((user.as_str(), used.as_str()))
                    .or_insert(place.as_str());
            }
        }
        arrows
    }

    /// The modules that have others below them.
    pub fn parents(&self) -> BTreeSet<Module> {
        let above = |module: &Module| module[..module.len().saturating_sub(1)].to_vec();
        self.sources.keys().map(above).collect()
    }
}

/// The arrows that are part of a circle, or between two.
pub fn circles<'m>(mut arrows: BTreeMap<(&'m str, &'m str), &'m str>) -> Vec<String> {
    loop {
        let users: BTreeSet<&str> = arrows.keys().map(|(user, _)| *user).collect();
        let used: BTreeSet<&str> = arrows.keys().map(|(_, used)| *used).collect();
        let before = arrows.len();
        arrows.retain(|(user, target), _| used.contains(user) && users.contains(target));
        if arrows.len() == before {
            let arrows = arrows.iter();
            return arrows
                .map(|((user, used), place)| format!("`{user}` uses `{used}` in {place}"))
                .collect();
        }
    }
}
