//! Evaluation, set-at-a-time: a selection yields the things of a `care` set that satisfy it, and stops when
//! nothing is left to care for. Total: what is absent is the empty set or 0.

use netrep_ir::limits::{DEFINITIONS, GROUPED};
use netrep_ir::*;
use smallvec::SmallVec;

use crate::ask::at_once::{of_base, of_targets};
use crate::ask::attempt::Attempt;
use crate::ask::eyes::Names;
use crate::ask::words::several;
use crate::position::cache::Cache;
use crate::position::error::{ErrorKind, Fault};
use crate::position::link::Link;
use crate::position::set::{Set, ThingId};
use crate::position::stack::Activation;
use crate::position::state::State;
use crate::position::value::{Value, number};
use crate::position::veil::Veil;
use crate::program::layout::{OWNER, RANK};

/// A position to be asked.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    pub link: &'a Link,
    pub state: &'a State,
    pub cache: &'a Cache,
    /// In a trial, or where something is supposed: what is kept of the position of which this is a copy, as far as nothing of
    /// that has been written since.
    pub below: Option<&'a Cache>,
    /// A role that is taken to be bound so; the columns of current values do not know of it.
    pub assumed: Option<(RoleId, &'a Set)>,
    /// What is about to be declared with all its choices: it is asked what it would do like what waits in a chain. The
    /// columns do not know of it either.
    pub proposed: Option<&'a Attempt<'a>>,
    /// Entries that are being worked out, by entry: what modifiers so far have made of them.
    pub partial: Option<(AttrId, &'a [u64])>,
    /// It is asked while it is looked ahead: what something would bring about is not asked again, but taken as possible.
    pub ahead: bool,
    /// Whose eyes it is asked with; `None`: those of the rules, which see all.
    pub veil: Option<&'a Veil>,
    /// What things are called; `None`: as the game calls them.
    pub names: Option<Names<'a>>,
}

/// A thing that an enclosing per-thing expression is about.
#[derive(Clone, Copy)]
pub(crate) struct It<'a> {
    thing: ThingId,
    up: Option<&'a It<'a>>,
}

/// What the words of an expression refer to.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'a> {
    pub this: Option<ThingId>,
    pub locals: &'a [Value],
    /// How many activations are looked up for roles, from the outermost.
    pub acts: usize,
    pub it: Option<&'a It<'a>>,
    /// The group that a number is asked for.
    pub group: Option<&'a Set>,
    /// Retired things count too.
    pub past: bool,
    /// The clause for which it is evaluated.
    pub clause: ClauseId,
    /// What is said is done now, not only asked: somebody has to play each role that it names.
    pub done: bool,
}

impl<'a> Cx<'a> {
    /// The context of an activation.
    pub(crate) fn of(act: &'a Activation, acts: usize) -> Cx<'a> {
        Cx {
            this: act.this,
            locals: &act.locals,
            acts,
            it: None,
            group: None,
            past: false,
            clause: act.clause,
            done: false,
        }
    }
    /// A context without anything bound, for what the program's services select.
    pub(crate) fn bare() -> Cx<'static> {
        Cx::clause(ClauseId(0), None, &[])
    }
    /// The context of a clause of a thing (or of a rule).
    pub(crate) fn clause(clause: ClauseId, this: Option<ThingId>, locals: &'a [Value]) -> Cx<'a> {
        Cx { this, locals, acts: usize::MAX, it: None, group: None, past: false, clause, done: false }
    }
    /// The same about one more thing.
    pub(crate) fn about(self, it: &'a It<'a>) -> Cx<'a> {
        Cx { it: Some(it), ..self }
    }
    /// The frame for one more thing.
    pub(crate) fn it(&self, thing: ThingId) -> It<'a> {
        It { thing, up: self.it }
    }
    pub(crate) fn nth(&self, n: u8) -> Option<ThingId> {
        let mut it = self.it;
        for _ in 0..n {
            it = it?.up;
        }
        it.map(|i| i.thing)
    }
}

