//! The linked program.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::clause::*;
use crate::declare::*;
use crate::expr::*;
use crate::identity::{IdKind, Identities, names};
use crate::ids::*;
use crate::memo::Memo;
use crate::place::Place;
use crate::statement::*;
use crate::text::Text;

/// Which declared terms serve the engine's own needs. Everything else is unknown to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Services {
    /// The class of players.
    pub player: ClassId,
    /// The class of cards.
    pub card: ClassId,
    /// The attribute that says which player controls a thing (`you`), if the game has one.
    pub controller: Option<AttrId>,
    /// The things whose clauses function.
    pub functioning: Option<Sel>,
    /// Who orders simultaneous triggers.
    pub orderer: Option<Sel>,
    /// The procedure that is performed before what follows is resolved, if a thing carries any of it: its windows let
    /// players answer.
    pub answers: Option<ProcId>,
    /// How a nameless thing of a class is described in words: by the name of the value of an attribute.
    pub described: Vec<(ClassId, AttrId)>,
    /// The attribute by which a thing printed on a card knows that card, by class.
    pub hosts: Vec<(ClassId, AttrId)>,
    /// The class of rolls as things, and the attribute that says who rolls.
    #[serde(default)]
    pub roll: Option<(ClassId, AttrId)>,
    /// The attribute of a roll that says what is rolled for, if that is of its kind.
    #[serde(default)]
    pub rolled: Option<(ClassId, AttrId)>,
    /// The number of a roll that comes of it.
    #[serde(default)]
    pub total: Option<(ClassId, AttrId)>,
    /// The procedure that is performed around each roll.
    #[serde(default)]
    pub around: Option<ProcId>,
    /// The class of what is declared and not resolved, as a thing, and the attribute that says which card's it is.
    #[serde(default)]
    pub declaration: Option<(ClassId, AttrId)>,
    /// The attribute that says who has declared it.
    #[serde(default)]
    pub declarer: Option<(ClassId, AttrId)>,
    /// The attribute of names that holds what a card itself is called: the linker fills it, and no card prints it.
    pub called: Option<AttrId>,
    /// The attribute of names that prints what else a card is called: what is printed on one holds for all that it names, so
    /// the linker closes it over all cards.
    #[serde(default)]
    pub aliases: Option<AttrId>,
    /// The verb that using a `may` clause of a card is.
    pub ability: Option<VerbId>,
    /// The role that `against` asks for: the other side of a contest.
    pub against: Option<RoleId>,
    /// The fact of players that says how the game ended for them.
    pub outcome: Option<AttrId>,
    /// The number of players whose sum says how long the game has lasted.
    pub clock: Option<AttrId>,
    /// The number of players by which they stand around the table; where it is equal, the older comes first.
    #[serde(default)]
    pub seat: Option<AttrId>,
    /// The number of players by which a greedy player judges a position.
    pub valuation: Option<AttrId>,
    /// Numbers of players that a report of the game shows.
    pub reports: Vec<AttrId>,
    /// The attribute that holds the players to whom a thing is revealed where it lies hidden. The engine empties it
    /// when the thing comes into a hidden place or is shuffled there.
    pub revealed: Option<AttrId>,
    /// The attribute that holds the players who may not look at a thing where it lies open. The engine empties it when the
    /// thing leaves an open place, or comes into a hidden one.
    #[serde(default)]
    pub concealed: Option<AttrId>,
    /// Modifiers whose source is in the n-th selection come at stage n, all others last.
    pub stages: Vec<Sel>,
    /// The number of cards that orders modifiers within a stage by their source: from 1 up, and last those that have 0.
    pub rank: Option<AttrId>,
    /// The numbers of things of a class of which modifiers of one stage and rank are applied in the order by which they are
    /// greatest.
    #[serde(default)]
    pub greatest: Vec<(ClassId, AttrId)>,
    /// Of several cards of a name, those in the first of these that holds any are meant where a player's cards are named.
    #[serde(default)]
    pub versions: Vec<Sel>,
    /// Of several cards of a name, those of the first of these sets are meant: how their ids begin.
    #[serde(default)]
    pub sets: Vec<String>,
    /// The verb that happens, with the orderer as its subject, when all that was declared in a window has been resolved.
    pub resolved: Option<VerbId>,
    /// The steps of which a position shows what they have done: where it stands behind one, that has been done.
    #[serde(default)]
    pub evident: Vec<StepId>,
}

