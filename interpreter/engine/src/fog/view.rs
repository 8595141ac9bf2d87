//! What a client of a player may be sent.
//!
//! A view is a function of what the player may know (see [`crate::ask::eyes`]) and of nothing else: it holds no
//! number of a thing, its order and its numbering come from what is seen ([`crate::fog::likeness`]), hidden things are
//! counted, facts that hang on hidden things are left out, and only the one who decides sees what may be decided.

use netrep_ir::*;
use serde::Serialize;

use crate::ask::eval::{Cx, Eval};
use crate::ask::eyes::{Names, Veil, hidden_words};
use crate::ask::running::{Running, running};
use crate::fog::likeness::{Likeness, order};
use crate::game::Game;
use crate::position::cache::Cache;
use crate::position::set::{Set, ThingId};
use crate::position::stack::{Chooser, Decision, DecisionKind};
use crate::position::submission::Submission;
use crate::position::trace::TraceEntry;
use crate::position::value::Value;
use crate::program::layout::{OWNER, RANK, Store};

/// A player's view of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Whose view.
    pub seat: String,
    /// The known things, in order of what is seen of them.
    pub things: Vec<Seen>,
    /// What is hidden, by place and class.
    pub hidden: Vec<Pile>,
    /// What is running, outermost first: procedures, each with its step.
    pub running: Vec<String>,
    /// What is asked; nothing if nothing is left to decide.
    pub asked: Option<Asked>,
    /// This player's options in words, which are distinct; none if another decides.
    pub options: Vec<String>,
}

/// A known thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The thing in words, which are distinct in this view and mean nothing in another.
    pub words: String,
    /// Its class.
    pub class: String,
    /// Where it is, in words; empty if nowhere.
    pub place: String,
    /// How high it lies in a pile, from 1 for the lowest; 0 if not in a pile, or if its height is not known.
    pub rank: i32,
    /// Its attributes in words, without those that are empty.
    pub facts: Vec<(String, String)>,
}

/// Things that are hidden in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// The place in words.
    pub place: String,
    /// The class of the things.
    pub class: String,
    /// How many.
    pub count: usize,
}

/// A decision as a player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Who decides; empty for chance.
    pub by: String,
    /// Whether it is the viewer.
    pub you: bool,
    /// What kind of decision it is.
    pub kind: Asks,
    /// What the viewer is asked, in words; empty if another decides.
    pub question: String,
    /// The label of the clause that asks the viewer; empty if another decides.
    pub clause: String,
}

/// The kinds of decision, as far as everyone may know them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asks {
    /// One of some things.
    Choose,
    /// Yes or no.
    May,
    /// One of several branches.
    Branch,
    /// An action, or nothing.
    Act,
    /// A step, or none.
    Step,
    /// What comes first.
    Order,
    /// Dice.
    Roll {
        /// How many.
        dice: u8,
        /// Who rolls.
        by: String,
        /// What for.
        subject: Option<String>,
    },
    /// A shuffling.
    Shuffle {
        /// Of which place.
        place: String,
    },
}

/// A fact as it is seen, before things have their words.
struct Fact {
    name: String,
    /// Its words, of what is no thing; else what is seen of hidden things.
    words: Vec<String>,
    things: Vec<ThingId>,
}

/// What is seen of a thing.
struct Portrait {
    thing: ThingId,
    class: String,
    name: Option<String>,
    by: Option<ThingId>,
    place: Option<(PlaceId, Option<ThingId>)>,
    rank: i32,
    facts: Vec<Fact>,
}

/// What a player may know, and submit.
pub(crate) struct Sight {
    pub view: View,
    /// What each option of the view submits.
    pub submissions: Vec<Submission>,
    /// What the view calls each thing, thing by thing; hidden ones by their class.
    pub words: Vec<String>,
    /// The player's eyes.
    pub veil: Veil,
}

impl Sight {
    /// Whether a submission names nothing that is hidden.
    pub(crate) fn shows(&self, submission: &Submission) -> bool {
        let hidden = self.veil.hidden();
        let mut things = Set::empty(hidden.width());
        named(submission, &mut things);
        !things.meets(hidden.words())
    }
}

