//! The fingerprints of a program, worked out.
//!
//! Ids are replaced by hashes of names, so that a declaration elsewhere changes nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use netrep_engine::{compares, is_admitted_by, when_required, when_required_of_kinds};
use netrep_ir::{
    Admit, Allowance, Block, BlockId, CardId, ClauseId, Footprint, Map, Mapper, Moment, Pool, Printed, Program, Sel,
    Services, Source, Spare, Statement, ValueKind, VerbId,
};

use super::names::{Names, called, hash};
use super::prints::{Read, Under, Whose};
use super::required::{is_printed, where_faulty, where_required};
use crate::nesting::Courses;

/// Fingerprints while they are worked out.
struct Printing<'p> {
    program: &'p Program,
    names: Names<'p>,
    by_read: HashMap<Read, Under>,
    by_clause: Vec<u64>,
}

/// The fingerprints of everything that runs of a program can read.
pub(super) fn of_program(program: &Program) -> BTreeMap<Read, Under> {
    let by_clause = vec![0; program.clauses.len()];
    let mut prints = Printing { program, names: Names::of(program), by_read: HashMap::new(), by_clause };
    prints.parts();
    prints.clauses();
    prints.indexes();
    prints.allowances();
    prints.kinds();
    prints.figures();
    prints.ground();
    for (name, print) in Courses::of(program).prints(program) {
        prints.add(Read::Courses(name), print);
    }
    prints.by_read.into_iter().collect()
}

