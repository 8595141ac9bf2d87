fn main() {
    let mut c = netrep_compiler::Compiler::new();
    let root = std::env::args().nth(1).unwrap_or("/work/main".into());
    c.load_dir(std::path::Path::new(&root)).unwrap();
    let d = c.check();
    for x in &d {
        let text = std::fs::read_to_string(format!("{root}/{}", x.place.file)).unwrap_or_default();
        let line = text[..(x.place.start as usize).min(text.len())].matches('\n').count() + 1;
        println!("{}:{} {} {} [{}] help={:?}", x.place.file, line, x.code, x.message, text.get(x.place.start as usize..x.place.end as usize).unwrap_or("?").chars().take(60).collect::<String>(), x.help);
    }
    let (p, d) = c.link(&netrep_compiler::Profile::default());
    println!("{} link diags", d.len());
    for x in &d { println!("{} {} {} {:?}", x.place.file, x.code, x.message, x.help); }
    println!("clauses {} allowances {} triggers {} modifiers {} procs {} cards {}", p.clauses.len(), p.allowances.len(), p.triggers.len(), p.modifiers.len(), p.procs.len(), p.cards.len());
}
