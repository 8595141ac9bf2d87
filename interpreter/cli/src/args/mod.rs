//! The command line.

mod runs;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};
use netrep_compiler::Profile;
use netrep_compiler::layers::date::Date;

pub(crate) use runs::{Compare, Cost, Impact, Play, Simulate, Summing, Who};

/// What stands below the list of commands.
const FIRST_STEPS: &str = "\
First steps:
  netrep                       watch the example game being played, each step with its rule
  netrep check                 is everything in rules/ and cards/ right?
  netrep show \"Card Name\"      a card as it is in force, sentence by sentence
  netrep words '*point*'       which words there are to write with
  netrep try \"Card Name\"       a position in which the card can be played, and what it does there
  netrep play FILE.md          play from a position of a file, alone or with others
  netrep watch                 keep this open beside the editor: every save is checked and run

Positions and games are fenced blocks of Markdown files below tests/; cards and rules are text files below cards/ and
rules/. `netrep help COMMAND` tells more about a command, `netrep explain CODE` about a message.

Exit status: 0 all is well; 1 something is wrong with the data, a scenario or a layout, and has been said;
2 the command cannot be carried out (a wrong option, a name that does not exist, a file that cannot be read).";

/// Checks, plays and explains the rules and cards of a data folder.
///
/// Without a command it replays the example game of the data folder and checks every fact that is stated there.
#[derive(Parser, Debug)]
#[command(name = "netrep", version, max_term_width = 100, after_help = FIRST_STEPS)]
pub(crate) struct Cli {
    /// The data folder; else the nearest one, from here upwards, with `rules/` and `cards/`; else what is built in
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// How results are printed
    #[arg(long, global = true, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,
    /// Where answers are kept for later; else the folder in NETREP_CACHE, else one of the user's
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache_dir: Option<PathBuf>,
    /// Take no kept answers, and keep none
    #[arg(long, global = true)]
    pub no_cache: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading; in colours on a terminal, unless NO_COLOR is set.
    Human,
    /// For other programs: one JSON value, also when something goes wrong.
    Json,
}

/// Which readings of the rules are in force.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which rules")]
pub(crate) struct Readings {
    /// The edition, where a scenario names none; else the default one
    #[arg(long, value_name = "ID")]
    pub edition: Option<String>,
    /// A variant on top of the edition, such as one for several players; may be repeated
    #[arg(long = "variant", value_name = "ID")]
    pub variants: Vec<String>,
    /// Another reading of a ruling, such as `R-1=late`; may be repeated
    #[arg(long = "with", value_name = "RULING=READING", value_parser = reading)]
    pub with: Vec<(String, String)>,
    /// Leave a ruling out; may be repeated
    #[arg(long, value_name = "RULING")]
    pub without: Vec<String>,
    /// Only readings that were known on this day (a year, a month or a day; the last day of it counts)
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<Date>,
}

fn reading(text: &str) -> Result<(String, String), String> {
    let (ruling, reading) = text.split_once('=').ok_or("write RULING=READING")?;
    Ok((ruling.to_owned(), reading.to_owned()))
}