/// What a roll is from before it is thrown until what it is rolled for knows its total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rolling {
    /// The class of rolls.
    pub class: ClassId,
    /// The procedure that is performed for each. In its steps dice are thrown.
    pub around: ProcId,
    /// The attribute that says who rolls.
    pub roller: AttrId,
    /// The number that comes of it: what the procedure has stored there.
    pub total: AttrId,
    /// The attribute that says what is rolled for, if that is of its kind.
    pub subject: Option<AttrId>,
}

impl Services {
    /// How rolls are things, if the game has them so.
    pub fn rolling(&self) -> Option<Rolling> {
        let ((class, roller), (_, total), around) = (self.roll?, self.total?, self.around?);
        Some(Rolling { class, around, roller, total, subject: self.rolled.map(|(_, attr)| attr) })
    }
}

/// A place in the source, for explanations.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The clause.
    pub clause: ClauseId,
    /// The range in the file.
    pub place: Place,
    /// The phrase as English.
    pub text: Text,
}

/// A linked program. Tables are indexed by the ids of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Program {
    /// Base classes.
    pub classes: Vec<ClassDecl>,
    /// Enumerations.
    pub lists: Vec<ListDecl>,
    /// Entries.
    pub entries: Vec<EntryDecl>,
    /// Attributes.
    pub attrs: Vec<AttrDecl>,
    /// Verbs.
    pub verbs: Vec<VerbDecl>,
    /// Roles.
    pub roles: Vec<RoleDecl>,
    /// Places.
    pub places: Vec<PlaceDecl>,
    /// Procedures.
    pub procs: Vec<ProcDecl>,
    /// Steps.
    pub steps: Vec<StepDecl>,
    /// Clauses.
    pub clauses: Vec<ClauseDecl>,
    /// Blocks.
    pub blocks: Vec<Block>,
    /// Sites.
    pub sites: Vec<Site>,
    /// Allowances.
    pub allowances: Vec<Allowance>,
    /// Kinds of declaration.
    pub actions: Vec<ActionDecl>,
    /// Triggers and replacements.
    pub triggers: Vec<Trigger>,
    /// Modifiers.
    pub modifiers: Vec<Modifier>,
    /// Norms.
    pub norms: Vec<Norm>,
    /// What rules ask of passive conditions.
    pub guards: Vec<Guard>,
    /// What effects leave as it is.
    pub spares: Vec<Spare>,
    /// Rules that other clauses express.
    #[serde(default)]
    pub rests: Vec<Rest>,
    /// Invariants.
    pub invariants: Vec<Invariant>,
    /// Cards.
    pub cards: Vec<CardDecl>,
    /// Names.
    pub names: Vec<String>,
    /// Words that have been renamed: what they are called, and what they were called before.
    #[serde(default)]
    pub former: Vec<(String, String)>,
    /// Services.
    pub services: Services,
    /// What everything is called, see [`Program::identities`].
    #[serde(skip)]
    pub identities: Memo<Identities>,
    /// What the ids of each kind are called, see [`Program::names_of`].
    #[serde(skip)]
    pub called: [Memo<Vec<String>>; IdKind::ALL.len()],
    /// What an engine has worked out, see [`Program::analysis`].
    #[serde(skip)]
    pub analysis: Memo<Arc<dyn Any + Send + Sync>>,
}

/// One thing of each table. Ids come with the program: one of another program is a mistake in the caller, who checks an id
/// that comes from outside against the table itself.
macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident: $id:ty, $table:ident -> $decl:ty;)*) => {
        impl Program {$(
            $(#[$doc])*
            #[inline]
            pub fn $name(&self, id: $id) -> &$decl {
                &self.$table[id.index()]
            }
        )*}
    };
}

