//! What rows cannot say, by name: which of several readings is the nearest, narrowest or widest, what fits a sort, and
//! trees whose operator depends on what was found.

use netrep_diagnostics::Code;

use super::chart::{Chart, Clash, Found, T, gap, stretch};
use super::forms::{Category, Caught, Form, Match, Piece, Row, Rule};
use super::holes::is_thing;
use super::slot::SlotKind;
use super::term::{Detail, TypeName};
use super::tree::{Det, Lasting, Op, Sort};

impl Chart<'_> {
    /// Adds what a rule makes of a row that was found. Every rule that a row names stands here.
    pub(super) fn ruled(&self, rule: Rule, found: &Match, out: &mut Found) {
        let (from, to) = (found.from, found.to);
        let tree = |hole: &str| found.tree(hole).cloned();
        let one = |tree: Option<T>| tree.map(|tree| (to, tree));
        match rule {
            // ---- statements
            Rule::Sequence => {
                let trees = found.trees("each");
                out.push((to, self.several(trees.clone(), from, to)));
                let ended = matches!(self.kind(to + 1), None | Some(SlotKind::Sign("}")));
                if matches!(self.kind(to), Some(SlotKind::Sign(";"))) && ended {
                    out.push((to + 1, self.several(trees, from, to)));
                }
            }
            Rule::Perform => {
                let Some(hit) = found.term("p") else { return };
                let Detail::Procedure { params } = &hit.term.detail else { return };
                let values = found.trees("values");
                if values.len() == params.len() {
                    let op = Op::Perform(hit.term.key.clone());
                    out.push((to, self.widened(found, op, Sort::Statement, values)));
                }
            }
            Rule::Naming => {
                let (Some(label), Some(value)) = (found.label("l"), tree("value")) else { return };
                self.bind(label, &value.sort, from + 1);
                out.push(self.statement(Op::LetLabel(label.clone()), vec![value], from, to));
            }
            Rule::Setting => {
                let (Some(fact), Some(value)) = (tree("fact"), tree("value")) else { return };
                let Op::Of(key) = &fact.op else { return };
                let kids = fact.kids.iter().cloned().chain([value]).collect();
                let mut tree = self.raw(Op::Set(key.clone()), Sort::Statement, kids, from, to);
                tree.merged += fact.merged.saturating_sub(fact.kids.iter().map(|k| k.merged).sum());
                out.push((to, T::new(tree)));
            }
            Rule::Modes => {
                let modes = found.trees("modes");
                if modes.len() > 1 {
                    let mut kids = vec![self.or_absent(tree("who"), from)];
                    kids.extend(modes);
                    out.push(self.statement(Op::ChooseOne, kids, from, to));
                }
            }
            Rule::Roll => {
                let Some(label) = found.label("l") else { return };
                let verb = found.tree("who").map_or(from, |who| who.to);
                let class = found.term("class").map(|hit| hit.term.key.clone());
                let count = match found.row.name == "throw" {
                    true => None,
                    // total: dice are rolled in pairs where nothing else is said
                    false => {
                        Some(tree("n").unwrap_or_else(|| self.tree(Op::Int(2), Sort::Number, vec![], verb, verb + 1)))
                    }
                };
                let kids = vec![
                    self.or_absent(tree("who"), from),
                    self.or_absent(count, to),
                    self.or_absent(tree("whom"), to),
                ];
                out.push(self.statement(Op::Roll(label.clone(), class), kids, from, to));
            }
            Rule::Deed => out.extend(self.done_by(found)),
            Rule::Modifies => {
                let key = found.term("a").map(|hit| hit.term.key.clone());
                out.extend(tree("of").map(|of| (to, self.tree(Op::Modifies(key), Sort::Event, vec![of], from, to))));
            }

            Rule::Alters => {
                let (Some(hit), Some(of), Some(value)) = (found.term("a"), tree("of"), tree("value")) else { return };
                if !self.has_fact(&of.sort, &hit.term) {
                    self.refuse_attribute(&hit.term, &of, to);
                    return;
                }
                let key = hit.term.key.clone();
                let op = if found.row.operator == "Comes" { Op::Comes(key) } else { Op::Ceases(key) };
                out.push((to, self.tree(op, Sort::Event, vec![of, value], from, to)));
            }

            // ---- modifiers
            Rule::Gets => self.gets(found, out),
            Rule::Traits => self.gains(found, out),
            Rule::Becomes => self.becomes(found, out),
            Rule::Turns => self.turns(found, out),
            Rule::Amount => {
                let (Some(n), Some(hit)) = (tree("n"), found.term("a")) else { return };
                let Detail::Attribute { value: TypeName::Number, .. } = &hit.term.detail else { return };
                let n = if found.row.form == Form::DifferenceLess { self.negated(&n, from, n.to) } else { n };
                let bound = |hole: &str| self.or_absent(tree(hole), to);
                let kids = vec![n, bound("most"), bound("least")];
                let op = Op::Gets(hit.term.key.clone(), None);
                out.push((to, self.widened(found, op, Sort::Part, kids)));
            }
            Rule::Modification => self.modification(found, out),
            Rule::Lasting => {
                let op = match found.term("p") {
                    Some(hit) => Op::During(hit.term.key.clone()),
                    // For the rest of the game.
                    None => Op::Stop,
                };
                out.push((to, self.tree(op, Sort::Part, vec![], from, to)));
            }

            // ---- conditions
            Rule::Chain => {
                let each = found.trees("each");
                let op = if found.row.operator == "Or" { Op::Or } else { Op::And };
                match each.as_slice() {
                    [one] => out.push((to, one.clone())),
                    _ => out.push((to, self.tree(op, Sort::Condition, each, from, to))),
                }
            }
            Rule::Existence => out.extend(one(tree("what").map(|np| self.existence(&np, from, to)))),
            Rule::Absence => out.extend(one(tree("what").map(|np| {
                let exists = self.tree(Op::Exists, Sort::Condition, vec![np], from, to);
                self.tree(Op::Not, Sort::Condition, vec![exists], from, to)
            }))),
            Rule::Modified => out.extend(one(tree("m").map(|m| {
                let exists = self.tree(Op::Exists, Sort::Condition, vec![m], from, to);
                self.denied(exists, !found.says("some"), found)
            }))),
            Rule::Comparison => {
                let (Some(left), Some(right)) = (tree(".."), tree("b")) else { return };
                let kids = [left].into_iter().chain(right.kids.iter().cloned()).collect();
                out.push((to, self.tree(right.op.clone(), Sort::Condition, kids, from, to)));
            }
            Rule::Holds => {
                let (Some(subject), Some(predicate)) = (tree(".."), tree("p")) else { return };
                out.extend(one(self.said_of(&subject, &predicate, from, to)));
            }
            Rule::Has => {
                let (Some(subject), Some(predicate)) = (tree(".."), tree("p")) else { return };
                let start = found.piece("no").map_or(predicate.from, |no| no.from);
                let mut predicate = self.moved(&predicate, start);
                if found.has("no") {
                    predicate = self.tree(Op::NotIs, Sort::Predicate, vec![predicate], start, to);
                }
                out.extend(one(self.said_of(&subject, &predicate, from, to)));
            }
            Rule::Perfect => self.perfect(found, out),
            Rule::Would => {
                let (Some(subject), Some(event)) = (tree(".."), tree("e")) else { return };
                let would = self.tree(Op::Would, Sort::Condition, vec![subject, event], from, to);
                out.push((to, self.denied(would, found.has("not"), found)));
            }

            // ---- numbers
            Rule::Sum | Rule::Product => out.extend(one(self.arithmetic(found))),
            Rule::Minus => {
                // `-1 (2 if C)` negates the 1 only; the parenthesis is read behind it.
                let n = tree("n").filter(|n| n.op != Op::Alternatives);
                out.extend(one(n.map(|n| self.negated(&n, from, to))));
            }
            Rule::Over => {
                let (Some(hit), Some(np)) = (found.term("a"), tree("what")) else { return };
                let key = hit.term.key.clone();
                let op = match found.row.form {
                    Form::AtomTotal => Op::Total(key),
                    Form::AtomHighest => Op::Extreme(key, true),
                    _ => Op::Extreme(key, false),
                };
                if self.has_fact(&np.sort, &hit.term) {
                    out.push((to, self.widened(found, op, Sort::Number, vec![np])));
                } else if matches!(np.sort, Sort::Thing(_)) {
                    self.refuse_attribute(&hit.term, &np, to);
                }
            }
            Rule::Contest => {
                let (Some(n), Some(side)) = (tree(".."), tree("side")) else { return };
                out.push((to, self.tree(Op::NumberAgainst, Sort::Number, vec![n, side], from, to)));
            }
            Rule::Cases => {
                let Some(n) = tree("..") else { return };
                let cases = found.trees("cases");
                let kids = [n].into_iter().chain(cases.iter().flat_map(|c| c.kids.iter().cloned())).collect();
                out.push((to, self.tree(Op::Alternatives, Sort::Number, kids, from, to)));
            }

            // ---- noun phrases
            Rule::Join => out.extend(one(self.joined(found))),
            Rule::This => {
                let sort = self.this_sort();
                out.push((to, self.tree(Op::This, sort, vec![], from, to)));
            }
            Rule::Yours => out.extend(one(self.you(from, to))),
            Rule::Determined => out.extend(one(self.determined(found))),
            Rule::Plural => {
                let det = if found.row.form == Form::OneAll { Det::Each } else { Det::A };
                let noun = tree("n").filter(|n| n.plural);
                out.extend(one(noun.map(|n| self.quantified(det, &n, from, to))));
            }
            Rule::Top => {
                let (Some(class), Some(place)) = (found.term("c"), tree("p")) else { return };
                // total: the top of a place is one thing where nothing else is said
                let one = || self.tree(Op::Int(1), Sort::Number, vec![], from + 1, from + 2);
                let sort = Sort::Thing(class.term.key.name.clone());
                let kids = vec![tree("n").unwrap_or_else(one), place];
                out.push((to, self.tree(Op::Top(class.term.key.clone()), sort, kids, from, to)));
            }
            Rule::Next => {
                let (Some(noun), Some(from_whom)) = (tree("n"), tree("who")) else { return };
                if !noun.plural {
                    let op = Op::Next(found.row.form == Form::OneNext);
                    out.push((to, self.tree(op, noun.sort.clone(), vec![noun, from_whom], from, to)));
                }
            }
            Rule::Novelty => {
                let Some(class) = found.term("c") else { return };
                let bare = !found.has("facts");
                // What follows `with` belongs to the new thing.
                if bare && matches!(self.kind(to), Some(SlotKind::Word(w)) if w == "with") {
                    return;
                }
                let (keys, values) = facts(found);
                let sort = Sort::Thing(class.term.key.name.clone());
                let kids = std::iter::once(self.or_absent(tree("from"), to)).chain(values).collect();
                let mut tree = self.raw(Op::New(class.term.key.clone(), keys), sort, kids, from, to);
                tree.spread += if bare { 0 } else { stretch(from, to) };
                out.push((to, T::new(tree)));
            }
            Rule::Zone => {
                let Some(hit) = found.term("p") else { return };
                let Detail::Place { of_player, .. } = &hit.term.detail else { return };
                if *of_player || !found.has("x") {
                    let op = Op::Place(hit.term.key.clone());
                    out.push((to, self.widened(found, op, Sort::Place, tree("x").into_iter().collect())));
                }
            }
            Rule::Group => out.extend(one(tree("x").filter(|np| np.sort != Sort::Number))),
            Rule::Printed => {
                let Some(value) = tree("x") else { return };
                if let Op::Of(key) = &value.op {
                    let op = Op::Printed(key.clone());
                    let mut tree = self.raw(op, value.sort.clone(), value.kids.clone(), from, to);
                    tree.merged = value.merged;
                    out.push((to, T::new(tree)));
                }
            }
            Rule::Labelled => {
                let (Some(np), Some(label)) = (tree(".."), found.label("l")) else { return };
                let mut named = self.raw(Op::As(label.clone()), np.sort.clone(), vec![np.clone()], from, to);
                named.spread += gap(from, np.to);
                out.push((to, T::new(named)));
                self.continued(from, to, &np, label, out);
            }
            Rule::Atleast => out.extend(self.counted(found, Det::AtLeast)),
            Rule::Upto => out.extend(self.counted(found, Det::UpTo)),
            Rule::Exactly => {
                if let Some(Op::Int(n)) = found.tree("n").map(|n| &n.op) {
                    out.push((to, self.tree(Op::Quantified(Det::Exactly(*n)), Sort::Part, vec![], from, to)));
                }
            }
            // Read as a whole: see [`Chart::read_noun`] and [`Chart::attribute_of`].
            Rule::Noun | Rule::Attribute => {}
            Rule::Attributives => {
                let closed = found.list("each").last().is_some_and(|(between, _)| matches!(*between, "/" | "or"));
                if closed {
                    let each = found.trees("each");
                    let plural = each.last().is_some_and(|last| last.plural);
                    let mut tree = self.raw(Op::Or, Sort::Predicate, each, from, to);
                    tree.spread += stretch(from, to);
                    tree.plural = plural;
                    out.push((to, T::new(tree)));
                }
            }

            // ---- predicates
            Rule::With => out.extend(one(tree("p").map(|p| self.moved(&p, found.at)))),
            Rule::That => {
                out.extend(one(tree("c").map(|c| self.tree(Op::That, Sort::Predicate, vec![c], found.at, to))));
            }
            Rule::Otherthan => {
                let (Some(of), Some(np)) = (tree(".."), tree("x")) else { return };
                if self.fits(&np.sort, &of.sort) {
                    out.push((to, self.tree(Op::OtherThan, Sort::Predicate, vec![np], found.at, to)));
                }
            }
            Rule::Named => {
                let Some(np) = tree("x") else { return };
                let names = match &np.op {
                    Op::Name(_) | Op::Card(_) => true,
                    Op::Either => np.kids.iter().all(|k| matches!(k.op, Op::Name(_) | Op::Card(_))),
                    _ => false,
                };
                if names {
                    out.push((to, self.tree(Op::Same, Sort::Predicate, vec![np], found.at, to)));
                }
            }
            Rule::Qualities => {
                let each = found.trees("each");
                if let [only] = each.as_slice() {
                    out.push((to, only.clone()));
                } else if found.list("each").last().is_some_and(|(between, _)| *between == "or") {
                    let mut tree = self.raw(Op::Or, Sort::Predicate, each, from, to);
                    tree.spread += stretch(from, to);
                    out.push((to, T::new(tree)));
                }
            }
            Rule::Membership => {
                // `non-` denies the predicate, not a noun in it.
                if !matches!(self.kind(from), Some(SlotKind::Non)) {
                    out.extend(one(tree("x").map(|np| self.membership(&np, from, to))));
                }
            }

            // ---- limits
            Rule::Once | Rule::Often => {
                let Some(hit) = found.term("p") else { return };
                let n = match found.piece("n").map(|p| &p.what) {
                    Some(Caught::Amount(n)) => *n,
                    _ => 1,
                };
                let times = self.tree(Op::Int(n), Sort::Number, vec![], from, to);
                out.push((to, self.tree(Op::During(hit.term.key.clone()), Sort::Part, vec![times], from, to)));
            }
        }
    }

    /// True if a form may go on from what stands before it: what has a name already gets no label, and only a fact is
    /// another one in a contest.
    pub(super) fn may_follow(&self, row: &Row, before: &T) -> bool {
        match row.form {
            Form::AfterOneLabelled => super::noun::nameable(before),
            Form::AfterOnePossessive => is_thing(&before.sort),
            Form::AfterAtomAgainst => matches!(before.op, Op::Of(_)),
            _ => true,
        }
    }

    /// What is said of a subject: conditions on things, or comparisons of terms.
    pub(super) fn continued_category(&self, category: Category, before: &T) -> Option<Category> {
        match (category, &before.sort) {
            (Category::Finite, Sort::Entry(_)) => Some(Category::Same),
            (Category::Finite, sort) => is_thing(sort).then_some(Category::Finite),
            _ => Some(category),
        }
    }

    /// A number of which something is said that is said of things only.
    pub(super) fn refuse_quality(&self, left: &T, at: usize) {
        if !self.notes || !matches!(self.kind(at), Some(SlotKind::Word(w)) if w == "is" || w == "are") {
            return;
        }
        for (to, _) in self.cell(Category::Predicate, at + 1).iter() {
            self.refuse(|| Clash {
                code: Code::WrongSort,
                from: left.from,
                to: left.to,
                end: *to,
                message: "a thing is meant here, but this is a number".to_owned(),
                help: None,
            });
        }
    }

    /// True if a list that has come so far may become a phrase: noun phrases join what has a sort in common, and nothing
    /// after `or`.
    pub(super) fn may_go_on(&self, row: &Row, list: &[(&'static str, Piece)]) -> bool {
        // total: a list in which nothing stands yet may become anything
        let Some(((between, last), before)) = list.split_last() else { return true };
        match row.form {
            Form::NpEither => {
                // total: what stands first joins with nothing yet
                let Some(mut sort) = before.first().and_then(|(_, p)| p.tree()).map(|t| t.sort.clone()) else {
                    return true;
                };
                for (_, piece) in list.iter().skip(1) {
                    match piece.tree().and_then(|t| self.common(&sort, &t.sort)) {
                        Some(common) => sort = common,
                        None => return false,
                    }
                }
                let entry = |p: &Piece| p.tree().is_some_and(|t| matches!(t.op, Op::Entry(_)));
                *between != "/" || before.iter().all(|(_, p)| entry(p))
            }
            // Noun phrases join below the predicate, where the join is narrower.
            Form::PredicateOr => {
                let same = |p: &Piece| p.tree().is_some_and(|t| t.op == Op::Same);
                !before.last().is_some_and(|(_, p)| same(p) && same(last))
            }
            _ => true,
        }
    }

    /// A join of noun phrases, the narrowest of which is preferred; names, terms, labels and bare plurals also with commas alone.
    fn joined(&self, found: &Match) -> Option<T> {
        let list = found.list("each");
        let each = found.trees("each");
        let (first, more) = each.split_first()?;
        if more.is_empty() {
            return Some(first.clone());
        }
        let closed = list.last().is_some_and(|(between, _)| matches!(*between, "or" | "/"));
        if !closed && !each.iter().all(super::noun::light) {
            return None;
        }
        let mut sort = first.sort.clone();
        for np in more {
            sort = self.common(&sort, &np.sort)?;
        }
        let mut tree = self.raw(Op::Either, sort, each, found.from, found.to);
        tree.spread += stretch(found.from, found.to);
        Some(T::new(tree))
    }

    /// The same tree, beginning at another place.
    fn moved(&self, tree: &T, from: usize) -> T {
        if tree.from == from {
            return tree.clone();
        }
        let mut moved = self.raw(tree.op.clone(), tree.sort.clone(), tree.kids.clone(), from, tree.to);
        (moved.merged, moved.spread, moved.plural) = (tree.merged, tree.spread, tree.plural);
        T::new(moved)
    }

    /// The condition, or that it is not so.
    fn denied(&self, condition: T, not: bool, found: &Match) -> T {
        match not {
            true => self.tree(Op::Not, Sort::Condition, vec![condition], found.from, found.to),
            false => condition,
        }
    }

    /// The verb of a row with its roles.
    fn done_by(&self, found: &Match) -> Option<(usize, T)> {
        match &found.piece("act")?.what {
            Caught::Act(hit, verb, kids, price) => {
                let key = hit.term.key.clone();
                let (op, sort) = match found.row.operator {
                    "Do" => (Op::Do(key), Sort::Statement),
                    _ => (Op::Event(key), Sort::Event),
                };
                Some(self.verb_tree(op, sort, (found.from, found.to), *verb, kids.clone(), *price))
            }
            _ => None,
        }
    }

    fn perfect(&self, found: &Match, out: &mut Found) {
        let Some(act) = found.piece("act") else { return };
        let Caught::Act(hit, verb, kids, price) = &act.what else { return };
        let lasting: Option<Box<Lasting>> = found.lasting("long").map(Box::new);
        let price = price + if lasting.is_some() { gap(verb.1, act.to) } else { 0 };
        let op = Op::Did(hit.term.key.clone(), lasting);
        let (to, did) = self.verb_tree(op, Sort::Condition, (found.from, found.to), *verb, kids.clone(), price);
        out.push((to, self.denied(did, found.has("not"), found)));
    }

    /// Sums and products, from the left.
    fn arithmetic(&self, found: &Match) -> Option<T> {
        let list = found.list("parts");
        let mut left = list.first().and_then(|(_, p)| p.tree())?.clone();
        for (sign, piece) in list.iter().skip(1) {
            let op = match *sign {
                "+" => Op::Add,
                "-" => Op::Sub,
                _ => Op::Mul,
            };
            let kids = vec![left, piece.tree()?.clone()];
            left = self.tree(op, Sort::Number, kids, found.from, piece.to);
        }
        Some(left)
    }

    fn counted(&self, found: &Match, det: impl Fn(i64) -> Det) -> Option<(usize, T)> {
        match &found.piece("n")?.what {
            Caught::Amount(n) => {
                let op = Op::Quantified(det(*n));
                Some((found.to, self.tree(op, Sort::Part, vec![], found.from, found.to)))
            }
            _ => None,
        }
    }

    /// A determined noun: one of them is singular.
    fn determined(&self, found: &Match) -> Option<T> {
        let (det, noun) = (found.tree("d")?, found.tree("n")?);
        match det.op {
            Op::Quantified(det) => {
                let whole = found.row.form == Form::OneDetermined;
                let agrees = !whole || !matches!(det, Det::A | Det::Another) || !noun.plural;
                agrees.then(|| self.quantified(det, noun, found.from, found.to))
            }
            _ => None,
        }
    }
}

/// The facts of a new thing.
fn facts(found: &Match) -> (Vec<super::tree::TermKey>, Vec<T>) {
    match found.piece("facts").map(|p| &p.what) {
        Some(Caught::Facts(keys, values)) => (keys.clone(), values.clone()),
        _ => (Vec::new(), Vec::new()),
    }
}
