use super::*;

/// A store that was given more than fits on the heap.
fn full(dir: impl Into<PathBuf>) -> Pack {
    let pack = Pack::in_folder(dir);
    pack.state.given.store(SMALL, Ordering::Relaxed);
    pack
}

fn bytes(seed: u8, length: usize) -> Vec<u8> {
    (0..length).map(|at| seed.wrapping_add((at % 251) as u8)).collect()
}

#[test]
fn a_small_edition_makes_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let pack = Pack::in_folder(dir.path().join("state"));
    assert_eq!(pack.keep(bytes(1, 5_000)), bytes(1, 5_000));
    assert!(!dir.path().join("state").exists());
}

#[test]
#[cfg(unix)]
fn what_is_over_the_limit_goes_to_the_file_also_when_two_threads_keep_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let arrived = std::sync::atomic::AtomicUsize::new(0);
    for round in 1..=2_000 {
        let pack = Pack::in_folder(dir.path());
        pack.state.given.store(SMALL - 1, Ordering::Relaxed);
        // A barrier would wake one after the other.
        let keep = || {
            let bytes = bytes(1, SHORT);
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < 2 * round {
                std::hint::spin_loop();
            }
            pack.keep(bytes)
        };
        let kept = std::thread::scope(|scope| [scope.spawn(keep), scope.spawn(keep)].map(|thread| thread.join().unwrap()));
        assert!(pack.used() > 0 && kept == [(); 2].map(|()| bytes(1, SHORT)), "round {round}: both are on the heap");
    }
}

#[test]
#[cfg(unix)]
fn what_is_kept_is_read_as_it_was_and_its_place_is_used_again() {
    let dir = tempfile::tempdir().unwrap();
    let pack = full(dir.path());
    let lengths = [256, 4_096, 70_000, 1 << 20];
    let kept: Vec<Bytes> = (0..40_u8).map(|seed| pack.keep(bytes(seed, lengths[usize::from(seed) % 4]))).collect();
    let used = pack.used();
    assert!(used >= 40 * 256 && fs::read_dir(dir.path()).unwrap().count() == 0, "a file without a name");
    // Slices hold the whole, as clones do.
    let slices: Vec<Bytes> = kept.iter().map(|kept| kept.slice(10..20)).collect();
    drop(kept);
    assert_eq!(pack.used(), used);
    for (seed, slice) in (0..).zip(&slices) {
        assert_eq!(*slice, bytes(seed, 256)[10..20]);
    }
    drop(slices);
    assert_eq!(pack.used(), 0);
    // What is larger than a segment has one of its own.
    let large = bytes(7, usize::try_from(SEGMENT).unwrap() + 5);
    assert_eq!(pack.keep(large.clone()), large);
}

#[test]
#[cfg(unix)]
fn parts_are_kept_as_one_piece_however_many_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let pack = full(dir.path());
    // More than the system takes in one call, too.
    for many in [1, 2, 9, 2_000] {
        let parts: Vec<Vec<u8>> = (0..many).map(|seed| bytes(seed as u8, 500 * (seed % 3))).chain([bytes(7, 5_000)]).collect();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let kept = pack.keep_parts(&parts);
        assert_eq!(kept, parts.concat(), "{many}");
        assert!(pack.used() > 0);
    }
    assert_eq!(pack.used(), 0);
    let small = Pack::in_folder(dir.path().join("none"));
    assert_eq!(small.keep_parts(&[b"a", b"", b"bc"]), b"abc"[..]);
}

#[test]
#[cfg(unix)]
fn where_no_more_files_can_be_made_one_that_is_there_serves() {
    let dir = tempfile::tempdir().unwrap();
    let pack = full(dir.path().join("state"));
    let first = pack.keep(bytes(1, 5_000));
    let own = pack.state.inner().take().unwrap();
    let other = pack.state.files.iter().find(|file| State::lock(file).is_none()).unwrap();
    *State::lock(other) = Some(own);
    // The next thread's has no folder to be in.
    let pack = Pack { dir: dir.path().join("file/state"), state: Arc::clone(&pack.state) };
    fs::write(dir.path().join("file"), "no folder").unwrap();
    let kept = pack.keep(bytes(2, 5_000));
    assert!(!pack.state.given_up.load(Ordering::Relaxed) && pack.used() >= 10_000);
    assert_eq!((first, kept), (bytes(1, 5_000).into(), bytes(2, 5_000).into()));
}

#[test]
#[cfg(unix)]
fn many_threads_keep_and_drop_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let pack = full(dir.path());
    std::thread::scope(|scope| {
        for seed in 0..4_u8 {
            let pack = &pack;
            scope.spawn(move || {
                let mut held = std::collections::VecDeque::new();
                for round in 0..400_usize {
                    let own = bytes(seed.wrapping_mul(61).wrapping_add(round as u8), 300 + round * 7);
                    held.push_back((pack.keep(own.clone()), own));
                    if held.len() > 50 {
                        let (kept, own) = held.pop_front().unwrap();
                        assert_eq!(kept, own);
                    }
                }
                assert!(held.iter().all(|(kept, own)| kept == own));
            });
        }
    });
    assert_eq!(pack.used(), 0);
}

#[test]
fn where_no_file_can_be_made_all_stays_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let pack = full(file.join("state"));
    assert_eq!(pack.keep(bytes(3, 5_000)), bytes(3, 5_000));
    assert!(pack.state.given_up.load(Ordering::Relaxed));
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_full_leaves_what_was_kept_and_the_rest_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let pack = full(dir.path());
    let first = pack.keep(bytes(1, 5_000));
    // `/dev/full` answers every write as a full disk does, and cannot be mapped: the segment is there already.
    let inner = pack.inner().unwrap();
    let full = Arc::new(Inner { file: File::options().write(true).open("/dev/full").unwrap(), room: Mutex::default() });
    let segment = inner.room().take(1, SEGMENT, |_, _| unreachable!()).unwrap().segment;
    full.room().take(64, SEGMENT, |_, _| Ok(segment)).unwrap();
    let used = full.room().used();
    *pack.state.inner() = Some(Arc::clone(&full));
    assert_eq!(pack.keep(bytes(2, 5_000)), bytes(2, 5_000));
    assert!(pack.state.given_up.load(Ordering::Relaxed));
    assert_eq!(full.room().used(), used, "the place is given back");
    assert_eq!(first, bytes(1, 5_000));
}
