use netrep_compiler::{Compiler, Profile, phrases::PositionName};
use netrep_engine::*;
use netrep_ir::*;
fn main() {
    let mut c = Compiler::new();
    c.load_dir(std::path::Path::new("/work/main")).unwrap();
    let profile = Profile::default();
    let ph = c.phrases(&profile);
    let p = ph.program.clone();
    let base = p.names.len();
    let names = ["Jessica", "Jason", "J1"];
    let pn: Vec<PositionName> = names.iter().enumerate().map(|(i, n)| PositionName { label: n.to_string(), id: NameId((base + i) as u16), class: if i == 2 { "company".into() } else { "player".into() } }).collect();
    let card = |n: &str| CardId::from_index(p.cards.iter().position(|c| p.names[c.name.index()] == n).expect(n));
    let class = |n: &str| ClassId::from_index(p.classes.iter().position(|c| c.name == n).unwrap());
    let place = |n: &str| Some(PlaceId::from_index(p.places.iter().position(|c| c.name == n).unwrap()));
    let proc_ = |n: &str| ProcId::from_index(p.procs.iter().position(|c| c.name == n).unwrap());
    let step = |pr: &str, n: &str| p.procs[proc_(pr).index()].steps.iter().copied().find(|s| p.steps[s.index()].name == n);
    let jess = ["Aragorn II", "Boromir II", "Elladan", "Annalena", "Dagger of Westernesse", "Rivendell", "Barrow-downs", "Rhudaur", "Cardolan"];
    let hand1 = ["Block", "Concealment"];
    let hand2 = ["Orc-warriors", "Orc-lieutenant"];
    let mut cards = vec![]; let mut facts = vec![];
    let n = jess.len() + hand1.len() + hand2.len();
    let (pj, ps, comp) = (ThingId(n as u16), ThingId(n as u16 + 1), ThingId(n as u16 + 2));
    for (i, x) in jess.iter().chain(&hand1).chain(&hand2).enumerate() {
        cards.push(card(x));
        let owner = if i < jess.len() + hand1.len() { pj } else { ps };
        facts.push(Fact::Attr { attr: p.services.controller, thing: ThingId(i as u16), value: Value::Thing(owner) });
        facts.push(Fact::Put { thing: ThingId(i as u16), place: place(if i < jess.len() { "play" } else { "hand" }), owner: Some(owner) });
    }
    for f in ["owner of J1 is Jessica", "\"Aragorn II\", \"Boromir II\", \"Elladan\", \"Annalena\" are in J1", "bearer of \"Dagger of Westernesse\" is \"Boromir II\"", "weapon of \"Boromir II\" is \"Dagger of Westernesse\"",
        "hazard limit of J1 is 2", "path of J1 is \"Rhudaur\"", "path of J1 is \"Cardolan\"", "new site of J1 is \"Barrow-downs\"", "site of J1 is \"Rivendell\""] {
        let toks = netrep_grammar::parse_sentence(&format!("{f}."));
        let toks = match toks { Ok(t) => t, Err(e) => { println!("{f}: {e:?}"); continue } };
        match ph.condition(&toks, &pn) { Ok((c, t)) => facts.push(Fact::Holds(c, t)), Err(e) => println!("{f}: {e:?}") }
    }
    let setup = Setup { cards, minted: vec![(class("player"), Some(NameId(base as u16))), (class("player"), Some(NameId(base as u16 + 1))), (class("company"), Some(NameId(base as u16 + 2)))],
        names: names.iter().map(|s| s.to_string()).collect(), facts,
        start: vec![StartFrame { proc: proc_("turn"), arguments: vec![Value::Thing(pj)], step: step("turn", "movement") },
            StartFrame { proc: proc_("movement/hazard phase"), arguments: vec![Value::Thing(comp)], step: step("movement/hazard phase", "hazards") }], ..Default::default() };
    let mut g = match Game::new(p.clone(), setup) { Ok(g) => g, Err(e) => { for x in e { println!("SETUP {:?} {:?}", x.text, x); } return } };
    g.set_tracing(true);
    let dice = [6, 5, 8, 3, 5, 7, 7, 7]; let mut di = 0; let mut shown = 0;
    let wants = ["play \"Orc-warriors\"", "play \"Block\"", "\"Aragorn II\"", "\"Boromir II\"", "\"Elladan\"", "strike", "yes", "play \"Orc-lieutenant\""];
    for _ in 0..400 {
        for t in &g.trace()[shown..] { println!("   {:?} {} ({})", t.kind, t.text, p.clauses[t.clause.index()].label); }
        shown = g.trace().len();
        let Some(d) = g.decision().cloned() else { println!("over"); break };
        if let DecisionKind::Roll { .. } = d.kind { let s = Submission::Dice(dice[di]); di += 1; g.take(&s).unwrap(); continue }
        let o = g.options_in_words();
        let pick = o.iter().find(|(w, _)| wants.iter().any(|x| w.contains(x) && w != "pass")).or(o.iter().find(|(w, _)| w == "pass" || w == "decline" || w == "no")).or(o.first());
        println!("? {:?} {:?} [{}] -> {:?}", d.by, d.kind, o.iter().map(|x| x.0.clone()).collect::<Vec<_>>().join(" | "), pick.map(|x| &x.0));
        let Some(pick) = pick else { println!("STUCK"); break };
        if let Err(e) = g.take(&pick.1) { println!("ERR {e:?}"); break }
    }
}
