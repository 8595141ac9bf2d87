//! Why something is legal or not, and how a number comes about: made on request from the same conditions.

use netrep_ir::*;

use crate::ask::attempt::Attempt;
use crate::ask::eval::{Cx, Eval};
use crate::ask::eyes::Names;
use crate::ask::seen_values::{SeenValues, saw};
use crate::game::Game;
use crate::game::setup::Fact;
use crate::game::verdict::{Reason, Verdict};
use crate::legal::conditions::{Sink, Why};
use crate::position::cache::Cache;
use crate::position::set::ThingId;
use crate::position::sight::Sight;
use crate::position::stack::*;
use crate::position::submission::Submission;
use crate::position::value::{Locals, Value, locals};

/// Hears all failures.
struct Collect<'a> {
    reasons: Vec<Reason>,
    /// The eyes of the one who is told of them, if they may not know everything.
    eyes: Option<&'a Eval<'a>>,
}

impl Sink for Collect<'_> {
    const ALL: bool = true;

    fn fails(&mut self, eval: &Eval, attempt: &Attempt, why: Why) -> bool {
        self.reasons.push(told(eval, self.eyes, &|eval| reason(eval, attempt, why)));
        true
    }
}

/// Hears of the clauses of all failures, and of nothing else.
struct Clauses(Vec<ClauseId>);

impl Sink for Clauses {
    const ALL: bool = true;

    fn fails(&mut self, eval: &Eval, attempt: &Attempt, why: Why) -> bool {
        self.0.push(clause_of(eval, attempt, why));
        true
    }
}

/// A reason as someone may be told it: whole if it is the same whatever is hidden from them, else without what it saw.
fn told(eval: &Eval, eyes: Option<&Eval>, make: &dyn Fn(&Eval) -> Reason) -> Reason {
    let Some(eyes) = eyes else { return make(eval) };
    let open = eyes.veil.and_then(|veil| veil.unless_asked(|| make(eyes)));
    let known = |clause| is_seen(eyes, clause);
    match open {
        Some(reason) if known(reason.clause) => reason,
        _ => {
            let Reason { clause, site, .. } = make(eval);
            match (known(clause), &eval.state.ask) {
                (false, Some(ask)) => plain(ask.clause, None, HIDDEN.to_string()),
                _ => {
                    let phrase = match site {
                        Some(site) => or(eval.link.site_text(site), eval.link.clause_text(clause)),
                        None => eval.link.clause_text(clause),
                    };
                    plain(clause, site, format!("{phrase}: {HIDDEN}"))
                }
            }
        }
    }
}

/// Whether a clause is of a rule, or of a card of which the one whose eyes these are sees one.
pub(crate) fn is_seen(eyes: &Eval, clause: ClauseId) -> bool {
    let card = eyes.link.program.clauses.get(clause.index()).and_then(|c| c.card);
    let sees = |card| {
        let things = eyes.link.things_of(card).and(Eval { veil: None, ..*eyes }.universe(false).words());
        things.iter().any(|t| eyes.veil.is_none_or(|veil| !veil.hidden().contains(t)))
    };
    card.is_none_or(sees)
}

/// What is said of a reason that hangs on what may not be known.
const HIDDEN: &str = "something that is hidden from this player stands against it";

/// So many of the values that a reason saw are told; all of them are in [`Reason::values`].
const TOLD: usize = 6;

fn joined(saw: &SeenValues) -> String {
    let mut told: Vec<String> = saw.iter().take(TOLD).map(|(name, value)| format!("{name} is {value}")).collect();
    if saw.len() > TOLD {
        told.push(format!("and {} more", saw.len() - TOLD));
    }
    told.join("; ")
}

/// What failed and what it saw.
fn text(phrase: &str, saw: &SeenValues) -> String {
    match (phrase.is_empty(), saw.is_empty()) {
        (_, true) => phrase.to_string(),
        (true, false) => joined(saw),
        (false, false) => format!("{phrase}: {}", joined(saw)),
    }
}