impl Printing<'_> {
    fn clauses(&mut self) {
        for (clause, own) in self.program.clauses.iter().zip(std::mem::take(&mut self.by_clause)) {
            self.add(Read::Clause(clause.label.to_string()), hash(&(own, &clause.text)));
        }
    }

    /// What stands in each index, with what is asked of it before it is looked at. What only an effect brings about is read by
    /// whoever performs the clause, and by no one else.
    fn indexes(&mut self) {
        let program = self.program;
        for one in program.triggers.iter().filter(|one| !one.delayed) {
            let carried = self.carried(one.within.as_ref(), one.carriers.as_ref());
            let asked = hash(&(one.instead, self.names.verb(one.pattern.verb), carried));
            self.index(one.clause, (one.card, one.carriers.as_ref()), waited_for(program, one.pattern.verb), asked);
        }
        for one in program.norms.iter().filter(|one| !one.delayed) {
            let carried = self.carried(one.within.as_ref(), one.carriers.as_ref());
            let asked = hash(&(one.kind, one.pattern.about_this(), carried));
            self.index(
                one.clause,
                (one.card, one.carriers.as_ref()),
                Read::Norms(verb(program, one.pattern.verb).to_owned()),
                asked,
            );
        }
        for one in &program.guards {
            let asked = hash(&self.names.verb(one.pattern.verb));
            self.index(one.clause, (None, None), waited_for(program, one.pattern.verb), asked);
        }
        for one in program.modifiers.iter().filter(|one| !one.delayed) {
            let asked = hash(&(one.change.stands(), self.carried(one.within.as_ref(), one.carriers.as_ref())));
            self.index(
                one.clause,
                (one.card, one.carriers.as_ref()),
                Read::Attribute(attribute(program, one.attr)),
                asked,
            );
        }
        for one in program.spares.iter().filter(|one| !one.delayed) {
            let asked = hash(&(one.cancels(), self.carried(one.within.as_ref(), None)));
            self.index(one.clause, (one.card, None), Read::Spares, asked);
        }
        for attr in &program.attrs {
            let mut source = attr.source.clone();
            match &mut source {
                Source::Number(n) => n.map_ids(&mut self.names, 1),
                Source::Things(s) | Source::Flag(s) => s.map_ids(&mut self.names, 1),
                Source::Stored { .. } => {}
            }
            let anew = attr.anew.and_then(|place| program.places.get(place.index())).map(|place| place.name.as_str());
            let kind = match attr.kind {
                ValueKind::Thing(class) => ValueKind::Thing(self.names.class(class)),
                ValueKind::Things(class) => ValueKind::Things(self.names.class(class)),
                ValueKind::Entry(list) => ValueKind::Entry(self.names.list(list)),
                ValueKind::Entries(list) => ValueKind::Entries(self.names.list(list)),
                ValueKind::NumberFor(list) => ValueKind::NumberFor(self.names.list(list)),
                ValueKind::Number | ValueKind::Flag => attr.kind,
            };
            let print = hash(&(source, anew, kind, attr.dynamic, attr.names));
            self.add(Read::Attribute(attr.name.clone()), print);
        }
    }

    /// By whom a clause is carried, and where.
    fn carried(&mut self, within: Option<&Sel>, carriers: Option<&Sel>) -> u64 {
        let mut both = [within.cloned(), carriers.cloned()];
        both.iter_mut().flatten().for_each(|sel| sel.map_ids(&mut self.names, 0));
        hash(&both)
    }

    /// What may be declared: by whose cards, and how it is said; in which windows, and while what runs; then who may declare it, beside
    /// choices and what it does.
    fn allowances(&mut self) {
        let program = self.program;
        let phases = when_required(program);
        let windows = Windows::of(program);
        for (one, phases) in program.allowances.iter().zip(phases) {
            let mut own = one.clone();
            own.map_ids(&mut self.names, 0);
            let despite: Vec<&str> = one.despite.iter().map(|clause| label(program, *clause)).collect();
            let during: Vec<Option<&String>> =
                one.during.iter().map(|proc| program.procs.get(proc.index()).map(|proc| &proc.name)).collect();
            let kind = one.action.and_then(|action| program.actions.get(action.index()));
            let kind = kind.map(|action| verb(program, action.verb));
            let time = hash(&(&own.footprint, &despite, &during, &kind));
            let mut times: Vec<Option<String>> = during.iter().map(|proc| proc.cloned()).collect();
            if times.is_empty() {
                times.push(None);
            }
            let place = (one.card, one.carriers.as_ref());
            for at in &times {
                self.index(one.clause, place, Read::During(at.clone()), 0);
            }
            for window in windows.admitting(program, one) {
                self.index(one.clause, place, window, 0);
            }
            for at in times {
                self.add_labelled(Read::Times(at), Whose::Any, &format!("{time:x}"), 0);
            }
            let shape: Vec<_> =
                one.parameters.iter().map(|parameter| (parameter.several, drawn(program, &parameter.from))).collect();
            let carried = self.carried(one.within.as_ref(), one.carriers.as_ref());
            let head = hash(&(kind, carried, &one.words, shape, one.delayed));
            self.index(one.clause, place, Read::Actions, head);
            let limit = one.limit.map(|(n, proc)| (n, program.procs.get(proc.index()).map(|proc| &proc.name)));
            let asked = required(program, one, &own, &phases);
            let print = hash(&(head, &own.by, limit, asked, despite));
            self.add(Read::Weighed(label(program, one.clause).to_owned()), print);
        }
    }

    /// What is required of every declaration of a kind: it keeps from something only those that would have been declared, where all
    /// is so without which it requires nothing.
    fn kinds(&mut self) {
        let program = self.program;
        let compares = compares(program);
        self.add(Read::Held(String::new()), hash(&compares));
        for (action, phases) in program.actions.iter().zip(when_required_of_kinds(program)) {
            let kind = verb(program, action.verb);
            let required = action.requirements.iter().filter(|one| !one.at_resolution);
            let required: Vec<&str> = required.map(|one| label(program, one.clause)).collect();
            self.add(Read::Held(kind.to_owned()), hash(&(required, compares)));
            for (one, (phase, may_fault)) in action.requirements.iter().zip(phases) {
                let mut cond = one.cond.clone();
                cond.map_ids(&mut self.names, 0);
                let print = hash(&(cond, one.at_resolution, phase, may_fault));
                let label = label(program, one.clause);
                self.add_labelled(Read::Kind(kind.to_owned()), where_required(program, kind, &one.cond), label, print);
                // A fault is one, whether or not the declaration would have been made.
                if may_fault {
                    self.add_labelled(
                        Read::Asks(kind.to_owned()),
                        where_faulty(program, kind, &one.cond),
                        label,
                        print,
                    );
                }
            }
        }
    }

    fn figures(&mut self) {
        let program = self.program;
        for card in &program.cards {
            let name = program.names.get(card.name.index());
            self.add(Read::Card(card.id.clone()), hash(&name));
            for (attr, printed) in &card.figures {
                let print = hash(&(attribute(program, *attr), printed_names(program, printed)));
                self.add(Read::Card(card.id.clone()), print);
            }
            for part in &card.parts {
                let class = program.classes.get(part.class.index()).map(|class| class.name.as_str());
                let figures: Vec<_> = (part.figures.iter())
                    .map(|(attr, printed)| (attribute(program, *attr), printed_names(program, printed)))
                    .collect();
                self.add(Read::Card(card.id.clone()), hash(&(class, attribute(program, part.host), figures)));
            }
        }
    }

    /// The clauses with everything that they were compiled to.
    fn parts(&mut self) {
        let program = self.program;
        // A card's clauses have the card in their label; its number would change with every card before it.
        macro_rules! clauses {
            ($($table:ident $card:tt),*) => {$(
                for part in &program.$table {
                    let mut part = part.clone();
                    let clause = part.clause;
                    part.map_ids(&mut self.names, 0);
                    clauses!(@ part $card);
                    self.clause(clause, &part);
                }
            )*};
            (@ $part:ident without) => {};
            (@ $part:ident card) => { $part.card = None; };
        }
        clauses!(blocks without, triggers card, modifiers card, norms card, spares card, guards without);
        for one in &program.allowances {
            let mut part = one.clone();
            part.map_ids(&mut self.names, 0);
            part.card = None;
            for id in &mut part.despite {
                *id = self.names.clause(*id);
            }
            for (asked, required) in one.requirements.iter().zip(&part.requirements) {
                if asked.clause != one.clause {
                    self.clause(asked.clause, required);
                }
            }
            self.clause(one.clause, &part);
        }
        // What is required of every declaration of a kind is read where it was not so; where it was, see `kinds`.
        for one in program.actions.iter().flat_map(|action| &action.requirements) {
            let mut required = one.clone();
            required.map_ids(&mut self.names, 0);
            self.clause(one.clause, &required);
        }
        for verb in program.verbs.iter().filter(|verb| verb.moment.is_none()) {
            let mut conds: Vec<_> = verb.needs.iter().chain(&verb.leaves).map(|(cond, _)| cond.clone()).collect();
            conds.map_ids(&mut self.names, 0);
            self.clause(verb.clause, &(&verb.forms, verb.roles.len(), verb.needs.len(), conds));
        }
        for procedure in &program.procs {
            let mut guard = procedure.guard.as_ref().map(|(cond, ..)| cond.clone());
            guard.map_ids(&mut self.names, 0);
            // Of several rules that describe a step the block of the first leads to the others: another first is another step.
            let steps: Vec<(&str, &str)> = (procedure.steps.iter())
                .filter_map(|s| program.steps.get(s.index()))
                .map(|s| (s.name.as_str(), label(program, s.clause)))
                .collect();
            self.clause(procedure.clause, &(&procedure.name, steps, procedure.fixed, guard));
            self.add(Read::Labels(procedure.name.clone()), hash(&procedure.slots));
        }
    }

    /// What always counts.
    fn ground(&mut self) {
        let program = self.program;
        let services = self.services();
        // Where anything cancels, what came first takes part in the hash of a position.
        let cancels = program.spares.iter().any(Spare::cancels);
        self.add(Read::Ground, hash(&(services, &program.places, cancels)));
        for action in &program.actions {
            let (mut from, mut by) = (action.from.clone(), action.by.clone());
            from.map_ids(&mut self.names, 0);
            by.map_ids(&mut self.names, 0);
            let lasting = action.lasting.map(|clause| label(program, clause));
            self.add(Read::Ground, hash(&(from, by, lasting, action.declare.is_some(), action.negate.is_some())));
        }
        for invariant in &program.invariants {
            let mut cond = invariant.cond.clone();
            cond.map_ids(&mut self.names, 0);
            self.add(Read::Ground, hash(&cond));
        }
    }

    /// What serves the engine, by names.
    fn services(&mut self) -> u64 {
        // Each is named, so that none is forgotten.
        let Services {
            player,
            card,
            controller,
            functioning,
            orderer,
            answers,
            described,
            hosts,
            roll,
            rolled,
            total,
            around,
            declaration,
            declarer,
            called,
            aliases,
            ability,
            against,
            outcome,
            clock,
            seat,
            valuation,
            reports,
            revealed,
            concealed,
            stages,
            rank,
            greatest,
            versions,
            sets,
            resolved,
            evident,
        } = self.program.services.clone();
        let (mut functioning, mut orderer, mut sels) = (functioning, orderer, [stages, versions]);
        let names = &mut self.names;
        functioning.map_ids(names, 1);
        orderer.map_ids(names, 1);
        sels.iter_mut().for_each(|sels| sels.map_ids(names, 1));
        let attrs = [controller, called, aliases, outcome, clock, seat, valuation, revealed, concealed, rank];
        let attrs = attrs.map(|attr| attr.map(|attr| names.attr(attr)));
        let reports: Vec<_> = reports.into_iter().map(|attr| names.attr(attr)).collect();
        let things = [roll, rolled, total, declaration, declarer];
        let things = things.map(|pair| pair.map(|(class, attr)| (names.class(class), names.attr(attr))));
        let several = [described, hosts, greatest].map(|pairs| -> Vec<_> {
            pairs.into_iter().map(|(class, attr)| (names.class(class), names.attr(attr))).collect()
        });
        let procs = [answers, around].map(|proc| proc.map(|proc| names.proc(proc)));
        let verbs = [ability, resolved].map(|verb| verb.map(|verb| names.verb(verb)));
        let evident: Vec<_> = evident.into_iter().map(|step| names.step(step)).collect();
        let (classes, against) = ([names.class(player), names.class(card)], against.map(|role| names.role(role)));
        let sets = (functioning, orderer, sels, sets);
        hash(&(sets, (attrs, reports, things, several), (procs, verbs, evident, classes, against)))
    }

    fn clause<T: Hash>(&mut self, clause: ClauseId, part: &T) {
        if let Some(print) = self.by_clause.get_mut(clause.index()) {
            *print = hash(&(*print, part));
        }
    }

    fn add(&mut self, read: Read, print: u64) {
        self.add_labelled(read, Whose::Any, "", print);
    }

    fn add_labelled(&mut self, read: Read, whose: Whose, label: &str, print: u64) {
        let held = self.by_read.entry(read).or_default().entry((whose, label.to_owned())).or_default();
        *held = hash(&(*held, print));
    }

    /// A clause stands in an index: of it this is asked before it is looked at.
    fn index(&mut self, clause: ClauseId, (card, carriers): (Option<CardId>, Option<&Sel>), read: Read, asked: u64) {
        let card = card.and_then(|id| self.program.cards.get(id.index()));
        let whose = match (card, carriers.and_then(|carriers| bearers(self.program, carriers))) {
            (Some(card), _) => Whose::Of(card.id.clone()),
            (None, Some(cards)) => Whose::Among(cards),
            (None, None) => Whose::Any,
        };
        self.add_labelled(read, whose, label(self.program, clause), asked);
    }
}

