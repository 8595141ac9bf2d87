//! Conditions that always hold: those whose contrary never does.
//!
//! What is asked of a fact that a thing may lack (the bearer of what nobody bears) also asks whether it is there, and is
//! not told.

use std::collections::BTreeSet;
use std::sync::Arc;

use netrep_diagnostics::Code;
use netrep_grammar::tree::Span;

use super::{Asked, Judge};
use crate::finding::Finding;
use crate::phrase::clause::{ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Condition, View};
use crate::phrase::tree::{Det, Node, Op};

/// The labels of a clause that may stand for nothing: of a choice where there was none to choose, of a value.
pub(super) fn may_be_absent(clause: &ReadClause, open: &mut BTreeSet<Arc<str>>) {
    fn within(node: &Node, open: &mut BTreeSet<Arc<str>>) {
        if let View::Act(Act::Choose { label, .. } | Act::LetLabel { label, .. }) = node.view() {
            open.insert(label.clone());
        }
        node.kids.iter().for_each(|kid| within(kid, open));
    }
    nodes(&clause.kind).into_iter().for_each(|node| within(node, open));
    blocks(&clause.kind).into_iter().flatten().for_each(|inner| may_be_absent(inner, open));
}

impl Judge<'_> {
    /// True for what is not absent where something is asked of it.
    pub(super) fn is_there(&self, node: &Node) -> bool {
        match &node.op {
            Op::This | Op::It => true,
            Op::Label(label) => !self.open.contains(label),
            _ => false,
        }
    }

    /// Tells a condition that always holds, since its contrary never does.
    pub(super) fn always(&mut self, node: &Node) {
        if let View::Condition(Condition::Exists { things } | Condition::Holds { subject: things, .. }) = node.view()
            && let Some(Det::AtLeast(0)) = things.det()
        {
            return self.tell_always(node.span, "there are never fewer than none");
        }
        let mut asked = Asked { contrary: true, ..Asked::default() };
        self.of_condition(node, false, 0, &mut asked);
        self.of_sorts(&mut asked);
        if let Some(conflict) = self.conflict(&asked) {
            self.tell_always(node.span, &conflict.what);
        }
    }

    pub(super) fn tell_always(&mut self, span: Span, what: &str) {
        let error = Finding::new(Code::AlwaysHolds, span, format!("this always holds: {what}"));
        self.errors.push(error.help("leave it out, or say what is meant"));
    }
}
