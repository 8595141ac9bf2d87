//! A toy game as hand-made IR: two gardeners, plants that stand or lie, a basket, a heap, a field.

use std::sync::Arc;

use netrep_engine::*;
use netrep_ir::*;

mod builder;
pub(crate) mod positions;

pub(crate) use builder::Toy;

pub(crate) const GARDENER: ClassId = ClassId(0);
pub(crate) const PLANT: ClassId = ClassId(1);
pub(crate) const PEBBLE: ClassId = ClassId(2);

pub(crate) const STANDS: EntryId = EntryId(0);
pub(crate) const LIES: EntryId = EntryId(1);
pub(crate) const RED: EntryId = EntryId(2);
pub(crate) const BLUE: EntryId = EntryId(3);

pub(crate) const KEEPER: AttrId = AttrId(0);
pub(crate) const POSTURE: AttrId = AttrId(1);
pub(crate) const STRENGTH: AttrId = AttrId(2);
pub(crate) const HUES: AttrId = AttrId(3);
pub(crate) const LUCK: AttrId = AttrId(4);
pub(crate) const UNDER: AttrId = AttrId(5);
pub(crate) const STURDY: AttrId = AttrId(6);
pub(crate) const WEALTH: AttrId = AttrId(7);
pub(crate) const MARKED: AttrId = AttrId(10);
pub(crate) const SHOWN: AttrId = AttrId(11);

pub(crate) const LOWER: VerbId = VerbId(0);
pub(crate) const RAISE: VerbId = VerbId(1);
pub(crate) const PLAY: VerbId = VerbId(2);
pub(crate) const WILT: VerbId = VerbId(3);
pub(crate) const PRAISE: VerbId = VerbId(4);

pub(crate) const CURRENT: RoleId = RoleId(0);

pub(crate) const FIELD: PlaceId = PlaceId(0);
pub(crate) const BASKET: PlaceId = PlaceId(1);
pub(crate) const HEAP: PlaceId = PlaceId(2);
pub(crate) const MULCH: PlaceId = PlaceId(3);
pub(crate) const LIMBO: PlaceId = PlaceId(4);

pub(crate) const YEAR: ProcId = ProcId(0);
pub(crate) const SEASON: ProcId = ProcId(1);

/// Steps of a season.
pub(crate) const SOW: StepId = StepId(1);
pub(crate) const WORK: StepId = StepId(2);
pub(crate) const STORM: StepId = StepId(3);
pub(crate) const REST: StepId = StepId(4);
pub(crate) const FAIR: StepId = StepId(5);

pub(crate) const HASTY: ActionId = ActionId(0);
pub(crate) const SLOW: ActionId = ActionId(1);

pub(crate) fn named(s: &Program, name: &str) -> NameId {
    NameId::from_index(s.names.iter().position(|n| n == name).unwrap())
}

pub(crate) fn b<T>(x: T) -> Box<T> {
    Box::new(x)
}
pub(crate) fn keeper_of(s: Sel) -> Sel {
    Sel::Image(KEEPER, b(s))
}
pub(crate) fn kept_by(s: Sel) -> Sel {
    Sel::Preimage(KEEPER, b(s))
}
pub(crate) fn and<const N: usize>(parts: [Sel; N]) -> Sel {
    Sel::And(parts.into())
}
pub(crate) fn is(e: EntryId) -> Sel {
    Sel::EntryIs(if e == STANDS || e == LIES { POSTURE } else { HUES }, e)
}
pub(crate) fn role() -> Sel {
    Sel::Role(CURRENT)
}
pub(crate) fn in_field() -> Sel {
    Sel::In(FIELD, None)
}
pub(crate) fn do_(verb: VerbId, sel: Sel) -> Statement {
    Statement::Do { verb, roles: vec![Some(sel)] }
}
pub(crate) fn choose(by: Sel, from: Sel, slot: u8) -> Statement {
    Statement::Choose { by: Some(by), from, slot, optional: None, then: vec![] }
}

