//! Caddy: directives for a site block, in the order written (`route`). Written for 2.6 and later.

mod syntax;

use super::Written;
use super::losses::{Host, lost};
use super::pattern::{Pattern, literal};
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules, UNKNOWN, URL_PATH, encoded, page_of};
use crate::policy::{self, Own, Row};
use crate::route::Route;
use syntax::{Caddyfile, Word, exactly, row};

/// The file to import into a site block.
pub(super) fn caddyfile(rules: &Rules<'_>) -> Written {
    let writer = Writer { rules, base: rules.edition.site.base.path() };
    let mut file = Caddyfile::default();
    writer.head(&mut file);
    writer.moved(&mut file);
    file.block([Word::ours("route")], |file| {
        writer.everywhere(file);
        writer.prelude(file);
        writer.negotiated(file);
        writer.files(file);
    });
    file.gap();
    writer.errors(&mut file);
    Written::of(file.finish())
}

struct Writer<'a> {
    rules: &'a Rules<'a>,
    base: &'a str,
}

/// `header [matcher] field value`.
fn header(file: &mut Caddyfile, matcher: Option<&Word>, field: &'static str, value: Word) {
    file.directive([Word::ours("header")].into_iter().chain(matcher.cloned()).chain([Word::ours(field), value]));
}

/// `header [matcher] -field`, by the name of the field with its `-`.
fn unset(file: &mut Caddyfile, matcher: &Word, field: &'static str) {
    file.directive([Word::ours("header"), matcher.clone(), Word::ours(field)]);
}

/// `Vary`, set when the answer is written: the file server adds to it. (`header >Vary` means the same from 2.7 on, and nothing before.)
fn vary(file: &mut Caddyfile, value: Word) {
    file.block([Word::ours("header")], |file| {
        file.directive([Word::ours("Vary"), value]);
        file.directive([Word::ours("defer")]);
    });
}

fn file_server(file: &mut Caddyfile, compressed: bool) {
    file.block([Word::ours("file_server")], |file| {
        file.directive([Word::ours("disable_canonical_uris")]);
        file.directive([Word::ours("index"), Word::ours(".none")]);
        if compressed {
            file.directive([Word::ours("precompressed"), Word::ours("br"), Word::ours("zstd"), Word::ours("gzip")]);
        }
    });
}

