//! What a position may state of its things: of such as are named, that one thing is so, where nothing else says it already.
//!
//! A fact that leaves open what is so, that says what is not so, or that is said of nothing in the position would be made true
//! in some way, or hold by itself; and what is printed is so without a fact. Each is refused.

use netrep_compiler::Diagnostic;
use netrep_compiler::phrase::lexicon::is_id;
use netrep_diagnostics::Code;
use netrep_engine::ThingId;
use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_ir::{AttrId, Block, CardId, CmpOp, Cond, NameId, Num, Past, Program, RoleId, Sel, Statement, Val};

use crate::nesting::Courses;
use crate::position::Position;
use crate::problem::Source;
use crate::versions::Titles;

/// A fact as it is written in a scenario.
pub(crate) struct Stated<'a> {
    pub program: &'a Program,
    pub courses: &'a Courses,
    pub titles: &'a Titles,
    pub position: &'a Position,
    pub source: &'a Source,
    pub tokens: &'a [Token],
    pub span: Span,
}

impl Stated<'_> {
    /// Why a condition is no fact of a position, if it is none.
    pub(crate) fn misstated(&self, cond: &Cond) -> Option<Diagnostic> {
        self.misworded(self.may_deny(cond)).or_else(|| self.of_nothing(cond)).or_else(|| {
            let (attr, of) = stated(cond)?;
            let things = self.things(of);
            self.printed(attr, &things).or_else(|| self.negative(attr, cond))
        })
    }

    fn told(&self, code: Code, span: Span, text: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.source.place(span), text).help(help)
    }

    /// True if a condition says that a fact is not so which would follow from where the game stands.
    fn may_deny(&self, cond: &Cond) -> bool {
        let denied = match cond {
            Cond::Not(inner) => stated(inner).map(|(attr, _)| attr),
            Cond::Some(Sel::And(parts)) if parts.iter().any(is_named) => parts.iter().find_map(|part| match part {
                Sel::Not(inner) => match **inner {
                    Sel::Flag(attr) => Some(attr),
                    _ => None,
                },
                _ => None,
            }),
            _ => None,
        };
        denied.is_some_and(|attr| self.courses.is_evident(attr))
    }

    /// A word or sign that leaves open what is so, or says what is not.
    fn misworded(&self, denied: bool) -> Option<Diagnostic> {
        let (at, text, help) = self.tokens.iter().find_map(|token| match &token.kind {
            TokenKind::Word(word) if word == "or" => Some((
                token,
                "this leaves open what is so",
                "say what is so; where it is so of several things, part them with commas: `\"A\", \"B\" are …`",
            )),
            TokenKind::Word(word) if matches!(word.as_str(), "not" | "no") && !denied => {
                Some((token, "this says what is not so", "say what is so; what is not given is as it is at first"))
            }
            TokenKind::Op(sign) if matches!(sign.as_str(), "<" | ">" | "<=" | ">=" | "!=") => {
                Some((token, "this leaves open how many there are", "say how many: `is 3`"))
            }
            _ => None,
        })?;
        Some(self.told(Code::ScenarioClause, at.span, text, help))
    }

    /// A fact about no thing that is named, or one that names what is not there.
    fn of_nothing(&self, cond: &Cond) -> Option<Diagnostic> {
        if let Cond::During(_) = cond {
            let help = "write `at STEP for NAME.`";
            return Some(self.told(Code::ScenarioClause, self.span, "what runs is begun", help));
        }
        if happened(cond).is_some_and(|past| !past.roles.iter().flatten().all(is_named)) {
            let text = "what has happened is told of things by their names";
            let help = "give what is meant a name, and write the name: `CLASS NAME.`, `\"NAME\" as LABEL`";
            return Some(self.told(Code::ScenarioClause, self.span, text, help));
        }
        if !self.names_a_thing(cond) {
            let text = "this is said of no thing by its name";
            let help = "name the things of which it is so: `\"NAME\" is …`, `\"A\", \"B\" are …`, `… of NAME is …`";
            return Some(self.told(Code::ScenarioClause, self.span, text, help));
        }
        let missing = self.tokens.iter().find_map(|token| match &token.kind {
            TokenKind::Quoted(name) if !self.is_there(name) => Some((token.span, name)),
            TokenKind::Capital(id) if is_id(id) && !self.is_labelled(id) && !self.is_there(id) => {
                Some((token.span, id))
            }
            _ => None,
        });
        let (at, name) = missing?;
        let help = format!("put it into the position first: `NAME: PLACE \"{name}\".`");
        Some(self.told(Code::UnknownThing, at, format!("no card in the position is called \"{name}\""), help))
    }

    /// Whether a condition is about things by their names.
    fn names_a_thing(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Some(sel) | Cond::Every(sel, _) => self.is_subject(sel),
            Cond::Cmp(_, Num::Attr(_, of) | Num::AttrFor(_, of, _), _) => self.is_subject(of),
            Cond::And(parts) => parts.iter().all(|part| self.names_a_thing(part)),
            Cond::Not(inner) => self.names_a_thing(inner),
            Cond::Did(past) => past.roles.iter().any(Option::is_some),
            // Terms are compared, each of which is of a thing.
            Cond::Same(..) => true,
            _ => false,
        }
    }

    fn is_subject(&self, sel: &Sel) -> bool {
        match sel {
            Sel::And(parts) => parts.iter().any(|part| self.is_subject(part)),
            Sel::Image(_, of) => self.is_subject(of),
            // What is printed on a card has no name of its own.
            Sel::Preimage(attr, of) => self.is_host(*attr) && self.is_subject(of),
            sel => is_named(sel),
        }
    }

    /// True for the fact by which things that are printed on cards have their cards.
    fn is_host(&self, attr: AttrId) -> bool {
        self.program.cards.iter().flat_map(|card| &card.parts).any(|part| part.host == attr)
    }

    fn is_there(&self, name: &str) -> bool {
        !self.titles.there(&self.position.setup.cards, name).is_empty()
    }

    /// Whether a name is that of a card, or its id.
    fn is_card(&self, card: CardId, name: NameId) -> bool {
        let id = self.program.names.get(name.index());
        self.program.cards.get(card.index()).is_some_and(|card| card.name == name || Some(&card.id) == id)
    }

    fn is_labelled(&self, label: &str) -> bool {
        self.position.labels.contains_key(label)
    }

    /// The things that names mean.
    fn things(&self, of: &Sel) -> Vec<ThingId> {
        match of {
            Sel::Named(name) => self.named(*name),
            Sel::Role(role) => self.labelled(*role).into_iter().collect(),
            Sel::Or(several) => several.iter().flat_map(|one| self.things(one)).collect(),
            _ => Vec::new(),
        }
    }

    fn named(&self, name: NameId) -> Vec<ThingId> {
        let of_position = self.position.names.iter().find(|own| own.id == name);
        if let Some(own) = of_position {
            return self.position.labels.get(&own.label).copied().into_iter().collect();
        }
        let cards = self.position.setup.cards.iter().enumerate();
        let called = cards.filter(|(_, id)| self.is_card(**id, name));
        called.map(|(nth, _)| ThingId::from_index(nth)).collect()
    }

    fn labelled(&self, role: RoleId) -> Option<ThingId> {
        let bound = self.position.setup.roles.iter().find(|(own, _)| *own == role)?;
        match bound.1 {
            netrep_engine::Value::Thing(thing) => Some(thing),
            _ => None,
        }
    }

    /// What is printed is given of no card: what stands on it is so.
    fn printed(&self, attr: AttrId, things: &[ThingId]) -> Option<Diagnostic> {
        let decl = self.program.attrs.get(attr.index())?;
        let cards = things.iter().filter_map(|thing| self.position.setup.cards.get(thing.index()));
        let mut cards = cards.filter_map(|id| self.program.cards.get(id.index()));
        // What cards have printed, other things may have as a state.
        let figure = !decl.dynamic && matches!(decl.source, netrep_ir::Source::Stored { .. });
        if !cards.any(|card| figure || card.figures.iter().any(|(own, _)| *own == attr)) {
            return None;
        }
        let name = &decl.name;
        let text = format!("the {name} of a card is printed, and no position gives another");
        let help =
            "take the fact away; a card that prints it so, or something that modifies it, can be put into the position";
        Some(self.told(Code::ImpossiblePosition, self.span, text, help))
    }

    /// A number below 0 that nothing in the rules sets so low.
    fn negative(&self, attr: AttrId, cond: &Cond) -> Option<Diagnostic> {
        let Cond::Cmp(CmpOp::Eq, _, Num::Int(number)) = cond else { return None };
        if *number >= 0 || self.program.blocks.iter().any(|block| sets_below(block, attr)) {
            return None;
        }
        let name = &self.program.attrs.get(attr.index())?.name;
        let text = format!("the {name} is never below 0");
        Some(self.told(Code::ImpossiblePosition, self.span, text, "give 0 or more"))
    }
}

