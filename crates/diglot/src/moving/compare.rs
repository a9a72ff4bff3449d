//! Compares the former site with the edition: what is lost, and how to repair it.

use std::collections::{BTreeMap, BTreeSet};

use diglot_content::date::{Moment, Precision};
use diglot_content::migration::Migration;
use diglot_content::parallel;

use super::loss::{Kind, Loss, Repair};
use super::matching::{self, Match};
use super::old::OldSite;
use super::ours::{OurText, Ours, Reply, file_name};
use super::pairs::{Beside, Pair, Part};
use super::report::{Figures, Report};
use super::site_base::is_page;
use super::text::{Text, letters};
use super::theme::{Theme, is_list, is_within};

/// The fewest words that are a loss.
const FEW: usize = 3;
/// How many missing words are quoted.
const QUOTED: usize = 12;

/// Compares the two. What `kept` accepts is not a loss.
pub fn compare(old: &OldSite, ours: &Ours<'_>, kept: &Migration) -> Report {
    let matches = matching::find(old, ours);
    let pairs: Vec<_> = matches.iter().collect();
    let titles = old.pages.values().map(|text| letters(text.title()));
    let titles: BTreeSet<String> = titles.collect();
    let pairs = parallel::flat_map(&pairs, |(path, found)| {
        let (text, own) = (old.pages.get(*path)?, ours.texts.get(&found.here)?);
        let has_image = |image: &str| {
            let image = old.base.resolve(image, path);
            image.is_none_or(|image| old.files.get(&image) != Some(&Some(false)))
        };
        let beside = Beside {
            titles: &titles,
            has_image: &has_image,
        };
        Some((
            path.as_str(),
            Pair::compare(text, own, ours, &found.here, &beside),
        ))
    });
    let pairs: BTreeMap<&str, Pair> = pairs.into_iter().collect();
    let theme = Theme::learn(pairs.values());
    let mut comparison = Comparison {
        old,
        ours,
        matches: &matches,
        theme: &theme,
        ids: ids(old),
        report: Report::default(),
    };
    comparison.addresses();
    comparison.feeds();
    comparison.files();
    for (path, pair) in &pairs {
        comparison.page(path, pair);
    }
    let mut report = comparison.report;
    report.theme = theme.shown();
    report.settle(old, ours, &matches, kept);
    report
}

/// The ids in feeds, by the page to which their links lead.
fn ids(old: &OldSite) -> BTreeMap<&str, Vec<&str>> {
    let mut ids: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, item) in &old.items {
        ids.entry(old.end(path)).or_default().push(&item.id);
    }
    ids
}

struct Comparison<'c> {
    old: &'c OldSite,
    ours: &'c Ours<'c>,
    matches: &'c BTreeMap<String, Match>,
    theme: &'c Theme,
    /// The ids that a page had in feeds.
    ids: BTreeMap<&'c str, Vec<&'c str>>,
    report: Report,
}

