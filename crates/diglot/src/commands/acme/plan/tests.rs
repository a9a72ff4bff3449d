use proptest::prelude::*;

use super::*;

const NOW: i64 = 1_800_000_000;
const MINUTE: i64 = 60;
const HOURS: i64 = 3_600;
const DAYS: i64 = 86_400;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn held(from: i64, until: i64) -> Held {
    Held {
        from: at(from),
        until: at(until),
        id: Some("a.1".to_owned()),
    }
}

/// A certificate without an identifier, for which no window can be asked.
fn plain(from: i64, until: i64) -> Held {
    Held {
        id: None,
        ..held(from, until)
    }
}

/// The moments of the tries that follow, if each of them fails.
fn failing(memory: &mut Memory, held: Option<&Held>, mut now: i64, count: usize) -> Vec<i64> {
    let mut moments = Vec::new();
    for _ in 0..count {
        memory.settle(at(now));
        let next = memory.next(held, at(now));
        assert_eq!(next.step, Step::Order);
        now = next.at.as_second();
        memory.begin(at(now));
        moments.push(now);
    }
    moments
}

#[test]
fn without_a_certificate_one_is_ordered_at_once_and_then_ever_later() {
    let mut memory = Memory::default();
    let moments = failing(&mut memory, None, NOW, 11);
    let waits: Vec<i64> = moments
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) / MINUTE)
        .collect();
    assert_eq!(moments[0], NOW);
    assert_eq!(waits, [1, 5, 15, 30, 60, 120, 240, 360, 360, 360]);
}

#[test]
fn a_certificate_is_renewed_after_two_thirds_and_a_short_one_after_half() {
    let next = |held: &Held| Memory::default().next(Some(held), at(NOW)).at.as_second();
    assert_eq!(next(&plain(NOW, NOW + 90 * DAYS)), NOW + 60 * DAYS);
    assert_eq!(next(&plain(NOW, NOW + 6 * DAYS)), NOW + 3 * DAYS);
    assert_eq!(next(&plain(NOW - 90 * DAYS, NOW)), NOW, "it is late");
}

#[test]
fn the_window_is_asked_for_and_a_moment_in_it_is_kept() {
    let mut memory = Memory::default();
    let held = held(NOW, NOW + 90 * DAYS);
    let first = memory.next(Some(&held), at(NOW));
    assert_eq!((first.step, first.at), (Step::AskWindow, at(NOW)));
    let window = (at(NOW + 10 * DAYS), at(NOW + 20 * DAYS));
    let again = SignedDuration::from_hours(6);
    memory.suggested("a.1", window, (at(NOW), again), 0.5);
    let next = memory.next(Some(&held), at(NOW));
    assert_eq!((next.step, next.at), (Step::AskWindow, at(NOW + 6 * HOURS)));
    memory.suggested("a.1", window, (at(NOW + 15 * DAYS), again), 0.9);
    let next = memory.next(Some(&held), at(NOW + 15 * DAYS));
    assert_eq!((next.step, next.at), (Step::Order, at(NOW + 15 * DAYS)));
}

#[test]
fn a_window_in_the_past_is_now_and_a_wrong_one_is_none() {
    let held = held(NOW - DAYS, NOW + 89 * DAYS);
    let order = |window, dice| {
        let mut memory = Memory::default();
        memory.suggested("a.1", window, (at(NOW), DAY), dice);
        memory
            .due(&held, held.until.duration_since(held.from))
            .as_second()
    };
    let past = (at(NOW - 3 * DAYS), at(NOW - 2 * DAYS));
    assert!(order(past, 0.3) < NOW);
    let wrong = (at(NOW + 2 * DAYS), at(NOW + DAYS));
    assert_eq!(order(wrong, 0.3), NOW + 59 * DAYS);
    let late = (at(NOW + 200 * DAYS), at(NOW + 300 * DAYS));
    assert_eq!(order(late, 0.3), NOW + 80 * DAYS, "never in the last tenth");
}

#[test]
fn the_window_of_another_certificate_means_nothing() {
    let mut memory = Memory::default();
    let window = (at(NOW), at(NOW + 1));
    memory.suggested("b.2", window, (at(NOW), DAY), 0.0);
    let held = held(NOW, NOW + 90 * DAYS);
    let next = memory.next(Some(&held), at(NOW));
    assert_eq!((next.step, next.at), (Step::AskWindow, at(NOW)));
    memory.no_suggestion("a.1", at(NOW));
    let next = memory.next(Some(&held), at(NOW));
    assert_eq!((next.step, next.at), (Step::AskWindow, at(NOW + 6 * HOURS)));
}

#[test]
fn an_authority_that_wants_to_be_left_alone_is() {
    let mut memory = Memory::default();
    memory.begin(at(NOW));
    memory.close(at(NOW), SignedDuration::from_hours(30));
    assert_eq!(memory.next(None, at(NOW + 1)).at, at(NOW + 30 * HOURS));
    memory.close(at(NOW), SignedDuration::MAX);
    assert_eq!(memory.next(None, at(NOW + 1)).at, at(NOW + 7 * DAYS));
    memory.issued();
    assert_eq!(memory.next(None, at(NOW + 1)).at, at(NOW + MINUTE));
}

