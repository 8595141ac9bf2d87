//! What the program calls what it declares, and what it says of it.

use netrep_ir::*;

use crate::position::link::Link;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $id:ty, $table:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(&self, id: $id) -> &str {
            // total: a submission may name a step or an entry that is none; the refusal says `?`.
            self.program.$table.get(id.index()).map_or("?", |one| one.name.as_str())
        }
    )*};
}

impl Link {
    names! {
        /// The words of an attribute.
        attr_name: AttrId, attrs;
        /// The word of a base class.
        class_name: ClassId, classes;
        /// The words of an entry of an enumeration.
        entry_name: EntryId, entries;
        /// The words of a kind of zone.
        place_name: PlaceId, places;
        /// The words of a procedure.
        proc_name: ProcId, procs;
        /// The words of a role.
        role_name: RoleId, roles;
        /// The name of a step.
        step_name: StepId, steps;
    }

    /// A form of a verb: base, third person, participle.
    pub(crate) fn verb_form(&self, verb: VerbId, n: usize) -> &str {
        &self.program.verb(verb).forms[n]
    }

    /// The standing triggers of a verb.
    pub(crate) fn triggers_of(&self, verb: VerbId) -> &[TriggerId] {
        &self.triggers[verb.index()]
    }

    /// The standing norms of a verb.
    pub(crate) fn norms_of(&self, verb: VerbId) -> &[NormId] {
        &self.norms[verb.index()]
    }

    /// The standing modifiers of an attribute.
    pub(crate) fn modifiers_of(&self, attr: AttrId) -> &[ModifierId] {
        &self.modifiers[attr.index()]
    }

    /// The allowances of a card.
    pub(crate) fn allowances_of(&self, card: CardId) -> &[AllowanceId] {
        &self.analysis.of_card[card.index()]
    }

    /// The clause of a trigger.
    pub(crate) fn trigger_clause(&self, trigger: TriggerId) -> ClauseId {
        self.program.trigger(trigger).clause
    }
}
