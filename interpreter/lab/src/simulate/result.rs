//! What came of simulated games: of each, and of all.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use netrep_engine::Game;
use netrep_ir::{AttrId, Sel};
use serde::Serialize;

use crate::narrate::name_of;

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Nothing was left to decide.
    Over,
    /// It stopped where it should.
    Stopped,
    /// It had as many decisions as it may.
    Cut,
    /// Something went wrong.
    Wrong,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            End::Over => "over",
            End::Stopped => "stopped",
            End::Cut => "cut",
            End::Wrong => "wrong",
        })
    }
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub end: End,
    /// Decisions of players.
    pub decisions: u64,
    /// How long it lasted, in what the data counts (kernel service `clock`); 0 if nothing.
    pub clock: i64,
    /// The players, in their order.
    pub seats: Vec<Seat>,
    /// How often each card was played.
    pub cards: BTreeMap<String, u64>,
    /// The hash of the last position, in hexadecimal digits.
    pub hash: String,
}

/// A player at the end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// Who.
    pub name: String,
    /// How the game ended for him (kernel service `outcome`); empty if the data does not say.
    pub outcome: String,
    /// The numbers that the rules want reported.
    pub points: Vec<(String, i32)>,
}

impl Played {
    /// Reads a game at its end.
    pub(super) fn of(game: &Game, seed: u64, end: End, decisions: u64) -> Played {
        let program = game.program();
        let services = &program.services;
        let players = game.select(&Sel::Class(services.player));
        let name = |attr: AttrId| program.attrs[attr.index()].name.clone();
        let number = |attr: AttrId, player| game.derive(attr, player).value;
        let seats = players.iter().map(|player| Seat {
            name: name_of(game, player),
            outcome: services.outcome.iter().map(|attr| game.value_words(*attr, player)).collect(),
            points: services.reports.iter().map(|attr| (name(*attr), number(*attr, player))).collect(),
        });
        let mut cards: BTreeMap<String, u64> = BTreeMap::new();
        let plays = program.actions.iter().map(|a| a.verb).filter(|verb| Some(*verb) != services.ability);
        let verbs: std::collections::BTreeSet<_> = plays.collect();
        for verb in verbs {
            // total: of a verb without an object, its first role is what is played.
            let object = program.verbs.get(verb.index()).and_then(|v| v.object).map_or(0, usize::from);
            for row in game.history(verb) {
                let card = row.get(object).copied().flatten().and_then(|thing| game.card_of(thing));
                if let Some(card) = card.and_then(|c| program.cards.get(c.index())) {
                    *cards.entry(game.name(card.name).to_owned()).or_default() += 1;
                }
            }
        }
        let clock = services.clock.iter().flat_map(|attr| players.iter().map(|p| i64::from(number(*attr, p)))).sum();
        Played {
            seed,
            end,
            decisions,
            clock,
            seats: seats.collect(),
            cards,
            hash: format!("{:016x}", game.position_hash()),
        }
    }
}

/// The games together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How many games ended how.
    pub ends: BTreeMap<End, u64>,
    /// For each player: in how many games it ended how.
    pub outcomes: BTreeMap<String, BTreeMap<String, u64>>,
    /// The shortest, the median and the longest game, in what the data counts.
    pub clock: [i64; 3],
    /// The same in decisions of players.
    pub decisions: [i64; 3],
    /// For each player: each reported number on average, in hundredths.
    pub points: BTreeMap<String, Vec<(String, i64)>>,
    /// The cards that were played, most often first, with how often.
    pub cards: Vec<(String, u64)>,
}

