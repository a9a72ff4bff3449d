//! Home pages whose words are in front matter: `hero`, `features` and `banner`, or `heroText` and its
//! like. They become Markdown before the text of the page.

use super::kind::Kind;
use super::markup::address;
use super::passes::escape::escape;
use crate::model::text::one_line;
use crate::syntax::front::{Entry, Front, Node};

/// The most actions or features.
const MOST: usize = 100;

/// The words of a home page in its front matter, as Markdown.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HomeWords {
    /// The Markdown.
    pub text: String,
    /// The line of the file, from 1, for each line of it.
    pub lines: Vec<u32>,
}

/// The words of a page in its front matter, if there are some.
pub fn home_words(front: &Front, kind: &Kind) -> Option<HomeWords> {
    let mut words = HomeWords::default();
    if kind.config.features.home_in_front {
        words.flat(front);
        return words.some();
    }
    if !kind.dialect.home_in_front {
        return None;
    }
    if let Some(content) = front
        .get("banner")
        .and_then(|entry| entry.node.get("content"))
    {
        words.paragraph(&content.node, "");
    }
    if let Some(hero) = front.get("hero") {
        words.hero(&hero.node, front);
    }
    if front.text(&["layout"]) == Some("home")
        && let Some(features) = front.get("features")
    {
        words.features(&features.node);
    }
    words.some()
}

impl HomeWords {
    fn some(self) -> Option<Self> {
        (!self.text.trim().is_empty()).then_some(self)
    }

    /// `home: true` with `heroText`, `tagline` and the others beside it.
    fn flat(&mut self, front: &Front) {
        if front.bool(&["home"]) != Some(true) {
            return;
        }
        let value = |key: &str| front.get(key).map(|entry| &entry.node);
        if let Some(name) = value("heroText").filter(|name| !name.is_null()) {
            self.paragraph(name, "**");
        }
        if let Some(tagline) = value("tagline").filter(|tagline| !tagline.is_null()) {
            self.paragraph(tagline, "");
        }
        if let Some(image) = value("heroImage") {
            self.picture(image);
        }
        if let (Some(text), Some(to)) = (value("actionText"), front.text(&["actionLink"])) {
            let words = words(text).unwrap_or_default();
            self.line(format!("- [{words}]({})", address(to)), text.line);
            self.line(String::new(), text.line);
        }
        if let Some(actions) = value("actions") {
            self.actions(actions);
        }
        if let Some(features) = value("features") {
            self.features(features);
        }
        if let Some(footer) = value("footer").filter(|footer| !footer.is_null()) {
            self.paragraph(footer, "");
        }
    }

    fn features(&mut self, features: &Node) {
        for feature in features.items().iter().take(MOST) {
            self.feature(feature);
        }
        self.line(String::new(), features.line);
    }

    fn actions(&mut self, actions: &Node) {
        for action in actions.items().iter().take(MOST) {
            if let Some(link) = link(action, "text", "link") {
                self.line(format!("- {link}"), action.line);
            }
        }
        self.line(String::new(), actions.line);
    }

    fn line(&mut self, line: String, source: u32) {
        self.text.push_str(&line);
        self.text.push('\n');
        self.lines.push(source);
    }

    /// A paragraph; `mark` is around its words.
    fn paragraph(&mut self, node: &Node, mark: &str) {
        if let Some(words) = words(node) {
            self.line(format!("{mark}{words}{mark}"), node.line);
            self.line(String::new(), node.line);
        }
    }

    fn hero(&mut self, hero: &Node, front: &Front) {
        let value = |key: &str| hero.get(key).map(|entry| &entry.node);
        let title = value("title").filter(|title| title.text() != front.text(&["title"]));
        for name in value("name").into_iter().chain(title) {
            self.paragraph(name, "**");
        }
        for text in ["text", "tagline"].into_iter().filter_map(value) {
            self.paragraph(text, "");
        }
        if let Some(image) = value("image") {
            self.picture(image);
        }
        if let Some(actions) = value("actions") {
            self.actions(actions);
        }
    }

    /// A picture: its path, or a map with one for each background.
    fn picture(&mut self, image: &Node) {
        let value = |key: &str| image.get(key).and_then(|entry| entry.node.text());
        let keys = ["src", "file", "light", "dark"];
        let source = image.text().or_else(|| keys.into_iter().find_map(value));
        if let Some(source) = source {
            let alt = escape(value("alt").unwrap_or_default());
            self.line(format!("![{alt}]({})", address(source)), image.line);
            self.line(String::new(), image.line);
        }
    }

    fn feature(&mut self, feature: &Node) {
        let Some(title) = link(feature, "title", "link") else {
            return;
        };
        let details = feature.get("details").and_then(|entry| words(&entry.node));
        let details = details.unwrap_or_default();
        let line = format!("- **{title}** {details}");
        self.line(line.trim_end().to_owned(), feature.line);
    }
}

/// The words of a map at one key, as a link if another key has an address.
fn link(map: &Node, words_at: &str, link_at: &str) -> Option<String> {
    let words = words(&map.get(words_at)?.node)?;
    let to = map.get(link_at).and_then(|Entry { node, .. }| node.text());
    Some(match to {
        Some(to) => format!("[{words}]({})", address(to)),
        None => words,
    })
}

/// The words of a value on one line. HTML in them is shown as HTML.
fn words(node: &Node) -> Option<String> {
    let words = one_line(node.text()?);
    let words = match words.contains('<') {
        true => words.trim().to_owned(),
        false => escape(words.trim()),
    };
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::home_words;
    use crate::dialects::{Evidence, Kind};
    use crate::syntax::front::split;

    fn check(kind: &str, front: &str, expected: &str) {
        let kind = Kind::detect(&Evidence::default(), Some(kind));
        let front = split(&format!("---\n{front}\n---\n"), "index.md").front;
        let found = home_words(&front, &kind).unwrap_or_default();
        assert_eq!(found.text, expected);
        assert_eq!(found.lines.len(), found.text.matches('\n').count());
    }

    #[test]
    fn rule_29_the_words_of_a_home_page_are_shown() {
        let front = "layout: home\nhero:\n  name: Name\n  text: A_b\n  tagline: Tag <b>line</b>\n  image: {src: /a.png, alt: A}\n  actions:\n    - {theme: brand, text: Start, link: /g}\nfeatures:\n  - {icon: x, title: T, details: D, link: /two}\n  - {title: U}";
        check(
            "vitepress",
            front,
            "**Name**\n\nA&#95;b\n\nTag <b>line</b>\n\n![A](/a.png)\n\n- [Start](/g)\n\n- **[T](/two)** D\n- **U**\n\n",
        );
        check("hugo", front, "");
        check("vitepress", "hero: /a.png\nfeatures: [a]", "");
        check(
            "astro",
            "title: T\nhero:\n  title: T\n  tagline: Tag\n  image: {file: ../a.png}\nbanner:\n  content: |\n    B <a href=\"/x\">w</a>",
            "B <a href=\"/x\">w</a>\n\nTag\n\n![](../a.png)\n\n",
        );
    }
}