impl Readings {
    /// As a profile.
    pub(crate) fn profile(&self) -> Profile {
        Profile {
            edition: self.edition.as_deref().map(Arc::from),
            variants: self.variants.iter().map(|a| Arc::from(a.as_str())).collect(),
            with: self.with.iter().map(|(a, b)| (Arc::from(a.as_str()), Arc::from(b.as_str()))).collect(),
            without: self.without.iter().map(|a| Arc::from(a.as_str())).collect(),
            as_of: self.as_of,
        }
    }
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check all rules, cards, rulings and editions, and list everything that is wrong
    #[command(after_help = "\
Every edition and every reading is checked; with options also what they choose together.
Every finding has a place, a code and what would mend it; `netrep explain CODE` has a page about each code.
Advice (a word that is never used, a clause that is said twice) does not make the check fail, and is shown by `--advice`.")]
    Check {
        #[command(flatten)]
        readings: Readings,
        /// Show each piece of advice, not only how many there are
        #[arg(long)]
        advice: bool,
    },
    /// Lay files out in the canonical way (all files of the data, if no path is given)
    #[command(
        override_usage = "netrep fmt [--check] [--factor] [--upgrade] [PATHS]...\n       netrep fmt --sort [--check] [--factor]",
        after_help = "\
Only the layout is changed; a file that cannot be read is left as it is and named. With --sort, every item also goes
to the file in which it belongs and to its place there, with its comments, as the `filing` items of the data say.

Examples:
  netrep fmt                          all files below rules/ and cards/
  netrep fmt --check                  change nothing, and fail if something would change
  netrep fmt cards/mine.cards         one file
  netrep fmt --sort                   every item to its file and its place
  netrep fmt --sort --check           change nothing, and fail if an item is not in its place
  netrep fmt --upgrade mine           what the cards, rulings, editions and scenarios of a folder no longer say so"
    )]
    Fmt {
        /// Change nothing; fail if a file would change
        #[arg(long)]
        check: bool,
        /// Move items to where they belong; of all files of the data
        #[arg(long, conflicts_with = "paths")]
        sort: bool,
        /// Write what the positions of a section of Markdown have in common once, in a position from which they start
        #[arg(long)]
        factor: bool,
        /// Rewrite words and sentences that are no longer said; of all files, or of a folder of your own that the data do not hold
        #[arg(long, conflicts_with = "sort")]
        upgrade: bool,
        /// Files or folders
        paths: Vec<PathBuf>,
    },
    /// Run scenarios and games (all below `tests/`, if no path is given)
    #[command(after_help = "\
A scenario is a fenced block of a Markdown file: a position, moves, and what must be so. It is run once for each
reading that it names.

Examples:
  netrep test                                  everything
  netrep test tests/scenarios/mine.md          one file
  netrep test --edition ID                     under another edition
  netrep test --with R-1=late                  with another reading of one ruling")]
    Test {
        /// Markdown files or folders
        paths: Vec<PathBuf>,
        #[command(flatten)]
        readings: Readings,
        /// Threads; 0 = one for each processor
        #[arg(long, default_value_t = 0, value_name = "N")]
        jobs: usize,
    },
    /// Play the scenarios of a file and tell every step
    #[command(after_help = "\
Each line of what happens ends with the clause that makes it so; `netrep show \"CLAUSE\"` shows that clause.

Examples:
  netrep replay tests/games/FILE.md
  netrep replay tests/games/FILE.md --edition ID     the same moves under another edition
  netrep replay tests/games/FILE.md --trace          with every entry of the trace")]
    Replay {
        /// A Markdown file
        file: PathBuf,
        #[command(flatten)]
        readings: Readings,
        /// Print every entry of the trace
        #[arg(long)]
        trace: bool,
    },
    /// Show a card, rule, ruling, edition, document or word as it is in force, and which layer set each part
    #[command(after_help = "\
NAME is a card's name or id, a rule's number or title, the id of a ruling, edition or document, a word, or a clause as messages cite
it. Several cards may have one name; all are shown. Upper case, accents and quotes do not matter.

Examples:
  netrep show \"Card Name\"
  netrep show 3.iv.6                   a rule
  netrep show 3.iv.6 sum               one clause of it
  netrep show 3.iv --edition ID        as another edition has it
  netrep show 003                      a document: its date, and the readings that cite it
  netrep show ID --expanded            a card as the compiler reads it")]
    Show {
        /// A name, or several in quotes
        #[arg(required = true)]
        name: Vec<String>,
        /// With the clauses of patterns in the places of the sentences that stand for them; of a pattern, in all that use it
        #[arg(long)]
        expanded: bool,
        #[command(flatten)]
        readings: Readings,
    },
    /// Compare the cards with a database of printed texts, or draft one from its text
    #[command(after_help = "\
