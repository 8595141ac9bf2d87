use netrep_compiler::{Profile};
use netrep_lab::Library;
fn main() {
    let library = Library::open(std::path::Path::new("/work/frozen")).unwrap();
    let (p, _) = library.compiler.link(&Profile::default());
    let want: Vec<String> = std::env::args().skip(1).collect();
    for a in &p.actions { println!("FROM {} {:?}\n  by {:?}", p.clauses[a.clause.index()].label, a.from, a.by); for r in &a.requirements { let l = &p.clauses[r.clause.index()].label; if want.iter().any(|w| l.as_str() == w) { println!("{l}: {:?}\n", r.cond); } } }
}
