//! Redirects that the owner wrote for another program: a generator, or the host of the site. They
//! are read as data, and become old addresses.

mod entries;
mod lines;
mod literals;

use crate::dialects::evidence::Evidence;
use crate::dialects::pattern::{Pattern, Style};
use crate::model::path::{self, inside};
use crate::model::problem::{Cause, Problem, SourceLocation};
use crate::model::sources::SourceFile;
use crate::model::text::decode;
use crate::syntax::migration;

pub use entries::{List, Table};

/// The largest file of redirects, in bytes.
const LARGEST: usize = 20_000_000;
/// The maximum number of redirects.
const MOST: usize = 100_000;
/// Folders that are copied to the root of a site.
const COPIED: [&str; 3] = ["static", "public", "source"];
/// The deepest of them.
const DEEPEST: usize = 3;

/// A file with redirects.
#[derive(Clone, Copy, Debug)]
pub struct RedirectFile {
    /// Its path. A closing `*` matches any ending, and a hidden file with one is in any folder; `/*/` is
    /// a folder of a language.
    pub file: &'static str,
    pub notation: Notation,
}

/// A file with redirects of a part of the site.
#[derive(Debug)]
pub struct PartRedirectFile {
    /// Its path.
    pub file: String,
    pub notation: Notation,
    /// Where the part is in the site; its old addresses begin there.
    pub at: String,
    /// The folder from which its targets count.
    pub root: String,
}

/// How redirects are written.
#[derive(Clone, Copy, Debug)]
pub enum Notation {
    /// Lines `/from /to 301`.
    Lines,
    /// Lines `Redirect 301 /from /to` of Apache.
    Apache,
    /// A table of old addresses and targets.
    Table(Table),
    /// A list of objects.
    List(List),
    /// Literals in a program, named `redirects`.
    Program(Style),
    /// A list or an object of JSON, which a program imports.
    Json(Style),
}

/// What a site that moved keeps, and the files of hosts, which are read in every kind of folder. A name without a folder counts in
/// the folders that are copied to the root of the site as well.
const HOSTS: [RedirectFile; 10] = [
    RedirectFile {
        file: migration::FILE,
        notation: Notation::Table(Table::new(migration::REDIRECTS)),
    },
    RedirectFile {
        file: "_redirects",
        notation: Notation::Lines,
    },
    RedirectFile {
        file: ".htaccess",
        notation: Notation::Apache,
    },
    RedirectFile {
        file: "vercel.json",
        notation: Notation::List(List::SOURCES),
    },
    RedirectFile {
        file: "now.json",
        notation: Notation::List(List::SOURCES),
    },
    RedirectFile {
        file: "serve.json",
        notation: Notation::List(List::SOURCES),
    },
    RedirectFile {
        file: "firebase.json",
        notation: Notation::List(List {
            key: "hosting.redirects",
            style: Style::Glob,
            ..List::SOURCES
        }),
    },
    RedirectFile {
        file: "netlify.toml",
        notation: Notation::List(List {
            from: &["from"],
            to: &["to"],
            style: Style::Splats,
            ..List::SOURCES
        }),
    },
    RedirectFile {
        file: "staticwebapp.config.json",
        notation: Notation::List(List {
            key: "routes",
            from: &["route"],
            to: &["redirect"],
            style: Style::Splats,
            ..List::SOURCES
        }),
    },
    RedirectFile {
        file: "next.config.*",
        notation: Notation::Program(Style::Express),
    },
];

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The old address, which begins with `/`, or the path of the text that was there.
    pub from: Pattern,
    /// Whether it is the path of a text.
    pub of_text: bool,
    /// A URL, or a path from the root of the site or of the content.
    pub to: Pattern,
    /// Where it is written.
    pub place: SourceLocation,
}

impl Rule {
    /// Makes a rule of a part of the site one of the whole site.
    fn put_within(&mut self, written: &PartRedirectFile) {
        for (pattern, folder) in [(&mut self.from, &written.at), (&mut self.to, &written.root)] {
            if let Some(path) = pattern.literal().and_then(|path| path.strip_prefix('/')) {
                *pattern = Pattern::exactly(&format!("/{}", inside(folder, path)));
            }
        }
    }
}

/// All redirects of a folder.
#[derive(Debug, Default)]
pub struct Rules {
    /// In the order of the files, and as written.
    pub rules: Vec<Rule>,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// The files that hold redirects and nothing else.
    pub files: Vec<String>,
}

impl Rules {
    /// Reads the redirects of a folder in the files of its kind, of the parts of its site, and of
    /// hosts; `roots` are its folders whose name is not part of addresses.
    pub fn collect(
        evidence: &Evidence<'_>,
        (files_of_kind, files_of_parts): (&[RedirectFile], &[PartRedirectFile]),
        roots: &[&str],
    ) -> Self {
        let mut rules = Self::default();
        for written in files_of_parts {
            let before = rules.rules.len();
            if let Some(file) = evidence.file(&written.file) {
                rules.read(file, written.notation);
            }
            for rule in &mut rules.rules[before..] {
                rule.put_within(written);
            }
        }
        for written in files_of_kind.iter().chain(&HOSTS) {
            for file in files(evidence, written, roots) {
                rules.read(file, written.notation);
                if let Notation::Program(style) = written.notation {
                    rules.imported(evidence, file, style);
                }
            }
        }
        rules
    }

