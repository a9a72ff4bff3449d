//! The cost of one file: a whole edition of a small folder, built in this process by one thread and
//! timed by that thread's CPU clock.

use std::sync::Arc;
use std::time::Duration;

use diglot_content::settings::Settings;
use diglot_content::sources::{ChangeOrigin, FileDates};
use diglot_content::{BaseUrl, Bounds, Library, Problem, Site, SourceFile, Sources};
use diglot_edition::Edition;
use diglot_edition::build::Known;
use diglot_edition::theme::Theme;
use jiff::Timestamp;

/// The cost of an edition with one hostile text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// CPU seconds.
    pub seconds: f64,
    /// Published bytes.
    pub bytes: u64,
}

/// The bench of one thread: what all texts share is built once.
pub struct Bench {
    clock: fn() -> Duration,
    theme: Theme,
    known: Known,
    pool: rayon::ThreadPool,
    now: Timestamp,
    /// The cost of a folder without a hostile text.
    empty: Cost,
}

impl Bench {
    /// Prepares everything. Times are taken from this clock.
    ///
    /// # Errors
    /// The thread cannot be started, or the built-in theme is broken.
    pub fn new(clock: fn() -> Duration) -> Result<Self, String> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .stack_size(8 << 20)
            .build()
            .map_err(|error| error.to_string())?;
        let theme =
            Theme::new(&[]).map_err(|problems| format!("the theme is broken: {problems:?}"))?;
        let now = Timestamp::from_second(1_800_000_000).map_err(|error| error.to_string())?;
        let mut bench = Self {
            clock,
            theme,
            known: Known::default(),
            pool,
            now,
            empty: Cost::default(),
        };
        // The first edition renders the pictures, which later ones reuse.
        bench.cost("plain", "posts/bad.md", b"x")?;
        let costs: Vec<Cost> = (0..5)
            .map(|_| bench.cost("plain", "posts/bad.md", b"x"))
            .collect::<Result<_, _>>()?;
        bench.empty = costs
            .into_iter()
            .min_by(|one, other| one.seconds.total_cmp(&other.seconds))
            .unwrap_or_default();
        Ok(bench)
    }

    /// The cost that this text adds to a folder of this kind.
    ///
    /// # Errors
    /// The edition cannot be built.
    pub fn cost(&mut self, dialect: &str, path: &str, text: &[u8]) -> Result<Cost, String> {
        let files = [
            (
                "posts/bae.md",
                &b"# Good\n\nSee [it](bad.md), [this](bad.html) and [that](bad.mdx).\n"[..],
            ),
            (path, text),
        ];
        let mut sources = Sources {
            name: "Hostile".to_owned(),
            bounds: Bounds {
                clock: Some(self.clock),
                ..Bounds::default()
            },
            ..Sources::default()
        };
        let dates = FileDates {
            created: None,
            changed: Timestamp::UNIX_EPOCH,
            origin: ChangeOrigin::Git,
        };
        sources.files = files
            .into_iter()
            .map(|(path, text)| SourceFile {
                path: path.into(),
                bytes: text.to_vec().into(),
                dates,
            })
            .collect();
        sources
            .files
            .sort_by(|one, other| one.path.cmp(&other.path));
        let site = Arc::new(Site {
            articles: Some("posts".to_owned()),
            dialect: Some(dialect.to_owned()),
            ..self.site()?
        });
        let Self {
            clock,
            theme,
            known,
            pool,
            now,
            empty,
        } = self;
        let (seconds, edition) = pool.install(|| {
            let mut own = Known {
                card_cache: known.card_cache.clone(),
                ..Known::default()
            };
            let begun = clock();
            let edition = edition_of(&sources, site, theme, *now, &mut own);
            let seconds = clock().saturating_sub(begun).as_secs_f64();
            known.card_cache = own.card_cache;
            (seconds, edition)
        });
        let edition = edition.map_err(|problems| format!("no edition: {problems:?}"))?;
        let length = |path: &str| edition.get(path).map_or(0, |resource| resource.body.len());
        let bytes = ["/articles/bad.html", "/articles/bad.md", "/llms-full.txt"]
            .into_iter()
            .map(length)
            .sum::<u64>();
        Ok(Cost {
            seconds: (seconds - empty.seconds).max(0.0),
            bytes,
        })
    }

    fn site(&self) -> Result<Site, String> {
        let base = BaseUrl::parse("https://example.org")?;
        Settings::default()
            .into_site("Hostile", base)
            .map_err(|problems| format!("{problems:?}"))
    }
}

/// What is timed. Its instructions are counted by this name too.
#[inline(never)]
fn edition_of(
    sources: &Sources,
    site: Arc<Site>,
    theme: &Theme,
    now: Timestamp,
    known: &mut Known,
) -> Result<Edition, Vec<Problem>> {
    let library = Library::build(sources, &site, now);
    Edition::build_again(&library, site, theme, now, known)
}

/// The CPU time of this thread.
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}
