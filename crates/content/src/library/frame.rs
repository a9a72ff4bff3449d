//! What is around every text: the links of header and footer, the logo and the icon, resolved
//! against the published texts and the files of the folder.

use std::sync::Arc;

use bytes::Bytes;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{article::Kind, files, links::LinkTable, publication::Publication};
use crate::model::{
    cause::Cause,
    document::{Document, ReferenceKind, Target},
    frame::{FrameSettings, LogoSetting, MenuItem, Placed},
    path::join,
    problem::Problem,
};
use crate::syntax::{markdown, picture, settings};

/// The largest logo or icon, in bytes: every reader loads it.
const LARGEST: usize = 500_000;
/// The suffixes of pictures that browsers show.
const PICTURES: [&str; 8] = ["svg", "png", "ico", "webp", "avif", "jpg", "jpeg", "gif"];

/// What is around every text.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The links of the header, where the settings have them.
    pub links: Option<Vec<FrameItem>>,
    /// The links of the footer, where the settings have them.
    pub footer_links: Option<Vec<FrameItem>>,
    /// The words of the footer.
    pub footer_text: Option<FrameText>,
    /// The logo.
    pub logo: Option<Logo>,
    /// The icon.
    pub favicon: Option<FramePicture>,
}

/// A link, or a group of links.
#[derive(Clone, Debug)]
pub struct FrameItem {
    /// The author's name for it.
    pub title: Option<String>,
    /// Where it leads; a group leads nowhere.
    pub target: Option<Target>,
    /// Where it leads in each language, if it is an author's page; the one that is named is first.
    pub pages: Vec<FramePage>,
    /// The links of a group.
    pub items: Vec<FrameItem>,
}

/// A page in one language.
#[derive(Clone, Debug)]
pub struct FramePage {
    /// BCP 47.
    pub language: String,
    /// Its stem.
    pub stem: Arc<str>,
    /// Its name in menus.
    pub title: Arc<str>,
}

/// A paragraph.
#[derive(Clone, Debug)]
pub struct FrameText {
    /// The paragraph.
    pub document: Document,
    /// The targets of its references.
    pub targets: Vec<Target>,
}

/// The picture beside the site's name.
#[derive(Clone, Debug)]
pub struct Logo {
    /// The picture.
    pub picture: FramePicture,
    /// Another one for dark surroundings.
    pub dark: Option<FramePicture>,
    /// What it says, if it says the site's name itself.
    pub alt: Option<String>,
}

/// A picture of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePicture {
    /// Its suffix in lower case: `svg`.
    pub suffix: &'static str,
    /// Its bytes.
    pub bytes: Bytes,
    /// Width and height in pixels, if known.
    pub size: Option<(u32, u32)>,
}

impl Frame {
    /// What the settings say, and what is wrong with it.
    pub(super) fn of(work: &Publication<'_>, table: &LinkTable<'_>) -> (Self, Vec<Problem>) {
        let settings = &work.site.frame;
        if *settings == FrameSettings::default() {
            return <(Self, Vec<Problem>)>::default();
        }
        let mut resolver = Resolver {
            work,
            table,
            problems: Vec::new(),
        };
        let mut frame = Self {
            links: settings.links.as_deref().map(|links| resolver.items(links)),
            footer_links: settings
                .footer_links
                .as_deref()
                .map(|links| resolver.items(links)),
            footer_text: settings
                .footer_text
                .as_ref()
                .map(|text| resolver.text(text)),
            logo: settings.logo.as_ref().and_then(|logo| resolver.logo(logo)),
            favicon: settings
                .favicon
                .as_ref()
                .and_then(|icon| resolver.picture("favicon", icon)),
        };
        let problems = resolver.problems;
        let mut lists = [&mut frame.links, &mut frame.footer_links];
        translate(work, lists.iter_mut().filter_map(|list| list.as_mut()));
        (frame, problems)
    }
}

struct Resolver<'r> {
    work: &'r Publication<'r>,
    table: &'r LinkTable<'r>,
    problems: Vec<Problem>,
}

