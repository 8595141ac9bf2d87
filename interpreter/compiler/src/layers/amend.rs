//! Edits inside of a clause: a fragment of it is read otherwise, left out, or has something put before or behind it.
//!
//! ```text
//! amend 3.iv.3 offer { read -3 as -2. }
//! amend 7.1 owner    { after { remove C } insert { ; stop }. if not during recess. }
//! amend 2.V phase    { after loading insert step late loading. move counting after late loading. }
//! amend A-4 take     { without { if A is free }. }
//! ```
//!
//! A fragment is a row of words of the clause, in braces where it holds `as` or `insert`. It stands in the clause once, or
//! `the second { … }` says which is meant. All fragments are those of the text before any amendment: two readings compose
//! where their fragments are apart, and otherwise it is told which two meet.

use netrep_diagnostics::Code;
use netrep_grammar::tree::{Clause, Span, Token, TokenKind};

use super::words::joined;
use crate::coords::clause_index;
use crate::finding::Finding;

/// One edit of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What it does.
    pub(crate) kind: EditKind,
    /// The sentence that says so.
    pub(crate) span: Span,
}

/// What an edit does inside of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EditKind {
    /// `read A as B`; without the second, `without A`.
    Read(Fragment, Vec<Token>),
    /// `before A insert B`.
    Before(Fragment, Vec<Token>),
    /// `after A insert B`.
    After(Fragment, Vec<Token>),
    /// `move A after B`: an element of a list, with the comma that joins it.
    Move(Fragment, Fragment),
    /// `if COND`, `unless COND`: a further condition of the clause.
    Condition(Vec<Token>),
}

/// A part of a clause by its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    tokens: Vec<Token>,
    /// Which of several that read alike, from 1; `None`: it is the only one.
    nth: Option<usize>,
    span: Span,
}

impl Edit {
    /// Whether both make the same words of the same words: then the one has done what the other says.
    pub(crate) fn reads_like(&self, other: &Edit) -> bool {
        match (&self.kind, &other.kind) {
            (EditKind::Read(of, with), EditKind::Read(other, by)) => {
                are_same(&of.tokens, &other.tokens) && of.nth == other.nth && are_same(with, by)
            }
            _ => false,
        }
    }
}

/// How the edits are written.
const FORMS: &str = "`read A as B.`, `before A insert B.`, `after A insert B.`, `after A insert step B.`, `without A.`, \
                     `move A after B.`, `if CONDITION.` or `unless CONDITION.`";

/// Which of several fragments is meant.
const ORDINALS: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

/// Reads the sentences of an `amend`.
pub(crate) fn read_edits(block: &[Clause], findings: &mut Vec<Finding>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for clause in block {
        match read_edit(clause) {
            Some(kind) => edits.push(Edit { kind, span: clause.span }),
            None => findings.push(
                Finding::new(Code::BadAmendment, clause.span, "this does not say what is changed in the clause")
                    .help(format!("write {FORMS}; put words that hold `as`, `insert` or `after` in braces")),
            ),
        }
    }
    edits
}

fn read_edit(clause: &Clause) -> Option<EditKind> {
    if clause.marker.is_some() || clause.block.is_some() {
        return None;
    }
    let (head, rest) = clause.tokens.split_first()?;
    let word = |token: &Token, word: &str| matches!(&token.kind, TokenKind::Word(w) if w == word);
    let parted = |by: &str| {
        let at = rest.iter().position(|token| word(token, by))?;
        rest[at + 1..].iter().all(|token| !word(token, by)).then(|| (&rest[..at], &rest[at + 1..]))
    };
    let TokenKind::Word(head) = &head.kind else { return None };
    Some(match head.as_str() {
        "read" => {
            let (of, with) = parted("as")?;
            let (of, with) = (fragment(of)?, inserted(with)?);
            // What reads as it did is not read otherwise.
            if joined(&of.tokens) == joined(&with) {
                return None;
            }
            EditKind::Read(of, with)
        }
        "without" => EditKind::Read(fragment(rest)?, Vec::new()),
        "before" => {
            let (of, with) = parted("insert")?;
            EditKind::Before(fragment(of)?, inserted(with)?)
        }
        "after" => {
            let (of, with) = parted("insert")?;
            match with.split_first() {
                // A step is an element of a list.
                Some((first, step)) if word(first, "step") => {
                    let comma = Token { kind: TokenKind::Comma, span: first.span };
                    EditKind::After(fragment(of)?, [vec![comma], inserted(step)?].concat())
                }
                _ => EditKind::After(fragment(of)?, inserted(with)?),
            }
        }
        "move" => {
            let (of, behind) = parted("after")?;
            EditKind::Move(fragment(of)?, fragment(behind)?)
        }
        "if" => EditKind::Condition(inserted(rest)?),
        "unless" => {
            let head = &clause.tokens[0];
            let not = Token { kind: TokenKind::Word("not".to_owned()), span: head.span };
            let denied = Token { kind: TokenKind::Paren(inserted(rest)?), span: clause.span };
            EditKind::Condition(vec![not, denied])
        }
        _ => return None,
    })
}

