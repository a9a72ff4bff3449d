//! The folders in `{ resolve: "gatsby-source-filesystem", options: { path: …, ignore: … } }`.

use crate::dialects::config::{Glob, MOST_EXCLUDED, Patterns};
use crate::dialects::evidence::Evidence;
use crate::dialects::scope::folder_path;
use crate::dialects::script::{Scripts, folder, is_computed};
use crate::model::problem::{Cause, Problem};
use crate::model::sources::SourceFile;
use crate::model::text::{Lines, decode};
use crate::syntax::front::Node;
use crate::syntax::tokens::{Code, TokenKind, unquoted};

/// The plug-in that reads a folder.
const SOURCE: &str = "gatsby-source-filesystem";
/// The maximum number of folders.
const MOST: usize = 100;
/// The maximum number of paths and lists that are read.
const MOST_READ: usize = 300;
/// The words of an expression for a path below the folder of the configuration.
const OWN: [&str; 8] = [
    "__dirname",
    "cwd",
    "join",
    "normalize",
    "path",
    "posix",
    "process",
    "resolve",
];

/// What the configuration says of the folders.
#[derive(Default)]
pub struct Sources {
    /// Those that are known.
    pub folders: Vec<String>,
    /// What is ignored in them.
    pub ignored: Vec<Glob>,
    /// What is not read.
    pub problems: Vec<Problem>,
    are_unread: bool,
}

impl Sources {
    pub fn read(evidence: &Evidence<'_>, file: &SourceFile) -> Self {
        let (text, _) = decode(&file.bytes, &file.path);
        let mut reader = Reader {
            code: Code::new(&*text),
            path: &file.path,
            scripts: Scripts::new(evidence),
            sources: Self::default(),
            left: MOST_READ,
        };
        reader.read();
        reader.sources
    }

    /// Whether some folder is not known, or not what is ignored there.
    pub fn are_unread(&self) -> bool {
        self.are_unread
    }

    pub fn have_texts(&self, evidence: &Evidence<'_>) -> bool {
        self.folders
            .iter()
            .any(|folder| evidence.holds_text(folder))
    }
}

/// What a token of the configuration is.
enum Key {
    Source,
    Resolve,
    Path,
    Ignore,
    Other,
}

/// A path or pattern in a program.
#[derive(Default)]
struct Place {
    text: String,
    /// Whether it begins at the folder of the configuration.
    is_own: bool,
}

struct Reader<'r, 'a> {
    code: Code<&'r str>,
    path: &'r str,
    scripts: Scripts<'r, 'a>,
    sources: Sources,
    /// How many more paths and lists are read.
    left: usize,
}

impl Reader<'_, '_> {
    fn read(&mut self) {
        let mut is_source = false;
        // A folder is left out if it is not known what is ignored there.
        let (mut folder, mut is_known) = (None, true);
        for at in 0..self.code.count() {
            match self.key(at) {
                Key::Source => is_source = true,
                Key::Resolve => {
                    self.sources
                        .folders
                        .extend(folder.take().filter(|_| is_known));
                    (is_source, is_known) = (false, true);
                }
                Key::Path if is_source && self.sources.folders.len() < MOST => {
                    folder = self.folder(at + 2);
                }
                Key::Ignore if is_source => is_known &= self.ignored(at + 2),
                _ => {}
            }
        }
        self.sources.folders.extend(folder.filter(|_| is_known));
    }

    fn key(&self, at: usize) -> Key {
        let source = self.code.source(at);
        let is_text = self.code.kind(at) == Some(TokenKind::Text);
        if is_text && unquoted(source) == SOURCE {
            return Key::Source;
        }
        let is_key = is_text || self.code.kind(at) == Some(TokenKind::Word);
        if !is_key || !self.code.is(at + 1, ':') {
            return Key::Other;
        }
        match source.trim_matches(['"', '\'']) {
            "resolve" => Key::Resolve,
            "path" => Key::Path,
            "ignore" => Key::Ignore,
            _ => Key::Other,
        }
    }

