//! What a player is shown: what has happened, what is asked of him, and his options.

use netrep::{Event, View};
use serde::Serialize;

use super::talk::Talk;

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

impl Talk {
    /// What is shown to the person who decides now: the news since he was asked last, the board if he has not seen it,
    /// the question and the options.
    pub fn question(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(why) = self.table.stopped() {
            let text = format!("play stops here: {why}; `undo` takes the last answer back");
            lines.push(Line::refusal(text));
            return lines;
        }
        let Some((name, view)) = self.table.asked().map(|seat| (seat.name().to_owned(), seat.view())) else {
            self.ending(&mut lines);
            return lines;
        };
        lines.extend(self.news(&name));
        // A player who can do but one thing need not look at everything.
        let same = self.shown.as_ref() == Some(&name);
        if self.shown.is_none() || !same && view.options.len() > 1 {
            lines.extend(super::board::board(&view));
            self.shown = Some(name);
        }
        lines.extend(question(&view));
        lines
    }

    /// What has happened since a player was asked last.
    fn news(&mut self, name: &str) -> Vec<Line> {
        // total: who does not sit at the table hears nothing.
        let Ok(seat) = self.table.seat(name) else { return Vec::new() };
        let events = seat.events();
        let heard = std::mem::replace(self.heard.entry(name.to_owned()).or_default(), events.len());
        let line = |event: &Event| match event {
            Event::Happened(text) => Some(Line { style: Style::News, text: format!("  {text}") }),
            // Who sits here has typed it.
            Event::TakenBack | Event::Resumed => None,
        };
        events.iter().skip(heard).filter_map(line).collect()
    }

    /// The end: what happened last, and the numbers that the rules want reported.
    fn ending(&mut self, lines: &mut Vec<Line>) {
        let persons = self.persons();
        for person in &persons {
            let news = self.news(person);
            if persons.len() > 1 && !news.is_empty() {
                lines.push(Line::title(person.as_str()));
            }
            lines.extend(news);
        }
        lines.push(Line::title("Nothing is left to decide."));
        let mut by_number: Vec<(String, Vec<String>)> = Vec::new();
        for (player, numbers) in self.table.scores() {
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
fn question(view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    if !view.running.is_empty() {
        lines.push(Line::faint(view.running.join(" > ")));
    }
    if let Some(asked) = &view.asked {
        // What follows from each answer is told by `why`.
        let question = match asked.question.split_once(" {") {
            Some((question, _)) => question,
            None => &asked.question,
        };
        lines.push(Line::title(format!("{}: {question} ({})", view.seat, asked.clause)));
    }
    lines.extend(view.options.iter().enumerate().map(|(i, words)| Line::offer(i + 1, words)));
    if view.options.is_empty() {
        lines.push(Line::refusal("there is no option; `undo` takes the last answer back"));
    }
    lines
}
