//! What holes hold that is no category: declared terms, labels, verbs with their roles, and phrases of a category with a
//! condition on their sort.

use netrep_diagnostics::Code;

use std::sync::Arc;

use super::chart::{Chart, Clash, Found, Hit, T, shown};
use super::closed;
use super::forms::{Category, Caught, Own, Piece, Row};
use super::grant::TARGET;
use super::lexicon::is_id;
use super::nominal::stands_after;
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, Param, TypeName, Use};
use super::tree::{Det, Op, Sort, TermKind};

/// What a hole may hold, each with its end.
type Held = Vec<(usize, Caught)>;

fn trees(found: Found) -> Held {
    found.into_iter().map(|(to, tree)| (to, Caught::Tree(tree))).collect()
}

/// What a hole may hold in view of what stands before it.
fn after<B>(before: Option<B>, held: impl FnOnce(B) -> Held) -> Held {
    // total: a form whose holes stand so is not read without what stands before
    before.map(held).unwrap_or_default()
}

fn terms(hits: Vec<Hit>) -> Held {
    hits.into_iter().map(|hit| (hit.end, Caught::Term(hit))).collect()
}

/// True for a sort of things.
pub(super) fn is_thing(sort: &Sort) -> bool {
    matches!(sort, Sort::Thing(_) | Sort::AnyThing)
}

/// The last declared term that a row has found before a hole.
fn term_before(hole: usize, pieces: &[Option<Piece>]) -> Option<&Hit> {
    pieces.get(..hole)?.iter().rev().flatten().find_map(|p| match &p.what {
        Caught::Term(hit) => Some(hit),
        _ => None,
    })
}

