//! The codings of a kept edition, given to another one.

use super::*;

fn recall(dir: &Path, key: &str, edition: &Edition) -> Result<(), String> {
    recall_codings(dir, key, edition, &byte_store::heap())
}

#[test]
#[cfg(target_os = "linux")]
fn an_edition_takes_the_codings_of_resources_that_are_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let (kept, _) = keep(dir.path());
    let (next, _) = built("Changed words.");
    recall(dir.path(), KEY, &next).unwrap();
    let codings = |resource: &diglot_edition::Resource| {
        Coding::ALL.map(|coding| resource.coded(coding).cloned())
    };
    let (mut same, mut changed) = (0, 0);
    for resource in &next.resources {
        let Some(before) = kept.get(&resource.path) else {
            continue;
        };
        if before.digest == resource.digest {
            assert_eq!(codings(resource), codings(before), "{}", resource.path);
            same += usize::from(before.coded(Coding::Br).is_some());
        } else {
            assert_eq!(codings(resource), [None, None, None], "{}", resource.path);
            changed += usize::from(before.coded(Coding::Br).is_some());
        }
    }
    assert!(same > 0 && changed > 0, "{same} and {changed}");
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_is_taken_of_another_program_or_of_damaged_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let (next, _) = built("Changed words.");
    recall(dir.path(), KEY, &next).unwrap();
    keep(dir.path());
    recall(dir.path(), "another program", &next).unwrap();
    assert_eq!(coded(&next), 0);
    let [segment] = &segments(dir.path())[..] else {
        panic!("one segment")
    };
    let mut bytes = fs::read(segment).unwrap();
    bytes[100] ^= 1;
    put(segment, &bytes);
    assert!(recall(dir.path(), KEY, &next).is_err());
    assert_eq!(coded(&next), 0);
    // The next one to be kept is whole again.
    keep(dir.path());
    recall(dir.path(), KEY, &next).unwrap();
    assert!(coded(&next) > 0);
}