    /// Redirects in files of JSON that a program imports by a name that says so.
    fn imported(&mut self, evidence: &Evidence<'_>, file: &SourceFile, style: Style) {
        let (text, _) = decode(&file.bytes, &file.path);
        for path in literals::imported(&text, &file.path) {
            if let Some(file) = evidence.file(&path) {
                self.read(file, Notation::Json(style));
            }
        }
    }

    fn read(&mut self, file: &SourceFile, notation: Notation) {
        let path = &*file.path;
        if file.bytes.len() > LARGEST {
            self.problems.push(
                Problem::warning("its redirects are not read: the file is larger than 20 MB")
                    .at(path, 0, 0),
            );
            return;
        }
        let (text, _) = decode(&file.bytes, path);
        let mut reader = Reader {
            path,
            rules: Vec::new(),
            unread: Vec::new(),
        };
        match notation {
            Notation::Lines => reader.lines(&text),
            Notation::Apache => reader.apache(&text),
            Notation::Table(table) => reader.table(&text, &table),
            Notation::List(list) => reader.list(&text, &list),
            Notation::Program(style) => reader.program(&text, style),
            Notation::Json(style) => reader.json(&text, style),
        }
        let is_whole = matches!(notation, Notation::Lines | Notation::Apache);
        if is_whole || path == migration::FILE || path.contains("redirection") {
            self.files.push(path.to_owned());
        }
        self.problems.extend(reader.problem());
        let room = MOST.saturating_sub(self.rules.len());
        if reader.rules.len() > room {
            self.problems.push(
                Problem::warning(format!("only the first {MOST} redirects are read"))
                    .at(path, 0, 0),
            );
        }
        self.rules.extend(reader.rules.into_iter().take(room));
    }
}

/// The files of a folder that these words name.
fn files<'a>(
    evidence: &Evidence<'a>,
    written: &RedirectFile,
    roots: &[&str],
) -> Vec<&'a SourceFile> {
    if written.file.starts_with("*/") {
        return evidence.beside(written.file).into_iter().collect();
    }
    if let Some(prefix) = written.file.strip_suffix('*') {
        return evidence.all_beginning(prefix, prefix.starts_with('.'));
    }
    let name = written.file;
    if name.contains("/*/") {
        return evidence.of_languages(name).into_iter().collect();
    }
    if name.contains(".*.") {
        let files = evidence.in_languages(name).into_iter();
        return files.map(|(_, file)| file).take(1).collect();
    }
    if !matches!(written.notation, Notation::Lines | Notation::Apache) {
        return evidence.file(name).into_iter().collect();
    }
    evidence.named(name, |folder| {
        let last = path::name(folder);
        folder.is_empty()
            || roots.contains(&folder)
            || COPIED.contains(&last) && folder.split('/').count() <= DEEPEST
    })
}

/// Reads one file.
struct Reader<'a> {
    path: &'a str,
    rules: Vec<Rule>,
    /// The places of redirects that no old address can express, and the reasons.
    unread: Vec<(SourceLocation, &'static str)>,
}

impl Reader<'_> {
    fn place(&self, (line, column): (u32, u32)) -> SourceLocation {
        SourceLocation {
            path: self.path.to_owned(),
            line,
            column,
        }
    }

    fn skip(&mut self, at: (u32, u32), why: &'static str) {
        let place = self.place(at);
        self.unread.push((place, why));
    }

    /// Adds a redirect from an address or a text.
    fn add(&mut self, from: Option<Pattern>, to: Option<Pattern>, of_text: bool, at: (u32, u32)) {
        let (Some(from), Some(to)) = (from, to) else {
            return self.skip(at, "its pattern is more than names and `*`");
        };
        if self.rules.len() > MOST {
            return;
        }
        self.rules.push(Rule {
            from,
            of_text,
            to,
            place: self.place(at),
        });
    }

    /// One problem for all redirects that are not taken over.
    fn problem(&self) -> Option<Problem> {
        let (place, why) = self.unread.first()?;
        let count = self.unread.len();
        let others = match count - 1 {
            0 => String::new(),
            1 => ", and one other".to_owned(),
            others => format!(", and {others} others"),
        };
        let problem = Problem::warning(format!(
            "the redirect is not taken over: {why}{others} of this file"
        ));
        let problem = if count == 1 {
            Problem::warning(format!("the redirect is not taken over: {why}"))
        } else {
            problem
        };
        let problem = problem.hint("write the old address as `aliases` of the text");
        Some(Problem {
            place: Some(place.clone()),
            ..problem.cause(Cause::Configuration)
        })
    }
}

/// Whether a status is that of a redirect.
fn is_redirect(status: &str) -> bool {
    matches!(status, "301" | "302" | "303" | "307" | "308")
}

#[cfg(test)]
mod tests;
