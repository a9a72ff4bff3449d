//! nginx: two files, because maps belong to the `http` block and locations to a `server` block.
//!
//! Header fields are set once for the whole server, from maps over the final status and path: an
//! `add_header` inside a location would drop all others.

mod maps;
mod words;

use std::collections::BTreeSet;

use super::Written;
use super::config_file::{ConfigFile, Word};
use super::losses::{Host, lost};
use super::pattern::Pattern;
use super::rules::{HIDDEN, Rules, UNKNOWN};
use crate::policy::{self, CacheRow};
use words::{Names, literal, numbered, pattern, text, url};

/// The maps for the fields of a preflight response, in the order of [`policy::PREFLIGHT`].
const PREFLIGHT_MAPS: [&str; 3] = ["methods", "fields", "age"];

/// The maps for the fields of [`policy::KIND_FIELDS`].
const OWN_MAPS: [&str; policy::KIND_FIELDS.len()] = ["own0", "own1"];

/// The files for the `http` block and the `server` block.
pub(super) fn files(rules: &Rules<'_>) -> (Written, Written) {
    let names = Names::new(&rules.edition.site.base.to_string());
    let server = Server {
        rules,
        names: names.clone(),
        file: ConfigFile::new("    ", ";"),
        locations: BTreeSet::new(),
    };
    (maps::file(rules, names), server.write())
}

/// The file of the `server` block under construction.
struct Server<'a> {
    rules: &'a Rules<'a>,
    names: Names,
    file: ConfigFile,
    /// The exact locations so far: nginx rejects duplicates.
    locations: BTreeSet<String>,
}

