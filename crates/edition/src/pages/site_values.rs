//! `site` in templates: the values that all pages of a language share.

use std::collections::BTreeMap;

use diglot_content::document::{Rendering, url_of, write_html};
use diglot_content::library::{FrameItem, FramePicture, FrameText, Logo};
use diglot_content::{Article, BaseUrl, Library, Target};
use minijinja::Value;

use super::{Context, address, search};
use crate::media;
use crate::route::{Form, Route, html_path};
use crate::theme::context::{
    AccentContext, FooterContext, LinkContext, LogoContext, MenuContext, PictureContext,
    SiteContext,
};
use crate::theme::{Asset, Words, asset, safe};

/// The author's possible icons, best first.
const ICONS: [&str; 3] = ["/favicon.svg", "/favicon.ico", "/favicon.png"];

/// `site` for pages in a language, which has these words.
pub(super) fn build(context: &Context<'_>, language: &str, words: &Words) -> SiteContext {
    let Context {
        site,
        library,
        theme,
        ..
    } = *context;
    let base = &site.base;
    let rooted = |route: Route| base.rooted(&route.canonical_path());
    let has_search = search::is_on(site, library);
    let assets: BTreeMap<String, String> = theme
        .assets()
        .iter()
        .map(|asset| (asset.source.clone(), address(base, asset)))
        .collect();
    let icon = icon(context, &assets);
    let links = Links {
        base,
        language,
        words,
    };
    let frame = &library.frame;
    SiteContext {
        title: site.title.clone(),
        description: site.description.clone(),
        language: site.language.clone(),
        url: base.absolute("/"),
        home: rooted(Route::Home(Form::Html)),
        articles: rooted(Route::ArticleList(Form::Html)),
        feed: rooted(Route::Rss),
        feed_url: base.absolute(&Route::Rss.path()),
        llms: rooted(Route::Llms),
        llms_url: base.absolute(&Route::Llms.path()),
        sitemap: rooted(Route::SitemapMarkdown),
        api: rooted(Route::Api(Form::Html)),
        terms: rooted(Route::Terms(Form::Html)),
        shape: library.shape.name(),
        search: has_search.then(|| rooted(Route::Search(Form::Html))),
        search_index: has_search.then(|| rooted(Route::SearchIndex)),
        open_search: has_search.then(|| rooted(Route::OpenSearch)),
        pages: top_pages(context),
        assets,
        icon: icon.url,
        icon_type: icon.media_type,
        icon_sizes: icon.sizes,
        logo: frame.logo.as_ref().map(|logo| logo_context(base, logo)),
        accent: site.frame.accent.map(|accent| AccentContext {
            light: accent.light.to_string(),
            dark: accent.dark.to_string(),
        }),
        links: frame.links.as_deref().map(|list| links.items(list)),
        footer: FooterContext {
            text: frame
                .footer_text
                .as_ref()
                .map(|text| footer_text(context, text)),
            links: frame.footer_links.as_deref().map(|list| links.items(list)),
        },
    }
}

/// The author's top-level pages for the navigation: not the home page, not those that other links
/// cover.
fn top_pages(context: &Context<'_>) -> Vec<LinkContext> {
    let site = context.site;
    let mut pages: Vec<&Article> = context
        .library
        .pages
        .iter()
        .map(|page| &**page)
        .filter(|page| is_top_page(page) && page.language == site.language)
        .collect();
    pages.sort_by_key(|page| (page.weight.unwrap_or(i64::MAX), page.stem.clone()));
    let mut links = Vec::new();
    for page in pages {
        links.push(LinkContext {
            title: page.title.to_string(),
            url: site.base.rooted(&html_path(&page.stem)),
            language: None,
            count: None,
        });
    }
    links
}

fn is_top_page(page: &Article) -> bool {
    page.listed
        && page.stem.matches('/').count() == 1
        && matches!(Route::of_stem(&page.stem, Form::Html), Route::Page(..))
}

/// An icon for a page's head.
struct Icon {
    url: String,
    media_type: &'static str,
    sizes: Option<String>,
}

/// The icon of the settings, else the author's, else the theme's.
fn icon(context: &Context<'_>, assets: &BTreeMap<String, String>) -> Icon {
    let (base, library) = (&context.site.base, context.library);
    if let Some(icon) = &library.frame.favicon {
        let asset = named("favicon", icon);
        return Icon {
            url: address(base, &asset),
            media_type: media_type(&asset.name),
            sizes: sizes(icon),
        };
    }
    usual_icon(context, assets)
}

/// The icon that the folder has under a usual name, else that of the theme.
fn usual_icon(context: &Context<'_>, assets: &BTreeMap<String, String>) -> Icon {
    let (base, library) = (&context.site.base, context.library);
    let mut own = ICONS
        .iter()
        .filter(|icon| library.files.iter().any(|file| &*file.path == **icon));
    let name = own.next().copied();
    let name_of = name.unwrap_or("icon.svg");
    Icon {
        url: match name {
            Some(name) => base.rooted(name),
            None => assets.get("icon.svg").cloned().unwrap_or_default(),
        },
        media_type: media_type(name_of),
        sizes: name_of.ends_with(".svg").then(|| "any".to_owned()),
    }
}

