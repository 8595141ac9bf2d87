//! What is wrong with the names of the whole, without making the program.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::sync::Arc;

use netrep_diagnostics::{Code, suggestion};
use netrep_grammar::tree::Span;
use netrep_ir::SiteId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linker;
use super::circles::{Numbers, numbers};
use super::following::{self, Verbs};
use super::functioning::{self, Said};
use super::names::names_alike;
use super::places::clause_span;
use super::raised::{Raised, Sets};
use super::roles::{Roles, unbound};
use super::tables::{Relocation, Tables};
use crate::finding::Diagnostic;
use crate::link::LinkItem;
use crate::lower::{Awaited, Lowered};
use crate::phrase::term::first_word;
use crate::planted::Planted;

/// What linking would find wrong with the names of the whole, without making the program.
pub(crate) fn verify(items: &[LinkItem]) -> Vec<Diagnostic> {
    Whole::of(items, None).found
}

/// Items that were verified, with what each adds to what is asked of the whole: with others in the place of some of them only that
/// is asked again which these can change.
pub(crate) struct Whole<'i> {
    items: &'i [LinkItem],
    shares: Vec<Share<'i>>,
    linker: Linker,
    tables: Tables,
    said: Said,
    /// How many items declare each procedure, and describe each step of one.
    courses: FxHashMap<Course<'i>, i64>,
    /// What was found.
    pub found: Vec<Diagnostic>,
    planted: Option<Planted>,
}

/// What an item adds to what is asked of the whole.
struct Share<'i> {
    roles: Roles<'i>,
    verbs: Verbs<'i>,
    numbers: Numbers,
    sets: Sets,
}

impl<'i> Share<'i> {
    fn of(item: &'i LinkItem) -> Share<'i> {
        let (roles, verbs) = (Roles::of(item), Verbs::of(item));
        Share { roles, verbs, numbers: Numbers::of(item), sets: Sets::of(item) }
    }
}

/// A procedure, or a step of it.
type Course<'i> = (&'i str, Option<&'i str>);

/// The procedures that an item declares, and the steps that it describes.
fn courses_of(item: &LinkItem) -> impl Iterator<Item = Course<'_>> {
    let procs = item.lowered.procs.iter().map(|p| (&*p.name, None));
    procs.chain(item.lowered.steps.iter().map(|s| (&*s.proc, Some(&*s.name))))
}

/// One part of each share.
fn each<'s, T>(shares: &[&'s Share<'s>], part: impl Fn(&'s Share<'s>) -> &'s T) -> Vec<&'s T> {
    shares.iter().map(|share| part(share)).collect()
}

