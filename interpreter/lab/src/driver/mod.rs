//! Plays a prepared scenario: submits its moves, passes where it says nothing, checks what it expects.
//!
//! The driver never skips a line. A player who has no line to say passes, declines, says no, or takes the only
//! option; anything else must be written. A window in response in which the script says nothing is passed before what is
//! expected is looked at.
//!
//! ```text
//! mod      the lines of a script, moves and rolls
//! until    passing on to somewhere, passes that are one too many
//! cases    what must be so for each of several answers
//! check    what is expected
//! piles    what comes to lie on top, what was drawn, what a place holds
//! refusal  why a move is not offered
//! start    the position
//! ```

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use netrep_compiler::Diagnostic;
use netrep_diagnostics::Code;
use netrep_engine::{Chooser, Consulted, DecisionKind, Game, Refusal, Submission, ThingId};
use netrep_ir::{CardId, ClauseId, Val};

use crate::attempts::{Attempt, meant_surely};
use crate::memo::Prints;
use crate::narrate::{CHANCE, decider, name_of, spoken};
use crate::prepare::{Action, Moment, Prepared, Task};
use crate::report::{From, Report, Step};
use crate::scenario::profile_words;
use crate::words::{Ids, Meant, Tokens, meant, nearest_options, tokens, with_labels};

mod cases;
mod check;
mod piles;
mod refusal;
pub mod start;
mod until;

pub use refusal::reasons_in_words;
pub(crate) use start::begun;
pub use start::start;

/// More answers of the driver in a row than this mean that the position goes in circles.
const PATIENCE: usize = 2_000;

/// Runs a prepared scenario. With `prints`, the report says what the run read.
pub(crate) fn drive(prepared: &Prepared, prints: Option<&Prints>) -> Report {
    drive_to(prepared, None, prints).0
}

/// Runs at most so many steps, or all; also gives the game as it then stands.
pub fn drive_to(prepared: &Prepared, most: Option<usize>, prints: Option<&Prints>) -> (Report, Option<Game>) {
    let mut report = Report {
        name: prepared.scenario.name.clone(),
        file: prepared.scenario.source.file.clone(),
        profile: profile_words(&prepared.profile),
        ..Report::default()
    };
    let mut game = match start(prepared) {
        Ok(game) => game,
        Err(diags) => {
            report.diags = diags;
            return (report, None);
        }
    };
    game.set_tracing(true);
    let mut driver = Driver {
        prepared,
        game,
        report,
        labels: BTreeMap::new(),
        ids: Ids::default(),
        beside: Consulted::default(),
        aside: Consulted::default(),
        traced: 0,
        most,
        offered: OnceCell::new(),
        responded: None,
        things: prepared.position.labels.clone(),
        stacks: Vec::new(),
        watched: piles::asks(&prepared.script),
        drawn: Vec::new(),
        forked: Vec::new(),
    };
    driver.labels = driver.label_words();
    driver.ids = ids_in_words(&driver.game, &prepared.position.setup.cards);
    if let Err(diag) = driver.run() {
        driver.report.diags.push(diag);
    } else if !driver.is_done() {
        driver.check_cites();
    }
    driver.report.hash = driver.game.position_hash();
    driver.report.scores = scores(&driver.game);
    let mut log = driver.game.consulted();
    noted(&mut log, std::mem::take(&mut driver.beside));
    noted(&mut log, std::mem::take(&mut driver.aside));
    cited(&mut log, prepared);
    driver.report.consulted = match prints {
        Some(prints) => prints.consulted(&driver.game, &log),
        None => crate::report::Consulted { clauses: log.clauses, ..crate::report::Consulted::default() },
    };
    (driver.report, Some(driver.game))
}

/// Of what is cited it makes a difference that it was looked at.
fn cited(log: &mut Consulted, prepared: &Prepared) {
    let cited = prepared.cites.iter().flat_map(|cited| &cited.clauses);
    let whole: Vec<ClauseId> = cited.filter(|clause| log.clauses.binary_search(clause).is_ok()).copied().collect();
    noted(log, Consulted { whole, ..Consulted::default() });
}

