//! The parsers of Diglot's own files, which may have been damaged on the disk.

use diglot::dates::{ContentHash, DateSource, Facts};
use diglot::lock::Lock;
use diglot::readers::{Day, sealed};
use diglot::state::Memory;
use jiff::civil::{Date, date};

/// A file of `diglot readers`: what is read is written so that it reads back whole, and is never
/// more than the file contains.
pub fn readers(input: &[u8]) {
    const DATE: Date = date(2026, 11, 21);
    let _ = Day::parse(input, DATE);
    // With the right digest, lines are parsed further.
    let lines = input
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let (count, input) = (
        lines.clone().count(),
        lines
            .flat_map(|line| sealed(line, DATE))
            .collect::<Vec<u8>>(),
    );
    let Ok((mut day, _)) = Day::parse(&input, DATE) else {
        return;
    };
    assert!(
        day.to_bytes(DATE).split(|&byte| byte == b'\n').count() <= count.max(1) + 2,
        "more lines than there were"
    );
    let again = |day: &Day| Day::parse(&day.to_bytes(DATE), DATE);
    assert_eq!(
        again(&day),
        Ok((day.clone(), 0)),
        "what was written is not what is read"
    );
    let whole = day.to_bytes(DATE).len();
    day.condense(input.len() / 2);
    assert!(
        day.to_bytes(DATE).len() <= whole.max(4096),
        "smaller, but for a line of each kind"
    );
    assert_eq!(again(&day), Ok((day, 0)));
}

/// The stored facts about files: in the state folder (the first byte is even), or in `diglot.lock`.
pub fn remembered(input: &[u8]) {
    let Some((which, bytes)) = input.split_first() else {
        return;
    };
    let facts = Facts {
        path: "a.md",
        bytes: b"one",
        hash: ContentHash::hash(b"one"),
        modified: super::now(),
    };
    if which % 2 == 0 {
        let Ok(memory) = Memory::parse(bytes) else {
            return;
        };
        assert_eq!(Memory::parse(&memory.to_bytes()), Ok(memory.clone()));
        let mut recollection = memory.recollect(super::now());
        let dates = recollection.dates(&facts).expect("every file has a date");
        assert!(dates.changed <= super::now(), "a change in the future");
        let next = recollection.finish();
        assert_eq!(Memory::parse(&next.to_bytes()), Ok(next));
    } else {
        let (lock, problems) = Lock::parse(&String::from_utf8_lossy(bytes));
        let lines = bytes.split(|&byte| byte == b'\n').count();
        assert!(lock.len() + problems.len() <= lines);
        let (again, problems) = Lock::parse(&lock.to_string());
        assert!(problems.is_empty(), "{problems:?} in what was written");
        // A path with a line break is not written.
        assert!(
            again == lock || bytes.contains(&b'\r'),
            "{again:?} and {lock:?}"
        );
        lock.source().dates(&facts);
    }
}