/// The words of a fragment; those in braces, if it has any.
fn fragment(tokens: &[Token]) -> Option<Fragment> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let span = first.span.to(last.span);
    let ordinal = |word: &str| ORDINALS.iter().position(|one| *one == word).map(|at| at + 1);
    match tokens {
        [Token { kind: TokenKind::Brace(inner), .. }] => {
            (!inner.is_empty()).then(|| Fragment { tokens: inner.clone(), nth: None, span })
        }
        [
            Token { kind: TokenKind::Word(the), .. },
            Token { kind: TokenKind::Word(which), .. },
            Token { kind: TokenKind::Brace(inner), .. },
        ] if the == "the" => {
            let nth = Some(ordinal(which)?);
            (!inner.is_empty()).then(|| Fragment { tokens: inner.clone(), nth, span })
        }
        _ => Some(Fragment { tokens: tokens.to_vec(), nth: None, span }),
    }
}

/// What is put in: the words in braces, if it has any. Nothing cannot be put in.
fn inserted(tokens: &[Token]) -> Option<Vec<Token>> {
    let words = match tokens {
        [Token { kind: TokenKind::Brace(inner), .. }] => inner,
        _ => tokens,
    };
    (!words.is_empty()).then(|| words.to_vec())
}

/// What edits do to a clause.
pub(crate) struct Editor<'a> {
    /// The clause before any amendment.
    pub before: &'a Clause,
    /// Whether it is no sentence but what a header says.
    pub in_header: bool,
    /// The regions of coordinates of what amendments have put in.
    pub foreign: &'a dyn Fn(usize) -> bool,
    /// A place in the amendment as it is told.
    pub place: &'a dyn Fn(Span) -> Span,
    /// Moves what is put in to its region.
    pub moved: &'a dyn Fn(&[Token]) -> Vec<Token>,
}

/// Where a fragment stands: a way to a list of tokens, and the tokens there.
type Spot = (Vec<Step>, std::ops::Range<usize>);

/// A step of the way from a clause to a list of tokens in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Into a clause of its block.
    Clause(usize),
    /// Into a group among its tokens.
    Group(usize),
}

