//! What the engine works out of a program before any game, and all its games share.

use std::sync::OnceLock;

use netrep_ir::order::may_fault;
use netrep_ir::*;

use crate::program::moments::Moments;
use crate::program::parted::Parted;
use crate::program::plan::Plan;
use crate::program::walk::{self, Phase};

/// What follows from a program alone. [`Program::analysis`] keeps it.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// Per attribute: whether a modifier of any card or rule of the program, in a game or not, may change it; and
    /// whether a card's may while it functions. What may be known must not hang on which cards there are.
    pub alterable: Vec<(bool, bool)>,
    /// Per attribute: the entries of which a modifier of the program may make something else; `None`: any.
    altered: Vec<Option<Vec<EntryId>>>,
    /// Per attribute: whether a modifier of the program finds its things by the entries that others have changed.
    pub chained: Vec<bool>,
    /// Allowances of rules: those that nothing carries, and those that things carry.
    pub open: Vec<AllowanceId>,
    pub carried: Vec<AllowanceId>,
    /// Per card: its allowances.
    pub of_card: Vec<Vec<AllowanceId>>,
    /// Per name: whether it is the name of a card of the program.
    pub on_cards: Vec<bool>,
    /// By clause whether it says what is required of every declaration of a kind.
    pub of_kinds: Vec<bool>,
    /// Per action kind: `from` depends on the thing.
    pub from_reads_this: Vec<bool>,
    /// The norms that say what must be done.
    pub duties: Vec<NormId>,
    /// Some clause cancels effects as long as something is so.
    pub cancels: bool,
    /// Some clause asks whether anything has changed since a declaration.
    pub compares: bool,
    /// Per allowance, and per action kind: when each of its requirements can be asked.
    phases: [Vec<Vec<Phase>>; 2],
    /// Per attribute: whether it hangs on what a declaration would do.
    foreseeing: Vec<bool>,
    /// Per allowance: how its choices are found, worked out when it is first offered.
    plans: Vec<OnceLock<Plan>>,
    /// Per allowance, and per action kind: the number of its first requirement among all.
    numbered: [Vec<u32>; 2],
    /// Per allowance: its requirements and those of its kind by when they can be asked; worked out when it is first offered.
    by_phase: Vec<OnceLock<[Vec<Place>; PHASES]>>,
    /// All requirements by number, as far as parts of them are kept, and whether they may be asked sooner than what stands
    /// before them.
    parted: Vec<(bool, Parted)>,
    /// Per step: the first statement in it that asks a player, by its block and its place there.
    pub asks: Vec<Option<(BlockId, u16)>>,
    /// Stored attributes that begin anew when their thing comes into a place.
    pub anew: Vec<(PlaceId, AttrId)>,
    /// What is announced by itself.
    pub moments: Moments,
}

/// So many phases there are.
const PHASES: usize = Phase::Tried as usize + 1;

/// Where a requirement stands: among those of the allowance, or of its kind.
#[derive(Clone, Copy, Debug)]
enum Place {
    Own(u16),
    OfKind(ActionId, u16),
}

/// A requirement as it is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'l> {
    pub phase: Phase,
    /// Among all of the program.
    pub number: u32,
    pub requirement: &'l Requirement,
    /// What it says, as far as parts of it are kept by themselves.
    pub parted: &'l Parted,
    /// It may be asked sooner than what stands before it.
    pub free: bool,
}

impl Analysis {
    /// Whether no modifier of any card or rule makes something else of whether a thing has an entry.
    pub(crate) fn is_fixed(&self, attr: AttrId, entry: EntryId) -> bool {
        self.altered.get(attr.index()).is_some_and(|altered| altered.as_ref().is_some_and(|all| !all.contains(&entry)))
    }

    /// Whether a clause says what is required of every declaration of a kind.
    pub(crate) fn is_of_kind(&self, clause: ClauseId) -> bool {
        self.of_kinds.get(clause.index()) == Some(&true)
    }

