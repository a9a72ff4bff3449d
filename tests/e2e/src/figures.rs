//! Formatting of figures for reports.

pub use diglot_content::text::thousands;
use std::time::Duration;

/// `1.42 s`, `87 ms`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        10.0.. => format!("{seconds:.1} s"),
        1.0.. => format!("{seconds:.2} s"),
        0.01.. => format!("{:.0} ms", seconds * 1e3),
        _ => format!("{:.1} ms", seconds * 1e3),
    }
}

/// `230 MB`.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(
            [thousands(7), thousands(1_000), thousands(1_234_567)],
            ["7", "1,000", "1,234,567"]
        );
        assert_eq!(
            ["1.42 s", "87 ms", "2.5 ms"],
            [1.42, 0.087, 0.0025]
                .map(|time| seconds(Duration::from_secs_f64(time)))
                .each_ref()
                .map(String::as_str)
        );
    }
}
