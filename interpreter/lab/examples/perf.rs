use std::time::Instant;
fn main() {
    let root = std::path::Path::new("/work/main");
    for _ in 0..3 {
        let t = Instant::now();
        let mut c = netrep_compiler::Compiler::new();
        c.load_dir(root).unwrap();
        let (p, d) = c.link(&netrep_compiler::Profile::default());
        println!("cold {:?} clauses {} diags {}", t.elapsed(), p.clauses.len(), d.len());
        let path = "cards/the-wizards/creatures.cards";
        let text = c.text(path).unwrap().to_string();
        let t = Instant::now();
        c.set_file(path, &text.replace("prowess 10.", "prowess 9."));
        let (_, _) = c.link(&netrep_compiler::Profile::default());
        println!("edit+link {:?}", t.elapsed());
    }
    // multiply
    let mut c = netrep_compiler::Compiler::new();
    c.load_dir(root).unwrap();
    let mut files = vec![];
    for k in 0..81 {
        for f in ["creatures", "characters", "resources"] {
            let t = c.text(&format!("cards/the-wizards/{f}.cards")).unwrap();
            let t = t.lines().map(|l| if let Some(r) = l.strip_prefix("card TW-") { format!("card X{k}-{r}") } else { l.to_string() }).collect::<Vec<_>>().join("\n");
            files.push((format!("cards/x{k}/{f}.cards"), t));
        }
    }
    let t = Instant::now();
    let mut c = netrep_compiler::Compiler::new();
    c.load_dir(root).unwrap();
    c.set_files(files.iter().map(|(a, b)| (a.as_str(), b.as_str())));
    let (p, d) = c.link(&netrep_compiler::Profile::default());
    println!("1700: {} cards cold {:?} diags {}", p.cards.len(), t.elapsed(), d.len());
    let t = Instant::now();
    let text = files[0].1.replace("prowess 10.", "prowess 9.");
    c.set_file(&files[0].0, &text);
    let (_, _) = c.link(&netrep_compiler::Profile::default());
    println!("1700 edit+link {:?}", t.elapsed());
    let t = Instant::now();
    let n = c.check_file(&files[0].0).len();
    println!("check_file {n} {:?}", t.elapsed());
}