impl<'i> Whole<'i> {
    /// Of all items. `planted`: of what is otherwise where some are others, this is not looked at.
    pub(crate) fn of(items: &'i [LinkItem], planted: Option<Planted>) -> Whole<'i> {
        let shares: Vec<Share<'i>> = items.iter().map(Share::of).collect();
        let all: Vec<&Share<'_>> = shares.iter().collect();
        let mut l = Linker::default();
        let tables = l.words(items);
        l.check_names(items);
        l.check_called(items);
        l.clauses(items);
        l.diags.extend(numbers(items, &each(&all, |share| &share.numbers)));
        unbound(&mut l, items, &each(&all, |share| &share.roles));
        l.check_taken(items, &tables);
        l.check_held(items, &tables);
        let raised = Raised::of(&each(&all, |share| &share.sets));
        let said = Said::of(&l, items, &tables, Rc::new(raised));
        functioning::check(&mut l, items.iter().enumerate(), &tables, &said);
        following::check(&mut l, items, &tables, &each(&all, |share| &share.verbs));
        let mut courses: FxHashMap<Course<'i>, i64> = FxHashMap::default();
        for course in items.iter().flat_map(courses_of) {
            *courses.entry(course).or_default() += 1;
        }
        let mut found = std::mem::take(&mut l.diags);
        found.sort();
        Whole { items, shares, linker: l, tables, said, courses, found, planted }
    }

    /// True if with these items in the places of others every clause may function that might before, and theirs too, and from
    /// verbs follows what followed. False says nothing.
    pub(crate) fn functions_with(&mut self, others: &[(usize, LinkItem)]) -> bool {
        let Whole { items, shares, linker, tables, said, .. } = self;
        for (nth, item) in others {
            let (before, was) = (&items[*nth], &shares[*nth]);
            let beside = || shares.iter().enumerate().filter(|(other, _)| other != nth).map(|(_, share)| &share.verbs);
            if !Sets::of(item).covers(&was.sets) || !Verbs::of(item).follow_as(&was.verbs, beside) {
                return false;
            }
            Linker::further_moments(item, tables);
            if !functioning::says_as_much(linker, (before, item), tables) {
                return false;
            }
        }
        functioning::check(linker, others.iter().map(|(nth, item)| (*nth, item)), tables, said);
        std::mem::take(&mut linker.diags).is_empty()
    }

    /// What is found between the items when these stand in the places of others.
    pub(crate) fn with(&mut self, others: &[(usize, LinkItem)]) -> Vec<Diagnostic> {
        let mut items = self.items.to_vec();
        others.iter().for_each(|(nth, new)| items[*nth] = new.clone());
        // Of what is wrong the place may have moved; and where an item is broken, less is told.
        let is_sound = self.found.is_empty() && self.linker.lost.is_empty();
        if !is_sound || others.iter().any(|(_, new)| new.lost.is_some()) {
            return verify(&items);
        }
        let planted = self.planted;
        let Whole { items: before, shares, linker, tables, said, courses, .. } = self;
        let new: Vec<Share<'_>> = others.iter().map(|(_, item)| Share::of(item)).collect();
        let mut all: Vec<&Share<'_>> = shares.iter().collect();
        let mut changed = Changed::default();
        for ((nth, item), share) in others.iter().zip(&new) {
            changed.add((&before[*nth], all[*nth]), (item, share));
            all[*nth] = share;
        }
        let mut more: FxHashMap<Course<'_>, i64> = FxHashMap::default();
        for (nth, item) in others {
            courses_of(&before[*nth]).for_each(|course| *more.entry(course).or_default() -= 1);
            courses_of(item).for_each(|course| *more.entry(course).or_default() += 1);
        }
        let count = |course: &Course<'_>| courses.get(course).into_iter().sum::<i64>();
        let mut more = more.iter();
        changed.words |= more.any(|(course, more)| (count(course) > 0) != (count(course) + more > 0));
        if let Some(planted) = planted {
            changed.overlook(planted);
        }
        others.iter().for_each(|(_, item)| Linker::further_moments(item, tables));
        let tables = &*tables;
        // Where no other words are declared, what they stand for is as it was.
        let mut anew = changed.words.then(Linker::default);
        let tables_anew = anew.as_mut().map(|l| l.words(&items));
        // total: where no other words are declared, it is as it was
        let (l, tables) = (anew.as_mut().unwrap_or(linker), tables_anew.as_ref().unwrap_or(tables));
        if !changed.words {
            l.whole_services(&items);
            others.iter().for_each(|(_, item)| drop(l.names_of(item, tables)));
        }
        if changed.names {
            l.check_names(&items);
        }
        l.check_called(&items);
        l.clauses(&items);
        if changed.numbers {
            l.diags.extend(numbers(&items, &each(&all, |share| &share.numbers)));
        }
        if changed.roles {
            unbound(l, &items, &each(&all, |share| &share.roles));
        }
        let asked = |nth: &usize| changed.words || others.iter().any(|(other, _)| other == nth);
        let of_itself: Vec<LinkItem> = match changed.words {
            true => items.clone(),
            false => others.iter().map(|(_, item)| item.clone()).collect(),
        };
        l.check_taken(&of_itself, tables);
        l.check_held(&of_itself, tables);
        let raised = match changed.sets {
            true => Rc::new(Raised::of(&each(&all, |share| &share.sets))),
            false => Rc::clone(&said.raised),
        };
        let now = Said::of(l, &items, tables, raised);
        let holds = !changed.words && now.says_the_same(said, asked);
        functioning::check(l, items.iter().enumerate().filter(|(nth, _)| !holds || asked(nth)), tables, &now);
        if changed.verbs || changed.words {
            following::check(l, &items, tables, &each(&all, |share| &share.verbs));
        }
        let mut found = std::mem::take(&mut l.diags);
        found.sort();
        found
    }

    /// What is found between items most of which are these.
    pub(crate) fn beside(&mut self, items: &[LinkItem]) -> Vec<Diagnostic> {
        let is_there = |(one, other): (&LinkItem, &LinkItem)| {
            (&one.item.head, &one.item.key) == (&other.item.head, &other.item.key)
        };
        if self.items.len() != items.len() || !self.items.iter().zip(items).all(is_there) {
            return verify(items);
        }
        let others = items.iter().enumerate().filter(|(nth, item)| !item.is_same(&self.items[*nth]));
        let others: Vec<(usize, LinkItem)> = others.map(|(nth, item)| (nth, item.clone())).collect();
        self.with(&others)
    }
}

/// What is otherwise where items stand in the places of others.
#[derive(Default)]
struct Changed {
    words: bool,
    names: bool,
    numbers: bool,
    roles: bool,
    sets: bool,
    verbs: bool,
}

impl Changed {
    fn add(&mut self, (old, was): (&LinkItem, &Share<'_>), (new, is): (&LinkItem, &Share<'_>)) {
        self.names |= !names_alike(old, new);
        self.words |= self.names || !declares_alike(&old.lowered, &new.lowered);
        self.numbers |= was.numbers != is.numbers;
        self.roles |= was.roles != is.roles;
        self.sets |= was.sets != is.sets;
        self.verbs |= was.verbs != is.verbs;
    }