tables! {
    /// An enumeration.
    list: ListId, lists -> ListDecl;
    /// An attribute.
    attr: AttrId, attrs -> AttrDecl;
    /// A verb.
    verb: VerbId, verbs -> VerbDecl;
    /// A place.
    place: PlaceId, places -> PlaceDecl;
    /// A procedure.
    proc: ProcId, procs -> ProcDecl;
    /// A step.
    step: StepId, steps -> StepDecl;
    /// A block.
    block: BlockId, blocks -> Block;
    /// An allowance.
    allowance: AllowanceId, allowances -> Allowance;
    /// A kind of declaration.
    action: ActionId, actions -> ActionDecl;
    /// A trigger or replacement.
    trigger: TriggerId, triggers -> Trigger;
    /// A modifier.
    modifier: ModifierId, modifiers -> Modifier;
    /// A norm.
    norm: NormId, norms -> Norm;
    /// What spares things.
    spare: SpareId, spares -> Spare;
    /// A card.
    card: CardId, cards -> CardDecl;
}

/// What is common to all that can be put in force.
#[derive(Clone, Copy, Debug)]
pub struct Laid<'p> {
    /// The clause.
    pub clause: ClauseId,
    /// What carries it in place of what put it in force.
    pub carriers: Option<&'p Sel>,
    /// When it is over.
    pub ends: Option<&'p Ends>,
    /// Number of local slots.
    pub slots: u8,
}

impl Program {
    /// What is common to all that can be put in force.
    pub fn laid(&self, what: EffectKind) -> Laid<'_> {
        macro_rules! of {
            ($one:expr) => {{
                let one = $one;
                Laid { clause: one.clause, carriers: one.carriers.as_ref(), ends: one.ends.as_ref(), slots: one.slots }
            }};
        }
        match what {
            EffectKind::Modifier(id) => of!(self.modifier(id)),
            EffectKind::Trigger(id) => of!(self.trigger(id)),
            EffectKind::Norm(id) => of!(self.norm(id)),
            EffectKind::Allowance(id) => of!(self.allowance(id)),
            EffectKind::Spare(id) => {
                let one = self.spare(id);
                // What is spared is said of whose effects it is, and given to nobody.
                Laid { clause: one.clause, carriers: None, ends: one.ends.as_ref(), slots: one.slots }
            }
        }
    }

    /// What stands for the names of ids: the same in every program in which something is called so.
    pub fn identities(&self) -> &Identities {
        self.identities.get(|| Identities::new(self))
    }

    /// The names that are ids of cards, with the cards: what is written as an id means that card and none of its namesakes.
    pub fn ids_as_names(&self) -> impl Iterator<Item = (NameId, CardId)> + '_ {
        let ids: HashMap<&str, usize> = self.cards.iter().enumerate().map(|(i, card)| (card.id.as_str(), i)).collect();
        let names = self.names.iter().enumerate();
        let found: Vec<_> = names.filter_map(|(n, name)| Some((n, *ids.get(name.as_str())?))).collect();
        found.into_iter().map(|(n, card)| (NameId::from_index(n), CardId::from_index(card)))
    }

    /// What the ids of a kind are called, in the order of the ids and each different: the second of one name is `name#2`.
    pub fn names_of(&self, kind: IdKind) -> &[String] {
        self.called[kind as usize].get(|| names(self, kind))
    }

    /// What an engine works out of a program before any game, kept for all its games. One engine's is kept; another's, of
    /// another type, is worked out each time.
    pub fn analysis<T: Any + Send + Sync>(&self, work_out: impl Fn(&Program) -> T) -> Arc<T> {
        let kept = self.analysis.get(|| Arc::new(work_out(self)));
        Arc::clone(kept).downcast().unwrap_or_else(|_| Arc::new(work_out(self)))
    }
}
