use super::*;

/// A store that was already given more than stays on the heap.
fn full(folder: impl Into<PathBuf>) -> LiveFiles {
    let files = LiveFiles::in_folder(folder);
    files.given.store(SMALL, Ordering::Relaxed);
    files
}

#[cfg(target_os = "linux")]
fn used(files: &LiveFiles) -> u64 {
    files.all().iter().map(|mapped| mapped.used()).sum()
}

fn bytes(seed: u8, length: usize) -> Vec<u8> {
    (0..length)
        .map(|at| seed.wrapping_add((at % 251) as u8))
        .collect()
}

fn keep(files: &LiveFiles, bytes: &[u8]) -> Bytes {
    files.keep(&[bytes])
}

#[test]
fn a_small_edition_makes_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let files = LiveFiles::in_folder(dir.path().join("state"));
    assert_eq!(keep(&files, &bytes(1, 5_000)), bytes(1, 5_000));
    assert!(!dir.path().join("state").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_over_the_limit_goes_to_the_file_also_when_two_threads_keep_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let arrived = std::sync::atomic::AtomicUsize::new(0);
    for round in 1..=2_000 {
        let files = LiveFiles::in_folder(dir.path());
        files.given.store(SMALL - 1, Ordering::Relaxed);
        // A barrier would wake the threads one after the other.
        let keep = || {
            let bytes = bytes(1, SHORT);
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < 2 * round {
                std::hint::spin_loop();
            }
            keep(&files, &bytes)
        };
        let kept = std::thread::scope(|scope| {
            [scope.spawn(keep), scope.spawn(keep)].map(|thread| thread.join().unwrap())
        });
        assert!(
            !files.all().is_empty() && kept == [(); 2].map(|()| bytes(1, SHORT)),
            "round {round}: both are on the heap"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_kept_is_read_as_it_was_and_takes_no_room_once_it_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let files = full(dir.path());
    let lengths = [512, 4_096, 70_000, 1 << 20];
    let mut kept: Vec<Bytes> = (0..40_u8)
        .map(|seed| keep(&files, &bytes(seed, lengths[usize::from(seed) % 4])))
        .collect();
    let all = used(&files);
    assert!(
        all >= 40 * 512 && fs::read_dir(dir.path()).unwrap().count() == 0,
        "a file without a name"
    );
    // Slices keep the whole alive, as clones do.
    let slices: Vec<Bytes> = kept.iter().map(|kept| kept.slice(10..20)).collect();
    files.release_mirrored();
    kept.truncate(1);
    assert_eq!(used(&files), all);
    for (seed, slice) in (0..).zip(&slices) {
        assert_eq!(*slice, bytes(seed, 512)[10..20]);
    }
    drop(slices);
    assert!(used(&files) <= 8_192, "{} of {all}", used(&files));
    assert_eq!(kept[0], bytes(0, 512));
    // A slice larger than a file has its own file, which is removed with it.
    let large = bytes(7, usize::try_from(FILE).unwrap() + 5);
    assert_eq!(keep(&files, &large), large);
    assert_eq!(files.all().len(), 1);
}

#[test]
fn parts_are_kept_as_one_piece_however_many_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let files = full(dir.path());
    for many in [1, 2, 9, 2_000] {
        let parts: Vec<Vec<u8>> = (0..many)
            .map(|seed| bytes(seed as u8, 500 * (seed % 3)))
            .chain([bytes(7, 5_000)])
            .collect();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        assert_eq!(files.keep(&parts), parts.concat(), "{many}");
    }
    let small = LiveFiles::in_folder(dir.path().join("none"));
    assert_eq!(small.keep(&[b"a", b"", b"bc"]), b"abc"[..]);
}

#[test]
#[cfg(target_os = "linux")]
fn where_no_more_files_can_be_made_one_that_is_there_serves() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = full(dir.path().join("state"));
    let first = keep(&files, &bytes(1, 5_000));
    fs::write(dir.path().join("file"), "no folder").unwrap();
    files.folder = dir.path().join("file/state");
    let kept = keep(&files, &bytes(2, 5_000));
    assert!(!files.given_up.load(Ordering::Relaxed) && used(&files) >= 10_000);
    let near = files.keep_near(&[&bytes(3, 5_000)]);
    assert!(!files.given_up.load(Ordering::Relaxed) && files.all().len() == 1);
    assert_eq!(
        [first, kept, near],
        [1, 2, 3].map(|seed| Bytes::from(bytes(seed, 5_000)))
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_read_for_every_edition_is_in_a_file_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let files = full(dir.path());
    let mut kept = Vec::new();
    for seed in 0..4 {
        kept.push(keep(&files, &bytes(seed, 5_000)));
        kept.push(files.keep_near(&[&bytes(seed, 600), &bytes(seed, 600)]));
    }
    let place = |bytes: &Bytes| bytes.as_ptr() as usize / 4_096;
    let places: Vec<usize> = kept.iter().skip(1).step_by(2).map(place).collect();
    let first = places[0];
    assert_eq!(places, [first, first + 1, first + 2, first + 3]);
    assert_eq!(files.all().len(), 2);
    assert_eq!(kept[7], [bytes(3, 600), bytes(3, 600)].concat());
}

#[test]
#[cfg(target_os = "linux")]
fn many_threads_keep_and_drop_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let files = full(dir.path());
    std::thread::scope(|scope| {
        for seed in 0..4_u8 {
            let files = &files;
            scope.spawn(move || {
                let mut held = std::collections::VecDeque::new();
                for round in 0..400_usize {
                    let own = bytes(
                        seed.wrapping_mul(61).wrapping_add(round as u8),
                        600 + round * 7,
                    );
                    held.push_back((keep(files, &own), own));
                    if held.len() > 50 {
                        let (kept, own) = held.pop_front().unwrap();
                        assert_eq!(kept, own);
                    }
                }
                assert!(held.iter().all(|(kept, own)| kept == own));
            });
        }
    });
    assert_eq!(used(&files), 0);
}

#[test]
fn where_no_file_can_be_made_all_stays_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let files = full(file.join("state"));
    assert_eq!(keep(&files, &bytes(3, 5_000)), bytes(3, 5_000));
    assert!(files.given_up.load(Ordering::Relaxed));
}