impl Writer<'_> {
    fn head(&self, file: &mut Caddyfile) {
        let (folder, base) = (super::FOLDER, self.base);
        file.comment(&format!(
            "Caddy 2.6 or later: import this into a site block.\n\n  example.org {{\n      root * /srv/site\n      import /srv/site{base}{folder}/Caddyfile\n  }}\n\n"
        ));
        if !base.is_empty() {
            file.comment(&format!("The exported folder is installed as `{base}` below the root."));
        }
        file.comment(&format!("Lost against `diglot serve`: {}.", lost(Host::Caddy)));
        file.comment("Written by Diglot from the site's settings; the next build replaces it.");
        file.gap();
    }

    /// Old addresses as one table: exact, with case, which the `path` matcher would not heed.
    fn moved(&self, file: &mut Caddyfile) {
        if self.rules.moved.is_empty() {
            return;
        }
        file.block([Word::ours("map"), Word::ours("{http.request.uri.path}"), Word::ours("{diglot_moved}")], |file| {
            for (old, url) in &self.rules.moved {
                file.directive([row(&self.rules.path(old)), Word::target(url)]);
            }
            file.directive([Word::ours("default"), Word::text("")]);
        });
        file.gap();
    }

    fn everywhere(&self, file: &mut Caddyfile) {
        file.block([Word::ours("header")], |file| {
            for (field, value) in &self.rules.everywhere {
                file.directive([Word::ours(field), Word::text(value)]);
            }
        });
    }

    /// What is decided before a file is looked for. Paths of `rewrite` are decoded: Caddy 2.6 would encode `%` once more.
    fn prelude(&self, file: &mut Caddyfile) {
        let rules = self.rules;
        file.directive(["@options", "method", "OPTIONS"].map(Word::ours));
        file.block(["handle", "@options"].map(Word::ours), |file| {
            header(file, None, "Allow", Word::text(policy::ALLOW));
            for (field, value) in policy::PREFLIGHT {
                header(file, None, field, Word::text(value));
            }
            file.directive(["respond", "204"].map(Word::ours));
        });
        file.directive(["@refused", "not", "method", "GET", "HEAD", "OPTIONS"].map(Word::ours));
        file.directive(["error", "@refused", "405"].map(Word::ours));
        if !rules.moved.is_empty() {
            file.directive(["@moved", "not", "vars", "{diglot_moved}", "\"\""].map(Word::ours));
            file.block(["handle", "@moved"].map(Word::ours), |file| {
                header(file, None, "Cache-Control", Word::text(&Row::Redirect.cache_control(&rules.edition.site)));
                file.directive(["redir", "{diglot_moved}", "301"].map(Word::ours));
            });
        }
        for gone in &rules.gone {
            let matcher = Word::matcher("gone", gone);
            file.directive([matcher.clone()].into_iter().chain(exactly(&rules.path(gone))));
            file.directive([Word::ours("error"), matcher, Word::ours("410")]);
        }
        let mut hidden = Pattern::new("^(?:");
        for path in HIDDEN {
            hidden = hidden.literal(&rules.path(path)).then("|");
        }
        hidden = hidden.literal(&rules.path(super::PREFIX)).then(".*|.+/)$");
        file.directive([Word::ours("@hidden"), Word::ours("path_regexp"), Word::pattern(&hidden)]);
        if !self.base.is_empty() {
            for route in [Route::Robots, Route::ApiCatalog] {
                file.directive([Word::ours("rewrite"), Word::text(&route.path()), Word::text(&rules.path(&route.path()))]);
            }
        }
        file.directive([Word::ours("rewrite"), Word::text(&rules.path("/")), Word::text(&rules.path("/index.html"))]);
        file.directive(["error", "@hidden", "404"].map(Word::ours));
    }

    /// Markdown at a `.html` address: kept by nobody, told by no date.
    fn negotiated(&self, file: &mut Caddyfile) {
        let html = || Pattern::new("^").literal(self.base).then(r"/.*\.html$");
        let page = Pattern::new("^(").literal(self.base).then(r"/.*)\.html$");
        file.directive([Word::ours("@page"), Word::ours("path_regexp"), Word::ours("page"), Word::pattern(&page)]);
        file.directive(["vars", "@page", "diglot_twin", "{re.page.1}.md"].map(Word::ours));
        file.block([Word::ours("@negotiated")], |file| {
            file.directive([Word::ours("path_regexp"), Word::pattern(&html())]);
            file.directive([Word::ours("header_regexp"), Word::ours("Accept"), self.prefers_markdown()]);
            file.directive([Word::ours("file"), Word::ours("{vars.diglot_twin}")]);
        });
        file.block(["handle", "@negotiated"].map(Word::ours), |file| file.block([Word::ours("route")], |file| self.twin(file)));
    }

    fn prefers_markdown(&self) -> Word {
        Word::pattern(&Pattern::new("(?i)").then(PREFERS_MARKDOWN))
    }

    fn twin(&self, file: &mut Caddyfile) {
        let (rules, row) = (self.rules, Row::NegotiatedMarkdown);
        file.directive(["request_header", "-If-Modified-Since"].map(Word::ours));
        file.directive(["request_header", "-If-Range"].map(Word::ours));
        header(file, None, "Content-Type", Word::text(&rules.markdown.media_type));
        header(file, None, "Cache-Control", Word::text(&row.cache_control(&rules.edition.site)));
        self.own(file, None, &rules.markdown, Some(&Own::default()));
        file.block([Word::ours("header")], |file| {
            file.directive([Word::ours("Vary"), Word::text(row.vary().unwrap_or_default())]);
            file.directive([Word::ours("-Last-Modified")]);
            file.directive([Word::ours("defer")]);
        });
        let asked = Pattern::new("^(").and(&self.request()).then("/").then(URL_PATH).then(r"*)\.html(?:\?.*)?$");
        let matcher = Word::ours("@asked");
        self.original(file, &matcher, "asked", &asked);
        header(file, Some(&matcher), "Content-Location", Word::ours("\"{re.asked.1}.md\""));
        if let Some(link) = &rules.markdown.link {
            header(file, Some(&matcher), "Link", Word::joined(link.parts(), "{re.asked.1}"));
        }
        file.directive(["uri", "path_regexp", r"\.html$", ".md"].map(Word::ours));
        for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| path.ends_with(".md") && fields.link != rules.markdown.link) {
            let matcher = Word::matcher("twin", path);
            file.directive([matcher.clone()].into_iter().chain(exactly(&rules.path(path))));
            self.link(file, &matcher, path, fields);
            if *path == "/index.md" {
                header(file, Some(&matcher), "Content-Location", Word::url(&encoded(rules, path)));
            }
        }
        file_server(file, true);
    }

    /// A matcher for the address as it was asked for.
    fn original(&self, file: &mut Caddyfile, matcher: &Word, name: &'static str, pattern: &Pattern) {
        let words = [Word::ours("vars_regexp"), Word::ours(name), Word::ours("{http.request.orig_uri}"), Word::pattern(pattern)];
        file.directive([matcher.clone()].into_iter().chain(words));
    }

    /// The base URL's path as it stands in a request.
    fn request(&self) -> Pattern {
        if self.base.is_ascii() { literal(&encoded(self.rules, "")) } else { Pattern::new(URL_PATH).then("*") }
    }

    fn files(&self, file: &mut Caddyfile) {
        file.block([Word::ours("handle")], |file| {
            file.block([Word::ours("route")], |file| {
                vary(file, Word::ours("{vars.diglot_vary}"));
                self.classes(file);
                self.links(file);
                self.exceptions(file);
                file_server(file, true);
            });
        });
    }

    /// What the patterns say, the widest first.
    fn classes(&self, file: &mut Caddyfile) {
        let rules = self.rules;
        let base = || Pattern::new("^").literal(self.base);
        let mut class = |name: &'static str, pattern: Pattern, fields: &Fields, before: Option<&Own>| {
            let matcher = Word::ours(name);
            file.directive([matcher.clone(), Word::ours("path_regexp"), Word::pattern(&pattern)]);
            self.each(file, &matcher, fields, before);
        };
        class("@documents", Pattern::new(".*"), &Fields { media_type: UNKNOWN.to_owned(), ..rules.document.clone() }, Some(&Own::default()));
        class("@html", base().then(r"/.*\.html$"), &rules.html, Some(&rules.document.own));
        class("@markdown", base().then(r"/.*\.md$"), &rules.markdown, Some(&rules.document.own));
        for suffix in rules.suffixes.keys() {
            let fields = rules.predicted(&format!("/x.{suffix}"));
            let matcher = Word::suffix_matcher(suffix);
            let pattern = Pattern::new(r"(?i)\.").literal(suffix).then("$");
            file.directive([matcher.clone(), Word::ours("path_regexp"), Word::pattern(&pattern)]);
            header(file, Some(&matcher), "Content-Type", Word::text(&fields.media_type));
            self.own(file, Some(&matcher), &fields, Some(&rules.document.own));
        }
        // Their types are those of their suffixes.
        let assets = Fields { media_type: String::new(), ..rules.asset.clone() };
        let matcher = Word::ours("@assets");
        file.directive([matcher.clone(), Word::ours("path_regexp"), Word::pattern(&base().then(ASSETS))]);
        self.each(file, &matcher, &assets, None);
    }

    fn links(&self, file: &mut Caddyfile) {
        let page = || Pattern::new("^(").and(&self.request()).then("/").then(URL_PATH);
        if let Some(link) = &self.rules.html.link {
            self.original(file, &Word::ours("@html_link"), "html", &page().then(r"*)\.html(?:\?.*)?$"));
            header(file, Some(&Word::ours("@html_link")), "Link", Word::joined(link.parts(), "{re.html.1}"));
        }
        if let Some(link) = &self.rules.markdown.link {
            self.original(file, &Word::ours("@md_link"), "md", &page().then(r"*)\.md(?:\?.*)?$"));
            header(file, Some(&Word::ours("@md_link")), "Link", Word::joined(link.parts(), "{re.md.1}"));
        }
    }

    fn exceptions(&self, file: &mut Caddyfile) {
        let rules = self.rules;
        for (path, fields) in &rules.exceptions {
            let matcher = Word::matcher("exception", path);
            file.directive([matcher.clone()].into_iter().chain(exactly(&rules.path(path))));
            self.each(file, &matcher, fields, Some(&rules.predicted(path).own));
            self.link(file, &matcher, path, fields);
        }
    }

    /// The fields of a class but for its `Link`.
    fn each(&self, file: &mut Caddyfile, matcher: &Word, fields: &Fields, before: Option<&Own>) {
        if !fields.media_type.is_empty() {
            header(file, Some(matcher), "Content-Type", Word::text(&fields.media_type));
        }
        header(file, Some(matcher), "Cache-Control", Word::text(&fields.cache_control));
        file.directive([Word::ours("vars"), matcher.clone(), Word::ours("diglot_vary"), Word::text(fields.vary)]);
        self.own(file, Some(matcher), fields, before);
    }

    /// Those of [`policy::OWN`] that differ from what was said `before`; where that is not known, all of them that have a value. (Caddy takes a field back when
    /// the answer is written: nothing can set it again.)
    fn own(&self, file: &mut Caddyfile, matcher: Option<&Word>, fields: &Fields, before: Option<&Own>) {
        for (number, field) in policy::OWN.into_iter().enumerate() {
            if before.is_some_and(|before| before[number] == fields.own[number]) {
                continue;
            }
            match self.rules.own(fields, number) {
                "" if before.is_none() => {}
                "" => file.block([Word::ours("header")].into_iter().chain(matcher.cloned()), |file| file.directive([Word::without(field)])),
                value => header(file, matcher, field, Word::text(value)),
            }
        }
    }

    fn link(&self, file: &mut Caddyfile, matcher: &Word, path: &str, fields: &Fields) {
        match &fields.link {
            Some(link) => header(file, Some(matcher), "Link", Word::url(&link.with(&page_of(self.rules, path)))),
            None => unset(file, matcher, "-Link"),
        }
    }

    /// Error pages in the form that is wanted, without what the page's own answer would have said.
    fn errors(&self, file: &mut Caddyfile) {
        file.block([Word::ours("handle_errors")], |file| {
            file.block([Word::ours("route")], |file| {
                file.block([Word::ours("header")], |file| {
                    ["-Link", "-Content-Location"].into_iter().for_each(|word| file.directive([Word::ours(word)]));
                });
                self.everywhere(file);
                file.block([Word::ours("header")], |file| {
                    ["-Last-Modified", "-ETag", "defer"].into_iter().for_each(|word| file.directive([Word::ours(word)]));
                });
                file.directive(["@absent", "expression", "`{err.status_code} in [404, 410]`"].map(Word::ours));
                file.block(["handle", "@absent"].map(Word::ours), |file| self.absent(file));
                file.block([Word::ours("handle")], |file| {
                    self.own(file, None, &Fields { own: Own::default(), ..self.rules.html.clone() }, Some(&self.rules.markdown.own));
                    header(file, None, "Cache-Control", Word::text(&Row::Refused.cache_control(&self.rules.edition.site)));
                    header(file, None, "Allow", Word::text(policy::ALLOW));
                    file.directive(["respond", "\"{err.status_code} {err.status_text}\""].map(Word::ours));
                });
            });
        });
    }

    fn absent(&self, file: &mut Caddyfile) {
        let rules = self.rules;
        // Of a `.md` address the answer is Markdown, whatever is wanted.
        file.directive([Word::ours("@wanted"), Word::ours("header_regexp"), Word::ours("Accept"), self.prefers_markdown()]);
        file.directive(["@twin", "vars_regexp", "{http.request.orig_uri.path}", r"`\.md$`"].map(Word::ours));
        let markdown = |matcher| (Some(Word::ours(matcher)), Row::Absent, "/404.md", &rules.markdown);
        for (matcher, row, path, fields) in [markdown("@twin"), markdown("@wanted"), (None, Row::AbsentHtml, "/404.html", &rules.html)] {
            file.block([Word::ours("handle")].into_iter().chain(matcher), |file| {
                header(file, None, "Content-Type", Word::text(&fields.media_type));
                header(file, None, "Cache-Control", Word::text(&row.cache_control(&rules.edition.site)));
                vary(file, Word::text(row.vary().unwrap_or_default()));
                let other = if std::ptr::eq(fields, &rules.html) { &rules.markdown } else { &rules.html };
                self.own(file, None, fields, Some(&other.own));
                file.directive([Word::ours("rewrite"), Word::ours("*"), Word::text(&rules.path(path))]);
                file_server(file, false);
            });
        }
    }
}
