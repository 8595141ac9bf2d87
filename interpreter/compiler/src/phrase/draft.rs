//! Clause forms over the chart: what a sentence says, still as shared trees, before the preferred draft is chosen.

use netrep_diagnostics::Code;

use std::sync::Arc;

use super::chart::{Chart, Clash, Found, T, better};
use super::clause::{FigureValue, Polarity};
use super::forms::{Builder, Category, Caught, ClauseRule, Match};
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, TypeName};
use super::tree::{Lasting, Op, Sort, TermKey, TermKind};

/// The form of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Figure(TermKey, Vec<FigureValue>),
    Play,
    Condition,
    Cost,
    Effect,
    Leaves,
    Otherwise,
    Always,
    Ends(Option<Arc<str>>),
    When { immediately: bool },
    Instead,
    Modifier,
    May,
    Norm(Polarity),
    Statement,
    Carried,
    Lasts(Lasting),
    LastsUntil,
    LastsWhile,
    In(Vec<TermKey>),
    Limit(i64, TermKey),
    ActionNeeds(TermKey),
    ActionLeaves(TermKey),
    WhenNeeds,
    Spares,
    Canceled,
    Lent,
}

/// A reading of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    pub shape: Shape,
    pub end: usize,
    /// Who may, whose clauses.
    pub by: Option<T>,
    /// Targets, then choices.
    pub targets: Vec<T>,
    pub choices: Vec<T>,
    pub conditions: Vec<T>,
    pub during: Vec<TermKey>,
    pub limit: Option<(i64, TermKey)>,
    /// The event, cost or sole phrase.
    pub first: Option<T>,
    /// The body or effect.
    pub body: Option<T>,
}

impl Draft {
    pub(super) fn new(shape: Shape, end: usize) -> Self {
        Draft {
            shape,
            end,
            by: None,
            targets: Vec::new(),
            choices: Vec::new(),
            conditions: Vec::new(),
            during: Vec::new(),
            limit: None,
            first: None,
            body: None,
        }
    }

    /// All its trees, in order.
    pub(super) fn trees(&self) -> impl Iterator<Item = &T> {
        self.by
            .iter()
            .chain(&self.targets)
            .chain(&self.choices)
            .chain(&self.first)
            .chain(&self.conditions)
            .chain(&self.body)
    }
}

/// What kinds of sentences may stand here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// Statements are sentences of their own (steps, procedures).
    pub steps: bool,
    /// The sentence is the head of a block.
    pub block: bool,
}

