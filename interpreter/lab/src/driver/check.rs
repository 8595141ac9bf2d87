//! Checking what a scenario expects.

use std::cell::OnceCell;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Chooser, Game, Submission, ThingId};
use netrep_ir::{CardDecl, ClauseId, Cond, Sel};

use super::{Driver, bullets, noted, reasons_in_words};
use crate::attempts::{Attempt, first_of, meant_among, meant_by, meant_first};
use crate::narrate::{title, window};
use crate::prepare::{Action, Cited, Task};
use crate::report::{Answer, Check, Verdict, label};
use crate::words::{Meant, occurs, tokens};

/// How many answers may pass before the player of `offered` or `refused` must be asked.
const ADVANCE: usize = 64;

/// Whether it is as expected, and the answer to what is asked.
type Examined = (Result<(), Diagnostic>, Verdict);

impl Driver<'_> {
    /// Checks an expectation; what fails is reported and the script goes on. Where nothing is expected, only the answer is
    /// kept.
    pub(super) fn check(&mut self, task: &Task) {
        let after = self.report.steps.len();
        let (result, verdict) = if task.aside { self.aside(task) } else { self.examined(task) };
        let text = self.prepared.scenario.source.slice(task.span).trim_end_matches('.').to_owned();
        let question = match &task.action {
            Action::Offered { by, words, .. } | Action::Refused { by, words, .. } => format!("{by}: {words}"),
            _ => text.clone(),
        };
        self.report.answers.push(Answer { after, span: task.span, question, verdict });
        if task.aside {
            return;
        }
        let held = result.is_ok();
        self.report.checks.push(Check { after, span: task.span, text, held });
        if let Err(diag) = result {
            let last = match self.report.steps.last() {
                Some(last) => format!("after step {after}, `{}`", last.chosen),
                None => "at the start".to_owned(),
            };
            self.report.diags.push(diag.label(last));
        }
    }

    /// Asks on a copy, and leaves no trace but what was consulted.
    fn aside(&mut self, task: &Task) -> Examined {
        let played = self.put_in(self.game.clone());
        let drawn = self.drawn.clone();
        let beside = std::mem::take(&mut self.beside);
        let examined = self.examined(task);
        let copy = self.put_in(played);
        self.drawn = drawn;
        let mut consulted = copy.consulted();
        if copy.fault().is_some() {
            // What is looked at behind a fault, and what is the first to be one, hangs on all that is looked at.
            consulted.whole.clone_from(&consulted.clauses);
        }
        noted(&mut self.aside, consulted);
        let beside = std::mem::replace(&mut self.beside, beside);
        noted(&mut self.aside, beside);
        examined
    }

    /// Whether it is as expected, and the answer to what is asked.
    fn examined(&mut self, task: &Task) -> Examined {
        let later = match &task.action {
            Action::Offered { .. } | Action::Refused { .. } => None,
            _ => self.settled().map(|game| self.put_in(game)),
        };
        let mut verdict = Verdict::default();
        let result = match &task.action {
            Action::Holds(cond, text) => self.holds(task, cond, text),
            Action::Seen { by, cond, text, tells } => self.seen(task, by, (cond, text), *tells),
            Action::Offered { by, next, words } => self.offered(task, (by, words), *next, &mut verdict),
            Action::Refused { by, next, words, because } => {
                self.refused(task, (by, words), (*next, because), &mut verdict)
            }
            Action::Drew { by, cards } => self.drew(task, by, cards),
            Action::Contents(cards) => self.contents(task, cards),
            Action::Over if self.game.decision().is_some() => Err(Diagnostic::new(
                Code::NotOver,
                self.place(task),
                format!("the position has not ended: {}", self.asked()),
            )),
            Action::Unsaid(diag) => Err(diag.clone()),
            _ => Ok(()),
        };
        match &task.action {
            Action::Offered { .. } | Action::Refused { .. } => {}
            Action::Unsaid(_) => verdict = Verdict::Unsaid,
            _ => verdict = Verdict::So(result.is_ok()),
        }
        if let Some(now) = later {
            let later = self.put_in(now);
            noted(&mut self.beside, later.consulted());
        }
        (result, verdict)
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

    fn holds(&mut self, task: &Task, cond: &Cond, text: &str) -> Result<(), Diagnostic> {
        let holds = self.game.holds(cond);
        if let Some(fault) = self.game.fault() {
            return Err(Diagnostic::new(Code::CannotBeEvaluated, self.place(task), fault.to_string()));
        }
        if holds {
            return self.said_of_all(task, cond);
        }
        let saw: Vec<String> =
            self.game.saw(cond).into_iter().map(|(name, value)| format!("  {name} is {value}")).collect();
        let diag = Diagnostic::new(Code::NotSo, self.place(task), format!("not so: {text}"));
        let diag = if saw.is_empty() { diag } else { diag.help(format!("what is so:\n{}", saw.join("\n"))) };
        // Answers that need no line are given on the way to the next line that is played, not before what is expected.
        Err(match self.default_answer() {
            Some(_) => {
                diag.help(format!("the game waits: {}; if this comes later, write that answer first", self.asked()))
            }
            None => diag,
        })
    }

    /// Refuses what is so only because it is not so of each copy of a card: `"NAME" is not P`, where of one that is so called it is.
    fn said_of_all(&self, task: &Task, cond: &Cond) -> Result<(), Diagnostic> {
        let parts = match cond {
            Cond::And(all) => return all.iter().try_for_each(|one| self.said_of_all(task, one)),
            Cond::Some(Sel::And(parts)) => parts,
            _ => return Ok(()),
        };
        let Some(named) = parts.iter().find(|part| matches!(part, Sel::Named(_))) else { return Ok(()) };
        for part in parts {
            let Sel::Not(inner) = part else { continue };
            let so = Sel::And(vec![named.clone(), inner.as_ref().clone()]);
            let (so, all) = (self.game.select(&so), self.game.select(named));
            if !so.is_empty() {
                let told = |thing| self.told(thing, so.contains(thing));
                let copies: Vec<String> = all.iter().map(told).collect();
                let text = "of one of them it is not so, of another it is: it is not said which is meant";
                let help = format!(
                    "name one by a label, or say `not …`, if it is so of none:\n{}",
                    bullets(&copies.iter().map(String::as_str).collect::<Vec<_>>())
                );
                return Err(Diagnostic::new(Code::AmbiguousName, self.place(task), text).help(help));
            }
        }
        Ok(())
    }

    /// One of several copies, and whether what is denied is so of it.
    fn told(&self, thing: ThingId, is_so: bool) -> String {
        format!("{}: {}", self.lies(thing), if is_so { "it is so" } else { "it is not so" })
    }

    /// Whether a player can tell by his view that a condition is so; without `tells`, that he cannot tell whether it is.
    fn seen(&self, task: &Task, by: &str, (cond, text): (&Cond, &str), tells: bool) -> Result<(), Diagnostic> {
        let seat = self.seat(task, by)?;
        let wrong = match (self.game.seen_by(seat, cond), tells) {
            (Some(true), true) | (None, false) => return Ok(()),
            (Some(false), true) => "can tell that it is not so",
            (Some(_), false) => "can tell",
            (None, true) => "cannot tell",
        };
        Err(Diagnostic::new(Code::NotSo, self.place(task), format!("{by} {wrong}: {text}")))
    }

    /// The games in which a question about now may be answered: when nobody has answered what waits, if the script says
    /// nothing to it; then where the script is.
    fn at_hand(&self) -> Vec<Game> {
        self.settled().into_iter().chain([self.game.clone()]).collect()
    }

    fn offered(
        &mut self,
        task: &Task,
        (by, words): (&str, &str),
        next: bool,
        verdict: &mut Verdict,
    ) -> Result<(), Diagnostic> {
        let seat = self.seat(task, by)?;
        let said = self.said(words);
        let is_asked = |game: &Game| game.decision().is_some_and(|d| d.by == Chooser::Seat(seat));
        if next {
            let mut copy = self.game.clone();
            // In a window in response of which the script has not spoken yet it need not be offered.
            let due = |game: &Game| {
                is_asked(game)
                    && !(self.is_unspoken(game) && meant_among(game, &game.options_in_words(), &said) == Meant::None)
            };
            let is_due = self.advance(&mut copy, due);
            let result = if is_due {
                self.offered_in(&copy, task, words, &said, verdict)
            } else {
                let text = format!("{by} is not asked any more, so nothing is offered");
                Err(Diagnostic::new(Code::NotOffered, self.place(task), text))
            };
            noted(&mut self.beside, copy.consulted());
            result
        } else {
            let games = self.at_hand();
            let mut asked = games.iter().rev().filter(|game| is_asked(game));
            let offers = |game: &&Game| meant_among(game, &game.options_in_words(), &said) != Meant::None;
            let found = asked.clone().find(offers).or_else(|| asked.next_back());
            let result = match found {
                Some(game) => self.offered_in(game, task, words, &said, verdict),
                None => Err(self.not_asked(task, by)),
            };
            games.iter().for_each(|game| noted(&mut self.beside, game.consulted()));
            result
        }
    }

    /// A question about a player who is not asked now.
    fn not_asked(&self, task: &Task, by: &str) -> Diagnostic {
        let text = format!("{by} is not asked now: {}", window(&self.game));
        Diagnostic::new(Code::NotAskedNow, self.place(task), text)
            .help(format!("go there first (`until {by} is asked.`), or ask about his next decision: `next …`"))
    }

    /// Whether something is offered at the decision of a copy.
    fn offered_in(
        &self,
        copy: &Game,
        task: &Task,
        words: &str,
        said: &[String],
        verdict: &mut Verdict,
    ) -> Result<(), Diagnostic> {
        let options = copy.options_in_words();
        if meant_among(copy, &options, said) != Meant::None {
            *verdict = Verdict::Offered;
            return Ok(());
        }
        let list: Vec<&str> = options.iter().map(|(words, _)| words.as_str()).collect();
        let text = format!("`{words}` is not offered: {}", window(copy));
        let mut help = format!("these are offered:\n{}", bullets(&list));
        let tried = tried(copy, meant_first(copy, said));
        *verdict = refusal(copy, &least(copy, &tried));
        // What the player may never do says least about why he may not do this.
        let asks = copy.decision().map(|decision| decision.clause);
        let is_anothers = |against: &[ClauseId], one: &Submission| {
            asks.is_some_and(|asks| against.contains(&crate::why::licence(copy, asks, one)))
        };
        if let Some((_, _, one)) =
            tried.iter().min_by_key(|(against, _, one)| (is_anothers(against, one), against.len()))
        {
            help = format!("it is refused:\n{}\n{help}", reasons_in_words(copy, &copy.explain(one)));
        }
        Err(Diagnostic::new(Code::NotOffered, self.place(task), text).help(help))
    }

    fn refused(
        &mut self,
        task: &Task,
        (by, words): (&str, &str),
        (next, because): (bool, &[Cited]),
        verdict: &mut Verdict,
    ) -> Result<(), Diagnostic> {
        let seat = self.seat(task, by)?;
        let said = self.said(words);
        let is_asked = |game: &Game| game.decision().is_some_and(|d| d.by == Chooser::Seat(seat));
        let mine = |game: &Game| is_asked(game) && !meant_by(game, &said).is_empty();
        let untried = |driver: &Self| {
            let text = format!("`{words}` is nothing that {by} might try now: {}", window(&driver.game));
            Diagnostic::new(Code::UnknownAttempt, driver.place(task), text)
                .help("compare its words with those of `netrep ask`; of a later decision ask by `next refused`")
        };
        if !next {
            let games = self.at_hand();
            let result = match (games.iter().find(|game| mine(game)), games.iter().any(is_asked)) {
                (Some(game), _) => self.refused_in(game, &said, because, task, verdict),
                (None, true) => Err(untried(self)),
                (None, false) => Err(self.not_asked(task, by)),
            };
            games.iter().for_each(|game| noted(&mut self.beside, game.consulted()));
            return result;
        }
        let mut copy = self.game.clone();
        // First where the script is, then in windows in response of which it has not spoken.
        let spoken = |game: &Game| !self.is_unspoken(game) && mine(game);
        let mut is_there = self.advance(&mut copy, spoken);
        let mut before = None;
        if !is_there {
            before = Some(std::mem::replace(&mut copy, self.game.clone()));
            is_there = self.advance(&mut copy, mine);
        }
        let result = if is_there {
            self.refused_in(&copy, &said, because, task, verdict)
        } else {
            let text = format!("`{words}` can be tried at no decision of {by}");
            Err(Diagnostic::new(Code::UnknownAttempt, self.place(task), text)
                .help("compare its words with those of `netrep ask`"))
        };
        for copy in before.into_iter().chain([copy]) {
            noted(&mut self.beside, copy.consulted());
        }
        result
    }

    /// Whether something is refused at the decision of a copy, and because of these clauses.
    fn refused_in(
        &self,
        copy: &Game,
        said: &[String],
        because: &[Cited],
        task: &Task,
        verdict: &mut Verdict,
    ) -> Result<(), Diagnostic> {
        let found = meant_by(copy, said);
        let first = first_of(found.clone(), said);
        // What is against one is told of those that are meant first of all; of the others it is asked only whether anything is.
        let allowed = found.iter().find(|(_, one)| !copy.is_refused(one));
        // What the text means among what is offered need not be among what it names.
        let options = copy.options_in_words();
        let offered = match meant_among(copy, &options, said) {
            Meant::One(at) => options.get(at),
            Meant::Several(all) => all.first().and_then(|at| options.get(*at)),
            Meant::None => None,
        };
        if let Some((words, one)) = allowed.or(offered) {
            *verdict = Verdict::Offered;
            let licence = label(copy.program(), copy.explain(one).licence);
            let text = format!("`{words}` is not refused: {licence} allows it ({})", window(copy));
            return Err(Diagnostic::new(Code::NotRefused, self.place(task), text)
                .help("say which is refused: on what, and what is chosen with it"));
        }
        let tried = tried(copy, first);
        let nearest = least(copy, &tried);
        *verdict = refusal(copy, &nearest);
        for (against, words, one) in nearest {
            for cited in because {
                if !against.iter().any(|clause| cited.clauses.contains(clause)) {
                    let text =
                        format!("`{words}` is refused, but not because of {} ({})", cited.cite.text, window(copy));
                    let help = format!("it is refused:\n{}", reasons_in_words(copy, &copy.explain(one)));
                    return Err(Diagnostic::new(
                        Code::OtherReason,
                        self.prepared.scenario.source.place(cited.cite.span),
                        text,
                    )
                    .help(help));
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
        consulted.extend_from_slice(&self.beside.clauses);
        for cited in &self.prepared.cites {
            let read = cited.clauses.iter().any(|clause| consulted.contains(clause));
            if !read && !self.is_card_read(&cited.cite.text) {
                let place = self.prepared.scenario.source.place(cited.cite.span);
                let text = format!("the run never consulted {}", cited.cite.text);
                self.report.diags.push(
                    Diagnostic::new(Code::NotConsulted, place, text)
                        .help("cite what the scenario decides, or make it decide this"),
                );
            }
        }
    }

    /// True for the id of a card in the position that the run used: it read one of its printed figures, or the script
    /// or what came of it names the card. For the engine a printed figure is no clause.
    fn is_card_read(&self, id: &str) -> bool {
        let program = self.game.program();
        let used = self.prepared.position.setup.cards.iter().map(|card| program.card(*card));
        used.filter(|card| card.id == id).any(|card| self.is_read(card))
    }

    fn is_read(&self, card: &CardDecl) -> bool {
        let program = self.game.program();
        let log = self.game.consulted();
        let title = tokens(&format!("\"{}\"", title(program, card)));
        let steps = self
            .report
            .steps
            .iter()
            .chain(&self.forked)
            .flat_map(|step| std::iter::once(&step.chosen).chain(step.trace.iter().map(|e| &e.text)));
        let mut texts = steps.chain(self.report.checks.iter().map(|check| &check.text));
        card.figures.iter().any(|(attr, _)| log.attrs.contains(attr) || log.modifiers.contains(attr))
            || texts.any(|text| occurs(&title, &tokens(text)))
    }
}

/// An attempt in words, and the clauses against it.
type Tried = (Vec<ClauseId>, String, Submission);

fn tried(game: &Game, attempts: Vec<Attempt>) -> Vec<Tried> {
    attempts.into_iter().map(|(words, one)| (game.against(&one), words, one)).collect()
}

/// Those that are nearest to being legal.
fn least<'t>(game: &Game, tried: &'t [Tried]) -> Vec<&'t Tried> {
    let least = tried.iter().map(|(against, ..)| obstacles(game, against)).min();
    tried.iter().filter(|(against, ..)| Some(obstacles(game, against)) == least).collect()
}

/// The clauses against these attempts; if there are none, it is nothing that might be tried.
fn refusal(game: &Game, nearest: &[&Tried]) -> Verdict {
    let clauses = nearest.iter().flat_map(|(against, ..)| against);
    let labels = clauses.map(|clause| label(game.program(), *clause).to_owned()).collect();
    if nearest.is_empty() { Verdict::Untried } else { Verdict::Refused(labels) }
}

/// How far an attempt is from being legal: the conditions against it, all prohibitions together as one.
fn obstacles(game: &Game, against: &[ClauseId]) -> usize {
    let norms = &game.program().norms;
    let forbidden = against.iter().filter(|clause| norms.iter().any(|norm| norm.clause == **clause)).count();
    against.len() - forbidden + usize::from(forbidden > 0)
}
