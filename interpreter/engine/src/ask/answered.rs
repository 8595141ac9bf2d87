//! Answers that are kept with what they have read.

use crate::ask::eval::Eval;
use crate::position::cache::Cache;
use crate::position::kept::{Answers, Kept};
use crate::position::verify::Planted;
use crate::position::versions::Reads;

impl Eval<'_> {
    /// What is worked out of the position, of that in which something is tried if this is a trial.
    fn base_cache(&self) -> &Cache {
        // total: outside of a trial it is that of the position itself.
        self.below.unwrap_or(self.cache)
    }

    /// What is kept of it.
    pub(crate) fn all_kept(&self) -> &Kept {
        &self.base_cache().kept
    }

    /// Whose answers serve here, if what is asked hangs on nothing but the position as it is.
    fn keeper(&self) -> Option<&Cache> {
        let plain = self.assumed.is_none() && self.proposed.is_none() && self.partial.is_none() && !self.ahead;
        let of_whom = self.base_cache();
        // What took effect in an answer was noted when that was given; but not in one that was given in a trial.
        let unnoted = of_whom.effects.is_some() && self.below.is_some();
        (of_whom.keeps && plain && self.veil.is_none() && !unnoted).then_some(of_whom)
    }

    /// What is kept of the game in which this is supposed, if what rests on these parts is so there as well.
    pub(crate) fn serves_below(&self, reads: &Reads) -> Option<&Cache> {
        self.below.filter(|below| self.cache.serves_below(below, self.state, reads))
    }

    /// An answer that is kept, if there is one that holds.
    pub(crate) fn still_known<T: Clone>(&self, of: impl Fn(&Kept) -> &Answers<T>, question: u64) -> Option<T> {
        let of_whom = self.keeper()?;
        let for_ever = of_whom.verifying.has(Planted::Answers);
        of(&of_whom.kept).find(&of_whom.kept, self.state, self.state.moment_asked(), question, for_ever)
    }

    /// An answer that is kept, or a new one, which is kept with what it has read: if it is asked of the position as it is and
    /// hangs on nothing but that.
    pub(crate) fn answered<T: Clone + PartialEq>(
        &self,
        of: impl Fn(&Kept) -> &Answers<T>,
        question: u64,
        ask: impl FnOnce() -> T,
    ) -> T {
        self.answered_as_well(of, question, ask, |known, again| known == again)
    }

    /// The same of a question to which there may be several right answers: of one that is kept and one that is new it is
    /// told whether they are.
    pub(crate) fn answered_as_well<T: Clone>(
        &self,
        of: impl Fn(&Kept) -> &Answers<T>,
        question: u64,
        ask: impl FnOnce() -> T,
        same: impl FnOnce(&T, &T) -> bool,
    ) -> T {
        let Some(of_whom) = self.keeper() else { return ask() };
        let (kept, now) = (&of_whom.kept, self.state.moment_asked());
        let verifying = &of_whom.verifying;
        if let Some(answer) = of(kept).find(kept, self.state, now, question, verifying.has(Planted::Answers)) {
            if verifying.is_due() && !same(&answer, &ask()) {
                self.cache.differs("an answer that is kept");
            }
            return answer;
        }
        let faulty = || self.cache.is_faulty();
        let (was_faulty, before) = (faulty(), self.state.begin_reading());
        let (answer, whole) = self.cache.fillings.apart(ask);
        let reads = self.state.end_reading(&before);
        // What a trial has written is not so in the position in which it is tried.
        let floor = if self.below.is_some() { kept.floor.get() } else { now };
        if whole && !was_faulty && !faulty() && (self.below.is_none() || self.state.versions.last(&reads) <= floor) {
            let now = floor;
            of(kept).keep(kept, now, question, reads, answer.clone());
        }
        answer
    }
}