impl Chart<'_> {
    /// All drafts of the sentence, whole or not.
    pub(super) fn drafts(&self, place: Place) -> Vec<Draft> {
        let mut found = Vec::new();
        self.announce();
        for one in self.matches(Category::Clause, 0, None) {
            if let Builder::Clause(rule) = one.row.builder {
                self.clause(rule, &one, place, &mut found);
            }
        }
        self.expect(0, "a clause");
        found
    }

    /// Adds what a rule makes of a clause that was found. Every rule that a row of clauses names stands here.
    fn clause(&self, rule: ClauseRule, found: &Match, place: Place, out: &mut Vec<Draft>) {
        let tree = |hole: &str| found.tree(hole).cloned();
        let draft = |shape| Draft::new(shape, found.to);
        // A sentence of one condition, or of statements.
        let sole = |shape| Draft { first: self.children(found).into_iter().next(), ..draft(shape) };
        let act = |shape| Draft { body: tree("s"), ..draft(shape) };
        let guarded = |shape| Draft { first: tree("e"), conditions: tree("c").into_iter().collect(), ..draft(shape) };
        match rule {
            ClauseRule::Play => self.options(draft(Shape::Play), true, 0, out),
            ClauseRule::May => self.may(found.to, found.tree("who"), place, out),
            ClauseRule::Condition => out.push(sole(Shape::Condition)),
            ClauseRule::Always => out.push(sole(Shape::Always)),
            ClauseRule::Leaves => out.push(sole(Shape::Leaves)),
            ClauseRule::Cost => out.push(act(Shape::Cost)),
            ClauseRule::Effect => out.push(act(Shape::Effect)),
            ClauseRule::Otherwise => out.push(act(Shape::Otherwise)),
            ClauseRule::When => {
                out.push(Draft { body: tree("s"), ..guarded(Shape::When { immediately: found.has("now") }) });
            }
            ClauseRule::Instead => out.push(Draft { body: tree("s"), ..guarded(Shape::Instead) }),
            ClauseRule::Requirement => out.push(guarded(Shape::WhenNeeds)),
            ClauseRule::Whilst => {
                let Some(body) = tree("s") else { return };
                if is_modifier(&body) {
                    out.push(Draft { first: None, body: Some(body), ..guarded(Shape::Modifier) });
                } else {
                    self.refuse(|| Clash {
                        code: Code::UnexpectedWord,
                        from: body.from,
                        to: body.to,
                        end: found.to,
                        message: "this is done once, and `while` says what is so as long as its condition is"
                            .to_owned(),
                        help: Some("begin it with what it answers: `when EVENT: STATEMENTS.`".to_owned()),
                    });
                }
            }
            ClauseRule::Ends => out.push(sole(Shape::Ends(found.label("step").cloned()))),
            ClauseRule::Action => {
                let Some(verb) = found.term("v").map(|hit| hit.term.key.clone()) else { return };
                out.push(sole(match found.says("asks") {
                    true => Shape::ActionNeeds(verb),
                    false => Shape::ActionLeaves(verb),
                }));
            }
            ClauseRule::Spares => {
                let Some(by) = self.with_label(found, 2) else { return };
                out.push(Draft { by: Some(by), first: tree("what"), ..draft(Shape::Spares) });
            }
            ClauseRule::Canceled => {
                let conditions = tree("c").into_iter().collect();
                out.push(Draft { by: tree("who"), conditions, ..draft(Shape::Canceled) });
            }
            ClauseRule::Abilities => {
                let conditions = tree("c").into_iter().collect();
                out.push(Draft { by: tree("who"), first: tree("of"), conditions, ..draft(Shape::Lent) });
            }
            ClauseRule::Carried => {
                // The label is that of the things to which something is given, and no other stands there.
                let plain = tree("who").is_some_and(|who| !names_any(&who));
                if let (true, true, Some(who)) = (place.block, plain, self.with_label(found, 0)) {
                    out.push(Draft { by: Some(who), ..draft(Shape::Carried) });
                }
            }
            ClauseRule::Places => {
                let zones = found.list("ps").iter().filter_map(|(_, piece)| match &piece.what {
                    Caught::Term(hit) => Some(hit.term.key.clone()),
                    _ => None,
                });
                let zones: Vec<TermKey> = zones.collect();
                if place.block && !zones.is_empty() {
                    out.push(draft(Shape::In(zones)));
                }
            }
            ClauseRule::Lasts => {
                let shape = match (found.lasting("long"), tree("e")) {
                    (Some(lasting), _) => draft(Shape::Lasts(lasting)),
                    (None, Some(event)) => Draft { first: Some(event), ..draft(Shape::LastsUntil) },
                    (None, None) => Draft { first: tree("c"), ..draft(Shape::LastsWhile) },
                };
                if place.block {
                    out.push(shape);
                }
            }
            ClauseRule::Figure => {
                if let Some(Caught::Figure(key, values)) = found.piece("f").map(|p| &p.what) {
                    out.push(draft(Shape::Figure(key.clone(), values.clone())));
                }
            }
            ClauseRule::Limit => {
                let limit = found.tree("l").and_then(times);
                out.extend(limit.map(|(times, procedure)| draft(Shape::Limit(times, procedure))));
            }
            ClauseRule::Cannot => out.push(guarded(Shape::Norm(Polarity::Cannot))),
            ClauseRule::Effectless => {
                out.push(Draft { by: tree("who"), ..guarded(Shape::Norm(Polarity::Cannot)) });
            }
            ClauseRule::Must => out.push(guarded(Shape::Norm(Polarity::Must))),
            ClauseRule::Neednot => out.push(guarded(Shape::Norm(Polarity::NeedNot))),
            ClauseRule::Permit => out.push(guarded(Shape::Norm(Polarity::Permit))),
            ClauseRule::Statement => {
                let Some(body) = tree("s") else { return };
                // What stands for good is a clause; so is what ends in a condition with a time of its own.
                let guarded = body.kids.len() > 1 && !place.steps;
                if matches!(body.op, Op::Norm(_, None)) || guarded && matches!(body.op, Op::Norm(..)) {
                    return;
                }
                if is_modifier(&body) && !place.steps {
                    let mut modifier = draft(Shape::Modifier);
                    self.modified(&mut modifier, &body);
                    out.push(modifier);
                } else {
                    out.push(act(Shape::Statement));
                }
            }
            // Parts of `play` and `may`: see [`Chart::options`].
            ClauseRule::Target
            | ClauseRule::Related
            | ClauseRule::Choosing
            | ClauseRule::Guarded
            | ClauseRule::During
            | ClauseRule::Limited
            | ClauseRule::Does => {}
        }
    }

    /// The things of a clause with the label that it gives them.
    fn with_label(&self, found: &Match, from: usize) -> Option<T> {
        let things = found.tree("who").cloned()?;
        Some(match (found.piece("l"), found.label("l")) {
            (Some(piece), Some(label)) => {
                self.tree(Op::As(label.clone()), things.sort.clone(), vec![things], from, piece.to)
            }
            _ => things,
        })
    }

    /// Binds what is chosen before the rest is read: `may paint C choosing a wall as C`.
    fn announce(&self) {
        for at in 0..self.slots.len() {
            if !matches!(self.kind(at), Some(SlotKind::Word(w)) if w == "choosing") {
                continue;
            }
            for (end, np) in self.cell(Category::Np, at + 1).iter() {
                if matches!(self.kind(*end), Some(SlotKind::Word(w)) if w == "as")
                    && let Some(label) = self.label(end + 1)
                {
                    self.bind(&label, &np.sort, at + 1);
                }
            }
        }
    }

    /// The whole drafts that the preferences leave.
    pub(super) fn preferred(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut best: Vec<Draft> = Vec::new();
        let whole: Vec<Draft> = drafts.into_iter().filter(|d| d.end == self.slots.len()).collect();
        for draft in whole {
            // A label must have the sort it was bound with in the same reading.
            if let Some((used, bound)) = disagreement(&draft) {
                self.refuse(|| Clash {
                    code: Code::WrongSort,
                    from: used.from,
                    to: used.to,
                    end: self.slots.len(),
                    message: format!(
                        "`{}` is {} here, but it was bound to {}",
                        self.source(used.from, used.to),
                        sort_text(&used.sort),
                        sort_text(&bound)
                    ),
                    help: Some("`as` names the nearest noun: put what it shall name in parentheses".to_owned()),
                });
                continue;
            }
            if best.contains(&draft) {
                continue;
            }
            if self.prefer {
                let score = self.score(&draft);
                if best.iter().any(|b| better(&self.score(b), &score)) {
                    continue;
                }
                best.retain(|b| !better(&score, &self.score(b)));
            }
            best.push(draft);
        }
        best
    }

    fn score(&self, draft: &Draft) -> super::chart::Tree {
        self.raw(Op::Sequence, Sort::Part, draft.trees().cloned().collect(), 0, draft.end)
    }

    /// Statements, bare or in braces.
    pub(super) fn body(&self, at: usize) -> Found {
        let mut found = self.block(at);
        found.extend(self.cell(Category::Sequence, at).iter().cloned());
        found
    }

    /// A modifier, with the condition of its `while` set apart.
    fn modified(&self, draft: &mut Draft, tree: &T) {
        match (&tree.op, tree.kids.as_slice()) {
            (Op::While, [modifier, condition]) => {
                draft.conditions.push(condition.clone());
                draft.body = Some(modifier.clone());
            }
            _ => draft.body = Some(tree.clone()),
        }
    }

    /// `ATTR VALUE, VALUE.` and `ATTR.`
    pub(super) fn printed_figures(&self, at: usize) -> Vec<(usize, Caught)> {
        let mut found = Vec::new();
        for hit in self.hits_of(at, TermKind::Attribute) {
            let Detail::Attribute { value, .. } = &hit.term.detail else { continue };
            let key = hit.term.key.clone();
            if *value == TypeName::YesNo {
                found.push((hit.end, Caught::Figure(key, vec![FigureValue::Yes])));
                continue;
            }
            let mut open = vec![(hit.end, Vec::new())];
            while let Some((pos, values)) = open.pop() {
                for (end, v) in self.figure_value(pos, value, &hit.term.key) {
                    let mut values = values.clone();
                    values.push(v);
                    found.push((end, Caught::Figure(key.clone(), values.clone())));
                    if self.sign(end, ",") {
                        open.push((end + 1, values));
                    }
                }
            }
        }
        found
    }

    fn figure_value(&self, at: usize, value: &TypeName, key: &TermKey) -> Vec<(usize, FigureValue)> {
        let mut found = Vec::new();
        match (value, self.kind(at)) {
            (TypeName::Number, Some(SlotKind::Number(n))) => found.push((at + 1, FigureValue::Number(*n))),
            (TypeName::Number, Some(SlotKind::Sign(sign @ ("-" | "+")))) => {
                if let Some(n) = self.amount(at + 1) {
                    found.push((at + 2, FigureValue::Number(if *sign == "-" { n.saturating_neg() } else { n })));
                }
            }
            (TypeName::Number, _) => {
                for (end, found) in self.cell(Category::One, at).iter() {
                    self.refuse(|| Clash {
                        code: Code::WrongSort,
                        from: at,
                        to: *end,
                        end: *end,
                        message: format!("`{}` is a number, but this is {}", key.name, sort_text(&found.sort)),
                        help: Some(format!("write `{} 1` with its number", key.name)),
                    });
                }
                self.expect(at, "a number");
            }
            (TypeName::Named(_) | TypeName::NameOf(_) | TypeName::Thing, Some(SlotKind::Quoted(name))) => {
                let (wanted, class) = (self.type_sort(value), self.lex.class_called(name).map(Sort::Thing));
                if let Some(class) = class.filter(|class| !self.fits(class, &wanted)) {
                    self.refuse(|| Clash {
                        code: Code::WrongSort,
                        from: at,
                        to: at + 1,
                        end: at + 1,
                        message: format!("`{}` is {}, but this is {}", key.name, sort_text(&wanted), sort_text(&class)),
                        help: Some(format!("name {}", sort_text(&wanted))),
                    });
                    return found;
                }
                found.push((at + 1, FigureValue::Name(Arc::from(name.as_str()))));
            }
            (TypeName::Named(name) | TypeName::NumberFor(name), _) => {
                let wanted = Sort::Entry(name.clone());
                for hit in self.hits_of(at, TermKind::Entry) {
                    let Detail::Entry { list } = &hit.term.detail else { continue };
                    // Of a list that is not declared it is told where the figure is.
                    if list != name && self.named_sort(name).is_some() {
                        self.refuse(|| Clash {
                            code: Code::WrongEntry,
                            from: at,
                            to: hit.end,
                            end: hit.end,
                            message: format!(
                                "`{}` wants {}, but this is {}",
                                key.name,
                                sort_text(&wanted),
                                sort_text(&Sort::Entry(list.clone()))
                            ),
                            help: None,
                        });
                        continue;
                    }
                    let entry = hit.term.key.clone();
                    match (value, self.kind(hit.end)) {
                        (TypeName::NumberFor(_), Some(SlotKind::Number(n))) => {
                            found.push((hit.end + 1, FigureValue::EntryNumber(entry, *n)));
                        }
                        (TypeName::NumberFor(_), _) => found.push((hit.end, FigureValue::EntryNumber(entry, 1))),
                        _ => found.push((hit.end, FigureValue::Entry(entry))),
                    }
                }
                self.expect(
                    at,
                    if self.named_sort(name) == Some(wanted) { "a catalogue term" } else { "a name in quotes" },
                );
            }
            _ => {}
        }
        found
    }
}

