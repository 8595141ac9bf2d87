//! Continuous modifiers.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{AttrId, Change, Cond, Ent, EntryId, Modifier, ModifierId, Num, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::select::and;
use super::several::Many;
use crate::phrase::operators::{Change as ChangeView, Literal, Thing, View};
use crate::phrase::term::{Detail, Origin, Term, TypeName};
use crate::phrase::tree::{Node, Op, Sort, TermKey, TermKind};

impl Cx<'_> {
    /// A modifier, in force while its card functions, or (`delayed`) only as an effect.
    pub(crate) fn modifier(
        &mut self,
        node: &Node,
        condition: Option<&Node>,
        env: &Env,
        delayed: bool,
    ) -> Low<ModifierId> {
        let View::Change(change) = node.view() else {
            return self.fail(Code::NotSupported, node.span, "this kind of modifier awaits its rules", None);
        };
        let np = match change {
            // `MODIFIER while COND` and `while COND: MODIFIER` are the same; both conditions hold.
            ChangeView::While { change, condition: cond } => {
                let Some(outer) = condition else { return self.modifier(change, Some(cond), env, delayed) };
                let both = Node {
                    op: Op::And,
                    sort: cond.sort.clone(),
                    kids: vec![outer.clone(), cond.clone()],
                    span: cond.span,
                };
                return self.modifier(change, Some(&both), env, delayed);
            }
            ChangeView::Gets { who, .. }
            | ChangeView::Gains { who, .. }
            | ChangeView::Loses { who, .. }
            | ChangeView::Turns { who, .. }
            | ChangeView::Acquires { who, .. }
            | ChangeView::Sheds { who, .. } => who,
            ChangeView::Becomes { thing, .. } => thing,
        };
        let mut subject = self.sel(np, env)?;
        let mut inner = env.under_binder();
        inner.it = Some(Sel::It(0));
        let mut cond = None;
        if let (Some(label), _) = np.labelled() {
            // The condition may speak of the very thing that is modified.
            inner.bind(label, Bound::Things(Sel::It(0), Many::One));
            if let Some(c) = condition {
                subject = and(vec![subject, self.set_where(c, label, env)?]);
            }
        } else if let Some(c) = condition {
            cond = Some(self.cond(c, env)?);
        }
        let (attr, change) = match change {
            ChangeView::Gets { fact, amount, most, least, .. } => {
                let info = self.attribute(fact, node.span)?;
                if info.kind != ValueKind::Number {
                    return self.fail(Code::WrongSort, node.span, format!("`{}` is not a number", fact.name), None);
                }
                let cap = |cx: &mut Self, n: &Node| n.present().map(|n| cx.num(n, &inner)).transpose();
                let amount = self.num(amount, &inner)?;
                (info.id, Change::Add { amount, max: cap(self, most)?, min: cap(self, least)? })
            }
            ChangeView::Becomes { fact, value, .. } => {
                let info = self.attribute(fact, node.span)?;
                let (code, help) = match info.kind {
                    ValueKind::Number => {
                        let set = Change::Set(self.num(value, &inner)?);
                        return self.modify(info.id, subject, cond, set, delayed, env);
                    }
                    ValueKind::Entry(_) | ValueKind::Entries(_) => {
                        if let Ent::Entry(entry) = self.ent(value, &inner)? {
                            return self.modify(info.id, subject, cond, Change::Become(entry), delayed, env);
                        }
                        (Code::WrongSort, "name the term: the order of modifiers is known before the game")
                    }
                    ValueKind::Flag => (Code::WrongSort, "say `X gains FACT`, `X loses FACT`"),
                    ValueKind::Thing(_) | ValueKind::Things(_) if self.is_state(fact, node.span)? => {
                        let things = match value.view() {
                            View::Literal(Literal::Nothing {}) => Sel::Empty,
                            _ => self.sel(value, &inner)?,
                        };
                        let one = matches!(info.kind, ValueKind::Thing(_));
                        let things = if one { Sel::One(Box::new(things)) } else { things };
                        return self.modify(info.id, subject, cond, Change::Hold(things), delayed, env);
                    }
                    ValueKind::Thing(_) | ValueKind::Things(_) => {
                        (Code::WrongFigure, "what is printed or derived holds what it says: declare a `state`")
                    }
                    ValueKind::NumberFor(_) => (Code::WrongSort, "say it of one number"),
                };
                let text = format!("a modifier cannot say what `{}` is", fact.name);
                return self.fail(code, node.span, text, Some(help));
            }
            ChangeView::Gains { term, .. } => self.held(term, np, node, Some(true))?,
            ChangeView::Loses { term, .. } => self.held(term, np, node, Some(false))?,
            ChangeView::Turns { term, .. } => self.held(term, np, node, None)?,
            ChangeView::Acquires { what, .. } => self.gained(np, what, &inner)?,
            ChangeView::Sheds { what, .. } => self.shed(np, what, &inner)?,
            ChangeView::While { .. } => {
                return self.fail(Code::NotSupported, node.span, "this kind of modifier awaits its rules", None);
            }
        };
        self.modify(attr, subject, cond, change, delayed, env)
    }

    /// Whether a fact is a state.
    fn is_state(&mut self, fact: &TermKey, span: Span) -> Low<bool> {
        let term = self.term(fact, span)?;
        Ok(matches!(&term.detail, Detail::Attribute { origin: Origin::State, .. }))
    }

    fn modify(
        &mut self,
        attr: AttrId,
        subject: Sel,
        cond: Option<Cond>,
        change: Change,
        delayed: bool,
        env: &Env,
    ) -> Low<ModifierId> {
        let clause = self.clause;
        self.out.modifiers.push(Modifier {
            clause,
            card: None,
            within: None,
            carriers: None,
            ends: None,
            attr,
            subject,
            cond,
            change,
            delayed,
            slots: env.most,
        });
        Ok(ModifierId::from_index(self.out.modifiers.len() - 1))
    }

    /// A thing that cards have more, and the fact by which it knows whose it is.
    fn gained(&mut self, who: &Node, what: &Node, env: &Env) -> Low<(AttrId, Change)> {
        let View::Thing(Thing::New { class, facts, from, values }) = what.view() else {
            let help = Some("say what it is: `gains a new CLASS with FACT VALUE, …`");
            return self.fail(
                Code::WrongTarget,
                what.span,
                "what is gained is made for it, and this is there already",
                help,
            );
        };
        self.of_the_game(&class.name, what.span, "made in a game")?;
        let host = self.host(who, &class.name, what.span)?;
        if facts.iter().any(|fact| *fact.name == *host) {
            let text = format!("its `{host}` is what gains it, by the kernel");
            return self.fail(Code::WrongFigure, what.span, text, Some("leave it out"));
        }
        let brought = self.novelty((class, facts, from, values), what.span, env)?;
        Ok((self.out.symbols.attr(&host), Change::Bring(Box::new(brought))))
    }

    /// What is not there of what cards have, and the fact by which it knows whose it is.
    fn shed(&mut self, who: &Node, what: &Node, env: &Env) -> Low<(AttrId, Change)> {
        let class = match &what.sort {
            Sort::Thing(class) => class.clone(),
            _ => {
                let help = Some("name them by a phrase that says of what class they are");
                return self.fail(Code::WrongSort, what.span, "what these are is open", help);
            }
        };
        let host = self.host(who, &class, what.span)?;
        Ok((self.out.symbols.attr(&host), Change::Withhold(self.sel(what, env)?)))
    }

    /// The fact by which things of a class know the card that has them.
    fn host(&mut self, who: &Node, class: &str, span: Span) -> Low<Arc<str>> {
        let of_card = match &who.sort {
            Sort::Thing(owner) => *self.base_name(owner) == *self.ctx.card_class(),
            _ => false,
        };
        if !of_card {
            let help = Some("say of which cards it is");
            return self.fail(Code::WrongSort, who.span, "only cards have things of their own", help);
        }
        let base = self.base_name(class);
        match self.ctx.host_of(&base) {
            Some(host) => Ok(host),
            None => {
                let text = format!("no attribute leads from a {base} to the card that has it");
                let help = format!("say `host {base} by ATTRIBUTE.` in `kernel services`");
                self.fail(Code::NoHost, span, text, Some(&help))
            }
        }
    }

    /// What a thing has more (true), less (false), or in place of all others: a term, or a yes-or-no fact.
    fn held(&mut self, term: &TermKey, who: &Node, node: &Node, more: Option<bool>) -> Low<(AttrId, Change)> {
        if term.kind == TermKind::Attribute {
            let info = self.attribute(term, node.span)?;
            return match (info.kind, more) {
                (ValueKind::Flag, Some(more)) => Ok((info.id, Change::Set(Num::Int(i32::from(more))))),
                (ValueKind::Flag, None) => {
                    let text = format!("`{}` is a yes-or-no fact", term.name);
                    self.fail(Code::WrongSort, node.span, text, Some("say `X gains FACT`, `X loses FACT`"))
                }
                (_, _) => {
                    let text = format!("`{}` is neither a term nor a yes-or-no fact", term.name);
                    self.fail(Code::WrongSort, node.span, text, Some("name a term of a list that such things can have"))
                }
            };
        }
        let (attr, kind, entry) = self.held_term(term, who, node)?;
        match (kind, more) {
            (_, None) => Ok((attr, Change::Become(entry))),
            (ValueKind::Entry(_), Some(_)) => {
                let text = format!("such a thing has one term of the kind of `{}`, and no other beside it", term.name);
                self.fail(Code::WrongSort, node.span, text, Some("say what it is in place of that: `X becomes TERM`"))
            }
            (_, Some(true)) => Ok((attr, Change::Gain(entry))),
            (_, Some(false)) => Ok((attr, Change::Lose(entry))),
        }
    }

    /// A term that a thing may have, and the fact that holds it: the one that is called like the list if things of its
    /// class have that, else the only one of theirs that holds such terms.
    fn held_term(&mut self, term: &TermKey, who: &Node, node: &Node) -> Low<(AttrId, ValueKind, EntryId)> {
        let list = self.list_of(term, node.span)?;
        let mut facts = self.ctx.holders(&list);
        if let Sort::Thing(class) = &who.sort {
            facts.retain(|fact| self.has_fact(class, fact));
            if let Some(fact) = facts.iter().find(|fact| fact.key.name == list) {
                facts = vec![Arc::clone(fact)];
            }
            // Of several, those that are printed on such things.
            if facts.len() > 1 {
                facts.retain(|fact| self.has_printed(class, fact));
            }
        } else {
            facts.retain(|fact| fact.key.name == list);
        }
        let mut names: Vec<Arc<str>> = facts.iter().map(|fact| fact.key.name.clone()).collect();
        names.dedup();
        match names.as_slice() {
            [name] => {
                let key = TermKey { kind: TermKind::Attribute, name: name.clone() };
                let info = self.attribute(&key, node.span)?;
                Ok((info.id, info.kind, self.out.symbols.entry(&term.name)))
            }
            [] => {
                let of = self.words(who);
                let text = format!("there is no fact of {of} that holds a term of the list `{list}`");
                self.fail(Code::WrongSort, node.span, text, Some("declare one: `figure NAME of CLASS: LIST, many.`"))
            }
            several => {
                let text = format!("each of these may hold `{}`: `{}`", term.name, several.join("`, `"));
                self.fail(Code::WrongSort, node.span, text, Some("call one of them as the list is called"))
            }
        }
    }

    /// True for a fact of the things of a class.
    fn has_fact(&self, class: &str, fact: &Term) -> bool {
        let base = self.base_name(class);
        let is_of = |ty: &TypeName| matches!(ty, TypeName::Named(name) if self.base_name(name) == base);
        matches!(&fact.detail, Detail::Attribute { of, .. } if of.types.iter().any(is_of))
    }

    /// True for a fact that cards of a class may have printed.
    fn has_printed(&self, class: &str, fact: &Term) -> bool {
        let is_on = |one: &Arc<str>| self.is_part_of(class, one) || self.is_part_of(one, class);
        matches!(&fact.detail, Detail::Attribute { on, .. } if on.is_empty() || on.iter().any(is_on))
    }
}