impl Comparison<'_> {
    fn lose(&mut self, kind: Kind, old: &str, here: Option<&str>, what: String) -> &mut Loss {
        self.report.losses.push(Loss {
            kind,
            old: old.to_owned(),
            here: here.map(str::to_owned),
            what,
            repair: None,
        });
        let last = self.report.losses.len() - 1;
        &mut self.report.losses[last]
    }

    /// Whether and where every old address answers.
    fn addresses(&mut self) {
        let old = self.old;
        let paths = old.pages.keys().chain(old.moved.keys());
        for path in paths.collect::<BTreeSet<_>>() {
            let end = old.end(path);
            let reply = self.ours.reply(path);
            self.report.figures.addresses.all += 1;
            let answered = !matches!(reply, Reply::Nothing(_));
            self.report.figures.addresses.kept += usize::from(answered);
            match (self.matches.get(end), old.pages.get(end)) {
                (Some(found), _) => self.address_of_text(path, &found.clone(), &reply),
                (None, Some(text)) if path == end => self.unmatched(path, text, &reply),
                // Its text is named as gone.
                (None, Some(text)) if !self.is_list(end, text) => {}
                (None, _) => self.other_address(path, end, &reply),
            }
        }
    }

    fn address_of_text(&mut self, path: &str, found: &Match, reply: &Reply) {
        let here = found.here.as_str();
        match reply {
            Reply::Here(at) if at == here => {}
            Reply::Here(_) if path.contains('?') => self.query(path, here),
            Reply::Here(at) | Reply::Elsewhere(at) => {
                let what = format!("its address leads to `{at}`, its text is at `{here}`");
                self.lose(Kind::Target, path, Some(here), what);
            }
            Reply::Nothing(_) if path.contains('?') => self.query(path, here),
            Reply::Nothing(status) => {
                let what = format!("its address answers {status}; its text is at `{here}`");
                let loss = self.lose(Kind::Address, path, Some(here), what);
                loss.repair = Some(Repair::Redirect(here.to_owned()));
            }
        }
    }

    /// An address that differs from another by its query alone.
    fn query(&mut self, path: &str, here: &str) {
        let what = format!("no redirect depends on a query; its text is at `{here}`");
        self.lose(Kind::Address, path, Some(here), what);
    }

    /// A page whose text is not here.
    fn unmatched(&mut self, path: &str, text: &Text, reply: &Reply) {
        if self.is_list(path, text) {
            self.report.figures.lists += 1;
            return self.other_address(path, path, reply);
        }
        let at = match reply {
            Reply::Here(at) => format!("; its address leads to `{at}`"),
            Reply::Elsewhere(url) => format!("; its address leads to `{url}`"),
            Reply::Nothing(status) => format!("; its address answers {status}"),
        };
        let what = format!("“{}” is not here{at}", text.title());
        self.lose(Kind::Gone, path, None, what);
    }

    /// Whether a page without a text here is a list of others, or a page that Diglot writes too.
    fn is_list(&self, path: &str, text: &Text) -> bool {
        let is_same = |at: &str| is_within(text, &self.ours.grams_at(at));
        is_list(text, self.old, path, self.theme.known(self.ours))
            || matches!(self.ours.reply(path), Reply::Here(at) if is_same(&at))
    }

    /// The address of a list, of a redirect, of what was not read.
    fn other_address(&mut self, path: &str, end: &str, reply: &Reply) {
        let Reply::Nothing(status) = reply else {
            return;
        };
        let repair = match end.starts_with('/') {
            true => match self.ours.reply(end) {
                Reply::Here(at) => Some(at),
                _ => self.counterpart(end),
            },
            // It led to another site.
            false => Some(end.to_owned()),
        };
        let what = match &repair {
            Some(to) => format!("its address answers {status}; `{to}` is its counterpart"),
            None => format!("its address answers {status}, and it has no counterpart here"),
        };
        let loss = self.lose(Kind::Address, path, None, what);
        loss.repair = repair.filter(|_| !path.contains('?')).map(Repair::Redirect);
    }

    /// The page here for a list of the former site.
    fn counterpart(&self, path: &str) -> Option<String> {
        let is_here = |path: &String| self.ours.answers(path);
        let at = |path: &str| match self.ours.reply(path) {
            Reply::Here(here) => Some(here),
            _ => None,
        };
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let [before @ .., last] = parts.as_slice() else {
            return None;
        };
        let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
        if let [before @ .., "page"] = before
            && is_number
        {
            let list = format!("/{}/", before.join("/")).replace("//", "/");
            return match list.as_str() {
                "/" => Some("/articles/index.html".to_owned()).filter(is_here),
                list => at(list).or_else(|| self.counterpart(list)),
            };
        }
        let name = last.rsplit_once('.').map_or(*last, |(name, _)| name);
        let sections = [before, &[name]].concat().join("/");
        let all = [
            "archive", "archives", "articles", "posts", "post", "blog", "all",
        ];
        let mut places = vec![
            format!("/tags/{name}.html"),
            format!("/sections/{sections}.html"),
            format!("/years/{name}.html"),
        ];
        if all.contains(&name) {
            places.push("/articles/index.html".to_owned());
        }
        places.into_iter().find(is_here).or_else(|| {
            let is_tags = ["tags", "categories", "topics"].contains(&name);
            is_tags.then(|| at("/tags/").or_else(|| at("/articles/index.html")))?
        })
    }

    /// Whether the addresses of feeds answer.
    fn feeds(&mut self) {
        for path in &self.old.feeds {
            self.report.figures.addresses.all += 1;
            let Reply::Nothing(status) = self.ours.reply(path) else {
                self.report.figures.addresses.kept += 1;
                continue;
            };
            let of = path
                .rsplit_once('/')
                .map(|(folder, _)| format!("{folder}/"));
            let list = of
                .filter(|of| of != "/")
                .and_then(|of| self.counterpart(&of));
            let own =
                list.and_then(|list| list.strip_suffix(".html").map(|it| format!("{it}.rss")));
            let feed = own.filter(|own| self.ours.answers(own));
            let feed = feed.unwrap_or_else(|| "/rss.xml".to_owned());
            let what = format!("the feed answers {status}; `{feed}` is its counterpart");
            let loss = self.lose(Kind::Address, path, None, what);
            loss.repair = Some(Repair::Redirect(feed)).filter(|_| !path.contains('?'));
        }
    }

    /// Whether the files that texts link to and show are here.
    fn files(&mut self) {
        let linked = self.linked();
        for (path, _) in self
            .old
            .files
            .iter()
            .filter(|(_, is_there)| **is_there == Some(true))
        {
            let is_linked = linked.contains_key(path);
            let Reply::Nothing(status) = self.ours.reply(path) else {
                add_one(&mut self.report.figures.files, true);
                continue;
            };
            let name = file_name(path);
            let same = self
                .ours
                .file_named(&diglot_content::encoding::decode_path(name).unwrap_or_default());
            let same = same.map(str::to_owned);
            if same.is_none() && !is_linked {
                // An image; whether the text shows it is another question.
                continue;
            }
            add_one(&mut self.report.figures.files, false);
            let what = match (&same, linked.get(path)) {
                (Some(same), _) => {
                    format!("its address answers {status}; the file is at `{same}`")
                }
                (None, Some(from)) => format!("the file is not here; `{from}` links to it"),
                (None, None) => "the file is not here".to_owned(),
            };
            let loss = self.lose(Kind::File, path, None, what);
            loss.repair = same.map(Repair::Redirect);
        }
    }

    /// The files that texts link to, each with a page that does.
    fn linked(&self) -> BTreeMap<String, String> {
        let mut linked = BTreeMap::new();
        for path in self.matches.keys() {
            let links = self.old.pages.get(path).map(|text| &text.links);
            for (_, address) in links.into_iter().flatten() {
                let file = self.old.base.resolve(address, path);
                if let Some(file) = file.filter(|file| !is_page(file)) {
                    linked.entry(file).or_insert_with(|| path.clone());
                }
            }
        }
        linked
    }

    /// Compares a page with its text.
    fn page(&mut self, path: &str, pair: &Pair) {
        let (Some(found), Some(old)) = (self.matches.get(path), self.old.pages.get(path)) else {
            return;
        };
        let Some(own) = self.ours.texts.get(&found.here) else {
            return;
        };
        let here = found.here.clone();
        if !has_title(old, &own.title) {
            let what = format!("“{}” is here “{}”", old.title(), own.title);
            self.lose(Kind::Title, path, Some(&here), what);
        }
        self.words(path, &here, pair);
        self.headings(path, &here, pair);
        self.images(path, &here, pair);
        self.date(path, &here, (old, own));
        self.id(path, &here, own);
        self.canonical(path, &here, (old, own));
    }

    fn words(&mut self, path: &str, here: &str, pair: &Pair) {
        let lost = self.theme.lost_blocks(pair);
        let count: usize = lost.iter().map(|(_, count)| count).sum();
        let figures = &mut self.report.figures.words;
        let of_theme: usize = pair
            .blocks
            .iter()
            .filter_map(|it| it.missing.as_ref())
            .map(|it| it.1)
            .sum::<usize>()
            - count;
        figures.all += pair.words - of_theme.min(pair.words);
        figures.kept += pair.words - (of_theme + count).min(pair.words);
        if count < FEW {
            return;
        }
        let first: Vec<&str> = lost
            .iter()
            .flat_map(|(text, _)| text.split(' '))
            .take(QUOTED)
            .collect();
        let more = if count > QUOTED { " …" } else { "" };
        let what = format!(
            "{count} of {} words are missing: “{}{more}”",
            pair.words,
            first.join(" ")
        );
        self.lose(Kind::Words, path, Some(here), what);
    }

    fn headings(&mut self, path: &str, here: &str, pair: &Pair) {
        let lost = self.theme.lost_headings(pair);
        add(
            &mut self.report.figures.headings,
            &pair.headings,
            lost.len(),
        );
        for heading in &lost {
            let what = format!("the heading “{heading}” is missing");
            self.lose(Kind::Heading, path, Some(here), what);
        }
        if let Some(heading) = &pair.misplaced {
            let what = format!("the heading “{heading}” is at another place");
            self.lose(Kind::Heading, path, Some(here), what);
        }
    }

    fn images(&mut self, path: &str, here: &str, pair: &Pair) {
        let lost = self.theme.lost_images(pair);
        add(&mut self.report.figures.images, &pair.images, lost.len());
        for image in &lost {
            let what = format!("the image {image} is missing");
            self.lose(Kind::Image, path, Some(here), what);
        }
    }

    fn date(&mut self, path: &str, here: &str, (old, own): (&Text, &OurText)) {
        let of_feed = self.old.items.get(path).and_then(|item| item.date);
        // The date on a list is that of an entry; some programs write the year 1 for none.
        let of_page = old.date.filter(|_| own.id.is_some());
        let dates = of_feed.into_iter().chain(of_page);
        let dates: Vec<Moment> = dates.filter(|date| date.year() > 1).collect();
        let Some(first) = dates.first() else { return };
        self.report.figures.dates.all += 1;
        // A page without a date of publication may show that of its last change.
        let own_dates = own.date.into_iter().chain(own.text.date);
        let own_dates: Vec<Moment> = own_dates.collect();
        let is_same = |date: &Moment| own_dates.iter().any(|own| same_day(*own, *date));
        if dates.iter().any(is_same) {
            self.report.figures.dates.kept += 1;
            return;
        }
        let now = own
            .date
            .map_or("none".to_owned(), |date| date.day().to_string());
        let what = format!("its date was {}, and is {now}", first.day());
        self.lose(Kind::Date, path, Some(here), what);
    }

    fn id(&mut self, path: &str, here: &str, own: &OurText) {
        let ids = self.ids.get(path).map_or(&[][..], Vec::as_slice);
        let (Some(id), Some(first)) = (&own.id, ids.first()) else {
            return;
        };
        self.report.figures.ids.all += 1;
        if ids.contains(&id.as_str()) {
            self.report.figures.ids.kept += 1;
            return;
        }
        let what = format!("its id in the feed was `{first}`, and is `{id}`");
        let repair = Repair::Id {
            file: own.file.clone(),
            id: (*first).to_owned(),
        };
        let loss = self.lose(Kind::Id, path, Some(here), what);
        loss.repair = Some(repair);
    }

    fn canonical(&mut self, path: &str, here: &str, (old, own): (&Text, &OurText)) {
        let Some(url) = &old.canonical else { return };
        self.report.figures.canonicals.all += 1;
        let what = match self.old.base.resolve(url, path) {
            Some(at) => match self.ours.reply(&at) {
                Reply::Here(to) if to == here => None,
                // It is one of the pages, so its own loss is named already.
                _ if at == path || self.old.pages.contains_key(&at) => None,
                _ => Some(format!("its canonical address `{at}` does not lead here")),
            },
            None if own.text.canonical.as_ref() == Some(url) => None,
            None => Some(format!("its canonical address was `{url}`")),
        };
        match what {
            None => self.report.figures.canonicals.kept += 1,
            Some(what) => {
                self.lose(Kind::Canonical, path, Some(here), what);
            }
        }
    }
}

