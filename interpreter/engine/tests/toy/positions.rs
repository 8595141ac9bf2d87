//! Positions of the toy game, and what is read from them.

use std::sync::Arc;

use netrep_engine::*;
use netrep_ir::*;

use super::*;

pub(crate) const FERN: ThingId = ThingId(0);
pub(crate) const MOSS: ThingId = ThingId(1);
pub(crate) const DEW: ThingId = ThingId(4);
pub(crate) const WIND: ThingId = ThingId(5);
pub(crate) const SEED: ThingId = ThingId(6);
pub(crate) const SHELL: ThingId = ThingId(7);
pub(crate) const FERN2: ThingId = ThingId(8);

pub(crate) fn at(facts: Vec<Fact>, start: Vec<StartFrame>) -> Game {
    with(toy(), facts, start)
}

pub(crate) fn with(program: Program, facts: Vec<Fact>, start: Vec<StartFrame>) -> Game {
    let program = Arc::new(program);
    let mut setup = setup(&program);
    setup.facts.extend(facts);
    setup.start = start;
    let mut game = Game::new(program, setup).unwrap_or_else(|e| panic!("{e:?}"));
    game.set_tracing(true);
    game
}

pub(crate) fn season(step: StepId) -> Vec<StartFrame> {
    vec![StartFrame { proc: SEASON, arguments: vec![Value::Thing(ANN)], step: Some(step) }]
}

pub(crate) fn attr(thing: ThingId, attr: AttrId, value: Value) -> Fact {
    Fact::Attr { attr, thing, value }
}

pub(crate) fn lies(thing: ThingId) -> Fact {
    attr(thing, POSTURE, Value::Entry(LIES))
}

pub(crate) fn into(thing: ThingId, place: PlaceId, keeper: ThingId) -> [Fact; 2] {
    [Fact::Put { thing, place: Some(place), owner: Some(keeper) }, attr(thing, KEEPER, Value::Thing(keeper))]
}

pub(crate) fn num(game: &Game, attr: AttrId, thing: ThingId) -> i32 {
    game.derive(attr, thing).value
}

pub(crate) fn texts(game: &Game, kind: TraceKind) -> Vec<&str> {
    game.trace().iter().filter(|e| e.kind == kind).map(|e| e.text.as_str()).collect()
}

/// A season whose step `rest` is these statements; the blocks come first.
pub(crate) fn resting(blocks: Vec<Vec<Statement>>, statements: impl FnOnce(&[BlockId]) -> Vec<Statement>) -> Program {
    let mut toy = Toy { p: toy() };
    let clause = toy.p.steps[REST.index()].clause;
    let ids: Vec<BlockId> = blocks.into_iter().map(|s| toy.block(clause, s)).collect();
    let body = toy.p.steps[REST.index()].body;
    toy.p.blocks[body.index()].statements = statements(&ids).into_iter().map(|s| (s, SiteId(0))).collect();
    toy.p
}

/// Bob's name comes after those of the cards.
pub(crate) fn named_bob() -> NameId {
    NameId::from_index(toy().names.len() + 1)
}

/// Ann's plant of a name.
pub(crate) fn her(name: &str) -> Sel {
    and([Sel::Named(named(&toy(), name)), Sel::Not(b(kept_by(Sel::Named(named_bob()))))])
}

/// A toy to which a card's clause can be added.
pub(crate) fn on(card: &str, label: &str) -> (Toy, ClauseId) {
    let mut t = Toy { p: toy() };
    let name = named(&t.p, card);
    let card = t.p.cards.iter().position(|c| c.name == name).map(CardId::from_index);
    let clause = t.clause(label, card);
    (t, clause)
}
