//! The theme's words and dates in the language of a page.
//!
//! An unsupported language gets English words and ISO dates. A further language is one more row of
//! `ALL`.

use diglot_content::Moment;
use serde::Serialize;

/// `words` in templates: the theme's words in the page's language.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Words {
    /// The language these words are in: a BCP 47 primary subtag.
    #[serde(skip)]
    pub language: &'static str,
    /// The language's own name.
    #[serde(skip)]
    pub name: &'static str,
    /// The months of the year, for dates; empty where dates are numeric.
    #[serde(skip)]
    months: &'static str,
    /// The date format: `D`, `M` and `Y` are replaced by the parts.
    #[serde(skip)]
    pattern: &'static str,
    /// "Skip to the text".
    pub skip: &'static str,
    /// The label of the site's navigation.
    pub site: &'static str,
    /// The label of the navigation at the foot.
    pub more: &'static str,
    /// "Home".
    pub home: &'static str,
    /// "Articles".
    pub articles: &'static str,
    /// "Latest articles".
    pub latest: &'static str,
    /// "All articles".
    pub all: &'static str,
    /// "Without a date".
    pub undated: &'static str,
    /// "Tags".
    pub tags: &'static str,
    /// "Contents".
    pub contents: &'static str,
    /// "On this page".
    pub here: &'static str,
    /// The label of the links to the sections above a page: "You are here".
    pub crumbs: &'static str,
    /// "Edit this page".
    pub edit: &'static str,
    /// "min read", after a number.
    pub minutes: &'static str,
    /// "Updated", before a date.
    pub updated: &'static str,
    /// "Previous".
    pub previous: &'static str,
    /// "Next".
    pub next: &'static str,
    /// The label of the links to the previous and next article.
    pub turn: &'static str,
    /// "Related".
    pub related: &'static str,
    /// "Terms".
    pub terms: &'static str,
    /// "API".
    pub api: &'static str,
    /// "For machines:".
    pub machines: &'static str,
    /// "this page in Markdown".
    pub this_page: &'static str,
    /// Before a tag's name in the heading of its page: "Articles on".
    pub on: &'static str,
    /// Before a year in the heading of its page: "Articles from".
    pub from: &'static str,
    /// The purpose of a feed, for people who open it in a browser.
    pub subscribe: &'static str,
    /// "Search".
    pub search: &'static str,
    /// "Nothing found."
    pub nothing: &'static str,
}

/// Fills [`Words`] in the order of its fields.
macro_rules! words {
    ($language:literal $name:literal $months:literal $pattern:literal: $skip:literal $site:literal $more:literal $home:literal $articles:literal
     $latest:literal $all:literal $undated:literal $tags:literal $contents:literal $here:literal $crumbs:literal $edit:literal $minutes:literal $updated:literal $previous:literal $next:literal
     $turn:literal $related:literal $terms:literal $machines:literal $this_page:literal $on:literal $from:literal $subscribe:literal $search:literal $nothing:literal) => {
        Words {
            language: $language,
            name: $name,
            months: $months,
            pattern: $pattern,
            skip: $skip,
            site: $site,
            more: $more,
            home: $home,
            articles: $articles,
            latest: $latest,
            all: $all,
            undated: $undated,
            tags: $tags,
            contents: $contents,
            here: $here,
            crumbs: $crumbs,
            edit: $edit,
            minutes: $minutes,
            updated: $updated,
            previous: $previous,
            next: $next,
            turn: $turn,
            related: $related,
            terms: $terms,
            api: "API",
            machines: $machines,
            this_page: $this_page,
            on: $on,
            from: $from,
            subscribe: $subscribe,
            search: $search,
            nothing: $nothing,
        }
    };
}

/// English, the fallback.
const ENGLISH: Words = words!("en" "English" "January February March April May June July August September October November December" "D M Y":
    "Skip to the text" "Site" "More" "Home" "Articles" "Latest articles" "All articles" "Without a date" "Tags" "Contents" "On this page" "You are here" "Edit this page" "min read" "Updated"
    "Previous" "Next" "Previous and next" "Related" "Terms" "For machines:" "this page in Markdown" "Articles on" "Articles from"
        "This is a feed: give its address to a feed reader, and new articles come to you." "Search" "Nothing found.");