/// Notes what else was consulted, in order of ids.
fn noted(log: &mut Consulted, more: Consulted) {
    fn one<T: Ord>(log: &mut Vec<T>, more: Vec<T>) {
        log.extend(more);
        log.sort_unstable();
        log.dedup();
    }
    one(&mut log.clauses, more.clauses);
    one(&mut log.whole, more.whole);
    one(&mut log.asked, more.asked);
    one(&mut log.weighed, more.weighed);
    one(&mut log.during, more.during);
    log.silence |= more.silence;
    one(&mut log.silent, more.silent);
    one(&mut log.triggers, more.triggers);
    one(&mut log.norms, more.norms);
    one(&mut log.modifiers, more.modifiers);
    one(&mut log.windows, more.windows);
    one(&mut log.attrs, more.attrs);
}

/// The numbers that the rules want reported of each player.
pub fn scores(game: &Game) -> Vec<(String, Vec<(String, i32)>)> {
    let services = &game.program().services;
    let name = |attr: netrep_ir::AttrId| game.program().attrs.get(attr.index()).map(|a| a.name.clone());
    let players = game.select(&netrep_ir::Sel::Class(services.player));
    players
        .iter()
        .map(|player| {
            let numbers =
                services.reports.iter().filter_map(|attr| Some((name(*attr)?, game.derive(*attr, player).value)));
            (name_of(game, player), numbers.collect())
        })
        .collect()
}

/// So many decisions at which a line was not meant are kept, to say why.
const MISSED: usize = 8;

/// A decision at which a line was not meant. Why it is refused there is found out only if it is never taken.
struct Missed {
    step: usize,
    game: Game,
}

/// Why a line was not taken at the first decision at which it could have been.
struct Refused {
    step: usize,
    diag: Diagnostic,
}

struct Driver<'p> {
    prepared: &'p Prepared,
    game: Game,
    report: Report,
    /// The words of what each label stands for.
    labels: BTreeMap<String, String>,
    /// The cards by their ids.
    ids: Ids,
    /// What was consulted on copies of the game.
    beside: Consulted,
    /// What only questions consulted of which no answer is expected: it proves no citation.
    aside: Consulted,
    /// Entries of the trace that belong to earlier steps.
    traced: usize,
    most: Option<usize>,
    /// The options of the decision, once somebody has asked for them.
    offered: OnceCell<Rc<Vec<Attempt>>>,
    /// The window in response in which the script last said something.
    responded: Option<u32>,
    /// What each label stands for.
    things: BTreeMap<String, ThingId>,
    /// What is to lie on top when a pile is shuffled next.
    stacks: Vec<piles::Stack>,
    /// Whether the script asks what was drawn.
    watched: bool,
    /// Who has drawn what since it was asked last, in order.
    drawn: Vec<(ThingId, ThingId)>,
    /// The steps of the cases, which the run itself does not make.
    forked: Vec<Step>,
}