/// The whole toy: cards with every kind of clause, a year of seasons.
pub(crate) fn toy() -> Program {
    let mut t = Toy::bare();
    t.actions();
    let year = t.proc("year", &[], true);
    let season = t.proc("season", &[(0, GARDENER)], true);
    let market = t.proc("market", &[], false);
    let clause = t.p.procs[season.index()].clause;
    let others = and([Sel::Class(GARDENER), Sel::Not(b(role()))]);
    let both = Sel::Class(GARDENER);

    // The year: seasons in turn until a gardener's luck is 6 or twelve seasons have passed.
    let year_clause = t.p.procs[year.index()].clause;
    let one =
        t.block(year_clause, vec![Statement::Perform { proc: season, arguments: vec![Val::Things(Sel::Slot(0))] }]);
    let round =
        t.block(year_clause, vec![Statement::ForEach { of: both.clone(), slot: 0, body: one, order: Order::Age }]);
    let lucky = Cond::Some(and([both.clone(), Sel::NumIs(LUCK, CmpOp::Ge, b(Num::Int(6)))]));
    t.step(year, "seasons", vec![Statement::RepeatUntil(round, lucky)]);

    // A season.
    let prologue = t.block(clause, vec![Statement::LetRole(CURRENT, Val::Things(Sel::Slot(0)))]);
    t.p.procs[season.index()].prologue = Some(prologue);
    let take =
        t.block(clause, vec![Statement::Put { what: Sel::Slot(1), place: BASKET, of: Some(role()), bottom: false }]);
    t.step(
        season,
        "sow",
        vec![Statement::Choose {
            by: Some(role()),
            from: Sel::In(HEAP, Some(b(role()))),
            slot: 1,
            optional: Some((take, None)),
            then: vec![],
        }],
    );
    t.step(
        season,
        "work",
        vec![Statement::Window {
            admits: vec![
                Admit { by: role(), whilst: None, footprints: vec![] },
                Admit { by: others, whilst: None, footprints: vec![Footprint::Does(RAISE, None)] },
            ],
            response: false,
        }],
    );
    let storm = t.block(clause, vec![choose(role(), and([in_field(), kept_by(role())]), 3), do_(WILT, Sel::Slot(3))]);
    t.step(
        season,
        "storm",
        vec![
            Statement::Roll { by: role(), dice: Some(1), slot: 2, subject: Some(role()), values: vec![] },
            Statement::If(Cond::Cmp(CmpOp::Ge, Num::Slot(2), Num::Int(4)), storm, None),
        ],
    );
    let praise = t.block(clause, vec![do_(PRAISE, role())]);
    let raise = t.block(clause, vec![do_(RAISE, and([in_field(), is(LIES)]))]);
    let rest = t.step(season, "rest", vec![Statement::ChooseOne { by: role(), branches: vec![praise, raise] }]);
    let mint = t.block(
        clause,
        vec![
            Statement::Create { class: PEBBLE, slot: 4, values: vec![(UNDER, Val::Things(Sel::Slot(3)))], from: None },
            Statement::Remove(and([Sel::Class(PEBBLE), Sel::Not(b(Sel::Slot(4)))])),
        ],
    );
    t.step(
        season,
        "fair",
        vec![
            Statement::May { by: role(), body: mint, otherwise: None },
            Statement::Perform { proc: market, arguments: vec![] },
        ],
    );
    let site = t.site(clause, "the current gardener is lucky");
    let very = Cond::Some(and([role(), Sel::NumIs(LUCK, CmpOp::Ge, b(Num::Int(5)))]));
    t.p.procs[season.index()].guard = Some((very, Some(rest), site));

    // A market: the two take turns.
    let gift = t.block(clause, vec![do_(PRAISE, both.clone())]);
    t.step(market, "bargain", vec![Statement::May { by: role(), body: gift, otherwise: None }]);
    let first_of_others = and([both.clone(), Sel::Not(b(role()))]);
    let lower = t.block(clause, vec![do_(LOWER, Sel::Slot(1))]);
    t.step(
        market,
        "haggle",
        vec![Statement::Choose {
            by: Some(first_of_others),
            from: and([in_field(), is(STANDS)]),
            slot: 1,
            optional: Some((lower, None)),
            then: vec![Act { verb: LOWER, roles: vec![Some(Sel::Slot(1))], cost: false, site }],
        }],
    );

    // Rules: any plant may be planted; a lying plant of yours may be raised.
    let plant = t.clause("rule plant", None);
    let planting = Allowance {
        action: Some(SLOW),
        by: Sel::Empty,
        footprint: vec![Footprint::Does(PLAY, None)],
        ..t.allowance(plant, "plant")
    };
    t.p.allowances.push(planting);
    let raising = t.clause("rule raise", None);
    let site = t.site(raising, "a lying plant");
    let effect = t.block(raising, vec![do_(RAISE, Sel::Slot(0))]);
    let raising = Allowance {
        by: both.clone(),
        parameters: vec![Parameter {
            slot: 0,
            from: Pool::Things(vec![in_field(), is(LIES)]),
            site,
            word: String::new(),
            several: None,
        }],
        effect: Some(effect),
        acts: vec![Act { verb: RAISE, roles: vec![Some(Sel::Slot(0))], cost: false, site }],
        footprint: vec![Footprint::Does(RAISE, Some(PLANT))],
        limit: Some((2, season)),
        ..t.allowance(raising, "raise")
    };
    t.p.allowances.push(raising);
    // Carried by red plants: lower two other plants, praise its keeper.
    let pair = t.clause("rule pair", None);
    let (s1, s2, s3) = (
        t.site(pair, "a standing plant"),
        t.site(pair, "another standing plant"),
        t.site(pair, "the keeper's luck is below 4"),
    );
    let cost = t.block(pair, vec![do_(LOWER, Sel::Slot(0)), do_(LOWER, Sel::Slot(1))]);
    let effect = t.block(pair, vec![do_(PRAISE, keeper_of(Sel::This))]);
    let pairing = Allowance {
        carriers: Some(and([in_field(), is(RED)])),
        by: keeper_of(Sel::This),
        parameters: vec![
            Parameter {
                slot: 0,
                from: Pool::Things(vec![in_field(), is(STANDS)]),
                site: s1,
                word: "with".into(),
                several: None,
            },
            Parameter {
                slot: 1,
                from: Pool::Things(vec![in_field(), is(STANDS)]),
                site: s2,
                word: "and".into(),
                several: None,
            },
        ],
        requirements: vec![Requirement {
            cond: Cond::Cmp(CmpOp::Lt, Num::Attr(LUCK, b(keeper_of(Sel::This))), Num::Int(4)),
            clause: pair,
            site: s3,
            at_resolution: true,
        }],
        cost: Some(cost),
        effect: Some(effect),
        acts: vec![
            Act { verb: LOWER, roles: vec![Some(Sel::Slot(0))], cost: true, site: s1 },
            Act { verb: LOWER, roles: vec![Some(Sel::Slot(1))], cost: true, site: s2 },
            Act { verb: PRAISE, roles: vec![Some(keeper_of(Sel::This))], cost: false, site: s3 },
        ],
        footprint: vec![Footprint::Does(LOWER, Some(PLANT)), Footprint::Does(PRAISE, None)],
        ..t.allowance(pair, "pair")
    };
    t.p.allowances.push(pairing);

    cards(&mut t, season);
    t.p.services.stages = vec![Sel::Named(named(&t.p, "Moss"))];
    let fits = t.clause("invariant kept", None);
    t.p.invariants.push(Invariant { clause: fits, cond: Cond::Every(in_field(), kept_by(both)) });
    t.p
}

