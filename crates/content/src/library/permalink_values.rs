//! The values of placeholders in address patterns, for one text.

use std::ops::Range;

use super::{
    candidate::Candidate,
    fields,
    own_values::OwnValues,
    paths::{folder, name, split_name, without_suffix},
    placeholders,
    publication::Publication,
};
use crate::dialects::Kind;
use crate::model::{
    date::{self, Moment},
    document::heading_id,
    path::join,
};
use crate::syntax::front::Front;

/// Jekyll's named patterns.
pub const STYLES: [(&str, &str); 5] = [
    ("date", "/:categories/:year/:month/:day/:title.html"),
    ("pretty", "/:categories/:year/:month/:day/:title/"),
    ("ordinal", "/:categories/:year/:y_day/:title.html"),
    (
        "weekdate",
        "/:categories/:year/W:week/:short_day/:title.html",
    ),
    ("none", "/:categories/:title.html"),
];

/// The name of an index.
const INDEX: &str = "index";

/// The values of placeholders.
pub struct Values<'a> {
    kind: &'a Kind,
    front: &'a Front,
    title: &'a str,
    /// The path without suffix.
    path: &'a str,
    /// The folders of the path.
    folders: &'a str,
    /// Whether the file represents its folder.
    is_bundle: bool,
    /// The name of the file or, for a bundle, of its folder.
    file: &'a str,
    /// The same without its date.
    undated: &'a str,
    language: &'a str,
    /// Whether it is in the language of the site.
    in_default: bool,
    /// The date of the text, else that in the name: `2015-03-19`.
    date: Option<String>,
    /// The values of a kind with its own.
    own: Option<OwnValues<'a>>,
}

impl<'a> Values<'a> {
    pub fn new(candidate: &'a Candidate, path: &'a str, publication: &'a Publication<'_>) -> Self {
        let kind = &publication.plan.kind;
        let path = without_suffix(path);
        let (folders, last) = split_name(path);
        let is_bundle = matches!(last, "index" | "_index" | "README")
            || kind.dialect.index_in_any_case
                && ["index", "readme"].contains(&&*last.to_ascii_lowercase());
        let file = if is_bundle { name(folders) } else { last };
        let (in_name, undated) = match date::in_name(file) {
            Some((moment, rest)) if !rest.is_empty() => (Some(moment), rest),
            _ => (None, file),
        };
        let mut date = date(candidate, in_name, kind.config.dated_by_name);
        let own = OwnValues::new(candidate, path, publication);
        let no_date = own.as_ref().map(|own| own.undated().to_owned());
        if let Some(zone) = &publication.plan.zone
            && kind.dialect.addresses_in_zone
        {
            date = date.map(|date| zone.local(date));
        }
        Self {
            kind,
            front: &candidate.parsed.front,
            title: &candidate.title.value,
            path,
            folders,
            is_bundle,
            file,
            undated,
            language: &candidate.language.value,
            in_default: candidate.language.value == publication.site.language,
            date: date.map(|date| date.iso()).or(no_date),
            own,
        }
    }

    /// A pattern with its placeholders replaced.
    pub fn fill(&self, pattern: &str) -> Option<String> {
        let style = STYLES.iter().find(|(name, _)| *name == pattern);
        let pattern = style.map_or(pattern, |(_, pattern)| pattern);
        placeholders::replaced(pattern, |name, range| match range {
            None => self.get(name),
            Some(range) => self.part(name, range),
        })
    }

    /// The values with which an older version fills a pattern, if they are others.
    pub fn with_slashes(&self) -> Option<Self> {
        let own = self.own.as_ref()?.with_slashes()?;
        Some(Self {
            own: Some(own),
            date: self.date.clone(),
            ..*self
        })
    }

