#[path = "../tests/toy/mod.rs"]
mod toy;
use toy::*;
fn main() {
    let mut mid = game(); let mut d = Dice(9);
    for _ in 0..60 { let sub = match mid.keyed_roll(3) { Some(s) => s, None => { let o = mid.options(); o[d.below(o.len())].submission.clone() } }; mid.take(&sub).unwrap(); }
    for _ in 0..3_000_000 { std::hint::black_box(mid.clone()); }
}