    pub(crate) fn new(program: &Program) -> Analysis {
        let mut alterable = vec![(false, false); program.attrs.len()];
        let mut chained = vec![false; program.attrs.len()];
        let mut altered = vec![Some(Vec::new()); program.attrs.len()];
        for m in program.modifiers.iter().filter(|m| !m.change.stands()) {
            if let Some(slot) = alterable.get_mut(m.attr.index()) {
                slot.0 = true;
                slot.1 |= (m.card.is_some() && !m.delayed) || m.carriers.is_some();
            }
            if let Some(slot) = altered.get_mut(m.attr.index()) {
                match (&m.change, slot.as_mut()) {
                    (Change::Gain(entry) | Change::Lose(entry), Some(entries)) => entries.push(*entry),
                    _ => *slot = None,
                }
            }
            if let Some(slot) = chained.get_mut(m.attr.index()) {
                *slot |= walk::reads_entries(&m.subject, m.attr);
            }
        }
        let (mut open, mut carried) = (Vec::new(), Vec::new());
        let mut of_card = vec![Vec::new(); program.cards.len()];
        for (i, a) in program.allowances.iter().enumerate().filter(|(_, a)| !a.delayed) {
            let id = AllowanceId::from_index(i);
            match (a.card, a.action.is_some() || a.carriers.is_some()) {
                (Some(card), _) => {
                    if let Some(list) = of_card.get_mut(card.index()) {
                        list.push(id);
                    }
                }
                (None, false) => open.push(id),
                (None, true) => carried.push(id),
            }
        }
        let mut on_cards = vec![false; program.names.len()];
        for card in &program.cards {
            if let Some(on) = on_cards.get_mut(card.name.index()) {
                *on = true;
            }
        }
        for (id, _) in program.ids_as_names() {
            on_cards[id.index()] = true;
        }
        let foreseeing = walk::foreseeing(program);
        let phases_of = |all: &[Requirement]| all.iter().map(|r| walk::phase(&r.cond, &foreseeing)).collect();
        Analysis {
            alterable,
            altered,
            chained,
            open,
            carried,
            of_card,
            on_cards,
            of_kinds: {
                let mut of_kinds = vec![false; program.clauses.len()];
                let required = program.actions.iter().flat_map(|action| &action.requirements);
                for requirement in required {
                    if let Some(of_kind) = of_kinds.get_mut(requirement.clause.index()) {
                        *of_kind = true;
                    }
                }
                of_kinds
            },
            from_reads_this: program.actions.iter().map(|a| walk::sel_reads_this(&a.from)).collect(),
            duties: (0..program.norms.len())
                .map(NormId::from_index)
                .filter(|id| program.norm(*id).kind == NormKind::Must)
                .collect(),
            cancels: program.spares.iter().any(Spare::cancels),
            compares: compares(program),
            phases: [
                program.allowances.iter().map(|a| phases_of(&a.requirements)).collect(),
                program.actions.iter().map(|a| phases_of(&a.requirements)).collect(),
            ],
            numbered: numbered(program),
            by_phase: program.allowances.iter().map(|_| OnceLock::new()).collect(),
            parted: {
                let own = program.allowances.iter().map(|a| &a.requirements);
                let all: Vec<&Requirement> =
                    own.chain(program.actions.iter().map(|a| &a.requirements)).flatten().collect();
                // What is kept of parts is numbered behind the requirements.
                let mut next = 0;
                all.iter().for_each(|_| next += 1);
                let parted = |r: &Requirement| (!may_fault(&r.cond), Parted::new(&r.cond, &foreseeing, &mut next));
                all.into_iter().map(parted).collect()
            },
            plans: program.allowances.iter().map(|_| OnceLock::new()).collect(),
            asks: program.steps.iter().map(|s| first_ask(program, s.body, 0)).collect(),
            anew: (program.attrs.iter().enumerate())
                .filter_map(|(i, a)| a.anew.map(|place| (place, AttrId::from_index(i))))
                .collect(),
            moments: Moments::new(program),
            foreseeing,
        }
    }

    /// How the choices of an allowance are found.
    pub(crate) fn plan(&self, program: &Program, id: AllowanceId, allowance: &Allowance) -> &Plan {
        let new = || Plan::new(program, allowance, self.requirements(program, id, allowance), &self.foreseeing);
        self.plans[id.index()].get_or_init(new)
    }

