//! Language tags: their syntax, text direction, and the folder names that may be one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A BCP 47 tag in its canonical case (`pt-BR`, `zh-Hans`), with `_` read as `-`. `None`: not
/// well-formed (RFC 5646 section 2.1; no grandfathered tags).
pub fn tag(text: &str) -> Option<String> {
    let text = text.trim();
    let (primary, rest) = text.split_at(text.find(['-', '_']).unwrap_or(text.len()));
    if !matches!(primary.len(), 2 | 3) || !primary.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let mut tag = primary.to_ascii_lowercase();
    let mut is_private = false;
    for part in rest.split(['-', '_']).skip(1) {
        if !matches!(part.len(), 1..=8) || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        is_private |= part.len() == 1;
        tag.push('-');
        tag.push_str(&subtag(part, is_private));
    }
    Some(tag)
}

/// Whether two tags are equal, or one is narrower: `en` and `en-GB`.
pub fn is_kin(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let folded = |tag: &str| tag.to_ascii_lowercase().replace('_', "-");
    let (one, other) = (folded(one), folded(other));
    let is_within = |narrow: &str, wide: &str| {
        narrow
            .strip_prefix(wide)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    is_within(&one, &other) || is_within(&other, &one)
}

/// The language of the list of all articles, and those that have lists of their own; from the numbers
/// of articles in each. The first is the site's, if it has an article; else that of most articles.
pub fn of_lists<'a>(
    mut counts: BTreeMap<&'a str, usize>,
    site: &'a str,
) -> (&'a str, BTreeSet<&'a str>) {
    let mut own = site;
    if !counts.keys().any(|tag| is_kin(tag, site)) {
        let by_count = |(tag, count): &(&&'a str, &usize)| (**count, Reverse(**tag));
        let most = counts.iter().max_by_key(by_count);
        own = most.map_or(site, |(tag, _)| tag);
    }
    counts.retain(|tag, _| !is_kin(tag, own));
    (own, counts.into_keys().collect())
}

/// A subtag in its canonical case: regions in capitals, scripts with a capital first.
fn subtag(part: &str, is_private: bool) -> String {
    let mut part = part.to_ascii_lowercase();
    if !is_private && part.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        match part.len() {
            2 => part.make_ascii_uppercase(),
            4 => part[..1].make_ascii_uppercase(),
            _ => {}
        }
    }
    part
}

/// Whether a language is written from right to left: by the script in the tag, else by the
/// language's usual script.
pub fn is_rtl(tag: &str) -> bool {
    const LANGUAGES: [&str; 20] = [
        "ar", "arc", "arz", "ckb", "dv", "fa", "he", "iw", "ji", "khw", "ks", "nqo", "pnb", "prs",
        "ps", "sd", "syr", "ug", "ur", "yi",
    ];
    const SCRIPTS: [&str; 8] = [
        "Adlm", "Arab", "Aran", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa",
    ];
    let mut parts = tag.split(['-', '_']);
    let primary = parts.next().unwrap_or_default();
    let is_script = |part: &&str| part.len() == 4 && part.bytes().all(|b| b.is_ascii_alphabetic());
    let (known, own) = match parts.find(is_script) {
        Some(script) => (&SCRIPTS[..], script),
        None => (&LANGUAGES[..], primary),
    };
    known.iter().any(|known| known.eq_ignore_ascii_case(own))
}

/// The language that a folder's name or a suffix may denote: an ISO 639-1 code (or a well-known
/// longer one), optionally with a script or region. The content of the folder has to confirm it.
pub fn in_name(name: &str) -> Option<String> {
    const CODES: &str = " aa ab af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ast ceb ckb fil gsw haw hsb kab nds pap pcm scn tok vec yue ";
    let tag = tag(name)?;
    let mut parts = tag.split('-');
    let primary = parts.next()?;
    let known = CODES.split(' ').any(|code| code == primary);
    let rest_fits = parts.all(|part| {
        matches!(part.len(), 2 | 4)
            || part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    (known && rest_fits && name.len() <= 11).then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrower_tag_is_kin_and_another_is_not() {
        for (one, other, expected) in [
            ("en", "en", true),
            ("en_GB", "en", true),
            ("pt", "pt-BR", true),
            ("EN", "en", true),
            ("zh-CN", "zh-TW", false),
            ("e", "en", false),
        ] {
            assert_eq!(is_kin(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn tags_get_their_usual_form() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(tag(text).as_deref(), expected, "{text}")
        };
        check("en", Some("en"));
        check("pt_br", Some("pt-BR"));
        check("ZH-hans", Some("zh-Hans"));
        check("zh-hant-tw", Some("zh-Hant-TW"));
        check("en-x-us", Some("en-x-us"));
        for text in [
            "",
            "e",
            "x y",
            "en-",
            "-en",
            "123",
            "english-language-of-course",
            "日本",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn direction_follows_the_script() {
        for (tag, rtl) in [
            ("ar", true),
            ("he-IL", true),
            ("fa", true),
            ("en", false),
            ("az-Arab", true),
            ("ur-Latn", false),
            ("ha", false),
            ("sa", false),
            ("yi", true),
            ("AR_eg", true),
            ("az-arab", true),
            ("rhg-Rohg", true),
            ("", false),
        ] {
            assert_eq!(is_rtl(tag), rtl, "{tag}");
        }
    }

    #[test]
    fn only_known_codes_may_be_folders() {
        assert_eq!(in_name("zh-hans").as_deref(), Some("zh-Hans"));
        assert_eq!(in_name("pcm").as_deref(), Some("pcm"));
        for name in ["posts", "img", "v1", "2015", "js", "css"] {
            assert_eq!(in_name(name), None, "{name}");
        }
    }
}