impl Server<'_> {
    fn write(mut self) -> Written {
        let rules = self.rules;
        self.head();
        self.fields();
        self.types();
        self.file.gap();
        self.file
            .ours("if ($request_method = OPTIONS) {\n    return 204;\n}");
        self.file
            .line("error_page 404 410 {}", &[self.names.value("missing")]);
        self.file.gap();
        self.many();
        self.pages();
        self.twin();
        self.other_types();
        for hidden in HIDDEN {
            self.exact(&rules.path(hidden), "return 404", &[]);
        }
        self.file
            .open("location ^~ {}", &[literal(&rules.path(super::PREFIX))]);
        self.file.line("return 404", &[]);
        self.file.close();
        self.old_addresses();
        self.file.finish()
    }

    fn old_addresses(&mut self) {
        let rules = self.rules;
        for redirect in rules.single() {
            let path = rules.path(redirect.old);
            self.exact(&path, "return 301 {}", &[url(&redirect.url)]);
        }
        for gone in &rules.gone {
            self.exact(&rules.path(gone), "return 410", &[]);
        }
    }

    /// Patterns of old addresses. The first location whose expression fits is taken.
    fn many(&mut self) {
        for group in &self.rules.many {
            let before = self.rules.path(&group.before);
            let from = group.pattern(Pattern::new("^"), &format!("{before}/"));
            if self.file.open("location ~ {}", &[pattern(&from)]) {
                self.file.line("return 301 {}", &[numbered(&group.parts())]);
                self.file.close();
            }
        }
    }

    fn head(&mut self) {
        let (file, base, folder) = (&mut self.file, self.rules.base, super::FOLDER);
        file.comment(&format!(
            "nginx, the second of two files:\n\n  include /srv/site{base}{folder}/nginx-http.conf;\n  server {{\n      server_name example.org;\n      \
             root /srv/site;\n      include /srv/site{base}{folder}/nginx-server.conf;\n  }}\n\n"
        ));
        if !base.is_empty() {
            file.comment(&format!(
                "The exported folder is installed as `{base}` below the root."
            ));
        }
        file.comment(&format!(
            "Lost against `diglot serve`: {}.",
            lost(Host::Nginx)
        ));
        file.comment("Written by Diglot from the site's settings; the next build replaces it.");
        file.gap();
        file.ours(
            "absolute_redirect off;\nif_modified_since before;\nmax_ranges 1;\ngzip_static on;",
        );
        file.comment("With the module ngx_brotli, and files made by `diglot build --compress`:\nbrotli_static on;");
        file.gap();
    }

    /// Adds a location of exactly this decoded path with one directive, unless the path has one.
    fn exact(&mut self, path: &str, template: &'static str, words: &[Word]) {
        if self.open_exact(path) {
            self.file.line(template, words);
            self.file.close();
        }
    }

    /// Opens a location of exactly this decoded path, unless the path has one.
    fn open_exact(&mut self, path: &str) -> bool {
        self.locations.insert(path.to_owned()) && self.file.open("location = {}", &[literal(path)])
    }

    /// The fields of every response: constant ones, and those from the maps.
    fn fields(&mut self) {
        for (field, value) in self.rules.shared() {
            self.file
                .line("add_header {} {} always", &[Word::ours(field), text(value)]);
        }
        let mapped = [
            ("Cache-Control", "cache"),
            ("Vary", "vary"),
            ("Link", "link"),
            ("Allow", "allow"),
        ];
        let own = policy::KIND_FIELDS.into_iter().zip(OWN_MAPS);
        let preflight = policy::PREFLIGHT
            .map(|(field, _)| field)
            .into_iter()
            .zip(PREFLIGHT_MAPS);
        for (field, map) in mapped.into_iter().chain(own).chain(preflight) {
            self.file.line(
                "add_header {} {} always",
                &[Word::ours(field), self.names.value(map)],
            );
        }
    }

    fn types(&mut self) {
        let (rules, file) = (self.rules, &mut self.file);
        file.gap();
        file.open("types", &[]);
        file.line("{} html", &[literal(&rules.html.media_type)]);
        file.line("{} md", &[literal(&rules.markdown.media_type)]);
        for (suffix, fields) in &rules.suffixes {
            file.line("{} {}", &[literal(&fields.media_type), literal(suffix)]);
        }
        file.close();
        file.line("default_type {}", &[Word::ours(UNKNOWN)]);
    }

    /// Locations of pages, negotiated if they have a twin, and of everything else.
    fn pages(&mut self) {
        let rules = self.rules;
        if self.open_exact(&rules.path("/")) {
            self.negotiated();
            self.file
                .line("try_files {} =404", &[text(&rules.path("/index.html"))]);
            self.file.close();
        }
        self.file
            .open("location ~ {}", &[pattern(&rules.below(r"/.*\.html$"))]);
        self.negotiated();
        self.file.line("try_files $uri =404", &[]);
        self.file.close();
        self.file.open("location {}", &[literal(&rules.path("/"))]);
        self.file.line("try_files $uri =404", &[]);
        self.file.close();
    }

    /// Rewrites to the twin if the client prefers Markdown. Only directives of the rewrite module
    /// work inside an `if`. A page without a twin is not negotiated.
    fn negotiated(&mut self) {
        let (file, names) = (&mut self.file, &self.names);
        file.line("error_page 404 {}", &[names.value("missing")]);
        file.line("error_page 418 = {}", &[names.location("at")]);
        file.line("set $form {}", &[names.value("markdown")]);
        file.open("if (!-f {} )", &[names.within("$document_root{}", "twin")]);
        file.line("set $form \"\"", &[]);
        file.close();
        file.open("if ($form)", &[]);
        file.line("return 418", &[]);
        file.close();
    }

    /// Markdown at a `.html` path: not cached, without `Last-Modified`.
    fn twin(&mut self) {
        let (rules, file, names) = (self.rules, &mut self.file, &self.names);
        let row = CacheRow::NegotiatedMarkdown;
        file.open("location {}", &[names.location("at")]);
        file.line("error_page 404 {}", &[names.value("missing")]);
        file.line("if_modified_since off", &[]);
        file.line("add_header Last-Modified \"\"", &[]);
        for (field, value) in rules.shared() {
            file.line("add_header {} {}", &[Word::ours(field), text(value)]);
        }
        file.line(
            "add_header Cache-Control {}",
            &[text(&row.cache_control(&rules.edition.site))],
        );
        file.line(
            "add_header Vary {}",
            &[text(row.vary().unwrap_or_default())],
        );
        file.line("add_header Link {}", &[names.value("twin_link")]);
        file.line("add_header Content-Location {}", &[names.value("twin_url")]);
        for (field, value) in rules.own(&rules.markdown) {
            file.line("add_header {} {}", &[Word::ours(field), text(value)]);
        }
        file.line("try_files {} =404", &[names.value("twin")]);
        file.close();
    }

    /// Resources whose media type differs from their suffix's, and those also served at the
    /// origin's root.
    fn other_types(&mut self) {
        let rules = self.rules;
        for (path, media_type) in rules.other_media_types() {
            self.typed(&rules.path(path), media_type, Word::ours("$uri"));
        }
        for route in rules.at_root() {
            self.typed(
                &route.path(),
                route.media_type(),
                text(&rules.path(&route.path())),
            );
        }
    }

    fn typed(&mut self, path: &str, media_type: &str, file: Word) {
        if self.open_exact(path) {
            self.file.ours("types {\n}");
            self.file.line("default_type {}", &[literal(media_type)]);
            self.file.line("try_files {} =404", &[file]);
            self.file.close();
        }
    }
}
