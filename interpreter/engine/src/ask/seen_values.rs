//! What a condition saw: the values on which it failed, each with its name.

use netrep_ir::*;

use crate::ask::eval::{Cx, Eval};
use crate::ask::words::article;
use crate::position::set::{Set, ThingId};

/// Names and values, without repetition.
pub(crate) type SeenValues = Vec<(String, String)>;

const MANY: usize = 8;

impl Eval<'_> {
    fn note_value(&self, thing: ThingId, attr: AttrId, saw: &mut SeenValues) {
        note(saw, format!("{}'s {}", self.thing_words(thing), self.attr_words(attr)), self.value_words(attr, thing));
    }

    /// Notes the values because of which a condition is not `want`.
    pub(crate) fn note_values(&self, cx: &Cx, cond: &Cond, want: bool, saw: &mut SeenValues) {
        if self.cond(cx, cond) == want {
            return;
        }
        match cond {
            Cond::Is(b) => note(saw, "it".to_string(), if *b { "always so" } else { "never so" }.to_string()),
            Cond::And(parts) | Cond::Or(parts) => parts.iter().for_each(|p| self.note_values(cx, p, want, saw)),
            Cond::Not(inner) => self.note_values(cx, inner, !want, saw),
            Cond::Some(sel) if want => {
                // What is nothing of the kind fails for no reason that matters.
                let kinds = self.kinds_in(sel);
                let of_kind = |t: &ThingId| kinds.iter().all(|kind| self.has(cx, kind, *t));
                let anchors: Vec<ThingId> = self.anchors(cx, sel).iter().filter(of_kind).collect();
                if anchors.is_empty() {
                    note(saw, self.sel_words(cx, sel), "none".to_string());
                }
                for t in anchors.into_iter().take(MANY) {
                    self.note_values_in(cx, sel, t, true, saw);
                }
            }
            Cond::Some(sel) => note(saw, self.sel_words(cx, sel), self.set_words(&self.all(cx, sel))),
            Cond::Every(a, b) => {
                let of = self.all(cx, a);
                let at_fault = if want { of.minus(self.sel(cx, b, &of).words()) } else { of };
                for t in at_fault.iter().take(MANY) {
                    self.note_values_in(cx, b, t, want, saw);
                }
            }
            Cond::Cmp(_, a, b) => {
                self.note_values_of(cx, a, saw);
                self.note_values_of(cx, b, saw);
            }
            Cond::Same(a, b) => {
                for ent in [a, b] {
                    if let Ent::Attr(attr, of) | Ent::Base(attr, of) = ent {
                        match self.first(cx, of) {
                            Some(t) => self.note_value(t, *attr, saw),
                            None => note(saw, format!("what has the {}", self.attr_words(*attr)), "none".to_string()),
                        }
                    }
                }
            }
            Cond::During(proc) => {
                let name = self.link.proc_name(*proc);
                note(saw, format!("the {name}"), if want { "not running" } else { "running" }.to_string());
            }
            Cond::Closing(proc) => {
                let name = self.link.proc_name(*proc);
                note(saw, format!("the {name}"), if want { "not at its end" } else { "at its end" }.to_string());
            }
            Cond::Awaits(sel) => {
                let words = format!("whether {} waits to be resolved", self.sel_words(cx, sel));
                note(saw, words, if want { "no" } else { "yes" }.to_string());
            }
            Cond::Barred(verb, roles) => {
                let of: Vec<String> = roles.iter().flatten().map(|role| self.sel_words(cx, role)).collect();
                let words = format!("whether {} of {} is forbidden", self.link.verb_form(*verb, 0), of.join(", "));
                note(saw, words, if want { "no" } else { "yes" }.to_string());
            }
            Cond::InForce(by, on) => {
                let mut words = format!("whether {} has an effect", self.sel_words(cx, by));
                words.extend(on.iter().flat_map(|on| [" on ".to_owned(), self.sel_words(cx, on)]));
                note(saw, words, if want { "no" } else { "yes" }.to_string());
            }
            Cond::Modified(attr, of, _) => {
                let words = format!("whether the {} of {} is modified", self.attr_words(*attr), self.sel_words(cx, of));
                note(saw, words, if want { "no" } else { "yes" }.to_string());
            }
            Cond::Unchanged => {
                note(saw, "what has changed".to_string(), if want { "something" } else { "nothing" }.to_string());
            }
            Cond::Did(past) => {
                let verb = self.link.verb_form(past.verb, 2);
                note(
                    saw,
                    format!("what was {verb}"),
                    if want { "nothing that matches" } else { "something that matches" }.to_string(),
                );
            }
        }
    }

    /// Notes the values because of which a thing is not (or is) in a selection.
    pub(crate) fn note_values_in(&self, cx: &Cx, sel: &Sel, thing: ThingId, want: bool, saw: &mut SeenValues) {
        if self.has(cx, sel, thing) == want {
            return;
        }
        match sel {
            Sel::And(parts) | Sel::Or(parts) => parts.iter().for_each(|p| self.note_values_in(cx, p, thing, want, saw)),
            Sel::Not(inner) => self.note_values_in(cx, inner, thing, !want, saw),
            Sel::One(inner) => self.note_values_in(cx, inner, thing, want, saw),
            Sel::Where(cond) => {
                let it = cx.it(thing);
                self.note_values(&cx.about(&it), cond, want, saw);
            }
            Sel::If(cond, a, b) => self.note_values_in(cx, if self.cond(cx, cond) { a } else { b }, thing, want, saw),
            Sel::EntryIs(attr, _) | Sel::EntryIsValue(attr, _) | Sel::Preimage(attr, _) | Sel::NameIs(attr, _) => {
                self.note_value(thing, *attr, saw)
            }
            Sel::NumIs(attr, _, to) => {
                self.note_value(thing, *attr, saw);
                self.note_values_of(cx, to, saw);
            }
            Sel::Flag(attr) => match &self.link.program.attr(*attr).source {
                Source::Flag(sel) => self.note_values_in(&Cx::clause(cx.clause, None, &[]), sel, thing, want, saw),
                _ => self.note_value(thing, *attr, saw),
            },
            Sel::In(..) | Sel::Top(..) => {
                let at = self.state.place(&self.link.layout, thing);
                let owner = self.state.thing_in(&self.link.layout, thing, crate::program::layout::OWNER);
                let at = match at {
                    Some(place) => self.place_words(place, owner),
                    None => "nowhere".to_string(),
                };
                note(saw, format!("{}'s place", self.thing_words(thing)), at);
            }
            Sel::Image(attr, of) => {
                let of = self.all(cx, of);
                if of.is_empty() {
                    note(saw, format!("what has the {}", self.attr_words(*attr)), "none".to_string());
                }
                of.iter().take(MANY).for_each(|x| self.note_value(x, *attr, saw));
            }
            Sel::Class(_) => {
                let class = self.class_word(thing);
                note(saw, format!("{}'s class", self.thing_words(thing)), class.to_string());
            }
            Sel::Would(prospect) => {
                let words = format!("whether {} would {}", self.thing_words(thing), self.prospect_words(cx, prospect));
                note(saw, words, if want { "no" } else { "yes" }.to_string());
            }
            Sel::Happened(past, _) => {
                let verb = self.link.verb_form(past.verb, 2);
                note(
                    saw,
                    format!("{} having been {verb}", self.thing_words(thing)),
                    if want { "no" } else { "yes" }.to_string(),
                );
            }
            _ => note(saw, self.thing_words(thing), if want { "another thing" } else { "the same thing" }.to_string()),
        }
    }

    fn note_values_of(&self, cx: &Cx, num: &Num, saw: &mut SeenValues) {
        match num {
            Num::Int(_) => {}
            Num::Attr(attr, of) | Num::Base(attr, of) | Num::AttrFor(attr, of, _) => match self.first(cx, of) {
                Some(t) => self.note_value(t, *attr, saw),
                None => note(saw, format!("what has the {}", self.attr_words(*attr)), "none".to_string()),
            },
            Num::Count(of) => {
                let of = self.sel_words(cx, of);
                let words = format!("number of things that are {} {of}", article(&of));
                note(saw, words, self.num(cx, num).to_string());
            }
            Num::Total(attr, of) => note(
                saw,
                format!("total {} of {}", self.attr_words(*attr), self.sel_words(cx, of)),
                self.num(cx, num).to_string(),
            ),
            Num::Extreme(attr, of, greatest) => note(
                saw,
                format!(
                    "{} {} of {}",
                    if *greatest { "highest" } else { "lowest" },
                    self.attr_words(*attr),
                    self.sel_words(cx, of)
                ),
                self.num(cx, num).to_string(),
            ),
            Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => {
                self.note_values_of(cx, a, saw);
                self.note_values_of(cx, b, saw);
            }
            Num::Max(parts) | Num::Min(parts) => parts.iter().for_each(|p| self.note_values_of(cx, p, saw)),
            Num::Given(_, _, a) => self.note_values_of(cx, a, saw),
            Num::Least(..) => note(saw, "the least for any group".to_string(), self.num(cx, num).to_string()),
            Num::Alternatives(base, parts) => {
                let chosen = parts.iter().rev().find(|(_, c)| self.cond(cx, c)).map(|(n, _)| n);
                self.note_values_of(cx, chosen.unwrap_or(base), saw);
            }
            Num::Slot(_) => note(saw, "the number".to_string(), self.num(cx, num).to_string()),
            Num::Role(role) => {
                let name = self.link.role_name(*role);
                note(saw, format!("the {name}"), self.num(cx, num).to_string());
            }
        }
    }

    /// A selection in few words: what it is about.
    pub(crate) fn sel_words(&self, cx: &Cx, sel: &Sel) -> String {
        let program = &self.link.program;
        let set = |s: &Set| self.set_words(s);
        match sel {
            Sel::Class(c) => self.link.class_name(*c).to_string(),
            Sel::Role(r) => format!("the {}", self.link.role_name(*r)),
            Sel::Named(n) => format!("\"{}\"", self.link.table.name(program, *n)),
            Sel::Flag(a) => self.attr_words(*a).to_string(),
            Sel::EntryIs(_, e) => self.entry_words(*e).to_string(),
            Sel::In(p, _) => format!("in {}", self.place_words(*p, None)),
            Sel::Top(p, ..) => format!("on top of {}", self.place_words(*p, None)),
            Sel::Not(inner) => format!("not {}", self.sel_words(cx, inner)),
            Sel::One(inner) => format!("the {}", self.sel_words(cx, inner)),
            Sel::Next { of, from, after } => {
                let side = if *after { "after" } else { "before" };
                format!("the next {} {side} {}", self.sel_words(cx, of), self.sel_words(cx, from))
            }
            Sel::And(_) => self.noun_words(cx, sel),
            Sel::Or(parts) => parts.iter().map(|p| self.sel_words(cx, p)).collect::<Vec<_>>().join(" or "),
            Sel::Image(a, of) => format!("the {} of {}", self.attr_words(*a), self.sel_words(cx, of)),
            Sel::Preimage(a, of) => format!("whose {} is {}", self.attr_words(*a), self.sel_words(cx, of)),
            Sel::NameIs(a, names) => {
                let names: Vec<String> = self
                    .names(cx, names)
                    .into_iter()
                    .map(|name| format!("\"{}\"", self.link.table.name(program, name)))
                    .collect();
                format!("whose {} is {}", self.attr_words(*a), names.join(" or "))
            }
            Sel::NumIs(a, ..) => format!("of such {}", self.attr_words(*a)),
            Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Group => set(&self.all(cx, sel)),
            Sel::Empty => "nothing".to_string(),
            Sel::All => "things".to_string(),
            Sel::EntryIsValue(..) | Sel::Where(_) | Sel::If(..) => "such things".to_string(),
            Sel::Would(prospect) => format!("what would {}", self.prospect_words(cx, prospect)),
            Sel::Happened(past, _) => {
                format!("what was {}", self.link.verb_form(past.verb, 2))
            }
        }
    }
}