fn cards(t: &mut Toy, season: ProcId) {
    // Fern: lower it, then praise its keeper; once a season.
    let fern = t.card("F-1", "Fern", 3, &[RED]);
    let clause = t.clause("F-1 water", Some(fern));
    let site = t.site(clause, "lower this");
    let (cost, effect) =
        (t.block(clause, vec![do_(LOWER, Sel::This)]), t.block(clause, vec![do_(PRAISE, keeper_of(Sel::This))]));
    let water = Allowance {
        card: Some(fern),
        by: keeper_of(Sel::This),
        limit: Some((1, season)),
        cost: Some(cost),
        effect: Some(effect),
        acts: vec![Act { verb: LOWER, roles: vec![Some(Sel::This)], cost: true, site }],
        footprint: vec![Footprint::Does(PRAISE, Some(GARDENER))],
        ..t.allowance(clause, "water")
    };
    t.p.allowances.push(water);

    // Moss: plants of its keeper get +2 strength, not above 4.
    let moss = t.card("M-1", "Moss", 1, &[BLUE]);
    let clause = t.clause("M-1 bonus", Some(moss));
    let others = and([in_field(), kept_by(keeper_of(Sel::This)), Sel::Not(b(Sel::This))]);
    t.modifier(clause, STRENGTH, others, Change::Add { amount: Num::Int(2), max: Some(Num::Int(4)), min: None });

    // Thorn: plants of others cannot be raised. Gate: red ones may.
    let thorn = t.card("T-1", "Thorn", 2, &[]);
    let clause = t.clause("T-1 bar", Some(thorn));
    t.norm(clause, NormKind::Cannot, RAISE, Sel::Not(b(kept_by(keeper_of(Sel::This)))));
    let gate = t.card("G-1", "Gate", 2, &[]);
    let clause = t.clause("G-1 leave", Some(gate));
    t.norm(clause, NormKind::Permit, RAISE, is(RED));

    // Dew, played hastily: a plant gets +1 strength for the season.
    let dew = t.card("D-1", "Dew", 0, &[]);
    let clause = t.clause("D-1 effect", Some(dew));
    let site = t.site(clause, "a plant in the field");
    let id = t.modifier(clause, STRENGTH, Sel::Slot(0), Change::Add { amount: Num::Int(1), max: None, min: None });
    t.p.modifiers[id.index()].delayed = true;
    let effect = t.block(
        clause,
        vec![Statement::Effect { what: EffectKind::Modifier(id), lasting: Lasting::Procedure(season), kept: vec![] }],
    );
    let dewing = Allowance {
        card: Some(dew),
        action: Some(HASTY),
        by: Sel::Empty,
        parameters: vec![Parameter {
            slot: 0,
            from: Pool::Things(vec![Sel::Class(PLANT), in_field()]),
            site,
            word: "on".into(),
            several: None,
        }],
        effect: Some(effect),
        footprint: vec![Footprint::Modifies(PLANT, Some(STRENGTH)), Footprint::Does(PLAY, None)],
        ..t.allowance(clause, "play")
    };
    t.p.allowances.push(dewing);

    // Wind, played hastily: lowers all plants; a delayed trigger praises whoever keeps a plant raised this season.
    let wind = t.card("W-1", "Wind", 0, &[]);
    let clause = t.clause("W-1 effect", Some(wind));
    let later = t.trigger(clause, RAISE, Sel::All, vec![do_(PRAISE, keeper_of(Sel::Slot(0)))]);
    t.p.triggers[later.index()].delayed = true;
    let effect = t.block(
        clause,
        vec![
            do_(LOWER, and([in_field(), is(STANDS)])),
            Statement::Effect { what: EffectKind::Trigger(later), lasting: Lasting::Procedure(season), kept: vec![] },
        ],
    );
    let winding = Allowance {
        card: Some(wind),
        action: Some(HASTY),
        by: Sel::Empty,
        effect: Some(effect),
        ..t.allowance(clause, "play")
    };
    t.p.allowances.push(winding);

    // Seed: when a plant wilts, its keeper is praised (following); when one is lowered, it is marked (at once).
    let seed = t.card("S-1", "Seed", 1, &[RED, BLUE]);
    let clause = t.clause("S-1 wilt", Some(seed));
    t.trigger(clause, WILT, Sel::All, vec![do_(PRAISE, keeper_of(Sel::This))]);
    let clause = t.clause("S-1 mark", Some(seed));
    let mark = Statement::Set { attr: MARKED, of: Sel::Slot(0), value: Val::Flag(true) };
    let id = t.trigger(clause, LOWER, Sel::All, vec![mark]);
    t.p.triggers[id.index()].immediate = true;

    // Shell: a plant of its keeper that would wilt is lowered instead, if it stands.
    let shell = t.card("H-1", "Shell", 5, &[BLUE]);
    let clause = t.clause("H-1 guard", Some(shell));
    let mine = and([kept_by(keeper_of(Sel::This)), is(STANDS)]);
    let id = t.trigger(clause, WILT, mine, vec![do_(LOWER, Sel::Slot(0))]);
    t.p.triggers[id.index()].instead = true;
}

