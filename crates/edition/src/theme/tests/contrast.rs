//! Whether the colours of the built-in theme can be read in front of each other (WCAG 2.2, section
//! 1.4.3).

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::colour::{Colour, LEAST_CONTRAST};

const SHEETS: [&str; 20] = [
    include_str!("../../../theme/byline.css"),
    include_str!("../../../theme/callout.css"),
    include_str!("../../../theme/code.css"),
    include_str!("../../../theme/contents.css"),
    include_str!("../../../theme/cover.css"),
    include_str!("../../../theme/figure.css"),
    include_str!("../../../theme/frame.css"),
    include_str!("../../../theme/guide.css"),
    include_str!("../../../theme/list.css"),
    include_str!("../../../theme/main.css"),
    include_str!("../../../theme/marks.css"),
    include_str!("../../../theme/math.css"),
    include_str!("../../../theme/notes.css"),
    include_str!("../../../theme/outline.css"),
    include_str!("../../../theme/quote.css"),
    include_str!("../../../theme/scripts.css"),
    include_str!("../../../theme/search.css"),
    include_str!("../../../theme/signs.css"),
    include_str!("../../../theme/table.css"),
    include_str!("../../../theme/tags.css"),
];
/// The colours of text on the page and in boxes on it.
const TEXT: [&str; 8] = [
    "ink",
    "quiet",
    "accent",
    "note",
    "tip",
    "important",
    "warning",
    "caution",
];
/// The colours of text in blocks of code.
const CODE: [&str; 9] = [
    "ink", "comment", "keyword", "string", "number", "name", "type", "ins", "del",
];

/// The colours of one scheme, by the name of their variable.
type Scheme = BTreeMap<String, Colour>;

/// The colours of the light and of the dark scheme. Paper has colours of its own.
fn schemes(sheets: &[&str]) -> [Scheme; 2] {
    let mut schemes = [Scheme::new(), Scheme::new()];
    for sheet in sheets {
        for block in sheet.split(":root{").skip(1).zip(sheet.split(":root{")) {
            let (variables, before) = block;
            let scheme = match before.rsplit('\n').next() {
                Some("") if before.ends_with("print{\n") => continue,
                Some(line) if line.contains("scheme:dark") => &mut schemes[1],
                _ if before.trim_end().ends_with("scheme:dark){") => &mut schemes[1],
                _ => &mut schemes[0],
            };
            let variables = variables.split('}').next().unwrap();
            for pair in variables.split(';') {
                let (name, value) = pair.trim().split_once(':').unwrap_or_default();
                if let (Some(name), Some(colour)) = (name.strip_prefix("--"), Colour::parse(value))
                {
                    scheme.insert(name.to_owned(), colour);
                }
            }
        }
    }
    schemes
}

/// A colour in front of another, `share` of it opaque.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between two channels, which are 0 to 255"
)]
fn mixed(front: Colour, behind: Colour, share: f64) -> Colour {
    let parts = |colour: Colour| {
        let digits = colour.to_string();
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()))
    };
    let (front, behind) = (parts(front), parts(behind));
    let mix = |at: usize| (front[at] * share + behind[at] * (1.0 - share)).round();
    Colour::parse(&format!(
        "#{:02x}{:02x}{:02x}",
        mix(0) as u8,
        mix(1) as u8,
        mix(2) as u8
    ))
    .unwrap()
}

/// The share of `var(--name)` in a `color-mix` of a rule that begins so.
fn share(rule: &str, name: &str) -> f64 {
    let sheet = include_str!("../../../theme/marks.css");
    let rule = sheet.lines().find(|line| line.starts_with(rule)).unwrap();
    let (_, rest) = rule.split_once(&format!("var(--{name}) ")).unwrap();
    rest.split('%').next().unwrap().parse::<f64>().unwrap() / 100.0
}

#[test]
fn every_colour_of_text_can_be_read_in_front_of_what_is_behind_it() {
    let mut faint = Vec::new();
    for (scheme, colours) in ["light", "dark"].into_iter().zip(schemes(&SHEETS)) {
        let of = |name: &str| colours[name];
        let mut check = |texts: &[&str], behind: &str, ground: Colour| {
            for text in texts {
                let contrast = of(text).contrast(ground);
                if contrast < LEAST_CONTRAST {
                    faint.push(format!("{scheme}: {text} on {behind}: {contrast:.2}"));
                }
            }
        };
        let line = share("pre :is(mark", "tone");
        let of_lines = |name: &str, share: f64| mixed(of(name), of("soft"), share);
        for ground in ["paper", "soft"] {
            check(&TEXT, ground, of(ground));
        }
        check(&["paper"], "ink", of("ink"));
        // Marked words, in links and notes too.
        check(&["ink", "accent"], "mark", of("mark"));
        check(&CODE, "soft", of("soft"));
        check(&CODE, "marked lines", of_lines("mark", line));
        for name in ["ins", "del"] {
            let tone = share(&format!("pre {name}"), name);
            check(&CODE, &format!("{name} lines"), of_lines(name, line * tone));
        }
    }
    assert_eq!(faint, Vec::<String>::new());
}

#[test]
fn every_colour_of_text_is_compared() {
    let mut names = BTreeSet::new();
    for sheet in SHEETS {
        for rule in sheet.split(['{', ';', '}']) {
            if let Some(name) = rule.trim().strip_prefix("color:var(--") {
                names.insert(name.trim_end_matches(')'));
            }
        }
    }
    // The tone of a callout is one of the five; what is behind `.skip` is ink.
    let compared = TEXT.iter().chain(&CODE).chain(&["tone", "paper"]);
    let compared: BTreeSet<&str> = compared.copied().collect();
    let others: Vec<&&str> = names.difference(&compared).collect();
    assert_eq!(others, Vec::<&&str>::new());
    assert!(names.len() > 8, "{names:?}");
}

#[test]
fn the_feed_has_the_colours_of_pages() {
    let [light, dark] = schemes(&SHEETS);
    let feed = schemes(&[include_str!("../../../theme/feed.css")]);
    for (scheme, feed) in [light, dark].iter().zip(feed) {
        assert_eq!(feed.len(), 5);
        for (name, colour) in feed {
            assert_eq!(scheme[&name], colour, "{name}");
        }
    }
}