/// Whether a block sets a number to what may be below 0: to less than something, or to what a role or a roll says.
fn sets_below(block: &Block, attr: AttrId) -> bool {
    block.statements.iter().any(|(statement, _)| match statement {
        Statement::Set { attr: set, value: Val::Num(number), .. } => *set == attr && may_be_below(number),
        Statement::Create { values, .. } => {
            values.iter().any(|(set, value)| *set == attr && matches!(value, Val::Num(number) if may_be_below(number)))
        }
        _ => false,
    })
}

fn may_be_below(number: &Num) -> bool {
    match number {
        Num::Int(n) => *n < 0,
        Num::Count(_) => false,
        Num::Add(a, b) | Num::Mul(a, b) | Num::Quotient(a, b, _) => may_be_below(a) || may_be_below(b),
        Num::Max(of) => of.iter().all(may_be_below),
        Num::Min(of) => of.iter().any(may_be_below),
        // What a fact counts is not below 0 if nothing sets it so; that is asked of the fact which is given alone.
        Num::Attr(..) | Num::Base(..) | Num::AttrFor(..) | Num::Total(..) | Num::Extreme(..) => false,
        Num::Sub(..) | Num::Slot(_) | Num::Role(_) | Num::Given(..) | Num::Least(..) | Num::Alternatives(..) => true,
    }
}

