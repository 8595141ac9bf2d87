//! Positions with the card in them, as texts of scenarios.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use netrep_grammar::parse_clauses;
use netrep_ir::{CardId, Map, Mapper, PlaceId, Printed, Program};

use super::Origin;
use crate::layout::Layout;
use crate::layout::spread::spread;
use crate::narrate::title;
use crate::scenario::{Argument, Given, Scenario};
use crate::words::{folded, tokens};

/// More cards like the tried one than this do not lend it their places.
const STAND_INS: usize = 24;

/// Of positions in the middle of the same procedures, seen from the owner of the card, so many are taken.
const SAME_MOMENT: usize = 8;

/// A position with the card, and the moves that follow it.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// Where it comes from.
    pub origin: Origin,
    /// `seed`, `edition` and the like.
    header: String,
    /// The inside of `given`.
    given: String,
    /// The lines of `when`.
    pub lines: Vec<String>,
    /// The words of the card in a move: its label, if it has one here.
    pub called: Option<String>,
    /// The card was added to the scenario, and nothing in it speaks of the card.
    pub added: bool,
}

impl Stage {
    /// The text with the first `lines` of its moves, further facts, and further clauses.
    pub(super) fn text(&self, lines: usize, facts: &[String], rest: &str) -> String {
        let mut text = String::new();
        text.push_str(&self.header);
        text.push_str("given {");
        text.push_str(self.given.trim_end());
        for fact in facts {
            text.push_str(&format!("\n    {fact}."));
        }
        text.push_str("\n}\n");
        let moves = &self.lines[..lines.min(self.lines.len())];
        if !moves.is_empty() {
            text.push_str("when {");
            for line in moves {
                text.push_str(&format!("\n    {line}"));
            }
            text.push_str("\n}\n");
        }
        text.push_str(rest);
        text
    }
}

impl Stage {
    /// The same with another card in the place of one that it names, but not of the tried one.
    pub(crate) fn variants(&self, program: &Program, tried: CardId, most: usize) -> Vec<Stage> {
        let named: BTreeSet<&str> = self.given.split('"').skip(1).step_by(2).collect();
        let cards = (0..program.cards.len()).map(CardId::from_index);
        let here = cards.filter(|card| *card != tried && named.contains(name_of(program, *card)));
        let mut variants = Vec::new();
        for old in here {
            for new in alike(program, old).into_iter().filter(|new| *new != tried).take(most) {
                let (old, name) = (name_of(program, old), name_of(program, new));
                // Two of a name are not told apart by it.
                if named.contains(name) {
                    continue;
                }
                let to = (called(program, new, name), name);
                let how = format!("{}, with \"{name}\" in the place of \"{old}\"", self.origin.how);
                variants.push(Stage {
                    origin: Origin { how, ..self.origin.clone() },
                    given: renamed(&self.given, old, (&to.0, to.1), true),
                    lines: self.lines.iter().map(|line| renamed(line, old, (&to.0, to.1), false)).collect(),
                    ..self.clone()
                });
            }
        }
        variants
    }
}