impl Editor<'_> {
    /// Makes one edit.
    pub(crate) fn apply(&self, clause: &mut Clause, edit: &Edit) -> Result<(), Finding> {
        let place = (self.place)(edit.span);
        match &edit.kind {
            EditKind::Read(fragment, with) => {
                let (way, range) = self.find(clause, fragment)?;
                change(clause, &way, place, &mut |list| drop(list.splice(range.clone(), (self.moved)(with))));
            }
            EditKind::Before(fragment, with) => {
                let (way, range) = self.find(clause, fragment)?;
                let at = range.start;
                change(clause, &way, place, &mut |list| drop(list.splice(at..at, (self.moved)(with))));
            }
            EditKind::After(fragment, with) => {
                let (way, range) = self.find(clause, fragment)?;
                change(clause, &way, place, &mut |list| {
                    // What others have put there already stands before it.
                    let put = list[range.end..].iter().take_while(|token| self.is_foreign(token)).count();
                    list.splice(range.end + put..range.end + put, (self.moved)(with));
                });
            }
            EditKind::Move(fragment, behind) => {
                let (way, range) = self.find(clause, fragment)?;
                let mut element = Vec::new();
                change(clause, &way, place, &mut |list| element = taken(list, range.clone()));
                if element.is_empty() {
                    let text = format!("`{}` is no element of a list", joined(&fragment.tokens));
                    return Err(Finding::new(Code::BadAmendment, (self.place)(fragment.span), text)
                        .help("elements of a list stand between commas"));
                }
                let (way, range) = self.chosen(clause, behind, &|_| true)?;
                let at = range.end;
                change(clause, &way, place, &mut |list| drop(list.splice(at..at, element.clone())));
            }
            EditKind::Condition(condition) => self.condition(clause, condition, place)?,
        }
        Ok(())
    }

    /// The only place of a fragment among the words that no amendment has put in.
    fn find(&self, clause: &Clause, fragment: &Fragment) -> Result<Spot, Finding> {
        self.chosen(clause, fragment, &|token| !self.is_foreign(token))
    }

    fn chosen(&self, clause: &Clause, fragment: &Fragment, own: &dyn Fn(&Token) -> bool) -> Result<Spot, Finding> {
        let wrong = |code: Code, text: String| Finding::new(code, (self.place)(fragment.span), text);
        let words = joined(&fragment.tokens);
        let all = |clause: &Clause, own: &dyn Fn(&Token) -> bool| {
            let mut found = Vec::new();
            spots(clause, &fragment.tokens, own, &mut Vec::new(), &mut found);
            found
        };
        // Which one is meant is asked of the text before any amendment.
        let first = all(self.before, &|_| true);
        let meant = match (fragment.nth, first.len()) {
            (None, 1) => 0,
            (Some(nth), n) if nth <= n => nth - 1,
            (_, 0) => {
                return Err(wrong(Code::UnknownClause, format!("`{words}` does not stand in the clause"))
                    .help(format!("the clause reads: {}", written(self.before))));
            }
            (None, n) => {
                return Err(wrong(Code::BadAmendment, format!("`{words}` stands in the clause {n} times"))
                    .help(format!("name more of it, or say which: `the second {{ {words} }}`")));
            }
            (Some(_), n) => {
                return Err(wrong(Code::UnknownClause, format!("`{words}` stands in the clause only {n} times")));
            }
        };
        let place = first.get(meant).and_then(|spot| first_of(self.before, spot));
        let still = all(clause, own).into_iter().find(|spot| place.is_some() && first_of(clause, spot) == place);
        still.ok_or_else(|| {
            wrong(Code::AmendmentsConflict, format!("another reading in force changes `{words}`, or a part of it"))
                .help("choose one of the two readings, or name a fragment that only one of them changes")
        })
    }

    fn is_foreign(&self, token: &Token) -> bool {
        clause_index(token.span.start).is_some_and(|index| (self.foreign)(index))
    }

    /// Adds a condition: to the one that the clause has, else where a condition of such a clause stands.
    fn condition(&self, clause: &mut Clause, condition: &[Token], place: Span) -> Result<(), Finding> {
        let condition = (self.moved)(condition);
        let word = |text: &str| Token { kind: TokenKind::Word(text.to_owned()), span: place };
        let group = |tokens: Vec<Token>| Token { kind: TokenKind::Paren(tokens), span: place };
        if self.in_header {
            let old = std::mem::take(&mut clause.tokens);
            clause.tokens = vec![group(old), word("and"), group(condition)];
            return Ok(());
        }
        if clause.block.is_some() {
            return Err(Finding::new(
                Code::BadAmendment,
                place,
                "a clause with clauses in it has no condition of its own",
            )
            .help("name one of the clauses in it"));
        }
        let is = |token: &Token, word: &str| matches!(&token.kind, TokenKind::Word(w) if w == word);
        let colon = clause.tokens.iter().position(|token| token.kind == TokenKind::Colon);
        // The condition ends before the colon, or before what is done, else with the sentence.
        let braces = clause.tokens.iter().position(|token| matches!(token.kind, TokenKind::Brace(_)));
        let end = colon.or(braces).unwrap_or(clause.tokens.len());
        let begins =
            |(at, token): (usize, &Token)| is(token, "if") || at == 0 && (is(token, "while") || is(token, "needs"));
        let head = clause.tokens.first().filter(|token| {
            ["when", "at", "while", "play", "may", "if", "needs", "cannot", "must"].iter().any(|one| is(token, one))
        });
        let allowed =
            colon.is_some() || head.is_some() || clause.tokens.iter().any(|t| is(t, "cannot") || is(t, "must"));
        match clause.tokens[..end].iter().enumerate().position(begins) {
            Some(at) => {
                let old: Vec<Token> = clause.tokens.drain(at + 1..end).collect();
                let both = [group(old), word("and"), group(condition)];
                clause.tokens.splice(at + 1..at + 1, both);
                Ok(())
            }
            None if allowed => {
                clause.tokens.splice(end..end, std::iter::once(word("if")).chain(condition));
                Ok(())
            }
            None => {
                let body = std::mem::take(&mut clause.tokens);
                let braced = Token { kind: TokenKind::Brace(body), span: clause.span };
                clause.tokens = std::iter::once(word("if")).chain(condition).chain([braced]).collect();
                Ok(())
            }
        }
    }
}

