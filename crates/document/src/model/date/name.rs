//! Dates in the names of files and folders.

use super::Moment;
use super::cursor::{Cursor, number};
use super::read::moment;

/// The date at the beginning of a file's name, and the rest: `2015-03-19-x`, `2015_3_9 x`,
/// `20150319-x`, `2015-03-19`.
pub fn in_name(stem: &str) -> Option<(Moment, &str)> {
    let mut cursor = Cursor { rest: stem };
    let digits = cursor.digits();
    let moment = match digits.len() {
        8 => recent(&digits[..4], &digits[4..6], &digits[6..])?,
        4 => {
            let separator = cursor.take(&['-', '_', '.'])?;
            let month = cursor.digits();
            cursor.take(&[separator])?;
            recent(digits, month, cursor.digits())?
        }
        _ => return None,
    };
    if cursor
        .rest
        .starts_with(|next: char| next.is_alphanumeric() && next != 'T')
    {
        return None;
    }
    cursor.skip(&['-', '_', ' ', '.']);
    Some((moment, cursor.rest))
}

/// The date in an address or a folder path: the first three consecutive segments like `2015/03/19`.
pub fn in_path(path: &str) -> Option<Moment> {
    let mut parts = ["", "", ""];
    for part in path.split('/').filter(|part| !part.is_empty()) {
        parts = [parts[1], parts[2], part];
        let [year, month, day] = parts;
        if year.len() == 4
            && let Some(moment) = recent(year, month, day)
        {
            return Some(moment);
        }
    }
    None
}

/// The day with these numbers, if its year is 1900 or later.
fn recent(year: &str, month: &str, day: &str) -> Option<Moment> {
    let moment = moment(
        (year.parse().ok()?, number(month)?, number(day)?),
        None,
        None,
    )
    .ok()?;
    (moment.year() >= 1900).then_some(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_3_names_and_paths_hold_dates() {
        let check = |stem: &str, found: Option<(&str, &str)>| {
            let came = in_name(stem).map(|(moment, rest)| (moment.iso(), rest));
            assert_eq!(
                came.as_ref().map(|(iso, rest)| (iso.as_str(), *rest)),
                found,
                "{stem}"
            );
        };
        check("2015-03-19-how-we", Some(("2015-03-19", "how-we")));
        check("2015-03-19", Some(("2015-03-19", "")));
        check("20150319_x", Some(("2015-03-19", "x")));
        check(
            "2024-12-5-18f-defaults",
            Some(("2024-12-05", "18f-defaults")),
        );
        check("2015-3-19", Some(("2015-03-19", "")));
        check("2015-03", None);
        check("2015-02-30-x", None);
        check("2015-03-199", None);
        check("12345678", None);
        check("日本語のファイル", None);
        assert_eq!(
            in_path("/2015/05/21/tockingtime/").map(|moment| moment.iso()),
            Some("2015-05-21".to_owned())
        );
        assert_eq!(in_path("posts/2015/x"), None);
    }

    proptest::proptest! {
        #[test]
        fn no_name_panics(text in "\\PC{0,30}", near in "[0-9T:/. _-]{0,30}") {
            let _ = (in_name(&text), in_path(&text), in_name(&near), in_path(&near));
        }
    }
}