/// The greatest of some numbers, or the least.
fn extreme(numbers: impl Iterator<Item = i32>, greatest: bool) -> i32 {
    let found = if greatest { numbers.max() } else { numbers.min() };
    // total: of no numbers it is 0, as `Num::Extreme` says.
    found.unwrap_or(0)
}

impl<'a> Eval<'a> {
    /// A position as it is, with the eyes of the rules.
    pub(crate) fn of(link: &'a Link, state: &'a State, cache: &'a Cache) -> Eval<'a> {
        state.versions.begin_asking();
        Eval {
            link,
            state,
            cache,
            below: None,
            assumed: None,
            proposed: None,
            partial: None,
            ahead: false,
            veil: None,
            names: None,
        }
    }

    /// The same position without what is only assumed or proposed: what is kept for later questions is worked out so.
    pub(crate) fn settled(&self) -> Eval<'a> {
        Eval { assumed: None, proposed: None, partial: None, ahead: false, ..*self }
    }

    /// All things: those that exist as far as the viewer can tell, or for the history all that ever did.
    pub(crate) fn universe(&self, past: bool) -> Set {
        if past {
            Set::first_n(self.state.ever(), self.link.layout.width)
        } else {
            let all = self.state.existing(&self.link.layout);
            match self.veil {
                Some(veil) => all.minus(veil.sealed().words()),
                None => all,
            }
        }
    }

    pub(crate) fn nothing(&self) -> Set {
        Set::empty(self.link.layout.width)
    }

    fn kept(&self, thing: Option<ThingId>, care: &Set) -> Set {
        if let Some(thing) = thing {
            self.note_existence(thing);
        }
        match thing {
            Some(t) if care.contains(t) => Set::one(t, self.link.layout.width),
            _ => self.nothing(),
        }
    }

    /// A whole selection.
    pub(crate) fn all(&self, cx: &Cx, sel: &Sel) -> Set {
        match self.known(cx, sel) {
            Some(thing) => match self.counted(cx, thing) {
                Some(t) => Set::one(t, self.link.layout.width),
                None => self.nothing(),
            },
            None if cx.past => self.sel(cx, sel, &self.ever(sel)),
            None => self.sel(cx, sel, &self.living_for(cx, Some(sel))),
        }
    }

    /// A thing, if it is one of those that are asked: that exist, or for the history have existed.
    fn counted(&self, cx: &Cx, thing: Option<ThingId>) -> Option<ThingId> {
        let counts = |t: &ThingId| {
            if cx.past { t.index() < self.state.ever() } else { self.exists(*t) }
        };
        thing.filter(counts)
    }

    /// The thing, or the absence of one, that a selection names outright; `None` if it has to be looked for.
    #[inline]
    fn known(&self, cx: &Cx, sel: &Sel) -> Option<Option<ThingId>> {
        let one = |value: Option<&Value>| match value {
            Some(Value::Thing(t)) => Some(Some(*t)),
            Some(Value::Set(_)) => None,
            _ => Some(None),
        };
        match sel {
            // What a viewer's eyes do not see is looked for.
            _ if self.veil.is_some() => None,
            Sel::This => Some(cx.this),
            Sel::It(n) => Some(cx.nth(*n)),
            Sel::Slot(slot) => one(cx.locals.get(usize::from(*slot))),
            Sel::Role(role) if self.assumed.is_none() => one(self.player(cx, *role)),
            _ => None,
        }
    }

    /// The first thing of a selection.
    pub(crate) fn first(&self, cx: &Cx, sel: &Sel) -> Option<ThingId> {
        match sel {
            Sel::This => cx.this.filter(|t| cx.past || self.exists(*t)),
            Sel::It(n) => cx.nth(*n),
            _ => {
                let all = self.all(cx, sel);
                if let Some(veil) = self.veil
                    && all.len() > 1
                {
                    // Which of several comes first may hang on hidden ones.
                    veil.touch(&all);
                }
                self.one_of(cx, &all)
            }
        }
    }