pub(crate) const ANN: ThingId = ThingId(16);
pub(crate) const BOB: ThingId = ThingId(17);

/// Two of each card: Ann's are things 0 to 7, Bob's 8 to 15. Four of each lie in the field, the rest in basket and heap.
pub(crate) fn setup(program: &Program) -> Setup {
    let cards: Vec<CardId> = (0..2).flat_map(|_| (0..program.cards.len()).map(CardId::from_index)).collect();
    let n = program.cards.len();
    let base = program.names.len();
    let mut facts = Vec::new();
    for i in 0..cards.len() {
        let owner = if i < n { ANN } else { BOB };
        let thing = ThingId::from_index(i);
        let (place, of) = match i % n {
            0..=3 => (FIELD, None),
            4 | 5 => (BASKET, Some(owner)),
            _ => (HEAP, Some(owner)),
        };
        // First to its owner's heap, so that it is known whose it is.
        facts.push(Fact::Put { thing, place: Some(HEAP), owner: Some(owner) });
        facts.push(Fact::Put { thing, place: Some(place), owner: of });
        if place == FIELD {
            facts.push(Fact::Attr { attr: KEEPER, thing, value: Value::Thing(owner) });
        }
    }
    Setup {
        cards,
        minted: vec![(GARDENER, Some(NameId::from_index(base))), (GARDENER, Some(NameId::from_index(base + 1)))],
        names: vec!["Ann".into(), "Bob".into()],
        capacity: 192,
        facts,
        roles: vec![],
        start: vec![StartFrame { proc: YEAR, arguments: vec![], step: None }],
        effects: None,
    }
}

pub(crate) fn game() -> Game {
    let program = Arc::new(toy());
    let setup = setup(&program);
    Game::new(program, setup).unwrap_or_else(|e| panic!("{e:?}"))
}

/// A small generator for tests.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Takes the option of these words.
pub(crate) fn take(game: &mut Game, words: &str) {
    let Some(submission) = game.find(words) else {
        panic!(
            "`{words}` is not offered; offered are {:?}",
            game.options_in_words().iter().map(|o| &o.0).collect::<Vec<_>>()
        );
    };
    game.take(&submission).unwrap_or_else(|e| panic!("{words}: {e}"));
}

pub(crate) fn offered(game: &Game) -> Vec<String> {
    game.options_in_words().into_iter().map(|o| o.0).collect()
}
