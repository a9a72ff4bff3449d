//! Addresses that a template in front matter writes, as patterns for [`super::permalink`].

use crate::model::document::heading_id;
use crate::syntax::front::Front;

/// A pattern for an address in a template: `/blog/{{ page.fileSlug }}/`. `None`: it has other values.
pub fn pattern(text: &str, front: &Front) -> Option<String> {
    let (mut pattern, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("{{") {
        let (value, after) = after.split_once("}}")?;
        let mut words = value.split('|').map(str::trim);
        let operand = words.next()?;
        let filters: Vec<&str> = words.collect();
        pattern.push_str(before);
        pattern.push_str(&in_template(operand, &filters, front)?);
        rest = after;
    }
    pattern.push_str(rest);
    (!pattern.contains("{%")).then_some(pattern)
}

/// A value in a template: a placeholder, or the text of a key.
fn in_template(operand: &str, filters: &[&str], front: &Front) -> Option<String> {
    let is_slug = match filters {
        [] => false,
        ["slugify" | "slug"] => true,
        [date] if operand.strip_prefix("page.").unwrap_or(operand) == "date" => {
            return of_date(date);
        }
        _ => return None,
    };
    let placeholder = match operand {
        "page.fileSlug" => ":basename",
        "page.filePathStem" => "/:path",
        "title" if is_slug => ":title",
        name => {
            let text = front.text(&[name]).filter(|text| !text.contains(':'))?;
            return Some(if is_slug {
                heading_id(text)
            } else {
                text.to_owned()
            });
        }
    };
    Some(placeholder.to_owned())
}

/// `date: "%Y/%m/%d"`: a pattern for a date.
fn of_date(filter: &str) -> Option<String> {
    let format = filter
        .strip_prefix("date")?
        .trim_start_matches([':', '(', ' ']);
    let format = format.trim_end_matches(')').trim_matches(['"', '\'']);
    let mut parts = format.split('%');
    let mut pattern = parts.next()?.to_owned();
    for part in parts {
        let mut characters = part.chars();
        pattern.push_str(match characters.next()? {
            'Y' => ":year",
            'y' => ":short_year",
            'm' => ":month",
            'd' => ":day",
            'B' => ":monthname",
            'b' => ":short_month",
            'j' => ":y_day",
            _ => return None,
        });
        pattern.push_str(characters.as_str());
    }
    (!pattern.contains(['{', '"', '\''])).then_some(pattern)
}
