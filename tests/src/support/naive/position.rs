//! A position as plain as can be, read from the saved form of a game.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use netrep_engine::{Game, ThingId, Value};
use netrep_ir::*;
use serde_json::Value as Json;

use super::passing::Rolling;
use super::standing::{Given, Has};
use super::{Act, Declared, Effect, Passive, Position, Row, Top, Usage};

struct Saved<'p> {
    json: Json,
    /// For each kind, the id that each saved number stands for.
    ids: BTreeMap<&'static str, Vec<usize>>,
    program: &'p Program,
}

impl<'p> Saved<'p> {
    fn read(program: &'p Program, text: &str) -> Saved<'p> {
        let json: Json = serde_json::from_str(text).unwrap();
        let mut ids = BTreeMap::new();
        for kind in IdKind::ALL {
            let (known, kind) = (program.names_of(*kind), kind.name());
            let used = json["labels"][kind].as_array().cloned().unwrap_or_default();
            let find = |label: &Json| {
                let label = label.as_str().unwrap();
                known.iter().position(|k| k == label).unwrap_or_else(|| panic!("{kind}: no `{label}`"))
            };
            ids.insert(kind, used.iter().map(find).collect());
        }
        Saved { json, ids, program }
    }

    fn id(&self, kind: &str, saved: &Json) -> usize {
        self.ids[kind][usize::try_from(saved.as_u64().unwrap()).unwrap()]
    }

    fn value(&self, saved: &Json) -> Value {
        let mut value: Value = serde_json::from_value(saved.clone()).unwrap();
        if let Value::Entry(entry) = &mut value {
            *entry = EntryId::from_index(self.ids["entries"][entry.index()]);
        }
        value
    }

    fn values(&self, saved: &Json) -> Vec<Value> {
        array(saved).iter().map(|v| self.value(v)).collect()
    }

    fn attr(&self, saved: &Json) -> AttrId {
        AttrId::from_index(self.id("attributes", saved))
    }
}

fn array(json: &Json) -> &[Json] {
    json.as_array().unwrap_or_else(|| panic!("no list: {json}"))
}

fn number(json: &Json) -> i32 {
    i32::try_from(json.as_i64().unwrap()).unwrap()
}

fn thing(json: &Json) -> ThingId {
    ThingId::from_index(usize::try_from(json.as_u64().unwrap()).unwrap())
}

/// A thing stored as its number plus one; 0 is none.
pub(super) fn thing_plus_one(n: i64) -> Option<ThingId> {
    usize::try_from(n - 1).ok().map(ThingId::from_index)
}

fn maybe_thing(json: &Json) -> Option<ThingId> {
    (!json.is_null()).then(|| thing(json))
}

impl<'p> Position<'p> {
    /// The position of a game.
    pub(crate) fn of(program: &'p Program, game: &Game) -> Position<'p> {
        let saved = Saved::read(program, &game.save());
        let json = &saved.json;
        let gone: Vec<ThingId> = array(&json["retired"]).iter().map(thing).collect();
        let things = array(&json["classes"]).len();
        let retired = (0..things).map(|i| gone.contains(&ThingId::from_index(i))).collect();
        let mut position = Position {
            program,
            classes: array(&json["classes"]).iter().map(|c| ClassId::from_index(saved.id("classes", c))).collect(),
            retired,
            cards: Vec::new(),
            modifiers: BTreeMap::new(),
            parts: Vec::new(),
            places: BTreeMap::new(),
            ranks: BTreeMap::new(),
            numbers: BTreeMap::new(),
            entries: BTreeMap::new(),
            many: BTreeMap::new(),
            pairs: Vec::new(),
            history: Vec::new(),
            acts: Vec::new(),
            came: std::collections::BTreeMap::new(),
            canceled: std::cell::OnceCell::new(),
            effects: Vec::new(),
            usage: Vec::new(),
            top: None,
            windows: Vec::new(),
            declared: Vec::new(),
            passive: Vec::new(),
            open: Vec::new(),
            rolls: Vec::new(),
            standing: Vec::new(),
            withheld: Vec::new(),
            courses: Vec::new(),
            assumed: None,
            proposed: RefCell::new(None),
            guessed: Cell::new(false),
            ahead: Cell::new(false),
            depth: Cell::new(0),
        };
        for (n, modifier) in program.modifiers.iter().enumerate() {
            position.modifiers.entry(modifier.attr).or_default().push(ModifierId::from_index(n));
        }
        for id in array(&json["cards"]) {
            let found = program.cards.iter().position(|c| Some(c.id.as_str()) == id.as_str());
            position.cards.push(CardId::from_index(found.unwrap()));
        }
        let mut next = position.cards.len() + array(&json["given"]).len();
        for card in position.cards.clone() {
            for part in &program.cards[card.index()].parts {
                position.parts.push((ThingId::from_index(next), part));
                next += 1;
            }
        }
        for row in array(&json["places"]) {
            let place = PlaceId::from_index(saved.id("places", &row[1]));
            position.ranks.insert(thing(&row[0]), row[3].as_i64().unwrap());
            position.places.insert(thing(&row[0]), (place, thing_plus_one(row[2].as_i64().unwrap())));
        }
        for row in json["came"].as_array().into_iter().flatten() {
            position.came.insert(thing(&row[0]), row[1].as_i64().unwrap());
        }
        position.columns(&saved);
        position.stack(&saved);
        position
    }

    fn columns(&mut self, saved: &Saved<'_>) {
        let json = &saved.json;
        for column in array(&json["numbers"]) {
            let attr = saved.attr(&column[0]);
            for row in array(&column[1]) {
                self.numbers.insert((attr, thing(&row[0])), vec![number(&row[1])]);
            }
        }
        for column in array(&json["tables"]) {
            let attr = saved.attr(&column[0]);
            let ValueKind::NumberFor(list) = self.program.attrs[attr.index()].kind else { panic!("no table") };
            let list = &self.program.lists[list.index()].entries;
            for row in array(&column[1]) {
                let mut cells = vec![0; list.len()];
                for cell in array(&row[1]) {
                    let entry = EntryId::from_index(saved.id("entries", &cell[0]));
                    cells[list.iter().position(|e| *e == entry).unwrap()] = number(&cell[1]);
                }
                self.numbers.insert((attr, thing(&row[0])), cells);
            }
        }
        for column in array(&json["entries"]) {
            let attr = saved.attr(&column[0]);
            for row in array(&column[1]) {
                let entry = usize::try_from(row[1].as_u64().unwrap()).unwrap().checked_sub(1);
                let entry = entry.map(|n| EntryId::from_index(saved.ids["entries"][n]));
                self.entries.insert((attr, thing(&row[0])), entry);
            }
        }
        for column in array(&json["many"]) {
            let attr = saved.attr(&column[0]);
            for row in array(&column[1]) {
                let entries = array(&row[1]).iter().map(|e| EntryId::from_index(saved.id("entries", e))).collect();
                self.many.insert((attr, thing(&row[0])), entries);
            }
        }
        for pair in array(&json["pairs"]) {
            self.pairs.push((saved.attr(&pair[0]), thing(&pair[1]), thing(&pair[2])));
        }
    }

    fn stack(&mut self, saved: &Saved<'_>) {
        let rest = &saved.json["rest"];
        for row in array(&rest["history"]) {
            self.history.push(Row {
                verb: VerbId::from_index(saved.id("verbs", &row["verb"])),
                roles: array(&row["roles"]).iter().map(|r| thing_plus_one(r.as_i64().unwrap())).collect(),
                serial: row["serial"].as_u64().unwrap(),
            });
        }
        for act in array(&rest["acts"]) {
            let role = |r: &Json| (RoleId::from_index(saved.id("roles", &r[0])), saved.value(&r[1]));
            let optional = |kind, json: &Json| (!json.is_null()).then(|| saved.id(kind, json));
            self.acts.push(Act {
                this: maybe_thing(&act["this"]),
                locals: saved.values(&act["locals"]),
                roles: array(&act["roles"]).iter().map(role).collect(),
                proc: optional("procedures", &act["proc"]).map(ProcId::from_index),
                allowance: optional("allowances", &act["allowance"]).map(AllowanceId::from_index),
                serial: act["serial"].as_u64().unwrap(),
            });
        }
        for effect in array(&rest["effects"]) {
            let what = &effect["what"];
            let what = if let Some(id) = what.get("Modifier") {
                EffectKind::Modifier(ModifierId::from_index(saved.id("modifiers", id)))
            } else if let Some(id) = what.get("Norm") {
                EffectKind::Norm(NormId::from_index(saved.id("norms", id)))
            } else if let Some(id) = what.get("Trigger") {
                EffectKind::Trigger(TriggerId::from_index(saved.id("triggers", id)))
            } else if let Some(id) = what.get("Spare") {
                EffectKind::Spare(SpareId::from_index(saved.id("spares", id)))
            } else {
                EffectKind::Allowance(AllowanceId::from_index(saved.id("allowances", &what["Allowance"])))
            };
            self.effects.push(Effect {
                what,
                this: maybe_thing(&effect["this"]),
                locals: saved.values(&effect["locals"]),
                serial: effect["serial"].as_u64().unwrap(),
            });
        }
        for one in rest["standing"].as_array().into_iter().flatten() {
            let given = Given {
                modifier: ModifierId::from_index(saved.id("modifiers", &one["modifier"])),
                giver: maybe_thing(&one["giver"]),
                effect: one["effect"].as_u64().unwrap(),
                host: thing(&one["host"]),
            };
            self.standing.push(Has { given, thing: thing(&one["thing"]), removed: one["removed"] == true });
        }
        self.withheld.extend(rest["withheld"].as_array().into_iter().flatten().map(thing));
        for usage in array(&rest["usage"]) {
            self.usage.push(Usage {
                allowance: AllowanceId::from_index(saved.id("allowances", &usage["allowance"])),
                this: maybe_thing(&usage["this"]),
                proc: usage["proc"].as_u64().unwrap(),
                count: usage["count"].as_u64().unwrap(),
            });
        }
        for frame in array(&rest["frames"]) {
            let window = frame["kind"].get("Window");
            // A block stands at the statement after the one that asks.
            let at = window.map(|w| (&w["at"], 0)).or_else(|| frame["kind"].get("Block").map(|at| (at, 1)));
            let block = |at: &Json| &saved.program.blocks[saved.id("blocks", &at["block"])];
            let clause = at.map(|(at, _)| block(at).clause);
            let statement = at.and_then(|(at, back)| {
                let pc = usize::try_from(at["pc"].as_u64().unwrap()).unwrap();
                block(at).statements.get(pc.checked_sub(back)?).map(|s| s.0.clone())
            });
            let act = usize::try_from(frame["act"].as_u64().unwrap()).unwrap();
            if let Some(running) = frame["kind"].get("Procedure") {
                let proc = ProcId::from_index(saved.id("procedures", &running["proc"]));
                self.courses.push((proc, running["closing"] == true));
            }
            let top = Top { act, statement, clause, window: window.is_some() };
            for item in window.map(|w| array(&w["chain"])).unwrap_or_default() {
                self.declared.push(Declared {
                    allowance: AllowanceId::from_index(saved.id("allowances", &item["allowance"])),
                    this: maybe_thing(&item["this"]),
                    by: maybe_thing(&item["by"]),
                    locals: saved.values(&item["locals"]),
                    thing: maybe_thing(&item["thing"]),
                });
            }
            if let Some(following) = frame["kind"].get("Following") {
                let passive = |item: &Json| Passive {
                    trigger: TriggerId::from_index(saved.id("triggers", &item["trigger"])),
                    this: maybe_thing(&item["this"]),
                    locals: saved.values(&item["locals"]),
                    thing: maybe_thing(&item["thing"]),
                };
                self.passive.extend(array(&following["items"]).iter().map(passive));
                self.open.extend(array(&following["open"]).iter().map(passive));
            }
            if let Some(rolled) = frame["kind"].get("Rolling") {
                let pc = usize::try_from(rolled["at"]["pc"].as_u64().unwrap()).unwrap();
                self.rolls.push(Rolling {
                    act,
                    statement: block(&rolled["at"]).statements[pc].0.clone(),
                    roll: thing(&rolled["roll"]),
                    dice: u8::try_from(rolled["dice"].as_u64().unwrap()).unwrap(),
                    by: thing(&rolled["by"]),
                    subject: maybe_thing(&rolled["subject"]),
                    thrown: rolled["thrown"] == true,
                });
            }
            self.windows.extend(window.map(|_| top.clone()));
            self.top = Some(top);
        }
    }

    // ---- things
}
