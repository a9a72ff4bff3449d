use super::*;
use crate::model::sources::Sources;
use diglot_document::testing::sources;

/// Whether a template hides what it holds: in every call, or in one with these arguments on an
/// English page.
#[track_caller]
fn check(config: &str, template: &str, words: Option<&str>, expected: bool) {
    let front = crate::syntax::front::split(&format!("+++\n{config}\n+++\n"), "a.md").front;
    let arguments = words.map(Arguments::parse);
    let known = Known {
        site: &SiteValues::read(&front),
        arguments: arguments.as_ref(),
        language: words.map(|_| "en"),
    };
    let hides = template.contains(".Inner") && hides_inner(&without_comments(template), known);
    assert_eq!(hides, expected, "{template} {words:?}");
}

#[test]
fn rule_12_shortcodes_that_hide_what_they_hold_are_found_in_their_templates() {
    for hides in [
        "{{ if .Inner }}{{ end }}",
        "{{ $_ := .Inner }}",
        "{{- $_ := .Inner -}}<p>{{ .Get 0 }}</p>",
        "{{/* .Inner */}}",
        "{{- /* .Inner */ -}}",
        "<!-- {{ .Inner }} -->",
        "{{ if hugo.IsServer }}<mark>{{ .Inner | markdownify }}</mark>{{ end }}",
        "{{ if hugo.IsProduction }}{{ else }}{{ .Inner }}{{ end }}",
        "{{ if hugo.IsProduction }}{{ else if .Get 0 }}{{ .Inner }}{{ else }}{{ .Inner }}{{ end }}",
        "{{ if not hugo.IsProduction }}{{ with .Inner }}{{ . }}{{ end }}{{ end }}",
        "{{ if eq hugo.Environment `development` }}{{ .Inner }}{{ end }}",
        "{{ if and .Inner site.IsServer }}{{ .Inner }}{{ end }}",
        "{{ $a := .Inner }}{{ $b := $a | markdownify }}{{ if gt (len $b) 3 }}long{{ end }}",
        "{{ warnf \"%s\" .Inner }}",
        "{{ errorf \"%s %s\" .Inner .Position }}",
        "{{ len .Inner }} {{ .Inner | countwords }} {{ len (.Inner | plainify) }}",
        "{{ $n := countwords .Inner }}{{ $n }}",
    ] {
        check("", hides, None, true);
    }
    for shows in [
        "<p>a</p>",
        "{{ .Inner }}",
        "{{ with .Inner }}{{ . }}{{ end }}",
        "{{ range split .Inner `|` }}{{ . }}{{ end }}",
        "{{ $a := .Inner }}{{ $b := $a | markdownify }}{{ $b }}",
        "{{ $a := `` }}{{ $a = .Inner }}{{ $a }}",
        "{{ if hugo.IsServer }}a{{ else }}{{ .Inner }}{{ end }}",
        "{{ if hugo.IsServer }}a{{ end }}{{ .Inner }}",
        "{{ if .Get 0 }}{{ .Inner }}{{ end }}",
        "{{ if or hugo.IsServer (.Get 0) }}{{ .Inner }}{{ end }}",
        "{{ if .Inner }}{{ partial `box` . }}{{ end }}",
        "{{ $_ := .Inner }}{{ .Scratch.Get `tabs` }}",
        "{{ $out := partial `box` . }}{{ if .Inner }}{{ end }}{{ $out }}",
        "{{ if and (not hugo.IsServer) .Inner }}{{ .Inner }}{{ end }}",
        // By other ways than its name.
        "{{ if .Inner }}{{ end }}{{ jsonify . }}",
        "{{ $all := dict `text` .Inner }}{{ $all.text }}",
        "{{ if $a:=.Inner }}{{ $a }}{{ end }}",
        "{{ $a := `` }}{{ range seq 2 }}{{ $a }}{{ $a = $.Inner }}{{ end }}",
        "{{ $a := `` }}{{ with .Inner }}{{ $a = . }}{{ end }}{{ $a }}",
        "{{ if partial `keep` . }}{{ end }}{{ if .Inner }}{{ end }}",
        "{{ if len .Inner }}{{ .Inner | printf `%d %s` (len .Inner) }}{{ end }}",
        // Not a comment, and not read.
        "{{ .Page.Resources.Match `img/*` }}{{ .Inner }}",
        "{{ if false }}{{ .Inner }}{{ end }}{{ ( }}",
    ] {
        check("", shows, None, false);
    }
}

