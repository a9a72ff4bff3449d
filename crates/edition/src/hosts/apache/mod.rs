//! Apache httpd 2.4: one `.htaccess`, which a server's own configuration can include in its `<Directory>` as well.
//!
//! Conditions look at the path that is answered (`REQUEST_URI`, after every internal redirect) and at the request line as it came
//! (`THE_REQUEST`), never at variables that a redirect renames.

mod syntax;

use super::Written;
use super::losses::{Host, lost};
use super::pattern::{Pattern, literal};
use super::rules::{ASSETS, Fields, HIDDEN, PREFERS_MARKDOWN, Rules, URL_PATH, encoded, page_of};
use crate::policy::{self, Row};
use syntax::{Condition, Htaccess, Word};

/// Markdown is answered, and no `.md` address was asked for: it is the negotiated form of a page, or of the page that says "not found".
const NEGOTIATED: &str = r"%{REQUEST_URI} =~ m#\.md$# && %{THE_REQUEST} !~ m#^\S+ [^? ]*\.md[? ]#";
/// The answer is not an error and not a redirect.
const FOUND: &str = "%{REQUEST_STATUS} -in { '200', '206', '304' }";
/// The answer is a page that says "not found".
const ABSENT: &str = "%{REQUEST_STATUS} -in { '404', '410' }";
/// The answer is an error without a page.
const REFUSED: &str = "%{REQUEST_STATUS} -in { '400', '403', '405', '412', '414', '416', '500', '503' }";
/// The answer is a redirect.
const REDIRECT: &str = "%{REQUEST_STATUS} -in { '301', '308' }";

/// The `.htaccess` file.
pub(super) fn htaccess(rules: &Rules<'_>) -> Written {
    let writer = Writer { rules, base: rules.edition.site.base.path() };
    let mut file = Htaccess::default();
    file.comment(&format!(
        "Apache httpd 2.4: needs mod_dir, mod_headers, mod_mime and mod_rewrite, and `AllowOverride All` for this folder\n\
         (or `Include` this file in its `<Directory>`).\n\
         Lost against `diglot serve`: {}.\n\
         Written by Diglot from the site's settings; the next build replaces it.",
        lost(Host::Apache)
    ));
    file.gap();
    for line in ["Options -Indexes -MultiViews", "DirectoryIndex disabled", "DirectorySlash Off", "FileETag MTime Size", "AddDefaultCharset Off"] {
        file.ours(line);
    }
    for status in ["404", "410"] {
        file.directive("ErrorDocument", [Word::ours(status), Word::text(&encoded(rules, "/404.html"))]);
    }
    writer.media_types(&mut file);
    writer.rewrites(&mut file);
    writer.headers(&mut file);
    Written::of(file.finish())
}

struct Writer<'a> {
    rules: &'a Rules<'a>,
    base: &'a str,
}

