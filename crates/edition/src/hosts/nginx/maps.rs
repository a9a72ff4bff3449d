//! The file of the `http` block: maps from request and response to header values.

use super::super::Written;
use super::super::config_file::{ConfigFile, Word};
use super::super::pattern::Pattern;
use super::super::rules::{ASSETS, Fields, PREFERS_MARKDOWN, Rules};
use super::words::{Names, key, loose_key, our_key, text, url};
use super::{OWN_MAPS, PREFLIGHT_MAPS};
use crate::policy::{self, CacheRow};

/// The prefix of keys in maps over status and path.
const ANY_STATUS: &str = "^[0-9]*:";
/// The same prefix for successful responses.
const FOUND: &str = "^(?:200|206|304):";

/// A map's key and value.
type MapRow = (Word, Word);

pub(super) fn file(rules: &Rules<'_>, names: Names) -> Written {
    let mut maps = Maps {
        rules,
        names,
        file: ConfigFile::new("    ", ";"),
    };
    maps.write();
    maps.file.finish()
}

struct Maps<'a> {
    rules: &'a Rules<'a>,
    names: Names,
    file: ConfigFile,
}

impl Maps<'_> {
    fn write(&mut self) {
        self.file.comment(
            "nginx, the first of two files: include it in the `http` block. The second, nginx-server.conf, tells how.\n\
             Written by Diglot from the site's settings; the next build replaces it.",
        );
        let asked = self.names.within("{}:$request_uri", "markdown");
        self.map(
            text_of_variables("$http_accept"),
            "markdown",
            &[(loose_key(PREFERS_MARKDOWN), text("1"))],
        );
        self.map(asked, "missing", &self.missing());
        self.map(text_of_variables("$uri"), "twin", &self.twins());
        self.map(
            text_of_variables("$request_uri"),
            "twin_url",
            &self.twin_urls(),
        );
        self.write_fields();
        self.map(
            text_of_variables("$status:$request_uri"),
            "link",
            &self.links(),
        );
        self.map(
            text_of_variables("$request_uri"),
            "twin_link",
            &self.twin_links(),
        );
        self.map(
            text_of_variables("$status"),
            "allow",
            &[(our_key("^(?:204|405)$"), text(policy::ALLOW))],
        );
        self.write_preflight();
    }

    fn write_preflight(&mut self) {
        for (name, (_, value)) in PREFLIGHT_MAPS.into_iter().zip(policy::PREFLIGHT) {
            self.map(
                text_of_variables("$status"),
                name,
                &[(our_key("^204$"), text(value))],
            );
        }
    }

    /// Writes the header fields that depend on the status and the path.
    fn write_fields(&mut self) {
        let site = &self.rules.edition.site;
        let answered = text_of_variables("$status:$uri");
        let cache = self.statuses(
            |fields| &fields.cache_control,
            |row| row.cache_control(site).into(),
        );
        self.map(answered.clone(), "cache", &cache);
        let vary = self.statuses(
            |fields| fields.vary,
            |row| row.vary().unwrap_or_default().to_owned(),
        );
        self.map(answered.clone(), "vary", &vary);
        for (number, name) in OWN_MAPS.into_iter().enumerate() {
            let otherwise = text(self.rules.own(&self.rules.document)[number].1);
            let rows = self.own(number, &otherwise);
            self.map_or(answered.clone(), name, otherwise, &rows);
        }
    }

    fn map(&mut self, source: Word, name: &str, rows: &[MapRow]) {
        self.map_or(source, name, text(""), rows);
    }

    fn map_or(&mut self, source: Word, name: &str, otherwise: Word, rows: &[MapRow]) {
        self.file.gap();
        self.file
            .open("map {} {}", &[source, self.names.definition(name)]);
        self.file.line("default {}", &[otherwise]);
        for (key, value) in rows {
            self.file.line("{} {}", &[key.clone(), value.clone()]);
        }
        self.file.close();
    }

    /// The "not found" page in the negotiated form. For a `.md` path it is always Markdown.
    fn missing(&self) -> [MapRow; 2] {
        let markdown = our_key(r"^(?:1:|:[^?]*\.md(?:\?|$))");
        [
            (markdown, text(&self.rules.path("/404.md"))),
            (our_key(""), text(&self.rules.path("/404.html"))),
        ]
    }

    /// From a `.html` path to its twin's path.
    fn twins(&self) -> [MapRow; 2] {
        let page = self
            .captured(
                "^",
                "page",
                &Pattern::new("").literal(self.rules.base).then("/.*"),
            )
            .then(r"\.html$");
        [
            (
                key(&self.rules.below("/$")),
                text(&self.rules.path("/index.md")),
            ),
            (key(&page), self.names.within("{}.md", "page")),
        ]
    }

    /// From a page's requested path to its twin's.
    fn twin_urls(&self) -> [MapRow; 2] {
        let home = Pattern::new("^")
            .and(&self.rules.requested_base())
            .then(r"/(?:\?.*)?$");
        let page = self
            .captured("^", "page", &self.rules.requested_page())
            .then(r"\.html(?:\?.*)?$");
        [
            (
                key(&home),
                url(&self.rules.edition.site.base.rooted("/index.md")),
            ),
            (key(&page), self.names.within("{}.md", "page")),
        ]
    }

    /// A constant pattern, then a part captured under a site-specific name.
    fn captured(&self, before: &'static str, name: &str, part: &Pattern) -> Pattern {
        Pattern::new(before)
            .then("(?<")
            .literal(&self.names.name(name))
            .then(">")
            .and(part)
            .then(")")
    }

    /// A field by status and path: errors and redirects, then exceptions, then patterns.
    fn statuses<'f>(
        &'f self,
        of: impl Fn(&'f Fields) -> &'f str,
        of_row: impl Fn(CacheRow) -> String,
    ) -> Vec<MapRow> {
        let mut rows = Vec::new();
        let kinds = [
            ("^30[18]:", CacheRow::Redirect),
            (r"^(?:404|410):.*\.md$", CacheRow::Absent),
            ("^(?:404|410):", CacheRow::AbsentHtml),
            ("^(?:4|5)", CacheRow::Refused),
        ];
        for (key, row) in kinds {
            rows.push((our_key(key), text(&of_row(row))));
        }
        self.by_path(&mut rows, of);
        rows
    }

    /// A field of [`policy::KIND_FIELDS`] by status and path. Errors use the path of the page that they
    /// show.
    fn own(&self, number: usize, otherwise: &Word) -> Vec<MapRow> {
        let mut rows = vec![(
            our_key("^(?:204|30[18]|40[05]|41[2-9]|42|43|5)"),
            otherwise.clone(),
        )];
        self.by_path(&mut rows, |fields| self.rules.own(fields)[number].1);
        rows
    }

    /// A field by path: exceptions, then assets, pages and suffixes, then the rest.
    fn by_path<'f>(&'f self, rows: &mut Vec<MapRow>, of: impl Fn(&'f Fields) -> &'f str) {
        let rules = self.rules;
        let below = || Pattern::new(ANY_STATUS).literal(rules.base);
        for (path, fields) in &rules.exceptions {
            if of(fields) != of(rules.class_of(path)) {
                rows.push((key(&below().literal(path).then("$")), text(of(fields))));
            }
        }
        for (pattern, fields) in [
            (ASSETS, &rules.asset),
            (r"/.*\.html$", &rules.html),
            (r"/.*\.md$", &rules.markdown),
        ] {
            rows.push((key(&below().then(pattern)), text(of(fields))));
        }
        for (suffix, fields) in &rules.suffixes {
            if of(fields) != of(&rules.document) {
                rows.push((
                    key(&below().then(r"/.*\.(?i:").literal(suffix).then(")$")),
                    text(of(fields)),
                ));
            }
        }
        rows.push((our_key(ANY_STATUS), text(of(&rules.document))));
    }

    /// `Link` by the requested path, which is already encoded; only for successful responses.
    fn links(&self) -> Vec<MapRow> {
        let rules = self.rules;
        let mut rows = Vec::new();
        for (path, fields) in &rules.exceptions {
            if fields.link != rules.class_of(path).link {
                let link = fields.link.as_ref();
                let value = link.map(|link| link.with(&rules.page(path)));
                self.exact_link(&mut rows, FOUND, path, &value.unwrap_or_default());
            }
        }
        rows.extend(self.links_of_classes());
        rows
    }

    /// The links of the pages without a rule of their own.
    fn links_of_classes(&self) -> Vec<MapRow> {
        let rules = self.rules;
        let mut rows = Vec::new();
        for (fields, name, end) in [
            (&rules.html, "html", r"\.html(?:\?.*)?$"),
            (&rules.markdown, "md", r"\.md(?:\?.*)?$"),
        ] {
            if let Some(link) = &fields.link {
                let page = self
                    .captured(FOUND, name, &rules.requested_page())
                    .then(end);
                rows.push((key(&page), self.names.between(link.parts(), name)));
            }
        }
        rows
    }

    /// `Link` of Markdown at a `.html` path: that of the twin.
    fn twin_links(&self) -> Vec<MapRow> {
        let rules = self.rules;
        let mut rows = Vec::new();
        for (path, fields) in rules.other_twin_links() {
            if let Some(link) = &fields.link {
                let html = format!("{}html", path.trim_end_matches("md"));
                self.exact_link(&mut rows, "^", &html, &link.with(&rules.page(path)));
            }
        }
        if let Some(link) = &rules.markdown.link {
            let page = self
                .captured("^", "asked", &rules.requested_page())
                .then(r"\.html(?:\?.*)?$");
            rows.push((key(&page), self.names.between(link.parts(), "asked")));
        }
        rows
    }

    /// `Link` of the page at one path, with or without a query; for the home page, at both of its
    /// paths.
    fn exact_link(&self, rows: &mut Vec<MapRow>, before: &'static str, path: &str, value: &str) {
        let mut addresses = vec![self.rules.encoded(path)];
        if path == "/index.html" {
            addresses.push(self.rules.edition.site.base.rooted("/"));
        }
        for address in addresses {
            rows.push((
                key(&Pattern::new(before).literal(&address).then(r"(?:\?.*)?$")),
                url(value),
            ));
        }
    }
}

/// The source of a map, made of nginx variables.
fn text_of_variables(source: &'static str) -> Word {
    Word::new(format!("\"{source}\""), true)
}
