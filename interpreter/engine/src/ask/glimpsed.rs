//! What is asked again and again under a veil, kept with what it rests on ([`crate::position::veil`]): what functions, which
//! modifiers are in force and what they are about, what they leave of a thing's entries.

use netrep_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;

use crate::ask::eval::Eval;
use crate::ask::fold::InForce;
use crate::position::kept::in_question;
use crate::position::set::Set;
use crate::position::veil::{About, Force, Glimpse, Glimpses, Veil};

/// Which things lie where their clauses function.
pub(crate) const AT_WORK: u64 = 0;

/// Whose effects are canceled.
pub(crate) const CANCELED: u64 = 1;

impl<'a> Eval<'a> {
    /// Whether it is asked of the position as it is.
    fn is_unassumed(&self) -> bool {
        self.assumed.is_none()
            && self.proposed.is_none()
            && self.partial.is_none()
            && !self.ahead
            && self.below.is_none()
    }

    /// An answer under a veil that is kept, or a new one; and whether something hidden was asked for.
    fn glimpse<T: Clone>(
        &self,
        veil: &Veil,
        of: impl Fn(&Glimpses) -> &RefCell<FxHashMap<u64, Glimpse<T>>>,
        question: u64,
        ask: impl FnOnce() -> T,
    ) -> (T, bool) {
        let kept = of(&veil.glimpses);
        let unassumed = self.is_unassumed();
        if unassumed && let Some(glimpse) = veil.find(self.state, kept, question) {
            return (glimpse.value, glimpse.asked);
        }
        let before = veil.begin(self.state);
        let value = ask();
        let (noted, asked) = veil.end(self.state, before);
        if unassumed && let Some(noted) = noted {
            veil.keep(kept, question, noted, asked, value.clone());
        }
        (value, asked)
    }

    /// The same, where what was asked for on the way is asked for here.
    pub(crate) fn glimpsed<T: Clone>(
        &self,
        veil: &Veil,
        of: impl Fn(&Glimpses) -> &RefCell<FxHashMap<u64, Glimpse<T>>>,
        question: u64,
        ask: impl FnOnce() -> T,
    ) -> T {
        let (value, asked) = self.glimpse(veil, of, question, ask);
        if asked {
            veil.asks();
        }
        value
    }

    /// The modifiers in force for an attribute, in order.
    pub(crate) fn veiled_forces(&self, veil: &Veil, attr: AttrId) -> Vec<InForce<'a>> {
        let ask = || self.in_force(attr, self.link.modifiers_of(attr)).iter().map(|force| self.noted(force)).collect();
        let forces: Vec<Force> = self.glimpsed(veil, |kept| &kept.forces, u64::from(attr.0), ask);
        forces.into_iter().filter_map(|force| self.in_force_again(&force)).collect()
    }

    fn noted(&self, force: &InForce) -> Force {
        let lays = |e: &crate::position::stack::Effect| {
            e.serial == force.effect()
                && e.what == EffectKind::Modifier(force.id)
                && e.locals.as_slice() == force.locals
        };
        let effect = if force.effect() == 0 { None } else { self.state.effects.peek().iter().position(lays) };
        Force { id: force.id, this: force.this, effect, order: force.order }
    }

    fn in_force_again(&self, force: &Force) -> Option<InForce<'a>> {
        let locals = match force.effect {
            Some(at) => self.state.effects.peek().get(at)?.locals.as_slice(),
            None => &[],
        };
        let modifier = self.link.program.modifier(force.id);
        Some(InForce { id: force.id, modifier, this: force.this, locals, order: force.order })
    }

    /// What a modifier changes among some things, as far as it can be told of all at once without asking for anything hidden:
    /// then it asks for nothing hidden of one of them either.
    pub(crate) fn veiled_subjects(&self, veil: &Veil, force: &InForce, among: &Set) -> Option<Set> {
        if !self.is_unassumed() || among.is_empty() || veil.hides_any(among) {
            return None;
        }
        let effect = (force.effect() != 0).then(|| self.noted(force).effect).flatten();
        // total: 0 is no effect: one more than its place stands for each.
        let laid = effect.map_or(0, |at| at as u64 + 1);
        let question = u64::from(force.id.0) << 48 | in_question(force.this) << 24 | laid;
        let ask = || {
            // Which effect it is, is said by its place among them.
            if effect.is_some() {
                self.state.effects.iter().next();
            }
            let living = Set::from_words(self.state.living(&self.link.layout));
            let among = self.having(force.modifier.attr, &living.minus(veil.hidden().words()));
            About { subjects: self.subjects_asked(force, &among), among }
        };
        let kept = &veil.glimpses.subjects;
        let (about, asked) = match veil.find(self.state, kept, question) {
            Some(glimpse) if glimpse.asked || covers(&glimpse.value, among) => (glimpse.value, glimpse.asked),
            _ => {
                kept.borrow_mut().remove(&question);
                self.glimpse(veil, |kept| &kept.subjects, question, ask)
            }
        };
        (!asked && covers(&about, among)).then(|| about.subjects.and(among.words()))
    }

    /// The things of `care` that have an entry after modifiers of which one's work is another one's ground; `None` if that is
    /// being worked out.
    pub(crate) fn veiled_altered(&self, veil: &Veil, attr: AttrId, entry: EntryId, care: &Set) -> Option<Set> {
        let (part, width) = (self.link.table.position(entry), self.link.layout.width);
        let work = |care: &Set| {
            veil.within(attr, || {
                let mut data = Vec::new();
                self.base_sets(attr, care, &mut data);
                let living = self.having(attr, &care.and(self.living_of(attr).words()));
                self.alter(attr, &mut data, &living, &mut |_, _| ());
                data
            })
        };
        let Some(thing) = care.single() else {
            return Some(care.and(work(care)?.get(part * width..(part + 1) * width)?));
        };
        let question = u64::from(attr.0) << 16 | u64::from(thing.0);
        let entries = self.glimpsed(
            veil,
            |kept| &kept.altered,
            question,
            || {
                let data = work(care)?;
                let mut entries: SmallVec<[u64; 1]> = SmallVec::from_elem(0, data.len() / width / 64 + 1);
                for (part, words) in data.chunks(width).enumerate() {
                    if let (true, Some(word)) = (crate::position::set::bit(words, thing), entries.get_mut(part / 64)) {
                        *word |= 1 << (part % 64);
                    }
                }
                Some(entries)
            },
        )?;
        let has = entries.get(part / 64).is_some_and(|word| word >> (part % 64) & 1 == 1);
        Some(if has { care.clone() } else { self.nothing() })
    }
}

fn covers(about: &About, among: &Set) -> bool {
    among.minus(about.among.words()).is_empty()
}