/// How often, and in what.
pub(super) fn times(limit: &T) -> Option<(i64, TermKey)> {
    match (&limit.op, limit.kids.first().map(|n| &n.op)) {
        (Op::During(key), Some(Op::Int(n))) => Some((*n, key.clone())),
        _ => None,
    }
}

/// True if a label is given anywhere in a phrase.
fn names_any(tree: &T) -> bool {
    matches!(tree.op, Op::As(_)) || tree.kids.iter().any(names_any)
}

/// True if the statement is nothing but modifiers without a duration's own beginning.
pub(super) fn is_modifier(tree: &T) -> bool {
    match &tree.op {
        Op::Gets(..)
        | Op::Gains(..)
        | Op::Loses(..)
        | Op::Becomes(..)
        | Op::Turns(..)
        | Op::Acquires(_)
        | Op::Sheds(_) => true,
        Op::Sequence | Op::While => tree.kids.iter().all(|k| is_modifier(k) || k.sort == Sort::Condition),
        _ => false,
    }
}

/// A label that the draft uses with another sort than that of its binding, and the sort of its binding.
fn disagreement(draft: &Draft) -> Option<(T, Sort)> {
    let mut bound = Vec::new();
    draft.trees().for_each(|t| bindings(t, &mut bound));
    draft.trees().find_map(|t| disagreeing(t, &bound))
}

