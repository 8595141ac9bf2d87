//! Setting up a position: things, facts, the procedures that are running.

use std::sync::Arc;

use netrep_ir::limits::THINGS;
use netrep_ir::*;
use serde::{Deserialize, Serialize};

use crate::ask::eval::Cx;
use crate::game::Game;
use crate::position::cache::Cache;
use crate::position::effects::Effects;
use crate::position::error::SetupError;
use crate::position::link::Link;
use crate::position::set::ThingId;
use crate::position::stack::*;
use crate::position::state::State;
use crate::position::table::Table;
use crate::position::value::Value;
use crate::program::layout::Layout;

/// A position to be built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The cards; things 0, 1, 2 ... in this order.
    pub cards: Vec<CardId>,
    /// The other things that are there, with their names; they follow the cards.
    pub minted: Vec<(ClassId, Option<NameId>)>,
    /// Names beyond the program's: the first has the id `program.names.len()`.
    pub names: Vec<String>,
    /// Things that the game can hold at first, rounded up to a multiple of 64; 0 for what suits what there is. It grows
    /// as the game needs more.
    pub capacity: usize,
    /// What is so, in order.
    pub facts: Vec<Fact>,
    /// Roles bound for the whole game.
    pub roles: Vec<(RoleId, Value)>,
    /// The running procedures, outermost first.
    pub start: Vec<StartFrame>,
    /// Where it is noted what takes effect in the game and in its copies, if anybody wants to know; of the same program.
    #[serde(skip)]
    pub effects: Option<Arc<Effects>>,
}

/// Something that is so in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// A stored attribute of a thing. For attributes with many values `Value::Set` replaces them; an entry is added.
    Attr {
        /// The attribute; it must be stored in the state.
        attr: AttrId,
        /// Whose.
        thing: ThingId,
        /// Its value.
        value: Value,
    },
    /// Takes an entry from a many-valued attribute.
    Without {
        /// The attribute.
        attr: AttrId,
        /// Whose.
        thing: ThingId,
        /// The entry.
        entry: EntryId,
    },
    /// Where a thing is; in an ordered place on top of what was put there before.
    Put {
        /// The thing.
        thing: ThingId,
        /// The place, or nowhere.
        place: Option<PlaceId>,
        /// Whose place, if players have one each.
        owner: Option<ThingId>,
    },
    /// A condition to be made true, and its words.
    Holds(Cond, String),
    /// Something that has happened, and its words: since what it names began, before what runs inside of that, or before all
    /// that runs. For each role that it says there is exactly one thing.
    Past(Past, String),
}

/// A procedure that is running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFrame {
    /// Which.
    pub proc: ProcId,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// The step at which the innermost one begins, and in which the others stand. `None`: before the first step.
    pub step: Option<StepId>,
}

/// Builds a game; runs to the first decision.
pub(crate) fn build(program: Arc<Program>, mut setup: Setup) -> Result<Game, Vec<SetupError>> {
    let frames = std::mem::take(&mut setup.start);
    let (mut game, facts) = laid_out(program, setup)?;
    let mut errors = Vec::new();
    // A later fact must not have undone an earlier one.
    for (i, fact) in facts.iter().enumerate() {
        if let Fact::Holds(cond, words) = fact
            && !game.eval().cond(&Cx::bare(), cond)
        {
            errors.push(SetupError {
                clause: None,
                site: None,
                fact: Some(i),
                text: format!("{words}: another fact undoes it"),
            });
        }
    }
    let given = Given { facts: &facts, told: told(&frames, &facts)? };
    start(&mut game, &frames, &given).map_err(|e| vec![e])?;
    check_invariants(&game, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    game.go().map_err(|e| vec![SetupError { clause: Some(e.clause), site: None, fact: None, text: e.text }])?;
    Ok(game)
}

/// Something that has happened: after how many of the procedures have been put on the stack, by which fact, and what.
type Told<'f> = (usize, usize, &'f Fact);

