//! `netrep play`: a game in the terminal, or line by line from another program.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use netrep_compiler::Profile;
use netrep_compiler::load::read_text;
use netrep_lab::Library;
use netrep_lab::driver::drive_to;
use netrep_lab::play::{Line, Play, Style, Who, is_saved};
use netrep_lab::scenario::profile_words;
use netrep_lab::simulate::Said;
use serde::Serialize;

use crate::commands::look_at;
use crate::output::Show;
use crate::scenarios::{one_of, ready, scenarios};
use crate::{Outcome, Wrong};

/// What is to be played, and by whom.
pub struct Wanted {
    /// A part of the scenario's name.
    pub scenario: Option<String>,
    /// How many of its steps are made first.
    pub after: usize,
    /// By what chance is keyed.
    pub seed: Option<u64>,
    /// Who answers for whom.
    pub seats: Vec<(String, Who)>,
    /// The edition and readings that the scenario leaves open.
    pub profile: Profile,
}

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
    /// Every line that was typed, and what was shown.
    talk: Vec<Exchange>,
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
pub fn play(show: &Show, library: &Library, file: PathBuf, wanted: &Wanted) -> Result<Outcome, Wrong> {
    look_at(show, library, &wanted.profile)?;
    let (scenario, profile, mut play) = begin(show, library, file, wanted)?;
    let mut talk = Vec::new();
    if !show.json() {
        show.line(format!(
            "{}  [{profile}]  seed {}; `help` says what can be typed",
            show.paint("1", &scenario),
            play.seed()
        ));
    }
    converse(show, &mut play, &mut talk)?;
    let seats = play.seats().iter().map(|seat| Taken { name: seat.name.clone(), who: seat.who }).collect();
    let stopped = play.stopped().map(str::to_owned);
    let outcome = Outcome::of(stopped.is_none());
    let (seed, over, answers) = (play.seed(), play.is_over(), play.said().to_vec());
    let played = Played { scenario, profile, seed, seats, over, stopped, answers, talk };
    Ok(show.reply(outcome, &played, || ()))
}

/// The game at its first question, with the names of what is played.
fn begin(show: &Show, library: &Library, file: PathBuf, wanted: &Wanted) -> Result<(String, String, Play), Wrong> {
    let path = if file.exists() { file.clone() } else { library.root.join(&file) };
    if let Some(text) = saved(&path) {
        if wanted.seed.is_some() || !wanted.seats.is_empty() || wanted.scenario.is_some() || wanted.after > 0 {
            let text =
                "a saved game has its own seed and seats; --seed, --seats, --scenario and --after are for positions";
            return Err(Wrong::Usage(text.to_owned()));
        }
        let profile = profile_words(&wanted.profile);
        let program = library.compiler.link(&wanted.profile).0;
        let play = Play::resume(program, &profile, &text)
            .map_err(|why| Wrong::Usage(format!("{} cannot be played on: {why}", path.display())))?;
        return Ok((file.display().to_string(), profile, play));
    }
    let all = scenarios(show, library, &[file], true)?;
    let scenario = one_of(&all, wanted.scenario.as_deref())?;
    let prepared = ready(library, scenario, &wanted.profile)?;
    let (report, game) = drive_to(&prepared, wanted.after, None);
    let Some(game) = game else { return Err(Wrong::Diags(report.diags)) };
    // An expectation that fails on the way does not matter; a step that cannot be made does.
    if report.steps.len() < wanted.after {
        if !report.diags.is_empty() {
            return Err(Wrong::Diags(report.diags));
        }
        return Err(Wrong::Usage(format!("the scenario has only {} steps", report.steps.len())));
    }
    let profile = profile_words(&prepared.profile);
    let seed = wanted.seed.or(scenario.seed).unwrap_or(1);
    let play = Play::new(game, &profile, seed, &wanted.seats).map_err(Wrong::Usage)?;
    Ok((scenario.name.clone(), profile, play))
}

/// The text of a saved game, if a file is one.
fn saved(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    read_text(path).ok().filter(|text| is_saved(text))
}

/// Asks and answers until the player quits, nothing more can be read, or no one reads any more.
fn converse(show: &Show, play: &mut Play, talk: &mut Vec<Exchange>) -> Result<(), Wrong> {
    let mut input = std::io::stdin().lock();
    let mut typed: Option<String> = None;
    let mut shown: Vec<Line> = Vec::new();
    let mut moved = true;
    loop {
        if moved {
            hand_over(show, play, &mut input)?;
            let question = play.question();
            print(show, &question);
            shown.extend(question);
        }
        talk.push(Exchange { typed, shown });
        if show.is_gone() {
            return Ok(());
        }
        if show.is_talk() {
            let who = play.asked().map(|seat| seat.name.clone()).unwrap_or_default();
            show.prompt(&format!("{who}> "));
        }
        let Some(line) = next_line(&mut input)? else { return Ok(()) };
        if !show.json() && !show.is_talk() {
            show.line(format!("> {line}"));
        }
        let reply = play.answer(&line);
        print(show, &reply.lines);
        if reply.quit {
            talk.push(Exchange { typed: Some(line), shown: reply.lines });
            return Ok(());
        }
        (typed, shown, moved) = (Some(line), reply.lines, reply.moved);
    }
}

/// Waits until another person sits down, and takes what the one before has seen from the screen.
fn hand_over(show: &Show, play: &Play, input: &mut impl BufRead) -> Result<(), Wrong> {
    if !show.is_talk() || !play.hands_over() {
        return Ok(());
    }
    let name = play.asked().map(|seat| seat.name.clone()).unwrap_or_default();
    show.prompt(&format!("{name} is asked; Enter, when only {name} sees the screen "));
    next_line(input)?;
    show.clear();
    Ok(())
}

/// The next line, whatever its bytes are; nothing at the end.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, Wrong> {
    let mut bytes = Vec::new();
    let read = input.read_until(b'\n', &mut bytes)?;
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
