//! Why something is possible or not, as far as the player who asks may know it.

use netrep_engine::{Submission, ThingId, Verdict};
use netrep_ir::ClauseId;

use super::Play;
use super::say::Line;
use crate::attempts::{meant_among, meant_first_by};
use crate::report::{Citation, citation};
use crate::words::{Meant, Tokens, tokens};

/// At most so many attempts are weighed to find the one that is nearest to being possible.
const MOST: usize = 1_000;

impl Play {
    /// Why an option, by its number or words, or anything else that a player may try, is possible or not; without
    /// words, why he is asked.
    pub(super) fn why(&self, words: &str) -> Vec<Line> {
        let Some(seat) = self.asked().map(|seat| seat.thing) else {
            return vec![Line::refusal("no one is asked anything now")];
        };
        if words.is_empty() {
            let clause = self.game.decision().map(|decision| decision.clause);
            return clause.map(|clause| self.cited("you are asked by", clause)).unwrap_or_default();
        }
        let options = self.options();
        if let Ok(number) = words.parse::<usize>() {
            return match number.checked_sub(1).and_then(|i| options.get(i)) {
                Some((words, submission)) => self.verdict(seat, words, submission),
                None => vec![no_such_option(&options)],
            };
        }
        match self.meant(&options, words) {
            Meant::One(i) => {
                options.get(i).map(|(words, submission)| self.verdict(seat, words, submission)).unwrap_or_default()
            }
            Meant::Several(several) => which(words, &options, &several),
            Meant::None => self.why_not(seat, words),
        }
    }

    /// Why something that is not offered is not.
    fn why_not(&self, seat: ThingId, words: &str) -> Vec<Line> {
        let found = self.readings(words).into_iter().map(|said| meant_first_by(&self.game, seat, &said));
        let mut attempts = found.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        attempts.truncate(MOST);
        let submissions: Vec<Submission> = attempts.iter().map(|(_, submission)| submission.clone()).collect();
        let verdicts = self.game.explain_to(seat, &submissions);
        let told = attempts.iter().zip(verdicts).filter_map(|((words, _), verdict)| Some((words, verdict?)));
        match told.min_by_key(|(_, verdict)| verdict.reasons.len()) {
            Some((words, verdict)) => self.told(words, &verdict),
            None => {
                let text = format!("nothing that you know of can be tried here by the words `{words}`");
                vec![Line::refusal(text), Line::plain("  say it as an option would say it")]
            }
        }
    }

    /// Which option a text means.
    pub(super) fn meant(&self, options: &[(String, Submission)], text: &str) -> Meant {
        let found = self.readings(text).into_iter().map(|said| meant_among(&self.game, options, &said));
        found.into_iter().find(|found| *found != Meant::None).unwrap_or(Meant::None)
    }

    /// A text in tokens: as it is written; with the names in quotes that the player left out; and with these first, as
    /// a card is said before what it can do.
    fn readings(&self, text: &str) -> Vec<Tokens> {
        let plain = tokens(text);
        let Some(seat) = self.asked().filter(|_| !plain.is_empty()) else { return Vec::new() };
        let view = self.game.view(seat.thing);
        let quoted = |words: &str| words.split('"').nth(1).map(str::to_owned);
        let names: Vec<Tokens> =
            view.things.iter().filter_map(|thing| quoted(&thing.words)).map(|n| tokens(&n)).collect();
        let mut named = Tokens::new();
        let mut rest = plain.as_slice();
        while let Some((word, after)) = rest.split_first() {
            let here =
                names.iter().filter(|name| !name.is_empty() && rest.starts_with(name)).max_by_key(|name| name.len());
            match here {
                Some(name) => {
                    named.push(format!("\"{}", name.join(" ")));
                    rest = rest.get(name.len()..).unwrap_or_default();
                }
                None => {
                    named.push(word.clone());
                    rest = after;
                }
            }
        }
        let (mut first, others): (Tokens, Tokens) = named.iter().cloned().partition(|token| token.starts_with('"'));
        first.extend(others);
        let mut readings = vec![plain, named, first];
        readings.dedup();
        readings
    }

    fn verdict(&self, seat: ThingId, words: &str, submission: &Submission) -> Vec<Line> {
        let verdict = self.game.explain_to(seat, std::slice::from_ref(submission)).into_iter().next().flatten();
        verdict.map(|verdict| self.told(words, &verdict)).unwrap_or_default()
    }

    fn told(&self, words: &str, verdict: &Verdict) -> Vec<Line> {
        if verdict.legal {
            return self.cited(&format!("`{words}` is possible by"), verdict.licence);
        }
        let mut lines = vec![Line::refusal(format!("`{words}` is not possible,"))];
        for reason in &verdict.reasons {
            lines.push(Line::plain(format!("  because {}", reason.text)));
            lines.push(Line::faint(format!("    {}", cite(&citation(self.game.program(), reason.clause)))));
        }
        lines
    }

    fn cited(&self, what: &str, clause: ClauseId) -> Vec<Line> {
        let citation = citation(self.game.program(), clause);
        vec![Line::plain(format!("{what} {}", cite(&citation))), Line::plain(format!("  {}", citation.text))]
    }
}

fn cite(citation: &Citation) -> String {
    let mut words = format!("{} — {}", citation.label, citation.title);
    if !citation.setter.is_empty() {
        words.push_str(&format!(", set by {}", citation.setter));
    }
    if !citation.sources.is_empty() {
        words.push_str(&format!(", after {}", citation.sources.join(", ")));
    }
    words
}

/// A number that is no option's.
pub(super) fn no_such_option(options: &[(String, Submission)]) -> Line {
    match options.len() {
        0 => Line::refusal("there is no option now"),
        1 => Line::refusal("there is only option 1"),
        n => Line::refusal(format!("there are options 1 to {n}")),
    }
}

/// Words that mean several options.
pub(super) fn which(words: &str, options: &[(String, Submission)], several: &[usize]) -> Vec<Line> {
    let mut lines = vec![Line::refusal(format!("`{words}` may mean any of these; say more, or a number:"))];
    lines.extend(several.iter().filter_map(|i| Some(Line::offer(i + 1, &options.get(*i)?.0))));
    lines
}
