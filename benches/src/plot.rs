//! Plots as SVG: two logarithmic axes, lines labelled at their ends, readable on light and dark
//! backgrounds.

use std::fmt::Write as _;

use diglot_e2e::figures::thousands;

/// A name and its points.
pub type Series<'a> = (&'a str, Vec<(f64, f64)>);

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
/// Left, right, top, bottom.
const MARGIN: [f64; 4] = [64.0, 130.0, 40.0, 44.0];
const COLOURS: [&str; 6] = [
    "#3b7dd8", "#d1652b", "#2f9e5b", "#9a5fc4", "#b08a00", "#888888",
];

/// Lines on two logarithmic axes.
pub fn log_log(title: &str, series: &[Series<'_>]) -> String {
    let area = Area::around(series);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#888\">\n\
         <text x=\"{}\" y=\"22\" font-size=\"15\">{title}</text>\n",
        MARGIN[0]
    );
    area.draw_columns(&mut svg);
    area.draw_rows(&mut svg);
    let mut names = Vec::new();
    for ((name, points), colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let places: Vec<(f64, f64)> = drawable(points).map(|point| area.place(point)).collect();
        let Some(last) = places.last() else { continue };
        draw_line(&mut svg, &places, colour);
        names.push((*last, *name, *colour));
    }
    for ((right, down), name, colour) in apart(names) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            right + 9.0,
            down + 4.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The points that a logarithmic axis has.
fn drawable(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> + Clone {
    points.iter().copied().filter(|(x, y)| *x > 0.0 && *y > 0.0)
}

/// A line through these places, with a dot at each.
fn draw_line(svg: &mut String, places: &[(f64, f64)], colour: &str) {
    let path: Vec<String> = places
        .iter()
        .map(|(right, down)| format!("{right:.1} {down:.1}"))
        .collect();
    let _ = writeln!(
        svg,
        "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        path.join("L")
    );
    for (right, down) in places {
        let _ = writeln!(
            svg,
            "<circle cx=\"{right:.1}\" cy=\"{down:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
        );
    }
}

/// The area between two axes.
struct Area {
    x: Axis,
    y: Axis,
}

impl Area {
    /// The area that has every point of these lines.
    fn around(series: &[Series<'_>]) -> Self {
        let points = series.iter().flat_map(|(_, points)| drawable(points));
        Self {
            x: Axis::spanning(points.clone().map(|point| point.0)),
            y: Axis::spanning(points.map(|point| point.1)),
        }
    }

    /// Where a point is drawn, from the left and from the top.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let right = MARGIN[0] + self.x.part(x) * (WIDTH - MARGIN[0] - MARGIN[1]);
        let down = HEIGHT - MARGIN[3] - self.y.part(y) * (HEIGHT - MARGIN[2] - MARGIN[3]);
        (right, down)
    }

    /// A vertical line for each power of ten, with its number below.
    fn draw_columns(&self, svg: &mut String) {
        for tick in self.x.ticks() {
            let (right, _) = self.place((tick, self.y.low));
            let _ = writeln!(
                svg,
                "<path d=\"M{right:.1} {:.1}V{:.1}\" stroke=\"#8884\"/>",
                MARGIN[2],
                HEIGHT - MARGIN[3]
            );
            let _ = writeln!(
                svg,
                "<text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - MARGIN[3] + 20.0,
                number(tick)
            );
        }
    }

    /// A horizontal line for each power of ten, with its number on the left.
    fn draw_rows(&self, svg: &mut String) {
        for tick in self.y.ticks() {
            let (_, down) = self.place((self.x.low, tick));
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {down:.1}H{:.1}\" stroke=\"#8884\"/>",
                MARGIN[0],
                WIDTH - MARGIN[1]
            );
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                MARGIN[0] - 8.0,
                down + 4.0,
                number(tick)
            );
        }
    }
}