impl Driver<'_> {
    /// Whether it has made as many steps as it is to make.
    fn is_done(&self) -> bool {
        self.most.is_some_and(|most| self.report.steps.len() >= most)
    }

    fn run(&mut self) -> Result<(), Diagnostic> {
        let prepared = self.prepared;
        self.all(&prepared.script)?;
        if self.is_done() { Ok(()) } else { self.all_stacked() }
    }

    fn all(&mut self, script: &[Task]) -> Result<(), Diagnostic> {
        for task in script {
            if self.is_done() {
                return Ok(());
            }
            match &task.action {
                Action::Move { by, at, words } => self.moved(task, (by, words), at.as_ref())?,
                Action::Let { label, phrase, text } => self.named(task, label, phrase, text)?,
                Action::Stack { by, cards } => self.stacked(task, by, cards)?,
                Action::Dice { total, subject } => self.rolled(task, *total, subject.as_deref())?,
                Action::DeclineAll { by } => self.decline_all(task, by)?,
                Action::UntilAt(moment) => self.until_at(task, moment)?,
                Action::UntilAsked(by) => self.until_asked(task, by)?,
                Action::UntilOver => self.until_over(task)?,
                Action::Cases(forks) => self.cases(task, forks)?,
                _ => self.check(task),
            }
        }
        Ok(())
    }

    fn label_words(&self) -> BTreeMap<String, String> {
        // A thing that is called by its own name needs no label.
        let labels =
            self.prepared.position.labels.iter().map(|(label, thing)| (label.clone(), self.game.thing_words(*thing)));
        labels.collect()
    }

    /// Gives a name to what a phrase now means, for the words of later moves.
    fn named(&mut self, task: &Task, label: &str, phrase: &Val, text: &str) -> Result<(), Diagnostic> {
        let Some(thing) = self.game.value(phrase).thing() else {
            let text = format!("{text} means no thing here");
            return Err(Diagnostic::new(Code::UnknownThing, self.place(task), text)
                .help("name it behind the move that brings it"));
        };
        self.labels.insert(label.to_owned(), self.game.thing_words(thing));
        self.things.insert(label.to_owned(), thing);
        Ok(())
    }

    /// The words of a line in tokens.
    fn said(&self, words: &str) -> Tokens {
        with_labels(words, &self.labels, &self.ids)
    }

    /// A thing in words, with its label, and where it lies.
    fn lies(&self, thing: ThingId) -> String {
        let mut labels = self.prepared.position.labels.iter().chain(&self.things);
        let mut words = self.game.thing_words(thing);
        if let Some((label, _)) = labels.find(|(_, labelled)| **labelled == thing) {
            words.push_str(&format!(" ({label})"));
        }
        let Some((place, owner)) = self.game.place_of(thing) else { return words };
        if let Some(place) = self.game.program().places.get(place.index()) {
            words.push_str(&format!(" in {}", place.name));
        }
        if let Some(owner) = owner {
            words.push_str(&format!(" of {}", spoken(&name_of(&self.game, owner))));
        }
        words
    }

    /// The player of a name.
    fn seat(&self, task: &Task, name: &str) -> Result<ThingId, Diagnostic> {
        let labels = &self.prepared.position.labels;
        labels.get(name).copied().ok_or_else(|| {
            let text = format!("no player is called `{name}`");
            let near = crate::words::nearest_name(name, labels.keys().map(String::as_str));
            let diag = Diagnostic::new(Code::UnknownPlayer, self.place(task), text);
            match near {
                Some(near) => diag.help(format!("did you mean `{near}`?")),
                None => diag,
            }
        })
    }

    /// Who a line is said for: a player, or `Chance` for what is chosen at random.
    fn decider(&self, task: &Task, name: &str) -> Result<Chooser, Diagnostic> {
        if name == CHANCE && !self.prepared.position.labels.contains_key(name) {
            return Ok(Chooser::Chance);
        }
        self.seat(task, name).map(Chooser::Seat)
    }

    fn place(&self, task: &Task) -> netrep_ir::Place {
        self.prepared.scenario.source.place(task.span)
    }

    /// Submits a move of a player at the first decision that offers it; with `at`, at his next one in the course of that.
    fn moved(&mut self, task: &Task, (by, words): (&str, &str), at: Option<&Moment>) -> Result<(), Diagnostic> {
        let who = self.decider(task, by)?;
        let said = self.said(words);
        let neutral = self.neutral(&said);
        let is_bare = self.is_bare(words);
        if let Some(moment) = at {
            self.pass_to(task, moment, who)?;
        }
        let mut missed: Vec<Missed> = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        for _ in 0..PATIENCE {
            if self.is_done() {
                return Ok(());
            }
            let Some(decision) = self.game.decision() else {
                return Err(self.never(task, words, &missed, &seen));
            };
            let by = decision.by;
            if by == who {
                let options = self.options();
                match meant_surely(&self.game, &options, &said) {
                    Meant::One(i) => {
                        let (words, submission) = &options[i];
                        if is_bare && matches!(submission, Submission::Declare { .. }) {
                            return Err(self.bare(task, words));
                        }
                        return self
                            .submit(words, submission, From::Script(task.span))
                            .map_err(|e| self.stopped(task, e));
                    }
                    Meant::Several(which) => {
                        let list: Vec<&str> =
                            which.iter().filter_map(|i| options.get(*i)).map(|(w, _)| w.as_str()).collect();
                        let text = format!("`{words}` may mean {} of the options", list.len());
                        let things = apart(which.iter().filter_map(|i| options.get(*i)).map(|(_, s)| s));
                        let there: Vec<String> = things.into_iter().map(|thing| self.lies(thing)).collect();
                        let there = there.iter().fold(String::new(), |all, one| format!("{all}\n  {one}"));
                        return Err(Diagnostic::new(Code::AmbiguousMove, self.place(task), text)
                            .help(format!("write more of one of them:\n{}", bullets(&list)))
                            .help(format!("these are:{there}")));
                    }
                    Meant::None if at.is_some() => return Err(self.not_here(task, words)),
                    Meant::None => {
                        seen.extend(
                            options
                                .iter()
                                .map(|(words, _)| words.clone())
                                .filter(|words| !seen.contains(words))
                                .collect::<Vec<_>>(),
                        );
                        if missed.len() < MISSED {
                            missed.push(Missed { step: self.report.steps.len() + 1, game: self.game.clone() });
                        }
                    }
                }
            }
            if neutral.is_some_and(|neutral| !self.goes_over(decision, who, neutral)) {
                return Err(self.one_too_many(task, words));
            }
            self.pass_over(task, words, (by, Some(who)), &missed)?;
        }
        Err(self.never(task, words, &missed, &seen))
    }

    /// Submits the total of a roll at the next decision of chance.
    fn rolled(&mut self, task: &Task, total: i32, subject: Option<&str>) -> Result<(), Diagnostic> {
        for _ in 0..PATIENCE {
            if self.is_done() {
                return Ok(());
            }
            let Some(decision) = self.game.decision() else {
                return Err(Diagnostic::new(
                    Code::NoRoll,
                    self.place(task),
                    "no dice are rolled any more: nothing is left to decide",
                ));
            };
            if let DecisionKind::Roll { subject: of, .. } = &decision.kind {
                let of = of.map(|thing| self.game.thing_words(thing));
                if let Some(wanted) = subject {
                    let fits = of.as_ref().is_some_and(|of| meant(&self.said(wanted), &[tokens(of)]) == Meant::One(0));
                    if !fits {
                        let of = match &of {
                            Some(of) => of,
                            None => "nothing",
                        };
                        let text = format!("this roll is for {of}, not for {wanted}");
                        return Err(Diagnostic::new(Code::OtherRoll, self.place(task), text));
                    }
                }
                return self
                    .submit(&total.to_string(), &Submission::Dice(total), From::Script(task.span))
                    .map_err(|e| self.stopped(task, e));
            }
            let (by, words) = (decision.by, format!("dice {total}"));
            self.pass_over(task, &words, (by, None), &[])?;
        }
        Err(Diagnostic::new(Code::NoRoll, self.place(task), "no dice are rolled: the position goes in circles"))
    }

    /// Answers a decision, which is `by`'s, for which the line of `who` is not meant.
    fn pass_over(
        &mut self,
        task: &Task,
        words: &str,
        (by, who): (Chooser, Option<Chooser>),
        missed: &[Missed],
    ) -> Result<(), Diagnostic> {
        if by == Chooser::Chance {
            if let Some((submission, span)) = self.arranged()? {
                return self.submit("as stacked", &submission, From::Script(span)).map_err(|e| self.stopped(task, e));
            }
            if let Some(seed) = self.prepared.scenario.seed
                && let Some(submission) = self.game.keyed_roll(seed)
            {
                let words = self.game.submission_words(&submission);
                return self.submit(&words, &submission, From::Seed).map_err(|e| self.stopped(task, e));
            }
            let text = format!("{} before `{words}`", self.asked());
            return Err(Diagnostic::new(Code::DiceNeeded, self.place(task), text)
                .help("write `dice 7.` (or `Chance: …` for what is chosen at random) before this line, or `seed 1.` in the scenario"));
        }
        let mine = Some(by) == who;
        match self.default_answer() {
            Some((text, submission)) => {
                self.submit(&text, &submission, From::Driver).map_err(|e| self.stopped(task, e))
            }
            None => {
                let options = self.options();
                let list: Vec<&str> = options.iter().map(|(words, _)| words.as_str()).collect();
                let text = format!("the script says `{words}`, but {}", self.asked());
                let mut help = format!("one of these must be written first:\n{}", bullets(&list));
                let near = nearest_options(words, &list);
                if let (true, Some(near)) = (mine, near.first()) {
                    help = format!("did you mean `{near}`?\n{help}");
                }
                let mut diag = Diagnostic::new(Code::ChoiceNeeded, self.place(task), text).help(help);
                if let Some(refused) = self.refusal(task, words, missed).and_then(|found| found.diag.help) {
                    diag = diag.help(refused);
                }
                Err(diag)
            }
        }
    }

    /// The options of the decision in words: they are asked for several times.
    fn options(&self) -> Rc<Vec<Attempt>> {
        Rc::clone(self.offered.get_or_init(|| Rc::new(self.game.options_in_words())))
    }

    /// Pass, decline, no, or the only option.
    fn default_answer(&self) -> Option<(String, Submission)> {
        let options = self.options();
        let find = |wanted: &Submission| options.iter().find(|(_, s)| s == wanted).cloned();
        let quiet = [Submission::Pass, Submission::Decline, Submission::No];
        quiet.iter().find_map(find).or_else(|| if let [one] = options.as_slice() { Some(one.clone()) } else { None })
    }

    /// What is asked now, in words.
    fn asked(&self) -> String {
        crate::narrate::asked(&self.game)
    }

    fn submit(&mut self, words: &str, submission: &Submission, from: From) -> Result<(), Refusal> {
        let Some(decision) = self.game.decision().cloned() else { return Err(Refusal::Over) };
        let by = decider(&self.game, decision.by);
        let asked = self.asked();
        let dice = matches!(decision.kind, DecisionKind::Roll { .. } | DecisionKind::Shuffle { .. });
        let options = if dice { Vec::new() } else { self.options().iter().map(|o| o.0.clone()).collect() };
        let licence = crate::why::licence(&self.game, decision.clause, submission);
        let responding = self.game.responding();
        let line = crate::narrate::line(&self.game, submission, words);
        let piles = self.piles(submission);
        self.game.take(submission)?;
        self.note_drawn(piles);
        self.offered = OnceCell::new();
        if matches!(from, From::Script(_)) {
            self.responded = responding.or(self.responded);
        }
        let trace = self.game.trace().iter().skip(self.traced).cloned().collect();
        self.traced = self.game.trace().len();
        let number = self.report.steps.len() + 1;
        let chosen = words.to_owned();
        self.report.steps.push(Step {
            number,
            by,
            asked,
            clause: decision.clause,
            licence,
            options,
            chosen,
            line,
            from,
            trace,
        });
        Ok(())
    }

    /// A line that the engine did not take, or at which it stopped.
    fn stopped(&self, task: &Task, refusal: Refusal) -> Diagnostic {
        let diag = Diagnostic::new(Code::NotTaken, self.place(task), refusal.to_string());
        match &refusal {
            Refusal::Failed(error) => match self.game.program().clauses.get(error.clause.index()) {
                Some(clause) => diag.and(clause.place.clone(), clause.label.clone()),
                None => diag,
            },
            Refusal::Illegal(verdict) => diag.help(reasons_in_words(&self.game, verdict)),
            Refusal::Over => diag,
        }
    }
}

