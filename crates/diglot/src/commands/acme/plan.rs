//! When to ask an authority for a certificate, and for the window in which it should be renewed
//! (RFC 9773): decided from what is known, at a time that the caller gives.
//!
//! The limits are those of Let's Encrypt (<https://letsencrypt.org/docs/rate-limits/>), which are
//! the narrowest of the authorities that many use. They are 5 failed validations of a name in an
//! hour, 5 certificates for the same names in 7 days, 300 orders in 3 hours, 10 new accounts in 3
//! hours. All tries are counted together, whatever ended them, across restarts.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// How long to wait after the first failed try, the second, and so on.
const WAITS: [SignedDuration; 8] = [
    SignedDuration::from_mins(1),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(15),
    SignedDuration::from_mins(30),
    SignedDuration::from_hours(1),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(4),
    SignedDuration::from_hours(6),
];
const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The most failed tries in an hour.
const MOST_FAILED: usize = 5;
/// The most certificates in a week, unless they live so briefly that more are needed.
const MOST_ISSUED: usize = 5;
/// The most tries that are remembered: more than all limits together let happen in a week.
const MOST_TRIES: usize = 2_000;
/// A certificate that lives for less time is renewed in the middle of it (as Let's Encrypt asks).
const SHORT: SignedDuration = SignedDuration::from_hours(10 * 24);
/// How soon the window may be asked for again, and how late (RFC 9773 section 4.3.2).
const SOONEST: SignedDuration = SignedDuration::from_mins(1);
/// When the window is asked for again after a failure (RFC 9773 section 4.3.3).
const AFTER_FAILURE: SignedDuration = SignedDuration::from_hours(6);

/// What is remembered between runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Memory {
    /// The tries of the last week, the oldest first.
    tries: Vec<Try>,
    /// Until then the authority wants to be left alone (`Retry-After`).
    closed_until: Option<Timestamp>,
    window: Option<Window>,
}

/// One try to get a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Try {
    at: Timestamp,
    /// Until it is known, a try counts as failed: the process may have ended in its middle.
    issued: bool,
}

/// What the authority suggested for one certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Window {
    /// The certificate's identifier (RFC 9773 section 4.1).
    certificate: String,
    /// The moment that was chosen in the window; `None`: nothing was suggested.
    at: Option<Timestamp>,
    ask_again: Timestamp,
}

/// The certificate in use.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Held {
    pub from: Timestamp,
    pub until: Timestamp,
    /// Its identifier (RFC 9773 section 4.1), if it has one.
    pub id: Option<String>,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Order,
    AskWindow,
}

/// What to do next, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub at: Timestamp,
    pub step: Step,
}

impl Memory {
    /// What is assumed where the memory was damaged: that a try has just failed.
    pub(super) fn unknown(now: Timestamp) -> Self {
        let mut memory = Self::default();
        memory.begin(now);
        memory
    }

    /// Makes the memory plausible at this time: the clock may have been set back, and what was
    /// written down ahead of it must not stop all tries until then.
    pub(super) fn settle(&mut self, now: Timestamp) {
        for attempt in &mut self.tries {
            attempt.at = attempt.at.min(now);
        }
        self.tries
            .retain(|attempt| now.duration_since(attempt.at) <= WEEK);
        let surplus = self.tries.len().saturating_sub(MOST_TRIES);
        self.tries.drain(..surplus);
        if let Some(until) = &mut self.closed_until {
            *until = (*until).min(later(now, WEEK));
        }
        if let Some(window) = &mut self.window {
            window.ask_again = window.ask_again.min(later(now, DAY));
        }
    }

    /// A try begins.
    pub(super) fn begin(&mut self, now: Timestamp) {
        self.tries.push(Try {
            at: now,
            issued: false,
        });
    }

    /// The last try brought a certificate.
    pub(super) fn issued(&mut self) {
        if let Some(last) = self.tries.last_mut() {
            last.issued = true;
        }
        self.closed_until = None;
    }

    /// The authority wants to be left alone for this long.
    pub(super) fn close(&mut self, now: Timestamp, time: SignedDuration) {
        self.closed_until = Some(later(now, time.clamp(SignedDuration::ZERO, WEEK)));
    }

    /// The authority suggested to renew between two moments, and to be asked again after `again`.
    /// `dice`, from 0 to 1, chooses in between.
    pub(super) fn suggested(
        &mut self,
        certificate: &str,
        (start, end): (Timestamp, Timestamp),
        (now, again): (Timestamp, SignedDuration),
        dice: f64,
    ) {
        let length = end.duration_since(start);
        // RFC 9773 section 4.2: a window that ends before it starts is ignored.
        let at = (length > SignedDuration::ZERO)
            .then(|| later(start, length.mul_f64(dice.clamp(0.0, 1.0))));
        // A window that stays the same keeps its moment: otherwise every look would choose another.
        let before = self
            .window
            .take()
            .filter(|it| it.certificate == certificate);
        let kept = before
            .and_then(|window| window.at)
            .filter(|at| *at >= start && *at <= end);
        self.window = Some(Window {
            certificate: certificate.to_owned(),
            at: kept.or(at),
            ask_again: later(now, again.clamp(SOONEST, DAY)),
        });
    }