    /// One of them is taken to be as it was.
    fn overlook(&mut self, planted: Planted) {
        match planted {
            Planted::Words => self.words = false,
            Planted::Names => self.names = false,
            Planted::Numbers => self.numbers = false,
            Planted::Roles => self.roles = false,
            Planted::Sets => self.sets = false,
            Planted::Verbs => self.verbs = false,
            _ => {}
        }
    }
}

/// True if two items say the same of words: of what declares some or serves the engine that is not known. Procedures and steps are
/// counted, and moments that are waited for are known to those who wait.
fn declares_alike(old: &Lowered, new: &Lowered) -> bool {
    let plain = |low: &Lowered| {
        low.terms.is_empty() && low.services.is_empty() && low.service_sels.is_empty() && low.sets.is_empty()
    };
    plain(old) && plain(new) && old.place_verbs == new.place_verbs
}

impl Linker {
    /// Declares the words of the items, and judges what hangs on them alone.
    fn words(&mut self, items: &[LinkItem]) -> Tables {
        self.declare(items);
        self.check_roles(items);
        let tables = std::mem::take(&mut self.tables);
        for i in items {
            if let Some(mut m) = self.names_of(i, &tables) {
                i.lowered.terms.iter().for_each(|t| self.term(t, &mut m));
                self.services(i, &mut m, &tables);
            }
        }
        self.whole_services(items);
        self.check_services(items, &tables);
        tables
    }

