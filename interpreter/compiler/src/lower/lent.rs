//! `X has the abilities of Y`: the abilities of other cards, which are named.
//!
//! Which cards bear the names, and what they may do, is known when all items are linked (`link/lent.rs`).

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;
use netrep_ir::{ClauseId, NameId, Sel};
use serde::{Deserialize, Serialize};

use super::context::{Cx, Env, Low};
use crate::phrase::tree::Node;

/// That some things have the abilities of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LowLent {
    /// The clause.
    pub clause: ClauseId,
    /// Who has them too, as long as its condition holds; in it `This` is the card that says so.
    pub who: Sel,
    /// Whose they are.
    pub of: Sel,
    /// Where it is said whose.
    pub span: Span,
}

/// The names that the things of a selection bear; `None`: it may be anything.
pub(crate) fn names_in(sel: &Sel) -> Option<Vec<NameId>> {
    match sel {
        Sel::Named(name) => Some(vec![*name]),
        Sel::And(parts) => parts.iter().find_map(names_in),
        Sel::Or(parts) => {
            let each: Option<Vec<_>> = parts.iter().map(names_in).collect();
            each.map(|each| each.concat())
        }
        _ => None,
    }
}

impl Cx<'_> {
    /// `X has the abilities of Y [if COND]`.
    pub(super) fn lent(&mut self, who: &Node, of: &Node, condition: Option<&Node>) -> Low<()> {
        let env = Env::default();
        let span = of.span;
        let who = self.sel(who, &env)?;
        let of = self.sel(of, &env)?;
        if names_in(&of).is_none() {
            let text = "whose abilities are meant is not known by name";
            let help = "name the cards: `the abilities of \"…\"`, or say the clauses: `X has { … }`";
            return self.fail(Code::NotSupported, span, text, Some(help));
        }
        let who = match condition {
            Some(condition) => Sel::If(Box::new(self.cond(condition, &env)?), Box::new(who), Box::new(Sel::Empty)),
            None => who,
        };
        self.out.lents.push(LowLent { clause: self.clause, who, of, span });
        Ok(())
    }
}
