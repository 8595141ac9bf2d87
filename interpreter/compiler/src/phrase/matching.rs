//! Rows of the table found in the slots: every way in which words, holes, options and lists fit.

use netrep_diagnostics::Code;

use super::chart::{Cells, Chart, Clash, Found, T};
use super::forms::{Builder, Category, Form, List, Match, Part, Piece, Reader, Row, operator};
use super::forms::{Caught, Child};
use super::slot::SlotKind;
use super::tree::{Op, Sort};

/// So many parts may be joined in one list.
const MOST_JOINED: usize = 32;
/// The bound in words.
const TOO_MANY_JOINED: &str = "32 joined phrases";

/// What is still to be found behind an option.
struct Rest<'r> {
    parts: &'static [Part],
    next: Option<&'r Rest<'r>>,
}

/// A row being found.
struct Search<'s> {
    row: &'static Row,
    /// Where it begins, with what stands before its own words.
    from: usize,
    /// Where its own words begin.
    at: usize,
    /// Its first words are not told as expected: the category is.
    quiet: bool,
    out: &'s mut Vec<Match>,
}

impl Chart<'_> {
    /// All readings of a category at a place, by its rows.
    pub(super) fn by_rows(&self, category: Category, at: usize) -> Found {
        self.built(self.matches(category, at, None))
    }

    /// The same for a category that goes on from something, such as the subject of a predicate.
    pub(super) fn going_on(&self, category: Category, at: usize, before: &T) -> Found {
        self.built(self.matches(category, at, Some(before)))
    }

    /// The trees of rows that were found.
    fn built(&self, matches: Vec<Match>) -> Found {
        let mut found = Found::new();
        for one in matches {
            self.build(&one, &mut found);
            self.give_back(one.pieces);
        }
        found
    }

    /// The rows of a category that fit at a place, in the order of the table.
    pub(super) fn matches(&self, category: Category, at: usize, before: Option<&T>) -> Vec<Match> {
        let told = self.notes && category.info().told;
        let rows = match told {
            true => self.forms.of_category(category),
            false => self.forms.beginning(category, self.spoken(at)),
        };
        let mut out = Vec::new();
        let mut pieces = self.spare_pieces();
        for row in rows {
            if before.is_some_and(|before| !self.may_follow(row, before)) {
                continue;
            }
            pieces.clear();
            pieces.resize_with(row.holes.len(), || None);
            if let (Some(tree), Some(first)) = (before, pieces.first_mut()) {
                *first = Some(Piece { from: tree.from, to: tree.to, what: Caught::Tree(tree.clone()) });
            }
            let from = before.map_or(at, |before| before.from);
            let mut search = Search { row, from, at, quiet: !told, out: &mut out };
            self.find(&mut search, row.parts, None, at, &mut pieces);
        }
        self.give_back(pieces);
        out
    }

    /// What a category has at a place that goes on from nothing: read once, and shared.
    fn shared(&self, reader: Reader, at: usize) -> Option<Cells> {
        match reader {
            Reader::Cell(category) if category.info().after.is_none() => Some(self.cell(category, at)),
            Reader::Cell(_) | Reader::Own(_) | Reader::Kept(_) => None,
        }
    }

    /// What a row may begin with at a place: the word or sign as the table writes it.
    fn spoken(&self, at: usize) -> Option<&str> {
        match self.kind(at)? {
            SlotKind::Word(w) => Some(w),
            SlotKind::Sign(s) => Some(s),
            SlotKind::Non => Some("non-"),
            _ => None,
        }
    }

    /// The place among several words of the one that stands here.
    fn one_word(&self, at: usize, any: &[&'static str], quiet: bool) -> Option<usize> {
        let here = self.spoken(at);
        let found = any.iter().position(|w| Some(*w) == here);
        if self.notes && !quiet {
            any.iter().take(found.unwrap_or(any.len())).for_each(|w| self.expect(at, w));
        }
        found
    }

    fn find(
        &self,
        search: &mut Search<'_>,
        parts: &'static [Part],
        rest: Option<&Rest<'_>>,
        at: usize,
        pieces: &mut Vec<Option<Piece>>,
    ) {
        let Some((part, tail)) = parts.split_first() else {
            match rest {
                Some(rest) => self.find(search, rest.parts, rest.next, at, pieces),
                None => {
                    let (row, from, start) = (search.row, search.from, search.at);
                    let mut kept = self.spare_pieces();
                    kept.extend(pieces.iter().cloned());
                    search.out.push(Match { row, from, at: start, to: at, pieces: kept });
                }
            }
            return;
        };
        match part {
            Part::Before => self.find(search, tail, rest, at, pieces),
            Part::Words { hole, any, .. } => {
                let quiet = search.quiet && at == search.at;
                let Some(which) = self.one_word(at, any, quiet) else { return };
                if let Some(hole) = hole {
                    pieces[*hole] = Some(Piece { from: at, to: at + 1, what: Caught::Word(which) });
                }
                self.find(search, tail, rest, at + 1, pieces);
                if let Some(hole) = hole {
                    pieces[*hole] = None;
                }
            }
            Part::Option(inner) => {
                self.find(search, tail, rest, at, pieces);
                self.find(search, inner, Some(&Rest { parts: tail, next: rest }), at, pieces);
            }
            Part::Hole { hole, read, list: None } => {
                for reader in *read {
                    if let Some(cells) = self.shared(*reader, at) {
                        for (to, tree) in cells.iter() {
                            let what = Caught::Tree(tree.clone());
                            pieces[*hole] = Some(Piece { from: at, to: *to, what });
                            self.find(search, tail, rest, *to, pieces);
                            pieces[*hole] = None;
                        }
                        continue;
                    }
                    for (to, what) in self.held(*reader, at, *hole, search.row, pieces) {
                        pieces[*hole] = Some(Piece { from: at, to, what });
                        self.find(search, tail, rest, to, pieces);
                        pieces[*hole] = None;
                    }
                }
            }
            Part::Hole { hole, read, list: Some(list) } => {
                let several = Several { hole: *hole, read, list, tail };
                self.several_parts(search, &several, rest, (at, at), "", &[], pieces);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a list under way")]
    fn several_parts(
        &self,
        search: &mut Search<'_>,
        several: &Several,
        rest: Option<&Rest<'_>>,
        (start, at): (usize, usize),
        between: &'static str,
        before: &[(&'static str, Piece)],
        pieces: &mut Vec<Option<Piece>>,
    ) {
        for reader in several.read {
            for (to, what) in self.held(*reader, at, several.hole, search.row, pieces) {
                let mut list = Vec::with_capacity(before.len() + 1);
                list.extend_from_slice(before);
                list.push((between, Piece { from: at, to, what }));
                if !self.may_go_on(search.row, &list) {
                    continue;
                }
                pieces[several.hole] = Some(Piece { from: start, to, what: Caught::List(list) });
                self.find(search, several.tail, rest, to, pieces);
                let Some(Piece { what: Caught::List(list), .. }) = pieces[several.hole].take() else { continue };
                let closed = several.list.last.contains(&between) && !between.is_empty();
                if closed {
                    self.refuse_after_last(search.row, between, to);
                    continue;
                }
                let words = several.list.last.iter().chain(several.list.between);
                if list.len() >= MOST_JOINED {
                    if words.clone().any(|word| self.spoken(to) == Some(*word)) {
                        self.stop_at(to, TOO_MANY_JOINED);
                    }
                    continue;
                }
                for word in words {
                    if self.one_word(to, std::slice::from_ref(word), false).is_some() {
                        self.several_parts(search, several, rest, (start, to + 1), word, &list, pieces);
                    }
                }
            }
        }
    }

    /// What joins only the last of several and stands once more.
    fn refuse_after_last(&self, row: &Row, between: &str, at: usize) {
        if row.form == Form::NpEither && self.spoken(at) == Some(between) {
            self.refuse(|| Clash {
                code: Code::UnexpectedWord,
                from: at,
                to: at + 1,
                end: at + 1,
                message: format!("`{between}` stands only before the last of several"),
                help: Some(format!("part the others with commas: `A, B {between} C`")),
            });
        }
    }

    /// What a hole may hold at a place, in every way.
    fn held(
        &self,
        reader: Reader,
        at: usize,
        hole: usize,
        row: &'static Row,
        pieces: &[Option<Piece>],
    ) -> Vec<(usize, Caught)> {
        match reader {
            Reader::Cell(category) => match category.info().after {
                None => self.cell(category, at).iter().map(|(to, tree)| (*to, Caught::Tree(tree.clone()))).collect(),
                Some(_) => {
                    // A predicate may be read before it is known of what.
                    let unknown = || self.tree(Op::It, Sort::AnyThing, vec![], at, at);
                    let before = self.spoken_of(hole, pieces).unwrap_or_else(unknown);
                    // total: what does not go on after it has no reading there
                    let Some(category) = self.continued_category(category, &before) else { return Vec::new() };
                    let found = self.pruned(self.going_on(category, at, &before), at);
                    if category == Category::Compared && found.is_empty() {
                        self.refuse_quality(&before, at);
                    }
                    found.into_iter().map(|(to, tree)| (to, Caught::Tree(tree))).collect()
                }
            },
            Reader::Own(own) => self.own(own, at, hole, row, pieces),
            // total: what the skeleton holds is no phrase; see `outline`
            Reader::Kept(_) => Vec::new(),
        }
    }

    /// What a hole goes on from: the phrase in the hole before it.
    pub(super) fn spoken_of(&self, hole: usize, pieces: &[Option<Piece>]) -> Option<T> {
        pieces.get(..hole)?.iter().rev().flatten().find_map(|p| p.tree().cloned())
    }

    /// Adds the tree of a row that was found.
    pub(super) fn build(&self, found: &Match, out: &mut Found) {
        match found.row.builder {
            Builder::Plain => out.extend(self.plain(found).map(|tree| (found.to, tree))),
            Builder::Rule(rule) => self.ruled(rule, found, out),
            Builder::Clause(_) | Builder::Data => {}
        }
    }

    /// The tree as the row says.
    fn plain(&self, found: &Match) -> Option<T> {
        let row = found.row;
        if row.operator.is_empty() {
            let child = row.children.first()?;
            return self.child(found, child).pop();
        }
        let op = operator(row.form, found)?;
        let sort = match row.category.info().sort {
            "statement" => Sort::Statement,
            "condition" => Sort::Condition,
            "number" => Sort::Number,
            "event" => Sort::Event,
            "predicate" => Sort::Predicate,
            "part" => Sort::Part,
            _ => Sort::AnyThing,
        };
        let kids = self.children(found);
        Some(self.widened(found, op, sort, kids))
    }

    /// The tree of a row, with the words that its terms save: the longest term wins.
    pub(super) fn widened(&self, found: &Match, op: Op, sort: Sort, kids: Vec<T>) -> T {
        let mut tree = self.raw(op, sort, kids, found.from, found.to);
        for piece in found.pieces.iter().flatten() {
            if let Caught::Term(_) = piece.what {
                tree.merged += super::chart::width((piece.from, piece.to));
            }
        }
        T::new(tree)
    }

    /// The children of a row's operator.
    pub(super) fn children(&self, found: &Match) -> Vec<T> {
        found.row.children.iter().flat_map(|child| self.child(found, child)).collect()
    }

    fn child(&self, found: &Match, child: &Child) -> Vec<T> {
        let piece = child.hole.and_then(|at| found.pieces.get(at)).and_then(Option::as_ref);
        match piece.map(|p| (&p.what, p)) {
            Some((Caught::Tree(tree), _)) if child.denied => {
                vec![self.tree(Op::Not, Sort::Condition, vec![tree.clone()], found.from, found.to)]
            }
            Some((Caught::Tree(tree), _)) => vec![tree.clone()],
            Some((Caught::List(list), _)) => list.iter().filter_map(|(_, p)| p.tree().cloned()).collect(),
            Some((Caught::Facts(_, values), _)) => values.clone(),
            _ if child.maybe || child.many => Vec::new(),
            // What is told of it stands where the row begins, where it would be said.
            _ => vec![self.absent(found.at)],
        }
    }
}

/// A list to be found.
struct Several {
    hole: usize,
    read: &'static [Reader],
    list: &'static List,
    tail: &'static [Part],
}
