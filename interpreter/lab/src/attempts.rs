//! What a player might try at a decision, whether it is offered or not.

use netrep_engine::{Chooser, DecisionKind, Game, Submission, ThingId, Value};
use netrep_ir::{Allowance, AllowanceId, EntryId, ListId, Pool, Program};

use crate::report::label;
use crate::words::{Meant, Tokens, copies, meant, occurs, tokens, unmarked};

/// Attempts of one action beyond this number are not tried.
const MOST: usize = 4_000;

/// An attempt and its words.
pub(crate) type Attempt = (String, Submission);

/// Which of the options of this decision a text means. The label of the clause that allows one may be said even where no
/// other option reads the same.
pub fn meant_among(game: &Game, options: &[Attempt], said: &[String]) -> Meant {
    let plain: Vec<Tokens> = options.iter().map(|(words, _)| tokens(words)).collect();
    match meant(said, &plain) {
        Meant::None => {
            let all: Vec<Tokens> = options.iter().map(|(words, s)| labelled(game, words, s)).collect();
            meant(said, &all)
        }
        found => found,
    }
}

/// The same of a line of a script, which may leave open which of several copies is meant only where nothing tells them apart.
pub(crate) fn meant_surely(game: &Game, options: &[Attempt], said: &[String]) -> Meant {
    let found = meant_among(game, options, said);
    let Meant::One(one) = found else { return found };
    let all: Vec<Tokens> = options.iter().map(|(words, s)| labelled(game, words, s)).collect();
    let mut several = copies(said, &all, one);
    several.retain(|other| !interchangeable(game, &options[one].1, &options[*other].1));
    if several.is_empty() {
        return found;
    }
    several.insert(0, one);
    Meant::Several(several)
}

/// Whether two submissions differ only in copies that nothing tells apart.
fn interchangeable(game: &Game, one: &Submission, other: &Submission) -> bool {
    let alike = |pair: (&Value, &Value)| match pair {
        (Value::Thing(one), Value::Thing(other)) => game.alike(*one, *other),
        (one, other) => one == other,
    };
    match (one, other) {
        (Submission::Pick(one), Submission::Pick(other)) => alike((one, other)),
        (
            Submission::Declare { allowance, this, effect, parameters },
            Submission::Declare { allowance: allows, this: by, effect: nth, parameters: chosen },
        ) => {
            let carriers = match (this, by) {
                (Some(one), Some(other)) => game.alike(*one, *other),
                (one, other) => one == other,
            };
            let same = (allowance, effect, parameters.len()) == (allows, nth, chosen.len());
            same && carriers && parameters.iter().zip(chosen).all(alike)
        }
        (one, other) => one == other,
    }
}

/// The attempts at this decision that a text means: its tokens occur in theirs, or in theirs with the label of the
/// clause that allows them.
pub(crate) fn meant_by(game: &Game, said: &[String]) -> Vec<Attempt> {
    let mut found = attempts(game, Some(said));
    found.retain(|(words, submission)| is_meant(game, said, words, submission));
    found
}

fn is_meant(game: &Game, said: &[String], words: &str, submission: &Submission) -> bool {
    let mut all = tokens(words);
    if occurs(said, &all) {
        return true;
    }
    // Most attempts are nothing that is meant: only what ends as the label does is looked at with it.
    let label = labels(game, submission);
    let ends = said.last().is_some_and(|last| label.contains(last));
    all.extend(label);
    ends && occurs(said, &all)
}

/// The tokens of an attempt or option, followed by the label of the clause that allows it.
fn labelled(game: &Game, words: &str, submission: &Submission) -> Tokens {
    let mut all = tokens(words);
    all.extend(labels(game, submission));
    all
}

/// Those of the attempts that a text means first of all: those that say no more, else those that begin as it does,
/// else all.
pub fn meant_first(game: &Game, said: &[String]) -> Vec<Attempt> {
    first_of(meant_by(game, said), said)
}

/// The same, in the words of a player, of what he may know.
pub fn meant_first_by(game: &Game, seat: ThingId, said: &[String]) -> Vec<Attempt> {
    let all: Vec<Submission> = tried(game, Some(said), true).into_iter().map(|(_, submission)| submission).collect();
    let words = game.words_for(seat, &all);
    let known = words.into_iter().zip(all).filter_map(|(words, submission)| Some((words?, submission)));
    first_of(known.filter(|(words, submission)| is_meant(game, said, words, submission)).collect(), said)
}

/// Of the attempts that a text means, those that it means first of all, see [`meant_first`].
pub(crate) fn first_of(mut found: Vec<Attempt>, said: &[String]) -> Vec<Attempt> {
    let said = unmarked(said);
    let rank = |attempt: &Attempt| match tokens(&attempt.0) {
        plain if plain == said => 0u8,
        plain if plain.starts_with(&said) => 1,
        _ => 2,
    };
    let best = found.iter().map(rank).min();
    found.retain(|attempt| Some(rank(attempt)) == best);
    found
}

/// The tokens of the label of the clause that allows a declaration; no other submission has one.
fn labels(game: &Game, submission: &Submission) -> Tokens {
    let program = game.program();
    match submission {
        Submission::Declare { allowance, .. } => tokens(label(program, program.allowances[allowance.index()].clause)),
        _ => Tokens::new(),
    }
}

/// The members of a list.
pub(crate) fn listed(program: &Program, list: ListId) -> &[EntryId] {
    // total: a program with errors may draw from a list that no item declares: nothing is in it.
    program.lists.get(list.index()).map_or(&[], |list| &list.entries)
}