impl Chart<'_> {
    /// What a hole that is no category may hold at a place.
    pub(super) fn own(&self, own: Own, at: usize, hole: usize, row: &'static Row, pieces: &[Option<Piece>]) -> Held {
        let before = || match row.category.info().after {
            Some(_) => pieces.first().and_then(Option::as_ref).and_then(Piece::tree).cloned(),
            None => None,
        };
        // total: what is read before it is known of what may be said of any thing
        let sort_before = || before().map_or(Sort::AnyThing, |t| t.sort.clone());
        let last = || self.spoken_of(hole, pieces);
        match own {
            Own::Things => trees(self.things_or(at)),
            Own::Thing => trees(self.things(at)),
            Own::Joined => trees(self.joined_things(at)),
            Own::Place => {
                let found = self.of_cell(Category::One, at, |t| t.sort == Sort::Place);
                if found.is_empty() {
                    self.refuse_place(at);
                }
                trees(found)
            }
            Own::Several => trees(
                self.of_cell(Category::Np, at, |t| is_thing(&t.sort) && matches!(t.op, Op::Quantified(Det::Each))),
            ),
            Own::Single => {
                // `no wave` is none at all, even if a role is called so too.
                let class = !self.hits_of(at, TermKind::Class).is_empty();
                trees(self.of_cell(Category::One, at, |t| {
                    matches!(t.op, Op::Label(_)) || matches!(t.op, Op::Role(_)) && !class
                }))
            }
            Own::Fact => trees(self.of_cell(Category::One, at, |t| matches!(t.op, Op::Of(_)))),
            Own::Figure => trees(self.figures(at)),
            Own::Counted => {
                self.number_at(at);
                trees(self.cell(Category::Product, at).to_vec())
            }
            Own::Bound => trees(self.number_at(at).to_vec()),
            Own::EntryLike => after(last(), |of| trees(self.entries_like(&of, at))),
            Own::Anything => {
                let mut values = self.things_or(at);
                values.extend(self.cell(Category::Number, at).iter().cloned());
                values.extend(self.of_cell(Category::Np, at, |t| matches!(t.sort, Sort::Entry(_))));
                trees(values)
            }
            Own::Value => {
                let sort = match (term_before(hole, pieces).map(|hit| &hit.term.detail), last()) {
                    (Some(Detail::Role { value } | Detail::Attribute { value, .. }), _) => Some(self.type_sort(value)),
                    (_, tree) => tree.map(|t| t.sort.clone()),
                };
                after(sort, |sort| trees(self.values(at, &sort)))
            }
            Own::Block => trees(self.block(at)),
            Own::Body => trees(self.body(at)),
            Own::Arguments => self.all_arguments(at, term_before(hole, pieces)),
            Own::Facts => {
                let of = |class: &Hit| self.facts(at, &Sort::Thing(class.term.key.name.clone()));
                let found = term_before(hole, pieces).into_iter().flat_map(of);
                found.map(|(to, keys, values)| (to, Caught::Facts(keys, values))).collect()
            }

            Own::Procedure => terms(self.procedure(at)),
            Own::Running => terms(self.hits_of(at, TermKind::Procedure)),
            Own::Course => {
                self.expect(at, "a procedure");
                terms(self.hits_of(at, TermKind::Procedure))
            }
            Own::Role => terms(self.hits_of(at, TermKind::Role)),
            Own::Class => terms(self.hits_of(at, TermKind::Class)),
            Own::Zone => terms(self.hits_of(at, TermKind::Place)),
            Own::Attribute => {
                let hits = terms(self.hits_of(at, TermKind::Attribute));
                self.expect(at, "an attribute");
                hits
            }
            Own::NumberFact => {
                let is_number =
                    |hit: &Hit| matches!(&hit.term.detail, Detail::Attribute { value: TypeName::Number, .. });
                terms(self.hits_of(at, TermKind::Attribute).into_iter().filter(is_number).collect())
            }
            Own::Trait => {
                let of = pieces.first().and_then(Option::as_ref).and_then(Piece::tree).map(|t| t.sort.clone());
                let applies = |hit: &&Hit| match (&hit.term.detail, &of) {
                    (Detail::Entry { list }, Some(sort)) => self.entry_applies(list, sort),
                    (Detail::Attribute { value: TypeName::YesNo, .. }, Some(sort)) => self.has_fact(sort, &hit.term),
                    _ => false,
                };
                let hits = self.hits(at).iter().filter(applies).cloned().collect();
                self.expect(at, "a catalogue term");
                terms(hits)
            }
            Own::Plainest => terms(self.plainest(self.verbs(at, &[Use::Base]))),

            Own::Naming => {
                let sort = match (term_before(hole, pieces), last()) {
                    (Some(class), None) => Some(Sort::Thing(class.term.key.name.clone())),
                    (_, tree) => tree.map(|t| t.sort.clone()),
                };
                sort.and_then(|sort| self.labelled(at, &sort))
                    .map(|label| (at + 2, Caught::Label(label)))
                    .into_iter()
                    .collect()
            }
            Own::Result => {
                let label = self.labelled(at, &Sort::Number);
                label.map(|label| (at + 2, Caught::Label(label))).into_iter().collect()
            }
            Own::Label => match (self.label(at), last()) {
                (Some(label), Some(tree)) => {
                    self.bind(&label, &tree.sort, at);
                    vec![(at + 1, Caught::Label(label))]
                }
                _ => Vec::new(),
            },
            Own::NewLabel => self.label(at).map(|label| (at + 1, Caught::Label(label))).into_iter().collect(),
            Own::Aim => match self.kind(at) {
                Some(SlotKind::Word(w)) if w == TARGET => vec![(at + 1, Caught::Label(Arc::from(TARGET)))],
                _ => self.label(at).map(|label| (at + 1, Caught::Label(label))).into_iter().collect(),
            },
            Own::Capital => match self.kind(at) {
                Some(SlotKind::Capital(w)) if closed::is_label(w) => {
                    vec![(at + 1, Caught::Label(Arc::from(w.as_str())))]
                }
                _ => Vec::new(),
            },
            Own::Rest => {
                let words: Vec<&str> = self.slots.iter().skip(at).map_while(|s| s.word()).collect();
                match words.is_empty() {
                    true => Vec::new(),
                    false => vec![(at + words.len(), Caught::Label(Arc::from(words.join(" "))))],
                }
            }

            Own::Step => {
                // The name of a step ends before some `of`: which one, the procedure behind it tells.
                let words: Vec<&str> = self.slots.iter().skip(at).map_while(|s| s.word()).collect();
                let ends = (1..words.len()).filter(|end| words[*end] == "of");
                ends.map(|end| (at + end, Caught::Label(Arc::from(words[..end].join(" "))))).collect()
            }

            Own::Literal => match self.kind(at) {
                Some(SlotKind::Number(n)) => {
                    vec![(at + 1, Caught::Tree(self.tree(Op::Int(*n), Sort::Number, vec![], at, at + 1)))]
                }
                _ => Vec::new(),
            },
            Own::Amount => self.amount(at).map(|n| (at + 1, Caught::Amount(n))).into_iter().collect(),
            Own::Quoted => match self.kind(at) {
                Some(SlotKind::Quoted(name)) => {
                    let op = Op::Name(Arc::from(name.as_str()));
                    let sort = match self.lex.class_called(name) {
                        Some(class) => Sort::Thing(class),
                        None => Sort::AnyThing,
                    };
                    vec![(at + 1, Caught::Tree(self.tree(op, sort, vec![], at, at + 1)))]
                }
                _ => Vec::new(),
            },
            Own::NumberedCard => match self.kind(at) {
                Some(SlotKind::Capital(id)) if is_id(id) => match self.lex.class_of_card(id) {
                    Some(class) => {
                        let op = Op::Card(Arc::from(id.as_str()));
                        vec![(at + 1, Caught::Tree(self.tree(op, Sort::Thing(class), vec![], at, at + 1)))]
                    }
                    // total: it is no card's, so no card is read here
                    None => Vec::new(),
                },
                _ => Vec::new(),
            },
            Own::KnownLabel => self.collected(|found| self.labels(at, found)),
            Own::Called => self.collected(|found| self.named(at, found)),
            Own::FactOf => {
                let from = if row.parts.len() > 1 { at.saturating_sub(1) } else { at };
                self.collected(|found| self.attribute_of(from, at, found))
            }
            Own::Belongings => {
                let owner =
                    before().unwrap_or_else(|| self.tree(Op::It, Sort::AnyThing, vec![], at.saturating_sub(1), at));
                self.collected(|found| self.owned(owner.from, at, &owner, found))
            }
            Own::YourOwn => self.collected(|found| {
                if let Some(you) = self.you(at.saturating_sub(1), at) {
                    self.owned(at.saturating_sub(1), at, &you, found);
                }
            }),
            Own::OwnPlural => self.collected(|found| {
                let Some(you) = self.you(at.saturating_sub(1), at) else { return };
                for (end, noun) in self.cell(Category::Noun, at).iter().filter(|(_, n)| n.plural) {
                    found.extend(self.belonging(noun, &you).into_iter().map(|noun| (*end, noun)));
                }
            }),
            Own::TraitBefore => trees(self.single_pre(at, true)),
            Own::AloneBefore => trees(self.single_pre(at, false)),

            Own::Adjective => self.collected(|found| self.adjectives(at, found)),
            Own::AdjectiveAfter => after(before(), |of| {
                self.collected(|found| {
                    for hit in self.hits_of(at, TermKind::Adjective).iter().filter(|h| stands_after(&h.term)) {
                        let tree = self.adjective(at, hit);
                        if self.applies(&tree, &of.sort) {
                            found.push((hit.end, tree));
                        }
                    }
                })
            }),
            Own::Relation => {
                let sort = sort_before();
                self.collected(|found| self.relations(at, &sort, false, found))
            }
            // `on` and `at` say what it is played on.
            Own::RelationOfThis if matches!(self.kind(at), Some(SlotKind::Word(w)) if w == "on" || w == "at") => {
                Vec::new()
            }
            Own::RelationOfThis => {
                let sort = self.this_sort();
                self.collected(|found| self.relations(at, &sort, false, found))
            }
            Own::FiniteRelation => {
                after(before(), |subject| self.collected(|found| self.relations(at, &subject.sort, true, found)))
            }
            Own::Participle => {
                let sort = sort_before();
                self.collected(|found| self.done(at, &sort, found))
            }
            Own::FactWith => {
                let sort = sort_before();
                // What is refused begins with the word before it.
                let with = matches!(self.kind(at.wrapping_sub(1)), Some(SlotKind::Word(w)) if w == "with");
                let from = if with { at - 1 } else { at };
                self.collected(|found| self.with(from, at, &sort, found))
            }

            Own::PlainAct => self.acts(at, &[Use::Base], None, false),
            Own::FiniteAct => self.acts(at, &[Use::Third, Use::Base], last().as_ref(), false),
            Own::DoneAct => self.acts(at, &[Use::Past], last().as_ref(), true),
            Own::PlainEvent => self.acts(at, &[Use::Base], None, true),
            Own::FiniteEvent => self.acts(at, &[Use::Third, Use::Base], last().as_ref(), true),
            Own::BareEvent => self.acts(at, &[Use::Base], last().as_ref(), true),
            Own::SufferedAct => after(last(), |object| {
                let hits = self.verbs(at, &[Use::Past]);
                let acts = hits.into_iter().flat_map(|hit| {
                    let found = self.passive(&hit, &object);
                    found.into_iter().map(move |(to, kids, price)| {
                        let verb = (at, hit.end);
                        (to, Caught::Act(hit.clone(), verb, kids, price))
                    })
                });
                acts.collect()
            }),
            Own::DoneEvent => after(last(), |object| self.suffered(at, &object)),
            Own::DeedOfThis => {
                let this = self.tree(Op::This, self.this_sort(), vec![], 0, 0);
                let found = self.pruned(self.going_on(Category::Deed, at, &this), at);
                trees(found)
            }
            Own::PrintedFigure => self.printed_figures(at),
        }
    }

    fn collected(&self, read: impl FnOnce(&mut Found)) -> Held {
        let mut found = Found::new();
        read(&mut found);
        trees(found)
    }

    /// The readings of a category that are as wanted.
    fn of_cell(&self, category: Category, at: usize, wanted: impl Fn(&T) -> bool) -> Found {
        self.cell(category, at).iter().filter(|(_, t)| wanted(t)).cloned().collect()
    }

    /// Numbers among single noun phrases; a fact that is none is refused.
    fn figures(&self, at: usize) -> Found {
        let mut found = Found::new();
        for (end, np) in self.cell(Category::One, at).iter() {
            if np.sort == Sort::Number {
                found.push((*end, np.clone()));
            } else if matches!(np.op, Op::Of(_)) {
                self.refuse_number(np, at, *end);
            }
        }
        found
    }

    /// Noun phrases of the list that a fact takes its value from; others are refused.
    fn entries_like(&self, subject: &T, at: usize) -> Found {
        let mut found = Found::new();
        for (end, np) in self.cell(Category::Np, at).iter() {
            if np.sort == subject.sort {
                found.push((*end, np.clone()));
                continue;
            }
            self.refuse(|| Clash {
                code: Code::WrongEntry,
                from: np.from,
                to: np.to,
                end: *end,
                message: format!(
                    "`{}` is {}, and this is {}",
                    self.source(subject.from, subject.to),
                    sort_text(&subject.sort),
                    sort_text(&np.sort)
                ),
                help: Some(format!("compare it with {}", sort_text(&subject.sort))),
            });
        }
        found
    }

    /// The arguments of a procedure, one for each parameter.
    fn all_arguments(&self, at: usize, procedure: Option<&Hit>) -> Held {
        let params = procedure.and_then(|hit| match &hit.term.detail {
            Detail::Procedure { params } => Some(params),
            _ => None,
        });
        after(params, |params| {
            let found = self.arguments_for(at, params);
            if let Some(procedure) = procedure {
                self.refuse_arguments(at, procedure, params, &found);
            }
            found
        })
    }

    /// Notes that a procedure is performed for other things than stand here, or for more or fewer.
    fn refuse_arguments(&self, at: usize, procedure: &Hit, params: &[Param], found: &Held) {
        let wanted: Vec<String> = params.iter().map(|param| self.param_text(param)).collect();
        let message = format!("`{}` is performed for {}", shown(&procedure.term), wanted.join(", and for "));
        let clash = |code, from, to, message| Clash { code, from, to, end: to, message, help: None };
        for (end, _) in found {
            if self.sign(*end, ",") {
                self.refuse(|| clash(Code::UnexpectedWord, *end, *end + 1, message.clone()));
            }
        }
        if !found.is_empty() {
            return;
        }
        let mut at = at;
        for param in params {
            if let Some((end, _)) = self.arguments(at, param).last() {
                if !self.sign(*end, ",") {
                    let missing = format!("{message}: more is missing here");
                    self.refuse(|| clash(Code::UnfinishedPhrase, end.saturating_sub(1), *end, missing));
                }
                at = *end + 1;
                continue;
            }
            for (end, other) in self.cell(Category::Np, at).iter() {
                let found = sort_text(&other.sort);
                self.refuse(|| clash(Code::WrongTarget, at, *end, format!("{message}; this is {found}")));
            }
            return;
        }
    }

    /// Notes that something stands where a place is meant.
    fn refuse_place(&self, at: usize) {
        for (end, other) in self.cell(Category::One, at).iter() {
            self.refuse(|| Clash {
                code: Code::WrongTarget,
                from: at,
                to: *end,
                end: *end,
                message: format!("a place is meant here, and this is {}", sort_text(&other.sort)),
                help: None,
            });
        }
    }

    fn arguments_for(&self, at: usize, params: &[Param]) -> Held {
        let mut found = Held::new();
        let mut open: Vec<(usize, Vec<(&'static str, Piece)>)> = vec![(at, Vec::new())];
        while let Some((pos, list)) = open.pop() {
            let Some(param) = params.get(list.len()) else { continue };
            for (end, value) in self.arguments(pos, param) {
                let mut list = list.clone();
                list.push((",", Piece { from: pos, to: end, what: Caught::Tree(value) }));
                if list.len() == params.len() {
                    found.push((end, Caught::List(list)));
                } else if self.sign(end, ",") {
                    open.push((end + 1, list));
                }
            }
        }
        found
    }

    fn arguments(&self, at: usize, param: &Param) -> Found {
        if self.param_sort(param) == Sort::Number {
            return self.cell(Category::Number, at).to_vec();
        }
        self.of_cell(Category::Np, at, |t| self.fits_param(&t.sort, param))
    }

    /// Active verbs in one of the uses, with their roles.
    fn acts(&self, at: usize, uses: &[Use], subject: Option<&T>, free: bool) -> Held {
        let mut found = Held::new();
        for hit in self.verbs(at, uses) {
            for (to, kids, price) in self.active(&hit, subject, free) {
                found.push((to, Caught::Act(hit.clone(), (at, hit.end), kids, price)));
            }
        }
        found
    }

    /// Participles said of their object, which may be labelled behind the verb.
    fn suffered(&self, at: usize, object: &T) -> Held {
        let mut found = Held::new();
        for hit in self.verbs(at, &[Use::Past]) {
            let verb = (at, hit.end);
            // `is done as L`: the label is that of the thing it is done to.
            if !matches!(object.op, Op::As(_))
                && self.word(hit.end, "as")
                && let Some(label) = self.label(hit.end + 1)
            {
                self.bind(&label, &object.sort, hit.end + 1);
                let named = self.tree(Op::As(label), object.sort.clone(), vec![object.clone()], object.from, object.to);
                let later = Hit { end: hit.end + 2, ..hit.clone() };
                for (to, kids, price) in self.passive(&later, &named) {
                    found.push((to, Caught::Act(hit.clone(), verb, kids, price)));
                }
            }
            for (to, kids, price) in self.passive(&hit, object) {
                found.push((to, Caught::Act(hit.clone(), verb, kids, price)));
            }
        }
        found
    }
}