fn member(
    eval: &Eval,
    cx: &Cx,
    sel: &Sel,
    thing: ThingId,
    clause: ClauseId,
    site: Option<SiteId>,
    phrase: &str,
) -> Reason {
    let mut values = SeenValues::new();
    eval.note_values_in(cx, sel, thing, true, &mut values);
    let mends = known(eval.make_in(cx, sel, thing, true, 0));
    Reason { clause, site, text: text(phrase, &values), values, mends }
}

fn condition(eval: &Eval, cx: &Cx, cond: &Cond, clause: ClauseId, site: SiteId) -> Reason {
    let mut values = SeenValues::new();
    eval.note_values(cx, cond, true, &mut values);
    let mends = known(eval.make(cx, cond, true, 0));
    Reason { clause, site: Some(site), text: text(eval.link.site_text(site), &values), values, mends }
}

/// The mends of a reason.
fn known(mends: Option<Vec<Fact>>) -> Vec<Fact> {
    // total: that no mend is known, and that none is, is told alike: none is named.
    mends.unwrap_or_default()
}

fn plain(clause: ClauseId, site: Option<SiteId>, text: String) -> Reason {
    Reason { clause, site, text, values: Vec::new(), mends: Vec::new() }
}

/// The clause that fails.
fn clause_of(eval: &Eval, attempt: &Attempt, why: Why) -> ClauseId {
    let own = attempt.allowance.clause;
    let site_of = |site: SiteId| eval.link.program.sites.get(site.index()).map_or(own, |s| s.clause);
    match why {
        Why::By { .. } | Why::Functioning | Why::During | Why::Limit { .. } => own,
        Why::From { clause, .. } | Why::Window { clause, .. } | Why::Requirement { clause, .. } => clause,
        Why::Missing { parameter }
        | Why::TooFew { parameter, .. }
        | Why::Conjunct { parameter, .. }
        | Why::Entry { parameter, .. } => site_of(parameter.site),
        Why::Costless { act } | Why::Twice { act, .. } => site_of(act.site),
        Why::Needs { verb, .. } => verb.clause,
        Why::Norm { norm, .. } => norm,
    }
}

