//! Paths in includes.

/// The hidden folder in which a GitBook keeps what its pages share.
const GITBOOK: &str = ".gitbook";

/// A path in the folder; `None` if it leads outside or to a hidden file. `/x` and `~/x` are
/// relative to the folder itself.
pub fn resolve(from: &str, name: &str) -> Option<String> {
    let name = name.trim();
    let rooted = name
        .strip_prefix("~/")
        .or_else(|| name.strip_prefix("@site/"));
    let mut parts: Vec<&str> = if rooted.is_some() || name.starts_with('/') {
        Vec::new()
    } else {
        from.split('/').collect()
    };
    parts.pop();
    for part in rooted.unwrap_or(name).split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ if part.starts_with('.') && part != GITBOOK => return None,
            _ => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Candidate paths in the folders where a kind keeps included files, for a path that is not
/// relative to the file.
pub fn below(folders: &[&str], name: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for folder in folders {
        let path = if folder.is_empty() {
            resolve("", name)
        } else {
            resolve("", &format!("{folder}/{}", name.trim_start_matches('/')))
        };
        paths.extend(path);
    }
    paths
}

/// Candidate file names: as written, or with each of these endings if it has none.
pub fn with_endings(written: &str, endings: &[&str]) -> Vec<String> {
    if !is_bare(written) {
        return vec![written.to_owned()];
    }
    endings
        .iter()
        .map(|ending| format!("{written}{ending}"))
        .collect()
}

/// Whether a path has no ending.
pub fn is_bare(path: &str) -> bool {
    let (_, last) = path.rsplit_once('/').unwrap_or(("", path));
    !last.contains('.')
}

/// The language of a file, if its ending is that of code.
pub fn language_of(path: &str) -> Option<String> {
    const TEXTS: [&str; 14] = [
        "md", "markdown", "mdx", "qmd", "html", "htm", "xhtml", "txt", "svg", "njk", "liquid",
        "inc", "ext", "mkd",
    ];
    let (_, suffix) = path.rsplit('/').next()?.rsplit_once('.')?;
    let suffix = suffix.to_ascii_lowercase();
    let is_word = (1..=12).contains(&suffix.len())
        && suffix
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#'));
    (is_word && !TEXTS.contains(&suffix.as_str())).then_some(suffix)
}