#[test]
fn rule_12_values_of_the_site_decide_conditions_of_shortcodes() {
    let config = "[params]\noff = false\nno = 0\nempty = ''\nlist = []\nword = 'false'\n\
                  Deep.on = true\n[languages.de.params]\nde = true\n[languages.en]";
    for (condition, expected) in [
        ("if site.Params.none", true),
        ("if .Site.Params.off", true),
        ("if $.Site.Params.OFF", true),
        ("if .Page.Site.Params.none.deep", true),
        ("if site.Params.no", true),
        ("if site.Params.empty", true),
        ("if site.Params.list", true),
        ("if index site.Params `off`", true),
        ("with site.Params.none", true),
        ("if eq site.Params.none ``", true),
        ("if not site.Params.word", true),
        ("if site.Params.deep.on }}a{{ else", true),
        ("if site.Params.off }}a{{ else if .Page.Draft", true),
        ("$on := site.Params.off }}{{ if $on", true),
        ("if and .Inner (or site.Params.off site.BuildDrafts)", true),
        (
            "if ne (getenv `HUGO_ENV`) `production` }}{{ if eq hugo.Environment `staging`",
            true,
        ),
        ("if eq (getenv `HUGO_ENV`) `staging`", true),
        ("if site.Params.word", false),
        ("if site.Params.deep.on", false),
        ("if site.Params.de", false),
        ("if eq site.Params.none nil", false),
        ("if site.Params.off }}a{{ else", false),
        ("if or site.Params.off (.Get 0)", false),
        ("if ne (getenv `HUGO_ENV`) `production`", false),
        ("if site.Params.off | default true", false),
        ("if isset site.Params `off`", false),
        ("with .Parent }}{{ if .Page.Draft", false),
        ("$on := site.Params.off }}{{ $on = true }}{{ if $on", false),
        (
            "$a := true }}{{ range seq 2 }}{{ if $a }}{{ $a = false }}{{ else",
            false,
        ),
        ("range $a := site.Params.deep }}{{ if not $a", false),
    ] {
        let template = format!("{{{{ {condition} }}}}{{{{ $.Inner }}}}{{{{ end }}}}");
        check(config, &template, None, expected);
    }
    let template = "{{ if site.BuildDrafts }}{{ .Inner }}{{ end }}";
    check("buildDrafts = true", template, None, false);
}

#[test]
fn rule_12_arguments_and_the_language_decide_conditions_of_shortcodes() {
    for (condition, words, expected) in [
        ("if eq (.Get 0) `public`", "\"staff\"", true),
        ("if eq (.Get 0) `public`", "staff", true),
        ("if eq (.Get 0) `public`", "", true),
        ("if eq (.Get 0) `public` `all`", "for=\"all\"", true),
        ("if eq `public` (.Get `for`)", "For=\"public\"", true),
        ("if .Params.for", "", true),
        ("if index .Params 0 | eq `public`", "staff", true),
        ("with .Get `for`", "", true),
        (
            "$for := .Get 0 | default `staff` }}{{ if eq $for `public`",
            "",
            true,
        ),
        ("if ne (.Get 0) `staff`", "staff", true),
        ("if eq .Page.Lang `de`", "", true),
        ("if ne site.Language.Lang `en`", "", true),
        ("if eq (.Get 0) `public`", "public", false),
        ("if eq (.Get 0) `public` `all`", "\"all\"", false),
        ("if eq (.Get 0) `true`", "true", false),
        ("if .Get `for`", "for=false", false),
        ("if ne (.Get 0) `staff`", "", false),
        ("if eq (lower (.Get 0)) `public`", "Public", false),
        ("with .Parent }}{{ if eq (.Get 0) `public`", "staff", false),
        ("if eq .Page.Lang `en`", "", false),
    ] {
        let template = format!("{{{{ {condition} }}}}{{{{ $.Inner }}}}{{{{ end }}}}");
        check("", &template, Some(words), expected);
        // Of any call.
        check("", &template, None, false);
    }
}

/// The shortcodes that hide what they hold in every call, of a site with these templates.
fn hidden(templates: &[(&str, &str)]) -> Vec<String> {
    let paths = templates
        .iter()
        .map(|(name, _)| format!("layouts/{name}.html"));
    let paths: Vec<String> = paths.collect();
    let texts = templates.iter().map(|(_, text)| *text);
    let files: Vec<_> = paths.iter().map(String::as_str).zip(texts).collect();
    let Sources { files, .. } = sources(&files);
    let mut hidden = HiddenShortcodes::default();
    hidden.find(&Template::all(files.iter()), files.iter());
    hidden.always.into_iter().collect()
}

#[test]
fn rule_12_what_no_template_reads_again_is_hidden() {
    let set = ("shortcodes/note", "{{ .Page.Store.Set \"notes\" .Inner }}");
    let add = (
        "shortcodes/todo",
        "{{- .Inner | .Page.Scratch.Add `notes` -}}",
    );
    assert_eq!(hidden(&[set, add]), ["note", "todo"]);
    let other = (
        "single",
        "{{ .Store.Get \"other\" }}{{ .Scratch.Set \"notes\" 1 }}",
    );
    assert_eq!(hidden(&[set, add, other]), ["note", "todo"]);
    for reads in [
        "{{ .Store.Get \"notes\" }}",
        "{{ range .Page.Scratch.GetSortedMapValues `notes` }}{{ . }}{{ end }}",
        "{{ .Store.Get $key }}",
        "{{ .Scratch.Values }}",
        "{{ with .Page.Store }}{{ .Get \"notes\" }}{{ end }}",
    ] {
        assert!(hidden(&[set, add, ("single", reads)]).is_empty(), "{reads}");
    }
    let any = ("shortcodes/note", "{{ .Page.Store.Set (.Get 0) .Inner }}");
    assert!(hidden(&[any]).is_empty());
}

#[test]
fn a_hostile_template_is_read_in_linear_time() {
    for part in ["$", "$a,", "$a, ", "{{ if .Inner }}", "{{ $a := .Inner }}"] {
        let template = part.repeat(100_000 / part.len());
        for end in ["", " := .Inner }}{{ $a }}"] {
            let template = format!("{{{{ {template}{end}");
            let known = Known {
                site: &SiteValues::default(),
                arguments: None,
                language: None,
            };
            hides_inner(&without_comments(&template), known);
        }
    }
}
