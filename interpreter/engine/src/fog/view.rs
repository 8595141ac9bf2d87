//! What a client of a player may be sent.
//!
//! A view is a function of what the player may know (see [`crate::ask::eyes`]) and of nothing else: it holds no
//! number of a thing, its order and its numbering come from what is seen ([`crate::fog::likeness`]), hidden things are
//! counted, facts that hang on hidden things are left out, and only the one who decides sees what may be decided.
//!
//! What a seat sees is kept, and brought up to date at the next decision by what has changed since; a view from nothing
//! is the same.

use std::sync::Arc;

use netrep_ir::*;
use rustc_hash::FxHashMap;

use crate::ask::eval::Eval;
use crate::ask::eyes::Names;
use crate::ask::running::{Running, running};
use crate::fog::naming::{answering, call, ordered};
use crate::game::Game;
use crate::position::cache::Cache;
use crate::position::set::{Set, ThingId};
use crate::position::sight::{Asked, Asks, Pile, Portrait, Seen, Sent, Sight, View};
use crate::position::stack::{Chooser, Decision, DecisionKind};
use crate::position::submission::Submission;
use crate::position::trace::TraceEntry;
use crate::position::value::Value;
use crate::position::veil::{Hidden, Veil};
use crate::position::verify::Planted;
use crate::program::layout::OWNER;

impl Sight {
    /// What a seat sees of which nothing is kept yet.
    fn new(rules: &Eval, seat: ThingId) -> Sight {
        let nothing = rules.nothing();
        let hidden = Hidden { hidden: nothing.clone(), sealed: nothing.clone(), without_history: nothing.clone() };
        let view = View {
            seat: String::new(),
            things: Vec::new(),
            hidden: Vec::new(),
            running: Vec::new(),
            asked: None,
            options: Vec::new(),
        };
        Sight {
            view,
            seat,
            submissions: Vec::new(),
            words: Vec::new(),
            veil: Veil::new(rules.state, hidden, &rules.link.program),
            ask: None,
            shown: nothing.clone(),
            secrets: None,
            portraits: Vec::new(),
            visible: nothing,
            order: Vec::new(),
            answering: Vec::new(),
            rolled: None,
            attrs: vec![None; rules.link.program.classes.len()],
        }
    }

    /// Whether a submission names nothing that is hidden.
    pub(crate) fn shows(&self, submission: &Submission) -> bool {
        let hidden = self.veil.hidden();
        let mut things = Set::empty(hidden.width());
        named(submission, &mut things);
        !things.meets(hidden.words())
    }

    /// Draws the veil before the position as it is.
    fn draw(&mut self, rules: &Eval, shown: Set) {
        let since = self.veil.moment();
        let holds = |reads: &crate::position::versions::Reads| rules.state.versions.last(reads) <= since;
        let hidden = if self.secrets.as_ref().is_some_and(holds) && shown == self.shown {
            None
        } else {
            let before = rules.state.begin_reading();
            let hidden = rules.hidden_from(self.seat, &shown);
            self.secrets = Some(rules.state.end_reading(&before));
            Some(hidden)
        };
        self.shown = shown;
        let planted = |mistake| rules.cache.verifying.has(mistake);
        self.veil.grounds.stuck = planted(Planted::Views);
        self.veil.unlit = planted(Planted::Light);
        self.veil.unread = planted(Planted::Apiece);
        self.veil.uncut = planted(Planted::Cut);
        let Sight { veil, portraits, .. } = self;
        if veil.grounds.is_full() {
            let Veil { grounds, glimpses, .. } = veil;
            grounds.sweep(|each| {
                glimpses.each_noted(each);
                portraits.iter_mut().flatten().for_each(|portrait| portrait.each_noted(each));
            });
        }
        veil.redraw(&rules.link.layout, rules.state, hidden);
    }