fn reason(eval: &Eval, attempt: &Attempt, why: Why) -> Reason {
    let cx = attempt.cx();
    let fails = clause_of(eval, attempt, why);
    match why {
        Why::By { sel } => {
            if *sel == Sel::Empty {
                let who = match eval.declarer(attempt.this) {
                    Some(who) => eval.thing_words(who),
                    None => "no one".to_string(),
                };
                return plain(fails, None, format!("only {who} may declare it"));
            }
            // Who it is, where somebody is; that another is none of them needs no fact.
            let those = eval.all(&cx, sel);
            let who = match those.is_empty() {
                true => eval.sel_words(&cx, sel),
                false => eval.set_words(&those),
            };
            plain(fails, None, format!("only {who} may do this, and this is {}", eval.thing_words(attempt.seat)))
        }
        Why::Functioning => {
            let Some(this) = attempt.this else {
                return plain(fails, None, "no thing is given that carries it".to_string());
            };
            let own = |card| eval.link.card_of(this) == Some(card);
            let carries = attempt.allowance.carriers.is_none() && attempt.allowance.card.is_none_or(own);
            match (&eval.link.program.services.functioning, carries) {
                (Some(sel), true) if attempt.allowance.card.is_some() => member(
                    eval,
                    &Cx::clause(fails, None, &[]),
                    sel,
                    this,
                    fails,
                    None,
                    &format!("{} does not function", eval.thing_words(this)),
                ),
                _ => plain(fails, None, format!("{} does not carry it", eval.thing_words(this))),
            }
        }
        Why::From { sel, .. } => match attempt.this {
            Some(this) => member(
                eval,
                &Cx { clause: fails, ..cx },
                sel,
                this,
                fails,
                None,
                &format!("from {}", eval.sel_words(&cx, sel)),
            ),
            None => plain(fails, None, "nothing is given to declare it with".to_string()),
        },
        Why::During => {
            let names: Vec<&str> = attempt.allowance.during.iter().map(|p| eval.link.proc_name(*p)).collect();
            plain(fails, None, format!("only during: {}", names.join(", ")))
        }
        Why::Window { site, .. } => plain(
            fails,
            Some(site),
            format!("{} does not admit what this does", or(eval.link.site_text(site), eval.link.clause_text(fails))),
        ),
        Why::Limit { count, limit, proc } => {
            let name = eval.link.proc_name(proc);
            let mut reason =
                plain(fails, None, format!("at most {limit} times in each {name}: it was declared {count} times"));
            reason.values.push(("declarations".to_string(), count.to_string()));
            reason
        }
        Why::Requirement { cond, site, .. } => condition(eval, &Cx { clause: fails, ..cx }, cond, fails, site),
        Why::Missing { parameter } => plain(
            fails,
            Some(parameter.site),
            format!("nothing fit is given: {} {}", parameter.word, eval.link.site_text(parameter.site)),
        ),
        Why::TooFew { parameter, there } => {
            // total: only of a choice of several there are too few
            let least = parameter.several.map_or(1, |several| several.least);
            let text = eval.link.site_text(parameter.site);
            let mut reason =
                plain(fails, Some(parameter.site), format!("{least} are needed, and {there} can be chosen: {text}"));
            reason.values.push(("number that can be chosen".to_string(), there.to_string()));
            reason
        }
        Why::Conjunct { sel, parameter, thing } => {
            member(eval, &cx, sel, thing, fails, Some(parameter.site), eval.link.site_text(parameter.site))
        }
        Why::Entry { cond, parameter } => condition(eval, &cx, cond, fails, parameter.site),
        Why::Costless { act } => {
            plain(fails, Some(act.site), format!("nothing is there to pay with: {}", eval.link.site_text(act.site)))
        }
        Why::Needs { cond, site, locals, .. } => condition(eval, &Cx::clause(fails, None, locals), cond, fails, site),
        Why::Twice { act, thing } => plain(
            fails,
            Some(act.site),
            format!("{} cannot pay twice: {}", eval.thing_words(thing), eval.link.site_text(act.site)),
        ),
        Why::Norm { norm, verb, roles } => forbidden(eval, norm, verb, roles),
    }
}

fn or<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.is_empty() { b } else { a }
}

/// The refusal of a norm: what it says, and how the event could come not to match it.
fn forbidden(eval: &Eval, clause: ClauseId, verb: VerbId, roles: &[Option<ThingId>]) -> Reason {
    let mut out = plain(
        clause,
        None,
        format!("{}: this would be one: {}", eval.link.clause_text(clause), eval.event_words(verb, roles)),
    );
    let mut sources: Vec<(&Norm, Option<ThingId>, Locals)> = Vec::new();
    eval.each_norm(verb, roles, |_, norm, this, known| {
        if norm.clause == clause {
            sources.push((norm, this, known.cloned().unwrap_or_else(|| locals(norm.slots))));
        }
    });
    for (norm, this, mut own) in sources {
        if !eval.matches(clause, this, &norm.pattern, roles, &mut own) {
            continue;
        }
        let cx = Cx::clause(clause, this, &own);
        norm.cond.iter().for_each(|cond| eval.note_values(&cx, cond, false, &mut out.values));
        if let Some(mends) = norm.cond.as_ref().and_then(|c| eval.make(&cx, c, false, 0)) {
            out.mends.extend(mends);
            continue;
        }
        for ((sel, _), thing) in norm.pattern.roles.iter().zip(roles) {
            if let (Some(sel), Some(thing)) = (sel, thing) {
                let it = cx.it(*thing);
                if let Some(mends) = eval.make_in(&cx.about(&it), sel, *thing, false, 0) {
                    out.mends.extend(mends);
                    break;
                }
            }
        }
    }
    out.text = text(&out.text, &out.values);
    out
}