fn add_one(figures: &mut Figures, is_kept: bool) {
    figures.all += 1;
    figures.kept += usize::from(is_kept);
}

fn add(figures: &mut Figures, parts: &[Part], lost: usize) {
    let missing = parts.iter().filter(|part| part.missing.is_some()).count();
    let of_theme = missing - lost.min(missing);
    figures.all += parts.len() - of_theme;
    figures.kept += parts.len() - of_theme - lost;
}

/// Whether one of the names of a page is this title, perhaps beside the site's name.
fn has_title(old: &Text, title: &str) -> bool {
    const BETWEEN: [char; 7] = ['|', '-', '–', '—', '·', ':', '»'];
    let title = letters(title);
    let is_title = |name: &String| {
        let name = name.as_str();
        // Each piece before or after a separator, with other separators inside.
        let cuts = name.match_indices(BETWEEN);
        let mut pieces = cuts.flat_map(|(at, _)| [&name[..at], &name[at..]]);
        letters(name) == title || pieces.any(|piece| letters(piece) == title)
    };
    old.titles.is_empty() || old.titles.iter().any(is_title)
}

/// Whether two moments are of one day, of their authors or of UTC.
fn same_day(one: Moment, other: Moment) -> bool {
    let is_second = |moment: Moment| moment.precision == Precision::Second;
    one.day() == other.day()
        || (is_second(one) && is_second(other) && one.at == other.at)
        || Moment::second(one.at).day() == Moment::second(other.at).day()
}