FILE has one card a line, as JSON with `id`, `name` and `text`. Nothing of it is stored. A sentence is known by its hash, or by that of
what is left when numbers and names are masked.

Examples:
  netrep printed cards.jsonl           where the data say otherwise than the texts
  netrep printed cards.jsonl AB-12     a card drafted from its text")]
    Printed {
        /// A database of printed texts
        #[arg(value_name = "FILE")]
        database: std::path::PathBuf,
        /// The card that is drafted
        id: Option<String>,
    },
    /// List the words of the vocabulary: what they are about, the frame of a verb, and who uses them
    #[command(after_help = "\
PATTERN is a part of the word; with `*` (any text) or `?` (any letter) it must match the whole word.

Examples:
  netrep words point              every word with `point` in it
  netrep words 'play*'            every word that begins so
  netrep words play --all         with all cards and rules that use it
  netrep words --after 'when a'   what may stand there")]
    Words {
        /// A part of a word; all words, if there is none
        pattern: Vec<String>,
        /// What may stand behind the beginning of a sentence, instead
        #[arg(long, value_name = "WORDS", conflicts_with_all = ["pattern", "all"])]
        after: Option<String>,
        /// List all users, not only the first ones
        #[arg(long)]
        all: bool,
    },
    /// List the questions that are answered in several ways: the reading in force, who reads it so, and the other readings
    #[command(after_help = "\
Examples:
  netrep rulings                         all of them
  netrep rulings --about \"Card Name\"    about a card or a rule, or with a reading that would change it
  netrep rulings --edition ID            with the readings of another edition
  netrep rulings --as-of 1999-05         with those that were known then, and the questions that only later texts answer")]
    Rulings {
        /// A card's name or id, or a rule's number
        #[arg(long, value_name = "NAME")]
        about: Option<String>,
        #[command(flatten)]
        readings: Readings,
    },
    /// Find a position in which a card can be played, and show what it does there
    #[command(after_help = "\
Looks for the position in all scenarios and games: as they stand, with the card in the place of one like it, or put where
it can be played from. What is found is printed as a scenario that you can paste into a file below tests/. If the card can be played
nowhere, the nearest refusal says what is in the way, and what would have to be different.

Examples:
  netrep try \"Card Name\"
  netrep try MY-1                 by its id
  netrep try MY-1 --edition ID    under another edition")]
    Try {
        /// A card's name or id
        #[arg(required = true)]
        card: Vec<String>,
        #[command(flatten)]
        readings: Readings,
    },
    /// Say what may be done in a position, by whom and by which rule, what is nearly possible, and who answers otherwise
    #[command(after_help = "\
The file has a fenced block `position` or `scenario`; the moves of its `when` are made first. At the end stand the editions
under which something else is possible, with a smallest set of rulings that is behind it.

Examples:
  netrep ask tests/scenarios/mine.md
  netrep ask mine.md --edition ID       what this edition answers, and who answers otherwise
  netrep ask mine.md --alone            without the other editions")]
    Ask {
        /// A Markdown file with a `position` or `scenario` block
        file: PathBuf,
        /// Do not ask the other editions
        #[arg(long)]
        alone: bool,
        #[command(flatten)]
        readings: Readings,
    },
    /// Explain a step of a scenario: what allowed it, what else was possible, why not something else
    #[command(after_help = "\
Examples:
  netrep why FILE.md 4                                    the fourth step (`netrep replay FILE.md` numbers them)
  netrep why FILE.md --scenario \"part of its name\"        if the file has several
  netrep why FILE.md 4 --number 'height of \"Name\"'        how a number comes about after that step
  netrep why FILE.md 4 --attempt 'Ann: play \"Name\"'       why something cannot be done there")]
    Why {
        /// A Markdown file
        file: PathBuf,
        /// The step, counted from 1; else the last one
        step: Option<usize>,
        /// Which scenario, if the file has several: a part of its name
        #[arg(long, value_name = "NAME")]
        scenario: Option<String>,
        /// Show how a number comes about after that step, such as `height of "Name"`
        #[arg(long, value_name = "PHRASE")]
        number: Option<String>,
        /// Ask about something that might be tried at that step, such as `Ann: play "Name"`
        #[arg(long, value_name = "NAME: WORDS")]
        attempt: Option<String>,
        #[command(flatten)]
        readings: Readings,
    },
    /// Run scenarios under several editions or readings: who agrees with whom, where they part, and by which rulings
    #[command(after_help = "\