/// The supported languages.
const ALL: [Words; 10] = [
    ENGLISH,
    words!("de" "Deutsch" "Januar Februar März April Mai Juni Juli August September Oktober November Dezember" "D. M Y":
        "Zum Text springen" "Website" "Mehr" "Startseite" "Artikel" "Neueste Artikel" "Alle Artikel" "Ohne Datum" "Schlagwörter" "Inhalt" "Auf dieser Seite" "Sie sind hier" "Diese Seite bearbeiten" "Min. Lesezeit"
        "Geändert am" "Zurück" "Weiter" "Zurück und weiter" "Verwandt" "Nutzung" "Für Maschinen:" "diese Seite als Markdown" "Artikel zu" "Artikel aus"
        "Dies ist ein Feed: Gib seine Adresse einem Feedreader, und neue Artikel kommen zu dir." "Suche" "Nichts gefunden."),
    words!("fr" "Français" "janvier février mars avril mai juin juillet août septembre octobre novembre décembre" "D M Y":
        "Aller au texte" "Site" "Plus" "Accueil" "Articles" "Derniers articles" "Tous les articles" "Sans date" "Mots-clés" "Sommaire" "Sur cette page" "Vous êtes ici" "Modifier cette page" "min de lecture"
        "Mis à jour le" "Précédent" "Suivant" "Précédent et suivant" "À lire aussi" "Conditions" "Pour les machines :" "cette page en Markdown" "Articles sur" "Articles de"
        "Ceci est un flux : donnez son adresse à un lecteur de flux, et les nouveaux articles viendront à vous." "Recherche" "Aucun résultat."),
    words!("es" "Español" "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre" "D de M de Y":
        "Ir al texto" "Sitio" "Más" "Inicio" "Artículos" "Últimos artículos" "Todos los artículos" "Sin fecha" "Etiquetas" "Contenido" "En esta página" "Está aquí" "Editar esta página" "min de lectura"
        "Actualizado el" "Anterior" "Siguiente" "Anterior y siguiente" "Relacionados" "Condiciones" "Para máquinas:" "esta página en Markdown" "Artículos sobre" "Artículos de"
        "Esto es un canal: dé su dirección a un lector de canales y los nuevos artículos le llegarán." "Buscar" "Nada encontrado."),
    words!("it" "Italiano" "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre" "D M Y":
        "Vai al testo" "Sito" "Altro" "Home" "Articoli" "Ultimi articoli" "Tutti gli articoli" "Senza data" "Etichette" "Indice" "In questa pagina" "Ti trovi qui" "Modifica questa pagina" "min di lettura"
        "Aggiornato il" "Precedente" "Successivo" "Precedente e successivo" "Correlati" "Condizioni" "Per le macchine:" "questa pagina in Markdown" "Articoli su" "Articoli del"
        "Questo è un feed: dai il suo indirizzo a un lettore di feed e i nuovi articoli arriveranno da te." "Cerca" "Nessun risultato."),
    words!("pt" "Português" "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro" "D de M de Y":
        "Ir para o texto" "Site" "Mais" "Início" "Artigos" "Artigos recentes" "Todos os artigos" "Sem data" "Etiquetas" "Conteúdo" "Nesta página" "Está aqui" "Editar esta página" "min de leitura"
        "Atualizado em" "Anterior" "Seguinte" "Anterior e seguinte" "Relacionados" "Termos" "Para máquinas:" "esta página em Markdown" "Artigos sobre" "Artigos de"
        "Este é um feed: dê o endereço a um leitor de feeds e os novos artigos chegarão até si." "Pesquisar" "Nada encontrado."),
    words!("nl" "Nederlands" "januari februari maart april mei juni juli augustus september oktober november december" "D M Y":
        "Naar de tekst" "Site" "Meer" "Home" "Artikelen" "Nieuwste artikelen" "Alle artikelen" "Zonder datum" "Labels" "Inhoud" "Op deze pagina" "U bent hier" "Deze pagina bewerken" "min leestijd"
        "Bijgewerkt op" "Vorige" "Volgende" "Vorige en volgende" "Verwant" "Voorwaarden" "Voor machines:" "deze pagina in Markdown" "Artikelen over" "Artikelen uit"
        "Dit is een feed: geef het adres aan een feedlezer en nieuwe artikelen komen naar je toe." "Zoeken" "Niets gevonden."),
    words!("zh" "中文" "" "Y年N月D日":
        "跳到正文" "站点" "更多" "首页" "文章" "最新文章" "所有文章" "无日期" "标签" "目录" "本页内容" "当前位置" "编辑本页" "分钟阅读" "更新于"
        "上一篇" "下一篇" "上一篇与下一篇" "相关文章" "条款" "机器可读：" "本页的 Markdown 版本" "文章：" "文章："
        "这是订阅源：把它的网址交给阅读器，新文章就会送到。" "搜索" "没有找到。"),
    words!("ja" "日本語" "" "Y年N月D日":
        "本文へ" "サイト" "その他" "ホーム" "記事" "最新の記事" "すべての記事" "日付なし" "タグ" "目次" "このページの内容" "現在の位置" "このページを編集" "分で読めます" "更新："
        "前の記事" "次の記事" "前後の記事" "関連記事" "利用条件" "機械向け：" "このページの Markdown 版" "記事：" "記事："
        "これはフィードです。アドレスをフィードリーダーに登録すると、新しい記事が届きます。" "検索" "見つかりませんでした。"),
    words!("ar" "العربية" "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر" "D M Y":
        "انتقل إلى النص" "الموقع" "المزيد" "الرئيسية" "المقالات" "أحدث المقالات" "كل المقالات" "بلا تاريخ" "الوسوم" "المحتويات" "في هذه الصفحة" "أنت هنا" "حرّر هذه الصفحة" "دقائق قراءة" "آخر تحديث"
        "السابق" "التالي" "السابق والتالي" "مقالات ذات صلة" "الشروط" "للآلات:" "هذه الصفحة بصيغة Markdown" "مقالات عن" "مقالات عام"
        "هذه خلاصة: أعطِ عنوانها لقارئ خلاصات فتصلك المقالات الجديدة." "بحث" "لا نتائج."),
];

