//! `diglot move`: proves that a site that moved here lost nothing, and keeps what it has to keep.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use diglot_content::BaseUrl;
use diglot_content::migration::{FILE, Migration, REDIRECTS};
use jiff::Timestamp;

use super::audit;
use super::folder::{Folder, Made};
use crate::failure::Failure;
use crate::file;
use crate::limits::{Limits, MIGRATION_BYTES};
use crate::moving::{self, Bounds, Cache, Loss, OldSite, Ours, Report};
use crate::polite::{Cost, SiteClient};
use crate::sandbox;
use crate::state::name_of;
use crate::terminal::{self, Channel};
use crate::{cli, progress};

/// The product token of the `User-Agent`, and in `robots.txt`.
const TOKEN: &str = "diglot-move";
/// The folder of answers in the state folder.
const MOVES: &str = "moves";

pub(super) fn run(args: &cli::MoveSite) -> Result<(), Failure> {
    let (url, place) = args.settled();
    if let Some(text) = &args.url
        && url.is_none()
        && args.folder.folder != Path::new(".")
    {
        return Err(Failure::usage(format!(
            "`{text}` is not an absolute `http://` or `https://` URL"
        ))
        .hint("give the address of the former home page first, such as `https://old.example`"));
    }
    let mut folder = Folder::open(&place)?;
    // Its library is needed after the edition was made.
    folder.stay();
    let (_, kept) = read(&folder.root)?;
    let url = address(url, &place.folder, &kept)?;
    let cache = cache_folder(args, &folder, &url)?;
    confine(args, &folder, &url, cache.as_deref())?;
    let former = Former::open(&url, cache, &folder.limits)?;
    let base = former.base()?;
    let made = make(&mut folder, &base)?;
    made.require_something(&place.folder)?;
    let here = ours(&folder, &made);
    let old = former.walk(&folder.limits, &here)?;
    let mut report = moving::prove(&old, &here, &kept);
    if !args.verify && !kept.from.is_empty() && kept.from.trim_end_matches('/') != url {
        let from = &kept.from;
        terminal::say(format!(
            "note: `{FILE}` names `{from}` as the former site, and this line stays"
        ));
    }
    let (more, mut repaired) = moving::missing(&kept, &url, &report.losses);
    if args.dry_run {
        report.losses.retain(|loss| !repaired.contains(loss));
    } else if !args.verify && !more.is_empty() {
        let kept;
        (kept, repaired) = write(&folder.root, &url, &report.losses)?;
        let made = make(&mut folder, &base)?;
        report = moving::prove(&old, &ours(&folder, &made), &kept);
    }
    if !args.verify {
        report.repaired = repaired;
    }
    tell(args, &report)
}

/// The address of the former site: the given one, else the one that the folder names.
fn address(url: Option<&str>, folder: &Path, kept: &Migration) -> Result<String, Failure> {
    match url.unwrap_or(&kept.from) {
        "" => Err(Failure::usage(format!(
            "the folder `{}` has no `{FILE}` that names the former site",
            folder.display()
        ))
        .hint("give its address: `diglot move https://old.example FOLDER`")),
        url => Ok(url.trim_end_matches('/').to_owned()),
    }
}

/// What the folder keeps already, and the text of the file.
fn read(root: &Path) -> Result<(String, Migration), Failure> {
    let path = root.join(FILE);
    let bytes = match file::read(&path, MIGRATION_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Failure::path("read", &path, &error)),
    };
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::content(format!(
            "`{FILE}` is not UTF-8, so nothing is written into it"
        ))
        .hint(format!("save `{FILE}` as UTF-8"))
    })?;
    let (migration, problems) = Migration::parse(&text);
    if problems.is_empty() {
        return Ok((text, migration));
    }
    terminal::problems(&problems, usize::MAX);
    Err(Failure::content(format!(
        "`{FILE}` cannot be read as a whole, so nothing is written into it"
    ))
    .hint(format!(
        "correct these lines of `{FILE}`, or remove the file to start again"
    )))
}

/// Adds what is missing to the file as it is now: the walk may have taken hours. Returns what is kept
/// then, and the losses that are repaired so.
fn write(root: &Path, url: &str, losses: &[Loss]) -> Result<(Migration, Vec<Loss>), Failure> {
    let (text, mut kept) = read(root)?;
    let (more, repaired) = moving::missing(&kept, url, losses);
    if !more.is_empty() {
        let text = more.added_to(&text).ok_or_else(|| {
            Failure::content(format!("no line can be added to `{FILE}`")).hint(format!(
                "write its tables as `[{REDIRECTS}]`, with one entry a line"
            ))
        })?;
        file::rewrite(&root.join(FILE), text.as_bytes())
            .map_err(|error| Failure::path("write", &root.join(FILE), &error))?;
        kept.add_all(more);
    }
    Ok((kept, repaired))
}

/// Where answers are kept, if anywhere.
fn cache_folder(
    args: &cli::MoveSite,
    folder: &Folder,
    url: &str,
) -> Result<Option<PathBuf>, Failure> {
    let Some(given) = &args.cache else {
        let state = folder.state().map(|state| state.dir());
        return Ok(state.map(|dir| dir.join(MOVES).join(name_of(url))));
    };
    let absolute =
        std::path::absolute(given).map_err(|error| Failure::path("use", given, &error))?;
    if absolute.starts_with(&folder.root) {
        let message = format!(
            "the cache `{}` is inside the folder of articles",
            given.display()
        );
        return Err(Failure::usage(message).hint("choose another folder for `--cache`"));
    }
    Ok(Some(absolute))
}

