//! Stub pages: what stands at an old address where a host knows no redirect rules.

/// The file that answers an old address on a host that serves files; `None` where no HTML page can stand (`/feed.xml`, `/old.php`).
pub(super) fn file_of(old: &str) -> Option<String> {
    let path = old.strip_prefix('/')?;
    if path.is_empty() || path.contains("//") || path.split('/').any(|part| matches!(part, "." | "..")) {
        return None;
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    match last.rsplit_once('.') {
        _ if last.is_empty() => Some(format!("{path}index.html")),
        Some((_, "html" | "htm")) => Some(path.to_owned()),
        // A dot followed by a short word is a file's suffix; `v1.0` is a folder's name.
        Some((stem, suffix)) if !stem.is_empty() && is_suffix(suffix) => None,
        _ => Some(format!("{path}/index.html")),
    }
}

fn is_suffix(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The page: it goes on to `target` at once, says so to search engines, and has a link for everyone else.
pub(super) fn page(target: &str, absolute: &str) -> String {
    let (target, absolute) = (escape(target), escape(absolute));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Moved</title>\n<link rel=\"canonical\" href=\"{absolute}\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<meta http-equiv=\"refresh\" content=\"0; url={target}\">\n<p>This page has moved: <a href=\"{target}\">{absolute}</a></p>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_an_old_address() {
        let check = |old: &str, expected: Option<&str>| assert_eq!(file_of(old).as_deref(), expected, "{old}");
        check("/2014/05/old/", Some("2014/05/old/index.html"));
        check("/2014/05/old", Some("2014/05/old/index.html"));
        check("/old.html", Some("old.html"));
        check("/v1.0", Some("v1.0/index.html"));
        check("/old.php", None);
        check("/feed.xml", None);
        check("/", None);
        check("/a/../b/", None);
    }

    #[test]
    fn nothing_of_the_address_becomes_markup() {
        assert!(!page("/\"><script>", "x").contains("<script>"));
    }
}