/// What has happened, with where among the procedures that run.
fn told<'f>(frames: &[StartFrame], facts: &'f [Fact]) -> Result<Vec<Told<'f>>, Vec<SetupError>> {
    let (mut told, mut errors) = (Vec::new(), Vec::new());
    for (i, fact) in facts.iter().enumerate() {
        let Fact::Past(past, words) = fact else { continue };
        let after = match past.since {
            None => Some(0),
            Some(proc) => frames.iter().rposition(|frame| frame.proc == proc).map(|at| at + 1),
        };
        match after {
            Some(after) => told.push((after, i, fact)),
            None => {
                let text = format!("{words}: what it names does not run, so nothing has happened in it");
                errors.push(SetupError { clause: None, site: None, fact: Some(i), text });
            }
        }
    }
    if errors.is_empty() { Ok(told) } else { Err(errors) }
}

/// What a position says of what has been before.
struct Given<'f> {
    facts: &'f [Fact],
    told: Vec<Told<'f>>,
}

impl Given<'_> {
    /// Writes into the history what has happened when so many procedures had begun.
    fn tell(&self, game: &mut Game, begun: usize) -> Result<(), SetupError> {
        let now = self.told.iter().filter(|(after, ..)| *after == begun);
        now.into_iter().try_for_each(|(_, i, fact)| assert(game, *i, fact))
    }

    /// Does what is evident of the steps that the innermost procedure has behind it. What is said of the position remains so:
    /// what is stored for it is kept, and a fact of which it is not known where it is stored is told if it ceases to be so.
    fn catch_up<'s>(&self, game: &mut Game, behind: impl Iterator<Item = &'s StepId>) -> Result<(), SetupError> {
        let evident = &Arc::clone(game.program()).services.evident;
        for step in behind.filter(|step| evident.contains(step)) {
            let before = game.state.clone();
            let unplaced = self.unplaced(game);
            let Some(decl) = game.program().steps.get(step.index()).cloned() else { continue };
            let outcome = game.with_run(|run| {
                let (act, floor) = (run.state.act_here(), run.state.frames.len());
                run.cache.log.clause(decl.clause);
                run.push_block(act, decl.body)?;
                run.run_above(floor)
            });
            outcome.map_err(|e| SetupError { clause: Some(e.clause), site: None, fact: None, text: e.text })?;
            if game.decision().is_some() {
                let text = format!("the step {} is evident, and asks a question", decl.name);
                return Err(SetupError { clause: Some(decl.clause), site: None, fact: None, text });
            }
            let cells: Vec<(AttrId, ThingId)> = self.facts.iter().flat_map(|fact| said(game, fact)).collect();
            let outcome = game.with_run(|run| {
                let link = run.link;
                let layout = &link.layout;
                cells.iter().for_each(|(attr, thing)| run.state.keep(layout, *attr, *thing, &before));
                run.touch();
                Ok(())
            });
            outcome.map_err(|e| SetupError { clause: Some(e.clause), site: None, fact: None, text: e.text })?;
            if let Some((nth, _, words)) = unplaced.into_iter().find(|(_, cond, _)| !game.holds(cond)) {
                let text = format!("{words}: the step {} is evident, and after it this is not so", decl.name);
                return Err(SetupError { clause: Some(decl.clause), site: None, fact: Some(nth), text });
            }
        }
        Ok(())
    }

    /// The conditions that are so and of which it is not known where they are stored, each with its number and its words.
    fn unplaced(&self, game: &Game) -> Vec<(usize, &Cond, &str)> {
        let open = self.facts.iter().enumerate().filter_map(|(nth, fact)| match fact {
            Fact::Holds(cond, words) if said(game, fact).is_empty() => Some((nth, cond, words.as_str())),
            _ => None,
        });
        open.filter(|(_, cond, _)| game.holds(cond)).collect()
    }
}

