//! `_headers`, and in [`redirects`] `_redirects`: Netlify and Cloudflare both read them, with
//! differences.
//!
//! If two rules set the same field, both hosts may join the values, so patterns do not overlap.
//! Where an exception overlaps a pattern, `! Field` removes the pattern's value on Cloudflare;
//! Netlify ignores that line.

pub(super) mod lines;
pub(super) mod redirects;

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::encoding::encode_path;

use super::rules::{ASSETS, Fields, Rules, Template};
use crate::policy;
use lines::{Block, Blocks, PathPattern};

/// Up to this many resources with one suffix are listed individually if one of them is an
/// exception.
const FEW: usize = 12;

/// Cloudflare's name for the part that `*` matched.
const SPLAT: &str = ":splat";

/// The dialect of `_headers`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// The common subset: no captured parts.
    Common,
    /// Cloudflare: `:splat` in values.
    Cloudflare,
}

/// The rules of a `_headers` file.
pub(super) fn blocks(rules: &Rules<'_>, dialect: Dialect) -> Blocks {
    let base = rules.encoded("");
    let mut writer = Writer {
        rules,
        dialect,
        base: &base,
        blocks: Blocks::default(),
    };
    writer.all();
    writer.blocks
}

struct Writer<'a> {
    rules: &'a Rules<'a>,
    dialect: Dialect,
    base: &'a str,
    blocks: Blocks,
}

