//! Stub pages: files at old addresses, for hosts without redirect rules.

/// The page: redirects to `target` at once, names the canonical address, and shows a link.
pub(super) fn page(target: &str, absolute: &str) -> String {
    let canonical = escape(absolute.split('#').next().unwrap_or(absolute));
    let (target, absolute) = (escape(target), escape(absolute));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Moved</title>\n<link rel=\"canonical\" href=\"{canonical}\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<meta http-equiv=\"refresh\" content=\"0; url={target}\">\n<p>This page has moved: <a href=\"{target}\">{absolute}</a></p>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_address_becomes_markup() {
        assert!(!page("/\"><script>", "x").contains("<script>"));
    }
}
