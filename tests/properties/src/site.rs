//! A whole folder, built into an edition.

use std::sync::Arc;

use diglot_content::Library;
use diglot_edition::{Edition, Theme};
use quick_xml::events::Event;

/// A folder as text: `=== path` begins a file. Every file is accounted for, every XML document is
/// well-formed, every page has one title in each form, and the same folder gives the same bytes.
pub fn site(input: &[u8]) {
    let sources = super::folder(files(input));
    let text = |path: &str| {
        sources
            .files
            .iter()
            .find(|file| &*file.path == path)
            .map(|file| String::from_utf8_lossy(&file.bytes).into_owned())
    };
    let site = Arc::new(super::settings_of(&text("diglot.toml").unwrap_or_default()));
    let library = Library::build(&sources, &site, super::now());
    let report = &library.report;
    let skipped: usize = report.skipped.values().map(Vec::len).sum();
    assert_eq!(
        report.found,
        report.published + report.set_aside.len() + skipped,
        "{report:?}"
    );

    let theme = Theme::new(&[]).expect("the built-in theme");
    let build = || {
        Edition::build(&library, Arc::clone(&site), &theme, super::now())
            .expect("the built-in theme never fails")
    };
    let edition = build();
    assert_eq!(edition.id, build().id, "two builds differ");
    for resource in &edition.resources {
        let bytes = resource.body.to_bytes();
        let media = resource.route.media_type();
        if media.contains("xml")
            && !library
                .files
                .iter()
                .any(|file| *file.path == *resource.path)
        {
            well_formed(&bytes)
                .unwrap_or_else(|error| panic!("{} is not well-formed: {error}", resource.path));
        }
        if resource.route.twin().is_some() && media.starts_with("text/html") {
            let page = String::from_utf8(bytes.to_vec()).expect("pages are UTF-8");
            assert_eq!(page.matches("<h1").count(), 1, "{}", resource.path);
            // The 404 page has no address.
            let addresses = usize::from(&*resource.path != "/404.html");
            assert_eq!(
                page.matches("rel=\"canonical\"").count(),
                addresses,
                "{}",
                resource.path
            );
        }
    }
}

fn files(input: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        if let Some(path) = line.strip_prefix(b"=== ").filter(|_| files.len() < 12) {
            let path = String::from_utf8_lossy(path.trim_ascii()).into_owned();
            let sound = path.split('/').all(|part| !matches!(part, "" | "." | ".."))
                && !path.contains('\0');
            files.extend(sound.then(|| (path, Vec::new())));
        } else if let Some((_, bytes)) = files.last_mut() {
            bytes.extend_from_slice(line);
        }
    }
    files
}

fn well_formed(bytes: &[u8]) -> Result<(), String> {
    let mut reader = quick_xml::Reader::from_reader(bytes);
    reader.config_mut().check_end_names = true;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return Ok(()),
            Ok(Event::Text(text)) => {
                quick_xml::escape::unescape(&text.xml10_content())
                    .map_err(|error| error.to_string())?;
            }
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
}