    /// The thing in a set that holds one at most; several are a fault, and which comes first counts for nothing.
    pub(crate) fn one_of(&self, cx: &Cx, set: &Set) -> Option<ThingId> {
        // What a view shows of several is not asked here: it is hidden with the first of them.
        if set.len() > 1 && self.veil.is_none() {
            self.cache.fail_once(|| Fault::new(ErrorKind::Several, cx.clause, several(self, set)));
        }
        set.first()
    }

    /// A selection within what is cared for.
    pub(crate) fn sel(&self, cx: &Cx, sel: &Sel, care: &Set) -> Set {
        let layout = &self.link.layout;
        if self.is_given_up() {
            return self.nothing();
        }
        match sel {
            Sel::Empty => self.nothing(),
            Sel::All => care.clone(),
            Sel::Class(class) => care.and(self.state.words(layout, layout.class(*class))),
            Sel::This => self.kept(cx.this, care),
            Sel::It(n) => self.kept(cx.nth(*n), care),
            Sel::Slot(slot) => match cx.locals.get(usize::from(*slot)) {
                Some(Value::Thing(t)) => self.kept(Some(*t), care),
                Some(Value::Set(set)) => self.among(set, care),
                _ => self.nothing(),
            },
            Sel::Group => match cx.group {
                Some(group) => self.among(group, care),
                None => self.nothing(),
            },
            Sel::Role(role) => match (self.assumed, role) {
                (Some((assumed, things)), role) if assumed == *role => self.among(things, care),
                (_, role) => match self.player(cx, *role) {
                    Some(Value::Thing(t)) => self.kept(Some(*t), care),
                    Some(Value::Set(set)) => self.among(set, care),
                    _ => self.nothing(),
                },
            },
            Sel::Named(name) => match self.veil {
                None => care.and(self.link.named(*name).words()),
                // A name that no card has, none of the hidden things has, as everyone may know.
                Some(veil) if self.link.on_cards(*name) => veil.lift(care).and(self.link.named(*name).words()),
                Some(_) => care.and(self.link.named(*name).words()),
            },
            Sel::Image(attr, of) => {
                let of = self.all(cx, of);
                self.image(cx, *attr, &of, care)
            }
            Sel::Preimage(attr, to) => {
                let to = self.all(cx, to);
                self.preimage(cx, *attr, &to, care)
            }
            Sel::NameIs(attr, names) if self.veil.is_none() && care.len() == 1 => {
                care.only(|thing| self.prints_one_of(cx, *attr, names, thing))
            }
            Sel::NameIs(attr, names) => {
                let names = self.names(cx, names);
                self.of_names(*attr, &names, care)
            }
            Sel::EntryIs(attr, entry) => self.entry_set(*attr, *entry, care),
            Sel::EntryIsValue(attr, ent) => match self.ent(cx, ent) {
                Some(entry) => self.entry_set(*attr, entry, care),
                None => self.nothing(),
            },
            Sel::Flag(attr) => self.flag_set(*attr, care),
            Sel::NumIs(attr, op, num) => {
                let to = self.num(cx, num);
                let mut found = self.nothing();
                let care = self.knowable(*attr, self.having(*attr, care));
                if !care.is_empty() {
                    self.read_numbers(*attr, |read| {
                        for t in &care {
                            if op.holds(read(t), to) {
                                found.insert(t);
                            }
                        }
                    });
                }
                found
            }
            Sel::In(place, owner) => {
                let here = self.held_by(layout.place(*place), care);
                self.owned_by(cx, owner.as_deref(), here)
            }
            Sel::Top(place, owner, n) => {
                let owners = owner.as_ref().map(|o| self.all(cx, o));
                let here = Set::from_words(self.state.words(layout, layout.place(*place)));
                let whose = |t: ThingId| self.state.thing_in(layout, t, OWNER);
                let mine = |t: &ThingId| owners.as_ref().is_none_or(|o| whose(*t).is_some_and(|w| o.contains(w)));
                let mut lying: Vec<_> =
                    here.iter().filter(mine).map(|t| (whose(t), -self.state.cell(layout, t, RANK), t)).collect();
                lying.sort_unstable();
                // Less than none is none.
                let most = self.num(cx, n).max(0).unsigned_abs() as usize;
                let mut found = self.nothing();
                for pile in lying.chunk_by(|a, b| a.0 == b.0) {
                    pile.iter().take(most).filter(|x| care.contains(x.2)).for_each(|x| found.insert(x.2));
                }
                found
            }
            Sel::And(parts) => {
                let mut left = care.clone();
                if let Some(veil) = self.veil {
                    return self.veiled_and(veil, cx, parts, left);
                }
                for part in parts {
                    if left.is_empty() {
                        break;
                    }
                    left = self.sel(cx, part, &left);
                }
                left
            }
            Sel::Or(parts) => {
                let mut found = self.nothing();
                let mut care = care.clone();
                for part in parts {
                    if care.is_empty() {
                        break;
                    }
                    let more = self.sel(cx, part, &care);
                    care.cut(more.words());
                    found.add(more.words());
                }
                found
            }
            Sel::Not(inner) => care.minus(self.sel(cx, inner, care).words()),
            Sel::One(inner) => {
                // Whether there are several is asked of all, whoever it is that is looked for.
                let all = self.all(cx, inner);
                self.one_of(cx, &all);
                all.and(care.words())
            }
            Sel::Next { of, from, after } => match self.next(cx, of, from, *after) {
                Some(next) => self.kept(Some(next), care),
                None => self.nothing(),
            },
            Sel::Where(cond) => {
                if let Some((attr, entry, so)) = of_base(cond) {
                    let with = self.base_entry_set(attr, entry, &self.knowable(attr, care.clone()));
                    return if so { with } else { care.minus(with.words()) };
                }
                if let (Some(by), None) = (of_targets(cond), self.veil) {
                    return care.and(self.targets_of(cx, by).words());
                }
                let mut found = self.nothing();
                for t in &self.within(cond, care) {
                    let it = cx.it(t);
                    if self.cond(&cx.about(&it), cond) {
                        found.insert(t);
                    }
                }
                found
            }
            Sel::Happened(past, role) => {
                let mut found = self.nothing();
                self.rows(cx, past, |row| {
                    if let Some(t) = row.role(usize::from(*role))
                        && self.is_cared_for(t, care)
                        && !self.is_untold(row, t)
                    {
                        found.insert(t);
                    }
                    false
                });
                found
            }
            Sel::Would(prospect) => self.would(cx, prospect, care),
            Sel::If(cond, a, b) => self.sel(cx, if self.cond(&cx.asked(), cond) { a } else { b }, care),
        }
    }