    /// The value of a placeholder.
    fn get(&self, placeholder: &str) -> Option<String> {
        if let Some(value) = self.moment(placeholder) {
            return Some(value);
        }
        if let Some(own) = &self.own {
            return own.get(placeholder);
        }
        if let Some(names) = &self.kind.config.post_names
            && let Some((_, post)) = self.path.split_once("_posts/")
        {
            return names.value(placeholder, post, (self.front, self.title));
        }
        let value = match placeholder {
            // Jekyll's title is the file name without its date.
            "title" if self.is_in_collection() => self.slug().unwrap_or(self.undated),
            "title" => return Some(self.spelled_title()),
            "slug" => match self.slug() {
                Some(slug) => slug,
                None if self.is_in_collection() => self.undated,
                None => return Some(self.spelled_title()),
            },
            "name" | "post_title" | "basename" => self.undated,
            "filename" | "contentbasename" => self.file,
            "slugorfilename" | "slugorcontentbasename" => self.slug().unwrap_or(self.file),
            "section" | "sectionslug" => first_part(self.folders),
            "sections" | "sectionslugs" => return Some(self.sections().join("/")),
            "path" => return self.spelled_path(),
            "dated_path" => return self.dated_path(),
            "categories" => return Some(self.categories().join("/")),
            "slugified_categories" => {
                let categories = self.categories();
                let parts: Vec<String> = categories.iter().map(|one| heading_id(one)).collect();
                return Some(parts.join("/"));
            }
            "category" => return self.categories().into_iter().next(),
            // A slug that the author gives is used unchanged.
            "slug_or_title" | "slug_or_name" if self.slug().is_some() => {
                return self.slug().map(str::to_owned);
            }
            "slug_or_title" => self.title,
            "slug_or_name" => self.file,
            "folders_below" => return Some(format!("{}/", self.folders)),
            "own_category" => self.own_category()?,
            "author" => self
                .front
                .text(&["author", "authors"])?
                .split([',', ';'])
                .next()?,
            "lang" => return Some(self.language.to_owned()),
            // They let a pattern be for some languages alone.
            "in_default_language" => return self.in_default.then(String::new),
            "in_other_language" => return (!self.in_default).then(String::new),
            "output_ext" => return Some(".html".to_owned()),
            "collection" => return Some(first_part(self.folders).strip_prefix('_')?.to_owned()),
            _ => return None,
        };
        Some(self.kind.spell(value))
    }

    /// The title as the kind spells names in addresses; as an id of a heading where it spells none.
    fn spelled_title(&self) -> String {
        let spelled = self.kind.spell(self.title);
        match spelled == self.title {
            true => heading_id(self.title),
            false => spelled,
        }
    }

    /// A part of the date, by the names of Hugo, Jekyll and Hexo and by the layouts of Go.
    fn moment(&self, placeholder: &str) -> Option<String> {
        let padded = |number: i16| format!("{number:02}");
        let date: jiff::civil::Date = self.date.as_deref()?.get(..10)?.parse().ok()?;
        let week = date.iso_week_date();
        Some(match placeholder {
            "year" => date.year().to_string(),
            "2006" => format!("{:04}", date.year()),
            "short_year" | "06" => padded(date.year() % 100),
            "month" | "01" => padded(date.month().into()),
            "i_month" | "1" => date.month().to_string(),
            "day" | "02" => padded(date.day().into()),
            "i_day" | "2" => date.day().to_string(),
            "monthname" | "long_month" | "January" => self.month()?.to_owned(),
            "short_month" | "Jan" => self.month()?.get(..3)?.to_owned(),
            "weekday" => date.weekday().to_sunday_zero_offset().to_string(),
            "weekdayname" | "long_day" | "Monday" => self.weekday(date).to_owned(),
            "short_day" | "Mon" => self.weekday(date).get(..3)?.to_owned(),
            "yearday" => date.day_of_year().to_string(),
            "y_day" | "002" => format!("{:03}", date.day_of_year()),
            "week" => padded(week.week().into()),
            "w_year" => week.year().to_string(),
            "w_day" => week.weekday().to_monday_one_offset().to_string(),
            "hour" | "minute" | "second" => {
                let at = match placeholder {
                    "hour" => 11..13,
                    "minute" => 14..16,
                    _ => 17..19,
                };
                self.digits(at).unwrap_or("00").to_owned()
            }
            _ => return None,
        })
    }

