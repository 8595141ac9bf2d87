//! From pest's pairs to the tree and its slips, in one walk over their beginnings and ends.
//!
//! The strict rules and those of `pest/recovery.pest` give pairs of the same shapes; what only the latter give is a slip.

use crate::diagnose::{self, Sign};
use crate::error::{Code, Finding};
use crate::parser::Rule;
use crate::tree::{Clause, Item, Marker, Span, Token, TokenKind};
use pest::iterators::Tokens;

/// What is wrong with a text, and what it is wrong with.
#[derive(Default)]
pub(crate) struct Slips {
    /// The errors, in no order.
    pub(crate) errors: Vec<Finding>,
    /// The clauses that hold them.
    pub(crate) faulty: Vec<Clause>,
    /// The errors about signs that are never closed, while it is not known which sign shows it.
    unclosed: Vec<usize>,
}

impl Slips {
    /// Adds those of a part of the text.
    pub(crate) fn add(&mut self, part: Slips) {
        let before = self.errors.len();
        self.unclosed.extend(part.unclosed.into_iter().map(|index| index + before));
        self.errors.extend(part.errors);
        self.faulty.extend(part.faulty);
    }

    /// Drops errors that others explain.
    pub(crate) fn without_echoes(&mut self, drop: impl FnOnce(&mut Vec<Finding>)) {
        let before = self.errors.len();
        drop(&mut self.errors);
        if self.errors.len() < before {
            // Which of the rest is unclosed is not known any more; a sign behind them would say no more than they do.
            self.unclosed.clear();
        }
    }

    /// Says of an opening sign that nothing closes it.
    pub(crate) fn unclosed(&mut self, open: Sign) {
        self.unclosed.push(self.errors.len());
        self.errors.push(diagnose::unclosed(open));
    }

    /// A sign closes what was opened before the last of the unclosed ones: it shows that they are.
    pub(crate) fn closed(&mut self, outside: usize, close: Sign) {
        for index in self.unclosed.drain(outside.min(self.unclosed.len())..) {
            if let Some(error) = self.errors.get_mut(index)
                && error.labels.is_empty()
            {
                error.labels.push(diagnose::shown_by(close));
            }
        }
    }
}

/// Makes the tree of the pairs of one text.
pub(crate) struct Builder<'t> {
    text: &'t str,
    /// Where the text begins in the item.
    base: u32,
    steps: Tokens<'t, Rule>,
    /// Where the pair ended that was left last.
    end: usize,
    /// The last sign or word.
    last: Option<(Rule, Span)>,
    /// The group before this place, if its end was not found.
    torn: Option<(usize, Sign)>,
    last_close: Option<Sign>,
    /// True directly behind a brace that closes nothing: a full stop there ends what it should have closed.
    behind_brace: bool,
    /// What is wrong so far.
    pub(crate) slips: Slips,
}

impl<'t> Builder<'t> {
    /// For the pairs of `text`, which begins at `base`.
    pub(crate) fn new(text: &'t str, base: u32, steps: Tokens<'t, Rule>) -> Self {
        let slips = Slips::default();
        Builder { text, base, steps, end: 0, last: None, torn: None, last_close: None, behind_brace: false, slips }
    }

    /// The next pair inside the one that was entered last; `None` where that one ends.
    fn child(&mut self) -> Option<(Rule, usize)> {
        match self.steps.next() {
            Some(pest::Token::Start { rule, pos }) => Some((rule, pos.pos())),
            Some(pest::Token::End { pos, .. }) => {
                self.end = pos.pos();
                None
            }
            None => None,
        }
    }