    /// Those of some things that lie in a place of an owner, if one is said.
    pub(crate) fn owned_by(&self, cx: &Cx, owner: Option<&Sel>, mut here: Set) -> Set {
        if let Some(owner) = owner.filter(|_| !here.is_empty()) {
            let owners = self.all(cx, owner);
            here.retain(|t| self.thing_in(t, OWNER).is_some_and(|o| owners.contains(o)));
        }
        here
    }

    /// Runs a derived definition one level deeper; past the bound it is a fault and `None`.
    pub(crate) fn deeper<T>(&self, attr: AttrId, run: impl FnOnce() -> T) -> Option<T> {
        self.cache.log.attr(attr);
        let depth = self.cache.depth.get();
        if depth >= DEFINITIONS {
            let name = self.link.attr_name(attr);
            self.cache.fail(Fault::new(
                ErrorKind::Recursion,
                ClauseId(0),
                format!("the definition of `{name}` leads back to itself"),
            ));
            return None;
        }
        self.cache.depth.set(depth + 1);
        let out = run();
        self.cache.depth.set(depth);
        Some(out)
    }

    /// An entry.
    pub(crate) fn ent(&self, cx: &Cx, ent: &Ent) -> Option<EntryId> {
        match ent {
            Ent::Entry(e) => Some(*e),
            Ent::Slot(slot) => cx.locals.get(usize::from(*slot)).and_then(Value::entry),
            Ent::Attr(attr, of) => self.first(cx, of).and_then(|t| self.entry_of(*attr, t)),
            Ent::Base(attr, of) => self.first(cx, of).and_then(|t| self.base_entries(*attr, t).first().copied()),
        }
    }

