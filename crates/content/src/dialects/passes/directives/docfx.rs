//! DocFX's own syntax: `:::image … :::`, `:::zone …`, `::: moniker …`, `:::row:::`, `[!div …]`,
//! `[!VIDEO …]`, `# [Tab](#tab/x)`, `xref:`.

use super::state::{State, outside_spans};
use crate::dialects::markup::{address, label};
use crate::dialects::passes::files::{Found, Search};
use crate::dialects::scan::Line;
use crate::dialects::tags::{Arguments, Piece, callout};
use crate::syntax::markdown::literal::Literals;

/// The longest recognised name, in characters.
const LONGEST: usize = 500;

/// Every text with such a line contains one of these.
pub const SIGNS: [&str; 7] = [
    "[!div", "[!DIV", "[!VIDEO", "[!video", "](#tab/", "xref:", ":::",
];

/// Writes a line of DocFX; `false`: it has none of this syntax.
pub fn line(line: &Line<'_>, number: usize, state: &mut State<'_>) -> bool {
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
    } else if let Some(range) = condition(rest) {
        state.label(line, &range, number);
    } else if is_frame(rest) {
        state.out.push(line.prefix.trim_end(), number);
    } else {
        return words(line, number, state);
    }
    true
}

/// A line of text that contains pictures and references.
fn words(line: &Line<'_>, number: usize, state: &mut State<'_>) -> bool {
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
        let (files, way) = (state.files, state.way.clone());
        let mut missing = Vec::new();
        let mut search = |uid: &str| {
            let found = files.and_then(|files| (files.search)(Search::Uid(uid)));
            if found.is_none() {
                missing.push(uid.to_owned());
            }
            found
        };
        let own = outside_spans(rest, &mut |part| {
            references(&images(part), &mut search, &way)
        });
        for uid in missing {
            state.miss(&uid, number);
        }
        own
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

/// The versions or the choice that the lines below are for: `::: moniker range=">= x"`,
/// `:::zone pivot="a,b"`. The part is shown, so its reader must be told.
fn condition(rest: &str) -> Option<String> {
    let inner = rest
        .strip_prefix(":::")?
        .trim_start_matches(':')
        .trim_start();
    let (name, arguments) = inner.split_once(char::is_whitespace)?;
    let key = match name {
        "moniker" => "range",
        "zone" => "pivot",
        _ => return None,
    };
    let arguments = arguments.trim_end().trim_end_matches(':');
    let value = Arguments::parse(arguments).named(&[key])?.trim();
    if value.is_empty() || value.len() > LONGEST {
        return None;
    }
    Some(label(&value.replace(',', ", ").replace(",  ", ", ")))
}

/// The label of a page that is for some versions only, after its title.
pub fn versions(text: &str, range: &str, found: &Literals) -> Option<String> {
    let range = range.trim();
    if range.is_empty() || range.len() > LONGEST {
        return None;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            at += line.len();
            continue;
        }
        if line.starts_with("# ") && !found.is_code(at) {
            at += line.len();
        }
        break;
    }
    let (before, after) = text.split_at(at);
    let label = callout::label(&label(range));
    let room = if before.is_empty() || before.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    Some(format!("{before}{room}\n{label}\n\n{after}"))
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
        let arguments = Arguments::parse(inner);
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

/// `<xref:Name>` and `[text](xref:Name)` become links to the text of the folder with this `uid`;
/// the name of another as code, and the text alone: their target is not in the folder.
fn references(text: &str, search: &mut dyn FnMut(&str) -> Option<Found>, way: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once("xref:") {
        let near = behind
            .char_indices()
            .nth(LONGEST)
            .map_or(behind, |(end, _)| &behind[..end]);
        if let Some(before) = before.strip_suffix('<')
            && let Some((written, _)) = near.split_once('>')
            && !written.contains(' ')
            && !has_code_mark(written)
        {
            out.push_str(before);
            match search(&uid(written)) {
                Some(found) => {
                    let to = target(written, &found, way);
                    out.push_str(&format!("[{}]({to})", label(&found.title)));
                }
                None => out.push_str(&format!("`{}`", plain_name(written))),
            }
            rest = &behind[written.len() + 1..];
        } else if before.ends_with("](")
            && let Some((written, _)) = near.split_once(')')
        {
            let found = search(&uid(written));
            match (&found, before[..before.len() - 2].rsplit_once('[')) {
                (Some(found), _) => {
                    out.push_str(before);
                    out.push_str(&target(written, found, way));
                    out.push(')');
                }
                (None, Some((before, text))) => {
                    out.push_str(before);
                    out.push_str(text);
                }
                (None, None) => out.push_str(&before[..before.len() - 2]),
            }
            rest = &behind[written.len() + 1..];
        } else {
            out.push_str(before);
            out.push_str("xref:");
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

/// The address of a found text, with the place on its page.
fn target(written: &str, found: &Found, way: &str) -> String {
    let (written, _) = written.split_once(' ').unwrap_or((written, ""));
    let place = written
        .split_once('#')
        .map(|(_, place)| format!("#{place}"));
    format!("{way}{}{}", address(&found.path), place.unwrap_or_default())
}

/// The id in a reference, without `?displayProperty=…`, place or title.
fn uid(written: &str) -> String {
    let end = written.find(['?', '#', ' ']).unwrap_or(written.len());
    written[..end]
        .replace("%2A", "*")
        .replace("%60", "`")
        .replace("%28", "(")
        .replace("%29", ")")
        .replace("%2C", ",")
}

/// Whether a backtick is more than the sign of a generic type: `List`1`.
fn has_code_mark(written: &str) -> bool {
    let mut behind = written.split('`').skip(1);
    behind.any(|part| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit()))
}

/// The name of a type or member as a reader knows it: without the numbers of its type parameters.
fn plain_name(name: &str) -> String {
    let end = name.find(['?', '#']).unwrap_or(name.len());
    let name = name[..end].replace("%2A", "").replace("%60", "`");
    let mut parts = name.split('`');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    plain.trim_end_matches('*').to_owned()
}

#[cfg(test)]
mod tests {
    use super::versions;
    use crate::dialects::passes::directives::check;
    use crate::syntax::markdown::literal::literals;

    #[test]
    fn rule_59_a_part_for_some_versions_has_a_label() {
        check(
            ":::zone pivot=\"a,b\"\nA\n:::zone-end\n::: moniker range=\">= x || < [y]\"\nB\n::: moniker-end",
            "\n**a, b:**\n\nA\n\n\n**>= x || < \\[y\\]**\n\nB\n",
        );
        check(
            "- a\n\n  ::: moniker range=\"x\"\n  b\n  ::: moniker-end\n",
            "- a\n\n\n  **x:**\n\n  b\n\n",
        );
    }

    #[test]
    fn rule_59_a_page_for_some_versions_has_a_label() {
        let check = |text: &str, expected: &str| {
            let found = literals(text);
            assert_eq!(versions(text, ">= x", &found).as_deref(), Some(expected));
        };
        check("# A\n\nb", "# A\n\n**>= x:**\n\n\nb");
        check("\nb", "\n\n**>= x:**\n\nb");
        check("# A", "# A\n\n**>= x:**\n\n");
    }

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
        check("::: zone target=\"docs\"\nA\n:::zone-end", "\nA\n");
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
        check(
            "<xref:N.List`1>, <xref:N.Map`2.Get%2A>, <xref:N.Of%60%601>",
            "`N.List`, `N.Map.Get`, `N.Of`",
        );
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
