//! Compares two records of a page's appearance.

use super::record::{Block, Page};

/// The tolerance of a position in pixels, whatever its size …
const PIXELS: i32 = 3;
/// … and relative to its size, in thousandths: other builds of a browser round the widths of
/// letters differently.
const SHARE: i32 = 15;
/// The tolerance of a mean colour, in steps of 255: the edges of letters are drawn differently, but
/// their number is the same.
const STEPS: i32 = 10;
/// How many blocks of one page are listed.
const NAMED: usize = 8;

/// The differences, in words; empty if the page looks the same.
pub fn differences(before: &Page, now: &Page) -> Vec<String> {
    let mut found = Vec::new();
    for (width, blocks) in &before.widths {
        let seen = now.widths.get(width).map_or(&[][..], Vec::as_slice);
        let names = |blocks: &[Block]| {
            blocks
                .iter()
                .map(|block| block.name.clone())
                .collect::<Vec<_>>()
        };
        if let Some(at) = names(blocks)
            .iter()
            .zip(names(seen))
            .position(|(one, other)| *one != other)
        {
            found.push(format!(
                "{width} px: block {at} was `{}` and is `{}`",
                blocks[at].name, seen[at].name
            ));
        } else if blocks.len() != seen.len() {
            found.push(format!(
                "{width} px: there were {} blocks and are {}",
                blocks.len(),
                seen.len()
            ));
        } else {
            let changed = blocks
                .iter()
                .zip(seen)
                .enumerate()
                .filter_map(|(at, (one, other))| {
                    Some(format!(
                        "{width} px: block {at}, `{}`: {}",
                        one.name,
                        block(one, other)?
                    ))
                });
            found.extend(changed);
        }
    }
    for (element, before) in &before.styles {
        match now.styles.get(element) {
            None => found.push(format!("`{element}` is gone")),
            Some(now) => {
                found.extend(
                    before
                        .iter()
                        .zip(now)
                        .filter(|(one, other)| one != other)
                        .map(|(one, other)| format!("`{element}` was {one} and is {other}")),
                );
            }
        }
    }
    let more = found.len().saturating_sub(NAMED);
    found.truncate(NAMED);
    if more > 0 {
        found.push(format!("… and {more} more"));
    }
    found
}

/// The difference of a block, if any.
fn block(before: &Block, now: &Block) -> Option<String> {
    let what = ["left edge", "width", "height", "space above"];
    for (at, (&one, &other)) in before.place.iter().zip(&now.place).enumerate() {
        let room = PIXELS.max(one.abs().max(before.place[2]) * SHARE / 1000);
        if (one - other).abs() > room {
            return Some(format!("{} was {one} px and is {other} px", what[at]));
        }
    }
    for (scheme, (one, other)) in ["light", "dark"]
        .iter()
        .zip(before.cells.iter().zip(&now.cells))
    {
        if one.len() != other.len()
            || bytes(one)
                .zip(bytes(other))
                .any(|(one, other)| (one - other).abs() > STEPS)
        {
            return Some(format!("its picture was {one} and is {other} ({scheme})"));
        }
    }
    None
}

/// The bytes of hexadecimal digits; an invalid digit is far from every colour.
fn bytes(digits: &str) -> impl Iterator<Item = i32> {
    digits.as_bytes().chunks(2).map(|pair| {
        std::str::from_utf8(pair)
            .ok()
            .and_then(|pair| i32::from_str_radix(pair, 16).ok())
            .unwrap_or(-1_000)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: &str = "360 h1\t19 322 68 40\tfcfbf8fcfbf8fcfbf8fcfbf8\t171615171615171615171615\n\
        360 p\t19 322 400 16\te0e0e0e0e0e0e0e0e0e0e0e0\t------------------------\n\
        style 360 a\t400 17.0px #942b1e on #fcfbf8\t400 17.0px #f0a08c on #171615\n";

    fn check(from: &str, to: &str, expected: &[&str]) {
        let page = |text: &str| Page::parse(text).unwrap();
        assert!(LOOK.contains(from), "{from}");
        assert_eq!(
            differences(&page(LOOK), &page(&LOOK.replace(from, to))),
            expected,
            "{from} -> {to}"
        );
    }

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let page = Page::parse(LOOK).unwrap();
        assert_eq!(Page::parse(&page.write()).unwrap(), page);
        assert!(Page::parse("360 h1\t1 2 3\tx\ty\n").is_err());
    }

    #[test]
    fn what_a_browser_rounds_is_the_same() {
        check("19 322 68 40", "20 324 66 41", &[]);
        check("19 322 400 16", "19 322 405 18", &[]);
        check("\te0e0e0", "\te4dde1", &[]);
    }

    #[test]
    fn what_a_person_would_see_is_not() {
        check(
            "19 322 68 40",
            "19 322 102 40",
            &["360 px: block 0, `h1`: height was 68 px and is 102 px"],
        );
        check(
            "19 322 68 40",
            "19 322 68 30",
            &["360 px: block 0, `h1`: space above was 40 px and is 30 px"],
        );
        check(
            "\te0e0e0e0e0e0e0e0e0e0e0e0",
            "\te0e0e0e0e0f0e0e0e0e0e0e0",
            &[
                "360 px: block 1, `p`: its picture was e0e0e0e0e0e0e0e0e0e0e0e0 and is e0e0e0e0e0f0e0e0e0e0e0e0 (light)",
            ],
        );
        check(
            "#f0a08c",
            "#f0a08d",
            &["`360 a` was 400 17.0px #f0a08c on #171615 and is 400 17.0px #f0a08d on #171615"],
        );
        check(
            "360 h1",
            "360 h2",
            &["360 px: block 0 was `h1` and is `h2`"],
        );
    }
}
