//! The Open Graph card: 1200 by 630 pixels, PNG, well under 30 kB.
//!
//! Text is drawn with one embedded face (Latin, Greek, Cyrillic). A line with a missing glyph is
//! omitted: a card without words is better than one with boxes. The same words give the same bytes.

mod cache;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use bytes::Bytes;

use crate::resource::Digest;
use crate::theme::Asset;
pub use cache::CardCache;
pub(crate) use cache::Cards;

/// A subset of Source Serif 4 SemiBold, renamed as its licence (OFL 1.1) asks.
const FACE: &[u8] = include_bytes!("../../card/card-serif.ttf");

/// The version of the design. A cached card with another version is drawn again, so every change of
/// a card's bytes changes this.
const DESIGN: u32 = 3;

/// The name of a theme's own card.
const SOURCE: &str = "card.png";

/// Width in pixels: the size that every Open Graph consumer accepts.
pub const WIDTH: u32 = 1200;
/// Height in pixels.
pub const HEIGHT: u32 = 630;

/// Shades of each ink, the strongest being the ink itself. With paper that makes sixteen colours,
/// so a pixel takes half a byte.
const SHADES: u8 = 5;
/// The ink in the palest shade, and the step to the next shade, in hundredths.
const PALEST: u8 = 12;
const STEP: u8 = 22;
/// Bytes in a row.
const ROW: usize = WIDTH as usize / 2;
const _: () = assert!(PALEST + (SHADES - 1) * STEP == 100 && SHADES as usize * INKS.len() == 15);
const PAPER: [u8; 3] = [0xfb, 0xfa, 0xf6];
/// The inks: title, other text, and the figure of two pages.
const INKS: [[u8; 3]; 3] = [[0x1f, 0x24, 0x2b], [0x5b, 0x63, 0x6e], [0x9c, 0x4a, 0x2f]];

/// The line height of the title, as a share of the face's full height (about four thirds of its
/// em).
const LEADING: f32 = 0.92;
const MARGIN: f32 = 88.0;
/// The width of the text, left of the figure.
const TEXT_WIDTH: f32 = 760.0;

#[derive(Clone, Copy)]
enum Ink {
    Title,
    Text,
    Figure,
}

/// The words on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardText<'a> {
    /// The site's name or an article's title: up to three lines.
    pub title: &'a str,
    /// A second, smaller text: up to two lines; may be empty.
    pub text: &'a str,
    /// The foot: the site's name or host.
    pub foot: &'a str,
}

impl CardText<'_> {
    /// The card's identity: its words and the design.
    pub fn digest(&self) -> Digest {
        let parts = [self.title, self.text, self.foot].map(|text| Digest::hash(text.as_bytes()));
        Digest::hash_parts(
            parts
                .into_iter()
                .chain([Digest::hash(&DESIGN.to_be_bytes())]),
        )
    }
}

/// Whether a text is not empty and the face has every glyph.
fn is_drawable(text: &str) -> bool {
    !text.trim().is_empty()
        && FontRef::try_from_slice(FACE).is_ok_and(|face| has_glyphs(&face, text))
}

/// Draws a card. `None` only if the embedded face or the encoder fails, which a test excludes.
pub fn draw(words: &CardText<'_>) -> Option<Bytes> {
    let face = FontRef::try_from_slice(FACE).ok()?;
    let mut sheet = Sheet {
        pixels: vec![0; ROW * HEIGHT as usize],
    };
    sheet.figure();
    let title = fit(&face, words.title);
    let text = wrap(&face, words.text, 32.0, 2);
    let height = title.size * LEADING * title.lines.len() as f32
        + if text.is_empty() {
            0.0
        } else {
            28.0 + 44.0 * text.len() as f32
        };
    let mut y = ((HEIGHT as f32 - 60.0 - height) / 2.0).max(70.0);
    for line in &title.lines {
        y += title.size * LEADING;
        sheet.line(&face, line, title.size, y - title.size * 0.24, Ink::Title);
    }
    y += 28.0;
    for line in &text {
        y += 44.0;
        sheet.line(&face, line, 32.0, y - 12.0, Ink::Text);
    }
    for line in wrap(&face, words.foot, 28.0, 1) {
        sheet.line(&face, &line, 28.0, HEIGHT as f32 - 62.0, Ink::Figure);
    }
    sheet.encode()
}

