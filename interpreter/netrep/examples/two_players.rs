//! Two players at one terminal: `cargo run --release -p netrep --example two_players`. Each line that is typed is an
//! option in words or by its number, `why WORDS`, `undo`, or `save`; at the end of the input the game ends.

use std::io::{BufRead, stdin};

use netrep::{Data, Error, Event, Seat, Table};

/// What a player is told: what has happened since `heard`, what is on the table, what is asked, and the options.
fn show(seat: Seat<'_>, heard: usize) {
    for event in &seat.events()[heard..] {
        if let Event::Happened(text) = event {
            println!("  {text}");
        }
    }
    let view = seat.view();
    for thing in &view.things {
        let news: Vec<String> =
            thing.facts.iter().filter(|f| f.is_news).map(|f| format!("{} {}", f.name, f.value)).collect();
        if !news.is_empty() {
            println!("  {} {}: {}", thing.words, thing.place, news.join("; "));
        }
    }
    for pile in &view.hidden {
        println!("  {}: {} × {}, hidden", pile.place, pile.count, pile.class);
    }
    println!("{}: {}", view.seat, view.asked.map(|asked| asked.question).unwrap_or_default());
    for (number, words) in view.options.iter().enumerate() {
        println!("{:>4}. {words}", number + 1);
    }
}

/// Does what a player has typed.
fn obey(table: &mut Table, name: &str, line: &str) -> Result<(), Error> {
    let options = table.options();
    let numbered = line.parse::<usize>().ok().and_then(|n| options.get(n.checked_sub(1)?));
    match (numbered, line.split_once(' ')) {
        (Some(offer), _) => table.take(offer),
        (None, Some(("why", words))) => table.seat(name)?.why(words).map(|found| println!("{found}")),
        (None, None) if line == "undo" => {
            println!("{}", if table.undo() { "taken back" } else { "nothing to take back" });
            Ok(())
        }
        (None, None) if line == "save" => table.save().map(|text| println!("{} bytes", text.len())),
        _ => table.answer(name, line),
    }
}

fn main() -> Result<(), Error> {
    let data = Data::built_in();
    let mut table = data.rules().table(&data.decks()?[..2])?.begin(7);
    let mut heard = std::collections::HashMap::new();
    let mut lines = stdin().lock().lines();
    while let Some(seat) = table.asked() {
        let name = seat.name().to_owned();
        show(seat, heard.insert(name.clone(), seat.events().len()).unwrap_or_default());
        let Some(line) = lines.next().transpose()? else { break };
        if let Err(error) = obey(&mut table, &name, line.trim()) {
            println!("{error}");
        }
    }
    println!("{:?}", table.scores());
    Ok(())
}
