//! What is asked again and again under a veil, kept with what it rests on ([`crate::position::veil`]): what functions, which
//! modifiers are in force and what they are about, what they leave of a thing's entries.

use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::eval::Eval;
use crate::ask::fold::InForce;
use crate::position::glimpses::{About, Alike, Entries, Force, Glimpse, Glimpses, Kept, Question};
use crate::position::grounds::Noted;
use crate::position::set::{Set, ThingId, bit};
use crate::position::stack::Effect;
use crate::position::veil::{Veil, Works};

/// So many answers are kept of what modifiers leave of one thing's entries, each with something else cut off.
const VARIANTS: usize = 4;

impl<'a> Eval<'a> {
    /// Whether it is asked of the position as it is, or with nothing but a role assumed.
    fn is_of_position(&self) -> bool {
        let plain = self.proposed.is_none() && self.partial.is_none();
        plain && !self.ahead && self.below.is_none()
    }

    /// Whether it is asked of the position as it is.
    fn is_unassumed(&self) -> bool {
        self.assumed.is_none() && self.is_of_position()
    }

    /// Whether what was noted holds still.
    pub(crate) fn holds_under(&self, veil: &Veil, noted: Noted) -> bool {
        veil.used_by(noted).into_iter().all(|number| self.settles(veil, number)) && veil.holds(noted)
    }

    /// Finds out what has become of everything that is asked again and again.
    pub(crate) fn settle_all(&self, veil: &Veil) {
        let mut number = 0;
        while veil.retold.question(number).is_some() {
            self.settles(veil, number);
            number += 1;
        }
    }

    /// Finds out whether the answer with a number holds, and else asks it anew. False if that is being found out.
    fn settles(&self, veil: &Veil, number: u32) -> bool {
        if let Err(known) = veil.open(number) {
            return known;
        }
        let noted = veil.noted_of(number);
        let holds = noted.is_some_and(|noted| self.holds_under(veil, noted));
        if !holds && noted.is_some() {
            if let Some((question, under)) = veil.retold.question(number) {
                let before = veil.begin(self.state);
                veil.under(&under, || self.ask_anew(veil, question));
                veil.end_apart(self.state, before);
            }
            if !veil.noted_of(number).is_some_and(|noted| veil.is_new(noted)) {
                veil.drop_answer(number);
            }
        }
        veil.close_question(number, holds);
        true
    }

    fn ask_anew(&self, veil: &Veil, question: Question) {
        match question {
            Question::AtWork => drop(self.at_work()),
            Question::Canceled => drop(self.canceled()),
            Question::Forces(attr) => drop(self.veiled_forces(veil, attr)),
            Question::Subjects(id, this, effect) => {
                let force = self.in_force_again(&Force { id, this, effect, order: ((0, 0), 0, 0) });
                if let Some(force) = force {
                    self.about(veil, (question, None), &force);
                }
            }
        }
    }

    /// The answer to a question that is asked again and again, of which only some things may be of interest, and whether
    /// something hidden was asked for. With a role assumed it is the answer without that, if it does not ask for the role;
    /// nothing where the answer may not be kept.
    fn answer_kept<T: Clone + Alike>(
        &self,
        veil: &Veil,
        of: impl Fn(&Glimpses) -> &Kept<T>,
        (question, among): (Question, Option<&Set>),
        ask: &dyn Fn(&Eval<'a>) -> T,
    ) -> Option<(T, bool)> {
        if !self.is_of_position() {
            return None;
        }
        let (kept, settled) = (of(&veil.glimpses), self.settled());
        let assumed = |number: u32| self.assumed.is_some_and(|(role, _)| veil.asked_for_by(number, role));
        for number in veil.retold.numbers_of(question) {
            if veil.fits(number)
                && settled.settles(veil, number)
                && let Some(told) = veil.told(kept, number, among)
            {
                return (!assumed(number)).then_some(told);
            }
        }
        let before = veil.begin(self.state);
        let value = ask(&settled);
        let (noted, asked) = veil.end_apart(self.state, before);
        let number = veil.tell(kept, (question, among), (noted, asked), value.clone())?;
        (!assumed(number)).then_some((value, asked))
    }

    /// The same, asked where it may not be kept.
    fn answer_under<T: Clone + Alike>(
        &self,
        veil: &Veil,
        of: impl Fn(&Glimpses) -> &Kept<T>,
        question: (Question, Option<&Set>),
        ask: &dyn Fn(&Eval<'a>) -> T,
    ) -> (T, bool) {
        self.answer_kept(veil, of, question, ask).unwrap_or_else(|| {
            let before = veil.begin(self.state);
            let value = ask(self);
            (value, veil.end(self.state, before).1)
        })
    }

    /// Things of which something is so, where what was asked for on the way is asked for here.
    pub(crate) fn told_things(
        &self,
        veil: &Veil,
        question: (Question, Option<&Set>),
        ask: &dyn Fn(&Eval<'a>) -> Set,
    ) -> Set {
        let (things, asked) = self.answer_under(veil, |kept| &kept.things, question, ask);
        if asked {
            veil.asks();
        }
        things
    }

    /// The modifiers in force for an attribute, in order.
    pub(crate) fn veiled_forces(&self, veil: &Veil, attr: AttrId) -> Vec<InForce<'a>> {
        let ask = |eval: &Eval<'a>| {
            eval.in_force(attr, eval.link.modifiers_of(attr)).iter().map(|force| eval.noted(force)).collect()
        };
        let (forces, asked): (Vec<Force>, bool) =
            self.answer_under(veil, |kept| &kept.forces, (Question::Forces(attr), None), &ask);
        if asked {
            veil.asks();
        }
        forces.into_iter().filter_map(|force| self.in_force_again(&force)).collect()
    }

    fn noted(&self, force: &InForce) -> Force {
        let lays = |e: &Effect| {
            e.serial == force.effect()
                && e.what == EffectKind::Modifier(force.id)
                && e.locals.as_slice() == force.locals
        };
        let effect = if force.effect() == 0 { None } else { self.state.effects.peek().iter().position(lays) };
        Force { id: force.id, this: force.this, effect, order: force.order }
    }

    fn in_force_again(&self, force: &Force) -> Option<InForce<'a>> {
        let modifier = self.link.program.modifier(force.id);
        let standing = InForce { id: force.id, modifier, this: force.this, locals: &[], order: force.order };
        let Some(at) = force.effect else { return Some(standing) };
        let effect = self.state.effects.peek().get(at)?;
        (effect.what == EffectKind::Modifier(force.id)).then_some(InForce { locals: &effect.locals, ..standing })
    }