/// A label, the sort it is bound with, and the place from which it is.
type Binding = (Arc<str>, Sort, usize);

fn disagreeing(tree: &T, bound: &[Binding]) -> Option<(T, Sort)> {
    if let Op::Label(label) = &tree.op {
        let mine = || bound.iter().filter(|(l, _, _)| l == label);
        let before = mine().filter(|(_, _, at)| *at <= tree.from).max_by_key(|(_, _, at)| *at);
        if let Some((_, sort, _)) = before.or_else(|| mine().next())
            && *sort != tree.sort
        {
            return Some((tree.clone(), sort.clone()));
        }
    }
    tree.kids.iter().find_map(|k| disagreeing(k, bound))
}

/// The labels that a phrase binds.
fn bindings(tree: &T, bound: &mut Vec<Binding>) {
    let kid = |i: usize| tree.kids.get(i).map(|k| (k.sort.clone(), k.to));
    let found = match &tree.op {
        Op::As(label) | Op::ForEach(label) => kid(0).map(|(s, at)| (label.clone(), s, at)),
        Op::LetLabel(label) => kid(0).map(|(s, at)| (label.clone(), s, at)),
        Op::LowestGroup(label) => kid(0).map(|(s, at)| (label.clone(), s, at)),
        Op::Choose(label) | Op::MayChoose(label) => kid(1).map(|(s, at)| (label.clone(), s, at)),
        Op::Roll(label, _) => Some((label.clone(), Sort::Number, tree.from)),
        _ => None,
    };
    bound.extend(found);
    tree.kids.iter().for_each(|k| bindings(k, bound));
}