    /// What the names of an item stand for, if all are known, and whether there are the steps that it lists.
    fn names_of<'t>(&mut self, i: &LinkItem, tables: &'t Tables) -> Option<Relocation<'t>> {
        let mut unknown = Vec::new();
        let m = Relocation::new(tables, &self.program, &i.lowered.symbols, &mut unknown);
        let whole = unknown.is_empty();
        for (name, what) in unknown {
            self.unknown(i, &name, what, tables);
        }
        for p in &i.lowered.procs {
            self.steps(i, p, tables);
        }
        whole.then_some(m)
    }

    /// What clauses say of procedures, steps and clauses.
    fn clauses(&mut self, items: &[LinkItem]) {
        self.diags.extend(super::circles::courses(items));
        self.described_twice(items);
        self.declared_twice(items);
        self.unlisted(items);
        self.steps_waited_for(items);
        self.references(items);
    }

    /// A step that is described must be listed by its procedure.
    fn unlisted(&mut self, items: &[LinkItem]) {
        let procs = items.iter().flat_map(|i| &i.lowered.procs);
        let listed: FxHashSet<(&str, &str)> =
            procs.flat_map(|p| p.steps.iter().map(|step| (&*p.name, &**step))).collect();
        for i in items {
            let lost = |proc: &str| self.lost.iter().any(|text| text.contains(&format!("procedure {proc}")));
            let steps = i.lowered.steps.iter();
            let unlisted: Vec<_> =
                steps.filter(|s| !listed.contains(&(&*s.proc, &*s.name)) && !lost(&s.proc)).collect();
            for s in unlisted {
                let span = clause_span(i, s.clause);
                let message =
                    format!("no `steps` sentence of `{}` names the step `{}`, so it never runs", s.proc, s.name);
                let help = format!("add `{}` to the `steps` of `{}`", s.name, s.proc);
                self.error(i, span, Code::UnlistedStep, message, Some(help));
            }
        }
    }

    /// A step for whose beginning or end a clause waits must be one of its procedure.
    fn steps_waited_for(&mut self, items: &[LinkItem]) {
        let mut steps_of: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for p in items.iter().flat_map(|i| &i.lowered.procs) {
            steps_of.entry(&p.name).or_default().extend(p.steps.iter().map(|step| &**step));
        }
        for item in items {
            for moment in &item.lowered.moments {
                let Awaited::Bounds { procedure, step: Some(step), .. } = &moment.what else { continue };
                let Some(steps) = steps_of.get(&**procedure) else { continue };
                // A procedure that nobody declares, or that is lost to an error of its own, is told by its name.
                if !steps.is_empty() && !steps.contains(&&**step) {
                    let text = format!("`{procedure}` has no step `{step}`");
                    let help = format!("its steps are: {}", steps.join(", "));
                    self.error(item, moment.span, Code::UnlistedStep, text, Some(help));
                }
            }
        }
    }

    /// What `despite` and `rests on` name must be there, unless it is lost to an error of its own or a reading has taken
    /// it away.
    fn references(&mut self, items: &[LinkItem]) {
        let labelled = || items.iter().filter(|i| i.lowered.card.is_some() || &*i.item.head == "rule");
        let clauses = || labelled().flat_map(|i| i.lowered.clauses.iter().map(|c| (&*i.item.key, c.label.trim_end())));
        // Few items are named, so that only of these the clauses are asked.
        let mut named: FxHashMap<&str, Vec<&LinkItem>> = FxHashMap::default();
        for (item, ..) in items.iter().flat_map(|i| named_in(&i.lowered)) {
            named.entry(item).or_default();
        }
        for i in labelled() {
            if let Some(of) = named.get_mut(&*i.item.key) {
                of.push(i);
            }
        }
        let is_known = |item: &str, label: &str| {
            let mut of = named.get(item).into_iter().flatten();
            of.any(|i| label.is_empty() || i.lowered.clauses.iter().any(|c| c.label.trim_end() == label))
        };
        for i in items {
            for (item, label, site) in named_in(&i.lowered) {
                let broken = |text: &Arc<str>| {
                    let mut words = text.split_whitespace();
                    matches!(words.next(), Some("rule" | "card")) && words.next() == Some(item)
                };
                if !is_known(item, label) && !gone(items, item, label) && !self.lost.iter().any(broken) {
                    let labels: Vec<String> = clauses().map(|(item, label)| cited(item, label)).collect();
                    let wanted = cited(item, label);
                    self.diags.push(unknown_label(i, &wanted, site, labels.iter().map(String::as_str)));
                }
            }
        }
    }

    /// A step that one item describes twice. Several items are put in order by what they are called; two blocks of one
    /// item have no names that could order them.
    pub(super) fn described_twice(&mut self, items: &[LinkItem]) {
        for i in items {
            let mut described: HashMap<(&str, &str), Span> = HashMap::new();
            for s in &i.lowered.steps {
                match described.entry((&s.proc, &s.name)) {
                    Entry::Vacant(step) => drop(step.insert(s.span)),
                    Entry::Occupied(first) => {
                        let item = format!("{} {}", i.item.head, i.item.key);
                        let message = format!("{item} describes the step `{}` of `{}` twice", s.name, s.proc);
                        self.diags.push(
                            Diagnostic::new(Code::StepTwice, i.places.place(s.span), message)
                                .and(i.places.place(*first.get()), "the first block")
                                .help(
                                    "put all that the rule says of the step into one block, or these statements into a rule or a \
                                     step of their own; a reading adds to a block with `add to ITEM LABEL { … }`",
                                ),
                        );
                    }
                }
            }
        }
    }

    /// A procedure that a reading declares under a name which another has. Where the texts themselves do so, the index of
    /// words tells it.
    pub(super) fn declared_twice(&mut self, items: &[LinkItem]) {
        let mut declared: HashMap<&str, (&LinkItem, Span)> = HashMap::new();
        for i in items {
            for p in &i.lowered.procs {
                let span = clause_span(i, p.clause);
                let Some((other, first)) = declared.insert(&p.name, (i, span)) else { continue };
                let (own, others) = (is_layered(i, span), is_layered(other, first));
                let ((told, at), (kept, before)) = match (own, others) {
                    (false, false) => continue,
                    (false, true) => ((other, first), (i, span)),
                    (true, _) => ((i, span), (other, first)),
                };
                let message = format!("the procedure `{}` is declared twice", p.name);
                self.diags.push(
                    Diagnostic::new(Code::TermRepeated, told.places.place(at), message)
                        .and(kept.places.place(before), "the other one")
                        .help("call the one that the reading adds otherwise, or replace the other: `replace ITEM LABEL { … }`"),
                );
            }
        }
    }
}