    /// Leaves the pair that was entered last, with whatever it holds.
    fn skip(&mut self) {
        while self.child().is_some() {
            self.skip();
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    /// From `start` to the last sign or word.
    fn to_last(&self, start: usize) -> Span {
        let start = self.span(start, start);
        self.last.map_or(start, |(_, last)| start.to(last))
    }

    fn str(&self, start: usize, end: usize) -> &'t str {
        &self.text[start..end]
    }

    /// Leaves a pair that is one sign or word, and remembers it.
    fn leaf(&mut self, rule: Rule, start: usize) -> Span {
        self.skip();
        let span = self.span(start, self.end);
        self.last = Some((rule, span));
        self.torn = None;
        span
    }

    /// True if the last sign or word was a quotation mark that takes the rest of its line.
    pub(crate) fn ends_in_quote(&self) -> bool {
        self.last.is_some_and(|(rule, _)| rule == Rule::open_quote)
    }

    /// The brace that opens what the text leads to, if that is its last sign.
    pub(crate) fn brace(&self) -> Option<Sign> {
        self.last.filter(|(rule, _)| *rule == Rule::open_brace).map(|(rule, span)| Sign { rule, span })
    }

    // ---- items

    /// The item of the pairs of `item`, `mended_item` or `mended_heading`.
    pub(crate) fn item(&mut self) -> Item {
        let mut item = Item::default();
        self.child();
        while let Some((rule, at)) = self.child() {
            match rule {
                Rule::head => {
                    item.head_span = self.leaf(rule, at);
                    item.head = self.str(at, self.end).to_owned();
                    item.span = item.head_span;
                }
                Rule::body | Rule::mended_block => {
                    item.has_body = true;
                    item.clauses = self.block(at).0;
                    item.span = item.span.to(self.to_last(at));
                }
                Rule::stop | Rule::open_brace => item.span = item.span.to(self.leaf(rule, at)),
                Rule::lost_stop => {
                    self.lost_stop("end the item with a full stop `.`, or give it a body in braces `{ }`")
                }
                Rule::outside => self.outside(),
                Rule::EOI => self.skip(),
                _ => self.token(rule, at, &mut item.header),
            }
        }
        item
    }

    /// What stands behind the end of the item.
    fn outside(&mut self) {
        let ended = self.last;
        let mut first = None;
        let mut all = None;
        while let Some((rule, at)) = self.child() {
            let span = self.leaf(rule, at);
            all = Some(all.map_or(span, |before: Span| before.to(span)));
            first.get_or_insert((rule, span));
        }
        let (Some((rule, span)), Some(all), Some(ended)) = (first, all, ended) else { return };
        self.slips.errors.push(match Sign::closing(rule, span) {
            Some(close) => diagnose::unopened(close, self.last_close),
            None => diagnose::outside(all, rule == Rule::stop && span == all, ended),
        });
    }

    // ---- clauses

    /// The clauses of the pairs of `clauses` or `mended_clauses`.
    pub(crate) fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        self.child();
        while let Some((rule, at)) = self.child() {
            self.part_of_block(rule, at, &mut clauses);
        }
        clauses
    }

    /// The words before a block, and its marker: of the pairs of `mended_opening`.
    pub(crate) fn opening(&mut self) -> Clause {
        self.child();
        let (Ok(clause) | Err(clause)) = self.clause(0, false);
        clause
    }

    fn part_of_block(&mut self, rule: Rule, at: usize, clauses: &mut Vec<Clause>) {
        match rule {
            Rule::clause | Rule::mended_clause => match self.clause(at, true) {
                Ok(clause) => clauses.push(clause),
                Err(faulty) => self.slips.faulty.push(faulty),
            },
            Rule::lone_brace => {
                // The sentence before it goes on behind it, or its full stop is missing; not both.
                if self.slips.errors.last().is_some_and(|error| self.is_lost_stop(error)) {
                    self.slips.errors.pop();
                }
                self.lone();
                self.behind_brace = true;
                return;
            }
            _ => self.skip(),
        }
        self.behind_brace = false;
    }

    /// True for the error that the last word has no full stop behind it.
    fn is_lost_stop(&self, error: &Finding) -> bool {
        error.code == Code::MissingFullStop && self.last.is_some_and(|(_, span)| span == error.place)
    }

