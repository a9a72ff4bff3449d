//! Apache httpd 2.4: one `.htaccess`, which a server configuration can also include in its
//! `<Directory>`.
//!
//! Conditions test the final path (`REQUEST_URI`, after every internal redirect) and the original
//! request line (`THE_REQUEST`), never variables that a redirect renames.

mod words;

use super::Written;
use super::config_file::{ConfigFile, Word};
use super::losses::{Host, lost};
use super::pattern::{Pattern, literal};
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules};
use crate::policy::{self, CacheRow};
use words::{Condition, between, numbered, pattern, suffix, target, text, value};

/// The response is Markdown, but the requested path is not `.md`: the negotiated form of a page or
/// of the "not found" page.
const NEGOTIATED: &str = r"%{REQUEST_URI} =~ m#\.md$# && %{THE_REQUEST} !~ m#^\S+ [^? ]*\.md[? ]#";
/// The response is neither an error nor a redirect.
const FOUND: &str = "%{REQUEST_STATUS} -in { '200', '206', '304' }";
/// The response is a "not found" page.
const ABSENT: &str = "%{REQUEST_STATUS} -in { '404', '410' }";
/// The response is an error without a page.
const REFUSED: &str =
    "%{REQUEST_STATUS} -in { '400', '403', '405', '412', '414', '416', '500', '503' }";
/// The response is a redirect.
const REDIRECT: &str = "%{REQUEST_STATUS} -in { '301', '308' }";

/// The `.htaccess` file.
pub(super) fn htaccess(rules: &Rules<'_>) -> Written {
    let mut htaccess = Htaccess {
        rules,
        file: ConfigFile::new("", ""),
    };
    htaccess.head();
    htaccess.media_types();
    htaccess.rewrites();
    htaccess.headers();
    htaccess.file.finish()
}

/// The file under construction.
struct Htaccess<'a> {
    rules: &'a Rules<'a>,
    file: ConfigFile,
}

