//! What clauses cost: how often each was consulted, and how many conditions were asked for it. Counts, not times, so that
//! they are the same on every machine and in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use netrep_ir::{ClauseId, Program};

/// What was asked of each clause of a program in the games that count into it (see [`Game::count_into`](crate::Game::count_into)),
/// together; any number of them, on any threads. What is asked in trials counts too.
#[derive(Debug)]
pub struct Tally {
    rows: Vec<[AtomicU64; 2]>,
}

/// What was asked of a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How often it was consulted, in any way.
    pub consulted: u64,
    /// How many conditions were asked for it: of each candidate those that are asked of one after the other, and of all of
    /// them together those that can be; parts of conditions, and conditions in the words that they use, each by itself. What
    /// is known still from an earlier question is not asked.
    pub conditions: u64,
}

impl Tally {
    /// Nothing yet, of a program.
    pub fn none_of(program: &Program) -> Arc<Tally> {
        // The last row is that of no clause.
        let rows = (0..=program.clauses.len()).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
        Arc::new(Tally { rows })
    }

    /// What was asked of a clause.
    pub fn of(&self, clause: ClauseId) -> Cost {
        let row = self.rows.get(clause.index()).or(self.rows.last());
        row.map(read).into_iter().fold(Cost::default(), |_, cost| cost)
    }

    /// What was asked in all.
    pub fn total(&self) -> Cost {
        self.rows.iter().map(read).fold(Cost::default(), |sum, one| Cost {
            consulted: sum.consulted + one.consulted,
            conditions: sum.conditions + one.conditions,
        })
    }

    pub(crate) fn consult(&self, clause: ClauseId) {
        self.add(clause, 0);
    }

    pub(crate) fn ask(&self, clause: ClauseId) {
        self.add(clause, 1);
    }

    fn add(&self, clause: ClauseId, column: usize) {
        if let Some(row) = self.rows.get(clause.index()).or(self.rows.last()) {
            row[column].fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn read(row: &[AtomicU64; 2]) -> Cost {
    let [consulted, conditions] = row;
    Cost { consulted: consulted.load(Ordering::Relaxed), conditions: conditions.load(Ordering::Relaxed) }
}