/// The reasons against a submission, and the clause under which it is made; with `eyes`, as the one is told them whose they are.
fn judge(eval: &Eval, eyes: Option<&Eval>, submission: &Submission) -> (ClauseId, Vec<Reason>) {
    let Some(ask) = &eval.state.ask else {
        return (ClauseId(0), vec![plain(ClauseId(0), None, "nothing is to be decided".to_string())]);
    };
    let site = eval.link.program.sites.get(ask.site.index()).map(|_| ask.site);
    let phrase = or(eval.link.site_text(ask.site), eval.link.clause_text(ask.clause));
    let other = || plain(ask.clause, site, format!("the decision is another: {phrase}"));
    if let (Submission::Declare { allowance, .. }, DecisionKind::Act) = (submission, &ask.kind) {
        let licence = eval.link.program.allowances.get(allowance.index()).map_or(ask.clause, |a| a.clause);
        let Some(attempt) = eval.attempt(submission) else {
            return (licence, vec![plain(licence, None, "its choices are not all given, or too many are".to_string())]);
        };
        let Some(window) = eval.admitted(attempt.seat) else { return (licence, vec![other()]) };
        let mut sink = Collect { reasons: Vec::new(), eyes };
        eval.check(&attempt, &window, &mut sink);
        if sink.reasons.is_empty() {
            sink.reasons.extend(owed(eval, eyes, ask, submission));
        }
        return (licence, sink.reasons);
    }
    if eval.legal(submission) {
        return (ask.clause, Vec::new());
    }
    if let Some(reason) = owed(eval, eyes, ask, submission).filter(|_| eval.answers(ask, submission)) {
        return (ask.clause, vec![reason]);
    }
    let make = |eval: &Eval| match (submission, &ask.kind) {
        (Submission::Pick(Value::Thing(thing)), DecisionKind::Choose { .. }) => {
            not_a_candidate(eval, *thing, ask.clause, site, phrase)
        }
        (Submission::Pick(value), DecisionKind::Choose { .. } | DecisionKind::Next { .. }) => {
            plain(ask.clause, site, format!("{} is not among the candidates: {phrase}", eval.any_words(value)))
        }
        (Submission::Decline, DecisionKind::Choose { .. }) => {
            plain(ask.clause, site, format!("it cannot be declined: {phrase}"))
        }
        (Submission::Pick(Value::Thing(thing)), DecisionKind::Gather { declaration, .. }) => {
            not_among(eval, ask, declaration, *thing)
        }
        (Submission::Decline, DecisionKind::Gather { .. }) => {
            plain(ask.clause, site, format!("what is chosen so far will not do: {phrase}"))
        }
        (Submission::Step(step), DecisionKind::Step) => {
            let name = eval.link.step_name(*step);
            plain(ask.clause, site, format!("{name} is not a step that this player performs here"))
        }
        (Submission::Dice(n), DecisionKind::Roll { dice, .. }) => {
            plain(ask.clause, site, format!("{dice} dice cannot show {n}"))
        }
        (Submission::Shuffled(_), DecisionKind::Shuffle { .. }) => {
            plain(ask.clause, site, "these are not the things to be shuffled".to_string())
        }
        (
            Submission::Branch(_) | Submission::Order(_),
            DecisionKind::Branch(n) | DecisionKind::Order(n) | DecisionKind::Replace(n),
        ) => plain(ask.clause, site, format!("there are only {n} to choose from: {phrase}")),
        _ => other(),
    };
    (ask.clause, vec![told(eval, eyes, &make)])
}

fn not_a_candidate(eval: &Eval, thing: ThingId, clause: ClauseId, site: Option<SiteId>, phrase: &str) -> Reason {
    let words = format!("{} is not among the candidates", eval.thing_words(thing));
    let Some(Frame { act, kind: Kind::Block(at), .. }) = eval.state.frames.last() else {
        return plain(clause, site, words);
    };
    let at = At { pc: at.pc.saturating_sub(1), ..*at };
    let (Some((Statement::Choose { from, slot, then, .. }, _)), Some(a)) =
        (eval.link.statement(at), eval.state.acts.get(usize::from(*act)))
    else {
        return plain(clause, site, words);
    };
    let cx = Cx::of(a, usize::MAX);
    if eval.has(&cx, from, thing)
        && let Some((norm, verb, roles)) = eval.leads_to_forbidden(&cx, *slot, thing, then, &|_| false)
    {
        return forbidden(eval, norm, verb, &roles);
    }
    member(eval, &cx, from, thing, clause, site, &format!("{words}: {phrase}"))
}

