//! DocFX's own syntax: `:::image … :::`, `:::zone …`, `::: moniker …`, `:::row:::`, `[!div …]`,
//! `[!VIDEO …]`, `# [Tab](#tab/x)`, `xref:`.

use super::state::{State, outside_spans};
use crate::dialects::markup::address;
use crate::dialects::passes::scan::Line;
use crate::dialects::tags::{Arguments, Piece};

/// The longest recognised name, in characters.
const LONGEST: usize = 500;

/// Every text with such a line contains one of these.
pub const SIGNS: [&str; 7] = [
    "[!div", "[!DIV", "[!VIDEO", "[!video", "](#tab/", "xref:", ":::",
];

/// Writes a line of DocFX; `false`: it has none of this syntax.
pub fn line(line: &Line<'_>, number: usize, state: &mut State) -> bool {
    if line.block {
        return false;
    }
    let rest = line.rest.trim_end();
    let quoted = line.prefix.contains('>');
    state.unquote &= quoted;
    if quoted && is_box(rest) {
        state.unquote = true;
        state.out.push("", number);
    } else if let Some(address) = video(rest) {
        state.out.push(
            format!("{}{{{{< iframe src=\"{address}\" >}}}}", line.prefix),
            number,
        );
    } else if let Some(title) = tab(rest) {
        state.in_tabs = true;
        state.label(line, title, number);
    } else if state.in_tabs && matches!(rest, "---" | "***" | "* * *" | "- - -" | "___") {
        state.in_tabs = false;
        state.out.push("", number);
    } else if is_frame(rest) {
        state.out.push(line.prefix.trim_end(), number);
    } else {
        return words(line, number, state);
    }
    true
}

/// A line of text that contains pictures and references.
fn words(line: &Line<'_>, number: usize, state: &mut State) -> bool {
    let rest = line.rest.trim_end();
    let marked = rest.contains(":::image ") || rest.contains("xref:");
    if !marked && !state.unquote {
        return false;
    }
    let mut prefix = line.prefix.to_owned();
    if state.unquote {
        prefix = prefix.replacen("> ", "", 1).replacen('>', "", 1);
    }
    let own = if marked {
        outside_spans(rest, |part| references(&images(part)))
    } else {
        line.rest.to_owned()
    };
    state.out.push(format!("{prefix}{own}"), number);
    true
}

/// `[!div class="…"]`
fn is_box(rest: &str) -> bool {
    rest.get(..5)
        .is_some_and(|mark| mark.eq_ignore_ascii_case("[!div"))
        && rest.ends_with(']')
}

/// The address in `[!VIDEO https://…]`.
fn video(rest: &str) -> Option<&str> {
    let inner = rest
        .strip_prefix("[!VIDEO ")
        .or_else(|| rest.strip_prefix("[!video "))?
        .strip_suffix(']')?
        .trim();
    (inner.starts_with("https://") && !inner.contains([' ', '"', '<', '>', '{', '}']))
        .then_some(inner)
}

/// The title of `# [Title](#tab/name)`.
fn tab(rest: &str) -> Option<&str> {
    let heading = rest.trim_start_matches('#');
    if heading.len() == rest.len() {
        return None;
    }
    let (title, to) = heading
        .strip_prefix(' ')?
        .trim()
        .strip_prefix('[')?
        .split_once("](#tab/")?;
    let name = to.strip_suffix(')')?;
    (!name.contains(')')).then_some(title)
}

/// Lines without content that only say how or when the lines between them are shown.
fn is_frame(rest: &str) -> bool {
    const NAMES: [&str; 12] = [
        "zone",
        "zone-end",
        "moniker",
        "moniker-end",
        "row",
        "row-end",
        "column",
        "column-end",
        "image-end",
        "code",
        "form",
        "no-loc",
    ];
    if !rest.starts_with(":::") {
        return false;
    }
    let inner = rest.trim_start_matches(':').trim_start();
    let end = inner
        .find(|c: char| !(c.is_ascii_alphabetic() || c == '-'))
        .unwrap_or(inner.len());
    let (name, behind) = inner.split_at(end);
    let behind = behind.trim();
    // `:::row` alone is a generic container; DocFX closes its own on the same line, or gives
    // arguments.
    let own = name.ends_with("-end")
        || behind.ends_with(":::")
        || matches!(name, "zone" | "moniker")
            && (behind.contains('=') || behind.starts_with("target"));
    own && NAMES.contains(&name)
}