/// What has happened, if a condition says only that.
pub(crate) fn happened(cond: &Cond) -> Option<Past> {
    match cond {
        Cond::Did(past) => Some(Past::clone(past)),
        Cond::Some(Sel::And(parts)) => {
            let (of_history, others): (Vec<&Sel>, Vec<&Sel>) =
                parts.iter().partition(|part| matches!(part, Sel::Happened(..)));
            let ([Sel::Happened(past, role)], [whom]) = (of_history.as_slice(), others.as_slice()) else { return None };
            let mut past = Past::clone(past);
            *past.roles.get_mut(usize::from(*role))? = Some(Sel::clone(whom));
            Some(past)
        }
        _ => None,
    }
}

/// The fact that a condition states, and of whom.
fn stated(cond: &Cond) -> Option<(AttrId, &Sel)> {
    match cond {
        Cond::Cmp(CmpOp::Eq, Num::Attr(attr, of) | Num::AttrFor(attr, of, _), _) => Some((*attr, of)),
        Cond::Some(Sel::And(parts)) => {
            let image = parts.iter().find_map(|part| match part {
                Sel::Image(attr, of) if is_named(of) => Some((*attr, &**of)),
                _ => None,
            });
            image.or_else(|| {
                let of = parts.iter().find(|part| is_named(part))?;
                let attr = parts.iter().find_map(|part| match part {
                    Sel::EntryIs(attr, _)
                    | Sel::Preimage(attr, _)
                    | Sel::NameIs(attr, _)
                    | Sel::Flag(attr)
                    | Sel::EntryIsValue(attr, _) => Some(*attr),
                    Sel::NumIs(attr, ..) => Some(*attr),
                    _ => None,
                })?;
                Some((attr, of))
            })
        }
        _ => None,
    }
}

/// Names and labels alone.
fn is_named(sel: &Sel) -> bool {
    match sel {
        Sel::Named(_) | Sel::Role(_) => true,
        Sel::Or(several) => !several.is_empty() && several.iter().all(is_named),
        _ => false,
    }
}