    /// Looks at every thing that is not hidden; whether any has come, gone, or become another.
    fn look(&mut self, rules: &Eval) -> bool {
        let cache = Cache::blind();
        let Sight { veil, portraits, attrs, seat, .. } = self;
        let eyes = Eval { cache: &cache, veil: Some(&*veil), names: None, ..*rules };
        eyes.settle_all(veil);
        let visible = rules.universe(false).minus(veil.hidden().words());
        portraits.resize_with(rules.state.ever(), || None);
        let mut other = visible != self.visible;
        for (at, portrait) in portraits.iter_mut().enumerate() {
            let thing = ThingId::from_index(at);
            if !visible.contains(thing) {
                *portrait = None;
                continue;
            }
            let class = rules.state.class_of(thing);
            let shown = match class.and_then(|class| attrs.get_mut(class.index())) {
                Some(known) => Arc::clone(known.get_or_insert_with(|| eyes.shown_attrs(class))),
                None => eyes.shown_attrs(class),
            };
            eyes.portray(veil, (*seat, thing), &shown, portrait);
            other |= portrait.as_ref().is_some_and(|now| now.since == veil.moment());
        }
        self.visible = visible;
        other
    }

    /// Calls things by their words; answers which are called otherwise than before.
    fn call(&mut self, rules: &Eval, mine: &[Submission], other: bool) -> Set {
        let mut renamed = rules.nothing();
        let answering = answering(rules, mine);
        let rolled = match rules.state.ask.as_ref().map(|ask| &ask.kind) {
            Some(DecisionKind::Roll { subject, .. }) => *subject,
            _ => None,
        };
        let same = !other && self.words.len() == rules.state.ever();
        if same && answering == self.answering && rolled == self.rolled {
            return renamed;
        }
        let portrait = |thing: ThingId| Some((thing, self.portraits.get(thing.index())?.as_ref()?));
        // Most are in the order in which they were.
        let mut come = self.visible.clone();
        self.order.iter().for_each(|thing| come.remove(*thing));
        let all = self.order.iter().copied().chain(come.iter());
        let seen: Vec<(ThingId, &Portrait)> = all.filter_map(portrait).collect();
        let order = ordered(rules, &seen, &answering, rolled);
        let moment = self.veil.moment();
        let called = self.words.len() == rules.state.ever() && seen.iter().all(|(_, one)| one.called < moment);
        if !called || order != self.order {
            let seen: Vec<(ThingId, &Portrait)> = order.iter().copied().filter_map(portrait).collect();
            renamed = call(rules, &seen, &mut self.words);
        }
        (self.order, self.answering, self.rolled) = (order, answering, rolled);
        renamed
    }

    /// Says what the player sees.
    fn say(&mut self, rules: &Eval, mine: Vec<Submission>, renamed: &Set) {
        let Sight { words, portraits, veil, .. } = self;
        let named = Eval { names: Some(Names::Listed(words)), ..*rules };
        let mut things = Vec::with_capacity(self.order.len());
        for thing in &self.order {
            let Some(Some(portrait)) = portraits.get_mut(thing.index()) else { continue };
            let holds = |sent: &&Sent| sent.since == portrait.since && !sent.names.meets(renamed.words());
            let seen = match portrait.sent.as_ref().filter(holds) {
                Some(sent) => Arc::clone(&sent.seen),
                None => {
                    let sent = sent(&named, *thing, portrait);
                    let seen = Arc::clone(&sent.seen);
                    portrait.sent = Some(sent);
                    seen
                }
            };
            things.push(seen);
        }
        let (options, submissions) = distinct(&named, mine).into_iter().unzip();
        self.view = View {
            seat: named.thing_words(self.seat),
            things,
            hidden: piles(&named, veil),
            running: course(rules),
            asked: rules.state.ask.as_ref().map(|ask| asked(&named, ask, self.seat)),
            options,
        };
        self.submissions = submissions;
    }
}

/// What a player may know and submit, from what is kept of it.
fn sight(rules: &Eval, seat: ThingId, kept: Option<Box<Sight>>) -> Box<Sight> {
    let (moment, width) = (rules.state.moment(), rules.link.layout.width);
    let mut sight = match kept {
        Some(sight) if sight.veil.moment() == moment && sight.ask == rules.state.ask && !sight.words.is_empty() => {
            return sight;
        }
        Some(sight) if sight.veil.can_be_redrawn(moment, width) => sight,
        _ => Box::new(Sight::new(rules, seat)),
    };
    let decides = rules.state.ask.as_ref().is_some_and(|d| d.by == Chooser::Seat(seat));
    let mine = if decides { rules.options() } else { Vec::new() };
    // Among what is chosen from there may be things that only this choice shows.
    let mut shown = rules.nothing();
    mine.iter().for_each(|s| named(s, &mut shown));
    sight.draw(rules, shown);
    let other = sight.look(rules);
    let renamed = sight.call(rules, &mine, other);
    sight.say(rules, mine, &renamed);
    sight.ask.clone_from(&rules.state.ask);
    sight
}

