//! Colours of the settings, and how well they can be read (WCAG 2.2, section 1.4.3).

use std::fmt;

use serde::{Deserialize, Serialize};

/// The least contrast of links with what is behind them.
pub const LEAST_CONTRAST: f64 = 4.5;

/// An opaque colour in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Colour([u8; 3]);

/// What links are in front of in the built-in theme in light surroundings: the page, and boxes in
/// it. A test compares them with the style sheet.
pub const LIGHT: [Colour; 2] = [Colour([0xfc, 0xfb, 0xf8]), Colour([0xf4, 0xf1, 0xea])];
/// The same in dark surroundings.
pub const DARK: [Colour; 2] = [Colour([0x17, 0x16, 0x15]), Colour([0x21, 0x1f, 0x1d])];

impl Colour {
    /// Reads `#rrggbb` or `#rgb`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('#')?;
        let digits: Vec<u8> = digits
            .chars()
            .map(|digit| u8::try_from(digit.to_digit(16)?).ok())
            .collect::<Option<_>>()?;
        match digits[..] {
            [r, g, b] => Some(Self([r * 17, g * 17, b * 17])),
            [r, s, g, h, b, c] => Some(Self([r * 16 + s, g * 16 + h, b * 16 + c])),
            _ => None,
        }
    }

    /// The contrast with another colour: 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The least contrast with any of these colours.
    pub fn contrast_with_all(self, others: &[Self]) -> f64 {
        let contrasts = others.iter().map(|other| self.contrast(*other));
        contrasts.fold(f64::INFINITY, f64::min)
    }

    /// The nearest shade of this colour that can be read in front of all of these colours: darker in
    /// front of light ones, else lighter.
    #[must_use]
    pub fn readable(self, behind: &[Self]) -> Self {
        let black = Self([0; 3]);
        let white = Self([255; 3]);
        let end = if black.contrast_with_all(behind) > white.contrast_with_all(behind) {
            black
        } else {
            white
        };
        let mut shades = (0..=100).map(|percent| self.mixed(end, percent));
        let is_readable = |shade: &Self| shade.contrast_with_all(behind) >= LEAST_CONTRAST;
        shades.find(is_readable).unwrap_or(end)
    }

    fn mixed(self, other: Self, percent: u16) -> Self {
        let mut mixed = self.0;
        for (own, other) in mixed.iter_mut().zip(other.0) {
            let sum = u16::from(*own) * (100 - percent) + u16::from(other) * percent;
            *own = u8::try_from(sum / 100).unwrap_or(u8::MAX);
        }
        Self(mixed)
    }

    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// The light of a channel, 0 to 1. It uses only arithmetic that is the same on every machine, which
/// `powf` is not.
fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 {
        return value / 12.92;
    }
    let value = (value + 0.055) / 1.055;
    let square = value * value;
    square * fifth_root(square)
}

/// By Newton's method, for values from 0 to 1.
fn fifth_root(value: f64) -> f64 {
    let mut root = 1.0_f64;
    for _ in 0..60 {
        let fourth = root * root * root * root;
        root -= (root - value / fourth) / 5.0;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(text: &str) -> Colour {
        Colour::parse(text).unwrap()
    }

    #[test]
    fn colours_are_three_or_six_digits() {
        assert_eq!(colour("#1f5").to_string(), "#11ff55");
        assert_eq!(colour(" #1F5f8B ").to_string(), "#1f5f8b");
        for text in [
            "",
            "#",
            "red",
            "1f5f8b",
            "#1f5f8",
            "#1f5f8b80",
            "#1f5fxx",
            "#１２３",
        ] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_contrast_is_that_of_wcag() {
        let check = |one, other, expected: f64| {
            let contrast = colour(one).contrast(colour(other));
            assert!(
                (contrast - expected).abs() < 0.01,
                "{one} {other}: {contrast}"
            );
        };
        check("#000", "#fff", 21.0);
        check("#fff", "#fff", 1.0);
        check("#777", "#fff", 4.478);
        check("#ff0000", "#ffffff", 3.998);
        check("#1f5f8b", "#fcfbf8", 6.62);
    }

    #[test]
    fn a_shade_that_can_be_read_is_found_for_every_colour() {
        for step in 0..=0xfff_u32 {
            let any = colour(&format!("#{step:03x}"));
            for behind in [LIGHT, DARK] {
                let shade = any.readable(&behind);
                assert!(shade.contrast_with_all(&behind) >= LEAST_CONTRAST, "{any}");
                let own = any.contrast_with_all(&behind) >= LEAST_CONTRAST;
                assert_eq!(own, shade == any, "{any} {shade}");
            }
        }
    }
}
