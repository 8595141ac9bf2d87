//! What a player may know: open things, the contents of places that are theirs to see, and counts of the rest.
//! Numbers of things are not those of the game, so that nothing can be followed through a hidden place.

use netrep_ir::*;

use crate::eval::{Cx, Eval};
use crate::frame::{Chooser, Kind};
use crate::game::Game;
use crate::layout::OWNER;
use crate::set::{Set, ThingId};

/// A player's view of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Whose view.
    pub seat: ThingId,
    /// The known things, in order of their words.
    pub things: Vec<Seen>,
    /// What is hidden, by place and class.
    pub hidden: Vec<Pile>,
    /// Whether this player decides now.
    pub decides: bool,
    /// What is asked, in words; for another's decision only who decides.
    pub question: String,
    /// This player's options in words; empty if another decides.
    pub options: Vec<String>,
}

/// A known thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its number in this view only, from 1.
    pub alias: u32,
    /// The thing in words.
    pub words: String,
    /// Its class.
    pub class: String,
    /// Where it is, in words; empty if nowhere.
    pub place: String,
    /// Its attributes in words, without those that are empty.
    pub facts: Vec<(String, String)>,
}

/// Things that are hidden in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pile {
    /// The place in words.
    pub place: String,
    /// The class of the things.
    pub class: String,
    /// How many.
    pub count: usize,
}

impl Eval<'_> {
    /// Whether a player knows what a thing is.
    pub fn known_to(&self, seat: ThingId, thing: ThingId) -> bool {
        let layout = &self.link.layout;
        let Some(place) = self.state.place(layout, thing) else { return true };
        match self.link.program.places.get(place.index()).map(|p| p.secrecy) {
            Some(Secrecy::Owner) => self.state.thing_in(layout, thing, OWNER) == Some(seat),
            Some(Secrecy::Hidden) => false,
            Some(Secrecy::Open) | None => true,
        }
    }

    fn facts(&self, seat: ThingId, thing: ThingId) -> Vec<(String, String)> {
        let one = Set::one(thing, self.link.layout.width);
        let mut facts = Vec::new();
        for i in 0..self.link.program.attrs.len() {
            let attr = AttrId::from_index(i);
            if self.having(attr, &one).is_empty() {
                continue;
            }
            let value = match self.link.layout.attr(attr).kind {
                ValueKind::Thing(_) | ValueKind::Things(_) => {
                    let mut set = Set::empty(self.link.layout.width);
                    self.values_of(&Cx::clause(ClauseId(0), None, &[]), attr, thing, &self.universe(false), &mut set);
                    let word =
                        |t| if self.known_to(seat, t) { self.thing_words(t) } else { "something hidden".to_string() };
                    set.iter().map(word).collect::<Vec<_>>().join(", ")
                }
                _ => self.value_words(attr, thing),
            };
            if !value.is_empty() && value != "none" && value != "no" {
                facts.push((self.attr_words(attr).to_string(), value));
            }
        }
        facts
    }
}

/// What a player may know.
pub(crate) fn view(game: &Game, seat: ThingId) -> View {
    let eval = game.eval();
    let layout = &eval.link.layout;
    let class = |t: ThingId| {
        let class = eval.state.classes.get(t.index()).and_then(|c| eval.link.program.classes.get(c.index()));
        class.map_or("?", |c| c.name.as_str()).to_string()
    };
    let place = |t: ThingId| {
        let owner = eval.state.thing_in(layout, t, OWNER);
        eval.state.place(layout, t).map_or(String::new(), |p| eval.place_words(p, owner))
    };
    let mut things = Vec::new();
    let mut hidden: Vec<Pile> = Vec::new();
    for t in &eval.universe(false) {
        if eval.known_to(seat, t) {
            things.push(Seen {
                alias: 0,
                words: eval.thing_words(t),
                class: class(t),
                place: place(t),
                facts: eval.facts(seat, t),
            });
            continue;
        }
        let (place, class) = (place(t), class(t));
        match hidden.iter_mut().find(|p| p.place == place && p.class == class) {
            Some(pile) => pile.count += 1,
            None => hidden.push(Pile { place, class, count: 1 }),
        }
    }
    things.sort_by(|a, b| a.words.cmp(&b.words));
    things.iter_mut().zip(1..).for_each(|(t, n)| t.alias = n);
    hidden.sort_by(|a, b| (&a.place, &a.class).cmp(&(&b.place, &b.class)));
    let by = game.decision().map(|d| d.by);
    let decides = by == Some(Chooser::Seat(seat));
    let question = match (game.decision(), by) {
        (Some(d), _) if decides => {
            let text = eval.link.site_text(d.site);
            let clause = eval.link.program.clauses.get(d.clause.index()).map_or("", |c| c.text.as_str());
            if text.is_empty() { clause } else { text }.to_string()
        }
        (_, Some(Chooser::Seat(other))) => format!("{} decides", eval.thing_words(other)),
        (_, Some(Chooser::Chance)) => "chance decides".to_string(),
        (_, None) => "nothing is left to decide".to_string(),
    };
    let options = if decides { game.options_in_words().into_iter().map(|o| o.0).collect() } else { Vec::new() };
    View { seat, things, hidden, decides, question, options }
}

/// The running procedures, outermost first, each with its step.
pub(crate) fn running(eval: &Eval) -> Vec<(ProcId, Option<StepId>)> {
    let step = |proc: ProcId, next: u16| {
        let decl = eval.link.program.procs.get(proc.index())?;
        decl.steps.get(usize::from(next).checked_sub(1)?).copied()
    };
    let frames = eval.state.frames.iter();
    frames
        .filter_map(|f| match &f.kind {
            Kind::Procedure(r) => Some((r.proc, step(r.proc, r.next))),
            _ => None,
        })
        .collect()
}