/// The fields of a rule: name, value, and whether every response has another value.
type Said = Vec<(&'static str, String)>;

impl<'a> Writer<'a> {
    fn all(&mut self) {
        let (rules, base) = (self.rules, self.base);
        self.block(&PathPattern::below(base, ""), &rules.everywhere, &[]);
        let home = self.exception("/index.html").unwrap_or(&rules.html);
        self.whole(
            &PathPattern::exactly(&format!("{base}/")),
            home,
            &self.rules.page("/index.html"),
        );
        for (suffix, end, fields) in [
            ("html", ".html", &rules.html),
            ("md", ".md", &rules.markdown),
        ] {
            self.whole(
                &PathPattern::below(base, end),
                fields,
                &format!("{base}/{SPLAT}"),
            );
            self.exceptions(suffix, fields);
        }
        self.documents();
        for route in rules.at_root() {
            self.at_root(&route.path());
        }
    }

    /// The pages with fields that differ from those of their form.
    fn exceptions(&mut self, suffix: &str, fields: &Fields) {
        for (path, exception) in &self.rules.exceptions {
            if spelled_suffix(path) == suffix {
                self.beside(path, exception, fields);
            }
        }
    }

    /// A document also served at the origin's root, outside the site's patterns.
    fn at_root(&mut self, path: &str) {
        let predicted = self.rules.predicted(path);
        let own = self.fields(self.exception(path).unwrap_or(&predicted), "");
        let mut all = self.rules.everywhere.clone();
        all.retain(|(field, _)| {
            !own.iter()
                .any(|(other, value)| other == field && !value.is_empty())
        });
        all.extend(own);
        self.block(&PathPattern::exactly(path), &all, &[]);
    }

    /// Adds a rule for a path. Omits fields without a value, and removes some that another rule
    /// sets.
    fn block(
        &mut self,
        place: &PathPattern,
        fields: &[(&'static str, String)],
        back: &[&'static str],
    ) {
        let mut block = Block::default();
        for (field, value) in fields {
            if back.contains(field) {
                block.unset(field);
            }
            block.set(field, value);
        }
        self.blocks.add(place, block);
    }

    /// Adds a rule with all fields. `page`: how the page's path is written in `Link`.
    fn whole(&mut self, place: &PathPattern, fields: &Fields, page: &str) {
        let mut back = Vec::new();
        for (field, own) in policy::KIND_FIELDS.into_iter().zip(&fields.own) {
            // Otherwise every response has these.
            if own.is_some() && !self.rules.everywhere(field).is_empty() {
                back.push(field);
            }
        }
        self.block(place, &self.fields(fields, page), &back);
    }

    fn fields(&self, fields: &Fields, page: &str) -> Said {
        // Every host knows the types of pictures, audio, video and fonts, in any case of the
        // suffix.
        let known = ["image/", "audio/", "video/", "font/"]
            .iter()
            .any(|kind| fields.media_type.starts_with(kind));
        let mut said = vec![
            (
                "Content-Type",
                if known {
                    String::new()
                } else {
                    fields.media_type.clone()
                },
            ),
            ("Cache-Control", fields.cache_control.to_string()),
            ("Vary", fields.vary.to_owned()),
        ];
        for (field, own) in policy::KIND_FIELDS.into_iter().zip(&fields.own) {
            said.push((field, own.as_deref().unwrap_or_default().to_owned()));
        }
        said.push(("Link", self.link(fields.link.as_ref(), page)));
        said
    }

    fn link(&self, link: Option<&Template>, page: &str) -> String {
        match (link, self.dialect) {
            (None, _) => String::new(),
            (Some(link), Dialect::Common) if page.ends_with(SPLAT) => {
                link.constant().unwrap_or_default()
            }
            (Some(link), Dialect::Common | Dialect::Cloudflare) => link.with(page),
        }
    }

    /// A rule for one resource that overlaps a pattern: removes and sets the fields that differ.
    fn beside(&mut self, path: &str, exception: &Fields, pattern: &Fields) {
        let page = self.rules.page(path);
        let (own, theirs) = (self.fields(exception, &page), self.fields(pattern, &page));
        if own == theirs {
            return;
        }
        let mut block = Block::default();
        for ((field, value), (_, other)) in own
            .iter()
            .zip(&theirs)
            .filter(|((_, value), (_, other))| value != other)
        {
            if !other.is_empty() || self.rules.everywhere.iter().any(|(name, _)| name == field) {
                block.unset(field);
            }
            block.set(field, value);
        }
        self.blocks
            .add(&PathPattern::exactly(&self.rules.encoded(path)), block);
    }

    /// Everything except pages, by suffix.
    fn documents(&mut self) {
        let mut by_suffix: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for resource in &self.rules.edition.resources {
            let suffix = spelled_suffix(&resource.path);
            if !matches!(suffix, "html" | "md") {
                by_suffix.entry(suffix).or_default().push(&resource.path);
            }
        }
        for (suffix, paths) in by_suffix {
            self.suffix(suffix, &paths);
        }
    }

    fn exactly(&mut self, path: &str) {
        let predicted = self.rules.predicted(path);
        self.whole(
            &PathPattern::exactly(&self.rules.encoded(path)),
            self.exception(path).unwrap_or(&predicted),
            "",
        );
    }

    /// Everything with one suffix: by pattern, or individually if there are few and a pattern would
    /// not fit all.
    fn suffix(&mut self, suffix: &str, paths: &[&str]) {
        let end = encode_path(&format!(".{suffix}"));
        let has_exception = paths.iter().any(|path| self.exception(path).is_some());
        if suffix.is_empty() || lines::is_pattern(&end) || (has_exception && paths.len() <= FEW) {
            for path in paths {
                self.exactly(path);
            }
            return;
        }
        let (assets, files): (Vec<&str>, Vec<&str>) =
            paths.iter().partition(|path| path.starts_with(ASSETS));
        if let Some(asset) = assets.first() {
            let fields = self.rules.predicted(asset);
            self.whole(
                &PathPattern::below(&format!("{}/_", self.base), &end),
                &fields,
                "",
            );
        }
        let Some(file) = files.first() else { return };
        let fields = self.rules.predicted(file);
        if assets.is_empty() {
            self.whole(&PathPattern::below(self.base, &end), &fields, "");
        } else {
            self.beside_assets(&end, &files, &fields);
        }
        for path in &files {
            if let Some(exception) = self.exception(path) {
                self.beside(path, exception, &fields);
            }
        }
    }

    /// Files with a suffix that assets also have. A pattern over the whole site would overlap the
    /// assets', so there is one for each top folder.
    fn beside_assets(&mut self, end: &str, files: &[&str], fields: &Fields) {
        let (inside, top): (Vec<&str>, Vec<&str>) =
            files.iter().partition(|path| path[1..].contains('/'));
        let folders: BTreeSet<&str> = inside
            .iter()
            .filter_map(|path| path[1..].split('/').next())
            .collect();
        for folder in folders {
            self.whole(
                &PathPattern::below(&self.rules.encoded(&format!("/{folder}")), end),
                fields,
                "",
            );
        }
        for path in top {
            self.exactly(path);
        }
    }

    fn exception(&self, path: &str) -> Option<&'a Fields> {
        let exceptions = &self.rules.exceptions;
        exceptions
            .binary_search_by(|(other, _)| (*other).cmp(path))
            .ok()
            .map(|place| &exceptions[place].1)
    }
}

/// The suffix of a path's last segment, case preserved.
fn spelled_suffix(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, suffix)| suffix)
}