/// The duty for which an answer is refused that would be legal else.
fn owed(eval: &Eval, eyes: Option<&Eval>, ask: &Decision, submission: &Submission) -> Option<Reason> {
    let norm = eval.refused_for_duty(ask, submission)?;
    let clause = eval.link.program.norm(norm).clause;
    let make = |eval: &Eval| {
        plain(clause, None, format!("{}: something by which this is done can be chosen", eval.link.clause_text(clause)))
    };
    Some(told(eval, eyes, &make))
}

/// Why a thing cannot be chosen with what is chosen for a declaration.
fn not_among(eval: &Eval, ask: &Decision, declaration: &Gathering, thing: ThingId) -> Reason {
    let phrase = or(eval.link.site_text(ask.site), eval.link.clause_text(ask.clause));
    let words = format!("{} cannot be chosen too", eval.thing_words(thing));
    let site = eval.link.program.sites.get(ask.site.index()).map(|_| ask.site);
    let last = || plain(ask.clause, site, format!("{words}, or the whole would not do: {phrase}"));
    let Chooser::Seat(seat) = ask.by else { return last() };
    let Some(attempt) = eval.gathered(declaration, seat) else { return last() };
    let Some(parameter) = attempt.allowance.parameters.get(usize::from(declaration.at)) else { return last() };
    if attempt.chosen(parameter).things(eval.link.layout.width).contains(thing) {
        return plain(ask.clause, site, format!("{} is chosen already: {phrase}", eval.thing_words(thing)));
    }
    if let Pool::Things(conjuncts) = &parameter.from
        && let Some(sel) = conjuncts.iter().find(|sel| !eval.has(&attempt.cx(), sel, thing))
    {
        return member(eval, &attempt.cx(), sel, thing, ask.clause, site, &format!("{words}: {phrase}"));
    }
    let mut sink = Collect { reasons: Vec::new(), eyes: None };
    eval.check_one(&attempt, parameter, thing, &mut sink);
    sink.reasons.into_iter().next().unwrap_or_else(last)
}

/// The clauses of the conditions that fail.
pub(crate) fn against(eval: &Eval, submission: &Submission) -> Vec<ClauseId> {
    let attempt = eval.attempt(submission);
    if let (Some(attempt), Some(DecisionKind::Act)) = (attempt, eval.state.ask.as_ref().map(|ask| &ask.kind))
        && let Some(window) = eval.admitted(attempt.seat)
    {
        let mut sink = Clauses(Vec::new());
        if eval.check(&attempt, &window, &mut sink)
            && let Some(norm) = eval.state.ask.as_ref().and_then(|ask| eval.refused_for_duty(ask, submission))
        {
            sink.0.push(eval.link.program.norm(norm).clause);
        }
        return sink.0;
    }
    judge(eval, None, submission).1.into_iter().map(|reason| reason.clause).collect()
}

/// The verdict on a submission.
pub(crate) fn explain(game: &Game, submission: &Submission) -> Verdict {
    let (licence, reasons) = judge(&game.eval(), None, submission);
    let would_be_legal_if = if reasons.is_empty() { Vec::new() } else { known(remedy(game, submission, &reasons)) };
    Verdict { legal: reasons.is_empty(), licence, reasons, would_be_legal_if }
}

/// What a player is told of submissions: of each the verdict, in the words of their view; nothing of one that names what is
/// hidden from them. What would make it legal is not told, because it might be something hidden.
pub(crate) fn explain_to(game: &Game, seat: ThingId, submissions: &[Submission]) -> Vec<Option<Verdict>> {
    crate::fog::view::with_sight(game, seat, |sight| explain_seen(game, sight, submissions))
}