/// All places of a row of tokens in a clause, in the order of the text.
fn spots(clause: &Clause, wanted: &[Token], own: &dyn Fn(&Token) -> bool, way: &mut Vec<Step>, found: &mut Vec<Spot>) {
    in_list(&clause.tokens, wanted, own, way, found);
    for (at, inner) in clause.block.iter().flatten().enumerate() {
        way.push(Step::Clause(at));
        spots(inner, wanted, own, way, found);
        way.pop();
    }
}

fn in_list(list: &[Token], wanted: &[Token], own: &dyn Fn(&Token) -> bool, way: &mut Vec<Step>, found: &mut Vec<Spot>) {
    for at in 0..list.len() {
        let here = list.get(at..at + wanted.len());
        if here.is_some_and(|here| here.iter().zip(wanted).all(|(one, other)| is_same(one, other, own))) {
            found.push((way.clone(), at..at + wanted.len()));
        }
        if let TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) = &list[at].kind {
            way.push(Step::Group(at));
            in_list(inner, wanted, own, way, found);
            way.pop();
        }
    }
}

/// The place of the first token at a spot.
fn first_of(clause: &Clause, (way, range): &Spot) -> Option<Span> {
    match way.split_first() {
        Some((Step::Clause(at), rest)) => first_of(clause.block.as_ref()?.get(*at)?, &(rest.to_vec(), range.clone())),
        _ => {
            let mut list = clause.tokens.as_slice();
            for step in way {
                let Step::Group(at) = step else { return None };
                let (TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner)) =
                    &list.get(*at)?.kind
                else {
                    return None;
                };
                list = inner;
            }
            list.get(range.start).map(|token| token.span)
        }
    }
}

/// Whether two tokens are written alike, and the first is one of its own clause.
fn is_same(one: &Token, other: &Token, own: &dyn Fn(&Token) -> bool) -> bool {
    use TokenKind::{Brace, Bracket, Paren};
    if !own(one) {
        return false;
    }
    match (&one.kind, &other.kind) {
        (Paren(a), Paren(b)) | (Bracket(a), Bracket(b)) | (Brace(a), Brace(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b, own))
        }
        (a, b) => a == b,
    }
}

/// Whether two rows of tokens are written alike.
pub(super) fn are_same(one: &[Token], other: &[Token]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other, &|_| true))
}

/// Changes the list of tokens to which a way leads. The clauses of a block on the way are now set where the edit is written.
fn change(clause: &mut Clause, way: &[Step], place: Span, how: &mut dyn FnMut(&mut Vec<Token>)) {
    match (way.split_first(), &mut clause.block) {
        (Some((Step::Clause(at), rest)), Some(block)) => {
            block[*at].span = place;
            change(&mut block[*at], rest, place, how);
        }
        _ => change_group(&mut clause.tokens, way, how),
    }
}

fn change_group(list: &mut Vec<Token>, way: &[Step], how: &mut dyn FnMut(&mut Vec<Token>)) {
    let Some((Step::Group(at), rest)) = way.split_first() else { return how(list) };
    if let TokenKind::Paren(inner) | TokenKind::Bracket(inner) | TokenKind::Brace(inner) = &mut list[*at].kind {
        change_group(inner, rest, how);
    }
}

/// Takes an element out of a list, with the comma that joins it, which comes first; nothing, if no comma does.
fn taken(list: &mut Vec<Token>, range: std::ops::Range<usize>) -> Vec<Token> {
    let is_comma = |at: &usize| list.get(*at).is_some_and(|token| token.kind == TokenKind::Comma);
    let before = range.start.checked_sub(1).filter(is_comma);
    let (comma, all) = match (before, Some(range.end).filter(is_comma)) {
        (Some(at), _) => (at, at..range.end),
        (None, Some(at)) => (at, range.start..at + 1),
        (None, None) => return Vec::new(),
    };
    let element = std::iter::once(list[comma].clone()).chain(list[range].iter().cloned()).collect();
    list.drain(all);
    element
}

/// A clause as text, in a line.
fn written(clause: &Clause) -> String {
    let mut text = joined(&clause.tokens);
    if let Some(block) = &clause.block {
        let inner: Vec<String> = block.iter().map(|one| format!("{}.", written(one))).collect();
        text = format!("{text} {{ {} }}", inner.join(" "));
    }
    text
}
