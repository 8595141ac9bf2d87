//! Clause forms over the chart: what a sentence says, still as shared trees, before the preferred draft is chosen.

use std::sync::Arc;

use super::chart::{Cat, Chart, Clash, Found, T, better};
use super::clause::{FigureValue, Polarity};
use super::slot::SlotKind;
use super::sorts::sort_text;
use super::term::{Detail, TypeName, Use};
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
    fn new(shape: Shape, end: usize) -> Self {
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
                    && let Some(label) = self.label(end + 1) {
                        self.bind(&label, &np.sort, at + 1);
                    }
            }
        }
    }

    /// The whole drafts that the preferences leave.
    pub fn preferred(&self, drafts: Vec<Draft>) -> Vec<Draft> {
        let mut best: Vec<Draft> = Vec::new();
        let whole: Vec<Draft> = drafts.into_iter().filter(|d| d.end == self.slots.len()).collect();
        // A label must have the sort it was bound with in the same reading.
        let agreeing: Vec<bool> = whole.iter().map(agrees).collect();
        let some = agreeing.iter().any(|a| *a);
        for (draft, agrees) in whole.into_iter().zip(agreeing) {
            if (some && !agrees) || best.contains(&draft) {
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
    fn body(&self, at: usize) -> Found {
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

    fn figure_value(&self, at: usize, value: &TypeName, key: &TermKey) -> Vec<(usize, FigureValue)> {
        let mut found = Vec::new();
        match (value, self.kind(at)) {
            (TypeName::Number, Some(SlotKind::Number(n))) => found.push((at + 1, FigureValue::Number(*n))),
            (TypeName::Number, Some(SlotKind::Sign(sign @ ("-" | "+")))) => {
                if let Some(n) = self.amount(at + 1) {
                    found.push((at + 2, FigureValue::Number(if *sign == "-" { n.saturating_neg() } else { n })));
                }
            }
            (TypeName::Number, _) => self.expect(at, "a number"),
            (TypeName::Named(_) | TypeName::Thing, Some(SlotKind::Quoted(name))) => {
                found.push((at + 1, FigureValue::Name(Arc::from(name.as_str()))));
            }
            (TypeName::Named(name) | TypeName::NumberFor(name), _) => {
                let wanted = Sort::Entry(name.clone());
                for hit in self.hits_of(at, TermKind::Entry) {
                    let Detail::Entry { list } = &hit.term.detail else { continue };
                    if list != name {
                        self.refuse(|| Clash {
                            code: "wrong-entry",
                            from: at, to: hit.end,
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
                self.expect(at, if self.named_sort(name) == Some(wanted) { "a catalogue term" } else { "a name in quotes" });
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
    fn limit(&self, at: usize) -> Option<(usize, (i64, TermKey))> {
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

    // ---- play and may

    fn play(&self, found: &mut Vec<Draft>) {
        self.options(Draft::new(Shape::Play, 1), true, 0, found);
    }

    /// The parts that may follow, in any order: targets, choices, conditions, procedures, limit.
    fn options(&self, draft: Draft, targets: bool, depth: u32, found: &mut Vec<Draft>) {
        found.push(draft.clone());
        if depth > 8 {
            return;
        }
        let at = draft.end;
        if targets && draft.conditions.is_empty() {
            let word = self.one_of(at, &["on", "at"]);
            if word.is_some() && draft.targets.len() < 2 {
                for (end, np) in self.things(at + 1).into_iter().chain(self.joined_things(at + 1)) {
                    for (end, np) in self.target(&np, at + 1, end, draft.targets.is_empty()) {
                        let mut next = draft.clone();
                        next.end = end;
                        next.targets.push(np);
                        self.options(next, targets, depth + 1, found);
                    }
                }
            }
        }
        if targets && draft.conditions.is_empty() {
            self.related_choice(&draft, depth, found);
        }
        if self.word(at, "choosing") {
            for (end, np) in self.cell(Cat::Np, at + 1).iter().filter(|(e, _)| !self.labelled_end(*e)) {
                if !self.word(*end, "as") {
                    continue;
                }
                let Some(label) = self.label(end + 1) else { continue };
                let mut next = draft.clone();
                next.end = end + 2;
                next.choices.push(self.aimed(np, &label, at + 1, end + 2));
                self.options(next, targets, depth + 1, found);
            }
        }
        if draft.conditions.len() <= usize::from(matches!(draft.shape, Shape::Play)) {
            for (end, c) in self.guarded(at, &["if", "unless"]) {
                let mut next = draft.clone();
                next.end = end;
                next.conditions.push(c);
                self.options(next, targets, depth + 1, found);
            }
        }
        if draft.during.is_empty() && self.word(at, "during") {
            for (end, keys) in self.procedure_list(at + 1) {
                let mut next = draft.clone();
                next.end = end;
                next.during = keys;
                self.options(next, targets, depth + 1, found);
            }
        }
        if draft.limit.is_none() && !matches!(draft.shape, Shape::Play)
            && let Some((end, limit)) = self.limit(at) {
                let mut next = draft.clone();
                next.end = end;
                next.limit = Some(limit);
                self.options(next, targets, depth + 1, found);
            }
    }

    /// `play RELATION a NOUN as L`: the labelled thing is chosen, and the relation of `this` to it is a condition.
    fn related_choice(&self, draft: &Draft, depth: u32, found: &mut Vec<Draft>) {
        if self.one_of(draft.end, &["on", "at"]).is_some() {
            return;
        }
        let sort = self.this_sort();
        let mut relations = Found::new();
        self.relations(draft.end, &sort, false, &mut relations);
        for (end, relation) in relations {
            let Some(np) = relation.kids.first() else { continue };
            let Op::As(label) = &np.op else { continue };
            let this = self.tree(Op::This, sort.clone(), vec![], 0, 1);
            let chosen = self.tree(Op::Label(label.clone()), np.sort.clone(), vec![], np.from, np.to);
            let said = self.tree(relation.op.clone(), Sort::Predicate, vec![chosen], relation.from, relation.to);
            let mut next = draft.clone();
            next.end = end;
            next.choices.push(np.clone());
            next.conditions.push(self.tree(Op::Holds, Sort::Condition, vec![this, said], 0, end));
            self.options(next, false, depth + 1, found);
        }
    }

    fn joined_things(&self, at: usize) -> Found {
        self.cell(Cat::Np, at).iter().filter(|(_, t)| t.op == Op::Either && !matches!(t.sort, Sort::Number | Sort::Entry(_) | Sort::Place)).cloned().collect()
    }

    /// The target with its label: the one that is written, else `target` for the first.
    fn target(&self, np: &T, at: usize, end: usize, first: bool) -> Found {
        let mut found = Found::new();
        if self.labelled_end(end) {
            return found;
        }
        if self.word(end, "as") {
            match self.kind(end + 1) {
                Some(SlotKind::Word(w)) if w == TARGET => found.push((end + 2, self.aimed(np, TARGET, at, end + 2))),
                _ => {
                    let label = self.label(end + 1);
                    found.extend(label.map(|label| (end + 2, self.aimed(np, &label, at, end + 2))));
                }
            }
        }
        found.push((end, self.aimed(np, if first { TARGET } else { SECOND }, at, end)));
        found
    }

    /// True if `as L` stands just before the place: here the label is the whole phrase's, and for the nearest
    /// noun's the noun stands in parentheses.
    fn labelled_end(&self, end: usize) -> bool {
        matches!(self.kind(end.wrapping_sub(1)), Some(SlotKind::Capital(w)) if super::closed::is_label(w))
            && matches!(self.kind(end.wrapping_sub(2)), Some(SlotKind::Word(w)) if w == "as")
    }

    fn aimed(&self, np: &T, label: &str, at: usize, end: usize) -> T {
        let label: Arc<str> = Arc::from(label);
        self.bind(&label, &np.sort, at);
        let mut tree = self.raw(Op::As(label), np.sort.clone(), vec![np.clone()], at, end);
        tree.spread += super::chart::gap(0, at);
        T::new(tree)
    }

    /// Procedures joined by `,` and `or`.
    fn procedure_list(&self, at: usize) -> Vec<(usize, Vec<TermKey>)> {
        let mut found = Vec::new();
        let start = if self.one_of(at, &["the", "this", "a"]).is_some() { at + 1 } else { at };
        for hit in self.procedure(start) {
            found.push((hit.end, vec![hit.term.key.clone()]));
            if self.sign(hit.end, ",") || self.word(hit.end, "or") {
                for (end, mut rest) in self.procedure_list(hit.end + 1) {
                    rest.insert(0, hit.term.key.clone());
                    found.push((end, rest));
                }
            }
        }
        found
    }

    fn may(&self, at: usize, by: Option<&T>, place: Place, found: &mut Vec<Draft>) {
        if !self.word(at, "may") {
            return;
        }
        let mut heads = vec![(at + 1, None)];
        heads.extend(self.cell(Cat::Seq, at + 1).iter().map(|(end, s)| (*end, Some(s.clone()))));
        let mut drafts = Vec::new();
        for (end, cost) in heads {
            let mut draft = Draft::new(Shape::May, end);
            draft.by = by.cloned();
            draft.first = cost;
            self.options(draft, false, 0, &mut drafts);
        }
        for draft in drafts {
            if self.sign(draft.end, ":") {
                for (end, body) in self.body(draft.end + 1) {
                    let mut whole = draft.clone();
                    whole.end = end;
                    whole.body = Some(body);
                    found.push(whole);
                }
            }
            if place.block {
                found.push(draft);
            }
        }
    }

    // ---- events

    fn when(&self, found: &mut Vec<Draft>) {
        let plain = self.cell(Cat::Event, 1);
        let proposed = self.cell(Cat::Proposed, 1);
        for (instead, (end, event)) in plain.iter().map(|e| (false, e)).chain(proposed.iter().map(|e| (true, e))) {
            let mut draft = Draft::new(if instead { Shape::Instead } else { Shape::When { immediately: false } }, *end);
            draft.first = Some(event.clone());
            self.triggered(draft, instead, found);
        }
        for (end, event) in self.boundary(1) {
            let mut draft = Draft::new(Shape::When { immediately: false }, end);
            draft.first = Some(event);
            self.triggered(draft, false, found);
        }
    }

    /// `at the start of PROCEDURE [for NP]: …`
    fn turning(&self, found: &mut Vec<Draft>) {
        for (end, event) in self.boundary_after(0) {
            let mut draft = Draft::new(Shape::When { immediately: false }, end);
            draft.first = Some(event);
            self.triggered(draft, false, found);
        }
    }

    /// The rest of a triggered clause: condition, `immediately` or `instead`, and the statements.
    fn triggered(&self, draft: Draft, instead: bool, found: &mut Vec<Draft>) {
        let mut heads = vec![draft.clone()];
        for (end, c) in self.guarded(draft.end, &["if", "unless"]) {
            let mut next = draft.clone();
            next.end = end;
            next.conditions.push(c);
            heads.push(next);
        }
        for mut head in heads {
            if instead {
                if !self.word(head.end, "instead") {
                    continue;
                }
                head.end += 1;
            } else if self.word(head.end, "immediately") {
                head.end += 1;
                head.shape = Shape::When { immediately: true };
            }
            if !self.sign(head.end, ":") {
                continue;
            }
            for (end, body) in self.body(head.end + 1) {
                let mut whole = head.clone();
                whole.end = end;
                whole.body = Some(body);
                found.push(whole);
            }
        }
    }

    /// `PROCEDURE [for NP] starts`, `… ends`.
    pub(super) fn boundary(&self, at: usize) -> Found {
        let mut found = Found::new();
        let start = if self.one_of(at, &["the", "a", "an"]).is_some() { at + 1 } else { at };
        for hit in self.procedure(start) {
            let mut heads: Vec<(usize, Option<T>)> = vec![(hit.end, None)];
            if self.word(hit.end, "for") {
                heads.extend(self.things(hit.end + 1).into_iter().map(|(e, t)| (e, Some(t))));
            }
            for (end, np) in heads {
                if let Some(word) = self.one_of(end, &["starts", "ends"]) {
                    found.push((end + 1, self.bounds_tree(&hit.term.key, word == "starts", np, at, end + 1)));
                }
            }
        }
        found
    }

    fn boundary_after(&self, at: usize) -> Found {
        let mut found = Found::new();
        if !self.word(at, "at") || !self.word(at + 1, "the") {
            return found;
        }
        let Some(word) = self.one_of(at + 2, &["start", "end"]) else { return found };
        if !self.word(at + 3, "of") {
            return found;
        }
        let next = if self.one_of(at + 4, &["the", "each", "a", "an"]).is_some() { at + 5 } else { at + 4 };
        for hit in self.procedure(next) {
            found.push((hit.end, self.bounds_tree(&hit.term.key, word == "start", None, at, hit.end)));
            if self.word(hit.end, "for") {
                for (end, np) in self.things(hit.end + 1) {
                    found.push((end, self.bounds_tree(&hit.term.key, word == "start", Some(np), at, end)));
                }
            }
        }
        found
    }

    fn bounds_tree(&self, key: &TermKey, start: bool, np: Option<T>, at: usize, end: usize) -> T {
        let op = if start { Op::Starts(key.clone()) } else { Op::Ending(key.clone()) };
        self.tree(op, Sort::Event, np.into_iter().collect(), at, end)
    }

    // ---- continuous clauses

    fn whilst(&self, found: &mut Vec<Draft>) {
        for (end, c) in self.cell(Cat::Cond, 1).iter() {
            if !self.sign(*end, ":") {
                continue;
            }
            for (to, s) in self.body(end + 1) {
                if is_modifier(&s) {
                    let mut draft = Draft::new(Shape::Modifier, to);
                    draft.conditions.push(c.clone());
                    draft.body = Some(s);
                    found.push(draft);
                }
            }
        }
    }

    /// Sentences with a subject: allowances, norms, carried clauses.
    fn with_subject(&self, place: Place, found: &mut Vec<Draft>) {
        let this = self.tree(Op::This, self.this_sort(), vec![], 0, 0);
        let mut subjects: Found = self.cell(Cat::Np, 0).iter().filter(|(_, t)| matches!(t.sort, Sort::Thing(_) | Sort::AnyThing)).cloned().collect();
        if self.one_of(0, &["cannot", "must"]).is_some() {
            subjects.push((0, this));
        }
        for (end, np) in subjects {
            self.may(end, Some(&np), place, found);
            if place.block && self.one_of(end, &["has", "have"]).is_some() {
                let mut draft = Draft::new(Shape::Carried, end + 1);
                draft.by = Some(np.clone());
                found.push(draft);
            }
            let norms: [(&[&str], Polarity); 4] = [
                (&["cannot"], Polarity::Cannot),
                (&["must"], Polarity::Must),
                (&["need", "not"], Polarity::NeedNot),
                (&["may"], Polarity::Permit),
            ];
            for (words, polarity) in norms {
                if let Some(next) = self.words(end, words) {
                    self.norm(polarity, &np, next, found);
                }
            }
        }
    }

    fn norm(&self, polarity: Polarity, np: &T, at: usize, found: &mut Vec<Draft>) {
        let mut events = Found::new();
        if self.word(at, "be") {
            self.passive_event(0, at + 1, np, &mut events);
        }
        self.active_event(0, at, &[Use::Base], Some(np), &mut events);
        for (end, event) in self.pruned(events, at) {
            let end = match polarity {
                Polarity::Permit => match self.words(end, &["regardless"]) {
                    Some(end) => end,
                    None => continue,
                },
                _ => end,
            };
            let mut draft = Draft::new(Shape::Norm(polarity), end);
            draft.first = Some(event);
            for (end, c) in self.guarded(end, &["if", "unless", "while"]) {
                let mut next = draft.clone();
                next.end = end;
                next.conditions.push(c);
                found.push(next);
            }
            found.push(draft);
        }
    }

    /// The sort of `this`.
    fn this_sort(&self) -> Sort {
        self.scope.sorts("this").next().cloned().unwrap_or(Sort::AnyThing)
    }

    /// `action VERB needs COND`.
    fn action_needs(&self, found: &mut Vec<Draft>) {
        for hit in self.verbs(1, &[Use::Base]) {
            if self.word(hit.end, "needs") {
                for (end, c) in self.cell(Cat::Cond, hit.end + 1).iter() {
                    let mut draft = Draft::new(Shape::ActionNeeds(hit.term.key.clone()), *end);
                    draft.first = Some(c.clone());
                    found.push(draft);
                }
            }
        }
    }
}

/// The label of the first target of a `play` clause that has none of its own.
pub(super) const TARGET: &str = "target";
/// The label of the second.
pub(super) const SECOND: &str = "second target";

/// True if the statement is nothing but modifiers without a duration's own beginning.
pub(super) fn is_modifier(tree: &T) -> bool {
    match &tree.op {
        Op::Gets(..) | Op::Gains(..) | Op::Loses(..) | Op::Becomes(..) | Op::CountsAs(_) | Op::Acquires(_) => true,
        Op::Sequence | Op::While => tree.kids.iter().all(|k| is_modifier(k) || k.sort == Sort::Condition),
        _ => false,
    }
}

/// True if every label that the draft binds is used with the sort of its binding.
fn agrees(draft: &Draft) -> bool {
    let mut bound = Vec::new();
    draft.trees().for_each(|t| bindings(t, &mut bound));
    draft.trees().all(|t| labels_agree(t, &bound))
}

/// A label, the sort it is bound with, and the place from which it is.
type Binding = (Arc<str>, Sort, usize);

fn labels_agree(tree: &T, bound: &[Binding]) -> bool {
    let here = match &tree.op {
        Op::Label(label) => {
            let mine = || bound.iter().filter(|(l, _, _)| l == label);
            let before = mine().filter(|(_, _, at)| *at <= tree.from).max_by_key(|(_, _, at)| *at);
            match before {
                Some((_, sort, _)) => *sort == tree.sort,
                None => mine().next().is_none_or(|(_, sort, _)| *sort == tree.sort),
            }
        }
        _ => true,
    };
    here && tree.kids.iter().all(|k| labels_agree(k, bound))
}

/// The labels that a phrase binds.
fn bindings(tree: &T, bound: &mut Vec<Binding>) {
    let kid = |i: usize| tree.kids.get(i).map(|k| (k.sort.clone(), k.to));
    let found = match &tree.op {
        Op::As(label) | Op::ForEach(label) => kid(0).map(|(s, at)| (label.clone(), s, at)),
        Op::LetLabel(label) => kid(0).map(|(s, at)| (label.clone(), s, at)),
        Op::Choose(label) | Op::MayChoose(label) => kid(1).map(|(s, at)| (label.clone(), s, at)),
        Op::Roll(label) => Some((label.clone(), Sort::Number, tree.from)),
        Op::Create(class, label, _) => Some((label.clone(), Sort::Thing(class.name.clone()), tree.from)),
        _ => None,
    };
    bound.extend(found);
    tree.kids.iter().for_each(|k| bindings(k, bound));
}
