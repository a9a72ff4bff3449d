//! Caddy 2.6 and later: directives for a site block, in the order written (`route`).

mod words;

use super::Written;
use super::config_file::{ConfigFile, Word};
use super::losses::{Host, lost};
use super::pattern::Pattern;
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules};
use crate::policy::{self, CacheRow};
use words::{
    between, is_plain, map_key, map_pattern, matcher, numbered, pattern, target, text, url,
};

/// The file to import into a site block.
pub(super) fn caddyfile(rules: &Rules<'_>) -> Written {
    let mut caddyfile = Caddyfile {
        rules,
        file: ConfigFile::new("\t", ""),
    };
    caddyfile.head();
    caddyfile.moved();
    caddyfile.file.open("route", &[]);
    caddyfile.everywhere();
    caddyfile.decisions();
    caddyfile.negotiated();
    caddyfile.files();
    caddyfile.file.close();
    caddyfile.file.gap();
    caddyfile.errors();
    caddyfile.file.finish()
}

/// The file under construction.
struct Caddyfile<'a> {
    rules: &'a Rules<'a>,
    file: ConfigFile,
}

impl Caddyfile<'_> {
    fn head(&mut self) {
        let (file, folder, base) = (&mut self.file, super::FOLDER, self.rules.base);
        file.comment(&format!(
            "Caddy 2.6 or later: import this into a site block.\n\n  example.org {{\n      root * /srv/site\n      import /srv/site{base}{folder}/Caddyfile\n  }}\n\n"
        ));
        if !base.is_empty() {
            file.comment(&format!(
                "The exported folder is installed as `{base}` below the root."
            ));
        }
        file.comment(&format!(
            "Lost against `diglot serve`: {}.",
            lost(Host::Caddy)
        ));
        file.comment("Written by Diglot from the site's settings; the next build replaces it.");
        file.gap();
    }

    /// Old addresses as one table. It is case-sensitive; the `path` matcher is not.
    fn moved(&mut self) {
        let (rules, file) = (self.rules, &mut self.file);
        if rules.redirects.is_empty() {
            return;
        }
        file.open("map {http.request.uri.path} {diglot_moved}", &[]);
        for redirect in rules.single() {
            let key = map_key(&rules.path(redirect.old));
            file.line("{} {}", &[key, target(&redirect.url)]);
        }
        for group in &rules.many {
            let before = format!("{}/", rules.path(&group.before));
            let key = map_pattern(&group.pattern(Pattern::new("^"), &before));
            file.line("{} {}", &[key, numbered(&group.parts())]);
        }
        file.line("default \"\"", &[]);
        file.close();
        file.gap();
    }

    fn everywhere(&mut self) {
        self.file.open("header", &[]);
        for (field, value) in &self.rules.everywhere {
            self.file.line("{} {}", &[Word::ours(field), text(value)]);
        }
        self.file.close();
    }

    /// `header field value`.
    fn set(&mut self, field: &'static str, value: &str) {
        self.file
            .line("header {} {}", &[Word::ours(field), text(value)]);
    }

    /// `header matcher field value`.
    fn set_if(&mut self, matcher: &Word, field: &'static str, value: Word) {
        self.file.line(
            "header {} {} {}",
            &[matcher.clone(), Word::ours(field), value],
        );
    }

    /// Removes a field.
    fn unset(&mut self, matcher: Option<&Word>, field: &'static str) {
        match matcher {
            Some(matcher) => self.file.open("header {}", std::slice::from_ref(matcher)),
            None => self.file.open("header", &[]),
        };
        self.file.line("-{}", &[Word::ours(field)]);
        self.file.close();
    }

    /// Sets `Vary` when the response is written, because the file server adds to it. (`header
    /// >Vary` does the same from 2.7 on, but nothing before.)
    fn vary(&mut self, value: Word) {
        self.file.open("header", &[]);
        self.file.line("Vary {}", &[value]);
        self.file.line("defer", &[]);
        self.file.close();
    }

    /// Defines a matcher for exactly this decoded path. It is case-sensitive; `path` is not.
    fn match_exactly(&mut self, matcher: &Word, path: &str) {
        let path = self.rules.path(path);
        if is_plain(&path) {
            self.file.line(
                "{} vars {http.request.uri.path} {}",
                &[matcher.clone(), text(&path)],
            );
        } else {
            let path = pattern(&Pattern::new("^").literal(&path).then("$"));
            self.file.line(
                "{} vars_regexp {http.request.uri.path} {}",
                &[matcher.clone(), path],
            );
        }
    }

    fn file_server(&mut self, is_precompressed: bool) {
        self.file.open("file_server", &[]);
        self.file.line("disable_canonical_uris", &[]);
        self.file.line("index .none", &[]);
        if is_precompressed {
            self.file.line("precompressed br zstd gzip", &[]);
        }
        self.file.close();
    }

    /// Rewrites before the file lookup. Paths of `rewrite` are decoded: Caddy 2.6 would encode `%`
    /// again.
    fn decisions(&mut self) {
        let rules = self.rules;
        self.file.line("@options method OPTIONS", &[]);
        self.file.open("handle @options", &[]);
        self.set("Allow", policy::ALLOW);
        for (field, value) in policy::PREFLIGHT {
            self.set(field, value);
        }
        self.file.line("respond 204", &[]);
        self.file.close();
        self.file
            .ours("@refused not method GET HEAD OPTIONS\nerror @refused 405");
        if !rules.redirects.is_empty() {
            self.file.line("@moved not vars {diglot_moved} \"\"", &[]);
            self.file.open("handle @moved", &[]);
            self.set(
                "Cache-Control",
                &CacheRow::Redirect.cache_control(&rules.edition.site),
            );
            self.file.line("redir {diglot_moved} 301", &[]);
            self.file.close();
        }
        for gone in &rules.gone {
            let matcher = matcher("gone", gone);
            self.match_exactly(&matcher, gone);
            self.file.line("error {} 410", &[matcher]);
        }
        let mut hidden = Pattern::new("^(?:");
        for path in HIDDEN {
            hidden = hidden.literal(&rules.path(path)).then("|");
        }
        hidden = hidden.literal(&rules.path(super::PREFIX)).then(".*|.+/)$");
        self.file
            .line("@hidden path_regexp {}", &[pattern(&hidden)]);
        for route in rules.at_root() {
            self.file.line(
                "rewrite {} {}",
                &[text(&route.path()), text(&rules.path(&route.path()))],
            );
        }
        self.file.line(
            "rewrite {} {}",
            &[text(&rules.path("/")), text(&rules.path("/index.html"))],
        );
        self.file.line("error @hidden 404", &[]);
    }

    /// Markdown at a `.html` path: not cached, without `Last-Modified`.
    fn negotiated(&mut self) {
        let rules = self.rules;
        let page = Pattern::new("^(").literal(rules.base).then(r"/.*)\.html$");
        self.file
            .line("@page path_regexp page {}", &[pattern(&page)]);
        self.file.line("vars @page diglot_twin {re.page.1}.md", &[]);
        self.file.open("@negotiated", &[]);
        self.file
            .line("path_regexp {}", &[pattern(&rules.below(r"/.*\.html$"))]);
        self.file
            .line("header_regexp Accept {}", &[prefers_markdown()]);
        self.file.line("file {vars.diglot_twin}", &[]);
        self.file.close();
        self.file.open("handle @negotiated", &[]);
        self.file.open("route", &[]);
        self.twin();
        self.file.close();
        self.file.close();
    }

    fn twin(&mut self) {
        let (rules, row) = (self.rules, CacheRow::NegotiatedMarkdown);
        self.file
            .ours("request_header -If-Modified-Since\nrequest_header -If-Range");
        self.set("Content-Type", &rules.markdown.media_type);
        self.set("Cache-Control", &row.cache_control(&rules.edition.site));
        self.own(None, &rules.markdown, &rules.document);
        self.file.open("header", &[]);
        self.file
            .line("Vary {}", &[text(row.vary().unwrap_or_default())]);
        self.file.ours("-Last-Modified\ndefer");
        self.file.close();
        self.match_requested("@asked", "asked", r")\.html(?:\?.*)?$");
        self.file
            .line("header @asked Content-Location \"{re.asked.1}.md\"", &[]);
        if let Some(link) = &rules.markdown.link {
            self.file.line(
                "header @asked Link {}",
                &[between(link.parts(), "{re.asked.1}")],
            );
        }
        self.file.line(r"uri path_regexp \.html$ .md", &[]);
        for (path, fields) in rules.other_twin_links() {
            let matcher = matcher("twin", path);
            self.match_exactly(&matcher, path);
            self.link(&matcher, path, fields);
            if *path == "/index.md" {
                self.set_if(&matcher, "Content-Location", url(&rules.encoded(path)));
            }
        }
        self.file_server(true);
    }

    /// Defines a matcher for the requested path of a page, without its suffix.
    fn match_requested(&mut self, matcher: &'static str, name: &'static str, end: &'static str) {
        let page = Pattern::new("^(")
            .and(&self.rules.requested_page())
            .then(end);
        self.file.line(
            "{} vars_regexp {} {http.request.orig_uri} {}",
            &[Word::ours(matcher), Word::ours(name), pattern(&page)],
        );
    }

    fn files(&mut self) {
        self.file.open("handle", &[]);
        self.file.open("route", &[]);
        self.vary(Word::ours("{vars.diglot_vary}"));
        self.classes();
        self.links();
        self.exceptions();
        self.file_server(true);
        self.file.close();
        self.file.close();
    }

    /// The fields by pattern, the widest first.
    fn classes(&mut self) {
        let rules = self.rules;
        let pages = [
            ("@documents", Pattern::new(".*"), &rules.document),
            ("@html", rules.below(r"/.*\.html$"), &rules.html),
            ("@markdown", rules.below(r"/.*\.md$"), &rules.markdown),
        ];
        for (name, paths, fields) in pages {
            let matcher = Word::ours(name);
            self.file
                .line("{} path_regexp {}", &[matcher.clone(), pattern(&paths)]);
            self.set_if(&matcher, "Content-Type", text(&fields.media_type));
            self.caching(&matcher, fields);
            self.own(Some(&matcher), fields, &rules.document);
        }
        for (suffix, fields) in &rules.suffixes {
            let matcher = Word::new(format!("@{suffix}_type"), true);
            let paths = Pattern::new(r"(?i)\.").literal(suffix).then("$");
            self.file
                .line("{} path_regexp {}", &[matcher.clone(), pattern(&paths)]);
            self.set_if(&matcher, "Content-Type", text(&fields.media_type));
            self.own(Some(&matcher), fields, &rules.document);
        }
        // Assets have the media type of their suffix, but not its other fields. Caddy removes a
        // field when the response is written, so no later directive can set it again.
        let matcher = Word::ours("@assets");
        self.file.line(
            "{} path_regexp {}",
            &[matcher.clone(), pattern(&rules.below(ASSETS))],
        );
        self.caching(&matcher, &rules.asset);
        for (field, value) in rules.own(&rules.asset) {
            if !value.is_empty() {
                self.set_if(&matcher, field, text(value));
            }
        }
    }

    fn links(&mut self) {
        if let Some(link) = &self.rules.html.link {
            self.match_requested("@html_link", "html", r")\.html(?:\?.*)?$");
            self.file.line(
                "header @html_link Link {}",
                &[between(link.parts(), "{re.html.1}")],
            );
        }
        if let Some(link) = &self.rules.markdown.link {
            self.match_requested("@md_link", "md", r")\.md(?:\?.*)?$");
            self.file.line(
                "header @md_link Link {}",
                &[between(link.parts(), "{re.md.1}")],
            );
        }
    }

    fn exceptions(&mut self) {
        let rules = self.rules;
        for (path, fields) in &rules.exceptions {
            let matcher = matcher("exception", path);
            self.match_exactly(&matcher, path);
            self.set_if(&matcher, "Content-Type", text(&fields.media_type));
            self.caching(&matcher, fields);
            self.own(Some(&matcher), fields, rules.class_of(path));
            self.link(&matcher, path, fields);
        }
    }

    fn caching(&mut self, matcher: &Word, fields: &Fields) {
        self.set_if(matcher, "Cache-Control", text(&fields.cache_control));
        self.file.line(
            "vars {} diglot_vary {}",
            &[matcher.clone(), text(fields.vary)],
        );
    }

    /// The fields of [`policy::KIND_FIELDS`] that differ from those set before.
    fn own(&mut self, matcher: Option<&Word>, fields: &Fields, before: &Fields) {
        for (field, value) in self.rules.own_unlike(fields, before) {
            match matcher {
                _ if value.is_empty() => self.unset(matcher, field),
                Some(matcher) => self.set_if(matcher, field, text(value)),
                None => self.set(field, value),
            }
        }
    }

    fn link(&mut self, matcher: &Word, path: &str, fields: &Fields) {
        match &fields.link {
            Some(link) => self.set_if(matcher, "Link", url(&link.with(&self.rules.page(path)))),
            None => {
                self.file
                    .line("header {} -Link", std::slice::from_ref(matcher));
            }
        }
    }

    /// Error pages in the negotiated form, without the fields of the page's normal response.
    fn errors(&mut self) {
        let rules = self.rules;
        self.file.open("handle_errors", &[]);
        self.file.open("route", &[]);
        self.file.ours("header {\n\t-Link\n\t-Content-Location\n}");
        self.everywhere();
        self.file
            .ours("header {\n\t-Last-Modified\n\t-ETag\n\tdefer\n}");
        self.file
            .line("@absent expression `{err.status_code} in [404, 410]`", &[]);
        self.file.open("handle @absent", &[]);
        self.absent();
        self.file.close();
        self.file.open("handle", &[]);
        self.own(None, &rules.document, &rules.markdown);
        self.set(
            "Cache-Control",
            &CacheRow::Refused.cache_control(&rules.edition.site),
        );
        self.set("Allow", policy::ALLOW);
        self.file
            .line("respond \"{err.status_code} {err.status_text}\"", &[]);
        self.file.close();
        self.file.close();
        self.file.close();
    }

    /// The "not found" page. For a `.md` path it is always Markdown.
    fn absent(&mut self) {
        let rules = self.rules;
        self.file
            .line("@wanted header_regexp Accept {}", &[prefers_markdown()]);
        self.file.line(
            r"@twin vars_regexp {http.request.orig_uri.path} `\.md$`",
            &[],
        );
        for handle in ["handle @twin", "handle @wanted"] {
            self.file.open(handle, &[]);
            self.absent_page("/404.md", CacheRow::Absent, &rules.markdown, &rules.html);
            self.file.close();
        }
        self.file.open("handle", &[]);
        self.absent_page(
            "/404.html",
            CacheRow::AbsentHtml,
            &rules.html,
            &rules.markdown,
        );
        self.file.close();
    }

    fn absent_page(&mut self, path: &str, row: CacheRow, fields: &Fields, other: &Fields) {
        self.set("Content-Type", &fields.media_type);
        self.set(
            "Cache-Control",
            &row.cache_control(&self.rules.edition.site),
        );
        self.vary(text(row.vary().unwrap_or_default()));
        self.own(None, fields, other);
        self.file
            .line("rewrite * {}", &[text(&self.rules.path(path))]);
        self.file_server(false);
    }
}

/// A pattern for an `Accept` that prefers Markdown.
fn prefers_markdown() -> Word {
    pattern(&Pattern::new("(?i)").then(PREFERS_MARKDOWN))
}
