//! `netrep play`: a game in the terminal, or line by line from another program.
//!
//! ```text
//! answer    a line -> an option is taken, or a command is carried out
//! say       the news, the question and the options
//! board     what a player sees
//! why       why something is possible or not, as far as he may know it
//! talk      the table, and what was shown to whom
//! ```

use std::io::{BufRead, Read};
use std::path::Path;

use netrep::{Bot, Data, Rules, Setup, Table, saved_format};
use netrep_compiler::load::read_text;
use netrep_ir::limits::LINE_BYTES;
use serde::Serialize;

use crate::args::{Play as Asked, Readings, Who};
use crate::output::Show;
use crate::{Outcome, Wrong};

mod answer;
mod board;
mod say;
mod talk;
mod why;

pub use answer::COMMANDS;
pub use say::{Line, Style};
pub use talk::{Reply, Talk};

/// The result of `play`.
#[derive(Serialize)]
struct Played {
    /// The scenario's name; the file of a saved game.
    scenario: String,
    profile: String,
    seed: u64,
    seats: Vec<Taken>,
    /// Nothing is left to decide.
    over: bool,
    /// Why play could not go on.
    stopped: Option<String>,
    /// The answers of persons, those that were taken back left out.
    answers: Vec<Said>,
    /// The file to which the game was written, if one was asked for.
    recorded: Option<String>,
    /// Every line that was typed, and what was shown.
    talk: Vec<Exchange>,
}

/// An answer of a person.
#[derive(Serialize)]
struct Said {
    by: String,
    words: String,
}

/// Who answers for a player.
#[derive(Serialize)]
struct Taken {
    name: String,
    who: Who,
}

/// A line and its answer; the first has no line.
#[derive(Serialize)]
struct Exchange {
    typed: Option<String>,
    shown: Vec<Line>,
}

/// Plays.
pub(crate) fn play(show: &Show, data: &Data, asked: &Asked) -> Result<Outcome, Wrong> {
    let rules = rules(data, &asked.readings);
    let errors = rules.check()?.iter().filter(|found| found.is_error).count();
    super::warn_of(show, errors);
    let (scenario, table) = begin(data, &rules, asked)?;
    if let Some(file) = asked.record.as_ref().filter(|file| file.exists()) {
        return Err(Wrong::Usage(format!("{} is there already; --record begins a new file", file.display())));
    }
    let mut said = Vec::new();
    if !show.json() {
        show.line(format!(
            "{}  [{}]  seed {}; `help` says what can be typed",
            show.paint("1", &scenario),
            table.rules(),
            table.seed()
        ));
    }
    let mut talk = Talk::new(table);
    converse(show, &mut talk, &mut said)?;
    let table = talk.table;
    let recorded = match &asked.record {
        Some(file) => Some(record(&table, file)?),
        None => None,
    };
    let seats = table.seats().into_iter().map(|seat| Taken { name: seat.to_owned(), who: who(&table, seat) }).collect();
    let stopped = table.stopped().map(str::to_owned);
    let outcome = Outcome::of(stopped.is_none());
    let answers = table.answers().iter().map(|one| Said { by: one.seat.clone(), words: one.words.clone() }).collect();
    let (profile, seed, over) = (table.rules().to_owned(), table.seed(), table.is_over());
    let told = recorded.clone();
    let played = Played { scenario, profile, seed, seats, over, stopped, answers, recorded, talk: said };
    Ok(show.reply(outcome, &played, || {
        if let Some(file) = &told {
            show.line(format!("the game is written to {file}; `netrep replay {file}` tells it again"));
        }
    }))
}

/// Writes the game to a file.
fn record(table: &Table, file: &Path) -> Result<String, Wrong> {
    let Some(text) = table.written() else {
        return Err(Wrong::Usage("the game is not written: another one was loaded in its place".to_owned()));
    };
    std::fs::write(file, format!("# A game\n\n{text}"))?;
    Ok(file.display().to_string())
}

fn who(table: &Table, seat: &str) -> Who {
    match table.bot(seat) {
        Ok(Some(Bot::Random)) => Who::Random,
        Ok(Some(Bot::Greedy)) => Who::Greedy,
        Ok(None) | Err(_) => Who::Me,
    }
}

fn rules<'d>(data: &'d Data, readings: &Readings) -> Rules<'d> {
    let mut rules = data.rules();
    if let Some(edition) = &readings.edition {
        rules = rules.edition(edition);
    }
    for variant in &readings.variants {
        rules = rules.variant(variant);
    }
    for (ruling, reading) in &readings.with {
        rules = rules.with(ruling, reading);
    }
    for ruling in &readings.without {
        rules = rules.without(ruling);
    }
    match readings.as_of {
        Some(day) => rules.as_of(&day.to_string()),
        None => rules,
    }
}