/// Everything that might be tried at this decision; with `said`, only on things and terms that the text names, as
/// far as it names any.
pub(crate) fn attempts(game: &Game, said: Option<&[String]>) -> Vec<Attempt> {
    tried(game, said, false)
}

/// The same; with `apart`, what carries an action is not tried as one of its choices, if the text names it only as the
/// carrier.
fn tried(game: &Game, said: Option<&[String]>, apart: bool) -> Vec<Attempt> {
    // total: where no player decides, none can try anything.
    let Some(decision) = game.decision().filter(|decision| decision.by != Chooser::Chance) else { return Vec::new() };
    let existing: Vec<ThingId> = (0..game.things()).map(ThingId::from_index).filter(|t| game.exists(*t)).collect();
    let is_said = |t: &ThingId| said.is_some_and(|said| occurs(&plain(&game.thing_words(*t)), said));
    let mut found: Vec<Submission> = Vec::new();
    match decision.kind {
        DecisionKind::Choose { .. } | DecisionKind::Gather { .. } | DecisionKind::Next { .. } => {
            found.extend(existing.iter().map(|t| Submission::Pick(Value::Thing(*t))));
            found.push(Submission::Decline);
        }
        DecisionKind::Act => {
            let things: Vec<(ThingId, bool)> = existing.iter().map(|t| (*t, is_said(t))).collect();
            for (i, allowance) in game.program().allowances.iter().enumerate() {
                declarations(game, AllowanceId::from_index(i), allowance, &things, (said, apart), &mut found);
            }
            found.push(Submission::Pass);
        }
        DecisionKind::May => found.extend([Submission::Yes, Submission::No]),
        DecisionKind::Branch(n) => found.extend((0..n).map(Submission::Branch)),
        _ => found.extend(game.options()),
    }
    found.into_iter().map(|submission| (game.submission_words(&submission), submission)).collect()
}

fn declarations(
    game: &Game,
    id: AllowanceId,
    allowance: &Allowance,
    things: &[(ThingId, bool)],
    (said, apart): (Option<&[String]>, bool),
    found: &mut Vec<Submission>,
) {
    let carriers: Vec<Option<ThingId>> = match (allowance.card, &allowance.carriers) {
        (card, Some(_)) => {
            let given = game.given(id);
            let given: Vec<(ThingId, bool)> = things.iter().filter(|(t, _)| given.contains(t)).copied().collect();
            // Of one that a card of the game does not give it to, it is told that it does not carry it.
            let gives = card.is_some_and(|card| things.iter().any(|(t, _)| game.card_of(*t) == Some(card)));
            let others = gives && !any_said(&given) && any_said(things);
            let meant = if others { things } else { &given };
            named(meant).into_iter().map(Some).collect()
        }
        (Some(card), None) => {
            let own: Vec<(ThingId, bool)> =
                things.iter().filter(|(t, _)| game.card_of(*t) == Some(card)).copied().collect();
            named(&own).into_iter().map(Some).collect()
        }
        (None, None) => vec![None],
    };
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for parameter in &allowance.parameters {
        let values: Vec<Value> = match &parameter.from {
            // What is chosen with others is chosen behind it.
            _ if parameter.several.is_some() => vec![Value::None],
            Pool::Things(_) => {
                let carries =
                    |thing: ThingId| apart && carriers.len() < things.len() && carriers.contains(&Some(thing));
                let others: Vec<(ThingId, bool)> =
                    things.iter().filter(|(thing, _)| !carries(*thing)).copied().collect();
                named(&others).into_iter().map(Value::Thing).collect()
            }
            Pool::Entries(list, _) => {
                let entries = listed(game.program(), *list);
                let word = |e: &EntryId| tokens(&game.program().entries[e.index()].name);
                let is_said = |e: &&EntryId| said.is_some_and(|said| occurs(&word(e), said));
                let mut chosen: Vec<EntryId> = entries.iter().filter(is_said).copied().collect();
                if chosen.is_empty() {
                    chosen = entries.to_vec();
                }
                chosen.into_iter().map(Value::Entry).collect()
            }
        };
        let longer = |row: &Vec<Value>| {
            let with = |value: &Value| row.iter().cloned().chain([value.clone()]).collect::<Vec<_>>();
            values.iter().map(with).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(longer).take(MOST).collect();
    }
    let mut all = Vec::new();
    for this in carriers {
        // Of what no effect allows now, it is told that none does.
        let effects = if allowance.delayed { game.allowed_by_effects(id, this).max(1) } else { 1 };
        for effect in 0..effects {
            all.extend(rows.iter().map(|row| (this, effect, row.clone())).take(MOST));
        }
    }
    let declare = |(this, effect, parameters)| Submission::Declare { allowance: id, this, effect, parameters };
    found.extend(all.into_iter().take(MOST).map(declare));
}

/// Of things of which it is known whether the text names them those that it names, or all if it names none of them.
fn named(things: &[(ThingId, bool)]) -> Vec<ThingId> {
    let all = !any_said(things);
    things.iter().filter(|(_, is_said)| all || *is_said).map(|(t, _)| *t).collect()
}

fn any_said(things: &[(ThingId, bool)]) -> bool {
    things.iter().any(|(_, is_said)| *is_said)
}

/// The tokens of a thing without the number of a copy.
fn plain(words: &str) -> Tokens {
    let mut plain = tokens(words);
    plain.retain(|word| !word.starts_with('#'));
    plain
}
