//! `diglot check --as NAME`: the site as one program gets it.

use serde_json::json;

use crate::failure::Failure;
use crate::terminal;
use crate::user_agents::view::{self, PageView};
use crate::user_agents::{Asks, UserAgent};

use diglot_edition::Edition;

/// Pages that are named of one kind.
const MOST_NAMED: usize = 20;
/// Sections that are named of one page.
const MOST_SECTIONS: usize = 8;

/// Prints what the program gets and loses. With `strict` a page that is cut or disallowed is a
/// failure.
pub(super) fn tell(
    edition: &Edition,
    agent: &UserAgent,
    is_json: bool,
    strict: bool,
) -> Result<(), Failure> {
    let pages = view::pages(edition, agent);
    terminal::print(match is_json {
        true => json(agent, &pages),
        false => text(agent, &pages),
    });
    let is_lost = pages.iter().any(|page| page.cut || !page.allowed);
    match strict && is_lost {
        true => Err(Failure::content("")),
        false => Ok(()),
    }
}

fn json(agent: &UserAgent, pages: &[PageView]) -> String {
    let json = json!({
        "as": agent.name,
        "accept": agent.accept,
        "limit": agent.limit.map(|limit| limit.to_string()),
        "source": agent.limit_source[0],
        "date": agent.limit_source[1],
        "note": agent.note,
        "cut": pages.iter().filter(|page| page.cut).count(),
        "disallowed": pages.iter().filter(|page| !page.allowed).count(),
        "pages": pages,
    });
    format!("{json:#}")
}

/// The summary: what is asked, what is answered, and what is lost.
fn text(agent: &UserAgent, pages: &[PageView]) -> String {
    let all = terminal::counted(pages.len(), "page");
    let mut lines = vec![asked(agent), answered(agent, pages), limit(agent)];
    let name = agent.name;
    let named = |lines: &mut Vec<String>,
                 fits: fn(&PageView) -> bool,
                 says: &dyn Fn(&PageView) -> String| {
        let fitting: Vec<&PageView> = pages.iter().filter(|page| fits(page)).collect();
        lines.extend(
            fitting
                .iter()
                .take(MOST_NAMED)
                .map(|page| format!("  {}{}", page.path, says(page))),
        );
        if fitting.len() > MOST_NAMED {
            lines.push(format!(
                "  … and {} more: `--json` has all",
                fitting.len() - MOST_NAMED
            ));
        }
    };
    let count = |fits: fn(&PageView) -> bool| pages.iter().filter(|page| fits(page)).count();
    lines.push(String::new());
    match (agent.limit, count(|page| page.cut)) {
        (None, _) => lines.push(format!("whether {name} cuts any of {all} is not known")),
        (_, 0) => lines.push(format!("none of {all} is cut by {name}")),
        (_, cut) => {
            lines.push(format!("{cut} of {all} are cut by {name}; split these:"));
            named(&mut lines, |page| page.cut, &lost);
        }
    }
    if count(|page| !page.allowed) > 0 {
        lines.push(format!(
            "{} of {all} are disallowed by `robots.txt`:",
            count(|page| !page.allowed)
        ));
        named(&mut lines, |page| !page.allowed, &|_| String::new());
    }
    if agent.asks == Asks::Feed {
        let out = count(|page| page.gets.is_none());
        lines.push(format!(
            "{out} of {all} are not in the feed, which has the newest 20 articles"
        ));
    }
    if count(|page| page.pictures_without_text > 0) > 0 {
        lines.push(
            "pictures without a text, which a reader of text does not see; write what they show:"
                .to_owned(),
        );
        named(&mut lines, |page| page.pictures_without_text > 0, &|page| {
            format!(": {}", page.pictures_without_text)
        });
    }
    if count(|page| page.links_by_script > 0) > 0 {
        lines.push("links that need a script:".to_owned());
        named(&mut lines, |page| page.links_by_script > 0, &|page| {
            format!(": {}", page.links_by_script)
        });
    }
    lines.join("\n")
}

/// `: 182,000 long; behind the cut: a, b`
fn lost(page: &PageView) -> String {
    let length = diglot_content::text::thousands(page.length);
    let sections = match page.lost_sections.len() {
        0 => "the cut is in its last section".to_owned(),
        count => {
            let some: Vec<&str> = page
                .lost_sections
                .iter()
                .take(MOST_SECTIONS)
                .map(String::as_str)
                .collect();
            let more = if count > MOST_SECTIONS { ", …" } else { "" };
            format!(
                "{} behind the cut: {}{more}",
                terminal::counted(count, "section"),
                some.join(", ")
            )
        }
    };
    format!(": {length} long; {sections}")
}

fn asked(agent: &UserAgent) -> String {
    let what = match agent.asks {
        Asks::Page => "each page",
        Asks::Twin => "each page, then for the Markdown form that it links to,",
        Asks::Feed => "the feed",
    };
    let robots = match agent.token {
        Some(token) => format!("; it is judged by the rules of `robots.txt` for `{token}`"),
        None => String::new(),
    };
    format!(
        "{} asks for {what} with `Accept: {}`{robots}",
        agent.name, agent.accept
    )
}

/// `gets text/markdown 618 times`
fn answered(agent: &UserAgent, pages: &[PageView]) -> String {
    let got = |media: &str| {
        pages
            .iter()
            .filter(|page| page.gets.as_deref() == Some(media))
            .count()
    };
    match agent.asks {
        Asks::Feed => {
            let count = pages.iter().filter(|page| page.gets.is_some()).count();
            format!(
                "it gets {} in one answer, whole",
                terminal::counted(count, "page")
            )
        }
        Asks::Page | Asks::Twin => format!(
            "it gets Markdown {} times, HTML {} times",
            got("text/markdown"),
            got("text/html")
        ),
    }
}

fn limit(agent: &UserAgent) -> String {
    let [source, date] = agent.limit_source;
    match agent.limit {
        Some(limit) => format!("it cuts after {limit} ({source}, {date}): {}", agent.note),
        None => format!("where it cuts is not published: {}", agent.note),
    }
}
