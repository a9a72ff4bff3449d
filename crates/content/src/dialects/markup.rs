//! Markdown output of the passes: addresses, labels, code, and the containers around a line.

use crate::model::text::one_line;

/// An address that needs no angle brackets in Markdown.
pub fn address(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.trim().chars() {
        match character {
            ' ' => safe.push_str("%20"),
            '(' => safe.push_str("%28"),
            ')' => safe.push_str("%29"),
            '<' => safe.push_str("%3C"),
            '>' => safe.push_str("%3E"),
            '"' => safe.push_str("%22"),
            _ if character.is_control() => {}
            _ => safe.push(character),
        }
    }
    safe
}

/// Whether a text can be written as an id.
pub fn is_id(text: &str) -> bool {
    let is_sign = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    text.starts_with(char::is_alphanumeric) && text.len() <= 200 && text.chars().all(is_sign)
}

/// A place that links lead to, in a line.
pub fn inline_place(id: &str) -> String {
    format!("<a id=\"{id}\"></a>")
}

/// A place that links lead to, on a line of its own; a blank line belongs after it.
pub fn block_place(id: &str) -> String {
    format!("<div id=\"{id}\"></div>")
}

/// White space and quote markers before a line.
pub const MARGIN: [char; 3] = [' ', '\t', '>'];

/// Whether a line is empty except for its margin.
pub fn is_blank(line: &str) -> bool {
    line.trim_matches(MARGIN).is_empty()
}

/// The longest container prefix of a line, in bytes: it is repeated before each line inside.
const LONGEST_CONTAINER: usize = 64;

/// The prefix of a line that belongs to its containers: quote markers, and the indent that a list
/// marker requires. A longer prefix counts as none; real texts have no such prefixes.
pub fn container(line: &str) -> String {
    // No further than that is looked at: a line of many tags is asked for each of them.
    let near = &line[..line.floor_char_boundary(LONGEST_CONTAINER + 1)];
    let margin = near.len() - near.trim_start_matches(MARGIN).len();
    if margin > LONGEST_CONTAINER {
        return String::new();
    }
    let (container, rest) = line.split_at(margin);
    let mut container = container.to_owned();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match rest.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        _ => return container,
    };
    let room = spaces(&rest[marker..]);
    if (1..=LONGEST_CONTAINER).contains(&room) {
        container.push_str(&" ".repeat(marker + room));
    }
    container
}

/// How many spaces a text begins with, up to one more than a container may have.
fn spaces(text: &str) -> usize {
    let near = text.bytes().take(LONGEST_CONTAINER + 1);
    near.take_while(|byte| *byte == b' ').count()
}

/// Whether an address leads to a picture.
pub fn is_picture(address: &str) -> bool {
    const ENDINGS: [&str; 10] = [
        "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "ico", "jxl",
    ];
    ends_with_one(address, &ENDINGS)
}

/// Whether an address leads to a picture, a film, a sound or a document.
pub fn is_media(address: &str) -> bool {
    is_picture(address) || ends_with_one(address, &["mp4", "webm", "ogg", "mp3", "wav", "pdf"])
}

fn ends_with_one(address: &str, endings: &[&str]) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    endings.iter().any(|own| own.eq_ignore_ascii_case(ending))
}

/// Text inside `[…]`.
pub fn label(text: &str) -> String {
    one_line(text)
        .replace('\\', "\\\\")
        .replace('[', "\\[")
        .replace(']', "\\]")
}

/// A code span for any text.
pub fn code_span(text: &str) -> String {
    let fence = "`".repeat(longest_backticks(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A fence for any code: longer than the backticks inside.
pub fn fence(code: &str) -> String {
    "`".repeat(longest_backticks(code).max(2) + 1)
}

fn longest_backticks(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_bounded_and_ends_with_the_marker_of_a_list() {
        assert_eq!(
            ["> a", "  - a", "> 12. a", "1.a", ""].map(container),
            ["> ", "    ", ">     ", "", ""]
        );
        assert_eq!(container(&format!("{}a", ">".repeat(64))), ">".repeat(64));
        assert_eq!(container(&format!("{}a", ">".repeat(65))), "");
        assert_eq!(container(&format!("-{}a", " ".repeat(64))), " ".repeat(65));
        assert_eq!(container(&format!("-{}a", " ".repeat(65))), "");
        assert_eq!(container(&format!("{}é", ">".repeat(64))), ">".repeat(64));
    }

    #[test]
    fn code_is_held_by_its_marks() {
        assert_eq!(
            [code_span("a"), code_span("a`b"), code_span("`a")],
            ["`a`", "``a`b``", "`` `a ``"]
        );
        assert_eq!([fence("a"), fence("```a")], ["```", "````"]);
    }
}
