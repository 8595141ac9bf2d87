//! Positions from text: who plays, which cards lie where, what is so, what is running.
//!
//! ```text
//! player Ann, Bob
//! company C1
//! Ann in play: Aragorn II, Boromir II
//! - in play: Rhudaur
//! fact owner of C1 is Ann
//! begin turn for Ann at movement
//! ```
//! `fact` takes any condition of the language; `begin` takes a procedure, its arguments and optionally the step
//! at which it stands, outermost first. A card that is listed twice is there twice.

use netrep_compiler::phrases::{Phrases, PositionName};
use netrep_engine::{Fact, Game, Setup, StartFrame, ThingId, Value};
use netrep_grammar::parse_sentence;
use netrep_ir::{CardId, ClassId, Cond, NameId, PlaceId, ProcId, Program};

/// A position that can be set up, and what its names stand for.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// For the engine.
    pub setup: Setup,
    /// The names of the position, for phrases.
    pub names: Vec<PositionName>,
    /// Every named thing: players, companies, and the first card of each name.
    pub things: Vec<(String, ThingId)>,
    /// The sentences of its `fact` lines, without full stop.
    pub facts: Vec<String>,
}

impl Board {
    /// Reads a position.
    pub(crate) fn new(phrases: &Phrases<'_>, text: &str) -> Board {
        let program = &*phrases.program;
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//")).collect();
        let mut board = Board { setup: Setup::default(), names: Vec::new(), things: Vec::new(), facts: Vec::new() };
        let placed: Vec<(&str, &str, Vec<ThingId>)> =
            lines.iter().filter_map(|line| board.cards(program, line)).collect();
        for line in &lines {
            board.minted(program, line);
        }
        for (owner, place, things) in placed {
            board.put(program, owner, place, &things);
        }
        for line in &lines {
            if let Some(fact) = line.strip_prefix("fact ") {
                let (cond, words) = board.condition(phrases, fact);
                board.setup.facts.push(Fact::Holds(cond, words));
                board.facts.push(fact.to_owned());
            } else if let Some(begin) = line.strip_prefix("begin ") {
                board.begin(program, begin);
            }
        }
        board
    }

    /// The game of the position.
    pub(crate) fn game(&self, phrases: &Phrases<'_>) -> Game {
        match Game::new(phrases.program.clone(), self.setup.clone()) {
            Ok(game) => game,
            Err(errors) => panic!("the position cannot be set up: {errors:#?}"),
        }
    }

    /// A condition in the names of the position.
    pub(crate) fn condition(&self, phrases: &Phrases<'_>, sentence: &str) -> (Cond, String) {
        let tokens = parse_sentence(&format!("{sentence}.")).unwrap_or_else(|e| panic!("`{sentence}`: {e:?}"));
        phrases.condition(&tokens, &self.names).unwrap_or_else(|e| panic!("`{sentence}`: {e:?}"))
    }

    /// A thing by its name; of cards the first of that name.
    pub(crate) fn thing(&self, name: &str) -> ThingId {
        let found = self.things.iter().find(|(known, _)| known == name);
        found.unwrap_or_else(|| panic!("nothing is called `{name}` in this position")).1
    }

    /// `OWNER in PLACE: CARD, CARD`; `-` owns nothing.
    fn cards<'t>(&mut self, program: &Program, line: &'t str) -> Option<(&'t str, &'t str, Vec<ThingId>)> {
        let (head, names) = line.split_once(": ")?;
        let (owner, place) = head.split_once(" in ")?;
        let mut things = Vec::new();
        for name in names.split(", ") {
            let thing = ThingId::from_index(self.setup.cards.len());
            self.setup.cards.push(card(program, name));
            self.things.push((name.to_owned(), thing));
            things.push(thing);
        }
        Some((owner, place, things))
    }

    /// `CLASS NAME, NAME`.
    fn minted(&mut self, program: &Program, line: &str) {
        if line.starts_with("fact ") || line.starts_with("begin ") || line.contains(": ") {
            return;
        }
        let (class, names) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}` is no line of a position"));
        for name in names.split(", ") {
            let id = NameId::from_index(program.names.len() + self.setup.names.len());
            let thing = ThingId::from_index(self.setup.cards.len() + self.setup.minted.len());
            self.setup.names.push(name.to_owned());
            self.setup.minted.push((named_class(program, class), Some(id)));
            self.names.push(PositionName { label: name.to_owned(), id, class: class.to_owned() });
            self.things.push((name.to_owned(), thing));
        }
    }

    fn put(&mut self, program: &Program, owner: &str, place: &str, things: &[ThingId]) {
        let id = named_place(program, place);
        let owner = (owner != "-").then(|| self.thing(owner));
        let owned = program.places[id.index()].owned;
        for thing in things {
            if let Some(owner) = owner
                && let Some(attr) = program.services.controller
            {
                self.setup.facts.push(Fact::Attr { attr, thing: *thing, value: Value::Thing(owner) });
            }
            let owner = owner.filter(|_| owned);
            self.setup.facts.push(Fact::Put { thing: *thing, place: Some(id), owner });
        }
    }

    /// `PROCEDURE for NAME, NAME at STEP`.
    fn begin(&mut self, program: &Program, text: &str) {
        let (head, step) = text.split_once(" at ").map_or((text, None), |(head, step)| (head, Some(step)));
        let (name, arguments) = head.split_once(" for ").unwrap_or((head, ""));
        let proc = named_procedure(program, name);
        let arguments = arguments.split(", ").filter(|a| !a.is_empty()).map(|a| Value::Thing(self.thing(a))).collect();
        let step = step.map(|step| {
            let steps = &program.procs[proc.index()].steps;
            let found = steps.iter().find(|id| program.steps[id.index()].name == step);
            *found.unwrap_or_else(|| panic!("`{name}` has no step `{step}`"))
        });
        self.setup.start.push(StartFrame { proc, arguments, step });
    }
}

/// A card by its name.
pub(crate) fn card(program: &Program, name: &str) -> CardId {
    let found = program.cards.iter().position(|c| program.names[c.name.index()] == name);
    CardId::from_index(found.unwrap_or_else(|| panic!("no card is called `{name}`")))
}

/// A class by its word.
pub(crate) fn named_class(program: &Program, name: &str) -> ClassId {
    let found = program.classes.iter().position(|c| c.name == name);
    ClassId::from_index(found.unwrap_or_else(|| panic!("no class is called `{name}`")))
}

/// A place by its words.
pub(crate) fn named_place(program: &Program, name: &str) -> PlaceId {
    let found = program.places.iter().position(|p| p.name == name);
    PlaceId::from_index(found.unwrap_or_else(|| panic!("no place is called `{name}`")))
}

/// A procedure by its words.
pub(crate) fn named_procedure(program: &Program, name: &str) -> ProcId {
    let found = program.procs.iter().position(|p| p.name == name);
    ProcId::from_index(found.unwrap_or_else(|| panic!("no procedure is called `{name}`")))
}
