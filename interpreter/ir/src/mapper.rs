//! What rewrites ids, and what has ids in it.

use crate::expr::{Cond, Sel};
use crate::ids::*;

/// What to do with each kind of id. Every method defaults to leaving the id alone.
#[allow(missing_docs, reason = "one method per kind of id")]
pub trait Mapper {
    fn class(&mut self, id: ClassId) -> ClassId {
        id
    }
    fn list(&mut self, id: ListId) -> ListId {
        id
    }
    fn entry(&mut self, id: EntryId) -> EntryId {
        id
    }
    fn attr(&mut self, id: AttrId) -> AttrId {
        id
    }
    /// An attribute that is read before any modifier.
    fn base(&mut self, id: AttrId) -> AttrId {
        self.attr(id)
    }
    fn verb(&mut self, id: VerbId) -> VerbId {
        id
    }
    /// A verb of which it is asked whether it is forbidden.
    fn barred(&mut self, id: VerbId) -> VerbId {
        self.verb(id)
    }
    /// What effects are in force is asked.
    fn in_force(&mut self) {}
    fn role(&mut self, id: RoleId) -> RoleId {
        id
    }
    fn place(&mut self, id: PlaceId) -> PlaceId {
        id
    }
    fn proc(&mut self, id: ProcId) -> ProcId {
        id
    }
    fn step(&mut self, id: StepId) -> StepId {
        id
    }
    fn clause(&mut self, id: ClauseId) -> ClauseId {
        id
    }
    fn action(&mut self, id: ActionId) -> ActionId {
        id
    }
    fn block(&mut self, id: BlockId) -> BlockId {
        id
    }
    fn modifier(&mut self, id: ModifierId) -> ModifierId {
        id
    }
    fn trigger(&mut self, id: TriggerId) -> TriggerId {
        id
    }
    fn norm(&mut self, id: NormId) -> NormId {
        id
    }
    fn spare(&mut self, id: SpareId) -> SpareId {
        id
    }
    fn allowance(&mut self, id: AllowanceId) -> AllowanceId {
        id
    }
    fn name(&mut self, id: NameId) -> NameId {
        id
    }
    fn site(&mut self, id: SiteId) -> SiteId {
        id
    }
    /// Selections that are joined, when all in them has been mapped: they may be put in another order.
    fn sels(&mut self, parts: &mut Vec<Sel>) {
        let _ = parts;
    }
    /// The same of conditions.
    fn conds(&mut self, parts: &mut Vec<Cond>) {
        let _ = parts;
    }
    /// An `It(k)` below `binders` per-thing expressions of the mapped tree.
    fn it(&mut self, k: u8, binders: u8) -> u8 {
        let _ = binders;
        k
    }
}

/// A tree whose ids can be rewritten in place.
pub trait Map {
    /// Rewrites every id. `b` counts the per-thing binders above, for [`Mapper::it`].
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8);
}

impl<T: Map> Map for Vec<T> {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.iter_mut().for_each(|x| x.map_ids(m, b));
    }
}

impl<T: Map> Map for Option<T> {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        self.iter_mut().for_each(|x| x.map_ids(m, b));
    }
}

impl<T: Map> Map for Box<T> {
    fn map_ids(&mut self, m: &mut impl Mapper, b: u8) {
        (**self).map_ids(m, b);
    }
}
