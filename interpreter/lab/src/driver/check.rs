//! Checking what a scenario expects.

use std::cell::OnceCell;

use netrep_engine::{Chooser, Game, Submission};
use netrep_ir::{ClauseId, Cond, Diag};

use super::{Driver, bullets, reasons_in_words};
use crate::attempts::{first_of, meant_among, meant_by, meant_first};
use crate::prepare::{Action, Cited, Task};
use crate::problem::{Mended, error};
use crate::report::{Check, label};
use crate::words::{Meant, occurs, tokens};

/// How many answers may pass before the player of `offered` or `refused` must be asked.
const ADVANCE: usize = 64;

impl Driver<'_> {
    /// Checks an expectation; what fails is reported and the script goes on.
    pub(super) fn check(&mut self, task: &Task) {
        let later = match &task.action {
            Action::Offered { .. } | Action::Refused { .. } => None,
            _ => self.settled().map(|game| self.put_in(game)),
        };
        let result = match &task.action {
            Action::Holds(cond, text) => self.holds(task, cond, text),
            Action::Offered { by, words } => self.offered(task, by, words),
            Action::Refused { by, words, because } => self.refused(task, by, words, because),
            Action::Draws { by, cards } => self.drawn(task, by, cards),
            Action::Contents(cards) => self.contents(task, cards),
            Action::Over if self.game.decision().is_some() => {
                Err(error("not-over", self.place(task), format!("the position has not ended: {}", self.asked())))
            }
            _ => Ok(()),
        };
        if let Some(now) = later {
            let later = self.put_in(now);
            self.beside.extend(later.consulted().clauses);
        }
        let text = self.prepared.scenario.source.slice(task.span).trim_end_matches('.').to_owned();
        let held = result.is_ok();
        self.report.checks.push(Check { after: self.report.steps.len(), span: task.span, text, held });
        if let Err(diag) = result {
            let step = self.report.steps.len();
            let last = self
                .report
                .steps
                .last()
                .map_or_else(|| "at the start".to_owned(), |last| format!("after step {step}, `{}`", last.chosen));
            self.report.diags.push(diag.remark(last));
        }
    }

    /// True in a window in response of which the script has not spoken.
    fn is_unspoken(&self, game: &Game) -> bool {
        game.responding().is_some_and(|window| Some(window) != self.responded)
    }

    /// The game when nobody has answered what waits, if the script says nothing to it.
    fn settled(&self) -> Option<Game> {
        let mut copy = self.is_unspoken(&self.game).then(|| self.game.clone())?;
        self.advance(&mut copy, |game| game.responding().is_none());
        Some(copy)
    }

    /// Puts a game in the place of the one that is played, and gives that back.
    fn put_in(&mut self, game: Game) -> Game {
        self.offered = OnceCell::new();
        std::mem::replace(&mut self.game, game)
    }

    fn holds(&mut self, task: &Task, cond: &Cond, text: &str) -> Result<(), Diag> {
        let holds = self.game.holds(cond);
        if let Some(fault) = self.game.fault() {
            return Err(error("cannot-be-evaluated", self.place(task), fault.to_string()));
        }
        if holds {
            return Ok(());
        }
        let saw: Vec<String> =
            self.game.saw(cond).into_iter().map(|(name, value)| format!("  {name} is {value}")).collect();
        let diag = error("not-so", self.place(task), format!("not so: {text}"));
        let diag = if saw.is_empty() { diag } else { diag.help(format!("what is so:\n{}", saw.join("\n"))) };
        // Answers that need no line are given on the way to the next line that is played, not before what is expected.
        Err(match self.default_answer() {
            Some(_) => {
                diag.help(format!("the game waits: {}; if this comes later, write that answer first", self.asked()))
            }
            None => diag,
        })
    }

    fn offered(&mut self, task: &Task, by: &str, words: &str) -> Result<(), Diag> {
        let seat = self.seat(task, by)?;
        let said = self.said(words);
        let mut copy = self.game.clone();
        // In a window in response of which the script has not spoken yet it need not be offered.
        let due = |game: &Game| {
            game.decision().is_some_and(|d| d.by == Chooser::Seat(seat))
                && !(self.is_unspoken(game) && meant_among(game, &game.options_in_words(), &said) == Meant::None)
        };
        if !self.advance(&mut copy, due) {
            return Err(error(
                "not-offered",
                self.place(task),
                format!("{by} is not asked any more, so nothing is offered"),
            ));
        }
        let options = copy.options_in_words();
        let result = match meant_among(&copy, &options, &said) {
            Meant::None => {
                let list: Vec<&str> = options.iter().map(|(words, _)| words.as_str()).collect();
                let text = format!("`{words}` is not offered: {}", crate::narrate::asked(&copy));
                let mut help = format!("these are offered:\n{}", bullets(&list));
                let why = meant_first(&copy, &said)
                    .into_iter()
                    .map(|(_, s)| copy.explain(&s))
                    .min_by_key(|v| v.reasons.len());
                if let Some(why) = why {
                    help = format!("it is refused:\n{}\n{help}", reasons_in_words(&copy, &why));
                }
                Err(error("not-offered", self.place(task), text).help(help))
            }
            Meant::One(_) | Meant::Several(_) => Ok(()),
        };
        self.beside.extend(copy.consulted().clauses);
        result
    }

    fn refused(&mut self, task: &Task, by: &str, words: &str, because: &[Cited]) -> Result<(), Diag> {
        let seat = self.seat(task, by)?;
        let said = self.said(words);
        let mut copy = self.game.clone();
        let mine = |game: &Game| {
            game.decision().is_some_and(|d| d.by == Chooser::Seat(seat)) && !meant_by(game, &said).is_empty()
        };
        // First where the script is, then in windows in response of which it has not spoken.
        let spoken = |game: &Game| !self.is_unspoken(game) && mine(game);
        if !self.advance(&mut copy, spoken) && {
            copy = self.game.clone();
            !self.advance(&mut copy, mine)
        } {
            let text = format!("`{words}` can be tried at no decision of {by}");
            return Err(
                error("unknown-attempt", self.place(task), text).help("compare its words with those of `netrep ask`")
            );
        }
        let found = meant_by(&copy, &said);
        let first = first_of(found.clone(), &said);
        let against = |(words, one): (String, Submission)| (copy.against(&one), words, one);
        let tried: Vec<_> = found.into_iter().map(against).collect();
        self.beside.extend(copy.consulted().clauses);
        if let Some((_, words, one)) = tried.iter().find(|(against, ..)| against.is_empty()) {
            let licence = label(copy.program(), copy.explain(one).licence);
            return Err(error(
                "not-refused",
                self.place(task),
                format!("`{words}` is not refused: {licence} allows it"),
            ));
        }
        let tried: Vec<_> = tried.into_iter().filter(|one| first.iter().any(|(words, _)| *words == one.1)).collect();
        let least = tried.iter().map(|(against, ..)| obstacles(&copy, against)).min().unwrap_or_default();
        for (against, words, one) in tried.iter().filter(|(against, ..)| obstacles(&copy, against) == least) {
            for cited in because {
                if !against.iter().any(|clause| cited.clauses.contains(clause)) {
                    let text = format!("`{words}` is refused, but not because of {}", cited.cite.text);
                    let help = format!("it is refused:\n{}", reasons_in_words(&copy, &copy.explain(one)));
                    return Err(
                        error("other-reason", self.prepared.scenario.source.place(cited.cite.span), text).help(help)
                    );
                }
            }
        }
        Ok(())
    }

    /// Passes on a copy until a test holds; false if it never does.
    fn advance(&self, copy: &mut Game, test: impl Fn(&Game) -> bool) -> bool {
        for _ in 0..ADVANCE {
            if test(copy) {
                return true;
            }
            let next = crate::narrate::quiet_answer(copy, self.prepared.scenario.seed);
            if next.is_none_or(|submission| copy.take(&submission).is_err()) {
                return false;
            }
        }
        false
    }

    /// Every citation must have been consulted, so that the scenario decides it.
    pub(super) fn check_cites(&mut self) {
        let mut consulted = self.game.consulted().clauses;
        consulted.extend_from_slice(&self.beside);
        for cited in &self.prepared.cites {
            let read = cited.clauses.iter().any(|clause| consulted.contains(clause));
            if !read && !self.is_card_read(&cited.cite.text) {
                let place = self.prepared.scenario.source.place(cited.cite.span);
                let text = format!("the run never consulted {}", cited.cite.text);
                self.report.diags.push(
                    error("not-consulted", place, text).help("cite what the scenario decides, or make it decide this"),
                );
            }
        }
    }

    /// True for the id of a card in the position that the run used: it read one of its printed figures, or the script
    /// or what came of it names the card. For the engine a printed figure is no clause.
    fn is_card_read(&self, id: &str) -> bool {
        let program = self.game.program();
        let Some(index) = program.cards.iter().position(|card| card.id == id) else { return false };
        let Some(card) = program.cards.get(index) else { return false };
        if !self.prepared.position.setup.cards.contains(&netrep_ir::CardId::from_index(index)) {
            return false;
        }
        let log = self.game.consulted();
        let title = tokens(&program.names.get(card.name.index()).map(|name| format!("\"{name}\"")).unwrap_or_default());
        let steps = self
            .report
            .steps
            .iter()
            .flat_map(|step| std::iter::once(&step.chosen).chain(step.trace.iter().map(|e| &e.text)));
        let mut texts = steps.chain(self.report.checks.iter().map(|check| &check.text));
        card.figures.iter().any(|(attr, _)| log.attrs.contains(attr) || log.modifiers.contains(attr))
            || texts.any(|text| occurs(&title, &tokens(text)))
    }
}

/// How far an attempt is from being legal: the conditions against it, all prohibitions together as one.
fn obstacles(game: &Game, against: &[ClauseId]) -> usize {
    let norms = &game.program().norms;
    let forbidden = against.iter().filter(|clause| norms.iter().any(|norm| norm.clause == **clause)).count();
    against.len() - forbidden + usize::from(forbidden > 0)
}
