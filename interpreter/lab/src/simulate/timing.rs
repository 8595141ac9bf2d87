//! How long games take: seconds of the processor on the thread that plays, of all the time, rolls and decisions without a
//! choice included.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde::{Serialize, Serializer};

use super::Counts;

/// How long games took; written down in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timing {
    /// From the start of each game to its end.
    #[serde(serialize_with = "seconds")]
    pub all: Duration,
    /// Of that: listing what is offered.
    #[serde(serialize_with = "seconds")]
    pub listing: Duration,
    /// Of that: taking what players choose, up to the next decision.
    #[serde(serialize_with = "seconds")]
    pub taking: Duration,
    /// Of that: dice and shufflings, up to the next decision.
    #[serde(serialize_with = "seconds")]
    pub rolling: Duration,
}

fn seconds<S: Serializer>(duration: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(duration.as_secs_f64())
}

impl std::ops::AddAssign for Timing {
    fn add_assign(&mut self, other: Timing) {
        self.all += other.all;
        self.listing += other.listing;
        self.taking += other.taking;
        self.rolling += other.rolling;
    }
}

/// Times what is done, if anybody wants to know.
pub(super) fn timed<T>(to: Option<&mut Duration>, done: impl FnOnce() -> T) -> T {
    let Some(to) = to else { return done() };
    let begun = ThreadTime::now();
    let value = done();
    *to += begun.elapsed();
    value
}

impl Timing {
    /// What it comes to, a line each.
    pub fn lines(&self, counts: &Counts) -> Vec<String> {
        let (all, games) = (self.all.as_secs_f64(), counts.games.max(1) as f64);
        let second = |n: u64| format!("{:.0}", n as f64 / all.max(f64::MIN_POSITIVE));
        let share = |part: Duration| format!("{:.0} %", 100.0 * part.as_secs_f64() / all.max(f64::MIN_POSITIVE));
        let a_game = |n: u64| format!("{:.0}", n as f64 / games);
        vec![
            format!("CPU time: {:.1} ms a game, {:.2} s in all", 1_000.0 * all / games, all),
            format!(
                "decisions: {} asked a game, {} of them with a choice; {} and {} a second of all time",
                a_game(counts.decisions),
                a_game(counts.choices),
                second(counts.decisions),
                second(counts.choices)
            ),
            format!(
                "windows: {} a game, {} of them without anything to declare; options listed: {} a game; rolls: {} a game",
                a_game(counts.windows),
                a_game(counts.idle),
                a_game(counts.options),
                a_game(counts.rolls)
            ),
            format!(
                "listing {}, taking {}, rolls {}, all else the rest",
                share(self.listing),
                share(self.taking),
                share(self.rolling)
            ),
        ]
    }
}
