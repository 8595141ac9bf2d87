//! `netrep printed`: the cards beside the printed texts.

use std::fs;
use std::path::Path;

use netrep_lab::Library;
use netrep_lab::printed::{Card, Difference, differences, draft};
use serde::{Deserialize, Serialize};

use crate::output::{Show, count};
use crate::{Outcome, Wrong};

/// A line of a database.
#[derive(Deserialize)]
struct Line {
    id: String,
    name: String,
    #[serde(default)]
    text: String,
}

/// The result of `printed`.
#[derive(Serialize)]
struct Compared {
    differences: Vec<Difference>,
}

/// Compares the cards with the texts of a database, or drafts one of them.
pub(crate) fn compare_printed(
    show: &Show,
    library: &Library,
    database: &Path,
    id: Option<&str>,
) -> Result<Outcome, Wrong> {
    let cards = read(database)?;
    if let Some(id) = id {
        let missing = || Wrong::Usage(format!("no card of {} has the id `{id}`", database.display()));
        let draft = draft(&library.compiler, &cards, id).ok_or_else(missing)?;
        return Ok(show.reply(Outcome::Clean, &draft, || show.line(draft.card.trim_end())));
    }
    let result = Compared { differences: differences(&library.compiler, &cards) };
    let wrong = result.differences.iter().filter(|one| !one.advice).count();
    Ok(show.reply(Outcome::of(wrong == 0), &result, || {
        for one in &result.differences {
            let numbers: Vec<String> = one.sentences.iter().map(u32::to_string).collect();
            let kind = if one.advice { "advice: " } else { "" };
            show.line(format!("{} {}: {kind}{}", show.paint("1", &one.card), numbers.join(", "), one.what));
        }
        show.line(count(wrong, "difference", "differences"));
    }))
}

/// The cards of a database.
fn read(database: &Path) -> Result<Vec<Card>, Wrong> {
    let text = fs::read_to_string(database)?;
    let mut cards = Vec::new();
    for (nth, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line);
        let Line { id, name, text } = read.map_err(|error| {
            let message = format!("{}:{nth}: this line is no card: {error}", database.display());
            Wrong::Usage(format!("{message}; a card is an object with `id`, `name` and `text`"))
        })?;
        cards.push(Card { id, name, text });
    }
    Ok(cards)
}