/// Which stored facts of which things a fact of a position states.
fn said(game: &Game, fact: &Fact) -> Vec<(AttrId, ThingId)> {
    match fact {
        Fact::Attr { attr, thing, .. } | Fact::Without { attr, thing, .. } => vec![(*attr, *thing)],
        Fact::Holds(cond, _) => {
            let (mut found, mut open) = (Vec::new(), vec![cond]);
            while let Some(cond) = open.pop() {
                match cond {
                    Cond::Not(inner) => open.push(inner),
                    Cond::And(parts) => open.extend(parts),
                    Cond::Cmp(_, Num::Attr(attr, of) | Num::AttrFor(attr, of, _), _) => {
                        found.push((*attr, of.as_ref()))
                    }
                    Cond::Some(Sel::And(parts)) => {
                        let named = parts.iter().find(|part| matches!(part, Sel::Named(_) | Sel::Role(_) | Sel::Or(_)));
                        let positive =
                            parts.iter().map(|part| if let Sel::Not(inner) = part { inner.as_ref() } else { part });
                        found.extend(positive.filter_map(|part| match part {
                            Sel::Image(attr, of) => Some((*attr, of.as_ref())),
                            Sel::Flag(attr)
                            | Sel::EntryIs(attr, _)
                            | Sel::EntryIsValue(attr, _)
                            | Sel::NumIs(attr, ..)
                            | Sel::NameIs(attr, _)
                            | Sel::Preimage(attr, _) => Some((*attr, named?)),
                            _ => None,
                        }));
                    }
                    _ => {}
                }
            }
            let eval = game.eval();
            let of = |(attr, sel): (AttrId, &Sel)| {
                let things = eval.sel(&Cx::bare(), sel, &eval.universe(false));
                things.iter().map(|thing| (attr, thing)).collect::<Vec<_>>()
            };
            found.into_iter().flat_map(of).collect()
        }
        Fact::Put { .. } | Fact::Past(..) => Vec::new(),
    }
}

fn assert(game: &mut Game, nth: usize, fact: &Fact) -> Result<(), SetupError> {
    game.assert(fact).map_err(|text| SetupError { clause: None, site: None, fact: Some(nth), text })
}