/// The game at its first question, with the name of what is played.
fn begin(data: &Data, rules: &Rules<'_>, asked: &Asked) -> Result<(String, Table), Wrong> {
    let Some(file) = &asked.file else {
        let decks = asked.decks.iter().map(|deck| data.deck(deck)).collect::<Result<Vec<_>, _>>()?;
        return seated(rules.table(&decks)?, asked);
    };
    let name = file.display().to_string();
    if let Some(text) = saved(data, file) {
        if asked.record.is_some() {
            let text = "how a saved game came about is not known; --record writes games from a position or from decks";
            return Err(Wrong::Usage(text.to_owned()));
        }
        if asked.seed.is_some() || !asked.seats.is_empty() || asked.scenario.is_some() || asked.after > 0 {
            let text =
                "a saved game has its own seed and seats; --seed, --seats, --scenario and --after are for positions";
            return Err(Wrong::Usage(text.to_owned()));
        }
        let table = rules.resume(&text).map_err(|why| Wrong::Usage(format!("{name} cannot be played on: {why}")))?;
        return Ok((name, table));
    }
    seated(rules.position_of(file, asked.scenario.as_deref(), asked.after)?, asked)
}

/// The game with those who play it.
fn seated(mut setup: Setup, asked: &Asked) -> Result<(String, Table), Wrong> {
    if asked.record.is_some() {
        setup = setup.written();
    }
    for (seat, who) in &asked.seats {
        setup = match who {
            Who::Me => setup.person(seat)?,
            Who::Random => setup.bot(seat, Bot::Random)?,
            Who::Greedy => setup.bot(seat, Bot::Greedy)?,
        };
    }
    // total: a game of which no one says the seed is the one of seed 1, as the first line of it tells.
    let table = setup.begin(asked.seed.or(setup.seed()).unwrap_or(1));
    if table.seats().into_iter().all(|seat| who(&table, seat) != Who::Me) {
        return Err(Wrong::Usage("no person plays; one of the players must be `me`".to_owned()));
    }
    Ok((setup.name().to_owned(), table))
}

/// The text of a saved game, if a file is one.
fn saved(data: &Data, file: &Path) -> Option<String> {
    let here = read_text(file).ok().or_else(|| data.text(&file.to_string_lossy()));
    here.filter(|text| saved_format(text).is_some())
}

/// Asks and answers until the player quits, nothing more can be read, or no one reads any more.
fn converse(show: &Show, talk: &mut Talk, said: &mut Vec<Exchange>) -> Result<(), Wrong> {
    let mut input = std::io::stdin().lock();
    let mut typed: Option<String> = None;
    let mut shown: Vec<Line> = Vec::new();
    let mut moved = true;
    loop {
        if moved {
            hand_over(show, talk, &mut input)?;
            let question = talk.question();
            print(show, &question);
            shown.extend(question);
        }
        said.push(Exchange { typed, shown });
        if show.is_gone() {
            return Ok(());
        }
        if show.is_talk() {
            match talk.asked() {
                Some(name) => show.prompt(&format!("{name}> ")),
                // At the end no one is asked.
                None => show.prompt("> "),
            }
        }
        let Some(line) = next_line(&mut input)? else { return Ok(()) };
        if !show.json() && !show.is_talk() {
            show.line(format!("> {line}"));
        }
        let reply = talk.answer(&line);
        print(show, &reply.lines);
        if reply.quit {
            said.push(Exchange { typed: Some(line), shown: reply.lines });
            return Ok(());
        }
        (typed, shown, moved) = (Some(line), reply.lines, reply.moved);
    }
}

/// Waits until another person sits down, and takes what the one before has seen from the screen.
fn hand_over(show: &Show, talk: &Talk, input: &mut impl BufRead) -> Result<(), Wrong> {
    let asked = talk.asked().filter(|_| show.is_talk() && talk.hands_over());
    let Some(name) = asked else { return Ok(()) };
    show.prompt(&format!("{name} is asked; Enter, when only {name} sees the screen "));
    next_line(input)?;
    show.clear();
    Ok(())
}

/// The next line, whatever its bytes are; nothing at the end.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Wrong> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 == LINE_BYTES {
        return Err(Wrong::Usage(format!("a line has more than {LINE_BYTES} bytes, which is the most that is read")));
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()))
}

fn print(show: &Show, lines: &[Line]) {
    if show.json() {
        return;
    }
    for line in lines {
        let code = match line.style {
            Style::Plain => None,
            Style::Title => Some("1"),
            Style::Faint => Some("2"),
            Style::News => Some("36"),
            Style::Offer => Some("32"),
            Style::Refusal => Some("33"),
        };
        match code {
            Some(code) => show.line(show.paint(code, &line.text)),
            None => show.line(&line.text),
        }
    }
}
