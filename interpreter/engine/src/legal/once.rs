//! What is asked once of all combinations of choices that agree in what it reads: who chooses freely makes many combinations,
//! and most of what is asked of each is the same question.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ask::attempt::Attempt;
use crate::position::value::Value;

/// Answers, by the choices that the question reads. They hold while one declaration is filled in one position.
#[derive(Debug)]
pub(crate) struct Once<T>(RefCell<FxHashMap<SmallVec<[Value; 2]>, T>>);

impl<T> Default for Once<T> {
    fn default() -> Once<T> {
        Once(RefCell::default())
    }
}

impl<T: Clone> Once<T> {
    /// The answer for an attempt, asked unless it is known. `reads`: the slots that it hangs on; `None`: on all of them.
    pub(crate) fn answer(&self, reads: Option<&[u8]>, attempt: &Attempt, ask: impl FnOnce() -> T) -> T {
        let Some(reads) = reads else { return ask() };
        let chosen = |slot: &u8| attempt.locals.get(usize::from(*slot)).cloned();
        let key: SmallVec<[Value; 2]> = reads.iter().filter_map(chosen).collect();
        let known = self.0.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let answer = ask();
            self.0.borrow_mut().insert(key, answer.clone());
            answer
        })
    }
}