/// What the windows of a program admit: each kind of effect or declaration once, and its fingerprint.
struct Windows<'p> {
    kinds: BTreeMap<u64, &'p Footprint>,
}

impl<'p> Windows<'p> {
    fn of(program: &'p Program) -> Windows<'p> {
        let mut names = Names::of(program);
        let admitted = program.blocks.iter().flat_map(admits).flat_map(|admit| &admit.footprints);
        Windows { kinds: admitted.map(|kind| (footprint(&mut names, kind), kind)).collect() }
    }

    /// Under what runs read that a declaration is among those that a window admits.
    fn admitting(&self, program: &Program, one: &Allowance) -> Vec<Read> {
        let kind = one.action.and_then(|action| program.actions.get(action.index())).map(|action| action.verb);
        let kinds = self.kinds.iter().filter(|(_, window)| is_admitted_by(window, one, kind));
        let kinds = kinds.map(|(print, _)| Some(*print)).chain([None]).map(Read::Admitted);
        let despite: BTreeSet<&str> = one.despite.iter().map(|clause| label(program, *clause)).collect();
        kinds.chain(despite.into_iter().map(|label| Read::Despite(label.to_owned()))).collect()
    }
}

/// What the windows of a block admit.
fn admits(block: &Block) -> impl Iterator<Item = &Admit> {
    let windows = block.statements.iter().filter_map(|(statement, _)| match statement {
        Statement::Window { admits, .. } => Some(admits),
        _ => None,
    });
    windows.flatten()
}

/// A kind of effect or declaration in names.
fn footprint(names: &mut Names<'_>, kind: &Footprint) -> u64 {
    let mut kind = *kind;
    kind.map_ids(names, 0);
    hash(&kind)
}

/// Under what it is read what may be declared in the windows of these blocks.
pub(super) fn admitting(program: &Program, blocks: &[BlockId]) -> BTreeSet<Read> {
    let mut names = Names::of(program);
    let mut found = BTreeSet::new();
    for block in blocks.iter().filter_map(|block| program.blocks.get(block.index())) {
        found.insert(Read::Despite(label(program, block.clause).to_owned()));
        for admit in admits(block) {
            found.extend(admit.footprints.iter().map(|kind| Read::Admitted(Some(footprint(&mut names, kind)))));
            if admit.footprints.is_empty() {
                found.insert(Read::Admitted(None));
            }
        }
    }
    found
}

/// The ids of the cards of which things can be in a selection, if it says of what is printed on them, and nothing else can have
/// that.
pub(super) fn bearers(program: &Program, sel: &Sel) -> Option<Vec<String>> {
    match sel {
        Sel::And(parts) => parts.iter().find_map(|part| bearers(program, part)),
        Sel::EntryIs(attr, entry) => {
            if !is_printed(program, *attr, *entry) {
                return None;
            }
            let bears = |figures: &[(netrep_ir::AttrId, Printed)]| {
                figures
                    .iter()
                    .any(|(of, printed)| of == attr && matches!(printed, Printed::Entries(all) if all.contains(entry)))
            };
            let on = |card: &&netrep_ir::CardDecl| {
                bears(&card.figures) || card.parts.iter().any(|part| bears(&part.figures))
            };
            Some(program.cards.iter().filter(on).map(|card| card.id.clone()).collect())
        }
        _ => None,
    }
}

fn label(program: &Program, clause: ClauseId) -> &str {
    &program.clauses[clause.index()].label
}

/// From what a choice is drawn, as far as what is tried hangs on it.
fn drawn<'p>(program: &'p Program, pool: &Pool) -> Option<Vec<&'p str>> {
    match pool {
        Pool::Things(_) => None,
        Pool::Entries(list, _) => {
            let entries = program.lists.get(list.index()).into_iter().flat_map(|list| &list.entries);
            Some(entries.map(|entry| called(program.entries.get(entry.index()).map(|entry| &entry.name))).collect())
        }
    }
}

