//! From the `given` of a scenario to the set-up of a game.

use std::collections::BTreeMap;
use std::sync::Arc;

use netrep_compiler::phrase::lexicon::Lexicon;
use netrep_compiler::phrase::tree::TermKind;
use netrep_compiler::phrases::{Phrases, PositionName};
use netrep_compiler::{Compiler, Diagnostic};
use netrep_diagnostics::Code;
use netrep_engine::{Fact, Setup, StartFrame, ThingId, Value};
use netrep_grammar::tree::{Span, Token, TokenKind};
use netrep_ir::{CardId, ClassId, Cond, NameId, PlaceId, ProcId, Program, RoleId, Sel, StepId, Val};
use serde::{Deserialize, Serialize};

use crate::copies::{Copy, meant};
use crate::layout::spread;
use crate::narrate::title;
use crate::nesting::{Begun, Courses, misplaced};
use crate::problem::Source;
use crate::scenario::{Argument, CardsIn, Given, Name};
use crate::stated::{Stated, happened};
use crate::versions::{Titles, Versions, ambiguous};
use crate::words::{first_word, nearest_name};

/// A position that can be set up, and the names that its scenario uses.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Position {
    /// For the engine.
    pub setup: Setup,
    /// What the labels and names of the scenario stand for.
    pub labels: BTreeMap<String, ThingId>,
    /// Where each fact of the set-up is written.
    pub fact_spans: Vec<Span>,
    /// The labels, for reading phrases.
    pub names: Vec<PositionName>,
    /// Labels of cards: in phrases they are names, in the game they are roles, because a card has a name already.
    aliases: Vec<(NameId, RoleId)>,
}

/// Builds the position of a list of givens.
pub(crate) fn position(
    compiler: &Compiler,
    phrases: &Phrases<'_>,
    given: &[Given],
    source: &Source,
) -> Result<Position, Vec<Diagnostic>> {
    let program = &*phrases.program;
    let courses = phrases.beside(Courses::of);
    let (given, standing) = &spread::told(&compiler.layouts(), (program, &courses), given, source)?;
    let titles = phrases.beside(Titles::of);
    let mut versions = Versions::of(&titles);
    versions.prefer(compiler, phrases, given, source);
    let (position, diags) = (Position::default(), standing.iter().cloned().collect());
    let copies = Vec::new();
    let mut builder =
        Builder { compiler, phrases, program, courses, titles, source, position, versions, copies, diags };
    // Cards come first in a set-up, then what is minted; facts and procedures refer to both.
    let cards = |g: &&Given| matches!(g, Given::Cards(_));
    let mint = |g: &&Given| matches!(g, Given::Mint { .. });
    let mut placed = Vec::new();
    for one in given.iter().filter(cards) {
        if let Given::Cards(list) = one {
            placed.push((list, builder.cards(list)));
        }
    }
    for one in given.iter().filter(mint) {
        if let Given::Mint { class, names } = one {
            builder.mint(class, names);
        }
    }
    for (list, things) in placed {
        builder.put(list, &things);
    }
    for one in given {
        match one {
            Given::Fact(tokens, span) => builder.fact(tokens, *span),
            Given::Begin { procedure, arguments, step } => builder.begin(procedure, arguments, step.as_ref()),
            // Lines have been spread.
            _ => {}
        }
    }
    if builder.diags.is_empty() {
        let begun: Vec<Begun<'_>> = given.iter().filter_map(Begun::of).collect();
        builder.diags.extend(misplaced(program, &builder.courses, &builder.position.setup.start, &begun, source));
    }
    if builder.diags.is_empty() { Ok(builder.position) } else { Err(builder.diags) }
}

impl Position {
    /// A condition in the names of the scenario.
    pub fn condition(
        &self,
        phrases: &Phrases<'_>,
        tokens: &[Token],
        source: &Source,
    ) -> Result<(Cond, String), Diagnostic> {
        let (cond, text) = phrases.condition(tokens, &self.names).map_err(|found| source.placed(found))?;
        Ok((self.unaliased(&cond), text))
    }

