//! What a reader loses that runs no scripts or shows no pictures.

use super::{html, text};

/// How many pictures of a Markdown text have no text in their place.
pub fn pictures_without_text(markdown: &str) -> usize {
    text::prose(markdown).0.matches("![](").count()
}

/// How many links of an HTML page need a script.
pub fn links_by_script(page: &str) -> usize {
    let is_script = |target: &&String| {
        let target = target.trim_start().to_ascii_lowercase();
        target.starts_with("javascript:")
    };
    html::read(page).anchors.iter().filter(is_script).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_is_counted() {
        let markdown = "![](a.png) ![A dog](b.png)\n\n```\n![](c.png)\n```\n\n`![](d.png)`\n";
        assert_eq!(pictures_without_text(markdown), 1);
        let html = "<a href=\"JavaScript:void(0)\">x</a><a href=\"/javascript:\">y</a><a>z</a>";
        assert_eq!(links_by_script(html), 1);
    }
}
