//! One answer: [`respond`](fn@respond) is a pure function of an edition, the codings filled so far, and a request. No socket, no async, no clock.
