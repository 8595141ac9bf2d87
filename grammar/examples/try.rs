//! temporary
use netrep_grammar::*;
fn main(){ for f in std::env::args().skip(1){ let t=std::fs::read_to_string(&f).unwrap(); 
 match fmt(&t) { Ok(o)=>{ print!("{o}"); let again=fmt(&o); if again.as_ref()!=Ok(&o) { println!("NOT IDEMPOTENT"); std::fs::write("/tmp/fmt1",&o).unwrap(); std::fs::write("/tmp/fmt2",again.unwrap()).unwrap(); } }, Err(e)=>println!("{f}: {e} {e:?}") } } }
