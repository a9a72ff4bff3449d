//! Dates in the names of files and folders.

use super::Moment;
use super::read::day;

/// The date at the beginning of a file's name and what follows it: `2015-03-19-x`, `2015_3_9 x`, `20150319-x`, `2015-03-19`.
pub fn in_name(stem: &str) -> Option<(Moment, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(stem);
    let (year, month, day, rest) = if whole == 8 {
        (&stem[..4], &stem[4..6], &stem[6..8], &stem[8..])
    } else {
        let mark = stem.get(4..5).filter(|mark| whole == 4 && matches!(*mark, "-" | "_" | "."))?;
        let behind = &stem[5..];
        let (month, behind) = behind.split_at(digits(behind));
        let behind = behind.strip_prefix(mark)?;
        let (day, rest) = behind.split_at(digits(behind));
        (&stem[..4], month, day, rest)
    };
    if rest.starts_with(|next: char| next.is_alphanumeric() && next != 'T') || !matches!((month.len(), day.len()), (1 | 2, 1 | 2)) {
        return None;
    }
    let moment = self::day(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).filter(|moment| moment.year() >= 1900)?;
    Some((moment, rest.trim_start_matches(['-', '_', ' ', '.'])))
}

/// The date in an address or a folder path: the first three segments `2015/03/19` in a row.
pub fn in_path(path: &str) -> Option<Moment> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let number = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        (lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok()).flatten()
    };
    parts.windows(3).find_map(|window| {
        day(number(window[0], 4..=4)?, number(window[1], 1..=2)?, number(window[2], 1..=2)?).filter(|moment| moment.year() >= 1900)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_3_names_and_paths_hold_dates() {
        let check = |stem: &str, found: Option<(&str, &str)>| {
            let came = in_name(stem).map(|(moment, rest)| (moment.iso(), rest));
            assert_eq!(came.as_ref().map(|(iso, rest)| (iso.as_str(), *rest)), found, "{stem}");
        };
        check("2015-03-19-how-we", Some(("2015-03-19", "how-we")));
        check("2015-03-19", Some(("2015-03-19", "")));
        check("20150319_x", Some(("2015-03-19", "x")));
        check("2024-12-5-18f-defaults", Some(("2024-12-05", "18f-defaults")));
        check("2015-3-19", Some(("2015-03-19", "")));
        check("2015-03", None);
        check("2015-02-30-x", None);
        check("2015-03-199", None);
        check("12345678", None);
        check("日本語のファイル", None);
        assert_eq!(in_path("/2015/05/21/tockingtime/").map(|moment| moment.iso()), Some("2015-05-21".to_owned()));
        assert_eq!(in_path("posts/2015/x"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_name_panics(text in "\\PC{0,30}", near in "[0-9T:/. _-]{0,30}") {
            let _ = (in_name(&text), in_path(&text), in_name(&near), in_path(&near));
        }
    }
}