impl Resolver<'_> {
    fn report(&mut self, place: &Placed, problem: Problem) {
        let problem = problem.at(settings::FILE, place.line, place.column);
        Problem::note_all(&mut self.problems, [problem]);
    }

    /// Links that lead nowhere and groups without links are left out.
    fn items(&mut self, items: &[MenuItem]) -> Vec<FrameItem> {
        let mut resolved = Vec::with_capacity(items.len());
        for item in items {
            let Some(link) = &item.link else {
                let items = self.items(&item.items);
                if !items.is_empty() {
                    resolved.push(FrameItem {
                        title: item.title.clone(),
                        target: None,
                        pages: Vec::new(),
                        items,
                    });
                }
                continue;
            };
            let (found, at) = self
                .table
                .resolve_of_settings(&link.text, ReferenceKind::Link);
            if let Some(problem) = found.problem {
                self.report(link, problem);
            }
            if found.target == Target::Unresolved {
                continue;
            }
            let page = at.filter(|at| self.table.page(*at).is_some());
            let own = page.and_then(|at| self.work.candidates.get(at));
            let page = own.map(|own| FramePage {
                language: own.language.value.clone(),
                stem: Arc::clone(&own.stem.value),
                title: match &own.nav.label {
                    Some(label) => label.as_str().into(),
                    None => Arc::clone(&own.title.value),
                },
            });
            resolved.push(FrameItem {
                title: item.title.clone(),
                target: Some(found.target),
                pages: page.into_iter().collect(),
                items: Vec::new(),
            });
        }
        resolved
    }

    /// The settings are checked to be one paragraph.
    fn text(&mut self, text: &Placed) -> FrameText {
        let document = markdown::parse(&text.text, &markdown::Options::default());
        let mut targets = Vec::with_capacity(document.references.len());
        for reference in &document.references {
            let (found, _) = self
                .table
                .resolve_of_settings(&reference.raw, reference.kind);
            if let Some(problem) = found.problem {
                self.report(text, problem);
            }
            targets.push(found.target);
        }
        FrameText { document, targets }
    }

    fn logo(&mut self, logo: &LogoSetting) -> Option<Logo> {
        let dark = logo.dark.as_ref();
        let dark = dark.and_then(|dark| self.picture("logo.dark", dark));
        Some(Logo {
            picture: self.picture("logo", &logo.src)?,
            dark,
            alt: logo.alt.clone(),
        })
    }

    /// Reports a file that is left out.
    fn refuse(&mut self, named: &Placed, message: String, hint: String) -> Option<FramePicture> {
        let problem = Problem::warning(message).cause(Cause::File).hint(hint);
        self.report(named, problem);
        None
    }

    /// A picture of the folder, published or not: the owner named it.
    fn picture(&mut self, key: &str, named: &Placed) -> Option<FramePicture> {
        let path = named.text.as_str();
        let sources = self.work.sources;
        let file = join("", path).and_then(|path| files::find(sources, &path));
        let file = file.or_else(|| {
            let item = self.table.item_of_settings(path)?;
            files::find(sources, &self.table.items[item].source)
        });
        let Some(file) = file else {
            let message = format!("`{key}` names a file that does not exist: `{path}`");
            let hint = match self.table.source_like(path) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "write a path from the folder of the site, such as `images/logo.svg`".to_owned()
                }
            };
            return self.refuse(named, message, hint);
        };
        let suffix = file.path.rsplit_once('.').map_or("", |(_, suffix)| suffix);
        let suffix = PICTURES
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(suffix));
        let size = picture::size(&file.path, &file.bytes);
        let Some(suffix) = suffix else {
            let message = format!("the file `{path}`, which `{key}` names, is not a picture");
            let hint = format!("use one of `.{}`", PICTURES.join("`, `."));
            return self.refuse(named, message, hint);
        };
        if file.bytes.len() > LARGEST {
            let message = format!(
                "the file `{path}`, which `{key}` names, has {} bytes and is left out: every reader would load it",
                file.bytes.len()
            );
            let hint = format!("make it smaller than {LARGEST} bytes");
            return self.refuse(named, message, hint);
        }
        Some(FramePicture {
            suffix,
            bytes: Bytes::clone(&file.bytes),
            size,
        })
    }
}

/// Adds the pages in other languages.
fn translate<'f>(work: &Publication<'_>, lists: impl Iterator<Item = &'f mut Vec<FrameItem>>) {
    let mut items: Vec<&mut FrameItem> = Vec::new();
    for item in lists.flatten() {
        if item.target.is_some() {
            items.push(item);
        } else {
            items.extend(&mut item.items);
        }
    }
    items.retain(|item| !item.pages.is_empty());
    if items.is_empty() {
        return;
    }
    let mut groups: FxHashMap<(Kind, &str), Vec<FramePage>> = FxHashMap::default();
    let mut group_of: FxHashMap<&str, (Kind, &str)> = FxHashMap::default();
    let wanted: FxHashSet<Arc<str>> = items
        .iter()
        .filter_map(|item| Some(Arc::clone(&item.pages.first()?.stem)))
        .collect();
    for text in work.published() {
        if wanted.contains(&text.stem.value) {
            let group = (text.kind, text.language_group.as_str());
            group_of.insert(&text.stem.value, group);
            groups.entry(group).or_default();
        }
    }
    for text in work.published() {
        let group = (text.kind, text.language_group.as_str());
        if let Some(pages) = groups.get_mut(&group)
            && !pages
                .iter()
                .any(|page| page.language == text.language.value)
        {
            pages.push(FramePage {
                language: text.language.value.clone(),
                stem: Arc::clone(&text.stem.value),
                title: Arc::clone(&text.title.value),
            });
        }
    }
    for item in items {
        let Some(own) = item.pages.first() else {
            continue;
        };
        let pages = group_of.get(&*own.stem).and_then(|group| groups.get(group));
        let others = pages.into_iter().flatten();
        let others: Vec<FramePage> = others
            .filter(|page| page.language != own.language)
            .cloned()
            .collect();
        item.pages.extend(others);
    }
}