    /// A value of the script, and its words.
    pub(crate) fn value(
        &self,
        phrases: &Phrases<'_>,
        tokens: &[Token],
        source: &Source,
    ) -> Result<(Val, String), Diagnostic> {
        let (value, text) = phrases.value(tokens, &self.names).map_err(|found| source.placed(found))?;
        Ok((self.unaliased(&value), text))
    }

    /// Puts roles in place of the labels of cards.
    pub(crate) fn unaliased<T>(&self, phrase: &T) -> T
    where
        T: Clone + serde::Serialize + serde::de::DeserializeOwned,
    {
        in_roles(phrase, &self.aliases)
    }
}

/// Puts roles in place of names.
fn in_roles<T>(phrase: &T, roles: &[(NameId, RoleId)]) -> T
where
    T: Clone + serde::Serialize + serde::de::DeserializeOwned,
{
    if roles.is_empty() {
        return phrase.clone();
    }
    let renamed = serde_json::to_value(phrase).ok().and_then(|mut tree| {
        rename(&mut tree, roles);
        serde_json::from_value(tree).ok()
    });
    // total: a phrase is plain data, which JSON holds whole, before and after.
    renamed.unwrap_or_else(|| phrase.clone())
}

fn rename(tree: &mut serde_json::Value, roles: &[(NameId, RoleId)]) {
    match tree {
        serde_json::Value::Array(parts) => parts.iter_mut().for_each(|part| rename(part, roles)),
        serde_json::Value::Object(fields) => {
            let named = fields.get("Named").and_then(serde_json::Value::as_u64);
            let role = roles.iter().find(|(name, _)| Some(u64::from(name.0)) == named).map(|(_, role)| *role);
            if let Some(role) = role {
                fields.clear();
                fields.insert("Role".to_owned(), role.0.into());
            } else {
                fields.values_mut().for_each(|part| rename(part, roles));
            }
        }
        _ => {}
    }
}

struct Builder<'a> {
    compiler: &'a Compiler,
    phrases: &'a Phrases<'a>,
    program: &'a Program,
    courses: Arc<Courses>,
    titles: Arc<Titles>,
    source: &'a Source,
    position: Position,
    /// Which cards names mean.
    versions: Versions,
    /// The cards of the set-up, in its order.
    copies: Vec<Copy>,
    diags: Vec<Diagnostic>,
}