#[test]
fn certificates_that_are_lost_are_not_ordered_for_ever() {
    let mut memory = Memory::default();
    let mut now = NOW;
    for _ in 0..5 {
        now = memory.next(None, at(now + 1)).at.as_second();
        memory.begin(at(now));
        memory.issued();
    }
    assert_eq!(now, NOW + 1 + 4 * MINUTE, "never one right after the other");
    assert_eq!(memory.next(None, at(now)).at, at(NOW + 1 + 7 * DAYS));
    let short = plain(now - 2 * HOURS, now + HOURS);
    let next = memory.next(Some(&short), at(now)).at;
    assert_eq!(next, at(now + 18 * MINUTE), "it must be renewed often");
}

#[test]
fn a_window_that_is_always_in_the_past_does_not_order_at_once_again() {
    let mut memory = Memory::default();
    memory.begin(at(NOW));
    memory.issued();
    memory.suggested("a.1", (at(0), at(1)), (at(NOW), DAY), 0.0);
    let next = memory.next(Some(&held(NOW, NOW + 90 * DAYS)), at(NOW));
    assert_eq!((next.step, next.at), (Step::Order, at(NOW + HOURS)));
}

#[test]
fn a_clock_that_was_set_back_stops_nothing() {
    let mut memory = Memory::default();
    memory.begin(at(NOW + 3_000 * DAYS));
    memory.close(at(NOW + 3_000 * DAYS), DAY);
    memory.suggested(
        "a.1",
        (at(NOW), at(NOW + 1)),
        (at(NOW + 3_000 * DAYS), DAY),
        0.0,
    );
    memory.settle(at(NOW));
    assert_eq!(memory.next(None, at(NOW)).at, at(NOW + 7 * DAYS));
    memory.closed_until = None;
    assert_eq!(memory.next(None, at(NOW)).at, at(NOW + MINUTE));
    assert_eq!(memory.ask_at("a.1"), at(NOW + DAYS));
}

#[test]
fn a_clock_that_was_set_forward_renews() {
    let held = plain(NOW, NOW + 90 * DAYS);
    let later = NOW + 1_000 * DAYS;
    assert_eq!(Memory::default().next(Some(&held), at(later)).at, at(later));
}

#[test]
fn a_damaged_memory_is_a_try_that_has_just_failed() {
    let memory = Memory::unknown(at(NOW));
    assert_eq!(memory.next(None, at(NOW)).at, at(NOW + MINUTE));
}

/// What happens to a certificate, and to the process.
#[derive(Clone, Debug)]
enum Event {
    Failed,
    Issued(i64),
    Lost,
    Busy(i64),
    Restarted,
    Window(i64, i64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => Just(Event::Failed),
        2 => (HOURS..100 * DAYS).prop_map(Event::Issued),
        1 => Just(Event::Lost),
        1 => (0..30 * DAYS).prop_map(Event::Busy),
        1 => Just(Event::Restarted),
        1 => (-DAYS..100 * DAYS, -DAYS..10 * DAYS).prop_map(|(start, length)| Event::Window(start, length)),
    ]
}

/// At most `most` of the moments are within any `time` seconds.
fn is_within(moments: &[i64], most: usize, time: i64) -> bool {
    moments
        .windows(most + 1)
        .all(|run| run[most] - run[0] >= time)
}

proptest! {
    #[test]
    fn no_limit_is_ever_exceeded(events in prop::collection::vec(event(), 1..150)) {
        let (mut memory, mut now, mut certificate) = (Memory::default(), NOW, None);
        let (mut failed, mut tries) = (Vec::new(), Vec::new());
        for event in events {
            match event {
                Event::Lost => certificate = None,
                Event::Restarted => {
                    let written = serde_json::to_vec(&memory).unwrap();
                    memory = serde_json::from_slice(&written).unwrap();
                    continue;
                }
                Event::Busy(time) => memory.close(at(now), SignedDuration::from_secs(time)),
                Event::Window(start, length) => {
                    let window = (at(now + start), at(now + start + length));
                    memory.suggested("a.1", window, (at(now), DAY), 0.5);
                }
                _ => {}
            }
            memory.settle(at(now));
            let mut next = memory.next(certificate.as_ref(), at(now));
            while next.step == Step::AskWindow {
                prop_assert!(next.at >= at(now));
                now = next.at.as_second();
                memory.no_suggestion("a.1", at(now));
                next = memory.next(certificate.as_ref(), at(now));
            }
            prop_assert!(next.at >= at(now));
            if let Some(until) = memory.closed_until {
                prop_assert!(next.at >= until);
            }
            now = next.at.as_second();
            memory.begin(at(now));
            tries.push(now);
            match event {
                Event::Issued(life) => {
                    memory.issued();
                    certificate = Some(held(now, now + life));
                }
                _ => failed.push(now),
            }
        }
        prop_assert!(is_within(&failed, MOST_FAILED, HOURS), "{failed:?}");
        prop_assert!(is_within(&tries, 300, 3 * HOURS), "{tries:?}");
    }

    #[test]
    fn any_memory_at_any_time_gives_a_moment(
        seconds in prop::collection::vec(-10_000_000_000_i64..200_000_000_000, 8),
        issued in any::<bool>(),
    ) {
        let mut memory = Memory::default();
        memory.begin(at(seconds[0]));
        if issued {
            memory.issued();
        }
        memory.close(at(seconds[1]), SignedDuration::from_secs(seconds[2]));
        memory.suggested("a.1", (at(seconds[3]), at(seconds[4])), (at(seconds[5]), DAY), 0.7);
        let now = at(seconds[6]);
        memory.settle(now);
        let certificate = held(seconds[7], seconds[0]);
        let next = memory.next(Some(&certificate), now);
        prop_assert!(next.at >= now);
        let next = memory.next(None, now);
        prop_assert!(next.at >= now && next.at.duration_since(now) <= WEEK);
    }
}
