//! The size of a picture, so that a page can reserve its space before it loads.

use crate::syntax::html::tokens::{StartTag, Token, Tokens};

/// How many bytes of an SVG file are searched for its root element: drawing programs write a few
/// kilobytes before it.
const FAR: usize = 64 * 1024;
/// Longer sides are errors or attacks.
const LONGEST: f64 = 1e6;

/// Width and height in CSS pixels of the file at this path; `None` if it specifies none or is not a
/// picture.
pub fn size(path: &str, bytes: &[u8]) -> Option<(u32, u32)> {
    let suffix = path.rsplit_once('.')?.1.to_ascii_lowercase();
    match suffix.as_str() {
        "svg" => svg(bytes),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "bmp" | "ico" | "apng" | "jxl" => {
            let size = imagesize::blob_size(bytes).ok()?;
            Some((
                u32::try_from(size.width).ok()?,
                u32::try_from(size.height).ok()?,
            ))
            .filter(|(width, height)| *width > 0 && *height > 0)
        }
        _ => None,
    }
}

/// The first element, if it is `svg`.
fn svg_root(text: &str) -> Option<StartTag> {
    let root = Tokens::new(text).find_map(|token| match token {
        Token::Start(tag) => Some(tag),
        _ => None,
    })?;
    (root.name == "svg" || root.name.ends_with(":svg")).then_some(root)
}

/// The size of an SVG: its absolute `width` and `height`, completed by the aspect ratio of its
/// `viewBox`, or the size of the `viewBox` (SVG 2, 8.8; CSS Images 3, 4.2). With a `viewBox` alone,
/// browsers fill the available width, which is wrong for icons; the size it was drawn in is the
/// best guess.
fn svg(bytes: &[u8]) -> Option<(u32, u32)> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(FAR)]);
    let root = svg_root(&text)?;
    let drawn = view_box(&root);
    let (width, height) = match (length(&root, "width"), length(&root, "height"), drawn) {
        (Some(width), Some(height), _) => (width, height),
        (Some(width), None, Some((w, h))) => (width, width * h / w),
        (None, Some(height), Some((w, h))) => (height * w / h, height),
        (None, None, Some(drawn)) => drawn,
        (_, _, None) => return None,
    };
    Some((pixels(width)?, pixels(height)?))
}

/// Width and height of the `viewBox`: the last two of four numbers, separated by spaces or commas.
fn view_box(root: &StartTag) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = root
        .get("viewbox")?
        .split([' ', ',', '\t', '\n', '\r'])
        .filter(|part| !part.is_empty())
        .map_while(|part| part.parse().ok())
        .collect();
    let [_, _, width, height] = numbers.try_into().ok()?;
    (width > 0.0 && height > 0.0).then_some((width, height))
}

/// An absolute length in CSS pixels (CSS Values 3, 6.2); relative lengths are not supported.
fn length(root: &StartTag, name: &str) -> Option<f64> {
    let value = root.get(name)?.trim();
    let unit = value
        .find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E') || c == '%')
        .unwrap_or(value.len());
    let (number, unit) = value.split_at(unit);
    let pixels = match unit.to_ascii_lowercase().as_str() {
        "" | "px" => 1.0,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        _ => return None,
    };
    number
        .trim_end()
        .parse::<f64>()
        .ok()
        .map(|number| number * pixels)
}

/// As a length in an HTML `img`: a positive integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within bounds"
)]
fn pixels(length: f64) -> Option<u32> {
    let length = length.round();
    (1.0..=LONGEST).contains(&length).then_some(length as u32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn content_18_a_drawing_has_the_size_that_it_says() {
        for (text, expected) in [
            (
                "<svg width=\"760\" height=\"430\" viewBox=\"0 0 10 10\">",
                Some((760, 430)),
            ),
            (
                "<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"x.dtd\" [\n<!ENTITY a \"b\">\n]>\n<!-- <b> --><svg width='800px' height='8e2px'/>",
                Some((800, 800)),
            ),
            (
                "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\" width=\"1in\" height=\"72pt\"/>",
                Some((96, 96)),
            ),
            ("<svg width=\"2.54cm\" height=\"25.4mm\"/>", Some((96, 96))),
            ("<svg viewBox=\"0 0 388.83 266.21\">", Some((389, 266))),
            (
                "<svg viewBox=\"-5,-5,20,10\" width=\"100%\" height=\"auto\">",
                Some((20, 10)),
            ),
            (
                "<svg viewBox=\"0 0 20 10\" width=\"300\">",
                Some((300, 150)),
            ),
            (
                "<svg viewBox=\"0 0 20 10\" height=\"300\">",
                Some((600, 300)),
            ),
            ("<svg width=\"100\">", None),
            ("<svg width=\"5em\" height=\"5em\">", None),
            ("<svg viewBox=\"0 0 0 10\">", None),
            ("<svg width=\"0\" height=\"-1\" viewBox=\"0 0 1 1\">", None),
            ("<svg width=\"inf\" height=\"nan\">", None),
            ("<html><svg width=\"1\" height=\"1\">", None),
            ("<svg", None),
            ("", None),
        ] {
            assert_eq!(size("a/b.SVG", text.as_bytes()), expected, "{text}");
        }
        assert_eq!(size("a.txt", b"<svg width=\"1\" height=\"1\">"), None);
    }

    proptest! {
        #[test]
        fn no_drawing_panics_and_no_size_is_zero(text in "(<svg |viewBox=\"|width=|height='|[0-9.eE+-]{1,5}|px|%|inf|[ ,\"'>]|\u{e9}){0,30}") {
            prop_assert!(size("a.svg", text.as_bytes()).is_none_or(|(width, height)| width > 0 && height > 0));
        }
    }
}
