//! What DocFX reads in its own way: `:::image … :::`, `:::zone …`, `::: moniker …`, `:::row:::`, `[!div …]`, `[!VIDEO …]`, `# [Tab](#tab/x)`, `xref:`.

use super::{Line, Walk};
use crate::dialects::{Arguments, Piece, image};

/// The longest name that is looked for, in characters.
const LONGEST: usize = 500;

/// One of them is in every text that has such a line.
pub(super) const SIGNS: [&str; 7] = ["[!div", "[!DIV", "[!VIDEO", "[!video", "](#tab/", "xref:", ":::"];

/// Writes a line of DocFX; `false`: it is none.
pub(super) fn line(line: &Line<'_>, number: usize, walk: &mut Walk) -> bool {
    if line.code {
        return false;
    }
    let rest = line.rest.trim_end();
    if walk.unquote && !line.prefix.contains('>') {
        walk.unquote = false;
    }
    if line.prefix.contains('>') && rest.get(..5).is_some_and(|mark| mark.eq_ignore_ascii_case("[!div")) && rest.ends_with(']') {
        walk.unquote = true;
        walk.push("", number);
        return true;
    }
    if let Some(address) = video(rest) {
        walk.push(format!("{}{{{{< iframe src=\"{address}\" >}}}}", line.prefix), number);
        return true;
    }
    if let Some(title) = tab(rest) {
        walk.in_tabs = true;
        walk.label(line, title, number);
        return true;
    }
    if walk.in_tabs && matches!(rest, "---" | "***" | "* * *" | "- - -" | "___") {
        walk.in_tabs = false;
        walk.push("", number);
        return true;
    }
    if is_frame(rest) {
        walk.push(line.prefix.trim_end(), number);
        return true;
    }
    let prefix = if walk.unquote { line.prefix.replacen("> ", "", 1).replacen('>', "", 1) } else { line.prefix.to_owned() };
    let marked = rest.contains(":::image ") || rest.contains("xref:");
    if !marked && !walk.unquote {
        return false;
    }
    let own = if marked { super::outside_spans(rest, |part| references(&images(part))) } else { line.rest.to_owned() };
    walk.push(format!("{prefix}{own}"), number);
    true
}

/// The address in `[!VIDEO https://…]`.
fn video(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix("[!VIDEO ").or_else(|| rest.strip_prefix("[!video "))?.strip_suffix(']')?.trim();
    (inner.starts_with("https://") && !inner.contains([' ', '"', '<', '>', '{', '}'])).then_some(inner)
}

/// The title of `# [Title](#tab/name)`.
fn tab(rest: &str) -> Option<&str> {
    let heading = rest.trim_start_matches('#');
    let (title, to) = heading.strip_prefix(' ')?.trim().strip_prefix('[')?.split_once("](#tab/")?;
    (heading.len() < rest.len() && to.ends_with(')') && !to[..to.len() - 1].contains(')')).then_some(title)
}

/// Lines that hold nothing and only say how what is between them is shown, or when.
fn is_frame(rest: &str) -> bool {
    const NAMES: [&str; 12] =
        ["zone", "zone-end", "moniker", "moniker-end", "row", "row-end", "column", "column-end", "image-end", "code", "form", "no-loc"];
    let inner = rest.trim_start_matches(':');
    if rest.len() - inner.len() < 3 {
        return false;
    }
    let inner = inner.trim_start();
    let end = inner.find(|c: char| !(c.is_ascii_alphabetic() || c == '-')).unwrap_or(inner.len());
    let (name, behind) = inner.split_at(end);
    let behind = behind.trim();
    // `:::row` alone is a box of others; DocFX closes its own on the line, or gives arguments.
    let own = name.ends_with("-end")
        || behind.ends_with(":::")
        || matches!(name, "zone" | "moniker") && (behind.contains('=') || behind.starts_with("target"));
    own && NAMES.contains(&name)
}

