//! What explains a reference without a target: another part of a larger site, a folder that is not
//! here, a text in another language.

use rustc_hash::FxHashSet;

use super::{lookup::Origin, table::LinkTable, target::Resolved};
use crate::library::files;
use crate::library::paths::{
    Address, bare, below, decoded, folder, inside, is_number, is_of_section, join,
};
use crate::model::{
    document::{POST, REF, Reference, ReferenceKind, Target},
    problem::{Cause, Problem},
    text::shorten,
};

/// The suffixes of programs that may make a page.
const PROGRAMS: [&str; 6] = ["tsx", "jsx", "ts", "js", "vue", "svelte"];
/// The subject of links to addresses that begin with a year.
const YEARS: &str = "/<year>/";

const SET_ORIGIN: &str = "set `links.origin` to the address of that site";
const SET_BOTH: &str = "set `links.origin` to the address of that site, and `links.prefix` to this folder's place in it";

/// The problem of a reference without a target.
pub fn broken(shown: &str, is_file: bool) -> Problem {
    if is_file {
        Problem::warning(format!("missing image or file: `{shown}`")).cause(Cause::File)
    } else {
        Problem::warning(format!("broken link: `{shown}`")).cause(Cause::Link)
    }
}

impl LinkTable<'_> {
    /// A reference without a target so far: a section may have it.
    pub fn nothing(
        &self,
        origin: &Origin<'_>,
        reference: &Reference,
        written: &str,
        hint: Option<String>,
    ) -> Resolved {
        let missing = self.missing(origin, reference, written, hint);
        let is_link = reference.kind == ReferenceKind::Link;
        match self.section(origin, reference.raw.trim()) {
            Some(target) if is_link && missing.problem.is_some() => Resolved {
                target,
                is_section: true,
                ..missing
            },
            _ => missing,
        }
    }

    /// The page or feed of a section at this address, if there will be one.
    fn section(&self, origin: &Origin<'_>, raw: &str) -> Option<Target> {
        let raw = self.on_this_site(raw).unwrap_or(raw);
        let path = decoded(Address::parse(raw).path);
        let readings = self.absolute(origin, &path);
        let below = readings.iter().find(|path| is_of_section(path))?;
        let path = format!("/{}", below.trim_matches('/'));
        if path.ends_with(".rss") {
            return Some(Target::File {
                path: path.into(),
                suffix: String::new(),
                size: None,
            });
        }
        Some(Target::Page {
            stem: bare(&path).into(),
            fragment: None,
        })
    }

    /// A reference without a target here. `written` is how the author wrote it.
    pub fn missing(
        &self,
        origin: &Origin<'_>,
        reference: &Reference,
        written: &str,
        hint: Option<String>,
    ) -> Resolved {
        let raw = reference.raw.trim();
        if let Some(larger) = self.on_larger_site(origin, reference) {
            return Resolved::to(Target::Url(larger));
        }
        let shown = shorten(written, 200);
        let path = raw.split(['?', '#']).next().unwrap_or_default();
        if hint.is_none() && join(folder(origin.source), path).is_none() {
            let message = format!("the link `{shown}` leads out of the folder");
            return Resolved::broken(Problem::warning(message).cause(Cause::LinkOutside));
        }
        let is_file = matches!(reference.kind, ReferenceKind::Media | ReferenceKind::Player);
        let problem = broken(&shown, is_file);
        Resolved::broken(match hint {
            Some(hint) => problem.hint(hint),
            None => self.explained(problem, origin, reference),
        })
    }

    fn on_larger_site(&self, origin: &Origin<'_>, reference: &Reference) -> Option<String> {
        let raw = reference.raw.trim();
        if reference.kind != ReferenceKind::Link {
            return None;
        }
        self.of_larger_site(raw)
            .or_else(|| self.above_prefix(origin, raw))
    }

    /// A broken link, with the likely reason.
    fn explained(
        &self,
        mut problem: Problem,
        origin: &Origin<'_>,
        reference: &Reference,
    ) -> Problem {
        let raw = reference.raw.trim();
        let is_link = reference.kind == ReferenceKind::Link;
        if is_link && let Some(program) = self.program(origin, raw) {
            problem = problem.hint(format!(
                "`{program}` is a program, so its page is not published"
            ));
        } else if is_link && let Some((tag, source)) = self.in_other_language(origin, raw) {
            problem = problem
                .cause(Cause::LinkToOtherLanguage)
                .subject(tag)
                .hint(format!("`{source}` is the text in another language"));
        } else if is_link && let Some((part, settings)) = self.part_of_larger_site(origin, raw) {
            problem = problem
                .cause(Cause::LinkToLargerSite)
                .subject(part)
                .hint(format!(
                    "if this folder is part of a larger site, {settings}"
                ));
        } else if let Some(part) = self.shared_part(origin, reference) {
            if is_link && part == YEARS && self.publication.site.links.origin.is_none() {
                problem = problem.hint(format!("if these texts are on another site, {SET_ORIGIN}"));
            }
            problem = problem.subject(part);
        }
        problem
    }

    /// The program that makes the page at an address, in a folder of pages.
    fn program(&self, origin: &Origin<'_>, raw: &str) -> Option<String> {
        let plan = &self.publication.plan;
        let folders = plan.mounts.iter().map(|mount| &mount.folder);
        let folders: Vec<&String> = folders.chain(&plan.kind.scope.content).collect();
        let paths = self.absolute(origin, &decoded(Address::parse(raw).path));
        let pages = paths.iter().flat_map(|path| {
            let path = path.trim_matches('/');
            folders.iter().map(move |folder| inside(folder, path))
        });
        let stems = pages.flat_map(|page| [inside(&page, "index"), page]);
        let mut files = stems.flat_map(|stem| {
            let suffixes = PROGRAMS.iter().chain(plan.kind.dialect.sources);
            suffixes.map(move |suffix| format!("{stem}.{suffix}"))
        });
        files.find(|path| files::position(self.publication.sources, path).is_some())
    }

    /// The address on the larger site of a relative path that leads above the folder's own place
    /// there.
    fn above_prefix(&self, origin: &Origin<'_>, raw: &str) -> Option<String> {
        let links = &self.publication.site.links;
        let (site, prefix) = (links.origin.as_deref()?, links.prefix.as_deref()?);
        if !raw.starts_with("../") {
            return None;
        }
        let end = raw.find(['?', '#']).unwrap_or(raw.len());
        let (path, rest) = raw.split_at(end);
        let place = inside(
            prefix.trim_matches('/'),
            folder(self.publication.plan.site_path(origin.source)),
        );
        let leads = join(&place, path)?;
        let is_own = below(&format!("{leads}/"), prefix.trim_matches('/')).is_some();
        let slash = if path.ends_with('/') { "/" } else { "" };
        (!is_own).then(|| format!("{site}/{leads}{slash}{rest}"))
    }

    /// The part of a larger site that a path names, if no origin is set: its first folder, in which
    /// nothing of this folder is. And the settings that would say where it is.
    fn part_of_larger_site(
        &self,
        origin: &Origin<'_>,
        raw: &str,
    ) -> Option<(String, &'static str)> {
        if self.publication.site.links.origin.is_some() {
            return None;
        }
        let path = Address::parse(raw).path;
        if let Some(rooted) = path.strip_prefix('/') {
            let (part, _) = rooted.split_once('/')?;
            return (!self.is_own_part(part)).then(|| (first_folder(part), SET_ORIGIN));
        }
        let place = folder(self.publication.plan.site_path(origin.source));
        let is_above = path.starts_with("../") && join(place, path).is_none();
        let (part, _) = path.trim_start_matches("../").split_once('/')?;
        (is_above && !self.folders().contains(part)).then(|| (format!("../{part}/"), SET_BOTH))
    }

    fn is_own_part(&self, part: &str) -> bool {
        let parts = self.parts.get_or_init(|| self.all_parts());
        part.is_empty()
            || parts.contains(part)
            || is_year(part) && parts.iter().any(|part| is_year(part))
    }

    /// What a broken path may have in common with others: its first folder, or, in a path from its
    /// file, the first folder that does not exist.
    fn shared_part(&self, origin: &Origin<'_>, reference: &Reference) -> Option<String> {
        if matches!(reference.kind, ReferenceKind::Wiki | ReferenceKind::Embed) {
            return None;
        }
        let raw = reference.raw.trim();
        // These name a text, not a path.
        if raw.starts_with(POST) || raw.starts_with(REF) {
            return None;
        }
        let path = decoded(Address::parse(raw).path);
        if let Some(rooted) = path.strip_prefix('/') {
            let (part, _) = rooted.split_once('/')?;
            return (!part.is_empty()).then(|| first_folder(part));
        }
        let path = join(folder(origin.source), &path)?;
        let mut ends = path.match_indices('/').map(|(end, _)| &path[..end]);
        let gone = ends.find(|folder| !self.folders().contains(*folder))?;
        Some(format!("{gone}/"))
    }

    /// The text that a path names, in another language than the path and than the default one: its
    /// language and source.
    fn in_other_language(&self, origin: &Origin<'_>, raw: &str) -> Option<(String, &str)> {
        let path = decoded(Address::parse(raw).path);
        let readings = self.absolute(origin, &path);
        let mut paths = readings
            .iter()
            .flat_map(|path| self.fallbacks.in_other_languages(path));
        paths.find_map(|path| {
            let path = path.trim_matches('/');
            let item = self.at_root(origin, path, true)?;
            let page = self.page(item)?;
            Some((
                page.metadata.language.value.clone(),
                &*self.items[item].source,
            ))
        })
    }

    /// The first folders of everything here.
    fn all_parts(&self) -> FxHashSet<String> {
        let sources = self.items.iter().map(|item| &*item.source);
        let rooted = sources.flat_map(|source| {
            let below = self.roots.iter().filter_map(|root| below(source, root));
            below.chain([source]).map(first_part)
        });
        let addresses = self.paths.all_addresses().map(first_part);
        rooted.chain(addresses).map(str::to_owned).collect()
    }

    /// All folders that hold a file.
    fn folders(&self) -> &FxHashSet<String> {
        self.folders.get_or_init(|| {
            let mut all = FxHashSet::default();
            for item in &self.items {
                let mut above = folder(&item.source);
                while !above.is_empty() && all.insert(above.to_owned()) {
                    above = folder(above);
                }
            }
            all
        })
    }
}

/// `/windows/`; years are not distinguished.
fn first_folder(part: &str) -> String {
    if is_year(part) {
        YEARS.to_owned()
    } else {
        format!("/{part}/")
    }
}

fn is_year(part: &str) -> bool {
    part.len() == 4 && is_number(part) && (part.starts_with("19") || part.starts_with("20"))
}

fn first_part(path: &str) -> &str {
    let path = path.trim_start_matches('/');
    path.split('/').next().unwrap_or_default()
}
