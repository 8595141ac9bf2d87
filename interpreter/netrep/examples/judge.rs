//! A judge's question: may this be done, by which rule, and what did they answer in other days? The position and what
//! is tried stand in a Markdown file: `cargo run --release -p netrep --example judge -- FILE.md`.

use netrep::{Data, Error};

fn main() -> Result<(), Error> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => include_str!("judge.md").to_owned(),
    };
    let question = text.lines().find_map(|line| line.strip_prefix("> ")).unwrap_or("pass");
    let data = Data::built_in();
    for edition in data.editions() {
        let table = data.rules().edition(&edition.id).position(&text)?.begin(1);
        println!("{}", edition.title);
        match table.why(question) {
            Ok(answer) => println!("{answer}\n"),
            // The words of a rule that there was not yet.
            Err(error) => println!("{error}\n"),
        }
    }
    Ok(())
}