    /// All entries that are meant: an attribute may have several.
    fn ents(&self, cx: &Cx, ent: &Ent) -> SmallVec<[EntryId; 4]> {
        match ent {
            Ent::Attr(attr, of) => self.first(cx, of).into_iter().flat_map(|t| self.entries_of(*attr, t)).collect(),
            Ent::Base(attr, of) => self.first(cx, of).into_iter().flat_map(|t| self.base_entries(*attr, t)).collect(),
            _ => self.ent(cx, ent).into_iter().collect(),
        }
    }

    /// A number.
    pub(crate) fn num(&self, cx: &Cx, num: &Num) -> i32 {
        match num {
            Num::Int(n) => *n,
            _ if self.is_given_up() => 0,
            Num::Attr(attr, of) => self.of_first(cx, of, |t| self.current(*attr, t)),
            Num::Base(attr, of) => self.of_first(cx, of, |t| self.base(*attr, t, 0)),
            Num::AttrFor(attr, of, ent) => match (self.first(cx, of), self.ent(cx, ent)) {
                (Some(t), Some(e)) => self.current_part(*attr, t, self.link.table.position(e)),
                _ => 0,
            },
            Num::Count(of) => number(self.all(cx, of).len()),
            Num::Total(attr, of) => {
                let of = self.knowable(*attr, self.having(*attr, &self.all(cx, of)));
                let mut sum = 0i32;
                if !of.is_empty() {
                    self.read_numbers(*attr, |read| of.iter().for_each(|t| sum = sum.saturating_add(read(t))));
                }
                sum
            }
            Num::Extreme(attr, of, greatest) => {
                let of = self.knowable(*attr, self.having(*attr, &self.all(cx, of)));
                let mut found = 0;
                if !of.is_empty() {
                    self.read_numbers(*attr, |read| found = extreme(of.iter().map(read), *greatest));
                }
                found
            }
            // total: a number that is not bound is 0, like the number in what is none.
            Num::Slot(slot) => cx.locals.get(usize::from(*slot)).map_or(0, Value::num),
            Num::Role(role) => self.number_of(cx, *role),
            Num::Add(a, b) => self.num(cx, a).saturating_add(self.num(cx, b)),
            Num::Sub(a, b) => self.num(cx, a).saturating_sub(self.num(cx, b)),
            Num::Mul(a, b) => self.num(cx, a).saturating_mul(self.num(cx, b)),
            Num::Max(parts) => extreme(parts.iter().map(|p| self.num(cx, p)), true),
            Num::Min(parts) => extreme(parts.iter().map(|p| self.num(cx, p)), false),
            Num::Quotient(a, b, up) => match (self.num(cx, a), self.num(cx, b)) {
                (_, 0) => 0,
                // Rounded down is towards the lesser number, whatever the signs.
                (a, b) => {
                    let (a, b) = (i64::from(a), i64::from(b));
                    let down = a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0);
                    let n = down + i64::from(*up && a.rem_euclid(b) != 0);
                    // Arithmetic saturates: the least number by -1 is too great.
                    n.min(i64::from(i32::MAX)) as i32
                }
            },
            Num::Given(role, to, n) => {
                let to = self.all(cx, to);
                let inner = Eval { assumed: Some((*role, &to)), ..*self };
                inner.num(cx, n)
            }
            Num::Least(of, n) => self.least(cx, of, n),
            Num::Alternatives(base, parts) => {
                let chosen = parts.iter().rev().find(|(_, c)| self.cond(&cx.asked(), c)).map(|(n, _)| n);
                self.num(cx, chosen.unwrap_or(base))
            }
        }
    }

    /// A number of the first thing of a selection.
    fn of_first(&self, cx: &Cx, of: &Sel, read: impl FnOnce(ThingId) -> i32) -> i32 {
        // total: an attribute of no thing is 0 (`netrep_ir::expr`).
        self.first(cx, of).map_or(0, read)
    }

    /// The least that a number is for any group of things; of many, the first [`GROUPED`] are put into groups.
    fn least(&self, cx: &Cx, of: &Sel, number: &Num) -> i32 {
        let things: SmallVec<[ThingId; 4]> = self.all(cx, of).iter().take(GROUPED).collect();
        let groups = (0..1u32 << things.len()).map(|chosen| {
            let mut group = self.nothing();
            let members = things.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
            members.for_each(|(_, t)| group.insert(*t));
            self.num(&Cx { group: Some(&group), ..*cx }, number)
        });
        // There is always the empty group.
        extreme(groups, false)
    }

    /// A condition.
    pub(crate) fn cond(&self, cx: &Cx, cond: &Cond) -> bool {
        self.cache.log.condition(cx.clause);
        match cond {
            Cond::Is(b) => *b,
            _ if self.is_given_up() => false,
            Cond::Some(sel) => self.some(cx, sel),
            Cond::Every(a, b) => match self.known(cx, a) {
                Some(thing) => self.counted(cx, thing).is_none_or(|thing| self.has(cx, b, thing)),
                None => {
                    let all = self.all(cx, a);
                    all.is_empty() || self.sel(cx, b, &all) == all
                }
            },
            Cond::Cmp(op, a, b) => op.holds(self.num(cx, a), self.num(cx, b)),
            Cond::Same(a, b) => {
                let b = self.ents(cx, b);
                self.ents(cx, a).iter().any(|e| b.contains(e))
            }
            Cond::Did(past) => self.rows(cx, past, |_| true),
            Cond::During(proc) => self.state.running(*proc, cx.acts).is_some(),
            Cond::Closing(proc) => self.state.closing(*proc, cx.acts),
            Cond::Unchanged => self.unchanged(),
            Cond::Awaits(sel) => self.awaiting(cx, sel),
            Cond::Barred(verb, roles) => self.is_barred(cx, *verb, roles),
            Cond::InForce(by, on) => self.in_effect(cx, by, on.as_ref()),
            Cond::Modified(attr, of, by) => self.modified(cx, *attr, of, by.as_ref()),
            Cond::And(parts) => parts.iter().all(|p| self.cond(cx, p)),
            Cond::Or(parts) => parts.iter().any(|p| self.cond(cx, p)),
            Cond::Not(inner) => !self.cond(cx, inner),
        }
    }

    /// Whether anything is selected; a conjunction that begins with one known thing asks only about it.
    fn some(&self, cx: &Cx, sel: &Sel) -> bool {
        if let Sel::And(parts) = sel
            && let Some((first @ (Sel::This | Sel::It(_) | Sel::Slot(_) | Sel::Role(_)), rest)) = parts.split_first()
        {
            if let Some(thing) = self.known(cx, first) {
                return self.counted(cx, thing).is_some_and(|thing| rest.iter().all(|part| self.has(cx, part, thing)));
            }
            let mut left = self.all(cx, first);
            for part in rest {
                if left.is_empty() {
                    return false;
                }
                left = self.sel(cx, part, &left);
            }
            return !left.is_empty();
        }
        !self.all(cx, sel).is_empty()
    }

    /// A value.
    pub(crate) fn val(&self, cx: &Cx, val: &Val) -> Value {
        match val {
            Val::Num(n) => Value::Num(self.num(cx, n)),
            Val::Things(sel) => Value::of_set(self.all(cx, sel)),
            Val::Entry(e) => Value::of_entry(self.ent(cx, e)),
            Val::Flag(b) => Value::Num(i32::from(*b)),
        }
    }
}
