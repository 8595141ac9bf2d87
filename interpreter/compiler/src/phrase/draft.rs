//! Clause forms over the chart: what a sentence says, still as shared trees, before the preferred draft is chosen.

use std::sync::Arc;

use netrep_diagnostics::Code;

use super::chart::{Cat, Chart, Clash, Found, T, better};
use super::clause::{FigureValue, Polarity};
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, TypeName};
use super::tree::{Op, Sort, TermKey, TermKind};

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
    Limit,
    ActionNeeds(TermKey),
    ActionLeaves(TermKey),
    WhenNeeds,
    Spares,
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
    pub fn trees(&self) -> impl Iterator<Item = &T> {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Statements are sentences of their own (steps, procedures).
    pub steps: bool,
    /// The sentence is the head of a block.
    pub block: bool,
}

impl Chart<'_> {
    /// All drafts of the sentence, whole or not.
    pub fn drafts(&self, place: Place) -> Vec<Draft> {
        let mut found = Vec::new();
        self.announce();
        if let Some(SlotKind::Word(word)) = self.kind(0) {
            match word.as_str() {
                "play" => self.play(&mut found),
                "if" | "needs" | "unless" => self.sole(Shape::Condition, Cat::Cond, &mut found),
                "always" => self.sole(Shape::Always, Cat::Cond, &mut found),
                "leaves" => self.sole(Shape::Leaves, Cat::Cond, &mut found),
                "cost" => self.act(Shape::Cost, &mut found),
                "effect" | "does" => self.act(Shape::Effect, &mut found),
                "otherwise" => self.act(Shape::Otherwise, &mut found),
                "when" => self.when(&mut found),
                "at" => self.turning(&mut found),
                "while" => self.whilst(&mut found),
                "ends" => self.ends(&mut found),
                "may" => self.may(0, None, place, &mut found),
                "action" => self.action_needs(&mut found),
                "effects" => self.spares(&mut found),
                _ => {}
            }
        }
        self.figure(&mut found);
        self.limited(&mut found);
        self.with_subject(place, &mut found);
        for (end, s) in self.cell(Cat::Seq, 0).iter() {
            if matches!(s.op, Op::Norm(_, None)) {
                continue;
            }
            let modifiers = is_modifier(s) && !place.steps;
            for shape in if modifiers { [Shape::Modifier] } else { [Shape::Statement] } {
                let mut draft = Draft::new(shape, *end);
                if modifiers {
                    self.modified(&mut draft, s);
                } else {
                    draft.body = Some(s.clone());
                }
                found.push(draft);
            }
        }
        self.expect(0, "a clause");
        found
    }

    /// Binds what is chosen before the rest is read: `may paint C choosing a wall as C`.
    fn announce(&self) {
        for at in 0..self.slots.len() {
            if !matches!(self.kind(at), Some(SlotKind::Word(w)) if w == "choosing") {
                continue;
            }
            for (end, np) in self.cell(Cat::Np, at + 1).iter() {
                if matches!(self.kind(*end), Some(SlotKind::Word(w)) if w == "as")
                    && let Some(label) = self.label(end + 1)
                {
                    self.bind(&label, &np.sort, at + 1);
                }
            }
        }
    }

    /// The whole drafts that the preferences leave.
    pub fn preferred(&self, drafts: Vec<Draft>) -> Vec<Draft> {
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

    // ---- sentences of one phrase

    fn sole(&self, shape: Shape, cat: Cat, found: &mut Vec<Draft>) {
        let negated = self.word(0, "unless");
        for (end, c) in self.cell(cat, 1).iter() {
            let mut draft = Draft::new(shape.clone(), *end);
            let c = if negated { self.tree(Op::Not, Sort::Condition, vec![c.clone()], 0, *end) } else { c.clone() };
            draft.first = Some(c);
            found.push(draft);
        }
    }

    fn act(&self, shape: Shape, found: &mut Vec<Draft>) {
        for (end, s) in self.body(1) {
            let mut draft = Draft::new(shape.clone(), end);
            draft.body = Some(s);
            found.push(draft);
        }
    }

    /// Statements, bare or in braces.
    pub(super) fn body(&self, at: usize) -> Found {
        let mut found = self.block(at);
        found.extend(self.cell(Cat::Seq, at).iter().cloned());
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

    fn ends(&self, found: &mut Vec<Draft>) {
        if !self.word(1, "if") {
            return;
        }
        for (end, c) in self.cell(Cat::Cond, 2).iter() {
            let mut draft = Draft::new(Shape::Ends(None), *end);
            draft.first = Some(c.clone());
            if self.word(*end, "then") {
                let words: Vec<&str> = self.slots.iter().skip(end + 1).map_while(|s| s.word()).collect();
                if !words.is_empty() {
                    let mut then = draft.clone();
                    then.end = end + 1 + words.len();
                    then.shape = Shape::Ends(Some(Arc::from(words.join(" "))));
                    found.push(then);
                }
            }
            found.push(draft);
        }
    }

    /// `ATTR VALUE, VALUE.` and `ATTR.`
    fn figure(&self, found: &mut Vec<Draft>) {
        for hit in self.hits_of(0, TermKind::Attribute) {
            let Detail::Attribute { value, .. } = &hit.term.detail else { continue };
            let key = hit.term.key.clone();
            if *value == TypeName::YesNo {
                found.push(Draft::new(Shape::Figure(key, vec![FigureValue::Yes]), hit.end));
                continue;
            }
            if hit.term.second().is_some() {
                self.rows(hit.end, value, &key, Vec::new(), found);
                continue;
            }
            let mut open = vec![(hit.end, Vec::new())];
            while let Some((pos, values)) = open.pop() {
                for (end, v) in self.figure_value(pos, value, &hit.term.key) {
                    let mut values = values.clone();
                    values.push(v);
                    found.push(Draft::new(Shape::Figure(key.clone(), values.clone()), end));
                    if self.sign(end, ",") {
                        open.push((end + 1, values));
                    }
                }
            }
        }
    }

    /// `ATTR "NAME" Term Term, "NAME" Term`: a row of terms for each name. A name begins the row of what follows it.
    fn rows(&self, at: usize, value: &TypeName, key: &TermKey, before: Vec<FigureValue>, found: &mut Vec<Draft>) {
        let Some(SlotKind::Quoted(name)) = self.kind(at) else {
            self.expect(at, "a name in quotes");
            return;
        };
        let mut open = vec![(at + 1, before)];
        if let Some((_, values)) = open.last_mut() {
            values.push(FigureValue::Name(Arc::from(name.as_str())));
        }
        while let Some((pos, values)) = open.pop() {
            for (end, v) in self.figure_value(pos, value, key) {
                let mut values = values.clone();
                values.push(v);
                found.push(Draft::new(Shape::Figure(key.clone(), values.clone()), end));
                if self.sign(end, ",") {
                    self.rows(end + 1, value, key, values.clone(), found);
                }
                open.push((end, values));
            }
        }
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
                for (end, found) in self.cell(Cat::Np1, at).iter() {
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
            (TypeName::Named(_) | TypeName::Thing, Some(SlotKind::Quoted(name))) => {
                found.push((at + 1, FigureValue::Name(Arc::from(name.as_str()))));
            }
            (TypeName::Named(name) | TypeName::NumberFor(name), _) => {
                let wanted = Sort::Entry(name.clone());
                for hit in self.hits_of(at, TermKind::Entry) {
                    let Detail::Entry { list } = &hit.term.detail else { continue };
                    if list != name {
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

    fn limited(&self, found: &mut Vec<Draft>) {
        if let Some((end, limit)) = self.limit(0) {
            let mut draft = Draft::new(Shape::Limit, end);
            draft.limit = Some(limit);
            found.push(draft);
        }
    }

    /// `N times per PROCEDURE`, `once per PROCEDURE`.
    pub(super) fn limit(&self, at: usize) -> Option<(usize, (i64, TermKey))> {
        let (next, times) = if self.word(at, "once") {
            (at + 1, 1)
        } else {
            let n = self.amount(at)?;
            (self.words(at + 1, &["times"]).or_else(|| self.words(at + 1, &["time"]))?, n)
        };
        let next = self.words(next, &["per"])?;
        let hit = self.procedure(next).into_iter().max_by_key(|h| h.end)?;
        Some((hit.end, (times, hit.term.key.clone())))
    }
}

/// True if the statement is nothing but modifiers without a duration's own beginning.
pub(super) fn is_modifier(tree: &T) -> bool {
    match &tree.op {
        Op::Gets(..)
        | Op::Gains(..)
        | Op::Loses(..)
        | Op::Becomes(..)
        | Op::CountsAs(_)
        | Op::Acquires(_)
        | Op::TakesOver(..)
        | Op::Scaled(_) => true,
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
        Op::Roll(label) => Some((label.clone(), Sort::Number, tree.from)),
        Op::Create(class, label, _) => Some((label.clone(), Sort::Thing(class.name.clone()), tree.from)),
        _ => None,
    };
    bound.extend(found);
    tree.kids.iter().for_each(|k| bindings(k, bound));
}
