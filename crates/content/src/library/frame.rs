//! What is around every text: the links of header and footer, the logo and the icon, resolved
//! against the published texts and the files of the folder.

use std::sync::Arc;

use bytes::Bytes;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    article::Kind, candidate::Candidate, files, links::LinkTable, publication::Publication,
};
use crate::model::{
    cause::Cause,
    document::{Document, ReferenceKind, Target},
    frame::{FrameSettings, LogoSetting, MenuItem, Placed},
    path::join,
    problem::Problem,
    sources::SourceFile,
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
    /// Where it leads; a group has no target.
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
    pub(super) fn resolve(
        publication: &Publication<'_>,
        table: &LinkTable<'_>,
    ) -> (Self, Vec<Problem>) {
        let settings = &publication.site.frame;
        if *settings == FrameSettings::default() {
            return <(Self, Vec<Problem>)>::default();
        }
        let mut resolver = Resolver {
            publication,
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
        translate(
            publication,
            lists.iter_mut().filter_map(|list| list.as_mut()),
        );
        (frame, problems)
    }
}

struct Resolver<'r> {
    publication: &'r Publication<'r>,
    table: &'r LinkTable<'r>,
    problems: Vec<Problem>,
}

impl Resolver<'_> {
    fn report(&mut self, setting: &Placed, problem: Problem) {
        let problem = problem.at(settings::FILE, setting.line, setting.column);
        Problem::note_all(&mut self.problems, [problem]);
    }

    /// Broken links and groups without links are left out.
    fn items(&mut self, items: &[MenuItem]) -> Vec<FrameItem> {
        let mut resolved = Vec::with_capacity(items.len());
        for item in items {
            let Some(link) = &item.link else {
                resolved.extend(self.group(item));
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
            resolved.push(FrameItem {
                title: item.title.clone(),
                target: Some(found.target),
                pages: at.and_then(|at| self.page(at)).into_iter().collect(),
                items: Vec::new(),
            });
        }
        resolved
    }

    fn group(&mut self, item: &MenuItem) -> Option<FrameItem> {
        let items = self.items(&item.items);
        (!items.is_empty()).then(|| FrameItem {
            title: item.title.clone(),
            target: None,
            pages: Vec::new(),
            items,
        })
    }

    /// The page to which an item of the table belongs.
    fn page(&self, at: usize) -> Option<FramePage> {
        self.table.page(at)?;
        let own = self.publication.candidates.get(at)?;
        Some(FramePage {
            language: own.language.value.clone(),
            stem: Arc::clone(&own.stem.value),
            title: match &own.nav().label {
                Some(label) => label.as_str().into(),
                None => Arc::clone(&own.title.value),
            },
        })
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
        let Some(file) = self.file(path) else {
            return self.refuse_missing(key, named);
        };
        let Some(suffix) = picture_suffix(&file.path) else {
            let message = format!("the file `{path}`, which `{key}` names, is not a picture");
            let hint = format!("use one of `.{}`", PICTURES.join("`, `."));
            return self.refuse(named, message, hint);
        };
        let length = file.bytes.len();
        if length > LARGEST {
            return self.refuse_large(key, named, length);
        }
        Some(FramePicture {
            suffix,
            bytes: Bytes::clone(&file.bytes),
            size: picture::size(&file.path, &file.bytes),
        })
    }

    fn refuse_large(&mut self, key: &str, named: &Placed, length: usize) -> Option<FramePicture> {
        let message = format!(
            "the file `{}`, which `{key}` names, has {length} bytes and is left out: every reader would load it",
            named.text
        );
        let hint = format!("make it smaller than {LARGEST} bytes");
        self.refuse(named, message, hint)
    }

    /// The file at a path of the folder, or behind an address of the site.
    fn file(&self, path: &str) -> Option<&SourceFile> {
        let sources = self.publication.sources;
        let file = join("", path).and_then(|path| files::find(sources, &path));
        file.or_else(|| {
            let item = self.table.item_of_settings(path)?;
            files::find(sources, &self.table.items[item].source)
        })
    }

    fn refuse_missing(&mut self, key: &str, named: &Placed) -> Option<FramePicture> {
        let path = named.text.as_str();
        let message = format!("`{key}` names a file that does not exist: `{path}`");
        let hint = match self.table.source_like(path) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "write a path from the folder of the site, such as `images/logo.svg`".to_owned()
            }
        };
        self.refuse(named, message, hint)
    }
}

fn picture_suffix(path: &str) -> Option<&'static str> {
    let (_, suffix) = path.rsplit_once('.')?;
    let mut known = PICTURES.into_iter();
    known.find(|known| known.eq_ignore_ascii_case(suffix))
}

/// Adds the pages in other languages.
fn translate<'f>(
    publication: &Publication<'_>,
    lists: impl Iterator<Item = &'f mut Vec<FrameItem>>,
) {
    let items = items_with_pages(lists);
    if items.is_empty() {
        return;
    }
    let translations = Translations::collect(publication, &items);
    for item in items {
        let Some(own) = item.pages.first() else {
            continue;
        };
        let others = translations
            .of_page(own)
            .filter(|page| page.language != own.language);
        let others: Vec<FramePage> = others.cloned().collect();
        item.pages.extend(others);
    }
}

/// The items, and those of groups, that lead to pages.
fn items_with_pages<'f>(
    lists: impl Iterator<Item = &'f mut Vec<FrameItem>>,
) -> Vec<&'f mut FrameItem> {
    let mut items: Vec<&mut FrameItem> = Vec::new();
    for item in lists.flatten() {
        if item.target.is_some() {
            items.push(item);
        } else {
            items.extend(&mut item.items);
        }
    }
    items.retain(|item| !item.pages.is_empty());
    items
}

/// The pages that menus name, in all languages.
#[derive(Default)]
struct Translations<'w> {
    groups: FxHashMap<(Kind, &'w str), Vec<FramePage>>,
    /// The groups, by the stem of a page.
    group_of: FxHashMap<&'w str, (Kind, &'w str)>,
}

impl<'w> Translations<'w> {
    fn collect(publication: &'w Publication<'_>, items: &[&mut FrameItem]) -> Self {
        let mut translations = Self::default();
        let stems = items
            .iter()
            .filter_map(|item| Some(&*item.pages.first()?.stem));
        let wanted: FxHashSet<&str> = stems.collect();
        for text in publication.published() {
            if wanted.contains(&*text.stem.value) {
                let group = (text.kind, text.language_group.as_str());
                translations.group_of.insert(&text.stem.value, group);
                translations.groups.entry(group).or_default();
            }
        }
        for text in publication.published() {
            translations.add(text);
        }
        translations
    }

    fn add(&mut self, text: &'w Candidate) {
        let group = (text.kind, text.language_group.as_str());
        if let Some(pages) = self.groups.get_mut(&group)
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

    fn of_page(&self, page: &FramePage) -> impl Iterator<Item = &FramePage> {
        let group = self.group_of.get(&*page.stem);
        group
            .and_then(|group| self.groups.get(group))
            .into_iter()
            .flatten()
    }
}