impl Words {
    /// The supported languages.
    pub(super) const fn all() -> &'static [Self] {
        const TABLE: &[Words] = &ALL;
        TABLE
    }

    /// The words for a BCP 47 tag: those of its primary subtag, else English.
    pub fn of(language: &str) -> &'static Self {
        let primary = language.split(['-', '_']).next().unwrap_or_default();
        Self::all()
            .iter()
            .find(|words| words.language.eq_ignore_ascii_case(primary))
            .unwrap_or(&Self::all()[0])
    }

    /// The language's own name; the tag if unknown.
    pub fn language_name(language: &str) -> String {
        let primary = language.split(['-', '_']).next().unwrap_or_default();
        let known = ALL
            .iter()
            .find(|words| words.language.eq_ignore_ascii_case(primary))
            .map(|words| words.name);
        let known = known.or_else(|| {
            MORE_NAMES
                .iter()
                .find(|(tag, _)| tag.eq_ignore_ascii_case(primary))
                .map(|(_, name)| *name)
        });
        match (known, language.split_once(['-', '_'])) {
            (Some(name), None) => name.to_owned(),
            (Some(name), Some((_, rest))) => format!("{name} ({rest})"),
            (None, _) => language.to_owned(),
        }
    }
}

/// Own names of further languages, for links to translations.
const MORE_NAMES: [(&str, &str); 24] = [
    ("bg", "Български"),
    ("bn", "বাংলা"),
    ("cs", "Čeština"),
    ("da", "Dansk"),
    ("el", "Ελληνικά"),
    ("fa", "فارسی"),
    ("fi", "Suomi"),
    ("he", "עברית"),
    ("hi", "हिन्दी"),
    ("hu", "Magyar"),
    ("id", "Bahasa Indonesia"),
    ("ko", "한국어"),
    ("ms", "Bahasa Melayu"),
    ("no", "Norsk"),
    ("pcm", "Naijá"),
    ("pl", "Polski"),
    ("ro", "Română"),
    ("ru", "Русский"),
    ("sv", "Svenska"),
    ("sw", "Kiswahili"),
    ("ta", "தமிழ்"),
    ("tr", "Türkçe"),
    ("uk", "Українська"),
    ("vi", "Tiếng Việt"),
];

/// The day of a moment in a language's format: `1 May 2024`, `May 1, 2024` (en-US), `1. Mai 2024`;
/// else `2024-05-01`.
pub fn date(moment: &Moment, language: &str) -> String {
    let day = moment.day();
    let words = Words::of(language);
    let primary = language.split(['-', '_']).next().unwrap_or_default();
    if !words.language.eq_ignore_ascii_case(primary) {
        return day.to_string();
    }
    let pattern = if language.eq_ignore_ascii_case("en-US") {
        "M D, Y"
    } else {
        words.pattern
    };
    let month = usize::try_from(day.month()).unwrap_or(1);
    let name = words
        .months
        .split(' ')
        .nth(month.saturating_sub(1))
        .unwrap_or_default();
    let mut out = String::with_capacity(24);
    for part in pattern.chars() {
        match part {
            'D' if words.language == "fr" && day.day() == 1 => out.push_str("1er"),
            'D' => out.push_str(&day.day().to_string()),
            'M' => out.push_str(name),
            'N' => out.push_str(&month.to_string()),
            'Y' => out.push_str(&day.year().to_string()),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn check(language: &str, expected: &str) {
        let at: Timestamp = "2024-05-01T22:00:00Z".parse().unwrap();
        assert_eq!(date(&Moment::second(at), language), expected, "{language}");
    }

    #[test]
    fn dates_are_in_the_words_of_the_language() {
        check("en", "1 May 2024");
        check("en-US", "May 1, 2024");
        check("de-AT", "1. Mai 2024");
        check("fr", "1er mai 2024");
        check("es", "1 de mayo de 2024");
        check("ja", "2024年5月1日");
        check("ko", "2024-05-01");
    }

    #[test]
    fn every_language_has_twelve_months_or_numbers() {
        for words in &ALL {
            let months = words.months.split(' ').count();
            assert!(
                if words.pattern.contains('M') {
                    months == 12
                } else {
                    words.pattern.contains('N')
                },
                "{}",
                words.language
            );
        }
    }

    #[test]
    fn languages_call_themselves_by_their_own_names() {
        assert_eq!(Words::language_name("pt-BR"), "Português (BR)");
        assert_eq!(Words::language_name("ru"), "Русский");
        assert_eq!(Words::language_name("tlh"), "tlh");
    }
}