/// The clauses that an item names: the item, the label, and where it does.
pub(super) fn named_in(lowered: &Lowered) -> impl Iterator<Item = (&str, &str, SiteId)> {
    let despite = lowered.despite.iter().map(|(_, item, label, site)| (item.as_str(), label.as_str(), *site));
    let rests = lowered.rests.iter().map(|(wanted, site)| {
        // total: an item is named as a whole by its id alone
        let (item, label) = wanted.split_once(' ').unwrap_or((wanted, ""));
        (item, label, *site)
    });
    despite.chain(rests)
}

/// True for a clause that a reading has brought into its item.
fn is_layered(i: &LinkItem, span: Span) -> bool {
    i.item.clauses.iter().any(|clause| clause.read.span == span && !clause.setter.is_empty())
}

/// A clause as it is cited, `ITEM LABEL`; the item alone without a label.
pub(super) fn cited(item: &str, label: &str) -> String {
    if label.is_empty() { item.to_owned() } else { format!("{item} {label}") }
}

/// True for a clause that a reading has taken away.
pub(super) fn gone(items: &[LinkItem], item: &str, label: &str) -> bool {
    let taken = |i: &LinkItem| i.item.gone.iter().any(|gone| **gone == *label);
    items.iter().any(|i| *i.item.key == *item && taken(i))
}

pub(super) fn unknown_label<'a>(
    i: &LinkItem,
    wanted: &str,
    site: SiteId,
    labels: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let span = i.lowered.sites.get(site.index()).map_or(i.item.tree.head_span, |s| s.span);
    let labels: Vec<&str> = labels.collect();
    let item = first_word;
    let wanted_item = first_word(wanted);
    let (code, message, help) = if labels.iter().any(|label| item(label) == wanted_item) {
        let message = format!("no clause is labelled `{wanted}`");
        (Code::UnknownLabel, message, suggestion(wanted, labels.iter().copied()))
    } else {
        let mut items: Vec<&str> = labels.iter().map(|label| item(label)).collect();
        items.dedup();
        (Code::UnknownItem, format!("there is no rule or card `{wanted_item}`"), suggestion(wanted_item, items))
    };
    Diagnostic { help, ..Diagnostic::new(code, i.places.place(span), message) }
}