    /// What a modifier changes among some things, as far as it can be told of all at once without asking for anything hidden:
    /// then it asks for nothing hidden of one of them either.
    pub(crate) fn veiled_subjects(&self, veil: &Veil, force: &InForce, among: &Set) -> Option<Set> {
        if !self.is_of_position() || among.is_empty() || veil.hides_any(among) {
            return None;
        }
        let effect = (force.effect() != 0).then(|| self.noted(force).effect).flatten();
        let (about, asked) =
            self.about(veil, (Question::Subjects(force.id, force.this, effect), Some(among)), force)?;
        let covers = among.minus(about.among.words()).is_empty();
        (!asked && covers).then(|| about.subjects.and(among.words()))
    }

    /// What a modifier is about, of all visible things, if that may be kept.
    fn about(&self, veil: &Veil, question: (Question, Option<&Set>), force: &InForce) -> Option<(About, bool)> {
        let ask = |eval: &Eval<'a>| {
            if matches!(question.0, Question::Subjects(_, _, Some(_))) {
                // Which effect it is, is said by its place among them: that they are read is noted.
                eval.state.effects.iter().next();
            }
            // What comes is one of all of which it is asked.
            eval.living_of(force.modifier.attr);
            let living = Set::from_words(eval.state.living(&eval.link.layout));
            let among = eval.having(force.modifier.attr, &living.minus(veil.hidden().words()));
            // Where anything hidden is asked for, each thing is asked by itself.
            About { subjects: veil.or_give_up(|| eval.subjects_asked(force, &among)), among }
        };
        self.answer_kept(veil, |kept| &kept.subjects, question, &ask)
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
        let entries = self.altered(veil, attr, thing, || {
            let data = work(care)?;
            let mut entries: Entries = SmallVec::from_elem(0, data.len() / width / 64 + 1);
            for (part, words) in data.chunks(width).enumerate() {
                if let (true, Some(word)) = (bit(words, thing), entries.get_mut(part / 64)) {
                    *word |= 1 << (part % 64);
                }
            }
            Some(entries)
        })?;
        let has = entries.get(part / 64).is_some_and(|word| word >> (part % 64) & 1 == 1);
        Some(if has { care.clone() } else { self.nothing() })
    }

    fn altered(
        &self,
        veil: &Veil,
        attr: AttrId,
        thing: ThingId,
        ask: impl FnOnce() -> Option<Entries>,
    ) -> Option<Entries> {
        let (kept, question) = (&veil.glimpses.altered, (attr, thing));
        let unassumed = self.is_unassumed();
        let found = kept.borrow().get(&question).filter(|_| unassumed).and_then(|variants| {
            let fits = |under: &Works, glimpse: &Glimpse<_>| {
                veil.grounds.with(glimpse.noted, |rests| veil.is_cut_like(rests.works, under)) == Some(true)
            };
            variants.iter().find(|(under, glimpse)| fits(under, glimpse)).map(|(_, glimpse)| glimpse.clone())
        });
        if let Some(glimpse) = found
            && self.holds_under(veil, glimpse.noted)
        {
            veil.note(self.state, glimpse.noted);
            if glimpse.asked {
                veil.asks();
            }
            return glimpse.value;
        }
        let before = veil.begin(self.state);
        let entries = ask();
        let (noted, asked) = veil.end(self.state, before);
        if asked {
            veil.asks();
        }
        if unassumed && let Some(under) = veil.grounds.with(noted, |rests| veil.busy_of(rests.works)) {
            let mut kept = kept.borrow_mut();
            let variants = kept.entry(question).or_default();
            variants.retain(|(other, _)| *other != under);
            if variants.len() >= VARIANTS {
                variants.remove(0);
            }
            variants.push((under, Glimpse { noted, asked, value: entries.clone() }));
        }
        entries
    }
}
