//! Things that come to be in a game, with what they take over from others, and that are gone again.

use netrep_ir::*;

use crate::act::run::{Run, Step};
use crate::ask::eval::Cx;
use crate::ask::words::several;
use crate::position::error::{ErrorKind, Fault};
use crate::position::set::{Set, ThingId};
use crate::position::trace::{TraceEntry, TraceKind};
use crate::position::value::Value;
use crate::program::layout::Store;

/// A figure that a new thing takes over, with all that modifies it.
pub(crate) enum Figure {
    /// A number, a yes or no, a term, things.
    Value(Value),
    /// Terms, where there may be several.
    Terms(Vec<EntryId>),
    /// A number for each term.
    Row(Vec<i32>),
}

impl Run<'_> {
    /// What a new thing takes over, as it is now.
    pub(crate) fn taken(
        &self,
        cx: &Cx,
        Taken { of, figures, .. }: &Taken,
        clause: ClauseId,
    ) -> Result<Vec<(AttrId, Figure)>, Fault> {
        let eval = self.eval();
        let others = eval.all(cx, of);
        if others.len() > 1 {
            return Err(Fault::new(ErrorKind::Several, clause, several(&eval, &others)));
        }
        let Some(other) = others.first() else {
            let text = "there is nothing from which a new thing could take over its figures";
            return Err(Fault::new(ErrorKind::Unsound, clause, text));
        };
        Ok(figures.iter().map(|figure| (*figure, self.figure_of(cx, other, *figure))).collect())
    }

    fn figure_of(&self, cx: &Cx, thing: ThingId, figure: AttrId) -> Figure {
        let (eval, slot) = (self.eval(), self.link.layout.attr(figure));
        match slot.kind {
            ValueKind::Number | ValueKind::Flag => Figure::Value(Value::Num(eval.current(figure, thing))),
            ValueKind::Entry(_) => Figure::Value(Value::of_entry(eval.entry_of(figure, thing))),
            ValueKind::Entries(_) => Figure::Terms(eval.entries_of(figure, thing).to_vec()),
            ValueKind::Thing(_) | ValueKind::Things(_) => {
                let mut things = Set::empty(self.link.layout.width);
                eval.values_of(cx, figure, thing, &eval.universe(false), &mut things);
                Figure::Value(Value::of_set(things))
            }
            ValueKind::NumberFor(_) => {
                Figure::Row((0..slot.parts).map(|part| eval.current_part(figure, thing, part)).collect())
            }
        }
    }

    /// A new thing of a class in a slot.
    pub(crate) fn create(
        &mut self,
        act: u16,
        class: ClassId,
        slot: u8,
        values: &[(AttrId, Val)],
        taken: Option<&[(AttrId, Figure)]>,
        clause: ClauseId,
    ) -> Step {
        let values: Vec<(AttrId, Value)> = {
            let (eval, cx) = (self.eval(), self.cx(act));
            values.iter().map(|(a, v)| (*a, eval.val(&cx, v))).collect()
        };
        let thing = self.make(class, &values, taken, clause)?;
        self.bind(act, slot, Value::Thing(thing))?;
        self.note_done(act);
        self.note(|e| TraceEntry::new(TraceKind::Thing, clause, format!("{} appears", e.thing_words(thing))));
        Ok(())
    }

    /// A new thing of a class with what it takes over and these values.
    pub(crate) fn make(
        &mut self,
        class: ClassId,
        values: &[(AttrId, Value)],
        taken: Option<&[(AttrId, Figure)]>,
        clause: ClauseId,
    ) -> Result<ThingId, Fault> {
        let Some(thing) = self.state.mint(&self.link.program, &self.link.layout, class) else {
            return Err(self.no_room(clause));
        };
        self.touch();
        for (attr, figure) in taken.into_iter().flatten() {
            self.take_over(thing, *attr, figure, clause)?;
        }
        for (attr, value) in values {
            self.store(thing, *attr, value, clause)?;
        }
        Ok(thing)
    }

    fn no_room(&self, clause: ClauseId) -> Fault {
        let text = format!("this game has room for {} things and no more", self.link.layout.capacity);
        Fault::new(ErrorKind::Overflow, clause, text)
    }

    /// A thing of a class whose things come and go: one that is gone is used again, unless the history speaks of it.
    pub(crate) fn new_passing(&mut self, class: ClassId, clause: ClauseId) -> Result<ThingId, Fault> {
        let (program, layout) = (&self.link.program, &self.link.layout);
        let thing = match self.state.gone(layout, class) {
            Some(thing) => {
                self.state.revive(program, layout, thing);
                Some(thing)
            }
            None => self.state.mint(program, layout, class),
        };
        self.touch();
        thing.ok_or_else(|| self.no_room(clause))
    }

    fn take_over(&mut self, thing: ThingId, attr: AttrId, figure: &Figure, clause: ClauseId) -> Step {
        let layout = &self.link.layout;
        match (figure, layout.attr(attr).store) {
            (Figure::Terms(terms), Store::Bits(at)) => {
                for term in terms {
                    self.state.set_bit(layout, at + self.link.table.position(*term), thing, true);
                }
            }
            (Figure::Row(row), Store::Column(at)) => {
                for (part, number) in row.iter().enumerate() {
                    self.state.set_cell(layout, thing, at + part, *number);
                }
            }
            (Figure::Value(value), _) => return self.store(thing, attr, value, clause),
            (Figure::Terms(_) | Figure::Row(_), _) => {
                let text =
                    format!("`{}` is not stored in the state and cannot be taken over", self.link.attr_name(attr));
                return Err(Fault::new(ErrorKind::Unsound, clause, text));
            }
        }
        self.touch();
        Ok(())
    }

    /// A thing that was made is there no more; the history still knows it. What was declared is taken out of its chain.
    pub(crate) fn retire(&mut self, thing: ThingId, clause: ClauseId) -> Step {
        let declaration = self.link.program.services.declaration.map(|(class, _)| class);
        if declaration.is_some() && self.state.class_of(thing) == declaration {
            return self.take_back(thing, clause);
        }
        self.note(|e| TraceEntry::new(TraceKind::Thing, clause, format!("{} is gone", e.thing_words(thing))));
        self.state.discard(&self.link.program, &self.link.layout, thing);
        self.state.standing.iter_mut().filter(|one| one.thing == thing).for_each(|one| one.removed = true);
        self.touch();
        Ok(())
    }
}
