//! Continuous modifiers.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_ir::{AttrId, Change, EntryId, Modifier, ModifierId, Sel, ValueKind};

use super::context::{Bound, Cx, Env, Low};
use super::select::and;
use super::several::Many;
use crate::phrase::operators::{Change as ChangeView, View};
use crate::phrase::term::{Detail, Term, TypeName};
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
            | ChangeView::Acquires { who, .. }
            | ChangeView::CountsAs { who, .. }
            | ChangeView::TakesOver { who, .. } => who,
            ChangeView::Becomes { thing, .. } => thing,
            ChangeView::Scaled { modification, .. } => modification,
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
            ChangeView::Becomes { fact, value: [value], .. } => {
                let info = self.attribute(fact, node.span)?;
                if info.kind != ValueKind::Number {
                    return self.fail(
                        Code::NotSupported,
                        node.span,
                        format!("only numbers can be set by a modifier, and `{}` is none", fact.name),
                        Some("say which term it has besides, or no longer: `X gains TERM`, `X loses TERM`"),
                    );
                }
                (info.id, Change::Set(self.num(value, &inner)?))
            }
            ChangeView::Gains { term, .. } => {
                let (attr, entry) = self.held_term(term, np, node)?;
                (attr, Change::Gain(entry))
            }
            ChangeView::Loses { term, .. } => {
                let (attr, entry) = self.held_term(term, np, node)?;
                (attr, Change::Lose(entry))
            }
            ChangeView::Becomes { .. }
            | ChangeView::Acquires { .. }
            | ChangeView::CountsAs { .. }
            | ChangeView::TakesOver { .. }
            | ChangeView::Scaled { .. }
            | ChangeView::While { .. } => {
                return self.fail(Code::NotSupported, node.span, "this kind of modifier awaits its rules", None);
            }
        };
        self.out.modifiers.push(Modifier {
            clause: self.clause,
            card: None,
            attr,
            subject,
            cond,
            change,
            delayed,
            slots: env.most,
        });
        Ok(ModifierId::from_index(self.out.modifiers.len() - 1))
    }

    /// A term that a thing may have, and the fact that holds it: the one that is called like the list if things of its
    /// class have that, else the only one of theirs that holds such terms.
    fn held_term(&mut self, term: &TermKey, who: &Node, node: &Node) -> Low<(AttrId, EntryId)> {
        if term.kind == TermKind::Attribute {
            let text = format!("only terms of a list are gained and lost, and `{}` is none", term.name);
            let help = "say it with a term of a list that things can have printed, or `set` a state";
            return self.fail(Code::NotSupported, node.span, text, Some(help));
        }
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
            [name] => Ok((self.out.symbols.attr(name), self.out.symbols.entry(&term.name))),
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