    /// What an allowance and its kind require when it is declared, and when each can be asked.
    pub(crate) fn requirements<'l>(
        &'l self,
        program: &'l Program,
        id: AllowanceId,
        allowance: &'l Allowance,
    ) -> impl Iterator<Item = Asked<'l>> + Clone {
        self.places(program, id, allowance).map(move |(place, phase)| self.asked(program, id, allowance, place, phase))
    }

    /// Those of them that can be asked in one phase.
    pub(crate) fn requirements_in<'l>(
        &'l self,
        program: &'l Program,
        id: AllowanceId,
        allowance: &'l Allowance,
        phase: Phase,
    ) -> impl Iterator<Item = Asked<'l>> + Clone {
        let by_phase = self.by_phase[id.index()].get_or_init(|| {
            let mut found: [Vec<Place>; PHASES] = Default::default();
            self.places(program, id, allowance).for_each(|(place, phase)| found[phase as usize].push(place));
            found
        });
        by_phase[phase as usize].iter().map(move |place| self.asked(program, id, allowance, *place, phase))
    }

    fn asked<'l>(
        &'l self,
        program: &'l Program,
        id: AllowanceId,
        allowance: &'l Allowance,
        place: Place,
        phase: Phase,
    ) -> Asked<'l> {
        let (first, requirement) = match place {
            Place::Own(n) => (self.numbered[0][id.index()], &allowance.requirements[usize::from(n)]),
            Place::OfKind(kind, n) => {
                (self.numbered[1][kind.index()], &program.action(kind).requirements[usize::from(n)])
            }
        };
        let (Place::Own(n) | Place::OfKind(_, n)) = place;
        let number = first + u32::from(n);
        let (free, parted) = &self.parted[number as usize];
        Asked { phase, number, requirement, parted, free: *free }
    }

    /// Where what is required stands, in order, and when it can be asked.
    fn places<'l>(
        &'l self,
        program: &'l Program,
        id: AllowanceId,
        allowance: &'l Allowance,
    ) -> impl Iterator<Item = (Place, Phase)> + Clone {
        let [own, of_kinds] = &self.phases;
        let asked = |r: &Requirement| !r.at_resolution && !allowance.despite.contains(&r.clause);
        let numbers = || 0u16..;
        let own = own[id.index()].iter().zip(&allowance.requirements).zip(numbers());
        let own = own.map(|((phase, r), n)| (Place::Own(n), *phase, r));
        let of_kind = allowance.action.into_iter().flat_map(move |kind| {
            let all = of_kinds[kind.index()].iter().zip(&program.action(kind).requirements).zip(numbers());
            all.map(move |((phase, r), n)| (Place::OfKind(kind, n), *phase, r))
        });
        own.chain(of_kind).filter(move |(_, _, r)| asked(r)).map(|(place, phase, _)| (place, phase))
    }
}

/// For each allowance when each of its requirements is asked, as a number, the sooner the smaller, and whether asking it may be a
/// fault: all on which it hangs which of them are asked, beside what they say.
pub fn when_required(program: &Program) -> Vec<Vec<(u8, bool)>> {
    when_asked(program, program.allowances.iter().map(|allowance| &allowance.requirements))
}

/// The same of what is required of each kind of declaration.
pub fn when_required_of_kinds(program: &Program) -> Vec<Vec<(u8, bool)>> {
    when_asked(program, program.actions.iter().map(|action| &action.requirements))
}

/// Whether anything asks what has changed since a declaration: then it is kept with each how things were.
pub fn compares(program: &Program) -> bool {
    let mut statements = program.blocks.iter().flat_map(|block| &block.statements);
    statements.any(|(one, _)| matches!(one, Statement::If(cond, ..) if walk::asks_for_change(cond)))
}

fn when_asked<'p>(program: &Program, all: impl Iterator<Item = &'p Vec<Requirement>>) -> Vec<Vec<(u8, bool)>> {
    let foreseeing = walk::foreseeing(program);
    let asked = |r: &Requirement| (walk::phase(&r.cond, &foreseeing) as u8, may_fault(&r.cond));
    all.map(|requirements| requirements.iter().map(asked).collect()).collect()
}

/// The number of the first requirement of each allowance, and of each action kind, among all.
fn numbered(program: &Program) -> [Vec<u32>; 2] {
    let mut next = 0;
    let mut first = |requirements: &Vec<Requirement>| {
        let first = next;
        requirements.iter().for_each(|_| next += 1);
        first
    };
    [
        program.allowances.iter().map(|a| first(&a.requirements)).collect(),
        program.actions.iter().map(|a| first(&a.requirements)).collect(),
    ]
}

/// The first statement of a block, inner blocks included, that asks a player.
fn first_ask(program: &Program, block: BlockId, depth: u8) -> Option<(BlockId, u16)> {
    if depth > 32 {
        return None;
    }
    for (i, (statement, _)) in program.block(block).statements.iter().enumerate() {
        let inner: [Option<BlockId>; 2] = match statement {
            Statement::Choose { by: Some(_), .. }
            | Statement::May { .. }
            | Statement::ChooseOne { .. }
            | Statement::Window { .. } => {
                return Some((block, u16::try_from(i).ok()?));
            }
            Statement::ForEach { order: Order::Chosen(_), .. } => return Some((block, u16::try_from(i).ok()?)),
            Statement::If(_, then, other) => [Some(*then), *other],
            Statement::ForEach { body, .. } | Statement::RepeatUntil(body, _) | Statement::RepeatTimes(_, body) => {
                [Some(*body), None]
            }
            _ => [None, None],
        };
        if let Some(found) = inner.into_iter().flatten().find_map(|b| first_ask(program, b, depth + 1)) {
            return Some(found);
        }
    }
    None
}