    /// The clauses of a block or body that was entered, and whether a brace closes it.
    fn block(&mut self, at: usize) -> (Vec<Clause>, bool) {
        let outside = self.slips.unclosed.len();
        let mut open = None;
        let mut closed = true;
        let mut clauses = Vec::new();
        while let Some((rule, at)) = self.child() {
            closed &= rule != Rule::lost_close;
            match rule {
                Rule::open_brace | Rule::close_brace | Rule::lost_close => self.sign(rule, at, &mut open, outside),
                _ => self.part_of_block(rule, at, &mut clauses),
            }
        }
        debug_assert!(open.is_some_and(|open: Sign| open.span.start == self.base + at as u32));
        (clauses, closed)
    }

    /// A clause that was entered; an error if it has a slip of its own. `whole`: it must end.
    fn clause(&mut self, start: usize, whole: bool) -> Result<Clause, Clause> {
        let mut clause = Clause::default();
        let mut own = 0;
        let mut before = self.slips.errors.len();
        let mut ended = !whole;
        while let Some((rule, at)) = self.child() {
            match rule {
                Rule::marker if clause.marker.is_none() => clause.marker = Some(self.marker(at)),
                Rule::marker | Rule::mended_marker => self.mended_marker(at, clause.marker.is_some()),
                Rule::block | Rule::mended_block => {
                    ended = true;
                    if clause.tokens.is_empty() {
                        let open = self.span(at, at + 1);
                        self.slips.errors.push(diagnose::empty(open, "no words stand before this brace `{`"));
                    }
                    own += self.slips.errors.len() - before;
                    let (inner, closed) = self.block(at);
                    clause.block = Some(inner);
                    // What a brace that is never closed was to hold, nobody knows: the clause says nothing.
                    own += usize::from(!closed);
                    before = self.slips.errors.len();
                }
                Rule::stop => {
                    ended = true;
                    let span = self.leaf(rule, at);
                    let alone = clause.tokens.is_empty() && self.slips.errors.len() == before;
                    if alone && !std::mem::take(&mut self.behind_brace) {
                        self.slips.errors.push(diagnose::empty(span, "there is no sentence before this full stop `.`"));
                    }
                }
                Rule::lost_stop => {
                    ended = true;
                    self.lost_stop("end every clause with a full stop `.`; semicolons `;` part statements");
                }
                Rule::open_brace => drop(self.leaf(rule, at)),
                Rule::EOI => self.skip(),
                _ => self.token(rule, at, &mut clause.tokens),
            }
        }
        clause.span = self.to_last(start);
        own += self.slips.errors.len() - before;
        if let (false, 0, Some((_, last))) = (ended, own, self.last) {
            self.slips.errors.push(diagnose::empty(last, "nothing stands behind the marker"));
            own += 1;
        }
        if own > 0 { Err(clause) } else { Ok(clause) }
    }

    fn marker(&mut self, start: usize) -> Marker {
        let mut marker = Marker::default();
        while let Some((rule, at)) = self.child() {
            let span = self.leaf(rule, at);
            match rule {
                Rule::label => {
                    if !marker.label.is_empty() {
                        marker.label.push(' ');
                    }
                    marker.label.push_str(self.str(at, self.end));
                }
                Rule::number => match self.str(at, self.end).parse() {
                    Ok(number) if number > 0 => marker.sentences.push(number),
                    _ => self.slips.errors.push(diagnose::no_sentence(span, self.str(at, self.end))),
                },
                _ => {}
            }
        }
        marker.span = self.span(start, self.end);
        marker
    }

    /// Brackets that are no marker, or one too many.
    fn mended_marker(&mut self, at: usize, again: bool) {
        let before = self.slips.errors.len();
        self.group(&mut Vec::new());
        if self.slips.errors.len() == before {
            self.slips.errors.push(diagnose::bad_marker(self.span(at, self.end), again));
        }
    }

