//! nginx: two files, because maps belong to the `http` block and locations to a `server` block.
//!
//! Header fields are set once, for the whole server, from maps over the final status and path: an `add_header` inside a location would
//! drop all others.

mod conf;

use super::Written;
use super::pattern::{Pattern, literal};
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules, Template, UNKNOWN, URL_PATH, encoded, page_of};
use crate::policy::{self, Row};
use crate::route::Route;
use conf::{Conf, Names, Value, Word, text, url, variable};

/// A row of a map.
type Entry = (Word, Word);

/// Both files: what goes into the `http` block, and what into the `server` block.
pub(super) fn files(rules: &Rules<'_>) -> (Written, Written) {
    let writer = Writer { rules, names: Names::of(&rules.edition.site.base.to_string()), base: rules.edition.site.base.path() };
    (writer.http(), writer.server())
}

/// The maps that fill the fields of a preflight's answer, in the order of [`policy::PREFLIGHT`].
const PREFLIGHT_MAPS: [&str; 3] = ["methods", "fields", "age"];

struct Writer<'a> {
    rules: &'a Rules<'a>,
    names: Names,
    base: &'a str,
}

impl Writer<'_> {
    fn http(&self) -> Written {
        let mut conf = Conf::default();
        conf.comment(
            "nginx, the first of two files: include it in the `http` block. The second, nginx-server.conf, tells how.\n\
             Written by Diglot from the site's settings; the next build replaces it.",
        );
        let asked = Value::default().variable(&self.names.name("markdown")).ours(":$request_uri");
        self.map(&mut conf, Value::default().ours("$http_accept"), "markdown", &[(Word::loose_key(&Pattern::new(PREFERS_MARKDOWN)), text("1"))]);
        self.map(&mut conf, asked, "missing", &self.missing());
        self.map(&mut conf, Value::default().ours("$uri"), "twin", &self.twins());
        self.map(&mut conf, Value::default().ours("$request_uri"), "twin_url", &self.twin_urls());
        let answered = || Value::default().ours("$status:$uri");
        let cache = self.statuses(|fields| fields.cache_control.to_string(), |row| row.cache_control(&self.rules.edition.site).into());
        self.map(&mut conf, answered(), "cache", &cache);
        let vary = self.statuses(|fields| fields.vary.to_owned(), |row| row.vary().unwrap_or_default().to_owned());
        self.map(&mut conf, answered(), "vary", &vary);
        for number in 0..policy::OWN.len() {
            let name = self.names.numbered("own", number);
            self.map_of(&mut conf, answered(), &name, text(self.rules.otherwise(number)), &self.own(number));
        }
        self.map(&mut conf, Value::default().ours("$status:$request_uri"), "link", &self.links());
        self.map(&mut conf, Value::default().ours("$request_uri"), "twin_link", &self.twin_links());
        let status = || Value::default().ours("$status");
        self.map(&mut conf, status(), "allow", &[(Word::key(&Pattern::new("^(?:204|405)$")), text(policy::ALLOW))]);
        for (map, (_, value)) in PREFLIGHT_MAPS.into_iter().zip(policy::PREFLIGHT) {
            self.map(&mut conf, status(), map, &[(Word::key(&Pattern::new("^204$")), text(value))]);
        }
        Written::of(conf.finish())
    }

    fn map(&self, conf: &mut Conf, source: Value, name: &'static str, rows: &[Entry]) {
        self.map_of(conf, source, &self.names.name(name), text(""), rows);
    }

    fn map_of(&self, conf: &mut Conf, source: Value, name: &str, otherwise: Word, rows: &[Entry]) {
        conf.gap();
        conf.block(&[Word::ours("map"), source.into(), Word::variable(name)], |conf| {
            conf.directive(&[Word::ours("default"), otherwise]);
            for (key, value) in rows {
                conf.directive(&[key.clone(), value.clone()]);
            }
        });
    }

    fn server(&self) -> Written {
        let (rules, mut conf) = (self.rules, Conf::default());
        self.head(&mut conf);
        self.everywhere(&mut conf, Some(Word::ours("always")));
        let own = (0..policy::OWN.len()).map(|number| (policy::OWN[number], self.names.numbered("own", number)));
        let mapped =
            [("Cache-Control", "cache"), ("Vary", "vary"), ("Link", "link"), ("Allow", "allow")].map(|(field, map)| (field, self.names.name(map)));
        let preflight = PREFLIGHT_MAPS.into_iter().zip(policy::PREFLIGHT).map(|(map, (field, _))| (field, self.names.name(map)));
        for (field, map) in mapped.into_iter().chain(own).chain(preflight) {
            conf.directive(&[Word::ours("add_header"), Word::ours(field), variable(&map), Word::ours("always")]);
        }
        self.types(&mut conf);
        conf.gap();
        conf.block(&[Word::ours("if"), Word::ours("($request_method = OPTIONS)")], |conf| {
            conf.directive(&[Word::ours("return"), Word::ours("204")]);
        });
        let missing = variable(&self.names.name("missing"));
        conf.directive(&[Word::ours("error_page"), Word::ours("404"), Word::ours("410"), missing]);
        conf.gap();
        self.pages(&mut conf);
        self.twin_location(&mut conf);
        self.exceptions(&mut conf);
        for hidden in HIDDEN {
            conf.exactly(&rules.path(hidden), |conf| conf.directive(&[Word::ours("return"), Word::ours("404")]));
        }
        conf.block(&[Word::ours("location"), Word::ours("^~"), Word::literal(&rules.path(super::PREFIX))], |conf| {
            conf.directive(&[Word::ours("return"), Word::ours("404")]);
        });
        for (old, to) in &rules.moved {
            conf.exactly(&rules.path(old), |conf| conf.directive(&[Word::ours("return"), Word::ours("301"), url(to)]));
        }
        for gone in &rules.gone {
            conf.exactly(&rules.path(gone), |conf| conf.directive(&[Word::ours("return"), Word::ours("410")]));
        }
        Written::of(conf.finish())
    }

    fn head(&self, conf: &mut Conf) {
        let (base, folder) = (self.base, super::FOLDER);
        conf.comment(&format!(
            "nginx, the second of two files:\n\n  include /srv/site{base}{folder}/nginx-http.conf;\n  server {{\n      server_name example.org;\n      \
             root /srv/site;\n      include /srv/site{base}{folder}/nginx-server.conf;\n  }}\n\n"
        ));
        if !base.is_empty() {
            conf.comment(&format!("The exported folder is installed as `{base}` below the root."));
        }
        conf.comment(&format!("Lost against `diglot serve`: {}.", super::losses::lost(super::losses::Host::Nginx)));
        conf.comment("Written by Diglot from the site's settings; the next build replaces it.");
        conf.gap();
        for (name, value) in [("absolute_redirect", "off"), ("if_modified_since", "before"), ("max_ranges", "1"), ("gzip_static", "on")] {
            conf.directive(&[Word::ours(name), Word::ours(value)]);
        }
        conf.comment("With the module ngx_brotli, and files made by `diglot build --compress`:\nbrotli_static on;");
        conf.gap();
    }

    /// The fields that are the same for every answer.
    fn everywhere(&self, conf: &mut Conf, flag: Option<Word>) {
        for (field, value) in self.rules.shared() {
            let words = [Word::ours("add_header"), Word::ours(field), text(value)];
            conf.directive(&words.into_iter().chain(flag.clone()).collect::<Vec<_>>());
        }
    }

    /// Where pages are, negotiated where they have a twin, and everything else.
    fn pages(&self, conf: &mut Conf) {
        let rules = self.rules;
        // Only the rewrite module's own directives stand inside an `if`; what has no twin is not negotiated.
        let negotiated = |conf: &mut Conf| {
            conf.directive(&[Word::ours("error_page"), Word::ours("404"), variable(&self.names.name("missing"))]);
            conf.directive(&[Word::ours("error_page"), Word::ours("418"), Word::ours("="), Word::place(&self.names.name("at"))]);
            conf.directive(&[Word::ours("set"), Word::ours("$form"), variable(&self.names.name("markdown"))]);
            let twin = Value::default().ours("$document_root").variable(&self.names.name("twin"));
            conf.block(&[Word::ours("if"), Word::ours("(!-f"), twin.into(), Word::ours(")")], |conf| {
                conf.directive(&[Word::ours("set"), Word::ours("$form"), text("")]);
            });
            conf.block(&[Word::ours("if"), Word::ours("($form)")], |conf| conf.directive(&[Word::ours("return"), Word::ours("418")]));
        };
        conf.exactly(&rules.path("/"), |conf| {
            negotiated(conf);
            conf.directive(&[Word::ours("try_files"), text(&rules.path("/index.html")), Word::ours("=404")]);
        });
        let html = Pattern::new("^").literal(self.base).then(r"/.*\.html$");
        let file = || [Word::ours("try_files"), Word::ours("$uri"), Word::ours("=404")];
        conf.block(&[Word::ours("location"), Word::ours("~"), Word::pattern(&html)], |conf| {
            negotiated(conf);
            conf.directive(&file());
        });
        conf.block(&[Word::ours("location"), Word::literal(&rules.path("/"))], |conf| conf.directive(&file()));
    }

    /// Markdown at a `.html` address: kept by nobody, told by no date.
    fn twin_location(&self, conf: &mut Conf) {
        let rules = self.rules;
        conf.block(&[Word::ours("location"), Word::place(&self.names.name("at"))], |conf| {
            conf.directive(&[Word::ours("error_page"), Word::ours("404"), variable(&self.names.name("missing"))]);
            conf.directive(&[Word::ours("if_modified_since"), Word::ours("off")]);
            conf.directive(&[Word::ours("add_header"), Word::ours("Last-Modified"), text("")]);
            self.everywhere(conf, None);
            let row = Row::NegotiatedMarkdown;
            let own = (0..policy::OWN.len()).map(|number| (policy::OWN[number], text(rules.own(&rules.markdown, number))));
            let said = [
                ("Cache-Control", text(&row.cache_control(&rules.edition.site))),
                ("Vary", text(row.vary().unwrap_or_default())),
                ("Link", variable(&self.names.name("twin_link"))),
                ("Content-Location", variable(&self.names.name("twin_url"))),
            ];
            for (field, value) in said.into_iter().chain(own) {
                conf.directive(&[Word::ours("add_header"), Word::ours(field), value]);
            }
            conf.directive(&[Word::ours("try_files"), variable(&self.names.name("twin")), Word::ours("=404")]);
        });
    }

    fn types(&self, conf: &mut Conf) {
        let rules = self.rules;
        conf.gap();
        conf.block(&[Word::ours("types")], |conf| {
            conf.directive(&[Word::literal(&rules.html.media_type), Word::ours("html")]);
            conf.directive(&[Word::literal(&rules.markdown.media_type), Word::ours("md")]);
            for (suffix, says) in &rules.suffixes {
                conf.directive(&[Word::literal(&says.media_type), Word::literal(suffix)]);
            }
        });
        conf.directive(&[Word::ours("default_type"), Word::ours(UNKNOWN)]);
    }

    /// Resources with another media type than their suffix says, and what is answered at the origin's root as well.
    fn exceptions(&self, conf: &mut Conf) {
        let rules = self.rules;
        let typed = |conf: &mut Conf, path: &str, media_type: &str, file: Word| {
            conf.exactly(path, |conf| {
                conf.block(&[Word::ours("types")], |_| {});
                conf.directive(&[Word::ours("default_type"), Word::literal(media_type)]);
                conf.directive(&[Word::ours("try_files"), file, Word::ours("=404")]);
            });
        };
        for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| rules.predicted(path).media_type != fields.media_type) {
            typed(conf, &rules.path(path), &fields.media_type, Word::ours("$uri"));
        }
        if !self.base.is_empty() {
            for route in [Route::Robots, Route::ApiCatalog] {
                typed(conf, &route.path(), &route.media_type(), text(&rules.path(&route.path())));
            }
        }
    }

    /// The page that says "not found", in the form that is wanted: of a `.md` address it is always Markdown.
    fn missing(&self) -> Vec<Entry> {
        let markdown = Word::key(&Pattern::new(r"^(?:1:|:[^?]*\.md(?:\?|$))"));
        vec![(markdown, text(&self.rules.path("/404.md"))), (Word::key(&Pattern::new("")), text(&self.rules.path("/404.html")))]
    }

    /// From a `.html` path to its twin's.
    fn twins(&self) -> Vec<Entry> {
        let home = Pattern::new("^").literal(self.base).then("/$");
        let page = self.named("page", &Pattern::new("").literal(self.base).then("/.*")).then(r"\.html$");
        vec![(Word::key(&home), text(&self.rules.path("/index.md"))), (Word::key(&page), self.captured("page", ".md"))]
    }

    /// From the address of a page, as it was asked for, to that of its twin.
    fn twin_urls(&self) -> Vec<Entry> {
        let home = Pattern::new("^").and(&self.request()).then(r"/(?:\?.*)?$");
        let page = self.named("page", &self.request().then("/").then(URL_PATH).then("*")).then(r"\.html(?:\?.*)?$");
        vec![(Word::key(&home), url(&self.rules.rooted("/index.md"))), (Word::key(&page), self.captured("page", ".md"))]
    }

    /// `^` and a part with a name.
    fn named(&self, name: &'static str, part: &Pattern) -> Pattern {
        Pattern::new("^").and(&self.part(name, part))
    }

    /// A part with a name of the site's own.
    fn part(&self, name: &'static str, part: &Pattern) -> Pattern {
        Pattern::new("(?<").literal(&self.names.name(name)).then(">").and(part).then(")")
    }

    /// The part with this name, and a text of ours behind it.
    fn captured(&self, name: &'static str, behind: &'static str) -> Word {
        Value::default().variable(&self.names.name(name)).ours(behind).into()
    }

    /// The base URL's path as it stands in a request.
    fn request(&self) -> Pattern {
        if self.base.is_ascii() { literal(&encoded(self.rules, "")) } else { Pattern::new(URL_PATH).then("*") }
    }

    /// A field by status and path: errors and redirects first, then exceptions, then patterns.
    fn statuses(&self, of: impl Fn(&Fields) -> String, row: impl Fn(Row) -> String) -> Vec<Entry> {
        let of_row = |key: &'static str, kind: Row| (Word::key(&Pattern::new(key)), text(&row(kind)));
        let mut rows = vec![
            of_row("^30[18]:", Row::Redirect),
            of_row(r"^(?:404|410):.*\.md$", Row::Absent),
            of_row("^(?:404|410):", Row::AbsentHtml),
            of_row("^(?:4|5)", Row::Refused),
        ];
        self.by_path(&mut rows, Pattern::new("^[0-9]*:"), of);
        rows
    }

    /// One of [`policy::OWN`] by status and path; errors have it by the path of the page that they show.
    fn own(&self, number: usize) -> Vec<Entry> {
        let mut rows = vec![(Word::key(&Pattern::new("^(?:204|30[18]|40[05]|41[2-9]|42|43|5)")), text(self.rules.otherwise(number)))];
        self.by_path(&mut rows, Pattern::new("^[0-9]*:"), |fields| self.rules.own(fields, number).to_owned());
        rows
    }

    /// A field by path: exceptions first, then suffixes, then the rest.
    fn by_path(&self, rows: &mut Vec<Entry>, before: Pattern, of: impl Fn(&Fields) -> String) {
        let rules = self.rules;
        let key = |pattern: Pattern| Word::key(&pattern);
        for (path, fields) in &rules.exceptions {
            if of(fields) != of(&rules.predicted(path)) {
                rows.push((key(before.clone().literal(self.base).literal(path).then("$")), text(&of(fields))));
            }
        }
        rows.push((key(before.clone().literal(self.base).then(ASSETS)), text(&of(&rules.asset))));
        rows.push((key(before.clone().literal(self.base).then(r"/.*\.html$")), text(&of(&rules.html))));
        rows.push((key(before.clone().literal(self.base).then(r"/.*\.md$")), text(&of(&rules.markdown))));
        for suffix in rules.suffixes.keys() {
            let fields = rules.predicted(&format!("/x.{suffix}"));
            if of(&fields) != of(&rules.document) {
                let suffix = before.clone().literal(self.base).then(r"/.*\.(?i:").literal(suffix).then(")$");
                rows.push((key(suffix), text(&of(&fields))));
            }
        }
        rows.push((key(before), text(&of(&rules.document))));
    }

    /// `Link` by the address as it was asked for, which is encoded already; only where something is there.
    fn links(&self) -> Vec<Entry> {
        let rules = self.rules;
        let there = Pattern::new("^(?:200|206|304):");
        let mut rows = Vec::new();
        for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| fields.link != rules.predicted(path).link) {
            let value = url(&fields.link.as_ref().map(|link| link.with(&page_of(rules, path))).unwrap_or_default());
            rows.push((Word::key(&self.asked(there.clone(), &encoded(rules, path))), value.clone()));
            if *path == "/index.html" {
                rows.push((Word::key(&self.asked(there.clone(), &rules.rooted("/"))), value));
            }
        }
        let page = || self.request().then("/").then(URL_PATH).then("*");
        if let Some(link) = &rules.html.link {
            let key = there.clone().and(&self.part("html", &page())).then(r"\.html(?:\?.*)?$");
            rows.push((Word::key(&key), self.template(link, "html")));
        }
        if let Some(link) = &rules.markdown.link {
            let key = there.and(&self.part("md", &page())).then(r"\.md(?:\?.*)?$");
            rows.push((Word::key(&key), self.template(link, "md")));
        }
        rows
    }

    /// `Link` of Markdown at a `.html` address: that of the twin.
    fn twin_links(&self) -> Vec<Entry> {
        let rules = self.rules;
        let mut rows = Vec::new();
        for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| path.ends_with(".md") && fields.link != rules.markdown.link) {
            let Some(link) = &fields.link else { continue };
            let value = url(&link.with(&page_of(rules, path)));
            let html = format!("{}html", path.trim_end_matches("md"));
            rows.push((Word::key(&self.asked(Pattern::new("^"), &encoded(rules, &html))), value.clone()));
            if html == "/index.html" {
                rows.push((Word::key(&self.asked(Pattern::new("^"), &rules.rooted("/"))), value));
            }
        }
        if let Some(link) = &rules.markdown.link {
            let key = self.named("asked", &self.request().then("/").then(URL_PATH).then("*")).then(r"\.html(?:\?.*)?$");
            rows.push((Word::key(&key), self.template(link, "asked")));
        }
        rows
    }

    /// An encoded address as a request has it, with or without a query.
    fn asked(&self, before: Pattern, address: &str) -> Pattern {
        before.literal(address).then(r"(?:\?.*)?$")
    }

    /// A `Link` in which the part of this name is the page's path.
    fn template(&self, link: &Template, part: &'static str) -> Word {
        let mut value = Value::default();
        for (at, text) in link.parts().enumerate() {
            value = if at == 0 { value } else { value.variable(&self.names.name(part)) };
            value = value.url(text);
        }
        value.into()
    }
}
