//! Decisions and steps in words.

use netrep_engine::{Chooser, Decision, DecisionKind, Fact, Game, Running, Submission, ThingId};

use netrep_ir::{CardDecl, Program};

use crate::report::{From, Step, is_news, label};

/// Who decides when no player does.
pub(crate) const NOBODY: &str = "chance";

/// For whom a line is said that answers what is chosen at random.
pub(crate) const CHANCE: &str = "Chance";

/// The name of a thing, without quotes.
pub fn name_of(game: &Game, thing: ThingId) -> String {
    game.thing_words(thing).trim_matches('"').to_owned()
}

/// Who decides, by name: a player, or [`NOBODY`].
pub(crate) fn decider(game: &Game, by: Chooser) -> String {
    match by {
        Chooser::Seat(seat) => name_of(game, seat),
        Chooser::Chance => NOBODY.to_owned(),
    }
}

/// The name of something that a program declares.
pub(crate) fn named(name: Option<&String>) -> &str {
    // total: a program with errors may speak of what no item declares; that has no name but can be told.
    name.map_or("?", String::as_str)
}

/// The title of a card.
pub(crate) fn title<'p>(program: &'p Program, card: &CardDecl) -> &'p str {
    named(program.names.get(card.name.index()))
}

/// What is asked now, of whom, and by which clause.
pub(crate) fn asked(game: &Game) -> String {
    // total: it is said that no one is asked.
    let Some(decision) = game.decision() else { return "nothing is left to decide".to_owned() };
    let who = decider(game, decision.by);
    let what = match &decision.kind {
        DecisionKind::Choose { optional: true, .. } => format!("{who} may choose"),
        DecisionKind::Gather { optional: true, .. } => format!("{who} may choose one more"),
        DecisionKind::Gather { .. } => format!("{who} must choose one more"),
        DecisionKind::Choose { .. } => format!("{who} must choose"),
        DecisionKind::Next { .. } => format!("{who} must choose the next one"),
        DecisionKind::May => format!("{who} must say yes or no"),
        DecisionKind::Branch(_) => format!("{who} must choose what to do"),
        DecisionKind::Act => format!("{who} may act"),
        DecisionKind::Step => format!("{who} may perform a step"),
        DecisionKind::Order(_) | DecisionKind::Replace(_) => format!("{who} must choose what comes first"),
        DecisionKind::Roll { dice, by, subject, .. } => {
            let by = name_of(game, *by);
            let of: String = subject.iter().map(|thing| format!(" for {}", game.thing_words(*thing))).collect();
            format!("{by} rolls {dice} dice{of}")
        }
        DecisionKind::Shuffle { .. } => "something is shuffled".to_owned(),
    };
    let site =
        game.program().sites.get(decision.site.index()).map(|site| site.text.as_str()).filter(|text| !text.is_empty());
    match (site, &decision.kind) {
        (
            Some(site),
            DecisionKind::May | DecisionKind::Choose { .. } | DecisionKind::Gather { .. } | DecisionKind::Branch(_),
        ) => {
            format!("{what} ({}: {site})", label(game.program(), decision.clause))
        }
        _ => format!("{what} ({})", label(game.program(), decision.clause)),
    }
}

/// The running procedures with their steps in words, outermost first.
pub(crate) fn running(game: &Game) -> Vec<String> {
    let program = game.program();
    let one = |running: Running| {
        let name = named(program.procs.get(running.proc.index()).map(|proc| &proc.name));
        match running.step.and_then(|id| program.steps.get(id.index())) {
            Some(step) => format!("{name}, {}", step.name),
            None => name.to_owned(),
        }
    };
    game.running().into_iter().map(one).collect()
}

/// What is asked now and in the course of what: the innermost procedure that runs.
pub(crate) fn window(game: &Game) -> String {
    match running(game).pop() {
        Some(within) => format!("{}, in {within}", asked(game)),
        None => asked(game),
    }
}

/// What a player submits who has nothing to say: pass, decline, no, or the only option; a keyed roll for chance.
pub(crate) fn quiet_answer(game: &Game, seed: Option<u64>) -> Option<Submission> {
    if game.decision()?.by == Chooser::Chance {
        return game.keyed_roll(seed?);
    }
    // To ask about one answer is cheaper than to find all.
    let quiet = [Submission::Pass, Submission::Decline, Submission::No];
    quiet.into_iter().find(|wanted| game.is_legal(wanted)).or_else(|| match game.options().as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    })
}

