//! One position takes over another one, for a trial or to come back to it: of what is long, only what is another there.

use netrep_ir::limits::ROLES;

use crate::position::state::{State, Unseen};

impl State {
    /// Whether of just those things of which the history speaks it is noted that it does.
    pub(crate) fn is_told_truly(&self) -> bool {
        let tells = |n: usize| {
            let mut rows = self.history.peek().iter();
            rows.any(|row| (0..ROLES).any(|role| row.role(role).is_some_and(|thing| thing.index() == n)))
        };
        self.told.len() == self.classes.len() && self.told.iter().enumerate().all(|(n, told)| tells(n) == *told)
    }

    /// Takes over another position but its history, and keeps what room it has for that.
    pub(crate) fn copy_present(&mut self, from: &State) {
        let State {
            classes,
            values,
            bits,
            pairs,
            ordinals,
            effects,
            history: _,
            latest,
            usage,
            acts,
            frames,
            pending,
            announced,
            ask,
            serial,
            standing,
            withheld,
            versions,
            written,
            told,
            own: _,
            sums,
        } = from;
        self.copy_values(values, written);
        self.classes.clone_from(classes);
        self.told.clone_from(told);
        self.bits.clone_from(bits);
        self.pairs.copy_from(pairs);
        self.ordinals.copy_from(ordinals);
        self.effects.copy_from(effects);
        self.latest.clone_from(latest);
        self.usage.copy_from(usage);
        self.acts.copy_from(acts);
        self.frames.copy_from(frames);
        self.pending.copy_from(pending);
        self.announced.copy_from(announced);
        self.ask.clone_from(ask);
        self.serial = *serial;
        self.standing.copy_from(standing);
        self.withheld.copy_from(withheld);
        self.versions.copy_from(versions);
        self.sums.get_mut().copy_from(&sums.borrow());
    }

    /// Takes over another position, and keeps what room it has for that.
    pub(crate) fn copy_from(&mut self, from: &State) {
        self.copy_present(from);
        let rows = from.history.peek().len();
        let common = self.own.min(from.own.0).min(self.history.peek().len()).min(rows);
        self.history.copy_after(common, &from.history);
        self.own.0 = from.own.min(rows);
    }

    /// Takes over the columns of another position: of the things of which anything has been written since it had those of one
    /// before. Equal stamps mean equal contents.
    fn copy_values(&mut self, values: &[i32], written: &Unseen<Vec<u64>>) {
        let columns = values.len().checked_div(written.len());
        match columns
            .filter(|columns| *columns > 0 && columns.checked_mul(self.written.len()) == Some(self.values.len()))
        {
            Some(columns) => {
                let known = self.written.len().min(written.len());
                self.values.truncate(known * columns);
                let rows = self.values.chunks_exact_mut(columns).zip(values.chunks_exact(columns));
                for ((own, row), _) in rows.zip(self.written.iter().zip(&written.0)).filter(|(_, (a, b))| a != b) {
                    own.copy_from_slice(row);
                }
                self.values.extend(values.iter().skip(known * columns));
            }
            None => {
                self.values.clear();
                self.values.extend_from_slice(values);
            }
        }
        self.written.clone_from(written);
    }
}
