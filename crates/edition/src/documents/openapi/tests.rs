use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::testing::{World, article, text};

fn document() -> Value {
    let world = World::new(vec![article("größe", Some("2024-01-01"), "")]);
    serde_json::from_str(&text(&resource(&world.material(), &Memo::default()).body)).unwrap()
}

#[test]
fn contract_4_it_describes_every_kind_of_route() {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<&'static str> = kinds().iter().map(Route::kind_name).collect();
    assert_eq!(
        described.len(),
        35,
        "a new kind of route goes into `kinds`: {described:?}"
    );
    for route in kinds() {
        assert!(paths.contains_key(&template(&route)), "{route:?}");
    }
    assert_eq!(
        paths.len(),
        kinds().len() + 1,
        "and `/` beside `/index.html`"
    );
    for path in [
        "/articles/{slug}.html",
        "/articles/{slug}.md",
        "/{page}.html",
        "/years/{year}.md",
        "/sections/{contents}.html",
        "/sitemap-{number}.xml",
        "/llms/{section}.txt",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
}

#[test]
fn contract_4_both_forms_stand_under_one_200() {
    let document = document();
    for (path, item) in document["paths"].as_object().unwrap() {
        let responses = item["get"]["responses"].as_object().unwrap();
        let whole = document
            .pointer(&responses["200"]["$ref"].as_str().unwrap()[1..])
            .unwrap();
        let wanted = ["200", "304", "405"]
            .into_iter()
            .chain(path.contains('{').then_some("404"));
        wanted.for_each(|status| assert!(responses.contains_key(status), "{path} {status}"));
        let types: Vec<&String> = whole["content"].as_object().unwrap().keys().collect();
        if path == "/" || path.ends_with(".html") {
            assert_eq!(types, ["text/html", "text/markdown"], "{path}");
        }
        assert!(
            whole["headers"]
                .as_object()
                .unwrap()
                .contains_key("Cache-Control")
        );
        assert!(whole["headers"].as_object().unwrap().contains_key("ETag"));
    }
}

#[test]
fn contract_4_servers_is_the_base_and_the_version_stands() {
    let document = document();
    assert_eq!(document["servers"][0]["url"], "https://example.org");
    assert_eq!(
        (&document["info"]["version"], &document["openapi"]),
        (&Value::from("1.0.0"), &Value::from("3.1.0"))
    );
    let slug = &document["components"]["parameters"]["Slug"];
    assert_eq!(slug["example"], "größe");
    assert!(slug["description"].as_str().unwrap().contains("`%2F`"));
}

#[test]
fn every_operation_has_its_own_id_and_every_reference_leads_somewhere() {
    let document = document();
    let mut ids = BTreeSet::new();
    let mut referred = BTreeSet::new();
    walk(&document, &mut |key, value| match (key, value.as_str()) {
        ("operationId", Some(id)) => assert!(ids.insert(id.to_owned()), "{id} twice"),
        ("$ref", Some(target)) => {
            assert!(document.pointer(&target[1..]).is_some(), "{target}");
            referred.insert(target.to_owned());
        }
        _ => {}
    });
    assert_eq!(ids.len(), kinds().len() + 1);
    for (kind, components) in document["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            assert!(
                referred.contains(&format!("#/components/{kind}/{name}")),
                "{kind}/{name} is never used"
            );
        }
    }
}

fn walk(value: &Value, visit: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            visit(key, value);
            walk(value, visit);
        }),
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}

#[test]
fn the_template_leaves_open_exactly_what_depends_on_the_site() {
    let world = World::new(vec![]);
    let mut template: Value = serde_json::from_str(TEMPLATE).unwrap();
    for (pointer, value) in of_site(&world.material()) {
        let place = template
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("{pointer}"));
        assert_eq!(std::mem::replace(place, value), Value::Null, "{pointer}");
    }
    walk(&template, &mut |key, value| {
        assert!(!value.is_null(), "{key}")
    });
}
