#[path = "../tests/toy/mod.rs"]
mod toy;
use toy::*; use netrep_engine::*; use std::time::Instant;
fn main() {
    let mut decisions = 0u64; let mut opts = 0u64; let mut kinds = std::collections::BTreeMap::new();
    let mut games = vec![]; 
    let (mut t_opt, mut t_take, mut t_clone, mut t_hash) = (0u128,0u128,0u128,0u128);
    let mut prog = toy();
    for i in 0..30 { let mut a = prog.attrs[LUCK.index()].clone(); a.name = format!("extra {i}"); prog.attrs.push(a); }
    let prog = std::sync::Arc::new(prog);
    let mut su = setup(&prog);
    let copies: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(1);
    if copies > 1 {
        // more copies: in the heap
        let n = su.cards.len(); let base = su.cards.clone();
        let extra: Vec<_> = (1..copies).flat_map(|_| base.clone()).collect();
        su.cards.extend(extra.iter().copied());
        let shift = |t: ThingId| if t.index() >= n { ThingId((t.index() + extra.len()) as u16) } else { t };
        for f in &mut su.facts { match f {
            Fact::Put { owner, .. } => *owner = owner.map(shift),
            Fact::Attr { value: Value::Thing(t), .. } => *t = shift(*t), _ => {} } }
        for i in n..su.cards.len() { let owner = shift(if i % 2 == 0 { ANN } else { BOB });
            let k = i % 24;
            su.facts.push(Fact::Put { thing: ThingId(i as u16), place: Some(HEAP), owner: Some(owner) });
            if k < 6 { su.facts.push(Fact::Put { thing: ThingId(i as u16), place: Some(FIELD), owner: None }); su.facts.push(Fact::Attr { attr: KEEPER, thing: ThingId(i as u16), value: Value::Thing(owner) }); }
            else if k < 9 { su.facts.push(Fact::Put { thing: ThingId(i as u16), place: Some(BASKET), owner: Some(owner) }); }
        }
    }
    let start0 = Game::new(prog, su).unwrap();
    for seed in 0..200u64 {
        let mut g = start0.clone(); let mut dice = Dice(seed);
        while g.decision().is_some() {
            let s = Instant::now();
            let sub = match g.keyed_roll(seed) { Some(s) => s, None => { let o = g.options(); opts += o.len() as u64; o[dice.below(o.len())].submission.clone() } };
            t_opt += s.elapsed().as_nanos();
            *kinds.entry(format!("{:?}", g.decision().unwrap().kind).split([' ', '(']).next().unwrap().to_string()).or_insert(0) += 1;
            let s = Instant::now(); g.take(&sub).unwrap(); t_take += s.elapsed().as_nanos();
            let s = Instant::now(); let c = g.clone(); t_clone += s.elapsed().as_nanos();
            let s = Instant::now(); std::hint::black_box(g.position_hash()); t_hash += s.elapsed().as_nanos();
            drop(c);
            decisions += 1;
            if decisions > 200_000 { break; }
        }
        if seed == 3 { let mut mid = start0.clone(); let mut d = Dice(9); for _ in 0..60 { if mid.decision().is_none() { break; } let sub = match mid.keyed_roll(seed) { Some(s) => s, None => { let o = mid.options(); o[d.below(o.len())].submission.clone() } }; mid.take(&sub).unwrap(); }
            let s = Instant::now(); for _ in 0..10000 { std::hint::black_box(mid.clone()); } println!("clone {} ns", s.elapsed().as_nanos() / 10000);
            let s = Instant::now(); for _ in 0..10000 { std::hint::black_box(mid.position_hash()); } println!("hash {} ns", s.elapsed().as_nanos() / 10000); }
        games.push(g.things());
    }
    let d = decisions as u128;
    println!("{decisions} decisions, {} opts/dec, options {} ns, take {} ns, clone {} ns, hash {} ns; {:?}", opts/decisions, t_opt/d, t_take/d, t_clone/d, t_hash/d, kinds);
    println!("{:?}", &games[..10]);
}