/// A game with the things of a set-up and its facts, where nothing runs and nothing has happened.
pub(crate) fn laid_out(program: Arc<Program>, mut setup: Setup) -> Result<(Game, Vec<Fact>), Vec<SetupError>> {
    let facts = std::mem::take(&mut setup.facts);
    let mut game = lay_out(program, setup)?;
    let mut errors = Vec::new();
    for (i, fact) in facts.iter().enumerate().filter(|(_, fact)| !matches!(fact, Fact::Past(..))) {
        if let Err(text) = game.assert(fact) {
            errors.push(SetupError { clause: None, site: None, fact: Some(i), text });
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok((game, facts))
}

/// A game with the things of a set-up, of which nothing is so yet and where nothing runs.
pub(crate) fn lay_out(program: Arc<Program>, setup: Setup) -> Result<Game, Vec<SetupError>> {
    let plain = |text: String| SetupError { clause: None, site: None, fact: None, text };
    let printed: usize =
        setup.cards.iter().filter_map(|id| program.cards.get(id.index())).map(|card| card.parts.len()).sum();
    let given = setup.cards.len() + setup.minted.len() + printed;
    let wanted = if setup.capacity == 0 { crate::position::grow::at_first(given) } else { setup.capacity };
    let capacity = wanted.max(1).next_multiple_of(64);
    if given > capacity || capacity > THINGS {
        return Err(vec![plain(format!("{given} things exceed the capacity of {} things", capacity.min(THINGS)))]);
    }
    let mut errors = Vec::new();
    for id in &setup.cards {
        if program.cards.get(id.index()).is_none() {
            errors.push(plain(format!("there is no card number {}", id.0)));
        }
    }
    for (class, _) in &setup.minted {
        if program.classes.get(class.index()).is_none() {
            errors.push(plain(format!("there is no class number {}", class.0)));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let layout = Layout::new(&program, capacity);
    let table = Table::new(&program, &layout, &setup.cards, &setup.minted, setup.names);
    let mut state = State::new(&program, &layout, &table);
    state.acts.push(Activation {
        clause: ClauseId(0),
        this: None,
        locals: crate::position::value::Locals::new(),
        roles: setup.roles.into_iter().collect(),
        proc: None,
        allowance: None,
        cost: false,
        serial: 1,
    });
    let link = Arc::new(Link::new(program, layout, table));
    let cache = Cache { effects: setup.effects, ..Cache::new(&link) };
    Ok(Game::assemble(link, state, cache))
}

fn check_invariants(game: &Game, errors: &mut Vec<SetupError>) {
    let eval = game.eval();
    for invariant in &eval.link.program.invariants {
        eval.cache.log.clause(invariant.clause);
        let cx = Cx::clause(invariant.clause, None, &[]);
        if !eval.cond(&cx, &invariant.cond) {
            let saw = crate::ask::seen_values::saw(&eval, &cx, &invariant.cond);
            let saw: Vec<String> = saw.into_iter().map(|(name, value)| format!("{name} is {value}")).collect();
            let text = eval.link.clause_text(invariant.clause);
            let text =
                if saw.is_empty() { format!("not so: {text}") } else { format!("not so: {text} ({})", saw.join("; ")) };
            errors.push(SetupError { clause: Some(invariant.clause), site: None, fact: None, text });
        }
    }
}

/// Puts the running procedures on the stack, and what has happened into the history.
fn start(game: &mut Game, frames: &[StartFrame], given: &Given<'_>) -> Result<(), SetupError> {
    let last = frames.len().saturating_sub(1);
    given.tell(game, 0)?;
    for (i, frame) in frames.iter().enumerate() {
        let at = |text: String| SetupError { clause: None, site: None, fact: None, text };
        let decl = game.program().procs.get(frame.proc.index()).cloned();
        let Some(decl) = decl else { return Err(at(format!("there is no procedure number {}", frame.proc.0))) };
        if frame.arguments.len() != decl.parameters.len() {
            return Err(at(format!(
                "the {} takes {} arguments, not {}",
                decl.name,
                decl.parameters.len(),
                frame.arguments.len()
            )));
        }
        let position = match frame.step {
            // total: a procedure begins at its first step
            None => 0,
            Some(step) => decl
                .steps
                .iter()
                .position(|s| *s == step)
                .ok_or_else(|| at(format!("the {} has no such step", decl.name)))?,
        };
        let arguments = frame.arguments.clone();
        let outcome = game.with_run(|run| {
            run.open(frame.proc, arguments)?;
            // The prologue, to its end; a guard counts only after it.
            if let Some(prologue) = decl.prologue {
                let floor = run.state.frames.len();
                let act = run.state.act_here();
                run.push_block(act, prologue)?;
                run.run_above(floor)?;
            }
            if let Some(Frame { kind: Kind::Procedure(r), .. }) = run.state.frames.last_mut() {
                r.started = true;
                // What is about to take its first step is about to begin.
                r.begun = i < last || position > 0 || (!decl.fixed && frame.step.is_some());
                r.ready = r.begun;
                let next = if i < last && frame.step.is_some() { position + 1 } else { position };
                r.next = crate::position::value::short(next);
            }
            Ok(())
        });
        outcome.map_err(|e| SetupError { clause: Some(e.clause), site: None, fact: None, text: e.text })?;
        if game.decision().is_some() {
            return Err(at(format!("the {} cannot begin here: its opening asks a question", decl.name)));
        }
        given.tell(game, i + 1)?;
        if decl.fixed {
            given.catch_up(game, decl.steps.iter().take(position))?;
        }
        // A free procedure that stands in a step performs it first.
        if i == last
            && !decl.fixed
            && let Some(step) = frame.step
        {
            let act = game.eval().state.act_here();
            game.with_run(|run| run.step_body(act, step)).map_err(|e| at(e.text))?;
        }
    }
    Ok(())
}