    fn lost_stop(&mut self, help: &str) {
        self.skip();
        let Some((rule, span)) = self.last else { return };
        // The sign that is wrong there may have been meant as the full stop.
        let word = self.str((span.start - self.base) as usize, (span.end - self.base) as usize);
        if diagnose::flaw(rule, span, word).is_none() {
            self.slips.errors.push(diagnose::missing_stop(span, word, help));
        }
    }

    // ---- tokens

    /// The tokens of the pairs of `words` or `mended_words`.
    pub(crate) fn words(&mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut first_stop = None;
        self.child();
        while let Some((rule, at)) = self.child() {
            match rule {
                Rule::stop => {
                    let span = self.leaf(rule, at);
                    first_stop.get_or_insert((span, tokens.len()));
                }
                Rule::lone_brace => self.lone(),
                Rule::EOI => self.skip(),
                _ => self.token(rule, at, &mut tokens),
            }
        }
        let none = self.slips.errors.is_empty() && tokens.is_empty();
        self.slips.errors.extend(match first_stop {
            None if none => Some(diagnose::no_words()),
            Some((stop, 0)) => Some(diagnose::empty(stop, "there is no sentence before this full stop `.`")),
            Some((stop, _)) if self.last.is_some_and(|(_, last)| last != stop) => {
                Some(diagnose::misplaced(stop, "only one sentence can stand here"))
            }
            _ => None,
        });
        tokens
    }

    /// Adds what was entered: two tokens for a word with its possessive ending, none for what is no token.
    fn token(&mut self, rule: Rule, at: usize, tokens: &mut Vec<Token>) {
        let kind = match rule {
            Rule::word | Rule::capital => return self.word(rule, at, tokens),
            Rule::quoted => return self.quoted(at, tokens),
            Rule::grouped | Rule::mended_group => {
                while let Some((rule, at)) = self.child() {
                    self.token(rule, at, tokens);
                }
                return;
            }
            Rule::paren | Rule::mended_paren => TokenKind::Paren(self.grouped()),
            Rule::bracket | Rule::mended_bracket => TokenKind::Bracket(self.grouped()),
            Rule::brace | Rule::mended_brace => TokenKind::Brace(self.grouped()),
            Rule::lone_sign | Rule::lone_brace => return self.lone(),
            Rule::COMMENT => return self.skip(),
            _ => {
                let span = self.leaf(rule, at);
                let text = self.str(at, self.end);
                match rule {
                    Rule::section => TokenKind::Reference(text.to_owned()),
                    Rule::op => TokenKind::Op(text.to_owned()),
                    Rule::possessive => TokenKind::Possessive,
                    Rule::comma => TokenKind::Comma,
                    Rule::semi => TokenKind::Semi,
                    Rule::colon => TokenKind::Colon,
                    Rule::number => match text.parse() {
                        Ok(number) => TokenKind::Number(number),
                        Err(_) => return self.slips.errors.push(diagnose::large_number(span)),
                    },
                    Rule::deep => return self.slips.errors.push(diagnose::deep(span)),
                    _ => return self.slips.errors.extend(diagnose::flaw(rule, span, text)),
                }
            }
        };
        tokens.push(Token { kind, span: self.span(at, self.end) });
    }

    /// The word that was entered, and its possessive ending.
    fn word(&mut self, rule: Rule, start: usize, tokens: &mut Vec<Token>) {
        let ending = self.child().map(|(rule, at)| (self.leaf(rule, at), at));
        if ending.is_some() {
            self.child();
        }
        let end = ending.map_or(self.end, |(_, at)| at);
        let text = self.str(start, end).to_owned();
        let kind = if rule == Rule::word { TokenKind::Word(text) } else { TokenKind::Capital(text) };
        self.push_owned(kind, start, end, ending.map(|(span, _)| span), rule, tokens);
    }