/// Width and height of a card in pixels; `None` if a theme's own is not a PNG.
pub(crate) fn size(card: &Asset) -> Option<(u32, u32)> {
    dimensions(&card.bytes)
}

fn dimensions(picture: &[u8]) -> Option<(u32, u32)> {
    let reader = png::Decoder::new(std::io::Cursor::new(picture))
        .read_info()
        .ok()?;
    Some((reader.info().width, reader.info().height))
}

struct Fitted {
    size: f32,
    lines: Vec<String>,
}

/// The largest size at which the title fits in four lines (three at the two largest sizes), evenly
/// broken. At the smallest it is cut with an ellipsis.
fn fit(face: &FontRef<'_>, title: &str) -> Fitted {
    for (size, most) in [(92.0, 3), (80.0, 3), (70.0, 4), (62.0, 4)] {
        let lines = wrap(face, title, size, usize::MAX);
        if lines.len() <= most
            && lines
                .iter()
                .all(|line| width(face, line, size) <= TEXT_WIDTH && !line.ends_with('…'))
        {
            return Fitted {
                size,
                lines: even(face, title, size, lines),
            };
        }
    }
    Fitted {
        size: 56.0,
        lines: wrap(face, title, 56.0, 4),
    }
}

/// Balances the line lengths without adding a line, to avoid a last line of one word.
fn even(face: &FontRef<'_>, title: &str, size: f32, lines: Vec<String>) -> Vec<String> {
    let (mut narrow, mut wide) = (TEXT_WIDTH / 3.0, TEXT_WIDTH);
    let mut best = lines;
    for _ in 0..8 {
        let middle = f32::midpoint(narrow, wide);
        let tried = broken(face, title, size, middle);
        if tried.len() == best.len() && tried.iter().all(|line| width(face, line, size) <= middle) {
            (best, wide) = (tried, middle);
        } else {
            narrow = middle;
        }
    }
    best
}

/// Breaks the text into lines of at most this width; a longer word gets its own line.
fn broken(face: &FontRef<'_>, text: &str, size: f32, most: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(face, &format!("{line} {word}"), size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn has_glyphs(face: &FontRef<'_>, text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || face.glyph_id(c).0 != 0)
}

fn width(face: &FontRef<'_>, line: &str, size: f32) -> f32 {
    let scaled = face.as_scaled(PxScale::from(size));
    line.chars()
        .map(|c| scaled.h_advance(scaled.glyph_id(c)))
        .sum()
}

/// Breaks a text into lines of at most [`TEXT_WIDTH`]. Past `most` lines it ends with an ellipsis.
/// Empty if a glyph is missing.
fn wrap(face: &FontRef<'_>, text: &str, size: f32, most: usize) -> Vec<String> {
    // No card holds more characters, and the limit bounds the work for a title of a megabyte.
    let text: String = text.chars().take(400).collect();
    if !has_glyphs(face, &text) {
        return Vec::new();
    }
    let mut lines = broken(face, &text, size, TEXT_WIDTH);
    if lines.len() > most {
        lines.truncate(most);
        shorten(face, lines.last_mut(), size, true);
    }
    // A word longer than a line is cut.
    lines
        .iter_mut()
        .for_each(|line| shorten(face, Some(line), size, false));
    lines
}

/// Cuts characters from the end until the line with its ellipsis fits.
fn shorten(face: &FontRef<'_>, line: Option<&mut String>, size: f32, always: bool) {
    let Some(line) = line else { return };
    if !always && width(face, line, size) <= TEXT_WIDTH {
        return;
    }
    while width(face, &format!("{line}…"), size) > TEXT_WIDTH && line.pop().is_some() {}
    line.truncate(line.trim_end_matches([' ', ',', ';', ':', '.']).len());
    line.push('…');
}

/// The nearest shade; 0 is paper.
fn shade(strength: f32) -> u8 {
    let (strength, palest) = (strength.clamp(0.0, 1.0) * 100.0, f32::from(PALEST));
    if strength < palest / 2.0 {
        0
    } else {
        ((strength - palest) / f32::from(STEP)).round().max(0.0) as u8 + 1
    }
}

/// The card as palette indices, two per byte: 0 is paper, then the shades of each ink.
struct Sheet {
    pixels: Vec<u8>,
}

