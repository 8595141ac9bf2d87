#[path = "../tests/toy/mod.rs"]
mod toy;
use toy::*; use netrep_engine::*; use std::time::Instant;
fn main() {
    let mut decisions = 0u64; let mut opts = 0u64; let mut kinds = std::collections::BTreeMap::new();
    let mut games = vec![]; 
    let (mut t_opt, mut t_take, mut t_clone, mut t_hash) = (0u128,0u128,0u128,0u128);
    let start0 = game();
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
        games.push(g.things());
    }
    let d = decisions as u128;
    println!("{decisions} decisions, {} opts/dec, options {} ns, take {} ns, clone {} ns, hash {} ns; {:?}", opts/decisions, t_opt/d, t_take/d, t_clone/d, t_hash/d, kinds);
    println!("{:?}", &games[..10]);
}