/// Moves the labels at the ends of lines apart, from the top, so that none overlap.
fn apart<T>(mut names: Vec<((f64, f64), T, &'static str)>) -> Vec<((f64, f64), T, &'static str)> {
    const LINE: f64 = 15.0;
    names.sort_by(|one, other| one.0.1.total_cmp(&other.0.1));
    let mut free = f64::NEG_INFINITY;
    for ((_, down), ..) in &mut names {
        *down = down.max(free);
        free = *down + LINE;
    }
    // Labels pushed over the bottom edge are moved back up.
    let mut free = HEIGHT - MARGIN[3];
    for ((_, down), ..) in names.iter_mut().rev() {
        *down = down.min(free);
        free = *down - LINE;
    }
    names
}

/// A name and its labelled bars.
pub type Bars<'a> = (&'a str, Vec<(&'a str, f64)>);

/// Groups of horizontal bars; the longest bar of each group has the full width, so that groups of
/// small values can be compared as well.
pub fn bars(title: &str, groups: &[Bars<'_>]) -> String {
    const LINE: f64 = 18.0;
    const NAMES: f64 = 140.0;
    let lines = groups
        .iter()
        .map(|(_, bars)| bars.len() as f64 + 1.8)
        .sum::<f64>();
    let mut body = String::new();
    let mut down = 52.0;
    for (name, bars) in groups {
        let longest = bars.iter().map(|bar| bar.1).fold(0.0, f64::max);
        let _ = writeln!(
            body,
            "<text x=\"0\" y=\"{down:.1}\" font-weight=\"bold\">{name}</text>"
        );
        for (at, (whose, value)) in bars.iter().enumerate() {
            down += LINE;
            let (colour, width) = (
                COLOURS[usize::from(at > 0) * 5],
                value / longest.max(f64::MIN_POSITIVE) * (WIDTH - NAMES - 60.0),
            );
            let _ = writeln!(
                body,
                "<text x=\"{:.1}\" y=\"{down:.1}\" text-anchor=\"end\">{whose}</text>",
                NAMES - 8.0
            );
            let _ = writeln!(
                body,
                "<rect x=\"{NAMES}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"12\" fill=\"{colour}\"/>",
                down - 10.0
            );
            let _ = writeln!(
                body,
                "<text x=\"{:.1}\" y=\"{down:.1}\">{value:.1}</text>",
                NAMES + width + 6.0
            );
        }
        down += LINE * 1.8;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {:.0}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#888\">\n\
         <text x=\"0\" y=\"22\" font-size=\"15\">{title}</text>\n{body}</svg>\n",
        52.0 + lines * LINE
    )
}

/// A logarithmic axis over whole powers of ten.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn spanning(values: impl Iterator<Item = f64> + Clone) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(0.0, f64::max);
        if high <= 0.0 {
            return Self {
                low: 1.0,
                high: 10.0,
            };
        }
        let (low, high) = (
            10_f64.powf(low.log10().floor()),
            10_f64.powf(high.log10().ceil()),
        );
        Self {
            low,
            high: if high > low { high } else { low * 10.0 },
        }
    }

    /// The position of a value, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (value / self.low).log10() / (self.high / self.low).log10()
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let decades = (self.high / self.low).log10().round() as i32;
        let low = self.low;
        (0..=decades).map(move |decade| low * 10_f64.powi(decade))
    }
}

/// `0.1`, `10`, `1,000`.
fn number(value: f64) -> String {
    if value >= 1.0 {
        thousands(value.round() as usize)
    } else {
        format!("{value:.4}").trim_end_matches('0').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_is_as_wide_as_it_can_be() {
        let svg = bars(
            "t",
            &[
                ("small", vec![("a", 2.0), ("b", 1.0)]),
                ("large", vec![("a", 50.0)]),
            ],
        );
        assert_eq!(
            (
                svg.matches("width=\"440.0\"").count(),
                svg.matches("width=\"220.0\"").count()
            ),
            (2, 1),
            "{svg}"
        );
    }

    #[test]
    fn names_at_one_place_stand_below_each_other_and_inside() {
        let names = apart(vec![
            ((9.0, 350.0), "b", "#1"),
            ((9.0, 355.0), "c", "#2"),
            ((9.0, 100.0), "a", "#3"),
        ]);
        let downs: Vec<(f64, &str)> = names
            .iter()
            .map(|((_, down), name, _)| (*down, *name))
            .collect();
        assert_eq!(downs, [(100.0, "a"), (341.0, "b"), (356.0, "c")]);
    }

    #[test]
    fn points_lie_where_they_should() {
        let svg = log_log("t", &[("a", vec![(1_000.0, 0.2), (100_000.0, 20.0)])]);
        // Three decades on the vertical axis, two on the horizontal one.
        assert_eq!(svg.matches("<path d=\"M").count(), 3 + 4 + 1, "{svg}");
        assert!(
            svg.contains(">100,000<") && svg.contains(">0.1<") && svg.contains("M64.0 "),
            "{svg}"
        );
    }
}