/// Writes an index into a row.
fn put(row: &mut [u8], x: usize, index: u8) {
    let both = &mut row[x / 2];
    *both = if x.is_multiple_of(2) {
        *both & 0x0f | index << 4
    } else {
        *both & 0xf0 | index
    };
}

impl Sheet {
    fn put(&mut self, x: i64, y: i64, strength: f32, ink: Ink) {
        let inside = (0..i64::from(WIDTH)).contains(&x) && (0..i64::from(HEIGHT)).contains(&y);
        let shade = shade(strength);
        if inside && shade > 0 {
            put(
                &mut self.pixels[y as usize * ROW..],
                x as usize,
                ink as u8 * SHADES + shade,
            );
        }
    }

    /// Draws a rectangle inside the sheet.
    fn rectangle(
        &mut self,
        x: usize,
        y: usize,
        width: usize,
        height: usize,
        strength: f32,
        ink: Ink,
    ) {
        let (index, end) = (ink as u8 * SHADES + shade(strength), x + width);
        for row in self.pixels.chunks_exact_mut(ROW).skip(y).take(height) {
            row[x.div_ceil(2)..end / 2].fill(index << 4 | index);
            // The pixels at the edges share a byte with their neighbours.
            put(row, x, index);
            put(row, end - 1, index);
        }
    }

    /// Draws two pages next to each other: one content in two forms.
    fn figure(&mut self) {
        self.rectangle(0, 0, 14, HEIGHT as usize, 1.0, Ink::Figure);
        let (top, page_width, page_height) = (150, 118, 330);
        for (page, left) in [(0, 916), (1, 1046)] {
            self.rectangle(left, top, page_width, page_height, 0.10, Ink::Text);
            self.rectangle(left, top, page_width, 3, 0.8, Ink::Figure);
            // The lines have equal lengths on both pages: the content agrees.
            for (row, length) in [62, 88, 88, 74, 54, 88, 80, 88, 40].into_iter().enumerate() {
                let (strength, ink) = if row == 0 || row == 4 {
                    (0.9, Ink::Figure)
                } else {
                    (0.45, Ink::Text)
                };
                let y = top + 28 + row * 32;
                let indent = if page == 1 && matches!(row, 0 | 4) {
                    12
                } else {
                    0
                };
                if indent > 0 {
                    self.rectangle(left + 14, y, 7, 7, strength, ink);
                }
                self.rectangle(left + 14 + indent, y, length - indent, 7, strength, ink);
            }
        }
    }

    fn line(&mut self, face: &FontRef<'_>, text: &str, size: f32, baseline: f32, ink: Ink) {
        let scaled = face.as_scaled(PxScale::from(size));
        let mut x = MARGIN;
        for c in text.chars() {
            let id = scaled.glyph_id(c);
            let glyph = id.with_scale_and_position(PxScale::from(size), point(x, baseline));
            x += scaled.h_advance(id);
            let Some(outline) = face.outline_glyph(glyph) else {
                continue;
            };
            let bounds = outline.px_bounds();
            let (left, top) = (bounds.min.x as i64, bounds.min.y as i64);
            outline.draw(|column, row, strength| {
                self.put(
                    left + i64::from(column),
                    top + i64::from(row),
                    strength,
                    ink,
                )
            });
        }
    }

    fn encode(&self) -> Option<Bytes> {
        let mut palette = PAPER.to_vec();
        for ink in INKS {
            for shade in 0..u32::from(SHADES) {
                let part = u32::from(PALEST) + shade * u32::from(STEP);
                let mix = |paper: u8, ink: u8| {
                    ((u32::from(paper) * (100 - part) + u32::from(ink) * part) / 100) as u8
                };
                palette.extend(PAPER.iter().zip(ink).map(|(paper, ink)| mix(*paper, ink)));
            }
        }
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, WIDTH, HEIGHT);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Four);
        encoder.set_palette(palette);
        // Most rows equal the row above: this takes a hundredth of the time of the strongest
        // compression, for half as many bytes more.
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Up);
        let mut writer = encoder.write_header().ok()?;
        writer.write_image_data(&self.pixels).ok()?;
        writer.finish().ok()?;
        Some(out.into())
    }
}

#[cfg(test)]
mod tests;
