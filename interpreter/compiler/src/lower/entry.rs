//! Terms of lists.

use netrep_diagnostics::Code;
use netrep_ir::Ent;

use super::context::{Bound, Cx, Env, Low};
use super::several::Meant;
use crate::phrase::operators::{Fact, Literal, Predicate, Reference, Thing, View};
use crate::phrase::tree::Node;

impl Cx<'_> {
    /// A term of a list.
    pub(crate) fn ent(&mut self, node: &Node, env: &Env) -> Low<Ent> {
        match node.view() {
            View::Literal(literal) => match literal {
                Literal::Entry { entry } => Ok(Ent::Entry(self.out.symbols.entry(&entry.name))),
                Literal::Truth { .. } | Literal::Nothing {} => self.no_entry(node),
            },
            View::Fact(fact) => match fact {
                Fact::Of { fact, owner } => {
                    let s = self.sel_of_one(Meant::Fact, owner, env)?;
                    let info = self.attribute(fact, node.span)?;
                    Ok(Ent::Attr(info.id, Box::new(s)))
                }
                Fact::Printed { fact, owner } => {
                    let s = self.sel_of_one(Meant::Fact, owner, env)?;
                    let info = self.attribute(fact, node.span)?;
                    Ok(Ent::Base(info.id, Box::new(s)))
                }
                Fact::OfFor { .. } => self.no_entry(node),
            },
            View::Reference(reference) => match reference {
                Reference::Label { label } => match env.get(label) {
                    Some(Bound::Entry(e)) => Ok(e.clone()),
                    Some(Bound::Things(..) | Bound::Number(_)) | None => {
                        self.fail(Code::UnboundLabel, node.span, format!("`{label}` is not a term here"), None)
                    }
                },
                Reference::This {}
                | Reference::It {}
                | Reference::Name { .. }
                | Reference::Card { .. }
                | Reference::Role { .. }
                | Reference::Defined { .. } => self.no_entry(node),
            },
            View::Thing(thing) => match thing {
                Thing::Quantified { noun: inner, .. } | Thing::As { inner, .. } => self.ent(inner, env),
                Thing::Noun { .. }
                | Thing::Either { .. }
                | Thing::Top { .. }
                | Thing::Next { .. }
                | Thing::New { .. }
                | Thing::Place { .. } => self.no_entry(node),
            },
            View::Predicate(Predicate::IsEntry { entry }) => Ok(Ent::Entry(self.out.symbols.entry(&entry.name))),
            View::Predicate(_)
            | View::Number(_)
            | View::Logic(_)
            | View::Condition(_)
            | View::Event(_)
            | View::Act(_)
            | View::Change(_)
            | View::Part(_)
            | View::Malformed => self.no_entry(node),
        }
    }

    fn no_entry<T>(&mut self, node: &Node) -> Low<T> {
        let help = "one term stands here; of several each is said by itself: `FACT of X is A or FACT of X is B`";
        self.fail(Code::WrongSort, node.span, "a catalogue term is meant here, and this is none", Some(help))
    }
}