/// Gives up all rights but to read the folder, to write what is kept, and to connect.
fn confine(
    args: &cli::MoveSite,
    folder: &Folder,
    url: &str,
    cache: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(cache) = cache {
        std::fs::create_dir_all(cache).map_err(|error| Failure::path("write", cache, &error))?;
    }
    if args.no_sandbox {
        return Ok(());
    }
    let mut needs = folder.needs()?;
    let connects = sandbox::to_connect(url);
    needs.read.extend(connects.read);
    needs.connects = connects.connects;
    needs.write.extend(cache.map(Path::to_owned));
    if !args.verify && !args.dry_run {
        needs.write.push(folder.root.clone());
    }
    sandbox::with_all_processors(|| sandbox::confine(&needs));
    Ok(())
}

fn make(folder: &mut Folder, base: &BaseUrl) -> Result<Made, Failure> {
    folder
        .make(base, Timestamp::now())
        .map_err(|broken| broken.told(Channel::Messages))
}

/// The former site, and where its answers are kept.
struct Former {
    url: String,
    site: SiteClient,
    cache: Cache,
    /// The address that it gives itself, if that is another.
    declared: Option<String>,
}

impl Former {
    fn open(url: &str, cache: Option<PathBuf>, limits: &Limits) -> Result<Self, Failure> {
        let cost = Cost {
            slowest: limits.move_time,
            most_bytes: limits.move_bytes,
        };
        let site = SiteClient::find(url, TOKEN, cost).map_err(audit::failure)?;
        let url = site.address().asked.clone();
        let cache = match cache {
            Some(dir) => Cache::open(dir.clone(), &url)
                .map_err(|error| Failure::path("write", &dir, &error))?,
            None => Cache::default(),
        };
        let declared = moving::declared(&site, &cache).map_err(|why| cannot(&url, &why))?;
        Ok(Self {
            url,
            site,
            cache,
            declared,
        })
    }

    /// Where the folder is published, if it does not say: at the same address.
    fn base(&self) -> Result<BaseUrl, Failure> {
        let declared = self.declared.as_deref();
        let declared = declared.and_then(|url| BaseUrl::parse(url).ok());
        declared.map_or_else(|| BaseUrl::parse(&self.url).map_err(Failure::machine), Ok)
    }

    fn walk(mut self, limits: &Limits, ours: &Ours<'_>) -> Result<OldSite, Failure> {
        let bounds = Bounds {
            pages: limits.move_pages,
        };
        let (declared, lacks) = (self.declared.as_deref(), |path: &str| !ours.answers(path));
        terminal::show_progress();
        let old = moving::walk(&self.site, &self.cache, declared, bounds, &lacks);
        progress::end();
        if old.unread.is_empty() {
            let finished = self.cache.finish();
            finished.map_err(|error| cannot(&self.url, &error.to_string()))?;
        }
        let (requests, bytes) = self.site.sent();
        terminal::say(format!(
            "{} of `{}` walked with {} ({})",
            terminal::counted(old.pages.len(), "page"),
            self.url,
            terminal::counted(usize::try_from(requests).unwrap_or(usize::MAX), "request"),
            indicatif::HumanBytes(bytes)
        ));
        Ok(old)
    }
}

fn cannot(url: &str, why: &str) -> Failure {
    Failure::machine(format!("cannot walk `{url}`: {why}"))
}

fn ours<'m>(folder: &Folder, made: &'m Made) -> Ours<'m> {
    let nothing = diglot_content::Library::default();
    Ours::new(&made.edition, folder.library().unwrap_or(&nothing))
}

/// Prints the report; the exit status is that of what is lost.
fn tell(args: &cli::MoveSite, report: &Report) -> Result<(), Failure> {
    if args.json {
        terminal::print(serde_json::to_string_pretty(report).unwrap_or_default());
    } else {
        terminal::print(report.text());
        if let Some(line) = written(args, &report.repaired) {
            terminal::say(line);
        }
        next_steps(args, &report.losses);
    }
    match (report.losses.is_empty(), report.is_whole()) {
        (false, _) => Err(Failure::content("")),
        (true, false) => Err(Failure::machine("")),
        (true, true) => Ok(()),
    }
}

/// Says what can be done about what is lost.
fn next_steps(args: &cli::MoveSite, losses: &[Loss]) {
    let repairs = losses.iter().filter(|loss| loss.repair.is_some()).count();
    if args.verify && repairs > 0 {
        terminal::say(format!(
            "without `--verify`, `diglot move` repairs {repairs} of these in `{FILE}`"
        ));
    }
    if losses.len() > repairs {
        terminal::say(format!(
            "bring back what is lost, or accept it: list its kinds under `[accepted]` in `{FILE}`, such as `\"/old/\" = [\"gone\"]`"
        ));
    }
}

fn written(args: &cli::MoveSite, repaired: &[Loss]) -> Option<String> {
    let count = |is: fn(&moving::Repair) -> bool| {
        let repairs = repaired.iter().filter_map(|loss| loss.repair.as_ref());
        repairs.filter(|repair| is(repair)).count()
    };
    let redirects = count(|repair| matches!(repair, moving::Repair::Redirect(_)));
    let ids = count(|repair| matches!(repair, moving::Repair::Id { .. }));
    let wrote = if args.dry_run { "would write" } else { "wrote" };
    (redirects + ids > 0).then(|| {
        format!(
            "{wrote} {} and {} into `{FILE}`",
            terminal::counted(redirects, "redirect"),
            terminal::counted(ids, "feed id")
        )
    })
}