/// The line of a script that says a submission, of which these are the words.
pub fn line(game: &Game, submission: &Submission, words: &str) -> String {
    let spoken = |thing: ThingId| spoken(&name_of(game, thing));
    match (submission, game.decision()) {
        (Submission::Dice(total), _) => format!("dice {total}."),
        (Submission::Shuffled(order), Some(Decision { kind: DecisionKind::Shuffle { owner, .. }, .. })) => {
            // total: a pile that is no player's is chance's.
            let whose = owner.map_or_else(|| CHANCE.to_owned(), spoken);
            let mut cards: Vec<String> = order.iter().rev().map(|thing| game.thing_words(*thing)).collect();
            // A name without a number would be any of its copies.
            let copied: Vec<String> =
                cards.iter().filter_map(|card| card.rsplit_once(" #")).map(|(name, _)| name.to_owned()).collect();
            cards.iter_mut().filter(|card| copied.contains(card)).for_each(|card| card.push_str(" #1"));
            format!("stack {whose}: {}.", cards.join(", "))
        }
        (_, Some(Decision { by: Chooser::Seat(seat), .. })) => {
            format!("{}: {}.", spoken(*seat), first_marked(game, submission, words))
        }
        _ => format!("{CHANCE}: {}.", first_marked(game, submission, words)),
    }
}

/// The words of a submission, in which the first of copies has its number, where something tells it from the next: without it the
/// words would mean either.
fn first_marked(game: &Game, submission: &Submission, words: &str) -> String {
    let mut marked = words.to_owned();
    for thing in submission.things() {
        let own = game.thing_words(thing);
        let mut ends = marked.match_indices(&own).map(|(at, own)| at + own.len());
        let Some(end) = ends.find(|end| !marked.get(*end..).is_some_and(|rest| rest.starts_with(" #"))) else {
            continue;
        };
        let others = (0..game.things()).map(ThingId::from_index);
        let mut alike = others.filter(|other| {
            let is_like = (game.card_of(*other), game.class_of(*other)) == (game.card_of(thing), game.class_of(thing));
            *other != thing
                && is_like
                && game.exists(*other)
                && game.thing_words(*other).starts_with(&format!("{own} #"))
        });
        if alike.any(|other| !game.alike(thing, other)) {
            marked.insert_str(end, " #1");
        }
    }
    marked
}

/// A name as a script says it: in quotes, if it is not one capitalised word.
pub(crate) fn spoken(name: &str) -> String {
    let is_word = name.starts_with(|c: char| c.is_uppercase()) && name.chars().all(char::is_alphanumeric);
    if is_word { name.to_owned() } else { format!("\"{name}\"") }
}

/// A fact in words.
pub fn fact_words(game: &Game, fact: &Fact) -> String {
    let program = game.program();
    let attr_name = |attr: &netrep_ir::AttrId| named(program.attrs.get(attr.index()).map(|a| &a.name));
    let entry_name = |entry: &netrep_ir::EntryId| named(program.entries.get(entry.index()).map(|e| &e.name));
    match fact {
        Fact::Attr { attr, thing, value } => {
            let words = match value {
                netrep_engine::Value::None => "none".to_owned(),
                netrep_engine::Value::Num(n) => n.to_string(),
                netrep_engine::Value::Thing(t) => game.thing_words(*t),
                netrep_engine::Value::Entry(e) => entry_name(e).to_owned(),
                netrep_engine::Value::Set(set) => {
                    set.iter().map(|t| game.thing_words(t)).collect::<Vec<_>>().join(", ")
                }
            };
            format!("{} of {} were {words}", attr_name(attr), game.thing_words(*thing))
        }
        Fact::Without { attr, thing, entry } => {
            format!("{} of {} were not {}", attr_name(attr), game.thing_words(*thing), entry_name(entry))
        }
        Fact::Put { thing, place, owner } => {
            let place = match place {
                Some(place) => named(program.places.get(place.index()).map(|p| &p.name)),
                None => "no place",
            };
            let whose: String = owner.iter().map(|o| format!(" of {}", game.thing_words(*o))).collect();
            format!("{} were in {place}{whose}", game.thing_words(*thing))
        }
        Fact::Holds(_, words) | Fact::Past(_, words) => words.clone(),
    }
}

/// A step in one line: who, what, and where the answer came from.
pub fn step_words(step: &Step) -> String {
    let from = match step.from {
        From::Script(_) => "",
        From::Driver => " (nothing else to say)",
        From::Seed => " (keyed)",
    };
    match step.by.as_str() {
        NOBODY => format!("{}: {}{from}", step.asked, step.chosen),
        by => format!("{by}: {}{from}", step.chosen),
    }
}

/// What happened in a step, entry by entry; with `all`, every entry of the trace.
pub fn happened(step: &Step, all: bool) -> Vec<&str> {
    let mut lines: Vec<&str> = Vec::new();
    for entry in step.trace.iter().filter(|entry| all || is_news(entry)) {
        if lines.last() != Some(&entry.text.as_str()) {
            lines.push(&entry.text);
        }
    }
    lines
}
