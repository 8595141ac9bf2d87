//! What a command said before, where it would say the same again: everything is as it was that it could have read.
//!
//! The question is the command line, where it is given, and every byte of the files below the root that some command reads, and of those that it names. What writes
//! files, waits for them, talks, or tells the time is done anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use netrep::built_in;
use netrep_lab::library;
use netrep_store::{Question, Store, Texts};

use crate::args::{Cli, Command, Format};
use crate::data::Root;
use crate::output::{Said, Show};

/// A command that may have been answered before.
pub(crate) struct Asked<'r> {
    store: Arc<Store>,
    question: Question,
    readable: Readable<'r>,
    /// A fingerprint of what could be read when it was asked.
    print: u128,
}

/// All that a command could read.
struct Readable<'r> {
    root: &'r Root,
    here: PathBuf,
    /// The words of the command line that may name files: where it is given, or below the root.
    words: Vec<String>,
}

/// What was printed, and the exit status.
type Answer = (Vec<Said>, u8);

impl<'r> Asked<'r> {
    /// The command as it is asked now; `None` if it is one that is done anew.
    pub(crate) fn of(cli: &Cli, root: &'r Root, show: &Show, store: Option<&Arc<Store>>) -> Option<Asked<'r>> {
        let store = Arc::clone(store.filter(|_| says_the_same(cli))?);
        let here = std::env::current_dir().ok()?;
        let words: Option<Vec<String>> = std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
        let words = words?;
        let place = match root {
            Root::Folder(root) => Some(root.canonicalize().ok()?.to_str()?.to_owned()),
            Root::BuiltIn => None,
        };
        let own = [cli.root.as_deref(), cli.cache_dir.as_deref()];
        let parts = words.iter().flat_map(|word| [Some(word.as_str()), word.split_once('=').map(|(_, value)| value)]);
        let named = parts.flatten().filter(|word| !word.is_empty() && !word.starts_with('-'));
        let named = named.filter(|word| !own.contains(&Some(Path::new(word)))).map(str::to_owned).collect();
        let readable = Readable { root, here, words: named };
        let print = readable.print()?;
        let question = Question::of("said", &(&words, readable.here.to_str()?, place, show.is_graphic(), print))?;
        Some(Asked { store, question, readable, print })
    }

    /// What was said then, if it is known.
    pub(crate) fn answer(&self) -> Option<Answer> {
        self.store.answer(&self.question)
    }

    /// Keeps what was said, unless something was written meanwhile that could be read: then it is not known what was.
    pub(crate) fn keep(&self, answer: &Answer) {
        if self.readable.print() == Some(self.print) {
            self.store.keep(&self.question, answer);
        }
    }
}

impl Readable<'_> {
    /// A fingerprint of all of it; `None` if not all can be read.
    fn print(&self) -> Option<u128> {
        let mut texts = Texts::default();
        match self.root {
            Root::Folder(root) => {
                texts.add_names(root).ok()?;
                for place in library::read_below() {
                    texts.add_path(&root.join(place)).ok()?;
                }
            }
            Root::BuiltIn => {
                for (path, text) in built_in::DATA.iter().chain(built_in::TESTS) {
                    texts.add(path.as_bytes());
                    texts.add(text.as_bytes());
                }
            }
        }
        for word in &self.words {
            texts.add_path(&self.here.join(word)).ok()?;
            if let Root::Folder(root) = self.root {
                texts.add_path(&root.join(word)).ok()?;
            }
        }
        Some(texts.print())
    }
}

/// True for a command whose answer follows from files alone, and that does nothing else.
fn says_the_same(cli: &Cli) -> bool {
    match &cli.command {
        None => true,
        Some(Command::Simulate(asked)) => asked.chart.is_none() && !asked.timing,
        // For people it tells each outcome as it comes, in whatever order.
        Some(Command::Ablate { .. }) => cli.format == Format::Json,
        // What is piped in is read once.
        Some(Command::Impact(asked)) => asked.what.as_deref() != Some("-"),
        Some(command) => matches!(
            command,
            Command::Check { .. }
                | Command::Test { .. }
                | Command::Replay { .. }
                | Command::Show { .. }
                | Command::Words { .. }
                | Command::Rulings { .. }
                | Command::Try { .. }
                | Command::Ask { .. }
                | Command::Why { .. }
                | Command::Compare(_)
                | Command::Coverage { .. }
        ),
    }
}
