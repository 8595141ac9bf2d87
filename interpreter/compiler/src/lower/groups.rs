//! Several different things that somebody chooses: `P chooses up to 2 boats as C`.
//!
//! They are chosen one after the other, each from what is left, and the label stands for all of them: first those that
//! must be chosen, as long as there are any, then those that may be. So each of them is a decision like any other, and
//! what may follow for one of them is looked ahead to for that one.

use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{Num, Sel, Several, SiteId, Statement, Val};

use super::context::{Bound, Cx, Env, Low};
use super::select::and;
use super::several::{Many, Meant};
use crate::phrase::tree::{Det, Node, Op, Sort};

/// How many different things are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// So many must be, if they are there.
    least: i64,
    /// So many may be; `None`: all that are there.
    most: Option<i64>,
}

impl Count {
    /// What a phrase says, if it says several.
    pub(super) fn of(what: &Node) -> Option<Count> {
        let (least, most) = match what.det()? {
            Det::Exactly(n) => (n, Some(n)),
            Det::UpTo(n) => (0, Some(n)),
            Det::AtLeast(n) => (n, None),
            Det::AnyNumber => (0, None),
            Det::A | Det::Another | Det::Each | Det::Any | Det::No | Det::The => return None,
        };
        Some(Count { least, most })
    }
}

impl Cx<'_> {
    /// How many things a declaration chooses at once, before anything of it happens.
    pub(super) fn several_at_declaration(&mut self, node: &Node, np: &Node, count: Count) -> Low<Several> {
        if let Sort::Entry(_) = &node.sort {
            let help = Some("say `a …`");
            return self.fail(Code::WrongDeterminer, np.span, "of terms one is chosen", help);
        }
        if count.most.is_some_and(|most| most < 1) {
            let help = Some("say how many, at least one, or leave it out");
            return self.fail(Code::NeverHolds, np.span, "of these none is ever chosen", help);
        }
        let least = self.fitting(count.least, np.span)?;
        let most = count.most.map(|most| self.fitting(most, np.span)).transpose()?;
        Ok(Several { least, most })
    }

    /// Refuses a choice of one thing that hangs on several that are chosen together: these are chosen last.
    pub(super) fn chosen_before(&mut self, np: &Node, groups: &[Arc<str>]) -> Low<()> {
        let Some((label, span)) = said_of(np, groups) else { return Ok(()) };
        let message = format!("`{label}` are several, which are chosen when all else is: this cannot hang on them");
        self.fail(Code::WrongDeterminer, span, message, Some("say it of them: `if … is …`"))
    }

    /// Appends the statements by which somebody, or chance, chooses several things, bound to `label` as a whole.
    pub(super) fn choose_several(
        &mut self,
        (who, what, label): (&Node, &Node, &str),
        count: Count,
        after: &[Node],
        env: &mut Env,
        site: SiteId,
    ) -> Low<Vec<(Statement, SiteId)>> {
        self.who(who)?;
        let by = if who.op == Op::Chance { None } else { Some(self.sel_of_one(Meant::Chooser, who, env)?) };
        if by.is_none() && count.most != Some(count.least) {
            let help = Some("say how many: `choose 2 … as X at random`");
            return self.fail(Code::WrongSort, what.span, "chance does not decide how many it chooses", help);
        }
        if count.most.is_some_and(|most| most < 1) {
            let help = Some("say how many, at least one, or leave it out");
            return self.fail(Code::NeverHolds, what.span, "of these none is ever chosen", help);
        }
        let from = self.sel(what, env)?;
        let all = env.slot_of(label, |slot| Bound::Things(Sel::Slot(slot), Many::Several));
        let one = env.slot();
        // What is done to all of them is done to each: so it is asked of the one that is being chosen.
        env.bind(label, Bound::Things(Sel::Slot(one), Many::One));
        let then = self.leads_to(after, label, env)?;
        env.bind(label, Bound::Things(Sel::Slot(all), Many::Several));
        let left = and(vec![from.clone(), Sel::Not(Box::new(Sel::Slot(all)))]);
        let more = Statement::LetSlot(all, Val::Things(Sel::Or(vec![Sel::Slot(all), Sel::Slot(one)])));
        let mut lines = vec![(Statement::LetSlot(all, Val::Things(Sel::Empty)), site)];
        if count.least > 0 {
            let least = Num::Int(self.fitting(count.least, what.span)?);
            let choice =
                Statement::Choose { by: by.clone(), from: left.clone(), slot: one, optional: None, then: then.clone() };
            let body = self.block(vec![(choice, site), (more.clone(), site)]);
            lines.push((Statement::RepeatTimes(least, body), site));
        }
        if count.most != Some(count.least) {
            let most = match count.most {
                Some(most) => Num::Int(self.fitting(most - count.least, what.span)?),
                None => Num::Count(Box::new(left.clone())),
            };
            let taken = self.block(vec![(more, site)]);
            let done = self.block(vec![(Statement::Stop, site)]);
            let choice = Statement::Choose { by, from: left, slot: one, optional: Some((taken, Some(done))), then };
            let body = self.block(vec![(choice, site)]);
            lines.push((Statement::RepeatTimes(most, body), site));
        }
        Ok(lines)
    }
}

/// The first of some labels that a phrase speaks of, and where.
fn said_of<'l>(np: &Node, labels: &'l [Arc<str>]) -> Option<(&'l Arc<str>, Span)> {
    let mut open = vec![np];
    while let Some(node) = open.pop() {
        if let Op::Label(label) = &node.op
            && let Some(said) = labels.iter().find(|known| *known == label)
        {
            return Some((said, node.span));
        }
        open.extend(node.kids.iter().rev());
    }
    None
}