/// Reads what a player may know and submit.
pub(crate) fn with_sight<T>(game: &Game, seat: ThingId, read: impl FnOnce(&Sight) -> T) -> T {
    let rules = game.eval();
    let update = |kept: Option<Box<Sight>>| {
        let is_kept = kept.is_some();
        let now = sight(&rules, seat, kept);
        if is_kept && rules.cache.verifying.is_due() {
            let anew = sight(&rules, seat, None);
            let same = now.view == anew.view && now.submissions == anew.submissions && now.words == anew.words;
            if !same {
                rules.cache.differs("what a player sees");
            }
        }
        now
    };
    rules.cache.sights.with(seat, update, read)
}

/// The things that a submission names.
fn named(submission: &Submission, into: &mut Set) {
    let mut add = |value: &Value| into.add(value.things(into.width()).words());
    match submission {
        Submission::Pick(value) => add(value),
        Submission::Declare { this, parameters, .. } => {
            parameters.iter().for_each(&mut add);
            add(&Value::of_thing(*this));
        }
        _ => {}
    }
}

/// What is sent of a thing.
fn sent(named: &Eval, thing: ThingId, portrait: &Portrait) -> Sent {
    let mut names = Set::one(thing, named.link.layout.width);
    let at = portrait.lies.place;
    at.and_then(|at| at.1).into_iter().for_each(|owner| names.insert(owner));
    let place = place_of(named, at);
    let mut facts = Vec::new();
    for fact in &portrait.facts {
        let Some(says) = &fact.says else { continue };
        says.things.iter().for_each(|thing| names.insert(*thing));
        let mut words: Vec<String> = says.things.iter().map(|thing| named.thing_words(*thing)).collect();
        words.sort();
        words.extend(says.words.iter().cloned());
        facts.push((named.attr_words(fact.attr).to_string(), words.join(", ")));
    }
    let words = named.thing_words(thing);
    let class = named.class_word(thing).to_string();
    let seen = Arc::new(Seen { words, class, place, rank: portrait.lies.rank, facts });
    Sent { seen, since: portrait.since, names }
}

/// Where something lies, and whose that place is.
type At = Option<(PlaceId, Option<ThingId>)>;

/// Where something lies, in words.
fn place_of(named: &Eval, at: At) -> String {
    match at {
        Some((place, owner)) => named.place_words(place, owner),
        // total: what lies nowhere has no words for where
        None => String::new(),
    }
}

/// What is hidden, by place and class.
fn piles(named: &Eval, veil: &Veil) -> Vec<Pile> {
    let layout = &named.link.layout;
    let mut counts: FxHashMap<(At, Option<ClassId>), usize> = FxHashMap::default();
    let mut kinds = Vec::new();
    for t in &veil.hidden().minus(veil.sealed().words()) {
        let at = named.state.place(layout, t).map(|place| (place, named.state.thing_in(layout, t, OWNER)));
        let kind = (at, named.state.class_of(t));
        let count = counts.entry(kind).or_insert(0);
        *count += 1;
        if *count == 1 {
            kinds.push((kind, t));
        }
    }
    let mut piles: Vec<Pile> = Vec::new();
    for (kind, thing) in kinds {
        let Some(count) = counts.get(&kind) else { continue };
        let (place, class) = (place_of(named, kind.0), named.class_word(thing).to_string());
        match piles.iter_mut().find(|pile| pile.place == place && pile.class == class) {
            Some(pile) => pile.count += count,
            None => piles.push(Pile { place, class, count: *count }),
        }
    }
    piles.sort_by(|a, b| (&a.place, &a.class).cmp(&(&b.place, &b.class)));
    piles
}