impl Eval<'_> {
    fn portrait(&self, veil: &Veil, seat: ThingId, thing: ThingId) -> Portrait {
        let layout = &self.link.layout;
        let place = self.state.place(layout, thing);
        // Who is shown a hidden thing in order to choose it is not told how deep it lies.
        let rank = if self.known_to(seat, thing) { self.state.cell(layout, thing, RANK) } else { 0 };
        let name = self.name_words(thing);
        Portrait {
            thing,
            class: self.class_word(thing).to_string(),
            by: if name.is_none() { self.description(thing) } else { None },
            name,
            place: place.map(|p| (p, self.state.thing_in(layout, thing, OWNER))),
            rank,
            facts: self.facts(veil, thing),
        }
    }

    /// True for what was so of a thing in a place in which it does not lie any more: shown in the open, it would tell where
    /// the thing was before it lay among others that nobody saw.
    fn is_past(&self, attr: AttrId, thing: ThingId) -> bool {
        let anew = self.link.program.attrs.get(attr.index()).and_then(|decl| decl.anew);
        let elsewhere = |at: &PlaceId| {
            let is_open = self.link.program.places.get(at.index()).is_some_and(|place| place.secrecy == Secrecy::Open);
            is_open && anew != Some(*at)
        };
        anew.is_some() && self.state.place(&self.link.layout, thing).as_ref().is_some_and(elsewhere)
    }

    /// The facts of a thing that hang on nothing hidden.
    fn facts(&self, veil: &Veil, thing: ThingId) -> Vec<Fact> {
        let one = Set::one(thing, self.link.layout.width);
        let mut facts = Vec::new();
        for i in 0..self.link.program.attrs.len() {
            let attr = AttrId::from_index(i);
            // What it is called is told as its name.
            let called = self.link.program.services.called == Some(attr);
            if called || self.having(attr, &one).is_empty() || self.is_past(attr, thing) {
                continue;
            }
            let (mut words, mut things) = (Vec::new(), Vec::new());
            let seen = match self.link.layout.attr(attr).kind {
                ValueKind::Thing(_) | ValueKind::Things(_) if self.by_name(attr, thing) => {
                    self.printed_fact(veil, attr, thing, &mut words, &mut things);
                    Some(())
                }
                ValueKind::Thing(_) | ValueKind::Things(_) => veil.unless_asked(|| {
                    let mut set = self.nothing();
                    let cx = Cx::clause(ClauseId(0), None, &[]);
                    self.values_of(&cx, attr, thing, &self.universe(false), &mut set);
                    for t in &set {
                        if veil.hidden().contains(t) {
                            words.push(hidden_words(self.class_word(t)));
                        } else {
                            things.push(t);
                        }
                    }
                    words.sort();
                }),
                _ => veil.unless_asked(|| {
                    let value = self.value_words(attr, thing);
                    if !matches!(value.as_str(), "" | "none" | "no") {
                        words.push(value);
                    }
                }),
            };
            if seen.is_some() && !(words.is_empty() && things.is_empty()) {
                facts.push(Fact { name: self.attr_words(attr).to_string(), words, things });
            }
        }
        facts
    }
}

impl Eval<'_> {
    /// A printed name is shown as it is printed, whether or not anything is called so. If the fact has become a state,
    /// it is shown as far as it is about visible things.
    fn printed_fact(
        &self,
        veil: &Veil,
        attr: AttrId,
        thing: ThingId,
        words: &mut Vec<String>,
        things: &mut Vec<ThingId>,
    ) {
        if let (Store::Printed, Some(names)) = (self.link.layout.attr(attr).store, self.printed_names(attr, thing)) {
            words.extend(names.iter().map(|n| format!("\"{}\"", self.link.table.name(&self.link.program, *n))));
            words.sort();
            return;
        }
        let mut set = self.nothing();
        let cx = Cx::clause(ClauseId(0), None, &[]);
        self.values_of(&cx, attr, thing, &self.universe(false).minus(veil.hidden().words()), &mut set);
        things.extend(set.iter());
    }
}

