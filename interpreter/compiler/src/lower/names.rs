//! Facts of names: what a card prints is compared by name, whether or not anything in the game is called so.
//!
//! A place that wants things gets all that bear the name ([`Sel::Image`]); a comparison asks for the name itself.

use netrep_ir::{AttrId, Cond, Names, Sel};

use super::context::{Cx, Env, Low};
use super::select::and;
use crate::phrase::operators::{Fact, Predicate, Reference, Thing, View};
use crate::phrase::tree::Node;

impl Cx<'_> {
    /// The fact of names that a phrase is, with the phrase whose it is.
    fn printed_names<'n>(&mut self, node: &'n Node) -> Low<Option<(AttrId, &'n Node)>> {
        let View::Fact(Fact::Of { fact, owner }) = node.view() else { return Ok(None) };
        let info = self.attribute(fact, node.span)?;
        Ok(info.names.then_some((info.id, owner)))
    }

    /// What a phrase for things means where names are compared.
    fn names(&mut self, node: &Node, env: &Env) -> Low<Names> {
        match node.view() {
            View::Reference(Reference::Name { name }) => return Ok(Names::One(self.out.symbols.name(name))),
            View::Thing(Thing::Either { parts }) => {
                return Ok(Names::Any(parts.iter().map(|part| self.names(part, env)).collect::<Low<_>>()?));
            }
            View::Predicate(Predicate::Same { other }) => return self.names(other, env),
            _ => {}
        }
        Ok(match self.printed_names(node)? {
            Some((attr, owner)) => Names::Printed(attr, self.sel(owner, env)?),
            None => Names::Called(self.sel(node, env)?),
        })
    }

    /// The things on which a fact of names prints what a phrase is called.
    pub(super) fn name_is(&mut self, attr: AttrId, value: &Node, env: &Env) -> Low<Sel> {
        Ok(Sel::NameIs(attr, Box::new(self.names(value, env)?)))
    }

    /// `FACT of NP is THINGS`, of a fact of names: those of the noun phrase on which such a name is printed.
    pub(super) fn names_hold(&mut self, np: &Node, other: &Node, env: &Env) -> Low<Option<Cond>> {
        if !is_same(other) {
            return Ok(None);
        }
        let Some((attr, owner)) = self.printed_names(np)? else { return Ok(None) };
        let of = self.sel(owner, env)?;
        Ok(Some(Cond::Some(and(vec![of, self.name_is(attr, other, env)?]))))
    }
}

/// True for a phrase that says which things something is, not how it is.
pub(super) fn is_same(node: &Node) -> bool {
    matches!(
        node.view(),
        View::Predicate(Predicate::Same { .. }) | View::Reference(_) | View::Thing(_) | View::Fact(Fact::Of { .. })
    )
}