/// Pictures `:::image … :::` in a line.
fn images(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(":::image ")
        && let Some((inner, after)) = behind.split_once(":::")
    {
        out.push_str(before);
        let arguments = Arguments::of(inner);
        if let Some(source) = source(&arguments) {
            let alt = arguments.named(&["alt-text", "alt"]).unwrap_or_default();
            out.push_str(&format!(
                "![{}]({})",
                alt.replace(['[', ']'], ""),
                address(&source)
            ));
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn source(arguments: &Arguments<'_>) -> Option<String> {
    match Piece::image("image", arguments) {
        Some(Piece::Image { source, .. }) => Some(source),
        _ => arguments.named(&["source"]).map(str::to_owned),
    }
}

/// `<xref:Name>` becomes the name as code, `[text](xref:Name)` the text: the target is not in the
/// folder.
fn references(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once("xref:") {
        let near = behind
            .char_indices()
            .nth(LONGEST)
            .map_or(behind, |(end, _)| &behind[..end]);
        if let Some(before) = before.strip_suffix('<')
            && let Some((name, _)) = near.split_once('>')
            && !name.contains([' ', '`'])
        {
            out.push_str(before);
            out.push_str(&format!("`{}`", plain_name(name)));
            rest = &behind[name.len() + 1..];
        } else if let Some(link) = before.strip_suffix("](")
            && let Some((target, _)) = near.split_once(')')
            && let Some((before, text)) = link.rsplit_once('[')
        {
            out.push_str(before);
            out.push_str(text);
            rest = &behind[target.len() + 1..];
        } else {
            out.push_str(before);
            out.push_str("xref:");
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

fn plain_name(name: &str) -> String {
    let end = name.find(['?', '#']).unwrap_or(name.len());
    name[..end]
        .replace("%2A", "")
        .replace("%60", "")
        .trim_end_matches('*')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use crate::dialects::passes::directives::check;

    #[test]
    fn rule_12_directives_of_docfx() {
        check(
            ":::image type=\"content\" source=\"a b.png\" alt-text=\"An A.\" lightbox=\"c.png\":::",
            "![An A.](a%20b.png)",
        );
        check(
            "1. Do :::image type=\"icon\" source=\"i.png\" border=\"false\"::: it",
            "1. Do ![](i.png) it",
        );
        check(
            ":::image source=\"x.png\" alt-text=\"X\"::: \nLong.\n:::image-end:::",
            "![X](x.png)\nLong.\n",
        );
        check(
            ":::zone pivot=\"a\"\nA\n:::zone-end\n::: moniker range=\">= x\"\nB\n::: moniker-end",
            "\nA\n\n\nB\n",
        );
        check(
            ":::row:::\n:::column span=\"2\":::\nA\n:::column-end:::\n:::row-end:::",
            "\n\nA\n\n",
        );
        check(
            "> [!div class=\"nextstepaction\"]\n> [Next](b.md)\n\n> q",
            "\n[Next](b.md)\n\n> q",
        );
        check(
            "> [!VIDEO https://e.org/x]",
            "> {{< iframe src=\"https://e.org/x\" >}}",
        );
        check(
            "# [One](#tab/one)\nA\n\n---\nB\n\n---",
            "\n**One:**\n\nA\n\n\nB\n\n---",
        );
        check(
            "See <xref:System.String?x=y>, [it](xref:System.X) and xref:z.",
            "See `System.String`, it and xref:z.",
        );
        check("`<xref:a>` is <xref:b>", "`<xref:a>` is `b`");
        for text in [
            "```\n:::zone pivot=\"a\"\n```",
            ":::note\na\n:::",
            "> [!NOTE]\n> a",
            ":::row\na\n:::",
            "# [One](#two)",
        ] {
            check(text, text);
        }
    }
}