impl Builder<'_> {
    fn unknown<'n>(&mut self, code: Code, what: &str, name: &Name, known: impl IntoIterator<Item = &'n str>) {
        let text = format!("no {what} is called `{}`", name.text);
        let mut diag = Diagnostic::new(code, self.source.place(name.span), text);
        if let Some(near) = nearest_name(&name.text, known) {
            diag = diag.help(format!("did you mean `{near}`?"));
        }
        self.diags.push(diag);
    }

    /// The base class of a word, which may be its plural.
    fn class(&mut self, name: &Name) -> Option<ClassId> {
        let program = self.program;
        let lexicon = self.compiler.lexicon();
        let terms = lexicon.terms_with(first_word(&name.text).0);
        let term =
            terms.iter().find(|t| t.key.kind == TermKind::Class && t.forms.iter().any(|f| f.text() == name.text));
        let text = match term {
            Some(term) => &*term.key.name,
            None => name.text.as_str(),
        };
        let found = program.classes.iter().position(|class| class.name == text);
        if found.is_none() {
            self.unknown(Code::UnknownClass, "class", name, program.classes.iter().map(|class| class.name.as_str()));
        }
        found.map(ClassId::from_index)
    }

    /// A new name of the position.
    fn new_name(&mut self, name: &Name, class: ClassId) -> Option<NameId> {
        if self.position.names.iter().any(|other| other.label == name.text) {
            let text = format!("`{}` is given twice", name.text);
            self.diags
                .push(Diagnostic::new(Code::GivenTwice, self.source.place(name.span), text).help("use another label"));
            return None;
        }
        let id = NameId::from_index(self.program.names.len() + self.position.setup.names.len());
        self.position.setup.names.push(name.text.clone());
        // total: a program without classes has none for its cards either; then no phrase speaks of one.
        let class = self.program.classes.get(class.index()).map(|class| class.name.clone()).unwrap_or_default();
        self.position.names.push(PositionName { label: name.text.clone(), id, class });
        Some(id)
    }

    fn mint(&mut self, class: &Name, names: &[Name]) {
        let Some(class) = self.class(class) else { return };
        for name in names {
            let Some(id) = self.new_name(name, class) else { continue };
            let setup = &mut self.position.setup;
            let thing = ThingId::from_index(setup.cards.len() + setup.minted.len());
            setup.minted.push((class, Some(id)));
            self.position.labels.insert(name.text.clone(), thing);
        }
    }

    /// Adds cards, which are put into their place later.
    fn cards(&mut self, list: &CardsIn) -> Vec<(ThingId, Span)> {
        let card_class = self.program.services.card;
        if let Some(word) = &list.class
            && self.class(word).is_some_and(|class| class != card_class)
        {
            self.unknown(
                Code::UnknownClass,
                "class",
                word,
                self.program.classes.get(card_class.index()).map(|c| c.name.as_str()),
            );
        }
        let mut things = Vec::new();
        for (card, label) in &list.cards {
            let owner = list.owner.as_ref().map(|owner| owner.text.as_str());
            let Some(id) = self.card(card, owner) else { continue };
            let thing = ThingId::from_index(self.position.setup.cards.len());
            self.position.setup.cards.push(id);
            self.copies.push(Copy::of(thing, list, label.as_ref()));
            things.push((thing, card.span));
            let Some(label) = label else { continue };
            if let Some(name) = self.new_name(label, card_class) {
                let role = RoleId::from_index(self.program.roles.len() + self.position.setup.roles.len());
                self.position.aliases.push((name, role));
                self.position.setup.roles.push((role, Value::Thing(thing)));
                self.position.labels.insert(label.text.clone(), thing);
            }
        }
        things
    }

    /// A card by its id or its name, in a list of a player's.
    fn card(&mut self, name: &Name, owner: Option<&str>) -> Option<netrep_ir::CardId> {
        let program = self.program;
        let called = self.versions.called(&name.text);
        match self.versions.meant(program, owner, &called).as_slice() {
            [one] => Some(netrep_ir::CardId::from_index(*one)),
            [] => {
                self.unknown(Code::UnknownCard, "card", name, program.cards.iter().map(|card| title(program, card)));
                None
            }
            several => {
                self.diags.push(ambiguous(program, several, name, self.source));
                None
            }
        }
    }

    fn push(&mut self, fact: Fact, span: Span) {
        self.position.setup.facts.push(fact);
        self.position.fact_spans.push(span);
    }

    fn put(&mut self, list: &CardsIn, things: &[(ThingId, Span)]) {
        let program = self.program;
        let wanted = match list.place.text.strip_prefix("the ") {
            Some(bare) => bare,
            None => &list.place.text,
        };
        let found = program.places.iter().position(|place| place.name == wanted);
        let Some(found) = found else {
            return self.unknown(
                Code::UnknownPlace,
                "place",
                &list.place,
                program.places.iter().map(|place| place.name.as_str()),
            );
        };
        let owner = match &list.owner {
            Some(name) => match self.thing(name) {
                Some(thing) => Some(thing),
                None => return,
            },
            None => None,
        };
        let owned = program.places.get(found).is_some_and(|place| place.owned);
        if owned && owner.is_none() {
            let text = format!("it does not say whose {wanted} this is");
            self.diags.push(
                Diagnostic::new(Code::NoOwner, self.source.place(list.place.span), text)
                    .help(format!("write `NAME: {wanted} …`")),
            );
        }
        for (thing, span) in things {
            let place = Some(PlaceId::from_index(found));
            self.push(Fact::Put { thing: *thing, place, owner: owner.filter(|_| owned) }, *span);
            if let Some(owner) = owner
                && let Some(attr) = program.services.controller
            {
                self.push(Fact::Attr { attr, thing: *thing, value: Value::Thing(owner) }, *span);
            }
        }
    }

    /// A thing by its label, or a card of the position by its name.
    fn thing(&mut self, name: &Name) -> Option<ThingId> {
        if let Some(thing) = self.position.labels.get(&name.text) {
            return Some(*thing);
        }
        let program = self.program;
        let cards = &self.position.setup.cards;
        match self.titles.there(cards, &name.text).as_slice() {
            [] => {}
            [one] => {
                let copies = self.copies_of(CardId::from_index(*one));
                return match meant(&copies, name, self.source) {
                    Ok(thing) => thing,
                    Err(diag) => {
                        self.diags.push(diag);
                        None
                    }
                };
            }
            several => {
                self.diags.push(ambiguous(program, several, name, self.source));
                return None;
            }
        }
        let titles: Vec<&str> = cards.iter().map(|id| title(program, &program.cards[id.index()])).collect();
        let labels: Vec<String> = self.position.labels.keys().cloned().collect();
        self.unknown(Code::UnknownThing, "thing", name, labels.iter().map(String::as_str).chain(titles));
        None
    }

    /// The cards of the set-up that are copies of one.
    fn copies_of(&self, card: CardId) -> Vec<&Copy> {
        let listed = self.copies.iter().zip(&self.position.setup.cards);
        listed.filter(|(_, id)| **id == card).map(|(copy, _)| copy).collect()
    }

    /// The names of a fact that several copies bear, each with the copy that it means.
    fn told_apart(&self, tokens: &[Token]) -> Result<Vec<(NameId, ThingId)>, Diagnostic> {
        let (program, cards) = (self.program, &self.position.setup.cards);
        let mut found = Vec::new();
        for token in tokens {
            let (TokenKind::Quoted(text) | TokenKind::Capital(text)) = &token.kind else { continue };
            let borne = self.titles.there(cards, text);
            let [card] = borne.as_slice() else { continue };
            let copies = self.copies_of(CardId::from_index(*card));
            if copies.len() < 2 || self.position.labels.contains_key(text) {
                continue;
            }
            let name = Name { text: text.clone(), span: token.span };
            let Some(thing) = meant(&copies, &name, self.source)? else { continue };
            let decl = program.cards.get(*card);
            let by_id = decl.and_then(|decl| program.names.iter().position(|name| *name == decl.id));
            let names = decl.map(|decl| decl.name).into_iter().chain(by_id.map(NameId::from_index));
            found.extend(names.map(|name| (name, thing)));
        }
        Ok(found)
    }

    /// What a fact says, of the copies that are meant.
    fn of_copies(&mut self, cond: &Cond, copies: &[(NameId, ThingId)]) -> Cond {
        let roles = &mut self.position.setup.roles;
        let mut pairs = Vec::new();
        for (name, thing) in copies {
            let role = RoleId::from_index(self.program.roles.len() + roles.len());
            roles.push((role, Value::Thing(*thing)));
            pairs.push((*name, role));
        }
        in_roles(cond, &pairs)
    }

    fn fact(&mut self, tokens: &[Token], span: Span) {
        let shared = tokens.iter().find_map(|token| {
            let TokenKind::Quoted(text) = &token.kind else { return None };
            let several = self.titles.there(&self.position.setup.cards, text);
            (several.len() > 1).then(|| (several, Name { text: text.clone(), span: token.span }))
        });
        if let Some((several, name)) = shared {
            return self.diags.push(ambiguous(self.program, &several, &name, self.source));
        }
        let copies = match self.told_apart(tokens) {
            Ok(copies) => copies,
            Err(diag) => return self.diags.push(diag),
        };
        match self.position.condition(self.phrases, tokens, self.source) {
            Ok((cond, text)) => {
                let cond = self.of_copies(&cond, &copies);
                let (program, position, source) = (self.program, &self.position, self.source);
                let stated =
                    Stated { program, courses: &self.courses, titles: &self.titles, position, source, tokens, span };
                // What is listed with commas is all meant.
                let conds = each(cond);
                if let Some(diag) = conds.iter().find_map(|cond| stated.misstated(cond)) {
                    return self.diags.push(diag);
                }
                for cond in conds {
                    let fact = match happened(&cond) {
                        Some(past) => Fact::Past(past, text.clone()),
                        None => Fact::Holds(cond, text.clone()),
                    };
                    self.push(fact, span);
                }
            }
            Err(diag) => self.diags.push(diag),
        }
    }

    /// Refuses a thing of another class than a procedure is performed for.
    fn of_class(&mut self, name: &Name, thing: ThingId, wanted: Option<ClassId>, procedure: &str) {
        let setup = &self.position.setup;
        let class = match thing.index().checked_sub(setup.cards.len()) {
            None => Some(self.program.services.card),
            Some(nth) => setup.minted.get(nth).map(|(class, _)| *class),
        };
        let called = |class: ClassId| self.program.classes.get(class.index()).map(|class| class.name.as_str());
        let words = class.and_then(called).zip(wanted.and_then(called));
        if let Some((is, wanted)) = words.filter(|(is, wanted)| is != wanted) {
            let text = format!("the {procedure} is of a {wanted}, and `{}` is a {is}", name.text);
            let diag = Diagnostic::new(Code::WrongSort, self.source.place(name.span), text);
            self.diags.push(diag.help(format!("name a {wanted}: `for NAME`")));
        }
    }

    fn begin(&mut self, procedure: &Name, arguments: &[Argument], step: Option<&Name>) {
        let program = self.program;
        let Some(found) = program.procs.iter().position(|p| p.name == procedure.text) else {
            return self.unknown(
                Code::UnknownProcedure,
                "procedure",
                procedure,
                program.procs.iter().map(|p| p.name.as_str()),
            );
        };
        let steps = &program.procs[found].steps;
        let step_name = |id: &StepId| program.steps[id.index()].name.as_str();
        let at = match step {
            None => None,
            Some(step) => match steps.iter().find(|id| step_name(id) == step.text) {
                Some(id) => Some(*id),
                None => return self.unknown(Code::UnknownStep, "step", step, steps.iter().map(step_name)),
            },
        };
        let mut values = Vec::new();
        for (nth, argument) in arguments.iter().enumerate() {
            values.push(match argument {
                Argument::Number(n) => Value::Num(*n),
                Argument::Thing(name) => match self.thing(name) {
                    Some(thing) => {
                        let wanted = program.procs[found].parameters.get(nth).map(|(_, class)| *class);
                        self.of_class(name, thing, wanted, &procedure.text);
                        Value::Thing(thing)
                    }
                    None => return,
                },
            });
        }
        self.position.setup.start.push(StartFrame { proc: ProcId::from_index(found), arguments: values, step: at });
    }
}

/// A condition about several things, by their names or labels, as one condition about each.
fn each(cond: Cond) -> Vec<Cond> {
    let Cond::Some(Sel::And(parts)) = &cond else { return vec![cond] };
    let by_name = |sel: &Sel| matches!(sel, Sel::Named(_) | Sel::Role(_));
    let named = |part: &Sel| matches!(part, Sel::Or(names) if names.iter().all(by_name));
    let Some(at) = parts.iter().position(named) else { return vec![cond] };
    let Some(Sel::Or(names)) = parts.get(at) else { return vec![cond] };
    let with = |name: &Sel| {
        let mut parts = parts.clone();
        if let Some(part) = parts.get_mut(at) {
            *part = name.clone();
        }
        Cond::Some(Sel::And(parts))
    };
    names.iter().map(with).collect()
}
