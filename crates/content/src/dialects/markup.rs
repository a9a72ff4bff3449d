//! How the steps write Markdown: addresses, labels, spans of code, and the containers that a line stands in.

/// An address as it may stand in Markdown without brackets.
pub(super) fn address(text: &str) -> String {
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

/// The most that a line's containers take, in bytes: it is put before each line of what stands in them.
const LONGEST_CONTAINER: usize = 64;

/// What of a line belongs to the containers it stands in: marks of quotes, and the room of a list's marker. More than anybody writes is none.
pub(super) fn container(line: &str) -> String {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    if line.len() - rest.len() > LONGEST_CONTAINER {
        return String::new();
    }
    let mut container = line[..line.len() - rest.len()].to_owned();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match rest.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
        _ => return container,
    };
    let behind = &rest[marker..];
    let room = behind.len() - behind.trim_start_matches(' ').len();
    if (1..=LONGEST_CONTAINER).contains(&room) {
        container.extend(std::iter::repeat_n(' ', marker + room));
    }
    container
}

/// Text inside `[…]`.
pub(super) fn label(text: &str) -> String {
    crate::model::text::one_line(text).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A code span that holds any text.
pub(super) fn code_span(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}