    /// Whether one more value is read: each may be as long as the program. The first that is not read
    /// is named.
    fn may_read(&mut self, key: &str, at: usize) -> bool {
        if self.left == 1 {
            self.not_read(key, "there are too many", at);
            self.sources.are_unread = true;
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// The folder that an expression names.
    fn folder(&mut self, at: usize) -> Option<String> {
        if !self.may_read("path", at) {
            return None;
        }
        let end = self.code.expression_end(at, |_| false);
        let place = self.place(at, end);
        let folder = place.as_ref().and_then(|place| {
            let is_elsewhere = !place.is_own && place.text.starts_with('/');
            folder_path(place.text.trim_matches('/')).filter(|_| !is_elsewhere)
        });
        if folder.is_none() {
            let why = match place {
                Some(place) => format!("`{}` is outside the folder that is read", place.text),
                None => "a program computes it".to_owned(),
            };
            self.not_read("path", &why, at);
            self.sources.are_unread = true;
        }
        folder
    }

    /// The texts in an expression, one below the other. `None`: the program computes one.
    fn place(&mut self, mut at: usize, end: usize) -> Option<Place> {
        let mut place = Place::default();
        let mut is_added = false;
        while at < end {
            let part = match self.code.kind(at)? {
                TokenKind::Text => Place {
                    text: unquoted(self.code.source(at)),
                    is_own: false,
                },
                TokenKind::Opaque => self.template(at)?,
                TokenKind::Word if self.code.is_word(at, "require") => {
                    at = self.code.behind(at + 1);
                    continue;
                }
                TokenKind::Word if OWN.contains(&self.code.source(at)) => {
                    place.is_own |= matches!(self.code.source(at), "__dirname" | "cwd");
                    at += 1;
                    continue;
                }
                TokenKind::Word => {
                    let behind = self.behind_name(at);
                    let part = self.constant(self.code.between(at, behind).to_owned().as_str())?;
                    at = behind - 1;
                    part
                }
                TokenKind::Sign(sign @ ('.' | ',' | '(' | ')' | '+')) => {
                    is_added |= sign == '+';
                    at += 1;
                    continue;
                }
                _ => return None,
            };
            let is_whole = place.text.is_empty() || place.text.ends_with('/');
            if is_added && !is_whole && !part.text.starts_with('/') {
                return None;
            }
            place.is_own |= part.is_own;
            place.text = match place.text.is_empty() {
                true => part.text,
                false => format!("{}/{}", place.text, part.text.trim_start_matches('/')),
            };
            at += 1;
        }
        Some(place)
    }

    /// The token behind `name` or `name.key`.
    fn behind_name(&self, mut at: usize) -> usize {
        while self.code.is(at + 1, '.') && self.code.kind(at + 2) == Some(TokenKind::Word) {
            at += 2;
        }
        at + 1
    }

    /// What a constant names. A function computes it.
    fn constant(&mut self, name: &str) -> Option<Place> {
        let node = self.value(name)?;
        let is_own = is_computed(&node);
        let text = match is_own {
            true => folder(&node, "")?,
            false => node.text()?.to_owned(),
        };
        Some(Place { text, is_own })
    }

    fn value(&mut self, name: &str) -> Option<Node> {
        let last = name.rsplit('.').next()?;
        let is_name = name.len() < 200 && !last.is_empty() && !name.contains(['(', '?', '|', ' ']);
        is_name.then(|| self.scripts.member_of(self.path, name))?
    }

    /// A template whose values are constants.
    fn template(&mut self, at: usize) -> Option<Place> {
        let source = self.code.source(at).to_owned();
        let inner = source.strip_prefix('`')?.strip_suffix('`')?;
        let mut parts = inner.split("${");
        let mut place = Place {
            text: parts.next()?.to_owned(),
            is_own: false,
        };
        for part in parts {
            let (name, rest) = part.split_once('}')?;
            match name.trim() {
                "__dirname" | "process.cwd()" => place.is_own = true,
                name => {
                    let value = self.constant(name)?;
                    place.is_own |= value.is_own;
                    place.text.push_str(&value.text);
                }
            }
            place.text.push_str(rest);
        }
        Some(place)
    }

    /// Reads what is ignored. False: it is not known.
    fn ignored(&mut self, at: usize) -> bool {
        if !self.may_read("ignore", at) {
            return false;
        }
        let end = self.code.expression_end(at, |_| false);
        let is_list = self.code.is(at, '[') && self.code.behind(at) == end;
        let (mut next, end) = match is_list {
            true => (at + 1, end - 1),
            false => (at, end),
        };
        let mut are_read = true;
        while next < end && self.sources.ignored.len() < MOST_EXCLUDED {
            let behind = self.code.expression_end(next, |_| false).min(end);
            are_read &= self.pattern(next, behind);
            next = behind.max(next) + 1;
        }
        are_read
    }

    /// Reads one pattern. False: what it ignores is not known.
    fn pattern(&mut self, at: usize, end: usize) -> bool {
        if let Some(expression) = self.code.source(at).strip_prefix('/') {
            let (expression, _) = expression.rsplit_once('/').unwrap_or_default();
            let any_case = self.code.source(at + 1).contains('i') && at + 1 < end;
            let flag = if any_case { "(?i)" } else { "" };
            let glob = Glob::parse_expression(&format!("{flag}{expression}"));
            let is_read = glob.is_some();
            if !is_read {
                let why = format!("`{expression}` is not understood");
                self.not_read("ignore", &why, at);
                self.sources.are_unread = true;
            }
            self.sources.ignored.extend(glob);
            return is_read;
        }
        let items = match self.code.kind(at) {
            Some(TokenKind::Word) => self.value(self.code.between(at, end).to_owned().as_str()),
            _ => None,
        };
        let texts = items.filter(|node| !node.items().iter().any(is_computed));
        if let Some(node) = texts {
            for text in node.items().iter().filter_map(Node::text) {
                self.ignore(text);
            }
            return true;
        }
        match self.place(at, end) {
            Some(place) => self.ignore(&place.text),
            None => {
                // What it may name is left out.
                for at in at..end {
                    if self.code.kind(at) == Some(TokenKind::Text) {
                        let text = unquoted(self.code.source(at));
                        self.ignore(&text);
                    }
                }
                self.not_read("ignore", "a program computes it", at);
            }
        }
        true
    }

    fn ignore(&mut self, pattern: &str) {
        let pattern = pattern.trim_start_matches("./").trim_start_matches('/');
        self.sources.ignored.extend(Patterns::Rooted.read(pattern));
    }

    fn not_read(&mut self, key: &str, why: &str, at: usize) {
        let start = self.code.token(at).map_or(0, |token| token.start);
        let (line, column) = Lines::new(self.code.text()).place(start);
        let problem = Problem::error(format!("`{key}` is not read: {why}"));
        let problem = problem.at(self.path, line, column);
        let hint = match key {
            "path" => "write a folder of the site as a literal; its texts are withheld",
            _ => "write its patterns as literals",
        };
        let problem = problem.cause(Cause::Configuration).hint(hint);
        self.sources.problems.push(problem);
    }
}