    fn weekday(&self, day: jiff::civil::Date) -> &'static str {
        date::WEEKDAYS[day.weekday().to_monday_zero_offset().unsigned_abs() as usize % 7]
    }

    /// `:sections[1:]`, `:sections[last]`, `:sections[0]`, `:sections[:2]`.
    fn part(&self, placeholder: &str, range: &str) -> Option<String> {
        if !matches!(placeholder, "sections" | "sectionslugs") {
            return None;
        }
        let parts = match &self.own {
            Some(own) => own.parts(placeholder),
            None => self.sections(),
        };
        let chosen = placeholders::in_range(&parts, range)?;
        Some(chosen.join("/"))
    }

    /// `2024/01/02/name` for `2024-01-02-name` and `2024/01/02-name`, else the path.
    fn dated_path(&self) -> Option<String> {
        if let Some(slug) = self.slug() {
            return Some(slug.trim_matches('/').to_owned());
        }
        let mut starts = (0..self.path.len()).rev();
        let dated = starts.find_map(|at| Some((at, date_length(self.path.get(at..)?)?)));
        let Some((start, length)) = dated else {
            return self.spelled_path();
        };
        Some(with_date_first(self.path, start, length))
    }

    /// The parts of the path as the generator spells them, without a first folder such as `_posts`.
    fn spelled_parts(&self) -> Option<Vec<String>> {
        let path = if self.is_bundle {
            self.folders
        } else {
            self.path
        };
        let opens = self.kind.opens_underscored();
        let path = match first_part(path).strip_prefix('_').filter(|_| !opens) {
            Some(_) => path.split_once('/')?.1,
            None => path,
        };
        let parts = path.split('/').filter(|part| !part.is_empty());
        let mut parts: Vec<String> = parts.map(|part| self.kind.spell(part)).collect();
        // `1.index` is the index of its folder where the number only orders it.
        if !self.is_bundle && name(path) != INDEX && parts.last().is_some_and(|last| last == INDEX)
        {
            parts.pop();
        }
        Some(parts)
    }

    /// The path as the generator writes it, with the name that the front matter gives it.
    fn spelled_path(&self) -> Option<String> {
        let mut parts = self.spelled_parts()?;
        if let Some(slug) = self.front.text(self.kind.dialect.names_page) {
            if let Some(rooted) = slug.strip_prefix('/') {
                return Some(rooted.to_owned());
            }
            if self.kind.dialect.slug_is_path {
                return Some(slug.trim_matches('/').to_owned());
            }
            if let Some(last) = parts.last_mut() {
                *last = self.spelled_slug(slug);
            }
        }
        if self.kind.dialect.same_name_is_index {
            drop_repeated_name(&mut parts, self.kind.dialect.index_in_any_case);
        }
        // A slug may begin with `../`.
        let path = join("", &parts.join("/"))?;
        (!path.is_empty()).then_some(path)
    }

    /// A slug as the generator spells each of its parts.
    fn spelled_slug(&self, slug: &str) -> String {
        let parts = slug.trim_matches('/').split('/');
        let spelled: Vec<String> = parts.map(|part| self.kind.spell(part)).collect();
        spelled.join("/")
    }

    fn digits(&self, range: Range<usize>) -> Option<&str> {
        self.date.as_deref()?.get(range)
    }

    fn month(&self) -> Option<&'static str> {
        let number: usize = self.digits(5..7)?.parse().ok()?;
        date::MONTHS.get(number.checked_sub(1)?).copied()
    }

    fn slug(&self) -> Option<&str> {
        self.front.text(&["slug"])
    }

    /// Whether the text is one of Jekyll's posts or collections.
    fn is_in_collection(&self) -> bool {
        self.folders
            .split('/')
            .any(|folder| folder.starts_with('_'))
    }

    /// The category that a text names, else its folder.
    fn own_category(&self) -> Option<&str> {
        let folder = Some(name(self.folders)).filter(|folder| !folder.is_empty());
        self.front.text(&["category"]).or(folder)
    }

    /// The folders whose name is part of an address. A bundle's own folder is not among them.
    fn sections(&self) -> Vec<String> {
        let folders = if self.is_bundle {
            folder(self.folders)
        } else {
            self.folders
        };
        let opens = self.kind.opens_underscored();
        let visible = folders
            .split('/')
            .filter(|folder| !folder.is_empty() && (opens || !folder.starts_with('_')));
        visible.map(|part| self.kind.spell(part)).collect()
    }

    /// The folders above the posts, and the categories of the text.
    fn categories(&self) -> Vec<String> {
        let above = self
            .path
            .split_once("_posts/")
            .map_or("", |(above, _)| above);
        let mut categories: Vec<String> = above.split('/').map(str::to_owned).collect();
        for category in fields::categories(self.front) {
            categories.push(category.to_lowercase());
        }
        categories.retain(|category| !category.is_empty());
        categories
    }
}

/// The date of a text in its address.
fn date(candidate: &Candidate, in_name: Option<Moment>, by_name: bool) -> Option<Moment> {
    let own = candidate.dates.date.value;
    if by_name {
        in_name.or(own)
    } else {
        own.or(in_name)
    }
}

fn first_part(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// A path with the date that it has at `start` before everything else: `a/2024-01-02-b` as
/// `2024/01/02/a/b`.
fn with_date_first(path: &str, start: usize, length: usize) -> String {
    let (before, rest) = path.split_at(start);
    let (date, text) = rest.split_at(length);
    let text = text.strip_prefix(['-', '/']).unwrap_or(text);
    let text = text.strip_suffix("/index").unwrap_or(text);
    let date = date.replace('-', "/");
    let whole = format!("{date}/{before}{text}");
    whole.trim_matches('/').to_owned()
}

/// The length of the date that begins a text: `2024-01-02`, `2024/1/2`.
fn date_length(text: &str) -> Option<usize> {
    let digits = |text: &str, most: usize| {
        let digits = text.bytes().take(most).take_while(u8::is_ascii_digit);
        Some(digits.count()).filter(|count| *count > 0)
    };
    let mut length = digits(text, 4).filter(|count| *count == 4)?;
    for _ in 0..2 {
        text.get(length..)?.strip_prefix(['-', '/'])?;
        length += 1 + digits(&text[length + 1..], 2)?;
    }
    Some(length)
}

/// A file with the name of its folder is the folder's index.
fn drop_repeated_name(parts: &mut Vec<String>, in_any_case: bool) {
    if let [.., folder, last] = parts.as_slice()
        && (folder == last || in_any_case && folder.eq_ignore_ascii_case(last))
    {
        parts.pop();
    }
}