/// The media type without parameters.
fn media_type(name: &str) -> &'static str {
    let whole = media::by_suffix(name).content_type;
    whole.split(';').next().unwrap_or_default()
}

/// The value of `sizes` (HTML, section 4.6.7.8): those of all pictures in an icon file.
fn sizes(icon: &FramePicture) -> Option<String> {
    if icon.suffix == "svg" {
        return Some("any".to_owned());
    }
    if icon.suffix != "ico" {
        return icon.size.map(|(width, height)| format!("{width}x{height}"));
    }
    // A header of six bytes with the number of pictures, then 16 bytes for each.
    let (header, entries) = icon.bytes.split_at_checked(6)?;
    let count = usize::from(*header.get(4)?);
    let side = |side: u8| if side == 0 { 256 } else { u16::from(side) };
    let sizes: Vec<String> = entries
        .chunks_exact(16)
        .take(count)
        .filter_map(|entry| match entry {
            [width, height, ..] => Some(format!("{}x{}", side(*width), side(*height))),
            _ => None,
        })
        .collect();
    (!sizes.is_empty()).then(|| sizes.join(" "))
}

/// The pictures of the settings as files of the theme: with their content in their names.
pub(crate) fn pictures(library: &Library) -> Vec<Asset> {
    let frame = &library.frame;
    let mut all = Vec::new();
    if let Some(logo) = &frame.logo {
        all.push(named("logo", &logo.picture));
        all.extend(logo.dark.as_ref().map(|dark| named("logo-dark", dark)));
    }
    all.extend(frame.favicon.as_ref().map(|icon| named("favicon", icon)));
    all
}

fn named(name: &str, picture: &FramePicture) -> Asset {
    asset(&format!("{name}.{}", picture.suffix), picture.bytes.clone())
}

fn logo_context(base: &BaseUrl, logo: &Logo) -> LogoContext {
    let picture = |name: &str, picture: &FramePicture| PictureContext {
        url: address(base, &named(name, picture)),
        width: picture.size.map(|(width, _)| width),
        height: picture.size.map(|(_, height)| height),
    };
    LogoContext {
        picture: picture("logo", &logo.picture),
        dark: logo.dark.as_ref().map(|dark| picture("logo-dark", dark)),
        alt: logo.alt.clone(),
    }
}

fn footer_text(context: &Context<'_>, text: &FrameText) -> Value {
    let rendering = Rendering {
        base: &context.site.base,
        stem: "",
        targets: &text.targets,
        purpose: context.purpose(),
        typography: None,
        back: None,
    };
    safe(write_html(&text.document, &rendering).text.trim_end())
}

/// The name of a page that Diglot writes, in words of the theme.
pub(super) fn made_name<'w>(target: &Target, words: &'w Words) -> Option<&'w str> {
    let Target::Page { stem, .. } = target else {
        return None;
    };
    let name = match &**stem {
        "/index" => "home",
        "/articles/index" => "articles",
        "/search" => "search",
        "/terms" => "terms",
        "/api" => "api",
        _ => return None,
    };
    Some(words.get(name))
}

/// The title and the target of a link for readers of a language, and the language of its page.
pub(super) fn link_in<'f>(
    item: &'f FrameItem,
    language: &str,
    words: &'f Words,
) -> Option<(String, Target, Option<&'f str>)> {
    let target = item.target.as_ref()?;
    let Some(own) = item.pages.first() else {
        let name = item.title.as_deref().or_else(|| made_name(target, words));
        return Some((
            name.map_or_else(|| last_part(target), str::to_owned),
            target.clone(),
            None,
        ));
    };
    let page = item.pages.iter().find(|page| page.language == language);
    if let Some(page) = page.filter(|page| page.language != own.language) {
        let target = Target::Page {
            stem: page.stem.clone(),
            fragment: None,
        };
        return Some((page.title.to_string(), target, None));
    }
    let other = (own.language != language).then_some(own.language.as_str());
    let title = item.title.as_deref().unwrap_or(&own.title);
    Some((title.to_owned(), target.clone(), other))
}

/// The end of an address, for what has no other name.
fn last_part(target: &Target) -> String {
    let path = match target {
        Target::Page { stem: path, .. } | Target::File { path, .. } => path,
        Target::Url(url) => url.as_str(),
        Target::Here(_) | Target::Unresolved => "",
    };
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Writes links for readers of a language.
struct Links<'a> {
    base: &'a BaseUrl,
    language: &'a str,
    words: &'a Words,
}

impl Links<'_> {
    fn items(&self, items: &[FrameItem]) -> Vec<MenuContext> {
        items.iter().filter_map(|item| self.item(item)).collect()
    }

    fn item(&self, item: &FrameItem) -> Option<MenuContext> {
        if item.target.is_none() {
            return Some(MenuContext {
                title: item.title.clone().unwrap_or_default(),
                url: String::new(),
                language: None,
                items: self.items(&item.items),
            });
        }
        let (title, target, language) = link_in(item, self.language, self.words)?;
        Some(MenuContext {
            title,
            url: url_of(self.base, &target)?,
            language: language.map(str::to_owned),
            items: Vec::new(),
        })
    }
}