    /// The authority suggested nothing: it cannot, or it did not answer.
    pub(super) fn no_suggestion(&mut self, certificate: &str, now: Timestamp) {
        let before = self
            .window
            .take()
            .filter(|it| it.certificate == certificate);
        self.window = Some(Window {
            certificate: certificate.to_owned(),
            at: before.and_then(|window| window.at),
            ask_again: later(now, AFTER_FAILURE),
        });
    }

    /// What to do next with this certificate; without one, or with one for other names, one is
    /// ordered as soon as the limits allow.
    pub(super) fn next(&self, held: Option<&Held>, now: Timestamp) -> Next {
        let Some(held) = held else {
            let at = self.earliest(None).max(self.lost()).max(now);
            return Next {
                at,
                step: Step::Order,
            };
        };
        let life = held.until.duration_since(held.from);
        let order = self.due(held, life).max(self.earliest(Some(life)));
        let order = order.max(self.rested(life)).max(now);
        let ask = held.id.as_ref().map(|id| self.ask_at(id).max(now));
        match ask {
            Some(at) if at < order => Next {
                at,
                step: Step::AskWindow,
            },
            _ => Next {
                at: order,
                step: Step::Order,
            },
        }
    }

    fn ask_at(&self, id: &str) -> Timestamp {
        let window = self.window.as_ref().filter(|it| it.certificate == id);
        window.map_or(Timestamp::MIN, |window| window.ask_again)
    }

    /// When a certificate should be renewed.
    fn due(&self, held: &Held, life: SignedDuration) -> Timestamp {
        let window = self.window.as_ref();
        let window = window.filter(|it| Some(&it.certificate) == held.id.as_ref());
        // The last tenth is kept for tries that fail, whatever was suggested.
        let latest = later(held.until, -(life / 10));
        match window.and_then(|window| window.at) {
            Some(at) => at.min(latest),
            None if life < SHORT => later(held.from, life / 2),
            None => later(held.from, life * 2 / 3),
        }
    }

    /// The first moment at which the limits allow a try.
    fn earliest(&self, life: Option<SignedDuration>) -> Timestamp {
        let failed = self.tries.iter().filter(|attempt| !attempt.issued);
        let failed: Vec<Timestamp> = failed.map(|attempt| attempt.at).collect();
        let issued = self.tries.iter().filter(|attempt| attempt.issued);
        let issued: Vec<Timestamp> = issued.map(|attempt| attempt.at).collect();
        [
            self.backoff(),
            full_until(&failed, MOST_FAILED, HOUR),
            full_until(&issued, most_issued(life), WEEK),
            self.closed_until.unwrap_or(Timestamp::MIN),
        ]
        .into_iter()
        .max()
        .unwrap_or(Timestamp::MIN)
    }

    /// How long a new certificate is kept, whatever was suggested: a window that is always in the past
    /// would order one after the other.
    fn rested(&self, life: SignedDuration) -> Timestamp {
        let last = self.tries.iter().rfind(|attempt| attempt.issued);
        last.map_or(Timestamp::MIN, |last| later(last.at, HOUR.min(life / 10)))
    }

    /// How long to wait if the last certificate is gone: what made it unusable may do so again.
    fn lost(&self) -> Timestamp {
        let last = self.tries.iter().rfind(|attempt| attempt.issued);
        last.map_or(Timestamp::MIN, |last| later(last.at, WAITS[0]))
    }

    /// How long to wait after the last failures in a row.
    fn backoff(&self) -> Timestamp {
        let row = self
            .tries
            .iter()
            .rev()
            .take_while(|attempt| !attempt.issued);
        match (self.tries.last(), row.count()) {
            (Some(last), row @ 1..) => later(last.at, WAITS[row.min(WAITS.len()) - 1]),
            _ => Timestamp::MIN,
        }
    }
}

/// How many certificates a week may bring: four times as many as their life makes necessary, if
/// that is more than [`MOST_ISSUED`].
fn most_issued(life: Option<SignedDuration>) -> usize {
    let Some(life) = life else { return MOST_ISSUED };
    let needed = WEEK.as_secs() / life.max(HOUR).as_secs();
    usize::try_from(4 * needed).unwrap_or(0).max(MOST_ISSUED)
}

/// Until when `most` of these moments are within `time`.
fn full_until(moments: &[Timestamp], most: usize, time: SignedDuration) -> Timestamp {
    let first = moments.len().checked_sub(most).map(|first| moments[first]);
    first.map_or(Timestamp::MIN, |first| later(first, time))
}

fn later(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.saturating_add(by).unwrap_or(time)
}

#[cfg(test)]
mod tests;
