//! How a number comes about, modifier by modifier.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::ask::eyes::Names;
use crate::ask::fold::{Applied, Op};
use crate::explain::verdict::is_seen;
use crate::game::Game;
use crate::game::verdict::{Derivation, DerivationStep};
use crate::position::cache::Cache;
use crate::position::set::ThingId;
use crate::position::sight::Sight;

/// A number, modifier by modifier.
fn derive(eval: &Eval, attr: AttrId, thing: ThingId) -> Derivation {
    let base = eval.base(attr, thing, 0);
    let mut value = base;
    let mut steps = Vec::new();
    for Applied { op, clause, source, .. } in eval.steps(attr, thing) {
        let before = value;
        value = op.apply(value);
        steps.push(DerivationStep { clause, source, change: op_words(op), before, after: value });
    }
    Derivation { base, steps, value }
}

/// The numbers of things of which a defined number of a thing is made, each once, in the order in which its definition names
/// them: of alternatives those of the one that holds.
fn made_of(eval: &Eval, attr: AttrId, thing: ThingId) -> Vec<(AttrId, ThingId)> {
    let mut found = Vec::new();
    if let Source::Number(number) = &eval.link.program.attr(attr).source {
        let cx = Cx::bare();
        let it = cx.it(thing);
        leaves(eval, &cx.about(&it), number, &mut found);
    }
    found
}

fn leaves(eval: &Eval, cx: &Cx, number: &Num, found: &mut Vec<(AttrId, ThingId)>) {
    let mut add = |attr: AttrId, thing: ThingId| {
        if !found.contains(&(attr, thing)) {
            found.push((attr, thing));
        }
    };
    match number {
        Num::Attr(attr, of) => eval.first(cx, of).into_iter().for_each(|thing| add(*attr, thing)),
        Num::Total(attr, of) | Num::Extreme(attr, of, _) => {
            eval.having(*attr, &eval.all(cx, of)).iter().for_each(|thing| add(*attr, thing));
        }
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => {
            leaves(eval, cx, a, found);
            leaves(eval, cx, b, found);
        }
        Num::Max(each) | Num::Min(each) => each.iter().for_each(|one| leaves(eval, cx, one, found)),
        Num::Alternatives(default, cases) => {
            let holds = cases.iter().rev().find(|(_, cond)| eval.cond(cx, cond));
            leaves(eval, cx, holds.map_or(&**default, |(one, _)| one), found);
        }
        // What is printed, stored, counted or held by a name is a leaf itself, and shows in the value.
        Num::Int(_)
        | Num::Slot(_)
        | Num::Role(_)
        | Num::Base(..)
        | Num::AttrFor(..)
        | Num::Count(_)
        | Num::Given(..)
        | Num::Least(..) => {}
    }
}

/// A number as a player may be told it: nothing of one that hangs on something hidden, or on a clause of a card that they
/// does not see.
fn derive_to(game: &Game, seat: ThingId, attr: AttrId, words: &str) -> Option<Derivation> {
    crate::fog::view::with_sight(game, seat, |sight| derive_seen(game, sight, attr, words))
}

fn derive_seen(game: &Game, sight: &Sight, attr: AttrId, words: &str) -> Option<Derivation> {
    let rules = game.eval();
    let cache = Cache::empty(rules.link);
    let eyes = Eval { cache: &cache, veil: Some(&sight.veil), names: Some(Names::Listed(&sight.words)), ..rules };
    let visible = rules.universe(false).minus(sight.veil.hidden().words());
    let named = |t: &ThingId| sight.words.get(t.index()).is_some_and(|own| own == words);
    let thing = visible.iter().find(named)?;
    let derived = sight.veil.unless_asked(|| derive(&eyes, attr, thing))?;
    derived.steps.iter().all(|step| is_seen(&eyes, step.clause)).then_some(derived)
}

fn op_words(op: Op) -> String {
    match op {
        Op::Set(n) => format!("= {n}"),
        Op::Add { amount, max, min } => {
            let mut words = format!("{amount:+}");
            if let Some(max) = max {
                words.push_str(&format!(" (not above {max})"));
            }
            if let Some(min) = min {
                words.push_str(&format!(" (not below {min})"));
            }
            words
        }
    }
}

impl Game {
    /// A number of a thing, modifier by modifier.
    pub fn derive(&self, attr: AttrId, thing: ThingId) -> Derivation {
        derive(&self.eval(), attr, thing)
    }

    /// The numbers of things of which a defined number of a thing is made, in the order in which its definition names them.
    pub fn made_of(&self, attr: AttrId, thing: ThingId) -> Vec<(AttrId, ThingId)> {
        made_of(&self.eval(), attr, thing)
    }

    /// A number of a thing, called as their view calls it, modifier by modifier, as a player may be told it. `None` if they
    /// see no such thing, or if the number or one of its modifiers hangs on what is hidden from them.
    pub fn derive_to(&self, seat: ThingId, attr: AttrId, thing: &str) -> Option<Derivation> {
        derive_to(self, seat, attr, thing)
    }
}
