//! Lines that a player types: an option, or a command.

use std::path::Path;

use netrep::{Offer, View};
use netrep_lab::words::{first_word, nearest_name, nearest_options, tokens};

use super::say::Line;
use super::talk::{Reply, Talk};
use super::why::{no_such_option, which};

/// What can be typed besides an option.
pub const COMMANDS: [&str; 7] = ["why", "board", "undo", "save", "load", "help", "quit"];

/// What can be typed.
const HELP: [&str; 11] = [
    "a number     take that option",
    "words        take the option that they mean; some may be left out, as long as one option remains",
    "Enter        take the only option, if there is but one; else see the question again",
    "why N        why an option is possible; `why` alone: why you are asked",
    "why WORDS    why something is possible, or is not",
    "board        what you can see; `board NAME`: all that you know of one thing",
    "undo         take the last answer back, and all that came of it; `undo N`: the last N",
    "save FILE    write the game to a file, with all that is hidden in it",
    "load FILE    go on with a saved game; `netrep play FILE` begins with it",
    "help         this list",
    "quit         end",
];

impl Talk {
    /// What a line of the person who is asked does. Whatever it is, it is answered.
    pub fn answer(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let options = self.table.options();
        if line.is_empty() {
            return match options.as_slice() {
                [offer] => self.taken(offer),
                _ => Reply { moved: true, ..Reply::default() },
            };
        }
        // An option whose words are those of a command is meant, if nothing but its words is said.
        let said = tokens(line);
        if let Some(offer) = options.iter().find(|offer| !said.is_empty() && tokens(&offer.words) == said) {
            return self.taken(offer);
        }
        let (first, rest) = first_word(line);
        match self.command(first, rest.trim()) {
            Some(reply) => reply,
            None => self.option(line, &options),
        }
    }

    fn command(&mut self, name: &str, rest: &str) -> Option<Reply> {
        let say = |lines: Vec<Line>| Reply { lines, ..Reply::default() };
        Some(match (name, rest) {
            ("why", words) => say(self.why(words)),
            ("board", "") => say(self.seen(super::board::board)),
            ("board", words) => say(self.seen(|view| super::board::details(view, words))),
            ("undo", "") => self.undone(1),
            ("undo", times) => match times.parse() {
                Ok(times) => self.undone(times),
                Err(_) => say(vec![Line::refusal("write `undo`, or `undo` and how many answers to take back")]),
            },
            ("save" | "load", "") => say(vec![Line::refusal(format!("write `{name} FILE`"))]),
            ("save", file) => say(vec![match self.save(Path::new(file)) {
                Ok(()) => Line::plain(format!("saved as {file}, with all that is hidden")),
                Err(why) => Line::refusal(why),
            }]),
            ("load", file) => match self.load(Path::new(file)) {
                Ok(()) => Reply { moved: true, ..Reply::default() },
                Err(why) => say(vec![Line::refusal(why)]),
            },
            ("help", "") => say(HELP.iter().map(|line| Line::plain(*line)).collect()),
            ("quit", "") => Reply { quit: true, ..Reply::default() },
            _ => return None,
        })
    }

    fn option(&mut self, line: &str, options: &[Offer]) -> Reply {
        if let Ok(number) = line.parse::<usize>() {
            return match number.checked_sub(1).and_then(|i| options.get(i)) {
                Some(offer) => self.taken(offer),
                None => Reply { lines: vec![no_such_option(options)], ..Reply::default() },
            };
        }
        let meant: Vec<Offer> = self.table.asked().into_iter().flat_map(|seat| seat.may_mean(line)).collect();
        match meant.as_slice() {
            [offer] => self.taken(offer),
            [] => Reply { lines: unknown(line, options), ..Reply::default() },
            several => Reply { lines: which(line, options, several), ..Reply::default() },
        }
    }

    fn taken(&mut self, offer: &Offer) -> Reply {
        match self.table.take(offer) {
            Ok(()) => Reply { moved: true, ..Reply::default() },
            Err(refusal) => Reply { lines: vec![Line::refusal(refusal.to_string())], ..Reply::default() },
        }
    }

    fn undone(&mut self, times: usize) -> Reply {
        let done = (0..times).take_while(|_| self.undo()).count();
        match done {
            0 => Reply { lines: vec![Line::refusal("there is no answer to take back")], ..Reply::default() },
            1 => Reply { lines: vec![Line::plain("the last answer is taken back")], moved: true, quit: false },
            n => Reply { lines: vec![Line::plain(format!("{n} answers are taken back"))], moved: true, quit: false },
        }
    }

    /// Something about the view of the person who is asked; at the end, of the first person.
    fn seen(&self, tell: impl Fn(&View) -> Vec<Line>) -> Vec<Line> {
        let first = || self.persons().first().and_then(|name| self.table.seat(name).ok());
        self.table.asked().or_else(first).into_iter().flat_map(|seat| tell(&seat.view())).collect()
    }
}

/// Words that mean no option.
fn unknown(line: &str, options: &[Offer]) -> Vec<Line> {
    let command = nearest_name(first_word(line).0, COMMANDS);
    let words: Vec<&str> = options.iter().map(|offer| offer.words.as_str()).collect();
    let mut lines = vec![Line::refusal(format!("`{line}` is neither an option nor a command (see `help`)"))];
    let near = nearest_options(line, &words);
    if let Some(command) = command {
        lines.push(Line::plain(format!("  did you mean `{command}`?")));
    } else if near.is_empty() {
        lines.push(Line::plain(format!("  `why {line}` may tell what is in the way")));
    } else {
        lines.push(Line::plain("  did you mean:"));
        let at = |near: &str| options.iter().position(|offer| offer.words == near);
        lines.extend(near.into_iter().filter_map(|near| Some(Line::offer(at(near)? + 1, near))));
    }
    lines
}
