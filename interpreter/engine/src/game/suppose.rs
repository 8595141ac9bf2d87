//! What would come of answers: found out in a copy of the game that shares with it what is worked out of it.

use std::sync::Arc;

use crate::game::Game;
use crate::game::back::Back;
use crate::position::cache::Cache;
use crate::position::state::State;

/// What a game lends to a copy in which something is supposed, and has back when that is over.
#[derive(Debug)]
pub(super) struct Lent {
    state: State,
    cache: Cache,
    /// What is kept of the game serves the copy.
    is_shared: bool,
    /// The copy goes back to the position of the game when an answer fails.
    is_noted: bool,
}

impl Lent {
    /// What is kept of the game, as far as it serves.
    pub(super) fn kept(&self) -> Option<&Cache> {
        self.is_shared.then_some(&self.cache)
    }
    /// The position of the game, if that is the one that has been noted.
    pub(super) fn noted(&self) -> Option<&State> {
        self.is_noted.then_some(&self.state)
    }
    /// What is kept of the game serves no more.
    pub(super) fn keep_apart(&mut self) {
        self.is_shared = false;
    }
    /// Another position has been noted.
    pub(super) fn is_left_behind(&mut self) {
        self.is_noted = false;
    }
}

impl Game {
    /// Does something with a copy of the game, which is gone when that is done. It costs less than a clone: the copy takes over
    /// what has changed since the last one, and what is worked out of the game serves it as far as it has written nothing on
    /// which that rests. It is not traced; what it consults counts as consulted by the game.
    pub fn suppose<T>(&mut self, what: impl FnOnce(&mut Game) -> T) -> T {
        let mut copy = match self.supposed.take() {
            Some(copy) if Arc::ptr_eq(&copy.link, &self.link) => copy,
            _ => Box::new(Game::assemble(Arc::clone(&self.link), State::default(), Cache::empty(&self.link))),
        };
        let now = self.state.moment();
        self.cache.kept.floor.set(now);
        copy.state.copy_from(&self.state);
        copy.cache.begin_again(&self.cache);
        copy.back =
            Back { since: Some(Vec::new()), rows: self.state.rows_so_far() as usize, ..std::mem::take(&mut copy.back) };
        copy.offered.borrow_mut().clone_from(&self.offered.borrow());
        if self.cache.verifying.is_due() && copy.state != self.state {
            self.cache.differs("a copy of the position");
        }
        let mut lent = copy.lent.take().unwrap_or_else(|| {
            Box::new(Lent { state: State::default(), cache: Cache::blind(), is_shared: true, is_noted: true })
        });
        (lent.is_shared, lent.is_noted) = (true, true);
        std::mem::swap(&mut lent.state, &mut self.state);
        std::mem::swap(&mut lent.cache, &mut self.cache);
        copy.lent = Some(lent);
        let seen = what(&mut copy);
        if let Some(lent) = &mut copy.lent {
            std::mem::swap(&mut lent.state, &mut self.state);
            std::mem::swap(&mut lent.cache, &mut self.cache);
        }
        // Stamps are not given out twice, and what was answered first in the copy is not asked again in the game.
        self.state.versions.resume(copy.state.versions.given());
        self.cache.log.merge(&copy.cache.log);
        self.supposed = Some(copy);
        seen
    }
}