Prints a row for each scenario that is not the same everywhere (of many: whose verdict is not), with a letter for each group of
editions that agree: the same happens, and every question of the script has the same answer, also one that is stated for another
reading. Sums up who agrees against whom because of which rulings. These are a smallest set: with them switched
the one edition has the outcome of the other, with one of them less it has not.

Examples:
  netrep compare                                    all scenarios and games, under all editions
  netrep compare FILE.md --edition A --edition B    under these two, with the first step where they part
  netrep compare FILE.md --as-of 1999               today and then
  netrep compare FILE.md --ruling R-1               once for each reading of a ruling")]
    Compare(Compare),
    /// Say what another reading, or an edit that is not saved yet, touches: cards, rules, scenarios, games and results
    #[command(after_help = "\
Of a ruling, each reading that is not in force is put in the place of the one that is. Of a file, each item takes the place
of the one of the same kind and name, new ones are added; the files on the disk stay as they are. Only what consulted
something that changes is run.

Examples:
  netrep impact                             every ruling: what each other reading changes, and whether a scenario shows it
  netrep impact R-1                         one ruling, with the first step at which each scenario and game departs
  netrep impact R-1 --games 200             and how results shift over whole games by the same seeds
  netrep impact draft.rulings               a file with new or changed cards, rules, rulings
  netrep impact - --as rules/mine.rulings   what is piped in, in the place of a file of the data")]
    Impact(Impact),
    /// Leave out each clause, and move each number by one, and show what no scenario notices
    #[command(after_help = "\
A clause that can be left out unnoticed is untested.

Examples:
  netrep ablate                   everything
  netrep ablate MY-1 3.iv.6       one card and one rule
  netrep ablate --one-in 8        every eighth change; which these are follows from the data")]
    Ablate {
        /// Items (a card's id or a rule's number); all, if none is named
        items: Vec<String>,
        /// Make only every so manieth change
        #[arg(long, value_name = "N", default_value_t = 1)]
        one_in: usize,
    },
    /// Play whole games between decks at random, and sum up what came of them
    #[command(after_help = "\
A deck is a fenced block `deck NAME` of a Markdown file: `cards in play deck: 3 \"NAME\", \"NAME\".` for each place. The
table, decks/table.md, says who plays and how a game begins. Every game follows from its seed.

Examples:
  netrep simulate --games 100 --decks A B
  netrep simulate --decks A B --players greedy --seed 7 --chart points.svg
  netrep simulate --decks A B --summary csv > games.csv")]
    Simulate(Simulate),
    /// Count what clauses cost in play: how often each is consulted, and how many conditions are asked for it
    #[command(after_help = "\
Plays whole games by seeds, and counts; times differ from machine to machine, these counts do not. A condition that is asked of many
things one after the other counts for each of them; what is still known from an earlier question does not count. What words mean
counts for the clause that says them.

Examples:
  netrep cost --decks A B                            the twenty dearest clauses in games of these decks
  netrep cost \"Card Name\" 3.iv.6 --decks A B         each clause of a card and a rule
  netrep cost --decks A B --players greedy --games 1
  netrep cost --decks A B --top 0 --format json      all that are asked, for other programs")]
    Cost(Cost),
    /// Say how much of the game is there: rules, cards and words, and how much of it scenarios notice
    #[command(after_help = "\
