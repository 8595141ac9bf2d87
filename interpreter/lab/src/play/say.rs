//! What a player is shown: what has happened, what is asked of him, and his options.

use netrep_engine::{ThingId, View};
use serde::Serialize;

use super::Play;
use crate::driver::scores;

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// As it is.
    Plain,
    /// A heading.
    Title,
    /// What need not be read each time.
    Faint,
    /// What has happened.
    News,
    /// An option.
    Offer,
    /// Something that was not done, and why.
    Refusal,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// How it looks.
    pub style: Style,
    /// What it says.
    pub text: String,
}

impl Line {
    pub(super) fn plain(text: impl Into<String>) -> Line {
        Line { style: Style::Plain, text: text.into() }
    }

    pub(super) fn title(text: impl Into<String>) -> Line {
        Line { style: Style::Title, text: text.into() }
    }

    pub(super) fn faint(text: impl Into<String>) -> Line {
        Line { style: Style::Faint, text: text.into() }
    }

    pub(super) fn offer(number: usize, words: &str) -> Line {
        Line { style: Style::Offer, text: format!("{number:>4}. {words}") }
    }

    pub(super) fn refusal(text: impl Into<String>) -> Line {
        Line { style: Style::Refusal, text: text.into() }
    }
}

impl Play {
    /// What is shown to the person who decides now: the news since he was asked last, the board if he has not seen it,
    /// the question and the options.
    pub fn question(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(why) = &self.stopped {
            let text = format!("play stops here: {why}; `undo` takes the last answer back");
            lines.push(Line::refusal(text));
            return lines;
        }
        let Some(seat) = self.asked().cloned() else {
            self.ending(&mut lines);
            return lines;
        };
        self.tell(seat.thing, &mut lines);
        let view = self.game.view(seat.thing);
        // A player who can do but one thing need not look at everything.
        if self.shown.is_none() || self.shown != Some(seat.thing) && view.options.len() > 1 {
            lines.extend(super::board::board(&view, self.game.program()));
            self.shown = Some(seat.thing);
        }
        lines.extend(question(&view, &seat.name));
        lines
    }

    /// What has happened since a player was asked last.
    fn tell(&mut self, seat: ThingId, lines: &mut Vec<Line>) {
        let news = std::mem::take(&mut self.news);
        let (own, others) = news.into_iter().partition(|(of, _)| *of == seat);
        self.news = others;
        let own: Vec<(ThingId, String)> = own;
        lines.extend(own.into_iter().map(|(_, text)| Line { style: Style::News, text: format!("  {text}") }));
    }

    /// The end: what happened last, and the numbers that the rules want reported.
    fn ending(&mut self, lines: &mut Vec<Line>) {
        let persons: Vec<_> = self.persons().cloned().collect();
        for person in &persons {
            if persons.len() > 1 && self.news.iter().any(|(of, _)| *of == person.thing) {
                lines.push(Line::title(&person.name));
            }
            self.tell(person.thing, lines);
        }
        lines.push(Line::title("Nothing is left to decide."));
        let mut by_number: Vec<(String, Vec<String>)> = Vec::new();
        for (player, numbers) in scores(&self.game) {
            for (name, value) in numbers {
                let said = format!("{player} {value}");
                match by_number.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, values)) => values.push(said),
                    None => by_number.push((name, vec![said])),
                }
            }
        }
        let line = |(name, values): (String, Vec<String>)| Line::plain(format!("  {name}: {}", values.join(", ")));
        lines.extend(by_number.into_iter().map(line));
    }
}

/// What a view asks, and its options.
pub(super) fn question(view: &View, name: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    if !view.running.is_empty() {
        lines.push(Line::faint(view.running.join(" > ")));
    }
    let (question, clause) =
        view.asked.as_ref().map_or(("", ""), |asked| (asked.question.as_str(), asked.clause.as_str()));
    // What follows from each answer is told by `why`.
    let question = question.split(" {").next().unwrap_or(question);
    lines.push(Line::title(format!("{name}: {question} ({clause})")));
    lines.extend(view.options.iter().enumerate().map(|(i, words)| Line::offer(i + 1, words)));
    if view.options.is_empty() {
        lines.push(Line::refusal("there is no option; `undo` takes the last answer back"));
    }
    lines
}
