use super::*;
use crate::Coding;
use crate::route::Form;
use crate::testing::{PlainErrors, site};

fn edition(bodies: &[(&str, &str)]) -> Edition {
    let pages = bodies.iter().flat_map(|(stem, body)| {
        [Form::Html, Form::Markdown].map(|form| {
            Resource::new(
                Route::of_stem(stem, form),
                format!("{body} {form:?}").repeat(50),
                Timestamp::UNIX_EPOCH,
            )
        })
    });
    let image = Resource::new(
        Route::File("a.png".into()),
        "x".repeat(500),
        Timestamp::UNIX_EPOCH,
    );
    let listed: Vec<_> = bodies
        .iter()
        .map(|(stem, _)| SuggestedPage {
            title: (*stem).into(),
            stem: (*stem).into(),
        })
        .collect();
    Edition::assemble(Parts {
        resources: pages.chain([image]).map(Arc::new).collect(),
        listed: Arc::new(listed.into()),
        ..Parts::new(Arc::new(site()), Arc::new(PlainErrors))
    })
}

#[test]
fn resources_are_ordered_and_twins_know_each_other() {
    let edition = edition(&[
        ("/index", "home"),
        ("/articles/b", "b"),
        ("/articles/a", "a"),
    ]);
    assert!(
        edition
            .resources
            .windows(2)
            .all(|pair| pair[0].path < pair[1].path)
    );
    for (id, resource) in (0..).zip(&edition.resources) {
        match edition.twin(id) {
            Some(twin) => assert_eq!(edition.twin(twin), Some(id)),
            None => assert_eq!(&*resource.path, "/a.png"),
        }
    }
    assert_eq!(
        edition.get("/").unwrap().path,
        edition.get("/index.html").unwrap().path
    );
}

#[test]
fn contract_4_the_id_is_the_content() {
    let one = edition(&[("/index", "home"), ("/a", "a")]);
    assert_eq!(
        one.id,
        edition(&[("/a", "a"), ("/index", "home")]).id,
        "whatever the order"
    );
    assert_ne!(one.id, edition(&[("/index", "home"), ("/a", "b")]).id);
    assert_ne!(one.id, edition(&[("/index", "home"), ("/b", "a")]).id);
}

#[test]
fn design_4_codings_are_carried_over_by_digest() {
    let old = edition(&[("/index", "home"), ("/a", "a")]);
    old.resources
        .iter()
        .for_each(|resource| resource.fill(Coding::Br));
    assert!(
        old.get("/a.png").unwrap().coded(Coding::Br).is_none(),
        "pictures are compressed already"
    );
    let new = edition(&[("/index", "home"), ("/moved", "a"), ("/a", "changed")]);
    new.adopt(&old);
    assert_eq!(
        new.get("/moved.md").unwrap().coded(Coding::Br),
        old.get("/a.md").unwrap().coded(Coding::Br)
    );
    assert!(new.get("/index.html").unwrap().coded(Coding::Br).is_some());
    assert!(new.get("/a.md").unwrap().coded(Coding::Br).is_none());
    assert!(
        new.get("/index.html")
            .unwrap()
            .coded(Coding::Gzip)
            .is_none()
    );
}

#[test]
fn contract_3_each_coding_has_an_entity_tag_of_its_own() {
    let edition = edition(&[("/index", "home")]);
    let resource = edition.get("/").unwrap();
    let tags: std::collections::BTreeSet<String> = [
        None,
        Some(Coding::Br),
        Some(Coding::Zstd),
        Some(Coding::Gzip),
    ]
    .map(|coding| resource.etag(coding))
    .into();
    assert_eq!(tags.len(), 4);
    assert!(tags.iter().all(|tag| tag.starts_with('"')
        && tag.ends_with('"')
        && tag.contains(&resource.digest.to_string())));
}

#[test]
fn contract_3_a_404_names_the_nearest_pages() {
    let edition = edition(&[
        ("/index", "home"),
        ("/articles/cache-safety", "c"),
        ("/about", "a"),
    ]);
    let near = edition.nearest("/articles/cache-safetx.html");
    assert_eq!(
        near.iter().map(|page| &*page.stem).collect::<Vec<_>>(),
        ["/articles/cache-safety"]
    );
}
