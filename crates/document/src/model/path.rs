//! Paths of a folder: parts between slashes, without one at either end.

/// A path in a folder; the empty folder is the root.
pub fn inside(folder: &str, path: &str) -> String {
    if folder.is_empty() {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    }
}

/// As [`inside`]; the empty path is the folder itself.
pub fn inside_or_folder(folder: &str, path: &str) -> String {
    if path.is_empty() {
        folder.to_owned()
    } else {
        inside(folder, path)
    }
}

/// The folder of a path, without a closing slash, and the file name.
pub fn split_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// The folder of a path.
pub fn folder(path: &str) -> &str {
    split_name(path).0
}

/// The last segment of a path.
pub fn name(path: &str) -> &str {
    split_name(path).1
}

/// The rest of a path below a folder.
pub fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// Whether a path is a folder, or leads into it.
pub fn is_at_or_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path from a folder, with `.` and `..` resolved, both without closing slash. `None`: it leads
/// above the root.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