impl Writer<'_> {
    fn media_types(&self, file: &mut Htaccess) {
        let rules = self.rules;
        file.gap();
        file.comment("A name may hold further suffixes (`notes.gz.html`): they say nothing here.");
        file.ours("RemoveEncoding .gz .Z .br .zst .bz2");
        let pages = [("html", &rules.html.media_type), ("md", &rules.markdown.media_type)];
        for (suffix, media_type) in pages.into_iter().chain(rules.suffixes.iter().map(|(suffix, says)| (suffix.as_str(), &says.media_type))) {
            file.directive("AddType", [Word::text(media_type), Word::suffix(suffix)]);
        }
        file.ours("<FilesMatch \"^[^.]+$|\\.[^.]*[^A-Za-z0-9.][^.]*$\">\n    ForceType application/octet-stream\n</FilesMatch>");
        for (path, fields) in rules.exceptions.iter().filter(|(path, fields)| rules.predicted(path).media_type != fields.media_type) {
            file.section(&Condition::path(&self.exactly(path)), |file| file.directive("ForceType", [Word::text(&fields.media_type)]));
        }
    }

    /// The pattern of a resource's path.
    fn exactly(&self, path: &str) -> Pattern {
        Pattern::new("^").literal(&self.rules.path(path)).then("$")
    }

    /// Paths in the patterns are relative to the folder, as they are in every `.htaccess`.
    fn rewrites(&self, file: &mut Htaccess) {
        let rules = self.rules;
        let relative = |path: &str| literal(path.trim_start_matches('/'));
        let whole = |path: &str| Word::pattern(&Pattern::new("^").and(&relative(path)).then("$"));
        file.gap();
        file.ours("RewriteEngine On");
        file.ours("RewriteCond %{REQUEST_METHOD} =OPTIONS\nRewriteRule ^ - [R=204,L]");
        file.ours("RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$\nRewriteRule ^ - [R=405,L]");
        let mut hidden = Pattern::new("^(?:");
        for path in HIDDEN {
            hidden = hidden.and(&relative(path)).then("|");
        }
        hidden = hidden.and(&relative(super::PREFIX)).then(".*)$");
        file.directive("RewriteRule", [Word::pattern(&hidden), Word::ours("-"), Word::ours("[R=404,L]")]);
        for (old, url) in &rules.moved {
            file.directive("RewriteRule", [whole(old), Word::target(url), Word::ours("[R=301,L,NE,QSD]")]);
        }
        for gone in &rules.gone {
            file.directive("RewriteRule", [whole(gone), Word::ours("-"), Word::ours("[G]")]);
        }
        file.ours("RewriteRule \"^$\" \"index.html\"");
        file.ours("RewriteCond %{REQUEST_FILENAME} -d\nRewriteRule \"^.+$\" - [R=404,L]");
        let base = if self.base.is_ascii() { literal(&encoded(rules, "")) } else { Pattern::new(URL_PATH).then("*") };
        let page = Pattern::new(r"^\S+ (").and(&base).then("/").then(URL_PATH).then(r"*)\.(?:html|md)[? ]");
        file.directive("RewriteCond", [Word::ours("%{THE_REQUEST}"), Word::pattern(&page)]);
        file.ours("RewriteRule ^ - [E=DIGLOT_PAGE:%1]");
        // Of a `.md` address even the page that says "not found" is Markdown.
        file.ours("RewriteCond %{THE_REQUEST} \"^\\S+ [^? ]*\\.md[? ]\" [OR]");
        file.directive("RewriteCond", [Word::ours("%{HTTP:Accept}"), Word::pattern(&Pattern::new(PREFERS_MARKDOWN)), Word::ours("[NC]")]);
        file.ours("RewriteCond %{REQUEST_FILENAME} \"^(.*)\\.html$\"\nRewriteCond \"%1.md\" -f\nRewriteRule \"^(.*)\\.html$\" \"$1.md\" [B=%?#,END]");
    }

    fn headers(&self, file: &mut Htaccess) {
        let (rules, site) = (self.rules, &self.rules.edition.site);
        file.gap();
        file.comment("Other modules' words on caching would stand beside these.");
        file.ours("Header unset Vary");
        for (field, value) in &rules.everywhere {
            file.set(field, Word::value(value), None);
        }
        self.classes(file);
        self.links(file);
        for (path, fields) in &rules.exceptions {
            self.exception(file, path, fields);
        }
        self.negotiated(file);
        for (condition, row) in [(REDIRECT, Row::Redirect), (REFUSED, Row::Refused)] {
            let when = Condition::ours(condition);
            file.set("Cache-Control", Word::value(&row.cache_control(site)), Some(&when));
            file.unset("Vary", &when);
            self.without_own(file, &when);
        }
        let status = "%{REQUEST_STATUS} -in { '204', '405' }";
        file.set("Allow", Word::value(policy::ALLOW), Some(&Condition::ours(status)));
        let preflight = Condition::ours("%{REQUEST_STATUS} -in { '204' }");
        self.without_own(file, &preflight);
        for (field, value) in policy::PREFLIGHT {
            file.set(field, Word::value(value), Some(&preflight));
        }
        let absent = Condition::ours(ABSENT);
        for field in ["Last-Modified", "ETag"] {
            file.directive("Header", [Word::ours("unset"), Word::ours(field), Word::when(&absent)]);
        }
        file.set("Vary", Word::value(Row::Absent.vary().unwrap_or_default()), Some(&absent));
        file.set("Cache-Control", Word::value(&Row::AbsentHtml.cache_control(site)), Some(&absent));
        let markdown = absent.and(&Condition::path(&Pattern::new(r"\.md$")));
        file.set("Cache-Control", Word::value(&Row::Absent.cache_control(site)), Some(&markdown));
    }

    /// What the patterns say, the widest first.
    fn classes(&self, file: &mut Htaccess) {
        let rules = self.rules;
        let below = || Pattern::new("^").literal(self.base);
        let class = |file: &mut Htaccess, pattern: Pattern, fields: &Fields| {
            let when = Condition::path(&pattern);
            file.set("Cache-Control", Word::value(&fields.cache_control), Some(&when));
            file.set("Vary", Word::value(fields.vary), Some(&when));
            self.own(file, &when, fields, &rules.document);
        };
        class(file, Pattern::new("^/"), &rules.document);
        for number in 0..policy::OWN.len() {
            if let Some(value) = rules.document.own[number].as_deref().filter(|value| *value != rules.otherwise(number)) {
                file.set(policy::OWN[number], Word::value(value), Some(&Condition::path(&Pattern::new("^/"))));
            }
        }
        class(file, below().then(r"/.*\.html$"), &rules.html);
        class(file, below().then(r"/.*\.md$"), &rules.markdown);
        for suffix in rules.suffixes.keys() {
            let fields = rules.predicted(&format!("/x.{suffix}"));
            let when = Condition::path(&below().then(r"/.*\.(?i:").literal(suffix).then(")$"));
            self.own(file, &when, &fields, &rules.document);
        }
        let when = Condition::path(&below().then(ASSETS));
        file.set("Cache-Control", Word::value(&rules.asset.cache_control), Some(&when));
        file.set("Vary", Word::value(rules.asset.vary), Some(&when));
        for number in 0..policy::OWN.len() {
            self.own_field(file, &when, number, &rules.asset);
        }
    }

    /// Those of [`policy::OWN`] that differ from what was said before.
    fn own(&self, file: &mut Htaccess, when: &Condition, fields: &Fields, before: &Fields) {
        for number in (0..policy::OWN.len()).filter(|number| fields.own[*number] != before.own[*number]) {
            self.own_field(file, when, number, fields);
        }
    }

    fn own_field(&self, file: &mut Htaccess, when: &Condition, number: usize, fields: &Fields) {
        match self.rules.own(fields, number) {
            "" => file.unset(policy::OWN[number], when),
            value => file.set(policy::OWN[number], Word::value(value), Some(when)),
        }
    }

    /// An answer that is no resource says what every answer says.
    fn without_own(&self, file: &mut Htaccess, when: &Condition) {
        for number in 0..policy::OWN.len() {
            match self.rules.otherwise(number) {
                "" => file.unset(policy::OWN[number], when),
                value => file.set(policy::OWN[number], Word::value(value), Some(when)),
            }
        }
    }

    /// `Link` by the address as it was asked for, which is encoded already.
    fn links(&self, file: &mut Htaccess) {
        let asked = Condition::ours(FOUND).and(&Condition::ours("-n reqenv('DIGLOT_PAGE')"));
        for (fields, suffix) in [(&self.rules.html, r"\.html$"), (&self.rules.markdown, r"\.md$")] {
            if let Some(link) = &fields.link {
                let when = asked.and(&Condition::path(&Pattern::new(suffix)));
                file.set("Link", Word::joined(link.parts(), "%{DIGLOT_PAGE}e"), Some(&when));
            }
        }
    }

    fn exception(&self, file: &mut Htaccess, path: &str, fields: &Fields) {
        let predicted = self.rules.predicted(path);
        let when = Condition::ours(FOUND).and(&Condition::path(&self.exactly(path)));
        if (&predicted.cache_control, predicted.vary) != (&fields.cache_control, fields.vary) {
            file.set("Cache-Control", Word::value(&fields.cache_control), Some(&when));
            file.set("Vary", Word::value(fields.vary), Some(&when));
        }
        self.own(file, &when, fields, &predicted);
        match &fields.link {
            _ if fields.link == predicted.link => {}
            Some(link) => file.set("Link", Word::joined([&*link.with(&page_of(self.rules, path))].into_iter(), ""), Some(&when)),
            None => file.unset("Link", &when),
        }
    }

    /// Markdown at a `.html` address: kept by nobody, told by no date.
    fn negotiated(&self, file: &mut Htaccess) {
        let (rules, row, negotiated) = (self.rules, Row::NegotiatedMarkdown, Condition::ours(NEGOTIATED));
        file.set("Cache-Control", Word::value(&row.cache_control(&rules.edition.site)), Some(&negotiated));
        file.set("Vary", Word::value(row.vary().unwrap_or_default()), Some(&negotiated));
        let found = Condition::ours(FOUND).and(&negotiated);
        let page = found.and(&Condition::ours("-n reqenv('REDIRECT_DIGLOT_PAGE')"));
        file.set("Content-Location", Word::ours("\"%{REDIRECT_DIGLOT_PAGE}e.md\""), Some(&page));
        let home = self.exactly("/index.md");
        if let Some(link) = &rules.markdown.link {
            // The home page has a `Link` of its own.
            let page = page.and(&Condition::other_path(&home));
            file.set("Link", Word::joined(link.parts(), "%{REDIRECT_DIGLOT_PAGE}e"), Some(&page));
        }
        file.set("Content-Location", Word::value(&encoded(rules, "/index.md")), Some(&found.and(&Condition::path(&home))));
        file.directive("Header", [Word::ours("unset"), Word::ours("Last-Modified"), Word::when(&negotiated)]);
        file.directive("RequestHeader", [Word::ours("unset"), Word::ours("If-Modified-Since"), Word::when(&negotiated)]);
    }
}