impl Htaccess<'_> {
    fn head(&mut self) {
        let file = &mut self.file;
        file.comment(&format!(
            "Apache httpd 2.4: needs mod_dir, mod_headers, mod_mime and mod_rewrite, and `AllowOverride All` for this folder\n\
             (or `Include` this file in its `<Directory>`).\n\
             Lost against `diglot serve`: {}.\n\
             Written by Diglot from the site's settings; the next build replaces it.",
            lost(Host::Apache)
        ));
        file.gap();
        file.ours("Options -Indexes -MultiViews\nDirectoryIndex disabled\nDirectorySlash Off\nFileETag MTime Size\nAddDefaultCharset Off");
        let absent = text(&self.rules.encoded("/404.html"));
        file.line("ErrorDocument 404 {}", std::slice::from_ref(&absent));
        file.line("ErrorDocument 410 {}", &[absent]);
    }

    fn media_types(&mut self) {
        let (rules, file) = (self.rules, &mut self.file);
        file.gap();
        file.comment("A name may hold further suffixes (`notes.gz.html`): they say nothing here.");
        file.ours("RemoveEncoding .gz .Z .br .zst .bz2");
        file.line("AddType {} .html", &[text(&rules.html.media_type)]);
        file.line("AddType {} .md", &[text(&rules.markdown.media_type)]);
        for (name, fields) in &rules.suffixes {
            file.line("AddType {} {}", &[text(&fields.media_type), suffix(name)]);
        }
        file.ours("<FilesMatch \"^[^.]+$|\\.[^.]*[^A-Za-z0-9.][^.]*$\">\n    ForceType application/octet-stream\n</FilesMatch>");
        for (path, media_type) in rules.other_media_types() {
            let condition = Condition::path(&rules.exactly(path)).word();
            if file.line("<If {}>", &[condition]) {
                file.line("ForceType {}", &[text(media_type)]);
                file.ours("</If>");
            }
        }
    }

    /// Patterns match paths relative to the folder, as in every `.htaccess`.
    fn rewrites(&mut self) {
        let (rules, file) = (self.rules, &mut self.file);
        file.gap();
        file.ours(
            "RewriteEngine On\nRewriteCond %{REQUEST_METHOD} =OPTIONS\nRewriteRule ^ - [R=204,L]\n\
             RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$\nRewriteRule ^ - [R=405,L]",
        );
        let mut hidden = Pattern::new("^(?:");
        for path in HIDDEN {
            hidden = hidden.and(&relative(path)).then("|");
        }
        hidden = hidden.and(&relative(super::PREFIX)).then(".*)$");
        file.line("RewriteRule {} - [R=404,L]", &[pattern(&hidden)]);
        for redirect in rules.single() {
            file.line(
                "RewriteRule {} {} [R=301,L,NE,QSD]",
                &[pattern(&whole(redirect.old)), target(&redirect.url)],
            );
        }
        for group in &rules.many {
            let before = format!("{}/", group.before);
            let from = group.pattern(Pattern::new("^"), before.trim_start_matches('/'));
            file.line(
                "RewriteRule {} {} [R=301,L,NE,QSD]",
                &[pattern(&from), numbered(&group.parts())],
            );
        }
        for gone in &rules.gone {
            file.line("RewriteRule {} - [G]", &[pattern(&whole(gone))]);
        }
        file.ours("RewriteRule \"^$\" \"index.html\"\nRewriteCond %{REQUEST_FILENAME} -d\nRewriteRule \"^.+$\" - [R=404,L]");
        let page = Pattern::new(r"^\S+ (")
            .and(&rules.requested_page())
            .then(r")\.(?:html|md)[? ]");
        file.line("RewriteCond %{THE_REQUEST} {}", &[pattern(&page)]);
        // For a `.md` path the "not found" page is Markdown as well.
        file.ours("RewriteRule ^ - [E=DIGLOT_PAGE:%1]\nRewriteCond %{THE_REQUEST} \"^\\S+ [^? ]*\\.md[? ]\" [OR]");
        file.line(
            "RewriteCond %{HTTP:Accept} {} [NC]",
            &[pattern(&Pattern::new(PREFERS_MARKDOWN))],
        );
        file.ours("RewriteCond %{REQUEST_FILENAME} \"^(.*)\\.html$\"\nRewriteCond \"%1.md\" -f\nRewriteRule \"^(.*)\\.html$\" \"$1.md\" [B=%?#,END]");
    }

    fn headers(&mut self) {
        let rules = self.rules;
        self.file.gap();
        self.file
            .comment("Other modules' words on caching would stand beside these.");
        self.file.ours("Header unset Vary");
        for (field, said) in &rules.everywhere {
            self.file
                .line("Header always set {} {}", &[Word::ours(field), value(said)]);
        }
        self.classes();
        self.links();
        for (path, fields) in &rules.exceptions {
            self.exception(path, fields);
        }
        self.negotiated();
        self.without_resource();
        self.absent();
    }

    /// `Header always set` with a condition.
    fn set(&mut self, field: &'static str, value: Word, when: &Condition) {
        self.file.line(
            "Header always set {} {} {}",
            &[Word::ours(field), value, when.expr()],
        );
    }

    /// `Header always unset` with a condition.
    fn unset(&mut self, field: &'static str, when: &Condition) {
        self.file.line(
            "Header always unset {} {}",
            &[Word::ours(field), when.expr()],
        );
    }

    fn set_or_unset(&mut self, (field, said): (&'static str, &str), when: &Condition) {
        if said.is_empty() {
            self.unset(field, when)
        } else {
            self.set(field, value(said), when)
        }
    }

    fn caching(&mut self, cache_control: &str, vary: &str, when: &Condition) {
        self.set("Cache-Control", value(cache_control), when);
        self.set("Vary", value(vary), when);
    }

    /// The fields by pattern, the widest first.
    fn classes(&mut self) {
        let rules = self.rules;
        let pages = [
            (Pattern::new("^/"), &rules.document),
            (rules.below(r"/.*\.html$"), &rules.html),
            (rules.below(r"/.*\.md$"), &rules.markdown),
        ];
        for (paths, fields) in pages {
            let when = Condition::path(&paths);
            self.caching(&fields.cache_control, fields.vary, &when);
            self.own(fields, &rules.document, &when);
        }
        for (suffix, fields) in &rules.suffixes {
            let when = Condition::path(&rules.below(r"/.*\.(?i:").literal(suffix).then(")$"));
            self.own(fields, &rules.document, &when);
        }
        self.assets();
    }

    fn assets(&mut self) {
        let rules = self.rules;
        let when = Condition::path(&rules.below(ASSETS));
        self.caching(&rules.asset.cache_control, rules.asset.vary, &when);
        for field in rules.own(&rules.asset) {
            self.set_or_unset(field, &when);
        }
    }

    /// The fields of [`policy::KIND_FIELDS`] that differ from those set before.
    fn own(&mut self, fields: &Fields, before: &Fields, when: &Condition) {
        for field in self.rules.own_unlike(fields, before) {
            self.set_or_unset(field, when);
        }
    }

    /// `Link` by the requested path, which is already encoded.
    fn links(&mut self) {
        let asked = Condition::ours(FOUND).and(&Condition::ours("-n reqenv('DIGLOT_PAGE')"));
        for (fields, suffix) in [
            (&self.rules.html, r"\.html$"),
            (&self.rules.markdown, r"\.md$"),
        ] {
            if let Some(link) = &fields.link {
                let when = asked.and(&Condition::path(&Pattern::new(suffix)));
                self.set("Link", between(link.parts(), "%{DIGLOT_PAGE}e"), &when);
            }
        }
    }

    fn exception(&mut self, path: &str, fields: &Fields) {
        let class = self.rules.class_of(path);
        let when = Condition::ours(FOUND).and(&Condition::path(&self.rules.exactly(path)));
        if (&class.cache_control, class.vary) != (&fields.cache_control, fields.vary) {
            self.caching(&fields.cache_control, fields.vary, &when);
        }
        self.own(fields, class, &when);
        match &fields.link {
            _ if fields.link == class.link => {}
            Some(link) => self.set(
                "Link",
                between([&*link.with(&self.rules.page(path))].into_iter(), ""),
                &when,
            ),
            None => self.unset("Link", &when),
        }
    }

    /// Markdown at a `.html` path: not cached, without `Last-Modified`.
    fn negotiated(&mut self) {
        let (rules, row, negotiated) = (
            self.rules,
            CacheRow::NegotiatedMarkdown,
            Condition::ours(NEGOTIATED),
        );
        self.caching(
            &row.cache_control(&rules.edition.site),
            row.vary().unwrap_or_default(),
            &negotiated,
        );
        let found = Condition::ours(FOUND).and(&negotiated);
        let page = found.and(&Condition::ours("-n reqenv('REDIRECT_DIGLOT_PAGE')"));
        self.set(
            "Content-Location",
            Word::ours("\"%{REDIRECT_DIGLOT_PAGE}e.md\""),
            &page,
        );
        let home = rules.exactly("/index.md");
        if let Some(link) = &rules.markdown.link {
            // The home page has its own `Link`.
            self.set(
                "Link",
                between(link.parts(), "%{REDIRECT_DIGLOT_PAGE}e"),
                &page.and(&Condition::other_path(&home)),
            );
        }
        self.set(
            "Content-Location",
            value(&rules.encoded("/index.md")),
            &found.and(&Condition::path(&home)),
        );
        self.file
            .line("Header unset Last-Modified {}", &[negotiated.expr()]);
        self.file.line(
            "RequestHeader unset If-Modified-Since {}",
            &[negotiated.expr()],
        );
    }

    /// Responses without a resource or page: redirects, refusals, preflights.
    fn without_resource(&mut self) {
        for (condition, row) in [(REDIRECT, CacheRow::Redirect), (REFUSED, CacheRow::Refused)] {
            let when = Condition::ours(condition);
            self.set(
                "Cache-Control",
                value(&row.cache_control(&self.rules.edition.site)),
                &when,
            );
            self.unset("Vary", &when);
            self.without_own(&when);
        }
        self.set(
            "Allow",
            value(policy::ALLOW),
            &Condition::ours("%{REQUEST_STATUS} -in { '204', '405' }"),
        );
        let preflight = Condition::ours("%{REQUEST_STATUS} -in { '204' }");
        self.without_own(&preflight);
        for (field, said) in policy::PREFLIGHT {
            self.set(field, value(said), &preflight);
        }
    }

    fn without_own(&mut self, when: &Condition) {
        for field in self.rules.own(&self.rules.document) {
            self.set_or_unset(field, when);
        }
    }

    /// The "not found" page.
    fn absent(&mut self) {
        let site = &self.rules.edition.site;
        let absent = Condition::ours(ABSENT);
        self.file
            .line("Header unset Last-Modified {}", &[absent.expr()]);
        self.file.line("Header unset ETag {}", &[absent.expr()]);
        self.set(
            "Vary",
            value(CacheRow::Absent.vary().unwrap_or_default()),
            &absent,
        );
        self.set(
            "Cache-Control",
            value(&CacheRow::AbsentHtml.cache_control(site)),
            &absent,
        );
        let markdown = absent.and(&Condition::path(&Pattern::new(r"\.md$")));
        self.set(
            "Cache-Control",
            value(&CacheRow::Absent.cache_control(site)),
            &markdown,
        );
    }
}

/// A path relative to the folder, as mod_rewrite patterns see it.
fn relative(path: &str) -> Pattern {
    literal(path.trim_start_matches('/'))
}

/// A pattern for exactly this path.
fn whole(path: &str) -> Pattern {
    Pattern::new("^").and(&relative(path)).then("$")
}