/// Options with distinct words: those about things in the order of their words, then the others in the rules' order.
fn distinct(named: &Eval, options: Vec<Submission>) -> Vec<(String, Submission)> {
    let label = |s: &Submission| match s {
        Submission::Declare { allowance, .. } => {
            named.link.label(named.link.program.allowance(*allowance).clause).to_string()
        }
        _ => String::new(),
    };
    let about = |s: &Submission| !matches!(s, Submission::Pick(_) | Submission::Declare { .. });
    let mut all: Vec<(bool, String, String, Submission)> = options
        .into_iter()
        .map(|s| {
            let words = named.submission_words(&s);
            (about(&s), if about(&s) { String::new() } else { words.clone() }, words, s)
        })
        .collect();
    all.sort_by_cached_key(|(others, key, _, s)| (*others, key.clone(), label(s)));
    let mut out: Vec<(String, Submission)> = Vec::with_capacity(all.len());
    let mut said: FxHashMap<&str, u32> = FxHashMap::default();
    all.iter().for_each(|one| *said.entry(&one.2).or_insert(0) += 1);
    let twice: Vec<bool> = all.iter().map(|one| said.get(one.2.as_str()).is_some_and(|n| *n > 1)).collect();
    for ((_, _, words, submission), twice) in all.into_iter().zip(twice) {
        let label = label(&submission);
        let words = if twice && !label.is_empty() { format!("{words} {label}") } else { words };
        let is_numbered =
            |o: &str| o.strip_prefix(&words).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
        let before = out.iter().filter(|o| is_numbered(&o.0)).count();
        out.push((if before > 0 { format!("{words} ({})", before + 1) } else { words }, submission));
    }
    out
}

fn asked(named: &Eval, decision: &Decision, seat: ThingId) -> Asked {
    let you = decision.by == Chooser::Seat(seat);
    let kind = match &decision.kind {
        DecisionKind::Choose { .. } | DecisionKind::Gather { .. } | DecisionKind::Next { .. } => Asks::Choose,
        DecisionKind::May => Asks::May,
        DecisionKind::Branch(_) => Asks::Branch,
        DecisionKind::Act => Asks::Act,
        DecisionKind::Step => Asks::Step,
        DecisionKind::Order(_) | DecisionKind::Replace(_) => Asks::Order,
        DecisionKind::Roll { dice, by, subject, .. } => {
            Asks::Roll { dice: *dice, by: named.thing_words(*by), subject: subject.map(|s| named.thing_words(s)) }
        }
        DecisionKind::Shuffle { place, owner, .. } => Asks::Shuffle { place: named.place_words(*place, *owner) },
    };
    let (mut question, mut clause) = (String::new(), String::new());
    if you {
        let site = named.link.site_text(decision.site);
        let text = named.link.clause_text(decision.clause);
        question = if site.is_empty() { text } else { site }.to_string();
        clause = named.link.label(decision.clause).to_string();
    }
    let by = if let Chooser::Seat(by) = decision.by { named.thing_words(by) } else { String::new() };
    Asked { by, you, kind, question, clause }
}

fn course(eval: &Eval) -> Vec<String> {
    let program = &eval.link.program;
    let words = |running: Running| {
        let proc = eval.link.proc_name(running.proc);
        match running.step {
            Some(step) => format!("{proc}: {}", program.step(step).name),
            None => proc.to_string(),
        }
    };
    running(eval).into_iter().map(words).collect()
}

impl Game {
    /// What a client of a player may be sent. Nothing else that a game gives out is meant for one, but what
    /// [`Game::told`], [`Game::words_for`] and [`Game::explain_to`] say to them: saved games, hashes, traces, other
    /// verdicts and submissions speak of what is hidden.
    pub fn view(&self, seat: ThingId) -> View {
        with_sight(self, seat, |sight| sight.view.clone())
    }

    /// What a player's options submit, by the words that their view has for them.
    pub fn choices(&self, seat: ThingId) -> Vec<(String, Submission)> {
        let options =
            |sight: &Sight| sight.view.options.iter().cloned().zip(sight.submissions.iter().cloned()).collect();
        with_sight(self, seat, options)
    }

    /// What has happened as it was told to a player, for as long as the game was traced.
    pub fn told(&self, seat: ThingId) -> Vec<&str> {
        let of_seat = |e: &'_ TraceEntry| e.told.iter().position(|t| t.0 == seat);
        self.trace().iter().filter_map(|e| Some(e.told[of_seat(e)?].1.as_str())).collect()
    }
}