/// What is seen of each thing, for its place in the order.
fn likenesses(eval: &Eval, veil: &Veil, portraits: &[Portrait], mine: &[Submission]) -> Vec<Likeness> {
    let place = |p: PlaceId| eval.link.place_name(p).to_string();
    let like = |p: &Portrait| {
        // total: a nameless thing looks nameless.
        let mut looks = vec![p.name.clone().unwrap_or_default(), p.class.clone()];
        looks.push(match p.place {
            Some((at, _)) => place(at),
            // total: what lies nowhere looks alike
            None => String::new(),
        });
        looks.push(format!("{:06}", p.rank));
        let mut ties: Vec<(String, ThingId)> = Vec::new();
        for f in &p.facts {
            looks.push(f.name.clone());
            looks.extend(f.words.iter().cloned());
            ties.extend(f.things.iter().map(|t| (f.name.clone(), *t)));
        }
        match p.by {
            Some(by) if veil.hidden().contains(by) => looks.push("by something hidden".to_string()),
            by => ties.extend(by.map(|by| ("by".to_string(), by))),
        }
        ties.extend(p.place.and_then(|at| at.1).map(|owner| ("in the place of".to_string(), owner)));
        Likeness { thing: Some(p.thing), looks, answers: Vec::new(), ties }
    };
    let mut all: Vec<Likeness> = portraits.iter().map(like).collect();
    // What is asked and what may be answered is seen too.
    if let Some(DecisionKind::Roll { subject: Some(subject), .. }) = eval.state.ask.as_ref().map(|d| &d.kind) {
        all.iter_mut().filter(|l| l.thing == Some(*subject)).for_each(|l| l.looks.push("rolled for".to_string()));
    }
    for submission in mine {
        let (how, this, others): (String, Option<ThingId>, Vec<ThingId>) = match submission {
            Submission::Pick(value) => ("pick".to_string(), value.thing(), Vec::new()),
            Submission::Declare { allowance, this, effect, parameters } => {
                let entries = parameters.iter().filter_map(|p| p.entry()).map(|e| eval.entry_words(e));
                let how =
                    entries.fold(format!("declare {} {effect}", allowance.0), |how, entry| format!("{how} {entry}"));
                let things: Vec<ThingId> = parameters.iter().filter_map(Value::thing).collect();
                (how, this.or(things.first().copied()), things)
            }
            _ => continue,
        };
        if let Some(l) = all.iter_mut().find(|l| l.thing.is_some() && l.thing == this) {
            let (answers, targets) = (&mut l.answers, &mut l.ties);
            answers.push(how.clone());
            targets.extend(others.iter().enumerate().map(|(n, t)| (format!("{how} {n}"), *t)));
        }
    }
    all.iter_mut().for_each(|l| l.answers.sort_unstable());
    all
}

/// The words of every thing: names, or what describes the nameless, with numbers where several are called alike.
fn words(eval: &Eval, veil: &Veil, ordered: &[&Portrait]) -> Vec<String> {
    let mut words: Vec<String> =
        (0..eval.state.ever()).map(|t| hidden_words(eval.class_word(ThingId::from_index(t)))).collect();
    let mut open: Vec<&Portrait> = ordered.to_vec();
    let mut said: Vec<(String, u32)> = Vec::new();
    // Whoever describes another is named first; a ring of descriptions is cut where it is entered.
    while !open.is_empty() {
        let waits = |p: &Portrait| p.by.is_some_and(|by| by != p.thing && open.iter().any(|o| o.thing == by));
        let (mut ready, mut rest): (Vec<&Portrait>, Vec<&Portrait>) = open.iter().partition(|p| !waits(p));
        if ready.is_empty() {
            ready.push(rest.remove(0));
        }
        let waiting: Vec<ThingId> = rest.iter().map(|p| p.thing).collect();
        for p in ready {
            let by = p.by.filter(|by| !waiting.contains(by)).and_then(|by| words.get(by.index()));
            // Of different cards that share a name, each is told by its id.
            // total: what shares its name and is no card has no id
            let id = eval.link.card_of(p.thing).map_or("", |card| eval.link.program.card(card).id.as_str());
            let stem = match (&p.name, by) {
                (Some(name), _) if shared(eval, p, ordered) => format!("{name} {}", id),
                (Some(name), _) => name.clone(),
                (None, Some(by)) => format!("{} {by}", p.class),
                (None, None) => p.class.clone(),
            };
            let n = match said.iter_mut().find(|s| s.0 == stem) {
                Some(s) => {
                    s.1 += 1;
                    s.1
                }
                None => {
                    said.push((stem.clone(), 1));
                    1
                }
            };
            if let Some(slot) = words.get_mut(p.thing.index()) {
                *slot = if n > 1 { format!("{stem} #{n}") } else { stem };
            }
        }
        open = rest;
    }
    debug_assert!(ordered.iter().all(|p| !veil.hidden().contains(p.thing)));
    words
}