/// Pictures `:::image … :::` in a line.
fn images(rest: &str) -> String {
    let mut out = String::with_capacity(rest.len());
    let mut done = 0;
    while let Some(at) = rest[done..].find(":::image ").map(|at| done + at) {
        let inner = at + ":::image ".len();
        let Some(end) = rest[inner..].find(":::").map(|end| inner + end) else { break };
        let arguments = Arguments::of(&rest[inner..end]);
        out.push_str(&rest[done..at]);
        if let Some(Piece::Image { source, .. }) = image("image", &arguments).or_else(|| source(&arguments)) {
            let alt = arguments.named(&["alt-text", "alt"]).unwrap_or_default();
            out.push_str(&format!("![{}]({})", alt.replace(['[', ']'], ""), crate::dialects::address(&source)));
        }
        done = end + 3;
    }
    out.push_str(&rest[done..]);
    out
}

fn source(arguments: &Arguments<'_>) -> Option<Piece> {
    let source = arguments.named(&["source"])?.to_owned();
    Some(Piece::Image { source, alt: String::new(), caption: None })
}

/// `<xref:Name>` is the name as code, `[text](xref:Name)` the text: what they name is not in the folder.
fn references(rest: &str) -> String {
    let mut out = String::with_capacity(rest.len());
    let mut done = 0;
    while let Some(at) = rest[done..].find("xref:").map(|at| done + at) {
        let before = &rest[done..at];
        let inner = &rest[at + "xref:".len()..];
        let inner = inner.char_indices().nth(LONGEST).map_or(inner, |(end, _)| &inner[..end]);
        if let Some((before, end)) = before.strip_suffix('<').zip(inner.find('>')).filter(|(_, end)| !inner[..*end].contains([' ', '`'])) {
            let name = inner[..end].split(['?', '#']).next().unwrap_or_default().replace("%2A", "").replace("%60", "");
            out.push_str(before);
            out.push_str(&format!("`{}`", name.trim_end_matches('*')));
            done = at + "xref:".len() + end + 1;
            continue;
        }
        if let Some((text, end)) = before.strip_suffix("](").zip(inner.find(')'))
            && let Some(open) = text.rfind('[')
        {
            out.push_str(&text[..open]);
            out.push_str(&text[open + 1..]);
            done = at + "xref:".len() + end + 1;
            continue;
        }
        out.push_str(&rest[done..at + "xref:".len()]);
        done = at + "xref:".len();
    }
    out.push_str(&rest[done..]);
    out
}

#[cfg(test)]
mod tests {
    use crate::dialects::passes::directives::check;

    #[test]
    fn rule_12_directives_of_docfx() {
        check(":::image type=\"content\" source=\"a b.png\" alt-text=\"An A.\" lightbox=\"c.png\":::", "![An A.](a%20b.png)");
        check("1. Do :::image type=\"icon\" source=\"i.png\" border=\"false\"::: it", "1. Do ![](i.png) it");
        check(":::image source=\"x.png\" alt-text=\"X\"::: \nLong.\n:::image-end:::", "![X](x.png)\nLong.\n");
        check(":::zone pivot=\"a\"\nA\n:::zone-end\n::: moniker range=\">= x\"\nB\n::: moniker-end", "\nA\n\n\nB\n");
        check(":::row:::\n:::column span=\"2\":::\nA\n:::column-end:::\n:::row-end:::", "\n\nA\n\n");
        check("> [!div class=\"nextstepaction\"]\n> [Next](b.md)\n\n> q", "\n[Next](b.md)\n\n> q");
        check("> [!VIDEO https://e.org/x]", "> {{< iframe src=\"https://e.org/x\" >}}");
        check("# [One](#tab/one)\nA\n\n---\nB\n\n---", "\n**One:**\n\nA\n\n\nB\n\n---");
        check("See <xref:System.String?x=y>, [it](xref:System.X) and xref:z.", "See `System.String`, it and xref:z.");
        check("`<xref:a>` is <xref:b>", "`<xref:a>` is `b`");
        for text in ["```\n:::zone pivot=\"a\"\n```", ":::note\na\n:::", "> [!NOTE]\n> a", ":::row\na\n:::", "# [One](#two)"] {
            check(text, text);
        }
    }
}
