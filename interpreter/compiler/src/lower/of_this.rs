//! What a card says of itself: of which class it must be for that to be so.
//!
//! A verb, an adjective and a relation say of which class their things are. A card is of a class by what it prints, and by
//! what others give it, so that only the whole program can tell whether it can ever be of one.

use netrep_grammar::tree::Span;
use netrep_ir::Sel;
use serde::{Deserialize, Serialize};

use super::context::Cx;
use crate::phrase::clause::{ClauseKind, ReadClause, blocks, nodes};
use crate::phrase::operators::{Act, Condition, Event, Predicate, View};
use crate::phrase::term::{Detail, Param, TypeName, Use};
use crate::phrase::tree::{Node, Op, TermKey, TermKind};

/// Something that a card says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OfThis {
    /// Where.
    pub span: Span,
    /// What the card must be.
    pub wanted: Sel,
    /// The word that wants it, and the class that it wants.
    pub words: (String, String),
}

impl Cx<'_> {
    /// Notes what a clause of a card says of the card.
    pub(super) fn note_of_this(&mut self, read: &ReadClause) {
        nodes(&read.kind).into_iter().for_each(|node| self.node_of_this(node));
        // What is given to another thing is said of that.
        if !matches!(read.kind, ClauseKind::Carried { .. }) {
            blocks(&read.kind).into_iter().flatten().for_each(|inner| self.note_of_this(inner));
        }
    }

    fn node_of_this(&mut self, node: &Node) {
        match node.view() {
            View::Act(Act::Do { verb, roles })
            | View::Event(Event::Event { verb, roles })
            | View::Condition(Condition::Did { verb, roles, .. }) => {
                if let Some(term) = self.ctx.term(verb)
                    && let Detail::Verb { frame } = &term.detail
                {
                    for (role, said) in frame.roles.iter().zip(roles) {
                        self.is_this(said, &role.param, &term.said(Use::Base));
                    }
                }
            }
            View::Condition(Condition::Holds { subject, predicate }) => match predicate.negated().0.view() {
                View::Predicate(Predicate::Is { term }) => {
                    if let Some(Detail::Adjective { of }) = self.ctx.term(term).map(|term| term.detail.clone()) {
                        self.is_this(subject, &of, &term.name);
                    }
                }
                View::Predicate(Predicate::Relates { relation, other }) => {
                    self.related(relation, subject, other);
                }
                View::Predicate(Predicate::RelatedBy { relation, other }) => {
                    self.related(relation, other, subject);
                }
                _ => {}
            },
            _ => {}
        }
        node.kids.iter().for_each(|kid| self.node_of_this(kid));
    }

    fn related(&mut self, relation: &TermKey, one: &Node, other: &Node) {
        if let Some(term) = self.ctx.term(relation)
            && let Detail::Relation { subject, object } = &term.detail
        {
            self.is_this(one, subject, &term.said(Use::Relates));
            self.is_this(other, object, &term.said(Use::Relates));
        }
    }

    fn is_this(&mut self, said: &Node, wanted: &Param, word: &str) {
        if said.labelled().1.op != Op::This {
            return;
        }
        let mut sels = Vec::new();
        for class in &wanted.types {
            let TypeName::Named(class) = class else { return };
            let key = TermKey { kind: TermKind::Class, name: class.clone() };
            let Ok(sel) = self.class(&key, said.span) else { return };
            sels.push(sel);
        }
        let names: Vec<&str> = wanted.types.iter().filter_map(|of| of.class().map(|of| &**of)).collect();
        let words = (word.to_owned(), names.join(" or "));
        self.out.of_this.push(OfThis { span: said.span, wanted: Sel::Or(sels), words });
    }
}