/// Whether another card is seen that has the same name.
fn shared(eval: &Eval, one: &Portrait, all: &[&Portrait]) -> bool {
    let card = |p: &Portrait| eval.link.card_of(p.thing);
    all.iter().any(|other| other.name == one.name && card(other) != card(one))
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

/// What a player may know and submit.
pub(crate) fn sight(game: &Game, seat: ThingId) -> Sight {
    let rules = game.eval();
    let decision = game.decision();
    let decides = decision.is_some_and(|d| d.by == Chooser::Seat(seat));
    let mine = if decides { rules.options() } else { Vec::new() };
    // Among what is chosen from there may be things that only this choice shows.
    let mut shown = rules.nothing();
    mine.iter().for_each(|s| named(s, &mut shown));
    let veil = Veil::new(&rules, seat, &shown);
    let cache = Cache::empty(rules.link);
    let eyes = Eval { cache: &cache, veil: Some(&veil), names: None, ..rules };
    let visible = rules.universe(false).minus(veil.hidden().words());
    let portraits: Vec<Portrait> = visible.iter().map(|t| eyes.portrait(&veil, seat, t)).collect();
    let order = order(&likenesses(&rules, &veil, &portraits, &mine));
    let ordered: Vec<&Portrait> = order.iter().filter_map(|i| portraits.get(*i)).collect();
    let words = words(&rules, &veil, &ordered);
    let named = Eval { names: Some(Names::Listed(&words)), ..rules };
    let place = |at: Option<(PlaceId, Option<ThingId>)>| match at {
        Some((place, owner)) => named.place_words(place, owner),
        // total: what lies nowhere has no words for where
        None => String::new(),
    };
    let seen = |p: &&Portrait| Seen {
        words: named.thing_words(p.thing),
        class: p.class.clone(),
        place: place(p.place),
        rank: p.rank,
        facts: p.facts.iter().map(|f| (f.name.clone(), said(&named, f))).collect(),
    };
    let mut hidden: Vec<Pile> = Vec::new();
    for t in &veil.hidden().minus(veil.sealed().words()) {
        let layout = &rules.link.layout;
        let at = rules.state.place(layout, t).map(|p| (p, rules.state.thing_in(layout, t, OWNER)));
        let (place, class) = (place(at), rules.class_word(t).to_string());
        match hidden.iter_mut().find(|p| p.place == place && p.class == class) {
            Some(pile) => pile.count += 1,
            None => hidden.push(Pile { place, class, count: 1 }),
        }
    }
    hidden.sort_by(|a, b| (&a.place, &a.class).cmp(&(&b.place, &b.class)));
    let (options, submissions) = distinct(&named, mine).into_iter().unzip();
    let view = View {
        seat: named.thing_words(seat),
        things: ordered.iter().map(seen).collect(),
        hidden,
        running: course(&rules),
        asked: decision.map(|d| asked(&named, d, seat)),
        options,
    };
    Sight { view, submissions, words, veil }
}

fn said(named: &Eval, fact: &Fact) -> String {
    let mut words: Vec<String> = fact.things.iter().map(|t| named.thing_words(*t)).collect();
    words.sort();
    words.extend(fact.words.iter().cloned());
    words.join(", ")
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
    let twice: Vec<bool> = all.iter().map(|a| all.iter().filter(|b| b.2 == a.2).count() > 1).collect();
    for ((_, _, words, submission), twice) in all.into_iter().zip(twice) {
        let label = label(&submission);
        let words = if twice && !label.is_empty() { format!("{words} {label}") } else { words };
        let before = out.iter().filter(|o| o.0 == words || o.0.starts_with(&format!("{words} ("))).count();
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
    pub fn view(&self, seat: ThingId) -> crate::fog::view::View {
        crate::fog::view::sight(self, seat).view
    }

    /// What a player's options submit, by the words that their view has for them.
    pub fn choices(&self, seat: ThingId) -> Vec<(String, Submission)> {
        let sight = crate::fog::view::sight(self, seat);
        sight.view.options.into_iter().zip(sight.submissions).collect()
    }

    /// What has happened as it was told to a player, for as long as the game was traced.
    pub fn told(&self, seat: ThingId) -> Vec<&str> {
        let of_seat = |e: &'_ TraceEntry| e.told.iter().position(|t| t.0 == seat);
        self.trace().iter().filter_map(|e| Some(e.told[of_seat(e)?].1.as_str())).collect()
    }
}
