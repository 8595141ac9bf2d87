//! Why something is possible or not, as far as the player who asks may know it.

use netrep::{Citation, Explanation, Offer, Seat};

use super::say::Line;
use super::talk::Talk;

impl Talk {
    /// Why an option, by its number or words, or anything else that a player may try, is possible or not; without
    /// words, why he is asked.
    pub(super) fn why(&self, words: &str) -> Vec<Line> {
        let Some(seat) = self.table.asked() else {
            return vec![Line::refusal("no one is asked anything now")];
        };
        if words.is_empty() {
            return seat.asked_by().iter().flat_map(|by| cited("you are asked by", by)).collect();
        }
        let options = seat.options();
        if let Ok(number) = words.parse::<usize>() {
            return match number.checked_sub(1).and_then(|i| options.get(i)) {
                Some(offer) => verdict(seat, &offer.words),
                None => vec![no_such_option(&options)],
            };
        }
        match seat.may_mean(words).as_slice() {
            several @ [_, _, ..] => which(words, &options, several),
            _ => verdict(seat, words),
        }
    }
}

fn verdict(seat: Seat<'_>, words: &str) -> Vec<Line> {
    match seat.why(words) {
        Ok(found) => told(&found),
        Err(error) => vec![Line::refusal(error.to_string()), Line::plain("  say it as an option would say it")],
    }
}

fn told(found: &Explanation) -> Vec<Line> {
    if found.is_legal {
        return cited(&format!("`{}` is possible by", found.words), &found.by);
    }
    let mut lines = vec![Line::refusal(format!("`{}` is not possible,", found.words))];
    for reason in &found.reasons {
        lines.push(Line::plain(format!("  because {}", reason.words)));
        lines.push(Line::faint(format!("    {}", reason.by)));
    }
    lines
}

fn cited(what: &str, by: &Citation) -> Vec<Line> {
    vec![Line::plain(format!("{what} {by}")), Line::plain(format!("  {}", by.text))]
}

/// A number that is no option's.
pub(super) fn no_such_option(options: &[Offer]) -> Line {
    match options.len() {
        0 => Line::refusal("there is no option now"),
        1 => Line::refusal("there is only option 1"),
        n => Line::refusal(format!("there are options 1 to {n}")),
    }
}

/// Words that mean several options.
pub(super) fn which(words: &str, options: &[Offer], several: &[Offer]) -> Vec<Line> {
    let mut lines = vec![Line::refusal(format!("`{words}` may mean any of these; say more, or a number:"))];
    let number = |offer: &Offer| options.iter().position(|one| one == offer);
    lines.extend(several.iter().filter_map(|offer| Some(Line::offer(number(offer)? + 1, &offer.words))));
    lines
}
