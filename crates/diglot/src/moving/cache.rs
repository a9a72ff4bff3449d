//! Answers of the former site that are kept, so that a walk that was stopped goes on, and the next
//! one asks only for what changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use diglot_audit::Answer;
use diglot_edition::Digest;
use serde::{Deserialize, Serialize};

use crate::file;
use crate::limits::MOVE_BYTES;
use crate::state::name_of;

/// The name of the file that says which walk this is.
const WALK: &str = "walk.json";
/// The number of the format.
const FORMAT: u32 = 1;

/// A folder of answers; without one nothing is kept.
#[derive(Debug, Default)]
pub struct Cache {
    folder: Option<PathBuf>,
    walk: Walk,
}

/// Which walk this is.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Walk {
    format: u32,
    /// The address of the site.
    url: String,
    /// Counts the walks; one that goes on has the number of the one before.
    number: u64,
    /// Whether it is complete.
    complete: bool,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// What was asked for.
    url: String,
    /// The walk that asked last.
    walk: u64,
    /// The status.
    pub status: u16,
    /// `Location`
    pub location: String,
    /// The media type, in lower case.
    pub media: String,
    /// The entity tag.
    tag: String,
    /// The body of a page or a document; empty for other files.
    #[serde(skip)]
    pub body: Vec<u8>,
}

impl Kept {
    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Whether it is a page.
    pub fn is_html(&self) -> bool {
        matches!(self.media.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// What is kept of an answer.
    fn from_answer(url: &str, walk: u64, answer: Answer) -> Self {
        let media = answer.media();
        let is_text = ["html", "xml", "json", "text/plain"];
        let is_text = is_text.iter().any(|kind| media.contains(kind)) || url.ends_with(".gz");
        Self {
            url: url.to_owned(),
            walk,
            status: answer.status,
            location: answer.field("location").to_owned(),
            tag: answer.field("etag").to_owned(),
            body: match is_text {
                true => answer.body,
                false => Vec::new(),
            },
            media,
        }
    }
}

impl Cache {
    /// The answers of the site at a URL in a folder, and goes on with a walk that was not complete.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn open(folder: PathBuf, url: &str) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        let walk = opened(&folder, WALK).unwrap_or_default();
        let before: Walk = serde_json::from_slice(&walk).unwrap_or_default();
        let is_same = before.format == FORMAT && before.url == url;
        let number = match is_same && !before.complete {
            true => before.number,
            false => before.number + 1,
        };
        let cache = Self {
            folder: Some(folder),
            walk: Walk {
                format: FORMAT,
                url: url.to_owned(),
                number,
                complete: false,
            },
        };
        cache.save()?;
        Ok(cache)
    }

    /// Notes that the walk is complete: the next one asks again.
    ///
    /// # Errors
    /// The system's.
    pub fn finish(&mut self) -> io::Result<()> {
        self.walk.complete = true;
        self.save()
    }

    fn save(&self) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let walk = serde_json::to_vec(&self.walk).unwrap_or_default();
        put(folder, WALK, &walk)
    }

    /// The answer that `ask` gives for a URL and the entity tag that is known, or the one that this
    /// walk has already.
    ///
    /// # Errors
    /// Those of `ask`, and the system's.
    pub fn get(
        &self,
        url: &str,
        ask: impl Fn(&str) -> Result<Answer, String>,
    ) -> Result<Kept, String> {
        let known = self.folder.as_deref().and_then(|folder| read(folder, url));
        if let Some(known) = &known
            && known.walk == self.walk.number
        {
            return Ok(known.clone());
        }
        let answer = ask(known.as_ref().map_or("", |known| &known.tag))?;
        let kept = match known {
            Some(known) if answer.status == 304 => Kept {
                walk: self.walk.number,
                ..known
            },
            _ => Kept::from_answer(url, self.walk.number, answer),
        };
        if let Some(folder) = &self.folder
            && kept.status < 500
        {
            write(folder, &kept).map_err(|error| error.to_string())?;
        }
        Ok(kept)
    }
}

fn read(folder: &Path, url: &str) -> Option<Kept> {
    let bytes = opened(folder, &name_of(url))?;
    let end = memchr::memchr(b'\n', &bytes)?;
    let mut kept: Kept = serde_json::from_slice(&bytes[..end]).ok()?;
    bytes[end + 1..].clone_into(&mut kept.body);
    (kept.url == url).then_some(kept)
}

/// A line of JSON, then the body.
fn write(folder: &Path, kept: &Kept) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(kept)?;
    bytes.push(b'\n');
    bytes.extend_from_slice(&kept.body);
    put(folder, &name_of(&kept.url), &bytes)
}

/// The bytes of a file behind their digest; `None`: it is missing or damaged.
fn opened(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let bytes = file::read(&folder.join(name), MOVE_BYTES).ok()?;
    let end = memchr::memchr(b'\n', &bytes)?;
    let (digest, rest) = (&bytes[..end], &bytes[end + 1..]);
    let is_whole = digest == Digest::hash(rest).to_string().as_bytes();
    is_whole.then(|| rest.to_owned())
}

/// A line with the digest, then the bytes.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let digest = Digest::hash(bytes).to_string();
    file::replace(folder, name, &[digest.as_bytes(), b"\n", bytes].concat())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn a_walk_goes_on_and_the_next_asks_by_entity_tags() {
        let dir = tempfile::tempdir().unwrap();
        let asked = RefCell::new(Vec::new());
        let ask = |tag: &str| {
            asked.borrow_mut().push(tag.to_owned());
            let fields = [("content-type", "text/html"), ("etag", "\"1\"")];
            let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
            Ok(Answer {
                status: if tag.is_empty() { 200 } else { 304 },
                fields: fields.to_vec(),
                body: b"<p>\n</p>".to_vec(),
                trouble: None,
            })
        };
        let open = || Cache::open(dir.path().to_owned(), "https://o").unwrap();
        let first = open().get("https://o/a", ask).unwrap();
        assert_eq!(open().get("https://o/a", ask), Ok(first.clone()));
        open().finish().unwrap();
        let again = open().get("https://o/a", ask).unwrap();
        assert_eq!(again.body, first.body);
        assert_eq!(*asked.borrow(), ["", "\"1\""]);
        let file = dir.path().join(name_of("https://o/a"));
        let mut bytes = fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&file, bytes).unwrap();
        assert_eq!(open().get("https://o/a", ask), Ok(again));
        assert_eq!(asked.borrow().last().unwrap(), "", "damage is no answer");
    }
}