Rules are counted against rules/numbers.txt, cards against `filing card`. A rule is data if clauses say it or a note explains
it, not mechanical if a note says so, else missing. A card is complete if it says every printed sentence. Either is tested
if scenarios notice every change that `netrep ablate` makes to it, or the change is exempt.

Examples:
  netrep coverage                    everything; runs scenarios for each clause and number, which takes its time
  netrep coverage --quick            without what is tested; still, scenarios are run once to see which clauses take effect
  netrep coverage --format json      for other programs")]
    Coverage {
        /// Leave the ablation out: then it is not known what is tested
        #[arg(long)]
        quick: bool,
    },
    /// Play from a position: against others at the same keyboard, or against a random or greedy player
    #[command(after_help = "\
Who decides is shown the board as he may see it, what is asked, and his options with numbers. He types a number, the words of an
option, or a command: `why N` or `why WORDS`, `board`, `board NAME`, `undo`, `save FILE`, `load FILE`, `help`, `quit`. Enter alone
takes the only option. Dice and shufflings follow from the seed: the same seed and the same answers give the same game.

Examples:
  netrep play tests/games/FILE.md                        everyone at this keyboard
  netrep play FILE.md --seats \"Ann=me,Bob=random\"      against a random player
  netrep play FILE.md --scenario \"part of its name\"     if the file has several
  netrep play FILE.md --after 12                         from where its first twelve steps lead
  netrep play saved.json                                 go on with a saved game
  netrep play --decks A B --record game.md               a whole game, written as a scenario
  printf 'pass\\nquit\\n' | netrep play FILE.md          from another program, a line at a time")]
    Play(Play),
    /// Say which answers are kept for later, and where
    #[command(after_help = "\
What was worked out about files is kept for when they are the same again, or nearly: what a command said, programs, what scenarios read.
Whatever is kept, every command says what it says with --no-cache. Answers that were not asked for longest make room for others.

Examples:
  netrep cache                     where, how much, and of what
  netrep cache clear               remove all of it")]
    Cache {
        #[command(subcommand)]
        what: Option<OfCache>,
    },
    /// Explain the code of a message, with an example and how to mend it
    Explain {
        /// Its code; without it, all codes are listed
        code: Option<String>,
    },
    /// Wait for saves: check what was saved, and run only what reads what has changed
    #[command(after_help = "\
A file with an error is reported and held back: its last good text stays in force until a later save mends it.
With --format json every round is one line with one JSON value. End with Ctrl-C.

Examples:
  netrep watch                             all scenarios and games
  netrep watch tests/scenarios/mine.md     only these")]
    Watch {
        /// Markdown files or folders (all below `tests/`, if none is given)
        paths: Vec<PathBuf>,
        #[command(flatten)]
        readings: Readings,
        /// Check and run everything once, and end
        #[arg(long)]
        once: bool,
        /// Threads; 0 = one for each processor
        #[arg(long, default_value_t = 0, value_name = "N")]
        jobs: usize,
    },
}

/// What to do with kept answers.
#[derive(Subcommand, Clone, Copy, Debug)]
pub(crate) enum OfCache {
    /// Remove them
    Clear,
}

impl Command {
    /// Its name on the command line.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Check { .. } => "check",
            Command::Fmt { .. } => "fmt",
            Command::Test { .. } => "test",
            Command::Replay { .. } => "replay",
            Command::Show { .. } => "show",
            Command::Printed { .. } => "printed",
            Command::Words { .. } => "words",
            Command::Rulings { .. } => "rulings",
            Command::Try { .. } => "try",
            Command::Ask { .. } => "ask",
            Command::Why { .. } => "why",
            Command::Compare(_) => "compare",
            Command::Impact(_) => "impact",
            Command::Ablate { .. } => "ablate",
            Command::Simulate(_) => "simulate",
            Command::Cost(_) => "cost",
            Command::Coverage { .. } => "coverage",
            Command::Play(_) => "play",
            Command::Cache { .. } => "cache",
            Command::Explain { .. } => "explain",
            Command::Watch { .. } => "watch",
        }
    }
}
