//! The pages that `sitemap.md` lists.

/// A page of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its title, as plain text.
    pub title: String,
    /// The absolute URL of its HTML form.
    pub url: String,
    /// The percent-encoded path of its Markdown form, from the root of the host.
    pub path: String,
}

/// Parses `sitemap.md`: lines such as `` - [Title](https://example.org/a.html) `/a.md` ``. Other
/// lines are ignored, and of a path that occurs twice, the second line.
pub fn read(text: &str) -> Vec<Listed> {
    let mut seen = std::collections::HashSet::new();
    text.lines()
        .filter_map(row)
        .filter(|listed| seen.insert(listed.path.clone()))
        .collect()
}

fn row(line: &str) -> Option<Listed> {
    let line = line.trim().strip_prefix("- [")?;
    let (link, path) = line.strip_suffix('`')?.rsplit_once(" `")?;
    // A title may contain `](`, a URL does not: it is percent-encoded.
    let (title, url) = link.trim_end().strip_suffix(')')?.rsplit_once("](")?;
    let is_path = path.starts_with('/') && path.ends_with(".md") && !path.starts_with("//");
    is_path.then(|| Listed {
        title: unescaped(title),
        url: url.trim_matches(['<', '>']).to_owned(),
        path: path.to_owned(),
    })
}

/// The longest path of a file, and the longest part of it, in bytes (the limits of Linux).
const LONGEST_PATH: usize = 1_024;
const LONGEST_PART: usize = 255;

/// Names that belong to devices on Windows, whatever ending they have.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The path of a file for a percent-encoded path of a site, relative to a folder; `None` if such a
/// file would not be in that folder on every system, or be hidden in it.
pub fn file(path: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(path.strip_prefix('/')?);
    let decoded = decoded.decode_utf8().ok()?.into_owned();
    is_file(&decoded).then_some(decoded)
}

/// Whether a path relative to a folder is that of a file in it on every system, and is not hidden.
pub fn is_file(path: &str) -> bool {
    path.len() <= LONGEST_PATH && path.split('/').all(is_part)
}

fn is_part(part: &str) -> bool {
    (1..=LONGEST_PART).contains(&part.len())
        && !part.starts_with('.')
        && !part.ends_with([' ', '.'])
        && !part.contains(|letter: char| letter.is_control() || "\\:*?\"<>|".contains(letter))
        && !is_device(part)
}

/// Whether Windows takes a name for one of its devices: `CON.md`, `com1`.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_lowercase();
    let number = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"));
    let is_port = number.is_some_and(|number| {
        let mut letters = number.chars();
        let is_digit = |letter: char| letter.is_ascii_digit() || "¹²³".contains(letter);
        letters.next().is_some_and(is_digit) && letters.next().is_none()
    });
    is_port || DEVICES.contains(&&*stem)
}

/// A text without the backslashes that escape punctuation (CommonMark section 2.4).
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(next) if letter == '\\' && next.is_ascii_punctuation() => {
                plain.extend(letters.next());
            }
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_below_their_folder() {
        for (path, expected) in [
            ("/articles/a%20b.md", Some("articles/a b.md")),
            ("/gr%C3%B6%C3%9Fe.md", Some("größe.md")),
            ("/c++.md", Some("c++.md")),
            ("/../a.md", None),
            ("/a/%2e%2e/b.md", None),
            ("/a/..%2Fb.md", None),
            ("/a%5C..%5Cb.md", None),
            ("//etc/a.md", None),
            ("/%2Fetc/a.md", None),
            ("/c:/a.md", None),
            ("/.git/hooks/a.md", None),
            ("/a%00.md", None),
            ("/a%FF.md", None),
            ("/CON.md", None),
            ("/a/aux", None),
            ("/nul .tar.md", None),
            ("/Com1.md", None),
            ("/lpt%C2%B3.md", None),
            ("/console.md", Some("console.md")),
            ("/com10.md", Some("com10.md")),
            ("a.md", None),
            ("/", None),
        ] {
            assert_eq!(file(path).as_deref(), expected, "{path}");
        }
        assert_eq!(file(&format!("/{}.md", "a".repeat(255))), None);
        assert_eq!(file(&"/a".repeat(600)), None);
    }

    #[test]
    fn pages_are_read_and_other_lines_are_not() {
        let text = "# Sitemap of X\n\n2 pages: [sitemap.xml](https://e.org/sitemap.xml).\n\n## Pages\n\n\
                    - [Home](https://e.org/) `/index.md`\n\
                    - [A \\[b\\](c) \\`d\\`](https://e.org/a%20b.html) `/a%20b.md`\n\
                    - [Home again](https://e.org/) `/index.md`\n\
                    - [No path](https://e.org/x.html)\n- [Elsewhere](https://f.org/) `//f.org/a.md`\n";
        let read = read(text);
        let found: Vec<_> = read
            .iter()
            .map(|page| [&*page.title, &page.url, &page.path])
            .collect();
        assert_eq!(
            found,
            [
                ["Home", "https://e.org/", "/index.md"],
                ["A [b](c) `d`", "https://e.org/a%20b.html", "/a%20b.md"]
            ]
        );
    }
}