impl Eval<'_> {
    /// The parts of a selection that say of what kind its things are: their class, and what is printed on them.
    fn kinds_in<'s>(&self, sel: &'s Sel) -> Vec<&'s Sel> {
        let prints = |attr: &AttrId| {
            self.link.program.cards.iter().any(|card| card.figures.iter().any(|(figure, _)| figure == attr))
        };
        let mut parts = Vec::new();
        flatten(sel, &mut parts);
        parts.retain(|part| match part {
            Sel::Class(_) => true,
            Sel::EntryIs(attr, _) => prints(attr),
            _ => false,
        });
        parts
    }

    /// A selection of several parts as a noun: what it is like, what it is, where it is and of what.
    fn noun_words(&self, cx: &Cx, sel: &Sel) -> String {
        let mut parts = Vec::new();
        flatten(sel, &mut parts);
        let (mut before, mut noun, mut behind) = (Vec::new(), None, Vec::new());
        for part in parts {
            let words = match part {
                // No words of its own: what it asks is told by what it saw.
                Sel::EntryIsValue(..) | Sel::Where(_) | Sel::If(..) | Sel::All => continue,
                Sel::Not(inner) => self.sel_words(cx, inner),
                _ => self.sel_words(cx, part),
            };
            match part {
                Sel::Class(_) if noun.is_none() => noun = Some(words),
                Sel::Flag(_) | Sel::EntryIs(..) => before.push(words),
                Sel::Or(any) if any.iter().all(is_adjective) => before.push(format!("({words})")),
                Sel::Not(inner) if is_adjective(inner) => before.push(format!("non-{words}")),
                Sel::Not(_) => behind.push(format!("that is not {words}")),
                Sel::In(..) | Sel::Top(..) | Sel::Preimage(..) | Sel::NameIs(..) | Sel::NumIs(..) => behind.push(words),
                _ => behind.push(format!("that is {words}")),
            }
        }
        before.push(noun.unwrap_or_else(|| "thing".to_string()));
        before.extend(behind);
        before.join(" ")
    }

    fn prospect_words(&self, cx: &Cx, prospect: &Prospect) -> String {
        match prospect {
            Prospect::Event(past) => self.link.verb_form(past.verb, 0).to_string(),
            Prospect::Cost(of) => format!("be paid with {}", self.sel_words(cx, of)),
            Prospect::Target(of) => format!("target {}", self.sel_words(cx, of)),
            Prospect::Effect(None) => "have an effect".to_string(),
            Prospect::Effect(Some(on)) => format!("have an effect on {}", self.sel_words(cx, on)),
            Prospect::Change(_) => "change that number".to_string(),
        }
    }
}

/// The parts of a selection that must all hold.
fn flatten<'s>(sel: &'s Sel, parts: &mut Vec<&'s Sel>) {
    match sel {
        Sel::And(inner) => inner.iter().for_each(|one| flatten(one, parts)),
        one => parts.push(one),
    }
}

/// True for what is said before a noun.
fn is_adjective(sel: &Sel) -> bool {
    matches!(sel, Sel::Flag(_) | Sel::EntryIs(..))
}

fn note(saw: &mut SeenValues, name: String, value: String) {
    if !saw.iter().any(|s| s.0 == name) {
        saw.push((name, value));
    }
}

/// What a condition saw, for messages.
pub(crate) fn saw(eval: &Eval, cx: &Cx, cond: &Cond) -> Vec<(String, String)> {
    let mut saw = SeenValues::new();
    eval.note_values(cx, cond, true, &mut saw);
    saw
}