/// What games came to.
pub fn summary(games: &[Played]) -> Summary {
    let mut found = Summary::default();
    let mut cards: BTreeMap<&str, u64> = BTreeMap::new();
    let mut points: BTreeMap<&str, Vec<(&str, i64)>> = BTreeMap::new();
    for game in games {
        *found.ends.entry(game.end).or_default() += 1;
        for seat in &game.seats {
            *found.outcomes.entry(seat.name.clone()).or_default().entry(seat.outcome.clone()).or_default() += 1;
            let sums =
                points.entry(&seat.name).or_insert_with(|| seat.points.iter().map(|p| (p.0.as_str(), 0)).collect());
            sums.iter_mut().zip(&seat.points).for_each(|(sum, (_, n))| sum.1 += i64::from(*n) * 100);
        }
        game.cards.iter().for_each(|(card, n)| *cards.entry(card).or_default() += n);
    }
    let count = games.len().max(1) as i64;
    found.clock = spread(games.iter().map(|g| g.clock).collect());
    found.decisions = spread(games.iter().map(|g| g.decisions as i64).collect());
    found.points = points
        .into_iter()
        .map(|(name, sums)| (name.to_owned(), sums.into_iter().map(|(p, n)| (p.to_owned(), n / count)).collect()))
        .collect();
    found.cards = cards.into_iter().map(|(card, n)| (card.to_owned(), n)).collect();
    found.cards.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

/// The least, the median and the greatest; zeros where nothing was played.
fn spread(mut numbers: Vec<i64>) -> [i64; 3] {
    numbers.sort_unstable();
    match numbers.as_slice() {
        [] => [0; 3],
        all => [all[0], all[all.len() / 2], all[all.len() - 1]],
    }
}

/// The games as comma-separated values: a line for each player of each game.
pub fn csv(games: &[Played]) -> String {
    let mut text = String::from("seed,end,decisions,clock,player,outcome");
    let titles = games.first().and_then(|g| g.seats.first()).into_iter().flat_map(|s| &s.points);
    titles.for_each(|(name, _)| text.extend([",", &quoted(name)]));
    text.push('\n');
    for game in games {
        let end = game.end;
        for seat in &game.seats {
            let (name, outcome) = (quoted(&seat.name), quoted(&seat.outcome));
            let _ = write!(text, "{},{end},{},{},{name},{outcome}", game.seed, game.decisions, game.clock);
            seat.points.iter().for_each(|(_, n)| {
                let _ = write!(text, ",{n}");
            });
            text.push('\n');
        }
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// How the last reported number of each player is distributed, as a chart.
pub fn svg(games: &[Played]) -> String {
    const WIDTH: i64 = 640;
    const HEIGHT: i64 = 240;
    const COLOURS: [&str; 4] = ["#3b6ea5", "#b5523b", "#4f8a4c", "#8a6fae"];
    let mut rows: Vec<(String, BTreeMap<i32, i64>)> = Vec::new();
    let mut title = String::new();
    for seat in games.iter().flat_map(|game| &game.seats) {
        let Some((name, n)) = seat.points.last() else { continue };
        title.clone_from(name);
        if !rows.iter().any(|(name, _)| *name == seat.name) {
            rows.push((seat.name.clone(), BTreeMap::new()));
        }
        if let Some((_, row)) = rows.iter_mut().find(|(name, _)| *name == seat.name) {
            *row.entry(*n).or_default() += 1;
        }
    }
    let all = || rows.iter().flat_map(|(_, row)| row);
    // Without games the chart is empty, from 0 to 0.
    let (low, high) = match (all().map(|p| *p.0).min(), all().map(|p| *p.0).max()) {
        (Some(low), Some(high)) => (low, high),
        _ => (0, 0),
    };
    let most = all().map(|p| *p.1).fold(1, i64::max);
    let wide = i64::from(high) - i64::from(low) + 1;
    let step = (WIDTH / wide).max(1);
    let bar = (step / rows.len().max(1) as i64).max(1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{}</title>\n",
        WIDTH + 40,
        HEIGHT + 60,
        escaped(&title)
    );
    for (n, (name, row)) in rows.iter().enumerate() {
        let (colour, shift) = (COLOURS[n % COLOURS.len()], n as i64);
        for (points, games) in row {
            let (x, tall) = (20 + (i64::from(*points) - i64::from(low)) * step + shift * bar, games * HEIGHT / most);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{}\" width=\"{bar}\" height=\"{tall}\" fill=\"{colour}\"><title>{}: {points}, {games} games</title></rect>",
                20 + HEIGHT - tall,
                escaped(name)
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>",
            20 + shift * 160,
            HEIGHT + 52,
            escaped(name)
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"20\" y=\"{0}\">{low}</text>\n<text x=\"{1}\" y=\"{0}\">{high}</text>\n</svg>",
        HEIGHT + 36,
        WIDTH
    );
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