fn explain_seen(game: &Game, sight: &Sight, submissions: &[Submission]) -> Vec<Option<Verdict>> {
    let rules = game.eval();
    let cache = Cache::empty(rules.link);
    let named = Eval { names: Some(Names::Listed(&sight.words)), ..rules };
    let eyes = Eval { cache: &cache, veil: Some(&sight.veil), ..named };
    let one = |submission: &Submission| {
        let (licence, mut reasons) = judge(&named, Some(&eyes), submission);
        reasons.iter_mut().for_each(|reason| reason.mends.clear());
        Verdict { legal: reasons.is_empty(), licence, reasons, would_be_legal_if: Vec::new() }
    };
    submissions.iter().map(|submission| sight.shows(submission).then(|| one(submission))).collect()
}

/// What a player's view says for submissions; nothing for one that names what is hidden from them.
pub(crate) fn words_for(game: &Game, seat: ThingId, submissions: &[Submission]) -> Vec<Option<String>> {
    crate::fog::view::with_sight(game, seat, |sight| {
        let named = Eval { names: Some(Names::Listed(&sight.words)), ..game.eval() };
        let words = |submission: &Submission| sight.shows(submission).then(|| named.submission_words(submission));
        submissions.iter().map(words).collect()
    })
}

/// Edits that together remove all reasons, tried out on a copy.
fn remedy(game: &Game, submission: &Submission, reasons: &[Reason]) -> Option<Vec<Fact>> {
    let mut scratch = game.clone();
    scratch.set_tracing(false);
    let mut edits: Vec<Fact> = Vec::new();
    let mut reasons = reasons.to_vec();
    for _ in 0..4 {
        for reason in &reasons {
            if reason.mends.is_empty() {
                return None;
            }
            for mend in &reason.mends {
                if !edits.contains(mend) {
                    edits.push(mend.clone());
                    scratch.assert(mend).ok()?;
                }
            }
        }
        if scratch.is_legal(submission) {
            // An edit that a later one overrides is left out, if the rest suffices by itself.
            return Some(edits);
        }
        reasons = judge(&scratch.eval(), None, submission).1;
        if reasons.is_empty() {
            return None;
        }
    }
    None
}

impl Game {
    /// Whether, and why, a submission is legal.
    pub fn explain(&self, submission: &Submission) -> Verdict {
        self.eval().cache.aside(|| explain(self, submission))
    }

    /// The clauses of the conditions that stand against a submission, one for each condition; none if it is legal. What
    /// [`Game::explain`] says without its words and what would mend it, and much faster.
    pub fn against(&self, submission: &Submission) -> Vec<ClauseId> {
        let eval = self.eval();
        eval.cache.aside(|| against(&eval, submission))
    }

    /// Whether anything stands against a submission: what [`Game::against`] says without the clauses, and much faster.
    pub fn is_refused(&self, submission: &Submission) -> bool {
        let eval = self.eval();
        eval.cache.aside(|| !eval.legal(submission))
    }

    /// The words that a player's view has for submissions, offered or not; `None` for one that names what is hidden
    /// from them.
    pub fn words_for(&self, seat: ThingId, submissions: &[Submission]) -> Vec<Option<String>> {
        words_for(self, seat, submissions)
    }

    /// Whether, and why, submissions are legal, as a player may be told it: in the words of their view, and without what
    /// is hidden from them. `None` for a submission that names what is hidden from them.
    pub fn explain_to(&self, seat: ThingId, submissions: &[Submission]) -> Vec<Option<Verdict>> {
        self.eval().cache.aside(|| explain_to(self, seat, submissions))
    }

    /// The values that a condition looks at, by name: for messages.
    pub fn saw(&self, cond: &Cond) -> Vec<(String, String)> {
        saw(&self.eval(), &Cx::bare(), cond)
    }
}