/// What is required of a declaration, in order. What a requirement of its own label says is read by whoever asks it: here is
/// said when it is asked, and where asking may be a fault all of it.
fn required<'p>(
    program: &'p Program,
    one: &Allowance,
    mapped: &Allowance,
    phases: &[(u8, bool)],
) -> Vec<(&'p str, bool, u8, Option<u64>)> {
    let all = one.requirements.iter().zip(&mapped.requirements).zip(phases);
    let required = |((required, mapped), (phase, may_fault)): (
        (&netrep_ir::Requirement, &netrep_ir::Requirement),
        &(u8, bool),
    )| {
        let whole = (*may_fault || required.clause == one.clause).then(|| hash(&mapped.cond));
        (label(program, required.clause), required.at_resolution, *phase, whole)
    };
    all.map(required).collect()
}

pub(super) fn verb(program: &Program, id: VerbId) -> &str {
    called(program.verbs.get(id.index()).and_then(|v| v.forms.first()))
}

/// Under what a run reads the triggers of an event. What the engine announces by itself is read by whoever performs the
/// procedure, carries out the step, or stores the fact.
fn waited_for(program: &Program, id: VerbId) -> Read {
    let clause = |clause: ClauseId| match program.clauses.get(clause.index()) {
        Some(clause) => Read::Clause(clause.label.to_string()),
        // total: a course without a clause is no course of the program.
        None => Read::Ground,
    };
    match program.verbs.get(id.index()).and_then(|verb| verb.moment) {
        None => Read::Triggers(verb(program, id).to_owned()),
        Some(Moment::Starts(proc) | Moment::Ends(proc)) => clause(program.proc(proc).clause),
        Some(Moment::StepStarts(step) | Moment::StepEnds(step)) => clause(program.step(step).clause),
        Some(Moment::Becomes(attr, _) | Moment::Ceases(attr, _)) => Read::Attribute(attribute(program, attr)),
    }
}

pub(super) fn attribute(program: &Program, id: netrep_ir::AttrId) -> String {
    called(program.attrs.get(id.index()).map(|a| &a.name)).to_owned()
}

/// What is printed, without ids.
fn printed_names(program: &Program, printed: &Printed) -> Vec<(String, i32)> {
    let entry = |id: &netrep_ir::EntryId| called(program.entries.get(id.index()).map(|e| &e.name)).to_owned();
    let name = |id: &netrep_ir::NameId| called(program.names.get(id.index())).to_owned();
    match printed {
        Printed::Number(n) => vec![(String::new(), *n)],
        Printed::Entries(ids) => ids.iter().map(|id| (entry(id), 0)).collect(),
        Printed::Numbers(pairs) => pairs.iter().map(|(id, n)| (entry(id), *n)).collect(),
        Printed::Names(ids) => ids.iter().map(|id| (name(id), 0)).collect(),
    }
}