/// The things that some of these submissions name, and not all of them.
fn apart<'s>(submissions: impl Iterator<Item = &'s Submission>) -> Vec<ThingId> {
    let all: Vec<Vec<ThingId>> = submissions.map(Submission::things).collect();
    let mut found: Vec<ThingId> = all.iter().flatten().copied().collect();
    found.sort_unstable();
    found.dedup();
    found.retain(|thing| !all.iter().all(|one| one.contains(thing)));
    found
}

/// A list, one entry on a line.
fn bullets(list: &[&str]) -> String {
    const MOST: usize = 24;
    let mut lines: Vec<String> = list.iter().take(MOST).map(|one| format!("  {one}")).collect();
    if list.len() > MOST {
        lines.push(format!("  … and {} more", list.len() - MOST));
    }
    lines.join("\n")
}

/// What the cards of a position are called, by their ids: the words of the first thing of each.
pub(crate) fn ids_in_words(game: &Game, cards: &[CardId]) -> Ids {
    let mut ids = Ids::default();
    let program = game.program();
    for (nth, card) in cards.iter().enumerate() {
        let Some(decl) = program.cards.get(card.index()) else { continue };
        if !ids.words.contains_key(&decl.id) {
            ids.words.insert(decl.id.clone(), game.thing_words(ThingId::from_index(nth)));
            let clauses = decl.clauses.iter().filter_map(|clause| program.clauses.get(clause.index()));
            let labels = clauses.filter_map(|clause| clause.label.strip_prefix(decl.id.as_str()));
            let first = labels.filter_map(|label| label.split_whitespace().next());
            ids.labels.extend(first.map(|word| (decl.id.clone(), word.to_owned())));
        }
    }
    ids
}