    /// The quoted name that was entered, and its possessive ending.
    fn quoted(&mut self, start: usize, tokens: &mut Vec<Token>) {
        let mut name = "";
        let mut ending = None;
        while let Some((rule, at)) = self.child() {
            let span = self.leaf(rule, at);
            match rule {
                Rule::possessive => ending = Some((span, at)),
                _ => name = self.str(at, self.end),
            }
        }
        let end = ending.map_or(self.end, |(_, at)| at);
        let kind = TokenKind::Quoted(name.to_owned());
        self.push_owned(kind, start, end, ending.map(|(span, _)| span), Rule::quoted, tokens);
    }

    fn push_owned(
        &mut self,
        kind: TokenKind,
        start: usize,
        end: usize,
        ending: Option<Span>,
        rule: Rule,
        tokens: &mut Vec<Token>,
    ) {
        let span = self.span(start, end);
        self.torn = None;
        self.last = Some(ending.map_or((rule, span), |ending| (Rule::possessive, ending)));
        tokens.push(Token { kind, span });
        tokens.extend(ending.map(|span| Token { kind: TokenKind::Possessive, span }));
    }

    fn grouped(&mut self) -> Vec<Token> {
        let mut inner = Vec::new();
        self.group(&mut inner);
        inner
    }

    /// What the group holds that was entered.
    fn group(&mut self, inner: &mut Vec<Token>) {
        let outside = self.slips.unclosed.len();
        let mut open = None;
        let mut misplaced = false;
        while let Some((rule, at)) = self.child() {
            match rule {
                Rule::misplaced => {
                    let span = self.leaf(rule, at);
                    let in_braces = open.is_some_and(|open: Sign| open.rule == Rule::open_brace);
                    let help = match in_braces {
                        true => "braces inside a sentence hold statements, parted by semicolons `;`",
                        false => "close the bracket before the sentence ends",
                    };
                    if !std::mem::replace(&mut misplaced, true) {
                        self.slips.errors.push(diagnose::misplaced(span, help));
                    }
                }
                Rule::bracket | Rule::mended_bracket if open.is_none() => {
                    // The brackets of a marker are a pair of their own inside the pair of the marker.
                    self.group(inner);
                }
                rule if open.is_none()
                    || Sign::closing(rule, Span::default()).is_some()
                    || rule == Rule::lost_close =>
                {
                    self.sign(rule, at, &mut open, outside);
                }
                _ => self.token(rule, at, inner),
            }
        }
    }

    /// A sign that opens or closes a group or block, or an empty pair where it should close.
    fn sign(&mut self, rule: Rule, at: usize, open: &mut Option<Sign>, outside: usize) {
        if rule == Rule::lost_close {
            let in_quote = self.ends_in_quote();
            self.skip();
            // The rest of a line is taken for a name, and the sign that closes may be in it.
            if let (Some(open), false) = (*open, in_quote) {
                self.torn = Some((self.slips.errors.len(), open));
                self.slips.unclosed(open);
            }
            return;
        }
        let span = self.leaf(rule, at);
        match Sign::closing(rule, span) {
            Some(close) => {
                self.slips.closed(outside, close);
                self.last_close = Some(close);
            }
            None => *open = Some(Sign { rule, span }),
        }
    }

    /// A sign that closes nothing, or what was opened by a sign of another kind.
    fn lone(&mut self) {
        let torn = self.torn;
        let mut close = None;
        while let Some((rule, at)) = self.child() {
            close = Some(Sign { rule, span: self.leaf(rule, at) });
        }
        let Some(close) = close else { return };
        match torn {
            Some((index, open)) => {
                self.slips.unclosed.retain(|other| *other != index);
                if let Some(error) = self.slips.errors.get_mut(index) {
                    *error = diagnose::crossed(open, close);
                }
            }
            None => self.slips.errors.push(diagnose::unopened(close, self.last_close)),
        }
        self.last_close = Some(close);
    }
}