/// All stages for a card: scenarios in which it is; those in which it takes the place of a card like it; those to which
/// it is added. Nearer ones first, each position once.
pub(crate) fn stages(
    (program, layouts): (&Program, &[Arc<Layout>]),
    scenarios: &[Arc<Scenario>],
    card: CardId,
    name: &str,
) -> Vec<Stage> {
    let written = called(program, card, name);
    let bases: Vec<Base> = scenarios.iter().filter_map(|scenario| Base::of(scenario, program, layouts)).collect();
    // total: a program with a card has a class of cards
    let word = program.classes.get(program.services.card.index()).map(|class| class.name.clone()).unwrap_or_default();
    let mut stages: Vec<Stage> = Vec::new();
    let id = &program.cards[card.index()].id;
    for base in bases.iter().filter(|base| base.mentions(name) || base.cards.iter().any(|card| card == id)) {
        stages.push(base.stage("as it stands".to_owned(), base.given.clone(), base.lines.clone(), None));
    }
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for other in alike(program, card).into_iter().take(STAND_INS) {
        let theirs = name_of(program, other).to_owned();
        for base in bases.iter().filter(|base| base.gives_once(&theirs)) {
            let of_moment = taken.entry(base.moment(None)).or_default();
            *of_moment += 1;
            if *of_moment > SAME_MOMENT {
                continue;
            }
            let to = (written.as_str(), name);
            let lines = base.lines.iter().map(|line| renamed(line, &theirs, to, false)).collect();
            let given = renamed(&base.given, &theirs, to, true);
            stages.push(base.stage(format!("in the place of \"{theirs}\""), given, lines, None));
        }
    }
    for (place, owned) in places(program, card) {
        let mut moments: BTreeMap<String, Vec<Stage>> = BTreeMap::new();
        for base in &bases {
            // In a place that all share, a card may still be someone's.
            let no_one = (!owned).then_some(None);
            let owners: Vec<Option<&String>> = base.players.iter().map(Some).chain(no_one).collect();
            for owner in owners {
                let of: String = owner.iter().map(|name| format!(" of {name}")).collect();
                let label = base.mentions(name).then(|| base.free_label());
                let as_label: String = label.iter().map(|label| format!(" as {label}")).collect();
                let list = match owner {
                    Some(owner) => format!("{owner}: {place}"),
                    None => format!("{word} in {place}:"),
                };
                let line = format!("{}\n    {list} {written}{as_label}.", base.given.trim_end());
                let put = base.stage(format!("put into {place}{of}"), line, base.lines.clone(), label);
                moments.entry(base.moment(owner)).or_default().push(Stage { added: true, ..put });
            }
        }
        // Those of one file are much alike: the few are taken from all over.
        for (_, all) in moments {
            let every = all.len().div_ceil(SAME_MOMENT);
            stages.extend(all.into_iter().step_by(every));
        }
    }
    let mut seen = BTreeSet::new();
    stages.retain(|stage| {
        let text = stage.text(usize::MAX, &[], "");
        seen.insert(text.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    stages
}

fn name_of(program: &Program, card: CardId) -> &str {
    title(program, &program.cards[card.index()])
}

/// How a list of cards names the card: by its name, or by its id if others are called the same.
fn called(program: &Program, card: CardId, name: &str) -> String {
    let namesakes = (0..program.cards.len()).filter(|i| name_of(program, CardId::from_index(*i)) == name).count();
    match program.cards.get(card.index()) {
        Some(decl) if namesakes > 1 => format!("\"{}\"", decl.id),
        _ => format!("\"{name}\""),
    }
}

/// Other cards with the same printed terms, those with the most first.
fn alike(program: &Program, card: CardId) -> Vec<CardId> {
    let terms = |id: CardId| -> Vec<_> {
        let figures = &program.cards[id.index()].figures;
        let entries = figures.iter().filter_map(|(attr, printed)| match printed {
            Printed::Entries(entries) => Some(entries.iter().map(|entry| (*attr, *entry)).collect::<Vec<_>>()),
            _ => None,
        });
        entries.flatten().collect()
    };
    let own = terms(card);
    let mut others: Vec<(usize, CardId)> = (0..program.cards.len())
        .map(CardId::from_index)
        .filter(|other| *other != card)
        .map(|other| (terms(other).iter().filter(|term| own.contains(term)).count(), other))
        .filter(|(shared, _)| *shared > 0)
        .collect();
    // What is called alike is most alike.
    let stranger = |other: &CardId| name_of(program, *other) != name_of(program, card);
    others.sort_by_key(|(shared, other)| (stranger(other), std::cmp::Reverse(*shared), *other));
    others.into_iter().map(|(_, other)| other).collect()
}

/// The places from which something of the card can be declared: those that kinds of declaration ask for, and those in
/// which clauses function. All places, if neither names one. Each with whether players have one each.
fn places(program: &Program, card: CardId) -> Vec<(String, bool)> {
    let mut found = Places::default();
    let own = |allowance: &&netrep_ir::Allowance| allowance.card.map_or(allowance.carriers.is_some(), |of| of == card);
    let actions = program.allowances.iter().filter(own).filter_map(|allowance| allowance.action);
    for action in actions.filter_map(|id| program.actions.get(id.index())) {
        action.from.clone().map_ids(&mut found, 0);
    }
    program.services.functioning.clone().map_ids(&mut found, 0);
    if found.0.is_empty() {
        found.0.extend((0..program.places.len()).map(PlaceId::from_index));
    }
    let mut seen = BTreeSet::new();
    found.0.retain(|place| seen.insert(*place));
    let named = found.0.iter().filter_map(|place| program.places.get(place.index()));
    named.map(|place| (place.name.clone(), place.owned)).collect()
}

/// Collects the places of a phrase, in the order of mention.
#[derive(Default)]
struct Places(Vec<PlaceId>);

impl Mapper for Places {
    fn place(&mut self, id: PlaceId) -> PlaceId {
        self.0.push(id);
        id
    }
}

/// A scenario taken apart.
struct Base {
    name: String,
    file: String,
    header: String,
    given: String,
    lines: Vec<String>,
    /// The players, by their names.
    players: Vec<String>,
    /// The cards that it gives, as they are written.
    cards: Vec<String>,
    /// What runs, and for whom, outermost first.
    running: Vec<(String, Vec<String>)>,
}

impl Base {
    fn of(scenario: &Scenario, program: &Program, layouts: &[Arc<Layout>]) -> Option<Base> {
        let source = &scenario.source;
        let given = spread(layouts, program, &scenario.given, source).ok()?;
        let mut base = Base {
            name: scenario.name.clone(),
            file: source.file.clone(),
            header: String::new(),
            given: String::new(),
            lines: Vec::new(),
            players: Vec::new(),
            cards: Vec::new(),
            running: Vec::new(),
        };
        for line in &scenario.given_lines {
            base.given.push_str(&format!("\n    {}", line.text));
        }
        let mut seeded = false;
        for clause in parse_clauses(&source.text).ok()? {
            let text = source.slice(clause.span);
            match clause.head() {
                "when" if clause.tokens.len() == 1 => {
                    let lines = clause.block.iter().flatten().map(|line| one_line(source.slice(line.span)));
                    base.lines.extend(lines);
                }
                head @ ("seed" | "edition" | "variant" | "with" | "without" | "as") => {
                    seeded |= head == "seed";
                    base.header.push_str(text);
                    base.header.push('\n');
                }
                _ => {}
            }
        }
        if !seeded {
            base.header.push_str("seed 1.\n");
        }
        for one in &given {
            match one {
                Given::Cards(list) => {
                    base.players.extend(list.owner.iter().map(|owner| owner.text.clone()));
                    base.cards.extend(list.cards.iter().map(|(card, _)| card.text.clone()));
                }
                Given::Begin { procedure, arguments, step } => {
                    let step = step.iter().map(|step| format!(" {}", step.text)).collect::<String>();
                    let argument = |one: &Argument| match one {
                        Argument::Thing(name) => name.text.clone(),
                        Argument::Number(n) => n.to_string(),
                    };
                    let arguments = arguments.iter().map(argument).collect();
                    base.running.push((format!("{}{step}", procedure.text), arguments));
                }
                _ => {}
            }
        }
        // Who owns no card is still one of the class of those who do.
        let player = program.classes.get(program.services.player.index()).map(|class| class.name.as_str());
        for one in &given {
            if let Given::Mint { class, names } = one
                && Some(class.text.as_str()) == player
            {
                base.players.extend(names.iter().map(|name| name.text.clone()));
            }
        }
        let mut seen = BTreeSet::new();
        base.players.retain(|name| seen.insert(name.clone()));
        (!base.given.is_empty() && !base.players.is_empty()).then_some(base)
    }

    fn stage(&self, how: String, given: String, lines: Vec<String>, called: Option<String>) -> Stage {
        let origin = Origin { scenario: self.name.clone(), file: self.file.clone(), how };
        Stage { origin, header: self.header.clone(), given, lines, called, added: false }
    }

    /// In which procedures it is, and whose, as an owner sees them.
    fn moment(&self, owner: Option<&String>) -> String {
        let whose = |name: &String| match (self.players.contains(name), Some(name) == owner) {
            (true, true) => "own ",
            (true, false) => "other ",
            (false, _) => "",
        };
        let one = |(what, arguments): &(String, Vec<String>)| {
            format!("{what} {}", arguments.iter().map(whose).collect::<String>())
        };
        self.running.iter().map(one).collect()
    }

    fn mentions(&self, name: &str) -> bool {
        self.cards.iter().any(|card| folded(card) == folded(name))
    }

    /// True if it gives exactly one card of a name.
    fn gives_once(&self, name: &str) -> bool {
        self.cards.iter().filter(|card| folded(card) == folded(name)).count() == 1
    }

    /// A label that it does not use.
    fn free_label(&self) -> String {
        let used = tokens(&format!("{} {}", self.given, self.lines.join(" ")));
        let free = |label: &String| !used.contains(&folded(label));
        // total: if all letters are taken; should this be taken too, the scenario is refused and not shown.
        ('A'..='Z').rev().map(String::from).find(free).unwrap_or_else(|| "Tried".to_owned())
    }
}

/// A sentence without its line breaks; one with a comment needs them.
fn one_line(text: &str) -> String {
    if text.contains("//") {
        return text.to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text with another card in the place of one: as `written` in a list of cards, by its `name` everywhere else. A list
/// is a sentence with a colon, and there are none in moves.
fn renamed(text: &str, old: &str, (written, name): (&str, &str), lists: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_list = false;
    for (i, part) in text.split('"').enumerate() {
        match (i % 2 == 1, folded(part) == folded(old)) {
            (false, _) => {
                in_list = match part.rsplit_once('.') {
                    Some((_, sentence)) => sentence.contains(':'),
                    None => in_list || part.contains(':'),
                };
                out.push_str(part);
            }
            (true, true) if in_list && lists => out.push_str(written),
            (true, swapped) => {
                out.push('"');
                out.push_str(if swapped { name } else { part });
                out.push('"');
            }
        }
    }
    out
}
